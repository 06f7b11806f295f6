import { createServer } from 'node:net';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { requestToken, send } from '../support/platform.ts';
import { readMigrations } from '../../src/storage/migrate.ts';
import { createDatabase, eventually, meilisearch, migrationsDirectory } from '../support/services.ts';
import {
  childrenOf,
  dataDirectory,
  processesWith,
  runCommand,
  startProcess,
  type Started,
} from '../support/process.ts';
import { freePort } from '../../src/embedded/service.ts';

/** Values that the banner prints as `CTP_<name>=<value>`. */
function printed({ output }: Started, name: string): string {
  return new RegExp(`^CTP_${name}=(.*)$`, 'm').exec(output())?.[1] ?? '';
}

async function ask(started: Started, method: string, path: string, body?: unknown) {
  const baseUrl = `http://127.0.0.1:${started.port}`;
  const token = await requestToken(baseUrl, {
    clientId: printed(started, 'CLIENT_ID'),
    clientSecret: printed(started, 'CLIENT_SECRET'),
  });
  return send({
    baseUrl,
    method,
    path: `/${printed(started, 'PROJECT_KEY')}${path}`,
    body,
    headers: { authorization: `Bearer ${token}` },
  });
}

t.test(
  'a start prints what a client needs, a second one keeps the data, and a signal leaves nothing behind',
  async (t) => {
    const dataDir = dataDirectory(t);
    const environment = { DATA_DIR: dataDir, PORT: String(await freePort()) };
    const first = startProcess(t, { ...environment, DEMO_PRODUCTS: '100' });
    await first.ready;
    for (const name of ['API_URL', 'AUTH_URL', 'PROJECT_KEY', 'CLIENT_ID', 'CLIENT_SECRET', 'SCOPES'])
      t.ok(printed(first, name), name);
    t.match(first.output(), /Loading demo data: \d+ of \d+/);
    t.match(first.output(), /matching-cart\?cartId=[0-9a-f-]{36}/, 'the command to copy names a real cart');
    const carts = await ask(first, 'GET', '/carts?limit=1');
    const [cart] = carts.body['results'] as { id: string }[];
    const matching = await ask(first, 'GET', `/shipping-methods/matching-cart?cartId=${cart!.id}`);
    t.ok(Number(matching.body['count']) > 0);
    t.match((await ask(first, 'GET', '/shipping-methods')).body, { total: 20 });
    t.match((await ask(first, 'GET', '/products')).body, { total: 100 });
    await eventually(async () =>
      (await ask(first, 'GET', '/product-projections/suggest?searchKeywords.de=z')).status === 200 ? true : undefined,
    );

    const children = childrenOf(first.child.pid!);
    t.ok(children.length >= 5, 'two HTTP processes, a feeder, Postgres and Meilisearch');
    first.child.kill('SIGTERM');
    t.equal(await first.exited, 0);
    t.strictSame(processesWith(dataDir), []);
    t.notOk(children.some((pid) => existsSync(`/proc/${pid}`)));

    const second = startProcess(t, { ...environment, DEMO_PRODUCTS: '100' });
    await second.ready;
    t.notMatch(second.output(), /Loading demo data/);
    t.equal(printed(second, 'CLIENT_SECRET'), printed(first, 'CLIENT_SECRET'), 'the client is remembered');
    t.match((await ask(second, 'GET', '/products')).body, { total: 100 });
  },
);

t.test('a process that dies is started again, and a start after kill -9 works', async (t) => {
  const dataDir = dataDirectory(t);
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()) };
  const first = startProcess(t, environment);
  await first.ready;
  await ask(first, 'POST', '/zones', { key: 'kept', name: 'Kept' });
  const supervisor = first.child.pid!;
  const http = childrenOf(supervisor).filter((pid) =>
    readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0http\0'),
  );
  t.ok(http.length >= 2, 'two serve, and one may wait already');
  for (const pid of http) process.kill(pid, 'SIGKILL');
  const isBack = async () => {
    const now = childrenOf(supervisor).filter(
      (pid) => !http.includes(pid) && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('\0http\0'),
    );
    if (now.length < 2) return undefined;
    return (await ask(first, 'GET', '/zones/key=kept').catch(() => undefined))?.status === 200 ? true : undefined;
  };
  t.ok(await eventually(isBack));

  first.child.kill('SIGKILL');
  await first.exited;
  await eventually(async () =>
    processesWith(dataDir).some((command) => command.includes('main.js')) ? undefined : true,
  );
  const second = startProcess(t, environment);
  await second.ready;
  t.match((await ask(second, 'GET', '/zones/key=kept')).body, { name: 'Kept' });
  const rival = startProcess(t, { ...environment, PORT: String(await freePort()) });
  t.equal(await rival.exited, 1);
  t.match(rival.output(), /^Tradepost is running already on .*, as process \d+\.\n$/);
});

t.test('migrations are checked and applied by a command, while the platform runs or not', async (t) => {
  const dataDir = dataDirectory(t);
  const environment = { DATA_DIR: dataDir, PORT: String(await freePort()) };
  t.strictSame(await runCommand(t, ['migrate', '--check'], environment), {
    code: 1,
    output: `Pending: ${readMigrations(migrationsDirectory)
      .map(({ name }) => name)
      .join(', ')}\n`,
  });
  t.match(await runCommand(t, ['migrate'], environment), { code: 0, output: /^Applied: 0001_core\.sql, / });
  const upToDate = { code: 0, output: 'The database is up to date.\n' };
  t.strictSame(await runCommand(t, ['migrate', '--check'], environment), upToDate);
  const started = startProcess(t, environment);
  await started.ready;
  t.strictSame(await runCommand(t, ['migrate', '--check'], environment), upToDate);
  t.equal((await ask(started, 'GET', '/zones')).status, 200, 'the command leaves the running database alone');
});

t.test('what is in the way is said in one sentence', async (t) => {
  const server = createServer();
  const port = await new Promise<number>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve((server.address() as { port: number }).port));
  });
  t.teardown(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const file = join(dataDirectory(t), 'file');
  writeFileSync(file, '');
  const cases = [
    [
      'a taken port',
      { PORT: String(port) },
      /^The port \d+ of 127\.0\.0\.1 cannot be used: another program listens on it\. Set PORT to another one\.\n$/,
    ],
    [
      'a wrong setting',
      { PORT: 'http', PROCESSES: '-1' },
      /^The configuration is not valid: PORT is 'http', but .*; PROCESSES is '-1', but .*\.\n$/,
    ],
    [
      'a directory that cannot be made',
      { PORT: String(await freePort()), DATA_DIR: join(file, 'data') },
      /^The data directory .* cannot be made: ENOTDIR.*\.\n$/,
    ],
    [
      'an unreachable database',
      { PORT: String(await freePort()), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' },
      /^[^\n]+\n$/,
    ],
  ] as const;
  for (const [name, environment, expected] of cases) {
    const started = startProcess(t, { DATA_DIR: dataDirectory(t), ...environment });
    t.equal(await started.exited, 1, name);
    t.match(started.output(), expected, name);
    t.notMatch(started.output(), /\n {4}at /, 'no stack trace');
  }
});

t.test('outside servers are used instead of the embedded ones', async (t) => {
  const dataDir = dataDirectory(t);
  const { url } = await createDatabase(t);
  const { url: meiliUrl, key } = meilisearch();
  const projectKey = `outside-${Date.now()}`;
  const started = startProcess(t, {
    DATA_DIR: dataDir,
    PORT: String(await freePort()),
    DATABASE_URL: url,
    MEILI_URL: meiliUrl,
    MEILI_KEY: key,
    PROJECT_KEY: projectKey,
  });
  await started.ready;
  t.notOk(existsSync(join(dataDir, 'postgres')));
  t.notOk(existsSync(join(dataDir, 'meilisearch')));
  t.equal(printed(started, 'PROJECT_KEY'), projectKey);
  t.equal((await ask(started, 'POST', '/zones', { name: 'Outside' })).status, 201);
  await eventually(async () =>
    (await ask(started, 'GET', '/product-projections/suggest?searchKeywords.en=x')).status === 200 ? true : undefined,
  );
  started.child.kill('SIGTERM');
  t.equal(await started.exited, 0);
});
