import { once } from 'node:events';
import { connect } from 'node:net';
import { pino } from 'pino';
import t from 'tap';
import { Random } from '../../src/demo/random.ts';
import { type Handler, serve } from '../../src/http/server.ts';
import { requestToken, startPlatform } from '../support/platform.ts';
import { type RawCase, rawCases } from '../support/raw-cases.ts';
import { exchange } from '../support/raw-socket.ts';

const seed = 20_261_121;
const requests = 10_000;
const roundSize = 100;
/** Longer cases have their bytes in one header or chunk, and take time only. */
const caseBytesMax = 4096;
const changesMax = 2;
const goodRequest = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';

/** What a change puts in: bytes that mean something in a head or a chunked body, or none. */
const fragments = ['\r\n', '\r\n\r\n', '\n', '\0', ' ', ':', ',', '%', '?', '/', '0', 'ffffffff', '-1', '\xff', '\x80'];
const headers = [
  'Content-Length: 5',
  'Transfer-Encoding: chunked',
  'Host: x',
  'Upgrade: h2c',
  'Connection: close',
  ': ',
];

/** What is served stands in the list as often as all the rest, for a change refuses most requests. */
function bytesOf(cases: readonly RawCase[]): readonly string[] {
  const short = cases.filter(({ bytes }) => bytes.length <= caseBytesMax);
  const served = short.filter(({ direct }) => direct[0] === 200 || direct[0] === 201);
  const copies = Array.from({ length: Math.ceil(short.length / served.length) }, () => served);
  return [...short, ...copies.flat()].map(({ bytes }) => bytes);
}

function mutated(random: Random, cases: readonly string[]): string {
  let bytes = random.pick(cases);
  for (let left = random.integer(1, changesMax); left > 0; left -= 1) bytes = changed(random, bytes, cases);
  return bytes;
}

function changed(random: Random, bytes: string, cases: readonly string[]): string {
  const at = random.integer(0, bytes.length);
  const end = Math.min(bytes.length, at + random.integer(0, 16));
  const [before, piece, after] = [bytes.slice(0, at), bytes.slice(at, end), bytes.slice(end)];
  switch (random.integer(0, 6)) {
    case 0:
      return before + after;
    case 1:
      return before + piece + piece + after;
    case 2:
      return before + random.pick(fragments) + piece + after;
    case 3:
      return before + String.fromCharCode(random.integer(0, 255)) + after;
    case 4:
      return before + random.pick(cases);
    case 5:
      return bytes.replace('\r\n', `\r\n${random.pick(headers)}\r\n`);
    default:
      return before;
  }
}

/** Sends the bytes of a round, each on a connection of its own, and ends them when the server has seen all. */
async function throwAt(port: number, round: readonly string[]): Promise<void> {
  const sockets = await Promise.all(
    round.map(async (bytes) => {
      const socket = connect(port, '127.0.0.1');
      socket.resume();
      // A connection that is reset has had its effect.
      socket.on('error', () => {});
      const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
      await once(socket, 'connect');
      await new Promise((resolve) => socket.write(bytes, 'latin1', resolve));
      return { socket, closed };
    }),
  );
  // The server reads in the order in which bytes arrive; what it waits for then does not come.
  await exchange(port, goodRequest);
  for (const { socket } of sockets) socket.end();
  await Promise.all(sockets.map(({ closed }) => closed));
}

async function throwMany(port: number, cases: readonly string[]): Promise<void> {
  const random = new Random(seed);
  for (let left = requests; left > 0; left -= roundSize) {
    const count = Math.min(left, roundSize);
    await throwAt(
      port,
      Array.from({ length: count }, () => mutated(random, cases)),
    );
  }
}

t.test(`${requests} mutated requests leave a server that answers at once alive`, async (t) => {
  const log = pino({ level: 'silent' });
  let handled = 0;
  const handler: Handler = ({ body }) => {
    handled += 1;
    return body.isWhole ? { status: 200, body: '{}' } : body.read().then((bytes) => ({ status: 200, body: bytes }));
  };
  const server = await serve({ host: '127.0.0.1', port: 0, log, handler });
  t.teardown(() => server.close());
  await throwMany(server.port, bytesOf(rawCases({ path: '/project/zones', token: 'token' })));
  t.match(await exchange(server.port, goodRequest), { answers: [{ status: 200 }] });
  t.ok(handled > requests / 10, 'many mutated requests are still requests');
});

t.test(`${requests} mutated requests leave the platform alive`, async (t) => {
  const { baseUrl, projectKey, client, request } = await startPlatform(t);
  const port = Number(new URL(baseUrl).port);
  const token = await requestToken(baseUrl, client);
  await throwMany(port, bytesOf(rawCases({ path: `/${projectKey}/zones`, token })));
  t.match(await exchange(port, goodRequest), { answers: [{ status: 200 }] });
  t.equal((await request('GET', '/zones')).status, 200);
});
