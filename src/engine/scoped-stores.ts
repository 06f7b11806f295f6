/** Tokens that are for single stores of a project. */
import { apiError } from '../errors/api-error.ts';
import { isObject } from '../fields/object.ts';
import type { Principal, RequestContext } from './context.ts';
import type { Document } from './document.ts';
import type { Wanted } from './load.ts';
import type { Registry, Resource } from './resource.ts';

/** The stores for which the principal holds any scope. */
export function scopedStores({ scopes }: Principal, project: string): readonly string[] {
  const stores = [...scopes].flatMap((scope) => {
    const [, ofProject, storeKey] = scope.split(':');
    return ofProject === project && storeKey !== undefined ? [storeKey] : [];
  });
  return [...new Set(stores)];
}

/** The stores in which alone the principal may write the kind; undefined for whoever may elsewhere, or is here by other rights. */
function ownStores(
  { principal, project }: Pick<RequestContext, 'principal' | 'project'>,
  { writingScopes, inStore }: Resource,
): readonly string[] | undefined {
  if (inStore === undefined) return undefined;
  const mayWrite = (place: string): boolean => writingScopes.some((scope) => principal.mayHandOut(`${scope}:${place}`));
  if (mayWrite(project.key)) return undefined;
  const stores = scopedStores(principal, project.key).filter((storeKey) => mayWrite(`${project.key}:${storeKey}`));
  return stores.length === 0 ? undefined : stores;
}

/**
 * Throws insufficient_scope where a token that may write a kind in some stores alone would put a resource into others, or
 * take it out of them. `before` is absent for a new one.
 */
export function requireOwnStores(
  context: Pick<RequestContext, 'principal' | 'project'>,
  resource: Resource,
  { before, after }: { readonly before: Document | undefined; readonly after: Document },
): void {
  const stores = ownStores(context, resource);
  if (stores === undefined) return;
  const { member } = resource.inStore!;
  const [left, entered] = [keysOf(before?.[member]), keysOf(after[member])];
  const changed = [
    ...left.filter((storeKey) => !entered.includes(storeKey)),
    ...entered.filter((storeKey) => !left.includes(storeKey)),
  ];
  const stranger = changed.find((storeKey) => !stores.includes(storeKey));
  if (stranger === undefined) return;
  throw apiError('insufficient_scope', `Insufficient scope. The token is not for the store '${stranger}'.`);
}

/**
 * What those may name who write the kind in some stores alone: of kinds that are in stores, such as customers, what is in
 * theirs or in none. The rest is to them as if it were not there.
 */
export function storesSight(
  { byKind }: Registry,
  context: Pick<RequestContext, 'principal' | 'project'>,
  resource: Resource,
): NonNullable<Wanted['sees']> {
  const stores = ownStores(context, resource);
  return (kind) => {
    const named = byKind.get(kind)?.inStore;
    if (stores === undefined || named === undefined) return true;
    return (document) => {
      const keys = keysOf(document[named.member]);
      return keys.length === 0 || keys.some((key) => stores.includes(key));
    };
  };
}

/** A member that holds a store, or a list of them. */
function keysOf(value: unknown): readonly string[] {
  const links: readonly unknown[] = Array.isArray(value) ? value : [value];
  return links.flatMap((link) => (isObject(link) && typeof link['key'] === 'string' ? [link['key']] : []));
}
