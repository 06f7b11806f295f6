/** Answers that are made in turns: the same as at once, in pieces of few values, on both executors. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { execute, type ExecutionResult, GraphQLObjectType, GraphQLSchema, parse } from 'graphql';
import { compileQuery, isCompiledQuery } from 'graphql-jit';
import t from 'tap';
import { RequestEnded } from '../../src/engine/context.ts';
import type { OutputField } from '../../src/fields/field.ts';
import { AnswerSize } from '../../src/graphql/answer-size.ts';
import { thrownOf } from '../../src/graphql/list-turns.ts';
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

const registry = new TypeRegistry(new Map());
registry.declare([
  { type: 'object', object: { name: 'Leaf', fields: [field('name', 'String!', (parent) => parent['name'])] } },
  {
    type: 'object',
    object: {
      name: 'Branch',
      fields: [
        field('leaves', '[Leaf!]!', (parent) => parent['leaves']),
        field('name', 'String!', (parent) => parent['name']),
        field('failing', 'String', () => {
          throw new Error('It fails.');
        }),
        { ...field('picked', 'String', () => 'picked'), args: { names: '[String!]' }, goesThrough: () => 1 },
      ],
    },
  },
]);
const schema = new GraphQLSchema({
  query: new GraphQLObjectType({
    name: 'Query',
    fields: () => registry.fields('Query', [field('branches', '[Branch!]!', (parent) => parent['branches'])]),
  }),
  types: [...registry.all],
});

const tree = (branches: number, leaves: number): object => ({
  branches: Array.from({ length: branches }, (_, branch) => ({
    name: `branch ${branch}`,
    leaves: Array.from({ length: leaves }, (_, leaf) => ({ name: `leaf ${leaf} of ${branch}` })),
  })),
});

interface Run {
  readonly result: ExecutionResult;
  readonly size: AnswerSize;
  readonly mostReads: number;
  readonly allReads: number;
  readonly turns: number;
}

type Executor = (text: string, root: object, context: object) => Promise<ExecutionResult>;

const executors: Readonly<Record<string, Executor>> = {
  'graphql-js': async (text, rootValue, contextValue) =>
    execute({ schema, document: parse(text), rootValue, contextValue }),
  'compiled code': async (text, root, context) => {
    const compiled = compileQuery(schema, parse(text));
    if (!isCompiledQuery(compiled)) throw new Error('It was not compiled');
    return compiled.query(root, context, {});
  },
};

async function run(
  executor: Executor,
  text: string,
  root: object,
  { size = new AnswerSize(), turnsMax = Infinity }: { readonly size?: AnswerSize; readonly turnsMax?: number } = {},
): Promise<Run> {
  Object.assign(reads, { now: 0, most: 0, all: 0 });
  let turns = 0;
  const context: Pick<QueryContext, 'size' | 'turn'> = {
    size,
    turn: async () => {
      turns += 1;
      await nextTurn();
      reads.now = 0;
      if (turns > turnsMax) throw new RequestEnded();
    },
  };
  const result = await executor(text, root, context);
  return { result, size, mostReads: reads.most, allReads: reads.all, turns };
}

const names = (count: number, name = 'name'): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${name}`).join(' ');

/** What is made in one turn, with some to spare for what was begun. */
const readsOfTurn = 45_000;

for (const [name, executor] of Object.entries(executors)) {
  t.test(`${name}: others have turns in between`, async (t) => {
    const cases: readonly (readonly [what: string, text: string, root: object, values: number])[] = [
      ['a long list of many values each', `{ branches { ${names(50)} } }`, tree(10_000, 0), 500_000],
      ['many lists of few', `{ branches { ${names(22, 'leaves { name }')} } }`, tree(100, 200), 440_000],
      ['lists in a list of few', `{ branches { ${names(2, `leaves { ${names(100)} }`)} } }`, tree(10, 300), 600_000],
    ];
    for (const [what, text, root, values] of cases) {
      const { result, allReads, mostReads, size } = await run(executor, text, root);
      t.equal(result.errors, undefined);
      t.ok(allReads >= values && mostReads < readsOfTurn, `${what}: ${allReads} values, ${mostReads} in a turn`);
      t.notOk(size.isTooLarge);
    }
  });

  t.test(`${name}: they have, too, while lists are made of which nothing is read`, async (t) => {
    const text = `{ branches { ${names(20, 'leaves { __typename }')} } }`;
    const { turns } = await run(executor, text, tree(100, 100));
    t.ok(turns > 10, `${turns} turns for 200,000 elements`);
  });

  t.test(`${name}: what is made in turns is the same as what is made at once`, async (t) => {
    const text = '{ branches { name leaves { name } again: leaves { name } } }';
    const one = (index: number): unknown => (tree(300, 60) as { branches: readonly unknown[] }).branches[index];
    const { result, turns } = await run(executor, text, tree(300, 60));
    t.ok(turns > 1);
    const { branches } = result.data as { branches: readonly unknown[] };
    t.equal(branches.length, 300);
    for (const index of [0, 150, 299]) {
      const alone = await run(executor, text, { branches: [one(index)] });
      t.equal(alone.turns, 0, 'a small one waits for none');
      t.same(branches[index], (alone.result.data as { branches: readonly unknown[] }).branches[0]);
    }
  });

  t.test(`${name}: a list is not begun for which there is no room`, async (t) => {
    const { size, allReads, result } = await run(executor, `{ branches { ${names(101)} } }`, tree(10_000, 0));
    t.ok(size.isTooLarge);
    t.same(result.data, { branches: [] });
    t.equal(allReads, 1);
    const literals = `{ branches { picked(names: [${'"a" '.repeat(101)}]) } }`;
    t.ok((await run(executor, literals, tree(10_000, 0))).size.isTooLarge, 'literals are read for each element');
  });

  t.test(`${name}: fields that fail take room, and no more fail when there is none`, async (t) => {
    const few = await run(executor, `{ branches { ${names(10, 'failing')} } }`, tree(900, 0));
    t.notOk(few.size.isTooLarge);
    t.equal(few.result.errors!.length, 9000);
    t.ok(few.turns > 30, `${few.turns} turns`);
    const many = await run(executor, `{ branches { ${names(10, 'failing')} } }`, tree(3000, 0));
    t.ok(many.size.isTooLarge);
    t.ok(many.result.errors!.length < 11_000, `${many.result.errors!.length} errors`);
  });

  t.test(`${name}: it ends when nobody waits for it any more`, async (t) => {
    const { result } = await run(executor, `{ branches { ${names(50)} } }`, tree(10_000, 0), { turnsMax: 3 });
    t.ok(result.errors!.some((error) => thrownOf(error) instanceof RequestEnded));
  });

  t.test(`${name}: parts of one answer share their room and their turns`, async (t) => {
    const whole = new AnswerSize();
    const text = `{ branches { ${names(50)} } }`;
    const parts = await Promise.all(
      Array.from({ length: 3 }, () => run(executor, text, tree(8000, 0), { size: whole.part() })),
    );
    t.ok(whole.isTooLarge, 'three of 400,000 values');
    t.ok(parts[2]!.mostReads < readsOfTurn, `${parts[2]!.mostReads} in a turn`);
  });
}

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
