import { randomUUID } from 'node:crypto';
import t from 'tap';
import { startProject } from '../support/platform.ts';

const refused = (error: object) => ({ status: 400, body: { errors: [error] } });

const draft = {
  name: { en: 'Sale' },
  predicate: 'true',
  sortOrder: '0.5',
  value: { type: 'relative', permyriad: 1000 },
};

t.test('what a product discount cannot be is refused with the code for it', async (t) => {
  const { request } = await startProject();
  const create = (members: object) => request('POST', '/product-discounts', { ...draft, ...members });
  const money = { currencyCode: 'EUR', centAmount: 100 };
  t.match(await create({ value: { type: 'absolute', money: [] } }), refused({ code: 'InvalidOperation' }));
  t.match(
    await create({ value: { type: 'absolute', money: [money, money] } }),
    refused({ code: 'InvalidOperation', message: /two amounts in EUR/ }),
  );
  for (const permyriad of [0, 10_001])
    t.match(
      await create({ value: { type: 'relative', permyriad } }),
      refused({ code: 'InvalidField', field: 'value.permyriad' }),
    );
  for (const sortOrder of ['0.10', '1.5', '0', '0.'])
    t.match(await create({ sortOrder }), refused({ code: 'InvalidField', field: 'sortOrder' }));
  t.match(await create({ predicate: 'nonsense = 1' }), refused({ code: 'InvalidInput', message: /'nonsense'/ }));
  t.match(await create({ predicate: 'sku = ' }), refused({ code: 'SyntaxError' }));
  t.match(await create({}), { status: 201, body: { isActive: true, references: [] } });
  t.match(await create({}), refused({ code: 'DuplicateField', field: 'sortOrder', duplicateValue: '0.5' }));
});

t.test('the references are those of the predicate, which is valid while they are there', async (t) => {
  const { request } = await startProject();
  const { body: channel } = await request('POST', '/channels', { key: 'shop' });
  const predicate = (id: unknown): string => `channel.id = "${String(id)}"`;
  const { body } = await request('POST', '/product-discounts', {
    ...draft,
    key: 'sale',
    predicate: predicate(channel['id']),
  });
  const link = { typeId: 'channel', id: channel['id'] };
  t.strictSame(body['references'], [link]);
  const query = '{ productDiscount(key: "sale") { isValid referenceRefs { typeId id } value { type } } }';
  const read = async () => (await request('POST', '/graphql', { query })).body;
  t.strictSame(await read(), {
    data: { productDiscount: { isValid: true, referenceRefs: [link], value: { type: 'relative' } } },
  });
  t.equal((await request('DELETE', `/channels/${String(channel['id'])}?version=1`)).status, 200);
  t.match(await read(), { data: { productDiscount: { isValid: false } } });
  const actions = [{ action: 'changePredicate', predicate: '1 = 1' }];
  t.match(await request('POST', '/product-discounts/key=sale', { version: 1, actions }), { body: { references: [] } });
  t.match(await read(), { data: { productDiscount: { isValid: true } } });
});

t.test('matching finds the discount of a price, by all that there is to know of its variant', async (t) => {
  const { request } = await startProject();
  const create = async (path: string, body: object): Promise<string> => {
    const answer = await request('POST', path, body);
    t.equal(answer.status, 201, `${path} ${answer.text.slice(0, 200)}`);
    return String(answer.body['id']);
  };
  await create('/product-types', {
    key: 'lamps',
    name: 'Lamps',
    description: 'Lamps',
    attributes: [{ name: 'color', label: { en: 'Color' }, type: { name: 'text' }, isRequired: false }],
  });
  const top = { typeId: 'category', key: 'all' };
  await create('/categories', { key: 'all', name: { en: 'All' }, slug: { en: 'all' } });
  await create('/categories', { key: 'reading', name: { en: 'Reading' }, slug: { en: 'reading' }, parent: top });
  await create('/customer-groups', { key: 'vip', groupName: 'VIP' });
  const product = await create('/products', {
    key: 'lamp',
    productType: { typeId: 'product-type', key: 'lamps' },
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    masterVariant: { sku: 'L-1', attributes: [{ name: 'color', value: 'red' }] },
    variants: [{ sku: 'L-2', attributes: [{ name: 'color', value: 'blue' }] }],
    categories: [{ typeId: 'category', key: 'reading' }],
  });
  const rules: readonly (readonly [key: string, predicate: string])[] = [
    ['product', 'product.key = "lamp" and productType.key = "lamps"'],
    ['category', 'categories.key contains "reading" and variantId = 2'],
    ['blue', 'attributes.color = "blue" and customerGroup.key = "vip"'],
    ['dear', 'sku = "L-1" and price > "99.99 EUR"'],
    ['other', 'product.key = "chair"'],
  ];
  for (const [index, [key, predicate]] of rules.entries())
    await create('/product-discounts', { ...draft, key, predicate, sortOrder: `0.${index + 1}` });
  const price = (centAmount: number, members: object = {}) => ({
    value: { currencyCode: 'EUR', centAmount },
    ...members,
  });
  const match = (body: object) =>
    request('POST', '/product-discounts/matching', { productId: product, variantId: 1, staged: true, ...body });
  const customerGroup = { typeId: 'customer-group', key: 'vip' };
  t.match(await match({ price: price(500) }), { status: 200, body: { key: 'product' } });
  t.match(await match({ price: price(10_000) }), { body: { key: 'dear' } });
  t.match(await match({ variantId: 2, price: price(500) }), { body: { key: 'category' } });
  t.match(await match({ variantId: 2, price: price(500, { customerGroup }) }), { body: { key: 'blue' } });
  t.match(await match({ variantId: 3, price: price(500) }), refused({ code: 'InvalidInput', message: /variant 3/ }));
  t.match(await match({ productId: randomUUID(), price: price(5) }), { status: 400 });
  const { body } = await request('GET', '/product-discounts/key=product');
  const actions = [{ action: 'changeIsActive', isActive: false }];
  await request('POST', '/product-discounts/key=product', { version: body['version'], actions });
  t.match(await match({ price: price(500) }), {
    status: 404,
    body: { errors: [{ code: 'NoMatchingProductDiscountFound' }] },
  });
});
