import t, { type Test } from 'tap';
import { type Answer, type Platform, startPlatform, startProject } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

const refused = (error: object) => ({ status: 400, body: { errors: [error] } });

type Body = Readonly<Record<string, unknown>>;

async function made(platform: Platform, path: string, draft: object): Promise<Body & { readonly id: string }> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body as never;
}

const link = (key: string) => ({ typeId: 'product', key });
const only = (...skus: string[]) => ({ type: 'includeOnly', skus });

/** Products of these keys, each with a variant whose SKU is its key. */
async function withProducts(platform: Platform, ...keys: string[]): Promise<ReadonlyMap<string, string>> {
  await made(platform, '/product-types', { key: 'any', name: 'Any', description: 'Any' });
  const ids = new Map<string, string>();
  for (const key of keys) {
    const texts = { name: { en: key }, slug: { en: key }, productType: { typeId: 'product-type', key: 'any' } };
    ids.set(key, (await made(platform, '/products', { key, ...texts, masterVariant: { sku: key } })).id);
  }
  return ids;
}

/** Updates a resource at the version that it has. */
async function update(platform: Platform, path: string, ...actions: object[]): Promise<Answer> {
  const { body } = await platform.request('GET', path);
  return platform.request('POST', path, { version: body['version'], actions });
}

const results = ({ body }: Answer) => body['results'] as readonly Body[];

t.test('the mode is as the draft or its older type says, and does not change', async (t) => {
  const platform = await startProject();
  const create = (members: object) =>
    platform.request('POST', '/product-selections', { name: { en: 'Any' }, ...members });
  const individual = { status: 201, body: { mode: 'Individual', type: 'individual', productCount: 0 } };
  const exclusion = { status: 201, body: { mode: 'IndividualExclusion', type: 'individualExclusion' } };
  t.match(await create({}), individual);
  t.match(await create({ type: 'individual' }), individual);
  t.match(await create({ mode: 'IndividualExclusion' }), exclusion);
  t.match(await create({ type: 'individualExclusion' }), exclusion);
  t.match(await create({ type: 'individual', mode: 'IndividualExclusion' }), refused({ code: 'InvalidInput' }));
  t.match(await create({ mode: 'Other' }), refused({ code: 'InvalidField', field: 'mode' }));
});

t.test('products come and go, one assignment each, and are counted', async (t) => {
  const platform = await startProject();
  const ids = await withProducts(platform, 'tent', 'lamp');
  const tent = { typeId: 'product', id: ids.get('tent') };
  const path = '/product-selections/key=summer';
  await made(platform, '/product-selections', { key: 'summer', name: { en: 'Summer' } });
  const change = (...actions: object[]) => update(platform, path, ...actions);
  const add = (key: string, variantSelection?: object) => ({
    action: 'addProduct',
    product: link(key),
    ...(variantSelection && { variantSelection }),
  });
  const list = async () => results(await platform.request('GET', `${path}/products?sort=createdAt&sort=product.id`));

  t.match(await change(add('tent', only('A', 'B'))), { status: 200, body: { version: 2, productCount: 1 } });
  t.strictSame(await list(), [{ product: tent, variantSelection: only('A', 'B') }]);
  t.match(await change(add('tent', only('B', 'A'))), { status: 200, body: { version: 2 } }, 'the same changes nothing');
  t.match(await change(add('tent', { type: 'inclusion', skus: ['A', 'B'] })), { body: { version: 2 } });
  const others = refused({
    code: 'ProductPresentWithDifferentVariantSelection',
    product: tent,
    existingVariantSelection: only('A', 'B'),
  });
  t.match(await change(add('tent')), others);
  t.match(await change(add('tent', { type: 'includeAllExcept', skus: ['A', 'B'] })), others);

  const set = { action: 'setVariantSelection', product: link('tent') };
  t.match(await change(set), { status: 200, body: { version: 3, productCount: 1 } });
  t.strictSame(await list(), [{ product: tent }]);
  t.match(await change(set), { body: { version: 3 } });
  t.match(
    await change(add('tent', only('A'))),
    refused({ existingVariantSelection: { type: 'includeAllExcept', skus: [] } }),
    'all variants are in',
  );
  t.match(
    await change({ ...set, product: link('lamp') }),
    refused({ code: 'ProductAssignmentMissing', product: { typeId: 'product', id: ids.get('lamp') } }),
  );
  const remove = (key: string) => ({ action: 'removeProduct', product: link(key) });
  t.match(await change(remove('lamp')), { status: 200, body: { version: 3 } }, 'what is not there is no error');
  t.match(await change(remove('tent'), add('lamp')), { body: { version: 4, productCount: 1 } });
  t.match(
    await change(add('tent'), { ...set, variantSelection: only('A') }, remove('lamp'), add('lamp', only('B'))),
    { body: { version: 5, productCount: 2 } },
    'each action sees what those before it did',
  );
  t.match(new Set((await list()).map((each) => each['variantSelection'])), new Set([only('A'), only('B')]));
  t.match(await change(remove('tent'), set), refused({ code: 'ProductAssignmentMissing' }));
  t.match(
    await change(add('tent', only())),
    refused({ code: 'InvalidField', field: 'actions[0].variantSelection.skus' }),
  );
  t.match(
    await change({ action: 'addProduct', product: link('none') }),
    refused({ code: 'ReferencedResourceNotFound' }),
  );
  t.match(await change({ action: 'excludeProduct', product: link('tent') }), refused({ code: 'InvalidOperation' }));
  t.match(
    await change({ action: 'setVariantExclusion', product: link('tent') }),
    refused({ code: 'InvalidOperation' }),
  );
});

t.test('a selection of exclusions has actions of its own', async (t) => {
  const platform = await startProject();
  await withProducts(platform, 'tent', 'lamp');
  const path = '/product-selections/key=hidden';
  await made(platform, '/product-selections', { key: 'hidden', name: { en: 'Hidden' }, mode: 'IndividualExclusion' });
  const change = (...actions: object[]) => update(platform, path, ...actions);
  const exclude = { action: 'excludeProduct', product: link('tent') };
  t.match(await change(exclude), { status: 200, body: { productCount: 1, version: 2 } });
  t.match(await change(exclude), { body: { version: 2 } });
  const some = { variantExclusion: { skus: ['A'] } };
  t.match(
    await change({ ...exclude, ...some }),
    refused({
      code: 'ProductPresentWithDifferentVariantSelection',
      existingVariantSelection: { type: 'includeOnly', skus: [] },
    }),
    'no variant is left',
  );
  t.match(await change({ ...exclude, ...some, action: 'setVariantExclusion' }), { body: { version: 3 } });
  t.match(await change(exclude), refused({ existingVariantSelection: { type: 'includeAllExcept', skus: ['A'] } }));
  t.match(results(await platform.request('GET', `${path}/products`)), [some]);
  t.match(await change({ action: 'addProduct', product: link('lamp') }), refused({ code: 'InvalidOperation' }));
  t.match(
    await change({ action: 'setVariantSelection', product: link('tent') }),
    refused({ code: 'InvalidOperation' }),
  );
  t.match(await change({ action: 'removeProduct', product: link('tent') }), { body: { version: 4, productCount: 0 } });
});

t.test('assignments are listed by selection, by product and by store, each list in a form of its own', async (t) => {
  const platform = await startProject();
  const { request, api } = platform;
  const ids = await withProducts(platform, 'tent', 'lamp', 'rope');
  const selections = new Map<string, string>();
  for (const [key, mode] of [
    ['summer', 'Individual'],
    ['winter', 'Individual'],
    ['hidden', 'IndividualExclusion'],
  ] as const)
    selections.set(key, (await made(platform, '/product-selections', { key, mode, name: { en: key } })).id);
  const selectionLink = (key: string) => ({ typeId: 'product-selection', id: selections.get(key) });
  const productLink = (key: string) => ({ typeId: 'product', id: ids.get(key) });
  const add = (key: string) => ({ action: 'addProduct', product: link(key) });
  await update(platform, '/product-selections/key=summer', add('tent'), add('lamp'), add('rope'));
  await update(platform, '/product-selections/key=winter', { ...add('tent'), variantSelection: only('tent') });
  await update(platform, '/product-selections/key=hidden', { action: 'excludeProduct', product: link('rope') });

  const summer = `/product-selections/${selections.get('summer')}/products`;
  const page = await request('GET', `${summer}?limit=2&offset=1`);
  t.strictSame(
    Object.keys(page.body),
    ['limit', 'offset', 'count', 'results'],
    'the total is for those who ask for it',
  );
  t.match(page.body, { limit: 2, offset: 1, count: 2 });
  t.match((await request('GET', `${summer}?limit=1&withTotal=true`)).body, { total: 3, count: 1 });
  const where = encodeURIComponent(`product(id="${ids.get('lamp')}")`);
  const expanded = await request('GET', `${summer}?where=${where}&expand=product`);
  t.match(results(expanded), [{ product: { ...productLink('lamp'), obj: { key: 'lamp' } } }]);
  t.match(await request('GET', `${summer}?limit=501`), refused({ code: 'InvalidInput' }));
  t.match(await request('GET', `${summer}?where=nonsense%3D1`), refused({ code: 'InvalidInput' }));
  t.match(await request('GET', '/product-selections/key=none/products'), { status: 404 });

  const ofTent = results(await request('GET', '/products/key=tent/product-selections?sort=createdAt'));
  t.match(ofTent, [
    { productSelection: selectionLink('summer'), createdAt: /./ },
    { productSelection: selectionLink('winter'), variantSelection: only('tent') },
  ]);
  t.notOk('product' in ofTent[0]!);
  t.match(await request('GET', `/products/${selections.get('summer')}/product-selections`), {
    status: 404,
    body: { errors: [{ code: 'ResourceNotFound' }] },
  });

  const setting = (key: string, active: boolean) => ({ productSelection: selectionLink(key), active });
  await made(platform, '/stores', {
    key: 'shop',
    productSelections: [setting('winter', true), setting('hidden', true), setting('summer', false)],
  });
  await made(platform, '/stores', { key: 'empty', productSelections: [setting('summer', false)] });
  const inStore = (key: string) =>
    api
      .inStoreKeyWithStoreKeyValue({ storeKey: key })
      .productSelectionAssignments()
      .get({ queryArgs: { expand: 'productSelection', withTotal: true } })
      .execute();
  const { body } = await inStore('shop');
  t.equal(body.total, 2);
  t.strictSame(
    new Set(body.results.map(({ product, productSelection }) => [product.id, productSelection.obj?.key])),
    new Set([
      [ids.get('tent'), 'winter'],
      [ids.get('rope'), 'hidden'],
    ]),
  );
  t.match((await inStore('empty')).body, { total: 0, results: [] });
  const gone = await inStore('none').catch((error: unknown) => error);
  t.match(gone, { statusCode: 404, body: { errors: [{ code: 'ResourceNotFound' }] } });
  const token = await platform.tokenWith([`view_products:${platform.projectKey}`]);
  const headers = { authorization: `Bearer ${token}` };
  for (const path of [summer, '/products/key=tent/product-selections'])
    t.match(await request('GET', path, undefined, headers), {
      status: 403,
      body: { errors: [{ code: 'insufficient_scope' }] },
    });
});

t.test('GraphQL has the lists as fields', async (t) => {
  const platform = await startProject();
  await withProducts(platform, 'tent', 'lamp');
  await made(platform, '/product-selections', { key: 'summer', name: { en: 'Summer' } });
  const add = (key: string) => ({ action: 'addProduct', product: link(key) });
  await update(platform, '/product-selections/key=summer', add('tent'), {
    ...add('lamp'),
    variantSelection: { type: 'exclusion', skus: ['A'] },
  });
  await made(platform, '/stores', {
    key: 'shop',
    productSelections: [{ productSelection: { typeId: 'product-selection', key: 'summer' }, active: true }],
  });
  const ask = async (query: string) => (await platform.request('POST', '/graphql', { query })).body;
  const assignment = { product: { key: 'tent' }, productSelection: { key: 'summer' }, variantSelection: null };
  t.strictSame(
    await ask(`{
      productSelection(key: "summer") {
        productCount
        productRefs(sort: ["createdAt", "product.id"], limit: 1) { total count offset exists }
        all: productRefs(where: "variantSelection is defined") {
          total
          results { product { key } variantSelection { __typename skus } variantExclusion { skus } }
        }
      }
      product(key: "tent") { productSelectionRefs { total results { productSelection { mode } } } }
      productSelectionAssignments(where: "variantSelection is not defined") {
        total
        results { product { key } productSelection { key } variantSelection { skus } }
      }
      inStore(key: "shop") { productSelectionAssignments(limit: 1, offset: 1) { total count } }
      store(key: "shop") { productSelections { active productSelection { key } } }
    }`),
    {
      data: {
        productSelection: {
          productCount: 2,
          productRefs: { total: 2, count: 1, offset: 0, exists: true },
          all: {
            total: 1,
            results: [
              {
                product: { key: 'lamp' },
                variantSelection: { __typename: 'ProductVariantSelectionIncludeAllExcept', skus: ['A'] },
                variantExclusion: null,
              },
            ],
          },
        },
        product: { productSelectionRefs: { total: 1, results: [{ productSelection: { mode: 'Individual' } }] } },
        productSelectionAssignments: { total: 1, results: [assignment] },
        inStore: { productSelectionAssignments: { total: 2, count: 1 } },
        store: { productSelections: [{ active: true, productSelection: { key: 'summer' } }] },
      },
    },
  );
  const counted = '{ productSelection(key: "summer") { productRefs { total } } }';
  t.match(await ask(counted), { data: { productSelection: { productRefs: { total: 2 } } } });
  await update(platform, '/product-selections/key=summer', { action: 'removeProduct', product: link('tent') });
  t.match(await ask(counted), { data: { productSelection: { productRefs: { total: 1 } } } }, 'no answer is older');
});

t.test('a store has selections once each, and none of them can be deleted', async (t) => {
  const platform = await startProject();
  const selection = await made(platform, '/product-selections', { key: 'summer', name: { en: 'Summer' } });
  await made(platform, '/product-selections', { key: 'winter', name: { en: 'Winter' } });
  await made(platform, '/stores', { key: 'shop' });
  const named = (key: string) => ({ productSelection: { typeId: 'product-selection', key } });
  const change = (...actions: object[]) => update(platform, '/stores/key=shop', ...actions);
  const shown = (active: boolean) => ({ productSelection: { typeId: 'product-selection', id: selection.id }, active });
  t.match(await change({ action: 'addProductSelection', ...named('summer') }), {
    body: { version: 2, productSelections: [shown(false)] },
  });
  t.match(await change({ action: 'addProductSelection', ...named('summer'), active: false }), { body: { version: 2 } });
  t.match(
    await change({ action: 'addProductSelection', ...named('summer'), active: true }),
    refused({ code: 'InvalidOperation', message: /changeProductSelectionActive/ }),
  );
  t.match(await change({ action: 'changeProductSelectionActive', ...named('summer'), active: true }), {
    body: { productSelections: [shown(true)] },
  });
  t.match(
    await change({ action: 'changeProductSelectionActive', ...named('winter') }),
    refused({ code: 'InvalidOperation' }),
  );
  t.match(
    await change({ action: 'removeProductSelection', ...named('winter') }),
    refused({ code: 'InvalidOperation' }),
  );
  t.match(
    await change({ action: 'setProductSelections', productSelections: [named('summer'), named('summer')] }),
    refused({ code: 'InvalidInput', message: /twice/ }),
  );
  const remove = () => platform.request('DELETE', `/product-selections/${selection.id}?version=1`);
  t.match(await remove(), refused({ code: 'ReferenceExists', referencedBy: 'store' }));
  t.match(await change({ action: 'removeProductSelection', ...named('summer') }), { body: { productSelections: [] } });
  t.match(await remove(), { status: 200 });
});

t.test('a store has 100 selections at most', async (t) => {
  const platform = await startProject();
  const keys = Array.from({ length: 101 }, (_, index) => `selection-${index}`);
  await Promise.all(keys.map((key) => made(platform, '/product-selections', { key, name: { en: key } })));
  const productSelections = keys.map((key) => ({ productSelection: { typeId: 'product-selection', key } }));
  t.match(
    await platform.request('POST', '/stores', { key: 'shop', productSelections }),
    refused({ code: 'InvalidInput' }),
  );
  await made(platform, '/stores', { key: 'shop', productSelections: productSelections.slice(1) });
  t.match(
    await update(platform, '/stores/key=shop', { action: 'addProductSelection', ...productSelections[0] }),
    refused({ code: 'InvalidInput', message: /100/ }),
  );
});

/** Assignments as they are stored. */
async function stored({ sql, projectKey }: Platform): Promise<number> {
  const [row] = await sql<{ count: string }[]>`
    select count(*) from documents where project = ${projectKey} and kind = 'product-selection-assignment'`;
  return Number(row!.count);
}

t.test('with a product its assignments go at once, and with a selection a little later', async (t) => {
  const platform = await startPlatform(t, { feeder: true });
  await withProducts(platform, 'tent', 'lamp');
  const add = (key: string) => ({ action: 'addProduct', product: link(key) });
  for (const key of ['summer', 'winter']) {
    await made(platform, '/product-selections', { key, name: { en: key } });
    await update(platform, `/product-selections/key=${key}`, add('tent'), add('lamp'));
  }
  t.equal((await platform.request('DELETE', '/products/key=tent?version=1')).status, 200);
  t.equal(await stored(platform), 2);
  for (const key of ['summer', 'winter'])
    t.match(await platform.request('GET', `/product-selections/key=${key}`), { body: { productCount: 1, version: 3 } });
  t.match(await platform.request('DELETE', '/product-selections/key=winter?version=3'), { status: 200 });
  await eventually(async () => ((await stored(platform)) === 1 ? true : undefined));
  t.equal(results(await platform.request('GET', '/products/key=lamp/product-selections')).length, 1);
});

const clients = 64;

/** Runs until the update is done, beginning again after each conflict. */
async function insist(platform: Platform, path: string, action: object): Promise<Answer> {
  for (;;) {
    const answer = await update(platform, path, action);
    if (answer.status !== 409) return answer;
  }
}

async function requireCount(t: Test, platform: Platform, path: string, count: number): Promise<void> {
  t.match(await platform.request('GET', path), { body: { productCount: count } });
  t.match((await platform.request('GET', `${path}/products?withTotal=true`)).body, { total: count });
  t.equal(await stored(platform), count);
}

t.test('of 64 rivals over one product one adds it, and the others hear of the version', async (t) => {
  const platform = await startProject();
  await withProducts(platform, 'tent');
  const { id } = await made(platform, '/product-selections', { key: 'summer', name: { en: 'Summer' } });
  const path = `/product-selections/${id}`;
  const action = (client: number) => ({
    action: 'addProduct',
    product: link('tent'),
    variantSelection: only(`SKU-${client}`),
  });
  const answers = await Promise.all(
    Array.from({ length: clients }, (_, client) =>
      platform.request('POST', path, { version: 1, actions: [action(client)] }),
    ),
  );
  t.equal(answers.filter(({ status }) => status === 200).length, 1);
  for (const { status, body } of answers.filter((answer) => answer.status !== 200))
    t.match(
      { status, body },
      { status: 409, body: { errors: [{ code: 'ConcurrentModification', currentVersion: 2 }] } },
    );
  await requireCount(t, platform, path, 1);
});

t.test('64 rivals who add and remove products leave as many as are counted', async (t) => {
  const platform = await startProject();
  const keys = Array.from({ length: 8 }, (_, index) => `product-${index}`);
  await withProducts(platform, ...keys);
  const path = '/product-selections/key=summer';
  await made(platform, '/product-selections', { key: 'summer', name: { en: 'Summer' } });
  const answers = await Promise.all(
    Array.from({ length: clients }, (_, client) =>
      insist(platform, path, {
        action: client % 3 === 0 ? 'removeProduct' : 'addProduct',
        product: link(keys[client % keys.length]!),
      }),
    ),
  );
  for (const { status } of answers) t.equal(status, 200);
  const { body } = await platform.request('GET', path);
  await requireCount(t, platform, path, Number(body['productCount']));
});

t.test('products that are deleted while others are added leave as many as are counted', async (t) => {
  const platform = await startProject();
  const keys = Array.from({ length: 16 }, (_, index) => `product-${index}`);
  await withProducts(platform, ...keys);
  const path = '/product-selections/key=summer';
  await made(platform, '/product-selections', { key: 'summer', name: { en: 'Summer' } });
  const gone = keys.filter((_, index) => index % 2 === 0);
  for (const key of gone) await insist(platform, path, { action: 'addProduct', product: link(key) });
  const answers = await Promise.all([
    ...gone.map((key) => platform.request('DELETE', `/products/key=${key}?version=1`)),
    ...keys
      .filter((key) => !gone.includes(key))
      .map((key) => insist(platform, path, { action: 'addProduct', product: link(key) })),
  ]);
  for (const { status, text } of answers) t.equal(status, 200, text);
  await requireCount(t, platform, path, keys.length - gone.length);
});

t.test('a product that is added while it is deleted is in the selection or gone, and never both', async (t) => {
  const platform = await startProject();
  const keys = Array.from({ length: 16 }, (_, index) => `product-${index}`);
  const ids = await withProducts(platform, ...keys);
  const selections = await Promise.all(
    keys.map(async (key) => (await made(platform, '/product-selections', { key, name: { en: key } })).id),
  );
  // Each in a selection of its own, so that nothing but the product is in the way of either.
  const answers = await Promise.all(
    keys.flatMap((key, index) => [
      platform.request('POST', `/product-selections/${selections[index]}`, {
        version: 1,
        actions: [{ action: 'addProduct', product: { typeId: 'product', id: ids.get(key) } }],
      }),
      platform.request('DELETE', `/products/${ids.get(key)}?version=1`),
    ]),
  );
  for (const [index, { status, body }] of answers.entries()) {
    if (index % 2 === 1) t.equal(status, 200, 'the product goes');
    else if (status !== 200) t.match(body, { errors: [{ code: 'ReferencedResourceNotFound' }] });
  }
  t.equal(await stored(platform), 0);
  for (const id of selections)
    t.match(await platform.request('GET', `/product-selections/${id}`), { body: { productCount: 0 } });
});
