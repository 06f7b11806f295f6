/** What discounts make of the prices of a cart. */
import { assigned, assignedOptional, optional, required } from '../../fields/field.ts';
import { linksCalled, list } from '../../fields/list.ts';
import { money } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { oneOf } from '../../fields/one-of.ts';
import { reference } from '../../fields/reference.ts';
import { enumeration, integer, text } from '../../fields/scalar.ts';
import { target, value } from '../cart-discount/fields.ts';

/** Direct discounts are named likewise, though they are nothing but parts of the cart. */
const discount = reference('cart-discount', 'CartDiscount', { strength: 'loose' });

const portion = { discount: assigned(discount), discountedAmount: assigned(money()) };

export const discountedLineItemPrice = object('DiscountedLineItemPrice', {
  value: assigned(money()),
  includedDiscounts: assigned(list(object('DiscountedLineItemPortion', portion))),
});

export const discountedPricePerQuantity = list(
  object('DiscountedLineItemPriceForQuantity', {
    quantity: assigned(integer()),
    discountedPrice: assigned(discountedLineItemPrice),
  }),
);

export const discountOnTotalPrice = object('DiscountOnTotalPrice', {
  discountedAmount: assigned(money()),
  includedDiscounts: assigned(list(object('DiscountedTotalPricePortion', portion))),
  discountedNetAmount: assignedOptional(money()),
  discountedGrossAmount: assignedOptional(money()),
});

export const discountCodeState = enumeration('DiscountCodeState', [
  'NotActive',
  'NotValid',
  'DoesNotMatchCart',
  'MatchesCart',
  'MaxApplicationReached',
  'ApplicationStoppedByPreviousDiscount',
  'ApplicationStoppedByGroupBestDeal',
]);

export const discountCodes = list(
  object('DiscountCodeInfo', {
    discountCode: assigned(reference('discount-code', 'DiscountCode', { strength: 'loose' })),
    state: assigned(discountCodeState),
  }),
);

const directDiscountFields = { value: required(value), target: optional(target) };

export const directDiscountDraft = object('DirectDiscount', directDiscountFields);

export const directDiscounts = list(object('DirectDiscount', { id: assigned(text()), ...directDiscountFields }));

export const refusedGifts = linksCalled(
  list(reference('cart-discount', 'CartDiscount', { strength: 'loose' })),
  'refusedGiftsRefs',
);

export const discountTypeCombination = oneOf('DiscountTypeCombination', {
  BestDeal: {
    typeName: 'BestDeal',
    fields: {
      chosenDiscountType: assignedOptional(enumeration('ChosenDiscountType', ['ProductDiscount', 'CartDiscount'])),
    },
  },
  Stacking: { typeName: 'Stacking', fields: {} },
});
