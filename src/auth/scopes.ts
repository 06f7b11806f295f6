import { apiError } from '../errors/api-error.ts';
import { scopeName, type ScopeTarget, storeSuffix } from '../engine/access.ts';
import type { Principal } from '../engine/context.ts';
import type { SessionOwner } from './credentials.ts';

/**
 * Throws insufficient_scope unless the token holds one of `needed`. `manage_project` implies all scopes of its
 * project, `manage_x` implies `view_x`, and a project's scope implies the same scope of its stores (decisions.md
 * #113). A needed scope that ends in `:{storeKey}` counts for the store of the path.
 */
export function requireScope(principal: Principal, needed: readonly string[], target: ScopeTarget): void {
  if (needed.some((scope) => isGranted(principal.scopes, scope, target))) return;
  throw apiError(
    'insufficient_scope',
    `Insufficient scope. One of the following scopes is missing: ${needed.map((scope) => scopeName(scope, target)).join(', ')}.`,
  );
}

function isGranted(scopes: ReadonlySet<string>, needed: string, { projectKey, storeKey }: ScopeTarget): boolean {
  if (scopes.has(`manage_project:${projectKey}`)) return true;
  const isOfStore = needed.endsWith(storeSuffix);
  const name = isOfStore ? needed.slice(0, -storeSuffix.length) : needed;
  const sufficient = name.startsWith('view_') ? [name, `manage_${name.slice('view_'.length)}`] : [name];
  return sufficient.some((scope) => {
    if (scopes.has(`${scope}:${projectKey}`)) return true;
    return isOfStore && storeKey !== undefined && scopes.has(`${scope}:${projectKey}:${storeKey}`);
  });
}

const NAME = /^[a-z_]{1,64}$/;
const PROJECT_KEY = /^[a-z0-9_-]{2,36}$/;
const STORE_KEY = /^[A-Za-z0-9_-]{2,256}$/;
const ANONYMOUS_ID = /^[A-Za-z0-9._~-]{1,256}$/;

export function isProjectKey(text: string): boolean {
  return PROJECT_KEY.test(text);
}

/** `name:projectKey` or `name:projectKey:storeKey`. */
export function isScope(scope: string): boolean {
  const [name = '', projectKey = '', storeKey, ...rest] = scope.split(':');
  return (
    NAME.test(name) &&
    isProjectKey(projectKey) &&
    (storeKey === undefined || STORE_KEY.test(storeKey)) &&
    rest.length === 0
  );
}

export function isAnonymousId(text: string): boolean {
  return ANONYMOUS_ID.test(text);
}

/** Whether a client with `granted` may hand out `scope`: it holds the scope, or one that implies it. */
export function impliesScope(granted: ReadonlySet<string>, scope: string): boolean {
  const [name = '', projectKey = '', storeKey] = scope.split(':');
  const needed = storeKey === undefined ? name : `${name}${storeSuffix}`;
  return isGranted(granted, needed, { projectKey, storeKey });
}

/** The scopes that say whose session it is, in both spellings of the specification and the public API (decisions.md #104, #105). */
export function ownScopes(owner: SessionOwner): readonly string[] {
  return 'customerId' in owner
    ? [`customer_id:${owner.customerId}`, `customer:${owner.customerId}`]
    : [`anonymous_id:${owner.anonymousId}`, `anonymous_id=${owner.anonymousId}`];
}

export const ownScope = /^(customer_id|customer|anonymous_id)[:=](.+)$/;

/** Whose session a token with these scopes is. */
export function shopperOf(scopes: readonly string[]): Principal['shopper'] {
  for (const scope of scopes) {
    const [, name, id] = ownScope.exec(scope) ?? [];
    if (name !== undefined && id !== undefined) return { kind: name === 'anonymous_id' ? 'anonymous' : 'customer', id };
  }
  return undefined;
}
