/** The projections of a product and their variants, however much of them is known. */

/** Both projections, of which those who see what is published alone have one. */
export function sidesIn<D>({
  current,
  staged,
}: {
  readonly current?: D | undefined;
  readonly staged?: D | undefined;
}): readonly D[] {
  return [current, staged].filter((data) => data !== undefined);
}

export interface Sided<V> {
  readonly masterVariant: V;
  readonly variants: readonly V[];
}

/** The master variant is the first. */
export function allVariants<V>({ masterVariant, variants }: Sided<V>): readonly V[] {
  return [masterVariant, ...variants];
}

interface Described<A> {
  readonly attributes: readonly A[];
}

/** The variant as it is sold: with the attributes of the product before its own. */
export function withProductAttributes<A, V extends Described<A>>(variant: V, data: Described<A>): V {
  return { ...variant, attributes: [...data.attributes, ...variant.attributes] };
}

/** The SKUs of these projections, each once. */
export function skusIn(...data: readonly Sided<{ readonly sku?: string | undefined }>[]): readonly string[] {
  return [...new Set(data.flatMap(allVariants).flatMap(({ sku }) => sku ?? []))];
}
