import type { Principal } from '../engine/context.ts';
import { impliesScope, isScope, shopperOf } from './scopes.ts';

/** Who a token with these scopes speaks for. */
export function principalOf(clientId: string, granted: readonly string[]): Principal {
  const scopes = new Set(granted);
  return {
    clientId,
    scopes,
    shopper: shopperOf(granted),
    grants: granted.toSorted().join(' '),
    mayHandOut: (scope) => isScope(scope) && impliesScope(scopes, scope),
  };
}
