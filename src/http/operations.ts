/**
 * The operations of resources: which methods their paths take and which scopes these need. Routes answer by it, and the
 * API's description and the tests list by it.
 */
import type { Endpoint, Resource } from '../engine/define.ts';
import type { Method } from './request.ts';

/** What a path of a resource names: all of them, those that share the first members of their key, or one of them. */
export type Place = 'list' | 'part' | 'item';

export const readMethods: ReadonlySet<Method> = new Set(['GET', 'HEAD']);
const listMethods: ReadonlySet<Method> = new Set([...readMethods, 'POST']);
const itemMethods: ReadonlySet<Method> = new Set([...readMethods, 'POST', 'DELETE']);
/** Of kinds that have no update actions. */
const plainItemMethods: ReadonlySet<Method> = new Set([...readMethods, 'DELETE']);

export function methodsOf({ lifecycle, inStore }: Resource, place: Place, isInStore: boolean): ReadonlySet<Method> {
  if (place === 'part' || (isInStore && inStore?.isReadOnly === true)) return readMethods;
  if (place === 'list') return listMethods;
  return lifecycle === 'versioned' ? itemMethods : plainItemMethods;
}

/** Scopes of which one is needed. On a store's path each counts for that store as well. */
export function scopesOf({ scopes }: Resource, method: Method, isInStore: boolean): readonly string[] {
  const needed = readMethods.has(method) ? scopes.view : scopes.manage;
  return isInStore ? needed.flatMap((scope) => [scope, `${scope}:{storeKey}`]) : needed;
}

export function endpointScopes({ scopes }: Endpoint, isInStore: boolean): readonly string[] {
  return isInStore ? scopes : scopes.filter((scope) => !scope.includes(':'));
}

/** One method of one path. */
export interface Operation {
  readonly resource: Resource;
  readonly method: Method;
  /** With parameters in braces, such as `/{projectKey}/zones/key={key}`. */
  readonly path: string;
  readonly isInStore: boolean;
  readonly place: Place | 'endpoint' | 'settings';
  /** Of the place `endpoint`. */
  readonly endpoint: Endpoint | undefined;
  readonly scopes: readonly string[];
}

const projectPrefix = '/{projectKey}';
const storePrefix = `${projectPrefix}/in-store/key={storeKey}`;

/** All operations of a resource: lists, items by id and by key, and endpoints, on the project's paths and on a store's. */
export function operationsOf(resource: Resource): readonly Operation[] {
  return [false, true].flatMap((isInStore) => {
    const path = `${isInStore ? storePrefix : projectPrefix}/${resource.path}`;
    const isMounted = !isInStore || resource.inStore !== undefined;
    const places = isMounted ? placesOf(resource) : [];
    const endpoints = resource.endpoints.filter((endpoint) => !isInStore || endpoint.isInStore);
    return [
      ...places.flatMap(({ place, suffix }) =>
        [...methodsOf(resource, place, isInStore)].map((method): Operation => {
          const scopes = scopesOf(resource, method, isInStore);
          return { resource, method, path: `${path}${suffix}`, isInStore, place, endpoint: undefined, scopes };
        }),
      ),
      ...endpoints.flatMap((endpoint) =>
        [...readMethods].map((method): Operation => {
          const scopes = endpointScopes(endpoint, isInStore);
          return { resource, method, path: `${path}/${endpoint.path}`, isInStore, place: 'endpoint', endpoint, scopes };
        }),
      ),
    ];
  });
}

function placesOf({ keyMembers }: Resource): readonly { readonly place: Place; readonly suffix: string }[] {
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
    const scopes = scopesOf(resource, method, false);
    return { resource, method, path: projectPrefix, isInStore: false, place: 'settings', endpoint: undefined, scopes };
  });
}
