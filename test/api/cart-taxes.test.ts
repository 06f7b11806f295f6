/** Taxes of carts in each mode, as a client of the public API has them. */
import type { Cart, CartUpdateAction, LineItem } from '@commercetools/platform-sdk';
import t from 'tap';
import { american, eur, german, newYork, startCartShop } from '../support/cart-shop.ts';

const standard = { typeId: 'tax-category' as const, key: 'standard' };
const gross = { typeId: 'tax-category' as const, key: 'gross' };
const germanOnly = { typeId: 'tax-category' as const, key: 'german' };

interface Taxed {
  readonly totalNet: { readonly centAmount: number };
  readonly totalGross: { readonly centAmount: number };
  readonly totalTax?: { readonly centAmount: number };
  readonly taxPortions: readonly {
    readonly name?: string;
    readonly rate: number;
    readonly amount: { centAmount: number };
  }[];
}

/** Net, gross, and the portions by their names. */
function taxes(taxed: Taxed | undefined): unknown {
  if (taxed === undefined) return undefined;
  const { totalNet, totalGross, totalTax, taxPortions } = taxed;
  if (totalTax?.centAmount !== totalGross.centAmount - totalNet.centAmount) throw new Error('The tax is another');
  return [
    totalNet.centAmount,
    totalGross.centAmount,
    ...taxPortions.map(({ name, amount }) => [name, amount.centAmount]),
  ];
}

const lineTaxes = ({ lineItems }: Cart): unknown => lineItems.map(({ taxedPrice }) => taxes(taxedPrice));

t.test('in the mode Platform the address decides, down to its state', async (t) => {
  const { addProduct, changeProduct, cart, update, refused, refusedDraft, api } = await startCartShop();
  await addProduct('net', [{ value: eur(1000) }]);
  await addProduct('gross', [{ value: eur(10_000) }], { taxCategory: gross });
  await addProduct('german', [{ value: eur(100) }], { taxCategory: germanOnly });
  let own = await cart({ lineItems: [{ sku: 'net', quantity: 3 }, { sku: 'gross' }] });
  t.notOk('taxedPrice' in own || 'taxRate' in own.lineItems[0]!, 'no address, no taxes');

  own = await update(own, { action: 'setShippingAddress', address: german });
  t.strictSame(lineTaxes(own), [
    [3000, 3570, ['VAT', 570]],
    [8403, 10_000, ['VAT', 1597]],
  ]);
  t.strictSame(taxes(own.taxedPrice), [11_403, 13_570, ['VAT', 2167]]);
  t.match(own.lineItems[0]!.taxRate, { name: 'VAT', amount: 0.19, includedInPrice: false, country: 'DE' });
  t.equal(own.totalPrice.centAmount, 13_000, 'the total is as the prices are');
  t.notOk('taxedShippingPrice' in own);

  own = await update(own, { action: 'setShippingAddress', address: newYork });
  t.strictSame(lineTaxes(own), [
    [3000, 3266, ['State', 120], ['City', 146]],
    [9185, 10_000, ['State', 367], ['City', 448]],
  ]);
  t.strictSame(taxes(own.taxedPrice), [12_185, 13_266, ['State', 487], ['City', 594]]);
  own = await update(own, { action: 'setShippingAddress', address: { ...american, state: '' } });
  t.strictSame(taxes(own.taxedPrice), [12_524, 13_150, ['Federal', 626]]);

  const category = (await api.taxCategories().withKey({ key: 'standard' }).get().execute()).body;
  const ohio = { country: 'US', state: 'OH' };
  const missing = await refused(own, { action: 'setShippingAddress', address: ohio });
  t.equal(missing.status, 400);
  t.match(missing.error, { code: 'MissingTaxRateForCountry', taxCategoryId: category.id, country: 'US', state: 'OH' });
  for (const state of ['ny', 'NY '])
    t.match(await refused(own, { action: 'setShippingAddress', address: { country: 'US', state } }), {
      error: { code: 'MissingTaxRateForCountry', state },
    });
  const nowhere = await refused(own, { action: 'setShippingAddress', address: { country: 'FR' } });
  t.match(nowhere.error, { code: 'MissingTaxRateForCountry', country: 'FR' });
  t.notOk('state' in nowhere.error);
  t.match(await refused(own, { action: 'addLineItem', sku: 'german' }), {
    error: { code: 'MissingTaxRateForCountry' },
  });
  t.match(await refusedDraft({ shippingAddress: ohio, lineItems: [{ sku: 'net' }] }), {
    error: { code: 'MissingTaxRateForCountry' },
  });
  await addProduct('untaxed', [{ value: eur(1) }]);
  await changeProduct('untaxed', { action: 'setTaxCategory' });
  t.match(await refusedDraft({ shippingAddress: american, lineItems: [{ sku: 'untaxed' }] }), {
    error: { code: 'InvalidOperation', message: /'untaxed' has no tax category/ },
  });

  const project = (await api.get().execute()).body;
  await api
    .post({
      body: {
        version: project.version,
        actions: [
          {
            action: 'changeCartsConfiguration',
            cartsConfiguration: { countryTaxRateFallbackEnabled: true, deleteDaysAfterLastModification: 90 },
          },
        ],
      },
    })
    .execute();
  own = await update(own, { action: 'setShippingAddress', address: ohio });
  t.strictSame(taxes(own.taxedPrice), [12_524, 13_150, ['Federal', 626]]);
  own = await update(own, { action: 'setShippingAddress' });
  t.notOk('taxedPrice' in own || own.lineItems.some((line) => 'taxRate' in line || 'taxedPrice' in line));

  const rate = category.rates.find(({ country }) => country === 'DE')!;
  const change = {
    action: 'replaceTaxRate' as const,
    taxRateId: rate.id!,
    taxRate: { name: 'VAT', amount: 0.07, includedInPrice: false, country: 'DE' },
  };
  own = await update(own, { action: 'setShippingAddress', address: german });
  await api
    .taxCategories()
    .withId({ ID: category.id })
    .post({ body: { version: category.version, actions: [change] } })
    .execute();
  own = await update(own, { action: 'recalculate' });
  t.strictSame(lineTaxes(own), [
    [3000, 3210, ['VAT', 210]],
    [8403, 10_000, ['VAT', 1597]],
  ]);
  t.equal(own.taxedPrice!.taxPortions.length, 2, 'portions of different rates stay apart');
});

t.test('the line of a product that has gone keeps its rate where that holds', async (t) => {
  const { addProduct, changeProduct, cart, update, api } = await startCartShop();
  await addProduct('net', [{ value: eur(1000) }]);
  const draft = { lineItems: [{ sku: 'net' }], shippingAddress: german };
  const [own, other] = [await cart(draft), await cart(draft)];
  const { id, version } = await changeProduct('net', { action: 'unpublish' });
  await api.products().withId({ ID: id }).delete({ queryArgs: { version } }).execute();
  const setAddress = (address?: { country: string }): CartUpdateAction => ({
    action: 'setShippingAddress',
    ...(address && { address }),
  });
  const kept = await update(own, setAddress({ ...german, country: 'DE' }), { action: 'recalculate' });
  t.strictSame(lineTaxes(kept), [[1000, 1190, ['VAT', 190]]]);
  const abroad = await update(kept, setAddress(american));
  t.notOk('taxRate' in abroad.lineItems[0]! || 'taxedPrice' in abroad, 'no rate of another country');
  const nowhere = await update(other, setAddress());
  t.notOk('taxRate' in nowhere.lineItems[0]! || 'taxedPrice' in nowhere);
});

t.test('the line of a product that has lost its tax category keeps its rate, and holds up nothing else', async (t) => {
  const { addProduct, changeProduct, cart, update, refused } = await startCartShop();
  await addProduct('net', [{ value: eur(1000) }], { variants: [{ sku: 'second', prices: [{ value: eur(100) }] }] });
  await addProduct('other', [{ value: eur(10) }]);
  await addProduct('third', [{ value: eur(1) }]);
  const lineItems = [{ sku: 'net' }, { sku: 'second' }];
  let own = await cart({ lineItems: [...lineItems, { sku: 'other' }], shippingAddress: german });
  const elsewhere = await cart({ lineItems });
  for (const key of ['net', 'third']) await changeProduct(key, { action: 'setTaxCategory' });
  own = await update(own, { action: 'setCustomerEmail', email: 'jane@example.org' });
  own = await update(own, { action: 'removeLineItem', lineItemId: own.lineItems[0]!.id });
  own = await update(own, { action: 'changeLineItemQuantity', lineItemId: own.lineItems[0]!.id, quantity: 2 });
  t.strictSame(lineTaxes(own), [
    [200, 238, ['VAT', 38]],
    [10, 12, ['VAT', 2]],
  ]);
  const needed = { status: 400, error: { code: 'InvalidOperation', message: /has no tax category/ } };
  t.match(await refused(own, { action: 'addLineItem', sku: 'third' }), needed, 'what is new needs one');
  t.match(await refused(own, { action: 'addLineItem', sku: 'net' }), needed, 'and another variant is new');
  const address = american;
  t.match(await refused(own, { action: 'setShippingAddress', address }), needed, 'as does what goes elsewhere');
  t.match(await refused(elsewhere, { action: 'setShippingAddress', address }), needed);
  const untaxed = elsewhere.lineItems.map(({ id }) => ({ action: 'removeLineItem' as const, lineItemId: id }));
  await update(elsewhere, { action: 'setShippingAddress', address }, ...untaxed);
});

t.test('taxes are rounded by line, or by unit, as the cart says', async (t) => {
  const { addProduct, cart, update } = await startCartShop();
  await addProduct('lamp', [{ value: eur(108) }]);
  let own = await cart({ shippingAddress: german, lineItems: [{ sku: 'lamp', quantity: 3 }] });
  t.strictSame(taxes(own.taxedPrice), [324, 386, ['VAT', 62]]);
  own = await update(own, { action: 'changeTaxCalculationMode', taxCalculationMode: 'UnitPriceLevel' });
  t.strictSame(taxes(own.taxedPrice), [324, 387, ['VAT', 63]]);
  t.strictSame(lineTaxes(own), [[324, 387, ['VAT', 63]]]);
  // 50 cents: 9.5 cents of tax.
  for (const [taxRoundingMode, expected] of [
    ['HalfEven', 60],
    ['HalfUp', 60],
    ['HalfDown', 59],
  ] as const) {
    const one = await cart({
      taxRoundingMode,
      shippingAddress: german,
      taxMode: 'External',
      lineItems: [
        { sku: 'lamp', externalPrice: eur(50), externalTaxRate: { name: 'VAT', amount: 0.19, country: 'DE' } },
      ],
    });
    t.equal(one.taxedPrice!.totalGross.centAmount, expected, taxRoundingMode);
    const other = await update(one, { action: 'changeTaxRoundingMode', taxRoundingMode: 'HalfDown' });
    t.equal(other.taxedPrice!.totalGross.centAmount, 59);
  }
});

t.test('custom line items and shipping have taxes too, and all together make those of the cart', async (t) => {
  const { addProduct, cart, update, refused, api } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }]);
  await api
    .shippingMethods()
    .post({
      body: {
        key: 'post',
        name: 'Post',
        taxCategory: gross,
        isDefault: true,
        zoneRates: [{ zone: { typeId: 'zone', key: 'de' }, shippingRates: [{ price: eur(595) }] }],
      },
    })
    .execute();
  const wrapping = { name: { en: 'Wrapping' }, slug: 'wrapping', money: eur(500) };
  const empty = await cart({ shippingAddress: german });
  t.notOk('taxedPrice' in empty);
  t.match(await refused(empty, { action: 'addCustomLineItem', ...wrapping }), { error: { code: 'InvalidOperation' } });
  let own = await update(
    empty,
    { action: 'addLineItem', sku: 'lamp' },
    { action: 'addCustomLineItem', ...wrapping, taxCategory: standard, quantity: 2 },
    { action: 'addCustomLineItem', ...wrapping, slug: 'voucher', money: eur(-100), taxCategory: standard },
    { action: 'setShippingMethod', shippingMethod: { typeId: 'shipping-method', key: 'post' } },
  );
  t.strictSame(
    own.customLineItems.map(({ taxedPrice }) => taxes(taxedPrice)),
    [
      [1000, 1190, ['VAT', 190]],
      [-100, -119, ['VAT', -19]],
    ],
  );
  t.strictSame(taxes(own.shippingInfo!.taxedPrice), [500, 595, ['VAT', 95]]);
  t.strictSame(taxes(own.taxedShippingPrice), [500, 595, ['VAT', 95]]);
  t.strictSame(taxes(own.taxedPrice), [2400, 2856, ['VAT', 456]]);
  t.match(own.shippingInfo, { taxRate: { includedInPrice: true }, taxCategory: { typeId: 'tax-category' } });
  own = await update(own, { action: 'changeTaxMode', taxMode: 'Disabled' });
  t.notOk('taxedPrice' in own || 'taxedShippingPrice' in own || 'taxRate' in own.shippingInfo!);
  t.equal(own.totalPrice.centAmount, 2495);
  own = await update(own, { action: 'changeTaxMode', taxMode: 'Platform' });
  t.strictSame(taxes(own.taxedPrice), [2400, 2856, ['VAT', 456]]);
});

const external = { name: 'Own', amount: 0.1, country: 'DE' };

t.test('in the mode External the client gives rates', async (t) => {
  const { addProduct, cart, update, refused, refusedDraft } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }]);
  const wrapping = { name: { en: 'Wrapping' }, slug: 'wrapping', money: eur(500) };
  t.match(await refusedDraft({ lineItems: [{ sku: 'lamp', externalTaxRate: external }] }), {
    error: { code: 'InvalidOperation' },
  });
  let own = await cart({
    taxMode: 'External',
    lineItems: [
      { key: 'first', sku: 'lamp', externalTaxRate: external },
      { key: 'second', sku: 'lamp', supplyChannel: { typeId: 'channel', key: 'north' } },
    ],
    customLineItems: [{ key: 'item', ...wrapping, externalTaxRate: external }],
  });
  t.strictSame(lineTaxes(own), [[1000, 1100, ['Own', 100]], undefined], 'without an address');
  t.notOk('id' in own.lineItems[0]!.taxRate!);
  t.notOk('taxedPrice' in own);
  own = await update(own, { action: 'setShippingAddress', address: { country: 'FR' } });
  t.notOk('taxedPrice' in own, 'one line has no rate');
  const subRates = [
    { name: 'One', amount: 0.01 },
    { name: 'Two', amount: 0.02 },
  ];
  own = await update(own, {
    action: 'setLineItemTaxRate',
    lineItemKey: 'second',
    externalTaxRate: { name: 'Parts', country: 'FR', subRates },
  });
  t.strictSame(lineTaxes(own), [
    [1000, 1100, ['Own', 100]],
    [1000, 1030, ['One', 10], ['Two', 20]],
  ]);
  t.strictSame(taxes(own.taxedPrice), [2500, 2680, ['Own', 150], ['One', 10], ['Two', 20]]);
  own = await update(
    own,
    {
      action: 'setCustomShippingMethod',
      shippingMethodName: 'Courier',
      shippingRate: { price: eur(300) },
      externalTaxRate: external,
    },
    { action: 'setLineItemTaxRate', lineItemKey: 'first', externalTaxRate: { ...external, includedInPrice: true } },
    { action: 'setCustomLineItemTaxRate', customLineItemKey: 'item', externalTaxRate: { ...external, amount: 0 } },
  );
  t.strictSame(lineTaxes(own), [
    [909, 1000, ['Own', 91]],
    [1000, 1030, ['One', 10], ['Two', 20]],
  ]);
  t.strictSame(taxes(own.customLineItems[0]!.taxedPrice), [500, 500, ['Own', 0]]);
  t.strictSame(taxes(own.taxedShippingPrice), [300, 330, ['Own', 30]]);
  own = await update(own, { action: 'setShippingMethodTaxRate', externalTaxRate: { ...external, amount: 1 } });
  t.strictSame(taxes(own.taxedShippingPrice), [300, 600, ['Own', 300]]);
  const portions = own.taxedPrice!.taxPortions.map(({ name, rate }) => [name, rate]);
  t.strictSame(portions, [
    ['Own', 0.1],
    ['One', 0.01],
    ['Two', 0.02],
    ['Own', 0],
    ['Own', 1],
  ]);
  own = await update(own, { action: 'setShippingMethodTaxRate' });
  t.notOk('taxedPrice' in own);
  for (const action of [
    { action: 'setLineItemTaxRate', lineItemKey: 'none', externalTaxRate: external },
    { action: 'setLineItemTaxAmount', lineItemKey: 'first' },
    { action: 'setCartTotalTax', externalTotalGross: eur(1) },
    { action: 'setShippingMethodTaxAmount' },
  ] as const satisfies readonly CartUpdateAction[])
    t.match(await refused(own, action), { status: 400, error: { code: 'InvalidOperation' } }, action.action);
  for (const externalTaxRate of [
    { ...external, amount: 1.1 },
    { ...external, amount: -0.1 },
    { name: 'No amount', country: 'DE' },
    { ...external, amount: 0.05, subRates },
    { ...external, country: 'Germany' },
  ])
    t.match(await refused(own, { action: 'setLineItemTaxRate', lineItemKey: 'first', externalTaxRate }), {
      status: 400,
    });
  own = await update(own, { action: 'changeTaxMode', taxMode: 'Disabled' });
  t.notOk(own.lineItems.some((line) => 'taxRate' in line || 'taxedPrice' in line));
});

t.test('in the mode ExternalAmount the client gives amounts, which hold for the total that there was', async (t) => {
  const { addProduct, cart, update, refused } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }]);
  const rate = { name: 'Own', amount: 0.1, country: 'DE' };
  let own = await cart({
    taxMode: 'ExternalAmount',
    shippingAddress: german,
    lineItems: [{ key: 'first', sku: 'lamp', quantity: 2 }],
    customLineItems: [{ key: 'item', name: { en: 'Card' }, slug: 'card', money: eur(100) }],
  });
  t.notOk('taxedPrice' in own);
  own = await update(
    own,
    {
      action: 'setLineItemTaxAmount',
      lineItemKey: 'first',
      externalTaxAmount: { totalGross: eur(2222), taxRate: rate },
    },
    {
      action: 'setCustomLineItemTaxAmount',
      customLineItemKey: 'item',
      externalTaxAmount: { totalGross: eur(111), taxRate: rate },
    },
    { action: 'setCustomShippingMethod', shippingMethodName: 'Courier', shippingRate: { price: eur(300) } },
    { action: 'setShippingMethodTaxAmount', externalTaxAmount: { totalGross: eur(333), taxRate: rate } },
  );
  t.strictSame(lineTaxes(own), [[2000, 2222, ['Own', 222]]]);
  t.strictSame(taxes(own.customLineItems[0]!.taxedPrice), [100, 111, ['Own', 11]]);
  t.strictSame(taxes(own.shippingInfo!.taxedPrice), [300, 333, ['Own', 33]]);
  t.notOk('taxedPrice' in own, 'the cart’s own is given, too');
  const externalTaxPortions = [{ name: 'All', rate: 0.11, amount: eur(266) }];
  own = await update(own, { action: 'setCartTotalTax', externalTotalGross: eur(2666), externalTaxPortions });
  t.strictSame(taxes(own.taxedPrice), [2400, 2666, ['All', 266]]);
  t.notOk('taxedShippingPrice' in own);
  own = await update(own, { action: 'setLocale', locale: 'de' });
  t.strictSame(taxes(own.taxedPrice), [2400, 2666, ['All', 266]]);
  own = await update(own, { action: 'changeLineItemQuantity', lineItemKey: 'first', quantity: 3 });
  t.notOk('taxedPrice' in own || 'taxedPrice' in own.lineItems[0]!);
  t.ok(own.customLineItems[0]!.taxedPrice, 'of what costs the same they stay');

  const dollars = { currencyCode: 'USD', centAmount: 2666 };
  const amount = { totalGross: dollars, taxRate: rate };
  for (const action of [
    { action: 'setLineItemTaxAmount', lineItemKey: 'first', externalTaxAmount: amount },
    { action: 'setCustomLineItemTaxAmount', customLineItemKey: 'item', externalTaxAmount: amount },
    { action: 'setShippingMethodTaxAmount', externalTaxAmount: amount },
    { action: 'setCartTotalTax', externalTotalGross: dollars },
    {
      action: 'setCartTotalTax',
      externalTotalGross: eur(1),
      externalTaxPortions: [{ name: 'All', rate: 0.1, amount: dollars }],
    },
  ] as const satisfies readonly CartUpdateAction[])
    t.match(await refused(own, action), { status: 400, error: { code: 'InvalidField' } }, action.action);
  t.match(await refused(own, { action: 'setLineItemTaxRate', lineItemKey: 'first', externalTaxRate: rate }), {
    error: { code: 'InvalidOperation' },
  });
  own = await update(
    own,
    {
      action: 'setLineItemTaxAmount',
      lineItemKey: 'first',
      externalTaxAmount: { totalGross: eur(3300), taxRate: rate },
    },
    { action: 'setCartTotalTax', externalTotalGross: eur(3733) },
  );
  t.match(own.taxedPrice, { totalGross: eur(3733), taxPortions: [] });
  own = await update(own, { action: 'setLineItemTaxAmount', lineItemKey: 'first' });
  t.notOk('taxedPrice' in own.lineItems[0]!);
  const [line] = own.lineItems as [LineItem];
  t.notOk('taxRate' in line);
  own = await update(own, { action: 'changeTaxMode', taxMode: 'Disabled' });
  t.notOk('taxedPrice' in own || 'taxedPrice' in own.customLineItems[0]! || 'taxRate' in own.customLineItems[0]!);
});

t.test('in the mode ExternalAmount of a cart with several methods amounts are for the units of each', async (t) => {
  const { addProduct, cart, update, refused } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }]);
  const rate = { name: 'Own', amount: 0.1, country: 'DE' };
  const courier = { shippingMethodName: 'Courier', shippingRate: { price: eur(300) } };
  const target = (shippingMethodKey: string, quantity: number) => ({ addressKey: 'home', shippingMethodKey, quantity });
  const targets = [target('slow', 2), target('fast', 1)];
  let own = await cart({
    taxMode: 'ExternalAmount',
    shippingMode: 'Multiple',
    itemShippingAddresses: [{ ...german, key: 'home' }],
    customShipping: [
      { key: 'fast', shippingAddress: german, ...courier },
      { key: 'slow', shippingAddress: german, ...courier },
      { key: 'other', shippingAddress: german, ...courier },
    ],
    lineItems: [{ key: 'line', sku: 'lamp', quantity: 3, shippingDetails: { targets } }],
    customLineItems: [
      {
        key: 'item',
        name: { en: 'Card' },
        slug: 'card',
        money: eur(100),
        shippingDetails: { targets: [target('fast', 1)] },
      },
    ],
  });
  const amount = (shippingKey: string, centAmount: number) => ({
    action: 'setLineItemTaxAmount' as const,
    lineItemKey: 'line',
    shippingKey,
    externalTaxAmount: { totalGross: eur(centAmount), taxRate: rate },
  });
  const portions = ({ lineItems: [line] }: Cart): unknown =>
    line!.taxedPricePortions.map(({ shippingMethodKey, taxedPrice }) => [shippingMethodKey, taxes(taxedPrice)]);
  t.strictSame(portions(own), [
    ['fast', undefined],
    ['slow', undefined],
  ]);

  own = await update(own, amount('slow', 2200));
  t.strictSame(portions(own), [
    ['fast', undefined],
    ['slow', [2000, 2200, ['Own', 200]]],
  ]);
  t.match(own.lineItems[0]!.perMethodTaxRate, [{ shippingMethodKey: 'slow', taxRate: rate }]);
  t.notOk('taxedPrice' in own.lineItems[0]!, 'not before all methods have amounts');
  own = await update(own, amount('fast', 1111), {
    action: 'setCustomLineItemTaxAmount',
    customLineItemKey: 'item',
    shippingKey: 'fast',
    externalTaxAmount: { totalGross: eur(110), taxRate: rate },
  });
  t.strictSame(lineTaxes(own), [[3000, 3311, ['Own', 311]]]);
  t.strictSame(taxes(own.customLineItems[0]!.taxedPrice), [100, 110, ['Own', 10]]);
  own = await update(own, { action: 'setLocale', locale: 'de' });
  t.strictSame(lineTaxes(own), [[3000, 3311, ['Own', 311]]], 'they hold as long as the totals do');

  const { externalTaxAmount: _, ...none } = amount('fast', 0);
  const without = await update(own, none);
  t.strictSame(portions(without), [
    ['fast', undefined],
    ['slow', [2000, 2200, ['Own', 200]]],
  ]);
  own = await update(without, {
    action: 'setLineItemShippingDetails',
    lineItemKey: 'line',
    shippingDetails: { targets: [target('slow', 1), target('fast', 2)] },
  });
  t.strictSame(
    portions(own),
    [
      ['fast', undefined],
      ['slow', undefined],
    ],
    'for other units they do not hold',
  );

  const { shippingKey: __, ...unnamed } = amount('fast', 1);
  for (const action of [unnamed, amount('other', 1), amount('none', 1)])
    t.match(await refused(own, action), { error: { code: 'InvalidOperation' } }, JSON.stringify(action));
  const dollars = { totalGross: { currencyCode: 'USD', centAmount: 1 }, taxRate: rate };
  t.match(await refused(own, { ...amount('fast', 1), externalTaxAmount: dollars }), {
    error: { code: 'InvalidField', field: 'externalTaxAmount.totalGross' },
  });
  const single = await cart({ taxMode: 'ExternalAmount', lineItems: [{ key: 'line', sku: 'lamp' }] });
  t.match(await refused(single, amount('fast', 1)), { error: { code: 'InvalidOperation' } });
});

t.test('a discount on the total takes its share of net and gross, and leaves the items', async (t) => {
  const { addProduct, addDiscount, cart, update } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }]);
  await addDiscount('total', { type: 'relative', permyriad: 1000 }, { target: { type: 'totalPrice' } });
  let own = await cart({ lineItems: [{ sku: 'lamp' }] });
  t.match(own, { totalPrice: eur(900), discountOnTotalPrice: { discountedAmount: eur(100) } });
  t.notOk('discountedNetAmount' in own.discountOnTotalPrice!);
  own = await update(own, { action: 'setShippingAddress', address: german });
  t.strictSame(taxes(own.taxedPrice), [900, 1071, ['VAT', 171]]);
  t.strictSame(lineTaxes(own), [[1000, 1190, ['VAT', 190]]]);
  t.match(own.discountOnTotalPrice, {
    discountedAmount: eur(100),
    discountedNetAmount: eur(100),
    discountedGrossAmount: eur(119),
    includedDiscounts: [{ discount: { typeId: 'cart-discount' }, discountedAmount: eur(100) }],
  });
});
