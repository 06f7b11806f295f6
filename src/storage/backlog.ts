import type { Backlog } from '../outbox/outbox.ts';
import type { Sql } from './connection.ts';

const projectsMax = 1000;
/** How many rows of a project are counted. */
const countMax = 10_000;

/** What waits in a table with a row for each thing of a project, and since when. */
export async function backlogIn(
  sql: Sql,
  { table, since, topic, of }: Pick<Backlog, 'topic' | 'of'> & { readonly table: string; readonly since: string },
): Promise<readonly Backlog[]> {
  return sql<Backlog[]>`
    select key as project, ${topic}::text as topic, ${of}::text as of, waiting.count,
      extract(epoch from clock_timestamp() - waiting.oldest)::float8 as "oldestSeconds"
    from projects, lateral (
      select count(*)::int as count, min(since) as oldest
      from (select ${sql(since)} as since from ${sql(table)} where project = key limit ${countMax}) as counted
    ) as waiting
    where waiting.count > 0 order by key limit ${projectsMax}`;
}
