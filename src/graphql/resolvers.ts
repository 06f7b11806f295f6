import DataLoader from 'dataloader';
import type { Dependency } from '../engine/coherence.ts';
import type { RequestContext } from '../engine/context.ts';
import type { Document, Resource } from '../engine/define.ts';
import type { Engine } from '../engine/engine.ts';
import type { Place } from '../engine/place.ts';
import { isObject } from '../fields/object.ts';

export type Use = keyof Resource['scopes'];

/** What resolvers know of the request whose query they answer. */
export interface QueryContext {
  readonly engine: Engine;
  readonly request: RequestContext;
  /** Throws insufficient_scope unless the token may read, or change, this resource. */
  authorize(resource: Pick<Resource, 'scopes'>, use: Use, place?: Place): void;
  /** Notes what the answer is made from: a resource, or (without id) all of a kind. */
  dependsOn(kind: string, id?: string): void;
  /** Notes that the answer is made from more than can be told: it is not kept. */
  dependsOnMore(): void;
  /** What the answer was made from so far; undefined when it is not to be kept. */
  dependencies(): readonly Dependency[] | undefined;
  /** Drops what was loaded, for a mutation may have changed it. */
  forget(): void;
  /** Loads what a reference, or a list of them, leads to; all references of one level travel in one batch. */
  expand(value: unknown): Promise<unknown>;
}

/** Resources that an answer names; one made from more depends on their kinds as a whole. */
const dependenciesMax = 500;
const keyPrefix = 'key=';

/** Kinds of the documents that references led to, for fields whose type is an interface. */
const kinds = new WeakMap<object, string>();

/** Stored texts are documents; a target that is gone reads as null. */
function documentOf(text: string, kind: string): Document {
  const document = JSON.parse(text) as Document;
  kinds.set(document, kind);
  return document;
}

/** The kind of a document that a reference led to. */
export function kindOf(document: unknown): string | undefined {
  return isObject(document) ? kinds.get(document) : undefined;
}

/** Targets that one batch reads; a larger level is read in several. */
const batchMax = 1000;

export function createQueryContext(
  engine: Engine,
  request: RequestContext,
  authorize: QueryContext['authorize'],
): QueryContext {
  const loader = new DataLoader<string, Document | null>(
    async (names) => {
      const lookups = names.map((name) => {
        const slash = name.indexOf('/');
        const [kind, link] = [name.slice(0, slash), name.slice(slash + 1)];
        return link.startsWith(keyPrefix) ? { kind, key: link.slice(keyPrefix.length) } : { kind, id: link };
      });
      const found = await engine.store.find(request.project.key, lookups);
      return found.map((stored, index) =>
        stored === undefined ? null : documentOf(stored.text, lookups[index]!.kind),
      );
    },
    { maxBatchSize: batchMax },
  );
  const project = request.project.key;
  let dependencies = new Map<string, Dependency>();
  let isComplete = true;
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
    authorize(resource, 'view');
    const { id, key } = reference;
    // Which resource has a key can change with any of the kind.
    dependsOn(resource.kind, typeof id === 'string' ? id : undefined);
    return loader.load(`${resource.kind}/${typeof id === 'string' ? id : `${keyPrefix}${String(key)}`}`);
  };
  return {
    engine,
    request,
    authorize,
    dependsOn,
    forget: () => void loader.clearAll(),
    dependsOnMore: () => (isComplete = false),
    dependencies: () => (isComplete ? [...dependencies.values()] : undefined),
    expand: async (value) => {
      if (!Array.isArray(value)) return load(value);
      const targets = await Promise.all(value.map(load));
      return targets.filter((target) => target !== null);
    },
  };
}
