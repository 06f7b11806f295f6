import { Sources } from './coherence.ts';
import type { RequestContext, RequestSignal } from './context.ts';
import type { Engine } from './engine.ts';
import type { Json } from './json.ts';
import { limitedTo, limitsName } from './limited.ts';
import type { Store } from './store.ts';

/**
 * The answer of this name as ready bytes: `make` gives it when none is kept. It reads through the engine that it is
 * handed, which notes what the answer is made from; the answer is kept until some of that changes. Whatever else it
 * depends on has to be in the name. The version of the project's settings always is, and which kinds the principal may
 * see in part alone.
 */
export function answer(
  engine: Engine,
  context: Pick<RequestContext, 'project' | 'principal' | 'signal'>,
  { name, make }: { readonly name: string; make(reading: Engine): Promise<Json> },
): Promise<Buffer> {
  const { project } = context;
  return engine.answers.get(`${project.key}@${project.version}/${limitsName(engine, context)}${name}`, async () => {
    const sources = new Sources(project.key);
    const json = await make(readingThrough(limitedTo(engine, context), sources, context));
    return { value: typeof json === 'string' ? Buffer.from(json) : json, dependencies: sources.dependencies };
  });
}

/** The engine, for what is read through it to be noted, and its queries to be run for this request. */
export function readingThrough(engine: Engine, sources: Sources, request: RequestSignal): Engine {
  return { ...engine, sources, store: noting(engine.store, sources, request) };
}

function noting(store: Store, sources: Sources, request: RequestSignal): Store {
  return {
    ...store,
    find: async (project, lookups) => {
      const found = await store.find(project, lookups);
      for (const [index, { kind, id }] of lookups.entries()) {
        // A resource that takes over a key does so after another gave it up. A key that nobody has can be anybody's next.
        sources.note(kind, found[index]?.id ?? id);
      }
      return found;
    },
    query: (project, query) => {
      sources.note(query.kind);
      return store.query(project, query, request);
    },
    queryVersions: (project, query) => {
      sources.note(query.kind);
      return store.queryVersions(project, query, request);
    },
    count: (project, query) => {
      sources.note(query.kind);
      return store.count(project, query, request);
    },
  };
}
