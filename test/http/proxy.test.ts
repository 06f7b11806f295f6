import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { makeCertificate } from '../support/certificate.ts';
import { findHaproxy, startHaproxy } from '../support/haproxy.ts';
import { requestToken, startPlatform } from '../support/platform.ts';
import { rawCases } from '../support/raw-cases.ts';
import { exchange } from '../support/raw-socket.ts';

const haproxy = findHaproxy(t);
const options = 'reason' in haproxy ? { skip: haproxy.reason } : {};

t.test('behind a proxy, nothing that a client sends is understood in two ways', options, async (t) => {
  if ('reason' in haproxy) return;
  const certificate = await makeCertificate(t);
  const { baseUrl, projectKey, client, config } = await startPlatform(t);
  const http = await startHttp({ ...config, trustsProxy: true }, pino({ level: 'silent' }));
  t.teardown(() => http.close());
  const port = await startHaproxy(t, haproxy, { ...certificate, serverPort: http.port });
  const cases = rawCases({ path: `/${projectKey}/zones`, token: await requestToken(baseUrl, client) });
  const exchanges = await Promise.all(cases.map(({ bytes }) => exchange(port, bytes, { isSecure: true })));
  for (const [index, { name, direct, proxied = direct, requests = 1 }] of cases.entries()) {
    const { answers } = exchanges[index]!;
    const finals = answers.filter(({ status }) => status >= 200).map(({ status, code }) => [status, code]);
    const expected = proxied === 'closed' ? [] : Array.from({ length: requests }, () => [proxied[0], proxied[1]]);
    t.strictSame(finals, expected, name);
  }
});

t.test('a proxy answers for the header that it sends, whatever the client says', options, async (t) => {
  if ('reason' in haproxy) return;
  const certificate = await makeCertificate(t);
  const { config } = await startPlatform(t);
  const http = await startHttp({ ...config, trustsProxy: true }, pino({ level: 'silent' }));
  t.teardown(() => http.close());
  const port = await startHaproxy(t, haproxy, { ...certificate, serverPort: http.port });
  for (const claim of ['http', 'https', 'https, http']) {
    const bytes = `GET /nowhere/at/all HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: ${claim}\r\n\r\n`;
    const { answers } = await exchange(port, bytes, { isSecure: true });
    t.match(answers, [{ status: 404, code: 'ResourceNotFound' }], claim);
  }
});
