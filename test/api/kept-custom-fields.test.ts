/** Custom fields from before their type had a required field stay valid, wherever what has them goes. */
import t from 'tap';
import { made, type Made, openCartShop } from '../support/cart-visit-shop.ts';
import { startProject } from '../support/platform.ts';

const eur = (centAmount: number): object => ({ currencyCode: 'EUR', centAmount });
const noted = (text: string): object => ({ type: { typeId: 'type', key: 'noted' }, fields: { text } });

async function openNotedShop() {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const definition = (name: string, required: boolean): object => ({
    name,
    label: { en: name },
    type: { name: 'String' },
    required,
  });
  const resourceTypeIds = ['address', 'asset', 'line-item', 'custom-line-item', 'order', 'product-price', 'shipping'];
  const draft = { key: 'noted', name: { en: 'Noted' }, resourceTypeIds, fieldDefinitions: [definition('text', false)] };
  const type = made(await request('POST', '/types', draft));
  return {
    ...platform,
    ...shop,
    /** The type has a required field from now on, which no value before has. */
    require: () =>
      shop.update(`/types/${type.id}`, { action: 'addFieldDefinition', fieldDefinition: definition('must', true) }),
    refused: async (path: string, ...actions: readonly object[]) => {
      const { version } = (await request('GET', path)).body;
      return request('POST', path, { version, actions });
    },
  };
}

const isMissing = { status: 400, body: { errors: [{ code: 'RequiredField' }] } };
const address = { country: 'DE' };
const line = (sku: string, text: string): object => ({ sku, custom: noted(text) });

t.test('lines, addresses and methods of a cart that others of their list are taken from', async (t) => {
  const { request, require, update, refused } = await openNotedShop();
  const shippingRate = { price: eur(500) };
  const shipping = (key: string): object => ({
    key,
    shippingMethodName: key,
    shippingRate,
    taxCategory: { typeId: 'tax-category', key: 'standard' },
    shippingAddress: { ...address, custom: noted(`to ${key}`) },
    custom: noted(key),
  });
  const cart = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      shippingMode: 'Multiple',
      lineItems: [line('LAMP', 'first'), line('CHAIR', 'second')],
      itemShippingAddresses: ['home', 'work'].map((key) => ({ ...address, key, custom: noted(key) })),
      customShipping: ['truck', 'ship'].map(shipping),
    }),
  );
  await require();
  const path = `/carts/${cart.id}`;
  t.match(await refused(path, { action: 'addLineItem', ...line('TABLE', 'new') }), isMissing);
  const lineItems = cart['lineItems'] as readonly Made[];
  await update(path, { action: 'removeLineItem', lineItemId: lineItems[0]!.id });
  await update(path, { action: 'removeItemShippingAddress', addressKey: 'home' });
  const left = await update(path, { action: 'removeShippingMethod', shippingKey: 'truck' });
  t.match(left, {
    lineItems: [{ custom: { fields: { text: 'second' } } }],
    itemShippingAddresses: [{ key: 'work', custom: { fields: { text: 'work' } } }],
    shipping: [{ shippingKey: 'ship', shippingAddress: { custom: { fields: { text: 'to ship' } } } }],
  });
});

t.test('prices and assets of products that are published, reverted and moved', async (t) => {
  const { products, request, require, update, refused } = await openNotedShop();
  const path = `/products/${products.LAMP.id}`;
  const price = (text: string, country: string): object => ({ value: eur(1), country, custom: noted(text) });
  const asset = (text: string): object => ({
    name: { en: text },
    sources: [{ uri: 'https://a.example.org/a' }],
    custom: noted(text),
  });
  const variant = { action: 'addVariant', sku: 'LAMP-2', prices: [price('current', 'DE')], assets: [asset('current')] };
  await update(path, variant, { action: 'publish' });
  await update(path, { action: 'addPrice', variantId: 1, price: price('staged', 'AT') });
  await require();
  t.match(await refused(path, { action: 'addPrice', variantId: 1, price: price('new', 'FR') }), isMissing);
  await update(path, { action: 'changeMasterVariant', variantId: 2 });
  const published = await update(path, { action: 'publish' });
  t.match(published, {
    masterData: { current: { masterVariant: { prices: [{ custom: { fields: { text: 'current' } } }] } } },
  });
  const cart = await request('POST', '/carts', { currency: 'EUR', country: 'DE', lineItems: [{ sku: 'LAMP-2' }] });
  t.match(cart, { status: 201, body: { lineItems: [{ price: { custom: { fields: { text: 'current' } } } }] } });
  await update(path, { action: 'changeMasterVariant', variantId: 1 });
  await update(path, { action: 'revertStagedChanges' });
  await update(path, { action: 'removeVariant', id: 1 });
  const reverted = await update(path, { action: 'revertStagedVariantChanges', variantId: 1 });
  t.match(reverted, {
    masterData: { staged: { variants: [{ prices: [{}, { custom: { fields: { text: 'staged' } } }] }] } },
  });
  const { body } = await request('GET', path);
  t.match(body, {
    masterData: { staged: { masterVariant: { assets: [{ custom: { fields: { text: 'current' } } }] } } },
  });
});

t.test('orders and replicas of a cart', async (t) => {
  const { request, require } = await openNotedShop();
  const cart = made(
    await request('POST', '/carts', {
      currency: 'EUR',
      lineItems: [line('LAMP', 'line')],
      shippingAddress: { ...address, custom: noted('address') },
      custom: noted('cart'),
    }),
  );
  await require();
  const kept = {
    lineItems: [{ custom: { fields: { text: 'line' } } }],
    shippingAddress: { custom: { fields: { text: 'address' } } },
    custom: { fields: { text: 'cart' } },
  };
  const replicaOf = (typeId: string, id: string) => request('POST', '/carts/replicate', { reference: { typeId, id } });
  t.match(await replicaOf('cart', cart.id), { status: 201, body: kept });
  const order = await request('POST', '/orders', { cart: { typeId: 'cart', id: cart.id }, version: cart.version });
  t.match(order, { status: 201, body: kept });
  t.match(await replicaOf('order', order.body['id'] as string), { status: 201, body: kept });
});

t.test('parts of one kind are no parts of another that has their id', async (t) => {
  const { request, update, refused } = await openNotedShop();
  const onlyLines = { ...noted('line'), type: { typeId: 'type', key: 'engraved' } };
  const cart = made(
    await request('POST', '/carts', { currency: 'EUR', lineItems: [{ sku: 'LAMP', custom: onlyLines }] }),
  );
  const [{ id }] = cart['lineItems'] as readonly [Made];
  const move = { action: 'addItemShippingAddress', address: { ...address, id, key: 'home', custom: onlyLines } };
  const path = `/carts/${cart.id}`;
  t.match(await refused(path, move), { status: 400, body: { errors: [{ message: /resources of 'address'/ }] } });
  await update(path, { ...move, address: { ...address, id, key: 'home', custom: noted('home') } });
});

t.test('of parts that have one name each is looked at, and kept', async (t) => {
  const { products, request, require, update, refused } = await openNotedShop();
  const path = `/products/${products.LAMP.id}`;
  const price = { value: eur(1), country: 'DE', custom: noted('current') };
  const priced = await update(path, { action: 'addPrice', variantId: 1, price }, { action: 'publish' });
  const { masterData } = priced as unknown as {
    readonly masterData: { readonly staged: { readonly masterVariant: { readonly prices: readonly Made[] } } };
  };
  const [, { id: priceId }] = masterData.staged.masterVariant.prices as [Made, Made];
  await update(path, { action: 'setProductPriceCustomField', priceId, name: 'text', value: 'staged' });
  await require();
  // The price is there twice by now, with different texts; both are from before.
  await update(path, { action: 'setKey', key: 'renamed' });
  await update(path, { action: 'revertStagedChanges' });
  t.match(
    await refused(path, { action: 'setProductPriceCustomField', priceId, name: 'text', value: 'new' }),
    isMissing,
  );
  const cart = made(await request('POST', '/carts', { currency: 'EUR', country: 'DE', lineItems: [{ sku: 'LAMP' }] }));
  t.match(cart['lineItems'], [{ price: { custom: { fields: { text: 'current' } } } }]);
});

t.test('what is wrong is refused, though it would be nothing', async (t) => {
  const { request, refused } = await openNotedShop();
  const custom = { type: { typeId: 'type', key: 'noted' }, fields: {} };
  const wrong = { ...custom, fields: { text: { en: 'x' } } };
  const isWrong = { status: 400, body: { errors: [{ code: 'InvalidJsonInput' }] } };
  const draft = { currency: 'EUR', lineItems: [{ sku: 'LAMP', custom }] };
  const cart = made(await request('POST', '/carts', draft));
  t.match(await refused(`/carts/${cart.id}`, { action: 'addLineItem', sku: 'LAMP', custom: wrong }), isWrong);
  t.match(
    await request('POST', '/carts', { ...draft, lineItems: [...draft.lineItems, { sku: 'LAMP', custom: wrong }] }),
    isWrong,
  );
  const list = {
    name: { en: 'List' },
    lineItems: [
      { sku: 'LAMP', custom },
      { sku: 'LAMP', custom: wrong },
    ],
  };
  t.match(await request('POST', '/shopping-lists', list), isWrong);
});

t.test('custom fields of prices that imports of orders give are looked at', async (t) => {
  const { request } = await openNotedShop();
  const draft = (custom: object | undefined, prices: readonly object[] = []) => ({
    totalPrice: eur(1),
    lineItems: [
      {
        name: { en: 'Lamp' },
        quantity: 1,
        variant: { sku: 'LAMP', prices },
        price: { value: eur(1), ...(custom && { custom }) },
      },
    ],
  });
  const bogus = { type: { typeId: 'type', key: 'noted' }, fields: { bogus: 1 } };
  const isWrong = { status: 400, body: { errors: [{ code: 'InvalidField', message: /lineItems\[0\]\./ }] } };
  t.match(await request('POST', '/orders/import', draft(bogus)), isWrong);
  t.match(await request('POST', '/orders/import', draft(undefined, [{ value: eur(1), custom: bogus }])), isWrong);
  const custom = { fields: { text: 'x' } };
  t.match(await request('POST', '/orders/import', draft(noted('x'), [{ value: eur(1), custom: noted('x') }])), {
    status: 201,
    body: { lineItems: [{ price: { custom }, variant: { prices: [{ custom }] } }] },
  });
});
