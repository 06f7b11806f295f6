import { isDeepStrictEqual } from 'node:util';
import { type ApiError, apiError } from '../errors/api-error.ts';
import type { Reference } from '../fields/parsing.ts';
import { allOf } from './collection.ts';
import type { RequestContext } from './context.ts';
import type { Document } from './document.ts';
import { describingIfThere, readDescriptions } from './descriptions.ts';
import { hasPath } from './indexed.ts';
import { indexable } from './operations/write.ts';
import { shareOfTurn } from './heavy-turns.ts';
import { Readings } from './readings.ts';
import type { Computation, Engine, Planned, Resource, Warning } from './resource.ts';
import type { Lookup, UniqueLookup } from './store.ts';

/** Reads what the stored resource names for its computation, and who holds these values, while the resource is read. */
export async function readAhead(
  engine: Engine,
  project: string,
  {
    resource,
    source,
    namedBy,
    holders,
    into,
  }: {
    readonly resource: ReadingAhead;
    readonly source: Lookup;
    /** As much of the resource as names these, where that is known. */
    readonly namedBy?: object | undefined;
    readonly holders: readonly UniqueLookup[];
    readonly into: Readings;
  },
): Promise<void> {
  const reading =
    namedBy === undefined
      ? readNamed(engine, project, { resource, source, into })
      : readMissing(engine, project, { reads: resource.computation?.reads ?? {}, document: namedBy, into });
  await Promise.all([reading, readHolders(engine, project, { holders, into })]);
}

type ReadingAhead = Pick<Resource, 'computation' | 'indexed'>;

async function readNamed(
  engine: Engine,
  project: string,
  { resource, source, into }: { readonly resource: ReadingAhead; readonly source: Lookup; readonly into: Readings },
): Promise<void> {
  const reads = readsAhead(engine, resource);
  if (reads.length === 0) return;
  const targets = reads.map(([kind, paths]) => ({ kind, paths }));
  const named = await engine.store.findNamed(project, { source, targets, isIndexed: areIndexed(engine, resource) });
  for (const { kind, stored } of named) into.add(kind, stored);
}

function readsAhead(engine: Engine, { computation }: ReadingAhead): readonly (readonly [string, readonly string[]])[] {
  return Object.entries(computation?.reads ?? {}).filter(([kind]) => !isKeptParsed(engine, kind));
}

/** Whether the part of a resource that is indexed names all that is read ahead. */
function areIndexed(engine: Engine, resource: ReadingAhead): boolean {
  const { indexed = {} } = resource;
  return readsAhead(engine, resource).every(([, paths]) => paths.every((path) => hasPath(indexed, path)));
}

/** The part of a resource that names all that is read ahead, an empty one for nothing; undefined where its index part is not enough. */
export function namingPart(
  engine: Engine,
  resource: ReadingAhead,
  { indexed }: { readonly indexed?: string },
): object | undefined {
  if (readsAhead(engine, resource).length === 0) return {};
  if (indexed === undefined || !areIndexed(engine, resource)) return undefined;
  // The column holds what was written.
  return JSON.parse(indexed) as object;
}

/** Reads what a document names, as far as it was not read before, and is not kept parsed. */
async function readMissing(
  engine: Engine,
  project: string,
  {
    reads,
    document,
    into,
  }: { readonly reads: Computation['reads']; readonly document: object; readonly into: Readings },
): Promise<void> {
  const named = namedIn(reads, document, (kind) => !isKeptParsed(engine, kind));
  const missing = named.filter(({ kind, id }) => !into.has(kind, id));
  if (missing.length === 0) return;
  const read = await engine.store.find(project, missing);
  for (const [index, stored] of read.entries()) if (stored !== undefined) into.add(missing[index]!.kind, stored);
}

/** Reads who holds these values. */
export async function readHolders(
  engine: Engine,
  project: string,
  { holders, into }: { readonly holders: readonly UniqueLookup[]; readonly into: Readings },
): Promise<void> {
  if (holders.length === 0) return;
  const lookups = holders.map(({ unique, ...holder }) => ({ ...holder, unique: indexable(unique) }));
  const held = await engine.store.findHolders(project, lookups);
  into.addSought(holders);
  for (const [index, stored] of held.entries()) if (stored !== undefined) into.addHolder(holders[index]!, stored);
}

const nothing: ReadonlySet<string> = new Set();
const none: readonly string[] = [];

/**
 * Writes read what they follow, are planned and committed before the followers of a changed resource are walked through
 * (`restSeconds` in `storage/pass-turns.ts`). What is older than this when it has been computed is compared with what is there.
 */
const freshMsMax = 1000;
/** Times that something is computed while others go on changing what it follows. */
const attemptsMax = 4;

/** A document that is to be computed. */
interface Computing {
  readonly resource: Resource;
  readonly document: Document;
  /** As it is stored; undefined for a new one. */
  readonly before: Document | undefined;
  readonly found: Readings;
  readonly said: ReadonlySet<string> | undefined;
  /** Takes what the answer is to say. */
  readonly warnings: Warning[];
}

/** What a computation is made from. */
interface Inputs {
  readonly found: Readings;
  readonly gathered: unknown;
}

/**
 * Fills in what follows from the document and from others; reads of those what was not read ahead. Gives the writes that
 * have to take place with it.
 */
export async function compute(
  engine: Engine,
  context: RequestContext,
  { resource, document, before, found, said = nothing, warnings }: Computing,
): Promise<readonly Planned[]> {
  const { computation } = resource;
  if (computation === undefined) return [];
  const project = context.project.key;
  const made = { computation, document, before, said };
  // A computation may go by descriptions, which whoever changes a member beside them has not read.
  if (!isDescribed(resource, document, found))
    await readDescriptions(engine, project, { resource, holder: document, into: found });
  let inputs = await readInputs(engine, project, { ...made, found });
  for (let attempt = 1; ; attempt += 1) {
    const effects = await run(engine, context, { ...made, inputs, warnings });
    const isFresh = resource.follows.length === 0 || performance.now() - inputs.found.beganAtMs < freshMsMax;
    const again = isFresh ? undefined : await readAgain(engine, project, { ...made, resource, inputs });
    if (again === undefined)
      return effects.length === 0 ? [] : ((await computation.beside?.(engine, context, { document, effects })) ?? []);
    if (attempt === attemptsMax) throw changing(resource, document);
    inputs = again;
  }
}

function isDescribed({ describedBy }: Resource, document: Document, found: Readings): boolean {
  if (describedBy === undefined) return true;
  const { kind, member } = describedBy;
  // Fields that are required hold a reference of the kind.
  return found.has(kind, (document[member] as Reference).id);
}

/** What is read for a computation, and run. */
interface Made {
  readonly computation: Computation;
  readonly document: Document;
  readonly before: Document | undefined;
  readonly said: ReadonlySet<string>;
}

async function readInputs(
  engine: Engine,
  project: string,
  { computation, document, before, found, said }: Made & { readonly found: Readings },
): Promise<Inputs> {
  const isWhole = computation.readsAll.length > 0;
  const [collection] = await Promise.all([
    isWhole ? allOf(engine, project, computation.readsAll) : undefined,
    readMissing(engine, project, { reads: computation.reads, document, into: found }),
    readKept(engine, project, { computation, document, found }),
  ]);
  if (collection !== undefined) found.addWholes(collection.documents);
  const gathered = await computation.gather?.({ engine, project, found, said, before }, document);
  return { found, gathered };
}

/** What a stored resource would be computed from now. */
export function inputsOf(
  engine: Engine,
  project: string,
  { computation, document }: { readonly computation: Computation; readonly document: Document },
): Promise<Inputs> {
  const found = new Readings();
  return readInputs(engine, project, { computation, document, before: document, found, said: nothing });
}

/** The inputs as they are, once somebody has changed one; else undefined. */
async function readAgain(
  engine: Engine,
  project: string,
  { resource, inputs, ...made }: Made & { readonly resource: Resource; readonly inputs: Inputs },
): Promise<Inputs | undefined> {
  const { computation, document } = made;
  await engine.fence.pass();
  const found = new Readings();
  const descriptions = await readDescriptions(engine, project, { resource, holder: document, into: found });
  // The document is in keeping with another version, which is not made good here.
  if (
    descriptions.some(
      ({ document: { id, version } }) => inputs.found.one(resource.describedBy!.kind, id)?.version !== version,
    )
  )
    throw changing(resource, document);
  const again = await readInputs(engine, project, { ...made, found });
  const isAlike =
    found.isPartOf(inputs.found) &&
    namedIn(computation.reads, document).every(({ kind, id }) => found.has(kind, id) || !inputs.found.has(kind, id)) &&
    isDeepStrictEqual(again.gathered, inputs.gathered);
  return isAlike ? undefined : again;
}

function changing({ schemaName }: Pick<Resource, 'schemaName'>, { id }: Document): ApiError {
  return apiError(
    'OverCapacity',
    `What the ${schemaName} '${id}' follows was changed while it was made. Try again later.`,
  );
}

/** Gives what it has left. */
async function run(
  engine: Engine,
  context: RequestContext,
  {
    computation,
    document,
    before,
    said,
    inputs: { found, gathered },
    warnings,
  }: Made & { readonly inputs: Inputs; readonly warnings: Warning[] },
): Promise<readonly unknown[]> {
  const { project, now } = context;
  const effects: unknown[] = [];
  await computation.compute(document, found, {
    project,
    now,
    before,
    gathered,
    said,
    turn: (share) => shareOfTurn(context, share),
    compute: engine.compute,
    // What is computed again warns again.
    warn: (warning) => {
      if (!warnings.some((known) => isDeepStrictEqual(known, warning))) warnings.push(warning);
    },
    leave: (effect) => void effects.push(effect),
  });
  return effects;
}

interface Named {
  readonly kind: string;
  readonly id: string;
}

/** Of the kinds that are asked for, by default all. */
function namedIn(
  reads: Computation['reads'],
  holder: unknown,
  isAskedFor: (kind: string) => boolean = () => true,
): readonly Named[] {
  return Object.entries(reads).flatMap(([kind, paths]) => (isAskedFor(kind) ? namedAt(kind, paths, holder) : []));
}

/** Each once. */
function namedAt(kind: string, paths: readonly string[], holder: unknown): readonly Named[] {
  const ids = new Set<string>();
  for (const path of segmentsOf(paths)) addTexts(holder, path, ids);
  return [...ids].map((id) => ({ kind, id }));
}

function isKeptParsed({ registry }: Engine, kind: string): boolean {
  return registry.byKind.get(kind)?.isKeptParsed === true;
}

/** Finds what is kept parsed of the resources that a document names, and what those name in turn. */
export async function readKept(
  engine: Engine,
  project: string,
  {
    computation,
    document,
    found,
  }: {
    readonly computation: Pick<Computation, 'reads' | 'readsThrough'> | undefined;
    readonly document: Document;
    readonly found: Readings;
  },
): Promise<void> {
  if (computation === undefined) return;
  const { reads, readsThrough = {} } = computation;
  const isKept = (kind: string): boolean => isKeptParsed(engine, kind);
  const seen = new Set<string>();
  const unseen = (named: readonly Named[]): readonly Named[] => named.filter(({ id }) => !seen.has(id) && seen.add(id));
  let named = unseen(namedIn(reads, document, isKept));
  while (named.length > 0) {
    const documents = await Promise.all(
      named.map(async ({ kind, id }) => {
        // What the request names by a key, say, has been read, but not what it names in turn.
        const known = found.one(kind, id);
        if (known !== undefined) return known;
        const description = await describingIfThere(engine, project, { typeId: kind, id });
        if (description !== undefined) found.addParsed(kind, description.document);
        return description?.document;
      }),
    );
    named = unseen(named.flatMap(({ kind }, index) => namedAt(kind, readsThrough[kind] ?? none, documents[index])));
  }
}

interface Segment {
  readonly name: string;
  readonly isList: boolean;
  /** Undefined at the end of its path. */
  readonly next: Segment | undefined;
}

/** By the lists of declarations. */
const segments = new WeakMap<readonly string[], readonly (Segment | undefined)[]>();

/** The first ones of paths such as `lineItems[*].productId`. */
function segmentsOf(paths: readonly string[]): readonly (Segment | undefined)[] {
  let known = segments.get(paths);
  if (known === undefined) {
    known = paths.map((path) =>
      path.split('.').reduceRight<Segment | undefined>((next, segment) => {
        return { name: segment.replace(/\[\*\]$/, ''), isList: segment.endsWith('[*]'), next };
      }, undefined),
    );
    segments.set(paths, known);
  }
  return known;
}

/** Adds the texts that a path leads to, from one of its segments on. */
function addTexts(value: unknown, segment: Segment | undefined, to: Set<string>): void {
  if (segment === undefined) {
    if (typeof value === 'string') to.add(value);
    return;
  }
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, segment.name)) return;
  const member = (value as Readonly<Record<string, unknown>>)[segment.name];
  if (!segment.isList) addTexts(member, segment.next, to);
  else if (Array.isArray(member)) for (const each of member) addTexts(each, segment.next, to);
}
