/**
 * Postgres. The only layer that speaks SQL. It knows rows, versions and references, and nothing of the protocols or
 * of what any resource means.
 */
import { createConnection, type Socket } from 'node:net';
import postgres from 'postgres';
import { apiError } from '../errors/api-error.ts';

export type Sql = postgres.Sql;

export interface ConnectionOptions {
  readonly databaseUrl: string;
  readonly connectionsMax: number;
  /** False behind a pooler that cannot keep prepared statements. */
  readonly prepare: boolean;
  /** Settings of the sessions, of which a pooler may refuse any. */
  readonly settings?: Readonly<Record<string, string | number>>;
  /** Opens the sockets; by default the driver does. */
  readonly openSocket?: OpenSocket;
}

/** Where the driver connects to: hosts with their ports, or a socket of the file system. */
export interface Address {
  readonly host: readonly string[];
  readonly port: readonly number[];
  readonly path: string | false;
}

export type OpenSocket = (address: Address) => Socket;

const connectTimeoutSeconds = 3;
/** How often a running query looks whether anybody still waits for it. */
const connectionCheckMs = 200;

/**
 * A client for autocommitted statements. Never open a transaction on it: when Postgres dies while one is open, the
 * driver ends the process. The driver's own backoff is shared by all connections and grows to many seconds after one
 * restart, so it is replaced by a short one with jitter. Settings are parameters of a connection's start: set by a
 * statement they would stay with a pooler's connection, for whoever gets it next.
 */
export function connect({ databaseUrl, connectionsMax, prepare, settings, openSocket }: ConnectionOptions): Sql {
  return postgres(databaseUrl, {
    max: connectionsMax,
    prepare,
    fetch_types: false,
    connect_timeout: connectTimeoutSeconds,
    backoff: () => 0.1 + Math.random() * 0.1,
    onnotice: () => {},
    types: { textArray: arrayType(1009), uuidArray: arrayType(2951), bigintArray: arrayType(1016) },
    connection: { application_name: 'tradepost', ...settings },
    ...(openSocket !== undefined && { socket: openSocket }),
  });
}

/**
 * A socket as the driver opens it. It may be handed over before it is connected: what is written waits, and a driver whose
 * socket could not be opened at all waits for ever.
 */
export function socketTo({ host, port, path }: Address, attempt: number): Socket {
  if (path !== false) return createConnection({ path });
  const index = attempt % host.length;
  const target = { host: host[index]!, port: port[index]! };
  // The driver reads the name from it that a certificate has to have.
  return Object.assign(createConnection(target), target);
}

/**
 * For connections that run queries: statements end in time, and soon when their connection is cut off. Plans are not
 * compiled, nor are workers started, which takes 3 to 12 ms for the sake of branches that are hardly ever run, and cores
 * that other requests have use for. No table is read whole: many kinds and projects share it, and Postgres does not reckon
 * with what it takes to look into their large documents.
 */
export function queryConnectionSettings(timeoutMs: number): NonNullable<ConnectionOptions['settings']> {
  return {
    statement_timeout: timeoutMs,
    client_connection_check_interval: connectionCheckMs,
    jit: 'off',
    max_parallel_workers_per_gather: '0',
    enable_seqscan: 'off',
  };
}

/**
 * For connections that run the same statements all the time: each is planned once. Left alone Postgres takes lists to be
 * long and a third of the change log to be new until it has seen them, and plans all over each time: 0.15 ms of the 0.27 of a
 * check, and more than half of a write. A plan that is kept must not be to read a whole table, however small that is when
 * the plan is made: what these statements look up by id, key or value has an index.
 */
export const plannedOnceSettings: Readonly<Record<string, string>> = {
  plan_cache_mode: 'force_generic_plan',
  enable_seqscan: 'off',
  jit: 'off',
};

/** An array on the wire; the driver knows arrays only when it may ask each server for its types. */
function arrayType(oid: number): postgres.PostgresType<readonly Element[]> {
  return {
    to: oid,
    from: [],
    serialize: (values: readonly Element[]) => `{${values.map(elementText).join(',')}}`,
    parse: (text: string) => [text],
  };
}

type Element = string | number | null;

function elementText(value: Element): string {
  return typeof value === 'string' ? `"${value.replace(/["\\]/g, '\\$&')}"` : String(value);
}

/** A Postgres error, by its five-character code. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof postgres.PostgresError && error.code === code;
}

/** Whether it is the error of a row of the table. */
export function isOfTable(error: unknown, code: string, table: string): boolean {
  return error instanceof postgres.PostgresError && error.code === code && error.table_name === table;
}

/** The constraint by which what is written excludes what is there; undefined for another error. */
export function excludingConstraint(error: unknown): string | undefined {
  return error instanceof postgres.PostgresError && error.code === exclusionViolation
    ? error.constraint_name
    : undefined;
}

/** The value that a write could not take because as many hold it as may (migration 0026); undefined for another error. */
export function fullyShared(error: unknown): { readonly field: string; readonly value: string } | undefined {
  if (!(error instanceof postgres.PostgresError && error.code === noRoom)) return undefined;
  return { field: error.constraint_name ?? '', value: error.detail ?? '' };
}

/** The ids in the detail of a Postgres error, which stand between blanks. */
export function idsOfDetail(error: unknown): ReadonlySet<string> {
  const detail = error instanceof postgres.PostgresError ? error.detail : '';
  return new Set(detail?.split(' '));
}

/** Whether a statement failed on a value or a constraint. Like any of which Postgres tells an error, it had no effect. */
export function hasFailedOnData(error: unknown): boolean {
  return error instanceof postgres.PostgresError && (/^2[23]/.test(error.code) || error.code === noRoom);
}

/** Whether a statement gave up waiting for what others hold, and had no effect. */
export function hasWaitedInVain(error: unknown): boolean {
  return hasCode(error, deadlock) || hasCode(error, lockNotAvailable) || hasCode(error, queryCanceled);
}

/**
 * Whether a write failed on others of the same moment, and may be run again. Writes that take what each other holds, such
 * as a name, end in a deadlock, and Postgres ends one of them. And for microseconds after a write failed on a row that
 * somebody else refers to, Postgres counts it as a second one beside the next.
 */
export function isEndedByRivals(error: unknown): boolean {
  return hasCode(error, deadlock) || (error instanceof postgres.PostgresError && error.message.startsWith(twoUpdaters));
}

/** Codes of the driver and of Postgres for statements that certainly had no effect, since there was no connection for them. */
const withoutConnection: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOENT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
  // Ended by an operator or for idleness, a server that starts or stops, and too many connections.
  '57P01',
  '57P05',
  '57P03',
  '53300',
]);
/** Of connections that this side cut off while a statement was under way. */
export const connectionCutOff = 'CONNECTION_CUT_OFF';
/** That code, and those of the driver, for connections that were lost while a statement was under way. */
const lost: ReadonlySet<unknown> = new Set([
  connectionCutOff,
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'CONNECTION_ENDED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
]);

/** What a failed statement says of the connection: there was none, or it was lost. Undefined when it is as good as ever. */
export function connectionFault(error: unknown): 'absent' | 'lost' | undefined {
  if (!(error instanceof Error && 'code' in error)) return undefined;
  if (withoutConnection.has(error.code)) return 'absent';
  return lost.has(error.code) || hasLostServer(error) ? 'lost' : undefined;
}

/** What a pooler tells that has lost its connection to the server. */
function hasLostServer(error: Error): boolean {
  return error instanceof postgres.PostgresError && error.code.startsWith('08');
}

/**
 * What clients hear of an error that came up through storage: a statement that gave up waiting for a lock may be sent
 * again. Any other may have taken effect, so its error is left as it is.
 */
export function clientError(error: unknown): unknown {
  return hasWaitedInVain(error) ? overCapacity('The resource is held by other writes.', error) : error;
}

export function databaseUnreachable(cause: unknown): Error {
  return overCapacity('The database cannot be reached.', cause);
}

export function overCapacity(problem: string, cause?: unknown): Error {
  const failure = apiError('OverCapacity', `${problem} Try again later.`);
  if (cause !== undefined) failure.cause = cause;
  return failure;
}

const twoUpdaters = 'new multixact has more than one updating member';
const deadlock = '40P01';
const lockNotAvailable = '55P03';
export const uniqueViolation = '23505';
const exclusionViolation = '23P01';
const noRoom = 'TP002';
export const foreignKeyViolation = '23503';
export const notNullViolation = '23502';
/** A statement that ran into the timeout, or that an operator ended. */
export const queryCanceled = '57014';
