import t, { type Test } from 'tap';
import { type Platform, startPlatform } from '../support/platform.ts';

interface Shop extends Platform {
  /** `data` of a query, without errors. */
  ask(query: string, variables?: object, headers?: Readonly<Record<string, string>>): Promise<Record<string, unknown>>;
  fails(query: string, variables?: object): Promise<unknown>;
  made(path: string, draft: object): Promise<string>;
  readonly published: Readonly<Record<string, string>>;
}

const productType = { typeId: 'product-type', key: 'lamp' };

const lamp = (key: string, more: object) => {
  return { key, productType, name: { en: key, de: `${key}-de` }, slug: { en: key, de: key }, publish: true, ...more };
};

async function openShop(t: Test): Promise<Shop> {
  const platform = await startPlatform(t);
  const { request, projectKey } = platform;
  const made = async (path: string, draft: object): Promise<string> => {
    const { status, body, text } = await request('POST', path, draft);
    if (status !== 201) throw new Error(`${path}: ${text}`);
    return String(body['id']);
  };
  await made('/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps', attributes: [] });
  await made('/products', lamp('one', { masterVariant: { sku: 'a', key: 'small' }, variants: [{ sku: 'b' }] }));
  await made('/products', lamp('two', { masterVariant: { sku: 'c', key: 'small' }, publish: false }));
  await made('/products', lamp('three', { masterVariant: { sku: 'd' } }));
  const addVariant = { action: 'addVariant', sku: 'new', key: 'fresh' };
  await request('POST', '/products/key=one', { version: 1, actions: [addVariant] });
  return {
    ...platform,
    made,
    published: { authorization: `Bearer ${await platform.tokenWith([`view_published_products:${projectKey}`])}` },
    ask: async (query, variables = {}, headers = {}) => {
      const { body, text } = await request('POST', '/graphql', { query, variables }, headers);
      if (body['errors'] !== undefined) throw new Error(text);
      return body['data'] as Record<string, unknown>;
    },
    fails: async (query, variables = {}) => (await request('POST', '/graphql', { query, variables })).body['errors'],
  };
}

t.test('one product is found by an SKU or the key of a variant, as far as it shows', async (t) => {
  const { ask, fails, published, request } = await openShop(t);
  const find = (named: string, headers = {}) => ask(`{ product(${named}) { key } }`, {}, headers);
  const one = { product: { key: 'one' } };
  for (const named of ['sku: "a"', 'sku: "b"', 'sku: "new"', 'variantKey: "fresh"', 'key: "one" sku: "c"'])
    t.strictSame(await find(named), one, named);
  t.strictSame(await find('variantKey: "small"'), one, 'the oldest');
  t.strictSame(await find('sku: "c"'), { product: { key: 'two' } });
  for (const named of ['sku: "none"', 'sku: "A"', 'variantKey: "none"', 'sku: "a\\u0000"'])
    t.strictSame(await find(named), { product: null }, named);
  for (const named of ['sku: "a"', 'sku: "b"', 'variantKey: "small"']) t.strictSame(await find(named, published), one);
  for (const named of ['sku: "c"', 'sku: "new"', 'variantKey: "fresh"'])
    t.strictSame(await find(named, published), { product: null }, `${named} is staged alone`);
  t.match(await fails('{ product { key } }'), [{ extensions: { code: 'InvalidInput' } }]);

  const change = (key: string, version: number, action: object) =>
    request('POST', `/products/key=${key}`, { version, actions: [action] });
  await change('one', 2, { action: 'setSku', variantId: 3 });
  t.strictSame(await find('sku: "new"'), { product: null }, 'what is kept is as new as the product');
  await change('three', 1, { action: 'setSku', variantId: 1, sku: 'new' });
  t.strictSame(await find('sku: "new"'), { product: { key: 'three' } });
  await change('three', 2, { action: 'publish' });
  t.strictSame(await find('sku: "new"', published), { product: { key: 'three' } });
  t.strictSame(await find('sku: "d"'), { product: null });
});

t.test('a page keeps to the products that have the SKUs, each once', async (t) => {
  const { ask, fails, published } = await openShop(t);
  const query = (more: string) => `query ($skus: [String!]) {
    products(skus: $skus sort: "key asc" ${more}) { total count results { key } } }`;
  const page = async (skus: readonly string[], more = '', headers = {}) => {
    const { products } = await ask(query(more), { skus }, headers);
    const { results, ...counts } = products as { total: number; count: number; results: { key: string }[] };
    return [...results.map(({ key }) => key), counts];
  };
  t.strictSame(await page(['b', 'c', 'new', 'a', 'none']), ['one', 'two', { total: 2, count: 2 }]);
  t.strictSame(await page(['a', 'c', 'd'], 'limit: 1 offset: 1'), ['three', { total: 3, count: 1 }]);
  t.strictSame(await page(['a', 'c', 'd'], 'where: "key=\\"two\\""'), ['two', { total: 1, count: 1 }]);
  for (const none of [[], ['none']]) t.strictSame(await page(none), [{ total: 0, count: 0 }]);
  t.strictSame(await page(['a', 'new', 'c', 'd'], '', published), ['one', 'three', { total: 2, count: 2 }]);
  t.strictSame(await page(['new', 'c'], '', published), [{ total: 0, count: 0 }]);
  const many = JSON.stringify(Array.from({ length: 501 }, (_, index) => `sku-${index}`));
  t.match(await fails(`{ products(skus: ${many}) { total } }`), [
    { message: /'skus' has 501 values, but takes 500/, extensions: { code: 'InvalidInput' } },
  ]);
  t.match(await ask('{ products(skus: null) { total } }'), { products: { total: 3 } });
});

t.test('a product shows the locales that are asked for, also where another asked for all', async (t) => {
  const { ask, fails } = await openShop(t);
  const selection = '{ masterData { current { nameAllLocales { locale } en: name(locale: "en") } } }';
  const names = (locales: readonly string[], en: string | null) => ({
    masterData: { current: { nameAllLocales: locales.map((locale) => ({ locale })), en } },
  });
  const all = names(['de', 'en'], 'one');
  const german = names(['de'], null);
  for (const round of [1, 2]) {
    t.strictSame(await ask(`{ product(sku: "a") ${selection} }`), { product: all }, `round ${round}`);
    t.strictSame(await ask(`{ product(sku: "a" localeProjection: ["de"]) ${selection} }`), { product: german });
    t.strictSame(await ask(`{ product(key: "one" localeProjection: []) ${selection} }`), { product: all });
    const query = `query ($l: [Locale!]) { products(skus: ["a"] localeProjection: $l) { results ${selection} } }`;
    for (const [l, shown] of [
      [['de', 'fr'], german],
      [['fr'], names([], null)],
      [null, all],
    ])
      t.strictSame(await ask(query, { l }), { products: { results: [shown] } });
  }
  const refused = [{ message: /'projectExpandedProducts' is not available/, extensions: { code: 'InvalidInput' } }];
  t.match(await fails('{ product(key: "one" projectExpandedProducts: true) { key } }'), refused);
  t.match(await fails('{ products(projectExpandedProducts: true) { total } }'), refused);
  t.match(await ask('{ product(key: "one" projectExpandedProducts: false) { key } }'), { product: { key: 'one' } });
});

t.test('a store has the prices and the stock that its channels and countries have', async (t) => {
  const shop = await openShop(t);
  const { ask, made, request } = shop;
  const [own, other] = await Promise.all(
    ['own', 'other'].map(async (key) => ({
      typeId: 'channel',
      id: await made('/channels', { key, roles: ['ProductDistribution', 'InventorySupply'] }),
    })),
  );
  await made('/stores', {
    key: 'ours',
    supplyChannels: [own],
    distributionChannels: [own],
    countries: [{ code: 'DE' }],
  });
  const stocks = [
    { quantityOnStock: 0 },
    { supplyChannel: own, quantityOnStock: 0 },
    { supplyChannel: other, quantityOnStock: 9 },
  ];
  for (const stock of stocks) await made('/inventory', { sku: 'a', ...stock });
  const prices = [
    { country: 'FR', value: { currencyCode: 'EUR', centAmount: 1 } },
    { channel: other, value: { currencyCode: 'EUR', centAmount: 2 } },
    { channel: own, value: { currencyCode: 'EUR', centAmount: 3 } },
    { value: { currencyCode: 'EUR', centAmount: 4 } },
  ];
  const { body } = await request('GET', '/products/key=one');
  const actions = [{ action: 'setPrices', sku: 'a', prices, staged: false }];
  t.match(await request('POST', '/products/key=one', { version: body['version'], actions }), { status: 200 });
  const cents = 'value { ... on BaseMoney { centAmount } }';
  const selection = `{ masterData { current {
    onStock: allVariants(skus: ["a"], isOnStock: true, stockChannelIds: ["${own!.id}", "${other!.id}"]) { sku }
    variant(sku: "a") {
      prices { ${cents} }
      french: price(currency: "EUR", country: "FR") { ${cents} }
      others: price(currency: "EUR", channelId: "${other!.id}") { ${cents} }
      own: price(currency: "EUR", channelId: "${own!.id}") { ${cents} }
      availability { noChannel { availableQuantity } channels { results { channelRef { id } availability { availableQuantity } } } }
    } } } }`;
  const [four, three] = [{ value: { centAmount: 4 } }, { value: { centAmount: 3 } }];
  const stockOf = ({ id }: { id: string }, availableQuantity: number) => ({
    channelRef: { id },
    availability: { availableQuantity },
  });
  const seen = {
    onStock: [],
    variant: {
      prices: [three, four],
      french: four,
      others: four,
      own: three,
      availability: { noChannel: { availableQuantity: 0 }, channels: { results: [stockOf(own!, 0)] } },
    },
  };
  const headers = { authorization: `Bearer ${await shop.tokenWith([`view_products:${shop.projectKey}:ours`])}` };
  for (const asked of [{}, headers])
    t.strictSame(await ask(`{ inStore(key: "ours") { product(key: "one") ${selection} } }`, {}, asked), {
      inStore: { product: { masterData: { current: seen } } },
    });
  const { productType } = (await request('GET', '/products/key=one')).body;
  await made('/products', {
    key: 'alone',
    productType,
    name: { en: 'Alone' },
    slug: { en: 'alone' },
    priceMode: 'Standalone',
    masterVariant: { sku: 'alone' },
    publish: true,
  });
  for (const price of prices) await made('/standalone-prices', { sku: 'alone', ...price });
  const selectionAlone = selection.replaceAll('"a"', '"alone"');
  t.match(await ask(`{ inStore(key: "ours") { product(key: "alone") ${selectionAlone} } }`), {
    inStore: { product: { masterData: { current: { variant: { french: four, others: four, own: three } } } } },
  });
  t.match(await ask(`{ product(key: "one") ${selection} }`), {
    product: {
      masterData: {
        current: {
          onStock: [{ sku: 'a' }],
          variant: { french: { value: { centAmount: 1 } }, others: { value: { centAmount: 2 } } },
        },
      },
    },
  });
});

t.test('fields pick by lists of so many elements, and no more', async (t) => {
  const { made, request } = await openShop(t);
  await made('/inventory', { sku: 'a', quantityOnStock: 1 });
  const asked = (count: number, query: string) =>
    request('POST', '/graphql', { query, variables: { names: Array.from({ length: count }, () => 'en') } });
  const ofData = (field: string): string => `{ product(key: "one") { masterData { current { ${field} } } } }`;
  for (const [type, query] of [
    ['Locale', ofData('name(acceptLanguage: $names)')],
    ['String', ofData('allVariants(isOnStock: true, stockChannelIds: $names) { id }')],
    ['String', ofData('allVariants(skus: $names) { id }')],
    ['String', ofData('masterVariant { availability { channels(excludeChannelIds: $names) { total } } }')],
    ['String', ofData('masterVariant { price(currency: "EUR", customerGroupAssignmentIds: $names) { id } }')],
    ['String', ofData('masterVariant { attributesRaw(excludeNames: $names) { name } }')],
    ['String', '{ productTypes { results { attributeDefinitions(includeNames: $names) { total } } } }'],
  ] as const) {
    const typed = `query Q($names: [${type}!]) ${query}`;
    const { status, body } = await asked(500, typed);
    t.strictSame([status, body['errors']], [200, undefined], query);
    const message = /has more than 500 elements/;
    t.match((await asked(501, typed)).body, { errors: [{ message, extensions: { code: 'InvalidInput' } }] }, query);
  }
});

t.test('an order has ten expressions at most', async (t) => {
  const { fails } = await openShop(t);
  const query = `query Q($sort: [String!]) {
    products(limit: 1) { results { productSelectionRefs(sort: $sort) { total } } } }`;
  const orderOf = (expression: string) => ({ sort: Array.from({ length: 100_000 }, () => expression) });
  t.match(await fails(query, orderOf('id')), [{ extensions: { code: 'InvalidInput' }, message: /at most 10/ }]);
  t.match(await fails(query, orderOf('')), [{ extensions: { code: 'InvalidInput' } }], 'none of them is read');
});

t.test('a store shows its languages, unless others are asked for', async (t) => {
  const { ask, made, request } = await openShop(t);
  await made('/stores', { key: 'german', languages: ['de'] });
  const names = async (named: string) => {
    const selection = `{ masterData { current { nameAllLocales { locale } } } }`;
    const { inStore } = (await ask(`{ inStore(key: "german") { product(${named}) ${selection} } }`)) as {
      inStore: { product: { masterData: { current: { nameAllLocales: readonly { locale: string }[] } } } };
    };
    return inStore.product.masterData.current.nameAllLocales.map(({ locale }) => locale);
  };
  t.strictSame(await names('key: "one"'), ['de']);
  t.strictSame(await names('key: "one", localeProjection: []'), ['de']);
  t.strictSame(await names('key: "one", localeProjection: ["en"]'), ['en']);
  await request('POST', '/stores/key=german', { version: 1, actions: [{ action: 'setLanguages', languages: [] }] });
  t.strictSame((await names('key: "one"')).toSorted(), ['de', 'en']);
});

t.test('the stocks of channels have pages, in an order that no sale changes', async (t) => {
  const { ask, fails, made, request } = await openShop(t);
  const ids: string[] = [];
  for (const key of ['north', 'south', 'west']) {
    const id = await made('/channels', { key, roles: ['InventorySupply'] });
    await made('/inventory', { key, sku: 'a', supplyChannel: { typeId: 'channel', id }, quantityOnStock: 1 });
    ids.push(id);
  }
  const query = (bounds: string): string =>
    `{ product(key: "one") { masterData { current { variant(sku: "a") { availability { channels(${bounds}) {
      limit offset total results { channelRef { id } } } } } } } } }`;
  const page = async (bounds: string) => {
    const found = (await ask(query(bounds))) as {
      product: { masterData: { current: { variant: { availability: { channels: unknown } } } } };
    };
    return found.product.masterData.current.variant.availability.channels;
  };
  const shown = (...places: number[]) => places.map((place) => ({ channelRef: { id: ids.toSorted()[place] } }));
  for (const key of ['west', 'north', 'south']) {
    await request('POST', `/inventory/key=${key}`, { version: 1, actions: [{ action: 'addQuantity', quantity: 1 }] });
    t.strictSame(await page('includeChannelIds: null'), {
      limit: null,
      offset: 0,
      total: 3,
      results: shown(0, 1, 2),
    });
    t.strictSame(await page('limit: 1, offset: 1'), { limit: 1, offset: 1, total: 3, results: shown(1) });
    t.match(await page('limit: 0'), { total: 3, results: [] });
    const [first, second] = ids.toSorted();
    t.match(await page(`includeChannelIds: ["${second}"]`), { total: 1, results: shown(1) });
    t.match(await page(`excludeChannelIds: ["${first}"]`), { total: 2, results: shown(1, 2) });
  }
  for (const bounds of ['limit: -1', 'offset: -1'])
    t.match(await fails(query(bounds)), [{ extensions: { code: 'InvalidInput' } }], bounds);
});

t.test('a store shows the stock of its suppliers alone, also beside all of it', async (t) => {
  const { ask, made } = await openShop(t);
  const channels: object[] = [];
  for (const key of ['own', 'foreign']) {
    const channel = { typeId: 'channel', id: await made('/channels', { key, roles: ['InventorySupply'] }) };
    await made('/inventory', { sku: 'a', supplyChannel: channel, quantityOnStock: 1 });
    channels.push(channel);
  }
  await made('/stores', { key: 'supplied', supplyChannels: channels.slice(0, 1) });
  const stock = `product(key: "one") { masterData { current { variant(sku: "a") { availability {
    channels { total } again: channels(limit: 1) { total } } } } } }`;
  const of = (total: number): object => {
    const availability = { channels: { total }, again: { total } };
    return { product: { masterData: { current: { variant: { availability } } } } };
  };
  const inStore = `inStore(key: "supplied") { ${stock} }`;
  const both = { ...of(2), inStore: of(1) };
  t.strictSame(await ask(`{ ${stock} ${inStore} }`), both);
  t.strictSame(await ask(`{ ${inStore} ${stock} }`), both);
});

t.test('a store has the products that are available in it', async (t) => {
  const shop = await openShop(t);
  const { ask, fails, made, request } = shop;
  const selection = await made('/product-selections', { key: 'few', name: { en: 'Few' } });
  const productSelections = [{ productSelection: { typeId: 'product-selection', id: selection }, active: true }];
  await made('/stores', { key: 'small', productSelections });
  await made('/stores', { key: 'whole' });
  const find = async (store: string, named: string, headers = {}) => {
    const query = `{ inStore(key: "${store}") { product(${named}) { key masterData { current { skus } staged { skus } } } } }`;
    return ((await ask(query, {}, headers))['inStore'] as { product: unknown }).product;
  };
  const whole = { key: 'one', masterData: { current: { skus: ['a', 'b'] }, staged: { skus: ['a', 'b', 'new'] } } };
  for (const named of ['key: "one"', 'sku: "new"', 'variantKey: "fresh"'])
    t.strictSame(await find('whole', named), whole);
  t.equal(await find('small', 'key: "one"'), null);
  const variantSelection = { type: 'includeOnly', skus: ['a'] };
  const actions = [{ action: 'addProduct', product: { typeId: 'product', key: 'one' }, variantSelection }];
  t.match(await request('POST', '/product-selections/key=few', { version: 1, actions }), { status: 200 });
  const few = { key: 'one', masterData: { current: { skus: ['a'] }, staged: { skus: ['a'] } } };
  t.strictSame(await find('small', 'sku: "a"'), few);
  t.equal(await find('small', 'sku: "c"'), null);
  const token = await shop.tokenWith([`view_products:${shop.projectKey}:small`]);
  t.strictSame(await find('small', 'sku: "a"', { authorization: `Bearer ${token}` }), {
    key: 'one',
    masterData: { current: { skus: ['a'] }, staged: null },
  });
  t.match(await fails('{ inStore(key: "small") { product { key } } }'), [{ extensions: { code: 'InvalidInput' } }]);
  t.match(await fails('{ inStore(key: "none") { product(key: "one") { key } } }'), [
    { extensions: { code: 'ResourceNotFound' } },
  ]);
});
