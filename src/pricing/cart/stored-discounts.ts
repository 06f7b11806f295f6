/** Cart discounts as they are stored, made ready to be applied. */
import type { CentPrecisionMoney, TypedMoney } from '../../money/money.ts';
import type { Discount, Effect } from './discounts.ts';
import type { Component, ItemTarget, SelectionMode } from './targets.ts';
import type { DiscountLink } from './units.ts';
import { type ApplicationMode, type PriceValue, restOf } from './values.ts';

/** A cart discount or a direct discount, as far as what it does depends on it. Plain, so that threads can be sent it. */
export interface StoredDiscount {
  readonly link: DiscountLink;
  readonly value: Form;
  readonly target?: Form | undefined;
  /** On the cart; a direct discount has none. */
  readonly cartPredicate?: string;
  readonly isLast: boolean;
}

/** One of the forms that values and targets have, with the members of that form. */
interface Form {
  readonly type: string;
  readonly [member: string]: unknown;
}

type Matcher = (facts: object) => boolean;

/** What predicates are as functions of facts. */
export interface Matchers {
  onCarts(predicate: string): Matcher;
  onLineItems(predicate: string): Matcher;
  onCustomLineItems(predicate: string): Matcher;
}

export function readyDiscount(
  { link, value, target, cartPredicate, isLast }: StoredDiscount,
  matchers: Matchers,
): Discount {
  return {
    link,
    effect: effectOf({ value, target }, matchers),
    matchesCart: cartPredicate === undefined ? () => true : matchers.onCarts(cartPredicate),
    isLast,
  };
}

/** Of all predicates of a discount. */
export function charactersOf({ cartPredicate = '', target }: StoredDiscount): number {
  if (target === undefined) return cartPredicate.length;
  const components = [target as { readonly predicate?: string }, ...componentsOf(target)];
  return components.reduce((sum, { predicate = '' }) => sum + predicate.length, cartPredicate.length);
}

/** Components of a pattern, each of which looks at units; other targets have none. */
export function componentCountOf({ target }: StoredDiscount): number {
  return target === undefined ? 0 : componentsOf(target).length;
}

function componentsOf({ triggerPattern = [], targetPattern = [] }: Form): readonly StoredComponent[] {
  // The members are those of the form.
  return [triggerPattern, targetPattern].flat() as readonly StoredComponent[];
}

function effectOf({ value, target }: Pick<StoredDiscount, 'value' | 'target'>, matchers: Matchers): Effect {
  if (value.type === 'giftLineItem') return { on: 'gift' };
  const isOnItems = target !== undefined && target.type !== 'shipping' && target.type !== 'totalPrice';
  if (isOnItems) return { on: 'items', target: itemTargetOf(target, matchers), value: valueOf(value, target) };
  return { on: target?.type === 'shipping' ? 'shipping' : 'totalPrice', value: valueOf(value, target) };
}

/** Amounts are spread by default over what they are taken off, unless a unit of each has a value of its own. */
function valueOf(value: Form, target: Form | undefined): PriceValue {
  // The members are those of the forms.
  const mode = value['applicationMode'] as ApplicationMode | undefined;
  switch (value.type) {
    case 'relative':
      return { type: 'relative', rest: restOf(value['permyriad'] as number), mode: mode ?? 'IndividualApplication' };
    case 'absolute': {
      const amounts = value['money'] as readonly CentPrecisionMoney[];
      const money = new Map(amounts.map(({ currencyCode, centAmount }) => [currencyCode, centAmount]));
      return { type: 'absolute', money, mode: mode ?? 'ProportionateDistribution' };
    }
    case 'fixed': {
      const amounts = value['money'] as readonly TypedMoney[];
      const money = new Map(amounts.map((amount) => [amount.currencyCode, amount]));
      return { type: 'fixed', money, mode: (target?.type === 'pattern' ? mode : undefined) ?? 'IndividualApplication' };
    }
    default:
      throw new Error(`There is no value '${value.type}' of a cart discount`);
  }
}

function itemTargetOf(target: Form, matchers: Matchers): ItemTarget {
  const { onLineItems, onCustomLineItems } = matchers;
  const { type, predicate } = target as Form & { readonly predicate: string };
  switch (type) {
    case 'lineItems':
      return { type: 'all', kind: 'lineItem', matches: onLineItems(predicate) };
    case 'customLineItems':
      return { type: 'all', kind: 'customLineItem', matches: onCustomLineItems(predicate) };
    case 'multiBuyLineItems':
      return { ...multiBuy(target), kind: 'lineItem', matches: onLineItems(predicate) };
    case 'multiBuyCustomLineItems':
      return { ...multiBuy(target), kind: 'customLineItem', matches: onCustomLineItems(predicate) };
    case 'pattern':
      return {
        type: 'pattern',
        triggers: ((target['triggerPattern'] ?? []) as readonly StoredComponent[]).map((each) =>
          componentOf(each, matchers),
        ),
        targets: (target['targetPattern'] as readonly StoredComponent[]).map((each) => componentOf(each, matchers)),
        maxOccurrence: (target['maxOccurrence'] as number | undefined) ?? Infinity,
        selectionMode: target['selectionMode'] as SelectionMode,
      };
    default:
      throw new Error(`There is no target '${type}' of a cart discount`);
  }
}

function multiBuy(target: Form): Omit<ItemTarget & { readonly type: 'multiBuy' }, 'kind' | 'matches'> {
  return {
    type: 'multiBuy',
    triggerQuantity: target['triggerQuantity'] as number,
    discountedQuantity: target['discountedQuantity'] as number,
    maxOccurrence: (target['maxOccurrence'] as number | undefined) ?? Infinity,
    selectionMode: target['selectionMode'] as SelectionMode,
  };
}

interface StoredComponent {
  readonly type: string;
  readonly predicate: string;
  readonly minCount?: number;
  readonly maxCount?: number;
  readonly excludeCount?: number;
}

function componentOf(
  { type, predicate, minCount = 1, maxCount = Infinity, excludeCount = 0 }: StoredComponent,
  { onLineItems, onCustomLineItems }: Matchers,
): Component {
  return type === 'CountOnLineItemUnits'
    ? { kind: 'lineItem', matches: onLineItems(predicate), minCount, maxCount, excludeCount }
    : { kind: 'customLineItem', matches: onCustomLineItems(predicate), minCount, maxCount, excludeCount };
}
