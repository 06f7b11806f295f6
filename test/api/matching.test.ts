import t from 'tap';
import { type Platform, startPlatform, startProject } from '../support/platform.ts';

type Json = Record<string, unknown>;

/** Two zones of the United States, one of Germany, and methods that tell them apart. */
async function createShop({ request }: Platform): Promise<void> {
  const zones = [
    { key: 'us', name: 'US', locations: [{ country: 'US' }] },
    { key: 'alaska', name: 'Alaska', locations: [{ country: 'US', state: 'Alaska' }] },
    { key: 'de', name: 'Germany', locations: [{ country: 'DE' }] },
  ];
  for (const zone of zones) await request('POST', '/zones', zone);
  await request('POST', '/tax-categories', { key: 'standard', name: 'Standard' });
  const rate = (currencyCode: string, centAmount: number, tiers: object[] = []): Json => ({
    price: { currencyCode, centAmount },
    tiers,
  });
  const score = (from: number, price: object): Json => ({ type: 'CartScore', score: from, ...price });
  const method = (key: string, zoneRates: Json[], rest: Json = {}): Json => ({
    key,
    name: key,
    taxCategory: { key: 'standard' },
    zoneRates,
    ...rest,
  });
  const methods = [
    method('plain', [
      { zone: { key: 'us' }, shippingRates: [rate('USD', 500), rate('EUR', 450)] },
      { zone: { key: 'alaska' }, shippingRates: [rate('USD', 900)] },
    ]),
    method(
      'fallback',
      [
        { zone: { key: 'us' }, shippingRates: [rate('USD', 700)] },
        { zone: { key: 'de' }, shippingRates: [rate('EUR', 300)] },
      ],
      { isDefault: true },
    ),
    method('heavy', [
      {
        zone: { key: 'us' },
        shippingRates: [
          rate('USD', 100, [
            score(5, { price: { currencyCode: 'USD', centAmount: 200 } }),
            score(20, { priceFunction: { currencyCode: 'USD', function: 'x * 10' } }),
          ]),
        ],
      },
    ]),
    method('picky', [{ zone: { key: 'us' }, shippingRates: [rate('USD', 50)] }], {
      predicate: 'totalPrice > "100.00 USD" and not (customLineItems.slug = "bulky")',
    }),
    method('resting', [{ zone: { key: 'us' }, shippingRates: [rate('USD', 1)] }], { active: false }),
  ];
  for (const draft of methods) {
    const answer = await request('POST', '/shipping-methods', draft);
    if (answer.status !== 201) throw new Error(answer.text);
  }
}

async function createCart({ request }: Platform, draft: Json): Promise<string> {
  const { status, body, text } = await request('POST', '/carts', draft);
  if (status !== 201) throw new Error(text);
  return String(body['id']);
}

interface Matched {
  readonly key: string;
  readonly zoneRates: readonly {
    readonly zone: { readonly id: string };
    readonly shippingRates: readonly {
      readonly isMatching: boolean;
      readonly price: { centAmount: number; currencyCode: string };
      readonly tiers: readonly { isMatching: boolean }[];
    }[];
  }[];
}

/** The methods of an answer by key, each with the prices of its matching rates. */
function pricesByKey(body: Json): Record<string, string[]> {
  return Object.fromEntries(
    (body['results'] as Matched[]).map(({ key, zoneRates }) => [
      key,
      zoneRates.flatMap(({ shippingRates }) =>
        shippingRates
          .filter(({ isMatching }) => isMatching)
          .map(({ price }) => `${price.centAmount} ${price.currencyCode}`),
      ),
    ]),
  );
}

const item = (slug: string, centAmount: number): Json => ({
  name: { en: slug },
  slug,
  money: { currencyCode: 'USD', centAmount },
  quantity: 2,
});

t.test('each method that can ship a cart carries exactly one matching rate', async (t) => {
  const platform = await startProject();
  await createShop(platform);
  const { request } = platform;
  const match = async (draft: Json) =>
    request('GET', `/shipping-methods/matching-cart?cartId=${await createCart(platform, draft)}`);

  const us = await match({ currency: 'USD', shippingAddress: { country: 'US', state: 'Ohio' } });
  t.strictSame(pricesByKey(us.body), { fallback: ['700 USD'], plain: ['500 USD'], heavy: ['100 USD'] });
  t.equal((us.body['results'] as Matched[])[0]!.key, 'fallback', 'the default method comes first');
  t.match(us.body, { limit: 3, offset: 0, count: 3, total: 3 });

  const alaska = await match({ currency: 'USD', shippingAddress: { country: 'US', state: 'Alaska' } });
  t.strictSame(
    pricesByKey(alaska.body),
    { fallback: ['700 USD'], plain: ['900 USD'], heavy: ['100 USD'] },
    'a zone of the state beats one of the country',
  );

  const euros = await match({ currency: 'EUR', shippingAddress: { country: 'US' } });
  t.strictSame(pricesByKey(euros.body), { plain: ['450 EUR'] }, 'only rates in the currency of the cart match');

  t.strictSame(pricesByKey((await match({ currency: 'EUR', shippingAddress: { country: 'FR' } })).body), {});
  t.match((await match({ currency: 'EUR' })).body, { statusCode: 400, errors: [{ code: 'InvalidOperation' }] });
  t.match((await request('GET', '/shipping-methods/matching-cart?cartId=nowhere')).body, { statusCode: 400 });
  t.match((await request('GET', '/shipping-methods/matching-cart')).body, {
    statusCode: 400,
    errors: [{ code: 'RequiredField', field: 'cartId' }],
  });
});

t.test('on the path of a store its carts match, and no others', async (t) => {
  const platform = await startProject();
  await createShop(platform);
  const { request } = platform;
  for (const key of ['east', 'west']) t.equal((await request('POST', '/stores', { key })).status, 201);
  const draft = { currency: 'USD', shippingAddress: { country: 'US' } };
  const ofEast = await createCart(platform, { ...draft, store: { typeId: 'store', key: 'east' } });
  const ofNone = await createCart(platform, draft);
  const match = (store: string, cartId: string) =>
    request('GET', `/in-store/key=${store}/shipping-methods/matching-cart?cartId=${cartId}`);
  const keys = Object.keys(pricesByKey((await match('east', ofEast)).body));
  t.strictSame(keys.toSorted(), ['fallback', 'heavy', 'plain']);
  for (const [store, cartId] of [
    ['west', ofEast],
    ['east', ofNone],
  ] as const)
    t.match(await match(store, cartId), {
      status: 400,
      body: { errors: [{ code: 'InvalidInput', message: `The cart with ID '${cartId}' was not found.` }] },
    });
  for (const cartId of [ofEast, ofNone])
    t.equal((await request('GET', `/shipping-methods/matching-cart?cartId=${cartId}`)).status, 200);
});

t.test('predicates and tiers follow the cart', async (t) => {
  const platform = await startProject();
  await createShop(platform);
  const { request } = platform;
  const address = { country: 'US' };
  const id = await createCart(platform, {
    currency: 'USD',
    shippingAddress: address,
    taxMode: 'Disabled',
    customLineItems: [item('book', 5000)],
  });
  const match = async () => request('GET', `/shipping-methods/matching-cart?cartId=${id}`);
  t.notOk('picky' in pricesByKey((await match()).body), 'a total of exactly 100 is not above it');
  const grown = await request('POST', `/carts/${id}`, {
    version: 1,
    actions: [{ action: 'addCustomLineItem', ...item('pen', 1) }],
  });
  t.match(grown.body, { totalPrice: { centAmount: 10_002 }, version: 2 });
  t.strictSame(pricesByKey((await match()).body)['picky'], ['50 USD']);
  await request('POST', `/carts/${id}`, {
    version: 2,
    actions: [
      { action: 'addCustomLineItem', ...item('bulky', 1) },
      { action: 'setShippingRateInput', shippingRateInput: { type: 'Score', score: 7 } },
    ],
  });
  const later = (await match()).body;
  t.notOk('picky' in pricesByKey(later));
  const heavy = (results: Json): Matched => (results['results'] as Matched[]).find(({ key }) => key === 'heavy')!;
  const tiers = (results: Json): boolean[] =>
    heavy(results).zoneRates[0]!.shippingRates[0]!.tiers.map(({ isMatching }) => isMatching);
  t.strictSame(tiers(later), [true, false]);
  await request('POST', `/carts/${id}`, {
    version: 3,
    actions: [{ action: 'setShippingRateInput', shippingRateInput: { type: 'Score', score: 20 } }],
  });
  t.strictSame(tiers((await match()).body), [false, true], 'the highest score that the cart reaches decides');
});

t.test('a predicate that says nothing to this version leaves the other methods alone', async (t) => {
  const platform = await startPlatform(t);
  await createShop(platform);
  const { request, sql } = platform;
  await sql`update documents set data = jsonb_set(data, '{predicate}', '"totalWeight > 5"') where key = 'picky'`;
  const cartId = await createCart(platform, { currency: 'USD', shippingAddress: { country: 'US' } });
  const toCart = await request('GET', `/shipping-methods/matching-cart?cartId=${cartId}`);
  t.strictSame(Object.keys(pricesByKey(toCart.body)).toSorted(), ['fallback', 'heavy', 'plain']);
  const toPlace = await request('GET', '/shipping-methods/matching-location?country=US&currency=USD');
  t.strictSame(Object.keys(pricesByKey(toPlace.body)).toSorted(), ['fallback', 'heavy', 'plain']);
  const repaired = { version: 1, actions: [{ action: 'setPredicate', predicate: 'currency = "USD"' }] };
  t.equal((await request('POST', '/shipping-methods/key=picky', repaired)).status, 200);
  t.ok('picky' in pricesByKey((await request('GET', `/shipping-methods/matching-cart?cartId=${cartId}`)).body));
});

t.test('a change of a zone or a method shows at the next match', async (t) => {
  const platform = await startProject();
  await createShop(platform);
  const { request } = platform;
  const id = await createCart(platform, { currency: 'USD', shippingAddress: { country: 'US' } });
  const match = async () => pricesByKey((await request('GET', `/shipping-methods/matching-cart?cartId=${id}`)).body);
  t.ok('plain' in (await match()));
  for (let version = 1; version <= 20; version += 1) {
    const isActive = version % 2 === 0;
    await request('POST', '/shipping-methods/key=plain', {
      version,
      actions: [{ action: 'changeActive', active: isActive }],
    });
    t.equal('plain' in (await match()), isActive);
  }
  await request('POST', '/zones/key=us', {
    version: 1,
    actions: [{ action: 'removeLocation', location: { country: 'US' } }],
  });
  t.strictSame(await match(), {});
});

t.test('methods for a location have no predicate, and one rate when a currency is given', async (t) => {
  const platform = await startProject();
  await createShop(platform);
  const { api } = platform;
  const match = async (queryArgs: { country: string; state?: string; currency?: string }) => {
    const { body } = await api.shippingMethods().matchingLocation().get({ queryArgs }).execute();
    return pricesByKey(body as unknown as Json);
  };
  t.strictSame(await match({ country: 'US' }), {
    fallback: ['700 USD'],
    plain: ['500 USD', '450 EUR'],
    heavy: ['100 USD'],
  });
  t.strictSame(await match({ country: 'US', currency: 'EUR' }), { plain: ['450 EUR'] });
  t.strictSame(await match({ country: 'US', state: 'Alaska', currency: 'USD' }), {
    fallback: ['700 USD'],
    plain: ['900 USD'],
    heavy: ['100 USD'],
  });
  t.strictSame(await match({ country: 'DE' }), { fallback: ['300 EUR'] });
  t.match((await platform.request('GET', '/shipping-methods/matching-location')).body, {
    errors: [{ code: 'RequiredField', field: 'country' }],
  });
  t.match((await platform.request('GET', '/shipping-methods/matching-location?country=US&currency=XYZ')).body, {
    errors: [{ code: 'InvalidField' }],
  });
});

t.test('matched methods can be expanded', async (t) => {
  const platform = await startProject();
  await createShop(platform);
  const id = await createCart(platform, { currency: 'EUR', shippingAddress: { country: 'DE' } });
  const { body } = await platform.api
    .shippingMethods()
    .matchingCart()
    .get({ queryArgs: { cartId: id, expand: ['taxCategory', 'zoneRates[*].zone'] } })
    .execute();
  t.match(body.results[0], {
    key: 'fallback',
    taxCategory: { obj: { key: 'standard' } },
    zoneRates: [{ zone: { obj: { key: 'us' } } }, { zone: { obj: { key: 'de' } } }],
  });
});

t.test('carts are priced exactly and take the rate input that the project has', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const precise = {
    name: { en: 'Screw' },
    slug: 'screw',
    quantity: 3,
    money: { type: 'highPrecision', currencyCode: 'USD', preciseAmount: 12_345, fractionDigits: 4 },
  };
  const { body } = await request('POST', '/carts', {
    currency: 'USD',
    taxMode: 'Disabled',
    customLineItems: [precise],
  });
  t.match(
    body,
    {
      totalPrice: { centAmount: 370 },
      customLineItems: [{ money: { centAmount: 123 }, totalPrice: { centAmount: 370 } }],
    },
    '3 × 1.2345 is 3.7035, rounded once',
  );
  const stranger = await request('POST', '/carts', {
    currency: 'EUR',
    taxMode: 'Disabled',
    customLineItems: [precise],
  });
  t.match(stranger.body, { errors: [{ code: 'InvalidField' }] });
  t.match(
    (await request('POST', '/carts', { currency: 'EUR', shippingRateInput: { type: 'Classification', key: 'big' } }))
      .body,
    { errors: [{ code: 'InvalidOperation' }] },
  );
  t.match((await request('POST', '/carts', { currency: 'EUR', lineItems: [{ sku: 'X' }] })).body, {
    errors: [{ code: 'ReferencedResourceNotFound' }],
  });
  const huge = {
    name: { en: 'Yacht' },
    slug: 'yacht',
    quantity: 9_007_199_254_740_991,
    money: { currencyCode: 'EUR', centAmount: 2 },
  };
  t.match((await request('POST', '/carts', { currency: 'EUR', taxMode: 'Disabled', customLineItems: [huge] })).body, {
    errors: [{ code: 'MoneyOverflow' }],
  });
});

t.test('a cart can be matched for another place than its shipping address', async (t) => {
  const platform = await startProject();
  await createShop(platform);
  const { api } = platform;
  const cartId = await createCart(platform, { currency: 'USD', shippingAddress: { country: 'DE' } });
  const match = async (queryArgs: { country: string; state?: string; cartId: string }) => {
    const { body } = await api.shippingMethods().matchingCartLocation().get({ queryArgs }).execute();
    return pricesByKey(body as unknown as Json);
  };
  const alaska = { fallback: ['700 USD'], plain: ['900 USD'], heavy: ['100 USD'] };
  t.strictSame(await match({ country: 'US', state: 'Alaska', cartId }), alaska);
  t.strictSame(await match({ country: 'DE', cartId }), {}, 'only rates in the currency of the cart match');
  const homeless = await createCart(platform, { currency: 'EUR' });
  t.strictSame(await match({ country: 'DE', cartId: homeless }), { fallback: ['300 EUR'] });
  const head = await platform.request('HEAD', `/shipping-methods/matching-cart-location?country=US&cartId=${cartId}`);
  t.strictSame([head.status, head.text], [200, '']);
  t.match((await platform.request('GET', '/shipping-methods/matching-cart-location')).body, {
    errors: [{ field: 'cartId' }, { field: 'country' }],
  });
});

t.test('methods for a location come in the order that is asked for', async (t) => {
  const platform = await startProject();
  await createShop(platform);
  const keys = async (sort: string): Promise<string[]> => {
    const { body } = await platform.request('GET', `/shipping-methods/matching-location?country=US&${sort}`);
    return (body['results'] as Matched[]).map(({ key }) => key);
  };
  t.equal((await keys(''))[0], 'fallback', 'the default method first');
  t.strictSame(await keys('sort=name'), ['fallback', 'heavy', 'plain']);
  t.strictSame(await keys('sort=isDefault&sort=name%20desc'), ['plain', 'heavy', 'fallback']);
  const nowhere = await platform.request('GET', '/shipping-methods/matching-location?country=FR&sort=name');
  t.match(nowhere.body, { count: 0, results: [] });
  t.match((await platform.request('GET', '/shipping-methods/matching-location?country=US&sort=nonsense')).body, {
    errors: [{ code: 'InvalidInput' }],
  });
});

t.test('tiers are those that the project uses', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  await request('POST', '/zones', { key: 'us', name: 'US', locations: [{ country: 'US' }] });
  await request('POST', '/tax-categories', { key: 'standard', name: 'Standard' });
  const price = { currencyCode: 'USD', centAmount: 100 };
  const rate = (...tiers: Json[]): Json => ({ price, tiers: tiers.map((tier) => ({ ...tier, price })) });
  const create = (name: string, ...tiers: Json[]) =>
    request('POST', '/shipping-methods', {
      name,
      key: name,
      taxCategory: { key: 'standard' },
      zoneRates: [{ zone: { key: 'us' }, shippingRates: [rate(...tiers)] }],
    });
  const use = async (type: Json | undefined): Promise<void> => {
    const { version } = (await request('GET', '')).body;
    const actions = [{ action: 'setShippingRateInputType', shippingRateInputType: type }];
    t.equal((await request('POST', '', { version, actions })).status, 200);
  };
  const value = { type: 'CartValue', minimumCentAmount: 0 };
  const small = { type: 'CartClassification', value: 'small' };
  const score = { type: 'CartScore', score: 1 };
  t.match(await create('mixed', score, value, small), {
    status: 400,
    body: { errors: [{ code: 'InvalidOperation' }, { code: 'InvalidOperation' }] },
  });
  t.equal((await create('scored', score)).status, 201);

  await use({ type: 'CartClassification', values: [{ key: 'small', label: { en: 'Small' } }] });
  t.match(await create('classified', small, { ...small, value: 'large' }), {
    status: 400,
    body: { errors: [{ code: 'InvalidField', invalidValue: 'large', allowedValues: ['small'] }] },
  });
  t.equal((await create('classified', small)).status, 201);
  const wrong = { action: 'addShippingRate', zone: { key: 'us' }, shippingRate: rate(score) };
  t.match((await request('POST', '/shipping-methods/key=classified', { version: 1, actions: [wrong] })).body, {
    errors: [{ code: 'InvalidOperation' }],
  });
  const named = { version: 1, actions: [{ action: 'setDescription', description: 'kept' }] };
  t.equal((await request('POST', '/shipping-methods/key=scored', named)).status, 200, 'what is stored stays');

  const input = { type: 'Classification', key: 'small' };
  const cart = { currency: 'USD', shippingAddress: { country: 'US' }, shippingRateInput: input };
  const cartId = await createCart(platform, cart);
  const matching = async (): Promise<Record<string, boolean[]>> => {
    const { body } = await request('GET', `/shipping-methods/matching-cart?cartId=${cartId}`);
    return Object.fromEntries(
      (body['results'] as Matched[]).map(({ key, zoneRates }) => [
        key,
        zoneRates[0]!.shippingRates[0]!.tiers.map(({ isMatching }) => isMatching),
      ]),
    );
  };
  t.strictSame(await matching(), { scored: [false], classified: [true] });
  await use({ type: 'CartValue' });
  t.equal((await create('valued', value)).status, 201);
  t.strictSame(await matching(), { scored: [false], classified: [false], valued: [true] });
  await use(undefined);
  t.match((await create('none', value)).body, { errors: [{ code: 'InvalidOperation' }] });
  t.strictSame(await matching(), { scored: [false], classified: [false], valued: [false] });
});
