import type { Members } from '../../engine/indexed.ts';
import { indexed as cartIndexed } from '../cart/indexed.ts';

const { key: _, cartState: _s, createdBy, ...shared } = cartIndexed as Readonly<Record<string, Members[string]>>;

/** What orders are asked for by: as carts, and by what has become of them. */
export const indexed: Members = {
  ...shared,
  createdBy: createdBy!,
  orderNumber: true,
  purchaseOrderNumber: true,
  orderState: true,
  paymentState: true,
  shipmentState: true,
  state: true,
  cart: true,
  syncInfo: true,
  returnInfo: true,
};
