import DataLoader from 'dataloader';
import type { Dependency } from '../engine/coherence.ts';
import type { RequestContext } from '../engine/context.ts';
import type { Document, Resource } from '../engine/define.ts';
import type { Engine } from '../engine/engine.ts';
import { isObject } from '../fields/object.ts';

/** What resolvers know of the request whose query they answer. */
export interface QueryContext {
  readonly engine: Engine;
  readonly request: RequestContext;
  /** Throws insufficient_scope unless the token may read this resource. */
  authorize(resource: Resource): void;
  /** Notes what the answer is made from: a resource, or (without id) all of a kind. */
  dependsOn(kind: string, id?: string): void;
  /** What the answer was made from so far. */
  dependencies(): readonly Dependency[];
  /** Loads what a reference, or a list of them, leads to; all references of one level travel in one batch. */
  expand(value: unknown): Promise<unknown>;
}

/** Resources that an answer names; one made from more depends on their kinds as a whole. */
const dependenciesMax = 500;
/** Targets that one batch reads; a larger level is read in several. */
const batchMax = 1000;

export function createQueryContext(
  engine: Engine,
  request: RequestContext,
  authorize: (resource: Resource) => void,
): QueryContext {
  const loader = new DataLoader<string, Document | null>(
    async (names) => {
      const lookups = names.map((name) => {
        const slash = name.indexOf('/');
        return { kind: name.slice(0, slash), id: name.slice(slash + 1) };
      });
      const found = await engine.store.find(request.project.key, lookups);
      // Stored texts are documents; a target that is gone reads as null.
      return found.map((stored) => (stored === undefined ? null : (JSON.parse(stored.text) as Document)));
    },
    { maxBatchSize: batchMax },
  );
  const project = request.project.key;
  let dependencies = new Map<string, Dependency>();
  const dependsOn = (kind: string, id?: string): void => {
    dependencies.set(id === undefined ? kind : `${kind}/${id}`, { project, kind, ...(id !== undefined && { id }) });
    if (dependencies.size <= dependenciesMax) return;
    const kinds = new Set([...dependencies.values()].map((dependency) => dependency.kind));
    dependencies = new Map([...kinds].map((name) => [name, { project, kind: name }]));
  };
  const load = async (reference: unknown): Promise<Document | null> => {
    if (!isObject(reference)) return null;
    const resource = engine.registry.byKind.get(String(reference['typeId']));
    if (resource === undefined) return null;
    authorize(resource);
    dependsOn(resource.kind, String(reference['id']));
    return loader.load(`${resource.kind}/${String(reference['id'])}`);
  };
  return {
    engine,
    request,
    authorize,
    dependsOn,
    dependencies: () => [...dependencies.values()],
    expand: async (value) => {
      if (!Array.isArray(value)) return load(value);
      const targets = await Promise.all(value.map(load));
      return targets.filter((target) => target !== null);
    },
  };
}
