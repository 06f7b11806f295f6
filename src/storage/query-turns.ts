import { RequestEnded, type RequestSignal } from '../engine/context.ts';
import { apiError, ownShareUsed } from '../errors/api-error.ts';
import { connectionFault, databaseUnreachable } from './connection.ts';
import { type Statement, StatementLate } from './lane.ts';
import { HeldUp, QueryLane, type QueryLaneOptions } from './query-lane.ts';

export interface TurnsOptions extends QueryLaneOptions {
  readonly connectionsMax: number;
  /** Connections that the queries of one project may take at a time; the others are for those who come meanwhile. */
  readonly projectConnectionsMax: number;
  /** Queries of one request that run at a time, so that it leaves room for others of its project. */
  readonly requestRunningMax: number;
  /** From the call to the answer: longer than the database lets a query run. */
  readonly timeoutMs: number;
}

/** A query that has not begun by then is refused. */
const waitMsMax = 2000;
/** Queries of one project that wait. */
const waitingMax = 1000;
/** Queries of one request. */
const requestQueriesMax = 500;

/** For whom a query is run. Queries without a request are nobody else's business. */
export interface Turn {
  readonly project: string;
  readonly request: RequestSignal | undefined;
}

/** A query that is sent when its turn comes. */
interface Waiting extends Turn {
  /** Whether it was held up behind others once, and is to be sent with nothing before it. */
  readonly isHeldUp: boolean;
  send(lane: QueryLane): void;
}

/** The connections on which a project has queries, and in the order of their turn those that wait. */
interface Line {
  readonly lanes: Set<QueryLane>;
  readonly waiting: Waiting[];
}

/** What a request has asked for so far, and has on its way. */
interface Share {
  asked: number;
  running: number;
}

/**
 * Runs queries, of which any may take long, on some connections. Projects take turns, and requests of a project leave each
 * other room: whoever asks for much waits for themselves.
 *
 *   run ──▶ a connection free, and shares left? ──yes──▶ send it ──▶ next of the projects that wait, one after the other
 *                   └─no─▶ wait, at most `waitMsMax` ───────────────────┘
 *
 * A project that has used up its connections sends quick queries behind its own, unless another has too few connections. A
 * query of which that held it up is sent a second time.
 */
export class QueryTurns {
  readonly #options: TurnsOptions;
  readonly #lanes: readonly QueryLane[];
  /** Connections that work come last, from where they are taken. */
  readonly #idle: QueryLane[];
  /** Of projects that have queries: the longer ago their last turn, or since they wait, the earlier. */
  readonly #lines = new Map<string, Line>();
  readonly #shares = new WeakMap<RequestSignal, Share>();

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#lanes = Array.from({ length: options.connectionsMax }, () => new QueryLane(options));
    this.#idle = [...this.#lanes];
  }

  /** Runs a query: once more when its connection is lost, and when others on the connection have held it up. */
  async run<T>(statement: Statement<T>, turn: Turn): Promise<T> {
    this.#count(turn.request);
    const lateAtMs = performance.now() + this.#options.timeoutMs;
    let isHeldUp = false;
    let isRepeated = false;
    for (;;) {
      try {
        return await this.#inTurn(statement, { ...turn, isHeldUp }, lateAtMs);
      } catch (error) {
        if (error instanceof StatementLate) throw databaseUnreachable(error);
        if (error instanceof HeldUp) {
          isHeldUp = true;
        } else {
          if (connectionFault(error) === undefined) throw error;
          if (isRepeated) throw databaseUnreachable(error);
          isRepeated = true;
        }
      }
    }
  }

  #count(request: RequestSignal | undefined): void {
    if (request === undefined) return;
    const share = this.#shareOf(request);
    share.asked += 1;
    if (share.asked > requestQueriesMax)
      throw apiError('InvalidOperation', `The request needs more than ${requestQueriesMax} queries; divide it.`);
  }

  async #inTurn<T>(statement: Statement<T>, query: Omit<Waiting, 'send'>, lateAtMs: number): Promise<T> {
    const signal = query.request?.signal;
    if (signal?.aborted === true) throw new RequestEnded();
    const leftMs = lateAtMs - performance.now();
    if (leftMs <= 0) throw new StatementLate('No time was left to send the query again.');
    const line = this.#lineOf(query.project);
    const lane = this.#hasShare(query) ? this.#laneFor(line, query) : undefined;
    const send = (free: QueryLane): Promise<T> => this.#send(free, line, { ...query, statement, lateAtMs });
    if (lane !== undefined) return send(lane);
    if (line.waiting.length >= waitingMax && !query.isHeldUp)
      throw ownShareUsed('Too many queries of the project wait for the database.');
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', end);
        line.waiting.splice(line.waiting.indexOf(waiting), 1);
      };
      const waiting: Waiting = {
        ...query,
        send: (free) => {
          leave();
          resolve(send(free));
        },
      };
      const fail = (reason: Error): void => {
        leave();
        reject(reason);
        this.#sendNext();
        this.#forget(query.project, line);
      };
      const end = (): void => fail(new RequestEnded());
      const timer = setTimeout(
        () => fail(line.lanes.size > 0 ? projectTooSlow() : databaseTooSlow()),
        Math.min(waitMsMax, leftMs),
      );
      signal?.addEventListener('abort', end);
      if (line.waiting.length === 0) this.#goBehind(query.project, line);
      // Those that were held up came earlier than the others.
      const place = query.isHeldUp ? line.waiting.findIndex(({ isHeldUp }) => !isHeldUp) : -1;
      line.waiting.splice(place < 0 ? line.waiting.length : place, 0, waiting);
    });
  }

  async #send<T>(
    lane: QueryLane,
    line: Line,
    { project, request, statement, lateAtMs }: Turn & { readonly statement: Statement<T>; readonly lateAtMs: number },
  ): Promise<T> {
    const share = request === undefined ? undefined : this.#shareOf(request);
    if (share !== undefined) share.running += 1;
    if (lane.length === 0) {
      this.#idle.splice(this.#idle.indexOf(lane), 1);
      line.lanes.add(lane);
    }
    this.#goBehind(project, line);
    try {
      const onSettled = (): void => {
        if (lane.length === 0) this.#free(lane, line);
        this.#sendNext();
        this.#forget(project, line);
      };
      return await lane.send(statement, {
        timeoutMs: lateAtMs - performance.now(),
        signal: request?.signal,
        onSettled,
      });
    } finally {
      if (share !== undefined) share.running -= 1;
      this.#sendNext();
    }
  }

  /** Behind the other projects. */
  #goBehind(project: string, line: Line): void {
    this.#lines.delete(project);
    this.#lines.set(project, line);
  }

  #free(lane: QueryLane, line: Line): void {
    line.lanes.delete(lane);
    if (lane.isOpen) this.#idle.push(lane);
    else this.#idle.unshift(lane);
  }

  /** Of the projects that may, that with the fewest connections, and of several the one that has waited longest for it. */
  #sendNext(): void {
    for (;;) {
      let next: { readonly line: Line; readonly waiting: Waiting; readonly lane: QueryLane } | undefined;
      for (const line of this.#lines.values()) {
        if (line.waiting.length === 0 || (next !== undefined && line.lanes.size >= next.line.lanes.size)) continue;
        const waiting = this.#nextOf(line);
        const lane = waiting && this.#laneFor(line, waiting);
        if (waiting !== undefined && lane !== undefined) next = { line, waiting, lane };
      }
      if (next === undefined) return;
      next.waiting.send(next.lane);
    }
  }

  /**
   * A connection that may be used now: one that nobody uses, or else one of the project's own. While the next one needs one
   * with nothing before it none follows, for where queries go on following no connection becomes free.
   */
  #laneFor(line: Line, { isHeldUp }: Pick<Waiting, 'isHeldUp'>): QueryLane | undefined {
    if (line.lanes.size < this.#options.projectConnectionsMax && this.#idle.length > 0) return this.#idle.at(-1);
    if (isHeldUp || this.#nextOf(line)?.isHeldUp === true) return undefined;
    let best: QueryLane | undefined;
    for (const lane of line.lanes) if (lane.mayFollow && (best === undefined || lane.length < best.length)) best = lane;
    return best === undefined || this.#othersNeedOne(line) ? undefined : best;
  }

  #nextOf({ waiting }: Line): Waiting | undefined {
    return waiting.find((one) => this.#hasShare(one));
  }

  /** Whether another project waits that has no connection, or two fewer. */
  #othersNeedOne(line: Line): boolean {
    for (const { lanes, waiting } of this.#lines.values()) {
      if (waiting.length === 0 || (lanes.size > 0 && lanes.size + 1 >= line.lanes.size)) continue;
      if (waiting.some((one) => this.#hasShare(one))) return true;
    }
    return false;
  }

  #hasShare({ request }: Pick<Turn, 'request'>): boolean {
    return request === undefined || this.#shareOf(request).running < this.#options.requestRunningMax;
  }

  #lineOf(project: string): Line {
    let line = this.#lines.get(project);
    if (line === undefined) this.#lines.set(project, (line = { lanes: new Set(), waiting: [] }));
    return line;
  }

  #forget(project: string, { lanes, waiting }: Line): void {
    if (lanes.size + waiting.length === 0) this.#lines.delete(project);
  }

  #shareOf(request: RequestSignal): Share {
    let share = this.#shares.get(request);
    if (share === undefined) this.#shares.set(request, (share = { asked: 0, running: 0 }));
    return share;
  }

  async close(): Promise<void> {
    await Promise.all(this.#lanes.map((lane) => lane.close()));
  }
}

function projectTooSlow(): Error {
  return ownShareUsed('Queries of the project that came before, or of the request itself, take too long.');
}

/** It has nothing under way of its own. */
function databaseTooSlow(): Error {
  return apiError('OverCapacity', 'Queries of other projects take too long. Try again later.');
}
