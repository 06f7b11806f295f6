import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { takenMax } from '../../src/outbox/outbox.ts';
import { connect, plannedOnceSettings, type Sql } from '../../src/storage/connection.ts';
import { createNoticeQueue } from '../../src/storage/notices.ts';
import { createOutbox } from '../../src/storage/outbox.ts';
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
  const numbers = await place.sql<{ seq: string }[]>`
    insert into notices (project, listener, id, subject, payload)
    select ${listener.project}, ${listener.listener}, gen_random_uuid(), number::text, '{}'
    from generate_series(1, ${removed + 2000}::int) as number
    returning seq`;
  const gone = numbers.map(({ seq }) => seq).slice(0, -2000);
  for (let at = 0; at < gone.length; at += 500) await queue.remove(listener, gone.slice(at, at + 500));
  const query = 'select seq from notices where project = $1 and listener = $2';
  const pages = await pagesToFirst(place, query, [listener.project, listener.listener]);
  t.ok(pages < 20, `${pages} pages`);
  const left = (await queue.backlog()).map(({ count }) => count);
  t.same(left, [2000]);
});
