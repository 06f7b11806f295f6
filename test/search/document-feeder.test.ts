import t, { type Test } from 'tap';
import { backlog } from '../../src/administration.ts';
import { createTaker, type Taker } from '../../src/outbox/taker.ts';
import { gatherSearched, searchedProducts } from '../../src/resources/product/searched.ts';
import { createDocumentFeeder } from '../../src/search/document-feeder.ts';
import { createDocumentSource } from '../../src/storage/search-document-source.ts';
import { createDocuments } from '../../src/storage/documents.ts';
import { askForDocuments, documentRebuild } from '../../src/storage/search-document-rebuild.ts';
import { createOutbox } from '../../src/storage/outbox.ts';
import { createSearchDocuments } from '../../src/storage/search-documents.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import {
  drained,
  eur,
  expectedDocuments,
  furnish,
  keyed,
  made,
  remove,
  requireExact,
  startFed,
  storedDocuments,
  update,
} from '../support/search-documents.ts';
import { eventually, noQueries } from '../support/services.ts';

/** Numbers of the rows, which change with their documents alone. */
async function seqs({ sql, projectKey }: Platform): Promise<ReadonlyMap<string, number>> {
  const rows = await sql<{ id: string; seq: string }[]>`
    select product_id as id, seq from search_documents where project = ${projectKey}`;
  return new Map(rows.map(({ id, seq }) => [id, Number(seq)]));
}

t.test('a document says of a product, its categories and its stock what is stored', async (t) => {
  const platform = await startFed(t);
  const { lamp } = await furnish(platform);
  await made(platform, '/inventory', { sku: 'lamp-1', quantityOnStock: 5 });
  const idOf = async (key: string): Promise<unknown> =>
    (await platform.request('GET', `/categories/key=${key}`)).body['id'];
  const [home, light, desk] = [await idOf('home'), await idOf('light'), await idOf('desk')];
  await drained(platform);
  // The feeder made it.
  const { both } = (await storedDocuments(platform)).get(lamp) as { both: { values: Record<string, unknown[]> } };
  t.match(both, {
    id: lamp,
    titles: { en: ['lamp'] },
    values: { key: ['lamp'], published: [true], 'name.en': ['lamp'], 'slug.en': ['lamp'], categories: [desk] },
    variants: [
      {
        id: 1,
        sku: 'lamp-1',
        values: {
          sku: ['lamp-1'],
          attributes: ['color'],
          'attributes.color': ['red'],
          'price.centAmount': [100],
          'availability.isOnStock': [true],
          'availability.availableQuantity': [5],
        },
        prices: [{ centAmount: [100], currentCentAmount: [100], currencyCode: ['EUR'], discounted: [false] }],
      },
      { id: 2, sku: 'lamp-2', values: { sku: ['lamp-2'] }, prices: [] },
    ],
  });
  t.strictSame(new Set(both.values['categoriesSubTree']), new Set([desk, light, home]));
});

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
  await remove(platform, '/stores/key=all-but');
  await requireExact(t, platform, 'a store goes');
  const facts = await platform.sql<{ key: string }[]>`
    select document.key from search_facts as fact left join documents as document
      on document.project = fact.project and document.kind = fact.kind and document.id = fact.id::uuid
    where fact.project = ${platform.projectKey} and fact.kind = 'store'`;
  t.strictSame([...facts], [{ key: 'shop' }], 'of what has gone nothing is kept');
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

/** A feeder of its own, which is not the one of this version where it makes documents otherwise. */
function runTaker(
  t: Test,
  { database }: Platform,
  options: { readonly documentLengthMax?: number; readonly documentVersion?: number; readonly warn?: () => void },
): Taker {
  const { documentLengthMax, documentVersion = searchedProducts.documentVersion, warn = () => {} } = options;
  const store = createDocuments(database, noQueries);
  const consumer = createDocumentFeeder({
    source: createDocumentSource(database, searchedProducts),
    searched: {
      ...searchedProducts,
      documentVersion,
      gather: async (project, documents, facts) => {
        const make = await gatherSearched(store, { project, documents, facts });
        return (product) => ({ ...make(product), madeBy: documentVersion });
      },
    },
    log: { warn },
    ...(documentLengthMax !== undefined && { documentLengthMax }),
  });
  const taker = createTaker({ outbox: createOutbox(database), consumer, log: { warn } });
  taker.run();
  t.teardown(() => taker.close());
  return taker;
}

t.test('a product that cannot be searched is set aside until it can', async (t) => {
  const platform = await startPlatform(t);
  const { sql, projectKey } = platform;
  const { lamp } = await furnish(platform);
  const taker = runTaker(t, platform, { documentLengthMax: 5000 });
  const until = (isAside: boolean) =>
    eventually(async () => {
      taker.wake();
      const rows = await sql<{ id: string; error: string }[]>`select product_id as id, error from search_set_aside`;
      const [marks] = await sql<{ count: number }[]>`
        select (select count(*) from search_dirty)::int
          + (select count(*) from outbox where topic = 'search')::int as count`;
      return marks!.count === 0 && rows.length === Number(isAside) ? rows : undefined;
    });
  await until(false);
  await update(platform, '/products/key=lamp', { action: 'setDescription', description: { en: 'x'.repeat(5000) } });
  t.match(await until(true), [{ id: lamp, error: /5000/ }]);
  t.notOk((await storedDocuments(platform)).has(lamp));
  t.match(
    (await backlog(platform.config)).filter(({ of }) => /cannot/.test(of)),
    [{ project: projectKey, topic: 'search', count: 1 }],
  );
  await made(platform, '/inventory', { sku: 'lamp-1', quantityOnStock: 1 });
  await eventually(async () => ((await until(true)).length > 0 ? true : undefined));
  await update(platform, '/products/key=lamp', { action: 'setDescription', description: { en: 'x' } });
  await until(false);
  const { madeBy: _, ...document } = (await storedDocuments(platform)).get(lamp) as { madeBy: number };
  t.strictSame(document, (await expectedDocuments(platform)).get(lamp));
});

t.test('without a search engine products are searched all the same, and nothing is suggested', async (t) => {
  const platform = await startPlatform(t, { search: true, meilisearch: 'none' });
  const search = () => platform.request('GET', '/product-projections/search');
  await eventually(async () => ((await search()).status === 200 ? true : undefined));
  t.match((await search()).body, { total: 0, results: [] });
  const { status, body } = await platform.request('GET', '/product-projections/suggest?searchKeywords.en=a');
  t.match({ status, body }, { status: 502, body: { errors: [{ code: 'SearchExecutionFailure' }] } });
});

t.test('documents of another version are made anew, by the newest feeder alone, and answer meanwhile', async (t) => {
  const platform = await startPlatform(t);
  const { sql, database, projectKey } = platform;
  const { lamp, tent } = await furnish(platform);
  const makers = async () =>
    [...(await storedDocuments(platform))].map(([id, document]) => [id, (document as { madeBy: number }).madeBy]);
  const madeBy = (version: number) => [lamp, tent].toSorted().map((id) => [id, version]);
  const documents = createSearchDocuments(database);
  let wasIncomplete = false;
  const until = (taker: Taker, isOver: () => Promise<boolean>) =>
    eventually(async () => {
      taker.wake();
      const [project] = await documents.projects();
      if (project?.isComplete !== true) wasIncomplete = true;
      return (await isOver()) || undefined;
    });
  const isDone = async () => (await documentRebuild(database, projectKey))!.isDone;
  const startedAt = async () =>
    (await sql<{ at: string }[]>`select started_at::text as at from search_projects`)[0]!.at;

  let failures = 0;
  const older = runTaker(t, platform, { documentVersion: 1, warn: () => (failures += 1) });
  await until(older, isDone);
  t.strictSame(await makers(), madeBy(1));
  wasIncomplete = false;
  await older.close();
  const newer = runTaker(t, platform, { documentVersion: 2 });
  await until(newer, async () => JSON.stringify(await makers()) === JSON.stringify(madeBy(2)));
  await until(newer, isDone);
  const begun = await startedAt();
  await newer.close();

  const again = runTaker(t, platform, { documentVersion: 1, warn: () => (failures += 1) });
  await update(platform, '/products/key=lamp', { action: 'changeName', name: { en: 'Other' } });
  await until(again, async () => failures > 0);
  const newest = runTaker(t, platform, { documentVersion: 2 });
  await until(newest, async () => (await sql`select from outbox where topic = 'search'`).length === 0);
  await until(newest, async () => (await sql`select from search_dirty`).length === 0);
  await until(newest, isDone);
  t.strictSame(await makers(), madeBy(2), 'the older one leaves the project to the newer');
  t.equal(await startedAt(), begun, 'and nothing begins anew');

  await again.close();
  const before = await seqs(platform);
  await askForDocuments(database, projectKey);
  t.match(await documentRebuild(database, projectKey), { isBegun: false, isDone: false, isOn: true });
  await until(newest, isDone);
  t.not(await startedAt(), begun, 'who asks has all made anew');
  t.strictSame(await seqs(platform), before, 'what is the same is not told again');
  t.notOk(wasIncomplete, 'what is there answers all the time');
});
