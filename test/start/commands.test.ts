import t, { type Test } from 'tap';
import { freePort } from '../../src/embedded/service.ts';
import { requestToken, send } from '../support/platform.ts';
import { dataDirectory, processesWith, runCommand, startProcess } from '../support/process.ts';
import { createDatabase } from '../support/services.ts';

const names = ['API_URL', 'AUTH_URL', 'PROJECT_KEY', 'CLIENT_ID', 'CLIENT_SECRET', 'SCOPES'];

/** The values of the CTP lines, which are all that a command prints. */
function credentialsIn(t: Test, output: string): Readonly<Record<string, string>> {
  const lines = output.split('\n').slice(0, -1);
  t.strictSame(
    lines.map((line) => line.split('=')[0]),
    names.map((name) => `CTP_${name}`),
    output,
  );
  return Object.fromEntries(lines.map((line) => [/^CTP_(\w+)=/.exec(line)?.[1], line.slice(line.indexOf('=') + 1)]));
}

/** Creates a project by the command, checks what it prints, and gives the credentials. */
async function createProject(t: Test, args: readonly string[], environment: NodeJS.ProcessEnv) {
  const { code, output } = await runCommand(t, ['project', 'create', ...args], environment);
  t.equal(code, 0, output);
  return credentialsIn(t, output);
}

/** A request as an operator's client makes it: a token from the credentials, then the call. */
async function ask(port: number, credentials: Readonly<Record<string, string>>, path: string, body?: unknown) {
  const baseUrl = `http://127.0.0.1:${port}`;
  const { CLIENT_ID: clientId = '', CLIENT_SECRET: clientSecret = '', PROJECT_KEY: key } = credentials;
  const token = await requestToken(baseUrl, { clientId, clientSecret });
  return send({
    baseUrl,
    method: body === undefined ? 'GET' : 'POST',
    path: `/${key}${path}`,
    body,
    headers: { authorization: `Bearer ${token}` },
  });
}

t.test('projects and clients are made without a platform, and one that starts later serves them', async (t) => {
  const dataDir = dataDirectory(t);
  const port = await freePort();
  const environment = { DATA_DIR: dataDir, PORT: String(port) };
  const first = await createProject(t, ['shop-one'], environment);
  t.match(first, {
    API_URL: `http://localhost:${port}`,
    AUTH_URL: `http://localhost:${port}`,
    PROJECT_KEY: 'shop-one',
    SCOPES: 'manage_project:shop-one',
  });
  t.strictSame(await runCommand(t, ['project', 'create', 'shop-one'], environment), {
    code: 1,
    output: "There is a project 'shop-one' already.\n",
  });
  t.strictSame(
    await runCommand(t, ['client', 'create', '--project', 'nowhere', '--scope', 'view_zones:nowhere'], environment),
    { code: 1, output: "There is no project 'nowhere'.\n" },
  );
  const scope = 'view_zones:shop-one view_orders:shop-one:berlin';
  const made = await runCommand(t, ['client', 'create', '--project', 'shop-one', '--scope', scope], environment);
  const second = credentialsIn(t, made.output);
  t.match(second, { PROJECT_KEY: 'shop-one', SCOPES: scope });
  t.strictSame(processesWith(dataDir), [], 'the database that was started for the commands is stopped');

  const started = startProcess(t, environment);
  await started.ready;
  t.equal((await ask(port, first, '/zones', { key: 'de', name: 'Germany' })).status, 201);
  t.match((await ask(port, second, '/zones')).body, { total: 1 });
  t.equal((await ask(port, second, '/zones', { name: 'France' })).status, 403, 'the client has its scopes only');

  const third = await createProject(t, ['shop-two'], { DATA_DIR: dataDir });
  t.equal(third['API_URL'], `http://localhost:${port}`, 'whoever asks hears the address of the platform that runs');
  t.equal((await ask(port, third, '/zones', { name: 'Italy' })).status, 201, 'the platform runs on');
  t.match((await ask(port, third, '/zones')).body, { total: 1 });
  const fourth = await runCommand(
    t,
    ['client', 'create', '--project', 'shop-two', '--scope', 'view_zones:shop-two', '--scope', 'view_states:shop-two'],
    environment,
  );
  const credentials = credentialsIn(t, fourth.output);
  t.equal(credentials['SCOPES'], 'view_zones:shop-two view_states:shop-two');
  t.match((await ask(port, credentials, '/zones')).body, { total: 1 });
  t.equal((await ask(port, first, '/zones')).status, 200);
  t.match(await runCommand(t, ['search:rebuild', 'shop-one'], environment), {
    code: 0,
    output: /^The search indexes of shop-one are new\.\n$/,
  });
  const { version } = (await ask(port, first, '')).body;
  const off = { action: 'changeProductSearchIndexingEnabled', enabled: false, mode: 'ProductProjectionsSearch' };
  t.equal((await ask(port, first, '', { version, actions: [off] })).status, 200);
  t.match(
    await runCommand(t, ['search:rebuild', 'shop-one'], environment),
    { code: 0, output: /are new/ },
    'the search of products alone is enough',
  );
});

t.test('a project that was asked for before it was there is served at the very next request', async (t) => {
  const { url } = await createDatabase(t);
  const port = await freePort();
  const environment = { DATA_DIR: dataDirectory(t), PORT: String(port), DATABASE_URL: url };
  const started = startProcess(t, { ...environment, PROJECT_KEY: 'shop-zero' });
  await started.ready;
  const early = { PROJECT_KEY: 'shop-one', CLIENT_ID: 'x', CLIENT_SECRET: 'x' };
  t.equal((await ask(port, early, '/zones')).status, 401);
  const first = await createProject(t, ['shop-one'], environment);
  const answers = await Promise.all(Array.from({ length: 8 }, () => ask(port, first, '/zones')));
  t.strictSame([...new Set(answers.map(({ status }) => status))], [200], 'whichever process answers');
});

t.test('an outside database without a platform is migrated when it is new, and has what was asked for', async (t) => {
  const { url, sql } = await createDatabase(t, 'template1');
  const environment = { DATA_DIR: dataDirectory(t), DATABASE_URL: url, BASE_URL: 'https://shop.example' };
  const lists = ['--countries', 'DE, AT', '--currencies', 'EUR,CHF', '--languages', 'de,de-AT'];
  const credentials = await createProject(t, ['shop', '--name', 'The shop', ...lists], environment);
  t.match(credentials, { API_URL: 'https://shop.example', PROJECT_KEY: 'shop' });
  const scope = 'view_orders:shop';
  const client = ['client', 'create', '--project', 'shop', '--scope', scope, '--name', 'Checkout'];
  t.match(await runCommand(t, client, environment), { code: 0 });
  const [project] = await sql<{ data: string }[]>`select data::text as data from projects where key = 'shop'`;
  t.match(JSON.parse(project!.data), {
    name: 'The shop',
    countries: ['DE', 'AT'],
    currencies: ['EUR', 'CHF'],
    languages: ['de', 'de-AT'],
  });
  const clients = await sql`
    select data ->> 'name' as name, to_json(string_to_array(data ->> 'scope', ' ')) as scopes
    from documents where kind = 'api-client' order by data ->> 'createdAt'`;
  t.strictSame(
    clients.map(({ name, scopes }) => ({ name, scopes })),
    [
      { name: 'First client', scopes: ['manage_project:shop'] },
      { name: 'Checkout', scopes: [scope] },
    ],
  );
  t.strictSame(await runCommand(t, ['backlog'], environment), { code: 0, output: 'Nothing waits.\n' });
  await sql`insert into outbox (project, topic, kind, id, version, at)
    select 'shop', 'suggest', 'product', gen_random_uuid(), 1, clock_timestamp() - interval '1 hour' from generate_series(1, 3)`;
  await sql`insert into suggest_dirty (project, locale, hash) values ('shop', 'en', 'x')`;
  await sql`insert into suggest_poison (project, locale, hash, error) values ('shop', 'en', 'y', 'too long')`;
  await sql`insert into suggest_fillings (project, begun_at, stage, done, total) values ('shop', clock_timestamp(), 'texts', 2, 9)`;
  t.match(await runCommand(t, ['backlog'], environment), {
    code: 0,
    output: new RegExp(
      [
        '^TOPIC    PROJECT  WAITING                                 OLDEST',
        'suggest  shop     3 changes                               36\\d\\d s',
        'suggest  shop     1 texts for the search engine           \\d+ s',
        'suggest  shop     7 texts for new indexes                 \\d+ s',
        'suggest  shop     1 texts that the search engine refuses  \\d+ s\\n$',
      ].join('\\n'),
    ),
  });
  t.match(await runCommand(t, ['search:rebuild', 'other'], environment), {
    code: 1,
    output: "There is no project 'other'.\n",
  });
  await sql`update projects set data = jsonb_set(data, '{searchIndexing}',
    '{"products": {"status": "Deactivated"}, "productsSearch": {"status": "Deactivated"}}')`;
  t.match(await runCommand(t, ['search:rebuild', 'shop'], environment), {
    code: 1,
    output: "Product search indexing is off in the project 'shop'.\n",
  });
  await sql`delete from schema_migrations where number = (select max(number) from schema_migrations)`;
  t.match(await runCommand(t, client, environment), {
    code: 1,
    output: /^The database lacks the migrations 0.*\.sql\. Run npm run migrate first\.\n$/,
  });
});

t.test('a wrong command line is answered with one sentence and the usage', async (t) => {
  const client = ['client', 'create', '--project', 'shop', '--scope'];
  const cases: readonly (readonly [args: readonly string[], expected: RegExp])[] = [
    [['project'], /^The command takes the word create and the key of the new project\.\n/],
    [['project', 'remove', 'shop'], /^The command takes the word create/],
    [['project', 'create', 'shop', 'other'], /^The command takes the word create/],
    [['project', 'create', 'shop', '--wings'], /^Unknown option '--wings'\.\n/],
    [['project', 'create', 'Shop!'], /^The project cannot be created: the key is 'Shop!', but 2 to 36 of .*\.\n/],
    [
      ['project', 'create', 'shop', '--countries', 'DE,XX', '--currencies', 'EURO', '--languages', ''],
      /^The project cannot be created: --countries has 'XX', .*; --currencies has 'EURO', .*; --languages has '', .*\.\n/,
    ],
    [['project', 'create', 'shop', '--name', ' '], /^The project cannot be created: --name is empty\.\n/],
    [['backlog', 'shop'], /^The command takes no arguments\.\n/],
    [['search:rebuild'], /^The command takes the key of a project\.\n/],
    [['search:rebuild', 'one', 'other'], /^The command takes the key of a project\.\n/],
    [['client'], /^The command takes the word create and options\.\n/],
    [['client', 'create', '--project', 'shop'], /^--project and --scope are needed\.\n/],
    [['client', 'create', '--scope', 'view_orders:shop'], /^--project and --scope are needed\.\n/],
    [[...client, 'view_wings:shop'], /^The client cannot be created: there is no scope 'view_wings:shop'\.\n/],
    [[...client, 'view_orders'], /there is no scope 'view_orders'\.\n/],
    [[...client, 'view_zones:shop:berlin'], /there is no scope 'view_zones:shop:berlin'\.\n/],
    [
      [...client, 'view_orders:other view_zones:shop'],
      /^The client cannot be created: the scope 'view_orders:other' is of another project than 'shop'\.\n/,
    ],
  ];
  const environment = { DATA_DIR: dataDirectory(t), DATABASE_URL: 'postgres://nobody@127.0.0.1:1/nothing' };
  for (const [args, expected] of cases) {
    const { code, output } = await runCommand(t, args, environment);
    t.equal(code, 1, args.join(' '));
    t.match(output, expected, args.join(' '));
    t.match(output, new RegExp(`^Usage: npm run ${args[0]}( -- (create |PROJECT)|$)`, 'm'), args.join(' '));
    t.notMatch(output, /\n {4}at /, 'no stack trace');
  }
});
