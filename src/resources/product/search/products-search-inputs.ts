/** How GraphQL gives a search of products: its input types, and what REST has for them. */
import { apiError } from '../../../errors/api-error.ts';
import type { FieldKind, Input, InputObject } from '../../../fields/field.ts';
import { matchType } from '../../../product-search/query.ts';
import { bucketSortBy, countLevel, facetScope } from '../../../product-search/query-facets.ts';
import { fieldType } from '../../../product-search/query-fields.ts';
import { sortMode, sortOrder } from '../../../product-search/query-sort.ts';
import { plainInputObject } from './plain-types.ts';

/** What the schema has typed. */
type Given = Readonly<Record<string, unknown>>;

const field = { field: 'String!', boost: 'Float', fieldType: 'SearchFieldType' };
const words = { ...field, value: 'String!', language: 'String', mustMatch: 'SearchMatchType' };

function ends(type: string): Readonly<Record<string, string>> {
  return { gte: type, gt: type, lte: type, lt: type };
}

const expressions = {
  range: 'SearchQueryRangeExpressionInput',
  fullText: 'SearchFullTextExpressionInput',
  fullTextPrefix: 'SearchFullTextPrefixInput',
  exists: 'SearchExistsInput',
  prefix: 'SearchAnyValueExpressionInput',
  wildcard: 'SearchAnyValueExpressionInput',
  exact: 'SearchAnyValueExpressionInput',
  fuzzy: 'SearchFuzzyExpressionInput',
};

const queries = '[SearchQueryInput!]';
const compounds = { and: queries, or: queries, not: queries };

const queryTypes: readonly InputObject[] = [
  plainInputObject('SearchQueryInput', { ...compounds, filter: '[SearchFilterExpressionInput!]', ...expressions }),
  plainInputObject('SearchFilterExpressionInput', { ...compounds, filter: queries, ...expressions }),
  plainInputObject('SearchQueryRangeExpressionInput', {
    date: 'SearchDateRangeExpressionInput',
    datetime: 'SearchDateTimeRangeExpressionInput',
    time: 'SearchTimeRangeExpressionInput',
    long: 'SearchLongRangeExpressionInput',
    float: 'SearchNumberRangeExpressionInput',
  }),
  plainInputObject('SearchDateRangeExpressionInput', { ...field, ...ends('Date') }),
  plainInputObject('SearchDateTimeRangeExpressionInput', { ...field, ...ends('DateTime') }),
  plainInputObject('SearchTimeRangeExpressionInput', { ...field, ...ends('Time') }),
  plainInputObject('SearchLongRangeExpressionInput', { ...field, ...ends('Long') }),
  plainInputObject('SearchNumberRangeExpressionInput', { ...field, ...ends('Float') }),
  plainInputObject('SearchFullTextExpressionInput', words),
  plainInputObject('SearchFullTextPrefixInput', words),
  plainInputObject('SearchFuzzyExpressionInput', { ...words, level: 'Int!' }),
  plainInputObject('SearchExistsInput', { ...field, language: 'String' }),
  plainInputObject('SearchAnyValueExpressionInput', {
    ...field,
    gte: 'Float',
    value: 'SearchValueType!',
    language: 'String',
    caseInsensitive: 'Boolean',
  }),
];

/** As REST has them. */
function enumTypes(...kinds: readonly Pick<FieldKind<string>, 'input'>[]): ReturnType<Input['types']> {
  return kinds.flatMap(({ input }) => input?.types() ?? []);
}

export const queryInput: Input = {
  type: 'SearchQueryInput',
  types: () => [...queryTypes, ...enumTypes(fieldType, matchType)],
  read: (given) => queryOf(given as Given),
};

export const sortingInput: Input = {
  type: 'SearchSortingInput',
  types: () => [
    plainInputObject('SearchSortingInput', {
      field: 'String!',
      language: 'String',
      order: 'SearchSortOrder!',
      mode: 'SearchSortMode',
      fieldType: 'SearchFieldType',
      filter: 'SearchFilterExpressionInput',
    }),
    ...enumTypes(sortOrder, sortMode),
  ],
  read: (given) => withFilter(given as Given),
};

const facet = { name: 'String!', scope: 'ProductSearchFacetScopeEnum', filter: 'SearchQueryInput' };
const level = { level: 'ProductSearchFacetCountLevelEnum' };
const facetField = { field: 'String!', language: 'String', fieldType: 'SearchFieldType' };

const ranges = { date: 'Date', datetime: 'DateTime', time: 'Time', long: 'Long', float: 'Float' };
const rangeNames: Readonly<Record<keyof typeof ranges, string>> = {
  date: 'SearchFacetDateRangeValue',
  datetime: 'SearchFacetDateTimeRangeValue',
  time: 'SearchFacetTimeRangeValue',
  long: 'SearchFacetLongRangeValue',
  float: 'SearchFacetFloatRangeValue',
};

export const facetInput: Input = {
  type: 'ProductSearchFacetExpressionInput',
  types: () => [
    plainInputObject('ProductSearchFacetExpressionInput', {
      count: 'ProductSearchFacetCountExpressionInput',
      distinct: 'ProductSearchFacetDistinctExpressionInput',
      ranges: 'ProductSearchFacetRangesExpressionInput',
      stats: 'ProductSearchFacetStatsExpressionInput',
    }),
    plainInputObject('ProductSearchFacetCountExpressionInput', {
      ...facet,
      scope: 'ProductSearchFacetScopeEnum = all',
      level: 'ProductSearchFacetCountLevelEnum = products',
    }),
    plainInputObject('ProductSearchFacetDistinctExpressionInput', {
      ...facet,
      ...level,
      ...facetField,
      includes: '[String!]',
      sort: 'ProductSearchFacetDistinctBucketSortExpressionInput',
      limit: 'Int',
      missing: 'String',
    }),
    plainInputObject('ProductSearchFacetDistinctBucketSortExpressionInput', {
      by: 'ProductSearchFacetDistinctBucketSortBy!',
      order: 'SearchSortOrder',
    }),
    plainInputObject('ProductSearchFacetRangesExpressionInput', {
      ...facet,
      ...level,
      ...facetField,
      ranges: 'ProductSearchFacetRangesFacetRangeInput!',
    }),
    plainInputObject('ProductSearchFacetStatsExpressionInput', {
      ...facet,
      field: 'String!',
      fieldType: 'SearchFieldType',
    }),
    plainInputObject(
      'ProductSearchFacetRangesFacetRangeInput',
      Object.fromEntries(Object.entries(rangeNames).map(([type, name]) => [type, `[${name}!]`])),
    ),
    ...Object.entries(ranges).map(([type, end]) =>
      // Both have the same names.
      plainInputObject(rangeNames[type as keyof typeof ranges], { from: end, to: end, key: 'String' }),
    ),
    ...enumTypes(facetScope, countLevel, bucketSortBy),
  ],
  read: (given) =>
    mapped(given as Given, { count: withFilter, distinct: distinctOf, ranges: rangesOf, stats: withFilter }),
};

type Convert = (given: Given) => unknown;

/** With some members, where they are given, in another form. */
function mapped(given: Given, converts: Readonly<Record<string, Convert>>): Given {
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => {
      const convert = Object.hasOwn(converts, name) ? converts[name] : undefined;
      // The schema has typed these members as objects.
      return [name, convert === undefined || value === null ? value : convert(value as Given)];
    }),
  );
}

function queriesOf(given: unknown): unknown {
  return (given as readonly Given[]).map(queryOf);
}

/** How deep expressions stand in one another is bounded by what parses texts and variables, and found fault with later. */
function queryOf(given: Given): Given {
  return mapped(given, {
    and: queriesOf,
    or: queriesOf,
    not: queriesOf,
    filter: queriesOf,
    range: (byType) => oneOf(byType, 'range'),
    exact: exactOf,
    prefix: withoutBound,
    wildcard: withoutBound,
  });
}

/** The value for the one type that is given. */
function oneOf(byType: Given, name: string): unknown {
  const [value, ...others] = Object.values(byType).filter((each) => each !== undefined && each !== null);
  if (value !== undefined && others.length === 0) return value;
  throw apiError('InvalidInput', `'${name}' has exactly one of ${Object.keys(ranges).join(', ')}.`);
}

function exactOf(given: Given): Given {
  const { value, ...others } = withoutBound(given);
  return Array.isArray(value) ? { ...others, values: value } : { ...others, value };
}

/** The type has a lower bound, for which there is no use in what compares with a value. */
function withoutBound({ gte, ...given }: Given): Given {
  if (gte === undefined || gte === null) return given;
  throw apiError('InvalidInput', `'gte' stands beside 'value'. Bounds are given with 'range'.`);
}

function withFilter(given: Given): Given {
  return mapped(given, { filter: queryOf });
}

/** Buckets are sorted from the largest without a word of it. */
function distinctOf(given: Given): Given {
  return mapped(withFilter(given), { sort: ({ by, order }) => ({ by, order: order ?? 'desc' }) });
}

function rangesOf(given: Given): Given {
  return mapped(withFilter(given), { ranges: (byType) => oneOf(byType, 'ranges') });
}
