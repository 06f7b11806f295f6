import { randomUUID } from 'node:crypto';
import t from 'tap';
import { takenMax } from '../../src/outbox/outbox.ts';
import { connect, plannedOnceSettings, type Sql } from '../../src/storage/connection.ts';
import { createOutbox } from '../../src/storage/outbox.ts';
import { createDatabase } from '../support/services.ts';

const lease = { project: 'shop', topic: 'all', holder: randomUUID() };

/** Pages that Postgres looks at to find the first change of the queue. */
async function pagesToFirst(sql: Sql): Promise<number> {
  const { project, topic } = lease;
  const [row] = await sql<{ 'QUERY PLAN': readonly [{ Plan: Record<string, number> }] }[]>`
    explain (analyze, buffers, format json)
    select seq from outbox where project = ${project} and topic = ${topic} order by seq limit 1`;
  const { Plan } = row!['QUERY PLAN'][0];
  return Plan['Shared Hit Blocks']! + Plan['Shared Read Blocks']!;
}

t.test('the first change is found at once, however many were removed before it', async (t) => {
  const { url, database } = await createDatabase(t);
  const sql = connect({ databaseUrl: url, connectionsMax: 1, prepare: true, settings: plannedOnceSettings });
  t.teardown(() => sql.end());
  const outbox = createOutbox(database);
  const rows = 12_000;
  await sql`
    insert into outbox (project, topic, kind, id, version)
    select ${lease.project}, ${lease.topic}, 'product', gen_random_uuid(), 1 from generate_series(1, ${rows}::int)`;
  for (let left = rows; left > 2 * takenMax; left -= takenMax) await outbox.remove(lease, await outbox.take(lease));
  const pages = await pagesToFirst(sql);
  t.ok(pages < 20, `${pages} pages`);
  t.equal((await outbox.take(lease)).length, takenMax);
  t.same(
    (await outbox.backlog()).map(({ project, topic, count }) => [project, topic, count]),
    [[lease.project, lease.topic, 2 * takenMax]],
  );
});
