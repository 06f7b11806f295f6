/** What requests see of resources that others refer to, by expansion, in GraphQL and when a free value names one. */
import { mayViewAll } from './access.ts';
import type { Principal, RequestContext } from './context.ts';
import type { Document, Resource } from './define.ts';
import { isInPlace, ownerAs, type Place } from './place.ts';
import { scopedStores } from './scoped-stores.ts';

/** Whether a resource of the kind is there for the request. */
export type Sees = (document: Document) => boolean;

/** Of whom a request comes, and where. */
type Asking = Pick<RequestContext, 'principal' | 'project'>;

/** Per principal and kind; the cache of tokens keeps principals from request to request. */
const known = new WeakMap<Principal, Map<Resource, Sees | undefined>>();

/**
 * What the request sees of a kind: all, what is in the stores and of the shopper that its token is for, or (undefined)
 * nothing. The declaration says whose sight counts, by `followedBy`.
 */
export function sightOf(asking: Asking, resource: Resource): Sees | undefined {
  if (resource.followedBy === 'anyone') return everything;
  if (resource.followedBy === 'nobody') return undefined;
  const { principal } = asking;
  let kinds = known.get(principal);
  if (kinds === undefined) known.set(principal, (kinds = new Map<Resource, Sees | undefined>()));
  if (!kinds.has(resource)) kinds.set(resource, viewersSight(asking, resource));
  return kinds.get(resource);
}

function everything(): boolean {
  return true;
}

function viewersSight({ principal, project }: Asking, resource: Resource): Sees | undefined {
  const { scopes, inStore, mine } = resource;
  const isHeld = (scope: string): boolean => principal.mayHandOut(scope);
  if (mayViewAll({ principal, project }, resource)) return everything;
  const stores = inStore === undefined ? [] : scopedStores(principal, project.key);
  const places: Place[] = stores
    .filter((storeKey) => scopes.view.some((scope) => isHeld(`${scope}:${project.key}:${storeKey}`)))
    .map((storeKey) => ({ storeKey }));
  const { shopper } = principal;
  if (shopper !== undefined && mine?.owners[shopper.kind] !== undefined) {
    const owner = ownerAs(mine, shopper);
    if (mine.scopes.some((scope) => isHeld(`${scope}:${project.key}`))) places.push({ owner });
    const own = stores.filter((storeKey) => mine.scopes.some((scope) => isHeld(`${scope}:${project.key}:${storeKey}`)));
    places.push(...own.map((storeKey) => ({ owner, storeKey })));
  }
  if (places.length === 0) return undefined;
  return (document) => places.some((place) => isInPlace(resource, document, place));
}
