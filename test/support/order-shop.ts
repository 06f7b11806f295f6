/** A shop whose carts become orders, as the public client makes and changes them. */
import type { CartDraft, Order, OrderUpdateAction } from '@commercetools/platform-sdk';
import { type CartShop, eur, german, type Refusal, refusalOf, startCartShop } from './cart-shop.ts';
import type { Platform } from './platform.ts';

export const standard = { typeId: 'tax-category' as const, key: 'standard' };
export const home = { ...german, key: 'home' };
export const away = { country: 'US', key: 'away' };

export interface OrderShop extends CartShop {
  /** A draft of a cart that goes to two addresses, by two methods. */
  readonly severally: Partial<CartDraft>;
  /** Of three lamps and two wraps that are posted, or of what the draft says. */
  order(draft?: Partial<CartDraft>): Promise<Order>;
  /** The order after these actions. Throws what the client does. */
  change(order: Order, ...actions: readonly OrderUpdateAction[]): Promise<Order>;
  /** What refuses these actions, which may be such as no type has. Throws where they are accepted, or change the order. */
  refusedChange(order: Order, ...actions: readonly object[]): Promise<Refusal>;
}

export const plain: Partial<CartDraft> = {
  shippingAddress: german,
  lineItems: [{ key: 'line', sku: 'lamp', quantity: 3 }],
  customLineItems: [
    { key: 'item', name: { en: 'Wrap' }, slug: 'wrap', money: eur(100), quantity: 2, taxCategory: standard },
  ],
  shippingMethod: { typeId: 'shipping-method', key: 'post' },
};

/** To two addresses, by two methods. */
const severally = (methodId: string): Partial<CartDraft> => ({
  shippingMode: 'Multiple',
  shippingAddress: german,
  itemShippingAddresses: [home, away],
  lineItems: [
    {
      key: 'line',
      sku: 'lamp',
      quantity: 3,
      shippingDetails: {
        targets: [
          { addressKey: 'home', quantity: 2, shippingMethodKey: 'by-post' },
          { addressKey: 'away', quantity: 1, shippingMethodKey: 'courier' },
        ],
      },
    },
  ],
  shipping: [{ key: 'by-post', shippingMethod: { typeId: 'shipping-method', id: methodId }, shippingAddress: german }],
  customShipping: [
    {
      key: 'courier',
      shippingMethodName: 'Courier',
      shippingAddress: { country: 'US' },
      shippingRate: { price: eur(700) },
      taxCategory: standard,
    },
  ],
});

/** Everything of an order that has custom fields. */
const customized = [
  'order',
  'order-delivery',
  'order-parcel',
  'order-return-item',
  'line-item',
  'custom-line-item',
  'address',
  'shipping',
] as const;

/** In a project of its own, or in this one, with a type `note` of one field for all parts of orders. */
export async function startOrderShop(given?: Platform): Promise<OrderShop> {
  const shop = await startCartShop(given);
  const { api, addProduct, cart } = shop;
  await addProduct('lamp', [{ value: eur(1000) }]);
  const zoneRates = [{ zone: { typeId: 'zone' as const, key: 'de' }, shippingRates: [{ price: eur(500) }] }];
  const { body: method } = await api
    .shippingMethods()
    .post({ body: { key: 'post', name: 'Post', taxCategory: standard, isDefault: false, zoneRates } })
    .execute();
  await api
    .types()
    .post({
      body: {
        key: 'note',
        name: { en: 'Note' },
        resourceTypeIds: [...customized],
        fieldDefinitions: [{ name: 'note', label: { en: 'Note' }, required: false, type: { name: 'String' } }],
      },
    })
    .execute();
  const change: OrderShop['change'] = async ({ id, version }, ...actions) =>
    (
      await api
        .orders()
        .withId({ ID: id })
        .post({ body: { version, actions: [...actions] } })
        .execute()
    ).body;
  return {
    ...shop,
    severally: severally(method.id),
    order: async (draft = plain) => {
      const { id, version } = await cart(draft);
      return (
        await api
          .orders()
          .post({ body: { cart: { typeId: 'cart', id }, version } })
          .execute()
      ).body;
    },
    change,
    refusedChange: async (order, ...actions) => {
      // Some are such as the client's types have none of.
      const refusal = await refusalOf(change(order, ...(actions as readonly OrderUpdateAction[])));
      const { version } = (await api.orders().withId({ ID: order.id }).get().execute()).body;
      if (version !== order.version) throw new Error('The order has changed');
      return refusal;
    },
  };
}
