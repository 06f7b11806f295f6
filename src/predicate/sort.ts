import { apiError } from '../errors/api-error.ts';
import { memberOf, type Shape } from './shape.ts';

export interface Sort {
  readonly path: readonly string[];
  readonly isDescending: boolean;
  readonly class: 'text' | 'number' | 'boolean' | 'dateTime' | 'dynamic';
}

const EXPRESSION = /^\s*([A-Za-z_][\w-]*(?:\.[\w-]+)*)(?:\s+(asc|desc))?\s*$/i;

/** Expressions that one order may have. */
const sortsMax = 10;

/** The expressions of an order. Throws InvalidInput for more than it may have. */
export function fewSorts<T>(sorts: readonly T[]): readonly T[] {
  if (sorts.length <= sortsMax) return sorts;
  throw apiError('InvalidInput', `Malformed parameter: sort: at most ${sortsMax} expressions can be given.`);
}

/** `name.en desc`: a path of fields and a direction, ascending by default (specification 4.1). */
export function parseSort(source: string, shape: Shape): Sort {
  const match = EXPRESSION.exec(source);
  if (match === null)
    throw apiError(
      'SyntaxError',
      `Malformed parameter: sort: '${source.slice(0, 100)}' is no path of fields with asc or desc.`,
    );
  const path = match[1]!.split('.');
  let reached: Shape | undefined = shape;
  for (const name of path)
    reached = reached === undefined || reached.class === 'list' ? undefined : memberOf(reached, name);
  switch (reached?.class) {
    case 'text':
    case 'number':
    case 'boolean':
    case 'dateTime':
    case 'dynamic':
      return { path, isDescending: match[2]?.toLowerCase() === 'desc', class: reached.class };
    default:
      throw apiError(
        'InvalidInput',
        `Malformed parameter: sort: the path '${match[1]}' leads to no value that has an order.`,
      );
  }
}
