/** Deliveries and their parcels, as shipping methods of carts and orders hold them. */
import { randomUUID } from 'node:crypto';
import { address } from '../../fields/address.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assigned, defaulted, optional, required, takingInGraphql, type ValueOf } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { object } from '../../fields/object.ts';
import { boolean, dateTime, integer, key, text } from '../../fields/scalar.ts';

const millimeters = optional(integer({ type: 'Int' }));

export const measurements = object(
  'ParcelMeasurements',
  {
    heightInMillimeter: millimeters,
    lengthInMillimeter: millimeters,
    widthInMillimeter: millimeters,
    weightInGram: optional(integer({ type: 'Int' })),
  },
  { input: 'ParcelMeasurementsDraftType' },
);

export const trackingData = object(
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

export const items = list(
  object(
    'DeliveryItem',
    /** Of a line item or a custom line item. */
    { id: required(text()), quantity: required(integer({ min: 1 })) },
    { input: 'DeliveryItemDraftType' },
  ),
);

const now = (): string => new Date().toISOString();

const parcelFields = {
  id: assigned(text(), () => randomUUID()),
  key: optional(key()),
  createdAt: assigned(dateTime(), now),
  measurements: optional(measurements),
  trackingData: optional(trackingData),
  items: defaulted(items, () => []),
  custom: optional(customFields('order-parcel')),
};

export type Parcel = ValueOf<typeof parcelFields>;

/** GraphQL has clients say what the platform gives, as it does in REST: ids tell parcels apart, whoever names them. */
export const parcel = takingInGraphql(
  object('Parcel', parcelFields),
  { name: 'id', type: 'String' },
  { name: 'createdAt', type: 'DateTime' },
);

/** Parcels of a delivery that is added to an order, of which GraphQL has clients say no more than REST. */
export const addedParcels = list(object('Parcel', parcelFields, { input: 'ParcelDataDraftType' }));

const deliveryFields = {
  id: assigned(text(), () => randomUUID()),
  key: optional(key()),
  createdAt: assigned(dateTime(), now),
  items: defaulted(items, () => []),
  parcels: defaulted(list(parcel), () => []),
  address: optional(address()),
  custom: optional(customFields('order-delivery')),
};

export type Delivery = ValueOf<typeof deliveryFields>;

export const delivery = object('Delivery', deliveryFields);

export const deliveries = list(delivery);

export const estimatedDelivery = object('EstimatedDelivery', {
  from: optional(dateTime()),
  until: optional(dateTime()),
});
