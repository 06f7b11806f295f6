import t from 'tap';
import { type Answer, send, startProject, type Platform } from '../support/platform.ts';

async function ask({ request }: Platform, query: string, variables: object = {}, rest: object = {}): Promise<Answer> {
  return request('POST', '/graphql', { query, variables, ...rest });
}

async function createMethods({ request }: Platform, count: number): Promise<void> {
  await request('POST', '/zones', { key: 'de', name: 'Germany', locations: [{ country: 'DE' }] });
  await request('POST', '/tax-categories', { key: 'standard', name: 'Standard' });
  for (let number = 1; number <= count; number += 1) {
    await request('POST', '/shipping-methods', {
      key: `method-${number}`,
      name: `Method ${number}`,
      localizedName: { en: `Method ${number}`, de: `Methode ${number}` },
      taxCategory: { key: 'standard' },
      zoneRates: [
        {
          zone: { key: 'de' },
          shippingRates: [
            {
              price: { currencyCode: 'EUR', centAmount: 100 * number },
              tiers: [{ type: 'CartScore', score: 1, price: { currencyCode: 'EUR', centAmount: 1 } }],
            },
          ],
        },
      ],
    });
  }
}

const page = `query Page($limit: Int, $where: String) {
  shippingMethods(limit: $limit, where: $where, sort: ["name desc"]) {
    offset count total exists
    results {
      id version key name isDefault predicate createdAt
      localizedName(locale: "de") localizedNameAllLocales { locale value }
      taxCategoryRef { typeId id } taxCategory { key }
      zoneRates { zoneRef { id } zone { name locations { country state } } shippingRates { price { type currencyCode centAmount fractionDigits } freeAbove { centAmount } tiers { type ... on ShippingRateCartScorePriceTier { score price { centAmount } } } } }
      createdBy { clientId }
    }
  }
}`;

t.test('a page of shipping methods with everything that it refers to', async (t) => {
  const platform = await startProject();
  await createMethods(platform, 3);
  const answers = [];
  // The first use runs interpreted, later ones compiled; an equal question would be answered from the cache.
  for (let use = 0; use < 3; use += 1)
    answers.push(await ask(platform, page, { limit: 2, where: `key != "none-${use}"` }));
  const [first, second, third] = answers;
  t.equal(first!.status, 200, first!.text);
  t.match(first!.body, {
    data: {
      shippingMethods: {
        offset: 0,
        count: 2,
        total: 3,
        exists: true,
        results: [
          {
            key: 'method-3',
            localizedName: 'Methode 3',
            localizedNameAllLocales: [
              { locale: 'de', value: 'Methode 3' },
              { locale: 'en', value: 'Method 3' },
            ],
            taxCategoryRef: { typeId: 'tax-category' },
            taxCategory: { key: 'standard' },
            zoneRates: [
              {
                zone: { name: 'Germany', locations: [{ country: 'DE', state: null }] },
                shippingRates: [
                  {
                    price: { type: 'centPrecision', centAmount: 300 },
                    freeAbove: null,
                    tiers: [{ type: 'CartScore', score: 1 }],
                  },
                ],
              },
            ],
            createdBy: { clientId: platform.client.clientId },
          },
          { key: 'method-2' },
        ],
      },
    },
  });
  t.strictSame(second!.body, first!.body);
  t.strictSame(third!.body, first!.body, 'compiled and interpreted queries answer alike');
  t.match((await ask(platform, page, { where: 'key = "method-1"' })).body, {
    data: { shippingMethods: { count: 1, total: 1, results: [{ key: 'method-1' }] } },
  });
  t.match((await ask(platform, page, { where: 'key = "none"' })).body, {
    data: { shippingMethods: { count: 0, total: 0, exists: false, results: [] } },
  });
});

t.test('one resource by id or key says what REST says', async (t) => {
  const platform = await startProject();
  await createMethods(platform, 1);
  const { body: rest } = await platform.request('GET', '/zones/key=de');
  const query =
    'query One($id: String, $key: String) { zone(id: $id, key: $key) { id version key name description createdAt lastModifiedAt locations { country } } }';
  const byKey = await ask(platform, query, { key: 'de' });
  t.match(byKey.body, {
    data: {
      zone: {
        id: rest['id'],
        version: rest['version'],
        name: rest['name'],
        description: null,
        createdAt: rest['createdAt'],
        locations: [{ country: 'DE' }],
      },
    },
  });
  t.strictSame((await ask(platform, query, { id: rest['id'] })).body, byKey.body);
  t.strictSame((await ask(platform, query, { key: 'nowhere' })).body, { data: { zone: null } });
  t.match((await ask(platform, query, {})).body, {
    errors: [{ message: String, path: ['zone'], locations: [{ line: 1 }], extensions: { code: 'InvalidInput' } }],
  });
});

t.test('products with their prices, attributes and keywords', async (t) => {
  const platform = await startProject();
  await platform.request('POST', '/product-types', {
    key: 'tools',
    name: 'Tools',
    description: 'Tools',
    attributes: [{ name: 'color', type: { name: 'ltext' }, label: { en: 'Color' }, isRequired: false }],
  });
  await platform.request('POST', '/products', {
    key: 'knife',
    productType: { key: 'tools' },
    name: { en: 'Knife' },
    slug: { en: 'knife' },
    searchKeywords: { en: [{ text: 'Knife', suggestTokenizer: { type: 'custom', inputs: ['blade'] } }] },
    masterVariant: {
      sku: 'K1',
      prices: [{ value: { type: 'highPrecision', currencyCode: 'EUR', preciseAmount: 12_345, fractionDigits: 4 } }],
      attributes: [{ name: 'color', value: { en: 'red' } }],
    },
  });
  const answer = await ask(
    platform,
    `{ products { results { key productType { key } masterData { published staged { name(locale: "en") searchKeywords { locale searchKeywords { text suggestTokenizer { type ... on CustomSuggestTokenizer { inputs } } } }
    masterVariant { id sku prices { value { type centAmount ... on HighPrecisionMoney { preciseAmount } } } attributesRaw { name value } } } } } } }`,
  );
  t.match(
    answer.body,
    {
      data: {
        products: {
          results: [
            {
              key: 'knife',
              productType: { key: 'tools' },
              masterData: {
                published: false,
                staged: {
                  name: 'Knife',
                  searchKeywords: [
                    {
                      locale: 'en',
                      searchKeywords: [{ text: 'Knife', suggestTokenizer: { type: 'custom', inputs: ['blade'] } }],
                    },
                  ],
                  masterVariant: {
                    id: 1,
                    sku: 'K1',
                    prices: [{ value: { type: 'highPrecision', centAmount: 123, preciseAmount: 12_345 } }],
                    attributesRaw: [{ name: 'color', value: { en: 'red' } }],
                  },
                },
              },
            },
          ],
        },
      },
    },
    answer.text,
  );
});

t.test('the complexity is reported, follows the variables, and is limited', async (t) => {
  const platform = await startProject();
  const query = 'query Cheap($limit: Int) { zones(limit: $limit) { results { id name } } }';
  const complexity = async (limit?: number): Promise<number> =>
    Number(
      (await ask(platform, query, limit === undefined ? {} : { limit })).headers.get('x-graphql-query-complexity'),
    );
  const [one, ten, byDefault] = [await complexity(1), await complexity(10), await complexity()];
  t.ok(one > 0);
  t.equal(ten - one, 9 * ((byDefault - one) / 19), 'the score grows with the limit, which is 20 by default');
  const dear = `{ ${Array.from({ length: 20 }, (_, index) => `a${index}: zones(limit: 500) { results { id name } }`).join(' ')} }`;
  const refused = await ask(platform, dear);
  t.match(
    { status: refused.status, ...refused.body },
    { status: 400, errors: [{ extensions: { code: 'QueryComplexityLimitExceeded' } }] },
  );
  t.ok(Number(refused.headers.get('x-graphql-query-complexity')) >= 20_000);
});

t.test('texts that are built to cost are refused before they are run', async (t) => {
  const platform = await startProject();
  const levels = 22;
  const fragments = Array.from(
    { length: levels },
    (_, level) =>
      `fragment F${level} on Zone { ${level + 1 < levels ? `...F${level + 1} a: id ...F${level + 1}` : 'id'} }`,
  );
  const bombs = [
    ['nested fragments', `{ zones { results { ...F0 } } } ${fragments.join(' ')}`],
    ['many aliases', `{ ${Array.from({ length: 4900 }, (_, index) => `a${index}:__typename`).join(' ')} }`],
    ['deep nesting', `{ zones { results ${'{ zone '.repeat(2000)} id ${'}'.repeat(2000)} } }`],
    ['a fragment cycle', '{ zones { results { ...A } } } fragment A on Zone { ...B } fragment B on Zone { ...A }'],
    ['many directives', `{ zones ${'@skip(if: false) '.repeat(2000)} { count } }`],
  ] as const;
  for (const [name, query] of bombs) {
    const answer = await ask(platform, query);
    t.equal(answer.status, 400, name);
    t.match(answer.body, { errors: [{ message: String, extensions: { code: String } }] }, name);
  }
  t.equal((await ask(platform, '{ zones { count } }')).status, 200);
});

t.test('faults of a query have their codes and places', async (t) => {
  const platform = await startProject();
  const cases = [
    ['{ zones { ', 'SyntaxError'],
    ['{ unicorns { id } }', 'InvalidInput'],
    ['{ zones { results { wings } } }', 'InvalidInput'],
  ] as const;
  for (const [query, code] of cases) {
    const answer = await ask(platform, query);
    t.match(
      { status: answer.status, ...answer.body },
      { status: 400, errors: [{ message: String, locations: [{ line: 1 }], extensions: { code } }] },
      query,
    );
  }
  const field = await ask(platform, '{ zones(where: "nam = 1") { count } }');
  t.match(
    { status: field.status, ...field.body },
    { status: 200, errors: [{ path: ['zones'], extensions: { code: 'InvalidInput' } }] },
  );
  const several = await ask(platform, '{ zones(where: "nam = 1", limit: 900) { count } }');
  t.match(
    several.body,
    {
      errors: [
        { message: /nam/, path: ['zones'], extensions: { code: 'InvalidInput' } },
        { message: /limit/, path: ['zones'], extensions: { code: 'InvalidInput' } },
      ],
    },
    'every error of a field is reported',
  );
  t.match((await ask(platform, 'query A { zones { count } } query B { zones { count } }')).body, {
    errors: [{ locations: [], extensions: { code: 'InvalidInput' } }],
  });
  t.match(
    (await ask(platform, 'query A { zones { count } } query B { zones { offset } }', {}, { operationName: 'B' })).body,
    { data: { zones: { offset: 0 } } },
  );
  t.match((await ask(platform, 'query A($limit: Int) { zones(limit: $limit) { count } }', { limit: 'x' })).body, {
    errors: [{ extensions: { code: 'InvalidInput' } }],
  });
  t.match((await platform.request('POST', '/graphql', { variables: {} })).body, {
    statusCode: 400,
    errors: [{ code: 'InvalidInput' }],
  });
});

t.test('a value that a scalar does not take is told of alike, as a literal or a variable, and each time', async (t) => {
  const { request } = await startProject();
  const ask = (query: string, variables: object = {}) => request('POST', '/graphql', { query, variables });
  const expected = 'a locale such as en or en-US is expected';
  t.match(await ask('{ products { results { masterData { current { name(locale: "EN") } } } } }'), {
    status: 400,
    body: { errors: [{ message: `Locale cannot represent "EN": ${expected}.`, extensions: { code: 'InvalidInput' } }] },
  });
  const query = `query ($inputs: [SearchKeywordArgument!]!) {
    productProjectionsSuggest(searchKeywords: $inputs) { searchKeywords { locale } }
  }`;
  for (const time of ['once', 'twice', 'thrice'])
    t.match(
      await ask(query, { inputs: [{ locale: 'EN', searchKeyword: 'mu' }] }),
      {
        status: 400,
        body: { errors: [{ message: new RegExp(`"\\$inputs" .* at "inputs\\[0\\]\\.locale"; .*${expected}`) }] },
      },
      time,
    );
});

t.test('a literal that a scalar does not take is told of with its place, as it was written', async (t) => {
  const { request } = await startProject();
  const cases: readonly (readonly [query: string, message: string, column: number])[] = [
    ['{categories(limit:1){results{name(locale:"de_DE")}}}', 'Locale cannot represent "de_DE": ', 42],
    ['mutation{deleteZone(id:"x",version:"1"){id}}', 'Long cannot represent "1": ', 36],
    ['mutation{deleteZone(id:"x",version:1.5){id}}', 'Long cannot represent 1.5: ', 36],
    [
      'mutation{deleteZone(id:"x",version:12345678901234567890){id}}',
      'Long cannot represent 12345678901234567890: ',
      36,
    ],
    [
      '{product(key:"a"){masterData{current{masterVariant{price(currency:"EUR",date:"2030-02-31T12:00:00Z"){id}}}}}}',
      'DateTime cannot represent "2030-02-31T12:00:00Z": ',
      78,
    ],
    [
      'mutation{updateCustomer(id:"x",version:1,actions:[{setDateOfBirth:{dateOfBirth:"2030-02-31"}}]){id}}',
      'Date cannot represent "2030-02-31": ',
      80,
    ],
    ['query($c:Currency=eur){shippingMethodsByLocation(country:"DE",currency:$c){id}}', 'Currency cannot', 19],
  ];
  for (const [query, message, column] of cases) {
    const { status, body } = await request('POST', '/graphql', { query, variables: {} });
    t.equal(status, 400, query);
    const [error] = body['errors'] as { message: string; locations: object }[];
    t.ok(error!.message.startsWith(message), error!.message);
    t.strictSame(error!.locations, [{ line: 1, column }]);
  }
});

t.test('what a text says is the same each time that it is sent', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  await request('POST', '/stores', { key: 'north' });
  const nonNull = "The variable '$b' must not be null, for a value of type Boolean! is needed.";
  const cases: readonly (readonly [query: string, variables: object, expected: object])[] = [
    [
      'query($b:Boolean=false){zones(limit:1) @include(if:$b){count} stores{count}}',
      { b: null },
      { errors: [{ message: nonNull, locations: [{ line: 1, column: 52 }] }] },
    ],
    [
      'query($b:Boolean=true){zones(limit:1) @skip(if:$b){count} stores{count}}',
      { b: null },
      { errors: [{ message: nonNull }] },
    ],
    [
      'query($b:Boolean=false){...F @include(if:$b) stores{count}} fragment F on Query{zones{count}}',
      { b: null },
      { errors: [{ message: nonNull }] },
    ],
    [
      'query($b:Boolean=false){zones(limit:1) @include(if:$b){count} stores{count}}',
      { b: true },
      { data: { zones: { count: 0 } } },
    ],
    [
      'query($k:String!){inStore(key:{typeId:"store",key:$k}){customers{total}}}',
      { k: 'north' },
      { data: { inStore: { customers: { total: 0 } } } },
    ],
    [
      'query($k:KeyReferenceInput!){inStore(key:$k){customers{total}}}',
      { k: { typeId: 'store', key: 'north' } },
      { data: { inStore: { customers: { total: 0 } } } },
    ],
  ];
  for (const [query, variables, expected] of cases) {
    const answers = [];
    // Other settings make other answers.
    for (let time = 0; time < 4; time += 1) {
      const { body: settings } = await request('GET', '');
      const actions = [{ action: 'changeName', name: `Name ${time}` }];
      await request('POST', '', { version: settings['version'], actions });
      answers.push((await request('POST', '/graphql', { query, variables })).body);
    }
    for (const answer of answers) t.match(answer, expected, query);
  }
});

t.test('scopes are checked for each resource that is read', async (t) => {
  const platform = await startProject();
  await createMethods(platform, 1);
  const { baseUrl, projectKey } = platform;
  const token = await platform.tokenWith([`view_shipping_methods:${projectKey}`]);
  const query = async (text: string, authorization = `Bearer ${token}`) =>
    send({
      baseUrl,
      method: 'POST',
      path: `/${projectKey}/graphql`,
      body: { query: text },
      headers: { authorization },
    });
  t.match((await ask(platform, '{ zones { count } }')).body, { data: { zones: { count: 1 } } });
  t.equal((await query('{ shippingMethods { results { name zoneRates { zoneRef { id } } } } }')).status, 200);
  t.match((await query('{ zones { count } }')).body, { errors: [{ extensions: { code: 'insufficient_scope' } }] });
  t.equal((await query('{ zones { count } }')).status, 403);
  t.match(
    (await query('{ shippingMethods { results { zoneRates { zone { name } } } } }')).body,
    { data: { shippingMethods: { results: [{ zoneRates: [{ zone: { name: /./ } }] }] } } },
    'whoever sees a link follows it to what is not personal',
  );
  t.equal(
    (await query('{ zones { count } }', 'Bearer nonsense')).status,
    401,
    'a bad token is an HTTP status here too',
  );
});

t.test('the schema can be introspected', async (t) => {
  const platform = await startProject();
  const answer = await ask(
    platform,
    '{ __schema { queryType { name fields { name args { name } } } } __type(name: "ShippingMethod") { interfaces { name } fields { name type { kind name ofType { name } } } } }',
  );
  t.match(answer.body, {
    data: { __schema: { queryType: { name: 'Query' } }, __type: { interfaces: [{ name: 'Versioned' }] } },
  });
});
