import { isObject } from '../fields/object.ts';
import type { Predicate } from '../predicate/ast.ts';
import type { Owner, Place, Principal } from './context.ts';
import type { Mine, Resource } from './resource.ts';
import { documentOf } from './json.ts';
import type { Stored } from './store.ts';

/** The owner of what shoppers have of a kind. Throws for a sort of shopper that the kind does not know. */
export function ownerAs({ owners }: Pick<Mine, 'owners'>, { kind, id }: NonNullable<Principal['shopper']>): Owner {
  const member = owners[kind];
  if (member === undefined) throw new Error(`No member names an owner of the kind ${kind}`);
  return { member, id, members: Object.values(owners) };
}

/** The member of a mounted kind that holds its store, or its stores. */
function storeMember(resource: Resource): string {
  if (resource.inStore === undefined) throw new Error(`${resource.kind} has no paths in stores`);
  return resource.inStore.member;
}

export function isEverywhere({ storeKey, owner }: Place): boolean {
  return storeKey === undefined && owner === undefined;
}

/** Whether a resource belongs to the store and the owner of the path. */
export function isInPlace(
  resource: Resource,
  document: Readonly<Record<string, unknown>>,
  { storeKey, owner }: Place,
): boolean {
  if (owner !== undefined && ownerIn(document, owner.member) !== owner.id) return false;
  if (storeKey === undefined) return true;
  const value = document[storeMember(resource)];
  const stores: readonly unknown[] = Array.isArray(value) ? value : [value];
  return stores.some((store) => isObject(store) && store['key'] === storeKey);
}

/** The id of the owner that a member names. */
function ownerIn(document: Readonly<Record<string, unknown>>, member: string): unknown {
  const value = document[member];
  return isObject(value) ? value['id'] : value;
}

/** The same of one that is not read where the path has neither. */
export function isThere(resource: Resource, { json }: Pick<Stored, 'json'>, place: Place): boolean {
  return isEverywhere(place) || isInPlace(resource, documentOf(json), place);
}

/** The conditions that a query in this place adds. */
export function placePredicates(resource: Resource, { storeKey, owner }: Place): readonly Predicate[] {
  return [
    ...(storeKey === undefined ? [] : [inStore(resource, storeKey)]),
    ...(owner === undefined ? [] : [ownedBy(resource, owner)]),
  ];
}

function inStore(resource: Resource, storeKey: string): Predicate {
  const name = storeMember(resource);
  const holds = resource.fields[name]?.kind.shape.class === 'list' ? 'list' : 'one';
  return { kind: 'field', name, holds, test: { kind: 'group', predicate: holding('key', storeKey) } };
}

function ownedBy(resource: Resource, { member, id }: Owner): Predicate {
  if (!isByReference(resource, member)) return holding(member, id);
  return { kind: 'field', name: member, holds: 'one', test: { kind: 'group', predicate: holding('id', id) } };
}

function isByReference({ fields }: Resource, member: string): boolean {
  return fields[member]?.kind.shape.class === 'object';
}

/** The member has the value. */
export function holding(name: string, literal: string): Predicate {
  return { kind: 'field', name, holds: 'one', test: { kind: 'compare', comparison: '=', literal } };
}

/** The draft with the store and the owner of the path, which a resource created there belongs to. */
export function draftInPlace(
  resource: Resource,
  { draft, storeKey, owner }: Place & { readonly draft: unknown },
): unknown {
  if (!isObject(draft)) return draft;
  const owned = owner === undefined ? draft : { ...draft, ...inNameOf(resource, owner) };
  if (storeKey === undefined) return owned;
  const name = storeMember(resource);
  const store = { key: storeKey };
  if (resource.fields[name]?.kind.shape.class !== 'list') return { ...owned, [name]: store };
  const given = draft[name];
  // A value of a wrong type is left for the parser to refuse.
  if (given !== undefined && given !== null && !Array.isArray(given)) return owned;
  return { ...owned, [name]: [...((given ?? []) as readonly unknown[]), store] };
}

/** Nobody creates in the name of another. */
function inNameOf(resource: Resource, { member, id, members }: Owner): Readonly<Record<string, unknown>> {
  const named = isByReference(resource, member) ? { id } : id;
  return { ...Object.fromEntries(members.map((name) => [name, undefined])), [member]: named };
}
