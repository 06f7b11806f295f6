import type { Price } from '@commercetools/platform-sdk';
import t from 'tap';
import { typedMoney } from '../support/cart-model/amounts.ts';
import { createModelCart, updateModelCart } from '../support/cart-model/model.ts';
import { cartOf, discount, euros, lines, now, price, relative, shop } from '../support/cart-model/plain-shop.ts';
import { decimal, floor, rational, round } from '../support/cart-model/rational.ts';
import { evenShares, largestRemainder, proportionateShares } from '../support/cart-model/shares.ts';
import { idOf } from '../support/cart-model/world-ids.ts';

t.test('ties are broken by the rounding mode, away from zero, toward zero or to even', async (t) => {
  const cases: readonly (readonly [string, readonly bigint[]])[] = [
    ['HalfEven', [2n, 2n, 4n, -2n, -2n, -4n]],
    ['HalfUp', [2n, 3n, 4n, -2n, -3n, -4n]],
    ['HalfDown', [1n, 2n, 3n, -1n, -2n, -3n]],
  ];
  for (const [mode, expected] of cases)
    t.strictSame(
      [1.5, 2.5, 3.5, -1.5, -2.5, -3.5].map((value) => round(decimal(value), mode)),
      expected,
      mode,
    );
  t.equal(round(rational(101n, 2n), 'HalfDown'), 50n, 'a product discount of half of 101');
  t.strictSame(decimal('2.5e-3'), rational(25n, 10_000n));
  t.equal(floor(rational(-1n, 3n)), -1n);
});

t.test('a tier holds for the whole quantity and is shown as the price', async (t) => {
  const tiers = [
    { minimumQuantity: 3, value: euros(90) },
    { minimumQuantity: 10, value: euros(80) },
  ];
  const world = shop({ prices: [price(108, { tiers })] });
  t.equal(cartOf(world, lines(2)).totalPrice.centAmount, 216);
  t.equal(cartOf(world, lines(3)).totalPrice.centAmount, 270);
  const cart = cartOf(world, lines(9));
  t.equal(cart.totalPrice.centAmount, 810);
  t.equal(cart.lineItems[0]?.price.value.centAmount, 90);
  const discounted = {
    value: euros(99),
    discount: { typeId: 'product-discount', id: idOf('product-discount', 1) },
  } as const;
  t.equal(cartOf(shop({ prices: [price(108, { tiers, discounted })] }), lines(9)).totalPrice.centAmount, 891);
});

t.test('a price for a group goes before one for a channel, and that before one for a country', async (t) => {
  const customerGroup = { typeId: 'customer-group', id: idOf('customer-group', 1) } as const;
  const channel = { typeId: 'channel', id: idOf('channel', 1) } as const;
  const country = 'DE';
  const timed = { validFrom: now };
  const order: readonly Partial<Price>[] = [
    { customerGroup, channel, country },
    { customerGroup, channel },
    { customerGroup, country },
    { customerGroup, ...timed },
    { customerGroup },
    { channel, country },
    { channel },
    { country },
    timed,
    {},
  ];
  const others: readonly Partial<Price>[] = [
    { country: 'AT' },
    { customerGroup: { ...customerGroup, id: idOf('customer-group', 2) } },
    { channel: { ...channel, id: idOf('channel', 2) } },
    { validUntil: now },
    { validFrom: '2026-06-01T00:00:00.001Z' },
  ];
  const prices = order.map((members, index) => price(100 + index, members));
  const draft = { country, customerGroup, lineItems: [{ sku: 'sku-1-1', distributionChannel: channel }] };
  for (const [index, members] of order.entries()) {
    const left = [...others.map((other) => price(1, other)), ...prices.slice(index).reverse()];
    t.equal(cartOf(shop({ prices: left }), draft).totalPrice.centAmount, 100 + index, JSON.stringify(members));
  }
});

t.test('equal lines merge, and keys are no part of it', async (t) => {
  const custom = { type: { typeId: 'type', id: idOf('type', 1) }, fields: { engraving: 'Ada' } } as const;
  const cart = cartOf(shop({}), { lineItems: [{ sku: 'sku-1-1', key: 'first' }] });
  const quantitiesAfter = (line: object): readonly number[] => {
    const result = updateModelCart(shop({}), cart, [{ action: 'addLineItem', sku: 'sku-1-1', quantity: 2, ...line }]);
    return 'cart' in result ? result.cart.lineItems.map(({ quantity }) => quantity) : [];
  };
  t.strictSame(quantitiesAfter({ key: 'second' }), [3]);
  t.strictSame(quantitiesAfter({ custom }), [1, 2]);
  t.strictSame(quantitiesAfter({ externalPrice: euros(1) }), [1, 2]);
  t.strictSame(quantitiesAfter({ supplyChannel: { typeId: 'channel', id: idOf('channel', 1) } }), [1, 2]);
});

t.test('a price in high precision is multiplied before it is rounded', async (t) => {
  const value = typedMoney({ type: 'highPrecision', currencyCode: 'EUR', preciseAmount: 1005, fractionDigits: 4 });
  const world = shop({ prices: [price(10, { value })] });
  t.equal(cartOf(world, lines(3)).totalPrice.centAmount, 30, '30.15 cents');
  t.equal(cartOf(world, lines(10)).totalPrice.centAmount, 100, '100.5 cents to the even one');
  t.equal(cartOf(world, { ...lines(10), priceRoundingMode: 'HalfUp' }).totalPrice.centAmount, 101);
  const externalPrice = { type: 'highPrecision', currencyCode: 'EUR', preciseAmount: 1005, fractionDigits: 4 } as const;
  const external = { lineItems: [{ sku: 'sku-1-1', quantity: 10, externalPrice }], priceRoundingMode: 'HalfUp' };
  t.equal(cartOf(world, external).totalPrice.centAmount, 100, 'external ones are always rounded to even');
});

t.test('external totals and prices stay as they are given', async (t) => {
  const world = shop({ discounts: [discount('0.5', relative(5000))] });
  const externalTotalPrice = { price: euros(10), totalPrice: euros(15) };
  const cart = cartOf(world, { lineItems: [{ sku: 'sku-1-1', quantity: 3, externalTotalPrice }] });
  t.equal(cart.totalPrice.centAmount, 15);
  const lineItemId = cart.lineItems[0]!.id;
  const changed = updateModelCart(world, cart, [{ action: 'changeLineItemQuantity', lineItemId, quantity: 2 }]);
  t.match(changed, { cart: { totalPrice: euros(108), lineItems: [{ priceMode: 'Platform' }] } });
  const priced = updateModelCart(world, cart, [{ action: 'setLineItemPrice', lineItemId, externalPrice: euros(7) }]);
  t.match(
    priced,
    { cart: { totalPrice: euros(12), lineItems: [{ priceMode: 'ExternalPrice' }] } },
    '3.5 to the even cent',
  );
});

t.test('a frozen cart keeps its prices and refuses what changes them', async (t) => {
  const world = shop({});
  const cart = cartOf(world, lines(3));
  const frozen = updateModelCart(world, cart, [{ action: 'freezeCart' }]);
  if (!('cart' in frozen)) throw new Error(frozen.error);
  const dearer = shop({ prices: [price(200)], discounts: [discount('0.5', relative(5000))] });
  t.match(updateModelCart(dearer, frozen.cart, []), { cart: { totalPrice: euros(162) } });
  const { id } = cart.lineItems[0]!;
  const changed = updateModelCart(dearer, frozen.cart, [
    { action: 'changeLineItemQuantity', lineItemId: id, quantity: 1 },
  ]);
  t.strictSame(changed, { error: 'InvalidOperation' });
  t.match(updateModelCart(dearer, frozen.cart, [{ action: 'unfreezeCart' }]), { cart: { totalPrice: euros(300) } });
  const hard = updateModelCart(world, cart, [{ action: 'freezeCart', strategy: 'HardFreeze' }]);
  if (!('cart' in hard)) throw new Error(hard.error);
  t.match(updateModelCart(dearer, hard.cart, []), { cart: { totalPrice: euros(324) } });
});

t.test('what cannot be priced or taxed is refused', async (t) => {
  const world = shop({ prices: [price(100, { country: 'AT' })] });
  t.strictSame(createModelCart(world, { currency: 'EUR', ...lines(1) }), { error: 'MatchingPriceNotFound' });
  const draft = { currency: 'EUR', ...lines(1), shippingAddress: { country: 'FR' } };
  t.strictSame(createModelCart(shop({}), draft), { error: 'MissingTaxRateForCountry' });
  const huge = shop({ prices: [price(Number.MAX_SAFE_INTEGER)] });
  t.strictSame(createModelCart(huge, { currency: 'EUR', ...lines(2) }), { error: 'MoneyOverflow' });
});

t.test('shares are whole cents that sum up to what is shared', async (t) => {
  const prices = (...values: readonly number[]) => values.map((value) => decimal(value));
  t.strictSame(proportionateShares(100n, prices(108, 108, 108)), [34n, 33n, 33n]);
  t.strictSame(proportionateShares(1000n, prices(1, 2, 3)), [1n, 2n, 3n], 'no more than there is');
  t.strictSame(evenShares(10n, prices(1, 100, 100)), [1n, 5n, 4n]);
  t.strictSame(evenShares(10n, prices(2, 3, 2)), [2n, 3n, 2n]);
  t.strictSame(proportionateShares(1n, prices(0.5, 0.5)), [0n, 0n], 'half a cent cannot give a whole one');
  t.strictSame(largestRemainder(-10n, prices(1, 1, 1)), [-4n, -3n, -3n]);
});
