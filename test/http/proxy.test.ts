import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { makeCertificate } from '../support/certificate.ts';
import { combine, findHaproxy, startHaproxy } from '../support/haproxy.ts';
import { requestToken, startPlatform } from '../support/platform.ts';
import { dataDirectory, runCommand, startProcess } from '../support/process.ts';
import { rawCases } from '../support/raw-cases.ts';
import { exchange } from '../support/raw-socket.ts';
import { createDatabase, meilisearch } from '../support/services.ts';
import { freePort } from '../../src/embedded/service.ts';

const haproxy = findHaproxy(t);
const options = 'reason' in haproxy ? { skip: haproxy.reason } : {};

t.test('behind a proxy, nothing that a client sends is understood in two ways', options, async (t) => {
  if ('reason' in haproxy) return;
  const certificate = await makeCertificate(t);
  const { baseUrl, projectKey, client, config, request } = await startPlatform(t);
  t.equal((await request('POST', '/zones', { name: 'Zone0' })).status, 201);
  const http = await startHttp({ ...config, trustsProxy: true }, pino({ level: 'silent' }));
  t.teardown(() => http.close());
  const port = await startHaproxy(t, haproxy, { bothFile: combine(certificate), serverPort: http.port });
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
  const port = await startHaproxy(t, haproxy, { bothFile: combine(certificate), serverPort: http.port });
  for (const claim of ['http', 'https', 'https, http']) {
    const bytes = `GET /nowhere/at/all HTTP/1.1\r\nHost: localhost\r\nX-Forwarded-Proto: ${claim}\r\n\r\n`;
    const { answers } = await exchange(port, bytes, { isSecure: true });
    t.match(answers, [{ status: 404, code: 'ResourceNotFound' }], claim);
  }
});

t.test(
  'the topology of Compose: a certificate made for the start, the proxy, and the server behind it',
  options,
  async (t) => {
    if ('reason' in haproxy) return;
    const bothFile = join(dataDirectory(t), 'server.pem');
    const command = ['certificate', bothFile, '--host', 'shop.example'];
    t.match(await runCommand(t, command, {}), { code: 0, output: /^A certificate for shop\.example, / });
    const made = readFileSync(bothFile, 'utf8');
    t.match(await runCommand(t, command, {}), { code: 0, output: '' });
    t.equal(readFileSync(bothFile, 'utf8'), made, 'a certificate that is there stays');
    const { subject, subjectAltName } = new X509Certificate(made);
    t.match({ subject, subjectAltName }, { subject: 'CN=shop.example', subjectAltName: 'DNS:shop.example' });

    const { url } = await createDatabase(t);
    const { url: meiliUrl, key } = meilisearch();
    const serverPort = await freePort();
    const started = startProcess(t, {
      DATA_DIR: dataDirectory(t),
      HOST: '0.0.0.0',
      PORT: String(serverPort),
      TRUST_PROXY: 'true',
      BASE_URL: 'https://shop.example',
      DATABASE_URL: url,
      MEILI_URL: meiliUrl,
      MEILI_KEY: key,
      PROJECT_KEY: `proxied-${Date.now()}`,
    });
    await started.ready;
    const port = await startHaproxy(t, haproxy, { bothFile, serverPort });
    const request = 'GET /nowhere/at/all HTTP/1.1\r\nHost: shop.example\r\n\r\n';
    t.match(await exchange(port, request, { isSecure: true }), {
      answers: [{ status: 404, code: 'ResourceNotFound' }],
    });
    t.match(await exchange(serverPort, request), { answers: [{ status: 404, body: /<!DOCTYPE html>/ }] });
  },
);
