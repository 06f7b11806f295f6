/** What the contract tests send of orders. */
import type { Examples } from '../../engine/resource.ts';

const custom = { type: { typeId: 'type', key: 'example-type' }, fields: { note: 'Example' } };
const address = { country: 'DE', custom };
const [initial, other] = ['Initial', 'example-state-line-item'].map((key) => ({ typeId: 'state', key }));
const ofLine = [{ id: '{lineItems[0].id}', quantity: 1 }];
const parcel = { items: ofLine, measurements: { weightInGram: 300 }, trackingData: { trackingId: 'T-1' }, custom };
const transition = { quantity: 1, fromState: initial, toState: other };

/** Parts have an id and may have a key, of which an action says one. */
const byId = {
  lineItem: ['importLineItemState', 'setLineItemCustomField', 'setLineItemCustomType', 'setLineItemShippingDetails'],
  customLineItem: [
    'importCustomLineItemState',
    'setCustomLineItemCustomField',
    'setCustomLineItemCustomType',
    'setCustomLineItemShippingDetails',
  ],
  delivery: [
    'addParcelToDelivery',
    'removeDelivery',
    'setDeliveryAddress',
    'setDeliveryAddressCustomField',
    'setDeliveryAddressCustomType',
    'setDeliveryCustomField',
    'setDeliveryCustomType',
    'setDeliveryItems',
  ],
  parcel: [
    'removeParcelFromDelivery',
    'setParcelCustomField',
    'setParcelCustomType',
    'setParcelItems',
    'setParcelMeasurements',
    'setParcelTrackingData',
  ],
  returnItem: ['setReturnItemCustomField', 'setReturnItemCustomType'],
} as const;

/** An order of the example is shipped by one method, which has no key. */
const ofOneMethod = ['setShippingCustomField', 'setShippingCustomType', 'setEstimatedDelivery'];

const named = Object.entries(byId).flatMap(([noun, names]) =>
  names.map((name): readonly [string, Readonly<Record<string, unknown>>] => [name, { [`${noun}Key`]: undefined }]),
);

const others: Examples['actions'] = {
  ...Object.fromEntries(named),
  ...Object.fromEntries(ofOneMethod.map((name) => [name, { shippingKey: undefined }])),
};

export const examples: Partial<Examples> = {
  needed: ['cart'],
  used: ['cart'],
  beside: [other!],
  actions: {
    ...others,
    addItemShippingAddress: { address: { ...address, key: 'other-key' } },
    addDelivery: {
      shippingKey: undefined,
      items: ofLine,
      address,
      parcels: [parcel],
      custom,
    },
    addParcelToDelivery: { deliveryKey: undefined, ...parcel },
    addReturnInfo: { items: [{ quantity: 1, lineItemId: '{lineItems[0].id}', shipmentState: 'Returned', custom }] },
    importLineItemState: { lineItemKey: undefined, state: [{ quantity: 3, state: other }] },
    importCustomLineItemState: { customLineItemKey: undefined, state: [{ quantity: 2, state: other }] },
    setDeliveryItems: { deliveryKey: undefined, items: [] },
    setParcelItems: { parcelKey: undefined, items: [] },
    setCustomLineItemShippingDetails: {
      customLineItemKey: undefined,
      shippingDetails: { targets: [{ addressKey: 'example-key', quantity: 2 }] },
    },
    setReturnPaymentState: { returnItemKey: undefined, paymentState: 'Refunded' },
    setReturnShipmentState: { returnItemKey: undefined, shipmentState: 'Unusable' },
    transitionLineItemState: { lineItemKey: undefined, ...transition },
    transitionCustomLineItemState: { customLineItemKey: undefined, ...transition },
  },
};
