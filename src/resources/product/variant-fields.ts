/** What GraphQL says of a variant that stands in other resources: its stock, and the price for who asks. */
import {
  type Lookups,
  type OutputArguments,
  type OutputField,
  type OutputObject,
  type OutputType,
  plainOutput,
} from '../../fields/field.ts';
import type { InventoryEntry } from '../inventory-entry/fields.ts';
import { priceModeOf } from './noted-product.ts';
import type { Price } from './price.ts';
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

/** The price for who asks, of variants whose product was noted. */
export const price: OutputField = {
  name: 'price',
  type: 'ProductPrice',
  args: selectors,
  complexity: 5,
  read: () => undefined,
  looksUp: async (parent, args, lookups) => {
    // Stored variants were parsed by their kind, and the schema has typed the arguments.
    const variant = parent as unknown as Priced;
    const given = args as Readonly<{ [Name in keyof typeof selectors]?: string | null }> & {
      readonly customerGroupAssignmentIds?: readonly string[] | null;
    };
    const mode = priceModeOf(parent);
    const { sku } = variant;
    const alone =
      mode === 'Standalone' && sku !== undefined ? await lookups.grouped('standalone-price', 'sku', sku) : [];
    const standalone = new Map(sku === undefined ? [] : [[sku, alone as unknown as readonly PriceOfSku[]]]);
    const selection = {
      priceCurrency: given.currency!,
      ...(typeof given.country === 'string' && { priceCountry: given.country }),
      ...(typeof given.customerGroupId === 'string' && { priceCustomerGroup: given.customerGroupId }),
      ...(Array.isArray(given.customerGroupAssignmentIds) && {
        priceCustomerGroupAssignments: [...(given.customerGroupAssignmentIds as readonly string[])],
      }),
      ...(typeof given.channelId === 'string' && { priceChannel: given.channelId }),
    };
    const isOfDate = typeof given.date === 'string';
    return selectedPrice(candidatesOf(variant, mode, standalone), selection, {
      now: isOfDate ? new Date(given.date!).toISOString() : lookups.now,
      // What was at another moment stays as it was.
      noteUntil: isOfDate ? () => {} : lookups.noteUntil,
    });
  },
};

const availability: OutputField = {
  name: 'availability',
  type: 'ProductVariantAvailabilityWithChannels',
  complexity: 5,
  read: () => undefined,
  looksUp: async ({ sku }, _, lookups) => {
    const entries = typeof sku === 'string' ? await lookups.grouped('inventory-entry', 'sku', sku) : [];
    return entries.length === 0 ? undefined : { entries };
  },
};

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
  const channels = Array.isArray(stockChannelIds) ? new Set<unknown>(stockChannelIds) : undefined;
  const counts = ({ supplyChannel }: InventoryEntry): boolean =>
    channels === undefined
      ? supplyChannel === undefined
      : supplyChannel !== undefined && channels.has(supplyChannel.id);
  const states = await Promise.all(
    variants.map(async ({ sku }) => {
      const entries = sku === undefined ? [] : await lookups.grouped('inventory-entry', 'sku', sku);
      // Stored entries were parsed by their kind.
      return (entries as unknown as readonly InventoryEntry[]).some(
        (entry) => counts(entry) && entry.availableQuantity > 0,
      );
    }),
  );
  return variants.filter((_, index) => states[index] === isOnStock);
}

export const variantFieldsOfOthers: readonly OutputField[] = [price, availability];

const plain = (name: string, type: string): OutputField => ({
  name,
  type,
  complexity: 1,
  read: (parent) => parent[name],
});

function stockOf({ availableQuantity, restockableInDays, version, id }: InventoryEntry): object {
  return { isOnStock: availableQuantity > 0, restockableInDays, availableQuantity, version, id };
}

/** The value of `availability` above. */
function entriesOf(parent: Readonly<Record<string, unknown>>): readonly InventoryEntry[] {
  return parent['entries'] as readonly InventoryEntry[];
}

const stock: OutputObject = {
  name: 'ProductVariantAvailability',
  fields: [
    plain('isOnStock', 'Boolean!'),
    plain('restockableInDays', 'Int'),
    plain('availableQuantity', 'Long'),
    plain('version', 'Long'),
    plain('id', 'String'),
  ],
};

/** How a query picks the stocks of channels. */
export const channelArguments = {
  includeChannelIds: '[String!]',
  excludeChannelIds: '[String!]',
  limit: 'Int',
  offset: 'Int',
};

export function isListed(channelId: string, { includeChannelIds, excludeChannelIds }: OutputArguments): boolean {
  if (Array.isArray(includeChannelIds) && !includeChannelIds.includes(channelId)) return false;
  return !(Array.isArray(excludeChannelIds) && excludeChannelIds.includes(channelId));
}

export function listedPage(results: readonly object[], { limit, offset }: OutputArguments): object {
  const start = typeof offset === 'number' ? offset : 0;
  const end = typeof limit === 'number' ? start + limit : undefined;
  return { limit, offset, total: results.length, results: results.slice(start, end) };
}

const channelReference = plainOutput('Reference').fields('channelRef', true)[0]!;

const withChannel: OutputObject = {
  name: 'ProductVariantAvailabilityWithChannel',
  fields: [
    channelReference,
    { name: 'channel', type: 'Channel', complexity: 5, expands: true, read: (parent) => parent['channelRef'] },
    plain('availability', 'ProductVariantAvailability!'),
  ],
};

const channelsResult: OutputObject = {
  name: 'ProductVariantAvailabilitiesResult',
  fields: [
    plain('limit', 'Int'),
    plain('offset', 'Int'),
    plain('total', 'Int!'),
    plain('results', '[ProductVariantAvailabilityWithChannel!]!'),
  ],
};

const withChannels: OutputObject = {
  name: 'ProductVariantAvailabilityWithChannels',
  fields: [
    {
      name: 'noChannel',
      type: 'ProductVariantAvailability',
      complexity: 1,
      read: (parent) => {
        const entry = entriesOf(parent).find(({ supplyChannel }) => supplyChannel === undefined);
        return entry && stockOf(entry);
      },
    },
    {
      name: 'channels',
      type: 'ProductVariantAvailabilitiesResult!',
      args: channelArguments,
      complexity: 1,
      read: (parent, args) => {
        const results = entriesOf(parent).flatMap((entry) => {
          const { supplyChannel } = entry;
          if (supplyChannel === undefined || !isListed(supplyChannel.id, args)) return [];
          return [{ channelRef: supplyChannel, availability: stockOf(entry) }];
        });
        return listedPage(results, args);
      },
    },
  ],
};

export const variantTypesOfOthers = (): readonly OutputType[] =>
  [stock, withChannel, channelsResult, withChannels].map((object) => ({ type: 'object', object }));
