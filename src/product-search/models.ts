/** Filters and facets of projection search that are given by their parts in place of a text, as GraphQL has them. */
import { apiError } from '../errors/api-error.ts';
import { describe } from '../fields/parsing.ts';
import { type ProjectionFacet, facetPath } from './facet.ts';
import { type Filter, filterPath } from './filter.ts';
import { anyOf, noValues, pathValues, type Range, valuesMax } from './path-values.ts';
import type { ProjectionPath } from './projection-paths.ts';
import { expectations, hasRanges, meantValues, type Scalar } from './values.ts';

/** One of these. */
export interface FilterModel {
  readonly value?: (Named & { readonly values: readonly string[] }) | null;
  readonly range?: (Named & { readonly ranges: readonly RangeModel[] }) | null;
  readonly missing?: Named | null;
  readonly exists?: Named | null;
  readonly tree?:
    (Named & { readonly rootValues: readonly string[]; readonly subTreeValues: readonly string[] }) | null;
}

/** One of these. */
export interface FacetModel {
  readonly terms?: FacetOptions | null;
  readonly range?: (FacetOptions & { readonly ranges: readonly RangeModel[] }) | null;
}

interface Named {
  readonly path: string;
}

interface FacetOptions extends Named {
  readonly alias?: string | null;
  readonly countProducts: boolean;
}

/** An end that is open is a star. */
interface RangeModel {
  readonly from: string;
  readonly to: string;
}

/** Throws InvalidInput for what a filter cannot say. */
export function filterOf({ value, range, missing, exists, tree }: FilterModel): Filter {
  const [model, ...others] = [value, range, missing, exists, tree].filter(
    (each) => each !== undefined && each !== null,
  );
  if (model === undefined || others.length > 0)
    throw apiError('InvalidInput', 'A model of a filter has exactly one of value, range, missing, exists and tree.');
  const path = filterPath(model.path);
  if (path.hasPresenceAlone && !missing && !exists) throw wrong(path, 'only whether it has values is asked');
  const gathered = noValues();
  if (value) gathered.literals.push(...literalsOf(path, value.values));
  if (range) gathered.ranges.push(...rangesOf(path, range.ranges));
  if (missing) gathered.presences.add('missing');
  if (exists) gathered.presences.add('exists');
  if (tree) {
    if (!path.isTree) throw wrong(path, 'it leads to no categories');
    requireFew(path, [...tree.rootValues, ...tree.subTreeValues]);
    gathered.literals.push(...literalsOf(path, tree.rootValues));
    gathered.subtrees.push(...literalsOf(path, tree.subTreeValues));
  }
  return { path: path.path, expression: anyOf(path, pathValues(path, gathered)) };
}

/** Throws SearchFacetPathNotFound and InvalidInput for what a facet cannot say. */
export function facetOf({ terms, range }: FacetModel): ProjectionFacet {
  const model = terms ?? range;
  if (!model || (terms && range))
    throw apiError('InvalidInput', 'A model of a facet has exactly one of terms and range.');
  const path = facetPath(model.path, { isOfTerms: model === terms });
  const options = { key: model.alias ?? path.text, path: path.path, countsProducts: model.countProducts };
  if (!range) return { ...options, kind: 'terms' };
  if (path.hasPresenceAlone) throw wrong(path, 'only whether it has values is asked');
  return { ...options, kind: 'ranges', ranges: rangesOf(path, range.ranges) };
}

function wrong({ text }: ProjectionPath, problem: string): Error {
  return apiError('InvalidInput', `The path '${text}' cannot be used so: ${problem}.`);
}

function literalsOf(path: ProjectionPath, values: readonly string[]): readonly Scalar[] {
  requireFew(path, values);
  return values.flatMap((value) => meanings(path, value));
}

/** As many values as a text of a filter has all told. */
function requireFew(path: ProjectionPath, values: readonly string[]): void {
  if (values.length > valuesMax) throw wrong(path, `more than ${valuesMax} values are given`);
}

function rangesOf(path: ProjectionPath, ranges: readonly RangeModel[]): readonly Range[] {
  if (!hasRanges(path.path)) throw wrong(path, 'its values lie in no ranges');
  if (ranges.length === 0 || ranges.length > valuesMax)
    throw wrong(path, `${ranges.length} ranges are given, not 1 to ${valuesMax}`);
  return ranges.map((range) => {
    const from = endOf(path, range.from);
    const to = endOf(path, range.to);
    if (from !== undefined && to !== undefined && typeof from !== typeof to)
      throw wrong(path, `the range from ${describe(range.from)} to ${describe(range.to)} is between two types`);
    return { from, to };
  });
}

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Of all that a text can mean the last, which is a number where it looks like one. */
function endOf(path: ProjectionPath, text: string): Scalar | undefined {
  return text === '*' ? undefined : meanings(path, text, { hasOrder: true }).at(-1);
}

/** Models have texts alone: which value one is, its path says, or the form of the text. */
function meanings({ path, text: name }: ProjectionPath, text: string, { hasOrder = false } = {}): readonly Scalar[] {
  const isBoolean = !hasOrder && (text === 'true' || text === 'false');
  const others = [...(isBoolean ? [text === 'true'] : []), ...(NUMBER.test(text) ? [Number(text)] : [])];
  const meant = [text, ...others].flatMap((value) => meantValues(path, value));
  if (meant.length > 0) return [...new Set(meant)];
  const expected = expectations[path.class];
  throw apiError(
    'InvalidInput',
    `The value ${describe(text)} does not fit the path '${name}': ${expected} is expected.`,
  );
}
