import type { HttpRequest, HttpResponse } from 'uWebSockets.js';
import { correlationIdOf } from './correlation-id.ts';
import { type Response, statusLine } from './response.ts';

const contentType = 'text/html; charset=utf-8';
const body = '<!DOCTYPE html><html><head><title>Not Found</title></head><body><h1>Not Found</h1></body></html>\n';

/** What a plain HTTP connection is answered with (specification 1.1). */
export const plainHttpResponse: Response = { status: 404, body, headers: [['Content-Type', contentType]] };

/** A request that has come over plain HTTP, where only TLS is served. */
export class PlainHttpError extends Error {}

/** The handler of a listener that serves nothing. */
export function refusePlainHttp(res: HttpResponse, req: HttpRequest): void {
  // Without it, the native server ends the process over a HEAD request whose connection is closed.
  res.onAborted(() => {});
  res.writeStatus(statusLine(plainHttpResponse.status));
  res.writeHeader('X-Correlation-ID', correlationIdOf(req));
  res.writeHeader('Content-Type', contentType);
  res.writeHeader('Connection', 'close');
  if (req.getCaseSensitiveMethod() === 'HEAD') res.endWithoutBody(body.length, true);
  else res.end(body, true);
}
