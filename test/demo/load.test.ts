import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { Pool } from 'undici';
import { type Loader, openLoader } from '../../src/background.ts';
import { loadDemo } from '../../src/demo/load.ts';
import { demoShop } from '../../src/demo/shop.ts';
import { apiError } from '../../src/errors/api-error.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

const dataDir = mkdtempSync(join(tmpdir(), 'tradepost-demo-'));
t.teardown(() => rmSync(dataDir, { recursive: true, force: true }));
const platform = await startPlatform(t, { dataDir });

const server = new Pool(platform.baseUrl);
t.teardown(() => server.close());

const products = 120;

function load(
  project: Platform,
  loader: Loader,
  onProgress = (_done: number, _total: number): void => {},
): Promise<void> {
  // Nobody feeds the search engine here, so there is nothing to wait for.
  return loadDemo({
    loader,
    server,
    suggestMsMax: 0,
    projectKey: project.projectKey,
    client: project.client,
    products,
    onProgress,
  });
}

/** How many there are of each path. */
async function totals(project: Platform): Promise<Readonly<Record<string, unknown>>> {
  const paths = [...new Set(demoShop(products).map(({ path }) => path))];
  const pages = await Promise.all(paths.map((path) => project.request('GET', `/${path}?limit=1`)));
  return Object.fromEntries(paths.map((path, index) => [path, pages[index]!.body['total']]));
}

function expectedTotals(): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const { path, count } of demoShop(products)) counts[path] = (counts[path] ?? 0) + count;
  return counts;
}

t.test('the shop has all that it says, and a second load changes nothing', async (t) => {
  const project = await platform.anotherProject();
  const loader = openLoader(project.config);
  t.teardown(() => loader.close());
  const heard: (readonly [number, number])[] = [];
  await load(project, loader, (done, total) => void heard.push([done, total]));
  const sum = Object.values(expectedTotals()).reduce((one, other) => one + other, 0);
  t.strictSame(heard[0], [0, sum]);
  t.strictSame(heard.at(-1), [sum, sum], 'all that was counted was done');
  t.strictSame(await totals(project), expectedTotals());
  const { body } = await project.request('GET', '/products?sort=id asc&limit=20');
  await load(project, loader);
  t.strictSame((await project.request('GET', '/products?sort=id asc&limit=20')).body, body);
  t.strictSame(await totals(project), expectedTotals());
});

t.test('a load that was broken off is made up for', async (t) => {
  const project = await platform.anotherProject();
  const loader = openLoader(project.config);
  t.teardown(() => loader.close());
  let commits = 0;
  const breaking: Loader = {
    ...loader,
    create: async (path, drafts) => {
      if (path !== 'products') return loader.create(path, drafts);
      commits += 1;
      if (commits > 1) throw apiError('InvalidInput', 'The process ends here.');
      // Half of it is there, and nobody was told.
      return loader.create(path, drafts.slice(0, drafts.length / 2));
    },
  };
  await t.rejects(load(project, breaking), /The process ends here/);
  await load(project, loader);
  t.strictSame(await totals(project), expectedTotals());
});

t.test('the shop shows what the platform does', async (t) => {
  const project = await platform.anotherProject();
  const loader = openLoader(project.config);
  t.teardown(() => loader.close());
  await load(project, loader);
  const count = async (path: string, where: string): Promise<number> =>
    Number((await project.request('GET', `/${path}?limit=1&where=${encodeURIComponent(where)}`)).body['total']);
  const some: readonly (readonly [path: string, where: string])[] = [
    ['categories', 'ancestors is not empty and parent is defined'],
    ['products', 'reviewRatingStatistics(count > 0)'],
    ['products', 'priceMode = "Standalone"'],
    ['products', 'masterData(current(attributes(name = "warrantyMonths")))'],
    ['product-projections', 'masterVariant(prices(discounted(discount(id is defined))))'],
    ['product-projections', 'masterVariant(prices(customerGroup(id is defined)))'],
    ['product-projections', 'masterVariant(prices(channel(id is defined)))'],
    ['product-projections', 'masterVariant(prices(validUntil is defined))'],
    ['product-projections', 'masterVariant(prices(tiers(minimumQuantity = 10)))'],
    ['inventory', 'supplyChannel is defined'],
    ['product-selections', 'mode = "Individual" and productCount > 0'],
    ['product-selections', 'mode = "IndividualExclusion" and productCount > 0'],
    ['standalone-prices', 'value(currencyCode = "USD")'],
  ];
  for (const [path, where] of some) t.ok((await count(path, where)) > 0, `${path}: ${where}`);
  const names = ['color', 'weight', 'material', 'recyclable', 'launchedOn', 'dimensions', 'size', 'care', 'testedAt'];
  for (const name of [...names, 'features', 'goesWith', 'careAt', 'repairPrice', 'serialNote'])
    t.ok((await count('product-projections', `masterVariant(attributes(name = "${name}"))`)) > 0, name);
  const { body } = await project.request('GET', '/product-projections?limit=1');
  const [shown] = body['results'] as readonly { masterVariant: { images: readonly { url: string }[] } }[];
  const image = await fetch(`${platform.baseUrl}${new URL(shown!.masterVariant.images[0]!.url).pathname}`);
  t.match([image.status, image.headers.get('content-type')], [200, 'image/png']);
});
