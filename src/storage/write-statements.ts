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
}

const cache = new Map<string, string>();

function cached(name: string, form: object, build: () => string): string {
  const key = name + JSON.stringify(form);
  let text = cache.get(key);
  if (text === undefined) cache.set(key, (text = build()));
  return text;
}

/** The target of a reference given as its id, or as `key=` and its key. */
function targetId(row: string): string {
  return `case when ${row}.link like 'key=%' then (
    select target.id from documents as target
    where target.project = $1 and target.kind = ${row}.kind and target.key = substr(${row}.link, 5)
  ) else ${row}.link::uuid end`;
}

/** A kind or field name as an SQL literal. */
function literal(name: string): string {
  if (!/^[A-Za-z-]+$/.test(name)) throw new Error(`'${name}' cannot stand in a statement`);
  return `'${name}'`;
}

/**
 * Parameters: 1 project, 2 id, 3 key, 4 version, 5 data, 6 reference kinds, 7 reference ids, 8 unique fields,
 * 9 unique values, 10 secrets; with a flag 11 now; with a limit one more, the limit. Gives the inserted row's id, or no row at
 * the limit.
 */
export function insertStatement(form: StatementForm & { readonly isLimited: boolean }): string {
  return cached('insert', form, () => {
    const kind = literal(form.kind);
    const limit = form.exclusiveFlag === undefined ? '$11' : '$12';
    // The first insert under a limit counts what came before it, when the kind had none.
    const counted = `counted as (
  insert into resource_counts as c (project, kind, count)
  select $1, ${kind}, before.count + 1
  from (select case when exists (select from resource_counts where project = $1 and kind = ${kind}) then 0
    else (select count(*) from documents where project = $1 and kind = ${kind}) end as count) as before
  where before.count < ${limit}::bigint
  on conflict (project, kind) do update set count = c.count + 1 where c.count < ${limit}::bigint
  returning 1
)`;
    return withParts([
      ...(form.isLimited ? [counted] : []),
      ...unsetParts(form, '$11'),
      `written as (
  insert into documents (project, kind, id, key, version, data, secrets)
  select $1, ${kind}, $2::uuid, $3, $4::bigint, $5::text::jsonb, $10::text::jsonb
  ${form.isLimited ? 'where exists (select from counted)' : ''}
  returning id, version
)`,
      ...addedParts(form, { referenceKinds: '$6', referenceIds: '$7', uniqueFields: '$8', uniqueValues: '$9' }),
      ...traceParts(form),
    ]);
  });
}

/**
 * Parameters: 1 to 9 as for an insert, the additions; 10 expected version, 11 and 12 references taken away, 13 and 14
 * unique values taken away, 15 secrets or null to leave them; with a flag 16 now. Gives the row's id, or no row when the version does not match.
 */
export function replaceStatement(form: StatementForm): string {
  return cached('replace', form, () => {
    const kind = literal(form.kind);
    return withParts([
      ...unsetParts(form, '$16'),
      `written as (
  update documents set key = $3, version = $4::bigint, data = $5::text::jsonb,
    secrets = coalesce($15::text::jsonb, secrets)
  where project = $1 and kind = ${kind} and id = $2::uuid and version = $10::bigint
  returning id, version
)`,
      ...addedParts(form, { referenceKinds: '$6', referenceIds: '$7', uniqueFields: '$8', uniqueValues: '$9' }),
      `references_removed as (
  delete from document_references
  where project = $1 and source_kind = ${kind} and source_id = $2::uuid and exists (select from written)
    and (target_kind, target_id) in (
      select removed.kind, ${targetId('removed')} from unnest($11::text[], $12::text[]) as removed (kind, link))
)`,
      `values_removed as (
  delete from unique_values
  where project = $1 and kind = ${kind} and id = $2::uuid and exists (select from written)
    and (field, value) in (select * from unnest($13::text[], $14::text[]))
)`,
      ...traceParts(form),
    ]);
  });
}

/** Parameters: 1 project, 2 id, 3 expected version or null for any. Gives the row's id, or no row when the version does
 * not match. */
export function removeStatement(form: Omit<StatementForm, 'exclusiveFlag'> & { readonly isCounted: boolean }): string {
  return cached('remove', form, () => {
    const kind = literal(form.kind);
    const uncounted = `uncounted as (
  update resource_counts set count = count - 1
  where project = $1 and kind = ${kind} and exists (select from written)
)`;
    return withParts([
      `written as (
  delete from documents where project = $1 and kind = ${kind} and id = $2::uuid and ($3::bigint is null or version = $3::bigint)
  returning id, version
)`,
      ...(form.isCounted ? [uncounted] : []),
      ...traceParts({ ...form, exclusiveFlag: undefined }),
    ]);
  });
}

function withParts(parts: readonly string[]): string {
  return `with ${parts.join(', ')} select id from written`;
}

/**
 * Takes the flag from whoever has it. A rival that commits first shows as a violation of unique_values, and the
 * statement is run again on a newer snapshot.
 */
function unsetParts(form: StatementForm, now: string): readonly string[] {
  if (form.exclusiveFlag === undefined) return [];
  const [kind, flag] = [literal(form.kind), literal(form.exclusiveFlag)];
  return [
    `unset as (
  update documents set
    version = version + 1,
    data = data || jsonb_build_object(${flag}, false, 'version', version + 1, 'lastModifiedAt', greatest(data ->> 'lastModifiedAt', ${now}::text))
  where project = $1 and kind = ${kind} and id <> $2::uuid and data @> jsonb_build_object(${flag}, true)
  returning id, version
)`,
    `flag_freed as (
  delete from unique_values where project = $1 and kind = ${kind} and field = ${flag} and id in (select id from unset)
  returning 1
)`,
  ];
}

function addedParts(
  form: StatementForm,
  names: { referenceKinds: string; referenceIds: string; uniqueFields: string; uniqueValues: string },
): readonly string[] {
  const kind = literal(form.kind);
  // Counting the freed rows makes Postgres free the flag before it is taken.
  const afterFreed = form.exclusiveFlag === undefined ? '' : ' where (select count(*) from flag_freed) >= 0';
  return [
    `references_added as (
  insert into document_references (project, source_kind, source_id, target_kind, target_id)
  select $1, ${kind}, written.id, added.kind, ${targetId('added')}
  from written, unnest(${names.referenceKinds}::text[], ${names.referenceIds}::text[]) as added (kind, link)
)`,
    `values_added as (
  insert into unique_values (project, kind, field, value, id)
  select $1, ${kind}, added.field, added.value, written.id
  from written, unnest(${names.uniqueFields}::text[], ${names.uniqueValues}::text[]) as added (field, value)${afterFreed}
)`,
  ];
}

function traceParts(form: StatementForm): readonly string[] {
  const kind = literal(form.kind);
  const touched =
    form.exclusiveFlag === undefined
      ? 'select id, version from written'
      : 'select id, version from written union all select id, version from unset';
  const rows = `select $1, ${kind}, touched.id, touched.version from (${touched}) as touched`;
  const logged = `logged as (insert into change_log (project, kind, id, version) ${rows})`;
  const queued = `queued as (insert into outbox (project, kind, id, version) ${rows})`;
  return form.isQueued ? [logged, queued] : [logged];
}
