/** Search of products as GraphQL asks for it. */
import { graphqlQuery } from '../../../engine/endpoint.ts';
import type { Json } from '../../../engine/json.ts';
import { documentOf } from '../../../engine/json.ts';
import type { Engine } from '../../../engine/resource.ts';
import {
  defaulted,
  expansionComplexity,
  type FieldKind,
  type Input,
  optional,
  type OutputType,
  plainInput,
} from '../../../fields/field.ts';
import { productSearch, productSearchFields } from '../../../product-search/products-search.ts';
import { markedProduct, type MatchingVariants } from '../matching-variants.ts';
import type { Asking } from './found-projections.ts';
import { plainFields, plainObject } from './plain-types.ts';
import { facetInput, queryInput, sortingInput } from './products-search-inputs.ts';
import { searchProducts } from './products-search.ts';

function givenAs<Value>(kind: FieldKind<Value>, input: Input): FieldKind<Value> {
  return { ...kind, input };
}

/** `input` is that of an element. */
function listGivenAs<Value>(kind: FieldKind<Value>, { type, types, read }: Input): FieldKind<Value> {
  return givenAs(kind, { type: `[${type}!]`, types, read: (given) => (given as readonly unknown[]).map(read!) });
}

const { query, postFilter, sort, limit, offset, markMatchingVariants, facets } = productSearchFields;
const integer = plainInput('Int');

const parameters = {
  query: optional(givenAs(query.kind, queryInput)),
  postFilter: optional(givenAs(postFilter.kind, queryInput)),
  sort: defaulted(listGivenAs(sort.kind, sortingInput), () => []),
  limit: { ...limit, kind: givenAs(limit.kind, integer) },
  offset: { ...offset, kind: givenAs(offset.kind, integer) },
  markMatchingVariants,
  facets: defaulted(listGivenAs(facets.kind, facetInput), () => []),
};

interface Page {
  readonly results: readonly { readonly id: string }[];
}

/** Products that have gone since are left out, for each result has a product. */
async function withProducts(engine: Engine, { context, resource }: Asking, json: Json): Promise<Page> {
  const page = documentOf<Page>(json);
  const lookups = page.results.map(({ id }) => ({ kind: resource.kind, id }));
  const found = lookups.length === 0 ? [] : await engine.store.find(context.project.key, lookups);
  return { ...page, results: page.results.filter((_, index) => found[index] !== undefined) };
}

const name = { name: 'String!' };

const facetResult: OutputType = {
  type: 'interface',
  name: 'ProductSearchFacetResult',
  fields: plainFields(name),
  formOf: (value) => ('buckets' in value ? 'buckets' : 'value' in value ? 'count' : 'stats'),
  members: {
    buckets: plainObject('ProductSearchFacetResultBucket', {
      ...name,
      buckets: '[ProductSearchFacetResultBucketEntry!]!',
    }),
    count: plainObject('ProductSearchFacetResultCount', { ...name, value: 'Long!' }),
    stats: plainObject('ProductSearchFacetResultStats', {
      ...name,
      min: 'Json',
      max: 'Json',
      mean: 'Json',
      sum: 'Json',
      count: 'Long!',
    }),
  },
};

const objects = [
  plainObject('ProductPagedSearchResponse', {
    total: 'Long!',
    offset: 'Int',
    limit: 'Int',
    results: '[ProductSearchResult!]!',
    facets: '[ProductSearchFacetResult!]!',
  }),
  plainObject('ProductSearchResult', { id: 'String!' }, [
    {
      name: 'product',
      type: 'Product!',
      complexity: expansionComplexity,
      read: () => undefined,
      looksUp: async ({ id, matchingVariants }, _, lookups) => {
        const product = await lookups.one('product', id as string);
        // As the search has answered.
        return product && matchingVariants !== undefined
          ? markedProduct(product, matchingVariants as MatchingVariants)
          : product;
      },
    },
  ]),
  plainObject('ProductSearchFacetResultBucketEntry', { key: 'String!', count: 'Int!' }),
];

export const productsSearch = graphqlQuery({
  name: 'productsSearch',
  isSearch: true,
  scopes: ['view_published_products'],
  arguments: parameters,
  type: 'ProductPagedSearchResponse',
  types: () => [facetResult, ...objects.map((object) => ({ type: 'object', object }) as const)],
  run: async (engine, { parameters: given, ...asking }) =>
    withProducts(engine, asking, await searchProducts(engine, asking, productSearch(given))),
});
