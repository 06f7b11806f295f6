/**
 * The texts of write statements. Every write is one statement: it changes the versioned row where the version matches
 * and, from the rows it touched, the references, the unique values, the change log and the outbox. The same statement
 * does so for several writes of a project at a time, which costs a third of as many statements.
 */
import type { UniqueValue } from '../engine/define.ts';
import type { Delta } from '../engine/store.ts';
import type { StrongReference } from '../fields/parsing.ts';

/** What varies between statements of one kind; each combination is one prepared statement. */
export interface StatementForm {
  /** A declared kind, never a client's text: it stands in the statement as a literal so that plans prune partitions. */
  readonly kind: string;
  /** A flag to unset in all other resources of the kind. */
  readonly exclusiveFlag: string | undefined;
  readonly isQueued: boolean;
  /** References or unique values come or go. Most updates leave them, and each part costs a tenth of a statement. */
  readonly hasReferences: boolean;
  readonly hasUniqueValues: boolean;
}

/** An insert or a replacement. */
export interface Change {
  readonly project: string;
  readonly id: string;
  readonly key: string | null;
  readonly version: number;
  /** The document. */
  readonly json: string;
  /** JSON, or null for none; a replacement without leaves what is there. */
  readonly secrets: string | null;
  readonly references: Delta<StrongReference>;
  readonly uniqueValues: Delta<UniqueValue>;
  /** Of a replacement. */
  readonly expectedVersion?: number;
  /** Of an insert, where there is one. */
  readonly limit?: number | undefined;
  /** For those that lose the exclusive flag. */
  readonly now: string;
}

export interface Removing {
  readonly project: string;
  readonly id: string;
  /** Null takes any. */
  readonly expectedVersion: number | null;
}

/** What `written` gives are the ids of the rows that were written. */
export interface WriteStatement<W> {
  /** Tells it from all others. */
  readonly name: string;
  readonly text: string;
  /** Whether it may be run for several writes of a project, each to a resource of its own. */
  readonly isForMany: boolean;
  /** The names of its parameters, in their order. */
  readonly parameters: readonly string[];
  valuesOf(writes: readonly W[]): readonly unknown[];
}

/** What the parameters of statements are, by name. */
type Columns<W> = Readonly<Record<string, (writes: readonly W[]) => unknown>>;

const changeColumns = {
  project: ([first]) => first!.project,
  ids: (writes) => writes.map(({ id }) => id),
  keys: (writes) => writes.map(({ key }) => key),
  versions: (writes) => writes.map(({ version }) => version),
  documents: (writes) => `[${writes.map(({ json }) => json).join(',')}]`,
  secrets: (writes) => writes.map(({ secrets }) => secrets),
  expectedVersions: (writes) => writes.map(({ expectedVersion }) => expectedVersion!),
  addedReferences: (writes) => referencesOf(writes, 'added'),
  removedReferences: (writes) => referencesOf(writes, 'removed'),
  addedValues: (writes) => uniqueValuesOf(writes, 'added'),
  removedValues: (writes) => uniqueValuesOf(writes, 'removed'),
  // Of statements for one write at a time.
  id: ([first]) => first!.id,
  now: ([first]) => first!.now,
  limit: ([first]) => first!.limit,
} satisfies Columns<Change>;

const removingColumns = {
  project: ([first]) => first!.project,
  id: ([first]) => first!.id,
  expectedVersion: ([first]) => first!.expectedVersion,
} satisfies Columns<Removing>;

/** As JSON, each beside the id of the resource that holds it. */
function referencesOf(writes: readonly Change[], side: keyof Delta<unknown>): string {
  return JSON.stringify(
    writes.flatMap(({ id, references }) =>
      references[side].map((reference) => ({ id, kind: reference.typeId, link: linkOf(reference) })),
    ),
  );
}

function uniqueValuesOf(writes: readonly Change[], side: keyof Delta<unknown>): string {
  return JSON.stringify(
    writes.flatMap(({ id, uniqueValues }) => uniqueValues[side].map(({ field, value }) => ({ id, field, value }))),
  );
}

/** How a statement names the target of a reference: its id, or `key=` and its key. */
export function linkOf(reference: StrongReference): string {
  return 'id' in reference ? reference.id : `key=${reference.key}`;
}

/** The parameter of a name. */
type At<Name extends string> = (name: Name) => string;
type ChangeAt = At<keyof typeof changeColumns>;

/** At most 14 of each kind, and 26 of one with an exclusive flag. */
const cache = new Map<string, WriteStatement<never>>();

interface Making<W, Name extends string> {
  readonly name: string;
  readonly columns: Columns<W> & Readonly<Record<Name, unknown>>;
  readonly isForMany: boolean;
  readonly parts: (at: At<Name>) => readonly string[];
}

function cached<W, Name extends string>({ name, columns, isForMany, parts }: Making<W, Name>): WriteStatement<W> {
  const known = cache.get(name);
  if (known !== undefined) return known as WriteStatement<W>;
  const parameters: Name[] = [];
  const at = (parameter: Name): string => {
    if (!parameters.includes(parameter)) parameters.push(parameter);
    return `$${parameters.indexOf(parameter) + 1}`;
  };
  const made = {
    name,
    text: `with ${parts(at).join(', ')} select id from written`,
    isForMany,
    parameters,
    valuesOf: (writes: readonly W[]) => parameters.map((parameter) => columns[parameter]!(writes)),
  };
  cache.set(name, made);
  return made;
}

/** The target of a reference given as its id, or as `key=` and its key. */
function targetId(at: ChangeAt, row: string): string {
  return `case when ${row}.link like 'key=%' then (
    select target.id from documents as target
    where target.project = ${at('project')} and target.kind = ${row}.kind and target.key = substr(${row}.link, 5)
  ) else ${row}.link::uuid end`;
}

/** A kind or field name as an SQL literal. */
function literal(name: string): string {
  if (!/^[A-Za-z-]+$/.test(name)) throw new Error(`'${name}' cannot stand in a statement`);
  return `'${name}'`;
}

/** Gives the ids of the inserted rows, or none at the limit. */
export function insertStatement(form: StatementForm & { readonly isLimited: boolean }): WriteStatement<Change> {
  return cached({
    name: `insert ${JSON.stringify(form)}`,
    columns: changeColumns,
    isForMany: !form.isLimited && form.exclusiveFlag === undefined,
    parts: (at) => [
      ...(form.isLimited ? [countedPart(at, form)] : []),
      ...unsetParts(at, form),
      `written as (
  insert into documents (project, kind, id, key, version, data, secrets)
  select ${at('project')}, ${literal(form.kind)}, given.id, given.key, given.version, given.data, given.secrets::jsonb
  from rows from (
    unnest(${at('ids')}::uuid[], ${at('keys')}::text[], ${at('versions')}::bigint[], ${at('secrets')}::text[]),
    jsonb_array_elements(${at('documents')}::text::jsonb)
  ) as given (id, key, version, secrets, data)
  ${form.isLimited ? 'where exists (select from counted)' : ''}
  returning id, version
)`,
      ...addedParts(at, form),
      ...traceParts(at('project'), form),
    ],
  });
}

/** The first insert under a limit counts what came before it, when the kind had none. */
function countedPart(at: ChangeAt, form: StatementForm): string {
  const kind = literal(form.kind);
  const [project, limit] = [at('project'), `${at('limit')}::bigint`];
  return `counted as (
  insert into resource_counts as c (project, kind, count)
  select ${project}, ${kind}, before.count + 1
  from (select case when exists (select from resource_counts where project = ${project} and kind = ${kind}) then 0
    else (select count(*) from documents where project = ${project} and kind = ${kind}) end as count) as before
  where before.count < ${limit}
  on conflict (project, kind) do update set count = c.count + 1 where c.count < ${limit}
  returning 1
)`;
}

/**
 * Gives the ids of the rows whose versions matched. The list of ids, which the join implies, is there for an index to be
 * read by: the keys of a join Postgres may leave to be compared. So it is where references and values are removed.
 */
export function replaceStatement(form: StatementForm): WriteStatement<Change> {
  return cached({
    name: `replace ${JSON.stringify(form)}`,
    columns: changeColumns,
    isForMany: form.exclusiveFlag === undefined,
    parts: (at) => [
      ...unsetParts(at, form),
      `written as (
  update documents set key = given.key, version = given.version, data = given.data,
    secrets = coalesce(given.secrets::jsonb, documents.secrets)
  from rows from (
    unnest(${at('ids')}::uuid[], ${at('keys')}::text[], ${at('versions')}::bigint[], ${at('expectedVersions')}::bigint[],
      ${at('secrets')}::text[]),
    jsonb_array_elements(${at('documents')}::text::jsonb)
  ) as given (id, key, version, expected, secrets, data)
  where documents.project = ${at('project')} and documents.kind = ${literal(form.kind)}
    and documents.id = any(${at('ids')}::uuid[]) and documents.id = given.id and documents.version = given.expected
  returning documents.id, documents.version
)`,
      ...addedParts(at, form),
      ...removedParts(at, form),
      ...traceParts(at('project'), form),
    ],
  });
}

/** Gives the row's id, or no row when the version does not match. */
export function removeStatement(
  form: Pick<StatementForm, 'kind' | 'isQueued'> & { readonly isCounted: boolean },
): WriteStatement<Removing> {
  return cached({
    name: `remove ${JSON.stringify(form)}`,
    columns: removingColumns,
    isForMany: false,
    parts: (at) => {
      const kind = literal(form.kind);
      const [project, expected] = [at('project'), `${at('expectedVersion')}::bigint`];
      const uncounted = `uncounted as (
  update resource_counts set count = count - 1
  where project = ${project} and kind = ${kind} and exists (select from written)
)`;
      return [
        `written as (
  delete from documents
  where project = ${project} and kind = ${kind} and id = ${at('id')}::uuid and (${expected} is null or version = ${expected})
  returning id, version
)`,
        ...(form.isCounted ? [uncounted] : []),
        ...traceParts(project, { ...form, exclusiveFlag: undefined }),
      ];
    },
  });
}

/**
 * Takes the flag from whoever has it. A rival that commits first shows as a violation of unique_values, and the
 * statement is run again on a newer snapshot.
 */
function unsetParts(at: ChangeAt, form: StatementForm): readonly string[] {
  if (form.exclusiveFlag === undefined) return [];
  const [kind, flag] = [literal(form.kind), literal(form.exclusiveFlag)];
  const project = at('project');
  return [
    `unset as (
  update documents set
    version = version + 1,
    data = data || jsonb_build_object(${flag}, false, 'version', version + 1, 'lastModifiedAt', greatest(data ->> 'lastModifiedAt', ${at('now')}::text))
  where project = ${project} and kind = ${kind} and id <> ${at('id')}::uuid and data @> jsonb_build_object(${flag}, true)
  returning id, version
)`,
    `flag_freed as (
  delete from unique_values where project = ${project} and kind = ${kind} and field = ${flag} and id in (select id from unset)
  returning 1
)`,
  ];
}

function addedParts(at: ChangeAt, form: StatementForm): readonly string[] {
  const kind = literal(form.kind);
  // Counting the freed rows makes Postgres free the flag before it is taken.
  const afterFreed = form.exclusiveFlag === undefined ? '' : ' and (select count(*) from flag_freed) >= 0';
  const references = (): string => `references_added as (
  insert into document_references (project, source_kind, source_id, target_kind, target_id)
  select ${at('project')}, ${kind}, added.id, added.kind, ${targetId(at, 'added')}
  from jsonb_to_recordset(${at('addedReferences')}::text::jsonb) as added (id uuid, kind text, link text)
  where added.id in (select id from written)
)`;
  const values = (): string => `values_added as (
  insert into unique_values (project, kind, field, value, id)
  select ${at('project')}, ${kind}, added.field, added.value, added.id
  from jsonb_to_recordset(${at('addedValues')}::text::jsonb) as added (id uuid, field text, value text)
  where added.id in (select id from written)${afterFreed}
)`;
  return [...(form.hasReferences ? [references()] : []), ...(form.hasUniqueValues ? [values()] : [])];
}

function removedParts(at: ChangeAt, form: StatementForm): readonly string[] {
  const kind = literal(form.kind);
  const references = (): string => `references_removed as (
  delete from document_references as held
  using jsonb_to_recordset(${at('removedReferences')}::text::jsonb) as removed (id uuid, kind text, link text)
  where held.project = ${at('project')} and held.source_kind = ${kind} and held.source_id = any(${at('ids')}::uuid[])
    and held.source_id = removed.id and held.target_kind = removed.kind and held.target_id = ${targetId(at, 'removed')}
    and removed.id in (select id from written)
)`;
  const values = (): string => `values_removed as (
  delete from unique_values as held
  using jsonb_to_recordset(${at('removedValues')}::text::jsonb) as removed (id uuid, field text, value text)
  where held.project = ${at('project')} and held.kind = ${kind} and held.id = any(${at('ids')}::uuid[])
    and held.id = removed.id and held.field = removed.field and held.value = removed.value
    and removed.id in (select id from written)
)`;
  return [...(form.hasReferences ? [references()] : []), ...(form.hasUniqueValues ? [values()] : [])];
}

function traceParts(
  project: string,
  { kind, exclusiveFlag, isQueued }: Pick<StatementForm, 'kind' | 'exclusiveFlag' | 'isQueued'>,
): readonly string[] {
  const touched =
    exclusiveFlag === undefined
      ? 'select id, version from written'
      : 'select id, version from written union all select id, version from unset';
  const rows = `select ${project}, ${literal(kind)}, touched.id, touched.version from (${touched}) as touched`;
  const logged = `logged as (insert into change_log (project, kind, id, version) ${rows})`;
  const queued = `queued as (insert into outbox (project, kind, id, version) ${rows})`;
  return isQueued ? [logged, queued] : [logged];
}
