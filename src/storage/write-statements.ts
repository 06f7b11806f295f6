/**
 * The texts of write statements. Every write is one statement: it changes the versioned row where the version matches
 * and, from the rows it touched, the references, the unique values, the change log and the outbox.
 */

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

/** What statements take, by name. Lists of references and unique values stand beside each other: kinds and links. */
export interface WriteValues {
  readonly project: string;
  readonly id: string;
  readonly key: string | null;
  readonly version: number;
  /** The document as JSON. */
  readonly data: string;
  /** JSON, or null for none; a replacement without leaves what is there. */
  readonly secrets: string | null;
  readonly addedKinds: readonly string[];
  readonly addedLinks: readonly string[];
  readonly addedFields: readonly string[];
  readonly addedValues: readonly string[];
  readonly removedKinds: readonly string[];
  readonly removedLinks: readonly string[];
  readonly removedFields: readonly string[];
  readonly removedValues: readonly string[];
  /** Null takes any. */
  readonly expectedVersion: number | null;
  /** For those that lose the exclusive flag. */
  readonly now: string;
  readonly limit: number;
}

type ValueName = keyof WriteValues;

export interface WriteStatement {
  readonly text: string;
  /** What its parameters are, in their order. */
  readonly parameters: readonly ValueName[];
}

/** The parameter for a value. */
type At = (name: ValueName) => string;

/** At most 18 of each kind, and twice as many for kinds with an exclusive flag. */
const cache = new Map<string, WriteStatement>();

function cached(name: string, form: object, parts: (at: At) => readonly string[]): WriteStatement {
  const key = name + JSON.stringify(form);
  let made = cache.get(key);
  if (made === undefined) {
    const parameters: ValueName[] = [];
    const at: At = (value) => {
      if (!parameters.includes(value)) parameters.push(value);
      return `$${parameters.indexOf(value) + 1}`;
    };
    made = { text: `with ${parts(at).join(', ')} select id from written`, parameters };
    cache.set(key, made);
  }
  return made;
}

/** The target of a reference given as its id, or as `key=` and its key. */
function targetId(at: At, row: string): string {
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

/** Gives the inserted row's id, or no row at the limit. */
export function insertStatement(form: StatementForm & { readonly isLimited: boolean }): WriteStatement {
  return cached('insert', form, (at) => [
    ...(form.isLimited ? [countedPart(at, form)] : []),
    ...unsetParts(at, form),
    `written as (
  insert into documents (project, kind, id, key, version, data, secrets)
  select ${at('project')}, ${literal(form.kind)}, ${at('id')}::uuid, ${at('key')}, ${at('version')}::bigint,
    ${at('data')}::text::jsonb, ${at('secrets')}::text::jsonb
  ${form.isLimited ? 'where exists (select from counted)' : ''}
  returning id, version
)`,
    ...addedParts(at, form),
    ...traceParts(at, form),
  ]);
}

/** The first insert under a limit counts what came before it, when the kind had none. */
function countedPart(at: At, form: StatementForm): string {
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

/** Gives the row's id, or no row when the version does not match. */
export function replaceStatement(form: StatementForm): WriteStatement {
  return cached('replace', form, (at) => [
    ...unsetParts(at, form),
    `written as (
  update documents set key = ${at('key')}, version = ${at('version')}::bigint, data = ${at('data')}::text::jsonb,
    secrets = coalesce(${at('secrets')}::text::jsonb, secrets)
  where project = ${at('project')} and kind = ${literal(form.kind)} and id = ${at('id')}::uuid
    and version = ${at('expectedVersion')}::bigint
  returning id, version
)`,
    ...addedParts(at, form),
    ...removedParts(at, form),
    ...traceParts(at, form),
  ]);
}

/** Gives the row's id, or no row when the version does not match. */
export function removeStatement(
  form: Pick<StatementForm, 'kind' | 'isQueued'> & { readonly isCounted: boolean },
): WriteStatement {
  return cached('remove', form, (at) => {
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
      ...traceParts(at, { ...form, exclusiveFlag: undefined }),
    ];
  });
}

/**
 * Takes the flag from whoever has it. A rival that commits first shows as a violation of unique_values, and the
 * statement is run again on a newer snapshot.
 */
function unsetParts(at: At, form: StatementForm): readonly string[] {
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

function addedParts(at: At, form: StatementForm): readonly string[] {
  const kind = literal(form.kind);
  // Counting the freed rows makes Postgres free the flag before it is taken.
  const afterFreed = form.exclusiveFlag === undefined ? '' : ' where (select count(*) from flag_freed) >= 0';
  const references = (): string => `references_added as (
  insert into document_references (project, source_kind, source_id, target_kind, target_id)
  select ${at('project')}, ${kind}, written.id, added.kind, ${targetId(at, 'added')}
  from written, unnest(${at('addedKinds')}::text[], ${at('addedLinks')}::text[]) as added (kind, link)
)`;
  const values = (): string => `values_added as (
  insert into unique_values (project, kind, field, value, id)
  select ${at('project')}, ${kind}, added.field, added.value, written.id
  from written, unnest(${at('addedFields')}::text[], ${at('addedValues')}::text[]) as added (field, value)${afterFreed}
)`;
  return [...(form.hasReferences ? [references()] : []), ...(form.hasUniqueValues ? [values()] : [])];
}

function removedParts(at: At, form: StatementForm): readonly string[] {
  const kind = literal(form.kind);
  const references = (): string => `references_removed as (
  delete from document_references
  where project = ${at('project')} and source_kind = ${kind} and source_id = ${at('id')}::uuid and exists (select from written)
    and (target_kind, target_id) in (
      select removed.kind, ${targetId(at, 'removed')}
      from unnest(${at('removedKinds')}::text[], ${at('removedLinks')}::text[]) as removed (kind, link))
)`;
  const values = (): string => `values_removed as (
  delete from unique_values
  where project = ${at('project')} and kind = ${kind} and id = ${at('id')}::uuid and exists (select from written)
    and (field, value) in (select * from unnest(${at('removedFields')}::text[], ${at('removedValues')}::text[]))
)`;
  return [...(form.hasReferences ? [references()] : []), ...(form.hasUniqueValues ? [values()] : [])];
}

function traceParts(
  at: At,
  { exclusiveFlag, isQueued, ...form }: Pick<StatementForm, 'kind' | 'exclusiveFlag' | 'isQueued'>,
): readonly string[] {
  const touched =
    exclusiveFlag === undefined
      ? 'select id, version from written'
      : 'select id, version from written union all select id, version from unset';
  const rows = `select ${at('project')}, ${literal(form.kind)}, touched.id, touched.version from (${touched}) as touched`;
  const logged = `logged as (insert into change_log (project, kind, id, version) ${rows})`;
  const queued = `queued as (insert into outbox (project, kind, id, version) ${rows})`;
  return isQueued ? [logged, queued] : [logged];
}
