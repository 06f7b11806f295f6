import t, { type Test } from 'tap';
import { pino } from 'pino';
import { type RunningFeeder, startFeeder } from '../../src/app.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { drained, expectedDocuments, storedDocuments } from '../support/search-documents.ts';
import { eventually } from '../support/services.ts';

/** A platform with a feeder that is told as often as something is looked for. */
interface Fed extends Platform {
  readonly feeder: RunningFeeder;
}

async function startFed(t: Test): Promise<Fed> {
  const platform = await startPlatform(t);
  const feeder = startFeeder(platform.config, pino({ level: 'silent' }));
  t.teardown(() => feeder.close());
  return { ...platform, feeder };
}

type Body = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

async function made(platform: Platform, path: string, draft: object): Promise<Body> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body as never;
}

/** Updates a resource at the version that it has. */
async function update(platform: Platform, path: string, ...actions: object[]): Promise<void> {
  const { body } = await platform.request('GET', path);
  const answer = await platform.request('POST', path, { version: body['version'], actions });
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
}

async function remove(platform: Platform, path: string): Promise<void> {
  const { body } = await platform.request('GET', path);
  const answer = await platform.request('DELETE', `${path}?version=${String(body['version'])}`);
  if (answer.status !== 200) throw new Error(`${path}: ${answer.text}`);
}

const keyed = (typeId: string, key: string) => ({ typeId, key });
const eur = (centAmount: number) => ({ currencyCode: 'EUR', centAmount });

const attribute = (name: string, members: object = {}) => ({
  name,
  type: { name: 'text' },
  label: { en: name },
  isRequired: false,
  isSearchable: true,
  ...members,
});

/** Two product types that share an attribute, categories in a row, and a product of each type. */
async function furnish(platform: Platform): Promise<{ readonly lamp: string; readonly tent: string }> {
  for (const key of ['lamps', 'tents'])
    await made(platform, '/product-types', {
      key,
      name: key,
      description: key,
      attributes: [attribute('color'), attribute(`of-${key}`)],
    });
  for (const [key, parent] of [['home'], ['garden'], ['light', 'home'], ['desk', 'light']])
    await made(platform, '/categories', {
      key,
      name: { en: key },
      slug: { en: `c-${key}` },
      ...(parent !== undefined && { parent: keyed('category', parent) }),
    });
  const product = async (key: string, type: string, members: object = {}) => {
    const { id } = await made(platform, '/products', {
      key,
      name: { en: key },
      slug: { en: key },
      productType: keyed('product-type', type),
      masterVariant: { sku: `${key}-1`, prices: [{ value: eur(100) }], attributes: [{ name: 'color', value: 'red' }] },
      variants: [{ sku: `${key}-2` }],
      publish: true,
      ...members,
    });
    return id;
  };
  const lamp = await product('lamp', 'lamps', { categories: [keyed('category', 'desk')] });
  return { lamp, tent: await product('tent', 'tents', { priceMode: 'Standalone' }) };
}

async function requireExact(t: Test, platform: Fed, claim: string): Promise<void> {
  await drained(platform);
  t.strictSame(await storedDocuments(platform), await expectedDocuments(platform), claim);
}

/** Numbers of the rows, which change with their documents alone. */
async function seqs({ sql, projectKey }: Platform): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ id: string; seq: string }[]>`
    select product_id as id, seq from search_documents where project = ${projectKey}`;
  return new Map(rows.map(({ id, seq }) => [id, Number(seq)]));
}

t.test('each change arrives in the documents of those whom it reaches, and in no others', async (t) => {
  const platform = await startFed(t);
  const { lamp, tent } = await furnish(platform);
  await requireExact(t, platform, 'in the beginning');
  const [lamps, tents] = ['/product-types/key=lamps', '/product-types/key=tents'];
  const product = '/products/key=lamp';
  const selection = { typeId: 'product-selection', key: 'summer' };
  const channel = await made(platform, '/channels', {
    key: 'berlin',
    roles: ['InventorySupply', 'ProductDistribution'],
  });
  const update_ =
    (path: string, ...actions: object[]) =>
    () =>
      update(platform, path, ...actions);
  const make = (path: string, draft: object) => () => made(platform, path, draft);
  const both = [lamp, tent];
  const cases: readonly (readonly [claim: string, change: () => Promise<unknown>, reached: readonly string[]])[] = [
    ['a product changes', update_(product, { action: 'changeName', name: { en: 'Lamp' } }), [lamp]],
    ['a product is published', update_(product, { action: 'publish' }), [lamp]],
    ['the name of a product type', update_(lamps, { action: 'changeName', name: 'Other' }), []],
    [
      'an attribute is not searchable in one type',
      update_(tents, { action: 'changeIsSearchable', attributeName: 'color', isSearchable: false }),
      both,
    ],
    [
      'an attribute that no product has is not searchable',
      update_(tents, { action: 'changeIsSearchable', attributeName: 'of-tents', isSearchable: false }),
      [],
    ],
    [
      'an attribute is searchable again',
      update_(tents, { action: 'changeIsSearchable', attributeName: 'color', isSearchable: true }),
      both,
    ],
    [
      'an attribute is renamed',
      update_(lamps, { action: 'changeAttributeName', attributeName: 'color', newAttributeName: 'shade' }),
      [lamp],
    ],
    ['the name of a category', update_('/categories/key=light', { action: 'changeName', name: { en: 'x' } }), []],
    [
      'a category two levels above moves',
      update_('/categories/key=light', { action: 'changeParent', parent: keyed('category', 'garden') }),
      [lamp],
    ],
    ['a category two levels above goes', () => remove(platform, '/categories/key=garden'), [lamp]],
    ['there is a stock', make('/inventory', { key: 'stock', sku: 'lamp-1', quantityOnStock: 3 }), [lamp]],
    [
      'there is a stock of a channel',
      make('/inventory', {
        key: 'berlin',
        sku: 'tent-2',
        quantityOnStock: 1,
        supplyChannel: { typeId: 'channel', id: channel.id },
      }),
      [tent],
    ],
    ['a stock of nothing', make('/inventory', { sku: 'other', quantityOnStock: 3 }), []],
    ['a stock shrinks', update_('/inventory/key=stock', { action: 'removeQuantity', quantity: 3 }), [lamp]],
    ['a stock goes', () => remove(platform, '/inventory/key=stock'), [lamp]],
    ['there is a price', make('/standalone-prices', { key: 'price', sku: 'tent-1', value: eur(70) }), [tent]],
    [
      'a price that is not active',
      make('/standalone-prices', { sku: 'tent-1', value: eur(5), active: false, country: 'DE' }),
      [],
    ],
    ['a price of a product with others', make('/standalone-prices', { sku: 'lamp-1', value: eur(70) }), []],
    ['a price changes', update_('/standalone-prices/key=price', { action: 'changeValue', value: eur(60) }), [tent]],
    [
      'a price is not active',
      update_('/standalone-prices/key=price', { action: 'changeActive', active: false }),
      [tent],
    ],
    ['there is a selection', make('/product-selections', { key: 'summer', name: { en: 'Summer' } }), []],
    ['a store without selections', make('/stores', { key: 'shop' }), []],
    [
      'a product is selected',
      update_('/product-selections/key=summer', { action: 'addProduct', product: keyed('product', 'lamp') }),
      [lamp],
    ],
    [
      'a selection is active in a store',
      update_('/stores/key=shop', { action: 'addProductSelection', productSelection: selection, active: true }),
      [lamp],
    ],
    ['the name of a store', update_('/stores/key=shop', { action: 'setName', name: { en: 'Shop' } }), []],
    [
      'a product is selected with none of its variants',
      update_('/product-selections/key=summer', {
        action: 'setVariantSelection',
        product: keyed('product', 'lamp'),
        variantSelection: { type: 'includeOnly', skus: ['lamp-3'] },
      }),
      [lamp],
    ],
    ['an exclusion', make('/product-selections', { key: 'not', name: { en: 'Not' }, mode: 'IndividualExclusion' }), []],
    [
      'a store excludes alone',
      make('/stores', {
        key: 'all-but',
        productSelections: [{ productSelection: { ...selection, key: 'not' }, active: true }],
      }),
      both,
    ],
    [
      'a product is excluded',
      update_('/product-selections/key=not', { action: 'excludeProduct', product: keyed('product', 'tent') }),
      [tent],
    ],
    [
      'a selection leaves a store',
      update_('/stores/key=all-but', { action: 'setProductSelections', productSelections: [] }),
      [lamp],
    ],
    ['a product is unpublished', update_(product, { action: 'unpublish' }), [lamp]],
  ];
  for (const [claim, change, reached] of cases) {
    const before = await seqs(platform);
    await change();
    await requireExact(t, platform, claim);
    const after = await seqs(platform);
    const written = [...after.keys()].filter((id) => after.get(id) !== before.get(id));
    t.strictSame(written.toSorted(), [...reached].toSorted(), `${claim}: who is written`);
  }
  await remove(platform, product);
  await requireExact(t, platform, 'a product goes');
  const [row] = await platform.sql<{ seq: string; isGone: boolean }[]>`
    select seq, document is null and gone_at is not null as "isGone" from search_documents where product_id = ${lamp}`;
  t.ok(row!.isGone && Number(row!.seq) > (await seqs(platform)).get(tent)!, 'what has gone is told');
});

t.test('a search is activated when all products can be found', async (t) => {
  const platform = await startFed(t);
  await furnish(platform);
  const statuses = async () => {
    const [row] = await platform.sql<{ products: string; productsSearch: string }[]>`
      select data #>> '{searchIndexing,products,status}' as products,
        data #>> '{searchIndexing,productsSearch,status}' as "productsSearch" from projects`;
    return row!;
  };
  const until = (wanted: object) =>
    eventually(async () => (JSON.stringify(await statuses()) === JSON.stringify(wanted) ? true : undefined));
  const change = (enabled: boolean, mode: string) =>
    update(platform, '', { action: 'changeProductSearchIndexingEnabled', enabled, mode });
  t.ok(await until({ products: 'Activated', productsSearch: 'Activated' }));
  await drained(platform);
  const before = await seqs(platform);
  await change(false, 'ProductsSearch');
  t.ok(await until({ products: 'Activated', productsSearch: 'Deactivated' }));
  await change(true, 'ProductsSearch');
  t.ok(await until({ products: 'Activated', productsSearch: 'Activated' }));
  t.strictSame(await seqs(platform), before, 'what is there is not made again');
  await change(false, 'ProductProjectionsSearch');
  await update(platform, '/products/key=lamp', { action: 'changeName', name: { en: 'Other' } });
  await requireExact(t, platform, 'one search is enough');
  await change(false, 'ProductsSearch');
  await eventually(async () => ((await storedDocuments(platform)).size === 0 ? true : undefined));
  await update(platform, '/products/key=lamp', { action: 'changeName', name: { en: 'Another' } });
  await eventually(async () => ((await platform.sql`select from outbox`).length === 0 ? true : undefined));
  t.strictSame([...(await seqs(platform))], [], 'without a search nothing is kept');
  await change(true, 'ProductProjectionsSearch');
  t.ok(await until({ products: 'Activated', productsSearch: 'Deactivated' }));
  await requireExact(t, platform, 'all are there again');
});
