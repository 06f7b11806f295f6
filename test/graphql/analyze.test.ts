import t from 'tap';
import { type AnalyzedOperation, createAnalyzer, type TextError } from '../../src/graphql/analyze.ts';
import { scoreFor } from '../../src/graphql/complexity.ts';

const analyze = createAnalyzer({
  sdl: `
    scalar Locale
    type Query {
      zone(id: String): Zone
      zones(limit: Int, names: [LocalizedStringItemInputType!]): ZoneQueryResult!
    }
    type Mutation { createZone(name: [LocalizedStringItemInputType!]!): Zone }
    type ZoneQueryResult { total: Int! results: [Zone!]! }
    type Zone { id: String! version: Int! name: String! next: Zone }
    input LocalizedStringItemInputType { locale: Locale! value: String! }
    input LocalizedStringInput { locale: Locale! value: String! }
  `,
  costs: { 'Query.zone': 5, 'Query.zones': 7 },
  argumentCosts: {},
  resourceFields: { zone: 'zone', zones: 'zone' },
  formArguments: {},
});

function operationsOf(text: string): Readonly<Record<string, AnalyzedOperation>> {
  const analysis = analyze(text);
  if ('errors' in analysis) throw new Error(`${text}: ${analysis.errors[0]?.message}`);
  return analysis.operations;
}

function errorsOf(text: string): readonly TextError[] {
  const analysis = analyze(text);
  return 'errors' in analysis ? analysis.errors : [];
}

t.test('variables that may be null are told that stand where a value is needed', async (t) => {
  const needed = (text: string): readonly (readonly unknown[])[] =>
    Object.values(operationsOf(text)).map((operation) => operation.needed.map(({ name, type }) => `${name}: ${type}`));
  t.strictSame(
    needed(`
      query One($a: Boolean = true, $b: Boolean!, $c: Boolean = true, $id: String = "a") {
        zone(id: $id) { name @include(if: $a) id @skip(if: $b) ...Next }
      }
      query Two($c: Boolean = false) { zone { ...Next } }
      query Three($text: String = "t", $locale: Locale = "en") { zones(names: [{ locale: $locale, value: $text }]) { total } }
      fragment Next on Zone { next @include(if: $c) { id } }
    `),
    [['a: Boolean!', 'c: Boolean!'], ['c: Boolean!'], ['locale: Locale!', 'text: String!']],
  );
});

t.test('each operation of a text is told by its name, with what it costs and how it is taken apart', async (t) => {
  const operations = operationsOf(`
    query One { zone(id: "a") { ...Name } }
    query Two($limit: Int = 3) { zones(limit: $limit) { total } }
    mutation Three { createZone(name: []) { ...Name } }
    query Four { __typename }
    fragment Name on Zone { name }
  `);
  t.strictSame(
    Object.entries(operations).map(([name, { score, isMutation, outline, variables }]) => ({
      name,
      score: scoreFor(score, {}),
      isMutation,
      paths: outline?.gaps.map(({ path }) => path),
      variables,
    })),
    [
      { name: 'One', score: 6, isMutation: false, paths: [['zone']], variables: [] },
      { name: 'Two', score: 10, isMutation: false, paths: undefined, variables: ['limit'] },
      { name: 'Three', score: 2, isMutation: true, paths: undefined, variables: [] },
      { name: 'Four', score: 1, isMutation: false, paths: undefined, variables: [] },
    ],
  );
  t.strictSame(Object.keys(operationsOf('{ zones { total } }')), ['']);
  t.strictSame(Object.keys(operationsOf('query __proto__ { zones { total } }')), ['__proto__']);
});

t.test('an operation that asks for the schema alone is known', async (t) => {
  const cases: readonly (readonly [text: string, isIntrospection: boolean, variables: readonly string[]])[] = [
    ['{ __schema { description } }', true, []],
    ['{ __typename ...Schema } fragment Schema on Query { __type(name: "Zone") { name } }', true, []],
    [
      'query ($name: String!, $all: Boolean) { __type(name: $name) { fields(includeDeprecated: $all) { name } } }',
      true,
      ['name', 'all'],
    ],
    ['{ __schema { description } zones { total } }', false, []],
    ['{ ... { ...Zones } __schema { description } } fragment Zones on Query { zones { total } }', false, []],
    ['{ __typename }', false, []],
    ['mutation { __typename }', false, []],
  ];
  for (const [text, isIntrospection, variables] of cases)
    t.match(operationsOf(text)[''], { isIntrospection, variables }, text);
});

t.test('variables may be declared with the names that the specification has for their types', async (t) => {
  for (const name of ['LocalizedStringInput', 'LocalizedText', 'LocalizedStringItemInputType']) {
    const text = `mutation ($name: [${name}!]!) { createZone(name: $name) { name } }`;
    t.strictSame(Object.keys(operationsOf(text)), [''], name);
  }
  t.match(errorsOf('mutation ($name: [String!]!) { createZone(name: $name) { name } }'), [{ isSyntax: false }]);
});

t.test('an error says where it is, and whether it is one of grammar', async (t) => {
  const cases: readonly (readonly [string, readonly TextError[]])[] = [
    ['', [{ message: 'Syntax Error: Unexpected <EOF>.', locations: [{ line: 1, column: 1 }], isSyntax: true }]],
    [
      '{\n  zones { total }\n  zone(id: ) { id }\n}',
      [{ message: 'Syntax Error: Unexpected ")".', locations: [{ line: 3, column: 12 }], isSyntax: true }],
    ],
    [
      '{ zones { "total } }',
      [{ message: 'Syntax Error: Unterminated string.', locations: [{ line: 1, column: 21 }], isSyntax: true }],
    ],
    [
      '{\n  zones { totals }\n  zone { id(x: 1) }\n}',
      [
        {
          message: 'Cannot query field "totals" on type "ZoneQueryResult". Did you mean "total"?',
          locations: [{ line: 2, column: 11 }],
          isSyntax: false,
        },
        {
          message: 'Unknown argument "x" on field "Zone.id".',
          locations: [{ line: 3, column: 13 }],
          isSyntax: false,
        },
      ],
    ],
    [
      '{ zone { id: name } other: zone { id }\n zone { id } }',
      [
        {
          message:
            'Fields "zone" conflict because subfields "id" conflict because "name" and "id" are different fields. Use different aliases on the fields to fetch both if this was intentional.',
          locations: [
            { line: 1, column: 3 },
            { line: 1, column: 10 },
            { line: 2, column: 2 },
            { line: 2, column: 9 },
          ],
          isSyntax: false,
        },
      ],
    ],
  ];
  for (const [text, errors] of cases) t.strictSame(errorsOf(text), errors, text);
});

t.test('texts without a meaning of their own have errors and no operation', async (t) => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['{ zones { total } } query One { zones { total } }', /anonymous operation must be the only/],
    ['query One { zones { total } } query One { zone { id } }', /only one operation named "One"/],
    ['{ zone { ...A } } fragment A on Zone { ...B } fragment B on Zone { ...A }', /"A" within itself via "B"/],
    ['{ zone { ...A } }', /Unknown fragment "A"/],
    ['type Zone { id: String }', /not executable/],
    ['query ($n: Int!) { zones { total } }', /"\$n" is never used/],
    ['subscription { zones { total } }', /no operation of the type subscription/],
    ['subscription { foo { id } }', /no operation of the type subscription/],
  ];
  for (const [text, message] of cases) t.match(errorsOf(text), [{ message, isSyntax: false }], text);
});

t.test('of very many errors the first twenty are told', async (t) => {
  const wrong = Array.from({ length: 50 }, (_, index) => `wrong${index}`);
  const errors = errorsOf(`{ ${wrong.join(' ')} }`);
  t.match(errors[19], { message: /"wrong19"/ });
  t.match(errors.slice(20), [{ message: /Too many validation errors/, locations: [] }]);
});

t.test('a text has no more tokens than are looked at', async (t) => {
  const fields = Array.from({ length: 1666 }, (_, index) => `a${index}: __typename`).join(' ');
  t.strictSame(Object.keys(operationsOf(`{ ${fields} }`)), ['']);
  t.match(errorsOf(`{ ${fields} __typename }`), [{ message: /5000 tokens/, locations: [{ line: 1 }], isSyntax: true }]);
});

t.test('selections may be nested as deeply as there are tokens', async (t) => {
  const levels = 1600;
  const fields = `{ zone ${'{ next '.repeat(levels)} { id } ${'}'.repeat(levels)} }`;
  t.equal(operationsOf(fields)['']!.score.formula.constant, 5 + levels + 1);
  const fragments = `{ ${'... { '.repeat(levels)} zones { total } ${'}'.repeat(levels)} }`;
  t.equal(operationsOf(fragments)['']!.score.formula.constant, 27);
  const lists = `{ zones(names: ${'['.repeat(levels)}${']'.repeat(levels)}) { total } }`;
  t.match(errorsOf(lists), [{ message: /\[\[\[/, locations: [{ line: 1 }], isSyntax: false }]);
  // Whether the stack of the parser ends first or the text, there is one error.
  t.match(errorsOf(`{ zones(names: ${'['.repeat(4990)}`), [{ isSyntax: true }]);
});
