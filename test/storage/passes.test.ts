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
