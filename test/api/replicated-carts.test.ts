import { randomUUID } from 'node:crypto';
import t from 'tap';
import { startProject } from '../support/platform.ts';
import { engraved, made, openCartShop } from '../support/cart-visit-shop.ts';

const unknown = (typeId: string): object => ({
  status: 400,
  body: { errors: [{ code: 'ReferencedResourceNotFound', typeId }] },
});

t.test('a replica has what the cart has, at the prices and with the product data of today', async (t) => {
  const platform = await startProject();
  const { request, api } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  const payment = made(
    await request('POST', '/payments', { amountPlanned: { currencyCode: 'EUR', centAmount: 1000 } }),
  );
  made(
    await request('POST', '/cart-discounts', {
      key: 'ten',
      name: { en: 'Ten percent' },
      value: { type: 'relative', permyriad: 1000 },
      cartPredicate: 'true = true',
      target: { type: 'lineItems', predicate: 'true = true' },
      sortOrder: '0.5',
      requiresDiscountCode: true,
    }),
  );
  made(await request('POST', '/discount-codes', { code: 'TEN', cartDiscounts: [{ key: 'ten' }] }));
  const source = made(
    await request('POST', '/carts', {
      key: 'source',
      currency: 'EUR',
      country: 'DE',
      customerId,
      shippingAddress: { country: 'DE' },
      lineItems: [
        { sku: 'LAMP', quantity: 2, key: 'lamp', custom: engraved('Jane') },
        { sku: 'CHAIR' },
        { sku: 'TABLE' },
      ],
      customLineItems: [
        {
          name: { en: 'Wrapping' },
          slug: 'wrapping',
          money: { currencyCode: 'EUR', centAmount: 100 },
          taxCategory: { key: 'standard' },
        },
      ],
      discountCodes: ['TEN'],
      custom: engraved('Cart'),
    }),
  );
  const frozen = await shop.update(
    `/carts/${source.id}`,
    { action: 'addPayment', payment: { typeId: 'payment', id: payment.id } },
    { action: 'lockCart' },
    { action: 'freezeCart' },
  );
  t.match(frozen, { cartState: 'Frozen', lock: {}, paymentInfo: {} });
  // Lamps cost more and are called otherwise, chairs have gone, and tables are not sold for now.
  await shop.update(
    `/products/${shop.products.LAMP.id}`,
    { action: 'setPrices', variantId: 1, prices: [{ value: { currencyCode: 'EUR', centAmount: 1500 } }] },
    { action: 'changeName', name: { en: 'New lamp' } },
    { action: 'publish' },
  );
  await shop.update(`/products/${shop.products.CHAIR.id}`, { action: 'unpublish' });
  await shop.update(
    `/products/${shop.products.TABLE.id}`,
    { action: 'setPrices', variantId: 1, prices: [] },
    { action: 'publish' },
  );

  const { body: replica, statusCode } = await api
    .carts()
    .replicate()
    .post({ body: { reference: { typeId: 'cart', id: source.id }, key: 'replica' } })
    .execute();
  t.equal(statusCode, 201);
  t.match(replica, {
    version: 1,
    key: 'replica',
    customerId,
    cartState: 'Active',
    lock: undefined,
    freezeStrategy: undefined,
    paymentInfo: undefined,
    shippingAddress: { country: 'DE' },
    custom: { fields: { text: 'Cart' } },
    discountCodes: [{ state: 'MatchesCart' }],
    lineItems: [
      {
        key: 'lamp',
        name: { en: 'New lamp' },
        quantity: 2,
        price: { value: { centAmount: 1500 } },
        totalPrice: { centAmount: 2700 },
        custom: { fields: { text: 'Jane' } },
        taxRate: { amount: 0.19 },
      },
    ],
    customLineItems: [{ slug: 'wrapping', totalPrice: { centAmount: 100 } }],
    totalPrice: { centAmount: 2800 },
    taxedPrice: { totalGross: { centAmount: 2800 } },
  });
  t.equal(replica.lineItems.length, 1, 'what is not sold any more is left out');
  const partsOf = (cart: object): readonly string[] => {
    const { lineItems, customLineItems } = cart as Record<string, readonly { readonly id: string }[]>;
    return [...lineItems!, ...customLineItems!].map(({ id }) => id);
  };
  const ids = partsOf(replica);
  t.strictSame(
    partsOf(source).filter((id) => ids.includes(id)),
    [],
    'its items are its own',
  );
  t.match((await request('GET', `/carts/${source.id}`)).body, { version: frozen.version, cartState: 'Frozen' });
  t.strictSame((await request('GET', '/carts/key=replica')).body, JSON.parse(JSON.stringify(replica)));
  const again = { reference: { typeId: 'cart', id: source.id }, key: 'replica' };
  t.match(await request('POST', '/carts/replicate', again), {
    status: 400,
    body: { errors: [{ code: 'DuplicateField', field: 'key' }] },
  });
});

t.test('what cannot be taxed any more is left out where a replica is taxed', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const draft = { currency: 'EUR', lineItems: [{ sku: 'LAMP' }, { sku: 'CHAIR' }] };
  const carts = await Promise.all(
    [{ shippingAddress: { country: 'DE' } }, { taxMode: 'Disabled', shippingAddress: { country: 'DE' } }, {}].map(
      async (more) => made(await request('POST', '/carts', { ...draft, ...more })),
    ),
  );
  await shop.update(`/products/${shop.products.CHAIR.id}`, { action: 'setTaxCategory' });
  const counts: number[] = [];
  for (const { id } of carts) {
    const replica = made(await request('POST', '/carts/replicate', { reference: { typeId: 'cart', id } }));
    counts.push((replica['lineItems'] as readonly object[]).length);
  }
  t.strictSame(counts, [1, 2, 2]);
});

t.test('carts that are over are replicated, and gifts come with their discounts', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  made(
    await request('POST', '/cart-discounts', {
      key: 'gift',
      name: { en: 'A chair' },
      value: { type: 'giftLineItem', product: { key: 'chair' }, variantId: 1 },
      cartPredicate: 'true = true',
      sortOrder: '0.5',
    }),
  );
  made(await request('POST', '/carts', { currency: 'EUR', customerId }));
  const lineItems = [{ sku: 'LAMP' }];
  const visits = made(await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit', lineItems }));
  t.equal((await shop.login({ anonymousId: 'visit' })).status, 200);
  t.match((await request('GET', `/carts/${visits.id}`)).body, { cartState: 'Merged' });
  const reference = { typeId: 'cart', id: visits.id };
  const replica = made(await request('POST', '/carts/replicate', { reference }));
  t.match(replica, {
    cartState: 'Active',
    anonymousId: 'visit',
    lineItems: [
      { name: { en: 'LAMP' }, lineItemMode: 'Standard' },
      { name: { en: 'CHAIR' }, lineItemMode: 'GiftLineItem', quantity: 1 },
    ],
    totalPrice: { centAmount: 1000 },
  });
  t.equal((replica['lineItems'] as unknown[]).length, 2, 'there is one gift');
});

t.test('shoppers and stores replicate carts of their own alone', async (t) => {
  const platform = await startProject();
  const { request, tokenWith, projectKey } = platform;
  const shop = await openCartShop(platform);
  for (const key of ['north', 'south']) made(await request('POST', '/stores', { key }));
  const [jane, joe] = [await shop.customer('jane@example.org'), await shop.customer('joe@example.org')];
  const draft = { currency: 'EUR', lineItems: [{ sku: 'LAMP' }] };
  const own = made(await request('POST', '/me/carts', draft, jane.headers));
  const reference = { typeId: 'cart', id: own.id };
  t.match(await request('POST', '/me/carts/replicate', { reference }, jane.headers), {
    status: 201,
    body: { customerId: jane.id, lineItems: [{ quantity: 1 }], version: 1 },
  });
  t.match(await request('POST', '/me/carts/replicate', { reference, key: 'mine' }, jane.headers), {
    body: { key: undefined },
  });
  t.match(await request('POST', '/me/carts/replicate', { reference }, joe.headers), unknown('cart'));
  const visitor = await shop.visitor('visit');
  t.match(await request('POST', '/me/carts/replicate', { reference }, visitor), unknown('cart'));
  const visits = made(await request('POST', '/me/carts', draft, visitor));
  const ofVisit = { reference: { typeId: 'cart', id: visits.id } };
  t.match(await request('POST', '/me/carts/replicate', ofVisit, visitor), {
    status: 201,
    body: { anonymousId: 'visit' },
  });
  const insufficient = { status: 403, body: { errors: [{ code: 'insufficient_scope' }] } };
  t.match(await request('POST', '/me/carts/replicate', ofVisit), insufficient, 'a client is no shopper');

  const north = made(await request('POST', '/in-store/key=north/carts', draft));
  const ofNorth = { reference: { typeId: 'cart', id: north.id } };
  t.match(await request('POST', '/in-store/key=north/carts/replicate', ofNorth), {
    status: 201,
    body: { store: { typeId: 'store', key: 'north' } },
  });
  t.match(await request('POST', '/in-store/key=south/carts/replicate', ofNorth), unknown('cart'));
  t.match(await request('POST', '/in-store/key=south/carts/replicate', { reference }), unknown('cart'));
  const authorization = `Bearer ${await tokenWith([`manage_orders:${projectKey}:north`])}`;
  t.match(await request('POST', '/in-store/key=north/carts/replicate', ofNorth, { authorization }), { status: 201 });
  t.match(await request('POST', '/carts/replicate', ofNorth, { authorization }), insufficient);
});

t.test('what was taken off one cart directly is taken off no replica', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const jane = await shop.customer('jane@example.org');
  const draft = { currency: 'EUR', shippingAddress: { country: 'DE' }, lineItems: [{ sku: 'LAMP' }] };
  const { id } = made(await request('POST', '/me/carts', draft, jane.headers));
  const discount = { value: { type: 'relative', permyriad: 9000 }, target: { type: 'lineItems', predicate: '1 = 1' } };
  const cheap = await shop.update(`/carts/${id}`, { action: 'setDirectDiscounts', discounts: [discount] });
  t.match(cheap, { totalPrice: { centAmount: 100 } });
  const replicaOf = (typeId: string, source: string) =>
    request('POST', '/me/carts/replicate', { reference: { typeId, id: source } }, jane.headers);
  const full = { status: 201, body: { directDiscounts: [], totalPrice: { centAmount: 1000 } } };
  const replica = await replicaOf('cart', id);
  t.match(replica, full);
  t.strictSame(replica.body['directDiscounts'], []);
  const order = made(await request('POST', '/me/orders', { id, version: cheap.version }, jane.headers));
  t.match(await replicaOf('order', order.id), full);
});

t.test('what is replicated has to be there', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  for (const typeId of ['cart', 'order'])
    t.match(await request('POST', '/carts/replicate', { reference: { typeId, id: randomUUID() } }), unknown(typeId));
  for (const body of [{}, { reference: { id: randomUUID() } }, { reference: { typeId: 'cart' } }, { reference: 1 }])
    t.match(await request('POST', '/carts/replicate', body), { status: 400 }, JSON.stringify(body));
  t.match(await request('POST', '/carts/replicate', { reference: { typeId: 'product', id: randomUUID() } }), {
    status: 400,
    body: { errors: [{ code: 'InvalidField', field: 'reference.typeId' }] },
  });
});

t.test('GraphQL replicates carts', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  made(await request('POST', '/stores', { key: 'north' }));
  const jane = await shop.customer('jane@example.org');
  const draft = { currency: 'EUR', lineItems: [{ sku: 'LAMP', quantity: 2 }] };
  const own = made(await request('POST', '/me/carts', draft, jane.headers));
  const north = made(await request('POST', '/in-store/key=north/carts', draft));
  const named = (id: string): string => `reference: { typeId: "cart", id: "${id}" }`;
  t.match(await shop.graphql(`mutation { replicateCart(${named(own.id)}, key: "copy") { key customer { id } } }`), {
    replicateCart: { key: 'copy', customer: { id: jane.id } },
  });
  t.match(
    await shop.graphql(`mutation { replicateMyCart(${named(own.id)}) { lineItems { quantity } } }`, jane.headers),
    { replicateMyCart: { lineItems: [{ quantity: 2 }] } },
  );
  const inStore = (key: string): string =>
    `mutation { replicateCart(${named(north.id)}, storeKey: { key: "${key}" }) { store { key } } }`;
  t.match(await shop.graphql(inStore('north')), { replicateCart: { store: { key: 'north' } } });
  t.match(await shop.graphql(`mutation { replicateMyCart(${named(north.id)}) { id } }`, jane.headers), [
    { extensions: { code: 'ReferencedResourceNotFound' } },
  ]);
});

t.test('the replica of an order is a cart as that was before, and nothing of an order', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  await openCartShop(platform);
  const cart = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      shippingAddress: { country: 'DE' },
      lineItems: [{ sku: 'LAMP', quantity: 2 }],
      custom: engraved('Cart'),
    }),
  );
  const order = made(
    await request('POST', '/orders', {
      cart: { typeId: 'cart', id: cart.id },
      version: cart.version,
      orderNumber: 'o-1',
      orderState: 'Complete',
      shipmentState: 'Shipped',
      paymentState: 'Paid',
    }),
  );
  const { lineItems } = order as unknown as { readonly lineItems: readonly { readonly id: string }[] };
  const items = [{ lineItemId: lineItems[0]!.id, quantity: 1, shipmentState: 'Returned' }];
  const { version } = order;
  t.match(await request('POST', `/orders/${order.id}`, { version, actions: [{ action: 'addReturnInfo', items }] }), {
    status: 200,
  });
  const replica = made(await request('POST', '/carts/replicate', { reference: { typeId: 'order', id: order.id } }));
  t.match(replica, {
    version: 1,
    cartState: 'Active',
    custom: { fields: { text: 'Cart' } },
    lineItems: [{ quantity: 2, state: [] }],
    totalPrice: { centAmount: 2000 },
  });
  t.strictSame(Object.keys(replica).toSorted(), Object.keys(cart).toSorted());
  t.equal(replica['deleteDaysAfterLastModification'], cart['deleteDaysAfterLastModification']);
  t.strictSame((await request('GET', `/carts/${replica.id}`)).body, replica);
});

t.test('what a custom item is taxed by is its tax category, or the rate that it has', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  await openCartShop(platform);
  const money = { currencyCode: 'EUR', centAmount: 100 };
  const item = (slug: string, more: object = {}) => ({ name: { en: slug }, slug, money, quantity: 1, ...more });
  const rate = { name: '7 %', amount: 0.07, includedInPrice: true };
  const order = made(
    await request('POST', '/orders/import', {
      totalPrice: money,
      shippingAddress: { country: 'DE' },
      customLineItems: [
        item('untaxed'),
        item('categorized', { taxCategory: { key: 'standard' } }),
        item('rated', { taxRate: { ...rate, country: 'DE' } }),
        item('elsewhere', { taxRate: { ...rate, country: 'FR' } }),
      ],
    }),
  );
  const reference = { typeId: 'order', id: order.id };
  const { customLineItems } = made(await request('POST', '/carts/replicate', { reference })) as unknown as {
    readonly customLineItems: readonly object[];
  };
  t.match(customLineItems, [
    { slug: 'categorized', taxRate: { amount: 0.19 } },
    { slug: 'rated', taxRate: { amount: 0.07 } },
  ]);
  t.equal(customLineItems.length, 2, 'what has neither is left out');
  const taxedElsewhere = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      taxMode: 'External',
      shippingAddress: { country: 'DE' },
      customLineItems: [item('untaxed')],
    }),
  );
  const replica = { reference: { typeId: 'cart', id: taxedElsewhere.id } };
  t.match(
    made(await request('POST', '/carts/replicate', replica))['customLineItems'],
    [{ slug: 'untaxed' }],
    'where the platform does not tax, nothing is left out for that',
  );
});

t.test('custom fields that are copied need no field that their type has required since', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  made(
    await request('POST', '/types', {
      key: 'place',
      name: { en: 'Place' },
      resourceTypeIds: ['address'],
      fieldDefinitions: [{ name: 'text', label: { en: 'Text' }, type: { name: 'String' }, required: false }],
    }),
  );
  const jane = await shop.customer('jane@example.org');
  const custom = engraved('Jane');
  const ofPlace = { type: { typeId: 'type', key: 'place' }, fields: { text: 'Jane' } };
  const cart = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      customerId: jane.id,
      shippingAddress: { country: 'DE', custom: ofPlace },
      itemShippingAddresses: [{ key: 'home', country: 'DE', custom: ofPlace }],
      lineItems: [{ sku: 'CHAIR' }, { sku: 'LAMP', custom }],
      customLineItems: [
        {
          name: { en: 'Wrapping' },
          slug: 'wrapping',
          money: { currencyCode: 'EUR', centAmount: 100 },
          taxCategory: { key: 'standard' },
          custom,
        },
      ],
      custom,
    }),
  );
  const order = made(
    await request('POST', '/orders', { cart: { typeId: 'cart', id: cart.id }, version: cart.version }),
  );
  const lamp = { sku: 'LAMP', custom: engraved('Joe') };
  const draft = { currency: 'EUR', shippingAddress: { country: 'DE' }, lineItems: [lamp] };
  const next = made(await request('POST', '/carts', draft));
  await shop.update(`/products/${shop.products.CHAIR.id}`, { action: 'unpublish' });
  const label = { en: 'New' };
  const fieldDefinition = { name: 'newreq', label, type: { name: 'String' }, required: true };
  for (const key of ['engraved', 'place'])
    await shop.update(`/types/key=${key}`, { action: 'addFieldDefinition', fieldDefinition });

  const fields = { text: 'Jane' };
  const copy = {
    status: 201,
    body: {
      custom: { fields },
      shippingAddress: { custom: { fields } },
      itemShippingAddresses: [{ custom: { fields } }],
      lineItems: [{ custom: { fields }, variant: { sku: 'LAMP' } }],
      customLineItems: [{ custom: { fields } }],
    },
  };
  for (const { typeId, id } of [
    { typeId: 'cart', id: cart.id },
    { typeId: 'order', id: order.id },
  ])
    t.match(await request('POST', '/carts/replicate', { reference: { typeId, id } }), copy, typeId);
  const ofJane = { reference: { typeId: 'order', id: order.id } };
  const replica = await request('POST', '/me/carts/replicate', ofJane, jane.headers);
  t.match(replica, copy);

  const { id, version } = replica.body as { readonly id: string; readonly version: number };
  const change = { action: 'setCustomField', name: 'text', value: 'Joe' };
  t.match(
    await request('POST', `/carts/${id}`, { version, actions: [change] }),
    { status: 400, body: { errors: [{ code: 'RequiredField', field: /newreq/ }] } },
    'what is changed needs it',
  );
  await shop.update('/types/key=engraved', { action: 'removeFieldDefinition', fieldName: 'text' });
  let sold = await request('POST', '/orders', { cart: { id: next.id }, version: next.version });
  // The cart may have been changed for that already.
  if (sold.status === 409)
    sold = await request('POST', '/orders', { cart: { id: next.id }, version: next.version + 1 });
  t.match(sold, { status: 201, body: { lineItems: [{ custom: { fields: { text: undefined } } }] } });
  const { body } = await request('POST', '/carts/replicate', ofJane);
  t.match(body, { custom: { fields: { text: undefined } }, lineItems: [{ custom: { fields: { text: undefined } } }] });
});
