/** The GraphQL types of the stock of a variant, of a product that was read or of one that a search found. */
import { pageOfList } from '../../engine/list-page.ts';
import type { OutputArguments, OutputObject, OutputType } from '../../fields/field.ts';
import { isAmong } from '../../fields/picking.ts';
import { plainFields } from './search/plain-types.ts';
import type { Availability } from './shown/availability.ts';

/** How a query picks the stocks of channels. */
const channelArguments = {
  includeChannelIds: '[String!]',
  excludeChannelIds: '[String!]',
  limit: 'Int',
  offset: 'Int',
};

/** Of `<variant>AvailabilityWithChannels`, which is read from an `Availability`. */
export function availabilityTypes(variant: 'ProductVariant' | 'ProductSearchVariant'): readonly OutputType[] {
  const stock = `${variant}Availability`;
  const withChannel = `${stock}WithChannel`;
  const page = `${variant}AvailabilitiesResult`;
  const objects: readonly OutputObject[] = [
    {
      name: stock,
      fields: plainFields({
        isOnStock: 'Boolean!',
        restockableInDays: 'Int',
        availableQuantity: 'Long',
        version: 'Long',
        id: 'String',
      }),
    },
    {
      name: withChannel,
      fields: [
        ...plainFields({ channelRef: 'Reference!' }),
        { name: 'channel', type: 'Channel', complexity: 5, expands: true, read: (parent) => parent['channelRef'] },
        ...plainFields({ availability: `${stock}!` }),
      ],
    },
    {
      name: page,
      fields: plainFields({ limit: 'Int', offset: 'Int', total: 'Int!', results: `[${withChannel}!]!` }),
    },
    {
      name: `${stock}WithChannels`,
      fields: [
        // The stock without a channel stands in what has the channels.
        {
          name: 'noChannel',
          type: stock,
          complexity: 1,
          read: (parent) => (parent['id'] === undefined ? undefined : parent),
        },
        { name: 'channels', type: `${page}!`, args: channelArguments, complexity: 1, read: channelsOf },
      ],
    },
  ];
  return objects.map((object) => ({ type: 'object', object }));
}

function channelsOf(parent: object, args: OutputArguments): object {
  const { channels = {} } = parent as Availability;
  const { includeChannelIds, excludeChannelIds } = args;
  const included = narrowed(idsIn(channels), includeChannelIds, true);
  const page = pageOfList(narrowed(included, excludeChannelIds, false), args);
  return {
    ...page,
    // A query may ask for the total alone.
    get results() {
      return page.results.map((id) => ({ channelRef: { typeId: 'channel', id }, availability: channels[id] }));
    },
  };
}

interface Narrowed {
  readonly from: readonly string[];
  readonly isIncluding: boolean;
  readonly ids: readonly string[];
}

/** By the lists what they left the last time: a variant is asked about under one name after another. */
const lastNarrowed = new WeakMap<readonly unknown[], Narrowed>();

/** Those that are in the list, or those that are not; all where there is none. */
function narrowed(from: readonly string[], list: unknown, isIncluding: boolean): readonly string[] {
  if (!Array.isArray(list)) return from;
  const last = lastNarrowed.get(list);
  if (last?.from === from && last.isIncluding === isIncluding) return last.ids;
  const ids = from.filter((id) => isAmong(id, list) === isIncluding);
  lastNarrowed.set(list, { from, isIncluding, ids });
  return ids;
}

type Channels = NonNullable<Availability['channels']>;

const sortedIds = new WeakMap<Channels, readonly string[]>();

/** In an order of their own: that of the stocks changes with every write. */
function idsIn(channels: Channels): readonly string[] {
  let ids = sortedIds.get(channels);
  if (ids === undefined) sortedIds.set(channels, (ids = Object.keys(channels).toSorted()));
  return ids;
}
