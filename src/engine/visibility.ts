/** What requests see of resources that others refer to, by expansion, in GraphQL and when a free value names one. */
import { scopeName } from './access.ts';
import type { Principal, RequestContext } from './context.ts';
import type { Document } from './document.ts';
import type { Nameable } from './load.ts';
import type { Registry, Resource } from './resource.ts';
import { isEverywhere, isInPlace, ownerAs } from './place.ts';
import { scopedStores } from './scoped-stores.ts';
import { viewsOf } from './views.ts';

/** What the request sees of a resource of the kind; undefined where it is not there for it. */
export type Sees = (document: Document) => Document | undefined;

/** Of whom a request comes, and where. */
type Asking = Pick<RequestContext, 'principal' | 'project'>;

/** Per principal and kind; the cache of tokens keeps principals from request to request. */
const known = new WeakMap<Principal, Map<Resource, Sees | undefined>>();

/**
 * What the request sees of a kind: all, what is in the stores and of the shopper that its token is for, or (undefined)
 * nothing. The declaration says whose sight counts, by `followedBy`.
 */
export function sightOf(asking: Asking, resource: Resource): Sees | undefined {
  if (resource.followedBy === 'anyone' || resource.followedBy === 'holders') return everything;
  return resource.followedBy === 'nobody' ? undefined : viewersSight(asking, resource);
}

function viewersSight(asking: Asking, resource: Resource): Sees | undefined {
  const { principal } = asking;
  let kinds = known.get(principal);
  if (kinds === undefined) known.set(principal, (kinds = new Map<Resource, Sees | undefined>()));
  if (!kinds.has(resource)) kinds.set(resource, sightInPlaces(asking, resource));
  return kinds.get(resource);
}

function everything(document: Document): Document {
  return document;
}

function sightInPlaces({ principal, project }: Asking, resource: Resource): Sees | undefined {
  const { shopper } = principal;
  const stores = scopedStores(principal, project.key);
  const places = viewsOf(resource)
    .filter((view) => view.resource.projection === undefined)
    .filter(({ shoppers }) => shoppers === undefined || (shopper !== undefined && shoppers.includes(shopper.kind)))
    .flatMap((view) =>
      (view.isInStore ? stores : [undefined])
        .filter((storeKey) => view.scopes.one.some((scope) => isHeld({ principal, project }, scope, storeKey)))
        .map((storeKey) => ({ form: view.resource.form, ...view.place({ principal, project }, storeKey) })),
    );
  if (places.some(isEverywhere)) return everything;
  if (places.length === 0) return undefined;
  // Who sees the whole in one place sees it, though another shows a part.
  return (document) => {
    const there = places.filter((place) => isInPlace(resource, document, place));
    const place = there.find(({ shownBy }) => shownBy === undefined) ?? there[0];
    if (place === undefined) return undefined;
    return place.shownBy === undefined ? document : place.form!.shown(document, place.shownBy, undefined);
  };
}

/** A scope of a view, which in a store may be one for it alone. */
function isHeld({ principal, project }: Asking, scope: string, storeKey: string | undefined): boolean {
  return principal.mayHandOut(scopeName(scope, { projectKey: project.key, storeKey }));
}

/**
 * What a value may name that names whatever its client likes: where that led to more than the request sees, anybody would hold
 * a link to it.
 */
export function freelyNameable(asking: Asking, resource: Resource): Nameable {
  return nameableIn(resource.followedBy === 'holders' ? viewersSight(asking, resource) : sightOf(asking, resource));
}

export function nameableIn(sees: Sees | undefined): Nameable {
  if (sees === undefined || sees === everything) return sees !== undefined;
  return (document) => sees(document) !== undefined;
}

/**
 * What shoppers name in changes of what is theirs: of kinds that shoppers have, such as payments, nothing but their own. What
 * is another's is to them as if it were not there.
 */
export function ownSight({ byKind }: Registry, { principal }: Pick<Asking, 'principal'>): (kind: string) => Nameable {
  // Nobody else has paths of an owner.
  const shopper = principal.shopper!;
  return (kind) => {
    const resource = byKind.get(kind);
    const mine = resource?.mine;
    if (resource === undefined || mine === undefined) return true;
    if (mine.owners[shopper.kind] === undefined) return false;
    return (document) => isInPlace(resource, document, { owner: ownerAs(mine, shopper) });
  };
}
