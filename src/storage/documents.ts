import { apiError } from '../errors/api-error.ts';
import type { UniqueValue } from '../engine/define.ts';
import type { Insertion, Lookup, Outcome, Query, Removal, Replacement, Store, Stored } from '../engine/store.ts';
import { isUuid } from '../engine/load.ts';
import type { Reference } from '../fields/parsing.ts';
import { foreignKeyViolation, hasCode, type Sql, uniqueViolation } from './connection.ts';
import { predicateSql } from './predicate-sql.ts';
import { sortSql } from './sort-sql.ts';
import { insertStatement, removeStatement, replaceStatement } from './write-statements.ts';

/** Times a statement is run again when a rival took the same exclusive flag meanwhile. */
const flagRetriesMax = 8;

/** Matches counted under a predicate (specification 2.8). */
const totalMax = 10_000;

/**
 * The versioned resources of one database. Rows of `queuedKinds` also enter the outbox with every write.
 */
export function createDocuments(sql: Sql, queuedKinds: ReadonlySet<string>): Store {
  return {
    find: (project, lookups) => find(sql, project, lookups),
    query: (project, query) => queryPage(sql, project, query),
    count: (project, query) => count(sql, project, query),
    insert: (project, insertion) => insert(sql, { project, insertion, isQueued: queuedKinds.has(insertion.kind) }),
    replace: (project, replacement) =>
      replace(sql, { project, replacement, isQueued: queuedKinds.has(replacement.kind) }),
    remove: (project, removal) => remove(sql, { project, removal, isQueued: queuedKinds.has(removal.kind) }),
  };
}

interface Row {
  readonly id: string;
  readonly key?: string | null;
  readonly version: string;
  readonly text: string;
}

async function find(sql: Sql, project: string, lookups: readonly Lookup[]): Promise<readonly (Stored | undefined)[]> {
  const kinds = [...new Set(lookups.map((lookup) => lookup.kind))];
  const found = new Map<string, Stored>();
  await Promise.all(kinds.map((kind) => findOfKind(sql, { project, kind, lookups, found })));
  return lookups.map(({ kind, id, key }) =>
    found.get(id === undefined ? `${kind}/key=${key}` : `${kind}/${id.toLowerCase()}`),
  );
}

async function findOfKind(
  sql: Sql,
  {
    project,
    kind,
    lookups,
    found,
  }: { project: string; kind: string; lookups: readonly Lookup[]; found: Map<string, Stored> },
): Promise<void> {
  const ids = lookups
    .filter((lookup) => lookup.kind === kind && lookup.id !== undefined && isUuid(lookup.id))
    .map((lookup) => lookup.id!);
  const keys = lookups
    .filter((lookup) => lookup.kind === kind && lookup.key !== undefined)
    .map((lookup) => lookup.key!);
  const select = `select id, key, version, data::text as text from documents where project = $1 and kind = '${kind}'`;
  const reads = [
    ...(ids.length > 0
      ? [sql.unsafe<Row[]>(`${select} and id = any($2::uuid[])`, [project, ids], { prepare: true })]
      : []),
    ...(keys.length > 0
      ? [sql.unsafe<Row[]>(`${select} and key = any($2::text[])`, [project, keys], { prepare: true })]
      : []),
  ];
  for (const rows of await Promise.all(reads)) {
    for (const row of rows) {
      const stored = storedOf(row);
      found.set(`${kind}/${row.id}`, stored);
      if (typeof row.key === 'string') found.set(`${kind}/key=${row.key}`, stored);
    }
  }
}

function storedOf(row: Row): Stored {
  return { id: row.id, version: Number(row.version), text: row.text };
}

async function queryPage(sql: Sql, project: string, query: Query): Promise<readonly Stored[]> {
  const { where, parameters } = conditions(project, query);
  const text = `select id, version, data::text as text from documents where ${where} order by ${sortSql(query.sort)} limit ${query.limit} offset ${query.offset}`;
  return (await sql.unsafe<Row[]>(text, parameters)).map(storedOf);
}

async function count(sql: Sql, project: string, query: Pick<Query, 'kind' | 'where'>): Promise<number> {
  const { where, parameters } = conditions(project, query);
  const counted =
    query.where.length > 0
      ? `(select from documents where ${where} limit ${totalMax}) as matching`
      : `documents where ${where}`;
  const [row] = await sql.unsafe<{ total: string }[]>(`select count(*) as total from ${counted}`, parameters);
  return Number(row!.total);
}

function conditions(
  project: string,
  { kind, where }: Pick<Query, 'kind' | 'where'>,
): { where: string; parameters: string[] } {
  const parameters: unknown[] = [project];
  const predicates = where.map((predicate) => predicateSql(predicate, parameters));
  // The driver's types know no mixed lists; every parameter is text, a number or a list of texts.
  return {
    where: ['project = $1', `kind = '${kind}'`, ...predicates].join(' and '),
    parameters: parameters as string[],
  };
}

interface Context {
  readonly project: string;
  readonly isQueued: boolean;
}

async function insert(sql: Sql, { project, insertion, isQueued }: Context & { insertion: Insertion }): Promise<void> {
  const { kind, document, references, maxPerProject } = insertion;
  const isLimited = maxPerProject !== undefined;
  await retriedForFlag(insertion.exclusiveFlags, async (exclusiveFlag) => {
    const statement = insertStatement({ kind, exclusiveFlag, isQueued, isLimited });
    const { uniqueValues } = insertion;
    const parameters = [
      ...additions(project, { document, references, uniqueValues }),
      ...(exclusiveFlag === undefined ? [] : [document.lastModifiedAt]),
      ...(isLimited ? [maxPerProject] : []),
    ];
    const rows = await translated(sql, { project, kind, document, uniqueValues, exclusiveFlag }, () =>
      sql.unsafe(statement, parameters as string[], { prepare: true }),
    );
    if (rows.length === 0) {
      throw apiError(
        'MaxResourceLimitExceeded',
        `The project has ${maxPerProject} resources of type '${kind}', which is the limit.`,
        { exceededResource: kind },
      );
    }
  });
}

async function replace(
  sql: Sql,
  { project, replacement, isQueued }: Context & { replacement: Replacement },
): Promise<Outcome> {
  const { kind, document, expectedVersion, references } = replacement;
  let isDone = false;
  await retriedForFlag(replacement.exclusiveFlags, async (exclusiveFlag) => {
    const statement = replaceStatement({ kind, exclusiveFlag, isQueued });
    const { added: uniqueValues, removed } = replacement.uniqueValues;
    const parameters = [
      ...additions(project, { document, references: references.added, uniqueValues }),
      expectedVersion,
      references.removed.map((reference) => reference.typeId),
      references.removed.map((reference) => reference.id),
      removed.map((value) => value.field),
      removed.map((value) => value.value),
      ...(exclusiveFlag === undefined ? [] : [document.lastModifiedAt]),
    ];
    const rows = await translated(sql, { project, kind, document, uniqueValues, exclusiveFlag }, () =>
      sql.unsafe(statement, parameters as string[], { prepare: true }),
    );
    isDone = rows.length > 0;
  });
  return isDone ? { isDone } : lost(sql, project, { kind, id: document.id });
}

async function remove(sql: Sql, { project, removal, isQueued }: Context & { removal: Removal }): Promise<Outcome> {
  const { kind, id, expectedVersion, isCounted } = removal;
  try {
    const rows = await sql.unsafe(removeStatement({ kind, isQueued, isCounted }), [project, id, expectedVersion], {
      prepare: true,
    });
    return rows.length > 0 ? { isDone: true } : await lost(sql, project, { kind, id });
  } catch (error) {
    if (!hasCode(error, foreignKeyViolation)) throw error;
    const [holder] = await sql<{ source_kind: string; source_id: string }[]>`
      select source_kind, source_id from document_references
      where project = ${project} and target_kind = ${kind} and target_id = ${id} limit 1`;
    throw apiError('ReferenceExists', `The '${kind}' with ID '${id}' cannot be deleted because it is referenced.`, {
      ...(holder !== undefined && { referencedBy: { typeId: holder.source_kind, id: holder.source_id } }),
    });
  }
}

/** The current version, for the conflict that a conditional write met. */
async function lost(sql: Sql, project: string, { kind, id }: { kind: string; id: string }): Promise<Outcome> {
  const [stored] = await find(sql, project, [{ kind, id }]);
  return { isDone: false, version: stored?.version };
}

function additions(
  project: string,
  {
    document,
    references,
    uniqueValues,
  }: { document: Insertion['document']; references: readonly Reference[]; uniqueValues: readonly UniqueValue[] },
): unknown[] {
  return [
    project,
    document.id,
    document.key ?? null,
    document.version,
    JSON.stringify(document),
    references.map((reference) => reference.typeId),
    references.map((reference) => reference.id),
    uniqueValues.map((value) => value.field),
    uniqueValues.map((value) => value.value),
  ];
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

interface Attempt {
  readonly project: string;
  readonly kind: string;
  readonly document: Insertion['document'];
  readonly uniqueValues: readonly UniqueValue[];
  readonly exclusiveFlag: string | undefined;
}

/** Runs a write and turns the violation of a constraint into the error that it means. */
async function translated<T>(sql: Sql, attempt: Attempt, run: () => PromiseLike<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (hasCode(error, uniqueViolation)) throw await duplicateOf(sql, attempt);
    if (hasCode(error, foreignKeyViolation)) {
      throw apiError('ReferencedResourceNotFound', 'A referenced object was deleted while the request was under way.');
    }
    throw error;
  }
}

async function duplicateOf(
  sql: Sql,
  { project, kind, document, uniqueValues, exclusiveFlag }: Attempt,
): Promise<Error> {
  const holders = await sql<{ field: string; value: string }[]>`
    select field, value from unique_values
    where project = ${project} and kind = ${kind} and id <> ${document.id} and (field, value) in (
      select * from unnest(${uniqueValues.map((value) => value.field)}::text[], ${uniqueValues.map((value) => value.value)}::text[]))
    limit 100`;
  const taken = holders.find((holder) => holder.field !== exclusiveFlag);
  if (taken !== undefined) return duplicateField(taken.field, taken.value);
  if (holders.length > 0) return new FlagTaken();
  if (document.key !== undefined) return duplicateField('key', document.key);
  // The rival is gone again: the client may repeat the request.
  return apiError('OverCapacity', 'The request met another one over the same unique value. Send it again.');
}

function duplicateField(field: string, duplicateValue: string): Error {
  return apiError('DuplicateField', `A duplicate value '${duplicateValue}' exists for field '${field}'.`, {
    field,
    duplicateValue,
  });
}
