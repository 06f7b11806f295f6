import { type NoticeQueue, takenMax } from '../notifying/notices.ts';
import type { Database } from './database.ts';

const projectsMax = 1000;
/** More than a project may have. */
const listenersMax = 1000;

export function createNoticeQueue(database: Database): NoticeQueue {
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
    take: async ({ project, listener }, passedOver) => {
      const rows = await database.read(
        (sql) => sql<Row[]>`
        select seq, id, subject, version, payload, extract(epoch from at)::float8 * 1000 as "atMs" from notices
        where project = ${project} and listener = ${listener} and subject <> all(${[...passedOver]}::text[])
        order by seq limit ${takenMax}`,
      );
      return rows.map(({ seq, version, ...notice }) => {
        return { ...notice, sequence: seq, version: version === null ? undefined : Number(version) };
      });
    },
    remove: async ({ project, listener }, sequences) => {
      await database.write(
        (sql) => sql`
        delete from notices
        where project = ${project} and listener = ${listener} and seq = any(${[...sequences]}::bigint[])`,
      );
    },
    drop: async ({ project, listener }, beforeMs) => {
      await database.write(
        (sql) => sql`
        delete from notices where project = ${project} and listener = ${listener}
          ${beforeMs === Infinity ? sql`` : sql`and at < to_timestamp(${beforeMs / 1000}::float8)`}`,
      );
    },
  };
}

interface Row {
  readonly seq: string;
  readonly id: string;
  readonly subject: string;
  readonly version: string | null;
  readonly payload: string;
  readonly atMs: number;
}
