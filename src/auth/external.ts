/**
 * Tokens that another server issued: a project names an introspection endpoint (RFC 7662), which says what they are worth
 * (specification section 5, External OAuth).
 */
import { lookup as resolveHost, type LookupAddress, type LookupOptions } from 'node:dns';
import { Agent as HttpAgent, request as requestHttp, type IncomingMessage } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { BlockList, isIP } from 'node:net';
import { LRUCache } from 'lru-cache';
import type { Principal, Project } from '../engine/context.ts';
import { hashOf } from '../engine/secrets.ts';
import { ApiError, apiError } from '../errors/api-error.ts';
import { principalOf } from './principal.ts';
import { isKnownScope } from './scope-names.ts';
import { isScope, ownScope } from './scopes.ts';

/** All that the endpoint may take, from the look-up of its address to the last byte. */
const timeoutMs = 500;
const answerBytesMax = 64 * 1024;
const cachedMsMax = 3_600_000;
const cachedMax = 100_000;
/** Calls to all endpoints that may be under way. */
const defaultCallsMax = 1000;
const socketsMax = 100;

export interface ExternalTokens {
  /** Whose token it is; undefined when the project has no endpoint, or when that calls the token inactive. */
  principalOf(project: Project, token: string, correlationId: string): Promise<Principal | undefined>;
}

interface Endpoint {
  readonly url: string;
  readonly authorizationHeader: string;
}

export interface ExternalOptions {
  /** Lets endpoints be on loopback, link-local and private addresses. */
  readonly allowsPrivate: boolean;
  readonly callsMax?: number;
}

/** Throws OverCapacity where too many calls are under way. */
export function createExternalTokens({ allowsPrivate, callsMax = defaultCallsMax }: ExternalOptions): ExternalTokens {
  const known = new LRUCache<string, Principal>({ max: cachedMax });
  const calls = new Map<string, Promise<Principal | undefined>>();
  const transport = createTransport(allowsPrivate);
  const ask = async (
    name: string,
    { project, endpoint, token, correlationId }: Asked,
  ): Promise<Principal | undefined> => {
    const said = worthOf(await transport.post(endpoint, { token, correlationId }), project.key);
    if (said === undefined) return undefined;
    const { principal, expiresAtMs } = said;
    const ttl = Math.min(expiresAtMs - Date.now(), cachedMsMax);
    if (ttl <= 0) return undefined;
    known.set(name, principal, { ttl: Math.ceil(ttl) });
    return principal;
  };
  return {
    principalOf: async (project, token, correlationId) => {
      // Parsed when the setting was written.
      const endpoint = project.settings.externalOAuth;
      if (endpoint === undefined) return undefined;
      const name = `${project.key}@${project.version}/${hashOf(token).toString('base64')}`;
      const cached = known.get(name);
      if (cached !== undefined) return cached;
      let call = calls.get(name);
      if (call === undefined) {
        if (calls.size >= callsMax)
          throw apiError('OverCapacity', 'Too many tokens are being introspected. Try again.');
        call = ask(name, { project, endpoint, token, correlationId }).finally(() => calls.delete(name));
        calls.set(name, call);
      }
      return call;
    },
  };
}

interface Asked {
  readonly project: Project;
  readonly endpoint: Endpoint;
  readonly token: string;
  readonly correlationId: string;
}

/** What an answer says of a token; undefined when it is inactive. Scopes that are not the platform's count for nothing. */
function worthOf(
  answer: unknown,
  project: string,
): { readonly principal: Principal; readonly expiresAtMs: number } | undefined {
  if (typeof answer !== 'object' || answer === null) throw nonsense('is no JSON object');
  const { active, scope = '', exp, client_id: clientId } = answer as Readonly<Record<string, unknown>>;
  if (typeof active !== 'boolean') throw nonsense("has no boolean 'active'");
  if (!active) return undefined;
  if (typeof scope !== 'string') throw nonsense("has a 'scope' that is no text");
  if (exp !== undefined && typeof exp !== 'number') throw nonsense("has an 'exp' that is no number");
  const scopes = scope.split(' ').filter((name) => ownScope.test(name) || isOfProject(name, project));
  return {
    principal: principalOf(typeof clientId === 'string' ? clientId.slice(0, 256) : 'external', scopes),
    // Seconds since 1970. A token without an end is asked for again after the longest time.
    expiresAtMs: exp === undefined ? Date.now() + cachedMsMax : exp * 1000,
  };
}

function isOfProject(scope: string, project: string): boolean {
  return isScope(scope) && isKnownScope(scope) && scope.split(':')[1] === project;
}

/** The endpoint answered, and its answer cannot be used. */
function nonsense(why: string): Error {
  return apiError('ExternalOAuthFailed', `The answer of the introspection endpoint ${why}.`);
}

/** The endpoint did not answer. */
function silence(why: string): Error {
  const message = `The introspection endpoint ${why}.`;
  return new ApiError([{ code: 'ExternalOAuthFailed', message }], 504);
}

interface Transport {
  /** The JSON value of the answer. */
  post(endpoint: Endpoint, form: { readonly token: string; readonly correlationId: string }): Promise<unknown>;
}

function createTransport(allowsPrivate: boolean): Transport {
  const options = { keepAlive: true, maxSockets: socketsMax, lookup: lookupThat(allowsPrivate) };
  const agents = { 'http:': new HttpAgent(options), 'https:': new HttpsAgent(options) };
  return {
    post: async ({ url, authorizationHeader }, { token, correlationId }) => {
      const target = new URL(url);
      const isSecure = target.protocol === 'https:';
      const host = target.hostname.replace(/^\[|\]$/g, '');
      // Addresses are not looked up.
      if (!allowsPrivate && isIP(host) !== 0 && isPrivate(host)) throw silence('is on an address that is not public');
      const body = new URLSearchParams({ token }).toString();
      const { status, text } = await new Promise<{ status: number; text: string }>((resolve, reject) => {
        const send = isSecure ? requestHttps : requestHttp;
        const request = send(target, {
          method: 'POST',
          agent: agents[isSecure ? 'https:' : 'http:'],
          signal: AbortSignal.timeout(timeoutMs),
          headers: {
            Authorization: authorizationHeader,
            'Content-Type': 'application/x-www-form-urlencoded',
            'Content-Length': Buffer.byteLength(body),
            Accept: 'application/json',
            'X-Correlation-ID': correlationId,
          },
        });
        request.on('error', (error) =>
          reject(error instanceof ApiError ? error : silence('could not be reached in time')),
        );
        request.on('response', (response) => {
          readAll(response).then((read) => resolve({ status: response.statusCode ?? 0, text: read }), reject);
        });
        request.end(body);
      });
      // A redirect is not followed: it would lead the token elsewhere.
      if (status !== 200) throw nonsense(`has the status ${status}`);
      try {
        return JSON.parse(text);
      } catch {
        throw nonsense('is no JSON');
      }
    },
  };
}

async function readAll(response: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > answerBytesMax) break;
      chunks.push(chunk);
    }
  } catch {
    throw silence('broke off its answer, or took too long for it');
  }
  if (bytes > answerBytesMax) throw nonsense(`has more than ${answerBytesMax} bytes`);
  return Buffer.concat(chunks).toString('utf8');
}

type Resolved = (error: Error | null, address: string | LookupAddress[], family?: number) => void;

/** Refuses names of private addresses after they were resolved, so that no name hides one. */
function lookupThat(allowsPrivate: boolean): (host: string, options: LookupOptions, resolved: Resolved) => void {
  return (host, options, resolved) => {
    resolveHost(host, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return resolved(error, '');
      const allowed = allowsPrivate ? addresses : addresses.filter(({ address }) => !isPrivate(address));
      const [first] = allowed;
      if (first === undefined) return resolved(silence('is on an address that is not public'), '');
      if (options.all === true) return resolved(null, [...allowed]);
      return resolved(null, first.address, first.family);
    });
  };
}

/** Ranges of addresses that are not public: loopback, link-local, private, shared, reserved and multicast ones. */
const private4 = rangesOf('ipv4', [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  // A cloud's own services, at every machine of it.
  ['168.63.129.16', 32],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 3],
]);
const private6 = rangesOf('ipv6', [
  // The unspecified and the loopback address, and all that hold an address of IPv4.
  ['::', 32],
  ['64:ff9b::', 32],
  ['100::', 64],
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
  ['5f00::', 16],
  ['fc00::', 7],
  ['fe80::', 10],
  ['fec0::', 10],
  ['ff00::', 8],
]);

/** In lists of their own: a list takes addresses of IPv4 for some of IPv6. */
function rangesOf(family: 'ipv4' | 'ipv6', ranges: readonly (readonly [string, number])[]): BlockList {
  const list = new BlockList();
  for (const [address, prefix] of ranges) list.addSubnet(address, prefix, family);
  return list;
}

export function isPrivate(address: string): boolean {
  return isIP(address) === 6 ? private6.check(address, 'ipv6') : private4.check(address, 'ipv4');
}
