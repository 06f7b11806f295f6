import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { createCredentialStore } from '../../src/storage/credentials.ts';
import { soon, startDelegating } from '../support/introspection.ts';
import { type Answer, send, startPlatform } from '../support/platform.ts';
import { eventually } from '../support/services.ts';
import { startSession } from '../support/shoppers.ts';
import { anonymous, tokenServiceOn } from '../support/token-service.ts';

const platform = await startPlatform(t);
const { config, projectKey, request, sql, database } = platform;
const { clientWith, post } = tokenServiceOn(platform);
const service = await startDelegating(t, platform);
const second = await startHttp({ ...config, allowsPrivateExternalOAuth: true }, pino({ level: 'silent' }));
t.teardown(() => second.close());
const servers = [service.baseUrl, `http://127.0.0.1:${second.port}`];

/** What the other server says of its tokens. */
const scopes = new Map<string, string>();
service.behavior = (response, token) =>
  response.end(JSON.stringify({ active: true, exp: soon(), client_id: 'shop', scope: scopes.get(token) }));

/** A token of the other server that may do all for shoppers, and something else; `identity` says for whom. */
function tokenOf(identity: string): string {
  const token = randomUUID();
  scopes.set(
    token,
    `manage_my_profile:${projectKey} manage_my_orders:${projectKey} manage_zones:${projectKey} ${identity}`,
  );
  return token;
}

interface Asked {
  readonly method?: string;
  readonly path: string;
  readonly body?: unknown;
}

/** What every server says to the same request. */
function answers(token: string, { method = 'GET', path, body }: Asked): Promise<readonly Answer[]> {
  const headers = { authorization: `Bearer ${token}` };
  return Promise.all(servers.map((baseUrl) => send({ baseUrl, method, path: `/${projectKey}${path}`, headers, body })));
}

async function statuses(token: string, asked: Asked): Promise<readonly number[]> {
  return (await answers(token, asked)).map(({ status }) => status);
}

const me = { path: '/me' };
/** What every shopper may ask for, and nobody has. */
const activeCart = { path: '/me/active-cart' };
const zones = { path: '/zones' };

async function newCustomer(): Promise<{ readonly id: string; readonly version: number }> {
  const draft = { email: `${randomUUID()}@example.org`, password: 'shopper-pass-1' };
  return (await request('POST', '/customers', draft)).body['customer'] as { id: string; version: number };
}

t.test('a customer whom a token names is the one of the platform', async (t) => {
  const { id } = await newCustomer();
  for (const scope of ['customer_id', 'customer']) {
    const token = tokenOf(`${scope}:${id}`);
    for (const { status, body } of await answers(token, me)) t.match({ status, body }, { status: 200, body: { id } });
    const [zone] = await answers(token, { method: 'POST', path: '/zones', body: { name: scope } });
    t.match(zone, { status: 201, body: { createdBy: { clientId: 'shop', customer: { typeId: 'customer', id } } } });
  }
});

t.test('tokens that name the same two customers get what is kept for the first that each names', async (t) => {
  const ids = [(await newCustomer()).id, (await newCustomer()).id];
  const query = '{ me { customer { id } } }';
  for (const [first, second] of [ids, ids.toReversed()]) {
    const token = tokenOf(`customer_id:${first} customer_id:${second}`);
    for (const { body } of await answers(token, { method: 'POST', path: '/graphql', body: { query } }))
      t.strictSame(body, { data: { me: { customer: { id: first } } } });
  }
});

t.test('a customer or session that is not there is nobody, which other operations do not ask', async (t) => {
  const { id } = await newCustomer();
  const identities = [
    `customer_id:${randomUUID()}`,
    `customer_id:${id.toUpperCase()}`,
    'customer_id:jane',
    'customer_id:\u0000',
    `anonymous_id:${id}`,
    `anonymous_id:${randomUUID()}`,
    'anonymous_id:\u0000',
    `anonymous_id:${'x'.repeat(10_000)}`,
    `customer_id:${randomUUID()} customer_id:${id}`,
    '',
  ];
  for (const identity of identities) {
    const name = identity.slice(0, 100);
    const token = tokenOf(identity);
    for (const asked of [me, activeCart])
      for (const { status, body } of await answers(token, asked))
        t.match({ status, body }, { status: 403, body: { errors: [{ code: 'insufficient_scope' }] } }, name);
    t.strictSame(await statuses(token, zones), [200, 200], name);
    const [zone] = await answers(token, { method: 'POST', path: '/zones', body: { name: randomUUID() } });
    t.match(zone, { status: 201, body: { createdBy: { clientId: 'shop' } } }, name);
    const { createdBy } = zone!.body as { createdBy: object };
    t.strictSame(Object.keys(createdBy), ['clientId'], `${name}: nobody made it`);
  }
});

t.test('a customer who is deleted is nobody at the very next request', async (t) => {
  const { id, version } = await newCustomer();
  const token = tokenOf(`customer_id:${id}`);
  t.strictSame(await statuses(token, me), [200, 200]);
  const calls = service.calls.length;
  t.equal((await request('DELETE', `/customers/${id}?version=${version}`)).status, 200);
  t.strictSame(await statuses(token, me), [403, 403]);
  t.strictSame(await statuses(token, zones), [200, 200]);
  t.equal(service.calls.length, calls, 'what the other server said is still known');
});

t.test('an anonymous session is one that goes on here', async (t) => {
  const path = `${projectKey}/anonymous/token`;
  const client = await clientWith('create_anonymous_token', 'view_zones');
  const begin = async (anonymousId: string): Promise<string> => {
    const { status, text, body } = await post(path, { ...anonymous, anonymous_id: anonymousId }, client);
    if (status !== 200) throw new Error(text);
    return String(body['refresh_token']);
  };
  const isIn = [404, 404];
  const isOut = [403, 403];

  const first = tokenOf('anonymous_id:first');
  t.strictSame(await statuses(first, activeCart), isOut, 'not yet');
  const session = await begin('first');
  t.strictSame(await statuses(first, activeCart), isIn, 'begun');
  t.strictSame(await statuses(tokenOf('anonymous_id=first'), activeCart), isIn, 'in the other spelling');
  t.strictSame(await statuses(first, me), isOut, 'which is no customer');
  await post('token/revoke', { token: session }, client);
  t.strictSame(await statuses(first, activeCart), isOut, 'revoked');
  t.strictSame(await statuses(first, zones), [200, 200]);
  await begin('first');
  t.strictSame(await statuses(first, activeCart), isIn, 'begun again');

  await createCredentialStore(database).deleteExpired({ refreshTokensMax: 0 });
  t.strictSame(await statuses(first, activeCart), isOut, 'beyond the limit');
  await begin('first');
  t.strictSame(await statuses(first, activeCart), isIn);
  await request('DELETE', `/api-clients/${client.clientId}`);
  t.strictSame(await statuses(first, activeCart), isOut, 'its client is deleted');
});

t.test('a session ends with its time, which a refresh puts off', async (t) => {
  const token = tokenOf('anonymous_id:brief');
  /** Moves the end, of which no server hears. */
  const endIn = async (seconds: number): Promise<string> => {
    const [row] = await sql<{ end: string }[]>`
      update refresh_tokens set expires_at = clock_timestamp() + make_interval(secs => ${seconds})
      where anonymous_id = 'brief' returning expires_at::text as end`;
    return row!.end;
  };
  const isPast = async (moment: string): Promise<true | undefined> => {
    const [row] = await sql<{ is: boolean }[]>`select clock_timestamp() > ${moment}::text::timestamptz as is`;
    return row!.is || undefined;
  };
  const { body } = await post(`${projectKey}/anonymous/token`, { ...anonymous, anonymous_id: 'brief' });
  const remembered = await eventually(async () => {
    const end = await endIn(1);
    // The first use comes too late on a machine that is very busy.
    return (await statuses(token, activeCart)).every((status) => status === 404) ? end : undefined;
  });
  const refresh = { grant_type: 'refresh_token', refresh_token: String(body['refresh_token']) };
  await endIn(60);
  t.equal((await post('token', refresh)).status, 200);
  await eventually(() => isPast(remembered));
  t.strictSame(await statuses(token, activeCart), [404, 404], 'past the end that was known');
  await eventually(() => endIn(-1).then(isPast));
  t.strictSame(await statuses(token, activeCart), [403, 403]);
});

t.test('who is known to be there is not looked for again', async (t) => {
  const { scope } = await startSession(platform, 'anonymous');
  const id = /anonymous_id:(\S+)/.exec(String(scope))![1]!;
  const [known, unknown] = [tokenOf(`anonymous_id:${id}`), tokenOf('anonymous_id:unknown')];
  t.strictSame(await statuses(known, activeCart), [404, 404]);
  await sql`alter table refresh_tokens rename to away`;
  t.strictSame(await statuses(known, activeCart), [404, 404]);
  t.strictSame(await statuses(unknown, activeCart), [500, 500]);
  t.strictSame(await statuses(tokenOf('customer_id:jane'), zones), [200, 200], 'a name of nobody is not looked for');
});
