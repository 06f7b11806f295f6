/** What is done to a database beside serving it: migrations, projects, clients, and what waits in it. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { ProjectSettings } from './engine/context.ts';
import { hashOf, randomSecret } from './engine/secrets.ts';
import type { Backlog } from './outbox/outbox.ts';
import type { Filling, Fillings } from './search/keyword-source.ts';
import { type Sql, connect } from './storage/connection.ts';
import { createCredentialStore } from './storage/credentials.ts';
import { Database } from './storage/database.ts';
import { askForDocuments, documentRebuild } from './storage/search-document-rebuild.ts';
import { documentsBacklog, setAside } from './storage/search-document-source.ts';
import { createKeywordSource } from './storage/keyword-source.ts';
import { createNoticeQueue } from './storage/notices.ts';
import { createOutbox } from './storage/outbox.ts';
import { createPasses } from './storage/passes.ts';
import { migrate, pendingMigrations, readMigrations } from './storage/migrate.ts';
import { createReadProject, insertProject } from './storage/projects.ts';
import type { Connected } from './config.ts';
import { initialState } from './resources/state/built-in.ts';

const migrationsDirectory = join(import.meta.dirname, '..', '..', 'migrations');

/** A database of another version, or one that cannot be reached, is not ready. */
export async function requireNoPending(sql: Sql): Promise<void> {
  const pending = await pendingMigrations(sql, readMigrations(migrationsDirectory));
  if (pending.length > 0) throw new Error(`${pending.length} migrations are pending`);
}

export interface FirstClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
}

/** Migrates the database and makes sure of the project. Gives an API client when the project is new. */
export async function prepareDatabase(config: Connected): Promise<FirstClient | undefined> {
  return withDatabase(config, async ({ sql, database }) => {
    await migrate(sql, readMigrations(migrationsDirectory));
    return insertProjectAndClient(database, config.projectKey, settingsOfFirstProject(config));
  });
}

/** Creates the project `config.projectKey`. Gives an API client, or undefined when there is a project with this key. */
export async function createProject(
  config: Connected,
  settings: Pick<ProjectSettings, 'name' | 'countries' | 'currencies' | 'languages'>,
): Promise<FirstClient | undefined> {
  return withDatabase(config, async ({ sql, database }) => {
    await requireMigrated(sql);
    return insertProjectAndClient(database, config.projectKey, { ...settings, ...settingsOfNewProjects() });
  });
}

export async function hasProject(config: Connected): Promise<boolean> {
  return withDatabase(config, async ({ sql, database }) => {
    await requireMigrated(sql);
    return (await createReadProject(database)(config.projectKey)) !== undefined;
  });
}

/** Another API client of the project; without a choice, one like the first, for whom the copy of that one is gone. */
export function createClient(config: Connected, choice?: ClientChoice): Promise<FirstClient> {
  return withDatabase(config, ({ database }) =>
    insertClient(database, config.projectKey, choice ?? firstClient(config.projectKey)),
  );
}

/** A new database is migrated; one that holds a platform of another version is the operator's to migrate. */
async function requireMigrated(sql: Sql): Promise<void> {
  const migrations = readMigrations(migrationsDirectory);
  const pending = await pendingMigrations(sql, migrations);
  if (pending.length === migrations.length) await migrate(sql, migrations);
  else if (pending.length > 0) {
    const names = pending.map(({ name }) => name).join(', ');
    throw new Error(`The database lacks the migrations ${names}. Run npm run migrate first.`);
  }
}

export function applyMigrations(config: Connected): Promise<readonly string[]> {
  return withDatabase(config, async ({ sql }) =>
    (await migrate(sql, readMigrations(migrationsDirectory))).map(({ name }) => name),
  );
}

export function listPendingMigrations(config: Connected): Promise<readonly string[]> {
  return withDatabase(config, async ({ sql }) =>
    (await pendingMigrations(sql, readMigrations(migrationsDirectory))).map(({ name }) => name),
  );
}

/** What the consumers of all projects have before them, what has come half of its way, and what they cannot take. */
export function backlog(config: Connected): Promise<readonly Backlog[]> {
  return withDatabase(config, async ({ sql, database }) => {
    await requireMigrated(sql);
    return [...(await backlogOf(database)), ...(await database.read(setAside))];
  });
}

export async function backlogOf(database: Database): Promise<readonly Backlog[]> {
  const told = [
    createOutbox(database).backlog(),
    createPasses(database).backlog(),
    createNoticeQueue(database).backlog(),
    createKeywordSource(database).backlog(),
    database.read(documentsBacklog),
  ];
  return (await Promise.all(told)).flat();
}

/** The feeder looks for work every few seconds, and has the work of one that died after 15 s. */
const beginMsMax = 25_000;
const fillingPollMs = 250;

/** How far a rebuild is: what suggests is filled anew in stages, and the documents of all products are made anew. */
export type Rebuilding = Pick<Filling, 'done' | 'total'> & { readonly stage: Filling['stage'] | 'documents' };

/**
 * Asks for new search indexes of the project `config.projectKey`, and for new documents of all its products, which the
 * feeders make, and tells how far it is until they have taken the place of the present ones. Suggestions are filled where
 * projections are searched. Gives false where no feeder has begun in time; the next one will.
 */
export function rebuildSearch(config: Connected, tell: (rebuilding: Rebuilding) => void): Promise<boolean> {
  return withDatabase(config, async ({ sql, database }) => {
    await requireMigrated(sql);
    const { projectKey: key } = config;
    const { projects, fillings } = createKeywordSource(database);
    const project = (await projects()).find((one) => one.key === key);
    if (project === undefined) throw new Error(`There is no project '${key}'.`);
    if ((await documentRebuild(database, key))?.isOn !== true)
      throw new Error(`Product search indexing is off in the project '${key}'.`);
    await askForDocuments(database, key);
    if (project.isIndexed) await fillings.ask(key);
    const lateAtMs = performance.now() + beginMsMax;
    const haveDocumentsBegun = await hasMadeDocuments({ database, key, lateAtMs }, tell);
    return (!project.isIndexed || (await hasFilled({ fillings, key, lateAtMs }, tell))) && haveDocumentsBegun;
  });
}

async function hasMadeDocuments(
  { database, key, lateAtMs }: { readonly database: Database; readonly key: string; readonly lateAtMs: number },
  tell: (rebuilding: Rebuilding) => void,
): Promise<boolean> {
  let total = 0;
  for (;;) {
    const rebuild = await documentRebuild(database, key);
    if (rebuild?.isOn !== true) throw new Error(switchedOff);
    if (rebuild.isDone) return true;
    if (rebuild.isBegun) {
      total = Math.max(total, rebuild.waiting);
      tell({ stage: 'documents', done: total - rebuild.waiting, total });
    } else if (performance.now() > lateAtMs) return false;
    await delay(fillingPollMs);
  }
}

async function hasFilled(
  { fillings, key, lateAtMs }: { readonly fillings: Fillings; readonly key: string; readonly lateAtMs: number },
  tell: (rebuilding: Rebuilding) => void,
): Promise<boolean> {
  for (;;) {
    const { filled, filling } = await fillings.state(key);
    if (filling === undefined) {
      if (filled === undefined) throw new Error(switchedOff);
      return true;
    }
    if (filling.indexes !== undefined) tell(filling);
    else if (performance.now() > lateAtMs) return false;
    await delay(fillingPollMs);
  }
}

const switchedOff = 'Product search indexing was switched off meanwhile.';

/** What a command works with. Migrations run for as long as they take, and in transactions; all else is over soon. */
interface OpenDatabase {
  readonly sql: Sql;
  readonly database: Database;
}

async function withDatabase<T>(config: Connected, work: (open: OpenDatabase) => Promise<T>): Promise<T> {
  const options = { databaseUrl: config.databaseUrl, connectionsMax: 1, prepare: config.databasePrepare };
  const [sql, database] = [connect(options), new Database(options)];
  try {
    return await work({ sql, database });
  } finally {
    await Promise.all([sql.end({ timeout: 2 }), database.close()]);
  }
}

async function insertProjectAndClient(
  database: Database,
  key: string,
  settings: ProjectSettings,
): Promise<FirstClient | undefined> {
  const isNew = await insertProject(database, { key, settings, documents: [initialState(new Date().toISOString())] });
  return isNew ? insertClient(database, key, firstClient(key)) : undefined;
}

export interface ClientChoice {
  readonly name: string;
  readonly scopes: readonly string[];
}

function firstClient(project: string): ClientChoice {
  return { name: 'First client', scopes: [`manage_project:${project}`] };
}

async function insertClient(database: Database, project: string, { name, scopes }: ClientChoice): Promise<FirstClient> {
  const clientSecret = randomSecret();
  const clientId = randomUUID();
  await createCredentialStore(database).insertClient({
    project,
    id: clientId,
    name,
    secretHash: hashOf(clientSecret),
    scopes,
  });
  return { clientId, clientSecret, scopes: scopes.join(' ') };
}

function settingsOfNewProjects(): Pick<ProjectSettings, 'createdAt' | 'searchIndexing'> {
  return {
    createdAt: new Date().toISOString(),
    searchIndexing: { products: { status: 'Indexing' }, productsSearch: { status: 'Indexing' } },
  };
}

/** Those of the demo shop. One without it sells in the same places, but tiers no shipping rates until it is told how. */
function settingsOfFirstProject({ projectKey, demoProducts }: Connected): ProjectSettings {
  return {
    name: projectKey,
    countries: ['DE', 'AT', 'CH', 'FR', 'IT', 'GB', 'US', 'CA', 'JP'],
    currencies: ['EUR', 'CHF', 'GBP', 'USD', 'JPY'],
    languages: ['en', 'de', 'fr', 'it', 'ja'],
    ...settingsOfNewProjects(),
    ...(demoProducts > 0 && { shippingRateInputType: { type: 'CartScore' } }),
  };
}
