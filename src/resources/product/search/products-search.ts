/** Search of products (catalog 66 to 70), as REST has it. */
import { endpoint } from '../../../engine/endpoint.ts';
import { commaSeparated, concat, type Json } from '../../../engine/json.ts';
import type { Engine } from '../../../engine/resource.ts';
import { plainOutput } from '../../../fields/field.ts';
import type { IndexResult } from '../../../product-search/index-query.ts';
import {
  productIndexQuery,
  type ProductSearch,
  productSearch,
  productSearchFields,
} from '../../../product-search/products-search.ts';
import { productsSearchSchema } from './answer-schemas.ts';
import { type Asking, foundProjections, requireAllowed, selectedPrices } from './found-projections.ts';
import { keepShortly, requireProductSearcher } from './readiness.ts';

export const searchProductsEndpoint = endpoint({
  path: 'search',
  method: 'POST',
  scopes: ['view_published_products'],
  body: productSearchFields,
  answer: { output: plainOutput('Json'), schema: productsSearchSchema },
  summary: 'Search what is current of published products.',
  failures: ['ObjectNotFound', 'SearchNotReady', 'SearchExecutionFailure'],
  run: (engine, { body, ...asking }) => searchProducts(engine, asking, productSearch(body)),
});

/** A page of ids, and of projections where these were asked for; without those that have gone since. */
export async function searchProducts(engine: Engine, asking: Asking, search: ProductSearch): Promise<Json> {
  const { context } = asking;
  const { expand = [], staged = false, ...shownAs } = search.projection ?? {};
  const shownBy = { ...shownAs, staged };
  if (search.projection !== undefined) {
    requireAllowed(asking, shownBy);
    // Nothing is searched by these prices, but the store has to be there.
    await selectedPrices(engine, context, { shownBy, pricedAt: context.now });
  }
  const searcher = requireProductSearcher(engine.searcher, context.project.settings);
  keepShortly(engine);
  const { total, results, facets } = await searcher.search(context, productIndexQuery(search));
  const marksMatching = search.marksMatchingVariants;
  const projections =
    search.projection === undefined
      ? undefined
      : await foundProjections(engine, asking, { results: unmarked(results), shownBy, expand, pricedAt: context.now });
  const byId = projections && new Map(projections.map(({ id, json }) => [id, json]));
  const there = byId === undefined ? results : results.filter(({ id }) => byId.has(id));
  const shown = there.map((result) => resultJson(result, { marksMatching, projection: byId?.get(result.id) }));
  const { limit, offset } = search;
  return concat([
    `{"total":${total},"offset":${offset},"limit":${limit},"facets":${JSON.stringify(facets)},"results":[`,
    ...commaSeparated(shown),
    ']}',
  ]);
}

/** Projections mark nothing here, for matching variants stand beside them. */
function unmarked(results: readonly IndexResult[]): readonly IndexResult[] {
  return results.map(({ id }) => ({ id }));
}

interface Shown {
  readonly marksMatching: boolean;
  readonly projection: Json | undefined;
}

function resultJson({ id, matching }: IndexResult, { marksMatching, projection }: Shown): Json {
  const { isAll, variants } = matching ?? { isAll: true, variants: [] };
  const matched = { allMatched: isAll, matchedVariants: isAll ? [] : variants };
  const head = JSON.stringify({ id, ...(marksMatching && { matchingVariants: matched }) });
  return projection === undefined ? head : concat([`${head.slice(0, -1)},"productProjection":`, projection, '}']);
}
