import type { Fixed, TakenValue, UniqueValue } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { Cart } from './fields.ts';

/** Whoever shops without signing in would see what a customer has in it. */
export function oneOwner({ customerId, anonymousId }: Fixed<Cart>): ErrorElement | undefined {
  if (customerId === undefined || anonymousId === undefined) return undefined;
  return { code: 'InvalidOperation', message: 'A cart that belongs to a customer has no anonymousId.' };
}

const payment = 'payment';

/** A payment is in one cart or order, but for carts that were merged into others, or ordered. */
export function heldPayments(cart: Fixed<Cart>): readonly UniqueValue[] {
  return cart.cartState === 'Merged' || cart.cartState === 'Ordered' ? [] : paymentsOf(cart);
}

/** What a cart or an order holds of its payments. */
export function paymentsOf({ paymentInfo }: Pick<Fixed<Cart>, 'paymentInfo'>): readonly UniqueValue[] {
  const among = ['cart', 'order'];
  return (paymentInfo?.payments ?? []).map(({ id }) => ({ field: payment, value: id, among }));
}

/** What is refused that takes the payment of another. */
export function paymentTaken(_: unknown, { field }: TakenValue): ErrorElement | undefined {
  if (field !== payment) return undefined;
  return { code: 'InvalidOperation', message: 'A payment is in another cart or order already.' };
}
