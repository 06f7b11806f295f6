/** Which variants of a product a search has marked, for the projections that were read of it. */

/** As a search of products answers. */
export interface MatchingVariants {
  readonly allMatched: boolean;
  readonly matchedVariants: readonly { readonly id: number }[];
}

interface Marked {
  readonly masterData: Readonly<Record<string, unknown>> & { readonly current: object };
}

const known = new WeakMap<object, MatchingVariants>();

/** The product as it was found: what is current of it knows which variants match. What was read is shared, so it is a copy. */
export function markedProduct(product: object, matching: MatchingVariants): object {
  // Those who see products see what is current of them.
  const { masterData } = product as Marked;
  const current = { ...masterData.current };
  known.set(current, matching);
  return { ...product, masterData: { ...masterData, current } };
}

/** Without a search that marked it, no variant matches. */
export function isMatchingVariant(data: object, { id }: { readonly id: number }): boolean {
  const matching = known.get(data);
  if (matching === undefined) return false;
  return matching.allMatched || matching.matchedVariants.some((matched) => matched.id === id);
}
