/** Line items of carts, as a client of the public API has them. */
import { randomUUID } from 'node:crypto';
import type { Cart, CartUpdateAction, LineItem } from '@commercetools/platform-sdk';
import t from 'tap';
import { groupId } from '../../src/engine/groups.ts';
import { eur, german, lineOf, refusalOf, startCartShop, totalsOf } from '../support/cart-shop.ts';

const channel = (key: string) => ({ typeId: 'channel' as const, key });
const group = (key: string) => ({ typeId: 'customer-group' as const, key });

t.test('lines are added by SKU or by product and variant, and equal ones become one', async (t) => {
  const { addProduct, cart, update, refused } = await startCartShop();
  const product = await addProduct('lamp', [{ value: eur(1000) }], {
    variants: [{ sku: 'lamp-2', key: 'second', prices: [{ value: eur(1500) }] }],
  });
  const other = await addProduct('other', []);
  const second = { productId: product.id, variantId: 2 };
  let own = await cart({ lineItems: [{ sku: 'lamp', quantity: 2 }, { productId: product.id }, second] });
  t.strictSame(totalsOf(own), { lines: [3000, 1500], total: 4500 });
  t.equal(own.totalLineItemQuantity, 4);
  const [first] = own.lineItems as [LineItem];
  t.match(first, {
    productId: product.id,
    productKey: 'lamp',
    name: { en: 'lamp' },
    productSlug: { en: 'slug-lamp' },
    productType: { typeId: 'product-type', id: product.productType.id },
    variant: { id: 1, sku: 'lamp', prices: [{ value: eur(1000) }] },
    price: { value: { type: 'centPrecision', ...eur(1000), fractionDigits: 2 } },
    quantity: 3,
    priceMode: 'Platform',
    lineItemMode: 'Standard',
    state: [],
    discountedPricePerQuantity: [],
    perMethodTaxRate: [],
    taxedPricePortions: [],
  });
  t.type(first.addedAt, 'string');
  own = await update(own, { action: 'addLineItem', sku: 'lamp', quantity: 4 }, { action: 'addLineItem', ...second });
  t.strictSame(totalsOf(own), { lines: [7000, 3000], total: 10_000 });
  t.equal(own.lineItems[0]!.id, first.id, 'it is the line that there was');

  for (const [what, named] of [
    ['an unknown SKU', { sku: 'none' }],
    ['an unknown product', { productId: randomUUID() }],
    ['what is no id', { productId: 'none' }],
    ['an unknown variant', { productId: product.id, variantId: 3 }],
    ['an SKU of another product', { productId: randomUUID(), sku: 'lamp' }],
  ] as const) {
    const { status, error } = await refused(own, { action: 'addLineItem', ...named });
    t.equal(status, 400, what);
    t.match(error.code, /ReferencedResourceNotFound|InvalidField/, what);
  }
  for (const named of [{ productId: other.id }, { variantId: 2 }, { productId: product.id, variantId: 2 }])
    t.match(await refused(own, { action: 'addLineItem', sku: 'lamp', ...named }), {
      status: 400,
      error: {
        code: 'InvalidInput',
        message: "The SKU 'lamp' is of another variant than productId and variantId name.",
      },
    });
  t.match(await refused(own, { action: 'addLineItem' }), { status: 400, error: { code: 'InvalidInput' } });
  for (const quantity of [0, -1, 1.5])
    t.match(await refused(own, { action: 'addLineItem', sku: 'lamp', quantity }), { status: 400 });
});

t.test('a product is for sale while it is published, and its line stays as it was afterwards', async (t) => {
  const { addProduct, changeProduct, cart, update, refused, api } = await startCartShop();
  const { id } = await addProduct('lamp', [{ value: eur(1000) }], { publish: false });
  let own = await cart();
  for (const named of [{ sku: 'lamp' }, { productId: id }])
    t.match(await refused(own, { action: 'addLineItem', ...named }), { error: { code: 'ReferencedResourceNotFound' } });
  await changeProduct('lamp', { action: 'publish' });
  own = await update(own, { action: 'addLineItem', sku: 'lamp' });
  await changeProduct('lamp', { action: 'unpublish' });
  t.match(await refused(own, { action: 'addLineItem', sku: 'lamp' }), { status: 400 });
  const [{ id: lineItemId }] = own.lineItems as [LineItem];
  own = await update(own, { action: 'changeLineItemQuantity', lineItemId, quantity: 5 });
  t.strictSame(totalsOf(own), { lines: [5000], total: 5000 }, 'at its last price');
  const { version } = (await api.products().withId({ ID: id }).get().execute()).body;
  await api.products().withId({ ID: id }).delete({ queryArgs: { version } }).execute();
  own = await update(own, { action: 'recalculate', updateProductData: true });
  t.strictSame(totalsOf(own), { lines: [5000], total: 5000 });
  t.match(own.lineItems, [{ productId: id, name: { en: 'lamp' }, variant: { sku: 'lamp' } }]);
  own = await update(own, { action: 'setShippingAddress', address: german });
  own = await update(own, { action: 'removeLineItem', lineItemId });
  t.strictSame(totalsOf(own), { lines: [], total: 0 });
  t.notOk('totalLineItemQuantity' in own);
});

t.test('prices follow their products with each update, and product data when that is asked for', async (t) => {
  const { addProduct, changeProduct, cart, update, api } = await startCartShop();
  await addProduct('lamp', [{ key: 'base', value: eur(1000) }]);
  let own = await cart({ lineItems: [{ sku: 'lamp', quantity: 2 }] });
  const price = { action: 'changePrice', priceId: lineOf(own, 'lamp').price.id, price: { value: eur(1200) } };
  await changeProduct('lamp', price, { action: 'changeName', name: { en: 'Lamp of light' } }, { action: 'publish' });
  t.equal((await api.carts().withId({ ID: own.id }).get().execute()).body.totalPrice.centAmount, 2000, 'reading');
  own = await update(own, { action: 'setCountry', country: 'DE' });
  t.strictSame(totalsOf(own), { lines: [2400], total: 2400 });
  t.match(own.lineItems, [{ name: { en: 'lamp' }, price: { value: eur(1200) } }]);
  t.equal(own.lineItems[0]!.variant.prices![0]!.value.centAmount, 1000, 'the variant stays as it was taken over');
  own = await update(own, { action: 'recalculate' });
  t.match(own.lineItems, [{ name: { en: 'lamp' } }]);
  await changeProduct('lamp', { action: 'setKey' });
  const before = own.lineItems[0]!;
  own = await update({ ...own }, { action: 'recalculate', updateProductData: true });
  t.match(own.lineItems, [{ id: before.id, name: { en: 'Lamp of light' }, addedAt: before.addedAt! }]);
  t.equal(own.lineItems[0]!.variant.prices![0]!.value.centAmount, 1200);
  t.notOk('productKey' in own.lineItems[0]!, 'the product has no key any more');
});

t.test('the variant of a line has the attributes of its product as well, of which predicates know', async (t) => {
  const { request, addProduct, changeProduct, addDiscount, cart, update } = await startCartShop();
  const attribute = (name: string, level: string) => ({ name, level, label: { en: name }, type: { name: 'text' } });
  const attributes = [
    { ...attribute('brand', 'Product'), isRequired: false },
    { ...attribute('color', 'Variant'), isRequired: false },
  ];
  const type = { key: 'branded', name: 'Branded', description: '', attributes };
  t.match(await request('POST', '/product-types', type), { status: 201 });
  await addProduct('lamp', [{ value: eur(1000) }], {
    productType: { typeId: 'product-type', key: 'branded' },
    attributes: [{ name: 'brand', value: 'ACME' }],
    masterVariant: { sku: 'lamp', prices: [{ value: eur(1000) }], attributes: [{ name: 'color', value: 'red' }] },
  });
  await addDiscount(
    'acme',
    { type: 'relative', permyriad: 1000 },
    { target: { type: 'lineItems', predicate: 'attributes.brand = "ACME" and attributes.color = "red"' } },
  );
  const gift = {
    type: 'giftLineItem',
    product: { typeId: 'product', key: 'lamp' },
    variantId: 1,
  } as const;
  await addDiscount('gift', gift, { cartPredicate: 'country = "DE"' });
  const known = [
    { name: 'brand', value: 'ACME' },
    { name: 'color', value: 'red' },
  ];
  let own = await cart({ country: 'DE', lineItems: [{ sku: 'lamp' }] });
  t.strictSame(
    own.lineItems.map(({ variant }) => variant.attributes),
    [known, known],
    'and that of a gift',
  );
  t.strictSame(totalsOf(own), { lines: [900, 0], total: 900 });

  await changeProduct('lamp', { action: 'setProductAttribute', name: 'brand', value: 'Other', staged: false });
  own = await update(own, { action: 'recalculate', updateProductData: true });
  t.strictSame(lineOf(own, 'lamp').variant.attributes, [{ name: 'brand', value: 'Other' }, known[1]]);
  t.strictSame(totalsOf(own), { lines: [1000, 0], total: 1000 });
});

t.test('the price is that for the group, then the channel, then the country, and for the quantity', async (t) => {
  const { addProduct, cart, update, refused, api } = await startCartShop();
  const members = group('members');
  await addProduct('lamp', [
    {
      value: eur(1000),
      tiers: [
        { minimumQuantity: 10, value: eur(900) },
        { minimumQuantity: 5, value: eur(950) },
      ],
    },
    { value: eur(1001), country: 'DE' },
    { value: eur(1002), channel: channel('north') },
    { value: eur(1003), channel: channel('north'), country: 'DE' },
    { value: eur(1004), customerGroup: members },
    { value: eur(1005), customerGroup: members, country: 'DE' },
    { value: eur(1006), customerGroup: members, channel: channel('north') },
    { value: eur(1007), customerGroup: members, channel: channel('north'), country: 'DE' },
    { value: { currencyCode: 'USD', centAmount: 1100 } },
  ]);
  let own = await cart({ lineItems: [{ sku: 'lamp', key: 'first' }] });
  const lineItemKey = 'first';
  const costs = async (expected: number, ...actions: CartUpdateAction[]): Promise<void> => {
    own = await update(own, ...actions);
    t.equal(own.lineItems[0]!.price.value.centAmount, expected, JSON.stringify(actions));
  };
  const north = channel('north');
  await costs(1001, { action: 'setCountry', country: 'DE' });
  await costs(1003, { action: 'setLineItemDistributionChannel', lineItemKey, distributionChannel: north });
  await costs(1002, { action: 'setCountry' });
  await costs(1006, { action: 'setCustomerGroup', customerGroup: members });
  await costs(1007, { action: 'setCountry', country: 'DE' });
  await costs(1005, { action: 'setLineItemDistributionChannel', lineItemKey, distributionChannel: channel('south') });
  await costs(1004, { action: 'setCountry', country: 'US' });
  await costs(1000, { action: 'setCustomerGroup' }, { action: 'setLineItemDistributionChannel', lineItemKey });
  await costs(950, { action: 'changeLineItemQuantity', lineItemKey, quantity: 9 });
  await costs(900, { action: 'addLineItem', sku: 'lamp', quantity: 91 });
  t.equal(own.totalPrice.centAmount, 90_000);
  await costs(1000, { action: 'removeLineItem', lineItemKey, quantity: 96 });
  t.equal(own.lineItems[0]!.quantity, 4);
  t.equal((await cart({ currency: 'USD', lineItems: [{ sku: 'lamp' }] })).totalPrice.centAmount, 1100);

  const customer = (
    await api
      .customers()
      .post({ body: { email: 'a@example.org', password: 'secret-pass-1', customerGroup: members } })
      .execute()
  ).body.customer;
  own = await update(own, { action: 'setCustomerId', customerId: customer.id });
  t.match(own, { customerGroup: { id: customer.customerGroup!.id }, lineItems: [{ price: { value: eur(1004) } }] });
  t.match(await refused(own, { action: 'setCustomerGroup' }), { error: { code: 'InvalidOperation' } });
  own = await update(own, { action: 'setCustomerId' });
  t.notOk('customerId' in own || 'customerGroup' in own);
  t.equal(own.lineItems[0]!.price.value.centAmount, 1000);

  const assigned = await api
    .customers()
    .post({
      body: {
        email: 'b@example.org',
        password: 'secret-pass-1',
        customerGroupAssignments: [{ customerGroup: members }],
      },
    })
    .execute();
  own = await update(own, { action: 'setCustomerId', customerId: assigned.body.customer.id });
  t.equal(own.lineItems[0]!.price.value.centAmount, 1004, 'a group that the customer is assigned to');
  t.notOk('customerGroup' in own);
});

t.test('without a price for the cart nothing is changed, and the error says what was sought', async (t) => {
  const { addProduct, cart, update, refused, refusedDraft, api } = await startCartShop();
  const product = await addProduct('lamp', [{ value: eur(1000), country: 'DE' }]);
  const { id: members } = (await api.customerGroups().withKey({ key: 'members' }).get().execute()).body;
  const { id: north } = (await api.channels().withKey({ key: 'north' }).get().execute()).body;
  const lineItems = [{ sku: 'lamp', distributionChannel: channel('north') }];
  const draft = { country: 'US', customerGroup: group('members'), lineItems };
  const { status, error } = await refusedDraft(draft);
  t.equal(status, 400);
  t.match(error, {
    code: 'MatchingPriceNotFound',
    productId: product.id,
    variantId: 1,
    currency: 'EUR',
    country: 'US',
    customerGroup: { typeId: 'customer-group', id: members },
    channel: { typeId: 'channel', id: north },
  });
  const own = await cart({ country: 'DE', lineItems: [{ sku: 'lamp' }] });
  const absent = await refused(own, { action: 'setCountry' });
  t.match(absent.error, { code: 'MatchingPriceNotFound', productId: product.id, variantId: 1, currency: 'EUR' });
  for (const name of ['country', 'customerGroup', 'channel']) t.notOk(name in absent.error, name);
  t.match((await refused(own, { action: 'setKey', key: 'own' }, { action: 'setCountry', country: 'FR' })).error, {
    code: 'MatchingPriceNotFound',
    country: 'FR',
  });
  const left = { action: 'removeLineItem', lineItemId: own.lineItems[0]!.id } as const;
  t.equal((await update(own, { action: 'setCountry', country: 'FR' }, left)).lineItems.length, 0, 'and others may go');
});

t.test('standalone prices count where the product says so, and while they are active', async (t) => {
  const { addProduct, cart, update, refused, api } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }], { priceMode: 'Standalone' });
  const own = await cart();
  t.match(await refused(own, { action: 'addLineItem', sku: 'lamp' }), { error: { code: 'MatchingPriceNotFound' } });
  const post = async (body: object): Promise<{ id: string; version: number }> =>
    (
      await api
        .standalonePrices()
        .post({ body: { sku: 'lamp', value: eur(700), ...body } })
        .execute()
    ).body;
  const price = await post({ tiers: [{ minimumQuantity: 3, value: eur(650) }] });
  const german = await post({ value: eur(500), country: 'DE', active: false });
  let line = await update(own, { action: 'addLineItem', sku: 'lamp', quantity: 2 });
  t.match(line.lineItems, [{ price: { id: price.id, value: eur(700) } }]);
  line = await update(line, { action: 'setCountry', country: 'DE' });
  t.equal(line.totalPrice.centAmount, 1400);
  const activate = { version: german.version, actions: [{ action: 'changeActive' as const, active: true }] };
  await api.standalonePrices().withId({ ID: german.id }).post({ body: activate }).execute();
  line = await update(line, { action: 'recalculate' });
  t.equal(line.totalPrice.centAmount, 1000);
  line = await update(line, { action: 'setCountry' }, { action: 'addLineItem', sku: 'lamp' });
  t.match(line.lineItems, [{ price: { id: price.id, value: eur(650) }, totalPrice: { centAmount: 1950 } }]);
});

t.test('a standalone price is not that of the same SKU in another project', async (t) => {
  for (const centAmount of [100, 200]) {
    const { addProduct, cart, update, api } = await startCartShop();
    await addProduct('everywhere', [], { priceMode: 'Standalone' });
    await api
      .standalonePrices()
      .post({ body: { sku: 'everywhere', value: eur(centAmount) } })
      .execute();
    const { totalPrice } = await update(await cart(), { action: 'addLineItem', sku: 'everywhere' });
    t.equal(totalPrice.centAmount, centAmount);
  }
});

t.test('a standalone price is not that of a SKU with the same hash', async (t) => {
  const { addProduct, cart, update, api } = await startCartShop();
  const twins = ['A', 'E'].map(
    (letter) => `TEXTCOLLBYfGiJUETHQ4h${letter}cKSMd5zYpgqf1YRDhkmxHkhPWptrkoyz28wnI9V0aHeAuaKnak`,
  );
  t.equal(new Set(twins.map(groupId)).size, 1);
  for (const [index, sku] of twins.entries()) {
    await addProduct(sku, [], { priceMode: 'Standalone' });
    const body = { sku, value: eur(100 + index) };
    t.equal((await api.standalonePrices().post({ body }).execute()).statusCode, 201);
  }
  for (const [index, sku] of twins.entries()) {
    const { totalPrice } = await update(await cart(), { action: 'addLineItem', sku });
    t.equal(totalPrice.centAmount, 100 + index);
  }
});

t.test('product discounts are in the price of a line, and go with it', async (t) => {
  const { addProduct, changeProduct, cart, update, api } = await startCartShop();
  const half = (
    await api
      .productDiscounts()
      .post({
        body: {
          name: { en: 'half' },
          value: { type: 'relative', permyriad: 5000 },
          predicate: 'sku = "lamp"',
          sortOrder: '0.5',
          isActive: true,
        },
      })
      .execute()
  ).body;
  await addProduct('lamp', [{ value: eur(101) }]);
  await addProduct('desk', [{ value: eur(1000) }]);
  const shown = async (): Promise<unknown> =>
    (
      await api
        .productProjections()
        .withKey({ key: 'lamp' })
        .get({ queryArgs: { priceCurrency: 'EUR' } })
        .execute()
    ).body.masterVariant.price;
  const price = await shown();
  const own = await cart({ lineItems: [{ sku: 'lamp', quantity: 3 }, { sku: 'desk' }] });
  t.strictSame(own.lineItems[0]!.price, price);
  t.match(price, { value: eur(101), discounted: { value: eur(50), discount: { id: half.id } } });
  t.strictSame(totalsOf(own), { lines: [150, 1000], total: 1150 }, 'ties go down');
  const off = { version: half.version, actions: [{ action: 'changeIsActive' as const, isActive: false }] };
  await api.productDiscounts().withId({ ID: half.id }).post({ body: off }).execute();
  // Products follow in the background, and when they are written.
  await changeProduct('lamp', { action: 'setKey', key: 'lamp' }, { action: 'publish' });
  const later = await update(own, { action: 'recalculate' });
  t.strictSame(later.lineItems[0]!.price, await shown());
  t.strictSame(totalsOf(later), { lines: [303, 1000], total: 1303 });
});

t.test('prices that the client gives stay, alone or as a total', async (t) => {
  const { addProduct, cart, update, refused } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }]);
  let own = await cart({
    lineItems: [
      { key: 'priced', sku: 'lamp', quantity: 3, externalPrice: eur(777) },
      { key: 'total', sku: 'lamp', quantity: 3, externalTotalPrice: { price: eur(400), totalPrice: eur(999) } },
      { key: 'own', sku: 'lamp' },
    ],
  });
  t.strictSame(
    own.lineItems.map(({ priceMode, price, totalPrice }) => [priceMode, price.value.centAmount, totalPrice.centAmount]),
    [
      ['ExternalPrice', 777, 2331],
      ['ExternalTotal', 400, 999],
      ['Platform', 1000, 1000],
    ],
  );
  own = await update(own, { action: 'addLineItem', sku: 'lamp' }, { action: 'recalculate', updateProductData: true });
  t.strictSame(totalsOf(own), { lines: [2331, 999, 2000], total: 5330 });
  const change = { action: 'changeLineItemQuantity', quantity: 5 } as const;
  t.match(await refused(own, { ...change, lineItemKey: 'priced' }), { error: { code: 'InvalidOperation' } });
  t.match(
    await refused(own, {
      ...change,
      lineItemKey: 'priced',
      externalPrice: eur(1),
      externalTotalPrice: { price: eur(1), totalPrice: eur(1) },
    }),
    { error: { code: 'InvalidInput' } },
  );
  own = await update(
    own,
    { ...change, lineItemKey: 'priced', externalPrice: eur(700) },
    { ...change, lineItemKey: 'total', externalTotalPrice: { price: eur(400), totalPrice: eur(1500) } },
  );
  t.strictSame(totalsOf(own), { lines: [3500, 1500, 2000], total: 7000 });
  own = await update(own, { ...change, quantity: 6, lineItemKey: 'total' });
  t.match(own.lineItems[1], { priceMode: 'Platform', quantity: 6, totalPrice: { centAmount: 6000 } });
  own = await update(own, { action: 'setLineItemPrice', lineItemKey: 'priced' });
  t.match(own.lineItems[0], { priceMode: 'Platform', totalPrice: { centAmount: 5000 } });
  const precise = {
    type: 'highPrecision' as const,
    currencyCode: 'EUR',
    fractionDigits: 4,
    preciseAmount: 12_345,
  };
  own = await update(own, { action: 'setLineItemPrice', lineItemKey: 'own', externalPrice: precise });
  t.match(own.lineItems[2], {
    priceMode: 'ExternalPrice',
    price: { value: { ...precise, centAmount: 123 } },
    totalPrice: { centAmount: 247 },
  });
  own = await update(own, {
    action: 'setLineItemTotalPrice',
    lineItemKey: 'own',
    externalTotalPrice: { price: eur(100), totalPrice: eur(201) },
  });
  t.match(own.lineItems[2], { priceMode: 'ExternalTotal', totalPrice: { centAmount: 201 } });
  const dollars = { currencyCode: 'USD', centAmount: 100 };
  for (const action of [
    { action: 'setLineItemPrice', lineItemKey: 'own', externalPrice: dollars },
    {
      action: 'setLineItemTotalPrice',
      lineItemKey: 'own',
      externalTotalPrice: { price: eur(1), totalPrice: dollars },
    },
    {
      action: 'setLineItemTotalPrice',
      lineItemKey: 'own',
      externalTotalPrice: { price: dollars, totalPrice: eur(1) },
    },
  ] as const)
    t.match(await refused(own, action), { error: { code: 'InvalidField' } }, JSON.stringify(action));
  const twice = await refused(
    own,
    { action: 'setLineItemPrice', lineItemKey: 'own', externalPrice: dollars },
    { action: 'setLineItemPrice', lineItemKey: 'own', externalPrice: eur(1) },
  );
  t.match(twice, { error: { code: 'InvalidField', field: 'externalPrice' } }, 'one that is replaced at once as well');
});

t.test('channels, custom fields and external prices keep lines apart, and keys do not', async (t) => {
  const { addProduct, cart, update, refused, api } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }]);
  await api
    .types()
    .post({
      body: {
        key: 'note',
        name: { en: 'Note' },
        resourceTypeIds: ['line-item'],
        fieldDefinitions: [
          { name: 'note', label: { en: 'Note' }, required: false, type: { name: 'String' } },
          {
            name: 'parts',
            label: { en: 'Parts' },
            required: false,
            type: { name: 'Set', elementType: { name: 'String' } },
          },
        ],
      },
    })
    .execute();
  const type = { typeId: 'type' as const, key: 'note' };
  const custom = { type, fields: { note: 'engraved', parts: ['b', 'a'] } };
  const kinds: readonly Omit<Extract<CartUpdateAction, { action: 'addLineItem' }>, 'action'>[] = [
    {},
    { supplyChannel: channel('north') },
    { distributionChannel: channel('north') },
    { distributionChannel: channel('south') },
    { custom },
    { custom: { type, fields: { note: 'other' } } },
    { custom: { type } },
  ];
  const add = kinds.map((kind) => ({ action: 'addLineItem' as const, sku: 'lamp', ...kind }));
  let own = await update(await cart(), ...add);
  t.equal(own.lineItems.length, kinds.length);
  own = await update(own, ...add);
  t.strictSame(
    own.lineItems.map(({ quantity }) => quantity),
    kinds.map(() => 2),
  );
  own = await update(own, { action: 'addLineItem', sku: 'lamp', key: 'named' });
  t.equal(own.lineItems.length, kinds.length, 'a key does not tell lines apart');
  t.equal(own.lineItems[0]!.quantity, 3);
  own = await update(
    own,
    { action: 'addLineItem', sku: 'lamp', key: 'priced', externalPrice: eur(1) },
    { action: 'addLineItem', sku: 'lamp', externalPrice: eur(1) },
  );
  t.equal(own.lineItems.length, kinds.length + 2);
  t.match(await refused(own, { action: 'addLineItem', sku: 'lamp', key: 'priced', externalPrice: eur(2) }), {
    status: 400,
  });
  const last = own.lineItems.at(-1)!;
  own = await update(
    own,
    { action: 'setLineItemCustomType', lineItemKey: 'priced', type, fields: { note: 'x' } },
    { action: 'setLineItemCustomField', lineItemKey: 'priced', name: 'note', value: 'y' },
    { action: 'setLineItemSupplyChannel', lineItemId: last.id, supplyChannel: channel('south') },
    { action: 'setLineItemInventoryMode', lineItemId: last.id, inventoryMode: 'TrackOnly' },
  );
  t.match(own.lineItems.at(-2), { custom: { fields: { note: 'y' } } });
  t.match(own.lineItems.at(-1), { inventoryMode: 'TrackOnly', supplyChannel: { typeId: 'channel' } });
  t.match(await refused(own, { action: 'setLineItemCustomField', lineItemKey: 'priced', name: 'none', value: 1 }), {
    status: 400,
  });
  t.match(await refused(own, { action: 'setLineItemCustomField', lineItemKey: 'other', name: 'note', value: '' }), {
    error: { code: 'InvalidOperation' },
  });

  const order = own.lineItems.map(({ id }) => id).reverse();
  own = await update(own, { action: 'changeLineItemsOrder', lineItemOrder: order });
  t.strictSame(
    own.lineItems.map(({ id }) => id),
    order,
  );
  for (const lineItemOrder of [order.slice(1), [...order, order[0]!], [...order.slice(1), randomUUID()], []])
    t.match(await refused(own, { action: 'changeLineItemsOrder', lineItemOrder }), {
      error: { code: 'InvalidOperation' },
    });
});

t.test('quantities rise and fall, and a line without any is gone', async (t) => {
  const { addProduct, cart, update, refused } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }]);
  const lines = ['aa', 'bb', 'cc'].map((key) => ({ key, sku: 'lamp', externalPrice: eur(10) }));
  let own = await cart({ lineItems: [{ key: 'dd', sku: 'lamp', quantity: 9 }, ...lines] });
  own = await update(
    own,
    { action: 'removeLineItem', lineItemKey: 'dd', quantity: 4 },
    { action: 'changeLineItemQuantity', lineItemKey: 'aa', quantity: 0 },
    { action: 'removeLineItem', lineItemKey: 'bb' },
    { action: 'removeLineItem', lineItemKey: 'cc', quantity: 7 },
  );
  t.strictSame(
    own.lineItems.map(({ key, quantity }) => [key, quantity]),
    [['dd', 5]],
  );
  for (const action of ['removeLineItem', 'changeLineItemQuantity'] as const)
    t.match(await refused(own, { action, lineItemKey: 'aa', quantity: 1 }), { error: { code: 'InvalidOperation' } });
  t.match(await refused(own, { action: 'changeLineItemQuantity', lineItemKey: 'dd', quantity: -1 }), { status: 400 });
  t.match(await refused(own, { action: 'removeLineItem' }), { status: 400 });
});

t.test('a store sells what its selections show, at the prices of its channels', async (t) => {
  const { addProduct, cart, api, request } = await startCartShop();
  for (const key of ['shown', 'hidden'])
    await addProduct(key, [
      { value: eur(1000) },
      { value: eur(900), channel: channel('north') },
      { value: eur(800), channel: channel('south') },
    ]);
  const selection = (
    await api
      .productSelections()
      .post({ body: { key: 'all', name: { en: 'All' } } })
      .execute()
  ).body;
  const product = { typeId: 'product' as const, key: 'shown' };
  const actions = [{ action: 'addProduct' as const, product }];
  await api
    .productSelections()
    .withId({ ID: selection.id })
    .post({ body: { version: selection.version, actions } })
    .execute();
  const productSelections = [
    { productSelection: { typeId: 'product-selection' as const, id: selection.id }, active: true },
  ];
  await api
    .stores()
    .post({ body: { key: 'shop', productSelections, distributionChannels: [channel('north')] } })
    .execute();
  await api
    .stores()
    .post({ body: { key: 'open' } })
    .execute();
  const store = (key: string) => ({ typeId: 'store' as const, key });
  const add = async (own: Cart, sku: string, at?: string): Promise<Cart> => {
    const body = {
      version: own.version,
      actions: [{ action: 'addLineItem' as const, sku, ...(at !== undefined && { distributionChannel: channel(at) }) }],
    };
    return (await api.carts().withId({ ID: own.id }).post({ body }).execute()).body;
  };
  let own = await cart({ store: store('shop') });
  own = await add(own, 'shown');
  own = await add(own, 'shown', 'north');
  t.strictSame(totalsOf(own), { lines: [1000, 900], total: 1900 });
  t.match(await refusalOf(add(own, 'shown', 'south')), {
    error: { code: 'InvalidOperation', message: /'shop' does not sell by/ },
  });
  const isIn = /^The product '[^']+' is in no product selection/;
  t.match(await refusalOf(add(own, 'hidden')), { error: { code: 'InvalidInput', message: isIn } });
  const unselected = await request('POST', '/product-selections/key=all', {
    version: selection.version + 1,
    actions: [
      {
        action: 'setVariantSelection',
        product,
        variantSelection: { type: 'includeAllExcept', skus: ['shown'] },
      },
    ],
  });
  t.equal(unselected.status, 200);
  const shown = (await api.products().withKey({ key: 'shown' }).get().execute()).body;
  const another = { action: 'addVariant', sku: 'another', prices: [{ value: eur(700) }], staged: false };
  await request('POST', `/products/${shown.id}`, { version: shown.version, actions: [another] });
  t.match(await refusalOf(add(own, 'shown')), {
    error: { code: 'InvalidInput', message: /^The variant 1 of the product '[^']+' is in no product selection/ },
  });
  t.match((await add(own, 'another')).lineItems[2], { price: { value: { centAmount: 700 } } });
  t.match((await add(await cart({ store: store('open') }), 'hidden', 'south')).totalPrice, { centAmount: 800 });
  const draft = { currency: 'EUR', lineItems: [{ sku: 'hidden' }] };
  t.match(await request('POST', '/in-store/key=shop/carts', draft), {
    status: 400,
    body: { errors: [{ code: 'InvalidInput' }] },
  });
  t.match(await request('POST', '/in-store/key=open/carts', draft), { status: 201, body: { store: { key: 'open' } } });
});

t.test('items with the same custom fields are the same, however these are written', async (t) => {
  const { addProduct, cart, update, refused, request } = await startCartShop();
  await addProduct('lamp', [{ value: eur(1000) }]);
  const fieldDefinitions = Object.entries({
    money: { name: 'Money' },
    at: { name: 'DateTime' },
    names: { name: 'Set', elementType: { name: 'String' } },
  }).map(([name, type]) => ({ name, type, label: { en: name }, required: false }));
  const resourceTypeIds = ['line-item', 'custom-line-item'];
  await request('POST', '/types', { key: 'parts', name: { en: 'Parts' }, resourceTypeIds, fieldDefinitions });
  const custom = {
    type: { typeId: 'type', key: 'parts' },
    fields: { money: eur(5), at: '2026-01-01T00:00:00Z', names: ['a', 'a', 'b'] },
  } as const;
  const line = { action: 'addLineItem', sku: 'lamp', custom } as const;
  let own = await update(await cart(), line);
  own = await update(own, line, line);
  own = await update(own, line);
  t.equal(own.lineItems.length, 1);
  t.equal(own.lineItems[0]!.quantity, 4);
  const otherwise = { ...custom, fields: { ...custom.fields, at: '2026-01-01T00:00:00.000Z', names: ['a', 'b'] } };
  const drafted = await cart({ lineItems: [custom, otherwise].map((each) => ({ sku: 'lamp', custom: each })) });
  t.match(drafted.lineItems, [{ quantity: 2 }], 'in one draft, too');
  t.equal(drafted.lineItems.length, 1);
  own = await update(own, { ...line, custom: { ...custom, fields: { ...custom.fields, names: ['b'] } } });
  t.equal(own.lineItems.length, 2, 'another value is another line');
  const taxCategory = { typeId: 'tax-category', key: 'standard' } as const;
  const item = { name: { en: 'Fee' }, slug: 'fee', money: eur(100), taxCategory, custom };
  const fee = { action: 'addCustomLineItem', ...item } as const;
  own = await update(own, fee);
  own = await update(own, fee);
  t.equal(own.customLineItems[0]!.quantity, 2);
  own = await update(own, { ...fee, priceMode: 'External' });
  t.match(own.customLineItems, [{ quantity: 3, priceMode: 'Standard' }], 'whatever discounts may do to what is added');
  t.match(await refused(own, { ...fee, money: eur(1) }), { error: { code: 'InvalidOperation' } });
});

t.test('what is left of parts that others have stood before stays valid as it is', async (t) => {
  const { addProduct, cart, update, refused, request } = await startCartShop();
  for (const sku of ['lamp', 'chair']) await addProduct(sku, [{ value: eur(1000) }]);
  const { body: type } = await request('POST', '/types', {
    key: 'note',
    name: { en: 'Note' },
    resourceTypeIds: ['line-item'],
  });
  const custom = { type: { typeId: 'type', key: 'note' } } as const;
  const own = await cart({
    lineItems: [
      { sku: 'lamp', custom },
      { sku: 'chair', custom },
    ],
  });
  const fieldDefinition = { name: 'text', label: { en: 'Text' }, type: { name: 'String' }, required: true };
  const actions = [{ action: 'addFieldDefinition', fieldDefinition }];
  t.match(await request('POST', `/types/${String(type['id'])}`, { version: 1, actions }), { status: 200 });
  const [first, second] = own.lineItems;
  const [lineItemId, lineItemOrder] = [first!.id, [second!.id, first!.id]];
  const moved = await update(own, { action: 'changeLineItemsOrder', lineItemOrder });
  t.match(await refused(moved, { action: 'addLineItem', sku: 'lamp', externalPrice: eur(1), custom }), {
    error: { code: 'RequiredField', field: 'lineItems[2].custom.fields.text' },
  });
  const left = await update(moved, { action: 'removeLineItem', lineItemId });
  t.strictSame(
    left.lineItems.map(({ id }) => id),
    [second!.id],
  );
});
