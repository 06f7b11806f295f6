/**
 * HTTP over uWebSockets.js. Every request goes through one wrapper, for a handler that throws inside the native
 * server, or returns without an abort handler, ends the process. No resource, scope or SQL is known here.
 */
import './native-limits.ts';
import { setImmediate as nextPass, setTimeout as delay } from 'node:timers/promises';
import {
  App,
  SSLApp,
  type HttpRequest,
  type HttpResponse,
  type TemplatedApp,
  type us_listen_socket,
  us_listen_socket_close,
  us_socket_local_port,
  _cfg,
} from 'uWebSockets.js';
import { ApiError, apiError } from '../errors/api-error.ts';
import { type AnswerLimits, Answers, type Outgoing } from './answers.ts';
import { correlationIdOf } from './correlation-id.ts';
import { Cors, type CorsOrigins, type Headers, preflightResponse } from './cors.ts';
import { Lifetime } from './lifetime.ts';
import { errorResponse, lastResort } from './error-body.ts';
import { Intake } from './intake.ts';
import { PlainHttpError, plainHttpResponse, refusePlainHttp } from './plain-http.ts';
import { yieldToNewest } from './port-group.ts';
import { type Head, HeadReader } from './request.ts';
import {
  BodyBudget,
  type BodyContext,
  type BodyLimits,
  type IncomingBody,
  noBody,
  RequestBody,
  tooLarge,
} from './request-body.ts';
import type { Response } from './response.ts';

declare module 'uWebSockets.js' {
  /** Exported, but missing in the package's types: with 'silent', answers do not name the server. */
  export function _cfg(option: 'silent'): void;
}

export interface Exchange {
  readonly head: Head;
  readonly body: IncomingBody;
  readonly lifetime: Lifetime;
}

export type Handler = (exchange: Exchange) => Promise<Response> | Response;

export interface Log {
  error(details: object, message: string): void;
  debug(details: object, message: string): void;
  isLevelEnabled(level: 'debug'): boolean;
}

export interface HttpServer {
  readonly port: number;
  /** Of the listener that refuses plain HTTP. */
  readonly plainPort: number | undefined;
  /** Stops accepting, answers what is pending, then closes; what is not answered or not taken in time is cut off. */
  close(options?: CloseOptions): Promise<void>;
}

export interface CloseOptions {
  /**
   * How long connections are still accepted; every answer ends its one. Afterwards clients with open connections have
   * the time to send another request, or to meet the end of an idle connection as they would at any time.
   */
  readonly lingerMs?: number;
  /** Servers on the port, in whatever processes, once the successor of this one is among them. By default none is expected. */
  readonly groupSize?: number;
}

/** What a process of the platform bears. */
export interface Limits extends AnswerLimits, BodyLimits {
  /** Requests that may wait for an answer at a time; further ones get 503 at once. */
  readonly pendingMax: number;
  /** A request without an answer by then gets 503. */
  readonly deadlineMs: number;
  /** How often it is looked for what is late. */
  readonly sweepMs: number;
}

const defaultLimits: Limits = {
  bodyBytesMax: 16 * 1024 * 1024,
  bodyBytesInFlightMax: 256 * 1024 * 1024,
  bodyBytesDroppedMax: 64 * 1024 * 1024,
  // Before the native server closes a connection that is silent for 10 s.
  dropPauseMsMax: 3000,
  dropMsMax: 10_000,
  pendingMax: 10_000,
  deadlineMs: 30_000,
  answerBytesInFlightMax: 64 * 1024 * 1024,
  answerMsMax: 60_000,
  sweepMs: 1000,
};
/** Of large bodies that are read, and of those that are read for nothing. */
const bodyBytesPerSecond = 32 * 1024 * 1024;
const droppedBytesPerSecond = 32 * 1024 * 1024;
/** How long a closing server waits for its pending requests. */
const drainMsMax = 10_000;
const drainPollMs = 10;
/** Passes of the event loop without a connection after which the listener is closed, and how long they may take to come. */
const quietPassesMin = 2;
const quietMsMax = 1000;
/** What clients at a distance need to finish opening a connection. */
const handshakeMs = 250;

interface Pending extends Outgoing {
  correlationId: string;
  isHead: boolean;
  /** Method and path, for the log. */
  target: string;
  /** Of methods that have one. */
  requestBody: RequestBody | undefined;
  corsHeaders: Headers;
  isLast: boolean;
  readonly lifetime: Lifetime;
  /** What is answered is known, and is sent when the body has been dropped. */
  isSettled: boolean;
  isDone: boolean;
}

export interface TlsFiles {
  readonly certFile: string;
  readonly keyFile: string;
}

export interface ServeOptions {
  readonly host: string;
  readonly port: number;
  readonly handler: Handler;
  /** What clients hear of an error; by default itself. */
  readonly clientError?: (error: unknown) => unknown;
  readonly log: Log;
  /** PEM files; with them, the port speaks TLS 1.2 and 1.3 only. */
  readonly tls?: TlsFiles | undefined;
  /** A port that answers every request with 404 and HTML. */
  readonly plainPort?: number | undefined;
  /** Serve only what a proxy says to have received over TLS, and the plain paths; the rest gets 404 and HTML. */
  readonly requiresForwardedTls?: boolean;
  /** Paths that are served over plain HTTP in any case. */
  readonly plainPaths?: ReadonlySet<string>;
  /** Refuse requests with a header Upgrade (specification 1.2); by default true. */
  readonly blocksUpgrade?: boolean;
  /** Pages whose browsers may read answers; by default none. */
  readonly corsOrigins?: CorsOrigins;
  /** By default `defaultLimits`. */
  readonly limits?: Partial<Limits>;
}

/** Serves until it is closed; resolves when the port is open. */
export async function serve(options: ServeOptions): Promise<HttpServer> {
  _cfg('silent');
  const server = new Server(options);
  await server.open(options);
  return server;
}

class Server implements HttpServer {
  readonly #app: TemplatedApp;
  readonly #plainApp = App();
  readonly #handler: Handler;
  readonly #clientError: (error: unknown) => unknown;
  readonly #log: Log;
  readonly #logsRequests: boolean;
  readonly #limits: Limits;
  readonly #headReader: HeadReader;
  readonly #answers: Answers;
  /** In the order of their arrival. */
  readonly #pending = new Set<Pending>();
  /** Those of which the rest of the body is read before they are answered. */
  readonly #dropping = new Set<Pending>();
  readonly #bodies: BodyContext;
  readonly #cors: Cors;
  readonly #sweep: NodeJS.Timeout;
  #connections = 0;
  #connectionChanges = 0;
  /** Connections that are kept open are told to close with their next answer. */
  #isDraining = false;
  #socket: us_listen_socket | undefined;
  #plainSocket: us_listen_socket | undefined;

  constructor(options: ServeOptions) {
    const { handler, clientError = (error) => error, log, tls } = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#app = tls === undefined ? App() : SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile });
    this.#bodies = {
      limits: this.#limits,
      budget: new BodyBudget(),
      intake: new Intake(bodyBytesPerSecond),
      dropIntake: new Intake(droppedBytesPerSecond),
    };
    this.#answers = new Answers(this.#limits);
    this.#cors = new Cors(options.corsOrigins ?? []);
    this.#headReader = new HeadReader({
      blocksUpgrade: options.blocksUpgrade ?? true,
      takesPreflights: this.#cors.isOn,
      requiresForwardedTls: options.requiresForwardedTls ?? false,
      plainPaths: options.plainPaths ?? new Set(),
    });
    this.#handler = handler;
    this.#clientError = clientError;
    this.#log = log;
    this.#logsRequests = log.isLevelEnabled('debug');
    this.#sweep = setInterval(() => this.#endLate(), this.#limits.sweepMs);
    this.#sweep.unref();
    this.#app.filter((_, change) => {
      this.#connections += change;
      this.#connectionChanges += 1;
    });
    this.#app.any('/*', (res, req) => this.#accept(res, req));
    this.#plainApp.any('/*', refusePlainHttp);
  }

  async open({ host, port, plainPort }: ServeOptions): Promise<void> {
    this.#socket = await listen(this.#app, host, port);
    if (plainPort !== undefined) this.#plainSocket = await listen(this.#plainApp, host, plainPort);
  }

  get port(): number {
    return us_socket_local_port(this.#openSocket);
  }

  get plainPort(): number | undefined {
    return this.#plainSocket === undefined ? undefined : us_socket_local_port(this.#plainSocket);
  }

  async close({ lingerMs = 0, groupSize = 0 }: CloseOptions = {}): Promise<void> {
    this.#isDraining = true;
    for (const entry of this.#pending) entry.isLast = true;
    if (lingerMs > 0) {
      await delay(lingerMs);
      await this.#yieldConnections(groupSize);
    }
    await this.#closeListeners();
    const giveUpAtMs = performance.now() + drainMsMax;
    const isBusy = (): boolean =>
      this.#pending.size + this.#answers.count > 0 || (lingerMs > 0 && this.#connections > 0);
    while (isBusy() && performance.now() < giveUpAtMs) await delay(drainPollMs);
    clearInterval(this.#sweep);
    this.#bodies.intake.close();
    this.#bodies.dropIntake.close();
    this.#app.close();
    this.#plainApp.close();
  }

  /** From here on, new connections come to the successor, if there is one. */
  async #yieldConnections(groupSize: number): Promise<void> {
    try {
      const ports = [this.port, ...(this.plainPort === undefined ? [] : [this.plainPort])];
      const yields = await Promise.all(ports.map((port) => yieldToNewest(port, groupSize)));
      if (yields.includes(true)) await delay(handshakeMs);
    } catch (error) {
      this.#log.debug({ err: error }, 'new connections could not be led past a listener that is about to be closed');
    }
  }

  /**
   * The system resets connections that wait for a listener when it is closed. So it is closed right after passes of the
   * event loop that found none: without another process that takes them, the time in which one could come is that of a
   * system call.
   */
  async #closeListeners(): Promise<void> {
    const giveUpAtMs = performance.now() + quietMsMax;
    let quietPasses = 0;
    while (quietPasses < quietPassesMin && performance.now() < giveUpAtMs) {
      const before = this.#connectionChanges;
      await nextPass();
      quietPasses = this.#connectionChanges === before ? quietPasses + 1 : 0;
    }
    us_listen_socket_close(this.#openSocket);
    if (this.#plainSocket !== undefined) us_listen_socket_close(this.#plainSocket);
  }

  get #openSocket(): us_listen_socket {
    if (this.#socket === undefined) throw new Error('The server is not open');
    return this.#socket;
  }

  /** The wrapper of every request: nothing that is thrown below gets back into the native server. */
  #accept(res: HttpResponse, req: HttpRequest): void {
    const entry: Pending = {
      res,
      correlationId: '',
      isHead: false,
      target: '',
      requestBody: undefined,
      corsHeaders: [],
      isLast: false,
      lifetime: new Lifetime(),
      isSettled: false,
      isDone: false,
      body: undefined,
      answeredAtMs: 0,
    };
    res.onAborted(() => {
      this.#finish(entry);
      this.#answers.drop(entry);
    });
    this.#pending.add(entry);
    try {
      this.#begin(entry, req);
    } catch (error) {
      entry.isLast = true;
      // Not at once: the native server would go on with the bytes that follow, and answer what a refused request has
      // smuggled in. While an answer is pending it closes the connection instead.
      setImmediate(() => this.#fail(entry, error));
    }
  }

  #begin(entry: Pending, req: HttpRequest): void {
    entry.correlationId = correlationIdOf(req);
    entry.isHead = req.getCaseSensitiveMethod() === 'HEAD';
    const head = this.#readHead(entry, req);
    if (this.#pending.size > this.#limits.pendingMax)
      throw apiError('OverCapacity', 'The server has too many requests at a time. Try again later.');
    if (head === 'preflight') {
      this.#send(entry, preflightResponse);
      return;
    }
    entry.isLast = head.isLast || this.#isDraining;
    if (this.#logsRequests) entry.target = `${head.method} ${head.path.replace(TOKEN_IN_PATH, '$1…')}`;
    if (head.method === 'POST') this.#takeBody(entry, head);
    this.#run(entry, { head, body: entry.requestBody ?? noBody, lifetime: entry.lifetime });
  }

  #readHead(entry: Pending, req: HttpRequest): Head | 'preflight' {
    try {
      return this.#headReader.read(req, entry.correlationId);
    } finally {
      // Pages are to read why they were refused, too.
      entry.corsHeaders = this.#cors.headersFor(this.#headReader.origin);
    }
  }

  #takeBody(entry: Pending, { contentLength }: Head): void {
    const { bodyBytesMax, bodyBytesDroppedMax } = this.#limits;
    // What is never read to its end is not begun.
    if (contentLength <= bodyBytesDroppedMax)
      entry.requestBody = new RequestBody(entry.res, contentLength, this.#bodies);
    if (contentLength > bodyBytesMax) throw tooLarge(bodyBytesMax);
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

  /** Never throws: whatever fails while a failure is told, the request is answered. */
  #fail(entry: Pending, thrown: unknown): void {
    // What is done for a request that has ended fails because of that.
    if (entry.isDone || entry.isSettled) return;
    let response = lastResort;
    try {
      response = this.#failureResponse(entry, thrown);
    } catch (error) {
      this.#logFault(entry, error, 'the answer to a failed request could not be made');
    }
    this.#send(entry, response);
  }

  #failureResponse(entry: Pending, thrown: unknown): Response {
    if (thrown instanceof PlainHttpError) return plainHttpResponse;
    const error = this.#clientError(thrown);
    if (!(error instanceof ApiError) || error.isFault) this.#logFault(entry, error, 'request failed');
    return errorResponse(error);
  }

  #logFault({ correlationId }: Pending, error: unknown, message: string): void {
    try {
      this.#log.error({ correlationId, err: error }, message);
    } catch {
      // An error that cannot be written down is still answered.
    }
  }

  /** Sends the answer when the client listens. Never throws, for nobody would hear of it. */
  #send(entry: Pending, response: Response): void {
    if (entry.isDone || entry.isSettled) return;
    entry.isSettled = true;
    const { requestBody } = entry;
    if (requestBody === undefined || requestBody.isWhole) {
      this.#deliver(entry, response);
      return;
    }
    this.#dropping.add(entry);
    requestBody.drop((isWhole) => {
      this.#dropping.delete(entry);
      if (!isWhole) entry.isLast = true;
      this.#deliver(entry, response);
    });
  }

  #deliver(entry: Pending, response: Response): void {
    try {
      const sent = this.#answers.withRoom(response) ?? this.#failureResponse(entry, tooManyAnswers());
      this.#finish(entry);
      this.#logAnswer(entry, sent);
      entry.res.cork(() => this.#answers.send(entry, sent));
    } catch (error) {
      this.#logFault(entry, error, 'an answer could not be sent');
      this.#finish(entry);
      this.#answers.close(entry);
    }
  }

  #logAnswer({ correlationId, target, lifetime }: Pending, { status }: Response): void {
    if (!this.#logsRequests) return;
    const durationMs = performance.now() - lifetime.startedAtMs;
    this.#log.debug({ correlationId, target, status, durationMs }, 'request answered');
  }

  #finish(entry: Pending): void {
    entry.isDone = true;
    entry.lifetime.end();
    entry.requestBody?.release();
    this.#pending.delete(entry);
    this.#dropping.delete(entry);
  }

  #endLate(): void {
    const nowMs = performance.now();
    const oldestMs = nowMs - this.#limits.deadlineMs;
    for (const { requestBody } of this.#dropping) requestBody?.endLateDrop(nowMs);
    for (const { requestBody } of this.#pending) requestBody?.stayOpen();
    for (const entry of this.#pending) {
      if (entry.lifetime.startedAtMs > oldestMs) break;
      this.#fail(entry, apiError('OverCapacity', 'The request took too long. Try again later.'));
    }
    for (const { correlationId } of this.#answers.closeLate())
      this.#log.debug({ correlationId }, 'answer cut off: the client took it too slowly');
  }
}

/** The tokens of customers are parts of paths; no log holds them. */
const TOKEN_IN_PATH = /(-token(?:=|%3D))[^/]+/gi;

function tooManyAnswers(): ApiError {
  return apiError('OverCapacity', 'The server is sending too many large answers. Try again later.');
}

function listen(app: TemplatedApp, host: string, port: number): Promise<us_listen_socket> {
  return new Promise((resolve, reject) => {
    app.listen(host, port, (socket: us_listen_socket | false) => {
      if (socket) resolve(socket);
      else reject(new Error(`The port ${port} of ${host} cannot be listened on.`));
    });
  });
}
