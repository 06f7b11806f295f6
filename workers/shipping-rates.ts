import { ApiError } from '../src/errors/api-error.ts';
import { compileCatalog, matchCart, matchLocation, type MethodInput } from '../src/pricing/shipping-rate.ts';
import { shippingRates, type StoredMethod } from '../src/pricing/shipping-rate-task.ts';
import { parseCartPredicate } from '../src/resources/cart/predicate.ts';
import { servingOn } from '../src/threads/protocol.ts';

/** Projects whose methods and zones a thread keeps compiled. */
const keptMax = 100;

export const run = servingOn(
  shippingRates,
  { keptMax, make: ({ methods, zones }) => compileCatalog(methods.map(parsed), zones) },
  (catalog, { cart, location, currencyCode, tierType }) => {
    if (cart === undefined) return matchLocation(catalog, location!, currencyCode);
    const matches = matchCart(catalog, cart, { tierType, ...(location && { location }) });
    return matches ?? 'address-missing';
  },
);

/** A predicate that another version took, and that says nothing here, holds for no cart, so that the other methods match. */
function parsed({ predicate, ...method }: StoredMethod): MethodInput {
  if (predicate === undefined) return method;
  try {
    return { ...method, predicate: parseCartPredicate(predicate) };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { ...method, predicate: { kind: 'constant', value: false } };
  }
}
