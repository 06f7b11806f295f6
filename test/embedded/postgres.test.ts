import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { identityOf } from '../../src/embedded/leftover.ts';
import { startPostgres, type EmbeddedPostgres } from '../../src/embedded/postgres.ts';
import { connect } from '../../src/storage/connection.ts';
import { startModule } from '../support/module-process.ts';
import { childrenOf, dataDirectory, processesWith } from '../support/process.ts';
import { eventually } from '../support/services.ts';

async function start(t: Test, dataDir: string, failures: Error[] = []): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres(dataDir, (error) => failures.push(error));
  t.teardown(() => postgres.stop());
  return postgres;
}

async function run({ url }: EmbeddedPostgres, text: string): Promise<unknown> {
  const sql = connect({ databaseUrl: url, connectionsMax: 1, prepare: true });
  try {
    const [row] = await sql.unsafe(text);
    return row;
  } finally {
    await sql.end({ timeout: 1 });
  }
}

/** The server's process, as its own file names it. */
function serverPid(dataDir: string): number {
  return Number(readFileSync(join(dataDir, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
}

t.test('the platform is no administrator, and owns what one had made before', async (t) => {
  const dataDir = dataDirectory(t);
  const first = await start(t, dataDir);
  const role = `select rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls as "mayMore"
    from pg_roles where rolname = current_user`;
  t.match(await run(first, role), { mayMore: false });
  await t.rejects(run(first, "select pg_read_file('PG_VERSION')"), { code: '42501' });
  const asAdministrator = { ...first, url: first.adminUrl };
  await run(
    asAdministrator,
    `create table old (id bigserial primary key, value int not null) partition by range (id);
    create table old_first partition of old for values from (0) to (100);
    create sequence numbers; create statistics pairs on id, value from old;
    create function answer() returns int language sql as 'select 42'; select 1`,
  );
  await first.stop();
  rmSync(join(dataDir, 'postgres.role-password'));
  const second = await start(t, dataDir);
  const changes = `alter table old add column more int; insert into old (value) values (7);
    alter table old_first add check (value > 0); alter sequence numbers restart; drop statistics pairs;
    create or replace function answer() returns int language sql as 'select 43'; select value from old`;
  t.ok(await run(second, changes));
});

const keepRow = 'create table kept as select 42 as value; select 1';

t.test('a database is made once, with settings that lose no acknowledged write', async (t) => {
  const dataDir = dataDirectory(t);
  const first = await start(t, dataDir);
  t.strictSame(
    {
      ...((await run(
        first,
        `select current_setting('fsync') as fsync, current_setting('full_page_writes') as pages,
        current_setting('synchronous_commit') as commit, current_setting('server_encoding') as encoding,
        current_setting('timezone') as timezone, datcollate as collation from pg_database where datname = 'postgres'`,
      )) as object),
    },
    { fsync: 'on', pages: 'on', commit: 'on', encoding: 'UTF8', timezone: 'UTC', collation: 'C' },
  );
  t.equal(statSync(join(dataDir, 'postgres.password')).mode & 0o777, 0o600);
  await run(first, keepRow);
  await first.stop();
  t.strictSame(processesWith(dataDir), []);
  const second = await start(t, dataDir);
  t.match(await run(second, 'select value from kept'), { value: 42 });
});

t.test('a server that dies is started again with what it had acknowledged', async (t) => {
  const dataDir = dataDirectory(t);
  const failures: Error[] = [];
  const postgres = await start(t, dataDir, failures);
  await run(postgres, keepRow);
  process.kill(serverPid(dataDir), 'SIGKILL');
  t.match(await eventually(() => run(postgres, 'select value from kept').catch(() => undefined)), { value: 42 });
  t.match(failures[0]?.message, /^The embedded Postgres ended and is started again: /);
});

t.test('a server that hangs with all of its processes is ended and started again', async (t) => {
  const dataDir = dataDirectory(t);
  const failures: Error[] = [];
  const postgres = await start(t, dataDir, failures);
  await run(postgres, keepRow);
  const pid = serverPid(dataDir);
  for (const each of [pid, ...childrenOf(pid)]) process.kill(each, 'SIGSTOP');
  await eventually(async () => (identityOf(pid) === undefined ? true : undefined));
  t.match(await eventually(() => run(postgres, 'select value from kept').catch(() => undefined)), { value: 42 });
  t.match(failures[0]?.message, 'The embedded Postgres hangs and is ended.');
});

t.test('the server of a killed run is stopped before another one starts on its data', async (t) => {
  const dataDir = dataDirectory(t);
  const killed = startModule(t, 'embedded/postgres.js', `await module.startPostgres('${dataDir}', () => {})`);
  await killed.printed('done');
  const orphan = serverPid(dataDir);
  killed.child.kill('SIGKILL');
  await killed.exited;
  t.ok(identityOf(orphan), 'it outlives the process that started it');
  const postgres = await start(t, dataDir);
  t.not(serverPid(dataDir), orphan);
  t.equal(identityOf(orphan), undefined);
  t.match(await run(postgres, 'select 1 as value'), { value: 1 });
});

t.test('a process that has the id of a dead server by now is left alone', async (t) => {
  const dataDir = dataDirectory(t);
  const first = await start(t, dataDir);
  const file = join(dataDir, 'postgres', 'postmaster.pid');
  const lines = readFileSync(file, 'utf8').split('\n');
  await first.stop();
  writeFileSync(file, [String(process.pid), ...lines.slice(1)].join('\n'));
  t.match(await run(await start(t, dataDir), 'select 1 as value'), { value: 1 });
});

t.test('half a database of a run that was broken off does not pass for one', async (t) => {
  const dataDir = dataDirectory(t);
  mkdirSync(join(dataDir, 'postgres-new-abc', 'data'), { recursive: true });
  writeFileSync(join(dataDir, 'postgres-new-abc', 'data', 'PG_VERSION'), '18\n');
  t.match(await run(await start(t, dataDir), 'select 1 as value'), { value: 1 });
  t.strictSame(readdirSync(dataDir).sort(), [
    'postgres',
    'postgres.log',
    'postgres.password',
    'postgres.role-password',
  ]);
});

t.test('files that are no database are not touched', async (t) => {
  const dataDir = dataDirectory(t);
  mkdirSync(join(dataDir, 'postgres'));
  writeFileSync(join(dataDir, 'postgres', 'precious'), 'kept');
  await t.rejects(
    startPostgres(dataDir, () => {}),
    {
      message: `There are files in ${dataDir}/postgres, but no database (PG_VERSION is missing); move them away.`,
    },
  );
  t.equal(readFileSync(join(dataDir, 'postgres', 'precious'), 'utf8'), 'kept');
});

t.test(
  'root keeps the data elsewhere when the unprivileged user cannot enter, and finds it after a move',
  { skip: process.getuid?.() !== 0 && 'only root runs Postgres as another user' },
  async (t) => {
    const outer = dataDirectory(t);
    const dataDir = join(outer, 'closed');
    mkdirSync(dataDir, { mode: 0o700 });
    const first = await start(t, dataDir);
    const home = first.movedTo!.replace(/\/postgres$/, '');
    t.teardown(() => rmSync(home, { recursive: true, force: true }));
    t.notOk(readdirSync(dataDir).includes('postgres'));
    await run(first, keepRow);
    await first.stop();
    const moved = join(outer, 'opened');
    renameSync(dataDir, moved);
    const second = await start(t, moved);
    t.equal(second.movedTo, first.movedTo);
    t.match(await run(second, 'select value from kept'), { value: 42 });
  },
);
