import t, { type Test } from 'tap';
import { CoherentCache } from '../../src/engine/coherence.ts';
import { type ClosableFence, createFence } from '../../src/storage/change-log.ts';
import { connect } from '../../src/storage/connection.ts';
import { Lane } from '../../src/storage/lane.ts';
import { proxyTo } from '../support/proxy.ts';
import { createDatabase } from '../support/services.ts';

function fenceOn(t: Test, databaseUrl: string, settings: Readonly<Record<string, string>> = {}): ClosableFence {
  const fence = createFence(new Lane({ databaseUrl, prepare: true, settings }));
  t.teardown(() => fence.close());
  return fence;
}

t.test('a cached value is dropped when another connection changes what it was made from', async (t) => {
  const { url } = await createDatabase(t);
  const writer = connect({ databaseUrl: url, connectionsMax: 1, prepare: true });
  t.teardown(() => writer.end());
  const fence = fenceOn(t, url);
  const cache = new CoherentCache<{ made: number }>(fence, { entriesMax: 10 });
  let made = 0;
  const read = async () => {
    await fence.pass();
    return cache.get('a', async () => ({
      value: { made: (made += 1) },
      dependencies: ['p/zone/1'],
    }));
  };
  t.strictSame(await read(), { made: 1 });
  await read();
  t.strictSame(await read(), { made: 1 });
  await writer`insert into change_log (project, kind, id, version) values ('p', 'zone', '2', 1)`;
  t.strictSame(await read(), { made: 1 }, 'a change of another resource leaves it alone');
  await writer`insert into change_log (project, kind, id, version) values ('p', 'zone', '1', 2)`;
  t.strictSame(await read(), { made: 2 });
  t.strictSame(await read(), { made: 2 });
});

t.test('who comes while a check is under way, or before the next one starts, shares the next one', async (t) => {
  const { url } = await createDatabase(t);
  const fence = fenceOn(t, url);
  const first = fence.pass();
  const second = fence.pass();
  t.not(second, first, 'what began before tells nothing');
  t.equal(fence.pass(), second);
  await first;
  await new Promise<void>((resolve) => process.nextTick(resolve));
  t.equal(fence.pass(), second, 'for as long as more may have come in this turn of the event loop');
  await second;
  t.equal(fence.checks, 2);
  await fence.pass();
  t.equal(fence.checks, 3);
});

t.test('a check that is not answered is made once more on a new connection, and then fails', async (t) => {
  const { url, sql } = await createDatabase(t);
  const proxy = await proxyTo(t, url);
  const fence = fenceOn(t, proxy.url.href);
  await fence.pass();
  t.equal(proxy.connections, 1);
  proxy.isSilent = true;
  await t.rejects(fence.pass(), { errors: [{ code: 'OverCapacity' }] });
  t.equal(proxy.connections, 2);
  proxy.isSilent = false;
  await fence.pass();
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()`;
  await fence.pass();
});

t.test('what checks do not tell of is shared by callers that none has come between', async (t) => {
  const { url } = await createDatabase(t);
  const fence = fenceOn(t, url);
  const cache = new CoherentCache<{ reading: number }>(fence, { entriesMax: 10 });
  const readings: (() => void)[] = [];
  const read = () =>
    cache.get('a', async () => {
      const reading = readings.length + 1;
      await new Promise<void>((resolve) => readings.push(resolve));
      return { value: { reading }, dependencies: undefined };
    });
  await fence.pass();
  const first = [read(), read()];
  t.equal(readings.length, 1);
  await fence.pass();
  const second = [read(), read()];
  readings[0]!();
  t.strictSame(await Promise.all(first), [{ reading: 1 }, { reading: 1 }]);
  readings[1]!();
  t.strictSame(
    await Promise.all(second),
    [{ reading: 2 }, { reading: 2 }],
    'a check may have seen what the first has not',
  );
  const third = read();
  t.equal(readings.length, 3, 'a reading that is over is not shared');
  readings[2]!();
  t.strictSame(await third, { reading: 3 });
});

t.test('what fails is not shared beyond a check', async (t) => {
  const { url } = await createDatabase(t);
  const fence = fenceOn(t, url);
  const cache = new CoherentCache<{ reading: number }>(fence, { entriesMax: 10 });
  const failing: (() => void)[] = [];
  const read = () =>
    cache.get('a', async () => {
      const reading = failing.length + 1;
      await new Promise<void>((resolve) => failing.push(resolve));
      throw new Error(String(reading));
    });
  const first = read();
  const same = read();
  await fence.pass();
  const later = read();
  failing[0]!();
  await t.rejects(first, { message: '1' });
  await t.rejects(same, { message: '1' });
  failing[1]!();
  await t.rejects(later, { message: '2' });
});

t.test('a change is seen though a rolled-back transaction had its number before, as after a crash', async (t) => {
  const { url, sql } = await createDatabase(t);
  const fence = fenceOn(t, url);
  const changed: string[] = [];
  fence.listen({ changed: (changes) => changed.push(...changes.map(({ id }) => id)), reset: () => {} });
  await fence.pass();
  await sql`insert into change_log (xid, project, kind, id, version) values ('3'::xid8, 'p', 'zone', '1', 1)`;
  await fence.pass();
  t.strictSame(changed, ['1']);
  await fence.pass();
  t.strictSame(changed, ['1'], 'and is reported once');
});

t.test('each change is reported once, and too many of them empty the caches', async (t) => {
  const { url } = await createDatabase(t);
  const writer = connect({ databaseUrl: url, connectionsMax: 1, prepare: true });
  t.teardown(() => writer.end());
  const fence = fenceOn(t, url);
  let changed: string[] = [];
  let resets = 0;
  fence.listen({ changed: (changes) => changed.push(...changes.map(({ id }) => id)), reset: () => (resets += 1) });
  const insert = (count: number) =>
    writer`insert into change_log (project, kind, id, version) select 'p', 'zone', id, 1 from generate_series(1, ${count}::int) as id`;
  await fence.pass();
  await insert(3);
  await fence.pass();
  t.strictSame(changed, ['1', '2', '3']);
  changed = [];
  await insert(20_000);
  await fence.pass();
  t.equal(changed.length, 20_000);
  t.equal(resets, 1, 'the first check alone');
  changed = [];
  // Rows that were written before the previous check and committed after it.
  await writer.unsafe('begin');
  await insert(20_001);
  await fence.pass();
  await writer.unsafe('commit');
  await fence.pass();
  t.equal(resets, 2);
  t.strictSame(changed, []);
});

t.test('a fence whose last check is older than changes are kept for starts empty', async (t) => {
  const { url, sql } = await createDatabase(t);
  await sql`create table clock (ahead interval not null)`;
  await sql`insert into clock values ('0')`;
  await sql`create function public.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.clock_timestamp() + ahead from public.clock'`;
  const fence = fenceOn(t, url, { search_path: 'public,pg_catalog' });
  let resets = 0;
  fence.listen({ changed: () => {}, reset: () => (resets += 1) });
  await fence.pass();
  t.equal(resets, 1, 'the first check has nothing to compare with');
  await sql`update clock set ahead = '4 minutes'`;
  await fence.pass();
  t.equal(resets, 1);
  await sql`update clock set ahead = '10 minutes'`;
  await fence.pass();
  t.equal(resets, 2);
  await fence.pass();
  t.equal(resets, 2);
});

t.test('no read that began after a write was acknowledged gives an older value', async (t) => {
  const { url, sql } = await createDatabase(t);
  await sql`create table counter (value int not null)`;
  await sql`insert into counter values (0)`;
  const writer = connect({ databaseUrl: url, connectionsMax: 2, prepare: true });
  t.teardown(() => writer.end());
  const caches = [fenceOn(t, url), fenceOn(t, url), fenceOn(t, url)].map((fence) => ({
    fence,
    cache: new CoherentCache<{ value: number }>(fence, { entriesMax: 10 }),
  }));
  const read = async ({ fence, cache }: (typeof caches)[number]) => {
    await fence.pass();
    return cache.get('counter', async () => {
      const [row] = await sql<{ value: number }[]>`select value from counter`;
      return { value: { value: row!.value }, dependencies: ['p/counter'] };
    });
  };
  let acknowledged = 0;
  let reads = 0;
  let stale = 0;
  let isWriting = true;
  const readers = Array.from({ length: 12 }, async (_, index) => {
    while (isWriting) {
      const known = acknowledged;
      const { value } = await read(caches[index % caches.length]!);
      reads += 1;
      if (value < known) stale += 1;
    }
  });
  for (let value = 1; value <= 300; value += 1) {
    await writer`with written as (update counter set value = ${value}) insert into change_log (project, kind, id, version) values ('p', 'counter', 'x', ${value})`;
    acknowledged = value;
  }
  isWriting = false;
  await Promise.all(readers);
  t.equal(stale, 0, `${reads} reads`);
});

t.test('a cache without the fence would give older values: the check above can fail', async (t) => {
  const { url, sql } = await createDatabase(t);
  const writer = connect({ databaseUrl: url, connectionsMax: 1, prepare: true });
  t.teardown(() => writer.end());
  const open = { pass: async () => {}, checks: 0, listen: () => {} };
  const cache = new CoherentCache<{ version: string }>(open, { entriesMax: 10 });
  const read = () =>
    cache.get('a', async () => {
      const [row] = await sql<{ count: string }[]>`select count(*) as count from change_log`;
      return { value: { version: row!.count }, dependencies: ['p/zone'] };
    });
  await read();
  await writer`insert into change_log (project, kind, id, version) values ('p', 'zone', '1', 1)`;
  t.strictSame(await read(), { version: '0' });
});
