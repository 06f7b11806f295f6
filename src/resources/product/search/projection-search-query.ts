/** Search of projections as GraphQL asks for it: with filters and facets as texts or by their parts. */
import { graphqlQuery } from '../../../engine/endpoint.ts';
import { sharedDocumentOf } from '../../../engine/json.ts';
import { apiError } from '../../../errors/api-error.ts';
import {
  defaulted,
  type FieldKind,
  type Input,
  noTypes,
  optional,
  type OutputType,
  plainInput,
  plainOutput,
  required,
  sameSchema,
  type ValueOf,
} from '../../../fields/field.ts';
import { object } from '../../../fields/object.ts';
import { Parsing } from '../../../fields/parsing.ts';
import { boolean, country, currency, dateTime, locale, text } from '../../../fields/scalar.ts';
import { parseFacet } from '../../../product-search/facet.ts';
import { parseFilter } from '../../../product-search/filter.ts';
import { type FacetModel, facetOf, type FilterModel, filterOf } from '../../../product-search/models.ts';
import { reported } from '../../../product-search/parsed-text.ts';
import {
  projectionSearch,
  searchFacets,
  searchFilters,
  searchParameters,
} from '../../../product-search/projection-search.ts';
import { projectExpandedProducts } from '../parameters.ts';
import { type ProjectionParameters, projectionParameters } from '../projection.ts';
import { foundTypes } from './found-types.ts';
import { plainInputObject, plainObject } from './plain-types.ts';
import { facetsField, facetTypes } from './projection-facet-types.ts';
import { type ProjectionsAsked, searchProjections } from './projection-search.ts';

interface TextOrModel<Model> {
  readonly string?: string | null;
  readonly model?: Model | null;
}

interface Forms<Model, Value> {
  readonly input: Input;
  parse(text: string): Value;
  make(model: Model): Value;
}

/** A text, or what it says by its parts. The schema has typed them. */
function textOrModel<Model, Value>({ input, parse, make }: Forms<Model, Value>): FieldKind<Value> {
  const read = ({ string, model }: TextOrModel<Model>): Value => {
    if (typeof string === 'string' && !model) return parse(string);
    if (model && typeof string !== 'string') return make(model);
    throw apiError('InvalidInput', "Of 'string' and 'model' exactly one is expected.");
  };
  return {
    parse: (given, parsing) => reported(() => read(given as TextOrModel<Model>), parsing),
    shape: { class: 'dynamic' },
    output: plainOutput('Json'),
    input,
    schema: sameSchema({ type: 'object' }),
    examples: [],
  };
}

const rangeElement = plainInputObject('RangeElementInput', { from: 'String!', to: 'String!' });

const filter = textOrModel({
  input: {
    type: 'SearchFilterInput',
    types: () => [
      plainInputObject('SearchFilterInput', { model: 'SearchFilterModelInput', string: 'String' }),
      plainInputObject('SearchFilterModelInput', {
        value: 'ValueFilterInput',
        range: 'RangeFilterInput',
        missing: 'MissingFilterInput',
        exists: 'ExistsFilterInput',
        tree: 'TreeFilterInput',
      }),
      plainInputObject('ValueFilterInput', { path: 'String!', values: '[String!]!' }),
      plainInputObject('RangeFilterInput', { path: 'String!', ranges: '[RangeElementInput!]!' }),
      plainInputObject('MissingFilterInput', { path: 'String!' }),
      plainInputObject('ExistsFilterInput', { path: 'String!' }),
      plainInputObject('TreeFilterInput', {
        path: 'String!',
        rootValues: '[String!]!',
        subTreeValues: '[String!]!',
      }),
      rangeElement,
    ],
  },
  parse: parseFilter,
  make: (model: FilterModel) => filterOf(model),
});

const facet = textOrModel({
  input: {
    type: 'SearchFacetInput',
    types: () => [
      plainInputObject('SearchFacetInput', { model: 'SearchFacetModelInput', string: 'String' }),
      plainInputObject('SearchFacetModelInput', { terms: 'TermsFacetInput', range: 'RangeFacetInput' }),
      plainInputObject('TermsFacetInput', { path: 'String!', alias: 'String', countProducts: 'Boolean! = false' }),
      plainInputObject('RangeFacetInput', {
        path: 'String!',
        ranges: '[RangeElementInput!]!',
        alias: 'String',
        countProducts: 'Boolean! = false',
      }),
      rangeElement,
    ],
  },
  parse: parseFacet,
  make: (model: FacetModel) => facetOf(model),
});

/** Characters of one argument, with the names of members. */
const lengthMax = 100_000;

/** An argument that is a list, empty by default. */
function argument<Value>(kind: FieldKind<Value[]>): FieldKind<Value[]> {
  const { type, types } = kind.input!;
  return {
    ...kind,
    parse: (input, parsing) => {
      if (JSON.stringify(input).length <= lengthMax) return kind.parse(input, parsing);
      return parsing.fault('InvalidInput', (field) => `'${field}' has more than ${lengthMax} characters.`);
    },
    input: plainInput(`${type} = []`, types),
  };
}

function integer(kind: FieldKind<number>, type: string): FieldKind<number> {
  return { ...kind, input: plainInput(type) };
}

/** A resource by its id; its kind goes without saying. */
const id: FieldKind<string> = {
  ...text(),
  // The schema has typed the reference.
  input: { type: 'ReferenceInput', types: noTypes, read: (given) => (given as { readonly id: string }).id },
};

const priceSelector = object(
  'PriceSelector',
  {
    currency: required(currency()),
    country: optional(country()),
    customerGroup: optional(id),
    channel: optional(id),
    date: optional(dateTime()),
  },
  { input: 'PriceSelectorInput' },
);

const flag: FieldKind<boolean> = { ...boolean(), input: plainInput('Boolean = false') };

const none = (): never[] => [];

const parameters = {
  projectExpandedProducts,
  locale: optional(locale()),
  text: optional(text()),
  facets: defaulted(argument(searchFacets(facet)), none),
  filters: defaulted(argument(searchFilters(filter)), none),
  queryFilters: defaulted(argument(searchFilters(filter)), none),
  facetFilters: defaulted(argument(searchFilters(filter)), none),
  sorts: defaulted(argument(searchParameters.sort.kind), none),
  limit: defaulted(integer(searchParameters.limit.kind, 'Int = 10'), () => 10),
  offset: defaulted(integer(searchParameters.offset.kind, 'Int = 0'), () => 0),
  fuzzy: defaulted(flag, () => false),
  fuzzyLevel: optional(integer(searchParameters.fuzzyLevel.kind, 'Int')),
  priceSelector: optional(priceSelector),
  markMatchingVariants: optional(boolean()),
  /** An earlier name of it. */
  markMatchingVariant: optional(boolean()),
  storeProjection: optional(text()),
  localeProjection: optional(projectionParameters.localeProjection.kind),
  staged: projectionParameters.staged,
};

/** What the arguments of the query ask for; `now` is the moment of the request. */
function askedBy(given: ValueOf<typeof parameters>, now: string): ProjectionsAsked {
  const { facets, filters, queryFilters, facetFilters, sorts, priceSelector: selector, ...others } = given;
  const { limit, offset, fuzzy, fuzzyLevel, staged, storeProjection, localeProjection } = others;
  const search = projectionSearch({
    text: textsOf(given),
    fuzzy,
    ...(fuzzyLevel !== undefined && { fuzzyLevel }),
    facet: facets,
    filter: filters,
    'filter.query': queryFilters,
    'filter.facets': facetFilters,
    sort: sorts,
    limit,
    offset,
    markMatchingVariants: given.markMatchingVariants === true || given.markMatchingVariant === true,
  });
  const shownBy: ProjectionParameters = {
    staged,
    ...(selector !== undefined && selectionOf(selector)),
    ...(storeProjection !== undefined && { storeProjection }),
    ...(localeProjection !== undefined && { localeProjection }),
  };
  return { search, shownBy, expand: [], pricedAt: selector?.date ?? now };
}

type Selector = NonNullable<ValueOf<typeof parameters>['priceSelector']>;

function selectionOf({
  currency: priceCurrency,
  country: priceCountry,
  customerGroup,
  channel,
}: Selector): Partial<ProjectionParameters> {
  return {
    priceCurrency,
    ...(priceCountry !== undefined && { priceCountry }),
    ...(customerGroup !== undefined && { priceCustomerGroup: customerGroup }),
    ...(channel !== undefined && { priceChannel: channel }),
  };
}

/** Throws InvalidInput for a text without a locale, and for one that is too long. */
function textsOf({
  text: given,
  locale: ofText,
}: ValueOf<typeof parameters>): ValueOf<typeof searchParameters>['text'] {
  if (given === undefined) return {};
  if (ofText === undefined)
    throw apiError('InvalidInput', `A text is looked for in a locale, but the argument 'locale' is missing.`);
  const parsing = new Parsing();
  const texts = searchParameters.text.kind.parse({ [ofText]: [given] }, parsing);
  parsing.settle();
  return texts!;
}

const result = plainObject(
  'ProductProjectionSearchResult',
  { offset: 'Int!', count: 'Int!', total: 'Int!', results: '[ProductProjection!]!' },
  [facetsField],
);

const resultType: OutputType = { type: 'object', object: result };

export const productProjectionSearch = graphqlQuery({
  name: 'productProjectionSearch',
  isSearch: true,
  scopes: ['view_products', 'view_published_products'],
  arguments: parameters,
  type: `${result.name}!`,
  types: () => [resultType, ...foundTypes(), ...facetTypes],
  run: async (engine, { parameters: given, ...asking }) => {
    const { shown, ...page } = await searchProjections(engine, asking, askedBy(given, asking.context.now));
    return { ...page, count: shown.length, results: shown.map(({ json }) => sharedDocumentOf(json)) };
  },
});
