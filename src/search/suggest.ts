import { type ErrorElement, throwAll } from '../errors/api-error.ts';
import type { Requester } from '../engine/context.ts';
import { claimsOf, FairQueue, type FairQueueLimits, type SharesMax } from '../engine/fair-queue.ts';
import { suggestLimits, type Suggester, type Suggestions, type SuggestRequest } from '../engine/suggester.ts';
import { decode, encode, encodedPointsMax, firstPoints } from './encoding.ts';
import { fold, fuzzyLevel, prefixDistance } from './fold.ts';
import { connectionsMax, createSearchEngine, type FoundDocument, type SearchEngine } from './search-engine.ts';
import {
  attributeLocale,
  keywordIndexName,
  lexiconIndexName,
  lexiconPoints,
  lexiconSlices,
  lexiconValuesMax,
} from './suggest-indexes.ts';

const inputLengthMax = 1000;
/** Questions to the search engine: those that run have a connection each. One input takes several. */
const questionsMax: SharesMax = { ofClient: 500, ofProject: 750 };
const questionsLimits: FairQueueLimits = {
  runningMax: connectionsMax,
  waitingMax: 2000,
  refusal: 'Too many suggestions are asked for.',
};
/** Code points of an input that the lexicon is asked with; longer inputs are verified on the candidates. */
const fuzzyPoints = 14;
/** Texts looked at for inputs that the indexes cannot decide alone. */
const verifiedMax = 1000;

const LOCALE = /^[a-z]{2}(-[A-Z]{2})?$/;

/** A question about one locale of one project. */
interface Question {
  readonly project: string;
  readonly attribute: string;
  readonly lexiconAttribute: string;
  /** Folded. */
  readonly input: string;
  readonly limit: number;
}

type Engine = Omit<SearchEngine, 'close'>;

export function createSuggester(options: { readonly url: string; readonly key: string | undefined }): Suggester {
  const engine = createSearchEngine(options);
  const questions = new FairQueue(questionsLimits);
  /** Inputs that requests have asked for. */
  const asked = new WeakMap<Requester, number>();

  /** Each question waits for its turn in the name of who asks it. */
  function engineFor(requester: Requester): Engine {
    const claims = claimsOf(requester, questionsMax);
    return {
      documents: (query) => questions.run(claims, () => engine.documents(query)),
      documentsTogether: (query) => questions.run(claims, () => engine.documentsTogether(query)),
      facetValues: (query) => questions.run(claims, () => engine.facetValues(query)),
    };
  }

  return {
    suggest: async (request) => {
      const inputs = [...request.searchKeywords.values()].reduce((sum, { length }) => sum + length, 0);
      const before = asked.get(request.request) ?? 0;
      asked.set(request.request, before + inputs);
      return suggest(engineFor(request.request), request, before);
    },
    close: () => engine.close(),
  };
}

/** `before` are the inputs that the request has asked for already. */
async function suggest(engine: Engine, request: SuggestRequest, before: number): Promise<Suggestions> {
  const limit = checkedLimit(request, before);
  const locales = [...request.searchKeywords.keys()];
  const texts = await Promise.all(
    locales.map(async (locale) => {
      const name = attributeLocale(locale);
      const inputs = [...new Set(request.searchKeywords.get(locale)!.map(fold))];
      const answers = await Promise.all(
        inputs.map((input) => {
          const question = {
            project: request.request.project.key,
            attribute: `${request.isStaged ? 's' : 'c'}_${name}`,
            lexiconAttribute: `f_${name}`,
            input,
            limit,
          };
          return request.isFuzzy ? fuzzyTexts(engine, question) : exactTexts(engine, question);
        }),
      );
      return [...new Set(answers.flat())].slice(0, limit);
    }),
  );
  return new Map(locales.map((locale, index) => [locale, texts[index]!]));
}

/** The limit of a valid request; everything wrong with an invalid one is reported at once. */
function checkedLimit({ searchKeywords, limit = suggestLimits.default }: SuggestRequest, before: number): number {
  const errors: ErrorElement[] = [];
  const refuse = (message: string): void => {
    errors.push({ code: 'InvalidInput', message });
  };
  const inputs = [...searchKeywords.values()].flat();
  if (inputs.length === 0)
    refuse("At least one search keyword is required with its locale, as in 'searchKeywords.en=multi'.");
  if (before + inputs.length > suggestLimits.inputsMax)
    refuse(`At most ${suggestLimits.inputsMax} inputs can be given in one request.`);
  for (const locale of searchKeywords.keys()) {
    if (!LOCALE.test(locale))
      refuse(`'${locale.slice(0, 40)}' in 'searchKeywords.${locale.slice(0, 40)}' is no locale such as en or en-US.`);
  }
  if (inputs.some((input) => fold(input) === '')) refuse('A search keyword is empty.');
  if (inputs.some((input) => input.length > inputLengthMax))
    refuse(`An input has more than ${inputLengthMax} characters.`);
  if (limit < 1 || limit > suggestLimits.max)
    refuse(`The parameter 'limit' is ${limit}, but an integer from 1 to ${suggestLimits.max} is expected.`);
  throwAll(errors);
  return limit;
}

/** Texts with a candidate that starts with the input, in the order of the texts. */
async function exactTexts(engine: Engine, question: Question): Promise<readonly string[]> {
  const { project, attribute, input, limit } = question;
  const encoded = encode(input);
  if ([...encoded].length > encodedPointsMax) return longTexts(engine, question, encoded);
  const found = await engine.documentsTogether({
    index: keywordIndexName(project),
    filter: startsWith(attribute, encoded),
    limit,
    fields: ['t'],
  });
  return found.map(({ t }) => t);
}

/** The index keeps the beginnings of long candidates, so what it finds is verified. */
async function longTexts(
  engine: Engine,
  { project, attribute, limit }: Question,
  encoded: string,
): Promise<readonly string[]> {
  const found = await engine.documents({
    index: keywordIndexName(project),
    filter: startsWith(attribute, firstPoints(encoded, encodedPointsMax)),
    limit: verifiedMax,
    fields: ['t', attribute],
  });
  return found
    .filter((document) => candidatesIn(document, attribute).some((candidate) => candidate.startsWith(encoded)))
    .map(({ t }) => t)
    .slice(0, limit);
}

/** Exact matches first, then texts by their distance. The lexicon only proposes; every text comes from the exact index. */
async function fuzzyTexts(engine: Engine, question: Question): Promise<readonly string[]> {
  const { input, limit } = question;
  const exact = await exactTexts(engine, question);
  const points = [...input];
  const level = fuzzyLevel(points.length);
  if (exact.length >= limit || level === 0) return exact;
  const asked = firstPoints(input, fuzzyPoints);
  const found = new Set(exact);
  const values = await lexiconValues(engine, question, asked);
  await addByDistance(engine, { question, values, level, found });
  if (found.size < limit && values.length >= lexiconValuesMax) {
    const slices = Array.from({ length: lexiconSlices }, (_, slice) =>
      lexiconValues(engine, question, asked, `b = ${slice}`),
    );
    await addByDistance(engine, { question, values: (await Promise.all(slices)).flat(), level, found });
  }
  // The automaton of the search engine misses some matches with a deletion near the end of the input.
  if (found.size < limit && level === 2) {
    const askedPoints = [...asked];
    const variants = [2, 4].map((fromEnd) =>
      askedPoints.filter((_, index) => index !== askedPoints.length - fromEnd).join(''),
    );
    const more = await Promise.all(variants.map((variant) => lexiconValues(engine, question, variant)));
    await addByDistance(engine, { question, values: more.flat(), level, found });
  }
  return [...found].slice(0, limit);
}

async function lexiconValues(
  engine: Engine,
  { project, lexiconAttribute }: Question,
  text: string,
  filter?: string,
): Promise<readonly string[]> {
  const values = await engine.facetValues({
    index: lexiconIndexName(project),
    attribute: lexiconAttribute,
    text: encode(text),
    ...(filter !== undefined && { filter }),
  });
  return values.map(decode);
}

interface Addition {
  readonly question: Question;
  readonly values: readonly string[];
  readonly level: number;
  readonly found: Set<string>;
}

/** Looks up the texts behind the values, nearest first. */
async function addByDistance(engine: Engine, { question, values, level, found }: Addition): Promise<void> {
  const { project, attribute, input, limit } = question;
  const isLong = [...input].length > fuzzyPoints;
  const asked = firstPoints(input, fuzzyPoints);
  for (let distance = 1; distance <= level && found.size < limit; distance += 1) {
    // A long input may be farther away at its beginning than on the whole, and the other way round.
    const near = [...new Set(values)].filter((value) =>
      isLong ? prefixDistance(asked, value, level) <= level : prefixDistance(input, value, level) === distance,
    );
    if (near.length === 0) continue;
    const documents = await engine.documents({
      index: keywordIndexName(project),
      filter: `(${near.map((value) => valueFilter(attribute, value)).join(' OR ')}) AND NOT ${startsWith(attribute, firstPoints(encode(input), encodedPointsMax))}`,
      limit: isLong ? verifiedMax : limit,
      fields: isLong ? ['t', attribute] : ['t'],
    });
    for (const document of documents) {
      const isNear =
        !isLong ||
        candidatesIn(document, attribute).some(
          (candidate) => prefixDistance(input, decode(candidate), level) === distance,
        );
      if (isNear) found.add(document.t);
    }
  }
}

/** The lexicon cuts values, so one of full length stands for all candidates that start with it. */
function valueFilter(attribute: string, value: string): string {
  const encoded = encode(value);
  return [...value].length < lexiconPoints ? `${attribute} = "${encoded}"` : startsWith(attribute, encoded);
}

/** Encoded texts hold no quote and no backslash, so nothing needs escaping. */
function startsWith(attribute: string, encoded: string): string {
  return `${attribute} STARTS WITH "${encoded}"`;
}

function candidatesIn(document: FoundDocument, attribute: string): readonly string[] {
  return (document[attribute] ?? []) as readonly string[];
}
