import type { Test } from 'tap';
import { type Platform, startPlatform } from './platform.ts';
import { eventually } from './services.ts';

/** A shop of three lamps, of which one is not published, when all searches find them. */
export async function startSearchShop(t: Test): Promise<Platform> {
  const platform = await startPlatform(t, { search: true });
  const { request } = platform;
  const post = async (path: string, draft: object): Promise<Readonly<Record<string, unknown>>> => {
    const { status, text, body } = await request('POST', path, draft);
    if (status !== 201 && status !== 200) throw new Error(text);
    return body;
  };
  // The feeder may tell the project at the same time that a search is activated.
  await eventually(async () => {
    const { version } = (await request('GET', '')).body;
    const actions = [{ action: 'changeProductSearchIndexingEnabled', enabled: true, mode: 'ProductsSearch' }];
    return (await request('POST', '', { version, actions })).status === 200 || undefined;
  });
  await post('/product-types', {
    key: 'lamp',
    name: 'Lamp',
    description: 'Lamps',
    attributes: [
      { name: 'color', type: { name: 'text' }, label: { en: 'Color' }, isRequired: false },
      { name: 'watts', type: { name: 'number' }, label: { en: 'Watts' }, isRequired: false },
    ],
  });
  await post('/categories', { key: 'light', name: { en: 'Light' }, slug: { en: 'light' } });
  for (const { key, variants, publish } of lamps)
    await post('/products', {
      key,
      productType: { key: 'lamp' },
      name: { en: `${key} lamp`, de: `Lampe ${key}` },
      slug: { en: key },
      categories: [{ typeId: 'category', key: 'light' }],
      masterVariant: variants[0],
      variants: variants.slice(1),
      publish,
    });
  await eventually(async () => {
    const projections = await request('GET', '/product-projections/search?staged=true&limit=0');
    const products = await request('POST', '/products/search', { limit: 0 });
    return projections.body['total'] === 3 && products.body['total'] === 2 ? true : undefined;
  });
  return platform;
}

function variant(sku: string, [color, watts]: readonly [string, number], centAmount: number): object {
  const attributes = [
    { name: 'color', value: color },
    { name: 'watts', value: watts },
  ];
  return { sku, attributes, prices: [{ value: { currencyCode: 'EUR', centAmount } }] };
}

const lamps = [
  { key: 'desk', publish: true, variants: [variant('D-1', ['red', 40], 500), variant('D-2', ['blue', 60], 900)] },
  { key: 'floor', publish: true, variants: [variant('F-1', ['blue', 40], 700)] },
  { key: 'hidden', publish: false, variants: [variant('H-1', ['red', 60], 100)] },
];
