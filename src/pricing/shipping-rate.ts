import type { Predicate } from '../predicate/ast.ts';
import { compilePredicate } from '../predicate/compile.ts';
import { type RateSubject, type Tier, tierFor } from './cart/shipping-price.ts';
import { isForStore, type StoreLink } from './stores.ts';

interface Amount {
  readonly currencyCode: string;
  readonly centAmount: number;
}

/** What matching reads of a shipping method. */
export interface MethodInput {
  readonly isDefault: boolean;
  readonly active: boolean;
  /** On carts. */
  readonly predicate?: Predicate;
  /** Empty for a method of all stores. */
  readonly stores: readonly StoreLink[];
  readonly zoneRates: readonly ZoneRate<RateInput>[];
}

interface RateInput {
  readonly price: Amount;
  readonly tiers: readonly Tier[];
}

/** The rates of a method in a zone, one in a currency. */
interface ZoneRate<Rate> {
  readonly zone: { readonly id: string };
  readonly shippingRates: readonly Rate[];
}

export interface ZoneInput {
  readonly id: string;
  readonly locations: readonly Location[];
}

export interface Location {
  readonly country: string;
  readonly state?: string;
}

/** What matching reads of a cart. */
export interface CartInput {
  readonly totalPrice: Amount;
  readonly shippingAddress?: Location;
  readonly store?: StoreLink;
  readonly shippingRateInput?: { readonly type: string; readonly score?: number; readonly key?: string };
  readonly lineItems: readonly { readonly totalPrice: Amount }[];
  readonly customLineItems: readonly { readonly totalPrice: Amount }[];
  /** What predicates read. */
  readonly facts: object;
}

/** A rate of a method that applies, by its place in the method. */
export interface RateMatch {
  readonly zoneRate: number;
  readonly rate: number;
  /** The tier that replaces the rate's price; absent when the base price applies. */
  readonly tier?: number;
}

/** A method that can ship, by its place in the list that was compiled. */
export interface MethodMatch {
  readonly method: number;
  readonly rates: readonly RateMatch[];
}

interface Method extends Pick<MethodInput, 'stores' | 'zoneRates'> {
  readonly index: number;
  readonly matchesCart: ((cart: unknown) => boolean) | undefined;
}

/** A project's active methods, the default first, and its zones by location; read-only after it is made. */
export interface Catalog {
  readonly methods: readonly Method[];
  readonly zonesByLocation: ReadonlyMap<string, string>;
}

export function compileCatalog(methods: readonly MethodInput[], zones: readonly ZoneInput[]): Catalog {
  const zonesByLocation = byLocation(zones);
  const active = methods.map((method, index) => ({ method, index })).filter(({ method }) => method.active);
  const ordered = [
    ...active.filter(({ method }) => method.isDefault),
    ...active.filter(({ method }) => !method.isDefault),
  ];
  return { methods: ordered.map(({ method, index }) => compileMethod(method, index)), zonesByLocation };
}

/** Zones by their locations, made once for a list of them. */
const known = new WeakMap<readonly ZoneInput[], ReadonlyMap<string, string>>();

function byLocation(zones: readonly ZoneInput[]): ReadonlyMap<string, string> {
  let found = known.get(zones);
  if (found === undefined) {
    found = new Map(zones.flatMap(({ id, locations }) => locations.map((each) => [locationName(each), id] as const)));
    known.set(zones, found);
  }
  return found;
}

/** The ids of the zones that hold the location, the one that names its state first. */
export function zonesAt(zones: readonly ZoneInput[], location: Location): readonly string[] {
  return zonesOf({ zonesByLocation: byLocation(zones) }, location);
}

function locationName({ country, state }: Location): string {
  return state === undefined ? country : `${country}/${state}`;
}

function compileMethod(method: MethodInput, index: number): Method {
  return {
    index,
    matchesCart: method.predicate === undefined ? undefined : compilePredicate(method.predicate),
    stores: method.stores,
    zoneRates: method.zoneRates,
  };
}

/** What a cart is matched by besides itself. */
export interface CartMatching {
  /** By default the cart's shipping address. */
  readonly location?: Location;
  /** The type of the tiers that the project uses; tiers of other types apply to no cart. */
  readonly tierType: string | undefined;
}

/**
 * The methods that can ship a cart to a location, each with the one rate that is used when the method is added to the
 * cart: in the cart's currency, of the most specific zone. Undefined when there is neither a location nor an address.
 */
export function matchCart(
  catalog: Catalog,
  cart: CartInput,
  { location = cart.shippingAddress, tierType }: CartMatching,
): readonly MethodMatch[] | undefined {
  if (location === undefined) return undefined;
  const zones = zonesOf(catalog, location);
  const { currencyCode } = cart.totalPrice;
  const subject: RateSubject = { value: itemsSum(cart), rateInput: cart.shippingRateInput, tierType };
  return catalog.methods.flatMap((method) => {
    const place = rateAt(method, zones, currencyCode);
    if (place === undefined || !isForStore(method.stores, cart.store)) return [];
    if (method.matchesCart?.(cart.facts) === false) return [];
    const { tiers } = rateIn(method, place);
    const tier = tierFor(tiers, subject);
    return [{ method: method.index, rates: [tier === undefined ? place : { ...place, tier: tiers.indexOf(tier) }] }];
  });
}

/**
 * The methods that ship to a location: with a currency each with its one rate in it, else with all rates of the most
 * specific zone. A method with a predicate is left out, for there is no cart to check (decisions.md #82).
 */
export function matchLocation(
  catalog: Catalog,
  location: Location,
  currencyCode: string | undefined,
): readonly MethodMatch[] {
  const zones = zonesOf(catalog, location);
  return catalog.methods.flatMap((method) => {
    if (method.matchesCart !== undefined) return [];
    if (currencyCode !== undefined) {
      const place = rateAt(method, zones, currencyCode);
      return place === undefined ? [] : [{ method: method.index, rates: [place] }];
    }
    const places = placesOfZones(method.zoneRates);
    const ratesIn = (zoneRate: number): readonly unknown[] => method.zoneRates[zoneRate]!.shippingRates;
    const zoneRate = zones.flatMap((zone) => places.get(zone) ?? []).find((place) => ratesIn(place).length > 0);
    if (zoneRate === undefined) return [];
    return [{ method: method.index, rates: ratesIn(zoneRate).map((_, rate) => ({ zoneRate, rate })) }];
  });
}

/** Zones that hold the location, the one that names its state first. */
function zonesOf(
  { zonesByLocation }: Pick<Catalog, 'zonesByLocation'>,
  { country, state }: Location,
): readonly string[] {
  const names = state === undefined ? [country] : [`${country}/${state}`, country];
  return names.map((name) => zonesByLocation.get(name)).filter((zone) => zone !== undefined);
}

/**
 * The rate by which a method ships to a place, in the first of the zones, most specific first, in which it has one in the
 * currency. Undefined for one that does not ship there.
 */
export function rateAt(
  { zoneRates }: { readonly zoneRates: readonly ZoneRate<Pick<RateInput, 'price'>>[] },
  zones: readonly string[],
  currencyCode: string,
): RateMatch | undefined {
  const places = placesOfZones(zoneRates);
  for (const zone of zones) {
    const zoneRate = places.get(zone);
    if (zoneRate === undefined) continue;
    const rate = zoneRates[zoneRate]!.shippingRates.findIndex(({ price }) => price.currencyCode === currencyCode);
    if (rate !== -1) return { zoneRate, rate };
  }
  return undefined;
}

/** The rate that `rateAt` has found in the method. */
export function rateIn<Rate>(
  { zoneRates }: { readonly zoneRates: readonly ZoneRate<Rate>[] },
  { zoneRate, rate }: RateMatch,
): Rate {
  return zoneRates[zoneRate]!.shippingRates[rate]!;
}

const knownPlaces = new WeakMap<readonly ZoneRate<unknown>[], ReadonlyMap<string, number>>();

/** Where a method has each zone, of which it may have many, found once for the method. */
function placesOfZones(zoneRates: readonly ZoneRate<unknown>[]): ReadonlyMap<string, number> {
  let places = knownPlaces.get(zoneRates);
  if (places === undefined) {
    places = new Map(zoneRates.map(({ zone }, index) => [zone.id, index]));
    knownPlaces.set(zoneRates, places);
  }
  return places;
}

/** Cent amounts of a cart were checked to be safe integers, and so was their sum. */
function itemsSum({ lineItems, customLineItems }: CartInput): number {
  let sum = 0;
  for (const { totalPrice } of lineItems) sum += totalPrice.centAmount;
  for (const { totalPrice } of customLineItems) sum += totalPrice.centAmount;
  return sum;
}

/** A copy of the method in which exactly the rates and tiers of the match carry `isMatching: true`. */
export function withMatching<M extends Omit<MethodInput, 'predicate'>>(method: M, { rates }: MethodMatch): M {
  return {
    ...method,
    zoneRates: method.zoneRates.map((zoneRate, zoneRateIndex) => ({
      ...zoneRate,
      shippingRates: zoneRate.shippingRates.map((rate, rateIndex) => {
        const match = rates.find((candidate) => candidate.zoneRate === zoneRateIndex && candidate.rate === rateIndex);
        const tiers = rate.tiers.map((tier, tierIndex) => ({
          ...tier,
          isMatching: match !== undefined && match.tier === tierIndex,
        }));
        return { ...rate, isMatching: match !== undefined, tiers };
      }),
    })),
  };
}
