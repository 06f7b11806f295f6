import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresPlace } from './postgres-place.ts';
import { reasonIn, runToEnd } from './service.ts';

/** The user that the platform connects as: it owns the database, and is nobody outside of it. */
export const roleName = 'tradepost_app';

/**
 * The role's password. A data directory without one gets the role, with everything that an administrator owned in the
 * database, from a server that runs for these statements alone; where this is broken off, the next start does it again.
 */
export async function ensureRole(dataDir: string, place: PostgresPlace): Promise<string> {
  const file = join(dataDir, 'postgres.role-password');
  try {
    return readFileSync(file, 'utf8').trim();
  } catch {
    // It is made below.
  }
  const password = randomBytes(24).toString('hex');
  const { isSuccess, output } = await runToEnd(
    {
      file: join(place.native, 'bin', 'postgres'),
      // Statements end with an empty line, and the first that fails ends the server.
      args: ['--single', '-j', '-D', place.dataDirectory, '-c', 'exit_on_error=on', 'postgres'],
      workingDirectory: '/',
      environment: { ...process.env, LC_ALL: 'C' },
      user: place.user,
    },
    `${statementsFor(password).join(';\n\n')};\n\n`,
  );
  if (!isSuccess) throw new Error(`The user of the database could not be made: ${reasonIn(output)}`);
  writeFileSync(file, password, { mode: 0o600 });
  return password;
}

function statementsFor(password: string): readonly string[] {
  return [
    `do $$ begin
  if not exists (select from pg_roles where rolname = '${roleName}') then create role ${roleName}; end if;
end $$`,
    `alter role ${roleName} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls password '${password}'`,
    `alter database postgres owner to ${roleName}`,
    `do $$ declare object text; begin
  for object in
    select format('table %s', c.oid::regclass) from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p', 'v', 'm')
    union all
    -- A column's own sequence follows its table.
    select format('sequence %s', c.oid::regclass) from pg_class c
      where c.relnamespace = 'public'::regnamespace and c.relkind = 'S'
        and not exists (select from pg_depend d where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype in ('a', 'i'))
    union all
    select format('routine %s', p.oid::regprocedure) from pg_proc p where p.pronamespace = 'public'::regnamespace
    union all
    select format('statistics %I', s.stxname) from pg_statistic_ext s where s.stxnamespace = 'public'::regnamespace
  loop
    execute format('alter %s owner to ${roleName}', object);
  end loop;
end $$`,
  ];
}
