/** What carts refuse whatever their prices are, as the platform says it: limits, and what actions need. */
import type { CartDraft, CartUpdateAction } from '@commercetools/platform-sdk';
import t from 'tap';
import type { Cart } from '../../../src/resources/cart/fields.ts';
import { customLineItemsMax, discountCodesMax, lineItemsMax } from '../../../src/resources/cart/limits.ts';
import type { ModelWorld } from '../../support/cart-model/cart-shapes.ts';
import {
  address,
  created,
  discount,
  euros,
  lines,
  price,
  relative,
  shop,
} from '../../support/cart-model/plain-shop.ts';
import {
  createPlatformCart,
  type PlatformResult,
  updatePlatformCart,
} from '../../support/cart-model/platform-carts.ts';
import { storedWorld } from '../../support/cart-model/stored-world.ts';
import { idOf } from '../../support/cart-model/world-ids.ts';

const world = shop({});
const taxCategory = { typeId: 'tax-category', id: idOf('tax-category', 1) } as const;

function create(draft: Partial<CartDraft>, of: ModelWorld = world): Promise<PlatformResult> {
  return createPlatformCart(storedWorld(of), { currency: 'EUR', ...draft });
}

async function cartOf(draft: Partial<CartDraft>, of: ModelWorld = world): Promise<Cart> {
  const result = await create(draft, of);
  if ('error' in result) throw new Error(result.message);
  return result.cart;
}

async function outcomeOf(result: Promise<PlatformResult>): Promise<string> {
  const answer = await result;
  return 'error' in answer ? answer.error : 'taken';
}

function outcome(draft: Partial<CartDraft>, of?: ModelWorld): Promise<string> {
  return outcomeOf(create(draft, of));
}

function outcomeAfter(cart: Cart, action: CartUpdateAction): Promise<string> {
  return outcomeOf(updatePlatformCart(storedWorld(world), cart, [action]));
}

t.test('a cart holds so many lines, custom lines and codes', async (t) => {
  const some = (count: number): number[] => Array.from({ length: count }, (_, index) => index + 1);
  const withLines = (count: number): Partial<CartDraft> => ({
    lineItems: some(count).map((index) => ({ sku: 'sku-1-1', externalPrice: euros(index) })),
  });
  t.equal(await outcome(withLines(lineItemsMax)), 'taken');
  t.equal(await outcome(withLines(lineItemsMax + 1)), 'InvalidOperation');
  const alike = { lineItems: some(lineItemsMax + 1).map(() => ({ sku: 'sku-1-1' })) };
  t.equal(await outcome(alike), 'InvalidOperation', 'be they the same, for each is looked for among the others');
  const withCustomLines = (count: number): Partial<CartDraft> => ({
    customLineItems: some(count).map((index) => ({
      name: { en: 'Fee' },
      slug: `fee-${index}`,
      money: euros(index),
      taxCategory,
    })),
  });
  t.equal(await outcome(withCustomLines(customLineItemsMax)), 'taken');
  t.equal(await outcome(withCustomLines(customLineItemsMax + 1)), 'InvalidOperation');
  const off = { ...discount('0.5', relative(1000)), requiresDiscountCode: true };
  const cartDiscounts = [{ typeId: 'cart-discount', id: off.id } as const];
  const code = { ...created, cartDiscounts, stores: [], isActive: true, references: [], groups: [] };
  const codes = some(discountCodesMax + 1).map((index) => `CODE${index}`);
  const discountCodes = codes.map((name, index) => ({ ...code, id: idOf('discount-code', index + 1), code: name }));
  const withCodes = { ...shop({ discounts: [off] }), discountCodes };
  t.equal(await outcome({ discountCodes: codes.slice(1) }, withCodes), 'taken');
  t.equal(await outcome({ discountCodes: codes }, withCodes), 'InvalidOperation');
  t.equal(await outcome({ discountCodes: ['code1'] }, withCodes), 'DiscountCodeNonApplicable');
});

t.test('others have a turn after each line and each custom line of a draft', async (t) => {
  const world = storedWorld(shop({ prices: [price(100)] }));
  let turns = 0;
  const turn = async (): Promise<void> => void (turns += 1);
  const draft = {
    currency: 'EUR',
    lineItems: Array.from({ length: 3 }, () => ({ productId: idOf('product', 1), variantId: 1 })),
    customLineItems: ['box', 'bow'].map((slug) => ({
      name: { en: slug },
      slug,
      money: euros(1),
      taxCategory: { typeId: 'tax-category' as const, id: idOf('tax-category', 1) },
    })),
  };
  t.match(await createPlatformCart(world, draft, { turn }), { cart: { lineItems: [{ quantity: 3 }] } });
  t.equal(turns, 5);
});

t.test('what the platform taxes has a tax category', async (t) => {
  const fee = { name: { en: 'Fee' }, slug: 'fee', money: euros(100) };
  t.equal(await outcome({ customLineItems: [fee] }), 'InvalidOperation');
  t.equal(await outcome({ customLineItems: [fee], taxMode: 'External' }), 'taken');
  const action = { action: 'setCustomShippingMethod', shippingMethodName: 'Own', shippingRate: { price: euros(1) } };
  const cart = await cartOf({ shippingAddress: address });
  t.equal(await outcomeAfter(cart, action as CartUpdateAction), 'InvalidOperation');
  t.equal(await outcomeAfter(cart, { ...action, taxCategory } as CartUpdateAction), 'taken');
  const disabled = await cartOf({ shippingAddress: address, taxMode: 'Disabled' });
  t.equal(await outcomeAfter(disabled, action as CartUpdateAction), 'taken');
});

const ofMultiple: Partial<CartDraft> = {
  shippingMode: 'Multiple',
  itemShippingAddresses: [{ ...address, key: 'home' }],
  customShipping: [
    {
      key: 'first',
      shippingMethodName: 'Own',
      shippingAddress: address,
      shippingRate: { price: euros(1) },
      taxCategory,
    },
  ],
};

t.test('targets lead to addresses and methods of the cart, and have units', async (t) => {
  const target = { addressKey: 'home', shippingMethodKey: 'first', quantity: 1 };
  const draftTo = (...targets: readonly (typeof target)[]): Partial<CartDraft> => ({
    ...ofMultiple,
    lineItems: [{ sku: 'sku-1-1', shippingDetails: { targets: [...targets] } }],
  });
  const cart = await cartOf(draftTo(target));
  t.strictSame(cart.lineItems[0]?.shippingDetails, { targets: [target], valid: true });
  t.equal(await outcome(draftTo({ ...target, addressKey: 'work' })), 'InvalidOperation');
  t.equal(await outcome(draftTo({ ...target, shippingMethodKey: 'second' })), 'InvalidOperation');
  const result = await updatePlatformCart(storedWorld(world), cart, [
    {
      action: 'applyDeltaToLineItemShippingDetailsTargets',
      lineItemId: cart.lineItems[0]!.id,
      targetsDelta: [{ ...target, quantity: -1 }],
    },
  ]);
  t.match(result, { cart: { lineItems: [{ shippingDetails: { targets: { length: 0 }, valid: false } }] } });
});

t.test('in a cart with several methods each target names one', async (t) => {
  const home = { addressKey: 'home', quantity: 1 };
  const target = { ...home, shippingMethodKey: 'first' };
  const item = { key: 'fee', name: { en: 'Fee' }, slug: 'fee', money: euros(100), taxCategory };
  const withBoth = (shippingDetails: object): Partial<CartDraft> => ({
    ...ofMultiple,
    lineItems: [{ key: 'line', sku: 'sku-1-1', shippingDetails } as never],
    customLineItems: [{ ...item, shippingDetails } as never],
  });
  const cart = await cartOf(withBoth({ targets: [target] }));
  const drafts = withBoth({ targets: [home] });
  t.equal(await outcome({ ...drafts, customLineItems: [] }), 'InvalidOperation');
  t.equal(await outcome({ ...drafts, lineItems: [] }), 'InvalidOperation');
  const { itemShippingAddresses = [] } = ofMultiple;
  t.equal(await outcome({ itemShippingAddresses, lineItems: drafts.lineItems! }), 'taken', 'of one there is no key');
  for (const [named, noun] of [
    [{ lineItemKey: 'line' }, 'LineItem'],
    [{ customLineItemKey: 'fee' }, 'CustomLineItem'],
  ] as const)
    for (const of of [target, home]) {
      const answer = of === target ? 'taken' : 'InvalidOperation';
      const set = { action: `set${noun}ShippingDetails`, ...named, shippingDetails: { targets: [of] } };
      const delta = { action: `applyDeltaTo${noun}ShippingDetailsTargets`, ...named, targetsDelta: [of] };
      t.equal(await outcomeAfter(cart, set as unknown as CartUpdateAction), answer, set.action);
      t.equal(await outcomeAfter(cart, delta as unknown as CartUpdateAction), answer, delta.action);
    }
  const more = { sku: 'sku-1-1', shippingDetails: { targets: [home] } };
  t.equal(await outcomeAfter(cart, { action: 'addLineItem', ...more }), 'InvalidOperation');
  const same = { action: 'addCustomLineItem', ...item, shippingDetails: { targets: [home] } };
  t.equal(await outcomeAfter(cart, same as CartUpdateAction), 'InvalidOperation');
});

t.test('of one place there is one target, and of one method one rate', async (t) => {
  const target = { addressKey: 'home', shippingMethodKey: 'first', quantity: 1 };
  const second = { ...ofMultiple.customShipping![0]!, key: 'second' };
  const of = (line: object, mode: Partial<CartDraft> = ofMultiple): Partial<CartDraft> => ({
    ...mode,
    lineItems: [{ key: 'line', sku: 'sku-1-1', quantity: 2, ...line }],
  });
  const withSecond = { ...ofMultiple, customShipping: [...ofMultiple.customShipping!, second] };
  const detailed = (...targets: readonly object[]): object => ({ shippingDetails: { targets } });
  t.equal(await outcome(of(detailed(target, target))), 'InvalidField');
  t.equal(await outcome(of(detailed(target, { ...target, quantity: 0 }))), 'InvalidField');
  t.equal(await outcome(of(detailed(target, { ...target, shippingMethodKey: 'second' }), withSecond)), 'taken');
  const { itemShippingAddresses = [] } = ofMultiple;
  const home = { addressKey: 'home', quantity: 1 };
  t.equal(await outcome(of(detailed(home, home), { itemShippingAddresses })), 'InvalidField');
  const single = await cartOf(of(detailed(home), { itemShippingAddresses }));
  const twice = { action: 'setLineItemShippingDetails', lineItemKey: 'line', ...detailed(home, home) };
  t.equal(await outcomeAfter(single, twice as CartUpdateAction), 'InvalidField');
  const more = { action: 'addLineItem', sku: 'sku-1-1', ...detailed(home) };
  t.equal(await outcomeAfter(single, more as CartUpdateAction), 'taken', 'more for a target that is there');
  const rate = { shippingMethodKey: 'first', taxRate: { name: 'Own', amount: 0.1, country: 'DE' } };
  const rated = (...perMethodExternalTaxRate: readonly object[]): Partial<CartDraft> => ({
    ...of({ perMethodExternalTaxRate }),
    taxMode: 'External',
  });
  t.equal(await outcome(rated(rate, { ...rate, shippingMethodKey: 'second' })), 'taken');
  t.equal(await outcome(rated(rate, rate)), 'InvalidField');
});

t.test('a cart has one method, or several with keys of their own', async (t) => {
  const adding = (shippingKey: string): CartUpdateAction => ({
    ...setting,
    action: 'addCustomShippingMethod',
    shippingKey,
    shippingAddress: address,
  });
  const setting = {
    action: 'setCustomShippingMethod',
    shippingMethodName: 'Own',
    shippingRate: { price: euros(1) },
    taxCategory,
  } as const;
  const single = await cartOf({ shippingAddress: address });
  const multiple = await cartOf({ ...ofMultiple, shippingAddress: address });
  t.equal(await outcomeAfter(single, setting), 'taken');
  t.equal(await outcomeAfter(single, adding('first')), 'InvalidOperation');
  t.equal(await outcomeAfter(multiple, setting), 'InvalidOperation');
  t.equal(await outcomeAfter(multiple, adding('first')), 'InvalidOperation', 'the key is taken');
  t.equal(await outcomeAfter(multiple, adding('second')), 'taken');
});

t.test('taxes of items are given by the method where a cart has several, and else without', async (t) => {
  const target = { addressKey: 'home', shippingMethodKey: 'first', quantity: 1 };
  const toFirst = { lineItems: [{ key: 'line', sku: 'sku-1-1', shippingDetails: { targets: [target] } }] };
  const named = { shippingKey: 'first' };
  const taxRate = { name: 'Own', amount: 0.1, country: 'DE' };
  for (const [taxMode, given] of [
    ['External', { action: 'setLineItemTaxRate', externalTaxRate: taxRate }],
    ['ExternalAmount', { action: 'setLineItemTaxAmount', externalTaxAmount: { totalGross: euros(10_000), taxRate } }],
  ] as const) {
    const single = await cartOf({ taxMode, lineItems: [{ key: 'line', sku: 'sku-1-1' }] });
    const multiple = await cartOf({ ...ofMultiple, taxMode, ...toFirst });
    const setting = { ...given, lineItemKey: 'line' };
    t.equal(await outcomeAfter(single, setting), 'taken', taxMode);
    t.equal(await outcomeAfter(single, { ...setting, ...named }), 'InvalidOperation', taxMode);
    t.equal(await outcomeAfter(multiple, setting), 'InvalidOperation', taxMode);
    t.equal(await outcomeAfter(multiple, { ...setting, ...named }), 'taken', taxMode);
  }
  const perMethodExternalTaxRate = [{ shippingMethodKey: 'first', taxRate }];
  const lineItems = [{ sku: 'sku-1-1', perMethodExternalTaxRate }];
  t.equal(await outcome({ ...ofMultiple, taxMode: 'External', lineItems }), 'taken');
  t.equal(await outcome({ taxMode: 'External', lineItems }), 'InvalidOperation');
});

t.test('what a client says of taxes is not less than without them', async (t) => {
  const taxRate = { name: 'Own', amount: 0.1, country: 'DE' };
  const taxMode = 'ExternalAmount';
  const fee = { key: 'fee', name: { en: 'Fee' }, slug: 'fee', money: euros(100) };
  const single = await cartOf({ taxMode, shippingAddress: address, lineItems: [{ key: 'line', sku: 'sku-1-1' }] });
  const net = single.lineItems[0]!.totalPrice.centAmount;
  const amount = (gross: number): object => ({ externalTaxAmount: { totalGross: euros(gross), taxRate } });
  const set = (action: string, given: object): CartUpdateAction =>
    ({ action, ...given }) as unknown as CartUpdateAction;
  const line = (gross: number, more = {}): CartUpdateAction =>
    set('setLineItemTaxAmount', { lineItemKey: 'line', ...amount(gross), ...more });
  t.equal(await outcomeAfter(single, line(net - 1)), 'InvalidField');
  t.equal(await outcomeAfter(single, line(net)), 'taken');
  const total = (externalTotalGross: object): CartUpdateAction => set('setCartTotalTax', { externalTotalGross });
  t.equal(await outcomeAfter(single, total(euros(net - 1))), 'InvalidField');
  t.equal(await outcomeAfter(single, total(euros(net))), 'taken');

  const shippingRate = { price: euros(50) };
  const custom = set('setCustomShippingMethod', { shippingMethodName: 'Own', shippingRate });
  const shipped = await updatePlatformCart(storedWorld(world), single, [custom]);
  if ('error' in shipped) throw new Error(shipped.message);
  for (const [gross, answer] of [
    [49, 'InvalidField'],
    [50, 'taken'],
  ] as const)
    t.equal(await outcomeAfter(shipped.cart, set('setShippingMethodTaxAmount', amount(gross))), answer, `${gross}`);

  const item = (gross: number): CartUpdateAction =>
    set('setCustomLineItemTaxAmount', { customLineItemKey: 'fee', ...amount(gross) });
  const withFee = await cartOf({ taxMode, customLineItems: [fee] });
  t.equal(await outcomeAfter(withFee, item(99)), 'InvalidField');
  t.equal(await outcomeAfter(withFee, item(100)), 'taken');
  const voucher = await cartOf({ taxMode, customLineItems: [{ ...fee, money: euros(-100) }] });
  t.equal(await outcomeAfter(voucher, item(-99)), 'InvalidField');
  t.equal(await outcomeAfter(voucher, item(-119)), 'taken');
  const both = [fee, { ...fee, key: 'voucher', slug: 'voucher', money: euros(-90) }];
  const less = await cartOf({ taxMode, customLineItems: both });
  t.equal(less.totalPrice.centAmount, 10);
  t.equal(await outcomeAfter(less, total(euros(0))), 'taken', 'a voucher may have the higher rate');

  const target = { addressKey: 'home', shippingMethodKey: 'first', quantity: 1 };
  const lineItems = [{ key: 'line', sku: 'sku-1-1', shippingDetails: { targets: [target] } }];
  const multiple = await cartOf({ ...ofMultiple, taxMode, lineItems });
  t.equal(await outcomeAfter(multiple, line(net - 1, { shippingKey: 'first' })), 'InvalidField');
  t.equal(await outcomeAfter(multiple, line(net, { shippingKey: 'first' })), 'taken');
});

t.test(
  'a cart that was ordered, or merged into another, changes no more, and one that is frozen hard ships as it did',
  async (t) => {
    const cart = await cartOf(lines(1));
    const soft = { ...cart, cartState: 'Frozen', freezeStrategy: 'SoftFreeze' } as const;
    t.equal(await outcomeAfter(soft, { action: 'setShippingMethod' }), 'taken');
    const frozenHard = { cartState: 'Frozen', freezeStrategy: 'HardFreeze' } as const;
    const hard = { ...cart, ...frozenHard };
    const frozen: readonly CartUpdateAction[] = [
      { action: 'setShippingMethod' },
      { action: 'setDirectDiscounts', discounts: [] },
    ];
    for (const action of frozen) t.equal(await outcomeAfter(hard, action), 'InvalidOperation', action.action);
    const noAddress = { action: 'setShippingAddress' } as const;
    const here = await cartOf({ ...lines(1), shippingAddress: address });
    const shipped = await updatePlatformCart(storedWorld(world), here, [
      {
        action: 'setCustomShippingMethod',
        shippingMethodName: 'Own',
        shippingRate: { price: euros(1) },
        taxCategory,
      },
      { action: 'freezeCart', strategy: 'HardFreeze' },
    ]);
    if ('error' in shipped) throw new Error(shipped.message);
    t.match(await updatePlatformCart(storedWorld(world), shipped.cart, [noAddress]), {
      error: 'InvalidOperation',
      message: 'The cart is frozen hard, and its shipping method would go with the address.',
    });
    t.equal(await outcomeAfter({ ...here, ...frozenHard }, noAddress), 'taken', 'without a method nothing is lost');
    const multiple = { ...(await cartOf({ ...ofMultiple, ...lines(1) })), cartState: 'Frozen' } as const;
    const removal = { action: 'removeShippingMethod', shippingKey: 'first' } as const;
    t.equal(await outcomeAfter({ ...multiple, freezeStrategy: 'SoftFreeze' }, removal), 'taken');
    t.equal(await outcomeAfter({ ...multiple, freezeStrategy: 'HardFreeze' }, removal), 'InvalidOperation');
    t.equal(await outcomeAfter({ ...multiple, freezeStrategy: 'HardFreeze' }, noAddress), 'taken');
    t.equal(await outcomeAfter(hard, { action: 'setShippingAddress', address: { country: 'DE' } }), 'taken');
    t.equal(await outcomeAfter(soft, { action: 'setShippingAddress' }), 'taken');
    t.equal(await outcomeAfter(soft, { action: 'setDirectDiscounts', discounts: [] }), 'taken');
    for (const strategy of ['SoftFreeze', 'HardFreeze'] as const)
      t.equal(await outcomeAfter(soft, { action: 'freezeCart', strategy }), 'InvalidOperation', 'it is frozen already');
    t.equal(await outcomeAfter(cart, { action: 'freezeCart' }), 'taken');
    for (const cartState of ['Ordered', 'Merged'] as const)
      t.equal(await outcomeAfter({ ...cart, cartState }, { action: 'recalculate' }), 'InvalidOperation', cartState);
  },
);

t.test('in a store what is added is in a selection that is active there', async (t) => {
  const inStore = (active: boolean): ModelWorld => ({
    ...world,
    stores: [
      {
        ...created,
        id: idOf('store', 1),
        key: 'store-1',
        languages: [],
        countries: [],
        distributionChannels: [],
        supplyChannels: [],
        productSelections: [
          { active, productSelection: { typeId: 'product-selection', id: idOf('product-selection', 1) } },
        ],
      },
    ],
    selectedProducts: { [idOf('product-selection', 1)]: [idOf('product', 2)] },
  });
  const draft: Partial<CartDraft> = { ...lines(1), store: { typeId: 'store', key: 'store-1' } };
  t.equal(await outcome(draft, inStore(true)), 'InvalidInput');
  t.equal(await outcome({ ...draft, lineItems: [{ sku: 'sku-2-1' }] }, inStore(true)), 'taken');
  t.equal(await outcome(draft, inStore(false)), 'taken');
});

t.test('a cart whose store has given up its country has prices for any country', async (t) => {
  const sellingTo = (...codes: readonly string[]): ModelWorld => ({
    ...shop({ prices: [price(100), price(50, { country: 'DE' })] }),
    stores: [
      {
        ...created,
        id: idOf('store', 1),
        key: 'store-1',
        languages: [],
        countries: codes.map((code) => ({ code })),
        distributionChannels: [],
        supplyChannels: [],
        productSelections: [],
      },
    ],
  });
  const draft: Partial<CartDraft> = { ...lines(1), country: 'DE', store: { typeId: 'store', key: 'store-1' } };
  const cart = await cartOf(draft, sellingTo('DE'));
  t.equal(cart.totalPrice.centAmount, 50);
  const later = storedWorld(sellingTo('AT'));
  t.match(await updatePlatformCart(later, cart, [{ action: 'recalculate' }]), {
    cart: { totalPrice: { centAmount: 100 } },
  });
});

t.test('more of an item that is there is refused for what one alone is refused for', async (t) => {
  const externalTaxRate = { name: 'Own', amount: 0.1, country: 'DE' };
  const taxCategory = { typeId: 'tax-category', id: idOf('tax-category', 1) } as const;
  const fee = { name: { en: 'Fee' }, slug: 'fee', money: euros(1), taxCategory };
  const cart = await cartOf({ ...lines(1), customLineItems: [fee] });
  for (const action of [
    { action: 'addLineItem', sku: 'sku-1-1' },
    { action: 'addCustomLineItem', ...fee },
  ] as const) {
    t.equal(await outcomeAfter(cart, action), 'taken', action.action);
    t.equal(await outcomeAfter(cart, { ...action, externalTaxRate }), 'InvalidOperation', action.action);
  }
});
