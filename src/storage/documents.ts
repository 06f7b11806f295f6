import { ApiError, apiError } from '../errors/api-error.ts';
import type {
  Delta,
  Insertion,
  Outcome,
  Removal,
  Replacement,
  SecretLookup,
  Store,
  StoredSecrets,
} from '../engine/store.ts';
import { isUuid } from '../engine/load.ts';
import { BatchedReads } from './batched-reads.ts';
import { BatchedWrites, written } from './batched-writes.ts';
import { foreignKeyViolation, hasCode, notNullViolation, uniqueViolation } from './connection.ts';
import type { Database } from './database.ts';
import type { Queries } from './queries.ts';
import {
  type Change,
  insertStatement,
  linkOf,
  removeStatement,
  replaceStatement,
  type StatementForm,
} from './write-statements.ts';

/** Times a statement is run again when a rival took the same exclusive flag meanwhile. */
const flagRetriesMax = 8;

/** The versioned resources of one database. Rows of `queuedKinds` also enter the outbox with every write. */
export function createDocuments(database: Database, queuedKinds: ReadonlySet<string>, queries: Queries): Store {
  const reads = new BatchedReads(database);
  return {
    find: (project, lookups) => reads.find(project, lookups),
    findSecrets: (project, lookup) => findSecrets(database, project, lookup),
    ...queries,
    ...createWrites(database, queuedKinds),
  };
}

export function createWrites(
  database: Database,
  queuedKinds: ReadonlySet<string>,
): Pick<Store, 'insert' | 'replace' | 'remove'> {
  const writing = { database, reads: new BatchedReads(database), writes: new BatchedWrites(database) };
  return {
    insert: (project, insertion) => insert(writing, { project, insertion, isQueued: queuedKinds.has(insertion.kind) }),
    replace: (project, replacement) =>
      replace(writing, { project, replacement, isQueued: queuedKinds.has(replacement.kind) }),
    remove: (project, removal) => remove(writing, { project, removal, isQueued: queuedKinds.has(removal.kind) }),
  };
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
      select id, key, version, data::text as json, secrets::text as secrets from documents
      where project = ${project} and kind = ${lookup.kind} and id = ${id}`;
  });
  if (row === undefined) return undefined;
  return {
    ...row,
    key: row.key ?? undefined,
    version: Number(row.version),
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
}

/** Where writes run, and read what they failed on. */
interface Writing {
  readonly database: Database;
  readonly reads: BatchedReads;
  readonly writes: BatchedWrites;
}

interface Context {
  readonly project: string;
  readonly isQueued: boolean;
}

async function insert(
  writing: Writing,
  { project, insertion, isQueued }: Context & { insertion: Insertion },
): Promise<void> {
  const { kind, references, uniqueValues, maxPerProject: limit } = insertion;
  const change = { references: { added: references, removed: [] }, uniqueValues: { added: uniqueValues, removed: [] } };
  await retriedForFlag(insertion.exclusiveFlags, async (exclusiveFlag) => {
    const form = { ...formOf(kind, change), exclusiveFlag, isQueued, isLimited: limit !== undefined };
    const inserted = { ...changeOf(project, { ...insertion, ...change }), limit };
    const isWritten = await translated(writing, { ...insertion, project, exclusiveFlag }, () =>
      writing.writes.run(insertStatement(form), inserted),
    );
    if (!isWritten) {
      throw apiError(
        'MaxResourceLimitExceeded',
        `The project has ${limit} resources of type '${kind}', which is the limit.`,
        { exceededResource: kind },
      );
    }
  });
}

async function replace(
  writing: Writing,
  { project, replacement, isQueued }: Context & { replacement: Replacement },
): Promise<Outcome> {
  const { kind, document, expectedVersion } = replacement;
  const attempt = {
    ...replacement,
    project,
    references: replacement.references.added,
    uniqueValues: replacement.uniqueValues.added,
  };
  let isDone = false;
  await retriedForFlag(replacement.exclusiveFlags, async (exclusiveFlag) => {
    const form = { ...formOf(kind, replacement), exclusiveFlag, isQueued };
    const change = { ...changeOf(project, replacement), expectedVersion };
    isDone = await translated(writing, { ...attempt, exclusiveFlag }, () =>
      writing.writes.run(replaceStatement(form), change),
    );
  });
  return isDone ? { isDone } : lost(writing, project, { kind, id: document.id });
}

type Changing = Pick<Replacement, 'references' | 'uniqueValues'>;

function formOf(
  kind: string,
  { references, uniqueValues }: Changing,
): Pick<StatementForm, 'kind' | 'hasReferences' | 'hasUniqueValues'> {
  const isAny = ({ added, removed }: Delta<unknown>): boolean => added.length + removed.length > 0;
  return { kind, hasReferences: isAny(references), hasUniqueValues: isAny(uniqueValues) };
}

function changeOf(
  project: string,
  {
    document,
    json,
    key,
    secrets,
    references,
    uniqueValues,
  }: Changing & Pick<Insertion, 'document' | 'json' | 'key' | 'secrets'>,
): Change {
  return {
    project,
    // As Postgres spells it.
    id: document.id.toLowerCase(),
    key: key ?? null,
    version: document.version ?? firstVersion,
    json,
    secrets: secrets === undefined ? null : JSON.stringify(secrets),
    references,
    uniqueValues,
    now: document.lastModifiedAt,
  };
}

/** Kinds that are never updated have no version of their own. */
const firstVersion = 1;

async function remove(
  writing: Writing,
  { project, removal, isQueued }: Context & { removal: Removal },
): Promise<Outcome> {
  const { kind, id, expectedVersion, isCounted } = removal;
  const { database } = writing;
  try {
    const removing = { project, id, expectedVersion: expectedVersion ?? null };
    const ids = await written(database, removeStatement({ kind, isQueued, isCounted }), [removing]);
    return ids.size > 0 ? { isDone: true } : await lost(writing, project, { kind, id });
  } catch (error) {
    if (!hasCode(error, foreignKeyViolation)) throw error;
    const [holder] = await database.read(
      (sql) => sql<{ source_kind: string }[]>`
        select source_kind from document_references
        where project = ${project} and target_kind = ${kind} and target_id = ${id} limit 1`,
    );
    throw apiError('ReferenceExists', `The '${kind}' with ID '${id}' cannot be deleted because it is referenced.`, {
      ...(holder !== undefined && { referencedBy: holder.source_kind }),
    });
  }
}

/** The current version, for the conflict that a conditional write met. */
async function lost({ reads }: Writing, project: string, { kind, id }: { kind: string; id: string }): Promise<Outcome> {
  const [stored] = await reads.find(project, [{ kind, id }]);
  return { isDone: false, version: stored?.version };
}

class FlagTaken extends Error {}

async function retriedForFlag(
  flags: readonly string[],
  write: (flag: string | undefined) => Promise<void>,
): Promise<void> {
  if (flags.length > 1) throw new Error('One write can set one exclusive flag');
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write(flags[0]);
    } catch (error) {
      if (!(error instanceof FlagTaken) || attempt === flagRetriesMax) throw error;
    }
  }
}

interface Attempt extends Pick<Insertion, 'kind' | 'document' | 'key' | 'references' | 'uniqueValues'> {
  readonly project: string;
  readonly exclusiveFlag: string | undefined;
}

/** Runs a write and turns the violation of a constraint into the error that it means. */
async function translated<T>(writing: Writing, attempt: Attempt, run: () => PromiseLike<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (hasCode(error, uniqueViolation)) throw await duplicateOf(writing, attempt);
    // A key whose resource has gone finds no id.
    if (hasCode(error, foreignKeyViolation) || hasCode(error, notNullViolation))
      throw await goneTarget(writing, attempt);
    throw error;
  }
}

/** The targets were there when the request looked them up; those that are not any more were deleted meanwhile. */
async function goneTarget({ reads }: Writing, { project, references }: Attempt): Promise<Error> {
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

async function duplicateOf(
  { database }: Writing,
  { project, kind, document, key, uniqueValues, exclusiveFlag }: Attempt,
): Promise<Error> {
  const holders = await database.read(
    (sql) => sql<{ field: string; value: string }[]>`
      select field, value from unique_values
      where project = ${project} and kind = ${kind} and id <> ${document.id} and (field, value) in (
        select * from unnest(${uniqueValues.map((value) => value.field)}::text[], ${uniqueValues.map((value) => value.value)}::text[]))
      limit 100`,
  );
  const taken = holders.find((holder) => holder.field !== exclusiveFlag);
  if (taken !== undefined) {
    const own = uniqueValues.find(({ field, value }) => field === taken.field && value === taken.value);
    return duplicateField(taken.field, own?.shown ?? taken.value);
  }
  if (holders.length > 0) return new FlagTaken();
  if (key !== undefined) return duplicateField('key', key);
  // The rival is gone again.
  return repeatable('another one over the same unique value');
}

function repeatable(obstacle: string): Error {
  return apiError('OverCapacity', `The request met ${obstacle}. Send it again.`);
}

function duplicateField(field: string, duplicateValue: string): Error {
  return apiError('DuplicateField', `A duplicate value '${duplicateValue}' exists for field '${field}'.`, {
    field,
    duplicateValue,
  });
}
