import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t, { type Test } from 'tap';
import { connect } from '../../src/storage/connection.ts';
import { migrate, pendingMigrations, readMigrations } from '../../src/storage/migrate.ts';
import { createDatabase, migrationsDirectory } from '../support/services.ts';

/** A copy of the project's migrations that a test may change. */
function copyOfMigrations(t: { teardown(handler: () => void): void }): string {
  const directory = mkdtempSync(join(tmpdir(), 'tradepost-migrations-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  cpSync(migrationsDirectory, directory, { recursive: true });
  return directory;
}

const next = (directory: string): string =>
  join(directory, `${String(readMigrations(directory).length + 1).padStart(4, '0')}_next.sql`);

t.test('many processes that migrate at once apply each migration once', async (t) => {
  const { url } = await createDatabase(t, 'template0');
  const migrations = readMigrations(migrationsDirectory);
  const connections = Array.from({ length: 8 }, () => connect({ databaseUrl: url, connectionsMax: 1, prepare: true }));
  t.teardown(() => Promise.all(connections.map((sql) => sql.end())));
  t.equal((await pendingMigrations(connections[0]!, migrations)).length, migrations.length);
  const applied = await Promise.all(connections.map((sql) => migrate(sql, migrations)));
  t.strictSame(
    applied
      .flat()
      .map(({ name }) => name)
      .sort(),
    migrations.map(({ name }) => name),
  );
  t.strictSame(await pendingMigrations(connections[0]!, migrations), []);
});

t.test('a migration that fails leaves nothing of itself', async (t) => {
  const { sql } = await createDatabase(t);
  const directory = copyOfMigrations(t);
  writeFileSync(next(directory), 'create table half (a int); select 1 / 0;');
  await t.rejects(migrate(sql, readMigrations(directory)), { code: '22012' });
  const [table] = await sql`select to_regclass('half') as name`;
  t.equal(table!['name'], null);
  t.equal((await pendingMigrations(sql, readMigrations(directory))).length, 1);
});

t.test('an edited migration, a gap and a newer database are errors that say so', async (t) => {
  const { sql } = await createDatabase(t);
  const directory = copyOfMigrations(t);
  const known = readMigrations(directory);
  writeFileSync(next(directory), 'create table later (a int);');
  await migrate(sql, readMigrations(directory));
  await t.rejects(pendingMigrations(sql, known), /newer than this version/);
  writeFileSync(join(directory, known[0]!.name), `${known[0]!.text}\n-- edited`);
  await t.rejects(pendingMigrations(sql, readMigrations(directory)), /was edited/);
  writeFileSync(join(directory, '0099_gap.sql'), '');
  t.throws(() => readMigrations(directory), /0099_gap\.sql stands where number/);
});

/** A database in which only so many migrations have run. */
async function afterFirst(t: Test, count: number) {
  const { url } = await createDatabase(t, 'template0');
  const sql = connect({ databaseUrl: url, connectionsMax: 1, prepare: true });
  t.teardown(() => sql.end());
  const migrations = readMigrations(migrationsDirectory);
  await migrate(sql, migrations.slice(0, count));
  return { sql, migrations };
}

t.test('what is active before limits are held by values holds them, even beyond a limit', async (t) => {
  const { sql, migrations } = await afterFirst(t, 25);
  await sql`insert into projects (key, version, data) values ('p', 1, '{}')`;
  const store = async (kind: string, document: object): Promise<void> => {
    const data = JSON.stringify(document);
    await sql`insert into documents (project, kind, id, version, data)
      values ('p', ${kind}, gen_random_uuid(), 1, ${data}::text::jsonb)`;
  };
  const active = { isActive: true, requiresDiscountCode: false, stores: [] };
  const stores = ['north', 'north', 'south'].map((key) => ({ typeId: 'store', key }));
  for (let index = 0; index < 101; index += 1) await store('cart-discount', active);
  await store('cart-discount', { ...active, stores, discountGroup: { typeId: 'discount-group', id: 'g' } });
  await store('cart-discount', { ...active, isActive: false });
  await store('cart-discount', { ...active, requiresDiscountCode: true, stores });
  await store('discount-group', { isActive: true });
  await store('discount-group', { isActive: false });
  await migrate(sql, migrations);
  const held = await sql<{ name: string; count: number }[]>`
    select concat(kind, ' ', field, ' ', shared, ' ', holders_max) collate "C" as name, count(*)::int as count
    from unique_values
    where value = concat(shared, ' ', id) group by name order by name`;
  t.strictSame(
    held.map(({ name, count }) => [name, count]),
    [
      ['cart-discount discountGroup g 100', 1],
      ['cart-discount isActive true 100', 101],
      ['cart-discount stores north 100', 1],
      ['cart-discount stores south 100', 1],
      ['discount-group isActive true 100', 1],
    ],
  );
});

t.test('a state that a client has called as the built-in one is that, or gives up its key', async (t) => {
  const { sql, migrations } = await afterFirst(t, 26);
  for (const [project, type] of [
    ['lines', 'LineItemState'],
    ['orders', 'OrderState'],
    ['none', undefined],
  ] as const) {
    await sql`insert into projects (key, version, data) values (${project}, 1, '{}')`;
    if (type === undefined) continue;
    const data = JSON.stringify({ key: 'Initial', version: 3, type, initial: false });
    await sql`insert into documents (project, kind, id, key, version, data)
      values (${project}, 'state', gen_random_uuid(), 'Initial', 3, ${data}::text::jsonb)`;
  }
  await migrate(sql, migrations);
  const states = await sql`
    select project, key, version::int, data ->> 'key' as called, data ->> 'type' as type, data -> 'builtIn' as "builtIn"
    from documents where kind = 'state' order by project, type`;
  const initial = { key: 'Initial', called: 'Initial', type: 'LineItemState', builtIn: true };
  t.match(states, [
    { project: 'lines', version: 4, ...initial },
    { project: 'none', version: 1, ...initial },
    { project: 'orders', version: 1, ...initial },
    {
      project: 'orders',
      version: 4,
      key: /^Initial-.{8}$/,
      called: /^Initial-.{8}$/,
      type: 'OrderState',
      builtIn: null,
    },
  ]);
});
