/** Composition of what serves requests: it builds what a process runs and contains no logic of its own. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { requireNoPending } from './administration.ts';
import { createExternalTokens } from './auth/external.ts';
import type { Issuer } from './auth/flows.ts';
import { createRateLimit } from './auth/rate-limit.ts';
import { createShoppers } from './auth/shoppers.ts';
import { createAuthenticator } from './auth/token-cache.ts';
import { buildEngine, imagesOf } from './build-engine.ts';
import type { Connected } from './config.ts';
import { feedingTimeoutMs, openQueries, planningOnce } from './connections.ts';
import { watchDisk } from './disk-space.ts';
import { kindOfGroup } from './engine/groups.ts';
import { keeping } from './engine/kept-store.ts';
import { createProjects } from './engine/projects.ts';
import type { Resource } from './engine/resource.ts';
import { noticeKind } from './engine/store.ts';
import { createGraphql } from './graphql/execute.ts';
import { aroundWrites } from './guarded-writes.ts';
import { authorizeField, graphqlRoute } from './http/graphql-route.ts';
import { healthRoutes } from './http/health-routes.ts';
import { monitorRoutes } from './http/monitor-routes.ts';
import { imageRoute } from './http/image-route.ts';
import { oauthRoutes } from './http/oauth-routes.ts';
import { openapiRoute } from './http/openapi-route.ts';
import { createLargeBodies } from './http/project-request.ts';
import { projectSettingsRoute } from './http/project-settings-route.ts';
import { createHandler } from './http/routes.ts';
import { type CloseOptions, type ServeOptions, serve } from './http/server.ts';
import { createPools } from './pools.ts';
import { allResources } from './resources/all.ts';
import { createSubscriptionHealth } from './resources/subscription/health.ts';
import { subscription } from './resources/subscription/resource.ts';
import { createSuggester } from './search/suggest.ts';
import { createSearcher } from './searching/searcher.ts';
import { SearchServer } from './searching/server.ts';
import { Tail } from './searching/tail.ts';
import { createFence } from './storage/change-log.ts';
import { clientError } from './storage/connection.ts';
import { createCredentialStore } from './storage/credentials.ts';
import { Database } from './storage/database.ts';
import { createDocuments, createWrites } from './storage/documents.ts';
import { Lane } from './storage/lane.ts';
import { createReadProject } from './storage/projects.ts';
import { createQueries } from './storage/queries.ts';
import { createSearchDocuments } from './storage/search-documents.ts';
import { createProjectOfToken } from './storage/token-projects.ts';
import { createCompute } from './threads/compute.ts';
import { topicsOf } from './topics.ts';

export interface Running {
  /** Those that take connections go on to do so for some time, if they are asked to. */
  close(options?: CloseOptions): Promise<void>;
}

/** An HTTP process that has loaded all that takes time, and serves nobody. */
export interface PreparedHttp {
  start(): Promise<RunningHttp>;
}

const connectionsMax = 10;
/** Of a search of products. */
const searchMsMax = 5000;

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
  const queries = openQueries(config);
  const pools = createPools(config.workerThreads);
  // On a connection of its own a check never waits behind a write.
  const fence = createFence(new Lane(planningOnce(config)));
  const credentials = createCredentialStore(database);
  const disk = watchDisk(config.databaseDirectory, config.diskFreeBytesMin);
  const store = keeping(createDocuments(database, createQueries(queries)), {
    fence,
    keptBytesMax: config.documentCacheBytes,
  });
  const topics = topicsOf(resources);
  const queuedKinds = new Set([...[...topics.keys()].map(kindOfGroup), noticeKind]);
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
  const monitored = { path: subscription.path, typeName: subscription.schemaName };
  const plainRoutes = [
    ...health,
    ...oauthRoutes(issuer),
    imageRoute(images),
    ...monitorRoutes({ ...monitored, read: createSubscriptionHealth(store, fence) }),
  ];
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
