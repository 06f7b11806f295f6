/** Faults of what products are searched with fail searches at most, and are made up for. */
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { startPostgres } from '../../src/embedded/postgres.ts';
import { connect } from '../../src/storage/connection.ts';
import { Database } from '../../src/storage/database.ts';
import { startModule } from '../support/module-process.ts';
import { type Answer, type Platform, startPlatform } from '../support/platform.ts';
import { dataDirectory, smallDisk } from '../support/process.ts';
import { eventually } from '../support/services.ts';

t.setTimeout(180_000);

/** Makes products, and searches for all. Each asks for another number, for an answer is given again for a second. */
function shopOf({ request }: Platform) {
  let asked = 0;
  const search = (): Promise<Answer> =>
    request('GET', `/product-projections/search?staged=true&limit=${1 + ((asked += 1) % 500)}`);
  return {
    search,
    becomes: (total: number) =>
      eventually(async () => {
        const { status, body } = await search();
        return (status === 200 && body['total'] === total) || undefined;
      }),
    makeType: () => request('POST', '/product-types', { key: 'plain', name: 'Plain', description: 'Plain' }),
    make: async (key: string, description = key): Promise<number> => {
      const draft = { key, name: { en: key }, slug: { en: key }, productType: { key: 'plain' } };
      return (await request('POST', '/products', { ...draft, description: { en: description } })).status;
    },
  };
}

const failed = { status: 502, body: { errors: [{ code: 'SearchExecutionFailure' }] } };

t.test('a search process that hangs fails searches alone, in time, and catches up', async (t) => {
  const platform = await startPlatform(t, { feeder: true });
  const { search, becomes, makeType, make } = shopOf(platform);
  const log = '{ info() {}, warn() {}, error() {} }';
  const process = startModule(t, 'app.js', `await module.startSearch(${JSON.stringify(platform.config)}, ${log})`);
  await process.printed('done');
  await makeType();
  t.equal(await make('one'), 201);
  await becomes(1);
  process.child.kill('SIGSTOP');
  // The second one comes so late that the connection is given up.
  for (const key of ['two', 'three']) {
    const answer = search();
    t.equal(await make(key), 201);
    t.match(await platform.request('GET', `/products/key=${key}`), { status: 200 });
    t.match(await answer, failed);
  }
  process.child.kill('SIGCONT');
  await becomes(3);
});

t.test('without room for what is searched it stays as it was, and catches up', async (t) => {
  const directory = dataDirectory(t);
  const postgres = await startPostgres(directory, () => {});
  const options = { databaseUrl: postgres.url, connectionsMax: 2, prepare: true };
  const [sql, database] = [connect(options), new Database(options)];
  t.teardown(async () => {
    await Promise.all([sql.end({ timeout: 1 }), database.close()]);
    await postgres.stop();
  });
  const { uid, gid } = statSync(join(directory, 'postgres'));
  const small = smallDisk(t, `size=8m,mode=700,uid=${uid},gid=${gid}`);
  if (small === undefined) return;
  const platform = await startPlatform(t, { database: { url: postgres.url, sql, database }, search: true });
  const admin = connect({ databaseUrl: postgres.adminUrl, connectionsMax: 1, prepare: true });
  await admin.unsafe(`create tablespace small location '${small}'`);
  await admin`alter table search_documents set tablespace small`;
  await admin.end();
  const { search, becomes, makeType, make } = shopOf(platform);
  await makeType();
  t.equal(await make('one'), 201);
  await becomes(1);

  const filler = join(small, 'filler');
  const file = openSync(filler, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(4096));
  } catch {
    // It is full.
  } finally {
    closeSync(file);
  }
  for (const key of ['two', 'three']) t.equal(await make(key, randomBytes(50_000).toString('base64')), 201);
  await eventually(async () => {
    const [row] = await sql<{ isMarked: boolean }[]>`
      select exists (select from search_dirty) and not exists (select from outbox where topic = 'search') as "isMarked"`;
    return row!.isMarked || undefined;
  });
  t.match(await search(), { status: 200, body: { total: 1 } });
  rmSync(filler);
  await becomes(3);
  const [aside] = await sql<{ count: number }[]>`select count(*)::int as count from search_set_aside`;
  t.equal(aside!.count, 0, 'no product was set aside for what was not its fault');
});
