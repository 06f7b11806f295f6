import t from 'tap';
import { type Answer, type Platform, startPlatform, startProject } from '../support/platform.ts';
import { eventually } from '../support/services.ts';
import { shopperToken } from '../support/shoppers.ts';

type Body = Readonly<Record<string, unknown>>;
type Made = Body & { readonly id: string; readonly version: number };

interface Item {
  readonly id: string;
  readonly quantity: number;
}

const refused = (error: object) => ({ status: 400, body: { errors: [error] } });
const text = (en: string) => ({ en });

async function made(platform: Platform, path: string, draft: object): Promise<Made> {
  const { status, body, text: answer } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${answer}`);
  return body as Made;
}

/** Updates a resource at the version that it has. */
async function update(platform: Platform, path: string, ...actions: object[]): Promise<Answer> {
  const { body } = await platform.request('GET', path);
  return platform.request('POST', path, { version: body['version'], actions });
}

/** Two lamps: one with two variants, published; one that is not. */
async function shopOf(platform: Platform): Promise<{ readonly lamp: Made; readonly other: Made }> {
  await made(platform, '/product-types', {
    key: 'lamp',
    name: 'Lamp',
    description: 'Lamps',
    attributes: [
      { type: { name: 'text' }, name: 'maker', label: text('Maker'), level: 'Product', isRequired: false },
      { type: { name: 'text' }, name: 'color', label: text('Color'), isRequired: false },
    ],
  });
  const productType = { typeId: 'product-type', key: 'lamp' };
  const price = { value: { currencyCode: 'EUR', centAmount: 1000 } };
  const lamp = await made(platform, '/products', {
    key: 'lamp',
    productType,
    name: text('Lamp'),
    slug: text('lamp'),
    attributes: [{ name: 'maker', value: 'Acme' }],
    masterVariant: { sku: 'LAMP-1', attributes: [{ name: 'color', value: 'red' }], prices: [price] },
    variants: [{ sku: 'LAMP-2', attributes: [{ name: 'color', value: 'blue' }], prices: [price] }],
    publish: true,
  });
  const draft = {
    key: 'other',
    productType,
    name: text('Other'),
    slug: text('other'),
    masterVariant: { sku: 'OTHER' },
  };
  return { lamp, other: await made(platform, '/products', draft) };
}

const itemsOf = ({ body }: Answer) => body['lineItems'] as readonly Item[];
const textsOf = ({ body }: Answer) => body['textLineItems'] as readonly Item[];

t.test('line items name a variant by product or SKU, and say what the product is', async (t) => {
  const platform = await startProject();
  const { lamp, other } = await shopOf(platform);
  const list = await made(platform, '/shopping-lists', {
    name: text('Wishes'),
    lineItems: [
      { productId: lamp.id },
      { productId: lamp.id, variantId: 2, quantity: 3, addedAt: '2025-01-02T03:04:05.000Z' },
      { sku: 'OTHER', key: 'other-item' },
    ],
  });
  const productType = { typeId: 'product-type', id: (lamp['productType'] as Made).id };
  const ofLamp = { productId: lamp.id, name: text('Lamp'), productType, published: true };
  t.match(list, {
    lineItems: [
      { ...ofLamp, quantity: 1, addedAt: list['createdAt'] },
      { ...ofLamp, variantId: 2, quantity: 3, addedAt: '2025-01-02T03:04:05.000Z' },
      { productId: other.id, variantId: 1, key: 'other-item', name: text('Other'), published: false },
    ],
    textLineItems: [],
    deleteDaysAfterLastModification: 360,
  });
  const [first, ...others] = list['lineItems'] as readonly object[];
  t.notOk('variantId' in first!, 'the master variant, whichever it is');
  for (const item of [first!, ...others]) t.notOk('deactivatedAt' in item || 'sku' in item || 'variant' in item);
  const none = '00000000-0000-0000-0000-000000000000';
  const cases: readonly (readonly [object, object])[] = [
    [{ sku: 'NONE' }, { code: 'ReferencedResourceNotFound', typeId: 'product' }],
    [{ productId: none }, { code: 'ReferencedResourceNotFound', typeId: 'product', id: none }],
    [
      { productId: lamp.id, variantId: 3 },
      { code: 'ReferencedResourceNotFound', typeId: 'product', id: lamp.id },
    ],
    [{ sku: 'LAMP-1', productId: other.id }, { code: 'InvalidInput' }],
    [{ sku: 'LAMP-1', variantId: 2 }, { code: 'InvalidInput' }],
    [{}, { code: 'InvalidInput' }],
    [{ sku: 'LAMP-1', quantity: 0 }, { code: 'InvalidField' }],
  ];
  for (const [item, error] of cases) {
    const draft = { name: text('Faulty'), lineItems: [item] };
    t.match(await platform.request('POST', '/shopping-lists', draft), refused(error), JSON.stringify(item));
    const action = { action: 'addLineItem', ...item };
    t.match(await update(platform, `/shopping-lists/${list.id}`, action), refused(error), JSON.stringify(action));
  }
  const agreeing = { sku: 'LAMP-2', productId: lamp.id, variantId: 2 };
  t.match(await update(platform, `/shopping-lists/${list.id}`, { action: 'addLineItem', ...agreeing }), {
    status: 200,
    body: { lineItems: [{ quantity: 1 }, { quantity: 4 }, { quantity: 1 }] },
  });
});

t.test('items of one variant with the same custom fields are one item', async (t) => {
  const platform = await startProject();
  const { lamp } = await shopOf(platform);
  await made(platform, '/types', {
    key: 'noted',
    name: text('Noted'),
    resourceTypeIds: ['line-item'],
    fieldDefinitions: [
      { name: 'due', label: text('Due'), required: false, type: { name: 'DateTime' } },
      { name: 'worth', label: text('Worth'), required: false, type: { name: 'Money' } },
    ],
  });
  const custom = (fields: object) => ({ type: { typeId: 'type', key: 'noted' }, fields });
  const worth = { currencyCode: 'EUR', centAmount: 100 };
  const { id } = await made(platform, '/shopping-lists', {
    name: text('Wishes'),
    lineItems: [{ sku: 'LAMP-1' }, { productId: lamp.id, variantId: 1, quantity: 2 }, { productId: lamp.id }],
  });
  const path = `/shopping-lists/${id}`;
  const quantities = async (...added: object[]) =>
    itemsOf(await update(platform, path, ...added.map((item) => ({ action: 'addLineItem', ...item })))).map(
      ({ quantity }) => quantity,
    );
  t.strictSame(await quantities(), [3, 1], 'the variant that is the master is another than the master variant');
  t.strictSame(await quantities({ productId: lamp.id }, { sku: 'LAMP-1', key: 'again' }), [4, 2]);
  const noted = { sku: 'LAMP-1', custom: custom({ due: '2030-01-01T00:00:00Z', worth }) };
  t.strictSame(await quantities(noted), [4, 2, 1]);
  t.strictSame(await quantities(noted), [4, 2, 2], 'whatever form the value was given in');
  const reformed = { ...noted, custom: custom({ worth, due: '2030-01-01T01:00:00.000+01:00' }) };
  t.strictSame(await quantities(reformed), [4, 2, 3]);
  t.strictSame(await quantities({ sku: 'LAMP-1', custom: custom({ worth }) }), [4, 2, 3, 1], 'other fields');
  t.strictSame(await quantities({ sku: 'LAMP-1', custom: custom({}) }), [4, 2, 3, 1, 1], 'a type alone');
  t.match(await update(platform, path, { action: 'addLineItem', sku: 'LAMP-1', custom: custom({ other: 1 }) }), {
    status: 400,
    body: { errors: [{ code: 'InvalidField' }] },
  });
});

t.test('quantities change and run out, and items are put in an order that names all of them', async (t) => {
  const platform = await startProject();
  await shopOf(platform);
  const { id } = await made(platform, '/shopping-lists', {
    name: text('Wishes'),
    lineItems: [{ sku: 'LAMP-1', key: 'one', quantity: 5 }, { sku: 'LAMP-2', quantity: 2 }, { sku: 'OTHER' }],
    textLineItems: [{ name: text('Nails'), key: 'nails', quantity: 3 }, { name: text('Nails') }],
  });
  const path = `/shopping-lists/${id}`;
  const change = (...actions: object[]) => update(platform, path, ...actions);
  const before = await platform.request('GET', path);
  t.equal(textsOf(before).length, 2, 'text line items never merge');
  const [one, two, three] = itemsOf(before) as [Item, Item, Item];
  const [nails, more] = textsOf(before) as [Item, Item];
  for (const [action, member, ids] of [
    ['changeLineItemsOrder', 'lineItemOrder', [one.id, two.id, three.id]],
    ['changeTextLineItemsOrder', 'textLineItemOrder', [nails.id, more.id]],
  ] as const) {
    const [first, ...others] = ids;
    for (const order of [others, [...ids, first], [first, first, ...others.slice(1)], [...others, 'none'], []])
      t.match(await change({ action, [member]: order }), refused({ code: 'InvalidOperation' }), String(order));
  }
  const ordered = await change(
    { action: 'changeLineItemsOrder', lineItemOrder: [three.id, one.id, two.id] },
    { action: 'changeTextLineItemsOrder', textLineItemOrder: [more.id, nails.id] },
  );
  t.strictSame(
    [...itemsOf(ordered), ...textsOf(ordered)].map((item) => item.id),
    [three, one, two, more, nails].map((item) => item.id),
  );
  const changed = await change(
    { action: 'removeLineItem', lineItemKey: 'one', quantity: 2 },
    { action: 'changeLineItemQuantity', lineItemId: two.id, quantity: 7 },
    { action: 'removeLineItem', lineItemId: three.id, quantity: 1 },
    { action: 'changeTextLineItemQuantity', textLineItemKey: 'nails', quantity: 9 },
    { action: 'removeTextLineItem', textLineItemId: more.id },
  );
  t.match(changed, {
    status: 200,
    body: { lineItems: [{ quantity: 3 }, { quantity: 7 }], textLineItems: [{ quantity: 9 }] },
  });
  t.strictSame([itemsOf(changed).length, textsOf(changed).length], [2, 1]);
  const emptied = await change(
    { action: 'removeLineItem', lineItemKey: 'one', quantity: 100 },
    { action: 'changeLineItemQuantity', lineItemId: two.id, quantity: 0 },
    { action: 'changeTextLineItemQuantity', textLineItemKey: 'nails', quantity: 0 },
  );
  t.match(emptied, { status: 200, body: { lineItems: [], textLineItems: [] } });
  for (const name of [{ lineItemId: one.id }, { lineItemKey: 'one' }, {}])
    t.match(await change({ action: 'removeLineItem', ...name }), refused({ code: 'InvalidOperation' }));
});

t.test('a list has 250 line items and 100 text line items, with keys of their own', async (t) => {
  const platform = await startProject();
  await shopOf(platform);
  const productType = { typeId: 'product-type', key: 'lamp' };
  // A product has 100 variants at most.
  for (const key of ['one', 'two', 'three']) {
    const [masterVariant, ...variants] = Array.from({ length: 100 }, (_, index) => ({ sku: `${key}-${index}` }));
    await made(platform, '/products', { productType, name: text(key), slug: text(key), masterVariant, variants });
  }
  const name = text('Long');
  const texts = (count: number) => Array.from({ length: count }, () => ({ name }));
  const lineItems = Array.from({ length: 250 }, (_, index) => ({
    sku: `${['one', 'two', 'three'][index % 3]}-${Math.floor(index / 3)}`,
  }));
  const full = await made(platform, '/shopping-lists', { name, lineItems, textLineItems: texts(100) });
  const path = `/shopping-lists/${full.id}`;
  for (const action of [
    { action: 'addLineItem', sku: 'OTHER' },
    { action: 'addTextLineItem', name },
  ])
    t.match(await update(platform, path, action), refused({ code: 'InvalidOperation' }));
  for (const draft of [{ textLineItems: texts(101) }, { lineItems: [...lineItems, { sku: 'OTHER' }] }])
    t.match(
      await platform.request('POST', '/shopping-lists', { name, ...draft }),
      refused({ code: 'InvalidOperation' }),
    );
  // Items are compared with each other, so that many are refused before it is known how many are the same.
  const same = Array.from({ length: 251 }, () => ({ sku: 'LAMP-1' }));
  const ofSame = await platform.request('POST', '/shopping-lists', { name, lineItems: same });
  t.match(ofSame, refused({ code: 'InvalidOperation' }));
  const addition = { action: 'addLineItem', sku: 'LAMP-1' };
  const removal = { action: 'removeLineItem', lineItemId: (full['lineItems'] as readonly Item[])[0]!.id };
  t.match(await update(platform, path, addition, removal), refused({ code: 'InvalidOperation' }));
  t.equal((await update(platform, path, removal, addition)).status, 200);
  const twice = [
    { sku: 'LAMP-1', key: 'same' },
    { sku: 'LAMP-2', key: 'same' },
  ];
  t.match(
    await platform.request('POST', '/shopping-lists', { name, lineItems: twice }),
    refused({ code: 'DuplicateField', field: 'lineItems.key', duplicateValue: 'same' }),
  );
});

t.test('slugs are held for each locale, and a list has one owner', async (t) => {
  const platform = await startProject();
  const { body: customer } = await platform.request('POST', '/customers', {
    email: 'jane@example.org',
    password: 'pass-word-1',
  });
  const owner = { typeId: 'customer', id: ((customer as Body)['customer'] as Made).id };
  const name = text('List');
  const first = await made(platform, '/shopping-lists', { name, slug: { en: 'gifts', de: 'gaben' }, key: 'gifts' });
  const twin = (slug: object) => platform.request('POST', '/shopping-lists', { name, slug });
  t.match(await twin({ de: 'gaben' }), refused({ code: 'DuplicateField', field: 'slug.de', duplicateValue: 'gaben' }));
  t.equal((await twin({ de: 'gifts' })).status, 201, 'one of another locale');
  t.match(await twin({ en: 'no slug' }), refused({ code: 'InvalidField', field: 'slug.en' }));
  const path = `/shopping-lists/${first.id}`;
  t.equal((await update(platform, path, { action: 'setSlug' })).status, 200);
  t.equal((await twin({ de: 'gaben' })).status, 201, 'what was given up is free');
  t.match(
    await platform.request('POST', '/shopping-lists', { name, key: 'gifts' }),
    refused({ code: 'DuplicateField', field: 'key' }),
  );

  const both = { name, customer: owner, anonymousId: 'visitor' };
  t.match(await platform.request('POST', '/shopping-lists', both), refused({ code: 'InvalidOperation' }));
  t.match(await update(platform, path, { action: 'setAnonymousId', anonymousId: 'visitor' }), {
    body: { anonymousId: 'visitor' },
  });
  const taken = await update(platform, path, { action: 'setCustomer', customer: owner });
  t.match(taken, { status: 200, body: { customer: owner } });
  t.notOk('anonymousId' in taken.body, 'a customer takes it over');
  const visitors = { action: 'setAnonymousId', anonymousId: 'visitor' };
  t.match(await update(platform, path, visitors), refused({ code: 'InvalidOperation' }));
  t.match(await update(platform, path, { action: 'setCustomer' }, visitors), { body: { anonymousId: 'visitor' } });
});

t.test('the retention of a project is that of the lists that are made or set then', async (t) => {
  const platform = await startProject();
  const setDays = async (days: number) => {
    const { body } = await platform.request('GET', '');
    const configuration = { deleteDaysAfterLastModification: days };
    const action = { action: 'changeShoppingListsConfiguration', shoppingListsConfiguration: configuration };
    t.equal((await platform.request('POST', '', { version: body['version'], actions: [action] })).status, 200);
  };
  const days = ({ body }: Answer) => body['deleteDaysAfterLastModification'];
  const { id } = await made(platform, '/shopping-lists', { name: text('Old') });
  await setDays(7);
  const path = `/shopping-lists/${id}`;
  t.equal(days(await platform.request('GET', path)), 360, 'it is not touched');
  t.match(await made(platform, '/shopping-lists', { name: text('New') }), { deleteDaysAfterLastModification: 7 });
  const action = { action: 'setDeleteDaysAfterLastModification' };
  t.equal(days(await update(platform, path, { ...action, deleteDaysAfterLastModification: 20 })), 20);
  t.equal(days(await update(platform, path, action)), 7);
  for (const deleteDaysAfterLastModification of [0, 365_251])
    t.match(
      await update(platform, path, { ...action, deleteDaysAfterLastModification }),
      refused({ code: 'InvalidField' }),
    );
});

t.test('variants and slugs show where they are expanded, to each as far as they see products', async (t) => {
  const platform = await startProject();
  const { lamp, other } = await shopOf(platform);
  const { id } = await made(platform, '/shopping-lists', {
    key: 'wishes',
    name: text('Wishes'),
    lineItems: [{ productId: lamp.id }, { sku: 'LAMP-2' }, { productId: other.id }],
  });
  const paths = ['lineItems[*].variant', 'lineItems[*].productSlug'].map(
    (path) => `expand=${encodeURIComponent(path)}`,
  );
  const plain = await platform.request('GET', `/shopping-lists/${id}`);
  const price = { value: { currencyCode: 'EUR', centAmount: 1000 } };
  const attributes = (color: string) => [
    { name: 'maker', value: 'Acme' },
    { name: 'color', value: color },
  ];
  const variants = [
    { id: 1, sku: 'LAMP-1', attributes: attributes('red'), prices: [price] },
    { id: 2, sku: 'LAMP-2', attributes: attributes('blue'), prices: [price] },
    { id: 1, sku: 'OTHER', attributes: [] },
  ];
  const slugs = ['lamp', 'lamp', 'other'].map(text);
  const lineItems = variants.map((variant, index) => ({ variant, productSlug: slugs[index] }));
  const expanded = await platform.request('GET', `/shopping-lists/${id}?${paths.join('&')}`);
  t.match(expanded, { status: 200, body: { lineItems } });
  t.match(await platform.request('GET', `/shopping-lists?${paths.join('&')}`), { body: { results: [{ lineItems }] } });
  const nothing = { version: 1, actions: [] };
  t.strictSame(
    (await platform.request('POST', `/shopping-lists/key=wishes?${paths.join('&')}`, nothing)).body,
    expanded.body,
  );
  const [variantPath, slugPath] = paths as [string, string];
  const alone = await platform.request('GET', `/shopping-lists/${id}?${slugPath}`);
  t.strictSame(
    itemsOf(alone),
    itemsOf(plain).map((item, index) => ({ ...item, productSlug: slugs[index] })),
  );
  const one = encodeURIComponent('lineItems[0].variant');
  t.strictSame(
    (await platform.request('GET', `/shopping-lists/${id}?expand=${one}`)).body,
    plain.body,
    'no single one',
  );
  const object = await made(platform, '/custom-objects', {
    container: 'links',
    key: 'list',
    value: { typeId: 'shopping-list', id },
  });
  const below = encodeURIComponent('value.lineItems[*].variant');
  t.match(
    await platform.request(
      'GET',
      `/custom-objects/links/${String(object['key'])}?expand=${encodeURIComponent('value')}&expand=${below}`,
    ),
    {
      body: { value: { obj: { lineItems: variants.map((variant) => ({ variant })) } } },
    },
  );

  const token = await platform.tokenWith([`view_shopping_lists:${platform.projectKey}`]);
  const headers = { authorization: `Bearer ${token}` };
  const seen = await platform.request('GET', `/shopping-lists/${id}?${variantPath}`, undefined, headers);
  t.strictSame(
    itemsOf(seen).map((item) => 'variant' in item),
    [true, true, false],
    'what is not published is not there for who may not see products',
  );
  t.equal(
    (
      await update(platform, `/products/${lamp.id}`, {
        action: 'setAttribute',
        sku: 'LAMP-2',
        name: 'color',
        value: 'green',
        staged: false,
      })
    ).status,
    200,
  );
  t.match(
    itemsOf(await platform.request('GET', `/shopping-lists/${id}?${variantPath}`)),
    [{}, { variant: { attributes: attributes('green') } }],
    'a kept answer knows that the product has changed',
  );
});

t.test('GraphQL has the variant, the slug and all parts', async (t) => {
  const platform = await startProject();
  const { lamp } = await shopOf(platform);
  const query = `mutation {
    createShoppingList(draft: {
      name: [{ locale: "en", value: "Wishes" }], key: "wishes"
      lineItems: [{ sku: "LAMP-2", quantity: 2 }, { productId: "${lamp.id}" }]
      textLineItems: [{ name: [{ locale: "en", value: "Nails" }] }]
    }) {
      version key name(locale: "en") deleteDaysAfterLastModification
      lineItems {
        productId variantId quantity published name(locale: "en") productSlug(locale: "en")
        productSlugAllLocales { locale value } deactivatedAt productType { key } productTypeRef { typeId }
        variant { sku attributesRaw { name value } price(currency: "EUR") { value { centAmount } } }
      }
      textLineItems { name(locale: "en") quantity }
    }
  }`;
  const common = {
    published: true,
    name: 'Lamp',
    productSlug: 'lamp',
    productSlugAllLocales: [{ locale: 'en', value: 'lamp' }],
  };
  const ofType = { deactivatedAt: null, productType: { key: 'lamp' }, productTypeRef: { typeId: 'product-type' } };
  const variant = (sku: string, color: string) => ({
    sku,
    attributesRaw: [
      { name: 'maker', value: 'Acme' },
      { name: 'color', value: color },
    ],
    price: { value: { centAmount: 1000 } },
  });
  const { body } = await platform.request('POST', '/graphql', { query });
  t.strictSame(body, {
    data: {
      createShoppingList: {
        version: 1,
        key: 'wishes',
        name: 'Wishes',
        deleteDaysAfterLastModification: 360,
        lineItems: [
          { productId: lamp.id, variantId: 2, quantity: 2, ...common, ...ofType, variant: variant('LAMP-2', 'blue') },
          { productId: lamp.id, variantId: null, quantity: 1, ...common, ...ofType, variant: variant('LAMP-1', 'red') },
        ],
        textLineItems: [{ name: 'Nails', quantity: 1 }],
      },
    },
  });
});

t.test('line items follow their product, and are deactivated when it or the variant has gone', async (t) => {
  const platform = await startPlatform(t, { feeder: true });
  const { lamp, other } = await shopOf(platform);
  const { id } = await made(platform, '/shopping-lists', {
    name: text('Wishes'),
    lineItems: [{ sku: 'LAMP-1' }, { sku: 'LAMP-2' }, { sku: 'OTHER' }],
  });
  const until = (isSo: (items: readonly (Item & Body)[]) => boolean) =>
    eventually(async () => {
      const items = itemsOf(await platform.request('GET', `/shopping-lists/${id}`)) as readonly (Item & Body)[];
      return isSo(items) ? items : undefined;
    });
  const name = { action: 'changeName', name: text('Bright lamp'), staged: false };
  const gone = { action: 'removeVariant', sku: 'LAMP-2', staged: false };
  t.equal((await update(platform, `/products/${lamp.id}`, name, gone)).status, 200);
  t.equal((await update(platform, `/products/${other.id}`, { action: 'publish' })).status, 200);
  const [first, second] = await until(
    (items) => items[2]!['published'] === true && items[1]!['deactivatedAt'] !== undefined,
  );
  t.match(first, { name: text('Bright lamp'), published: true, deactivatedAt: undefined });
  t.match(second, { name: text('Bright lamp'), deactivatedAt: /^\d{4}-/ });
  const since = second!['deactivatedAt'];
  const { body } = await platform.request('GET', `/products/${lamp.id}`);
  t.equal((await platform.request('DELETE', `/products/${lamp.id}?version=${Number(body['version'])}`)).status, 200);
  const items = await until(([item]) => item!['deactivatedAt'] !== undefined);
  t.match(items[0], { name: text('Bright lamp'), published: false, productId: lamp.id });
  t.equal(items[1]!['deactivatedAt'], since, 'since the first moment');
  const written = await update(platform, `/shopping-lists/${id}`, {
    action: 'changeLineItemQuantity',
    lineItemId: items[0]!.id,
    quantity: 2,
  });
  t.match(written, { status: 200, body: { lineItems: [{ quantity: 2, deactivatedAt: items[0]!['deactivatedAt'] }] } });
});

t.test('shoppers have lists of their own, with the public client, in stores too', async (t) => {
  const platform = await startProject();
  await shopOf(platform);
  for (const key of ['north', 'south']) await made(platform, '/stores', { key });
  const scope = `manage_my_shopping_lists:${platform.projectKey}`;
  const tokenOf = (email: string) => shopperToken(platform, { shopper: 'customer', email, scope });
  const jane = platform
    .apiWith(await tokenOf('jane@example.org'))
    .me()
    .shoppingLists();
  const joe = platform
    .apiWith(await tokenOf('joe@example.org'))
    .me()
    .shoppingLists();
  const draft = { name: text('Wishes'), lineItems: [{ sku: 'LAMP-1' }], key: 'mine', slug: text('mine') };
  const { body: list, statusCode } = await jane.post({ body: draft }).execute();
  t.equal(statusCode, 201);
  t.match(list, { customer: { typeId: 'customer' }, lineItems: [{ quantity: 1 }] });
  t.notOk('key' in list || 'slug' in list, 'which are for the shop to give');
  const id = { ID: list.id };
  const changed = await jane
    .withId(id)
    .post({ body: { version: list.version, actions: [{ action: 'addTextLineItem', name: text('Nails') }] } })
    .execute();
  t.match(changed.body, { version: list.version + 1, textLineItems: [{ quantity: 1 }] });
  const setKey = { version: list.version + 1, actions: [{ action: 'setKey', key: 'mine' }] };
  const asShop = setKey as Parameters<ReturnType<typeof jane.withId>['post']>[0]['body'];
  t.match(
    await jane
      .withId(id)
      .post({ body: asShop })
      .execute()
      .catch((error: unknown) => error),
    { statusCode: 400 },
  );
  t.match(
    await joe
      .withId(id)
      .get()
      .execute()
      .catch((error: unknown) => error),
    { statusCode: 404 },
  );
  t.equal((await joe.get().execute()).body.total, 0);
  t.equal((await jane.get({ queryArgs: { where: 'textLineItems is not empty' } }).execute()).body.total, 1);
  t.equal((await platform.request('POST', `/shopping-lists/${list.id}`, setKey)).status, 200);
  t.equal((await jane.withKey({ key: 'mine' }).get().execute()).body.id, list.id);

  const inStore = platform
    .apiWith(await tokenOf('jane@example.org'))
    .inStoreKeyWithStoreKeyValue({ storeKey: 'north' });
  const northern = await inStore
    .me()
    .shoppingLists()
    .post({ body: { name: text('North') } })
    .execute();
  t.match(northern.body, { store: { typeId: 'store', key: 'north' } });
  t.equal((await inStore.me().shoppingLists().get().execute()).body.total, 1);
  t.equal((await jane.get().execute()).body.total, 2);
  const south = await platform.request('GET', `/in-store/key=south/shopping-lists/${northern.body.id}`);
  t.equal(south.status, 404);
  const queryArgs = { version: list.version + 2 };
  t.equal((await jane.withId(id).delete({ queryArgs }).execute()).statusCode, 200);
});

t.test('whoever only shops puts nothing on a list that is not published', async (t) => {
  const platform = await startProject();
  const { lamp, other } = await shopOf(platform);
  const token = await shopperToken(platform, { shopper: 'anonymous' });
  const create = (item: object) =>
    platform.request(
      'POST',
      '/me/shopping-lists',
      { name: text('Wishes'), lineItems: [item] },
      { authorization: `Bearer ${token}` },
    );
  for (const item of [{ sku: 'OTHER' }, { productId: other.id }]) {
    const answer = await create(item);
    t.match(answer, refused({ code: 'ReferencedResourceNotFound', typeId: 'product' }));
    t.notMatch(answer.text, 'Other');
  }
  for (const item of [{ sku: 'LAMP-2' }, { productId: lamp.id }]) t.match(await create(item), { status: 201 });
});

t.test('nor a variant that is only staged', async (t) => {
  const platform = await startProject();
  const { lamp } = await shopOf(platform);
  await update(
    platform,
    `/products/${lamp.id}`,
    { action: 'addVariant', sku: 'LAMP-3', staged: true },
    { action: 'setSku', variantId: 2, sku: 'LAMP-2-NEW', staged: true },
  );
  const unknown = refused({ code: 'ReferencedResourceNotFound', typeId: 'product' });
  const staged = [{ sku: 'LAMP-3' }, { sku: 'LAMP-2-NEW' }, { productId: lamp.id, variantId: 3 }];
  const lineItems = [...staged, { sku: 'LAMP-2' }];
  const draft = { name: text('Wishes'), lineItems };
  t.match(await platform.request('POST', '/shopping-lists', draft), { status: 201 }, 'which the shop may');

  for (const shopper of ['anonymous', 'customer'] as const) {
    const headers = { authorization: `Bearer ${await shopperToken(platform, { shopper })}` };
    const send = (path: string, body: object) => platform.request('POST', `/me/shopping-lists${path}`, body, headers);
    const list = await send('', { name: text('Wishes'), lineItems: [{ sku: 'LAMP-2' }] });
    t.match(list, { status: 201, body: { lineItems: [{ variantId: 2 }] } });
    const { id, version } = list.body as Made;
    for (const item of staged) {
      t.match(await send('', { name: text('Wishes'), lineItems: [item] }), unknown);
      t.match(await send(`/${id}`, { version, actions: [{ action: 'addLineItem', ...item }] }), unknown);
    }
  }
});
