import { CoherentCache, dependencyOn, type Fence, type Made } from '../engine/coherence.ts';
import type { Principal } from '../engine/context.ts';
import { customerKind } from '../engine/accounts.ts';
import { clientKind, type CredentialStore, tokenKind } from './credentials.ts';
import { isUuid } from '../engine/load.ts';
import type { Store } from '../engine/store.ts';
import { isAnonymousId } from './scopes.ts';

/** Shoppers of whom a process remembers whether they are there. */
const shoppersMax = 100_000;

type Shopper = NonNullable<Principal['shopper']>;

/** Whom tokens of other servers name. */
export interface Shoppers {
  /** Whether the customer or the session is there, as of the last passing of the fence. */
  has(project: string, shopper: Shopper): Promise<boolean>;
}

export interface ShopperSources {
  readonly fence: Fence;
  readonly credentials: CredentialStore;
  readonly store: Store;
}

export function createShoppers({ fence, credentials, store }: ShopperSources): Shoppers {
  /** Until when a shopper is there, in milliseconds since 1970; 0 for one who is not. */
  const cache = new CoherentCache<number>(fence, { entriesMax: shoppersMax });
  const look = async (project: string, { kind, id }: Shopper): Promise<Made<number>> => {
    if (kind === 'customer') {
      const [customer] = await store.find(project, [{ kind: customerKind, id }]);
      // The store takes ids in any case; whose things are whose goes by the text.
      const untilMs = customer?.id === id ? Infinity : 0;
      return { value: untilMs, dependencies: [dependencyOn({ project, kind: customerKind, id })] };
    }
    const session = await credentials.findAnonymousSession(project, id);
    // No log tells of sessions that begin.
    if (session === undefined) return { value: 0, dependencies: undefined };
    const { hash, clientId, expiresAt } = session;
    return {
      value: expiresAt.getTime(),
      dependencies: [
        dependencyOn({ project, kind: tokenKind, id: Buffer.from(hash).toString('hex') }),
        dependencyOn({ project, kind: clientKind, id: clientId }),
      ],
    };
  };
  return {
    has: async (project, shopper) => {
      const { kind, id } = shopper;
      if (!(kind === 'customer' ? isUuid(id) : isAnonymousId(id))) return false;
      const untilMs = await cache.get(`${project}/${kind}/${id}`, () => look(project, shopper));
      if (untilMs === 0 || untilMs > Date.now()) return untilMs > 0;
      // No log tells of sessions that go on by a refresh either.
      return (await look(project, shopper)).value > Date.now();
    },
  };
}
