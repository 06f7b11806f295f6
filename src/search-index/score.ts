/**
 * How well products meet what is looked for. Each test that holds adds how strongly it does, times its boost: a word 1, the
 * closer the better where it was looked for with edits, in full text twice as much when it stands in the name of the
 * product; any other test 1. Of variants, or prices, the strongest counts. What is asked not to be adds nothing.
 */
import { type Expression, type FullTextTest, scopeOf, type Test, type WordsTest } from '../product-search/condition.ts';
import type { Bits, ReadonlyBits } from './bits.ts';
import type { Judge } from './judge.ts';
import { closeness, wordMatches } from './word-matches.ts';

const titleWeight = 2;

/** The tests of an expression that make a score. */
export function scoringTests(expression: Expression): readonly Test[] {
  switch (expression.kind) {
    case 'all':
    case 'any':
      return expression.operands.flatMap(scoringTests);
    case 'none':
    case 'not':
      return [];
    default:
      return expression.boost === 0 ? [] : [expression];
  }
}

/** How strongly a test holds at a product, a variant or a price. */
type Strength = (unit: number) => number;

/** By products; of those that are not among them 0. */
export async function scores(judge: Judge, tests: readonly Test[], products: ReadonlyBits): Promise<Float64Array> {
  const sums = new Float64Array(judge.segment.counts.product);
  for (const test of tests) {
    const scope = scopeOf(test);
    const units = judge.segment.moved(products, 'product', scope);
    const holding = await judge.judge(test, scope, units);
    const strengthOf = await strengths(judge, test, holding);
    const best = new Float64Array(sums.length);
    await judge.breath.each(holding, (unit) => {
      const product = judge.segment.productOf(scope, unit);
      best[product] = Math.max(best[product]!, strengthOf(unit));
    });
    const boost = test.boost ?? 1;
    for (let product = 0; product < sums.length; product += 1) sums[product]! += best[product]! * boost;
  }
  return sums;
}

async function strengths(judge: Judge, test: Test, holding: ReadonlyBits): Promise<Strength> {
  if (test.kind === 'fullText') return fullTextStrengths(judge, test, holding);
  if (test.kind === 'words') return wordsStrengths(judge, test, holding);
  return () => 1;
}

async function wordsStrengths(judge: Judge, test: WordsTest, holding: ReadonlyBits): Promise<Strength> {
  const byWord = await judge.words(test, holding);
  return (unit) => byWord.reduce((sum, levels) => sum + closest(levels, unit), 0);
}

async function fullTextStrengths(
  judge: Judge,
  { words, locale }: FullTextTest,
  holding: ReadonlyBits,
): Promise<Strength> {
  const { segment } = judge;
  const titles = segment.titles(locale);
  const products = segment.moved(holding, 'variant', 'product');
  const byWord: { readonly anywhere: readonly Bits[]; readonly inTitle: readonly Bits[] }[] = [];
  for (const word of words) {
    const anywhere = await judge.fullText(word, locale, holding);
    const meant =
      titles === undefined ? [] : await wordMatches(titles, word, { isPrefix: false, breath: judge.breath });
    byWord.push({ anywhere, inTitle: meant.map((ordinals) => titles!.holding(ordinals, products)) });
  }
  return (unit) => {
    const product = segment.productOf('variant', unit);
    return byWord.reduce(
      (sum, { anywhere, inTitle }) => sum + Math.max(closest(anywhere, unit), titleWeight * closest(inTitle, product)),
      0,
    );
  };
}

/** By the first of the sets that has the unit. */
function closest(levels: readonly Bits[], unit: number): number {
  const distance = levels.findIndex((level) => level.has(unit));
  return distance < 0 ? 0 : closeness(distance);
}
