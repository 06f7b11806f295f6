import { Piscina } from 'piscina';
import type { CartDiscountValueDraft } from '@commercetools/platform-sdk';
import t from 'tap';
import { eur, german, newYork, startCartShop } from '../support/cart-shop.ts';
import { type Answer, requestToken, send, startPlatform } from '../support/platform.ts';

const shop = await startCartShop();
const { projectKey, client, config, sql, database } = shop;
const inThreads = await startPlatform(t, {
  threadStepsMin: 1,
  database: { url: config.databaseUrl, sql, database },
});
const token = await requestToken(shop.baseUrl, client);

/** Carts that threads were asked to compute, or to match, and how often about their predicates alone. */
let threadCount = 0;
let predicatesCount = 0;
const { run } = Piscina.prototype;
Piscina.prototype.run = function (this: Piscina, task, options) {
  if (/\/(cart-costs|shipping-rates)\.js$/.test(options?.filename ?? '')) threadCount += 1;
  if (options?.filename?.endsWith('/cart-predicates.js') === true) predicatesCount += 1;
  return run.call(this, task, options);
};

function requestOf(baseUrl: string): (path: string, body: object) => Promise<Answer> {
  return (path, body) =>
    send({
      baseUrl,
      method: 'POST',
      path: `/${projectKey}${path}`,
      body,
      headers: { authorization: `Bearer ${token}` },
    });
}

/** The text with ids as numbers, in the order in which they come, and without times. */
function withoutChance(text: string): string {
  const ids = new Map<string, number>();
  return text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, (id) => {
      if (!ids.has(id)) ids.set(id, ids.size);
      return `#${ids.get(id)}`;
    })
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'at some time');
}

async function furnish(): Promise<void> {
  const { request, addProduct, addDiscount } = shop;
  const made = async (path: string, body: object): Promise<void> => {
    const { status, text } = await request('POST', path, body);
    if (status !== 201) throw new Error(text);
  };
  const name = '__proto__';
  const attribute = (each: string): object => ({
    name: each,
    label: { en: each },
    isRequired: false,
    type: { name: 'text' },
  });
  const attributes = [attribute(name), attribute('color')];
  await made('/product-types', { key: 'named', name: 'Named', description: '', attributes });
  const productType = { typeId: 'product-type', key: 'named' } as const;
  for (const [key, cents, value] of [
    ['ball', 999, 'x'],
    ['cap', 333, 'y'],
  ] as const) {
    const masterVariant = { sku: key, prices: [{ value: eur(cents) }], attributes: [{ name, value }] };
    await addProduct(key, [], { productType, masterVariant });
  }
  await addProduct('gift', [{ value: eur(100) }]);
  const shippingRate = { price: eur(495), freeAbove: eur(100_000) };
  await made('/shipping-methods', {
    key: 'post',
    name: 'Post',
    taxCategory: { typeId: 'tax-category', key: 'standard' },
    zoneRates: [{ zone: { typeId: 'zone', key: 'de' }, shippingRates: [shippingRate] }],
    isDefault: true,
    predicate: 'lineItemExists(attributes.`__proto__` = "x") and totalPrice > "1.00 EUR"',
  });
  const predicate = 'attributes.`__proto__` = "x"';
  await addDiscount('tenth', { type: 'relative', permyriad: 1000 }, { target: { type: 'lineItems', predicate } });
  await addDiscount('cents', { type: 'absolute', money: [eur(7)] }, { cartPredicate: 'totalPrice > "10.00 EUR"' });
  const onCustom = { type: 'customLineItems', predicate: 'slug = "wrapping"' } as const;
  await addDiscount('wrapped', { type: 'relative', permyriad: 3333 }, { target: onCustom });
  await addDiscount('shipped', { type: 'relative', permyriad: 5000 }, { target: { type: 'shipping' } });
  await addDiscount(
    'given',
    { type: 'giftLineItem', product: { typeId: 'product', id: await idOf('/products/key=gift') }, variantId: 1 },
    { cartPredicate: 'lineItemCount(1 = 1) > 1' },
  );
  const money: CartDiscountValueDraft = { type: 'absolute', money: [eur(101)] };
  const id = await addDiscount('coded', money, { target: { type: 'totalPrice' }, requiresDiscountCode: true });
  const cartPredicate = 'totalPrice > "1.00 EUR" and lineItemExists(attributes.`__proto__` = "x")';
  await made('/discount-codes', { code: 'LESS', cartPredicate, cartDiscounts: [{ typeId: 'cart-discount', id }] });
}

async function idOf(path: string): Promise<string> {
  return String((await shop.request('GET', path)).body['id']);
}

t.test('threads compute the same carts, to the byte', async (t) => {
  await furnish();
  const [here, there] = [requestOf(shop.baseUrl), requestOf(inThreads.baseUrl)];
  const draft = {
    currency: 'EUR',
    country: 'DE',
    shippingAddress: german,
    lineItems: [
      { sku: 'ball', quantity: 3 },
      { sku: 'cap', quantity: 2 },
    ],
  };
  const both = async (path: (cart: string) => string, body: object, carts: readonly string[]) => {
    const before = threadCount;
    const one = await here(path(carts[0]!), body);
    t.equal(threadCount, before, 'none is asked for a small cart by default');
    const other = await there(path(carts[1]!), body);
    if (other.status < 400) t.ok(threadCount > before, 'a thread is asked');
    t.strictSame(withoutChance(other.text), withoutChance(one.text), JSON.stringify(body));
    t.equal(other.status, one.status);
    return [one, other] as const;
  };
  const [first, second] = await both(() => '/carts', draft, ['', '']);
  t.match(first, {
    status: 201,
    body: { lineItems: [{ variant: { sku: 'ball' } }, {}, { lineItemMode: 'GiftLineItem' }] },
  });
  t.match(
    (first.body['lineItems'] as readonly object[])[0],
    { discountedPricePerQuantity: [{ discountedPrice: { includedDiscounts: [{}, {}] } }] },
    'a predicate reads an attribute of any name',
  );
  const carts = [String(first.body['id']), String(second.body['id'])];
  let version = Number(first.body['version']);
  const wrapping = { name: { en: 'Wrapping' }, slug: 'wrapping', money: eur(250), quantity: 3 };
  for (const action of [
    { action: 'addLineItem', sku: 'cap', quantity: 5 },
    { action: 'addCustomLineItem', ...wrapping, taxCategory: { typeId: 'tax-category', key: 'gross' } },
    { action: 'addDiscountCode', code: 'LESS' },
    { action: 'setShippingMethod', shippingMethod: { typeId: 'shipping-method', key: 'post' } },
    { action: 'changeTaxRoundingMode', taxRoundingMode: 'HalfUp' },
    { action: 'changeTaxCalculationMode', taxCalculationMode: 'UnitPriceLevel' },
    { action: 'recalculate', updateProductData: true },
    { action: 'setShippingAddress', address: newYork },
    {
      action: 'setDirectDiscounts',
      discounts: [{ value: { type: 'relative', permyriad: 1 }, target: { type: 'shipping' } }],
    },
  ]) {
    const [{ status, body }] = await both((cart) => `/carts/${cart}`, { version, actions: [action] }, carts);
    if (status === 200) version = Number(body['version']);
  }
  t.ok(predicatesCount > 0, 'threads are asked about predicates of codes and methods');
});

t.test('threads match the same methods', async (t) => {
  const zoneRates = [{ zone: { typeId: 'zone', key: 'de' }, shippingRates: [{ price: eur(100) }] }];
  const predicates = {
    named: 'lineItemExists(attributes.`__proto__` = "x")',
    other: 'lineItemExists(attributes.`__proto__` = "z")',
    many: 'lineItemCount(1 = 1) > 4 and totalPrice > "10.00 EUR"',
    few: 'not (lineItemCount(1 = 1) > 4)',
  };
  for (const [key, predicate] of Object.entries(predicates)) {
    const draft = { key, name: key, taxCategory: { typeId: 'tax-category', key: 'standard' }, isDefault: false };
    t.equal((await shop.request('POST', '/shipping-methods', { ...draft, zoneRates, predicate })).status, 201);
  }
  const lineItems = [
    { sku: 'ball', quantity: 3 },
    { sku: 'cap', quantity: 2 },
  ];
  const { id } = await shop.cart({ country: 'DE', shippingAddress: german, lineItems });
  const before = threadCount;
  const path = `/${projectKey}/shipping-methods/matching-cart?cartId=${id}`;
  const headers = { authorization: `Bearer ${token}` };
  const here = await send({ baseUrl: shop.baseUrl, method: 'GET', path, headers });
  t.equal(threadCount, before, 'none is asked for few methods by default');
  const there = await send({ baseUrl: inThreads.baseUrl, method: 'GET', path, headers });
  t.ok(threadCount > before, 'a thread is asked');
  t.strictSame((here.body['results'] as readonly { key: string }[]).map(({ key }) => key).toSorted(), [
    'many',
    'named',
    'post',
  ]);
  t.equal(there.text, here.text);
});

t.test('few methods and discounts whose predicates may take long are for threads, too', async (t) => {
  const tags = Array.from({ length: 2000 }, (_, index) => `tag-${index}`);
  const fieldDefinition = {
    name: 'tags',
    label: { en: 'Tags' },
    type: { name: 'Set', elementType: { name: 'String' } },
    required: false,
  };
  const type = {
    key: 'tagged',
    name: { en: 'Tagged' },
    resourceTypeIds: ['order'],
    fieldDefinitions: [fieldDefinition],
  };
  t.equal((await shop.request('POST', '/types', type)).status, 201);
  const literals = Array.from({ length: 500 }, (_, index) => `"none-${index}"`);
  const predicate = `custom.tags contains any (${literals.join(',')})`;
  const zoneRates = [{ zone: { typeId: 'zone', key: 'de' }, shippingRates: [{ price: eur(1) }] }];
  const method = { key: 'long', name: 'Long', isDefault: false, zoneRates, predicate };
  const taxCategory = { typeId: 'tax-category', key: 'standard' };
  t.equal((await shop.request('POST', '/shipping-methods', { ...method, taxCategory })).status, 201);
  const custom = { type: { typeId: 'type' as const, key: 'tagged' }, fields: { tags } };
  const cart = await shop.cart({ country: 'DE', shippingAddress: german, custom });
  let before = threadCount;
  const path = `/shipping-methods/matching-cart?cartId=${cart.id}`;
  t.equal((await shop.request('GET', path)).status, 200);
  t.ok(threadCount > before, 'a thread matches');
  before = threadCount;
  await shop.update(cart, { action: 'setCustomerEmail', email: 'ada@example.org' });
  t.equal(threadCount, before, 'discounts with short predicates are applied in place');
  const literalsOfCart = literals.toSpliced(-1, 1, '"tag-1999"');
  const holding = { cartPredicate: `custom.tags contains any (${literalsOfCart.join(',')})` };
  const cents: CartDiscountValueDraft = { type: 'absolute', money: [eur(1)] };
  const id = await shop.addDiscount('brought', cents, { target: { type: 'totalPrice' }, requiresDiscountCode: true });
  const code = { ...holding, code: 'LONG', cartDiscounts: [{ typeId: 'cart-discount', id }] };
  t.equal((await shop.request('POST', '/discount-codes', code)).status, 201);
  const fitting = { ...method, key: 'fitting', name: 'Fitting', predicate: holding.cartPredicate, taxCategory };
  const made = await shop.request('POST', '/shipping-methods', fitting);
  t.equal(made.status, 201, made.text.slice(0, 300));
  before = predicatesCount;
  const coded = await shop.cart({ country: 'DE', shippingAddress: german, custom, discountCodes: ['LONG'] });
  t.match(coded, { discountCodes: [{ state: 'MatchesCart' }] });
  t.equal(predicatesCount, before + 1, 'a thread judges a code');
  const shipped = await shop.cart({
    country: 'DE',
    shippingAddress: german,
    custom,
    shippingMethod: { typeId: 'shipping-method', key: 'fitting' },
  });
  t.match(shipped, { shippingInfo: { shippingMethodState: 'MatchesCart' } });
  t.equal(predicatesCount, before + 2, 'a thread judges a shipping method');
  await shop.addDiscount('long', { type: 'relative', permyriad: 1 }, { cartPredicate: predicate });
  await shop.cart({ country: 'DE', shippingAddress: german, custom, lineItems: [{ sku: 'ball' }] });
  t.ok(threadCount > before, 'a thread computes');
});

t.test('predicates that take long to parse are parsed in threads alone', async (t) => {
  const literals = Array.from({ length: 1200 }, (_, index) => `"tag-${index + 5000}"`);
  const zoneRates = [{ zone: { typeId: 'zone', key: 'de' }, shippingRates: [{ price: eur(1) }] }];
  const taxCategory = { typeId: 'tax-category', key: 'standard' };
  for (let index = 0; index < 4; index += 1) {
    const predicate = `lineItemExists(attributes.\`__proto__\` = "x") or custom.tags contains any (${literals.join(',')})`;
    const method = {
      key: `wordy-${index}`,
      name: `Wordy ${index}`,
      isDefault: false,
      zoneRates,
      taxCategory,
      predicate,
    };
    const made = await shop.request('POST', '/shipping-methods', method);
    t.equal(made.status, 201, made.text.slice(0, 300));
  }
  const { id } = await shop.cart({ country: 'DE', shippingAddress: german, lineItems: [{ sku: 'ball' }] });
  for (const [path, count] of [
    ['matching-location?country=DE&currency=EUR', 0],
    [`matching-cart?cartId=${id}`, 4],
  ] as const) {
    const before = threadCount;
    const { body } = await shop.request('GET', `/shipping-methods/${path}`);
    t.ok(threadCount > before, path);
    const wordy = (body['results'] as readonly { key: string }[]).filter(({ key }) => key.startsWith('wordy'));
    t.equal(wordy.length, count, path);
  }
});

t.test('what patterns look at is counted by units, which may come to have different prices', async (t) => {
  const target = {
    type: 'pattern' as const,
    triggerPattern: [],
    targetPattern: [{ type: 'CountOnLineItemUnits' as const, predicate: '1=1', minCount: 1, maxCount: 1 }],
    selectionMode: 'Cheapest' as const,
  };
  await shop.addDiscount('pattern', { type: 'relative', permyriad: 1000 }, { target });
  const cartOf = (quantity: number, ...skus: readonly string[]) =>
    shop.cart({ lineItems: skus.map((sku) => ({ sku, quantity })) });
  const before = threadCount;
  await cartOf(2, 'ball', 'cap');
  t.equal(threadCount, before, 'few are looked at in place');
  await cartOf(300_000, 'ball');
  t.equal(threadCount, before, 'of one item no more than may have prices of their own');
  await cartOf(300_000, 'ball', 'cap');
  t.ok(threadCount > before, 'a thread looks at many');
});
