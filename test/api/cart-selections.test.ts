import t from 'tap';
import { made, openCartShop } from '../support/cart-visit-shop.ts';
import { keepMessages } from '../support/messages.ts';
import { startProject } from '../support/platform.ts';

t.test('GraphQL gives one line item by its id, and what carts refer to unexpanded', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const gift = made(
    await request('POST', '/cart-discounts', {
      name: { en: 'A chair' },
      value: { type: 'giftLineItem', product: { key: 'chair' }, variantId: 1 },
      cartPredicate: 'true = true',
      sortOrder: '0.5',
    }),
  );
  const payment = made(await request('POST', '/payments', { amountPlanned: { currencyCode: 'EUR', centAmount: 1 } }));
  const lineItems = [{ sku: 'LAMP', quantity: 2 }, { sku: 'TABLE' }];
  const cart = made(await request('POST', '/carts', { currency: 'EUR', lineItems }));
  const [lamp, table, chair] = cart['lineItems'] as { id: string }[];
  await shop.update(
    `/carts/${cart.id}`,
    { action: 'removeLineItem', lineItemId: chair!.id },
    { action: 'addPayment', payment: { id: payment.id } },
  );
  const selection = `{ cart(id: "${cart.id}") {
    one: lineItems(id: "${table!.id}") { id } other: lineItems(id: "${lamp!.id}") { id quantity }
    none: lineItems(id: "nobody") { id } gone: lineItems(id: "${chair!.id}") { id } null: lineItems(id: null) { id } all: lineItems { id }
    refusedGifts { id } refusedGiftsRefs { typeId id } paymentInfo { payments { id } paymentRefs { typeId id } } shippingKey
  } }`;
  // Once more for what is kept of it.
  for (let turn = 0; turn < 2; turn += 1)
    t.strictSame(await shop.graphql(selection), {
      cart: {
        one: [{ id: table!.id }],
        other: [{ id: lamp!.id, quantity: 2 }],
        none: [],
        gone: [],
        null: [{ id: lamp!.id }, { id: table!.id }],
        all: [{ id: lamp!.id }, { id: table!.id }],
        refusedGifts: [{ id: gift.id }],
        refusedGiftsRefs: [{ typeId: 'cart-discount', id: gift.id }],
        paymentInfo: { payments: [{ id: payment.id }], paymentRefs: [{ typeId: 'payment', id: payment.id }] },
        shippingKey: null,
      },
    });
});

t.test('GraphQL selects prices of variants that are copies, in carts, orders and messages', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  await keepMessages(platform);
  const value = { currencyCode: 'EUR', centAmount: 700 };
  const stool = made(
    await request('POST', '/products', {
      productType: { key: 'thing' },
      taxCategory: { key: 'standard' },
      name: { en: 'Stool' },
      slug: { en: 'stool' },
      priceMode: 'Standalone',
      masterVariant: { sku: 'STOOL' },
      publish: true,
    }),
  );
  made(await request('POST', '/standalone-prices', { sku: 'STOOL', value }));
  await shop.update(`/products/${stool.id}`, { action: 'addVariant', sku: 'STOOL-2', prices: [{ value }] });
  const cart = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      shippingAddress: { country: 'DE' },
      lineItems: [{ sku: 'LAMP' }, { sku: 'STOOL' }],
    }),
  );
  const order = made(await request('POST', '/orders', { cart: { id: cart.id }, version: cart.version }));
  const variant = 'variant { price(currency: "EUR") { value { centAmount } } none: price(currency: "USD") { id } }';
  const priced = (centAmount: number) => ({ variant: { price: { value: { centAmount } }, none: null } });
  const lineItems = [priced(1000), priced(700)];
  const payloads = (id: string, payload: string) =>
    shop.graphql(
      `{ messages(where: "resource(id = \\"${id}\\")", sort: "sequenceNumber asc") { results { payload { ${payload} } } } }`,
    );
  t.strictSame(
    await shop.graphql(
      `{ cart(id: "${cart.id}") { lineItems { ${variant} } } order(id: "${order.id}") { lineItems { ${variant} } } }`,
    ),
    { cart: { lineItems }, order: { lineItems } },
  );
  t.match(await payloads(order.id, `... on OrderCreated { order { lineItems { ${variant} } } }`), {
    messages: { results: [{ payload: { order: { lineItems } } }] },
  });
  const master = variant.replace('variant', 'masterVariant');
  const told = await payloads(
    stool.id,
    `type ... on ProductVariantAdded { ${variant} } ... on ProductCreated { productProjection { ${master} } }`,
  );
  t.match(told, {
    messages: {
      results: [
        { payload: { type: 'ProductCreated', productProjection: { masterVariant: priced(700).variant } } },
        { payload: { type: 'ProductVariantAdded', ...priced(700) } },
      ],
    },
  });
});
