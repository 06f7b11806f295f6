import type { Backlog, Lease } from '../outbox/outbox.ts';
import type {
  DirtyKeyword,
  DirtyPage,
  IndexName,
  KeywordSource,
  KeywordsOfResource,
  KeywordsRead,
  OfferedKeyword,
  SearchedProject,
  Sent,
} from '../search/keyword-source.ts';
import { backlogIn } from './backlog.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';
import { keywordsCleared, keywordStates } from './keyword-states.ts';
import { createFillings, fillingBacklog } from './keyword-fillings.ts';
import { heldLease } from './outbox.ts';
import { activateSearches } from './search-activation.ts';

const projectsMax = 1000;
/** Resources whose keywords are read at once, and bytes of their rows as they lie in the table, mostly compressed. */
const resourcesMax = 100;
const rowBytesMax = 1024 * 1024;

/** Each call is one statement. One of which it is not known whether it had an effect fails, and may be called again. */
export function createKeywordSource(database: Database): KeywordSource {
  return {
    projects: () => database.read((sql) => projects(sql)),
    dirtyProjects: async () => {
      const rows = await database.read(
        (sql) => sql<{ key: string }[]>`
        select key from projects where exists (select from suggest_dirty where project = key)
        order by key limit ${projectsMax}`,
      );
      return rows.map(({ key }) => key);
    },
    keywordsOf: (project, ids) => database.read((sql) => keywordsOf(sql, project, ids)),
    offer: (lease, changedIds, offered) => database.write((sql) => offer(sql, lease, { changedIds, offered })),
    dirtyKeywords: (project, index, page) => database.read((sql) => dirtyKeywords(sql, project, { index, ...page })),
    clearDirty: (lease, sent) => database.write((sql) => clearDirty(sql, lease, sent)),
    markActivated: async (project) => {
      await database.write(
        (sql) => sql`update suggest_indexes set ready_created_at = keywords_created_at where project = ${project}`,
      );
      await database.write((sql) => activateSearches(sql, project));
    },
    backlog: () => database.read((sql) => backlog(sql)),
    fillings: createFillings(database),
  };
}

async function projects(sql: Sql): Promise<readonly SearchedProject[]> {
  return sql<SearchedProject[]>`
    select key, coalesce(products ->> 'status' in ('Activated', 'Indexing'), false) as "isIndexed",
      coalesce(products ->> 'status' = 'Activated', false) as "isActivated",
      coalesce(products ->> 'lastModifiedAt', '') as "enabledAt",
      exists (select from suggest_fillings where project = key and begun_at is null) as "isFillingAsked"
    from (select key, data #> '{searchIndexing,products}' as products from projects order by key limit ${projectsMax}) as searched
    order by key`;
}

async function keywordsOf(sql: Sql, project: string, ids: readonly string[]): Promise<KeywordsRead> {
  const asked = ids.slice(0, resourcesMax);
  const rows = await sql<
    {
      id: string;
      published: boolean;
      current: KeywordsOfResource['current'] | null;
      staged: KeywordsOfResource['staged'] | null;
      stop: number | null;
    }[]
  >`
    with sized as (
      select asked.place::int as place, id,
        sum(pg_column_size(data)) over (order by asked.place) as bytes, row_number() over (order by asked.place) as number
      from unnest(${asked}::uuid[]) with ordinality as asked (id, place) join documents using (id)
      where project = ${project} and kind = 'product'
    ), taken as (
      select id from sized where number = 1 or bytes <= ${rowBytesMax}
    )
    select id,
      (data #>> '{masterData,published}')::boolean as published,
      data #> '{masterData,current,searchKeywords}' as current,
      data #> '{masterData,staged,searchKeywords}' as staged,
      (select min(place) from sized where number > 1 and bytes > ${rowBytesMax}) as stop
    from taken join documents using (id) where project = ${project} and kind = 'product'`;
  const stop = rows[0]?.stop ?? asked.length + 1;
  // A product that is not published offers nothing in its current projection.
  const resources = rows.map(({ id, published, current, staged }) => ({
    id,
    current: published ? (current ?? {}) : {},
    staged: staged ?? {},
  }));
  return { count: stop - 1, resources };
}

async function offer(
  sql: Sql,
  lease: Lease,
  { changedIds, offered }: { changedIds: readonly string[]; offered: readonly OfferedKeyword[] },
): Promise<void> {
  const { project } = lease;
  const rows = JSON.stringify(offered.map(({ resourceId, ...keyword }) => ({ product_id: resourceId, ...keyword })));
  const [held] = await sql`
    with held as (${heldLease(sql, lease)}), indexed as (
      select from held where exists (
        select from projects where key = ${project}
          and data #>> '{searchIndexing,products,status}' in ('Activated', 'Indexing')
      )
    ), offered as (
      select * from jsonb_to_recordset(${rows}::text::jsonb) as row (product_id uuid, locale text, hash text, text text, current text[], staged text[])
      where exists (select from indexed)
    ), gone as (
      delete from suggest_source as source
      where exists (select from indexed) and project = ${project} and product_id = any(${[...changedIds]}::uuid[])
        and not exists (select from offered where offered.product_id = source.product_id and offered.locale = source.locale and offered.hash = source.hash)
      returning locale, hash
    ), written as (
      insert into suggest_source as source (project, product_id, locale, hash, text, current, staged)
      select ${project}, product_id, locale, hash, text, current, staged from offered
      on conflict (project, product_id, locale, hash) do update set current = excluded.current, staged = excluded.staged
      where source.current <> excluded.current or source.staged <> excluded.staged
      returning locale, hash
    ), marked as (
      insert into suggest_dirty as dirty (project, locale, hash)
      select distinct ${project}, locale, hash from (select * from gone union all select * from written) as touched
      on conflict (project, locale, hash) do update set generation = dirty.generation + 1, keywords = true, lexicon = true
    )
    select 1 from held`;
  if (held === undefined) throw new Error(`The lease on ${lease.topic} of ${project} is another's`);
}

async function backlog(sql: Sql): Promise<readonly Backlog[]> {
  const topic = 'suggest';
  const waiting = backlogIn(sql, { table: 'suggest_dirty', since: 'since', topic, of: 'texts for the search engine' });
  const refused = backlogIn(sql, {
    table: 'suggest_poison',
    since: 'at',
    topic,
    of: 'texts that the search engine refuses',
  });
  return (await Promise.all([waiting, fillingBacklog(sql), refused])).flat();
}

/** Texts of which nothing is left are given with empty candidates. */
async function dirtyKeywords(
  sql: Sql,
  project: string,
  { index, after, limit }: DirtyPage & { readonly index: IndexName },
): Promise<readonly DirtyKeyword[]> {
  const asked = sql`
    select locale, hash, generation from suggest_dirty
    where project = ${project} and ${index === 'keywords' ? sql`keywords` : sql`lexicon`}
      and (locale, hash) > (${after?.locale ?? ''}, ${after?.hash ?? ''})
    order by locale, hash limit ${limit}`;
  return sql<
    DirtyKeyword[]
  >`with recursive asked as materialized (${asked}), ${keywordStates(sql, project)} order by locale, hash`;
}

async function clearDirty(sql: Sql, lease: Lease, sent: Sent<DirtyKeyword>): Promise<void> {
  const { project } = lease;
  const { index, texts } = sent;
  const rows = JSON.stringify(texts.map(({ locale, hash, generation }) => ({ locale, hash, generation })));
  const [own, other] = index === 'keywords' ? [sql`keywords`, sql`lexicon`] : [sql`lexicon`, sql`keywords`];
  await sql`
    with held as (${heldLease(sql, lease)}), pushed as (
      select * from jsonb_to_recordset(${rows}::text::jsonb) as row (locale text, hash text, generation bigint)
    ), ${keywordsCleared(sql, project, [sent])}, finished as (
      delete from suggest_dirty as dirty using pushed
      where exists (select from held) and dirty.project = ${project} and dirty.locale = pushed.locale
        and dirty.hash = pushed.hash and dirty.generation = pushed.generation and not dirty.${other}
    ), again as (
      insert into suggest_dirty as dirty (project, locale, hash)
      select ${project}, locale, hash from pushed where not exists (select from held)
      on conflict (project, locale, hash) do update set generation = dirty.generation + 1, ${own} = true
    )
    update suggest_dirty as dirty set ${own} = false from pushed
    where exists (select from held) and dirty.project = ${project} and dirty.locale = pushed.locale
      and dirty.hash = pushed.hash and dirty.generation = pushed.generation and dirty.${other}`;
}
