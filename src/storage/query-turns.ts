import { RequestEnded, type RequestSignal } from '../engine/context.ts';
import { apiError } from '../errors/api-error.ts';
import { connectionFault, databaseUnreachable, overCapacity } from './connection.ts';
import { Lane, type LaneOptions, type Statement, StatementLate } from './lane.ts';

export interface TurnsOptions extends LaneOptions {
  readonly connectionsMax: number;
  /** Connections that the queries of one project may take at a time; the others are for those who come meanwhile. */
  readonly projectConnectionsMax: number;
  /** The same of one request, so that it leaves room for others of its project. */
  readonly requestConnectionsMax: number;
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

interface Waiting extends Turn {
  start(lane: Lane): void;
}

/** What a project has running, and in the order of their arrival what waits. */
interface Line {
  running: number;
  readonly waiting: Set<Waiting>;
}

/** What a request has asked for so far, and has running. */
interface Share {
  asked: number;
  running: number;
}

/**
 * Runs queries, of which any may take long, on some connections. Projects take turns, and requests of a project leave each
 * other room: whoever asks for much waits for themselves.
 *
 *   run ──▶ a connection free, and shares left? ──yes──▶ run it ──▶ next of the projects that wait, one after the other
 *                   └─no─▶ wait, at most `waitMsMax` ───────────────────┘
 */
export class QueryTurns {
  readonly #options: TurnsOptions;
  readonly #lanes: readonly Lane[];
  readonly #idle: Lane[];
  /** Of projects that have queries, the one whose turn is next first. */
  readonly #lines = new Map<string, Line>();
  readonly #shares = new WeakMap<RequestSignal, Share>();

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#lanes = Array.from({ length: options.connectionsMax }, () => new Lane(options));
    this.#idle = [...this.#lanes];
  }

  /** Runs a query: once more, on another connection, when the first is lost. */
  async run<T>(statement: Statement<T>, turn: Turn): Promise<T> {
    this.#count(turn.request);
    const lateAtMs = performance.now() + this.#options.timeoutMs;
    for (let isRepeated = false; ; isRepeated = true) {
      const lane = await this.#lane(turn);
      try {
        return await lane.run(statement, lateAtMs - performance.now(), turn.request?.signal);
      } catch (error) {
        if (turn.request?.signal?.aborted === true) throw new RequestEnded();
        if (error instanceof StatementLate) throw databaseUnreachable(error);
        if (connectionFault(error) === undefined) throw error;
        if (isRepeated) throw databaseUnreachable(error);
      } finally {
        this.#release(lane, turn);
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

  #lane(turn: Turn): Promise<Lane> | Lane {
    if (turn.request?.signal?.aborted === true) throw new RequestEnded();
    const line = this.#lineOf(turn.project);
    if (this.#idle.length > 0 && this.#hasShare(line, turn)) return this.#take(line, turn);
    if (line.waiting.size >= waitingMax) throw overCapacity('Too many queries of the project wait for the database.');
    return this.#wait(line, turn);
  }

  #wait(line: Line, turn: Turn): Promise<Lane> {
    const signal = turn.request?.signal;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', drop);
        line.waiting.delete(waiting);
      };
      const waiting: Waiting = {
        ...turn,
        start: (lane) => {
          stop();
          resolve(lane);
        },
      };
      const drop = (): void => {
        stop();
        this.#forget(turn.project, line);
        reject(new RequestEnded());
      };
      const timer = setTimeout(() => {
        stop();
        this.#forget(turn.project, line);
        reject(overCapacity('Queries of the project that came before take too long.'));
      }, waitMsMax);
      signal?.addEventListener('abort', drop);
      line.waiting.add(waiting);
    });
  }

  #take(line: Line, { project, request }: Turn): Lane {
    line.running += 1;
    if (request !== undefined) this.#shareOf(request).running += 1;
    // Behind the other projects.
    this.#lines.delete(project);
    this.#lines.set(project, line);
    return this.#idle.pop()!;
  }

  #release(lane: Lane, { project, request }: Turn): void {
    // Connections that work come first.
    if (lane.isOpen) this.#idle.push(lane);
    else this.#idle.unshift(lane);
    const line = this.#lineOf(project);
    line.running -= 1;
    if (request !== undefined) this.#shareOf(request).running -= 1;
    this.#forget(project, line);
    this.#startNext();
  }

  /** Of the projects that may, that which has the fewest running, and of several the one that has waited longest for it. */
  #startNext(): void {
    let next: { readonly line: Line; readonly waiting: Waiting } | undefined;
    for (const line of this.#lines.values()) {
      if (next !== undefined && line.running >= next.line.running) continue;
      for (const waiting of line.waiting) {
        if (!this.#hasShare(line, waiting)) continue;
        next = { line, waiting };
        break;
      }
    }
    if (next !== undefined) next.waiting.start(this.#take(next.line, next.waiting));
  }

  #hasShare({ running }: Line, { request }: Turn): boolean {
    if (running >= this.#options.projectConnectionsMax) return false;
    return request === undefined || this.#shareOf(request).running < this.#options.requestConnectionsMax;
  }

  #lineOf(project: string): Line {
    let line = this.#lines.get(project);
    if (line === undefined) this.#lines.set(project, (line = { running: 0, waiting: new Set() }));
    return line;
  }

  #forget(project: string, { running, waiting }: Line): void {
    if (running + waiting.size === 0) this.#lines.delete(project);
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
