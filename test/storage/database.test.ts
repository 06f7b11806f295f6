import t from 'tap';
import { Database } from '../../src/storage/database.ts';
import { Lane } from '../../src/storage/lane.ts';
import { proxyTo } from '../support/proxy.ts';
import { createDatabase, eventually } from '../support/services.ts';

const unreachable = { errors: [{ code: 'OverCapacity' }] };
const unknown = { errors: [{ code: 'BadGateway' }] };

t.test('what a silent network holds up is answered all the same, and connections are opened anew', async (t) => {
  const { url, sql } = await createDatabase(t);
  await sql`create table notes (text text)`;
  const proxy = await proxyTo(t, url);
  const database = new Database({ databaseUrl: proxy.url.href, prepare: true, connectionsMax: 2, timeoutMs: 300 });
  t.teardown(() => database.close());
  const read = () => database.read((sql) => sql`select`);
  const write = () => database.write((sql) => sql`insert into notes values ('a')`);
  await Promise.all([read(), write()]);
  proxy.isSilent = true;
  const [first, second, third] = await Promise.allSettled([read(), write(), read()]);
  t.match(first.status === 'rejected' && first.reason, unreachable);
  t.match(second.status === 'rejected' && second.reason, unknown, 'nobody knows whether a write was made');
  t.match(third.status === 'rejected' && third.reason, unreachable, 'what waits for a connection is answered too');
  proxy.isSilent = false;
  await Promise.all([read(), write()]);
  t.equal(proxy.connections, 4);
  t.strictSame([...(await sql`select count(*)::int as count from notes`)], [{ count: 2 }]);
});

t.test('reads outlive the end of their connections, and a write is made once or told of', async (t) => {
  const { url, sql } = await createDatabase(t);
  await sql`create table notes (number int)`;
  const database = new Database({ databaseUrl: url, prepare: true, connectionsMax: 4 });
  t.teardown(() => database.close());
  let isOver = false;
  const reads = Array.from({ length: 8 }, () => 0);
  const written: number[] = [];
  const untold: unknown[] = [];
  const readers = reads.map(async (_, index) => {
    for (; !isOver; reads[index]! += 1) await database.read((sql) => sql`select pg_sleep(0.001)`);
  });
  const writer = (async () => {
    for (let number = 0; !isOver; number += 1) {
      try {
        await database.write((sql) => sql`insert into notes values (${number}::int)`);
        written.push(number);
      } catch (error) {
        untold.push(error);
      }
    }
  })();
  for (let round = 0; round < 30; round += 1) {
    const before = [...reads];
    await sql`select pg_terminate_backend(pid, 1000) from (
      select pid from pg_stat_activity where datname = current_database() and application_name = 'tradepost'
        and not query like '%pg_terminate_backend%' order by random() limit 1) as victim`;
    // What one of them ended is run again before the next.
    const haveAllRead = () => Promise.resolve(reads.every((count, index) => count > before[index]! + 1) || undefined);
    await Promise.race([eventually(haveAllRead), ...readers]);
  }
  isOver = true;
  await Promise.all([...readers, writer]);
  for (const error of untold) t.match(error, unknown);
  const rows = await sql<{ number: number }[]>`select number from notes order by number`;
  const found = rows.map(({ number }) => number);
  t.strictSame(found, [...new Set(found)], 'none was made twice');
  t.strictSame(
    written.filter((number) => !found.includes(number)),
    [],
  );
});

t.test('a write that waited for a connection has the time that Postgres gives it', async (t) => {
  const { url } = await createDatabase(t);
  const [timeoutMs, settings] = [4000, { statement_timeout: 2500 }];
  const database = new Database({ databaseUrl: url, prepare: true, connectionsMax: 1, timeoutMs, settings });
  t.teardown(() => database.close());
  const held = database.write((sql) => sql`select pg_sleep(2)`);
  await t.rejects(
    database.write((sql) => sql`select pg_sleep(10)`),
    { code: '57014' },
    'it did not take place',
  );
  await held;
});

t.test('where no more connections are to be had, statements share those that there are', async (t) => {
  const { url, sql } = await createDatabase(t);
  const { pathname } = new URL(url);
  const role = `few_${pathname.slice(1)}`;
  await sql.unsafe(`create role ${role} login password 'few' connection limit 1`);
  t.teardown(() => sql.unsafe(`drop role ${role}`));
  const limited = Object.assign(new URL(url), { username: role, password: 'few' });
  const database = new Database({ databaseUrl: limited.href, prepare: true, connectionsMax: 3 });
  t.teardown(() => database.close());
  const sleep = () => database.read((sql) => sql`select pg_sleep(0.02)`);
  await sleep();
  const outcomes = await Promise.allSettled(Array.from({ length: 12 }, sleep));
  t.ok(outcomes.some(({ status }) => status === 'fulfilled'));
  for (const outcome of outcomes) if (outcome.status === 'rejected') t.match(outcome.reason, unreachable);
});

t.test('a statement that Postgres refuses is refused once, and leaves the connection as it is', async (t) => {
  const { url } = await createDatabase(t);
  const proxy = await proxyTo(t, url);
  const database = new Database({ databaseUrl: proxy.url.href, prepare: true, connectionsMax: 1 });
  t.teardown(() => database.close());
  let runs = 0;
  const failing = database.read((sql) => {
    runs += 1;
    return sql`select 1 / 0`;
  });
  await t.rejects(failing, { code: '22012' });
  await database.read((sql) => sql`select`);
  t.equal(runs, 1);
  t.equal(proxy.connections, 1);
});

t.test('each new connection tells of the process that serves it, before its first statement', async (t) => {
  const { url, sql } = await createDatabase(t);
  const told: number[] = [];
  const lane = new Lane({ databaseUrl: url, prepare: true, onBackend: (pid) => told.push(pid) });
  t.teardown(() => lane.close());
  const pid = () =>
    lane.run(async (own) => {
      const [row] = await own<{ pid: number }[]>`select pg_backend_pid() as pid`;
      return row!.pid;
    }, 5000);
  const first = await pid();
  t.equal(await pid(), first);
  t.strictSame(told, [first]);
  await sql`select pg_terminate_backend(${first})`;
  const second = await eventually(() => pid().catch(() => undefined));
  t.not(second, first);
  t.strictSame(told, [first, second]);
});
