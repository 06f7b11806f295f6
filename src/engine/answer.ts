import { type Made, Sources } from './coherence.ts';
import type { RequestContext, RequestSignal } from './context.ts';
import { noteGroups } from './groups.ts';
import type { Engine, Resource } from './resource.ts';
import type { Json } from './json.ts';
import { limitedTo, limitsName } from './lens.ts';
import type { Store } from './store.ts';

/** Who asks, of which kind, and all that is asked: plain values, lists, maps. */
export interface Asked {
  readonly context: Pick<RequestContext, 'project' | 'principal' | 'signal' | 'now'>;
  readonly resource: Pick<Resource, 'kind' | 'typeName'>;
}

export interface Making {
  /** Tells operations apart that may be asked the same. */
  readonly form: string;
  /** What it says depends on what the principal is granted, and not only on which kinds it may see in part alone. */
  readonly isByGrants: boolean;
  /** Reads through the engine that it is handed, which notes what the answer is made from. */
  make(reading: Engine): Promise<Json>;
}

/**
 * The answer to a request as ready bytes, kept until something that it was made from changes; `make` gives it when none is
 * kept. Its name is made here, from all that is asked, so that no operation can forget what its answer depends on.
 */
export function answer(engine: Engine, asked: Asked, { form, isByGrants, make }: Making): Promise<Buffer> {
  const { context } = asked;
  const making = async (): Promise<Made<Buffer>> => {
    const sources = new Sources(context.project.key);
    const json = await make(limitedTo(readingThrough(engine, sources, context), context));
    const { dependencies, until } = sources;
    return { value: typeof json === 'string' ? Buffer.from(json) : json, dependencies, until };
  };
  return engine.answers.get(nameOf(engine, asked, { form, isByGrants }), making, context);
}

/** What clients sent stands in JSON, so no text of theirs can spell the name of another answer. */
function nameOf(
  engine: Engine,
  { context, resource, ...asked }: Asked,
  { form, isByGrants }: Pick<Making, 'form' | 'isByGrants'>,
): string {
  const { project, principal } = context;
  const settings = `${project.key}@${project.version}/${limitsName(engine, context)}`;
  return `${settings}${form} ${resource.kind} ${resource.typeName} ${isByGrants ? principal.grants : ''} ${JSON.stringify(asked, listed)}`;
}

/** JSON has no maps. */
function listed(_: string, value: unknown): unknown {
  return value instanceof Map ? [...(value as ReadonlyMap<unknown, unknown>)] : value;
}

/** The engine, for what is read through it to be noted, and its queries to be run for this request. */
export function readingThrough(engine: Engine, sources: Sources, request: RequestSignal): Engine {
  return { ...engine, sources, store: noting(engine.store, sources, request) };
}

/** Holders of values, what documents name, and secrets are read for writes alone, of which no answer is kept. */
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
    findHolderIds: async (project, lookups) => {
      const ids = await store.findHolderIds(project, lookups);
      // As with keys.
      for (const [index, { kind }] of lookups.entries()) sources.note(kind, ids[index]);
      return ids;
    },
    findGrouped: (project, lookup) => {
      noteGroups(sources, lookup);
      return store.findGrouped(project, lookup);
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
