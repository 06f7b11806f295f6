import { requireScope } from '../auth/scopes.ts';
import { apiError } from '../errors/api-error.ts';
import { type Suggester, suggestLimits } from '../engine/suggester.ts';
import { type OperationDescription, readFailures } from './description.ts';
import { booleanParameter, integerParameter } from './parameters.ts';
import { json } from './response.ts';
import type { ProjectRoute } from './routes.ts';

const keywordPrefix = 'searchKeywords.';
/** Each asks the search engine up to twenty times. */

const stagedScopes = ['view_products'];
const scopes = [...stagedScopes, 'view_published_products'];

const description: OperationDescription = {
  id: 'suggestProductKeywords',
  summary: 'Complete the keywords of products. Staged ones need the scope view_products.',
  tag: 'Product',
  access: scopes,
  parameters: [
    {
      name: 'searchKeywords',
      in: 'query',
      required: true,
      description: 'Beginnings of keywords, each as `searchKeywords.<locale>`.',
      schema: {
        type: 'object',
        patternProperties: { '^searchKeywords\\.': { type: 'array', items: { type: 'string' } } },
      },
    },
    { name: 'fuzzy', in: 'query', schema: { type: 'boolean', default: false } },
    {
      name: 'limit',
      in: 'query',
      schema: { type: 'integer', minimum: 1, maximum: suggestLimits.max, default: suggestLimits.default },
    },
    { name: 'staged', in: 'query', schema: { type: 'boolean', default: false } },
  ],
  answers: {
    200: {
      title: 'SuggestionResult',
      type: 'object',
      patternProperties: {
        '^searchKeywords\\.': {
          type: 'array',
          items: {
            title: 'Suggestion',
            type: 'object',
            properties: { text: { type: 'string' } },
            required: ['text'],
          },
        },
      },
    },
  },
  failures: [...readFailures, 502],
};

/** `GET /{projectKey}/product-projections/suggest` (specification 4.4). Without a search engine it fails as documented. */
export function suggestRoute(suggester: Suggester | undefined): ProjectRoute {
  return {
    path: 'product-projections/suggest',
    operations: { GET: description },
    handle: async ({ context, parameters }) => {
      const target = { projectKey: context.project.key, storeKey: undefined };
      const isStaged = booleanParameter(parameters, 'staged') ?? false;
      requireScope(context.principal, isStaged ? stagedScopes : scopes, target);
      const status = context.project.settings.searchIndexing?.products?.status ?? 'Deactivated';
      if (status === 'Deactivated')
        throw apiError('SearchDeactivated', 'Product search indexing is not activated for the project.');
      if (suggester === undefined)
        throw apiError('SearchExecutionFailure', 'This server runs without a search engine.');
      if (status === 'Indexing')
        throw apiError('SearchIndexingInProgress', 'The products of the project are being indexed. Try again later.');
      const result = await suggester.suggest({
        project: context.project.key,
        searchKeywords: keywordsOf(parameters),
        isFuzzy: booleanParameter(parameters, 'fuzzy') ?? false,
        limit: integerParameter(parameters, 'limit'),
        isStaged,
      });
      return json(200, JSON.stringify(result));
    },
  };
}

/** Inputs by locale; a locale may have several. */
function keywordsOf(parameters: URLSearchParams): ReadonlyMap<string, readonly string[]> {
  const names = [...new Set(parameters.keys())].filter((name) => name.startsWith(keywordPrefix));
  const inputs = new Map(names.map((name) => [name.slice(keywordPrefix.length), parameters.getAll(name)]));
  if ([...inputs.values()].flat().length > suggestLimits.inputsMax)
    throw apiError('InvalidInput', `At most ${suggestLimits.inputsMax} inputs can be given.`);
  return inputs;
}
