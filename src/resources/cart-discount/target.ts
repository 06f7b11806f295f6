import { type FieldKind, optional, required } from '../../fields/field.ts';
import { oneOf } from '../../fields/one-of.ts';
import { enumeration, integer } from '../../fields/scalar.ts';
import { textCheckedBy } from '../../fields/text-checked-by.ts';
import { parseItemPredicate } from '../cart/predicate.ts';

const predicate = required(textCheckedBy(parseItemPredicate, { format: 'item-predicate', examples: ['quantity > 2'] }));

/** GraphQL answers with `Int` (decisions.md #51); its inputs take `Long`. */
function quantity(min: number): FieldKind<number> {
  return { ...integer({ min, type: 'Int' }), input: integer({ type: 'Long' }).input };
}

const multiBuy = {
  predicate,
  triggerQuantity: required(quantity(2)),
  discountedQuantity: required(quantity(1)),
  maxOccurrence: optional(integer({ min: 1, type: 'Int' })),
  selectionMode: required(enumeration('SelectionMode', ['Cheapest', 'MostExpensive'])),
};

/** What a cart discount takes something off. Patterns come with the discounts that use them (decisions.md #53). */
export const target = oneOf(
  'CartDiscountTarget',
  {
    lineItems: { typeName: 'LineItemsTarget', fields: { predicate }, input: 'LineItemsTargetInput' },
    customLineItems: { typeName: 'CustomLineItemsTarget', fields: { predicate }, input: 'CustomLineItemsTargetInput' },
    shipping: { typeName: 'ShippingTarget', fields: {}, input: 'ShippingTargetInput' },
    totalPrice: { typeName: 'CartDiscountTotalPriceTarget', fields: {}, input: 'CartDiscountTotalPriceTargetInput' },
    multiBuyLineItems: {
      typeName: 'MultiBuyLineItemsTarget',
      fields: multiBuy,
      input: 'MultiBuyLineItemsTargetInput',
    },
    multiBuyCustomLineItems: {
      typeName: 'MultiBuyCustomLineItemsTarget',
      fields: multiBuy,
      input: 'MultiBuyCustomLineItemsTargetInput',
    },
  },
  { input: 'CartDiscountTargetInput' },
);
