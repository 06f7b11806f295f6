/** Orders that are made of carts: what they take over, what they take, and what refuses them. */
import type { Cart, CartDraft, CartUpdateAction, Order, OrderFromCartDraft } from '@commercetools/platform-sdk';
import t from 'tap';
import { american, eur, german, refusalOf } from '../support/cart-shop.ts';
import { graphql } from '../support/graphql-values.ts';
import { type OrderShop, standard, startOrderShop } from '../support/order-shop.ts';
import { shopperToken } from '../support/shoppers.ts';

type Draft = Partial<OrderFromCartDraft>;

function draftOf({ id, version }: Cart, draft: Draft = {}): OrderFromCartDraft {
  return { cart: { typeId: 'cart', id }, version, ...draft };
}

async function ordered({ api }: Pick<OrderShop, 'api'>, cart: Cart, draft?: Draft): Promise<Order> {
  return (
    await api
      .orders()
      .post({ body: draftOf(cart, draft) })
      .execute()
  ).body;
}

/** The first error of what refuses the order, and how many there are. The cart is as it was. */
async function refused({ api, request }: OrderShop, cart: Cart, draft?: Draft): Promise<Record<string, unknown>> {
  const { status, body } = await request('POST', '/orders', draftOf(cart, draft));
  const { version } = (await api.carts().withId({ ID: cart.id }).get().execute()).body;
  if (version !== cart.version) throw new Error('The cart has changed');
  const errors = body['errors'] as readonly object[];
  return { status, count: errors.length, ...errors[0] };
}

const lamp = (draft: Partial<CartDraft> = {}): Partial<CartDraft> => ({
  shippingAddress: german,
  lineItems: [{ key: 'line', sku: 'lamp', quantity: 2 }],
  ...draft,
});

t.test('an order is what its cart was, and the cart is ordered', async (t) => {
  const shop = await startOrderShop();
  const { api, cart, change, request } = shop;
  const custom = { type: { typeId: 'type' as const, key: 'note' }, fields: { note: 'of the cart' } };
  const own = await cart(
    lamp({
      key: 'mine',
      customLineItems: [{ key: 'item', name: { en: 'Wrap' }, slug: 'wrap', money: eur(100), taxCategory: standard }],
      shippingMethod: { typeId: 'shipping-method', key: 'post' },
      purchaseOrderNumber: 'of the cart',
      billingAddress: american,
      locale: 'en',
      country: 'DE',
      custom,
    }),
  );
  const order = await ordered(shop, own, {
    orderNumber: 'A/1 ä',
    paymentState: 'Pending',
    custom: { type: custom.type, fields: {} },
  });
  const { id: stateId } = (await request('GET', '/states/key=Initial')).body as { id: string };
  const state = (quantity: number) => [{ quantity, state: { typeId: 'state', id: stateId } }];
  const {
    id: _,
    version: _v,
    createdAt: _c,
    lastModifiedAt: _m,
    key: _k,
    cartState: _s,
    totalLineItemQuantity: _q,
    deleteDaysAfterLastModification: _d,
    ...kept
  } = own;
  const { id, createdAt, lastModifiedAt, ...made } = order;
  t.strictSame(made, {
    ...kept,
    version: 1,
    lineItems: own.lineItems.map((line) => ({ ...line, state: state(2) })),
    customLineItems: own.customLineItems.map((item) => ({ ...item, state: state(1) })),
    orderNumber: 'A/1 ä',
    orderState: 'Open',
    paymentState: 'Pending',
    cart: { typeId: 'cart', id: own.id },
    syncInfo: [],
    returnInfo: [],
    lastMessageSequenceNumber: 1,
  } as unknown as typeof made);
  t.ok(id !== own.id && createdAt === lastModifiedAt);
  const after = (await api.carts().withId({ ID: own.id }).get().execute()).body;
  t.match(after, { cartState: 'Ordered', version: own.version + 1, totalPrice: own.totalPrice });
  const again = await refusalOf(shop.update(after, { action: 'setCountry', country: 'US' }));
  t.match(again, { status: 400, error: { code: 'InvalidOperation' } }, 'nothing of the cart can be changed');
  t.strictSame((await api.orders().withOrderNumber({ orderNumber: 'A/1 ä' }).get().execute()).body, order);
  t.match(
    (
      await api
        .carts()
        .withId({ ID: own.id })
        .delete({ queryArgs: { version: after.version } })
        .execute()
    ).body,
    {
      id: own.id,
    },
  );
  const expand = 'cart';
  t.strictSame(
    (await api.orders().withId({ ID: id }).get({ queryArgs: { expand } }).execute()).body.cart,
    order.cart,
    'it outlives its cart',
  );
  const changed = await change(order, { action: 'changeOrderState', orderState: 'Complete' });
  const last = await api
    .orders()
    .withId({ ID: id })
    .delete({ queryArgs: { version: changed.version } })
    .execute();
  t.strictSame(last.body, changed, 'a deletion gives what there was');
  t.equal((await request('GET', `/orders/${id}`)).status, 404);
});

t.test('what the draft says stands above what the cart says', async (t) => {
  const shop = await startOrderShop();
  const note = { typeId: 'type' as const, key: 'note' };
  const { api, cart, request } = shop;
  await api
    .types()
    .post({ body: { key: 'other', name: { en: 'Other' }, resourceTypeIds: ['order'] } })
    .execute();
  const made = await request('POST', '/states', { key: 'packed', type: 'OrderState', initial: false });
  const own = await cart(
    lamp({ purchaseOrderNumber: 'of the cart', custom: { type: note, fields: { note: 'kept' } } }),
  );
  t.match(
    await refused(shop, own, { custom: { type: { typeId: 'type', key: 'other' } } }),
    { status: 400, code: 'InvalidOperation' },
    'fields of another type',
  );
  t.match(
    await refused(shop, own, { state: { typeId: 'state', key: 'Initial' } }),
    { status: 400, code: 'InvalidOperation' },
    'a state of items',
  );
  const order = await ordered(shop, own, {
    purchaseOrderNumber: 'of the draft',
    custom: { type: note, fields: { note: 'new' } },
    state: { typeId: 'state', key: 'packed' },
    orderState: 'Confirmed',
    shipmentState: 'Delayed',
  });
  t.match(order, {
    purchaseOrderNumber: 'of the draft',
    custom: { fields: { note: 'new' } },
    state: { id: (made.body as { id: string }).id },
    orderState: 'Confirmed',
    shipmentState: 'Delayed',
  });
});

t.test('what is not there is told by the name that it was asked for', async (t) => {
  const { api, request } = await startOrderShop();
  t.match(await request('GET', '/orders/order-number=none'), {
    status: 404,
    body: { message: "The Order with orderNumber 'none' was not found." },
  });
  const searched = await refusalOf(
    api
      .orders()
      .search()
      .post({ body: { query: { exists: { field: 'orderNumber', fieldType: 'text' } } } })
      .execute(),
  );
  t.match(searched, { status: 404, error: { code: 'ResourceNotFound' } });
});

t.test('a draft has to name one cart, at its version, that can be ordered', async (t) => {
  const shop = await startOrderShop();
  const { cart, request, update } = shop;
  const own = await cart(lamp({ key: 'by-key' }));
  const { id, version } = own;
  const other = await cart(lamp());
  const send = async (draft: object): Promise<Record<string, unknown>> => {
    const { status, body } = await request('POST', '/orders', draft);
    return { status, ...(body['errors'] as readonly object[] | undefined)?.[0] };
  };
  t.match(await send({ version }), { status: 400, code: 'RequiredField', field: 'cart' });
  const { body } = await request('POST', '/orders', {});
  t.strictSame((body['errors'] as readonly { readonly field: string }[]).map(({ field }) => field).sort(), [
    'cart',
    'version',
  ]);
  t.match(await send({ cart: { id } }), { status: 400, code: 'RequiredField', field: 'version' });
  t.match(await send({ id, cart: { id: other.id }, version }), { status: 400, code: 'InvalidInput' });
  t.match(await send({ cart: { key: 'nobody' }, version }), {
    status: 400,
    code: 'ReferencedResourceNotFound',
    typeId: 'cart',
    key: 'nobody',
  });
  t.match(await send({ id, version: version + 1 }), {
    status: 409,
    code: 'ConcurrentModification',
    currentVersion: version,
  });
  t.match(await send({ id, version, orderNumber: 'n'.repeat(257) }), { status: 400, code: 'InvalidField' });
  const empty = await cart({ shippingAddress: german });
  t.match(await refused(shop, empty), { status: 400, count: 1, code: 'InvalidOperation', message: /items/ });
  const bare = await cart({});
  t.match(await refused(shop, bare), { status: 400, count: 2, message: /address/ }, 'all faults at once');
  const frozen = await update(other, { action: 'freezeCart' });
  t.match(await ordered(shop, frozen), { cart: { id: frozen.id } }, 'a frozen cart can be ordered');
  t.match(await send({ cart: { key: 'by-key' }, id, version }), { status: 201 }, 'by both of its names');
  t.match(await send({ id, version }), { status: 409 }, 'who comes late has another version');
  t.match(await send({ id, version: version + 1 }), { status: 400, code: 'InvalidOperation', message: /Ordered/ });
});

t.test('prices, taxes and methods have to be what the cart was computed with', async (t) => {
  const shop = await startOrderShop();
  const { cart, changeProduct, request, update, api } = shop;
  const post = { typeId: 'shipping-method' as const, key: 'post' };
  const own = await cart(lamp({ shippingMethod: post }));
  const frozen = await update(await cart(lamp()), { action: 'freezeCart' });
  await changeProduct('lamp', { action: 'setPrices', variantId: 1, prices: [{ value: eur(1500) }], staged: false });
  t.match(await refused(shop, own), {
    status: 400,
    count: 1,
    code: 'PriceChanged',
    lineItems: [own.lineItems[0]!.id],
    shipping: false,
  });
  t.match(await ordered(shop, frozen), { totalPrice: { centAmount: 2000 } }, 'a frozen cart keeps its prices');
  const dearer = await update(own, { action: 'recalculate' });
  const method = (await request('GET', '/shipping-methods/key=post')).body as {
    version: number;
    zoneRates: { zone: object; shippingRates: object[] }[];
  };
  const { zone } = method.zoneRates[0]!;
  const changeRate = async (from: number, to: number): Promise<void> => {
    const { version } = (await request('GET', '/shipping-methods/key=post')).body;
    const { status, text } = await request('POST', '/shipping-methods/key=post', {
      version,
      actions: [
        { action: 'removeShippingRate', zone, shippingRate: { price: eur(from) } },
        { action: 'addShippingRate', zone, shippingRate: { price: eur(to) } },
      ],
    });
    t.equal(status, 200, text);
  };
  await changeRate(500, 700);
  t.match(await refused(shop, dearer), { status: 400, code: 'PriceChanged', lineItems: [], shipping: true });
  await changeRate(700, 500);
  const setMethod = async (action: object): Promise<void> => {
    const { version } = (await request('GET', '/shipping-methods/key=post')).body;
    const { status, text } = await request('POST', '/shipping-methods/key=post', { version, actions: [action] });
    t.equal(status, 200, text);
  };
  await setMethod({ action: 'setPredicate', predicate: 'totalPrice.centAmount > 1000000' });
  t.match(await refused(shop, dearer), { status: 400, count: 1, code: 'ShippingMethodDoesNotMatchCart' });
  await setMethod({ action: 'setPredicate' });
  await setMethod({ action: 'changeActive', active: false });
  t.match(await refused(shop, dearer), { status: 400, count: 1, code: 'InvalidOperation', message: /not active/ });
  await setMethod({ action: 'changeActive', active: true });
  await changeProduct('lamp', { action: 'unpublish' });
  t.match(await refused(shop, dearer), { status: 400, count: 1, code: 'InvalidOperation', message: /not for sale/ });
  await changeProduct('lamp', { action: 'publish' });
  const { version } = (await request('GET', '/tax-categories/key=standard')).body;
  const { body: category } = await api.taxCategories().withKey({ key: 'standard' }).get().execute();
  const german19 = category.rates.find(({ country }) => country === 'DE')!;
  const rate = { name: 'VAT', amount: 0.2, includedInPrice: false, country: 'DE' };
  await request('POST', '/tax-categories/key=standard', {
    version,
    actions: [{ action: 'replaceTaxRate', taxRateId: german19.id, taxRate: rate }],
  });
  t.match(await refused(shop, dearer), {
    status: 400,
    code: 'PriceChanged',
    lineItems: [dearer.lineItems[0]!.id],
    shipping: true,
  });
  await request('POST', '/tax-categories/key=standard', {
    version: (version as number) + 1,
    actions: [
      {
        action: 'removeTaxRate',
        taxRateId: (await api.taxCategories().withKey({ key: 'standard' }).get().execute()).body.rates.find(
          ({ country }) => country === 'DE',
        )!.id,
      },
    ],
  });
  t.match(await refused(shop, dearer), { status: 400, code: 'MissingTaxRateForCountry', country: 'DE' });
});

t.test('a tax rate is another one when its parts are, or whether the price has it', async (t) => {
  const shop = await startOrderShop();
  const { cart, request } = shop;
  const own = await cart(lamp({ shippingAddress: { country: 'US', state: 'NY' } }));
  const replace = async (change: object): Promise<void> => {
    const { version, rates } = (await request('GET', '/tax-categories/key=standard')).body as {
      version: number;
      rates: { id: string; state?: string }[];
    };
    const { id, ...rate } = rates.find(({ state }) => state === 'NY')!;
    const actions = [{ action: 'replaceTaxRate', taxRateId: id, taxRate: { ...rate, ...change } }];
    const { status, text } = await request('POST', '/tax-categories/key=standard', { version, actions });
    t.equal(status, 200, text);
  };
  const parts = (state: number, city: number) => [
    { name: 'State', amount: state },
    { name: 'City', amount: city },
  ];
  const changed = { status: 400, count: 1, code: 'PriceChanged', lineItems: [own.lineItems[0]!.id] };
  await replace({ subRates: parts(0.05, 0.03875) });
  t.match(await refused(shop, own), changed);
  await replace({ subRates: parts(0.04, 0.04875), includedInPrice: true });
  t.match(await refused(shop, own), changed);
  await replace({ includedInPrice: false, name: 'Other' });
  t.match(await ordered(shop, own), { taxedPrice: own.taxedPrice }, 'a name costs nothing');
});

t.test('a gift that is not given any more is not ordered', async (t) => {
  const shop = await startOrderShop();
  const { addDiscount, addProduct, cart, request } = shop;
  await addProduct('pen', [{ value: eur(100) }]);
  const product = { typeId: 'product' as const, key: 'pen' };
  const discount = await addDiscount('gift', { type: 'giftLineItem', product, variantId: 1 });
  const own = await cart(lamp());
  const gift = own.lineItems.find(({ lineItemMode }) => lineItemMode === 'GiftLineItem')!;
  await request('POST', `/cart-discounts/${discount}`, {
    version: 1,
    actions: [{ action: 'changeIsActive', isActive: false }],
  });
  t.match(await refused(shop, own), { status: 400, count: 1, code: 'PriceChanged', lineItems: [gift.id] });
});

t.test('a cart that is locked is ordered by who may change it', async (t) => {
  const shop = await startOrderShop();
  const { cart, update } = shop;
  const plain = shop.apiWith(await shop.tokenWith([`manage_orders:${shop.projectKey}`]));
  const own = await update(await cart(lamp()), { action: 'lockCart' });
  t.match(
    await refusalOf(
      plain
        .orders()
        .post({ body: draftOf(own) })
        .execute(),
    ),
    { status: 403 },
  );
  t.match(await ordered(shop, own), { orderState: 'Open' });
});

t.test('where several methods ship a cart each has its own address, and its own taxes', async (t) => {
  const shop = await startOrderShop();
  const { cart, severally, update } = shop;
  const { shippingAddress: _, ...without } = severally;
  t.match(await ordered(shop, await cart(without)), { shippingMode: 'Multiple', shipping: [{}, {}] });
  const { shipping: _s, customShipping: _c, lineItems: _l, ...bare } = without;
  const items = [{ key: 'item', name: { en: 'Wrap' }, slug: 'wrap', money: eur(100), taxCategory: standard }];
  const unshipped = await cart({ ...bare, customLineItems: items });
  const { body } = await shop.request('POST', '/orders', draftOf(unshipped));
  t.match(body['errors'], [{ message: /no shipping methods/ }, { code: 'InvalidItemShippingDetails' }]);
  const external = await cart({ ...without, taxMode: 'External' });
  t.match((await shop.request('POST', '/orders', draftOf(external))).body['errors'], [
    { code: 'InvalidOperation', message: /item.*no tax rate/ },
    { code: 'InvalidOperation', message: /method.*no tax rate/ },
    { code: 'InvalidOperation', message: /method.*no tax rate/ },
  ]);
  const rate = { name: 'Own', amount: 0.1, country: 'DE' };
  const rated = await update(
    external,
    ...['by-post', 'courier'].flatMap((shippingKey): CartUpdateAction[] => [
      { action: 'setLineItemTaxRate', lineItemKey: 'line', shippingKey, externalTaxRate: rate },
      { action: 'setShippingMethodTaxRate', shippingKey, externalTaxRate: rate },
    ]),
  );
  t.match(await ordered(shop, rated), { taxMode: 'External' });
});

t.test('taxes that others choose have to be there, and units have to go somewhere', async (t) => {
  const shop = await startOrderShop();
  const { cart, update } = shop;
  const rate = { name: 'Own', amount: 0.1, country: 'DE' };
  const external = await cart(lamp({ taxMode: 'External' }));
  t.match(await refused(shop, external), { status: 400, count: 1, code: 'InvalidOperation', message: /tax rate/ });
  const rated = await update(external, { action: 'setLineItemTaxRate', lineItemKey: 'line', externalTaxRate: rate });
  t.match(await ordered(shop, rated), { taxedPrice: { totalGross: { centAmount: 2200 } } });
  const amounts = await cart(lamp({ taxMode: 'ExternalAmount' }));
  t.match(await refused(shop, amounts), { status: 400, count: 1, code: 'InvalidOperation', message: /taxes/ });
  t.match(await ordered(shop, await cart(lamp({ taxMode: 'Disabled' }))), { taxMode: 'Disabled' });
  const home = { ...german, key: 'home' };
  const short = await cart(
    lamp({
      itemShippingAddresses: [home],
      lineItems: [
        { key: 'line', sku: 'lamp', quantity: 2, shippingDetails: { targets: [{ addressKey: 'home', quantity: 1 }] } },
      ],
    }),
  );
  t.match(await refused(shop, short), {
    status: 400,
    count: 1,
    code: 'InvalidItemShippingDetails',
    subject: 'LineItem',
    itemId: short.lineItems[0]!.id,
  });
});

t.test('each code of the cart has to be in effect, and is used once', async (t) => {
  const shop = await startOrderShop();
  const { addDiscount, api, cart, request } = shop;
  const discount = await addDiscount('off', { type: 'relative', permyriad: 1000 }, { requiresDiscountCode: true });
  const makeCode = async (code: string, draft: object = {}): Promise<string> =>
    (
      await api
        .discountCodes()
        .post({ body: { code, cartDiscounts: [{ typeId: 'cart-discount', id: discount }], ...draft } })
        .execute()
    ).body.id;
  const countOf = async (id: string): Promise<unknown> => {
    const { body } = await graphql(shop, {
      operation: 'query',
      field: 'discountCode',
      args: { id: { type: 'String!', value: id } },
      selection: '{ applicationCount }',
    });
    return (body['data'] as { discountCode: { applicationCount: number } }).discountCode.applicationCount;
  };
  const once = await makeCode('ONCE', { maxApplications: 1 });
  const [first, second] = [
    await cart(lamp({ discountCodes: ['ONCE'] })),
    await cart(lamp({ discountCodes: ['ONCE'] })),
  ];
  t.match(await ordered(shop, first), { totalPrice: { centAmount: 1800 }, discountCodes: [{ state: 'MatchesCart' }] });
  t.equal(await countOf(once), 1);
  const reached = {
    status: 400,
    count: 1,
    code: 'DiscountCodeNonApplicable',
    discountCode: 'ONCE',
    discountCodeId: once,
    dicountCodeId: once,
  };
  t.match(await refused(shop, second), reached);
  t.match(
    await cart(lamp({ discountCodes: ['ONCE'] })),
    { discountCodes: [{ state: 'MaxApplicationReached' }] },
    'carts say so from then on',
  );
  t.equal(await countOf(once), 1, 'nothing was counted');
  const gone = await makeCode('GONE');
  const left = await cart(lamp({ discountCodes: ['GONE'] }));
  await request('DELETE', `/discount-codes/${gone}?version=1`);
  t.match(await refused(shop, left), {
    code: 'DiscountCodeNonApplicable',
    reason: 'DoesNotExist',
    discountCode: gone,
    discountCodeId: gone,
  });
  const late = await makeCode('LATE');
  const tooLate = await cart(lamp({ discountCodes: ['LATE'] }));
  await request('POST', `/discount-codes/${late}`, {
    version: 1,
    actions: [{ action: 'setValidUntil', validUntil: '2020-01-01T00:00:00.000Z' }],
  });
  t.match(await refused(shop, tooLate), {
    code: 'DiscountCodeNonApplicable',
    reason: 'TimeRangeNonApplicable',
    discountCode: 'LATE',
    validUntil: '2020-01-01T00:00:00.000Z',
    validityCheckTime: String,
  });
  const { body: jane } = await api
    .customers()
    .post({ body: { email: 'jane@example.org', password: 'shopper-pass-1' } })
    .execute();
  const customerId = jane.customer.id;
  await makeCode('EACH', { maxApplicationsPerCustomer: 2 });
  const carts = [];
  for (let index = 0; index < 3; index += 1) carts.push(await cart(lamp({ customerId, discountCodes: ['EACH'] })));
  await ordered(shop, carts[0]!);
  await ordered(shop, carts[1]!);
  t.match(await refused(shop, carts[2]!), { code: 'DiscountCodeNonApplicable', discountCode: 'EACH' });
  t.match(await cart(lamp({ customerId, discountCodes: ['EACH'] })), {
    discountCodes: [{ state: 'MaxApplicationReached' }],
  });
  t.match(await ordered(shop, await cart(lamp({ discountCodes: ['EACH'] }))), { orderState: 'Open' }, 'others may');
});

t.test('stock goes with the order, as each line is to be counted', async (t) => {
  const shop = await startOrderShop();
  const { addProduct, api, cart, request } = shop;
  await addProduct('vase', [{ value: eur(100) }]);
  await addProduct('mug', [{ value: eur(100) }]);
  const stock = (sku: string, quantityOnStock: number, draft: object = {}) =>
    api
      .inventory()
      .post({ body: { sku, quantityOnStock, ...draft } })
      .execute();
  await stock('lamp', 3);
  await stock('vase', 0, { restockableInDays: 0 });
  await stock('lamp', 1, { supplyChannel: { typeId: 'channel', key: 'north' } });
  const stockOf = async (sku: string, channel = 'is not defined'): Promise<unknown> => {
    const where = `sku = "${sku}" and supplyChannel ${channel}`;
    const { results } = (await api.inventory().get({ queryArgs: { where } }).execute()).body;
    return results.map(({ quantityOnStock, availableQuantity, version }) => [
      quantityOnStock,
      availableQuantity,
      version,
    ])[0];
  };
  const reserving = { inventoryMode: 'ReserveOnOrder' as const };
  const tooMany = await cart({
    ...lamp(reserving),
    lineItems: [
      { key: 'line', sku: 'lamp', quantity: 2 },
      { key: 'more', sku: 'lamp', quantity: 2, custom: { type: { typeId: 'type', key: 'note' } } },
      { key: 'none', sku: 'mug' },
      { key: 'vase', sku: 'vase', quantity: 9 },
    ],
  });
  const [line, more, none] = tooMany.lineItems;
  t.match(await refused(shop, tooMany), {
    status: 400,
    count: 1,
    code: 'OutOfStock',
    lineItems: Array,
    skus: Array,
  });
  const { lineItems, skus } = await refused(shop, tooMany);
  t.strictSame(new Set(lineItems as string[]), new Set([line!.id, more!.id, none!.id]));
  t.strictSame(new Set(skus as string[]), new Set(['lamp', 'mug']));
  t.strictSame(await stockOf('lamp'), [3, 3, 1], 'nothing was taken');
  await ordered(shop, await cart(lamp(reserving)));
  t.strictSame(await stockOf('lamp'), [1, 1, 2]);
  t.match(await refused(shop, await cart(lamp(reserving))), { code: 'OutOfStock', skus: ['lamp'] });
  await ordered(shop, await cart(lamp({ inventoryMode: 'TrackOnly' })));
  t.strictSame(await stockOf('lamp'), [-1, -1, 3], 'what is only tracked falls below zero');
  await ordered(shop, await cart(lamp({ ...reserving, lineItems: [{ sku: 'vase', quantity: 5 }] })));
  t.strictSame(await stockOf('vase'), [-5, -5, 2], 'what comes again is sold');
  const north = { typeId: 'channel' as const, key: 'north' };
  await ordered(shop, await cart(lamp({ ...reserving, lineItems: [{ sku: 'lamp', supplyChannel: north }] })));
  t.strictSame(await stockOf('lamp', 'is defined'), [0, 0, 2], 'at its channel');
  await ordered(shop, await cart(lamp()));
  t.strictSame(await stockOf('lamp'), [-1, -1, 3], 'and not at all where nothing is counted');
  const { version } = (await request('GET', '')).body;
  await request('POST', '', {
    version,
    actions: [{ action: 'setReservationExpirationInMinutes', reservationExpirationInMinutes: 30 }],
  });
  await stock('mug', 4);
  const held = await cart(
    lamp({
      lineItems: [
        { key: 'held', sku: 'mug', quantity: 3, inventoryMode: 'ReserveOnCart' },
        {
          key: 'free',
          sku: 'mug',
          quantity: 1,
          inventoryMode: 'ReserveOnOrder',
          custom: { type: { typeId: 'type', key: 'note' } },
        },
      ],
    }),
  );
  t.strictSame(await stockOf('mug'), [4, 1, 2]);
  const order = await ordered(shop, held);
  t.strictSame(await stockOf('mug'), [0, 0, 3], 'what was held back leaves the stock');
  const expand = 'lineItems[*].reservation';
  const { body: expanded } = await api.orders().withId({ ID: order.id }).get({ queryArgs: { expand } }).execute();
  t.match(expanded.lineItems[0]!.reservation, { obj: { state: 'Committed' } });
  await request('DELETE', `/orders/${order.id}?version=1`);
  t.strictSame(await stockOf('mug'), [0, 0, 3], 'a deletion brings nothing back');
});

t.test('rivals sell what there is and no more, in any order of SKUs', async (t) => {
  const shop = await startOrderShop();
  const { addProduct, api, cart, request } = shop;
  await addProduct('vase', [{ value: eur(100) }]);
  for (const sku of ['lamp', 'vase'])
    await api
      .inventory()
      .post({ body: { sku, quantityOnStock: 10 } })
      .execute();
  const discount = await shop.addDiscount('off', { type: 'relative', permyriad: 1000 }, { requiresDiscountCode: true });
  await api
    .discountCodes()
    .post({ body: { code: 'FEW', maxApplications: 5, cartDiscounts: [{ typeId: 'cart-discount', id: discount }] } })
    .execute();
  const skus = ['lamp', 'vase'];
  const carts = await Promise.all(
    Array.from({ length: 32 }, (_, index) =>
      cart({
        shippingAddress: german,
        inventoryMode: 'ReserveOnOrder',
        lineItems: (index % 2 === 0 ? skus : skus.toReversed()).map((sku) => ({ sku })),
        ...(index % 3 === 0 && { discountCodes: ['FEW'] }),
      }),
    ),
  );
  const answers = await Promise.all(carts.map((own) => request('POST', '/orders', draftOf(own))));
  const done = carts.filter((_, index) => answers[index]!.status === 201);
  t.ok(
    answers.every(({ status }) => status === 201 || status === 400),
    answers.map(({ status }) => status).join(' '),
  );
  t.equal(done.length, 10);
  t.ok(done.filter(({ discountCodes }) => discountCodes.length > 0).length <= 5);
  const { results } = (await api.inventory().get().execute()).body;
  t.strictSame(
    results.map(({ quantityOnStock, availableQuantity }) => [quantityOnStock, availableQuantity]),
    [
      [0, 0],
      [0, 0],
    ],
  );
  const states = await api
    .carts()
    .get({ queryArgs: { where: 'cartState = "Ordered"', limit: 100 } })
    .execute();
  t.strictSame(new Set(states.body.results.map(({ id }) => id)), new Set(done.map(({ id }) => id)));
});

t.test('an order number is given once, and a payment has one order or cart', async (t) => {
  const shop = await startOrderShop();
  const { api, cart, request, update } = shop;
  const own = await cart(lamp());
  const same = await Promise.all(
    Array.from({ length: 8 }, () => request('POST', '/orders', draftOf(own, { orderNumber: 'X' }))),
  );
  t.strictSame(
    same.map(({ status }) => status).toSorted((one, other) => one - other),
    [201, ...Array.from({ length: 7 }, () => 409)],
  );
  const another = await cart(lamp());
  t.match(await refused(shop, another, { orderNumber: 'X' }), {
    status: 400,
    code: 'DuplicateField',
    field: 'orderNumber',
    duplicateValue: 'X',
  });
  const { body: payment } = await api
    .payments()
    .post({ body: { amountPlanned: eur(100) } })
    .execute();
  const addPayment = { action: 'addPayment' as const, payment: { typeId: 'payment' as const, id: payment.id } };
  const paid = await ordered(shop, await update(another, addPayment));
  t.match(paid, { paymentInfo: { payments: [{ typeId: 'payment', id: payment.id }] } });
  const refusal = await refusalOf(update(await cart(lamp()), addPayment));
  t.match(refusal, { status: 400, error: { code: 'InvalidOperation', message: /another cart or order/ } });
});

t.test('what an order may not have any more is told together', async (t) => {
  const shop = await startOrderShop();
  const { cart, request } = shop;
  await ordered(shop, await cart(lamp()), { orderNumber: 'X' });
  const { body: payment } = await request('POST', '/payments', { amountPlanned: eur(100) });
  const payments = [{ typeId: 'payment', id: payment['id'] }];
  const short = await cart(lamp({ inventoryMode: 'ReserveOnOrder' }));
  const made = await request('POST', '/orders', draftOf(short, { orderNumber: 'X' }));
  const codesOf = ({ body }: typeof made): unknown => (body['errors'] as { code: string }[]).map(({ code }) => code);
  t.strictSame(codesOf(made), ['OutOfStock', 'DuplicateField']);
  t.strictSame(codesOf(await request('POST', '/orders', draftOf(short, { orderNumber: 'Y' }))), ['OutOfStock']);
  const imported = (draft: object) =>
    request('POST', '/orders/import', {
      totalPrice: eur(1),
      inventoryMode: 'TrackOnly',
      paymentInfo: { payments },
      lineItems: [{ name: { en: 'Lamp' }, variant: { sku: 'lamp' }, price: { value: eur(1) }, quantity: 1 }],
      ...draft,
    });
  t.strictSame(codesOf(await imported({ orderNumber: 'X' })), ['OutOfStock', 'DuplicateField']);
  t.equal((await imported({ inventoryMode: 'None' })).status, 201);
  t.strictSame(codesOf(await imported({ orderNumber: 'Y' })), ['OutOfStock', 'InvalidOperation']);
});

t.test('shoppers order their own carts, read their orders, and change none', async (t) => {
  const shop = await startOrderShop();
  const { api, cart, request } = shop;
  for (const shopper of ['customer', 'anonymous'] as const) {
    const scope = `manage_my_orders:${shop.projectKey}`;
    const token = await shopperToken(shop, { shopper, email: `${shopper}@example.org`, scope });
    const headers = { authorization: `Bearer ${token}` };
    const ask = (method: string, path: string, body?: unknown) => request(method, path, body, headers);
    const own = (await ask('POST', '/me/carts', { currency: 'EUR', ...lamp() })).body as unknown as Cart;
    const foreign = await cart(lamp());
    t.match(await ask('POST', '/me/orders', { id: foreign.id, version: foreign.version }), {
      status: 400,
      body: { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'cart', id: foreign.id }] },
    });
    const made = await ask('POST', '/me/orders', { id: own.id, version: own.version, orderNumber: 'ignored' });
    t.equal(made.status, 201, made.text);
    const order = made.body as unknown as Order;
    t.match(order, { customerId: own.customerId, anonymousId: own.anonymousId, orderNumber: undefined });
    t.match((await ask('GET', `/me/orders/${order.id}`)).body, { id: order.id });
    t.match((await ask('GET', '/me/orders')).body, { total: 1, results: [{ id: order.id }] });
    t.equal((await ask('GET', '/me/active-cart')).status, 404, 'the cart is no longer active');
    t.equal((await ask('GET', `/me/orders/${(await ordered(shop, foreign)).id}`)).status, 404);
    t.equal((await ask('DELETE', `/me/orders/${order.id}?version=1`)).status, 405);
    t.equal((await ask('POST', `/me/orders/${order.id}`, { version: 1, actions: [] })).status, 405);
    t.equal((await ask('GET', `/orders/${order.id}`)).status, 403);
    const numbered = await shop.change(order, { action: 'setOrderNumber', orderNumber: `N-${shopper}` });
    const query = `{ me { order(orderNumber: "N-${shopper}") { id customerId } orders { total } } }`;
    t.match((await ask('POST', '/graphql', { query })).body, {
      data: { me: { order: { id: numbered.id }, orders: { total: 1 } } },
    });
    const mutation = `mutation { createMyOrderFromCart(draft: { id: "${own.id}", version: ${own.version} }) { id } }`;
    t.match((await ask('POST', '/graphql', { query: mutation })).body, {
      errors: [{ extensions: { code: 'ConcurrentModification', currentVersion: own.version + 1 } }],
    });
  }
  t.equal((await api.orders().get().execute()).body.total, 4);
});

t.test('stores have orders of their own, and sell to their countries', async (t) => {
  const shop = await startOrderShop();
  const { cart, request } = shop;
  for (const key of ['mine', 'other'])
    await request('POST', '/stores', { key, name: { en: key }, countries: key === 'mine' ? [] : [{ code: 'US' }] });
  const place = '/in-store/key=mine';
  const own = await cart(lamp({ store: { typeId: 'store', key: 'mine' } }));
  const foreign = await cart(lamp({ store: { typeId: 'store', key: 'other' }, country: 'US' }));
  t.match(await request('POST', `${place}/orders`, draftOf(foreign)), {
    status: 400,
    body: { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'cart' }] },
  });
  const { status, body } = await request('POST', `${place}/orders`, draftOf(own, { orderNumber: 'S-1' }));
  t.match({ status, body }, { status: 201, body: { store: { key: 'mine' } } });
  t.equal((await request('GET', `${place}/orders/order-number=S-1`)).status, 200);
  t.equal((await request('GET', '/in-store/key=other/orders/order-number=S-1')).status, 404);
  const { version } = (await request('GET', '/stores/key=other')).body;
  await request('POST', '/stores/key=other', {
    version,
    actions: [{ action: 'setCountries', countries: [{ code: 'DE' }] }],
  });
  t.match(await refused(shop, foreign), {
    status: 400,
    count: 1,
    code: 'CountryNotConfiguredInStore',
    storeCountries: ['DE'],
    country: 'US',
  });
});

t.test('a visitor who signs in goes on having the orders of the session', async (t) => {
  const shop = await startOrderShop();
  const { request } = shop;
  const token = await shopperToken(shop, { shopper: 'anonymous' });
  const headers = { authorization: `Bearer ${token}` };
  const own = (await request('POST', '/me/carts', { currency: 'EUR', ...lamp() }, headers)).body as unknown as Cart;
  const { body: order } = await request('POST', '/me/orders', { id: own.id, version: own.version }, headers);
  const draft = { email: 'new@example.org', password: 'shopper-pass-1', anonymousId: own.anonymousId };
  const { body } = await request('POST', '/customers', draft);
  const { customer } = body as { customer: { id: string } };
  const { body: moved } = await request('GET', `/orders/${String(order['id'])}`);
  t.match(moved, { customerId: customer.id });
  t.notOk('anonymousId' in moved);
});
