/** The catalog as storefronts read it: projections, pages of a category, searches and suggestions. */
import { randomUUID } from 'node:crypto';
import { Meilisearch } from 'meilisearch';
import { product } from '../src/resources/product/resource.ts';
import { encode } from '../src/search/encoding.ts';
import { fold } from '../src/search/fold.ts';
import { keywordIndexName } from '../src/search/suggest-indexes.ts';
import { connect } from '../src/storage/connection.ts';
import {
  againstBare,
  type Comparison,
  type Contest,
  mercurius,
  mercuriusContest,
  plainForm,
  updateContest,
} from './contests.ts';
import { inTurn, measure, type Request, type Source } from './load.ts';
import { searchPath } from './search-path.ts';
import type { Stage } from './stage.ts';
import { typed } from './typing.ts';

const priced = 'priceCurrency=EUR&priceCountry=DE';
const meili = 'Meilisearch, asked directly';

export const catalogComparisons: readonly Comparison[] = [
  againstBare({ work: 'product projection by id with price selection, kept', goal: '0.60', requests: projectionReads }),
  againstBare({
    work: 'GraphQL page of a category, repeated',
    goal: '0.60',
    requests: async (stage) => [await categoryPage(stage)],
  }),
  {
    work: 'GraphQL page of a category, nothing kept',
    against: mercurius,
    goal: '0.5',
    prepare: async (stage) => {
      const categories = await filledCategories(stage);
      const requests = categories.map((id) => pageOf(stage, id));
      return mercuriusContest(stage, {
        ours: stage.forgetfulUrl,
        query: pageQuery(categories[0]!),
        source: inTurn(requests),
      });
    },
  },
  {
    work: 'projection search, all different',
    against: `${meili} for the nearest equal`,
    goal: '0.7',
    prepare: searchContest,
  },
  {
    work: 'suggest, different prefixes, past the cache',
    against: `${meili}, same answer`,
    goal: '1.0',
    prepare: differentPrefixes,
  },
  { work: 'suggest, popular prefixes', against: `${meili}, same answer`, goal: '20', prepare: popularPrefixes },
  {
    work: 'update of one product, 64 clients',
    against: 'pgbench, same statement',
    goal: '0.70',
    prepare: productUpdates,
  },
];

async function projectionReads(stage: Stage): Promise<readonly Request[]> {
  await stage.settled();
  const page = JSON.parse(
    await stage.ask({ method: 'GET', path: `${stage.project}/product-projections?limit=100` }),
  ) as {
    results: readonly { id: string }[];
  };
  return page.results.map(({ id }) => ({
    method: 'GET',
    path: `${stage.project}/product-projections/${id}?${priced}`,
  }));
}

/** As a storefront asks for the products that it lists. */
function pageQuery(category: string): string {
  return `query Category { productProjectionSearch(queryFilters: [{model:{value:{path:"categories.id",values:["${category}"]}}}], limit: 20, priceSelector: {currency:"EUR",country:"DE"}) { total results { id name(locale: "en") slug(locale: "en") masterVariant { sku scopedPrice { value { centAmount currencyCode } } images { url } } } } }`;
}

function pageOf({ project }: Stage, category: string): Request {
  return { method: 'POST', path: `${project}/graphql`, body: JSON.stringify({ query: pageQuery(category) }) };
}

async function categoryPage(stage: Stage): Promise<Request> {
  await stage.settled();
  return pageOf(stage, (await filledCategories(stage))[0]!);
}

/** Ids of categories with a page of products at least, those with the fewest first. */
async function filledCategories(stage: Stage): Promise<readonly string[]> {
  await stage.settled();
  const path = `${stage.project}/product-projections/search?limit=0&facet=categories.id`;
  const { facets } = JSON.parse(await stage.ask({ method: 'GET', path })) as {
    facets: { 'categories.id': { terms: readonly { term: string; count: number }[] } };
  };
  const filled = facets['categories.id'].terms.filter(({ count }) => count >= 20);
  return filled.toSorted((one, other) => one.count - other.count).map(({ term }) => term);
}

/** Of the category with the most products, by price, with two facets. */
async function searchContest(stage: Stage): Promise<Contest> {
  const category = (await filledCategories(stage)).at(-1)!;
  const client = clientOf(stage);
  const index = client.index(`bench-${randomUUID()}`);
  await fill(stage, index);
  const facets = ['color', 'size'];
  const ours = differing((least) => ({
    method: 'GET',
    path: searchPath(stage, [
      ['filter.query', `categories.id:"${category}"`],
      ['filter.query', `variants.price.centAmount:range (${least} to *)`],
      ...facets.map((name) => ['facet', `variants.attributes.${name}.key`] as const),
      ['sort', 'price asc'],
    ]),
  }));
  const theirs = differing((least) => ({
    method: 'POST',
    path: `/indexes/${index.uid}/search`,
    body: JSON.stringify({
      filter: `categories = "${category}" AND price >= ${least}`,
      facets,
      sort: ['price:asc'],
      page: 1,
      hitsPerPage: 20,
      attributesToRetrieve: ['shown'],
    }),
  }));
  return {
    ours: () => stage.load(stage.baseUrl, ours),
    theirs: () => askMeilisearch(stage, theirs),
    end: async () => {
      await index.delete().waitTask({ timeout: 60_000 });
    },
  };
}

/** One document for each variant, of which one for each product is found, and with it what shows of the product. */
async function fill(stage: Stage, index: ReturnType<Meilisearch['index']>): Promise<void> {
  const options = { timeout: 600_000 };
  await index
    .updateSettings({
      searchableAttributes: [],
      filterableAttributes: ['product', 'categories', 'color', 'size', 'price'],
      sortableAttributes: ['price'],
      rankingRules: ['sort'],
      distinctAttribute: 'product',
      pagination: { maxTotalHits: 1_000_000 },
    })
    .waitTask(options);
  const sql = connect({ databaseUrl: stage.config.databaseUrl, connectionsMax: 1, prepare: true });
  let last: ReturnType<typeof index.addDocuments> | undefined;
  for await (const rows of sql<{ id: string; shown: Shown }[]>`
    select id, data #> '{masterData,current}' as shown from documents
    where project = ${stage.config.projectKey} and kind = 'product' and (data #>> '{masterData,published}')::boolean`.cursor(
    2000,
  )) {
    last = index.addDocuments(rows.flatMap(documentsOf), { primaryKey: 'id' });
    // The next ones are queued when these are.
    await last;
  }
  await sql.end();
  await last?.waitTask(options);
}

interface Shown {
  readonly categories: readonly { id: string }[];
  readonly masterVariant: ShownVariant;
  readonly variants: readonly ShownVariant[];
}

interface ShownVariant {
  readonly id: number;
  readonly prices: readonly { value: { centAmount: number } }[];
  readonly attributes: readonly { name: string; value: { key?: string } }[];
}

function documentsOf({
  id,
  shown,
}: {
  readonly id: string;
  readonly shown: Shown;
}): readonly Record<string, unknown>[] {
  const { categories, masterVariant, variants } = shown;
  return [masterVariant, ...variants].map((variant) => {
    const keyOf = (wanted: string) => variant.attributes.find(({ name }) => name === wanted)?.value.key;
    return {
      id: `${id}_${variant.id}`,
      product: id,
      categories: categories.map((category) => category.id),
      color: keyOf('color'),
      size: keyOf('size'),
      price: variant.prices[0]?.value.centAmount,
      shown: { id, ...shown },
    };
  });
}

/** Requests of which no two are the same. */
function differing(make: (number: number) => Request): Source {
  let count = 0;
  return { next: () => make((count += 1)) };
}

function clientOf({ config: { meiliUrl, meiliKey } }: Stage): Meilisearch {
  if (meiliUrl === undefined) throw new Error('This machine has no Meilisearch.');
  return new Meilisearch({ host: meiliUrl, ...(meiliKey !== undefined && { apiKey: meiliKey }) });
}

function askMeilisearch({ config, connections, seconds }: Stage, source: Source): ReturnType<typeof measure> {
  return measure({ baseUrl: config.meiliUrl!, token: config.meiliKey ?? '', connections, seconds, source });
}

const popular = ['mul', 'ten', 'pock', 'sturdy', 'a', 'fly', 'head l', 'tea', 'float', 'wool'];

/** The question that the platform asks for exact beginnings. */
function suggestion({ config, project }: Stage, input: string): { readonly ours: Request; readonly theirs: Request } {
  const filter = `c_en STARTS WITH "${encode(fold(input))}"`;
  return {
    ours: {
      method: 'GET',
      path: `${project}/product-projections/suggest?searchKeywords.en=${encodeURIComponent(input)}`,
    },
    theirs: {
      method: 'POST',
      path: `/indexes/${keywordIndexName(config.projectKey)}/documents/fetch`,
      body: JSON.stringify({ filter, limit: 10, sort: ['t:asc'], fields: ['t'] }),
    },
  };
}

async function popularPrefixes(stage: Stage): Promise<Contest> {
  await stage.settled();
  const asked = popular.map((input) => suggestion(stage, input));
  return {
    ours: () => stage.load(stage.baseUrl, inTurn(asked.map(({ ours }) => ours))),
    theirs: () => askMeilisearch(stage, inTurn(asked.map(({ theirs }) => theirs))),
    end: async () => {},
  };
}

async function differentPrefixes(stage: Stage): Promise<Contest> {
  await stage.settled();
  const ours = differing((number) => suggestion(stage, typed(number)).ours);
  const theirs = differing((number) => suggestion(stage, typed(number)).theirs);
  return {
    ours: () => stage.load(stage.forgetfulUrl, ours),
    theirs: () => askMeilisearch(stage, theirs),
    end: async () => {},
  };
}

async function productUpdates(stage: Stage): Promise<Contest> {
  const key = randomUUID();
  const type = { name: key, key, description: key };
  await stage.ask({ method: 'POST', path: `${stage.project}/product-types`, body: JSON.stringify(type) });
  return updateContest(stage, {
    path: 'products',
    draft: () => {
      const sku = randomUUID();
      return {
        productType: { typeId: 'product-type', key },
        name: { en: 'Lamp' },
        slug: { en: sku },
        publish: true,
        masterVariant: { sku, prices: [{ value: { currencyCode: 'EUR', centAmount: 1000 } }] },
      };
    },
    action: (version) => ({ action: 'changeName', name: { en: `Lamp ${version}` }, staged: false }),
    form: { ...plainForm(product.kind), type: 'replacement' },
  });
}
