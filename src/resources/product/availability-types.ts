/** The GraphQL types of the stock of a variant, of a product that was read or of one that a search found. */
import { emptyPage, pageOfList } from '../../engine/list-page.ts';
import type { OutputArguments, OutputObject, OutputType } from '../../fields/field.ts';
import { pickingBy } from '../../fields/picking.ts';
import { plainFields } from './search/plain-types.ts';
import type { Availability } from './shown/availability.ts';

/** How a query picks the stocks of channels. */
const picking = pickingBy('ChannelIds');

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
        {
          name: 'channels',
          type: `${page}!`,
          args: { ...picking.args, limit: 'Int', offset: 'Int' },
          complexity: 1,
          read: channelsOf,
          empty: emptyPage,
          goesThrough: ({ channels = {} }: Availability, args) => picking.through(args, () => idsIn(channels).length),
        },
      ],
    },
  ];
  return objects.map((object) => ({ type: 'object', object }));
}

function channelsOf(parent: object, args: OutputArguments): object {
  const { channels = {} } = parent as Availability;
  const ids = picking.from(idsIn(channels), (id) => id, args);
  const page = pageOfList(ids, args);
  return {
    ...page,
    // A query may ask for the total alone.
    get results() {
      return page.results.map((id) => ({ channelRef: { typeId: 'channel', id }, availability: channels[id] }));
    },
  };
}

type Channels = NonNullable<Availability['channels']>;

const sortedIds = new WeakMap<Channels, readonly string[]>();

/** In an order of their own: that of the stocks changes with every write. */
function idsIn(channels: Channels): readonly string[] {
  let ids = sortedIds.get(channels);
  if (ids === undefined) sortedIds.set(channels, (ids = Object.keys(channels).toSorted()));
  return ids;
}
