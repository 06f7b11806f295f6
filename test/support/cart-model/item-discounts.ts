/** What the value of a cart discount makes of single units (5.7 to 5.16). */
import type {
  CartDiscountPatternTarget,
  CartDiscountTarget,
  CartDiscountValue,
  PatternComponent,
  RoundingMode,
} from '@commercetools/platform-sdk';
import { type Amount, amountOf, centsOf, inDigitsOf } from './amounts.ts';
import { isLine, type ModelItem, type ModelWorld } from './cart-shapes.ts';
import { customLineItemPredicate, lineItemPredicate } from './predicates.ts';
import { add, compare, floor, multiply, type Rational, rational, round, subtract, zero } from './rational.ts';
import { evenShares, proportionateShares } from './shares.ts';

/** One unit of an item that is open for discounts. */
export interface Unit {
  readonly item: ModelItem;
  /** The item as predicates see it (5.4). */
  readonly view: ModelItem;
  price: Amount;
  readonly included: { readonly discount: string; readonly by: bigint }[];
}

export interface ItemDiscount {
  readonly value: CartDiscountValue;
  readonly target: CartDiscountTarget;
}

export interface Units {
  readonly world: ModelWorld;
  readonly currency: string;
  readonly mode: RoundingMode;
  /** In cart order: line items, then custom ones, the first unit first. */
  readonly all: Unit[];
}

/** The amounts of units that get cheaper, in the digits of their prices. Only units above 0 can. */
export type NewPrices = ReadonlyMap<Unit, bigint>;

export function newPrices(units: Units, { value, target }: ItemDiscount): NewPrices {
  switch (target.type) {
    // 5.7
    case 'lineItems':
    case 'customLineItems': {
      const isCustom = target.type === 'customLineItems';
      const matching = matchingUnits(units, units.all, { isCustom, predicate: target.predicate });
      // 5.9, 5.10, 5.11: an absolute discount is spread unless it says otherwise.
      return value.type === 'absolute' ? absolute(units, value, matching) : individual(units, value, matching);
    }
    // 5.14
    case 'multiBuyLineItems':
    case 'multiBuyCustomLineItems': {
      const isCustom = target.type === 'multiBuyCustomLineItems';
      const matching = matchingUnits(units, units.all, { isCustom, predicate: target.predicate });
      const times = Math.min(
        Math.floor(matching.length / target.triggerQuantity),
        target.maxOccurrence ?? Number.POSITIVE_INFINITY,
      );
      const sorted = sortedUnits(matching, target.selectionMode);
      return individual(units, value, sorted.slice(0, times * target.discountedQuantity));
    }
    case 'pattern':
      return patternPrices(units, value, target);
    case 'shipping':
    case 'totalPrice':
      return new Map();
  }
}

function matchingUnits(
  units: Units,
  among: readonly Unit[],
  { isCustom, predicate }: { readonly isCustom: boolean; readonly predicate: string },
): Unit[] {
  return among.filter(({ view }) =>
    isLine(view)
      ? !isCustom && lineItemPredicate(predicate)(view, units.world)
      : isCustom && customLineItemPredicate(predicate)(view),
  );
}

/** Cheapest ascending, MostExpensive descending, ties in cart order (5.14). */
function sortedUnits(units: readonly Unit[], selectionMode: string): Unit[] {
  const direction = selectionMode === 'MostExpensive' ? -1 : 1;
  return [...units].sort((a, b) => direction * compare(centsOf(a.price), centsOf(b.price)));
}

/** Each unit by itself (5.8, 5.9, 5.13). */
function individual(units: Units, value: CartDiscountValue, targets: readonly Unit[]): NewPrices {
  const prices = new Map<Unit, bigint>();
  for (const unit of targets) {
    const price = individualPrice(units, value, unit.price);
    if (price !== undefined) setIfLower(prices, unit, price);
  }
  return prices;
}

function individualPrice({ currency, mode }: Units, value: CartDiscountValue, price: Amount): bigint | undefined {
  // 5.8: the price is rounded; the discount is what is missing then.
  if (value.type === 'relative') return round(rational(price.amount * BigInt(10_000 - value.permyriad), 10_000n), mode);
  const money = moneyIn(value, currency);
  if (money === undefined) return undefined;
  const inDigits = round(inDigitsOf(price, centsOf(money)), mode);
  // 5.13
  if (value.type === 'fixed') return inDigits;
  // 5.9
  return price.amount > inDigits ? price.amount - inDigits : 0n;
}

/** 5.21: a discount without the cart's currency does nothing. */
export function moneyIn(value: CartDiscountValue, currency: string): Amount | undefined {
  if (value.type !== 'absolute' && value.type !== 'fixed') return undefined;
  const money = value.money.find(({ currencyCode }) => currencyCode === currency);
  return money === undefined ? undefined : amountOf(money);
}

function absolute(units: Units, value: CartDiscountValue, targets: readonly Unit[]): NewPrices {
  const money = moneyIn(value, units.currency);
  if (money === undefined || value.type !== 'absolute') return new Map();
  if (value.applicationMode === 'IndividualApplication') return individual(units, value, targets);
  return spread(floor(centsOf(money)), targets, value.applicationMode);
}

/** Takes whole cents off units together (5.10, 5.11, 5.12). */
function spread(money: bigint, targets: readonly Unit[], applicationMode: string | undefined): NewPrices {
  const prices = new Map<Unit, bigint>();
  // Rounding may have left more than there was.
  if (money <= 0n) return prices;
  const giving = targets.filter(({ price }) => price.amount > 0n);
  const inCents = giving.map(({ price }) => centsOf(price));
  const shares =
    applicationMode === 'EvenDistribution' ? evenShares(money, inCents) : proportionateShares(money, inCents);
  for (const [index, unit] of giving.entries())
    setIfLower(prices, unit, unit.price.amount - floor(inDigitsOf(unit.price, rational(shares[index]!))));
  return prices;
}

// 5.6
function setIfLower(prices: Map<Unit, bigint>, unit: Unit, amount: bigint): void {
  if (unit.price.amount > 0n && amount < unit.price.amount) prices.set(unit, amount);
}

/** 5.15: occurrence by occurrence, until the pattern no longer matches. */
function patternPrices(units: Units, value: CartDiscountValue, target: CartDiscountPatternTarget): NewPrices {
  const prices = new Map<Unit, bigint>();
  const used = new Set<Unit>();
  for (let occurrence = 0; occurrence < (target.maxOccurrence ?? Number.POSITIVE_INFINITY); occurrence += 1) {
    const triggers = takeComponents(units, used, { target, isTrigger: true });
    const targets = triggers && takeComponents(units, used, { target, isTrigger: false });
    if (triggers === undefined || targets === undefined || targets.length === 0) break;
    for (const [unit, price] of occurrencePrices(units, value, { triggers, targets })) prices.set(unit, price);
  }
  return prices;
}

function takeComponents(
  units: Units,
  used: Set<Unit>,
  { target, isTrigger }: { readonly target: CartDiscountPatternTarget; readonly isTrigger: boolean },
): Unit[] | undefined {
  const taken: Unit[] = [];
  for (const component of isTrigger ? target.triggerPattern : target.targetPattern) {
    const isCustom = component.type === 'CountOnCustomLineItemUnits';
    const remaining = units.all.filter((unit) => !used.has(unit));
    const matching = matchingUnits(units, remaining, { isCustom, predicate: component.predicate });
    const sorted = sortedUnits(matching, target.selectionMode);
    // Targets are taken from one end of the sorted units, triggers from the other.
    if (isTrigger) sorted.reverse();
    const { excluded, chosen } = chosenUnits(sorted, component);
    if (chosen.length < (component.minCount ?? 1)) return undefined;
    for (const unit of [...excluded, ...chosen]) used.add(unit);
    taken.push(...chosen);
  }
  return taken;
}

/** Units that are skipped are spoken for as those that are chosen: the occurrence requires them. */
function chosenUnits(
  sorted: readonly Unit[],
  { excludeCount = 0, maxCount = sorted.length }: PatternComponent,
): { readonly excluded: readonly Unit[]; readonly chosen: readonly Unit[] } {
  return { excluded: sorted.slice(0, excludeCount), chosen: sorted.slice(excludeCount).slice(0, maxCount) };
}

/** 5.16 */
function occurrencePrices(
  units: Units,
  value: CartDiscountValue,
  { triggers, targets }: { readonly triggers: readonly Unit[]; readonly targets: readonly Unit[] },
): NewPrices {
  if (value.type === 'giftLineItem') return new Map();
  if (value.type === 'absolute') return absolute(units, value, inCartOrder(units, targets));
  const applicationMode = value.applicationMode ?? 'IndividualApplication';
  if (applicationMode === 'IndividualApplication') return individual(units, value, targets);
  const costing = targets.filter(({ price }) => price.amount > 0n);
  const total = costing.reduce<Rational>((whole, { price }) => add(whole, centsOf(price)), zero);
  if (value.type === 'relative') {
    const left = round(multiply(total, rational(BigInt(10_000 - value.permyriad), 10_000n)), units.mode);
    const money = floor(subtract(total, rational(left)));
    return spread(money, inCartOrder(units, [...triggers, ...targets]), applicationMode);
  }
  const fixed = moneyIn(value, units.currency);
  if (fixed === undefined) return new Map();
  const money = floor(subtract(total, centsOf(fixed)));
  return spread(money, inCartOrder(units, targets), applicationMode);
}

function inCartOrder(units: Units, some: readonly Unit[]): readonly Unit[] {
  return units.all.filter((unit) => some.includes(unit));
}
