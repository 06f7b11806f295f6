import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { documentOf } from '../../src/engine/json.ts';
import { BatchedReads } from '../../src/storage/batched-reads.ts';
import type { Sql } from '../../src/storage/connection.ts';
import { createDatabase, insertEmptyProject } from '../support/services.ts';

async function filled(t: Test, count: number) {
  const { sql, database } = await createDatabase(t);
  await insertEmptyProject(database, 'one');
  await insertEmptyProject(database, 'two');
  const ids = Array.from({ length: count }, () => randomUUID());
  for (const project of ['one', 'two']) {
    await sql`insert into documents (project, kind, id, key, version, data)
      select ${project}, 'zone', id, 'key-' || index, 1, jsonb_build_object('id', id, 'of', ${project}::text)
      from unnest(${ids}::uuid[]) with ordinality as made (id, index)`;
  }
  const statements: string[] = [];
  const counting = (sql: Sql): Sql =>
    new Proxy(sql, {
      get: (target, name, receiver) =>
        name === 'unsafe'
          ? (text: string, ...others: [never, never]) => {
              statements.push(text);
              return target.unsafe(text, ...others);
            }
          : (Reflect.get(target, name, receiver) as unknown),
    });
  const reads = new BatchedReads({ read: (statement) => database.read((sql) => statement(counting(sql))) });
  return { reads, ids, statements, sql };
}

t.test('all that is asked in one tick is one statement for each kind, project and sort of name', async (t) => {
  const { reads, ids, statements } = await filled(t, 3);
  const [first, second] = ids as [string, string];
  const answers = await Promise.all([
    reads.find('one', [
      { kind: 'zone', id: first },
      { kind: 'zone', key: 'key-2' },
    ]),
    reads.find('one', [{ kind: 'zone', id: second.toUpperCase() }]),
    reads.find('one', [{ kind: 'zone', id: first }]),
    reads.find('two', [{ kind: 'zone', id: first }]),
    reads.find('one', [{ kind: 'state', id: first }]),
    reads.find('one', []),
  ]);
  t.equal(statements.length, 4);
  t.strictSame(
    answers.map((found) => found.map((stored) => stored && [stored.id, documentOf<{ of: string }>(stored.json).of])),
    [
      [
        [first, 'one'],
        [second, 'one'],
      ],
      [[second, 'one']],
      [[first, 'one']],
      [[first, 'two']],
      [undefined],
      [],
    ],
  );
});

t.test('names that nothing can have are found by nobody, and leave the others of their tick alone', async (t) => {
  const { reads, ids } = await filled(t, 1);
  const [none, one] = await Promise.all([
    reads.find('one', [
      { kind: 'zone', id: 'no-uuid' },
      { kind: 'zone', key: 'a\0b' },
      { kind: 'zone', key: '{"\\}' },
    ]),
    reads.find('one', [{ kind: 'zone', key: 'key-1' }]),
  ]);
  t.strictSame(none, [undefined, undefined, undefined]);
  t.equal(one[0]?.id, ids[0]);
});

t.test('more than one statement holds are read in several', async (t) => {
  const { reads, ids, statements } = await filled(t, 1100);
  const found = await reads.find(
    'one',
    ids.map((id) => ({ kind: 'zone', id })),
  );
  t.strictSame(
    found.map((stored) => stored?.id),
    ids,
  );
  t.equal(statements.length, 3);
});

t.test('a statement that fails rejects those who asked, and nobody else', async (t) => {
  const { reads, sql } = await filled(t, 1);
  await sql`alter table documents rename to gone`;
  const lookups = [
    { kind: 'zone', id: randomUUID() },
    { kind: 'zone', key: 'key-1' },
  ];
  const [both, nothing] = await Promise.allSettled([reads.find('one', lookups), reads.find('one', [])]);
  t.equal(both.status, 'rejected');
  t.equal(nothing.status, 'fulfilled');
});
