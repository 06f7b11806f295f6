import type { Members } from '../../engine/indexed.ts';

const shippingInfo = { shippingMethodName: true, shippingMethod: true } as const;

/**
 * What carts are asked for by: whose they are, what is in them, and what names other resources. What lines have taken over of
 * their products, prices and taxes are nine tenths of a cart, all of which a change of one line would index anew.
 */
export const indexed: Members = {
  key: true,
  customerId: true,
  customerEmail: true,
  customerGroup: true,
  anonymousId: true,
  store: true,
  cartState: true,
  country: true,
  locale: true,
  origin: true,
  inventoryMode: true,
  taxMode: true,
  shippingMode: true,
  totalPrice: { currencyCode: true },
  createdBy: true,
  custom: true,
  lineItems: {
    id: true,
    key: true,
    productId: true,
    productKey: true,
    productType: true,
    variant: { id: true, sku: true, key: true },
    supplyChannel: true,
    distributionChannel: true,
    lineItemMode: true,
    priceMode: true,
    inventoryMode: true,
    custom: true,
  },
  customLineItems: { id: true, key: true, slug: true, taxCategory: true, custom: true },
  shippingAddress: true,
  billingAddress: true,
  itemShippingAddresses: { key: true, country: true },
  shippingInfo,
  shipping: { shippingKey: true, shippingInfo },
  discountCodes: true,
  refusedGifts: true,
  paymentInfo: true,
};
