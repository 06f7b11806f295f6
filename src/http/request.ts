import type { HttpRequest } from 'uWebSockets.js';
import { apiError } from '../errors/api-error.ts';
import { PlainHttpError } from './plain-http.ts';

export type Method = 'GET' | 'HEAD' | 'POST' | 'DELETE';

/** What is read of a request while its handler runs; afterwards the native request is gone. */
export interface Head {
  readonly method: Method;
  /** As sent: not decoded, not normalized. */
  readonly path: string;
  /** Raw, without the question mark. */
  readonly query: string;
  readonly authorization: string;
  readonly contentType: string;
  readonly acceptEncoding: string;
  readonly ifNoneMatch: string;
  readonly correlationId: string;
  readonly externalUserId: string | undefined;
  /** Bytes of the body, where they are said. */
  readonly contentLength: number;
  /** The client will not use the connection again. */
  readonly isLast: boolean;
}

export interface HeadRules {
  /** Refuse requests with a header Upgrade. */
  readonly blocksUpgrade: boolean;
  /** Give preflights of browsers back, and do not refuse their method. */
  readonly takesPreflights: boolean;
  /** Refuse requests that a proxy did not receive over TLS. */
  readonly requiresForwardedTls: boolean;
  /** Paths that are served all the same. */
  readonly plainPaths: ReadonlySet<string>;
}

/** Bytes of the request line and the headers (specification 1.2, section 8). */
const headBytesMax = 15 * 1024;
/** UTF-8 takes at most three bytes for each unit of a string. */
const unitBytesMax = 3;
/** Two spaces, the version, its line end, and the empty line at the end. */
const lineBytes = '  HTTP/1.1\r\n\r\n'.length;
const headerSeparatorBytes = ': \r\n'.length;

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE']);

const externalUserIdLengthMax = 128;

/**
 * Reads heads, and refuses what specification 1.2 blocks and what a proxy could understand in another way. A head is
 * read within one call of the native server, so one reader serves all requests and nothing is made for each.
 */
export class HeadReader {
  readonly #rules: HeadRules;
  #authorization = '';
  #contentType = '';
  #acceptEncoding = '';
  #ifNoneMatch = '';
  #externalUserId: string | undefined;
  #isLast = false;
  #contentLength: string | undefined;
  #transferEncoding: string | undefined;
  #hosts = 0;
  #forwardedProto = '';
  #origin = '';
  #asksForMethod = false;
  /** Units of the names and values, with their separators. */
  #length = 0;
  #fault: string | undefined;

  constructor(rules: HeadRules) {
    this.#rules = rules;
  }

  /** Of the request that was read last, refused or not: of the page in whose name a browser sent it, or empty. */
  get origin(): string {
    return this.#origin;
  }

  /** The connection is closed after a refusal, for where the next request begins is then a matter of opinion. */
  read(req: HttpRequest, correlationId: string): Head | 'preflight' {
    this.#authorization = '';
    this.#contentType = '';
    this.#acceptEncoding = '';
    this.#ifNoneMatch = '';
    this.#externalUserId = undefined;
    this.#isLast = false;
    this.#contentLength = undefined;
    this.#transferEncoding = undefined;
    this.#hosts = 0;
    this.#forwardedProto = '';
    this.#origin = '';
    this.#asksForMethod = false;
    this.#length = 0;
    this.#fault = undefined;
    req.forEach(this.#visit);
    const method = req.getCaseSensitiveMethod();
    const path = req.getUrl();
    if (this.#rules.requiresForwardedTls && this.#forwardedProto !== 'https' && !this.#rules.plainPaths.has(path))
      throw new PlainHttpError('The request has come over plain HTTP.');
    const query = req.getQuery() ?? '';
    const length = this.#length + method.length + path.length + query.length + lineBytes;
    if (length * unitBytesMax > headBytesMax) requireShortHead(req);
    const isPreflight =
      this.#rules.takesPreflights && method === 'OPTIONS' && this.#asksForMethod && this.#origin !== '';
    if (!isPreflight) requireMethod(method);
    this.#requireUnambiguous(method);
    if (isPreflight) return 'preflight';
    return {
      // What is not a method has been refused.
      method: method as Method,
      path,
      query,
      authorization: this.#authorization,
      contentType: this.#contentType,
      acceptEncoding: this.#acceptEncoding,
      ifNoneMatch: this.#ifNoneMatch,
      correlationId,
      externalUserId: this.#externalUserId,
      contentLength: this.#saidLength(),
      isLast: this.#isLast,
    };
  }

  #saidLength(): number {
    return Number(this.#contentLength ?? 0);
  }

  /** A callback of the native server must not throw, so faults are kept. */
  readonly #visit = (name: string, value: string): void => {
    this.#length += name.length + value.length + headerSeparatorBytes;
    switch (name) {
      case 'authorization':
        this.#authorization = value;
        break;
      case 'content-type':
        this.#contentType = value;
        break;
      case 'accept-encoding':
        this.#acceptEncoding = value;
        break;
      case 'if-none-match':
        this.#ifNoneMatch = value;
        break;
      case 'x-external-user-id':
        this.#externalUserId = value;
        break;
      case 'connection':
        if (value !== 'keep-alive' && CLOSE_OPTION.test(value)) this.#isLast = true;
        break;
      case 'content-length':
        if (this.#contentLength !== undefined || value === '')
          this.#fault = 'The header Content-Length is empty or was sent twice.';
        this.#contentLength = value;
        break;
      case 'transfer-encoding':
        if (this.#transferEncoding !== undefined || value.toLowerCase() !== 'chunked')
          this.#fault = 'The header Transfer-Encoding must be chunked and be sent once.';
        this.#transferEncoding = value;
        break;
      case 'host':
        this.#hosts += 1;
        if (this.#hosts > 1 || value === '') this.#fault = 'The header Host is empty or was sent twice.';
        break;
      case 'origin':
        this.#origin = value;
        break;
      case 'access-control-request-method':
        this.#asksForMethod = true;
        break;
      case 'x-forwarded-proto':
        // A client can send one too, which a proxy that adds its own leaves in place; so only a single one counts.
        this.#forwardedProto = this.#forwardedProto === '' ? value : 'several';
        break;
      case 'upgrade':
        if (this.#rules.blocksUpgrade) this.#fault = 'The header Upgrade is not supported.';
        break;
    }
  };

  #requireUnambiguous(method: string): void {
    if (this.#fault !== undefined) throw apiError('InvalidInput', this.#fault);
    // The native server asks for a host, but a header without a name hides those that follow it.
    if (this.#hosts === 0) throw apiError('InvalidInput', 'The header Host is missing.');
    const hasLength = this.#contentLength !== undefined && this.#contentLength !== '0';
    if (method !== 'POST' && (hasLength || this.#transferEncoding !== undefined))
      throw apiError('InvalidInput', `A ${method} request has no body.`);
    if (this.#externalUserId !== undefined && this.#externalUserId.length > externalUserIdLengthMax) {
      throw apiError(
        'InvalidInput',
        `The header X-External-User-ID has more than ${externalUserIdLengthMax} characters.`,
      );
    }
  }
}

function requireMethod(method: string): void {
  if (methods.has(method)) return;
  throw apiError('MethodNotAllowed', `The method '${method.slice(0, 32)}' is not supported.`, {
    allowedMethods: [...methods],
  });
}

/** `close` among the options of a header Connection. */
const CLOSE_OPTION = /(?:^|,)[ \t]*close[ \t]*(?:,|$)/i;

/**
 * Counts the bytes of a head as they are sent with one space after each colon, which is what clients send. Other white
 * space, and bytes above 127 at the ends of a value, the native server takes away first; its own limit bounds them.
 */
function requireShortHead(req: HttpRequest): void {
  const query = req.getQuery();
  let bytes = lineBytes + Buffer.byteLength(req.getCaseSensitiveMethod()) + Buffer.byteLength(req.getUrl());
  if (query !== undefined) bytes += 1 + Buffer.byteLength(query);
  req.forEach((name, value) => {
    bytes += name.length + Buffer.byteLength(value) + headerSeparatorBytes;
  });
  if (bytes <= headBytesMax) return;
  throw apiError(
    'RequestHeaderFieldsTooLarge',
    `The URL and the headers have ${bytes} bytes together, but at most ${headBytesMax} are allowed.`,
  );
}
