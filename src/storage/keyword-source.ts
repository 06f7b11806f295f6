import type { Backlog, Lease } from '../outbox/outbox.ts';
import type {
  DirtyKeyword,
  FilledIndexes,
  IndexName,
  KeywordSource,
  KeywordsOfResource,
  KeywordsRead,
  OfferedKeyword,
} from '../search/keyword-source.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';
import { heldLease } from './outbox.ts';
import { activateSearches } from './search-activation.ts';

const projectsMax = 1000;
const dirtyMax = 5000;
/** Resources whose keywords are read at once, and bytes of their rows as they lie in the table, mostly compressed. */
const resourcesMax = 100;
const rowBytesMax = 1024 * 1024;

/** Each call is one statement. One of which it is not known whether it had an effect fails, and may be called again. */
export function createKeywordSource(database: Database): KeywordSource {
  return {
    projects: async () => {
      const rows = await database.read(
        (sql) => sql<{ key: string; is_indexed: boolean }[]>`
        select key, coalesce(data #>> '{searchIndexing,products,status}' in ('Activated', 'Indexing'), false) as is_indexed
        from projects order by key limit ${projectsMax}`,
      );
      return rows.map((row) => ({ key: row.key, isIndexed: row.is_indexed }));
    },
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
    dirtyKeywords: (project, index) => database.read((sql) => dirtyKeywords(sql, project, index)),
    clearDirty: (lease, index, pushed) => database.write((sql) => clearDirty(sql, lease, { index, pushed })),
    addPoison: async (project, { locale, hash }, error) => {
      await database.write(
        (sql) => sql`
        insert into suggest_poison (project, locale, hash, error) values (${project}, ${locale}, ${hash}, ${error})
        on conflict (project, locale, hash) do update set error = excluded.error, at = excluded.at`,
      );
    },
    filledIndexes: async (project) => {
      const [row] = await database.read(
        (sql) => sql<{ settings_version: number; keywords_created_at: string; lexicon_created_at: string }[]>`
        select settings_version, keywords_created_at, lexicon_created_at from suggest_indexes where project = ${project}`,
      );
      return (
        row && {
          settingsVersion: row.settings_version,
          keywordsCreatedAt: row.keywords_created_at,
          lexiconCreatedAt: row.lexicon_created_at,
        }
      );
    },
    startFilling: (project, indexes) => database.write((sql) => startFilling(sql, project, indexes)),
    forgetIndexes: async (project) => {
      await database.write((sql) => sql`delete from suggest_indexes where project = ${project}`);
    },
    markActivated: async (project) => {
      await database.write(
        (sql) => sql`update suggest_indexes set ready_created_at = keywords_created_at where project = ${project}`,
      );
      await database.write((sql) => activateSearches(sql, project));
    },
    backlog: () => database.read((sql) => backlog(sql)),
  };
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
    with held as (${heldLease(sql, lease)}), offered as (
      select * from jsonb_to_recordset(${rows}::text::jsonb) as row (product_id uuid, locale text, hash text, text text, current text[], staged text[])
      where exists (select from held)
    ), gone as (
      delete from suggest_source as source
      where exists (select from held) and project = ${project} and product_id = any(${[...changedIds]}::uuid[])
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

/** How many texts are counted. */
const countMax = 10_000;

async function backlog(sql: Sql): Promise<readonly Backlog[]> {
  return sql<Backlog[]>`
    select key as project, 'suggest' as topic, 'texts for the search engine' as of, dirty.count,
      extract(epoch from clock_timestamp() - dirty.oldest)::float8 as "oldestSeconds"
    from projects, lateral (
      select count(*)::int as count, min(since) as oldest
      from (select since from suggest_dirty where project = key limit ${countMax}) as counted
    ) as dirty
    where dirty.count > 0 order by key limit ${projectsMax}`;
}

/** Texts of which nothing is left are given with empty candidates. */
async function dirtyKeywords(sql: Sql, project: string, index: IndexName): Promise<readonly DirtyKeyword[]> {
  return sql<DirtyKeyword[]>`
    select dirty.locale, dirty.hash, dirty.generation,
      coalesce(min(source.text), '') as text,
      coalesce(jsonb_agg(distinct current.candidate) filter (where current.candidate is not null), '[]') as current,
      coalesce(jsonb_agg(distinct staged.candidate) filter (where staged.candidate is not null), '[]') as staged
    from (
      select locale, hash, generation from suggest_dirty
      where project = ${project} and ${index === 'keywords' ? sql`keywords` : sql`lexicon`} limit ${dirtyMax}
    ) as dirty
    left join suggest_source as source on source.project = ${project} and source.locale = dirty.locale and source.hash = dirty.hash
    left join lateral unnest(source.current) as current (candidate) on true
    left join lateral unnest(source.staged) as staged (candidate) on true
    group by dirty.locale, dirty.hash, dirty.generation`;
}

async function clearDirty(
  sql: Sql,
  lease: Lease,
  { index, pushed }: { index: IndexName; pushed: readonly DirtyKeyword[] },
): Promise<void> {
  const { project } = lease;
  const rows = JSON.stringify(pushed.map(({ locale, hash, generation }) => ({ locale, hash, generation })));
  const [own, other] = index === 'keywords' ? [sql`keywords`, sql`lexicon`] : [sql`lexicon`, sql`keywords`];
  await sql`
    with held as (${heldLease(sql, lease)}), pushed as (
      select * from jsonb_to_recordset(${rows}::text::jsonb) as row (locale text, hash text, generation bigint)
    ), finished as (
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

async function startFilling(
  sql: Sql,
  project: string,
  { settingsVersion, keywordsCreatedAt, lexiconCreatedAt }: FilledIndexes,
): Promise<void> {
  await sql`
    with recorded as (
      insert into suggest_indexes (project, settings_version, keywords_created_at, lexicon_created_at)
      values (${project}, ${settingsVersion}, ${keywordsCreatedAt}, ${lexiconCreatedAt})
      on conflict (project) do update set settings_version = excluded.settings_version,
        keywords_created_at = excluded.keywords_created_at, lexicon_created_at = excluded.lexicon_created_at
    )
    insert into suggest_dirty as dirty (project, locale, hash)
    select distinct project, locale, hash from suggest_source where project = ${project}
    on conflict (project, locale, hash) do update set generation = dirty.generation + 1, keywords = true, lexicon = true`;
}
