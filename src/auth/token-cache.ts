import { ApiError, apiError } from '../errors/api-error.ts';
import { CoherentCache, dependencyOn, type Fence } from '../engine/coherence.ts';
import type { Principal, Project } from '../engine/context.ts';
import { customerKind } from '../engine/accounts.ts';
import { clientKind, type CredentialStore, tokenKind } from './credentials.ts';
import { hashOf } from '../engine/secrets.ts';
import type { ExternalTokens } from './external.ts';
import { principalOf, withoutShopper } from './principal.ts';
import type { Shoppers } from './shoppers.ts';

/** Tokens of which a process remembers the scopes. */
const tokensMax = 100_000;
/** Longer credentials were not issued here. */
const tokenLengthMax = 512;
/** Nor by anybody else. */
const externalTokenLengthMax = 8192;

interface Known {
  readonly principal: Principal;
  readonly expiresAtMs: number;
}

export interface Authenticator {
  /** The principal of an access token for this project. Throws invalid_token. */
  authenticate(project: string, token: string, asked: Asked): Promise<Principal>;
}

/** What is needed for a token that was not issued here. */
export interface Asked {
  /** The project as of the request; undefined when there is none. */
  project(): Promise<Project | undefined>;
  readonly correlationId: string;
}

export interface TokenSources {
  readonly fence: Fence;
  readonly credentials: CredentialStore;
  readonly external: ExternalTokens;
  readonly shoppers: Shoppers;
  /** The project of an access token that was issued here. */
  projectOf(hash: Uint8Array): Promise<string | undefined>;
}

/** Access tokens under the fence: a revocation by any process holds at the very next request. */
export function createAuthenticator({
  fence,
  credentials,
  external,
  shoppers,
  projectOf,
}: TokenSources): Authenticator {
  const cache = new CoherentCache<Known>(fence, { entriesMax: tokensMax });
  const ownPrincipal = async (project: string, token: string): Promise<Principal> => {
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
          dependencyOn({ project, kind: tokenKind, id: hash.toString('hex') }),
          dependencyOn({ project, kind: clientKind, id: clientId }),
          ...(shopper?.kind === 'customer' ? [dependencyOn({ project, kind: customerKind, id: shopper.id })] : []),
        ],
      };
    });
    if (known.expiresAtMs <= Date.now()) throw invalidToken();
    return known.principal;
  };
  return {
    authenticate: async (projectKey, token, asked) => {
      try {
        return await ownPrincipal(projectKey, token);
      } catch (error) {
        if (!(error instanceof ApiError) || token.length > externalTokenLengthMax) throw error;
        const project = await asked.project();
        if (project === undefined) {
          // Who holds a token of another project learns that this one is not there.
          const own = token.length <= tokenLengthMax ? await projectOf(hashOf(token)) : undefined;
          if (own !== undefined) return await ownPrincipal(own, token);
          throw error;
        }
        const principal = await external.principalOf(project, token, asked.correlationId);
        if (principal === undefined) throw error;
        const { shopper } = principal;
        // What is not for shoppers it may do all the same.
        return shopper === undefined || (await shoppers.has(projectKey, shopper))
          ? principal
          : withoutShopper(principal);
      }
    },
  };
}

function invalidToken(): Error {
  return apiError('invalid_token', 'The access token is invalid, has expired or was revoked.');
}
