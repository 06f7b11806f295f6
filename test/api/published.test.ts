import t from 'tap';
import { startPlatform } from '../support/platform.ts';

t.test('a token for published products never meets staged data', async (t) => {
  const platform = await startPlatform(t);
  const { request, projectKey, tokenWith } = platform;
  await request('POST', '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
  const create = async (name: string, publish: boolean) => {
    const draft = { key: name, productType: { key: 'lamp' }, name: { en: name }, slug: { en: name }, publish };
    const { body, status, text } = await request('POST', '/products', draft);
    if (status !== 201) throw new Error(text);
    return String(body['id']);
  };
  const shown = await create('shown', true);
  const hidden = await create('hidden', false);
  const update = { version: 1, actions: [{ action: 'changeName', name: { en: 'secret' }, staged: true }] };
  t.match((await request('POST', '/products/key=shown', update)).body, {
    masterData: { hasStagedChanges: true, staged: { name: { en: 'secret' } }, current: { name: { en: 'shown' } } },
  });
  for (const [key, product] of [
    ['shown', shown],
    ['hidden', hidden],
  ]) {
    const value = { type: 'giftLineItem', product: { typeId: 'product', id: product }, variantId: 1 };
    const discount = { key, name: { en: key }, cartPredicate: '1 = 1', value };
    t.equal((await request('POST', '/cart-discounts', discount)).status, 201);
  }

  const scopes = ['view_published_products', 'view_cart_discounts'].map((name) => `${name}:${projectKey}`);
  const limited = { authorization: `Bearer ${await tokenWith(scopes)}` };
  const ask = (path: string) => request('GET', path, undefined, limited);
  const graphql = async (query: string) => (await request('POST', '/graphql', { query }, limited)).body;
  // Whoever may see all asks first, so that answers are kept.
  const asked = [
    '/products',
    '/products?withTotal=false&sort=key',
    '/cart-discounts?expand=value.product',
    '/cart-discounts/key=shown?expand=value.product',
    '/cart-discounts/key=hidden?expand=value.product',
  ];
  for (const path of asked) t.match((await request('GET', path)).text, /secret|hidden/, path);
  for (const path of asked) {
    const { status, text } = await ask(path);
    t.equal(status, 200);
    t.notMatch(text, /secret|staged"|"name":{"en":"hidden"},"slug"/, path);
  }
  t.match((await ask('/products')).body, {
    total: 1,
    count: 1,
    results: [
      { id: shown, masterData: { published: true, hasStagedChanges: false, current: { name: { en: 'shown' } } } },
    ],
  });
  t.match((await ask('/cart-discounts/key=shown?expand=value.product')).body, {
    value: { product: { obj: { masterData: { current: { name: { en: 'shown' } } } } } },
  });
  t.notOk(
    'obj' in
      ((await ask('/cart-discounts/key=hidden?expand=value.product')).body['value'] as object as { product: object })
        .product,
  );
  for (const path of [`/products/${shown}`, '/products/key=shown', '/products/key=hidden'])
    t.equal((await ask(path)).status, 403, path);

  const products =
    '{ products { total results { masterData { hasStagedChanges staged { name(locale: "en") } current { name(locale: "en") } } } } }';
  t.strictSame(await graphql(products), {
    data: {
      products: {
        total: 1,
        results: [{ masterData: { hasStagedChanges: false, staged: null, current: { name: 'shown' } } }],
      },
    },
  });
  t.strictSame(await graphql(`{ shown: product(id: "${shown}") { key } hidden: product(id: "${hidden}") { key } }`), {
    data: { shown: { key: 'shown' }, hidden: null },
  });
  const probes = ['masterData(staged(name(en="secret")))'];
  for (const where of probes) {
    const { body } = await ask(`/products?where=${encodeURIComponent(where)}`);
    t.match(body, { statusCode: 400, errors: [{ code: 'InvalidInput' }] }, 'nor can it be guessed');
    const answer = await graphql(`{ products(where: ${JSON.stringify(where)}) { total } }`);
    t.match(answer, { errors: [{ extensions: { code: 'InvalidInput' } }] });
  }
  t.equal((await ask('/products?sort=masterData.staged.name.en')).status, 400);
  for (const [where, total] of [
    ['hasStagedChanges = true', 0],
    ['hasStagedChanges = false', 1],
    ['hasStagedChanges != false or not (published = true)', 0],
    ['not (hasStagedChanges in (true)) and hasStagedChanges is defined', 1],
  ] as const) {
    const projections = `/product-projections?where=${encodeURIComponent(where)}&sort=hasStagedChanges`;
    t.match((await ask(projections)).body, { total }, `${where}: predicates ask for what shows`);
    const inside = encodeURIComponent(`masterData(${where})`);
    t.match((await ask(`/products?where=${inside}&sort=masterData.hasStagedChanges`)).body, { total }, where);
  }
  const suggest = `/product-projections/suggest?searchKeywords.en=a&staged=`;
  t.equal((await ask(`${suggest}true`)).status, 403);

  t.equal(
    (await request('POST', '/products/key=shown', { version: 2, actions: [{ action: 'unpublish' }] })).status,
    200,
  );
  t.match((await ask('/products')).body, { total: 0, results: [] }, 'what is taken back is gone at the next request');
});

t.test(
  'who may see a part of products learns nothing of the others on another way, and loses nothing of them',
  async (t) => {
    const platform = await startPlatform(t);
    const { request, projectKey, tokenWith } = platform;
    const made = async (path: string, draft: object): Promise<string> => {
      const { body, status, text } = await request('POST', path, draft);
      if (status !== 201) throw new Error(text);
      return String(body['id']);
    };
    const as = async (...scopes: readonly string[]) => ({
      authorization: `Bearer ${await tokenWith(scopes.map((scope) => `${scope}:${projectKey}`))}`,
    });
    const attributes = [
      { name: 'secret', label: { en: 'Secret' }, type: { name: 'text' }, isRequired: false },
      {
        name: 'review',
        label: { en: 'Review' },
        type: { name: 'reference', referenceTypeId: 'review' },
        isRequired: false,
      },
    ];
    await made('/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps', attributes });
    const category = await made('/categories', { key: 'all', name: { en: 'All' }, slug: { en: 'all' } });
    const review = await made('/reviews', { key: 'good', authorName: 'Ann', text: 'Good' });
    const product = (key: string, publish: boolean) =>
      made('/products', {
        key,
        productType: { typeId: 'product-type', key: 'lamp' },
        name: { en: key },
        slug: { en: key },
        publish,
        categories: [{ typeId: 'category', id: category }],
        masterVariant: {
          sku: key,
          attributes: [
            { name: 'secret', value: 'word' },
            { name: 'review', value: { typeId: 'review', id: review } },
          ],
        },
      });
    const shown = await product('shown', true);
    const hidden = await product('hidden', false);

    const discount = { name: { en: 'D' }, sortOrder: '0.5', isActive: true, value: { type: 'relative', permyriad: 1 } };
    await made('/product-discounts', { ...discount, predicate: 'attributes.secret = "word"' });
    const match = async (productId: string, staged: boolean, headers: Record<string, string> | undefined) => {
      const price = { value: { currencyCode: 'EUR', centAmount: 100 } };
      const body = { productId, variantId: 1, staged, price };
      return (await request('POST', '/product-discounts/matching', body, headers)).status;
    };
    const discounts = await as('manage_product_discounts', 'view_product_discounts');
    t.equal(await match(hidden, true, undefined), 200, 'who may see all finds it');
    t.strictSame(
      [
        await match(shown, false, discounts),
        await match(shown, true, discounts),
        await match(hidden, false, discounts),
      ],
      [200, 403, 400],
    );

    const published = await as('view_published_products');
    const expanded = '/product-projections/key=shown?expand=masterVariant.attributes%5B*%5D.value';
    t.match((await request('GET', expanded)).text, /Ann/);
    t.notMatch((await request('GET', expanded, undefined, published)).text, /Ann/, 'reviews need a scope of theirs');

    const counted = { query: '{ category(key: "all") { id stagedProductCount } }' };
    t.match((await request('POST', '/graphql', counted)).body, { data: { category: { stagedProductCount: 2 } } });
    const catalog = await as('view_published_products', 'view_categories');
    t.match((await request('POST', '/graphql', counted, catalog)).body, {
      errors: [{ path: ['category', 'stagedProductCount'], extensions: { code: 'insufficient_scope' } }],
    });

    const selections = await as('manage_product_selections');
    const selection = await made('/product-selections', { key: 'some', name: { en: 'Some' } });
    const add = { action: 'addProduct', product: { typeId: 'product', id: hidden } };
    const path = '/product-selections/key=some';
    t.match(await request('POST', path, { version: 1, actions: [add] }, selections), {
      status: 200,
      body: { productCount: 1 },
    });
    const query = `mutation { updateProductSelection(id: "${selection}", version: 2,
    actions: [{ removeProduct: { product: { id: "${hidden}" } } }]) { productCount } }`;
    t.match(await request('POST', '/graphql', { query }, selections), {
      status: 200,
      body: { data: { updateProductSelection: { productCount: 0 } } },
    });
  },
);
