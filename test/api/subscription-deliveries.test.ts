import { pino } from 'pino';
import t from 'tap';
import { startFeeder } from '../../src/feeder.ts';
import { type Delivery, notificationServer, subscribe } from '../support/notification-server.ts';
import { startModule, type StartedModule } from '../support/module-process.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

/** Set by tests: nothing else makes it later. */
let elapsedMs = 0;
/** What had elapsed when it was the time that others go by. */
let nowMs = 0;
const platform = await startPlatform(t);
const feeder = startFeeder(platform.config, pino({ level: 'silent' }), {
  elapsedMs: () => elapsedMs,
  clock: () => new Date(Date.now() + elapsedMs - nowMs),
});
t.teardown(() => feeder.close());
const changes = [{ resourceTypeId: 'customer-group' }];
const weekMs = 7 * 86_400_000;

async function groupIn({ request }: Pick<Platform, 'request'>, groupName: string): Promise<string> {
  const { status, text, body } = await request('POST', '/customer-groups', { groupName });
  if (status !== 201) throw new Error(text);
  feeder.wake();
  return String(body['id']);
}

/** Has so much time pass for those who rest. */
function pass(ms: number): void {
  elapsedMs += ms;
  feeder.wake();
}

const isAbout =
  (id: string) =>
  ({ body }: Delivery): boolean =>
    body.resource.id === id;

t.test('what is not taken is tried again after a second, then two, up to a minute, while others pass', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  await subscribe(project, server, { name: 'groups', changes });
  const triedAtMs: number[] = [];
  let refused: string | undefined;
  server.takings.set('groups', (response, { body }) => {
    refused ??= body.resource.id;
    if (body.resource.id === refused) triedAtMs.push(elapsedMs);
    response.writeHead(body.resource.id === refused ? 500 : 204).end();
  });
  const taken = async (name: string): Promise<void> => {
    const id = await groupIn(project, name);
    await server.until(() => server.of('groups').some(isAbout(id)));
  };
  const beganMs = elapsedMs;
  await groupIn(project, 'Refused');
  await server.until(() => triedAtMs.length === 1);
  const restsMs = [1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000];
  const expectedMs = [0];
  for (const [index, restMs] of restsMs.entries()) {
    // By the time that another one is taken it is known what became of this one, and nothing else was tried.
    await taken(`After ${index}`);
    pass(restMs - 1);
    await taken(`Before ${index + 1}`);
    pass(1);
    expectedMs.push(expectedMs.at(-1)! + restMs);
    await server.until(() => triedAtMs.length === expectedMs.length);
  }
  t.strictSame(
    triedAtMs.map((atMs) => atMs - beganMs),
    expectedMs,
  );
});

t.test('what is erased is told to be gone, and nothing else of it that waits', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  const customers = [{ resourceTypeId: 'customer' }];
  await subscribe(project, server, { name: 'customers', changes: customers, messages: customers });
  server.takings.set('customers', (response) => response.writeHead(500).end());
  const customerOf = async (email: string): Promise<string> => {
    const { body } = await project.request('POST', '/customers', { email, password: 'secret-123' });
    return (body['customer'] as { readonly id: string }).id;
  };
  const [erased, kept] = [await customerOf('erased@example.org'), await customerOf('kept@example.org')];
  await server.until(() => server.of('customers').length > 0);
  for (const [id, query] of [
    [erased, 'version=1&dataErasure=true'],
    [kept, 'version=1'],
  ] as const)
    t.equal((await project.request('DELETE', `/customers/${id}?${query}`)).status, 200);
  const before = server.deliveries.length;
  server.takings.clear();
  pass(60_000);
  const taken = (id: string): readonly unknown[] =>
    server.deliveries
      .slice(before)
      .filter((delivery) => delivery.body.resource.id === id)
      .map(({ body }) => body['type'] ?? body.notificationType);
  await server.until(() => taken(erased).includes('ResourceDeleted') && taken(kept).includes('CustomerDeleted'));
  t.strictSame(taken(erased), ['ResourceDeleted']);
  t.match(server.deliveries.find(({ body }) => body['dataErasure'] === true)?.body.resource.id, erased);
  t.strictSame(taken(kept), ['ResourceCreated', 'CustomerCreated', 'ResourceDeleted', 'CustomerDeleted']);
});

t.test('what is erased while something of it is being told is not told any more', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  const customers = [{ resourceTypeId: 'customer' }];
  await subscribe(project, server, { name: 'slow', messages: customers });
  const held: (() => void)[] = [];
  server.takings.set('slow', (response) => {
    held.push(() => response.writeHead(204).end());
  });
  const draft = { email: 'erased@example.org', password: 'secret-123' };
  const { body } = await project.request('POST', '/customers', draft);
  const { id } = body['customer'] as { readonly id: string };
  const names = ['A', 'B', 'C'].map((firstName) => ({ action: 'setFirstName', firstName }));
  t.equal((await project.request('POST', `/customers/${id}`, { version: 1, actions: names })).status, 200);
  await server.until(() => held.length === 1);
  // Taken by now, as the first one is.
  feeder.wake();
  const other = await project.request('POST', '/customers', { ...draft, email: 'other@example.org' });
  const { id: otherId } = other.body['customer'] as { readonly id: string };
  feeder.wake();
  await server.until(() => held.length === 2);
  t.equal((await project.request('DELETE', `/customers/${id}?version=2&dataErasure=true`)).status, 200);
  pass(2000);
  server.takings.clear();
  for (const take of held) take();
  const last = { version: 1, actions: [{ action: 'setFirstName', firstName: 'Last' }] };
  t.equal((await project.request('POST', `/customers/${otherId}`, last)).status, 200);
  feeder.wake();
  await server.until(() => server.of('slow').some(({ body: told }) => told['firstName'] === 'Last'));
  t.strictSame(
    server.of('slow').flatMap(({ body: told }) => (told.resource.id === id ? [told['type']] : [])),
    ['CustomerCreated'],
  );
});

t.test('a payload that is too large is left out, and said to be', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  await subscribe(project, server, { name: 'categories', messages: [{ resourceTypeId: 'category' }] });
  const description = { en: 'x'.repeat(300_000) };
  const draft = { name: { en: 'Large' }, slug: { en: 'large' }, description };
  const { status, text, body } = await project.request('POST', '/categories', draft);
  t.equal(status, 201, text.slice(0, 1000));
  await server.until(() => server.of('categories').length === 1);
  const [{ text: sent, body: told }] = server.of('categories') as [Delivery];
  t.ok(Buffer.byteLength(sent) < 4096);
  t.match(told, {
    notificationType: 'Message',
    resource: { typeId: 'category', id: body['id'] },
    type: 'CategoryCreated',
    sequenceNumber: 1,
    payloadNotIncluded: { reason: /256 KB/, payloadType: 'CategoryCreated' },
  });
  t.notOk('category' in told);
});

t.test('nothing is left for nobody, and what has not taken place is not told', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  const left = async (): Promise<number> =>
    (await project.sql`select from notices where project = ${project.projectKey}`).length;
  await groupIn(project, 'Nobody hears');
  t.equal(await left(), 0);
  await subscribe(project, server, { name: 'groups', changes });
  server.takings.set('groups', (response) => response.writeHead(500).end());
  const id = await groupIn(project, 'Heard');
  t.equal(await left(), 1);
  const actions = [{ action: 'setKey', key: 'heard' }];
  t.equal((await project.request('POST', `/customer-groups/${id}`, { version: 7, actions })).status, 409);
  t.equal((await project.request('POST', '/customer-groups', { groupName: 'Heard' })).status, 400);
  t.equal(await left(), 1);
});

// The last of those of this feeder: to its clock, all that is put on the queue after this is a week old.
t.test('what is not taken for a week goes, and what is to be set up otherwise hears of nothing then', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  await subscribe(project, server, { name: 'watch', changes: [{ resourceTypeId: 'subscription' }] });
  const stopping = await subscribe(project, server, { name: 'stops', changes });
  const waiting = await subscribe(project, server, { name: 'waits', changes });
  server.takings.set('stops', (response) => response.writeHead(410).end());
  server.takings.set('waits', (response) => response.writeHead(503).end());
  const statusOf = async ({ id }: { readonly id: string }): Promise<unknown> =>
    (await project.request('GET', `/subscriptions/${id}`)).body['status'];
  const told = (id: string): number => server.of('watch').filter(isAbout(id)).length;
  await groupIn(project, 'Old');
  await server.until(() => told(stopping.id) === 1 && told(waiting.id) === 1);
  t.strictSame([await statusOf(stopping), await statusOf(waiting)], ['ConfigurationError', 'TemporaryError']);
  pass(weekMs + 60_000);
  await server.until(() => told(stopping.id) === 2 && server.of('waits').length > 1);
  t.equal(await statusOf(stopping), 'ConfigurationErrorDeliveryStopped');
  server.takings.clear();
  const missed = await groupIn(project, 'New');
  await server.until(() => server.of('waits').some(isAbout(missed)));
  // What was dropped is not waited for any more.
  pass(60_000);
  await server.until(() => told(waiting.id) === 2);
  t.equal(await statusOf(waiting), 'Healthy');
  const { body } = await project.request('GET', `/subscriptions/${stopping.id}`);
  const destination = { type: 'HTTP', url: server.urlOf('works') };
  const actions = [{ action: 'changeDestination', destination }];
  const changed = await project.request('POST', `/subscriptions/${stopping.id}`, { version: body['version'], actions });
  t.match(changed, { status: 200, body: { status: 'Healthy' } });
  const last = await groupIn(project, 'Last');
  await server.until(() => [server.of('works'), server.of('waits')].every((each) => each.some(isAbout(last))));
  t.strictSame(
    server.of('works').map((delivery) => delivery.body.resource.id),
    [last],
  );
});

t.test('a week of errors that pass is no week of those that do not', async (t) => {
  nowMs = elapsedMs;
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  await subscribe(project, server, { name: 'watch', changes: [{ resourceTypeId: 'subscription' }] });
  const { id } = await subscribe(project, server, { name: 'turns', changes });
  const told = (): number => server.of('watch').filter(isAbout(id)).length;
  const statusOf = async (): Promise<unknown> => (await project.request('GET', `/subscriptions/${id}`)).body['status'];
  server.takings.set('turns', (response) => response.writeHead(503).end());
  await groupIn(project, 'Old');
  await server.until(() => told() === 1);
  server.takings.set('turns', (response) => response.writeHead(410).end());
  pass(weekMs + 60_000);
  await server.until(() => told() === 2);
  t.equal(await statusOf(), 'ConfigurationError');
  server.takings.clear();
  const next = await groupIn(project, 'New');
  await server.until(() => server.of('turns').some(isAbout(next)));
});

t.test('who takes others meanwhile goes on hearing of them, though one is refused for a week', async (t) => {
  nowMs = elapsedMs;
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  await subscribe(project, server, { name: 'watch', changes: [{ resourceTypeId: 'subscription' }] });
  const { id } = await subscribe(project, server, { name: 'picks', changes });
  const told = (): number => server.of('watch').filter(isAbout(id)).length;
  const refused: string[] = [];
  server.takings.set('picks', (response, { body }) => {
    refused.push(refused[0] ?? body.resource.id);
    response.writeHead(body.resource.id === refused[0] ? 410 : 204).end();
  });
  await groupIn(project, 'Refused');
  await server.until(() => told() === 1);
  pass(weekMs / 2);
  const other = await groupIn(project, 'Taken');
  await server.until(() => server.of('picks').some(isAbout(other)));
  const tries = (): number => server.of('picks').filter(isAbout(refused[0]!)).length;
  const before = tries();
  pass(weekMs / 2 + 60_000);
  await server.until(() => tries() > before);
  const last = await groupIn(project, 'Last');
  await server.until(() => server.of('picks').some(isAbout(last)));
  // What was dropped is not waited for any more.
  pass(60_000);
  await server.until(() => told() === 2);
  t.match(await project.request('GET', `/subscriptions/${id}`), { body: { status: 'Healthy' } });
});

/** A process that tells what waits, and nothing else that is on the database. */
function feederOf(t: Parameters<typeof startModule>[0], { config }: Platform): StartedModule {
  const { projectKey, databaseUrl } = config;
  const given = JSON.stringify({ databaseUrl, allowsPrivateSubscriptions: true, meiliUrl: undefined });
  return startModule(
    t,
    'feeder.js',
    `const { loadConfig } = await import(new URL('config.js', module.url ?? '${new URL('../../src/config.js', import.meta.url).href}'));
    const log = { warn() {}, info() {}, error() {} };
    module.startFeeder({ ...loadConfig({ PROJECT_KEY: '${projectKey}' }), ...${given} }, log);`,
  );
}

t.test('a process that is killed while it tells leaves the rest to another one', async (t) => {
  const alone = await startPlatform(t);
  const server = await notificationServer(t);
  await subscribe(alone, server, { name: 'groups', changes });
  const ids = await Promise.all(Array.from({ length: 4 }, (_, index) => groupIn(alone, `Group ${index}`)));
  const versions = 6;
  for (let version = 1; version < versions; version += 1)
    await Promise.all(
      ids.map((id) =>
        alone.request('POST', `/customer-groups/${id}`, {
          version,
          actions: [{ action: 'setKey', key: `${id}-${version}` }],
        }),
      ),
    );
  const first = feederOf(t, alone);
  let killed: Promise<number | null> | undefined;
  server.takings.set('groups', (response, { body }) => {
    // It never hears that this one was taken.
    if (body['version'] === 3 && killed === undefined) {
      first.child.kill('SIGKILL');
      killed = first.exited;
    } else response.writeHead(204).end();
  });
  await server.until(() => killed !== undefined);
  await killed;
  const before = server.of('groups').length;
  feederOf(t, alone);
  const latest = (id: string): unknown => server.of('groups').findLast(isAbout(id))?.body['version'];
  await server.until(() => ids.every((id) => latest(id) === versions));
  t.ok(before < ids.length * versions, 'some were left');
  for (const id of ids) {
    const told = server
      .of('groups')
      .filter(isAbout(id))
      .map(({ body }) => Number(body['version']));
    t.strictSame([...new Set(told)], [1, 2, 3, 4, 5, 6], 'nothing is lost');
    const steps = told.map((version, index) => version - (told[index - 1] ?? 0));
    t.ok(
      steps.filter((step) => step < 1).length <= 1,
      `told again once at most, and in order otherwise: ${told.join()}`,
    );
  }
});
