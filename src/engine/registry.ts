import type { Endpoint, ProjectDeclaration, Registry, Resource } from './resource.ts';

/** Two declarations of one kind are a fault of the program. */
export function createRegistry(resources: readonly Resource[], project: ProjectDeclaration): Registry {
  return {
    project,
    resources,
    byKind: byKind(resources),
  };
}

/** The path of an endpoint below the project. */
export function endpointPath(resource: Pick<Resource, 'path'>, { path }: Endpoint): string {
  return path.startsWith('/') ? path.slice(1) : `${resource.path}/${path}`;
}

function byKind(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  const index = new Map<string, Resource>();
  for (const resource of resources) {
    if (index.has(resource.kind)) throw new Error(`Two resources have the kind ${resource.kind}`);
    index.set(resource.kind, resource);
  }
  return index;
}
