import { connect, type Socket } from 'node:net';
import { apiError, type ApiError } from '../errors/api-error.ts';
import { RequestEnded } from '../engine/context.ts';
import { claimsOf, clientName, FairQueue, type SharesMax } from '../engine/fair-queue.ts';
import { ProductsUnindexed, type Searcher } from '../engine/searcher.ts';
import type { IndexAnswer } from '../product-search/index-query.ts';
import { onFrames, sendFrame } from './frames.ts';
import type { Question, Reply, Withdrawal } from './messages.ts';

export interface SearcherOptions {
  readonly path: string;
  readonly timeoutMs: number;
}

/** The answer is on its way when the search ends at its time. */
const answerMs = 500;
/** A process that is not heard for this long while it is asked something hangs. */
const silentMsMax = 8000;
/** Of one process. What runs at a time leaves room for others, and is more than keeps the search process busy. */
const searchesMax: SharesMax = { ofClient: 200, ofProject: 300, runningOfClient: 24, runningOfProject: 36 };
const queueLimits = { runningMax: 48, waitingMax: 800, refusal: 'Too many searches are asked for.' };

interface Waiting {
  resolve(answer: IndexAnswer): void;
  reject(error: Error): void;
}

/** Asks the search process of this machine. */
export function createSearcher({ path, timeoutMs }: SearcherOptions): Searcher & { close(): void } {
  const queue = new FairQueue(queueLimits);
  let line: Line | undefined;

  function lineToday(): Line {
    if (line === undefined || line.isOver) line = new Line(path);
    return line;
  }

  return {
    search: (request, query) => {
      const { signal } = request;
      const question = { project: request.project.key, client: clientName(request), query, timeoutMs };
      return queue.run(claimsOf(request, searchesMax), () => lineToday().ask(question, signal), signal);
    },
    close: () => line?.close(),
  };
}

/** A connection to the search process for as long as it lasts. */
class Line {
  readonly #socket: Socket;
  readonly #waiting = new Map<number, Waiting>();
  #lastId = 0;
  #heardAtMs = performance.now();

  constructor(path: string) {
    this.#socket = connect(path);
    onFrames(this.#socket, (message) => this.#take(message as Reply));
    let reason: Error = new Error('The search process closed the connection');
    this.#socket.on('error', (error) => (reason = error));
    this.#socket.on('close', () => {
      for (const { reject } of this.#waiting.values()) reject(failure(reason));
      this.#waiting.clear();
    });
  }

  get isOver(): boolean {
    return this.#socket.destroyed;
  }

  ask(question: Omit<Question, 'id'>, signal: AbortSignal | undefined): Promise<IndexAnswer> {
    const id = (this.#lastId += 1);
    if (signal?.aborted === true) return Promise.reject(new RequestEnded());
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#endLate(id), question.timeoutMs + answerMs);
      const end = (): void => this.#giveUp(id, new RequestEnded());
      signal?.addEventListener('abort', end);
      const settling =
        <Value>(settle: (value: Value) => void) =>
        (value: Value): void => {
          clearTimeout(timer);
          signal?.removeEventListener('abort', end);
          settle(value);
        };
      this.#waiting.set(id, { resolve: settling(resolve), reject: settling(reject) });
      sendFrame(this.#socket, { ...question, id } satisfies Question);
    });
  }

  close(): void {
    this.#socket.destroy();
  }

  /** One question is late, which others may not be. */
  #endLate(id: number): void {
    const late = new Error('The search process did not answer');
    if (performance.now() - this.#heardAtMs > silentMsMax) this.#socket.destroy(late);
    else this.#giveUp(id, failure(late));
  }

  #giveUp(id: number, reason: Error): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    waiting?.reject(reason);
    if (!this.isOver) sendFrame(this.#socket, { withdrawn: id } satisfies Withdrawal);
  }

  #take(reply: Reply): void {
    this.#heardAtMs = performance.now();
    // It may have been withdrawn when this was on its way.
    const waiting = this.#waiting.get(reply.id);
    this.#waiting.delete(reply.id);
    if ('answer' in reply) waiting?.resolve(reply.answer);
    else waiting?.reject(errorOf(reply));
  }
}

function errorOf({ failure: kind, message }: Extract<Reply, { failure: unknown }>): Error {
  switch (kind) {
    case 'loading':
      return apiError('OverCapacity', 'The search index is being loaded. Try again later.');
    case 'indexing':
      return new ProductsUnindexed();
    case 'late':
      return apiError('SearchExecutionFailure', 'The search took too long. Look for less, or try again.');
    case 'large':
      return apiError('InvalidInput', message);
    case 'failed':
      return failure(new Error(message));
  }
}

/** Clients hear nothing of what is behind the platform. */
function failure(cause: Error): ApiError {
  const error = apiError('SearchExecutionFailure', 'The search did not succeed.');
  error.cause = cause;
  return error;
}
