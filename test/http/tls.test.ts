import { once } from 'node:events';
import { connect, type SecureVersion } from 'node:tls';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startHttp, type RunningHttp } from '../../src/app.ts';
import type { Config } from '../../src/config.ts';
import { serve } from '../../src/http/server.ts';
import { makeCertificate } from '../support/certificate.ts';
import { startPlatform } from '../support/platform.ts';
import { exchange } from '../support/raw-socket.ts';

const log = pino({ level: 'silent' });
const tls = await makeCertificate(t);

/** Another HTTP server of the platform that `t` starts. */
async function startOther(
  t: Test,
  changes: Partial<Pick<Config, 'tls' | 'plainPort' | 'trustsProxy'>>,
): Promise<RunningHttp & { projectKey: string }> {
  const { config, projectKey } = await startPlatform(t);
  const http = await startHttp({ ...config, ...changes, port: 0 }, log);
  t.teardown(() => http.close());
  return { ...http, projectKey };
}

const request = (path: string, ...headers: readonly string[]): string =>
  [`GET ${path} HTTP/1.1`, 'Host: localhost', ...headers, '', ''].join('\r\n');

/** The first line of the answer over this version of TLS, and the version; or why there is none. */
async function askOver(port: number, version: SecureVersion): Promise<readonly [string, string | null]> {
  const socket = connect({
    port,
    host: '127.0.0.1',
    // The certificate is the test's own.
    rejectUnauthorized: false,
    minVersion: version,
    maxVersion: version,
    // Without it, this client would not offer old versions itself.
    ciphers: 'DEFAULT:@SECLEVEL=0',
  });
  try {
    await once(socket, 'secureConnect');
    socket.write(request('/healthz'));
    const [answer] = (await once(socket, 'data')) as [Buffer];
    return [answer.toString().split('\r\n')[0]!, socket.getProtocol()];
  } catch (error) {
    return ['refused', error instanceof Error && 'code' in error ? String(error.code) : null];
  } finally {
    socket.destroy();
  }
}

function matchPlainRefusal(t: Test, { answers, isClosed }: Awaited<ReturnType<typeof exchange>>, name: string): void {
  t.match(answers, [{ status: 404, body: /^<!DOCTYPE html>.*Not Found/ }], name);
  t.equal(answers[0]?.headers.get('content-type'), 'text/html; charset=utf-8', name);
  t.match(answers[0]?.headers.get('x-correlation-id'), /^[0-9a-f-]{36}$/, name);
  t.ok(isClosed, name);
}

t.test('the process speaks TLS 1.2 and 1.3, and nothing older', async (t) => {
  const { port } = await startOther(t, { tls });
  t.strictSame(await askOver(port, 'TLSv1.2'), ['HTTP/1.1 200 OK', 'TLSv1.2']);
  t.strictSame(await askOver(port, 'TLSv1.3'), ['HTTP/1.1 200 OK', 'TLSv1.3']);
  for (const version of ['TLSv1', 'TLSv1.1'] as const) {
    t.strictSame(await askOver(port, version), ['refused', 'ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION'], version);
  }
  const plain = await exchange(port, request('/healthz'));
  t.strictSame(plain, { answers: [], isClosed: true }, 'plain HTTP on the port of TLS');
});

t.test('beside TLS, plain HTTP is answered with 404 and HTML on a port of its own', async (t) => {
  const { plainPort, projectKey } = await startOther(t, { tls, plainPort: 0 });
  for (const path of ['/', '/healthz', '/oauth/token', `/${projectKey}/zones`])
    matchPlainRefusal(t, await exchange(plainPort!, request(path)), path);
  const { answers } = await exchange(plainPort!, request('/').replace('GET', 'HEAD'));
  t.match(answers, [{ status: 404, body: '' }]);
});

t.test('a large answer goes over TLS byte for byte', async (t) => {
  const body = Buffer.from('aä€😀'.repeat(800_000));
  const server = await serve({ host: '127.0.0.1', port: 0, tls, log, handler: () => ({ status: 200, body }) });
  t.teardown(() => server.close());
  const socket = connect({ port: server.port, host: '127.0.0.1', rejectUnauthorized: false });
  const chunks: Buffer[] = [];
  socket.on('data', (chunk: Buffer) => chunks.push(chunk));
  socket.write(request('/', 'Connection: close'));
  await once(socket, 'close');
  const received = Buffer.concat(chunks);
  t.ok(received.subarray(received.indexOf('\r\n\r\n') + 4).equals(body));
});

t.test('behind a proxy, only what the proxy received over TLS is served', async (t) => {
  const { port, projectKey } = await startOther(t, { trustsProxy: true });
  const zones = `/${projectKey}/zones`;
  const secure = await exchange(port, request(zones, 'X-Forwarded-Proto: https'));
  t.match(secure, { answers: [{ status: 401, code: 'access_denied' }], isClosed: false }, 'https');
  const cases: readonly (readonly string[])[] = [
    [],
    ['X-Forwarded-Proto: http'],
    ['X-Forwarded-Proto: '],
    ['X-Forwarded-Proto: https, http'],
    ['X-Forwarded-Proto: https, https'],
    ['X-Forwarded-Proto: https', 'X-Forwarded-Proto: http'],
    ['X-Forwarded-Proto: http', 'X-Forwarded-Proto: https'],
    ['X-Forwarded-Proto: https', 'X-Forwarded-Proto: https'],
    ['Forwarded: proto=https'],
  ];
  for (const headers of cases)
    matchPlainRefusal(t, await exchange(port, request(zones, ...headers)), headers.join(' and ') || 'no header');
  matchPlainRefusal(t, await exchange(port, request(zones, 'Upgrade: h2c')), 'before anything else is refused');
  for (const path of ['/healthz', '/readyz'])
    t.match(
      await exchange(port, request(path)),
      { answers: [{ status: 200 }] },
      `${path} is for those beside the proxy`,
    );
});

t.test('without TLS and proxy, the header of a proxy means nothing', async (t) => {
  const { baseUrl } = await startPlatform(t);
  const { answers } = await exchange(Number(new URL(baseUrl).port), request('/healthz', 'X-Forwarded-Proto: http'));
  t.match(answers, [{ status: 200 }]);
});
