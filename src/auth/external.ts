/**
 * Tokens that another server issued: a project names an introspection endpoint (RFC 7662), which says what they are worth
 * (specification section 5, External OAuth).
 */
import { LRUCache } from 'lru-cache';
import { countedUpTo } from '../engine/coherence.ts';
import { CallFailed } from '../calls/call-failed.ts';
import { type CallAnswer, type Caller, createCaller } from '../calls/caller.ts';
import type { Principal, Project } from '../engine/context.ts';
import { parseJson, withoutMark } from '../engine/json-body.ts';
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
  const known = new LRUCache<string, Principal>(countedUpTo(cachedMax));
  const calls = new Map<string, Promise<Principal | undefined>>();
  const caller = createCaller({ allowsPrivate });
  const ask = async (
    name: string,
    { project, endpoint, token, correlationId }: Asked,
  ): Promise<Principal | undefined> => {
    const said = worthOf(await introspected(caller, endpoint, { project, token, correlationId }), project.key);
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

/** The JSON value of the answer. */
async function introspected(
  caller: Caller,
  { url, authorizationHeader }: Endpoint,
  { project, token, correlationId }: Pick<Asked, 'project' | 'token' | 'correlationId'>,
): Promise<unknown> {
  const { status, body } = await caller({
    url,
    owner: project.key,
    headers: {
      Authorization: authorizationHeader,
      'Content-Type': 'application/x-www-form-urlencoded',
      Accept: 'application/json',
      'X-Correlation-ID': correlationId,
    },
    body: new URLSearchParams({ token }).toString(),
    timeoutMs,
    answerBytesMax,
  }).catch(failed);
  if (status !== 200) throw nonsense(`has the status ${status}`);
  try {
    return parseJson(withoutMark(body));
  } catch {
    throw nonsense('is no JSON');
  }
}

function failed(error: unknown): CallAnswer {
  if (!(error instanceof CallFailed)) throw error;
  throw error.failure === 'tooLarge' ? nonsense(`has more than ${answerBytesMax} bytes`) : silence(error.message);
}
