import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { connect } from '../../src/storage/connection.ts';
import { migrate, type Migration, pendingMigrations, readMigrations } from '../../src/storage/migrate.ts';
import { createDatabase } from '../support/services.ts';

function folder(t: Test, files: Readonly<Record<string, string>>): readonly Migration[] {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-migrations-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
  return readMigrations(directory);
}

const names = (migrations: readonly Migration[]): readonly string[] => migrations.map(({ name }) => name);

const first = { '0001_one.sql': 'create table one (value int); insert into one values (1);' };
const both = { ...first, '0002_two.sql': 'create table two (value int);' };

t.test('each migration is applied once and in order', async (t) => {
  const { sql } = await createDatabase(t, 'template1');
  t.strictSame(names(await pendingMigrations(sql, folder(t, both))), ['0001_one.sql', '0002_two.sql']);
  t.strictSame(names(await migrate(sql, folder(t, first))), ['0001_one.sql']);
  t.strictSame(names(await migrate(sql, folder(t, both))), ['0002_two.sql']);
  t.strictSame(names(await migrate(sql, folder(t, both))), []);
  t.strictSame(names(await pendingMigrations(sql, folder(t, both))), []);
  t.strictSame([...(await sql`select value from one`)].length, 1);
});

t.test('of eight processes that migrate at once, each migration is applied by one', async (t) => {
  const { url } = await createDatabase(t, 'template1');
  const migrations = folder(t, both);
  const clients = Array.from({ length: 8 }, () => connect({ databaseUrl: url, connectionsMax: 1, prepare: true }));
  t.teardown(() => Promise.all(clients.map((client) => client.end({ timeout: 1 }))));
  const applied = await Promise.all(clients.map((client) => migrate(client, migrations)));
  t.strictSame(names(applied.flat()).toSorted(), ['0001_one.sql', '0002_two.sql']);
});

t.test('a migration that fails leaves nothing of itself', async (t) => {
  const { sql } = await createDatabase(t, 'template1');
  const migrations = folder(t, { ...first, '0002_two.sql': 'create table two (value int); select nonsense;' });
  await t.rejects(migrate(sql, migrations), { code: '42703' });
  t.strictSame(names(await pendingMigrations(sql, migrations)), ['0002_two.sql']);
  t.match(await sql`select to_regclass('two') as name`, [{ name: null }]);
});

t.test('a database that does not fit these migrations is refused', async (t) => {
  const { sql } = await createDatabase(t, 'template1');
  await migrate(sql, folder(t, both));
  await t.rejects(pendingMigrations(sql, folder(t, first)), {
    message:
      'The database has the migration 0002_two.sql, which this version does not know: it is newer than this version.',
  });
  await t.rejects(pendingMigrations(sql, folder(t, { ...both, '0001_one.sql': 'create table one (other int);' })), {
    message: 'The migration 0001_one.sql was edited after it was applied to this database.',
  });
});

t.test('a folder with a gap, a duplicate or a wrong name is refused', (t) => {
  const cases = [
    [
      { '0001_one.sql': '', '0003_three.sql': '' },
      /^The migration 0003_three\.sql stands where number 2 is expected\.$/,
    ],
    [
      { '0001_one.sql': '', '0001_other.sql': '' },
      /^The migration 0001_other\.sql stands where number 2 is expected\.$/,
    ],
    [{ 'one.sql': '' }, /^The migration one\.sql stands where number 1 is expected\.$/],
  ] as const;
  for (const [files, message] of cases) t.throws(() => folder(t, files), { message });
  t.end();
});
