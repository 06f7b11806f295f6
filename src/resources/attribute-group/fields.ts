import type { DocumentOf } from '../../engine/document.ts';
import { optional, required } from '../../fields/field.ts';
import { keyedList } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object } from '../../fields/object.ts';
import { key, text } from '../../fields/scalar.ts';

/** An attribute of product types, by its name, whether a product type has it or not. */
export const attribute = object(
  'AttributeReference',
  { key: required(text(['color', 'size'])) },
  { input: 'AttributeReferenceInput' },
);

export const fields = {
  key: optional(key()),
  name: required(localizedString()),
  description: optional(localizedString()),
  attributes: required(keyedList(attribute)),
};

export type AttributeGroup = DocumentOf<typeof fields>;
