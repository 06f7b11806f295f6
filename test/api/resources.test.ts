import t from 'tap';
import { startProject, type Platform } from '../support/platform.ts';

/** The error that the SDK throws for an answer of the API. */
async function failure(
  call: Promise<unknown>,
): Promise<{ statusCode: number; code: string; body: { errors: readonly Record<string, unknown>[] } }> {
  try {
    await call;
  } catch (error) {
    const { statusCode, body } = error as { statusCode: number; body: { errors: readonly Record<string, unknown>[] } };
    return { statusCode, code: String(body.errors[0]!['code']), body };
  }
  throw new Error('The call was expected to fail.');
}

async function createParents({ api }: Platform): Promise<{ zone: string; taxCategory: string }> {
  const zone = await api
    .zones()
    .post({ body: { key: 'germany', name: 'Germany', locations: [{ country: 'DE' }] } })
    .execute();
  const taxCategory = await api
    .taxCategories()
    .post({ body: { key: 'standard', name: 'Standard', rates: [] } })
    .execute();
  return { zone: zone.body.id, taxCategory: taxCategory.body.id };
}

function methodDraft(name: string, isDefault = false) {
  return {
    key: name.toLowerCase().replaceAll(' ', '-'),
    name,
    taxCategory: { typeId: 'tax-category' as const, key: 'standard' },
    isDefault,
    zoneRates: [
      {
        zone: { typeId: 'zone' as const, key: 'germany' },
        shippingRates: [{ price: { currencyCode: 'EUR', centAmount: 490 } }],
      },
    ],
  };
}

t.test('a zone is created, read, queried, updated and deleted with the public client', async (t) => {
  const { api } = await startProject();
  const created = await api
    .zones()
    .post({ body: { key: 'alps', name: 'Alps', locations: [{ country: 'AT' }, { country: 'US', state: 'Alaska' }] } })
    .execute();
  t.equal(created.statusCode, 201);
  t.match(created.body, {
    key: 'alps',
    name: 'Alps',
    version: 1,
    locations: [{ country: 'AT' }, { country: 'US', state: 'Alaska' }],
  });
  t.equal(created.body.createdAt, created.body.lastModifiedAt);
  const { id } = created.body;
  t.strictSame((await api.zones().withId({ ID: id }).get().execute()).body, created.body);
  t.strictSame((await api.zones().withKey({ key: 'alps' }).get().execute()).body, created.body);

  const updated = await api
    .zones()
    .withId({ ID: id })
    .post({
      body: {
        version: 1,
        actions: [
          { action: 'changeName', name: 'The Alps' },
          { action: 'addLocation', location: { country: 'CH' } },
          { action: 'removeLocation', location: { country: 'AT' } },
        ],
      },
    })
    .execute();
  t.match(updated.body, {
    version: 2,
    name: 'The Alps',
    locations: [{ country: 'US', state: 'Alaska' }, { country: 'CH' }],
  });
  const renamed = await api
    .zones()
    .withKey({ key: 'alps' })
    .post({
      body: {
        version: 2,
        actions: [
          { action: 'setKey', key: 'mountains' },
          { action: 'setDescription', description: 'High' },
        ],
      },
    })
    .execute();
  t.match(renamed.body, { version: 3, key: 'mountains', description: 'High' });
  const unchanged = await api
    .zones()
    .withId({ ID: id })
    .post({ body: { version: 3, actions: [{ action: 'changeName', name: 'The Alps' }] } })
    .execute();
  t.equal(unchanged.body.version, 3, 'an update that changes nothing keeps the version');

  const deleted = await api
    .zones()
    .withKey({ key: 'mountains' })
    .delete({ queryArgs: { version: 3 } })
    .execute();
  t.strictSame(deleted.body, renamed.body);
  t.match(await failure(api.zones().withId({ ID: id }).get().execute()), { statusCode: 404, code: 'ResourceNotFound' });
});

t.test('pages follow limit, offset, sort and where', async (t) => {
  const { api, request } = await startProject();
  const names = ['Echo', 'Alpha', 'Delta', 'Bravo', 'Charlie'];
  for (const name of names)
    await api
      .taxCategories()
      .post({ body: { name, key: name.toLowerCase(), rates: [] } })
      .execute();
  const page = await api
    .taxCategories()
    .get({ queryArgs: { limit: 2, offset: 1, sort: ['name asc'] } })
    .execute();
  t.match(page.body, { limit: 2, offset: 1, count: 2, total: 5, results: [{ name: 'Bravo' }, { name: 'Charlie' }] });
  const found = await api
    .taxCategories()
    .get({ queryArgs: { where: ['name in ("Alpha", "Echo")', 'key != "echo"'] } })
    .execute();
  t.match(found.body, { count: 1, total: 1, results: [{ name: 'Alpha' }] });
  const variable = await api
    .taxCategories()
    .get({ queryArgs: { where: 'name = :wanted', 'var.wanted': 'Delta' } })
    .execute();
  t.match(variable.body, { count: 1, results: [{ name: 'Delta' }] });
  const counted = await request('GET', '/tax-categories?withTotal=false');
  t.notOk('total' in counted.body, 'withTotal=false leaves the total out');
  for (const [query, code] of [
    ['limit=0', 'InvalidInput'],
    ['limit=501', 'InvalidInput'],
    ['offset=10001', 'InvalidInput'],
    ['limit=many', 'InvalidInput'],
    [`where=${encodeURIComponent('nam = "x"')}`, 'InvalidInput'],
    [`where=${encodeURIComponent('name = ')}`, 'SyntaxError'],
    ['sort=unknown', 'InvalidInput'],
  ] as const) {
    t.match((await request('GET', `/tax-categories?${query}`)).body, { statusCode: 400, errors: [{ code }] }, query);
  }
  const both = await request('GET', `/tax-categories?limit=0&where=${encodeURIComponent('nam = 1 and x = 2')}`);
  t.strictSame((both.body['errors'] as unknown[]).length, 3, 'all faults of the parameters are reported at once');
});

t.test('a chunked walk by id meets every resource once', async (t) => {
  const { api } = await startProject();
  for (let number = 0; number < 23; number += 1)
    await api
      .taxCategories()
      .post({ body: { name: `Category ${number}`, rates: [] } })
      .execute();
  const seen: string[] = [];
  for (let last = ''; ;) {
    const where = last === '' ? {} : { where: `id > "${last}"` };
    const { results } = (
      await api
        .taxCategories()
        .get({ queryArgs: { limit: 5, withTotal: false, sort: 'id asc', ...where } })
        .execute()
    ).body;
    seen.push(...results.map(({ id }) => id));
    if (results.length < 5) break;
    last = results.at(-1)!.id;
  }
  t.equal(new Set(seen).size, 23);
  t.equal(seen.length, 23);
});

t.test('of many clients that update one version at once, one wins', async (t) => {
  const { api } = await startProject();
  const { id } = (
    await api
      .zones()
      .post({ body: { name: 'Contested', locations: [] } })
      .execute()
  ).body;
  const attempts = Array.from({ length: 64 }, (_, number) =>
    api
      .zones()
      .withId({ ID: id })
      .post({ body: { version: 1, actions: [{ action: 'changeName', name: `Name ${number}` }] } })
      .execute(),
  );
  const outcomes = await Promise.allSettled(attempts);
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1);
  const refused = await failure(
    api
      .zones()
      .withId({ ID: id })
      .post({ body: { version: 1, actions: [{ action: 'changeName', name: 'Late' }] } })
      .execute(),
  );
  t.match(refused, { statusCode: 409, code: 'ConcurrentModification', body: { errors: [{ currentVersion: 2 }] } });
  t.match(
    await failure(
      api
        .zones()
        .withId({ ID: id })
        .delete({ queryArgs: { version: 1 } })
        .execute(),
    ),
    { statusCode: 409, body: { errors: [{ currentVersion: 2 }] } },
  );
});

t.test('faulty drafts and actions are refused with every fault', async (t) => {
  const { request } = await startProject();
  const answer = await request('POST', '/zones', { key: 'x', locations: [{ country: 'XX' }, { state: 5 }] });
  t.equal(answer.status, 400);
  t.match(answer.body, {
    errors: [
      { code: 'InvalidField', field: 'key' },
      { code: 'RequiredField', field: 'name' },
      { code: 'InvalidField', field: 'locations[0].country', invalidValue: 'XX' },
      { code: 'RequiredField', field: 'locations[1].country' },
      { code: 'InvalidJsonInput' },
    ],
  });
  t.match((await request('POST', '/zones', '{"name":')).body, { errors: [{ code: 'InvalidJsonInput' }] });
  const { body: zone } = await request('POST', '/zones', { name: 'Real' });
  const path = `/zones/${String(zone['id'])}`;
  t.match((await request('POST', path, { version: 1, actions: [{ action: 'fly' }] })).body, {
    errors: [{ code: 'InvalidInput' }],
  });
  t.match((await request('POST', path, { version: 1, actions: [{ action: 'changeName' }] })).body, {
    errors: [{ code: 'RequiredField', field: 'actions[0].name' }],
  });
  t.match((await request('POST', path, { actions: [] })).body, {
    errors: [{ code: 'RequiredField', field: 'version' }],
  });
  const half = await request('POST', path, {
    version: 1,
    actions: [
      { action: 'changeName', name: 'Half' },
      { action: 'removeLocation', location: { country: 'DE' } },
    ],
  });
  t.match(half.body, { errors: [{ code: 'InvalidOperation' }] });
  t.match((await request('GET', path)).body, { name: 'Real', version: 1 }, 'nothing of a refused update is done');
  t.match((await request('DELETE', path)).body, { errors: [{ code: 'InvalidInput' }] }, 'a delete needs the version');
});

t.test('text that cannot be stored is refused wherever it stands', async (t) => {
  const { request } = await startProject();
  await request('POST', '/product-types', { key: 'tools', name: 'Tools', description: 'Tools' });
  const product = (rest: object) => ({ productType: { key: 'tools' }, name: { en: 'A' }, slug: { en: 'aa' }, ...rest });
  for (const text of ['nul \0 here', 'half \ud83d here']) {
    const answers = [
      await request('POST', '/zones', { name: text }),
      await request('POST', '/products', product({ description: { en: text } })),
      await request(
        'POST',
        '/products',
        product({ masterVariant: { attributes: [{ name: 'a', value: [{ [text]: 1 }] }] } }),
      ),
      await request('GET', `/zones?where=${encodeURIComponent(`name = "${text.replace('\ud83d', '')}\0"`)}`),
    ];
    for (const { status, text: body } of answers) t.equal(status, 400, body);
  }
  const cart = await request(
    'POST',
    '/products',
    product({
      masterVariant: { prices: [{ value: { currencyCode: 'EUR', centAmount: 1 }, validFrom: '2030-02-31T00:00:00Z' }] },
    }),
  );
  t.match(cart.body, { errors: [{ code: 'InvalidField', field: 'masterVariant.prices[0].validFrom' }] });
});

t.test('what a draft holds and no resource keeps is refused instead of lost', async (t) => {
  const { request } = await startProject();
  const cases = [
    ['/carts', { currency: 'EUR', businessUnit: { key: 'a' } }, 'businessUnit'],
    [
      '/standalone-prices',
      { sku: 'a', value: { currencyCode: 'EUR', centAmount: 1 }, recurrencePolicy: { key: 'a' } },
      'recurrencePolicy',
    ],
  ] as const;
  for (const [path, draft, field] of cases) {
    const { body } = await request('POST', path, draft);
    t.match(body, {
      statusCode: 400,
      errors: [{ code: 'InvalidInput', message: `'${field}' is not available in this version.` }],
    });
  }
  t.equal((await request('POST', '/carts', { currency: 'EUR', discountCodes: [], custom: null })).status, 201);
});

t.test('values that only one resource may hold are refused a second time', async (t) => {
  const { api, request } = await startProject();
  await createParents({ api } as Platform);
  t.match((await request('POST', '/zones', { name: 'Copy', key: 'germany' })).body, {
    errors: [{ code: 'DuplicateField', field: 'key', duplicateValue: 'germany' }],
  });
  t.match((await request('POST', '/zones', { name: 'Copy', locations: [{ country: 'DE' }] })).body, {
    errors: [{ code: 'DuplicateField', field: 'locations', duplicateValue: 'DE' }],
  });
  await api
    .shippingMethods()
    .post({ body: methodDraft('Standard') })
    .execute();
  t.match((await request('POST', '/shipping-methods', { ...methodDraft('Standard'), key: 'other' })).body, {
    errors: [{ code: 'DuplicateField', field: 'name' }],
  });
});

t.test('references are looked up, expanded, and keep their targets', async (t) => {
  const platform = await startProject();
  const { api, request } = platform;
  const { zone, taxCategory } = await createParents(platform);
  const created = await api
    .shippingMethods()
    .post({ body: methodDraft('Standard', true), queryArgs: { expand: 'taxCategory' } })
    .execute();
  t.match(created.body, {
    taxCategory: { typeId: 'tax-category', id: taxCategory, obj: { name: 'Standard' } },
    zoneRates: [{ zone: { typeId: 'zone', id: zone } }],
  });
  const expanded = await api
    .shippingMethods()
    .get({ queryArgs: { expand: ['zoneRates[*].zone', 'taxCategory'] } })
    .execute();
  t.match(expanded.body.results[0], {
    zoneRates: [{ zone: { obj: { key: 'germany' } } }],
    taxCategory: { obj: { key: 'standard' } },
  });
  const missing = await request('POST', '/shipping-methods', {
    ...methodDraft('Lost'),
    taxCategory: { key: 'nowhere' },
  });
  t.match(missing.body, { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'tax-category', key: 'nowhere' }] });
  const wrong = await request('POST', '/shipping-methods', {
    ...methodDraft('Wrong'),
    taxCategory: { typeId: 'zone', id: zone },
  });
  t.match(wrong.body, { errors: [{ code: 'InvalidField', field: 'taxCategory' }] });
  t.match((await request('DELETE', `/zones/${zone}?version=1`)).body, {
    errors: [{ code: 'ReferenceExists', referencedBy: 'shipping-method' }],
  });
  await api
    .shippingMethods()
    .withKey({ key: 'standard' })
    .delete({ queryArgs: { version: 1 } })
    .execute();
  t.equal((await request('DELETE', `/zones/${zone}?version=1`)).status, 200, 'a zone that nothing refers to can go');
});

t.test('a project has at most one default shipping method, whoever sets it', async (t) => {
  const platform = await startProject();
  const { api } = platform;
  await createParents(platform);
  await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      api
        .shippingMethods()
        .post({ body: methodDraft(`Method ${number}`, true) })
        .execute(),
    ),
  );
  const defaults = await api
    .shippingMethods()
    .get({ queryArgs: { where: 'isDefault = true' } })
    .execute();
  t.equal(defaults.body.count, 1);
  const others = await api
    .shippingMethods()
    .get({ queryArgs: { where: 'isDefault = false' } })
    .execute();
  t.ok(
    others.body.results.every(({ version }) => version === 2),
    'a method that loses the flag gets a new version',
  );
  const { id, version } = others.body.results[0]!;
  const switched = await api
    .shippingMethods()
    .withId({ ID: id })
    .post({ body: { version, actions: [{ action: 'changeIsDefault', isDefault: true }] } })
    .execute();
  t.equal(switched.body.isDefault, true);
  t.match(
    (
      await api
        .shippingMethods()
        .get({ queryArgs: { where: 'isDefault = true' } })
        .execute()
    ).body,
    { count: 1, results: [{ id }] },
  );
  const off = await api
    .shippingMethods()
    .withId({ ID: id })
    .post({ body: { version: switched.body.version, actions: [{ action: 'changeIsDefault', isDefault: false }] } })
    .execute();
  const on = await api
    .shippingMethods()
    .withId({ ID: id })
    .post({ body: { version: off.body.version, actions: [{ action: 'changeIsDefault', isDefault: true }] } })
    .execute();
  t.equal(on.body.isDefault, true, 'the flag can be taken again after it was given back');
});

t.test('shipping rates follow the rules of zones and currencies', async (t) => {
  const platform = await startProject();
  const { api, request } = platform;
  await createParents(platform);
  const { id } = (
    await api
      .shippingMethods()
      .post({ body: methodDraft('Standard') })
      .execute()
  ).body;
  const path = `/shipping-methods/${id}`;
  const act = (version: number, ...actions: object[]) => request('POST', path, { version, actions });
  const zone = { typeId: 'zone', key: 'germany' };
  const rate = (currencyCode: string, centAmount: number) => ({ price: { currencyCode, centAmount } });
  t.match((await act(1, { action: 'addShippingRate', zone, shippingRate: rate('EUR', 100) })).body, {
    errors: [{ code: 'InvalidInput' }],
  });
  t.match((await act(1, { action: 'addShippingRate', zone, shippingRate: rate('CHF', 100) })).body, {
    version: 2,
    zoneRates: [
      {
        shippingRates: [
          { price: { currencyCode: 'EUR' } },
          { price: { currencyCode: 'CHF', type: 'centPrecision', fractionDigits: 2 }, tiers: [] },
        ],
      },
    ],
  });
  t.match((await act(2, { action: 'addZone', zone })).body, { errors: [{ code: 'InvalidOperation' }] });
  t.match((await act(2, { action: 'removeShippingRate', zone, shippingRate: rate('CHF', 100) })).body, { version: 3 });
  t.match((await act(3, { action: 'removeShippingRate', zone, shippingRate: rate('CHF', 100) })).body, {
    errors: [{ code: 'InvalidOperation' }],
  });
  t.match((await act(3, { action: 'removeZone', zone })).body, { version: 4, zoneRates: [] });
  t.match((await act(4, { action: 'setPredicate', predicate: 'totalPrice.centAmount >' })).body, {
    errors: [{ code: 'SyntaxError' }],
  });
  t.match((await act(4, { action: 'setPredicate', predicate: 'nonsense = 1' })).body, {
    errors: [{ code: 'InvalidInput' }],
  });
  t.match((await act(4, { action: 'setPredicate', predicate: '1 = 1' })).body, { version: 5, predicate: '1 = 1' });
  const tier = (priceFunction: string) => ({
    ...rate('EUR', 1),
    tiers: [{ type: 'CartScore', score: 1, priceFunction: { currencyCode: 'EUR', function: priceFunction } }],
  });
  t.match((await act(5, { action: 'addShippingRate', zone, shippingRate: tier('x / 2') })).body, {
    errors: [{ code: 'InvalidInput' }],
  });
  t.match((await act(5, { action: 'addShippingRate', zone, shippingRate: tier('x * 2 + (5 - x)') })).body, {
    version: 6,
  });
  const highPrecision = {
    price: { type: 'highPrecision', currencyCode: 'USD', preciseAmount: 12345, fractionDigits: 4 },
  };
  t.match((await act(6, { action: 'addShippingRate', zone, shippingRate: highPrecision })).body, {
    errors: [{ code: 'InvalidField' }],
  });
});

t.test('a project holds a hundred shipping methods and not one more, however many create at once', async (t) => {
  const platform = await startProject();
  const { api, request } = platform;
  await createParents(platform);
  const answers = await Promise.all(
    Array.from({ length: 110 }, (_, number) => request('POST', '/shipping-methods', methodDraft(`Method ${number}`))),
  );
  t.equal(answers.filter(({ status }) => status === 201).length, 100);
  const refused = answers.filter(({ status }) => status !== 201);
  t.ok(
    refused.every(
      ({ body }) =>
        (body['errors'] as { code: string; exceededResource: string }[])[0]!.exceededResource === 'shipping-method',
    ),
  );
  const [gone] = (
    await api
      .shippingMethods()
      .get({ queryArgs: { limit: 1 } })
      .execute()
  ).body.results;
  await api
    .shippingMethods()
    .withId({ ID: gone!.id })
    .delete({ queryArgs: { version: gone!.version } })
    .execute();
  t.equal((await request('POST', '/shipping-methods', methodDraft('Again'))).status, 201, 'a deleted one makes room');
});

t.test('tax rates have ids, and their amounts agree with their sub-rates', async (t) => {
  const { request } = await startProject();
  const rate = { name: 'VAT', amount: 0.19, includedInPrice: true, country: 'DE' };
  const { body: category } = await request('POST', '/tax-categories', { name: 'Standard', rates: [rate] });
  const path = `/tax-categories/${String(category['id'])}`;
  const [first] = category['rates'] as { id: string }[];
  t.match(first, { id: /^[0-9a-f-]{36}$/, subRates: [] });
  const split = {
    name: 'Sales tax',
    includedInPrice: false,
    country: 'US',
    subRates: [
      { name: 'State', amount: 0.1 },
      { name: 'City', amount: 0.2 },
    ],
  };
  const added = await request('POST', path, { version: 1, actions: [{ action: 'addTaxRate', taxRate: split }] });
  t.match(added.body, { version: 2, rates: [{}, { name: 'Sales tax', subRates: [{ amount: 0.1 }, { amount: 0.2 }] }] });
  t.match(
    (
      await request('POST', path, {
        version: 2,
        actions: [{ action: 'addTaxRate', taxRate: { ...split, amount: 0.5 } }],
      })
    ).body,
    { errors: [{ code: 'InvalidField' }] },
  );
  const replaced = await request('POST', path, {
    version: 2,
    actions: [{ action: 'replaceTaxRate', taxRateId: first!.id, taxRate: { ...rate, amount: 0.16 } }],
  });
  t.match(replaced.body, { version: 3, rates: [{ amount: 0.16 }, {}] });
  t.not((replaced.body['rates'] as { id: string }[])[0]!.id, first!.id);
  t.match(
    (await request('POST', path, { version: 3, actions: [{ action: 'removeTaxRate', taxRateId: first!.id }] })).body,
    { errors: [{ code: 'InvalidOperation' }] },
  );
});

t.test('products keep a current and a staged projection', async (t) => {
  const { request } = await startProject();
  await request('POST', '/product-types', {
    key: 'tools',
    name: 'Tools',
    description: 'Tools',
    attributes: [{ name: 'color', type: { name: 'ltext' }, label: { en: 'Color' }, isRequired: false }],
  });
  const { body: product } = await request('POST', '/products', {
    key: 'knife',
    productType: { key: 'tools' },
    name: { en: 'Knife' },
    slug: { en: 'knife' },
    masterVariant: {
      sku: 'K1',
      prices: [{ value: { currencyCode: 'EUR', centAmount: 2500 } }],
      attributes: [{ name: 'color', value: { en: 'red' } }],
    },
    publish: true,
  });
  t.match(product, {
    version: 1,
    masterData: {
      published: true,
      hasStagedChanges: false,
      current: { masterVariant: { id: 1, sku: 'K1', prices: [{ id: String, value: { type: 'centPrecision' } }] } },
    },
  });
  const act = (version: number, ...actions: object[]) => request('POST', '/products/key=knife', { version, actions });
  t.match((await act(1, { action: 'changeName', name: { en: 'Army Knife' } })).body, {
    version: 2,
    masterData: { hasStagedChanges: true, current: { name: { en: 'Knife' } }, staged: { name: { en: 'Army Knife' } } },
  });
  t.match((await act(2, { action: 'publish' })).body, {
    version: 3,
    masterData: { hasStagedChanges: false, current: { name: { en: 'Army Knife' } } },
  });
  t.match((await act(3, { action: 'setDescription', description: { en: 'Sharp' }, staged: false })).body, {
    masterData: { current: { description: { en: 'Sharp' } }, staged: { description: { en: 'Sharp' } } },
  });
  t.match((await act(4, { action: 'unpublish' })).body, { masterData: { published: false } });
  t.match(
    (await request('POST', '/products', { productType: { key: 'tools' }, name: { en: 'Copy' }, slug: { en: 'knife' } }))
      .body,
    { errors: [{ code: 'DuplicateField', field: 'slug.en', duplicateValue: 'knife' }] },
  );
});
