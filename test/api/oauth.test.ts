import t from 'tap';
import { requestToken, send, startPlatform } from '../support/platform.ts';

const form = { 'content-type': 'application/x-www-form-urlencoded' };

function basic(id: string, secret: string): { authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
}

t.test('client credentials give a token that is stored as a hash', async (t) => {
  const { baseUrl, client, projectKey, sql } = await startPlatform(t);
  const answer = await send({
    baseUrl,
    method: 'POST',
    path: '/oauth/token',
    headers: { ...form, ...basic(client.clientId, client.clientSecret) },
    body: `grant_type=client_credentials&scope=view_zones:${projectKey}%20manage_orders:${projectKey}`,
  });
  t.equal(answer.status, 200);
  t.equal(answer.headers.get('cache-control'), 'no-store');
  t.match(answer.body, {
    token_type: 'Bearer',
    expires_in: 172_800,
    scope: `view_zones:${projectKey} manage_orders:${projectKey}`,
    access_token: /^[A-Za-z0-9_-]{43}$/,
  });
  const stored = await sql<{ hash: string }[]>`select encode(hash, 'hex') as hash from tokens`;
  t.notOk(stored.some(({ hash }) => hash.includes(Buffer.from(String(answer.body['access_token'])).toString('hex'))));
  const rows = await sql<
    { text: string }[]
  >`select row_to_json(documents)::text as text from documents where kind = 'api-client'`;
  t.notOk(rows.some(({ text }) => text.includes(client.clientSecret)));
});

t.test('token requests are refused as RFC 6749 says, with the fields of both error forms', async (t) => {
  const { baseUrl, client, projectKey } = await startPlatform(t);
  const good = basic(client.clientId, client.clientSecret);
  const cases = [
    ['a wrong secret', basic(client.clientId, 'wrong'), 'grant_type=client_credentials', 401, 'invalid_client'],
    ['an unknown client', basic('nobody', 'wrong'), 'grant_type=client_credentials', 401, 'invalid_client'],
    ['no credentials', {}, 'grant_type=client_credentials', 401, 'invalid_client'],
    ['no grant type', good, '', 400, 'invalid_request'],
    [
      'a repeated parameter',
      good,
      'grant_type=client_credentials&grant_type=client_credentials',
      400,
      'invalid_request',
    ],
    ['an unknown grant type', good, 'grant_type=magic', 400, 'unsupported_grant_type'],
    [
      'a scope of another project',
      good,
      'grant_type=client_credentials&scope=manage_project:other',
      400,
      'invalid_scope',
    ],
    [
      'a malformed scope',
      good,
      `grant_type=client_credentials&scope=manage_project:${projectKey}:a:b`,
      400,
      'invalid_scope',
    ],
  ] as const;
  for (const [name, headers, body, status, error] of cases) {
    const answer = await send({
      baseUrl,
      method: 'POST',
      path: '/oauth/token',
      headers: { ...form, ...headers },
      body,
    });
    t.match(
      { status: answer.status, ...answer.body },
      { status, statusCode: status, error, error_description: String, message: String, errors: [{ code: error }] },
      name,
    );
    if (status === 401) t.match(answer.headers.get('www-authenticate'), /^Basic/, name);
  }
  const json = await send({
    baseUrl,
    method: 'POST',
    path: '/oauth/token',
    headers: good,
    body: { grant_type: 'client_credentials' },
  });
  t.match(json.body, { statusCode: 400, error: 'invalid_request' });
  const encoded = await send({
    baseUrl,
    method: 'POST',
    path: '/oauth/token',
    headers: { ...form, ...basic(encodeURIComponent(client.clientId), encodeURIComponent(client.clientSecret)) },
    body: 'grant_type=client_credentials',
  });
  t.equal(encoded.status, 200, 'ids and secrets may be form-encoded');
  t.equal((await send({ baseUrl, method: 'GET', path: '/oauth/token' })).status, 405);
});

t.test('every request needs a token of its project with one of the scopes', async (t) => {
  const platform = await startPlatform(t);
  const { baseUrl, projectKey, tokenWith } = platform;
  const ask = async (token: string, method: string, path: string, body?: unknown) =>
    send({ baseUrl, method, path: `/${projectKey}${path}`, body, headers: { authorization: `Bearer ${token}` } });
  const missing = await send({ baseUrl, method: 'GET', path: `/${projectKey}/zones` });
  t.match({ status: missing.status, ...missing.body }, { status: 401, errors: [{ code: 'access_denied' }] });
  t.equal(missing.headers.get('www-authenticate'), 'Bearer');
  t.match((await ask('nonsense', 'GET', '/zones')).body, { statusCode: 401, errors: [{ code: 'invalid_token' }] });
  t.equal(
    (await send({ baseUrl, method: 'GET', path: `/${projectKey}/zones?access_token=x` })).status,
    401,
    'a token in the URL is ignored',
  );

  const viewer = await tokenWith([`view_zones:${projectKey}`]);
  t.equal((await ask(viewer, 'GET', '/zones')).status, 200);
  t.match((await ask(viewer, 'POST', '/zones', { name: 'No' })).body, {
    statusCode: 403,
    errors: [{ code: 'insufficient_scope' }],
  });
  t.equal((await ask(viewer, 'GET', '/tax-categories')).status, 403);
  const manager = await tokenWith([`manage_orders:${projectKey}`]);
  t.equal((await ask(manager, 'POST', '/zones', { name: 'Yes' })).status, 201);
  t.equal((await ask(manager, 'GET', '/zones')).status, 200, 'manage implies view');
  const store = await tokenWith([`view_orders:${projectKey}:store-1`]);
  t.equal((await ask(store, 'GET', '/zones')).status, 403, 'a scope of a store is none of the project');
  const other = await tokenWith(['manage_project:another-project']);
  t.equal((await ask(other, 'GET', '/zones')).status, 403);
  t.equal(
    (
      await send({
        baseUrl,
        method: 'GET',
        path: '/another-project/zones',
        headers: { authorization: `Bearer ${viewer}` },
      })
    ).status,
    401,
    'a token of another project is unknown',
  );

  const lower = await send({
    baseUrl,
    method: 'GET',
    path: `/${projectKey}/zones`,
    headers: { authorization: `bEaReR ${viewer}` },
  });
  t.equal(lower.status, 200, 'the scheme is case-insensitive');
});

t.test('an expired token is refused although it is remembered', async (t) => {
  const { baseUrl, projectKey, client, sql } = await startPlatform(t);
  const token = await requestToken(baseUrl, client);
  const ask = async () =>
    (
      await send({
        baseUrl,
        method: 'GET',
        path: `/${projectKey}/zones`,
        headers: { authorization: `Bearer ${token}` },
      })
    ).status;
  await sql`update tokens set expires_at = now() - interval '1 second'`;
  t.equal(await ask(), 401);
});
