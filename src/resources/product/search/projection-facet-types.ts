/** The GraphQL types of facets of a search of projections, which are read from what REST answers. */
import type { OutputField, OutputType } from '../../../fields/field.ts';
import { dataTypeOf, type FacetRange } from '../../../product-search/facet-results.ts';
import { plainFields, plainObject } from './plain-types.ts';

const type = { type: 'String!' };

/** Moments, days and times are counted in milliseconds, so they are whole numbers. */
function typeOfRange({ fromStr, toStr }: Pick<FacetRange, 'fromStr' | 'toStr'>): string {
  const end = fromStr === '' ? toStr : fromStr;
  return end === '' || Number.isFinite(Number(end)) ? 'number' : dataTypeOf({ class: 'any' }, [end]);
}

const totalCount: OutputField = {
  name: 'totalCount',
  type: 'Int!',
  complexity: 1,
  read: (parent) => parent['count'],
};

function rangeCount(number: 'Float!' | 'Long!'): readonly OutputField[] {
  const counts = { count: 'Int!', productCount: 'Int' };
  const values = { total: number, min: number, max: number, mean: 'Float!' };
  return [
    ...plainFields({ from: number, fromStr: 'String!', to: number, toStr: 'String!', ...counts, ...values, ...type }),
    totalCount,
  ];
}

const range: OutputType = {
  type: 'interface',
  name: 'RangeCount',
  fields: plainFields(type),
  formOf: ({ type: tag }) => (tag === 'number' ? 'double' : 'long'),
  members: {
    double: { name: 'RangeCountDouble', fields: rangeCount('Float!') },
    long: { name: 'RangeCountLong', fields: rangeCount('Long!') },
  },
};

/** Values were counted by the facet, so its ranges are here. */
function rangesOf(parent: Readonly<Record<string, unknown>>): readonly FacetRange[] {
  return parent['ranges'] as readonly FacetRange[];
}

const rangeFields: readonly OutputField[] = [
  {
    name: 'dataType',
    type: 'String!',
    complexity: 1,
    // Ranges of one facet are between values of one type; those without an end could be of any.
    read: (parent) =>
      rangesOf(parent)
        .map(typeOfRange)
        .find((each) => each !== 'number') ?? 'number',
  },
  {
    name: 'ranges',
    type: '[RangeCount!]!',
    complexity: 1,
    read: (parent) => rangesOf(parent).map((each) => ({ ...each, type: typeOfRange(each) })),
  },
  ...plainFields(type),
];

const result: OutputType = {
  type: 'interface',
  name: 'FacetResult',
  fields: plainFields(type),
  formOf: ({ type: tag }) => String(tag),
  members: {
    terms: plainObject('TermsFacetResult', {
      dataType: 'String!',
      missing: 'Int!',
      total: 'Int!',
      other: 'Int!',
      terms: '[TermCount!]!',
      ...type,
    }),
    range: { name: 'RangeFacetResult', fields: rangeFields },
    filter: plainObject('ValueFacetResult', { count: 'Int!', productCount: 'Int', ...type }),
  },
};

/** What `ProductProjectionSearchResult` has of facets. */
export const facetsField: OutputField = {
  name: 'facets',
  type: '[FacetResultValue!]!',
  complexity: 1,
  read: (parent) => Object.entries((parent['facets'] ?? {}) as object).map(([facet, value]) => ({ facet, value })),
};

export const facetTypes: readonly OutputType[] = [
  { type: 'object', object: plainObject('FacetResultValue', { facet: 'String!', value: 'FacetResult!' }) },
  { type: 'object', object: plainObject('TermCount', { term: 'String!', count: 'Int!', productCount: 'Int' }) },
  result,
  range,
];
