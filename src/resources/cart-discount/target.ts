import { defaulted, type FieldKind, optional, refined, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { oneOf } from '../../fields/one-of.ts';
import type { Parsing } from '../../fields/parsing.ts';
import { enumeration, integer } from '../../fields/scalar.ts';
import { textCheckedBy } from '../../fields/text-checked-by.ts';
import { parseCustomLineItemPredicate, parseLineItemPredicate } from '../cart/predicate.ts';

const ofLineItems = {
  predicate: required(
    textCheckedBy(parseLineItemPredicate, { format: 'line-item-predicate', examples: ['quantity > 2'] }),
  ),
};

const ofCustomLineItems = {
  predicate: required(
    textCheckedBy(parseCustomLineItemPredicate, { format: 'custom-line-item-predicate', examples: ['quantity > 2'] }),
  ),
};

/** GraphQL answers with `Int` (decisions.md #51); its inputs take `Long`. */
function quantity(min: number): FieldKind<number> {
  return { ...integer({ min, type: 'Int' }), input: integer({ type: 'Long' }).input };
}

const selectionMode = enumeration('SelectionMode', ['Cheapest', 'MostExpensive']);

const multiBuy = {
  triggerQuantity: required(quantity(2)),
  discountedQuantity: required(quantity(1)),
  maxOccurrence: optional(integer({ min: 1, type: 'Int' })),
  selectionMode: required(selectionMode),
};

/** How many units of items a pattern takes, and how many of them it uses up without discounting them. */
const counts = {
  minCount: defaulted(integer({ min: 0, type: 'Int' }), () => 1),
  maxCount: optional(integer({ min: 1, type: 'Int' })),
  excludeCount: defaulted(integer({ min: 0, type: 'Int' }), () => 0),
};

function inOrder({ minCount, maxCount }: Readonly<Record<string, unknown>>, parsing: Parsing): void {
  if (typeof maxCount === 'number' && maxCount < Number(minCount))
    parsing.wrongValue(maxCount, `a maxCount of at least the minCount, ${String(minCount)},`);
}

const component = oneOf(
  'PatternComponent',
  {
    CountOnLineItemUnits: {
      typeName: 'CountOnLineItemUnits',
      fields: { ...ofLineItems, ...counts },
      input: 'CountOnLineItemUnitsInput',
      check: inOrder,
    },
    CountOnCustomLineItemUnits: {
      typeName: 'CountOnCustomLineItemUnits',
      fields: { ...ofCustomLineItems, ...counts },
      input: 'CountOnCustomLineItemUnitsInput',
      check: inOrder,
    },
  },
  { input: 'PatternComponentInput' },
);

const components = list(component);

/** Without a target nothing would be discounted. */
const targetComponents = refined(components, (given, parsing) =>
  given.length > 0 ? given : parsing.wrongValue(given, 'at least one component'),
);

const pattern = {
  triggerPattern: defaulted(components, () => []),
  targetPattern: required(targetComponents),
  maxOccurrence: optional(integer({ min: 1, type: 'Int' })),
  selectionMode: required(selectionMode),
};

/** What a cart discount takes something off. */
export const target = oneOf(
  'CartDiscountTarget',
  {
    lineItems: { typeName: 'LineItemsTarget', fields: ofLineItems, input: 'LineItemsTargetInput' },
    customLineItems: {
      typeName: 'CustomLineItemsTarget',
      fields: ofCustomLineItems,
      input: 'CustomLineItemsTargetInput',
    },
    shipping: { typeName: 'ShippingTarget', fields: {}, input: 'ShippingTargetInput' },
    totalPrice: { typeName: 'CartDiscountTotalPriceTarget', fields: {}, input: 'CartDiscountTotalPriceTargetInput' },
    multiBuyLineItems: {
      typeName: 'MultiBuyLineItemsTarget',
      fields: { ...ofLineItems, ...multiBuy },
      input: 'MultiBuyLineItemsTargetInput',
    },
    multiBuyCustomLineItems: {
      typeName: 'MultiBuyCustomLineItemsTarget',
      fields: { ...ofCustomLineItems, ...multiBuy },
      input: 'MultiBuyCustomLineItemsTargetInput',
    },
    pattern: { typeName: 'CartDiscountPatternTarget', fields: pattern, input: 'CartDiscountPatternTargetInput' },
  },
  { input: 'CartDiscountTargetInput' },
);
