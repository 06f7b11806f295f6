import type { Document, Resource } from './define.ts';
import type { Endpoint } from './endpoint.ts';

/** The settings of a project: declared like a resource, and stored with the project. */
export interface ProjectDeclaration {
  readonly resource: Resource;
  /** What clients see of the settings. */
  shown(document: Document): Document;
}

/** The resources of the platform, found by kind. */
export interface Registry {
  readonly project: ProjectDeclaration;
  readonly resources: readonly Resource[];
  readonly byKind: ReadonlyMap<string, Resource>;
}

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
