import { type Backlog, type Lease, type Outbox, takenMax } from '../outbox/outbox.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';
import { createQueueVacuum } from './queue-vacuum.ts';

const projectsMax = 1000;
/** How many changes are counted. */
const countMax = 10_000;
const leaseSeconds = 15;

/** Each call is one statement. One of which it is not known whether it had an effect fails, and may be called again. */
export function createOutbox(database: Database): Outbox {
  const vacuum = createQueueVacuum(database, 'outbox');
  return {
    waiting: async (topic) => {
      const rows = await database.read(
        (sql) => sql<{ key: string }[]>`
        select key from projects where exists (select from outbox where project = key and topic = ${topic})
        order by key limit ${projectsMax}`,
      );
      return rows.map(({ key }) => key);
    },
    hold: async ({ project, topic, holder }) => {
      const rows = await database.write(
        (sql) => sql`
        insert into leases as lease (project, name, holder, expires_at)
        values (${project}, ${topic}, ${holder}, clock_timestamp() + make_interval(secs => ${leaseSeconds}))
        on conflict (project, name) do update set holder = excluded.holder, expires_at = excluded.expires_at
        where lease.expires_at < clock_timestamp()
        returning 1`,
      );
      return rows.length > 0;
    },
    renew: async ({ project, topic, holder }) => {
      const rows = await database.write(
        (sql) => sql`
        update leases set expires_at = clock_timestamp() + make_interval(secs => ${leaseSeconds})
        where project = ${project} and name = ${topic} and holder = ${holder}
        returning 1`,
      );
      return rows.length > 0;
    },
    release: async ({ project, topic, holder }) => {
      await database.write(
        (sql) => sql`delete from leases where project = ${project} and name = ${topic} and holder = ${holder}`,
      );
    },
    take: async ({ project, topic }) => {
      const rows = await database.read(
        (sql) => sql<{ seq: string; kind: string; id: string; version: string }[]>`
        select seq, kind, id, version from outbox where project = ${project} and topic = ${topic}
        order by seq limit ${takenMax}`,
      );
      return rows.map(({ seq, version, ...change }) => ({ ...change, sequence: seq, version: Number(version) }));
    },
    // By number and not up to one: a write that took a smaller number may be committed later.
    remove: async ({ project, topic }, changes) => {
      const sequence = changes.map((change) => change.sequence);
      await database.write(
        (sql) => sql`
        delete from outbox where project = ${project} and topic = ${topic} and seq = any(${sequence}::bigint[])`,
      );
      await vacuum(changes.length);
    },
    backlog: () => database.read((sql) => backlog(sql)),
  };
}

/**
 * A part of a statement: a row where the lease is its holder's, if only because nobody took it when its time was over. It
 * stays so until the statement ends, for whoever takes the lease waits for it.
 */
export function heldLease(sql: Sql, { project, topic, holder }: Lease): ReturnType<Sql> {
  return sql`select from leases where project = ${project} and name = ${topic} and holder = ${holder} for update`;
}

async function backlog(sql: Sql): Promise<readonly Backlog[]> {
  return sql<Backlog[]>`
    with recursive topics as (
      (select project, topic from outbox order by project, topic limit 1)
      union all
      select next.project, next.topic from topics, lateral (
        select project, topic from outbox where (outbox.project, outbox.topic) > (topics.project, topics.topic)
        order by project, topic limit 1
      ) as next
    )
    select project, topic, 'changes' as of, queued.count,
      extract(epoch from clock_timestamp() - queued.oldest)::float8 as "oldestSeconds"
    from topics, lateral (
      select count(*)::int as count, min(at) as oldest from (
        select at from outbox where outbox.project = topics.project and outbox.topic = topics.topic
        order by seq limit ${countMax}
      ) as counted
    ) as queued
    order by project, topic limit ${projectsMax}`;
}
