import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startHttp } from '../../src/app.ts';
import { type Answer, type Platform, requestToken, send, startPlatform } from '../support/platform.ts';
import { shopperToken } from '../support/shoppers.ts';

interface Ask {
  (query: string, options?: { readonly variables?: object; readonly token?: string }): Promise<Answer>;
}

/** A platform, and GraphQL of another server for it, which keeps no answers; without excerpts it makes each as a whole. */
async function start(t: Test): Promise<{ platform: Platform; together: Ask; whole: Ask }> {
  const platform = await startPlatform(t);
  const { config, client, projectKey } = platform;
  const asking = async (excerptCacheBytes: number): Promise<Ask> => {
    const server = await startHttp({ ...config, answerCacheBytes: 0, excerptCacheBytes }, pino({ level: 'silent' }));
    t.teardown(() => server.close());
    const baseUrl = `http://127.0.0.1:${server.port}`;
    const own = await requestToken(baseUrl, client);
    return (query, { variables = {}, token = own } = {}) =>
      send({
        baseUrl,
        method: 'POST',
        path: `/${projectKey}/graphql`,
        body: { query, variables },
        headers: { authorization: `Bearer ${token}` },
      });
  };
  return { platform, together: await asking(config.excerptCacheBytes), whole: await asking(0) };
}

/** A shipping method with a zone and a tax category; gives its id. */
async function createMethod({ request }: Platform): Promise<string> {
  await request('POST', '/zones', { key: 'zone', name: 'First', locations: [{ country: 'DE' }] });
  await request('POST', '/tax-categories', { key: 'tax', name: 'First' });
  const { body, status, text } = await request('POST', '/shipping-methods', {
    key: 'method',
    name: 'First',
    localizedName: { en: 'First', de: 'Erste' },
    isDefault: false,
    taxCategory: { key: 'tax' },
    zoneRates: [{ zone: { key: 'zone' }, shippingRates: [{ price: { currencyCode: 'EUR', centAmount: 100 } }] }],
  });
  if (status !== 201) throw new Error(text);
  return String(body['id']);
}

t.test('an excerpt is kept until its resource, or one that it refers to, changes', async (t) => {
  const { platform, together } = await start(t);
  const { projectKey, sql } = platform;
  const id = await createMethod(platform);
  const rename = (kind: string, name: string) =>
    sql`update documents set data = data || jsonb_build_object('name', ${name}::text)
      where project = ${projectKey} and kind = ${kind}`;
  const log = (kind: string) =>
    sql`insert into change_log (project, kind, id, version)
      select project, kind, id, version from documents where project = ${projectKey} and kind = ${kind}`;
  const selection = '{ name taxCategory { name } zoneRates { zone { name } } }';
  const forms = [
    `{ shippingMethod(id: "${id}") ${selection} }`,
    `{ shippingMethod(key: "method") ${selection} }`,
    `{ shippingMethods { total results ${selection} } }`,
    `{ other: shippingMethods(limit: 3) { ...Page } }
      fragment Page on ShippingMethodQueryResult { all: results { ...Method } }
      fragment Method on ShippingMethod ${selection}`,
  ];
  const readAll = (): Promise<readonly string[]> =>
    Promise.all(forms.map(async (query) => (await together(query)).text));
  const before = await readAll();
  for (const text of before)
    t.match(text, '"name":"First","taxCategory":{"name":"First"},"zoneRates":[{"zone":{"name":"First"}}]');
  for (const kind of ['zone', 'tax-category', 'shipping-method']) await rename(kind, 'Second');
  t.strictSame(await readAll(), before, 'what nobody logged is not looked for');
  await log('zone');
  for (const text of await readAll()) t.match(text, /"zone":{"name":"Second"}/, 'all is read again');
  for (const kind of ['zone', 'tax-category', 'shipping-method']) {
    await rename(kind, 'Third');
    await log(kind);
    const json = {
      zone: '"zone":{"name":"Third"}',
      'tax-category': '"taxCategory":{"name":"Third"}',
      'shipping-method': '"name":"Third"',
    }[kind]!;
    for (const text of await readAll()) t.match(text, json, kind);
  }
});

t.test('a page that knows a later state of a resource than its excerpt is made as a whole', async (t) => {
  const { platform, together } = await start(t);
  const { projectKey, sql } = platform;
  await createMethod(platform);
  const query = '{ shippingMethods(where: "version > 0") { results { key version name } } }';
  t.match((await together(query)).text, '"version":1,"name":"First"');
  await sql`update documents set version = 2, data = data || '{"name": "Second", "version": 2}'
    where project = ${projectKey} and kind = 'shipping-method'`;
  // As if the write had come after the check, and before the page was read.
  t.match((await together(query)).text, '"version":2,"name":"Second"');
});

t.test('what other servers write is in the very next answer', async (t) => {
  const { platform, together } = await start(t);
  const { request } = platform;
  const id = await createMethod(platform);
  const { body: zone } = await request('GET', '/zones/key=zone');
  const selection = '{ version name zoneRates { zone { version name } } }';
  for (let version = 1; version <= 30; version += 1) {
    const actions = [{ action: 'changeName', name: `Name ${version}` }];
    const [path, expected] =
      version % 2 === 0
        ? ([`/zones/${String(zone['id'])}`, `"zone":{"version":${version / 2 + 1},"name":"Name ${version}"}`] as const)
        : ([`/shipping-methods/${id}`, `"version":${(version + 3) / 2},"name":"Name ${version}"`] as const);
    const current = Math.ceil(version / 2);
    t.equal((await request('POST', path, { version: current, actions })).status, 200);
    const texts = await Promise.all([
      together(`{ shippingMethod(id: "${id}") ${selection} }`),
      together(`query ($limit: Int) { shippingMethods(limit: $limit) { results ${selection} } }`, {
        variables: { limit: version + 1 },
      }),
    ]);
    for (const { text } of texts) t.match(text, expected);
  }
  await request('DELETE', `/shipping-methods/${id}?version=16`);
  t.strictSame((await together(`{ shippingMethod(id: "${id}") ${selection} }`)).body, {
    data: { shippingMethod: null },
  });
});

t.test('variables of a selection are part of what its excerpts are', async (t) => {
  const { platform, together } = await start(t);
  await createMethod(platform);
  const query = `query ($locale: Locale = "de", $withName: Boolean!) {
    shippingMethods { results { localizedName(locale: $locale) name @include(if: $withName) } }
  }`;
  const result = async (variables: object): Promise<unknown> => {
    const { body } = await together(query, { variables });
    return (body['data'] as { shippingMethods: { results: unknown } }).shippingMethods.results;
  };
  for (let use = 0; use < 3; use += 1) {
    t.strictSame(await result({ withName: false }), [{ localizedName: 'Erste' }]);
    t.strictSame(await result({ withName: true }), [{ localizedName: 'Erste', name: 'First' }]);
    t.strictSame(await result({ withName: false, locale: 'en' }), [{ localizedName: 'First' }]);
    t.strictSame(await result({ withName: false, locale: 'fr' }), [{ localizedName: null }]);
    t.match((await together(query, { variables: { withName: 'yes' } })).body, { errors: [{}] });
  }
});

t.test('who may see less does not get what others were given, in either order', async (t) => {
  const { platform, together, whole } = await start(t);
  const { projectKey, request, tokenWith } = platform;
  await createMethod(platform);
  await request('POST', '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
  const names = { en: 'shown' };
  await request('POST', '/products', {
    key: 'lamp',
    productType: { key: 'lamp' },
    name: names,
    slug: names,
    publish: true,
  });
  const update = { version: 1, actions: [{ action: 'changeName', name: { en: 'secret' }, staged: true }] };
  t.equal((await request('POST', '/products/key=lamp', update)).status, 200);
  const scopes = ['view_published_products', 'view_shipping_methods'].map((name) => `${name}:${projectKey}`);
  const token = await tokenWith(scopes);
  const queries = (mark: string) => [
    `{ ${mark}: shippingMethods { results { name zoneRates { zone { name } } } } }`,
    `{ ${mark}: shippingMethod(key: "method") { name taxCategory { name } } }`,
    `{ ${mark}: products { results { masterData { current { name(locale: "en") } staged { name(locale: "en") } } } } }`,
    `{ ${mark}: product(key: "lamp") { masterData { staged { name(locale: "en") } } } }`,
    `{ ${mark}: shippingMethods { results { key } } }`,
  ];
  for (const first of [undefined, token]) {
    for (const query of queries(first === undefined ? 'all' : 'part')) {
      const second = first === undefined ? token : undefined;
      for (const asker of [first, second, first, second]) {
        const options = asker === undefined ? {} : { token: asker };
        const [{ status, text }, expected] = [await together(query, options), await whole(query, options)];
        t.strictSame({ status, text }, { status: expected.status, text: expected.text }, query);
        if (asker === token) t.notMatch(text, 'secret');
      }
    }
  }
});

t.test('queries that cannot be taken apart, and those with errors, are answered as a whole', async (t) => {
  const { platform, together, whole } = await start(t);
  const id = await createMethod(platform);
  const queries = [
    '{ shippingMethods { results { name } results { key } } }',
    '{ shippingMethods { results { name } } shippingMethods { results { key } total } }',
    '{ shippingMethods { ...One ...Two } } fragment One on ShippingMethodQueryResult { results { name } } fragment Two on ShippingMethodQueryResult { results { key } }',
    '{ shippingMethods { ...Same } other: shippingMethods { ...Same } } fragment Same on ShippingMethodQueryResult { results { name } }',
    '{ ...Root ...Root } fragment Root on Query { shippingMethods { results { name } } }',
    '{ __schema { queryType { name } } shippingMethods { results { name } } }',
    '{ __typename project { key } shippingMethods { __typename results { __typename } } }',
    '{ shippingMethods { results { excerptId: id excerptVersion: name } } }',
    'query ($excerptId: String!) { shippingMethods(where: $excerptId) { results { id } } }',
    '{ shippingMethodsByLocation(country: "DE") { name } shippingMethods { results { name } } }',
    '{ shippingMethods(where: "nonsense") { results { name } } }',
    '{ shippingMethod { name } zones { results { name } } }',
    '{ shippingMethod(id: "nonsense") { name } other: shippingMethod(key: "nobody") { name } }',
    `{ shippingMethod(id: "${id.toUpperCase()}") { id } }`,
    '# comment { results { name } }\n{ shippingMethods # {\n { results # {\n { name # }\n key # } }\n } } }',
    `{ ${Array.from({ length: 25 }, (_, index) => `m${index}: shippingMethods { results { name } }`).join(' ')} }`,
    'query A { shippingMethods { results { name } } } query B { zones { results { name } } }',
  ];
  for (const query of queries) {
    const expected = await whole(query, { variables: { excerptId: 'name = "First"' } });
    for (let use = 0; use < 3; use += 1) {
      const { status, text } = await together(query, { variables: { excerptId: 'name = "First"' } });
      t.strictSame({ status, text }, { status: expected.status, text: expected.text }, query);
    }
  }
});

t.test('what is of a store or a shopper is made as a whole, beside what is put together', async (t) => {
  const { platform, together, whole } = await start(t);
  const { request } = platform;
  await createMethod(platform);
  await request('POST', '/stores', { key: 'north' });
  const token = await shopperToken(platform, { shopper: 'customer' });
  const headers = { authorization: `Bearer ${token}` };
  const draft = { currency: 'EUR', country: 'DE' };
  const { body: cart } = await request('POST', '/in-store/key=north/me/carts', draft, headers);
  const { body: emailToken } = await request('POST', '/customers/email-token', {
    id: cart['customerId'],
    ttlMinutes: 10,
  });
  const carts = `carts { total results { id country } } cart(id: "${String(cart['id'])}") { id country }`;
  const query = `{
    shippingMethods { results { id name } }
    customer(emailToken: "${String(emailToken['value'])}") { email }
    inStore(key: "north") { ${carts} me { ${carts} activeCart { country } customer { id } } }
    me { ${carts} activeCart { country } customer { id } }
  }`;
  const expected = await whole(query, { token });
  t.match(expected.body, { errors: undefined, data: { me: { activeCart: { country: 'DE' } } } });
  for (let turn = 0; turn < 3; turn += 1) t.equal((await together(query, { token })).text, expected.text);
  const fragment = 'fragment Page on CartQueryResult { total results { id country } }';
  const shared = `{ carts { ...Page } inStore(key: "north") { carts { ...Page } } me { carts { ...Page } } } ${fragment}`;
  const { text } = await whole(shared, { token });
  t.equal(text.split('"country":"DE"').length, 4);
  t.equal((await together(shared, { token })).text, text, 'one fragment for all of them');
});
