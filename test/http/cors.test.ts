import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startHttp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { findChromium, runInPage } from '../support/chromium.ts';
import { basicOf, requestToken, startPlatform } from '../support/platform.ts';
import { exchange, type RawAnswer } from '../support/raw-socket.ts';

const platform = await startPlatform(t);
const { projectKey, baseUrl, client } = platform;
const port = Number(new URL(baseUrl).port);
const token = await requestToken(baseUrl, client);
const origin = 'https://shop.example.org';

async function ask(head: readonly string[], { at = port, body = '' } = {}): Promise<RawAnswer> {
  const { answers } = await exchange(
    at,
    `${[head[0], 'Host: localhost', ...head.slice(1), '', ''].join('\r\n')}${body}`,
  );
  return answers[0]!;
}

function preflight(path: string, at = port, from = origin): Promise<RawAnswer> {
  const wish = ['Access-Control-Request-Method: POST', 'Access-Control-Request-Headers: authorization'];
  return ask([`OPTIONS ${path} HTTP/1.1`, `Origin: ${from}`, ...wish], { at });
}

const paths = [
  '/healthz',
  '/oauth/token',
  `/oauth/${projectKey}/anonymous/token`,
  `/${projectKey}`,
  `/${projectKey}/zones`,
  `/${projectKey}/graphql`,
  `/${projectKey}/in-store/key=a/carts`,
  '/nowhere/at/all',
  '/%FF',
];

t.test('a preflight is answered at every path, whether something is there or not', async (t) => {
  for (const path of paths) {
    const { status, headers, body } = await preflight(path);
    t.equal(status, 204, path);
    t.equal(body, '');
    t.equal(headers.get('access-control-allow-origin'), '*');
    t.equal(headers.get('access-control-allow-methods'), 'GET, HEAD, POST, DELETE');
    t.match(headers.get('access-control-allow-headers'), /^Authorization, Content-Type, .*X-Correlation-ID.*\*$/);
    t.equal(headers.get('access-control-max-age'), '86400');
    t.equal(headers.get('access-control-allow-credentials'), undefined, 'there are no cookies');
    t.notOk(headers.has('content-length') || headers.has('content-type'), 'an answer without a body has no length');
    t.match(headers.get('x-correlation-id'), /^[0-9a-f-]{36}$/);
  }
});

t.test('OPTIONS that asks for nothing is the method that it was', async (t) => {
  const wish = 'Access-Control-Request-Method: GET';
  for (const headers of [[], [`Origin: ${origin}`], [wish]]) {
    const { status, code, headers: told } = await ask([`OPTIONS /${projectKey}/zones HTTP/1.1`, ...headers]);
    t.strictSame([status, code], [405, 'MethodNotAllowed']);
    t.equal(told.get('allow'), 'GET, HEAD, POST, DELETE');
  }
  const refused = await ask(['OPTIONS / HTTP/1.1', `Origin: ${origin}`, wish, 'Content-Length: 2'], { body: '{}' });
  t.strictSame([refused.status, refused.code], [400, 'InvalidInput'], 'a preflight has no body');
});

const bearer = `Authorization: Bearer ${token}`;
/** Requests of every kind of answer. */
const requests: readonly (readonly [name: string, status: number, head: readonly string[], body?: string])[] = [
  ['a resource', 200, [`GET /${projectKey}/zones HTTP/1.1`, bearer]],
  ['a head', 200, [`HEAD /${projectKey} HTTP/1.1`, bearer]],
  ['a path that is not there', 404, ['GET /nowhere/at/all HTTP/1.1']],
  ['no token', 401, [`GET /${projectKey}/zones HTTP/1.1`]],
  ['a wrong token', 401, [`GET /${projectKey}/zones HTTP/1.1`, 'Authorization: Bearer x']],
  ['no body', 400, [`POST /${projectKey}/zones HTTP/1.1`, bearer, 'Content-Length: 1'], '{'],
  ['a body that is too large', 413, [`POST /${projectKey}/zones HTTP/1.1`, bearer, 'Content-Length: 99999999']],
  ['a head that is too long', 431, ['GET / HTTP/1.1', `X-Filler: ${'x'.repeat(16_000)}`]],
  ['a method that is none', 405, ['PUT / HTTP/1.1']],
  ['a header that is refused', 400, ['GET / HTTP/1.1', 'Upgrade: h2c']],
  ['a failed token request', 401, ['POST /oauth/token HTTP/1.1', 'Content-Length: 0']],
];

t.test('every answer to a page may be read by it, with the headers that clients look for', async (t) => {
  for (const [name, status, head, body = ''] of requests) {
    const { status: given, headers } = await ask([...head, `Origin: ${origin}`], { body });
    t.equal(given, status, name);
    t.equal(headers.get('access-control-allow-origin'), '*', name);
    t.equal(headers.get('vary'), undefined, name);
    for (const each of ['X-Correlation-ID', 'x-graphql-query-complexity', 'Retry-After', 'WWW-Authenticate'])
      t.match(headers.get('access-control-expose-headers'), each);
    const { headers: others } = await ask(head, { body });
    t.notOk(
      [...others.keys()].some((each) => each.startsWith('access-control')),
      `${name}, asked for by no page`,
    );
  }
});

async function serverWith(t: Test, setting: string): Promise<number> {
  const { corsOrigins } = loadConfig({ CORS_ORIGINS: setting });
  const http = await startHttp({ ...platform.config, corsOrigins }, pino({ level: 'silent' }));
  t.teardown(() => http.close());
  return http.port;
}

t.test('origins that are named may ask, and others may not', async (t) => {
  const at = await serverWith(t, `${origin}, http://localhost:3000`);
  for (const [from, expected] of [
    [origin, origin],
    ['http://localhost:3000', 'http://localhost:3000'],
    [`${origin}.evil.example`, undefined],
    ['null', undefined],
    ['*', undefined],
  ] as const) {
    const asked = await preflight('/healthz', at, from);
    t.strictSame([asked.status, asked.headers.get('access-control-allow-origin')], [204, expected], from);
    const answer = await ask(['GET /healthz HTTP/1.1', `Origin: ${from}`], { at });
    t.equal(answer.headers.get('access-control-allow-origin'), expected, from);
    t.equal(answer.headers.get('vary'), 'Origin', from);
  }
  const none = await ask(['GET /healthz HTTP/1.1'], { at });
  t.equal(none.headers.get('vary'), 'Origin', 'a cache hears of it whoever asks');
});

t.test('an operator may switch it off', async (t) => {
  const at = await serverWith(t, 'none');
  t.strictSame((await preflight('/healthz', at)).status, 405);
  const { headers } = await ask(['GET /healthz HTTP/1.1', `Origin: ${origin}`], { at });
  t.notOk([...headers.keys()].some((each) => each.startsWith('access-control')));
  t.throws(() => loadConfig({ CORS_ORIGINS: 'https://a.example.org/shop' }), /CORS_ORIGINS holds/);
  t.throws(() => loadConfig({ CORS_ORIGINS: 'a.example.org' }), /CORS_ORIGINS holds/);
});

const chromium = findChromium(t);
const skipped = 'reason' in chromium ? { skip: chromium.reason } : {};

/** What a shop in a browser does, from a page of another origin. */
const script = `
  const base = ${JSON.stringify(baseUrl)};
  const project = ${JSON.stringify(projectKey)};
  const issued = await fetch(base + '/oauth/token', {
    method: 'POST',
    headers: { Authorization: ${JSON.stringify(basicOf(client))}, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  const headers = {
    Authorization: 'Bearer ' + (await issued.json()).access_token,
    'Content-Type': 'application/json',
    'X-Correlation-ID': 'from-a-browser',
    'X-Of-A-Client': 'whatever',
  };
  const zones = await fetch(base + '/' + project + '/zones', { headers });
  const created = await fetch(base + '/' + project + '/zones', { method: 'POST', headers, body: '{"name":"z"}' });
  const { id, version } = await created.json();
  const path = base + '/' + project + '/zones/' + id + '?version=' + version;
  const deleted = await fetch(path, { method: 'DELETE', headers });
  const query = JSON.stringify({ query: '{ zones { total } }' });
  const graphql = await fetch(base + '/' + project + '/graphql', { method: 'POST', headers, body: query });
  const missing = await fetch(base + '/' + project + '/zones/' + id, { headers });
  const refused = await fetch(base + '/' + project + '/zones');
  return {
    zones: [zones.status, zones.headers.get('x-correlation-id'), (await zones.json()).results],
    statuses: [created.status, deleted.status],
    graphql: [graphql.headers.get('x-graphql-query-complexity') !== null, await graphql.json()],
    missing: [missing.status, (await missing.json()).errors[0].code],
    refused: [refused.status, refused.headers.get('www-authenticate')],
  };`;

t.test('a page of another origin gets a token, reads, writes, and reads headers and errors', skipped, async (t) => {
  if ('reason' in chromium) return;
  t.strictSame(await runInPage(t, chromium, () => script), {
    zones: [200, 'from-a-browser', []],
    statuses: [201, 200],
    graphql: [true, { data: { zones: { total: 0 } } }],
    missing: [404, 'ResourceNotFound'],
    refused: [401, 'Bearer'],
  });
});
