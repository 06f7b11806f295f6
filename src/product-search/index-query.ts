/** What is asked of an index of products, in the same form for both languages. Plain data, which can be sent as JSON. */
import type { Expression } from './condition.ts';
import type { Side } from './document.ts';
import type { ProjectionFacet } from './facet.ts';
import type { FacetResult } from './facet-results.ts';
import type { ProductFacet, ProductFacetResult } from './query-facets.ts';
import type { Sort } from './sort.ts';

export interface IndexQuery {
  /** Of `current` only published products are there. */
  readonly side: Side;
  /** What is looked for. Its tests make the score. */
  readonly query: Expression;
  /** What of that is found. Judged anew at the products that meet `query`; says the query again where one variant has to meet both. */
  readonly narrowedBy: Expression;
  readonly facets: readonly IndexFacet[];
  /** Never empty. Where all say the same, products go by id. */
  readonly sorts: readonly Sort[];
  readonly offset: number;
  readonly limit: number;
  /** Has each result say which of its variants meet this; undefined where nobody asks. */
  readonly matching: Expression | undefined;
  /** Which price of a variant the paths `scopedPrice` mean; without one they lead to nothing. */
  readonly prices: SelectedPrices | undefined;
}

/** A facet of either language, and what the products meet that it counts; undefined for those that the query finds. */
export type IndexFacet =
  | { readonly language: 'projection'; readonly facet: ProjectionFacet; readonly counted: Expression | undefined }
  | { readonly language: 'product'; readonly facet: ProductFacet; readonly counted: Expression | undefined };

/** A selection of prices (catalog 31 to 34), at a moment. */
export interface SelectedPrices {
  readonly now: string;
  readonly currency: string;
  readonly country: string | undefined;
  /** Ids, in any order. */
  readonly customerGroups: readonly string[];
  readonly channel: string | undefined;
  /** Prices for other countries and channels than these are left out, as a store says; undefined for any (catalog 41). */
  readonly countries: readonly string[] | undefined;
  readonly channels: readonly string[] | undefined;
}

export interface IndexAnswer {
  readonly total: number;
  readonly results: readonly IndexResult[];
  /** In the order of the facets. */
  readonly facets: readonly (FacetResult | ProductFacetResult)[];
}

export interface IndexResult {
  readonly id: string;
  /** The variants that match, where that was asked. */
  readonly matching?: {
    readonly isAll: boolean;
    readonly variants: readonly { readonly id: number; readonly sku?: string }[];
  };
}
