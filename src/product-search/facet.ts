import { apiError } from '../errors/api-error.ts';
import { anyOf, parsePathValues, type PathValues, type Range } from './path-values.ts';
import type { Expression } from './condition.ts';
import type { Path } from './path.ts';
import { categoriesSubTree, projectionPath, type ProjectionPath } from './projection-paths.ts';
import { Tokens } from './tokens.ts';

/** A facet of projection search. */
export type ProjectionFacet = FacetOptions &
  (
    | { readonly kind: 'terms' }
    /** From `from` up to `to`, which is not part of it. */
    | { readonly kind: 'ranges'; readonly ranges: readonly Range[] }
    | { readonly kind: 'filter'; readonly expression: Expression }
  );

interface FacetOptions {
  /** The name of its result. */
  readonly key: string;
  readonly path: Path;
  readonly countsProducts: boolean;
}

/**
 * Parses a facet expression (catalog 63). Throws SearchFacetPathNotFound for a path that products cannot have, and
 * InvalidInput with the place of any other fault.
 *
 * facet = path [ ":" values ] { "as" name | "counting" "products" }
 *
 * `subtree("*")` in place of the values counts each category with all below it.
 */
export function parseFacet(source: string): ProjectionFacet {
  const tokens = new Tokens(source, 'facet');
  const path = parsePath(tokens);
  const { position } = tokens.current;
  const values = tokens.takeSymbol(':') ? parsePathValues(tokens, path) : undefined;
  if (values !== undefined && values.ranges.length > 0 && values.tests.length > 0)
    throw tokens.fault('ranges and other values stand in one facet', position);
  const options = parseOptions(tokens, path);
  tokens.expectEnd();
  if (values === undefined) return { ...options, kind: 'terms' };
  if (isOfAllSubtrees(values)) return { ...options, path: categoriesSubTree, kind: 'terms' };
  if (values.ranges.length > 0) return { ...options, kind: 'ranges', ranges: values.ranges };
  return { ...options, kind: 'filter', expression: anyOf(path, values) };
}

function isOfAllSubtrees({ ranges, tests: [test, ...others] }: PathValues): boolean {
  if (test?.kind !== 'in' || test.path !== categoriesSubTree || others.length + ranges.length > 0) return false;
  return test.values.length === 1 && test.values[0] === '*';
}

function parsePath(tokens: Tokens): ProjectionPath {
  const { text } = tokens.takePath();
  return facetPath(text, { isOfTerms: tokens.current.type !== 'symbol' });
}

/** Throws SearchFacetPathNotFound for a path that products cannot have, or whose values are not counted. */
export function facetPath(text: string, { isOfTerms }: { readonly isOfTerms: boolean }): ProjectionPath {
  const path = projectionPath(text);
  if (path === undefined)
    throw apiError('SearchFacetPathNotFound', `The facet path '${text.slice(0, 200)}' is no path of products.`);
  if (path.hasPresenceAlone && isOfTerms)
    throw apiError('SearchFacetPathNotFound', `The facet path '${path.text}' leads to no values that can be counted.`);
  return path;
}

/** Each once, in any order. */
function parseOptions(tokens: Tokens, { text, path }: ProjectionPath): FacetOptions {
  let alias: string | undefined;
  let countsProducts = false;
  for (;;) {
    if (alias === undefined && tokens.takeKeyword('as')) {
      if (tokens.current.type !== 'name') throw tokens.unexpected('a name');
      alias = tokens.take().text;
    } else if (!countsProducts && tokens.takeKeyword('counting')) {
      tokens.expectKeyword('products');
      countsProducts = true;
    } else return { key: alias ?? text, path, countsProducts };
  }
}
