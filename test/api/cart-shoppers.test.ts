/** Who may do what with carts: shoppers with their own, clients of stores with those of their stores, and in which states. */
import type { Cart, CartUpdateAction, ErrorObject } from '@commercetools/platform-sdk';
import t from 'tap';
import { type CartShop, eur, german, refusalOf, startCartShop, totalsOf } from '../support/cart-shop.ts';
import { shopperToken } from '../support/shoppers.ts';

const standard = { typeId: 'tax-category' as const, key: 'standard' };

async function startLamps(): Promise<CartShop> {
  const shop = await startCartShop();
  await shop.addProduct('lamp', [{ value: eur(1000) }]);
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
  return shop;
}

/** What is the shop's to say, as actions: in GraphQL each is a member of its own. */
const forShops = [
  { action: 'setLineItemPrice', lineItemKey: 'line', externalPrice: eur(1) },
  {
    action: 'setLineItemTotalPrice',
    lineItemKey: 'line',
    externalTotalPrice: { price: eur(1), totalPrice: eur(1) },
  },
  { action: 'setLineItemTaxRate', lineItemKey: 'line', externalTaxRate: { name: 'a', amount: 0, country: 'DE' } },
  {
    action: 'setDirectDiscounts',
    discounts: [{ value: { type: 'relative', permyriad: 10_000 }, target: { type: 'totalPrice' } }],
  },
  {
    action: 'setCustomShippingMethod',
    shippingMethodName: 'Own',
    shippingRate: { price: eur(0) },
    taxCategory: standard,
  },
  { action: 'addCustomLineItem', name: { en: 'a' }, slug: 'voucher', money: eur(-1000), taxCategory: standard },
  { action: 'setCustomerGroup', customerGroup: { typeId: 'customer-group', key: 'members' } },
  { action: 'setCustomerId' },
  { action: 'changePriceRoundingMode', priceRoundingMode: 'HalfDown' },
  { action: 'setCartTotalTax', externalTotalGross: eur(1) },
  { action: 'freezeCart' },
  { action: 'unfreezeCart' },
  { action: 'lockCart' },
  { action: 'setShippingRateInput', shippingRateInput: { type: 'Score', score: 1 } },
] as const satisfies readonly CartUpdateAction[];

/** The same in actions that shoppers have. */
const hidden = [
  { action: 'addLineItem', sku: 'lamp', externalPrice: eur(1) },
  { action: 'addLineItem', sku: 'lamp', externalTotalPrice: { price: eur(1), totalPrice: eur(1) } },
  { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 2, externalPrice: eur(1) },
  {
    action: 'changeLineItemQuantity',
    lineItemKey: 'line',
    quantity: 2,
    externalTotalPrice: { price: eur(1), totalPrice: eur(1) },
  },
  { action: 'removeLineItem', lineItemKey: 'line', quantity: 1, externalPrice: eur(1) },
  {
    action: 'setShippingMethod',
    shippingMethod: { typeId: 'shipping-method', key: 'post' },
    externalTaxRate: { name: 'a', amount: 0, country: 'DE' },
  },
] as const satisfies readonly CartUpdateAction[];

t.test('shoppers have no say in prices, taxes and discounts', async (t) => {
  const shop = await startLamps();
  const { apiWith, request, projectKey } = shop;
  for (const shopper of ['anonymous', 'customer'] as const) {
    const token = await shopperToken(shop, { shopper, scope: `manage_my_orders:${projectKey}` });
    const headers = { authorization: `Bearer ${token}` };
    const mine = apiWith(token).me().carts();
    // Members that only shops may say are not the shopper's.
    const draft = {
      currency: 'EUR',
      shippingAddress: german,
      customerGroup: { typeId: 'customer-group', key: 'members' },
      priceRoundingMode: 'HalfDown',
      customLineItems: [{ name: { en: 'a' }, slug: 'voucher', money: eur(-1000), taxCategory: standard }],
      lineItems: [{ key: 'line', sku: 'lamp', quantity: 2, externalPrice: eur(1) }],
    };
    const made = await request('POST', '/me/carts', draft, headers);
    if (made.status === 201) {
      const { lineItems, ...others } = made.body as unknown as Cart;
      t.match(lineItems, [{ priceMode: 'Platform', totalPrice: eur(2000) }]);
      t.match(others, { totalPrice: eur(2000), customLineItems: [], priceRoundingMode: 'HalfEven' });
      t.notOk('customerGroup' in others);
    } else t.match(made, { status: 400 });
    const { body: own } = await mine
      .post({
        body: { currency: 'EUR', shippingAddress: german, lineItems: [{ key: 'line', sku: 'lamp', quantity: 2 }] },
      })
      .execute();
    const path = `/me/carts/${own.id}`;
    for (const action of forShops) {
      const answer = await request('POST', path, { version: own.version, actions: [action] }, headers);
      t.equal(answer.status, 400, action.action);
      const { action: name, ...input } = action;
      const query = `mutation M($actions: [MyCartUpdateAction!]!) {
        updateMyCart(id: "${own.id}", version: ${own.version}, actions: $actions) { id }
      }`;
      const asked = await request('POST', '/graphql', { query, variables: { actions: [{ [name]: input }] } }, headers);
      t.match(asked.body, { errors: [{ message: /./ }] }, `${name} in GraphQL`);
    }
    let { version } = own;
    for (const action of hidden) {
      const { status, body, text } = await request('POST', path, { version, actions: [action] }, headers);
      if (status !== 200) {
        t.equal(status, 400, text);
        continue;
      }
      const changed = body as unknown as Cart;
      version = changed.version;
      for (const { priceMode, price, quantity, totalPrice, taxRate } of changed.lineItems) {
        t.match({ priceMode, price }, { priceMode: 'Platform', price: { value: eur(1000) } }, JSON.stringify(action));
        t.equal(totalPrice.centAmount, quantity * 1000);
        t.equal(taxRate!.amount, 0.19);
      }
    }
    for (const api of [apiWith(token).carts()]) {
      t.match(await refusalOf(api.get().execute()), { status: 403 });
      t.match(await refusalOf(api.withId({ ID: own.id }).get().execute()), { status: 403 });
      t.match(await refusalOf(api.post({ body: { currency: 'EUR' } }).execute()), { status: 403 });
    }
    for (const query of [
      `{ carts { total } }`,
      `{ cart(id: "${own.id}") { id } }`,
      `mutation { createCart(draft: { currency: "EUR" }) { id } }`,
      `mutation { updateCart(id: "${own.id}", version: ${version}, actions: [{ freezeCart: {} }]) { id } }`,
    ]) {
      const { body } = await request('POST', '/graphql', { query }, headers);
      t.match(body['errors'], [{ extensions: { code: 'insufficient_scope' } }], query);
    }
  }
});

t.test('who may manage the carts of a store has no others', async (t) => {
  const shop = await startLamps();
  const { api, apiWith, tokenWith, projectKey, cart, request } = shop;
  for (const key of ['north', 'south']) await api.stores().post({ body: { key } }).execute();
  const own = await cart({ store: { typeId: 'store', key: 'north' }, lineItems: [{ sku: 'lamp' }] });
  const others = [await cart({ store: { typeId: 'store', key: 'south' } }), await cart()];
  const token = await tokenWith([`manage_orders:${projectKey}:north`]);
  const north = apiWith(token).inStoreKeyWithStoreKeyValue({ storeKey: 'north' }).carts();
  const south = apiWith(token).inStoreKeyWithStoreKeyValue({ storeKey: 'south' }).carts();
  t.equal((await north.withId({ ID: own.id }).get().execute()).body.totalPrice.centAmount, 1000);
  const body = { version: 1, actions: [{ action: 'addLineItem' as const, sku: 'lamp' }] };
  t.equal((await north.withId({ ID: own.id }).post({ body }).execute()).body.totalPrice.centAmount, 2000);
  t.equal((await north.get().execute()).body.results.length, 1);
  for (const { id } of others) {
    t.match(await refusalOf(north.withId({ ID: id }).post({ body }).execute()), { status: 404 });
    t.match(await refusalOf(south.withId({ ID: id }).post({ body }).execute()), { status: 403 });
    t.match(await refusalOf(apiWith(token).carts().withId({ ID: id }).get().execute()), { status: 403 });
  }
  const headers = { authorization: `Bearer ${token}` };
  const query = '{ inStore(key: "north") { carts { results { id totalPrice { centAmount } } } } }';
  t.strictSame((await request('POST', '/graphql', { query }, headers)).body, {
    data: { inStore: { carts: { results: [{ id: own.id, totalPrice: { centAmount: 2000 } }] } } },
  });
});

t.test(
  'a frozen cart keeps its lines and their prices, and one frozen hard its discounts and shipping as well',
  async (t) => {
    const shop = await startLamps();
    const { addDiscount, changeProduct, cart, update, refused } = shop;
    await addDiscount('tenth', { type: 'relative', permyriad: 1000 }, { cartPredicate: 'country = "DE"' });
    const start = (): Promise<Cart> =>
      cart({
        country: 'DE',
        shippingAddress: german,
        lineItems: [{ key: 'line', sku: 'lamp' }],
        customLineItems: [{ key: 'item', name: { en: 'a' }, slug: 'card', money: eur(100), taxCategory: standard }],
      });
    const shipping = {
      action: 'setShippingMethod',
      shippingMethod: { typeId: 'shipping-method', key: 'post' },
    } as const;
    const custom = {
      action: 'setCustomShippingMethod',
      shippingMethodName: 'a',
      shippingRate: { price: eur(1) },
      taxCategory: standard,
    } as const;
    const forbidden = [
      { action: 'addLineItem', sku: 'lamp' },
      { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 2 },
      { action: 'removeLineItem', lineItemKey: 'line' },
      { action: 'setLineItemDistributionChannel', lineItemKey: 'line' },
      { action: 'setLineItemSupplyChannel', lineItemKey: 'line' },
      { action: 'addCustomLineItem', name: { en: 'a' }, slug: 'other', money: eur(1), taxCategory: standard },
      { action: 'changeCustomLineItemQuantity', customLineItemKey: 'item', quantity: 2 },
      { action: 'removeCustomLineItem', customLineItemKey: 'item' },
      { action: 'changeTaxMode', taxMode: 'External' },
      { action: 'setLineItemPrice', lineItemKey: 'line', externalPrice: eur(1) },
      { action: 'setLineItemTotalPrice', lineItemKey: 'line' },
    ] as const satisfies readonly CartUpdateAction[];
    t.match(
      await refused(await cart(), { action: 'freezeCart' }),
      { error: { code: 'InvalidOperation' } },
      'it is empty',
    );
    let soft = await update(await start(), { action: 'freezeCart' });
    let hard = await update(await start(), shipping, { action: 'freezeCart', strategy: 'HardFreeze' });
    t.match(soft, { cartState: 'Frozen', freezeStrategy: 'SoftFreeze', totalPrice: eur(1000) });
    t.match(hard, { cartState: 'Frozen', freezeStrategy: 'HardFreeze', totalPrice: eur(1500) });
    for (const action of forbidden)
      for (const own of [soft, hard])
        t.match(await refused(own, action), { status: 400, error: { code: 'InvalidOperation' } }, action.action);
    for (const action of [shipping, custom])
      t.match(await refused(hard, action), { error: { code: 'InvalidOperation' } });
    for (const own of [soft, hard])
      for (const strategy of ['SoftFreeze', 'HardFreeze'])
        t.match(
          await refused(own, { action: 'freezeCart', strategy }),
          { status: 400, error: { code: 'InvalidOperation' } },
          'it is frozen already',
        );
    const again = await update(soft, { action: 'unfreezeCart' }, { action: 'freezeCart', strategy: 'HardFreeze' });
    t.match(again, { cartState: 'Frozen', freezeStrategy: 'HardFreeze' });
    soft = await update(again, { action: 'unfreezeCart' }, { action: 'freezeCart' });

    const price = { value: eur(5000) };
    const priceId = soft.lineItems[0]!.price.id!;
    await changeProduct('lamp', { action: 'changePrice', priceId, price }, { action: 'publish' });
    const away = { action: 'setCountry', country: 'FR' } as const;
    soft = await update(soft, shipping, away, { action: 'recalculate', updateProductData: true });
    t.strictSame(totalsOf(soft), { lines: [1000], custom: [100], shipping: 500, total: 1600 }, 'discounts still move');
    hard = await update(hard, away, { action: 'recalculate' });
    t.strictSame(totalsOf(hard), { lines: [900], custom: [100], shipping: 500, total: 1500 });
    hard = await update(hard, { action: 'setShippingAddress', address: german }, { action: 'setKey', key: 'frozen' });
    t.match(hard, { key: 'frozen', taxedPrice: { totalNet: eur(1500), totalGross: eur(1785) } });
    for (const own of [soft, hard]) {
      const free = await update(own, { action: 'unfreezeCart' });
      t.match(free, { cartState: 'Active', totalPrice: eur(5600) });
      t.notOk('freezeStrategy' in free);
      t.match(await refused(free, { action: 'unfreezeCart' }), { error: { code: 'InvalidOperation' } });
    }
  },
);

t.test('a locked cart is changed by those who may change locked ones', async (t) => {
  const shop = await startLamps();
  const { apiWith, tokenWith, projectKey, cart, update, request } = shop;
  const plain = apiWith(await tokenWith([`manage_orders:${projectKey}`]));
  const keeper = apiWith(await tokenWith([`manage_orders:${projectKey}`, `manage_locked_carts:${projectKey}`]));
  const made = await cart({ lineItems: [{ sku: 'lamp' }] });
  const { id } = made;
  let { version } = made;
  const by = async (client: typeof plain, action: CartUpdateAction): Promise<Cart> => {
    const { body } = await client
      .carts()
      .withId({ ID: id })
      .post({ body: { version, actions: [action] } })
      .execute();
    ({ version } = body);
    return body;
  };
  const add: CartUpdateAction = { action: 'addLineItem', sku: 'lamp' };
  const denied = { status: 403, error: { code: 'insufficient_scope' } };
  t.match(await refusalOf(by(plain, { action: 'lockCart' })), denied);
  t.match((await by(keeper, { action: 'lockCart' })).lock, { createdAt: /^\d{4}/, clientId: /./ });
  t.match(await refusalOf(by(plain, add)), denied);
  t.match(await refusalOf(by(plain, { action: 'unlockCart' })), denied);
  t.match(await refusalOf(by(keeper, { action: 'lockCart' })), { error: { code: 'InvalidOperation' } });
  t.equal((await by(keeper, add)).totalPrice.centAmount, 2000);
  const remove = (client: typeof plain): Promise<unknown> =>
    client.carts().withId({ ID: id }).delete({ queryArgs: { version } }).execute();
  t.match(await refusalOf(remove(plain)), denied, 'nor is it deleted');
  const query = `mutation { deleteCart(id: "${id}", version: ${version}) { id } }`;
  const headers = { authorization: `Bearer ${await tokenWith([`manage_orders:${projectKey}`])}` };
  t.match((await request('POST', '/graphql', { query }, headers)).body, {
    errors: [{ extensions: { code: 'insufficient_scope' } }],
  });
  t.equal((await request('GET', `/carts/${id}`)).status, 200);
  t.notOk('lock' in (await by(keeper, { action: 'unlockCart' })));
  t.equal((await by(plain, add)).totalPrice.centAmount, 3000);
  t.match(await refusalOf(by(keeper, { action: 'unlockCart' })), { error: { code: 'InvalidOperation' } });
  await by(keeper, { action: 'lockCart' });
  await remove(keeper);
  t.equal((await request('GET', `/carts/${id}`)).status, 404);
  const token = await shopperToken(shop, { shopper: 'anonymous', scope: `manage_my_orders:${projectKey}` });
  const visits = apiWith(token).me().carts();
  const { body: own } = await visits.post({ body: { currency: 'EUR' } }).execute();
  const locked = await update(own, { action: 'lockCart' });
  const removal = visits.withId({ ID: own.id }).delete({ queryArgs: { version: locked.version } });
  t.match(await refusalOf(removal.execute()), denied, 'whoever its owner is');
});

t.test('nothing changes a cart that was ordered or merged', async (t) => {
  const shop = await startLamps();
  const { cart, refused, sql } = shop;
  for (const state of ['Ordered', 'Merged']) {
    const open = await cart({ lineItems: [{ key: 'line', sku: 'lamp' }] });
    const own = { ...open, version: open.version + 1 };
    // No request makes such carts and leaves them.
    await sql`update documents set version = version + 1,
      data = data || ${sql.json({ cartState: state, version: own.version })} where id = ${own.id}`;
    for (const action of [
      { action: 'recalculate' },
      { action: 'setKey', key: 'other' },
      { action: 'addLineItem', sku: 'lamp' },
      { action: 'freezeCart' },
      { action: 'unfreezeCart' },
      { action: 'lockCart' },
      { action: 'setShippingAddress', address: german },
    ] as const satisfies readonly CartUpdateAction[])
      t.match(
        await refused(own, action),
        { status: 400, error: { code: 'InvalidOperation' } },
        `${state}: ${action.action}`,
      );
  }
});

t.test('payments are added once, and removed', async (t) => {
  const { api, cart, update, refused } = await startLamps();
  const { body: payment } = await api
    .payments()
    .post({ body: { key: 'paid', amountPlanned: eur(1000) } })
    .execute();
  const add = { action: 'addPayment', payment: { typeId: 'payment', id: payment.id } } as const;
  let own = await update(await cart(), add);
  t.match(own.paymentInfo, { payments: [{ typeId: 'payment', id: payment.id }] });
  t.match(await refused(own, add), { error: { code: 'InvalidOperation' } });
  t.match(await refused(own, { ...add, payment: { typeId: 'payment', key: 'none' } }), {
    error: { code: 'ReferencedResourceNotFound' } satisfies Partial<ErrorObject>,
  });
  own = await update(own, { action: 'removePayment', payment: { typeId: 'payment', key: 'paid' } });
  t.notOk('paymentInfo' in own);
  t.match(await refused(own, { action: 'removePayment', payment: { typeId: 'payment', key: 'paid' } }), {
    error: { code: 'InvalidOperation' },
  });
});
