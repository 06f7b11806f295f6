import { projectKind } from '../engine/projects.ts';
import type { Sql } from './connection.ts';

/** What a platform searches with. */
export interface SearchParts {
  /** There is a search engine, which suggests; without one nobody waits for suggestions. */
  readonly hasSuggestions: boolean;
}

const everyPart: SearchParts = { hasSuggestions: true };

/**
 * Parts of statements about a row of `projects`: whether a search of the project is on, or is to be, and whether one waits
 * for nothing any more. Product search needs the documents of all products, and the search of projections the suggestions as
 * well.
 */
export function searchConditions(sql: Sql, { hasSuggestions: isSuggesting }: SearchParts = everyPart) {
  const isOf = (search: 'products' | 'productsSearch', ...statuses: string[]): ReturnType<Sql> => {
    const path = ['searchIndexing', search, 'status'];
    return sql`coalesce(data #>> ${path}::text[] = any(${statuses}::text[]), false)`;
  };
  const isFilledOnce = sql`exists (select from search_projects where project = key and filled_at is not null)`;
  const hasSuggestions = isSuggesting
    ? sql`exists (select from suggest_indexes where project = key and ready_created_at = keywords_created_at)`
    : sql`true`;
  return {
    isOn: sql`(${isOf('products', 'Activated', 'Indexing')} or ${isOf('productsSearch', 'Activated', 'Indexing')})`,
    isProductsReady: sql`(${isOf('products', 'Indexing')} and ${isFilledOnce} and ${hasSuggestions})`,
    isProductsSearchReady: sql`(${isOf('productsSearch', 'Indexing')} and ${isFilledOnce})`,
  };
}

/** Tells the project which searches have become ready. */
export async function activateSearches(sql: Sql, project: string, parts: SearchParts = everyPart): Promise<void> {
  const { isProductsReady, isProductsSearchReady } = searchConditions(sql, parts);
  const activated = sql`'{"status": "Activated"}'::jsonb`;
  const merged = (search: string): ReturnType<Sql> =>
    sql`jsonb_build_object(${search}::text, data #> ${['searchIndexing', search]}::text[] || ${activated})`;
  await sql`
    with written as (
      update projects set version = version + 1, data = jsonb_set(data, '{searchIndexing}', data -> 'searchIndexing'
        || case when ${isProductsReady} then ${merged('products')} else '{}' end
        || case when ${isProductsSearchReady} then ${merged('productsSearch')} else '{}' end)
      where key = ${project} and (${isProductsReady} or ${isProductsSearchReady})
      returning key, version
    )
    insert into change_log (project, kind, id, version) select key, ${projectKind}, key, version from written`;
}
