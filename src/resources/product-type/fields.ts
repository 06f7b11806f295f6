import { defaulted, optional, refined, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object } from '../../fields/object.ts';
import { boolean, enumeration, key, text } from '../../fields/scalar.ts';

const attributeTypeNames = [
  'boolean',
  'text',
  'ltext',
  'enum',
  'lenum',
  'number',
  'money',
  'date',
  'time',
  'datetime',
  'set',
] as const;

const enumValue = object('AttributeEnumValue', { key: required(text()), label: required(text()) });

/** The element of a set; sets do not nest. */
const elementType = object('AttributeElementType', {
  name: required(
    enumeration(
      'AttributeElementTypeName',
      attributeTypeNames.filter((name) => name !== 'set'),
    ),
  ),
});

const attributeType = object('AttributeType', {
  name: required(enumeration('AttributeTypeName', attributeTypeNames)),
  /** Of an enum. */
  values: optional(list(enumValue)),
  /** Of a set. */
  elementType: optional(elementType),
});

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
  isSearchable: defaulted(boolean(), () => true),
  attributeConstraint: defaulted(
    enumeration('AttributeConstraint', ['None', 'Unique', 'CombinationUnique', 'SameForAll']),
    () => 'None' as const,
  ),
  inputHint: defaulted(enumeration('TextInputHint', ['SingleLine', 'MultiLine']), () => 'SingleLine' as const),
  inputTip: optional(localizedString()),
});

export const fields = {
  key: optional(key()),
  name: required(text()),
  description: required(text()),
  attributes: defaulted(list(attributeDefinition), () => []),
};
