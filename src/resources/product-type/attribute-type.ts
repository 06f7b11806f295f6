import { type FieldKind, type OutputField, plainOutput, refined, required, sameSchema } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object } from '../../fields/object.ts';
import { type Branch, oneOf } from '../../fields/one-of.ts';
import type { Reference } from '../../fields/parsing.ts';
import { reference } from '../../fields/reference.ts';
import { enumeration, text } from '../../fields/scalar.ts';
import { picked } from './picked.ts';

/** A value of a product or a variant that its product type describes by the name. */
export interface Attribute {
  name: string;
  value: unknown;
}

/** What one value of an enumeration is called: by a text, or by one for each locale. */
export interface EnumValue {
  readonly key: string;
  readonly label: string | Readonly<Record<string, string>>;
}

/** The values that an attribute takes, as they are stored: each form has the members that belong to it. */
export interface AttributeType {
  readonly name: string;
  /** Of enum and lenum. */
  readonly values?: readonly EnumValue[];
  readonly referenceTypeId?: string;
  /** Of a set. */
  readonly elementType?: AttributeType;
  /** The product type that describes nested attributes. */
  readonly typeReference?: Readonly<Reference>;
}

/** Sets that may stand around nested attributes (catalog.md 5). */
const setsMax = 5;

/** Kinds that an attribute of type reference may lead to. */
const referenceTypeId = enumeration(
  'AttributeReferenceTypeId',
  [
    'associate-role',
    'business-unit',
    'cart',
    'cart-discount',
    'category',
    'channel',
    'customer',
    'customer-group',
    'key-value-document',
    'order',
    'product',
    'product-type',
    'review',
    'shipping-method',
    'state',
    'variant',
    'zone',
  ],
  'String',
);

export const plainEnumValue = object('PlainEnumValue', {
  key: required(text(['small'])),
  label: required(text(['Small'])),
});

export const localizedEnumValue = object(
  'LocalizableEnumValueType',
  { key: required(text(['red'])), label: required(localizedString()) },
  { input: 'LocalizedEnumValueDraft' },
);

const plainEnumValues = picked(list(plainEnumValue), {
  name: 'values',
  typeName: 'PlainEnumValueResult',
  by: 'Keys',
});
const localizedEnumValues = picked(list(localizedEnumValue), {
  name: 'values',
  typeName: 'LocalizableEnumValueTypeResult',
  by: 'Keys',
});

const simple = (typeName: string): Branch => ({ typeName, fields: {}, input: 'SimpleAttributeTypeDraft' });

/** The forms of which GraphQL takes all, for attributes and for elements of sets. */
const plainForms = {
  boolean: simple('BooleanAttributeDefinitionType'),
  text: simple('TextAttributeDefinitionType'),
  ltext: simple('LocalizableTextAttributeDefinitionType'),
  enum: {
    typeName: 'EnumAttributeDefinitionType',
    fields: { values: required(plainEnumValues) },
    input: 'EnumTypeDraft',
  },
  lenum: {
    typeName: 'LocalizableEnumAttributeDefinitionType',
    fields: { values: required(localizedEnumValues) },
    input: 'LocalizableEnumTypeDraft',
  },
  number: simple('NumberAttributeDefinitionType'),
  money: simple('MoneyAttributeDefinitionType'),
  date: simple('DateAttributeDefinitionType'),
  time: simple('TimeAttributeDefinitionType'),
  datetime: simple('DateTimeAttributeDefinitionType'),
  reference: {
    typeName: 'ReferenceAttributeDefinitionType',
    fields: { referenceTypeId: required(referenceTypeId) },
    input: 'ReferenceTypeDefinitionDraft',
  },
} satisfies Record<string, Branch>;

const elementForms = {
  ...plainForms,
  nested: {
    typeName: 'NestedAttributeDefinitionType',
    fields: { typeReference: required(reference('product-type', 'ProductTypeDefinition')) },
    output: [
      { name: 'typeRef', type: 'Reference!', complexity: 1, read: (parent) => parent['typeReference'] },
    ] satisfies OutputField[],
  },
} satisfies Record<string, Branch>;

/**
 * What the elements of a set are that stands in a set itself: any type, as far as JSON goes deep. How often sets may stand
 * in each other is a rule on the whole.
 */
const deeperType: FieldKind<AttributeType> = {
  parse: (input, parsing) => elementType.parse(input, parsing),
  shape: { class: 'dynamic' },
  output: plainOutput('AttributeDefinitionType'),
  input: undefined,
  schema: sameSchema({ type: 'object' }),
  references: (type, visit) => elementType.references!(type, visit),
  examples: [{ name: 'nested', typeReference: { typeId: 'product-type', key: 'example-product-type' } }],
};

/** What oneOf gives has the members of its form. */
const elementType = oneOf(
  'AttributeDefinitionType',
  {
    ...elementForms,
    set: { typeName: 'SetOfSetsAttributeDefinitionType', fields: { elementType: required(deeperType) } },
  },
  { tag: 'name', isPart: true },
) as FieldKind<AttributeType>;

/** GraphQL takes neither nested attributes nor sets of sets. */
const elementInput = oneOf('AttributeDefinitionType', plainForms, {
  tag: 'name',
  input: 'AttributeSetElementTypeDraft',
  isPart: true,
}).input;

const typeInput = oneOf(
  'AttributeDefinitionType',
  {
    ...plainForms,
    set: {
      typeName: 'SetAttributeDefinitionType',
      fields: { elementType: required({ ...elementType, input: elementInput }) },
      input: 'AttributeSetTypeDraft',
    },
  },
  { tag: 'name', input: 'AttributeTypeDraft' },
).input;

const anyType = oneOf(
  'AttributeDefinitionType',
  { ...elementForms, set: { typeName: 'SetAttributeDefinitionType', fields: { elementType: required(elementType) } } },
  { tag: 'name' },
) as FieldKind<AttributeType>;

/** The values that an attribute takes (catalog.md 1). */
export const attributeType: FieldKind<AttributeType> = refined({ ...anyType, input: typeInput }, (type, parsing) => {
  const { sets, innermost } = unwrapped(type);
  if (sets > 1 && innermost.name !== 'nested')
    return parsing.wrongValue(innermost.name, 'nested within sets that stand in each other');
  return sets <= setsMax ? type : parsing.wrongValue(sets, `at most ${setsMax} sets in each other`);
});

/** What a type is without the sets around it, and how many there are. */
export function unwrapped(type: AttributeType): { readonly sets: number; readonly innermost: AttributeType } {
  let [sets, innermost] = [0, type];
  for (; innermost.elementType !== undefined; innermost = innermost.elementType) sets += 1;
  return { sets, innermost };
}

/** Whether two definitions of one name agree: values of enumerations may differ (catalog.md 3). */
export function isSameType(one: AttributeType, other: AttributeType): boolean {
  return typeNameOf(one) === typeNameOf(other);
}

/** A text that is the same for types that agree. */
export function typeNameOf(type: AttributeType): string {
  const { sets, innermost } = unwrapped(type);
  const { name, referenceTypeId, typeReference } = innermost;
  return JSON.stringify([sets, name, referenceTypeId, typeReference?.id]);
}
