import { randomUUID } from 'node:crypto';
import t from 'tap';
import { createPasses } from '../../src/storage/passes.ts';
import { createDatabase, insertEmptyProject } from '../support/services.ts';

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
  const ids = (sources: readonly { id: string }[]) => sources.map(({ id }) => id).toSorted();
  t.strictSame(await walk('channel', target!.id), ids(channels.slice(0, 5_100)), 'more than are sorted');
  t.strictSame(await walk('channel', other!.id), ids(channels.slice(0, 300)));
  t.strictSame(await walk('store', target!.id), ids(stores.slice(0, 2)));
  t.strictSame(await walk('store', other!.id), []);
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
    await sql`update passes set due_at = now() - interval '1 second' where source_id <> ${early}`;
    await passes.begin(lease, keyOf(begun), { mark: undefined, total: 1 });
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
  },
);

t.test('attempts are counted until the cursor goes on, by whoever holds the lease', async (t) => {
  const { sql, database } = await createDatabase(t);
  await insertEmptyProject(database, 'p');
  const passes = createPasses(database);
  const lease = { project: 'p', topic: 'follow', holder: randomUUID() };
  await sql`insert into leases (project, name, holder, expires_at)
    values ('p', 'follow', ${lease.holder}, now() + interval '1 hour')`;
  const pass = { kind: 'product', sourceKind: 'product-discount', sourceId: '' };
  await passes.note(lease, [pass]);
  await passes.begin(lease, pass, { mark: undefined, total: 3 });
  t.equal(await passes.attempt(lease, pass, 1), 1);
  t.equal(await passes.attempt(lease, pass, 1), 2);
  t.equal(await passes.attempt(lease, pass, -1), 1, 'it was not broken off');
  await passes.advance(lease, pass, { cursor: randomUUID(), count: 1, attempts: 2 });
  t.equal(await passes.attempt(lease, pass, 1), 3);
  t.equal(await passes.attempt({ ...lease, holder: randomUUID() }, pass, 1), undefined);
  await passes.begin(lease, pass, { mark: undefined, total: 3 });
  t.equal(await passes.attempt(lease, pass, 1), 1);
});
