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
export function occurrencesOf(target: ItemTarget, items: readonly Candidate[]): readonly Occurrence[] {
  switch (target.type) {
    case 'all': {
      const targets = unitsOf(matching(items, target));
      return targets.length === 0 ? [] : [{ targets, spreadOver: targets }];
    }
    case 'multiBuy':
      return multiBuy(target, items);
    case 'pattern':
      return pattern(target, items);
  }
}

type Occurrence = Affected;

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
  const targets = inCartOrder(take(byPrice(units, target.selectionMode), times * target.discountedQuantity), items);
  return [{ targets, spreadOver: targets }];
}

function byPrice(units: readonly Picked<Candidate>[], mode: SelectionMode): readonly Picked<Candidate>[] {
  const sign = mode === 'Cheapest' ? 1 : -1;
  return units.toSorted((one, other) => sign * comparePrices(one, other));
}

/** In the precision of the finer one. */
function comparePrices(one: Picked, other: Picked): number {
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

function inCartOrder(units: readonly Picked<Candidate>[], items: readonly Candidate[]): readonly Picked<Candidate>[] {
  const places = new Map(items.map((item, index) => [item, index]));
  return units.toSorted((one, other) => places.get(one.item)! - places.get(other.item)! || one.part - other.part);
}

/** Looks at units that the occurrences of a pattern may take, all told: some tens of milliseconds. */
const patternStepsMax = 1_000_000;

/** Units of a component that no occurrence has taken. */
interface Stock {
  readonly component: Component;
  /** In the order in which the component takes them. */
  readonly units: readonly Picked<Candidate>[];
}

/**
 * As often as it can be, and no longer when it once was not: each trigger component takes its units, then each target component, and what is taken is used up.
 * Targets take from the end of the selection mode, triggers from the other one (carts 5.15).
 */
function pattern(
  target: ItemTarget & { readonly type: 'pattern' },
  items: readonly Candidate[],
): readonly Occurrence[] {
  const { selectionMode, maxOccurrence } = target;
  const left = new Map<Candidate, number[]>();
  for (const item of items)
    left.set(
      item,
      item.parts.map(({ quantity }) => quantity),
    );
  const unitsFor = (component: Component): readonly Picked<Candidate>[] =>
    byPrice(unitsOf(matching(items, component)), selectionMode);
  const triggers = target.triggers.map((component) => ({ component, units: unitsFor(component).toReversed() }));
  const targets = target.targets.map((component) => ({ component, units: unitsFor(component) }));
  const stepsEach = [...triggers, ...targets].reduce((sum, { units }) => sum + units.length, 1);
  const occurrences: Occurrence[] = [];
  for (let steps = 0; occurrences.length < maxOccurrence; steps += stepsEach) {
    if (steps > patternStepsMax)
      throw apiError('InvalidOperation', 'A pattern of a cart discount occurs too often in so many units.');
    const triggered: Picked<Candidate>[] = [];
    const discounted: Picked<Candidate>[] = [];
    const occurs = takesAll(triggers, left, triggered) && takesAll(targets, left, discounted);
    if (!occurs || discounted.length === 0) break;
    occurrences.push({
      targets: inCartOrder(discounted, items),
      spreadOver: inCartOrder([...discounted, ...triggered], items),
    });
  }
  return occurrences;
}

/** Has each of the components take units of those that are left; whether none of them lacks any. */
function takesAll(
  stocks: readonly Stock[],
  left: ReadonlyMap<Candidate, number[]>,
  into: Picked<Candidate>[],
): boolean {
  return stocks.every(({ component, units }) => {
    let skip = component.excludeCount;
    let wanted = component.maxCount;
    let count = 0;
    for (const { item, part } of units) {
      if (wanted === 0) break;
      const quantities = left.get(item)!;
      const excluded = Math.min(skip, quantities[part]!);
      skip -= excluded;
      const quantity = Math.min(quantities[part]! - excluded, wanted);
      quantities[part]! -= excluded + quantity;
      if (quantity === 0) continue;
      wanted -= quantity;
      count += quantity;
      into.push({ item, part, quantity });
    }
    return count >= component.minCount;
  });
}
