/** Section 8: rates and prices of shipping. */
import type {
  Address,
  PriceFunction,
  ShippingMethod,
  ShippingRate,
  ShippingRateInput,
  ShippingRatePriceTier,
} from '@commercetools/platform-sdk';
import { centMoney, cents } from './amounts.ts';
import { currencyOf, type ModelCart, type ModelShippingInfo, type ModelWorld } from './cart-shapes.ts';
import { add, decimal, multiply, type Rational, round, subtract, zero } from './rational.ts';

/** The rate of a method for an address, in the currency of the cart. */
export function rateOfMethod(
  world: ModelWorld,
  cart: ModelCart,
  { method, address }: { readonly method: ShippingMethod; readonly address: Address },
): ShippingRate | undefined {
  const state = address.state === '' ? undefined : address.state;
  // 8.2: of the zones in which there is a rate in the currency.
  for (const place of state === undefined ? [undefined] : [state, undefined]) {
    const { shippingRates = [] } = findZoneRate(world, method, address.country, place) ?? {};
    const rate = shippingRates.find(({ price }) => price.currencyCode === currencyOf(cart));
    if (rate !== undefined) return rate;
  }
  return undefined;
}

function findZoneRate(
  world: ModelWorld,
  { zoneRates }: ShippingMethod,
  country: string,
  state: string | undefined,
): ShippingMethod['zoneRates'][number] | undefined {
  return zoneRates.find(({ zone }) => {
    const locations = world.zones.find(({ id }) => id === zone.id)?.locations ?? [];
    return locations.some((location) => location.country === country && location.state === state);
  });
}

/** Chooses the rates anew, and removes what cannot be shipped (8.5, 8.6). */
export function chooseShippingRates(world: ModelWorld, cart: ModelCart): void {
  for (const shipping of cart.shipping) chooseRate(world, cart, shipping.shippingInfo, shipping.shippingAddress);
  const info = cart.shippingInfo;
  if (info === undefined) return;
  if (cart.shippingAddress === undefined || !chooseRate(world, cart, info, cart.shippingAddress))
    delete cart.shippingInfo;
}

/** Whether the method has a rate; one that is custom or deleted keeps what it has. */
function chooseRate(world: ModelWorld, cart: ModelCart, info: ModelShippingInfo, address: Address): boolean {
  const method = world.shippingMethods.find(({ id }) => id === info.shippingMethod?.id);
  if (method === undefined) return true;
  const rate = rateOfMethod(world, cart, { method, address });
  if (rate === undefined) return false;
  info.shippingRate = shownRate(rate);
  info.taxCategory = method.taxCategory;
  return true;
}

/** 8.5: without isMatching. */
function shownRate({ price, freeAbove, tiers }: ShippingRate): ShippingRate {
  return {
    price: centMoney(price.currencyCode, cents(price)),
    ...(freeAbove === undefined ? {} : { freeAbove: centMoney(freeAbove.currencyCode, cents(freeAbove)) }),
    tiers: tiers.map(shownTier),
  };
}

function shownTier({ isMatching: _, ...tier }: ShippingRatePriceTier): ShippingRatePriceTier {
  // What is left has all members but an optional one.
  return tier as ShippingRatePriceTier;
}

/** What a rate costs for a cart of this value, in cents (8.3). */
function shippingPrice(
  world: ModelWorld,
  { price, freeAbove, tiers }: ShippingRate,
  { value, input }: { readonly value: bigint; readonly input: ShippingRateInput | undefined },
): bigint {
  if (freeAbove !== undefined && value >= cents(freeAbove)) return 0n;
  const type = world.project.shippingRateInputType?.type;
  let best: ShippingRatePriceTier | undefined;
  for (const tier of tiers) {
    if (tier.type !== type) continue;
    if (tier.type === 'CartValue' && BigInt(tier.minimumCentAmount) <= value)
      if (best?.type !== 'CartValue' || tier.minimumCentAmount > best.minimumCentAmount) best = tier;
    if (tier.type === 'CartScore' && input?.type === 'Score' && tier.score <= input.score)
      if (best?.type !== 'CartScore' || tier.score > best.score) best = tier;
    if (tier.type === 'CartClassification' && input?.type === 'Classification' && tier.value === input.key)
      best ??= tier;
  }
  if (best?.type === 'CartScore' && best.priceFunction !== undefined && input?.type === 'Score')
    return ofFunction(best.priceFunction, input.score);
  return best?.price === undefined ? cents(price) : BigInt(best.price.centAmount ?? 0);
}

/** A price function at a score, in cents and not below 0. Sums of products of numbers, x and parentheses. */
export function ofFunction({ function: text }: PriceFunction, score: number): bigint {
  const tokens = text.match(/\d+(\.\d+)?|[x()+*-]/g) ?? [];
  let index = 0;
  const factor = (): Rational => {
    const token = tokens[index++]!;
    if (token === '-') return subtract(zero, factor());
    if (token === 'x') return decimal(score);
    if (token !== '(') return decimal(token);
    const inner = whole();
    index += 1;
    return inner;
  };
  const term = (): Rational => {
    let product = factor();
    while (tokens[index] === '*') {
      index += 1;
      product = multiply(product, factor());
    }
    return product;
  };
  const whole = (): Rational => {
    let total = term();
    while (tokens[index] === '+' || tokens[index] === '-') {
      const isSum = tokens[index++] === '+';
      total = isSum ? add(total, term()) : subtract(total, term());
    }
    return total;
  };
  const amount = round(whole(), 'HalfEven');
  return amount < 0n ? 0n : amount;
}

/** Sets the prices of all methods in the cart for this value of it, before discounts. */
export function priceShipping(world: ModelWorld, cart: ModelCart, value: bigint): void {
  const price = (info: ModelShippingInfo, input: ShippingRateInput | undefined): void => {
    info.price = centMoney(currencyOf(cart), shippingPrice(world, info.shippingRate, { value, input }));
  };
  if (cart.shippingInfo !== undefined) price(cart.shippingInfo, cart.shippingRateInput);
  for (const shipping of cart.shipping) price(shipping.shippingInfo, shipping.shippingRateInput);
}
