/**
 * `npm run bench -- sizes`: how long the same requests take in running shops of different sizes, one request at a time and
 * the shops in turn, so that what should not depend on the size shows whether it does.
 *
 *     npm run bench -- sizes --shop http://localhost:8080=data --shop http://localhost:8090=large [--requests N]
 *
 * Each shop is an address and the DATA_DIR of the platform that was started there with `--products N`. No request is
 * made twice, so no answer is one that was kept. It writes to the shops.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ask, tokenOf } from './client.ts';
import { median, type Request } from './load.ts';
import { searchPath } from './search-path.ts';
import { typed, words } from './typing.ts';

interface Shop {
  readonly project: string;
  /** Products. */
  readonly size: number;
  /** Of products all over the shop, one for each request. */
  readonly ids: readonly string[];
  /** That have a page of products. */
  readonly categories: readonly string[];
  ask(request: Request): Promise<string>;
}

interface Work {
  readonly name: string;
  /** A request whose answer is waited for, and what has to be asked before, which does not count. */
  prepare(shop: Shop, number: number): Request | Promise<Request>;
}

const { values: options } = parseArgs({
  options: { shop: { type: 'string', multiple: true, default: [] }, requests: { type: 'string', default: '100' } },
});
const requests = Number(options.requests);
const pageSize = 20;
const priced = { priceCurrency: 'EUR', priceCountry: 'DE' };

const shops = await Promise.all(options.shop.map(open));
if (shops.length === 0) throw new Error('Name shops: --shop http://localhost:8080=data');

const works: readonly Work[] = [
  {
    name: 'product projection by id with price selection',
    prepare: (shop, number) => get(`${shop.project}/product-projections/${idOf(shop, number)}`, priced),
  },
  {
    name: 'page of 20 of a category by order hint',
    prepare: (shop, number) => categoryPage(shop, number, (category) => `categoryOrderHints.${category} asc`),
  },
  {
    name: 'page of 20 of a category by price',
    prepare: (shop, number) => categoryPage(shop, number, () => 'price asc'),
  },
  {
    name: 'search in a category, 3 facets',
    prepare: (shop, number) =>
      facetedSearch(shop, number, ['filter.query', `categories.id:"${categoryOf(shop, number)}"`]),
  },
  {
    name: 'search for a word, 3 facets',
    prepare: (shop, number) => facetedSearch(shop, number, ['text.en', words[number % words.length]!]),
  },
  {
    name: 'suggest',
    prepare: (shop, number) =>
      get(`${shop.project}/product-projections/suggest`, { 'searchKeywords.en': typed(number) }),
  },
  {
    name: 'update of one product',
    prepare: (shop, number) =>
      changeOf(shop, number, { action: 'setMetaTitle', metaTitle: { en: `Title ${Date.now()}` } }),
  },
  { name: 'publish', prepare: (shop, number) => changeOf(shop, number, { action: 'publish' }) },
];

process.stdout.write(
  `\n| ms, p50 / p99 | ${shops.map(({ size }) => `${size.toLocaleString('en')} products`).join(' | ')} | largest to smallest |\n`,
);
process.stdout.write(`|---|${shops.map(() => '---:|').join('')}---:|\n`);
for (const work of works) {
  const times: number[][] = shops.map(() => []);
  for (let number = 0; number < requests; number += 1)
    for (const [index, shop] of shops.entries()) times[index]!.push(await timeOf(shop, work, number));
  const medians = times.map(median);
  const cells = times.map((of, index) => `${medians[index]!.toFixed(1)} / ${percentile(of, 0.99).toFixed(1)}`);
  process.stdout.write(`| ${[work.name, ...cells, (medians.at(-1)! / medians[0]!).toFixed(2)].join(' | ')} |\n`);
}
process.exit(0);

async function timeOf(shop: Shop, work: Work, number: number): Promise<number> {
  const request = await work.prepare(shop, number);
  const startedAtMs = performance.now();
  await shop.ask(request);
  return performance.now() - startedAtMs;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))]!;
}

function get(path: string, query: Readonly<Record<string, string>>): Request {
  return { method: 'GET', path: `${path}?${new URLSearchParams(query).toString()}` };
}

function idOf({ ids }: Shop, number: number): string {
  return ids[number % ids.length]!;
}

function categoryOf({ categories }: Shop, number: number): string {
  return categories[number % categories.length]!;
}

/** Pages of categories in turn, and then those of each that begin one product later. */
function categoryPage(shop: Shop, number: number, sort: (category: string) => string): Request {
  const category = categoryOf(shop, number);
  const offset = Math.floor(number / shop.categories.length);
  return {
    method: 'GET',
    path: searchPath(shop, [
      ['filter.query', `categories.id:"${category}"`],
      ['sort', sort(category)],
      ['offset', String(offset)],
      ['limit', String(pageSize)],
      ...Object.entries(priced),
    ]),
  };
}

function facetedSearch(shop: Shop, number: number, what: readonly [name: string, value: string]): Request {
  const middle = 5000 + number;
  return {
    method: 'GET',
    path: searchPath(shop, [
      what,
      ['facet', 'categories.id'],
      ['facet', 'variants.attributes.color.key'],
      ['facet', `variants.price.centAmount:range (* to ${middle}), (${middle} to *)`],
    ]),
  };
}

async function changeOf(shop: Shop, number: number, action: object): Promise<Request> {
  const path = `${shop.project}/products/${idOf(shop, number)}`;
  const { version } = JSON.parse(await shop.ask({ method: 'GET', path })) as { version: number };
  return { method: 'POST', path, body: JSON.stringify({ version, actions: [action] }) };
}

/** A running shop by its address and directory, and what is asked for of it. */
async function open(shop: string): Promise<Shop> {
  const middle = shop.lastIndexOf('=');
  const [baseUrl, dataDir] = [shop.slice(0, middle), shop.slice(middle + 1)];
  const file = readdirSync(dataDir).find((name) => /^client-.*\.json$/.test(name));
  if (middle < 0 || file === undefined) throw new Error(`${shop} is no address=directory of a platform with its shop.`);
  const project = `/${file.slice('client-'.length, -'.json'.length)}`;
  const client = JSON.parse(readFileSync(join(dataDir, file), 'utf8')) as Parameters<typeof tokenOf>[1];
  const token = await tokenOf(baseUrl, client);
  const askIt = (request: Request): Promise<string> => ask(baseUrl, token, request);
  const read = async <T>(request: Request): Promise<T> => JSON.parse(await askIt(request)) as T;
  const { total } = await read<{ total: number }>(get(`${project}/products`, { limit: '1' }));
  return {
    project,
    size: total,
    ids: await idsOf(project, read),
    categories: await categoriesOf(project, read),
    ask: askIt,
  };
}

type Read = <T>(request: Request) => Promise<T>;

/** For each request the first published product behind another place in the order of ids. */
async function idsOf(project: string, read: Read): Promise<readonly string[]> {
  const ids = new Set<string>();
  for (let place = 0; place < requests; place += 1) {
    const start = Math.floor((place / requests) * 0x10000)
      .toString(16)
      .padStart(4, '0');
    const where = `id > "${start}0000-0000-4000-8000-000000000000"`;
    const { results } = await read<{ results: readonly { id: string }[] }>(
      get(`${project}/product-projections`, { where, sort: 'id asc', limit: '1', withTotal: 'false' }),
    );
    for (const { id } of results) ids.add(id);
  }
  return [...ids];
}

async function categoriesOf(project: string, read: Read): Promise<readonly string[]> {
  const { facets } = await read<{
    facets: { 'categories.id': { terms: readonly { term: string; count: number }[] } };
  }>(get(`${project}/product-projections/search`, { limit: '0', facet: 'categories.id' }));
  return facets['categories.id'].terms.filter(({ count }) => count >= 2 * pageSize).map(({ term }) => term);
}
