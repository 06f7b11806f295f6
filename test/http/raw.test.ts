import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { requestToken, startPlatform } from '../support/platform.ts';
import { rawCases } from '../support/raw-cases.ts';
import { exchange } from '../support/raw-socket.ts';

t.test('what a client sends is answered, refused in JSON, or refused by the native server', async (t) => {
  const { baseUrl, projectKey, client, request } = await startPlatform(t);
  t.equal((await request('POST', '/zones', { name: 'Zone0' })).status, 201);
  const port = Number(new URL(baseUrl).port);
  const cases = rawCases({ path: `/${projectKey}/zones`, token: await requestToken(baseUrl, client) });
  // Some connections are closed after 10 s only, so all are tried at once.
  const exchanges = await Promise.all(cases.map(({ bytes }) => exchange(port, bytes)));
  for (const [index, { name, direct }] of cases.entries()) {
    const { answers, isClosed } = exchanges[index]!;
    const finals = answers.filter(({ status }) => status >= 200);
    if (direct === 'closed') {
      t.strictSame({ answers, isClosed }, { answers: [], isClosed: true }, name);
      continue;
    }
    const [status, code] = direct;
    t.strictSame(
      finals.map((answer) => [answer.status, answer.code]),
      [[status, code]],
      name,
    );
    if (status < 300) t.notOk(isClosed, name);
    if (code !== undefined) t.match(finals[0]?.headers.get('x-correlation-id'), /^[0-9a-f-]{36}$/, name);
    t.equal(finals[0]?.headers.get('uwebsockets'), undefined, name);
  }
});

t.test('requests whose answers are ready at once may be sent together', async (t) => {
  const { baseUrl } = await startPlatform(t);
  const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n';
  const { answers } = await exchange(Number(new URL(baseUrl).port), request.repeat(10));
  t.strictSame(
    answers.map(({ status }) => status),
    Array.from({ length: 10 }, () => 200),
  );
});

t.test('a client that ends its side of the connection before the answer gets none', async (t) => {
  const { baseUrl, projectKey } = await startPlatform(t);
  const request = `GET /${projectKey}/zones HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\r\n\r\n`;
  const { answers } = await exchange(Number(new URL(baseUrl).port), request, { endsAtOnce: true });
  t.strictSame(answers, []);
});

t.test('the header Upgrade is left to the operator', async (t) => {
  const { config } = await startPlatform(t);
  const log = pino({ level: 'silent' });
  const cases = [
    [true, 400],
    [false, 200],
  ] as const;
  for (const [blocksUpgradeHeader, status] of cases) {
    const http = await startHttp({ ...config, blocksUpgradeHeader }, log);
    t.teardown(() => http.close());
    const request = 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nUpgrade: h2c\r\nConnection: Upgrade\r\n\r\n';
    const { answers } = await exchange(http.port, request);
    t.equal(answers[0]?.status, status);
  }
});
