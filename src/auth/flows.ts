/**
 * The token endpoint. It decides on credentials, grants and scopes; it knows forms and errors of OAuth 2.0, and no
 * HTTP beyond the two header values and the body that it is handed.
 */
import { apiError } from '../errors/api-error.ts';
import type { ApiClient, CredentialStore } from '../engine/credentials.ts';
import { hashOf, isSecretOf, randomSecret } from '../engine/secrets.ts';
import { impliesScope, isScope } from './scopes.ts';

/** Lifetime of an access token whose client says nothing else (specification section 5). */
const accessTokenTtlSeconds = 172_800;

export interface TokenRequest {
  /** Value of the Authorization header. */
  readonly authorization: string;
  /** The body, and the query string as the public API's description has it. */
  readonly form: URLSearchParams;
}

export interface TokenResponse {
  readonly access_token: string;
  readonly expires_in: number;
  readonly scope: string;
  readonly token_type: 'Bearer';
}

export async function issueToken(credentials: CredentialStore, request: TokenRequest): Promise<TokenResponse> {
  const client = await authenticateClient(credentials, request.authorization);
  const grantType = single(request.form, 'grant_type');
  if (grantType === undefined) throw apiError('invalid_request', 'The parameter grant_type is required.');
  if (grantType !== 'client_credentials') {
    throw apiError(
      'unsupported_grant_type',
      `The grant type '${grantType}' is not supported. Supported: client_credentials.`,
    );
  }
  const scopes = grantedScopes(client, single(request.form, 'scope'));
  const token = randomSecret();
  const ttlSeconds = client.accessTokenValiditySeconds ?? accessTokenTtlSeconds;
  await credentials.insertToken({
    project: client.project,
    hash: hashOf(token),
    clientId: client.id,
    scopes,
    expiresAt: new Date(Date.now() + ttlSeconds * 1000),
  });
  return { access_token: token, expires_in: ttlSeconds, scope: scopes.join(' '), token_type: 'Bearer' };
}

/** Compared with when a client is unknown, so that both cases take the same time. */
const nobodysHash = hashOf(randomSecret());

async function authenticateClient(credentials: CredentialStore, authorization: string): Promise<ApiClient> {
  const basic = /^basic +([A-Za-z0-9+/=_-]+)$/i.exec(authorization)?.[1];
  if (basic === undefined)
    throw invalidClient('The request needs HTTP Basic authentication with the client id and secret.');
  const [id, secret] = splitCredentials(Buffer.from(basic, 'base64').toString('utf8'));
  const client = await credentials.findClient(id);
  const isGenuine = isSecretOf(client?.secretHash ?? nobodysHash, secret);
  if (client === undefined || !isGenuine) throw invalidClient('The client id or secret is wrong.');
  return client;
}

/** RFC 6749, 2.3.1: both halves are form-encoded before they are joined; ids and secrets of ours need no encoding. */
function splitCredentials(text: string): readonly [string, string] {
  const colon = text.indexOf(':');
  if (colon < 0) throw invalidClient('The Basic credentials lack a colon.');
  return [decoded(text.slice(0, colon)), decoded(text.slice(colon + 1))];
}

function decoded(half: string): string {
  try {
    return decodeURIComponent(half.replaceAll('+', ' '));
  } catch {
    throw invalidClient('The Basic credentials are not form-encoded.');
  }
}

function invalidClient(message: string): Error {
  return apiError('invalid_client', message);
}

function single(form: URLSearchParams, name: string): string | undefined {
  const values = form.getAll(name);
  if (values.length > 1) throw apiError('invalid_request', `The parameter ${name} was sent more than once.`);
  return values[0];
}

const scopesMax = 200;

/** All scopes of the client when none is asked for, else exactly those that it asks for and may hand out. */
function grantedScopes(client: ApiClient, asked: string | undefined): readonly string[] {
  const wanted = [...new Set((asked ?? '').split(' ').filter((scope) => scope !== ''))];
  if (wanted.length === 0) return client.scopes;
  if (wanted.length > scopesMax) throw apiError('invalid_scope', `At most ${scopesMax} scopes can be asked for.`);
  const held = new Set(client.scopes);
  const refused = wanted.filter((scope) => !isScope(scope) || !impliesScope(held, scope));
  if (refused.length > 0) throw apiError('invalid_scope', `The client may not use the scopes: ${refused.join(', ')}.`);
  return wanted;
}
