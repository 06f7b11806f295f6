/** What the model does with deliveries, parcels and returns (orders 24, 25, 30). */
import { isDeepStrictEqual } from 'node:util';
import type { Input, ParcelInput, ReturnInput, ReturnItemInput } from './inputs.ts';
import { type Apply, tell, type Telling } from './messages.ts';
import { customField, customOf, customType, named } from './parts.ts';
import {
  type Custom,
  type Delivery,
  type OrderDocument,
  type Parcel,
  refuse,
  type ReturnInfo,
  type ReturnItem,
  type ShippedItem,
  type ShippingInfo,
  unknownIn,
} from './world.ts';

interface Place {
  readonly info: ShippingInfo;
  /** As messages have it. */
  readonly names: { shippingKey?: string };
}

function placesIn({ shippingInfo, shipping }: OrderDocument): readonly Place[] {
  return [
    ...(shippingInfo === undefined ? [] : [{ info: shippingInfo, names: {} }]),
    ...shipping.map(({ shippingInfo: info, shippingKey }) => ({ info, names: { shippingKey } })),
  ];
}

/** The shipping method that an action is about. */
function placeOf(order: OrderDocument, { shippingKey }: Input): Place {
  if ((order.shippingMode === 'Multiple') !== (shippingKey !== undefined)) refuse('InvalidOperation');
  return placesIn(order).find(({ names }) => names.shippingKey === shippingKey) ?? refuse('InvalidOperation');
}

interface FoundDelivery extends Place {
  readonly delivery: Delivery;
}

function deliveryIn({ order }: Telling, input: Input): FoundDelivery {
  const all = placesIn(order).flatMap((place) => place.info.deliveries.map((delivery) => ({ ...place, delivery })));
  const delivery = named(
    all.map((one) => one.delivery),
    'delivery',
    input,
  );
  return all.find((one) => one.delivery === delivery)!;
}

interface FoundParcel extends FoundDelivery {
  readonly parcel: Parcel;
}

function parcelIn({ order }: Telling, input: Input): FoundParcel {
  const all = placesIn(order).flatMap((place) =>
    place.info.deliveries.flatMap((delivery) => delivery.parcels.map((parcel) => ({ ...place, delivery, parcel }))),
  );
  const parcel = named(
    all.map((one) => one.parcel),
    'parcel',
    input,
  );
  return all.find((one) => one.parcel === parcel)!;
}

function requireItems({ lineItems, customLineItems }: OrderDocument, items: readonly ShippedItem[]): void {
  const ids = [...lineItems, ...customLineItems].map(({ id }) => id);
  if (items.some(({ id }) => !ids.includes(id))) refuse('InvalidOperation');
}

const itemsOf = (input: Input): ShippedItem[] => (input.items ?? []) as ShippedItem[];

const withCustom = (telling: Telling, custom: Custom | undefined): { custom?: Custom } =>
  custom === undefined ? {} : { custom: customOf(telling, custom) };

const trackingOf = (given: { isReturn?: boolean } | undefined): { trackingData?: object } =>
  given === undefined ? {} : { trackingData: { ...given, isReturn: given.isReturn ?? false } };

function parcelOf(telling: Telling, { key, items = [], measurements, trackingData, custom }: ParcelInput): Parcel {
  return {
    id: unknownIn(telling.world),
    ...(key !== undefined && { key }),
    createdAt: telling.now,
    ...(measurements !== undefined && { measurements }),
    ...trackingOf(trackingData),
    items,
    ...withCustom(telling, custom),
  };
}

/** The delivery is shown as the write leaves it, where it is there then. */
function tellsParcel(telling: Telling, { delivery, names, parcel }: FoundParcel): void {
  const [parcelThen, deliveryThen] = [structuredClone(parcel), structuredClone(delivery)];
  tell(telling, 'ParcelAddedToDelivery', (made) => {
    const stored = placesIn(made)
      .flatMap(({ info }) => info.deliveries)
      .find(({ id }) => id === delivery.id);
    return { delivery: stored ?? deliveryThen, parcel: parcelThen, ...names };
  });
}

const addDelivery: Apply = (telling, input) => {
  const { order, world, now } = telling;
  const place = placeOf(order, input);
  const items = itemsOf(input);
  const parcels = input.parcels ?? [];
  requireItems(order, [...items, ...parcels.flatMap((parcel) => parcel.items ?? [])]);
  const delivery: Delivery = {
    id: unknownIn(world),
    ...(input.deliveryKey !== undefined && { key: input.deliveryKey }),
    createdAt: now,
    items,
    parcels: parcels.map((parcel) => parcelOf(telling, parcel)),
    ...(input.address !== undefined && { address: input.address }),
    ...withCustom(telling, input.custom),
  };
  place.info.deliveries.push(delivery);
  tell(telling, 'DeliveryAdded', { delivery, ...place.names });
  for (const parcel of delivery.parcels) tellsParcel(telling, { ...place, delivery, parcel });
};

const removeDelivery: Apply = (telling, input) => {
  const { info, delivery, names } = deliveryIn(telling, input);
  info.deliveries.splice(info.deliveries.indexOf(delivery), 1);
  tell(telling, 'DeliveryRemoved', { delivery, ...names });
};

const setDeliveryItems: Apply = (telling, input) => {
  requireOneName('delivery', input);
  requireItems(telling.order, itemsOf(input));
  const { delivery, names } = deliveryIn(telling, input);
  const oldItems = delivery.items;
  delivery.items = itemsOf(input);
  if (isDeepStrictEqual(oldItems, delivery.items)) return;
  tell(telling, 'DeliveryItemsUpdated', { deliveryId: delivery.id, ...names, items: delivery.items, oldItems });
};

/** How a part is named is looked at before anything else of an action. */
function requireOneName(noun: 'delivery' | 'parcel', input: Input): void {
  const isDelivery = noun === 'delivery';
  const [id, key] = isDelivery ? [input.deliveryId, input.deliveryKey] : [input.parcelId, input.parcelKey];
  if ((id === undefined) === (key === undefined)) refuse('InvalidInput');
}

const setDeliveryAddress: Apply = (telling, input) => {
  const { delivery, names } = deliveryIn(telling, input);
  const { address: old } = delivery;
  const { address } = input;
  if (address === undefined) delete delivery.address;
  else delivery.address = address;
  if (isDeepStrictEqual(old, address)) return;
  tell(telling, 'DeliveryAddressSet', {
    deliveryId: delivery.id,
    ...(address !== undefined && { address }),
    ...(old !== undefined && { oldAddress: old }),
    ...names,
  });
};

/** Of deliveries custom fields are told, and of nothing else here. */
const deliveryCustom: Readonly<Record<string, Apply>> = {
  setDeliveryCustomType: (telling, input) => {
    const { delivery } = deliveryIn(telling, input);
    for (const { type, payload } of customType(telling, delivery, input))
      tell(telling, `Delivery${type}`, { deliveryId: delivery.id, ...payload });
  },
  setDeliveryCustomField: (telling, input) => {
    const { delivery } = deliveryIn(telling, input);
    for (const { type, payload } of customField(delivery, input))
      tell(telling, `Delivery${type}`, { deliveryId: delivery.id, ...payload });
  },
  setDeliveryAddressCustomType: (telling, input) =>
    void customType(telling, deliveryIn(telling, input).delivery.address ?? refuse('InvalidOperation'), input),
  setDeliveryAddressCustomField: (telling, input) =>
    void customField(deliveryIn(telling, input).delivery.address ?? refuse('InvalidOperation'), input),
};

const addParcelToDelivery: Apply = (telling, input) => {
  const found = deliveryIn(telling, input);
  requireItems(telling.order, itemsOf(input));
  const parcel = parcelOf(telling, {
    ...(input.parcelKey !== undefined && { key: input.parcelKey }),
    ...(input.measurements !== undefined && { measurements: input.measurements }),
    ...(input.trackingData !== undefined && { trackingData: input.trackingData }),
    ...(input.custom !== undefined && { custom: input.custom }),
    items: itemsOf(input),
  });
  found.delivery.parcels.push(parcel);
  tellsParcel(telling, { ...found, parcel });
};

const removeParcelFromDelivery: Apply = (telling, input) => {
  const { delivery, parcel, names } = parcelIn(telling, input);
  delivery.parcels.splice(delivery.parcels.indexOf(parcel), 1);
  tell(telling, 'ParcelRemovedFromDelivery', { deliveryId: delivery.id, parcel, ...names });
};

const namesOf = ({ delivery, parcel, names }: FoundParcel): object => ({
  deliveryId: delivery.id,
  parcelId: parcel.id,
  ...names,
});

const setParcelItems: Apply = (telling, input) => {
  requireOneName('parcel', input);
  requireItems(telling.order, itemsOf(input));
  const found = parcelIn(telling, input);
  const oldItems = found.parcel.items;
  found.parcel.items = itemsOf(input);
  if (isDeepStrictEqual(oldItems, found.parcel.items)) return;
  tell(telling, 'ParcelItemsUpdated', { ...namesOf(found), items: found.parcel.items, oldItems });
};

const setParcelMeasurements: Apply = (telling, input) => {
  const found = parcelIn(telling, input);
  const { measurements } = input;
  const old = found.parcel.measurements;
  if (measurements === undefined) delete found.parcel.measurements;
  else found.parcel.measurements = measurements;
  if (isDeepStrictEqual(old, measurements)) return;
  tell(telling, 'ParcelMeasurementsUpdated', {
    ...namesOf(found),
    ...(measurements !== undefined && { measurements }),
  });
};

const setParcelTrackingData: Apply = (telling, input) => {
  const found = parcelIn(telling, input);
  const given = trackingOf(input.trackingData);
  const old = found.parcel.trackingData;
  delete found.parcel.trackingData;
  Object.assign(found.parcel, given);
  if (isDeepStrictEqual(old, given.trackingData)) return;
  tell(telling, 'ParcelTrackingDataUpdated', { ...namesOf(found), ...given });
};

function returnItemOf({ order, world, now }: Telling, given: ReturnItemInput): ReturnItem {
  const { lineItemId, customLineItemId, quantity, shipmentState, key, comment } = given;
  if ((lineItemId === undefined) === (customLineItemId === undefined)) refuse('InvalidInput');
  const isLine = lineItemId !== undefined;
  const items = isLine ? order.lineItems : order.customLineItems;
  const item = items.find(({ id }) => id === (lineItemId ?? customLineItemId));
  if (item === undefined || quantity < 1 || quantity > item.quantity) refuse('InvalidOperation');
  return {
    type: isLine ? 'LineItemReturnItem' : 'CustomLineItemReturnItem',
    id: unknownIn(world),
    ...(key !== undefined && { key }),
    ...(isLine ? { lineItemId } : { customLineItemId: customLineItemId! }),
    quantity,
    ...(comment !== undefined && { comment }),
    shipmentState,
    paymentState: shipmentState === 'Advised' ? 'NonRefundable' : 'Initial',
    createdAt: now,
    lastModifiedAt: now,
  };
}

function returnOf(telling: Telling, { items, returnTrackingId, returnDate }: ReturnInput): ReturnInfo {
  if (items.length === 0) refuse('InvalidInput');
  return {
    items: items.map((item) => returnItemOf(telling, item)),
    ...(returnTrackingId !== undefined && { returnTrackingId }),
    returnDate: returnDate ?? telling.now,
  };
}

const addReturnInfo: Apply = (telling, input) => {
  const made = returnOf(telling, input as unknown as ReturnInput);
  telling.order.returnInfo.push(made);
  tell(telling, 'ReturnInfoAdded', { returnInfo: made });
};

const setReturnInfo: Apply = (telling, { items = [] }) => {
  const { order } = telling;
  const isSame = order.returnInfo.length === 0 && items.length === 0;
  order.returnInfo = (items as ReturnInput[]).map((given) => returnOf(telling, given));
  if (isSame) return;
  tell(telling, 'ReturnInfoSet', items.length === 0 ? {} : { returnInfo: order.returnInfo });
};

const returnItemIn = ({ order }: Telling, input: Input): ReturnItem =>
  named(
    order.returnInfo.flatMap(({ items }) => items),
    'returnItem',
    input,
  );

const setReturnShipmentState: Apply = (telling, input) => {
  const item = returnItemIn(telling, input);
  const shipmentState = input.shipmentState!;
  if (item.shipmentState !== 'Returned' || !['BackInStock', 'Unusable'].includes(shipmentState))
    refuse('InvalidOperation');
  item.shipmentState = shipmentState;
  item.lastModifiedAt = telling.now;
  tell(telling, 'OrderReturnShipmentStateChanged', { returnItemId: item.id, returnShipmentState: shipmentState });
};

const setReturnPaymentState: Apply = (telling, input) => {
  const item = returnItemIn(telling, input);
  const paymentState = input.paymentState!;
  if (item.paymentState !== 'Initial' || !['Refunded', 'NotRefunded'].includes(paymentState))
    refuse('InvalidOperation');
  item.paymentState = paymentState;
  item.lastModifiedAt = telling.now;
};

const setEstimatedDelivery: Apply = (telling, input) => {
  const { info, names } = placeOf(telling.order, input);
  const { estimatedDelivery } = input;
  const old = info.estimatedDelivery;
  if (estimatedDelivery === undefined) delete info.estimatedDelivery;
  else info.estimatedDelivery = estimatedDelivery;
  if (isDeepStrictEqual(old, estimatedDelivery)) return;
  tell(telling, 'OrderEstimatedDeliverySet', {
    ...(estimatedDelivery !== undefined && { estimatedDelivery }),
    ...names,
  });
};

/** Of the shipping of an order as a whole, or by one of several methods. */
function onShipping(change: (telling: Telling, holder: { custom?: Custom | undefined }, input: Input) => void): Apply {
  return (telling, input) => {
    const { order } = telling;
    placeOfCustom(order, input);
    const place = order.shipping.find(({ shippingKey }) => shippingKey === input.shippingKey) ?? order;
    const holder = { custom: place.shippingCustomFields };
    change(telling, holder, input);
    if (holder.custom === undefined) delete place.shippingCustomFields;
    else place.shippingCustomFields = holder.custom;
  };
}

/** With one method the fields are of the order, whether it has that method or not. */
function placeOfCustom(order: OrderDocument, input: Input): void {
  if (order.shippingMode === 'Multiple' || input.shippingKey !== undefined) placeOf(order, input);
}

export const deliveryActions: Readonly<Record<string, Apply>> = {
  setEstimatedDelivery,
  setShippingCustomType: onShipping((telling, holder, input) => void customType(telling, holder, input)),
  setShippingCustomField: onShipping((_, holder, input) => void customField(holder, input)),
  addDelivery,
  removeDelivery,
  setDeliveryItems,
  setDeliveryAddress,
  ...deliveryCustom,
  addParcelToDelivery,
  removeParcelFromDelivery,
  setParcelItems,
  setParcelMeasurements,
  setParcelTrackingData,
  setParcelCustomType: (telling, input) => void customType(telling, parcelIn(telling, input).parcel, input),
  setParcelCustomField: (telling, input) => void customField(parcelIn(telling, input).parcel, input),
  addReturnInfo,
  setReturnInfo,
  setReturnShipmentState,
  setReturnPaymentState,
  setReturnItemCustomType: (telling, input) => void customType(telling, returnItemIn(telling, input), input),
  setReturnItemCustomField: (telling, input) => void customField(returnItemIn(telling, input), input),
};
