import DataLoader from 'dataloader';
import { readingThrough } from '../engine/answer.ts';
import type { AnswerSize } from './answer-size.ts';
import { noRoom } from './execution-errors.ts';
import type { Sources } from '../engine/coherence.ts';
import type { RequestContext } from '../engine/context.ts';
import type { Document } from '../engine/document.ts';
import type { Engine, Resource } from '../engine/resource.ts';
import { bytesTurn, heavyTurn, shareOfTurn } from '../engine/heavy-turns.ts';
import type { Json } from '../engine/json.ts';
import { limitedTo } from '../engine/lens.ts';
import { ownView } from '../engine/views.ts';
import { sightOf } from '../engine/visibility.ts';
import type { Lookups } from '../fields/field.ts';
import { isObject } from '../fields/object.ts';
import { goingThrough, lookupsOf } from './lookups.ts';
import { parsedDocument } from './parsed-documents.ts';

/** Throws insufficient_scope unless the request's token holds one of these; `:{storeKey}` counts for this store. */
export type Authorize = (request: RequestContext, needed: readonly string[], storeKey?: string) => void;

/** What resolvers know of the request whose query they answer. */
export interface QueryContext {
  /** In an outline, query fields that are taken apart give no more of a resource than `id` and `version`. */
  readonly form: 'whole' | 'outline';
  readonly size: AnswerSize;
  /** Notes in the context's sources what is read through it, and shows what the request may see. */
  readonly engine: Engine;
  /** For mutations, which plan what they write on the whole of what is stored, as writes in REST do. */
  readonly writing: Engine;
  readonly request: RequestContext;
  authorize(needed: readonly string[], storeKey?: string): void;
  /** Lets others have a turn. */
  turn(): Promise<void>;
  /**
   * For what says beforehand neither how much it reads nor how much it gives: the next one begins when the one before has
   * ended, unless the answer has no more room.
   */
  oneByOne<T>(run: () => Promise<T>): Promise<T>;
  /** Drops what was loaded, for a mutation may have changed it. */
  forget(): void;
  /** Hears that a mutation was done, whatever is shown of it. */
  noteWrite(): void;
  hasWritten(): boolean;
  /** For fields that say what stands in other resources. */
  readonly lookups: Lookups;
  /** Loads what a reference, or a list of them, leads to; all references of one level travel in one batch. */
  expand(value: unknown): Promise<unknown>;
  /** Whether all of these references lead somewhere, which whoever sees them may know. */
  areThere(references: unknown): Promise<boolean>;
}

/** What an outline says of a resource that is named by its id, which it does not look for. */
export const anyVersion = 0;

const keyPrefix = 'key=';

/** Kinds of the documents that references led to, for fields whose type is an interface. */
const kinds = new WeakMap<object, string>();

/** A target, which is looked at by its kind. */
async function targetOf(request: RequestContext, json: Json, kind: string): Promise<Document> {
  const document = await documentIn(request, json);
  kinds.set(document, kind);
  return document;
}

/** The document that is represented, in a turn of its own where it is large: it is measured and written as well. */
export async function documentIn<D extends object = Document>(request: RequestContext, json: Json): Promise<D> {
  await bytesTurn(request, json.length);
  return parsedDocument<D>(json);
}

/** The kind of a document that a reference led to. */
export function kindOf(document: unknown): string | undefined {
  return isObject(document) ? kinds.get(document) : undefined;
}

/** A part of a resource behind a reference has the type of the whole there: what it lacks is refused. */
function partOf({ fields, mine }: Resource, part: Document, refuse: () => void): Document {
  for (const name of Object.keys(fields))
    if (mine?.resource.shownFields[name] === undefined) Object.defineProperty(part, name, { get: refuse });
  return part;
}

/** Targets that one batch reads; a larger level is read in several. */
const batchMax = 1000;

/** References that go on in one turn of the event loop: what is selected behind each takes some microseconds. */
const turnMax = 100;

/** What the loader knows the target of a reference by. */
function nameOf(kind: string, { id, key }: Readonly<Record<string, unknown>>): string {
  return `${kind}/${typeof id === 'string' ? id : `${keyPrefix}${String(key)}`}`;
}

export function oneByOne(size: AnswerSize): QueryContext['oneByOne'] {
  let last: Promise<unknown> = Promise.resolve();
  return (run) => {
    const own = last.then(async () => {
      if (size.isOver) throw noRoom;
      return run();
    });
    last = own.catch(() => {});
    return own;
  };
}

export interface Reading {
  readonly engine: Engine;
  readonly sources: Sources;
  readonly size: AnswerSize;
  readonly form: QueryContext['form'];
}

export function createQueryContext(
  { engine: whole, sources, size, form }: Reading,
  request: RequestContext,
  authorizeField: Authorize,
): QueryContext {
  const authorize: QueryContext['authorize'] = (...asked) => authorizeField(request, ...asked);
  const writing = readingThrough(whole, sources, request);
  const engine = limitedTo(writing, request);
  const loader = new DataLoader<string, Document | null>(
    async (names) => {
      const lookups = names.map((name) => {
        const slash = name.indexOf('/');
        const [kind, link] = [name.slice(0, slash), name.slice(slash + 1)];
        return link.startsWith(keyPrefix) ? { kind, key: link.slice(keyPrefix.length) } : { kind, id: link };
      });
      const found = await engine.store.find(request.project.key, lookups);
      return Promise.all(
        found.map(async (stored, index) =>
          // What is gone reads as null.
          stored === undefined ? null : targetOf(request, stored.json, lookups[index]!.kind),
        ),
      );
    },
    { maxBatchSize: batchMax },
  );
  let isWritten = false;
  const load = async (reference: unknown): Promise<Document | null> => {
    if (!isObject(reference)) return null;
    const resource = engine.registry.byKind.get(String(reference['typeId']));
    if (resource === undefined) return null;
    const sees = sightOf(request, resource);
    if (sees === undefined) authorize(ownView(resource).scopes.many);
    const target = await loader.load(nameOf(resource.kind, reference));
    await shareOfTurn(request, 1 / turnMax);
    const seen = target === null ? undefined : sees?.(target);
    if (seen === undefined || seen === target) return seen ?? null;
    return partOf(resource, seen, () => authorize(ownView(resource).scopes.many));
  };
  const { forget, ...lookups } = lookupsOf(engine, request);
  return {
    form,
    size,
    engine,
    writing,
    request,
    authorize,
    turn: () => heavyTurn(request),
    oneByOne: oneByOne(size),
    forget: () => {
      loader.clearAll();
      forget();
    },
    noteWrite: () => {
      isWritten = true;
    },
    hasWritten: () => isWritten,
    lookups: {
      ...lookups,
      goesThrough: goingThrough(size, request),
      one: async (kind, id) => (size.takesResources(1) ? load({ typeId: kind, id }) : null),
    },
    expand: async (value) => {
      if (!Array.isArray(value)) return size.takesResources(1) ? load(value) : null;
      if (!size.takesResources(value.length)) return [];
      const targets = await Promise.all(value.map(load));
      return targets.filter((target) => target !== null);
    },
    areThere: async (references) => {
      const links = Array.isArray(references) ? references.filter(isObject) : [];
      if (!size.takesResources(links.length)) return false;
      const targets = await Promise.all(links.map((link) => loader.load(nameOf(String(link['typeId']), link))));
      return !targets.includes(null);
    },
  };
}
