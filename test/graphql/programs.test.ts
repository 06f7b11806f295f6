import { buildSchema } from 'graphql';
import t from 'tap';
import { AnswerSize } from '../../src/graphql/answer-size.ts';
import { Programs } from '../../src/graphql/programs.ts';
import type { QueryContext } from '../../src/graphql/resolvers.ts';

const schema = buildSchema('type Query { a: Int b(at: Int = 1): Int }');
// Resolvers of this schema ask for nothing of it.
const context = { size: new AnswerSize() } as QueryContext;
const bytesMax = 2_000_000;

function textOf(number: number): string {
  const fields = Array.from({ length: 100 }, (_, index) => `f${index}:a`).join(' ');
  return `{n${number}:a ${fields}}`;
}

t.test('what texts have become is bounded, and made anew where it was let go', async (t) => {
  const programs = new Programs(schema, { bytesMax });
  const all = Array.from({ length: 50 }, (_, number) =>
    programs.create({ text: textOf(number), operation: '', isCompilable: true }),
  );
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
  const bytesOf = async (text: string, runs: number, isCompilable = true): Promise<number> => {
    const programs = new Programs(schema, { bytesMax });
    const program = programs.create({ text, operation: '', isCompilable });
    for (let run = 0; run < runs; run += 1) await program.run(context, {});
    return programs.bytes;
  };
  const text = textOf(1)
    .slice(0, 200)
    .replace(/ \w*:?\w*$/, '}');
  t.equal(await bytesOf(text, 1), text.length * 100, 'a document');
  t.equal(await bytesOf(text, 2), text.length * 700, 'with its code');
  t.equal(await bytesOf(text, 2, false), text.length * 100);
  const long = textOf(2);
  t.ok(long.length * 700 > bytesMax / 8);
  t.equal(await bytesOf(long, 3), long.length * 100);
});

t.test('a variable whose type holds values of its own type is not compiled', async (t) => {
  const nested = buildSchema('input Q { all: [Q!] a: String } type Query { f(q: Q): Int }');
  const programs = new Programs(nested, { bytesMax });
  const text = 'query($q: Q) { f(q: $q) }';
  const program = programs.create({ text, operation: '', isCompilable: true });
  for (const q of [{ a: 'x' }, { all: [{ a: 'y' }] }, null]) {
    const { data, errors } = await program.run(context, { q });
    t.equal(errors, undefined);
    t.match(data, { f: null });
    t.equal(programs.bytes, text.length * 100, 'it takes what a document takes');
  }
});
