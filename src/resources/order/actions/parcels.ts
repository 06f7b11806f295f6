/** What the deliveries of an order are packed in. */
import { action } from '../../../engine/actions.ts';
import { setCustomField, setCustomType } from '../../../engine/custom-actions.ts';
import { namedParts } from '../../../engine/parts.ts';
import { customFields } from '../../../fields/custom-fields.ts';
import { defaulted, optional, required } from '../../../fields/field.ts';
import { key } from '../../../fields/scalar.ts';
import { items, measurements, type Parcel, trackingData } from '../../cart/delivery-fields.ts';
import type { Order } from '../fields.ts';
import { deliveriesOf, deliveryIn, identifier as deliveryNames, requireItems } from './deliveries.ts';

/** Named by `parcelId` or `parcelKey`. */
const { identifier, indexIn } = namedParts('parcel', 'shippingInfo.deliveries[0].parcels');

function parcelIn(order: Order, input: Parameters<typeof indexIn>[1]): Parcel {
  const parcels = deliveriesOf(order).flatMap((delivery) => delivery.parcels);
  return parcels[indexIn(parcels, input)]!;
}

const addParcelToDelivery = action(
  {
    ...deliveryNames,
    parcelKey: optional(key()),
    measurements: optional(measurements),
    trackingData: optional(trackingData),
    items: defaulted(items, () => []),
    custom: optional(customFields('order-parcel')),
  },
  (order: Order, { deliveryId, deliveryKey, parcelKey, ...given }, { newId, now }) => {
    const { parcels } = deliveryIn(order, {
      ...(deliveryId !== undefined && { deliveryId }),
      ...(deliveryKey !== undefined && { deliveryKey }),
    });
    requireItems(order, given.items);
    parcels.push({ id: newId(), ...(parcelKey !== undefined && { key: parcelKey }), createdAt: now, ...given });
  },
);

const removeParcelFromDelivery = action(identifier, (order: Order, input) => {
  const removed = parcelIn(order, input);
  for (const delivery of deliveriesOf(order))
    delivery.parcels = delivery.parcels.filter((parcel) => parcel !== removed);
});

const setParcelItems = action({ ...identifier, items: required(items) }, (order: Order, { items: given, ...input }) => {
  requireItems(order, given);
  parcelIn(order, input).items = given;
});

const setParcelMeasurements = action(
  { ...identifier, measurements: optional(measurements) },
  (order: Order, { measurements: given, ...input }) => {
    const parcel = parcelIn(order, input);
    if (given === undefined) delete parcel.measurements;
    else parcel.measurements = given;
  },
);

const setParcelTrackingData = action(
  { ...identifier, trackingData: optional(trackingData) },
  (order: Order, { trackingData: given, ...input }) => {
    const parcel = parcelIn(order, input);
    if (given === undefined) delete parcel.trackingData;
    else parcel.trackingData = given;
  },
);

export const parcelActions = {
  addParcelToDelivery,
  removeParcelFromDelivery,
  setParcelItems,
  setParcelMeasurements,
  setParcelTrackingData,
  setParcelCustomType: setCustomType(parcelIn, identifier),
  setParcelCustomField: setCustomField(parcelIn, identifier),
};
