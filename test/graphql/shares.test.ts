import { setImmediate as nextTurn } from 'node:timers/promises';
import t, { type Test } from 'tap';
import { principalOf } from '../../src/auth/principal.ts';
import { type RequestContext, RequestEnded } from '../../src/engine/context.ts';
import type { Engine } from '../../src/engine/resource.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import { ApiError } from '../../src/errors/api-error.ts';
import { createGraphql } from '../../src/graphql/execute.ts';
import type { Introspection } from '../../src/graphql/introspect.ts';
import { allResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';
import { createFence } from '../../src/storage/change-log.ts';
import { clientError } from '../../src/storage/connection.ts';
import { Lane } from '../../src/storage/lane.ts';
import type { Compute } from '../../src/tasks/task.ts';
import { createCompute } from '../../src/threads/compute.ts';
import { createPool } from '../../src/threads/pool.ts';
import { send, startPlatform } from '../support/platform.ts';
import { createDatabase } from '../support/services.ts';

t.test('who has the schema described, or sends new texts, leaves room to others', async (t) => {
  const platform = await startPlatform(t);
  const other = await platform.anotherProject();
  const { baseUrl, projectKey } = platform;
  const ask = (project: string, token: string, query: string) =>
    send({
      baseUrl,
      method: 'POST',
      path: `/${project}/graphql`,
      headers: { authorization: `Bearer ${token}` },
      body: { query },
    });
  const token = await platform.tokenWith([`view_zones:${projectKey}`]);
  const otherToken = await other.tokenWith([`view_zones:${other.projectKey}`]);
  const described = (name: string): string => `{ ${name}: __schema { types { name fields { name args { name } } } } }`;
  const flood = Array.from({ length: 40 }, (_, index) => ask(projectKey, token, described(`own${index}`)));
  const beside = await ask(other.projectKey, otherToken, described('other'));
  t.equal(beside.status, 200, 'another project is served meanwhile');
  const statuses = (await Promise.all(flood)).map(({ status }) => status);
  t.ok(statuses.filter((status) => status === 200).length >= 8);
  t.ok(statuses.includes(503), 'what is more than the share of the client is refused');
  t.strictSame(
    statuses.filter((status) => status !== 200 && status !== 503),
    [],
  );
  const texts = Array.from({ length: 200 }, (_, index) => ask(projectKey, token, `{ own${index}: zones { total } }`));
  t.equal((await ask(other.projectKey, otherToken, '{ other: zones { total } }')).status, 200);
  const given = new Set((await Promise.all(texts)).map(({ status }) => status));
  t.ok(given.has(200));
  t.strictSame(
    [...given].filter((status) => status !== 200 && status !== 503),
    [],
  );
});

/** How a request ended: the status of its answer, or why there is none. */
type Outcome = number | 'refused' | 'dropped';

interface Sender {
  readonly client?: string;
  readonly project?: string;
  readonly signal?: AbortSignal;
}

/** What is done a few at a time, and what of it one client and one project may ask for. */
const kinds = [
  { task: 'analysis', done: 400, runningMax: 8, ofClient: 500, ofProject: 750 },
  { task: 'introspection', done: 200, runningMax: 1, ofClient: 8, ofProject: 12 },
] as const;
type Kind = (typeof kinds)[number];
const [newTexts] = kinds;

const described = 'query ($name: String!) { __type(name: $name) { name } }';

/** No server tells when its threads begin with something, so this is the service alone, on threads that wait to be let. */
async function startService(t: Test, { task }: Kind) {
  const { url } = await createDatabase(t);
  const fence = createFence(new Lane({ databaseUrl: url, prepare: true }));
  const pool = createPool({ threads: 1, queueMax: 1000 });
  t.teardown(() => Promise.all([fence.close(), pool.close()]));
  const threads = createCompute({ pricing: pool, texts: pool, descriptions: pool, passwords: pool });
  const began: string[] = [];
  let isHeld = false;
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  const compute: Compute = {
    stepsMin: threads.stepsMin,
    run: async (asked, request, ...on) => {
      if (isHeld && asked.name === task) {
        const given = request as string | Introspection;
        began.push(typeof given === 'string' ? given : String(given.variables['name']));
        await gate;
      }
      return threads.run(asked, request, ...on);
    },
  };
  const engine = { registry: createRegistry(allResources, project), compute } as unknown as Engine;
  const service = createGraphql(engine, {
    fence,
    answerBytesMax: 1_000_000,
    excerptBytesMax: 1_000_000,
    authorize: () => {},
    clientError,
    onFault: (fault) => t.fail(String(fault)),
  });
  /** Sends the name as a text, which is none, or asks for the description of a type of that name. */
  const ask = async (
    name: string,
    { client = 'client', project: key = 'shop', signal }: Sender = {},
  ): Promise<Outcome> => {
    const context = { project: { key }, principal: principalOf(client, []), signal } as unknown as RequestContext;
    const query = task === 'analysis' ? name : described;
    try {
      return (await service.execute({ query, variables: { name }, operationName: undefined }, context)).status;
    } catch (error) {
      if (error instanceof RequestEnded) return 'dropped';
      if (error instanceof ApiError && error.isOwnShare) return 'refused';
      throw error;
    }
  };
  const askMany = (count: number, name: string, sender: Sender): readonly Promise<Outcome>[] =>
    Array.from({ length: count }, (_, index) => ask(`${name}${index}`, sender));
  // The threads have the schema then, and the text of descriptions is known.
  await ask('first');
  isHeld = true;
  return { ask, askMany, began, letGo };
}

for (const kind of kinds) {
  const { task, done, runningMax, ofClient, ofProject } = kind;

  t.test(`a client, and a project, has its share of what waits for ${task}, and no more`, async (t) => {
    const { ask, askMany, began, letGo } = await startService(t, kind);
    const own = askMany(ofClient + 1, 'own', { client: 'own' });
    const colleagues = askMany(ofProject - ofClient + 1, 'colleague', { client: 'colleague' });
    const namesake = ask('namesake', { client: 'own', project: 'another shop' });
    await nextTurn();
    t.equal(began.length, runningMax, 'so many are under way');
    letGo();
    for (const asked of [own, colleagues]) {
      const outcomes = await Promise.all(asked);
      t.strictSame(outcomes, [...outcomes.slice(1).map(() => done), 'refused'], 'one is too many');
    }
    t.equal(await namesake, done, 'another project has a share of its own');
    const next = [`own${runningMax}`, 'colleague0', 'namesake'];
    t.strictSame(began.slice(runningMax, runningMax + 3), next, 'clients take turns');
    t.equal(await ask('later', { client: 'own' }), done, 'and what is over takes no place');
  });

  t.test(`what waits for ${task} is dropped when its request has ended`, async (t) => {
    const { ask, askMany, began, letGo } = await startService(t, kind);
    const running = askMany(runningMax, 'running', { client: 'busy' });
    const abort = new AbortController();
    const left = ask('left', abort);
    const kept = ask('kept', new AbortController());
    await nextTurn();
    abort.abort();
    letGo();
    t.strictSame(await Promise.all([left, kept, ...running]), ['dropped', done, ...running.map(() => done)]);
    t.strictSame(began.slice(runningMax), ['kept']);
  });
}

t.test('a new text is analyzed once, while one of those who sent it waits', async (t) => {
  const { ask, askMany, began, letGo } = await startService(t, newTexts);
  const running = askMany(newTexts.runningMax, 'running', { client: 'busy' });
  const abort = new AbortController();
  const { signal } = abort;
  // Of so many no more is looked at.
  const crowd = Array.from({ length: 100 }, () => ask('crowded', { signal }));
  const shared = [ask('shared', { signal }), ask('shared'), ask('shared', { client: 'other' })];
  const all = [...shared, ...crowd, ask('crowded')];
  const ended = [ask('left', { signal }), ask('left', { client: 'other', signal })];
  await nextTurn();
  abort.abort();
  letGo();
  t.strictSame(new Set(await Promise.all([...running, ...all])), new Set([newTexts.done]));
  t.strictSame(await Promise.all(ended), ['dropped', 'dropped']);
  t.strictSame(began.slice(newTexts.runningMax), ['crowded', 'shared']);
});

t.test('a text that all have left is a new one for those who send it then', async (t) => {
  const { ask, askMany, began, letGo } = await startService(t, newTexts);
  const running = askMany(newTexts.runningMax, 'running', { client: 'busy' });
  const abort = new AbortController();
  const others = askMany(2, 'waiting', { client: 'gone' });
  const left = ask('again', { client: 'gone', signal: abort.signal });
  await nextTurn();
  abort.abort();
  const sent = ['one', 'two'].map((client) => ask('again', { client }));
  await nextTurn();
  letGo();
  t.equal(await left, 'dropped');
  t.strictSame(new Set(await Promise.all([...running, ...others, ...sent])), new Set([newTexts.done]));
  const order = ['waiting0', 'again', 'waiting1'];
  t.strictSame(began.slice(newTexts.runningMax), order, 'it does not wait behind what the other client sent');
});

t.test('whoever sends what another client has waiting waits for a turn of its own alone', async (t) => {
  const { ask, askMany, began, letGo } = await startService(t, newTexts);
  const running = askMany(newTexts.runningMax, 'running', { client: 'busy' });
  const many = [...askMany(3, 'many', { client: 'many' }), ask('again', { client: 'many' })];
  const own = ask('again', { client: 'one' });
  await nextTurn();
  letGo();
  t.strictSame(new Set(await Promise.all([...running, ...many, own])), new Set([newTexts.done]));
  t.strictSame(began.slice(newTexts.runningMax), ['many0', 'again', 'many1', 'many2']);
});
