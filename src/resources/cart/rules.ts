import type { Fixed, TakenValue, UniqueValue } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { Cart } from './fields.ts';

/** Whoever shops without signing in would see what a customer has in it. */
export function oneOwner({ customerId, anonymousId }: Fixed<Cart>): ErrorElement | undefined {
  if (customerId === undefined || anonymousId === undefined) return undefined;
  return { code: 'InvalidOperation', message: 'A cart that belongs to a customer has no anonymousId.' };
}

const payment = 'payment';

/** A payment is in one cart, but for those that were merged into others. */
export function heldPayments({ cartState, paymentInfo }: Fixed<Cart>): readonly UniqueValue[] {
  if (cartState === 'Merged') return [];
  return (paymentInfo?.payments ?? []).map(({ id }) => ({ field: payment, value: id }));
}

/** What a cart is refused with that takes the payment of another. */
export function paymentTaken(_: Fixed<Cart>, { field }: TakenValue): ErrorElement | undefined {
  if (field !== payment) return undefined;
  return { code: 'InvalidOperation', message: 'A payment of the cart is in another cart already.' };
}
