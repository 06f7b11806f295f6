/** Tokens that are for single stores of a project. */
import { apiError } from '../errors/api-error.ts';
import { isObject } from '../fields/object.ts';
import type { Principal, RequestContext } from './context.ts';
import type { Document } from './document.ts';
import type { Resource } from './resource.ts';

/** The stores for which the principal holds any scope. */
export function scopedStores({ scopes }: Principal, project: string): readonly string[] {
  const stores = [...scopes].flatMap((scope) => {
    const [, ofProject, storeKey] = scope.split(':');
    return ofProject === project && storeKey !== undefined ? [storeKey] : [];
  });
  return [...new Set(stores)];
}

/**
 * Throws insufficient_scope where a token that may write a kind in some stores alone would put a resource into others, or
 * take it out of them. `before` is absent for a new one.
 */
export function requireOwnStores(
  { principal, project }: Pick<RequestContext, 'principal' | 'project'>,
  { writingScopes, inStore }: Resource,
  { before, after }: { readonly before: Document | undefined; readonly after: Document },
): void {
  if (inStore === undefined) return;
  const mayWrite = (place: string): boolean => writingScopes.some((scope) => principal.mayHandOut(`${scope}:${place}`));
  if (mayWrite(project.key)) return;
  const stores = scopedStores(principal, project.key).filter((storeKey) => mayWrite(`${project.key}:${storeKey}`));
  // Who may write in no store is here by other rights.
  if (stores.length === 0) return;
  const [left, entered] = [keysOf(before?.[inStore.member]), keysOf(after[inStore.member])];
  const changed = [
    ...left.filter((storeKey) => !entered.includes(storeKey)),
    ...entered.filter((storeKey) => !left.includes(storeKey)),
  ];
  const stranger = changed.find((storeKey) => !stores.includes(storeKey));
  if (stranger === undefined) return;
  throw apiError('insufficient_scope', `Insufficient scope. The token is not for the store '${stranger}'.`);
}

/** A member that holds a store, or a list of them. */
function keysOf(value: unknown): readonly string[] {
  const links: readonly unknown[] = Array.isArray(value) ? value : [value];
  return links.flatMap((link) => (isObject(link) && typeof link['key'] === 'string' ? [link['key']] : []));
}
