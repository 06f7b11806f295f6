/** The cart discounts that a cart may have, in their order, made ready to be applied (carts 5). */
import type { Document, Fixed } from '../../../engine/document.ts';
import type { PlaceOf } from '../../../pricing/cart/discounts.ts';
import type { StoredDiscount } from '../../../pricing/cart/stored-discounts.ts';
import { isForStore } from '../../../pricing/stores.ts';
import type { CartDiscount } from '../../cart-discount/fields.ts';
import type { DiscountGroup } from '../../discount-group/fields.ts';
import type { Cart } from '../fields.ts';

type Stored = Fixed<CartDiscount>;

/** A discount by a name that tells its versions. */
export interface NamedDiscount {
  readonly name: string;
  readonly discount: StoredDiscount;
}

function discountOf(stored: Stored): NamedDiscount {
  const { id, value, target, cartPredicate, stackingMode } = stored;
  const { version } = stored as Stored & Pick<Document, 'version'>;
  return {
    name: `${id} ${version}`,
    discount: {
      link: { typeId: 'cart-discount', id },
      value,
      target,
      cartPredicate,
      isLast: stackingMode === 'StopAfterThisDiscount',
    },
  };
}

/** What decides which discounts a cart may have. */
export interface Offered {
  readonly discounts: readonly Stored[];
  readonly groups: readonly StoredGroup[];
  /** Ids of those that usable codes of the cart bring. */
  readonly brought: ReadonlySet<string>;
  readonly now: string;
}

type StoredGroup = Fixed<DiscountGroup>;

/** A discount in a group that is not active is not active either. */
export function asInGroup(discount: Stored | undefined, groups: readonly StoredGroup[]): Stored | undefined {
  const id = discount?.discountGroup?.id;
  const isOff = id !== undefined && groups.some((group) => group.id === id && !group.isActive);
  return discount && isOff ? { ...discount, isActive: false } : discount;
}

/** Direct discounts where the cart has some, and otherwise those that are in force, in their order. */
export function placesFor(cart: Fixed<Cart>, offered: Offered): readonly PlaceOf<NamedDiscount>[] {
  if (cart.directDiscounts.length > 0) return cart.directDiscounts.map(directDiscount);
  const candidates = offered.discounts.filter((discount) => isCandidate(discount, cart, offered));
  const places = placesOf(candidates, offered.groups);
  return places.toSorted((one, other) => compareSortOrders(other.sortOrder, one.sortOrder)).map(({ place }) => place);
}

/** Whoever sets others gives them other ids. */
function directDiscount({ id, value, target }: Fixed<Cart>['directDiscounts'][number]): NamedDiscount {
  return { name: id, discount: { link: { typeId: 'direct-discount', id }, value, target, isLast: false } };
}

function isCandidate(discount: Stored, { store }: Fixed<Cart>, { brought, now }: Offered): boolean {
  const { id, stores, requiresDiscountCode } = discount;
  return isInForce(discount, now) && isForStore(stores, store) && (!requiresDiscountCode || brought.has(id));
}

/** Active, and valid at the moment: from its first one up to its last, which is not part of it. */
export function isInForce(
  { isActive, validFrom, validUntil }: Pick<Stored, 'isActive' | 'validFrom' | 'validUntil'>,
  now: string,
): boolean {
  return isActive && (validFrom === undefined || validFrom <= now) && (validUntil === undefined || now < validUntil);
}

interface Ordered {
  readonly sortOrder: string;
  readonly place: PlaceOf<NamedDiscount>;
}

function placesOf(candidates: readonly Stored[], groups: readonly StoredGroup[]): readonly Ordered[] {
  const byId = new Map(groups.map((group) => [group.id, group]));
  const members = new Map<string, Stored[]>();
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
function firstCreated(discounts: readonly Stored[]): readonly Stored[] {
  const created = (one: Stored): string => (one as Stored & Pick<Document, 'createdAt'>).createdAt;
  return discounts.toSorted((one, other) => (created(one) < created(other) ? -1 : 1));
}

/** Decimal numbers between 0 and 1; as texts they compare like the numbers, for none of them ends in 0. */
function compareSortOrders(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
