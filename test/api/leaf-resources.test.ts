import { randomUUID } from 'node:crypto';
import t from 'tap';
import { requestToken, send, startPlatform, startProject } from '../support/platform.ts';

t.test('a store names channels with the roles it needs, and languages of its project', async (t) => {
  const { api, request } = await startProject();
  await api
    .channels()
    .post({ body: { key: 'shop', roles: ['ProductDistribution'] } })
    .execute();
  await api
    .channels()
    .post({ body: { key: 'stock', roles: ['InventorySupply'] } })
    .execute();
  const shop = { typeId: 'channel', key: 'shop' } as const;
  const stock = { typeId: 'channel', key: 'stock' } as const;
  t.match((await request('POST', '/stores', { key: 'a1', distributionChannels: [stock], languages: ['xx'] })).body, {
    errors: [{ code: 'MissingRoleOnChannel', missingRole: 'ProductDistribution', channel: { typeId: 'channel' } }],
  });
  t.match((await request('POST', '/stores', { key: 'a1', languages: ['en', 'xx', 'yy'] })).body, {
    errors: [{ code: 'ProjectNotConfiguredForLanguages', languages: ['xx', 'yy'] }],
  });
  const body = {
    key: 'a1',
    name: { en: 'A' },
    distributionChannels: [shop],
    storefront: { faqUrl: 'https://x.example' },
  };
  const store = await api.stores().post({ body }).execute();
  t.match(store.body, {
    version: 1,
    languages: [],
    countries: [],
    distributionChannels: [{ typeId: 'channel', id: /./ }],
    supplyChannels: [],
    productSelections: [],
  });
  const updated = await api
    .stores()
    .withKey({ key: 'a1' })
    .post({
      body: {
        version: 1,
        actions: [
          { action: 'addSupplyChannel', supplyChannel: stock },
          { action: 'removeDistributionChannel', distributionChannel: shop },
          { action: 'addCountry', country: { code: 'DE' } },
          { action: 'addCountry', country: { code: 'DE' } },
          { action: 'setLanguages', languages: ['de'] },
        ],
      },
      queryArgs: { expand: ['supplyChannels[*]'] },
    })
    .execute();
  t.match(updated.body, {
    version: 2,
    countries: [{ code: 'DE' }],
    languages: ['de'],
    supplyChannels: [{ obj: { key: 'stock' } }],
  });
  // The client's types do not know the storefront yet.
  const urls = [{ action: 'setContactUrl', contactUrl: 'https://y.example' }, { action: 'setFaqUrl' }];
  const { body: changed } = await request('POST', '/stores/key=a1', { version: 2, actions: urls });
  t.strictSame(changed['storefront'], { contactUrl: 'https://y.example' });
  t.strictSame(updated.body.distributionChannels, []);
});

t.test('shipping methods refer to stores by key, which keeps the stores', async (t) => {
  const { api, request } = await startProject();
  for (const key of ['north', 'south']) await api.stores().post({ body: { key } }).execute();
  await api
    .taxCategories()
    .post({ body: { key: 'tax', name: 'Tax' } })
    .execute();
  const north = { typeId: 'store', key: 'north' } as const;
  const draft = { key: 'm1', name: 'M1', taxCategory: { key: 'tax' }, stores: [north] };
  t.match((await request('POST', '/shipping-methods', draft)).body, { stores: [north] });
  t.match((await request('GET', `/shipping-methods?where=${encodeURIComponent('stores(key = "north")')}`)).body, {
    count: 1,
  });
  t.match((await request('DELETE', '/stores/key=north?version=1')).body, { errors: [{ code: 'ReferenceExists' }] });
  const { body: south } = await api.stores().withKey({ key: 'south' }).get().execute();
  const moved = await request('POST', '/shipping-methods/key=m1', {
    version: 1,
    actions: [
      { action: 'addStore', store: { typeId: 'store', id: south.id } },
      { action: 'removeStore', store: north },
    ],
  });
  t.strictSame(moved.body['stores'], [{ typeId: 'store', key: 'south' }]);
  t.equal((await request('DELETE', '/stores/key=north?version=1')).status, 200);
  t.match(
    (await request('POST', '/shipping-methods/key=m1', { version: 2, actions: [{ action: 'addStore', store: north }] }))
      .body,
    {
      errors: [{ code: 'ReferencedResourceNotFound', typeId: 'store', key: 'north' }],
    },
  );
});

t.test('custom objects are made, replaced and deleted by container and key', async (t) => {
  const { api, request } = await startProject();
  const body = { container: 'settings', key: 'colors', value: { primary: 'red', list: [1, 2] } };
  const created = await request('POST', '/custom-objects', body);
  t.match(created, { status: 201, body: { version: 1, ...body } });
  t.match(await request('POST', '/custom-objects', body), { status: 200, body: { version: 1 } });
  t.match(await request('POST', '/custom-objects', { ...body, value: 'blue' }), {
    status: 200,
    body: { version: 2, value: 'blue', id: created.body['id'], createdAt: created.body['createdAt'] },
  });
  t.match(await request('POST', '/custom-objects', { ...body, value: 1, version: 1 }), {
    status: 409,
    body: { errors: [{ code: 'ConcurrentModification', currentVersion: 2 }] },
  });
  await request('POST', '/custom-objects', { ...body, container: 'other', value: 0 });
  const one = await api.customObjects().withContainerAndKey({ container: 'settings', key: 'colors' }).get().execute();
  t.equal(one.body.value, 'blue');
  t.match((await api.customObjects().get().execute()).body, { total: 2 });
  t.match((await api.customObjects().withContainer({ container: 'settings' }).get().execute()).body, {
    total: 1,
    results: [{ container: 'settings' }],
  });
  const where = encodeURIComponent('key = "colors" and container = "settings"');
  t.match((await request('GET', `/custom-objects?where=${where}`)).body, { count: 1 });
  t.match((await request('DELETE', '/custom-objects/settings/colors?dataErasure=perhaps')).body, {
    errors: [{ code: 'InvalidInput' }],
  });
  t.equal((await request('DELETE', '/custom-objects/settings/colors?version=1')).status, 409);
  t.match(await request('DELETE', '/custom-objects/settings/colors?dataErasure=true'), {
    status: 200,
    body: { value: 'blue' },
  });
  t.equal((await request('GET', '/custom-objects/settings/colors')).status, 404);
  t.equal((await request('POST', '/custom-objects/settings/colors', {})).status, 405);
  t.match((await request('POST', '/custom-objects', { container: 'a b', key: '' })).body, {
    errors: [{ field: 'container' }, { field: 'key' }, { code: 'RequiredField', field: 'value' }],
  });
});

t.test('of many writers of one custom object each is heard, and none creates it twice', async (t) => {
  const { request } = await startProject();
  const writes = Array.from({ length: 16 }, (_, value) =>
    request('POST', '/custom-objects', { container: 'race', key: 'one', value }),
  );
  const statuses = (await Promise.all(writes)).map(({ status }) => status).sort((a, b) => a - b);
  t.strictSame(statuses, [...Array.from({ length: 15 }, () => 200), 201]);
  t.match((await request('GET', '/custom-objects/race/one')).body, { version: 16 });
});

t.test('API clients show their secret once, hand out what their maker has, and end at once', async (t) => {
  const { baseUrl, projectKey, request, sql, tokenWith } = await startPlatform(t);
  const created = await request('POST', '/api-clients', {
    name: 'Storefront',
    scope: `view_zones:${projectKey} manage_orders:${projectKey}`,
    accessTokenValiditySeconds: 3600,
    deleteDaysAfterCreation: 10,
  });
  t.match(created, { status: 201, body: { id: /./, secret: /^[\w-]{43}$/, createdAt: /Z$/, deleteAt: /Z$/ } });
  t.notOk('version' in created.body);
  const { id, secret } = created.body as { id: string; secret: string };
  const read = await request('GET', `/api-clients/${id}`);
  t.match(read, { status: 200, body: { id, name: 'Storefront' } });
  t.notOk('secret' in read.body);
  t.notOk((await request('GET', '/api-clients')).text.includes('secret'));
  const rows = await sql<{ text: string }[]>`select documents::text as text from documents`;
  t.notOk(rows.some(({ text }) => text.includes(secret)));

  const token = await requestToken(baseUrl, { clientId: id, clientSecret: secret });
  const zones = () =>
    send({ baseUrl, method: 'GET', path: `/${projectKey}/zones`, headers: { authorization: `Bearer ${token}` } });
  t.equal((await zones()).status, 200);
  t.equal((await request('DELETE', `/api-clients/${id}`)).status, 200);
  t.match(await zones(), { status: 401, body: { errors: [{ code: 'invalid_token' }] } });
  t.equal((await request('GET', `/api-clients/${id}`)).status, 404);
  t.equal((await request('GET', `/api-clients/${randomUUID()}`)).status, 404);

  const limited = await tokenWith([`manage_api_clients:${projectKey}`]);
  const headers = { authorization: `Bearer ${limited}` };
  for (const scope of [`manage_project:${projectKey}`, 'manage_project:other', 'nonsense', ' ']) {
    t.match((await request('POST', '/api-clients', { name: 'x', scope }, headers)).body, {
      errors: [{ code: 'InvalidField', field: 'scope' }],
    });
  }
  t.equal(
    (await request('POST', '/api-clients', { name: 'x', scope: `view_api_clients:${projectKey}` }, headers)).status,
    201,
  );
});
