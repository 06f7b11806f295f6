/** The cart discounts that a cart may have, in their order, made ready to be applied (carts 5). */
import { LRUCache } from 'lru-cache';
import type { Document, Fixed } from '../../../engine/document.ts';
import type { Tagged } from '../../../fields/one-of.ts';
import type { CentPrecisionMoney, TypedMoney } from '../../../money/money.ts';
import type { Discount, Effect, Place } from '../../../pricing/cart/discounts.ts';
import type { Component, ItemTarget, SelectionMode } from '../../../pricing/cart/targets.ts';
import { type ApplicationMode, type PriceValue, restOf } from '../../../pricing/cart/values.ts';
import type { CartDiscount } from '../../cart-discount/fields.ts';
import type { DiscountGroup } from '../../discount-group/fields.ts';
import type { Cart } from '../fields.ts';
import { onCarts, onCustomLineItems, onLineItems } from './compiled.ts';

type StoredDiscount = Fixed<CartDiscount>;

/** Discounts that are kept ready, by their versions: one that changes leaves the others alone. */
const kept = new LRUCache<string, Discount>({ max: 20_000 });

function discountOf(stored: StoredDiscount): Discount {
  const name = `${stored.id} ${(stored as Fixed<CartDiscount> & Pick<Document, 'version'>).version}`;
  let discount = kept.get(name);
  if (discount === undefined) {
    const { id, value, target, cartPredicate, stackingMode } = stored;
    discount = {
      link: { typeId: 'cart-discount', id },
      effect: effectOf(value, target),
      matchesCart: onCarts(cartPredicate),
      isLast: stackingMode === 'StopAfterThisDiscount',
    };
    kept.set(name, discount);
  }
  return discount;
}

function effectOf(value: Fixed<Tagged>, target: Fixed<Tagged> | undefined): Effect {
  if (value.type === 'giftLineItem') return { on: 'gift' };
  const isOnItems = target !== undefined && target.type !== 'shipping' && target.type !== 'totalPrice';
  if (isOnItems) return { on: 'items', target: itemTargetOf(target), value: valueOf(value, target) };
  return { on: target?.type === 'shipping' ? 'shipping' : 'totalPrice', value: valueOf(value, target) };
}

/** Amounts are spread by default over what they are taken off, unless a unit of each has a value of its own. */
function valueOf(value: Fixed<Tagged>, target: Fixed<Tagged> | undefined): PriceValue {
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

function itemTargetOf(target: Fixed<Tagged>): ItemTarget {
  const { type, predicate } = target as Fixed<Tagged> & { readonly predicate: string };
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
        triggers: ((target['triggerPattern'] ?? []) as readonly StoredComponent[]).map(componentOf),
        targets: (target['targetPattern'] as readonly StoredComponent[]).map(componentOf),
        maxOccurrence: (target['maxOccurrence'] as number | undefined) ?? Infinity,
        selectionMode: target['selectionMode'] as SelectionMode,
      };
    default:
      throw new Error(`There is no target '${type}' of a cart discount`);
  }
}

function multiBuy(target: Fixed<Tagged>): Omit<ItemTarget & { readonly type: 'multiBuy' }, 'kind' | 'matches'> {
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

function componentOf({
  type,
  predicate,
  minCount = 1,
  maxCount = Infinity,
  excludeCount = 0,
}: StoredComponent): Component {
  return type === 'CountOnLineItemUnits'
    ? { kind: 'lineItem', matches: onLineItems(predicate), minCount, maxCount, excludeCount }
    : { kind: 'customLineItem', matches: onCustomLineItems(predicate), minCount, maxCount, excludeCount };
}

/** What decides which discounts a cart may have. */
export interface Offered {
  readonly discounts: readonly StoredDiscount[];
  readonly groups: readonly StoredGroup[];
  /** Ids of those that usable codes of the cart bring. */
  readonly brought: ReadonlySet<string>;
  readonly now: string;
}

type StoredGroup = Fixed<DiscountGroup>;

/** A discount in a group that is not active is not active either. */
export function asInGroup(
  discount: StoredDiscount | undefined,
  groups: readonly StoredGroup[],
): StoredDiscount | undefined {
  const id = discount?.discountGroup?.id;
  const isOff = id !== undefined && groups.some((group) => group.id === id && !group.isActive);
  return discount && isOff ? { ...discount, isActive: false } : discount;
}

/** Direct discounts where the cart has some, and otherwise those that are in force, in their order. */
export function placesFor(cart: Fixed<Cart>, offered: Offered): readonly Place[] {
  if (cart.directDiscounts.length > 0) return cart.directDiscounts.map(directDiscount);
  const candidates = offered.discounts.filter((discount) => isCandidate(discount, cart, offered));
  const places = placesOf(candidates, offered.groups);
  return places.toSorted((one, other) => compareSortOrders(other.sortOrder, one.sortOrder)).map(({ place }) => place);
}

function directDiscount({ id, value, target }: Fixed<Cart>['directDiscounts'][number]): Discount {
  return {
    link: { typeId: 'direct-discount', id },
    effect: effectOf(value, target),
    matchesCart: () => true,
    isLast: false,
  };
}

function isCandidate(discount: StoredDiscount, { store }: Fixed<Cart>, { brought, now }: Offered): boolean {
  const { id, stores, requiresDiscountCode } = discount;
  return (
    isInForce(discount, now) &&
    (stores.length === 0 || stores.some(({ key }) => key === store?.key)) &&
    (!requiresDiscountCode || brought.has(id))
  );
}

/** Active, and valid at the moment: from its first one up to its last, which is not part of it. */
export function isInForce(
  { isActive, validFrom, validUntil }: Pick<StoredDiscount, 'isActive' | 'validFrom' | 'validUntil'>,
  now: string,
): boolean {
  return isActive && (validFrom === undefined || validFrom <= now) && (validUntil === undefined || now < validUntil);
}

interface Ordered {
  readonly sortOrder: string;
  readonly place: Place;
}

function placesOf(candidates: readonly StoredDiscount[], groups: readonly StoredGroup[]): readonly Ordered[] {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const members = new Map<string, StoredDiscount[]>();
  const places: Ordered[] = [];
  for (const stored of candidates) {
    const groupId = stored.discountGroup?.id;
    const group = groupId === undefined ? undefined : byId.get(groupId);
    if (group === undefined) places.push({ sortOrder: stored.sortOrder, place: discountOf(stored) });
    // Those of one that is not active are not considered.
    else if (group.isActive) members.set(group.id, [...(members.get(group.id) ?? []), stored]);
  }
  for (const [id, ofGroup] of members)
    places.push({
      sortOrder: byId.get(id)!.sortOrder,
      place: { group: id, members: firstCreated(ofGroup).map(discountOf) },
    });
  return places;
}

/** Of members that save as much the one that was created first counts. */
function firstCreated(discounts: readonly StoredDiscount[]): readonly StoredDiscount[] {
  const created = (one: StoredDiscount): string => (one as StoredDiscount & Pick<Document, 'createdAt'>).createdAt;
  return discounts.toSorted((one, other) => (created(one) < created(other) ? -1 : 1));
}

/** Decimal numbers between 0 and 1; as texts they compare like the numbers, for none of them ends in 0. */
function compareSortOrders(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
