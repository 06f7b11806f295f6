import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';
import { anyFailures } from './description.ts';
import { isKnown } from './etag.ts';
import { type Described, openapiDocument } from './openapi.ts';
import type { Response } from './response.ts';
import type { PlainRoute } from './routes.ts';

/** Costs 4 ms of the start, and gives a twentieth of the bytes. */
const brotliQuality = 5;

/**
 * `GET /openapi.json`: the description of all routes, this one included. Anybody may ask for it, so its bytes are made once,
 * at the start, and clients that have them are told so.
 */
export function openapiRoute(others: Described): PlainRoute {
  const path = '/openapi.json';
  const operations: PlainRoute['operations'] = {
    GET: {
      id: 'getDescription',
      summary: 'Read this document.',
      tag: 'Server',
      access: 'anyone',
      answers: { 200: { type: 'object' } },
      failures: anyFailures,
    },
  };
  const document = openapiDocument({ ...others, plainRoutes: [...others.plainRoutes, { path, operations }] });
  const forms = formsOf(Buffer.from(JSON.stringify(document)));
  return {
    path,
    operations,
    handle: ({ head }) => {
      const form = forms.find(({ encoding }) => encoding === '' || accepts(head.acceptEncoding, encoding))!;
      return isKnown(head.ifNoneMatch, form.etag) ? form.unchanged : form.response;
    },
  };
}

interface Form {
  /** Empty for the bytes as they are. */
  readonly encoding: string;
  readonly etag: string;
  readonly response: Response;
  readonly unchanged: Response;
}

/** The best one first. */
function formsOf(bytes: Buffer): readonly Form[] {
  const hash = createHash('sha256').update(bytes).digest('base64url');
  const brotli = brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } });
  const bodies = [
    ['br', brotli],
    ['gzip', gzipSync(bytes)],
    ['', bytes],
  ] as const;
  return bodies.map(([encoding, body]) => {
    const etag = `"${hash}${encoding === '' ? '' : `-${encoding}`}"`;
    const headers = [
      ['ETag', etag],
      ['Vary', 'Accept-Encoding'],
      ['Cache-Control', 'no-cache'],
    ] as const;
    const encoded = encoding === '' ? headers : [...headers, ['Content-Encoding', encoding] as const];
    return {
      encoding,
      etag,
      response: { status: 200, body, headers: encoded },
      unchanged: { status: 304, body: '', headers },
    };
  });
}

/** Whether a header Accept-Encoding names the encoding, and not to refuse it (RFC 9110, 12.5.3). */
function accepts(header: string, encoding: string): boolean {
  return header.split(',').some((each) => {
    const [name = '', weight = ''] = each
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/);
    return name === encoding && !/^q=0(?:\.0*)?$/.test(weight);
  });
}
