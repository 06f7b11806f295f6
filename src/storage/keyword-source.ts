import type {
  DirtyKeyword,
  FilledIndexes,
  IndexName,
  KeywordSource,
  KeywordsOfResource,
  OfferedKeyword,
  TakenChanges,
} from '../engine/keyword-source.ts';
import { projectKind } from '../engine/projects.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';

const projectsMax = 1000;
const changesMax = 1000;
const dirtyMax = 5000;
const leaseSeconds = 15;

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
    projectsToFeed: async () => {
      const rows = await database.read(
        (sql) => sql<{ key: string }[]>`
        select key from projects
        where exists (select from outbox where project = key) or exists (select from suggest_dirty where project = key)
        order by key limit ${projectsMax}`,
      );
      return rows.map(({ key }) => key);
    },
    holdLease: async (project, holder) => {
      const rows = await database.write(
        (sql) => sql`
        insert into leases as lease (project, name, holder, expires_at)
        values (${project}, 'suggest', ${holder}, clock_timestamp() + make_interval(secs => ${leaseSeconds}))
        on conflict (project, name) do update set holder = excluded.holder, expires_at = excluded.expires_at
        where lease.holder = excluded.holder or lease.expires_at < clock_timestamp()
        returning 1`,
      );
      return rows.length > 0;
    },
    releaseLease: async (project, holder) => {
      await database.write(
        (sql) => sql`delete from leases where project = ${project} and name = 'suggest' and holder = ${holder}`,
      );
    },
    takeChanges: (project) => database.read((sql) => takeChanges(sql, project)),
    applyChanges: (project, changes, offered) =>
      database.write((sql) => applyChanges(sql, project, { changes, offered })),
    dirtyKeywords: (project, index) => database.read((sql) => dirtyKeywords(sql, project, index)),
    clearDirty: (project, index, pushed) => database.write((sql) => clearDirty(sql, project, { index, pushed })),
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
        (sql) => sql`
        with written as (
          update projects set
            version = version + 1,
            data = jsonb_set(data, '{searchIndexing,products,status}', '"Activated"')
          where key = ${project} and data #>> '{searchIndexing,products,status}' = 'Indexing'
          returning key, version
        )
        insert into change_log (project, kind, id, version) select key, ${projectKind}, key, version from written`,
      );
    },
    lagSeconds: async (project) => {
      const [row] = await database.read(
        (sql) => sql<{ seconds: number }[]>`
        select coalesce(extract(epoch from clock_timestamp() - least(
          (select min(at) from outbox where project = ${project}),
          (select min(since) from suggest_dirty where project = ${project}))), 0)::float8 as seconds`,
      );
      return row!.seconds;
    },
  };
}

/** The lease makes this process the only taker, so rows need no locks; they are deleted by number, never by watermark. */
async function takeChanges(sql: Sql, project: string): Promise<TakenChanges> {
  const rows = await sql<
    {
      seq: string;
      id: string;
      published: boolean | null;
      current: KeywordsOfResource['current'] | null;
      staged: KeywordsOfResource['staged'] | null;
    }[]
  >`
    select taken.seq, taken.id,
      (documents.data #>> '{masterData,published}')::boolean as published,
      documents.data #> '{masterData,current,searchKeywords}' as current,
      documents.data #> '{masterData,staged,searchKeywords}' as staged
    from (select seq, id from outbox where project = ${project} order by seq limit ${changesMax}) as taken
    left join documents on documents.project = ${project} and documents.kind = 'product' and documents.id = taken.id`;
  const resources = new Map<string, KeywordsOfResource>();
  for (const { id, published, current, staged } of rows) {
    // A product that is not published offers nothing in its current projection.
    if (published !== null) resources.set(id, { id, current: published ? (current ?? {}) : {}, staged: staged ?? {} });
  }
  return {
    sequence: rows.map(({ seq }) => seq),
    changedIds: [...new Set(rows.map(({ id }) => id))],
    resources: [...resources.values()],
  };
}

async function applyChanges(
  sql: Sql,
  project: string,
  { changes, offered }: { changes: TakenChanges; offered: readonly OfferedKeyword[] },
): Promise<void> {
  const rows = JSON.stringify(offered.map(({ resourceId, ...keyword }) => ({ product_id: resourceId, ...keyword })));
  await sql`
    with offered as (
      select * from jsonb_to_recordset(${rows}::text::jsonb) as row (product_id uuid, locale text, hash text, text text, current text[], staged text[])
    ), gone as (
      delete from suggest_source as source
      where project = ${project} and product_id = any(${[...changes.changedIds]}::uuid[])
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
    delete from outbox where project = ${project} and seq = any(${[...changes.sequence]}::bigint[])`;
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
  project: string,
  { index, pushed }: { index: IndexName; pushed: readonly DirtyKeyword[] },
): Promise<void> {
  const rows = JSON.stringify(pushed.map(({ locale, hash, generation }) => ({ locale, hash, generation })));
  const [own, other] = index === 'keywords' ? [sql`keywords`, sql`lexicon`] : [sql`lexicon`, sql`keywords`];
  await sql`
    with pushed as (
      select * from jsonb_to_recordset(${rows}::text::jsonb) as row (locale text, hash text, generation bigint)
    ), finished as (
      delete from suggest_dirty as dirty using pushed
      where dirty.project = ${project} and dirty.locale = pushed.locale and dirty.hash = pushed.hash
        and dirty.generation = pushed.generation and not dirty.${other}
    )
    update suggest_dirty as dirty set ${own} = false from pushed
    where dirty.project = ${project} and dirty.locale = pushed.locale and dirty.hash = pushed.hash
      and dirty.generation = pushed.generation and dirty.${other}`;
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
