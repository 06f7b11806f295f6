import type { Fixed } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { addCents, multiplyMoney } from '../../pricing/totals.ts';
import type { Cart } from './fields.ts';

/** Writes the total of each custom line item and of the cart. */
export function deriveTotals(cart: Cart): void {
  for (const item of cart.customLineItems) item.totalPrice = multiplyMoney(item.money, item.quantity);
  cart.totalPrice = addCents(
    cart.totalPrice,
    cart.customLineItems
      .filter(({ money }) => money.currencyCode === cart.totalPrice.currencyCode)
      .map(({ totalPrice }) => totalPrice),
  );
}

/** All amounts of a cart are in its currency. */
export function oneCurrency({ totalPrice, customLineItems }: Fixed<Cart>): ErrorElement | undefined {
  const stranger = customLineItems.find(({ money }) => money.currencyCode !== totalPrice.currencyCode);
  if (stranger === undefined) return undefined;
  return {
    code: 'InvalidInput',
    message: `The custom line item '${stranger.slug}' is priced in ${stranger.money.currencyCode}, but the cart is in ${totalPrice.currencyCode}.`,
  };
}
