/** Deliveries and their parcels, as shipping methods of carts and orders hold them. */
import { randomUUID } from 'node:crypto';
import { address } from '../../fields/address.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assigned, defaulted, optional, required, takingInGraphql } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { object } from '../../fields/object.ts';
import { boolean, dateTime, integer, key, text } from '../../fields/scalar.ts';

const millimeters = optional(integer({ type: 'Int' }));

const measurements = object(
  'ParcelMeasurements',
  {
    heightInMillimeter: millimeters,
    lengthInMillimeter: millimeters,
    widthInMillimeter: millimeters,
    weightInGram: optional(integer({ type: 'Int' })),
  },
  { input: 'ParcelMeasurementsDraftType' },
);

const trackingData = object(
  'TrackingData',
  {
    trackingId: optional(text()),
    carrier: optional(text()),
    provider: optional(text()),
    providerTransaction: optional(text()),
    isReturn: defaulted(boolean(), () => false),
  },
  { input: 'TrackingDataDraftType' },
);

const items = list(
  object(
    'DeliveryItem',
    /** Of a line item or a custom line item. */
    { id: required(text()), quantity: required(integer({ min: 1 })) },
    { input: 'DeliveryItemDraftType' },
  ),
);

const now = (): string => new Date().toISOString();

/** GraphQL has clients say what the platform gives, as it does in REST: ids tell parcels apart, whoever names them. */
const parcel = takingInGraphql(
  object('Parcel', {
    id: assigned(text(), () => randomUUID()),
    key: optional(key()),
    createdAt: assigned(dateTime(), now),
    measurements: optional(measurements),
    trackingData: optional(trackingData),
    items: defaulted(items, () => []),
    custom: optional(customFields('order-parcel')),
  }),
  { name: 'id', type: 'String' },
  { name: 'createdAt', type: 'DateTime' },
);

export const deliveries = list(
  object('Delivery', {
    id: assigned(text(), () => randomUUID()),
    key: optional(key()),
    createdAt: assigned(dateTime(), now),
    items: defaulted(items, () => []),
    parcels: defaulted(list(parcel), () => []),
    address: optional(address()),
    custom: optional(customFields('order-delivery')),
  }),
);

export const estimatedDelivery = object('EstimatedDelivery', {
  from: optional(dateTime()),
  until: optional(dateTime()),
});
