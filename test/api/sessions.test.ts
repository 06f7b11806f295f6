import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startHttp } from '../../src/app.ts';
import { hashOf, randomSecret } from '../../src/engine/secrets.ts';
import { createCredentialStore } from '../../src/storage/credentials.ts';
import { type Answer, type Platform, send, startPlatform } from '../support/platform.ts';

interface Client {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** A platform with the calls of the authorization service. */
interface Service extends Platform {
  post(path: string, form: Readonly<Record<string, string>>, client?: Client): Promise<Answer>;
  clientWith(...names: readonly string[]): Promise<Client>;
  /** Status of a read with this token. */
  statusWith(token: unknown, path?: string): Promise<number>;
}

async function start(t: Test, environment?: Parameters<typeof startPlatform>[1]): Promise<Service> {
  return serviceOn(await startPlatform(t, environment));
}

function serviceOn(platform: Platform): Service {
  const { baseUrl, client: first, projectKey, sql, request } = platform;
  return {
    ...platform,
    post: (path, form, { clientId, clientSecret } = first) =>
      send({
        baseUrl,
        method: 'POST',
        path: `/oauth/${path}`,
        headers: {
          'content-type': 'application/x-www-form-urlencoded',
          authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`,
        },
        body: new URLSearchParams(form).toString(),
      }),
    clientWith: async (...names) => {
      const client = { clientId: randomUUID(), clientSecret: randomSecret() };
      const scopes = names.map((name) => `${name}:${projectKey}`);
      const secretHash = hashOf(client.clientSecret);
      const store = createCredentialStore(sql);
      await store.insertClient({ project: projectKey, id: client.clientId, name: 'test', secretHash, scopes });
      return client;
    },
    statusWith: async (token, path = '/zones') =>
      (await request('GET', path, undefined, { authorization: `Bearer ${String(token)}` })).status,
  };
}

const anonymous = { grant_type: 'client_credentials' };

t.test('an anonymous session has an id of its own, chosen or made', async (t) => {
  const { post, projectKey, clientWith, statusWith } = await start(t);
  const path = `${projectKey}/anonymous/token`;
  const made = await post(path, anonymous);
  t.match(made, {
    status: 200,
    body: {
      access_token: /^[A-Za-z0-9_-]{43}$/,
      refresh_token: /^[A-Za-z0-9_-]{43}$/,
      expires_in: 172_800,
      token_type: 'Bearer',
      scope: /manage_project:\S+ anonymous_id:([0-9a-f-]{36}) anonymous_id=\1$/,
    },
  });
  t.equal(made.headers.get('cache-control'), 'no-store');
  t.equal(await statusWith(made.body['access_token']), 200);
  t.equal(await statusWith(made.body['refresh_token']), 401, 'a refresh token is no access token');
  const chosen = await post(path, { ...anonymous, anonymous_id: 'visitor-1', scope: `view_zones:${projectKey}` });
  t.match(chosen.body, { scope: `view_zones:${projectKey} anonymous_id:visitor-1 anonymous_id=visitor-1` });
  t.match(await post(path, { ...anonymous, anonymous_id: 'visitor-1' }), {
    status: 400,
    body: { errors: [{ code: 'AnonymousIdAlreadyInUse' }] },
  });
  t.match((await post(path, { ...anonymous, anonymous_id: 'two words' })).body, { error: 'invalid_request' });
  t.match((await post(path, { grant_type: 'password' })).body, { error: 'unsupported_grant_type' });
  const without = await clientWith('manage_my_orders');
  t.match(await post(path, anonymous, without), { status: 403, body: { error: 'insufficient_scope' } });
  const able = await clientWith('create_anonymous_token', 'manage_my_orders');
  t.match((await post(path, { ...anonymous, scope: `manage_orders:${projectKey}` }, able)).body, {
    error: 'invalid_scope',
  });
  t.match(await post('other/anonymous/token', anonymous), { status: 401, body: { error: 'invalid_client' } });
  t.match(await post('%ZZ/anonymous/token', anonymous), { status: 400 });
  t.equal((await post('a/b/c/token', anonymous)).status, 404);
});

t.test('what an anonymous session makes is its own', async (t) => {
  const { post, projectKey, request } = await start(t);
  const { body } = await post(`${projectKey}/anonymous/token`, { ...anonymous, anonymous_id: 'visitor' });
  const headers = { authorization: `Bearer ${String(body['access_token'])}` };
  const zone = await request('POST', '/zones', { name: 'Alps' }, headers);
  t.match(zone.body, { createdBy: { anonymousId: 'visitor' }, lastModifiedBy: { anonymousId: 'visitor' } });
});

t.test('a refresh token gives access tokens, with the scopes of its session or fewer', async (t) => {
  const { post, projectKey, clientWith, statusWith } = await start(t);
  const client = await clientWith('create_anonymous_token', 'manage_zones', 'view_states');
  const { body: session } = await post(`${projectKey}/anonymous/token`, anonymous, client);
  const refresh = (form: Readonly<Record<string, string>> = {}, by: Client = client) =>
    post('token', { grant_type: 'refresh_token', refresh_token: String(session['refresh_token']), ...form }, by);
  const { status, body } = await refresh();
  t.match({ status, body }, { status: 200, body: { scope: session['scope'], expires_in: 172_800 } });
  t.notOk('refresh_token' in body);
  t.equal(await statusWith(body['access_token']), 200);
  t.equal(await statusWith(session['access_token']), 200, 'earlier tokens hold');
  const { body: fewer } = await refresh({ scope: `view_zones:${projectKey}` });
  const own = String(session['scope']).split(' ').slice(-2).join(' ');
  t.equal(fewer['scope'], `view_zones:${projectKey} ${own}`);
  t.equal(await statusWith(fewer['access_token']), 200);
  t.equal(await statusWith(fewer['access_token'], '/states'), 403);
  for (const scope of [`view_orders:${projectKey}`, 'anonymous_id:another', 'manage_zones:other'])
    t.match((await refresh({ scope })).body, { error: 'invalid_scope' }, scope);
  const stranger = await clientWith('manage_project');
  t.match(await refresh({}, stranger), { status: 400, body: { error: 'invalid_grant' } }, 'of another client');
  t.match((await refresh({ refresh_token: String(session['access_token']) })).body, { error: 'invalid_grant' });
  t.match((await refresh({ refresh_token: '' })).body, { error: 'invalid_request' });
});

t.test('introspection says of a token what the caller may know, and else the same of all', async (t) => {
  const platform = await start(t);
  const { post, projectKey, clientWith, anotherProject } = platform;
  const own = await clientWith('view_zones', 'create_anonymous_token');
  const trusted = await clientWith('introspect_oauth_tokens');
  const stranger = await clientWith('view_zones');
  const { body: token } = await post('token', { grant_type: 'client_credentials' }, own);
  const secret = String(token['access_token']);
  const now = Date.now() / 1000;
  for (const client of [own, trusted, undefined]) {
    const { status, body } = await post('introspect', { token: secret }, client);
    const { exp, ...others } = body;
    t.strictSame(others, { active: true, scope: token['scope'], client_id: own.clientId });
    t.ok(status === 200 && Number.isInteger(exp) && Math.abs(Number(exp) - now - 172_800) < 60);
  }
  const { body: session } = await post(`${projectKey}/anonymous/token`, anonymous, own);
  t.match((await post('introspect', { token: String(session['refresh_token']) }, own)).body, { active: true });
  const other = serviceOn(await anotherProject());
  const foreign = await other.post('token', { grant_type: 'client_credentials' });
  await post('token/revoke', { token: String(session['access_token']) }, own);
  const inactive = [
    [stranger, secret],
    [own, 'garbage'],
    [own, ''],
    [own, String(session['access_token'])],
    [undefined, String(foreign.body['access_token'])],
  ] as const;
  for (const [client, hidden] of inactive) {
    const { status, text } = await post('introspect', { token: hidden }, client);
    t.strictSame([status, text], [200, '{"active":false}']);
  }
  t.equal((await post('introspect', {}, own)).text, '{"active":false}');
  t.equal((await post('introspect', { token: secret }, { clientId: own.clientId, clientSecret: 'x' })).status, 401);
});

t.test('a revoked token is refused by every process at the very next request', async (t) => {
  const platform = await start(t);
  const { post, projectKey, clientWith, config, statusWith } = platform;
  const second = await startHttp(config, pino({ level: 'silent' }));
  t.teardown(() => second.close());
  const elsewhere = async (token: unknown): Promise<number> => {
    const headers = { authorization: `Bearer ${String(token)}` };
    const baseUrl = `http://127.0.0.1:${second.port}`;
    return (await send({ baseUrl, method: 'GET', path: `/${projectKey}/zones`, headers })).status;
  };
  const client = await clientWith('manage_project');
  const stranger = await clientWith('manage_project');
  const { body: session } = await post(`${projectKey}/anonymous/token`, anonymous, client);
  const refresh = { grant_type: 'refresh_token', refresh_token: String(session['refresh_token']) };
  const { body: refreshed } = await post('token', refresh, client);
  const { body: plain } = await post('token', { grant_type: 'client_credentials' }, client);
  const tokens = [plain, refreshed, session].map((body) => body['access_token']);
  for (const token of tokens) t.strictSame([await statusWith(token), await elsewhere(token)], [200, 200]);

  for (const form of [{ token: String(tokens[0]) }, { token: 'garbage' }, {}] as readonly Record<string, string>[]) {
    const answer = await post('token/revoke', form, stranger);
    t.strictSame([answer.status, answer.text], [200, '{}']);
  }
  t.equal(await elsewhere(tokens[0]), 200, 'of another client');
  const hinted = { token: String(tokens[0]), token_type_hint: 'refresh_token' };
  t.equal((await post('token/revoke', hinted, client)).status, 200);
  t.strictSame([await elsewhere(tokens[0]), await statusWith(tokens[0])], [401, 401]);
  t.equal(await elsewhere(tokens[1]), 200);

  await post('token/revoke', { token: String(session['refresh_token']) }, client);
  for (const token of tokens.slice(1)) t.strictSame([await elsewhere(token), await statusWith(token)], [401, 401]);
  t.match((await post('token', refresh, client)).body, { error: 'invalid_grant' });
  const { status } = await post('token/revoke', { token: 'x' }, { ...client, clientSecret: 'wrong' });
  t.equal(status, 401, 'the client has to say who it is');
});

t.test('the deletion of a client ends its tokens and sessions', async (t) => {
  const { post, projectKey, clientWith, request, statusWith } = await start(t);
  const client = await clientWith('create_anonymous_token', 'view_zones');
  const { body: session } = await post(`${projectKey}/anonymous/token`, anonymous, client);
  t.equal(await statusWith(session['access_token']), 200);
  t.match((await request('GET', `/api-clients/${client.clientId}`)).body, {
    lastUsedAt: new Date().toISOString().slice(0, 10),
  });
  t.equal((await request('DELETE', `/api-clients/${client.clientId}`)).status, 200);
  t.equal(await statusWith(session['access_token']), 401);
  const refresh = { grant_type: 'refresh_token', refresh_token: String(session['refresh_token']) };
  t.match(await post('token', refresh, client), { status: 401, body: { error: 'invalid_client' } });
  t.equal((await post('introspect', { token: String(session['access_token']) })).text, '{"active":false}');
});

t.test(
  'refresh tokens end after their time without use, and beyond the limit those that were used least recently',
  async (t) => {
    const { post, projectKey, clientWith, sql } = await start(t);
    const client = await clientWith('create_anonymous_token', 'view_zones');
    const credentials = createCredentialStore(sql);
    const session = async (): Promise<string> => {
      const { body } = await post(`${projectKey}/anonymous/token`, anonymous, client);
      return String(body['refresh_token']);
    };
    const use = async (token: string): Promise<number> =>
      (await post('token', { grant_type: 'refresh_token', refresh_token: token }, client)).status;
    const counted = async (): Promise<number> => {
      const [row] = await sql<{ counted: string; there: string }[]>`
      select (select sum(count) from refresh_token_counts) as counted, (select count(*) from refresh_tokens) as there`;
      t.equal(row!.counted, row!.there, 'the count is exact');
      return Number(row!.there);
    };
    const [first, second, third] = [await session(), await session(), await session()];
    t.equal(await counted(), 3);
    t.equal(await use(first), 200);
    await credentials.deleteExpired({ refreshTokensMax: 2 });
    t.equal(await counted(), 2);
    t.strictSame([await use(second), await use(first), await use(third)], [400, 200, 200]);
    const aged = hashOf(first).toString('hex');
    await sql`update refresh_tokens set expires_at = now() - interval '1 second' where hash = decode(${aged}, 'hex')`;
    t.equal(await use(first), 400, 'expired');
    await credentials.deleteExpired({ refreshTokensMax: 2 });
    t.equal(await counted(), 1);
    await post('token/revoke', { token: third }, client);
    t.equal(await counted(), 0);
    const plan = await sql<{ 'QUERY PLAN': string }[]>`explain select project, hash from refresh_tokens
    where project = ${projectKey} order by used_at limit 10`;
    t.match(plan.map((line) => line['QUERY PLAN']).join('\n'), /refresh_tokens_used/, 'found by the index');
  },
);

t.test('a client that asks for too many tokens in a minute is told to wait', async (t) => {
  const platform = await start(t);
  const { config, client, projectKey } = platform;
  const strict = await startHttp({ ...config, tokenRequestsPerMinute: 3 }, pino({ level: 'silent' }));
  t.teardown(() => strict.close());
  const { post } = serviceOn({ ...platform, baseUrl: `http://127.0.0.1:${strict.port}` });
  const ask = async (by = client) => (await post('token', { grant_type: 'client_credentials' }, by)).status;
  t.strictSame([await ask(), await ask(), await ask(), await ask()], [200, 200, 200, 429]);
  const other = await platform.clientWith('view_zones');
  t.equal(await ask(other as typeof client), 200, 'another client is counted for itself');
  const refused = await post(`${projectKey}/anonymous/token`, anonymous);
  t.match(refused.body, { statusCode: 429, errors: [{ code: 'TooManyRequests' }] });
  t.ok(refused.headers.get('retry-after'));
});

t.test('whoever guesses a password is told to wait, whichever way they come', async (t) => {
  const platform = await start(t);
  const { config, projectKey, request } = platform;
  const strict = await startHttp({ ...config, tokenRequestsPerMinute: 4 }, pino({ level: 'silent' }));
  t.teardown(() => strict.close());
  const baseUrl = `http://127.0.0.1:${strict.port}`;
  const { post } = serviceOn({ ...platform, baseUrl });
  const account = { email: 'jane@example.org', password: 'secret123' };
  t.equal((await request('POST', '/customers', account)).status, 201);
  const token = await platform.tokenWith([`manage_customers:${projectKey}`]);
  const signIn = async (password: string) => {
    const headers = { authorization: `Bearer ${token}` };
    const body = { ...account, password };
    return (await send({ baseUrl, method: 'POST', path: `/${projectKey}/login`, headers, body })).status;
  };
  t.strictSame([await signIn('guess-1'), await signIn('guess-2'), await signIn('secret123')], [400, 400, 200]);
  const form = { grant_type: 'password', username: 'JANE@example.org', password: 'secret123' };
  t.equal((await post(`${projectKey}/customers/token`, form)).status, 200);
  t.equal(
    (await post(`${projectKey}/customers/token`, form)).status,
    429,
    'the address is counted, however it is written',
  );
  t.equal(await signIn('secret123'), 429);
});
