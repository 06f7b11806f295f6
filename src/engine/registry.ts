import type { Document, Resource } from './define.ts';

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
}

/** Two declarations with one kind, path or type name are a fault of the program. */
export function createRegistry(resources: readonly Resource[], project: ProjectDeclaration): Registry {
  return {
    project,
    resources,
    byKind: indexBy(resources, 'kind'),
    byPath: indexBy(resources, 'path'),
  };
}

function indexBy(resources: readonly Resource[], property: 'kind' | 'path'): ReadonlyMap<string, Resource> {
  const index = new Map<string, Resource>();
  for (const resource of resources) {
    if (index.has(resource[property])) throw new Error(`Two resources have the ${property} ${resource[property]}`);
    index.set(resource[property], resource);
  }
  return index;
}
