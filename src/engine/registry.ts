import type { ProjectDeclaration, Registry, Resource } from './resource.ts';

/** Two declarations of one kind are a fault of the program. Internal kinds show through others alone. */
export function createRegistry(
  resources: readonly Resource[],
  project: ProjectDeclaration,
  internal: readonly Resource[] = [],
): Registry {
  return {
    project,
    resources,
    byKind: byKind([...resources, ...internal]),
    messages: resources.find(({ lifecycle }) => lifecycle === 'told'),
  };
}

function byKind(resources: readonly Resource[]): ReadonlyMap<string, Resource> {
  const index = new Map<string, Resource>();
  for (const resource of resources) {
    if (index.has(resource.kind)) throw new Error(`Two resources have the kind ${resource.kind}`);
    index.set(resource.kind, resource);
  }
  return index;
}
