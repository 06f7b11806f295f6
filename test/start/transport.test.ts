import t, { type Test } from 'tap';
import { freePort } from '../../src/embedded/service.ts';
import { makeCertificate } from '../support/certificate.ts';
import { dataDirectory, runCommand, startProcess } from '../support/process.ts';
import { exchange } from '../support/raw-socket.ts';
import { createDatabase, meilisearch } from '../support/services.ts';

/** An environment with servers that run already. */
async function environmentOf(t: Test, changes: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv & { PORT: string }> {
  const { url } = await createDatabase(t);
  const { url: meiliUrl, key } = meilisearch();
  return {
    DATA_DIR: dataDirectory(t),
    DATABASE_URL: url,
    MEILI_URL: meiliUrl,
    MEILI_KEY: key,
    PROJECT_KEY: `transport-${Date.now()}`,
    DEMO_PRODUCTS: '100',
    PORT: String(await freePort()),
    ...changes,
  };
}

const isHealthy = { code: 0, output: /^\{"status":"ok".*\}\n$/ };
const request = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';

t.test('the platform starts with a certificate, fills its shop over TLS, and tells its health', async (t) => {
  const { certFile, keyFile } = await makeCertificate(t);
  const plainPort = await freePort();
  const environment = await environmentOf(t, {
    HOST: '0.0.0.0',
    TLS_CERT_FILE: certFile,
    TLS_KEY_FILE: keyFile,
    PLAIN_PORT: String(plainPort),
  });
  const started = startProcess(t, environment);
  await started.ready;
  t.match(started.output(), /Tradepost is ready at https:\/\/localhost:\d+/);
  t.match(started.output(), /matching-cart\?cartId=[0-9a-f-]{36}/);
  t.match(await runCommand(t, ['health'], environment), isHealthy);
  t.match(await exchange(plainPort, request), { answers: [{ status: 404, body: /<!DOCTYPE html>/ }] });

  const rival = startProcess(t, { ...environment, DATA_DIR: dataDirectory(t), PORT: String(await freePort()) });
  t.equal(await rival.exited, 1);
  t.match(rival.output(), /^The port \d+ of 0\.0\.0\.0 cannot be used: .*\. Set PLAIN_PORT to another one\.\n$/);
});

t.test('the platform starts behind a proxy, fills its shop, and tells its health', async (t) => {
  const environment = await environmentOf(t, { HOST: '0.0.0.0', TRUST_PROXY: 'true' });
  const started = startProcess(t, environment);
  await started.ready;
  t.match(started.output(), /Tradepost is ready at https:\/\/localhost,/);
  t.match(started.output(), /matching-cart\?cartId=[0-9a-f-]{36}/);
  t.match(await runCommand(t, ['health'], environment), isHealthy);
  t.match(await exchange(started.port, request), { answers: [{ status: 404, body: /<!DOCTYPE html>/ }] });
});

t.test('the health of a platform that does not run is an error', async (t) => {
  t.match(await runCommand(t, ['health'], { PORT: String(await freePort()) }), { code: 1, output: /ECONNREFUSED/ });
});
