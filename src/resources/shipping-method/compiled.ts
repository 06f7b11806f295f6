/** Which methods of a project can ship a cart, or ship to a place. */
import { ApiError } from '../../errors/api-error.ts';
import type { Predicate } from '../../predicate/ast.ts';
import {
  type Catalog,
  compileCatalog,
  matchCart,
  matchLocation,
  type MethodMatch,
} from '../../pricing/shipping-rate.ts';
import type { MatchRequest, ShippingCatalog } from '../../pricing/shipping-rate-task.ts';
import { parseCartPredicate } from '../cart/predicate.ts';

export function compiled({ methods, zones }: ShippingCatalog): Catalog {
  return compileCatalog(
    methods.map(({ predicate, ...method }) =>
      predicate === undefined ? method : { ...method, predicate: parsed(predicate) },
    ),
    zones,
  );
}

/** One that another version took, and that says nothing here, holds for no cart, so that the other methods match. */
export function parsed(predicate: string): Predicate {
  try {
    return parseCartPredicate(predicate);
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { kind: 'constant', value: false };
  }
}

export function matchesOf(
  catalog: Catalog,
  { cart, location, currencyCode, tierType }: MatchRequest,
): readonly MethodMatch[] | 'address-missing' {
  if (cart === undefined) return matchLocation(catalog, location!, currencyCode);
  return matchCart(catalog, cart, { tierType, ...(location && { location }) }) ?? 'address-missing';
}
