/** Carts as storefronts have them: by the public client from a visit to an order, its edit and its return, expanded, and in GraphQL. */
import type {
  Cart,
  CartUpdateAction,
  MyCartUpdateAction,
  Order,
  OrderUpdateAction,
  TransactionDraft,
} from '@commercetools/platform-sdk';
import t, { type Test } from 'tap';
import { type CartShop, eur, german, startCartShop } from '../support/cart-shop.ts';
import { sessionHeaders, shopperToken } from '../support/shoppers.ts';

const standard = { typeId: 'tax-category' as const, key: 'standard' };

async function startShop(): Promise<CartShop> {
  const shop = await startCartShop();
  await shop.addProduct('lamp', [{ value: eur(1000) }]);
  await shop.addProduct('pen', [{ value: eur(100) }]);
  await shop.api
    .shippingMethods()
    .post({
      body: {
        key: 'post',
        name: 'Post',
        taxCategory: standard,
        isDefault: true,
        zoneRates: [{ zone: { typeId: 'zone', key: 'de' }, shippingRates: [{ price: eur(500) }] }],
      },
    })
    .execute();
  await shop.addDiscount('coded', { type: 'relative', permyriad: 1000 }, { requiresDiscountCode: true });
  await shop.addDiscount(
    'gift',
    { type: 'giftLineItem', product: { typeId: 'product', key: 'pen' }, variantId: 1 },
    { cartPredicate: 'country = "DE"' },
  );
  const cartDiscounts = [{ typeId: 'cart-discount' as const, key: 'coded' }];
  await shop.api
    .discountCodes()
    .post({ body: { code: 'SUMMER', cartDiscounts } })
    .execute();
  return shop;
}

const post = { typeId: 'shipping-method' as const, key: 'post' };

t.test(
  'a visitor fills a cart, signs up with it, orders it, has it edited, and is paid back what comes back',
  async (t) => {
    const shop = await startShop();
    const { api, apiWith } = shop;
    const visitor = apiWith(await shopperToken(shop, { shopper: 'anonymous' }));
    const { body: product } = await api.productProjections().withKey({ key: 'lamp' }).get().execute();
    let { body: own } = await visitor
      .me()
      .carts()
      .post({ body: { currency: 'EUR', country: 'FR' } })
      .execute();
    const update = async (by: typeof visitor, ...actions: MyCartUpdateAction[]): Promise<Cart> =>
      (
        await by
          .me()
          .carts()
          .withId({ ID: own.id })
          .post({ body: { version: own.version, actions } })
          .execute()
      ).body;
    own = await update(visitor, { action: 'addLineItem', productId: product.id, variantId: 1, quantity: 2 });
    own = await update(visitor, { action: 'addDiscountCode', code: 'SUMMER' });
    t.match(own, { totalPrice: eur(1800), discountCodes: [{ state: 'MatchesCart' }] });

    const credentials = { email: 'jane@example.org', password: 'secret-pass-1' };
    const signedUp = (await visitor.me().signup().post({ body: credentials }).execute()).body;
    t.match(signedUp.cart, { id: own.id, customerId: signedUp.customer.id });
    const form = { grant_type: 'password', username: credentials.email, password: credentials.password };
    const { authorization } = await sessionHeaders(shop, form);
    const jane = apiWith(authorization.replace('Bearer ', ''));
    own = (await jane.me().activeCart().get().execute()).body;
    t.match(own, { id: signedUp.cart!.id, totalPrice: eur(1800), discountCodes: [{ state: 'MatchesCart' }] });

    own = await update(
      jane,
      { action: 'setShippingAddress', address: german },
      { action: 'setBillingAddress', address: german },
      { action: 'setCustomerEmail', email: credentials.email },
    );
    const queryArgs = { cartId: own.id };
    const [method] = (await api.shippingMethods().matchingCart().get({ queryArgs }).execute()).body.results;
    own = await update(jane, {
      action: 'setShippingMethod',
      shippingMethod: { typeId: 'shipping-method', id: method!.id },
    });
    const { body: payment } = await jane
      .me()
      .payments()
      .post({ body: { amountPlanned: eur(own.taxedPrice!.totalGross.centAmount) } })
      .execute();
    own = await update(jane, { action: 'addPayment', payment: { typeId: 'payment', id: payment.id } });
    // 2 × 900 and 500 for shipping, with 19 %.
    t.match(own, {
      cartState: 'Active',
      totalPrice: eur(2300),
      taxedPrice: { totalNet: eur(2300), totalGross: eur(2737), totalTax: eur(437) },
      taxedShippingPrice: { totalNet: eur(500), totalGross: eur(595) },
      shippingInfo: { shippingMethodName: 'Post', shippingMethodState: 'MatchesCart' },
      paymentInfo: { payments: [{ id: payment.id }] },
    });
    t.match(payment.amountPlanned, eur(2737));

    // Each step takes the order that the one before has left.
    const order = await isOrdered({ t, shop, jane }, own);
    const edited = await isEdited({ t, shop, jane }, order);
    const delivered = await isDelivered({ t, shop, jane }, edited);
    await isReturned({ t, shop, jane }, delivered);
  },
);

interface Walk {
  readonly t: Test;
  readonly shop: CartShop;
  /** The client of her who buys. */
  readonly jane: CartShop['api'];
}

/** She orders it, and the shop confirms that it is paid. */
async function isOrdered({ t, shop, jane }: Walk, own: Cart): Promise<Order> {
  const { body: order } = await jane
    .me()
    .orders()
    .post({ body: { id: own.id, version: own.version } })
    .execute();
  t.match(order, {
    cart: { id: own.id },
    customerId: own.customerId,
    orderState: 'Open',
    totalPrice: own.totalPrice,
    taxedPrice: own.taxedPrice,
    paymentInfo: own.paymentInfo,
  });
  await t.rejects(jane.me().activeCart().get().execute(), { statusCode: 404 } as object as Error);
  await addTransaction(shop, order, { type: 'Charge', amount: eur(2737), state: 'Success' });
  return changed(
    shop,
    order,
    { action: 'setOrderNumber', orderNumber: 'W-1' },
    { action: 'changeOrderState', orderState: 'Confirmed' },
    { action: 'changePaymentState', paymentState: 'Paid' },
  );
}

/** She has the shop add a third lamp, which it shows her before it does so, and pays the difference. */
async function isEdited({ t, shop, jane }: Walk, order: Order): Promise<Order> {
  const edits = shop.api.orders().edits();
  const more = { action: 'changeLineItemQuantity' as const, lineItemId: order.lineItems[0]!.id, quantity: 3 };
  const { body: edit } = await edits
    .post({ body: { key: 'third', resource: { typeId: 'order', id: order.id }, stagedActions: [more] } })
    .execute();
  const totals = { totalPrice: eur(3200), taxedPrice: { totalGross: eur(3808) } };
  t.match(edit.result, { type: 'PreviewSuccess', preview: { ...totals, paymentState: 'Paid' } });
  t.match((await jane.me().orders().withId({ ID: order.id }).get().execute()).body.totalPrice, order.totalPrice);
  const body = { editVersion: edit.version, resourceVersion: order.version };
  const { body: applied } = await edits.withId({ ID: edit.id }).apply().post({ body }).execute();
  t.match(applied.result, { type: 'Applied', excerptBeforeEdit: { totalPrice: order.totalPrice } });
  await addTransaction(shop, order, { type: 'Charge', amount: eur(1071), state: 'Success' });
  const { body: now } = await jane.me().orders().withId({ ID: order.id }).get().execute();
  t.match(now, { ...totals, version: order.version + 1, lineItems: [{ quantity: 3, state: [{ quantity: 3 }] }] });
  return now;
}

/** It goes out in one parcel, and she sees by what she can follow it. */
async function isDelivered({ t, shop, jane }: Walk, order: Order): Promise<Order> {
  const items = order.lineItems.map(({ id, quantity }) => ({ id, quantity }));
  const delivered = await changed(
    shop,
    order,
    {
      action: 'addDelivery',
      deliveryKey: 'all',
      items,
      parcels: [{ key: 'box', trackingData: { trackingId: 'T-1' } }],
    },
    { action: 'changeShipmentState', shipmentState: 'Delivered' },
    { action: 'changeOrderState', orderState: 'Complete' },
  );
  const { body: seen } = await jane.me().orders().withId({ ID: order.id }).get().execute();
  t.strictSame(seen, delivered);
  t.match(seen, {
    orderNumber: 'W-1',
    shipmentState: 'Delivered',
    shippingInfo: { deliveries: [{ items, parcels: [{ trackingData: { trackingId: 'T-1' } }] }] },
  });
  return delivered;
}

/** One of the three comes back, goes to the shelf again, and is paid back. */
async function isReturned({ t, shop, jane }: Walk, order: Order): Promise<void> {
  const lineItemId = order.lineItems[0]!.id;
  const returned = await changed(shop, order, {
    action: 'addReturnInfo',
    items: [{ key: 'back', lineItemId, quantity: 1, shipmentState: 'Returned' }],
  });
  t.match(returned.returnInfo, [{ items: [{ quantity: 1, shipmentState: 'Returned', paymentState: 'Initial' }] }]);
  await addTransaction(shop, order, { type: 'Refund', amount: eur(1071), state: 'Success' });
  await changed(
    shop,
    returned,
    { action: 'setReturnShipmentState', returnItemKey: 'back', shipmentState: 'BackInStock' },
    { action: 'setReturnPaymentState', returnItemKey: 'back', paymentState: 'Refunded' },
  );
  const expand = ['paymentInfo.payments[*]'];
  const { body } = await jane.me().orders().withId({ ID: order.id }).get({ queryArgs: { expand } }).execute();
  t.match(body, {
    returnInfo: [{ items: [{ lineItemId, shipmentState: 'BackInStock', paymentState: 'Refunded' }] }],
    totalPrice: order.totalPrice,
    paymentInfo: {
      payments: [
        { obj: { transactions: [{ type: 'Charge' }, { type: 'Charge' }, { type: 'Refund', amount: eur(1071) }] } },
      ],
    },
  });
}

async function changed({ api }: CartShop, order: Order, ...actions: OrderUpdateAction[]): Promise<Order> {
  const { id, version } = order;
  return (await api.orders().withId({ ID: id }).post({ body: { version, actions } }).execute()).body;
}

async function addTransaction({ api }: CartShop, order: Order, transaction: TransactionDraft): Promise<void> {
  const payment = api.payments().withId({ ID: order.paymentInfo!.payments[0]!.id });
  const { version } = (await payment.get().execute()).body;
  await payment.post({ body: { version, actions: [{ action: 'addTransaction', transaction }] } }).execute();
}

t.test('what a cart refers to is shown where that is asked for', async (t) => {
  const { api, cart, update } = await startShop();
  const { body: payment } = await api
    .payments()
    .post({ body: { key: 'paid', amountPlanned: eur(1000) } })
    .execute();
  let own = await cart({
    country: 'DE',
    shippingAddress: german,
    shippingMethod: post,
    lineItems: [{ sku: 'lamp', supplyChannel: { typeId: 'channel', key: 'north' } }],
    discountCodes: ['SUMMER'],
  });
  own = await update(
    own,
    { action: 'addPayment', payment: { typeId: 'payment', id: payment.id } },
    {
      action: 'removeLineItem',
      lineItemId: own.lineItems.find(({ lineItemMode }) => lineItemMode === 'GiftLineItem')!.id,
    },
  );
  const expand = [
    'lineItems[*].productType',
    'lineItems[*].supplyChannel',
    'lineItems[*].discountedPricePerQuantity[*].discountedPrice.includedDiscounts[*].discount',
    'discountCodes[*].discountCode.cartDiscounts[*]',
    'shippingInfo.shippingMethod',
    'shippingInfo.taxCategory',
    'paymentInfo.payments[*]',
    'refusedGifts[*]',
  ];
  const { body } = await api.carts().withId({ ID: own.id }).get({ queryArgs: { expand } }).execute();
  t.match(body, {
    lineItems: [
      {
        productType: { obj: { key: 'plain' } },
        supplyChannel: { obj: { key: 'north' } },
        discountedPricePerQuantity: [
          { discountedPrice: { includedDiscounts: [{ discount: { obj: { key: 'coded' } } }] } },
        ],
      },
    ],
    discountCodes: [{ discountCode: { obj: { code: 'SUMMER', cartDiscounts: [{ obj: { key: 'coded' } }] } } }],
    shippingInfo: { shippingMethod: { obj: { key: 'post' } }, taxCategory: { obj: { key: 'standard' } } },
    paymentInfo: { payments: [{ obj: { key: 'paid' } }] },
    refusedGifts: [{ obj: { key: 'gift' } }],
  });
  const discounts = [
    {
      value: { type: 'relative' as const, permyriad: 500 },
      target: { type: 'lineItems' as const, predicate: '1 = 1' },
    },
  ];
  const code = { typeId: 'discount-code' as const, id: own.discountCodes[0]!.discountCode.id };
  own = await update(
    own,
    { action: 'removeDiscountCode', discountCode: code },
    { action: 'setDirectDiscounts', discounts },
  );
  const direct = (await api.carts().withId({ ID: own.id }).get({ queryArgs: { expand } }).execute()).body;
  const [part] = direct.lineItems[0]!.discountedPricePerQuantity;
  const links = part!.discountedPrice.includedDiscounts.map(({ discount }) => discount);
  const named = { typeId: 'direct-discount', id: own.directDiscounts[0]!.id };
  t.strictSame(links, [named], 'a part of the cart is no resource');
});

/** Queries below it are run. */
const complexityMax = 20_000;

/** As storefronts ask, with fragments. */
const fragments = `
  fragment MoneyParts on BaseMoney { type currencyCode centAmount fractionDigits }
  fragment Taxes on TaxedPrice { totalNet { ...MoneyParts } totalGross { ...MoneyParts } totalTax { ...MoneyParts } taxPortions { name rate amount { ...MoneyParts } } }
  fragment Address on Address { firstName lastName streetName city postalCode country state }
  fragment Discounted on DiscountedLineItemPrice {
    value { ...MoneyParts }
    includedDiscounts { discountedAmount { ...MoneyParts } discountRef { typeId id } discount { ... on CartDiscount { id key name(locale: "en") value { type ... on RelativeDiscountValue { permyriad } } } } }
  }
  fragment Line on LineItem {
    id productId productSlug(locale: "en") name(locale: "en") quantity priceMode lineItemMode
    price { value { ...MoneyParts } discounted { value { ...MoneyParts } } }
    totalPrice { ...MoneyParts }
    taxedPrice { totalNet { ...MoneyParts } totalGross { ...MoneyParts } }
    taxRate { name amount includedInPrice }
    variant { id sku images { url } attributesRaw { name value } }
    discountedPricePerQuantity { quantity discountedPrice { ...Discounted } }
  }
  fragment Cart on Cart {
    id version cartState currency: totalPrice { currencyCode } country customerEmail totalLineItemQuantity
    lineItems { ...Line }
    customLineItems { id slug name(locale: "en") quantity totalPrice { ...MoneyParts } }
    totalPrice { ...MoneyParts }
    taxedPrice { ...Taxes }
    taxedShippingPrice { ...Taxes }
    shippingAddress { ...Address }
    billingAddress { ...Address }
    shippingInfo { shippingMethodName shippingMethodState price { ...MoneyParts } shippingMethod { id key name } discountedPrice { ...Discounted } taxedPrice { totalGross { ...MoneyParts } } }
    discountCodes { state discountCode { id code name(locale: "en") cartDiscounts { key } } }
    discountOnTotalPrice { discountedAmount { ...MoneyParts } includedDiscounts { discountedAmount { centAmount } discount { ... on CartDiscount { key } } } }
    refusedGifts { id key }
    paymentInfo { paymentRefs { typeId id } payments { id amountPlanned { centAmount } } }
  }`;

t.test('storefronts make and change carts in GraphQL, and are far from its limit', async (t) => {
  const shop = await startShop();
  const { request, addDiscount } = shop;
  await addDiscount('shipping', { type: 'relative', permyriad: 5000 }, { target: { type: 'shipping' } });
  const ask = async (query: string, variables: object, headers = {}): Promise<Record<string, Cart>> => {
    const { status, body, text } = await request('POST', '/graphql', { query: query + fragments, variables }, headers);
    if (status !== 200 || body['errors'] !== undefined) throw new Error(text);
    return body['data'] as Record<string, Cart>;
  };
  const shopper = { authorization: `Bearer ${await shopperToken(shop, { shopper: 'anonymous' })}` };
  const ways = [
    { create: 'createCart', update: 'updateCart', draft: 'CartDraft', action: 'CartUpdateAction', headers: {} },
    {
      create: 'createMyCart',
      update: 'updateMyCart',
      draft: 'MyCartDraft',
      action: 'MyCartUpdateAction',
      headers: shopper,
    },
  ];
  for (const { create, update, draft, action, headers } of ways) {
    const made = await ask(
      `mutation Create($draft: ${draft}!) { ${create}(draft: $draft) { ...Cart } }`,
      { draft: { currency: 'EUR', country: 'DE', lineItems: [{ sku: 'lamp', quantity: 2 }], shippingAddress: german } },
      headers,
    );
    let own = made[create]!;
    t.match(own, {
      version: 1,
      totalPrice: { type: 'centPrecision', ...eur(2000) },
      taxedPrice: { totalGross: eur(2380) },
    });
    t.match(own.lineItems, [
      { name: 'lamp', lineItemMode: 'Standard' },
      { name: 'pen', lineItemMode: 'GiftLineItem' },
    ]);
    const change = async (...actions: object[]): Promise<Cart> => {
      const query = `mutation Update($id: String!, $version: Long!, $actions: [${action}!]!) {
        ${update}(id: $id, version: $version, actions: $actions) { ...Cart }
      }`;
      return (await ask(query, { id: own.id, version: own.version, actions }, headers))[update]!;
    };
    own = await change(
      { addDiscountCode: { code: 'SUMMER' } },
      { setShippingMethod: { shippingMethod: post } },
      { setBillingAddress: { address: german } },
    );
    t.match(own, {
      version: 2,
      totalPrice: eur(2050),
      discountCodes: [{ state: 'MatchesCart', discountCode: { code: 'SUMMER', cartDiscounts: [{ key: 'coded' }] } }],
      shippingInfo: {
        shippingMethodName: 'Post',
        shippingMethod: { key: 'post' },
        price: eur(500),
        discountedPrice: { value: eur(250), includedDiscounts: [{ discount: { key: 'shipping' } }] },
      },
      lineItems: [
        {
          discountedPricePerQuantity: [
            {
              quantity: 2,
              discountedPrice: {
                value: eur(900),
                includedDiscounts: [
                  { discountRef: { typeId: 'cart-discount' }, discount: { key: 'coded', value: { permyriad: 1000 } } },
                ],
              },
            },
          ],
        },
        { totalPrice: eur(0) },
      ],
    });
    const gift = own.lineItems[1]!;
    own = await change(
      { changeLineItemQuantity: { lineItemId: own.lineItems[0]!.id, quantity: 1 } },
      { removeLineItem: { lineItemId: gift.id } },
    );
    t.match(own, { totalPrice: eur(1150), refusedGifts: [{ key: 'gift' }], totalLineItemQuantity: 1 });
    const root = create === 'createCart' ? `cart(id: "${own.id}") { ...Cart }` : 'me { activeCart { ...Cart } }';
    const { body, headers: given } = await request('POST', '/graphql', { query: `{ ${root} }${fragments}` }, headers);
    const data = body['data'] as { cart?: object; me?: { activeCart: object } };
    t.strictSame(data.cart ?? data.me!.activeCart, own, 'it is read as it was answered');
    const complexity = Number(given.get('x-graphql-query-complexity'));
    t.ok(complexity > 0 && complexity < complexityMax / 4, `a complexity of ${complexity}`);
  }
});

t.test('direct discounts are named in GraphQL, and are no resources', async (t) => {
  const { cart, update, request } = await startShop();
  const set: CartUpdateAction = {
    action: 'setDirectDiscounts',
    discounts: [
      { value: { type: 'relative', permyriad: 5000 }, target: { type: 'lineItems', predicate: '1 = 1' } },
      { value: { type: 'absolute', money: [eur(100)] }, target: { type: 'totalPrice' } },
    ],
  };
  const own = await update(await cart({ lineItems: [{ sku: 'lamp' }] }), set);
  const query = `{ cart(id: "${own.id}") { ...Cart directDiscounts { id value { type ... on RelativeDiscountValue { permyriad } } target { type ... on LineItemsTarget { predicate } } } } }${fragments}`;
  const { body } = await request('POST', '/graphql', { query });
  const ids = own.directDiscounts.map(({ id }) => id);
  t.match(body, {
    data: {
      cart: {
        totalPrice: eur(400),
        directDiscounts: [
          {
            id: ids[0],
            value: { type: 'relative', permyriad: 5000 },
            target: { type: 'lineItems', predicate: '1 = 1' },
          },
          { id: ids[1] },
        ],
        lineItems: [
          {
            discountedPricePerQuantity: [
              {
                discountedPrice: {
                  includedDiscounts: [{ discountRef: { typeId: 'direct-discount', id: ids[0] }, discount: null }],
                },
              },
            ],
          },
        ],
      },
    },
  });
});
