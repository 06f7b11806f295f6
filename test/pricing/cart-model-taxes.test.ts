import type { CartDiscount, CartDraft } from '@commercetools/platform-sdk';
import t from 'tap';
import type { ModelCart, ModelWorld } from '../support/cart-model/cart-shapes.ts';
import { createModelCart, updateModelCart } from '../support/cart-model/model.ts';
import {
  created,
  absolute,
  address,
  cartOf,
  discount,
  euros,
  lines,
  price,
  rate,
  relative,
  shop,
} from '../support/cart-model/plain-shop.ts';
import { ofFunction } from '../support/cart-model/shipping.ts';
import { idOf } from '../support/cart-model/world-ids.ts';

t.test('a line is taxed by its total or by its unit', async (t) => {
  const line = cartOf(shop({}), { ...lines(3), shippingAddress: address });
  t.equal(line.totalPrice.centAmount, 324);
  t.equal(line.taxedPrice?.totalNet.centAmount, 324);
  t.equal(line.taxedPrice?.totalGross.centAmount, 386);
  const unit = cartOf(shop({}), { ...lines(3), shippingAddress: address, taxCalculationMode: 'UnitPriceLevel' });
  t.equal(unit.taxedPrice?.totalGross.centAmount, 387);
});

t.test('a tax that is included is taken out of the total', async (t) => {
  const world = shop({ prices: [price(10_000)], rates: [rate(0.19, true)] });
  const { taxedPrice } = cartOf(world, { ...lines(1), shippingAddress: address });
  t.equal(taxedPrice?.totalNet.centAmount, 8403);
  t.equal(taxedPrice?.totalTax?.centAmount, 1597);
  t.strictSame(taxedPrice?.taxPortions, [{ name: 'VAT', rate: 0.19, amount: euros(1597) }]);
});

t.test('a tax is spread over its sub rates by largest remainder', async (t) => {
  const subRates = [
    { name: 'State', amount: 0.04 },
    { name: 'City', amount: 0.045 },
  ];
  const world = shop({ prices: [price(100)], rates: [rate(0.085, false, { subRates })] });
  const { taxedPrice } = cartOf(world, { ...lines(1), shippingAddress: address });
  t.equal(taxedPrice?.totalTax?.centAmount, 8, '8.5 goes to the even cent');
  t.strictSame(
    taxedPrice?.taxPortions.map(({ amount }) => amount.centAmount),
    [4, 4],
  );
});

t.test('a rate without state is for addresses with one if the project says so', async (t) => {
  const draft = { currency: 'EUR', ...lines(1), shippingAddress: { ...address, state: 'BY' } };
  t.strictSame(createModelCart(shop({}), draft), { error: 'MissingTaxRateForCountry' });
  const settings = { carts: { countryTaxRateFallbackEnabled: true } };
  t.equal(cartOf(shop({ settings }), draft).taxedPrice?.totalGross.centAmount, 129);
  const rates = [rate(0.19, false), rate(0.07, false, { state: 'BY' })];
  t.equal(cartOf(shop({ settings, rates }), draft).taxedPrice?.totalGross.centAmount, 116);
});

t.test('the zone of a state goes before that of its country', async (t) => {
  const zone = (index: number, state: string | undefined): ModelWorld['zones'][number] => {
    const locations = [state === undefined ? address : { ...address, state }];
    return { ...created, id: idOf('zone', index), name: 'Zone', locations };
  };
  const zoneRate = (index: number, centAmount: number): ModelWorld['shippingMethods'][number]['zoneRates'][number] => ({
    zone: { typeId: 'zone', id: idOf('zone', index) },
    shippingRates: [{ price: euros(centAmount), tiers: [] }],
  });
  const priceFor = (zoneRates: readonly number[], state?: string): number | string | undefined => {
    const method: ModelWorld['shippingMethods'][number] = {
      ...created,
      id: idOf('shipping-method', 1),
      name: 'Standard',
      taxCategory: { typeId: 'tax-category', id: idOf('tax-category', 1) },
      zoneRates: zoneRates.map((index) => zoneRate(index, index)),
      active: true,
      isDefault: false,
      stores: [],
    };
    const settings = { carts: { countryTaxRateFallbackEnabled: true } };
    const world = { ...shop({ settings }), zones: [zone(1, undefined), zone(2, 'BY')], shippingMethods: [method] };
    const result = createModelCart(world, {
      currency: 'EUR',
      shippingAddress: state === undefined ? address : { ...address, state },
      shippingMethod: { typeId: 'shipping-method', id: method.id },
    });
    return 'cart' in result ? result.cart.shippingInfo?.price.centAmount : result.error;
  };
  t.equal(priceFor([1, 2], 'BY'), 2);
  t.equal(priceFor([1, 2], 'SN'), 1);
  t.equal(priceFor([1, 2]), 1);
  t.equal(priceFor([2]), 'InvalidOperation');
});

t.test('external rates tax lines without an address, and the cart with one', async (t) => {
  const externalTaxRate = { name: 'Own', amount: 0.07, country: 'DE' };
  const draft: Partial<CartDraft> = { taxMode: 'External', lineItems: [{ sku: 'sku-1-1', externalTaxRate }] };
  const cart = cartOf(shop({}), draft);
  t.match(cart.lineItems[0]?.taxedPrice, { totalNet: euros(108), totalGross: euros(116) });
  t.equal(cart.taxedPrice, undefined);
  t.match(cartOf(shop({}), { ...draft, shippingAddress: address }).taxedPrice, { totalGross: euros(116) });
  const platform = updateModelCart(shop({}), cart, [{ action: 'changeTaxMode', taxMode: 'Platform' }]);
  t.equal('cart' in platform && platform.cart.lineItems[0]?.taxRate, undefined);
});

t.test('a tax of the whole cart goes when its total changes', async (t) => {
  const world = shop({});
  const cart = cartOf(world, { ...lines(1), taxMode: 'ExternalAmount' });
  const taxed = updateModelCart(world, cart, [{ action: 'setCartTotalTax', externalTotalGross: euros(128) }]);
  if (!('cart' in taxed)) throw new Error(taxed.error);
  t.match(taxed.cart.taxedPrice, {
    totalNet: euros(108),
    totalGross: euros(128),
    totalTax: euros(20),
    taxPortions: [],
  });
  t.match(updateModelCart(world, taxed.cart, [{ action: 'recalculate' }]), taxed);
  const more = updateModelCart(world, taxed.cart, [{ action: 'addLineItem', sku: 'sku-1-1' }]);
  t.equal('cart' in more && more.cart.taxedPrice, undefined);
  const refused = updateModelCart(world, cartOf(world, lines(1)), [
    { action: 'setCartTotalTax', externalTotalGross: euros(128) },
  ]);
  t.strictSame(refused, { error: 'InvalidOperation' });
});

t.test('shipping costs what its tier says, and nothing from freeAbove on', async (t) => {
  const world = shop({ settings: { shippingRateInputType: { type: 'CartValue' } } });
  const priceAt = (quantity: number, freeAbove: number, discounts: readonly CartDiscount[] = []): ModelCart => {
    const cart = cartOf({ ...world, cartDiscounts: discounts }, { ...lines(quantity), shippingAddress: address });
    const tiers = [216, 324].map((minimumCentAmount) => {
      return { type: 'CartValue', minimumCentAmount, price: euros(minimumCentAmount - 16) } as const;
    });
    const result = updateModelCart({ ...world, cartDiscounts: discounts }, cart, [
      {
        action: 'setCustomShippingMethod',
        shippingMethodName: 'Own',
        shippingRate: { price: euros(500), freeAbove: euros(freeAbove), tiers },
        taxCategory: { typeId: 'tax-category', id: idOf('tax-category', 1) },
      },
    ]);
    if (!('cart' in result)) throw new Error(result.error);
    return result.cart;
  };
  const prices = [1, 2, 3, 4].map((quantity) => priceAt(quantity, 432).shippingInfo?.price.centAmount);
  t.strictSame(prices, [500, 200, 308, 0]);
  const cart = priceAt(1, 432, [discount('0.5', relative(5000), { type: 'shipping' })]);
  t.match(cart, {
    shippingInfo: { price: euros(500), discountedPrice: { value: euros(250) }, taxedPrice: { totalGross: euros(298) } },
    taxedShippingPrice: { totalNet: euros(250) },
    totalPrice: euros(358),
    taxedPrice: { totalNet: euros(358), totalGross: euros(129 + 298) },
  });
});

t.test('each method taxes the units that go to it', async (t) => {
  const world = shop({ prices: [price(100)], discounts: [discount('0.5', absolute(1))] });
  const shippingRate = { price: euros(0) };
  const taxCategory = { typeId: 'tax-category', id: idOf('tax-category', 1) } as const;
  const method = { shippingMethodName: 'Own', shippingAddress: address, shippingRate, taxCategory };
  const draftOf = (quantity: number): Partial<CartDraft> => ({
    shippingMode: 'Multiple',
    itemShippingAddresses: [{ ...address, key: 'home' }],
    customShipping: [
      { ...method, key: 'first' },
      { ...method, key: 'second' },
    ],
    lineItems: [
      {
        sku: 'sku-1-1',
        quantity: 3,
        shippingDetails: {
          targets: [
            { addressKey: 'home', quantity: 1, shippingMethodKey: 'first' },
            { addressKey: 'home', quantity, shippingMethodKey: 'second' },
          ],
        },
      },
    ],
  });
  const cart = cartOf(world, draftOf(2));
  const nets = cart.lineItems[0]!.taxedPricePortions.map(({ taxedPrice }) => taxedPrice?.totalNet.centAmount);
  t.strictSame(nets, [99, 200]);
  t.equal(cart.taxedPrice?.totalGross.centAmount, 118 + 238);
  t.equal(cartOf(world, draftOf(1)).taxedPrice, undefined, 'until all are distributed');
  const [line] = draftOf(2).lineItems!;
  const externalTotalPrice = { price: euros(10), totalPrice: euros(100) };
  const external = cartOf(world, { ...draftOf(2), lineItems: [{ ...line, externalTotalPrice }] });
  const parts = external.lineItems[0]!.taxedPricePortions.map(({ taxedPrice }) => taxedPrice?.totalNet.centAmount);
  t.strictSame(parts, [33, 67], 'a given total by quantities');
});

t.test('the score is the x of a price function', async (t) => {
  const at = (text: string, score: number): bigint => ofFunction({ currencyCode: 'EUR', function: text }, score);
  t.equal(at('(50 * x) + 4000', 3), 4150n);
  t.equal(at('2 * x - (x - 3) * 10', 4), 0n, 'not below 0');
  t.equal(at('1000 - 99 * x', 10), 10n);
});
