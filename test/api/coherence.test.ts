import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { requestToken, send, startPlatform } from '../support/platform.ts';

t.test('answers of every form are kept until something that they were made from changes', async (t) => {
  const { request, projectKey, sql } = await startPlatform(t);
  const { body: zone } = await request('POST', '/zones', {
    key: 'zone',
    name: 'First',
    locations: [{ country: 'DE' }],
  });
  const { body: tax } = await request('POST', '/tax-categories', { key: 'tax', name: 'First', rates: [] });
  const rate = { price: { currencyCode: 'EUR', centAmount: 100 } };
  await request('POST', '/shipping-methods', {
    name: 'Method',
    taxCategory: { typeId: 'tax-category', id: tax['id'] },
    zoneRates: [{ zone: { typeId: 'zone', id: zone['id'] }, shippingRates: [rate] }],
    isDefault: false,
  });
  const lists = new Set(['/zones', '/zones?where=key%3D%22zone%22&withTotal=false']);
  const query = '{ shippingMethods { results { taxCategory { name } zoneRates { zone { name } } } } }';
  const forms: readonly (readonly [method: string, path: string, body?: object])[] = [
    ['GET', `/zones/${String(zone['id'])}`],
    ['GET', '/zones/key=zone'],
    ...[...lists].map((path) => ['GET', path] as const),
    ['GET', '/shipping-methods?expand=zoneRates[*].zone'],
    ['GET', '/shipping-methods/matching-location?country=DE&expand=zoneRates[*].zone'],
    ['POST', '/graphql', { query: '{ zone(key: "zone") { name } }' }],
    ['POST', '/graphql', { query: '{ zones(where: "key = \\"zone\\"") { total results { name } } }' }],
    ['POST', '/graphql', { query }],
  ];
  const readAll = () => Promise.all(forms.map(async (form) => (await request(...form)).text));
  const rename = (name: string) =>
    sql`update documents set data = data || jsonb_build_object('name', ${name}::text)
      where project = ${projectKey} and kind = 'zone'`;
  const log = (kind: string, id: unknown) =>
    sql`insert into change_log (project, kind, id, version) values (${projectKey}, ${kind}, ${String(id)}, 1)`;
  const before = await readAll();
  await rename('Unheard');
  t.strictSame(await readAll(), before, 'a change that nobody logged is not looked for: the answers are kept');
  await log('customer-group', zone['id']);
  t.strictSame(await readAll(), before, 'nor does a change of another kind drop them');
  await log('zone', zone['id']);
  const after = await readAll();
  for (const [index, [method, path]] of forms.entries()) t.match(after[index], 'Unheard', `${method} ${path}`);
  const { body: settings } = await request('GET', '');
  await rename('Unheard again');
  await request('POST', '', {
    version: settings['version'],
    actions: [{ action: 'changeName', name: 'Other settings' }],
  });
  for (const [index, text] of (await readAll()).entries()) {
    const [method, path] = forms[index]!;
    // Other settings make other answers, but the documents of lists that were asked for before are the same.
    const name = lists.has(path) ? 'Unheard' : 'Unheard again';
    t.match(text, new RegExp(`"name": ?"${name}"`), `${method} ${path} with other settings`);
  }
});

t.test('no text of a request names the answer to another one', async (t) => {
  const platform = await startPlatform(t);
  const { request } = platform;
  const { body: zone } = await request('POST', '/zones', { key: 'zone', name: 'Zone' });
  const id = String(zone['id']);
  await request('POST', '/zones', { key: id, name: 'Its key is the id of another' });
  const cases: readonly (readonly [path: string, expected: object])[] = [
    ['/zones/%6Bey=zone', { status: 404 }],
    ['/zones/key=zone', { status: 200, body: { id } }],
    [`/zones/${id}`, { status: 200, body: { key: 'zone' } }],
    [`/zones/key=${id}`, { status: 200, body: { key: id } }],
    [`/zones/id=${id}`, { status: 404 }],
    ['/zones/key=id=zone', { status: 404 }],
  ];
  // Each is asked before and after each of the others.
  for (const order of [cases, cases.toReversed(), cases])
    for (const [path, expected] of order) t.match(await request('GET', path), expected, path);
});

t.test('what one server acknowledged, another answers at once: by id, by key, by GraphQL, by token', async (t) => {
  const platform = await startPlatform(t);
  const { projectKey, client, config, sql } = platform;
  const others = await Promise.all([1, 2].map(() => startHttp(config, pino({ level: 'silent' }))));
  for (const other of others) t.teardown(() => other.close());
  const servers = [platform.baseUrl, ...others.map(({ port }) => `http://127.0.0.1:${port}`)];
  const token = await requestToken(platform.baseUrl, client);
  const ask = async (server: number, method: string, path: string, body?: unknown) =>
    send({
      baseUrl: servers[server % servers.length]!,
      method,
      path: `/${projectKey}${path}`,
      body,
      headers: { authorization: `Bearer ${token}` },
    });
  const { body: zone } = await ask(0, 'POST', '/zones', { key: 'first', name: 'Zone 1' });
  const path = `/zones/${String(zone['id'])}`;
  for (let version = 1; version <= 60; version += 1) {
    // All servers have the version at hand cached before one of them makes the next.
    await Promise.all(
      servers.flatMap((_, server) => [ask(server, 'GET', path), ask(server, 'GET', '/zones/key=first')]),
    );
    const written = await ask(version, 'POST', path, {
      version,
      actions: [{ action: 'changeName', name: `Zone ${version + 1}` }],
    });
    t.equal(written.status, 200);
    const reads = await Promise.all(
      servers.flatMap((_, server) => [ask(server, 'GET', path), ask(server, 'GET', '/zones/key=first')]),
    );
    if (!reads.every(({ body }) => body['version'] === version + 1))
      t.fail(`a read after version ${version + 1} gives an older one`);
  }
  const query = { query: '{ zones(where: "key in (\\"first\\", \\"second\\")") { total results { key name } } }' };
  const graphql = async () =>
    Promise.all(servers.map(async (_, server) => (await ask(server, 'POST', '/graphql', query)).body['data']));
  for (const name of ['One', 'Two', 'Three']) {
    await graphql();
    const version = Number((await ask(0, 'GET', path)).body['version']);
    await ask(version, 'POST', path, { version, actions: [{ action: 'changeName', name }] });
    for (const data of await graphql()) t.strictSame(data, { zones: { total: 1, results: [{ key: 'first', name }] } });
  }
  await ask(1, 'POST', path, { version: 64, actions: [{ action: 'setKey', key: 'second' }] });
  await ask(2, 'POST', '/zones', { key: 'first', name: 'Heir' });
  t.match(
    (await ask(0, 'GET', '/zones/key=first')).body,
    { name: 'Heir' },
    'a key that changed hands leads to its new holder',
  );
  await ask(0, 'DELETE', `${path}?version=65`);
  for (const server of servers.keys()) t.equal((await ask(server, 'GET', path)).status, 404);

  await sql`with gone as (delete from tokens where project = ${projectKey} returning hash)
    insert into change_log (project, kind, id, version) select ${projectKey}, 'access-token', encode(hash, 'hex'), 1 from gone`;
  for (const server of servers.keys())
    t.equal((await ask(server, 'GET', '/zones')).status, 401, 'a token that is gone is gone everywhere');
});
