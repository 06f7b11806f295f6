/**
 * What a cart costs: the steps of carts 4.4 from the prices of units to the taxes of the cart, each of which adds to what the
 * former ones found. Pure, over plain values, on the event loop or in a thread.
 */
import { apiError } from '../../errors/api-error.ts';
import { divideRounded, type RoundingMode } from '../../money/rounding.ts';
import { type GivenTaxes, givenTaxes, type ItemMethod, type ItemTaxes, itemTaxes, type Taxable } from './item-taxes.ts';
import { type Applied, applyDiscounts, type Discount, type Outcome, type Place } from './discounts.ts';
import { type Rate, type RateSubject, shippingPrice } from './shipping-price.ts';
import type { Candidate } from './targets.ts';
import { sumOfTaxed, type Taxed, taxedAfterDiscount, taxedTotal, type TaxRate } from './taxes.ts';
import type { DiscountLink, Part } from './units.ts';
import { type Currency, lossOfAmount } from './values.ts';

/** An item of a cart with the price of its units. */
export interface PricedItem extends Omit<Candidate, 'parts'> {
  readonly quantity: number;
  /** Of one unit, in 1/(10^fractionDigits) of the currency, after product discounts. */
  readonly price: number;
  /** The same before product discounts, where the better one of these and cart discounts counts (carts 5.23). */
  readonly undiscounted?: number;
  /** In cents, of an item that says so itself; its units and discounts do not count then. */
  readonly total?: number;
  /** Of an item whose price the client gives in high precision, other than the cart's. */
  readonly rounding?: RoundingMode;
  readonly taxRate?: TaxRate;
  /** In several shipping methods: how many units go with each, in the order of the methods, and their rates. */
  readonly methods?: readonly ItemMethod[];
  readonly taxed?: GivenTaxes;
  /** Prices of its units that stay as they are, whatever discounts there are. */
  readonly parts?: readonly Part[];
}

/** A shipping method that is set. */
export interface PricedShipping {
  readonly shippingKey?: string;
  readonly rate: Rate;
  readonly rateInput?: RateSubject['rateInput'];
  readonly taxRate?: TaxRate;
  readonly taxed?: GivenTaxes;
  /** What it costs stays as it is. */
  readonly kept?: Pick<ComputedShipping, 'price' | 'discounted'>;
}

/** What one unit that is given is worth, and how nothing is taxed. */
export interface Gift extends Pick<PricedItem, 'fractionDigits' | 'price' | 'taxRate' | 'methods' | 'taxed'> {
  readonly discount: DiscountLink;
}

export interface PricedCart {
  readonly currency: Currency;
  readonly taxRounding: RoundingMode;
  readonly taxCalculation: 'LineItemLevel' | 'UnitPriceLevel';
  /** Lines, then custom lines, in their order, without gifts. */
  readonly items: readonly PricedItem[];
  readonly shipping: readonly PricedShipping[];
  readonly tierType: string | undefined;
  /** What predicates on the cart read, with what those on items do. */
  readonly facts: {
    readonly lineItems: readonly object[];
    readonly customLineItems: readonly object[];
  };
  /** That stay, whatever discounts there are. */
  readonly gifts?: readonly Gift[];
  /** What a discount gives, which is asked of those that apply; undefined for nothing, such as what was refused. */
  giftOf(discount: DiscountLink): Gift | undefined;
  /** In order. */
  readonly places: readonly Place[];
  /** What discounts take off the total whatever there is, as far as so much is left (carts 9.2). */
  readonly onTotal?: readonly AmountPortion[];
  /** There is a shipping address, without which a cart has no taxes as a whole. */
  readonly isAddressed: boolean;
}

/** What a discount took off an amount, in cents. */
export interface AmountPortion {
  readonly discount: DiscountLink;
  readonly amount: number;
}

/** What a cart costs. Amounts are in cents, prices of units in the units of their item. */
export interface Computed {
  readonly items: readonly Readonly<ComputedItem>[];
  readonly gifts: readonly Readonly<ComputedGift>[];
  readonly shipping: readonly Readonly<ComputedShipping>[];
  readonly outcomes: ReadonlyMap<string, Outcome>;
  readonly total: number;
  readonly onTotal: readonly AmountPortion[];
  /** What was taken off the total; less than those say, which are kept, where so much is not left. */
  readonly off: number;
  readonly taxed?: Taxed | undefined;
  readonly taxedShipping?: Taxed | undefined;
  /** What net and gross lost by discounts on the total. */
  readonly offTaxed?: { readonly net: number; readonly gross: number } | undefined;
}

interface ComputedItem extends Candidate, ItemTaxes {
  readonly of: PricedItem;
  total: number;
}

interface ComputedGift extends ItemTaxes {
  readonly of: Gift;
}

interface ComputedShipping {
  readonly of: PricedShipping;
  price: number;
  /** After discounts, if any took something off. */
  discounted?: { readonly value: number; readonly portions: readonly AmountPortion[] } | undefined;
  taxed?: Taxed | undefined;
}

/** A cart while it is computed. */
interface Working extends Computed {
  readonly cart: PricedCart;
  items: ComputedItem[];
  gifts: ComputedGift[];
  shipping: ComputedShipping[];
  onShipping: readonly Discount[];
  discountsOnTotal: readonly Discount[];
  outcomes: ReadonlyMap<string, Outcome>;
  total: number;
  onTotal: readonly AmountPortion[];
  off: number;
  taxed?: Taxed | undefined;
  taxedShipping?: Taxed | undefined;
  offTaxed?: { readonly net: number; readonly gross: number } | undefined;
}

/** The order in which a cart is computed, from the prices of its units on. */
const steps: readonly { readonly name: string; run(working: Working): void }[] = [
  { name: 'discounts on items, and gifts', run: discountItems },
  { name: 'the better one of product and cart discounts', run: chooseBetter },
  { name: 'totals of items', run: totalItems },
  { name: 'shipping rates and prices', run: priceShipping },
  { name: 'discounts on shipping', run: discountShipping },
  { name: 'total of the cart', run: totalCart },
  { name: 'discounts on the total', run: discountTotal },
  { name: 'taxes of items and shipping', run: taxParts },
  { name: 'taxes of the cart', run: taxCart },
];

/** Those that add up what there is to pay, as far as it is known what discounts there are. */
const sums = [totalItems, priceShipping, discountShipping, totalCart, discountTotal];

/** Throws MoneyOverflow where an amount is no safe integer, and InvalidOperation where discounts take too long. */
export function computeCart(cart: PricedCart): Computed {
  const working: Working = {
    cart,
    items: cart.items.map(computedItem),
    gifts: (cart.gifts ?? []).map((of) => ({ of })),
    shipping: cart.shipping.map((of) => ({ of, price: 0 })),
    onShipping: [],
    discountsOnTotal: [],
    outcomes: new Map(),
    total: 0,
    onTotal: [],
    off: 0,
  };
  for (const step of steps) step.run(working);
  return working;
}

function computedItem(of: PricedItem): ComputedItem {
  const { kind, isOpen, facts, fractionDigits, quantity, price, undiscounted = price } = of;
  const { parts = [{ quantity, price: undiscounted, portions: [] }] } = of;
  return { kind, isOpen, facts, fractionDigits, of, parts, total: 0 };
}

function discountItems(working: Working): void {
  const { cart, items, gifts } = working;
  const { currency, facts, places, shipping } = cart;
  const gives = ({ link }: Discount): boolean => {
    const of = cart.giftOf(link);
    if (of !== undefined) gifts.push({ of });
    return of !== undefined;
  };
  const isLeft = (found: Pick<Applied, 'onShipping' | 'onTotal'>): boolean => {
    Object.assign(working, { onShipping: found.onShipping, discountsOnTotal: found.onTotal });
    for (const run of sums) run(working);
    return working.total > 0;
  };
  const found = applyDiscounts({ currency, facts, items, shippingCount: shipping.length, isLeft, gives }, places);
  working.outcomes = found.outcomes;
  working.onShipping = found.onShipping;
  working.discountsOnTotal = found.onTotal;
}

function chooseBetter({ items, cart: { currency } }: Working): void {
  for (const item of items) item.parts = betterOf(item, currency);
}

/** Cart discounts that leave no less than product discounts do have done nothing to an item. */
function betterOf(item: ComputedItem, currency: Currency): readonly Part[] {
  const { quantity, price, undiscounted } = item.of;
  if (undiscounted === undefined) return item.parts;
  const others = [{ quantity, price, portions: [] }];
  return costOf(item, item.parts, currency) < costOf(item, others, currency) ? item.parts : others;
}

function totalItems({ items, cart: { currency } }: Working): void {
  for (const item of items) item.total = safe(costOf(item, betterOf(item, currency), currency));
}

/** In cents. Units of high precision are added up exactly and rounded once (carts 1.4). */
function costOf({ of, fractionDigits }: ComputedItem, parts: readonly Part[], currency: Currency): bigint {
  const { total, rounding = currency.rounding } = of;
  if (total !== undefined) return BigInt(total);
  const moreDigits = fractionDigits - currency.fractionDigits;
  const sum = parts.reduce((units, { price, quantity }) => units + BigInt(price) * BigInt(quantity), 0n);
  return moreDigits === 0 ? sum : divideRounded(sum, 10n ** BigInt(moreDigits), rounding);
}

function priceShipping(working: Working): void {
  const { shipping, cart } = working;
  const value = itemsTotal(working);
  for (const method of shipping) {
    const { rate, rateInput, kept } = method.of;
    if (kept !== undefined) Object.assign(method, kept);
    else method.price = shippingPrice(rate, { value, rateInput, tierType: cart.tierType });
  }
}

function itemsTotal({ items }: Working): number {
  return safe(items.reduce((sum, { total }) => sum + BigInt(total), 0n));
}

function discountShipping({ shipping, onShipping, cart: { currency } }: Working): void {
  for (const method of shipping) {
    const portions: AmountPortion[] = [];
    let value = method.price;
    for (const { link, effect } of onShipping) {
      const amount = effect.on === 'shipping' ? lossOfAmount(effect.value, value, currency) : 0;
      if (amount === 0) continue;
      value -= amount;
      portions.push({ discount: link, amount });
    }
    // What is frozen with its discounts keeps these.
    if (method.of.kept === undefined) method.discounted = portions.length > 0 ? { value, portions } : undefined;
  }
}

function toPay({ price, discounted }: ComputedShipping): number {
  return discounted?.value ?? price;
}

function totalCart(working: Working): void {
  const shipping = working.shipping.reduce((sum, method) => sum + BigInt(toPay(method)), 0n);
  working.total = safe(BigInt(itemsTotal(working)) + shipping);
}

function discountTotal(working: Working): void {
  const { cart, discountsOnTotal, total } = working;
  working.onTotal = cart.onTotal ?? takenOffTotal(discountsOnTotal, total, cart.currency);
  const off = working.onTotal.reduce((sum, { amount }) => sum + amount, 0);
  working.off = Math.max(0, Math.min(off, total));
  working.total -= working.off;
}

/** What each takes of what those before it leave. */
function takenOffTotal(
  discounts: readonly Discount[],
  total: number,
  currency: PricedCart['currency'],
): readonly AmountPortion[] {
  let left = total;
  return discounts.flatMap(({ link, effect }) => {
    if (effect.on !== 'totalPrice') return [];
    const amount = lossOfAmount(effect.value, left, currency);
    left -= amount;
    return amount === 0 ? [] : [{ discount: link, amount }];
  });
}

function taxParts({ items, gifts, shipping, cart }: Working): void {
  for (const item of items) Object.assign(item, itemTaxes(item, cart));
  for (const gift of gifts) Object.assign(gift, itemTaxes(givenUnit(gift), cart));
  for (const method of shipping) {
    const { taxRate, taxed } = method.of;
    method.taxed =
      givenTaxes(taxed, toPay(method)) ?? (taxRate && taxedTotal(toPay(method), taxRate, cart.taxRounding));
  }
}

function givenUnit({ of }: ComputedGift): Taxable {
  const { fractionDigits, taxRate, methods, taxed } = of;
  return {
    parts: [{ quantity: 1, price: 0, portions: [] }],
    total: 0,
    fractionDigits,
    of: {
      quantity: 1,
      ...(taxRate !== undefined && { taxRate }),
      ...(methods !== undefined && { methods }),
      ...(taxed !== undefined && { taxed }),
    },
  };
}

/**
 * There are taxes of the cart where all that it holds has some (carts 7.6), and taxes of shipping where all methods have. A
 * discount on the total takes its share of both (carts 7.9).
 */
function taxCart(working: Working): void {
  const { items, gifts, shipping, cart, off, total } = working;
  const discount = { off, total: total + off, rounding: cart.taxRounding };
  const scaled = (taxed: Taxed): Taxed => (off === 0 ? taxed : taxedAfterDiscount(taxed, discount));
  const ofShipping = sumOfAll(shipping);
  if (shipping.length > 0) working.taxedShipping = ofShipping && scaled(ofShipping);
  if (!cart.isAddressed || items.length + gifts.length === 0) return;
  const before = sumOfAll([...items, ...gifts, ...shipping]);
  if (before === undefined) return;
  working.taxed = scaled(before);
  if (off > 0) working.offTaxed = { net: before.net - working.taxed.net, gross: before.gross - working.taxed.gross };
}

function sumOfAll(parts: readonly { readonly taxed?: Taxed | undefined }[]): Taxed | undefined {
  const known = parts.flatMap(({ taxed }) => taxed ?? []);
  return known.length === parts.length ? sumOfTaxed(known) : undefined;
}

function safe(cents: bigint): number {
  const number = Number(cents);
  if (Number.isSafeInteger(number)) return number;
  throw apiError('MoneyOverflow', `The amount of ${cents} cents is beyond the largest that can be kept exactly.`);
}
