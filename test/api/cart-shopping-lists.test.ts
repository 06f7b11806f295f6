import { randomUUID } from 'node:crypto';
import t from 'tap';
import { startProject } from '../support/platform.ts';
import { engraved, made, openCartShop } from '../support/cart-visit-shop.ts';

const name = { en: 'Wishes' };

t.test('a cart takes over what a shopping list names, in its order', async (t) => {
  const platform = await startProject();
  const { request, api } = platform;
  const shop = await openCartShop(platform);
  const supply = made(await request('POST', '/channels', { key: 'stock', roles: ['InventorySupply'] }));
  const market = made(await request('POST', '/channels', { key: 'market', roles: ['ProductDistribution'] }));
  const products = await shop.update(
    `/products/${shop.products.LAMP.id}`,
    {
      action: 'addVariant',
      sku: 'LAMP-2',
      prices: [{ value: { currencyCode: 'EUR', centAmount: 1100 } }],
    },
    { action: 'publish' },
  );
  const list = made(
    await request('POST', '/shopping-lists', {
      key: 'wishes',
      name,
      lineItems: [
        { sku: 'TABLE', quantity: 2, custom: engraved('Jane') },
        { productId: products.id, quantity: 3 },
        { sku: 'LAMP-2' },
        { sku: 'LAMP', quantity: 4 },
      ],
      textLineItems: [{ name: { en: 'Something blue' } }],
    }),
  );
  const cart = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      lineItems: [{ sku: 'LAMP-2', quantity: 5 }, { sku: 'TABLE' }],
    }),
  );
  const { body } = await api
    .carts()
    .withId({ ID: cart.id })
    .post({
      body: {
        version: 1,
        actions: [{ action: 'addShoppingList', shoppingList: { typeId: 'shopping-list', id: list.id } }],
      },
    })
    .execute();
  t.match(body, {
    version: 2,
    totalLineItemQuantity: 5 + 1 + 2 + 3 + 1 + 4,
    lineItems: [
      { variant: { sku: 'LAMP-2' }, quantity: 6, totalPrice: { centAmount: 6600 } },
      { variant: { sku: 'TABLE' }, quantity: 1 },
      { variant: { sku: 'TABLE' }, quantity: 2, custom: { fields: { text: 'Jane' } } },
      // The master, and the variant that is the master, are one line of a cart.
      { variant: { sku: 'LAMP' }, quantity: 7, totalPrice: { centAmount: 7000 } },
    ],
  });
  t.equal(body.lineItems.length, 4);
  t.match((await request('GET', '/shopping-lists/key=wishes')).body, { version: 1 }, 'the list stays as it is');
  const channels = { supplyChannel: { key: 'stock' }, distributionChannel: { typeId: 'channel', id: market.id } };
  const action = { action: 'addShoppingList', shoppingList: { key: 'wishes' }, ...channels };
  const twice = await shop.update(`/carts/${cart.id}`, action, action);
  const links = {
    supplyChannel: { typeId: 'channel', id: supply.id },
    distributionChannel: { typeId: 'channel', id: market.id },
  };
  t.match((twice['lineItems'] as object[]).slice(4), [
    { variant: { sku: 'TABLE' }, quantity: 4, custom: { fields: { text: 'Jane' } }, ...links },
    { variant: { sku: 'LAMP' }, quantity: 14, ...links },
    { variant: { sku: 'LAMP-2' }, quantity: 2, ...links },
  ]);
});

t.test('a list is added as a whole or not at all', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const lineItems = [{ sku: 'LAMP' }, { sku: 'CHAIR' }];
  const list = made(await request('POST', '/shopping-lists', { key: 'wishes', name, lineItems }));
  const cart = made(await request('POST', '/carts', { currency: 'EUR' }));
  const add = (more = {}): ReturnType<typeof request> =>
    request('POST', `/carts/${cart.id}`, {
      version: 1,
      actions: [{ action: 'addShoppingList', shoppingList: { key: 'wishes' }, ...more }],
    });
  const refused = (error: object): object => ({ status: 400, body: { errors: [error] } });
  const { id } = shop.products.CHAIR;
  await shop.update(`/products/${id}`, { action: 'setPrices', variantId: 1, prices: [] }, { action: 'publish' });
  t.match(await add(), refused({ code: 'MatchingPriceNotFound', productId: id }));
  await shop.update(`/products/${id}`, { action: 'unpublish' });
  t.match(await add(), refused({ code: 'ReferencedResourceNotFound', typeId: 'product', id }));
  const { version } = (await request('GET', `/products/${id}`)).body;
  t.equal((await request('DELETE', `/products/${id}?version=${String(version)}`)).status, 200);
  t.match(await add(), refused({ code: 'ReferencedResourceNotFound', typeId: 'product', id }), 'it has gone');
  const nowhere = { shoppingList: { id: randomUUID() } };
  t.match(await add(nowhere), refused({ code: 'ReferencedResourceNotFound', typeId: 'shopping-list' }));
  t.match(await add({ supplyChannel: { key: 'nowhere' } }), refused({ typeId: 'channel', key: 'nowhere' }));
  t.match(await add({ shoppingList: undefined }), { status: 400 });
  t.match((await request('GET', `/carts/${cart.id}`)).body, { version: 1, lineItems: [] });
  await shop.update(`/shopping-lists/${list.id}`, {
    action: 'removeLineItem',
    lineItemId: (list['lineItems'] as { id: string }[])[1]!.id,
  });
  t.match(await add(), { status: 200, body: { lineItems: [{ quantity: 1 }] } });
  await shop.update(`/carts/${cart.id}`, { action: 'freezeCart' });
  t.match(
    await request('POST', `/carts/${cart.id}`, {
      version: 3,
      actions: [{ action: 'addShoppingList', shoppingList: { key: 'wishes' } }],
    }),
    refused({ code: 'InvalidOperation' }),
  );
});

t.test('shoppers add lists and payments of their own to their carts, and know of no others', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const [jane, joe] = [await shop.customer('jane@example.org'), await shop.customer('joe@example.org')];
  const visitor = await shop.visitor('visit');
  const shoppers = await Promise.all(
    [jane.headers, joe.headers, visitor].map(async (headers) => ({
      headers,
      cart: made(await request('POST', '/me/carts', { currency: 'EUR' }, headers)),
      list: made(await request('POST', '/me/shopping-lists', { name, lineItems: [{ sku: 'LAMP' }] }, headers)),
      payment: made(
        await request('POST', '/me/payments', { amountPlanned: { currencyCode: 'EUR', centAmount: 100 } }, headers),
      ),
    })),
  );
  const nobodys = {
    list: made(await request('POST', '/shopping-lists', { key: 'known', name, lineItems: [{ sku: 'CHAIR' }] })),
    payment: made(await request('POST', '/payments', { amountPlanned: { currencyCode: 'EUR', centAmount: 100 } })),
  };
  for (const { headers, cart, list, payment } of shoppers) {
    const act = (action: object, version = 1): ReturnType<typeof request> =>
      request('POST', `/me/carts/${cart.id}`, { version, actions: [action] }, headers);
    for (const other of [...shoppers.filter((each) => each.cart !== cart), nobodys]) {
      t.match(await act({ action: 'addShoppingList', shoppingList: { id: other.list.id } }), {
        status: 400,
        body: { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'shopping-list', id: other.list.id }] },
      });
      t.match(await act({ action: 'addPayment', payment: { id: other.payment.id } }), {
        status: 400,
        body: { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'payment', id: other.payment.id }] },
      });
    }
    const byKey = await act({ action: 'addShoppingList', shoppingList: { key: 'known' } });
    t.equal(byKey.status, 400);
    t.notMatch(byKey.text, nobodys.list.id);
    t.match(await act({ action: 'addShoppingList', shoppingList: { id: list.id } }), {
      status: 200,
      body: { lineItems: [{ name: { en: 'LAMP' } }] },
    });
    t.match(await act({ action: 'addPayment', payment: { id: payment.id } }, 2), {
      status: 200,
      body: { paymentInfo: { payments: [{ id: payment.id }] } },
    });
  }
});

t.test('GraphQL adds shopping lists', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const { headers } = await shop.customer('jane@example.org');
  const lineItems = [{ sku: 'LAMP', quantity: 2 }];
  const own = made(await request('POST', '/me/shopping-lists', { name, lineItems }, headers));
  const list = made(await request('POST', '/shopping-lists', { key: 'wishes', name, lineItems }));
  const [mine, any] = [
    made(await request('POST', '/me/carts', { currency: 'EUR' }, headers)),
    made(await request('POST', '/carts', { currency: 'EUR' })),
  ];
  const update = (mutation: string, id: string, named: string): string =>
    `mutation { ${mutation}(id: "${id}", version: 1, actions: [{ addShoppingList: { shoppingList: { ${named} } } }]) {
      lineItems { quantity variant { sku } }
    } }`;
  const added = { lineItems: [{ quantity: 2, variant: { sku: 'LAMP' } }] };
  t.strictSame(await shop.graphql(update('updateCart', any.id, 'key: "wishes"')), { updateCart: added });
  t.match(await shop.graphql(update('updateMyCart', mine.id, `id: "${list.id}"`), headers), [
    { extensions: { code: 'ReferencedResourceNotFound' } },
  ]);
  t.strictSame(await shop.graphql(update('updateMyCart', mine.id, `id: "${own.id}"`), headers), {
    updateMyCart: added,
  });
});

t.test('a cart takes over no list that the token does not see', async (t) => {
  const platform = await startProject();
  const { request, tokenWith, projectKey } = platform;
  await openCartShop(platform);
  for (const key of ['north', 'south']) made(await request('POST', '/stores', { key }));
  const listOf = async (key: string) =>
    made(
      await request('POST', '/shopping-lists', {
        key: `list-${key}`,
        name,
        store: { typeId: 'store', key },
        lineItems: [{ sku: 'LAMP', custom: engraved('private') }],
      }),
    );
  const [north, south] = [await listOf('north'), await listOf('south')];
  const authorization = async (...scopes: readonly string[]): Promise<{ authorization: string }> => ({
    authorization: `Bearer ${await tokenWith(scopes.map((scope) => scope.replace('P', projectKey)))}`,
  });
  const ofNorth = await authorization('manage_orders:P:north', 'view_shopping_lists:P:north');
  const ofOrders = await authorization('manage_orders:P');
  const cart = made(await request('POST', '/in-store/key=north/carts', { currency: 'EUR' }));
  const path = `/in-store/key=north/carts/${cart.id}`;
  const adding = (shoppingList: object): object => ({
    version: 1,
    actions: [{ action: 'addShoppingList', shoppingList: { typeId: 'shopping-list', ...shoppingList } }],
  });
  const unknown = { status: 400, body: { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'shopping-list' }] } };
  for (const named of [{ id: south.id }, { key: 'list-south' }])
    t.match(await request('POST', path, adding(named), ofNorth), unknown);
  t.match(await request('POST', path, adding({ id: north.id }), ofOrders), unknown);
  t.match(await request('POST', path, adding({ id: north.id }), ofNorth), { status: 200, body: { version: 2 } });
});

t.test('a token of one store gives carts to no customer of others alone', async (t) => {
  const platform = await startProject();
  const { request, tokenWith, projectKey } = platform;
  for (const key of ['north', 'south']) made(await request('POST', '/stores', { key }));
  const customerOf = async (email: string, stores: readonly string[]): Promise<string> => {
    const draft = { email, password: 'secret-pass-1', stores: stores.map((key) => ({ typeId: 'store', key })) };
    const { customer } = made(await request('POST', '/customers', draft)) as unknown as { customer: { id: string } };
    return customer.id;
  };
  const southern = await customerOf('south@example.org', ['south']);
  const northern = await customerOf('north@example.org', ['south', 'north']);
  const anywhere = await customerOf('any@example.org', []);
  const authorization = `Bearer ${await tokenWith([`manage_orders:${projectKey}:north`])}`;
  const create = (customerId: string, headers?: { readonly authorization: string }) =>
    request('POST', '/in-store/key=north/carts', { currency: 'EUR', customerId }, headers);
  const unknown = { status: 400, body: { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'customer' }] } };
  t.match(await create(southern, { authorization }), unknown);
  t.match(await create(southern), { status: 201 });
  for (const id of [northern, anywhere]) t.match(await create(id, { authorization }), { status: 201 });
  const bearer = async (...scopes: readonly string[]) => ({
    authorization: `Bearer ${await tokenWith([`manage_orders:${projectKey}:north`, ...scopes])}`,
  });
  const sees = await bearer(`view_orders:${projectKey}:south`);
  t.match(await create(southern, sees), unknown, 'who may only look at carts of the other store');
  t.match(await create(southern, await bearer(`manage_orders:${projectKey}`)), { status: 201 }, 'who may write all');
  const cart = made(await request('POST', '/in-store/key=north/carts', { currency: 'EUR' }, { authorization }));
  const setting = (customerId: string): object => ({ version: 1, actions: [{ action: 'setCustomerId', customerId }] });
  const path = `/in-store/key=north/carts/${cart.id}`;
  t.match(await request('POST', path, setting(southern), { authorization }), unknown);
  t.match(await request('POST', path, setting(northern), { authorization }), { status: 200 });
  const visit = made(await request('POST', '/in-store/key=north/carts', { currency: 'EUR', anonymousId: 'visit' }));
  const merge = (customerId: string) =>
    request(
      'POST',
      `/in-store/key=north/carts/customer-id=${customerId}/merge`,
      { anonymousCart: { typeId: 'cart', id: visit.id } },
      { authorization },
    );
  t.match(await merge(southern), { status: 404, body: { errors: [{ code: 'ResourceNotFound' }] } });
  t.match(await merge(anywhere), { status: 200, body: { customerId: anywhere } });
});

t.test('nor does a token of one store give them orders and lists', async (t) => {
  const platform = await startProject();
  const { request, tokenWith, projectKey } = platform;
  await openCartShop(platform);
  for (const key of ['north', 'south']) made(await request('POST', '/stores', { key }));
  const account = {
    email: 'south@example.org',
    password: 'secret-pass-1',
    stores: [{ typeId: 'store', key: 'south' }],
  };
  const { customer } = made(await request('POST', '/customers', account)) as unknown as { customer: { id: string } };
  const order = await orderIn(platform, { store: { typeId: 'store', key: 'north' } });
  const scopes = [`manage_orders:${projectKey}:north`, `manage_shopping_lists:${projectKey}:north`];
  const headers = { authorization: `Bearer ${await tokenWith(scopes)}` };
  const unknown = { status: 400, body: { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'customer' }] } };
  const setting = { version: 1, actions: [{ action: 'setCustomerId', customerId: customer.id }] };
  t.match(await request('POST', `/in-store/key=north/orders/${order.id}`, setting, headers), unknown);
  const reference = { typeId: 'customer', id: customer.id };
  const draft = { name, customer: reference };
  t.match(await request('POST', '/in-store/key=north/shopping-lists', draft, headers), unknown);
  const list = made(await request('POST', '/in-store/key=north/shopping-lists', { name }, headers));
  const giving = { version: 1, actions: [{ action: 'setCustomer', customer: reference }] };
  t.match(await request('POST', `/in-store/key=north/shopping-lists/${list.id}`, giving, headers), unknown);
});

t.test('an edit of an order takes over no list that the token does not see', async (t) => {
  const platform = await startProject();
  const { request, tokenWith, projectKey } = platform;
  await openCartShop(platform);
  const list = made(await request('POST', '/shopping-lists', { name, lineItems: [{ sku: 'CHAIR' }] }));
  const order = await orderIn(platform, {});
  const staging = {
    resource: { typeId: 'order', id: order.id },
    stagedActions: [{ action: 'addShoppingList', shoppingList: { typeId: 'shopping-list', id: list.id } }],
  };
  const scopes = ['manage_orders', 'manage_order_edits'].map((scope) => `${scope}:${projectKey}`);
  const headers = { authorization: `Bearer ${await tokenWith(scopes)}` };
  t.match(await request('POST', '/orders/edits', staging, headers), {
    body: {
      result: {
        type: 'PreviewFailure',
        errors: [{ code: 'ReferencedResourceNotFound', typeId: 'shopping-list' }],
      },
    },
  });
  t.match(await request('POST', '/orders/edits', staging), { body: { result: { type: 'PreviewSuccess' } } });
});

type Project = Awaited<ReturnType<typeof startProject>>;

async function orderIn({ request }: Project, place: object) {
  const draft = { currency: 'EUR', lineItems: [{ sku: 'LAMP' }], shippingAddress: { country: 'DE' }, ...place };
  const { id, version } = made(await request('POST', '/carts', draft));
  return made(await request('POST', '/orders', { cart: { typeId: 'cart', id }, version }));
}

t.test('a cart takes over no fields of a list that the type has given up', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const lineItems = [{ sku: 'TABLE', custom: engraved('Jane') }];
  const list = made(await request('POST', '/shopping-lists', { name, lineItems }));
  const cart = made(await request('POST', '/carts', { currency: 'EUR' }));
  await shop.update('/types/key=engraved', { action: 'removeFieldDefinition', fieldName: 'text' });
  t.match(
    await shop.update(`/carts/${cart.id}`, {
      action: 'addShoppingList',
      shoppingList: { typeId: 'shopping-list', id: list.id },
    }),
    { lineItems: [{ custom: { type: { typeId: 'type' }, fields: { text: undefined } } }] },
  );
  const needed = { name: 'needed', label: { en: 'Needed' }, type: { name: 'String' }, required: true };
  await shop.update('/types/key=engraved', { action: 'addFieldDefinition', fieldDefinition: needed });
  const other = made(await request('POST', '/carts', { currency: 'EUR' }));
  const actions = [{ action: 'addShoppingList', shoppingList: { typeId: 'shopping-list', id: list.id } }];
  t.match(
    await request('POST', `/carts/${other.id}`, { version: 1, actions }),
    { status: 400, body: { errors: [{ code: 'RequiredField', field: /custom\.fields\.needed/ }] } },
    'but what it needs by now is asked for, as of each line that is added',
  );
});
