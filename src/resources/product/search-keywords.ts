import {
  type FieldKind,
  type JsonSchema,
  namedSchema,
  type OutputField,
  type OutputType,
  optional,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localesMax } from '../../fields/localized-string.ts';
import { isObject, object } from '../../fields/object.ts';
import { oneOf } from '../../fields/one-of.ts';
import type { Parsing } from '../../fields/parsing.ts';
import { isLocale, localePattern, text } from '../../fields/scalar.ts';

const suggestTokenizer = oneOf(
  'SuggestTokenizer',
  {
    whitespace: { typeName: 'WhitespaceSuggestTokenizer', fields: {}, input: 'WhitespaceSuggestTokenizerInput' },
    custom: {
      typeName: 'CustomSuggestTokenizer',
      fields: { inputs: required(list(text())) },
      input: 'CustomSuggestTokenizerInput',
    },
  },
  { input: 'BaseSearchKeywordInput' },
);

const searchKeywordFields = {
  text: required(text(['Multi tool'])),
  suggestTokenizer: optional(suggestTokenizer),
};

const keywords = list(object('SearchKeyword', searchKeywordFields, { input: 'SearchKeywordItemInput' }));

/** Keywords by locale (specification 2.6). */
export interface SearchKeywords {
  [locale: string]: ValueOf<typeof searchKeywordFields>[];
}

const byLocale: readonly OutputField[] = [
  { name: 'locale', type: 'Locale!', complexity: 1, read: (parent) => parent['locale'] },
  { name: 'searchKeywords', type: '[SearchKeyword!]!', complexity: 1, read: (parent) => parent['searchKeywords'] },
];

const types = (): readonly OutputType[] => [
  { type: 'object', object: { name: 'SearchKeywords', fields: byLocale } },
  ...keywords.output.types(),
];

export function searchKeywords(): FieldKind<SearchKeywords> {
  return {
    parse: parseSearchKeywords,
    shape: { class: 'dynamic' },
    output: {
      item: '[SearchKeywords!]',
      types,
      fields: (name) => [
        {
          name: 'searchKeyword',
          type: '[SearchKeyword!]',
          args: { locale: 'Locale!' },
          complexity: 1,
          read: (parent, { locale }) => {
            const all = keywordsIn(parent, name);
            return Object.hasOwn(all, String(locale)) ? all[String(locale)] : undefined;
          },
        },
        {
          name,
          type: '[SearchKeywords!]!',
          complexity: 1,
          read: (parent) =>
            Object.entries(keywordsIn(parent, name)).map(([locale, values]) => ({
              locale,
              searchKeywords: values,
            })),
        },
      ],
    },
    input: {
      type: '[SearchKeywordInput!]',
      types: () => [
        {
          name: 'SearchKeywordInput',
          fields: [
            { name: 'locale', type: 'Locale!' },
            { name: 'keywords', type: `${keywords.input!.type}!` },
          ],
        },
        ...keywords.input!.types(),
      ],
      read: (given) => {
        // The schema has typed the list; of two for one locale the last counts.
        const items = given as readonly { locale: string; keywords: unknown }[];
        return Object.fromEntries(
          items.map(({ locale, keywords: values }) => [locale, keywords.input!.read?.(values) ?? values]),
        );
      },
    },
    schema: namedSchema('SearchKeywords', {
      draft: schemaOf(keywords.schema.draft),
      value: schemaOf(keywords.schema.value),
    }),
    examples: [{ en: [{ text: 'Multi tool', suggestTokenizer: { type: 'whitespace' } }] }],
  };
}

/** Stored values were parsed by this kind. */
function keywordsIn(parent: Readonly<Record<string, unknown>>, name: string): SearchKeywords {
  return (parent[name] ?? {}) as SearchKeywords;
}

function schemaOf(values: JsonSchema): JsonSchema {
  return {
    type: 'object',
    propertyNames: { pattern: localePattern },
    additionalProperties: values,
    maxProperties: localesMax,
  };
}

function parseSearchKeywords(input: unknown, parsing: Parsing): SearchKeywords | undefined {
  if (!isObject(input)) return parsing.wrongType('an object of locales and keywords', input);
  const entries = Object.entries(input);
  if (entries.length > localesMax)
    return parsing.wrongValue(entries.length, `an object of at most ${localesMax} locales`);
  const value: SearchKeywords = {};
  for (const [locale, given] of entries) {
    if (!isLocale(locale)) return parsing.wrongValue(locale, 'a locale such as en or en-US as the name of each member');
    const since = parsing.faultCount;
    const parsed = keywords.parse(given, parsing);
    parsing.within(locale, since);
    if (parsed !== undefined) value[locale] = parsed;
  }
  return value;
}
