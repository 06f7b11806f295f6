/** What a store shows of a product that is copied into its carts. */
import type { Fixed } from '../../../engine/document.ts';
import { limitsOf } from '../../../pricing/store-prices.ts';
import type { Store } from '../../store/fields.ts';
import type { Variant } from '../variant.ts';
import { type KeepTexts, keepTexts, keepVariantTexts } from './locales.ts';
import { pricesIn } from './projected.ts';

/** What is copied of a product, as its owner's own. */
export interface ProductCopy {
  readonly name: Record<string, string>;
  readonly productSlug?: Record<string, string>;
  readonly variant: Variant;
}

/**
 * Leaves in the copy the prices of the store, and of texts what is in its languages (catalog 40, 41). A text in none of them
 * keeps the first of the project's `languages` that it is in, for lines are shown long after their product may have gone.
 */
export function keepForStore(
  { name, productSlug, variant }: ProductCopy,
  store: Fixed<Store>,
  languages: readonly string[],
): void {
  variant.prices = pricesIn(limitsOf(store), variant.prices);
  if (store.languages.length === 0) return;
  const locales = new Set(store.languages);
  const keep: KeepTexts = (texts) => {
    if (Object.keys(texts).some((locale) => locales.has(locale))) return keepTexts(texts, locales);
    const first = languages.find((locale) => Object.hasOwn(texts, locale));
    if (first !== undefined) keepTexts(texts, new Set([first]));
  };
  keep(name);
  if (productSlug !== undefined) keep(productSlug);
  keepVariantTexts(variant, keep);
}
