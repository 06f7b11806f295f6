import { setImmediate } from 'node:timers/promises';
import type { Change, ChangeListener, Fence } from '../engine/coherence.ts';
import { connectionFault, databaseUnreachable, type Sql } from './connection.ts';
import type { Database } from './database.ts';
import { type Lane, type Statement, StatementLate } from './lane.ts';

/** Rows are dropped after this time, so a process that did not check for half of it cannot trust its caches. */
const changeLogTtlSeconds = 600;
const checkAgeSecondsMax = changeLogTtlSeconds / 2;
/** More changes than this between two checks are cheaper to answer with empty caches. */
const changesMax = 20_000;
/** A check takes a thousandth of a second. One that takes longer has failed. */
const checkMsMax = 500;
/** The same for one that has to open a connection, and for all that a check does in the end. */
const openingMsMax = 1000;
const checkingMsMax = checkMsMax + openingMsMax;

/** What a check saw, and when by the clock of the database, which also says how old rows are. */
interface Moment {
  readonly snapshot: string;
  readonly at: string;
}

interface CheckRow extends Moment {
  /** Rows may have been dropped since the previous check. */
  readonly isLate: boolean;
  readonly project: string | null;
  readonly kind: string | null;
  readonly id: string | null;
  readonly version: string | null;
}

export interface ClosableFence extends Fence {
  close(): Promise<void>;
}

/**
 * The coalesced fence: at most one check is in flight, and whoever arrives meanwhile shares the next one, which
 * starts after they arrived.
 *
 *   request ──pass──▶ check in flight? ──no──▶ start it ──▶ evict what changed ──▶ through
 *                          └─yes─▶ wait for the one after it ───────────────────────┘
 *
 * Everybody waits for one check, so it must end: the driver has lost statements when Postgres died, and a cut network says
 * nothing for minutes. A check that is late or lost is made once more, on a new connection.
 */
export function createFence(lane: Lane): ClosableFence {
  const listeners: ChangeListener[] = [];
  let previous: Moment | undefined;
  let checks = 0;
  let inFlight: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function answered<T>(statement: Statement<T>): Promise<T> {
    const lateAtMs = performance.now() + checkingMsMax;
    for (let isRepeated = false; ; isRepeated = true) {
      const timeoutMs = lane.isOpen ? checkMsMax : openingMsMax;
      try {
        return await lane.run(statement, Math.min(timeoutMs, lateAtMs - performance.now()));
      } catch (error) {
        if (!(error instanceof StatementLate) && connectionFault(error) === undefined) throw error;
        if (isRepeated) throw databaseUnreachable(error);
      }
    }
  }

  async function check(): Promise<void> {
    if (previous === undefined) {
      const [row] = await answered(
        (sql) => sql<Moment[]>`select pg_current_snapshot()::text as snapshot, clock_timestamp()::text as at`,
      );
      for (const listener of listeners) listener.reset();
      previous = row!;
      return;
    }
    const since = previous;
    const rows = await answered((sql) => changesSince(sql, since));
    const [{ snapshot, at, isLate }] = rows as [CheckRow];
    if (isLate || rows.length > changesMax) for (const listener of listeners) listener.reset();
    else report(rows, listeners);
    previous = { snapshot, at };
  }

  function start(): Promise<void> {
    const started = check().finally(() => {
      checks += 1;
      if (inFlight === started) inFlight = undefined;
    });
    inFlight = started;
    return started;
  }

  /** Requests that have come in the meantime are read from their sockets before, and share it. */
  async function startAfter(running: Promise<void>): Promise<void> {
    await running.catch(() => {});
    await setImmediate();
    next = undefined;
    return start();
  }

  return {
    get checks() {
      return checks;
    },
    listen: (listener) => listeners.push(listener),
    pass: () => {
      if (next !== undefined) return next;
      if (inFlight === undefined) return start();
      return (next = startAfter(inFlight));
    },
    close: () => lane.close(),
  };
}

/**
 * One row for each change that became visible since the previous check; one row without a change when there is none.
 * After a crash Postgres gives the numbers of transactions that were rolled back to others, which the snapshot takes for
 * finished; so a row that is younger than the previous check is a change as well, whatever its number.
 */
function changesSince(sql: Sql, { snapshot, at }: Moment): PromiseLike<readonly CheckRow[]> {
  return sql<CheckRow[]>`
    select current.snapshot, current.at, current.late as "isLate", changed.project, changed.kind, changed.id,
      changed.version
    from (
      select pg_current_snapshot()::text as snapshot, clock_timestamp()::text as at,
        clock_timestamp() > ${at}::text::timestamptz + make_interval(secs => ${checkAgeSecondsMax}) as late
    ) as current
    left join (
      (select project, kind, id, version from change_log
      where xid >= pg_snapshot_xmin(${snapshot}::text::pg_snapshot)
        and not pg_visible_in_snapshot(xid, ${snapshot}::text::pg_snapshot)
      order by xid limit ${changesMax + 1})
      union all
      (select project, kind, id, version from change_log
      where at > ${at}::text::timestamptz and pg_visible_in_snapshot(xid, ${snapshot}::text::pg_snapshot)
      order by at limit ${changesMax + 1})
    ) as changed on true`;
}

/** The driver gives large integers as texts. */
type Stringified = Omit<Change, 'version'> & { readonly version: string };

function report(rows: readonly CheckRow[], listeners: readonly ChangeListener[]): void {
  // A row of the outer join without a change has no project.
  const changed = rows.filter((row) => row.project !== null) as unknown as readonly Stringified[];
  const changes = changed.map(({ version, ...change }): Change => ({ ...change, version: Number(version) }));
  if (changes.length > 0) for (const listener of listeners) listener.changed(changes);
}

/** Drops rows that no process needs any more. Called by time. */
export async function pruneChangeLog(database: Database): Promise<void> {
  await database.write(
    (sql) => sql`delete from change_log where at < clock_timestamp() - make_interval(secs => ${changeLogTtlSeconds})`,
  );
}
