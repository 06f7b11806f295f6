/**
 * What an order costs after an edit. It is computed as a cart is, but what nothing was said of stays as it was ordered: prices
 * of lines, tax rates, and the rate by which it is shipped. Discounts are found anew (orders 35).
 */
import { isDeepStrictEqual } from 'node:util';
import type { Fixed } from '../../engine/document.ts';
import type { Computation, Found } from '../../engine/resource.ts';
import { setMethodName } from '../cart/actions/shipping.ts';
import {
  chooseShippingRates,
  costs,
  customerOf,
  type Step,
  type StepName,
  steps,
  type Working,
  workingOf,
} from '../cart/computation/computation.ts';
import type { Gathered } from '../cart/computation/gathered.ts';
import { buyerOf, selectPrices } from '../cart/computation/prices.ts';
import { chooseForItem, chooseForShipping, chooseLineRate } from '../cart/computation/tax-rates.ts';
import type { Cart } from '../cart/fields.ts';
import type { CustomLineItem, LineItem } from '../cart/item-fields.ts';
import type { DiscountCode } from '../discount-code/fields.ts';
import { keepingDeliveries, requireShipped } from './kept-deliveries.ts';

/** What takes the place of steps of carts. Stock was counted when the order was placed. */
const ofEdits: Readonly<Partial<Record<StepName, Step['run']>>> = {
  'who buys': knowBuyer,
  'what is reserved for lines': () => {},
  'prices of lines': priceChanged,
  'rates of shipping methods': rateChanged,
  'tax rates': taxChanged,
};

export const recalculation: Computation<Cart, Gathered> = {
  reads: costs.reads,
  readsAll: costs.readsAll,
  gather: costs.gather!,
  compute: async (cart, found, context) => {
    const before = context.before as unknown as Fixed<Cart>;
    const used = new Set(usedCodes(before));
    // Of a customer whom the edit gives the order it is no use: it was counted for whoever ordered.
    const usedByBuyer = cart.customerId === before.customerId ? used : new Set<string>();
    const working = workingOf(cart, withoutOwnUses(found, used), {
      ...context,
      gathered: { ...context.gathered, codeUses: otherUses(context.gathered.codeUses, usedByBuyer) },
    });
    for (const { name, run } of steps) await (ofEdits[name] ?? run)(working);
  },
};

/** Ids of those of which the order has a use of its own. */
export function usedCodes({ discountCodes }: Pick<Fixed<Cart>, 'discountCodes'>): readonly string[] {
  return discountCodes.filter(({ state }) => state === 'MatchesCart').map(({ discountCode }) => discountCode.id);
}

/** That an order has used a code up is no reason to take it from the order. */
function withoutOwnUses(found: Found, used: ReadonlySet<string>): Found {
  return {
    one: (kind, id) => {
      const document = found.one(kind, id);
      if (kind !== 'discount-code' || document === undefined || !used.has(id)) return document;
      const { applicationCount = 0 } = document as unknown as Fixed<DiscountCode>;
      return { ...document, applicationCount: Math.max(0, applicationCount - 1) };
    },
    holder: (...asked) => found.holder(...asked),
    hasSought: (...asked) => found.hasSought(...asked),
    all: (kind) => found.all(kind),
  };
}

function otherUses(uses: Gathered['codeUses'], used: ReadonlySet<string>): Gathered['codeUses'] {
  return new Map([...uses].map(([id, count]) => [id, used.has(id) ? Math.max(0, count - 1) : count]));
}

/** The order has the group that it was placed with, or that the edit has given it. */
function knowBuyer(working: Working): void {
  const { cart, gathered, now } = working;
  const assigned = customerOf(working)?.customerGroupAssignments ?? [];
  const assignedGroups = assigned.map(({ customerGroup }) => customerGroup.id);
  working.buyer = buyerOf(cart, { assignedGroups, store: gathered.store, now });
}

/** What the prices of all lines depend on. */
function priceInputsOf({ country, customerGroup, customerId, store }: Fixed<Cart>): unknown {
  return { country, customerGroup, customerId, store };
}

function ownInputsOf({ quantity, distributionChannel, priceMode, variant }: Fixed<LineItem>): unknown {
  return { quantity, distributionChannel, priceMode, variantId: variant.id };
}

function priceChanged({ cart, buyer, gathered, before }: Working): void {
  const known = byId(before!.lineItems);
  const isOther = !isDeepStrictEqual(priceInputsOf(cart), priceInputsOf(before!));
  const lineItems = cart.lineItems.filter((line) => {
    const was = known.get(line.id);
    return isOther || was === undefined || !isDeepStrictEqual(ownInputsOf(line), ownInputsOf(was));
  });
  selectPrices({ ...cart, lineItems }, buyer!, gathered);
}

function isElsewhere({ cart, before }: Pick<Working, 'cart' | 'before'>): boolean {
  const place = ({ shippingAddress }: Fixed<Cart>): unknown =>
    shippingAddress && { country: shippingAddress.country, state: shippingAddress.state };
  return !isDeepStrictEqual(place(cart), place(before!));
}

/** Several methods have addresses of their own, which no edit changes. */
function rateChanged(working: Working): void {
  const { cart, said } = working;
  if (cart.shippingMode !== 'Single' || !(said.has(setMethodName(undefined)) || isElsewhere(working))) return;
  keepingDeliveries(cart, () => chooseShippingRates(working));
  requireShipped(cart);
}

function taxChanged(working: Working): void {
  const { cart, before, gathered, taxation } = working;
  if (cart.taxMode !== 'Platform') return;
  // Items that were taxed in another mode have lost their rates with that.
  const isOther = isElsewhere(working);
  const needs = (item: LineItem | CustomLineItem, was: Fixed<LineItem | CustomLineItem> | undefined): boolean =>
    isOther ||
    was === undefined ||
    !isDeepStrictEqual(item.shippingDetails, was.shippingDetails) ||
    (item.taxRate === undefined && item.perMethodTaxRate.length === 0);
  const [lines, items] = [byId(before!.lineItems), byId(before!.customLineItems)];
  for (const line of cart.lineItems)
    if (line.lineItemMode === 'Standard' && needs(line, lines.get(line.id)))
      chooseLineRate(cart, line, { gathered, taxation });
  for (const item of cart.customLineItems)
    if (needs(item, items.get(item.id))) chooseForItem(cart, item, { category: item.taxCategory?.id, taxation });
  const { shippingInfo } = cart;
  if (shippingInfo !== undefined && (isOther || shippingInfo.taxRate === undefined))
    chooseForShipping(shippingInfo, cart.shippingAddress, taxation);
}

function byId<T extends { readonly id: string }>(items: readonly T[]): ReadonlyMap<string, T> {
  return new Map(items.map((item) => [item.id, item]));
}
