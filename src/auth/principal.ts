import type { Principal } from '../engine/context.ts';
import { isKnownScope } from './scope-names.ts';
import { impliesScope, ownScope, shopperOf } from './scopes.ts';

/** Who a token with these scopes speaks for. */
export function principalOf(clientId: string, granted: readonly string[]): Principal {
  const scopes = new Set(granted);
  const shopper = shopperOf(granted);
  // Of several that the scopes name, the first is the shopper.
  const named = shopper === undefined ? [] : [`${shopper.kind}:${shopper.id}`];
  return {
    clientId,
    scopes,
    shopper,
    grants: [...named, ...granted.toSorted()].join(' '),
    mayHandOut: (scope) => isKnownScope(scope) && impliesScope(scopes, scope),
  };
}

/** The same client, with no scope that says whose session it is. */
export function withoutShopper({ clientId, scopes }: Principal): Principal {
  return principalOf(
    clientId,
    [...scopes].filter((scope) => !ownScope.test(scope)),
  );
}
