import t from 'tap';
import { startPlatform, startProject } from '../support/platform.ts';
import { engraved, made, openCartShop } from '../support/cart-visit-shop.ts';

const eur = (centAmount: number): object => ({ currencyCode: 'EUR', centAmount });
const wrapping = { name: { en: 'Wrapping' }, slug: 'wrapping', money: eur(100), taxCategory: { key: 'standard' } };

t.test(
  'of what both carts have the customer has the greater quantity, and what the visitor had alone is added',
  async (t) => {
    const platform = await startProject();
    const { request } = platform;
    const shop = await openCartShop(platform);
    const { id: customerId } = await shop.customer('jane@example.org');
    const channel = made(await request('POST', '/channels', { key: 'market', roles: ['ProductDistribution'] }));
    const distributionChannel = { typeId: 'channel', id: channel.id };
    const own = made(
      await request('POST', '/carts', {
        currency: 'EUR',
        customerId,
        lineItems: [
          { sku: 'LAMP', quantity: 2, key: 'first', custom: engraved('Jane') },
          { sku: 'CHAIR', quantity: 5 },
        ],
        customLineItems: [wrapping, { ...wrapping, slug: 'card' }],
        custom: engraved('Own'),
      }),
    );
    const visits = made(
      await request('POST', '/carts', {
        currency: 'EUR',
        anonymousId: 'visit',
        country: 'DE',
        lineItems: [
          { sku: 'LAMP', quantity: 7, custom: engraved('Visitor') },
          { sku: 'CHAIR', quantity: 3 },
          { sku: 'CHAIR', distributionChannel },
          { sku: 'TABLE', key: 'first', custom: engraved('Table') },
        ],
        customLineItems: [
          { ...wrapping, quantity: 3 },
          { ...wrapping, slug: 'card', money: eur(200), quantity: 4 },
          { ...wrapping, slug: 'ribbon' },
        ],
        custom: engraved('Visit'),
      }),
    );
    const answer = await shop.login({ anonymousCart: { typeId: 'cart', id: visits.id } });
    t.equal(answer.status, 200);
    const { cart } = answer.body as { cart: { lineItems: object[]; customLineItems: object[] } };
    t.match(cart, {
      id: own.id,
      version: 2,
      country: undefined,
      custom: { fields: { text: 'Own' } },
      totalPrice: { centAmount: 7 * 1000 + 5 * 2000 + 2000 + 3000 + 3 * 100 + 100 + 100 },
    });
    t.match(cart.lineItems, [
      { name: { en: 'LAMP' }, quantity: 7, key: 'first', custom: { fields: { text: 'Jane' } } },
      { name: { en: 'CHAIR' }, quantity: 5, distributionChannel: undefined },
      { name: { en: 'CHAIR' }, quantity: 1, distributionChannel },
      { name: { en: 'TABLE' }, quantity: 1, key: undefined, custom: { fields: { text: 'Table' } } },
    ]);
    t.match(cart.customLineItems, [
      { slug: 'wrapping', quantity: 3 },
      { slug: 'card', quantity: 1, money: { centAmount: 100 } },
      { slug: 'ribbon', quantity: 1 },
    ]);
    t.strictSame([cart.lineItems.length, cart.customLineItems.length], [4, 3]);
    t.strictSame((await request('GET', `/carts/${own.id}`)).body, cart);
    t.match((await request('GET', `/carts/${visits.id}`)).body, {
      version: 2,
      cartState: 'Merged',
      anonymousId: 'visit',
    });
    t.match(await shop.login({ anonymousCart: { id: visits.id } }), { body: { cart: { id: own.id, version: 2 } } });
  },
);

t.test('what a type has become since keeps nobody from what they had before they signed in', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  const own = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      customerId,
      lineItems: [{ sku: 'LAMP', custom: engraved('Own') }],
      customLineItems: [{ ...wrapping, slug: 'card', custom: engraved('Card') }],
    }),
  );
  const visits = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      anonymousId: 'visit',
      lineItems: [{ sku: 'TABLE', custom: engraved('Table') }],
      customLineItems: [
        { ...wrapping, custom: engraved('Wrapped') },
        { ...wrapping, slug: 'card', quantity: 5, custom: engraved('Card') },
      ],
    }),
  );
  const field = (fieldName: string) => ({ name: fieldName, label: { en: fieldName }, type: { name: 'String' } });
  await shop.update(
    '/types/key=engraved',
    { action: 'addFieldDefinition', fieldDefinition: { ...field('needed'), required: true } },
    { action: 'removeFieldDefinition', fieldName: 'text' },
  );
  const answer = await shop.login({ anonymousCart: { typeId: 'cart', id: visits.id } });
  const custom = { type: { typeId: 'type' }, fields: { text: undefined } };
  t.match(answer, {
    status: 200,
    body: {
      cart: {
        id: own.id,
        lineItems: [{ variant: { sku: 'LAMP' } }, { variant: { sku: 'TABLE' }, custom }],
        customLineItems: [
          { slug: 'card', quantity: 5, custom },
          { slug: 'wrapping', custom },
        ],
      },
    },
  });
});

t.test('lines with the same custom fields are merged first, and a total that was given stays', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  const total = { price: eur(500), totalPrice: eur(900) };
  made(
    await request('POST', '/carts', {
      currency: 'EUR',
      customerId,
      lineItems: [
        { sku: 'LAMP', custom: engraved('A') },
        { sku: 'LAMP', custom: engraved('B') },
        { sku: 'CHAIR', quantity: 2, externalTotalPrice: total },
      ],
    }),
  );
  const lineItems = [
    { sku: 'LAMP', quantity: 4, custom: engraved('B') },
    { sku: 'CHAIR', quantity: 9 },
  ];
  made(await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit', lineItems }));
  const merged = await request('POST', `/carts/customer-id=${customerId}/merge`, { anonymousId: 'visit' });
  t.match(merged, {
    status: 200,
    body: {
      lineItems: [
        { quantity: 1, custom: { fields: { text: 'A' } } },
        { quantity: 4, custom: { fields: { text: 'B' } } },
        { quantity: 2, totalPrice: { centAmount: 900 } },
      ],
    },
  });
});

t.test('a rate that a client gave for a whole line counts for no method of another cart', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  const externalTaxRate = { name: 'Own', amount: 0.1, country: 'DE' };
  const draft = { currency: 'EUR', taxMode: 'External' };
  const lineItems = [{ sku: 'LAMP', externalTaxRate }];
  for (const [shippingMode, anonymousId] of [
    ['Single', 'alike'],
    ['Multiple', 'otherwise'],
  ] as const) {
    const own = made(await request('POST', '/carts', { ...draft, shippingMode, customerId }));
    made(await request('POST', '/carts', { ...draft, shippingMode: 'Single', anonymousId, lineItems }));
    const merged = await request('POST', `/carts/customer-id=${customerId}/merge`, { anonymousId });
    t.match(merged, { status: 200, body: { id: own.id, lineItems: [{ quantity: 1 }] } });
    const [line] = merged.body['lineItems'] as [{ readonly taxRate?: object }];
    t.equal(line.taxRate !== undefined, shippingMode === 'Single', shippingMode);
  }
});

t.test('what the customer’s cart cannot hold is left out', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  made(await request('POST', '/stores', { key: 'north' }));
  const selection = made(await request('POST', '/product-selections', { key: 'selected', name: { en: 'Selected' } }));
  await shop.update(`/product-selections/${selection.id}`, { action: 'addProduct', product: { key: 'lamp' } });
  await shop.update(`/product-selections/${selection.id}`, { action: 'addProduct', product: { key: 'table' } });
  const own = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      customerId,
      store: { key: 'north' },
      taxMode: 'Platform',
      shippingAddress: { country: 'DE' },
    }),
  );
  made(
    await request('POST', '/carts', {
      currency: 'USD',
      anonymousId: 'visit',
      store: { key: 'north' },
      taxMode: 'External',
      itemShippingAddresses: [{ key: 'home', country: 'DE' }],
      lineItems: [
        { sku: 'LAMP', externalPrice: { currencyCode: 'USD', centAmount: 100 } },
        // Priced for the visitor alone.
        { sku: 'CHAIR', externalPrice: { currencyCode: 'USD', centAmount: 200 } },
      ],
      customLineItems: [
        { ...wrapping, money: { currencyCode: 'USD', centAmount: 1 } },
        { ...wrapping, slug: 'untaxed', taxCategory: undefined, money: { currencyCode: 'USD', centAmount: 1 } },
      ],
    }),
  );
  const first = await shop.login({ anonymousId: 'visit' });
  t.match(first, { status: 200, body: { cart: { id: own.id, version: 1, lineItems: [], customLineItems: [] } } });

  // Of what is in the right currency one product is not sold in the store, and one not at all.
  const external = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      anonymousId: 'visit-2',
      store: { key: 'north' },
      taxMode: 'External',
      itemShippingAddresses: [{ key: 'home', country: 'DE' }],
      lineItems: [
        { sku: 'LAMP', quantity: 2, shippingDetails: { targets: [{ addressKey: 'home', quantity: 2 }] } },
        { sku: 'CHAIR' },
        { sku: 'TABLE' },
      ],
      customLineItems: [
        { ...wrapping, taxCategory: undefined },
        { ...wrapping, slug: 'card' },
      ],
    }),
  );
  const store = (await request('GET', '/stores/key=north')).body;
  await shop.update(`/stores/${String(store['id'])}`, {
    action: 'addProductSelection',
    productSelection: { key: 'selected' },
    active: true,
  });
  await shop.update(`/products/${shop.products.TABLE.id}`, { action: 'unpublish' });
  const second = await shop.login({ anonymousCartId: external.id });
  t.match(second, {
    status: 200,
    body: {
      cart: {
        version: 2,
        lineItems: [{ name: { en: 'LAMP' }, quantity: 2, shippingDetails: undefined, taxRate: { amount: 0.19 } }],
        customLineItems: [{ slug: 'card', taxRate: { amount: 0.19 } }],
      },
    },
  });
  const { cart } = second.body as { cart: { lineItems: object[]; customLineItems: object[] } };
  t.strictSame([cart.lineItems.length, cart.customLineItems.length], [1, 1]);
});

t.test('a cart that is full takes no more lines', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  const lineItems = Array.from({ length: 500 }, (_, index) => ({ sku: 'LAMP', custom: engraved(String(index)) }));
  made(await request('POST', '/carts', { currency: 'EUR', customerId, lineItems }));
  const visits = [
    { sku: 'LAMP', quantity: 3, custom: engraved('7') },
    { sku: 'CHAIR', quantity: 1 },
  ];
  made(await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit', lineItems: visits }));
  const { status, body } = await shop.login({ anonymousId: 'visit' });
  t.equal(status, 200);
  const { cart } = body as { cart: { lineItems: { quantity: number }[]; totalLineItemQuantity: number } };
  t.strictSame([cart.lineItems.length, cart.totalLineItemQuantity, cart.lineItems[7]!.quantity], [500, 502, 3]);
});

t.test('the payments of a cart that was merged are free for another', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  const payment = { typeId: 'payment', id: made(await request('POST', '/payments', { amountPlanned: eur(1) })).id };
  const own = made(await request('POST', '/carts', { currency: 'EUR', customerId }));
  const visits = made(await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit' }));
  const add = async (id: string): ReturnType<typeof request> => {
    const { version } = (await request('GET', `/carts/${id}`)).body;
    return request('POST', `/carts/${id}`, { version, actions: [{ action: 'addPayment', payment }] });
  };
  t.equal((await add(visits.id)).status, 200);
  t.match(await add(own.id), { status: 400, body: { errors: [{ code: 'InvalidOperation' }] } });
  const merged = await request('POST', `/carts/customer-id=${customerId}/merge`, { anonymousId: 'visit' });
  t.match(merged, { status: 200, body: { id: own.id } });
  t.match((await request('GET', `/carts/${visits.id}`)).body, {
    cartState: 'Merged',
    paymentInfo: { payments: [payment] },
  });
  t.match(await add(own.id), { status: 200, body: { paymentInfo: { payments: [payment] } } });
});

t.test('updateProductData has the cart that comes out of it say what its products are', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const jane = await shop.customer('jane@example.org');
  const draft = { currency: 'EUR', lineItems: [{ sku: 'LAMP' }] };
  const rename = (en: string): Promise<unknown> =>
    shop.update(`/products/${shop.products.LAMP.id}`, { action: 'changeName', name: { en } }, { action: 'publish' });
  const named = (en: string): object => ({ lineItems: [{ name: { en } }] });
  const nameOf = (en: string): object => ({ status: 200, body: { cart: named(en) } });
  made(await request('POST', '/carts', { ...draft, anonymousId: 'visit' }));
  await rename('Second');
  t.match(await shop.login({ anonymousId: 'visit', updateProductData: true }), nameOf('Second'), 'taken over');
  await rename('Third');
  t.match(await shop.login({}), nameOf('Second'), 'unless it is asked for');
  t.match(await shop.login({ updateProductData: true }), nameOf('Third'), 'the customer’s own');
  const { version } = (await request('GET', '/me/active-cart', undefined, jane.headers)).body;
  t.match(await shop.login({ updateProductData: true }), { body: { cart: { version } } }, 'once');
  await rename('Fourth');
  const visits = made(await request('POST', '/carts', { ...draft, anonymousId: 'visit-2' }));
  const merge = { anonymousCart: { typeId: 'cart', id: visits.id } };
  const path = `/carts/customer-id=${jane.id}/merge`;
  t.match(await request('POST', path, { ...merge, updateProductData: true }), {
    status: 200,
    body: named('Fourth'),
  });
});

t.test('GraphQL merges carts', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  made(await request('POST', '/stores', { key: 'north' }));
  const { id } = await shop.customer('jane@example.org');
  const draft = { currency: 'EUR', lineItems: [{ sku: 'LAMP', quantity: 2 }] };
  const own = made(await request('POST', '/carts', { currency: 'EUR', customerId: id }));
  const visits = made(await request('POST', '/carts', { ...draft, anonymousId: 'visit' }));
  const merge = (given: string, store = ''): Promise<unknown> =>
    shop.graphql(
      `mutation { mergeCart(customerId: "${id.toUpperCase()}", draft: { ${given} }${store}) { id lineItems { quantity } } }`,
    );
  const merged = { mergeCart: { id: own.id, lineItems: [{ quantity: 2 }] } };
  t.strictSame(await merge(`anonymousCart: { typeId: "cart", id: "${visits.id}" }`), merged);
  t.match((await request('GET', `/carts/${visits.id}`)).body, { cartState: 'Merged' });
  const next = made(await request('POST', '/carts', { ...draft, anonymousId: 'visit-2' }));
  t.match(await merge('anonymousId: "visit-2", mergeMode: UseAsNewActiveCustomerCart'), { mergeCart: { id: next.id } });
  t.match(await merge('anonymousId: "visit-3"', ', storeKey: { key: "north" }'), [
    { extensions: { code: 'ResourceNotFound' } },
  ]);
});

t.test('who signs in does so even where the carts cannot be computed; who merges them is told', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  const lineItems = [{ sku: 'LAMP' }];
  const shippingAddress = { country: 'DE' };
  const own = made(await request('POST', '/carts', { currency: 'EUR', customerId, shippingAddress, lineItems }));
  const draft = { currency: 'EUR', anonymousId: 'visit', shippingAddress, lineItems: [{ sku: 'CHAIR' }] };
  const visits = made(await request('POST', '/carts', draft));
  const category = (await request('GET', '/tax-categories/key=standard')).body as { rates: { id: string }[] };
  await shop.update('/tax-categories/key=standard', { action: 'removeTaxRate', taxRateId: category.rates[0]!.id });
  const untouched = async (): Promise<void> => {
    t.match((await request('GET', `/carts/${own.id}`)).body, { version: 1, lineItems: [{ name: { en: 'LAMP' } }] });
    t.match((await request('GET', `/carts/${visits.id}`)).body, { version: 1, cartState: 'Active' });
  };
  for (const mode of ['MergeWithExistingCustomerCart', 'UseAsNewActiveCustomerCart'])
    for (const named of [{ anonymousId: 'visit' }, { anonymousCartId: visits.id }])
      t.match(await shop.login({ ...named, anonymousCartSignInMode: mode }), {
        status: 200,
        body: { cart: { id: own.id, version: 1 } },
      });
  await untouched();
  const missing = { status: 400, body: { errors: [{ code: 'MissingTaxRateForCountry', country: 'DE' }] } };
  t.match(await request('POST', `/carts/customer-id=${customerId}/merge`, { anonymousId: 'visit' }), missing);
  const signUp = { email: 'joe@example.org', password: 'secret-pass-1' };
  t.match(await request('POST', '/customers', { ...signUp, anonymousCart: { id: visits.id } }), missing);
  await untouched();
  const signedUp = await request('POST', '/customers', { ...signUp, anonymousId: 'visit' });
  t.equal(signedUp.status, 201);
  t.notOk('cart' in signedUp.body);
  await untouched();
});

t.test('carts that are locked are left alone by those who may not change them', async (t) => {
  const platform = await startProject();
  const { request, tokenWith, projectKey } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  const own = made(await request('POST', '/carts', { currency: 'EUR', customerId }));
  const visits = made(
    await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit', lineItems: [{ sku: 'LAMP' }] }),
  );
  const scopes = ['manage_orders', 'manage_customers'].map((scope) => `${scope}:${projectKey}`);
  const authorization = `Bearer ${await tokenWith(scopes)}`;
  const path = `/carts/customer-id=${customerId}/merge`;
  const body = { anonymousId: 'visit' };
  for (const { id } of [own, visits]) {
    await shop.update(`/carts/${id}`, { action: 'lockCart' });
    t.match(await request('POST', path, body, { authorization }), {
      status: 403,
      body: { errors: [{ code: 'insufficient_scope' }] },
    });
    const email = 'jane@example.org';
    t.match(await request('POST', '/login', { email, password: 'secret-pass-1', ...body }, { authorization }), {
      status: 200,
      body: { cart: { id: own.id, lineItems: [] } },
    });
    t.match((await request('GET', `/carts/${visits.id}`)).body, { cartState: 'Active' });
    await shop.update(`/carts/${id}`, { action: 'unlockCart' });
  }
  await shop.update(`/carts/${own.id}`, { action: 'lockCart' });
  t.match(await request('POST', path, body), { status: 200, body: { id: own.id, lineItems: [{ quantity: 1 }] } });
});

t.test('of many sign-ins at once one merges the cart, whoever changes the customer’s meanwhile', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  const own = made(await request('POST', '/carts', { currency: 'EUR', customerId, lineItems: [{ sku: 'CHAIR' }] }));
  const visits = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      anonymousId: 'visit',
      lineItems: [{ sku: 'LAMP', quantity: 2 }],
    }),
  );
  let changes = 0;
  const path = `/carts/${own.id}`;
  const change = async (): Promise<void> => {
    const { version } = (await request('GET', path)).body;
    const actions = [{ action: 'setCustomerEmail', email: `${changes}@example.org` }];
    if ((await request('POST', path, { version, actions })).status === 200) changes += 1;
  };
  const [, ...answers] = await Promise.all([
    change(),
    ...Array.from({ length: 4 }, () => shop.login({ anonymousId: 'visit' })),
  ]);
  for (const answer of answers) t.match(answer, { status: 200, body: { cart: { id: own.id } } });
  t.match((await request('GET', path)).body, {
    version: 2 + changes,
    lineItems: [
      { name: { en: 'CHAIR' }, quantity: 1 },
      { name: { en: 'LAMP' }, quantity: 2 },
    ],
    totalPrice: { centAmount: 4000 },
  });
  t.match((await request('GET', `/carts/${visits.id}`)).body, { version: 2, cartState: 'Merged' });
});

t.test('neither cart changes where others never let go of one of them', async (t) => {
  const platform = await startPlatform(t);
  const { request, sql } = platform;
  const shop = await openCartShop(platform);
  const { id: customerId } = await shop.customer('jane@example.org');
  const own = made(await request('POST', '/carts', { currency: 'EUR', customerId }));
  const visits = made(
    await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit', lineItems: [{ sku: 'LAMP' }] }),
  );
  // As if each time somebody else had been first at the customer's cart.
  await sql.unsafe(`create function lose() returns trigger language plpgsql as 'begin return null; end'`);
  await sql.unsafe(
    `create trigger lose before update on documents_cart for each row when (old.id = '${own.id}') execute function lose()`,
  );
  const read = async (id: string): Promise<object> => (await request('GET', `/carts/${id}`)).body;
  t.match(await shop.login({ anonymousId: 'visit' }), { status: 200, body: { cart: { id: own.id, version: 1 } } });
  const overCapacity = { status: 503, body: { errors: [{ code: 'OverCapacity' }] } };
  t.match(await shop.login({ anonymousCartId: visits.id }), overCapacity);
  t.match(await read(own.id), { version: 1, lineItems: [] });
  t.match(await read(visits.id), { version: 1, cartState: 'Active' }, 'all or nothing');
});
