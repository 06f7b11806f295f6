import type { HttpResponse } from 'uWebSockets.js';
import { alone } from '../engine/json.ts';
import type { Headers } from './cors.ts';
import { bodiless, statusLine, type Response } from './response.ts';

/** What is known of a request when it is answered. */
export interface Outgoing {
  readonly res: HttpResponse;
  readonly correlationId: string;
  readonly isHead: boolean;
  /** What browsers are told of who may read the answer. */
  readonly corsHeaders: Headers;
  /** The connection is closed after the answer. */
  readonly isLast: boolean;
  /** The whole body while the client has not taken all of it. */
  body: Uint8Array | undefined;
  answeredAtMs: number;
}

export interface AnswerLimits {
  /** Bytes of all bodies that clients have not taken completely. */
  readonly answerBytesInFlightMax: number;
  /** A client that has not taken an answer by then loses the connection. */
  readonly answerMsMax: number;
}

/** Larger bodies need room before they are sent; the native server never holds more than this for a connection. */
const smallBytesMax = 256 * 1024;

/**
 * Sends answers, and holds those that a client takes slowly. What the native server is given as a whole, it keeps
 * without limit, one answer after the other on the same connection: 1,499 answers of 200 kB to a client that read
 * nothing took 300 MB. So it is offered answers, and takes of them what the client takes; measured with 332 and
 * 10,700 bytes, that costs nothing.
 */
export class Answers {
  readonly #limits: AnswerLimits;
  /** In the order in which they were begun. */
  readonly #open = new Set<Outgoing>();
  #bytes = 0;

  constructor(limits: AnswerLimits) {
    this.#limits = limits;
  }

  /** Answers that clients have not taken completely. */
  get count(): number {
    return this.#open.size;
  }

  /** An answer as it is sent, where there is room for it. A small one always has: what the client does not take of it is not kept. */
  withRoom(response: Response): Response | undefined {
    const { body } = response;
    // A unit of UTF-16 has at most three bytes in UTF-8.
    if (typeof body === 'string' && body.length <= smallBytesMax / 3) return response;
    // To measure a text and to send it would each make its bytes.
    const whole = typeof body === 'string' ? Buffer.from(body) : body;
    const hasRoom =
      whole.byteLength <= smallBytesMax || this.#bytes + whole.byteLength <= this.#limits.answerBytesInFlightMax;
    return hasRoom ? { ...response, body: whole } : undefined;
  }

  send(out: Outgoing, { status, body, headers }: Response): void {
    const { res } = out;
    res.writeStatus(statusLine(status));
    res.writeHeader('X-Correlation-ID', out.correlationId);
    for (const [name, value] of out.corsHeaders) res.writeHeader(name, value);
    // With any argument the native server would write a length. It closes the connection where the client asked for it.
    if (bodiless.has(status)) {
      writeAll(res, headers);
      if (out.isLast) res.writeHeader('Connection', 'close');
      res.endWithoutBody();
      return;
    }
    let hasContentType = false;
    if (headers !== undefined) {
      for (const [name, value] of headers) {
        res.writeHeader(name, value);
        if (name === 'Content-Type') hasContentType = true;
      }
    }
    if (!hasContentType) res.writeHeader('Content-Type', 'application/json; charset=utf-8');
    // The native server closes the connection without a word; clients that keep connections need to be told.
    if (out.isLast) res.writeHeader('Connection', 'close');
    const bytes = byteLengthOf(body);
    if (out.isHead) endHead(out, bytes);
    // Nothing follows on this connection, so one small answer is all that is kept for it.
    else if (out.isLast && bytes <= smallBytesMax) res.end(body, true);
    else this.#offer(out, body, bytes);
  }

  #offer(out: Outgoing, body: Response['body'], bytes: number): void {
    const { res } = out;
    const [, isComplete] = res.tryEnd(body, bytes);
    if (isComplete) return;
    const rest = typeof body === 'string' ? Buffer.from(body) : alone(body);
    out.body = rest;
    out.answeredAtMs = performance.now();
    this.#bytes += bytes;
    this.#open.add(out);
    if (this.#bytes > this.#limits.answerBytesInFlightMax) {
      // Not at once, for a connection must not be closed while it is corked.
      setImmediate(() => {
        if (out.body !== undefined) res.close();
      });
      return;
    }
    res.onWritable((offset) => {
      const [isTaken, isComplete] = res.tryEnd(rest.subarray(offset), bytes);
      if (isComplete) this.drop(out);
      return isTaken;
    });
  }

  /** Ends a connection in the middle of an answer, if it is not gone. */
  close(out: Outgoing): void {
    this.drop(out);
    try {
      out.res.close();
    } catch {
      // The native server refuses to close what is gone.
    }
  }

  /** Forgets an answer that is complete, or whose connection is gone. */
  drop(out: Outgoing): void {
    if (out.body === undefined) return;
    this.#bytes -= out.body.byteLength;
    out.body = undefined;
    this.#open.delete(out);
  }

  /** Closes the connections of clients that have not taken their answer in time; gives their requests. */
  closeLate(): readonly Outgoing[] {
    const oldestMs = performance.now() - this.#limits.answerMsMax;
    const late: Outgoing[] = [];
    for (const out of this.#open) {
      if (out.answeredAtMs > oldestMs) break;
      late.push(out);
    }
    for (const out of late) out.res.close();
    return late;
  }
}

/** The native server takes an answer whose length it is told for one that lacks its body, and closes at the next request. */
function endHead({ res, isLast }: Outgoing, bytes: number): void {
  if (isLast) {
    res.endWithoutBody(bytes, true);
    return;
  }
  res.writeHeader('Content-Length', String(bytes));
  res.endWithoutBody();
}

function writeAll(res: HttpResponse, headers: Response['headers']): void {
  for (const [name, value] of headers ?? []) res.writeHeader(name, value);
}

function byteLengthOf(body: Response['body']): number {
  return typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength;
}
