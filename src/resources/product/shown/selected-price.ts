import type { Gathering } from '../../../engine/resource.ts';
import { apiError } from '../../../errors/api-error.ts';
import { isAmong } from '../../../fields/picking.ts';
import { selectPrice } from '../../../pricing/select-price.ts';
import { givenWithoutCurrency, type PriceParameters } from '../../../product-search/showing.ts';
import type { Price } from '../price.ts';
import type { PriceOfSku } from './others.ts';

/** Throws InvalidInput for a selection without a currency. */
export function requireCurrency(given: PriceParameters): void {
  const name = givenWithoutCurrency(given);
  if (name !== undefined)
    throw apiError('InvalidInput', `The parameter ${name} selects prices only together with priceCurrency.`);
}

/** When a price is selected. */
export interface Clock {
  readonly now: string;
  /** It may be another at this moment, in milliseconds. */
  noteUntil(ms: number): void;
}

export function clockOf({ context: { now }, noteUntil }: Pick<Gathering, 'context' | 'noteUntil'>): Clock {
  return { now, noteUntil };
}

/**
 * The price for who asks, of those that a variant has; undefined without one. From the next moment at which one of them
 * begins or ends it may be another.
 */
export function selectedPrice(
  prices: readonly Price[],
  selection: PriceParameters,
  { now, noteUntil }: Clock,
): Price | undefined {
  const { priceCurrency: currency, priceCountry: country, priceChannel: channel } = selection;
  if (currency === undefined) return undefined;
  for (const { value, validFrom, validUntil } of prices) {
    if (value.currencyCode !== currency) continue;
    for (const border of [validFrom, validUntil])
      if (border !== undefined && border > now) noteUntil(Date.parse(border));
  }
  const { priceCustomerGroup, priceCustomerGroupAssignments } = selection;
  const customerGroups = {
    has: (id: string) => id === priceCustomerGroup || isAmong(id, priceCustomerGroupAssignments),
  };
  return selectPrice(
    prices,
    { currency, customerGroups, ...(country !== undefined && { country }), ...(channel !== undefined && { channel }) },
    now,
  );
}

/** The prices that a variant has by the mode of its product. */
export function candidatesOf(
  { sku, prices }: { readonly sku?: string; readonly prices: readonly Price[] },
  priceMode: 'Embedded' | 'Standalone',
  standalone: ReadonlyMap<string, readonly PriceOfSku[]>,
): readonly Price[] {
  if (priceMode !== 'Standalone') return prices;
  return sku === undefined ? [] : embedded(standalone.get(sku) ?? []);
}

/** By the prices of an SKU, which a query may ask for under many names. */
const embeddings = new WeakMap<readonly PriceOfSku[], readonly Price[]>();

/** The active ones in the form of prices that stand in a product (catalog 35). */
function embedded(prices: readonly PriceOfSku[]): readonly Price[] {
  let known = embeddings.get(prices);
  if (known === undefined) embeddings.set(prices, (known = embeddingOf(prices)));
  return known;
}

function embeddingOf(prices: readonly PriceOfSku[]): readonly Price[] {
  return prices
    .filter(({ active }) => active)
    .map(({ id, key, value, country, customerGroup, channel, validFrom, validUntil, discounted, tiers, custom }) => {
      const given = {
        id,
        key,
        value,
        country,
        customerGroup,
        channel,
        validFrom,
        validUntil,
        discounted,
        tiers,
        custom,
      };
      // Without the members that it lacks.
      return Object.fromEntries(Object.entries(given).filter(([, member]) => member !== undefined)) as Price;
    });
}
