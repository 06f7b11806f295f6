import t from 'tap';
import { startProject } from '../support/platform.ts';

const draft = {
  key: 'ten',
  name: { en: 'Ten percent' },
  value: { type: 'relative', permyriad: 1000 },
  cartPredicate: 'lineItemTotal(sku = "A") > "10 EUR" and customLineItemCount(true = true) >= 0',
  target: { type: 'lineItems', predicate: 'quantity > 2' },
};

t.test('cart discounts keep every form of value and target, in REST and in GraphQL', async (t) => {
  const { request } = await startProject();
  const values = [
    { type: 'relative', permyriad: 1000, applicationMode: 'EvenDistribution' },
    { type: 'absolute', money: [{ currencyCode: 'EUR', centAmount: 500 }] },
    { type: 'absolute', money: [{ currencyCode: 'EUR', centAmount: 500 }], applicationMode: 'IndividualApplication' },
    { type: 'fixed', money: [{ type: 'highPrecision', currencyCode: 'EUR', preciseAmount: 12345, fractionDigits: 4 }] },
  ];
  const targets = [
    {
      type: 'pattern',
      triggerPattern: [{ type: 'CountOnLineItemUnits', predicate: 'quantity > 0' }],
      targetPattern: [{ type: 'CountOnCustomLineItemUnits', predicate: 'slug = "gift"' }],
      selectionMode: 'Cheapest',
    },
    { type: 'shipping' },
    { type: 'totalPrice' },
    {
      type: 'multiBuyLineItems',
      predicate: 'true = true',
      triggerQuantity: 3,
      discountedQuantity: 1,
      selectionMode: 'Cheapest',
    },
  ];
  for (const [index, value] of values.entries()) {
    const answer = await request('POST', '/cart-discounts', {
      ...draft,
      key: `d-${index}`,
      value,
      target: targets[index],
    });
    t.match(answer, { status: 201, body: { value, target: targets[index], isActive: true, stackingMode: 'Stacking' } });
  }
  const query = `{ cartDiscounts(sort: "key") { results {
    value { type __typename ... on RelativeCartDiscountValue { permyriad applicationMode } ... on AbsoluteDiscountValue { money { centAmount } } }
    target { type __typename ... on MultiBuyLineItemsTarget { triggerQuantity } } sortOrder referenceRefs { id } storesRef { key }
  } } }`;
  const { body } = await request('POST', '/graphql', { query });
  t.match(body, {
    data: {
      cartDiscounts: {
        results: [
          {
            value: { __typename: 'RelativeCartDiscountValue', type: 'relative' },
            target: { __typename: 'CartDiscountPatternTarget' },
          },
          { value: { __typename: 'AbsoluteDiscountValue', money: [{ centAmount: 500 }] } },
          { value: { __typename: 'AbsoluteCartDiscountValue' } },
          { value: { __typename: 'FixedPriceDiscountValue' }, target: { triggerQuantity: 3 } },
        ],
      },
    },
  });
  const refused = [
    { ...draft, cartPredicate: 'nonsense' },
    { ...draft, cartPredicate: 'unknownField = 1' },
    { ...draft, sortOrder: '0.10' },
    { ...draft, value: { type: 'relative', permyriad: 10_001 } },
    { ...draft, target: { type: 'lineItems', predicate: '=' } },
  ];
  for (const body of refused)
    t.equal((await request('POST', '/cart-discounts', body)).status, 400, JSON.stringify(body));
  await request('POST', '/cart-discounts', { ...draft, sortOrder: '0.5' });
  t.match((await request('POST', '/cart-discounts', { ...draft, key: 'other', sortOrder: '0.5' })).body, {
    errors: [{ code: 'DuplicateField', field: 'sortOrder' }],
  });
});

t.test('a gift names a product and channels, which stay as long as it does, and has no target', async (t) => {
  const { request } = await startProject();
  await request('POST', '/product-types', { key: 'pen', name: 'Pen', description: 'Pen' });
  const product = { productType: { key: 'pen' }, key: 'pen', name: { en: 'Pen' }, slug: { en: 'pen' } };
  t.equal((await request('POST', '/products', product)).status, 201);
  const roles = ['ProductDistribution', 'InventorySupply'];
  t.equal((await request('POST', '/channels', { key: 'market', roles })).status, 201);
  const channel = { typeId: 'channel', key: 'market' };
  const value = {
    type: 'giftLineItem',
    product: { typeId: 'product', key: 'pen' },
    variantId: 1,
    supplyChannel: channel,
    distributionChannel: channel,
  };
  const wrong = { status: 400, body: { errors: [{ code: 'InvalidInput' }] } };
  t.match(await request('POST', '/cart-discounts', { ...draft, value }), wrong);
  const { target, ...others } = draft;
  t.match(await request('POST', '/cart-discounts', { ...others, value: { ...value, variantId: 2 } }), {
    status: 400,
    body: { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'product', message: /has no variant 2/ }] },
  });
  const made = await request('POST', '/cart-discounts', { ...others, value });
  const stored = { type: 'giftLineItem', variantId: 1, product: { typeId: 'product', id: /./ } };
  t.match(made, { status: 201, body: { value: stored, target: undefined } });
  for (const path of ['/products/key=pen', '/channels/key=market'])
    t.match(await request('DELETE', `${path}?version=1`), {
      status: 400,
      body: { errors: [{ code: 'ReferenceExists', referencedBy: 'cart-discount' }] },
    });
  const path = '/cart-discounts/key=ten';
  const by = (...actions: object[]): ReturnType<typeof request> => request('POST', path, { version: 1, actions });
  const changeTarget = { action: 'changeTarget', target };
  const changeValue = { action: 'changeValue', value: draft.value };
  t.match(await by(changeTarget), wrong, 'a target alone');
  t.match(await by(changeValue), wrong, 'a value that needs one alone');
  const toGift = await by({ action: 'changeValue', value });
  t.match(toGift, { status: 400, body: { errors: [{ code: 'InvalidInput', message: /changed to 'giftLineItem'/ }] } });
  t.match(await by(changeValue, changeTarget), { status: 200, body: { value: draft.value, target } });
  const query = `{ cartDiscount(key: "ten") { value { type } target { type } } }`;
  t.match((await request('POST', '/graphql', { query })).body, {
    data: { cartDiscount: { value: { type: 'relative' }, target: { type: 'lineItems' } } },
  });
});

t.test('100 cart discounts without a code are active at once, and 100 of each store', async (t) => {
  const { request } = await startProject();
  for (const key of ['north', 'south', 'west']) t.equal((await request('POST', '/stores', { key })).status, 201);
  const { key: _, ...body } = draft;
  const create = (more: object): ReturnType<typeof request> => request('POST', '/cart-discounts', { ...body, ...more });
  const refused = (error: object): object => ({ status: 400, body: { errors: [error] } });
  const change = async (key: string, ...actions: object[]): ReturnType<typeof request> => {
    const { version } = (await request('GET', `/cart-discounts/key=${key}`)).body;
    return request('POST', `/cart-discounts/key=${key}`, { version, actions });
  };
  for (let index = 0; index < 100; index += 1) t.equal((await create({ key: `all-${index}` })).status, 201);
  const limit = refused({
    code: 'MaxCartDiscountsReached',
    message: 'Maximum number of active cart discounts reached (100).',
  });
  t.match(await create({}), limit);
  for (const more of [
    { key: 'off', isActive: false },
    { key: 'coded', requiresDiscountCode: true },
  ])
    t.equal((await create(more)).status, 201);
  t.match(await change('off', { action: 'changeIsActive', isActive: true }), limit);
  t.match(await change('coded', { action: 'changeRequiresDiscountCode', requiresDiscountCode: false }), limit);
  t.equal((await change('all-0', { action: 'changeName', name: { en: 'Other' } })).status, 200, 'it is active already');
  t.equal((await change('all-0', { action: 'changeIsActive', isActive: false })).status, 200);
  t.equal((await change('off', { action: 'changeIsActive', isActive: true })).status, 200);

  const store = (key: string): object => ({ typeId: 'store', key });
  for (let index = 0; index < 100; index += 1)
    t.equal(
      (await create({ key: `north-${index}`, stores: [store('north')] })).status,
      201,
      'these count by themselves',
    );
  const full = refused({
    code: 'StoreCartDiscountsLimitReached',
    message: 'Maximum number of active cart discounts reached for north.',
    stores: [store('north')],
  });
  t.match(await create({ stores: [store('south'), store('north'), store('west')] }), full);
  t.match(await request('POST', '/in-store/key=north/cart-discounts', body), full);
  t.equal((await create({ key: 'south', stores: [store('south'), store('west')] })).status, 201);
  t.match(await change('south', { action: 'addStore', store: store('north') }), full);
  t.match(await change('south', { action: 'setStores', stores: [store('west'), store('north')] }), full);
  t.match(await change('north-0', { action: 'setStores', stores: [] }), limit, 'one of a store that is to be for all');
  const both = { action: 'setStores', stores: [store('north'), store('south')] };
  t.equal((await change('north-0', both)).status, 200, 'it is of the full one already');
  t.equal((await create({ key: 'late', isActive: false, stores: [store('north')] })).status, 201);
  t.match(await change('late', { action: 'changeIsActive', isActive: true }), full);
  t.equal((await change('north-1', { action: 'changeRequiresDiscountCode', requiresDiscountCode: true })).status, 200);
  t.equal((await change('late', { action: 'changeIsActive', isActive: true })).status, 200);

  const many = Array.from({ length: 501 }, (_, index) => store(`store-${index}`));
  await Promise.all(many.map((each) => request('POST', '/stores', each)));
  t.match(await create({ stores: many }), refused({ code: 'MaxStoreReferencesReached' }));
  t.equal((await create({ stores: many.slice(1) })).status, 201);
});

t.test('of rivals that become active as many pass as there is room for', async (t) => {
  const { request } = await startProject();
  for (const key of ['north', 'south', 'west']) t.equal((await request('POST', '/stores', { key })).status, 201);
  const { key: _, ...body } = draft;
  const create = (more: object): ReturnType<typeof request> => request('POST', '/cart-discounts', { ...body, ...more });
  const store = (key: string): object => ({ typeId: 'store', key });
  const rivals = async (count: number, send: (index: number) => ReturnType<typeof request>): Promise<object[]> => {
    const answers = await Promise.all(Array.from({ length: count }, (_, index) => send(index)));
    t.strictSame(
      answers.filter(({ status }) => status > 201 && status !== 400).map(({ text }) => text),
      [],
    );
    return answers.filter(({ status }) => status === 400).map(({ body: { errors } }) => (errors as object[])[0]!);
  };
  const active = async (more: string): Promise<unknown> => {
    const where = `isActive = true and requiresDiscountCode = false and ${more}`;
    return (await request('GET', `/cart-discounts?limit=1&where=${encodeURIComponent(where)}`)).body['total'];
  };
  t.strictSame(await rivals(64, (index) => create({ key: `sleeping-${index}`, isActive: false })), []);
  t.strictSame(await rivals(60, () => create({})), []);
  const late = await rivals(64, (index) =>
    index % 2 === 0
      ? create({})
      : request('POST', `/cart-discounts/key=sleeping-${index}`, {
          version: 1,
          actions: [{ action: 'changeIsActive', isActive: true }],
        }),
  );
  t.equal(late.length, 24);
  for (const error of late) t.match(error, { code: 'MaxCartDiscountsReached', message: /reached \(100\)/ });
  t.equal(await active('stores is empty'), 100);

  t.strictSame(
    await rivals(64, (index) => create({ stores: [store('north'), store(index % 2 ? 'south' : 'west')] })),
    [],
  );
  const inStores = await rivals(64, (index) =>
    create({ stores: index % 2 === 0 ? [store('north'), store('south')] : [store('south'), store('north')] }),
  );
  t.equal(inStores.length, 28);
  for (const error of inStores)
    t.match(error, { code: 'StoreCartDiscountsLimitReached', stores: [{ typeId: 'store', key: 'north' }] });
  t.equal(await active('stores(key = "north")'), 100);
  t.equal(await active('stores(key = "south")'), 68, 'who was refused holds nothing');

  const listed = await request('GET', `/cart-discounts?limit=64&where=${encodeURIComponent('stores(key = "west")')}`);
  const found = listed.body['results'] as { id: string }[];
  await Promise.all(found.map(({ id }) => request('DELETE', `/cart-discounts/${id}?version=1`)));
  t.equal((await rivals(64, () => create({ stores: [store('north')] }))).length, 32, 'what goes leaves room');
});

t.test('cart discounts of a store are made, seen and changed there alone', async (t) => {
  const { api, request, tokenWith, projectKey } = await startProject();
  for (const key of ['north', 'south']) await api.stores().post({ body: { key } }).execute();
  await request('POST', '/cart-discounts', draft);
  const made = await request('POST', '/in-store/key=north/cart-discounts', { ...draft, key: 'in-north' });
  t.match(made, { status: 201, body: { stores: [{ typeId: 'store', key: 'north' }] } });
  t.match((await request('GET', '/in-store/key=north/cart-discounts')).body, {
    total: 1,
    results: [{ key: 'in-north' }],
  });
  t.match((await request('GET', '/in-store/key=south/cart-discounts')).body, { total: 0 });
  t.match((await request('GET', '/cart-discounts')).body, { total: 2 });
  t.equal((await request('GET', '/in-store/key=south/cart-discounts/key=in-north')).status, 404);
  t.equal((await request('GET', '/in-store/key=north/cart-discounts/key=ten')).status, 404);
  const change = { version: 1, actions: [{ action: 'changeIsActive', isActive: false }] };
  t.equal((await request('POST', '/in-store/key=south/cart-discounts/key=in-north', change)).status, 404);
  const token = await tokenWith([`manage_cart_discounts:${projectKey}:north`]);
  const headers = { authorization: `Bearer ${token}` };
  t.match((await request('POST', '/in-store/key=north/cart-discounts/key=in-north', change, headers)).body, {
    version: 2,
  });
  t.equal((await request('GET', '/in-store/key=south/cart-discounts', undefined, headers)).status, 403);
  t.equal((await request('GET', '/cart-discounts', undefined, headers)).status, 403);
  t.equal(
    (await request('DELETE', '/in-store/key=north/cart-discounts/key=in-north?version=2', undefined, headers)).status,
    200,
  );
  t.equal((await request('GET', '/in-store/key=north/zones')).status, 404);
  const mutation =
    'mutation ($draft: CartDiscountDraft!) { createCartDiscount(storeKey: { typeId: "store", key: "south" }, draft: $draft) { stores { key } } }';
  const variables = {
    draft: { name: [], value: { relative: { permyriad: 1 } }, cartPredicate: 'true = true', target: { shipping: {} } },
  };
  t.match((await request('POST', '/graphql', { query: mutation, variables })).body, {
    data: { createCartDiscount: { stores: [{ key: 'south' }] } },
  });
});

t.test('discount codes name cart discounts, whose deletion they forbid', async (t) => {
  const { request } = await startProject();
  await request('POST', '/cart-discounts', draft);
  const code = { code: 'SUMMER', key: 'summer', cartDiscounts: [{ typeId: 'cart-discount', key: 'ten' }] };
  t.match(await request('POST', '/discount-codes?expand=cartDiscounts[*]', code), {
    status: 201,
    body: { isActive: true, groups: [], references: [], cartDiscounts: [{ obj: { key: 'ten' } }] },
  });
  t.match((await request('POST', '/discount-codes', { ...code, key: 'other' })).body, {
    errors: [{ code: 'DuplicateField', field: 'code', duplicateValue: 'SUMMER' }],
  });
  t.match((await request('POST', '/discount-codes', { code: 'EMPTY', cartDiscounts: [] })).body, {
    errors: [{ code: 'InvalidField', field: 'cartDiscounts' }],
  });
  t.match((await request('DELETE', '/cart-discounts/key=ten?version=1')).body, {
    errors: [{ code: 'ReferenceExists' }],
  });
  t.equal((await request('DELETE', '/discount-codes/key=summer?version=1&dataErasure=maybe')).status, 400);
  const query = `mutation ($discounts: [ReferenceInput!]!, $name: [LocalizedStringInput!]) {
    createDiscountCode(draft: { code: "WINTER", cartDiscounts: $discounts, name: $name, maxApplications: 3 }) {
      version code applicationCount cartDiscountRefs { typeId id } cartDiscounts { key } nameAllLocales { locale value } groups
    }
  }`;
  const { body: discount } = await request('GET', '/cart-discounts/key=ten');
  const variables = {
    discounts: [{ typeId: 'cart-discount', id: discount['id'] }],
    name: [{ locale: 'en', value: 'Winter' }],
  };
  t.match((await request('POST', '/graphql', { query, variables })).body, {
    data: {
      createDiscountCode: {
        code: 'WINTER',
        applicationCount: 0,
        cartDiscountRefs: [{ typeId: 'cart-discount' }],
        cartDiscounts: [{ key: 'ten' }],
        nameAllLocales: [{ locale: 'en', value: 'Winter' }],
        groups: [],
      },
    },
  });
  const { body } = await request('POST', '/graphql', {
    query:
      'mutation ($id: String!, $actions: [DiscountCodeUpdateAction!]!) { updateDiscountCode(id: $id, version: 1, actions: $actions) { maxApplications validFrom } }',
    variables: {
      id: ((await request('GET', '/discount-codes/key=summer')).body as { id: string }).id,
      actions: [
        { setMaxApplications: { maxApplications: 5 } },
        { setValidFromAndUntil: { validFrom: '2030-01-01T00:00:00Z' } },
      ],
    },
  });
  t.match(body, {
    data: { updateDiscountCode: { maxApplications: 5, validFrom: '2030-01-01T00:00:00.000Z' } },
  });
});
