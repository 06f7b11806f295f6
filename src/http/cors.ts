/**
 * Cross-origin requests from browsers (the CORS protocol of the Fetch standard). Tokens travel in headers, which a page
 * has to have, and there are no cookies: so any origin may ask, and nothing is answered to credentials of the browser.
 */
import type { Response } from './response.ts';

/** Origins of pages that may read answers: any, or these; none where the list is empty. */
export type CorsOrigins = '*' | readonly string[];

export type Headers = readonly (readonly [string, string])[];

const allowedMethods = 'GET, HEAD, POST, DELETE';
/** A star covers all but Authorization, and nothing in older browsers: what clients send is named. */
const allowedHeaders =
  'Authorization, Content-Type, Accept, If-None-Match, X-Correlation-ID, X-External-User-ID, X-User-Agent, User-Agent, *';
const exposedHeaders = 'X-Correlation-ID, x-graphql-query-complexity, Retry-After, WWW-Authenticate, Allow, ETag';
/** Browsers take less: two hours, or a day. */
const preflightSeconds = 86_400;

const nothing: Headers = [];
const exposed = ['Access-Control-Expose-Headers', exposedHeaders] as const;
const ofAnyOrigin: Headers = [['Access-Control-Allow-Origin', '*'], exposed];
/** Caches keep apart what is answered to one origin. */
const vary = ['Vary', 'Origin'] as const;
const ofNoOrigin: Headers = [vary];

export class Cors {
  readonly #origins: '*' | ReadonlySet<string>;

  constructor(origins: CorsOrigins) {
    this.#origins = origins === '*' ? origins : new Set(origins);
  }

  get isOn(): boolean {
    return this.#origins === '*' || this.#origins.size > 0;
  }

  /** Headers of the answer to a request of this origin, which is empty for those of no page. */
  headersFor(origin: string): Headers {
    if (this.#origins === '*') return origin === '' ? nothing : ofAnyOrigin;
    if (this.#origins.size === 0) return nothing;
    return this.#origins.has(origin) ? [['Access-Control-Allow-Origin', origin], vary, exposed] : ofNoOrigin;
  }
}

/** The answer to a preflight, whatever its path, and whatever it asks for: the request itself is answered as any other. */
export const preflightResponse: Response = {
  status: 204,
  body: '',
  headers: [
    ['Access-Control-Allow-Methods', allowedMethods],
    ['Access-Control-Allow-Headers', allowedHeaders],
    ['Access-Control-Max-Age', String(preflightSeconds)],
  ],
};
