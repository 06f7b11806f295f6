/**
 * HTTP over uWebSockets.js. Every request goes through one wrapper, for a handler that throws inside the native
 * server, or returns without an abort handler, ends the process. No resource, scope or SQL is known here.
 */
import {
  App,
  type HttpRequest,
  type HttpResponse,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
  _cfg,
} from 'uWebSockets.js';
import { ApiError, apiError } from '../errors/api-error.ts';
import { errorResponse } from './error-body.ts';
import { correlationIdOf, readHead, type Head } from './request.ts';
import { statusLine, type Response } from './response.ts';

declare module 'uWebSockets.js' {
  /** Exported, but missing in the package's types: with 'silent', answers do not name the server. */
  export function _cfg(option: 'silent'): void;
}

export interface Exchange {
  readonly head: Head;
  /** The whole body; empty for methods without one. */
  readonly body: Buffer;
}

export type Handler = (exchange: Exchange) => Promise<Response> | Response;

export interface Log {
  error(details: object, message: string): void;
  debug(details: object, message: string): void;
  isLevelEnabled(level: 'debug'): boolean;
}

export interface HttpServer {
  readonly port: number;
  /** Stops accepting, answers what is pending, then closes. */
  close(): Promise<void>;
}

/** Bytes of a request body: a resource's limit and its wrapping (specification section 8). */
const bodyBytesMax = 16 * 1024 * 1024;
/** Bytes of all request bodies whose requests are not answered; further ones get 503. */
const bodyBytesInFlightMax = 256 * 1024 * 1024;
/** Requests that may wait for an answer at a time; further ones get 503 at once. */
const pendingMax = 10_000;
/** A request without an answer by then gets 503. */
const deadlineMs = 30_000;
const sweepMs = 1000;
/** How long a closing server waits for its pending requests. */
const drainMsMax = 10_000;
const drainPollMs = 10;

interface Pending {
  readonly res: HttpResponse;
  readonly startedAtMs: number;
  correlationId: string;
  isHead: boolean;
  /** Method and path, for the log. */
  target: string;
  bodyBytes: number;
  isLast: boolean;
  isDone: boolean;
}

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: Handler;
  /** What clients hear of an error; by default itself. */
  readonly clientError?: (error: unknown) => unknown;
  readonly log: Log;
}

/** Serves until it is closed; resolves when the port is open. */
export async function serve(options: ServeOptions): Promise<HttpServer> {
  _cfg('silent');
  const server = new Server(options);
  await server.open(options);
  return server;
}

class Server implements HttpServer {
  readonly #app = App();
  readonly #handler: Handler;
  readonly #clientError: (error: unknown) => unknown;
  readonly #log: Log;
  readonly #logsRequests: boolean;
  /** In the order of their arrival. */
  readonly #pending = new Set<Pending>();
  readonly #sweep: NodeJS.Timeout;
  #bodyBytes = 0;
  /** Connections that are kept open are told to close with their next answer. */
  #isDraining = false;
  #socket: us_listen_socket | undefined;

  constructor({ handler, clientError = (error) => error, log }: ServeOptions) {
    this.#handler = handler;
    this.#clientError = clientError;
    this.#log = log;
    this.#logsRequests = log.isLevelEnabled('debug');
    this.#sweep = setInterval(() => this.#endLate(), sweepMs);
    this.#sweep.unref();
    this.#app.any('/*', (res, req) => this.#accept(res, req));
  }

  async open({ host, port }: ServeOptions): Promise<void> {
    this.#socket = await listen(this.#app, host, port);
  }

  get port(): number {
    return us_socket_local_port(this.#openSocket);
  }

  async close(): Promise<void> {
    us_listen_socket_close(this.#openSocket);
    this.#isDraining = true;
    for (const entry of this.#pending) entry.isLast = true;
    const giveUpAtMs = performance.now() + drainMsMax;
    while (this.#pending.size > 0 && performance.now() < giveUpAtMs) {
      await new Promise((resolve) => setTimeout(resolve, drainPollMs));
    }
    clearInterval(this.#sweep);
    this.#app.close();
  }

  get #openSocket(): us_listen_socket {
    if (this.#socket === undefined) throw new Error('The server is not open');
    return this.#socket;
  }

  /** The wrapper of every request: nothing that is thrown below gets back into the native server. */
  #accept(res: HttpResponse, req: HttpRequest): void {
    const entry: Pending = {
      res,
      startedAtMs: performance.now(),
      correlationId: '',
      isHead: false,
      target: '',
      bodyBytes: 0,
      isLast: false,
      isDone: false,
    };
    res.onAborted(() => this.#finish(entry));
    this.#pending.add(entry);
    try {
      this.#begin(entry, req);
    } catch (error) {
      entry.isLast = true;
      this.#fail(entry, error);
    }
  }

  #begin(entry: Pending, req: HttpRequest): void {
    entry.correlationId = correlationIdOf(req);
    entry.isHead = req.getCaseSensitiveMethod() === 'HEAD';
    if (this.#pending.size > pendingMax)
      throw apiError('OverCapacity', 'The server has too many requests at a time. Try again later.');
    const head = readHead(req, entry.correlationId);
    entry.isLast = head.isLast || this.#isDraining;
    if (this.#logsRequests) entry.target = `${head.method} ${head.path}`;
    if (head.method !== 'POST') this.#run(entry, { head, body: noBody });
    else this.#readBody(entry, (body) => this.#run(entry, { head, body }));
  }

  #readBody(entry: Pending, done: (body: Buffer) => void): void {
    const chunks: Buffer[] = [];
    entry.res.onData((chunk, isLast) => {
      if (entry.isDone) return;
      entry.bodyBytes += chunk.byteLength;
      this.#bodyBytes += chunk.byteLength;
      const refusal = this.#bodyRefusal(entry);
      if (refusal !== undefined) {
        entry.isLast = true;
        this.#fail(entry, refusal);
        return;
      }
      // The native buffer is gone when this callback returns.
      if (chunk.byteLength > 0) chunks.push(Buffer.from(new Uint8Array(chunk.slice(0))));
      if (isLast) done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
  }

  #bodyRefusal({ bodyBytes }: Pending): ApiError | undefined {
    if (bodyBytes > bodyBytesMax)
      return apiError('ContentTooLarge', `The request body has more than ${bodyBytesMax} bytes.`);
    if (this.#bodyBytes <= bodyBytesInFlightMax) return undefined;
    return apiError('OverCapacity', 'The server has too many large requests at a time. Try again later.');
  }

  #run(entry: Pending, exchange: Exchange): void {
    try {
      const answer = this.#handler(exchange);
      if (answer instanceof Promise) {
        answer.then(
          (response) => this.#send(entry, response),
          (error: unknown) => this.#fail(entry, error),
        );
      } else this.#send(entry, answer);
    } catch (error) {
      this.#fail(entry, error);
    }
  }

  #fail(entry: Pending, thrown: unknown): void {
    const error = this.#clientError(thrown);
    if (!(error instanceof ApiError) || error.status >= 500) {
      this.#log.error({ correlationId: entry.correlationId, err: error }, 'request failed');
    }
    this.#send(entry, errorResponse(error));
  }

  #send(entry: Pending, response: Response): void {
    if (entry.isDone) return;
    this.#finish(entry);
    const { res, correlationId, target, startedAtMs } = entry;
    if (this.#logsRequests) {
      const durationMs = performance.now() - startedAtMs;
      this.#log.debug({ correlationId, target, status: response.status, durationMs }, 'request answered');
    }
    res.cork(() => write(res, entry, response));
  }

  #finish(entry: Pending): void {
    entry.isDone = true;
    this.#bodyBytes -= entry.bodyBytes;
    entry.bodyBytes = 0;
    this.#pending.delete(entry);
  }

  #endLate(): void {
    const oldestMs = performance.now() - deadlineMs;
    for (const entry of this.#pending) {
      if (entry.startedAtMs > oldestMs) break;
      this.#fail(entry, apiError('OverCapacity', 'The request took too long. Try again later.'));
    }
  }
}

const noBody = Buffer.alloc(0);

function write(res: HttpResponse, entry: Pending, { status, body, headers }: Response): void {
  res.writeStatus(statusLine(status));
  res.writeHeader('X-Correlation-ID', entry.correlationId);
  let hasContentType = false;
  if (headers !== undefined) {
    for (const [name, value] of headers) {
      res.writeHeader(name, value);
      if (name === 'Content-Type') hasContentType = true;
    }
  }
  if (!hasContentType) res.writeHeader('Content-Type', 'application/json; charset=utf-8');
  // The native server closes the connection without a word; clients that keep connections need to be told.
  if (entry.isLast) res.writeHeader('Connection', 'close');
  if (entry.isHead)
    res.endWithoutBody(typeof body === 'string' ? Buffer.byteLength(body) : body.byteLength, entry.isLast);
  else res.end(body, entry.isLast);
}

function listen(app: ReturnType<typeof App>, host: string, port: number): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    app.listen(host, port, (socket: us_listen_socket | false) => {
      if (socket) resolve(socket);
      else reject(new Error(`The port ${port} of ${host} cannot be listened on.`));
    });
  });
}
