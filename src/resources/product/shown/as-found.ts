/** What projections show when a search found them, beside what they always show (catalog 34, 62). */
import type { IndexResult } from '../../../product-search/index-query.ts';
import type { ProductData } from '../fields.ts';
import type { Price } from '../price.ts';
import type { ShownVariant } from './projected.ts';
import { allVariants } from '../all-variants.ts';

/** Beside the parameters of a projection. */
export interface AsFound {
  readonly found: {
    /** By id, of products of which variants are marked. */
    readonly matching: ReadonlyMap<string, IndexResult['matching']>;
    /** The moment at which prices are selected. */
    readonly pricedAt: string;
  };
}

type FoundVariant = ShownVariant & {
  isMatchingVariant?: true;
  scopedPrice?: ShownScopedPrice;
  scopedPriceDiscounted?: boolean;
};

type ShownScopedPrice = Omit<Price, 'key' | 'tiers'> & { readonly currentValue: Price['value'] };

/** Changes the data, which is its caller's own. Variants that do not match say nothing. */
export function showAsFound(data: ProductData, matching: IndexResult['matching']): void {
  const marked = new Set(matching?.variants.map(({ id }) => id));
  const variants: readonly FoundVariant[] = allVariants(data);
  for (const variant of variants) {
    if (matching !== undefined && (matching.isAll || marked.has(variant.id))) variant.isMatchingVariant = true;
    if (variant.price === undefined) continue;
    variant.scopedPrice = scopedPrice(variant.price);
    variant.scopedPriceDiscounted = variant.price.discounted !== undefined;
  }
}

function scopedPrice({ key: _key, tiers: _tiers, ...price }: Price): ShownScopedPrice {
  return { ...price, currentValue: price.discounted?.value ?? price.value };
}
