/** Section 5: which cart discounts apply, in which order, and what they leave. */
import type { CartDiscount, CartDiscountTarget, CartDiscountValue, DiscountCode } from '@commercetools/platform-sdk';
import { amountOf, centMoney, cents, centsOf, moneyOf, sum, withAmount } from './amounts.ts';
import {
  currencyOf,
  isGift,
  isLine,
  itemsOf,
  type ModelCart,
  type ModelItem,
  type ModelWorld,
  shippingInfosOf,
} from './cart-shapes.ts';
import { moneyIn, newPrices, type Unit, type Units } from './item-discounts.ts';
import { plainTotalOf, roundTotal, unitPriceOf } from './line-prices.ts';
import { cartPredicate } from './predicates.ts';
import { add, compare, decimal, type Rational, rational, round, subtract, zero } from './rational.ts';
import { priceShipping } from './shipping.ts';

export interface RunDiscount {
  readonly id: string;
  readonly typeId: 'cart-discount' | 'direct-discount';
  readonly value: CartDiscountValue;
  readonly target: CartDiscountTarget | undefined;
  readonly isStopping: boolean;
}

/** What has become of the discounts so far. */
export interface Run {
  readonly world: ModelWorld;
  readonly cart: ModelCart;
  readonly units: Units;
  readonly typeId: RunDiscount['typeId'];
  readonly gifts: RunDiscount[];
  readonly onShipping: RunDiscount[];
  readonly onTotal: RunDiscount[];
  /** By id: dropped by a discount that stops (5.5), or beaten in its group (5.22). */
  readonly dropped: Set<string>;
  readonly beaten: Set<string>;
}

/** Discounts that hold one place of the order; more than one in a group, of which the best applies. */
type Place = readonly RunDiscount[];

/** Applies all discounts to the units; `settle` then writes what comes out of it into the cart. */
export function runDiscounts(
  world: ModelWorld,
  cart: ModelCart,
  { view, usableCodes }: { readonly view: ModelCart; readonly usableCodes: readonly DiscountCode[] },
): Run {
  const isDirect = cart.directDiscounts.length > 0;
  const places = isDirect ? directPlaces(cart) : orderedPlaces(world, matchingDiscounts(world, view, usableCodes));
  const run: Run = {
    world,
    cart,
    units: { world, currency: currencyOf(cart), mode: cart.priceRoundingMode, all: unitsOf(world, cart, view) },
    typeId: isDirect ? 'direct-discount' : 'cart-discount',
    gifts: [],
    onShipping: [],
    onTotal: [],
    dropped: new Set(),
    beaten: new Set(),
  };
  let isStopped = false;
  for (const place of places) {
    if (isStopped) for (const { id } of place) run.dropped.add(id);
    else {
      const applied = applyPlace(run, place);
      // 5.5
      isStopped = applied?.isStopping === true;
    }
  }
  return run;
}

// 5.7: closed items have no units.
function unitsOf(world: ModelWorld, cart: ModelCart, view: ModelCart): Unit[] {
  const views = itemsOf(view);
  const items = itemsOf(cart).filter((item) => !isGift(item));
  return items.flatMap((item, index) => {
    if (isClosed(item)) return [];
    // 5.23: with BestDeal cart discounts work on undiscounted prices.
    const isBestDeal = world.project.discountCombinationMode === 'BestDeal';
    const price = isBestDeal && isLine(item) ? amountOf(item.price.value) : unitPriceOf(item);
    return Array.from({ length: item.quantity }, () => ({ item, view: views[index]!, price, included: [] }));
  });
}

function isClosed(item: ModelItem): boolean {
  return isGift(item) || (isLine(item) ? item.priceMode === 'ExternalTotal' : item.priceMode === 'External');
}

function directPlaces({ directDiscounts }: ModelCart): readonly Place[] {
  return directDiscounts.map(({ id, value, target }) => [
    { id, typeId: 'direct-discount', value, target, isStopping: false } as const,
  ]);
}

/** 5.1: what a discount needs besides being active and in time. */
export function isMatching(view: ModelCart, discount: CartDiscount, world: ModelWorld): boolean {
  return isOfStore(view, discount.stores) && cartPredicate(discount.cartPredicate)(view, world);
}

export function isOfStore(cart: ModelCart, stores: readonly { readonly key: string }[]): boolean {
  return stores.length === 0 || stores.some(({ key }) => key === cart.store?.key);
}

export function isInTime(
  world: ModelWorld,
  { validFrom, validUntil }: { readonly validFrom?: string; readonly validUntil?: string },
): boolean {
  return (validFrom === undefined || validFrom <= world.now) && (validUntil === undefined || world.now < validUntil);
}

// 5.1
function matchingDiscounts(
  world: ModelWorld,
  view: ModelCart,
  codes: readonly DiscountCode[],
): readonly CartDiscount[] {
  const isBrought = (id: string): boolean =>
    codes.some(({ cartDiscounts }) => cartDiscounts.some((own) => own.id === id));
  return world.cartDiscounts.filter(
    (discount) =>
      discount.isActive &&
      isInTime(world, discount) &&
      (!discount.requiresDiscountCode || isBrought(discount.id)) &&
      isMatching(view, discount, world),
  );
}

// 5.2, 5.22
function orderedPlaces(world: ModelWorld, discounts: readonly CartDiscount[]): readonly Place[] {
  const places: { readonly order: Rational; readonly place: Place }[] = [];
  for (const discount of discounts)
    if (discount.discountGroup === undefined)
      places.push({ order: decimal(discount.sortOrder), place: [runDiscount(discount)] });
  for (const group of world.discountGroups) {
    const own = discounts.filter(({ discountGroup }) => discountGroup?.id === group.id);
    const created = [...own].sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0));
    if (group.isActive && own.length > 0)
      places.push({ order: decimal(group.sortOrder), place: created.map(runDiscount) });
  }
  return places.sort((a, b) => compare(b.order, a.order)).map(({ place }) => place);
}

function runDiscount({ id, value, target, stackingMode }: CartDiscount): RunDiscount {
  return { id, typeId: 'cart-discount', value, target, isStopping: stackingMode === 'StopAfterThisDiscount' };
}

/** Applies the discount of a place, and says which one has been applied, if it has been (5.5). */
function applyPlace(run: Run, place: Place): RunDiscount | undefined {
  const discount = place.length === 1 ? place[0] : bestOf(run, place);
  if (discount === undefined) return undefined;
  for (const { id } of place) if (id !== discount.id) run.beaten.add(id);
  return apply(run, discount) ? discount : undefined;
}

// 5.22
function bestOf(run: Run, place: Place): RunDiscount | undefined {
  let best: RunDiscount | undefined;
  let most: Rational = zero;
  for (const discount of place) {
    const saved = savedBy(run, discount);
    if (compare(saved, most) <= 0) continue;
    best = discount;
    most = saved;
  }
  return best;
}

function savedBy({ units }: Run, { value, target }: RunDiscount): Rational {
  let saved = zero;
  if (target === undefined) return saved;
  for (const [{ price }, amount] of newPrices(units, { value, target }))
    saved = add(saved, subtract(centsOf(price), centsOf(withAmount(price, amount))));
  return saved;
}

function apply(run: Run, discount: RunDiscount): boolean {
  const { id, value, target } = discount;
  const hasCurrency = value.type === 'relative' || moneyIn(value, run.units.currency) !== undefined;
  if (value.type === 'giftLineItem') {
    // 5.19
    if (run.cart.refusedGifts.some((refused) => refused.id === id)) return false;
    run.gifts.push(discount);
    return true;
  }
  if (target === undefined) return false;
  if (target.type === 'shipping') {
    run.onShipping.push(discount);
    return hasCurrency && shippingInfosOf(run.cart).length > 0;
  }
  if (target.type === 'totalPrice') {
    settle(run);
    const left = cents(run.cart.totalPrice) - totalDiscountOf(run);
    run.onTotal.push(discount);
    return hasCurrency && left > 0n;
  }
  const prices = newPrices(run.units, { value, target });
  for (const [unit, amount] of prices) {
    unit.included.push({ discount: id, by: unit.price.amount - amount });
    unit.price = withAmount(unit.price, amount);
  }
  regroup(run.units, prices);
  return prices.size > 0;
}

/**
 * Units of an item that are alike stand together, those that a discount made cheaper before those that were like them: 5.10,
 * 5.11 and 8.8 go by the order of units, which have no other of their own.
 */
function regroup(units: Units, cheaper: ReadonlyMap<Unit, bigint>): void {
  const before = (unit: Unit): string => nameOf(unit.included.slice(0, cheaper.has(unit) ? -1 : undefined));
  const items = [...new Set(units.all.map(({ item }) => item))];
  const ordered = items.flatMap((item) => {
    const parts = grouped(
      units.all.filter((unit) => unit.item === item),
      before,
    );
    const split = parts.flatMap((part) => [
      ...part.filter((unit) => cheaper.has(unit)),
      ...part.filter((unit) => !cheaper.has(unit)),
    ]);
    return grouped(split, ({ included }) => nameOf(included)).flat();
  });
  units.all.splice(0, units.all.length, ...ordered);
}

/** Of units of one item, which cost the same at first. */
function nameOf(included: Unit['included']): string {
  return included.map(({ discount, by }) => `${discount}:${by}`).join(' ');
}

/** Groups in the order of their first members. */
function grouped(units: readonly Unit[], name: (unit: Unit) => string): readonly (readonly Unit[])[] {
  const groups = new Map<string, Unit[]>();
  for (const unit of units) {
    const own = name(unit);
    groups.set(own, [...(groups.get(own) ?? []), unit]);
  }
  return [...groups.values()];
}

/** Writes totals of items, prices of shipping and their sum into the cart; not the discounts on the total price. */
export function settle(run: Run): void {
  const { world, cart } = run;
  for (const item of itemsOf(cart)) if (!isGift(item)) settleItem(run, item);
  const value = sum(itemsOf(cart).map(({ totalPrice }) => cents(totalPrice)));
  // 8.3
  priceShipping(world, cart, value);
  discountShipping(run);
  // 4.5
  const shipping = shippingInfosOf(cart).map(
    (info) => amountOf((info.discountedPrice ?? { value: info.price }).value).amount,
  );
  cart.totalPrice = centMoney(currencyOf(cart), value + sum(shipping));
}

function settleItem(run: Run, item: ModelItem): void {
  const { cart, world } = run;
  const units = run.units.all.filter((unit) => unit.item === item);
  const plain = plainTotalOf(cart, item);
  const discounted = roundTotal(
    cart,
    item,
    units.reduce((total, { price }) => add(total, centsOf(price)), zero),
  );
  const isTouched = units.some(({ included }) => included.length > 0);
  // 5.23: what has no product discount has no choice.
  const isChoice =
    world.project.discountCombinationMode === 'BestDeal' && isLine(item) && item.price.discounted !== undefined;
  const isCheaper = !isChoice || discounted < plain;
  const isDiscounted = isTouched && isCheaper;
  item.discountedPricePerQuantity = isDiscounted ? groupsOf(run, units) : [];
  item.totalPrice = centMoney(currencyOf(cart), isDiscounted ? discounted : plain);
}

/** 5.20: one entry for each price with its discounts, in the order of units. */
function groupsOf(run: Run, units: readonly Unit[]): ModelItem['discountedPricePerQuantity'] {
  return grouped(units, ({ included }) => nameOf(included)).map((group) => ({
    quantity: group.length,
    discountedPrice: {
      value: moneyOf(group[0]!.price, 'HalfEven'),
      includedDiscounts: group[0]!.included.map(({ discount, by }) => ({
        discount: { typeId: run.typeId, id: discount },
        discountedAmount: moneyOf(withAmount(group[0]!.price, by), 'HalfEven'),
      })),
    },
  }));
}

/** The amount that a discount leaves of cents that are one whole: a shipping price, the total. */
function left(run: Run, { value }: RunDiscount, amount: bigint): bigint {
  if (amount <= 0n) return amount;
  if (value.type === 'relative')
    return round(rational(amount * BigInt(10_000 - value.permyriad), 10_000n), run.cart.priceRoundingMode);
  const money = value.type === 'absolute' ? moneyIn(value, run.units.currency) : undefined;
  if (money === undefined) return amount;
  return amount > money.amount ? amount - money.amount : 0n;
}

// 5.17
function discountShipping(run: Run): void {
  const currency = currencyOf(run.cart);
  for (const info of shippingInfosOf(run.cart)) {
    const { amount, steps } = stepsOn(run, run.onShipping, cents(info.price));
    if (steps.length === 0) delete info.discountedPrice;
    else info.discountedPrice = { value: centMoney(currency, amount), includedDiscounts: steps };
  }
}

type Steps = NonNullable<ModelCart['discountOnTotalPrice']>['includedDiscounts'];

function stepsOn(
  run: Run,
  discounts: readonly RunDiscount[],
  whole: bigint,
): { readonly amount: bigint; readonly steps: Steps } {
  let amount = whole;
  const steps: Steps = [];
  for (const discount of discounts) {
    const rest = left(run, discount, amount);
    const discountedAmount = centMoney(currencyOf(run.cart), amount - rest);
    // 5.6
    if (rest !== amount) steps.push({ discount: { typeId: run.typeId, id: discount.id }, discountedAmount });
    amount = rest;
  }
  return { amount, steps };
}

function totalDiscountOf(run: Run): bigint {
  const total = cents(run.cart.totalPrice);
  return total - stepsOn(run, run.onTotal, total).amount;
}

/** 5.18: takes the discounts on the total price off it, and says how much that is. */
export function discountTotal(run: Run): bigint {
  const { cart } = run;
  const total = cents(cart.totalPrice);
  const { amount, steps } = stepsOn(run, run.onTotal, total);
  delete cart.discountOnTotalPrice;
  if (steps.length === 0) return 0n;
  const discountedAmount = centMoney(currencyOf(cart), total - amount);
  cart.discountOnTotalPrice = { discountedAmount, includedDiscounts: steps };
  cart.totalPrice = centMoney(currencyOf(cart), amount);
  return total - amount;
}

/** 5.23 */
export function chooseCombination({ world, cart }: Run): void {
  delete cart.discountTypeCombination;
  if (world.project.discountCombinationMode !== 'BestDeal') return;
  const isOfCart = cart.lineItems.some((line) => !isGift(line) && line.discountedPricePerQuantity.length > 0);
  cart.discountTypeCombination = {
    type: 'BestDeal',
    chosenDiscountType: isOfCart ? 'CartDiscount' : 'ProductDiscount',
  };
}
