import t from 'tap';
import { eventually, meilisearch } from '../support/services.ts';
import { type Answer, send, startPlatform, type Platform } from '../support/platform.ts';

async function createProducts({ request }: Platform): Promise<void> {
  await request('POST', '/product-types', { key: 'tools', name: 'Tools', description: 'Tools' });
  const product = (key: string, searchKeywords: object, publish = true) => ({
    key,
    productType: { key: 'tools' },
    name: { en: key },
    slug: { en: key },
    searchKeywords,
    publish,
  });
  const drafts = [
    product('army', {
      en: [{ text: 'Swiss Army Knife', suggestTokenizer: { type: 'whitespace' } }],
      de: [{ text: 'Schweizer Messer' }],
    }),
    product('multi', {
      en: [
        { text: 'Multi tool' },
        { text: 'Offiziersmesser', suggestTokenizer: { type: 'custom', inputs: ['officer', 'penknife'] } },
      ],
    }),
    product('hidden', { en: [{ text: 'Knight armor' }] }, false),
  ];
  for (const draft of drafts) {
    const { status, text } = await request('POST', '/products', draft);
    if (status !== 201) throw new Error(text);
  }
}

const suggestPath = '/product-projections/suggest';

/** The suggestions for a query, once the feeder has indexed the project. */
async function whenIndexed({ request }: Platform, query: string): Promise<Answer> {
  return eventually(async () => {
    const answer = await request('GET', `${suggestPath}?${query}`);
    return answer.status === 200 ? answer : undefined;
  });
}

/** Asks until the answer has these texts. */
async function until({ request }: Platform, query: string, texts: readonly string[]): Promise<readonly string[]> {
  return eventually(async () => {
    const { body } = await request('GET', `${suggestPath}?${query}`);
    const [found = []] = Object.values(body) as { text: string }[][];
    const given = Array.isArray(found) ? found.map(({ text }) => text) : [];
    return JSON.stringify(given) === JSON.stringify(texts) ? given : undefined;
  });
}

t.test('keywords are found by prefix, as their tokenizers say, and with typos', async (t) => {
  const platform = await startPlatform(t, { feeder: true });
  t.match((await platform.request('GET', `${suggestPath}?searchKeywords.en=kn`)).body, {
    statusCode: 400,
    errors: [{ code: 'SearchIndexingInProgress' }],
  });
  await createProducts(platform);
  await whenIndexed(platform, 'searchKeywords.en=kn');
  t.strictSame(
    await until(platform, 'searchKeywords.en=kn', ['Swiss Army Knife']),
    ['Swiss Army Knife'],
    'a word of a text split at its blanks; an unpublished product is not seen',
  );
  const cases = [
    ['searchKeywords.en=SWISS', ['Swiss Army Knife']],
    ['searchKeywords.en=multi%20t', ['Multi tool']],
    ['searchKeywords.en=%20multi', ['Multi tool']],
    ['searchKeywords.en=tool', []],
    ['searchKeywords.en=penk', ['Offiziersmesser']],
    ['searchKeywords.en=offiz', []],
    ['searchKeywords.de=schweizer%20m', ['Schweizer Messer']],
    ['searchKeywords.en=kn&staged=true', ['Knight armor', 'Swiss Army Knife']],
    ['searchKeywords.en=kn&staged=true&limit=1', ['Knight armor']],
    ['searchKeywords.en=knive&fuzzy=true', ['Swiss Army Knife']],
    ['searchKeywords.en=knive', []],
    ['searchKeywords.en=mutli&fuzzy=true', ['Multi tool']],
  ] as const;
  for (const [query, texts] of cases) t.strictSame(await until(platform, query, texts), texts, query);
  const both = await platform.request(
    'GET',
    `${suggestPath}?searchKeywords.en=swiss&searchKeywords.de=schw&searchKeywords.fr=x`,
  );
  t.strictSame(both.body, {
    'searchKeywords.en': [{ text: 'Swiss Army Knife' }],
    'searchKeywords.de': [{ text: 'Schweizer Messer' }],
    'searchKeywords.fr': [],
  });
  const sdk = await platform.api
    .productProjections()
    .suggest()
    .get({ queryArgs: { 'searchKeywords.en': 'swiss' } })
    .execute();
  t.match(sdk.body, { 'searchKeywords.en': [{ text: 'Swiss Army Knife' }] });
});

t.test('GraphQL gives the same suggestions', async (t) => {
  const platform = await startPlatform(t, { feeder: true });
  await createProducts(platform);
  await until(platform, 'searchKeywords.en=kn', ['Swiss Army Knife']);
  // Texts are found inexactly a moment later.
  await until(platform, 'searchKeywords.en=knive&fuzzy=true', ['Swiss Army Knife']);
  const query = `query ($inputs: [SearchKeywordArgument!]!, $fuzzy: Boolean, $limit: Int, $staged: Boolean) {
    productProjectionsSuggest(searchKeywords: $inputs, fuzzy: $fuzzy, limit: $limit, staged: $staged) {
      searchKeywords { locale suggestions { text } }
    }
  }`;
  const ask = async (token: string, variables: object): Promise<Answer> =>
    send({
      baseUrl: platform.baseUrl,
      method: 'POST',
      path: `/${platform.projectKey}/graphql`,
      headers: { authorization: `Bearer ${token}` },
      body: JSON.stringify({ query, variables }),
    });
  const all = await platform.tokenWith([`view_products:${platform.projectKey}`]);
  const published = await platform.tokenWith([`view_published_products:${platform.projectKey}`]);
  const input = (locale: string, searchKeyword: string): object => ({ locale, searchKeyword });
  const found = (...entries: [locale: string, ...texts: string[]][]): object => ({
    data: {
      productProjectionsSuggest: {
        searchKeywords: entries.map(([locale, ...texts]) => ({ locale, suggestions: texts.map((text) => ({ text })) })),
      },
    },
  });
  const inputs = [input('en', 'swiss'), input('de', 'schw'), input('en', 'mult'), input('fr', 'x')];
  for (const token of [all, published]) {
    t.strictSame(
      (await ask(token, { inputs })).body,
      found(['en', 'Swiss Army Knife', 'Multi tool'], ['de', 'Schweizer Messer'], ['fr']),
    );
  }
  const kn = [input('en', 'kn')];
  t.strictSame((await ask(all, { inputs: kn, staged: true, limit: 1 })).body, found(['en', 'Knight armor']));
  t.strictSame(
    (await ask(all, { inputs: [input('en', 'knive')], fuzzy: true })).body,
    found(['en', 'Swiss Army Knife']),
  );
  t.match((await ask(published, { inputs: kn, staged: true })).body, {
    errors: [{ extensions: { code: 'insufficient_scope' } }],
  });
  t.match((await ask(all, { inputs: kn, limit: 101 })).body, { errors: [{ extensions: { code: 'InvalidInput' } }] });
  t.match((await ask(all, { inputs: [] })).body, { errors: [{ extensions: { code: 'InvalidInput' } }] });
  const eight = Array.from({ length: 8 }, (_, index) => input('en', `x${index}`));
  const twice = `query ($inputs: [SearchKeywordArgument!]!) {
    one: productProjectionsSuggest(searchKeywords: $inputs) { searchKeywords { locale } }
    two: productProjectionsSuggest(searchKeywords: $inputs) { searchKeywords { locale } }
  }`;
  t.match((await platform.request('POST', '/graphql', { query: twice, variables: { inputs: eight } })).body, {
    errors: [{ message: 'At most 10 inputs can be given in one request.', path: ['two'] }],
  });
  const many = Array.from({ length: 11 }, (_, index) => input('en', `x${index}`));
  t.match((await ask(all, { inputs: many })).body, { errors: [{ extensions: { code: 'InvalidInput' } }] });
});

t.test('changes of products reach the suggestions', async (t) => {
  const platform = await startPlatform(t, { feeder: true });
  const { request } = platform;
  await createProducts(platform);
  await until(platform, 'searchKeywords.en=multi', ['Multi tool']);
  const act = (version: number, ...actions: object[]) => request('POST', '/products/key=multi', { version, actions });
  await act(1, { action: 'setSearchKeywords', searchKeywords: { en: [{ text: 'Multitude' }] } });
  await until(platform, 'searchKeywords.en=multi&staged=true', ['Multitude']);
  await until(platform, 'searchKeywords.en=multi', ['Multi tool']);
  await act(2, { action: 'publish' });
  await until(platform, 'searchKeywords.en=multi', ['Multitude']);
  await act(3, { action: 'unpublish' });
  await until(platform, 'searchKeywords.en=multi', []);
  await request('DELETE', '/products/key=multi?version=4');
  t.strictSame(await until(platform, 'searchKeywords.en=multi&staged=true', []), []);
  const [{ count }] = (await platform.sql`select count(*)::int as count
    from outbox where topic = 'suggest'`) as unknown as [{ count: number }];
  t.equal(count, 0, 'delivered rows leave the outbox');
});

t.test('requests are checked, and scopes decide about staged data', async (t) => {
  const platform = await startPlatform(t, { feeder: true });
  const { request, baseUrl, projectKey } = platform;
  await whenIndexed(platform, 'searchKeywords.en=kn');
  for (const query of [
    '',
    'searchKeywords.en=',
    'searchKeywords.english=x',
    'searchKeywords.en=x&limit=0',
    'searchKeywords.en=x&limit=101',
    'searchKeywords.en=x&fuzzy=maybe',
    Array.from({ length: 11 }, (_, index) => `searchKeywords.en=x${index}`).join('&'),
  ]) {
    t.match(
      (await request('GET', `${suggestPath}?${query}`)).body,
      { statusCode: 400, errors: [{ code: 'InvalidInput' }] },
      query,
    );
  }
  const all = await request('GET', `${suggestPath}?searchKeywords.english=&limit=0`);
  t.equal((all.body['errors'] as unknown[]).length, 3, 'all faults at once');
  const authorization = `Bearer ${await platform.tokenWith([`view_published_products:${projectKey}`])}`;
  const ask = async (query: string) =>
    (await send({ baseUrl, method: 'GET', path: `/${projectKey}${suggestPath}?${query}`, headers: { authorization } }))
      .status;
  t.equal(await ask('searchKeywords.en=x'), 200);
  t.equal(await ask('searchKeywords.en=x&staged=true'), 403);
  const injection = await request(
    'GET',
    `${suggestPath}?searchKeywords.en=${encodeURIComponent('" OR c_en STARTS WITH "')}`,
  );
  t.strictSame(injection.body, { 'searchKeywords.en': [] });
});

t.test('while indexing is off nothing is kept, and all comes back when it is on', async (t) => {
  const platform = await startPlatform(t, { feeder: true });
  const { request, sql } = platform;
  const enable = async (enabled: boolean): Promise<unknown> => {
    const { version } = (await request('GET', '')).body;
    const actions = [{ action: 'changeProductSearchIndexingEnabled', enabled }];
    const { status, body } = await request('POST', '', { version, actions });
    return status === 200 ? (body['searchIndexing'] as { products: { status: string } }).products.status : body;
  };
  const codeOf = async (): Promise<unknown> => {
    const { body } = await request('GET', `${suggestPath}?searchKeywords.en=kn`);
    return (body['errors'] as { code: string }[] | undefined)?.[0]?.code;
  };
  await createProducts(platform);
  await until(platform, 'searchKeywords.en=kn', ['Swiss Army Knife']);
  t.equal(await enable(false), 'Deactivated');
  t.equal(await codeOf(), 'SearchDeactivated');
  const keywordsOf = (version: number, text: string) =>
    request('POST', '/products/key=multi', {
      version,
      actions: [{ action: 'setSearchKeywords', searchKeywords: { en: [{ text }] }, staged: false }],
    });
  t.equal((await keywordsOf(1, 'Changed while it is off')).status, 200);
  await eventually(async () => {
    const [kept] = await sql<{ count: number }[]>`select (select count(*) from suggest_source)::int
      + (select count(*) from suggest_dirty)::int + (select count(*) from suggest_indexes)::int
      + (select count(*) from outbox where topic = 'suggest')::int as count`;
    return kept!.count === 0 ? true : undefined;
  });
  const { url, key } = meilisearch();
  const listed = await fetch(`${url}/indexes?limit=1000`, { headers: { authorization: `Bearer ${key}` } });
  t.notMatch(await listed.text(), new RegExp(platform.projectKey), 'no index is left');

  t.equal(await enable(true), 'Indexing');
  t.equal(await codeOf(), 'SearchIndexingInProgress');
  await until(platform, 'searchKeywords.en=changed', ['Changed while it is off']);
  t.strictSame(await until(platform, 'searchKeywords.en=kn', ['Swiss Army Knife']), ['Swiss Army Knife']);

  // Off and on again before the feeder looks: what changes meanwhile is taken off the queue and not kept.
  t.equal(await enable(false), 'Deactivated');
  t.equal((await keywordsOf(2, 'Changed in a moment')).status, 200);
  await eventually(async () =>
    (await sql`select from outbox where topic = 'suggest'`).length === 0 ? true : undefined,
  );
  t.equal(await enable(true), 'Indexing');
  t.strictSame(await until(platform, 'searchKeywords.en=changed', ['Changed in a moment']), ['Changed in a moment']);
});
