import type { Backlog, Lease } from '../outbox/outbox.ts';
import type {
  FilledIndexes,
  Filling,
  Fillings,
  FillingStep,
  IndexingState,
  KeywordState,
  Sent,
  TextsPage,
} from '../search/keyword-source.ts';
import type { Sql } from './connection.ts';
import type { Database } from './database.ts';
import { keywordsCleared, keywordStates } from './keyword-states.ts';
import { heldLease } from './outbox.ts';

const idsMax = 1000;
/** Rows that are forgotten by one statement. */
const forgottenMax = 50_000;
const projectsMax = 1000;

/** Each call is one statement. One of which it is not known whether it had an effect fails, and may be called again. */
export function createFillings(database: Database): Fillings {
  const write = async (lease: Lease, statement: (sql: Sql) => PromiseLike<readonly unknown[]>): Promise<void> => {
    if ((await database.write(async (sql) => statement(sql))).length === 0)
      throw new Error(`The lease on ${lease.topic} of ${lease.project} is another's`);
  };
  return {
    state: (project) => database.read((sql) => state(sql, project)),
    ask: async (project) => {
      await database.write(
        (sql) => sql`insert into suggest_fillings (project) values (${project}) on conflict (project) do nothing`,
      );
    },
    begin: (lease, { settingsVersion, enabledAt, keywordsCreatedAt, lexiconCreatedAt }, total) =>
      write(
        lease,
        (sql) => sql`
        insert into suggest_fillings (project, begun_at, settings_version, enabled_at, keywords_created_at, lexicon_created_at, total)
        select ${lease.project}, clock_timestamp(), ${settingsVersion}::int, ${enabledAt}, ${keywordsCreatedAt}, ${lexiconCreatedAt},
          ${total}::bigint
        where exists (${heldLease(sql, lease)})
        on conflict (project) do update set begun_at = excluded.begun_at, settings_version = excluded.settings_version,
          enabled_at = excluded.enabled_at, keywords_created_at = excluded.keywords_created_at,
          lexicon_created_at = excluded.lexicon_created_at, stage = excluded.stage, cursor = null, done = 0, total = excluded.total
        returning 1`,
      ),
    resourceIds: async (project, after = '00000000-0000-0000-0000-000000000000') => {
      const rows = await database.read(
        (sql) => sql<{ id: string }[]>`
        select id from (
          (select id from documents where project = ${project} and kind = 'product' and id > ${after} order by id limit ${idsMax})
          union
          (select distinct product_id as id from suggest_source where project = ${project} and product_id > ${after}
            order by id limit ${idsMax})
        ) as either order by id limit ${idsMax}`,
      );
      return rows.map(({ id }) => id);
    },
    countResources: (project) =>
      database.read(async (sql) => {
        const [row] = await sql<{ count: number }[]>`
          select count(*)::int as count from documents where project = ${project} and kind = 'product'`;
        return row!.count;
      }),
    texts: (project, page) => database.read((sql) => texts(sql, project, page)),
    countTexts: (project) =>
      database.read(async (sql) => {
        const [row] = await sql<{ count: number }[]>`
          with recursive ${textsAfter(sql, project, undefined)} select count(*)::int as count from texts`;
        return row!.count;
      }),
    advance: (lease, step, sent = []) => write(lease, (sql) => advance(sql, lease, { step, sent })),
    finish: (lease) =>
      write(
        lease,
        (sql) => sql`
        with held as (${heldLease(sql, lease)}), finished as (
          delete from suggest_fillings where project = ${lease.project} and exists (select from held) returning *
        ), pruned as (
          delete from suggest_poison as poison where project = ${lease.project} and exists (select from held) and not exists (
            select from suggest_source as source where source.project = poison.project
              and source.locale = poison.locale and source.hash = poison.hash)
        )
        insert into suggest_indexes (project, settings_version, enabled_at, keywords_created_at, lexicon_created_at)
        select project, settings_version, enabled_at, keywords_created_at, lexicon_created_at from finished
        on conflict (project) do update set settings_version = excluded.settings_version, enabled_at = excluded.enabled_at,
          keywords_created_at = excluded.keywords_created_at, lexicon_created_at = excluded.lexicon_created_at
        returning 1`,
      ),
    forget: (lease) => database.write((sql) => forget(sql, lease)),
  };
}

interface StateRow {
  readonly filled: FilledIndexes | null;
  readonly filling: (Omit<Filling, 'indexes' | 'cursor'> & Pick<IndexingRow, 'cursor'> & FilledIndexes) | null;
}

interface IndexingRow {
  readonly cursor: readonly string[] | null;
}

async function state(sql: Sql, project: string): Promise<IndexingState> {
  const indexes = sql`'settingsVersion', settings_version, 'enabledAt', enabled_at,
    'keywordsCreatedAt', keywords_created_at, 'lexiconCreatedAt', lexicon_created_at`;
  const [row] = await sql<StateRow[]>`
    select (select json_build_object(${indexes}) from suggest_indexes where project = ${project}) as filled,
      (select json_build_object(${indexes}, 'stage', stage, 'cursor', cursor, 'done', done, 'total', total)
        from suggest_fillings where project = ${project}) as filling`;
  const { filled, filling } = row!;
  if (filling === null) return { filled: filled ?? undefined, filling: undefined };
  const { stage, cursor, done, total, ...second } = filling;
  // All columns of the second indexes are null together.
  const isBegun = (second.keywordsCreatedAt as string | null) !== null;
  return {
    filled: filled ?? undefined,
    filling: { indexes: isBegun ? second : undefined, stage, cursor: cursor ?? undefined, done, total },
  };
}

/** A part of a statement: the locales and hashes of all texts behind one, in their order, found one by one. */
function textsAfter(sql: Sql, project: string, after: readonly string[] | undefined): ReturnType<Sql> {
  const [locale = '', hash = ''] = after ?? [];
  return sql`texts as (
    (select locale, hash from suggest_source where project = ${project} and (locale, hash) > (${locale}, ${hash})
      order by project, locale, hash limit 1)
    union all
    select next.* from texts, lateral (
      select source.locale, source.hash from suggest_source as source
      where source.project = ${project} and (source.locale, source.hash) > (texts.locale, texts.hash)
      order by source.project, source.locale, source.hash limit 1
    ) as next
  )`;
}

async function texts(sql: Sql, project: string, { after, limit }: TextsPage): Promise<readonly KeywordState[]> {
  const rows = await sql<KeywordState[]>`
    with recursive ${textsAfter(sql, project, after)}, asked as materialized (
      select locale, hash from texts limit ${limit}
    ), ${keywordStates(sql, project)} order by locale, hash`;
  return rows;
}

async function advance(
  sql: Sql,
  { project, ...lease }: Lease,
  { step, sent }: { readonly step: FillingStep; readonly sent: readonly Sent<KeywordState>[] },
): Promise<readonly unknown[]> {
  const { stage, cursor, count, total, clearsDirty = false } = step;
  const rows = JSON.stringify(sent.flatMap(({ texts }) => texts.map(({ locale, hash }) => ({ locale, hash }))));
  return sql`
    with held as (${heldLease(sql, { project, ...lease })}), ${keywordsCleared(sql, project, sent)}, again as (
      insert into suggest_dirty as dirty (project, locale, hash)
      select distinct ${project}, locale, hash from jsonb_to_recordset(${rows}::text::jsonb) as row (locale text, hash text)
      where not exists (select from held)
      on conflict (project, locale, hash) do update set generation = dirty.generation + 1, keywords = true, lexicon = true
    ), cleared as (
      delete from suggest_dirty where ${clearsDirty} and project = ${project} and exists (select from held)
    )
    update suggest_fillings set
      cursor = ${cursor === undefined ? null : [...cursor]}::text[],
      done = case when stage = ${stage} then done + ${count} else 0 end,
      total = coalesce(${total ?? null}::bigint, total),
      stage = ${stage}
    where project = ${project} and exists (select from held)
    returning 1`;
}

async function forget(sql: Sql, lease: Lease): Promise<boolean> {
  const { project } = lease;
  const [row] = await sql<{ count: number }[]>`
    with held as (${heldLease(sql, lease)}), forgotten as (
      delete from suggest_source where exists (select from held) and ctid = any (array(
        select ctid from suggest_source where project = ${project} limit ${forgottenMax}))
      returning 1
    ), dirty as (
      delete from suggest_dirty where project = ${project} and exists (select from held)
    ), poison as (
      delete from suggest_poison where project = ${project} and exists (select from held)
    ), filling as (
      delete from suggest_fillings where project = ${project} and exists (select from held)
        and not exists (select from suggest_source where project = ${project} offset ${forgottenMax})
    ), filled as (
      delete from suggest_indexes where project = ${project} and exists (select from held)
        and not exists (select from suggest_source where project = ${project} offset ${forgottenMax})
    )
    select (select count(*) from forgotten)::int as count from held`;
  if (row === undefined) throw new Error(`The lease on ${lease.topic} of ${project} is another's`);
  return row.count < forgottenMax;
}

/** What is left of the fillings, for which the present indexes go on answering. */
export async function fillingBacklog(sql: Sql): Promise<readonly Backlog[]> {
  return sql<Backlog[]>`
    select project, 'suggest' as topic,
      case stage when 'products' then 'products to read for new indexes' else 'texts for new indexes' end as of,
      greatest(total - done, 0)::int as count,
      extract(epoch from clock_timestamp() - coalesce(begun_at, asked_at))::float8 as "oldestSeconds"
    from suggest_fillings order by project limit ${projectsMax}`;
}
