import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startFeeder } from '../../src/feeder.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

type Body = Record<string, unknown>;

async function made(platform: Platform, path: string, draft: object): Promise<Body & { id: string; version: number }> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body as never;
}

async function changed(platform: Platform, path: string, ...actions: readonly object[]): Promise<Body> {
  const { body: before } = await platform.request('GET', path);
  const { status, body, text } = await platform.request('POST', path, { version: before['version'], actions });
  if (status !== 200) throw new Error(`${path}: ${text}`);
  return body;
}

/** What is read at the path, once it is so. */
async function until(platform: Platform, path: string, isSo: (body: Body) => boolean): Promise<Body> {
  let last: unknown;
  return eventually(async () => {
    const { status, body } = await platform.request('GET', path);
    last = body;
    return isSo(status === 404 ? {} : body) ? body : undefined;
  }).catch((error: unknown) => {
    throw new Error(`${path} is ${JSON.stringify(last)}`, { cause: error });
  });
}

const open = (t: Test) => startPlatform(t, { feeder: true });

const named = (key: string) => ({ key, name: { en: key }, slug: { en: key } });
const below = (key: string) => ({ parent: { typeId: 'category', key } });
const euro = (centAmount: number) => ({ currencyCode: 'EUR', centAmount });

interface Price {
  readonly discounted?: { readonly value: { readonly centAmount: number } };
}

function priceOf(body: Body): number | undefined {
  const { prices } = body['masterVariant'] as { readonly prices: readonly Price[] };
  return prices[0]!.discounted?.value.centAmount;
}

function attributesOf(body: Body): unknown {
  return (body['masterVariant'] as { readonly attributes: unknown }).attributes;
}

t.test('categories below one that moves know their new ancestors, and go with one that is deleted', async (t) => {
  const platform = await open(t);
  const ids = new Map<string, string>();
  for (const [key, parent] of [['root'], ['left', 'root'], ['leaf', 'left'], ['leaflet', 'leaf'], ['other']] as const)
    ids.set(key, (await made(platform, '/categories', { ...named(key), ...(parent && below(parent)) })).id);
  const ancestors = (body: Body) => (body['ancestors'] as readonly { id: string }[] | undefined)?.map(({ id }) => id);
  const query = `{ category(key: "root") { childCount stagedProductCount children { key childCount children { key } } } }`;
  t.strictSame((await platform.request('POST', '/graphql', { query })).body['data'], {
    category: {
      childCount: 1,
      stagedProductCount: 0,
      children: [{ key: 'left', childCount: 1, children: [{ key: 'leaf' }] }],
    },
  });
  const { body } = await platform.request('GET', '/categories/key=leaflet');
  t.strictSame(
    ancestors(body),
    ['root', 'left', 'leaf'].map((key) => ids.get(key)),
  );
  await made(platform, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
  await made(platform, '/products', {
    ...named('product'),
    productType: { key: 'lamp' },
    publish: true,
    categories: ['leaf', 'other'].map((key) => ({ typeId: 'category', key })),
    categoryOrderHints: { [ids.get('leaf')!]: '0.1', [ids.get('other')!]: '0.2' },
  });

  await changed(platform, '/categories/key=left', { action: 'changeParent', ...below('other') });
  const wanted = JSON.stringify(['other', 'left', 'leaf'].map((key) => ids.get(key)));
  await until(platform, '/categories/key=leaflet', (each) => JSON.stringify(ancestors(each)) === wanted);
  const loop = await platform.request('POST', '/categories/key=other', {
    version: 1,
    actions: [{ action: 'changeParent', ...below('leaflet') }],
  });
  t.match(loop.body, { errors: [{ code: 'InvalidOperation' }] });

  t.equal((await platform.request('DELETE', '/categories/key=left?version=2')).status, 200);
  for (const key of ['leaf', 'leaflet']) await until(platform, `/categories/key=${key}`, ({ id }) => id === undefined);
  const product = await until(
    platform,
    '/product-projections/key=product',
    ({ categories }) => (categories as readonly unknown[]).length === 1,
  );
  t.strictSame(product['categories'], [{ typeId: 'category', id: ids.get('other') }]);
  t.strictSame(product['categoryOrderHints'], { [ids.get('other')!]: '0.2' });
});

t.test('products follow their product type, and those that it nests', async (t) => {
  const platform = await open(t);
  const size = {
    name: 'enum',
    values: [
      { key: 's', label: 'Small' },
      { key: 'm', label: 'Medium' },
    ],
  };
  const define = (name: string, type: object) => ({ name, type, label: { en: name }, isRequired: false });
  await made(platform, '/product-types', {
    key: 'part',
    name: 'Part',
    description: 'Parts',
    attributes: [define('weight', { name: 'number' })],
  });
  await made(platform, '/product-types', {
    key: 'lamp',
    name: 'Lamp',
    description: 'Lamps',
    attributes: [
      define('color', { name: 'text' }),
      define('size', size),
      define('parts', {
        name: 'set',
        elementType: { name: 'nested', typeReference: { typeId: 'product-type', key: 'part' } },
      }),
    ],
  });
  await made(platform, '/products', {
    ...named('product'),
    productType: { key: 'lamp' },
    publish: true,
    masterVariant: {
      attributes: [
        { name: 'color', value: 'red' },
        { name: 'size', value: 'm' },
        { name: 'parts', value: [[{ name: 'weight', value: 3 }]] },
      ],
    },
  });
  const path = '/product-projections/key=product';
  await changed(
    platform,
    '/product-types/key=lamp',
    { action: 'changeAttributeName', attributeName: 'color', newAttributeName: 'colour' },
    { action: 'changePlainEnumValueLabel', attributeName: 'size', newValue: { key: 'm', label: 'Middle' } },
  );
  await changed(platform, '/product-types/key=part', {
    action: 'changeAttributeName',
    attributeName: 'weight',
    newAttributeName: 'grams',
  });
  const wanted = [
    { name: 'colour', value: 'red' },
    { name: 'size', value: { key: 'm', label: 'Middle' } },
    { name: 'parts', value: [[{ name: 'grams', value: 3 }]] },
  ];
  const followed = await until(platform, path, (body) => JSON.stringify(attributesOf(body)) === JSON.stringify(wanted));
  t.equal(followed['hasStagedChanges'], false, 'both projections have followed');

  await changed(platform, '/product-types/key=lamp', { action: 'setKey', key: 'lamp-2' });
  await changed(platform, '/product-types/key=lamp-2', { action: 'removeAttributeDefinition', name: 'colour' });
  const after = await until(platform, path, (body) => (attributesOf(body) as readonly unknown[]).length === 2);
  t.ok(Number(after['version']) <= Number(followed['version']) + 1, 'and is not written for what is nothing to it');
});

t.test('products miss no change of their product type, however many follow it', async (t) => {
  const platform = await startPlatform(t);
  const keys = Array.from({ length: 500 }, (_, index) => `v${index}`);
  const type = { name: 'enum', values: keys.map((key) => ({ key, label: key })) };
  const attributes = [
    { name: 'aa', type: { name: 'text' }, label: { en: 'A' }, isRequired: false },
    { name: 'ee', type, label: { en: 'E' }, isRequired: false },
  ];
  await made(platform, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps', attributes });
  await made(platform, '/products', {
    ...named('product'),
    productType: { key: 'lamp' },
    publish: true,
    masterVariant: { attributes: ['aa', 'ee'].map((name) => ({ name, value: 'v7' })) },
  });
  const update = (actions: readonly object[]) => changed(platform, '/product-types/key=lamp', ...actions);
  const renamed = (round: number) =>
    keys.map((key) => ({
      action: 'changeEnumKey',
      attributeName: 'ee',
      key: `${key}${'x'.repeat(round - 1)}`,
      newKey: `${key}${'x'.repeat(round)}`,
    }));
  await update([{ action: 'changeAttributeName', attributeName: 'aa', newAttributeName: 'bb' }]);
  for (let round = 1; round <= 11; round += 1)
    await update(
      keys.map((key) => ({
        action: 'changePlainEnumValueLabel',
        attributeName: 'ee',
        newValue: { key, label: `${key} ${round}` },
      })),
    );
  // The log has room for these only where labels do not fill it.
  for (let round = 1; round <= 8; round += 1) await update(renamed(round));
  const { body } = await platform.request('GET', '/product-types/key=lamp');
  const refused = await platform.request('POST', '/product-types/key=lamp', {
    version: body['version'],
    actions: renamed(9),
  });
  t.match(refused, {
    status: 503,
    body: { errors: [{ code: 'PendingOperation', message: /not followed the last 5000/ }] },
  });
  await update([{ action: 'changeLabel', attributeName: 'ee', label: { en: 'What needs no room is not refused' } }]);

  const feeder = startFeeder(platform.config, pino({ level: 'silent' }));
  t.teardown(() => feeder.close());
  const follows = (suffix: string) =>
    until(platform, '/product-projections/key=product', (is) => {
      const wanted = [
        { name: 'bb', value: 'v7' },
        { name: 'ee', value: { key: `v7${suffix}`, label: 'v7 11' } },
      ];
      return JSON.stringify(attributesOf(is)) === JSON.stringify(wanted);
    });
  await follows('x'.repeat(8));
  await eventually(async () => {
    const again = await platform.request('GET', '/product-types/key=lamp');
    const { status } = await platform.request('POST', '/product-types/key=lamp', {
      version: again.body['version'],
      actions: renamed(9),
    });
    return status === 200 ? true : undefined;
  });
  await follows('x'.repeat(9));
});

t.test('prices follow the product discounts, by change and by the clock', async (t) => {
  const platform = await open(t);
  await made(platform, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
  const root = await made(platform, '/categories', named('root'));
  await made(platform, '/categories', { ...named('leaf'), ...below('root') });
  await made(platform, '/products', {
    ...named('product'),
    productType: { key: 'lamp' },
    publish: true,
    categories: [{ typeId: 'category', key: 'leaf' }],
    masterVariant: { sku: 'sku-1', prices: [{ value: euro(1000) }] },
  });
  const path = '/product-projections/key=product';
  const relative = (permyriad: number) => ({ value: { type: 'relative', permyriad } });
  await made(platform, '/product-discounts', {
    key: 'all',
    name: { en: 'All' },
    predicate: `categoriesWithAncestors.id contains any ("${root.id}")`,
    sortOrder: '0.5',
    isActive: true,
    ...relative(1000),
  });
  const first = await until(platform, path, (body) => priceOf(body) === 900);
  t.equal(first['hasStagedChanges'], false);
  await made(platform, '/product-discounts', {
    key: 'more',
    name: { en: 'More' },
    predicate: 'sku = "sku-1" and centAmount > 500',
    sortOrder: '0.6',
    isActive: true,
    ...relative(5000),
    validFrom: new Date(Date.now() + 4000).toISOString(),
    validUntil: new Date(Date.now() + 8000).toISOString(),
  });
  await until(platform, path, (body) => priceOf(body) === 500);
  await until(platform, path, (body) => priceOf(body) === 900);
  await changed(platform, '/product-discounts/key=all', { action: 'changeIsActive', isActive: false });
  await until(platform, path, (body) => priceOf(body) === undefined);
});

t.test('custom fields lose what their type gives up, wherever they stand, and nothing else', async (t) => {
  const platform = await open(t);
  const field = (name: string, required = false) => ({ name, label: { en: name }, required, type: { name: 'String' } });
  const resourceTypeIds = ['channel', 'address', 'category', 'asset', 'product-price', 'customer', 'store'];
  const typeOf = (key: string) => {
    const fieldDefinitions = [field('note'), field('count'), field('rest')];
    return made(platform, '/types', { key, name: { en: key }, resourceTypeIds, fieldDefinitions });
  };
  await typeOf('fields');
  await typeOf('others');
  const custom = { type: { typeId: 'type', key: 'fields' }, fields: { note: 'x', count: '1' } };
  const asset = { name: { en: 'Front' }, sources: [{ uri: 'https://images.example.org/a.jpg' }], custom };
  await made(platform, '/channels', { key: 'channel', custom, address: { country: 'DE', custom } });
  const others = { type: { typeId: 'type', key: 'others' }, fields: { note: 'x' } };
  await made(platform, '/channels', { key: 'other', custom: others });
  await made(platform, '/channels', { key: 'without', custom: { ...custom, fields: { count: '1' } } });
  await made(platform, '/categories', { ...named('category'), custom, assets: [asset] });
  await made(platform, '/stores', { key: 'store', custom });
  const addresses = [
    { key: 'one', country: 'DE', custom },
    { key: 'two', country: 'DE' },
  ];
  await made(platform, '/customers', {
    key: 'customer',
    email: 'a@example.org',
    password: 'secret-123',
    custom,
    addresses,
  });
  await made(platform, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps', attributes: [] });
  const variant = (sku: string) => ({ sku, prices: [{ value: euro(100), custom }], assets: [asset] });
  await made(platform, '/products', {
    ...named('product'),
    productType: { typeId: 'product-type', key: 'lamp' },
    publish: true,
    masterVariant: variant('a'),
    variants: [variant('b')],
  });
  // What the type demands since then, and the resource lacks, keeps nothing from going.
  const actions = [
    { action: 'addFieldDefinition', fieldDefinition: field('needed', true) },
    { action: 'removeFieldDefinition', fieldName: 'note' },
  ];
  await changed(platform, '/types/key=fields', ...actions);
  const paths = ['channels/key=channel', 'categories/key=category', 'stores/key=store', 'customers/key=customer'];
  for (const path of [...paths, 'products/key=product']) {
    const body = await until(platform, `/${path}`, (is) => !JSON.stringify(is).includes('"note"'));
    const counts = path.startsWith('products') ? 8 : path.startsWith('stores') ? 1 : 2;
    t.equal(JSON.stringify(body).split('"count":"1"').length - 1, counts, `${path} keeps the others`);
    t.equal(body['version'], 2);
    t.equal((body['createdBy'] as Body)['clientId'], (body['lastModifiedBy'] as Body)['clientId']);
  }
  for (const key of ['other', 'without'])
    t.equal((await platform.request('GET', `/channels/key=${key}`)).body['version'], 1, `${key} is not written`);

  await changed(platform, '/types/key=fields', { action: 'removeFieldDefinition', fieldName: 'needed' });
  await changed(platform, '/types/key=fields', { action: 'removeFieldDefinition', fieldName: 'count' });
  const store = await until(platform, '/stores/key=store', (is) => !JSON.stringify(is).includes('"count"'));
  t.match(store, { version: 3, custom: { type: { typeId: 'type' }, fields: {} } });
});

t.test('a product follows though its variants become alike by that', async (t) => {
  const platform = await open(t);
  await made(platform, '/product-types', {
    key: 'lamp',
    name: 'Lamp',
    description: 'Lamps',
    attributes: ['color', 'size'].map((name) => ({
      name,
      label: { en: name },
      type: { name: 'text' },
      isRequired: false,
    })),
  });
  const variant = (color: string) => ({
    prices: [{ value: euro(1000) }],
    attributes: [
      { name: 'color', value: color },
      { name: 'size', value: 'm' },
    ],
  });
  const product = await made(platform, '/products', {
    ...named('lamp'),
    productType: { key: 'lamp' },
    masterVariant: variant('red'),
    variants: [variant('blue')],
    publish: true,
  });
  await made(platform, '/product-discounts', {
    name: { en: 'Half' },
    predicate: 'variant.id = 1',
    sortOrder: '0.5',
    isActive: true,
    value: { type: 'relative', permyriad: 5000 },
  });
  const projection = '/product-projections/key=lamp';
  const { version } = await until(platform, projection, (body) => priceOf(body) === 500);
  t.match(
    await platform.request('POST', `/products/${product.id}`, {
      version,
      actions: [{ action: 'addVariant', ...variant('red') }],
    }),
    { status: 400, body: { errors: [{ code: 'DuplicateVariantValues' }] } },
    'what a discount takes off a price does not tell variants apart',
  );
  await changed(platform, '/product-types/key=lamp', { action: 'removeAttributeDefinition', name: 'color' });
  const left = await until(
    platform,
    projection,
    (body) => JSON.stringify(attributesOf(body)) === '[{"name":"size","value":"m"}]',
  );
  const [other] = left['variants'] as readonly { readonly attributes: unknown }[];
  t.strictSame(other?.attributes, [{ name: 'size', value: 'm' }]);
  await changed(platform, `/products/${product.id}`, { action: 'setSku', variantId: 2, sku: 'lamp-2', staged: false });
});
