import t from 'tap';
import { connect } from '../../src/storage/connection.ts';
import { migrate, type Migration, pendingMigrations } from '../../src/storage/migrate.ts';
import { createDatabase, eventually } from '../support/services.ts';

function migration(text: string): readonly Migration[] {
  return [{ number: 1, name: '0001_first.sql', text, checksum: 'any' }];
}

t.test('data that stands in the way of a migration is not taken for a rival that migrated first', async (t) => {
  const { sql } = await createDatabase(t, 'template1');
  const text =
    'create table twice (value int); insert into twice values (1), (1); create unique index on twice (value);';
  await t.rejects(migrate(sql, migration(text)), { code: '23505' });
  t.equal((await pendingMigrations(sql, migration(text))).length, 1);
});

t.test('what is pending can be read while another process migrates', async (t) => {
  const { sql, url } = await createDatabase(t, 'template1');
  const other = connect({ databaseUrl: url, connectionsMax: 1, prepare: true });
  t.teardown(() => other.end({ timeout: 1 }));
  const slow = migration('select pg_sleep(600);');
  const migrating = t.rejects(migrate(other, slow), { code: '57014' });
  const pid = await eventually(async () => {
    const [row] = await sql<{ pid: number }[]>`select pid from pg_stat_activity
      where wait_event = 'PgSleep' and datname = current_database()`;
    return row?.pid;
  });
  t.equal((await pendingMigrations(sql, slow)).length, 1);
  await sql`select pg_cancel_backend(${pid})`;
  await migrating;
});
