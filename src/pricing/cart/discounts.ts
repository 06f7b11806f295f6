/**
 * The cart discounts of a cart in their order: which ones apply, and what those on items do to the prices of units. Those on
 * shipping and on the total are found here too, for what follows: nobody knows yet what shipping costs.
 */
import { type Candidate, type ItemTarget, occurrencesOf, type PatternSteps, patternSteps } from './targets.ts';
import { type DiscountLink, reduce, type Reduction, requireFewPortions } from './units.ts';
import { type Currency, isInCurrency, type PriceValue, reductionsOf } from './values.ts';

/** A cart discount or a direct discount, made ready. What it reads of a cart are facts. */
export interface Discount {
  readonly link: DiscountLink;
  readonly effect: Effect;
  /** On the cart; of a direct discount it holds for all. */
  matchesCart(facts: object): boolean;
  /** Whether those after it are left out once it was applied. */
  readonly isLast: boolean;
}

export type Effect =
  | { readonly on: 'items'; readonly target: ItemTarget; readonly value: PriceValue }
  | { readonly on: 'shipping' | 'totalPrice'; readonly value: PriceValue }
  | { readonly on: 'gift' };

/** A place in the order: a discount of its own, or those of a group, of which the one that saves most applies. */
export type Place = PlaceOf<Discount>;

export type PlaceOf<D> = D | { readonly group: string; readonly members: readonly D[] };

export function discountsAt<D extends object>(place: PlaceOf<D>): readonly D[] {
  return 'members' in place ? place.members : [place];
}

/** What became of a discount that was looked at. */
export type Outcome =
  /** It changed a price, or added a gift; on shipping and the total it has something to take off from. */
  | 'applied'
  | 'withoutEffect'
  | 'doesNotMatchCart'
  /** It comes after one that lets none pass. */
  | 'stopped'
  | 'worseThanOthersOfGroup';

/** What discounts see of a cart. */
export interface Discounted {
  readonly currency: Currency;
  /** Lines, then custom lines, in their order; their parts change. */
  readonly items: readonly Candidate[];
  readonly facts: object;
  /** How many shipping methods are set. */
  readonly shippingCount: number;
  /** Whether there is something left to pay when those on shipping and on the total are applied so far. */
  isLeft(found: Pick<Applied, 'onShipping' | 'onTotal'>): boolean;
  /** Adds what the discount gives; whether there is anything that was not refused. */
  gives(discount: Discount): boolean;
}

export interface Applied {
  /** By the id of the discount. */
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly onShipping: readonly Discount[];
  readonly onTotal: readonly Discount[];
}

interface Applying extends Discounted {
  readonly steps: PatternSteps;
}

/** Applies the discounts to the prices of items, and has gifts added. */
export function applyDiscounts(given: Discounted, places: readonly Place[]): Applied {
  const cart: Applying = { ...given, steps: patternSteps() };
  const outcomes = new Map<string, Outcome>();
  const found = { onShipping: [] as Discount[], onTotal: [] as Discount[] };
  let isStopped = false;
  for (const place of places) {
    const members = discountsAt(place);
    const matching: Discount[] = [];
    for (const discount of members) {
      if (isStopped) outcomes.set(discount.link.id, stoppedOr(discount, cart));
      else if (discount.matchesCart(cart.facts)) matching.push(discount);
      else outcomes.set(discount.link.id, 'doesNotMatchCart');
    }
    const best = matching.length > 1 ? bestOf(matching, cart) : matching[0];
    if (best === undefined) {
      for (const { link } of matching) outcomes.set(link.id, 'withoutEffect');
      continue;
    }
    for (const { link } of matching) if (link.id !== best.link.id) outcomes.set(link.id, 'worseThanOthersOfGroup');
    const isApplied = apply(best, cart, found);
    outcomes.set(best.link.id, isApplied ? 'applied' : 'withoutEffect');
    isStopped = isApplied && best.isLast;
  }
  return { outcomes, ...found };
}

/** One that would not have matched anyway was not stopped. */
function stoppedOr({ matchesCart }: Discount, { facts }: Discounted): Outcome {
  return matchesCart(facts) ? 'stopped' : 'doesNotMatchCart';
}

function apply(
  discount: Discount,
  cart: Applying,
  found: { readonly onShipping: Discount[]; readonly onTotal: Discount[] },
): boolean {
  const { effect, link } = discount;
  switch (effect.on) {
    case 'items': {
      const isChanged = reduce(itemReductions(effect, cart), link);
      requireFewPortions(cart.items);
      return isChanged;
    }
    case 'gift':
      return cart.gives(discount);
    case 'shipping': {
      if (!isInCurrency(effect.value, cart.currency) || cart.shippingCount === 0) return false;
      found.onShipping.push(discount);
      return true;
    }
    case 'totalPrice': {
      if (!isInCurrency(effect.value, cart.currency)) return false;
      const isLeft = cart.isLeft(found);
      found.onTotal.push(discount);
      return isLeft;
    }
  }
}

function itemReductions(
  { target, value }: Effect & { readonly on: 'items' },
  { currency, items, steps }: Applying,
): readonly Reduction[] {
  if (!isInCurrency(value, currency)) return [];
  return occurrencesOf(target, items, steps).flatMap((occurrence) => {
    const reductions = reductionsOf(value, occurrence, currency);
    const { times } = occurrence;
    return times === 1 ? reductions : reductions.map((each) => ({ ...each, quantity: each.quantity * times }));
  });
}

/** The one that takes most off at this point; of equals the first, and none where all take nothing off (carts 5.22). */
function bestOf(matching: readonly Discount[], cart: Applying): Discount | undefined {
  const savings = matching.map(({ effect }) => (effect.on === 'items' ? savingOf(itemReductions(effect, cart)) : 0n));
  const most = savings.reduce((best, saving) => (saving > best ? saving : best));
  return most === 0n ? undefined : matching[savings.indexOf(most)];
}

/** The finest unit of prices: what reductions of different precisions are compared in. */
const finestDigits = 20;

function savingOf(reductions: readonly Reduction[]): bigint {
  return reductions.reduce((sum, { item, quantity, amount }) => {
    return sum + BigInt(amount) * BigInt(quantity) * 10n ** BigInt(finestDigits - item.fractionDigits);
  }, 0n);
}
