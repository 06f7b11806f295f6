/** The HTTP that clients should not send, and some that they may: what the platform makes of it, alone and proxied. */

/** A status, and the code of the error body where it is the platform's own; or no answer before the connection closes. */
export type Outcome = readonly [status: number, code?: string] | 'closed';

export interface RawCase {
  readonly name: string;
  /** One byte a unit. */
  readonly bytes: string;
  readonly direct: Outcome;
  /** Where the proxy makes a difference. */
  readonly proxied?: Outcome;
  /** How many requests the bytes are; 1 where it is not said. */
  readonly requests?: number;
}

const refused = [400, 'InvalidInput'] as const;
const badMethod = [405, 'MethodNotAllowed'] as const;
const notFound = [404, 'ResourceNotFound'] as const;
const tooLong = [431, 'RequestHeaderFieldsTooLarge'] as const;

/**
 * `path` is a project's zones, where `token` may create some. One is there already, since a HEAD request that finds
 * none is answered 404.
 */
export function rawCases({ path, token }: { path: string; token: string }): readonly RawCase[] {
  const authorization = `Authorization: Bearer ${token}`;
  const head = (line: string, ...headers: readonly string[]): string =>
    [line, 'Host: localhost', authorization, ...headers, '', ''].join('\r\n');
  const bare = (line: string, ...headers: readonly string[]): string => [line, ...headers, '', ''].join('\r\n');
  const get = `GET ${path} HTTP/1.1`;
  const post = `POST ${path} HTTP/1.1`;
  const zone = '{"name":"Zone1"}';
  /** A head of so many bytes. */
  const long = (bytes: number): string => {
    const empty = head(get, 'X-Filler: ').length;
    return head(get, `X-Filler: ${'x'.repeat(bytes - empty)}`);
  };
  const many = (count: number): string =>
    bare(get, 'Host: localhost', authorization, ...Array.from({ length: count - 2 }, (_, index) => `X-${index}: x`));
  const chunked = (chunks: string, encoding = 'chunked'): string =>
    head(post, `Transfer-Encoding: ${encoding}`) + chunks;
  /** What would be a second request, if the one before had no body. */
  const smuggled = head('GET /healthz HTTP/1.1');
  return [
    { name: 'a request', bytes: head(get), direct: [200] },
    { name: 'a HEAD request', bytes: head(`HEAD ${path} HTTP/1.1`), direct: [200] },
    { name: 'a body with a length', bytes: head(post, 'Content-Length: 16') + zone, direct: [201] },
    { name: 'a length of 0 on GET', bytes: head(get, 'Content-Length: 0'), direct: [200] },
    { name: 'a content type on GET', bytes: head(get, 'Content-Type: application/json'), direct: [200] },

    { name: 'a head of 15,000 bytes', bytes: long(15_000), direct: [200] },
    // The proxy adds a header.
    { name: 'a head of 15,360 bytes', bytes: long(15_360), direct: [200], proxied: tooLong },
    { name: 'a head of 15,361 bytes', bytes: long(15_361), direct: tooLong },
    { name: 'a head of 31,000 bytes', bytes: long(31_000), direct: tooLong },
    { name: 'a head of 33,000 bytes', bytes: long(33_000), direct: [431], proxied: [400] },
    { name: 'a URL of 15,500 bytes', bytes: head(`GET ${path}?x=${'x'.repeat(15_500)} HTTP/1.1`), direct: tooLong },
    { name: 'a path of 15,500 bytes', bytes: head(`GET ${path}/${'x'.repeat(15_500)} HTTP/1.1`), direct: tooLong },
    {
      name: 'a value of 15,402 bytes in 7,702 characters',
      bytes: head(get, `X-Filler: x${'Ã¤'.repeat(7700)}x`),
      direct: tooLong,
    },
    { name: '97 headers', bytes: many(97), direct: [200] },
    { name: '98 headers', bytes: many(98), direct: [200], proxied: [431] },
    { name: '99 headers', bytes: many(99), direct: [431] },

    { name: 'a body on GET', bytes: head(get, 'Content-Length: 2') + '{}', direct: refused },
    { name: 'a body on HEAD', bytes: head(`HEAD ${path} HTTP/1.1`, 'Content-Length: 2') + '{}', direct: [400] },
    { name: 'a body on DELETE', bytes: head(`DELETE ${path}/x HTTP/1.1`, 'Content-Length: 2') + '{}', direct: refused },
    {
      name: 'a chunked body on GET',
      bytes: head(get, 'Transfer-Encoding: chunked') + '2\r\n{}\r\n0\r\n\r\n',
      direct: refused,
    },
    {
      name: 'a chunked body on DELETE',
      bytes: head(`DELETE ${path}/x HTTP/1.1`, 'Transfer-Encoding: chunked') + '0\r\n\r\n',
      direct: refused,
    },
    {
      name: 'a length of 17 MB',
      bytes: head(post, `Content-Length: ${17 * 1024 * 1024}`),
      direct: [413, 'ContentTooLarge'],
    },
    // One that is sent meets a closed connection, and may not get to its answer; test/http/limits.test.ts has small ones.

    { name: 'HTTP/0.9', bytes: 'GET /\r\n', direct: 'closed', proxied: [400] },
    ...['1.0', '1.2', '2.0', '3.0', '9.9'].map((version) => ({
      name: `HTTP/${version}`,
      bytes: head(`GET ${path} HTTP/${version}`),
      direct: [505] as const,
    })),
    { name: 'another protocol', bytes: head(`GET ${path} FOO/1.1`), direct: [505], proxied: [400] },
    { name: 'the preface of HTTP/2', bytes: 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', direct: [505], proxied: 'closed' },
    { name: 'CONNECT', bytes: head('CONNECT localhost:80 HTTP/1.1'), direct: [505] },
    { name: 'OPTIONS *', bytes: head('OPTIONS * HTTP/1.1'), direct: [505] },
    { name: 'an absolute URL', bytes: head(`GET http://localhost${path} HTTP/1.1`), direct: [505] },
    { name: 'line ends without CR', bytes: head(get).replaceAll('\r\n', '\n'), direct: [505], proxied: [200] },
    { name: 'NUL in the URL', bytes: head(`GET ${path}\0 HTTP/1.1`), direct: [505], proxied: [400] },
    {
      name: 'a TLS hello',
      bytes: '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03'.padEnd(64, '\x07') + '\r\n\r\n',
      direct: [505],
      proxied: [400],
    },

    ...['FOO', 'PROPFIND', 'PUT', 'PATCH', 'OPTIONS', 'TRACE', 'get', 'GeT', 'X'.repeat(3000)].map((method) => ({
      name: `the method '${method.slice(0, 20)}'`,
      bytes: head(`${method} ${path} HTTP/1.1`),
      direct: badMethod,
    })),
    { name: 'a method that is no word', bytes: head(`G@T ${path} HTTP/1.1`), direct: badMethod, proxied: [400] },
    { name: 'no method', bytes: head(` ${path} HTTP/1.1`), direct: badMethod, proxied: [400] },
    { name: 'DELETE where there is none', bytes: head(`DELETE ${path} HTTP/1.1`), direct: badMethod },

    {
      name: 'an upgrade to a WebSocket',
      bytes: head(get, 'Upgrade: websocket', 'Connection: Upgrade', 'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ=='),
      direct: refused,
    },
    {
      name: 'an upgrade without a key',
      bytes: head(get, 'Upgrade: websocket', 'Connection: Upgrade'),
      direct: refused,
      proxied: [400],
    },
    { name: 'an upgrade to HTTP/2', bytes: head(get, 'Upgrade: h2c', 'Connection: Upgrade'), direct: refused },

    { name: 'chunks', bytes: chunked(`8\r\n{"name":\r\n8\r\n"Zone1"}\r\n0\r\n\r\n`), direct: [201] },
    { name: 'a chunk extension', bytes: chunked(`10;ext=1\r\n${zone}\r\n0\r\n\r\n`), direct: [400], proxied: [201] },
    // The request has run when the native parser refuses what follows it.
    { name: 'a trailer', bytes: chunked(`10\r\n${zone}\r\n0\r\nX-Trailer: x\r\n\r\n`), direct: [505] },
    // The native parser takes both for digits. Only a proxy helps.
    { name: 'the chunk size g', bytes: chunked(`g\r\n${zone}\r\n0\r\n\r\n`), direct: [201], proxied: [400] },
    {
      name: 'the chunk size :',
      bytes: chunked(':\r\n{"name":1}\r\n0\r\n\r\n'),
      direct: [400, 'InvalidJsonInput'],
      proxied: [400],
    },
    { name: 'a chunk without line end', bytes: chunked(`10\r\n${zone}0\r\n\r\n`), direct: [201], proxied: [400] },
    { name: 'a chunk line without CR', bytes: chunked(`10\n${zone}\r\n0\r\n\r\n`), direct: [201] },
    ...['-1', '0x5', 'ffffffffffffffff'].map((size) => ({
      name: `the chunk size ${size}`,
      bytes: chunked(`${size}\r\n${zone}\r\n0\r\n\r\n`),
      direct: [400] as const,
    })),
    {
      name: 'a length and an encoding',
      bytes: head(post, 'Content-Length: 5', 'Transfer-Encoding: chunked') + '0\r\n\r\n',
      direct: [400],
      proxied: [400, 'InvalidJsonInput'],
    },
    {
      name: 'an encoding and a length',
      bytes: head(post, 'Transfer-Encoding: chunked', 'Content-Length: 5') + '0\r\n\r\n',
      direct: [400],
      proxied: [400, 'InvalidJsonInput'],
    },
    { name: 'CHUNKED', bytes: chunked(`10\r\n${zone}\r\n0\r\n\r\n`, 'CHUNKED'), direct: [201] },
    {
      name: 'the encoding gzip, chunked',
      bytes: chunked('0\r\n\r\n', 'gzip, chunked'),
      direct: refused,
      proxied: [422],
    },
    ...['xchunked', 'identity', 'chunked, identity'].map((encoding) => ({
      name: `the encoding ${encoding}`,
      bytes: chunked('0\r\n\r\n', encoding),
      direct: refused,
      proxied: [400] as const,
    })),
    {
      name: 'two encodings',
      bytes: head(post, 'Transfer-Encoding: chunked', 'Transfer-Encoding: identity') + '0\r\n\r\n',
      direct: refused,
      proxied: [400],
    },
    { name: 'an empty encoding', bytes: head(post, 'Transfer-Encoding: '), direct: refused, proxied: [400] },
    { name: 'an empty length', bytes: head(post, 'Content-Length: '), direct: refused, proxied: [400] },
    {
      name: 'two lengths',
      bytes: head(post, 'Content-Length: 0', 'Content-Length: 16'),
      direct: refused,
      proxied: [400],
    },
    // What follows is a request to those who see no body, and is never answered.
    ...[
      ['an empty encoding', 'Transfer-Encoding: '],
      ['an empty length', 'Content-Length: '],
      ['two lengths', `Content-Length: 0\r\nContent-Length: ${smuggled.length}`],
    ].map(([name, header]) => ({
      name: `${name} and a request`,
      bytes: head(post, header!) + smuggled,
      direct: 'closed' as const,
      proxied: [400] as const,
    })),
    {
      name: 'one length twice',
      bytes: head(post, 'Content-Length: 16', 'Content-Length: 16') + zone,
      direct: refused,
      proxied: [201],
    },
    {
      name: 'the length 5, 5',
      bytes: head(post, 'Content-Length: 5, 5') + 'x'.repeat(5),
      direct: [400],
      proxied: [400, 'InvalidJsonInput'],
    },
    ...['+5', '-1', '0x5', '9'.repeat(19)].map((length) => ({
      name: `the length ${length}`,
      bytes: head(post, `Content-Length: ${length}`) + 'x'.repeat(5),
      direct: [400] as const,
    })),

    { name: 'no host', bytes: bare(get, authorization), direct: [400] },
    { name: 'an empty host', bytes: bare(get, 'Host: ', authorization), direct: refused },
    { name: 'two hosts', bytes: head(get, 'Host: other'), direct: refused, proxied: [400] },
    { name: 'a header without a name', bytes: head(get, ': v'), direct: [200], proxied: [400] },
    // It hides those that follow it.
    {
      name: 'a host after a header without a name',
      bytes: bare(get, ': v', 'Host: localhost'),
      direct: [400],
      proxied: [400],
    },
    { name: 'a space before the colon', bytes: head(get, 'X-Odd : x'), direct: 'closed', proxied: [400] },
    { name: 'a folded header', bytes: head(get, 'X-Odd: a', ' b'), direct: 'closed', proxied: [200] },
    { name: 'NUL in a value', bytes: head(get, 'X-Odd: a\0b'), direct: 'closed', proxied: [502] },
    { name: 'CR in a value', bytes: head(get, 'X-Odd: a\rb'), direct: 'closed', proxied: [400] },
    {
      name: 'a token that is not UTF-8',
      bytes: bare(get, 'Host: localhost', 'Authorization: Bearer \xff\xfe'),
      direct: [401, 'access_denied'],
    },

    { name: 'a path that is not there', bytes: head('GET /nowhere/at/all HTTP/1.1'), direct: notFound },
    { name: 'a path with dots', bytes: head(`GET /x/..${path} HTTP/1.1`), direct: notFound },
    { name: 'a path with two slashes', bytes: head(`GET /${path} HTTP/1.1`), direct: notFound },
    { name: 'a fragment', bytes: head(`GET ${path}#x HTTP/1.1`), direct: notFound, proxied: [400] },
    { name: 'DEL in the path', bytes: head(`GET ${path}\x7f HTTP/1.1`), direct: notFound, proxied: [400] },
    { name: 'UTF-8 in the path', bytes: head(`GET ${path}Ã¤ HTTP/1.1`), direct: notFound, proxied: [400] },
    { name: 'a bad escape in the path', bytes: head(`GET ${path}/%ZZ HTTP/1.1`), direct: refused },

    {
      name: 'a pause before the body',
      bytes: head(post, 'Expect: 100-continue', 'Content-Length: 16') + zone,
      direct: [201],
    },
    // Two requests at a time on one connection are not served, unless the answer to the first is ready at once.
    { name: 'two requests at a time', bytes: head(get) + head(get), direct: 'closed', proxied: [200], requests: 2 },
    { name: 'nothing', bytes: '', direct: 'closed', proxied: [408] },
    { name: 'half a head', bytes: `${get}\r\nHost: localhost\r\n`, direct: 'closed', proxied: [408] },
  ];
}
