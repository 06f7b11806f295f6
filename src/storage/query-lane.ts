import { RequestEnded } from '../engine/context.ts';
import { connectionFault } from './connection.ts';
import { Lane, type LaneOptions, type Statement, StatementLate } from './lane.ts';

export interface QueryLaneOptions extends LaneOptions {
  /** Queries that are on their way on a connection, one behind the other. */
  readonly connectionQueriesMax: number;
}

/** A query is not sent behind one that has been in front for so long: it may take much longer. */
const followMsMax = 10;
/** For so long a query waits for those before it, and one in front that nobody waits for goes on. */
const patienceMs = 100;
/** A timer counts from the beginning of its turn of the event loop, and so comes early where the turn was busy. */
const earlyMs = 10;

/** What a query is told that was held up by others on its connection: it is sent again, with nothing before it. */
export class HeldUp extends Error {}

/** A query that was sent, from then on until its answer has come or the connection is lost. */
interface Sent {
  readonly sentAtMs: number;
  /** Whether all that was before it was answered. */
  isFirst: boolean;
  /** Whether somebody waits for the answer. */
  isWanted: boolean;
  /** Tells whoever does, and is the last that they hear. */
  giveUp(reason: Error): void;
}

/**
 * A connection on which quick queries are sent one behind the other, so that neither side has to wait for the other between
 * two. None suffers from those before it: whoever has waited too long is told `HeldUp`. And none is ended with another: a
 * query that nobody waits for any more is left a moment to end by itself, before the connection is cut off, and only the
 * time of one that is wanted and in front can be over.
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
   * The answer to a query; `RequestEnded` as soon as the signal comes, `HeldUp`, and `StatementLate` when it has had this
   * time. `onSettled` is called when the connection is done with it, which may be later.
   */
  send<T>(
    statement: Statement<T>,
    { timeoutMs, signal, onSettled }: { timeoutMs: number; signal: AbortSignal | undefined; onSettled: () => void },
  ): Promise<T> {
    return new Promise((resolve, reject) => {
      const stopWaiting = (): void => {
        sent.isWanted = false;
        clearTimeout(deadline);
        signal?.removeEventListener('abort', drop);
      };
      const giveUp = (reason: Error): void => {
        stopWaiting();
        reject(reason);
      };
      const drop = (): void => {
        giveUp(new RequestEnded());
        this.#watch();
      };
      const endLate = (): void => {
        if (!sent.isWanted) return;
        giveUp(new StatementLate('The database did not answer in time.'));
        if (this.#sent[0] === sent) this.#lane.cutOff();
      };
      const sent: Sent = { sentAtMs: performance.now(), isFirst: this.#sent.length === 0, isWanted: true, giveUp };
      // An answer that came while this process was busy is read before it counts as late.
      const deadline = setTimeout(() => setImmediate(endLate), timeoutMs);
      signal?.addEventListener('abort', drop);
      if (sent.isFirst) this.#frontSinceMs = sent.sentAtMs;
      this.#sent.push(sent);
      this.#watch();
      const settle = (isLost: boolean): void => {
        stopWaiting();
        this.#settle(sent, isLost);
        onSettled();
      };
      this.#lane.run(statement, Infinity).then(
        (answer) => {
          resolve(answer);
          settle(false);
        },
        (error: unknown) => {
          const isLost = connectionFault(error) !== undefined;
          reject(isLost && !sent.isFirst ? new HeldUp('The connection was lost.', { cause: error }) : error);
          settle(isLost);
        },
      );
    });
  }

  #settle(sent: Sent, isLost: boolean): void {
    const index = this.#sent.indexOf(sent);
    this.#sent.splice(index, 1);
    const [front] = this.#sent;
    if (front === undefined || index > 0) return;
    // Those that are lost together had something before them.
    front.isFirst ||= !isLost;
    this.#frontSinceMs = performance.now();
    this.#watch();
  }

  /** Looks again when somebody will have waited too long, if nothing happens before. */
  #watch(): void {
    if (this.#patience !== undefined) return;
    const [front, ...others] = this.#sent;
    if (front === undefined) return;
    // The first of them waits the longest.
    const sinceMs = front.isWanted ? others.find(({ isWanted }) => isWanted)?.sentAtMs : this.#frontSinceMs;
    if (sinceMs === undefined) return;
    const leftMs = sinceMs + patienceMs - performance.now();
    // An answer that came while this process was busy is read before it counts as slow.
    this.#patience = setTimeout(() => setImmediate(() => this.#look()), leftMs);
  }

  #look(): void {
    this.#patience = undefined;
    const [front, ...others] = this.#sent;
    if (front === undefined) return;
    const beforeMs = performance.now() - patienceMs + earlyMs;
    if (!front.isWanted && this.#frontSinceMs <= beforeMs) return this.#lane.cutOff();
    for (const sent of others)
      if (sent.isWanted && sent.sentAtMs <= beforeMs) sent.giveUp(new HeldUp('Other queries take long.'));
    this.#watch();
  }

  async close(): Promise<void> {
    clearTimeout(this.#patience);
    await this.#lane.close();
  }
}
