import type { Backlog, Lease } from '../outbox/outbox.ts';
import { createHash } from 'node:crypto';
import type {
  DocumentSource,
  DocumentsState,
  Fact,
  FactSource,
  Indexed,
  MarkedProduct,
  Marks,
} from '../search/document-source.ts';
import type { Searched } from '../engine/searched.ts';
import { backlogIn } from './backlog.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';
import { heldLease } from './outbox.ts';
import { activateSearches, searchConditions, type SearchParts } from './search-activation.ts';
import { memberSql } from './write-statements.ts';

const projectsMax = 1000;
/** Products that are read at once, of those that many wait with and of others, and bytes of their rows as they lie in the table, mostly compressed. */
const productsMax = 50;
const rowBytesMax = 1024 * 1024;
/** Resources whose facts are read by one statement. */
const factSourcesMax = 500;
/** Rows of a project without a search that one statement takes away. */
const clearedMax = 5000;

/** What of the declaration of what is searched stands in statements. */
type SearchedKinds = Pick<Searched, 'kind' | 'assignments'>;

/** Each call is one statement. One of which it is not known whether it had an effect fails, and may be called again. */
export function createDocumentSource(database: Database, searched: SearchedKinds, parts?: SearchParts): DocumentSource {
  const step = async (lease: Lease, statement: (sql: Sql) => PromiseLike<readonly unknown[]>): Promise<void> => {
    const [done] = await database.write(async (sql) => statement(sql));
    if (done === undefined)
      throw new Error(`The lease on ${lease.topic} of ${lease.project} is another's, or its step`);
  };
  return {
    due: (documentVersion) => database.read((sql) => due(sql, documentVersion, parts)),
    state: (project) => database.write((sql) => state(sql, project, parts)),
    facts: (project) =>
      database.read((sql) => sql<Fact[]>`select kind, id, fact from search_facts where project = ${project}`),
    factSources: (project, kind, which) => database.read((sql) => factSources(sql, { project, kind, ...which })),
    start: (lease, number, given) => step(lease, (sql) => start(sql, lease, { number, kind: searched.kind, ...given })),
    mark: (lease, number, marks) => step(lease, (sql) => mark(sql, lease, { number, marks, searched })),
    marked: (project) => database.read((sql) => marked(sql, project, searched.kind)),
    write: (lease, number, indexed) => step(lease, (sql) => write(sql, lease, { number, indexed })),
    finish: (lease, number) =>
      step(lease, (sql) => {
        const isDone = sql`not exists (select from search_dirty where project = ${lease.project})`;
        const set: ReturnType<Sql> = sql`, filled_at = case when ${isDone} then clock_timestamp() else filled_at end`;
        return sql`with ${stepped(sql, lease, { number, set })} select 1 from stepped`;
      }),
    activate: (project) => database.write((sql) => activateSearches(sql, project, parts)),
    clear: (lease, number) => step(lease, (sql) => clear(sql, lease, number)),
  };
}

async function due(sql: Sql, documentVersion: number, parts: SearchParts | undefined): Promise<readonly string[]> {
  const { isOn, isProductsReady, isProductsSearchReady } = searchConditions(sql, parts);
  const hasMarks = sql`exists (select from search_dirty as dirty where dirty.project = key)`;
  const hasRows = sql`exists (select from search_documents as made where made.project = key)`;
  const rows = await sql<{ key: string }[]>`
    select key from projects left join search_projects as own on own.project = key
    where coalesce(own.document_version, 0) <= ${documentVersion} and case when ${isOn}
      then (own.filled_at >= own.started_at) is not true or own.document_version < ${documentVersion} or ${hasMarks}
        or ${isProductsReady} or ${isProductsSearchReady}
      else own.started_at is not null or ${hasMarks} or ${hasRows} end
    order by key limit ${projectsMax}`;
  return rows.map(({ key }) => key);
}

/** Of a project that is new there is a row after this. */
async function state(sql: Sql, project: string, parts: SearchParts | undefined): Promise<DocumentsState | undefined> {
  const { isOn, isProductsReady, isProductsSearchReady } = searchConditions(sql, parts);
  const [row] = await sql<(Omit<DocumentsState, 'step' | 'factsStep'> & { step: string; factsStep: string })[]>`
    with entered as (
      insert into search_projects (project) select key from projects
      where key = ${project} and not exists (select from search_projects where project = ${project})
      on conflict do nothing
    )
    select coalesce(step, 0) as step, coalesce(facts_step, 0) as "factsStep", ${isOn} as "isOn",
      started_at is not null as "isStarted", coalesce(filled_at >= started_at, false) as "isFilled",
      coalesce(document_version, 0) as "documentVersion",
      exists (select from search_documents where project = key) or exists (select from search_dirty where project = key)
        as "hasAny",
      ${isProductsReady} or ${isProductsSearchReady} as "isReady"
    from projects left join search_projects as own on own.project = key where key = ${project}`;
  return row && { ...row, step: Number(row.step), factsStep: Number(row.factsStep) };
}

async function factSources(
  sql: Sql,
  given: {
    readonly project: string;
    readonly kind: string;
    readonly members: readonly string[];
    readonly ids?: readonly string[];
    readonly after?: string | undefined;
  },
): Promise<readonly FactSource[]> {
  const { project, kind, members, ids, after } = given;
  const behind = after === undefined ? sql`true` : sql`id > ${after}::uuid`;
  const which =
    ids === undefined ? sql`${behind} order by id limit ${factSourcesMax}` : sql`id = any(${[...ids]}::uuid[])`;
  return sql<FactSource[]>`
    select ${kind}::text as kind, id, (
      select jsonb_object_agg(member, data -> member) from unnest(${[...members]}::text[]) as member where data ? member
    ) as document
    from documents where project = ${project} and kind = ${kind} and ${which}`;
}

/**
 * Parts of a statement, which begins with them: a row of `stepped` where the lease is its holder's and no other step came
 * before. A statement that was sent, and lost, and runs after its repetition finds none.
 */
function stepped(
  sql: Sql,
  lease: Lease,
  { number, set = sql`` }: { readonly number: number; readonly set?: ReturnType<Sql> },
): ReturnType<Sql> {
  return sql`held as (${heldLease(sql, lease)}), stepped as (
    update search_projects set step = step + 1 ${set}
    where project = ${lease.project} and step = ${number} and exists (select from held)
    returning project
  )`;
}

function start(
  sql: Sql,
  lease: Lease,
  {
    number,
    kind,
    documentVersion,
    facts,
  }: {
    readonly number: number;
    readonly kind: string;
    readonly documentVersion: number;
    readonly facts: readonly Fact[];
  },
): PromiseLike<readonly unknown[]> {
  const { project } = lease;
  const set: ReturnType<Sql> = sql`, started_at = clock_timestamp(), facts_step = step + 1,
    document_version = ${documentVersion}`;
  // What is there already may be of products that have gone since.
  return sql`
    with ${stepped(sql, lease, { number, set })}, ${factParts(sql, project, facts)}, forgotten as (
      delete from search_facts where project = ${project} and exists (select from stepped)
        and (kind, id) not in (select kind, id from given_facts)
    ), marked as (
      insert into search_dirty (project, product_id, is_bulk)
      select ${project}, id, true from (
        select id from documents where project = ${project} and kind = ${kind}
        union select product_id from search_documents where project = ${project}
      ) as products where exists (select from stepped)
      on conflict (project, product_id) do nothing
    )
    select 1 from stepped`;
}

function factParts(sql: Sql, project: string, facts: readonly Fact[]): ReturnType<Sql> {
  return sql`given_facts as (
    select * from jsonb_to_recordset(${JSON.stringify(facts)}::text::jsonb) as given (kind text, id uuid, fact jsonb)
  ), stored_facts as (
    insert into search_facts (project, kind, id, fact)
    select ${project}, kind, id, fact from given_facts where exists (select from stepped)
    on conflict (project, kind, id) do update set fact = excluded.fact
  )`;
}

function mark(
  sql: Sql,
  lease: Lease,
  { number, marks, searched }: { readonly number: number; readonly marks: Marks; readonly searched: SearchedKinds },
): PromiseLike<readonly unknown[]> {
  const { project } = lease;
  const { products, groups, sources, selections, isOfAll, facts } = marks;
  const hasFacts = facts.set.length + facts.gone.length > 0;
  const having = (ids: readonly string[], isBulk: boolean): ReturnType<Sql> =>
    sql`select product_id, ${isBulk}::boolean as is_bulk from search_documents
      where project = ${project} and sources && ${[...ids]}::uuid[]`;
  const { kind, assignments } = searched;
  // Declared kinds and members stand in the statement, as in those that the indexes are for (migration 0012).
  const assigned = sql.unsafe(memberSql(assignments.assigned));
  const ofAssignments = sql.unsafe(`kind = '${assignments.kind}' and md5(${memberSql(assignments.selection)})`);
  const inSelections = sql`select ${assigned}::uuid, true from documents
    where project = ${project} and ${ofAssignments} in (select md5(id) from unnest(${[...selections]}::text[]) as id)`;
  const all = sql`select id, true from documents where project = ${project} and kind = ${kind}`;
  const gone = sql`, facts_gone as (
    delete from search_facts where project = ${project} and exists (select from stepped) and (kind, id) in (
      select * from jsonb_to_recordset(${JSON.stringify(facts.gone)}::text::jsonb) as gone (kind text, id uuid))
  )`;
  const set: ReturnType<Sql> = hasFacts ? sql`, facts_step = step + 1` : sql``;
  return sql`
    with ${stepped(sql, lease, { number, set })}
    ${facts.set.length > 0 ? sql`, ${factParts(sql, project, facts.set)}` : sql``}
    ${facts.gone.length > 0 ? gone : sql``}, reached as (
      select product_id, false as is_bulk from unnest(${[...products]}::uuid[]) as product_id
      ${groups.length > 0 ? sql`union all ${having(groups, false)}` : sql``}
      ${sources.length > 0 ? sql`union all ${having(sources, true)}` : sql``}
      ${selections.length > 0 ? sql`union all ${inSelections}` : sql``}
      ${isOfAll ? sql`union all ${all}` : sql``}
    ), marked as (
      insert into search_dirty as dirty (project, product_id, is_bulk)
      select ${project}, product_id, bool_and(is_bulk) from reached where exists (select from stepped) group by product_id
      on conflict (project, product_id) do update set is_bulk = false where dirty.is_bulk and not excluded.is_bulk
    )
    select 1 from stepped`;
}

async function marked(sql: Sql, project: string, kind: string): Promise<readonly MarkedProduct[]> {
  const some = (isBulk: boolean): ReturnType<Sql> =>
    sql`(select product_id, is_bulk, since from search_dirty where project = ${project} and is_bulk = ${isBulk}
      order by since limit ${productsMax})`;
  // Products are looked up one by one: a join of tables whose sizes the database has wrong may read all of them.
  const ofProduct = (column: ReturnType<Sql>): ReturnType<Sql> =>
    sql`(select ${column} from documents where project = ${project} and kind = ${kind} and id = product_id)`;
  const rows = await sql<{ id: string; json: string | null }[]>`
    with sized as materialized (
      select product_id, is_bulk, since, ${ofProduct(sql`pg_column_size(data)`)} as size
      from (${some(false)} union all ${some(true)}) as first
    ), summed as (
      select product_id, sum(size) over taking as bytes, row_number() over taking as number
      from sized window taking as (order by is_bulk, since, product_id)
    )
    select product_id as id, ${ofProduct(sql`data::text`)} as json
    from summed where number = 1 or coalesce(bytes, 0) <= ${rowBytesMax}`;
  return rows.map(({ id, json }) => ({ id, json: json ?? undefined }));
}

function write(
  sql: Sql,
  lease: Lease,
  { number, indexed }: { readonly number: number; readonly indexed: readonly Indexed[] },
): PromiseLike<readonly unknown[]> {
  const { project } = lease;
  const rows = indexed.map((one) => {
    const [document, error] = [
      one.outcome === 'made' ? one.document : undefined,
      one.outcome === 'aside' ? one.error : undefined,
    ];
    const digest = document === undefined ? '' : createHash('md5').update(document).digest('hex');
    const sources = one.outcome === 'gone' ? [] : one.sources;
    return { product_id: one.id, sources, digest, document, error, is_gone: one.outcome === 'gone' };
  });
  return sql`
    with ${stepped(sql, lease, { number })}, given as materialized (
      select * from json_to_recordset(${JSON.stringify(rows)}::text::json)
        as row (product_id uuid, sources uuid[], digest text, document text, error text, is_gone boolean)
      where exists (select from stepped)
    ), changed as (
      select given.*, case when old.digest = given.digest then old.seq end as seq
      from given left join search_documents as old on old.project = ${project} and old.product_id = given.product_id
      where case when old.product_id is null then not given.is_gone
        else old.digest <> given.digest or old.sources <> given.sources or (old.gone_at is not null) <> given.is_gone end
    ), written as (
      insert into search_documents (project, product_id, seq, sources, digest, document, gone_at)
      select ${project}, product_id, coalesce(seq, nextval('search_sequence')), sources, digest, document::json,
        case when is_gone then clock_timestamp() end
      from changed
      on conflict (project, product_id) do update set seq = excluded.seq, sources = excluded.sources,
        digest = excluded.digest, document = excluded.document, gone_at = excluded.gone_at
    ), resolved as (
      delete from search_set_aside as aside using given
      where aside.project = ${project} and aside.product_id = given.product_id and given.error is null
    ), aside as (
      insert into search_set_aside (project, product_id, error)
      select ${project}, product_id, error from given where error is not null
      on conflict (project, product_id) do update set error = excluded.error, at = excluded.at
    ), cleared as (
      delete from search_dirty as dirty using given where dirty.project = ${project} and dirty.product_id = given.product_id
    )
    select 1 from stepped`;
}

/** Who has read anything begins anew after this. */
function clear(sql: Sql, lease: Lease, number: number): PromiseLike<readonly unknown[]> {
  const { project } = lease;
  const set: ReturnType<Sql> = sql`, started_at = null, filled_at = null, facts_step = step + 1, pruned_seq = nextval('search_sequence')`;
  const some = (table: string): ReturnType<Sql> =>
    sql`delete from ${sql(table)} where project = ${project} and exists (select from stepped) and product_id in (
      select product_id from ${sql(table)} where project = ${project} limit ${clearedMax})`;
  return sql`
    with ${stepped(sql, lease, { number, set })}, facts_gone as (
      delete from search_facts where project = ${project} and exists (select from stepped)
    ), documents_gone as (${some('search_documents')}), marks_gone as (${some('search_dirty')}),
    aside_gone as (${some('search_set_aside')})
    select 1 from stepped`;
}

/** Products that wait for their documents. */
export function documentsBacklog(sql: Sql): Promise<readonly Backlog[]> {
  return backlogIn(sql, { table: 'search_dirty', since: 'since', topic: 'search', of: 'products for the search' });
}

/** Products that cannot be searched. They wait for a change. */
export function setAside(sql: Sql): Promise<readonly Backlog[]> {
  return backlogIn(sql, {
    table: 'search_set_aside',
    since: 'at',
    topic: 'search',
    of: 'products that cannot be searched',
  });
}
