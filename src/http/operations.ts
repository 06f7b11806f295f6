/**
 * The operations of resources: which methods their paths take and which scopes these need. Routes answer by it, and the
 * API's description and the tests list by it.
 */
import { endpointScopes, inStoreToo, mineScopes, shoppersOf } from '../engine/access.ts';
import type { Mine, Resource, Shopper } from '../engine/define.ts';
import type { Endpoint } from '../engine/endpoint.ts';
import { endpointPath } from '../engine/registry.ts';
import type { Method } from './request.ts';

/** What a path of a resource names: all of them, those that share the first members of their key, or one of them. */
export type OperationPlace = 'list' | 'part' | 'item';

export const readMethods: ReadonlySet<Method> = new Set(['GET', 'HEAD']);
const listMethods: ReadonlySet<Method> = new Set([...readMethods, 'POST']);
const itemMethods: ReadonlySet<Method> = new Set([...readMethods, 'POST', 'DELETE']);
/** Of kinds that have no update actions. */
const plainItemMethods: ReadonlySet<Method> = new Set([...readMethods, 'DELETE']);

function methodsOf({ lifecycle, inStore }: Resource, place: OperationPlace, isInStore: boolean): ReadonlySet<Method> {
  if (place === 'part' || (isInStore && inStore?.isReadOnly === true)) return readMethods;
  if (place === 'list') return listMethods;
  return lifecycle === 'versioned' ? itemMethods : plainItemMethods;
}

/** Scopes of which one is needed. On a store's path each counts for that store as well. */
function scopesOf(
  { scopes, published }: Resource,
  { method, place, isInStore }: Pick<Operation, 'method' | 'place' | 'isInStore'>,
): readonly string[] {
  const partly = place === 'list' ? (published?.scopes ?? []) : [];
  const needed = readMethods.has(method) ? [...scopes.view, ...partly] : scopes.manage;
  return isInStore ? inStoreToo(needed) : needed;
}

/** Methods of an endpoint: HEAD comes with GET. */
function endpointMethods({ method }: Endpoint): ReadonlySet<Method> {
  return method === 'GET' ? readMethods : new Set([method]);
}

/** One method of one path. */
export interface Operation {
  readonly resource: Resource;
  readonly method: Method;
  /** With parameters in braces, such as `/{projectKey}/zones/key={key}`. */
  readonly path: string;
  readonly isInStore: boolean;
  readonly place: OperationPlace | 'endpoint' | 'settings';
  /** Of the place `endpoint`. */
  readonly endpoint: Endpoint | undefined;
  /** On the paths of shoppers, which keep to what is theirs. */
  readonly mine: Mine | undefined;
  /** The token has to be one of these; undefined where it is any client's. */
  readonly shoppers: readonly Shopper[] | undefined;
  readonly scopes: readonly string[];
  /** Endpoints that answer instead of a list where a parameter of theirs is given, by its name. */
  readonly byParameter: ReadonlyMap<string, Operation>;
}

const projectPrefix = '/{projectKey}';
const storePrefix = `${projectPrefix}/in-store/key={storeKey}`;

/**
 * All operations of a resource: lists, items by id and by key, and endpoints, on the project's paths, on a store's and on
 * a shopper's.
 */
export function operationsOf(resource: Resource): readonly Operation[] {
  return [false, true].flatMap((isInStore) => {
    const isMounted = !isInStore || resource.inStore !== undefined;
    return [
      ...(isMounted ? [...ownOperations(resource, isInStore), ...mineOperations(resource, isInStore)] : []),
      ...endpointOperations(resource, isInStore),
    ];
  });
}

function prefixOf(isInStore: boolean): string {
  return isInStore ? storePrefix : projectPrefix;
}

/** An operation that is nobody's own, and no endpoint. */
const plain = {
  endpoint: undefined,
  mine: undefined,
  shoppers: undefined,
  byParameter: new Map<never, never>(),
} as const;

function ownOperations(resource: Resource, isInStore: boolean): readonly Operation[] {
  return placesOf(resource).flatMap(({ place, suffix }) =>
    [...methodsOf(resource, place, isInStore)].map((method): Operation => {
      const path = `${prefixOf(isInStore)}/${resource.path}${suffix}`;
      const scopes = scopesOf(resource, { method, place, isInStore });
      const own = { ...plain, resource, method, path, isInStore, place, scopes };
      return place === 'list' ? { ...own, byParameter: endpointsInstead(own) } : own;
    }),
  );
}

function endpointsInstead({ resource, method, isInStore }: Operation): Operation['byParameter'] {
  const endpoints = endpointOperations(resource, isInStore).filter((operation) => operation.method === method);
  return new Map(
    endpoints.flatMap((operation) => {
      const name = operation.endpoint!.listParameter;
      return name === undefined ? [] : [[name, operation]];
    }),
  );
}

function mineOperations({ mine }: Resource, isInStore: boolean): readonly Operation[] {
  if (mine === undefined) return [];
  const { path, resource } = mine;
  const places = path === '' ? [{ place: 'item', suffix: '' } as const] : placesOf(resource);
  const mount = { ...plain, resource, isInStore, mine };
  const access = { shoppers: shoppersOf(mine), scopes: mineScopes(mine, isInStore) };
  return places.flatMap(({ place, suffix }) =>
    [...methodsOf(resource, place, isInStore)].map((method): Operation => {
      const below = `${path === '' ? '' : `/${path}`}${suffix}`;
      return { ...mount, ...access, method, place, path: `${prefixOf(isInStore)}/me${below}` };
    }),
  );
}

function endpointOperations(resource: Resource, isInStore: boolean): readonly Operation[] {
  const endpoints = resource.endpoints.filter((endpoint) => !isInStore || endpoint.isInStore);
  return endpoints.flatMap((endpoint) =>
    [...endpointMethods(endpoint)].map((method): Operation => {
      const path = `${prefixOf(isInStore)}/${endpointPath(resource, endpoint)}`;
      const scopes = endpointScopes(endpoint, isInStore);
      const { shoppers } = endpoint;
      return { ...plain, resource, method, path, isInStore, place: 'endpoint', endpoint, shoppers, scopes };
    }),
  );
}

function placesOf({ keyMembers }: Resource): readonly { readonly place: OperationPlace; readonly suffix: string }[] {
  const list = { place: 'list', suffix: '' } as const;
  const segments = keyMembers.map((name) => `/{${name}}`);
  if (segments.length > 1) {
    const parts = segments.slice(1).map((_, index) => segments.slice(0, index + 1).join(''));
    return [
      list,
      ...parts.map((suffix) => ({ place: 'part' as const, suffix })),
      { place: 'item', suffix: segments.join('') },
    ];
  }
  const byKey = segments.length === 1 ? [{ place: 'item', suffix: '/key={key}' } as const] : [];
  return [list, ...byKey, { place: 'item', suffix: '/{ID}' }];
}

/** The settings of a project, which have no list and are never deleted. */
export function settingsOperations(resource: Resource): readonly Operation[] {
  return [...listMethods].map((method) => {
    const scopes = scopesOf(resource, { method, place: 'settings', isInStore: false });
    return { ...plain, resource, method, path: projectPrefix, isInStore: false, place: 'settings', scopes };
  });
}
