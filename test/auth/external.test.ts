import t, { type Test } from 'tap';
import { createExternalTokens } from '../../src/auth/external.ts';
import { isPrivate } from '../../src/calls/addresses.ts';
import type { Principal } from '../../src/engine/context.ts';
import {
  type Behavior,
  type Delegating,
  delegate,
  introspectionServer,
  json,
  soon,
  startDelegating,
} from '../support/introspection.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

async function start(t: Test): Promise<Delegating & { readonly platform: Platform }> {
  const platform = await startPlatform(t);
  return Object.assign(await startDelegating(t, platform), { platform });
}

t.test('a token of another server is worth what its introspection says', async (t) => {
  const service = await start(t);
  const { ask, calls, platform } = service;
  const { projectKey } = platform;
  service.behavior = json({
    active: true,
    exp: soon(),
    client_id: 'shop',
    scope: `openid view_zones:${projectKey} manage_states:other view_everything:${projectKey} customer_id:jane`,
  });
  const jwt = `${'a'.repeat(1000)}.${'b'.repeat(1000)}.c-_`;
  t.equal((await ask(jwt, '/zones', { 'x-correlation-id': 'storefront-1' })).status, 200);
  t.match(calls[0], {
    token: jwt,
    headers: {
      authorization: 'Basic c2VjcmV0',
      'x-correlation-id': 'storefront-1',
      'content-type': 'application/x-www-form-urlencoded',
    },
  });
  t.equal((await ask(jwt, '/states')).status, 403, 'a scope of another project counts for nothing');
  t.equal(calls.length, 1, 'an answer is kept');
  await Promise.all(Array.from({ length: 8 }, () => ask('another')));
  t.equal(calls.length, 2, 'requests with one token share a call');
  t.equal((await ask('t'.repeat(9000))).status, 401);
  t.equal(calls.length, 2, 'what is too long for a token is not sent on');
});

t.test('tokens of the platform are not sent to the other server', async (t) => {
  const { ask, calls, platform } = await start(t);
  const token = await platform.tokenWith([`view_zones:${platform.projectKey}`]);
  t.equal((await ask(token)).status, 200);
  t.equal(calls.length, 0);
});

t.test('inactive tokens and those that have ended are refused, and asked for again', async (t) => {
  const service = await start(t);
  const { ask, calls, platform } = service;
  const scope = `view_zones:${platform.projectKey}`;
  for (const answer of [{ active: false }, { active: false, scope, exp: soon() }, { active: true, scope, exp: 1 }]) {
    service.behavior = json(answer);
    t.match(await ask('token'), { status: 401, body: { errors: [{ code: 'invalid_token' }] } });
  }
  t.equal(calls.length, 3);
  service.behavior = json({ active: true, exp: soon() });
  t.match(await ask('token'), { status: 403, body: { errors: [{ code: 'insufficient_scope' }] } }, 'without scopes');
});

t.test('answers that cannot be used are 502, and none in half a second is 504', async (t) => {
  const service = await start(t);
  const { ask, calls } = service;
  const broken: readonly (readonly [string, number, Behavior])[] = [
    ['no JSON', 502, (response) => response.end('<html>')],
    ['a list', 502, (response) => response.end('[]')],
    ['no active', 502, json({ scope: 'x' })],
    ['an active of text', 502, json({ active: 'true' })],
    ['a scope of numbers', 502, json({ active: true, scope: [1] })],
    ['an exp of text', 502, json({ active: true, exp: 'soon' })],
    ['500', 502, (response) => response.writeHead(500).end('{"active":true}')],
    ['401', 502, (response) => response.writeHead(401).end('{"active":true}')],
    ['a redirect', 502, (response) => response.writeHead(302, { location: service.url }).end()],
    ['a megabyte', 502, (response) => response.end(`{"active":true,"x":"${'x'.repeat(1_000_000)}"}`)],
    ['no answer', 504, () => {}],
    ['half an answer', 504, (response) => response.write('{"active":')],
    ['a cut connection', 504, (response) => response.destroy()],
    [
      'a cut in the middle',
      504,
      (response) => {
        response.writeHead(200, { 'content-length': '100' });
        response.write('{"active":', () => response.destroy());
      },
    ],
  ];
  for (const [name, status, behavior] of broken) {
    service.behavior = behavior;
    const before = calls.length;
    const answer = await ask(`token-${name}`);
    t.match(answer, { status, body: { statusCode: status, errors: [{ code: 'ExternalOAuthFailed' }] } }, name);
    t.equal(calls.length, before + 1, `${name}: asked once`);
  }
  service.behavior = json({ active: true, exp: soon() });
  t.equal((await ask('token-no answer')).status, 403, 'a failure is not kept');
});

t.test('calls beyond those that may be under way are refused, until one has ended', async (t) => {
  const introspection = await introspectionServer(t);
  const { principalOf } = createExternalTokens({ allowsPrivate: true, callsMax: 2 });
  const externalOAuth = { url: introspection.url, authorizationHeader: 'Basic c2VjcmV0' };
  const lists = { countries: [], currencies: [], languages: [] };
  const project = { key: 'shop', version: 1, settings: { name: 'Shop', createdAt: '', ...lists, externalOAuth } };
  const ask = (token: string): Promise<Principal | undefined> => principalOf(project, token, 'correlation-id');
  // Held for longer than a call may take.
  introspection.behavior = () => {};
  const held = ['one', 'two', 'one'].map((token) => t.rejects(ask(token), { message: /in time/ }, token));
  const refused = ['three', 'four'].map((token) => t.rejects(ask(token), { message: /Too many tokens/ }, token));
  await Promise.all([...held, ...refused]);
  introspection.behavior = json({ active: true, exp: soon(), scope: 'view_zones:shop' });
  t.ok((await ask('three'))?.scopes.has('view_zones:shop'));
});

t.test('a change of the setting holds at the next request', async (t) => {
  const service = await start(t);
  const { ask, calls, platform } = service;
  service.behavior = json({ active: true, exp: soon(), scope: `view_zones:${platform.projectKey}` });
  t.equal((await ask('token')).status, 200);
  await delegate(platform, service.url, 'Bearer next');
  t.equal((await ask('token')).status, 200);
  t.match(calls[1], { headers: { authorization: 'Bearer next' } });
  const { body } = await platform.request('GET', '');
  t.notMatch(JSON.stringify(body), 'Bearer next', 'the header is never shown');
  await platform.request('POST', '', { version: body['version'], actions: [{ action: 'setExternalOAuth' }] });
  t.equal((await ask('token')).status, 401);
  t.equal(calls.length, 2);
});

t.test('endpoints on private addresses are not reached, however they are named', async (t) => {
  const platform = await startPlatform(t);
  const { url, calls } = await introspectionServer(t);
  const { port } = new URL(url);
  for (const host of ['localhost', '127.0.0.1', '[::1]', '[::ffff:127.0.0.1]', '2130706433', '0']) {
    await delegate(platform, `http://${host}:${port}/`);
    const answer = await platform.request('GET', '/zones', undefined, { authorization: 'Bearer foreign' });
    t.match(answer, { status: 504, body: { errors: [{ code: 'ExternalOAuthFailed', message: /not public/ }] } }, host);
  }
  t.equal(calls.length, 0);
});

t.test('addresses that are not public are known', async (t) => {
  const closed =
    '0.0.0.0 10.1.2.3 100.64.0.1 127.0.0.1 127.255.255.255 169.254.169.254 172.16.0.1 172.31.255.255 192.168.1.1 ' +
    '198.18.0.1 224.0.0.1 240.0.0.1 255.255.255.255 :: ::1 ::ffff:10.0.0.1 ::ffff:7f00:1 64:ff9b::7f00:1 fc00::1 fd12::1 ' +
    'fe80::1 ff02::1 2001:db8::1 2002:7f00:1::';
  for (const address of closed.split(' ')) t.ok(isPrivate(address), address);
  for (const address of ['1.1.1.1', '172.32.0.1', '192.169.0.1', '2606:4700::1111', '2a00:1450::1'])
    t.notOk(isPrivate(address), address);
});
