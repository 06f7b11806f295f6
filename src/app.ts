/** Composition: the file that knows every layer. It builds what a process runs and contains no logic of its own. */
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createExternalTokens } from './auth/external.ts';
import type { Issuer } from './auth/flows.ts';
import { createRateLimit } from './auth/rate-limit.ts';
import { createShoppers } from './auth/shoppers.ts';
import { createAuthenticator } from './auth/token-cache.ts';
import { buildEngine, imagesOf } from './build-engine.ts';
import { watchDisk } from './disk-space.ts';
import { leaveCores } from './embedded/backend-priority.ts';
import { passwordThreads } from './engine/passwords.ts';
import type { DemoLoader } from './demo/load.ts';
import type { Principal, RequestContext } from './engine/context.ts';
import { createMany } from './engine/operations/create-many.ts';
import { update } from './engine/operations/update.ts';
import type { Engine, Resource } from './engine/resource.ts';
import { createProjects } from './engine/projects.ts';
import { kindOfGroup } from './engine/groups.ts';
import { keeping } from './engine/kept-store.ts';
import { aroundWrites } from './guarded-writes.ts';
import { createGraphql } from './graphql/execute.ts';
import { authorizeField, graphqlRoute } from './http/graphql-route.ts';
import { healthRoutes } from './http/health-routes.ts';
import { imageRoute } from './http/image-route.ts';
import { oauthRoutes } from './http/oauth-routes.ts';
import { openapiRoute } from './http/openapi-route.ts';
import { projectSettingsRoute } from './http/project-settings-route.ts';
import { createLargeBodies } from './http/project-request.ts';
import { createHandler } from './http/routes.ts';
import { type CloseOptions, type ServeOptions, serve } from './http/server.ts';
import { allResources, internalResources } from './resources/all.ts';
import { explainCart, type Explanation } from './resources/cart/computation/explain.ts';
import { gatherSearched, searchedProducts } from './resources/product/searched.ts';
import { topicsByKind } from './outbox/outbox.ts';
import { type Consumer, createTaker } from './outbox/taker.ts';
import { createFollowConsumer, followTopic } from './following/consumer.ts';
import { createRetentionConsumer } from './retention/consumer.ts';
import { createDocumentFeeder, searchTopic } from './search/document-feeder.ts';
import { createSearcher } from './searching/searcher.ts';
import { SearchServer } from './searching/server.ts';
import { Tail } from './searching/tail.ts';
import { createFeeder, suggestTopic } from './search/feeder.ts';
import { createSuggester } from './search/suggest.ts';
import { createAccountTokens } from './storage/account-tokens.ts';
import { createFence, pruneChangeLog } from './storage/change-log.ts';
import { clientError, plannedOnceSettings, queryConnectionSettings } from './storage/connection.ts';
import { createCredentialStore } from './storage/credentials.ts';
import { Database } from './storage/database.ts';
import { createDocuments, createWrites } from './storage/documents.ts';
import { createDocumentSource } from './storage/search-document-source.ts';
import { createKeywordSource } from './storage/keyword-source.ts';
import { createOutbox } from './storage/outbox.ts';
import { createPasses } from './storage/passes.ts';
import { Lane, type LaneOptions } from './storage/lane.ts';
import { createRetained } from './storage/retained.ts';
import { createReadProject } from './storage/projects.ts';
import { createQueries } from './storage/queries.ts';
import { QueryTurns } from './storage/query-turns.ts';
import { createSearchDocuments, pruneSearchDocuments } from './storage/search-documents.ts';
import { createProjectOfToken } from './storage/token-projects.ts';
import { createCompute } from './threads/compute.ts';
import { type PoolOptions, createPool } from './threads/pool.ts';
import type { Connected } from './config.ts';
import { backlogOf, requireNoPending } from './administration.ts';

export interface Running {
  /** Those that take connections go on to do so for some time, if they are asked to. */
  close(options?: CloseOptions): Promise<void>;
}

/** An HTTP process that has loaded all that takes time, and serves nobody. */
export interface PreparedHttp {
  start(): Promise<RunningHttp>;
}

/** Whom writes leave word for, by their kinds. */
export function topicsOf(resources: readonly Resource[]): ReturnType<typeof topicsByKind> {
  return topicsByKind([suggestTopic, searchTopic(searchedProducts), followTopic([...resources, ...internalResources])]);
}

/** Batches that may wait for a worker thread. */
const computeQueueMax = 1000;
/** What takes long is sent alone, to threads that are there while they are needed. */
const longTasks = { batchMax: 1, idleMs: 60_000 };
/** As many passwords at a time as there are threads, of which none is there at first. */
const passwordPoolOptions: PoolOptions = { ...longTasks, threads: passwordThreads, queueMax: passwordThreads };
/** Descriptions of the GraphQL schema. */
const descriptionPoolOptions: PoolOptions = { ...longTasks, threads: 1, queueMax: 100 };
const connectionsMax = 10;
/** Where queries run that an index helps with, and what of it one project and one request may take. */
const indexedConnections = {
  connectionsMax: 6,
  projectConnectionsMax: 4,
  connectionQueriesMax: 8,
  requestRunningMax: 3,
};
/** The same for those that may have to look at all of a kind, behind which none is sent. */
const unindexedConnections = {
  connectionsMax: 3,
  projectConnectionsMax: 2,
  connectionQueriesMax: 1,
  requestRunningMax: 1,
};
const unindexedTimeoutMs = 2_000;
/** What is looked up and written goes before queries where the database is on this machine. */
const indexedNiceness = 10;
const unindexedNiceness = 15;
/** From the end of a query's time to its answer. A query whose time the database does not know has that of a request. */
const queryAnswerMs = 400;
const queryMsMax = 25_000;
/** Of statements that wait for a row which somebody else holds, such as an operator's transaction. */
const lockTimeoutMs = 4_000;
/** Of statements that wait for several, one after the other: the database ends them before the deadline that they have here. */
const statementTimeoutMs = 4_500;
/** Of a search of products. */
const searchMsMax = 5000;
/** Of a statement of the feeder, of which one marks every text of a project. */
const feedingTimeoutMs = 300_000;
/** Of a statement that keeps house. */
const housekeepingTimeoutMs = 60_000;
const housekeepingMs = 60_000;
/** Age of a change that a consumer should have taken. */
const lateSeconds = 60;
const toldMax = 10;

export interface RunningHttp extends Running {
  readonly port: number;
  readonly plainPort: number | undefined;
}

export interface HttpOptions {
  /** Hears that something was put on the queue. */
  readonly onQueued?: () => void;
  /** What it serves; by default all that the platform has. */
  readonly resources?: readonly Resource[];
}

/** Serves HTTP; resolves when the port is open. */
export function startHttp(...options: Parameters<typeof prepareHttp>): Promise<RunningHttp> {
  return prepareHttp(...options).start();
}

/** What serves HTTP; its start resolves when the port is open. Port 0 takes a free one. */
export function prepareHttp(
  config: Connected,
  log: Logger,
  { onQueued = () => {}, resources = allResources }: HttpOptions = {},
): PreparedHttp {
  const database = new Database({ ...planningOnce(config), connectionsMax });
  const queries = {
    indexed: new QueryTurns({
      ...forQueries(config, config.queryTimeoutMs),
      ...indexedConnections,
      ...leavingCores(config, indexedNiceness),
    }),
    unindexed: new QueryTurns({
      ...forQueries(config, Math.min(config.queryTimeoutMs, unindexedTimeoutMs)),
      ...unindexedConnections,
      ...leavingCores(config, unindexedNiceness),
    }),
  };
  const pools = {
    pricing: createPool({ threads: config.workerThreads, queueMax: computeQueueMax }),
    texts: createPool({ threads: config.workerThreads, queueMax: computeQueueMax }),
    descriptions: createPool(descriptionPoolOptions),
    passwords: createPool(passwordPoolOptions),
  };
  // On a connection of its own a check never waits behind a write.
  const fence = createFence(new Lane(planningOnce(config)));
  const credentials = createCredentialStore(database);
  const disk = watchDisk(config.databaseDirectory, config.diskFreeBytesMin);
  const store = keeping(createDocuments(database, createQueries(queries)), {
    fence,
    keptBytesMax: config.documentCacheBytes,
  });
  const topics = topicsOf(resources);
  const queuedKinds = new Set([...topics.keys()].map(kindOfGroup));
  const writes = aroundWrites(createWrites(database, topics), {
    before: disk.requireRoom,
    after: (kind) => {
      if (queuedKinds.has(kind)) onQueued();
    },
  });
  const compute = createCompute(pools, config.threadStepsMin);
  const suggester =
    config.meiliUrl === undefined ? undefined : createSuggester({ url: config.meiliUrl, key: config.meiliKey });
  const searcher = createSearcher({ path: config.searchSocket, timeoutMs: searchMsMax });
  const images = imagesOf(config);
  const engine = buildEngine({
    config,
    resources,
    database,
    fence,
    store,
    writes,
    compute,
    suggester,
    searcher,
    images,
  });
  const graphql = createGraphql(engine, {
    fence,
    answerBytesMax: config.answerCacheBytes,
    excerptBytesMax: config.excerptCacheBytes,
    authorize: authorizeField,
    clientError,
    onFault: (fault, { correlationId }) => log.error({ correlationId, err: fault }, 'a GraphQL field failed'),
  });
  const health = healthRoutes([
    { name: 'database', check: () => database.read(requireNoPending) },
    { name: 'disk', check: disk.requireRoom },
  ]);
  const issuer: Issuer = {
    credentials,
    accounts: engine.accounts,
    rateLimit: createRateLimit(config.tokenRequestsPerMinute),
    accessTokenSeconds: config.accessTokenSeconds,
    refreshTokenSeconds: config.refreshTokenSeconds,
  };
  const plainRoutes = [...health, ...oauthRoutes(issuer), imageRoute(images)];
  const projectRoutes = [projectSettingsRoute(engine), graphqlRoute(graphql)];
  const handler = createHandler({
    engine,
    fence,
    projects: createProjects(fence, createReadProject(database)),
    authenticator: createAuthenticator({
      fence,
      credentials,
      external: createExternalTokens({ allowsPrivate: config.allowsPrivateExternalOAuth }),
      shoppers: createShoppers({ fence, credentials, store }),
      projectOf: createProjectOfToken(database),
    }),
    largeBodies: createLargeBodies(),
    plainRoutes: [
      ...plainRoutes,
      openapiRoute({ version: versionOfPackage(), registry: engine.registry, plainRoutes, projectRoutes }),
    ],
    projectRoutes,
  });
  const options: ServeOptions = {
    host: config.host,
    port: config.port,
    tls: config.tls,
    plainPort: config.plainPort,
    requiresForwardedTls: config.trustsProxy,
    // Health checks come from beside the proxy, not through it.
    plainPaths: new Set(health.map(({ path }) => path)),
    blocksUpgrade: config.blocksUpgradeHeader,
    corsOrigins: config.corsOrigins,
    handler,
    clientError,
    log,
  };
  const start = async (): Promise<RunningHttp> => {
    const server = await serve(options);
    return {
      port: server.port,
      plainPort: server.plainPort,
      close: async (closeOptions) => {
        await server.close(closeOptions);
        searcher.close();
        const connections = [database, queries.indexed, queries.unindexed].map((each) => each.close());
        const threads = Object.values(pools).map((each) => each.close());
        await Promise.all([...threads, suggester?.close(), fence.close(), ...connections]);
      },
    };
  };
  return { start };
}

function versionOfPackage(): string {
  const text = readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

/** A pooler that keeps no prepared statements takes no settings of a session either. */
function laneOptions(
  { databaseUrl, databasePrepare: prepare }: Connected,
  settings: LaneOptions['settings'],
): LaneOptions {
  return { databaseUrl, prepare, ...(prepare && settings !== undefined && { settings }) };
}

function forQueries(config: Connected, timeoutMs: number): LaneOptions & { readonly timeoutMs: number } {
  if (timeoutMs === 0) return { ...laneOptions(config, undefined), timeoutMs: queryMsMax };
  return { ...laneOptions(config, queryConnectionSettings(timeoutMs)), timeoutMs: timeoutMs + queryAnswerMs };
}

function leavingCores({ databaseDirectory }: Connected, niceness: number): Pick<LaneOptions, 'onBackend'> {
  return databaseDirectory === undefined ? {} : { onBackend: (pid) => leaveCores(pid, niceness) };
}

function planningOnce(config: Connected): LaneOptions {
  const timeouts = { lock_timeout: lockTimeoutMs, statement_timeout: statementTimeoutMs };
  return laneOptions(config, { ...plannedOnceSettings, ...timeouts });
}

/** Searches products for the other processes. It reads what is searched first, and answers that it does so. */
export async function startSearch(config: Connected, log: Logger): Promise<Running> {
  const { databaseUrl, databasePrepare: prepare, searchIndexBytes: bytesMax } = config;
  const database = new Database({ databaseUrl, prepare, connectionsMax: 1, timeoutMs: feedingTimeoutMs });
  const tail = new Tail({ documents: createSearchDocuments(database), bytesMax, log });
  const server = new SearchServer({ tail, path: config.searchSocket, log });
  tail.run();
  await server.listen();
  return {
    close: async () => {
      await Promise.all([tail.close(), server.close()]);
      await database.close();
    },
  };
}

export interface RunningFeeder extends Running {
  /** There is work. */
  wake(): void;
}

export interface FeederOptions extends Pick<HttpOptions, 'resources'> {
  /** By which resources are kept for a time. */
  readonly clock?: () => Date;
}

/** Carries what writes left word of to where it belongs, and keeps house in the database. */
export function startFeeder(
  config: Connected,
  log: Logger,
  { resources = allResources, clock = () => new Date() }: FeederOptions = {},
): RunningFeeder {
  const { databaseUrl, databasePrepare: prepare, meiliUrl, meiliKey } = config;
  const fed = new Database({ databaseUrl, prepare, connectionsMax: 4, timeoutMs: feedingTimeoutMs });
  const meilisearch = meiliUrl === undefined ? undefined : { url: meiliUrl, key: meiliKey };
  const outbox = createOutbox(fed);
  const background = inBackground(config, resources);
  const consumers = [
    createFeeder({ source: createKeywordSource(fed), meilisearch, log }),
    documentFeederOf(background, fed, { config, log }),
    followConsumerOf(background, log),
    retentionConsumerOf(background, { config, clock }),
  ];
  const takers = consumers.map((consumer) => createTaker({ outbox, consumer, log }));
  for (const taker of takers) taker.run();
  const database = new Database({ databaseUrl, prepare, connectionsMax: 1, timeoutMs: housekeepingTimeoutMs });
  const credentials = createCredentialStore(database);
  const accountTokens = createAccountTokens(database);
  const housekeeping = setInterval(() => {
    Promise.all([
      pruneChangeLog(database),
      pruneSearchDocuments(database),
      credentials.deleteExpired(config),
      accountTokens.deleteExpired(),
      tellBacklog(database, log),
    ]).catch((error: unknown) => log.warn({ err: error }, 'housekeeping failed'));
  }, housekeepingMs);
  return {
    wake: () => {
      for (const taker of takers) taker.wake();
    },
    close: async () => {
      clearInterval(housekeeping);
      await Promise.all(takers.map((taker) => taker.close()));
      await Promise.all([database.close(), fed.close(), background.close()]);
    },
  };
}

/** Who writes for the platform itself: it may see and write everything, and is nobody's client. */
const ownPrincipal = (clientId: string, project: string): Principal => ({
  clientId,
  scopes: new Set([`manage_project:${project}`]),
  shopper: undefined,
  grants: `manage_project:${project}`,
  mayHandOut: () => false,
});

/** What works past HTTP: for nobody's request, and with all the time it takes. */
interface Background extends Running {
  readonly engine: Engine;
  readonly database: Database;
  readonly fence: ReturnType<typeof createFence>;
  /** Of work that begins, in the name of a client that no token is for. */
  context(clientId: string, project: string): Promise<RequestContext>;
}

function inBackground(config: Connected, resources: readonly Resource[]): Background {
  const database = new Database({ ...planningOnce(config), connectionsMax: 4 });
  const fence = createFence(new Lane(planningOnce(config)));
  const queries = new QueryTurns({ ...forQueries(config, feedingTimeoutMs), ...unindexedConnections });
  const pool = createPool({ ...longTasks, threads: 1, queueMax: computeQueueMax });
  const disk = watchDisk(config.databaseDirectory, config.diskFreeBytesMin);
  const engine = buildEngine({
    config,
    resources,
    database,
    fence,
    store: createDocuments(database, createQueries({ indexed: queries, unindexed: queries })),
    writes: aroundWrites(createWrites(database, topicsOf(resources)), { before: disk.requireRoom, after: () => {} }),
    compute: createCompute({ pricing: pool, texts: pool, descriptions: pool, passwords: pool }, config.threadStepsMin),
    suggester: undefined,
    searcher: undefined,
    images: imagesOf(config),
  });
  const projects = createProjects(fence, createReadProject(database));
  return {
    engine,
    database,
    fence,
    context: async (clientId, key) => ({
      project: await projects.get(key),
      principal: ownPrincipal(clientId, key),
      correlationId: `${clientId}/${randomUUID()}`,
      now: new Date().toISOString(),
      externalUserId: undefined,
    }),
    close: async () => {
      await Promise.all([database.close(), fence.close(), queries.close(), pool.close()]);
    },
  };
}

function followConsumerOf({ engine, database, fence, context }: Background, log: Logger): Consumer {
  return createFollowConsumer({
    engine,
    fence,
    passes: createPasses(database),
    context: (key) => context('follower', key),
    log,
  });
}

function retentionConsumerOf(
  { engine, database, fence, context }: Background,
  { config, clock }: { readonly config: Connected; readonly clock: () => Date },
): Consumer {
  return createRetentionConsumer({
    engine,
    retained: createRetained(database),
    context: async (key) => {
      // The settings say what ends.
      await fence.pass();
      return context('retention', key);
    },
    clock,
    countMax: ({ kind, retention }) => config.keptMax.get(kind) ?? retention!.countMax,
  });
}

function documentFeederOf(
  { engine }: Background,
  fed: Database,
  { config, log }: { readonly config: Connected; readonly log: Logger },
): Consumer {
  return createDocumentFeeder({
    source: createDocumentSource(fed, searchedProducts, { hasSuggestions: config.meiliUrl !== undefined }),
    searched: {
      ...searchedProducts,
      gather: (project, documents, facts) => gatherSearched(engine.store, { project, documents, facts }),
    },
    log,
  });
}

/** How a cart of the project `config.projectKey` comes to cost what it does; undefined where there is no such cart. */
export async function explainStoredCart(config: Connected, id: string): Promise<readonly Explanation[] | undefined> {
  const { engine, context, close } = inBackground(config, allResources);
  try {
    return await explainCart(engine, await context('explain-cart', config.projectKey), id);
  } finally {
    await close();
  }
}

export interface Loader extends Running, DemoLoader {}

/** Fills the project `config.projectKey` past HTTP. The feeder finds what there is to do on the queue. */
export function openLoader(config: Connected): Loader {
  const { engine, fence, context, close } = inBackground(config, allResources);
  const resourceAt = (path: string): Resource => {
    const resource = engine.registry.resources.find((one) => one.path === path);
    if (resource === undefined) throw new Error(`There are no ${path}`);
    return resource;
  };
  // What the caches give has to be as new as what is written.
  const entering = async (): Promise<RequestContext> => {
    await fence.pass();
    return context('loader', config.projectKey);
  };
  return {
    create: async (path, drafts) => {
      // As if they had been sent: what is planned shares no part with them.
      const sent = JSON.parse(JSON.stringify(drafts)) as typeof drafts;
      await createMany(engine, { context: await entering(), resource: resourceAt(path), drafts: sent });
    },
    update: async (path, key, actions) => {
      const resource = resourceAt(path);
      const [stored] = await engine.store.find(config.projectKey, [{ kind: resource.kind, key }]);
      const body = { version: stored?.version, actions };
      await update(engine, { context: await entering(), resource, identity: { key }, update: body, expand: [] });
    },
    keepImage: (image) => engine.images.keep(config.projectKey, image),
    close,
  };
}

/** What is late is told once a minute; `npm run backlog` says all that waits. */
async function tellBacklog(database: Database, log: Logger): Promise<void> {
  const late = (await backlogOf(database)).filter(({ oldestSeconds }) => oldestSeconds > lateSeconds);
  if (late.length > 0) log.warn({ late: late.slice(0, toldMax), of: late.length }, 'consumers are late');
}
