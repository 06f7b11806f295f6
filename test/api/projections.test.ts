import t from 'tap';
import type { Document } from '../../src/engine/document.ts';
import { compilePredicate } from '../../src/predicate/compile.ts';
import { parsePredicate } from '../../src/predicate/parser.ts';
import { product } from '../../src/resources/product/resource.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

const projection = product.projections[0]!;

async function createProduct({ request }: Platform, draft: Readonly<Record<string, unknown>>): Promise<string> {
  const { key } = draft;
  const texts = { productType: { key: 'lamp' }, name: { en: key, de: `${String(key)}-de` }, slug: { en: key } };
  const { body, status, text } = await request('POST', '/products', { ...texts, ...draft });
  if (status !== 201) throw new Error(text);
  return String(body['id']);
}

async function startShop(t: Test): Promise<Platform> {
  const platform = await startPlatform(t);
  await platform.request('POST', '/product-types', {
    key: 'lamp',
    name: 'Lamp',
    description: 'Lamps',
    attributes: [{ name: 'watts', type: { name: 'number' }, label: { en: 'Watts' }, isRequired: false }],
  });
  return platform;
}

type Test = Parameters<typeof startPlatform>[0];

const changed = (version: number, name: string, staged: boolean) => ({
  version,
  actions: [{ action: 'changeName', name: { en: name }, staged }],
});

t.test('a projection shows what is current of the published, or what is staged of all', async (t) => {
  const platform = await startShop(t);
  const { api, request } = platform;
  const id = await createProduct(platform, { key: 'shown', publish: true, masterVariant: { sku: 'A' } });
  const other = await createProduct(platform, { key: 'hidden' });
  await request('POST', `/products/${id}`, changed(1, 'draft', true));

  const whole = (await api.products().withId({ ID: id }).get().execute()).body;
  const { current, staged } = whole.masterData;
  const about = {
    id,
    version: 2,
    createdAt: whole.createdAt,
    lastModifiedAt: whole.lastModifiedAt,
    key: 'shown',
    productType: whole.productType,
    priceMode: 'Embedded',
    published: true,
    hasStagedChanges: true,
  };
  const projections = api.productProjections();
  t.strictSame((await projections.withId({ ID: id }).get().execute()).body, { ...about, ...current });
  const asStaged = { queryArgs: { staged: true } };
  t.strictSame((await projections.withKey({ key: 'shown' }).get(asStaged).execute()).body, { ...about, ...staged });
  t.strictSame((await projections.get().execute()).body, {
    limit: 20,
    offset: 0,
    count: 1,
    total: 1,
    results: [{ ...about, ...current }],
  });
  const all = (await projections.get({ queryArgs: { staged: true, sort: 'name.en' } }).execute()).body;
  t.match(all, { total: 2, results: [{ name: { en: 'draft' } }, { id: other, published: false }] });

  t.match(await request('GET', `/product-projections/${other}`), {
    status: 404,
    body: { errors: [{ code: 'ResourceNotFound', message: /^The ProductProjection with ID / }] },
  });
  t.equal((await request('GET', `/product-projections/${other}?staged=true`)).status, 200);
  t.equal((await request('HEAD', `/product-projections/key=hidden`)).status, 404);
  t.equal((await request('HEAD', `/product-projections/key=shown`)).status, 200);
  for (const path of ['', `/${id}`])
    t.equal((await request('POST', `/product-projections${path}`, { version: 2, actions: [] })).status, 405);

  t.equal((await request('POST', `/products/${id}`, { version: 2, actions: [{ action: 'publish' }] })).status, 200);
  t.match((await projections.withId({ ID: id }).get().execute()).body, { name: { en: 'draft' }, version: 3 });
  await request('POST', `/products/${other}`, { version: 1, actions: [{ action: 'publish' }] });
  t.equal((await request('GET', `/product-projections/key=hidden`)).status, 200, 'at the next request');
  t.match((await projections.get().execute()).body, { total: 2 });
});

t.test('parameters that are wrong or not there yet are refused together, whatever else is asked', async (t) => {
  const platform = await startShop(t);
  const id = await createProduct(platform, { key: 'shown', publish: true });
  const path = `/product-projections/${id}`;
  t.match(await platform.request('GET', `${path}?staged=perhaps`), { status: 400 });
  const { status, body } = await platform.request(
    'GET',
    `${path}?priceRecurrencePolicy=monthly&localeProjection=german`,
  );
  t.equal(status, 400);
  t.match(body['errors'], [{ message: /'priceRecurrencePolicy'/ }, { message: /'localeProjection/ }]);
});

t.test('who sees what is published alone sees no projection of what is staged', async (t) => {
  const platform = await startShop(t);
  const { projectKey, request } = platform;
  const id = await createProduct(platform, { key: 'shown', publish: true });
  await createProduct(platform, { key: 'hidden' });
  await request('POST', `/products/${id}`, changed(1, 'secret', true));
  const authorization = `Bearer ${await platform.tokenWith([`view_published_products:${projectKey}`])}`;
  const paths = [`/product-projections/${id}`, '/product-projections/key=shown', '/product-projections'];
  const ask = (path: string) => request('GET', path, undefined, { authorization });
  for (const path of paths) {
    // Whoever may see all asks first, so that answers are kept.
    for (const asked of [path, `${path}?staged=true`]) t.equal((await request('GET', asked)).status, 200);
    t.match(await ask(`${path}?staged=true`), { status: 403, body: { error: 'insufficient_scope' } });
    const { status, text } = await ask(path);
    t.equal(status, 200);
    t.notMatch(text, /secret|hidden|"hasStagedChanges":true/);
  }
  t.match((await ask('/product-projections?where=hasStagedChanges%3Dtrue&sort=hasStagedChanges')).body, { total: 0 });
  t.equal((await request('GET', '/product-projections?where=hasStagedChanges%3Dtrue')).body['total'], 1);
});

t.test('pages have what is there, and nothing in place of what is not', async (t) => {
  const platform = await startShop(t);
  const { projectKey, request } = platform;
  for (const key of ['aa', 'bb', 'cc', 'dd', 'ee'])
    await createProduct(platform, { key, publish: 'bd'.includes(key[0]!) });
  const authorization = `Bearer ${await platform.tokenWith([`view_published_products:${projectKey}`])}`;
  const graphql = async (query: string) =>
    (await request('POST', '/graphql', { query }, { authorization })).body['data'] as Record<string, object>;
  // Pages that are asked for again are put together otherwise.
  for (let round = 0; round < 3; round += 1) {
    for (const path of ['/products', '/product-projections']) {
      for (const [offset, key] of ['bb', 'dd'].entries())
        t.match(
          (await request('GET', `${path}?sort=key&limit=1&offset=${offset}`, undefined, { authorization })).body,
          { count: 1, total: 2, results: [{ key }] },
          path,
        );
      t.equal((await request('HEAD', `${path}?sort=key&limit=1`, undefined, { authorization })).status, 200);
    }
    t.strictSame(await graphql('{ products(sort: "key", limit: 1) { total count results { id key } } }'), {
      products: {
        total: 2,
        count: 1,
        results: [{ id: (await request('GET', '/products/key=bb')).body['id'], key: 'bb' }],
      },
    });
    t.match(await graphql('{ products(sort: "key") { total results { key } } }'), {
      products: { total: 2, results: [{ key: 'bb' }, { key: 'dd' }] },
    });
    await request('POST', '/products/key=cc', {
      version: round + 1,
      actions: [changed(1, `round ${round}`, true).actions[0]],
    });
  }
});

t.test('references are followed from a projection, and lead to resources as they are stored', async (t) => {
  const platform = await startShop(t);
  const id = await createProduct(platform, { key: 'shown', publish: true });
  const [projected, asked] = [`/product-projections/${id}?expand=productType`, `/products/${id}?expand=productType`];
  t.match((await platform.request('GET', projected)).body, { productType: { obj: { key: 'lamp', version: 1 } } });
  const { body } = await platform.request('GET', asked);
  t.match(body, { masterData: { published: true }, productType: { obj: { key: 'lamp' } } }, 'by a name of its own');
});

/** Statements about projections, each true of some and false of others. */
const statements = [
  'slug(en="aa")',
  'slug(en in ("aa", "bb", "dd"))',
  'name(en="aa" or de="bb-de")',
  'published=true',
  'hasStagedChanges=true',
  'key="cc"',
  'key="cc" or masterVariant(sku="B")',
  'not(masterVariant(sku="A"))',
  'masterVariant(sku is not defined)',
  'variants(sku="B-2")',
  'variants(sku="B-2" and id=3)',
  'variants is empty',
  'masterVariant(attributes(name="watts" and value=9))',
  'version > 1 and description is defined',
  'not(published=true and (variants(sku="B-2") or slug(en="cc")))',
  'productType(typeId="product-type")',
];

t.test('a predicate or a sort on projections says of them what it would say of what they show', async (t) => {
  const platform = await startShop(t);
  const { request } = platform;
  const draft = (sku: string, watts: number) => ({ sku, attributes: [{ name: 'watts', value: watts }] });
  await createProduct(platform, { key: 'aa', publish: true, masterVariant: draft('A', 9) });
  await createProduct(platform, {
    key: 'bb',
    masterVariant: draft('B', 5),
    variants: [{ sku: 'B-1' }, { sku: 'B-2' }],
  });
  await createProduct(platform, { key: 'cc', publish: true, description: { en: 'third' } });
  await createProduct(platform, { key: 'dd', publish: true, masterVariant: draft('D', 9), variants: [{ sku: 'D-1' }] });
  t.equal(
    (
      await request('POST', '/products/key=dd', {
        version: 1,
        actions: [changed(1, 'zz', true).actions[0], { action: 'setDescription', description: { en: 'new' } }],
      })
    ).status,
    200,
  );
  t.equal(
    (
      await request('POST', '/products/key=aa', {
        version: 1,
        actions: [{ action: 'changeSlug', slug: { en: 'aa-new' } }],
      })
    ).status,
    200,
  );

  for (const staged of [false, true]) {
    const ask = async (query: string): Promise<readonly Document[]> => {
      const { status, body, text } = await request('GET', `/product-projections?staged=${staged}&limit=500&${query}`);
      if (status !== 200) throw new Error(text);
      return body['results'] as readonly Document[];
    };
    const all = await ask('sort=key');
    t.equal(all.length, staged ? 4 : 3);
    let [holding, failing] = [0, 0];
    for (const where of statements) {
      const matches = compilePredicate(parsePredicate(where, projection.shape));
      const expected = all.filter((document) => matches(document)).map(({ key }) => key);
      const found = await ask(`sort=key&where=${encodeURIComponent(where)}`);
      t.strictSame(
        found.map(({ key }) => key),
        expected,
        where,
      );
      holding += expected.length;
      failing += all.length - expected.length;
    }
    t.ok(holding > statements.length && failing > statements.length, 'they are true and false');
    const names = (await ask('sort=name.en desc')).map(({ name }) => (name as { en: string }).en);
    t.strictSame(names, staged ? ['zz', 'cc', 'bb', 'aa'] : ['dd', 'cc', 'aa']);
    t.equal((await request('GET', '/product-projections?sort=masterData.current.name.en')).status, 400);
  }
});
