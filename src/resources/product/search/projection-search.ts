/** Search of projections (catalog 58 to 65), as REST has it. */
import { endpoint } from '../../../engine/endpoint.ts';
import { commaSeparated, concat, type Json } from '../../../engine/json.ts';
import type { Engine } from '../../../engine/resource.ts';
import { optional, plainOutput, type ValueOf } from '../../../fields/field.ts';
import { list } from '../../../fields/list.ts';
import { text } from '../../../fields/scalar.ts';
import type { FacetResult } from '../../../product-search/facet-results.ts';
import {
  projectionIndexQuery,
  type ProjectionSearch,
  projectionSearch,
  searchParameters,
} from '../../../product-search/projection-search.ts';
import { type ProjectionParameters, projectionParameters } from '../projection.ts';
import { projectionSearchSchema } from './answer-schemas.ts';
import {
  type Asking,
  type FoundProjection,
  foundProjections,
  requireAllowed,
  selectedPrices,
} from './found-projections.ts';
import { keepShortly, requireProjectionSearcher } from './readiness.ts';

/** Attributes are not picked in what is found. */
const { 'filter[attributes]': _, ...shownParameters } = projectionParameters;

const parameters = { ...searchParameters, ...shownParameters, expand: optional(list(text(['productType']))) };

const common = {
  path: '/product-projections/search',
  scopes: ['view_products', 'view_published_products'],
  parameters,
  answer: { output: plainOutput('Json'), schema: projectionSearchSchema },
  failures: ['SearchExecutionFailure', 'ResourceNotFound'],
  run: async (engine: Engine, { parameters: given, ...asking }: Asking & { parameters: ValueOf<typeof parameters> }) =>
    pageJson(await searchProjections(engine, asking, { ...searchedBy(given), pricedAt: asking.context.now })),
} as const;

/** In place of the form, for what fits in a URL. */
export const searchByQuery = endpoint({
  ...common,
  summary: 'Search products as projections. Staged ones are shown to those alone who may view all products.',
});

export const searchByForm = endpoint({
  ...common,
  method: 'POST',
  takesForm: true,
  summary: 'Search products as projections, with parameters that are sent as a form.',
});

/** What is searched, and how what is found shows. */
export interface ProjectionsAsked {
  readonly search: ProjectionSearch;
  readonly shownBy: ProjectionParameters;
  readonly expand: readonly string[];
  /** The moment at which prices are selected. */
  readonly pricedAt: string;
}

function searchedBy(given: ValueOf<typeof parameters>): Omit<ProjectionsAsked, 'pricedAt'> {
  const { expand = [] } = given;
  const shownBy = Object.fromEntries(Object.entries(given).filter(([name]) => Object.hasOwn(shownParameters, name)));
  // These are the members that the parameters of projections have parsed.
  return { search: projectionSearch(given), shownBy: shownBy as ProjectionParameters, expand };
}

export interface FoundPage extends Pick<ProjectionSearch, 'limit' | 'offset'> {
  readonly total: number;
  readonly shown: readonly FoundProjection[];
  /** By their keys. */
  readonly facets: Readonly<Record<string, FacetResult>>;
}

export async function searchProjections(engine: Engine, asking: Asking, asked: ProjectionsAsked): Promise<FoundPage> {
  const { context } = asking;
  const { search, shownBy } = asked;
  requireAllowed(asking, { ...shownBy });
  const searcher = requireProjectionSearcher(engine.searcher, context.project.settings);
  keepShortly(engine);
  const prices = await selectedPrices(engine, context, asked);
  const { total, results, facets } = await searcher.search(context, projectionIndexQuery(search, shownBy, prices));
  const shown = await foundProjections(engine, asking, { ...asked, results });
  // Facets of projection search have results of this form.
  const byKey = search.facets.map(({ key }, index) => [key, facets[index] as FacetResult] as const);
  const { limit, offset } = search;
  return { limit, offset, total, shown, facets: Object.fromEntries(byKey) };
}

function pageJson({ limit, offset, total, shown, facets }: FoundPage): Json {
  return concat([
    `{"limit":${limit},"offset":${offset},"count":${shown.length},"total":${total},"results":[`,
    ...commaSeparated(shown.map(({ json }) => json)),
    `],"facets":${JSON.stringify(facets)}}`,
  ]);
}
