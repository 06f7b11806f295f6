import type { DocumentOf } from '../../engine/document.ts';
import {
  calledInGraphql,
  defaulted,
  type FieldKind,
  optional,
  refined,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { isObject, object } from '../../fields/object.ts';
import { boolean, enumeration, key, text } from '../../fields/scalar.ts';
import { attributeType, unwrapped } from './attribute-type.ts';
import { picked } from './picked.ts';

export const attributeName = refined(text(['color']), (name, parsing) => {
  return /^[A-Za-z0-9_-]{2,256}$/.test(name)
    ? name
    : parsing.wrongValue(name, 'a name of 2 to 256 letters, digits, hyphens and underscores');
});

export const attributeConstraint = enumeration('AttributeConstraint', [
  'None',
  'Unique',
  'CombinationUnique',
  'SameForAll',
]);

export const inputHint = enumeration('TextInputHint', ['SingleLine', 'MultiLine']);

const definitionFields = {
  name: required(attributeName),
  type: required(attributeType),
  label: required(localizedString()),
  isRequired: required(boolean()),
  level: defaulted(enumeration('Level', ['Variant', 'Product']), () => 'Variant' as const),
  isSearchable: defaulted(boolean(), () => true),
  attributeConstraint: defaulted(attributeConstraint, () => 'None' as const),
  inputHint: defaulted(inputHint, () => 'SingleLine' as const),
  inputTip: optional(localizedString()),
};

export type AttributeDefinition = ValueOf<typeof definitionFields>;

const typeReference = { typeId: 'product-type', key: 'example-product-type' };
const [label, isRequired] = [{ en: 'Example', de: 'Beispiel' }, false];

/** One with each member, and one of each form that the examples of actions name. GraphQL demands `isSearchable`. */
export const exampleDefinitions = [
  {
    name: 'color',
    type: { name: 'text' },
    label,
    isRequired,
    level: 'Variant',
    attributeConstraint: 'Unique',
    inputHint: 'MultiLine',
    inputTip: { en: 'Tip' },
    isSearchable: true,
  },
  {
    name: 'size',
    type: {
      name: 'enum',
      values: ['small', 'large'].map((name) => ({ key: name, label: name })),
    },
    label,
    isRequired,
    level: 'Product',
    isSearchable: false,
  },
  {
    name: 'finish',
    type: {
      name: 'set',
      elementType: { name: 'lenum', values: ['red', 'blue'].map((name) => ({ key: name, label: { en: name } })) },
    },
    label,
    isRequired,
    isSearchable: true,
  },
  { name: 'part', type: { name: 'nested', typeReference }, label, isRequired },
  { name: 'parts', type: { name: 'set', elementType: { name: 'nested', typeReference } }, label, isRequired },
] as const;

/** Nested attributes are not searched, so those of which a draft says nothing are not searchable (catalog.md 5). */
export const attributeDefinition: FieldKind<AttributeDefinition> = withDefaults(
  object('AttributeDefinition', definitionFields),
);

function withDefaults(kind: FieldKind<AttributeDefinition>): FieldKind<AttributeDefinition> {
  return {
    ...kind,
    parse: (input, parsing) => {
      const definition = kind.parse(input, parsing);
      const isSaid = isObject(input) && (input['isSearchable'] ?? undefined) !== undefined;
      if (definition !== undefined && !isSaid && unwrapped(definition.type).innermost.name === 'nested')
        definition.isSearchable = false;
      return definition;
    },
    examples: exampleDefinitions,
  };
}

/** GraphQL's name differs from that of REST, for it picks some of them. */
export const attributeDefinitions = calledInGraphql(
  picked(list(attributeDefinition), {
    name: 'attributeDefinitions',
    typeName: 'AttributeDefinitionResult',
    by: 'Names',
  }),
  'attributeDefinitions',
);

export const fields = {
  key: optional(key()),
  name: required(text()),
  description: required(text()),
  attributes: defaulted(attributeDefinitions, () => []),
};

export type ProductType = DocumentOf<typeof fields>;
