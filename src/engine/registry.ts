import type { Document, Mine, Resource } from './define.ts';
import type { Endpoint } from './endpoint.ts';

/** The settings of a project: declared like a resource, and stored with the project. */
export interface ProjectDeclaration {
  readonly resource: Resource;
  /** What clients see of the settings. */
  shown(document: Document): Document;
}

/** The resources of the platform, found by kind and by path. */
export interface Registry {
  readonly project: ProjectDeclaration;
  readonly resources: readonly Resource[];
  readonly byKind: ReadonlyMap<string, Resource>;
  readonly byPath: ReadonlyMap<string, Resource>;
  /** By path below the project, without the parameter that it may have. */
  readonly endpoints: ReadonlyMap<string, EndpointGroup>;
  /** By path below `/me`. */
  readonly mine: ReadonlyMap<string, Mine>;
}

/** The endpoints of one path, by method. */
export interface EndpointGroup {
  readonly resource: Resource;
  /** Name of the parameter in the path. */
  readonly parameter: string | undefined;
  readonly byMethod: ReadonlyMap<Endpoint['method'], Endpoint>;
}

/** Two declarations with one kind, path or type name are a fault of the program. */
export function createRegistry(resources: readonly Resource[], project: ProjectDeclaration): Registry {
  return {
    project,
    resources,
    byKind: indexBy(resources, 'kind'),
    byPath: indexBy(resources, 'path'),
    endpoints: endpointsByPath(resources),
    mine: new Map(resources.flatMap(({ mine }) => (mine === undefined ? [] : [[mine.path, mine]]))),
  };
}

/** The path of an endpoint below the project. */
export function endpointPath(resource: Pick<Resource, 'path'>, { path }: Endpoint): string {
  return path.startsWith('/') ? path.slice(1) : `${resource.path}/${path}`;
}

function endpointsByPath(resources: readonly Resource[]): ReadonlyMap<string, EndpointGroup> {
  const index = new Map<string, EndpointGroup & { readonly byMethod: Map<Endpoint['method'], Endpoint> }>();
  for (const resource of resources) {
    for (const endpoint of resource.endpoints) {
      const full = endpointPath(resource, endpoint);
      const [placeholder = '', parameter] = /\{(\w+)\}/.exec(full) ?? [];
      const path = full.replace(placeholder, '');
      const group = index.get(path) ?? { resource, parameter, byMethod: new Map<Endpoint['method'], Endpoint>() };
      if (group.byMethod.has(endpoint.method)) throw new Error(`Two endpoints have the path ${path}`);
      group.byMethod.set(endpoint.method, endpoint);
      index.set(path, group);
    }
  }
  return index;
}

function indexBy(resources: readonly Resource[], property: 'kind' | 'path'): ReadonlyMap<string, Resource> {
  const index = new Map<string, Resource>();
  for (const resource of resources) {
    if (index.has(resource[property])) throw new Error(`Two resources have the ${property} ${resource[property]}`);
    index.set(resource[property], resource);
  }
  return index;
}
