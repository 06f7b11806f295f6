import type { Fixed, TakenValue } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { Engine } from '../../engine/resource.ts';
import { paymentsOf, paymentTaken } from '../cart/offers.ts';
import type { Order } from './fields.ts';

/** What an order is refused with that a rival came before: the store knows its number as its key. */
export function taken({ orderNumber }: Fixed<Order>, value: TakenValue): ErrorElement | undefined {
  if (value.field !== 'key' || orderNumber === undefined) return paymentTaken(orderNumber, value);
  return numberTaken(orderNumber);
}

function numberTaken(orderNumber: string): ErrorElement {
  return {
    code: 'DuplicateField',
    message: `A duplicate value '${orderNumber}' exists for field 'orderNumber'.`,
    field: 'orderNumber',
    duplicateValue: orderNumber,
  };
}

/**
 * What others have of a new order that is refused already, for what races is told together (orders 2). Of others nobody
 * asks before the commit, which finds it out for nothing.
 */
export async function takenFaults(
  { store }: Engine,
  project: string,
  order: { readonly orderNumber?: string | undefined } & Fixed<Pick<Order, 'paymentInfo'>>,
): Promise<readonly ErrorElement[]> {
  const { orderNumber } = order;
  const payments = paymentsOf(order).flatMap((unique) => (unique.among ?? []).map((kind) => ({ kind, unique })));
  const [numbered, holders] = await Promise.all([
    orderNumber === undefined ? [] : store.find(project, [{ kind: 'order', key: orderNumber }]),
    payments.length === 0 ? [] : store.findHolders(project, payments),
  ]);
  const held = payments.find((_, index) => holders[index] !== undefined);
  const isTaken = numbered.some((found) => found !== undefined);
  const faults = [isTaken ? numberTaken(orderNumber!) : undefined, held && paymentTaken(order, held.unique)];
  return faults.filter((fault) => fault !== undefined);
}
