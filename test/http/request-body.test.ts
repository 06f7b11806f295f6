import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { apiError } from '../../src/errors/api-error.ts';
import { type Handler, type HttpServer, type Limits, serve } from '../../src/http/server.ts';
import { makeCertificate } from '../support/certificate.ts';
import { requestToken, startPlatform } from '../support/platform.ts';
import { exchange } from '../support/raw-socket.ts';
import { eventually } from '../support/services.ts';

const megabyte = 1024 * 1024;

async function start(t: Test, handler: Handler, limits: Partial<Limits> = {}): Promise<HttpServer> {
  const log = pino({ level: 'silent' });
  const server = await serve({ host: '127.0.0.1', port: 0, log, handler, limits: { sweepMs: 1, ...limits } });
  t.teardown(() => server.close());
  return server;
}

/** What a client that sends its body before it reads gets. */
async function post(baseUrl: string, bytes: number, headers: Readonly<Record<string, string>> = {}) {
  const response = await fetch(baseUrl, { method: 'POST', headers, body: Buffer.alloc(bytes, ' ') });
  const { errors } = (await response.json()) as { errors?: readonly { code: string }[] };
  return { status: response.status, code: errors?.[0]?.code };
}

const base = ({ port }: HttpServer): string => `http://127.0.0.1:${port}`;

t.test('a body is not taken before it is asked for', async (t) => {
  let refuse: (() => void) | undefined;
  const handler: Handler = () =>
    new Promise((_, reject) => {
      refuse = () => reject(apiError('invalid_token', 'The token is wrong.'));
    });
  // With more of it than one read of the native server the request would be refused.
  const server = await start(t, handler, { bodyBytesInFlightMax: megabyte });
  const answer = post(base(server), 15 * megabyte);
  const answerIt = await eventually(async () => refuse);
  answerIt();
  t.strictSame(await answer, { status: 401, code: 'invalid_token' });
});

t.test('an answer that comes before the body is read when the body has been sent', async (t) => {
  const refusing: Handler = () => {
    throw apiError('invalid_token', 'The token is wrong.');
  };
  const server = await start(t, refusing);
  for (const size of [0, 1, 100_000, 15 * megabyte, 17 * megabyte, 60 * megabyte]) {
    const code = size > 16 * megabyte ? 'ContentTooLarge' : 'invalid_token';
    t.match(await post(base(server), size), { code }, `${size} bytes`);
  }
});

t.test(
  'a body that is too large is answered when it has been dropped, whether its length is said or not',
  async (t) => {
    const server = await start(t, async ({ body }) => ({ status: 200, body: String((await body.read()).length) }));
    t.match(await post(base(server), 20 * megabyte), { status: 413, code: 'ContentTooLarge' });
    async function* chunks() {
      for (let count = 0; count < 40; count += 1) yield Buffer.alloc(megabyte / 2, ' ');
    }
    const response = await fetch(base(server), { method: 'POST', body: chunks(), duplex: 'half' } as RequestInit);
    t.equal(response.status, 413);
  },
);

t.test('what is dropped has an end: of bytes, and of the time in which nothing comes', async (t) => {
  const server = await start(t, async ({ body }) => ({ status: 200, body: await body.read() }), {
    bodyBytesMax: 10,
    bodyBytesDroppedMax: 1000,
    dropPauseMsMax: 1,
  });
  for (const [name, length, body] of [
    ['a length that is never read', 1001, ''],
    ['a body that does not come', 100, 'x'.repeat(20)],
    ['chunks without end', undefined, `7d0\r\n${'x'.repeat(2000)}\r\n`],
  ] as const) {
    const header = length === undefined ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
    const { answers, isClosed } = await exchange(server.port, `POST / HTTP/1.1\r\nHost: a\r\n${header}\r\n\r\n${body}`);
    t.match(answers, [{ status: 413, code: 'ContentTooLarge' }], name);
    t.equal(isClosed, true, name);
  }
});

t.test('a client that leaves in the middle of its body leaves nothing behind', async (t) => {
  let failures = 0;
  const server = await start(
    t,
    async ({ body }) => {
      try {
        return { status: 200, body: await body.read() };
      } catch (error) {
        failures += 1;
        throw error;
      }
    },
    { bodyBytesInFlightMax: 100 },
  );
  const left = 10;
  for (let count = 0; count < left; count += 1) {
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n\r\n');
    socket.write('x'.repeat(60), () => socket.destroy());
  }
  await eventually(async () => (failures === left ? true : undefined));
  const { answers } = await exchange(
    server.port,
    `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 90\r\n\r\n${'1'.repeat(90)}`,
  );
  t.match(answers, [{ status: 200 }], 'its bytes are given back');
});

t.test('whoever may not do what it asks for is told before its body is read', async (t) => {
  const platform = await startPlatform(t);
  const { baseUrl, projectKey, tokenWith } = platform;
  const authorization = `Bearer ${await tokenWith([`view_types:${projectKey}`])}`;
  // No JSON, which nobody finds out who does not read it.
  for (const path of ['types', 'zones/key=none', 'carts', '', 'in-store/key=a/carts', 'me/carts', 'customers/password'])
    t.strictSame(await post(`${baseUrl}/${projectKey}/${path}`, 2 * megabyte, { authorization }), {
      status: 403,
      code: 'insufficient_scope',
    });
});

t.test('a connection serves on after bodies that were asked for late, or never', async (t) => {
  const server = await start(t, async ({ head, body }) => {
    await new Promise((resolve) => setImmediate(resolve));
    return { status: 200, body: head.query === 'read' ? String((await body.read()).length) : '0' };
  });
  // The end of some of them comes in the very read in which too much was there.
  for (let index = 0; index < 60; index += 1) {
    const bytes = 64 * 1024 + index * 30_000;
    const isRead = index % 2 === 0;
    const response = await fetch(`${base(server)}/${isRead ? '?read' : ''}`, {
      method: 'POST',
      body: Buffer.alloc(bytes, ' '),
    });
    t.equal(await response.text(), isRead ? String(bytes) : '0', `${bytes} bytes`);
  }
});

t.test('a connection stays open while its request waits, before its body is read and after', async (t) => {
  const handler: Handler = async ({ head, body }) => {
    const isLate = head.query === 'late';
    // The native server's own limit, which nothing sets: 10 s, looked at each 4 s.
    if (isLate) await pause(15_000);
    const { length } = await body.read();
    if (!isLate) await pause(15_000);
    return { status: 200, body: String(length) };
  };
  const log = pino({ level: 'silent' });
  const [plain, secure] = [
    await serve({ host: '127.0.0.1', port: 0, log, handler }),
    await serve({ host: '127.0.0.1', port: 0, log, handler, tls: await makeCertificate(t) }),
  ];
  for (const server of [plain, secure]) t.teardown(() => server.close());
  const body = 'x'.repeat(6 * megabyte);
  const exchanges = [plain, plain, plain, plain, secure, secure].flatMap((server) =>
    ['', '?late'].map((query) => {
      const request = `POST /${query} HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
      return exchange(server.port, request, { isSecure: server === secure });
    }),
  );
  for (const { answers } of await Promise.all(exchanges))
    t.match(answers, [{ status: 200, body: String(body.length) }]);
});

t.test('one owner of bodies takes no more than its share', async (t) => {
  const releases: (() => void)[] = [];
  const server = await start(t, async ({ head, body }) => {
    const owners = [{ name: head.path, bytesMax: 2.5 * megabyte }];
    const length = (await body.read({ owners })).length;
    if (head.query === 'held') await new Promise<void>((resolve) => releases.push(resolve));
    return { status: 200, body: String(length) };
  });
  const held = ['/one?held', '/one?held'].map((path) =>
    fetch(`${base(server)}${path}`, { method: 'POST', body: Buffer.alloc(megabyte, ' ') }),
  );
  await eventually(async () => (releases.length === 2 ? true : undefined));
  const ask = async (path: string): Promise<number> =>
    (await fetch(`${base(server)}${path}`, { method: 'POST', body: Buffer.alloc(megabyte, ' ') })).status;
  t.equal(await ask('/one'), 503);
  t.equal(await ask('/two'), 200);
  for (const release of releases) release();
  for (const answer of held) t.equal((await answer).status, 200);
  t.equal(await ask('/one'), 200, 'what is answered is given back');
});

t.test('clients read why a large request is refused', async (t) => {
  const { baseUrl, projectKey, api, client } = await startPlatform(t);
  const token = await requestToken(baseUrl, client);
  const large = { name: 'x'.repeat(17 * megabyte) };
  await t.rejects(
    api.zones().post({ body: large }).execute(),
    { statusCode: 413, code: 'ContentTooLarge' },
    'the public client',
  );
  const path = `${baseUrl}/${projectKey}/zones`;
  const ask = async (given: string): Promise<number> => {
    const headers = { authorization: `Bearer ${given}`, 'content-type': 'application/json' };
    return (await fetch(path, { method: 'POST', headers, body: JSON.stringify(large) })).status;
  };
  t.equal(await ask(token), 413);
  const unknown = 'x'.repeat(15 * megabyte);
  const headers = { authorization: 'Bearer unknown' };
  t.equal((await fetch(path, { method: 'POST', headers, body: unknown })).status, 401);
});

t.test('bodies come whole over TLS', async (t) => {
  const tls = await makeCertificate(t);
  const log = pino({ level: 'silent' });
  const handler: Handler = async ({ body }) => ({ status: 200, body: String((await body.read()).length) });
  const server = await serve({ host: '127.0.0.1', port: 0, log, handler, tls });
  t.teardown(() => server.close());
  const body = 'x'.repeat(5 * megabyte);
  const head = `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n`;
  const { answers } = await exchange(server.port, head + body, { isSecure: true });
  t.match(answers, [{ status: 200, body: String(body.length) }]);
});
