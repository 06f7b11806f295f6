/** A cart that is computed in a thread, or where it is: what goes there names its discounts, and what comes back is short. */
import { ApiError } from '../../errors/api-error.ts';
import type { Task } from '../../tasks/task.ts';
import { type Computed, computeCart, type Gift, type PricedCart, type PricedItem } from './compute.ts';
import type { Discount, Outcome, PlaceOf } from './discounts.ts';
import type { ItemTaxes } from './item-taxes.ts';
import type { StoredDiscount } from './stored-discounts.ts';
import type { DiscountLink, Part } from './units.ts';

/** A cart as it is before anybody knows its discounts. What predicates read of its items is in `facts`. */
export type UndiscountedCart = Omit<PricedCart, 'items' | 'places' | 'giftOf'> & {
  readonly items: readonly Omit<PricedItem, 'facts'>[];
};

export interface CartRequest {
  readonly cart: UndiscountedCart;
  /** Names of discounts, in order. */
  readonly places: readonly PlaceOf<NamedPlace>[];
  /** What discounts give, or the errors with which a cart is refused that is given it. */
  readonly gives: readonly Given[];
}

export interface NamedPlace {
  readonly name: string;
}

export type Given = Gift | { readonly discount: DiscountLink; readonly errors: ApiError['errors'] };

/** Its parts are discounts by their names. */
export const cartCosts: Task<CartRequest, CartCosts, StoredDiscount> = { name: 'cart-costs', threads: 'pricing' };

/** In the order of what was asked, amounts as in `Computed`. */
export interface CartCosts extends Pick<Computed, 'total' | 'taxed' | 'taxedShipping' | 'offTaxed'> {
  /** What took something off; portions name these by their places. */
  readonly links: readonly DiscountLink[];
  readonly items: readonly (ItemTaxes & { readonly total: number; readonly parts: readonly PartNumbers[] })[];
  readonly gifts: readonly (ItemTaxes & { readonly discountId: string })[];
  readonly shipping: readonly Omit<Computed['shipping'][number], 'of'>[];
  readonly outcomes: readonly (readonly [discountId: string, outcome: Outcome])[];
  readonly onTotal: Computed['onTotal'];
  readonly off: number;
}

/** The quantity and the price of units, then for each portion the place of its link and the amount: thousands are sent. */
type PartNumbers = readonly number[];

/** Computes the cart here. Throws as `computeCart` does, and what a gift is refused with. */
export function costsOf({ cart, places, gives }: CartRequest, discountOf: (name: string) => Discount): Computed {
  const given = new Map(gives.map((each) => [each.discount.id, each]));
  const named = ({ name }: NamedPlace): Discount => discountOf(name);
  return computeCart({
    ...cart,
    items: itemsOf(cart),
    places: places.map((place) =>
      'members' in place ? { ...place, members: place.members.map(named) } : named(place),
    ),
    giftOf: ({ id }) => {
      const gift = given.get(id);
      if (gift !== undefined && 'errors' in gift) throw new ApiError(gift.errors);
      return gift;
    },
  });
}

/** Facts are in the order of the items; there are none where nothing reads them. */
function itemsOf({ items, facts: { lineItems, customLineItems } }: UndiscountedCart): readonly PricedItem[] {
  const facts = [...lineItems, ...customLineItems];
  return items.map((item, index) => ({ ...item, facts: facts[index] ?? {} }));
}

/** What the cart costs as it is. */
export function undiscounted(cart: UndiscountedCart): Computed {
  return costsOf({ cart, places: [], gives: [] }, (name) => {
    throw new Error(`Nobody named the discount ${name}`);
  });
}

/** What a thread sends of what it computed. */
export function sentCosts(computed: Computed): CartCosts {
  const { items, gifts, shipping, outcomes, total, onTotal, off, taxed, taxedShipping, offTaxed } = computed;
  const places = new Map<string, number>();
  const links: DiscountLink[] = [];
  const placeOf = (link: DiscountLink): number => {
    const known = places.get(link.id);
    if (known !== undefined) return known;
    places.set(link.id, links.length);
    return links.push(link) - 1;
  };
  const numbersOf = ({ quantity, price, portions }: Part): PartNumbers => {
    const numbers = [quantity, price];
    for (const { discount, amount } of portions) numbers.push(placeOf(discount), amount);
    return numbers;
  };
  return {
    links,
    items: items.map((item) => ({ ...taxesOf(item), total: item.total, parts: item.parts.map(numbersOf) })),
    gifts: gifts.map((gift) => ({ ...taxesOf(gift), discountId: gift.of.discount.id })),
    shipping: shipping.map(({ of: _, ...others }) => others),
    outcomes: [...outcomes],
    total,
    onTotal,
    off,
    taxed,
    taxedShipping,
    offTaxed,
  };
}

function taxesOf({ taxed, taxedByMethod }: ItemTaxes): ItemTaxes {
  return {
    ...(taxed !== undefined && { taxed }),
    ...(taxedByMethod !== undefined && { taxedByMethod }),
  };
}

/** What a thread computed of the request, as if it had been computed here. */
export function receivedCosts({ cart, gives }: CartRequest, costs: CartCosts): Computed {
  const { links, items, gifts, shipping, outcomes, ...others } = costs;
  const given = new Map(gives.map((gift) => [gift.discount.id, gift]));
  const asked = itemsOf(cart);
  const partOf = ([quantity, price, ...portions]: PartNumbers): Part => {
    const portionsOf: { discount: DiscountLink; amount: number }[] = [];
    for (let index = 0; index < portions.length; index += 2)
      portionsOf.push({ discount: links[portions[index]!]!, amount: portions[index + 1]! });
    return { quantity: quantity!, price: price!, portions: portionsOf };
  };
  return {
    ...others,
    items: items.map(({ parts, ...item }, index) => {
      const of = asked[index]!;
      const { kind, isOpen, facts, fractionDigits } = of;
      return { kind, isOpen, facts, fractionDigits, of, ...item, parts: parts.map(partOf) };
    }),
    // Those that a refused gift would have been are not among what was computed, nor is what stays as it is among what is given.
    gifts: gifts.map(({ discountId, ...taxes }, index) => ({
      of: cart.gifts?.[index] ?? (given.get(discountId) as Gift),
      ...taxes,
    })),
    shipping: shipping.map((method, index) => ({ of: cart.shipping[index]!, ...method })),
    outcomes: new Map(outcomes),
  };
}
