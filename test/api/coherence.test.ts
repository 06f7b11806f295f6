import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { requestToken, send, startPlatform } from '../support/platform.ts';

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
