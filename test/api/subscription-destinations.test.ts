import t from 'tap';
import { messageQueue, publishedTopics } from '../support/cloud-queues.ts';
import { notificationServer, subscribe } from '../support/notification-server.ts';
import { send, startPlatform } from '../support/platform.ts';

const topics = await publishedTopics(t);
const platform = await startPlatform(t, { feeder: true, pubsubEmulatorHost: topics.host });
const changes = [{ resourceTypeId: 'zone' }];

t.test('a queue takes what is signed, and says by a digest that it has all of it', async (t) => {
  const [queue, { request, sql }] = [await messageQueue(t), await platform.anotherProject()];
  const { accessKeyId: accessKey, region } = queue.signing;
  const destination = {
    type: 'SQS',
    queueUrl: `http://${queue.host}/1234/notifications.fifo`,
    accessKey,
    accessSecret: 'SECRET',
    region,
  };
  const refused = async (draft: object): Promise<void> => {
    const answer = await request('POST', '/subscriptions', { destination: draft, changes });
    t.match(answer, { status: 400, body: { errors: [{ code: 'InvalidInput' }] } });
  };
  await refused({ ...destination, accessSecret: 'ANOTHER' });
  await refused({ ...destination, accessSecret: undefined });
  await refused({ ...destination, authenticationMode: 'IAM' });
  queue.isFaulty = true;
  await refused(destination);
  queue.isFaulty = false;
  const before = queue.taken.length;
  const { status, text, body } = await request('POST', '/subscriptions', { destination, changes });
  t.equal(status, 201, text);
  t.strictSame(body['destination'], { ...destination, accessSecret: '****', authenticationMode: 'Credentials' });
  const [row] = await sql`select data::text as data from documents where id = ${String(body['id'])}`;
  t.notMatch(row?.['data'], /SECRET/);
  const [test, ...others] = queue.taken.slice(before);
  t.strictSame(others, []);
  t.match(JSON.parse(test!.text), { notificationType: 'ResourceCreated', resource: { id: body['id'] } });
  t.match(test!.group, /^[0-9a-f]{64}$/, 'a queue that keeps an order is told of which resource it is');
});

t.test('what is published is kept in order by its resource', async (t) => {
  const { request } = await platform.anotherProject();
  const destination = { type: 'GoogleCloudPubSub', projectId: 'shop', topic: 'changes' };
  const { status, text, body } = await request('POST', '/subscriptions', { destination, changes });
  t.equal(status, 201, text);
  t.match(topics.taken, [{ group: `subscription/${String(body['id'])}` }]);
  t.match(JSON.parse(topics.taken[0]!.text), { resource: { typeId: 'subscription' } });
  const elsewhere = { ...destination, projectId: 'another' };
  t.match(await request('POST', '/subscriptions', { destination: elsewhere, changes }), { status: 400 });
});

t.test('without an emulator topics are out of reach', async (t) => {
  const { request } = await startPlatform(t);
  const destination = { type: 'GoogleCloudPubSub', projectId: 'shop', topic: 'changes' };
  t.match(await request('POST', '/subscriptions', { destination, changes }), {
    status: 400,
    body: { errors: [{ code: 'InvalidInput', message: /PUBSUB_EMULATOR_HOST/ }] },
  });
});

t.test('monitors learn without a token how it is with a subscription', async (t) => {
  const [server, project] = [await notificationServer(t), await platform.anotherProject()];
  const { projectKey, baseUrl, request } = project;
  await subscribe(project, server, { name: 'watch', changes: [{ resourceTypeId: 'subscription' }] });
  const { id } = await subscribe(project, server, { name: 'zones', changes });
  const health = async (path: string): Promise<readonly [number, unknown]> => {
    const { status, body } = await send({
      baseUrl,
      method: 'GET',
      path: `/${projectKey}/subscriptions/${path}/health`,
    });
    return [status, body['status']];
  };
  const told = async (): Promise<void> => {
    const count = server.of('watch').length;
    await server.until(() => server.of('watch').length > count);
  };
  t.strictSame(await health(id), [200, 'Healthy']);
  t.strictSame(await health('key=zones'), [200, 'Healthy']);
  t.equal((await health('key=nobody'))[0], 404);
  t.equal((await health('nobody'))[0], 404);
  for (const [taking, status, name] of [
    [503, 503, 'TemporaryError'],
    [422, 400, 'ConfigurationError'],
    [200, 200, 'Healthy'],
  ] as const) {
    server.takings.set('zones', (response) => response.writeHead(taking).end());
    const heard = told();
    await request('POST', '/zones', { name });
    await heard;
    t.strictSame(await health(id), [status, name]);
    t.strictSame(await health('key=zones'), [status, name]);
  }
  t.equal((await send({ baseUrl, method: 'POST', path: `/${projectKey}/subscriptions/${id}/health` })).status, 405);
});
