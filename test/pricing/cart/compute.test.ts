import t from 'tap';
import { type Computed, computeCart, type PricedCart, type PricedItem } from '../../../src/pricing/cart/compute.ts';
import type { Discount, Effect, Place } from '../../../src/pricing/cart/discounts.ts';
import type { Taxed, TaxRate } from '../../../src/pricing/cart/taxes.ts';
import { type ApplicationMode, type PriceValue, restOf } from '../../../src/pricing/cart/values.ts';

function item(quantity: number, price: number, members: Partial<PricedItem> = {}): PricedItem {
  return { kind: 'lineItem', isOpen: true, facts: {}, fractionDigits: 2, quantity, price, ...members };
}

function cart(items: readonly PricedItem[], members: Partial<PricedCart> = {}): PricedCart {
  return {
    currency: { currencyCode: 'EUR', fractionDigits: 2, rounding: 'HalfEven' },
    taxRounding: 'HalfEven',
    taxCalculation: 'LineItemLevel',
    items,
    shipping: [],
    tierType: undefined,
    facts: { lineItems: [], customLineItems: [] },
    giftOf: () => undefined,
    places: [],
    isAddressed: true,
    ...members,
  };
}

const standard: TaxRate = { name: 'Standard', amount: 0.19, includedInPrice: false };
const shipped = { rate: { price: { centAmount: 500 }, tiers: [] } };

function discount(id: string, effect: Effect, members: Partial<Discount> = {}): Discount {
  return { link: { typeId: 'cart-discount', id }, effect, matchesCart: () => true, isLast: false, ...members };
}

function percent(permyriad: number): PriceValue {
  return { type: 'relative', rest: restOf(permyriad), mode: 'IndividualApplication' };
}

function money(cents: number, mode: ApplicationMode = 'ProportionateDistribution'): PriceValue {
  return { type: 'absolute', money: new Map([['EUR', cents]]), mode };
}

function onItems(value: PriceValue): Effect {
  return { on: 'items', target: { type: 'all', kind: 'lineItem', matches: () => true }, value };
}

/** The parts of an item as `quantity x price` with the discounts that led to it. */
function parts({ items }: Computed, index = 0): readonly string[] {
  return items[index]!.parts.map(
    ({ quantity, price, portions }) =>
      `${quantity}x${price}${portions.map(({ discount: { id }, amount }) => ` ${id} ${amount}`).join('')}`,
  );
}

function amounts(taxed: Taxed | undefined): readonly unknown[] | undefined {
  return taxed && [taxed.net, taxed.gross, taxed.portions.map(({ amount }) => amount)];
}

function outcomes({ outcomes: found }: Computed): Readonly<Record<string, string>> {
  return Object.fromEntries(found);
}

t.test('lines are taxed as a whole, or unit by unit', async (t) => {
  const line = item(3, 108, { taxRate: standard });
  t.strictSame(amounts(computeCart(cart([line])).taxed), [324, 386, [62]]);
  t.strictSame(amounts(computeCart(cart([line], { taxCalculation: 'UnitPriceLevel' })).taxed), [324, 387, [63]]);
  const given = item(3, 108, { taxRate: standard, isOpen: false, total: 324 });
  t.strictSame(amounts(computeCart(cart([given], { taxCalculation: 'UnitPriceLevel' })).taxed), [324, 386, [62]]);
});

t.test('each discount works on what the former ones left', async (t) => {
  const [ten, one] = [discount('ten', onItems(percent(1000))), discount('one', onItems(money(100)))];
  t.equal(computeCart(cart([item(1, 1000)], { places: [ten, one] })).total, 800);
  const other = computeCart(cart([item(1, 1000)], { places: [one, ten] }));
  t.equal(other.total, 810);
  t.strictSame(parts(other), ['1x810 one 100 ten 90']);
});

t.test(
  'units that a discount made cheaper come before the others of their kind, which say nothing of it',
  async (t) => {
    const spread = computeCart(cart([item(3, 108)], { places: [discount('a', onItems(money(100)))] }));
    t.strictSame(parts(spread), ['1x74 a 34', '2x75 a 33']);
    const two = computeCart(
      cart([item(3, 108)], {
        places: [discount('a', onItems(money(2))), discount('b', onItems(money(1, 'EvenDistribution')))],
      }),
    );
    t.strictSame(parts(two), ['1x106 a 1 b 1', '1x107 a 1', '1x108']);
    t.strictSame(parts(computeCart(cart([item(2, 7)], { places: [discount('a', onItems(percent(1)))] }))), ['2x7']);
  },
);

t.test('prices in high precision are added up and rounded once, those of clients half even', async (t) => {
  const rounding = { currencyCode: 'EUR', fractionDigits: 2, rounding: 'HalfUp' } as const;
  t.equal(computeCart(cart([item(5, 105, { fractionDigits: 3 })], { currency: rounding })).total, 53);
  const given = item(5, 105, { fractionDigits: 3, rounding: 'HalfEven' });
  t.equal(computeCart(cart([given], { currency: rounding })).total, 52);
  t.throws(() => computeCart(cart([item(2, Number.MAX_SAFE_INTEGER)])), { code: 'MoneyOverflow' });
});

t.test('a discount that stops drops those after it, if it was applied', async (t) => {
  const after = discount('after', onItems(percent(5000)));
  const last = (effect: Effect, members: Partial<Discount> = {}) =>
    discount('last', effect, { isLast: true, ...members });
  const gift = { price: 5, fractionDigits: 2 };
  const cases: readonly (readonly [string, Place, Partial<PricedCart>, string])[] = [
    ['on items', last(onItems(percent(1000))), {}, 'stopped'],
    ['without effect', last(onItems(money(0))), {}, 'applied'],
    ['that does not match', last(onItems(percent(1000)), { matchesCart: () => false }), {}, 'applied'],
    ['on shipping', last({ on: 'shipping', value: percent(1000) }), { shipping: [shipped] }, 'stopped'],
    ['on shipping that there is not', last({ on: 'shipping', value: percent(1000) }), {}, 'applied'],
    ['on the total', last({ on: 'totalPrice', value: money(1) }), {}, 'stopped'],
    ['a gift', last({ on: 'gift' }), { giftOf: (of) => ({ ...gift, discount: of }) }, 'stopped'],
    ['a gift that was refused', last({ on: 'gift' }), {}, 'applied'],
  ];
  for (const [name, place, members, expected] of cases)
    t.equal(
      outcomes(computeCart(cart([item(1, 1000)], { places: [place, after], ...members })))['after'],
      expected,
      name,
    );
  const other = discount('other', onItems(percent(1)), { matchesCart: () => false });
  const stopped = computeCart(cart([item(1, 1000)], { places: [last(onItems(percent(1000))), other] }));
  t.equal(outcomes(stopped)['other'], 'doesNotMatchCart', 'what would not have matched was not stopped');
});

t.test('a discount on the total stops others where something is left to pay', async (t) => {
  const all = discount('all', { on: 'totalPrice', value: percent(10_000) });
  const last = discount('last', { on: 'totalPrice', value: money(1) }, { isLast: true });
  const after = discount('after', onItems(percent(5000)));
  t.equal(outcomes(computeCart(cart([item(1, 1000)], { places: [all, last, after] })))['after'], 'applied');
  const free = discount('free', { on: 'shipping', value: percent(10_000) });
  const costs = computeCart(cart([], { shipping: [shipped], places: [last, after] }));
  t.equal(outcomes(costs)['after'], 'stopped');
  const ships = computeCart(cart([], { shipping: [shipped], places: [free, last, after] }));
  t.equal(outcomes(ships)['after'], 'withoutEffect');
  const back = computeCart(cart([item(1, -2000), item(1, 1000)], { places: [last, after] }));
  t.equal(outcomes(back)['after'], 'applied');
});

t.test(
  'of a group the discount that saves most applies, of equals the first, and none where nothing is saved',
  async (t) => {
    const members = (...values: readonly PriceValue[]): Place => ({
      group: 'group',
      members: values.map((value, index) => discount(`d${index}`, onItems(value))),
    });
    const given = [item(3, 100), item(1, 10)];
    const best = computeCart(cart(given, { places: [members(money(20), percent(1000), money(31))] }));
    t.strictSame(outcomes(best), { d0: 'worseThanOthersOfGroup', d1: 'applied', d2: 'worseThanOthersOfGroup' });
    t.equal(best.total, 279);
    const equal = computeCart(cart(given, { places: [members(money(20), money(20))] }));
    t.strictSame(outcomes(equal), { d1: 'worseThanOthersOfGroup', d0: 'applied' });
    const none = computeCart(cart(given, { places: [members(money(0), percent(0))] }));
    t.strictSame(outcomes(none), { d0: 'withoutEffect', d1: 'withoutEffect' });
  },
);

t.test('of product and cart discounts the better one counts, line by line, and they do not go together', async (t) => {
  const lines = [item(2, 80, { undiscounted: 100 }), item(1, 60, { undiscounted: 100 }), item(1, 100)];
  const found = computeCart(cart(lines, { places: [discount('a', onItems(percent(3000)))] }));
  t.strictSame(
    [0, 1, 2].map((index) => parts(found, index)),
    [['2x70 a 30'], ['1x60'], ['1x70 a 30']],
  );
  t.equal(found.total, 270);
  const same = computeCart(
    cart([item(1, 70, { undiscounted: 100 })], { places: [discount('a', onItems(percent(3000)))] }),
  );
  t.strictSame(parts(same), ['1x70'], 'a cart discount has to leave less');
});

t.test(
  'shipping is chosen by what items cost after discounts, and discounted without touching its price',
  async (t) => {
    const rate = {
      price: { centAmount: 500 },
      freeAbove: { centAmount: 1000 },
      tiers: [{ type: 'CartValue', minimumCentAmount: 900, price: { centAmount: 100 } }],
    };
    const custom = item(1, 100, { kind: 'customLineItem' });
    const of = (price: number, places: readonly Place[] = []): Computed =>
      computeCart(cart([item(1, price), custom], { shipping: [{ rate }], tierType: 'CartValue', places }));
    t.strictSame(
      [900, 899, 800, 799].map((price) => of(price).shipping[0]!.price),
      [0, 100, 100, 500],
    );
    const off = [discount('a', onItems(money(150))), discount('b', { on: 'shipping', value: money(30) })];
    const { shipping, total } = of(900, off);
    t.strictSame(shipping[0]!.price, 500);
    t.strictSame(shipping[0]!.discounted?.value, 470);
    t.equal(total, 850 + 470);
    const taxed = { ...shipped, taxRate: standard };
    const alone = computeCart(
      cart([], { shipping: [taxed], places: [discount('b', { on: 'shipping', value: money(100) })] }),
    );
    t.strictSame(amounts(alone.taxedShipping), [400, 476, [76]], 'taxed after its discounts, and without items');
    t.equal(alone.taxed, undefined);
  },
);

t.test('what is kept stays, whatever discounts there are', async (t) => {
  const kept = { price: 300, discounted: { value: 200, portions: [] } };
  const portions = [{ discount: { typeId: 'cart-discount', id: 'x' }, amount: 10 }] as const;
  const found = computeCart(
    cart([item(1, 100, { parts: [{ quantity: 1, price: 90, portions: [...portions] }] })], {
      shipping: [{ ...shipped, kept }],
      onTotal: [{ discount: portions[0].discount, amount: 40 }],
    }),
  );
  t.equal(found.total, 90 + 200 - 40);
  t.strictSame(found.shipping[0]!.discounted, kept.discounted);
});

t.test('the cart has taxes with an address and something in it, where all parts have', async (t) => {
  const line = item(1, 1000, { taxRate: standard });
  t.strictSame(amounts(computeCart(cart([line])).taxed), [1000, 1190, [190]]);
  t.equal(computeCart(cart([line], { isAddressed: false })).taxed, undefined);
  t.equal(computeCart(cart([line, item(1, 5)])).taxed, undefined);
  t.equal(computeCart(cart([line], { shipping: [shipped] })).taxed, undefined);
  t.equal(computeCart(cart([])).taxed, undefined);
});

t.test('a discount on the total leaves lines, and takes its share of taxes', async (t) => {
  const places = [discount('half', { on: 'totalPrice', value: percent(5000) })];
  const shipping = [{ ...shipped, taxRate: standard }];
  const found = computeCart(cart([item(1, 1000, { taxRate: standard })], { shipping, places }));
  t.equal(found.total, 750);
  t.strictSame(amounts(found.items[0]!.taxed), [1000, 1190, [190]]);
  t.strictSame(amounts(found.taxed), [750, 893, [143]]);
  t.strictSame(amounts(found.taxedShipping), [250, 297, [47]]);
  t.strictSame(found.offTaxed, { net: 750, gross: 892 });
});

t.test('units go to shipping methods in order, and each is taxed where it goes', async (t) => {
  const low = { ...standard, name: 'Low', amount: 0.07 };
  const methods = [
    { shippingKey: 'one', quantity: 1, taxRate: standard },
    { shippingKey: 'two', quantity: 2, taxRate: low },
  ];
  const given = item(3, 108, { methods });
  const found = computeCart(cart([given], { places: [discount('a', onItems(money(100)))] }));
  // 0.74, and 0.75 twice.
  t.strictSame(found.items[0]!.taxedByMethod?.map(amounts), [
    [74, 88, [14]],
    [150, 160, [10]],
  ]);
  t.strictSame(amounts(found.taxed), [224, 248, [14, 10]]);
  const byUnit = computeCart(cart([item(3, 104, { methods })], { taxCalculation: 'UnitPriceLevel' }));
  t.strictSame(byUnit.items[0]!.taxedByMethod?.map(amounts), [
    [104, 124, [20]],
    [208, 222, [14]],
  ]);
});

t.test('an item has taxes as a whole where exactly its units go somewhere', async (t) => {
  const methods = [{ shippingKey: 'one', quantity: 2, taxRate: standard }];
  for (const [quantity, isWhole] of [
    [1, false],
    [2, true],
    [3, false],
  ] as const) {
    const { items } = computeCart(cart([item(quantity, 100, { methods })]));
    t.equal(items[0]!.taxed !== undefined, isWhole, `${quantity}`);
    t.equal(items[0]!.taxedByMethod?.[0]?.net, 100 * Math.min(quantity, 2));
  }
  const given = item(3, 0, { isOpen: false, total: 30, methods });
  t.equal(computeCart(cart([given])).items[0]!.taxedByMethod?.[0]?.net, 20, 'of a given total each unit has its part');
});

t.test('taxes that a client gave hold for the total that there was', async (t) => {
  const taxed = { net: 100, gross: 125, rate: standard };
  t.strictSame(amounts(computeCart(cart([item(1, 100, { taxed })])).items[0]!.taxed), [100, 125, [25]]);
  t.equal(computeCart(cart([item(2, 100, { taxed })])).items[0]!.taxed, undefined);
  const isNew = { gross: 225, rate: standard };
  t.strictSame(amounts(computeCart(cart([item(2, 100, { taxed: isNew })])).items[0]!.taxed), [200, 225, [25]]);
  const tooLow = (): unknown => computeCart(cart([item(3, 100, { taxed: isNew })]));
  t.throws(tooLow, { code: 'InvalidField', errors: [{ field: 'externalTaxAmount.totalGross', invalidValue: 225 }] });
});

t.test('a gift is taxed with nothing', async (t) => {
  const gift = { price: 500, fractionDigits: 2, taxRate: standard };
  const found = computeCart(
    cart([item(1, 100, { taxRate: standard })], {
      places: [discount('gift', { on: 'gift' })],
      giftOf: (of) => ({ ...gift, discount: of }),
    }),
  );
  t.equal(found.total, 100);
  t.strictSame(
    found.gifts.map(({ of, taxed }) => [of.discount.id, amounts(taxed)]),
    [['gift', [0, 0, [0]]]],
  );
  t.strictSame(amounts(found.taxed), [100, 119, [19]]);
});

t.test('discounts change so many prices of a cart, and no more', async (t) => {
  const items = Array.from({ length: 500 }, () => item(1, 100_000));
  const places = (count: number): readonly Place[] =>
    Array.from({ length: count }, (_, index) => discount(`d${index}`, onItems(percent(1))));
  t.equal(computeCart(cart(items, { places: places(120) })).items[499]!.parts[0]!.portions.length, 120);
  t.throws(() => computeCart(cart(items, { places: places(121) })), {
    status: 400,
    errors: [{ code: 'InvalidOperation' }],
  });
});

t.test('the patterns of all discounts of a cart together look at so many units', async (t) => {
  const component = {
    kind: 'lineItem',
    matches: () => true,
    minCount: 1,
    maxCount: 1,
    excludeCount: 0,
  } as const;
  const hundred: Effect = {
    on: 'items',
    target: {
      type: 'pattern',
      triggers: [],
      targets: Array.from({ length: 100 }, () => component),
      maxOccurrence: 1,
      selectionMode: 'Cheapest',
    },
    value: percent(1000),
  };
  const items = Array.from({ length: 1000 }, () => item(1, 100));
  const [one, other] = [discount('one', hundred), discount('other', hundred)];
  t.equal(computeCart(cart(items, { places: [one] })).total, 99_000);
  t.throws(() => computeCart(cart(items, { places: [one, other] })), { code: 'InvalidOperation' });
});
