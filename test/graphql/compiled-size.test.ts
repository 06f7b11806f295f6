import { buildSchema, type DocumentNode, getOperationAST, type GraphQLSchema, Kind, parse } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import t from 'tap';
import { compiledSize } from '../../src/graphql/compiled-size.ts';
import { schema as platform } from '../support/graphql-values.ts';

const schema = buildSchema(`
  interface Thing { name: String one: Thing many: [Thing!]! }
  interface Named { name: String }
  type A implements Thing & Named { name: String one: Thing many: [Thing!]! a(with: One): Int }
  type B implements Thing { name: String one: Thing many: [Thing!]! }
  type C implements Thing { name: String one: Thing many: [Thing!]! }
  union Any = A | B
  input One { text: String! texts: [String!] other: Other }
  input Other { number: Int numbers: [[Int]] }
  input Endless { all: [Endless!] text: String }
  input Above { endless: Endless }
  type Query { a: A thing: Thing any: Any f(one: One, ones: [One!], above: Above, text: String): Int }
`);

function sizeOf(text: string, of: GraphQLSchema = schema): number {
  const document = parse(text);
  return compiledSize(of, document, getOperationAST(document)!);
}

t.test('a field counts once for each type that what has it may be of', async (t) => {
  const cases: readonly (readonly [text: string, size: number])[] = [
    ['{ a { name again: name } }', 1 + 2],
    ['{ thing { name again: name } }', 3 + 3 * 2],
    // The paths are as much as two.
    ['{ thing { one { name } } }', 3 + 3 * (3 + 3) + 2],
    // Paths are as much as another.
    ['{ thing { ... on A { name one { name } } } }', 3 + 3 + 1 + (3 + 3) + 1],
    ['{ thing { ... on Named { name } ... { name } } }', 3 + (3 + 1) + (3 + 3)],
    ['{ a { ... on Thing { name } ...F } } fragment F on Thing { name }', 1 + 2 + 2],
    [
      '{ thing { ...F } a { ...F } } fragment F on Thing { name ...G } fragment G on A { name }',
      3 + (3 + 3 + 3 + 1) + 1 + (1 + 1 + 1 + 1) + 1,
    ],
    ['{ any { __typename ... on B { name } } }', 2 + 2 + (2 + 1)],
    ['{ a { a(with: { text: "as long as three" }) } }', 1 + 1 + 1],
    ['{ __typename __schema { types { name } } __type(name: "A") { kind } }', 1 + 3 + 2],
  ];
  for (const [text, size] of cases) t.equal(sizeOf(text), size, text);
  const doubling = Array.from({ length: 600 }, (_, index) => {
    const below = index === 599 ? 'name' : `...F${index + 1}`;
    return `fragment F${index} on Thing { x: one { ${below} } y: one { ${below} } }`;
  });
  t.notOk(sizeOf(`{ thing { ...F0 } } ${doubling.join(' ')}`) < 1e100, 'what doubles each time is seen once');
  const emptied = Array.from(
    { length: 60 },
    (_, index) => `fragment F${index} on A { ...F${index + 1} ...F${index + 1} }`,
  );
  const last = {
    ...parse('fragment F60 on A { name }').definitions[0]!,
    selectionSet: { kind: Kind.SELECTION_SET, selections: [] },
  };
  const { definitions } = parse(`{ a { ...F0 } } ${emptied.join(' ')}`);
  const skipped = { kind: Kind.DOCUMENT, definitions: [...definitions, last] } as DocumentNode;
  t.ok(compiledSize(schema, skipped, getOperationAST(skipped)!) > 1e15, 'also where nothing is selected');
  const deep = (levels: number, name: string): string =>
    `{ a { ${`${name}: one { `.repeat(levels)} name ${'}'.repeat(levels)} } }`;
  const [short, long] = ['x', 'x'.repeat(91)].map((name) => sizeOf(deep(30, name))) as [number, number];
  const written = 1 + 30 * 3 + 29 * 30 * 3 + 1;
  t.ok(short > written - 10, 'deep ones');
  t.ok(long - short > 90, 'under long names too');
  t.ok(sizeOf(deep(1600, 'x')) > 100_000, 'however deep');
});

t.test('a variable counts by the members of its type', async (t) => {
  const other = 1 + 1 + 4;
  const one = 1 + 1 + 2 + other;
  const cases: readonly (readonly [text: string, size: number])[] = [
    ['query($one: One) { f(one: $one) }', one + 1],
    ['query($o: [One!]) { f(ones: $o) }', 2 * one + 1],
    ['query($text: String = "as long as two fields, and a half") { f(text: $text) }', 1 + 2 + 1],
    ['query($t: String, $o: One) { f(text: $t, one: $o) }', 1 + one + 1 + 1],
    ['query($above: Above) { f(above: $above) }', Infinity],
  ];
  for (const [text, size] of cases) t.equal(sizeOf(text), size, text);
});

/** Characters that graphql-jit writes for a text. */
function writtenFor(text: string): number {
  const compiled = compileQuery(platform, parse(text), undefined, { debug: true } as object);
  if (!isCompiledQuery(compiled)) throw new Error(JSON.stringify(compiled.errors));
  const { __DO_NOT_USE_THIS_OR_YOU_WILL_BE_FIRED_compilation: code } = compiled as unknown as Record<string, string>;
  return code!.length;
}

t.test('nothing is written that does not count', async (t) => {
  const some = (count: number, text: string): string =>
    Array.from({ length: count }, (_, index) => `a${index}: ${text}`).join(' ');
  for (const text of [
    `{ products { results { ${some(100, 'id')} } } }`,
    `{ products { results { ${some(30, 'masterData { current { name(locale: "en") } }')} } } }`,
    `{ messages { results { payload { ${some(3, 'type')} } } } }`,
    `{ messages { results { ${some(3, 'payload { type }')} } } }`,
    `{ messages { results { ${some(3, 'payload { ... on OrderCreated { type } }')} } } }`,
    `{ orderEdits { results { stagedActions { ${some(3, 'type')} } } } }`,
    ...[10, 1000].map((count) => {
      const of = `variants(skus: [${'$v '.repeat(count)}]) { id }`;
      const spread = some(40, 'masterData { current { ...F } }');
      return `query ($v: String!) { product(id: "x") { ${spread} } } fragment F on ProductData { ${of} }`;
    }),
    ...[10, 100, 300].flatMap((levels) => [
      `{ categories { results { ${'parent { '.repeat(levels)} id ${'}'.repeat(levels)} } } }`,
      `{ categories { results { ${`${'x'.repeat(100)}: parent { `.repeat(levels)} id ${'}'.repeat(levels)} } } }`,
      `{ categories { results { ${'ancestors { '.repeat(levels)} id ${'}'.repeat(levels)} } } }`,
    ]),
  ]) {
    const perUnit = writtenFor(text) / sizeOf(text, platform);
    t.ok(perUnit < 5000, `${perUnit} characters a unit of ${text.slice(0, 60)}`);
  }
});
