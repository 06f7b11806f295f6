import { ApiError, apiError } from '../errors/api-error.ts';
import { requireCommittable, requireTellable } from '../engine/commit-bounds.ts';
import { projectKind } from '../engine/projects.ts';
import type {
  Insertion,
  Outcome,
  Removal,
  Replacement,
  SecretLookup,
  Store,
  StoredSecrets,
  Write,
  Writes,
} from '../engine/store.ts';
import { isUuid } from '../engine/load.ts';
import { BatchedGroups } from './batched-groups.ts';
import { BatchedHolders, findHolderIds } from './batched-holders.ts';
import { BatchedNamed } from './batched-named.ts';
import { BatchedReads } from './batched-reads.ts';
import { BatchedWrites, written } from './batched-writes.ts';
import {
  foreignKeyViolation,
  excludingConstraint,
  fullyShared,
  hasCode,
  idsOfDetail,
  isOfTable,
  notNullViolation,
  uniqueViolation,
} from './connection.ts';
import type { Database } from './database.ts';
import { replaceProject } from './projects.ts';
import type { Queries } from './queries.ts';
import { commitOf, formOf, notWritten, writeStatement } from './write-statements.ts';
import { linkOf, referencesOf, uniqueValuesOf } from './write-values.ts';

/** The versioned resources of one database. */
export function createDocuments(database: Database, queries: Queries): Store {
  const reads = new BatchedReads(database);
  const groups = new BatchedGroups(database);
  const holders = new BatchedHolders(database);
  const named = new BatchedNamed(database);
  return {
    find: (project, lookups) => reads.find(project, lookups),
    findNamed: (project, lookup) => named.find(project, lookup),
    findGrouped: (project, lookup) => groups.find(project, lookup),
    findHolders: (project, lookups) => holders.find(project, lookups),
    findHolderIds: (project, lookups) => findHolderIds(database, project, lookups),
    findSecrets: (project, lookup) => findSecrets(database, project, lookup),
    ...queries,
  };
}

/** Every write enters the outbox for the topics of its kind, and of its groups. */
export function createWrites(database: Database, topics: ReadonlyMap<string, readonly string[]>): Writes {
  const batches = new BatchedWrites(database);
  const writing = { database, reads: new BatchedReads(database), batches, topics };
  return { commit: (project, writes) => commit({ ...writing, project }, writes) };
}

async function findSecrets(
  database: Database,
  project: string,
  lookup: SecretLookup,
): Promise<StoredSecrets | undefined> {
  if ('id' in lookup && !isUuid(lookup.id)) return undefined;
  const [row] = await database.read((sql) => {
    const id =
      'id' in lookup
        ? sql`${lookup.id}::uuid`
        : sql`(select id from unique_values where project = ${project} and kind = ${lookup.kind}
            and field = ${lookup.unique.field} and value = ${lookup.unique.value})`;
    return sql<SecretRow[]>`
      select id, key, version, data::text as json, secrets::text as secrets, internals::text as internals from documents
      where project = ${project} and kind = ${lookup.kind} and id = ${id}`;
  });
  if (row === undefined) return undefined;
  const { internals, ...others } = row;
  return {
    ...others,
    key: row.key ?? undefined,
    version: Number(row.version),
    ...(internals !== null && { internals }),
    // The column holds what inserts and replacements wrote.
    secrets: JSON.parse(row.secrets ?? '{}') as Record<string, string>,
  };
}

interface SecretRow {
  readonly id: string;
  readonly key: string | null;
  readonly version: string;
  readonly json: string;
  readonly secrets: string | null;
  readonly internals: string | null;
}

/** Where the writes of a project run, and read what they failed on. */
interface Writing {
  readonly project: string;
  readonly database: Database;
  readonly reads: BatchedReads;
  readonly batches: BatchedWrites;
  readonly topics: ReadonlyMap<string, readonly string[]>;
}

function requireBounded(given: readonly Write[]): void {
  // Notices say what the others do, each once.
  const writes = given.filter(({ type }) => type !== 'notice');
  const bytes = writes.reduce((sum, write) => sum + ('json' in write ? Buffer.byteLength(write.json) : 0), 0);
  requireCommittable({ count: writes.length, bytes });
  requireTellable(given.filter((write) => write.type === 'notice'));
}

async function commit(writing: Writing, given: readonly Write[]): Promise<Outcome> {
  // One alone is bounded where it is planned.
  if (given.length > 1) requireBounded(given);
  const settings = given.find(({ kind }) => kind === projectKind);
  if (settings !== undefined) return commitSettings(writing, given, settings);
  // As Postgres spells them.
  const writes = given.map((write) => ({ ...write, id: write.id.toLowerCase() }));
  if (new Set(writes.map(({ id }) => id)).size < writes.length) throw new Error('A commit writes a resource once');
  const missing = await whileTaken(writes, () =>
    translated(writing, writes, async () => {
      const [only, ...others] = writes;
      return others.length === 0 ? writeOne(writing, only!) : writeAll(writing, writes);
    }),
  );
  if (missing === undefined) return { isDone: true };
  if (missing.type === 'insertion') throw limitReached(missing);
  const [stored] = await writing.reads.find(writing.project, [{ kind: missing.kind, id: missing.id }]);
  return { isDone: false, write: given[writes.indexOf(missing)]!, version: stored?.version };
}

/** Settings have a table of their own. */
async function commitSettings(
  { database, project }: Writing,
  writes: readonly Write[],
  settings: Write,
): Promise<Outcome> {
  if (settings.type !== 'replacement' || writes.length > 1) throw new Error('Settings are replaced, and alone');
  const { isDone, version } = await replaceProject(database, project, settings);
  return isDone ? { isDone } : { isDone, write: settings, version };
}

/** Gives the write where there was nothing to write: no room below the limit, or no row of the expected version. */
async function writeOne({ project, batches, topics }: Writing, write: Write): Promise<Write | undefined> {
  const statement = writeStatement(formOf(write, topics));
  return (await batches.run(project, statement, write)) ? undefined : write;
}

/** Gives the first of the writes for which nothing was written. */
async function writeAll({ project, database, topics }: Writing, writes: readonly Write[]): Promise<Write | undefined> {
  const { statement, groups } = commitOf(writes, topics);
  try {
    await written(database, statement, { project, groups });
    return undefined;
  } catch (error) {
    if (!hasCode(error, notWritten)) throw error;
    const ids = idsOfDetail(error);
    const missing = writes.find(({ id }) => ids.has(id));
    // Nothing was written, whatever the server that told so left out.
    if (missing === undefined) throw error;
    return missing;
  }
}

function limitReached({ kind, maxPerProject }: Insertion): Error {
  return apiError(
    'MaxResourceLimitExceeded',
    `The project has ${maxPerProject} resources of type '${kind}', which is the limit.`,
    { exceededResource: kind },
  );
}

/** Times that writes are run of which rivals had a unique value that nobody has any more when it is asked who it is. */
const takenMax = 8;

/** Runs writes again for as long as they fail on rivals that are gone then: these are no reason for a refusal. */
async function whileTaken<T>(writes: readonly Write[], run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (!hasCode(error, uniqueViolation)) throw error;
      if (attempt === takenMax) throw takenByTurns(writes);
    }
  }
}

/** What is wrong with writes of which always another rival has the value. */
function takenByTurns(writes: readonly Write[]): Error {
  const added = changesOf(writes).flatMap((change) => uniqueValuesOf(change).added);
  const [only, ...others] = added;
  if (only !== undefined && others.length === 0) return duplicateField(only.field, only.shown ?? only.value);
  return repeatable('another one over the same unique value');
}

function changesOf(writes: readonly Write[]): readonly (Insertion | Replacement)[] {
  return writes.filter((write) => write.type === 'insertion' || write.type === 'replacement');
}

/**
 * Runs writes and turns the violation of a constraint into the error that it means. That of a unique value which nobody has any
 * more is left as it is.
 */
async function translated<T>(writing: Writing, writes: readonly Write[], run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    const changes = changesOf(writes);
    if (hasCode(error, uniqueViolation)) throw (await duplicateOf(writing, changes)) ?? error;
    const excluding = excludingConstraint(error);
    if (excluding !== undefined) throw duplicateField(excluding, null);
    const shared = fullyShared(error);
    if (shared !== undefined) throw duplicateField(shared.field, shared.value);
    const isForeign = hasCode(error, foreignKeyViolation);
    const removals = writes.filter((write) => write.type === 'removal');
    if (isForeign && removals.length > 0) {
      const held = await heldOf(writing, removals);
      if (held !== undefined || changes.length === 0) throw referenceExists(held ?? { removal: removals[0]! });
    }
    // A key whose resource has gone finds no id.
    if (isForeign || isOfTable(error, notNullViolation, 'document_references'))
      throw await goneTarget(writing, changes);
    throw error;
  }
}

interface Held {
  readonly removal: Removal;
  /** A kind; unknown when whoever referred to it has gone meanwhile. */
  readonly by?: string;
}

async function heldOf({ database, project }: Writing, removals: readonly Removal[]): Promise<Held | undefined> {
  for (const removal of removals) {
    const [holder] = await database.read(
      (sql) => sql<{ source_kind: string }[]>`
        select source_kind from document_references
        where project = ${project} and target_kind = ${removal.kind} and target_id = ${removal.id} limit 1`,
    );
    if (holder !== undefined) return { removal, by: holder.source_kind };
  }
  return undefined;
}

function referenceExists({ removal: { kind, id }, by }: Held): Error {
  return apiError('ReferenceExists', `The '${kind}' with ID '${id}' cannot be deleted because it is referenced.`, {
    ...(by !== undefined && { referencedBy: by }),
  });
}

/** The targets were there when the request looked them up; those that are not any more were deleted meanwhile. */
async function goneTarget({ project, reads }: Writing, changes: readonly (Insertion | Replacement)[]): Promise<Error> {
  const references = changes.flatMap((change) => referencesOf(change).added);
  const found = await reads.find(
    project,
    references.map(({ typeId, ...link }) => ({ kind: typeId, ...link })),
  );
  const [first, ...others] = references
    .filter((_, index) => found[index] === undefined)
    .map((reference) => ({
      code: 'ReferencedResourceNotFound' as const,
      message: `The referenced object of type '${reference.typeId}' (${linkOf(reference)}) was deleted while the request was under way.`,
      ...reference,
    }));
  return first === undefined ? repeatable('a resource that was being deleted') : new ApiError([first, ...others]);
}

/** Undefined where the rival is gone again. */
async function duplicateOf(
  { database, reads, project }: Writing,
  changes: readonly (Insertion | Replacement)[],
): Promise<Error | undefined> {
  const nameOf = (id: string, { field, value }: { field: string; value: string }): string => `${id} ${field} ${value}`;
  const givenUp = new Set(
    changes.flatMap((change) => uniqueValuesOf(change).removed.map((value) => nameOf(change.id, value))),
  );
  for (const change of changes) {
    const own = uniqueValuesOf(change).added;
    if (own.length === 0) continue;
    const holders = await database.read(
      (sql) => sql<{ id: string; field: string; value: string }[]>`
      select id, field, value from unique_values
      where project = ${project} and kind = any(${kindsOf(change)}::text[]) and id <> ${change.id} and (field, value) in (
        select * from unnest(${own.map(({ field }) => field)}::text[], ${own.map(({ value }) => value)}::text[]))
      limit 100`,
    );
    const taken = holders.find(({ id, ...value }) => !givenUp.has(nameOf(id, value)));
    if (taken === undefined) continue;
    const { shown = taken.value } = own.find(({ field, value }) => field === taken.field && value === taken.value)!;
    return duplicateField(taken.field, shown);
  }
  const keyed = changes.flatMap(({ kind, id, key }) => (key === undefined ? [] : [{ kind, id, key }]));
  const [only, ...others] = keyed;
  const hasKeyAlone = changes.every((change) => uniqueValuesOf(change).added.length === 0);
  if (only !== undefined && others.length === 0 && hasKeyAlone) return duplicateField('key', only.key);
  const holders = await reads.find(
    project,
    keyed.map(({ kind, key }) => ({ kind, key })),
  );
  const taken = keyed.find(({ id }, index) => holders[index] !== undefined && holders[index].id !== id);
  return taken === undefined ? undefined : duplicateField('key', taken.key);
}

/** Of those that may not hold what the write takes. A value that other kinds hold for themselves is told by its field. */
function kindsOf(change: Insertion | Replacement): readonly string[] {
  return [...new Set([change.kind, ...uniqueValuesOf(change).added.flatMap(({ among = [] }) => among)])];
}

function repeatable(obstacle: string): Error {
  return apiError('OverCapacity', `The request met ${obstacle}. Send it again.`);
}

function duplicateField(field: string, duplicateValue: string | null): Error {
  return apiError('DuplicateField', `A duplicate value '${duplicateValue}' exists for field '${field}'.`, {
    field,
    duplicateValue,
  });
}
