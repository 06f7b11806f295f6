import type { CountQuery, Query } from '../engine/store.ts';
import { type Condition, conditionsOf, indexedData } from './predicate-sql.ts';
import { indexedOrder, sortSql } from './sort-sql.ts';

/**
 * Matches that are counted under a predicate (specification 2.8), and matches of the index on documents that are sorted:
 * of more, the index of the order is read until the page is full.
 */
const matchesMax = 10_000;

/** Rows at the beginning of the order that are tested before the matches are looked for, for each row of the page. */
const testedPerRow = 2;
/** Pages that end later in the order are not looked for at its beginning; nor are many documents, one of which to contain. */
const testedEndMax = 500;
const testedDocumentsMax = 20;

/** Bytes of the documents of one statement: what it gives is in memory at once, as text and as a part of an answer. */
export const documentBytesMax = 32 * 1024 * 1024;

/**
 * Reads id, key, version, document and internals of rows of `documents`, in the order of `rows`. Where the documents have more than
 * `documentBytesMax` together, those after the last that fits are null. As a table of its own, which `offset 0` makes it,
 * a document is written out once.
 */
export function storedRows(rows: string): string {
  return fittingRows(rows, 'rows unbounded preceding', ['internals']);
}

/** The same with the group that each was found by, `in_group`. */
export function groupedRows(rows: string): string {
  return fittingRows(rows, 'rows unbounded preceding', ['internals', 'in_group']);
}

/**
 * The same of rows of `found` with what each was found by. `others` are expressions; the last name of each is that of its
 * column.
 */
export function foundRows(rows: string, others: readonly string[]): string {
  const names = others.map((other) => other.split(/[ .]/).at(-1)!);
  const columns = ['found.id, found.key, found.version, found.data::text as json', ...others];
  return `select ${['id, key, version', fitting('rows unbounded preceding'), ...names].join(', ')}
    from (select ${columns.join(', ')} from ${rows} offset 0) as stored`;
}

/** The same for a page that is given as a whole or not at all: where they have more, all are null. */
function storedPage(rows: string): string {
  return fittingRows(rows, '');
}

function fittingRows(rows: string, summed: string, others: readonly string[] = []): string {
  return `select ${['id, key, version', fitting(summed), ...others].join(', ')}
    from (select ${['id, key, version, data::text as json', ...others].join(', ')} from ${rows} offset 0) as stored`;
}

function fitting(summed: string): string {
  return `case when sum(octet_length(json)) over (${summed}) <= ${documentBytesMax} then json end`;
}

export interface Statement {
  readonly text: string;
  /** The driver's types know no mixed lists; every parameter is text, a number or a list of texts. */
  readonly parameters: string[];
}

/** A statement of which it is known what it has to look at. */
export interface QueryStatement extends Statement {
  /** Whether an index finds the matches, or gives them in order. Otherwise all of the kind may have to be looked at. */
  readonly isIndexed: boolean;
}

const whole = 'id, key, version, data';
/** Of rows that are still to be tested. */
const testable = `${whole}, indexed, indexed_version`;

/**
 * Reads one page of a query as `storedPage`. Where there are rows before it, the ids of its own are found first, so that
 * the others are neither read nor sorted with what they hold.
 *
 * Postgres knows nothing of how many documents contain another (it keeps no statistics of values above 1 kB, and guesses
 * one of a hundred), so left alone it reads the index of the order and tests each row, which for a rare value are all
 * rows: 4.5 s of a million. Therefore a page that the index on documents helps with is looked for in three places. Each
 * is read only when those before it did not have it:
 *
 *   beginning of the order ──not full──▶ matches of the index, sorted ──too many──▶ the order, until the page is full
 */
export function pageStatement(project: string, query: Query): QueryStatement {
  if (query.offset === 0) {
    const { text, ...rest } = rowsStatement(whole, project, query);
    return { text: storedPage(`(${text}) as page`), ...rest };
  }
  const { text, ...rest } = rowsStatement('id', project, query);
  // One after the other, in their order: `offset 0` keeps the rows from being found in another way.
  const row = `select key, version, data from documents where project = $1 and kind = '${query.kind}' and id = page.id offset 0`;
  return { text: storedPage(`(${text}) as page (id), lateral (${row}) as document`), ...rest };
}

/** Reads the same page as rows of id and version. To write out twenty documents of 4 kB is four fifths of a page's time. */
export function versionsStatement(project: string, query: Query): QueryStatement {
  return rowsStatement('id, version', project, query);
}

function rowsStatement(columns: string, project: string, query: Query): QueryStatement {
  const conditions = conditionsFor(project, query);
  const { where, matches, parameters } = conditions;
  const page = `order by ${sortSql(query)} limit ${query.limit} offset ${query.offset}`;
  const from = `select ${columns} from`;
  const isIndexed = isFound(conditions) || (conditions.given.length === 0 && indexedOrder(query.sort) !== undefined);
  if (matches === undefined) return { text: `${from} documents where ${where} ${page}`, parameters, isIndexed };
  const beginning = beginningOf(query, conditions);
  const tables = [...(beginning === undefined ? [] : [beginning.text]), matches.text];
  const unless = (condition: string): string =>
    beginning === undefined ? condition : `case when ${beginning.isFull} then false else ${condition} end`;
  const parts = [
    ...(beginning === undefined ? [] : [`(${from} beginning as documents where ${beginning.isFull} ${page})`]),
    `(${from} ${matches.distinct} as documents where ${unless(isFew)} ${page})`,
    `(${from} documents where ${matches.filter} and ${unless(`not ${isFew}`)} ${page})`,
  ];
  return { text: `with ${tables.join(', ')} ${parts.join(' union all ')}`, parameters, isIndexed };
}

/** Counts the matches of a query; under a predicate counting stops at a cap. */
export function countStatement(project: string, query: CountQuery): QueryStatement {
  const conditions = conditionsFor(project, query);
  const { where, matches, parameters } = conditions;
  const isIndexed = query.where.length === 0 || isFound(conditions);
  if (query.where.length === 0)
    return { text: `select count(*) as total from documents where ${where}`, parameters, isIndexed };
  const counted = `select count(*) as total from (select from documents where ${where} limit ${matchesMax}) as counted`;
  if (matches === undefined) return { text: counted, parameters, isIndexed };
  // More rows than that are more matches, unless one may have come several times.
  const many = matches.distinct === 'few' ? matchesMax : `(${counted})`;
  const few = `(select count(*) from ${matches.distinct} as counted)`;
  return {
    text: `with ${matches.text} select case when ${isFew} then ${few} else ${many} end as total`,
    parameters,
    isIndexed,
  };
}

/** True of every row. The indexes that give rows in an order are for statements that say it (migrations/0008). */
const orderIndexCondition = 'octet_length(project) <> 0';

interface Conditions {
  /** What every row of the kind in the project meets. */
  readonly scope: readonly string[];
  readonly given: readonly Condition[];
  readonly where: string;
  /** Where the index on documents finds the matches. */
  readonly matches: Matches | undefined;
  readonly parameters: string[];
}

function conditionsFor(project: string, { kind, where, ...findable }: CountQuery): Conditions {
  const parameters: unknown[] = [project];
  const scope = ['project = $1', `kind = '${kind}'`, orderIndexCondition];
  const given = conditionsOf(where, parameters, findable);
  const matches = matchesOf(scope, given, parameters);
  return { scope, given, where: joined(scope, given), matches, parameters: parameters as string[] };
}

/** Whether one of the conditions is met by few rows that an index finds, or all are ranges of what has one, or common. */
function isFound({ given }: Conditions): boolean {
  return (
    given.some(({ index, isCommon }) => index !== undefined && !isCommon) ||
    (given.length > 0 && given.every(({ bounds, isCommon }) => bounds !== undefined || isCommon))
  );
}

/**
 * The matches among the first rows of an order that has an index. Of a value that half of all have, the page is there,
 * and its hundred thousands of matches need not be found. Undefined for other orders and for late pages.
 */
function beginningOf(
  { sort, hasPlainKey, limit, offset }: Query,
  { scope, given }: Conditions,
): { readonly text: string; readonly isFull: string } | undefined {
  const order = indexedOrder(sort);
  const end = offset + limit;
  if (order === undefined || end > testedEndMax) return undefined;
  if (given.some(({ anyOf }) => anyOf !== undefined && anyOf.count > testedDocumentsMax)) return undefined;
  const bounds = given.filter((condition) => condition.bounds === order);
  const others = given.filter((condition) => condition.bounds !== order).map(({ text }) => text);
  const by = `order by ${sortSql({ sort, hasPlainKey })} limit`;
  const first = `select ${testable} from documents where ${joined(scope, bounds)} ${by} ${end * testedPerRow}`;
  return {
    text: `beginning as materialized (select * from (${first}) as documents where ${others.join(' and ')} ${by} ${end})`,
    isFull: `(select count(*) from beginning) = ${end}`,
  };
}

const isFew = `(select count(*) from few) <= ${matchesMax}`;

interface Matches {
  /** Table expressions, of which `few` holds the matching rows, or more than `matchesMax` when there are so many. */
  readonly text: string;
  /** Each row of `few` once. */
  readonly distinct: string;
  /** The conditions in a form that no index on documents serves, so that the order is read instead. */
  readonly filter: string;
}

/** As a table expression of its own, which is read no further than it is asked to, the matches take the index. */
function matchesOf(scope: readonly string[], given: readonly Condition[], parameters: unknown[]): Matches | undefined {
  // Matches of the id or key are few, and Postgres knows it.
  if (given.some(({ index }) => index === 'column')) return undefined;
  const found = given.filter(({ index }) => index === 'documents');
  if (found.length === 0) return undefined;
  const unindexed = given.map(({ text, index }) => (index === 'documents' ? `(${text}) is true` : text));
  const filter = [...scope, ...unindexed].join(' and ');
  const one = `select ${whole} from documents where`;
  const few = `few as materialized (select * from matching limit ${matchesMax + 1})`;
  const rare = found.filter(({ isCommon }) => !isCommon);
  const [first] = rare.length > 0 ? rare : found;
  const driving = rare.find(({ anyOf }) => anyOf === undefined) ?? first!;
  // Beside what finds few rows, what is common is looked at in these, and not in the index.
  const tested = rare.length === 0 ? given : given.map(testedIfCommon);
  if (driving.anyOf === undefined) {
    return { text: `matching as materialized (${one} ${joined(scope, tested)}), ${few}`, distinct: 'few', filter };
  }
  // Of many documents Postgres guesses that most rows contain one, and reads all. One by one it uses the index, which
  // `offset 0` keeps it from giving up.
  parameters.push(driving.anyOf.text);
  const wanted = `unnest($${parameters.length}::text::jsonb[]) as wanted (document)`;
  const others = tested.filter((condition) => condition !== driving);
  const each = `${one} ${joined([...scope, `${indexedData} @> wanted.document`], others)} offset 0`;
  return {
    text: `matching as materialized (select matched.* from ${wanted}, lateral (${each}) as matched), ${few}`,
    distinct: '(select distinct on (id) * from few)',
    filter,
  };
}

function testedIfCommon(condition: Condition): Condition {
  return condition.isCommon ? { ...condition, text: `(${condition.text}) is true` } : condition;
}

function joined(scope: readonly string[], given: readonly Condition[]): string {
  return [...scope, ...given.map(({ text }) => text)].join(' and ');
}
