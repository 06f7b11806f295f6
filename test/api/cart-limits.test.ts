/** How much carts take: what is too much is refused, and nothing else is held up by it. */
import type { CartUpdateAction, LineItemDraft } from '@commercetools/platform-sdk';
import t from 'tap';
import { eur, german, refusalOf, startCartShop } from '../support/cart-shop.ts';
import { changeSettings } from '../support/platform.ts';

t.test('a cart has at most 500 line items, 100 custom ones, and 10 codes', async (t) => {
  const { addProduct, addDiscount, cart, update, refused, refusedDraft, api } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1) }]);
  const line = (index: number): LineItemDraft => ({ sku: 'lamp', externalPrice: eur(index) });
  const lineItems = Array.from({ length: 500 }, (_, index) => line(index));
  const full = await cart({ shippingAddress: german, lineItems });
  t.equal(full.lineItems.length, 500);
  t.equal(full.totalPrice.centAmount, (499 * 500) / 2);
  t.match(await refused(full, { action: 'addLineItem', ...line(1) }), { error: { code: 'InvalidOperation' } });
  t.match(await refusedDraft({ lineItems: [...lineItems, line(1)] }), { status: 400 });
  const item = (index: number) => ({ name: { en: 'Card' }, slug: `card-${index}`, money: eur(1) });
  const customLineItems = Array.from({ length: 100 }, (_, index) => item(index));
  const custom = await cart({ taxMode: 'External', customLineItems });
  // Items are compared with each other, so that many are refused before it is known how many are the same.
  const same = { lineItems: Array.from({ length: 501 }, () => ({ sku: 'lamp' })) };
  const sameCustom = { taxMode: 'External' as const, customLineItems: Array.from({ length: 101 }, () => item(0)) };
  for (const draft of [same, sameCustom])
    t.match(await refusedDraft(draft), { status: 400, error: { code: 'InvalidOperation' } });
  t.equal(custom.totalPrice.centAmount, 100);
  t.match(await refused(custom, { action: 'addCustomLineItem', ...item(100) }), {
    error: { code: 'InvalidOperation' },
  });
  t.equal(
    (await update(custom, { action: 'addCustomLineItem', ...item(0) })).totalPrice.centAmount,
    101,
    'one more of one',
  );

  await addDiscount('coded', { type: 'relative', permyriad: 1 }, { requiresDiscountCode: true });
  const cartDiscounts = [{ typeId: 'cart-discount' as const, key: 'coded' }];
  const codes = Array.from({ length: 11 }, (_, index) => `CODE-${index}`);
  for (const code of codes) await api.discountCodes().post({ body: { code, cartDiscounts } }).execute();
  const coded = await cart({ discountCodes: codes.slice(1) });
  t.equal(coded.discountCodes.length, 10);
  t.match(await refused(coded, { action: 'addDiscountCode', code: codes[0]! }), { status: 400 });
  t.match(await refusedDraft({ discountCodes: codes }), { status: 400 });
});

t.test('500 actions are done at once, and more are refused', async (t) => {
  const { addProduct, cart, update } = await startCartShop();
  await addProduct('lamp', [{ value: eur(10) }]);
  const add: CartUpdateAction = { action: 'addLineItem', sku: 'lamp' };
  const own = await update(await cart(), ...Array.from({ length: 500 }, () => add));
  t.match(own, { version: 2, totalPrice: eur(5000), totalLineItemQuantity: 500 });
  const refusal = await refusalOf(update(own, ...Array.from({ length: 501 }, () => add)));
  t.equal(refusal.status, 400);
});

t.test('amounts that cannot be kept exactly are refused, and others go on', async (t) => {
  const { addProduct, cart, update, refused, refusedDraft } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }]);
  const own = await cart({ shippingAddress: german, lineItems: [{ sku: 'lamp', key: 'line' }] });
  const change = (quantity: number, more = {}): CartUpdateAction => ({
    action: 'changeLineItemQuantity',
    lineItemKey: 'line',
    quantity,
    ...more,
  });
  const large = Number.MAX_SAFE_INTEGER;
  for (const [why, ...actions] of [
    ['a quantity', change(1e15)],
    ['the greatest quantity', change(large)],
    ['taxes of the greatest amount', { action: 'setLineItemPrice', lineItemKey: 'line', externalPrice: eur(large) }],
    [
      'a sum',
      { action: 'setLineItemPrice', lineItemKey: 'line', externalPrice: eur(8e15) },
      { action: 'addLineItem', sku: 'lamp', externalPrice: eur(8e15) },
    ],
    ['a sum of quantities', change(large), { action: 'addLineItem', sku: 'lamp', quantity: large }],
    [
      'a sum of quantities of what is free',
      { action: 'addLineItem', sku: 'lamp', quantity: large, externalPrice: eur(0) },
      { action: 'addLineItem', sku: 'lamp', quantity: large, externalPrice: eur(0) },
    ],
    [
      'taxes by unit',
      { action: 'changeTaxCalculationMode', taxCalculationMode: 'UnitPriceLevel' },
      { action: 'addLineItem', sku: 'lamp', quantity: 3e15, externalPrice: eur(3) },
    ],
    [
      'a custom line item',
      {
        action: 'addCustomLineItem',
        name: { en: 'a' },
        slug: 'large',
        money: eur(1e12),
        quantity: 1e12,
        taxCategory: { typeId: 'tax-category', key: 'standard' },
      },
    ],
    [
      'shipping',
      {
        action: 'setCustomShippingMethod',
        shippingMethodName: 'a',
        shippingRate: { price: eur(large) },
        taxCategory: { typeId: 'tax-category', key: 'standard' },
      },
    ],
  ] as const satisfies readonly (readonly [string, ...CartUpdateAction[]])[]) {
    const { status, error } = await refused(own, ...actions);
    t.equal(status, 400, why);
    t.match(error.code, /^(MoneyOverflow|InvalidField|InvalidOperation|InvalidInput)$/, `${why}: ${error.message}`);
  }
  t.equal((await refusedDraft({ lineItems: [{ sku: 'lamp', quantity: 1e300 }] })).status, 400);
  t.equal((await update(own, change(2))).totalPrice.centAmount, 2000);
  const free = await cart({ lineItems: [{ sku: 'lamp', quantity: 1e15, externalPrice: eur(0) }] });
  t.match(free, { totalPrice: eur(0), totalLineItemQuantity: 1e15 });
});

t.test('discounts on very many units end, and other requests are answered', async (t) => {
  const { addProduct, addDiscount, cart, update, request } = await startCartShop();
  await addProduct('lamp', [{ value: eur(7) }]);
  for (const [index, applicationMode] of (['ProportionateDistribution', 'EvenDistribution'] as const).entries())
    await addDiscount(`absolute-${index}`, { type: 'absolute', money: [eur(12_345)], applicationMode });
  await addDiscount(
    'pattern',
    { type: 'relative', permyriad: 5000 },
    {
      target: {
        type: 'pattern',
        triggerPattern: [{ type: 'CountOnLineItemUnits', predicate: '1 = 1', minCount: 1, maxCount: 1 }],
        targetPattern: [{ type: 'CountOnLineItemUnits', predicate: '1 = 1', minCount: 1, maxCount: 1 }],
        selectionMode: 'Cheapest',
      },
    },
  );
  const asked = refusalOf(cart({ lineItems: [{ sku: 'lamp', quantity: 1e12 }] })).catch((error: unknown) => error);
  const others = await Promise.all(Array.from({ length: 10 }, () => request('GET', '/carts?limit=1')));
  t.ok(others.every(({ status }) => status === 200));
  const answer = await asked;
  if ('status' in (answer as object)) t.match(answer, { status: 400 });
  else t.match(String(answer), 'It was not refused');
  const own = await cart({ lineItems: [{ sku: 'lamp', quantity: 10_000 }] });
  const [{ discountedPricePerQuantity: parts, quantity }] = own.lineItems as [(typeof own.lineItems)[number]];
  t.equal(
    parts.reduce((sum, part) => sum + part.quantity, 0),
    quantity,
  );
  t.equal((await update(own, { action: 'recalculate' })).totalPrice.centAmount, own.totalPrice.centAmount);
});

t.test('a payment is in one cart, and the country of a cart in a store is one of the store’s', async (t) => {
  const { cart, request, api } = await startCartShop();
  const { id } = (await request('POST', '/payments', { amountPlanned: eur(1) })).body;
  const payment = { typeId: 'payment', id };
  const add = (to: { id: string; version: number }) =>
    request('POST', `/carts/${to.id}`, { version: to.version, actions: [{ action: 'addPayment', payment }] });
  const [first, second] = [await cart(), await cart()];
  const both = await Promise.all([add(first), add(second)]);
  t.equal(both.filter(({ status }) => status === 200).length, 1, 'of rivals one has it');
  t.match(both.find(({ status }) => status === 400)?.body, { errors: [{ code: 'InvalidOperation' }] });
  const [holder, other] = both[0].status === 200 ? [both[0].body, second] : [both[1].body, first];
  t.equal((await add(other)).status, 400);
  const removal = { version: holder['version'], actions: [{ action: 'removePayment', payment }] };
  t.equal((await request('POST', `/carts/${String(holder['id'])}`, removal)).status, 200);
  t.equal((await add(other)).status, 200, 'it is free again');

  await api
    .stores()
    .post({ body: { key: 'german', countries: [{ code: 'DE' }] } })
    .execute();
  const store = { typeId: 'store', key: 'german' } as const;
  const refusal = {
    status: 400,
    body: { errors: [{ code: 'CountryNotConfiguredInStore', storeCountries: ['DE'], country: 'US' }] },
  };
  t.match(await request('POST', '/carts', { currency: 'EUR', country: 'US', store }), refusal);
  t.match(await request('POST', '/in-store/key=german/carts', { currency: 'EUR', country: 'US' }), refusal);
  const own = await cart({ country: 'DE', store });
  const moving = { version: own.version, actions: [{ action: 'setCountry', country: 'US' }] };
  t.match(await request('POST', `/carts/${own.id}`, moving), refusal);
});

t.test('of carts that take one payment at once each has it or is refused, also where others give it up', async (t) => {
  const { cart, request } = await startCartShop();
  const paying = async (): Promise<object> => {
    const { id } = (await request('POST', '/payments', { amountPlanned: eur(1) })).body;
    return { payment: { typeId: 'payment', id } };
  };
  const act = (to: { id: string; version: number }, action: string, ...payments: readonly object[]) =>
    request('POST', `/carts/${to.id}`, {
      version: to.version,
      actions: payments.map((payment) => ({ action, ...payment })),
    });
  const carts = await Promise.all(Array.from({ length: 64 }, () => cart()));
  const [first, second] = [await paying(), await paying()];
  const taking = await Promise.all(
    carts.map((own, index) => act(own, 'addPayment', ...(index % 2 === 0 ? [first, second] : [second, first]))),
  );
  const refusal = {
    status: 400,
    body: { errors: [{ code: 'InvalidOperation', message: /in another cart or order already/ }] },
  };
  t.equal(taking.filter(({ status }) => status === 200).length, 1);
  for (const answer of taking) if (answer.status !== 200) t.match(answer, refusal);

  for (let round = 0; round < 5; round += 1) {
    const others = await Promise.all(Array.from({ length: 64 }, () => cart()));
    const one = await paying();
    const answers = await Promise.all(
      others.map(async (own) => {
        const added = await act(own, 'addPayment', one);
        if (added.status === 200) t.equal((await act({ ...own, version: 2 }, 'removePayment', one)).status, 200);
        return added;
      }),
    );
    t.ok(answers.some(({ status }) => status === 200));
    for (const answer of answers) if (answer.status !== 200) t.match(answer, refusal);
  }
});

t.test('a cart speaks a language of its project', async (t) => {
  const shop = await startCartShop();
  const { cart, request, refused } = shop;
  const own = await cart({ locale: 'fr' });
  t.equal(own.locale, 'fr', 'a project that names no languages speaks all');
  const changed = await changeSettings(shop, { action: 'changeLanguages', languages: ['de', 'en'] });
  t.equal(changed.status, 200);
  const refusal = { code: 'InvalidField', field: 'locale', invalidValue: 'fr' };
  t.match(await request('POST', '/carts', { currency: 'EUR', locale: 'fr' }), {
    status: 400,
    body: { errors: [refusal] },
  });
  t.match(await refused(own, { action: 'setLocale', locale: 'it' }), { error: { ...refusal, invalidValue: 'it' } });
  t.equal((await cart({ locale: 'de' })).locale, 'de');
});
