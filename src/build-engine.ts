/** What operations work with, put together for a process. */
import { join } from 'node:path';
import { createRateLimit } from './auth/rate-limit.ts';
import type { Config } from './config.ts';
import { watchDisk } from './disk-space.ts';
import { createAccounts } from './engine/accounts.ts';
import { CoherentCache, type Fence } from './engine/coherence.ts';
import { alone } from './engine/json.ts';
import { LastWritten } from './engine/last-written.ts';
import { Passwords } from './engine/passwords.ts';
import type { ImageStore } from './engine/image-store.ts';
import { createRegistry } from './engine/registry.ts';
import type { Engine, Resource } from './engine/resource.ts';
import { createCaller } from './calls/caller.ts';
import { internalResources } from './resources/all.ts';
import { createExtensions } from './resources/extension/extensions.ts';
import { createListeners } from './resources/subscription/listeners.ts';
import type { Destinations } from './resources/subscription/send.ts';
import { project } from './resources/project/resource.ts';
import { createAccountTokens } from './storage/account-tokens.ts';
import type { Database } from './storage/database.ts';
import { createImageFiles } from './storage/image-files.ts';
import { createImageObjects } from './storage/image-objects.ts';
import { createFollowedVersion } from './storage/pass-turns.ts';

export interface EngineParts extends Pick<
  Engine,
  'store' | 'writes' | 'compute' | 'suggester' | 'searcher' | 'images'
> {
  readonly config: Config;
  readonly resources: readonly Resource[];
  readonly database: Database;
  readonly fence: Fence;
}

const collectionsMax = 50;
const descriptionBytesMax = 64 * 1024 * 1024;
const derivedBytesMax = 32 * 1024 * 1024;
/** What was written last takes so much of the room of pages' documents, beside it. */
const writtenShare = 1 / 4;
/** Objects take so many times as much as their JSON. */
const objectShare = 6;

export function buildEngine({ config, resources, database, fence, ...parts }: EngineParts): Engine {
  const passwords = new Passwords(parts.compute, config.passwordCost);
  const known: Pick<Engine, 'registry' | 'store' | 'maxPerProject'> = {
    registry: createRegistry(resources, project, internalResources),
    store: parts.store,
    maxPerProject: ({ kind, maxPerProject }) => config.resourceLimits.get(kind) ?? maxPerProject,
  };
  return {
    ...parts,
    ...known,
    fence,
    passwords,
    accounts: createAccounts(parts.store, passwords, createRateLimit(config.wrongPasswordsPerMinute)),
    accountTokens: createAccountTokens(database),
    extensions: createExtensions({
      caller: createCaller({ allowsPrivate: config.allowsPrivateExtensions }),
      fence,
    }),
    lastWritten: new LastWritten(fence, config.documentCacheBytes * writtenShare),
    listeners: createListeners({ engine: known, destinations: destinationsOf(config), fence }),
    followedVersion: createFollowedVersion(database),
    descriptions: new CoherentCache(fence, {
      bytesMax: descriptionBytesMax,
      bytesOf: ({ bytes }) => bytes,
    }),
    collections: new CoherentCache(fence, { entriesMax: collectionsMax }),
    derived: new CoherentCache(fence, {
      // Tests and benchmarks that keep no documents keep nothing that is found out of them.
      bytesMax: Math.min(derivedBytesMax, config.documentCacheBytes / 2),
      bytesOf: ({ bytes }) => objectShare * bytes,
    }),
    answers: new CoherentCache<Buffer>(fence, {
      bytesMax: config.answerCacheBytes,
      bytesOf: (bytes) => bytes.length,
      alone,
    }),
    // What is read here answers nothing that is kept.
    sources: { note: () => {}, noteAll: () => {}, noteMore: () => {}, noteUntil: () => {} },
  };
}

/** Those whom subscriptions tell. */
export function destinationsOf({
  allowsPrivateSubscriptions,
  hostsPath,
  pubsubEmulatorHost: host,
}: Config): Destinations {
  return {
    named: createCaller({ allowsPrivate: allowsPrivateSubscriptions, names: { hostsPath } }),
    emulator: host === undefined ? undefined : { host, caller: createCaller({ allowsPrivate: true }) },
  };
}

/** Those of a store of objects, or of a data directory, which the processes of a platform share. */
export function imagesOf({ dataDir, baseUrl, diskFreeBytesMin, imageObjects }: Config): ImageStore {
  if (imageObjects !== undefined) return createImageObjects(imageObjects, { baseUrl });
  const { requireRoom } = watchDisk(dataDir, diskFreeBytesMin);
  return createImageFiles({ directory: join(dataDir, 'images'), baseUrl, requireRoom });
}
