/** What orders tell of their deliveries and parcels (orders 42). */
import type { Fixed } from '../../engine/document.ts';
import { messageType, type MessageType, type Told, told } from '../../engine/messages.ts';
import { completed, customMessages, type Teller, type Tellers, whenChanged } from '../../engine/tellers.ts';
import { address } from '../../fields/address.ts';
import { type FieldKind, optional, required } from '../../fields/field.ts';
import { key, text } from '../../fields/scalar.ts';
import {
  delivery,
  type Delivery,
  items,
  measurements,
  parcel,
  type Parcel,
  trackingData,
} from '../cart/delivery-fields.ts';
import type { Order } from './fields.ts';

/** Of an order with several shipping methods. */
export const ofMethod = { shippingKey: optional(key()) };
const ofDelivery = { deliveryId: required(text()), ...ofMethod };
const ofParcel = { parcelId: required(text()), ...ofDelivery };

const added = messageType('DeliveryAdded', { delivery: required(delivery), ...ofMethod });
const removed = messageType('DeliveryRemoved', { delivery: required(delivery), ...ofMethod });
const addressSet = messageType('DeliveryAddressSet', {
  ...ofDelivery,
  address: optional(address()),
  oldAddress: optional(address()),
});
const ofItems = { items: required(items), oldItems: required(items) };
const itemsUpdated = messageType('DeliveryItemsUpdated', { ...ofDelivery, ...ofItems });

const parcelAdded = messageType('ParcelAddedToDelivery', {
  delivery: required(delivery),
  parcel: required(parcel as FieldKind<Parcel>),
  ...ofMethod,
});
const parcelRemoved = messageType('ParcelRemovedFromDelivery', {
  ...ofDelivery,
  parcel: required(parcel as FieldKind<Parcel>),
});
const parcelItemsUpdated = messageType('ParcelItemsUpdated', { ...ofParcel, ...ofItems });
const measurementsUpdated = messageType('ParcelMeasurementsUpdated', {
  ...ofParcel,
  measurements: optional(measurements),
});
const trackingDataUpdated = messageType('ParcelTrackingDataUpdated', {
  ...ofParcel,
  trackingData: optional(trackingData),
});

type Input = Readonly<Record<string, unknown>>;
type Noun = 'lineItem' | 'customLineItem' | 'delivery' | 'parcel' | 'returnItem';

/** A delivery, and the key of what ships it where an order has several methods. */
interface Place {
  readonly delivery: Fixed<Delivery>;
  readonly shippingKey?: string | undefined;
}

function placesOf({ shippingInfo, shipping }: Fixed<Order>): readonly Place[] {
  return [
    ...(shippingInfo?.deliveries ?? []).map((one) => ({ delivery: one })),
    ...shipping.flatMap(({ shippingKey, shippingInfo: info }) =>
      info.deliveries.map((one) => ({ delivery: one, shippingKey })),
    ),
  ];
}

/** Whether an input names the part. What names none, or by both, is refused by the action. */
export function isNamed(noun: Noun, part: { readonly id: string; readonly key?: string }, input: Input): boolean {
  const id = input[`${noun}Id`];
  return id === undefined ? part.key !== undefined && part.key === input[`${noun}Key`] : part.id === id;
}

function placeIn(order: Fixed<Order>, input: Input): Place | undefined {
  return placesOf(order).find((place) => isNamed('delivery', place.delivery, input));
}

/** The one that was added last by this method: one that is added comes behind it. */
function lastPlaceIn({ shippingInfo, shipping }: Fixed<Order>, { shippingKey }: Input): Place | undefined {
  const method = shippingKey === undefined ? undefined : shipping.find((each) => each.shippingKey === shippingKey);
  const last = (method?.shippingInfo ?? shippingInfo)?.deliveries.at(-1);
  return last && { delivery: last, shippingKey: method?.shippingKey };
}

/** A delivery as it was after an action, with all custom fields as they are stored. */
function shown(one: Fixed<Delivery>, order: Fixed<Order>): Fixed<Delivery> {
  const stored = placesOf(order).find((place) => place.delivery.id === one.id)?.delivery;
  if (stored === undefined) return one;
  const parcels = new Map(stored.parcels.map((each) => [each.id, each]));
  return {
    ...completed(one, stored),
    ...(one.address !== undefined && { address: completed(one.address, stored.address) }),
    parcels: one.parcels.map((each) => completed(each, parcels.get(each.id))),
  };
}

/** The delivery is the stored one: copies of it for each of its parcels would grow with the square of their number. */
function tellsOfParcel({ delivery: holder, shippingKey }: Place, one: Fixed<Parcel>): Told {
  return told(parcelAdded, (order: Fixed<Order>) => {
    const stored = placeIn(order, { deliveryId: holder.id })?.delivery ?? holder;
    const shownParcel = completed(
      one,
      stored.parcels.find(({ id }) => id === one.id),
    );
    return { delivery: stored, parcel: shownParcel, shippingKey };
  });
}

const addDelivery = whenChanged<Order, Place | undefined>(lastPlaceIn, ({ after }) => {
  const { delivery: one, shippingKey } = after!;
  return [
    told(added, (order: Fixed<Order>) => ({ delivery: shown(one, order), shippingKey })),
    ...one.parcels.map((each) => tellsOfParcel(after!, each)),
  ];
});

const removeDelivery = whenChanged<Order, Place | undefined>(placeIn, ({ before }) => [told(removed, before!)]);

/** A member of what an input names, and what messages call that. */
interface Looked<Names, Part> {
  readonly names: Names;
  readonly part: Part;
}

type DeliveryNames = { readonly deliveryId: string; readonly shippingKey?: string | undefined };
type DeliveryChange<Part> = { readonly names: DeliveryNames; readonly was: Part; readonly is: Part };

/** Of a member of the delivery that an action names. */
function tellsDelivery<Part>(
  look: (one: Fixed<Delivery>) => Part,
  tell: (change: DeliveryChange<Part>) => Told,
): Teller {
  return whenChanged<Order, Looked<DeliveryNames, Part> | undefined>(
    (order, input) => {
      const place = placeIn(order, input);
      if (place === undefined) return undefined;
      const { delivery: one, shippingKey } = place;
      return { names: { deliveryId: one.id, shippingKey }, part: look(one) };
    },
    ({ before, after }) => [tell({ names: after!.names, was: before!.part, is: after!.part })],
  );
}

type ParcelNames = DeliveryNames & { readonly parcelId: string };

function parcelIn(order: Fixed<Order>, input: Input): Looked<ParcelNames, Fixed<Parcel>> | undefined {
  for (const { delivery: one, shippingKey } of placesOf(order)) {
    const part = one.parcels.find((each) => isNamed('parcel', each, input));
    if (part !== undefined) return { names: { parcelId: part.id, deliveryId: one.id, shippingKey }, part };
  }
  return undefined;
}

type ParcelChange<Part> = { readonly names: ParcelNames; readonly was: Part; readonly is: Part };

/** Of a member of the parcel that an action names. */
function tellsParcel<Part>(look: (one: Fixed<Parcel>) => Part, tell: (change: ParcelChange<Part>) => Told): Teller {
  return whenChanged<Order, Looked<ParcelNames, Part> | undefined>(
    (order, input) => {
      const found = parcelIn(order, input);
      return found && { names: found.names, part: look(found.part) };
    },
    ({ before, after }) => [tell({ names: after!.names, was: before!.part, is: after!.part })],
  );
}

const addParcelToDelivery = whenChanged<Order, Fixed<Parcel> | undefined>(
  (order, input) => placeIn(order, input)?.delivery.parcels.at(-1),
  ({ after, document, input }) => [tellsOfParcel(placeIn(document, input)!, after!)],
);

const removeParcelFromDelivery = whenChanged<Order, ReturnType<typeof parcelIn>>(parcelIn, ({ before }) => {
  const { names, part } = before!;
  return [told(parcelRemoved, { deliveryId: names.deliveryId, parcel: part, shippingKey: names.shippingKey })];
});

const custom = customMessages<Order>(
  'Delivery',
  {
    resourceTypeId: 'order-delivery',
    typeId: 'previousTypeId',
    value: 'previousValue',
    part: { deliveryId: required(text()) },
  },
  {
    holder: (order, input) => placeIn(order, input)?.delivery,
    part: (order, input) => ({ deliveryId: placeIn(order, input)!.delivery.id }),
  },
);

export const deliveryTypes: readonly MessageType[] = [
  added,
  removed,
  addressSet,
  itemsUpdated,
  ...custom.types,
  parcelAdded,
  parcelRemoved,
  parcelItemsUpdated,
  measurementsUpdated,
  trackingDataUpdated,
];

export const deliveryTellers: Tellers = {
  addDelivery,
  removeDelivery,
  setDeliveryItems: tellsDelivery(
    (one) => one.items,
    ({ names, was, is }) => told(itemsUpdated, { ...names, items: is, oldItems: was }),
  ),
  setDeliveryAddress: tellsDelivery(
    (one) => one.address,
    ({ names, was, is }) =>
      told(addressSet, (order: Fixed<Order>) => ({
        ...names,
        address: is && completed(is, placeIn(order, { deliveryId: names.deliveryId })?.delivery.address),
        oldAddress: was,
      })),
  ),
  setDeliveryCustomType: custom.setCustomType,
  setDeliveryCustomField: custom.setCustomField,
  addParcelToDelivery,
  removeParcelFromDelivery,
  setParcelItems: tellsParcel(
    (one) => one.items,
    ({ names, was, is }) => told(parcelItemsUpdated, { ...names, items: is, oldItems: was }),
  ),
  setParcelMeasurements: tellsParcel(
    (one) => one.measurements,
    ({ names, is }) => told(measurementsUpdated, { ...names, measurements: is }),
  ),
  setParcelTrackingData: tellsParcel(
    (one) => one.trackingData,
    ({ names, is }) => told(trackingDataUpdated, { ...names, trackingData: is }),
  ),
};
