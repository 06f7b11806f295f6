/** What carts of a store have of their products: what the store shows of them. */
import t, { type Test } from 'tap';
import { type CartShop, made, type Made, openCartShop } from '../support/cart-visit-shop.ts';
import { type Platform, startProject } from '../support/platform.ts';

interface Line {
  readonly id: string;
  readonly quantity: number;
  readonly lineItemMode: string;
  readonly name: object;
  readonly productSlug: object;
  readonly variant: {
    readonly prices: readonly { readonly value: { readonly centAmount: number }; readonly channel?: object }[];
    readonly attributes: readonly { readonly name: string; readonly value: unknown }[];
  };
}

interface Shown {
  readonly name: object;
  readonly slug: object;
  readonly prices: readonly number[];
  readonly care: unknown;
}

const all: Shown = {
  name: { en: 'Vase', de: 'Vase aus Glas', it: 'Vaso' },
  slug: { en: 'vase', it: 'vaso' },
  prices: [1000, 900, 800, 700],
  care: { en: 'Wash', de: 'Waschen' },
};
/**
 * In German, for Germany, by the channel of the store; of a text that is not in German what the project speaks first. What
 * attributes say is for predicates, too, and whole.
 */
const german: Shown = {
  name: { de: 'Vase aus Glas' },
  slug: { en: 'vase' },
  prices: [1000, 900],
  care: all.care,
};

interface GlassShop extends CartShop {
  readonly platform: Platform;
  readonly north: { readonly typeId: 'channel'; readonly id: string };
  readonly south: { readonly typeId: 'channel'; readonly id: string };
  cart(draft?: object): Promise<Made>;
}

t.test('lines have the texts and prices that the store of their cart shows', async (t) => {
  const shop = await openGlassShop(t);
  const cart = await shop.cart({ lineItems: [{ sku: 'VASE' }] });
  t.strictSame(shownIn(cart), [german]);
  const added = await shop.update(`/carts/${cart.id}`, {
    action: 'addLineItem',
    sku: 'VASE',
    distributionChannel: shop.north,
  });
  t.strictSame(shownIn(added), [german, german]);
  t.strictSame(pricesIn(added), [1000, 900]);
  const { request } = shop.platform;
  t.strictSame(shownIn(made(await request('POST', '/carts', { currency: 'EUR', lineItems: [{ sku: 'VASE' }] }))), [
    all,
  ]);
  const replica = made(await request('POST', '/carts/replicate', { reference: { typeId: 'cart', id: cart.id } }));
  t.strictSame(shownIn(replica), [german, german]);
  const ordered = { cart: { id: cart.id }, version: added.version, shippingAddress: { country: 'DE' } };
  await shop.update(`/carts/${cart.id}`, { action: 'setShippingAddress', address: { country: 'DE' } });
  const order = made(await request('POST', '/orders', { ...ordered, version: added.version + 1 }));
  t.strictSame(shownIn(order), [german, german]);
  const selection = `{ inStore(key: "north") { cart(id: "${replica.id}") { lineItems {
    nameAllLocales { locale value } variant { prices { value { centAmount } } price(currency: "EUR", channelId: "${shop.south.id}") { value { centAmount } } }
  } } } }`;
  const line = {
    nameAllLocales: [{ locale: 'de', value: 'Vase aus Glas' }],
    variant: {
      prices: german.prices.map((centAmount) => ({ value: { centAmount } })),
      price: { value: { centAmount: 1000 } },
    },
  };
  t.strictSame(await shop.graphql(selection), { inStore: { cart: { lineItems: [line, line] } } });
});

t.test('what a recalculation takes over of products, and gifts, are as the store shows them', async (t) => {
  const shop = await openGlassShop(t);
  const { request } = shop.platform;
  made(
    await request('POST', '/cart-discounts', {
      name: { en: 'A vase' },
      value: { type: 'giftLineItem', product: { key: 'vase' }, variantId: 1 },
      cartPredicate: 'lineItemExists(sku = "LAMP")',
      sortOrder: '0.5',
    }),
  );
  const cart = await shop.cart({ lineItems: [{ sku: 'VASE' }, { sku: 'LAMP' }] });
  t.strictSame(shownIn(cart), [german, german]);
  await shop.update(
    '/products/key=vase',
    { action: 'changeName', name: { en: 'Jar', de: 'Krug' }, staged: false },
    { action: 'setAttribute', variantId: 1, name: 'care', value: { fr: 'Laver' }, staged: false },
    { action: 'changeSlug', slug: { fr: 'cruche' }, staged: false },
  );
  const before = await shop.update(`/carts/${cart.id}`, { action: 'recalculate' });
  t.strictSame(shownIn(before), [german, german], 'a line is a copy');
  await shop.update('/stores/key=north', { action: 'setLanguages', languages: ['it'] });
  const more = await shop.update(`/carts/${cart.id}`, { action: 'addLineItem', sku: 'VASE' });
  t.strictSame(shownIn(more), [german, german], 'it is one still when there is more of it');
  await shop.update('/stores/key=north', { action: 'setLanguages', languages: ['de'] });
  const after = await shop.update(`/carts/${cart.id}`, { action: 'recalculate', updateProductData: true });
  const jar = { ...german, name: { de: 'Krug' }, slug: { fr: 'cruche' }, care: { fr: 'Laver' } };
  t.strictSame(shownIn(after)[0], jar, 'a text in no language that somebody speaks is whole');
  const again = await shop.update(`/carts/${cart.id}`, { action: 'recalculate', updateProductData: true });
  t.equal(again.version, after.version, 'the same again changes nothing');
});

t.test(
  'a merge takes what the store of the customer’s cart shows of what a visitor put together in another one',
  async (t) => {
    const shop = await openGlassShop(t);
    const { request } = shop.platform;
    made(await request('POST', '/stores', { key: 'west', languages: ['en'] }));
    const jane = await shop.customer('jane@example.org');
    const own = made(
      await request('POST', '/carts', {
        currency: 'EUR',
        store: { key: 'west' },
        customerId: jane.id,
        lineItems: [{ sku: 'LAMP' }],
      }),
    );
    await shop.cart({ anonymousId: 'visit', lineItems: [{ sku: 'VASE' }] });
    const merged = await request('POST', `/carts/customer-id=${jane.id}/merge`, { anonymousId: 'visit' });
    t.match(merged, { status: 200, body: { id: own.id } });
    t.strictSame(shownIn(merged.body as Made), [{ ...all, name: { en: 'Vase' }, slug: { en: 'vase' } }]);
  },
);

t.test('predicates ask for what attributes say in languages that the store does not speak', async (t) => {
  const shop = await openGlassShop(t);
  const { request } = shop.platform;
  made(
    await request('POST', '/cart-discounts', {
      name: { en: 'What is washed' },
      value: { type: 'relative', permyriad: 5000 },
      target: { type: 'lineItems', predicate: 'attributes.care.en = "Wash"' },
      cartPredicate: 'lineItemExists(attributes.care.en = "Wash")',
      sortOrder: '0.5',
    }),
  );
  const cart = await shop.cart({ lineItems: [{ sku: 'VASE' }] });
  t.match(cart['totalPrice'], { centAmount: 500 });
});

t.test('carts of a store with channels take lines by these alone', async (t) => {
  const shop = await openGlassShop(t);
  const { request } = shop.platform;
  const refused = {
    status: 400,
    body: { errors: [{ code: 'InvalidOperation', message: /'north' does not sell by/ }] },
  };
  const foreign = { sku: 'VASE', distributionChannel: shop.south };
  const draft = { currency: 'EUR', store: { key: 'north' }, lineItems: [foreign] };
  t.match(await request('POST', '/carts', draft), refused);
  t.match(await request('POST', '/in-store/key=north/carts', draft), refused);
  const cart = await shop.cart({ lineItems: [{ sku: 'VASE', distributionChannel: shop.north }] });
  const [line] = cart['lineItems'] as Line[];
  const change = (...actions: object[]) => request('POST', `/carts/${cart.id}`, { version: cart.version, actions });
  t.match(await change({ action: 'addLineItem', ...foreign }), refused);
  const set = (distributionChannel?: object) => ({
    action: 'setLineItemDistributionChannel',
    lineItemId: line!.id,
    distributionChannel,
  });
  t.match(await change(set(shop.south)), refused);
  t.match(
    await change(set(shop.south), set()),
    { status: 200, body: { version: cart.version + 1 } },
    'the last counts',
  );
  await shop.update(`/carts/${cart.id}`, set(shop.north));
  await shop.update('/stores/key=north', { action: 'setDistributionChannels', distributionChannels: [shop.south] });
  const kept = await shop.update(`/carts/${cart.id}`, {
    action: 'changeLineItemQuantity',
    lineItemId: line!.id,
    quantity: 2,
  });
  t.match(kept['lineItems'], [{ quantity: 2, distributionChannel: shop.north }], 'a store may change its channels');
  const { version } = kept;
  const more = { action: 'addLineItem', sku: 'VASE', distributionChannel: shop.north };
  t.match(
    await request('POST', `/carts/${cart.id}`, { version, actions: [more] }),
    refused,
    'but sells no more by others',
  );
  const replica = made(await request('POST', '/carts/replicate', { reference: { typeId: 'cart', id: cart.id } }));
  t.strictSame(replica['lineItems'], [], 'what the store does not sell any more is left out');
});

/** A vase in three languages and with prices for countries and by channels, and the store of the north, which is a German one. */
async function openGlassShop(t: Test): Promise<GlassShop> {
  const platform = await startProject();
  const { request } = platform;
  const { version } = (await request('GET', '')).body;
  const actions = [{ action: 'changeLanguages', languages: ['en', 'de', 'it'] }];
  t.match(await request('POST', '', { version, actions }), { status: 200 });
  const shop = await openCartShop(platform);
  const channel = async (key: string) => {
    const { id } = made(await request('POST', '/channels', { key, roles: ['ProductDistribution'] }));
    return { typeId: 'channel', id } as const;
  };
  const [north, south] = [await channel('north'), await channel('south')];
  made(
    await request('POST', '/stores', {
      key: 'north',
      languages: ['de'],
      countries: [{ code: 'DE' }],
      distributionChannels: [north],
    }),
  );
  const care = { name: 'care', label: { en: 'Care' }, type: { name: 'ltext' }, isRequired: false };
  made(
    await request('POST', '/product-types', { key: 'glass', name: 'Glass', description: 'Glass', attributes: [care] }),
  );
  const price = (centAmount: number, more: object = {}) => ({ value: { currencyCode: 'EUR', centAmount }, ...more });
  made(
    await request('POST', '/products', {
      key: 'vase',
      productType: { key: 'glass' },
      taxCategory: { key: 'standard' },
      name: all.name,
      slug: all.slug,
      masterVariant: {
        sku: 'VASE',
        attributes: [{ name: 'care', value: all.care }],
        prices: [
          price(1000),
          price(900, { channel: north }),
          price(800, { channel: south }),
          price(700, { country: 'FR' }),
        ],
      },
      publish: true,
    }),
  );
  const cart = async (draft: object = {}) =>
    made(await request('POST', '/carts', { currency: 'EUR', store: { key: 'north' }, ...draft }));
  return { ...shop, platform, north, south, cart };
}

/** Of the lines of vases. */
function shownIn({ lineItems }: Made): readonly Shown[] {
  return (lineItems as Line[])
    .filter(({ variant }) => variant.prices.length > 1)
    .map(({ name, productSlug: slug, variant: { prices, attributes } }) => ({
      name,
      slug,
      prices: prices.map(({ value }) => value.centAmount),
      care: attributes.find((each) => each.name === 'care')?.value,
    }));
}

/** What a unit costs. */
function pricesIn({ lineItems }: Made): readonly number[] {
  return (lineItems as { readonly price: { readonly value: { readonly centAmount: number } } }[]).map(
    ({ price }) => price.value.centAmount,
  );
}
