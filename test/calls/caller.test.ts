import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import t, { type Test } from 'tap';
import { type Call, createCaller } from '../../src/calls/caller.ts';

async function serverOf(t: Test, listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

function callOf(url: string, given: Partial<Call> = {}): Call {
  return { url, headers: {}, body: '{}', timeoutMs: 200, answerBytesMax: 100, ...given };
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
