import { type FieldKind, type OutputArguments, type OutputField, required } from '../../fields/field.ts';
import { keyedList } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object } from '../../fields/object.ts';
import { type Branch, oneOf } from '../../fields/one-of.ts';
import { reference } from '../../fields/reference.ts';
import { enumeration, text } from '../../fields/scalar.ts';

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

const plainEnumValue = object('PlainEnumValue', { key: required(text(['small'])), label: required(text(['Small'])) });

const localizedEnumValue = object('LocalizableEnumValueType', {
  key: required(text(['red'])),
  label: required(localizedString()),
});

/** Members of a list in GraphQL, of which a query picks some by name. */
export function picked<T>(
  kind: FieldKind<T[]>,
  { name: shownAs, typeName, by }: { readonly name: string; readonly typeName: string; readonly by: 'Names' | 'Keys' },
): FieldKind<T[]> {
  const member = by === 'Names' ? 'name' : 'key';
  const plain = (name: string, type: string): OutputField => ({
    name,
    type,
    complexity: 1,
    read: (parent) => parent[name],
  });
  const read = (values: readonly Readonly<Record<string, unknown>>[], args: OutputArguments): object => {
    const { limit, offset = 0, [`include${by}`]: include, [`exclude${by}`]: exclude } = args;
    const matching = values.filter(({ [member]: named }) => {
      return (
        !(Array.isArray(include) && !include.includes(named)) && !(Array.isArray(exclude) && exclude.includes(named))
      );
    });
    const [start, count] = [Number(offset ?? 0), typeof limit === 'number' ? limit : matching.length];
    return { limit, offset: start, total: matching.length, results: matching.slice(start, start + count) };
  };
  const args = { [`include${by}`]: '[String!]', [`exclude${by}`]: '[String!]', limit: 'Int', offset: 'Int' };
  return {
    ...kind,
    output: {
      ...kind.output,
      fields: (name) => [
        {
          name: shownAs,
          type: `${typeName}!`,
          args,
          complexity: 1,
          // Stored values were parsed by the kind.
          read: (parent, given) => read(parent[name] as readonly Readonly<Record<string, unknown>>[], given),
        },
      ],
      types: () => [
        ...kind.output.types(),
        {
          type: 'object',
          object: {
            name: typeName,
            fields: [
              plain('limit', 'Int'),
              plain('offset', 'Int'),
              plain('total', 'Int!'),
              plain('results', `${kind.output.item}!`),
            ],
          },
        },
      ],
    },
  };
}

const plainEnumValues = picked(keyedList(plainEnumValue), {
  name: 'values',
  typeName: 'PlainEnumValueResult',
  by: 'Keys',
});
const localizedEnumValues = picked(keyedList(localizedEnumValue), {
  name: 'values',
  typeName: 'LocalizableEnumValueTypeResult',
  by: 'Keys',
});

const simple = (typeName: string): Branch => ({ typeName, fields: {} });

const elementBranches = {
  boolean: simple('BooleanAttributeDefinitionType'),
  text: simple('TextAttributeDefinitionType'),
  ltext: simple('LocalizableTextAttributeDefinitionType'),
  enum: { typeName: 'EnumAttributeDefinitionType', fields: { values: required(plainEnumValues) } },
  lenum: { typeName: 'LocalizableEnumAttributeDefinitionType', fields: { values: required(localizedEnumValues) } },
  number: simple('NumberAttributeDefinitionType'),
  money: simple('MoneyAttributeDefinitionType'),
  date: simple('DateAttributeDefinitionType'),
  time: simple('TimeAttributeDefinitionType'),
  datetime: simple('DateTimeAttributeDefinitionType'),
  reference: { typeName: 'ReferenceAttributeDefinitionType', fields: { referenceTypeId: required(referenceTypeId) } },
  nested: {
    typeName: 'NestedAttributeDefinitionType',
    fields: { typeReference: required(reference('product-type', 'ProductTypeDefinition')) },
    output: [
      { name: 'typeRef', type: 'Reference!', complexity: 1, read: (parent) => parent['typeReference'] },
    ] satisfies OutputField[],
  },
} satisfies Record<string, Branch>;

/** Elements of sets, which do not nest in this version: a set of sets is refused. */
const elementType = oneOf('AttributeDefinitionType', elementBranches, { tag: 'name', isPart: true });

/** The values that an attribute takes (catalog: attribute types). */
export const attributeType = oneOf(
  'AttributeDefinitionType',
  {
    ...elementBranches,
    set: { typeName: 'SetAttributeDefinitionType', fields: { elementType: required(elementType) } },
  },
  { tag: 'name' },
);
