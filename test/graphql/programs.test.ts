import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { buildSchema, execute, getOperationAST, isObjectType, parse, validate } from 'graphql';
import t from 'tap';
import { RequestEnded } from '../../src/engine/context.ts';
import { AnswerSize } from '../../src/graphql/answer-size.ts';
import { isFault } from '../../src/graphql/answer-errors.ts';
import { compiledSize } from '../../src/graphql/compiled-size.ts';
import { thrownOf } from '../../src/graphql/execution-errors.ts';
import { Programs } from '../../src/graphql/programs.ts';
import type { QueryContext } from '../../src/graphql/resolvers.ts';

const schema = buildSchema('type Query { a: Int b(at: Int = 1): Int } type Mutation { a: Int }');
// Resolvers of this schema ask for nothing of it.
const context = { size: new AnswerSize(), request: {} } as QueryContext;
const bytesMax = 2_000_000;

function textOf(number: number): string {
  const fields = Array.from({ length: 100 }, (_, index) => `f${index}:a`).join(' ');
  return `{n${number}:a ${fields}}`;
}

t.test('what texts have become is bounded, and made anew where it was let go', async (t) => {
  const programs = new Programs(schema, { bytesMax });
  const all = Array.from({ length: 50 }, (_, number) => programs.create({ text: textOf(number), operation: '' }));
  const seen = new Set<string>();
  for (let round = 0; round < 3; round += 1) {
    for (const [number, program] of all.entries()) {
      const { data, errors } = await program.run(context, {});
      t.equal(errors, undefined);
      seen.add(JSON.stringify(Object.keys(data!)));
      t.ok(programs.bytes <= bytesMax, `${programs.bytes} bytes after text ${number}`);
    }
  }
  t.equal(seen.size, all.length, 'each has the answer of its own text');
  t.ok(programs.bytes > bytesMax / 2);
});

t.test('compiled code counts for what it takes, and what would take too much is not compiled', async (t) => {
  const bytesOf = async (text: string, runs: number, max = 100 * bytesMax): Promise<number> => {
    const programs = new Programs(schema, { bytesMax: max });
    const program = programs.create({ text, operation: '' });
    for (let run = 0; run < runs; run += 1) await program.run(context, {});
    return programs.bytes;
  };
  const text = textOf(1);
  t.equal(await bytesOf(text, 1), text.length * 100, 'a document');
  const unitsOf = (asked: string): number => {
    const document = parse(asked);
    return compiledSize(schema, document, getOperationAST(document)!);
  };
  t.equal(await bytesOf(text, 2), text.length * 100 + unitsOf(text) * 6000, 'with its code');
  t.equal(await bytesOf(text, 2, 8 * 600_000), text.length * 100, 'where that has too large a share of the memory');
  const fields = (count: number): string => `{${Array.from({ length: count }, (_, index) => `f${index}:a`).join(' ')}}`;
  const [most, more] = [fields(956), fields(957)];
  t.equal(unitsOf(most), 1000);
  t.equal(await bytesOf(most, 2), most.length * 100 + 1000 * 6000);
  t.equal(await bytesOf(more, 3), more.length * 100, 'where it is too large');
  const mutation = 'mutation { a }';
  t.equal(await bytesOf(mutation, 3), mutation.length * 100, 'mutations');
});

t.test(
  'of one text no more combinations of conditions are compiled than the limit, and none for variables that do not fit',
  async (t) => {
    const text =
      'query ($x: Boolean!, $y: Boolean!, $z: Boolean!) { a @include(if: $x) b @skip(if: $y) c: a @skip(if: $z) }';
    const programs = new Programs(schema, { bytesMax: 10 * bytesMax });
    const program = programs.create({ text, operation: '' });
    const ask = async (variables: object): Promise<string> =>
      JSON.stringify(await program.run(context, { ...variables }));
    const document = parse(text);
    const [no, yes] = [false, true];
    for (const variables of [
      { x: 'yes', y: no, z: no },
      { x: 1, y: no, z: no },
      { x: no, y: no },
      { x: null, y: no, z: no },
    ])
      for (let use = 1; use <= 3; use += 1) {
        t.equal(await ask(variables), JSON.stringify(execute({ schema, document, variableValues: variables })));
        t.equal(programs.bytes, text.length * 100);
      }
    for (const x of [yes, no])
      for (const y of [yes, no])
        for (const z of [yes, no])
          t.equal(
            Object.keys((await program.run(context, { x, y, z })).data!).length,
            Number(x) + Number(!y) + Number(!z),
          );
    const byDefault = 'query ($x: Boolean = true) { a @include(if: $x) }';
    const defaulted = new Programs(schema, { bytesMax });
    const other = defaulted.create({ text: byDefault, operation: '' });
    for (let use = 1; use <= 2; use += 1) t.match(await other.run(context, {}), { data: { a: null } });
    t.ok(defaulted.bytes > byDefault.length * 100, 'a condition is what it is by default');
    // Three variables are as long as one field more.
    const [fields, ofVariables] = [3 + 2 + 2 + 1, 4];
    t.equal(programs.bytes, text.length * 100 + (4 * ofVariables + fields) * 6000);
    const ofTwo = text.length * 100 + (1 + 2 + 2 * ofVariables) * 6000;
    const small = new Programs(schema, { bytesMax: 8 * (ofTwo + 1000) });
    const bounded = small.create({ text, operation: '' });
    for (const x of [yes, yes, no]) for (const y of [yes, no]) await bounded.run(context, { x, y, z: yes });
    t.equal(small.bytes, ofTwo, 'nor more than have their share of the memory');
  },
);

t.test('what nobody waits for any more has no answer, whatever its fields told', async (t) => {
  const program = new Programs(schema, { bytesMax }).create({ text: '{ a }', operation: '' });
  const ended = { ...context, request: { signal: AbortSignal.abort() } } as QueryContext;
  for (let use = 1; use <= 2; use += 1) await t.rejects(program.run(ended, {}), new RequestEnded());
  t.match(await program.run(context, {}), { data: { a: null } });
});

t.test('a value that must not be null and is one is a fault on both executors', async (t) => {
  const strict = buildSchema('type Query { a: Int! }');
  strict.getQueryType()!.getFields()['a']!.resolve = () => null;
  const program = new Programs(strict, { bytesMax }).create({ text: '{ a }', operation: '' });
  for (let use = 1; use <= 3; use += 1) {
    const { data, errors } = await program.run(context, {});
    t.equal(data, null);
    t.ok(isFault(thrownOf(errors![0]!)), `run ${use}`);
  }
});

t.test('a variable is what was sent, whatever its name', async (t) => {
  const echo = buildSchema('type Query { echo(value: Int): Int }');
  echo.getQueryType()!.getFields()['echo']!.resolve = (_, { value }: { value?: number }) => value;
  const programs = new Programs(echo, { bytesMax });
  for (const name of ['__proto__', 'constructor', 'toString']) {
    const text = `query ($${name}: Int) { echo(value: $${name}) }`;
    const program = programs.create({ text, operation: '' });
    for (const value of [1, 2, 3])
      t.equal((await program.run(context, JSON.parse(`{ "${name}": ${value} }`))).data!['echo'], value, name);
  }
});

t.test('variables that do not fit are told of alike each time, and no more than some', async (t) => {
  const lists = buildSchema('input One { a: Int } type Query { texts(of: [String!]): Int ones(of: [One]): Int }');
  const document = 'query ($texts: [String!], $ones: [One]) { texts(of: $texts) ones(of: $ones) }';
  const programs = new Programs(lists, { bytesMax });
  const program = programs.create({ text: document, operation: '' });
  for (const fitting of [{}, { texts: ['a'] }]) t.match(await program.run(context, fitting), { data: {} });
  t.ok(programs.bytes > document.length * 100, 'it is compiled');
  const wrong = [
    ...Array.from({ length: 10 }, () => 'x'.repeat(10_000)),
    ...Array.from({ length: 20_000 }, () => null),
  ];
  const cases: readonly Readonly<Record<string, unknown>>[] = [
    { texts: wrong },
    { texts: ['a', null] },
    { ones: [[]] },
    { ones: 7 },
    { texts: {} },
  ];
  for (const variables of cases) {
    const options = { maxCoercionErrors: 5 };
    const expected = execute({ schema: lists, document: parse(document), variableValues: variables, options });
    const answer = await program.run(context, variables);
    t.equal(JSON.stringify(answer), JSON.stringify(expected));
    t.ok(JSON.stringify(answer).length < 30_000);
  }
});

t.test('a field is told of itself, whatever paths are called', async (t) => {
  const nested = buildSchema('type Query { a: Query many: [Query] n: String }');
  for (const [name, field] of Object.entries(nested.getQueryType()!.getFields()))
    field.resolve = (_, __, ___, { fieldName, fieldNodes, path }) => {
      const told = `${fieldName} ${fieldNodes[0]!.name.value} ${String(path.key)}`;
      if (name === 'n') return told;
      if (!told.startsWith(`${name} ${name} `)) throw new Error(`It is told of ${told}`);
      return name === 'a' ? {} : [{}, {}];
    };
  for (const text of [
    '{ a { n b: a { n } } b_a: n a_b: n }',
    '{ a { b: a { n } } a_b: n }',
    '{ a { b: a { c: a { n } } } c_b_a: n }',
    '{ a { many { b: a { n } } } b_idx0_many_a: n b_idx1_many_a: n b_idx_many_a: n }',
    '{ b_a: a { c: n } a { c_b: n } }',
    '{ many { b: a { n } } many_idx0_b: n many_idx1_b: n }',
    '{ a { ...F } a_x_n: n } fragment F on Query { x: a { n } }',
    '{ a_b: a { c: a { n } } a: a { b_c: a { n } } c_a_b: n b_c_a: n }',
  ]) {
    const program = new Programs(nested, { bytesMax }).create({ text, operation: '' });
    const expected = JSON.stringify(execute({ schema: nested, document: parse(text) }));
    t.notMatch(expected, 'errors');
    for (let use = 1; use <= 3; use += 1) t.equal(JSON.stringify(await program.run(context, {})), expected, text);
  }
  for (const text of [
    '{ N: n M: n a { N: n } }',
    '{ n_en: n n_de: n a { n_en: n n_de: n } }',
    '{ __typename a { __typename n } a_n_x: n }',
  ]) {
    const programs = new Programs(nested, { bytesMax });
    const program = programs.create({ text, operation: '' });
    for (let use = 1; use <= 2; use += 1) await program.run(context, {});
    t.ok(programs.bytes > text.length * 100, `${text} is compiled`);
  }
});

/** What the compiler marks values with that JSON does not have; behind one of them it writes code. */
const marks = [
  ...readFileSync(
    fileURLToPath(import.meta.resolve('graphql-jit')).replace(/index\.(m?js)$/, 'execution.$1'),
    'utf8',
  ).matchAll(/const MAGIC_\w+ = "(.*)";/g),
].map(([, mark]) => mark!);

t.test('a literal is never taken for code', async (t) => {
  t.equal(marks.length, 4);
  const echo = buildSchema('scalar Json type Query { text(value: String): String any(value: Json): Json }');
  for (const field of Object.values(echo.getQueryType()!.getFields()))
    field.resolve = (_, { value }: { value?: unknown }) => JSON.stringify(value);
  const programs = new Programs(echo, { bytesMax: 100 * bytesMax });
  const answerTo = async (text: string): Promise<void> => {
    const program = programs.create({ text, operation: '' });
    const expected = JSON.stringify(execute({ schema: echo, document: parse(text) }));
    for (let use = 1; use <= 3; use += 1) t.equal(JSON.stringify(await program.run(context, {})), expected, text);
  };
  for (const mark of marks) {
    const code = `${mark}(()=>{throw new Error('It was run.')})()`;
    const escaped = `\\u005f${mark.slice(1)}0`;
    for (const literal of [`"${mark}"`, `"${mark}0"`, `"${code}"`, `"""${code}"""`, `"${escaped}"`]) {
      await answerTo(`{ text(value: ${literal}) }`);
      await answerTo(`{ any(value: { a: [${literal}] }) }`);
    }
    await answerTo(`{ any(value: ${mark}) }`);
    await answerTo(`{ any(value: { ${mark}: 1 }) }`);
    await answerTo(`{ any(value: { a: ${mark}process }) }`);
  }
});

t.test('so is a member of an answer', async (t) => {
  const programs = new Programs(schema, { bytesMax });
  for (const field of ['__typename', 'a']) {
    const text = `{ b __proto__: ${field} constructor: a toString: __typename }`;
    const program = programs.create({ text, operation: '' });
    const expected = JSON.stringify(execute({ schema, document: parse(text) }));
    for (let use = 1; use <= 3; use += 1) t.equal(JSON.stringify(await program.run(context, {})), expected);
  }
});

/** Things in things, as deep as that. */
function thing(depth: number, isOfA = true): object {
  const next = depth === 0 ? [] : [thing(depth - 1, !isOfA), thing(depth - 1, isOfA)];
  return { __typename: isOfA ? 'A' : 'B', name: `${depth}`, a: depth, b: -depth, one: next[0], many: next };
}

const things = buildSchema(`
  interface Thing { name: String! one: Thing many: [Thing!]! }
  type A implements Thing { name: String! one: Thing many: [Thing!]! a: Int! }
  type B implements Thing { name: String! one: Thing many: [Thing!]! b: Int! }
  type Query { thing: Thing! }
`);
for (const type of Object.values(things.getTypeMap()))
  if (isObjectType(type) && !type.name.startsWith('__'))
    for (const field of Object.values(type.getFields()))
      // The compiler does not call properties, so every field has a resolver, as those of the platform have.
      field.resolve = (parent?: Record<string, unknown>) => (parent === undefined ? thing(4) : parent[field.name]);

interface Selected {
  readonly kind: string;
  readonly condition: string;
  readonly below: readonly Selected[];
}

/** Of fragments no more than the later ones are spread, so that none spreads itself. */
function printed(selected: readonly Selected[], later: readonly string[]): string {
  const each = selected.flatMap(({ kind, condition, below }) => {
    const isOfFragment = ['...F', '...G', '...H'].includes(kind);
    if (isOfFragment && !later.includes(kind.slice(3))) return [];
    const isLeaf = !kind.endsWith('{');
    return [isLeaf ? `${kind} ${condition}` : kind.replace('{', `${condition} ${printed(below, later)}`)];
  });
  return `{ ${each.length === 0 ? '__typename' : each.join(' ')} }`;
}

t.test(
  'compiled code selects what graphql-js does, whatever is skipped and wherever fragments are spread',
  async (t) => {
    const leaves = ['__typename', 'name', 'again: name', '...F', '...G', '...H'];
    const holders = ['one{', 'more: one{', 'many{', '...{', '... on Thing{', '... on A{', '... on B{'];
    const conditions = ['@include(if: $x)', '@skip(if: $x)', '@include(if: $y)', '@skip(if: $y) @include(if: $x)'];
    conditions.push('', '', '', '@include(if: true)', '@include(if: false)', '@skip(if: $z)');
    const condition = fc.constantFrom(...conditions);
    const selectionsOf = (depth: number): fc.Arbitrary<readonly Selected[]> => {
      const leaf = fc.record({ kind: fc.constantFrom(...leaves), condition, below: fc.constant([]) });
      if (depth === 0) return fc.array(leaf, { maxLength: 3 });
      const holder = fc.record({ kind: fc.constantFrom(...holders), condition, below: selectionsOf(depth - 1) });
      return fc.array(fc.oneof(leaf, holder), { minLength: 1, maxLength: 4 });
    };
    const selections = selectionsOf(3);
    const texts = fc
      .tuple(selections, selections, selections, selections)
      .map(([query, ...fragments]) => {
        const names = ['F', 'G', 'H'];
        const types = ['Thing', 'A', 'Thing'];
        const definitions = fragments.map(
          (fragment, index) =>
            `fragment ${names[index]!} on ${types[index]!} ${printed(fragment, names.slice(index + 1))}`,
        );
        // All of them are used.
        const all =
          '{ ...F ...G ...H name @skip(if: $x) again: name @skip(if: $y) more: one @include(if: $z) { name } }';
        const variables = '$x: Boolean!, $y: Boolean = true, $z: Boolean!';
        const operation = `query (${variables}) { all: thing ${all} thing ${printed(query, names)} }`;
        return [operation, ...definitions].join('\n');
      })
      .filter((text) => validate(things, parse(text)).length === 0);
    let severalForms = 0;
    const runs = fc.asyncProperty(
      texts,
      fc.array(fc.tuple(fc.boolean(), fc.option(fc.boolean()), fc.boolean()), { minLength: 3, maxLength: 8 }),
      async (text, given) => {
        const programs = new Programs(things, { bytesMax: 50 * bytesMax });
        const program = programs.create({ text, operation: '' });
        for (const [x, y, z] of given) {
          const variables = { x, z, ...(y !== null && { y }) };
          const expected = execute({ schema: things, document: parse(text), variableValues: variables });
          t.equal(JSON.stringify(await program.run(context, variables)), JSON.stringify(expected));
        }
        if (programs.bytes > text.length * 700) severalForms += 1;
      },
    );
    await fc.assert(runs, { numRuns: 300 });
    t.ok(severalForms > 100, `${severalForms} had several forms`);
  },
);
