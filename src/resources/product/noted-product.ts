/** Of which product the parts are that were read of it, which they do not say themselves. */

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

/** Undefined for parts that were read of no product, such as those that a search shows alone. */
export function notedProduct(part: object): NotedProduct | undefined {
  return products.get(part);
}

/** Throws for a variant that nobody has noted, which would otherwise have the prices of another mode. */
export function priceModeOf(variant: object): NotedProduct['priceMode'] {
  const product = products.get(variant);
  if (product === undefined) throw new Error('It was not noted of which product a variant is');
  return product.priceMode;
}
