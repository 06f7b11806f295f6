/** Of which product, and in which store, the parts are that were read of it, which they do not say themselves. */
import type { StoreLimits } from '../../pricing/store-prices.ts';

export interface NotedProduct {
  readonly priceMode: 'Embedded' | 'Standalone';
  /** Of what describes the attributes. */
  readonly productTypeId: string;
}

/** By projections and variants. */
const products = new WeakMap<object, NotedProduct>();

export function noteProduct(parts: readonly object[], product: NotedProduct): void {
  for (const part of parts) products.set(part, product);
}

/** Which prices and whose stock a store has; without suppliers everybody's. */
export interface NotedStore {
  readonly limits: StoreLimits;
  readonly suppliers: ReadonlySet<string> | undefined;
}

/** By variants that are seen in a store. */
const stores = new WeakMap<object, NotedStore>();

export function noteStore(variants: readonly object[], store: NotedStore): void {
  for (const variant of variants) stores.set(variant, store);
}

export function notedStore(variant: object): NotedStore | undefined {
  return stores.get(variant);
}

/** Undefined for parts that were read of no product, such as those that a search shows alone. */
export function notedProduct(part: object): NotedProduct | undefined {
  return products.get(part);
}

/** A copy, such as that of a line item, is of no product that was read: it has its own prices, or none but those that stand alone. */
export function priceModeOf(variant: { readonly prices?: readonly unknown[] }): NotedProduct['priceMode'] {
  const hasOwn = variant.prices !== undefined && variant.prices.length > 0;
  return notedProduct(variant)?.priceMode ?? (hasOwn ? 'Embedded' : 'Standalone');
}
