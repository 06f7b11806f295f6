/** What the model does with an order but for what is shipped and what comes back (orders 22, 23, 26 to 30). */
import { isDeepStrictEqual } from 'node:util';
import type { Input } from './inputs.ts';
import { type Apply, tell, type Telling } from './messages.ts';
import { customField, customType, named } from './parts.ts';
import {
  type Address,
  holderOf,
  type Item,
  type Link,
  linked,
  type OrderDocument,
  Refused,
  refuse,
  type State,
  type World,
} from './world.ts';

/** Sets a member, or removes it, and tells of it by both of its values. */
function member(
  telling: Telling,
  name: keyof OrderDocument,
  { value, tells: [type, shown] }: { readonly value: unknown; readonly tells: readonly [string | undefined, string] },
): void {
  const { order } = telling;
  const old = order[name];
  if (value === undefined) delete order[name];
  else Object.assign(order, { [name]: value });
  if (type === undefined || isDeepStrictEqual(old, value)) return;
  const oldName = `old${shown[0]!.toUpperCase()}${shown.slice(1)}`;
  tell(telling, type, { ...(value !== undefined && { [shown]: value }), ...(old !== undefined && { [oldName]: old }) });
}

const sets =
  (name: keyof OrderDocument, type?: string, shown: string = name): Apply =>
  (telling, input) =>
    member(telling, name, { value: (input as unknown as Record<string, unknown>)[shown], tells: [type, shown] });

/** Whether states let one be followed by the other. */
function requireTransition(before: State | undefined, next: State): void {
  const isFree = before === undefined ? next.initial : (before.transitions?.includes(next.id) ?? true);
  if (!isFree) refuse('InvalidOperation');
}

const stateLink = (world: World, link: Link): Link => ({ typeId: 'state', id: linked(world.states, link)!.id });

const transitionState: Apply = (telling, { state, force = false }) => {
  const { order, world } = telling;
  const next = linked(world.states, state as Link)!;
  const old = order.state;
  if (!force) requireTransition(old && linked(world.states, old), next);
  order.state = { typeId: 'state', id: next.id };
  if (old?.id === next.id) return;
  tell(telling, 'OrderStateTransition', { state: order.state, ...(old !== undefined && { oldState: old }), force });
};

const setOrderNumber: Apply = ({ order }, { orderNumber }) => {
  if (order.orderNumber !== undefined && order.orderNumber !== orderNumber) refuse('InvalidOperation');
  if (orderNumber !== undefined) order.orderNumber = orderNumber;
};

const setCustomerId: Apply = (telling, { customerId }) => {
  const { order, world } = telling;
  const { customerId: old, customerGroup: oldGroup } = order;
  const group = world.customers.find(({ id }) => id === customerId)?.customerGroup;
  delete order.customerId;
  delete order.customerGroup;
  if (customerId !== undefined) {
    order.customerId = customerId;
    // A customer's order is no visitor's.
    delete order.anonymousId;
  }
  if (group !== undefined) order.customerGroup = group;
  if (old === customerId && isDeepStrictEqual(oldGroup, group)) return;
  tell(telling, 'OrderCustomerSet', {
    ...(customerId !== undefined && { customer: { typeId: 'customer', id: customerId } }),
    ...(group !== undefined && { customerGroup: group }),
    ...(old !== undefined && { oldCustomer: { typeId: 'customer', id: old } }),
    ...(oldGroup !== undefined && { oldCustomerGroup: oldGroup }),
  });
};

const setStore: Apply = (telling, { store }) => {
  const { order } = telling;
  if (order.store?.key === store?.key) refuse('InvalidOperation');
  if (store === undefined) delete order.store;
  else order.store = { typeId: 'store', ...(store.key !== undefined && { key: store.key }) };
  tell(telling, 'OrderStoreSet', store === undefined ? {} : { store: order.store });
};

const setLocale: Apply = ({ order, world }, { locale }) => {
  if (locale !== undefined && !world.languages.includes(locale)) refuse('InvalidField', { field: 'locale' });
  if (locale === undefined) delete order.locale;
  else order.locale = locale;
};

function addressIn({ itemShippingAddresses }: OrderDocument, addressKey: string | undefined): Address {
  return itemShippingAddresses.find(({ key }) => key === addressKey) ?? refuse('InvalidOperation');
}

const addItemShippingAddress: Apply = ({ order }, { address }) => {
  const { key } = address!;
  if (order.itemShippingAddresses.some((known) => known.key === key))
    refuse('DuplicateField', { field: 'itemShippingAddresses.key', duplicateValue: key });
  order.itemShippingAddresses.push(address!);
};

const updateItemShippingAddress: Apply = ({ order }, { address }) => {
  const known = addressIn(order, address!.key);
  order.itemShippingAddresses[order.itemShippingAddresses.indexOf(known)] = address!;
};

const removeItemShippingAddress: Apply = ({ order }, { addressKey }) => {
  const known = addressIn(order, addressKey);
  for (const { shippingDetails } of [...order.lineItems, ...order.customLineItems])
    if (shippingDetails?.targets.some((target) => target.addressKey === addressKey)) refuse('InvalidOperation');
  order.itemShippingAddresses.splice(order.itemShippingAddresses.indexOf(known), 1);
};

type Noun = 'lineItem' | 'customLineItem';

const itemIn = ({ order }: Telling, noun: Noun, input: Input): Item =>
  named(noun === 'lineItem' ? order.lineItems : order.customLineItems, noun, input);

const shippingDetails =
  (noun: Noun): Apply =>
  (telling, input) => {
    const item = itemIn(telling, noun, input);
    const { order } = telling;
    if (input.shippingDetails === undefined) return void delete item.shippingDetails;
    const { targets } = input.shippingDetails;
    const isSeveral = order.shippingMode === 'Multiple';
    for (const { addressKey, shippingMethodKey: method } of targets) {
      if (isSeveral && method === undefined) refuse('InvalidOperation');
      if (method !== undefined && !order.shipping.some(({ shippingKey }) => shippingKey === method))
        refuse('InvalidOperation');
      addressIn(order, addressKey);
    }
    if (targets.reduce((sum, { quantity }) => sum + quantity, 0) !== item.quantity)
      refuse('InvalidItemShippingDetails', {
        subject: noun === 'lineItem' ? 'LineItem' : 'CustomLineItem',
        itemId: item.id,
      });
    item.shippingDetails = { targets, valid: true };
  };

/** One entry for each state, and none without units. */
function entriesOf(entries: Item['state']): Item['state'] {
  const ids = [...new Set(entries.map(({ state }) => state.id))];
  return ids
    .map((id) => {
      const own = entries.filter(({ state }) => state.id === id);
      return { quantity: own.reduce((sum, { quantity }) => sum + quantity, 0), state: own[0]!.state };
    })
    .filter(({ quantity }) => quantity !== 0);
}

const transitionItem =
  (noun: Noun): Apply =>
  (telling, input) => {
    const { world, now } = telling;
    const item = itemIn(telling, noun, input);
    const quantity = input.quantity!;
    const [from, to] = [linked(world.states, input.fromState!)!, linked(world.states, input.toState!)!];
    const there = item.state.find(({ state }) => state.id === from.id)?.quantity ?? 0;
    if (there < quantity) refuse('InvalidOperation');
    requireTransition(from, to);
    const [fromState, toState] = [stateLink(world, input.fromState!), stateLink(world, input.toState!)];
    const old = item.state;
    item.state = entriesOf([...old, { quantity: -quantity, state: fromState }, { quantity, state: toState }]);
    if (isDeepStrictEqual(old, item.state)) return;
    tell(telling, noun === 'lineItem' ? 'LineItemStateTransition' : 'CustomLineItemStateTransition', {
      [`${noun}Id`]: item.id,
      ...(item.key !== undefined && { [`${noun}Key`]: item.key }),
      transitionDate: input.actualTransitionDate ?? now,
      quantity,
      fromState,
      toState,
    });
  };

const importStates =
  (noun: Noun): Apply =>
  (telling, input) => {
    const item = itemIn(telling, noun, input);
    const given = (input.state as Item['state']).map(({ quantity, state }) => ({
      quantity,
      state: stateLink(telling.world, state),
    }));
    const sum = given.reduce((all, { quantity }) => all + quantity, 0);
    if (sum !== item.quantity) refuse('InvalidOperation');
    // There are no fewer units than none.
    if (given.some(({ quantity }) => quantity * item.quantity < 0)) refuse('InvalidOperation');
    item.state = entriesOf(given);
  };

const addPayment: Apply = (telling, { payment }) => {
  const { order, world } = telling;
  const link = { typeId: 'payment', id: payment!.id };
  const payments = order.paymentInfo?.payments ?? [];
  if (payments.some(({ id }) => id === link.id)) refuse('InvalidOperation');
  const holder = holderOf(world, link.id!);
  if (holder !== undefined && holder !== order.id) refuse('InvalidOperation');
  order.paymentInfo = { payments: [...payments, link] };
  tell(telling, 'OrderPaymentAdded', { paymentRef: link });
};

const removePayment: Apply = (telling, { payment }) => {
  const { order } = telling;
  const payments = order.paymentInfo?.payments ?? [];
  const left = payments.filter(({ id }) => id !== payment!.id);
  if (left.length === payments.length) throw new Refused(400, [{ code: 'InvalidOperation' }]);
  if (left.length === 0) delete order.paymentInfo;
  else order.paymentInfo = { payments: left };
  const paymentRef = { typeId: 'payment', id: payment!.id };
  tell(telling, 'OrderPaymentRemoved', { paymentRef, removedPaymentInfo: left.length === 0 });
};

const updateSyncInfo: Apply = ({ order, world, now }, { channel, externalId, syncedAt = now }) => {
  const entry = {
    channel: { typeId: 'channel', id: linked(world.channels, channel!)!.id },
    ...(externalId !== undefined && { externalId }),
    syncedAt,
  };
  const index = order.syncInfo.findIndex((known) => known.channel.id === entry.channel.id);
  if (index < 0) order.syncInfo.push(entry);
  else order.syncInfo[index] = entry;
};

/** Both actions of the custom fields of what `holder` finds. */
function customActions(name: string, holder: (telling: Telling, input: Input) => { custom?: Address['custom'] }) {
  return {
    [`set${name}CustomType`]: ((telling, input) => void customType(telling, holder(telling, input), input)) as Apply,
    [`set${name}CustomField`]: ((telling, input) => void customField(holder(telling, input), input)) as Apply,
  };
}

const there = <T>(value: T | undefined): T => value ?? refuse('InvalidOperation');

/** The order's own, which alone of these are told of. */
const ownCustom: Readonly<Record<string, Apply>> = {
  setCustomType: (telling, input) => {
    for (const message of customType(telling, telling.order, input))
      tell(telling, `Order${message.type}`, message.payload);
  },
  setCustomField: (telling, input) => {
    for (const message of customField(telling.order, input)) tell(telling, `Order${message.type}`, message.payload);
  },
};

export const orderActions: Readonly<Record<string, Apply>> = {
  changeOrderState: sets('orderState', 'OrderStateChanged'),
  changePaymentState: sets('paymentState', 'OrderPaymentStateChanged'),
  changeShipmentState: sets('shipmentState', 'OrderShipmentStateChanged'),
  transitionState,
  setOrderNumber,
  setPurchaseOrderNumber: sets('purchaseOrderNumber', 'OrderPurchaseOrderNumberSet'),
  setCustomerId,
  setCustomerEmail: sets('customerEmail', 'OrderCustomerEmailSet', 'email'),
  setStore,
  setLocale,
  setBillingAddress: (telling, { address }) =>
    member(telling, 'billingAddress', { value: address, tells: ['OrderBillingAddressSet', 'address'] }),
  setShippingAddress: (telling, { address }) =>
    member(telling, 'shippingAddress', { value: address, tells: ['OrderShippingAddressSet', 'address'] }),
  ...customActions('BillingAddress', ({ order }) => there(order.billingAddress)),
  ...customActions('ShippingAddress', ({ order }) => there(order.shippingAddress)),
  addItemShippingAddress,
  updateItemShippingAddress,
  removeItemShippingAddress,
  ...customActions('ItemShippingAddress', ({ order }, { addressKey }) => addressIn(order, addressKey)),
  setLineItemShippingDetails: shippingDetails('lineItem'),
  setCustomLineItemShippingDetails: shippingDetails('customLineItem'),
  transitionLineItemState: transitionItem('lineItem'),
  transitionCustomLineItemState: transitionItem('customLineItem'),
  importLineItemState: importStates('lineItem'),
  importCustomLineItemState: importStates('customLineItem'),
  ...customActions('LineItem', (telling, input) => itemIn(telling, 'lineItem', input)),
  ...customActions('CustomLineItem', (telling, input) => itemIn(telling, 'customLineItem', input)),
  addPayment,
  removePayment,
  updateSyncInfo,
  ...ownCustom,
};
