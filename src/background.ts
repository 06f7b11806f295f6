/** What works past HTTP, on an engine of its own: the consumers of the feeder, and commands that look at carts or fill projects. */
import { randomUUID } from 'node:crypto';
import { buildEngine, imagesOf } from './build-engine.ts';
import type { Connected } from './config.ts';
import { openBackgroundQueries, planningOnce } from './connections.ts';
import type { DemoLoader } from './demo/load.ts';
import { watchDisk } from './disk-space.ts';
import type { Principal, RequestContext } from './engine/context.ts';
import { createMany } from './engine/operations/create-many.ts';
import { update } from './engine/operations/update.ts';
import { createProjects } from './engine/projects.ts';
import type { Engine, Resource } from './engine/resource.ts';
import { aroundWrites } from './guarded-writes.ts';
import { createBackgroundPool } from './pools.ts';
import { allResources } from './resources/all.ts';
import { explainCart, type Explanation } from './resources/cart/computation/explain.ts';
import { createFence } from './storage/change-log.ts';
import { Database } from './storage/database.ts';
import { createDocuments, createWrites } from './storage/documents.ts';
import { Lane } from './storage/lane.ts';
import { createReadProject } from './storage/projects.ts';
import { createQueries } from './storage/queries.ts';
import { createCompute } from './threads/compute.ts';
import { topicsOf } from './topics.ts';

/** What works past HTTP: for nobody's request, and with all the time it takes. */
export interface Background {
  readonly engine: Engine;
  readonly database: Database;
  readonly fence: ReturnType<typeof createFence>;
  /** Of work that begins, in the name of a client that no token is for. */
  context(clientId: string, project: string): Promise<RequestContext>;
  close(): Promise<void>;
}

export function inBackground(config: Connected, resources: readonly Resource[]): Background {
  const database = new Database({ ...planningOnce(config), connectionsMax: 4 });
  const fence = createFence(new Lane(planningOnce(config)));
  const queries = openBackgroundQueries(config);
  const pool = createBackgroundPool();
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

/** Who writes for the platform itself: it may see and write everything, and is nobody's client. */
const ownPrincipal = (clientId: string, project: string): Principal => ({
  clientId,
  scopes: new Set([`manage_project:${project}`]),
  shopper: undefined,
  grants: `manage_project:${project}`,
  mayHandOut: () => false,
});

/** How a cart of the project `config.projectKey` comes to cost what it does; undefined where there is no such cart. */
export async function explainStoredCart(config: Connected, id: string): Promise<readonly Explanation[] | undefined> {
  const { engine, context, close } = inBackground(config, allResources);
  try {
    return await explainCart(engine, await context('explain-cart', config.projectKey), id);
  } finally {
    await close();
  }
}

export interface Loader extends DemoLoader {
  close(): Promise<void>;
}

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
