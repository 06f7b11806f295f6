import t, { type Test } from 'tap';
import { type Answer, type Platform, startProject } from '../support/platform.ts';

function ask({ request }: Platform, query: string, variables: object = {}): Promise<Answer> {
  return request('POST', '/graphql', { query, variables });
}

function names(count: number, field: string, prefix = 'a'): string {
  return Array.from({ length: count }, (_, index) => `${prefix}${index}: ${field}`).join(' ');
}

const tooLarge = {
  status: 400,
  body: { errors: [{ message: /too large/, extensions: { code: 'QueryComplexityLimitExceeded' } }] },
};

/** So many states, each with transitions to all. */
async function createStates({ request }: Platform, count: number): Promise<void> {
  const keys = Array.from({ length: count }, (_, index) => `state-${index}`);
  await Promise.all(keys.map((key) => request('POST', '/states', { key, type: 'OrderState' })));
  const actions = [{ action: 'setTransitions', transitions: keys.map((key) => ({ key })) }];
  const answers = await Promise.all(keys.map((key) => request('POST', `/states/key=${key}`, { version: 1, actions })));
  for (const { status, text } of answers) if (status !== 200) throw new Error(text);
}

function nested(levels: number): string {
  return levels === 0 ? 'id' : `transitions { ${nested(levels - 1)} }`;
}

t.test('a preview weighs as much as what is made for it', async (t) => {
  const platform = await startProject();
  const edits = (count: number): string => `{ ${names(count, 'orderEdit(key: "none") { id }')} }`;
  t.equal((await ask(platform, edits(6))).status, 200);
  t.match(await ask(platform, edits(7)), {
    status: 400,
    body: { errors: [{ extensions: { code: 'QueryComplexityLimitExceeded' } }] },
  });
});

t.test('lists of references weigh as five of them, and what they really give is counted', async (t) => {
  const platform = await startProject();
  await createStates(platform, 60);
  const scoreOf = async (text: string): Promise<number> =>
    Number((await ask(platform, text)).headers.get('x-graphql-query-complexity'));
  const [one, two] = [
    await scoreOf(`{ state(key: "none") { ${nested(1)} } }`),
    await scoreOf(`{ state(key: "none") { ${nested(2)} } }`),
  ];
  t.ok(two > 3 * one, `${two} for two levels, ${one} for one`);
  t.match(await ask(platform, `{ state(key: "state-0") { ${nested(6)} } }`), {
    status: 400,
    body: { errors: [{ message: /complexity of \d+/, extensions: { code: 'QueryComplexityLimitExceeded' } }] },
  });
  t.equal((await ask(platform, `{ state(key: "state-0") { ${nested(2)} } }`)).status, 200, '3,600 states');
  t.match(await ask(platform, `{ state(key: "state-0") { ${nested(3)} } }`), tooLarge, '216,000 states');
  t.match(await ask(platform, `{ states(limit: 30) { results { ${nested(2)} } } }`), tooLarge, 'in a page');
  t.equal((await ask(platform, '{ states { count } }')).status, 200);
});

t.test('what is large is counted, once for each time that it is given', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const make = async (key: string, value: unknown): Promise<void> => {
    const { status, text } = await request('POST', '/custom-objects', { container: 'large', key, value });
    if (status !== 201) throw new Error(text);
  };
  await make('text', 'x'.repeat(1_000_000));
  await make(
    'object',
    Object.fromEntries(Array.from({ length: 10_000 }, (_, index) => [`name-${index}`, 'x'.repeat(90)])),
  );
  for (const key of ['text', 'object']) {
    const one = (selection: string): string => `{ customObject(container: "large", key: "${key}") { ${selection} } }`;
    t.equal((await ask(platform, one(names(10, 'value')))).status, 200, `ten times ${key}`);
    t.match(await ask(platform, one(names(20, 'value'))), tooLarge, `twenty times ${key}`);
    // Put together from what earlier answers said.
    const parts = (count: number): string =>
      `{ ${names(count, `customObject(container: "large", key: "${key}") { value }`)} }`;
    for (let use = 1; use <= 3; use += 1) {
      t.equal((await ask(platform, parts(10))).status, 200, `ten parts of ${key}, use ${use}`);
      t.match(await ask(platform, parts(19)), tooLarge, `nineteen parts of ${key}, use ${use}`);
    }
  }
});

t.test('however it is put together, an answer has no more bytes than the limit', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const created = async (path: string, draft: object): Promise<Answer> => {
    const answer = await request('POST', path, draft);
    if (answer.status !== 201) throw new Error(answer.text);
    return answer;
  };
  // Two bytes each.
  const text = 'ü'.repeat(450_000);
  await created('/custom-objects', { container: 'large', key: 'one', value: text });
  await created('/stores', { key: 'north' });
  const customer = { email: 'a@example.com', password: 'abcdefg1', companyName: text };
  await created('/in-store/key=north/customers', customer);
  await created('/zones', { key: 'small', name: 'Small' });
  const inStore = (count: number): string =>
    `inStore(key: "north") { customers { results { ${names(count, 'companyName')} } } }`;
  const cases: readonly (readonly [what: string, text: (count: number) => string])[] = [
    ['of excerpts', (count) => names(count, 'customObject(container: "large", key: "one") { value }')],
    ['as a whole', (count) => `${names(count, 'customObject(container: "large", key: "one") { value }')} zone { id }`],
    ['without resources that are taken out', inStore],
    ['beside one that is', (count) => `${inStore(count)} zone(key: "small") { id }`],
  ];
  for (const [what, textOf] of cases) {
    t.equal((await ask(platform, `{ ${textOf(18)} }`)).status, 200, what);
    t.match(await ask(platform, `{ ${textOf(19)} }`), tooLarge, what);
  }
  const types = (name: string): string => `{ __schema { types { ${names(60, 'name', name)} } } }`;
  t.equal((await ask(platform, types('x'))).status, 200);
  t.equal((await ask(platform, types('x'.repeat(500)))).status, 400, 'names of introspection');
});

t.test('errors are told up to a limit, wherever they come from', async (t) => {
  const platform = await startProject();
  await platform.request('POST', '/product-selections', { key: 'selection', name: { en: 'Selection' } });
  const where = Array.from({ length: 60 }, (_, index) => `unknown${index} = 1`).join(' and ');
  const found = 'productSelection(key: "selection") { ...F }';
  const fragment = `fragment F on ProductSelection { ${'x'.repeat(20_000)}: productRefs(where: $where) { total } }`;
  const answer = await ask(platform, `query ($where: String) { ${names(50, found)} } ${fragment}`, { where });
  const { errors } = answer.body as { errors: readonly unknown[] };
  t.equal(errors.length, 100);
});

t.test('a long list with many aliases of its members is cut off', async (t) => {
  const platform = await startProject();
  const locations = Array.from({ length: 9000 }, (_, index) => ({ country: 'US', state: `State ${index}` }));
  t.equal((await platform.request('POST', '/zones', { key: 'large', name: 'Large', locations })).status, 201);
  t.match(await ask(platform, `{ zone(key: "large") { locations { ${names(300, 'country')} } } }`), tooLarge);
  t.equal((await ask(platform, '{ zone(key: "large") { locations { country state } } }')).status, 200);
});

t.test('what a query of an endpoint finds is counted, and the next one waits for it', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  await request('POST', '/tax-categories', { key: 'tax', name: 'Tax', rates: [] });
  await request('POST', '/zones', { key: 'de', name: 'DE', locations: [{ country: 'DE' }] });
  const method = (index: number): object => ({
    key: `method-${index}`,
    name: `Method ${index}`,
    isDefault: false,
    taxCategory: { typeId: 'tax-category', key: 'tax' },
    zoneRates: [
      {
        zone: { typeId: 'zone', key: 'de' },
        shippingRates: [{ price: { currencyCode: 'EUR', centAmount: 100 } }],
      },
    ],
  });
  for (let index = 0; index < 30; index += 1)
    t.equal((await request('POST', '/shipping-methods', method(index))).status, 201);
  const asked = (times: number): Promise<Answer> =>
    ask(platform, `{ ${names(times, 'shippingMethodsByLocation(country: "DE") { id }')} }`);
  const { body } = await asked(300);
  const found = Object.values(body['data'] as Readonly<Record<string, readonly unknown[]>>);
  t.equal(found.length, 300);
  for (const methods of found) t.equal(methods.length, 30);
  t.match(await asked(340), tooLarge, '10,200 methods');
});

t.test('introspection weighs what it gives, and the standard query passes', async (t) => {
  const platform = await startProject();
  const { getIntrospectionQuery } = await import('graphql');
  const standard = await ask(platform, getIntrospectionQuery());
  t.equal(standard.status, 200);
  const schemas = names(200, '__schema { types { name fields { name } } }');
  const refused = { status: 400, body: { errors: [{ extensions: { code: 'QueryComplexityLimitExceeded' } }] } };
  t.match(await ask(platform, `{ ${schemas} }`), refused);
  const fragments =
    'fragment A on __Schema { ...B ...B } fragment B on __Schema { types { fields { type { fields { name } } } } }';
  t.match(await ask(platform, `{ ${names(20, '__schema { ...A }')} } ${fragments}`), refused);
  t.equal((await ask(platform, '{ __type(name: "Zone") { fields { name type { name } } } }')).status, 200);
});

t.test(
  'who asks for the schema hears the same from a thread as from the server, and pays for other things beside it',
  async (t) => {
    const platform = await startProject();
    const scoreOf = ({ headers }: { headers: Headers }): number => Number(headers.get('x-graphql-query-complexity'));
    const schema = '__type(name: $name) { name fields(includeDeprecated: $all) { name type { name kind } } }';
    const head = 'query Fields($name: String = "Zone", $all: Boolean!)';
    const whole = `${head} { __typename ...Schema } fragment Schema on Query { ${schema} }`;
    const alone = await ask(platform, whole, { all: true });
    const beside = await ask(platform, `${head} { ${schema} zones { count } }`, { all: true });
    t.equal(alone.status, 200);
    t.strictSame((alone.body['data'] as object)['__type' as never], (beside.body['data'] as object)['__type' as never]);
    t.match(alone.body, { data: { __typename: 'Query', __type: { name: 'Zone' } } });
    t.ok(scoreOf(beside) > 5 * scoreOf(alone));
    for (const variables of [{}, { all: 'yes' }, { all: true, name: 7 }]) {
      const wrong = await ask(platform, whole, variables);
      t.match(wrong, { status: 400, body: { errors: [{ extensions: { code: 'InvalidInput' } }] } });
    }
    t.match(await ask(platform, whole, { all: false, name: 'Nothing' }), { body: { data: { __type: null } } });
  },
);

t.test('answers to large variables are made anew', async (t) => {
  const platform = await startProject();
  const query = 'query ($key: String!) { zone(key: $key) { name } }';
  const flood = { key: 'north', flood: 'x'.repeat(100_000) };
  t.match(await ask(platform, query, flood), { status: 200, body: { data: { zone: null } } });
  await platform.request('POST', '/zones', { key: 'north', name: 'North' });
  t.match(await ask(platform, query, flood), { status: 200, body: { data: { zone: { name: 'North' } } } });
});

t.test('the limit of a page that a variable has by default counts', async (t: Test) => {
  const platform = await startProject();
  const selection = '{ results { id version createdAt lastModifiedAt name } }';
  const literal = await ask(platform, `{ zones(limit: 500) ${selection} }`);
  const byDefault = await ask(platform, `query ($limit: Int = 500) { zones(limit: $limit) ${selection} }`);
  const given = await ask(platform, `query ($limit: Int = 5) { zones(limit: $limit) ${selection} }`, { limit: 500 });
  const scores = [literal, byDefault, given].map(({ headers }) => headers.get('x-graphql-query-complexity'));
  t.equal(new Set(scores).size, 1, scores.join());
});

t.test('a request for no operation is told as every GraphQL error', async (t) => {
  const platform = await startProject();
  const two = 'query One { zones { count } } query Two { zones { count } }';
  for (const [query, operationName] of [
    [two, undefined],
    [two, 'Three'],
    ['x'.repeat(100_001), undefined],
  ] as const) {
    const answer = await platform.request('POST', '/graphql', { query, operationName });
    const errors = [{ message: /./, extensions: { code: 'InvalidInput' } }];
    t.match(answer, { status: 400, body: { statusCode: 400, message: /./, errors } });
  }
});

/** A product type whose one attribute is an enum of so many values. */
async function createEnum({ request }: Platform, count: number): Promise<void> {
  const values = Array.from({ length: count }, (_, index) => ({ key: `k${index}`, label: `${count - index}` }));
  const color = { name: 'color', label: { en: 'Color' }, isRequired: false, type: { name: 'enum', values } };
  const { status, text } = await request('POST', '/product-types', {
    key: 'lamp',
    name: 'Lamp',
    description: 'Lamps',
    attributes: [color],
  });
  if (status !== 201) throw new Error(text);
}

/** The values of that enum under so many names times 50, each picked by these arguments. */
function picking(args: string, times: number): string {
  return `{ productType(key: "lamp") { ${names(times, 'attributeDefinitions { results { type { ...Values } } }')} } }
    fragment Values on EnumAttributeDefinitionType { ${names(50, `values(${args}) { total }`)} }`;
}

t.test('a list by which a field picks weighs a fifth of its elements, and has 500 at most', async (t) => {
  const platform = await startProject();
  await createEnum(platform, 3);
  const query = `query ($keys: [String!]) { productType(key: "lamp") { attributeDefinitions(includeNames: $keys) { total } } }`;
  const asked = (count: number): ReturnType<typeof ask> =>
    ask(platform, query, { keys: Array.from({ length: count }, () => 'color') });
  const scores = [];
  for (const count of [0, 5, 500]) {
    const answer = await asked(count);
    t.match(answer.body, { data: { productType: { attributeDefinitions: { total: Math.min(count, 1) } } } });
    scores.push(Number(answer.headers.get('x-graphql-query-complexity')));
  }
  const [none, few, many] = scores as [number, number, number];
  t.strictSame([few - none, many - none], [1, 100]);
  t.match((await asked(501)).body, { errors: [{ extensions: { code: 'InvalidInput' } }] });
});

t.test('what a field goes through counts, however little it gives, and others have turns meanwhile', async (t) => {
  const platform = await startProject();
  const count = 5000;
  await createEnum(platform, count);
  for (const [args, one] of [
    ['excludeKeys: ["k1"]', count - 1],
    ['includeKeys: ["k1", "k2", "none"]', 2],
    ['sort: ["label desc"], limit: 1', count],
  ] as const) {
    const few = await ask(platform, picking(args, 1));
    t.match(few, { status: 200 }, args);
    t.ok(few.text.includes(`"a49":{"total":${one}}`), few.text.slice(0, 300));
    // To put them in an order takes longer.
    const times = args.startsWith('sort') ? 4 : 42;
    t.match(await ask(platform, picking(args, times)), tooLarge, args);
    if (times === 42) t.match(await ask(platform, picking(args, 4)), { status: 200 }, args);
  }
  // Without an argument by which it picks, it gives what is there.
  t.match(await ask(platform, picking('limit: 1', 42)), { status: 200 });
});

t.test('a process outlives an answer without room, and errors of one element beside others that wait', async (t) => {
  const platform = await startProject();
  const values = Array.from({ length: 2000 }, (_, index) => ({ key: `k${index}`, label: 'a' }));
  const attribute = (name: string, type: object): object => ({ name, label: { en: name }, isRequired: false, type });
  const { status } = await platform.request('POST', '/product-types', {
    key: 'lamp',
    name: 'Lamp',
    description: 'Lamps',
    attributes: [
      attribute('color', { name: 'enum', values }),
      attribute('shade', { name: 'lenum', values: [{ key: 'red', label: { en: 'Red' } }] }),
    ],
  });
  t.equal(status, 201);
  const typed = (of: string, selection: string): string =>
    `{ productType(key: "lamp") { attributeDefinitions { results { type { ... on EnumAttributeDefinitionType { ${of} }
      ... on LocalizableEnumAttributeDefinitionType { ${selection} } } } } } }`;
  const sorted = names(200, 'values(sort: ["label", "key"]) { total }');
  t.match(await ask(platform, typed(sorted, 'values { total }')), tooLarge);
  const wrong = typed(names(20, 'values(sort: ["key"], limit: -1) { total }'), 'values(limit: -1) { total }');
  t.match((await ask(platform, wrong)).body, { errors: [{ extensions: { code: 'InvalidInput' } }] });
  t.match(await ask(platform, typed('values { total }', 'values { total }')), { status: 200 });
});
