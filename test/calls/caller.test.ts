import { setMaxListeners } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as immediate } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t, { type Test } from 'tap';
import { type Call, createCaller } from '../../src/calls/caller.ts';
import { startNameServer } from '../support/name-server.ts';

async function serverOf(
  t: Test,
  listener: RequestListener,
  onConnection: (socket: Socket) => void = () => {},
): Promise<string> {
  const server = createServer(listener).on('connection', onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function callOf(url: string, given: Partial<Call> = {}): Call {
  return { url, owner: 'shop', headers: {}, body: '{}', timeoutMs: 200, answerBytesMax: 100, ...given };
}

interface Said {
  readonly status: number;
  readonly text: string;
}

async function said(call: Call): Promise<Said> {
  const { status, body } = await caller(call);
  return { status, text: body.toString() };
}

const caller = createCaller({ allowsPrivate: true });

t.test('a call ends in time, also when memory is tidied up meanwhile', async (t) => {
  const url = await serverOf(t, () => {});
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const tidying = setInterval(collectGarbage, 10);
  t.teardown(() => clearInterval(tidying));
  const { signal } = new AbortController();
  await t.rejects(caller(callOf(url, { signal })), { message: /could not be reached/ });
});

t.test('a call ends when nobody waits for it', async (t) => {
  const waiting = new AbortController();
  const url = await serverOf(t, () => waiting.abort());
  // Longer than a test takes.
  const call = callOf(url, { signal: waiting.signal, timeoutMs: 1_000_000 });
  await t.rejects(caller(call), { message: /could not be reached/ });
  await t.rejects(caller(call), { message: /could not be reached/ }, 'nor does it begin then');
});

t.test('an answer is given as it is, a redirect too, and none of more bytes than it may have', async (t) => {
  const url = await serverOf(t, (request, response) => {
    if (request.url === '/large') response.end('x'.repeat(101));
    else if (request.url === '/exact') response.end('x'.repeat(100));
    else response.writeHead(307, { location: '/exact' }).end('elsewhere');
  });
  t.strictSame(await said(callOf(`${url}exact`)), { status: 200, text: 'x'.repeat(100) });
  t.strictSame(await said(callOf(url)), { status: 307, text: 'elsewhere' });
  await t.rejects(caller(callOf(`${url}large`)), { message: /too much/ });
});

t.test('an answer that comes in many pieces is given whole', async (t) => {
  const pieces = Array.from({ length: 3000 }, (_, index) => `${index} é`);
  const url = await serverOf(t, (_, response) => {
    const send = (index: number): void => {
      if (index === pieces.length) response.end();
      else response.write(pieces[index], () => send(index + 1));
    };
    send(0);
  });
  const call = callOf(url, { timeoutMs: 60_000, answerBytesMax: 100_000 });
  t.strictSame(await said(call), { status: 200, text: pieces.join('') });
});

t.test('private addresses are called by those alone who may', async (t) => {
  let calls = 0;
  const url = await serverOf(t, (_, response) => {
    calls += 1;
    response.end();
  });
  const bounded = createCaller({ allowsPrivate: false });
  for (const target of [url, url.replace('127.0.0.1', 'localhost')]) {
    await t.rejects(bounded(callOf(target)), { message: /not public/ }, target);
    t.equal(calls, 0);
  }
});

t.test('names are looked up by the servers of names, and lead to no private address either', async (t) => {
  const { port } = new URL(await serverOf(t, (_, response) => response.end('found')));
  const { address } = await startNameServer(t, { 'shop.test': ['127.0.0.1'], 'mixed.test': ['10.0.0.1', '127.0.0.1'] });
  const names = { servers: [address] };
  const call = callOf(`http://shop.test:${port}/`, { timeoutMs: 60_000 });
  t.match(await createCaller({ allowsPrivate: true, names })(call), { status: 200 });
  const bounded = createCaller({ allowsPrivate: false, names });
  await t.rejects(bounded(call), { message: /not public/ });
  await t.rejects(bounded({ ...call, url: `http://mixed.test:${port}/` }), { message: /not public/ });
  await t.rejects(bounded({ ...call, url: `http://nowhere.test:${port}/` }), { message: /could not be reached/ });
  await t.rejects(
    bounded(callOf('http://silent.test/')),
    { message: /could not be reached/ },
    'a call ends before its look-up',
  );
});

t.test('who takes the memory of answers may end them', async (t) => {
  let taken = 0;
  const url = await serverOf(t, (request, response) => {
    response.write('x'.repeat(100_000));
    if (request.url === '/whole') response.end();
  });
  const call = { timeoutMs: 60_000, answerBytesMax: 200_000 };
  const answer = await caller(callOf(`${url}whole`, { ...call, takeBytes: (bytes) => (taken += bytes) }));
  t.equal(answer.body.length, 100_000);
  t.equal(taken, answer.body.buffer.byteLength, 'it hears of all that is taken');
  let left = 50_000;
  const takeBytes = (bytes: number): void => {
    left -= bytes;
    if (left < 0) throw new Error('no room');
  };
  await t.rejects(caller(callOf(url, { ...call, takeBytes })), { message: 'no room' });
});

// A connection is free again in the turn of the event loop that follows its answer.
t.test('connections of one owner are not those of another', async (t) => {
  const waiting = new AbortController();
  setMaxListeners(0, waiting.signal);
  let allHeld = (): void => {};
  const held = new Set<Socket>();
  const used: (number | undefined)[] = [];
  const url = await serverOf(t, ({ socket, url: path }, response) => {
    if (path !== '/hold') {
      used.push(socket.remotePort);
      response.end('answered');
    } else if (held.add(socket).size === 100) allHeld();
  });
  const holding = new Promise<void>((resolve) => (allHeld = resolve));
  const call = callOf(`${url}hold`, { signal: waiting.signal, timeoutMs: 1_000_000 });
  const calls = Array.from({ length: 100 }, () => t.rejects(caller(call)));
  await holding;
  const calledBy = async (owner: string): Promise<Said> => {
    const answer = await said(callOf(url, { owner, timeoutMs: 60_000 }));
    await immediate();
    return answer;
  };
  t.match(await calledBy('other'), { text: 'answered' }, 'all that one owner may have holds up no other');
  t.match(await calledBy('other'), { text: 'answered' });
  t.match(await calledBy('third'), { text: 'answered' });
  const [first, second, third] = used;
  t.equal(first, second, 'what one has left is used again');
  t.not(first, third, 'by nobody else');
  waiting.abort();
  await Promise.all(calls);
});

t.test('a call that ends before there is a connection for it is not sent', async (t) => {
  const answers: (() => void)[] = [];
  const asked: (string | undefined)[] = [];
  let allHeld = (): void => {};
  const url = await serverOf(t, (request, response) => {
    asked.push(request.url);
    if (request.url === '/hold') answers.push(() => response.end());
    else response.end('answered');
    if (answers.length === 100) allHeld();
  });
  const holding = new Promise<void>((resolve) => (allHeld = resolve));
  const held = Array.from({ length: 100 }, () => caller(callOf(`${url}hold`, { timeoutMs: 60_000 })));
  await holding;
  await t.rejects(caller(callOf(`${url}late`, { timeoutMs: 50 })), { message: /could not be reached/ });
  for (const answer of answers) answer();
  await Promise.all(held);
  t.match(await said(callOf(`${url}after`, { timeoutMs: 60_000 })), { text: 'answered' });
  t.strictSame(
    asked.filter((path) => path !== '/hold'),
    ['/after'],
  );
});

t.test('connections on which nothing is sent any more do not stay for long', async (t) => {
  const open = new Set<Socket>();
  let opened = 0;
  let onClosed = (): void => {};
  let waiting: (() => void)[] = [];
  const together = 10;
  const url = await serverOf(
    t,
    (_, response) => {
      waiting.push(() => response.end());
      if (waiting.length < together) return;
      for (const answer of waiting) answer();
      waiting = [];
    },
    (socket) => {
      opened += 1;
      open.add(socket);
      socket.on('close', () => {
        open.delete(socket);
        if (open.size === 0) onClosed();
      });
    },
  );
  const closed = new Promise<void>((resolve) => (onClosed = resolve));
  const callTogether = async (): Promise<void> => {
    const call = callOf(url, { timeoutMs: 60_000 });
    await Promise.all(Array.from({ length: together }, () => caller(call)));
    await immediate();
  };
  await callTogether();
  await callTogether();
  t.equal(opened, together, 'they are used again');
  await closed;
});
