import { inStoreToo, ownerOf, shoppersOf } from './access.ts';
import type { Place, Principal, Shopper } from './context.ts';
import type { Mine, Resource } from './resource.ts';

/**
 * What is done with resources of a view: one is read by its name, as it is; what there is of them is read, as far as it
 * shows to those who see a part alone (so does GraphQL read one); or they are changed.
 */
export type Use = 'one' | 'many' | 'change';

/**
 * Where resources of a kind are found, and by whom. The paths of REST, the fields of GraphQL, the API's description, what a
 * token needs and what a request sees behind references are all read off the views of a kind.
 */
export interface View {
  /** With the draft, the actions and the key that it has there. */
  readonly resource: Resource;
  /** Below the project, with its parameters in braces: `in-store/key={storeKey}/me/carts`. */
  readonly path: string;
  readonly isInStore: boolean;
  /** They are those of the shopper whose token it is. */
  readonly isMine: boolean;
  /** There is one, which needs no name: the shopper. */
  readonly isOne: boolean;
  readonly isReadOnly: boolean;
  /** The token has to be one of these; undefined where it is any client's. */
  readonly shoppers: readonly Shopper[] | undefined;
  /** Scopes of which one is needed; those that end in `:{storeKey}` count for the store of the path alone. */
  readonly scopes: Readonly<Record<Use, readonly string[]>>;
  /** What operations keep to. Throws insufficient_scope where the token is not that of a shopper who has the kind. */
  place(asking: { readonly principal: Principal }, storeKey: string | undefined): Place;
}

/** On the paths of the project, then of its stores, of each those of clients before those of shoppers. */
export function viewsOf(resource: Resource): readonly View[] {
  let views = known.get(resource);
  if (views === undefined)
    known.set(resource, (views = [false, true].flatMap((isInStore) => made(resource, isInStore))));
  return views;
}

/** All of the kind, in the project. */
export function ownView(resource: Resource): View {
  return viewsOf(resource)[0]!;
}

/** The settings of a project, of which there is one. */
export function settingsView(resource: Resource): View {
  return { ...own(resource, { isInStore: false, isReadOnly: false }), isOne: true };
}

const known = new WeakMap<Resource, readonly View[]>();

function made(resource: Resource, isInStore: boolean): readonly View[] {
  const { inStore, mine } = resource;
  if (isInStore && inStore === undefined) return [];
  const mount = { isInStore, isReadOnly: isInStore && inStore!.isReadOnly };
  return [own(resource, mount), ...(mine === undefined ? [] : [mineIn(mine, mount)])];
}

type Mount = Pick<View, 'isInStore' | 'isReadOnly'>;

function own(resource: Resource, mount: Mount): View {
  const { scopes, published } = resource;
  const placed = placedScopes(mount);
  return {
    ...mount,
    resource,
    path: pathBelow(mount, resource.path),
    isMine: false,
    isOne: false,
    shoppers: undefined,
    scopes: {
      one: placed(scopes.view),
      many: placed([...scopes.view, ...(published?.scopes ?? [])]),
      change: placed(scopes.manage),
    },
    place: (_, storeKey) => (storeKey === undefined ? {} : { storeKey }),
  };
}

/** A shopper's operations on a kind all need the same. */
function mineIn(mine: Mine, mount: Mount): View {
  const scopes = placedScopes(mount)(mine.scopes);
  return {
    ...mount,
    resource: mine.resource,
    path: pathBelow(mount, mine.path === '' ? 'me' : `me/${mine.path}`),
    isMine: true,
    isOne: mine.path === '',
    shoppers: shoppersOf(mine),
    scopes: { one: scopes, many: scopes, change: scopes },
    place: (asking, storeKey) => ({ ...(storeKey !== undefined && { storeKey }), owner: ownerOf(mine, asking) }),
  };
}

/** In a store each scope counts for that store as well. */
function placedScopes({ isInStore }: Mount): (scopes: readonly string[]) => readonly string[] {
  return isInStore ? inStoreToo : (scopes) => scopes;
}

/** The path below the project of what is `path` in the project or a store. */
export function pathBelow({ isInStore }: Pick<View, 'isInStore'>, path: string): string {
  return isInStore ? `in-store/key={storeKey}/${path}` : path;
}
