/** Worker threads of a process: how many there are for what, and how much may wait for them. */
import { passwordThreads } from './engine/passwords.ts';
import type { Threads } from './tasks/task.ts';
import { createPool, type Pool, type PoolOptions } from './threads/pool.ts';

/** Batches that may wait for a worker thread. */
const computeQueueMax = 1000;
/** What takes long is sent alone, to threads that are there while they are needed. */
const longTasks = { batchMax: 1, idleMs: 60_000 };
/** As many passwords at a time as there are threads, of which none is there at first. */
const passwordPoolOptions: PoolOptions = { ...longTasks, threads: passwordThreads, queueMax: passwordThreads };
/** Descriptions of the GraphQL schema. */
const descriptionPoolOptions: PoolOptions = { ...longTasks, threads: 1, queueMax: 100 };

/** Of a process that serves requests. */
export function createPools(threads: number): Readonly<Record<Threads, Pool>> {
  return {
    pricing: createPool({ threads, queueMax: computeQueueMax }),
    texts: createPool({ threads, queueMax: computeQueueMax }),
    descriptions: createPool(descriptionPoolOptions),
    passwords: createPool(passwordPoolOptions),
  };
}

/** Of what works for nobody's request. */
export function createBackgroundPool(): Pool {
  return createPool({ ...longTasks, threads: 1, queueMax: computeQueueMax });
}
