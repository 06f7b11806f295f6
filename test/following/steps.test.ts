import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { topicsOf } from '../../src/topics.ts';
import { buildEngine } from '../../src/build-engine.ts';
import { change, set } from '../../src/engine/actions.ts';
import type { RequestContext } from '../../src/engine/context.ts';
import { defineResource } from '../../src/engine/define.ts';
import type { DocumentOf } from '../../src/engine/document.ts';
import { createProjects } from '../../src/engine/projects.ts';
import type { Resource } from '../../src/engine/resource.ts';
import { assigned, optional, required } from '../../src/fields/field.ts';
import { reference } from '../../src/fields/reference.ts';
import { integer, key } from '../../src/fields/scalar.ts';
import { createFollowConsumer } from '../../src/following/consumer.ts';
import { allResources } from '../../src/resources/all.ts';
import { createFence } from '../../src/storage/change-log.ts';
import { createDocuments, createWrites } from '../../src/storage/documents.ts';
import { Lane } from '../../src/storage/lane.ts';
import { createOutbox } from '../../src/storage/outbox.ts';
import { createPasses } from '../../src/storage/passes.ts';
import { createReadProject } from '../../src/storage/projects.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { noQueries } from '../support/services.ts';

const scopes = { view: ['view_orders'], manage: ['manage_orders'] };

const tone = defineResource({
  kind: 'trial-tone',
  typeName: 'TrialTone',
  path: 'trial-tones',
  scopes,
  fields: { key: optional(key()), pitch: required(integer()) },
  actions: { changePitch: change('pitch'), setKey: set('key') },
});

const echoFields = {
  key: optional(key()),
  of: required(reference('trial-tone', 'TrialTone', { strength: 'loose' })),
  pitch: assigned(integer(), () => 0),
};
type Echo = DocumentOf<typeof echoFields>;

/** Takes over the pitch of a tone. What happens between its reading that and its being written, `meanwhile` says. */
function echoWith(meanwhile: () => Promise<void>): Resource {
  return defineResource({
    kind: 'trial-echo',
    typeName: 'TrialEcho',
    path: 'trial-echoes',
    scopes,
    fields: echoFields,
    actions: { setKey: set('key') },
    computation: {
      reads: { 'trial-tone': ['of.id'] },
      readsAll: [],
      gather: meanwhile,
      compute: (document: Echo, found) => {
        document.pitch = Number(found.one('trial-tone', document.of.id)?.['pitch'] ?? -1);
      },
    },
    follows: [
      { kind: 'trial-tone', where: ([id]) => `of(id="${id}")`, mark: ({ document }) => String(document['pitch']) },
    ],
  });
}

const echoless = defineResource({
  kind: 'trial-listener',
  typeName: 'TrialListener',
  path: 'trial-listeners',
  scopes,
  fields: { key: optional(key()), of: required(reference('trial-tone', 'TrialTone', { strength: 'loose' })) },
  actions: { setKey: set('key') },
  follows: [{ kind: 'trial-tone', where: ([id]) => `of(id="${id}")`, whenGone: 'removed', isOfItsEnd: true }],
});

/** All of them follow all tones, and the clock. */
function handWith(asked: string[]): Resource {
  return defineResource({
    kind: 'trial-hand',
    typeName: 'TrialHand',
    path: 'trial-hands',
    scopes,
    fields: { key: optional(key()) },
    actions: { setKey: set('key') },
    follows: [
      {
        kind: 'trial-tone',
        nextAt: (_, now) => {
          asked.push(now);
          return undefined;
        },
      },
    ],
  });
}

interface Driven {
  readonly platform: Platform;
  /** Takes what was changed to its passes, whose pause is over then. */
  note(): Promise<void>;
  /** The steps that there were to do. */
  work(): Promise<number>;
  /** The moments by which they were done, and those from which the clock was asked. */
  readonly moments: string[];
  readonly asked: string[];
}

/** The platform without a feeder, whose steps the test makes. */
async function drive(t: Test, meanwhile: () => Promise<void> = () => Promise.resolve()): Promise<Driven> {
  const [moments, asked]: [string[], string[]] = [[], []];
  const resources = [tone, echoWith(meanwhile), echoless, handWith(asked)];
  const platform = await startPlatform(t, { resources, meilisearch: 'none' });
  const { config, database, sql, projectKey: project } = platform;
  const fence = createFence(new Lane({ databaseUrl: config.databaseUrl, prepare: true }));
  t.teardown(() => fence.close());
  const all = [...allResources, ...resources];
  const engine = buildEngine({
    config,
    resources: all,
    database,
    fence,
    // No source is asked for the moments that it names.
    store: createDocuments(database, { ...noQueries, query: () => Promise.resolve([]) }),
    writes: createWrites(database, topicsOf(all)),
    compute: { stepsMin: Infinity, run: () => Promise.reject(new Error('Nothing of this is computed in a thread')) },
    suggester: undefined,
    searcher: { search: () => Promise.reject(new Error('Nothing is searched')) },
    images: { keep: () => Promise.reject(new Error('Nothing has images')) },
  });
  const projects = createProjects(fence, createReadProject(database));
  const consumer = createFollowConsumer({
    engine,
    fence,
    passes: createPasses(database),
    context: async () => {
      const now = new Date(Date.now() + moments.length).toISOString();
      moments.push(now);
      return { project: await projects.get(project), principal: { clientId: 'follower' }, now } as RequestContext;
    },
    log: { warn: (details) => t.fail('one cannot follow', details) },
  });
  const outbox = createOutbox(database);
  const lease = { project, topic: consumer.topic, holder: randomUUID() };
  t.equal(await outbox.hold(lease), true);
  return {
    platform,
    moments,
    asked,
    note: async () => {
      await outbox.renew(lease);
      const changes = await outbox.take(lease);
      await consumer.consume(lease, changes);
      await outbox.remove(lease, changes);
      await sql`update passes set due_at = due_at - interval '3 seconds', noted_at = noted_at - interval '3 seconds'`;
    },
    work: async () => {
      let steps = 0;
      while (await consumer.further!.work(lease)) steps += 1;
      return steps;
    },
  };
}

async function made(platform: Platform, path: string, draft: object): Promise<string> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(text);
  return String(body['id']);
}

async function pitched(platform: Platform, name: string, pitch: number): Promise<void> {
  const { body } = await platform.request('GET', `/trial-tones/key=${name}`);
  const actions = [{ action: 'changePitch', pitch }];
  const { status, text } = await platform.request('POST', `/trial-tones/key=${name}`, {
    version: body['version'],
    actions,
  });
  if (status !== 200) throw new Error(text);
}

const of = (name: string) => ({ of: { typeId: 'trial-tone', key: name } });

async function pitches({ sql, projectKey }: Platform): Promise<Readonly<Record<string, number>>> {
  const rows = await sql<{ pitch: string; count: number }[]>`
    select data->>'pitch' as pitch, count(*)::int as count from documents
    where project = ${projectKey} and kind = 'trial-echo' group by 1`;
  return Object.fromEntries(rows.map(({ pitch, count }) => [pitch, count]));
}

t.test('a source that goes to and fro during a pass is followed to where it stays', async (t) => {
  let [count, isArmed] = [0, false];
  const { platform, note, work } = await drive(t, async () => {
    if (!isArmed) return;
    count += 1;
    if (count === 110) await pitched(platform, 'low', 1);
    if (count === 250) {
      await pitched(platform, 'low', 2);
      isArmed = false;
    }
  });
  await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
  for (let start = 0; start < 250; start += 50)
    await Promise.all(Array.from({ length: 50 }, () => made(platform, '/trial-echoes', of('low'))));
  await note();
  await work();
  await pitched(platform, 'low', 2);
  await note();
  isArmed = true;
  await work();
  const between = await pitches(platform);
  t.ok(between['1']! > 0 && between['2']! > 0, 'the walk met both states');
  await note();
  await work();
  t.strictSame(await pitches(platform), { 2: 250 });

  await platform.request('POST', '/trial-tones/key=low', { version: 4, actions: [{ action: 'setKey', key: 'deep' }] });
  await note();
  t.equal(
    await work(),
    3,
    'a step for each kind that follows tones: what they have followed is not walked through again',
  );
});

t.test('who was written by a state that the source left before its pass began follows, too', async (t) => {
  const { platform, note, work } = await drive(t);
  await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
  await note();
  await work();
  await pitched(platform, 'low', 2);
  await made(platform, '/trial-echoes', of('low'));
  await pitched(platform, 'low', 1);
  await note();
  await work();
  t.strictSame(await pitches(platform), { 1: 1 });
});

t.test('a walk that begins before the last change has rested vouches for nothing', async (t) => {
  let isArmed = false;
  const { platform, note, work } = await drive(t, async () => {
    if (!isArmed) return;
    isArmed = false;
    // Changed, and not noted yet: whoever read it before is still writing.
    await pitched(platform, 'deep', 2);
    await work();
  });
  await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
  await platform.request('POST', '/trial-tones/key=low', { version: 1, actions: [{ action: 'setKey', key: 'deep' }] });
  await note();
  isArmed = true;
  await made(platform, '/trial-echoes', of('deep'));
  t.strictSame(await pitches(platform), { 1: 1 }, 'the walk was over before');
  await note();
  await work();
  t.strictSame(await pitches(platform), { 2: 1 });
});

t.test('one that a rival writes while it follows begins again', async (t) => {
  let isArmed = false;
  const { platform, note, work } = await drive(t, async () => {
    if (!isArmed) return;
    isArmed = false;
    const { sql, projectKey } = platform;
    await sql`
      update documents set version = version + 1, data = jsonb_set(data, '{version}', to_jsonb(version + 1))
      where project = ${projectKey} and kind = 'trial-echo'`;
  });
  await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
  await made(platform, '/trial-echoes', of('low'));
  await pitched(platform, 'low', 2);
  await note();
  isArmed = true;
  await work();
  t.equal(isArmed, false, 'there was a rival');
  t.strictSame(await pitches(platform), { 2: 1 });
});

t.test('sources that nothing follows have their passes together', async (t) => {
  const { platform, note, work } = await drive(t);
  const names = Array.from({ length: 60 }, (_, index) => `tone-${index}`);
  await Promise.all(names.map((name) => made(platform, '/trial-tones', { key: name, pitch: 1 })));
  await made(platform, '/trial-echoes', of('tone-7'));
  await made(platform, '/trial-listeners', of('tone-8'));
  await note();
  const count = async () =>
    (await platform.sql<{ count: number }[]>`select count(*)::int as count from passes`)[0]!.count;
  t.equal(await count(), 121);
  t.ok((await work()) <= 6, 'some steps for 121 passes');
  t.equal(await count(), 61, 'nothing has to be known of sources that are followed for their end alone');

  await pitched(platform, 'tone-7', 2);
  await platform.request('DELETE', '/trial-tones/key=tone-8?version=1');
  await note();
  await work();
  t.strictSame(await pitches(platform), { 2: 1 });
  t.equal(await count(), 60, 'nor of one that has gone');
  const left = await platform.sql`select from documents where kind = 'trial-listener'`;
  t.equal(left.length, 0, 'which is what that is for');
});

t.test('what the clock brings while followers are walked through comes to the first of them', async (t) => {
  const { platform, note, work, moments, asked } = await drive(t);
  for (let start = 0; start < 210; start += 70)
    await Promise.all(Array.from({ length: 70 }, () => made(platform, '/trial-hands', {})));
  await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
  await note();
  await platform.sql`delete from passes where kind <> 'trial-hand'`;
  t.equal(await work(), 2);
  t.strictSame(asked, moments.slice(0, 1));
});

t.test('a write that takes so long that its source is followed meanwhile is made by what that is then', async (t) => {
  let [isArmed, passedMs] = [false, 0];
  const now = performance.now.bind(performance);
  t.capture(performance, 'now', () => now() + passedMs);
  const { platform, note, work } = await drive(t, async () => {
    if (!isArmed) return;
    isArmed = false;
    await pitched(platform, 'low', 2);
    await note();
    await work();
    passedMs += 3000;
  });
  await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
  await note();
  await work();
  isArmed = true;
  await made(platform, '/trial-echoes', of('low'));
  t.equal(isArmed, false);
  t.strictSame(await pitches(platform), { 2: 1 });
});

t.test('a step that takes long leaves the other followers to the next one', async (t) => {
  let [isArmed, count, passedMs] = [false, 0, 0];
  const now = performance.now.bind(performance);
  t.capture(performance, 'now', () => now() + passedMs);
  const { platform, note, work } = await drive(t, async () => {
    if (!isArmed) return;
    count += 1;
    if (count === 20) passedMs += 2000;
  });
  await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
  await Promise.all(Array.from({ length: 50 }, () => made(platform, '/trial-echoes', of('low'))));
  await pitched(platform, 'low', 2);
  await note();
  await platform.sql`delete from passes where kind <> 'trial-echo'`;
  isArmed = true;
  t.equal(await work(), 2);
  t.strictSame(await pitches(platform), { 2: 50 });
});
