/**
 * Queries of every sort over generated documents, and the index that each is to be answered from. `bench/plans.ts` runs
 * them on a million rows, `test/storage/plans.test.ts` on as many as a test has time for.
 */
import { createHash } from 'node:crypto';
import { parsePredicate } from '../src/predicate/parser.ts';
import type { ObjectShape, Shape } from '../src/predicate/shape.ts';
import type { Query } from '../src/engine/store.ts';
import { parseSort } from '../src/predicate/sort.ts';
import type { Sql } from '../src/storage/connection.ts';
import { countStatement, pageStatement, type QueryStatement, type Statement } from '../src/storage/query-sql.ts';

export const project = 'plans';
const kind = 'category';

const text: Shape = { class: 'text' };
const number: Shape = { class: 'number' };
const moment: Shape = { class: 'dateTime' };
const object = (fields: Record<string, Shape>): Extract<Shape, { class: 'object' }> => ({
  class: 'object',
  fields: new Map(Object.entries(fields)),
});
const reference = object({ typeId: text, id: text });
const shape = object({
  id: text,
  key: text,
  version: number,
  createdAt: moment,
  lastModifiedAt: moment,
  name: { class: 'localized' },
  isActive: { class: 'boolean' },
  quantity: number,
  parent: reference,
  tags: { class: 'list', item: text },
  assets: { class: 'list', item: object({ key: text, size: number }) },
  address: object({ country: text, city: text }),
  custom: object({ type: reference, fields: { class: 'dynamic' } }),
});

/** What is asked for, and how it is kept. */
export interface Subject extends Pick<Query, 'kind' | 'hasPlainKey' | 'indexed'> {
  readonly shape: ObjectShape;
  /** Inserts so many documents, and has the table analyzed. */
  load(sql: Sql, rows: number): Promise<void>;
  readonly cases: readonly PlanCase[];
}

/** Inserts documents of 1.2 kB, numbered from 1; the parent of each is that of 49 others. Then the table is analyzed. */
export async function loadDocuments(sql: Sql, rows: number): Promise<void> {
  await insertProject(sql);
  await sql.unsafe(`
    insert into documents (project, kind, id, key, version, data)
    select '${project}', '${kind}', id, key, version, jsonb_build_object(
      'id', id, 'version', version, 'key', key, 'createdAt', created, 'lastModifiedAt', modified,
      'name', jsonb_build_object('en', 'Name ' || n, 'de', 'Name ' || n % 1000),
      'isActive', n % 10 <> 0,
      'quantity', n % 5000,
      'parent', jsonb_build_object('typeId', '${kind}', 'id', md5('parent' || n / 50)::uuid),
      'tags', jsonb_build_array('tag-' || n % 997, 'tag-' || n % 10007),
      'assets', jsonb_build_array(
        jsonb_build_object('id', md5('a' || n), 'key', 'asset-' || n % 5003, 'size', n % 100),
        jsonb_build_object('id', md5('b' || n), 'key', 'asset-' || n % 7, 'size', n % 10)),
      'address', jsonb_build_object('country', (array['DE', 'AT', 'CH', 'US'])[1 + n % 4], 'city', 'City ' || n % 7001),
      'custom', jsonb_build_object(
        'type', jsonb_build_object('typeId', 'type', 'id', md5((n % 3)::text)::uuid),
        'fields', jsonb_build_object('erp', 'E-' || n, 'color', 'color ' || n % 12)),
      'description', jsonb_build_object('en', repeat(md5(n::text), 10)))
    from (
      select n, md5(n::text)::uuid as id, 'key-' || n as key, 1 + n % 7 as version,
        to_char(timestamp '2029-01-01' + n * interval '7.3 seconds', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as created,
        to_char(timestamp '2030-01-01' + abs(hashint4(n)) % 31536000 * interval '1 second', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as modified
      from generate_series(1, ${rows}) as n
    ) as numbered`);
  // Entries of the index on documents wait in a list of their own until a vacuum.
  await sql.unsafe('vacuum analyze documents');
}

export async function insertProject(sql: Sql): Promise<void> {
  await sql`insert into projects (key, version, data) values (${project}, 1, '{}') on conflict do nothing`;
}

export interface PlanCase {
  readonly name: string;
  readonly where: readonly string[];
  readonly sort: readonly string[];
  readonly offset?: number;
  /** Indexes that are to be used; absent where there is none for it. */
  readonly indexes?: readonly `documents_${string}`[];
}

/** Rows that a query with an index may look at for a page of 20; nine of ten matching ones are the most it reads past. */
export const rowsMax = 25_000;

const ids = Array.from({ length: 100 }, (_, index) => hashedId(`${index + 1}`));
const quoted = (values: readonly string[]): string => values.map((value) => `"${value}"`).join(', ');

/** The id of the document with this number, `md5(n)` as a UUID. */
export function hashedId(name: string): string {
  const digits = createHash('md5').update(name).digest('hex');
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
}

const none: readonly string[] = [];
const data = ['documents_data'] as const;

const planCases: readonly PlanCase[] = [
  { name: 'a page of all', where: none, sort: none, indexes: ['documents_pkey'] },
  { name: 'equality', where: ['name(en = "Name 777")'], sort: none, indexes: data },
  { name: 'equality, no match', where: ['name(en = "none")'], sort: none, indexes: data },
  { name: 'equality, newest first', where: ['name(de = "Name 77")'], sort: ['createdAt desc'], indexes: data },
  { name: 'equality, sorted by a field', where: ['name(de = "Name 77")'], sort: ['name.en'], indexes: data },
  { name: 'equality, nine of ten match', where: ['isActive = true'], sort: none, indexes: ['documents_pkey'] },
  { name: 'nested field', where: ['address(city = "City 42" and country = "CH")'], sort: none, indexes: data },
  { name: 'in a list of objects', where: ['assets(key = "asset-77" and size = 77)'], sort: none, indexes: data },
  { name: 'reference id', where: [`parent(id = "${hashedId('parent7')}")`], sort: none, indexes: data },
  { name: 'in, 2 texts', where: ['name.en in ("Name 1", "Name 2")'], sort: none, indexes: data },
  {
    name: 'in, 100 references',
    where: [`parent.id in (${quoted(ids.map((_, index) => hashedId(`parent${index}`)))})`],
    sort: none,
    indexes: data,
  },
  { name: 'contains any', where: ['tags contains any ("tag-77", "tag-1077")'], sort: none, indexes: data },
  { name: 'contains all', where: ['tags contains all ("tag-77", "tag-1077")'], sort: none, indexes: data },
  { name: 'custom field', where: ['custom(fields(erp = "E-777"))'], sort: none, indexes: data },
  { name: 'or', where: ['name(en = "Name 7") or tags = "tag-77"'], sort: none, indexes: data },
  {
    name: 'or with a key',
    where: ['name(en = "Name 7") or key = "key-77"'],
    sort: none,
    indexes: ['documents_data', 'documents_key'],
  },
  { name: 'and, one half by index', where: ['tags = "tag-77" and quantity > 100'], sort: none, indexes: data },
  { name: 'and not', where: ['tags = "tag-77" and not (isActive = true)'], sort: none, indexes: data },
  { name: 'two parameters where', where: ['tags = "tag-77"', 'isActive = true'], sort: none, indexes: data },
  { name: 'id in, 100 ids', where: [`id in (${quoted(ids)})`], sort: none, indexes: ['documents_pkey'] },
  { name: 'id that is none', where: ['id = "none"'], sort: none, indexes: [] },
  { name: 'key', where: ['key = "key-777"'], sort: none, indexes: ['documents_key'] },
  { name: 'key in', where: ['key in ("key-777", "key-7777")'], sort: none, indexes: ['documents_key'] },
  { name: 'keys in order', where: ['key > "key-777"'], sort: ['key'], indexes: ['documents_key'] },
  {
    name: 'the next page of a walk',
    where: [`id > "${hashedId('777')}"`],
    sort: ['id asc'],
    indexes: ['documents_pkey'],
  },
  {
    name: 'the next page of a walk over nine of ten',
    where: ['isActive = true', `id > "${hashedId('777')}"`],
    sort: ['id asc'],
    indexes: ['documents_pkey'],
  },
  {
    name: 'the newest of three of four',
    where: ['address.country in ("DE", "AT", "CH")'],
    sort: ['createdAt desc'],
    indexes: ['documents_created'],
  },
  {
    name: 'the next page of a walk over matches',
    where: ['tags = "tag-77"', `id > "${hashedId('777')}"`],
    sort: ['id asc'],
    indexes: data,
  },
  {
    name: 'ten minutes of createdAt',
    where: ['createdAt >= "2029-01-01T10:00:00Z" and createdAt < "2029-01-01T10:10:00Z"'],
    sort: none,
    indexes: ['documents_created'],
  },
  { name: 'newest first', where: none, sort: ['createdAt desc'], indexes: ['documents_created'] },
  { name: 'last modified first', where: none, sort: ['lastModifiedAt desc'], indexes: ['documents_modified'] },
  {
    name: 'last modified first, page 101',
    where: none,
    sort: ['lastModifiedAt desc'],
    offset: 2000,
    indexes: ['documents_modified'],
  },
  {
    name: 'changes since',
    where: ['lastModifiedAt > "2030-12-31T12:00"'],
    sort: ['lastModifiedAt asc', 'id asc'],
    indexes: ['documents_modified'],
  },
  { name: 'highest version', where: none, sort: ['version desc'] },
  { name: 'versions above all', where: ['version > 7.5'], sort: none },
  { name: 'range of a number', where: ['quantity > 4990'], sort: none },
  { name: 'sorted by a text', where: none, sort: ['name.en desc'] },
  { name: 'is not defined', where: ['custom is not defined'], sort: none },
];

export const documents: Subject = {
  kind,
  hasPlainKey: true,
  indexed: undefined,
  shape,
  load: loadDocuments,
  cases: planCases,
};

export function statementsOf(
  { where, sort, offset }: PlanCase,
  subject: Subject = documents,
): { readonly page: QueryStatement; readonly count: QueryStatement } {
  const query = {
    kind: subject.kind,
    hasPlainKey: subject.hasPlainKey,
    isOfFew: false,
    indexed: subject.indexed,
    where: where.map((source) => parsePredicate(source, subject.shape)),
    sort: sort.map((source) => parseSort(source, subject.shape)),
    limit: 20,
    offset: offset ?? 0,
  };
  return { page: pageStatement(project, query), count: countStatement(project, query) };
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

export interface Executed {
  /** What was done, each kind of step once, from the top. */
  readonly steps: readonly string[];
  /** Indexes that were read, by the names that the migrations give them. */
  readonly indexes: readonly string[];
  /** Rows of documents that were looked at. */
  readonly rows: number;
  readonly isWhole: boolean;
  readonly milliseconds: number;
}

/** Runs a statement and tells what was done; what the plan holds and the data did not call for is left out. */
export async function executed(sql: Sql, { text: statement, parameters }: Statement): Promise<Executed> {
  const [row] = await sql.unsafe<{ 'QUERY PLAN': readonly { Plan: PlanNode; 'Execution Time': number }[] }[]>(
    `explain (analyze, format json) ${statement}`,
    parameters,
  );
  const [plan] = row!['QUERY PLAN'];
  const nodes = executedNodes(plan!.Plan);
  const parents = await indexNames(sql);
  const read = nodes.filter((node) => node['Relation Name'] !== undefined);
  const indexes = nodes.flatMap((node) => node['Index Name'] ?? []).map((name) => parents.get(name) ?? name);
  return {
    steps: [...new Set(nodes.map((node) => node['Node Type']))],
    indexes: [...new Set(indexes)],
    rows: read.reduce((sum, node) => sum + rowsOf(node), 0),
    isWhole: nodes.some((node) => node['Node Type'] === 'Seq Scan' && node['Relation Name']?.startsWith('documents')),
    milliseconds: plan!['Execution Time'],
  };
}

function executedNodes(node: PlanNode): readonly PlanNode[] {
  return node['Actual Loops'] === 0 ? [] : [node, ...(node.Plans ?? []).flatMap(executedNodes)];
}

/** Rows that a step looked at, whether it gave them or not. */
function rowsOf(node: PlanNode): number {
  const perLoop =
    node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(perLoop * node['Actual Loops']);
}

/** Names of the partitions' indexes, each with that of the partitioned one. */
async function indexNames(sql: Sql): Promise<ReadonlyMap<string, string>> {
  const rows = await sql<{ name: string; parent: string }[]>`
    select child.relname as name, parent.relname as parent from pg_inherits
    join pg_class as child on child.oid = inhrelid join pg_class as parent on parent.oid = inhparent
    where child.relkind = 'i'`;
  return new Map(rows.map(({ name, parent }) => [name, parent]));
}
