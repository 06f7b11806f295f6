/**
 * Writes are planned, and then committed (`commit.ts`). A plan is complete and checked, and nothing has been written: it
 * may be shown, sent somewhere to be judged, or committed with others, all or none. docs/writes.md has the order.
 */
import { randomUUID } from 'node:crypto';
import type { RequestContext } from '../context.ts';
import { largeTurn } from '../heavy-turns.ts';
import { partOf } from '../indexed.ts';
import { documentOf, isSameJson, lengthOf } from '../json.ts';
import type { Document, Fixed, Internals } from '../document.ts';
import { jsonOf, requireSize } from '../document-text.ts';
import type { Told } from '../messages.ts';
import type { AlongChange, Engine, Planned, Resource, Warning } from '../resource.ts';
import { compute } from '../computation.ts';
import { Readings } from '../readings.ts';
import { checkDescribed } from '../describe.ts';
import { internalsOf } from '../descriptions.ts';
import { requireOwnStores } from '../scoped-stores.ts';
import type { Delta, Insertion, Removal, Replacement, Stored, StoredVersion } from '../store.ts';
import { counted, messageCount, planFewMessages, planMessages } from './plan-messages.ts';
import {
  checkRules,
  checkValues,
  heldValues,
  initiatorOf,
  keyOf,
  referenceName,
  runChecks,
  strongReferences,
} from './write.ts';

type Secrets = Readonly<Record<string, string>>;

/** What a new resource is made from. */
export interface Creation {
  readonly context: RequestContext;
  readonly resource: Resource;
  /** The resource's own fields. */
  readonly body: Record<string, unknown>;
  readonly secrets?: Secrets;
  readonly internals?: Internals;
  readonly noted?: readonly unknown[];
  readonly said?: ReadonlySet<string>;
  /** What it was copied from, with the ids that its parts have now: what others describe of it was right when it was written. */
  readonly copied?: Document;
  /** Messages beside those that each new resource leaves. */
  readonly told?: readonly Told[];
  /** What was read for it already. */
  readonly found?: Readings;
  /** Takes what the answer is to say. */
  readonly warnings?: Warning[];
}

export async function planInsertion(engine: Engine, creation: Creation): Promise<Planned<Insertion>> {
  const { context, resource, body, secrets, noted = [] } = creation;
  const { said, found = new Readings(), warnings = [] } = creation;
  const document = stampedNew(resource, body, context);
  resource.derive(document);
  const change = { before: undefined, after: document };
  await checkDescribed(engine, context, { resource, before: creation.copied, after: document });
  const beside = await compute(engine, context, { resource, document, before: undefined, found, said, warnings });
  requireOwnStores(context, resource, change);
  const told = [...(resource.telling?.created?.(document) ?? []), ...(creation.told ?? [])];
  const internals = withCount(resource, { internals: creation.internals ?? {}, document, count: told.length });
  const write: Insertion = {
    type: 'insertion',
    ...writtenAs(resource, document),
    id: document.id,
    secrets,
    ...(Object.keys(internals).length > 0 && { internals: JSON.stringify(internals) }),
    references: strongReferences(resource, document),
    uniqueValues: heldValues(resource, document),
    maxPerProject: engine.maxPerProject(resource),
  };
  checkRules(resource, document, context);
  await runChecks(engine, resource, { project: context.project.key, ...change, internals });
  requireSize(write.json);
  return {
    resource,
    write,
    beside,
    ...alongOf(engine, context, { resource, ...change, noted }),
    messages: await planMessages(engine, context, { resource, document, told, count: 0 }),
  };
}

function withCount(
  resource: Resource,
  { count, ...counting }: { readonly internals: Internals; readonly document: Document; readonly count: number },
): Internals {
  return count === 0 ? counting.internals : counted(resource, { ...counting, count });
}

/** A document before and after a request has changed it. */
export interface Change {
  readonly context: RequestContext;
  readonly resource: Resource;
  readonly id: string;
  readonly before: Fixed<Document>;
  readonly after: Document;
  /** New secrets are a change of their own. */
  readonly secrets?: Secrets;
  /** So is what is kept beside it, where it is given. */
  readonly internals?: Internals;
  /** What is kept beside it as it is stored, which counts its messages. Where it is not at hand, a change that tells reads it. */
  readonly kept?: Internals;
  /** What its actions have left for the writes that go along; that there is any is a change, too. */
  readonly noted?: readonly unknown[];
  /** What its actions have said of values that follow, which is no change. */
  readonly said?: ReadonlySet<string>;
  /** What they have told, which is no change either. */
  readonly told?: readonly Told[];
  /** Nobody has asked for it: it follows from what others have become, and stays the work of who changed it last. */
  readonly isFollowing?: true;
  /** What was read for it already. */
  readonly found?: Readings;
  /** As it was with what was copied into it from others, where that is more than `before`: what others describe of it was right. */
  readonly copied?: Document;
  /** Takes what the answer is to say. */
  readonly warnings?: Warning[];
}

/** Undefined when nothing has changed. */
export async function planReplacement(engine: Engine, change: Change): Promise<Planned<Replacement> | undefined> {
  const { context, resource, before, after, secrets, internals, noted = [] } = change;
  const { said, found = new Readings(), warnings = [] } = change;
  const bytes = lengthOf(before);
  await largeTurn(context, bytes);
  resource.derive(after);
  await checkDescribed(engine, context, { resource, before: change.copied ?? before, after });
  await largeTurn(context, bytes);
  const beside = await compute(engine, context, { resource, document: after, before, found, said, warnings });
  await largeTurn(context, bytes);
  const isSame =
    secrets === undefined && internals === undefined && noted.length + beside.length === 0 && isSameJson(before, after);
  if (isSame) return undefined;
  requireOwnStores(context, resource, change);
  const { told: byActions = [] } = change;
  const told = [...byActions, ...(resource.telling?.replaced?.(before, after, byActions) ?? [])];
  const { count, ...counting } = await countedIn(engine, change, told.length);
  await largeTurn(context, bytes);
  const planned = replacementOf({ ...change, ...counting });
  // By a rule that is broken by others it would not follow them, and be wrong for good.
  if (change.isFollowing === undefined) checkRules(resource, after, context);
  else checkValues(resource, after);
  await runChecks(engine, resource, { project: context.project.key, before, after, internals });
  requireSize(planned.write.json);
  return {
    ...planned,
    beside,
    ...alongOf(engine, context, { resource, before, after, noted, internals }),
    messages: await planMessages(engine, context, { resource, document: after, told, count }),
  };
}

/** The number of the last message so far, and the internals of a resource that has changed and tells so many. */
async function countedIn(
  { store }: Engine,
  { context, resource, id, after: document, internals, ...change }: Change,
  told: number,
): Promise<Pick<Change, 'internals'> & { readonly count: number }> {
  if (told === 0) return { count: 0 };
  let kept = internals ?? change.kept;
  if (kept === undefined) {
    // One that is at another version by now keeps the commit from taking place.
    const [stored] = await store.find(context.project.key, [{ kind: resource.kind, id }]);
    kept = internalsOf(stored ?? {});
  }
  return { count: messageCount(kept), internals: counted(resource, { internals: kept, document, count: told }) };
}

/** Stamps `after`, and gives the write of it, which nothing has been checked for. */
export function replacementOf({
  context,
  resource,
  id,
  before,
  after,
  secrets,
  internals,
  isFollowing,
}: Change): Planned<Replacement> {
  stampChanged(resource, { before, after, ...(isFollowing && { isFollowing }) }, context);
  const valueName = ({ field, value }: { field: string; value: string }): string => `${field} ${value}`;
  return {
    resource,
    write: {
      type: 'replacement',
      ...writtenAs(resource, after),
      id,
      expectedVersion: before.version,
      secrets,
      ...(internals !== undefined && { internals: JSON.stringify(internals) }),
      references: delta(strongReferences(resource, before), strongReferences(resource, after), referenceName),
      uniqueValues: delta(heldValues(resource, before), heldValues(resource, after), valueName),
    },
  };
}

interface RemovalOf {
  readonly resource: Resource;
  /** Undefined where the resource goes whatever its version is, which is for kinds whose document says nothing more. */
  readonly version: number | undefined;
  /** Nothing of it is to stay, so nothing is told of it. */
  readonly isErased?: boolean;
}

export function planRemoval(
  engine: Engine,
  context: RequestContext,
  { stored, ...of }: RemovalOf & { readonly stored: Pick<Stored, 'id' | 'json' | 'internals'> },
): Planned<Removal> {
  const removal = removalOf(engine, stored, of);
  const { resource } = of;
  if (!needsDocument(of)) return removal;
  if (of.version === undefined) throw new Error(`The removal of a ${resource.kind} has to name a version`);
  const document = documentOf(stored.json);
  const { alongRemoval, telling } = resource;
  const told = of.isErased === true ? undefined : telling?.deleted?.(document);
  return {
    ...removal,
    ...(alongRemoval !== undefined && { along: () => alongRemoval(engine, context, document) }),
    ...(told !== undefined && {
      messages: planFewMessages(engine, context, {
        resource,
        document,
        told,
        count: messageCount(internalsOf(stored)),
      }),
    }),
  };
}

/** The removal of a resource that was not read: whoever hears of it is told the id and the version. */
export function planUnreadRemoval(
  engine: Engine,
  { seen: { id, version }, ...of }: RemovalOf & { readonly seen: StoredVersion },
): Planned<Removal> {
  if (needsDocument(of)) throw new Error(`The removal of a ${of.resource.kind} needs its document`);
  return removalOf(engine, { id, json: JSON.stringify({ id, version }) }, of);
}

function needsDocument({
  resource: { alongRemoval, telling },
  isErased = false,
}: Pick<RemovalOf, 'resource' | 'isErased'>): boolean {
  return alongRemoval !== undefined || (telling?.deleted !== undefined && !isErased);
}

function removalOf(
  engine: Engine,
  { id, json }: Pick<Stored, 'id' | 'json'>,
  { resource, version, isErased = false }: RemovalOf,
): Planned<Removal> {
  return {
    resource,
    write: {
      type: 'removal',
      kind: resource.kind,
      id,
      expectedVersion: version,
      groupedBy: resource.groupedBy,
      isCounted: engine.maxPerProject(resource) !== undefined,
      ...(isErased && { erasesNotices: true }),
    },
    gone: { json, isErased },
  };
}

function alongOf(
  engine: Engine,
  context: RequestContext,
  { resource: { along }, ...change }: AlongChange & { readonly resource: Resource },
): Pick<Planned, 'along'> {
  return along === undefined ? {} : { along: () => along(engine, context, change) };
}

/** Kinds that are never updated have no version of their own, and the store counts from 1. */
const firstVersion = 1;

/** The text is what is stored, whatever is done with the document after it. */
function writtenAs(
  resource: Resource,
  document: Document,
): Pick<Insertion, 'kind' | 'version' | 'json' | 'key' | 'groupedBy' | 'indexed'> {
  const { indexed } = resource;
  return {
    kind: resource.kind,
    groupedBy: resource.groupedBy,
    version: document.version ?? firstVersion,
    json: jsonOf(document),
    ...(indexed !== undefined && { indexed: JSON.stringify(partOf(document, indexed) ?? {}) }),
    key: keyOf(resource, document),
  };
}

/** The fields that the platform keeps, as far as the kind has them, before the resource's own. */
function stampedNew({ fields }: Resource, body: Record<string, unknown>, context: RequestContext): Document {
  const initiator = initiatorOf(context);
  const stamps = {
    id: randomUUID(),
    version: firstVersion,
    createdAt: context.now,
    lastModifiedAt: context.now,
    createdBy: initiator,
    lastModifiedBy: initiator,
  };
  const kept = Object.entries(stamps).filter(([name]) => Object.hasOwn(fields, name));
  return { ...Object.fromEntries(kept), ...body } as Document;
}

/** What a write of `after` says of itself. */
export function stampChanged(
  { fields }: Pick<Resource, 'fields'>,
  { before, after, isFollowing }: Pick<Change, 'before' | 'after' | 'isFollowing'>,
  context: RequestContext,
): void {
  after.version = before.version + 1;
  if (Object.hasOwn(fields, 'lastModifiedAt')) after.lastModifiedAt = laterOf(context.now, before.lastModifiedAt);
  if (Object.hasOwn(fields, 'lastModifiedBy') && isFollowing === undefined) after.lastModifiedBy = initiatorOf(context);
}

/** ISO 8601 texts of one form compare like the moments that they name. */
function laterOf(one: string, other: string): string {
  return one > other ? one : other;
}

function delta<T>(before: readonly T[], after: readonly T[], nameOf: (value: T) => string): Delta<T> {
  const namesBefore = new Set(before.map(nameOf));
  const namesAfter = new Set(after.map(nameOf));
  return {
    removed: before.filter((value) => !namesAfter.has(nameOf(value))),
    added: after.filter((value) => !namesBefore.has(nameOf(value))),
  };
}
