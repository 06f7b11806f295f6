/** Which prices a store has: those for a country and a channel of it, or for any (catalog 41). */

/** Undefined where the store has none, which filters nothing. */
export interface StoreLimits {
  readonly countries: readonly string[] | undefined;
  /** Ids of its distribution channels. */
  readonly channels: readonly string[] | undefined;
}

interface PricingStore {
  readonly countries: readonly { readonly code: string }[];
  readonly distributionChannels: readonly { readonly id: string }[];
}

/** Without a store nothing is limited. */
export function limitsOf(store: PricingStore | undefined): StoreLimits {
  return {
    countries: filled(store?.countries.map(({ code }) => code)),
    channels: filled(store?.distributionChannels.map(({ id }) => id)),
  };
}

function filled(values: readonly string[] | undefined): readonly string[] | undefined {
  return values === undefined || values.length === 0 ? undefined : values;
}

/** Of a price its country and the id of its channel; undefined is any. */
export function isSoldAt(
  { countries, channels }: StoreLimits,
  country: string | undefined,
  channel: string | undefined,
): boolean {
  if (country !== undefined && countries?.includes(country) === false) return false;
  return channel === undefined || channels?.includes(channel) !== false;
}

interface SoldPrice {
  readonly country?: string;
  readonly channel?: { readonly id: string };
}

/** Those that are sold where the limits are. */
export function pricesIn<P extends SoldPrice>(limits: StoreLimits, prices: readonly P[]): P[] {
  return prices.filter(({ country, channel }) => isSoldAt(limits, country, channel?.id));
}
