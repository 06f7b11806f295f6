import type { OutputField, OutputObject, OutputType } from '../../../fields/field.ts';
import type { Availability } from '../shown/availability.ts';
import { channelArguments, isListed, listedPage } from '../variant-fields.ts';
import { plainObject } from './plain-types.ts';

/** What a projection shows of the stock of a variant. */
export const foundAvailability: OutputField = {
  name: 'availability',
  type: 'ProductSearchVariantAvailabilityWithChannels',
  complexity: 1,
  read: (parent) => parent['availability'],
};

const withChannels: OutputObject = {
  name: 'ProductSearchVariantAvailabilityWithChannels',
  fields: [
    {
      name: 'noChannel',
      type: 'ProductSearchVariantAvailability',
      complexity: 1,
      read: (parent) => (parent['id'] === undefined ? undefined : parent),
    },
    {
      name: 'channels',
      type: 'ProductSearchVariantAvailabilitiesResult!',
      args: channelArguments,
      complexity: 1,
      read: (parent, args) => {
        const { channels = {} } = parent as Availability;
        const listed = Object.entries(channels).filter(([id]) => isListed(id, args));
        const results = listed.map(([id, availability]) => ({ channelRef: { typeId: 'channel', id }, availability }));
        return listedPage(results, args);
      },
    },
  ],
};

const objects: readonly OutputObject[] = [
  withChannels,
  plainObject('ProductSearchVariantAvailability', {
    isOnStock: 'Boolean!',
    restockableInDays: 'Int',
    availableQuantity: 'Long',
    version: 'Long',
    id: 'String',
  }),
  plainObject('ProductSearchVariantAvailabilitiesResult', {
    limit: 'Int',
    offset: 'Int',
    total: 'Int!',
    results: '[ProductSearchVariantAvailabilityWithChannel!]!',
  }),
  plainObject(
    'ProductSearchVariantAvailabilityWithChannel',
    { channelRef: 'Reference!', availability: 'ProductSearchVariantAvailability!' },
    [{ name: 'channel', type: 'Channel', complexity: 5, expands: true, read: (parent) => parent['channelRef'] }],
  ),
];

export const foundAvailabilityTypes: readonly OutputType[] = objects.map((object) => ({ type: 'object', object }));
