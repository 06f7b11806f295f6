import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import {
  type ConnectionOptions,
  connect,
  connectionCutOff,
  connectionFault,
  socketTo,
  type Sql,
} from './connection.ts';

export interface LaneOptions extends Omit<ConnectionOptions, 'connectionsMax' | 'openSocket'> {
  /** Hears of the process that serves a new connection, by its id on the database's machine, before a statement runs. */
  readonly onBackend?: (pid: number) => void;
}

/** Starts one or several statements on the connection that it is given. */
export type Statement<T> = (sql: Sql) => PromiseLike<T>;

/** Before a connection is opened in place of one that failed, so that a database that is down is not stormed. */
const reopenMsMin = 50;
const reopenMsMax = 100;

/** What a statement failed with whose answer did not come in time. It may have taken effect, and may still. */
export class StatementLate extends Error {}

/**
 * One connection, for statements that are answered one after the other, each of which ends in time. The driver knows no
 * deadline for what it has sent, and one that lost its connection may never write again, nor tell of what was under way. So
 * a connection that failed in any way is cut off and never used again.
 */
export class Lane {
  readonly #options: LaneOptions;
  #client: Client | undefined;
  #reopenAtMs = 0;

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  /** Whether it has a connection that has answered, and that no statement has failed on. */
  get isOpen(): boolean {
    return this.#client?.hasAnswered === true;
  }

  /** The answer to a statement; an error when there is none within this time, which may be for ever. */
  async run<T>(statement: Statement<T>, timeoutMs: number): Promise<T> {
    const lateAtMs = performance.now() + timeoutMs;
    const pauseMs = this.#reopenAtMs - performance.now();
    if (this.#client === undefined && pauseMs > 0) await delay(Math.min(pauseMs, timeoutMs));
    const client = (this.#client ??= new Client(this.#options));
    try {
      return await client.run(statement, lateAtMs - performance.now());
    } catch (error) {
      if (error instanceof StatementLate || connectionFault(error) !== undefined) this.#drop(client);
      throw error;
    }
  }

  /** Ends what is under way, in Postgres too where its sessions look for their clients. */
  cutOff(): void {
    if (this.#client !== undefined) this.#drop(this.#client);
  }

  #drop(client: Client): void {
    client.destroy();
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#reopenAtMs = performance.now() + reopenMsMin + Math.random() * (reopenMsMax - reopenMsMin);
  }

  async close(): Promise<void> {
    await this.#client?.end();
  }
}

/** How long a connection that is closed in order may take. */
const endSeconds = 2;

class Client {
  readonly #sql: Sql;
  /** Those that may be open: the driver tells of none that it closes. */
  #sockets: Socket[] = [];
  #attempts = 0;
  readonly #onBackend: LaneOptions['onBackend'];
  /** The attempt whose backend was told of. */
  #toldAttempt = 0;
  #isDestroyed = false;
  hasAnswered = false;
  /** Of what is under way: each fails when the connection is cut off. */
  readonly #failures = new Set<(error: Error) => void>();

  constructor({ onBackend, ...options }: LaneOptions) {
    this.#onBackend = onBackend;
    this.#sql = connect({
      ...options,
      connectionsMax: 1,
      openSocket: (address) => {
        // What was not sent yet is not to be sent by another attempt.
        if (this.#isDestroyed) throw cutOffError();
        const socket = socketTo(address, (this.#attempts += 1) - 1);
        this.#sockets = [...this.#sockets.filter(({ destroyed }) => !destroyed), socket];
        return socket;
      },
    });
  }

  async run<T>(statement: Statement<T>, timeoutMs: number): Promise<T> {
    let end = (): void => {};
    const failed = new Promise<never>((_, reject) => {
      // An answer that came while this process was busy is read before it counts as late.
      const late = (): void => reject(new StatementLate('The database did not answer in time.'));
      const timer = timeoutMs === Infinity ? undefined : setTimeout(() => setImmediate(late), timeoutMs);
      this.#failures.add(reject);
      end = () => {
        clearTimeout(timer);
        this.#failures.delete(reject);
      };
    });
    try {
      const answer = await Promise.race([this.#started(statement), failed]);
      this.hasAnswered = true;
      return answer;
    } finally {
      end();
    }
  }

  async #started<T>(statement: Statement<T>): Promise<T> {
    const isOpen = this.#sockets.some(({ destroyed }) => !destroyed);
    if (this.#onBackend !== undefined && (!isOpen || this.#toldAttempt !== this.#attempts)) {
      const [row] = await this.#sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
      this.#toldAttempt = this.#attempts;
      this.#onBackend(row!.pid);
    }
    return statement(this.#sql);
  }

  destroy(): void {
    this.#isDestroyed = true;
    for (const socket of this.#sockets) socket.destroy();
    for (const fail of this.#failures) fail(cutOffError());
  }

  async end(): Promise<void> {
    await this.#sql.end({ timeout: endSeconds });
    this.destroy();
  }
}

function cutOffError(): Error {
  return Object.assign(new Error('The connection was cut off.'), { code: connectionCutOff });
}
