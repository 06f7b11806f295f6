/** What clients ask of tokens that there are: whether they hold (RFC 7662), and that they end (RFC 7009). */
import type { CredentialStore } from './credentials.ts';
import { hashOf } from '../engine/secrets.ts';
import { authenticateClient } from './client.ts';
import { required, type TokenRequest } from './flows.ts';
import { impliesScope } from './scopes.ts';

export type Introspection =
  | { readonly active: false }
  | {
      readonly active: true;
      readonly scope: string;
      /** Seconds since 1970. */
      readonly exp: number;
      readonly client_id: string;
    };

/**
 * What is said of a token does not tell why it is inactive: unknown, expired, revoked, of another project, or of another
 * client where the caller may look at its own alone.
 */
export async function introspect(credentials: CredentialStore, request: TokenRequest): Promise<Introspection> {
  const { project, id, scopes } = await authenticateClient(credentials, request.authorization);
  const secret = required(request.form, 'token');
  const hash = hashOf(secret);
  const [access, refresh] = await Promise.all([
    credentials.findToken(project, hash),
    credentials.findRefreshToken(project, hash),
  ]);
  const token = access ?? refresh;
  const mayLook = token?.clientId === id || impliesScope(new Set(scopes), `introspect_oauth_tokens:${project}`);
  if (token === undefined || !mayLook) return { active: false };
  const exp = Math.floor(token.expiresAt.getTime() / 1000);
  return { active: true, scope: token.scopes.join(' '), exp, client_id: token.clientId };
}

/** Ends a token of the calling client; with a refresh token all access tokens of its session. Others are left alone. */
export async function revoke(credentials: CredentialStore, request: TokenRequest): Promise<void> {
  const client = await authenticateClient(credentials, request.authorization);
  const [secret] = request.form.getAll('token');
  // An invalid request is answered like a done one (specification section 5), so a token_type_hint decides nothing.
  if (secret !== undefined) await credentials.revoke(client, hashOf(secret));
}
