import { RequestEnded, type RequestSignal } from '../engine/context.ts';
import { apiError } from '../errors/api-error.ts';
import { connectionFault, databaseUnreachable, overCapacity } from './connection.ts';
import { Lane, type LaneOptions, type Statement, StatementLate } from './lane.ts';

export interface TurnsOptions extends LaneOptions {
  readonly connectionsMax: number;
  /** Connections that the queries of one project may take at a time; the others are for those who come meanwhile. */
  readonly projectConnectionsMax: number;
  /** Queries of one request that run at a time, so that it leaves room for others of its project. */
  readonly requestConnectionsMax: number;
  /** Queries of one project that may be on their way on a connection, one behind the other. By default one. */
  readonly connectionQueriesMax?: number;
  /** From the call to the answer: longer than the database lets a query run. */
  readonly timeoutMs: number;
}

/** A query that has not begun by then is refused. */
const waitMsMax = 2000;
/** Queries of one project that wait. */
const waitingMax = 1000;
/** Queries of one request. */
const requestQueriesMax = 500;
/** A query is not sent behind one that has been on its way for so long: it may take much longer. */
const followMsMax = 10;
/** Times that a query is sent: the connection may be lost, and cut off for the sake of another query on it. */
const attemptsMax = 3;

/** For whom a query is run. Queries without a request are nobody else's business. */
export interface Turn {
  readonly project: string;
  readonly request: RequestSignal | undefined;
}

interface Waiting extends Turn {
  start(place: Place): void;
}

/** A connection, and what is on its way on it: queries of one project. */
interface Place {
  readonly lane: Lane;
  running: number;
  /** When the one in front was sent, or came to the front. */
  frontSinceMs: number;
}

/** The connections on which a project has queries, and in the order of their arrival what waits. */
interface Line {
  readonly places: Set<Place>;
  readonly waiting: Set<Waiting>;
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
 *   run ──▶ a connection free, and shares left? ──yes──▶ run it ──▶ next of the projects that wait, one after the other
 *                   └─no─▶ wait, at most `waitMsMax` ───────────────────┘
 *
 * While nobody waits, a project that has used up its connections sends quick queries one behind the other.
 */
export class QueryTurns {
  readonly #options: TurnsOptions;
  readonly #places: readonly Place[];
  readonly #idle: Place[];
  /** Of projects that have queries, the one whose turn is next first. */
  readonly #lines = new Map<string, Line>();
  readonly #shares = new WeakMap<RequestSignal, Share>();

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.connectionsMax }, () => ({
      lane: new Lane(options),
      running: 0,
      frontSinceMs: 0,
    }));
    this.#idle = [...this.#places];
  }

  /** Runs a query: again, on another connection, when one is lost. */
  async run<T>(statement: Statement<T>, turn: Turn): Promise<T> {
    this.#count(turn.request);
    const lateAtMs = performance.now() + this.#options.timeoutMs;
    for (let attempt = 1; ; attempt += 1) {
      const place = await this.#place(turn);
      try {
        return await place.lane.run(statement, lateAtMs - performance.now(), turn.request?.signal);
      } catch (error) {
        if (turn.request?.signal?.aborted === true) throw new RequestEnded();
        if (error instanceof StatementLate) throw databaseUnreachable(error);
        if (connectionFault(error) === undefined) throw error;
        if (attempt === attemptsMax) throw databaseUnreachable(error);
      } finally {
        this.#release(place, turn);
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

  #place(turn: Turn): Promise<Place> | Place {
    if (turn.request?.signal?.aborted === true) throw new RequestEnded();
    const line = this.#lineOf(turn.project);
    const place = this.#freePlace(line, turn);
    if (place !== undefined) return this.#take(place, line, turn);
    if (line.waiting.size >= waitingMax) throw overCapacity('Too many queries of the project wait for the database.');
    return this.#wait(line, turn);
  }

  /** A connection that may be used now: one that nobody uses, or else one of the project's own. */
  #freePlace(line: Line, { request }: Turn): Place | undefined {
    const { projectConnectionsMax, requestConnectionsMax, connectionQueriesMax = 1 } = this.#options;
    if (request !== undefined && this.#shareOf(request).running >= requestConnectionsMax) return undefined;
    if (line.places.size < projectConnectionsMax && this.#idle.length > 0) return this.#idle.at(-1);
    // Others that wait get a connection when its project is done with it.
    if (connectionQueriesMax === 1 || this.#othersWait(line)) return undefined;
    const newSinceMs = performance.now() - followMsMax;
    let best: Place | undefined;
    for (const place of line.places) {
      if (place.running >= connectionQueriesMax || place.frontSinceMs < newSinceMs) continue;
      if (best === undefined || place.running < best.running) best = place;
    }
    return best;
  }

  #othersWait(line: Line): boolean {
    for (const other of this.#lines.values()) if (other !== line && other.waiting.size > 0) return true;
    return false;
  }

  #wait(line: Line, turn: Turn): Promise<Place> {
    const signal = turn.request?.signal;
    return new Promise((resolve, reject) => {
      const stop = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', drop);
        line.waiting.delete(waiting);
      };
      const waiting: Waiting = {
        ...turn,
        start: (place) => {
          stop();
          resolve(place);
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

  #take(place: Place, line: Line, { project, request }: Turn): Place {
    if (place.running === 0) {
      this.#idle.pop();
      line.places.add(place);
      place.frontSinceMs = performance.now();
    }
    place.running += 1;
    if (request !== undefined) this.#shareOf(request).running += 1;
    // Behind the other projects.
    this.#lines.delete(project);
    this.#lines.set(project, line);
    return place;
  }

  #release(place: Place, { project, request }: Turn): void {
    const line = this.#lineOf(project);
    if (request !== undefined) this.#shareOf(request).running -= 1;
    place.running -= 1;
    if (place.running > 0) place.frontSinceMs = performance.now();
    else {
      line.places.delete(place);
      // Connections that work come first.
      if (place.lane.isOpen) this.#idle.push(place);
      else this.#idle.unshift(place);
    }
    this.#forget(project, line);
    this.#startNext();
  }

  /** Of the projects that may, that with the fewest connections, and of several the one that has waited longest for it. */
  #startNext(): void {
    let next: { readonly line: Line; readonly waiting: Waiting; readonly place: Place } | undefined;
    for (const line of this.#lines.values()) {
      if (next !== undefined && line.places.size >= next.line.places.size) continue;
      for (const waiting of line.waiting) {
        const place = this.#freePlace(line, waiting);
        if (place === undefined) continue;
        next = { line, waiting, place };
        break;
      }
    }
    if (next !== undefined) next.waiting.start(this.#take(next.place, next.line, next.waiting));
  }

  #lineOf(project: string): Line {
    let line = this.#lines.get(project);
    if (line === undefined) this.#lines.set(project, (line = { places: new Set(), waiting: new Set() }));
    return line;
  }

  #forget(project: string, { places, waiting }: Line): void {
    if (places.size + waiting.size === 0) this.#lines.delete(project);
  }

  #shareOf(request: RequestSignal): Share {
    let share = this.#shares.get(request);
    if (share === undefined) this.#shares.set(request, (share = { asked: 0, running: 0 }));
    return share;
  }

  async close(): Promise<void> {
    await Promise.all(this.#places.map(({ lane }) => lane.close()));
  }
}
