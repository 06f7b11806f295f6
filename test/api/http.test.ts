import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { serve } from '../../src/http/server.ts';
import { connect } from '../../src/storage/connection.ts';
import { send, startPlatform, startProject } from '../support/platform.ts';

t.test('answers carry a correlation ID: the valid one of the request, else a new one', async (t) => {
  const { request } = await startProject();
  const given = await request('GET', '/zones', undefined, { 'x-correlation-id': 'storefront_2026-1' });
  t.equal(given.headers.get('x-correlation-id'), 'storefront_2026-1');
  const made = await request('GET', '/zones');
  t.match(made.headers.get('x-correlation-id'), /^[0-9a-f-]{36}$/);
  for (const invalid of ['short', 'with/slash-and-more', 'x'.repeat(257)]) {
    t.match(
      (await request('GET', '/zones', undefined, { 'x-correlation-id': invalid })).headers.get('x-correlation-id'),
      /^[0-9a-f-]{36}$/,
    );
  }
  const failed = await request('GET', '/zones/nowhere', undefined, { 'x-correlation-id': 'failed_request' });
  t.equal(failed.headers.get('x-correlation-id'), 'failed_request');
});

t.test('error bodies have the status, the first message and all errors', async (t) => {
  const { request } = await startProject();
  const { status, body } = await request('GET', '/zones/nowhere');
  t.equal(status, 404);
  const [first] = body['errors'] as { message: string }[];
  t.strictSame(body, {
    statusCode: 404,
    message: first!.message,
    errors: [{ code: 'ResourceNotFound', message: first!.message }],
  });
});

t.test('paths and methods that do not exist are refused in JSON', async (t) => {
  const { request, baseUrl } = await startProject();
  t.match((await request('GET', '/unicorns')).body, { statusCode: 404, errors: [{ code: 'ResourceNotFound' }] });
  t.match((await request('GET', '/zones/a/b')).body, { statusCode: 404 });
  const notAllowed = await request('DELETE', '/zones');
  t.match(notAllowed.body, { statusCode: 405, errors: [{ code: 'MethodNotAllowed' }] });
  t.equal(notAllowed.headers.get('allow'), 'GET, HEAD, POST');
  t.equal((await request('PUT', '/zones')).headers.get('allow'), 'GET, HEAD, POST, DELETE');
  t.equal((await request('GET', '/graphql')).headers.get('allow'), 'POST');
  t.match((await request('PUT', '/zones')).body, { statusCode: 405 });
  t.match((await request('POST', '/shipping-methods/matching-location', {})).body, { statusCode: 405 });
  t.match((await send({ baseUrl, method: 'GET', path: '/' })).body, { statusCode: 404 });
  t.match((await request('GET', '/zones/%ZZ')).body, { statusCode: 400, errors: [{ code: 'InvalidInput' }] });
});

t.test('HEAD answers like GET, without the body', async (t) => {
  const { request } = await startProject();
  const { body } = await request('POST', '/zones', { name: 'Zone', key: 'zone' });
  const get = await request('GET', `/zones/${String(body['id'])}`);
  const head = await request('HEAD', `/zones/${String(body['id'])}`);
  t.equal(head.status, 200);
  t.equal(head.text, '');
  t.equal(head.headers.get('content-length'), get.headers.get('content-length'));
  t.equal((await request('HEAD', '/zones/key=zone')).status, 200);
  t.equal((await request('HEAD', '/zones/key=nowhere')).status, 404);
  t.equal((await request('HEAD', '/zones')).status, 200);
});

t.test('X-External-User-ID is recorded, and refused when it is too long', async (t) => {
  const { request, client } = await startProject();
  const created = await request('POST', '/zones', { name: 'Mine' }, { 'x-external-user-id': 'jane' });
  t.match(created.body, { createdBy: { clientId: client.clientId, externalUserId: 'jane' } });
  t.match((await request('POST', '/zones', { name: 'Mine' }, { 'x-external-user-id': 'x'.repeat(129) })).body, {
    statusCode: 400,
    errors: [{ code: 'InvalidInput' }],
  });
});

t.test('bodies have a limit', async (t) => {
  const { request } = await startProject();
  const answer = await request('POST', '/zones', `{"name":"${'x'.repeat(17 * 1024 * 1024)}"}`).catch(
    (error: Error) => error,
  );
  // A client that is still sending may see the connection closed before it reads the answer.
  if (answer instanceof Error) t.match(answer.message, /fetch failed/);
  else t.match(answer.body, { statusCode: 413 });
  t.equal((await request('GET', '/zones')).status, 200);
});

t.test('a handler that throws, at once or later, answers 500 without detail and the server lives', async (t) => {
  const logged: string[] = [];
  const log = pino({}, { write: (line: string) => logged.push(line) });
  const server = await serve({
    host: '127.0.0.1',
    port: 0,
    log,
    handler: ({ head }) => {
      if (head.path === '/now') throw new Error('a secret of the program');
      if (head.path === '/later') return Promise.reject(new Error('a secret of the program'));
      if (head.path === '/nothing') throw undefined as unknown as Error;
      return { status: 200, body: '{}' };
    },
  });
  t.teardown(() => server.close());
  const baseUrl = `http://127.0.0.1:${server.port}`;
  for (const path of ['/now', '/later', '/nothing']) {
    const answer = await send({ baseUrl, method: 'GET', path, headers: { 'x-correlation-id': 'find_me_in_the_log' } });
    t.match(
      { status: answer.status, ...answer.body },
      { status: 500, statusCode: 500, errors: [{ code: 'General' }] },
      path,
    );
    t.notMatch(answer.text, /secret/);
  }
  t.equal((await send({ baseUrl, method: 'GET', path: '/fine' })).status, 200);
  t.equal(logged.filter((line) => line.includes('find_me_in_the_log')).length, 3);
});

t.test('a database that cannot be reached is a reason to try again', async (t) => {
  const { config } = await startPlatform(t);
  const http = await startHttp(
    { ...config, databaseUrl: 'postgres://nobody@127.0.0.1:1/nothing' },
    pino({ level: 'silent' }),
  );
  t.teardown(() => http.close());
  const baseUrl = `http://127.0.0.1:${http.port}`;
  const answer = await send({
    baseUrl,
    method: 'GET',
    path: '/any-project/zones',
    headers: { authorization: 'Bearer x' },
  });
  t.match({ status: answer.status, ...answer.body }, { status: 503, errors: [{ code: 'OverCapacity' }] });
  t.ok(answer.headers.get('retry-after'));
  t.equal((await send({ baseUrl, method: 'GET', path: '/readyz' })).status, 503);
  t.equal((await send({ baseUrl, method: 'GET', path: '/healthz' })).status, 200);
});

t.test('a row that an operator holds is a reason to try again, and does not keep a request waiting', async (t) => {
  const { config, request } = await startProject();
  const { body: zone } = await request('POST', '/zones', { key: 'alps', name: 'Alps' });
  const update = { version: 1, actions: [{ action: 'changeName', name: 'Andes' }] };
  const operator = connect({ databaseUrl: config.databaseUrl, connectionsMax: 1, prepare: true });
  t.teardown(() => operator.end());
  await operator.unsafe('begin');
  await operator`select from documents where key = 'alps' for update`;
  const paths = [`/zones/${zone['id'] as string}`, '/zones/key=alps'];
  const mutation =
    'mutation { updateZone(key: "alps", version: 1, actions: [{ changeName: { name: "Andes" } }]) { id } }';
  const mutating = request('POST', '/graphql', { query: mutation });
  for (const { status, headers, body } of await Promise.all(paths.map((path) => request('POST', path, update)))) {
    t.match({ status, body }, { status: 503, body: { errors: [{ code: 'OverCapacity', message: /held by other/ }] } });
    t.ok(headers.get('retry-after'));
  }
  t.match(await mutating, {
    status: 200,
    body: { errors: [{ message: /held by other/, path: ['updateZone'], extensions: { code: 'OverCapacity' } }] },
  });
  await operator.unsafe('rollback');
  t.match(await request('POST', paths[0]!, update), { status: 200, body: { version: 2, name: 'Andes' } });
});

t.test('health tells the truth', async (t) => {
  const { baseUrl, sql } = await startPlatform(t);
  t.equal((await send({ baseUrl, method: 'GET', path: '/healthz' })).status, 200);
  t.match((await send({ baseUrl, method: 'GET', path: '/readyz' })).body, { status: 'ok', checks: { database: 'ok' } });
  await sql`delete from schema_migrations where number = (select max(number) from schema_migrations)`;
  const answer = await send({ baseUrl, method: 'GET', path: '/readyz' });
  t.match(
    { code: answer.status, ...answer.body },
    { code: 503, checks: { database: 'failed' } },
    'a database that lacks a migration is not ready',
  );
});

t.test('the description is given in the form that the client takes, and not again to one that has it', async (t) => {
  const { baseUrl } = await startProject();
  const path = `${baseUrl}/openapi.json`;
  const plain = await fetch(path, { headers: { 'accept-encoding': 'identity' } });
  const text = await plain.text();
  for (const [accepted, encoding] of [
    ['gzip, deflate, br', 'br'],
    ['gzip;q=1.0, br;q=0', 'gzip'],
    ['GZIP', 'gzip'],
    ['br;q=0.0,gzip;q=0.000', null],
    ['zstd', null],
  ] as const) {
    const answer = await fetch(path, { headers: { 'accept-encoding': accepted } });
    t.equal(answer.headers.get('content-encoding'), encoding, accepted);
    t.equal(answer.headers.get('vary'), 'Accept-Encoding');
    t.equal(await answer.text(), text);
    const etag = answer.headers.get('etag')!;
    for (const [known, status] of [
      [etag, 304],
      [`"other", W/${etag}`, 304],
      ['*', 304],
      ['"other"', 200],
    ] as const) {
      const again = await fetch(path, { headers: { 'accept-encoding': accepted, 'if-none-match': known } });
      t.equal(again.status, status, known);
      t.equal(again.headers.get('etag'), etag);
      t.equal(await again.text(), status === 304 ? '' : text);
    }
  }
});
