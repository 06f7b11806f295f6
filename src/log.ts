import { LRUCache } from 'lru-cache';
import { type DestinationStream, type LogFn, type Logger, pino } from 'pino';
import { ApiError } from './errors/api-error.ts';

/** Within this time errors that are equal are logged once, and then with how many more there were. */
const repeatedMs = 5000;
/** Errors that are told apart at a time. */
const repeatedMax = 1000;

/**
 * JSON lines on standard output; tokens, secrets and bodies are never logged. A full disk or a database that is gone fails
 * thousands of requests a second in the same way, so equal warnings and errors are counted.
 */
export function createLog(level: string, role: string, { destination, later = afterAWhile }: LogOptions = {}): Logger {
  const options = { level, base: { role, pid: process.pid }, serializers: { err: loggedError } };
  const log = destination === undefined ? pino(options) : pino(options, destination);
  // Of the forms that the logger takes, this one alone is in use.
  for (const each of ['warn', 'error'] as const)
    log[each] = countRepeated(log[each].bind(log) as Write, later) as LogFn;
  return log;
}

interface LogOptions {
  /** Standard output by default. */
  readonly destination?: DestinationStream;
  /** Runs something at the end of the time in which equal errors are one. */
  readonly later?: (run: () => void) => void;
}

function afterAWhile(run: () => void): void {
  setTimeout(run, repeatedMs).unref();
}

interface Repeated {
  count: number;
  details: object;
}

type Write = (details: object, message: string) => void;

/** Writes a line, and equal ones of the time after it together. */
function countRepeated(write: Write, later: (run: () => void) => void): Write {
  const seen = new LRUCache<string, Repeated>({ max: repeatedMax });
  const watch = (name: string, message: string): void =>
    later(() => {
      const { count, details } = seen.get(name) ?? { count: 0, details: {} };
      seen.delete(name);
      if (count === 0) return;
      write({ ...details, repeated: count }, message);
      seen.set(name, { count: 0, details });
      watch(name, message);
    });
  return (details, message) => {
    const name = `${message} ${nameOf(details)}`;
    const known = seen.get(name);
    if (known !== undefined) {
      known.count += 1;
      known.details = details;
      return;
    }
    seen.set(name, { count: 0, details });
    write(details, message);
    watch(name, message);
  };
}

/** Errors are equal that have one name, code and message; lines without an error are by their text. */
function nameOf(details: object): string {
  const error = 'err' in details ? details.err : undefined;
  if (!(error instanceof Error)) return '';
  return `${error.name} ${'code' in error ? String(error.code) : ''} ${error.message.slice(0, 200)}`;
}

/** An expected failure is known by its code; where it was thrown says nothing. */
function loggedError(error: unknown): unknown {
  if (!(error instanceof ApiError)) return error instanceof Error ? pino.stdSerializers.err(error) : error;
  const { cause, code, message } = error;
  return { type: error.name, code, message, ...(cause instanceof Error && { cause: cause.message }) };
}
