/** What an order is: what its cart was when it was ordered, and what has become of it since. */
import { randomUUID } from 'node:crypto';
import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import {
  assigned,
  assignedOptional,
  defaulted,
  optional,
  refined,
  required,
  type ValueOf,
  type FieldKind,
} from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { object } from '../../fields/object.ts';
import { oneOf } from '../../fields/one-of.ts';
import { reference, resourceId } from '../../fields/reference.ts';
import { dateTime, enumeration, integer, key, text } from '../../fields/scalar.ts';
import { fields as cartFields } from '../cart/fields.ts';
import { channel } from '../cart/item-fields.ts';
import { stateOfType } from '../state/offers.ts';

const orderNumberMax = 256;

/** What shops know an order by, and who repeats an order tells the one that there is by (orders 10). */
const orderNumber = refined(text(['ORDER-1']), (value, parsing) =>
  value.length >= 1 && value.length <= orderNumberMax
    ? value
    : parsing.wrongValue(value, `a text of 1 to ${orderNumberMax} characters`),
);

const orderState = enumeration('OrderState', ['Open', 'Confirmed', 'Complete', 'Cancelled']);

const paymentState = enumeration('PaymentState', ['BalanceDue', 'Failed', 'Pending', 'CreditOwed', 'Paid']);

const shipmentState = enumeration('ShipmentState', [
  'Shipped',
  'Delivered',
  'Ready',
  'Pending',
  'Delayed',
  'Partial',
  'Backorder',
  'Canceled',
]);

export const state = stateOfType('OrderState');

const cart = reference('cart', 'Cart', { strength: 'loose' });

export const returnShipmentState = enumeration('ReturnShipmentState', [
  'Advised',
  'Returned',
  'BackInStock',
  'Unusable',
]);

export const returnPaymentState = enumeration('ReturnPaymentState', [
  'NonRefundable',
  'Initial',
  'Refunded',
  'NotRefunded',
]);

const returnItemFields = {
  id: assigned(text(), () => randomUUID()),
  key: optional(key()),
  quantity: required(integer()),
  comment: optional(text()),
  shipmentState: required(returnShipmentState),
  paymentState: assigned(returnPaymentState),
  custom: optional(customFields('order-return-item')),
  lastModifiedAt: assigned(dateTime()),
  createdAt: assigned(dateTime()),
};

/** Of which item units come back, its form tells. */
const returnItem = oneOf(
  'ReturnItem',
  {
    LineItemReturnItem: {
      typeName: 'LineItemReturnItem',
      fields: { ...returnItemFields, lineItemId: required(text()) },
    },
    CustomLineItemReturnItem: {
      typeName: 'CustomLineItemReturnItem',
      fields: { ...returnItemFields, customLineItemId: required(text()) },
    },
  },
  { shared: returnItemFields },
  // The type of a form's own members is not known there.
) as unknown as FieldKind<ReturnItem>;

export type ReturnItem = ValueOf<typeof returnItemFields> & {
  readonly type: string;
  readonly lineItemId?: string;
  readonly customLineItemId?: string;
};

const returnInfoFields = {
  items: required(list(returnItem)),
  returnTrackingId: optional(text()),
  returnDate: optional(dateTime()),
};

export const returnInfo = object('ReturnInfo', returnInfoFields);

export type ReturnInfo = ValueOf<typeof returnInfoFields>;

const syncInfo = list(
  object('SyncInfo', {
    channel: required(channel),
    externalId: optional(text()),
    syncedAt: required(dateTime()),
  }),
);

/** What carts and orders have alike (orders 13). */
export const shared = [
  'purchaseOrderNumber',
  'customerId',
  'customerEmail',
  'customerGroup',
  'anonymousId',
  'store',
  'lineItems',
  'customLineItems',
  'totalPrice',
  'taxedPrice',
  'taxedShippingPrice',
  'discountOnTotalPrice',
  'priceRoundingMode',
  'taxMode',
  'taxRoundingMode',
  'taxCalculationMode',
  'inventoryMode',
  'billingAddress',
  'shippingAddress',
  'shippingMode',
  'shippingKey',
  'shippingInfo',
  'shippingRateInput',
  'shippingCustomFields',
  'shipping',
  'itemShippingAddresses',
  'discountCodes',
  'directDiscounts',
  'refusedGifts',
  'paymentInfo',
  'country',
  'locale',
  'origin',
  'discountTypeCombination',
  'custom',
] as const satisfies readonly (keyof typeof cartFields)[];

type Shared = Pick<typeof cartFields, (typeof shared)[number]>;

export const fields = {
  // Each name is one of the cart's.
  ...(Object.fromEntries(shared.map((name) => [name, cartFields[name]])) as unknown as Shared),
  orderNumber: optional(orderNumber),
  orderState: defaulted(orderState, () => 'Open' as const),
  paymentState: optional(paymentState),
  shipmentState: optional(shipmentState),
  state: optional(state),
  /** The cart may have gone. */
  cart: assignedOptional(cart),
  syncInfo: assigned(syncInfo, () => []),
  returnInfo: assigned(list(returnInfo), () => []),
  /** Of an order that was imported. */
  completedAt: assignedOptional(dateTime()),
  lastMessageSequenceNumber: assigned(integer(), () => 0),
};

export type Order = DocumentOf<typeof fields>;

/** An order is made of a cart, as it is, at a version of that. */
export const draft = {
  /** An older name of `cart`. */
  id: optional({ ...resourceId('cart', 'Cart'), examples: [] }),
  cart: optional({ ...cart, examples: [{ typeId: 'cart', key: 'example-cart-ordered' }] }),
  version: required({ ...integer(), examples: [1] }),
  orderNumber: fields.orderNumber,
  purchaseOrderNumber: fields.purchaseOrderNumber,
  paymentState: fields.paymentState,
  shipmentState: fields.shipmentState,
  orderState: fields.orderState,
  state: fields.state,
  custom: fields.custom,
};

export type OrderDraft = ValueOf<typeof draft>;

/** What shoppers say of an order. */
export const ownDraft = { id: required(draft.id.kind) };
export const ownMembers: readonly string[] = ['id', 'version'];
