import type { HttpResponse } from 'uWebSockets.js';
import { type ApiError, apiError } from '../errors/api-error.ts';

/** The body of a request as handlers see it. It is not read before it is asked for. */
export interface IncomingBody {
  /** All of it is here. */
  readonly isWhole: boolean;
  /** Throws ContentTooLarge, and OverCapacity where all bodies together are too large. */
  read(own?: OwnLimit): Promise<Buffer>;
}

/** Of a path that takes less than others. */
export interface OwnLimit {
  readonly bytesMax: number;
  readonly refusal: ApiError;
}

/** Of methods without one. */
export const noBody: IncomingBody = { isWhole: true, read: () => Promise.resolve(emptyBody) };
const emptyBody = Buffer.alloc(0);

export interface BodyLimits {
  /** Bytes of a request body: a resource's limit and its wrapping (specification section 8). */
  readonly bodyBytesMax: number;
  /** Bytes of all request bodies whose requests are not answered; further ones get 503. */
  readonly bodyBytesInFlightMax: number;
  /** Bytes of a body that are read for nothing, so that the client gets to its answer. */
  readonly bodyBytesDroppedMax: number;
  /** A client that sends nothing for so long, or is not done by then, gets its answer anyway. */
  readonly dropPauseMsMax: number;
  readonly dropMsMax: number;
}

/** Bytes of all bodies that are kept. */
export interface BodyBudget {
  bytes: number;
}

/** What is kept of a body that nobody has asked for; the rest waits with the client. */
const aheadBytesMax = 64 * 1024;

/**
 * The body of one request. It is read while the handler asks for it, and dropped when the answer comes first: most clients
 * read no answer before they have sent everything, and a connection that is closed before takes the answer with it.
 */
export class RequestBody implements IncomingBody {
  readonly #res: HttpResponse;
  readonly #limits: BodyLimits;
  readonly #budget: BodyBudget;
  #chunks: Buffer[] = [];
  /** Bytes in the budget. */
  #keptBytes = 0;
  #receivedBytes = 0;
  #isEnded = false;
  #isPaused = false;
  #fault: ApiError | undefined;
  #ownLimit: OwnLimit | undefined;
  #reader: { resolve(body: Buffer): void; reject(error: unknown): void } | undefined;
  #dropped: ((isWhole: boolean) => void) | undefined;
  #dropStartedAtMs = 0;
  #lastChunkAtMs = 0;

  /** Has to be made while the native server's callback runs. */
  constructor(res: HttpResponse, limits: BodyLimits, budget: BodyBudget) {
    this.#res = res;
    this.#limits = limits;
    this.#budget = budget;
    res.onData((chunk, isLast) => this.#take(chunk, isLast));
  }

  get isWhole(): boolean {
    return this.#isEnded;
  }

  read(own?: OwnLimit): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      this.#ownLimit = own;
      if (own !== undefined && this.#keptBytes > own.bytesMax) this.#fault ??= own.refusal;
      if (this.#fault !== undefined || this.#isEnded) this.#settle();
      else this.#resume();
    });
  }

  /** Reads what is left for nothing; `done` hears whether that was all of it. */
  drop(done: (isWhole: boolean) => void): void {
    this.release();
    if (this.#isEnded) {
      done(true);
      return;
    }
    this.#dropped = done;
    this.#dropStartedAtMs = this.#lastChunkAtMs = performance.now();
    this.#resume();
  }

  /** Ends the dropping where the client takes too long. */
  endLateDrop(nowMs: number): void {
    const { dropPauseMsMax, dropMsMax } = this.#limits;
    if (nowMs - this.#lastChunkAtMs > dropPauseMsMax || nowMs - this.#dropStartedAtMs > dropMsMax) this.#endDrop(false);
  }

  /** The request is answered, or its connection is gone. */
  release(): void {
    this.#chunks = [];
    this.#budget.bytes -= this.#keptBytes;
    this.#keptBytes = 0;
    this.#refuse(apiError('InvalidInput', 'The request body did not come before the request ended.'));
  }

  /** A callback of the native server must not throw. */
  #take(chunk: ArrayBuffer, isLast: boolean): void {
    try {
      this.#receivedBytes += chunk.byteLength;
      this.#isEnded = isLast;
      if (this.#dropped !== undefined) this.#dropMore();
      else if (this.#fault === undefined) this.#keep(chunk);
      if (this.#isEnded || this.#fault !== undefined) this.#settle();
    } catch (error) {
      this.#reader?.reject(error);
    }
  }

  #keep(chunk: ArrayBuffer): void {
    const { bodyBytesMax, bodyBytesInFlightMax } = this.#limits;
    this.#keptBytes += chunk.byteLength;
    this.#budget.bytes += chunk.byteLength;
    if (this.#keptBytes > bodyBytesMax) this.#refuse(tooLarge(bodyBytesMax));
    else if (this.#ownLimit !== undefined && this.#keptBytes > this.#ownLimit.bytesMax)
      this.#refuse(this.#ownLimit.refusal);
    else if (this.#budget.bytes > bodyBytesInFlightMax)
      this.#refuse(apiError('OverCapacity', 'The server has too many large requests at a time. Try again later.'));
    // The native buffer is gone when the callback returns.
    else if (chunk.byteLength > 0) this.#chunks.push(Buffer.from(new Uint8Array(chunk.slice(0))));
    if (this.#reader !== undefined || this.#isEnded || this.#isPaused || this.#keptBytes <= aheadBytesMax) return;
    this.#isPaused = true;
    this.#res.pause();
  }

  #dropMore(): void {
    this.#lastChunkAtMs = performance.now();
    if (this.#isEnded) this.#endDrop(true);
    else if (this.#receivedBytes > this.#limits.bodyBytesDroppedMax) this.#endDrop(false);
  }

  #endDrop(isWhole: boolean): void {
    const done = this.#dropped;
    this.#dropped = undefined;
    done?.(isWhole);
  }

  #refuse(fault: ApiError): void {
    this.#fault ??= fault;
    if (!this.#isEnded) this.#settle();
  }

  #settle(): void {
    const reader = this.#reader;
    if (reader === undefined) return;
    this.#reader = undefined;
    if (this.#fault !== undefined) reader.reject(this.#fault);
    else reader.resolve(this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks));
  }

  #resume(): void {
    if (!this.#isPaused) return;
    this.#isPaused = false;
    this.#res.resume();
  }
}

export function tooLarge(bodyBytesMax: number): ApiError {
  return apiError('ContentTooLarge', `The request body has more than ${bodyBytesMax} bytes.`);
}
