import { apiError } from '../errors/api-error.ts';
import {
  defaulted,
  type FieldKind,
  optional,
  plainInput,
  plainOutput,
  refined,
  sameSchema,
  type ValueOf,
} from '../fields/field.ts';
import { list } from '../fields/list.ts';
import { isObject } from '../fields/object.ts';
import { describe, type Parsing } from '../fields/parsing.ts';
import { boolean, isLocale, localePattern } from '../fields/scalar.ts';
import { bounded, atMost } from './bounded.ts';
import { type Expression, type FullTextTest, speaksOfVariants, unweighted } from './condition.ts';
import { type ProjectionFacet, parseFacet } from './facet.ts';
import { type Filter, parseFilter } from './filter.ts';
import type { IndexQuery, SelectedPrices } from './index-query.ts';
import { parsedText } from './parsed-text.ts';
import { isSamePath } from './path.ts';
import { categories, categoriesSubTree } from './projection-paths.ts';
import { byScore, parseSort, type Sort } from './sort.ts';
import { fuzzyLevelOf, wordsMax, wordsOf } from './words.ts';

/** Of each sort in one request; `found` are results of which a page begins among the first. */
const limits = { filters: 200, facets: 100, sorts: 20, texts: 20, page: 500, offset: 10_000 };

type Texts = Readonly<Record<string, readonly string[]>>;

/** As many filters as one parameter takes. */
export function searchFilters(kind: FieldKind<Filter>): FieldKind<Filter[]> {
  return atMost(limits.filters, list(kind));
}

/** As many facets as one request takes, each with a key of its own. */
export function searchFacets(kind: FieldKind<ProjectionFacet>): FieldKind<ProjectionFacet[]> {
  return refined(atMost(limits.facets, list(kind)), withKeys);
}

const filters = defaulted(
  searchFilters(parsedText(parseFilter, { format: 'search-filter', examples: ['key:"lamp"'] })),
  () => [],
);

/**
 * The parameters of projection search that say what is looked for (catalog 58). Those that say how products show, such as
 * price selection, are the projection's own.
 */
export const searchParameters = {
  text: defaulted(textsByLocale(), () => ({})),
  fuzzy: defaulted(boolean(), () => false),
  fuzzyLevel: optional(bounded({ min: 0, max: 2 })),
  'filter.query': filters,
  filter: filters,
  'filter.facets': filters,
  facet: defaulted(
    searchFacets(parsedText(parseFacet, { format: 'search-facet', examples: ['categories.id'] })),
    () => [],
  ),
  sort: defaulted(
    atMost(limits.sorts, list(parsedText(parseSort, { format: 'search-sort', examples: ['name.en asc'] }))),
    () => [],
  ),
  limit: defaulted(bounded({ min: 0, max: limits.page, default: 20 }), () => 20),
  offset: defaulted(bounded({ min: 0, max: limits.offset, default: 0 }), () => 0),
  markMatchingVariants: defaulted(boolean(), () => false),
};

export type SearchParameters = ValueOf<typeof searchParameters>;

/** What a search of projections asks for. */
export interface ProjectionSearch {
  /** What is looked for; facets count those that meet it. */
  readonly query: Expression;
  /** What of that is found. */
  readonly filter: Expression;
  readonly facets: readonly ProjectionFacet[];
  /** Never empty. */
  readonly sorts: readonly Sort[];
  readonly limit: number;
  readonly offset: number;
  readonly marksMatchingVariants: boolean;
  readonly facetFilters: readonly Filter[];
}

/** Throws InvalidInput for a level of fuzzy search that is too high for each word of the text (catalog 64). */
export function projectionSearch(parameters: SearchParameters): ProjectionSearch {
  const { facet: facets, sort, limit, offset, markMatchingVariants: marksMatchingVariants } = parameters;
  const filters = parameters['filter.query'].map(({ expression }) => unweighted(expression));
  return {
    query: { kind: 'all', operands: [...fullTexts(parameters), ...filters] },
    filter: { kind: 'all', operands: parameters.filter.map(({ expression }) => expression) },
    facets,
    sorts: sort.length === 0 ? [byScore] : sort,
    limit,
    offset,
    marksMatchingVariants,
    facetFilters: parameters['filter.facets'],
  };
}

/** What an index of products is asked. */
export function projectionIndexQuery(
  search: ProjectionSearch,
  { staged }: { readonly staged: boolean },
  prices: SelectedPrices | undefined,
): IndexQuery {
  const { query, filter, facets, facetFilters, sorts, offset, limit, marksMatchingVariants } = search;
  const found = foundBy(search);
  return {
    side: staged ? 'staged' : 'current',
    query,
    // One variant meets both (catalog 61).
    narrowedBy: speaksOfVariants(filter) ? found : filter,
    facets: facets.map((facet) => ({
      language: 'projection',
      facet,
      counted: facetFilters.length === 0 ? undefined : countedBy(search, facet),
    })),
    sorts,
    offset,
    limit,
    matching: marksMatchingVariants ? found : undefined,
    prices,
  };
}

/** What products meet that are found. Judged at a variant it says which of them match (catalog 61, 62). */
export function foundBy({ query, filter }: ProjectionSearch): Expression {
  return { kind: 'all', operands: [query, filter] };
}

/** What products meet that a facet counts: filters of facets hold, but not for the facet of their own path (catalog 62). */
function countedBy({ query, facetFilters }: ProjectionSearch, { path }: ProjectionFacet): Expression {
  const own = isSamePath(path, categoriesSubTree) ? categories : path;
  const others = facetFilters.filter((filter) => !isSamePath(filter.path, own));
  return { kind: 'all', operands: [query, ...others.map(({ expression }) => expression)] };
}

/** All words of all texts have to occur. A text without a word says nothing. */
function fullTexts({ text, fuzzy, fuzzyLevel }: SearchParameters): readonly FullTextTest[] {
  return Object.entries(text)
    .flatMap(([locale, texts]) => texts.map((each) => ({ locale, words: wordsOf(each) })))
    .filter(({ words }) => words.length > 0)
    .map(({ locale, words }) => {
      if (fuzzy) requireFuzzyLevel(fuzzyLevel, locale, words);
      const distanceOf = (word: string): number => (fuzzy ? Math.min(fuzzyLevelOf(word), fuzzyLevel ?? 2) : 0);
      return { kind: 'fullText', locale, words: words.map((word) => ({ text: word, distanceMax: distanceOf(word) })) };
    });
}

function requireFuzzyLevel(level = 0, locale: string, words: readonly string[]): void {
  const longest = words.reduce((one, other) => (fuzzyLevelOf(other) > fuzzyLevelOf(one) ? other : one));
  const most = fuzzyLevelOf(longest);
  if (level > most)
    throw apiError(
      'InvalidInput',
      `Malformed parameter: fuzzyLevel: it is ${level}, but ${describe(longest)} in text.${locale} allows at most ${most}, and no other word more.`,
    );
}

/** Results go by the keys of their facets; the same facet twice has one result. */
function withKeys(facets: ProjectionFacet[], parsing: Parsing): ProjectionFacet[] | undefined {
  const byKey = new Map<string, string>();
  const different = facets.filter((facet) => {
    const said = JSON.stringify(facet);
    const before = byKey.get(facet.key);
    byKey.set(facet.key, said);
    if (before !== undefined && before !== said)
      parsing.fault('InvalidInput', () => `Two facets have the name '${facet.key}'. Name one of them with 'as'.`);
    return before === undefined;
  });
  return different;
}

/** `text.en`, as texts by locale; a locale can come several times. */
function textsByLocale(): FieldKind<Texts> {
  return {
    parse: parseTexts,
    shape: { class: 'dynamic' },
    output: plainOutput('Json'),
    input: plainInput('Json'),
    schema: sameSchema({
      type: 'object',
      propertyNames: { pattern: localePattern },
      additionalProperties: { type: 'array', items: { type: 'string' }, maxItems: limits.texts },
    }),
    examples: [{ en: ['lamp'] }],
  };
}

function parseTexts(input: unknown, parsing: Parsing): Texts | undefined {
  if (!isObject(input)) return parsing.wrongType('texts by locale', input);
  const start = parsing.faultCount;
  const texts: Record<string, readonly string[]> = Object.create(null);
  let count = 0;
  for (const [locale, given] of Object.entries(input)) {
    const since = parsing.faultCount;
    const each: readonly unknown[] = Array.isArray(given) ? given : [given];
    count += each.length;
    if (!isLocale(locale)) parsing.fault('InvalidInput', (field) => `The parameter '${field}' ends in no locale.`);
    for (const text of each) checkText(text, parsing);
    parsing.within(locale, since);
    // All are texts, or a fault was recorded.
    texts[locale] = each as readonly string[];
  }
  if (count > limits.texts) parsing.fault('InvalidInput', () => `More than ${limits.texts} texts are looked for.`);
  return parsing.faultCount === start ? texts : undefined;
}

/** Characters of one text that is looked for. */
const textLengthMax = 1000;

function checkText(text: unknown, parsing: Parsing): void {
  if (typeof text !== 'string') parsing.wrongType('a text', text);
  else if (text.length > textLengthMax || wordsOf(text).length > wordsMax)
    parsing.fault(
      'InvalidInput',
      (field) =>
        `The parameter '${field}' has more than ${textLengthMax} characters or ${wordsMax} words: ${describe(text)}.`,
    );
}
