/** Orders as clients import them, which are known by their numbers. */
import { currency } from './goods.ts';
import { type Kind, plainKind } from './requests.ts';

const price = { currencyCode: currency, centAmount: 100 };

export const order: Kind = {
  ...plainKind('order', 'orders', ['order', 'orders'], (text, key) => ({
    orderNumber: key,
    purchaseOrderNumber: text,
    totalPrice: price,
    customLineItems: [{ name: { en: text }, slug: text, money: price, quantity: 1 }],
  })),
  createPath: 'orders/import',
  keyMember: 'orderNumber',
  keyPath: 'order-number',
  // One that is set stays.
  hasFixedKey: true,
  rename: (purchaseOrderNumber) => ({ action: 'setPurchaseOrderNumber', purchaseOrderNumber }),
  selection: '{ id version orderNumber purchaseOrderNumber }',
  contentOf: ({ orderNumber, purchaseOrderNumber }) => ({
    text: String(purchaseOrderNumber),
    ...(typeof orderNumber === 'string' && { key: orderNumber }),
  }),
};
