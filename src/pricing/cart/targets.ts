/** Which units of a cart's items a cart discount is about. */
import { apiError } from '../../errors/api-error.ts';
import { partOf, type Picked, type Priced, unitsOf } from './units.ts';
import type { Affected } from './values.ts';

export type SelectionMode = 'Cheapest' | 'MostExpensive';
export type ItemKind = 'lineItem' | 'customLineItem';

/** An item of the cart as discounts see it. */
export interface Candidate extends Priced {
  readonly kind: ItemKind;
  /** Whether cart discounts change its prices (carts 5.7). */
  readonly isOpen: boolean;
  /** What predicates on the item read. */
  readonly facts: object;
}

type Matcher = (facts: object) => boolean;

export interface Component {
  readonly kind: ItemKind;
  readonly matches: Matcher;
  readonly minCount: number;
  readonly maxCount: number;
  /** Units that it uses up before those that count, without being discounted. */
  readonly excludeCount: number;
}

/** Counts without a limit are `Infinity`. */
export type ItemTarget =
  | { readonly type: 'all'; readonly kind: ItemKind; readonly matches: Matcher }
  | {
      readonly type: 'multiBuy';
      readonly kind: ItemKind;
      readonly matches: Matcher;
      readonly triggerQuantity: number;
      readonly discountedQuantity: number;
      readonly maxOccurrence: number;
      readonly selectionMode: SelectionMode;
    }
  | {
      readonly type: 'pattern';
      readonly triggers: readonly Component[];
      readonly targets: readonly Component[];
      readonly maxOccurrence: number;
      readonly selectionMode: SelectionMode;
    };

/** The units of each occurrence of the target; all but patterns occur once, if at all. */
export function occurrencesOf(
  target: ItemTarget,
  items: readonly Candidate[],
  steps: PatternSteps,
): readonly Occurrence[] {
  switch (target.type) {
    case 'all': {
      const targets = unitsOf(matching(items, target));
      return targets.length === 0 ? [] : [{ targets, spreadOver: targets, times: 1 }];
    }
    case 'multiBuy':
      return multiBuy(target, items);
    case 'pattern':
      return pattern(target, items, steps);
  }
}

interface Occurrence extends Affected {
  /** So many occurrences take the same of the same parts. */
  readonly times: number;
}

function matching(
  items: readonly Candidate[],
  { kind, matches }: { readonly kind: ItemKind; readonly matches: Matcher },
): readonly Candidate[] {
  return items.filter((item) => item.isOpen && item.kind === kind && matches(item.facts));
}

/** For each full set of matching units so many of the cheapest, or the dearest (carts 5.14). */
function multiBuy(
  target: ItemTarget & { readonly type: 'multiBuy' },
  items: readonly Candidate[],
): readonly Occurrence[] {
  const units = unitsOf(matching(items, target));
  const count = units.reduce((sum, { quantity }) => sum + quantity, 0);
  const times = Math.min(Math.floor(count / target.triggerQuantity), target.maxOccurrence);
  if (times === 0) return [];
  const taken = take(byPrice(units, target.selectionMode), times * target.discountedQuantity);
  const targets = inCartOrder(taken, placesOf(items));
  return [{ targets, spreadOver: targets, times: 1 }];
}

/** A part of an item. */
type Place = Pick<Picked<Candidate>, 'item' | 'part'>;

function byPrice<P extends Place>(units: readonly P[], mode: SelectionMode): readonly P[] {
  const sign = mode === 'Cheapest' ? 1 : -1;
  return units.toSorted((one, other) => sign * comparePrices(one, other));
}

/** In the precision of the finer one. */
function comparePrices(one: Place, other: Place): number {
  const [price, otherPrice] = [partOf(one).price, partOf(other).price];
  const more = one.item.fractionDigits - other.item.fractionDigits;
  if (more === 0) return price - otherPrice;
  const left = BigInt(price) * 10n ** BigInt(Math.max(0, -more));
  const right = BigInt(otherPrice) * 10n ** BigInt(Math.max(0, more));
  return left < right ? -1 : left > right ? 1 : 0;
}

/** The first so many units. */
function take(units: readonly Picked<Candidate>[], count: number): readonly Picked<Candidate>[] {
  let left = count;
  return units.flatMap((unit) => {
    const quantity = Math.min(unit.quantity, left);
    left -= quantity;
    return quantity === 0 ? [] : [{ ...unit, quantity }];
  });
}

function placesOf(items: readonly Candidate[]): ReadonlyMap<Candidate, number> {
  return new Map(items.map((item, index) => [item, index]));
}

function inCartOrder(
  units: readonly Picked<Candidate>[],
  places: ReadonlyMap<Candidate, number>,
): readonly Picked<Candidate>[] {
  return units.toSorted((one, other) => places.get(one.item)! - places.get(other.item)! || one.part - other.part);
}

/**
 * Looks at units that the patterns of all discounts of a cart may take, all told: some tenths of a second, for which there
 * are threads.
 */
const patternStepsMax = 300_000;

/** Looks that are left. */
export interface PatternSteps {
  left: number;
}

export function patternSteps(): PatternSteps {
  return { left: patternStepsMax };
}

function goOn(steps: PatternSteps, count: number): void {
  steps.left -= count;
  if (steps.left < 0)
    throw apiError('InvalidOperation', 'Patterns of cart discounts are about too many units of items.');
}

/** Units of a part, which all components share. */
interface Stock {
  readonly item: Candidate;
  readonly part: number;
  /** That no occurrence has used up. */
  left: number;
  /** By the occurrence that is looked at. */
  used: number;
}

interface Taker {
  readonly component: Component;
  /** In the order in which the component takes of them. */
  readonly stocks: readonly Stock[];
  /** Index of the first one of which something may be left for it. */
  first: number;
}

/** An occurrence that is looked at. */
interface Taking {
  readonly used: Stock[];
  readonly steps: PatternSteps;
}

/**
 * As often as it can be, and no longer when it once was not: each trigger component takes its units, then each target component, and what is taken is used up.
 * Targets take from the end of the selection mode, triggers from the other one (carts 5.15). Occurrences that are alike are
 * looked at together, so that there are about as many looks as parts of items and not as units.
 */
function pattern(
  target: ItemTarget & { readonly type: 'pattern' },
  items: readonly Candidate[],
  steps: PatternSteps,
): readonly Occurrence[] {
  const { selectionMode, maxOccurrence } = target;
  const stocksOf = new Map(items.map((item) => [item, stocksIn(item)]));
  const stocksFor = (component: Component): readonly Stock[] => {
    const stocks = matching(items, component).flatMap((item) => stocksOf.get(item)!);
    goOn(steps, items.length + stocks.length);
    return byPrice(stocks, selectionMode);
  };
  const triggers = target.triggers.map((each) => takerOf(each, stocksFor(each).toReversed()));
  const targets = target.targets.map((each) => takerOf(each, stocksFor(each)));
  const places = placesOf(items);
  const occurrences: Occurrence[] = [];
  for (let left = maxOccurrence; left > 0;) {
    const taking: Taking = { used: [], steps };
    const triggered: Picked<Candidate>[] = [];
    const discounted: Picked<Candidate>[] = [];
    const occurs = takesAll(triggers, taking, triggered) && takesAll(targets, taking, discounted);
    if (!occurs || discounted.length === 0) break;
    const times = 1 + repeat(taking, left - 1);
    left -= times;
    occurrences.push({
      targets: inCartOrder(discounted, places),
      spreadOver: inCartOrder([...discounted, ...triggered], places),
      times,
    });
  }
  return occurrences;
}

function stocksIn(item: Candidate): readonly Stock[] {
  return item.parts.map(({ quantity }, part) => ({ item, part, left: quantity, used: 0 }));
}

function takerOf(component: Component, stocks: readonly Stock[]): Taker {
  return { component, stocks, first: 0 };
}

/** Has each of the components take units of those that are left; whether none of them lacks any. */
function takesAll(takers: readonly Taker[], taking: Taking, into: Picked<Candidate>[]): boolean {
  return takers.every((taker) => {
    const { component, stocks } = taker;
    let skip = component.excludeCount;
    let wanted = component.maxCount;
    let count = 0;
    // Of one at which it does not end nothing is left.
    for (; wanted > 0 && taker.first < stocks.length; taker.first += wanted > 0 ? 1 : 0) {
      goOn(taking.steps, 1);
      const stock = stocks[taker.first]!;
      if (stock.left === 0) continue;
      const excluded = Math.min(skip, stock.left);
      const quantity = Math.min(stock.left - excluded, wanted);
      use(stock, excluded + quantity, taking);
      skip -= excluded;
      if (quantity === 0) continue;
      wanted -= quantity;
      count += quantity;
      into.push({ item: stock.item, part: stock.part, quantity });
    }
    return count >= component.minCount;
  });
}

function use(stock: Stock, quantity: number, { used }: Taking): void {
  stock.left -= quantity;
  stock.used += quantity;
  used.push(stock);
}

/**
 * Uses up again what an occurrence has used, as often as it can be and at most so often, which it gives. Where a component
 * got less of some than it asked for, none of these are left.
 */
function repeat({ used }: Taking, timesMax: number): number {
  let times = timesMax;
  for (const stock of used) times = Math.min(times, Math.floor(stock.left / stock.used));
  for (const stock of used) {
    stock.left -= stock.used * times;
    stock.used = 0;
  }
  return times;
}
