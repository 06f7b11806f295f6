import { invalidOperation } from '../../engine/actions.ts';
import type { ShippingInfo } from '../cart/shipping-fields.ts';

interface Shipped {
  shippingInfo?: ShippingInfo;
}

/** Deliveries of orders that nothing ships at the moment. */
const waiting = new WeakMap<Shipped, ShippingInfo['deliveries']>();

/** Does what may ship the order in another way, or not at all: what was delivered waits for what ships it next. */
export function keepingDeliveries(order: Shipped, change: () => void): void {
  const deliveries = order.shippingInfo?.deliveries ?? waiting.get(order) ?? [];
  change();
  if (order.shippingInfo === undefined) {
    waiting.set(order, deliveries);
  } else {
    order.shippingInfo.deliveries = deliveries;
    waiting.delete(order);
  }
}

/** Throws where an order that has deliveries is shipped by nothing any more. */
export function requireShipped(order: Shipped): void {
  if ((waiting.get(order) ?? []).length > 0)
    throw invalidOperation('The order has deliveries, and nothing would ship it to its address any more.');
}
