import type { DocumentOf } from '../../engine/define.ts';
import { optional, refined, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object } from '../../fields/object.ts';
import { key, text } from '../../fields/scalar.ts';

/** An attribute of product types, by its name, whether a product type has it or not. */
export const attribute = object(
  'AttributeReference',
  { key: required(text(['color', 'size'])) },
  { input: 'AttributeReferenceInput' },
);

const attributes = refined(list(attribute), (given, parsing) => {
  const keys = given.map(({ key }) => key);
  return new Set(keys).size === keys.length ? given : parsing.wrongValue(keys, 'attributes that differ');
});

export const fields = {
  key: optional(key()),
  name: required(localizedString()),
  description: optional(localizedString()),
  attributes: required(attributes),
};

export type AttributeGroup = DocumentOf<typeof fields>;
