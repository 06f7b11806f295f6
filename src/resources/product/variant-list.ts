import { invalidOperation } from '../../engine/actions.ts';
import type { Product, ProductData } from './fields.ts';
import { allVariants } from './all-variants.ts';
import type { Variant } from './variant.ts';

/** Puts a variant in the place of the one with its id. */
export function replaceVariant(data: ProductData, variant: Variant): void {
  if (data.masterVariant.id === variant.id) data.masterVariant = variant;
  else data.variants = data.variants.map((other) => (other.id === variant.id ? variant : other));
}

export function removeVariant(data: ProductData, { id }: Variant): void {
  if (data.masterVariant.id === id) throw invalidOperation(`The variant ${id} is the master variant, which stays.`);
  data.variants = data.variants.filter((other) => other.id !== id);
}

/** The master variant before goes to the front of the others. */
export function makeMaster(data: ProductData, variant: Variant): void {
  if (data.masterVariant.id === variant.id) return;
  const others = data.variants.filter(({ id }) => id !== variant.id);
  data.variants = [data.masterVariant, ...others];
  data.masterVariant = variant;
}

/**
 * The highest id that a variant of the product ever had (catalog 18). While no variant was removed, one of those that are
 * there has it.
 */
export function lastVariantId(
  { masterData: { current, staged } }: Pick<Product, 'masterData'>,
  internals: Readonly<Record<string, unknown>>,
): number {
  const kept = typeof internals['lastVariantId'] === 'number' ? internals['lastVariantId'] : 0;
  return [...allVariants(current), ...allVariants(staged)].reduce((last, { id }) => Math.max(last, id), kept);
}

/** Keeps the highest id, before the variant that has it may go. */
export function keepLastVariantId(product: Product, internals: Record<string, unknown>): void {
  internals['lastVariantId'] = lastVariantId(product, internals);
}
