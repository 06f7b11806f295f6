import { randomUUID } from 'node:crypto';
import type { HttpRequest } from 'uWebSockets.js';
import { apiError } from '../errors/api-error.ts';

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
  readonly correlationId: string;
  readonly externalUserId: string | undefined;
  /** The client will not use the connection again. */
  readonly isLast: boolean;
}

const methods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'POST', 'DELETE']);

const CORRELATION_ID = /^[A-Za-z0-9_-]{8,256}$/;
const externalUserIdLengthMax = 128;

/** A valid X-Correlation-ID of the request, or a new one. An invalid value counts as absent (decisions.md #6). */
export function correlationIdOf(req: HttpRequest): string {
  const given = req.getHeader('x-correlation-id');
  return given !== '' && CORRELATION_ID.test(given) ? given : randomUUID();
}

/** Reads the head and refuses what specification 1.2 blocks. The connection is closed after a refusal. */
export function readHead(req: HttpRequest, correlationId: string): Head {
  const method = req.getCaseSensitiveMethod();
  if (!methods.has(method)) throw apiError('MethodNotAllowed', `The method '${method.slice(0, 32)}' is not supported.`);
  let authorization = '';
  let contentType = '';
  let externalUserId: string | undefined;
  let isLast = false;
  let contentLength: string | undefined;
  let transferEncoding: string | undefined;
  let hosts = 0;
  // A callback of the native server must not throw.
  let fault: string | undefined;
  req.forEach((name, value) => {
    switch (name) {
      case 'authorization':
        authorization = value;
        break;
      case 'content-type':
        contentType = value;
        break;
      case 'x-external-user-id':
        externalUserId = value;
        break;
      case 'connection':
        isLast = value.toLowerCase() === 'close';
        break;
      case 'content-length':
        if (contentLength !== undefined || value === '')
          fault = 'The header Content-Length is empty or was sent twice.';
        contentLength = value;
        break;
      case 'transfer-encoding':
        if (transferEncoding !== undefined || value.toLowerCase() !== 'chunked')
          fault = 'The header Transfer-Encoding must be chunked and be sent once.';
        transferEncoding = value;
        break;
      case 'host':
        hosts += 1;
        if (hosts > 1 || value === '') fault = 'The header Host is empty or was sent twice.';
        break;
      case 'upgrade':
        fault = 'The header Upgrade is not supported.';
        break;
    }
  });
  if (fault !== undefined) throw blocked(fault);
  const hasBody = transferEncoding !== undefined || (contentLength !== undefined && contentLength !== '0');
  if (hasBody && method !== 'POST') throw blocked(`A ${method} request has no body.`);
  if (externalUserId !== undefined && externalUserId.length > externalUserIdLengthMax) {
    throw apiError(
      'InvalidInput',
      `The header X-External-User-ID has more than ${externalUserIdLengthMax} characters.`,
    );
  }
  return {
    // The set holds exactly the members of Method.
    method: method as Method,
    path: req.getUrl(),
    query: req.getQuery() ?? '',
    authorization,
    contentType,
    correlationId,
    externalUserId,
    isLast,
  };
}

function blocked(message: string): Error {
  return apiError('InvalidInput', message);
}

/** Parses a JSON body. */
export function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch (error) {
    throw apiError('InvalidJsonInput', 'The request body does not contain valid JSON.', {
      detailedErrorMessage: error instanceof Error ? error.message : 'The body cannot be parsed.',
    });
  }
}
