/**
 * The operations of resources: which methods their paths take and which scopes these need. Routes answer by it, and the
 * API's description and the tests list by it.
 */
import type { Endpoint, Resource } from '../engine/resource.ts';
import { endpointViews, type Entrance, settingsView, type Use, type View, viewsOf } from '../engine/views.ts';
import type { Fields } from '../fields/field.ts';
import type { Method } from './request.ts';

/** What a path of a view names: all of them, those that share the first members of their key, or one of them. */
type Extent = 'list' | 'part' | 'item';

export const readMethods: ReadonlySet<Method> = new Set(['GET', 'HEAD']);
const listMethods: ReadonlySet<Method> = new Set([...readMethods, 'POST']);
const itemMethods: ReadonlySet<Method> = new Set([...readMethods, 'POST', 'DELETE']);
/** Of kinds that have no update actions. */
const plainItemMethods: ReadonlySet<Method> = new Set([...readMethods, 'DELETE']);

/** One method of one path. */
export interface Operation extends Pick<Entrance, 'isInStore' | 'shoppers' | 'place'> {
  readonly resource: Resource;
  readonly method: Method;
  /** With parameters in braces, such as `/{projectKey}/zones/key={key}`. */
  readonly path: string;
  readonly extent: Extent | 'endpoint' | 'settings';
  /** There is one, which needs no name. */
  readonly isOne: boolean;
  /** Of the query, beside those that all operations of the extent have; those of endpoints may be in the path. */
  readonly parameters: Fields;
  /** Of the extent `endpoint`. */
  readonly endpoint: Endpoint | undefined;
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
  return [...listMethods].map((method) => operationOf(view, { method, extent: 'settings', suffix: '' }));
}

function viewOperations(resource: Resource, view: View): readonly Operation[] {
  return extentsOf(view).flatMap(({ extent, suffix }) =>
    [...methodsOf(view, extent)].map((method) => {
      const operation = operationOf(view, { method, extent, suffix });
      // Those of shoppers have no such parameters, nor have projections.
      if (extent !== 'list' || view.resource !== resource) return operation;
      return { ...operation, byParameter: endpointsInstead(resource, operation) };
    }),
  );
}

interface Named {
  readonly method: Method;
  readonly extent: Operation['extent'];
  /** Behind the path of the view. */
  readonly suffix: string;
}

function operationOf(view: View, { method, extent, suffix }: Named): Operation {
  const { resource, scopes } = view;
  return {
    ...view,
    method,
    path: pathOf(`${view.path}${suffix}`),
    extent,
    endpoint: undefined,
    resource,
    scopes: scopes[useOf(method, extent)],
    byParameter: none,
  };
}

function useOf(method: Method, extent: Operation['extent']): Use {
  if (!readMethods.has(method)) return 'change';
  return extent === 'list' ? 'many' : 'one';
}

function pathOf(below: string): string {
  return below === '' ? '/{projectKey}' : `/{projectKey}/${below}`;
}

function methodsOf({ resource, isReadOnly }: View, extent: Extent): ReadonlySet<Method> {
  if (extent === 'part' || isReadOnly) return readMethods;
  if (extent === 'list') return listMethods;
  if (resource.lifecycle === 'final') return readMethods;
  return resource.lifecycle === 'versioned' ? itemMethods : plainItemMethods;
}

function extentsOf({
  isOne,
  isUnlisted,
  isNamedById,
  resource,
}: View): readonly { readonly extent: Extent; readonly suffix: string }[] {
  if (isOne) return [{ extent: 'item', suffix: '' }];
  const list = { extent: 'list', suffix: '' } as const;
  const segments = resource.keyMembers.map((name) => `/{${name}}`);
  if (segments.length > 1) {
    const parts = segments.slice(1).map((_, index) => segments.slice(0, index + 1).join(''));
    return [
      list,
      ...parts.map((suffix) => ({ extent: 'part' as const, suffix })),
      { extent: 'item', suffix: segments.join('') },
    ];
  }
  const [keyMember] = isNamedById ? [] : resource.keyMembers;
  const byKey = keyMember === undefined ? [] : [{ extent: 'item', suffix: keySegment(keyMember) } as const];
  const named = [...byKey, { extent: 'item', suffix: '/{ID}' } as const];
  return isUnlisted ? named : [list, ...named];
}

/** `/key={key}`, `/order-number={orderNumber}`. */
export function keySegment(member: string): string {
  return `/${member.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}={${member}}`;
}

function endpointOperations(resource: Resource, isInStore: boolean): readonly Operation[] {
  const views = resource.endpoints.flatMap((endpoint) => endpointViews(resource, endpoint));
  return views
    .filter((view) => view.isInStore === isInStore)
    .flatMap((view) =>
      [...endpointMethods(view.endpoint)].map((method): Operation => {
        // Those of a form are its body.
        const parameters = view.endpoint.takesForm ? {} : view.endpoint.parameters;
        const path = pathOf(view.path);
        return { ...view, resource, method, path, extent: 'endpoint', isOne: false, parameters, byParameter: none };
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
