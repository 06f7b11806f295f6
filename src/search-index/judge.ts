import {
  type Bounds,
  type Condition,
  type FullTextTest,
  isBelow,
  scopeOf,
  type Test,
  type WordsTest,
} from '../product-search/condition.ts';
import type { SelectedPrices } from '../product-search/index-query.ts';
import type { Path, Scope } from '../product-search/path.ts';
import { anyLocale } from '../product-search/attribute-values.ts';
import type { Scalar } from '../product-search/values.ts';
import { foldCase, type Word, wordsOf } from '../product-search/words.ts';
import { Bits, type ReadonlyBits } from './bits.ts';
import type { Breath } from './breath.ts';
import type { Column } from './column.ts';
import { ScopedPrices } from './scoped-prices.ts';
import type { Segment } from './segment.ts';
import { fits } from './wildcard.ts';
import { type WordMatches, wordMatches } from './word-matches.ts';

/** Judges conditions at what is in a segment. */
export class Judge {
  readonly segment: Segment;
  readonly #scoped: ScopedPrices | undefined;
  readonly breath: Breath;

  constructor(segment: Segment, { prices, breath }: { prices: SelectedPrices | undefined; breath: Breath }) {
    this.segment = segment;
    this.#scoped = prices && new ScopedPrices(segment, prices);
    this.breath = breath;
  }

  /** Of these products, variants or prices those that meet the condition: these themselves where all of them do. */
  async judge(condition: Condition, scope: Scope, within: ReadonlyBits): Promise<ReadonlyBits> {
    await this.breath.take();
    switch (condition.kind) {
      case 'all': {
        let rest: ReadonlyBits = within;
        for (const operand of cheapestFirst(condition.operands)) {
          if (rest.isEmpty) break;
          rest = await this.judge(operand, scope, rest);
        }
        return rest;
      }
      case 'any': {
        const found = new Bits(within.size);
        const rest = within.copy();
        for (const operand of cheapestFirst(condition.operands)) {
          if (rest.isEmpty) break;
          const more = await this.judge(operand, scope, rest);
          found.unite(more);
          rest.subtract(more);
        }
        return found;
      }
      case 'none': {
        const rest = within.copy();
        for (const operand of condition.operands) rest.subtract(await this.judge(operand, scope, rest));
        return rest;
      }
      case 'some': {
        const inner = condition.scope;
        const found = await this.judge(condition.condition, inner, this.segment.moved(within, scope, inner));
        return this.segment.moved(found, inner, scope);
      }
      default:
        return this.#test(condition, scope, within);
    }
  }

  /** The values of a path as far as these units have some. */
  async column(path: Path, within: ReadonlyBits): Promise<Column | undefined> {
    return ScopedPrices.isPath(path) ? this.#scoped?.column(path, within, this.breath) : this.segment.column(path);
  }

  /** Of these variants, for each distance those in which the word stands, or in whose product it does. */
  async fullText(word: Word, locale: string, within: ReadonlyBits): Promise<readonly Bits[]> {
    const levels = Array.from({ length: word.distanceMax + 1 }, () => new Bits(this.segment.counts.variant));
    const ofProducts = this.segment.moved(within, 'variant', 'product');
    for (const each of new Set([locale, anyLocale])) {
      for (const scope of ['product', 'variant'] as const) {
        const column = this.segment.words(scope, each);
        if (column === undefined) continue;
        await this.breath.take();
        const meant = await wordMatches(column, word, { isPrefix: false, breath: this.breath });
        for (const [distance, ordinals] of meant.entries()) {
          const units = column.holding(ordinals, scope === 'product' ? ofProducts : within);
          levels[distance]!.unite(this.segment.moved(units, scope, 'variant'));
        }
      }
    }
    return levels.map((level) => level.intersect(within));
  }

  /** For each word of the test the units with values that hold it, by distance. */
  async words({ path, words, isPrefix }: WordsTest, within: ReadonlyBits): Promise<readonly WordMatches[]> {
    const column = await this.column(path, within);
    if (column === undefined) return words.map(() => [new Bits(within.size)]);
    const derived = await column.derived('words', wordsOf);
    const values = Bits.all(column.dictionary.size);
    const found: WordMatches[] = [];
    for (const word of words) {
      await this.breath.take();
      const levels = await wordMatches(derived, word, { isPrefix, breath: this.breath });
      found.push(levels.map((meant) => column.holding(derived.holding(meant, values), within)));
    }
    return found;
  }

  /** A test of a product is judged at its variants and prices, too. */
  async #test(test: Test, scope: Scope, within: ReadonlyBits): Promise<ReadonlyBits> {
    if (test.kind === 'not') return within.copy().subtract(await this.judge(test.test, scope, within));
    const own = scopeOf(test);
    if (isBelow(own, scope)) throw new Error(`A test of a ${own} is judged at a ${scope}`);
    if (own === scope) return this.#passing(test, within);
    const holders = await this.#passing(test, this.segment.moved(within, scope, own));
    return this.segment.moved(holders, own, scope).copy().intersect(within);
  }

  async #passing(test: Exclude<Test, { kind: 'not' }>, within: ReadonlyBits): Promise<ReadonlyBits> {
    if (test.kind === 'fullText') return this.#passingFullText(test, within);
    if (test.kind === 'words') return this.#passingWords(test, within);
    const column = await this.column(test.path, within);
    if (column === undefined) return new Bits(within.size);
    if (test.kind === 'exists') return column.holders(within);
    const ordinals = await this.#ordinals(test, column, within);
    await this.breath.take();
    return column.holding(ordinals, within);
  }

  /** The values that pass. */
  async #ordinals(test: ValueTest, column: Column, within: ReadonlyBits): Promise<Bits> {
    switch (test.kind) {
      case 'in':
        return test.foldsCase ? folded(column, (fold) => fold.in(test.values)) : valuesIn(column, test.values);
      case 'range':
        return inBounds(column, test.bounds);
      case 'prefix':
        return test.foldsCase ? folded(column, (fold) => fold.prefix(test.text)) : startingWith(column, test.text);
      case 'wildcard': {
        const pattern = test.foldsCase ? foldCase(test.pattern) : test.pattern;
        const found = new Bits(column.dictionary.size);
        const [from] = column.dictionary.texts;
        await this.breath.each(column.ordinalsOf(within), (ordinal) => {
          if (ordinal < from) return;
          const text = String(column.dictionary.at(ordinal));
          if (fits(test.foldsCase ? foldCase(text) : text, pattern)) found.add(ordinal);
        });
        return found;
      }
    }
  }

  async #passingFullText({ words, locale }: FullTextTest, within: ReadonlyBits): Promise<ReadonlyBits> {
    let rest: ReadonlyBits = within;
    for (const word of words) {
      if (rest.isEmpty) break;
      rest = united(await this.fullText(word, locale, rest), within.size);
    }
    return rest;
  }

  async #passingWords(test: WordsTest, within: ReadonlyBits): Promise<Bits> {
    const found = (await this.words(test, within)).map((levels) => united(levels, within.size));
    const [first, ...others] = found;
    if (first === undefined) return new Bits(within.size);
    return others.reduce((one, other) => (test.mustMatch === 'any' ? one.unite(other) : one.intersect(other)), first);
  }
}

type ValueTest = Extract<Test, { kind: 'in' | 'range' | 'prefix' | 'wildcard' }>;

function united(sets: readonly Bits[], size: number): Bits {
  return sets.reduce((one, other) => one.unite(other), new Bits(size));
}

function valuesIn({ dictionary }: Column, values: readonly Scalar[]): Bits {
  const found = new Bits(dictionary.size);
  for (const value of values) {
    const ordinal = dictionary.find(value);
    if (ordinal !== undefined) found.add(ordinal);
  }
  return found;
}

export function inBounds({ dictionary }: Column, bounds: Bounds): Bits {
  const found = new Bits(dictionary.size);
  found.addRange(...dictionary.within(bounds));
  return found;
}

function startingWith({ dictionary }: Column, text: string): Bits {
  const found = new Bits(dictionary.size);
  found.addRange(...dictionary.startingWith(text));
  return found;
}

interface Folded {
  in(values: readonly Scalar[]): Bits;
  prefix(text: string): Bits;
}

/** The values whose folded form is found; what is no text is itself. */
async function folded(column: Column, find: (fold: Folded) => Bits): Promise<Bits> {
  const inFolds = await column.derived('fold', (text) => [foldCase(text)]);
  const values = Bits.all(column.dictionary.size);
  return find({
    in: (given) => {
      const texts = given.filter((value) => typeof value === 'string').map(foldCase);
      const others = given.filter((value) => typeof value !== 'string');
      return inFolds.holding(valuesIn(inFolds, texts), values).unite(valuesIn(column, others));
    },
    prefix: (text) => inFolds.holding(startingWith(inFolds, foldCase(text)), values),
  });
}

/** What looks at each value comes after what looks values up, and does so with what is left alone. */
function cheapestFirst(operands: readonly Condition[]): readonly Condition[] {
  return operands.toSorted((one, other) => costOf(one) - costOf(other));
}

function costOf(condition: Condition): number {
  switch (condition.kind) {
    case 'all':
    case 'any':
    case 'none':
      return Math.max(1, ...condition.operands.map(costOf));
    case 'some':
      return 1 + costOf(condition.condition);
    case 'not':
      return 1 + costOf(condition.test);
    case 'wildcard':
      return 8;
    case 'words':
    case 'fullText':
      return condition.words.some(({ distanceMax }) => distanceMax > 0) ? 10 : 4;
    default:
      return ScopedPrices.isPath(condition.path) ? 6 : condition.kind === 'in' ? 0 : 1;
  }
}
