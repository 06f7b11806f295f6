import { apiError } from '../errors/api-error.ts';
import { isObject } from '../fields/object.ts';
import type { Predicate } from '../predicate/ast.ts';
import type { Resource } from './define.ts';
import type { Stored } from './store.ts';

/** The store of the path that a request came by; undefined on a project's own paths. */
export interface InStoreRequest {
  readonly storeKey?: string;
}

/** The member of a mounted kind that holds its store, or its stores. Routes of other kinds have no store. */
function storeMember(resource: Resource): string {
  if (resource.inStore === undefined) throw new Error(`${resource.kind} has no paths in stores`);
  return resource.inStore.member;
}

/** Throws ResourceNotFound for a resource that does not belong to the store of the path. */
export function requireInStore(resource: Resource, { id, text }: Stored, { storeKey }: InStoreRequest): void {
  if (storeKey === undefined) return;
  const document: unknown = JSON.parse(text);
  const value = isObject(document) ? document[storeMember(resource)] : undefined;
  const stores: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (stores.some((store) => isObject(store) && store['key'] === storeKey)) return;
  throw apiError(
    'ResourceNotFound',
    `The ${resource.typeName} with ID '${id}' was not found in the store '${storeKey}'.`,
  );
}

/** The condition that a query on a store's path adds. */
export function inStorePredicates(resource: Resource, { storeKey }: InStoreRequest): readonly Predicate[] {
  if (storeKey === undefined) return [];
  const name = storeMember(resource);
  const isKey: Predicate = {
    kind: 'field',
    name: 'key',
    holds: 'one',
    test: { kind: 'compare', comparison: '=', literal: storeKey },
  };
  const holds = resource.fields[name]?.kind.shape.class === 'list' ? 'list' : 'one';
  return [{ kind: 'field', name, holds, test: { kind: 'group', predicate: isKey } }];
}

/** The draft with the store of the path, which a resource created there belongs to. */
export function draftInStore(
  resource: Resource,
  { draft, storeKey }: InStoreRequest & { readonly draft: unknown },
): unknown {
  if (storeKey === undefined || !isObject(draft)) return draft;
  const name = storeMember(resource);
  const store = { key: storeKey };
  if (resource.fields[name]?.kind.shape.class !== 'list') return { ...draft, [name]: store };
  const given = draft[name];
  // A value of a wrong type is left for the parser to refuse.
  if (given !== undefined && given !== null && !Array.isArray(given)) return draft;
  return { ...draft, [name]: [...((given ?? []) as readonly unknown[]), store] };
}
