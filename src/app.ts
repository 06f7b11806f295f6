/** Composition: the one file that knows every layer. It builds what a process runs and contains no logic of its own. */
import { join } from 'node:path';
import type { Logger } from 'pino';
import { randomClientId, randomSecret, hashOf } from './auth/secrets.ts';
import { createAuthenticator } from './auth/token-cache.ts';
import type { Config } from './config.ts';
import { CoherentCache } from './engine/coherence.ts';
import type { Compute, Engine } from './engine/engine.ts';
import { createProjects } from './engine/projects.ts';
import { createRegistry } from './engine/registry.ts';
import { createGraphql } from './graphql/execute.ts';
import { graphqlRoute } from './http/graphql-route.ts';
import { healthRoutes } from './http/health-routes.ts';
import { oauthRoutes } from './http/oauth-routes.ts';
import { createHandler } from './http/routes.ts';
import { serve } from './http/server.ts';
import { suggestRoute } from './http/suggest-route.ts';
import { allResources } from './resources/all.ts';
import { createFeeder } from './search/feeder.ts';
import { createSuggester } from './search/suggest.ts';
import { createFence, pruneChangeLog } from './storage/change-log.ts';
import { clientError, connect, type Sql } from './storage/connection.ts';
import { createCredentialStore } from './storage/credentials.ts';
import { createDocuments } from './storage/documents.ts';
import { createKeywordSource } from './storage/keyword-source.ts';
import { migrate, pendingMigrations, readMigrations } from './storage/migrate.ts';
import { createReadProject, insertProject } from './storage/projects.ts';
import { createPool, type Pool } from './threads/pool.ts';

export interface Running {
  close(): Promise<void>;
}

/** Where a process finds its servers; the supervisor fills in the embedded ones. */
export type Connected = Config & { readonly databaseUrl: string };

/** Kinds whose writes enter the outbox for the search feeder. */
const searchedKinds: ReadonlySet<string> = new Set(['product']);

const collectionsMax = 50;
const representationsMax = 100_000;
const representationBytesMax = 256 * 1024 * 1024;
/** Batches that may wait for a worker thread. */
const computeQueueMax = 1000;
const connectionsMax = 10;
const housekeepingMs = 60_000;
const migrationsDirectory = join(import.meta.dirname, '..', '..', 'migrations');

export interface RunningHttp extends Running {
  readonly port: number;
}

/** Serves HTTP; resolves when the port is open. Port 0 takes a free one. */
export async function startHttp(config: Connected, log: Logger): Promise<RunningHttp> {
  const sql = connect({ databaseUrl: config.databaseUrl, connectionsMax, prepare: config.databasePrepare });
  const pool = createPool({ threads: config.workerThreads, queueMax: computeQueueMax });
  const fence = createFence(sql);
  const credentials = createCredentialStore(sql);
  const engine: Engine = {
    registry: createRegistry(allResources),
    store: createDocuments(sql, searchedKinds),
    compute: computeOn(pool),
    collections: new CoherentCache(fence, { entriesMax: collectionsMax }),
    representations: new CoherentCache(fence, {
      entriesMax: representationsMax,
      bytesMax: representationBytesMax,
      bytesOf: (bytes) => bytes.length,
    }),
  };
  const suggester =
    config.meiliUrl === undefined ? undefined : createSuggester({ url: config.meiliUrl, key: config.meiliKey });
  const graphql = createGraphql(engine, fence, (error, { request }) => {
    log.error({ correlationId: request.correlationId, err: error }, 'a GraphQL field failed');
  });
  const handler = createHandler({
    engine,
    fence,
    projects: createProjects(fence, createReadProject(sql)),
    authenticator: createAuthenticator(fence, credentials),
    plainRoutes: [...healthRoutes([{ name: 'database', check: () => isMigrated(sql) }]), ...oauthRoutes(credentials)],
    projectRoutes: [graphqlRoute(engine, graphql), suggestRoute(suggester)],
  });
  const server = await serve({ host: config.host, port: config.port, handler, clientError, log });
  return {
    port: server.port,
    close: async () => {
      await server.close();
      await Promise.all([pool.close(), suggester?.close(), sql.end({ timeout: 2 })]);
    },
  };
}

/** The pool carries plain values; the task's type parameters say which. */
function computeOn(pool: Pool): Compute {
  return { run: (task, request) => pool.run(task.name, request) as Promise<never> };
}

/** A database of another version, or one that cannot be reached, is not ready. */
async function isMigrated(sql: Sql): Promise<void> {
  const pending = await pendingMigrations(sql, readMigrations(migrationsDirectory));
  if (pending.length > 0) throw new Error(`${pending.length} migrations are pending`);
}

/** Feeds the search engine and keeps house in the database. */
export function startFeeder(config: Connected, log: Logger): Running {
  const sql = connect({ databaseUrl: config.databaseUrl, connectionsMax: 3, prepare: config.databasePrepare });
  const { meiliUrl, meiliKey } = config;
  const meilisearch = meiliUrl === undefined ? undefined : { url: meiliUrl, key: meiliKey };
  const feeder = createFeeder({ source: createKeywordSource(sql), meilisearch, log });
  feeder.run();
  const credentials = createCredentialStore(sql);
  const housekeeping = setInterval(() => {
    Promise.all([pruneChangeLog(sql), credentials.deleteExpiredTokens()]).catch((error: unknown) =>
      log.warn({ err: error }, 'housekeeping failed'),
    );
  }, housekeepingMs);
  return {
    close: async () => {
      clearInterval(housekeeping);
      await feeder.close();
      await sql.end({ timeout: 2 });
    },
  };
}

export interface FirstClient {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly scopes: string;
}

/** Migrates the database and makes sure of the project. Gives an API client when the project is new. */
export async function prepareDatabase(config: Connected): Promise<FirstClient | undefined> {
  return withDatabase(config, async (sql) => {
    await migrate(sql, readMigrations(migrationsDirectory));
    const isNew = await insertProject(sql, config.projectKey, demoSettings(config.projectKey));
    return isNew ? createFirstClient(sql, config.projectKey) : undefined;
  });
}

/** Another API client of the project, for an operator whose copy of the first one is gone. */
export function createClient(config: Connected): Promise<FirstClient> {
  return withDatabase(config, (sql) => createFirstClient(sql, config.projectKey));
}

export function applyMigrations(config: Connected): Promise<readonly string[]> {
  return withDatabase(config, async (sql) =>
    (await migrate(sql, readMigrations(migrationsDirectory))).map(({ name }) => name),
  );
}

export function listPendingMigrations(config: Connected): Promise<readonly string[]> {
  return withDatabase(config, async (sql) =>
    (await pendingMigrations(sql, readMigrations(migrationsDirectory))).map(({ name }) => name),
  );
}

async function withDatabase<T>(config: Connected, work: (sql: Sql) => Promise<T>): Promise<T> {
  const sql = connect({ databaseUrl: config.databaseUrl, connectionsMax: 1, prepare: config.databasePrepare });
  try {
    return await work(sql);
  } finally {
    await sql.end({ timeout: 2 });
  }
}

async function createFirstClient(sql: Sql, project: string): Promise<FirstClient> {
  const clientSecret = randomSecret();
  const clientId = randomClientId();
  const scopes = `manage_project:${project}`;
  await createCredentialStore(sql).insertClient({
    project,
    id: clientId,
    name: 'First client',
    secretHash: hashOf(clientSecret),
    scopes: [scopes],
  });
  return { clientId, clientSecret, scopes };
}

function demoSettings(key: string): Parameters<typeof insertProject>[2] {
  return {
    name: key,
    countries: ['DE', 'AT', 'CH', 'FR', 'IT', 'GB', 'US', 'CA', 'JP'],
    currencies: ['EUR', 'CHF', 'GBP', 'USD', 'JPY'],
    languages: ['en', 'de', 'fr', 'it', 'ja'],
    createdAt: new Date().toISOString(),
    searchIndexing: { products: { status: 'Indexing' } },
    shippingRateInputType: { type: 'CartScore' },
  };
}
