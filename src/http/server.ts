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
/** Requests that may wait for an answer at a time; further ones get 503 at once. */
const pendingMax = 10_000;
/** A request without an answer by then gets 503. */
const deadlineMs = 30_000;
const sweepMs = 1000;
/** How long a closing server waits for its pending requests. */
const drainMsMax = 10_000;

interface Pending {
  readonly res: HttpResponse;
  readonly startedAtMs: number;
  correlationId: string;
  isHead: boolean;
  /** Method and path, for the log. */
  target: string;
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

export async function serve(options: ServeOptions): Promise<HttpServer> {
  const { host, port, handler, log, clientError = (error: unknown) => error } = options;
  _cfg('silent');
  const app = App();
  const pending = new Set<Pending>();
  const logsRequests = log.isLevelEnabled('debug');
  let isDraining = false;

  app.any('/*', (res, req) => {
    const entry: Pending = {
      res,
      startedAtMs: performance.now(),
      correlationId: '',
      isHead: false,
      target: '',
      isLast: isDraining,
      isDone: false,
    };
    res.onAborted(() => {
      entry.isDone = true;
      pending.delete(entry);
    });
    try {
      pending.add(entry);
      begin(entry, req, handler);
    } catch (error) {
      entry.isLast = true;
      fail(entry, error);
    }
  });

  function begin(entry: Pending, req: HttpRequest, handle: Handler): void {
    entry.correlationId = correlationIdOf(req);
    entry.isHead = req.getCaseSensitiveMethod() === 'HEAD';
    if (pending.size > pendingMax)
      throw apiError('OverCapacity', 'The server has too many requests at a time. Try again later.');
    const head = readHead(req, entry.correlationId);
    entry.isLast ||= head.isLast;
    if (logsRequests) entry.target = `${head.method} ${head.path}`;
    if (head.method !== 'POST') run(entry, { head, body: noBody }, handle);
    else readBody(entry, (body) => run(entry, { head, body }, handle));
  }

  function readBody(entry: Pending, done: (body: Buffer) => void): void {
    const chunks: Buffer[] = [];
    let length = 0;
    entry.res.onData((chunk, isLast) => {
      if (entry.isDone) return;
      length += chunk.byteLength;
      if (length > bodyBytesMax) {
        entry.isLast = true;
        fail(entry, apiError('ContentTooLarge', `The request body has more than ${bodyBytesMax} bytes.`));
        return;
      }
      // The native buffer is gone when this callback returns.
      if (chunk.byteLength > 0) chunks.push(Buffer.from(new Uint8Array(chunk.slice(0))));
      if (isLast) done(chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks));
    });
  }

  function run(entry: Pending, exchange: Exchange, handle: Handler): void {
    try {
      const answer = handle(exchange);
      if (answer instanceof Promise) {
        answer.then(
          (response) => send(entry, response),
          (error: unknown) => fail(entry, error),
        );
      } else send(entry, answer);
    } catch (error) {
      fail(entry, error);
    }
  }

  function fail(entry: Pending, thrown: unknown): void {
    const error = clientError(thrown);
    if (!(error instanceof ApiError) || error.status >= 500) {
      log.error({ correlationId: entry.correlationId, err: error }, 'request failed');
    }
    send(entry, errorResponse(error));
  }

  function send(entry: Pending, response: Response): void {
    if (entry.isDone) return;
    entry.isDone = true;
    pending.delete(entry);
    const { res, correlationId, target, startedAtMs } = entry;
    if (logsRequests) {
      const durationMs = performance.now() - startedAtMs;
      log.debug({ correlationId, target, status: response.status, durationMs }, 'request answered');
    }
    res.cork(() => write(res, entry, response));
  }

  const sweep = setInterval(() => {
    const oldestMs = performance.now() - deadlineMs;
    for (const entry of pending) {
      if (entry.startedAtMs > oldestMs) break;
      fail(entry, apiError('OverCapacity', 'The request took too long. Try again later.'));
    }
  }, sweepMs);
  sweep.unref();

  const socket = await listen(app, host, port);
  return {
    port: us_socket_local_port(socket),
    close: async () => {
      isDraining = true;
      us_listen_socket_close(socket);
      for (const entry of pending) entry.isLast = true;
      const giveUpAtMs = performance.now() + drainMsMax;
      while (pending.size > 0 && performance.now() < giveUpAtMs)
        await new Promise((resolve) => setTimeout(resolve, 10));
      clearInterval(sweep);
      app.close();
    },
  };
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
