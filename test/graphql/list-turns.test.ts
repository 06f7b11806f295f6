/** Answers that are made in turns: the same as at once, in pieces of few values, on both executors. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { execute, type ExecutionResult, GraphQLObjectType, GraphQLSchema, parse } from 'graphql';
import t from 'tap';
import { RequestEnded } from '../../src/engine/context.ts';
import type { OutputField } from '../../src/fields/field.ts';
import { AnswerSize } from '../../src/graphql/answer-size.ts';
import { measureFields } from '../../src/graphql/measured-fields.ts';
import { thrownOf } from '../../src/graphql/execution-errors.ts';
import { pageType } from '../../src/graphql/pages.ts';
import { type Program, Programs } from '../../src/graphql/programs.ts';
import { TypeRegistry } from '../../src/graphql/output-types.ts';
import { oneByOne, type QueryContext } from '../../src/graphql/resolvers.ts';

/** Reads in this turn of the event loop, and the most in one. */
const reads = { now: 0, most: 0, all: 0 };

function read(): void {
  reads.now += 1;
  reads.all += 1;
  reads.most = Math.max(reads.most, reads.now);
}

const field = (
  name: string,
  type: string,
  value: (parent: Readonly<Record<string, unknown>>) => unknown,
): OutputField => ({
  name,
  type,
  complexity: 1,
  read: (parent) => {
    read();
    return value(parent);
  },
});

const name = field('name', 'String!', (parent) => parent['name']);

const tags = ['x'.repeat(400), 'y'.repeat(600)];
const anything = { of: { any: ['form', 'x'.repeat(1000)] } };

const registry = new TypeRegistry(new Map());
registry.declare([
  {
    type: 'interface',
    name: 'Piece',
    fields: [field('kind', 'String!', (parent) => parent['kind'])],
    members: {
      small: { name: 'SmallPiece', fields: [field('kind', 'String!', (parent) => parent['kind'])] },
      large: { name: 'LargePiece', fields: [field('kind', 'String!', (parent) => parent['kind'])] },
    },
    formOf: ({ kind }) => String(kind),
  },
  { type: 'object', object: { name: 'Part', fields: [name] } },
  { type: 'object', object: { name: 'Leaf', fields: [name, field('parts', '[Part!]!', (parent) => parent['parts'])] } },
  {
    type: 'object',
    object: {
      name: 'Branch',
      fields: [
        field('leaves', '[Leaf!]!', (parent) => parent['leaves']),
        name,
        field('absent', 'Branch', () => null),
        field('piece', 'Piece!', () => ({ kind: 'small' })),
        field('pieces', '[Piece!]!', () => [{ kind: 'small' }]),
        field('escaped', 'String!', () => '\u0001'.repeat(100)),
        field('tags', '[String!]!', () => tags),
        field('any', 'Json!', () => anything),
        field('self', 'Branch!', (parent) => parent),
        field('failing', 'String', () => {
          throw new Error('It fails.');
        }),
        {
          ...field('rejecting', 'String', () => undefined),
          looksUp: async () => {
            read();
            throw new Error('It fails.');
          },
        },
        { ...field('picked', 'String', () => 'picked'), args: { names: '[String!]' }, goesThrough: () => 1 },
      ],
    },
  },
]);
let root: Root = { branches: [] };
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: () => registry.fields('Query', [field('branches', '[Branch!]!', () => root.branches)]),
  }),
  types: [...registry.all],
});
measureFields(schema);

interface Root {
  readonly branches: readonly object[];
}

const tree = (branches: number, leaves: number): Root => ({
  branches: Array.from({ length: branches }, (_, branch) => ({
    name: `branch ${branch}`,
    leaves: Array.from({ length: leaves }, (_, leaf) => ({ name: `leaf ${leaf} of ${branch}` })),
  })),
});

/** Lists of few in lists of few. */
const bush = (count: number): Root => {
  const some = <T>(value: T): readonly T[] => Array.from({ length: count }, () => value);
  return { branches: some({ name: 'branch', leaves: some({ name: 'leaf', parts: some({ name: 'part' }) }) }) };
};

interface Run {
  readonly result: ExecutionResult;
  readonly size: AnswerSize;
  readonly mostReads: number;
  readonly allReads: number;
  readonly turns: number;
}

interface Given {
  readonly size: AnswerSize;
  readonly turnsMax: number;
  readonly variables: Readonly<Record<string, unknown>>;
}

const programs = new Programs(schema, { bytesMax: 1_000_000_000 });

/** What runs a text: on graphql-js, where each run is the first, or as compiled code. */
async function programOf(text: string, isCompiled: boolean, variables = {}): Promise<Program> {
  const create = (): Program => programs.create({ text, operation: '' });
  if (!isCompiled) return { run: (context, given) => create().run(context, given) };
  const program = create();
  for (let time = 0; time < 2; time += 1) {
    const before = programs.bytes;
    await run(program, { branches: [] }, { variables });
    if (time === 1 && programs.bytes === before) throw new Error(`It is not compiled: ${text.slice(0, 100)}`);
  }
  return program;
}

async function run(
  program: Program,
  ofRoot: Root,
  { size = new AnswerSize(), turnsMax = Infinity, variables = {} }: Partial<Given> = {},
): Promise<Run> {
  Object.assign(reads, { now: 0, most: 0, all: 0 });
  let turns = 0;
  const context = {
    size,
    request: {},
    turn: async () => {
      turns += 1;
      await nextTurn();
      reads.now = 0;
      if (turns > turnsMax) throw new RequestEnded();
    },
  };
  root = ofRoot;
  // A test that goes through the fields of the root needs no more of a context.
  const result = await program.run(context as QueryContext, variables);
  return { result, size, mostReads: reads.most, allReads: reads.all, turns };
}

const names = (count: number, name = 'name', prefix = 'a'): string =>
  Array.from({ length: count }, (_, index) => `${prefix}${index}: ${name}`).join(' ');

/** What is made in one turn, with some to spare for what was begun. */
const readsOfTurn = 45_000;

for (const [name, isCompiled] of [
  ['graphql-js', false],
  ['compiled code', true],
] as const) {
  t.test(`${name}: others have turns in between`, async (t) => {
    const cases: readonly (readonly [what: string, text: string, root: Root, values: number])[] = [
      ['a long list of many values each', `{ branches { ${names(50)} } }`, tree(10_000, 0), 500_000],
      ['many lists of few', `{ branches { ${names(22, 'leaves { name }')} } }`, tree(100, 200), 440_000],
      ['short lists in short lists', `{ branches { ${names(30, 'leaves { parts { name } }')} } }`, bush(24), 400_000],
      ['lists in a list of few', `{ branches { ${names(2, `leaves { ${names(100)} }`)} } }`, tree(10, 300), 600_000],
    ];
    for (const [what, text, root, values] of cases) {
      const { result, allReads, mostReads, size } = await run(await programOf(text, isCompiled), root);
      t.equal(result.errors, undefined);
      t.ok(allReads >= values && mostReads < readsOfTurn, `${what}: ${allReads} values, ${mostReads} in a turn`);
      t.notOk(size.isOver);
    }
  });

  t.test(`${name}: a long list begins in a turn, a short one at once`, async (t) => {
    const program = await programOf(`{ branches { ${names(60)} } }`, isCompiled);
    t.equal((await run(program, tree(100, 0))).turns, 1);
    t.equal((await run(program, tree(80, 0))).turns, 0);
  });

  t.test(`${name}: what is skipped is not expected`, async (t) => {
    const text = `query ($with: Boolean!) { branches { name } ...More @include(if: $with) }
      fragment More on Query { branches { ${names(110)} } }`;
    const program = await programOf(text, isCompiled, { with: false });
    const { result, size } = await run(program, tree(10_000, 0), { variables: { with: false } });
    t.notOk(size.isOver);
    t.equal((result.data as unknown as Root).branches.length, 10_000);
  });

  t.test(`${name}: they have, too, while lists are made of which nothing is read`, async (t) => {
    const lists = await programOf(`{ branches { ${names(20, 'leaves { __typename }')} } }`, isCompiled);
    const { turns } = await run(lists, tree(100, 100));
    t.ok(turns > 8, `${turns} turns for 200,000 elements`);
    const long = await run(await programOf('{ branches { __typename } }', isCompiled), tree(100_000, 0));
    t.ok(long.turns > 4, `${long.turns} turns for 100,000`);
  });

  t.test(`${name}: what is made in turns is the same as what is made at once`, async (t) => {
    const text = '{ branches { name leaves { name } again: leaves { name } } }';
    const one = (index: number): object => tree(300, 60).branches[index]!;
    const { result, turns } = await run(await programOf(text, isCompiled), tree(300, 60));
    t.ok(turns > 1);
    const { branches } = result.data as { branches: readonly unknown[] };
    t.equal(branches.length, 300);
    for (const index of [0, 150, 299]) {
      const alone = await run(await programOf(text, isCompiled), { branches: [one(index)] });
      t.equal(alone.turns, 0, 'a small one waits for none');
      t.same(branches[index], (alone.result.data as { branches: readonly unknown[] }).branches[0]);
    }
  });

  t.test(`${name}: a list is not begun for which there is no room`, async (t) => {
    const { size, allReads } = await run(
      await programOf(`{ branches { ${names(101)} } }`, isCompiled),
      tree(10_000, 0),
    );
    t.ok(size.isOver);
    t.equal(allReads, 1);
    const literals = `{ branches { picked(names: [${'"a" '.repeat(101)}]) } }`;
    const ofLiterals = await run(await programOf(literals, isCompiled), tree(10_000, 0));
    t.notOk(ofLiterals.size.isOver);
    t.ok(ofLiterals.turns > 40, 'literals are read for each element');
  });

  t.test(`${name}: fields that fail take room, and nothing more is made when there is none`, async (t) => {
    for (const failing of ['failing', 'rejecting']) {
      const program = await programOf(`{ branches { ${names(10, failing)} } }`, isCompiled);
      const few = await run(program, tree(900, 0));
      t.notOk(few.size.isOver);
      t.equal(few.result.errors!.length, 9000);
      t.ok(few.turns > 30 && few.turns < 200, `${few.turns} turns`);
      const many = await run(program, tree(3000, 0));
      t.ok(many.size.isOver);
      const { allReads } = many;
      t.ok(allReads > 9000 && allReads < 12_000, `${allReads} have failed`);
      for (let turn = 0; turn < 10; turn += 1) await nextTurn();
      t.equal(reads.all, allReads, 'it was broken off');
    }
  });

  t.test(`${name}: what a mutation shows is made to its end`, async (t) => {
    const program = await programOf(`{ branches { ${names(10, 'failing')} } }`, isCompiled);
    const { result, size, turns } = await run(program, tree(3000, 0), { size: new AnswerSize({ canBreakOff: false }) });
    t.ok(size.isOver);
    t.equal((result.data as unknown as Root).branches.length, 3000);
    t.ok(turns > 40, `${turns} turns`);
  });

  t.test(`${name}: it ends when nobody waits for it any more`, async (t) => {
    const cases: readonly (readonly [text: string, root: Root])[] = [
      [`{ branches { ${names(50)} } }`, tree(10_000, 0)],
      [`{ branches { ${names(22, 'leaves { name }')} } }`, tree(100, 200)],
      [`{ branches { ${names(22, 'leaves { again: name name }')} } }`, tree(100, 130)],
    ];
    for (const [text, root] of cases)
      for (const canBreakOff of [true, false])
        for (const turnsMax of [0, 1, 3]) {
          const { result, allReads } = await run(await programOf(text, isCompiled), root, {
            turnsMax,
            size: new AnswerSize({ canBreakOff }),
          });
          t.ok(result.errors!.some((error) => thrownOf(error) instanceof RequestEnded));
          const most = (turnsMax + 1) * readsOfTurn;
          for (let turn = 0; turn < 20; turn += 1) await nextTurn();
          t.ok(
            allReads <= most && reads.all <= most,
            `${reads.all} values, ${turnsMax} turns, of ${text.slice(0, 40)}`,
          );
        }
  });

  t.test(`${name}: what may be absent does not count before it is made`, async (t) => {
    const absent = `{ branches { ${names(100, 'absent { name again: name }')} } }`;
    const { result, size } = await run(await programOf(absent, isCompiled), tree(9000, 0));
    t.notOk(size.isOver, 'it has 900,000 values, and could have three times as many');
    t.equal((result.data as unknown as Root).branches.length, 9000);
    const tooMany = await run(await programOf(absent, isCompiled), tree(10_001, 0));
    t.equal(tooMany.allReads, 1, 'not begun');
    const rich = `{ branches { ${names(80, `absent { ${names(80, 'absent { name }')} }`)} } }`;
    // What has so much is not compiled.
    const few = await run(await programOf(rich, false), tree(10, 0));
    t.equal((few.result.data as unknown as Root).branches.length, 10, 'more than can be looked at');
    t.notOk(few.size.isOver);
  });

  t.test(`${name}: names and types of objects count as well`, async (t) => {
    const long = 'x'.repeat(500);
    const inPieces = (type: string): string =>
      names(
        2,
        `piece { ... on ${type} { ${names(60, '__typename')} } } p${names(1, `pieces { ... on ${type} { ${names(60, '__typename')} } }`)}`,
      );
    const cases: readonly (readonly [what: string, selection: string, root: Root, isOver: boolean])[] = [
      ['9,000,000 characters of names', `branches { ${long}: name ${long}1: name }`, tree(9000, 0), false],
      ['18,000,000', `branches { ${long}: name ${long}1: name }`, tree(18_000, 0), true],
      ['the same of what is absent', `branches { ${names(36, `absent { ${long}: name }`)} }`, tree(900, 0), false],
      ['their own names', `branches { ${names(40, 'absent { name }', long)} }`, tree(900, 0), true],
      ['900,000 types', `branches { ${names(100, '__typename')} }`, tree(8900, 0), false],
      ['1,100,000', `branches { ${names(100, '__typename')} }`, tree(11_000, 0), true],
      ['of objects in objects', `branches { ${names(100, 'self { __typename }')} }`, tree(5500, 0), true],
      ['8,000,000 characters of lists', `branches { ${names(2, 'tags')} }`, tree(4000, 0), false],
      ['20,000,000', `branches { ${names(5, 'tags')} }`, tree(4000, 0), true],
      ['12,000,000 of values of any form', `branches { ${names(3, 'any')} }`, tree(4000, 0), false],
      ['20,000,000', `branches { ${names(5, 'any')} }`, tree(4000, 0), true],
      ['of another type', `branches { ${inPieces('LargePiece')} }`, tree(6000, 0), false],
      ['of the one that it is', `branches { ${inPieces('SmallPiece')} }`, tree(6000, 0), true],
      ['12,000,000 bytes of escapes', `branches { ${names(5, 'escaped')} }`, tree(4000, 0), false],
      ['24,000,000', `branches { ${names(10, 'escaped')} }`, tree(4000, 0), true],
      ['with long names', `branches { ${long}: __typename ${long}1: __typename }`, tree(18_000, 0), true],
      [
        'of two of a fragment',
        `branches { ...F ...F } ...G } fragment F on Branch { ${long}: name } fragment G on Query { branches { ...F }`,
        tree(9000, 0),
        false,
      ],
    ];
    for (const [what, selection, ofRoot, isOver] of cases) {
      const { size, result } = await run(await programOf(`{ ${selection} }`, isCompiled), ofRoot);
      t.equal(size.isOver, isOver, what);
      if (!isOver) t.equal((result.data as unknown as Root).branches.length, ofRoot.branches.length);
    }
  });

  t.test(`${name}: parts of one answer share their room and their turns`, async (t) => {
    const whole = new AnswerSize();
    const program = await programOf(`{ branches { ${names(50)} } }`, isCompiled);
    const root = tree(8000, 0);
    const parts = await Promise.all(Array.from({ length: 3 }, () => run(program, root, { size: whole.part() })));
    t.ok(whole.isOver, 'three of 400,000 values');
    const ofNames = new AnswerSize();
    const named = await programOf(`{ branches { ${'x'.repeat(1000)}: name } }`, isCompiled);
    await Promise.all(Array.from({ length: 2 }, () => run(named, root, { size: ofNames.part() })));
    t.notOk(ofNames.isOver, '16,000,000 bytes');
    await run(named, root, { size: ofNames.part() });
    t.ok(ofNames.isOver);
    t.ok(parts[2]!.mostReads < readsOfTurn, `${parts[2]!.mostReads} in a turn`);
  });
}

t.test('what a page says beside its results counts', async (t) => {
  const types = new TypeRegistry(new Map());
  types.declare([{ type: 'object', object: { name: 'Thing', fields: [name] } }]);
  const found = { offset: 0, results: [{ name: 'one' }], countAll: async () => 7 };
  const page = pageType(types, 'Thing');
  const pages = new GraphQLSchema({
    query: new GraphQLObjectType({ name: 'Query', fields: { page: { type: page, resolve: () => found } } }),
  });
  measureFields(pages);
  const size = new AnswerSize();
  const document = parse('{ page { offset count total exists } }');
  const { data } = await execute({ schema: pages, document, contextValue: { size } });
  t.match(data, { page: { offset: 0, count: 1, total: 7, exists: true } });
  t.equal(size.values, 5);
});

t.test('of an answer that is over no text is measured any more', async (t) => {
  const texts = ['x'.repeat(2_000_000), 'y'.repeat(1_000_000)];
  const written = t.capture(JSON, 'stringify', JSON.stringify);
  for (const canBreakOff of [true, false]) {
    const size = new AnswerSize({ canBreakOff });
    for (let times = 0; times < 100; times += 1) {
      for (const text of texts) size.field(text);
      size.field([...texts]);
    }
    t.ok(size.isOver);
  }
  t.ok(written().length < 20, `${written().length} texts or lists were`);
});

t.test(
  'what says beforehand neither what it reads nor what it gives is done one by one, while there is room',
  async (t) => {
    const size = new AnswerSize();
    const inLine = oneByOne(size);
    let running = 0;
    const some = async (values: number): Promise<number> => {
      running += 1;
      t.equal(running, 1);
      await nextTurn();
      size.takesResources(values);
      running -= 1;
      return values;
    };
    const failing = async (): Promise<never> => {
      await nextTurn();
      throw new Error('It fails.');
    };
    const all = await Promise.allSettled([
      inLine(() => some(9000)),
      inLine(failing),
      inLine(() => some(2000)),
      inLine(() => some(1)),
    ]);
    t.strictSame(
      all.map((one) => (one.status === 'fulfilled' ? one.value : (one.reason as Error).message)),
      [9000, 'It fails.', 2000, 'The answer has no more room.'],
    );
  },
);
