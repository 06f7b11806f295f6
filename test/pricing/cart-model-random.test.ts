import { isDeepStrictEqual } from 'node:util';
import t, { type Test } from 'tap';
import { cart as resource } from '../../src/resources/cart/resource.ts';
import { amountOf, cents, centsOf, sum } from '../support/cart-model/amounts.ts';
import {
  isGift,
  itemsOf,
  type ModelCart,
  type ModelItem,
  type ModelWorld,
  shippingInfosOf,
} from '../support/cart-model/cart-shapes.ts';
import { updateModelCart } from '../support/cart-model/model.ts';
import { randomCart, withIdsOf } from '../support/cart-model/random-carts.ts';
import { add, multiply, rational, round, subtract, zero } from '../support/cart-model/rational.ts';

interface Seen {
  readonly cart: ModelCart;
  readonly world: ModelWorld;
}

const cartCount = 2000;
/** Each cart of each step that was not refused. */
const seen: Seen[] = [];
const errors = new Map<string, number>();
const drawn = new Set<string>();

for (let seed = 1; seed <= cartCount; seed += 1) {
  const made = randomCart(seed);
  for (const { world, result } of [made, ...made.requests])
    if ('cart' in result) seen.push({ cart: result.cart, world });
    else errors.set(result.error, (errors.get(result.error) ?? 0) + 1);
  for (const { actions } of made.requests) for (const { action } of actions) drawn.add(action);
}

/** Actions that the random requests need not have, and why. */
const undrawn: ReadonlyMap<string, string> = new Map(
  Object.entries({
    'it says nothing that costs depend on': [
      'setCustomerEmail',
      'setLocale',
      'setKey',
      'setAnonymousId',
      'setPurchaseOrderNumber',
      'setDeleteDaysAfterLastModification',
      'setEstimatedDelivery',
      'addPayment',
      'removePayment',
      'lockCart',
      'unlockCart',
    ],
    'custom fields are set in the same way for carts and items, which are drawn': [
      'setShippingAddressCustomType',
      'setShippingAddressCustomField',
      'setBillingAddressCustomType',
      'setBillingAddressCustomField',
      'setItemShippingAddressCustomType',
      'setItemShippingAddressCustomField',
      'setShippingCustomType',
      'setShippingCustomField',
    ],
    'stocks have a model of their own, in test/resources/cart/reservations.test.ts': [
      'setLineItemInventoryMode',
      'setReservationExpirationInMinutes',
    ],
    'what it adds are lines as addLineItem adds them, from lists that the worlds lack': ['addShoppingList'],
  }).flatMap(([reason, names]) => names.map((name) => [name, reason] as const)),
);

t.test('each action of carts is drawn, but for those that need not be', async (t) => {
  const names = [...resource.actions.keys()];
  t.strictSame(
    names.filter((name) => !drawn.has(name) && !undrawn.has(name)),
    [],
    'draw it, or say why not',
  );
  t.strictSame(
    [...undrawn.keys()].filter((name) => drawn.has(name) || !names.includes(name)),
    [],
    'what is drawn needs no reason',
  );
});

/** That it holds for all carts; the first for which it does not is shown. */
function holds(t: Test, claim: (one: Seen) => boolean): void {
  const fault = seen.find((one) => !claim(one));
  t.equal(fault && JSON.stringify(fault.cart), undefined);
}

t.test('parts sum up to totals', async (t) => {
  holds(t, ({ cart }) => {
    const ofShipping = shippingInfosOf(cart).map((info) =>
      cents((info.discountedPrice ?? { value: info.price }).value),
    );
    const whole = sum([...itemsOf(cart).map(({ totalPrice }) => cents(totalPrice)), ...ofShipping]);
    const discounted = cents(cart.discountOnTotalPrice?.discountedAmount ?? { centAmount: 0 });
    const quantity = cart.lineItems.reduce((total, line) => total + line.quantity, 0);
    return cents(cart.totalPrice) === whole - discounted && (cart.totalLineItemQuantity ?? 0) === quantity;
  });
});

t.test('the discounts on shipping and on the total price are what these lost', async (t) => {
  holds(t, ({ cart }) => {
    const lost = (steps: readonly { readonly discountedAmount: { readonly centAmount: number } }[]): bigint =>
      sum(steps.map(({ discountedAmount }) => cents(discountedAmount)));
    const { discountOnTotalPrice: onTotal } = cart;
    const isTotalSound = onTotal === undefined || lost(onTotal.includedDiscounts) === cents(onTotal.discountedAmount);
    const isShippingSound = shippingInfosOf(cart).every(
      ({ price, discountedPrice: left }) =>
        left === undefined || cents(left.value) + lost(left.includedDiscounts) === cents(price),
    );
    return isTotalSound && isShippingSound;
  });
});

function isCovered(item: ModelItem): boolean {
  const groups = item.discountedPricePerQuantity;
  if (groups.length === 0) return true;
  let total = zero;
  for (const { quantity, discountedPrice } of groups) {
    total = add(total, multiply(centsOf(amountOf(discountedPrice.value)), rational(BigInt(quantity))));
    for (const { discountedAmount } of discountedPrice.includedDiscounts)
      if (discountedAmount.type !== discountedPrice.value.type) return false;
  }
  const rest = subtract(rational(cents(item.totalPrice)), total);
  const isNear =
    round(multiply(rest, rational(2n)), 'HalfDown') <= 1n && round(multiply(rest, rational(2n)), 'HalfDown') >= -1n;
  return isNear && groups.reduce((sum, group) => sum + group.quantity, 0) === item.quantity;
}

t.test('discounted groups cover the quantity and the total', async (t) => {
  holds(t, ({ cart }) => itemsOf(cart).every((item) => isGift(item) || isCovered(item)));
});

t.test('the discounts of a unit are what its price lost', async (t) => {
  holds(t, ({ cart, world }) => {
    const isBestDeal = world.project.discountCombinationMode === 'BestDeal';
    return cart.lineItems.every((line) => {
      const { price, discountedPricePerQuantity } = line;
      const isWhole = isBestDeal && !isGift(line);
      const unit = amountOf(isWhole ? price.value : (price.discounted?.value ?? price.value)).amount;
      return discountedPricePerQuantity.every(({ discountedPrice: { value, includedDiscounts } }) => {
        const lost = sum(includedDiscounts.map(({ discountedAmount }) => amountOf(discountedAmount).amount));
        return amountOf(value).amount + lost === unit;
      });
    });
  });
});

function isSound(price: NonNullable<ModelCart['taxedPrice']>): boolean {
  const tax = cents(price.totalTax!);
  const portions = price.taxPortions.map(({ amount }) => cents(amount));
  return cents(price.totalNet) + tax === cents(price.totalGross) && sum(portions) === tax;
}

t.test('net and tax make gross, and portions sum up to the tax', async (t) => {
  holds(t, ({ cart }) => {
    const parts = [...itemsOf(cart), ...shippingInfosOf(cart)].map(({ taxedPrice }) => taxedPrice);
    const portions = itemsOf(cart).flatMap((item) => item.taxedPricePortions.map(({ taxedPrice }) => taxedPrice));
    // What a client gives as the tax of the whole cart needs not sum up.
    const ofCart = cart.taxMode === 'ExternalAmount' ? [] : [cart.taxedPrice, cart.taxedShippingPrice];
    return [...parts, ...portions, ...ofCart].every((taxed) => taxed === undefined || isSound(taxed));
  });
});

t.test('the taxes of the cart are the sums of those of its parts', async (t) => {
  const none = { centAmount: 0 };
  holds(t, ({ cart }) => {
    if (cart.taxedPrice === undefined || cart.taxMode === 'ExternalAmount') return true;
    const parts = [...itemsOf(cart), ...shippingInfosOf(cart)].map(({ taxedPrice }) => taxedPrice!);
    const net = sum(parts.map(({ totalNet }) => cents(totalNet)));
    const gross = sum(parts.map(({ totalGross }) => cents(totalGross)));
    const { discountedNetAmount = none, discountedGrossAmount = none } = cart.discountOnTotalPrice ?? {};
    return (
      cents(cart.taxedPrice.totalNet) === net - cents(discountedNetAmount) &&
      cents(cart.taxedPrice.totalGross) === gross - cents(discountedGrossAmount)
    );
  });
});

t.test('a computation without change changes nothing', async (t) => {
  holds(t, ({ cart, world }) => isDeepStrictEqual(updateModelCart(world, cart, [{ action: 'recalculate' }]), { cart }));
});

t.test('random carts reach every rule', async (t) => {
  const carts = seen.map(({ cart }) => cart);
  const items = carts.flatMap(itemsOf);
  const reached: Readonly<Record<string, number>> = {
    gifts: items.filter(isGift).length,
    'refused gifts': carts.filter(({ refusedGifts }) => refusedGifts.length > 0).length,
    'frozen softly': carts.filter(({ freezeStrategy }) => freezeStrategy === 'SoftFreeze').length,
    'frozen hard': carts.filter(({ freezeStrategy }) => freezeStrategy === 'HardFreeze').length,
    'several groups': items.filter(({ discountedPricePerQuantity }) => discountedPricePerQuantity.length > 1).length,
    'several discounts': items.filter((item) =>
      item.discountedPricePerQuantity.some(({ discountedPrice }) => discountedPrice.includedDiscounts.length > 1),
    ).length,
    'total price': carts.filter(({ discountOnTotalPrice }) => discountOnTotalPrice?.discountedNetAmount !== undefined)
      .length,
    'shipping discounts': carts.filter(({ shippingInfo }) => shippingInfo?.discountedPrice !== undefined).length,
    'free shipping': carts.filter(({ shippingInfo }) => shippingInfo?.price.centAmount === 0).length,
    'methods that do not match': carts.filter(
      ({ shippingInfo }) => shippingInfo?.shippingMethodState === 'DoesNotMatchCart',
    ).length,
    'sub rates': carts.filter(({ taxedPrice }) => (taxedPrice?.taxPortions.length ?? 0) > 1).length,
    'taxes by method': carts.filter(({ shippingMode, taxedPrice }) => shippingMode === 'Multiple' && taxedPrice).length,
    'taxes that are given': carts.filter(({ taxMode, taxedPrice }) => taxMode === 'ExternalAmount' && taxedPrice)
      .length,
    'direct discounts': carts.filter(({ directDiscounts }) => directDiscounts.length > 0).length,
    'best deals': carts.filter(({ discountTypeCombination }) => discountTypeCombination).length,
  };
  for (const [name, count] of Object.entries(reached)) t.ok(count >= 5, `${name}: ${count}`);
  const states = new Set(carts.flatMap(({ discountCodes }) => discountCodes.map(({ state }) => state)));
  t.strictSame([...states].sort(), [
    'ApplicationStoppedByGroupBestDeal',
    'ApplicationStoppedByPreviousDiscount',
    'DoesNotMatchCart',
    'MatchesCart',
    'MaxApplicationReached',
    'NotActive',
    'NotValid',
  ]);
  const modes = new Set(carts.flatMap(({ lineItems }) => lineItems.map(({ priceMode }) => priceMode)));
  t.strictSame([...modes].sort(), ['ExternalPrice', 'ExternalTotal', 'Platform']);
  for (const code of [
    'MatchingPriceNotFound',
    'MissingTaxRateForCountry',
    'InvalidOperation',
    'DiscountCodeNonApplicable',
  ])
    t.ok((errors.get(code) ?? 0) >= 5, `${code}: ${errors.get(code) ?? 0}`);
  t.ok(errors.has('MoneyOverflow'));
});

t.test('a seed repeats its cart', async (t) => {
  const written = (seed: number): string => JSON.stringify(randomCart(seed));
  t.equal(written(7), written(7));
  t.not(written(7), written(8));
});

t.test('ids of lines are translated by position', async (t) => {
  const one = seen.find(({ cart }) => cart.lineItems.length > 1 && cart.customLineItems.length > 0)!;
  const own = (kind: string) => (_: unknown, index: number) => ({ id: `${kind}-${index}-own` });
  const other = {
    lineItems: one.cart.lineItems.map(own('a')),
    customLineItems: one.cart.customLineItems.map(own('b')),
  };
  const lineItemOrder = one.cart.lineItems.map(({ id }) => id);
  const customLineItemId = one.cart.customLineItems[0]!.id;
  const translated = withIdsOf(
    [
      { action: 'changeLineItemsOrder', lineItemOrder },
      { action: 'removeCustomLineItem', customLineItemId },
    ],
    one.cart,
    other,
  );
  t.strictSame(translated, [
    { action: 'changeLineItemsOrder', lineItemOrder: other.lineItems.map(({ id }) => id) },
    { action: 'removeCustomLineItem', customLineItemId: 'b-0-own' },
  ]);
});
