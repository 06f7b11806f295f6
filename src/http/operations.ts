/**
 * The operations of resources: which methods their paths take and which scopes these need. Routes answer by it, and the
 * API's description and the tests list by it.
 */
import { endpointScopes } from '../engine/access.ts';
import type { Endpoint, Resource } from '../engine/resource.ts';
import type { Shopper } from '../engine/context.ts';
import { endpointPath } from '../engine/registry.ts';
import { pathBelow, settingsView, type Use, type View, viewsOf } from '../engine/views.ts';
import type { Method } from './request.ts';

/** What a path of a view names: all of them, those that share the first members of their key, or one of them. */
type Target = 'list' | 'part' | 'item';

export const readMethods: ReadonlySet<Method> = new Set(['GET', 'HEAD']);
const listMethods: ReadonlySet<Method> = new Set([...readMethods, 'POST']);
const itemMethods: ReadonlySet<Method> = new Set([...readMethods, 'POST', 'DELETE']);
/** Of kinds that have no update actions. */
const plainItemMethods: ReadonlySet<Method> = new Set([...readMethods, 'DELETE']);

/** One method of one path. */
export interface Operation {
  readonly resource: Resource;
  readonly method: Method;
  /** With parameters in braces, such as `/{projectKey}/zones/key={key}`. */
  readonly path: string;
  readonly isInStore: boolean;
  readonly place: Target | 'endpoint' | 'settings';
  /** Of endpoints undefined: they say themselves what they keep to. */
  readonly view: View | undefined;
  /** Of the place `endpoint`. */
  readonly endpoint: Endpoint | undefined;
  /** The token has to be one of these; undefined where it is any client's. */
  readonly shoppers: readonly Shopper[] | undefined;
  readonly scopes: readonly string[];
  /** Endpoints that answer instead of a list where a parameter of theirs is given, by its name. */
  readonly byParameter: ReadonlyMap<string, Operation>;
}

const none: Operation['byParameter'] = new Map();

/** All operations of a resource: those of its views, and its endpoints in the project and in stores. */
export function operationsOf(resource: Resource): readonly Operation[] {
  return [false, true].flatMap((isInStore) => [
    ...viewsOf(resource)
      .filter((view) => view.isInStore === isInStore)
      .flatMap((view) => viewOperations(resource, view)),
    ...endpointOperations(resource, isInStore),
  ]);
}

/** The settings of a project, which have no list and are never deleted. */
export function settingsOperations(resource: Resource): readonly Operation[] {
  const view = settingsView(resource);
  return [...listMethods].map((method) => operationOf(view, { method, place: 'settings', suffix: '' }));
}

function viewOperations(resource: Resource, view: View): readonly Operation[] {
  return targetsOf(view).flatMap(({ place, suffix }) =>
    [...methodsOf(view, place)].map((method) => {
      const operation = operationOf(view, { method, place, suffix });
      // Those of shoppers have no such parameters.
      if (place !== 'list' || view.isMine) return operation;
      return { ...operation, byParameter: endpointsInstead(resource, operation) };
    }),
  );
}

interface Named {
  readonly method: Method;
  readonly place: Operation['place'];
  /** Behind the path of the view. */
  readonly suffix: string;
}

function operationOf(view: View, { method, place, suffix }: Named): Operation {
  const { resource, isInStore, shoppers, scopes } = view;
  const path = pathOf(`${view.path}${suffix}`);
  const own = scopes[useOf(method, place)];
  return {
    resource,
    method,
    path,
    isInStore,
    place,
    view,
    endpoint: undefined,
    shoppers,
    scopes: own,
    byParameter: none,
  };
}

function useOf(method: Method, place: Operation['place']): Use {
  if (!readMethods.has(method)) return 'change';
  return place === 'list' ? 'many' : 'one';
}

function pathOf(below: string): string {
  return below === '' ? '/{projectKey}' : `/{projectKey}/${below}`;
}

function methodsOf({ resource, isReadOnly }: View, place: Target): ReadonlySet<Method> {
  if (place === 'part' || isReadOnly) return readMethods;
  if (place === 'list') return listMethods;
  return resource.lifecycle === 'versioned' ? itemMethods : plainItemMethods;
}

function targetsOf({ isOne, resource }: View): readonly { readonly place: Target; readonly suffix: string }[] {
  if (isOne) return [{ place: 'item', suffix: '' }];
  const list = { place: 'list', suffix: '' } as const;
  const segments = resource.keyMembers.map((name) => `/{${name}}`);
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

function endpointOperations(resource: Resource, isInStore: boolean): readonly Operation[] {
  const endpoints = resource.endpoints.filter((endpoint) => !isInStore || endpoint.isInStore);
  return endpoints.flatMap((endpoint) =>
    [...endpointMethods(endpoint)].map((method): Operation => {
      const path = pathOf(pathBelow({ isInStore }, endpointPath(resource, endpoint)));
      const scopes = endpointScopes(endpoint, isInStore);
      const { shoppers } = endpoint;
      const place = 'endpoint';
      return {
        resource,
        method,
        path,
        isInStore,
        place,
        view: undefined,
        endpoint,
        shoppers,
        scopes,
        byParameter: none,
      };
    }),
  );
}

/** Methods of an endpoint: HEAD comes with GET. */
function endpointMethods({ method }: Endpoint): ReadonlySet<Method> {
  return method === 'GET' ? readMethods : new Set([method]);
}

function endpointsInstead(resource: Resource, { method, isInStore }: Operation): Operation['byParameter'] {
  const endpoints = endpointOperations(resource, isInStore).filter((operation) => operation.method === method);
  return new Map(
    endpoints.flatMap((operation) => {
      const name = operation.endpoint!.listParameter;
      return name === undefined ? [] : [[name, operation]];
    }),
  );
}
