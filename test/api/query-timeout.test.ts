import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { connect } from '../../src/storage/connection.ts';
import { requestToken, send, startPlatform } from '../support/platform.ts';

t.test('a query that takes too long is ended, and what comes after it is answered', async (t) => {
  const platform = await startPlatform(t);
  const { projectKey, client, config } = platform;
  const impatient = await startHttp({ ...config, queryTimeoutMs: 100 }, pino({ level: 'silent' }));
  t.teardown(() => impatient.close());
  const baseUrl = `http://127.0.0.1:${impatient.port}`;
  const token = await requestToken(baseUrl, client);
  const ask = (method: string, path: string, body?: unknown) =>
    send({ baseUrl, method, path: `/${projectKey}${path}`, body, headers: { authorization: `Bearer ${token}` } });
  t.equal((await ask('POST', '/zones', { key: 'alps', name: 'Alps' })).status, 201);
  const where = `where=${encodeURIComponent('name = "Alps"')}`;
  const query = { query: '{ zones(where: "name = \\"Alps\\"") { total results { name } } }' };

  // Queries wait for the lock until their time is over; what reads no documents goes on.
  const admin = connect({ databaseUrl: config.databaseUrl, connectionsMax: 1, prepare: true });
  t.teardown(() => admin.end());
  await admin.begin(async (transaction) => {
    await transaction`lock table documents in access exclusive mode`;
    const slow = await Promise.all(
      Array.from({ length: 16 }, (_, index) => ask('GET', `/zones?${index % 2 === 0 ? where : 'sort=name'}`)),
    );
    for (const { status, body } of slow)
      t.match({ status, body }, { status: 400, body: { statusCode: 400, errors: [{ code: 'QueryTimedOut' }] } });
    const { body } = await ask('POST', '/graphql', query);
    t.match(body, { errors: [{ extensions: { code: 'QueryTimedOut' } }] }, 'GraphQL says the same');
    t.equal((await ask('GET', '/zones/no-id')).status, 404, 'what waits for nothing is answered');
  });

  const after = await Promise.all(Array.from({ length: 16 }, () => ask('GET', `/zones?${where}`)));
  for (const { status, body } of after) t.match({ status, total: body['total'] }, { status: 200, total: 1 });
  t.match((await ask('POST', '/graphql', query)).body, { data: { zones: { total: 1 } } });
});

t.test('the timeout is not asked of a pooler, and 0 leaves it to the database', async (t) => {
  const { projectKey, client, config, sql } = await startPlatform(t);
  await sql.unsafe(
    `alter role current_user in database ${new URL(config.databaseUrl).pathname.slice(1)} set statement_timeout = '150ms'`,
  );
  const admin = connect({
    databaseUrl: config.databaseUrl,
    connectionsMax: 1,
    prepare: true,
    settings: { statement_timeout: 60_000 },
  });
  t.teardown(() => admin.end());
  for (const setting of [{ databasePrepare: false }, { queryTimeoutMs: 0 }]) {
    const server = await startHttp({ ...config, ...setting, answerCacheBytes: 0 }, pino({ level: 'silent' }));
    t.teardown(() => server.close());
    const baseUrl = `http://127.0.0.1:${server.port}`;
    const headers = { authorization: `Bearer ${await requestToken(baseUrl, client)}` };
    const request = { baseUrl, method: 'GET', path: `/${projectKey}/zones`, headers };
    t.equal((await send(request)).status, 200);
    await admin.begin(async (transaction) => {
      await transaction`lock table documents in access exclusive mode`;
      // Another query, for the answer to the first is kept.
      const slow = await send({ ...request, path: `${request.path}?limit=1` });
      t.match(slow.body, { errors: [{ code: 'QueryTimedOut' }] }, 'the setting of the role holds');
    });
    t.equal((await send(request)).status, 200);
  }
});
