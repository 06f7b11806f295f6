import DataLoader from 'dataloader';
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
  /** Loads what a reference, or a list of them, leads to; all references of one level travel in one batch. */
  expand(value: unknown): Promise<unknown>;
}

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
  const load = async (reference: unknown): Promise<Document | null> => {
    if (!isObject(reference)) return null;
    const resource = engine.registry.byKind.get(String(reference['typeId']));
    if (resource === undefined) return null;
    authorize(resource);
    return loader.load(`${resource.kind}/${String(reference['id'])}`);
  };
  return {
    engine,
    request,
    authorize,
    expand: async (value) => {
      if (!Array.isArray(value)) return load(value);
      const targets = await Promise.all(value.map(load));
      return targets.filter((target) => target !== null);
    },
  };
}
