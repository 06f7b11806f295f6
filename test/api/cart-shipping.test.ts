/** How carts are shipped, and what that costs, as a client of the public API has it. */
import type {
  Cart,
  CartUpdateAction,
  ProjectUpdateAction,
  ShippingMethodDraft,
  ShippingRateDraft,
  StoreResourceIdentifier,
} from '@commercetools/platform-sdk';
import t from 'tap';
import { american, type CartShop, eur, german, newYork, startCartShop, totalsOf } from '../support/cart-shop.ts';

const gross = { typeId: 'tax-category' as const, key: 'gross' };
const standard = { typeId: 'tax-category' as const, key: 'standard' };
const zone = (key: string) => ({ typeId: 'zone' as const, key });
const method = (key: string) => ({ typeId: 'shipping-method' as const, key });
const usd = (centAmount: number) => ({ currencyCode: 'USD', centAmount });

interface ShippingShop extends CartShop {
  addMethod(
    key: string,
    zoneRates: Readonly<Record<string, ShippingRateDraft[]>>,
    draft?: Partial<ShippingMethodDraft> & { readonly stores?: StoreResourceIdentifier[] },
  ): Promise<string>;
  changeProject(...actions: ProjectUpdateAction[]): Promise<void>;
}

async function startShop(): Promise<ShippingShop> {
  const shop = await startCartShop();
  await shop.addProduct('lamp', [{ value: eur(1000) }, { value: usd(1100) }]);
  return {
    ...shop,
    addMethod: async (key, rates, draft) => {
      const zoneRates = Object.entries(rates).map(([name, shippingRates]) => ({ zone: zone(name), shippingRates }));
      const body = { key, name: key, taxCategory: gross, isDefault: false, zoneRates, ...draft };
      return (await shop.api.shippingMethods().post({ body }).execute()).body.id;
    },
    changeProject: async (...actions) => {
      const { version } = (await shop.api.get().execute()).body;
      await shop.api.post({ body: { version, actions } }).execute();
    },
  };
}

const set = (key: string): CartUpdateAction => ({ action: 'setShippingMethod', shippingMethod: method(key) });
const shippingOf = ({ shippingInfo }: Cart): number | undefined => shippingInfo?.price.centAmount;

t.test('a method ships by the rate of the address and the currency', async (t) => {
  const { addMethod, cart, update, refused, refusedDraft, api } = await startShop();
  const id = await addMethod('post', {
    de: [{ price: eur(500), freeAbove: eur(3000) }],
    us: [{ price: eur(900) }, { price: usd(950) }],
    ny: [{ price: eur(800) }],
  });
  await addMethod('resting', { de: [{ price: eur(1) }] }, { active: false });
  await api
    .stores()
    .post({ body: { key: 'north' } })
    .execute();
  await addMethod('northern', { de: [{ price: eur(2) }] }, { stores: [{ typeId: 'store', key: 'north' }] });
  await addMethod('picky', { de: [{ price: eur(3) }] }, { predicate: 'lineItemCount(1 = 1) < 3' });
  const bare = await cart({ lineItems: [{ sku: 'lamp', key: 'line' }] });
  t.match(await refused(bare, set('post')), { status: 400, error: { code: 'InvalidOperation' } }, 'no address');
  t.match(await refusedDraft({ shippingMethod: method('post') }), { error: { code: 'InvalidOperation' } });
  let own = await cart({
    lineItems: [{ sku: 'lamp', key: 'line' }],
    shippingAddress: german,
    shippingMethod: method('post'),
  });
  t.match(own, {
    totalPrice: eur(1500),
    shippingMode: 'Single',
    shipping: [],
    shippingInfo: {
      shippingMethodName: 'post',
      price: eur(500),
      shippingRate: { price: eur(500), freeAbove: eur(3000), tiers: [] },
      shippingMethod: { typeId: 'shipping-method', id },
      taxCategory: { typeId: 'tax-category' },
      taxRate: { amount: 0.19 },
      taxedPrice: { totalNet: eur(420), totalGross: eur(500) },
      deliveries: [],
      shippingMethodState: 'MatchesCart',
    },
    taxedShippingPrice: { totalGross: eur(500) },
  });
  t.notOk('isMatching' in own.shippingInfo!.shippingRate);
  own = await update(own, { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 3 });
  t.strictSame(totalsOf(own), { lines: [3000], shipping: 0, total: 3000 }, 'free above');
  own = await update(own, { action: 'setShippingAddress', address: newYork });
  t.equal(shippingOf(own), 800);
  own = await update(own, { action: 'setShippingAddress', address: american });
  t.equal(shippingOf(own), 900);
  const dollars = await cart({
    currency: 'USD',
    shippingAddress: american,
    shippingMethod: method('post'),
    lineItems: [{ sku: 'lamp' }],
  });
  t.equal(dollars.totalPrice.centAmount, 2050);
  t.match(await refusedDraft({ currency: 'USD', shippingAddress: german, shippingMethod: method('post') }), {
    error: { code: 'InvalidOperation' },
  });
  own = await update(own, { action: 'setShippingAddress', address: german });
  for (const key of ['resting', 'northern', 'picky'])
    t.match(await refused(own, set(key)), { status: 400, error: { code: 'InvalidOperation' } }, key);
  t.match(await refused(own, set('none')), { status: 400, error: { code: 'ReferencedResourceNotFound' } });
  t.equal(
    shippingOf(
      await cart({
        store: { typeId: 'store', key: 'north' },
        shippingAddress: german,
        shippingMethod: method('northern'),
      }),
    ),
    2,
  );

  own = await update(own, { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 2 }, set('picky'));
  t.match(own.shippingInfo, { price: eur(3), shippingMethodState: 'MatchesCart' });
  own = await update(own, { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 5 });
  t.match(own, { totalPrice: eur(5003), shippingInfo: { price: eur(3), shippingMethodState: 'DoesNotMatchCart' } });
  own = await update(own, { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 1 });
  t.match(own.shippingInfo, { shippingMethodState: 'MatchesCart' });
  own = await update(own, { action: 'setShippingAddress', address: american });
  t.notOk('shippingInfo' in own, 'it does not ship there');
  own = await update(own, set('post'));
  const gone = await update(own, { action: 'setShippingAddress' });
  t.notOk('shippingInfo' in gone || 'taxedPrice' in gone);
  own = await update(own, { action: 'setShippingMethod' }).catch(() => gone);
  own = await update(gone, { action: 'setShippingAddress', address: german }, set('post'));
  own = await update(own, { action: 'setShippingMethod' });
  t.notOk('shippingInfo' in own);
  t.equal(own.totalPrice.centAmount, 1000);

  own = await update(own, set('post'));
  const stored = (await api.shippingMethods().withId({ ID: id }).get().execute()).body;
  const actions = [
    { action: 'changeName' as const, name: 'Mail' },
    {
      action: 'removeShippingRate' as const,
      zone: zone('de'),
      shippingRate: { price: eur(500), freeAbove: eur(3000) },
    },
    { action: 'addShippingRate' as const, zone: zone('de'), shippingRate: { price: eur(550) } },
  ];
  await api
    .shippingMethods()
    .withId({ ID: id })
    .post({ body: { version: stored.version, actions } })
    .execute();
  own = await update(own, { action: 'recalculate' });
  t.match(own.shippingInfo, { shippingMethodName: 'Mail', price: eur(550) }, 'rates that change');
});

t.test('tiers go by the value of the cart, its class or its score, as the project says', async (t) => {
  const { addMethod, changeProject, cart, update, refused, addDiscount } = await startShop();
  const tiered = (tiers: ShippingRateDraft['tiers']) => ({ de: [{ price: eur(900), ...(tiers && { tiers }) }] });
  const start = (key: string): Promise<Cart> =>
    cart({
      shippingAddress: german,
      shippingMethod: method(key),
      lineItems: [{ sku: 'lamp', key: 'line', quantity: 4 }],
    });
  const change = (quantity: number): CartUpdateAction => ({
    action: 'changeLineItemQuantity',
    lineItemKey: 'line',
    quantity,
  });
  const score = (value: number): CartUpdateAction => ({
    action: 'setShippingRateInput',
    shippingRateInput: { type: 'Score', score: value },
  });
  const classified = (key: string): CartUpdateAction => ({
    action: 'setShippingRateInput',
    shippingRateInput: { type: 'Classification', key },
  });
  await changeProject({ action: 'setShippingRateInputType' });
  await addMethod('plain', tiered(undefined));
  const plain = await start('plain');
  t.equal(shippingOf(plain), 900);
  for (const action of [score(1), classified('heavy')])
    t.match(await refused(plain, action), { error: { code: 'InvalidOperation' } }, 'the project has no tiers');

  await changeProject({ action: 'setShippingRateInputType', shippingRateInputType: { type: 'CartScore' } });
  const scores: ShippingRateDraft['tiers'] = [
    { type: 'CartScore', score: 5, price: eur(700) },
    { type: 'CartScore', score: 10, priceFunction: { currencyCode: 'EUR', function: '(50 * x) + 100' } },
  ];
  await addMethod('scored', tiered(scores));
  let own = await start('scored');
  t.equal(shippingOf(own), 900, 'no score');
  for (const [value, expected] of [
    [4, 900],
    [5, 700],
    [9, 700],
    [10, 600],
    [20, 1100],
  ] as const) {
    own = await update(own, score(value));
    t.equal(shippingOf(own), expected, `score ${value}`);
  }
  t.match(await refused(own, classified('heavy')), { error: { code: 'InvalidOperation' } });

  const values = [{ key: 'heavy', label: { en: 'Heavy', de: 'Schwer' } }];
  await changeProject({
    action: 'setShippingRateInputType',
    shippingRateInputType: { type: 'CartClassification', values },
  });
  await addMethod('classified', tiered([{ type: 'CartClassification', value: 'heavy', price: eur(1500) }]));
  t.equal(shippingOf(await update(own, { action: 'recalculate' })), 900, 'tiers of another type do not count');
  own = await start('classified');
  own = await update(own, classified('heavy'));
  t.match(own.shippingRateInput, { type: 'Classification', key: 'heavy', label: { en: 'Heavy', de: 'Schwer' } });
  t.equal(shippingOf(own), 1500);
  t.equal((await refused(own, classified('none'))).status, 400);
  own = await update(own, { action: 'setShippingRateInput' });
  t.equal(shippingOf(own), 900);

  await changeProject({ action: 'setShippingRateInputType', shippingRateInputType: { type: 'CartValue' } });
  await addMethod(
    'valued',
    tiered([
      { type: 'CartValue', minimumCentAmount: 2000, price: eur(600) },
      { type: 'CartValue', minimumCentAmount: 4000, price: eur(300) },
    ]),
  );
  own = await start('valued');
  t.equal(shippingOf(own), 300);
  own = await update(own, change(3));
  t.equal(shippingOf(own), 600);
  await addDiscount('half', { type: 'relative', permyriad: 5000 });
  own = await update(own, change(3));
  t.strictSame(totalsOf(own), { lines: [1500], shipping: 900, total: 2400 }, 'the value is that after discounts');
  t.match(await refused(own, score(1)), { error: { code: 'InvalidOperation' } });
});

t.test('the methods that match a cart cost what it gets', async (t) => {
  const { addMethod, changeProject, cart, update, api } = await startShop();
  await changeProject({ action: 'setShippingRateInputType', shippingRateInputType: { type: 'CartValue' } });
  await addMethod('tiered', {
    de: [{ price: eur(900), tiers: [{ type: 'CartValue', minimumCentAmount: 2000, price: eur(600) }] }],
    us: [{ price: eur(10) }],
  });
  await addMethod('free', { de: [{ price: eur(800), freeAbove: eur(2000) }] });
  await addMethod('picky', { de: [{ price: eur(3) }] }, { predicate: 'totalPrice < "20.00 EUR"' });
  await addMethod('american', { us: [{ price: eur(10) }] });
  await addMethod('dollars', { de: [{ price: usd(10) }] });
  for (const [quantity, names] of [
    [1, ['free', 'picky', 'tiered']],
    [2, ['free', 'tiered']],
  ] as const) {
    const own = await cart({ shippingAddress: german, lineItems: [{ sku: 'lamp', quantity }] });
    const { body } = await api
      .shippingMethods()
      .matchingCart()
      .get({ queryArgs: { cartId: own.id } })
      .execute();
    t.strictSame(body.results.map(({ key }) => key!).sort(), names);
    for (const { id, key, zoneRates } of body.results) {
      const rates = zoneRates.flatMap(({ shippingRates }) =>
        shippingRates.filter(({ isMatching }) => isMatching === true),
      );
      t.equal(rates.length, 1, key!);
      const [{ price, freeAbove, tiers }] = rates as [(typeof rates)[number]];
      const tier = (tiers as readonly { isMatching?: boolean; price?: { centAmount: number } }[]).find(
        ({ isMatching }) => isMatching === true,
      );
      const isFree = freeAbove !== undefined && quantity * 1000 >= freeAbove.centAmount;
      const expected = isFree ? 0 : (tier?.price ?? price).centAmount;
      const shipped = await update(await cart({ shippingAddress: german, lineItems: [{ sku: 'lamp', quantity }] }), {
        action: 'setShippingMethod',
        shippingMethod: { typeId: 'shipping-method', id },
      });
      t.equal(shippingOf(shipped), expected, `${key} for ${quantity}`);
    }
  }
});

t.test('a discount on shipping is in its discounted price', async (t) => {
  const { addMethod, cart, update, addDiscount } = await startShop();
  await addMethod('post', { de: [{ price: eur(595) }] });
  await addDiscount('shipping', { type: 'relative', permyriad: 5000 }, { target: { type: 'shipping' } });
  const id = await addDiscount(
    'more',
    { type: 'absolute', money: [eur(1000)] },
    { target: { type: 'shipping' }, cartPredicate: 'country = "DE"' },
  );
  let own = await cart({ shippingAddress: german, shippingMethod: method('post'), lineItems: [{ sku: 'lamp' }] });
  // 297.5 goes to the even one.
  t.match(own.shippingInfo, {
    price: eur(595),
    discountedPrice: { value: eur(298) },
    taxedPrice: { totalGross: eur(298) },
  });
  t.equal(own.totalPrice.centAmount, 1298);
  own = await update(own, { action: 'setCountry', country: 'DE' });
  t.strictSame(totalsOf(own), { lines: [1000], shipping: 0, total: 1000 });
  t.match(own.shippingInfo!.discountedPrice!.includedDiscounts[1], { discount: { id }, discountedAmount: eur(298) });
});

t.test('a custom method costs what the client says', async (t) => {
  const { cart, update, refused, api, changeProject } = await startShop();
  const rate = { price: eur(700), freeAbove: eur(3000) };
  const custom = {
    action: 'setCustomShippingMethod',
    shippingMethodName: 'Courier',
    shippingRate: rate,
    taxCategory: standard,
  } as const;
  t.match(await refused(await cart(), custom), { error: { code: 'InvalidOperation' } }, 'no address');
  let own = await cart({ shippingAddress: german, lineItems: [{ sku: 'lamp', key: 'line' }] });
  own = await update(own, custom);
  t.match(own.shippingInfo, {
    shippingMethodName: 'Courier',
    price: eur(700),
    shippingRate: { ...rate, tiers: [] },
    taxedPrice: { totalNet: eur(700), totalGross: eur(833) },
    shippingMethodState: 'MatchesCart',
  });
  t.notOk('shippingMethod' in own.shippingInfo!);
  own = await update(own, { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 3 });
  t.equal(shippingOf(own), 0);
  own = await update(own, { action: 'setShippingAddress', address: { country: 'US' } });
  t.match(own.shippingInfo, { shippingMethodName: 'Courier', taxRate: { name: 'Federal' } });
  await changeProject({ action: 'setShippingRateInputType', shippingRateInputType: { type: 'CartValue' } });
  const tiers = [{ type: 'CartValue' as const, minimumCentAmount: 3000, price: eur(50) }];
  own = await update(own, { ...custom, shippingRate: { price: eur(700), tiers } });
  t.equal(shippingOf(own), 50);
  t.match(await refused(own, { ...custom, shippingRate: { price: usd(700) } }), { error: { code: 'InvalidField' } });
  t.match(await refused(own, { ...custom, taxCategory: { typeId: 'tax-category', key: 'none' } }), { status: 400 });
  const { taxCategory: _, ...untaxed } = custom;
  t.match(await refused(own, untaxed), { error: { code: 'InvalidOperation' } });
  await api
    .types()
    .post({
      body: {
        key: 'note',
        name: { en: 'Note' },
        resourceTypeIds: ['shipping'],
        fieldDefinitions: [{ name: 'note', label: { en: 'Note' }, required: false, type: { name: 'String' } }],
      },
    })
    .execute();
  own = await update(own, { ...custom, custom: { type: { typeId: 'type', key: 'note' }, fields: { note: 'ring' } } });
  t.match(own.shippingCustomFields, { fields: { note: 'ring' } });
  own = await update(own, { action: 'setShippingCustomField', name: 'note', value: 'knock' });
  t.match(own.shippingCustomFields, { fields: { note: 'knock' } });
  own = await update(own, { action: 'setShippingMethod' }, { action: 'setShippingCustomType' });
  t.notOk('shippingInfo' in own || 'shippingCustomFields' in own);
});

t.test('addresses of items have keys', async (t) => {
  const { cart, refused, refusedDraft } = await startShop();
  const { key: _, ...address } = { ...german, key: 'home' };
  const missing = (field: string): object => ({ status: 400, error: { code: 'RequiredField', field } });
  const own = await cart({ itemShippingAddresses: [{ ...address, key: 'home' }] });
  const country = { action: 'setCountry', country: 'DE' } as const;
  for (const action of ['addItemShippingAddress', 'updateItemShippingAddress'] as const)
    t.match(await refused(own, country, { action, address }), missing('actions[1].address.key'), action);
  const itemShippingAddresses = [{ ...address, key: 'home' }, address];
  t.match(await refusedDraft({ itemShippingAddresses }), missing('itemShippingAddresses[1].key'));
});

t.test('a cart with several methods has each one’s price and taxes, once all is distributed', async (t) => {
  const { addMethod, cart, update, refused, refusedDraft } = await startShop();
  await addMethod('post', { de: [{ price: eur(500) }], us: [{ price: eur(900) }] });
  const home = { ...german, key: 'home' };
  const away = { ...american, key: 'away' };
  let own = await cart({
    shippingMode: 'Multiple',
    lineItems: [{ key: 'line', sku: 'lamp', quantity: 3 }],
    itemShippingAddresses: [home, away],
  });
  t.notOk('taxedPrice' in own);
  const post = {
    action: 'addShippingMethod',
    shippingKey: 'by-post',
    shippingMethod: method('post'),
    shippingAddress: german,
  } as const;
  const courier = {
    action: 'addCustomShippingMethod',
    shippingKey: 'courier',
    shippingMethodName: 'Courier',
    shippingAddress: american,
    shippingRate: { price: eur(700) },
    taxCategory: standard,
  } as const;
  own = await update(own, post, courier);
  t.equal(own.totalPrice.centAmount, 4200);
  t.notOk('shippingInfo' in own);
  t.match(own.shipping, [
    { shippingKey: 'by-post', shippingAddress: german, shippingInfo: { price: eur(500), taxRate: { name: 'VAT' } } },
    {
      shippingKey: 'courier',
      shippingAddress: american,
      shippingInfo: { shippingMethodName: 'Courier', price: eur(700) },
    },
  ]);
  t.notOk('taxedPrice' in own, 'nobody knows where the lamps go');
  const targets = [
    { addressKey: 'home', quantity: 1, shippingMethodKey: 'by-post' },
    { addressKey: 'away', quantity: 1, shippingMethodKey: 'courier' },
  ];
  own = await update(own, { action: 'setLineItemShippingDetails', lineItemKey: 'line', shippingDetails: { targets } });
  t.match(own.lineItems, [{ shippingDetails: { valid: false, targets } }]);
  t.notOk('taxedPrice' in own);
  const delta = [{ addressKey: 'away', quantity: 1, shippingMethodKey: 'courier' }];
  own = await update(own, {
    action: 'applyDeltaToLineItemShippingDetailsTargets',
    lineItemKey: 'line',
    targetsDelta: delta,
  });
  const [line] = own.lineItems;
  t.equal(line!.shippingDetails!.valid, true);
  t.match(line!.perMethodTaxRate, [
    { shippingMethodKey: 'by-post', taxRate: { name: 'VAT' } },
    { shippingMethodKey: 'courier', taxRate: { name: 'Federal' } },
  ]);
  t.match(line!.taxedPricePortions, [
    { shippingMethodKey: 'by-post', taxedPrice: { totalNet: eur(1000), totalGross: eur(1190) } },
    { shippingMethodKey: 'courier', taxedPrice: { totalNet: eur(2000), totalGross: eur(2100) } },
  ]);
  t.match(line!.taxedPrice, { totalNet: eur(3000), totalGross: eur(3290) });
  // 500 and 833 gross for shipping of 420 and 700; 5 % of 700 are 35.
  t.match(own.taxedShippingPrice, { totalNet: eur(1120), totalGross: eur(1235) });
  t.match(own.taxedPrice, { totalNet: eur(4120), totalGross: eur(4525) });
  const { lineItems, shipping, taxedPrice } = own;
  for (const address of [{ country: 'FR' }, undefined]) {
    own = await update(own, { action: 'setShippingAddress', ...(address !== undefined && { address }) });
    t.strictSame(own.shippingAddress, address);
    t.match(own, { lineItems, shipping, taxedPrice }, 'addresses are those of the methods');
  }

  for (const [why, action] of [
    ['a key that is there', post],
    ['the one method of a cart', set('post')],
    [
      'a custom one',
      {
        action: 'setCustomShippingMethod',
        shippingMethodName: 'a',
        shippingRate: { price: eur(1) },
        taxCategory: standard,
      },
    ],
    ['no such key', { action: 'removeShippingMethod', shippingKey: 'none' }],
    [
      'no such address',
      {
        action: 'addShippingMethod',
        shippingKey: 'other',
        shippingMethod: method('post'),
        shippingAddress: { country: 'FR' },
      },
    ],
    [
      'an unknown method in a target',
      {
        action: 'setLineItemShippingDetails',
        lineItemKey: 'line',
        shippingDetails: { targets: [{ ...targets[0]!, shippingMethodKey: 'none' }] },
      },
    ],
    [
      'an unknown address',
      {
        action: 'setLineItemShippingDetails',
        lineItemKey: 'line',
        shippingDetails: { targets: [{ addressKey: 'none', quantity: 1 }] },
      },
    ],
    ['an address that is used', { action: 'removeItemShippingAddress', addressKey: 'home' }],
    ['a method that is used', { action: 'removeShippingMethod', shippingKey: 'courier' }],
    ['an address twice', { action: 'addItemShippingAddress', address: home }],
    [
      'more than there is',
      {
        action: 'applyDeltaToLineItemShippingDetailsTargets',
        lineItemKey: 'line',
        targetsDelta: [{ addressKey: 'home', quantity: -2, shippingMethodKey: 'by-post' }],
      },
    ],
  ] as const satisfies readonly (readonly [string, CartUpdateAction])[])
    t.equal((await refused(own, action)).status, 400, why);
  own = await update(own, { action: 'updateItemShippingAddress', address: { ...home, city: 'Bonn' } });
  t.equal(own.itemShippingAddresses[0]!.city, 'Bonn');
  own = await update(
    own,
    { action: 'setLineItemShippingDetails', lineItemKey: 'line' },
    { action: 'removeShippingMethod', shippingKey: 'courier' },
    { action: 'removeItemShippingAddress', addressKey: 'away' },
  );
  t.equal(own.totalPrice.centAmount, 3500);

  for (const action of [post, courier, { action: 'removeShippingMethod', shippingKey: 'by-post' }] as const)
    t.match(await refused(await cart({ shippingAddress: german }), action), { error: { code: 'InvalidOperation' } });
  const drafted = await cart({
    shippingMode: 'Multiple',
    itemShippingAddresses: [home],
    lineItems: [
      {
        sku: 'lamp',
        shippingDetails: { targets: [{ addressKey: 'home', quantity: 1, shippingMethodKey: 'by-post' }] },
      },
    ],
    shipping: [
      {
        key: 'by-post',
        shippingMethod: { typeId: 'shipping-method', id: own.shipping[0]!.shippingInfo.shippingMethod!.id },
        shippingAddress: german,
      },
    ],
    customShipping: [],
  });
  t.match(drafted, { totalPrice: eur(1500), taxedPrice: { totalNet: eur(1420), totalGross: eur(1690) } });
  t.equal(
    (
      await refusedDraft({
        customShipping: [
          {
            key: 'courier',
            shippingMethodName: 'a',
            shippingAddress: german,
            shippingRate: { price: eur(1) },
            taxCategory: standard,
          },
        ],
      })
    ).status,
    400,
    'the mode is Single',
  );
});

t.test('what predicates of methods read of others, and of the cart, shows at the next match', async (t) => {
  const { addMethod, addProduct, changeProduct, cart, update, request, api } = await startShop();
  await request('POST', '/categories', { key: 'light', name: { en: 'Light' }, slug: { en: 'light' } });
  await addProduct('bulb', [{ value: eur(100) }]);
  const rates = { de: [{ price: eur(500) }] };
  const predicates = {
    keyed: 'lineItemExists(product.key = "glow")',
    lit: 'lineItemExists(categories.key contains any ("light"))',
    dim: 'lineItemExists(categories.key contains any ("dim"))',
    known: 'customer.companyName = "Lamps"',
    grouped: 'customer.customerGroup.key = "members"',
    many: 'lineItemCount(true) > 1',
  };
  for (const [key, predicate] of Object.entries(predicates)) await addMethod(key, rates, { predicate });
  const customer = (
    await api
      .customers()
      .post({ body: { email: 'ada@example.org', password: 'Secret12' } })
      .execute()
  ).body.customer;
  let own = await cart({ customerId: customer.id, shippingAddress: german, lineItems: [{ sku: 'bulb' }] });
  const matching = async (): Promise<readonly string[]> => {
    const { body } = await api
      .shippingMethods()
      .matchingCart()
      .get({ queryArgs: { cartId: own.id } })
      .execute();
    return body.results.map(({ key }) => key!).toSorted();
  };
  t.strictSame(await matching(), []);
  own = await update(own, { action: 'setLocale', locale: 'de' });
  t.strictSame(await matching(), [], 'what is kept of others is known now');

  await changeProduct('bulb', { action: 'setKey', key: 'glow' });
  t.strictSame(await matching(), ['keyed']);
  const category = { typeId: 'category', key: 'light' };
  await changeProduct('glow', { action: 'addToCategory', category, staged: false });
  t.strictSame(await matching(), ['keyed', 'lit']);
  const { body: light } = await request('GET', '/categories/key=light');
  const renamed = { version: light['version'], actions: [{ action: 'setKey', key: 'dim' }] };
  t.equal((await request('POST', `/categories/${String(light['id'])}`, renamed)).status, 200);
  t.strictSame(await matching(), ['dim', 'keyed']);
  const changed = await api
    .customers()
    .withId({ ID: customer.id })
    .post({
      body: {
        version: customer.version,
        actions: [
          { action: 'setCompanyName', companyName: 'Lamps' },
          { action: 'setCustomerGroup', customerGroup: { typeId: 'customer-group', key: 'members' } },
        ],
      },
    })
    .execute();
  t.equal(changed.statusCode, 200);
  t.strictSame(await matching(), ['dim', 'grouped', 'keyed', 'known']);
  own = await update(own, { action: 'addLineItem', sku: 'bulb' });
  t.strictSame(await matching(), ['dim', 'grouped', 'keyed', 'known', 'many']);
  await api
    .carts()
    .withId({ ID: own.id })
    .delete({ queryArgs: { version: own.version } })
    .execute();
  t.equal((await request('GET', `/shipping-methods/matching-cart?cartId=${own.id}`)).status, 400);
});
