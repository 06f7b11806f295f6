import { defaulted, optional, refined, type ValueOf } from '../fields/field.ts';
import { list } from '../fields/list.ts';
import { object } from '../fields/object.ts';
import { boolean, key, text } from '../fields/scalar.ts';
import { atMost, bounded } from './bounded.ts';
import { type Expression, speaksOfVariants } from './condition.ts';
import type { IndexQuery } from './index-query.ts';
import { searchQuery } from './query.ts';
import { type ProductFacet, searchFacet, withNames } from './query-facets.ts';
import { searchSorting } from './query-sort.ts';
import { givenWithoutCurrency, localeProjection, priceParameters } from './showing.ts';
import { byScore, type Sort } from './sort.ts';

const limits = { facets: 50, sorts: 20, page: 100, offset: 10_000 };

const projectionMembers = {
  expand: optional(list(text(['productType']))),
  staged: optional(boolean()),
  ...priceParameters,
  localeProjection,
  storeProjection: optional(key()),
};

/** How the products that are found show as projections. */
type ProjectionWanted = ValueOf<typeof projectionMembers>;

const projectionParameters = refined(
  object('ProductSearchProjectionParams', projectionMembers),
  (given, parsing): ProjectionWanted | undefined => {
    const name = givenWithoutCurrency(given);
    if (name === undefined) return given;
    return parsing.fault(
      'InvalidInput',
      (field) => `The member ${name} of '${field}' selects prices only together with priceCurrency.`,
    );
  },
);

/** The body of a search of products (catalog 66 to 70). */
export const productSearchFields = {
  query: optional(searchQuery),
  sort: defaulted(atMost(limits.sorts, list(searchSorting)), () => []),
  limit: defaulted(bounded({ min: 0, max: limits.page, default: 20 }), () => 20),
  offset: defaulted(bounded({ min: 0, max: limits.offset, default: 0 }), () => 0),
  markMatchingVariants: defaulted(boolean(), () => false),
  productProjectionParameters: optional(projectionParameters),
  facets: defaulted(refined(atMost(limits.facets, list(searchFacet)), withNames), () => []),
  postFilter: optional(searchQuery),
};

/** What a search of products asks for. */
export interface ProductSearch {
  /** What is looked for; judged at a variant it says whether that matches. Facets of the scope `query` count what meets it. */
  readonly query: Expression;
  /** What of that is found. */
  readonly postFilter: Expression;
  readonly facets: readonly ProductFacet[];
  /** Never empty. */
  readonly sorts: readonly Sort[];
  readonly limit: number;
  readonly offset: number;
  readonly marksMatchingVariants: boolean;
  /** Undefined where results are ids alone. */
  readonly projection: ProjectionWanted | undefined;
}

const everything: Expression = { kind: 'all', operands: [] };

export function productSearch(given: ValueOf<typeof productSearchFields>): ProductSearch {
  const { query = everything, postFilter = everything, facets, sort, limit, offset } = given;
  return {
    query,
    postFilter,
    facets,
    sorts: sort.length === 0 ? [byScore] : sort,
    limit,
    offset,
    marksMatchingVariants: given.markMatchingVariants,
    projection: given.productProjectionParameters,
  };
}

/** What an index of products is asked. Of a query that says nothing of variants all match, and none is named (catalog 69). */
export function productIndexQuery(search: ProductSearch): IndexQuery {
  const { query, postFilter, facets, sorts, offset, limit, marksMatchingVariants } = search;
  return {
    side: 'current',
    query,
    narrowedBy: postFilter,
    facets: facets.map((facet) => ({
      language: 'product',
      facet,
      counted: facet.scope === 'all' ? everything : undefined,
    })),
    sorts,
    offset,
    limit,
    matching: marksMatchingVariants && speaksOfVariants(query) ? query : undefined,
    prices: undefined,
  };
}
