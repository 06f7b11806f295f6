import { RequestEnded } from '../engine/context.ts';
import { connectionFault } from './connection.ts';
import { Lane, type LaneOptions, type Statement, StatementLate } from './lane.ts';

export interface QueryLaneOptions extends LaneOptions {
  /** Queries that are on their way on a connection, one behind the other. */
  readonly connectionQueriesMax: number;
}

/** A query is not sent behind one that has been in front for so long: it may take much longer. */
const followMsMax = 10;
/** From when a query is in front: others then wait for it no longer, and where nobody waits for it, it is ended. */
const patienceMs = 100;

/** What a query is told that was held up by others on its connection: it is sent again, with nothing before it. */
export class HeldUp extends Error {}

/** A query that was sent, from then on until its answer has come or the connection is lost. */
interface Sent {
  /** Whether nothing on the connection was left to do before it. */
  isInFront: boolean;
  isWanted: boolean;
  /** Tells whoever waits for it; what comes of it later is for nobody. */
  leave(reason: Error): void;
}

/**
 * A connection on which quick queries are sent one behind the other, so that neither side has to wait for the other between
 * two. None suffers from the one before it: whoever has waited too long is told `HeldUp`. And none is ended with it: a query
 * that nobody waits for any more is left a moment to end by itself, before the connection is cut off.
 */
export class QueryLane {
  readonly #lane: Lane;
  readonly #queriesMax: number;
  /** In the order in which they are answered. */
  readonly #sent: Sent[] = [];
  #frontSinceMs = 0;
  #patience: NodeJS.Timeout | undefined;

  constructor(options: QueryLaneOptions) {
    this.#lane = new Lane(options);
    this.#queriesMax = options.connectionQueriesMax;
  }

  get isOpen(): boolean {
    return this.#lane.isOpen;
  }

  /** Queries on their way. */
  get length(): number {
    return this.#sent.length;
  }

  /** Whether a query may be sent behind those that are on their way. */
  get mayFollow(): boolean {
    const front = this.#sent[0];
    if (front === undefined || !front.isWanted || this.#sent.length >= this.#queriesMax || !this.isOpen) return false;
    return performance.now() - this.#frontSinceMs < followMsMax;
  }

  /**
   * The answer to a query; `RequestEnded` as soon as the signal comes, and `HeldUp`. `onSettled` is called when the
   * connection is done with it, which may be later.
   */
  send<T>(
    statement: Statement<T>,
    timeoutMs: number,
    signal: AbortSignal | undefined,
    onSettled: () => void,
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const leave = (reason: Error): void => {
        sent.isWanted = false;
        reject(reason);
      };
      const end = (): void => {
        leave(new RequestEnded());
        this.#watch();
      };
      const sent: Sent = { isInFront: this.#sent.length === 0, isWanted: true, leave };
      const settle = (isLost: boolean): void => {
        signal?.removeEventListener('abort', end);
        this.#settle(sent, isLost);
        onSettled();
      };
      if (sent.isInFront) this.#frontSinceMs = performance.now();
      this.#sent.push(sent);
      signal?.addEventListener('abort', end);
      this.#watch();
      this.#lane.run(statement, timeoutMs).then(
        (answer) => {
          resolve(answer);
          settle(false);
        },
        (error: unknown) => {
          const isLost = error instanceof StatementLate || connectionFault(error) !== undefined;
          reject(isLost && !sent.isInFront ? new HeldUp('The connection was lost.', { cause: error }) : error);
          settle(isLost);
        },
      );
    });
  }

  #settle(sent: Sent, isLost: boolean): void {
    this.#sent.splice(this.#sent.indexOf(sent), 1);
    const front = this.#sent[0];
    if (front === undefined) return;
    // Those that are lost with one in front had something before them.
    front.isInFront ||= !isLost;
    this.#frontSinceMs = performance.now();
    this.#watch();
  }

  #watch(): void {
    if (this.#patience !== undefined || this.#sent.length === 0) return;
    if (this.#sent.length === 1 && this.#sent[0]!.isWanted) return;
    const leftMs = this.#frontSinceMs + patienceMs - performance.now();
    // An answer that came while this process was busy is read before it counts as slow.
    this.#patience = setTimeout(() => setImmediate(() => this.#look()), leftMs);
  }

  #look(): void {
    this.#patience = undefined;
    const [front, ...others] = this.#sent;
    if (front === undefined) return;
    if (performance.now() - this.#frontSinceMs < patienceMs) return this.#watch();
    if (!front.isWanted) return this.#lane.cutOff();
    for (const sent of others) sent.leave(new HeldUp('Another query takes long.'));
  }

  async close(): Promise<void> {
    clearTimeout(this.#patience);
    await this.#lane.close();
  }
}
