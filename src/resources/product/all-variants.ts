/** The variants of a projection of a product, however much of them is known. */

interface Sided<V> {
  readonly masterVariant: V;
  readonly variants: readonly V[];
}

/** The master variant is the first. */
export function allVariants<V>({ masterVariant, variants }: Sided<V>): readonly V[] {
  return [masterVariant, ...variants];
}

/** The SKUs of these projections, each once. */
export function skusIn(...data: readonly Sided<{ readonly sku?: string | undefined }>[]): readonly string[] {
  return [...new Set(data.flatMap(allVariants).flatMap(({ sku }) => sku ?? []))];
}
