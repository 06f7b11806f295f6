import { type NoticeQueue, takenMax } from '../notifying/notices.ts';
import type { Backlog } from '../outbox/outbox.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';
import { createQueueVacuum } from './queue-vacuum.ts';

const projectsMax = 1000;
/** More than a project may have. */
const listenersMax = 1000;

export function createNoticeQueue(database: Database): NoticeQueue {
  const vacuum = createQueueVacuum(database, 'notices');
  return {
    projects: async () => {
      const rows = await database.read(
        (sql) => sql<{ key: string }[]>`
        select key from projects where exists (select from notices where project = key) order by key limit ${projectsMax}`,
      );
      return rows.map(({ key }) => key);
    },
    // One look into the index for each.
    listeners: async (project) => {
      const rows = await database.read(
        (sql) => sql<{ listener: string }[]>`
        with recursive found as (
          (select listener from notices where project = ${project} order by listener limit 1)
          union all
          select next.listener from found, lateral (
            select listener from notices where project = ${project} and notices.listener > found.listener
            order by listener limit 1
          ) as next
        )
        select listener from found limit ${listenersMax}`,
      );
      return rows.map(({ listener }) => listener);
    },
    take: async ({ project, listener }, passedOver, bytesMax) => {
      const rows = await database.read(
        (sql) => sql<Row[]>`
        select seq, id, subject, version, payload, extract(epoch from at)::float8 * 1000 as "atMs"
        from (
          select *, sum(octet_length(payload)) over (order by seq) - octet_length(payload) as before from (
            select * from notices
            where project = ${project} and listener = ${listener} and subject <> all(${[...passedOver]}::text[])
            order by seq limit ${takenMax}
          ) as first
        ) as counted
        where before < ${bytesMax}
        order by seq`,
      );
      return rows.map(({ seq, version, ...notice }) => {
        return { ...notice, sequence: seq, version: version === null ? undefined : Number(version) };
      });
    },
    among: async ({ project, listener }, sequences) => {
      const rows = await database.read(
        (sql) => sql<Pick<Row, 'seq'>[]>`
        select seq from notices
        where project = ${project} and listener = ${listener} and seq = any(${[...sequences]}::bigint[])`,
      );
      return rows.map(({ seq }) => seq);
    },
    hasOthers: async ({ project, listener }, subject) => {
      const rows = await database.read(
        (sql) => sql`
        select from notices where project = ${project} and listener = ${listener} and subject <> ${subject} limit 1`,
      );
      return rows.length > 0;
    },
    remove: async ({ project, listener }, sequences) => {
      await database.write(
        (sql) => sql`
        delete from notices
        where project = ${project} and listener = ${listener} and seq = any(${[...sequences]}::bigint[])`,
      );
      await vacuum(sequences.length);
    },
    drop: async ({ project, listener }, beforeMs) => {
      const { count } = await database.write(
        (sql) => sql`
        delete from notices where project = ${project} and listener = ${listener}
          ${beforeMs === Infinity ? sql`` : sql`and at <= to_timestamp(${beforeMs / 1000}::float8)`}`,
      );
      await vacuum(count);
    },
    backlog: () => database.read(backlog),
  };
}

/** How many notices are counted. */
const countMax = 10_000;

async function backlog(sql: Sql): Promise<readonly Backlog[]> {
  return sql<Backlog[]>`
    with recursive waiting as (
      (select project, listener from notices order by project, listener limit 1)
      union all
      select next.project, next.listener from waiting, lateral (
        select project, listener from notices
        where (notices.project, notices.listener) > (waiting.project, waiting.listener)
        order by project, listener limit 1
      ) as next
    )
    select project, 'notices' as topic, 'notifications of subscription ' || listener as of, queued.count,
      extract(epoch from clock_timestamp() - queued.oldest)::float8 as "oldestSeconds"
    from waiting, lateral (
      select count(*)::int as count, min(at) as oldest from (
        select at from notices where notices.project = waiting.project and notices.listener = waiting.listener
        order by seq limit ${countMax}
      ) as counted
    ) as queued
    order by project, listener limit ${listenersMax}`;
}

interface Row {
  readonly seq: string;
  readonly id: string;
  readonly subject: string;
  readonly version: string | null;
  readonly payload: string;
  readonly atMs: number;
}
