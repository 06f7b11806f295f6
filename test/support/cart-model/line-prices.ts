/** Section 2: the price of a line item. */
import type { Price, Product, ProductVariant, StandalonePrice, TypedMoney } from '@commercetools/platform-sdk';
import { type Amount, amountOf, centsOf } from './amounts.ts';
import { currencyOf, type ModelCart, type ModelItem, type ModelLine, type ModelWorld, isLine } from './cart-shapes.ts';
import { refuse } from './model-error.ts';
import { compare, multiply, rational, round } from './rational.ts';

export interface PriceQuestion {
  readonly product: Product;
  readonly variant: ProductVariant;
  readonly channel: string | undefined;
  readonly quantity: number;
}

export function variantsOf(product: Product): readonly ProductVariant[] {
  return [product.masterData.current.masterVariant, ...product.masterData.current.variants];
}

/** The selected price as a line shows it; without a candidate MatchingPriceNotFound (2.9). */
export function selectPrice(world: ModelWorld, cart: ModelCart, question: PriceQuestion): Price {
  const { quantity } = question;
  const candidates = candidatesOf(world, question).filter((price) => isCandidate(world, cart, price, question.channel));
  let best: Price | undefined;
  for (const price of candidates) if (best === undefined || goesBefore(price, best)) best = price;
  if (best === undefined) refuse('MatchingPriceNotFound');
  // 2.8: where a tier applies, the copy has its value.
  const tier = best.discounted === undefined ? tierOf(best, quantity) : undefined;
  return tier === undefined ? best : { ...best, value: tier };
}

// 2.1
function candidatesOf(world: ModelWorld, { product, variant }: PriceQuestion): readonly Price[] {
  if (product.priceMode !== 'Standalone') return variant.prices ?? [];
  return world.standalonePrices.filter(({ active, sku }) => active && sku === variant.sku).map(priceOf);
}

function priceOf(standalone: StandalonePrice): Price {
  const members = ['id', 'key', 'value', 'country', 'customerGroup', 'channel', 'validFrom', 'validUntil'] as const;
  const price: Record<string, unknown> = {};
  for (const member of [...members, 'discounted', 'tiers', 'custom'] as const)
    if (standalone[member] !== undefined) price[member] = standalone[member];
  // Members of the same name have the same types in both.
  return price as unknown as Price;
}

function isCandidate(world: ModelWorld, cart: ModelCart, price: Price, channel: string | undefined): boolean {
  // 2.2
  if (price.value.currencyCode !== currencyOf(cart)) return false;
  if (price.validFrom !== undefined && price.validFrom > world.now) return false;
  if (price.validUntil !== undefined && price.validUntil <= world.now) return false;
  // 2.3
  if (price.country !== undefined && price.country !== cart.country) return false;
  if (price.customerGroup !== undefined && !customerGroupsOf(world, cart).includes(price.customerGroup.id))
    return false;
  if (price.channel !== undefined && price.channel.id !== channel) return false;
  // 2.13
  const store = world.stores.find(({ key }) => key === cart.store?.key);
  const isOfStore = store?.distributionChannels.some(({ id }) => id === price.channel?.id) ?? true;
  return price.channel === undefined || isOfStore;
}

// 2.6
function customerGroupsOf(world: ModelWorld, cart: ModelCart): readonly string[] {
  const customer = world.customers.find(({ id }) => id === cart.customerId);
  const assigned = (customer?.customerGroupAssignments ?? []).map(({ customerGroup }) => customerGroup.id);
  return cart.customerGroup === undefined ? assigned : [cart.customerGroup.id, ...assigned];
}

function goesBefore(price: Price, other: Price): boolean {
  // 2.4
  const rank = rankOf(price) - rankOf(other);
  if (rank !== 0) return rank > 0;
  // 2.5
  const isTimed = price.validFrom !== undefined || price.validUntil !== undefined;
  const isOtherTimed = other.validFrom !== undefined || other.validUntil !== undefined;
  if (isTimed !== isOtherTimed) return isTimed;
  // As products show them (catalog 33).
  const order = compare(centsOf(amountOf(price.value)), centsOf(amountOf(other.value)));
  return order < 0 || (order === 0 && price.id < other.id);
}

function rankOf({ customerGroup, channel, country }: Price): number {
  return (customerGroup === undefined ? 0 : 4) + (channel === undefined ? 0 : 2) + (country === undefined ? 0 : 1);
}

// 2.7
function tierOf({ tiers = [] }: Price, quantity: number): TypedMoney | undefined {
  let best: { readonly minimumQuantity: number; readonly value: TypedMoney } | undefined;
  for (const tier of tiers)
    if (tier.minimumQuantity <= quantity && (best === undefined || tier.minimumQuantity > best.minimumQuantity))
      best = tier;
  return best?.value;
}

/** Prices a line of mode Platform anew; a product that is gone leaves it as it is (4.3). */
export function reprice(world: ModelWorld, cart: ModelCart, line: ModelLine): void {
  const product = world.products.find(({ id }) => id === line.productId);
  if (product === undefined || !product.masterData.published) return;
  const variant = variantsOf(product).find(({ id }) => id === line.variant.id);
  if (variant === undefined) return;
  const channel = line.distributionChannel?.id;
  line.price = selectPrice(world, cart, { product, variant, channel, quantity: line.quantity });
}

/** What one unit costs before cart discounts. */
export function unitPriceOf(item: ModelItem): Amount {
  return amountOf(isLine(item) ? (item.price.discounted?.value ?? item.price.value) : item.money);
}

/** The total of an item without cart discounts, in cents (1.4, 2.11, 2.12). */
export function plainTotalOf(cart: ModelCart, item: ModelItem): bigint {
  if (isLine(item) && item.priceMode === 'ExternalTotal') return BigInt(item.totalPrice.centAmount);
  return roundTotal(cart, item, multiply(centsOf(unitPriceOf(item)), rational(BigInt(item.quantity))));
}

// 1.4
export function roundTotal(cart: ModelCart, item: ModelItem, exactCents: Parameters<typeof round>[0]): bigint {
  const isExternal = isLine(item) && item.priceMode === 'ExternalPrice' && unitPriceOf(item).isHighPrecision;
  return round(exactCents, isExternal ? 'HalfEven' : cart.priceRoundingMode);
}
