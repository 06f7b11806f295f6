import { connect, type Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';

/** An answer as it came over the wire. */
export interface RawAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The first code of an error body; undefined where the body is not one. */
  readonly code: string | undefined;
}

export interface RawExchange {
  readonly answers: readonly RawAnswer[];
  /** The server closed the connection instead of answering a further request on it. */
  readonly isClosed: boolean;
}

const sentinelId = 'the_request_after_the_case';
const sentinel = [
  'GET /healthz HTTP/1.1',
  'Host: localhost',
  `X-Correlation-ID: ${sentinelId}`,
  'Connection: close',
  '',
  '',
].join('\r\n');

interface ExchangeOptions {
  /** Ends this side of the connection after the bytes. */
  readonly endsAtOnce?: boolean;
  /** Over TLS. */
  readonly isSecure?: boolean;
}

/**
 * Sends bytes as they are, one per unit of the string, and after the first answer a harmless request. The server
 * answers that one last, or has closed the connection; either way whatever else the bytes made it say came before.
 */
export function exchange(port: number, bytes: string, options: ExchangeOptions = {}): Promise<RawExchange> {
  return new Promise((resolve) => {
    let received = '';
    let isSentinelSent = false;
    const begin = (): void => {
      socket.write(bytes, 'latin1');
      if (options.endsAtOnce === true) socket.end();
    };
    const address = { port, host: '127.0.0.1' };
    const socket: Socket =
      options.isSecure === true
        ? // The certificate is the test's own.
          connectSecurely({ ...address, rejectUnauthorized: false }, begin)
        : connect(address, begin);
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      const answers = parseAnswers(received, bytes.startsWith('HEAD '));
      // 100 announces the answer; it is none.
      if (isSentinelSent || !answers.some(({ status }) => status >= 200)) return;
      isSentinelSent = true;
      socket.write(sentinel);
    });
    // A connection that is reset is closed.
    socket.on('error', () => {});
    socket.on('close', () => {
      const answers = parseAnswers(received, bytes.startsWith('HEAD '), true);
      const others = answers.filter(({ headers }) => headers.get('x-correlation-id') !== sentinelId);
      resolve({ answers: others, isClosed: others.length === answers.length });
    });
  });
}

/** The complete answers at the front of what was received; one without length ends with the connection. */
function parseAnswers(received: string, isHead = false, hasEnded = false): readonly RawAnswer[] {
  const answers: RawAnswer[] = [];
  let rest = received;
  for (let end = rest.indexOf('\r\n\r\n'); end >= 0; end = rest.indexOf('\r\n\r\n')) {
    const [line = '', ...fields] = rest.slice(0, end).split('\r\n');
    const status = Number(line.split(' ')[1]);
    const headers = new Map(
      fields.map((field) => {
        const colon = field.indexOf(':');
        return [field.slice(0, colon).toLowerCase(), field.slice(colon + 1).trim()] as const;
      }),
    );
    const hasBody = status >= 200 && status !== 204 && status !== 304 && !(isHead && answers.length === 0);
    const given = headers.get('content-length');
    if (hasBody && given === undefined && !hasEnded) break;
    const length = hasBody ? Number(given ?? rest.length) : 0;
    const body = rest.slice(end + 4, end + 4 + length);
    if (given !== undefined && body.length < length) break;
    answers.push({ status, headers, body, code: codeOf(body) });
    rest = rest.slice(end + 4 + length);
  }
  return answers;
}

function codeOf(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { errors?: readonly { code: string }[] }).errors?.[0]?.code;
  } catch {
    return undefined;
  }
}
