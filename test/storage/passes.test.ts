import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import { type PassKey, turnOf } from '../../src/following/passes.ts';
import { createFollowedVersion } from '../../src/storage/pass-turns.ts';
import { Database } from '../../src/storage/database.ts';
import { createPasses } from '../../src/storage/passes.ts';
import { createDatabase, eventually, insertEmptyProject } from '../support/services.ts';

const found = { hasPlainKey: true, indexed: undefined };

/** When passes begin. */
const at = '2026-01-01T12:00:00.000Z';

t.test('those that refer to a resource are found in their order, each once, however many there are', async (t) => {
  const { sql, database } = await createDatabase(t);
  await insertEmptyProject(database, 'p');
  const passes = createPasses(database);
  const insert = (kind: string, count: number) =>
    sql.unsafe<{ id: string }[]>(`insert into documents (project, kind, id, key, version, data)
      select 'p', '${kind}', gen_random_uuid(), null, 1, '{"createdAt": "a", "lastModifiedAt": "a"}'
      from generate_series(1, ${count}) returning id`);
  const [target, other] = await insert('type', 2);
  const channels = await insert('channel', 5_200);
  const stores = await insert('store', 3);
  const refer = (kind: string, sources: readonly { id: string }[], to: string) =>
    sql.unsafe(
      `insert into document_references select 'p', '${kind}', source::uuid, 'type', '${to}' from unnest($1::text[]) as source`,
      [sources.map(({ id }) => id)] as unknown as string[],
    );
  await refer('channel', channels.slice(0, 5_100), target!.id);
  await refer('channel', channels.slice(0, 300), other!.id);
  await refer('store', stores.slice(0, 2), target!.id);
  const walk = async (kind: string, id: string) => {
    const followers = { kind, hasPlainKey: true, indexed: undefined, where: [], referTo: { kind: 'type', id } };
    const found: string[] = [];
    for (;;) {
      const ids = await passes.ids('p', followers, found.at(-1));
      if (ids.length === 0) break;
      found.push(...ids);
    }
    t.equal(await passes.count('p', followers), found.length);
    return found;
  };
  const referring = (kind: string, id: string) => ({
    kind,
    hasPlainKey: true,
    indexed: undefined,
    where: [],
    referTo: { kind: 'type', id },
  });
  t.strictSame(
    await passes.counts('p', [referring('channel', target!.id), referring('channel', other!.id)]),
    [undefined, 300],
    'many are not counted beside others',
  );
  t.strictSame(await passes.counts('p', []), []);
  const ids = (sources: readonly { id: string }[]) => sources.map(({ id }) => id).toSorted();
  t.strictSame(await walk('channel', target!.id), ids(channels.slice(0, 5_100)), 'more than are sorted');
  t.strictSame(await walk('channel', other!.id), ids(channels.slice(0, 300)));
  t.strictSame(await walk('store', target!.id), ids(stores.slice(0, 2)));
  t.strictSame(await walk('store', other!.id), []);
});

t.test('followers that take too long to count keep no others from being counted', async (t) => {
  const { url, sql, database } = await createDatabase(t);
  await insertEmptyProject(database, 'p');
  const target = randomUUID();
  await sql`insert into documents (project, kind, id, version, data) values ('p', 'type', ${target}, 1, '{}')`;
  await sql`
    with channels as (
      insert into documents (project, kind, id, version, data)
      select 'p', 'channel', gen_random_uuid(), 1, '{}' from generate_series(1, 3) returning id
    ) insert into document_references select 'p', 'channel', id, 'type', ${target}::uuid from channels`;
  const short = new Database({ databaseUrl: url, connectionsMax: 1, prepare: true, timeoutMs: 500 });
  t.teardown(() => short.close());
  const referring = { ...found, kind: 'channel', where: [], referTo: { kind: 'type', id: target } };
  const all = { ...found, kind: 'channel', where: [] };
  const counted = await sql.begin(async (locking) => {
    // Nobody reads documents meanwhile.
    await locking`lock table documents in access exclusive mode`;
    return createPasses(short).counts('p', [referring, all, referring]);
  });
  t.strictSame(counted, [3, undefined, undefined]);
  t.strictSame(await createPasses(database).counts('p', [referring, all, referring]), [3, 3, 3]);
});

t.test('followers of which some took long to count keep no pass waiting for the others', async (t) => {
  const { sql, database } = await createDatabase(t);
  await insertEmptyProject(database, 'p');
  const all = { ...found, kind: 'channel', where: [] };
  const counting = await sql.begin(async (locking) => {
    await locking`lock table documents in access exclusive mode`;
    const counts = createPasses(database).counts('p', [all, all]);
    await eventually(async () => {
      const [late] = await sql`
        select from pg_stat_activity
        where datname = current_database() and wait_event_type = 'Lock' and query_start < clock_timestamp() - interval '1 second'`;
      return late;
    });
    return { counts };
  });
  t.strictSame(await counting.counts, [0, undefined]);
});

t.test('what is wrong with a count is no lack of time', async (t) => {
  const { database } = await createDatabase(t);
  const unknown = { ...found, kind: "nobody's", where: [] };
  await t.rejects(createPasses(database).counts('p', [unknown]), { code: '42601' });
});

t.test(
  'of passes by values those that no follower names are forgotten, and those of few followers begin together',
  async (t) => {
    const { sql, database } = await createDatabase(t);
    await insertEmptyProject(database, 'p');
    const passes = createPasses(database);
    const lease = { project: 'p', topic: 'follow', holder: randomUUID() };
    await sql`insert into leases (project, name, holder, expires_at)
    values ('p', 'follow', ${lease.holder}, now() + interval '1 hour')`;
    const [named, other, long, begun] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const [early, gone, again, many] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
    const all = [named, other, long, begun, early, gone, again, many];
    await sql`insert into documents (project, kind, id, version, data)
    select 'p', 'product', id, 1, '{}' from unnest(${all}::uuid[]) as id`;
    const held: [string, string][] = [
      [named, 'A'],
      [named, 'B'],
      [other, 'C'],
      [long, `sha256 ${'0'.repeat(64)}`],
      [begun, 'D'],
      [early, 'E'],
      [again, 'F'],
      [many, 'G'],
    ];
    for (const [id, value] of held)
      await sql`insert into unique_values (project, kind, field, value, id) values ('p', 'product', 'sku', ${value}, ${id})`;
    // A text of this kind under another field names nothing.
    await sql`insert into unique_values (project, kind, field, value, id) values ('p', 'product', 'slug.en', 'B', ${other})`;
    const [price, priceAgain] = await sql<{ id: string }[]>`insert into documents (project, kind, id, version, data)
    values ('p', 'standalone-price', gen_random_uuid(), 1, '{"sku": "B"}'),
      ('p', 'standalone-price', gen_random_uuid(), 1, '{"sku": "F"}') returning id`;
    await sql`insert into documents (project, kind, id, version, data)
    select 'p', 'standalone-price', gen_random_uuid(), 1, '{"sku": "G"}' from generate_series(1, 21)`;
    const keyOf = (sourceId: string) => ({ kind: 'standalone-price', sourceKind: 'product', sourceId });
    await passes.note(lease, [...all.map(keyOf), { ...keyOf(other), sourceKind: 'store' }]);
    await sql`update passes set due_at = now() - interval '1 second', noted_at = now() - interval '3 seconds'
    where source_id <> ${early}`;
    await passes.begin(lease, keyOf(begun), { at, state: undefined, total: 1 });
    const left = async () =>
      (await sql<{ of: string }[]>`select source_kind || ' ' || source_id as of from passes`)
        .map(({ of }) => of)
        .toSorted();
    const sharing = { unique: 'sku', member: 'sku' };
    const before = await left();
    const lost = { ...lease, holder: randomUUID() };
    t.equal((await passes.beginShared(lost, keyOf(other), sharing)).length, 0);
    t.strictSame(await left(), before, 'who lost the lease changes nothing');
    const shared = await passes.beginShared(lease, keyOf(other), sharing);
    t.same(
      new Set(shared),
      new Set([
        { ...keyOf(named), followerIds: [price!.id] },
        { ...keyOf(again), followerIds: [priceAgain!.id] },
      ]),
    );
    const kept = [many, long, begun, early].map((id) => `product ${id}`);
    t.strictSame(await left(), [...kept, `product ${named}`, `product ${again}`, `store ${other}`].toSorted());
    t.equal((await passes.beginShared(lease, keyOf(many), sharing)).length, 0, 'which many follow begins alone');

    await passes.note(lease, [keyOf(again)]);
    t.equal(await passes.endShared(lost, shared), false);
    t.equal(await passes.endShared(lease, shared), true);
    t.strictSame(
      await left(),
      [...kept, `product ${again}`, `store ${other}`].toSorted(),
      'what changed meanwhile is due',
    );
    t.strictSame([...(await sql`select begun_at from passes where source_id = ${again}`)], [{ begun_at: null }]);

    await sql`update passes set due_at = now() - interval '1 second', noted_at = now() where source_id = ${early}`;
    const resting = await passes.beginShared(lease, keyOf(early), sharing);
    t.strictSame([...resting], [{ ...keyOf(early), followerIds: [] }], 'which changed again begins');
    await passes.endShared(lease, resting);
    const [due] = await sql`select due_at > now() as later from passes where source_id = ${early}`;
    t.strictSame({ ...due }, { later: true }, 'and is due when who may name it by what was before has written');
  },
);

async function leased(t: Test) {
  const { sql, database } = await createDatabase(t);
  await insertEmptyProject(database, 'p');
  const lease = { project: 'p', topic: 'follow', holder: randomUUID() };
  await sql`insert into leases (project, name, holder, expires_at)
    values ('p', 'follow', ${lease.holder}, now() + interval '1 hour')`;
  const rest = () =>
    sql`update passes set noted_at = noted_at - interval '3 seconds', due_at = due_at - interval '3 seconds'`;
  return { sql, database, passes: createPasses(database), lease, rest };
}

t.test('attempts are counted until the cursor goes on, by whoever holds the lease', async (t) => {
  const { passes, lease } = await leased(t);
  const pass = { kind: 'product', sourceKind: 'product-discount', sourceId: '' };
  await passes.note(lease, [pass]);
  await passes.begin(lease, pass, { at, state: undefined, total: 3 });
  t.equal(await passes.attempt(lease, pass, 1), 1);
  t.equal(await passes.attempt(lease, pass, 1), 2);
  t.equal(await passes.attempt(lease, pass, -1), 1, 'it was not broken off');
  await passes.advance(lease, pass, { cursor: randomUUID(), count: 1, attempts: 2 });
  t.equal(await passes.attempt(lease, pass, 1), 3);
  t.equal(await passes.attempt({ ...lease, holder: randomUUID() }, pass, 1), undefined);
  await passes.begin(lease, pass, { at, state: undefined, total: 3 });
  t.equal(await passes.attempt(lease, pass, 1), 1);
});

t.test('kinds that follow kinds take turns, however many passes each has', async (t) => {
  const { sql, passes, lease, rest } = await leased(t);
  const many = Array.from({ length: 300 }, (_, index) => `category-${index}`);
  const [categories, discount] = [
    many.map((sourceId) => ({ kind: 'category', sourceKind: 'category', sourceId })),
    { kind: 'product', sourceKind: 'product-discount', sourceId: '' },
  ];
  await passes.note(lease, categories);
  await passes.note(lease, [discount]);
  t.equal(await passes.next('p', []), undefined, 'none is due yet');
  await rest();
  const served = [turnOf(categories[0]!)];
  t.match(await passes.next('p', served), discount);
  t.match(await passes.next('p', [...served, turnOf(discount)]), { kind: 'category' });
  await passes.begin(lease, discount, { at, state: undefined, total: 1 });
  t.match(await passes.next('p', served), { ...discount, isBegun: true, begunAt: at });
  await sql`update passes set due_at = now() + interval '1 hour' where kind = 'category'`;
  t.match(await passes.next('p', [turnOf(discount)]), discount, 'what is not due has no turn');
  const all = await passes.alike('p', categories[0]!);
  t.strictSame(all, []);
});

t.test('a pass of which a step fails lets others of its kinds go before', async (t) => {
  const { passes, lease, rest } = await leased(t);
  const [one, other] = ['one', 'other'].map((sourceId) => ({ kind: 'product', sourceKind: 'product-type', sourceId }));
  await passes.note(lease, [one!]);
  await passes.note(lease, [other!]);
  await rest();
  await passes.begin(lease, one!, { at, state: undefined, total: 1 });
  await passes.begin(lease, other!, { at, state: undefined, total: 1 });
  t.match(await passes.next('p', []), { sourceId: 'one', isBegun: true });
  t.equal(await passes.postpone({ ...lease, holder: randomUUID() }, one!), false);
  t.equal(await passes.postpone(lease, one!), true);
  t.match(await passes.next('p', []), { sourceId: 'other', isBegun: true });
});

t.test('what followers follow is known when a pass has ended that may say so', async (t) => {
  const { database, passes, lease, rest } = await leased(t);
  const key = { kind: 'category', sourceKind: 'category', sourceId: randomUUID() };
  const followedVersion = createFollowedVersion(database);
  const noted = async (version?: number) => {
    await passes.note(lease, [{ ...key, version }]);
    await rest();
    return passes.next('p', []);
  };
  t.match(await noted(3), { isBegun: false, restedVersion: 3, followed: undefined });
  await passes.begin(lease, key, { at, state: { version: 3, mark: 'A' }, total: 1 });
  t.match(await passes.next('p', []), { isBegun: true, followed: undefined }, 'nothing before its end');
  t.equal(await followedVersion('p', key), undefined);
  await passes.end(lease, key, undefined);
  t.equal(await followedVersion('p', key), 3);
  t.match(await noted(4), { restedVersion: 4, followed: { version: 3, mark: 'A' } });

  await passes.begin(lease, key, { at, state: { version: 4, mark: 'A' }, total: 1 });
  await passes.note(lease, [key]);
  await passes.end(lease, key, undefined);
  t.equal(await followedVersion('p', key), 4);
  await rest();
  t.match(await passes.next('p', []), { followed: undefined, restedVersion: 4 }, 'they follow something else besides');
  await passes.begin(lease, key, { at, state: undefined, total: 1 });
  await passes.end(lease, key, undefined);
  t.match(await noted(5), { followed: undefined });
  t.equal(await followedVersion('p', key), 4, 'a walk that says nothing takes nothing back');
});

t.test('a source that changes again is followed once more when who read it before has written', async (t) => {
  const { sql, passes, lease, rest } = await leased(t);
  const keyOf = (sourceId: string) => ({ kind: 'category', sourceKind: 'category', sourceId });
  const due = async () => {
    const rows = await sql<{ id: string; seconds: number | null }[]>`
      select source_id as id, extract(epoch from due_at - noted_at)::float8 as seconds from passes order by 1`;
    return Object.fromEntries(rows.map(({ id, seconds }) => [id, seconds]));
  };
  const [one, two, three] = ['one', 'two', 'three'].map(keyOf) as [PassKey, PassKey, PassKey];
  for (const version of [2, 3]) {
    await passes.note(
      lease,
      [one, two, three].map((key) => ({ ...key, version })),
    );
    if (version === 2) await rest();
  }
  t.match(await passes.next('p', []), { restedVersion: undefined }, 'its pass has not been put off');
  await passes.begin(lease, one, { at, state: undefined, total: 0 });
  await passes.beginAlike(lease, one, [
    { sourceId: 'two', state: undefined, total: 0, isForgotten: true },
    { sourceId: 'three', state: undefined, total: 7, isForgotten: true },
  ]);
  t.strictSame(await due(), { one: 2, two: 2, three: 2 });
  await passes.end(lease, one, undefined);
  await passes.forget(lease, one);
  t.strictSame(await due(), { one: 2, two: 2, three: 2 });
  await rest();
  const begun = { state: { version: 3, mark: 'A' }, total: 0 };
  t.equal(
    await passes.beginAlike({ ...lease, holder: randomUUID() }, one, [
      { ...begun, sourceId: 'one', isForgotten: true },
    ]),
    false,
  );
  await passes.beginAlike(lease, one, [
    { ...begun, sourceId: 'one', isForgotten: false },
    { ...begun, sourceId: 'two', isForgotten: true },
  ]);
  t.strictSame(await due(), { one: null, three: 2 });
  await passes.note(lease, [{ ...one, version: 4 }]);
  await rest();
  t.match(await passes.next('p', []), { sourceId: 'three', isBegun: true });
  await passes.drop(lease, three);
  t.match(await passes.next('p', []), { sourceId: 'one', followed: { version: 3, mark: 'A' } }, 'it ended as it began');
});
