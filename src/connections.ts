/** Connections of a process to the database: how many there are for what, and how long a statement may take. */
import type { Connected } from './config.ts';
import { leaveCores } from './embedded/backend-priority.ts';
import { plannedOnceSettings, queryConnectionSettings } from './storage/connection.ts';
import type { LaneOptions } from './storage/lane.ts';
import { QueryTurns } from './storage/query-turns.ts';

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
/** Of a statement of the feeder, of which one marks every text of a project. */
export const feedingTimeoutMs = 300_000;

/** Where the queries of requests run. */
export function openQueries(config: Connected): { readonly indexed: QueryTurns; readonly unindexed: QueryTurns } {
  return {
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
}

/** Where those run that are nobody's request. */
export function openBackgroundQueries(config: Connected): QueryTurns {
  return new QueryTurns({ ...forQueries(config, feedingTimeoutMs), ...unindexedConnections });
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

/** For statements that are planned once for each connection. */
export function planningOnce(config: Connected): LaneOptions {
  const timeouts = { lock_timeout: lockTimeoutMs, statement_timeout: statementTimeoutMs };
  return laneOptions(config, { ...plannedOnceSettings, ...timeouts });
}
