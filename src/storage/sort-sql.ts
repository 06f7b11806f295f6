import { apiError } from '../errors/api-error.ts';
import type { Sort } from '../predicate/sort.ts';

/** Expressions of one request. */
const sortsMax = 10;

/**
 * The order of a query, with the id as the last tie-break so that pages never overlap. Absent values come last.
 * Throws InvalidInput for more expressions than a request may have.
 */
export function sortSql(sorts: readonly Sort[]): string {
  if (sorts.length > sortsMax)
    throw apiError('InvalidInput', `Malformed parameter: sort: at most ${sortsMax} expressions can be given.`);
  const idIndex = sorts.findIndex(({ path }) => isColumn(path, 'id'));
  // No two rows have one id, so what follows it decides nothing.
  if (idIndex >= 0)
    return sorts
      .slice(0, idIndex + 1)
      .map(expression)
      .join(', ');
  return [...sorts.map(expression), 'id'].join(', ');
}

function expression({ path, isDescending, class: kind }: Sort): string {
  // Columns that are never null: the index gives `desc` by reading backwards, but not `desc nulls last`.
  if (isColumn(path, 'id') || isColumn(path, 'version')) return `${path[0]}${isDescending ? ' desc' : ''}`;
  const direction = isDescending ? 'desc nulls last' : 'asc nulls last';
  const steps = path.map(literal);
  // Numbers order by value as jsonb does; texts by code points, as predicates compare them.
  const isText = kind === 'text' || kind === 'dateTime';
  const value = `data #${isText ? '>>' : '>'} array[${steps.join(', ')}]`;
  return isText ? `(${value}) collate "C" ${direction}` : `(${value}) ${direction}`;
}

function isColumn(path: readonly string[], name: 'id' | 'version'): boolean {
  return path.length === 1 && path[0] === name;
}

/** The sort grammar admits word characters and hyphens only. */
function literal(name: string): string {
  if (!/^[\w-]+$/.test(name)) throw new Error(`'${name}' cannot stand in a statement`);
  return `'${name}'`;
}
