/** How much a cart may hold (carts 3.10). */
export const lineItemsMax = 500;
export const customLineItemsMax = 100;
export const discountCodesMax = 10;
export const directDiscountsMax = 100;
export const shippingMethodsMax = 100;
export const itemShippingAddressesMax = 500;
/** Of the units of one item. */
export const shippingTargetsMax = 1000;
