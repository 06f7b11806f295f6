/** How resources show where that is not as they are stored: to those who see a kind in part, and as projections of it. */
import { isDeepStrictEqual } from 'node:util';
import { ApiError } from '../errors/api-error.ts';
import type { Predicate } from '../predicate/ast.ts';
import { withFixedMember } from '../predicate/fixed-member.ts';
import { movedPredicate, movedSort, type Move } from '../predicate/move.ts';
import type { ObjectShape, Shape } from '../predicate/shape.ts';
import type { Sort } from '../predicate/sort.ts';
import { mayViewAll } from './access.ts';
import { AnswerBudget } from './answer-budget.ts';
import type { Place, Principal, RequestContext } from './context.ts';
import type { Document } from './document.ts';
import { bytesTurn, heavyBytes } from './heavy-turns.ts';
import type { Json } from './json.ts';
import { oneInTurns } from './json-slices.ts';
import { keptGroups } from './kept-groups.ts';
import type { Engine, Form, Gathering, Parameters, Projection, Resource } from './resource.ts';
import type { Query, Store, Stored } from './store.ts';

type Asking = Pick<RequestContext, 'principal' | 'project' | 'signal' | 'now'>;

/** What a request reads of a kind. */
export interface Lens {
  /** By which its predicates and sorts are read. */
  readonly shape: ObjectShape;
  /** Which resources there are, as predicates on what is stored. */
  readonly where: readonly Predicate[];
  /** The same statement about what is stored. */
  predicate(predicate: Predicate): Predicate;
  /** Undefined for one by which all are the same. */
  sort(sort: Sort): Sort | undefined;
  /** Shows all that there is, in texts as they are stored; undefined where it takes documents. */
  texts?(gathering: Gathering, stored: readonly Json[]): Promise<readonly Json[]>;
  /** What is needed of others to show these. */
  gather?(gathering: Gathering, documents: readonly Document[]): Promise<unknown>;
  /** Undefined for a resource that is not there. Changes the document, which is its own. */
  shown(document: Document, gathered: unknown): Document | undefined;
}

/** What is asked of which kind, and as what. */
export interface Looking extends Pick<Place, 'shownBy'> {
  readonly context: Asking;
  readonly resource: Resource;
}

/** The lens through which a request looks at the resources that it asks for. */
export function lensOf(engine: Engine, { context, resource, shownBy }: Looking): Lens {
  const { projection, form } = resource;
  const limited = limitsFor(engine, context).get(resource.kind);
  const limit = limited === undefined ? asStored(resource) : limitOf(limited);
  if (projection === undefined) {
    if (form === undefined || shownBy === undefined) return limit;
    const isAsStored = limited === undefined && Object.keys(shownBy).length === 0;
    return { ...formed(limit, form, shownBy), ...(isAsStored && form.texts && { texts: form.texts }) };
  }
  return projected(resource, projection, { limit, limited, shownBy: shownBy ?? {} });
}

function formed(limit: Lens, { gather, shown }: Form, shownBy: Parameters): Lens {
  return {
    ...limit,
    ...(gather !== undefined && { gather: (gathering, documents) => gather(gathering, documents, shownBy) }),
    shown: (document, gathered) => {
      const part = limit.shown(document, undefined);
      return part && shown(part, shownBy, gathered);
    },
  };
}

interface Limiting {
  readonly limit: Lens;
  /** The kind, where the request sees it in part. */
  readonly limited: Resource | undefined;
  readonly shownBy: Parameters;
}

function projected(resource: Resource, projection: Projection, { limit, limited, shownBy }: Limiting): Lens {
  const move: Move = (name) => projection.storedAt(name, shownBy);
  const where = projection.where(shownBy);
  const { gather } = projection;
  return {
    ...(gather !== undefined && { gather: (gathering, documents) => gather(gathering, documents, shownBy) }),
    shape: limited === undefined ? resource.shape : shapeWithout(resource, limited.published!.hides),
    where: where === undefined ? limit.where : [...limit.where, where],
    predicate: (predicate) => limit.predicate(movedPredicate(predicate, move)),
    sort: (sort) => limit.sort(movedSort(sort, move)),
    shown: (document, gathered) => {
      const part = limit.shown(document, undefined);
      return part && projection.shown(part, shownBy, gathered);
    },
  };
}

/** The engine, as far as the request reads what it asks for. */
export function lookingAt(engine: Engine, looking: Looking): Engine {
  const { resource, context } = looking;
  // Kinds in part are seen so in all that the request reads.
  if (resource.projection === undefined && (resource.form === undefined || looking.shownBy === undefined))
    return engine;
  const lenses = new Map([[resource.kind, lensOf(engine, looking)]]);
  return { ...engine, store: seenThrough(engine, context, lenses) };
}

/**
 * What requests read that may not see all of a kind: for those without its scopes, products are what is published of
 * them, wherever they come from: by id, in pages, behind references, in GraphQL.
 */
export function limitedTo(engine: Engine, context: Asking): Engine {
  const lenses = new Map([...limitsFor(engine, context)].map(([kind, resource]) => [kind, limitOf(resource)]));
  return { ...engine, store: seenThrough(engine, context, lenses) };
}

/**
 * What was written, as it shows to whoever wrote it. Where what that takes cannot be read at the moment the answer is what is
 * stored: the write is done, and whoever were told of an error would do it again.
 */
export async function shownAfterWrite(engine: Engine, looking: Looking, stored: Stored): Promise<Json> {
  const { context, resource, shownBy } = looking;
  if (resource.form === undefined || shownBy === undefined) return stored.json;
  const seeing = { context, engine: { ...engine, store: wholeOf(engine.store) } };
  try {
    const [shown] = await shownThrough(lensOf(engine, looking), [stored], seeing);
    return (shown ?? stored).json;
  } catch (error) {
    if (error instanceof ApiError) return stored.json;
    throw error;
  }
}

/** Tells answers for those who see kinds in part from those for others. */
export function limitsName(engine: Engine, context: Asking): string {
  const kinds = limitsFor(engine, context);
  return kinds.size === 0 ? '' : `${[...kinds.keys()].join('+')} in part/`;
}

/** Per principal, which the cache of tokens keeps from request to request. */
const known = new WeakMap<Principal, ReadonlyMap<string, Resource>>();

function limitsFor({ registry }: Engine, { principal, project }: Asking): ReadonlyMap<string, Resource> {
  let kinds = known.get(principal);
  if (kinds === undefined) {
    const limited = registry.resources.filter(
      (resource) => resource.published !== undefined && !mayViewAll({ principal, project }, resource),
    );
    known.set(principal, (kinds = new Map(limited.map((resource) => [resource.kind, resource]))));
  }
  return kinds;
}

const limits = new WeakMap<Resource, Lens>();

function limitOf(resource: Resource): Lens {
  let lens = limits.get(resource);
  if (lens === undefined) {
    const { where, hides, fixed, shown } = resource.published!;
    const shape = shapeWithout(resource, hides);
    lens = {
      shape,
      where: [where],
      predicate: (predicate) => withFixedMember(predicate, fixed),
      sort: (sort) => (isDeepStrictEqual(sort.path, fixed.path) ? undefined : sort),
      shown,
    };
    limits.set(resource, lens);
  }
  return lens;
}

function asStored({ shape }: Resource): Lens {
  return { shape, where: [], predicate: itself, sort: itself, shown: itself };
}

function itself<T>(value: T): T {
  return value;
}

const shapes = new WeakMap<Resource, ObjectShape>();

function shapeWithout(resource: Resource, names: readonly string[]): ObjectShape {
  let shape = shapes.get(resource);
  if (shape === undefined) shapes.set(resource, (shape = without(resource.shape, names)));
  return shape;
}

/** Kinds whose values hold values of the same kind have a shape that holds itself. */
function without(
  shape: ObjectShape,
  names: readonly string[],
  known = new Map<ObjectShape, ObjectShape>(),
): ObjectShape {
  const made = known.get(shape);
  if (made !== undefined) return made;
  const fields = new Map<string, Shape>();
  const left: ObjectShape = { ...shape, fields };
  known.set(shape, left);
  for (const [name, member] of shape.fields) {
    if (names.includes(name)) continue;
    fields.set(name, member.class === 'object' ? without(member, names, known) : member);
  }
  return left;
}

/** Stores by what is seen of them through lenses. */
const wholes = new WeakMap<Store, Store>();

/** The store behind lenses, for what is the same whoever asks. */
export function wholeOf(store: Store): Store {
  return wholes.get(store) ?? store;
}

/** With these lenses, and no others. */
function seenThrough(engine: Engine, context: Asking, lenses: ReadonlyMap<string, Lens>): Store {
  const store = wholeOf(engine.store);
  if (lenses.size === 0) return store;
  const asked = <Q extends Pick<Query, 'kind' | 'where'>>(query: Q): Q => {
    const lens = lenses.get(query.kind);
    return lens === undefined ? query : { ...query, where: [...query.where, ...lens.where] };
  };
  const shownOf = (lens: Lens, page: readonly Stored[]): Promise<readonly (Stored | undefined)[]> =>
    shownThrough(lens, page, { context, engine: { ...engine, store } });
  const seen: Store = {
    ...store,
    find: async (project, lookups) => {
      const shown: (Stored | undefined)[] = [...(await store.find(project, lookups))];
      for (const [kind, lens] of lenses) {
        const places = [...shown.keys()].filter((index) => lookups[index]!.kind === kind && shown[index] !== undefined);
        const ofKind = await shownOf(
          lens,
          places.map((index) => shown[index]!),
        );
        for (const [index, place] of places.entries()) shown[place] = ofKind[index];
      }
      return shown;
    },
    query: async (project, query, request) => {
      const page = await store.query(project, asked(query), request);
      const lens = lenses.get(query.kind);
      if (lens === undefined) return page;
      return (await shownOf(lens, page)).filter((stored) => stored !== undefined);
    },
    queryVersions: (project, query, request) => store.queryVersions(project, asked(query), request),
    count: (project, query, request) => store.count(project, asked(query), request),
  };
  wholes.set(seen, store);
  return seen;
}

/** Resources that are parsed at a time, and the bytes of their documents, unless the first alone has more. */
const portionMax = 100;
const portionBytesMax = 2_000_000;
/** Bytes of a text that are searched in the time in which one is parsed and written. */
const searchedPerParsed = 2;

interface Seeing {
  readonly context: Asking;
  /** Its store has what is there, whoever asks. */
  readonly engine: Engine;
}

interface Showing extends Seeing {
  /** Of what resources show beside what is stored. */
  readonly budget: AnswerBudget;
}

async function shownThrough(
  lens: Lens,
  page: readonly Stored[],
  seeing: Seeing,
): Promise<readonly (Stored | undefined)[]> {
  const showing: Showing = { ...seeing, budget: new AnswerBudget() };
  const shown: (Stored | undefined)[] = [];
  // Texts of a portion are searched at once.
  const bytesMax = lens.texts === undefined ? portionBytesMax : heavyBytes;
  while (shown.length < page.length) {
    const portion: Stored[] = [];
    let bytes = 0;
    for (const stored of page.slice(shown.length, shown.length + portionMax)) {
      bytes += stored.json.length;
      if (portion.length > 0 && bytes > bytesMax) break;
      portion.push(stored);
    }
    shown.push(...(await shownTogether(lens, portion, showing)));
  }
  return shown;
}

/** Each large one in a turn of its own, for it is searched, or parsed and written. */
async function shownTogether(
  { texts, gather, shown }: Lens,
  portion: readonly Stored[],
  { context, engine, budget }: Showing,
): Promise<readonly (Stored | undefined)[]> {
  const { store, sources } = engine;
  const project = context.project.key;
  const turn = (bytes: number): Promise<void> => bytesTurn(context, bytes);
  const gathering: Gathering = {
    context,
    store,
    turn,
    grouped: (lookup) => keptGroups(engine, project, lookup, turn),
    noteUntil: (ms: number) => sources.noteUntil(ms),
    added: (bytes) => {
      budget.spend(bytes);
      return turn(bytes);
    },
  };
  // What is large is parsed in slices.
  if (texts !== undefined && portion.every(({ json }) => json.length <= heavyBytes)) {
    for (const { json } of portion) await turn(json.length / searchedPerParsed);
    const changed = await texts(
      gathering,
      portion.map(({ json }) => json),
    );
    return portion.map((stored, index) => ({ ...stored, json: changed[index]! }));
  }
  const documents: Document[] = [];
  for (const { json } of portion) {
    documents.push(await oneInTurns(json, context));
  }
  const gathered = await gather?.(gathering, documents);
  const written: (Stored | undefined)[] = [];
  for (const [index, stored] of portion.entries()) {
    await turn(stored.json.length);
    const document = shown(documents[index]!, gathered);
    const json = document === undefined ? undefined : JSON.stringify(document);
    await gathering.added(Math.max(0, (json?.length ?? 0) - stored.json.length));
    written.push(json === undefined ? undefined : { ...stored, json });
  }
  return written;
}
