import { type JsonSchema, sameSchema, type Schema } from '../../../fields/field.ts';
import { objectSchema } from '../../../fields/object.ts';
import { termsMax } from '../../../product-search/facet-results.ts';
import { productProjection } from '../projection.ts';

const integer: JsonSchema = { type: 'integer' };
const number: JsonSchema = { type: 'number' };
const text: JsonSchema = { type: 'string' };

function type(title: string, properties: Readonly<Record<string, JsonSchema>>, ...optional: string[]): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { title, type: 'object', properties, required };
}

function array(items: JsonSchema): JsonSchema {
  return { type: 'array', items };
}

const projection: JsonSchema = {
  title: productProjection.typeName,
  ...objectSchema(productProjection.fields).value,
};

const counts = { count: integer, productCount: integer };

const range = type(
  'FacetRange',
  {
    from: number,
    fromStr: text,
    to: number,
    toStr: text,
    ...counts,
    total: number,
    min: number,
    max: number,
    mean: number,
  },
  'productCount',
);

const facetResult: JsonSchema = {
  title: 'FacetResult',
  oneOf: [
    type('TermFacetResult', {
      type: { const: 'terms' },
      dataType: { enum: ['text', 'date', 'time', 'datetime', 'boolean', 'number'] },
      missing: integer,
      total: integer,
      other: integer,
      terms: { ...array(type('FacetTerm', { term: text, ...counts }, 'productCount')), maxItems: termsMax },
    }),
    type('RangeFacetResult', { type: { const: 'range' }, ranges: array(range) }),
    type('FilteredFacetResult', { type: { const: 'filter' }, ...counts }, 'productCount'),
  ],
};

/** What a search of projections answers with. */
export const projectionSearchSchema: Schema = sameSchema(
  type(
    'ProductProjectionPagedSearchResponse',
    {
      limit: integer,
      offset: integer,
      count: integer,
      total: integer,
      results: {
        ...array(projection),
        description:
          'With price selection variants have a scopedPrice as well, and with markMatchingVariants those that match an isMatchingVariant.',
      },
      facets: { title: 'FacetResults', type: 'object', additionalProperties: facetResult },
    },
    'facets',
  ),
);

const name = text;
const numberOrText: JsonSchema = { type: ['number', 'string'] };

const productFacetResult: JsonSchema = {
  title: 'ProductSearchFacetResult',
  oneOf: [
    type('ProductSearchFacetResultBucket', {
      name,
      buckets: array(type('ProductSearchFacetResultBucketEntry', { key: text, count: integer })),
    }),
    type('ProductSearchFacetResultCount', { name, value: integer }),
    type(
      'ProductSearchFacetResultStats',
      { name, min: numberOrText, max: numberOrText, mean: number, sum: number, count: integer },
      'min',
      'max',
      'mean',
      'sum',
    ),
  ],
};

const matchingVariants = type('ProductSearchMatchingVariants', {
  allMatched: { type: 'boolean' },
  matchedVariants: array(type('ProductSearchMatchingVariantEntry', { id: integer, sku: text }, 'sku')),
});

/** What a search of products answers with. */
export const productsSearchSchema: Schema = sameSchema(
  type('ProductPagedSearchResponse', {
    total: integer,
    offset: integer,
    limit: integer,
    facets: array(productFacetResult),
    results: array(
      type(
        'ProductSearchResult',
        { id: text, matchingVariants, productProjection: projection },
        'matchingVariants',
        'productProjection',
      ),
    ),
  }),
);
