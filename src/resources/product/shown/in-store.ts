/** What a store shows of a product that is copied into its carts. */
import type { Fixed } from '../../../engine/document.ts';
import { limitsOf, pricesIn } from '../../../pricing/store-prices.ts';
import type { Store } from '../../store/fields.ts';
import type { Variant } from '../variant.ts';
import { keepTexts } from './locales.ts';

/** What is copied of a product, as its owner's own. */
export interface ProductCopy {
  readonly name: Record<string, string>;
  readonly productSlug?: Record<string, string>;
  readonly variant: Pick<Variant, 'prices'>;
}

/**
 * Leaves in the copy the prices of the store, and of name and slug what is in its languages (catalog 40, 41). A text in none
 * of them keeps the first of the project's `languages` that it is in, for lines are shown long after their product may have
 * gone. Attributes are copied whole: discounts, codes and shipping methods ask for their texts in any language.
 */
export function keepForStore(
  { name, productSlug, variant }: ProductCopy,
  store: Fixed<Store>,
  languages: readonly string[],
): void {
  variant.prices = pricesIn(limitsOf(store), variant.prices);
  if (store.languages.length === 0) return;
  for (const text of productSlug === undefined ? [name] : [name, productSlug])
    keepTexts(text, shownLocales(text, store.languages, languages));
}

function shownLocales(
  text: Readonly<Record<string, string>>,
  ofStore: readonly string[],
  languages: readonly string[],
): ReadonlySet<string> {
  const own = ofStore.filter((locale) => Object.hasOwn(text, locale));
  if (own.length > 0) return new Set(own);
  const first = languages.find((locale) => Object.hasOwn(text, locale));
  return new Set(first === undefined ? Object.keys(text) : [first]);
}
