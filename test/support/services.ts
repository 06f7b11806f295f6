import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { Test } from 'tap';
import { connect, type Sql } from '../../src/storage/connection.ts';
import { Database } from '../../src/storage/database.ts';
import type { Queries } from '../../src/storage/queries.ts';
import { insertProject } from '../../src/storage/projects.ts';
import { migrate, readMigrations } from '../../src/storage/migrate.ts';

const templateName = 'tradepost_template';

export const migrationsDirectory = join(import.meta.dirname, '..', '..', '..', 'migrations');

/** Makes the database that every test's own database is a copy of. */
export async function makeTemplate(databaseUrl: string): Promise<void> {
  const admin = connect({ databaseUrl, connectionsMax: 1, prepare: true });
  await admin.unsafe(`create database ${templateName}`);
  await admin.end();
  const sql = connect({ databaseUrl: withDatabase(databaseUrl, templateName), connectionsMax: 1, prepare: true });
  await migrate(sql, readMigrations(migrationsDirectory));
  await sql.end();
}

export interface TestDatabase {
  readonly url: string;
  readonly sql: Sql;
  readonly database: Database;
}

/** A database of the test's own, with all migrations applied; it is dropped when the test ends. */
export async function createDatabase(t: Test, template = templateName): Promise<TestDatabase> {
  const adminUrl = variable('TEST_DATABASE_URL');
  const admin = connect({ databaseUrl: adminUrl, connectionsMax: 1, prepare: true });
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await admin.unsafe(`create database ${name} template ${template}`);
  const url = withDatabase(adminUrl, name);
  const options = { databaseUrl: url, connectionsMax: 4, prepare: true };
  const [sql, database] = [connect(options), new Database(options)];
  t.teardown(async () => {
    await Promise.all([sql.end({ timeout: 1 }), database.close()]);
    await admin.unsafe(`drop database ${name} with (force)`);
    await admin.end();
  });
  return { url, sql, database };
}

/** A project whose settings no test looks at. */
export async function insertEmptyProject(database: Database, key: string): Promise<void> {
  await insertProject(database, {
    key,
    settings: { name: key, countries: [], currencies: [], languages: [], createdAt: '' },
    documents: [],
  });
}

/** For stores of tests that query nothing. */
export const noQueries: Queries = { query: noQuery, queryVersions: noQuery, count: noQuery };

function noQuery(): never {
  throw new Error('The test has no connections for queries.');
}

/** The search engine that all tests share; each works in projects of its own. */
export function meilisearch(): { readonly url: string; readonly key: string } {
  return { url: variable('TEST_MEILI_URL'), key: variable('TEST_MEILI_KEY') };
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}

function variable(name: string): string {
  const value = process.env[name];
  if (value === undefined)
    throw new Error(`${name} is missing: run the tests with npm test, which starts the services.`);
  return value;
}

const conditionMsMax = 60_000;

/** Waits until `read` gives a value; fails with what it gave last when it does not in time. */
export async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  const giveUpAtMs = performance.now() + conditionMsMax;
  for (;;) {
    const value = await read();
    if (value !== undefined) return value;
    if (performance.now() > giveUpAtMs) throw new Error('The condition did not come true in time.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
