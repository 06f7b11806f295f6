import { apiError } from '../errors/api-error.ts';
import { connectionFault, databaseUnreachable, overCapacity } from './connection.ts';
import { Lane, type LaneOptions, type Statement, StatementLate } from './lane.ts';

export interface DatabaseOptions extends LaneOptions {
  readonly connectionsMax: number;
  /** By default `timeoutMsDefault`. */
  readonly timeoutMs?: number;
}

/** Of a read in all; of a write until it has a connection, and again until it is answered, which is longer than Postgres gives it. */
const timeoutMsDefault = 5000;
/** Statements that wait for a connection. */
const waitingMax = 10_000;

/**
 * Runs statements that are looked up by id, key or value, and writes, on some connections: each is answered in time,
 * whatever happens to Postgres or the network between.
 */
export class Database {
  readonly #timeoutMs: number;
  readonly #lanes: readonly Lane[];
  /** Those that nobody uses, of which the last is taken. */
  readonly #idle: Lane[];
  readonly #waiting = new Set<(lane: Lane) => void>();

  constructor({ connectionsMax, timeoutMs = timeoutMsDefault, ...options }: DatabaseOptions) {
    this.#timeoutMs = timeoutMs;
    this.#lanes = Array.from({ length: connectionsMax }, () => new Lane(options));
    this.#idle = [...this.#lanes];
  }

  /** Runs what changes nothing: once more, on another connection, when the first is lost. */
  read<T>(statement: Statement<T>): Promise<T> {
    return this.#run(statement, false);
  }

  /**
   * Runs what may change something. Where the connection is lost under way nobody can know whether it did, so it is not
   * run again, and the error says so. Waiting for a connection takes nothing of its time: with less than Postgres gives it, a
   * statement that waits for a lock would be taken for one whose connection is lost.
   */
  write<T>(statement: Statement<T>): Promise<T> {
    return this.#run(statement, true);
  }

  async #run<T>(statement: Statement<T>, isWrite: boolean): Promise<T> {
    const lateAtMs = performance.now() + this.#timeoutMs;
    for (let isRepeated = false; ; isRepeated = true) {
      const lane = await this.#lane(lateAtMs);
      try {
        return await lane.run(statement, isWrite ? this.#timeoutMs : lateAtMs - performance.now());
      } catch (error) {
        const fault = error instanceof StatementLate ? 'lost' : connectionFault(error);
        if (fault === undefined) throw error;
        if (isWrite && fault === 'lost') throw outcomeUnknown(error);
        if (isRepeated || error instanceof StatementLate) throw databaseUnreachable(error);
      } finally {
        this.#release(lane);
      }
    }
  }

  #lane(lateAtMs: number): Promise<Lane> | Lane {
    const lane = this.#idle.pop();
    if (lane !== undefined) return lane;
    if (this.#waiting.size === waitingMax) throw overCapacity('Too many requests wait for the database.');
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#waiting.delete(take);
        reject(databaseUnreachable(new StatementLate('No connection was free in time.')));
      }, lateAtMs - performance.now());
      const take = (free: Lane): void => {
        clearTimeout(timer);
        resolve(free);
      };
      this.#waiting.add(take);
    });
  }

  #release(lane: Lane): void {
    const [take] = this.#waiting;
    if (take !== undefined) {
      this.#waiting.delete(take);
      take(lane);
    } else if (lane.isOpen) this.#idle.push(lane);
    // Those that work come first, so a statement that is run again does not meet the same fault.
    else this.#idle.unshift(lane);
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}

/** 502 (specification, section 7), on which the public clients do not send a request again by themselves: a create would then be two. */
function outcomeUnknown(cause: unknown): Error {
  const failure = apiError(
    'BadGateway',
    'The connection to the database was lost before it said whether the change was made. Read the resource before you send it again.',
  );
  failure.cause = cause;
  return failure;
}
