/**
 * Calls to servers that projects name: where tokens are introspected, and API extensions. Whom to call, and what an answer
 * means, say others. No redirect is followed, for it would lead what is sent elsewhere, and no call is made twice.
 */
import { isIP } from 'node:net';
import { type Dispatcher, Pool } from 'undici';
import { isPrivate, lookupOf } from './addresses.ts';
import { CallFailed } from './call-failed.ts';
import { createNames, type NamesOptions } from './names.ts';

/** Connections of one owner to one server. They stay for so long while nothing is sent. */
const socketsMax = 100;
const idleMsMax = 5000;
/** Until a connection that nobody answers is given up, whoever waits for it. */
const connectMsMax = 5000;

export interface Call {
  /** Of HTTP or HTTPS. */
  readonly url: string;
  /** The project that names the server: no other waits for its connections, or is given them. */
  readonly owner: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** All that the call may take, from the look-up of the address to the last byte. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /** Hears of memory before the answer takes it. What it throws ends the call. */
  readonly takeBytes?: ((bytes: number) => void) | undefined;
  /** Ends the call when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface CallAnswer {
  readonly status: number;
  /** As it was sent: nobody has looked at its bytes. */
  readonly body: Buffer;
}

/** Posts, and gives the whole answer. Throws CallFailed where there is none. */
export type Caller = (call: Call) => Promise<CallAnswer>;

export interface CallerOptions {
  /** Lets those who are called be on loopback, link-local and private addresses. */
  readonly allowsPrivate: boolean;
  /** Where names are looked up; by default as the system says. */
  readonly names?: NamesOptions;
}

export function createCaller({ allowsPrivate, names }: CallerOptions): Caller {
  const lookup = { names: createNames(names), allowsPrivate };
  const servers = new Servers((origin, owner) => {
    const connect = { lookup: lookupOf(lookup, owner), timeout: connectMsMax };
    return new Pool(origin, {
      connections: socketsMax,
      keepAliveTimeout: idleMsMax,
      keepAliveMaxTimeout: idleMsMax,
      // Each call has a time of its own.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect,
    });
  });
  return async (call) => {
    const target = new URL(call.url);
    const host = target.hostname.replace(/^\[|\]$/g, '');
    // Addresses are not looked up.
    if (!allowsPrivate && isIP(host) !== 0 && isPrivate(host)) throw new CallFailed('address');
    return servers.with(target.origin, call.owner, (server) => answerOf(server, target, call));
  };
}

/** Connections by whom they lead to and whose they are, for as long as they are used. */
class Servers {
  readonly #connect: (origin: string, owner: string) => Pool;
  readonly #servers = new Map<string, { readonly pool: Pool; underWay: number; idle?: NodeJS.Timeout }>();

  constructor(connect: (origin: string, owner: string) => Pool) {
    this.#connect = connect;
  }

  async with<T>(origin: string, owner: string, use: (server: Dispatcher) => Promise<T>): Promise<T> {
    const name = `${owner} ${origin}`;
    let server = this.#servers.get(name);
    if (server === undefined) this.#servers.set(name, (server = { pool: this.#connect(origin, owner), underWay: 0 }));
    clearTimeout(server.idle);
    server.underWay += 1;
    try {
      return await use(server.pool);
    } finally {
      server.underWay -= 1;
      if (server.underWay === 0) server.idle = setTimeout(() => this.#forget(name), idleMsMax).unref();
    }
  }

  #forget(name: string): void {
    const server = this.#servers.get(name);
    this.#servers.delete(name);
    // Calls that ended before they began are all that it may still have.
    void server?.pool.destroy();
  }
}

const firstBytes = 4096;

/** The body of an answer. What comes byte by byte takes no more memory than what comes at once. */
class Body {
  readonly #limits: Pick<Call, 'answerBytesMax' | 'takeBytes'>;
  #whole = Buffer.alloc(0);
  #length = 0;

  constructor(limits: Pick<Call, 'answerBytesMax' | 'takeBytes'>) {
    this.#limits = limits;
  }

  get bytes(): Buffer {
    return this.#whole.subarray(0, this.#length);
  }

  /** Throws what whoever takes memory throws. */
  add(chunk: Buffer, status: number | undefined): void {
    const { answerBytesMax, takeBytes } = this.#limits;
    const length = this.#length + chunk.length;
    if (length > answerBytesMax) throw new CallFailed('tooLarge', status);
    if (length > this.#whole.length) {
      const room = Math.max(length, 2 * this.#whole.length, firstBytes);
      takeBytes?.(room - this.#whole.length);
      this.#whole = Buffer.concat([this.#whole], room);
    }
    chunk.copy(this.#whole, this.#length);
    this.#length = length;
  }
}

/** Without the streams and signals of undici's `request`, which cost several times what a small answer does. */
function answerOf(server: Dispatcher, { pathname, search }: URL, call: Call): Promise<CallAnswer> {
  const { headers, body: text, timeoutMs, signal } = call;
  return new Promise((resolve, reject) => {
    const body = new Body(call);
    let abort: (() => void) | undefined;
    let isOver = false;
    let status: number | undefined;
    const end = (settle: () => void): void => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      signal?.removeEventListener('abort', breakOff);
      settle();
    };
    const fail = (error: unknown): void =>
      end(() => {
        // Whoever takes memory throws errors.
        reject(error as Error);
        abort?.();
      });
    const breakOff = (): void =>
      fail(status === undefined ? new CallFailed('unreachable') : new CallFailed('brokenOff', status));
    const timer = setTimeout(breakOff, timeoutMs);
    if (signal?.aborted === true) return breakOff();
    signal?.addEventListener('abort', breakOff, { once: true });
    server.dispatch(
      { method: 'POST', path: `${pathname}${search}`, headers, body: text },
      {
        onRequestStart: (controller) => {
          abort = () => controller.abort(new Error('The call is over'));
          if (isOver) abort();
        },
        // What comes before an answer says nothing.
        onResponseStart: (_, code) => {
          if (code >= 200) status = code;
        },
        onResponseData: (_, chunk) => {
          try {
            if (!isOver) body.add(chunk, status);
          } catch (error) {
            fail(error);
          }
        },
        onResponseEnd: () => end(() => resolve({ status: status ?? 0, body: body.bytes })),
        onResponseError: (_, error) => (error instanceof CallFailed ? fail(error) : breakOff()),
      },
    );
  });
}
