/** Cart discounts, discount codes and direct discounts on carts, with worked numbers. */
import { randomUUID } from 'node:crypto';
import type {
  Cart,
  CartDiscountDraft,
  CartDiscountTarget,
  CartDiscountValueDraft,
  CartUpdateAction,
  DirectDiscountDraft,
  DiscountCodeDraft,
  FieldDefinition,
} from '@commercetools/platform-sdk';
import t from 'tap';
import { type CartShop, eur, german, lineOf, refusalOf, startCartShop, totalsOf } from '../support/cart-shop.ts';

const relative = (permyriad: number): CartDiscountValueDraft => ({ type: 'relative', permyriad });
const absolute = (centAmount: number): CartDiscountValueDraft => ({ type: 'absolute', money: [eur(centAmount)] });
const fixed = (centAmount: number): CartDiscountValueDraft => ({
  type: 'fixed',
  money: [{ type: 'centPrecision', ...eur(centAmount) }],
});
const all: CartDiscountTarget = { type: 'lineItems', predicate: '1 = 1' };
const allCustom: CartDiscountTarget = { type: 'customLineItems', predicate: '1 = 1' };

type Parts = readonly (readonly [quantity: number, price: number])[];

/** The quantities and prices of a line's units. */
function partsOf({ discountedPricePerQuantity }: Cart['lineItems'][number]): Parts {
  return discountedPricePerQuantity.map(({ quantity, discountedPrice }) => [
    quantity,
    discountedPrice.value.centAmount,
  ]);
}

const worked: readonly {
  readonly name: string;
  readonly value: CartDiscountValueDraft;
  readonly target: CartDiscountTarget;
  readonly lines: readonly number[];
  readonly custom?: readonly number[];
  readonly total?: number;
  /** Of the lines, of which the first one has three units for 108 cents, the second one for 1000. */
  readonly parts?: readonly Parts[];
}[] = [
  { name: 'relative', value: relative(1000), target: all, lines: [291, 900], parts: [[[3, 97]], [[1, 900]]] },
  {
    name: 'relative, where the predicate holds',
    value: relative(5000),
    target: { type: 'lineItems', predicate: 'sku = "lamp" and quantity > 2' },
    lines: [162, 1000],
    parts: [[[3, 54]], []],
  },
  {
    name: 'absolute, spread by price',
    value: absolute(100),
    target: { type: 'lineItems', predicate: 'sku = "lamp"' },
    lines: [224, 1000],
    parts: [
      [
        [1, 74],
        [2, 75],
      ],
      [],
    ],
  },
  {
    name: 'absolute, for each unit',
    value: { ...absolute(150), applicationMode: 'IndividualApplication' } as CartDiscountValueDraft,
    target: all,
    lines: [0, 850],
    parts: [[[3, 0]], [[1, 850]]],
  },
  {
    name: 'absolute, spread evenly',
    value: { ...absolute(800), applicationMode: 'EvenDistribution' } as CartDiscountValueDraft,
    target: all,
    lines: [0, 524],
    parts: [[[3, 0]], [[1, 524]]],
  },
  { name: 'fixed', value: fixed(200), target: all, lines: [324, 200], parts: [[], [[1, 200]]] },
  {
    name: 'relative on custom line items',
    value: relative(5000),
    target: allCustom,
    lines: [324, 1000],
    custom: [100, 80],
  },
  {
    name: 'fixed on custom line items',
    value: fixed(60),
    target: { type: 'customLineItems', predicate: 'slug = "card"' },
    lines: [324, 1000],
    custom: [200, 120],
  },
  {
    name: 'each third one free',
    value: relative(10_000),
    target: {
      type: 'multiBuyLineItems',
      predicate: '1 = 1',
      triggerQuantity: 3,
      discountedQuantity: 1,
      selectionMode: 'Cheapest',
    },
    lines: [216, 1000],
    parts: [
      [
        [1, 0],
        [2, 108],
      ],
      [],
    ],
  },
  {
    name: 'of two the dearest for half',
    value: relative(5000),
    target: {
      type: 'multiBuyLineItems',
      predicate: '1 = 1',
      triggerQuantity: 2,
      discountedQuantity: 1,
      maxOccurrence: 1,
      selectionMode: 'MostExpensive',
    },
    lines: [324, 500],
    parts: [[], [[1, 500]]],
  },
  {
    name: 'two custom line items for the price of one',
    value: relative(10_000),
    target: {
      type: 'multiBuyCustomLineItems',
      predicate: '1 = 1',
      triggerQuantity: 2,
      discountedQuantity: 1,
      selectionMode: 'Cheapest',
    },
    lines: [324, 1000],
    custom: [200, 80],
  },
  {
    name: 'a pattern: with a desk a lamp for half',
    value: relative(5000),
    target: {
      type: 'pattern',
      triggerPattern: [{ type: 'CountOnLineItemUnits', predicate: 'sku = "desk"', minCount: 1, maxCount: 1 }],
      targetPattern: [{ type: 'CountOnLineItemUnits', predicate: 'sku = "lamp"', minCount: 1, maxCount: 1 }],
      selectionMode: 'Cheapest',
    },
    lines: [270, 1000],
    parts: [
      [
        [1, 54],
        [2, 108],
      ],
      [],
    ],
  },
  {
    name: 'a pattern with a price for the bundle',
    value: { ...fixed(1000), applicationMode: 'ProportionateDistribution' } as CartDiscountValueDraft,
    target: {
      type: 'pattern',
      triggerPattern: [],
      targetPattern: [
        { type: 'CountOnLineItemUnits', predicate: 'sku = "desk"', minCount: 1, maxCount: 1 },
        { type: 'CountOnLineItemUnits', predicate: 'sku = "lamp"', minCount: 1, maxCount: 1 },
      ],
      selectionMode: 'MostExpensive',
    },
    lines: [313, 903],
    parts: [
      [
        [1, 97],
        [2, 108],
      ],
      [[1, 903]],
    ],
  },
  {
    name: 'relative on the total',
    value: relative(1000),
    target: { type: 'totalPrice' },
    lines: [324, 1000],
    total: 1516,
  },
  {
    name: 'absolute on the total',
    value: absolute(5000),
    target: { type: 'totalPrice' },
    lines: [324, 1000],
    total: 0,
  },
];

async function withLamps(shop: CartShop, more: readonly CartUpdateAction[] = []): Promise<Cart> {
  const own = await shop.cart({
    taxMode: 'External',
    lineItems: [{ sku: 'lamp', quantity: 3 }, { sku: 'desk' }],
    customLineItems: [
      { name: { en: 'Wrap' }, slug: 'wrap', money: eur(200) },
      { name: { en: 'Card' }, slug: 'card', money: eur(80), quantity: 2 },
    ],
  });
  return more.length === 0 ? own : shop.update(own, ...more);
}

async function startLamps(): Promise<CartShop> {
  const shop = await startCartShop();
  await shop.addProduct('lamp', [{ value: eur(108) }]);
  await shop.addProduct('desk', [{ value: eur(1000) }]);
  return shop;
}

t.test('each target and value takes off what it says', async (t) => {
  const shop = await startLamps();
  const bare = { lines: [324, 1000], custom: [200, 160], total: 1684 };
  let own = await withLamps(shop);
  t.strictSame(totalsOf(own), bare);
  for (const { name, value, target, lines, custom = bare.custom, parts, total } of worked) {
    const id = await shop.addDiscount(`d${randomUUID()}`, value, { target });
    own = await shop.update(own, { action: 'recalculate' });
    const { custom: customTotals, ...totals } = totalsOf(own) as { custom: number[]; lines: number[]; total: number };
    const sum = [...lines, ...custom].reduce((one, other) => one + other, 0);
    t.strictSame(totals, { lines, total: total ?? sum }, name);
    t.strictSame(customTotals, custom, name);
    if (parts !== undefined) t.strictSame(own.lineItems.map(partsOf), parts, name);
    // The same as a direct discount of another cart.
    const { version } = (await shop.api.cartDiscounts().withId({ ID: id }).get().execute()).body;
    await shop.api.cartDiscounts().withId({ ID: id }).delete({ queryArgs: { version } }).execute();
    const direct = await withLamps(shop, [{ action: 'setDirectDiscounts', discounts: [{ value, target }] }]);
    t.strictSame(totalsOf(direct), totalsOf(own), `${name}, directly`);
    const shares = direct.lineItems.flatMap((line) => line.discountedPricePerQuantity);
    for (const { discountedPrice } of shares)
      for (const { discount } of discountedPrice.includedDiscounts)
        t.strictSame(discount, { typeId: 'direct-discount', id: direct.directDiscounts[0]!.id });
  }
  t.strictSame(totalsOf(await shop.update(own, { action: 'recalculate' })), bare, 'and nothing once it is gone');
});

t.test('discounts follow each other in their order, each on what the former ones left', async (t) => {
  const shop = await startLamps();
  const { addDiscount, cart, update, api } = shop;
  const first = await addDiscount('tenth', relative(1000), { sortOrder: '0.9' });
  const second = await addDiscount('euro', absolute(100), { sortOrder: '0.5' });
  let own = await cart({ lineItems: [{ sku: 'desk' }] });
  t.equal(own.totalPrice.centAmount, 800);
  t.match(own.lineItems[0]!.discountedPricePerQuantity, [
    {
      quantity: 1,
      discountedPrice: {
        value: eur(800),
        includedDiscounts: [
          { discount: { typeId: 'cart-discount', id: first }, discountedAmount: eur(100) },
          { discount: { typeId: 'cart-discount', id: second }, discountedAmount: eur(100) },
        ],
      },
    },
  ]);
  const change = async (id: string, ...actions: { action: string }[]): Promise<void> => {
    const { version } = (await api.cartDiscounts().withId({ ID: id }).get().execute()).body;
    const body = { version, actions } as never;
    await api.cartDiscounts().withId({ ID: id }).post({ body }).execute();
  };
  const costs = async (expected: number, why: string): Promise<void> => {
    own = await update(own, { action: 'recalculate' });
    t.equal(own.totalPrice.centAmount, expected, why);
  };
  await change(first, { action: 'changeSortOrder', sortOrder: '0.41' } as never);
  await costs(810, 'the other way round');
  await change(first, { action: 'changeSortOrder', sortOrder: '0.6' } as never);
  await change(first, { action: 'changeStackingMode', stackingMode: 'StopAfterThisDiscount' } as never);
  await costs(900, 'it lets none pass');
  await change(first, { action: 'changeCartPredicate', cartPredicate: 'country = "DE"' } as never);
  await costs(900, 'it is not for this cart');
  await change(first, { action: 'changeCartPredicate', cartPredicate: '1 = 1' } as never);
  await change(first, { action: 'changeValue', value: relative(2000) } as never);
  await costs(800, 'another value');
  await change(first, { action: 'changeIsActive', isActive: false } as never);
  await costs(900, 'off');
  await change(second, { action: 'setValidUntil', validUntil: '2020-01-01T00:00:00.000Z' } as never);
  await costs(1000, 'over');
  t.strictSame(own.lineItems[0]!.discountedPricePerQuantity, []);
});

t.test('custom fields are judged as they are stored, from the request on that sends them', async (t) => {
  const shop = await startLamps();
  const { addDiscount, cart, update, api } = shop;
  const field = (name: string, type: object) => ({ name, label: {}, required: false, type }) as FieldDefinition;
  const fieldDefinitions = [
    field('at', { name: 'DateTime' }),
    field('opens', { name: 'Time' }),
    field('days', { name: 'Set', elementType: { name: 'DateTime' } }),
    field('from', { name: 'Reference', referenceTypeId: 'channel' }),
  ];
  const body = { key: 'judged', name: {}, resourceTypeIds: ['order', 'line-item'], fieldDefinitions };
  await api.types().post({ body }).execute();
  const { id } = (
    await api
      .channels()
      .post({ body: { key: 'depot' } })
      .execute()
  ).body;
  const fields = {
    at: '2030-05-01T10:00:00+02:00',
    opens: '10:00:00',
    days: ['2030-05-01T10:00:00+02:00'],
    from: { typeId: 'channel', key: 'depot' },
  };
  const custom = { type: { typeId: 'type' as const, key: 'judged' }, fields };
  const setFields = Object.entries(fields).map(([name, value]) => ({ action: 'setCustomField' as const, name, value }));
  const judged = ['at > "2030-05-01T09:00:00Z"', 'opens != "10:00:00.000"', 'days is empty', `from.id != "${id}"`];
  for (const [index, predicate] of [
    `custom.at <= "2030-05-01T08:00:00Z"`,
    'custom.opens = "10:00:00.000"',
    'custom.days contains all ("2030-05-01T08:00:00.000Z")',
    `custom.from.id = "${id}"`,
    `not (${judged.map((each) => `custom.${each}`).join(' or ')})`,
  ].entries()) {
    const discount = await addDiscount(`judged-${index}`, relative(1000), { cartPredicate: predicate });
    const made = await cart({ lineItems: [{ sku: 'desk' }], custom });
    t.equal(made.totalPrice.centAmount, 900, predicate);
    const typed = await update(
      await cart({ lineItems: [{ sku: 'desk' }] }),
      { action: 'setCustomType', type: custom.type },
      ...setFields,
    );
    t.equal(typed.totalPrice.centAmount, 900, predicate);
    const again = await update(typed, ...setFields);
    t.strictSame([again.version, again.totalPrice.centAmount], [typed.version, 900], 'nothing has changed');
    const { version } = (await api.cartDiscounts().withId({ ID: discount }).get().execute()).body;
    await api.cartDiscounts().withId({ ID: discount }).delete({ queryArgs: { version } }).execute();
  }
  const target: CartDiscountTarget = { type: 'lineItems', predicate: 'custom.at <= "2030-05-01T08:00:00Z"' };
  await addDiscount('judged-line', relative(1000), { target });
  const line = await cart({ lineItems: [{ sku: 'desk', custom }] });
  t.equal(line.totalPrice.centAmount, 900);
});

t.test('discounts are for stores, and for carts that match', async (t) => {
  const shop = await startLamps();
  const { addDiscount, cart, update, api } = shop;
  for (const key of ['north', 'south']) await api.stores().post({ body: { key } }).execute();
  const store = (key: string) => ({ typeId: 'store' as const, key });
  await addDiscount('in-north', relative(1000), { stores: [store('north')] });
  await addDiscount('members', relative(5000), { cartPredicate: 'customerGroup.key = "members"' });
  await addDiscount('large', absolute(300), { cartPredicate: 'lineItemTotal(sku = "desk") >= "30.00 EUR"' });
  const lineItems = [{ sku: 'desk' }];
  t.equal((await cart({ lineItems })).totalPrice.centAmount, 1000);
  t.equal((await cart({ lineItems, store: store('south') })).totalPrice.centAmount, 1000);
  let own = await cart({ lineItems, store: store('north') });
  t.equal(own.totalPrice.centAmount, 900);
  own = await update(own, { action: 'setCustomerGroup', customerGroup: { typeId: 'customer-group', key: 'members' } });
  t.equal(own.totalPrice.centAmount, 450);
  own = await update(own, { action: 'addLineItem', sku: 'desk', quantity: 2 });
  t.equal(own.totalPrice.centAmount, 1050, 'the predicate sees prices before cart discounts');
});

t.test('predicates know types of custom fields by their keys', async (t) => {
  const { addDiscount, cart, request } = await startLamps();
  const type = { typeId: 'type' as const, key: 'cart-type' };
  const resourceTypeIds = ['order', 'line-item', 'custom-line-item', 'address'];
  const draft = { key: type.key, name: { en: 'Type' }, resourceTypeIds };
  t.equal((await request('POST', '/types', draft)).status, 201);
  const [custom, places] = [{ type }, { country: 'DE', custom: { type } }];
  const predicates = [
    'custom.type.key = "cart-type"',
    'lineItemExists(custom.type.key = "cart-type")',
    'customLineItemExists(custom(type(key = "cart-type")))',
    'shippingAddress.custom.type.key = "cart-type"',
  ];
  for (const [index, cartPredicate] of predicates.entries())
    await addDiscount(`typed-${index}`, relative(100), { cartPredicate });
  const own = await cart({
    custom,
    taxMode: 'Disabled',
    shippingAddress: places,
    lineItems: [{ sku: 'desk', custom }],
    customLineItems: [{ name: { en: 'Card' }, slug: 'card', money: eur(100), custom }],
  });
  const [line] = own.lineItems;
  t.equal(line!.discountedPricePerQuantity[0]!.discountedPrice.includedDiscounts.length, predicates.length);
});

const codesOf = ({ discountCodes }: Cart): readonly string[] => discountCodes.map(({ state }) => state);

t.test('codes bring discounts, each in the state that the cart leaves it in', async (t) => {
  const shop = await startLamps();
  const { addDiscount, cart, update, refused, refusedDraft, api, request } = shop;
  const byCode = { requiresDiscountCode: true };
  const discount = (key: string) => ({ typeId: 'cart-discount' as const, key });
  const addCode = async (
    code: string,
    discounts: readonly string[],
    draft: Partial<DiscountCodeDraft> = {},
  ): Promise<string> => {
    const body = { code, cartDiscounts: discounts.map(discount), ...draft };
    return (await api.discountCodes().post({ body }).execute()).body.id;
  };
  await addDiscount('tenth', relative(1000), byCode);
  await addDiscount('dear', relative(5000), { ...byCode, cartPredicate: 'totalPrice > "20.00 EUR"' });
  await addDiscount('resting', relative(1000), { ...byCode, isActive: false });
  await addDiscount('over', relative(1000), { ...byCode, validUntil: '2020-01-01T00:00:00.000Z' });
  const tenth = await addCode('TENTH', ['tenth']);
  await addCode('DEAR', ['dear']);
  await addCode('FRENCH', ['tenth'], { cartPredicate: 'country = "FR"' });
  await addCode('OFF', ['tenth'], { isActive: false });
  await addCode('RESTING', ['resting']);
  await addCode('OVER', ['over']);
  const past = await addCode('PAST', ['tenth'], {
    validFrom: '2019-01-01T00:00:00.000Z',
    validUntil: '2020-01-01T00:00:00.000Z',
  });
  await addCode('FUTURE', ['tenth'], { validFrom: '2999-01-01T00:00:00.000Z' });
  let own = await cart({ lineItems: [{ sku: 'desk' }], discountCodes: ['TENTH'] });
  t.match(own, { totalPrice: eur(900), discountCodes: [{ discountCode: { typeId: 'discount-code', id: tenth } }] });
  t.strictSame(codesOf(own), ['MatchesCart']);
  own = await update(own, { action: 'addDiscountCode', code: 'DEAR' }, { action: 'addDiscountCode', code: 'TENTH' });
  t.strictSame(codesOf(own), ['MatchesCart', 'DoesNotMatchCart'], 'one that is there already stays');
  own = await update(
    own,
    { action: 'addLineItem', sku: 'desk', quantity: 2 },
    { action: 'addDiscountCode', code: 'FRENCH' },
  );
  t.strictSame(codesOf(own), ['MatchesCart', 'MatchesCart', 'DoesNotMatchCart']);
  t.equal(own.totalPrice.centAmount, 1350);
  own = await update(own, { action: 'setCountry', country: 'FR' });
  t.strictSame(codesOf(own), ['MatchesCart', 'MatchesCart', 'MatchesCart']);
  t.equal(own.totalPrice.centAmount, 1350, 'a discount counts once');
  own = await update(own, { action: 'removeDiscountCode', discountCode: { typeId: 'discount-code', id: tenth } });
  t.equal(own.totalPrice.centAmount, 1350, 'another code brings it, too');
  t.match(await refused(own, { action: 'removeDiscountCode', discountCode: { typeId: 'discount-code', id: tenth } }), {
    error: { code: 'InvalidOperation' },
  });

  const gone = { typeId: 'discount-code' as const, id: await addCode('GONE', ['tenth']) };
  let left = await cart({ lineItems: [{ sku: 'desk' }], discountCodes: ['GONE'] });
  await request('DELETE', `/discount-codes/${gone.id}?version=1`);
  left = await update(left, { action: 'removeDiscountCode', discountCode: gone });
  t.match(left, { totalPrice: eur(1000), discountCodes: [] }, 'one that has gone is let go of');

  const add = (code: string): CartUpdateAction => ({ action: 'addDiscountCode', code });
  const refusal = (code: string, more: object) => ({
    status: 400,
    error: { code: 'DiscountCodeNonApplicable', discountCode: code, ...more },
  });
  for (const code of ['NONE', 'tenth'])
    t.match(await refused(own, add(code)), refusal(code, { reason: 'DoesNotExist' }), code);
  t.match(await refusedDraft({ discountCodes: ['TENTH', 'NONE'] }), refusal('NONE', { reason: 'DoesNotExist' }));
  for (const [given, shown] of [
    ['x'.repeat(100_000), 'x'.repeat(256)],
    [`${'x'.repeat(255)}😀`, 'x'.repeat(255)],
    [`${'x'.repeat(254)}😀😀`, `${'x'.repeat(254)}😀`],
  ] as const) {
    const { error } = await refused(own, add(given));
    t.strictSame(error, {
      code: 'DiscountCodeNonApplicable',
      message: `There is no discount code '${shown}'.`,
      discountCode: shown,
      reason: 'DoesNotExist',
    });
  }
  const timely = { reason: 'TimeRangeNonApplicable', validityCheckTime: /^\d{4}-\d\d-\d\dT.*Z$/ };
  t.match(
    await refused(own, add('PAST')),
    refusal('PAST', {
      ...timely,
      validFrom: '2019-01-01T00:00:00.000Z',
      validUntil: '2020-01-01T00:00:00.000Z',
      discountCodeId: past,
      dicountCodeId: past,
    }),
  );
  t.match(await refused(own, add('FUTURE')), refusal('FUTURE', { ...timely, validFrom: '2999-01-01T00:00:00.000Z' }));
  for (const code of ['RESTING', 'OVER']) t.match(await refused(own, add(code)), refusal(code, {}), code);
  const off = await update(await cart({ lineItems: [{ sku: 'desk' }] }), add('OFF'));
  t.strictSame(codesOf(off), ['NotActive']);

  const stored = (await api.discountCodes().withId({ ID: tenth }).get().execute()).body;
  let stale = await cart({ lineItems: [{ sku: 'desk' }], discountCodes: ['TENTH'] });
  const set = { action: 'setValidUntil' as const, validUntil: '2020-01-01T00:00:00.000Z' };
  const { version } = (
    await api
      .discountCodes()
      .withId({ ID: tenth })
      .post({ body: { version: stored.version, actions: [set] } })
      .execute()
  ).body;
  stale = await update(stale, { action: 'recalculate' });
  t.strictSame(codesOf(stale), ['NotValid']);
  t.equal(stale.totalPrice.centAmount, 1000);
  await api.discountCodes().withId({ ID: tenth }).delete({ queryArgs: { version } }).execute();
  stale = await update(stale, { action: 'recalculate' });
  t.strictSame(codesOf(stale), ['NotActive']);
});

t.test('a code whose discounts are all stopped says so', async (t) => {
  const shop = await startLamps();
  const { addDiscount, cart, update, api } = shop;
  await addDiscount('last', relative(1000), { stackingMode: 'StopAfterThisDiscount', cartPredicate: 'country = "DE"' });
  await addDiscount('coded', relative(5000), { requiresDiscountCode: true });
  await api
    .discountCodes()
    .post({ body: { code: 'HALF', cartDiscounts: [{ typeId: 'cart-discount', key: 'coded' }] } })
    .execute();
  let own = await cart({ lineItems: [{ sku: 'desk' }], discountCodes: ['HALF'] });
  t.match(own, { totalPrice: eur(500), discountCodes: [{ state: 'MatchesCart' }] });
  own = await update(own, { action: 'setCountry', country: 'DE' });
  t.match(own, { totalPrice: eur(900), discountCodes: [{ state: 'ApplicationStoppedByPreviousDiscount' }] });
});

t.test('a code of a group of which another discount saves more says so', async (t) => {
  const shop = await startLamps();
  const { addDiscount, cart, api } = shop;
  await api
    .discountGroups()
    .post({ body: { key: 'best', sortOrder: '0.77' } })
    .execute();
  const discountGroup = { typeId: 'discount-group' as const, key: 'best' };
  // Of a group all discounts have its place.
  const inGroup: Partial<CartDiscountDraft> = { discountGroup, sortOrder: undefined as never };
  await addDiscount('tenth', relative(1000), inGroup);
  await addDiscount('fifth', relative(2000), { ...inGroup, requiresDiscountCode: true });
  await addDiscount('twentieth', relative(500), { ...inGroup, requiresDiscountCode: true });
  for (const [code, key] of [
    ['FIFTH', 'fifth'],
    ['TWENTIETH', 'twentieth'],
  ] as const)
    await api
      .discountCodes()
      .post({ body: { code, cartDiscounts: [{ typeId: 'cart-discount', key }] } })
      .execute();
  const lineItems = [{ sku: 'desk' }];
  t.equal((await cart({ lineItems })).totalPrice.centAmount, 900);
  const own = await cart({ lineItems, discountCodes: ['TWENTIETH', 'FIFTH'] });
  t.equal(own.totalPrice.centAmount, 800);
  t.strictSame(codesOf(own), ['ApplicationStoppedByGroupBestDeal', 'MatchesCart']);
});

t.test('direct discounts stand alone, and exclude codes', async (t) => {
  const shop = await startLamps();
  const { addDiscount, cart, update, refused, api } = shop;
  await addDiscount('tenth', relative(1000));
  await addDiscount('coded', relative(5000), { requiresDiscountCode: true });
  await api
    .discountCodes()
    .post({ body: { code: 'HALF', cartDiscounts: [{ typeId: 'cart-discount', key: 'coded' }] } })
    .execute();
  const code = { action: 'addDiscountCode', code: 'HALF' } as const;
  const set = (...discounts: DirectDiscountDraft[]): CartUpdateAction => ({ action: 'setDirectDiscounts', discounts });
  let own = await cart({ lineItems: [{ sku: 'desk' }] });
  t.equal(own.totalPrice.centAmount, 900);
  own = await update(own, set({ value: absolute(50), target: all }, { value: relative(5000), target: all }));
  t.equal(own.totalPrice.centAmount, 475, 'in their order, and no others');
  t.match(own.directDiscounts, [
    { id: /./, value: { type: 'absolute', money: [eur(50)] }, target: all },
    { value: { type: 'relative', permyriad: 5000 } },
  ]);
  t.match(await refused(own, code), { error: { code: 'InvalidOperation' } });
  own = await update(own, set());
  t.strictSame(own.directDiscounts, []);
  own = await update(own, code);
  t.equal(own.totalPrice.centAmount, 450);
  t.match(await refused(own, set({ value: absolute(50), target: all })), { error: { code: 'InvalidOperation' } });
  own = await update(own, set());
  t.equal(own.totalPrice.centAmount, 450);
  const bare = await cart({ lineItems: [{ sku: 'desk' }] });
  const spread = { type: 'relative', permyriad: 1000, applicationMode: 'EvenDistribution' } as const;
  // What no cart discount may be, none of a cart may.
  for (const [why, discount] of [
    ['no target', { value: relative(1000) }],
    ['a price for shipping', { value: fixed(100), target: { type: 'shipping' } }],
    ['a price for the total', { value: fixed(100), target: { type: 'totalPrice' } }],
    ['no amounts', { value: { type: 'absolute', money: [] }, target: all }],
    ['two amounts of one currency', { value: { type: 'absolute', money: [eur(1), eur(2)] }, target: all }],
    [
      'an amount for some of many',
      {
        value: absolute(100),
        target: {
          type: 'multiBuyLineItems',
          predicate: '1 = 1',
          triggerQuantity: 2,
          discountedQuantity: 1,
          selectionMode: 'Cheapest',
        },
      },
    ],
    [
      'a percentage that is spread over what triggers it, where nothing does',
      {
        value: spread,
        target: {
          type: 'pattern',
          triggerPattern: [],
          targetPattern: [{ type: 'CountOnLineItemUnits', predicate: '1 = 1' }],
          selectionMode: 'Cheapest',
        },
      },
    ],
    ['a percentage with a mode of patterns, of items', { value: spread, target: all }],
    [
      'a gift with a target',
      { value: { type: 'giftLineItem', product: { typeId: 'product', key: 'desk' }, variantId: 1 }, target: all },
    ],
    ['a predicate that says nothing', { value: relative(1), target: { type: 'lineItems', predicate: 'none = 1' } }],
    [
      'a gift of nothing',
      { value: { type: 'giftLineItem', product: { typeId: 'product', key: 'none' }, variantId: 1 } },
    ],
  ] as const satisfies readonly (readonly [string, DirectDiscountDraft])[]) {
    t.match(await refused(bare, set(discount)), { status: 400 }, why);
    t.match(
      await refusalOf(addDiscount('refused', discount.value, { target: undefined, ...discount } as object)),
      { status: 400 },
      why,
    );
  }
});

t.test('a gift comes with its discount, costs nothing, and stays away once it is refused', async (t) => {
  const shop = await startLamps();
  const { addDiscount, addProduct, cart, update, refused } = shop;
  const pen = await addProduct('pen', [{ value: eur(250) }], { publish: false });
  const gift: CartDiscountValueDraft = {
    type: 'giftLineItem',
    product: { typeId: 'product', key: 'pen' },
    variantId: 1,
  };
  const id = await addDiscount('gift', gift, { cartPredicate: 'totalPrice >= "20.00 EUR"' });
  await addDiscount('tenth', relative(1000));
  let own = await cart({ shippingAddress: german, lineItems: [{ sku: 'desk' }] });
  t.strictSame(totalsOf(own), { lines: [900], total: 900 });
  own = await update(own, { action: 'addLineItem', sku: 'desk' });
  t.strictSame(totalsOf(own), { lines: [1800, 0], total: 1800 });
  t.equal(own.totalLineItemQuantity, 3);
  const given = lineOf(own, 'pen');
  t.match(given, {
    productId: pen.id,
    lineItemMode: 'GiftLineItem',
    quantity: 1,
    price: { value: eur(250) },
    totalPrice: eur(0),
    taxedPrice: { totalNet: eur(0), totalGross: eur(0) },
    discountedPricePerQuantity: [
      {
        quantity: 1,
        discountedPrice: {
          value: eur(0),
          includedDiscounts: [{ discount: { typeId: 'cart-discount', id }, discountedAmount: eur(250) }],
        },
      },
    ],
  });
  own = await update(own, { action: 'recalculate' });
  t.equal(lineOf(own, 'pen').id, given.id, 'it stays the same line');
  for (const action of [
    { action: 'changeLineItemQuantity', lineItemId: given.id, quantity: 2 },
    { action: 'changeLineItemQuantity', lineItemId: given.id, quantity: 1, externalPrice: eur(1) },
    { action: 'setLineItemPrice', lineItemId: given.id, externalPrice: eur(1) },
    { action: 'addLineItem', sku: 'pen' },
  ] as const)
    t.match(await refused(own, action), { status: 400 }, action.action);
  const [desk] = own.lineItems;
  own = await update(own, { action: 'changeLineItemQuantity', lineItemId: desk!.id, quantity: 1 });
  t.strictSame(totalsOf(own), { lines: [900], total: 900 }, 'it goes with its discount');
  t.strictSame(own.refusedGifts, []);
  own = await update(own, { action: 'changeLineItemQuantity', lineItemId: desk!.id, quantity: 2 });
  own = await update(own, { action: 'removeLineItem', lineItemId: lineOf(own, 'pen').id });
  t.strictSame(own.refusedGifts, [{ typeId: 'cart-discount', id }]);
  own = await update(own, { action: 'addLineItem', sku: 'desk' });
  t.strictSame(totalsOf(own), { lines: [2700], total: 2700 });

  const direct = await update(await cart({ lineItems: [{ sku: 'desk' }] }), {
    action: 'setDirectDiscounts',
    discounts: [{ value: gift }],
  });
  t.strictSame(totalsOf(direct), { lines: [1000, 0], total: 1000 });
});

t.test('lines with a total of their own are closed for discounts, and so are custom ones that say so', async (t) => {
  const shop = await startLamps();
  const { addDiscount, cart, update } = shop;
  await addDiscount('tenth', relative(1000));
  await addDiscount('custom', relative(1000), { target: allCustom });
  const own = await cart({
    taxMode: 'External',
    lineItems: [
      { sku: 'desk', externalTotalPrice: { price: eur(500), totalPrice: eur(800) } },
      { sku: 'desk', externalPrice: eur(500) },
    ],
    customLineItems: [
      { key: 'open', name: { en: 'a' }, slug: 'open', money: eur(100) },
      { name: { en: 'a' }, slug: 'closed', money: eur(100), priceMode: 'External' },
    ],
  });
  t.strictSame(totalsOf(own), { lines: [800, 450], custom: [90, 100], total: 1440 });
  const closed = await update(own, {
    action: 'changeCustomLineItemPriceMode',
    customLineItemKey: 'open',
    mode: 'External',
  });
  t.strictSame(totalsOf(closed), { lines: [800, 450], custom: [100, 100], total: 1450 });
});
