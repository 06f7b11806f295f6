import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startFeeder } from '../../src/feeder.ts';
import { change, set } from '../../src/engine/actions.ts';
import { defineResource } from '../../src/engine/define.ts';
import type { DocumentOf } from '../../src/engine/document.ts';
import { assigned, assignedOptional, defaulted, optional, required } from '../../src/fields/field.ts';
import { list } from '../../src/fields/list.ts';
import { reference } from '../../src/fields/reference.ts';
import { dateTime, integer, key } from '../../src/fields/scalar.ts';
import { allResources } from '../../src/resources/all.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

const scopes = { view: ['view_orders'], manage: ['manage_orders'] };

const toneFields = { key: optional(key()), pitch: required(integer()) };

const tone = defineResource({
  kind: 'trial-tone',
  typeName: 'TrialTone',
  path: 'trial-tones',
  scopes,
  fields: toneFields,
  actions: { changePitch: change('pitch'), setKey: set('key') },
});

const tuningFields = { key: optional(key()), by: required(integer()), from: optional(dateTime()) };
type Tuning = DocumentOf<typeof tuningFields>;

const tuning = defineResource({
  kind: 'trial-tuning',
  typeName: 'TrialTuning',
  path: 'trial-tunings',
  scopes,
  maxPerProject: 100,
  fields: tuningFields,
  actions: { changeBy: change('by') },
});

const toneLink = reference('trial-tone', 'TrialTone', { strength: 'loose' });

const chordFields = {
  key: optional(key()),
  lead: required(toneLink),
  tones: defaulted(list(toneLink), () => []),
  pitch: assigned(integer(), () => 0),
  lost: assignedOptional(integer()),
};
type Chord = DocumentOf<typeof chordFields>;

/** Their pitch is that of all tones, tuned. Without its lead a chord goes; without another tone it counts the loss. */
const chord = defineResource({
  kind: 'trial-chord',
  typeName: 'TrialChord',
  path: 'trial-chords',
  scopes,
  fields: chordFields,
  actions: { setKey: set('key') },
  computation: {
    reads: { 'trial-tone': ['lead.id', 'tones[*].id'] },
    readsAll: ['trial-tuning'],
    compute: (document: Chord, found, { now }) => {
      const tunings = found.all('trial-tuning') as readonly Tuning[];
      const tuned = tunings.filter(({ from }) => from === undefined || from <= now);
      const pitches = [document.lead, ...document.tones].map(({ id }) => found.one('trial-tone', id)?.['pitch']);
      document.pitch = [...pitches, ...tuned.map(({ by }) => by)].reduce<number>(
        (sum, each) => sum + Number(each ?? 0),
        0,
      );
    },
  },
  follows: [
    {
      kind: 'trial-tone',
      where: ([id]) => `tones(id="${id}")`,
      mark: ({ document }) => String(document['pitch']),
      whenGone: (document, id) => {
        const it = document as unknown as Chord;
        it.lost = (it.lost ?? 0) + 1;
        it.tones = it.tones.filter((link) => link.id !== id);
      },
    },
    {
      kind: 'trial-tuning',
      nextAt: (sources, now) =>
        (sources as readonly Tuning[])
          .flatMap(({ from }) => (from !== undefined && from > now ? [from] : []))
          .toSorted()[0],
    },
  ],
});

/** Each belongs to a chord, and goes with it. */
const echo = defineResource({
  kind: 'trial-echo',
  typeName: 'TrialEcho',
  path: 'trial-echoes',
  scopes,
  fields: { key: optional(key()), of: required(reference('trial-chord', 'TrialChord', { strength: 'loose' })) },
  actions: { setKey: set('key') },
  follows: [{ kind: 'trial-chord', where: ([id]) => `of(id="${id}")`, whenGone: 'removed' }],
});

const resources = [tone, tuning, chord, echo];

async function made(platform: Platform, path: string, draft: object): Promise<{ id: string; version: number }> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(text);
  return body as never;
}

const toneOf = (keyOfTone: string) => ({ typeId: 'trial-tone', key: keyOfTone });

async function read(platform: Platform, path: string): Promise<Record<string, unknown> | undefined> {
  const { status, body } = await platform.request('GET', path);
  return status === 404 ? undefined : body;
}

/** The member of a resource, once it is this. */
async function until(t: Test, platform: Platform, path: string, expected: object): Promise<Record<string, unknown>> {
  let last: Record<string, unknown> | undefined;
  return eventually(async () => {
    last = await read(platform, path);
    const isThere = Object.entries(expected).every(([name, value]) => last?.[name] === value);
    return isThere ? last : undefined;
  }).catch((error: unknown) => {
    t.match(last, expected, path);
    throw error;
  });
}

t.test('what names a resource follows its changes, and nothing else is written', async (t) => {
  const platform = await startPlatform(t, { resources, feeder: true });
  const low = await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
  await made(platform, '/trial-tones', { key: 'high', pitch: 10 });
  await made(platform, '/trial-chords', { key: 'both', lead: toneOf('high'), tones: [toneOf('low')] });
  const other = await made(platform, '/trial-chords', { key: 'other', lead: toneOf('high') });
  const change = (version: number, action: object) =>
    platform.request('POST', '/trial-tones/key=low', { version, actions: [action] });
  t.equal((await change(1, { action: 'changePitch', pitch: 2 })).status, 200);
  const followed = await until(t, platform, '/trial-chords/key=both', { pitch: 12 });
  t.match(followed, { version: 2, lastModifiedBy: { clientId: platform.client.clientId } }, 'the work of who made it');

  await change(2, { action: 'changePitch', pitch: 3 });
  await until(t, platform, '/trial-chords/key=both', { pitch: 13, version: 3 });
  t.equal((await read(platform, '/trial-chords/key=other'))?.['version'], other.version);

  t.equal((await platform.request('DELETE', `/trial-tones/${low.id}?version=3`)).status, 200);
  await until(t, platform, '/trial-chords/key=both', { pitch: 10, lost: 1, version: 4 });
  t.strictSame((await read(platform, '/trial-chords/key=both'))?.['tones'], []);
});

t.test('a follower whose values would be wrong stays as it is until they are not, and others follow', async (t) => {
  const platform = await startPlatform(t, { resources });
  const warnings: { id?: string }[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line) as object) });
  const feeder = startFeeder(platform.config, log, { resources: [...allResources, ...resources] });
  t.teardown(() => feeder.close());
  await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
  await made(platform, '/trial-tones', { key: 'silent', pitch: 0 });
  const twice = await made(platform, '/trial-chords', { key: 'twice', lead: toneOf('low'), tones: [toneOf('low')] });
  await made(platform, '/trial-chords', { key: 'once', lead: toneOf('silent'), tones: [toneOf('low')] });
  const pitch = async (version: number, to: number): Promise<void> => {
    const actions = [{ action: 'changePitch', pitch: to }];
    t.equal((await platform.request('POST', '/trial-tones/key=low', { version, actions })).status, 200);
  };
  await pitch(1, Number.MAX_SAFE_INTEGER);
  await until(t, platform, '/trial-chords/key=once', { pitch: Number.MAX_SAFE_INTEGER });
  const stayed = await eventually(async () => {
    const chordThen = await read(platform, '/trial-chords/key=twice');
    return warnings.length > 0 || chordThen?.['version'] !== 1 ? chordThen : undefined;
  });
  t.match(stayed, { pitch: 2, version: 1 });
  t.match(warnings[0], { id: twice.id, msg: 'cannot follow' });
  await pitch(2, 5);
  await until(t, platform, '/trial-chords/key=twice', { pitch: 10, version: 2 });
});

t.test('what belongs to a resource goes with it', async (t) => {
  const platform = await startPlatform(t, { resources, feeder: true });
  await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
  const chords = await Promise.all(
    ['one', 'two'].map((name) => made(platform, '/trial-chords', { key: name, lead: toneOf('low') })),
  );
  for (const [index, { id }] of chords.entries())
    await made(platform, '/trial-echoes', { key: `echo-${index}`, of: { typeId: 'trial-chord', id } });
  await platform.request('DELETE', `/trial-chords/${chords[0]!.id}?version=1`);
  await eventually(async () => ((await read(platform, '/trial-echoes/key=echo-0')) === undefined ? true : undefined));
  t.ok(await read(platform, '/trial-echoes/key=echo-1'));
});

t.test('all of a kind follow all of another, by a change and by the clock, over a process that ends', async (t) => {
  const platform = await startPlatform(t, { resources });
  const { config, sql, projectKey } = platform;
  await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
  const count = 250;
  for (let start = 0; start < count; start += 50)
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        made(platform, '/trial-chords', { key: `chord-${start + index}`, lead: toneOf('low') }),
      ),
    );
  await made(platform, '/trial-tunings', { key: 'now', by: 5 });
  const feed = () => startFeeder(config, pino({ level: 'silent' }), { resources: [...allResources, ...resources] });
  const pitched = async (pitch: number) => {
    const where = encodeURIComponent(`pitch = ${pitch}`);
    return (await platform.request('GET', `/trial-chords?where=${where}&limit=1`)).body['total'];
  };
  const first = feed();
  await eventually(async () => (Number(await pitched(6)) > 0 ? true : undefined));
  await first.close();
  const second = feed();
  t.teardown(() => second.close());
  await eventually(async () => ((await pitched(6)) === count ? true : undefined));
  const soon = new Date(Date.now() + 3000).toISOString();
  await made(platform, '/trial-tunings', { key: 'later', by: 100, from: soon });
  await eventually(async () => ((await pitched(106)) === count ? true : undefined));
  const versions = await sql<{ version: string }[]>`
    select distinct version from documents where project = ${projectKey} and kind = 'trial-chord'`;
  t.strictSame(
    versions.map(({ version }) => Number(version)),
    [3],
    'each was written once for each change',
  );
});

t.test(
  'a follower with which processes end again and again is set aside, and the pass goes on behind it',
  async (t) => {
    const platform = await startPlatform(t, { resources });
    const { config, sql, projectKey } = platform;
    await made(platform, '/trial-tones', { key: 'low', pitch: 1 });
    const ids: string[] = [];
    for (const name of ['one', 'two', 'three'])
      ids.push((await made(platform, '/trial-chords', { key: name, lead: toneOf('low') })).id);
    ids.sort();
    await made(platform, '/trial-tunings', { key: 'now', by: 5 });
    await sql`delete from outbox where project = ${projectKey}`;
    const warnings: { id?: string; msg?: string }[] = [];
    const log = pino({ level: 'warn' }, { write: (line: string) => void warnings.push(JSON.parse(line) as object) });
    const startFollowing = () => startFeeder(config, log, { resources: [...allResources, ...resources] });
    const isDone = async () => {
      const [pass] = await sql<{ isBegun: boolean }[]>`
      select begun_at is not null as "isBegun" from passes where project = ${projectKey} and kind = 'trial-chord'`;
      return pass?.isBegun === false ? true : undefined;
    };
    const pitches = async () =>
      Promise.all(ids.map(async (id) => (await read(platform, `/trial-chords/${id}`))?.['pitch']));
    // As often as processes have begun with what is behind the cursor, and ended.
    const walk = async (attempts: number): Promise<void> => {
      await sql`
      insert into passes (project, kind, source_kind, source_id, begun_at, attempts)
      values (${projectKey}, 'trial-chord', 'trial-tuning', '', now(), ${attempts})
      on conflict (project, kind, source_kind, source_id)
        do update set begun_at = excluded.begun_at, attempts = excluded.attempts`;
      const feeder = startFollowing();
      await eventually(isDone);
      await feeder.close();
    };
    await walk(4);
    t.strictSame(await pitches(), [1, 6, 6]);
    t.match(
      warnings.filter(({ msg }) => msg === 'cannot follow: set aside'),
      [{ id: ids[0] }],
      'it is in the log',
    );
    await walk(3);
    t.strictSame(await pitches(), [6, 6, 6], 'before that it is tried, alone');
    t.equal(warnings.filter(({ msg }) => msg === 'cannot follow: set aside').length, 1);
  },
);
