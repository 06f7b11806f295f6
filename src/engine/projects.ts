import { apiError } from '../errors/api-error.ts';
import { CoherentCache, dependencyOn, type Fence } from './coherence.ts';
import type { Project } from './context.ts';

/** Kind of a project in the change log. */
export const projectKind = 'project';

const projectsMax = 10_000;

/** Reads the project with this key. */
export type ReadProject = (key: string) => Promise<Project | undefined>;

export interface Projects {
  /** The project as of the last passing of the fence. Throws ResourceNotFound. */
  get(key: string): Promise<Project>;
}

export function createProjects(fence: Fence, read: ReadProject): Projects {
  const cache = new CoherentCache<Project>(fence, { entriesMax: projectsMax });
  return {
    get: (key) =>
      cache.get(key, async () => {
        const project = await read(key);
        // A missing project is not cached: anybody could fill the cache with keys.
        if (project === undefined) throw apiError('ResourceNotFound', `The project '${key}' was not found.`);
        return { value: project, dependencies: [dependencyOn({ project: key, kind: projectKind, id: key })] };
      }),
  };
}

/** A resource that a project has from the start. */
export interface FirstDocument {
  readonly kind: string;
  readonly id: string;
  readonly key: string;
  readonly json: string;
}
