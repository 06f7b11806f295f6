import { apiError } from '../errors/api-error.ts';
import { CoherentCache, type Fence } from '../engine/coherence.ts';
import type { Principal } from '../engine/context.ts';
import { clientKind, type CredentialStore, customerKind, tokenKind } from '../engine/credentials.ts';
import { hashOf } from '../engine/secrets.ts';
import { impliesScope, isScope, shopperOf } from './scopes.ts';

/** Tokens of which a process remembers the scopes. */
const tokensMax = 100_000;
/** Longer credentials were not issued here. */
const tokenLengthMax = 512;

interface Known {
  readonly principal: Principal;
  readonly expiresAtMs: number;
}

export interface Authenticator {
  /** The principal of an access token for this project. Throws invalid_token. */
  authenticate(project: string, token: string): Promise<Principal>;
}

/** Access tokens under the fence: a revocation by any process holds at the very next request. */
export function createAuthenticator(fence: Fence, credentials: CredentialStore): Authenticator {
  const cache = new CoherentCache<Known>(fence, { entriesMax: tokensMax });
  return {
    authenticate: async (project, token) => {
      if (token.length > tokenLengthMax) throw invalidToken();
      const known = await cache.get(`${project}/${token}`, async () => {
        const hash = hashOf(token);
        const found = await credentials.findToken(project, hash);
        // Unknown tokens are not cached: anybody could fill the cache with them.
        if (found === undefined) throw invalidToken();
        const { clientId, scopes, expiresAt } = found;
        const principal = principalOf(clientId, scopes);
        const { shopper } = principal;
        return {
          value: { principal, expiresAtMs: expiresAt.getTime() },
          dependencies: [
            { project, kind: tokenKind, id: hash.toString('hex') },
            { project, kind: clientKind, id: clientId },
            ...(shopper?.kind === 'customer' ? [{ project, kind: customerKind, id: shopper.id }] : []),
          ],
        };
      });
      if (known.expiresAtMs <= Date.now()) throw invalidToken();
      return known.principal;
    },
  };
}

function principalOf(clientId: string, granted: readonly string[]): Principal {
  const scopes = new Set(granted);
  return {
    clientId,
    scopes,
    shopper: shopperOf(granted),
    grants: granted.toSorted().join(' '),
    mayHandOut: (scope) => isScope(scope) && impliesScope(scopes, scope),
  };
}

function invalidToken(): Error {
  return apiError('invalid_token', 'The access token is invalid, has expired or was revoked.');
}
