/** A cart from its draft: what the draft holds is added as actions would add it. */
import { invalidOperation } from '../../engine/actions.ts';
import type { Action, ApplyContext } from '../../engine/resource.ts';
import type { ValueOf } from '../../fields/field.ts';
import { centPrecision } from '../../money/money.ts';
import { requireLanguage } from './actions/buyer.ts';
import { addCustomItem, requireFewCustomLines } from './actions/custom-line-items.ts';
import { addCode, codeHolders } from './actions/discounts.ts';
import { addAddress } from './actions/item-addresses.ts';
import { addLine, productHolders, requireFewLines } from './actions/line-items.ts';
import { acceptedRateInput, addCustomMethod, addMethod, setMethod } from './actions/shipping.ts';
import { cartDays } from '../project/fields.ts';
import type { Cart, CartDraft, fields } from './fields.ts';

/** What a draft names by other values than ids and keys. */
export function draftHolders({ lineItems, discountCodes }: CartDraft): ReturnType<NonNullable<Action['holders']>> {
  return [...lineItems.flatMap(productHolders), ...codeHolders(discountCodes)];
}

export async function cartFrom(draft: CartDraft, context: ApplyContext): Promise<ValueOf<typeof fields>> {
  const {
    currency,
    lineItems,
    customLineItems,
    discountCodes,
    shippingMethod,
    externalTaxRateForShippingMethod: externalTaxRate,
    shipping,
    customShipping,
    itemShippingAddresses,
    shippingRateInput,
    priceRoundingMode,
    taxRoundingMode,
    customerGroup,
    ...own
  } = draft;
  const { carts } = context.project.settings;
  requireLanguage(own.locale, context);
  if (customerGroup !== undefined && own.customerId !== undefined)
    throw invalidOperation('A cart of a customer has the customer group of the customer.');
  const cart = {
    ...own,
    ...(customerGroup !== undefined && { customerGroup }),
    ...(shippingRateInput !== undefined && { shippingRateInput: acceptedRateInput(shippingRateInput, context) }),
    priceRoundingMode: priceRoundingMode ?? carts?.priceRoundingMode ?? 'HalfEven',
    deleteDaysAfterLastModification: own.deleteDaysAfterLastModification ?? cartDays(context.project.settings),
    taxRoundingMode: taxRoundingMode ?? carts?.taxRoundingMode ?? 'HalfEven',
    lineItems: [],
    customLineItems: [],
    totalPrice: centPrecision(currency, 0),
    cartState: 'Active',
    shipping: [],
    itemShippingAddresses: [],
    discountCodes: [],
    directDiscounts: [],
    refusedGifts: [],
  } as unknown as Cart;
  requireFewLines(lineItems.length);
  requireFewCustomLines(customLineItems.length);
  for (const address of itemShippingAddresses) addAddress(cart, address);
  for (const line of lineItems) {
    addLine(cart, line, context);
    await context.turn();
  }
  for (const item of customLineItems) {
    addCustomItem(cart, item, context);
    await context.turn();
  }
  for (const code of discountCodes) addCode(cart, code, context);
  if (externalTaxRate !== undefined && shippingMethod === undefined)
    throw invalidOperation('A tax rate for the shipping method needs a shippingMethod.');
  if (shippingMethod !== undefined) setMethod(cart, { method: shippingMethod, externalTaxRate }, context);
  for (const { key: shippingKey, ...given } of shipping) addMethod(cart, { ...given, shippingKey }, context);
  for (const { key: shippingKey, ...given } of customShipping)
    addCustomMethod(cart, { ...given, shippingKey }, context);
  return cart;
}
