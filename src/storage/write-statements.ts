/**
 * The texts of write statements. A commit is one statement: for each form of writes in it, it changes the rows where the
 * versions match and, from the rows it touched, the references, the unique values, the change log and the outbox. The same
 * statement does so for several writes of a form at a time, which costs a third of as many statements.
 */
import { groupKind } from '../engine/groups.ts';
import type { Delta, Write } from '../engine/store.ts';
import {
  type Column,
  columnIn,
  type Group,
  indexIn,
  partsCount,
  partsOf,
  referencesOf,
  uniqueValuesOf,
  valueOf,
} from './write-values.ts';

interface Common {
  /** A declared kind, never a client's text: it stands in the statement as a literal so that plans prune partitions. */
  readonly kind: string;
  /** The topics of the outbox that the kind belongs to. */
  readonly topics: readonly string[];
  /** The members by which the kind is grouped. */
  readonly groupedBy: readonly string[];
  /** The topics that each of those groups belongs to. */
  readonly groupTopics: readonly (readonly string[])[];
}

/** References or unique values come or go. Most updates leave them, and each part costs a tenth of a statement. */
interface Changing extends Common {
  /** Its index has a part of the document. */
  readonly hasIndexed: boolean;
  readonly hasReferences: boolean;
  readonly hasUniqueValues: boolean;
}

/** What varies between statements; each list of forms is one prepared statement. */
export type WriteForm =
  | (Changing & { readonly type: 'insertion'; readonly isLimited: boolean })
  | (Changing & { readonly type: 'replacement' })
  | (Common & { readonly type: 'removal'; readonly isCounted: boolean; readonly erasesNotices: boolean })
  | (Common & { readonly type: 'increment'; readonly member: string; readonly alsoMember: string | undefined })
  | (Common & { readonly type: 'assertion' })
  | (Common & { readonly type: 'notice' });

type FormOf<T extends Write['type']> = Extract<WriteForm, { type: T }>;

/** The form of a write. Topics are given by the kinds and groups that belong to them. */
export function formOf(write: Write, topics: ReadonlyMap<string, readonly string[]>): WriteForm {
  const { type, kind } = write;
  // They leave no word, for nothing changes by them that is kept.
  if (type === 'assertion' || type === 'notice') return { type, kind, topics: [], groupedBy: [], groupTopics: [] };
  const { groupedBy = [] } = write;
  const groupTopics = groupedBy.map((member) => topics.get(groupKind(kind, member)) ?? []);
  const common = { kind, topics: topics.get(kind) ?? [], groupedBy, groupTopics };
  if (write.type === 'removal') {
    const { isCounted, erasesNotices = false } = write;
    return { ...common, type: write.type, isCounted, erasesNotices };
  }
  if (write.type === 'increment')
    return { ...common, type: write.type, member: write.member, alsoMember: write.also?.member };
  const changing = {
    ...common,
    hasIndexed: write.indexed !== undefined,
    hasReferences: isAny(referencesOf(write)),
    hasUniqueValues: isAny(uniqueValuesOf(write)),
  };
  if (write.type === 'replacement') return { ...changing, type: write.type };
  return { ...changing, type: write.type, isLimited: write.maxPerProject !== undefined };
}

function isAny({ added, removed }: Delta<unknown>): boolean {
  return added.length + removed.length > 0;
}

export interface WriteStatement {
  /** Tells it from all others. */
  readonly name: string;
  readonly text: string;
  /** Whether it may be run for several writes of a project that know nothing of each other. */
  readonly isForMany: boolean;
  /** The names of its parameters, in their order. */
  readonly parameters: readonly string[];
  /** What the parameters are for writes: those of each form, in the order of the forms. */
  valuesOf(project: string, groups: readonly Group[]): readonly unknown[];
  /** The same for long documents, which it takes in parts. */
  inParts(): Omit<WriteStatement, 'name' | 'inParts'>;
}

/** What the parts of one form are written with. */
interface Scope {
  readonly project: string;
  /** The name of a part, which differs from that of other forms. */
  part(name: string): string;
  /** The parameter of a name. */
  at(name: Column): string;
  /** A condition that holds when all rows are locked; empty where the statement needs no order. */
  readonly afterLocks: string;
  /** The same for when all values have been given up, which another resource of the commit may take. */
  readonly afterFreed: string;
  /** The parts of increments, with the kinds of what they count in. */
  readonly counting: readonly { readonly kind: string; readonly part: string }[];
}

/** At most 12 of each kind for single writes, and one for each list of forms that some operation commits together; twice that in parts. */
const cache = new Map<string, WriteStatement>();

/** Code of the error by which `require_written` undoes a statement; its detail has the ids of what was not written. */
export const notWritten = 'TP001';

/** The statement for writes of one form, of which each takes place or not: it gives the ids of the rows that were written. */
export function writeStatement(form: WriteForm): WriteStatement {
  return cached(`write ${JSON.stringify(form)}`, (making) => {
    const scope = { ...making, part: (name: string) => name, afterLocks: '', afterFreed: '', counting: [] };
    return { text: textOf([form], [scope], 'select id from written'), isForMany: isForMany(form) };
  });
}

/**
 * The statement for writes that all take place or none, those of a form beside each other. Rows are locked by kind and id,
 * whoever asks, and `require_written` ends the statement where one is missing.
 */
export function commitStatement(forms: readonly WriteForm[]): WriteStatement {
  return cached(`commit ${JSON.stringify(forms)}`, ({ project, at }) => {
    const scopes = forms.map((_, index) => ({
      project,
      part: (name: string) => `${name}_${index}`,
      at: (name: Column) => at(`${name}_${index}`),
    }));
    const { locks, ...after } = orderOf(scopes, forms);
    const written = scopes.map(({ part }) => `select id from ${part('written')}`).join(' union all ');
    const end = `select require_written(${at('all')}::uuid[], array(${written}))`;
    const counting = forms.flatMap(({ type, kind }, index) =>
      type === 'increment' ? [{ kind, part: scopes[index]!.part('written') }] : [],
    );
    const ordered = scopes.map((scope) => ({ ...scope, ...after, counting }));
    return { text: textOf(forms, ordered, end, locks), isForMany: false };
  });
}

/** The statement for all of the writes, and these as its parameters take them. */
export function commitOf(
  writes: readonly Write[],
  topics: ReadonlyMap<string, readonly string[]>,
): { readonly statement: WriteStatement; readonly groups: readonly Group[] } {
  const groups = new Map<string, { readonly form: WriteForm; readonly writes: Write[] }>();
  for (const write of writes) {
    const form = formOf(write, topics);
    // Kinds come first in the name, and rows are locked in the order of the forms. Notices come last, when versions are known.
    const name = `${form.type === 'notice' ? '~' : form.kind} ${JSON.stringify(form)}`;
    const group = groups.get(name);
    if (group === undefined) groups.set(name, { form, writes: [write] });
    else group.writes.push(write);
  }
  const sorted = [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1)).map(([, group]) => group);
  return { statement: commitStatement(sorted.map(({ form }) => form)), groups: sorted.map((group) => group.writes) };
}

type Make = (making: {
  readonly project: string;
  at(parameter: string): string;
}) => Pick<WriteStatement, 'text' | 'isForMany'>;

function cached(name: string, make: Make): WriteStatement {
  const known = cache.get(name);
  if (known !== undefined) return known;
  let inParts: ReturnType<WriteStatement['inParts']> | undefined;
  const statement: WriteStatement = {
    name,
    ...statementOf(make, { inParts: false }),
    inParts: () => (inParts ??= statementOf(make, { inParts: true })),
  };
  cache.set(name, statement);
  return statement;
}

/** The statement, of which each list of documents is one parameter or, in parts, as many as there are parts. */
function statementOf(make: Make, { inParts }: { readonly inParts: boolean }): ReturnType<WriteStatement['inParts']> {
  /** The number of each parameter, or of its first part. */
  const numbers = new Map<string, number>();
  const isParted = (parameter: string): boolean => inParts && columnIn(parameter) === 'documents';
  let next = 1;
  const at = (parameter: string): string => {
    const count = isParted(parameter) ? partsCount : 1;
    const number = numbers.get(parameter) ?? next;
    if (number === next) {
      numbers.set(parameter, number);
      next += count;
    }
    if (count === 1) return `$${number}`;
    return `concat(${Array.from({ length: count }, (_, part) => `$${number + part}::text`).join(', ')})`;
  };
  const made = make({ project: at('project'), at });
  const parameters = [...numbers.keys()];
  const valuesOf: WriteStatement['valuesOf'] = (project, groups) =>
    parameters.flatMap((parameter): readonly unknown[] =>
      // What has documents inserts or replaces.
      isParted(parameter)
        ? partsOf(groups[indexIn(parameter)] as Parameters<typeof partsOf>[0])
        : [valueOf(parameter, project, groups)],
    );
  return { ...made, parameters, valuesOf };
}

/** A part names only those that stand before it. */
function textOf(
  forms: readonly WriteForm[],
  scopes: readonly Scope[],
  end: string,
  locks: readonly string[] = [],
): string {
  const parts = [writtenParts, removedParts, addedParts, traceParts].flatMap((partsOf) =>
    forms.flatMap((form, index) => partsOf(scopes[index]!, form)),
  );
  return `with ${[...locks, ...parts].join(', ')} ${end}`;
}

interface Order extends Pick<Scope, 'afterLocks' | 'afterFreed'> {
  readonly locks: readonly string[];
}

/** Parts that count the rows of others run after them. Forms come by kind. */
function orderOf(scopes: readonly Pick<Scope, 'project' | 'part' | 'at'>[], forms: readonly WriteForm[]): Order {
  const changing = forms.flatMap((form, index) =>
    form.type === 'insertion' || form.type === 'notice' ? [] : [{ form, scope: scopes[index]! }],
  );
  const locks: string[] = [];
  let afterLocks = '';
  for (const kind of new Set(changing.map(({ form }) => form.kind))) {
    const ofKind = changing.filter(({ form }) => form.kind === kind);
    const ids = ofKind.map(({ scope }) => `${scope.at('ids')}::uuid[]`).join(' || ');
    const isRemoved = ofKind.some(({ form }) => form.type === 'removal');
    const { project, part } = ofKind[0]!.scope;
    locks.push(`${part('locked')} as materialized (
  select id from documents where project = ${project} and kind = ${literal(kind)} and id = any(${ids})${afterLocks}
  order by id for ${isRemoved ? '' : 'no key '}update
)`);
    afterLocks = afterCount(part('locked'));
  }
  const freeing = changing.filter(({ form }) => form.type === 'replacement' && form.hasUniqueValues);
  return {
    locks,
    afterLocks,
    afterFreed: freeing.map(({ scope }) => afterCount(scope.part('values_removed'))).join(''),
  };
}

function afterCount(part: string): string {
  return ` and (select count(*) from ${part}) >= 0`;
}

/** What counts resources would fail for all where there is room for some. */
function isForMany(form: WriteForm): boolean {
  return form.type === 'insertion' ? !form.isLimited : form.type === 'replacement' || form.type === 'increment';
}

function writtenParts(scope: Scope, form: WriteForm): readonly string[] {
  switch (form.type) {
    case 'insertion':
      return insertionParts(scope, form);
    case 'replacement':
      return [replacementPart(scope, form)];
    case 'removal':
      return removalParts(scope, form);
    case 'increment':
      return [incrementPart(scope, form)];
    case 'assertion':
      return [assertionPart(scope, form)];
    case 'notice':
      return [noticePart(scope)];
  }
}

/** The target of a reference given as its id, or as `key=` and its key. */
function targetId({ project }: Scope, row: string): string {
  return `case when ${row}.link like 'key=%' then (
    select target.id from documents as target
    where target.project = ${project} and target.kind = ${row}.kind and target.key = substr(${row}.link, 5)
  ) else ${row}.link::uuid end`;
}

/** The text at a declared path of members, such as `product.id`, of the column `data`. */
export function memberSql(member: string, data = 'data'): string {
  const names = member.split('.');
  for (const name of names) literal(name);
  return names.length === 1 ? `(${data} ->> '${member}')` : `(${data} #>> '{${names.join(',')}}')`;
}

/** What the rows of a part say besides id and version: the groups that each is in. */
function groupColumns({ groupedBy }: Common): string {
  return groupedBy.map((member, index) => `, ${memberSql(member, 'documents.data')} as group_${index}`).join('');
}

/** A kind or field name as an SQL literal. */
function literal(name: string): string {
  if (!/^[A-Za-z-]+$/.test(name)) throw new Error(`'${name}' cannot stand in a statement`);
  return `'${name}'`;
}

/** What of the documents the index has, where it has a part of them: as rows beside those given, and as columns. */
function indexedPart({ at }: Scope, { hasIndexed }: Changing): Record<'rows' | 'name' | 'value' | 'version', string> {
  if (!hasIndexed) return { rows: '', name: '', value: 'null', version: 'null' };
  const rows = `,
    jsonb_array_elements(${at('indexed')}::text::jsonb)`;
  return { rows, name: ', indexed', value: 'given.indexed', version: 'given.version' };
}

function insertionParts(scope: Scope, form: FormOf<'insertion'>): readonly string[] {
  const { project, part, at, afterLocks } = scope;
  const indexed = indexedPart(scope, form);
  return [
    ...(form.isLimited ? [countedPart(scope, form)] : []),
    `${part('written')} as (
  insert into documents (project, kind, id, key, version, data, secrets, internals, indexed, indexed_version)
  select ${project}, ${literal(form.kind)}, given.id, given.key, given.version, given.data, given.secrets::jsonb,
    given.internals::jsonb, ${indexed.value}, ${indexed.version}
  from rows from (
    unnest(${at('ids')}::uuid[], ${at('keys')}::text[], ${at('versions')}::bigint[], ${at('secrets')}::text[],
      ${at('internals')}::text[]),
    jsonb_array_elements(${at('documents')}::text::jsonb)${indexed.rows}
  ) as given (id, key, version, secrets, internals, data${indexed.name})
  where ${form.isLimited ? `exists (select from ${part('counted')})` : 'true'}${afterLocks}
  returning documents.id, documents.version${groupColumns(form)}
)`,
  ];
}

/** The first insert under a limit counts what came before it, when the kind had none. */
function countedPart({ project, part, at, afterLocks }: Scope, form: FormOf<'insertion'>): string {
  const kind = literal(form.kind);
  const limit = `${at('limit')}::bigint`;
  const more = `cardinality(${at('ids')}::uuid[])`;
  return `${part('counted')} as (
  insert into resource_counts as c (project, kind, count)
  select ${project}, ${kind}, before.count + ${more}
  from (select case when exists (select from resource_counts where project = ${project} and kind = ${kind}) then 0
    else (select count(*) from documents where project = ${project} and kind = ${kind}) end as count) as before
  where before.count + ${more} <= ${limit}${afterLocks}
  on conflict (project, kind) do update set count = c.count + ${more} where c.count + ${more} <= ${limit}
  returning 1
)`;
}

/**
 * Gives the ids of the rows whose versions matched. The list of ids, which the join implies, is there for an index to be
 * read by: the keys of a join Postgres may leave to be compared. So it is where references and values are removed.
 */
function replacementPart(scope: Scope, form: FormOf<'replacement'>): string {
  const { project, part, at, afterLocks } = scope;
  const indexed = indexedPart(scope, form);
  return `${part('written')} as (
  update documents set key = given.key, version = given.version, data = given.data,
    secrets = coalesce(given.secrets::jsonb, documents.secrets),
    internals = coalesce(given.internals::jsonb, documents.internals),
    indexed = ${indexed.value}, indexed_version = ${indexed.version}
  from rows from (
    unnest(${at('ids')}::uuid[], ${at('keys')}::text[], ${at('versions')}::bigint[], ${at('expectedVersions')}::bigint[],
      ${at('secrets')}::text[], ${at('internals')}::text[]),
    jsonb_array_elements(${at('documents')}::text::jsonb)${indexed.rows}
  ) as given (id, key, version, expected, secrets, internals, data${indexed.name})
  where documents.project = ${project} and documents.kind = ${literal(form.kind)}
    and documents.id = any(${at('ids')}::uuid[]) and documents.id = given.id and documents.version = given.expected${afterLocks}
  returning documents.id, documents.version${groupColumns(form)}
)`;
}

/** Gives the ids of the rows whose numbers stayed within their bounds. */
function incrementPart({ project, part, at, afterLocks }: Scope, form: FormOf<'increment'>): string {
  const numberAfter = (name: string, by: string): string =>
    `coalesce((documents.data ->> ${name})::bigint, 0) + given.${by}`;
  const member = literal(form.member);
  const next = numberAfter(member, 'by');
  const also = form.alsoMember === undefined ? undefined : literal(form.alsoMember);
  return `${part('written')} as (
  update documents set version = documents.version + 1, data = documents.data || jsonb_build_object(
    ${member}, ${next}, ${also === undefined ? '' : `${also}, ${numberAfter(also, 'also_by')}, `}'version', documents.version + 1,
    'lastModifiedAt', greatest(documents.data ->> 'lastModifiedAt', given.now))
  from unnest(${at('ids')}::uuid[], ${at('by')}::bigint[], ${at('min')}::bigint[], ${at('max')}::bigint[], ${at('now')}::text[]${
    also === undefined
      ? ''
      : `,
    ${at('alsoBy')}::bigint[]`
  }) as given (id, by, min, max, now${also === undefined ? '' : ', also_by'})
  where documents.project = ${project} and documents.kind = ${literal(form.kind)}
    and documents.id = any(${at('ids')}::uuid[]) and documents.id = given.id
    and (given.min is null or ${next} >= given.min) and (given.max is null or ${next} <= given.max)${afterLocks}
  returning documents.id, documents.version${groupColumns(form)}
)`;
}

/** Gives the ids of the rows whose versions match, and stay so until the statement ends: a row that is locked is read anew. */
function assertionPart({ project, part, at, afterLocks }: Scope, form: FormOf<'assertion'>): string {
  return `${part('written')} as materialized (
  select documents.id, documents.version from documents,
    unnest(${at('ids')}::uuid[], ${at('expectedVersions')}::bigint[]) as given (id, expected)
  where documents.project = ${project} and documents.kind = ${literal(form.kind)}
    and documents.id = any(${at('ids')}::uuid[]) and documents.id = given.id and documents.version = given.expected${afterLocks}
  order by documents.id for no key update of documents
)`;
}

/**
 * Puts notices on the queues of those who hear of them, behind those of whoever had the rows before: numbers are given when all
 * rows are locked. A notice of an increment learns here which version it tells of.
 */
function noticePart({ project, part, at, afterLocks, counting }: Scope): string {
  const counted = counting.map(
    ({ kind, part: written }) => `select ${literal(kind)} || '/' || id as subject, version from ${written}`,
  );
  const [version, versions] =
    counted.length === 0
      ? ['null::bigint', '']
      : [
          'counted.version',
          `
  left join (${counted.join(' union all ')}) as counted on counted.subject = given.counted`,
        ];
  return `${part('written')} as (
  insert into notices (project, listener, subject, id, version, payload)
  select ${project}, listener.id, given.subject, given.id, ${version}, given.payload
  from unnest(${at('ids')}::uuid[], ${at('listeners')}::text[], ${at('subjects')}::text[],
    ${at('countedSubjects')}::text[], ${at('payloads')}::text[])
    with ordinality as given (id, listeners, subject, counted, payload, place)
  cross join lateral unnest(given.listeners::uuid[]) as listener (id)${versions}
  where true${afterLocks}
  order by given.place
  returning id
)`;
}

/** Gives the ids of the rows whose versions matched. */
function removalParts({ project, part, at, afterLocks }: Scope, form: FormOf<'removal'>): readonly string[] {
  const kind = literal(form.kind);
  const uncounted = `${part('uncounted')} as (
  update resource_counts set count = count - (select count(*) from ${part('written')})
  where project = ${project} and kind = ${kind} and exists (select from ${part('written')})
)`;
  // Those that the commit itself leaves are not there yet.
  const erased = `${part('erased')} as (
  delete from notices where project = ${project}
    and subject in (select ${kind} || '/' || id from ${part('written')})
)`;
  return [
    `${part('written')} as (
  delete from documents
  using unnest(${at('ids')}::uuid[], ${at('expectedVersions')}::bigint[]) as given (id, expected)
  where documents.project = ${project} and documents.kind = ${kind} and documents.id = any(${at('ids')}::uuid[])
    and documents.id = given.id and (given.expected is null or documents.version = given.expected)${afterLocks}
  returning documents.id, documents.version${groupColumns(form)}
)`,
    ...(form.isCounted ? [uncounted] : []),
    ...(form.erasesNotices ? [erased] : []),
  ];
}

function addedParts(scope: Scope, form: WriteForm): readonly string[] {
  if (!('hasReferences' in form)) return [];
  const { project, part, at, afterFreed } = scope;
  const kind = literal(form.kind);
  const references = (): string => `${part('references_added')} as (
  insert into document_references (project, source_kind, source_id, target_kind, target_id)
  select ${project}, ${kind}, added.id, added.kind, ${targetId(scope, 'added')}
  from jsonb_to_recordset(${at('addedReferences')}::text::jsonb) as added (id uuid, kind text, link text)
  where added.id in (select id from ${part('written')})
)`;
  // Those of a form in one order, in which rivals for several of them wait for each other. Who has taken a shared value keeps
  // all others of its kind waiting, so it is not to wait for one of them then.
  const values = (): string => `${part('values_added')} as (
  insert into unique_values (project, kind, field, value, id, shared, holders_max)
  select ${project}, ${kind}, added.field, added.value, added.id, added.shared, added.holders_max
  from jsonb_to_recordset(${at('addedValues')}::text::jsonb)
    as added (id uuid, field text, value text, shared text, holders_max integer)
  where added.id in (select id from ${part('written')})${afterFreed}
  order by added.shared is not null, added.field, added.value
)`;
  return [...(form.hasReferences ? [references()] : []), ...(form.hasUniqueValues ? [values()] : [])];
}

function removedParts(scope: Scope, form: WriteForm): readonly string[] {
  if (form.type === 'removal' && scope.afterLocks !== '') return [referencesGonePart(scope, form)];
  if (form.type !== 'replacement') return [];
  const { project, part, at } = scope;
  const kind = literal(form.kind);
  const references = (): string => `${part('references_removed')} as (
  delete from document_references as held
  using jsonb_to_recordset(${at('removedReferences')}::text::jsonb) as removed (id uuid, kind text, link text)
  where held.project = ${project} and held.source_kind = ${kind} and held.source_id = any(${at('ids')}::uuid[])
    and held.source_id = removed.id and held.target_kind = removed.kind and held.target_id = ${targetId(scope, 'removed')}
    and removed.id in (select id from ${part('written')})
)`;
  const values = (): string => `${part('values_removed')} as (
  delete from unique_values as held
  using jsonb_to_recordset(${at('removedValues')}::text::jsonb) as removed (id uuid, field text, value text)
  where held.project = ${project} and held.kind = ${kind} and held.id = any(${at('ids')}::uuid[])
    and held.id = removed.id and held.field = removed.field and held.value = removed.value
    and removed.id in (select id from ${part('written')})
  returning 1
)`;
  return [...(form.hasReferences ? [references()] : []), ...(form.hasUniqueValues ? [values()] : [])];
}

/**
 * A commit may remove what another of its removals refers to. The cascade takes references after the checks of their targets,
 * where those come first, so here they go before either.
 */
function referencesGonePart({ project, part, at }: Scope, { kind }: FormOf<'removal'>): string {
  return `${part('references_gone')} as (
  delete from document_references as held
  where held.project = ${project} and held.source_kind = ${literal(kind)} and held.source_id = any(${at('ids')}::uuid[])
    and held.source_id in (select id from ${part('written')})
)`;
}

function traceParts(
  { project, part }: Scope,
  { type, kind, topics, groupedBy, groupTopics }: WriteForm,
): readonly string[] {
  if (type === 'assertion' || type === 'notice') return [];
  const from = `from ${part('written')} as touched`;
  const row = (id: string, name: string): string => `select ${project}, ${name}, ${id}, touched.version ${from}`;
  const groups = groupedBy.map((member, index) => {
    const value = `touched.group_${index}`;
    const of = `where ${value} is not null`;
    return { name: `'${groupKind(kind, member)}'`, id: `md5(${value})`, of, topics: groupTopics[index]! };
  });
  const grouped = groups.map(({ name, id, of }) => `${row(id, name)} ${of}`);
  const changed = [row('touched.id::text', literal(kind)), ...grouped].join(' union all ');
  const logged = `${part('logged')} as (insert into change_log (project, kind, id, version) ${changed})`;
  const queued = [
    ...queuedFor(topics, row('touched.id', literal(kind))),
    // A hash has as many digits as an id.
    ...groups.flatMap(({ name, id, of, topics: told }) => queuedFor(told, `${row(`${id}::uuid`, name)} ${of}`)),
  ];
  if (queued.length === 0) return [logged];
  return [
    logged,
    `${part('queued')} as (
    insert into outbox (project, kind, id, version, topic) ${queued.join(' union all ')})`,
  ];
}

/** Rows for the outbox, of each topic. */
function queuedFor(topics: readonly string[], rows: string): readonly string[] {
  if (topics.length === 0) return [];
  const names = topics.map((topic) => `(${literal(topic)})`).join(', ');
  return [`select queued.*, topic.name from (${rows}) as queued, (values ${names}) as topic (name)`];
}
