/** How the model updates an order: what is sent, the version, what it names, action by action, and the whole (orders 21). */
import { isDeepStrictEqual } from 'node:util';
import { deliveryActions } from './delivery-actions.ts';
import type { Input, ReturnInput, ReturnItemInput } from './inputs.ts';
import type { Apply, Telling } from './messages.ts';
import { orderActions } from './order-actions.ts';
import { numberFaults } from './ordering.ts';
import {
  type Custom,
  type Link,
  linked,
  type ModelError,
  type OrderDocument,
  Refused,
  settle,
  type ShippedItem,
  unknownIn,
  type World,
} from './world.ts';

const actions: Readonly<Record<string, Apply>> = { ...orderActions, ...deliveryActions };
export const actionNames = Object.keys(actions);

export interface Update {
  readonly id: string;
  readonly version: number;
  readonly actions: readonly Input[];
}

/** What becomes of the order, in the world too; without any change that is the order as it was, and tells nothing. */
export function updateOrder(world: World, { id, version, actions: inputs }: Update): Telling {
  settle(inputs.flatMap((input, index) => shapeFaults(input, `actions[${index}]`)));
  const before = world.orders.find((order) => order.id === id);
  if (before === undefined) throw new Refused(404, [{ code: 'ResourceNotFound' }]);
  if (before.version !== version)
    throw new Refused(409, [{ code: 'ConcurrentModification', currentVersion: before.version }]);
  settle(inputs.flatMap((input) => referenceFaults(world, input)));
  const telling: Telling = { world, order: structuredClone(before), now: unknownIn(world), told: [] };
  for (const input of inputs) actions[input.action]!(telling, structuredClone(input));
  const { order } = telling;
  if (isDeepStrictEqual(order, before)) return { ...telling, order: before, told: [] };
  settle(customFaults(order, world));
  settle(keyFaults(order));
  if (order.orderNumber !== before.orderNumber) settle(numberFaults(world, order.orderNumber));
  order.version += 1;
  order.lastModifiedAt = telling.now;
  world.orders[world.orders.indexOf(before)] = order;
  return telling;
}

const enumerations: Readonly<Record<string, readonly string[]>> = {
  orderState: ['Open', 'Confirmed', 'Complete', 'Cancelled'],
  'changePaymentState.paymentState': ['BalanceDue', 'Failed', 'Pending', 'CreditOwed', 'Paid'],
  'changeShipmentState.shipmentState': [
    'Shipped',
    'Delivered',
    'Ready',
    'Pending',
    'Delayed',
    'Partial',
    'Backorder',
    'Canceled',
  ],
  'setReturnPaymentState.paymentState': ['NonRefundable', 'Initial', 'Refunded', 'NotRefunded'],
  'setReturnShipmentState.shipmentState': ['Advised', 'Returned', 'BackInStock', 'Unusable'],
};

/** What actions cannot do without. */
const required: Readonly<Record<string, readonly string[]>> = {
  changeOrderState: ['orderState'],
  changePaymentState: ['paymentState'],
  changeShipmentState: ['shipmentState'],
  transitionState: ['state'],
  addItemShippingAddress: ['address'],
  updateItemShippingAddress: ['address'],
  transitionLineItemState: ['quantity', 'fromState', 'toState'],
  transitionCustomLineItemState: ['quantity', 'fromState', 'toState'],
  setReturnShipmentState: ['shipmentState'],
  setReturnPaymentState: ['paymentState'],
  addPayment: ['payment'],
  removePayment: ['payment'],
  updateSyncInfo: ['channel'],
};

/** What is wrong with an action by itself. */
function shapeFaults(input: Input, place: string): ModelError[] {
  const faults: ModelError[] = [];
  const missing = (field: string): void => void faults.push({ code: 'RequiredField', field: `${place}.${field}` });
  const wrong = (field: string): void => void faults.push({ code: 'InvalidField', field: `${place}.${field}` });
  const said = input as unknown as Readonly<Record<string, unknown>>;
  const { action } = input;
  const returnFaults = (items: readonly ReturnItemInput[], path: string): void => {
    for (const [index, { shipmentState }] of items.entries())
      if (!['Advised', 'Returned'].includes(shipmentState)) wrong(`${path}[${index}].shipmentState`);
  };
  const unitFaults = (items: readonly ShippedItem[] = [], path: string): void => {
    for (const [index, { quantity }] of items.entries()) if (quantity < 1) wrong(`${path}[${index}].quantity`);
  };
  for (const name of required[action] ?? []) if (said[name] === undefined) missing(name);
  for (const name of ['orderState', 'paymentState', 'shipmentState']) {
    const allowed = enumerations[`${action}.${name}`] ?? enumerations[name];
    if (allowed !== undefined && said[name] !== undefined && !allowed.includes(said[name] as string)) wrong(name);
  }
  if (action.endsWith('ItemShippingAddress') && input.address !== undefined && input.address.key === undefined)
    missing('address.key');
  if (input.quantity !== undefined && input.quantity < 1) wrong('quantity');
  if (input.orderNumber !== undefined && (input.orderNumber.length < 1 || input.orderNumber.length > 256))
    wrong('orderNumber');
  for (const [index, info] of ((action === 'setReturnInfo' ? input.items : []) ?? []).entries())
    returnFaults((info as ReturnInput).items, `items[${index}].items`);
  if (action === 'addReturnInfo') returnFaults(input.items as ReturnItemInput[], 'items');
  if (action === 'addDelivery' || action === 'addParcelToDelivery' || /^set(Delivery|Parcel)Items$/.test(action)) {
    unitFaults(input.items as ShippedItem[] | undefined, 'items');
    for (const [index, { items }] of (input.parcels ?? []).entries()) unitFaults(items, `parcels[${index}].items`);
  }
  return faults;
}

/** What an action names that is not there, or is not what has to be named. */
function referenceFaults(world: World, input: Input): ModelError[] {
  const faults: ModelError[] = [];
  const missing = (link: Link): void => void faults.push({ code: 'ReferencedResourceNotFound', ...link });
  const stateFault = (link: Link | undefined, type: string): void => {
    if (link === undefined) return;
    const state = linked(world.states, link);
    if (state === undefined) missing(link);
    else if (state.type !== type) faults.push({ code: 'InvalidOperation' });
  };
  if (input.action === 'transitionState') stateFault(input.state as Link, 'OrderState');
  stateFault(input.fromState, 'LineItemState');
  stateFault(input.toState, 'LineItemState');
  if (input.action.startsWith('import'))
    for (const { state } of input.state as { state: Link }[]) stateFault(state, 'LineItemState');
  if (input.payment !== undefined && !world.payments.includes(input.payment.id!)) missing(input.payment);
  if (input.customerId !== undefined && !world.customers.some(({ id }) => id === input.customerId))
    missing({ typeId: 'customer', id: input.customerId });
  if (input.store !== undefined && !world.stores.some(({ key }) => key === input.store!.key)) missing(input.store);
  if (input.channel !== undefined) {
    const channel = linked(world.channels, input.channel);
    if (channel === undefined) missing(input.channel);
    else if (!channel.roles.some((role) => role === 'OrderExport' || role === 'OrderImport'))
      faults.push({ code: 'InvalidInput' });
  }
  const customs = [input.custom, ...(input.parcels ?? []).map(({ custom }) => custom)];
  for (const type of [input.type, ...customs.map((custom) => custom?.type)])
    if (type !== undefined && type.key !== 'note') missing(type);
  return faults;
}

type Holder = readonly [path: string, holder: { custom?: Custom | undefined } | undefined];

/** Every value that may have custom fields, by its path. */
function holdersIn(order: OrderDocument): readonly Holder[] {
  const each = (path: string, all: readonly { custom?: Custom }[]): readonly Holder[] =>
    all.map((one, index) => [`${path}[${index}].custom`, one]);
  const infos = [
    ['shippingInfo', order.shippingInfo] as const,
    ...order.shipping.map(({ shippingInfo }, index) => [`shipping[${index}].shippingInfo`, shippingInfo] as const),
  ];
  const deliveries = infos.flatMap(([path, info]) =>
    (info?.deliveries ?? []).map((delivery, index) => [`${path}.deliveries[${index}]`, delivery] as const),
  );
  return [
    ['custom', order],
    ['billingAddress.custom', order.billingAddress],
    ['shippingAddress.custom', order.shippingAddress],
    ...each('itemShippingAddresses', order.itemShippingAddresses),
    ...each('lineItems', order.lineItems),
    ...each('customLineItems', order.customLineItems),
    ...deliveries.flatMap(([path, { custom, address, parcels }]): readonly Holder[] => [
      [`${path}.custom`, { custom }],
      [`${path}.address.custom`, address],
      ...each(`${path}.parcels`, parcels),
    ]),
    ...order.returnInfo.flatMap(({ items }, index) => each(`returnInfo[${index}].items`, items)),
    ['shippingCustomFields', { custom: order.shippingCustomFields }],
    ...order.shipping.map(({ shippingCustomFields }, index): Holder => [
      `shipping[${index}].shippingCustomFields`,
      { custom: shippingCustomFields },
    ]),
  ];
}

/** One type has one field, a text; the other has none. */
function customFaults(order: OrderDocument, { typeId }: Pick<World, 'typeId'>): ModelError[] {
  return holdersIn(order).flatMap(([path, holder]) =>
    Object.entries(holder?.custom?.fields ?? {}).flatMap(([name, value]): ModelError[] => {
      if (name !== 'note' || holder!.custom!.type.id !== typeId)
        return [{ code: 'InvalidField', field: `${path}.fields.${name}` }];
      return typeof value === 'string' ? [] : [{ code: 'InvalidJsonInput' }];
    }),
  );
}

function keyFaults(order: OrderDocument): ModelError[] {
  const infos = [order.shippingInfo, ...order.shipping.map(({ shippingInfo }) => shippingInfo)];
  const deliveries = infos.flatMap((info) => info?.deliveries ?? []);
  const sorts: readonly (readonly [string, readonly { key?: string }[]])[] = [
    ['deliveries', deliveries],
    ['parcels', deliveries.flatMap(({ parcels }) => parcels)],
    ['returnItems', order.returnInfo.flatMap(({ items }) => items)],
  ];
  return sorts.flatMap(([name, parts]) => {
    const keys = parts.flatMap(({ key }) => key ?? []);
    const twice = keys.find((key, index) => keys.indexOf(key) < index);
    return twice === undefined ? [] : [{ code: 'DuplicateField', field: `${name}.key`, duplicateValue: twice }];
  });
}
