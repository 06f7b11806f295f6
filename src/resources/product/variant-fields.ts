/** What GraphQL says of a variant that stands in other resources: its stock, and the price for who asks. */
import type { Lookups, OutputArguments, OutputField, OutputType } from '../../fields/field.ts';
import type { InventoryEntry } from '../inventory-entry/fields.ts';
import { isAmong } from '../../fields/picking.ts';
import { availabilityTypes } from './availability-types.ts';
import { pricesIn } from '../../pricing/store-prices.ts';
import { notedStore, priceModeOf } from './noted-product.ts';
import type { Price } from './price.ts';
import { type Availability, availabilityOf } from './shown/availability.ts';
import { candidatesOf, selectedPrice } from './shown/selected-price.ts';
import type { PriceOfSku } from './shown/others.ts';

interface Priced {
  readonly sku?: string;
  readonly prices: readonly Price[];
}

const selectors = {
  currency: 'Currency!',
  country: 'Country',
  customerGroupId: 'String',
  customerGroupAssignmentIds: '[String!]',
  channelId: 'String',
  date: 'DateTime',
};

type Selecting = Readonly<{ [Name in keyof typeof selectors]?: string | null }> & {
  readonly customerGroupAssignmentIds?: readonly string[] | null;
};

/** So few prices and groups are looked at without a turn, and in most variants at once. */
const fewPrices = 20;

/** The price for who asks. */
export const price: OutputField = {
  name: 'price',
  type: 'ProductPrice',
  args: selectors,
  complexity: 5,
  read: () => undefined,
  looksUp: (parent, args, lookups) => {
    // Stored variants were parsed by their kind, and the schema has typed the arguments.
    const variant = parent as unknown as Priced;
    const sku = priceModeOf(variant) === 'Standalone' ? variant.sku : undefined;
    if (sku === undefined && pricesAndGroups(variant, args) <= fewPrices)
      return priceFor(variant, args, { alone: [], lookups });
    return priceInTurn(variant, args, { sku, lookups });
  },
};

function pricesAndGroups({ prices }: Priced, { customerGroupAssignmentIds: groups }: Selecting): number {
  return prices.length + (groups?.length ?? 0);
}

/** `sku` is that of prices that stand alone. */
async function priceInTurn(
  variant: Priced,
  given: Selecting,
  { sku, lookups }: { readonly sku: string | undefined; readonly lookups: Lookups },
): Promise<Price | undefined> {
  const alone = sku === undefined ? [] : await lookups.grouped('standalone-price', 'sku', sku);
  const candidates = sku === undefined ? variant.prices : alone;
  const groups = given.customerGroupAssignmentIds ?? [];
  if (!(await lookups.goesThrough(candidates.length + groups.length))) return undefined;
  // Stored prices were parsed by their kind.
  return priceFor(variant, given, { alone: alone as unknown as readonly PriceOfSku[], lookups });
}

/** `alone` has the prices of the SKU that stand alone. */
function priceFor(
  variant: Priced,
  { currency, country, customerGroupId, customerGroupAssignmentIds: groups, channelId, date }: Selecting,
  { alone, lookups }: { readonly alone: readonly PriceOfSku[]; readonly lookups: Lookups },
): Price | undefined {
  const selection = {
    priceCurrency: currency!,
    ...(typeof country === 'string' && { priceCountry: country }),
    ...(typeof customerGroupId === 'string' && { priceCustomerGroup: customerGroupId }),
    ...(Array.isArray(groups) && { priceCustomerGroupAssignments: groups as string[] }),
    ...(typeof channelId === 'string' && { priceChannel: channelId }),
  };
  const { sku } = variant;
  const candidates = candidatesOf(variant, priceModeOf(variant), new Map(sku === undefined ? [] : [[sku, alone]]));
  const store = notedStore(variant);
  return selectedPrice(store === undefined ? candidates : pricesIn(store.limits, candidates), selection, {
    now: typeof date === 'string' ? new Date(date).toISOString() : lookups.now,
    // What was at another moment stays as it was.
    noteUntil: typeof date === 'string' ? () => {} : lookups.noteUntil,
  });
}

const availability: OutputField = {
  name: 'availability',
  type: 'ProductVariantAvailabilityWithChannels',
  complexity: 5,
  read: () => undefined,
  looksUp: async (variant, _, lookups) => {
    const { sku } = variant;
    const entries = typeof sku === 'string' ? await lookups.grouped('inventory-entry', 'sku', sku) : [];
    // Stored entries were parsed by their kind.
    return seenIn(entries as unknown as readonly InventoryEntry[], notedStore(variant)?.suppliers);
  },
};

/** What there is by the entries of an SKU, as a request reads them once, and by the suppliers that count. */
const seen = new WeakMap<readonly InventoryEntry[], WeakMap<object, Availability>>();
/** In place of suppliers where all count. */
const everybody = {};

/**
 * The same object each time, for it may be asked for under many names: what is made of its channels is kept by it, as it is
 * kept by the entries and the set of suppliers.
 */
function seenIn(
  entries: readonly InventoryEntry[],
  suppliers: ReadonlySet<string> | undefined,
): Availability | undefined {
  let known = seen.get(entries);
  if (known === undefined) seen.set(entries, (known = new WeakMap()));
  const whose = suppliers ?? everybody;
  const before = known.get(whose);
  if (before !== undefined) return before;
  const made = availabilityOf(entries, suppliers);
  if (made !== undefined) known.set(whose, made);
  return made;
}

/** To look up the stock of a variant takes as long as to go through so many elements. */
const stockElements = 10;

/** Channels alone pick nothing: they say where the stock is looked at. */
export function picksByStock({ isOnStock }: OutputArguments): boolean {
  return typeof isOnStock === 'boolean';
}

/** Variants that are on stock, or those that are not: in one of the channels where some are named, or without a channel. */
export async function pickedByStock<V extends { readonly sku?: string }>(
  variants: readonly V[],
  { isOnStock, stockChannelIds }: OutputArguments,
  lookups: Lookups,
): Promise<readonly V[]> {
  const counts = ({ supplyChannel }: InventoryEntry): boolean =>
    Array.isArray(stockChannelIds) ? isAmong(supplyChannel?.id, stockChannelIds) : supplyChannel === undefined;
  if (!(await lookups.goesThrough(variants.length * stockElements))) return [];
  const stocks = await Promise.all(
    variants.map(async ({ sku }) => (sku === undefined ? [] : lookups.grouped('inventory-entry', 'sku', sku))),
  );
  if (!(await lookups.goesThrough(stocks.reduce((sum, { length }) => sum + length, 0)))) return [];
  return variants.filter((variant, index) => {
    const suppliers = notedStore(variant)?.suppliers;
    const isSeen = ({ supplyChannel }: InventoryEntry): boolean =>
      supplyChannel === undefined || suppliers?.has(supplyChannel.id) !== false;
    // Stored entries were parsed by their kind.
    const entries = stocks[index] as unknown as readonly InventoryEntry[];
    return isOnStock === entries.some((entry) => counts(entry) && isSeen(entry) && entry.availableQuantity > 0);
  });
}

export const variantFieldsOfOthers: readonly OutputField[] = [price, availability];

export const variantTypesOfOthers = (): readonly OutputType[] => availabilityTypes('ProductVariant');
