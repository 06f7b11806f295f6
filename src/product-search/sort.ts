import { apiError } from '../errors/api-error.ts';
import type { Condition } from './condition.ts';
import type { Path } from './path.ts';
import { sortPath } from './projection-paths.ts';

/** By what found products are ordered. Those without a value come last, whichever the direction. */
export type Sort =
  | { readonly kind: 'score'; readonly isDescending: boolean }
  | {
      readonly kind: 'value';
      readonly path: Path;
      readonly isDescending: boolean;
      /** Which of several values counts: that of all variants, or all prices, of a product. */
      readonly mode: 'min' | 'max' | 'avg' | 'sum';
      /** Judged at what holds the value, a variant or a price; those that do not meet it do not count. */
      readonly where: Condition | undefined;
    };

/** The order of what was found without a word of it. */
export const byScore: Sort = { kind: 'score', isDescending: true };

const EXPRESSION = /^\s*([A-Za-z][\w.-]*)(?:\s+(asc|desc)(?:\.(min|max))?)?\s*$/i;

/** Characters of one expression. */
const lengthMax = 1000;

/**
 * Parses `path asc`, the default, or `path desc` (catalog 65). Of several values `asc` takes the lowest and `desc` the
 * highest, `asc.max` and `desc.min` the other. Throws InvalidInput.
 *
 * sort = path [ ( "asc" | "desc" ) [ ".min" | ".max" ] ]
 */
export function parseSort(source: string): Sort {
  const match = source.length > lengthMax ? null : EXPRESSION.exec(source);
  if (match === null)
    throw apiError(
      'InvalidInput',
      `Malformed parameter: sort: '${source.slice(0, 100)}' is no path with asc, desc, asc.max or desc.min.`,
    );
  const [, text = '', direction = 'asc', mode] = match;
  const isDescending = direction.toLowerCase() === 'desc';
  if (text === 'score' && mode === undefined) return { kind: 'score', isDescending };
  const path = sortPath(text);
  if (path === undefined)
    throw apiError('InvalidInput', `Malformed parameter: sort: products are not sorted by '${text}'.`);
  const usual = isDescending ? 'max' : 'min';
  // The pattern has no other modes.
  const taken = (mode?.toLowerCase() as 'min' | 'max' | undefined) ?? usual;
  return { kind: 'value', path, isDescending, mode: taken, where: undefined };
}
