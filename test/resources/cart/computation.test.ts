/** What random carts rarely come to, in small shops. The model says the same each time. */
import type { CartDiscountValue, CartDraft, CartUpdateAction } from '@commercetools/platform-sdk';
import t, { type Test } from 'tap';
import type { Cart } from '../../../src/resources/cart/fields.ts';
import { differences } from '../../support/cart-model/cart-differences.ts';
import type { ModelCart, ModelWorld, StoreMethod } from '../../support/cart-model/cart-shapes.ts';
import { createModelCart, updateModelCart } from '../../support/cart-model/model.ts';
import {
  absolute,
  address,
  created,
  discount,
  euros,
  lines,
  now,
  price,
  rate,
  relative,
  shop,
} from '../../support/cart-model/plain-shop.ts';
import { createPlatformCart, updatePlatformCart } from '../../support/cart-model/platform-carts.ts';
import { withIdsOf } from '../../support/cart-model/random-carts.ts';
import { storedWorld } from '../../support/cart-model/stored-world.ts';
import { idOf } from '../../support/cart-model/world-ids.ts';

interface Pair {
  readonly platform: Cart;
  readonly model: ModelCart;
}

async function create(t: Test, world: ModelWorld, draft: Partial<CartDraft>): Promise<Pair> {
  const given = { currency: 'EUR', ...draft };
  return alike(t, await createPlatformCart(storedWorld(world), given), createModelCart(world, given));
}

async function update(
  t: Test,
  world: ModelWorld,
  { before: { platform, model }, actions }: { readonly before: Pair; readonly actions: readonly CartUpdateAction[] },
): Promise<Pair> {
  const own = await updatePlatformCart(storedWorld(world), platform, withIdsOf(actions, model, platform));
  return alike(t, own, updateModelCart(world, model, actions));
}

function alike(
  t: Test,
  own: Awaited<ReturnType<typeof createPlatformCart>>,
  expected: ReturnType<typeof createModelCart>,
): Pair {
  if (!('cart' in own) || !('cart' in expected)) throw new Error(JSON.stringify([own, expected]));
  t.strictSame(differences(own.cart, expected.cart), []);
  return { platform: own.cart, model: expected.cart };
}

function gift(product: number): CartDiscountValue {
  return { type: 'giftLineItem', product: { typeId: 'product', id: idOf('product', product) }, variantId: 1 };
}

t.test('a gift keeps its line and follows its price, but for a frozen cart', async (t) => {
  const given = discount('0.5', gift(1));
  const world = shop({ prices: [price(100)], discounts: [given] });
  const dearer = { ...shop({ prices: [price(300)] }), cartDiscounts: [given] };
  const cart = await create(t, world, { lineItems: [{ sku: 'sku-2-1', quantity: 1 }] });
  const [, line] = cart.platform.lineItems;
  t.strictSame(line?.price.value, euros(100));
  const frozen = await update(t, world, { before: cart, actions: [{ action: 'freezeCart' }] });
  const later = await update(t, dearer, { before: frozen, actions: [{ action: 'setCountry', country: 'DE' }] });
  t.strictSame(later.platform.lineItems[1]?.price.value, euros(100));
  const free = await update(t, dearer, { before: later, actions: [{ action: 'unfreezeCart' }] });
  t.match(free.platform.lineItems[1], { id: line?.id, price: { value: euros(300) } });
  t.strictSame(free.platform.lineItems[1]?.variant.prices[0]?.value, euros(100), 'its snapshot stays');
});

t.test('a discount that gives something else takes the former gift away', async (t) => {
  const given = discount('0.5', gift(1));
  const world = shop({ discounts: [given] });
  const cart = await create(t, world, lines(1));
  t.equal(cart.platform.lineItems[1]?.productId, idOf('product', 1));
  const other = { ...world, cartDiscounts: [{ ...given, value: gift(2) }] };
  const changed = await update(t, other, { before: cart, actions: [{ action: 'recalculate' }] });
  t.strictSame(
    changed.platform.lineItems.map(({ productId, lineItemMode }) => [productId, lineItemMode]),
    [
      [idOf('product', 1), 'Standard'],
      [idOf('product', 2), 'GiftLineItem'],
    ],
  );
});

t.test('a gift has the channels of its discount, and is another with others', async (t) => {
  const channel = (index: number) => ({ typeId: 'channel', id: idOf('channel', index) }) as const;
  const one = discount('0.5', gift(1));
  const give = (more: object): ModelWorld =>
    shop({ discounts: [{ ...one, value: { ...one.value, ...more } as CartDiscountValue }] });
  const draft = { lineItems: [{ sku: 'sku-2-1', quantity: 1 }] };
  const [supplyChannel, distributionChannel] = [channel(1), channel(2)];
  const cart = await create(t, give({ supplyChannel, distributionChannel }), draft);
  const [, first] = cart.platform.lineItems;
  t.match(first, { lineItemMode: 'GiftLineItem', supplyChannel, distributionChannel });
  const actions = [{ action: 'recalculate' }] as const;
  const same = await update(t, give({ supplyChannel, distributionChannel }), { before: cart, actions });
  t.equal(same.platform.lineItems[1]?.id, first?.id);
  for (const others of [
    { supplyChannel: channel(2), distributionChannel },
    { supplyChannel, distributionChannel: channel(1) },
    { supplyChannel },
    { distributionChannel },
  ]) {
    const { platform } = await update(t, give(others), { before: cart, actions });
    const given = platform.lineItems.filter(({ lineItemMode }) => lineItemMode === 'GiftLineItem');
    t.match(given, [others]);
    t.equal(given.length, 1);
    t.not(given[0]?.id, first?.id);
  }
});

t.test('the price and the channels of a gift are not the client’s to say', async (t) => {
  const world = shop({ discounts: [discount('0.5', gift(2))] });
  const cart = await create(t, world, lines(1));
  const { id: lineItemId } = cart.platform.lineItems[1]!;
  for (const action of [
    'setLineItemPrice',
    'setLineItemTotalPrice',
    'setLineItemDistributionChannel',
    'setLineItemSupplyChannel',
  ] as const)
    t.match(
      await updatePlatformCart(storedWorld(world), cart.platform, [{ action, lineItemId }]),
      { error: 'InvalidOperation', message: 'The price and the channels of a gift follow from its discount.' },
      action,
    );
});

t.test('gifts stand where they are put, and are taxed with the rest', async (t) => {
  const world = shop({ discounts: [discount('0.5', gift(2))] });
  const cart = await create(t, world, { ...lines(2), shippingAddress: address });
  const order = cart.model.lineItems.map(({ id }) => id).toReversed();
  const moved = await update(t, world, {
    before: cart,
    actions: [{ action: 'changeLineItemsOrder', lineItemOrder: order }],
  });
  t.equal(moved.platform.lineItems[0]?.lineItemMode, 'GiftLineItem');
  t.equal(moved.platform.lineItems[0]?.taxedPrice?.totalGross.centAmount, 0);
  t.equal(moved.platform.taxedPrice?.totalGross.centAmount, 257);
});

t.test('a cart has no taxes while its gift has none', async (t) => {
  const world = shop({ discounts: [discount('0.5', gift(2))] });
  const externalTaxRate = { name: 'Own', amount: 0.1, country: 'DE', includedInPrice: true };
  const lineItems = [{ sku: 'sku-1-1', externalTaxRate }];
  const cart = await create(t, world, { lineItems, taxMode: 'External', shippingAddress: address });
  t.notOk('taxedPrice' in cart.platform);
  const given = cart.model.lineItems.find(({ lineItemMode }) => lineItemMode === 'GiftLineItem')!;
  const actions = [{ action: 'setLineItemTaxRate', lineItemId: given.id, externalTaxRate } as const];
  const taxed = await update(t, world, { before: cart, actions });
  t.equal(taxed.platform.taxedPrice?.totalGross.centAmount, taxed.platform.totalPrice.centAmount);
});

function method(members: Partial<StoreMethod> = {}): StoreMethod {
  const rateIn = (zone: number, cents: number): StoreMethod['zoneRates'][number] => ({
    zone: { typeId: 'zone', id: idOf('zone', zone) },
    shippingRates: [{ price: euros(cents), tiers: [] }],
  });
  return {
    ...created,
    id: idOf('shipping-method', 1),
    name: 'Standard',
    taxCategory: { typeId: 'tax-category', id: idOf('tax-category', 1) },
    zoneRates: [rateIn(1, 500), rateIn(2, 900)],
    active: true,
    isDefault: true,
    stores: [],
    ...members,
  };
}

function shippingShop(
  members: Parameters<typeof shop>[0] & { readonly method?: Partial<StoreMethod> } = {},
): ModelWorld {
  const zone = (index: number, country: string) => ({
    ...created,
    id: idOf('zone', index),
    name: country,
    locations: [{ country }],
  });
  const rates = [rate(0.19, false), rate(0.2, false, { id: idOf('tax-rate', 2), country: 'AT' })];
  return {
    ...shop({ rates, ...members }),
    zones: [zone(1, 'DE'), zone(2, 'AT')],
    shippingMethods: [method(members.method)],
  };
}

const shippingMethod = { typeId: 'shipping-method', id: idOf('shipping-method', 1) } as const;

t.test('a cart that is frozen hard ships at its rate, wherever it goes, and is taxed there', async (t) => {
  const world = shippingShop();
  const cart = await create(t, world, { ...lines(1), shippingAddress: address, shippingMethod });
  const hard = await update(t, world, { before: cart, actions: [{ action: 'freezeCart', strategy: 'HardFreeze' }] });
  const actions: CartUpdateAction[] = [{ action: 'setShippingAddress', address: { country: 'AT' } }];
  const there = await update(t, world, { before: hard, actions });
  t.match(there.platform.shippingInfo, {
    price: euros(500),
    shippingRate: { price: euros(500) },
    taxRate: { amount: 0.2 },
  });
  const soft = await update(t, world, { before: cart, actions: [{ action: 'freezeCart' }, ...actions] });
  t.match(soft.platform.shippingInfo, { price: euros(900), shippingRate: { price: euros(900) } });
});

t.test('a method that has no rate where a cart goes now ships it no more', async (t) => {
  const world = shippingShop();
  const cart = await create(t, world, {
    ...lines(1),
    taxMode: 'Disabled',
    shippingAddress: address,
    shippingMethod,
  });
  t.ok(cart.platform.shippingInfo);
  const away = { action: 'setShippingAddress', address: { country: 'FR' } } as const;
  const { platform } = await update(t, world, { before: cart, actions: [away] });
  t.notOk('shippingInfo' in platform);
});

t.test('one of several methods that ships no more where it went stays, and does not match', async (t) => {
  const world = shippingShop();
  const targets = [{ addressKey: 'home', shippingMethodKey: 'post', quantity: 1 }];
  const cart = await create(t, world, {
    taxMode: 'External',
    shippingMode: 'Multiple',
    shippingAddress: address,
    itemShippingAddresses: [{ ...address, key: 'home' }],
    shipping: [{ key: 'post', shippingMethod, shippingAddress: address }],
    lineItems: [{ sku: 'sku-1-1', shippingDetails: { targets } }],
  });
  t.equal(cart.platform.shipping[0]?.shippingInfo.shippingMethodState, 'MatchesCart');
  const gone = { ...world, shippingMethods: [method({ zoneRates: [] })] };
  const actions = [{ action: 'recalculate' } as const];
  const once = await update(t, gone, { before: cart, actions });
  t.match(once.platform.shipping, [{ shippingKey: 'post', shippingInfo: { shippingMethodState: 'DoesNotMatchCart' } }]);
  const twice = await update(t, gone, { before: once, actions });
  t.strictSame(twice.platform.shipping, once.platform.shipping);
  const back = await update(t, world, { before: twice, actions });
  t.equal(back.platform.shipping[0]?.shippingInfo.shippingMethodState, 'MatchesCart');
});

t.test('what does not ship a cart when it is frozen hard does not match it later', async (t) => {
  const world = shippingShop();
  const cart = await create(t, world, {
    shippingMode: 'Multiple',
    itemShippingAddresses: [{ ...address, key: 'home' }],
    shipping: [{ key: 'first', shippingMethod, shippingAddress: address }],
    ...lines(1),
  });
  const without = { ...world, zones: [] };
  const stuck = await update(t, without, { before: cart, actions: [{ action: 'recalculate' }] });
  const stateOf = ({ platform }: Pair) => platform.shipping[0]?.shippingInfo.shippingMethodState;
  t.equal(stateOf(stuck), 'DoesNotMatchCart');
  const hard = await update(t, without, {
    before: stuck,
    actions: [{ action: 'freezeCart', strategy: 'HardFreeze' }],
  });
  const later = await update(t, without, { before: hard, actions: [{ action: 'setCountry', country: 'DE' }] });
  t.equal(stateOf(later), 'DoesNotMatchCart');
});

t.test('predicates read what shipping costs now, and the same again', async (t) => {
  const cheap = { ...discount('0.5', relative(5000)), cartPredicate: 'shippingInfo.price < "4.00 EUR"' };
  const all = { ...discount('0.4', relative(1000)), cartPredicate: 'totalPrice = "10.50 EUR"' };
  const world = shippingShop({ prices: [price(550)], discounts: [cheap, all] });
  const cart = await create(t, world, { ...lines(1), shippingAddress: address, shippingMethod });
  t.equal(cart.platform.lineItems[0]?.totalPrice.centAmount, 495, 'the total has shipping in it, before discounts');
  const again = await update(t, world, { before: cart, actions: [{ action: 'recalculate' }] });
  t.strictSame(again.platform.lineItems, cart.platform.lineItems);
});

t.test('predicates know nothing of taxes that a client gave', async (t) => {
  const taxed = { ...discount('0.5', relative(5000)), cartPredicate: 'lineItemNetTotal(1 = 1) > "2.00 EUR"' };
  const world = shop({ prices: [price(1080)], discounts: [taxed] });
  const cart = await create(t, world, { ...lines(1), taxMode: 'ExternalAmount', shippingAddress: address });
  const taxRate = { name: 'Own', amount: 0.1, country: 'DE' };
  const externalTaxAmount = { totalGross: { currencyCode: 'EUR', centAmount: 1200 }, taxRate };
  const lineItemId = cart.model.lineItems[0]!.id;
  const given = await update(t, world, {
    before: cart,
    actions: [{ action: 'setLineItemTaxAmount', lineItemId, externalTaxAmount }],
  });
  t.equal(given.platform.lineItems[0]?.totalPrice.centAmount, 1080);
  t.equal(given.platform.lineItems[0]?.taxedPrice?.totalGross.centAmount, 1200);
});

t.test('taxes that a client gave go when the total becomes another', async (t) => {
  const world = shop({ prices: [price(1000)] });
  const cart = await create(t, world, { ...lines(1), taxMode: 'ExternalAmount', shippingAddress: address });
  const taxRate = { name: 'Own', amount: 0.1, country: 'DE' };
  const externalTaxAmount = { totalGross: { currencyCode: 'EUR', centAmount: 1100 }, taxRate };
  const lineItemId = cart.model.lineItems[0]!.id;
  const set = { action: 'setLineItemTaxAmount', lineItemId, externalTaxAmount } as const;
  const given = await update(t, world, { before: cart, actions: [set] });
  const same = await update(t, world, { before: given, actions: [{ action: 'recalculate' }] });
  t.equal(same.platform.lineItems[0]?.taxedPrice?.totalGross.centAmount, 1100);
  const more = { action: 'changeLineItemQuantity', lineItemId, quantity: 2 } as const;
  const { platform } = await update(t, world, { before: same, actions: [more] });
  t.notOk('taxedPrice' in platform.lineItems[0]!);
});

t.test('taxes that a client gave go with the shipping address', async (t) => {
  const world = shop({ prices: [price(1000)] });
  const fee = { name: { en: 'Fee' }, slug: 'fee', money: euros(100) };
  const taxRate = { name: 'Own', amount: 0.1, country: 'DE' };
  const externalTaxAmount = { totalGross: euros(1100), taxRate };
  for (const [taxMode, given] of [
    ['External', { externalTaxRate: taxRate }],
    ['ExternalAmount', { externalTaxAmount }],
  ] as const) {
    const cart = await create(t, world, { ...lines(1), taxMode, shippingAddress: address, customLineItems: [fee] });
    const what = taxMode === 'External' ? 'TaxRate' : 'TaxAmount';
    const setting = [
      { action: `setLineItem${what}`, lineItemId: cart.model.lineItems[0]!.id, ...given },
      { action: `setCustomLineItem${what}`, customLineItemId: cart.model.customLineItems[0]!.id, ...given },
    ] as CartUpdateAction[];
    const total = { action: 'setCartTotalTax', externalTotalGross: euros(1200) } as const;
    const actions = taxMode === 'External' ? setting : [...setting, total];
    const taxed = await update(t, world, { before: cart, actions });
    const { taxedPrice, lineItems, customLineItems } = taxed.platform;
    const all = [taxedPrice, lineItems[0]?.taxedPrice, customLineItems[0]?.taxedPrice, lineItems[0]?.taxRate];
    t.notOk(all.includes(undefined), taxMode);
    const gone = await update(t, world, { before: taxed, actions: [{ action: 'setShippingAddress' }] });
    t.notOk('taxedPrice' in gone.platform);
    for (const item of [...gone.platform.lineItems, ...gone.platform.customLineItems])
      t.notOk('taxedPrice' in item || 'taxRate' in item, taxMode);
    const again = await update(t, world, { before: gone, actions: setting });
    t.equal(again.platform.lineItems[0]?.taxedPrice?.totalGross.centAmount, 1100, 'a client may say it again');
  }
});

t.test('taxes of rates are not what a client gave when the mode changes', async (t) => {
  const taxRate = { name: 'Own', amount: 0.1, country: 'DE' };
  const targets = [{ addressKey: 'home', shippingMethodKey: 'first', quantity: 1 }];
  const rate = { shippingMethodKey: 'first', taxRate };
  const world = shop({ prices: [price(1000)] });
  const cart = await create(t, world, {
    taxMode: 'External',
    shippingMode: 'Multiple',
    itemShippingAddresses: [{ ...address, key: 'home' }],
    customShipping: [
      { key: 'first', shippingMethodName: 'Own', shippingAddress: address, shippingRate: { price: euros(1) } },
    ],
    lineItems: [{ sku: 'sku-1-1', shippingDetails: { targets }, perMethodExternalTaxRate: [rate] }],
  });
  t.equal(cart.platform.lineItems[0]?.taxedPricePortions[0]?.taxedPrice?.totalGross.centAmount, 1100);
  const actions = [{ action: 'changeTaxMode', taxMode: 'ExternalAmount' } as const];
  const { platform } = await update(t, world, { before: cart, actions });
  t.strictSame(platform.lineItems[0]?.taxedPricePortions, [{ shippingMethodKey: 'first' }]);
});

t.test('with several methods a rate of a whole line says nothing', async (t) => {
  const externalTaxRate = { name: 'Own', amount: 0.1, country: 'DE' };
  const lineItems = [{ sku: 'sku-1-1', externalTaxRate }];
  const several = await create(t, shop({}), { taxMode: 'External', shippingMode: 'Multiple', lineItems });
  t.notOk('taxRate' in several.platform.lineItems[0]!);
  const one = await create(t, shop({}), { taxMode: 'External', lineItems });
  t.match(one.platform.lineItems[0]?.taxRate, { amount: 0.1 });
});

t.test('a discount on the total takes nothing off taxes that a client gave', async (t) => {
  const world = shop({ discounts: [discount('0.5', relative(5000), { type: 'totalPrice' })] });
  const cart = await create(t, world, { ...lines(1), taxMode: 'ExternalAmount', shippingAddress: address });
  const taxRate = { name: 'Own', amount: 0.1, country: 'DE' };
  const externalTaxAmount = { totalGross: { currencyCode: 'EUR', centAmount: 120 }, taxRate };
  const lineItemId = cart.model.lineItems[0]!.id;
  const { platform } = await update(t, world, {
    before: cart,
    actions: [{ action: 'setLineItemTaxAmount', lineItemId, externalTaxAmount }],
  });
  t.strictSame(Object.keys(platform.discountOnTotalPrice ?? {}), ['discountedAmount', 'includedDiscounts']);
  t.equal(platform.taxedPrice, undefined);
});

t.test('a new amount of a custom line counts on a cart that is frozen hard, though its discounts go', async (t) => {
  const off = discount('0.5', relative(5000), { type: 'customLineItems', predicate: '1 = 1' });
  const world = shop({ discounts: [off] });
  const fee = { name: { en: 'Fee' }, slug: 'fee', money: euros(100), quantity: 2 };
  const cart = await create(t, world, {
    customLineItems: [{ ...fee, taxCategory: { typeId: 'tax-category', id: idOf('tax-category', 1) } }],
  });
  t.equal(cart.platform.totalPrice.centAmount, 100);
  const hard = await update(t, world, { before: cart, actions: [{ action: 'freezeCart', strategy: 'HardFreeze' }] });
  const customLineItemId = cart.model.customLineItems[0]!.id;
  const same = await update(t, world, {
    before: hard,
    actions: [{ action: 'changeCustomLineItemMoney', customLineItemId, money: euros(100) }],
  });
  t.equal(same.platform.totalPrice.centAmount, 100, 'the same money changes nothing');
  const money = { currencyCode: 'EUR', centAmount: 30 };
  const changed = await update(t, world, {
    before: hard,
    actions: [{ action: 'changeCustomLineItemMoney', customLineItemId, money }],
  });
  t.equal(changed.platform.totalPrice.centAmount, 60);
  t.strictSame(changed.platform.customLineItems[0]?.discountedPricePerQuantity, []);
});

t.test('a discount on the total that is kept takes no more than there is', async (t) => {
  const half: CartDiscountValue = { type: 'absolute', money: [euros(500)] };
  const discounts = [discount('0.7', half, { type: 'totalPrice' }), discount('0.5', half, { type: 'totalPrice' })];
  const world = shop({ discounts, rates: [rate(0.19, false)] });
  const fee = { name: { en: 'Fee' }, slug: 'fee', money: euros(1200), quantity: 1 };
  const cart = await create(t, world, {
    shippingAddress: address,
    customLineItems: [{ ...fee, taxCategory: { typeId: 'tax-category', id: idOf('tax-category', 1) } }],
  });
  t.equal(cart.platform.totalPrice.centAmount, 200);
  let hard = await update(t, world, { before: cart, actions: [{ action: 'freezeCart', strategy: 'HardFreeze' }] });
  const customLineItemId = cart.model.customLineItems[0]!.id;
  for (const [centAmount, total, taken] of [
    [1100, 100, 1000],
    [800, 0, 800],
    [100, 0, 100],
    [0, 0, 0],
    [-100, -100, 0],
    [1300, 300, 1000],
  ] as const) {
    const money = { currencyCode: 'EUR', centAmount };
    const actions = [{ action: 'changeCustomLineItemMoney', customLineItemId, money } as const];
    hard = await update(t, world, { before: hard, actions });
    const { totalPrice, discountOnTotalPrice } = hard.platform;
    t.equal(totalPrice.centAmount, total);
    t.match(discountOnTotalPrice, {
      discountedAmount: { centAmount: taken },
      includedDiscounts: [{ discountedAmount: { centAmount: 500 } }, { discountedAmount: { centAmount: 500 } }],
    });
  }
});

t.test(
  'a cart that is frozen hard keeps its discounts and what it said of codes, and a soft one moves on',
  async (t) => {
    const off = { ...discount('0.5', relative(5000)), requiresDiscountCode: true };
    const code = {
      ...created,
      id: idOf('discount-code', 1),
      code: 'HALF',
      isActive: true,
      cartDiscounts: [{ typeId: 'cart-discount' as const, id: off.id }],
      references: [],
      groups: [],
      stores: [],
    };
    const world = { ...shop({ prices: [price(100)], discounts: [off] }), discountCodes: [code] };
    const ended = { ...world, discountCodes: [{ ...code, isActive: false }] };
    const cart = await create(t, world, { ...lines(1), discountCodes: ['HALF'] });
    t.match(cart.platform, { totalPrice: { centAmount: 50 }, discountCodes: [{ state: 'MatchesCart' }] });
    const home: CartUpdateAction = { action: 'setShippingAddress', address };
    const freeze = (strategy: 'HardFreeze' | 'SoftFreeze'): CartUpdateAction => ({ action: 'freezeCart', strategy });
    const hard = await update(t, world, { before: cart, actions: [freeze('HardFreeze')] });
    const kept = await update(t, ended, { before: hard, actions: [home] });
    const removal: CartUpdateAction = {
      action: 'removeDiscountCode',
      discountCode: { typeId: 'discount-code', id: code.id },
    };
    t.match(await updatePlatformCart(storedWorld(world), hard.platform, [removal]), { error: 'InvalidOperation' });
    const other = { ...code, id: idOf('discount-code', 2), code: 'LATE', cartPredicate: 'country = "DE"' };
    const both = { ...world, discountCodes: [code, other] };
    const added = await update(t, both, { before: hard, actions: [{ action: 'addDiscountCode', code: 'LATE' }] });
    t.match(added.platform.discountCodes, [{ state: 'MatchesCart' }, { state: 'DoesNotMatchCart' }]);
    const without = await update(t, both, {
      before: added,
      actions: [{ ...removal, discountCode: { typeId: 'discount-code', id: other.id } }],
    });
    t.match(without.platform, { totalPrice: { centAmount: 50 }, discountCodes: [{ state: 'MatchesCart' }] });
    t.equal(without.platform.discountCodes.length, 1, 'a code that takes nothing may go');
    const gone = await update(t, { ...world, discountCodes: [] }, { before: hard, actions: [removal] });
    t.match(gone.platform, { totalPrice: { centAmount: 50 } });
    t.strictSame(gone.platform.discountCodes, [], 'so may one that is nobody’s any more');
    t.match(kept.platform, { totalPrice: { centAmount: 50 }, discountCodes: [{ state: 'MatchesCart' }] });
    const soft = await update(t, world, { before: cart, actions: [freeze('SoftFreeze')] });
    const moved = await update(t, ended, { before: soft, actions: [home] });
    t.match(moved.platform, { totalPrice: { centAmount: 100 }, discountCodes: [{ state: 'NotActive' }] });
  },
);

t.test('one kind of discounts is chosen line by line where the project says so', async (t) => {
  const discounted = {
    value: euros(80),
    discount: { typeId: 'product-discount', id: idOf('product-discount', 1) },
  } as const;
  const prices = [price(100, { discounted })];
  const settings = { discountCombinationMode: 'BestDeal' } as const;
  for (const [permyriad, total, chosenDiscountType] of [
    [1000, 80, 'ProductDiscount'],
    [2000, 80, 'ProductDiscount'],
    [3000, 70, 'CartDiscount'],
  ] as const) {
    const world = shop({ prices, settings, discounts: [discount('0.5', relative(permyriad))] });
    const { platform } = await create(t, world, lines(1));
    t.equal(platform.totalPrice.centAmount, total);
    t.strictSame(platform.discountTypeCombination, { type: 'BestDeal', chosenDiscountType });
  }
  const stacked = await create(t, shop({ prices, discounts: [discount('0.5', relative(1000))] }), lines(1));
  t.equal(stacked.platform.totalPrice.centAmount, 72);
  t.equal(stacked.platform.discountTypeCombination, undefined);
});

t.test('another variant of a product is another line', async (t) => {
  const world = shop({});
  const [one, ...others] = world.products;
  const { current } = one!.masterData;
  const variants = [{ ...current.masterVariant, id: 2, sku: 'sku-1-2' }];
  const data = { ...current, variants };
  const both = { ...world, products: [{ ...one!, masterData: { ...one!.masterData, current: data } }, ...others] };
  const cart = await create(t, both, lines(1));
  const after = await update(t, both, { before: cart, actions: [{ action: 'addLineItem', sku: 'sku-1-2' }] });
  t.equal(after.platform.lineItems.length, 2);
});

t.test('a line stays a copy of what its store showed when there is more of it', async (t) => {
  const prices = [price(100), price(90, { country: 'FR' })];
  const sellingTo = (...countries: readonly string[]): ModelWorld => ({
    ...shop({ prices }),
    stores: [
      {
        ...created,
        id: idOf('store', 1),
        key: 'store-1',
        languages: [],
        countries: countries.map((code) => ({ code })),
        distributionChannels: [],
        supplyChannels: [],
        productSelections: [],
      },
    ],
  });
  const draft: Partial<CartDraft> = { ...lines(1), store: { typeId: 'store', key: 'store-1' } };
  const cart = await create(t, sellingTo('DE', 'FR'), draft);
  const actions: readonly CartUpdateAction[] = [{ action: 'addLineItem', sku: 'sku-1-1' }];
  const more = await update(t, sellingTo('DE'), { before: cart, actions });
  t.match(more.platform.lineItems, [{ quantity: 2, variant: { prices: { length: 2 } } }]);
});

t.test('a state is told by its case, and an empty one is none', async (t) => {
  const ofState = rate(0.07, false, { id: idOf('tax-rate', 2), state: 'BY' });
  const settings = { carts: { countryTaxRateFallbackEnabled: true } };
  const amountIn = async (state: string, stateless = rate(0.19, false)): Promise<unknown> => {
    const world = shop({ rates: [ofState, stateless], settings });
    const { platform } = await create(t, world, { ...lines(1), shippingAddress: { ...address, state } });
    return platform.lineItems[0]?.taxRate?.amount;
  };
  t.equal(await amountIn('BY'), 0.07);
  t.equal(await amountIn('by'), 0.19);
  t.equal(await amountIn(''), 0.19);
  t.equal(await amountIn('SN', rate(0.19, false, { state: '' })), 0.19);
});

t.test('a code that has gone is not active', async (t) => {
  const off = { ...discount('0.5', relative(5000)), requiresDiscountCode: true };
  const cartDiscounts = [{ typeId: 'cart-discount', id: off.id } as const];
  const code = { ...created, id: idOf('discount-code', 1), code: 'CODE', cartDiscounts, stores: [], isActive: true };
  const world = { ...shop({ discounts: [off] }), discountCodes: [{ ...code, references: [], groups: [] }] };
  const cart = await create(t, world, { ...lines(1), discountCodes: ['CODE'] });
  t.equal(cart.platform.totalPrice.centAmount, 54);
  const without = { ...world, discountCodes: [] };
  const after = await updatePlatformCart(storedWorld(without), cart.platform, [{ action: 'recalculate' }]);
  t.match(after, { cart: { totalPrice: euros(108), discountCodes: [{ state: 'NotActive' }] } });
});

t.test('what stopped some discounts of a code stopped none that would not have matched', async (t) => {
  const group = { typeId: 'discount-group', id: idOf('discount-group', 1) } as const;
  const worse = { ...discount('0.91', relative(100)), discountGroup: group, requiresDiscountCode: true };
  const better = { ...discount('0.92', relative(200)), discountGroup: group };
  const last = { ...discount('0.5', relative(100)), stackingMode: 'StopAfterThisDiscount' };
  const other = { ...discount('0.1', relative(100)), requiresDiscountCode: true, cartPredicate: 'country = "DE"' };
  const cartDiscounts = [worse, other].map(({ id }) => ({ typeId: 'cart-discount', id }) as const);
  const code = { ...created, id: idOf('discount-code', 1), code: 'CODE', cartDiscounts, stores: [], isActive: true };
  const world = {
    ...shop({ prices: [price(10_000)], discounts: [worse, better, last, other] }),
    discountGroups: [{ ...created, id: group.id, key: 'group', sortOrder: '0.9', isActive: true }],
    discountCodes: [{ ...code, references: [], groups: [] }],
  };
  const { platform } = await create(t, world, { ...lines(1), discountCodes: ['CODE'] });
  t.equal(platform.discountCodes[0]?.state, 'ApplicationStoppedByGroupBestDeal');
});

t.test('predicates of methods see carts without shipping, and rates are shown without marks', async (t) => {
  const world = shippingShop({ method: { predicate: 'totalPrice < "3.33 EUR" or currency = "USD"' } });
  const cart = await create(t, world, { ...lines(1), shippingAddress: address, shippingMethod });
  t.equal(cart.platform.totalPrice.centAmount, 608);
  const again = await update(t, world, { before: cart, actions: [{ action: 'recalculate' }] });
  t.equal(again.platform.shippingInfo?.shippingMethodState, 'MatchesCart');
  const unshipped = shippingShop({ method: { predicate: 'forAllShippingInfos(price < "4.00 EUR")' } });
  const first = await create(t, unshipped, { ...lines(1), shippingAddress: address, shippingMethod });
  const kept = await update(t, unshipped, { before: first, actions: [{ action: 'recalculate' }] });
  t.equal(kept.platform.shippingInfo?.shippingMethodState, 'MatchesCart');
  const marked = method();
  for (const { shippingRates } of marked.zoneRates)
    for (const each of shippingRates) Object.assign(each, { isMatching: true });
  const given = { currency: 'EUR', ...lines(1), shippingAddress: address, shippingMethod };
  const result = await createPlatformCart(storedWorld({ ...world, shippingMethods: [marked] }), given);
  t.strictSame('cart' in result && Object.keys(result.cart.shippingInfo?.shippingRate ?? {}).sort(), [
    'price',
    'tiers',
  ]);
});

t.test('a discount on the total stops nothing where there is nothing to pay', async (t) => {
  const free = discount('0.9', relative(10_000));
  const last = {
    ...discount('0.5', relative(5000), { type: 'totalPrice' }),
    stackingMode: 'StopAfterThisDiscount',
  };
  const { platform } = await create(t, shop({ discounts: [free, last, discount('0.1', gift(2))] }), lines(1));
  t.equal(platform.lineItems.length, 2);
  const paid = await create(t, shop({ discounts: [last, discount('0.1', gift(2))] }), lines(1));
  t.equal(paid.platform.lineItems.length, 1);
});

t.test('of a group the discount that saves most applies, whatever precision its prices have', async (t) => {
  const group = { typeId: 'discount-group', id: idOf('discount-group', 1) } as const;
  const on = (predicate: string) => ({
    ...discount('0.5', relative(1000), { type: 'lineItems', predicate }),
    discountGroup: group,
  });
  const value = { type: 'highPrecision', currencyCode: 'EUR', preciseAmount: 10_000, fractionDigits: 4 } as const;
  const discounts = [on('sku = "sku-1-1"'), on(`product.id = "${idOf('product', 2)}"`)];
  const world = {
    ...shop({ prices: [price(100, { value: { ...value, centAmount: 100 } })], discounts }),
    discountGroups: [{ ...created, id: group.id, key: 'group', sortOrder: '0.7', isActive: true }],
  };
  const { platform } = await create(t, world, { lineItems: [{ sku: 'sku-1-1' }, { sku: 'sku-2-1' }] });
  t.equal(platform.totalPrice.centAmount, 550);
});

t.test('of discounts of a group that save as much the one that was created first applies', async (t) => {
  const group = { typeId: 'discount-group', id: idOf('discount-group', 1) } as const;
  const createdAt = (second: number): string => `2026-05-01T00:00:0${second}.000Z`;
  const members = [relative(1000), absolute(10), relative(1000)].map((value, index) => {
    // The one in the middle was created first.
    return { ...discount('0.5', value), discountGroup: group, createdAt: createdAt((index + 2) % 3) };
  });
  for (const discounts of [members, members.toReversed()]) {
    const world = {
      ...shop({ prices: [price(100)], discounts }),
      discountGroups: [{ ...created, id: group.id, key: 'group', sortOrder: '0.7', isActive: true }],
    };
    const { platform } = await create(t, world, lines(1));
    t.match(platform.lineItems[0]!.discountedPricePerQuantity, [
      { discountedPrice: { value: { centAmount: 90 }, includedDiscounts: [{ discount: { id: members[1]!.id } }] } },
    ]);
  }
});

t.test('a given price in high precision is rounded half even, whatever the cart says', async (t) => {
  const externalPrice = { type: 'highPrecision', currencyCode: 'EUR', preciseAmount: 1005, fractionDigits: 4 } as const;
  const draft = { lineItems: [{ sku: 'sku-1-1', quantity: 10, externalPrice }], priceRoundingMode: 'HalfUp' };
  const { platform } = await create(t, shop({}), draft);
  t.equal(platform.totalPrice.centAmount, 100);
});

t.test('a code whose discounts have ended is not valid', async (t) => {
  const off = { ...discount('0.5', relative(5000)), requiresDiscountCode: true };
  const cartDiscounts = [{ typeId: 'cart-discount', id: off.id } as const];
  const code = { ...created, id: idOf('discount-code', 1), code: 'CODE', cartDiscounts, stores: [], isActive: true };
  const discountCodes = [{ ...code, references: [], groups: [] }];
  const world = { ...shop({ discounts: [off] }), discountCodes };
  const cart = await create(t, world, { ...lines(1), discountCodes: ['CODE'] });
  const ended = { ...world, cartDiscounts: [{ ...off, validUntil: now }] };
  const after = await update(t, ended, { before: cart, actions: [{ action: 'recalculate' }] });
  t.equal(after.platform.discountCodes[0]?.state, 'NotValid');
});

t.test('methods share a given total by their units, whatever its price is', async (t) => {
  const taxCategory = { typeId: 'tax-category', id: idOf('tax-category', 1) } as const;
  const way = { shippingMethodName: 'Own', shippingAddress: address, shippingRate: { price: euros(0) }, taxCategory };
  const targets = ['first', 'second'].map((shippingMethodKey, index) => ({
    addressKey: 'home',
    quantity: index + 1,
    shippingMethodKey,
  }));
  const externalTotalPrice = { price: euros(0), totalPrice: euros(100) };
  const { platform } = await create(t, shop({}), {
    shippingMode: 'Multiple',
    itemShippingAddresses: [{ ...address, key: 'home' }],
    customShipping: targets.map(({ shippingMethodKey: key }) => ({ ...way, key })),
    lineItems: [{ sku: 'sku-1-1', quantity: 3, externalTotalPrice, shippingDetails: { targets } }],
  });
  const parts = platform.lineItems[0]!.taxedPricePortions;
  t.strictSame(
    parts.map(({ taxedPrice }) => taxedPrice?.totalNet.centAmount),
    [33, 67],
  );
});

t.test('a rate that is kept counts where it would be chosen', async (t) => {
  const rates = [rate(0.1, false, { country: 'US' }), rate(0.2, false, { id: 'of-ca', country: 'US', state: 'CA' })];
  const of = (isFallback: boolean): ModelWorld =>
    shop({ rates, settings: { carts: { countryTaxRateFallbackEnabled: isFallback } } });
  const untaxed = (world: ModelWorld): ModelWorld => ({
    ...world,
    products: world.products.map(({ taxCategory: _, ...product }) => product),
  });
  const move = (state?: string): CartUpdateAction => ({
    action: 'setShippingAddress',
    address: { country: 'US', ...(state !== undefined && { state }) },
  });
  const cart = await create(t, of(false), { ...lines(1), shippingAddress: { country: 'US' } });
  const same = await update(t, untaxed(of(false)), { before: cart, actions: [move('')] });
  t.match(same.platform.lineItems, [{ taxRate: { amount: 0.1 } }]);
  for (const state of ['NY', 'CA'])
    t.match(await updatePlatformCart(storedWorld(untaxed(of(false))), cart.platform, [move(state)]), {
      error: 'InvalidOperation',
    });
  const there = await update(t, untaxed(of(true)), { before: cart, actions: [move('NY')] });
  t.match(there.platform.lineItems, [{ taxRate: { amount: 0.1 } }]);

  const inState = await create(t, of(false), { ...lines(1), shippingAddress: { country: 'US', state: 'CA' } });
  const kept = await update(t, untaxed(of(false)), { before: inState, actions: [move('CA')] });
  t.match(kept.platform.lineItems, [{ taxRate: { amount: 0.2 } }]);
});
