import t from 'tap';
import { startFeeder } from '../../src/feeder.ts';
import { pino } from 'pino';
import { type Delivery, notificationServer, subscribe } from '../support/notification-server.ts';
import { keepMessages, messagesOf } from '../support/messages.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t, { feeder: true });
const changes = [{ resourceTypeId: 'customer-group' }];

/** A group of this name, at version 1. */
async function groupIn({ request }: Pick<typeof platform, 'request'>, groupName: string): Promise<string> {
  const { status, text, body } = await request('POST', '/customer-groups', { groupName });
  if (status !== 201) throw new Error(text);
  return String(body['id']);
}

t.test('a subscription is tested before it is stored, and its secret is kept from all', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  const headerValue = 'Basic c2VjcmV0';
  const authentication = { type: 'AuthorizationHeader', headerValue };
  const destination = { type: 'HTTP', url: server.urlOf('one'), authentication };
  const subscription = await subscribe(project, server, { name: 'one', changes, destination });
  t.match(subscription, {
    version: 1,
    status: 'Healthy',
    destination: { authentication: { headerValue: '****' } },
    format: { type: 'Platform' },
    messages: [],
    events: [],
  });
  t.match(server.deliveries, [{ headers: { authorization: headerValue, 'content-type': /^application\/json/ } }]);
  t.strictSame(server.deliveries[0]!.body, {
    notificationType: 'ResourceCreated',
    projectKey: project.projectKey,
    resource: { typeId: 'subscription', id: subscription.id },
    resourceUserProvidedIdentifiers: { key: 'one' },
    version: 1,
    modifiedAt: subscription['createdAt'],
  });
  for (const [name, taking] of [
    ['refuses', 400],
    ['redirects', 302],
    ['fails', 500],
  ] as const) {
    server.takings.set(name, (response) => response.writeHead(taking, { location: server.urlOf('one') }).end());
    const draft = { key: name, changes, destination: { type: 'HTTP', url: server.urlOf(name) } };
    const { status, body } = await project.request('POST', '/subscriptions', draft);
    t.match({ status, body }, { status: 400, body: { errors: [{ code: 'InvalidInput', message: /status/ }] } }, name);
  }
  t.match((await project.request('GET', '/subscriptions')).body, { total: 1 });
  const path = `/subscriptions/${subscription.id}`;
  const to = (name: string): object => ({
    version: 1,
    actions: [{ action: 'changeDestination', destination: { type: 'HTTP', url: server.urlOf(name) } }],
  });
  t.match(await project.request('POST', path, to('fails')), { status: 400 });
  t.strictSame((await project.request('GET', path)).body, subscription);
  t.match(await project.request('POST', path, to('two')), { status: 200, body: { version: 2 } });
  t.match(server.deliveries.at(-1), { name: 'two', headers: { authorization: undefined }, body: { version: 2 } });
  const [stored] = await project.sql`
    select data::text || coalesce(internals::text, '') as kept from documents where id = ${subscription.id}`;
  t.notMatch(stored?.['kept'], /c2VjcmV0/, 'nothing is left of a secret that is not used');
});

t.test('what cannot be is refused', async (t) => {
  const server = await notificationServer(t);
  const { request } = await platform.anotherProject();
  const destination = { type: 'HTTP', url: server.urlOf('one') };
  for (const draft of [
    { destination },
    { destination, messages: [{ resourceTypeId: 'order', types: ['OrderCreatedd'] }] },
    { destination: { type: 'EventGrid', uri: server.urlOf('one'), accessKey: 'key' }, changes },
    { destination: { type: 'EventBridge', region: 'eu', accountId: '1' }, changes },
  ])
    t.match(
      await request('POST', '/subscriptions', draft),
      { status: 400, body: { errors: [{ code: 'InvalidInput' }] } },
      JSON.stringify(draft),
    );
  t.strictSame(server.deliveries, []);
});

t.test('private addresses are for operators to allow', async (t) => {
  const closed = await startPlatform(t, { allowsPrivateSubscriptions: false });
  const server = await notificationServer(t);
  const draft = { destination: { type: 'HTTP', url: server.urlOf('one') }, changes };
  t.match(await closed.request('POST', '/subscriptions', draft), {
    status: 400,
    body: { errors: [{ code: 'InvalidInput', message: /not public/ }] },
  });
  t.strictSame(server.deliveries, []);
});

t.test('changes are told in order, to whom they belong', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  const { request, projectKey } = project;
  const other = await platform.anotherProject();
  await subscribe(other, server, { name: 'other', changes });
  await subscribe(project, server, { name: 'zones', changes: [{ resourceTypeId: 'zone' }] });
  await groupIn(project, 'Before');
  await subscribe(project, server, { name: 'groups', changes });
  const id = await groupIn(project, 'VIP');
  const path = `/customer-groups/${id}`;
  const { body: updated } = await request('POST', path, { version: 1, actions: [{ action: 'setKey', key: 'vip' }] });
  await request('POST', path, { version: 2, actions: [{ action: 'setKey', key: 'vip' }] });
  await request('DELETE', `${path}?version=2`);
  await server.until(() => server.of('groups').length === 3);
  const [created, changed, deleted] = server.of('groups').map(({ body }) => body);
  const resource = { typeId: 'customer-group', id };
  t.match(created, { notificationType: 'ResourceCreated', resource, version: 1, oldVersion: undefined });
  t.strictSame(changed, {
    notificationType: 'ResourceUpdated',
    projectKey,
    resource,
    resourceUserProvidedIdentifiers: { key: 'vip' },
    version: 2,
    oldVersion: 1,
    modifiedAt: updated['lastModifiedAt'],
  });
  t.match(deleted, { notificationType: 'ResourceDeleted', resource, version: 2, dataErasure: undefined });
  t.strictSame([...server.of('zones'), ...server.of('other')], []);
});

t.test('messages are told whether or not the project keeps them', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  const messages = [{ resourceTypeId: 'customer', types: ['CustomerFirstNameSet', 'CustomerCreated'] }];
  await subscribe(project, server, { name: 'platform', messages });
  const format = { type: 'CloudEvents', cloudEventsVersion: '1.0' };
  await subscribe(project, server, { name: 'events', messages, format });
  const uri = server.urlOf('grid');
  const destination = { type: 'EventGrid', uri, accessKey: 'grid-key' };
  await subscribe(project, server, { name: 'grid', messages, format, destination });
  const draft = { email: 'a@example.org', password: 'secret-123' };
  const { body } = await project.request('POST', '/customers', draft);
  const { id } = body['customer'] as { readonly id: string };
  t.strictSame(await messagesOf(project, id), []);
  await keepMessages(project);
  const actions = [
    { action: 'setFirstName', firstName: 'Ada' },
    { action: 'setLastName', lastName: 'L' },
  ];
  t.equal((await project.request('POST', `/customers/${id}`, { version: 1, actions })).status, 200);
  await server.until(() => ['platform', 'events', 'grid'].every((name) => server.of(name).length === 2));
  const [kept] = await messagesOf(project, id);
  const [created, told] = server.of('platform');
  t.match(created!.body, { type: 'CustomerCreated', sequenceNumber: 1, customer: { id } });
  t.strictSame(told!.body, { notificationType: 'Message', projectKey: project.projectKey, ...kept });
  const event = {
    specversion: '1.0',
    id: kept!.id,
    type: 'com.commercetools.customer.message.CustomerFirstNameSet',
    source: `/${project.projectKey}/customers`,
    subject: id,
    time: kept!.createdAt,
    sequence: '2',
    sequencetype: 'Integer',
    dataref: `/${project.projectKey}/messages/${kept!.id}`,
    data: told!.body,
  };
  for (const name of ['events', 'grid']) t.equal(server.of(name)[1]!.text, JSON.stringify(event), name);
  t.match(server.of('grid')[1]!.headers, { 'aeg-sas-key': 'grid-key', 'content-type': /cloudevents\+json/ });
});

t.test('numbers that count without a version are told with theirs', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  const { request } = project;
  await subscribe(project, server, { name: 'stock', changes: [{ resourceTypeId: 'inventory-entry' }] });
  const { status, text, body } = await request('POST', '/inventory', { sku: 'A', quantityOnStock: 5 });
  t.equal(status, 201, text);
  const id = String(body['id']);
  const quantity = (version: number): object => ({ version, actions: [{ action: 'addQuantity', quantity: 1 }] });
  t.equal((await request('POST', `/inventory/${id}`, quantity(1))).status, 200);
  await server.until(() => server.of('stock').length === 2);
  t.match(server.of('stock')[1]!.body, { notificationType: 'ResourceUpdated', version: 2, oldVersion: 1 });
});

/** Resources and their versions, as they were told by each that was taken. */
function versionsOf(deliveries: readonly Delivery[]): ReadonlyMap<string, readonly unknown[]> {
  const versions = new Map<string, unknown[]>();
  for (const { body } of deliveries)
    versions.set(body.resource.id, [...(versions.get(body.resource.id) ?? []), body['version']]);
  return versions;
}

t.test('rivals on some resources are told each once, in order', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  await subscribe(project, server, { name: 'groups', changes });
  const ids = await Promise.all(Array.from({ length: 8 }, (_, index) => groupIn(project, `Group ${index}`)));
  const written = new Map(ids.map((id) => [id, 1]));
  await Promise.all(
    Array.from({ length: 16 }, async (_, rival) => {
      for (const [round, id] of [...ids, ...ids].entries()) {
        const path = `/customer-groups/${id}`;
        const version = Number((await project.request('GET', path)).body['version']);
        const actions = [{ action: 'setKey', key: `k-${rival}-${round}` }];
        const { status, body } = await project.request('POST', path, { version, actions });
        if (status === 200) written.set(id, Math.max(written.get(id)!, Number(body['version'])));
      }
    }),
  );
  const count = [...written.values()].reduce((sum, version) => sum + version, 0);
  await server.until(() => server.of('groups').length >= count);
  const versions = versionsOf(server.of('groups'));
  for (const [id, last] of written)
    t.strictSame(
      versions.get(id),
      Array.from({ length: last }, (_, index) => index + 1),
    );
  t.equal(server.of('groups').length, count);
  t.ok(count > ids.length, `${count} were told`);
});

t.test('a destination that fails or hangs delays nobody, and gets all when it is back', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  for (const name of ['fails', 'hangs', 'works']) await subscribe(project, server, { name, changes });
  server.takings.set('fails', (response) => response.writeHead(503).end());
  server.takings.set('hangs', () => {});
  const ids = await Promise.all(Array.from({ length: 3 }, (_, index) => groupIn(project, `Group ${index}`)));
  const elsewhere = await platform.anotherProject();
  await subscribe(elsewhere, server, { name: 'elsewhere', changes });
  await groupIn(elsewhere, 'Group');
  await server.until(() => server.of('works').length === 3 && server.of('elsewhere').length === 1);
  await server.until(() => server.of('fails').length > 0);
  server.takings.clear();
  const taken = server.of('fails').length;
  await server.until(
    () =>
      new Set(
        server
          .of('fails')
          .slice(taken)
          .map(({ body }) => body.resource.id),
      ).size === 3,
  );
  await server.until(
    () =>
      new Set(
        server
          .of('hangs')
          .slice(-3)
          .map(({ body }) => body.resource.id),
      ).size === 3,
  );
  t.strictSame([...versionsOf(server.of('works')).keys()].toSorted(), ids.toSorted());
});

t.test('of what is large no more is held for one that hangs than it may have', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  const messages = [{ resourceTypeId: 'category' }];
  for (const name of ['hangs', 'works']) await subscribe(project, server, { name, messages });
  const held: (() => void)[] = [];
  server.takings.set('hangs', (response) => held.push(() => response.writeHead(204).end()));
  const many = 24;
  const description = { en: 'x'.repeat(200_000) };
  for (let index = 0; index < many; index += 1) {
    const draft = { name: { en: 'Large' }, slug: { en: `large-${index}` }, description };
    t.equal((await project.request('POST', '/categories', draft)).status, 201);
  }
  const hasAll = (name: string): boolean => new Set(server.of(name).map(({ body }) => body['id'])).size === many;
  await server.until(() => hasAll('works') && held.length > 0);
  // The last that is taken may be larger than what is left of 1 MB.
  t.ok(held.length <= 7, `${held.length} are under way`);
  server.takings.clear();
  for (const end of held) end();
  await server.until(() => hasAll('hangs'));
});

t.test('one resource that is not taken waits, and others pass', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  await subscribe(project, server, { name: 'groups', changes });
  const refused = await groupIn(project, 'Refused');
  await server.until(() => server.of('groups').length === 1);
  let isRefusing = true;
  server.takings.set('groups', (response, { body }) =>
    response.writeHead(isRefusing && body.resource.id === refused ? 422 : 200).end(),
  );
  for (const version of [1, 2])
    await project.request('POST', `/customer-groups/${refused}`, {
      version,
      actions: [{ action: 'setKey', key: `key-${version}` }],
    });
  await server.until(() => server.of('groups').length >= 2);
  const passing = await groupIn(project, 'Passing');
  await server.until(() => server.of('groups').some(({ body }) => body.resource.id === passing));
  isRefusing = false;
  await server.until(() => server.of('groups').at(-1)?.body['version'] === 3);
  const versions = versionsOf(server.of('groups'))
    .get(refused)!
    .filter((version, index, all) => all[index - 1] !== version);
  t.strictSame(versions, [1, 2, 3]);
});

t.test('the process that tells may end at any time', async (t) => {
  const alone = await startPlatform(t);
  const server = await notificationServer(t);
  await subscribe(alone, server, { name: 'groups', changes });
  const log = pino({ level: 'silent' });
  const id = await groupIn(alone, 'Group');
  const feeders = [startFeeder(alone.config, log), startFeeder(alone.config, log)];
  for (let version = 1; version < 10; version += 1) {
    const actions = [{ action: 'setKey', key: `key-${version}` }];
    await alone.request('POST', `/customer-groups/${id}`, { version, actions });
    if (version % 3 === 0) {
      await feeders.shift()!.close();
      feeders.push(startFeeder(alone.config, log));
    }
  }
  await server.until(() => server.of('groups').length >= 10);
  await Promise.all(feeders.map((feeder) => feeder.close()));
  t.strictSame(
    versionsOf(server.of('groups')).get(id),
    Array.from({ length: 10 }, (_, index) => index + 1),
  );
  const rows = await alone.sql`select from notices`;
  t.equal(rows.length, 0);
});
