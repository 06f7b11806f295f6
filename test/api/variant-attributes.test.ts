import t, { type Test } from 'tap';
import { type Platform, startPlatform } from '../support/platform.ts';

async function made(platform: Platform, path: string, draft: object): Promise<{ id: string }> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body as never;
}

const shade = {
  name: 'lenum',
  values: [
    { key: 'red', label: { en: 'Red', de: 'Rot' } },
    { key: 'blue', label: { en: 'Blue', de: 'Blau' } },
  ],
};

const define = (name: string, type: object, level = 'Variant') => {
  return { name, type, level, isRequired: false, label: { en: name, de: `${name}-de` } };
};

interface Shop extends Platform {
  readonly id: string;
  readonly warehouse: string;
  ask(path: string, parameters: string): Promise<{ status: number; body: Record<string, unknown> }>;
}

async function openShop(t: Test): Promise<Shop> {
  const platform = await startPlatform(t);
  await made(platform, '/product-types', {
    key: 'lamp',
    name: 'Lamp',
    description: 'Lamps',
    attributes: [
      define('size', { name: 'number' }),
      define('shade', shade),
      define('material', { name: 'text' }),
      define('origin', { name: 'text' }, 'Product'),
    ],
  });
  const { id } = await made(platform, '/products', {
    key: 'lamp-1',
    productType: { typeId: 'product-type', key: 'lamp' },
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    attributes: [{ name: 'origin', value: 'Lisbon' }],
    publish: true,
    masterVariant: {
      sku: 'small',
      key: 'small-one',
      attributes: [
        { name: 'size', value: 1 },
        { name: 'shade', value: 'red' },
        { name: 'material', value: 'brass' },
      ],
    },
    variants: [{ sku: 'large', attributes: [{ name: 'size', value: 2 }] }, {}],
  });
  const staged = [{ action: 'setAttribute', sku: 'large', name: 'shade', value: 'blue' }];
  await platform.request('POST', `/products/${id}`, { version: 1, actions: staged });
  const { id: warehouse } = await made(platform, '/channels', { key: 'warehouse', roles: ['InventorySupply'] });
  await made(platform, '/inventory', { sku: 'small', quantityOnStock: 5, restockableInDays: 3 });
  const supplyChannel = { typeId: 'channel', id: warehouse };
  await made(platform, '/inventory', { sku: 'small', quantityOnStock: 0, supplyChannel });
  await made(platform, '/inventory', { sku: 'large', quantityOnStock: 7, supplyChannel });
  return {
    ...platform,
    id,
    warehouse,
    ask: (path, parameters) => platform.request('GET', `${path}/variant-attributes?${parameters}`),
  };
}

const byKey = '/product-projections/key=lamp-1';

t.test('the variants of a product show the attributes that are asked for, and their stock', async (t) => {
  const shop = await openShop(t);
  const { body } = await shop.ask(
    `/product-projections/${shop.id}`,
    'filter[attributes]=shade&filter[attributes]=size',
  );
  t.strictSame(body, {
    productId: shop.id,
    productKey: 'lamp-1',
    attributes: [
      { name: 'size', label: { en: 'size', de: 'size-de' }, type: 'number' },
      { name: 'shade', label: { en: 'shade', de: 'shade-de' }, type: 'lenum' },
    ],
    variants: [
      {
        id: '1',
        sku: 'small',
        key: 'small-one',
        availability: { isOnStock: true, availableQuantity: 5 },
        attributes: [
          { name: 'size', value: 1 },
          { name: 'shade', value: { key: 'red', label: { en: 'Red', de: 'Rot' } } },
        ],
      },
      { id: '2', sku: 'large', availability: {}, attributes: [{ name: 'size', value: 2 }] },
      { id: '3', attributes: [] },
    ],
  });
  const others = 'filter[attributes]=origin&filter[attributes]=nothing&filter[attributes]=-size';
  t.match((await shop.ask(byKey, others)).body, { attributes: [], variants: [{ attributes: [] }] });
  const staged = `filter[attributes]=shade&staged=true&localeProjection=de&filter[supplyChannels]=${shop.warehouse}`;
  t.strictSame((await shop.ask(byKey, staged)).body, {
    productId: shop.id,
    productKey: 'lamp-1',
    attributes: [{ name: 'shade', label: { de: 'shade-de' }, type: 'lenum' }],
    variants: [
      {
        id: '1',
        sku: 'small',
        key: 'small-one',
        availability: {
          isOnStock: true,
          availableQuantity: 5,
          channels: { [shop.warehouse]: { isOnStock: false, availableQuantity: 0 } },
        },
        attributes: [{ name: 'shade', value: { key: 'red', label: { de: 'Rot' } } }],
      },
      {
        id: '2',
        sku: 'large',
        availability: { channels: { [shop.warehouse]: { isOnStock: true, availableQuantity: 7 } } },
        attributes: [{ name: 'shade', value: { key: 'blue', label: { de: 'Blau' } } }],
      },
      { id: '3', attributes: [] },
    ],
  });
});

t.test('a store shows them in its languages, with what its selections leave', async (t) => {
  const shop = await openShop(t);
  const selection = await made(shop, '/product-selections', { key: 'few', name: { en: 'Few' } });
  const draft = { productSelection: { typeId: 'product-selection', id: selection.id }, active: true };
  await made(shop, '/stores', { key: 'small', languages: ['de'], productSelections: [draft] });
  const path = `/in-store/key=small${byKey}`;
  t.match(await shop.ask(path, 'filter[attributes]=size'), { status: 404 });
  const variantSelection = { type: 'includeOnly', skus: ['small'] };
  const actions = [{ action: 'addProduct', product: { typeId: 'product', id: shop.id }, variantSelection }];
  t.match(await shop.request('POST', '/product-selections/key=few', { version: 1, actions }), { status: 200 });
  const { body } = await shop.ask(path, 'filter[attributes]=shade');
  t.match(body, { attributes: [{ label: { de: 'shade-de' } }] });
  t.strictSame(
    (body['variants'] as { sku?: string }[]).map(({ sku }) => sku),
    ['small'],
  );
  const token = await shop.tokenWith([`view_products:${shop.projectKey}:small`]);
  const headers = { authorization: `Bearer ${token}` };
  const ask = (of: string) =>
    shop.request('GET', `${of}/variant-attributes?filter[attributes]=size`, undefined, headers);
  t.match(await ask(path), { status: 200 });
  t.match(await ask(byKey), { status: 403 });
});

t.test('what is wrong is refused, and what is staged shown to those alone who see all', async (t) => {
  const shop = await openShop(t);
  t.match(await shop.ask(byKey, 'staged=true'), {
    status: 400,
    body: { errors: [{ message: /filter\[attributes\]/ }] },
  });
  t.match(await shop.ask('/product-projections/key=none', 'filter[attributes]=size'), {
    status: 404,
    body: { errors: [{ code: 'ResourceNotFound', message: /^The ProductProjection with key 'none'/ }] },
  });
  const headers = { authorization: `Bearer ${await shop.tokenWith([`view_published_products:${shop.projectKey}`])}` };
  const ask = (parameters: string) =>
    shop.request('GET', `${byKey}/variant-attributes?filter[attributes]=shade${parameters}`, undefined, headers);
  t.match(await ask(''), { status: 200, body: { variants: [{}, { attributes: [] }] } });
  t.match(await ask('&staged=true'), { status: 403, body: { error: 'insufficient_scope' } });
});

t.test('GraphQL has the same, in a store too, and follows the stock', async (t) => {
  const shop = await openShop(t);
  await made(shop, '/stores', { key: 'german', languages: ['de'] });
  const selection = `{
    productId productKey
    attributes { name type label(locale: "de") labelAllLocales { locale } }
    variants { id sku key attributesRaw { name value } availability {
      noChannel { isOnStock availableQuantity } channels { channelRef { id } availability { availableQuantity } } } } }`;
  const names = `includeAttributeNames: ["size"] includeChannelIds: ["${shop.warehouse}"]`;
  const field = (named: string) => `productProjectionVariantAttributes(${named} ${names}) ${selection}`;
  const ask = async (query: string) => (await shop.request('POST', '/graphql', { query })).body;
  const known = {
    productId: shop.id,
    productKey: 'lamp-1',
    attributes: [
      { name: 'size', type: 'number', label: 'size-de', labelAllLocales: [{ locale: 'de' }, { locale: 'en' }] },
    ],
    variants: [
      {
        id: '1',
        sku: 'small',
        key: 'small-one',
        attributesRaw: [{ name: 'size', value: 1 }],
        availability: {
          noChannel: { isOnStock: true, availableQuantity: 5 },
          channels: [{ channelRef: { id: shop.warehouse }, availability: { availableQuantity: 0 } }],
        },
      },
      {
        id: '2',
        sku: 'large',
        key: null,
        attributesRaw: [{ name: 'size', value: 2 }],
        availability: {
          noChannel: null,
          channels: [{ channelRef: { id: shop.warehouse }, availability: { availableQuantity: 7 } }],
        },
      },
      { id: '3', sku: null, key: null, attributesRaw: [], availability: null },
    ],
  };
  const asked = `{ ${field('key: "lamp-1"')} }`;
  t.strictSame((await ask(asked))['data'], { productProjectionVariantAttributes: known });
  t.match(await ask(`{ inStore(key: "german") { ${field(`id: "${shop.id}"`)} } }`), {
    data: {
      inStore: { productProjectionVariantAttributes: { attributes: [{ labelAllLocales: [{ locale: 'de' }] }] } },
    },
  });
  t.match(await ask(`{ ${field('')} }`), { errors: [{ extensions: { code: 'InvalidInput' } }] });
  const { body } = await shop.request('GET', '/inventory?where=supplyChannel%20is%20not%20defined');
  const [entry] = body['results'] as { id: string }[];
  const actions = [{ action: 'changeQuantity', quantity: 1 }];
  await shop.request('POST', `/inventory/${entry!.id}`, { version: 1, actions });
  t.match(await ask(asked), {
    data: {
      productProjectionVariantAttributes: { variants: [{ availability: { noChannel: { availableQuantity: 1 } } }] },
    },
  });
});
