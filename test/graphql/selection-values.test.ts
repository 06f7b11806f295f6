import { buildSchema, execute, type GraphQLResolveInfo, parse } from 'graphql';
import t from 'tap';
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

/** Of the list `things`, as its resolver would hear it. */
function valuesOf(text: string, variableValues: Readonly<Record<string, unknown>> = {}): number {
  let values = 0;
  const rootValue = {
    things: (_: unknown, __: unknown, info: GraphQLResolveInfo) => {
      values = valuesOfElement(info);
      return [];
    },
  };
  execute({ schema, document: parse(text), rootValue, variableValues });
  return values;
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
    t.equal(valuesOf(`{ things { ${nested(40)} } }`), Infinity);
  },
);
