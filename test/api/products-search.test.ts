import t from 'tap';
import { send } from '../support/platform.ts';
import { startSearchShop } from '../support/search-shop.ts';
import { eventually } from '../support/services.ts';

const path = '/products/search';

const platform = await startSearchShop(t);
const { api, request, baseUrl, projectKey } = platform;
const blue = { exact: { field: 'variants.attributes.color', fieldType: 'text', value: 'blue' } };

t.test('products are found as the public client asks for them', async (t) => {
  const asked = {
    query: { and: [blue, { fullText: { field: 'name', language: 'en', value: 'lamp' } }] },
    sort: [{ field: 'key', order: 'asc' as const }],
    markMatchingVariants: true,
    productProjectionParameters: { priceCurrency: 'EUR', localeProjection: ['de'], expand: ['categories[*]'] },
    facets: [
      { distinct: { name: 'watts', field: 'variants.attributes.watts', fieldType: 'number' as const, limit: 10 } },
      { count: { name: 'all', scope: 'all' as const } },
    ],
  };
  const { body } = await api
    .products()
    .search()
    .post({ body: asked as never })
    .execute();
  t.match(body, { total: 2, limit: 20, offset: 0 });
  t.match(body.facets, [
    { name: 'watts', buckets: [{ count: 2 }, { count: 1 }] },
    { name: 'all', value: 2 },
  ]);
  const [desk, floor] = body.results;
  t.match(desk, {
    matchingVariants: { allMatched: false, matchedVariants: [{ id: 2, sku: 'D-2' }] },
    productProjection: {
      key: 'desk',
      name: { de: 'Lampe desk' },
      categories: [{ obj: { key: 'light' } }],
      masterVariant: { price: { value: { centAmount: 500 } } },
    },
  });
  t.notOk('isMatchingVariant' in desk!.productProjection!.variants[0]!, 'they stand beside the projection');
  t.match(floor, { matchingVariants: { allMatched: true, matchedVariants: [] } });

  const token = await platform.tokenWith([`view_published_products:${projectKey}`]);
  const published = (sent: object) =>
    send({
      baseUrl,
      method: 'POST',
      path: `/${projectKey}${path}`,
      body: sent,
      headers: { authorization: `Bearer ${token}` },
    });
  t.match((await published({ limit: 1 })).body, { total: 2, facets: [], results: [{ id: /./ }] });
  t.match(await published({ productProjectionParameters: { staged: true } }), {
    status: 403,
    body: { errors: [{ code: 'insufficient_scope' }] },
  });
});

t.test(
  'what is found shows the languages of a store where no others are asked for, and lists have their limits',
  async (t) => {
    await request('POST', '/stores', { key: 'german', languages: ['de'] });
    const query = { exact: { field: 'key', value: 'desk' } };
    const asked = (shownBy: object) => request('POST', path, { query, productProjectionParameters: shownBy });
    for (const [localeProjection, expected] of [
      [[], ['de']],
      [['en'], ['en']],
    ] as const) {
      const { body } = await asked({ storeProjection: 'german', localeProjection });
      const [desk] = body['results'] as readonly { productProjection: { name: object } }[];
      t.strictSame(Object.keys(desk!.productProjection.name), expected);
    }
    const many = (count: number, value: string) => Array.from({ length: count }, () => value);
    for (const [count, status] of [
      [500, 200],
      [501, 400],
    ] as const) {
      t.equal((await asked({ localeProjection: many(count, 'en') })).status, status);
      const priceCustomerGroupAssignments = many(count, 'group');
      t.equal((await asked({ priceCurrency: 'EUR', priceCustomerGroupAssignments })).status, status);
    }
  },
);

t.test(
  'results are ids alone where nothing else is asked for, and all variants match what says nothing of them',
  async (t) => {
    const { body } = await request('POST', path, { query: { exact: { field: 'key', value: 'desk' } } });
    const results = body['results'] as object[];
    t.strictSame(Object.keys(results[0]!), ['id']);
    const marked = await request('POST', path, {
      query: { exact: { field: 'key', value: 'desk' } },
      markMatchingVariants: true,
    });
    t.match(marked.body, { results: [{ matchingVariants: { allMatched: true, matchedVariants: [] } }] });
    const staged = await request('POST', path, { productProjectionParameters: { staged: true } });
    t.match(staged.body, { total: 2 }, 'what is published alone is found');
  },
);

t.test('what cannot be searched is refused', async (t) => {
  const cases = [
    [{ query: { exact: { field: 'nothing', value: 'a' } } }, 400, 'InvalidInput'],
    [{ query: {} }, 400, 'InvalidJsonInput'],
    [{ limit: 101 }, 400, 'InvalidInput'],
    [{ facets: [{ count: { name: 'a' } }, { count: { name: 'a' } }] }, 400, 'InvalidInput'],
    [{ productProjectionParameters: { priceCountry: 'DE' } }, 400, 'InvalidInput'],
    [{ productProjectionParameters: { priceRecurrencePolicy: 'monthly' } }, 400, 'InvalidInput'],
    [{ limit: 0, productProjectionParameters: { storeProjection: 'nowhere' } }, 404, 'ResourceNotFound'],
  ] as const;
  for (const [asked, status, code] of cases)
    t.match(await request('POST', path, asked), { status, body: { errors: [{ code }] } }, JSON.stringify(asked));
});

t.test('GraphQL finds the same, and the products', async (t) => {
  const query = `query ($query: SearchQueryInput, $facets: [ProductSearchFacetExpressionInput!]) {
    productsSearch(query: $query, sort: [{ field: "key", order: desc }], limit: 5, facets: $facets) {
      total offset limit
      results { id product { key masterData { current { masterVariant { sku } } } } }
      facets {
        name
        ... on ProductSearchFacetResultBucket { buckets { key count } }
        ... on ProductSearchFacetResultCount { value }
        ... on ProductSearchFacetResultStats { min max mean sum count }
      }
    }
  }`;
  const variables = {
    query: {
      and: [
        { exact: { ...blue.exact, value: ['blue', 'green'] } },
        { range: { long: { field: 'variants.prices.centAmount', gte: 700 } } },
      ],
    },
    facets: [
      { count: { name: 'all' } },
      { count: { name: 'found', scope: 'query' } },
      { stats: { name: 'stats', field: 'variants.prices.centAmount' } },
      {
        ranges: {
          name: 'ranges',
          field: 'variants.prices.centAmount',
          ranges: { long: [{ to: 600, key: 'cheap' }, { from: 600 }] },
        },
      },
    ],
  };
  const { body } = await request('POST', '/graphql', { query, variables });
  t.notOk(body['errors'], JSON.stringify(body['errors']));
  t.match(body['data'], {
    productsSearch: {
      total: 2,
      offset: 0,
      limit: 5,
      results: [{ product: { key: 'floor' } }, { product: { key: 'desk' } }],
      facets: [
        { name: 'all', value: 2 },
        { name: 'found', value: 2 },
        { name: 'stats', min: 500, max: 900, sum: 2100, count: 3, mean: 700 },
        {
          name: 'ranges',
          buckets: [
            { key: 'cheap', count: 1 },
            { key: '600-*', count: 2 },
          ],
        },
      ],
    },
  });
  const refused = await request('POST', '/graphql', {
    query: '{ productsSearch(query: { range: { long: { field: "key", gt: 1 }, float: { field: "key" } } }) { total } }',
  });
  t.match(refused.body, { errors: [{ extensions: { code: 'InvalidInput' } }] });
});

t.test('GraphQL picks the variants that match, of what is current and where a search has marked them', async (t) => {
  const query = (mark: boolean) => `query ($query: SearchQueryInput) {
    productsSearch(query: $query, sort: [{ field: "key", order: asc }], markMatchingVariants: ${mark}) {
      results { product { key masterData {
        current { all: allVariants { sku } picked: allVariants(onlyMatching: true) { sku } variants(onlyMatching: true) { sku } }
        staged { allVariants(onlyMatching: true) { sku } }
      } } } } }`;
  const ask = async (mark: boolean, asked: object) => {
    const { body } = await request('POST', '/graphql', { query: query(mark), variables: { query: asked } });
    t.equal(body['errors'], undefined);
    const { productsSearch } = body['data'] as { productsSearch: { results: { product: unknown }[] } };
    return productsSearch.results.map(({ product }) => product);
  };
  const product = (key: string, all: readonly string[], picked: readonly string[]) => {
    const list = (skus: readonly string[]) => skus.map((sku) => ({ sku }));
    const current = { all: list(all), picked: list(picked), variants: list(picked.filter((sku) => sku !== all[0])) };
    return { key, masterData: { current, staged: { allVariants: [] } } };
  };
  const desk = (picked: readonly string[]) => product('desk', ['D-1', 'D-2'], picked);
  const floor = (picked: readonly string[]) => product('floor', ['F-1'], picked);
  const all = { exact: { field: 'name', language: 'en', value: 'desk lamp' } };
  for (const round of [1, 2]) {
    t.strictSame(await ask(true, blue), [desk(['D-2']), floor(['F-1'])], `round ${round}`);
    t.strictSame(await ask(false, blue), [desk([]), floor([])], 'no marks');
    t.strictSame(await ask(true, all), [desk(['D-1', 'D-2'])]);
  }
});

t.test('a search in GraphQL costs by what it is asked, under each alias', async (t) => {
  const ask = async (count: number, facets: readonly object[]) => {
    const fields = Array.from({ length: count }, (_, index) => `a${index}: productsSearch(facets: $facets) { total }`);
    const query = `query ($facets: [ProductSearchFacetExpressionInput!]) { ${fields.join(' ')} }`;
    return request('POST', '/graphql', { query, variables: { facets } });
  };
  const facet = (name: string) => ({ count: { name } });
  const scoreOf = ({ headers }: { headers: Headers }): number => Number(headers.get('x-graphql-query-complexity'));
  const [none, one, two] = [await ask(1, []), await ask(1, [facet('all')]), await ask(2, [facet('all')])];
  t.equal(scoreOf(one), scoreOf(none) + 'countnameall'.length / 2);
  t.equal(scoreOf(two), 2 * scoreOf(one));
  const long = facet('x'.repeat(4_000));
  t.equal((await ask(1, [long])).status, 200);
  t.match(await ask(10, [long]), {
    status: 400,
    body: { errors: [{ extensions: { code: 'QueryComplexityLimitExceeded' } }] },
  });
});

t.test('a product that has gone since is left out of what shows products', async (t) => {
  const draft = {
    key: 'gone',
    productType: { key: 'lamp' },
    name: { en: 'Gone' },
    slug: { en: 'gone' },
    publish: true,
  };
  const { id, version } = (await request('POST', '/products', draft)).body;
  const query = { exact: { field: 'key', value: 'gone' } };
  await eventually(async () => ((await request('POST', path, { query })).body['total'] === 1 ? true : undefined));
  // What is indexed follows later, so these find it still or no more.
  await request('DELETE', `/products/${String(id)}?version=${String(version)}`);
  const projections = await request('POST', path, { query, productProjectionParameters: {} });
  t.match(projections, { status: 200, body: { results: [] } });
  t.match(await request('GET', '/product-projections/search?filter=key:%22gone%22'), {
    status: 200,
    body: { count: 0, results: [] },
  });
  const found = await request('POST', '/graphql', {
    query: '{ productsSearch(query: { exact: { field: "key", value: "gone" } }) { results { product { key } } } }',
  });
  t.strictSame(found.body, { data: { productsSearch: { results: [] } } });
});

t.test('a project whose products are not indexed for it has no such search', async (t) => {
  const { request } = await platform.anotherProject();
  const { body: project } = await request('GET', '');
  const change = { action: 'changeProductSearchIndexingEnabled', enabled: false, mode: 'ProductsSearch' };
  await request('POST', '', { version: project['version'], actions: [change] });
  t.match(await request('POST', path, {}), { status: 404, body: { errors: [{ code: 'ObjectNotFound' }] } });
});
