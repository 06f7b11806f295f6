import { Pool } from 'undici';
import { ApiError, apiError, type ErrorElement } from '../errors/api-error.ts';
import type { Requester } from '../engine/context.ts';
import { claimsOf, FairQueue, type FairQueueLimits, type SharesMax } from '../engine/fair-queue.ts';
import { suggestLimits, type Suggester, type Suggestions, type SuggestRequest } from '../engine/suggester.ts';
import { decode, encode, encodedPointsMax, firstPoints } from './encoding.ts';
import { fold, fuzzyLevel, prefixDistance } from './fold.ts';
import {
  attributeLocale,
  keywordIndexName,
  lexiconIndexName,
  lexiconPoints,
  lexiconSlices,
  lexiconValuesMax,
} from './product-index.ts';

const inputLengthMax = 1000;
const connectionsMax = 32;
const requestMsMax = 1000;
/** Questions to the search engine: those that run have a connection each. One input takes several. */
const questionsMax: SharesMax = { ofClient: 500, ofProject: 750 };
const questionsLimits: FairQueueLimits = {
  runningMax: connectionsMax,
  waitingMax: 2000,
  refusal: 'Too many suggestions are asked for.',
};
/** Equal questions under way that share one answer. */
const sharedMax = 1000;
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

type Ask = (path: string, body: unknown) => Promise<unknown>;

export function createSuggester({ url, key }: { readonly url: string; readonly key: string | undefined }): Suggester {
  const pool = new Pool(url, {
    connections: connectionsMax,
    headersTimeout: requestMsMax,
    bodyTimeout: requestMsMax,
    connect: { timeout: requestMsMax },
  });
  const shared = new Map<string, Promise<unknown>>();
  const questions = new FairQueue(questionsLimits);
  /** Inputs that requests have asked for. */
  const asked = new WeakMap<Requester, number>();
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) };

  async function send(path: string, body: string): Promise<unknown> {
    try {
      const response = await pool.request({
        method: 'POST',
        path,
        headers,
        body,
        signal: AbortSignal.timeout(requestMsMax),
      });
      const answer = await response.body.json();
      if (response.statusCode !== 200)
        throw new Error(`status ${response.statusCode}: ${JSON.stringify(answer).slice(0, 300)}`);
      return answer;
    } catch (error) {
      const failure = apiError('SearchExecutionFailure', 'The search engine did not answer.');
      // For the log; clients hear nothing of what is behind the platform.
      failure.cause = error;
      throw failure;
    }
  }

  /** Questions that are under way are not asked a second time. */
  function ask(path: string, body: unknown): Promise<unknown> {
    const text = JSON.stringify(body);
    const name = `${path} ${text}`;
    const underWay = shared.get(name);
    if (underWay !== undefined) return underWay;
    const answer = send(path, text).finally(() => shared.delete(name));
    if (shared.size < sharedMax) shared.set(name, answer);
    return answer;
  }

  return {
    suggest: async (request) => {
      const inputs = [...request.searchKeywords.values()].reduce((sum, { length }) => sum + length, 0);
      const before = asked.get(request.request) ?? 0;
      asked.set(request.request, before + inputs);
      const claims = claimsOf(request.request, questionsMax);
      return suggest((path, body) => questions.run(claims, () => ask(path, body)), request, before);
    },
    close: () => pool.close(),
  };
}

/** `before` are the inputs that the request has asked for already. */
async function suggest(ask: Ask, request: SuggestRequest, before: number): Promise<Suggestions> {
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
          return request.isFuzzy ? fuzzyTexts(ask, question) : exactTexts(ask, question);
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
  const [first, ...others] = errors;
  if (first !== undefined) throw new ApiError([first, ...others]);
  return limit;
}

/** Texts with a candidate that starts with the input, in the order of the texts. */
async function exactTexts(ask: Ask, question: Question): Promise<readonly string[]> {
  const { project, attribute, input, limit } = question;
  const encoded = encode(input);
  if ([...encoded].length > encodedPointsMax) return longTexts(ask, question, encoded);
  const answer = await ask(`/indexes/${keywordIndexName(project)}/documents/fetch`, {
    filter: startsWith(attribute, encoded),
    limit,
    sort: ['t:asc'],
    fields: ['t'],
  });
  return textsOf(answer);
}

/** The index keeps the beginnings of long candidates, so what it finds is verified. */
async function longTexts(
  ask: Ask,
  { project, attribute, limit }: Question,
  encoded: string,
): Promise<readonly string[]> {
  const answer = await ask(`/indexes/${keywordIndexName(project)}/documents/fetch`, {
    filter: startsWith(attribute, firstPoints(encoded, encodedPointsMax)),
    limit: verifiedMax,
    sort: ['t:asc'],
    fields: ['t', attribute],
  });
  return documentsOf(answer)
    .filter((document) => candidatesIn(document, attribute).some((candidate) => candidate.startsWith(encoded)))
    .map(({ t }) => t)
    .slice(0, limit);
}

/** Exact matches first, then texts by their distance. The lexicon only proposes; every text comes from the exact index. */
async function fuzzyTexts(ask: Ask, question: Question): Promise<readonly string[]> {
  const { input, limit } = question;
  const exact = await exactTexts(ask, question);
  const points = [...input];
  const level = fuzzyLevel(points.length);
  if (exact.length >= limit || level === 0) return exact;
  const asked = firstPoints(input, fuzzyPoints);
  const found = new Set(exact);
  const values = await lexiconValues(ask, question, asked);
  await addByDistance(ask, { question, values, level, found });
  if (found.size < limit && values.length >= lexiconValuesMax) {
    const slices = Array.from({ length: lexiconSlices }, (_, slice) =>
      lexiconValues(ask, question, asked, `b = ${slice}`),
    );
    await addByDistance(ask, { question, values: (await Promise.all(slices)).flat(), level, found });
  }
  // The automaton of the search engine misses some matches with a deletion near the end of the input.
  if (found.size < limit && level === 2) {
    const askedPoints = [...asked];
    const variants = [2, 4].map((fromEnd) =>
      askedPoints.filter((_, index) => index !== askedPoints.length - fromEnd).join(''),
    );
    const more = await Promise.all(variants.map((variant) => lexiconValues(ask, question, variant)));
    await addByDistance(ask, { question, values: more.flat(), level, found });
  }
  return [...found].slice(0, limit);
}

async function lexiconValues(
  ask: Ask,
  { project, lexiconAttribute }: Question,
  text: string,
  filter?: string,
): Promise<readonly string[]> {
  const answer = await ask(`/indexes/${lexiconIndexName(project)}/facet-search`, {
    facetName: lexiconAttribute,
    facetQuery: encode(text),
    ...(filter !== undefined && { filter }),
  });
  // The answer of the search engine's facet search.
  return (answer as { facetHits: readonly { value: string }[] }).facetHits.map(({ value }) => decode(value));
}

interface Addition {
  readonly question: Question;
  readonly values: readonly string[];
  readonly level: number;
  readonly found: Set<string>;
}

/** Looks up the texts behind the values, nearest first. */
async function addByDistance(ask: Ask, { question, values, level, found }: Addition): Promise<void> {
  const { project, attribute, input, limit } = question;
  const isLong = [...input].length > fuzzyPoints;
  const asked = firstPoints(input, fuzzyPoints);
  for (let distance = 1; distance <= level && found.size < limit; distance += 1) {
    // A long input may be farther away at its beginning than on the whole, and the other way round.
    const near = [...new Set(values)].filter((value) =>
      isLong ? prefixDistance(asked, value, level) <= level : prefixDistance(input, value, level) === distance,
    );
    if (near.length === 0) continue;
    const answer = await ask(`/indexes/${keywordIndexName(project)}/documents/fetch`, {
      filter: `(${near.map((value) => valueFilter(attribute, value)).join(' OR ')}) AND NOT ${startsWith(attribute, firstPoints(encode(input), encodedPointsMax))}`,
      limit: isLong ? verifiedMax : limit,
      sort: ['t:asc'],
      fields: isLong ? ['t', attribute] : ['t'],
    });
    for (const document of documentsOf(answer)) {
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

interface FoundDocument {
  readonly t: string;
  readonly [attribute: string]: unknown;
}

/** The documents that the feeder wrote, with the fields that were asked for. */
function documentsOf(answer: unknown): readonly FoundDocument[] {
  return (answer as { results: readonly FoundDocument[] }).results;
}

function candidatesIn(document: FoundDocument, attribute: string): readonly string[] {
  return (document[attribute] ?? []) as readonly string[];
}

function textsOf(answer: unknown): readonly string[] {
  return documentsOf(answer).map(({ t }) => t);
}
