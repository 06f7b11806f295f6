import { buildSchema, execute, type GraphQLResolveInfo, parse } from 'graphql';
import t from 'tap';
import type { ValuesOfElement } from '../../src/graphql/answer-size.ts';
import { valuesOfElement } from '../../src/graphql/selection-values.ts';

const schema = buildSchema(`
  type Query { things: [Thing!]! one: Thing! }
  interface Thing { id: String! kind: String! next: Thing }
  type Plain implements Thing { id: String! kind: String! next: Thing note(in: [String!]): String }
  interface Left { l: String }
  interface Right { r: String }
  type A implements Thing & Left { id: String! kind: String! next: Thing l: String }
  type B implements Thing & Right { id: String! kind: String! next: Thing r: String }
  type C implements Thing & Left & Right { id: String! kind: String! next: Thing l: String r: String }
  type Rich implements Thing { id: String! kind: String! next: Thing parts: [Plain!]! first: Plain! }
`);

/** Of an element of the list `things`, beside itself, as the resolver of the list would hear it. */
function rangeOf(text: string, variableValues: Readonly<Record<string, unknown>> = {}, of = schema): ValuesOfElement {
  let values = { least: 0, most: 0 };
  const rootValue = {
    things: (_: unknown, __: unknown, info: GraphQLResolveInfo) => {
      values = valuesOfElement(info);
      return [];
    },
  };
  execute({ schema: of, document: parse(text), rootValue, variableValues });
  return values;
}

/** With itself, at most. */
function valuesOf(text: string, variableValues: Readonly<Record<string, unknown>> = {}): number {
  return 1 + rangeOf(text, variableValues).most;
}

t.test('an element has a value for itself, and for each field that is selected of it', async (t) => {
  const cases: readonly (readonly [text: string, values: number])[] = [
    ['{ things { id } }', 2],
    ['{ things { id again: id kind } }', 4],
    ['{ things { id ...More } } fragment More on Thing { kind next { id } }', 5],
    ['{ things { id __typename } }', 3],
    // Selected twice, and so merged.
    ['{ things { id } things { kind } }', 3],
  ];
  for (const [text, values] of cases) t.equal(valuesOf(text), values, text);
});

t.test('of several types it has the one with most, and what is selected of others does not count', async (t) => {
  t.equal(valuesOf('{ things { ... on Plain { id } ... on Rich { id kind first { id } } } }'), 5);
  t.equal(valuesOf('{ things { ... on Left { l again: l } ... on Right { r once: r more: r } } }'), 6, 'one of both');
  t.equal(valuesOf('{ things { ... on Thing { id } ... { kind } ... on Plain { note } } }'), 4);
});

t.test('at least it has what the type with least has, without what may be absent', async (t) => {
  const cases: readonly (readonly [text: string, least: number, most: number])[] = [
    ['{ things { id kind } }', 2, 2],
    ['{ things { id next { id kind } } }', 2, 4],
    ['{ things { ... on Rich { id first { id } } } }', 0, 3],
    ['{ things { ... on Plain { id } ... on Rich { id kind } ... on Left { id } ... on B { id } } }', 1, 2],
    ['{ things { __typename ...All } } fragment All on Thing { next { next { id } } }', 1, 4],
  ];
  for (const [text, least, most] of cases) t.strictSame(rangeOf(text), { least, most }, text);
  const required = buildSchema('type Query { things: [Thing!]! } type Thing { id: String! part: Thing! }');
  t.strictSame(rangeOf('{ things { part { id part { id } } } }', {}, required), { least: 4, most: 4 });
});

t.test('lists in it are counted when they are given, and literals when they are read', async (t) => {
  t.equal(valuesOf('{ things { ... on Rich { parts { id kind note } } } }'), 2);
  t.equal(valuesOf('{ things { ... on Plain { note(in: ["a", "b", "c"]) } } }'), 5);
});

t.test('what is selected twice counts once, and what is skipped does not', async (t) => {
  const fragments = 'fragment A on Thing { id next { id } ...B } fragment B on Thing { id kind next { id kind } }';
  t.equal(valuesOf(`{ things { id ...A ...B ... { kind ...B } } } ${fragments}`), 6);
  const conditional = 'query ($with: Boolean!) { things { id kind @include(if: $with) next @skip(if: $with) { id } } }';
  t.equal(valuesOf(conditional, { with: true }), 3);
  t.equal(valuesOf(conditional, { with: false }), 4);
});

t.test(
  'of objects that may be of several types at every level no more is looked at than takes milliseconds',
  async (t) => {
    const nested = (levels: number): string =>
      levels === 0 ? 'id' : `next { ${nested(levels - 1)} } ... on Plain { kind } ... on Rich { id }`;
    t.equal(valuesOf(`{ things { ${nested(6)} } }`), 1 + 6 * 2 + 1);
    t.strictSame(rangeOf(`{ things { ${nested(40)} } }`), { least: 0, most: Infinity }, 'any number');
    const conditions = Array.from({ length: 60 }, () => '... on A { l } ... on B { r }').join(' ');
    const everywhere = Array.from({ length: 20 }, (_, index) => `n${index}: next { id ${conditions} }`).join(' ');
    t.equal(
      valuesOf(`{ things { ${everywhere} } }`),
      1 + 20 * 3,
      'of a fragment that stands often it is looked at once',
    );
    const some = (count: number, selection: string): string =>
      Array.from({ length: count }, (_, index) => `a${index}: next { ${selection} }`).join(' ');
    t.strictSame(rangeOf(`{ things { ${some(70, some(80, 'id'))} } }`), { least: 70, most: Infinity });
  },
);
