/** The currency of a cart, which all amounts that clients give have (carts 1.6). */
import { type ErrorElement, throwAll } from '../../../errors/api-error.ts';
import type { Cart } from '../fields.ts';

/** Amounts by the members that they were given in; undefined for what was not given. */
export type GivenAmounts = Readonly<Record<string, { readonly currencyCode: string } | undefined>>;

/** Throws InvalidField for all amounts that are in another currency. */
export function requireCurrency({ totalPrice: { currencyCode } }: Cart, given: GivenAmounts): void {
  const errors = Object.entries(given).flatMap(([field, amount]): readonly ErrorElement[] => {
    if (amount === undefined || amount.currencyCode === currencyCode) return [];
    const message = `The field '${field}' is in ${amount.currencyCode}, but the cart is in ${currencyCode}.`;
    return [{ code: 'InvalidField', message, field, invalidValue: amount.currencyCode }];
  });
  throwAll(errors);
}
