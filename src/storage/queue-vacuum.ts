import type { Database } from './database.ts';

/**
 * Rows that are removed before a queue's table is vacuumed, which is left to the server otherwise, once a minute. They stay
 * in the index until then, and whoever looks for the first that is left passes them all: 8 ms where there are 130,000.
 */
const vacuumedAfter = 10_000;
/** Between two, in times of what the last one took: where a long transaction keeps what was removed, each has more to look at. */
const restTimes = 20;

/** Is told how many rows were removed. Where it fails it is as good as never called, for the server vacuums too. */
export type QueueVacuum = (removed: number) => Promise<void>;

export function createQueueVacuum(
  database: Pick<Database, 'write'>,
  table: 'outbox' | 'notices',
  now: () => number = () => performance.now(),
): QueueVacuum {
  let removed = 0;
  let restsUntilMs = -Infinity;
  return async (count) => {
    removed += count;
    const beganMs = now();
    if (removed < vacuumedAfter || beganMs < restsUntilMs) return;
    removed = 0;
    restsUntilMs = Infinity;
    // The index is cleaned of the few of a long queue as well. The file keeps its size: giving some of it back has writes wait.
    await database
      .write((sql) => sql`vacuum (skip_locked, index_cleanup on, truncate off) ${sql(table)}`)
      .catch(() => {});
    restsUntilMs = now() + restTimes * (now() - beganMs);
  };
}
