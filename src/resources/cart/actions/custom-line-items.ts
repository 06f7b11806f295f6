import { isDeepStrictEqual } from 'node:util';
import { action, invalidOperation } from '../../../engine/actions.ts';
import { setCustomField, setCustomType } from '../../../engine/custom-actions.ts';
import type { Fixed } from '../../../engine/document.ts';
import { namedParts } from '../../../engine/parts.ts';
import type { ApplyContext } from '../../../engine/resource.ts';
import { sameCustom } from '../../../engine/same-custom.ts';
import { required } from '../../../fields/field.ts';
import { money } from '../../../fields/money.ts';
import { integer } from '../../../fields/scalar.ts';
import type { Cart } from '../fields.ts';
import {
  type CustomLineItem,
  type CustomLineItemDraft,
  customLineItemDraftFields,
  customLineItemPriceMode,
} from '../item-fields.ts';
import { customLineItemsMax } from '../limits.ts';
import { requireCurrency } from './currency.ts';
import { detailsWith, newDetails } from './shipping-details.ts';
import { requireTaxMode } from './taxes.ts';

/** Named by `customLineItemId` or `customLineItemKey`. */
export const { identifier, indexIn } = namedParts('customLineItem', 'customLineItems');

export function customItemIn(
  { customLineItems }: Pick<Cart, 'customLineItems'>,
  input: Parameters<typeof indexIn>[1],
): CustomLineItem {
  return customLineItems[indexIn(customLineItems, input)]!;
}

/** What makes two items with one slug the same, beside their custom fields (carts 3.4). */
const content = ['name', 'money', 'taxCategory'] as const;
const { withCustomOf } = sameCustom('custom-line-item');

export function hasSameContent(
  known: Fixed<CustomLineItem>,
  other: Fixed<CustomLineItem> | CustomLineItemDraft,
): boolean {
  return content.every((name) => isDeepStrictEqual(known[name], other[name]));
}

/** Asked of drafts as well, as with lines. */
export function requireFewCustomLines(count: number): void {
  if (count > customLineItemsMax) throw invalidOperation(`A cart has at most ${customLineItemsMax} custom line items.`);
}

export function addCustomItem(cart: Cart, draft: CustomLineItemDraft, context: ApplyContext): void {
  const { externalTaxRate, shippingDetails, ...own } = draft;
  requireCurrency(cart, { money: own.money });
  if (externalTaxRate !== undefined) requireTaxMode(cart, 'External');
  const known = cart.customLineItems.find(({ slug }) => slug === draft.slug);
  if (known !== undefined) {
    if (!hasSameContent(known, draft) || !withCustomOf(draft, context)(known))
      throw invalidOperation(`There is another custom line item with the slug '${draft.slug}'.`);
    known.quantity += draft.quantity;
    if (shippingDetails !== undefined) known.shippingDetails = detailsWith(cart, known, shippingDetails.targets);
    return;
  }
  requireFewCustomLines(cart.customLineItems.length + 1);
  if (cart.taxMode === 'Platform' && draft.taxCategory === undefined)
    throw invalidOperation(`The custom line item '${draft.slug}' needs a tax category in the tax mode Platform.`);
  cart.customLineItems.push({
    ...own,
    id: context.newId(),
    // Filled in when the cart is computed.
    totalPrice: undefined as unknown as CustomLineItem['totalPrice'],
    discountedPricePerQuantity: [],
    ...(externalTaxRate !== undefined && { taxRate: externalTaxRate }),
    perMethodTaxRate: [],
    taxedPricePortions: [],
    state: [],
    ...(shippingDetails !== undefined && { shippingDetails: newDetails(cart, shippingDetails.targets) }),
  });
}

export const addCustomLineItem = action(customLineItemDraftFields, addCustomItem);

export const removeCustomLineItem = action(identifier, (cart: Cart, input) => {
  cart.customLineItems.splice(indexIn(cart.customLineItems, input), 1);
});

/** A quantity of 0 removes the item. */
export const changeCustomLineItemQuantity = action(
  { ...identifier, quantity: required(integer({ min: 0 })) },
  (cart: Cart, input) => {
    const index = indexIn(cart.customLineItems, input);
    if (input.quantity === 0) cart.customLineItems.splice(index, 1);
    else cart.customLineItems[index]!.quantity = input.quantity;
  },
);

export const changeCustomLineItemMoney = action({ ...identifier, money: required(money()) }, (cart: Cart, input) => {
  requireCurrency(cart, { money: input.money });
  const item = customItemIn(cart, input);
  if (isDeepStrictEqual(item.money, input.money)) return;
  item.money = input.money;
  // What discounts took off another amount is not kept, even where discounts are frozen.
  item.discountedPricePerQuantity = [];
});

export const changeCustomLineItemPriceMode = action(
  { ...identifier, mode: required(customLineItemPriceMode) },
  (cart: Cart, input) => {
    customItemIn(cart, input).priceMode = input.mode;
  },
);

export const customLineItemPartActions = {
  setCustomLineItemCustomType: setCustomType(customItemIn, identifier),
  setCustomLineItemCustomField: setCustomField(customItemIn, identifier),
};
