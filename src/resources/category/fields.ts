import { customFields } from '../../fields/custom-fields.ts';
import { defaulted, optional, required } from '../../fields/field.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { reference } from '../../fields/reference.ts';
import { unavailable } from '../../fields/unavailable.ts';
import { key, text } from '../../fields/scalar.ts';

export const fields = {
  key: optional(key()),
  name: required(localizedString()),
  slug: required(localizedString()),
  description: optional(localizedString()),
  parent: optional(reference('category', 'Category')),
  orderHint: defaulted(text(), () => '0'),
  externalId: optional(text()),
  metaTitle: optional(localizedString()),
  metaDescription: optional(localizedString()),
  metaKeywords: optional(localizedString()),
  custom: optional(customFields('category')),
};

export const draft = { ...fields, ...unavailable('assets') };
