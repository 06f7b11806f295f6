/** The currency of a cart or an order, which all amounts that clients give have (carts 1.6). */
import { type ErrorElement, throwAll } from '../../../errors/api-error.ts';
import type { Cart } from '../fields.ts';

/** Amounts by the members that they were given in; undefined for what was not given. */
export type GivenAmounts = Readonly<Record<string, { readonly currencyCode: string } | undefined>>;

/** InvalidField for each amount that is in another currency than the total. */
export function currencyFaults(
  { totalPrice: { currencyCode } }: { readonly totalPrice: { readonly currencyCode: string } },
  given: GivenAmounts,
): readonly ErrorElement[] {
  return Object.entries(given).flatMap(([field, amount]): readonly ErrorElement[] => {
    if (amount === undefined || amount.currencyCode === currencyCode) return [];
    const message = `The field '${field}' is in ${amount.currencyCode}, but the total price is in ${currencyCode}.`;
    return [{ code: 'InvalidField', message, field, invalidValue: amount.currencyCode }];
  });
}

/** Throws them all. */
export function requireCurrency(cart: Pick<Cart, 'totalPrice'>, given: GivenAmounts): void {
  throwAll([...currencyFaults(cart, given)]);
}
