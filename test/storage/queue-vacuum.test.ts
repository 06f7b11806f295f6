import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { takenMax } from '../../src/outbox/outbox.ts';
import { connect, plannedOnceSettings, type Sql } from '../../src/storage/connection.ts';
import { createNoticeQueue } from '../../src/storage/notices.ts';
import { createOutbox } from '../../src/storage/outbox.ts';
import { createQueueVacuum } from '../../src/storage/queue-vacuum.ts';
import { createDatabase, type TestDatabase } from '../support/services.ts';

/** Of so many the server would leave the index alone, for the removed ones are on few of the table's pages. */
const rows = 700_000;
const removed = 10_000;
const lease = { project: 'shop', topic: 'all', holder: randomUUID() };
const listener = { project: 'shop', listener: randomUUID() };

interface Place extends TestDatabase {
  /** One connection, of which each statement uses indexes. */
  readonly session: Sql;
}

async function createPlace(t: Test): Promise<Place> {
  const made = await createDatabase(t);
  const session = connect({ databaseUrl: made.url, connectionsMax: 1, prepare: true, settings: plannedOnceSettings });
  t.teardown(() => session.end());
  return { ...made, session };
}

/** Pages that Postgres looks at to find the first row of the queue. */
async function pagesToFirst({ session }: Place, query: string, values: string[]): Promise<number> {
  const explained = `explain (analyze, buffers, format json) ${query} order by seq limit 1`;
  const [row] = await session.unsafe<{ 'QUERY PLAN': readonly [{ Plan: Record<string, number> }] }[]>(
    explained,
    values,
  );
  const { Plan } = row!['QUERY PLAN'][0];
  return Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
}

/** Puts notices into the queue, and gives their numbers. */
async function addNotices({ sql }: Place, count: number): Promise<readonly string[]> {
  const rows = await sql<{ seq: string }[]>`
    insert into notices (project, listener, id, subject, payload)
    select ${listener.project}, ${listener.listener}, gen_random_uuid(), number::text, '{}'
    from generate_series(1, ${count}::int) as number
    returning seq`;
  return rows.map(({ seq }) => seq);
}

t.test('the first change is found at once, however many were removed before it', async (t) => {
  const place = await createPlace(t);
  const outbox = createOutbox(place.database);
  await place.sql`
    insert into outbox (project, topic, kind, id, version)
    select ${lease.project}, ${lease.topic}, 'product', gen_random_uuid(), 1 from generate_series(1, ${rows}::int)`;
  await place.sql`vacuum analyze outbox`;
  for (let at = 0; at < removed; at += takenMax) await outbox.remove(lease, await outbox.take(lease));
  const query = 'select seq from outbox where project = $1 and topic = $2';
  const pages = await pagesToFirst(place, query, [lease.project, lease.topic]);
  t.ok(pages < 20, `${pages} pages`);
  const left = (await outbox.backlog()).map(({ topic, count }) => [topic, count]);
  t.same(left, [[lease.topic, 10_000]], 'counting stops there');
});

t.test('so is the first notice', async (t) => {
  const place = await createPlace(t);
  const queue = createNoticeQueue(place.database);
  const numbers = await addNotices(place, removed + 2000);
  const gone = numbers.slice(0, -2000);
  for (let at = 0; at < gone.length; at += 500) await queue.remove(listener, gone.slice(at, at + 500));
  const query = 'select seq from notices where project = $1 and listener = $2';
  const pages = await pagesToFirst(place, query, [listener.project, listener.listener]);
  t.ok(pages < 20, `${pages} pages`);
  const left = (await queue.backlog()).map(({ count }) => count);
  t.same(left, [2000]);
});

t.test('and the first notice behind those of a listener that was dropped', async (t) => {
  const place = await createPlace(t);
  const queue = createNoticeQueue(place.database);
  await addNotices(place, 10 * removed);
  await queue.drop(listener, Infinity);
  const pages = await pagesToFirst(place, 'select seq from notices where project = $1', [listener.project]);
  t.ok(pages < 20, `${pages} pages`);
});

t.test('a queue is vacuumed again and again, as soon as the rest after the last time is over', async (t) => {
  const { database } = await createDatabase(t);
  let [vacuums, nowMs] = [0, 0];
  const counting: Parameters<typeof createQueueVacuum>[0] = {
    write: (run, ...others) => {
      vacuums += 1;
      // Each takes a second.
      nowMs += 1000;
      return database.write(run, ...others);
    },
  };
  const vacuum = createQueueVacuum(counting, 'outbox', () => nowMs);
  const vacuumsAfter = async (count: number): Promise<number> => {
    await vacuum(count);
    return vacuums;
  };
  t.equal(await vacuumsAfter(removed - 1), 0);
  t.equal(await vacuumsAfter(1), 1);
  nowMs += 19_999;
  t.equal(await vacuumsAfter(removed), 1, 'it rests twenty times as long as it took');
  nowMs += 1;
  t.equal(await vacuumsAfter(1), 2, 'what was removed meanwhile counts');
  nowMs += 20_000;
  t.equal(await vacuumsAfter(removed - 1), 2);
  t.equal(await vacuumsAfter(1), 3);
});

t.test('what is removed is removed where the vacuum fails, which is tried again', async (t) => {
  let tries = 0;
  const failing: Parameters<typeof createQueueVacuum>[0] = {
    write: () => {
      tries += 1;
      return Promise.reject(new Error('no vacuum'));
    },
  };
  const vacuum = createQueueVacuum(failing, 'notices', () => 0);
  for (const expected of [1, 2]) {
    await vacuum(removed);
    t.equal(tries, expected);
  }
});
