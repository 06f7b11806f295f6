/** What is shipped together, by the one shipping method of an order or by one of several. */
import { action, invalidOperation } from '../../../engine/actions.ts';
import { setCustomField, setCustomType } from '../../../engine/custom-actions.ts';
import type { Fixed } from '../../../engine/document.ts';
import { namedParts } from '../../../engine/parts.ts';
import { address } from '../../../fields/address.ts';
import { customFields } from '../../../fields/custom-fields.ts';
import { defaulted, optional, required } from '../../../fields/field.ts';
import { key } from '../../../fields/scalar.ts';
import { shippingInfoIn } from '../../cart/actions/taxes.ts';
import { addedParcels, type Delivery, items } from '../../cart/delivery-fields.ts';
import type { Order } from '../fields.ts';

/** Named by `deliveryId` or `deliveryKey`. */
export const { identifier, indexIn } = namedParts('delivery', 'shippingInfo.deliveries');

/** What ships an order, be it to be changed or not. */
interface Shipped<Info> {
  readonly shippingInfo?: Info;
  readonly shipping: readonly { readonly shippingInfo: Info }[];
}

function infosOf<Info>({ shippingInfo, shipping }: Shipped<Info>): readonly Info[] {
  return [...(shippingInfo === undefined ? [] : [shippingInfo]), ...shipping.map((each) => each.shippingInfo)];
}

export function deliveriesOf<D>(order: Shipped<{ readonly deliveries: readonly D[] }>): readonly D[] {
  return infosOf(order).flatMap(({ deliveries }) => deliveries);
}

export function deliveryIn(order: Order, input: Parameters<typeof indexIn>[1]): Delivery {
  const deliveries = deliveriesOf(order);
  return deliveries[indexIn(deliveries, input)]!;
}

/** Each names an item of the order. How many units are shipped altogether nobody checks: some go out twice. */
export function requireItems(
  { lineItems, customLineItems }: Fixed<Pick<Order, 'lineItems' | 'customLineItems'>>,
  shipped: Fixed<Delivery['items']>,
): void {
  const known = new Set([...lineItems, ...customLineItems].map(({ id }) => id));
  const unknown = shipped.find(({ id }) => !known.has(id));
  if (unknown !== undefined) throw invalidOperation(`There is no line item or custom line item '${unknown.id}'.`);
}

const addDelivery = action(
  {
    deliveryKey: optional(key()),
    shippingKey: optional(key()),
    items: defaulted(items, () => []),
    address: optional(address()),
    parcels: defaulted(addedParcels, () => []),
    custom: optional(customFields('order-delivery')),
  },
  (order: Order, { deliveryKey, shippingKey, parcels, ...given }, { newId, now }) => {
    const { deliveries } = shippingInfoIn(order, shippingKey);
    requireItems(order, [...given.items, ...parcels.flatMap((parcel) => parcel.items)]);
    deliveries.push({
      id: newId(),
      ...(deliveryKey !== undefined && { key: deliveryKey }),
      createdAt: now,
      ...given,
      parcels: parcels.map((parcel) => ({ ...parcel, createdAt: now })),
    });
  },
);

const removeDelivery = action(identifier, (order: Order, input) => {
  const removed = deliveryIn(order, input);
  for (const info of infosOf(order)) info.deliveries = info.deliveries.filter((delivery) => delivery !== removed);
});

const setDeliveryItems = action(
  { ...identifier, items: required(items) },
  (order: Order, { items: given, ...input }) => {
    requireItems(order, given);
    deliveryIn(order, input).items = given;
  },
);

const setDeliveryAddress = action(
  { ...identifier, address: optional(address()) },
  (order: Order, { address: given, ...input }) => {
    const delivery = deliveryIn(order, input);
    if (given === undefined) delete delivery.address;
    else delivery.address = given;
  },
);

function addressOf(order: Order, input: Parameters<typeof indexIn>[1]): NonNullable<Delivery['address']> {
  const { address: known, id } = deliveryIn(order, input);
  if (known === undefined) throw invalidOperation(`The delivery '${id}' has no address.`);
  return known;
}

export const deliveryActions = {
  addDelivery,
  removeDelivery,
  setDeliveryItems,
  setDeliveryAddress,
  setDeliveryAddressCustomType: setCustomType(addressOf, identifier),
  setDeliveryAddressCustomField: setCustomField(addressOf, identifier),
  setDeliveryCustomType: setCustomType(deliveryIn, identifier),
  setDeliveryCustomField: setCustomField(deliveryIn, identifier),
};
