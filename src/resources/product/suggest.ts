import { requireViewOfAll } from '../../engine/access.ts';
import type { AnswerKind } from '../../engine/resource.ts';
import { endpoint } from '../../engine/endpoint.ts';
import { suggestLimits } from '../../engine/suggester.ts';
import {
  defaulted,
  type FieldKind,
  optional,
  type OutputField,
  type OutputType,
  plainInput,
  plainOutput,
  required,
  sameSchema,
} from '../../fields/field.ts';
import { integer } from '../../fields/scalar.ts';
import { isObject } from '../../fields/object.ts';
import { fuzzy, showsStaged } from './parameters.ts';
import { keepShortly, requireProjectionSearch } from './search/readiness.ts';

type Inputs = Readonly<Record<string, readonly string[]>>;

const inputSchema = { type: 'object', additionalProperties: { type: 'array', items: { type: 'string' } } };

/** Beginnings of keywords by locale. What is wrong with them is told with what is wrong with the limit. */
function suggestInputs(): FieldKind<Inputs> {
  return {
    parse: (input, parsing) => (isInputs(input) ? input : parsing.wrongType('lists of texts by locale', input)),
    shape: { class: 'dynamic' },
    output: plainOutput('Json'),
    input: {
      type: '[SearchKeywordArgument!]',
      read: readInputs,
      types: () => [
        {
          name: 'SearchKeywordArgument',
          fields: [
            { name: 'locale', type: 'Locale!' },
            { name: 'searchKeyword', type: 'String!' },
          ],
        },
      ],
    },
    schema: sameSchema(inputSchema),
    examples: [{ en: ['multi'] }],
  };
}

function isInputs(input: unknown): input is Inputs {
  return isObject(input) && Object.values(input).every((texts) => Array.isArray(texts));
}

/** The schema has typed the list. A locale may come several times. */
function readInputs(given: unknown): Inputs {
  const inputs = new Map<string, string[]>();
  for (const { locale, searchKeyword } of given as readonly { locale: string; searchKeyword: string }[]) {
    const texts = inputs.get(locale);
    if (texts === undefined) inputs.set(locale, [searchKeyword]);
    else texts.push(searchKeyword);
  }
  return Object.fromEntries(inputs);
}

const prefix = 'searchKeywords.';

/** Suggestions as REST has them, `searchKeywords.<locale>` (specification 2.6), and as GraphQL has. */
function suggestionResult(): AnswerKind {
  const texts: OutputField[] = [{ name: 'text', type: 'String!', complexity: 1, read: (parent) => parent['text'] }];
  const entry: OutputField[] = [
    { name: 'locale', type: 'Locale!', complexity: 1, read: (parent) => parent['locale'] },
    { name: 'suggestions', type: '[Suggestion!]!', complexity: 1, read: (parent) => parent['suggestions'] },
  ];
  const result: OutputField[] = [
    {
      name: 'searchKeywords',
      type: '[SuggestResultEntry!]!',
      complexity: 1,
      read: (parent) =>
        Object.entries(parent).map(([name, suggestions]) => ({ locale: name.slice(prefix.length), suggestions })),
    },
  ];
  const types = (): readonly OutputType[] => [
    { type: 'object', object: { name: 'SuggestResult', fields: result } },
    { type: 'object', object: { name: 'SuggestResultEntry', fields: entry } },
    { type: 'object', object: { name: 'Suggestion', fields: texts } },
  ];
  return {
    output: plainOutput('SuggestResult', 1, types),
    schema: sameSchema({
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
    }),
  };
}

const limit: FieldKind<number> = {
  ...integer({ type: 'Int' }),
  input: plainInput(`Int = ${suggestLimits.default}`),
  schema: sameSchema({ type: 'integer', minimum: 1, maximum: suggestLimits.max, default: suggestLimits.default }),
};

/** Completes the keywords of products (specification 4.4). Without a search engine it fails as documented. */
export const suggest = endpoint({
  path: '/product-projections/suggest',
  scopes: ['view_products', 'view_published_products'],
  parameters: {
    searchKeywords: required(suggestInputs()),
    fuzzy: defaulted(fuzzy, () => false),
    limit: optional(limit),
    staged: defaulted(showsStaged, () => false),
  },
  answer: suggestionResult(),
  summary: 'Complete the keywords of products. Staged ones are shown to those alone who may view all products.',
  failures: ['SearchExecutionFailure'],
  query: {
    name: 'productProjectionsSuggest',
    args: { searchKeywords: 'searchKeywords', fuzzy: 'fuzzy', limit: 'limit', staged: 'staged' },
  },
  run: async (engine, { context, resource, parameters }) => {
    if (parameters.staged) requireViewOfAll(context, resource);
    keepShortly(engine);
    const suggestions = await requireProjectionSearch(engine.suggester, context.project.settings).suggest({
      request: context,
      searchKeywords: new Map(Object.entries(parameters.searchKeywords)),
      isFuzzy: parameters.fuzzy,
      limit: parameters.limit,
      isStaged: parameters.staged,
    });
    const entries = [...suggestions].map(([locale, texts]) => [prefix + locale, texts.map((text) => ({ text }))]);
    return JSON.stringify(Object.fromEntries(entries));
  },
});
