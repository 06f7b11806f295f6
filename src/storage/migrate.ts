import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import postgres from 'postgres';
import type { Sql } from './connection.ts';

export interface Migration {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly checksum: string;
}

/** Any number, the same for every process that migrates: they wait for one another. */
const lockId = 7_241_893;

/** The migrations of a folder in order. A gap or a duplicate number is an error. */
export function readMigrations(directory: string): readonly Migration[] {
  const files = readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort();
  return files.map((file, index) => {
    const number = Number(/^(\d{4})_[a-z0-9_]+\.sql$/.exec(file)?.[1]);
    if (number !== index + 1) throw new Error(`The migration ${file} stands where number ${index + 1} is expected.`);
    const text = readFileSync(join(directory, file), 'utf8');
    return { number, name: file, text, checksum: createHash('sha256').update(text).digest('hex') };
  });
}

/** The migrations that the database lacks. Throws when it holds others than these: edited, or of a newer version. */
export async function pendingMigrations(sql: Sql, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  const [table] = await sql`select to_regclass('schema_migrations') is not null as exists`;
  if (table?.['exists'] !== true) return migrations;
  const applied = await sql<
    { number: number; name: string; checksum: string }[]
  >`select number, name, checksum from schema_migrations order by number`;
  for (const { number, name, checksum } of applied) {
    const known = migrations[number - 1];
    if (known === undefined)
      throw new Error(
        `The database has the migration ${name}, which this version does not know: it is newer than this version.`,
      );
    if (known.checksum !== checksum)
      throw new Error(`The migration ${name} was edited after it was applied to this database.`);
  }
  return migrations.slice(applied.length);
}

/**
 * Applies what is pending, each migration in one transaction of its own, and gives what was applied. Of several
 * processes that migrate at once, one applies a migration and the others find it applied.
 */
export async function migrate(sql: Sql, migrations: readonly Migration[]): Promise<readonly Migration[]> {
  await sql.unsafe(`
    select pg_advisory_xact_lock(${lockId});
    create table if not exists schema_migrations (
      number int primary key, name text not null, checksum text not null, applied_at timestamptz not null default now())`);
  const applied: Migration[] = [];
  for (
    let [next] = await pendingMigrations(sql, migrations);
    next !== undefined;
    [next] = await pendingMigrations(sql, migrations)
  ) {
    if (await apply(sql, next)) applied.push(next);
  }
  return applied;
}

/** Whether this process applied it. A rival that was first shows as the violation of the number's primary key. */
async function apply(sql: Sql, { number, name, text, checksum }: Migration): Promise<boolean> {
  try {
    // Statements sent in one message are one transaction.
    await sql.unsafe(`
      select pg_advisory_xact_lock(${lockId});
      insert into schema_migrations (number, name, checksum) values (${number}, '${name}', '${checksum}');
      ${text}`);
    return true;
  } catch (error) {
    if (error instanceof postgres.PostgresError && error.constraint_name === 'schema_migrations_pkey') return false;
    throw error;
  }
}
