import { type FieldKind, type Output, optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { centMoney, money } from '../../fields/money.ts';
import { isObject } from '../../fields/object.ts';
import { oneOf, type Tagged } from '../../fields/one-of.ts';
import { reference } from '../../fields/reference.ts';
import { enumeration, integer } from '../../fields/scalar.ts';

/** How an amount is spread over what it reduces. */
const applicationMode = enumeration('DiscountApplicationMode', [
  'ProportionateDistribution',
  'EvenDistribution',
  'IndividualApplication',
]);

/** Ten thousandths: 10 % are 1000. */
const permyriad = required(integer({ min: 0, max: 10_000, type: 'Int' }));
const centAmounts = required(list(centMoney()));
const amounts = required(list(money('CartDiscountValueBaseMoneyInput')));

const channel = optional(reference('channel', 'Channel'));

const giftFields = {
  product: required(reference('product', 'Product')),
  variantId: required(integer({ min: 1, type: 'Int' })),
  supplyChannel: channel,
  distributionChannel: channel,
};

/** GraphQL gives the links of a gift as they are, and never expanded. */
function linkField(name: string, type: string): ReturnType<Output['fields']>[number] {
  return { name: `${name}Ref`, type, complexity: 1, read: (parent) => parent[name] };
}

const giftOutput = [
  linkField('product', 'ProductReferenceIdentifier!'),
  {
    name: 'variantId',
    type: 'Int!',
    complexity: 1,
    read: (parent: Readonly<Record<string, unknown>>) => parent['variantId'],
  },
  linkField('distributionChannel', 'ChannelReferenceIdentifier'),
  linkField('supplyChannel', 'ChannelReferenceIdentifier'),
];

const linkTypes = (): ReturnType<Output['types']> =>
  ['ProductReferenceIdentifier', 'ChannelReferenceIdentifier'].map((name) => ({
    type: 'object',
    object: {
      name,
      fields: ['typeId', 'id', 'key'].map((member) => ({
        name: member,
        type: member === 'typeId' ? 'String!' : 'String',
        complexity: 1,
        read: (parent) => parent[member],
      })),
    },
  }));

const mode = optional(applicationMode);

const stored = oneOf('CartDiscountValue', {
  relative: {
    typeName: 'RelativeDiscountValue',
    fields: { permyriad, applicationMode: mode },
    // A mode goes with a pattern, which is one of many targets.
    examples: [{ permyriad: 1000 }],
  },
  absolute: { typeName: 'AbsoluteDiscountValue', fields: { money: centAmounts, applicationMode: mode } },
  fixed: { typeName: 'FixedPriceDiscountValue', fields: { money: amounts, applicationMode: mode } },
  // It has no target, and each other value needs one.
  giftLineItem: { typeName: 'GiftLineItemValue', fields: giftFields, examples: [] },
});

const withMode = { applicationMode: required(applicationMode) };

/** GraphQL has a type of its own for each value with an application mode (decisions.md #52). */
const shown = oneOf(
  'CartDiscountValue',
  {
    relative: { typeName: 'RelativeDiscountValue', fields: { permyriad }, input: 'RelativeDiscountValueInput' },
    relativeCart: {
      typeName: 'RelativeCartDiscountValue',
      fields: { permyriad, ...withMode },
      input: 'RelativeCartDiscountValueInput',
    },
    absolute: {
      typeName: 'AbsoluteDiscountValue',
      fields: { money: centAmounts },
      input: 'AbsoluteDiscountValueInput',
    },
    absoluteCart: {
      typeName: 'AbsoluteCartDiscountValue',
      fields: { money: centAmounts, ...withMode },
      input: 'AbsoluteCartDiscountValueInput',
    },
    fixed: { typeName: 'FixedPriceDiscountValue', fields: { money: amounts }, input: 'FixedPriceDiscountValueInput' },
    fixedCart: {
      typeName: 'FixedPriceCartDiscountValue',
      fields: { money: amounts, ...withMode },
      input: 'FixedPriceCartDiscountValueInput',
    },
    giftLineItem: {
      typeName: 'GiftLineItemValue',
      fields: giftFields,
      output: giftOutput,
      input: 'GiftLineItemValueInput',
    },
  },
  {
    input: 'CartDiscountValueInput',
    formOf: ({ type, applicationMode }) => (applicationMode === undefined ? String(type) : `${String(type)}Cart`),
  },
);

/** What a cart discount takes off. */
export const value: FieldKind<Tagged> = {
  ...stored,
  output: { ...shown.output, types: () => [...linkTypes(), ...shown.output.types()] },
  input: { ...shown.input!, read: (given) => withoutForm(shown.input!.read!(given)) },
};

/** REST has one type for a value with and without an application mode. */
function withoutForm(given: unknown): unknown {
  if (!isObject(given)) return given;
  return { ...given, type: String(given['type']).replace(/Cart$/, '') };
}
