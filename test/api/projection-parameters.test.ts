import t, { type Test } from 'tap';
import { type Platform, startPlatform } from '../support/platform.ts';

async function made(platform: Platform, path: string, draft: object): Promise<{ id: string; version: number }> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body as never;
}

const refused = (error: object) => ({ status: 400, body: { errors: [error] } });
const euro = (centAmount: number) => ({ currencyCode: 'EUR', centAmount });

const lampType = {
  key: 'lamp',
  name: 'Lamp',
  description: 'Lamps',
  attributes: [
    { name: 'material', type: { name: 'text' }, label: { en: 'Material' }, isRequired: false },
    { name: 'motto', type: { name: 'ltext' }, label: { en: 'Motto' }, isRequired: false },
    {
      name: 'shade',
      type: { name: 'lenum', values: [{ key: 'red', label: { en: 'Red', de: 'Rot' } }] },
      label: { en: 'Shade' },
      isRequired: false,
    },
    { name: 'origin', type: { name: 'text' }, label: { en: 'Origin' }, isRequired: false, level: 'Product' },
  ],
};

interface Shop extends Platform {
  readonly group: string;
  readonly channel: string;
  readonly warehouse: string;
  projection(parameters: string): Promise<Record<string, unknown>>;
}

async function openShop(t: Test): Promise<Shop> {
  const platform = await startPlatform(t);
  await made(platform, '/product-types', lampType);
  const { id: group } = await made(platform, '/customer-groups', { key: 'loyal', groupName: 'Loyal' });
  const channel = await made(platform, '/channels', { key: 'city', roles: ['ProductDistribution', 'InventorySupply'] });
  const warehouse = await made(platform, '/channels', { key: 'warehouse', roles: ['InventorySupply'] });
  await made(platform, '/products', {
    key: 'lamp-1',
    productType: { typeId: 'product-type', key: 'lamp' },
    name: { en: 'Lamp', de: 'Lampe' },
    slug: { en: 'lamp', de: 'lampe' },
    description: { de: 'Eine Lampe' },
    searchKeywords: { en: [{ text: 'light' }], de: [{ text: 'Licht' }] },
    attributes: [{ name: 'origin', value: 'Lisbon' }],
    publish: true,
    masterVariant: {
      sku: 'lamp-1',
      attributes: [
        { name: 'material', value: 'brass' },
        { name: 'motto', value: { en: 'Shine', de: 'Leuchte' } },
        { name: 'shade', value: 'red' },
      ],
      prices: [
        { key: 'plain', value: euro(1000) },
        { key: 'german', value: euro(900), country: 'DE' },
        { key: 'loyal', value: euro(800), customerGroup: { typeId: 'customer-group', id: group } },
        { key: 'city', value: euro(700), channel: { typeId: 'channel', id: channel.id } },
        { key: 'dollar', value: { currencyCode: 'USD', centAmount: 1100 } },
      ],
    },
  });
  return {
    ...platform,
    group,
    channel: channel.id,
    warehouse: warehouse.id,
    projection: async (parameters) => {
      const { status, body, text } = await platform.request('GET', `/product-projections/key=lamp-1?${parameters}`);
      if (status !== 200) throw new Error(text);
      return body;
    },
  };
}

const variantOf = (body: Record<string, unknown>) => body['masterVariant'] as Record<string, never>;

t.test('the price is selected by who asks, in the order of what counts more', async (t) => {
  const shop = await openShop(t);
  const priceFor = async (parameters: string) => {
    const price = variantOf(await shop.projection(parameters))['price'] as { key: string } | undefined;
    return price?.key;
  };
  const { group, channel } = shop;
  t.equal(await priceFor(''), undefined, 'nothing is selected unasked');
  t.equal(await priceFor('priceCurrency=EUR'), 'plain');
  t.equal(await priceFor('priceCurrency=EUR&priceCountry=DE'), 'german');
  t.equal(await priceFor('priceCurrency=EUR&priceCountry=FR'), 'plain');
  t.equal(await priceFor(`priceCurrency=EUR&priceCountry=DE&priceChannel=${channel}`), 'city');
  t.equal(await priceFor(`priceCurrency=EUR&priceChannel=${channel}&priceCustomerGroup=${group}`), 'loyal');
  t.equal(
    await priceFor(`priceCurrency=EUR&priceCustomerGroupAssignments=x&priceCustomerGroupAssignments=${group}`),
    'loyal',
  );
  t.equal(await priceFor('priceCurrency=USD&priceCountry=DE'), 'dollar');
  t.equal(await priceFor('priceCurrency=CHF'), undefined);
  const { status, body } = await shop.request('GET', '/product-projections?priceCountry=DE');
  t.equal(status, 400);
  t.match(body, { errors: [{ code: 'InvalidInput', message: /priceCountry/ }] });
  const page = await shop.request('GET', '/product-projections?priceCurrency=EUR&priceCountry=DE');
  t.match(page.body, { results: [{ masterVariant: { price: { key: 'german' } } }] });
});

t.test('a price that begins or ends by the clock is selected at its time, also from what is kept', async (t) => {
  const shop = await openShop(t);
  const { body } = await shop.request('GET', '/products/key=lamp-1');
  const soon = new Date(Date.now() + 1500).toISOString();
  const price = { key: 'soon', value: euro(100), country: 'FR', validFrom: soon };
  await shop.request('POST', '/products/key=lamp-1', {
    version: body['version'],
    actions: [{ action: 'addPrice', variantId: 1, price, staged: false }],
  });
  const selected = async () =>
    (variantOf(await shop.projection('priceCurrency=EUR&priceCountry=FR'))['price'] as unknown as { key: string }).key;
  t.equal(await selected(), 'plain');
  while (Date.now() <= Date.parse(soon)) await selected();
  t.equal(await selected(), 'soon');
});

t.test('texts are those of the locales that were asked for', async (t) => {
  const shop = await openShop(t);
  const german = await shop.projection('localeProjection=de');
  t.match(german, {
    name: { de: 'Lampe', en: undefined },
    slug: { de: 'lampe', en: undefined },
    searchKeywords: { de: [{ text: 'Licht' }], en: undefined },
  });
  t.strictSame(variantOf(german)['attributes'], [
    { name: 'material', value: 'brass' },
    { name: 'motto', value: { de: 'Leuchte' } },
    { name: 'shade', value: { key: 'red', label: { de: 'Rot' } } },
  ]);
  t.strictSame((await shop.projection('localeProjection=en'))['description'], {}, 'none is left');
  const both = await shop.projection('localeProjection=en&localeProjection=de');
  t.strictSame(both['name'], { en: 'Lamp', de: 'Lampe' });
});

t.test('of more locales than a text has none are shown, however they are asked for', async (t) => {
  const { request } = await openShop(t);
  const refusals = async (count: number): Promise<readonly unknown[]> => {
    const list = Array.from({ length: count }, () => 'de');
    const parameters = list.map((locale) => `localeProjection=${locale}`).join('&');
    const graphql = (field: string): ReturnType<typeof request> =>
      request('POST', '/graphql', { query: `query ($list: [Locale!]) { ${field} }`, variables: { list } });
    const answers = [
      await request('GET', `/product-projections/key=lamp-1?${parameters}`),
      await request('GET', `/product-projections?${parameters}`),
      await request('GET', `/product-projections/key=lamp-1/variant-attributes?filter[attributes]=shade&${parameters}`),
      await graphql('product(key: "lamp-1", localeProjection: $list) { id }'),
      await graphql('products(localeProjection: $list) { total }'),
      await graphql(
        'productProjectionVariantAttributes(key: "lamp-1", includeAttributeNames: ["shade"], localeProjection: $list) { __typename }',
      ),
    ];
    return answers.map(
      ({ body }) => (body['errors'] as readonly { readonly message: string }[] | undefined)?.[0]?.message,
    );
  };
  const few = await refusals(500);
  t.strictSame(
    few,
    Array.from(few, () => undefined),
  );
  for (const refusal of await refusals(501)) t.match(refusal, "'localeProjection' has more than 500 elements");
});

t.test('attributes are picked by 500 names at most', async (t) => {
  const { request } = await openShop(t);
  const refusals = async (count: number): Promise<readonly unknown[]> => {
    const names = Array.from({ length: count }, () => 'shade');
    const parameters = names.map((name) => `filter[attributes]=${name}`).join('&');
    const query =
      'query ($names: [String!]!) { productProjectionVariantAttributes(key: "lamp-1", includeAttributeNames: $names) { __typename } }';
    const answers = [
      await request('GET', `/product-projections/key=lamp-1?${parameters}`),
      await request('GET', `/product-projections/key=lamp-1/variant-attributes?${parameters}`),
      await request('POST', '/graphql', { query, variables: { names } }),
    ];
    return answers.map(
      ({ body }) => (body['errors'] as readonly { readonly message: string }[] | undefined)?.[0]?.message,
    );
  };
  t.strictSame(await refusals(500), [undefined, undefined, undefined]);
  for (const refusal of await refusals(501)) t.match(refusal, /has more than 500 elements/);
});

t.test('attributes are kept and left out by name', async (t) => {
  const shop = await openShop(t);
  const filter = encodeURIComponent('filter[attributes]');
  const names = async (parameters: string) => {
    const body = await shop.projection(parameters);
    const namesOf = (list: unknown) => (list as readonly { name: string }[]).map(({ name }) => name);
    return [...namesOf(body['attributes']), ...namesOf(variantOf(body)['attributes'])];
  };
  t.strictSame(await names(`${filter}=material&${filter}=origin`), ['origin', 'material']);
  t.strictSame(await names(`${filter}=-material`), ['origin', 'motto', 'shade']);
  t.strictSame(await names(`${filter}=material&${filter}=motto&${filter}=-material`), ['motto']);
});

t.test('stock is what there is when the projection is read', async (t) => {
  const shop = await openShop(t);
  const stock = async () => variantOf(await shop.projection(''))['availability'] as unknown;
  t.equal(await stock(), undefined);
  const entry = await made(shop, '/inventory', { sku: 'lamp-1', quantityOnStock: 5, restockableInDays: 3 });
  const everywhere = { isOnStock: true, availableQuantity: 5, restockableInDays: 3, id: entry.id, version: 1 };
  t.strictSame(await stock(), everywhere);
  const supplyChannel = { typeId: 'channel', id: shop.warehouse };
  const other = await made(shop, '/inventory', { sku: 'lamp-1', quantityOnStock: 0, supplyChannel });
  const channels = { [shop.warehouse]: { isOnStock: false, availableQuantity: 0, id: other.id, version: 1 } };
  t.strictSame(await stock(), { ...everywhere, channels });
  await made(shop, '/inventory', { sku: 'lamp-2', quantityOnStock: 5 });
  for (let version = 1; version < 20; version += 1) {
    const actions = [{ action: 'changeQuantity', quantity: version }];
    await shop.request('POST', `/inventory/${entry.id}`, { version, actions });
    t.match(await stock(), { availableQuantity: version, version: version + 1 }, 'what is kept is as new as that');
  }
  await shop.request('DELETE', `/inventory/${entry.id}?version=20`);
  t.strictSame(await stock(), { channels });
});

interface ShownProduct {
  readonly id: string;
  readonly version: number;
  readonly masterData: Readonly<Record<'current' | 'staged', { masterVariant: Record<string, unknown> } | undefined>>;
}

t.test('so it is where products are read, and in the answers to their updates', async (t) => {
  const shop = await openShop(t);
  const stockOf = (body: unknown, side: 'current' | 'staged' = 'current'): unknown =>
    (body as ShownProduct).masterData[side]?.masterVariant['availability'];
  const { body } = await shop.request('GET', '/products/key=lamp-1');
  const { id, version: first } = body as unknown as ShownProduct;
  let version = first;
  const reads = async (): Promise<readonly unknown[]> => {
    const read = await Promise.all(
      [`/products/${id}`, '/products/key=lamp-1', `/products/${id}?priceCurrency=EUR`].map(async (path) => {
        const answer = await shop.request('GET', path);
        t.strictSame(stockOf(answer.body, 'staged'), stockOf(answer.body), 'both sides have the SKU');
        return answer.body;
      }),
    );
    const { body: page } = await shop.request('GET', '/products?limit=5');
    return [...read, (page['results'] as readonly unknown[])[0]].map((each) => stockOf(each));
  };
  const answers = async (): Promise<readonly unknown[]> => {
    const read = await reads();
    const actions = [{ action: 'changeName', name: { en: `Lamp ${version}` } }];
    const updated = await shop.request('POST', `/products/${id}`, { version, actions });
    t.equal(updated.status, 200);
    version = Number(updated.body['version']);
    return [...read, stockOf(updated.body)];
  };
  t.strictSame(new Set(await answers()), new Set([undefined]));
  const entry = await made(shop, '/inventory', { sku: 'lamp-1', quantityOnStock: 5 });
  const supplyChannel = { typeId: 'channel', id: shop.warehouse };
  const other = await made(shop, '/inventory', { sku: 'lamp-1', quantityOnStock: 0, supplyChannel });
  const channels = { [shop.warehouse]: { isOnStock: false, availableQuantity: 0, id: other.id, version: 1 } };
  for (let last = 1; last < 10; last += 1) {
    const actions = [{ action: 'changeQuantity', quantity: last }];
    await shop.request('POST', `/inventory/${entry.id}`, { version: last, actions });
    const expected = { isOnStock: true, availableQuantity: last, id: entry.id, version: last + 1, channels };
    const isWritten = last % 2 === 0;
    for (const stock of await (isWritten ? answers() : reads())) t.strictSame(stock, expected);
  }
  const priced = await shop.request('GET', `/products/${id}?priceCurrency=EUR&priceCountry=DE`);
  t.match(priced.body, {
    masterData: { staged: { masterVariant: { price: { key: 'german' }, availability: { channels } } } },
  });
  const token = await shop.tokenWith([`view_published_products:${shop.projectKey}`]);
  const published = { authorization: `Bearer ${token}` };
  const [seen] = (await shop.request('GET', '/products', undefined, published)).body['results'] as readonly unknown[];
  t.match(stockOf(seen), { availableQuantity: 9 });
  t.equal(stockOf(seen, 'staged'), undefined);
  const { body: stored } = await shop.request('POST', '/graphql', {
    query: `{ product(id: "${id}") { masterData { current { masterVariant { availability { noChannel { availableQuantity } } } } } } }`,
  });
  t.match(stored, {
    data: {
      product: {
        masterData: { current: { masterVariant: { availability: { noChannel: { availableQuantity: 9 } } } } },
      },
    },
  });
  await shop.request('DELETE', `/inventory/${entry.id}?version=10`);
  await shop.request('DELETE', `/inventory/${other.id}?version=1`);
  t.strictSame(new Set(await answers()), new Set([undefined]));
});

t.test('each variant shows the stock of its own SKU, which may be empty, and none without one', async (t) => {
  const shop = await openShop(t);
  const skus = ['', 'lamp-x', undefined, 'lamp-y'];
  const draftOf = (key: string, [first, ...others]: readonly (string | undefined)[]): object => ({
    key,
    productType: { key: 'lamp' },
    name: { en: key },
    slug: { en: key },
    masterVariant: first === undefined ? {} : { sku: first },
    variants: others.map((sku) => (sku === undefined ? { key: `${key}-bare` } : { sku })),
  });
  await made(shop, '/products', draftOf('many', skus));
  await made(shop, '/products', draftOf('bare', [undefined, undefined]));
  for (const [index, sku] of ['', 'lamp-x'].entries())
    await made(shop, '/inventory', { sku, quantityOnStock: index + 1 });
  const stocksOf = (body: unknown): readonly unknown[] => {
    const { masterVariant, variants } = (body as ShownProduct).masterData.staged as unknown as {
      masterVariant: { availability?: { availableQuantity: number } };
      variants: readonly (typeof masterVariant)[];
    };
    return [masterVariant, ...variants].map(({ availability }) => availability?.availableQuantity);
  };
  for (const query of ['', '&priceCurrency=EUR']) {
    const where = encodeURIComponent('key in ("many", "bare")');
    const { body } = await shop.request('GET', `/products?where=${where}&sort=key${query}`);
    t.strictSame((body['results'] as readonly unknown[]).map(stocksOf), [
      [undefined, undefined],
      [1, 2, undefined, undefined],
    ]);
  }
});

t.test('a page of more SKUs than are read one by one shows what there is of each now', async (t) => {
  const shop = await openShop(t);
  const variants = Array.from({ length: 100 }, (_, index) => index);
  for (const key of ['m1', 'm2', 'm3', 'm4', 'm5', 'm6']) {
    const [masterVariant, ...others] = variants.map((index) => ({ sku: `${key}-${index}` }));
    const draft = { key, productType: { key: 'lamp' }, name: { en: key }, slug: { en: `many-${key}` } };
    await made(shop, '/products', { ...draft, masterVariant, variants: others });
  }
  const entry = await made(shop, '/inventory', { sku: 'm6-99', quantityOnStock: 1 });
  const where = encodeURIComponent('key in ("m1", "m2", "m3", "m4", "m5", "m6")');
  for (const quantity of [2, 3, 4]) {
    const actions = [{ action: 'changeQuantity', quantity }];
    await shop.request('POST', `/inventory/${entry.id}`, { version: quantity - 1, actions });
    const { text } = await shop.request('GET', `/products?where=${where}`);
    const shown = [...text.matchAll(/"availableQuantity":(\d+)/g)].map(([, each]) => Number(each));
    t.strictSame(shown, [quantity, quantity], 'on both sides');
  }
});

t.test('stocks add 16 MB to an answer at most, in whichever way it is made', async (t) => {
  const shop = await openShop(t);
  const supplyChannel = { typeId: 'channel', id: shop.channel };
  const entry = await made(shop, '/inventory', { sku: 'any', quantityOnStock: 1, supplyChannel });
  const stock = (key: string, skus: number, channels: number) => shop.sql`
    insert into documents (project, kind, id, version, data)
    select project, kind, made.id, 1, data || jsonb_build_object('id', made.id, 'sku', ${key}::text || '-' || sku,
      'supplyChannel', jsonb_build_object('typeId', 'channel', 'id', made.id || repeat('-', 2000)))
    from documents, generate_series(1, ${skus}::int) as sku,
      lateral (select gen_random_uuid() as id from generate_series(1, ${channels}::int) where sku = sku) as made
    where documents.id = ${entry.id}`;
  await stock('few', 1, 10);
  await stock('many', 70, 130);
  for (const [key, skus] of [
    ['few', 1],
    ['many', 70],
  ] as const) {
    const [masterVariant, ...variants] = Array.from({ length: skus }, (_, index) => ({ sku: `${key}-${index + 1}` }));
    const draft = { key, productType: { key: 'lamp' }, name: { en: key }, slug: { en: key } };
    await made(shop, '/products', { ...draft, masterVariant, variants });
  }
  for (const path of ['/products?', '/products?priceCurrency=EUR&', '/product-projections?staged=true&']) {
    const pageOf = (key: string) => shop.request('GET', `${path}where=${encodeURIComponent(`key = "${key}"`)}`);
    const { status, text } = await pageOf('few');
    t.equal(status, 200);
    t.match(text, /"availableQuantity"/);
    t.match(await pageOf('many'), refused({ code: 'InvalidInput', message: /16777216/ }), path);
  }
  const change = await shop.request('POST', '/products/key=many', {
    version: 1,
    actions: [{ action: 'changeName', name: { en: 'More' } }],
  });
  t.match(change, { status: 200, body: { version: 2 } }, 'what is committed is answered, without stocks');
  t.notMatch(change.text, /availableQuantity/);
});

t.test('a store shows its languages, prices and stock', async (t) => {
  const shop = await openShop(t);
  const { channel, warehouse } = shop;
  await made(shop, '/stores', { key: 'open', name: { en: 'Open' } });
  await made(shop, '/stores', {
    key: 'german',
    languages: ['de'],
    countries: [{ code: 'DE' }],
    distributionChannels: [{ typeId: 'channel', id: channel }],
    supplyChannels: [{ typeId: 'channel', id: channel }],
  });
  for (const id of [channel, warehouse])
    await made(shop, '/inventory', { sku: 'lamp-1', quantityOnStock: 1, supplyChannel: { typeId: 'channel', id } });
  const { body } = await shop.request('GET', '/products/key=lamp-1');
  const price = { key: 'french', value: euro(100), country: 'FR' };
  await shop.request('POST', '/products/key=lamp-1', {
    version: body['version'],
    actions: [{ action: 'addPrice', variantId: 1, price, staged: false }],
  });
  const german = await shop.projection('storeProjection=german&priceCurrency=EUR&priceCountry=FR');
  t.strictSame(german['name'], { de: 'Lampe' });
  const keys = (list: unknown) => (list as readonly { key: string }[]).map((each) => each.key);
  t.strictSame(keys(variantOf(german)['prices']), ['plain', 'german', 'loyal', 'city', 'dollar']);
  t.match(variantOf(german)['price'], { key: 'plain' }, 'selected of what is left');
  t.strictSame(Object.keys(variantOf(german)['availability']!['channels']), [channel]);
  t.strictSame((await shop.projection('storeProjection=german&localeProjection=en'))['name'], { en: 'Lamp' });
  const open = await shop.projection('storeProjection=open');
  t.strictSame(open['name'], { en: 'Lamp', de: 'Lampe' });
  t.equal(keys(variantOf(open)['prices']).length, 6);
  t.equal((await shop.request('GET', '/product-projections/key=lamp-1?storeProjection=none')).status, 404);

  const inStore = await shop.request('GET', '/in-store/key=german/product-projections/key=lamp-1');
  t.strictSame(inStore.body['name'], { de: 'Lampe' });
  t.equal((await shop.request('GET', '/in-store/key=none/product-projections/key=lamp-1')).status, 404);
  t.equal((await shop.request('GET', '/in-store/key=german/product-projections')).status, 404, 'there is no list');
  await shop.request('POST', '/stores/key=german', {
    version: 1,
    actions: [{ action: 'setLanguages', languages: ['en'] }],
  });
  const again = await shop.request('GET', '/in-store/key=german/product-projections/key=lamp-1');
  t.strictSame(again.body['name'], { en: 'Lamp' }, 'as the store is now');
});

t.test('products show the selected price too, also where they were just written', async (t) => {
  const shop = await openShop(t);
  const selected = ({ body }: { readonly body: Record<string, unknown> }) => {
    const { current, staged } = body['masterData'] as Record<string, Record<string, unknown>>;
    return [current, staged].map((data) => (variantOf(data!)['price'] as unknown as { key: string } | undefined)?.key);
  };
  const select = 'priceCurrency=EUR&priceCountry=DE';
  t.strictSame(selected(await shop.request('GET', '/products/key=lamp-1')), [undefined, undefined]);
  t.strictSame(selected(await shop.request('GET', `/products/key=lamp-1?${select}`)), ['german', 'german']);
  const page = await shop.request('GET', `/products?${select}`);
  t.strictSame(selected({ body: (page.body['results'] as Record<string, unknown>[])[0]! }), ['german', 'german']);
  const changed = await shop.request('POST', `/products/key=lamp-1?${select}`, {
    version: 1,
    actions: [{ action: 'addPrice', variantId: 1, price: { key: 'late', value: euro(1), country: 'FR' } }],
  });
  t.strictSame(selected(changed), ['german', 'german']);
  t.notMatch((await shop.request('GET', '/products/key=lamp-1')).text, '"price"', 'and nothing of it is stored');
  t.equal((await shop.request('GET', '/products?priceChannel=x')).status, 400);
  t.strictSame(selected(await shop.request('DELETE', `/products/key=lamp-1?version=2&${select}`)), [
    'german',
    'german',
  ]);
});

t.test('prices that stand alone are selected where the product has it so', async (t) => {
  const shop = await openShop(t);
  await shop.request('POST', '/products/key=lamp-1', {
    version: 1,
    actions: [{ action: 'setPriceMode', priceMode: 'Standalone' }],
  });
  const price = async () => {
    const path = '/product-projections/key=lamp-1?priceCurrency=EUR&priceCountry=DE';
    return variantOf((await shop.request('GET', path)).body)['price'] as unknown as { key: string } | undefined;
  };
  t.equal(await price(), undefined, 'what is embedded does not count');
  const { id } = await made(shop, '/standalone-prices', {
    key: 'alone',
    sku: 'lamp-1',
    value: euro(400),
    country: 'DE',
  });
  t.match(await price(), { id, key: 'alone', value: { centAmount: 400 }, country: 'DE' });
  await shop.request('POST', '/standalone-prices/key=alone', {
    version: 1,
    actions: [{ action: 'changeActive', active: false }],
  });
  t.equal(await price(), undefined);
});

t.test('GraphQL selects prices, and tells the stock, of a variant', async (t) => {
  const shop = await openShop(t);
  const supplyChannel = { typeId: 'channel', id: shop.warehouse };
  await made(shop, '/inventory', { sku: 'lamp-1', quantityOnStock: 5, restockableInDays: 2 });
  const entry = await made(shop, '/inventory', { key: 'far', sku: 'lamp-1', quantityOnStock: 0, supplyChannel });
  const ask = async (arguments_: string) => {
    const query = `{ product(key: "lamp-1") { masterData { current { masterVariant {
      price(currency: "EUR" ${arguments_}) { key value { centAmount } }
      availability {
        noChannel { isOnStock availableQuantity restockableInDays }
        channels { total results { channelRef { id } channel { key } availability { isOnStock id version } } }
      } } } } } }`;
    const { body } = await shop.request('POST', '/graphql', { query });
    t.equal(body['errors'], undefined);
    const { product } = body['data'] as { product: { masterData: { current: { masterVariant: object } } } };
    return product.masterData.current.masterVariant;
  };
  t.strictSame(await ask('country: "DE"'), {
    price: { key: 'german', value: { centAmount: 900 } },
    availability: {
      noChannel: { isOnStock: true, availableQuantity: 5, restockableInDays: 2 },
      channels: {
        total: 1,
        results: [
          {
            channelRef: { id: shop.warehouse },
            channel: { key: 'warehouse' },
            availability: { isOnStock: false, id: entry.id, version: 1 },
          },
        ],
      },
    },
  });
  t.match(await ask(`customerGroupAssignmentIds: ["${shop.group}"] country: "DE"`), { price: { key: 'loyal' } });
  await shop.request('POST', '/inventory/key=far', { version: 1, actions: [{ action: 'addQuantity', quantity: 3 }] });
  t.match(
    await ask('country: "DE"'),
    { availability: { channels: { results: [{ availability: { isOnStock: true, version: 2 } }] } } },
    'what is kept is as new as the stock',
  );
});

t.test('GraphQL picks variants by their stock, and does not depend on it otherwise', async (t) => {
  const shop = await openShop(t);
  await made(shop, '/products', {
    key: 'picked',
    productType: { typeId: 'product-type', key: 'lamp' },
    name: { en: 'Picked' },
    slug: { en: 'picked' },
    masterVariant: { sku: 'here' },
    variants: [{ sku: 'there' }, { sku: 'nowhere' }, {}],
  });
  const supplyChannel = { typeId: 'channel', id: shop.warehouse };
  await made(shop, '/inventory', { key: 'here', sku: 'here', quantityOnStock: 5 });
  await made(shop, '/inventory', { sku: 'here', quantityOnStock: 0, supplyChannel });
  await made(shop, '/inventory', { sku: 'there', quantityOnStock: 2, supplyChannel });
  await made(shop, '/inventory', { sku: 'nowhere', quantityOnStock: 0 });
  const channels = `stockChannelIds: ["${shop.warehouse}"]`;
  const ask = async () => {
    const list = (name: string, args: string) => `${name}: allVariants${args === '' ? '' : `(${args})`} { id }`;
    const query = `{ product(key: "picked") { masterData { staged {
      ${list('on', 'isOnStock: true')} ${list('off', 'isOnStock: false')} ${list('all', '')}
      ${list('inWarehouse', `isOnStock: true ${channels}`)} ${list('notInWarehouse', `isOnStock: false ${channels}`)}
      ${list('inNone', 'isOnStock: true stockChannelIds: []')} ${list('channelsAlone', channels)}
      ${list('few', 'isOnStock: false skus: ["nowhere"] hasImages: false')} ${list('matching', 'onlyMatching: true')}
      others: variants(isOnStock: true) { id } } } } }`;
    const { body } = await shop.request('POST', '/graphql', { query });
    t.equal(body['errors'], undefined);
    const { product } = body['data'] as { product: { masterData: { staged: Record<string, { id: number }[]> } } };
    const entries = Object.entries(product.masterData.staged);
    return Object.fromEntries(entries.map(([name, variants]) => [name, variants.map(({ id }) => id)]));
  };
  const picked = {
    on: [1],
    off: [2, 3, 4],
    all: [1, 2, 3, 4],
    inWarehouse: [2],
    notInWarehouse: [1, 3, 4],
    inNone: [],
    channelsAlone: [1, 2, 3, 4],
    few: [3],
    matching: [],
    others: [],
  };
  // It runs as compiled code from the second time on, and what is kept is as new as the stock.
  t.strictSame(await ask(), picked);
  t.strictSame(await ask(), picked);
  await shop.request('POST', '/inventory/key=here', {
    version: 1,
    actions: [{ action: 'changeQuantity', quantity: 0 }],
  });
  t.strictSame(await ask(), { ...picked, on: [], off: [1, 2, 3, 4] });
});

t.test('a store has the products of its selections alone', async (t) => {
  const shop = await openShop(t);
  await made(shop, '/products', {
    key: 'lamp-2',
    productType: { typeId: 'product-type', key: 'lamp' },
    name: { en: 'Other' },
    slug: { en: 'other' },
    publish: true,
    masterVariant: { sku: 'lamp-2' },
    variants: [{ sku: 'lamp-3' }, { sku: 'lamp-4' }],
  });
  const selection = await made(shop, '/product-selections', { key: 'few', name: { en: 'Few' } });
  await made(shop, '/stores', {
    key: 'small',
    productSelections: [{ productSelection: { typeId: 'product-selection', id: selection.id }, active: true }],
  });
  const path = (key: string) => `/in-store/key=small/product-projections/key=${key}`;
  t.equal((await shop.request('GET', path('lamp-1'))).status, 404);
  const { status } = await shop.request('POST', '/product-selections/key=few', {
    version: 1,
    actions: [
      {
        action: 'addProduct',
        product: { typeId: 'product', key: 'lamp-2' },
        variantSelection: { type: 'includeOnly', skus: ['lamp-2', 'lamp-4'] },
      },
    ],
  });
  t.equal(status, 200);
  t.equal((await shop.request('GET', path('lamp-1'))).status, 404);
  const { body } = await shop.request('GET', path('lamp-2'));
  t.match(body, { masterVariant: { sku: 'lamp-2' }, variants: [{ sku: 'lamp-4' }] });
  t.equal((body['variants'] as readonly unknown[]).length, 1);
  t.equal((await shop.request('GET', '/product-projections/key=lamp-1?storeProjection=small')).status, 200);
  await shop.request('POST', '/stores/key=small', {
    version: 1,
    actions: [
      {
        action: 'changeProductSelectionActive',
        productSelection: { typeId: 'product-selection', key: 'few' },
        active: false,
      },
    ],
  });
  t.equal((await shop.request('GET', path('lamp-1'))).status, 200, 'without an active selection it has all');
});
