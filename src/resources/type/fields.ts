import type { DocumentOf } from '../../engine/document.ts';
import {
  defaulted,
  type FieldKind,
  optional,
  type Output,
  refined,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object } from '../../fields/object.ts';
import { pickedByName } from '../../fields/picking.ts';
import { type Branch, oneOf } from '../../fields/one-of.ts';
import { boolean, enumeration, key, text } from '../../fields/scalar.ts';

/** What custom fields can be added to. */
export const resourceTypeIds = [
  'address',
  'asset',
  'approval-flow',
  'approval-rule',
  'associate-role',
  'business-unit',
  'cart-discount',
  'category',
  'channel',
  'customer',
  'customer-group',
  'custom-line-item',
  'discount-code',
  'inventory-entry',
  'line-item',
  'order',
  'order-edit',
  'order-delivery',
  'order-parcel',
  'order-return-item',
  'payment',
  'payment-interface-interaction',
  'payment-method',
  'payment-method-info',
  'product-price',
  'product-selection',
  'product-tailoring',
  'quote',
  'reservation',
  'review',
  'recurring-order',
  'shipping',
  'shipping-method',
  'shopping-list',
  'shopping-list-text-line-item',
  'standalone-price',
  'store',
  'transaction',
] as const;

/** GraphQL has the names as texts. */
const resourceTypeId = enumeration('ResourceTypeId', resourceTypeIds, 'String');

const referenceTypeId = enumeration(
  'CustomFieldReferenceValue',
  [
    'approval-flow',
    'approval-rule',
    'associate-role',
    'business-unit',
    'cart',
    'cart-discount',
    'category',
    'channel',
    'customer',
    'customer-group',
    'discount-code',
    'key-value-document',
    'order',
    'order-edit',
    'payment',
    'product',
    'product-discount',
    'product-price',
    'product-selection',
    'product-type',
    'review',
    'shipping-method',
    'shopping-list',
    'state',
    'store',
    'tax-category',
    'type',
    'variant',
    'zone',
  ],
  'String',
);

export const inputHint = enumeration('TextInputHint', ['SingleLine', 'MultiLine']);

export const enumValue = object(
  'EnumValue',
  { key: required(text(['small'])), label: required(text(['Small'])) },
  { input: 'EnumValueInput' },
);

export const localizedEnumValue = object(
  'LocalizedEnumValue',
  { key: required(text(['small'])), label: required(localizedString()) },
  { input: 'LocalizedEnumValueInput' },
);

const simple = (typeName: string): Branch => ({ typeName, fields: {}, input: 'SimpleFieldTypeDraft' });

const elementBranches = {
  Boolean: simple('BooleanType'),
  Date: simple('DateType'),
  DateTime: simple('DateTimeType'),
  Enum: {
    typeName: 'EnumType',
    fields: { values: required(list(enumValue)) },
    input: 'FieldTypeEnumTypeDraft',
  },
  LocalizedEnum: {
    typeName: 'LocalizedEnumType',
    fields: { values: required(list(localizedEnumValue)) },
    input: 'FieldTypeLocalizedEnumTypeDraft',
  },
  LocalizedString: simple('LocalizedStringType'),
  Money: simple('MoneyType'),
  Number: simple('NumberType'),
  Reference: {
    typeName: 'ReferenceType',
    fields: { referenceTypeId: required(referenceTypeId) },
    input: 'FieldTypeReferenceTypeDraft',
  },
  String: simple('StringType'),
  Time: simple('TimeType'),
} satisfies Record<string, Branch>;

/** Sets do not nest. Their elements show as field types of any form. */
const elementType = oneOf('FieldType', elementBranches, {
  tag: 'name',
  input: 'FieldTypeSetElementTypeDraft',
  isPart: true,
});

const fieldType = oneOf(
  'FieldType',
  {
    ...elementBranches,
    Set: { typeName: 'SetType', fields: { elementType: required(elementType) }, input: 'FieldTypeSetTypeDraft' },
  },
  { tag: 'name', input: 'FieldTypeInput' },
);

/** Clients have names that are longer than the 36 characters that are documented. */
const fieldNamePattern = /^[A-Za-z0-9_-]{2,256}$/;

const fieldName = refined(text(['size']), (name, parsing) => {
  return fieldNamePattern.test(name) && !(name in Object.prototype)
    ? name
    : parsing.wrongValue(name, 'a name of 2 to 256 letters, digits, hyphens and underscores that no object inherits');
});

const fieldDefinitionFields = {
  type: required(fieldType),
  name: required(fieldName),
  label: required(localizedString()),
  required: required(boolean()),
  inputHint: defaulted(inputHint, () => 'SingleLine' as const),
};

/** `note` is the field that the examples of custom fields have. GraphQL demands an input hint. */
export const exampleDefinitions = [
  { name: 'note', type: { name: 'String' }, label: { en: 'Note' }, required: false, inputHint: 'MultiLine' },
  {
    name: 'size',
    type: {
      name: 'Enum',
      values: [
        { key: 'small', label: 'Small' },
        { key: 'large', label: 'Large' },
      ],
    },
    label: { en: 'Size' },
    required: false,
    inputHint: 'SingleLine',
  },
  {
    name: 'color',
    type: {
      name: 'LocalizedEnum',
      values: [
        { key: 'red', label: { en: 'Red' } },
        { key: 'green', label: { en: 'Green' } },
      ],
    },
    label: { en: 'Color' },
    required: false,
    inputHint: 'SingleLine',
  },
] as const;

export const fieldDefinition = object('FieldDefinition', fieldDefinitionFields, { input: 'FieldDefinitionInput' });

/** GraphQL picks definitions by name. */
const definitions: FieldKind<FieldDefinition[]> = withNames(list(fieldDefinition));

function withNames<T extends { name: string }>(kind: FieldKind<T[]>): FieldKind<T[]> {
  const fields: Output['fields'] = (name, isRequired) => {
    return kind.output.fields(name, isRequired).map((field) => ({
      ...field,
      // Stored values were parsed by this kind.
      ...pickedByName((parent) => parent[name] as T[]),
    }));
  };
  return { ...kind, output: { ...kind.output, fields } };
}

export type FieldDefinition = ValueOf<typeof fieldDefinitionFields>;

export const fields = {
  key: required(key()),
  name: required(localizedString()),
  description: optional(localizedString()),
  resourceTypeIds: required(list(resourceTypeId)),
  fieldDefinitions: defaulted(definitions, () => []),
};

export type Type = DocumentOf<typeof fields>;
