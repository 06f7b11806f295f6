/** What a projection shows of a product otherwise than it is stored, or beside it (catalog 31 to 44). */
import { limitsOf, pricesIn } from '../../../pricing/store-prices.ts';
import type { PriceParameters } from '../../../product-search/showing.ts';
import type { Attribute } from '../attribute.ts';
import type { Product, ProductData } from '../fields.ts';
import type { Price } from '../price.ts';
import type { Variant } from '../variant.ts';
import { type Availability, availabilityOf, suppliersOf } from './availability.ts';
import { keepLocales, shownLocales } from './locales.ts';
import type { Others } from './others.ts';
import { candidatesOf, type Clock, selectedPrice } from './selected-price.ts';
import { allVariants } from '../all-variants.ts';

/** The parameters of a projection that say how it shows. */
export interface ShownBy extends PriceParameters {
  readonly localeProjection?: readonly string[];
  readonly storeProjection?: string;
  readonly 'filter[attributes]'?: readonly string[];
}

/** A variant as it shows. */
export interface ShownVariant extends Variant {
  price?: Price;
  availability?: Availability;
}

export interface Showing {
  readonly shownBy: ShownBy;
  readonly others: Others;
  readonly clock: Clock;
  readonly priceMode: Product['priceMode'];
}

/** Changes the data, which is its caller's own. */
export function projected(data: ProductData, { shownBy, others, clock, priceMode }: Showing): void {
  const { store } = others;
  const variants: readonly ShownVariant[] = allVariants(data);
  const limits = store && limitsOf(store);
  const suppliedBy = store && suppliersOf(store);
  for (const variant of variants) {
    const { sku } = variant;
    const candidates = candidatesOf(variant, priceMode, others.standalonePrices);
    if (limits !== undefined) variant.prices = pricesIn(limits, variant.prices);
    const price = selectedPrice(limits === undefined ? candidates : pricesIn(limits, candidates), shownBy, clock);
    if (price !== undefined) variant.price = price;
    const availability = sku === undefined ? undefined : availabilityOf(others.stocks.get(sku) ?? [], suppliedBy);
    if (availability !== undefined) variant.availability = availability;
  }
  keepAttributes(data, shownBy['filter[attributes]']);
  const locales = shownLocales(shownBy.localeProjection, store);
  if (locales.length > 0) keepLocales(data, new Set(locales));
}

/** Names to keep, and with a hyphen before them to leave out, which comes last (catalog 43). */
function keepAttributes(data: ProductData, names: readonly string[] | undefined): void {
  if (names === undefined) return;
  const dropped = new Set(names.filter((name) => name.startsWith('-')).map((name) => name.slice(1)));
  const kept = new Set(names.filter((name) => !name.startsWith('-')));
  const isKept = ({ name }: Attribute): boolean => (kept.size === 0 || kept.has(name)) && !dropped.has(name);
  data.attributes = data.attributes.filter(isKept);
  for (const variant of allVariants(data)) variant.attributes = variant.attributes.filter(isKept);
}
