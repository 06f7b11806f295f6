import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { apiError, ownShareUsed } from '../../src/errors/api-error.ts';
import { type Handler, type HttpServer, type Limits, serve } from '../../src/http/server.ts';
import { send } from '../support/platform.ts';
import { exchange } from '../support/raw-socket.ts';
import { eventually } from '../support/services.ts';

interface Started extends Omit<HttpServer, 'plainPort'> {
  readonly logged: readonly string[];
}

/** A server with these limits; `logged` are the lines that it has logged. */
async function start(t: Test, handler: Handler, limits: Partial<Limits>): Promise<Started> {
  const logged: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
  const server = await serve({ host: '127.0.0.1', port: 0, log, handler, limits });
  let closing: Promise<void> | undefined;
  const close = (): Promise<void> => (closing ??= server.close());
  t.teardown(close);
  return { port: server.port, close, logged };
}

/** A handler that answers when it is told to. */
function heldHandler(): { handler: Handler; release: () => void; called: () => number } {
  const waiting: (() => void)[] = [];
  let calls = 0;
  return {
    handler: async ({ body }) => {
      await body.read();
      calls += 1;
      return new Promise((resolve) => waiting.push(() => resolve({ status: 200, body: '{}' })));
    },
    release: () => {
      for (const answer of waiting.splice(0)) answer();
    },
    called: () => calls,
  };
}

const atLeast = (calls: number, called: () => number): Promise<true> =>
  eventually(async () => (called() >= calls ? true : undefined));

const overCapacity = { status: 503, errors: [{ code: 'OverCapacity' }] };

function ask(server: Started, path = '/', body?: string) {
  const baseUrl = `http://127.0.0.1:${server.port}`;
  return send({ baseUrl, method: body === undefined ? 'GET' : 'POST', path, body }).then((answer) => ({
    ...answer.body,
    status: answer.status,
    retryAfter: answer.headers.get('retry-after'),
  }));
}

t.test('what is refused for its sender’s share is no fault that an operator has to hear of', async (t) => {
  for (const [thrown, isLogged] of [
    [ownShareUsed('Too much at a time.'), false],
    [apiError('OverCapacity', 'The disk is almost full.'), true],
    [new Error('a mistake'), true],
  ] as const) {
    const server = await start(t, () => Promise.reject(thrown), {});
    t.ok((await ask(server)).status >= 500);
    t.equal(
      server.logged.some((line) => line.includes('request failed')),
      isLogged,
      thrown.message,
    );
  }
});

t.test('more requests than may wait are refused at once, and served again when there is room', async (t) => {
  const { handler, release, called } = heldHandler();
  const server = await start(t, handler, { pendingMax: 1 });
  const first = ask(server);
  await atLeast(1, called);
  t.match(await ask(server), { ...overCapacity, retryAfter: '1' });
  t.equal(called(), 1, 'the refused request did not reach the handler');
  release();
  t.match(await first, { status: 200 });
  const next = ask(server);
  await atLeast(2, called);
  release();
  t.match(await next, { status: 200 });
});

t.test('bodies of all requests together have a limit', async (t) => {
  const { handler, release, called } = heldHandler();
  const server = await start(t, handler, { bodyBytesInFlightMax: 10 });
  const first = ask(server, '/', '"sixsix"');
  await atLeast(1, called);
  t.match(await ask(server, '/', '"sixsix"'), overCapacity);
  release();
  t.match(await first, { status: 200 });
  const next = ask(server, '/', '"sixsix"');
  await atLeast(2, called);
  release();
  t.match(await next, { status: 200 }, 'the bodies of answered requests are forgotten');
});

t.test('a body has a limit, whether its length is said or not', async (t) => {
  const server = await start(t, async ({ body }) => ({ status: 200, body: await body.read() }), {
    bodyBytesMax: 10,
    dropPauseMsMax: 1,
    sweepMs: 1,
  });
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\n';
  const cases = [
    ['a length at the limit', `${head}Content-Length: 10\r\n\r\n0123456789`, 200, false],
    ['a length beyond it, before the body is sent', `${head}Content-Length: 11\r\n\r\n`, 413, true],
    ['chunks at the limit', `${head}Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n0\r\n\r\n`, 200, false],
    ['chunks beyond it', `${head}Transfer-Encoding: chunked\r\n\r\na\r\n0123456789\r\n1\r\nx\r\n0\r\n\r\n`, 413, false],
  ] as const;
  for (const [name, bytes, status, isCut] of cases) {
    const { answers, isClosed } = await exchange(server.port, bytes);
    t.strictSame(
      answers.map((answer) => answer.status),
      [status],
      name,
    );
    t.equal(isClosed, isCut, `${name}: the connection is closed where the body did not come`);
  }
});

t.test('a request without an answer gets one at its deadline', async (t) => {
  const { handler } = heldHandler();
  const server = await start(t, handler, { deadlineMs: 1, sweepMs: 1 });
  t.match(await ask(server), overCapacity);
});

const megabyte = 1024 * 1024;
/** More than the kernel buffers of a connection take. */
const large = Buffer.alloc(16 * megabyte, 'tradepost ');
/** Characters of one to four bytes. */
const largeText = 'aä€😀'.repeat(large.byteLength / 10);

const bodies: ReadonlyMap<string, string | Uint8Array> = new Map<string, string | Uint8Array>([
  ['/large', large],
  ['/text', largeText],
  ['/small', Buffer.alloc(200 * 1024, 'x')],
]);

function serveBodies(t: Test, limits: Partial<Limits>) {
  return start(t, ({ head }) => ({ status: 200, body: bodies.get(head.path) ?? '{}' }), limits);
}

/** Asks and reads nothing, until the server has begun to answer. */
async function stall(server: Started, path: string): Promise<Socket> {
  const correlationId = `stalled_${Math.random().toString(36).slice(2)}_client`;
  const socket = connect({ port: server.port, host: '127.0.0.1' });
  socket.pause();
  // A connection that is cut off may be reset.
  socket.on('error', () => {});
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\nX-Correlation-ID: ${correlationId}\r\n\r\n`);
  await eventually(async () => (server.logged.some((line) => line.includes(correlationId)) ? true : undefined));
  return socket;
}

/** Reads until the server closes, or has sent `bytes` of body. Gives the body. */
async function readBody(socket: Socket, bytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let received = 0;
  let headBytes = 0;
  await new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      if (received === 0) headBytes = chunk.indexOf('\r\n\r\n') + 4;
      chunks.push(chunk);
      received += chunk.byteLength;
      if (received - headBytes >= bytes) socket.destroy();
    });
    socket.once('close', () => resolve());
    socket.resume();
  });
  return Buffer.concat(chunks).subarray(headBytes);
}

const digestOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

t.test('a large answer reaches a client that reads late, byte for byte', async (t) => {
  const server = await serveBodies(t, {});
  for (const path of ['/large', '/text']) {
    const expected = Buffer.from(bodies.get(path)!);
    const body = await readBody(await stall(server, path), expected.byteLength);
    t.equal(body.byteLength, expected.byteLength, path);
    t.equal(digestOf(body), digestOf(expected), path);
  }
});

t.test('answers that clients do not take have a limit together; small ones are still sent', async (t) => {
  const server = await serveBodies(t, { answerBytesInFlightMax: large.byteLength + 1 });
  const stalled = await stall(server, '/large');
  t.match(await ask(server, '/large'), overCapacity);
  t.match(await ask(server, '/small'), { status: 200 });
  t.equal((await readBody(stalled, large.byteLength)).byteLength, large.byteLength, 'the first one gets its answer');
  await eventually(async () => ((await ask(server, '/large')).status === 200 ? true : undefined));

  const gone = await stall(server, '/large');
  t.match(await ask(server, '/large'), overCapacity);
  gone.destroy();
  t.ok(
    await eventually(async () => ((await ask(server, '/large')).status === 200 ? true : undefined)),
    'the answer to a client that left is forgotten',
  );
});

t.test('small answers do not pile up for a client that takes none of them', async (t) => {
  const answersMax = 1000;
  for (const answerBytesInFlightMax of [1, 64 * megabyte]) {
    const server = await serveBodies(t, { answerBytesInFlightMax });
    const socket = await stall(server, '/small');
    socket.write('GET /small HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(answersMax));
    const bytes = 200 * 1024 * answersMax;
    t.ok((await readBody(socket, bytes)).byteLength < bytes, 'the connection was closed');
  }
});

t.test('a client that takes an answer too slowly loses the connection', async (t) => {
  const server = await serveBodies(t, { answerMsMax: 1, sweepMs: 1 });
  const socket = await stall(server, '/large');
  await eventually(async () => (server.logged.some((line) => line.includes('too slowly')) ? true : undefined));
  t.ok((await readBody(socket, large.byteLength)).byteLength < large.byteLength);
});

t.test('a server that closes waits for the client to take its answer', async (t) => {
  const server = await serveBodies(t, {});
  const socket = await stall(server, '/large');
  const closing = server.close();
  t.equal((await readBody(socket, large.byteLength)).byteLength, large.byteLength);
  await closing;
});

t.test('what is done for a request hears of its end: an answer, a client that goes, a time that is over', async (t) => {
  const signals: AbortSignal[] = [];
  const server = await start(
    t,
    async ({ head, lifetime }) => {
      signals.push(lifetime.signal);
      if (head.path !== '/answered') await new Promise(() => {});
      return { status: 200, body: '{}' };
    },
    { deadlineMs: 1000, sweepMs: 100 },
  );
  const ends = (index: number): Promise<true> =>
    eventually(async () => (signals[index]?.aborted === true ? true : undefined));
  t.equal((await ask(server, '/answered')).status, 200);
  await ends(0);
  const socket = connect(server.port, '127.0.0.1');
  socket.write('GET /left HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await atLeast(2, () => signals.length);
  t.notOk(signals[1]!.aborted);
  socket.destroy();
  await ends(1);
  t.equal((await ask(server, '/late')).status, 503);
  await ends(2);
  t.notOk(
    server.logged.some((line) => line.includes('could not be')),
    'nothing is told of requests that have ended',
  );
});
