/** The documents of product search, as the search processes read them. */
import type { SearchDocuments, SearchProject, SearchRows } from '../searching/documents.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';

const projectsMax = 1000;
/** Of documents as they lie in the table, mostly compressed. */
const rowBytesMax = 2 * 1024 * 1024;
/** How long a product that has gone is told. */
const goneDays = 7;
/** Rows that one statement takes away. */
const prunedMax = 10_000;

export function createSearchDocuments(database: Database): SearchDocuments {
  return {
    projects: () => database.read((sql) => projects(sql)),
    after: (project, seq, limit) => database.read((sql) => after(sql, { project, seq, limit })),
  };
}

async function projects(sql: Sql): Promise<readonly SearchProject[]> {
  const rows = await sql<{ key: string; lastSeq: string; prunedSeq: string; isComplete: boolean }[]>`
    select own.project as key, filled_at is not null as "isComplete", pruned_seq as "prunedSeq",
      coalesce((select max(seq) from search_documents as made where made.project = own.project), 0) as "lastSeq"
    from search_projects as own where started_at is not null order by own.project limit ${projectsMax}`;
  return rows.map((row) => ({ ...row, lastSeq: Number(row.lastSeq), prunedSeq: Number(row.prunedSeq) }));
}

async function after(
  sql: Sql,
  { project, seq, limit }: { readonly project: string; readonly seq: number; readonly limit: number },
): Promise<SearchRows | undefined> {
  const rows = await sql<{ prunedSeq: string; seq: string | null; productId: string; document: string | null }[]>`
    with next as (
      select seq, sum(pg_column_size(document)) over (order by seq) as bytes, row_number() over (order by seq) as number
      from (
        select seq, document from search_documents where project = ${project} and seq > ${seq} order by seq limit ${limit}
      ) as first
    )
    select own.pruned_seq as "prunedSeq", found.*
    from search_projects as own left join lateral (
      select seq, product_id as "productId", document::text as document from search_documents
      where project = own.project and seq in (
        select seq from next where number = 1 or coalesce(bytes, 0) <= ${rowBytesMax})
    ) as found on true
    where own.project = ${project} and started_at is not null order by found.seq`;
  const [first] = rows;
  if (first === undefined) return undefined;
  return {
    prunedSeq: Number(first.prunedSeq),
    rows: rows.flatMap(({ seq, productId, document }) =>
      seq === null ? [] : [{ seq: Number(seq), productId, document: document ?? undefined }],
    ),
  };
}

/** Drops the rows of products that have been gone for long. Called by time. */
export async function pruneSearchDocuments(database: Database): Promise<void> {
  await database.write(
    (sql) => sql`
    with old as (
      select project, product_id from search_documents
      where gone_at < clock_timestamp() - make_interval(days => ${goneDays})
      limit ${prunedMax} for update skip locked
    ), pruned as (
      delete from search_documents as made using old
      where made.project = old.project and made.product_id = old.product_id
      returning made.project, made.seq
    )
    update search_projects as own set pruned_seq = greatest(own.pruned_seq, last.seq)
    from (select project, max(seq) as seq from pruned group by project) as last where own.project = last.project`,
  );
}
