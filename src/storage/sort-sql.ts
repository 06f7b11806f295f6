import type { Sort } from '../predicate/sort.ts';

/** Expressions of one request. */
const sortsMax = 10;

/** The order of a query, with the id as the last tie-break so that pages never overlap. Absent values come last. */
export function sortSql(sorts: readonly Sort[]): string {
  return [...sorts.slice(0, sortsMax).map(expression), 'id'].join(', ');
}

function expression({ path, isDescending, class: kind }: Sort): string {
  const direction = isDescending ? 'desc nulls last' : 'asc nulls last';
  const [first] = path;
  if (path.length === 1 && (first === 'id' || first === 'version')) return `${first} ${direction}`;
  const steps = path.map(literal);
  // Numbers order by value as jsonb does; texts by code points, as predicates compare them.
  const isText = kind === 'text' || kind === 'dateTime';
  const value = `data #${isText ? '>>' : '>'} array[${steps.join(', ')}]`;
  return isText ? `(${value}) collate "C" ${direction}` : `(${value}) ${direction}`;
}

/** The sort grammar admits word characters and hyphens only. */
function literal(name: string): string {
  if (!/^[\w-]+$/.test(name)) throw new Error(`'${name}' cannot stand in a statement`);
  return `'${name}'`;
}
