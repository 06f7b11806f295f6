/** The shipping methods of a cart: what they are called, by what rate they ship it there, and whether they fit it (carts 8). */
import { invalidOperation } from '../../../engine/actions.ts';
import type { Fixed } from '../../../engine/document.ts';
import { type Location, rateAt, rateIn, zonesAt } from '../../../pricing/shipping-rate.ts';
import { isForStore } from '../../../pricing/stores.ts';
import type { ShippingMethod, ShippingRate } from '../../shipping-method/fields.ts';
import { setMethodName } from '../actions/shipping.ts';
import type { Cart } from '../fields.ts';
import type { ShippingInfo } from '../shipping-fields.ts';
import type { Holds } from './holding.ts';

export interface ShippingCatalog {
  readonly methods: readonly Fixed<ShippingMethod>[];
  readonly zones: readonly { readonly id: string; readonly locations: readonly Location[] }[];
}

interface Shipped {
  /** Undefined of the one method of a cart. */
  readonly shippingKey: string | undefined;
  readonly info: ShippingInfo;
  readonly address: Location | undefined;
}

function shippedIn({ shippingMode, shippingInfo, shipping, shippingAddress }: Cart): readonly Shipped[] {
  if (shippingMode === 'Single')
    return shippingInfo === undefined ? [] : [{ shippingKey: undefined, info: shippingInfo, address: shippingAddress }];
  return shipping.map((each) => ({
    shippingKey: each.shippingKey,
    info: each.shippingInfo,
    address: each.shippingAddress,
  }));
}

/**
 * Gives each method its name, its rate for the address, and its tax category. One that does not ship there is refused where it
 * was set just now, and otherwise goes, as without an address; of several it stays as it is, for items name it. Gives the keys
 * of those that stay.
 */
export function chooseRates(cart: Cart, catalog: ShippingCatalog, said: ReadonlySet<string>): ReadonlySet<string> {
  const stuck = new Set<string>();
  for (const { shippingKey, info, address } of shippedIn(cart)) {
    const method = methodOf(info, catalog);
    const isNew = said.has(setMethodName(shippingKey));
    if (isNew && info.shippingMethod !== undefined) requireAvailable(method, cart);
    // What the client described itself, or what is gone, stays as it is.
    if (method === undefined && (address !== undefined || info.shippingMethod === undefined)) continue;
    const place = method && address && rateAt(method, zonesAt(catalog.zones, address), cart.totalPrice.currencyCode);
    if (method === undefined || place === undefined) {
      if (isNew)
        throw invalidOperation(
          `The shipping method '${info.shippingMethod?.id}' has no rate for the address and currency of the cart.`,
        );
      if (shippingKey === undefined) delete cart.shippingInfo;
      else stuck.add(shippingKey);
      continue;
    }
    info.shippingMethodName = method.name;
    info.shippingRate = withoutMarks(rateIn(method, place));
    info.taxCategory = { ...method.taxCategory };
  }
  return stuck;
}

function methodOf({ shippingMethod }: ShippingInfo, { methods }: ShippingCatalog): Fixed<ShippingMethod> | undefined {
  return shippingMethod && methods.find(({ id }) => id === shippingMethod.id);
}

function requireAvailable(method: Fixed<ShippingMethod> | undefined, { store }: Cart): void {
  if (method?.active === false) throw invalidOperation(`The shipping method '${method.id}' is not active.`);
  if (method !== undefined && !isForStore(method.stores, store))
    throw invalidOperation(`The shipping method '${method.id}' is for other stores.`);
}

function withoutMarks({ isMatching: _, ...rate }: Fixed<ShippingRate>): ShippingRate {
  return structuredClone(rate) as ShippingRate;
}

/** Those of the methods of the cart. */
export function predicatesOfMethods(cart: Cart, catalog: ShippingCatalog): readonly string[] {
  return shippedIn(cart).flatMap(({ info }) => methodOf(info, catalog)?.predicate ?? []);
}

/** Says of each method whether it ships there and its predicate holds; that of one that was set just now has to. */
export function judgeMethods(
  cart: Cart,
  {
    catalog,
    holds,
    said,
    stuck,
  }: {
    readonly catalog: ShippingCatalog;
    readonly holds: Holds;
    readonly said: ReadonlySet<string>;
    /** Keys of those that do not ship there. */
    readonly stuck: ReadonlySet<string>;
  },
): void {
  for (const { shippingKey, info } of shippedIn(cart)) {
    const predicate = methodOf(info, catalog)?.predicate;
    const isMatching = predicate === undefined || holds(predicate);
    if (!isMatching && said.has(setMethodName(shippingKey)))
      throw invalidOperation(`The shipping method '${info.shippingMethod?.id}' does not fit the cart.`);
    const isStuck = shippingKey !== undefined && stuck.has(shippingKey);
    info.shippingMethodState = isMatching && !isStuck ? 'MatchesCart' : 'DoesNotMatchCart';
  }
}
