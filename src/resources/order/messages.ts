/** What orders tell (orders 42). Actions that are in no table are silent. */
import type { MessagesDeclaration } from '../../engine/define.ts';
import { type Fixed, versioned } from '../../engine/document.ts';
import { messageType, type MessageType, told } from '../../engine/messages.ts';
import {
  completed,
  customMessages,
  ofItself,
  type Teller,
  tellsChange,
  tellsSet,
  whenChanged,
} from '../../engine/tellers.ts';
import { address } from '../../fields/address.ts';
import { embedded } from '../../fields/embedded.ts';
import { type FieldKind, optional, required, type ValueOf } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import type { Reference } from '../../fields/parsing.ts';
import { reference } from '../../fields/reference.ts';
import { boolean, dateTime, integer, key, text } from '../../fields/scalar.ts';
import { estimatedDelivery } from '../cart/delivery-fields.ts';
import { estimatedDeliveryOf } from '../cart/messages.ts';
import { stateOfType } from '../state/offers.ts';
import { deliveryTellers, deliveryTypes, isNamed, ofMethod } from './delivery-messages.ts';
import { fields, type Order, returnInfo, type ReturnInfo, returnShipmentState, state } from './fields.ts';

const whole = embedded<Order>('Order', { ...versioned, ...fields });

/** GraphQL has it as a member that may be absent. */
const gone: typeof whole = {
  ...whole,
  output: { ...whole.output, fields: (name) => whole.output.fields(name, false) },
};

const created = messageType('OrderCreated', { order: required(whole) });
const imported = messageType('OrderImported', { order: required(whole) });
const deleted = messageType('OrderDeleted', { order: required(gone) });

const stateChanged = messageType('OrderStateChanged', {
  orderState: required(fields.orderState.kind),
  oldOrderState: optional(fields.orderState.kind),
});
const paymentStateChanged = messageType('OrderPaymentStateChanged', {
  paymentState: required(fields.paymentState.kind),
  oldPaymentState: optional(fields.paymentState.kind),
});
const shipmentStateChanged = messageType('OrderShipmentStateChanged', {
  shipmentState: required(fields.shipmentState.kind),
  oldShipmentState: optional(fields.shipmentState.kind),
});
const stateTransition = messageType('OrderStateTransition', {
  state: required(state),
  oldState: optional(state),
  force: required(boolean()),
});

const ofAddress = { address: optional(address()), oldAddress: optional(address()) };
const billingAddressSet = messageType('OrderBillingAddressSet', ofAddress);
const shippingAddressSet = messageType('OrderShippingAddressSet', ofAddress);

const customerEmailSet = messageType('OrderCustomerEmailSet', { email: optional(text()), oldEmail: optional(text()) });
const customer = reference('customer', 'Customer', { strength: 'loose' });
const customerSet = messageType('OrderCustomerSet', {
  customer: optional(customer),
  customerGroup: fields.customerGroup,
  oldCustomer: optional(customer),
  oldCustomerGroup: fields.customerGroup,
});
const storeSet = messageType('OrderStoreSet', { store: fields.store });
const purchaseOrderNumberSet = messageType(
  'OrderPurchaseOrderNumberSet',
  { purchaseOrderNumber: fields.purchaseOrderNumber, oldPurchaseOrderNumber: fields.purchaseOrderNumber },
  { payloadName: 'PurchaseOrderNumberSet' },
);

const payment = reference('payment', 'Payment', { strength: 'loose' });
/** GraphQL has the reference alone, by the very name of the member. */
const paymentRef: FieldKind<Reference> = {
  ...payment,
  output: {
    ...payment.output,
    fields: (name, isRequired) =>
      payment.output
        .fields('payment', isRequired)
        .filter((field) => field.name === name)
        .map((field) => ({ ...field, read: (parent) => parent[name] })),
  },
};
const paymentAdded = messageType('OrderPaymentAdded', { paymentRef: required(paymentRef) });
const paymentRemoved = messageType('OrderPaymentRemoved', {
  paymentRef: required(paymentRef),
  removedPaymentInfo: required(boolean()),
});

const estimatedDeliverySet = messageType('OrderEstimatedDeliverySet', {
  estimatedDelivery: optional(estimatedDelivery),
  ...ofMethod,
});

const itemState = stateOfType('LineItemState', { strength: 'loose' });
const ofTransition = {
  transitionDate: required(dateTime()),
  quantity: required(integer()),
  fromState: required(itemState),
  toState: required(itemState),
};
const lineItemTransition = messageType('LineItemStateTransition', {
  lineItemId: required(text()),
  lineItemKey: optional(key()),
  ...ofTransition,
});
const customLineItemTransition = messageType('CustomLineItemStateTransition', {
  customLineItemId: required(text()),
  customLineItemKey: optional(key()),
  ...ofTransition,
});

const returnInfoAdded = messageType('ReturnInfoAdded', { returnInfo: required(returnInfo) });
const returnInfoSet = messageType('ReturnInfoSet', { returnInfo: optional(list(returnInfo)) });
const ofReturnItem = { returnItemId: required(text()), returnShipmentState: required(returnShipmentState) };
const returnShipmentStateChanged = messageType('OrderReturnShipmentStateChanged', ofReturnItem);

const custom = customMessages(
  'Order',
  { resourceTypeId: 'order', typeId: 'previousTypeId', value: 'previousValue' },
  ofItself,
);

type Input = Readonly<Record<string, unknown>>;

function tellsAddress(type: MessageType<typeof ofAddress>, member: 'billingAddress' | 'shippingAddress'): Teller {
  return whenChanged<Order, Fixed<Order>[typeof member]>(
    (order) => order[member],
    ({ before, after }) => [
      told(type, (order: Fixed<Order>) => ({ address: after && completed(after, order[member]), oldAddress: before })),
    ],
  );
}

const linked = (id: string | undefined): Reference | undefined =>
  id === undefined ? undefined : { typeId: 'customer', id };

type ReturnState = ValueOf<typeof ofReturnItem>;

type Buyer = Pick<Fixed<Order>, 'customerId' | 'customerGroup'>;

const setCustomerId = whenChanged<Order, Buyer>(
  ({ customerId, customerGroup }) => ({
    ...(customerId !== undefined && { customerId }),
    ...(customerGroup !== undefined && { customerGroup }),
  }),
  ({ before, after }) => [
    told(customerSet, {
      customer: linked(after.customerId),
      customerGroup: after.customerGroup,
      oldCustomer: linked(before.customerId),
      oldCustomerGroup: before.customerGroup,
    }),
  ],
);

// The kinds of the actions have parsed what they name.
const linkIn = (input: Input, name: string): Reference => structuredClone(input[name] as Reference);

/** Whether the payment that an action names is one of the order's. */
function isPaidBy({ paymentInfo }: Fixed<Order>, input: Input): boolean {
  const { id } = linkIn(input, 'payment');
  return paymentInfo?.payments.some((known) => known.id === id) === true;
}

/** What units of an item have left one state for another. `member` is the list that the item stands in. */
function tellsTransition(
  type: MessageType,
  { member, noun }: { readonly member: 'lineItems' | 'customLineItems'; readonly noun: 'lineItem' | 'customLineItem' },
): Teller {
  const [idName, keyName] = [`${noun}Id`, `${noun}Key`];
  return whenChanged<Order, object | undefined>(
    (order, input) => {
      const item = order[member].find((each) => isNamed(noun, each, input));
      return item && { names: { [idName]: item.id, [keyName]: item.key }, state: item.state };
    },
    ({ after, input, context }) => [
      {
        type: type.type,
        payload: {
          ...(after as { readonly names: object }).names,
          transitionDate: input['actualTransitionDate'] ?? context.now,
          quantity: input['quantity'],
          fromState: linkIn(input, 'fromState'),
          toState: linkIn(input, 'toState'),
        },
      },
    ],
  );
}

/** A return as it was after an action, with the custom fields of its items as they are stored. */
function shown(one: Fixed<ReturnInfo>, { returnInfo: stored }: Fixed<Order>): Fixed<ReturnInfo> {
  const items = new Map(stored.flatMap((info) => info.items).map((item) => [item.id, item]));
  return { ...one, items: one.items.map((item) => completed(item, items.get(item.id))) };
}

/** The shipment state of the return item that an action names. */
function returnStateOf({ returnInfo: returns }: Fixed<Order>, input: Input): ReturnState | undefined {
  const item = returns.flatMap(({ items }) => items).find((each) => isNamed('returnItem', each, input));
  return item && { returnItemId: item.id, returnShipmentState: item.shipmentState };
}

export const messages: MessagesDeclaration<Order> = {
  types: [
    created,
    imported,
    deleted,
    stateChanged,
    paymentStateChanged,
    shipmentStateChanged,
    stateTransition,
    billingAddressSet,
    shippingAddressSet,
    customerEmailSet,
    customerSet,
    storeSet,
    purchaseOrderNumberSet,
    paymentAdded,
    paymentRemoved,
    estimatedDeliverySet,
    lineItemTransition,
    customLineItemTransition,
    returnInfoAdded,
    returnInfoSet,
    returnShipmentStateChanged,
    ...custom.types,
    ...deliveryTypes,
  ],
  // What is imported was made of no cart.
  created: (order) => [told(order.cart === undefined ? imported : created, { order })],
  deleted: (order) => [told(deleted, { order })],
  actions: {
    changeOrderState: tellsChange(stateChanged, 'orderState'),
    changePaymentState: tellsChange(paymentStateChanged, 'paymentState'),
    changeShipmentState: tellsChange(shipmentStateChanged, 'shipmentState'),
    transitionState: whenChanged<Order, Fixed<Order>['state']>(
      (order) => order.state,
      ({ before, after, input }) => [
        told(stateTransition, { state: after!, oldState: before, force: input['force'] === true }),
      ],
    ),
    setBillingAddress: tellsAddress(billingAddressSet, 'billingAddress'),
    setShippingAddress: tellsAddress(shippingAddressSet, 'shippingAddress'),
    setCustomerEmail: tellsChange(customerEmailSet, 'customerEmail', 'email'),
    setCustomerId,
    setStore: tellsSet(storeSet, 'store'),
    setPurchaseOrderNumber: tellsChange(purchaseOrderNumberSet, 'purchaseOrderNumber'),
    addPayment: whenChanged(isPaidBy, ({ input }) => [told(paymentAdded, { paymentRef: linkIn(input, 'payment') })]),
    removePayment: whenChanged<Order, boolean>(isPaidBy, ({ document, input }) => [
      told(paymentRemoved, {
        paymentRef: linkIn(input, 'payment'),
        removedPaymentInfo: document.paymentInfo === undefined,
      }),
    ]),
    setEstimatedDelivery: whenChanged<Order, unknown>(estimatedDeliveryOf, ({ after, input: { shippingKey } }) => [
      { type: estimatedDeliverySet.type, payload: { estimatedDelivery: after, shippingKey } },
    ]),
    transitionLineItemState: tellsTransition(lineItemTransition, { member: 'lineItems', noun: 'lineItem' }),
    transitionCustomLineItemState: tellsTransition(customLineItemTransition, {
      member: 'customLineItems',
      noun: 'customLineItem',
    }),
    addReturnInfo: whenChanged<Order, Fixed<ReturnInfo> | undefined>(
      (order) => order.returnInfo.at(-1),
      // Its items have ids of their own, so that it differs from the one before.
      ({ after }) => [told(returnInfoAdded, (order: Fixed<Order>) => ({ returnInfo: shown(after!, order) }))],
    ),
    setReturnInfo: whenChanged<Order, Fixed<Order>['returnInfo']>(
      (order) => order.returnInfo,
      ({ after }) => [
        told(returnInfoSet, (order: Fixed<Order>) => ({
          returnInfo: after.length === 0 ? undefined : after.map((one) => shown(one, order)),
        })),
      ],
    ),
    setReturnShipmentState: whenChanged(returnStateOf, ({ after }) => [told(returnShipmentStateChanged, after!)]),
    ...deliveryTellers,
    setCustomType: custom.setCustomType,
    setCustomField: custom.setCustomField,
  },
};
