/**
 * The flows that issue tokens (specification section 5). They decide on credentials, grants and scopes; they know forms
 * and errors of OAuth 2.0, and no HTTP beyond the header value and the body that they are handed.
 */
import { randomUUID } from 'node:crypto';
import type { Accounts } from '../engine/accounts.ts';
import type { ApiClient, CredentialStore, SessionOwner, Token } from '../engine/credentials.ts';
import { hashOf, randomSecret } from '../engine/secrets.ts';
import { apiError } from '../errors/api-error.ts';
import { authenticateClient, invalidClient } from './client.ts';
import type { RateLimit } from './rate-limit.ts';
import { impliesScope, isAnonymousId, isScope, ownScope, ownScopes } from './scopes.ts';

export interface TokenRequest {
  /** Value of the Authorization header. */
  readonly authorization: string;
  /** The body, and the query string as the public API's description has it. */
  readonly form: URLSearchParams;
}

export interface TokenResponse {
  readonly access_token: string;
  /** Seconds. */
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: 'Bearer';
  readonly refresh_token?: string;
}

/** What the flows work with. */
export interface Issuer {
  readonly credentials: CredentialStore;
  readonly accounts: Accounts;
  /** Of token requests, by client. */
  readonly rateLimit: RateLimit;
  /** Seconds for which tokens hold whose client says nothing else. */
  readonly accessTokenSeconds: number;
  readonly refreshTokenSeconds: number;
}

/** `POST /oauth/token`: a token of the client itself, or another one of a session. */
export async function issueToken(issuer: Issuer, request: TokenRequest): Promise<TokenResponse> {
  const client = await limitedClient(issuer, request);
  const grantType = required(request.form, 'grant_type');
  switch (grantType) {
    case 'client_credentials':
      return issueClientToken(issuer, client, request.form);
    case 'refresh_token':
      return refresh(issuer, client, request.form);
    default:
      throw unsupported(grantType, 'client_credentials and refresh_token');
  }
}

/** A place that a path of the authorization service names. */
export interface Place {
  readonly project: string;
  readonly storeKey: string | undefined;
}

/** `POST /oauth/{projectKey}/customers/token`, in a store too: a session of a customer. */
export async function issueCustomerToken(
  issuer: Issuer,
  { project, storeKey }: Place,
  request: TokenRequest,
): Promise<TokenResponse> {
  const client = await clientOf(issuer, project, request);
  const { form } = request;
  requireGrant(form, 'password');
  const [email, password] = [required(form, 'username'), required(form, 'password')];
  const scopes = grantedScopes(client, single(form, 'scope'));
  const owner = await issuer.accounts.verify(project, { email, password, storeKey });
  if (owner === undefined) {
    throw apiError('invalid_customer_account_credentials', 'Customer account with the given credentials not found.');
  }
  return startSession(issuer, { client, scopes, owner });
}

/** `POST /oauth/{projectKey}/anonymous/token`: a session of nobody yet. */
export async function issueAnonymousToken(
  issuer: Issuer,
  project: string,
  request: TokenRequest,
): Promise<TokenResponse> {
  const client = await clientOf(issuer, project, request);
  const { form } = request;
  requireGrant(form, 'client_credentials');
  const needed = `create_anonymous_token:${project}`;
  if (!impliesScope(new Set(client.scopes), needed))
    throw apiError('insufficient_scope', `Insufficient scope. The client lacks ${needed}.`);
  const anonymousId = single(form, 'anonymous_id') ?? randomUUID();
  if (!isAnonymousId(anonymousId))
    throw apiError('invalid_request', 'An anonymous_id has 1 to 256 letters, digits and any of . _ ~ -');
  return startSession(issuer, {
    client,
    scopes: grantedScopes(client, single(form, 'scope')),
    owner: { anonymousId },
  });
}

async function limitedClient({ credentials, rateLimit }: Issuer, { authorization }: TokenRequest): Promise<ApiClient> {
  const client = await authenticateClient(credentials, authorization);
  rateLimit.pass(client.id);
  return client;
}

async function clientOf(issuer: Issuer, project: string, request: TokenRequest): Promise<ApiClient> {
  const client = await limitedClient(issuer, request);
  if (client.project !== project) throw invalidClient('The client does not belong to the project of the path.');
  return client;
}

async function issueClientToken(issuer: Issuer, client: ApiClient, form: URLSearchParams): Promise<TokenResponse> {
  const { token, response } = newToken(issuer, client, grantedScopes(client, single(form, 'scope')));
  await issuer.credentials.insertToken(token);
  return response;
}

/** RFC 6749, 6: the scopes of the session, or fewer. The refresh token stays, for the answer may be lost. */
async function refresh(issuer: Issuer, client: ApiClient, form: URLSearchParams): Promise<TokenResponse> {
  const hash = hashOf(required(form, 'refresh_token'));
  const scopes = await issuer.credentials.useRefreshToken(client, hash);
  const ended = (): Error => apiError('invalid_grant', 'The refresh token is unknown, has expired or was revoked.');
  if (scopes === undefined) throw ended();
  const { token, response } = newToken(issuer, client, narrowed(scopes, single(form, 'scope')));
  if (!(await issuer.credentials.insertRefreshed(token, hash))) throw ended();
  return response;
}

/** The scopes asked for, with those that say whose session it is. */
function narrowed(scopes: readonly string[], asked: string | undefined): readonly string[] {
  const wanted = namesIn(asked);
  if (wanted.length === 0) return scopes;
  const held = new Set(scopes);
  const refused = wanted.filter((scope) => !held.has(scope) && !(isScope(scope) && impliesScope(held, scope)));
  if (refused.length > 0) throw refusedScopes('The session does not have the scopes', refused);
  return [...new Set([...wanted, ...scopes.filter((scope) => ownScope.test(scope))])];
}

async function startSession(
  issuer: Issuer,
  session: { readonly client: ApiClient; readonly scopes: readonly string[]; readonly owner: SessionOwner },
): Promise<TokenResponse> {
  const { client, scopes, owner } = session;
  const { token, response } = newToken(issuer, client, [...scopes, ...ownScopes(owner)]);
  const refreshToken = randomSecret();
  const isFree = await issuer.credentials.insertSession({
    access: token,
    refreshHash: hashOf(refreshToken),
    owner,
    ttlSeconds: client.refreshTokenValiditySeconds ?? issuer.refreshTokenSeconds,
  });
  if (!isFree) throw apiError('AnonymousIdAlreadyInUse', 'Another session has the anonymous ID.');
  return { ...response, refresh_token: refreshToken };
}

function newToken(
  { accessTokenSeconds }: Issuer,
  { project, id, accessTokenValiditySeconds }: ApiClient,
  scopes: readonly string[],
): { readonly token: Token; readonly response: TokenResponse } {
  const secret = randomSecret();
  const seconds = accessTokenValiditySeconds ?? accessTokenSeconds;
  const expiresAt = new Date(Date.now() + seconds * 1000);
  return {
    token: { project, hash: hashOf(secret), clientId: id, scopes, expiresAt },
    response: { access_token: secret, expires_in: seconds, scope: scopes.join(' '), token_type: 'Bearer' },
  };
}

function requireGrant(form: URLSearchParams, expected: string): void {
  const grantType = required(form, 'grant_type');
  if (grantType !== expected) throw unsupported(grantType, expected);
}

function unsupported(grantType: string, supported: string): Error {
  const name = grantType.slice(0, 80);
  return apiError('unsupported_grant_type', `The grant type '${name}' is not supported here. Supported: ${supported}.`);
}

function required(form: URLSearchParams, name: string): string {
  const value = single(form, name);
  if (value === undefined) throw apiError('invalid_request', `The parameter ${name} is required.`);
  return value;
}

/** RFC 6749, 3.2: a parameter is sent once at most, and one without a value counts as absent. */
export function single(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name);
  if (values.length > 1) throw apiError('invalid_request', `The parameter ${name} was sent more than once.`);
  return values[0] === '' ? undefined : values[0];
}

const scopesMax = 200;

function namesIn(asked: string | undefined): readonly string[] {
  const names = [...new Set((asked ?? '').split(' ').filter((scope) => scope !== ''))];
  if (names.length > scopesMax) throw apiError('invalid_scope', `At most ${scopesMax} scopes can be asked for.`);
  return names;
}

/** All scopes of the client when none is asked for, else exactly those that it asks for and may hand out. */
function grantedScopes(client: ApiClient, asked: string | undefined): readonly string[] {
  const wanted = namesIn(asked);
  if (wanted.length === 0) return client.scopes;
  const held = new Set(client.scopes);
  const refused = wanted.filter((scope) => !isScope(scope) || !impliesScope(held, scope));
  if (refused.length > 0) throw refusedScopes('The client may not use the scopes', refused);
  return wanted;
}

function refusedScopes(why: string, scopes: readonly string[]): Error {
  return apiError('invalid_scope', `${why}: ${scopes.join(', ').slice(0, 2000)}.`);
}
