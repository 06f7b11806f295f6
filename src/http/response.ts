/** The answer to a request, as handlers give it. */
export interface Response {
  readonly status: number;
  /** JSON unless a header says otherwise. */
  readonly body: string | Uint8Array;
  /** Beside content type, length, correlation ID and connection. Values never come from clients unchecked. */
  readonly headers?: readonly (readonly [string, string])[] | undefined;
}

export function json(status: number, body: string | Uint8Array): Response {
  return { status, body };
}

const reasons: ReadonlyMap<number, string> = new Map([
  [200, '200 OK'],
  [201, '201 Created'],
  [204, '204 No Content'],
  [304, '304 Not Modified'],
  [400, '400 Bad Request'],
  [401, '401 Unauthorized'],
  [403, '403 Forbidden'],
  [404, '404 Not Found'],
  [405, '405 Method Not Allowed'],
  [409, '409 Conflict'],
  [413, '413 Content Too Large'],
  [429, '429 Too Many Requests'],
  [431, '431 Request Header Fields Too Large'],
  [500, '500 Internal Server Error'],
  [502, '502 Bad Gateway'],
  [503, '503 Service Unavailable'],
  [504, '504 Gateway Timeout'],
]);

/** Statuses whose answers have no body, and nothing that describes one (RFC 9110, 15.3.5 and 15.4.5). */
export const bodiless: ReadonlySet<number> = new Set([204, 304]);

export function statusLine(status: number): string {
  return reasons.get(status) ?? String(status);
}
