/** The payments of a cart. */
import { action, invalidOperation } from '../../../engine/actions.ts';
import { required } from '../../../fields/field.ts';
import { reference } from '../../../fields/reference.ts';
import type { Cart } from '../fields.ts';

const payment = { payment: required(reference('payment', 'Payment')) };

export const addPayment = action(payment, (cart: Cart, { payment: added }) => {
  const payments = cart.paymentInfo?.payments ?? [];
  if (payments.some(({ id }) => id === added.id)) throw invalidOperation(`The payment '${added.id}' is there already.`);
  cart.paymentInfo = { payments: [...payments, added] };
});

const removed = { payment: required(reference('payment', 'Payment', { mayBeGone: true })) };

export const removePayment = action(removed, (cart: Cart, { payment: { id: gone } }) => {
  const payments = cart.paymentInfo?.payments ?? [];
  const left = payments.filter(({ id }) => id !== gone);
  if (left.length === payments.length) throw invalidOperation(`There is no payment '${gone}'.`);
  if (left.length === 0) delete cart.paymentInfo;
  else cart.paymentInfo = { payments: left };
});
