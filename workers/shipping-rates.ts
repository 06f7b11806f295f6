import { type CartInput, compileCatalog, matchCart, matchLocation } from '../src/pricing/shipping-rate.ts';
import { shippingRates } from '../src/pricing/shipping-rate-task.ts';
import { servingOn } from '../src/threads/protocol.ts';

/** Projects whose methods and zones a thread keeps compiled. */
const keptMax = 100;

export const run = servingOn(
  shippingRates,
  { keptMax, make: ({ methods, zones }) => compileCatalog(methods, zones) },
  (catalog, { cart, location, currencyCode, tierType }) => {
    if (cart === undefined) return matchLocation(catalog, location!, currencyCode);
    // The text is the store's representation of a cart.
    const matches = matchCart(catalog, JSON.parse(cart) as CartInput, { tierType, ...(location && { location }) });
    return matches ?? 'address-missing';
  },
);
