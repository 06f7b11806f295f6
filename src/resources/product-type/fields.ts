import { defaulted, optional, refined, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object } from '../../fields/object.ts';
import { boolean, enumeration, key, text } from '../../fields/scalar.ts';
import { attributeType, picked } from './attribute-type.ts';

const attributeName = refined(text(['color']), (name, parsing) => {
  return /^[A-Za-z0-9_-]{2,256}$/.test(name)
    ? name
    : parsing.wrongValue(name, 'a name of 2 to 256 letters, digits, hyphens and underscores');
});

const attributeDefinition = object('AttributeDefinition', {
  name: required(attributeName),
  type: required(attributeType),
  label: required(localizedString()),
  isRequired: defaulted(boolean(), () => false),
  level: defaulted(enumeration('Level', ['Variant', 'Product']), () => 'Variant' as const),
  isSearchable: defaulted(boolean(), () => true),
  attributeConstraint: defaulted(
    enumeration('AttributeConstraint', ['None', 'Unique', 'CombinationUnique', 'SameForAll']),
    () => 'None' as const,
  ),
  inputHint: defaulted(enumeration('TextInputHint', ['SingleLine', 'MultiLine']), () => 'SingleLine' as const),
  inputTip: optional(localizedString()),
});

const attributeDefinitions = picked(list(attributeDefinition), {
  name: 'attributeDefinitions',
  typeName: 'AttributeDefinitionResult',
  by: 'Names',
});

export const fields = {
  key: optional(key()),
  name: required(text()),
  description: required(text()),
  attributes: defaulted(attributeDefinitions, () => []),
};
