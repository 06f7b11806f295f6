import type { Query } from '../engine/store.ts';
import type { Sort } from '../predicate/sort.ts';
import { momentSql } from './predicate-sql.ts';

/**
 * The order of a query, with the id as the last tie-break so that pages never overlap. It takes the direction of the
 * expression before it, so that an index gives both by reading in one direction. Absent values come last.
 */
export function sortSql({ sort: sorts, hasPlainKey }: Pick<Query, 'sort' | 'hasPlainKey'>): string {
  const expression = (sort: Sort): string => expressionOf(sort, hasPlainKey);
  const idIndex = sorts.findIndex(({ path }) => isColumn(path, 'id'));
  // No two rows have one id, so what follows it decides nothing.
  if (idIndex >= 0)
    return sorts
      .slice(0, idIndex + 1)
      .map(expression)
      .join(', ');
  return [...sorts.map(expression), `id${sorts.at(-1)?.isDescending === true ? ' desc' : ''}`].join(', ');
}

/** The name of what has an index that gives rows in this order; undefined where they have to be sorted. */
export function indexedOrder(sorts: readonly Sort[]): string | undefined {
  const [first, second] = sorts;
  if (first === undefined || isColumn(first.path, 'id')) return 'id';
  const name = first.path.length === 1 ? first.path[0]! : '';
  const isTieBroken =
    second === undefined || (isColumn(second.path, 'id') && second.isDescending === first.isDescending);
  return momentSql(name) !== undefined && isTieBroken ? name : undefined;
}

/** The column `key` is the member only where that alone is the key. */
function expressionOf({ path, isDescending, class: kind }: Sort, hasPlainKey: boolean): string {
  // What is never null: the index gives `desc` by reading backwards, but not `desc nulls last`.
  const moment = path.length === 1 ? momentSql(path[0]!) : undefined;
  if (moment !== undefined) return `${moment}${isDescending ? ' desc' : ''}`;
  if (isColumn(path, 'id') || isColumn(path, 'version')) return `${path[0]}${isDescending ? ' desc' : ''}`;
  const direction = isDescending ? 'desc nulls last' : 'asc nulls last';
  if (hasPlainKey && isColumn(path, 'key')) return `key ${direction}`;
  const steps = path.map(literal);
  // Numbers order by value as jsonb does; texts by code points, as predicates compare them.
  const isText = kind === 'text' || kind === 'dateTime';
  const value = `data #${isText ? '>>' : '>'} array[${steps.join(', ')}]`;
  return isText ? `(${value}) collate "C" ${direction}` : `(${value}) ${direction}`;
}

function isColumn(path: readonly string[], name: 'id' | 'key' | 'version'): boolean {
  return path.length === 1 && path[0] === name;
}

/** The sort grammar admits word characters and hyphens only. */
function literal(name: string): string {
  if (!/^[\w-]+$/.test(name)) throw new Error(`'${name}' cannot stand in a statement`);
  return `'${name}'`;
}
