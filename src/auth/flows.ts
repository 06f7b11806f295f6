/**
 * The flows that issue tokens (specification section 5). They decide on credentials, grants and scopes; they know forms
 * and errors of OAuth 2.0, and no HTTP beyond the header value and the body that they are handed.
 */
import { randomUUID } from 'node:crypto';
import { type Accounts, emailLengthMax } from '../engine/accounts.ts';
import type { ApiClient, CredentialStore, SessionOwner, Token } from './credentials.ts';
import { passwordLengthMax } from '../engine/passwords.ts';
import { hashOf, randomSecret } from '../engine/secrets.ts';
import { apiError } from '../errors/api-error.ts';
import { authenticateClient, invalidClient } from './client.ts';
import type { RateLimit } from './rate-limit.ts';
import { isKnownScope } from './scope-names.ts';
import { impliesScope, isAnonymousId, ownScope, ownScopes } from './scopes.ts';

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
  const owner = await issuer.accounts.verify(project, {
    email,
    password,
    storeKey,
    caller: { id: client.id, isShopper: false },
  });
  if (owner === undefined) {
    throw apiError('invalid_customer_account_credentials', 'Customer account with the given credentials not found.');
  }
  return startSession(issuer, { client, scopes, owner, isRefreshed: mayBeRefreshed(form) });
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
    isRefreshed: mayBeRefreshed(form),
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
  // Older clients look for this text.
  const ended = (): Error => apiError('invalid_grant', 'The refresh token was not found. It may have expired.');
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
  if (!wanted.every((scope) => held.has(scope) || (isKnownScope(scope) && impliesScope(held, scope))))
    throw invalidScope();
  return [...new Set([...wanted, ...scopes.filter((scope) => ownScope.test(scope))])];
}

async function startSession(
  issuer: Issuer,
  session: {
    readonly client: ApiClient;
    readonly scopes: readonly string[];
    readonly owner: SessionOwner;
    readonly isRefreshed: boolean;
  },
): Promise<TokenResponse> {
  const { client, scopes, owner, isRefreshed } = session;
  const { token, response } = newToken(issuer, client, [...scopes, ...ownScopes(owner)]);
  const refreshToken = randomSecret();
  const isFree = await issuer.credentials.insertSession({
    access: token,
    refreshHash: hashOf(refreshToken),
    owner,
    ttlSeconds: client.refreshTokenValiditySeconds ?? issuer.refreshTokenSeconds,
  });
  if (!isFree) throw apiError('AnonymousIdAlreadyInUse', 'Another session has the anonymous ID.');
  // The session has one all the same, which nobody is told: it says how long the anonymous ID is taken.
  return isRefreshed ? { ...response, refresh_token: refreshToken } : response;
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

/** A client that will not use a refresh token says so. */
function mayBeRefreshed(form: URLSearchParams): boolean {
  const asked = single(form, 'refresh_token') ?? 'true';
  if (asked === 'true' || asked === 'false') return asked === 'true';
  throw apiError('invalid_request', 'The parameter refresh_token has to be true or false.');
}

function requireGrant(form: URLSearchParams, expected: string): void {
  const grantType = required(form, 'grant_type');
  if (grantType !== expected) throw unsupported(grantType, expected);
}

function unsupported(grantType: string, supported: string): Error {
  const name = grantType.slice(0, 80);
  return apiError('unsupported_grant_type', `The grant type '${name}' is not supported here. Supported: ${supported}.`);
}

export function required(form: URLSearchParams, name: string): string {
  const value = single(form, name);
  if (value === undefined) throw apiError('invalid_request', `The parameter ${name} is required.`);
  return value;
}

/** RFC 6749, 3.2: a parameter is sent once at most, and one without a value counts as absent. */
function single(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name);
  if (values.length > 1) throw apiError('invalid_request', `The parameter ${name} was sent more than once.`);
  const [value = ''] = values;
  const lengthMax = lengthsMax.get(name) ?? otherLengthMax;
  if (value.length > lengthMax)
    throw apiError('invalid_request', `The parameter ${name} has more than ${lengthMax} characters.`);
  return value === '' ? undefined : value;
}

/** Characters of parameters. Tokens of other servers have up to 8,192. */
const otherLengthMax = 256;
const lengthsMax: ReadonlyMap<string, number> = new Map([
  ['username', emailLengthMax],
  ['password', passwordLengthMax],
  ['scope', 32_768],
  ['token', 8192],
  ['refresh_token', 8192],
]);

const scopesMax = 200;

function namesIn(asked: string | undefined): readonly string[] {
  const names = [...new Set((asked ?? '').split(' ').filter((scope) => scope !== ''))];
  if (names.length > scopesMax) throw apiError('invalid_scope', `At most ${scopesMax} scopes can be asked for.`);
  return names;
}

/** All scopes of the client when none is asked for, else exactly those that it asks for and may hand out. */
function grantedScopes(client: ApiClient, asked: string | undefined): readonly string[] {
  const wanted = namesIn(asked);
  if (wanted.length === 0) return client.scopes.filter(isKnownScope);
  const held = new Set(client.scopes);
  if (!wanted.every((scope) => isKnownScope(scope) && impliesScope(held, scope))) throw invalidScope();
  return wanted;
}

/** A scope that there is not, or that the client or session does not have. Older clients look for this text. */
function invalidScope(): Error {
  return apiError('invalid_scope', 'Malformed parameter: scope: Invalid scope.');
}
