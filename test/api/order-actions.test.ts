/** What becomes of an order: its states, its items, its buyer and what is paid of it. */
import type { Order, OrderUpdateAction, StateDraft } from '@commercetools/platform-sdk';
import t from 'tap';
import { startOrderShop } from '../support/order-shop.ts';

const shop = await startOrderShop();
const { api, change, order, refusedChange, request } = shop;

const refusedAs = (code: string): object => ({ status: 400, error: { code } });
const invalid = refusedAs('InvalidOperation');

async function addState(draft: StateDraft): Promise<string> {
  return (await api.states().post({ body: draft }).execute()).body.id;
}
const stateLink = (id: string) => ({ typeId: 'state' as const, id });

t.test('its states go from any to any', async (t) => {
  let own = await order();
  t.match(own, { orderState: 'Open', version: 1 });
  t.notOk('paymentState' in own);
  own = await change(
    own,
    { action: 'changeOrderState', orderState: 'Complete' },
    { action: 'changePaymentState', paymentState: 'Paid' },
    { action: 'changeShipmentState', shipmentState: 'Shipped' },
  );
  t.match(own, { orderState: 'Complete', paymentState: 'Paid', shipmentState: 'Shipped', version: 2 });
  own = await change(
    own,
    { action: 'changeOrderState', orderState: 'Open' },
    { action: 'changePaymentState', paymentState: 'Pending' },
    { action: 'changeShipmentState', shipmentState: 'Ready' },
  );
  t.match(own, { orderState: 'Open', paymentState: 'Pending', shipmentState: 'Ready', version: 3 });
  t.match(await refusedChange(own, { action: 'changeOrderState', orderState: 'Lost' }), refusedAs('InvalidField'));
});

t.test('what changes nothing leaves the version, and what fails leaves all as it was', async (t) => {
  const own = await order();
  const same = await change(own, { action: 'changeOrderState', orderState: own.orderState });
  t.strictSame(same, own);
  const refusal = await refusedChange(
    own,
    { action: 'setPurchaseOrderNumber', purchaseOrderNumber: 'PO' },
    { action: 'setOrderNumber', orderNumber: 'N' },
    { action: 'removeDelivery', deliveryId: 'none' },
  );
  t.match(refusal, invalid);
});

t.test('a state of its own follows the one before by its transitions', async (t) => {
  const last = await addState({ key: 'last', type: 'OrderState', initial: false, transitions: [] });
  const first = await addState({ key: 'first', type: 'OrderState', initial: true, transitions: [stateLink(last)] });
  const free = await addState({ key: 'free', type: 'OrderState', initial: false });
  const ofPayments = await addState({ key: 'of-payments', type: 'PaymentState', initial: true });
  const to = (id: string, force?: boolean): OrderUpdateAction => ({
    action: 'transitionState',
    state: stateLink(id),
    ...(force !== undefined && { force }),
  });
  let own = await order();
  t.match(await refusedChange(own, to(free)), invalid, 'no state is followed by an initial one');
  t.match(await refusedChange(own, to(ofPayments, true)), invalid, 'force does not change the type');
  own = await change(own, to(first));
  t.match(own, { state: { typeId: 'state', id: first }, version: 2 });
  t.match(await refusedChange(own, to(free)), invalid, 'there is no such transition');
  own = await change(own, to(last));
  t.match(await refusedChange(own, to(first)), invalid, 'the last one is final');
  own = await change(own, to(free, true));
  t.equal(own.state?.id, free);
  own = await change(own, to(first));
  t.equal(own.state?.id, first, 'a state without transitions leads anywhere');
});

t.test('units of items move between states', async (t) => {
  const packed = await addState({ key: 'packed', type: 'LineItemState', initial: true });
  const lost = await addState({ key: 'lost', type: 'LineItemState', initial: false, transitions: [] });
  const ofOrders = await addState({ key: 'of-orders', type: 'OrderState', initial: true });
  const { id: initial } = (await api.states().withKey({ key: 'Initial' }).get().execute()).body;
  let own = await order();
  const line = (): Order['lineItems'][number]['state'] => own.lineItems[0]!.state;
  t.strictSame(line(), [{ quantity: 3, state: stateLink(initial) }]);
  const move = (quantity: number, from: string, to: string): OrderUpdateAction => ({
    action: 'transitionLineItemState',
    lineItemKey: 'line',
    quantity,
    fromState: stateLink(from),
    toState: stateLink(to),
    actualTransitionDate: '2030-01-01T00:00:00.000Z',
  });
  t.match(await refusedChange(own, move(4, initial, packed)), invalid, 'there are not so many');
  t.match(await refusedChange(own, move(1, packed, lost)), invalid, 'there are none');
  t.match(await refusedChange(own, move(0, initial, packed)), refusedAs('InvalidField'));
  t.match(await refusedChange(own, move(1, initial, ofOrders)), invalid, 'a state of another type');
  own = await change(own, move(1, initial, packed), move(1, initial, packed));
  t.strictSame(line(), [
    { quantity: 1, state: stateLink(initial) },
    { quantity: 2, state: stateLink(packed) },
  ]);
  own = await change(own, move(1, initial, packed), move(1, packed, lost));
  t.strictSame(
    line(),
    [
      { quantity: 2, state: stateLink(packed) },
      { quantity: 1, state: stateLink(lost) },
    ],
    'a state without units vanishes',
  );
  t.match(await refusedChange(own, move(1, lost, packed)), invalid, 'nothing leads out of it');
  t.equal((await change(own, move(1, packed, packed))).version, own.version);
  own = await change(own, {
    action: 'transitionCustomLineItemState',
    customLineItemKey: 'item',
    quantity: 2,
    fromState: { typeId: 'state', key: 'Initial' },
    toState: { typeId: 'state', key: 'packed' },
  });
  t.strictSame(own.customLineItems[0]!.state, [{ quantity: 2, state: stateLink(packed) }]);
});

t.test('a state stays while units are in it', async (t) => {
  const briefly = await addState({ key: 'briefly', type: 'LineItemState', initial: true });
  const { id: initial } = (await api.states().withKey({ key: 'Initial' }).get().execute()).body;
  const own = await order();
  const move = (from: string, to: string): OrderUpdateAction => ({
    action: 'transitionLineItemState',
    lineItemKey: 'line',
    quantity: 1,
    fromState: stateLink(from),
    toState: stateLink(to),
  });
  const remove = (): Promise<{ readonly status: number; readonly body: unknown }> =>
    request('DELETE', '/states/key=briefly?version=1');
  const there = await change(own, move(initial, briefly));
  t.match(await remove(), { status: 400, body: { errors: [{ code: 'ReferenceExists', referencedBy: 'order' }] } });
  await change(there, move(briefly, initial));
  t.equal((await remove()).status, 200);
});

t.test('states of items are imported as they are elsewhere', async (t) => {
  const kept = await addState({ key: 'kept', type: 'LineItemState', initial: false });
  const { id: initial } = (await api.states().withKey({ key: 'Initial' }).get().execute()).body;
  let own = await order();
  const [line, item] = [own.lineItems[0]!, own.customLineItems[0]!];
  const entry = (quantity: number, id = kept): Order['lineItems'][number]['state'][number] => ({
    quantity,
    state: stateLink(id),
  });
  own = await change(
    own,
    { action: 'importLineItemState', lineItemId: line.id, state: [entry(1), entry(1, initial), entry(1), entry(0)] },
    { action: 'importCustomLineItemState', customLineItemId: item.id, state: [entry(2)] },
  );
  t.strictSame(own.lineItems[0]!.state, [entry(2), entry(1, initial)]);
  t.strictSame(own.customLineItems[0]!.state, [entry(2)]);
  const wrong = [[entry(2)], [entry(4)], [], [entry(5), entry(-2, initial)]];
  for (const state of wrong)
    t.match(await refusedChange(own, { action: 'importLineItemState', lineItemId: line.id, state }), invalid);
});

t.test('it has a number once, which no other has', async (t) => {
  let own = await order();
  const other = await order();
  const number = (orderNumber?: string): object => ({ action: 'setOrderNumber', orderNumber });
  t.equal((await change(own, { action: 'setOrderNumber' })).version, 1);
  own = await change(own, { action: 'setOrderNumber', orderNumber: 'N-1' });
  t.match(own, { orderNumber: 'N-1', version: 2 });
  t.match((await api.orders().withOrderNumber({ orderNumber: 'N-1' }).get().execute()).body, { id: own.id });
  t.equal((await change(own, { action: 'setOrderNumber', orderNumber: 'N-1' })).version, 2);
  t.match(await refusedChange(own, number('N-2')), invalid);
  t.match(await refusedChange(own, number()), invalid);
  t.match(await refusedChange(other, number('N-1')), {
    error: { code: 'DuplicateField', field: 'orderNumber', duplicateValue: 'N-1' },
  });
  t.match(await refusedChange(other, number('')), refusedAs('InvalidField'));
});

t.test('it is a customer of some group who buys, in some store', async (t) => {
  const { body: customer } = await request('POST', '/customers', {
    email: 'jane@example.org',
    password: 'secret word 1',
    customerGroup: { typeId: 'customer-group', key: 'members' },
  });
  const { id, customerGroup } = customer['customer'] as { id: string; customerGroup: object };
  const { body: plain } = await request('POST', '/customers', {
    email: 'joe@example.org',
    password: 'secret word 1',
  });
  await request('POST', '/stores', { key: 'north' });
  await request('POST', '/stores', { key: 'south' });
  let own = await order();
  own = await change(
    own,
    { action: 'setCustomerEmail', email: 'first@example.org' },
    { action: 'setCustomerId', customerId: id },
  );
  t.match(own, { customerId: id, customerGroup, customerEmail: 'first@example.org', version: 2 });
  t.strictSame(await change(own, { action: 'setCustomerId', customerId: id }), own);
  own = await change(own, { action: 'setCustomerId', customerId: (plain['customer'] as { id: string }).id });
  t.notOk('customerGroup' in own, 'who has no group leaves none');
  own = await change(own, { action: 'setCustomerId' }, { action: 'setCustomerEmail' });
  t.notOk('customerId' in own);
  t.notOk('customerEmail' in own);
  t.match(await refusedChange(own, { action: 'setCustomerId', customerId: own.id }), {
    status: 400,
    error: { code: 'ReferencedResourceNotFound', typeId: 'customer', id: own.id },
  });
  const setStore = (key?: string): OrderUpdateAction => ({
    action: 'setStore',
    ...(key !== undefined && { store: { typeId: 'store', key } }),
  });
  t.match(await refusedChange(own, setStore()), invalid);
  own = await change(own, setStore('north'));
  t.match(own.store, { typeId: 'store', key: 'north' });
  t.match(await refusedChange(own, setStore('north')), invalid);
  own = await change(own, setStore('south'));
  own = await change(own, setStore());
  t.notOk('store' in own);
});

t.test('languages are those of the project', async (t) => {
  const { body: settings } = await api.get().execute();
  await api
    .post({ body: { version: settings.version, actions: [{ action: 'changeLanguages', languages: ['de', 'en'] }] } })
    .execute();
  let own = await order();
  own = await change(
    own,
    { action: 'setLocale', locale: 'de' },
    { action: 'setPurchaseOrderNumber', purchaseOrderNumber: 'PO' },
  );
  t.match(own, { locale: 'de', purchaseOrderNumber: 'PO' });
  t.match(await refusedChange(own, { action: 'setLocale', locale: 'fr' }), {
    error: { code: 'InvalidField', field: 'locale' },
  });
  own = await change(own, { action: 'setLocale' }, { action: 'setPurchaseOrderNumber' });
  t.notOk('locale' in own);
  t.notOk('purchaseOrderNumber' in own);
});

t.test('a payment is in one order or cart', async (t) => {
  const pay = async (): Promise<{ typeId: 'payment'; id: string }> => {
    const { body } = await request('POST', '/payments', { amountPlanned: { currencyCode: 'EUR', centAmount: 100 } });
    return { typeId: 'payment', id: body['id'] as string };
  };
  const [first, second] = [await pay(), await pay()];
  let own = await order();
  const add = (payment: typeof first): OrderUpdateAction => ({ action: 'addPayment', payment });
  const remove = (payment: typeof first): OrderUpdateAction => ({ action: 'removePayment', payment });
  own = await change(own, add(first), add(second));
  t.strictSame(own.paymentInfo, { payments: [first, second] });
  t.match(await refusedChange(own, add(first)), invalid, 'it is here already');
  t.match(await refusedChange(await order(), add(first)), invalid, 'it is elsewhere');
  own = await change(own, remove(first));
  t.match(await refusedChange(own, remove(first)), invalid);
  t.strictSame((await change(await order(), add(first))).paymentInfo, { payments: [first] });
  own = await change(own, remove(second));
  t.notOk('paymentInfo' in own);
  own = await change(own, add(second));
  await request('DELETE', `/payments/${second.id}?version=1`);
  own = await change(own, remove(second));
  t.notOk('paymentInfo' in own, 'one that has gone is let go of');
  const missing = { typeId: 'payment', id: own.id };
  t.match(await refusedChange(own, { action: 'addPayment', payment: missing }), {
    error: { code: 'ReferencedResourceNotFound', typeId: 'payment' },
  });
});

t.test('a channel has one entry of when it was told', async (t) => {
  const channel = async (key: string, ...roles: string[]): Promise<{ typeId: 'channel'; id: string }> => {
    const { body } = await request('POST', '/channels', { key, roles });
    return { typeId: 'channel', id: body['id'] as string };
  };
  const into = await channel('into', 'OrderExport');
  const from = await channel('from', 'OrderImport', 'Primary');
  const shelf = await channel('shelf', 'InventorySupply');
  const syncedAt = '2030-01-01T00:00:00.000Z';
  let own = await order();
  t.strictSame(own.syncInfo, []);
  own = await change(
    own,
    { action: 'updateSyncInfo', channel: into, externalId: 'E-1', syncedAt },
    { action: 'updateSyncInfo', channel: from },
  );
  t.strictSame(own.syncInfo, [
    { channel: into, externalId: 'E-1', syncedAt },
    { channel: from, syncedAt: own.lastModifiedAt },
  ]);
  own = await change(own, { action: 'updateSyncInfo', channel: into, syncedAt });
  t.strictSame(own.syncInfo[0], { channel: into, syncedAt });
  t.equal(own.syncInfo.length, 2);
  t.match(await refusedChange(own, { action: 'updateSyncInfo', channel: shelf }), refusedAs('InvalidInput'));
});

t.test('GraphQL has the actions, by inputs of its own', async (t) => {
  const own = await order(shop.severally);
  const { id, lineItems } = own;
  const actions = [
    { changeOrderState: { orderState: 'Confirmed' } },
    { setOrderNumber: { orderNumber: 'G-1' } },
    { addDelivery: { shippingKey: 'by-post', deliveryKey: 'first', parcels: [{ key: 'box' }] } },
    { setDeliveryItems: { deliveryKey: 'first', items: [{ id: lineItems[0]!.id, quantity: 1 }] } },
    { setDeliveryCustomType: { deliveryKey: 'first', typeKey: 'note', fields: [{ name: 'note', value: '"a"' }] } },
    { setParcelMeasurements: { parcelKey: 'box', measurements: { weightInGram: 5 } } },
    { setParcelTrackingData: { parcelKey: 'box', trackingData: { trackingId: 'T' } } },
    {
      addReturnInfo: {
        items: [{ key: 'back', lineItemId: lineItems[0]!.id, quantity: 1, shipmentState: 'Returned' }],
        returnTrackingId: 'R',
      },
    },
    { setReturnPaymentState: { returnItemKey: 'back', paymentState: 'Refunded' } },
    {
      setLineItemShippingDetails: {
        lineItemKey: 'line',
        shippingDetails: {
          targets: [{ addressKey: 'home', quantity: 3, shippingMethodKey: 'by-post' }],
        },
      },
    },
    {
      transitionLineItemState: {
        lineItemKey: 'line',
        quantity: 3,
        fromState: { typeId: 'state', key: 'Initial' },
        toState: { typeId: 'state', key: 'packed' },
      },
    },
    { setCustomerEmail: { email: 'jane@example.org' } },
    { updateSyncInfo: { channel: { typeId: 'channel', key: 'into' } } },
    { setCustomType: { typeKey: 'note', fields: [{ name: 'note', value: '"b"' }] } },
  ];
  const query = `mutation M($actions: [OrderUpdateAction!]!) {
    updateOrder(id: "${id}", version: ${own.version}, actions: $actions) {
      version orderState orderNumber customerEmail
      lineItems { state { quantity state { key } } shippingDetails { valid targets { addressKey quantity } } }
      shipping { shippingInfo { deliveries {
        key items { quantity } custom { customFieldsRaw { name value } }
        parcels { key measurements { weightInGram } trackingData { trackingId isReturn } }
      } } }
      returnInfo { returnTrackingId }
      syncInfo { channel { key } }
      custom { customFieldsRaw { value } }
    }
  }`;
  const { body } = await request('POST', '/graphql', { query, variables: { actions } });
  t.match(body, {
    data: {
      updateOrder: {
        version: 2,
        orderState: 'Confirmed',
        orderNumber: 'G-1',
        customerEmail: 'jane@example.org',
        lineItems: [
          {
            state: [{ quantity: 3, state: { key: 'packed' } }],
            shippingDetails: { valid: true, targets: [{ addressKey: 'home', quantity: 3 }] },
          },
        ],
        shipping: [
          {
            shippingInfo: {
              deliveries: [
                {
                  key: 'first',
                  items: [{ quantity: 1 }],
                  custom: { customFieldsRaw: [{ name: 'note', value: 'a' }] },
                  parcels: [
                    {
                      key: 'box',
                      measurements: { weightInGram: 5 },
                      trackingData: { trackingId: 'T', isReturn: false },
                    },
                  ],
                },
              ],
            },
          },
          {},
        ],
        returnInfo: [{ returnTrackingId: 'R' }],
        syncInfo: [{ channel: { key: 'into' } }],
        custom: { customFieldsRaw: [{ value: 'b' }] },
      },
    },
  });
  const refused = await request('POST', '/graphql', {
    query: `mutation { updateOrder(id: "${id}", version: 2, actions: [{ removeDelivery: {} }]) { id } }`,
  });
  t.match(refused.body, { errors: [{ extensions: { code: 'InvalidInput' } }] });
});
