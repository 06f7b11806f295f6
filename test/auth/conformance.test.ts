/**
 * What the RFCs of OAuth 2.0 ask of the authorization service, and of whatever takes its tokens: a group for each of the
 * RFCs. Scopes and routes are crossed in test/contract.
 */
import { randomUUID } from 'node:crypto';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startHttp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { hashOf, randomSecret } from '../../src/engine/secrets.ts';
import type { Sql } from '../../src/storage/connection.ts';
import { type Answer, basicOf, type Platform, requestToken, send, startPlatform } from '../support/platform.ts';
import { startHttpProcess } from '../support/process.ts';
import { eventually } from '../support/services.ts';
import { startSession } from '../support/shoppers.ts';
import { anonymous, type Client, tokenServiceOn } from '../support/token-service.ts';

const platform = await startPlatform(t);
const { baseUrl, projectKey, request, sql, tokenWith } = platform;
const { post, clientWith, insertClient, statusWith } = tokenServiceOn(platform);
const elsewhere = tokenServiceOn(await platform.anotherProject());

const storeKey = 'north';
const password = 'shopper-pass-1';
await request('POST', '/stores', { key: storeKey });
// Both are made with their first session.
for (const place of [undefined, storeKey]) await startSession(platform, 'customer', { storeKey: place });

/** The endpoints, with a form that each of them takes. */
const endpoints: readonly (readonly [path: string, form: Readonly<Record<string, string>>])[] = [
  ['token', anonymous],
  [`${projectKey}/customers/token`, { grant_type: 'password', username: 'shopper@example.org', password }],
  [
    `${projectKey}/in-store/key=${storeKey}/customers/token`,
    { grant_type: 'password', username: `shopper${storeKey}@example.org`, password },
  ],
  [`${projectKey}/anonymous/token`, anonymous],
  ['introspect', { token: 'garbage' }],
  ['token/revoke', { token: 'garbage' }],
];
/** Those of them that issue tokens. */
const issuing = endpoints.filter(([, form]) => 'grant_type' in form);

const formType = 'application/x-www-form-urlencoded';

/** A request that differs from those of a client in its header, its content type or its body. */
function ask(
  path: string,
  { authorization = basicOf(platform.client), body = '', contentType = formType },
): Promise<Answer> {
  return send({
    baseUrl,
    method: 'POST',
    path: `/oauth/${path}`,
    headers: { ...(authorization !== '' && { authorization }), 'content-type': contentType },
    body,
  });
}

function textOf(form: Readonly<Record<string, string>>): string {
  return new URLSearchParams(form).toString();
}

/** All fields that the two forms of errors have. */
function failure(status: number, code: string): object {
  const both = { statusCode: status, message: String, errors: [{ code, message: String }] };
  return { status, body: { ...both, error: code, error_description: String } };
}

/** Ends the time of an access or a refresh token. Servers that remember an access token do not hear of it. */
async function expire(token: unknown, seconds = -1): Promise<void> {
  const hash = hashOf(String(token)).toString('hex');
  const rows = await sql`
    with access as (
      update tokens set expires_at = now() + make_interval(secs => ${seconds})
      where hash = decode(${hash}, 'hex') returning 1
    ), refresh as (
      update refresh_tokens set expires_at = now() + make_interval(secs => ${seconds})
      where hash = decode(${hash}, 'hex') returning 1
    )
    select from access union all select from refresh`;
  if (rows.length !== 1) throw new Error('The token is not stored');
}

/** Another access token of a session; of this server, unless another one is named. */
function refreshed(
  session: Readonly<Record<string, unknown>>,
  client?: Client,
  { at = { post }, ...more }: { readonly scope?: string; readonly at?: { readonly post: typeof post } } = {},
): Promise<Answer> {
  const form = { grant_type: 'refresh_token', refresh_token: String(session['refresh_token']), ...more };
  return at.post('token', form, client);
}

t.test('RFC 6749, 2.3.1: HTTP Basic', async (t) => {
  const encodedBasic = (id: string, secret: string): string => {
    const everyByte = (text: string): string =>
      [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
    return `Basic ${Buffer.from(`${everyByte(id)}:${everyByte(secret)}`).toString('base64')}`;
  };
  const scopes = [`view_zones:${projectKey}`];

  t.test('id and secret are form-encoded before they are joined', async (t) => {
    for (const secret of ['a:b', ':', '100%', '%41', 'a+b', 'a b', 'ü€😀', 'a&b=c', '"/\\']) {
      const client = await insertClient(scopes, secret);
      const form = new URLSearchParams({ secret }).toString().slice('secret='.length);
      for (const [name, authorization] of [
        ['as in a form', basicOf({ clientId: client.clientId, clientSecret: form })],
        ['every byte of both', encodedBasic(client.clientId, secret)],
      ] as const)
        t.equal((await ask('token', { authorization, body: textOf(anonymous) })).status, 200, `${secret}: ${name}`);
    }
    // What is not encoded means something else.
    for (const secret of ['%41', 'a+b']) {
      const authorization = basicOf(await insertClient(scopes, secret));
      t.match(await ask('token', { authorization, body: textOf(anonymous) }), { status: 401 }, secret);
    }
  });

  // All of them end in the same comparison of hashes, which takes the same time (src/auth/client.ts).
  t.test('who is no client is told so by every endpoint, and told the scheme', async (t) => {
    const { clientId, clientSecret } = await insertClient(scopes);
    const strangers: readonly (readonly [string, string])[] = [
      ['a wrong secret', basicOf({ clientId, clientSecret: randomSecret() })],
      ['no secret', basicOf({ clientId, clientSecret: '' })],
      ['the hash of the secret', basicOf({ clientId, clientSecret: hashOf(clientSecret).toString('hex') })],
      ['an unknown client', basicOf({ clientId: randomUUID(), clientSecret })],
      ['an id that is none', basicOf({ clientId: 'nobody', clientSecret })],
      ['no id', basicOf({ clientId: '', clientSecret })],
      ['no colon', `Basic ${Buffer.from(clientId).toString('base64')}`],
      ['a broken encoding', basicOf({ clientId, clientSecret: '%zz' })],
      ['half a character', basicOf({ clientId, clientSecret: '%c3' })],
      ['no base64', 'Basic ***'],
      ['another scheme', `Bearer ${clientSecret}`],
      ['no credentials', ''],
    ];
    for (const [path, form] of endpoints) {
      for (const [who, authorization] of strangers) {
        const answer = await ask(path, { authorization, body: textOf(form) });
        t.match(answer, failure(401, 'invalid_client'), `${path}: ${who}`);
        t.match(answer.headers.get('www-authenticate'), /^Basic /, `${path}: ${who}`);
      }
      const inForm = textOf({ ...form, client_id: clientId, client_secret: clientSecret });
      t.equal((await ask(path, { authorization: '', body: inForm })).status, 401, `${path}: in the form`);
    }
    const lower = basicOf({ clientId, clientSecret }).replace('Basic', 'bAsIc');
    t.equal((await ask('token', { authorization: lower, body: textOf(anonymous) })).status, 200);
  });
});

t.test('RFC 6749, 5.1 and 5.2: answers of the token endpoints', async (t) => {
  t.test('a token is answered with all that is known of it, for nobody to keep', async (t) => {
    for (const [path, form] of issuing) {
      const { status, headers, body } = await post(path, { ...form, scope: `view_zones:${projectKey}` });
      const granted = path === 'token' ? '' : ' (customer_id|anonymous_id):\\S+ (customer|anonymous_id)[:=]\\S+';
      t.match(
        { status, body },
        {
          status: 200,
          body: {
            token_type: 'Bearer',
            expires_in: 172_800,
            access_token: /^[A-Za-z0-9_-]{43}$/,
            scope: new RegExp(`^view_zones:${projectKey}${granted}$`),
            ...(path !== 'token' && { refresh_token: /^[A-Za-z0-9_-]{43}$/ }),
          },
        },
        path,
      );
      t.equal('refresh_token' in body, path !== 'token', path);
      t.equal(headers.get('cache-control'), 'no-store', path);
      t.equal(headers.get('pragma'), 'no-cache', path);
      t.match(headers.get('content-type'), /^application\/json/, path);
      t.equal(await statusWith(body['access_token']), 200, path);
    }
  });

  t.test('failures have the fields of both forms of errors', async (t) => {
    const narrow = await clientWith('view_zones', 'create_anonymous_token');
    const other = await clientWith('view_zones');
    const [, customers, , visitors] = endpoints;
    const customer = customers![1];
    await post(visitors![0], { ...anonymous, anonymous_id: 'taken' });
    const cases: readonly (readonly [string, string, object, Client | undefined, number, string])[] = [
      ['no grant type', 'token', {}, undefined, 400, 'invalid_request'],
      ['an empty grant type', 'token', { grant_type: '' }, undefined, 400, 'invalid_request'],
      ['an unknown grant type', 'token', { grant_type: 'magic' }, undefined, 400, 'unsupported_grant_type'],
      ['the code grant', 'token', { grant_type: 'authorization_code' }, undefined, 400, 'unsupported_grant_type'],
      ['a grant of elsewhere', 'token', customer, undefined, 400, 'unsupported_grant_type'],
      ['another grant', customers![0], anonymous, undefined, 400, 'unsupported_grant_type'],
      ['another grant', visitors![0], customer, undefined, 400, 'unsupported_grant_type'],
      ['no username', customers![0], { ...customer, username: '' }, undefined, 400, 'invalid_request'],
      ['no password', customers![0], { ...customer, password: '' }, undefined, 400, 'invalid_request'],
      [
        'a wrong password',
        customers![0],
        { ...customer, password: 'x' },
        undefined,
        400,
        'invalid_customer_account_credentials',
      ],
      ['no refresh token', 'token', { grant_type: 'refresh_token' }, undefined, 400, 'invalid_request'],
      [
        'a garbage refresh token',
        'token',
        { grant_type: 'refresh_token', refresh_token: 'x' },
        undefined,
        400,
        'invalid_grant',
      ],
      ['a client without the right', visitors![0], anonymous, other, 403, 'insufficient_scope'],
      ['an id of two words', visitors![0], { ...anonymous, anonymous_id: 'a b' }, undefined, 400, 'invalid_request'],
      [
        'an id in use',
        visitors![0],
        { ...anonymous, anonymous_id: 'taken' },
        undefined,
        400,
        'AnonymousIdAlreadyInUse',
      ],
      ...issuing.flatMap(([path, form]) =>
        [
          'manage_zones',
          'view_states',
          'manage_project',
          'view_zones:other',
          `view_zones:${projectKey}:a:b`,
          'customer_id:jane',
          'anonymous_id=visitor',
          'ünknown',
          'bogus',
        ].map((name) => {
          const scope = name.includes(':') || name.includes('=') ? name : `${name}:${projectKey}`;
          const wanted = { ...form, scope: `view_zones:${projectKey} ${scope}` };
          return [`the scope ${scope}`, path, wanted, narrow, 400, 'invalid_scope'] as const;
        }),
      ),
    ];
    for (const [name, path, form, client, status, code] of cases) {
      const answer = await post(path, form as Record<string, string>, client);
      t.match(answer, failure(status, code), `${path}: ${name}`);
      t.match(answer.headers.get('content-type'), /^application\/json/);
    }
  });

  t.test('a parameter that is sent twice is refused, in the form and beside it', async (t) => {
    const session = await startSession(platform, 'anonymous');
    const refresh = { grant_type: 'refresh_token', refresh_token: String(session['refresh_token']) };
    const withScope = [...issuing, ['token', refresh] as const].map(
      ([path, form]) => [path, { ...form, scope: `view_zones:${projectKey}` }] as const,
    );
    const withId = [`${projectKey}/anonymous/token`, { ...anonymous, anonymous_id: 'twice' }] as const;
    for (const [path, form] of [...withScope, withId, ['introspect', { token: 'x' }] as const]) {
      for (const [name, value] of Object.entries(form)) {
        const again = textOf({ [name]: value });
        const twice = await ask(path, { body: `${textOf(form)}&${again}` });
        t.match(twice, failure(400, 'invalid_request'), `${path}: ${name} twice`);
        const beside = await ask(`${path}?${again}`, { body: textOf(form) });
        t.match(beside, failure(400, 'invalid_request'), `${path}: ${name} in the query string too`);
      }
    }
  });

  t.test('a parameter has as many characters as it can need', async (t) => {
    const refresh = { grant_type: 'refresh_token', refresh_token: 'x' };
    const forms = [...issuing, ['token', refresh], ['introspect', { token: 'x' }]] as const;
    for (const [path, form] of forms) {
      for (const name of new Set([
        ...Object.keys(form),
        ...(form === refresh || path === 'introspect' ? [] : ['scope']),
      ])) {
        const answer = await post(path, { ...form, [name]: 'x'.repeat(40_000) });
        t.match(answer, failure(400, 'invalid_request'), `${path}: ${name}`);
        t.ok(answer.text.length < 1000);
      }
    }
  });

  t.test('an API client that was given a scope that there is not, or a session, gets tokens without it', async (t) => {
    const names = ['view_zones', 'create_anonymous_token'];
    const odd = await insertClient([
      ...names.map((name) => `${name}:${projectKey}`),
      `bogus:${projectKey}`,
      `anonymous_id:${projectKey}`,
    ]);
    const granted = names.map((name) => `${name}:${projectKey}`).join(' ');
    t.match(await post('token', { grant_type: 'client_credentials' }, odd), { status: 200, body: { scope: granted } });
    t.equal((await post('token', { grant_type: 'client_credentials' }, odd)).body['scope'], granted);
    for (const name of ['bogus', 'anonymous_id']) {
      const asked = { grant_type: 'client_credentials', scope: `${name}:${projectKey}` };
      t.match(await post('token', asked, odd), failure(400, 'invalid_scope'));
      t.match(await post('token', asked), failure(400, 'invalid_scope'), 'nor by manage_project');
    }
  });

  t.test('a session says its refresh token, unless the client does not want it', async (t) => {
    for (const [path, form] of issuing.filter(([name]) => name !== 'token')) {
      const refreshed = async (asked: object): Promise<unknown> =>
        'refresh_token' in (await post(path, { ...form, ...asked })).body;
      t.equal(await refreshed({}), true, path);
      t.equal(await refreshed({ refresh_token: 'true' }), true, path);
      t.equal(await refreshed({ refresh_token: 'false' }), false, path);
      t.match(await post(path, { ...form, refresh_token: 'maybe' }), failure(400, 'invalid_request'), path);
    }
  });

  t.test('messages are those that older clients look for', async (t) => {
    const message = async (answer: Promise<Answer>): Promise<unknown> => (await answer).body['message'];
    const basic = 'Please provide valid client credentials using HTTP Basic Authentication.';
    t.equal(await message(post('token', {}, { ...platform.client, clientSecret: 'x' })), basic);
    t.equal(await message(ask('token', { authorization: '' })), basic);
    const scoped = { grant_type: 'client_credentials', scope: 'x' };
    t.equal(await message(post('token', scoped)), 'Malformed parameter: scope: Invalid scope.');
    const refresh = { grant_type: 'refresh_token', refresh_token: 'x' };
    t.equal(await message(post('token', refresh)), 'The refresh token was not found. It may have expired.');
  });

  t.test('parameters without a value count as absent, and unknown ones for nothing', async (t) => {
    const scope = `manage_project:${projectKey}`;
    for (const [path, form] of issuing) {
      const answer = await post(path, { ...form, scope: '', anonymous_id: '', color: 'red' });
      t.equal(answer.status, 200, path);
      t.match(answer.body, { scope: new RegExp(`^${scope}( |$)`) }, path);
    }
  });

  t.test('another content type than that of forms is refused', async (t) => {
    for (const [path, form] of endpoints) {
      for (const contentType of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
        const answer = await ask(path, { body: textOf(form), contentType });
        t.match(answer, failure(400, 'invalid_request'), `${path}: ${contentType}`);
      }
      const { status } = await ask(path, {
        body: textOf(form),
        contentType: `${formType.toUpperCase()}; charset=UTF-8`,
      });
      t.equal(status, 200, path);
    }
  });

  t.test('endpoints are posted to', async (t) => {
    for (const [path] of endpoints) {
      const answer = await send({ baseUrl, method: 'GET', path: `/oauth/${path}` });
      t.strictSame([answer.status, answer.headers.get('allow')], [405, 'POST'], path);
    }
  });
});

t.test('RFC 6749, 6: refresh', async (t) => {
  const client = await clientWith('create_anonymous_token', 'manage_zones', 'view_states');
  const session = await startSession(platform, 'anonymous', { client });
  const own = String(session['scope']).split(' ').slice(-2).join(' ');

  t.test('an access token has the scopes of its session or fewer', async (t) => {
    const { status, body } = await refreshed(session, client);
    t.match({ status, body }, { status: 200, body: { scope: session['scope'], expires_in: 172_800 } });
    for (const token of [body['access_token'], session['access_token']]) t.equal(await statusWith(token), 200);
    const { body: fewer } = await refreshed(session, client, { scope: `view_zones:${projectKey}` });
    t.equal(fewer['scope'], `view_zones:${projectKey} ${own}`, 'and says whose session it is');
    t.strictSame(
      [await statusWith(fewer['access_token']), await statusWith(fewer['access_token'], '/states')],
      [200, 403],
    );
    const { body: all } = await refreshed(session, client);
    t.equal(all['scope'], session['scope'], 'the session keeps its own');
  });

  t.test('a refresh never widens', async (t) => {
    const narrow = await startSession(platform, 'anonymous', { client, scope: `view_zones:${projectKey}` });
    // The client holds the first two of them.
    for (const name of ['manage_zones', 'view_states', 'view_orders', 'manage_project']) {
      const answer = await refreshed(narrow, client, { scope: `view_zones:${projectKey} ${name}:${projectKey}` });
      t.match(answer, failure(400, 'invalid_scope'), name);
    }
    for (const scope of ['anonymous_id:another', 'customer_id:jane', 'view_zones:other', 'view_zones'])
      t.match(await refreshed(narrow, client, { scope }), failure(400, 'invalid_scope'), scope);
  });

  t.test('it takes the refresh token of this client and nothing else', async (t) => {
    const stranger = await clientWith('manage_project');
    t.match(await refreshed(session, stranger), failure(400, 'invalid_grant'), 'of another client');
    t.match(await refreshed(session), failure(400, 'invalid_grant'), 'even of one that may do all');
    t.match(await refreshed(session, elsewhere.client), failure(400, 'invalid_grant'), 'of another project');
    const access = { refresh_token: session['access_token'] };
    t.match(await refreshed(access, client), failure(400, 'invalid_grant'), 'an access token');
    t.equal((await refreshed(session, client)).status, 200, 'which the tries left alone');
    await expire(session['refresh_token']);
    t.match(await refreshed(session, client), failure(400, 'invalid_grant'), 'expired');
  });
});

t.test('RFC 6750, 2 and 3: bearer tokens', async (t) => {
  const path = `/${projectKey}/zones`;
  const token = await tokenWith([`view_zones:${projectKey}`]);
  const read = (authorization: string | undefined, more: { path?: string; method?: string; body?: string } = {}) => {
    const headers = { ...(authorization !== undefined && { authorization }), 'content-type': formType };
    return send({ baseUrl, method: 'GET', path, ...more, headers });
  };
  const isMissing = (t: Test, answer: Answer, name: string): void => {
    t.match(answer, failure(401, 'access_denied'), name);
    t.equal(answer.headers.get('www-authenticate'), 'Bearer', `${name}: the scheme and no error`);
  };
  const isInvalid = (t: Test, answer: Answer, name: string): void => {
    t.match(answer, failure(401, 'invalid_token'), name);
    t.equal(answer.headers.get('www-authenticate'), 'Bearer error="invalid_token"', name);
  };

  t.test('a token comes in the header alone, by a scheme in any case', async (t) => {
    for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR'])
      t.equal((await read(`${scheme} ${token}`)).status, 200, scheme);
    const inUri = { path: `${path}?access_token=${token}` };
    isMissing(t, await read(undefined, inUri), 'in the URI');
    isInvalid(t, await read('Bearer x', inUri), 'a right one in the URI');
    t.equal((await read(`Bearer ${token}`, { path: `${path}?access_token=x` })).status, 200, 'a wrong one in the URI');
    isMissing(t, await read(undefined, { method: 'POST', body: `access_token=${token}` }), 'in a form');
  });

  t.test('without a token the answer names the scheme and no error', async (t) => {
    const none = [undefined, '', 'Bearer', 'Bearer ', token, `Token ${token}`, `Basic ${token}`, `Bearer:${token}`];
    for (const authorization of none) isMissing(t, await read(authorization), String(authorization));
  });

  t.test('a token that does not hold is invalid, for whatever reason', async (t) => {
    const [expired, revoked, ofGone] = [await requestToken(baseUrl, platform.client), ...(await twoTokens())];
    await expire(expired);
    for (const [name, given] of [
      ['garbage', 'garbage'],
      ['two', `${token} ${token}`],
      ['a part', token.slice(0, -1)],
      ['more', `${token}A`],
      ['in another case', token.toUpperCase()],
      ['of another project', await requestToken(baseUrl, elsewhere.client)],
      ['expired', expired],
      ['revoked', revoked],
      ['of a deleted client', ofGone],
      ['a refresh token', String((await startSession(platform, 'anonymous'))['refresh_token'])],
      ['an id of a client', platform.client.clientId],
      ['a secret of a client', platform.client.clientSecret],
      ['the hash of a token', hashOf(token).toString('hex')],
    ] as const)
      isInvalid(t, await read(`Bearer ${given}`), name);
  });

  t.test('a token that a server remembers ends with its time', async (t) => {
    const remembered = await eventually(async () => {
      const short = await requestToken(baseUrl, platform.client);
      await expire(short, 1);
      // The first use of it comes too late on a machine that is very busy.
      return (await statusWith(short)) === 200 ? short : undefined;
    });
    await eventually(async () => ((await statusWith(remembered)) === 200 ? undefined : true));
    isInvalid(t, await read(`Bearer ${remembered}`), 'expired');
  });

  t.test('a token without the scope is refused, and told why', async (t) => {
    const states = { path: `/${projectKey}/states` };
    const answer = await read(`Bearer ${token}`, states);
    t.match(answer, failure(403, 'insufficient_scope'));
    t.equal(answer.headers.get('www-authenticate'), 'Bearer error="insufficient_scope"');
    t.match(answer.body['message'], `view_states:${projectKey}`, 'names what is missing');
  });

  /** A token that was revoked, and one whose client is gone. */
  async function twoTokens(): Promise<readonly [string, string]> {
    const [one, other] = [await clientWith('view_zones'), await clientWith('view_zones')];
    const [revoked, ofGone] = [await requestToken(baseUrl, one), await requestToken(baseUrl, other)];
    await post('token/revoke', { token: revoked }, one);
    await request('DELETE', `/api-clients/${other.clientId}`);
    return [revoked, ofGone];
  }
});

/** A client that may start anonymous sessions, one of its sessions with another access token of it, and a token of its own. */
async function held(): Promise<{
  readonly client: Client;
  readonly session: Readonly<Record<string, unknown>>;
  readonly another: string;
  readonly plain: string;
}> {
  const client = await clientWith('create_anonymous_token', 'view_zones');
  const session = await startSession(platform, 'anonymous', { client });
  const { body } = await refreshed(session, client);
  return { client, session, another: String(body['access_token']), plain: await requestToken(baseUrl, client) };
}

t.test('RFC 7009: revocation', async (t) => {
  const revoke = async (form: Readonly<Record<string, string>>, client: Client): Promise<void> => {
    const { status, text } = await post('token/revoke', form, client);
    t.strictSame([status, text], [200, '{}']);
  };

  t.test('a client ends its access token, whatever it takes it for', async (t) => {
    for (const token_type_hint of [undefined, 'access_token', 'refresh_token', 'saml', '']) {
      const { client, plain, session } = await held();
      await revoke({ token: plain, ...(token_type_hint !== undefined && { token_type_hint }) }, client);
      t.strictSame(
        [await statusWith(plain), await statusWith(session['access_token'])],
        [401, 200],
        String(token_type_hint),
      );
    }
  });

  t.test('a refresh token ends with all access tokens of its session, and no others', async (t) => {
    for (const token_type_hint of [undefined, 'refresh_token', 'access_token']) {
      const { client, session, another, plain } = await held();
      const token = String(session['refresh_token']);
      await revoke({ token, ...(token_type_hint !== undefined && { token_type_hint }) }, client);
      for (const ended of [session['access_token'], another])
        t.equal(await statusWith(ended), 401, String(token_type_hint));
      t.match(await refreshed(session, client), failure(400, 'invalid_grant'));
      t.equal(await statusWith(plain), 200);
      t.equal(await statusWith((await held()).another), 200);
    }
  });

  t.test('an access token of a session ends alone', async (t) => {
    const { client, session, another } = await held();
    await revoke({ token: another }, client);
    t.strictSame([await statusWith(another), await statusWith(session['access_token'])], [401, 200]);
    t.equal((await refreshed(session, client)).status, 200);
  });

  t.test('what is no token of the client is answered like one, and left alone', async (t) => {
    const { client, session, another, plain } = await held();
    const tokens = [plain, another, String(session['refresh_token'])];
    const stranger = await clientWith('manage_project');
    for (const other of [stranger, platform.client, elsewhere.client])
      for (const token of tokens) await revoke({ token }, other);
    for (const form of [{ token: 'garbage' }, { token: '' }, {}] as const) await revoke(form, client);
    for (const token of [plain, another]) t.equal(await statusWith(token), 200);
    t.equal((await refreshed(session, client)).status, 200);
  });
});

t.test('RFC 7662: introspection', async (t) => {
  t.test('a token that holds is described to its client, and to one that may ask', async (t) => {
    const { client, session, plain } = await held();
    const nowSeconds = Date.now() / 1000;
    for (const asking of [client, await clientWith('introspect_oauth_tokens'), platform.client]) {
      const { status, headers, body } = await post('introspect', { token: plain }, asking);
      const { exp, ...others } = body;
      const scope = `create_anonymous_token:${projectKey} view_zones:${projectKey}`;
      t.strictSame([status, others], [200, { active: true, scope, client_id: client.clientId }]);
      t.ok(Number.isInteger(exp) && Math.abs(Number(exp) - nowSeconds - 172_800) < 600, 'seconds since 1970');
      t.equal(headers.get('cache-control'), 'no-store');
    }
    for (const token_type_hint of ['access_token', 'refresh_token', 'saml']) {
      const form = { token: String(session['refresh_token']), token_type_hint };
      const { body } = await post('introspect', form, client);
      t.match(body, { active: true, scope: session['scope'], client_id: client.clientId }, token_type_hint);
    }
  });

  t.test('of all others is said the same, and nothing', async (t) => {
    const { client, session, another, plain } = await held();
    const { client: gone, session: goneSession, plain: gonePlain } = await held();
    await request('DELETE', `/api-clients/${gone.clientId}`);
    const [revoked, expired] = [await held(), await held()];
    for (const token of [revoked.plain, String(revoked.session['refresh_token'])])
      await post('token/revoke', { token }, revoked.client);
    const expiredTokens = [expired.plain, String(expired.session['refresh_token']), expired.another];
    for (const token of expiredTokens) await expire(token);
    const foreign = await requestToken(baseUrl, elsewhere.client);
    const foreignSession = await startSession(elsewhere, 'anonymous');
    const stranger = await clientWith('view_zones', 'introspect_oauth_tokens:x');
    const hidden: readonly (readonly [string, Client, unknown])[] = [
      ['garbage', client, 'garbage'],
      ['a part', client, plain.slice(1)],
      ['more', client, `${plain}A`],
      ['a hash', platform.client, hashOf(plain).toString('hex')],
      ['a secret', client, client.clientSecret],
      ['a revoked token', revoked.client, revoked.plain],
      ['a revoked refresh token', revoked.client, revoked.session['refresh_token']],
      ['a token of a revoked session', revoked.client, revoked.another],
      ...expiredTokens.map((token) => ['an expired token', expired.client, token] as const),
      ['a token of a deleted client', platform.client, gonePlain],
      ['a session of a deleted client', platform.client, goneSession['access_token']],
      ['a refresh token of a deleted client', platform.client, goneSession['refresh_token']],
      ['a token of another client', stranger, plain],
      ['a session of another client', stranger, another],
      ['a refresh token of another client', stranger, session['refresh_token']],
      ['a token of another project', platform.client, foreign],
      ['a session of another project', platform.client, foreignSession['access_token']],
      ['a refresh token of another project', platform.client, foreignSession['refresh_token']],
      ['a token of the project from another one', elsewhere.client, plain],
    ];
    const said = (answer: Answer): object => {
      // What every answer has of its own.
      const own = new Set(['date', 'x-correlation-id']);
      const headers = Object.fromEntries([...answer.headers].filter(([name]) => !own.has(name)));
      return { status: answer.status, text: answer.text, headers };
    };
    const nothing = said(await post('introspect', { token: 'nothing' }, client));
    t.match(nothing, { status: 200, text: /^\{"active":false\}$/ });
    for (const [name, asking, token] of hidden)
      t.strictSame(said(await post('introspect', { token: String(token) }, asking)), nothing, name);
    for (const form of [{}, { token: '' }])
      t.match(await post('introspect', form, client), failure(400, 'invalid_request'), 'without a token');
  });
});

t.test('RFC 9700: secrets', async (t) => {
  t.test('tokens are 256 random bits in the URL-safe alphabet', async (t) => {
    const sessions = await Promise.all(Array.from({ length: 20 }, () => startSession(platform, 'anonymous')));
    const secrets = [
      ...sessions.flatMap((session) => [session['access_token'], session['refresh_token']]),
      ...(await Promise.all(sessions.map(async (session) => (await refreshed(session)).body['access_token']))),
      await requestToken(baseUrl, platform.client),
      (await request('POST', '/api-clients', { name: 'x', scope: `view_zones:${projectKey}` })).body['secret'],
    ].map(String);
    t.equal(new Set(secrets).size, secrets.length);
    for (const secret of secrets) {
      const bytes = Buffer.from(secret, 'base64url');
      t.strictSame([bytes.length, bytes.toString('base64url')], [32, secret]);
    }
  });

  t.test('a refresh token stays, for an answer may be lost', async (t) => {
    const session = await startSession(platform, 'anonymous');
    const answers = await Promise.all(Array.from({ length: 8 }, () => refreshed(session)));
    for (const { status, body } of answers) {
      t.strictSame([status, 'refresh_token' in body], [200, false]);
      t.equal(await statusWith(body['access_token']), 200);
    }
  });

  t.test('the database holds the hash of a secret, and the secret in no form', async (t) => {
    const { body: client } = await request('POST', '/api-clients', {
      name: 'Storefront',
      scope: `manage_project:${projectKey}`,
    });
    const by = { clientId: String(client['id']), clientSecret: String(client['secret']) };
    const session = await startSession(platform, 'customer', { client: by });
    const { body } = await refreshed(session, by);
    const { body: reset } = await request('POST', '/customers/password-token', { email: 'shopper@example.org' });
    const secrets = [
      client['secret'],
      session['access_token'],
      session['refresh_token'],
      body['access_token'],
      reset['value'],
    ].map(String);
    const stored = await everything(sql);
    for (const secret of secrets) {
      t.ok(stored.includes(hashOf(secret).toString('hex')), 'its hash');
      for (const form of formsOf(secret)) t.notOk(stored.includes(form), form);
    }
    for (const form of formsOf(password)) t.notOk(stored.includes(form), 'the password');
  });

  t.test('no log holds a secret, at any level and whatever fails', async (t) => {
    const own = await startPlatform(t);
    const { config, client, projectKey: key } = own;
    const traced = { DATABASE_URL: config.databaseUrl, LOG_LEVEL: 'trace', TOKEN_REQUESTS_PER_MINUTE: '100' };
    const { baseUrl: tracedUrl, output } = await startHttpProcess(t, traced);
    const service = tokenServiceOn({ ...own, baseUrl: tracedUrl });
    const session = await startSession({ ...own, baseUrl: tracedUrl }, 'customer');
    const { body } = await refreshed(session, client, { at: service });
    const [access, refresh, other] = [session['access_token'], session['refresh_token'], body['access_token']].map(
      String,
    );
    const { body: reset } = await own.request('POST', '/customers/password-token', { email: 'shopper@example.org' });
    const garbage = randomSecret();
    const paths = [
      '/zones',
      '/states',
      '/nothing',
      `/zones?access_token=${other}`,
      '/me',
      ...[String(reset['value']), garbage].map((value) => `/customers/password-token=${value}`),
      `/in-store/key=north/customers/email-token=${garbage}`,
      `/customers/password-token%3d${garbage}`,
    ];
    const form = { username: 'shopper@example.org', password, grant_type: 'password' };
    const everyRequest = async (correlationId: string): Promise<void> => {
      for (const token of [access!, garbage]) {
        const headers = { authorization: `Bearer ${token}`, 'x-correlation-id': correlationId };
        for (const path of paths) await send({ baseUrl: tracedUrl, method: 'GET', path: `/${key}${path}`, headers });
        const login = { email: form.username, password };
        for (const [path, draft] of [
          ['/login', login],
          ['/graphql', { query: token }],
        ] as const)
          await send({ baseUrl: tracedUrl, method: 'POST', path: `/${key}${path}`, headers, body: draft });
      }
      await service.post(`${key}/customers/token`, form);
      await service.post(`${key}/customers/token?${textOf(form)}`, {});
      await refreshed(session, client, { at: service });
      for (const token of [garbage, other!]) {
        await service.post('introspect', { token });
        await service.post('token/revoke', { token });
      }
      await service.post('token', anonymous, { ...client, clientSecret: garbage });
      const headers = { 'x-correlation-id': `${correlationId}-last` };
      await send({ baseUrl: tracedUrl, method: 'GET', path: '/healthz', headers });
    };
    await everyRequest('while_all_is_well');
    await own.sql`alter table tokens rename to lost`;
    await own.sql`alter table refresh_tokens rename to lost_too`;
    await everyRequest('while_tables_are_gone');
    await eventually(async () => (output().includes('while_tables_are_gone-last') ? true : undefined));
    t.match(output(), /POST \/oauth\/token/, 'requests are logged');
    t.match(output(), /"request failed"/, 'and failures');
    for (const secret of [access!, refresh!, other!, garbage, String(reset['value']), client.clientSecret, password])
      for (const said of formsOf(secret)) t.notOk(output().includes(said), said);
    t.notOk(output().includes(basicOf(client).slice('Basic '.length)));
  });

  t.test('a client that asks for too many tokens in a minute is told to wait', async (t) => {
    const strict = await strictService(t, { tokenRequestsPerMinute: 3 });
    const status = async (by?: Client): Promise<number> => (await strict.post('token', anonymous, by)).status;
    t.strictSame([await status(), await status(), await status(), await status()], [200, 200, 200, 429]);
    t.equal(await status(await clientWith('view_zones')), 200, 'another client is counted for itself');
    for (const [path, form] of issuing) {
      const refused = await strict.post(path, form);
      t.match(refused, failure(429, 'TooManyRequests'), path);
      t.match(refused.headers.get('retry-after'), /^[1-9]\d*$/, path);
    }
  });

  t.test('whoever guesses a current password is told to wait, by name and by session', async (t) => {
    const strict = await strictService(t, { wrongPasswordsPerMinute: 3 });
    const { id, version } = (await request('POST', '/customers', { email: 'current@example.org', password })).body[
      'customer'
    ] as { id: string; version: number };
    const token = await tokenWith([`manage_project:${projectKey}`]);
    const own = (await startSession(platform, 'customer', { email: 'own@example.org' }))['access_token'];
    const change = async (path: string, by: unknown): Promise<number> => {
      const body = { id, version, currentPassword: 'wrong', newPassword: 'other-pass-1' };
      const headers = { authorization: `Bearer ${String(by)}` };
      return (await send({ baseUrl: strict.baseUrl, method: 'POST', path: `/${projectKey}${path}`, headers, body }))
        .status;
    };
    for (const [path, by] of [
      ['/customers/password', token],
      ['/me/password', own],
    ] as const) {
      const statuses: number[] = [];
      for (let count = 0; count < 5; count += 1) statuses.push(await change(path, by));
      t.strictSame(statuses, [400, 400, 400, 429, 429], path);
    }
  });

  t.test('a shopper who guesses at many names is told to wait', async (t) => {
    const strict = await strictService(t, { wrongPasswordsPerMinute: 3 });
    const visitor = String((await startSession(platform, 'anonymous'))['access_token']);
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const headers = { authorization: `Bearer ${visitor}` };
      const body = { email: `name-${count}@example.org`, password: 'guess-1' };
      const path = `/${projectKey}/me/login`;
      statuses.push((await send({ baseUrl: strict.baseUrl, method: 'POST', path, headers, body })).status);
    }
    t.strictSame(statuses, [400, 400, 400, 429, 429]);
  });

  t.test('whoever guesses a password is told to wait, whichever way and by whichever client they come', async (t) => {
    const strict = await strictService(t, { wrongPasswordsPerMinute: 3 });
    const email = 'guessed@example.org';
    t.equal((await request('POST', '/customers', { email, password })).status, 201);
    const token = await tokenWith([`manage_customers:${projectKey}`]);
    const signIn = async (guess: string): Promise<Answer> =>
      send({
        baseUrl: strict.baseUrl,
        method: 'POST',
        path: `/${projectKey}/login`,
        headers: { authorization: `Bearer ${token}` },
        body: { email, password: guess },
      });
    for (const [guess, status] of [
      ['guess-1', 400],
      [password, 200],
      [password, 200],
      ['guess-2', 400],
    ] as const)
      t.equal((await signIn(guess)).status, status);
    const path = `${projectKey}/customers/token`;
    const form = { grant_type: 'password', username: email.toUpperCase(), password };
    t.equal((await strict.post(path, form)).status, 200, 'what is right is not counted');
    t.equal((await signIn('guess-3')).status, 400);
    t.equal((await strict.post(path, form)).status, 429, 'the address is counted, however it is written');
    t.equal((await strict.post(path, form, await clientWith('manage_project'))).status, 429, 'by another client');
    const refused = await signIn(password);
    t.equal(refused.status, 429);
    t.match(refused.headers.get('retry-after'), /^[1-9]\d*$/);
  });
});

t.test('every process knows at the very next request what has ended', async (t) => {
  const { baseUrl: secondUrl } = await startHttpProcess(t, { DATABASE_URL: platform.config.databaseUrl });
  const second = tokenServiceOn({ ...platform, baseUrl: secondUrl });
  /** What each process says; asked once, both remember the token. */
  const statuses = async (token: unknown): Promise<readonly number[]> => [
    await second.statusWith(token),
    await statusWith(token),
  ];
  const tokensOf = ({ session, another, plain }: Awaited<ReturnType<typeof held>>): readonly unknown[] => [
    session['access_token'],
    another,
    plain,
  ];
  const deletedBy = (url: string, token: string) => (id: string) =>
    send({
      baseUrl: url,
      method: 'DELETE',
      path: `/${projectKey}/api-clients/${id}`,
      headers: { authorization: `Bearer ${token}` },
    });
  const manager = await tokenWith([`manage_api_clients:${projectKey}`]);

  t.test('the tokens and sessions of a deleted client', async (t) => {
    for (const remove of [deletedBy(baseUrl, manager), deletedBy(secondUrl, manager)]) {
      const all = await held();
      for (const token of tokensOf(all)) t.strictSame(await statuses(token), [200, 200]);
      const { clientId } = all.client;
      t.match((await request('GET', `/api-clients/${clientId}`)).body, {
        lastUsedAt: new Date().toISOString().slice(0, 10),
      });
      t.equal((await remove(clientId)).status, 200);
      for (const token of tokensOf(all)) t.strictSame(await statuses(token), [401, 401]);
      for (const at of [second, { post }]) {
        t.match(await refreshed(all.session, all.client, { at }), failure(401, 'invalid_client'));
        t.match(await refreshed(all.session, undefined, { at }), failure(400, 'invalid_grant'));
        t.match(await at.post('token', anonymous, all.client), failure(401, 'invalid_client'));
      }
    }
  });

  t.test('a revoked token, and the tokens of a revoked session', async (t) => {
    for (const at of [second, { post }]) {
      const all = await held();
      const { client, session, another, plain } = all;
      for (const token of tokensOf(all)) t.strictSame(await statuses(token), [200, 200]);
      await at.post('token/revoke', { token: plain }, client);
      t.strictSame(
        [await statuses(plain), await statuses(another)],
        [
          [401, 401],
          [200, 200],
        ],
      );
      await at.post('token/revoke', { token: String(session['refresh_token']) }, client);
      for (const token of tokensOf(all)) t.strictSame(await statuses(token), [401, 401]);
    }
  });
});

/** The platform's project on a server that takes less of one in a minute. */
async function strictService(
  t: Test,
  limits: Partial<Pick<Config, 'tokenRequestsPerMinute' | 'wrongPasswordsPerMinute'>>,
): Promise<Pick<Platform, 'baseUrl'> & { post: typeof post }> {
  const http = await startHttp({ ...platform.config, ...limits }, pino({ level: 'silent' }));
  t.teardown(() => http.close());
  return tokenServiceOn({ ...platform, baseUrl: `http://127.0.0.1:${http.port}` });
}

/** All rows of the database as text. */
async function everything(sql: Sql): Promise<string> {
  const tables = await sql<{ name: string }[]>`
    select table_name as name from information_schema.tables where table_schema = 'public'`;
  const rows = await Promise.all(
    tables.map(({ name }) => sql<{ row: string }[]>`select t::text as row from ${sql(name)} as t`),
  );
  return rows
    .flat()
    .map(({ row }) => row)
    .join('\n');
}

/** A secret as it could be found: as it is, its bytes in hexadecimal, and what its text stands for. */
function formsOf(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [
    secret,
    bytes.toString('hex'),
    bytes.toString('base64').replaceAll('=', ''),
    Buffer.from(secret, 'base64url').toString('hex'),
  ];
}
