import type { HttpResponse } from 'uWebSockets.js';
import { type ApiError, apiError, ownShareUsed } from '../errors/api-error.ts';
import type { Intake, Receiver } from './intake.ts';

/** The body of a request as handlers see it. It is not read before it is asked for. */
export interface IncomingBody {
  /** All of it is here. */
  readonly isWhole: boolean;
  /** Throws ContentTooLarge, and OverCapacity where all bodies together, or those of an owner, are too large. */
  read(reading?: Reading): Promise<Buffer>;
}

export interface Reading {
  readonly own?: OwnLimit;
  readonly owners?: readonly BodyOwner[];
}

/** In whose name bodies are kept. */
export interface BodyOwner {
  readonly name: string;
  /** Of all bodies of this name whose requests are not answered. */
  readonly bytesMax: number;
}

/** Of a path that takes less than others. */
export interface OwnLimit {
  readonly bytesMax: number;
  refusal(): ApiError;
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
export class BodyBudget {
  #bytes = 0;
  readonly #owned = new Map<string, number>();

  add(bytes: number, owners: readonly BodyOwner[]): void {
    this.#bytes += bytes;
    for (const { name } of owners) {
      const owned = (this.#owned.get(name) ?? 0) + bytes;
      if (owned === 0) this.#owned.delete(name);
      else this.#owned.set(name, owned);
    }
  }

  isOver(bytesMax: number): boolean {
    return this.#bytes > bytesMax;
  }

  isShareUsed(owners: readonly BodyOwner[]): boolean {
    return owners.some((owner) => (this.#owned.get(owner.name) ?? 0) > owner.bytesMax);
  }
}

/** What the bodies of a server share. */
export interface BodyContext {
  readonly limits: BodyLimits;
  readonly budget: BodyBudget;
  /** For those that are read by somebody. */
  readonly intake: Intake;
  /** For those that are read for nothing, of which there may be any number. */
  readonly dropIntake: Intake;
}

export const tooManyBodies = 'The server has too many large requests at a time.';

/** A body of which so much has come is given room for all of it: whoever only says to send much gets none. */
const largeBytes = 1024 * 1024;
/** What is kept of a body that nobody has asked for; the rest waits with the client. */
const aheadBytesMax = 64 * 1024;

/**
 * The body of one request. It is read while the handler asks for it, and dropped when the answer comes first: most clients
 * read no answer before they have sent everything, and a connection that is closed before takes the answer with it.
 */
export class RequestBody implements IncomingBody, Receiver {
  readonly #res: HttpResponse;
  readonly #limits: BodyLimits;
  readonly #budget: BodyBudget;
  readonly #intake: Intake;
  readonly #dropIntake: Intake;
  /** As its head says; 0 where that does not. */
  readonly #contentLength: number;
  #chunks: Buffer[] = [];
  /** Room for all of a large body, whose parts then need not be put together while everybody waits. */
  #whole: Buffer | undefined;
  /** Bytes in the budget. */
  #keptBytes = 0;
  #receivedBytes = 0;
  #isEnded = false;
  #isPaused = false;
  #wentOnAtEnd = false;
  /** Others have their turn. */
  #waitsForTurn = false;
  #fault: ApiError | undefined;
  #ownLimit: OwnLimit | undefined;
  #owners: readonly BodyOwner[] = [];
  #reader: { resolve(body: Buffer): void; reject(error: unknown): void } | undefined;
  #dropped: ((isWhole: boolean) => void) | undefined;
  #dropStartedAtMs = 0;
  #lastChunkAtMs = 0;

  /** Has to be made while the native server's callback runs. */
  constructor(res: HttpResponse, contentLength: number, { limits, budget, intake, dropIntake }: BodyContext) {
    this.#res = res;
    this.#contentLength = contentLength;
    this.#limits = limits;
    this.#budget = budget;
    this.#intake = intake;
    this.#dropIntake = dropIntake;
    res.onData((chunk, isLast) => this.#take(chunk, isLast));
  }

  /** The project, the last of those that it belongs to. */
  get owner(): string {
    return this.#owners.at(-1)?.name ?? '';
  }

  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  get isWhole(): boolean {
    return this.#isEnded;
  }

  read({ own, owners = [] }: Reading = {}): Promise<Buffer> {
    return new Promise((resolve, reject) => {
      this.#reader = { resolve, reject };
      this.#ownLimit = own;
      // What is here already belongs to nobody yet.
      this.#budget.add(-this.#keptBytes, this.#owners);
      this.#owners = owners;
      this.#budget.add(this.#keptBytes, owners);
      if (own !== undefined && this.#keptBytes > own.bytesMax) this.#fault ??= own.refusal();
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
    // The client is not to blame for a pause until its turn.
    const pausedMs = this.#waitsForTurn ? 0 : nowMs - this.#lastChunkAtMs;
    if (pausedMs > dropPauseMsMax || nowMs - this.#dropStartedAtMs > dropMsMax) this.#endDrop(false);
  }

  /**
   * The native server closes connections on which nothing has come for 10 s, be it that they are paused, or that they went on
   * after a pause at whose end all was there. Called more often than that, this keeps them open; nothing is read by it.
   */
  stayOpen(): void {
    if (this.#isPaused) {
      this.#res.resume();
      this.#res.pause();
    } else if (this.#wentOnAtEnd) {
      this.#res.pause();
      this.#res.resume();
    }
  }

  /** The request is answered, or its connection is gone. */
  release(): void {
    this.#chunks = [];
    this.#whole = undefined;
    this.#budget.add(-this.#keptBytes, this.#owners);
    this.#keptBytes = 0;
    this.#refuse(ended);
    this.#leaveIntake();
  }

  #leaveIntake(): void {
    this.#intake.forget(this);
    this.#dropIntake.forget(this);
    this.#waitsForTurn = false;
  }

  goOn(): void {
    this.#waitsForTurn = false;
    this.#lastChunkAtMs = performance.now();
    if (this.#isWanted) this.#resume();
  }

  /** A callback of the native server must not throw. */
  #take(chunk: ArrayBuffer, isLast: boolean): void {
    try {
      this.#receivedBytes += chunk.byteLength;
      this.#isEnded = isLast;
      // The end may come with the very read that a pause came too late for; the connection's next request waits for it.
      if (isLast) this.#resume();
      this.#awaitTurn(chunk.byteLength);
      if (this.#dropped !== undefined) this.#dropMore();
      else if (this.#fault === undefined) this.#keep(chunk);
      if (this.#isEnded || this.#fault !== undefined) this.#settle();
    } catch (error) {
      this.#reader?.reject(error);
    }
  }

  /** What nobody reads yet is not much, and waits for its reader. */
  #awaitTurn(bytes: number): void {
    if (this.#reader === undefined && this.#dropped === undefined) return;
    const intake = this.#dropped === undefined ? this.#intake : this.#dropIntake;
    const isAdmitted = intake.admits(this, bytes, this.#receivedBytes);
    if (this.#isEnded) this.#leaveIntake();
    else if (!isAdmitted) {
      this.#waitsForTurn = true;
      this.#pause();
    }
  }

  #keep(chunk: ArrayBuffer): void {
    const { bodyBytesMax, bodyBytesInFlightMax } = this.#limits;
    this.#keptBytes += chunk.byteLength;
    this.#budget.add(chunk.byteLength, this.#owners);
    if (this.#keptBytes > bodyBytesMax) this.#refuse(tooLarge(bodyBytesMax));
    else if (this.#ownLimit !== undefined && this.#keptBytes > this.#ownLimit.bytesMax)
      this.#refuse(this.#ownLimit.refusal());
    else if (this.#budget.isShareUsed(this.#owners)) this.#refuse(ownShareUsed(tooManyBodies));
    else if (this.#budget.isOver(bodyBytesInFlightMax))
      this.#refuse(apiError('OverCapacity', `${tooManyBodies} Try again later.`));
    else this.#store(chunk);
    if (!this.#isEnded && !this.#isWanted) this.#pause();
  }

  /** The native buffer is gone when the callback returns. */
  #store(chunk: ArrayBuffer): void {
    if (chunk.byteLength === 0) return;
    const end = this.#keptBytes;
    if (this.#whole === undefined && end > largeBytes && end <= this.#contentLength) {
      this.#whole = Buffer.allocUnsafeSlow(this.#contentLength);
      let start = 0;
      for (const earlier of this.#chunks) start += earlier.copy(this.#whole, start);
      this.#chunks = [];
    }
    if (this.#whole === undefined) this.#chunks.push(Buffer.from(chunk.slice(0)));
    else this.#whole.set(new Uint8Array(chunk), end - chunk.byteLength);
  }

  #joined(): Buffer {
    if (this.#whole !== undefined) return this.#whole.subarray(0, this.#keptBytes);
    return this.#chunks.length === 1 ? this.#chunks[0]! : Buffer.concat(this.#chunks);
  }

  /** Whether more of it is read, by somebody, for nothing, or in advance. */
  get #isWanted(): boolean {
    return this.#reader !== undefined || this.#dropped !== undefined || this.#keptBytes <= aheadBytesMax;
  }

  #dropMore(): void {
    this.#lastChunkAtMs = performance.now();
    if (this.#isEnded) this.#endDrop(true);
    else if (this.#receivedBytes > this.#limits.bodyBytesDroppedMax) this.#endDrop(false);
  }

  #endDrop(isWhole: boolean): void {
    const done = this.#dropped;
    this.#dropped = undefined;
    this.#leaveIntake();
    this.#resume();
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
    else reader.resolve(this.#joined());
  }

  #pause(): void {
    if (this.#isPaused) return;
    this.#isPaused = true;
    this.#res.pause();
  }

  #resume(): void {
    if (!this.#isPaused || (this.#waitsForTurn && !this.#isEnded)) return;
    this.#isPaused = false;
    this.#wentOnAtEnd = this.#isEnded;
    this.#res.resume();
  }
}

/** Of every request, so it is made once. */
const ended = apiError('InvalidInput', 'The request body did not come before the request ended.');

export function tooLarge(bodyBytesMax: number): ApiError {
  return apiError('ContentTooLarge', `The request body has more than ${bodyBytesMax} bytes.`);
}
