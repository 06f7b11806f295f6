import type { Fields } from '../fields/field.ts';
import { inStoreToo, ownerOf, requireShopper, requireViewOfAll, shoppersOf } from './access.ts';
import type { Place, RequestContext, Shopper } from './context.ts';
import type { Endpoint, Mine, Parameters, Resource } from './resource.ts';

/**
 * What is done with resources of a view: one is read by its name, as it is; what there is of them is read, as far as it
 * shows to those who see a part alone (so does GraphQL read one); or they are changed.
 */
export type Use = 'one' | 'many' | 'change';

/** Where something is found, and by whom. */
export interface Entrance {
  /** Below the project, with its parameters in braces: `in-store/key={storeKey}/me/carts`. */
  readonly path: string;
  readonly isInStore: boolean;
  /** The token has to be one of these; undefined where it is any client's. */
  readonly shoppers: readonly Shopper[] | undefined;
  /**
   * What operations keep to. Throws insufficient_scope where the token is not that of a shopper who may enter, or not for
   * what the parameters ask for. Where none can be given, as in GraphQL, what is stored is asked for.
   */
  place(asking: Asking, storeKey: string | undefined, parameters?: Parameters): Place;
}

/**
 * Where resources of a kind are found, and by whom. The paths of REST, the fields of GraphQL, the API's description, what a
 * token needs and what a request sees behind references are all read off the views of a kind.
 */
export interface View extends Entrance {
  /** With the draft, the actions and the key that it has there. */
  readonly resource: Resource;
  /** They are those of the shopper whose token it is. */
  readonly isMine: boolean;
  /** There is one, which needs no name: the shopper. */
  readonly isOne: boolean;
  readonly isReadOnly: boolean;
  /** They are found by name alone, and not listed. */
  readonly isUnlisted: boolean;
  /** Their paths name them by their ids alone. */
  readonly isNamedById: boolean;
  /** Parameters of the query, which say what is found, or how it shows. */
  readonly parameters: Fields;
  /** Scopes of which one is needed; those that end in `:{storeKey}` count for the store of the path alone. */
  readonly scopes: Readonly<Record<Use, readonly string[]>>;
}

/** Where an endpoint answers. */
export interface EndpointView extends Entrance {
  readonly endpoint: Endpoint;
  readonly scopes: readonly string[];
}

type Asking = Pick<RequestContext, 'principal' | 'project'>;

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

/** In the project, and in its stores where it is there too. */
export function endpointViews(resource: Resource, endpoint: Endpoint): readonly EndpointView[] {
  const { shoppers, scopes } = endpoint;
  return [false, true]
    .filter((isInStore) => !isInStore || endpoint.isInStore)
    .map((isInStore) => ({
      endpoint,
      path: pathBelow({ isInStore }, endpointPath(resource, endpoint)),
      isInStore,
      shoppers,
      scopes: scopesAt(scopes, isInStore),
      place: (asking, storeKey) => {
        if (shoppers !== undefined) requireShopper(asking, shoppers);
        return storePlace(storeKey);
      },
    }));
}

/** Of those of an endpoint or a query: scopes for one store alone count nowhere else. */
export function scopesAt(scopes: readonly string[], isInStore: boolean): readonly string[] {
  return isInStore ? scopes : scopes.filter((scope) => !scope.includes(':'));
}

/** The path of an endpoint below the project. */
export function endpointPath({ path: below }: Resource, { path }: Endpoint): string {
  return path.startsWith('/') ? path.slice(1) : `${below}/${path}`;
}

const known = new WeakMap<Resource, readonly View[]>();

function made(resource: Resource, isInStore: boolean): readonly View[] {
  const { inStore, mine, projections } = resource;
  const mount = { isInStore, isReadOnly: isInStore && inStore?.isReadOnly === true };
  const shown = projections.filter(({ projection }) => !isInStore || projection!.storeParameter !== undefined);
  return [
    ...(isInStore && inStore === undefined ? [] : [own(resource, mount)]),
    ...(mine === undefined || (isInStore && inStore === undefined) ? [] : [mineIn(mine, mount)]),
    ...shown.map((projection) => projected(resource, projection, isInStore)),
  ];
}

type Mount = Pick<View, 'isInStore' | 'isReadOnly'>;

function own(resource: Resource, mount: Mount): View {
  const { form, scopes, published } = resource;
  const placed = placedScopes(mount);
  return {
    ...mount,
    isReadOnly: mount.isReadOnly || resource.lifecycle === 'told',
    resource,
    path: pathBelow(mount, resource.path),
    isMine: false,
    isOne: false,
    isUnlisted: false,
    isNamedById: false,
    parameters: form?.parameters ?? {},
    shoppers: undefined,
    scopes: {
      one: placed(scopes.view),
      many: placed([...scopes.view, ...(published?.scopes ?? [])]),
      change: placed(scopes.manage),
    },
    place: (_, storeKey, given) => {
      if (given === undefined || (Object.keys(given).length === 0 && form?.texts === undefined))
        return storePlace(storeKey);
      form?.check?.(given);
      return { ...storePlace(storeKey), shownBy: given };
    },
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
    isUnlisted: false,
    isNamedById: mine.isNamedById === true,
    parameters: {},
    shoppers: shoppersOf(mine),
    scopes: { one: scopes, many: scopes, change: scopes },
    place: (asking, storeKey) => ({
      ...storePlace(storeKey),
      owner: ownerOf(mine, asking),
      // What shows in part does so always.
      ...(mine.resource.shownFields !== mine.resource.fields && { shownBy: {} }),
    }),
  };
}

/** `kind` is what the projection is one of. */
function projected(kind: Resource, resource: Resource, isInStore: boolean): View {
  const { path, scopes, parameters, storeParameter, check, isOfAll } = resource.projection!;
  const others = Object.entries(parameters).filter(([name]) => name !== storeParameter);
  return {
    resource,
    path: pathBelow({ isInStore }, path),
    isInStore,
    isUnlisted: isInStore,
    isNamedById: false,
    isMine: false,
    isOne: false,
    isReadOnly: true,
    parameters: isInStore ? Object.fromEntries(others) : parameters,
    shoppers: undefined,
    scopes: { one: scopes, many: scopes, change: [] },
    place: (asking, storeKey, given = {}) => {
      if (isOfAll(given)) requireViewOfAll(asking, kind);
      check?.(given);
      return { shownBy: isInStore ? { ...given, [storeParameter!]: storeKey, isInStore } : given };
    },
  };
}

/** In a store each scope counts for that store as well. */
function placedScopes({ isInStore }: Mount): (scopes: readonly string[]) => readonly string[] {
  return isInStore ? inStoreToo : (scopes) => scopes;
}

/** A store as operations take it. */
export function storePlace(storeKey: string | undefined): Place {
  return storeKey === undefined ? {} : { storeKey };
}

/** The path below the project of what is `path` in the project or a store. */
function pathBelow({ isInStore }: Pick<View, 'isInStore'>, path: string): string {
  return isInStore ? `in-store/key={storeKey}/${path}` : path;
}
