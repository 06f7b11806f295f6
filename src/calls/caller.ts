/**
 * Calls to servers that projects name: where tokens are introspected, and API extensions. Whom to call, and what an answer
 * means, say others. No redirect is followed, for it would lead what is sent elsewhere, and no call is made twice.
 */
import {
  Agent as HttpAgent,
  type ClientRequest,
  type IncomingMessage,
  request as requestHttp,
  type RequestOptions,
} from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import { isPrivate, lookupOf } from './addresses.ts';
import { CallFailed } from './call-failed.ts';
import { createNames, type NamesOptions } from './names.ts';

/** Connections of one owner to one server, and those of them that stay while nothing is sent, for so long. */
const socketsMax = 100;
const idleSocketsMax = 4;
const idleMsMax = 5000;

export interface Call {
  /** Of HTTP or HTTPS. */
  readonly url: string;
  /** The project that names the server: no other waits for its connections, or is given them. */
  readonly owner: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** All that the call may take, from the look-up of the address to the last byte. */
  readonly timeoutMs: number;
  readonly answerBytesMax: number;
  /** Hears of memory before the answer takes it. What it throws ends the call. */
  readonly takeBytes?: ((bytes: number) => void) | undefined;
  /** Ends the call when nobody waits for it any more. */
  readonly signal?: AbortSignal | undefined;
}

export interface CallAnswer {
  readonly status: number;
  /** As it was sent: nobody has looked at its bytes. */
  readonly body: Buffer;
}

/** Posts, and gives the whole answer. Throws CallFailed where there is none. */
export type Caller = (call: Call) => Promise<CallAnswer>;

export interface CallerOptions {
  /** Lets those who are called be on loopback, link-local and private addresses. */
  readonly allowsPrivate: boolean;
  /** Where names are looked up; by default as the system says. */
  readonly names?: NamesOptions;
}

export function createCaller({ allowsPrivate, names }: CallerOptions): Caller {
  const lookup = { names: createNames(names), allowsPrivate };
  const options = {
    keepAlive: true,
    maxSockets: socketsMax,
    maxFreeSockets: idleSocketsMax,
    timeout: idleMsMax,
  };
  const agents = { 'http:': new OwnedHttpAgent(options), 'https:': new OwnedHttpsAgent(options) };
  const send = ({ url, owner, headers, body }: Call, signal: AbortSignal): ClientRequest => {
    const target = new URL(url);
    const isSecure = target.protocol === 'https:';
    const host = target.hostname.replace(/^\[|\]$/g, '');
    // Addresses are not looked up.
    if (!allowsPrivate && isIP(host) !== 0 && isPrivate(host)) throw new CallFailed('address');
    const owned: Owned & RequestOptions = {
      owner,
      method: 'POST',
      agent: agents[isSecure ? 'https:' : 'http:'],
      lookup: lookupOf(lookup, owner),
      signal,
      headers: { ...headers, 'Content-Length': Buffer.byteLength(body) },
    };
    const request = (isSecure ? requestHttps : requestHttp)(target, owned);
    request.end(body);
    return request;
  };
  return (call) =>
    endedBy(call, async (signal) => {
      const response = await responseOf(send(call, signal));
      const status = response.statusCode ?? 0;
      return { status, body: await readAll(response, { ...call, status }) };
    });
}

interface Owned {
  readonly owner: string;
}

type NameOptions = Parameters<HttpAgent['getName']>[0];

/** Agents keep connections apart by names, which are made of the options of a request. */
class OwnedHttpAgent extends HttpAgent {
  override getName(options?: NameOptions & Partial<Owned>): string {
    return `${options?.owner} ${super.getName(options)}`;
  }
}

class OwnedHttpsAgent extends HttpsAgent {
  override getName(options?: NameOptions & Partial<Owned>): string {
    return `${options?.owner} ${super.getName(options)}`;
  }
}

/**
 * Runs a call with a signal that comes when its time is over or nobody waits. `AbortSignal.any` of a timeout does not: while
 * nothing else refers to the timeout, it is collected as garbage, and the call goes on for ever.
 */
async function endedBy<T>(
  { timeoutMs, signal }: Pick<Call, 'timeoutMs' | 'signal'>,
  call: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  const timer = setTimeout(end, timeoutMs);
  signal?.addEventListener('abort', end, { once: true });
  if (signal?.aborted === true) end();
  try {
    return await call(controller.signal);
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}

function responseOf(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on('response', resolve);
    request.on('error', (error) => reject(error instanceof CallFailed ? error : new CallFailed('unreachable')));
    // A connection that becomes one of another protocol ends without an error. After a response this says nothing.
    request.on('close', () => reject(new CallFailed('unreachable')));
  });
}

const firstBytes = 4096;

async function readAll(
  response: IncomingMessage,
  { status, answerBytesMax, takeBytes }: Pick<Call, 'answerBytesMax' | 'takeBytes'> & { readonly status: number },
): Promise<Buffer> {
  takeBytes?.(firstBytes);
  // What comes byte by byte takes no more memory than what comes at once.
  let whole = Buffer.allocUnsafe(firstBytes);
  let bytes = 0;
  for await (const chunk of chunksOf(response, status)) {
    const before = bytes;
    bytes += chunk.length;
    // To leave the loop ends the connection.
    if (bytes > answerBytesMax) throw new CallFailed('tooLarge', status);
    if (bytes > whole.length) {
      const length = Math.max(bytes, 2 * whole.length);
      takeBytes?.(length - whole.length);
      whole = Buffer.concat([whole], length);
    }
    chunk.copy(whole, before);
  }
  return whole.subarray(0, bytes);
}

async function* chunksOf(response: IncomingMessage, status: number): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) yield chunk;
  } catch {
    throw new CallFailed('brokenOff', status);
  }
}
