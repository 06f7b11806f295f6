import type { KeywordState, Sent } from '../search/keyword-source.ts';
import type { Sql } from './connection.ts';

/**
 * The end of a statement, after `with recursive asked as materialized (…)` with the locales and hashes of texts, and what
 * else is to be given of them. Of the rows of a text one of each variant is read, however many resources share it.
 */
export function keywordStates(sql: Sql, project: string): ReturnType<Sql> {
  const first = sql`
    select text, variant, current, staged from suggest_source as source
    where source.project = ${project} and source.locale = asked.locale and source.hash = asked.hash
    order by source.project, source.locale, source.hash, source.variant limit 1`;
  const next = sql`
    select text, variant, current, staged from suggest_source as source
    where source.project = ${project} and source.locale = variants.locale and source.hash = variants.hash
      and source.variant > variants.variant
    order by source.project, source.locale, source.hash, source.variant limit 1`;
  return sql`variants as (
      select asked.locale, asked.hash, first.* from asked, lateral (${first}) as first
      union all
      select variants.locale, variants.hash, next.* from variants, lateral (${next}) as next
    )
    select asked.*, coalesce(states.text, '') as text,
      coalesce(states.current, '[]') as current, coalesce(states.staged, '[]') as staged
    from asked left join (
      select locale, hash, min(text) as text,
        jsonb_agg(distinct offered.current) filter (where offered.current is not null) as current,
        jsonb_agg(distinct offered.staged) filter (where offered.staged is not null) as staged
      from variants left join lateral unnest(variants.current, variants.staged) as offered (current, staged) on true
      group by locale, hash
    ) as states using (locale, hash)`;
}

/** Parts of a statement that has `held`: texts that were refused are noted, and those that were taken are forgotten. */
export function keywordsCleared(sql: Sql, project: string, sent: readonly Sent<KeywordState>[]): ReturnType<Sql> {
  const rows = (texts: Sent<KeywordState>['texts'], name: string): object[] =>
    texts.map(({ locale, hash }) => ({ index_name: name, locale, hash }));
  const refused = sent.flatMap(({ index, refused }) =>
    refused.map(({ keyword: { locale, hash }, error }) => ({ index_name: index, locale, hash, error })),
  );
  const refusedNames = new Set(refused.map(({ index_name, locale, hash }) => `${index_name}/${locale}/${hash}`));
  const taken = sent
    .flatMap(({ index, texts }) => rows(texts, index) as { index_name: string; locale: string; hash: string }[])
    .filter(({ index_name, locale, hash }) => !refusedNames.has(`${index_name}/${locale}/${hash}`));
  return sql`pardoned as (
      delete from suggest_poison as poison using
        jsonb_to_recordset(${JSON.stringify(taken)}::text::jsonb) as taken (index_name text, locale text, hash text)
      where exists (select from held) and poison.project = ${project} and poison.index_name = taken.index_name
        and poison.locale = taken.locale and poison.hash = taken.hash
    ), refused as (
      insert into suggest_poison as poison (project, locale, hash, index_name, error)
      select distinct on (locale, hash) ${project}, locale, hash, index_name, error from
        jsonb_to_recordset(${JSON.stringify(refused)}::text::jsonb) as refused (index_name text, locale text, hash text, error text)
      where exists (select from held)
      on conflict (project, locale, hash) do update set index_name = excluded.index_name, error = excluded.error
    )`;
}
