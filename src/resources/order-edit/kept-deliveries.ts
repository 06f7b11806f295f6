import { invalidOperation } from '../../engine/actions.ts';
import type { ShippingInfo } from '../cart/shipping-fields.ts';

/** Does what may ship the order in another way, or not at all any more: what was delivered stays with it. */
export function keepingDeliveries(order: { shippingInfo?: ShippingInfo }, change: () => void): void {
  const deliveries = order.shippingInfo?.deliveries ?? [];
  change();
  if (order.shippingInfo !== undefined) order.shippingInfo.deliveries = deliveries;
  else if (deliveries.length > 0)
    throw invalidOperation('The order has deliveries, so its shipping method cannot be removed.');
}
