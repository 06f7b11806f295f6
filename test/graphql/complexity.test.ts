import fc from 'fast-check';
import { buildSchema, parse, validate } from 'graphql';
import t from 'tap';
import { type OperationScore, scoreFor, scoreOperations } from '../../src/graphql/complexity.ts';

const schema = buildSchema(`
  type Query {
    zone(id: String): Zone
    zones(where: String, limit: Int): ZoneQueryResult!
    named: Named
    found(text: String, filters: [Filter!], limit: Int): ZoneQueryResult!
  }
  input Filter { path: String values: [String!] isOn: Boolean from: Int }
  type Mutation { deleteZone(id: String): Zone }
  type ZoneQueryResult { total: Int! results: [Zone!]! }
  interface Named { name: String! next: Zone }
  type Zone implements Named {
    name: String!
    tags(limit: Int): [Tag!]!
    next: Zone
    links: [Zone!]!
    pages(limit: Int): ZoneQueryResult!
    picked(ids: [String!], from: [Filter!]): Zone
  }
  type Tag { text: String! }
`);
// Each a prime number, so that a sum tells what it is made of.
const costs = {
  'Query.zone': 3,
  'Query.zones': 7,
  'Mutation.deleteZone': 11,
  'Query.found': 23,
  'Named.next': 17,
  'Zone.next': 5,
  'Zone.links': 13,
  'Zone.pages': 19,
};

function scoresOf(text: string): Record<string, OperationScore> {
  const document = parse(text);
  const [error] = validate(schema, document);
  if (error !== undefined) throw error;
  return scoreOperations(schema, document, costs, {
    'Query.found': { measure: 'characters', cost: 0.5 },
    'Zone.picked': { measure: 'elements', cost: 31 },
  });
}

/** The score of the one operation of a text, whose name is none. */
function scoreOf(text: string, variables: Readonly<Record<string, unknown>> = {}): number {
  return scoreFor(scoresOf(text)['']!, variables);
}

t.test('a field costs what the schema says, and 1 where it says nothing', async (t) => {
  const cases: readonly (readonly [string, number])[] = [
    ['{ __typename }', 1],
    ['{ zone { name } }', 3 + 1],
    ['{ zone(id: "a") { name other: name __typename } }', 3 + 3],
    ['{ zone { next { next { name } } } }', 3 + 5 + 5 + 1],
    ['{ named { next { name } } }', 1 + 17 + 1],
    ['{ named { ... on Zone { next { name } } } }', 1 + 5 + 1],
    ['{ named { ... { next { name } } } }', 1 + 17 + 1],
    ['mutation { deleteZone { name } }', 11 + 1],
  ];
  for (const [text, score] of cases) t.equal(scoreOf(text), score, text);
});

t.test(
  'a page costs what is selected of it as often as its limit says, and a list of other resources 5 times',
  async (t) => {
    const cases: readonly (readonly [string, number])[] = [
      ['{ zones { total } }', 7 + 20],
      ['{ zones(limit: 3) { total results { name } } }', 7 + 3 * (1 + 1 + 1)],
      ['{ zones(limit: 0) { total } }', 7],
      ['{ zones(limit: 500) { total } }', 7 + 500],
      ['{ zones(limit: null) { total } }', 7 + 20],
      ['{ zones(where: "true", limit: 3) { total } }', 7 + 50 + 3],
      ['{ zone { links { links { name } } } }', 3 + 13 + 5 * (13 + 5)],
      ['{ zones(limit: 3) { results { pages(limit: 2) { total } } } }', 7 + 3 * (1 + 19 + 2)],
      ['{ zone { tags { text } } }', 3 + 1 + 1],
      ['{ zone { tags(limit: 100) { text } } }', 3 + 1 + 1],
    ];
    for (const [text, score] of cases) t.equal(scoreOf(text), score, text);
  },
);

t.test('arguments of a search cost by their length, as texts and as variables', async (t) => {
  const filters = [
    { path: 'abc', values: ['d', 'ef'] },
    { isOn: true, from: 12 },
  ];
  // Names of members, and values.
  const length = 4 + 3 + 6 + 1 + 2 + (4 + 4 + 4 + 2);
  const literal = 'filters: [{ path: "abc", values: ["d", "ef"] }, { isOn: true, from: 12 }]';
  const page = 23 + 3;
  const cases: readonly (readonly [string, object, number])[] = [
    ['{ found(limit: 3) { total } }', {}, page + 0.5],
    ['{ found(limit: 3, text: null) { total } }', {}, page + 0.5],
    [`{ found(limit: 3, ${literal}) { total } }`, {}, page + (1 + length) / 2],
    ['query ($f: [Filter!]) { found(limit: 3, filters: $f) { total } }', { f: filters }, page + (1 + length) / 2],
    [
      `query ($f: [Filter!] = ${literal.slice(9)}) { found(limit: 3, filters: $f) { total } }`,
      {},
      page + (1 + length) / 2,
    ],
    ['query ($f: [Filter!] = [{ path: "a" }]) { found(limit: 3, filters: $f) { total } }', { f: null }, page + 0.5],
    [
      'query ($p: String) { found(limit: 3, filters: [{ path: $p }]) { total } }',
      { p: 'abcd' },
      page + (1 + 4 + 4) / 2,
    ],
    ['query ($p: String) { found(limit: 3, filters: [{ path: $p }]) { total } }', {}, page + (1 + 4) / 2],
    [
      'query ($p: String) { a: found(limit: 3, text: $p) { total } b: found(limit: 3, text: $p) { total } }',
      { p: 'abcd' },
      2 * page + 5,
    ],
    ['query ($n: Int) { found(limit: $n) { total } }', { n: 30 }, 23 + 30 + 1],
    ['query ($p: String) { zone(id: $p) { name } }', { p: 'abcd' }, 4],
  ];
  for (const [text, variables, score] of cases)
    t.equal(scoreOf(text, variables as Record<string, unknown>), Math.ceil(score), text);
  const aliases = Array.from({ length: 200 }, (_, index) => `a${index}: found(text: $p, limit: 0) { total }`).join(' ');
  t.equal(
    scoreOf(`query ($p: String) { ${aliases} }`, { p: 'x'.repeat(100) }),
    200 * (23 + 50 + 0.5),
    'one variable, many fields',
  );
});

t.test('lists by which a field picks cost by their elements, as literals and as variables', async (t) => {
  const bare = 3 + 1 + 1;
  const each = 31;
  const of = (args: string): string => `{ zone { picked(${args}) { name } } }`;
  const cases: readonly (readonly [string, object, number])[] = [
    [of('ids: []'), {}, 0],
    [of('ids: ["", "a long text"]'), {}, 2],
    [of('from: [{ path: "x", values: ["a", "b"] }]'), {}, 3],
    [`query ($ids: [String!]) ${of('ids: $ids')}`, { ids: ['', '', ''] }, 3],
    [`query ($ids: [String!]) ${of('ids: $ids')}`, { ids: null }, 0],
    [`query ($ids: [String!]) ${of('ids: $ids')}`, {}, 0],
    [`query ($ids: [String!] = ["a long text", "another"]) ${of('ids: $ids')}`, {}, 2],
    [`query ($id: String!) ${of('ids: ["a", $id]')}`, { id: 'some' }, 2],
    [`query ($from: [Filter!]) ${of('from: $from')}`, { from: [{ values: ['a'] }, {}] }, 3],
  ];
  for (const [text, variables, elements] of cases)
    t.equal(scoreOf(text, variables as Record<string, unknown>), bare + elements * each, text);
  const paged = (ids: string): string => `{ zones(limit: 3) { results { picked(ids: ${ids}) { name } } } }`;
  const timesThree = 7 + 3 * (1 + 1 + 2 * each + 1);
  t.equal(scoreOf(paged('["a", "b"]')), timesThree, 'as often as the field is read');
  t.equal(
    scoreOf(`query ($ids: [String!]) ${paged('$ids')}`, { ids: ['a', 'b'] }),
    timesThree,
    'by a variable as well',
  );
  const [search, field] = ['found(limit: 0, filters: $f) { total }', 'zone { picked(from: $f) { name } }'];
  for (const both of [`${search} ${field}`, `${field} ${search}`])
    t.equal(
      scoreOf(`query ($f: [Filter!]) { ${both} }`, { f: [{ path: 'abc' }] }),
      23 + (1 + 4 + 3) / 2 + bare + each,
      'one variable by its characters here, and by its elements there',
    );
});

t.test('a limit is the value of its variable, its default, or 20', async (t) => {
  const plain = 'query ($n: Int) { zones(limit: $n) { total } }';
  const withDefault = 'query ($n: Int = 4) { zones(limit: $n) { total } }';
  const cases: readonly (readonly [string, object, number])[] = [
    [plain, { n: 3 }, 3],
    [plain, {}, 20],
    [plain, { n: null }, 20],
    [plain, { n: 0 }, 20],
    [plain, { n: -3 }, 20],
    [plain, { n: '3' }, 20],
    [withDefault, {}, 4],
    [withDefault, { n: 3 }, 3],
    [withDefault, { n: null }, 20],
    ['query ($__proto__: Int = 4) { zones(limit: $__proto__) { total } }', {}, 4],
  ];
  for (const [text, variables, limit] of cases)
    t.equal(scoreOf(text, { ...variables }), 7 + limit, `${text} ${JSON.stringify(variables)}`);
  const nested = `query ($n: Int!, $m: Int = 2) {
    zones(limit: $n) { results { pages(limit: $m) { total } again: pages(limit: $n) { total } } }
  }`;
  t.equal(scoreOf(nested, { n: 3 }), 7 + 3 * (1 + (19 + 2) + (19 + 3)));
  t.equal(scoreOf(nested, { n: 5, m: 4 }), 7 + 5 * (1 + (19 + 4) + (19 + 5)));
});

t.test('what literals and variables repeat is repeated by both', async (t) => {
  const text = 'query ($n: Int) { zone { links { pages(limit: $n) { total } } } }';
  for (const n of [1, 7]) t.equal(scoreOf(text, { n }), 3 + 13 + 5 * (19 + n));
});

t.test('each operation has its own score and defaults, by its name', async (t) => {
  const scores = scoresOf(`
    query One($n: Int = 2, $text: String = "3") { zones(limit: $n, where: $text) { ...Total } }
    query Two($n: Int = 5) { zones(limit: $n) { ...Total } }
    mutation Three { deleteZone { name } }
    fragment Total on ZoneQueryResult { total }
  `);
  t.strictSame(
    Object.entries(scores).map(([name, score]) => [name, scoreFor(score, {}), score.defaults]),
    [
      ['One', 7 + 50 + 2, { n: 2 }],
      ['Two', 7 + 5, { n: 5 }],
      ['Three', 11 + 1, {}],
    ],
  );
});

t.test('fragments that double with each level are scored once each, up to a highest score', async (t) => {
  const doubling = (levels: number): string => {
    const fragments = Array.from({ length: levels }, (_, index) => {
      const below = index === levels - 1 ? 'name' : `...F${index + 1}`;
      return `fragment F${index} on Zone { one: next { ${below} } other: next { ${below} } }`;
    });
    return `{ zone { ...F0 } } ${fragments.join(' ')}`;
  };
  // Of each level there are twice as many; a field costs 5, and the last ones are names.
  for (const levels of [1, 2, 10]) {
    const { formula } = scoresOf(doubling(levels))['']!;
    const fields = 2 ** (levels + 1) - 2;
    t.equal(formula.constant, 3 + 5 * fields + 2 ** levels);
  }
  t.equal(scoresOf(doubling(200))['']!.formula.constant, 1e12);
  const limits = Array.from({ length: 5 }, (_, index) => `pages(limit: $n) { a${index}: results {`).join(' ');
  const text = `query ($n: Int) { zone { ${limits} name ${'} }'.repeat(5)} } }`;
  t.equal(scoreOf(text, { n: 2_147_483_647 }), 1e12);
});

t.test('more than a hundred limits by variables have the highest score', async (t) => {
  const text = (count: number): string => {
    const pages = Array.from({ length: count }, (_, index) => `a${index}: zones(limit: $n) { total }`);
    return `query ($n: Int) { ${pages.join(' ')} }`;
  };
  t.equal(scoreOf(text(100), { n: 2 }), 100 * (7 + 2));
  t.equal(scoreOf(text(101), { n: 2 }), 1e12);
});

t.test('the schema costs ten times as much beside other things, wherever either stands', async (t) => {
  const described = '__schema { types { name fields { name } } }';
  const alone = scoreOf(`{ ${described} }`);
  const types = Object.keys(schema.getTypeMap()).length;
  t.ok(alone > types / 3, `${alone} for ${types} types`);
  t.equal(scoreOf(`{ __typename ... { ${described} } }`), 1 + alone);
  t.equal(scoreOf(`{ zone { name } ${described} }`), 10 * (3 + 1 + alone));
  t.equal(
    scoreOf(`{ ...Both } fragment Both on Query { zone { name } ...Schema } fragment Schema on Query { ${described} }`),
    10 * (3 + 1 + alone),
  );
  const page = 'query ($n: Int) { zones(limit: $n) { total } __type(name: "Zone") { name } }';
  t.equal(scoreOf(page, { n: 9 }) - scoreOf(page, { n: 2 }), 10 * 7);
});

/** A selection of one field of a resource or a page; texts are made of it. */
interface Node {
  readonly field: string;
  readonly below: readonly Node[];
}

const leaf = (...fields: readonly string[]): fc.Arbitrary<Node> =>
  fc.constantFrom(...fields).map((field) => ({ field, below: [] }));

const { zone, page } = fc.letrec<{ zone: Node; page: Node }>((tie) => {
  const some = (name: 'zone' | 'page', leaves: readonly string[]): fc.Arbitrary<readonly Node[]> =>
    fc
      .tuple(leaf(...leaves), fc.array(tie(name), { maxLength: 2, depthIdentifier: 'selection' }))
      .map(([first, others]) => [first, ...others]);
  return {
    zone: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'selection' },
      leaf('name', '__typename', 'tags { text }'),
      fc.record({ field: fc.constantFrom('next', 'links'), below: some('zone', ['name']) }),
      fc.record({
        field: fc.constantFrom('pages', 'pages(limit: 0)', 'pages(limit: 3)', 'pages(limit: $n)', 'pages(limit: $m)'),
        below: some('page', ['total']),
      }),
    ),
    page: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'selection' },
      leaf('total', '__typename'),
      fc.record({ field: fc.constant('results'), below: some('zone', ['name']) }),
    ),
  };
});
const root = fc.oneof(
  fc.record({ field: fc.constant('zone'), below: fc.array(zone, { minLength: 1, maxLength: 3 }) }),
  fc.record({
    field: fc.constantFrom('zones', 'zones(where: "true")', 'zones(limit: $n)', 'zones(limit: 2, where: $text)'),
    below: fc.array(page, { minLength: 1, maxLength: 3 }),
  }),
);
const roots = fc.array(root, { minLength: 1, maxLength: 3 });

const variables = fc.record({
  n: fc.option(fc.integer({ min: -1, max: 600 })),
  m: fc.option(fc.integer({ min: 1, max: 600 })),
});

type Spread = (type: string, selections: string) => string;

const plain: Spread = (_, selections) => selections;

/** Each field under an alias of its own; `spread` may have what is selected of a type stand elsewhere. */
function written(nodes: readonly Node[], spread: Spread): string {
  let names = 0;
  const write = (type: string, each: readonly Node[]): string => {
    const members = each.map(({ field, below }) => {
      const typeBelow = /^(zones|pages)/.test(field) ? 'ZoneQueryResult' : 'Zone';
      const selection = below.length === 0 ? '' : ` { ${write(typeBelow, below)} }`;
      return `a${(names += 1)}: ${field}${selection}`;
    });
    return spread(type, members.join(' '));
  };
  return `{ ${write('Query', nodes)} }`;
}

function declaring(text: string): string {
  const declared = Object.entries({ n: 'Int', m: 'Int = 30', text: 'String' }).flatMap(([name, type]) =>
    text.includes(`$${name}`) ? [`$${name}: ${type}`] : [],
  );
  return declared.length === 0 ? text : `query (${declared.join(', ')}) ${text}`;
}

/** The same selections without one of them, for each that is not the last of its object. */
function partsOf(nodes: readonly Node[]): readonly (readonly Node[])[] {
  return nodes.flatMap((node, index) => [
    ...(nodes.length > 1 ? [nodes.toSpliced(index, 1)] : []),
    ...partsOf(node.below).map((below) => nodes.toSpliced(index, 1, { ...node, below })),
  ]);
}

t.test('a query costs no less than a part of it', async (t) => {
  fc.assert(
    fc.property(roots, variables, (nodes, given) => {
      const score = (each: readonly Node[]): number => scoreOf(declaring(written(each, plain)), given);
      const whole = score(nodes);
      return partsOf(nodes).every((part) => score(part) <= whole);
    }),
  );
  t.pass();
});

t.test('a query costs the same with its selections in fragments', async (t) => {
  fc.assert(
    fc.property(roots, variables, fc.infiniteStream(fc.nat(2)), (nodes, given, ways) => {
      const fragments: string[] = [];
      const text = written(nodes, (type, selections) => {
        const way = ways.next().value;
        if (way === 0) return selections;
        if (way === 1) return `... on ${type} { ${selections} }`;
        const name = `F${fragments.length}`;
        fragments.push(`fragment ${name} on ${type} { ${selections} }`);
        return `...${name}`;
      });
      const [score] = Object.values(scoresOf(declaring([text, ...fragments].join(' '))));
      const [expected] = Object.values(scoresOf(declaring(written(nodes, plain))));
      return scoreFor(score!, given) === scoreFor(expected!, given);
    }),
  );
  t.pass();
});
