/** Section 4: the order of computation, once for each request after its last action. */
import { centMoney, cents, centsOf, amountOf, sum } from './amounts.ts';
import { chooseCombination, discountTotal, isOfStore, runDiscounts, settle } from './cart-discounts.ts';
import {
  currencyOf,
  isGift,
  itemsOf,
  type ModelCart,
  type ModelItem,
  type ModelShippingInfo,
  type ModelWorld,
  type Request,
  shippingInfosOf,
} from './cart-shapes.ts';
import { checkNewCodes, setCodeStates, usableCodes } from './discount-codes.ts';
import { placeGifts } from './gifts.ts';
import { plainTotalOf, reprice, roundTotal } from './line-prices.ts';
import { ModelError, refuseIf } from './model-error.ts';
import { add, multiply, rational, zero } from './rational.ts';
import { cartPredicate } from './predicates.ts';
import { chooseShippingRates, priceShipping, rateOfMethod } from './shipping.ts';
import { assign, chooseTaxRates, computeTaxes, dropTaxes, keepTotalTax, scaled } from './taxes.ts';

export function computeCart(world: ModelWorld, cart: ModelCart, request: Request): void {
  requireAddresses(cart);
  requireChannels(world, cart, request);
  const isHard = request.isFrozen && cart.freezeStrategy === 'HardFreeze';
  // 9.2: prices of a frozen cart stay.
  if (!request.isFrozen)
    for (const line of cart.lineItems)
      if (line.priceMode === 'Platform' && line.lineItemMode === 'Standard') reprice(world, cart, line);
  if (!isHard) chooseShippingRates(world, cart);
  else if (cart.shippingAddress === undefined) delete cart.shippingInfo;
  chooseTaxRates(world, cart, (item) => isHard || !isGift(item));
  const view = viewOf(world, cart);
  if (isHard) {
    for (const item of itemsOf(cart)) if (!isGift(item)) item.totalPrice = keptTotal(cart, item);
    cart.totalPrice = centMoney(currencyOf(cart), sumOf(cart));
    const discount = keptDiscount(cart);
    finish(world, cart, { request, view, discount });
    return;
  }
  const run = runDiscounts(world, cart, { view, usableCodes: usableCodes(world, cart, view) });
  placeGifts(run, request);
  chooseTaxRates(world, cart, isGift);
  settle(run);
  chooseCombination(run);
  setCodeStates(run, view);
  const total = cart.totalPrice;
  const discount = discountTotal(run);
  cart.totalPrice = total;
  finish(world, cart, { request, view, discount });
}

/** 5.18, 9.2: what was taken off the total stays, and is taken off again as far as there is so much. */
function keptDiscount(cart: ModelCart): bigint {
  const kept = cart.discountOnTotalPrice;
  if (kept === undefined) return 0n;
  const total = cents(cart.totalPrice);
  const wanted = kept.includedDiscounts.reduce((sum, { discountedAmount }) => sum + cents(discountedAmount), 0n);
  const taken = total <= 0n ? 0n : wanted < total ? wanted : total;
  cart.discountOnTotalPrice = {
    discountedAmount: centMoney(currencyOf(cart), taken),
    includedDiscounts: kept.includedDiscounts,
  };
  return taken;
}

/** 3.7 */
function requireAddresses(cart: ModelCart): void {
  const keys = new Set(cart.itemShippingAddresses.map(({ key }) => key));
  const targets = itemsOf(cart).flatMap(({ shippingDetails }) => shippingDetails?.targets ?? []);
  refuseIf(!targets.every(({ addressKey }) => keys.has(addressKey)), 'InvalidOperation');
}

/** 2.13, and the vendor's note of 2020-07-14. */
function requireChannels({ stores }: ModelWorld, cart: ModelCart, { channels }: Request): void {
  const own = (stores.find(({ key }) => key === cart.store?.key)?.distributionChannels ?? []).map(({ id }) => id);
  for (const line of cart.lineItems) {
    const channel = line.distributionChannel?.id;
    if (channel === undefined || isGift(line) || channel === channels.get(line.id)) continue;
    refuseIf(own.length > 0 && !own.includes(channel), 'InvalidOperation');
  }
}

/** What predicates see: the cart without cart discounts and gifts (5.4). */
function viewOf(world: ModelWorld, cart: ModelCart): ModelCart {
  const { shippingInfo, discountOnTotalPrice: _, ...rest } = cart;
  const view: ModelCart = {
    ...rest,
    lineItems: cart.lineItems.filter((line) => !isGift(line)).map((line) => ({ ...line })),
    customLineItems: cart.customLineItems.map((line) => ({ ...line })),
    shipping: cart.shipping.map((shipping) => ({ ...shipping, shippingInfo: undiscounted(shipping.shippingInfo) })),
    ...(shippingInfo === undefined ? {} : { shippingInfo: undiscounted(shippingInfo) }),
  };
  for (const item of itemsOf(view)) {
    item.discountedPricePerQuantity = [];
    item.totalPrice = centMoney(currencyOf(cart), plainTotalOf(cart, item));
  }
  priceShipping(world, view, sum(itemsOf(view).map(({ totalPrice }) => cents(totalPrice))));
  view.totalPrice = centMoney(currencyOf(cart), sumOf(view));
  // Amounts that a client gave are for the totals after discounts; predicates see none of them.
  if (view.taxMode === 'ExternalAmount') dropTaxes(view, true);
  else taxView(view);
  return view;
}

/** Taxes that are too much before discounts may be none after them: predicates see none then. */
function taxView(view: ModelCart): void {
  try {
    computeTaxes(view, undefined);
  } catch (error) {
    if (!(error instanceof ModelError) || error.code !== 'MoneyOverflow') throw error;
    dropTaxes(view, true);
  }
}

function undiscounted({ discountedPrice: _, ...info }: ModelShippingInfo): ModelShippingInfo {
  return info;
}

/** 4.5, before discounts on the total price. */
function sumOf(cart: ModelCart): bigint {
  const shipping = shippingInfosOf(cart).map((info) => amountOf((info.discountedPrice ?? { value: info.price }).value));
  return sum([...itemsOf(cart).map(({ totalPrice }) => cents(totalPrice)), ...shipping.map(({ amount }) => amount)]);
}

/** What an item of a cart that is frozen hard costs: its discounts stay. */
function keptTotal(cart: ModelCart, item: ModelItem): ModelItem['totalPrice'] {
  const groups = item.discountedPricePerQuantity;
  const total = groups.reduce(
    (sum, { quantity, discountedPrice }) =>
      add(sum, multiply(centsOf(amountOf(discountedPrice.value)), rational(BigInt(quantity)))),
    zero,
  );
  const whole = groups.length === 0 ? plainTotalOf(cart, item) : roundTotal(cart, item, total);
  return centMoney(currencyOf(cart), whole);
}

interface Finish {
  readonly request: Request;
  readonly view: ModelCart;
  /** Cents off the total price. */
  readonly discount: bigint;
}

/** Taxes, what depends on them, and what is judged on the computed cart. */
function finish(world: ModelWorld, cart: ModelCart, { request, view, discount }: Finish): void {
  const isHard = request.isFrozen && cart.freezeStrategy === 'HardFreeze';
  const total = cents(cart.totalPrice);
  computeTaxes(cart, request);
  if (discount !== 0n) scaleTaxes(cart, { total, discount });
  cart.totalPrice = centMoney(currencyOf(cart), total - discount);
  keepTotalTax(cart, request);
  // 9.2: shipping stays as it was.
  if (!isHard) judgeShipping(world, cart, view);
  for (const item of itemsOf(cart)) settleDetails(cart, item);
  const quantities = cart.lineItems.map(({ quantity }) => quantity);
  // 3.6
  const quantity = quantities.length === 0 ? undefined : quantities.reduce((a, b) => a + b, 0);
  assign(cart, 'totalLineItemQuantity', quantity);
  for (const key of request.newMethods) checkNewMethod(world, { cart, view }, key);
  checkNewCodes(world, view, request);
}

// 7.9
function scaleTaxes(cart: ModelCart, shares: { readonly total: bigint; readonly discount: bigint }): void {
  const { taxedPrice, taxedShippingPrice, discountOnTotalPrice } = cart;
  if (cart.taxMode === 'ExternalAmount' || discountOnTotalPrice === undefined) return;
  const { discountedAmount, includedDiscounts } = discountOnTotalPrice;
  cart.discountOnTotalPrice = { discountedAmount, includedDiscounts };
  if (taxedShippingPrice !== undefined) cart.taxedShippingPrice = scaled(cart, taxedShippingPrice, shares);
  if (taxedPrice === undefined) return;
  const rest = scaled(cart, taxedPrice, shares);
  cart.taxedPrice = rest;
  const difference = (a: { centAmount: number }, b: { centAmount: number }) =>
    centMoney(currencyOf(cart), cents(a) - cents(b));
  cart.discountOnTotalPrice = {
    discountedAmount,
    includedDiscounts,
    discountedNetAmount: difference(taxedPrice.totalNet, rest.totalNet),
    discountedGrossAmount: difference(taxedPrice.totalGross, rest.totalGross),
  };
}

/** What predicates of methods see besides: nothing of how the cart ships, whichever method is set. */
function unshipped({ shippingInfo: _, taxedPrice: __, ...view }: ModelCart): ModelCart {
  const items = itemsOf(view);
  const isAddressed = view.shippingMode === 'Single' ? view.shippingAddress !== undefined : view.shipping.length > 0;
  const taxes = items.flatMap(({ taxedPrice }) => (taxedPrice === undefined ? [] : [taxedPrice]));
  const money = (amounts: readonly { readonly centAmount: number }[]) =>
    centMoney(currencyOf(view), sum(amounts.map((amount) => cents(amount))));
  const isTaxed = isAddressed && items.length > 0 && taxes.length === items.length;
  return {
    ...view,
    shipping: [],
    totalPrice: money(items.map(({ totalPrice }) => totalPrice)),
    ...(isTaxed && {
      taxedPrice: {
        totalNet: money(taxes.map(({ totalNet }) => totalNet)),
        totalGross: money(taxes.map(({ totalGross }) => totalGross)),
        taxPortions: [],
        totalTax: money([]),
      },
    }),
  };
}

function judgeShipping(world: ModelWorld, cart: ModelCart, view: ModelCart): void {
  for (const info of shippingInfosOf(cart)) setMethodState(world, view, info);
  // 8.6: one of several that does not ship there any more stays, and does not match.
  for (const { shippingInfo: info, shippingAddress: address } of cart.shipping) {
    const method = world.shippingMethods.find(({ id }) => id === info.shippingMethod?.id);
    if (method !== undefined && rateOfMethod(world, cart, { method, address }) === undefined)
      info.shippingMethodState = 'DoesNotMatchCart';
  }
}

// 8.5
function setMethodState(world: ModelWorld, view: ModelCart, info: ModelShippingInfo): void {
  const predicate = world.shippingMethods.find(({ id }) => id === info.shippingMethod?.id)?.predicate;
  const isMatching = predicate === undefined || cartPredicate(predicate)(unshipped(view), world);
  info.shippingMethodState = isMatching ? 'MatchesCart' : 'DoesNotMatchCart';
}

// 3.7
function settleDetails(cart: ModelCart, item: ReturnType<typeof itemsOf>[number]): void {
  item.state = [{ quantity: item.quantity, state: { typeId: 'state', id: 'initial' } }];
  if (item.shippingDetails === undefined) return;
  const { targets } = item.shippingDetails;
  // 8.8: a method that takes units of something does not go before these do.
  const keys = new Set(cart.shipping.map(({ shippingKey }) => shippingKey));
  const isLost = targets.some(
    ({ shippingMethodKey }) => shippingMethodKey !== undefined && !keys.has(shippingMethodKey),
  );
  refuseIf(cart.shippingMode === 'Multiple' && isLost, 'InvalidOperation');
  const distributed = targets.reduce((total, { quantity }) => total + quantity, 0);
  item.shippingDetails = { targets, valid: distributed === item.quantity };
}

// 8.1, 8.7, 8.8
function checkNewMethod(
  world: ModelWorld,
  { cart, view }: { readonly cart: ModelCart; readonly view: ModelCart },
  key: string,
): void {
  const info =
    key === '' ? cart.shippingInfo : cart.shipping.find(({ shippingKey }) => shippingKey === key)?.shippingInfo;
  refuseIf(info === undefined, 'InvalidOperation');
  const reference = info?.shippingMethod;
  if (info === undefined || reference === undefined) return;
  const method = world.shippingMethods.find(({ id }) => id === reference.id);
  refuseIf(
    method === undefined ||
      !method.active ||
      !isOfStore(cart, method.stores) ||
      info.shippingMethodState === 'DoesNotMatchCart' ||
      info.shippingRate.price.currencyCode !== currencyOf(view),
    'InvalidOperation',
  );
}
