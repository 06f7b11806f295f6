/** What clients send of members that other platforms would take: it is kept as it was sent, or refused by name. */
import t from 'tap';
import { type Answer, startProject } from '../support/platform.ts';

const platform = await startProject();
const { request } = platform;

/** The answer to a create, which has to succeed. */
async function made(path: string, draft: object): Promise<Readonly<Record<string, unknown>>> {
  const { status, body, text } = await request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body;
}

function refused(answer: Answer, code: string, field?: string): void {
  t.match(
    answer,
    { status: 400, body: { errors: [{ code, ...(field !== undefined && { field }) }] } },
    `${code} ${field}`,
  );
}

t.test('attribute definitions keep what their types hold', async (t) => {
  const label = { en: 'Label' };
  const values = [
    { key: 'small', label: 'Small' },
    { key: 'large', label: 'Large' },
  ];
  const localized = values.map(({ key, label: text }) => ({ key, label: { en: text } }));
  const target = await made('/product-types', { key: 'nested', name: 'Nested', description: 'Nested' });
  const typeReference = { typeId: 'product-type', id: target['id'] };
  const types: Readonly<Record<string, object>> = {
    plain: { name: 'text' },
    size: { name: 'enum', values },
    color: { name: 'lenum', values: localized },
    sizes: { name: 'set', elementType: { name: 'enum', values } },
    colors: { name: 'set', elementType: { name: 'lenum', values: localized } },
    link: { name: 'reference', referenceTypeId: 'category' },
    links: { name: 'set', elementType: { name: 'reference', referenceTypeId: 'category' } },
    inner: { name: 'nested', typeReference },
    inners: { name: 'set', elementType: { name: 'nested', typeReference } },
  };
  const attributes = Object.entries(types).map(([name, type], index) => {
    return { name, type, label, isRequired: false, level: index % 2 === 0 ? 'Variant' : 'Product' };
  });
  const type = await made('/product-types', { key: 'all', name: 'All', description: 'All', attributes });
  t.match(type['attributes'], attributes);
  const query = `{ productType(key: "all") { attributeDefinitions(excludeNames: ["plain"], limit: 4) { total results { name level
    type { __typename name
      ... on EnumAttributeDefinitionType { plain: values(includeKeys: ["large"]) { total results { key label } } }
      ... on LocalizableEnumAttributeDefinitionType { localized: values { results { key label(locale: "en") } } }
      ... on SetAttributeDefinitionType { elementType { name } } } } } } }`;
  const { body } = await request('POST', '/graphql', { query });
  t.match(body, {
    data: {
      productType: {
        attributeDefinitions: {
          total: 8,
          results: [
            { name: 'size', level: 'Product', type: { name: 'enum', plain: { total: 1, results: [values[1]] } } },
            { name: 'color', type: { localized: { results: values } } },
            { name: 'sizes', type: { elementType: { name: 'enum' } } },
            { name: 'colors', type: { elementType: { name: 'lenum' } } },
          ],
        },
      },
    },
  });
  const nested = { name: 'set', elementType: { name: 'set', elementType: { name: 'text' } } };
  const draft = {
    name: 'No',
    description: 'No',
    attributes: [{ name: 'nested', type: nested, label, isRequired: false }],
  };
  refused(await request('POST', '/product-types', draft), 'InvalidField', 'attributes[0].type');
});

t.test('modes of products and carts', async (t) => {
  await made('/product-types', { key: 'simple', name: 'Simple', description: 'Simple' });
  const product = (key: string, priceMode?: string): object => {
    const text = { en: key };
    return {
      key,
      productType: { key: 'simple' },
      name: text,
      slug: text,
      ...(priceMode !== undefined && { priceMode }),
    };
  };
  t.match(await made('/products', product('embedded', 'Embedded')), { priceMode: 'Embedded' });
  const byDefault = await made('/products', product('default'));
  t.match(byDefault, {
    priceMode: 'Embedded',
    masterData: { current: { attributes: [] }, staged: { attributes: [] } },
  });
  t.match(await made('/products', product('standalone', 'Standalone')), { priceMode: 'Standalone' });
  t.match(await made('/carts', { currency: 'EUR', inventoryMode: 'ReserveOnOrder' }), {
    inventoryMode: 'ReserveOnOrder',
  });
  t.match(await made('/carts', { currency: 'EUR', shippingMode: 'Single' }), { shippingMode: 'Single' });
  t.match(await made('/carts', { currency: 'EUR', shippingMode: 'Multiple' }), { shippingMode: 'Multiple' });
});

t.test('either rounding of a tie is the amount of a precise price', async (t) => {
  let items = 0;
  const price = async (money: object): Promise<Answer> => {
    const name = { en: 'Item' };
    return request('POST', '/carts', {
      currency: 'USD',
      taxMode: 'Disabled',
      customLineItems: [{ name, slug: `item-${(items += 1)}`, money }],
    });
  };
  const precise = (preciseAmount: number, centAmount?: number): object => ({
    type: 'highPrecision',
    currencyCode: 'USD',
    preciseAmount,
    fractionDigits: 3,
    ...(centAmount !== undefined && { centAmount }),
  });
  for (const centAmount of [101, 102]) {
    const { status, body } = await price(precise(1015, centAmount));
    t.match(
      { status, body },
      { status: 201, body: { customLineItems: [{ money: { preciseAmount: 1015, centAmount } }] } },
    );
  }
  t.match((await price(precise(1015))).body, { customLineItems: [{ money: { centAmount: 102 } }] }, 'half even');
  t.match((await price(precise(-1015, -101))).status, 201);
  for (const wrong of [100, 103, 101.5])
    refused(await price(precise(1015, wrong)), 'InvalidField', 'customLineItems[0].money.centAmount');
  refused(await price(precise(1014, 102)), 'InvalidField', 'customLineItems[0].money.centAmount');
});

t.test('the keys of custom line items are distinct', async (t) => {
  const item = (slug: string, key: string): object => {
    return { slug, key, name: { en: slug }, money: { currencyCode: 'EUR', centAmount: 1 } };
  };
  const two = [item('one', 'same'), item('two', 'same')];
  refused(
    await request('POST', '/carts', { currency: 'EUR', taxMode: 'Disabled', customLineItems: two }),
    'DuplicateField',
    'customLineItems.key',
  );
  const cart = await made('/carts', { currency: 'EUR', taxMode: 'Disabled', customLineItems: two.slice(0, 1) });
  const actions = [{ action: 'addCustomLineItem', ...item('two', 'same') }];
  refused(
    await request('POST', `/carts/${String(cart['id'])}`, { version: 1, actions }),
    'DuplicateField',
    'customLineItems.key',
  );
  t.equal((await request('GET', `/carts/${String(cart['id'])}`)).body['version'], 1);
});

t.test('e-mail addresses are any text without white space at its ends', async (t) => {
  const ask = (email: string): Promise<Answer> => request('POST', '/customers', { email, password: 'password1' });
  for (const email of ['jane', 'jane doe', 'jane@', '@', 'ж@例え.jp', 'x'.repeat(254)]) {
    const { status, body } = await ask(email);
    t.match({ status, body }, { status: 201, body: { customer: { email } } });
    t.equal(
      (await request('POST', '/login', { email: email.toUpperCase(), password: 'password1' })).status,
      200,
      email,
    );
  }
  for (const email of ['', ' ', ' jane@example.org', 'jane@example.org\n', 'x'.repeat(255)])
    refused(await ask(email), 'InvalidField', 'email');
});

t.test('names of custom fields are as long as clients have them, and none that objects inherit', async (t) => {
  const typeWith = (name: string): Promise<Answer> => {
    const fieldDefinitions = [{ name, label: { en: 'Field' }, required: false, type: { name: 'String' } }];
    const key = `type-${Math.random().toString(36).slice(2)}`;
    return request('POST', '/types', { key, name: { en: 'Type' }, resourceTypeIds: ['channel'], fieldDefinitions });
  };
  for (const name of ['ab', 'x'.repeat(37), 'x'.repeat(52), 'x'.repeat(256)])
    t.equal((await typeWith(name)).status, 201, name);
  for (const name of ['a', 'x'.repeat(257), 'with blank', '__proto__', 'constructor', 'toString'])
    refused(await typeWith(name), 'InvalidField');
});

t.test('custom fields lead to every kind that references name', async (t) => {
  // Specification 2.1, ReferenceType.
  const kinds =
    'cart cart-discount category channel customer customer-group discount-code key-value-document payment product ' +
    'product-discount product-price product-selection product-type order order-edit shipping-method shopping-list ' +
    'state store tax-category type zone';
  const fieldDefinitions = kinds.split(' ').flatMap((referenceTypeId) => {
    const type = { name: 'Reference', referenceTypeId };
    const definition = { label: { en: referenceTypeId }, required: false };
    return [
      { ...definition, name: referenceTypeId, type },
      { ...definition, name: `${referenceTypeId}-set`, type: { name: 'Set', elementType: type } },
    ];
  });
  const draft = { key: 'all-kinds', name: { en: 'All' }, resourceTypeIds: ['channel'], fieldDefinitions };
  t.match((await made('/types', draft))['fieldDefinitions'], fieldDefinitions);
});

t.test('keys without an alphabet of their own', async (t) => {
  const keys = ['ab', 'with blank', 'ключ/with?odd#characters%', 'x'.repeat(256)];
  for (const key of keys) {
    for (const [path, draft] of [
      ['channels', { key }],
      ['states', { key, type: 'OrderState' }],
    ] as const) {
      t.match(await made(`/${path}`, draft), { key });
      t.match((await request('GET', `/${path}/key=${encodeURIComponent(key)}`)).body, { key }, `${path}: ${key}`);
    }
  }
  for (const key of ['a', '', 'x'.repeat(257), 'with\0'])
    refused(await request('POST', '/channels', { key }), 'InvalidField', 'key');
});

t.test('a channel has a role, by default to supply', async (t) => {
  const channel = await made('/channels', { key: 'by-default' });
  t.strictSame(channel['roles'], ['InventorySupply']);
  refused(await request('POST', '/channels', { key: 'none', roles: [] }), 'InvalidOperation');
  const actions = [{ action: 'removeRoles', roles: ['InventorySupply'] }];
  refused(await request('POST', '/channels/key=by-default', { version: 1, actions }), 'InvalidOperation');
});

t.test('discounts are described as the contract has them', async (t) => {
  const value = { type: 'relative', permyriad: 1000 };
  const discount = {
    name: { en: 'Discount' },
    value,
    cartPredicate: '1 = 1',
    sortOrder: '0.25',
    target: { type: 'shipping' },
  };
  const created = await made('/cart-discounts', discount);
  t.strictSame(created['recurringOrderScope'], { type: 'AnyOrder' });
  const scope = { ...discount, sortOrder: '0.26', recurringOrderScope: { type: 'RecurringOrdersOnly' } };
  refused(await request('POST', '/cart-discounts', scope), 'InvalidField', 'recurringOrderScope.type');
  const code = await made('/discount-codes', { code: 'CODE', cartDiscounts: [{ id: created['id'] }] });
  t.notOk('applicationCount' in code);
  const { body } = await request('POST', '/graphql', {
    query: `{ discountCode(id: "${String(code['id'])}") { applicationCount } }`,
  });
  t.match(body, { data: { discountCode: { applicationCount: 0 } } });
});

t.test('what actions make is checked as drafts are', async () => {
  const locations = Array.from({ length: 10_000 }, (_, index) => ({ country: 'US', state: `State ${index}` }));
  await made('/zones', { key: 'full', name: 'Full', locations });
  const actions = [{ action: 'addLocation', location: { country: 'DE' } }];
  refused(await request('POST', '/zones/key=full', { version: 1, actions }), 'InvalidField', 'locations');
  const money = { currencyCode: 'EUR', centAmount: 9_007_199_254_740_991 };
  const item = { slug: 'dear', name: { en: 'Dear' }, money, quantity: 2 };
  refused(
    await request('POST', '/carts', { currency: 'EUR', taxMode: 'Disabled', customLineItems: [item] }),
    'MoneyOverflow',
  );
});

t.test('a token for a store puts customers and carts into no other', async (t) => {
  const { projectKey, tokenWith } = platform;
  for (const key of ['store-a', 'store-b']) await made('/stores', { key, name: { en: key } });
  const token = await tokenWith([`manage_customers:${projectKey}:store-a`, `manage_orders:${projectKey}:store-a`]);
  const ask = (path: string, body: object): Promise<Answer> =>
    request('POST', `/in-store/key=store-a${path}`, body, { authorization: `Bearer ${token}` });
  const draft = { email: 'of-a@example.org', password: 'password1' };
  const forbidden = { status: 403, body: { errors: [{ code: 'insufficient_scope', message: /store-b/ }] } };
  t.match(await ask('/customers', { ...draft, stores: [{ key: 'store-b' }] }), forbidden, 'by a draft');
  const { status, body } = await ask('/customers', draft);
  t.equal(status, 201);
  const { id } = body['customer'] as { id: string };
  const act = (action: object): Promise<Answer> => ask(`/customers/${id}`, { version: 1, actions: [action] });
  t.match(await act({ action: 'addStore', store: { key: 'store-b' } }), forbidden, 'by addStore');
  t.match(
    await act({ action: 'setStores', stores: [{ key: 'store-a' }, { key: 'store-b' }] }),
    forbidden,
    'by setStores',
  );
  t.equal((await act({ action: 'setFirstName', firstName: 'Jane' })).status, 200, 'anything else is its own');
  const both = await made('/customers', {
    ...draft,
    email: 'both@example.org',
    stores: [{ key: 'store-a' }, { key: 'store-b' }],
  });
  const { id: idOfBoth } = both['customer'] as { id: string };
  const removal = { version: 1, actions: [{ action: 'removeStore', store: { key: 'store-b' } }] };
  t.match(await ask(`/customers/${idOfBoth}`, removal), forbidden, 'nor takes them out of one');
  t.match((await ask('/carts', { currency: 'EUR' })).body, { store: { key: 'store-a' } });
  t.equal((await request('POST', `/customers/${idOfBoth}`, removal)).status, 200, 'the project may');
});

t.test('whoever signs up in a store gets into no other one by it', async (t) => {
  const { request, projectKey, tokenWith } = await startProject();
  for (const key of ['store-a', 'store-b']) await request('POST', '/stores', { key, name: { en: key } });
  const email = 'jane@example.org';
  const draft = { email, password: 'correct horse 1', stores: [{ typeId: 'store', key: 'store-b' }] };
  for (const scope of ['manage_my_profile', 'manage_customers']) {
    const headers = { authorization: `Bearer ${await tokenWith([`${scope}:${projectKey}:store-a`])}` };
    const path = scope === 'manage_customers' ? 'customers' : 'me/signup';
    const refused = { status: 403, body: { errors: [{ code: 'insufficient_scope' }] } };
    t.match(await request('POST', `/in-store/key=store-a/${path}`, draft, headers), refused, scope);
  }
  t.match((await request('GET', '/customers')).body, { total: 0 });
});

t.test('HEAD says whether a query finds any', async (t) => {
  const { request } = await startProject();
  await request('POST', '/zones', { key: 'zone-a', name: 'A' });
  const statusOf = async (query: string): Promise<number> => (await request('HEAD', `/zones?${query}`)).status;
  t.equal(await statusOf('limit=1'), 200);
  for (const query of ['where=key%3D%22zone-a%22', 'where=key%3D%22zone-b%22', 'offset=1'])
    t.equal(await statusOf(query), query.includes('zone-a') ? 200 : 404, query);
});

t.test('what a token may do of a GraphQL request is done, and said to be', async (t) => {
  const { request, projectKey, tokenWith } = await startProject();
  const headers = { authorization: `Bearer ${await tokenWith([`manage_zones:${projectKey}`])}` };
  const zone = 'a: createZone(draft: { name: "A" }) { name }';
  const store = 'b: createStore(draft: { key: "store-b" }) { key }';
  const ask = (query: string) => request('POST', '/graphql', { query: `mutation { ${query} }` }, headers);
  const errors = [{ extensions: { code: 'insufficient_scope' } }];
  t.match(await ask(`${zone} ${store}`), { status: 200, body: { data: { a: { name: 'A' }, b: null }, errors } });
  t.match(await ask(store), { status: 403, body: { statusCode: 403, message: /scope/, data: { b: null }, errors } });
});

t.test('what is no update action is told as what it is', async (t) => {
  const { request } = await startProject();
  await request('POST', '/zones', { key: 'zone-a', name: 'A' });
  const update = async (action: unknown) => request('POST', '/zones/key=zone-a', { version: 1, actions: [action] });
  t.match(await update({}), { body: { errors: [{ code: 'RequiredField', field: 'actions[0].action' }] } });
  for (const action of ['x', null, []])
    t.match(await update(action), { body: { errors: [{ code: 'InvalidJsonInput', message: /object is expected/ }] } });
  t.match(await update({ action: 'fly' }), { body: { errors: [{ message: /'fly'|"fly"/ }] } });
  t.match(await request('POST', '/zones', []), { body: { errors: [{ message: /^The body is \[\]/ }] } });
});
