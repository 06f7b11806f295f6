import { assets } from '../../fields/asset.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { defaulted, optional, required } from '../../fields/field.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { reference } from '../../fields/reference.ts';
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
  assets: defaulted(assets(), () => []),
  custom: optional(customFields('category')),
};
