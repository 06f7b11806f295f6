import type { IndexQuery } from '../../src/product-search/index-query.ts';
import { parseObject } from '../../src/fields/object.ts';
import { Parsing } from '../../src/fields/parsing.ts';
import { type ProductSearch, productSearch, productSearchFields } from '../../src/product-search/products-search.ts';
import {
  projectionIndexQuery,
  type ProjectionSearch,
  projectionSearch,
  searchParameters,
} from '../../src/product-search/projection-search.ts';

/** A search of projections, by its parameters as the adapters give them. */
export function projectionSearchOf(parameters: unknown): ProjectionSearch {
  const parsing = new Parsing();
  const parsed = parseObject(searchParameters, parameters, parsing);
  parsing.settle();
  return projectionSearch(parsed!);
}

/** A search of products, by its body. */
export function productSearchOf(body: unknown): ProductSearch {
  const parsing = new Parsing();
  const parsed = parseObject(productSearchFields, body, parsing);
  parsing.settle();
  return productSearch(parsed!);
}

/** What an index is asked for the current products that a search of projections finds. */
export function queryOf(parameters: object): IndexQuery {
  return projectionIndexQuery(projectionSearchOf(parameters), { staged: false }, undefined);
}
