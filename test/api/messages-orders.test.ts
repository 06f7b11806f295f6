/** What orders tell: each type of message with its whole payload, and which actions tell nothing. */
import type { CartDraft } from '@commercetools/platform-sdk';
import t, { type Test } from 'tap';
import type { Document } from '../../src/engine/document.ts';
import { american, eur, german } from '../support/cart-shop.ts';
import {
  customTypeFor,
  keepMessages,
  messagesOf,
  type Teller,
  tellerOf,
  tellsCustomFields,
  toldIn,
} from '../support/messages.ts';
import { plain, startOrderShop } from '../support/order-shop.ts';
import { shopperToken } from '../support/shoppers.ts';

const shop = await startOrderShop();
await keepMessages(shop);
const { api, cart, request, severally } = shop;
const parts = ['order', 'order-delivery', 'order-parcel', 'order-return-item', 'address'] as const;
const type = await customTypeFor(shop, ...parts);
/** Custom fields as they are given, and as they are stored. */
const given = { type: { typeId: 'type', key: `for-${parts.join('-')}` }, fields: { fee: eur(5) } };
const stored = {
  type: { typeId: 'type', id: type },
  fields: { fee: { type: 'centPrecision', currencyCode: 'EUR', centAmount: 5, fractionDigits: 2 } },
};

type Item = Readonly<Record<string, unknown>> & { readonly id: string; readonly key: string };
type Delivery = Item & { readonly parcels: readonly Item[] };

async function made(path: string, draft: object): Promise<string> {
  const { status, text, body } = await request('POST', path, draft);
  if (status !== 201) throw new Error(text);
  // A customer stands in what signs it up.
  return ((body['customer'] ?? body) as Document).id;
}

const link = <T extends string>(typeId: T, id: string): { typeId: T; id: string } => ({ typeId, id });

/** An order of a cart, whose messages are looked at. */
async function orderOf(t: Test, draft: Partial<CartDraft> = plain, own: object = {}): Promise<Teller> {
  const { id, version } = await cart(draft);
  return tellerOf(t, shop, {
    path: '/orders',
    typeId: 'order',
    draft: { cart: link('cart', id), version, ...own },
  });
}

const itemsOf = ({ body }: Teller, member: 'lineItems' | 'customLineItems'): Item => (body[member] as [Item])[0];

function deliveriesOf({ body }: Teller, index?: number): readonly Delivery[] {
  const holder = index === undefined ? body : (body['shipping'] as readonly Document[])[index]!;
  return (holder['shippingInfo'] as { deliveries: Delivery[] }).deliveries;
}

t.test('an order tells of its creation, of what it was when it goes, and by what it is known', async (t) => {
  const order = await orderOf(t, plain, { orderNumber: 'M-1' });
  t.equal(order.body['lastMessageSequenceNumber'], 1);
  t.strictSame(order.created, [{ type: 'OrderCreated', order: order.body }]);
  t.match(await messagesOf(shop, order.id), [{ resourceUserProvidedIdentifiers: { orderNumber: 'M-1' } }]);
  t.strictSame(await order.tells({ action: 'changeOrderState', orderState: 'Complete' }), [
    { type: 'OrderStateChanged', orderState: 'Complete', oldOrderState: 'Open' },
  ]);
  t.equal(order.body['lastMessageSequenceNumber'], 2);
  const last = order.body;
  t.strictSame(await order.deleted(), [{ type: 'OrderDeleted', order: last }]);
  t.strictSame(
    (await messagesOf(shop, order.id)).map(({ sequenceNumber }) => sequenceNumber),
    [1, 2, 3],
    'messages outlive it',
  );
  const erased = await orderOf(t);
  t.strictSame(await erased.deleted('&dataErasure=true'), []);
  t.strictSame(await messagesOf(shop, erased.id), []);
});

t.test('an order that was made elsewhere tells that it was imported, and nothing else', async (t) => {
  const order = await tellerOf(t, shop, {
    path: '/orders/import',
    typeId: 'order',
    draft: {
      totalPrice: eur(1),
      customLineItems: [{ name: { en: 'Wrap' }, slug: 'wrap', money: eur(100), quantity: 3 }],
    },
  });
  t.equal(order.body['lastMessageSequenceNumber'], 1);
  t.strictSame(order.created, [{ type: 'OrderImported', order: order.body }]);
});

t.test('orders of shoppers tell of their creation as well', async (t) => {
  const token = await shopperToken(shop, { shopper: 'customer' });
  const own = await cart(plain, shop.apiWith(token));
  const { body: customer } = await request('GET', '/customers?where=email%3D%22shopper%40example.org%22');
  const customerId = (customer['results'] as readonly [Document])[0].id;
  const { version } = await shop.update(own, { action: 'setCustomerId', customerId });
  const headers = { authorization: `Bearer ${token}` };
  const { status, text, body } = await request('POST', '/me/orders', { id: own.id, version }, headers);
  t.equal(status, 201, text);
  const order = body as Document;
  const { body: whole } = await request('GET', `/orders/${order.id}`);
  t.strictSame((await messagesOf(shop, order.id)).map(toldIn), [{ type: 'OrderCreated', order: whole }]);
});

t.test('orders tell of their states', async (t) => {
  const order = await orderOf(t);
  t.strictSame(
    await order.tells(
      { action: 'changePaymentState', paymentState: 'Pending' },
      { action: 'changeShipmentState', shipmentState: 'Ready' },
      { action: 'changeOrderState', orderState: 'Open' },
      { action: 'changePaymentState', paymentState: 'Paid' },
      { action: 'changeShipmentState', shipmentState: 'Shipped' },
      { action: 'changePaymentState', paymentState: 'Paid' },
    ),
    [
      { type: 'OrderPaymentStateChanged', paymentState: 'Pending' },
      { type: 'OrderShipmentStateChanged', shipmentState: 'Ready' },
      { type: 'OrderPaymentStateChanged', paymentState: 'Paid', oldPaymentState: 'Pending' },
      { type: 'OrderShipmentStateChanged', shipmentState: 'Shipped', oldShipmentState: 'Ready' },
    ],
  );
  const first = link('state', await made('/states', { key: 'first', type: 'OrderState', initial: true }));
  const second = link('state', await made('/states', { key: 'second', type: 'OrderState', initial: false }));
  t.strictSame(
    await order.tells(
      { action: 'transitionState', state: { typeId: 'state', key: 'first' } },
      { action: 'transitionState', state: second, force: true },
      { action: 'transitionState', state: second, force: true },
    ),
    [
      { type: 'OrderStateTransition', state: first, force: false },
      { type: 'OrderStateTransition', state: second, oldState: first, force: true },
    ],
  );
});

t.test('orders tell of their buyers, addresses and stores', async (t) => {
  const order = await orderOf(t, { ...plain, customerEmail: 'first@example.org' });
  const { body: members } = await api.customerGroups().withKey({ key: 'members' }).get().execute();
  const customerGroup = link('customer-group', members.id);
  const sign = (email: string, draft: object = {}): Promise<string> =>
    made('/customers', { email, password: 'secret word 1', ...draft });
  const jane = await sign('jane@example.org', { customerGroup });
  const joe = await sign('joe@example.org');
  await made('/stores', { key: 'north' });
  const store = { typeId: 'store', key: 'north' };
  t.strictSame(
    await order.tells(
      { action: 'setCustomerEmail', email: 'second@example.org' },
      { action: 'setCustomerId', customerId: jane },
      { action: 'setCustomerId', customerId: joe },
      { action: 'setCustomerId', customerId: joe },
      { action: 'setStore', store },
      { action: 'setPurchaseOrderNumber', purchaseOrderNumber: 'P-1' },
      { action: 'setPurchaseOrderNumber', purchaseOrderNumber: 'P-2' },
    ),
    [
      { type: 'OrderCustomerEmailSet', email: 'second@example.org', oldEmail: 'first@example.org' },
      { type: 'OrderCustomerSet', customer: link('customer', jane), customerGroup },
      {
        type: 'OrderCustomerSet',
        customer: link('customer', joe),
        oldCustomer: link('customer', jane),
        oldCustomerGroup: customerGroup,
      },
      { type: 'OrderStoreSet', store },
      { type: 'OrderPurchaseOrderNumberSet', purchaseOrderNumber: 'P-1' },
      { type: 'OrderPurchaseOrderNumberSet', purchaseOrderNumber: 'P-2', oldPurchaseOrderNumber: 'P-1' },
    ],
  );
  t.strictSame(
    await order.tells(
      { action: 'setCustomerEmail' },
      { action: 'setCustomerId' },
      { action: 'setStore' },
      { action: 'setPurchaseOrderNumber' },
    ),
    [
      { type: 'OrderCustomerEmailSet', oldEmail: 'second@example.org' },
      { type: 'OrderCustomerSet', oldCustomer: link('customer', joe) },
      { type: 'OrderStoreSet' },
      { type: 'OrderPurchaseOrderNumberSet', oldPurchaseOrderNumber: 'P-2' },
    ],
  );
  t.strictSame(
    await order.tells(
      { action: 'setBillingAddress', address: { ...german, custom: given } },
      { action: 'setShippingAddress', address: { ...american, custom: given } },
      { action: 'setShippingAddress', address: { ...american, custom: given } },
    ),
    [
      { type: 'OrderBillingAddressSet', address: { ...german, custom: stored } },
      { type: 'OrderShippingAddressSet', address: { ...american, custom: stored }, oldAddress: german },
    ],
  );
  t.strictSame(await order.tells({ action: 'setBillingAddress' }, { action: 'setShippingAddress', address: german }), [
    { type: 'OrderBillingAddressSet', oldAddress: { ...german, custom: stored } },
    { type: 'OrderShippingAddressSet', address: german, oldAddress: { ...american, custom: stored } },
  ]);
});

t.test('orders tell of their payments', async (t) => {
  const order = await orderOf(t);
  const pay = async (): Promise<object> => link('payment', await made('/payments', { amountPlanned: eur(100) }));
  const [first, second] = [await pay(), await pay()];
  t.strictSame(
    await order.tells(
      { action: 'addPayment', payment: first },
      { action: 'addPayment', payment: second },
      { action: 'removePayment', payment: first },
    ),
    [
      { type: 'OrderPaymentAdded', paymentRef: first },
      { type: 'OrderPaymentAdded', paymentRef: second },
      { type: 'OrderPaymentRemoved', paymentRef: first, removedPaymentInfo: false },
    ],
  );
  t.strictSame(await order.tells({ action: 'removePayment', payment: second }), [
    { type: 'OrderPaymentRemoved', paymentRef: second, removedPaymentInfo: true },
  ]);
  await order.tells({ action: 'addPayment', payment: first });
  const expanded = await request('GET', `/messages?where=type%3D%22OrderPaymentAdded%22&expand=paymentRef&limit=1`);
  t.match(expanded.body, { results: [{ paymentRef: { obj: { amountPlanned: eur(100) } } }] });
});

t.test('orders tell of units of items that go from one state to another', async (t) => {
  const order = await orderOf(t);
  const { id: initial } = (await api.states().withKey({ key: 'Initial' }).get().execute()).body;
  const packed = await made('/states', { key: 'packed', type: 'LineItemState', initial: true });
  const [fromState, toState] = [link('state', initial), link('state', packed)];
  const line = itemsOf(order, 'lineItems');
  const item = itemsOf(order, 'customLineItems');
  const transitionDate = '2030-01-01T00:00:00.000Z';
  const told = await order.tells(
    {
      action: 'transitionLineItemState',
      lineItemKey: 'line',
      quantity: 2,
      fromState: { typeId: 'state', key: 'Initial' },
      toState: { typeId: 'state', key: 'packed' },
      actualTransitionDate: transitionDate,
    },
    { action: 'transitionCustomLineItemState', customLineItemId: item.id, quantity: 1, fromState, toState },
    { action: 'transitionLineItemState', lineItemId: line.id, quantity: 1, fromState: toState, toState },
    { action: 'importLineItemState', lineItemKey: 'line', state: [{ quantity: 3, state: toState }] },
    { action: 'importCustomLineItemState', customLineItemKey: 'item', state: [{ quantity: 2, state: toState }] },
  );
  t.strictSame(told, [
    {
      type: 'LineItemStateTransition',
      lineItemId: line.id,
      lineItemKey: 'line',
      transitionDate,
      quantity: 2,
      fromState,
      toState,
    },
    {
      type: 'CustomLineItemStateTransition',
      customLineItemId: item.id,
      customLineItemKey: 'item',
      transitionDate: order.body.lastModifiedAt,
      quantity: 1,
      fromState,
      toState,
    },
  ]);
});

t.test('orders tell of returns', async (t) => {
  const order = await orderOf(t);
  const line = itemsOf(order, 'lineItems').id;
  const back = (key: string): object => ({ key, lineItemId: line, quantity: 1, shipmentState: 'Returned' });
  const returns = (): readonly { readonly items: readonly Item[] }[] => order.body['returnInfo'] as never;
  const added = await order.tells({ action: 'addReturnInfo', items: [back('one'), { ...back('two'), custom: given }] });
  t.strictSame(added, [{ type: 'ReturnInfoAdded', returnInfo: returns()[0] }]);
  t.match(added, [{ returnInfo: { items: [{ key: 'one' }, { key: 'two', custom: stored }] } }]);
  const [{ items }] = returns() as [{ readonly items: readonly [Item, Item] }];
  t.strictSame(
    await order.tells(
      { action: 'setReturnShipmentState', returnItemKey: 'two', shipmentState: 'Unusable' },
      { action: 'setReturnPaymentState', returnItemKey: 'one', paymentState: 'Refunded' },
      { action: 'setReturnShipmentState', returnItemId: items[0].id, shipmentState: 'BackInStock' },
    ),
    [
      { type: 'OrderReturnShipmentStateChanged', returnItemId: items[1].id, returnShipmentState: 'Unusable' },
      { type: 'OrderReturnShipmentStateChanged', returnItemId: items[0].id, returnShipmentState: 'BackInStock' },
    ],
  );
  const set = await order.tells({ action: 'setReturnInfo', items: [{ items: [{ ...back('three'), custom: given }] }] });
  t.strictSame(set, [{ type: 'ReturnInfoSet', returnInfo: returns() }]);
  t.match(set, [{ returnInfo: [{ items: [{ custom: stored }] }] }]);
  t.strictSame(await order.tells({ action: 'setReturnInfo' }), [{ type: 'ReturnInfoSet' }]);
  t.strictSame(await order.tells({ action: 'setReturnInfo' }), []);
});

const measurements = { heightInMillimeter: 1, lengthInMillimeter: 2, widthInMillimeter: 3, weightInGram: 4 };
const trackingData = { trackingId: 'T-1', carrier: 'Post', isReturn: false };
const until = '2030-01-01T00:00:00.000Z';

/** All that is told of the deliveries of one method, which is the first to be used in the order. */
async function tellsOfDeliveries(
  t: Test,
  order: Teller,
  method?: { shippingKey: string; index: number },
): Promise<void> {
  const ofMethod = method === undefined ? {} : { shippingKey: method.shippingKey };
  const current = (): Delivery => deliveriesOf(order, method?.index)[0]!;
  const line = itemsOf(order, 'lineItems').id;
  const items = (quantity: number): object[] => [{ id: line, quantity }];
  t.strictSame(await order.tells({ action: 'setEstimatedDelivery', ...ofMethod, estimatedDelivery: { until } }), [
    { type: 'OrderEstimatedDeliverySet', estimatedDelivery: { until }, ...ofMethod },
  ]);
  t.strictSame(await order.tells({ action: 'setEstimatedDelivery', ...ofMethod }), [
    { type: 'OrderEstimatedDeliverySet', ...ofMethod },
  ]);
  const added = await order.tells({
    action: 'addDelivery',
    ...ofMethod,
    deliveryKey: 'first',
    items: items(2),
    address: { ...german, custom: given },
    parcels: [{ key: 'box', items: items(1), custom: given }, { key: 'bag' }],
    custom: given,
  });
  const first = current();
  const [box, bag] = first.parcels as [Item, Item];
  t.strictSame(added, [
    { type: 'DeliveryAdded', delivery: first, ...ofMethod },
    { type: 'ParcelAddedToDelivery', delivery: first, parcel: box, ...ofMethod },
    { type: 'ParcelAddedToDelivery', delivery: first, parcel: bag, ...ofMethod },
  ]);
  t.match(first, { custom: stored, address: { custom: stored }, parcels: [{ custom: stored }, {}] });
  const names = { deliveryId: first.id, ...ofMethod };
  t.strictSame(
    await order.tells(
      { action: 'setDeliveryItems', deliveryKey: 'first', items: items(3) },
      { action: 'setDeliveryItems', deliveryKey: 'first', items: items(3) },
      { action: 'setDeliveryAddress', deliveryId: first.id, address: { ...american, custom: given } },
      { action: 'setParcelItems', parcelKey: 'box', items: [] },
      { action: 'setParcelMeasurements', parcelId: bag.id, measurements },
      { action: 'setParcelTrackingData', parcelKey: 'bag', trackingData },
    ),
    [
      { type: 'DeliveryItemsUpdated', ...names, items: items(3), oldItems: items(2) },
      {
        type: 'DeliveryAddressSet',
        ...names,
        address: { ...american, custom: stored },
        oldAddress: { ...german, custom: stored },
      },
      { type: 'ParcelItemsUpdated', ...names, parcelId: box.id, items: [], oldItems: items(1) },
      { type: 'ParcelMeasurementsUpdated', ...names, parcelId: bag.id, measurements },
      { type: 'ParcelTrackingDataUpdated', ...names, parcelId: bag.id, trackingData },
    ],
  );
  t.strictSame(
    await order.tells(
      { action: 'setDeliveryAddress', deliveryKey: 'first' },
      { action: 'setParcelMeasurements', parcelKey: 'bag' },
      { action: 'setParcelTrackingData', parcelKey: 'bag' },
    ),
    [
      { type: 'DeliveryAddressSet', ...names, oldAddress: { ...american, custom: stored } },
      { type: 'ParcelMeasurementsUpdated', ...names, parcelId: bag.id },
      { type: 'ParcelTrackingDataUpdated', ...names, parcelId: bag.id },
    ],
  );
  const parcelsAdded = await order.tells(
    { action: 'addParcelToDelivery', deliveryKey: 'first', parcelKey: 'case', measurements, custom: given },
    { action: 'addParcelToDelivery', deliveryId: first.id, trackingData },
  );
  const last = current();
  const [, , third, fourth] = last.parcels;
  t.strictSame(parcelsAdded, [
    {
      type: 'ParcelAddedToDelivery',
      delivery: last,
      parcel: third,
      ...ofMethod,
    },
    { type: 'ParcelAddedToDelivery', delivery: last, parcel: fourth, ...ofMethod },
  ]);
  t.match(third, { key: 'case', measurements, custom: stored });
  const left = { ...last, parcels: last.parcels.filter(({ id }) => id !== third!.id) };
  t.strictSame(
    await order.tells(
      { action: 'removeParcelFromDelivery', parcelKey: 'case' },
      { action: 'removeDelivery', deliveryKey: 'first' },
    ),
    [
      { type: 'ParcelRemovedFromDelivery', deliveryId: first.id, parcel: third, ...ofMethod },
      { type: 'DeliveryRemoved', delivery: left, ...ofMethod },
    ],
  );
}

t.test('orders tell of deliveries and parcels', async (t) => {
  await tellsOfDeliveries(t, await orderOf(t));
});

t.test('of several shipping methods they tell the key', async (t) => {
  await tellsOfDeliveries(t, await orderOf(t, severally), { shippingKey: 'courier', index: 1 });
});

t.test('of many deliveries and parcels each tells of itself', async (t) => {
  const order = await orderOf(t);
  const added = await order.tells(
    { action: 'addDelivery', deliveryKey: 'one', parcels: [{ key: 'a1' }] },
    { action: 'addDelivery', deliveryKey: 'two' },
    { action: 'addParcelToDelivery', deliveryKey: 'one', parcelKey: 'a2' },
    { action: 'addParcelToDelivery', deliveryKey: 'two', parcelKey: 'b1' },
  );
  const [one, two] = deliveriesOf(order) as [Delivery, Delivery];
  t.strictSame(added, [
    { type: 'DeliveryAdded', delivery: { ...one, parcels: one.parcels.slice(0, 1) } },
    { type: 'ParcelAddedToDelivery', delivery: one, parcel: one.parcels[0] },
    { type: 'DeliveryAdded', delivery: { ...two, parcels: [] } },
    { type: 'ParcelAddedToDelivery', delivery: one, parcel: one.parcels[1] },
    { type: 'ParcelAddedToDelivery', delivery: two, parcel: two.parcels[0] },
  ]);
  t.strictSame(await order.tells({ action: 'setParcelMeasurements', parcelKey: 'b1', measurements }), [
    { type: 'ParcelMeasurementsUpdated', deliveryId: two.id, parcelId: two.parcels[0]!.id, measurements },
  ]);
});

t.test('who adds more parcels than can be told of is refused', async (t) => {
  const order = await orderOf(t);
  // Many messages; and fewer, each of them with all parcels.
  for (const count of [2500, 1500]) {
    const parcels = Array.from({ length: count }, () => ({}));
    const { status, body } = await request('POST', `/orders/${order.id}`, {
      version: order.body.version,
      actions: [{ action: 'addDelivery', parcels }],
    });
    t.equal(status, 400, `${count}`);
    t.match(body, { errors: [{ code: 'InvalidInput', message: /more than 2500 messages, or too long ones/ }] });
  }
  t.strictSame(await order.since(), []);
  t.equal((await order.tells({ action: 'addDelivery', parcels: Array.from({ length: 200 }, () => ({})) })).length, 201);
});

t.test('orders tell of their custom fields, and of those of deliveries', async (t) => {
  const order = await orderOf(t);
  await tellsCustomFields(t, order, {
    prefix: 'Order',
    type,
    names: { typeId: 'previousTypeId', value: 'previousValue' },
  });
  await order.tells({ action: 'addDelivery', deliveryKey: 'first' }, { action: 'addDelivery', deliveryKey: 'second' });
  for (const [index, delivery] of deliveriesOf(order).entries())
    await tellsCustomFields(t, order, {
      prefix: 'Delivery',
      type,
      names: {
        typeId: 'previousTypeId',
        value: 'previousValue',
        input: index === 0 ? { deliveryKey: delivery.key } : { deliveryId: delivery.id },
        part: { deliveryId: delivery.id },
        actions: ['setDeliveryCustomType', 'setDeliveryCustomField'],
      },
    });
});

t.test('what else is done with an order tells nothing', async (t) => {
  const toHome = [{ addressKey: 'home', quantity: 2, shippingMethodKey: 'by-post' }];
  const order = await orderOf(t, {
    ...severally,
    customLineItems: plain.customLineItems!.map((item) => ({ ...item, shippingDetails: { targets: toHome } })),
    billingAddress: german,
    itemShippingAddresses: [...severally.itemShippingAddresses!, { ...german, key: 'free' }],
  });
  const channel = link('channel', await made('/channels', { key: 'export', roles: ['OrderExport'] }));
  await order.tells(
    { action: 'addDelivery', shippingKey: 'courier', deliveryKey: 'first', address: german, parcels: [{ key: 'box' }] },
    {
      action: 'addReturnInfo',
      items: [{ key: 'back', lineItemId: itemsOf(order, 'lineItems').id, quantity: 1, shipmentState: 'Returned' }],
    },
  );
  const { type: own } = given;
  const note = { type: { typeId: 'type', key: 'note' }, fields: { note: 'a' } };
  const field = { name: 'note', value: 'b' };
  const fee = { name: 'fee', value: eur(7) };
  const targets = [
    { addressKey: 'home', quantity: 1, shippingMethodKey: 'by-post' },
    { addressKey: 'away', quantity: 2, shippingMethodKey: 'courier' },
  ];
  const { version } = order.body;
  const silent: readonly object[] = [
    { action: 'setOrderNumber', orderNumber: 'S-1' },
    { action: 'setLocale', locale: 'en' },
    { action: 'setBillingAddressCustomType', type: own },
    { action: 'setBillingAddressCustomField', ...fee },
    { action: 'setShippingAddressCustomType', type: own },
    { action: 'setShippingAddressCustomField', ...fee },
    { action: 'addItemShippingAddress', address: { ...german, key: 'more' } },
    { action: 'updateItemShippingAddress', address: { ...american, key: 'more' } },
    { action: 'setItemShippingAddressCustomType', addressKey: 'more', type: own },
    { action: 'setItemShippingAddressCustomField', addressKey: 'more', ...fee },
    { action: 'removeItemShippingAddress', addressKey: 'free' },
    { action: 'setLineItemShippingDetails', lineItemKey: 'line', shippingDetails: { targets } },
    {
      action: 'setCustomLineItemShippingDetails',
      customLineItemKey: 'item',
      shippingDetails: { targets: [{ addressKey: 'away', quantity: 2, shippingMethodKey: 'courier' }] },
    },
    { action: 'setLineItemCustomType', lineItemKey: 'line', ...note },
    { action: 'setLineItemCustomField', lineItemKey: 'line', ...field },
    { action: 'setCustomLineItemCustomType', customLineItemKey: 'item', ...note },
    { action: 'setCustomLineItemCustomField', customLineItemKey: 'item', ...field },
    { action: 'setShippingCustomType', shippingKey: 'courier', ...note },
    { action: 'setShippingCustomField', shippingKey: 'courier', ...field },
    { action: 'setDeliveryAddressCustomType', deliveryKey: 'first', type: own },
    { action: 'setDeliveryAddressCustomField', deliveryKey: 'first', ...fee },
    { action: 'setParcelCustomType', parcelKey: 'box', type: own },
    { action: 'setParcelCustomField', parcelKey: 'box', ...fee },
    { action: 'setReturnItemCustomType', returnItemKey: 'back', type: own },
    { action: 'setReturnItemCustomField', returnItemKey: 'back', ...fee },
    { action: 'setReturnPaymentState', returnItemKey: 'back', paymentState: 'Refunded' },
    { action: 'updateSyncInfo', channel, externalId: 'X' },
  ];
  for (const action of silent) t.strictSame(await order.tells(action), [], JSON.stringify(action));
  t.equal(order.body.version, version + silent.length, 'each of them has changed it');
  t.equal(order.body['lastMessageSequenceNumber'], 4);
});

t.test('what is refused tells nothing', async (t) => {
  const order = await orderOf(t);
  const { status } = await request('POST', `/orders/${order.id}`, {
    version: order.body.version,
    actions: [
      { action: 'changeOrderState', orderState: 'Complete' },
      { action: 'addDelivery', deliveryKey: 'first', parcels: [{}] },
      { action: 'removeDelivery', deliveryKey: 'second' },
    ],
  });
  t.equal(status, 400);
  t.strictSame(await order.since(), []);
  const countOf = async (): Promise<unknown> =>
    (await request('GET', '/messages?where=type%3D%22OrderCreated%22&limit=1')).body['total'];
  const before = await countOf();
  const { id, version } = await cart(plain);
  const refused = await request('POST', '/orders', { cart: link('cart', id), version: version + 1 });
  t.equal(refused.status, 409);
  t.equal(await countOf(), before);
  t.strictSame(await order.tells({ action: 'changeOrderState', orderState: 'Confirmed' }), [
    { type: 'OrderStateChanged', orderState: 'Confirmed', oldOrderState: 'Open' },
  ]);
});

t.test('GraphQL gives the payloads of orders', async (t) => {
  const order = await orderOf(t);
  const payment = link('payment', await made('/payments', { key: 'of-graphql', amountPlanned: eur(100) }));
  const { id: initial } = (await api.states().withKey({ key: 'Initial' }).get().execute()).body;
  const done = link('state', await made('/states', { key: 'done', type: 'LineItemState', initial: true }));
  const line = itemsOf(order, 'lineItems').id;
  await order.tells(
    { action: 'addPayment', payment },
    {
      action: 'transitionLineItemState',
      lineItemKey: 'line',
      quantity: 1,
      fromState: link('state', initial),
      toState: done,
    },
    { action: 'addDelivery', deliveryKey: 'first', address: german, parcels: [{ key: 'box' }] },
    { action: 'setReturnInfo', items: [{ items: [{ lineItemId: line, quantity: 1, shipmentState: 'Returned' }] }] },
    { action: 'setPurchaseOrderNumber', purchaseOrderNumber: 'P' },
  );
  await order.deleted();
  const { body } = await request('POST', '/graphql', {
    query: `{
      messages(where: "resource(id = \\"${order.id}\\")", sort: "sequenceNumber asc") { results { payload {
        type
        ... on OrderCreated { order { id version lineItems { id } cart { id } } }
        ... on OrderPaymentAdded { paymentRef { typeId id } }
        ... on LineItemStateTransition {
          lineItemId lineItemKey quantity fromStateRef { id } toState { id key } toStateRef { typeId id }
        }
        ... on DeliveryAdded { shippingKey delivery { key address { country } parcels { key } } }
        ... on ParcelAddedToDelivery { shippingKey delivery { key } parcel { key } }
        ... on ReturnInfoSet { returnInfo { items { type quantity shipmentState } } }
        ... on PurchaseOrderNumberSet { purchaseOrderNumber oldPurchaseOrderNumber }
        ... on OrderDeleted { gone: order { id version } }
      } } }
    }`,
  });
  t.strictSame(body, {
    data: {
      messages: {
        results: [
          {
            type: 'OrderCreated',
            order: {
              id: order.id,
              version: 1,
              lineItems: [{ id: line }],
              cart: { id: (order.body['cart'] as Document).id },
            },
          },
          { type: 'OrderPaymentAdded', paymentRef: payment },
          {
            type: 'LineItemStateTransition',
            lineItemId: line,
            lineItemKey: 'line',
            quantity: 1,
            fromStateRef: { id: initial },
            toState: { id: done.id, key: 'done' },
            toStateRef: done,
          },
          {
            type: 'DeliveryAdded',
            shippingKey: null,
            delivery: { key: 'first', address: { country: 'DE' }, parcels: [{ key: 'box' }] },
          },
          { type: 'ParcelAddedToDelivery', shippingKey: null, delivery: { key: 'first' }, parcel: { key: 'box' } },
          {
            type: 'ReturnInfoSet',
            returnInfo: [{ items: [{ type: 'LineItemReturnItem', quantity: 1, shipmentState: 'Returned' }] }],
          },
          { type: 'OrderPurchaseOrderNumberSet', purchaseOrderNumber: 'P', oldPurchaseOrderNumber: null },
          { type: 'OrderDeleted', gone: { id: order.id, version: 2 } },
        ].map((payload) => ({ payload })),
      },
    },
  });
});
