import type { Resource } from '../../src/engine/define.ts';
import { project } from '../../src/resources/project/resource.ts';

/** One method of one path, as the declaration of its resource gives it. */
export interface Operation {
  readonly resource: Resource;
  readonly method: string;
  /** With parameters in braces, such as `/{projectKey}/zones/key={key}`. */
  readonly path: string;
  readonly isInStore: boolean;
  readonly place: 'list' | 'item' | 'endpoint';
  /** Scopes of which one is needed, as the public API's description has them: `view_orders:{storeKey}`. */
  readonly scopes: readonly string[];
}

const inStorePrefix = '/{projectKey}/in-store/key={storeKey}';

/** The settings of a project, which have no list and are never deleted. */
export const projectOperations: readonly Operation[] = ['GET', 'HEAD', 'POST'].map((method) => {
  const { resource } = project;
  const scopes = method === 'POST' ? resource.scopes.manage : resource.scopes.view;
  return { resource, method, path: '/{projectKey}', isInStore: false, place: 'item', scopes };
});

/** All operations of a resource: lists, items by id and by key, and endpoints, on the project's paths and on a store's. */
export function operationsOf(resource: Resource): readonly Operation[] {
  const { path, inStore, endpoints, lifecycle, keyMembers } = resource;
  const reads = ['GET', 'HEAD'];
  const items =
    keyMembers.length > 1
      ? [`/{${keyMembers.join('}/{')}}`]
      : [...(keyMembers.length === 1 ? ['/key={key}'] : []), '/{ID}'];
  const partial = keyMembers.slice(0, -1).map((_, index) => `/{${keyMembers.slice(0, index + 1).join('}/{')}}`);
  const methods = [...reads, ...(lifecycle === 'versioned' ? ['POST'] : []), 'DELETE'];
  const own = [
    ...['', ...partial].map((suffix) => ({
      suffix,
      place: 'list' as const,
      methods: suffix === '' ? [...reads, 'POST'] : reads,
    })),
    ...items.map((suffix) => ({ suffix, place: 'item' as const, methods })),
  ];
  const inProject = own.flatMap(({ suffix, place, methods }) =>
    methods.map((method): Operation => {
      const scopes = reads.includes(method) ? resource.scopes.view : resource.scopes.manage;
      return { resource, method, path: `/{projectKey}/${path}${suffix}`, isInStore: false, place, scopes };
    }),
  );
  const inStores =
    inStore === undefined
      ? []
      : inProject
          .filter(({ method }) => !inStore.isReadOnly || reads.includes(method))
          .map((operation) => ({
            ...operation,
            path: operation.path.replace('/{projectKey}', inStorePrefix),
            isInStore: true,
            scopes: operation.scopes.flatMap((scope) => [scope, `${scope}:{storeKey}`]),
          }));
  const ofEndpoints = endpoints.flatMap((endpoint) =>
    [false, ...(endpoint.isInStore ? [true] : [])].flatMap((isInStore) =>
      reads.map((method): Operation => ({
        resource,
        method,
        path: `${isInStore ? inStorePrefix : '/{projectKey}'}/${path}/${endpoint.path}`,
        isInStore,
        place: 'endpoint',
        scopes: isInStore ? endpoint.scopes : endpoint.scopes.filter((scope) => !scope.includes(':')),
      })),
    ),
  );
  return [...inProject, ...inStores, ...ofEndpoints];
}
