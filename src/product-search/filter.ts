import { apiError } from '../errors/api-error.ts';
import type { Expression } from './condition.ts';
import { anyOf, parsePathValues } from './path-values.ts';
import type { Path } from './path.ts';
import { projectionPath, type ProjectionPath } from './projection-paths.ts';
import { Tokens } from './tokens.ts';

/** A filter of projection search. */
export interface Filter {
  readonly path: Path;
  readonly expression: Expression;
}

/**
 * Parses `path: value, value` (catalog 59, 60). Throws InvalidInput with the place of the first fault. Whether there is an
 * attribute of a name is not known here.
 *
 * filter = path ":" values
 */
export function parseFilter(source: string): Filter {
  const tokens = new Tokens(source, 'filter');
  const path = parsePath(tokens);
  tokens.expectSymbol(':');
  const values = parsePathValues(tokens, path);
  tokens.expectEnd();
  return { path: path.path, expression: anyOf(path, values) };
}

/** Throws InvalidInput for a path that products cannot have. */
export function filterPath(text: string): ProjectionPath {
  const path = projectionPath(text);
  if (path !== undefined) return path;
  throw apiError('InvalidInput', `The filter path '${text.slice(0, 200)}' is no path of products.`);
}

function parsePath(tokens: Tokens): ProjectionPath {
  const { text, position } = tokens.takePath();
  const path = projectionPath(text);
  if (path === undefined) throw tokens.fault(`'${text.slice(0, 200)}' is no path of products, but stands`, position);
  return path;
}
