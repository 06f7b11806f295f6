import t from 'tap';
import { startProject } from '../support/platform.ts';

t.test('customer groups have a name in the draft and another in the resource', async (t) => {
  const { api, request } = await startProject();
  const created = await api
    .customerGroups()
    .post({ body: { groupName: 'Wholesale', key: 'wholesale' } })
    .execute();
  t.match(created.body, { name: 'Wholesale', key: 'wholesale', version: 1 });
  const renamed = await api
    .customerGroups()
    .withKey({ key: 'wholesale' })
    .post({ body: { version: 1, actions: [{ action: 'changeName', name: 'Retail' }, { action: 'setKey' }] } })
    .execute();
  t.match(renamed.body, { name: 'Retail', version: 2 });
  t.notOk('key' in renamed.body);
  t.match((await request('POST', '/customer-groups', { groupName: 'Retail' })).body, {
    errors: [{ code: 'DuplicateField', field: 'name' }],
  });
});

t.test('channels have distinct roles, an address and a place', async (t) => {
  const { api, request } = await startProject();
  const berlin = { type: 'Point', coordinates: [13.377_04, 52.516_28] };
  const created = await api
    .channels()
    .post({
      body: {
        key: 'berlin',
        roles: ['Primary'],
        name: { en: 'Berlin' },
        address: { country: 'DE' },
        geoLocation: berlin as never,
      },
    })
    .execute();
  t.match(created.body, { key: 'berlin', roles: ['Primary'], geoLocation: berlin });
  const roles = await api
    .channels()
    .withKey({ key: 'berlin' })
    .post({
      body: {
        version: 1,
        actions: [
          { action: 'addRoles', roles: ['Primary', 'OrderExport'] },
          { action: 'removeRoles', roles: ['Primary'] },
        ],
      },
    })
    .execute();
  t.match(roles.body, { roles: ['OrderExport'], version: 2 });
  const near = (query: string) => request('GET', `/channels?where=${encodeURIComponent(query)}`);
  t.match((await near('geoLocation within circle(13.37770, 52.51627, 1000)')).body, { count: 1 });
  t.match((await near('geoLocation within circle(11.57, 48.13, 1000)')).body, { count: 0 });
  t.match((await near('roles contains any ("OrderExport", "Primary")')).body, { count: 1 });
  for (const coordinates of [[1], [1, 2, 3], [181, 0], [0, 91], ['1', 2]]) {
    t.equal(
      (await request('POST', '/channels', { key: 'nowhere', geoLocation: { type: 'Point', coordinates } })).status,
      400,
      JSON.stringify(coordinates),
    );
  }
  t.match((await request('POST', '/channels', { roles: ['Primary'] })).body, {
    errors: [{ code: 'RequiredField', field: 'key' }],
  });
  const graphql = await request('POST', '/graphql', {
    query:
      '{ channels { results { key roles address { country } geoLocation { type ... on Point { coordinates } } } } }',
  });
  t.match(graphql.body, {
    data: {
      channels: {
        results: [
          {
            key: 'berlin',
            roles: ['OrderExport'],
            address: { country: 'DE' },
            geoLocation: { coordinates: berlin.coordinates },
          },
        ],
      },
    },
  });
});

t.test('states lead to states, and stay while another leads to them', async (t) => {
  const { api, request } = await startProject();
  const create = async (key: string, rest: object = {}) =>
    (
      await api
        .states()
        .post({ body: { key, type: 'OrderState', ...rest } })
        .execute()
    ).body;
  const shipped = await create('shipped');
  t.match(shipped, { initial: true, builtIn: false, roles: [] });
  t.notOk('transitions' in shipped, 'without transitions any state may follow');
  const packed = await create('packed', { transitions: [{ typeId: 'state', key: 'shipped' }] });
  t.strictSame(packed.transitions, [{ typeId: 'state', id: shipped.id }]);
  const graphql = await request('POST', '/graphql', {
    query: '{ state(key: "packed") { type transitionsRef { id } transitions { key } } }',
  });
  t.match(graphql.body, {
    data: { state: { type: 'OrderState', transitionsRef: [{ id: shipped.id }], transitions: [{ key: 'shipped' }] } },
  });
  t.match((await request('DELETE', '/states/key=shipped?version=1')).body, {
    errors: [{ code: 'ReferenceExists', referencedBy: 'state' }],
  });
  const looped = await api
    .states()
    .withId({ ID: packed.id })
    .post({
      body: { version: 1, actions: [{ action: 'setTransitions', transitions: [{ typeId: 'state', id: packed.id }] }] },
    })
    .execute();
  t.strictSame(looped.body.transitions, [{ typeId: 'state', id: packed.id }]);
  t.equal((await request('DELETE', '/states/key=shipped?version=1')).status, 200);
  t.equal((await request('DELETE', '/states/key=packed?version=2')).status, 200, 'a state that leads to itself can go');
});

t.test('the text that GraphQL picks without a locale does not depend on the order of the draft', async (t) => {
  const { request } = await startProject();
  const query = `mutation { createState(draft: { key: "first", type: OrderState, name: [
    { locale: "en", value: "English" }, { locale: "de-CH", value: "Schweizerdeutsch" }, { locale: "de", value: "Deutsch" }
  ] }) { name } }`;
  t.match((await request('POST', '/graphql', { query })).body, { data: { createState: { name: 'Deutsch' } } });
  t.match((await request('POST', '/graphql', { query: '{ state(key: "first") { name } }' })).body, {
    data: { state: { name: 'Deutsch' } },
  });
});
