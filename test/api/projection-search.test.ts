import t from 'tap';
import { send } from '../support/platform.ts';
import { startSearchShop } from '../support/search-shop.ts';
import { eventually } from '../support/services.ts';

const path = '/product-projections/search';

const platform = await startSearchShop(t);
const { api, request, baseUrl, projectKey } = platform;

/** A parameter as often as it has values. */
function pairs(name: string, value: unknown): [string, string][] {
  return [value].flat().map((each) => [name, String(each)]);
}

t.test('projections are found as the public client asks for them, by query and by form', async (t) => {
  const queryArgs = {
    'text.en': 'lamp',
    'filter.query': ['variants.attributes.color:"blue"'],
    facet: ['variants.attributes.watts', 'categories.id as category', 'variants.price.centAmount:range (* to 800)'],
    sort: ['name.en desc'],
    markMatchingVariants: true,
    priceCurrency: 'EUR',
    expand: ['categories[*]'],
  };
  const { body } = await api.productProjections().search().get({ queryArgs }).execute();
  t.match(body, { limit: 20, offset: 0, count: 2, total: 2 });
  t.strictSame(
    body.results.map(({ key }) => key),
    ['floor', 'desk'],
  );
  const [floor, desk] = body.results;
  t.equal(floor!.masterVariant.isMatchingVariant, true);
  t.notOk('isMatchingVariant' in desk!.masterVariant);
  t.equal(desk!.variants[0]!.isMatchingVariant, true);
  t.match(desk!.masterVariant, {
    price: { value: { centAmount: 500 } },
    scopedPrice: { value: { centAmount: 500 }, currentValue: { centAmount: 500 } },
    scopedPriceDiscounted: false,
  });
  t.match(desk!.categories[0], { obj: { key: 'light' } });
  t.match(body.facets, {
    'variants.attributes.watts': {
      type: 'terms',
      dataType: 'number',
      missing: 0,
      total: 3,
      other: 0,
      terms: [
        { term: '40.0', count: 2 },
        { term: '60.0', count: 1 },
      ],
    },
    category: { type: 'terms', dataType: 'text', total: 2 },
    'variants.price.centAmount': {
      type: 'range',
      ranges: [{ from: 0, fromStr: '', to: 800, toStr: '800.0', count: 2 }],
    },
  });

  const form = new URLSearchParams(Object.entries(queryArgs).flatMap(([name, value]) => pairs(name, value)));
  const posted = await api
    .productProjections()
    .search()
    .post({ body: String(form), headers: { 'Content-Type': 'application/x-www-form-urlencoded' } })
    .execute();
  t.strictSame(posted.body, body, 'a form asks the same');
  const token = await platform.tokenWith([`view_published_products:${projectKey}`]);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
  const asked = { baseUrl, method: 'POST', path: `/${projectKey}${path}?limit=1`, headers };
  t.match((await send({ ...asked, body: 'filter=key:%22desk%22' })).body, { total: 1, limit: 1 });
  t.match(await send({ ...asked, body: 'staged=true' }), {
    status: 403,
    body: { errors: [{ code: 'insufficient_scope' }] },
  });
  t.match(await request('POST', path, { filter: [] }), {
    status: 400,
    body: { errors: [{ code: 'InvalidInput', message: /application\/x-www-form-urlencoded/ }] },
  });
});

t.test('pages, sides, stores and filters of what is found', async (t) => {
  await request('POST', '/stores', { key: 'eu', name: { en: 'EU' }, languages: ['de'] });
  const search = async (query: Readonly<Record<string, string | readonly string[]>>) => {
    const parameters = new URLSearchParams(Object.entries(query).flatMap(([name, value]) => pairs(name, value)));
    const { body } = await request('GET', `${path}?${parameters.toString()}`);
    return body as { total: number; count: number; results: Record<string, unknown>[]; facets: object };
  };
  const keys = async (query: Parameters<typeof search>[0]): Promise<readonly unknown[]> =>
    (await search({ sort: 'key asc', ...query })).results.map(({ key }) => key);
  t.strictSame(await keys({}), ['desk', 'floor']);
  t.strictSame(await keys({ staged: 'true' }), ['desk', 'floor', 'hidden']);
  t.strictSame(await keys({ 'text.de': 'lampe', filter: 'variants.price.centAmount:range (600 to *)' }), [
    'desk',
    'floor',
  ]);
  t.strictSame(
    await keys({ 'filter.query': 'variants.attributes.color:"red"', filter: 'variants.attributes.watts:60' }),
    [],
    'one variant meets both',
  );
  t.strictSame(await keys({ 'text.en': 'dexk', fuzzy: 'true' }), ['desk']);
  t.strictSame(await keys({ 'text.de': 'd-2' }), ['desk'], 'an SKU belongs to every language');
  t.strictSame(await keys({ sort: 'variants.scopedPrice.value.centAmount desc', priceCurrency: 'EUR' }), [
    'desk',
    'floor',
  ]);
  const page = await search({ limit: '0', facet: 'key counting products' });
  t.match(page, {
    total: 2,
    count: 0,
    results: [],
    facets: { key: { terms: [{ term: 'desk', productCount: 1 }, {}] } },
  });
  const second = await search({ offset: '1', limit: '1', sort: 'key asc' });
  t.match(second, { total: 2, count: 1, results: [{ key: 'floor' }] });
  t.strictSame(second.facets, {}, 'none are asked for');
  const [inStore] = (await search({ storeProjection: 'eu', filter: 'key:"desk"' })).results;
  t.strictSame(inStore!['name'], { de: 'Lampe desk' });
});

t.test('what cannot be searched is refused by its parameter', async (t) => {
  const cases = [
    ['filter=nothing:1', 400, 'InvalidInput'],
    ['facet=nothing', 400, 'SearchFacetPathNotFound'],
    ['sort=nothing', 400, 'InvalidInput'],
    ['limit=501', 400, 'InvalidInput'],
    ['offset=10001', 400, 'InvalidInput'],
    ['priceCountry=DE', 400, 'InvalidInput'],
    ['priceRecurrencePolicy=a', 400, 'InvalidInput'],
    ['text.english=a', 400, 'InvalidInput'],
    ['text=a', 400, 'InvalidInput', /text\.en=/],
    ['text.en=a+of&fuzzy=true&fuzzyLevel=1', 400, 'InvalidInput', /"a" in text.en allows at most 0/],
    ['storeProjection=nowhere', 404, 'ResourceNotFound'],
    ['limit=0&storeProjection=nowhere', 404, 'ResourceNotFound'],
  ] as const;
  for (const [query, status, code, message = /./] of cases)
    t.match(await request('GET', `${path}?${query}`), { status, body: { errors: [{ code, message }] } }, query);
});

t.test('GraphQL finds the same by texts and by their parts', async (t) => {
  const query = `query ($filters: [SearchFilterInput!], $price: PriceSelectorInput) {
    productProjectionSearch(
      text: "lamp", locale: "en", queryFilters: $filters, sorts: ["key asc"], markMatchingVariants: true, staged: true
      priceSelector: $price
      facets: [
        { string: "variants.attributes.color counting products" }
        { model: { range: { path: "variants.attributes.watts", ranges: [{ from: "*", to: "50" }], alias: "watts" } } }
        { string: "createdAt:range (* to \\"2999-01-01T00:00:00.000Z\\")" }
        { string: "variants.attributes.color:\\"red\\" as red" }
      ]
    ) {
      offset count total
      results {
        id key version published hasStagedChanges name(locale: "de") slugAllLocales { locale value }
        productType { key } productTypeRef { typeId } categories { key } categoriesRef { id }
        categoryOrderHints { categoryId orderHint } searchKeywords { locale searchKeywords { text suggestTokenizer { type } } }
        masterVariant {
          id sku isMatchingVariant attributesRaw(includeNames: ["color"]) { name value referencedResource { id } }
          prices { id value { centAmount } discounted { value { centAmount } } tiers { minimumQuantity } }
          price(currency: "EUR") { value { centAmount } }
          scopedPrice { value { centAmount } currentValue { centAmount } country } scopedPriceDiscounted
          availability { noChannel { isOnStock } channels { total results { channelRef { id } } } }
          images { url dimensions { width } } assets { id }
        }
        variants(onlyMatching: true) { id }
        allVariants { sku }
        attributesRaw { name }
        reviewRatingStatistics { count }
      }
      facets {
        facet
        value {
          type
          ... on TermsFacetResult { dataType missing total other terms { term count productCount } }
          ... on RangeFacetResult {
            dataType
            ranges { type ... on RangeCountDouble { from fromStr to toStr count totalCount total min max mean } ... on RangeCountLong { until: to count } }
          }
          ... on ValueFacetResult { count }
        }
      }
    }
  }`;
  const filters = [{ model: { value: { path: 'variants.attributes.color', values: ['red'] } } }];
  const price = { currency: 'EUR' };
  const { body } = await request('POST', '/graphql', { query, variables: { filters, price } });
  t.notOk(body['errors'], JSON.stringify(body['errors']));
  const { productProjectionSearch: found } = body['data'] as { productProjectionSearch: Record<string, unknown> };
  t.match(found, {
    offset: 0,
    count: 2,
    total: 2,
    results: [
      {
        key: 'desk',
        published: true,
        name: 'Lampe desk',
        productType: { key: 'lamp' },
        categories: [{ key: 'light' }],
        masterVariant: {
          sku: 'D-1',
          isMatchingVariant: true,
          attributesRaw: [{ name: 'color', value: 'red' }],
          price: { value: { centAmount: 500 } },
          scopedPrice: { currentValue: { centAmount: 500 } },
          scopedPriceDiscounted: false,
        },
        variants: [],
        allVariants: [{ sku: 'D-1' }, { sku: 'D-2' }],
      },
      { key: 'hidden', published: false },
    ],
    facets: [
      {
        facet: 'variants.attributes.color',
        value: {
          type: 'terms',
          dataType: 'text',
          total: 3,
          terms: [
            { term: 'red', count: 2, productCount: 2 },
            { term: 'blue', count: 1, productCount: 1 },
          ],
        },
      },
      {
        facet: 'watts',
        value: { type: 'range', dataType: 'number', ranges: [{ from: 0, fromStr: '', to: 50, count: 1, mean: 40 }] },
      },
      { facet: 'createdAt', value: { dataType: 'datetime', ranges: [{ count: 2 }] } },
      { facet: 'red', value: { type: 'filter', count: 2 } },
    ],
  });
  const refusals = [
    ['text: "a"', 'InvalidInput'],
    ['filters: [{}]', 'InvalidInput'],
    ['filters: [{ string: "key:\\"a\\"", model: { exists: { path: "key" } } }]', 'InvalidInput'],
    ['facets: [{ model: { terms: { path: "nothing" } } }]', 'SearchFacetPathNotFound'],
    ['limit: 501', 'InvalidInput'],
    ['projectExpandedProducts: true', 'InvalidInput'],
  ] as const;
  for (const [args, code] of refusals) {
    const answer = await request('POST', '/graphql', { query: `{ productProjectionSearch(${args}) { total } }` });
    t.match(answer.body, { errors: [{ extensions: { code } }] }, args);
  }
});

t.test('prices are searched as they are selected, by country, store and moment', async (t) => {
  const price = (centAmount: number, scope: object): object => ({
    value: { currencyCode: 'USD', centAmount },
    ...scope,
  });
  const { body: channel } = await request('POST', '/channels', { key: 'shop', roles: ['ProductDistribution'] });
  const channelId = String(channel['id']);
  const draft = {
    key: 'priced',
    productType: { key: 'lamp' },
    name: { en: 'Priced' },
    slug: { en: 'priced' },
    publish: true,
    masterVariant: {
      sku: 'P-1',
      prices: [
        price(100, {}),
        price(200, { country: 'US' }),
        price(300, { channel: { typeId: 'channel', id: channelId } }),
        price(400, { country: 'CA', validFrom: '2030-01-01T00:00:00.000Z' }),
      ],
    },
  };
  t.equal((await request('POST', '/products', draft)).status, 201);
  await request('POST', '/stores', { key: 'us', name: { en: 'US' }, countries: [{ code: 'US' }] });
  const countOf = async (centAmount: number, query: string): Promise<unknown> => {
    const filter = `filter=variants.scopedPrice.value.centAmount:${centAmount}`;
    return (await request('GET', `${path}?${filter}&priceCurrency=USD&${query}`)).body['total'];
  };
  await eventually(async () => ((await countOf(100, '')) === 1 ? true : undefined));
  const cases = [
    [200, 'priceCountry=US', 1],
    [100, 'priceCountry=US', 0],
    [300, `priceChannel=${channelId}&priceCountry=US`, 1],
    [100, 'priceCountry=CA', 1],
    [100, 'storeProjection=us', 1],
    [200, 'storeProjection=us&priceCountry=US', 1],
    [100, 'priceCountry=CA&storeProjection=us', 1],
    [100, 'priceCustomerGroup=nobody', 1],
  ] as const;
  for (const [centAmount, query, total] of cases) t.equal(await countOf(centAmount, query), total, query);
  const query = `query ($price: PriceSelectorInput) {
    productProjectionSearch(
      filters: [{ model: { range: { path: "variants.scopedPrice.currentValue.centAmount", ranges: [{ from: "400", to: "400" }] } } }]
      priceSelector: $price
    ) { results { masterVariant { scopedPrice { value { centAmount } country } } } }
  }`;
  const found = async (selector: object): Promise<unknown> => {
    const { body } = await request('POST', '/graphql', {
      query,
      variables: { price: { currency: 'USD', ...selector } },
    });
    return (body['data'] as { productProjectionSearch: { results: unknown } }).productProjectionSearch.results;
  };
  t.strictSame(await found({ country: 'CA' }), []);
  t.strictSame(await found({ country: 'CA', date: '2031-01-01T00:00:00.000Z' }), [
    { masterVariant: { scopedPrice: { value: { centAmount: 400 }, country: 'CA' } } },
  ]);
});

t.test(
  'the price of a variant is one that stands in it, and what it is sold at one that may stand alone',
  async (t) => {
    const made = async (to: string, draft: object): Promise<boolean> =>
      t.equal((await request('POST', to, draft)).status, 201);
    const price = (centAmount: number) => ({ value: { currencyCode: 'CHF', centAmount } });
    const product = (key: string, prices: readonly object[]) =>
      made('/products', {
        key,
        productType: { key: 'lamp' },
        name: { en: key },
        slug: { en: key },
        priceMode: 'Standalone',
        publish: true,
        masterVariant: { sku: key, prices },
      });
    await product('alone', []);
    await product('both', [price(700)]);
    for (const sku of ['alone', 'both']) await made('/standalone-prices', { sku, ...price(500) });
    const found = async (query: string): Promise<unknown> => {
      const { body } = await request('GET', `${path}?filter=key:"alone","both"&sort=key+asc&${query}`);
      return (body['results'] as readonly { key: string }[] | undefined)?.map(({ key }) => key).join();
    };
    const sold = 'filter=variants.scopedPrice.value.centAmount:500&priceCurrency=CHF';
    await eventually(async () => (await found(sold)) === 'alone,both' || undefined);
    for (const [filter, keys] of [
      ['variants.prices:exists', 'both'],
      ['variants.price:missing', 'alone'],
      ['variants.price.centAmount:700', 'both'],
      ['variants.price.centAmount:500', ''],
    ] as const)
      t.equal(await found(`filter=${filter}`), keys, filter);
    const query = { and: [{ exact: { field: 'variants.prices.centAmount', value: 500 } }] };
    t.match((await request('POST', '/products/search', { query: { filter: query.and } })).body, { total: 3 });
  },
);

t.test('a project without an index says why', async (t) => {
  const { request } = await platform.anotherProject();
  const { version } = (await request('GET', '')).body;
  await request('POST', '', { version, actions: [{ action: 'changeProductSearchIndexingEnabled', enabled: false }] });
  t.match(await request('GET', path), { status: 400, body: { errors: [{ code: 'SearchDeactivated' }] } });
});
