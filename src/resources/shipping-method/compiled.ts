/** Which methods of a project can ship a cart, or ship to a place. */
import type { Predicate } from '../../predicate/ast.ts';
import { parsedOrNever } from '../../predicate/parsed-or-never.ts';
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

export function parsed(predicate: string): Predicate {
  return parsedOrNever(parseCartPredicate, predicate);
}

export function matchesOf(
  catalog: Catalog,
  { cart, location, currencyCode, tierType }: MatchRequest,
): readonly MethodMatch[] | 'address-missing' {
  if (cart === undefined) return matchLocation(catalog, location!, currencyCode);
  return matchCart(catalog, cart, { tierType, ...(location && { location }) }) ?? 'address-missing';
}
