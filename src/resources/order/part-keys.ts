import type { Fixed } from '../../engine/document.ts';
import { sameKeyFault } from '../../engine/parts.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { deliveriesOf } from './actions/deliveries.ts';
import type { Order } from './fields.ts';

/** Actions name deliveries, parcels and return items by their keys, wherever in the order they are (orders 24). */
export function differentPartKeys(order: Fixed<Order>): readonly ErrorElement[] {
  const deliveries = deliveriesOf(order);
  const faults = [
    sameKeyFault('deliveries', deliveries),
    sameKeyFault(
      'parcels',
      deliveries.flatMap(({ parcels }) => parcels),
    ),
    sameKeyFault(
      'returnItems',
      order.returnInfo.flatMap(({ items }) => items),
    ),
  ];
  return faults.filter((fault) => fault !== undefined);
}
