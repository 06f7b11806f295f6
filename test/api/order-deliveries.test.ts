/** What is shipped of an order, where it goes, and what comes back. */
import type { Order, OrderUpdateAction } from '@commercetools/platform-sdk';
import t from 'tap';
import { german } from '../support/cart-shop.ts';
import { away, home, startOrderShop } from '../support/order-shop.ts';

const shop = await startOrderShop();
const { api, change, order, refusedChange, severally } = shop;

const refusedAs = (code: string): object => ({ status: 400, error: { code } });
const invalid = refusedAs('InvalidOperation');
const note = (text: string) => ({ type: { typeId: 'type' as const, key: 'note' }, fields: { note: text } });
const deliveriesOf = (own: Order) => own.shippingInfo!.deliveries!;
const measurements = { heightInMillimeter: 1, lengthInMillimeter: 2, widthInMillimeter: 3, weightInGram: 4 };
const trackingData = { trackingId: 'T-1', carrier: 'Post', isReturn: false };

t.test('deliveries and their parcels come and go', async (t) => {
  let own = await order();
  const line = own.lineItems[0]!.id;
  const item = own.customLineItems[0]!.id;
  const items = [{ id: line, quantity: 2 }];
  own = await change(own, {
    action: 'addDelivery',
    deliveryKey: 'first',
    items,
    address: german,
    parcels: [{ key: 'box', measurements, trackingData, items, custom: note('a') }, {}],
    custom: note('b'),
  });
  t.match(deliveriesOf(own), [
    {
      key: 'first',
      createdAt: own.lastModifiedAt,
      items,
      address: german,
      custom: { fields: { note: 'b' } },
      parcels: [
        {
          key: 'box',
          measurements,
          trackingData,
          items,
          custom: { fields: { note: 'a' } },
          createdAt: own.lastModifiedAt,
        },
        { items: [] },
      ],
    },
  ]);
  own = await change(own, { action: 'addDelivery' }, { action: 'addDelivery', items: [{ id: item, quantity: 9 }] });
  const [first, second, third] = deliveriesOf(own);
  t.match(second, { items: [], parcels: [] });
  t.match(third, { items: [{ id: item, quantity: 9 }] }, 'sums are not looked at');
  own = await change(
    own,
    { action: 'setDeliveryItems', deliveryId: second!.id, items },
    { action: 'setDeliveryAddress', deliveryId: second!.id, address: { country: 'FR' } },
    { action: 'setDeliveryAddress', deliveryKey: 'first' },
    { action: 'addParcelToDelivery', deliveryId: second!.id, parcelKey: 'bag', measurements, trackingData, items },
    { action: 'removeParcelFromDelivery', parcelId: first!.parcels[1]!.id },
    { action: 'removeDelivery', deliveryId: third!.id },
  );
  t.equal(deliveriesOf(own).length, 2);
  t.notOk('address' in deliveriesOf(own)[0]!);
  t.equal(deliveriesOf(own)[0]!.parcels.length, 1);
  t.match(deliveriesOf(own)[1], {
    items,
    address: { country: 'FR' },
    parcels: [{ key: 'bag', measurements, trackingData, items }],
  });
  own = await change(
    own,
    { action: 'setParcelItems', parcelKey: 'bag', items: [] },
    { action: 'setParcelMeasurements', parcelKey: 'bag' },
    { action: 'setParcelTrackingData', parcelKey: 'bag' },
    { action: 'setParcelMeasurements', parcelKey: 'box', measurements: { weightInGram: 7 } },
    { action: 'setParcelTrackingData', parcelKey: 'box', trackingData: { trackingId: 'T-2' } },
  );
  const [bag] = deliveriesOf(own)[1]!.parcels;
  t.strictSame(Object.keys(bag!).sort(), ['createdAt', 'id', 'items', 'key']);
  t.match(deliveriesOf(own)[0]!.parcels, [{ measurements: { weightInGram: 7 }, trackingData: { trackingId: 'T-2' } }]);
});

t.test('items that are shipped are those of the order, and keys name one thing', async (t) => {
  let own = await order();
  own = await change(own, {
    action: 'addDelivery',
    deliveryKey: 'first',
    parcels: [{ key: 'box' }],
  });
  const strange = [{ id: own.id, quantity: 1 }];
  const none = [{ id: own.lineItems[0]!.id, quantity: 0 }];
  const unknown: readonly object[] = [
    { action: 'addDelivery', items: strange },
    { action: 'addDelivery', parcels: [{ items: strange }] },
    { action: 'setDeliveryItems', deliveryKey: 'first', items: strange },
    { action: 'addParcelToDelivery', deliveryKey: 'first', items: strange },
    { action: 'setParcelItems', parcelKey: 'box', items: strange },
  ];
  for (const action of unknown) t.match(await refusedChange(own, action), invalid);
  t.match(await refusedChange(own, { action: 'addDelivery', items: none }), refusedAs('InvalidField'));
  const twice: readonly (readonly [object, string])[] = [
    [{ action: 'addDelivery', deliveryKey: 'first' }, 'first'],
    [{ action: 'addDelivery', parcels: [{ key: 'box' }] }, 'box'],
    [{ action: 'addDelivery', parcels: [{ key: 'bag' }, { key: 'bag' }] }, 'bag'],
    [{ action: 'addParcelToDelivery', deliveryKey: 'first', parcelKey: 'box' }, 'box'],
  ];
  for (const [action, duplicateValue] of twice)
    t.match(await refusedChange(own, action), { error: { code: 'DuplicateField', duplicateValue } });
});

t.test('of several methods a delivery names one, and of one none', async (t) => {
  let own = await order(severally);
  t.match(await refusedChange(own, { action: 'addDelivery' }), invalid);
  t.match(await refusedChange(own, { action: 'addDelivery', shippingKey: 'by-mail' }), invalid);
  own = await change(own, { action: 'addDelivery', shippingKey: 'courier', deliveryKey: 'first' });
  t.match(own.shipping[1], { shippingKey: 'courier', shippingInfo: { deliveries: [{ key: 'first' }] } });
  own = await change(own, { action: 'addParcelToDelivery', deliveryKey: 'first', parcelKey: 'box' });
  t.match(
    await refusedChange(own, { action: 'addDelivery', shippingKey: 'by-post', deliveryKey: 'first' }),
    { error: { code: 'DuplicateField' } },
    'keys are those of the whole order',
  );
  const until = '2030-01-01T00:00:00.000Z';
  const estimate = (shippingKey?: string, estimatedDelivery?: object): object => ({
    action: 'setEstimatedDelivery',
    ...(shippingKey !== undefined && { shippingKey }),
    ...(estimatedDelivery !== undefined && { estimatedDelivery }),
  });
  t.match(await refusedChange(own, estimate(undefined, { until })), invalid);
  own = await change(own, estimate('by-post', { until }) as OrderUpdateAction, {
    action: 'removeDelivery',
    deliveryKey: 'first',
  });
  t.match(own.shipping, [{ shippingInfo: { estimatedDelivery: { until } } }, { shippingInfo: { deliveries: [] } }]);
  own = await change(
    own,
    { action: 'setShippingCustomType', shippingKey: 'courier', ...note('a') },
    { action: 'setShippingCustomField', shippingKey: 'courier', name: 'note', value: 'b' },
  );
  t.match(own.shipping[1], { shippingCustomFields: { fields: { note: 'b' } } });
  t.match(await refusedChange(own, { action: 'setShippingCustomType', ...note('a') }), invalid);
  let single = await order();
  t.match(await refusedChange(single, { action: 'addDelivery', shippingKey: 'by-post' }), invalid);
  t.match(await refusedChange(single, estimate('by-post')), invalid);
  t.match(
    await refusedChange(single, { action: 'setShippingCustomType', shippingKey: 'by-post', ...note('a') }),
    invalid,
  );
  single = await change(single, estimate(undefined, { until }) as OrderUpdateAction);
  t.match(single.shippingInfo, { estimatedDelivery: { until } });
  single = await change(single, estimate() as OrderUpdateAction);
  t.notOk('estimatedDelivery' in single.shippingInfo!);
  const unshipped = await order({ shippingAddress: german, lineItems: [{ sku: 'lamp' }] });
  t.match(await refusedChange(unshipped, { action: 'addDelivery' }), invalid, 'nothing ships it');
});

t.test('what comes back begins where it is', async (t) => {
  let own = await order();
  const line = own.lineItems[0]!.id;
  const item = own.customLineItems[0]!.id;
  const returnDate = '2030-01-01T00:00:00.000Z';
  own = await change(own, {
    action: 'addReturnInfo',
    returnTrackingId: 'R-1',
    returnDate,
    items: [
      {
        key: 'lamps',
        lineItemId: line,
        quantity: 3,
        comment: 'Too bright',
        shipmentState: 'Advised',
        custom: note('a'),
      },
      { key: 'wraps', customLineItemId: item, quantity: 1, shipmentState: 'Returned' },
    ],
  });
  const moments = { createdAt: own.lastModifiedAt, lastModifiedAt: own.lastModifiedAt };
  t.match(own.returnInfo, [
    {
      returnTrackingId: 'R-1',
      returnDate,
      items: [
        {
          type: 'LineItemReturnItem',
          key: 'lamps',
          lineItemId: line,
          quantity: 3,
          comment: 'Too bright',
          shipmentState: 'Advised',
          paymentState: 'NonRefundable',
          custom: { fields: { note: 'a' } },
          ...moments,
        },
        {
          type: 'CustomLineItemReturnItem',
          customLineItemId: item,
          shipmentState: 'Returned',
          paymentState: 'Initial',
          ...moments,
        },
      ],
    },
  ]);
  own = await change(own, {
    action: 'addReturnInfo',
    items: [{ lineItemId: line, quantity: 3, shipmentState: 'Returned' }],
  });
  t.match(own.returnInfo?.[1], { returnDate: own.lastModifiedAt }, 'the same units may come back twice');
  const refusals: readonly (readonly [object, string])[] = [
    [{ items: [] }, 'InvalidInput'],
    [{ items: [{ quantity: 1, shipmentState: 'Advised' }] }, 'InvalidInput'],
    [{ items: [{ lineItemId: line, customLineItemId: item, quantity: 1, shipmentState: 'Advised' }] }, 'InvalidInput'],
    [{ items: [{ lineItemId: item, quantity: 1, shipmentState: 'Advised' }] }, 'InvalidOperation'],
    [{ items: [{ customLineItemId: line, quantity: 1, shipmentState: 'Advised' }] }, 'InvalidOperation'],
    [{ items: [{ lineItemId: line, quantity: 4, shipmentState: 'Advised' }] }, 'InvalidOperation'],
    [{ items: [{ lineItemId: line, quantity: 0, shipmentState: 'Advised' }] }, 'InvalidOperation'],
    [{ items: [{ lineItemId: line, quantity: 1, shipmentState: 'BackInStock' }] }, 'InvalidField'],
    [{ items: [{ key: 'wraps', lineItemId: line, quantity: 1, shipmentState: 'Advised' }] }, 'DuplicateField'],
  ];
  for (const [given, code] of refusals)
    t.match(await refusedChange(own, { action: 'addReturnInfo', ...given }), refusedAs(code), JSON.stringify(given));
  own = await change(own, {
    action: 'setReturnInfo',
    items: [{ items: [{ lineItemId: line, quantity: 1, shipmentState: 'Returned' }] }],
  });
  t.match(own.returnInfo, [{ items: [{ quantity: 1 }], returnDate: own.lastModifiedAt }]);
  t.equal(own.returnInfo?.length, 1);
  own = await change(own, { action: 'setReturnInfo' });
  t.strictSame(own.returnInfo, []);
});

t.test('what has come back is put back or thrown away, and paid back or not', async (t) => {
  let own = await order();
  const line = own.lineItems[0]!.id;
  const back = (key: string, shipmentState: 'Advised' | 'Returned') => ({
    key,
    lineItemId: line,
    quantity: 1,
    shipmentState,
  });
  own = await change(own, {
    action: 'addReturnInfo',
    items: [back('aa', 'Returned'), back('bb', 'Returned'), back('cc', 'Advised')],
  });
  const ship = (returnItemKey: string, shipmentState: string): OrderUpdateAction =>
    ({ action: 'setReturnShipmentState', returnItemKey, shipmentState }) as OrderUpdateAction;
  const pay = (returnItemKey: string, paymentState: string): OrderUpdateAction =>
    ({ action: 'setReturnPaymentState', returnItemKey, paymentState }) as OrderUpdateAction;
  for (const action of [
    ship('cc', 'BackInStock'),
    ship('cc', 'Returned'),
    ship('aa', 'Advised'),
    ship('aa', 'Returned'),
  ])
    t.match(await refusedChange(own, action), invalid);
  for (const action of [pay('cc', 'Refunded'), pay('aa', 'NonRefundable'), pay('aa', 'Initial')])
    t.match(await refusedChange(own, action), invalid);
  const added = own.lastModifiedAt;
  own = await change(
    own,
    ship('aa', 'BackInStock'),
    ship('bb', 'Unusable'),
    pay('aa', 'Refunded'),
    pay('bb', 'NotRefunded'),
  );
  t.match(own.returnInfo?.[0]?.items, [
    { shipmentState: 'BackInStock', paymentState: 'Refunded', createdAt: added, lastModifiedAt: own.lastModifiedAt },
    { shipmentState: 'Unusable', paymentState: 'NotRefunded' },
    { shipmentState: 'Advised', lastModifiedAt: added },
  ]);
  for (const action of [ship('aa', 'Unusable'), pay('aa', 'NotRefunded')])
    t.match(await refusedChange(own, action), invalid, 'that is the end of it');
});

t.test('addresses are those of the order alone', async (t) => {
  let own = await order();
  own = await change(
    own,
    { action: 'setShippingAddress', address: { country: 'FR' } },
    { action: 'setBillingAddress', address: { country: 'ES' } },
  );
  t.match(own, { shippingAddress: { country: 'FR' }, billingAddress: { country: 'ES' }, version: 2 });
  t.match(own.taxedPrice, (await order()).taxedPrice, 'nothing is computed anew');
  own = await change(
    own,
    { action: 'setShippingAddressCustomType', ...note('a') },
    { action: 'setShippingAddressCustomField', name: 'note', value: 'b' },
    { action: 'setBillingAddressCustomType', ...note('c') },
    { action: 'setBillingAddressCustomField', name: 'note', value: 'd' },
  );
  t.match(own, {
    shippingAddress: { custom: { fields: { note: 'b' } } },
    billingAddress: { custom: { fields: { note: 'd' } } },
  });
  own = await change(own, { action: 'setShippingAddress' }, { action: 'setBillingAddress' });
  t.notOk('shippingAddress' in own);
  t.notOk('billingAddress' in own);
  t.ok(own.shippingInfo, 'what was bought stays');
  t.match(await refusedChange(own, { action: 'setShippingAddressCustomType', ...note('a') }), invalid);
  t.match(await refusedChange(own, { action: 'setBillingAddressCustomType', ...note('a') }), invalid);
});

t.test('units of items go to addresses of the order, all of them', async (t) => {
  let own = await order();
  own = await change(
    own,
    { action: 'addItemShippingAddress', address: home },
    { action: 'addItemShippingAddress', address: away },
    { action: 'updateItemShippingAddress', address: { ...home, city: 'Bonn' } },
    { action: 'setItemShippingAddressCustomType', addressKey: 'home', ...note('a') },
    { action: 'setItemShippingAddressCustomField', addressKey: 'home', name: 'note', value: 'b' },
  );
  t.match(own.itemShippingAddresses, [{ key: 'home', city: 'Bonn', custom: { fields: { note: 'b' } } }, away]);
  t.match(await refusedChange(own, { action: 'addItemShippingAddress', address: german }), refusedAs('RequiredField'));
  t.match(await refusedChange(own, { action: 'addItemShippingAddress', address: home }), refusedAs('DuplicateField'));
  const unknown = { ...home, key: 'work' };
  t.match(await refusedChange(own, { action: 'updateItemShippingAddress', address: unknown }), invalid);
  t.match(await refusedChange(own, { action: 'removeItemShippingAddress', addressKey: 'work' }), invalid);
  t.match(
    await refusedChange(own, { action: 'setItemShippingAddressCustomType', addressKey: 'work', ...note('a') }),
    invalid,
  );
  const targets = (...given: readonly (readonly [string, number])[]) => ({
    targets: given.map(([addressKey, quantity]) => ({ addressKey, quantity })),
  });
  const lineTo = (shippingDetails?: object): OrderUpdateAction =>
    ({ action: 'setLineItemShippingDetails', lineItemKey: 'line', shippingDetails }) as OrderUpdateAction;
  const itemTo = (shippingDetails?: object): OrderUpdateAction =>
    ({
      action: 'setCustomLineItemShippingDetails',
      customLineItemKey: 'item',
      shippingDetails,
    }) as OrderUpdateAction;
  t.match(await refusedChange(own, lineTo(targets(['home', 2]))), {
    error: { code: 'InvalidItemShippingDetails', subject: 'LineItem', itemId: own.lineItems[0]!.id },
  });
  t.match(await refusedChange(own, itemTo(targets(['home', 3]))), {
    error: { code: 'InvalidItemShippingDetails', subject: 'CustomLineItem', itemId: own.customLineItems[0]!.id },
  });
  t.match(await refusedChange(own, lineTo(targets(['work', 3]))), invalid);
  own = await change(own, lineTo(targets(['home', 1], ['away', 2])), itemTo(targets(['home', 2])));
  t.match(own.lineItems[0]!.shippingDetails, { ...targets(['home', 1], ['away', 2]), valid: true });
  t.match(own.customLineItems[0]!.shippingDetails, { valid: true });
  t.match(await refusedChange(own, { action: 'removeItemShippingAddress', addressKey: 'away' }), invalid);
  own = await change(own, lineTo(), { action: 'removeItemShippingAddress', addressKey: 'away' });
  t.notOk('shippingDetails' in own.lineItems[0]!);
  t.equal(own.itemShippingAddresses?.length, 1);
});

/** Each part of an order that has custom fields, and how actions name it. */
const parts = [
  ['', {}, (own: Order) => own],
  ['LineItem', { lineItemKey: 'line' }, (own: Order) => own.lineItems[0]],
  ['CustomLineItem', { customLineItemKey: 'item' }, (own: Order) => own.customLineItems[0]],
  ['Delivery', { deliveryKey: 'first' }, (own: Order) => deliveriesOf(own)[0]],
  ['DeliveryAddress', { deliveryKey: 'first' }, (own: Order) => deliveriesOf(own)[0]?.address],
  ['Parcel', { parcelKey: 'box' }, (own: Order) => deliveriesOf(own)[0]?.parcels[0]],
  ['ReturnItem', { returnItemKey: 'back' }, (own: Order) => own.returnInfo?.[0]?.items[0]],
] as const;

t.test('its parts have custom fields', async (t) => {
  let own = await order();
  own = await change(
    own,
    { action: 'addDelivery', deliveryKey: 'first', address: german, parcels: [{ key: 'box' }] },
    {
      action: 'addReturnInfo',
      items: [{ key: 'back', lineItemId: own.lineItems[0]!.id, quantity: 1, shipmentState: 'Advised' }],
    },
  );
  for (const [noun, name, partOf] of parts) {
    const setType = { action: `set${noun}CustomType`, ...name };
    const setField = { action: `set${noun}CustomField`, ...name, name: 'note' };
    t.match(await refusedChange(own, { ...setField, value: 'x' }), invalid, `${noun} has no fields yet`);
    own = await change(own, { ...setType, ...note('a') } as OrderUpdateAction);
    t.match(partOf(own), { custom: { fields: { note: 'a' } } }, noun);
    own = await change(own, { ...setField, value: 'b' } as OrderUpdateAction);
    t.match(partOf(own), { custom: { fields: { note: 'b' } } }, noun);
    own = await change(own, setType as OrderUpdateAction);
    t.notOk('custom' in partOf(own)!, noun);
  }
  own = await change(
    own,
    { action: 'setShippingCustomType', ...note('a') },
    { action: 'setShippingCustomField', name: 'note', value: 'b' },
  );
  t.match(own, { shippingCustomFields: { fields: { note: 'b' } } });
  t.match(
    await refusedChange(own, { action: 'setCustomType', type: { typeId: 'type', key: 'note' }, fields: { other: 1 } }),
    refusedAs('InvalidField'),
  );
  const addressless = await change(own, { action: 'setDeliveryAddress', deliveryKey: 'first' });
  const setType = { action: 'setDeliveryAddressCustomType', deliveryKey: 'first', ...note('a') };
  t.match(await refusedChange(addressless, setType), invalid);
});

t.test('parts are named in one way, and are there', async (t) => {
  const own = await change(await order(), { action: 'addDelivery', deliveryKey: 'first', parcels: [{ key: 'box' }] });
  const state = { typeId: 'state', key: 'Initial' };
  const transition = { quantity: 1, fromState: state, toState: state };
  const actions: readonly (readonly [noun: string, key: string, action: object])[] = [
    ['lineItem', 'line', { action: 'transitionLineItemState', ...transition }],
    ['lineItem', 'line', { action: 'importLineItemState', state: [] }],
    ['lineItem', 'line', { action: 'setLineItemShippingDetails' }],
    ['lineItem', 'line', { action: 'setLineItemCustomType' }],
    ['customLineItem', 'item', { action: 'transitionCustomLineItemState', ...transition }],
    ['customLineItem', 'item', { action: 'setCustomLineItemCustomType' }],
    ['delivery', 'first', { action: 'removeDelivery' }],
    ['delivery', 'first', { action: 'addParcelToDelivery' }],
    ['parcel', 'box', { action: 'removeParcelFromDelivery' }],
    ['returnItem', 'back', { action: 'setReturnShipmentState', shipmentState: 'Unusable' }],
  ];
  for (const [noun, key, action] of actions) {
    const both = { [`${noun}Id`]: own.id, [`${noun}Key`]: key };
    t.match(await refusedChange(own, action), refusedAs('InvalidInput'), `${JSON.stringify(action)} names none`);
    t.match(await refusedChange(own, { ...action, ...both }), refusedAs('InvalidInput'), 'one name is enough');
    t.match(await refusedChange(own, { ...action, [`${noun}Id`]: own.id }), invalid, `an unknown ${noun}`);
    t.match(await refusedChange(own, { ...action, [`${noun}Key`]: 'unknown' }), invalid);
  }
  t.match((await api.orders().withId({ ID: own.id }).get().execute()).body, own);
});
