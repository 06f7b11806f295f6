import type { Change, ChangeListener, Fence } from '../engine/coherence.ts';
import type { Sql } from './connection.ts';

/** Rows are dropped after this time, so a process that did not check for half of it cannot trust its caches. */
const changeLogTtlSeconds = 600;
const checkAgeMsMax = (changeLogTtlSeconds * 1000) / 2;
/** More changes than this between two checks are cheaper to answer with empty caches. */
const changesMax = 20_000;

interface Check {
  readonly snapshot: string;
  readonly project: string | null;
  readonly kind: string | null;
  readonly id: string | null;
}

/**
 * The coalesced fence: at most one check is in flight, and whoever arrives meanwhile shares the next one, which
 * starts after they arrived.
 *
 *   request ──pass──▶ check in flight? ──no──▶ start it ──▶ evict what changed ──▶ through
 *                          └─yes─▶ wait for the one after it ───────────────────────┘
 */
export function createFence(sql: Sql): Fence {
  const listeners: ChangeListener[] = [];
  let snapshot: string | undefined;
  let checkedAtMs = 0;
  let inFlight: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function check(): Promise<void> {
    const startedAtMs = performance.now();
    if (snapshot === undefined || startedAtMs - checkedAtMs > checkAgeMsMax) {
      const [row] = await sql<{ snapshot: string }[]>`select pg_current_snapshot()::text as snapshot`;
      for (const listener of listeners) listener.reset();
      snapshot = row!.snapshot;
    } else {
      const rows = await changesSince(sql, snapshot);
      report(rows, listeners);
      snapshot = rows[0]!.snapshot;
    }
    checkedAtMs = startedAtMs;
  }

  function start(): Promise<void> {
    const started = check().finally(() => {
      if (inFlight === started) inFlight = undefined;
    });
    inFlight = started;
    return started;
  }

  return {
    listen: (listener) => listeners.push(listener),
    pass: () => {
      if (inFlight === undefined) return start();
      next ??= inFlight
        .catch(() => {})
        .then(() => {
          next = undefined;
          return start();
        });
      return next;
    },
  };
}

/** One row for each change that became visible since `snapshot`; one row without a change when there is none. */
function changesSince(sql: Sql, snapshot: string): PromiseLike<readonly Check[]> {
  return sql<Check[]>`
    select current.snapshot, changed.project, changed.kind, changed.id
    from (select pg_current_snapshot()::text as snapshot) as current
    left join (
      select project, kind, id from change_log
      where xid >= pg_snapshot_xmin(${snapshot}::pg_snapshot) and not pg_visible_in_snapshot(xid, ${snapshot}::pg_snapshot)
      limit ${changesMax + 1}
    ) as changed on true`;
}

function report(rows: readonly Check[], listeners: readonly ChangeListener[]): void {
  if (rows.length > changesMax) {
    for (const listener of listeners) listener.reset();
    return;
  }
  // A row of the outer join without a change has no project.
  const changes = rows.filter((row) => row.project !== null) as unknown as readonly Change[];
  if (changes.length > 0) for (const listener of listeners) listener.changed(changes);
}

/** Drops rows that no process needs any more. Called by time. */
export async function pruneChangeLog(sql: Sql): Promise<void> {
  await sql`delete from change_log where at < clock_timestamp() - make_interval(secs => ${changeLogTtlSeconds})`;
}
