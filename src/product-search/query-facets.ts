import { apiError } from '../errors/api-error.ts';
import { defaulted, type FieldKind, optional, required } from '../fields/field.ts';
import { json } from '../fields/json.ts';
import { list } from '../fields/list.ts';
import { object } from '../fields/object.ts';
import type { Parsing } from '../fields/parsing.ts';
import { enumeration, text } from '../fields/scalar.ts';
import { bounded } from './bounded.ts';
import { type Condition, type Expression, judgedAt } from './condition.ts';
import { reported } from './parsed-text.ts';
import type { Path, Scope } from './path.ts';
import type { Range } from './path-values.ts';
import { parsedTo, searchQuery, typed } from './query.ts';
import { fieldMembers, nameInQueries, pathOf } from './query-fields.ts';
import { sortOrder } from './query-sort.ts';
import { hasRanges, meantValues, type Scalar } from './values.ts';

/** A facet of product search (catalog 70). */
export type ProductFacet = FacetOptions & (Distinct | Ranges | Stats | { readonly kind: 'count' });

interface FacetOptions {
  /** Of its result; each facet of a request has another. */
  readonly name: string;
  /** Of which products: those that the query finds, or all. */
  readonly scope: 'query' | 'all';
  /** What is counted. */
  readonly level: 'products' | 'variants';
  /** What values, or what is counted, are looked for in; `where` is judged there. A product counts once for any of its. */
  readonly holder: Scope;
  readonly where: Condition | undefined;
}

interface Distinct {
  readonly kind: 'distinct';
  readonly path: Path;
  /** Keys of the buckets that are wanted; undefined for all. */
  readonly includes: readonly string[] | undefined;
  readonly sort: { readonly by: 'count' | 'key'; readonly isDescending: boolean };
  /** Buckets. */
  readonly limit: number;
  /** The key of the bucket of those without a value; undefined for none. */
  readonly missing: string | undefined;
}

interface Ranges {
  readonly kind: 'ranges';
  readonly path: Path;
  readonly ranges: readonly KeyedRange[];
}

/** From `from` up to `to`, which is not part of it. */
export interface KeyedRange extends Range {
  readonly key: string;
}

/** Of all values: each is counted as often as it is held. */
interface Stats {
  readonly kind: 'stats';
  readonly path: Path;
}

export type ProductFacetResult =
  | { readonly name: string; readonly buckets: readonly { readonly key: string; readonly count: number }[] }
  | { readonly name: string; readonly value: number }
  | StatsResult;

/** Without values there are no numbers but the count. Moments and days have no mean and no sum. */
interface StatsResult {
  readonly name: string;
  readonly min?: number | string;
  readonly max?: number | string;
  readonly mean?: number;
  readonly sum?: number;
  readonly count: number;
}

/** The buckets of a facet that names no number of them, and the most that it may name. */
const bucketLimit = { default: 10, max: 200 };
const includesMax = 200;
const rangesMax = 200;
const nameLengthMax = 256;

export const facetScope = enumeration('ProductSearchFacetScopeEnum', ['all', 'query']);
export const countLevel = enumeration('ProductSearchFacetCountLevelEnum', ['products', 'variants']);
export const bucketSortBy = enumeration('ProductSearchFacetDistinctBucketSortBy', ['count', 'key']);

const level = defaulted(countLevel, () => 'products' as const);

const common = {
  name: required(text(['facet'])),
  scope: defaulted(facetScope, () => 'query' as const),
  filter: optional(searchQuery),
};

const bucketSort = object('ProductSearchFacetDistinctBucketSortExpression', {
  by: required(bucketSortBy),
  order: required(sortOrder),
});

const distinct: FieldKind<ProductFacet> = parsedTo(
  object('ProductSearchFacetDistinctValue', {
    ...common,
    ...fieldMembers,
    level,
    includes: optional(list(text())),
    sort: optional(bucketSort),
    limit: defaulted(bounded({ min: 1, ...bucketLimit }), () => bucketLimit.default),
    missing: optional(text()),
  }),
  ({ includes: keys, sort, limit, missing, ...given }, parsing) =>
    reported(() => {
      if (keys !== undefined && keys.length > includesMax)
        throw apiError('InvalidInput', `The facet '${given.name}' includes more than ${includesMax} keys.`);
      const path = pathOf(given);
      const includes = keys?.flatMap((key) => [key, ...meantValues(path, key).map(String)]);
      const order = { by: sort?.by ?? 'count', isDescending: (sort?.order ?? 'desc') === 'desc' };
      return { ...optionsOf(given, path), kind: 'distinct', path, includes, sort: order, limit, missing };
    }, parsing),
);

const range = object('ProductSearchFacetRangesFacetRange', {
  from: optional(json()),
  to: optional(json()),
  key: optional(text()),
});

const ranges: FieldKind<ProductFacet> = parsedTo(
  object('ProductSearchFacetRangesValue', { ...common, ...fieldMembers, level, ranges: required(list(range)) }),
  ({ ranges: wanted, ...given }, parsing) =>
    reported(() => {
      const path = pathOf(given);
      if (!hasRanges(path))
        throw apiError(
          'InvalidInput',
          `The values of '${nameInQueries(path)}', of type ${path.class}, lie in no ranges.`,
        );
      if (wanted.length === 0 || wanted.length > rangesMax)
        throw apiError('InvalidInput', `The facet '${given.name}' has ${wanted.length} ranges, not 1 to ${rangesMax}.`);
      const keyed = wanted.map((each) => keyedRange(path, each));
      if (new Set(keyed.map(({ key }) => key)).size < keyed.length)
        throw apiError('InvalidInput', `Two ranges of the facet '${given.name}' have the same key.`);
      return { ...optionsOf(given, path), kind: 'ranges', path, ranges: keyed };
    }, parsing),
);

const stats: FieldKind<ProductFacet> = parsedTo(
  object('ProductSearchFacetStatsValue', { ...common, ...fieldMembers }),
  (given, parsing) =>
    reported(() => {
      const path = pathOf(given);
      if (!hasRanges(path))
        throw apiError(
          'InvalidInput',
          `The values of '${nameInQueries(path)}', of type ${path.class}, have no statistics.`,
        );
      return { ...optionsOf({ ...given, level: 'products' }, path), kind: 'stats', path };
    }, parsing),
);

const count: FieldKind<ProductFacet> = parsedTo(
  object('ProductSearchFacetCountValue', { ...common, level }),
  (given, parsing) => reported(() => ({ ...optionsOf(given, undefined), kind: 'count' }), parsing),
);

const kinds = {
  distinct: optional(distinct),
  ranges: optional(ranges),
  stats: optional(stats),
  count: optional(count),
};

/** An element of `facets`. */
export const searchFacet: FieldKind<ProductFacet> = {
  ...parsedTo(object('ProductSearchFacetExpression', kinds), (given, parsing): ProductFacet | undefined => {
    const [facet, ...others] = Object.values(given);
    if (facet !== undefined && others.length === 0) return facet;
    return parsing.fault(
      'InvalidJsonInput',
      (field) => `'${field}' has not exactly one of distinct, ranges, stats, count.`,
    );
  }),
  examples: [{ distinct: { name: 'colors', field: 'variants.attributes.color', fieldType: 'text' } }],
};

/** Records a name that two facets have. */
export function withNames(facets: ProductFacet[], parsing: Parsing): ProductFacet[] {
  const names = new Set<string>();
  for (const { name } of facets) {
    if (names.has(name)) parsing.fault('InvalidInput', () => `Two facets have the name '${name}'.`);
    names.add(name);
  }
  return facets;
}

interface GivenOptions {
  readonly name: string;
  readonly scope: 'query' | 'all';
  readonly level: 'products' | 'variants';
  readonly filter?: Expression;
}

function optionsOf({ name, scope, level: counted, filter }: GivenOptions, path: Path | undefined): FacetOptions {
  if (name === '' || name.length > nameLengthMax)
    throw apiError('InvalidInput', `A facet has a name of ${name.length} characters, not 1 to ${nameLengthMax}.`);
  const pathScope = path?.scope ?? 'product';
  const holder = counted === 'variants' && pathScope === 'product' ? 'variant' : pathScope;
  return { name, scope, level: counted, holder, where: filter && judgedAt(filter, holder) };
}

function keyedRange(path: Path, given: { from?: unknown; to?: unknown; key?: string }): KeyedRange {
  const { from, to, key } = given;
  if (from === undefined && to === undefined)
    throw apiError('InvalidInput', `A range of the field '${nameInQueries(path)}' has neither from nor to.`);
  return {
    from: from === undefined ? undefined : typed(path, from),
    to: to === undefined ? undefined : typed(path, to),
    // Both were found to be values.
    key: key ?? `${endText(from as Scalar | undefined)}-${endText(to as Scalar | undefined)}`,
  };
}

/** As it was sent. */
function endText(end: Scalar | undefined): string {
  return end === undefined ? '*' : String(end);
}
