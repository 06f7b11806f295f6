/** What update actions of orders say, of all of them in one type: which have which, the platform knows. */
import type { Address, Custom, Link, ShippedItem, Target } from './world.ts';

export interface ParcelInput {
  key?: string;
  items?: ShippedItem[];
  measurements?: object;
  trackingData?: { trackingId?: string; isReturn?: boolean };
  custom?: Custom;
}

export interface ReturnItemInput {
  key?: string;
  quantity: number;
  lineItemId?: string;
  customLineItemId?: string;
  comment?: string;
  shipmentState: string;
}

export interface ReturnInput {
  items: ReturnItemInput[];
  returnTrackingId?: string;
  returnDate?: string;
}

export interface Input {
  action: string;
  orderState?: string;
  paymentState?: string;
  shipmentState?: string;
  state?: Link | { quantity: number; state: Link }[];
  force?: boolean;
  orderNumber?: string;
  purchaseOrderNumber?: string;
  customerId?: string;
  email?: string;
  store?: Link;
  locale?: string;
  address?: Address;
  addressKey?: string;
  lineItemId?: string;
  lineItemKey?: string;
  customLineItemId?: string;
  customLineItemKey?: string;
  deliveryId?: string;
  deliveryKey?: string;
  parcelId?: string;
  parcelKey?: string;
  returnItemId?: string;
  returnItemKey?: string;
  shippingKey?: string;
  shippingDetails?: { targets: Target[] };
  quantity?: number;
  fromState?: Link;
  toState?: Link;
  actualTransitionDate?: string;
  items?: ShippedItem[] | ReturnInput[] | ReturnItemInput[];
  parcels?: ParcelInput[];
  measurements?: object;
  trackingData?: { trackingId?: string; isReturn?: boolean };
  estimatedDelivery?: object;
  returnTrackingId?: string;
  returnDate?: string;
  payment?: Link;
  channel?: Link;
  externalId?: string;
  syncedAt?: string;
  custom?: Custom;
  type?: Link;
  fields?: Record<string, unknown>;
  name?: string;
  value?: unknown;
}
