/** Orders that were made elsewhere. */
import type { OrderImportDraft } from '@commercetools/platform-sdk';
import t from 'tap';
import { eur, german, refusalOf } from '../support/cart-shop.ts';
import { away, home, startOrderShop } from '../support/order-shop.ts';

const shop = await startOrderShop();
const { api, request } = shop;
const { body: lamp } = await api.products().withKey({ key: 'lamp' }).get().execute();

type Line = NonNullable<OrderImportDraft['lineItems']>[number];
type Item = NonNullable<OrderImportDraft['customLineItems']>[number];

const line = (draft: Partial<Line> = {}): Line => ({
  name: { en: 'An older lamp' },
  variant: { sku: 'lamp' },
  price: { value: eur(900) },
  quantity: 2,
  ...draft,
});
const item = (draft: Partial<Item> = {}): Item => ({
  name: { en: 'Wrap' },
  slug: 'wrap',
  money: eur(100),
  quantity: 3,
  ...draft,
});
const imported = async (draft: Partial<OrderImportDraft>) =>
  (
    await api
      .orders()
      .importOrder()
      .post({ body: { totalPrice: eur(1), ...draft } })
      .execute()
  ).body;
const refused = (draft: object) => refusalOf(imported(draft));
const made = async (path: string, body: object): Promise<string> =>
  (await request('POST', path, body)).body['id'] as string;
const stateLink = (id: string) => ({ typeId: 'state' as const, id });

const rate = { name: 'VAT', amount: 0.19, includedInPrice: true, country: 'DE' };

t.test('all that it costs is what the draft says', async (t) => {
  const [into, group, category] = await Promise.all([
    made('/channels', { key: 'into', roles: ['ProductDistribution', 'InventorySupply'] }),
    made('/customer-groups', { key: 'old', groupName: 'Old' }),
    made('/tax-categories', { key: 'old', name: 'Old', rates: [] }),
  ]);
  const packed = await made('/states', { key: 'packed', type: 'LineItemState' });
  const paid = await made('/payments', { amountPlanned: eur(1) });
  const status = await made('/states', { key: 'status', type: 'OrderState', initial: false });
  const { body: customer } = await request('POST', '/customers', {
    email: 'jane@example.org',
    password: 'secret word 1',
  });
  const { id: customerId } = customer['customer'] as { id: string };
  const note = { type: { typeId: 'type' as const, key: 'note' }, fields: { note: 'x' } };
  const { id: initial } = (await api.states().withKey({ key: 'Initial' }).get().execute()).body;
  const taxedPrice = {
    totalNet: eur(1000),
    totalGross: eur(1190),
    taxPortions: [{ name: 'VAT', rate: 0.19, amount: eur(190) }],
  };
  const draft = {
    orderNumber: 'I-1',
    purchaseOrderNumber: 'PO',
    customerId,
    customerEmail: 'nobody@example.org',
    customerGroup: { typeId: 'customer-group' as const, id: group },
    totalPrice: eur(1234),
    taxedPrice,
    billingAddress: { country: 'FR' },
    shippingAddress: german,
    itemShippingAddresses: [home, away],
    orderState: 'Complete' as const,
    paymentState: 'Paid' as const,
    shipmentState: 'Shipped' as const,
    state: stateLink(status),
    country: 'DE',
    origin: 'Merchant' as const,
    taxCalculationMode: 'UnitPriceLevel' as const,
    priceRoundingMode: 'HalfUp' as const,
    taxRoundingMode: 'HalfDown' as const,
    completedAt: '2020-01-01T00:00:00.000Z',
    paymentInfo: { payments: [{ typeId: 'payment' as const, id: paid }] },
    custom: note,
    lineItems: [
      line({
        key: 'line',
        productId: lamp.id,
        variant: {
          sku: 'lamp',
          prices: [{ value: eur(7) }],
          attributes: [{ name: 'color', value: 'red' }],
          images: [{ url: 'https://images.example.org/a.jpg', dimensions: { w: 1, h: 1 } }],
        },
        price: {
          value: {
            ...eur(0),
            type: 'highPrecision',
            preciseAmount: 12345,
            fractionDigits: 4,
            centAmount: 123,
          } as Line['price']['value'],
        },
        quantity: 3,
        taxRate: { id: 'rate-1', ...rate },
        distributionChannel: { typeId: 'channel', id: into },
        supplyChannel: { typeId: 'channel', key: 'into' },
        state: [
          { quantity: 1, state: stateLink(packed) },
          { quantity: 2, state: stateLink(initial) },
        ],
        shippingDetails: {
          targets: [
            { addressKey: 'home', quantity: 1 },
            { addressKey: 'away', quantity: 2 },
          ],
        },
        custom: note,
      }),
    ],
    customLineItems: [
      item({
        key: 'item',
        taxRate: rate,
        taxCategory: { typeId: 'tax-category', id: category },
        priceMode: 'External',
        custom: note,
      }),
    ],
    shippingInfo: {
      shippingMethodName: 'Old post',
      price: eur(300),
      shippingRate: { price: eur(400) },
      taxRate: rate,
      shippingMethod: { typeId: 'shipping-method' as const, key: 'post' },
      deliveries: [{ key: 'first', items: [], parcels: [{ key: 'box' }] }],
      discountedPrice: { value: eur(200), includedDiscounts: [] },
      shippingMethodState: 'DoesNotMatchCart',
    },
  };
  const own = await imported(draft);
  const { lineItems: _, customLineItems: _c, shippingInfo: _s, taxedPrice: _t, custom: _f, ...plain } = draft;
  t.match(own, plain);
  t.match(own, {
    version: 1,
    taxedPrice: { ...taxedPrice, totalTax: eur(190) },
    shippingMode: 'Single',
    inventoryMode: 'None',
    custom: { fields: { note: 'x' } },
    syncInfo: [],
    returnInfo: [],
    lineItems: [
      {
        key: 'line',
        name: { en: 'An older lamp' },
        productId: lamp.id,
        productKey: 'lamp',
        productSlug: { en: 'slug-lamp' },
        productType: lamp.productType,
        variant: {
          id: 1,
          sku: 'lamp',
          prices: [{ value: eur(7) }],
          attributes: [{ name: 'color', value: 'red' }],
          images: [{ url: 'https://images.example.org/a.jpg' }],
        },
        quantity: 3,
        totalPrice: eur(370),
        taxRate: { id: 'rate-1', ...rate },
        distributionChannel: { id: into },
        supplyChannel: { id: into },
        state: [
          { quantity: 1, state: stateLink(packed) },
          { quantity: 2, state: stateLink(initial) },
        ],
        shippingDetails: { targets: [{ addressKey: 'home' }, { addressKey: 'away' }], valid: true },
        custom: { fields: { note: 'x' } },
      },
    ],
    customLineItems: [
      {
        key: 'item',
        slug: 'wrap',
        totalPrice: eur(300),
        taxRate: rate,
        taxCategory: { id: category },
        priceMode: 'External',
        state: [{ quantity: 3, state: stateLink(initial) }],
        custom: { fields: { note: 'x' } },
      },
    ],
    shippingInfo: {
      shippingMethodName: 'Old post',
      price: eur(300),
      shippingRate: { price: eur(400) },
      taxRate: rate,
      deliveries: [{ key: 'first', parcels: [{ key: 'box' }] }],
      discountedPrice: { value: eur(200) },
      shippingMethodState: 'DoesNotMatchCart',
    },
  });
  t.strictSame((await api.orders().withOrderNumber({ orderNumber: 'I-1' }).get().execute()).body, own);
  t.match(await refused({ ...plain, lineItems: [line()], paymentInfo: undefined }), {
    error: { code: 'DuplicateField', field: 'orderNumber' },
  });
  t.match(await refused({ lineItems: [line()], paymentInfo: draft.paymentInfo }), {
    error: { code: 'InvalidOperation' },
  });
});

t.test('what a draft leaves out is as plain as can be', async (t) => {
  const own = await imported({ lineItems: [line({ productId: lamp.id, variant: { id: 1 } })] });
  t.match(own, {
    orderState: 'Open',
    totalPrice: eur(1),
    taxRoundingMode: 'HalfEven',
    taxCalculationMode: 'LineItemLevel',
    origin: 'Customer',
    lineItems: [{ totalPrice: eur(1800), variant: { id: 1, sku: 'lamp', prices: [{ value: eur(1000) }] } }],
    customLineItems: [],
  });
  for (const name of ['taxedPrice', 'shippingInfo', 'cart', 'orderNumber', 'completedAt']) t.notOk(name in own);
  const { body: after } = await api
    .orders()
    .withId({ ID: own.id })
    .post({ body: { version: 1, actions: [{ action: 'changeOrderState', orderState: 'Cancelled' }] } })
    .execute();
  t.match(after, { orderState: 'Cancelled', version: 2 });
});

t.test('an order may be of what came back, and of what is not for sale', async (t) => {
  await shop.addProduct('relic', [], { publish: false });
  const own = await imported({
    totalPrice: eur(-1800),
    lineItems: [line({ quantity: -2 }), line({ variant: { sku: 'relic' }, price: { value: eur(-5) } })],
  });
  t.match(own, {
    totalPrice: eur(-1800),
    lineItems: [{ quantity: -2, totalPrice: eur(-1800), state: [{ quantity: -2 }] }, { totalPrice: eur(-10) }],
  });
});

t.test('a line has the attributes of its product, as they are where its variant is', async (t) => {
  const name = 'brand';
  const attribute = { name, level: 'Product', label: { en: name }, type: { name: 'text' }, isRequired: false };
  await made('/product-types', { key: 'branded', name: 'Branded', description: '', attributes: [attribute] });
  await shop.addProduct('branded', [], {
    productType: { typeId: 'product-type', key: 'branded' },
    attributes: [{ name, value: 'ACME' }],
  });
  await shop.changeProduct(
    'branded',
    { action: 'setProductAttribute', name, value: 'Staged' },
    { action: 'addVariant', sku: 'staged' },
  );
  const { lineItems } = await imported({
    lineItems: [line({ variant: { sku: 'branded' } }), line({ variant: { sku: 'staged' } })],
  });
  t.strictSame(
    lineItems.map(({ variant }) => variant.attributes),
    [[{ name, value: 'ACME' }], [{ name, value: 'Staged' }]],
  );
});

t.test('what cannot be is refused, all of it together', async (t) => {
  const desk = await shop.addProduct('desk', [{ value: eur(5000) }]);
  const missing = '7f2d1c6a-8f0e-4c7b-9b3e-0c3f5a1d2e4f';
  const { id: initial } = (await api.states().withKey({ key: 'Initial' }).get().execute()).body;
  const of = (quantity: number) => [{ quantity, state: stateLink(initial) }];
  const ofAnother = {
    code: 'InvalidInput',
    message: "The SKU 'lamp' is of another variant than productId and variantId name.",
  };
  const cases: readonly (readonly [object, object])[] = [
    [{}, { code: 'InvalidInput' }],
    [{ lineItems: [line({ variant: { sku: 'none' } })] }, { code: 'ReferencedResourceNotFound', typeId: 'product' }],
    [{ lineItems: [line({ variant: {} })] }, { code: 'ReferencedResourceNotFound', typeId: 'product' }],
    [
      { lineItems: [line({ productId: lamp.id, variant: { id: 2 } })] },
      { code: 'ReferencedResourceNotFound', id: lamp.id },
    ],
    [
      { lineItems: [line({ productId: missing, variant: { id: 1 } })] },
      { code: 'ReferencedResourceNotFound', id: missing },
    ],
    [
      { customLineItems: [item()], customerId: missing },
      { code: 'ReferencedResourceNotFound', typeId: 'customer' },
    ],
    [{ lineItems: [line({ productId: desk.id, variant: { sku: 'lamp' } })] }, ofAnother],
    [{ lineItems: [line({ variant: { sku: 'lamp', id: 2 } })] }, ofAnother],
    [{ lineItems: [line({ state: of(1) })] }, { code: 'InvalidOperation' }],
    [{ customLineItems: [item({ state: of(4) })] }, { code: 'InvalidOperation' }],
    [{ lineItems: [line({ key: 'same' }), line({ key: 'same' })] }, { code: 'DuplicateField' }],
    [
      { lineItems: [line({ shippingDetails: { targets: [{ addressKey: 'home', quantity: 2 }] } })] },
      { code: 'InvalidOperation' },
    ],
    [
      {
        itemShippingAddresses: [home],
        lineItems: [line({ shippingDetails: { targets: [{ addressKey: 'home', quantity: 1 }] } })],
      },
      { code: 'InvalidItemShippingDetails', subject: 'LineItem' },
    ],
    [{ itemShippingAddresses: [german], lineItems: [line()] }, { code: 'RequiredField' }],
    [{ lineItems: [line()], businessUnit: { typeId: 'business-unit', key: 'unit' } }, { code: 'InvalidInput' }],
    [{ lineItems: [line()], orderState: 'Lost' }, { code: 'InvalidField' }],
    [
      { lineItems: [line()], totalPrice: undefined },
      { code: 'RequiredField', field: 'totalPrice' },
    ],
  ];
  for (const [draft, error] of cases) t.match(await refused(draft), { status: 400, error }, JSON.stringify(draft));
  const { body } = await request('POST', '/orders/import', {
    totalPrice: eur(1),
    lineItems: [line({ variant: { sku: 'none' } }), line({ variant: { sku: 'no-more' } })],
  });
  t.equal((body['errors'] as unknown[]).length, 2);
  const { body: both } = await request('POST', '/orders/import', {
    totalPrice: eur(1),
    lineItems: [line({ state: of(1) })],
    customLineItems: [item({ shippingDetails: { targets: [{ addressKey: 'home', quantity: 3 }] } })],
  });
  t.equal((both['errors'] as unknown[]).length, 2);
});

t.test('all amounts are in the currency of the total', async (t) => {
  const usd = { currencyCode: 'USD', centAmount: 100 };
  const off = await made('/cart-discounts', {
    name: { en: 'Off' },
    value: { type: 'relative', permyriad: 1000 },
    target: { type: 'shipping' },
    cartPredicate: '1 = 1',
    sortOrder: '0.5',
    isActive: false,
  });
  const { body } = await request('POST', '/orders/import', {
    totalPrice: eur(1),
    lineItems: [line({ price: { value: usd, tiers: [{ minimumQuantity: 2, value: usd }] } })],
    customLineItems: [item({ money: usd })],
    taxedPrice: { totalNet: usd, totalGross: eur(1), taxPortions: [{ rate: 0.1, amount: usd }], totalTax: usd },
    shippingInfo: {
      shippingMethodName: 'Post',
      price: usd,
      shippingRate: { price: usd, freeAbove: usd, tiers: [{ type: 'CartValue', minimumCentAmount: 1, price: usd }] },
      discountedPrice: {
        value: usd,
        includedDiscounts: [{ discount: { typeId: 'cart-discount', id: off }, discountedAmount: usd }],
      },
    },
  });
  t.match(
    (body['errors'] as { code: string; field: string }[]).map(({ code, field }) => `${code} ${field}`).sort(),
    [
      'customLineItems[0].money',
      'lineItems[0].price.tiers[0].value',
      'lineItems[0].price.value',
      'shippingInfo.discountedPrice.includedDiscounts[0].discountedAmount',
      'shippingInfo.discountedPrice.value',
      'shippingInfo.price',
      'shippingInfo.shippingRate.freeAbove',
      'shippingInfo.shippingRate.price',
      'shippingInfo.shippingRate.tiers[0].price',
      'taxedPrice.taxPortions[0].amount',
      'taxedPrice.totalNet',
      'taxedPrice.totalTax',
    ].map((field) => `InvalidField ${field}`),
  );
});

t.test('it has no more items than a cart', async (t) => {
  const many = <T>(count: number, one: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, index) => one(index));
  const invalid = { status: 400, error: { code: 'InvalidOperation' } };
  t.match(await refused({ lineItems: many(501, () => line()) }), invalid);
  t.match(await refused({ customLineItems: many(101, (index) => item({ slug: `wrap-${index}` })) }), invalid);
  t.equal((await imported({ lineItems: many(500, () => line()) })).lineItems.length, 500);
});

t.test('in a store it is of the channels and countries of that', async (t) => {
  const [own] = [await made('/channels', { key: 'own', roles: ['ProductDistribution', 'InventorySupply'] })];
  const foreign = await made('/channels', { key: 'foreign', roles: ['ProductDistribution', 'InventorySupply'] });
  const link = (id: string) => ({ typeId: 'channel' as const, id });
  await made('/stores', {
    key: 'north',
    countries: [{ code: 'DE' }],
    distributionChannels: [link(own)],
    supplyChannels: [link(own)],
  });
  await made('/stores', { key: 'open' });
  const store = (key: string) => ({ typeId: 'store' as const, key });
  const channels = { distributionChannel: link(foreign), supplyChannel: link(foreign) };
  t.match(await imported({ store: store('north'), country: 'DE', lineItems: [line({ supplyChannel: link(own) })] }), {
    store: store('north'),
  });
  t.match(await imported({ store: store('open'), country: 'FR', lineItems: [line(channels)] }), {
    store: store('open'),
  });
  const refusals: readonly (readonly [Partial<OrderImportDraft>, object])[] = [
    [{ lineItems: [line({ distributionChannel: link(foreign) })] }, { code: 'InvalidOperation' }],
    [{ lineItems: [line({ supplyChannel: link(foreign) })] }, { code: 'InvalidOperation' }],
    [
      { country: 'FR', lineItems: [line()] },
      { code: 'CountryNotConfiguredInStore', storeCountries: ['DE'], country: 'FR' },
    ],
  ];
  for (const [draft, error] of refusals) t.match(await refused({ store: store('north'), ...draft }), { error });
});

t.test('what is tracked is taken from the stock', async (t) => {
  await shop.addProduct('rare', [{ value: eur(1) }]);
  await made('/inventory', { sku: 'rare', quantityOnStock: 5 });
  const rare = (quantity: number) => line({ variant: { sku: 'rare' }, quantity });
  const stock = async (): Promise<unknown> =>
    (await request('GET', `/inventory?where=${encodeURIComponent('sku = "rare"')}`)).body['results'];
  await imported({ inventoryMode: 'ReserveOnOrder', lineItems: [rare(2), rare(1)] });
  t.match(await stock(), [{ quantityOnStock: 2, availableQuantity: 2 }]);
  t.match(await refused({ inventoryMode: 'ReserveOnOrder', lineItems: [rare(3)] }), {
    error: { code: 'OutOfStock', skus: ['rare'] },
  });
  t.match(await stock(), [{ quantityOnStock: 2 }]);
  await imported({ lineItems: [rare(9), { ...rare(3), inventoryMode: 'TrackOnly' }] });
  t.match(await stock(), [{ quantityOnStock: -1, availableQuantity: -1 }]);
});

t.test('stock stays a number that is kept exactly', async (t) => {
  await shop.addProduct('bulb', [{ value: eur(100) }]);
  const { body: entry } = await request('POST', '/inventory', { sku: 'bulb', quantityOnStock: 10 });
  const most = Number.MAX_SAFE_INTEGER;
  const tracked = (...quantities: readonly number[]): Partial<OrderImportDraft> => ({
    inventoryMode: 'TrackOnly',
    lineItems: quantities.map((quantity) => line({ variant: { sku: 'bulb' }, price: { value: eur(0) }, quantity })),
  });
  await imported(tracked(most));
  for (const draft of [tracked(most), tracked(1, most), tracked(-most, -most, -most)])
    t.match(await refused(draft), { status: 400, error: { code: 'InvalidOperation', message: /kept exactly/ } });
  t.match((await request('GET', `/inventory/${String(entry['id'])}`)).body, { quantityOnStock: 10 - most });
});

t.test('GraphQL imports with inputs of its own', async (t) => {
  const paid = await made('/payments', { amountPlanned: eur(1) });
  await made('/stores', { key: 'south' });
  const { body: south } = await request('GET', '/stores/key=south');
  const query = `mutation M($draft: ImportOrderDraft!) {
    importOrder(draft: $draft) {
      orderNumber totalPrice { centAmount } taxedPrice { totalTax { centAmount } } store { key }
      paymentInfo { payments { id } }
      lineItems { name(locale: "en") totalPrice { centAmount } variant { sku attributesRaw { name value } } state { quantity state { key } } }
      shippingInfo { shippingMethodName deliveries { key } }
    }
  }`;
  const draft = {
    orderNumber: 'G-1',
    totalPrice: eur(500),
    taxedPrice: {
      totalNet: { centPrecision: eur(400) },
      totalGross: { centPrecision: eur(500) },
      taxPortions: [{ rate: 0.25, amount: eur(100) }],
    },
    store: { typeId: 'store', id: south['id'] },
    paymentInfo: { typeId: 'payment', id: paid },
    lineItems: [
      {
        name: [{ locale: 'en', value: 'Lamp' }],
        variant: { sku: 'lamp', attributes: [{ name: 'color', value: '"red"' }] },
        price: { value: { centPrecision: eur(50) } },
        quantity: 2,
        taxRate: rate,
      },
    ],
    shippingInfo: {
      shippingMethodName: 'Post',
      price: eur(1),
      shippingRate: { price: eur(1) },
      deliveries: [{ key: 'first', items: [], parcels: [] }],
    },
  };
  const { body } = await request('POST', '/graphql', { query, variables: { draft } });
  t.match(body, {
    data: {
      importOrder: {
        orderNumber: 'G-1',
        totalPrice: { centAmount: 500 },
        taxedPrice: { totalTax: { centAmount: 100 } },
        store: { key: 'south' },
        paymentInfo: { payments: [{ id: paid }] },
        lineItems: [
          {
            name: 'Lamp',
            totalPrice: { centAmount: 100 },
            variant: { sku: 'lamp', attributesRaw: [{ name: 'color', value: 'red' }] },
            state: [{ quantity: 2, state: { key: 'Initial' } }],
          },
        ],
        shippingInfo: { shippingMethodName: 'Post', deliveries: [{ key: 'first' }] },
      },
    },
  });
  const { body: refusedBody } = await request('POST', '/graphql', {
    query,
    variables: { draft: { totalPrice: eur(1) } },
  });
  t.match(refusedBody, { errors: [{ extensions: { code: 'InvalidInput' } }] });
});

t.test('who manages orders imports them', async (t) => {
  const token = await shop.tokenWith([`view_orders:${shop.projectKey}`]);
  const { status } = await request(
    'POST',
    '/orders/import',
    { totalPrice: eur(1), lineItems: [line()] },
    { authorization: `Bearer ${token}` },
  );
  t.equal(status, 403);
});
