import type { Fixed, TakenValue } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { paymentTaken } from '../cart/offers.ts';
import type { Order } from './fields.ts';

/** What an order is refused with that a rival came before: the store knows its number as its key. */
export function taken({ orderNumber }: Fixed<Order>, value: TakenValue): ErrorElement | undefined {
  if (value.field !== 'key' || orderNumber === undefined) return paymentTaken(orderNumber, value);
  return {
    code: 'DuplicateField',
    message: `A duplicate value '${orderNumber}' exists for field 'orderNumber'.`,
    field: 'orderNumber',
    duplicateValue: orderNumber,
  };
}
