/** What conditions mean, judged one by one over documents: slow and obvious, to compare others with. */
import {
  type Bounds,
  type Condition,
  type Expression,
  judgedAt,
  speaksOfVariants,
  type Test,
} from '../../src/product-search/condition.ts';
import { anyLocale } from '../../src/product-search/attribute-values.ts';
import type { SearchDocument, Values, VariantDocument } from '../../src/product-search/document.ts';
import type { Path, Scope } from '../../src/product-search/path.ts';
import type { Sort } from '../../src/product-search/sort.ts';
import type { Scalar } from '../../src/product-search/values.ts';
import { foldCase, type Word, wordsOf } from '../../src/product-search/words.ts';

/** A product, one of its variants, or a price of that. */
export interface Place {
  readonly product: SearchDocument;
  readonly variant?: VariantDocument;
  readonly price?: Values;
}

/** All places of this scope in a product. */
export function placesIn(product: SearchDocument, scope: Scope): readonly Place[] {
  if (scope === 'product') return [{ product }];
  const variants = product.variants.map((variant) => ({ product, variant }));
  if (scope === 'variant') return variants;
  return variants.flatMap((place) => place.variant.prices.map((price) => ({ ...place, price })));
}

export function isMet(condition: Condition, place: Place): boolean {
  switch (condition.kind) {
    case 'all':
      return condition.operands.every((operand) => isMet(operand, place));
    case 'any':
      return condition.operands.some((operand) => isMet(operand, place));
    case 'none':
      return !condition.operands.some((operand) => isMet(operand, place));
    case 'some':
      return placesIn(place.product, condition.scope)
        .filter(({ variant }) => place.variant === undefined || variant === place.variant)
        .some((inner) => isMet(condition.condition, inner));
    default:
      return passes(condition, place);
  }
}

export function valuesAt({ scope, name }: Path, { product, variant, price }: Place): readonly Scalar[] {
  const values = scope === 'product' ? product.values : scope === 'variant' ? variant?.values : price;
  if (values === undefined) throw new Error(`${name} is judged at a place that is not of a ${scope}`);
  return values[name] ?? [];
}

function passes(test: Test, place: Place): boolean {
  switch (test.kind) {
    case 'not':
      return !passes(test.test, place);
    case 'fullText': {
      const { product, variant } = place;
      if (variant === undefined) throw new Error('Full text is judged at variants');
      const found = [...wordsIn(product, test.locale), ...wordsIn(variant, test.locale)];
      return test.words.every((word) => found.some((each) => isMeant(word, each)));
    }
    default:
  }
  const values = valuesAt(test.path, place);
  switch (test.kind) {
    case 'in': {
      const wanted = test.values.map((value) => cased(value, test.foldsCase));
      return values.some((value) => wanted.includes(cased(value, test.foldsCase)));
    }
    case 'range':
      return values.some((value) => isWithin(value, test.bounds));
    case 'exists':
      return values.length > 0;
    case 'prefix': {
      const prefix = String(cased(test.text, test.foldsCase));
      return textsOf(values, test.foldsCase).some((text) => text.startsWith(prefix));
    }
    case 'wildcard': {
      const pattern = patternOf(String(cased(test.pattern, test.foldsCase)));
      return textsOf(values, test.foldsCase).some((text) => pattern.test(text));
    }
    case 'words': {
      const found = textsOf(values, false).flatMap(wordsOf);
      const isFound = (word: Word): boolean =>
        found.some((each) => (test.isPrefix ? each.startsWith(word.text) : isMeant(word, each)));
      return test.mustMatch === 'any' ? test.words.some(isFound) : test.words.length > 0 && test.words.every(isFound);
    }
  }
}

/** The words of a variant, or a product, that full text in this locale looks through. */
function wordsIn({ words }: SearchDocument | VariantDocument, locale: string): readonly string[] {
  return [...(words[locale] ?? []), ...(words[anyLocale] ?? [])];
}

function cased(value: Scalar, foldsCase: boolean): Scalar {
  return foldsCase && typeof value === 'string' ? foldCase(value) : value;
}

function textsOf(values: readonly Scalar[], foldsCase: boolean): readonly string[] {
  return values.filter((value) => typeof value === 'string').map((text) => String(cased(text, foldsCase)));
}

export function isWithin(value: Scalar, { gt, gte, lt, lte }: Bounds): boolean {
  return (
    (gt === undefined || order(value, gt) > 0) &&
    (gte === undefined || order(value, gte) >= 0) &&
    (lt === undefined || order(value, lt) < 0) &&
    (lte === undefined || order(value, lte) <= 0)
  );
}

/** Negative, zero or positive: texts by code points; not a number for values of two types, which no comparison holds for. */
function order(one: Scalar, other: Scalar): number {
  if (typeof one !== typeof other) return Number.NaN;
  if (typeof one === 'string') return Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
  return one < other ? -1 : one > other ? 1 : 0;
}

/** Where values of two types stand in one order: false, true, numbers, texts. */
function orderOfAll(one: Scalar, other: Scalar): number {
  const types = ['boolean', 'number', 'string'];
  return types.indexOf(typeof one) - types.indexOf(typeof other) || order(one, other);
}

function patternOf(wildcard: string): RegExp {
  const source = [...wildcard].map((point) => {
    if (point === '*') return '.*';
    return point === '?' ? '.' : point.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&');
  });
  return new RegExp(`^${source.join('')}$`, 'su');
}

function isMeant({ text, distanceMax }: Word, found: string): boolean {
  return editDistance(text, found) <= distanceMax;
}

/** Points to change, add or leave out to make the one of the other. */
function editDistance(one: string, other: string): number {
  const wanted = [...one];
  let row = Array.from({ length: wanted.length + 1 }, (_, index) => index);
  for (const point of other) {
    const next = [row[0]! + 1];
    for (const [index, each] of wanted.entries())
      next.push(Math.min(row[index + 1]! + 1, next[index]! + 1, row[index]! + (each === point ? 0 : 1)));
    row = next;
  }
  return row.at(-1)!;
}

/** The products that meet the expression. */
export function found(expression: Expression, documents: readonly SearchDocument[]): readonly SearchDocument[] {
  const condition = judgedAt(expression, 'product');
  return documents.filter((product) => isMet(condition, { product }));
}

/** Ids of the variants that match. */
export function matching(expression: Expression, product: SearchDocument): readonly number[] {
  const condition = judgedAt(expression, 'variant');
  return product.variants.filter((variant) => isMet(condition, { product, variant })).map(({ id }) => id);
}

/** Of a product that was found (catalog 69). */
export function matchingVariants(
  expression: Expression,
  product: SearchDocument,
): {
  readonly allMatched: boolean;
  readonly matchedVariants: readonly { readonly id: number; readonly sku?: string }[];
} {
  const ids = new Set(matching(expression, product));
  if (!speaksOfVariants(expression) || ids.size === product.variants.length)
    return { allMatched: true, matchedVariants: [] };
  const matched = product.variants.filter(({ id }) => ids.has(id));
  return {
    allMatched: false,
    matchedVariants: matched.map(({ id, sku }) => ({ id, ...(sku !== undefined && { sku }) })),
  };
}

/** How well a product meets what is looked for, as src/search-index/score.ts says. */
function scoreOf(expression: Expression, product: SearchDocument): number {
  switch (expression.kind) {
    case 'all':
    case 'any':
      return expression.operands.reduce((sum, operand) => sum + scoreOf(operand, product), 0);
    case 'none':
    case 'not':
      return 0;
    default: {
      const scope = expression.kind === 'fullText' ? 'variant' : expression.path.scope;
      const held = placesIn(product, scope).filter((place) => passes(expression, place));
      return Math.max(0, ...held.map((place) => strengthOf(expression, place))) * (expression.boost ?? 1);
    }
  }
}

function strengthOf(test: Test, { product, variant, price }: Place): number {
  const closest = ({ text, distanceMax }: Word, isPrefix: boolean, found: readonly string[]): number =>
    Math.max(
      0,
      ...found.map((each) => {
        if (isPrefix) return each.startsWith(text) ? 1 : 0;
        const distance = editDistance(text, each);
        return distance <= distanceMax ? 2 ** -distance : 0;
      }),
    );
  const sumOf = (words: readonly Word[], strength: (word: Word) => number): number =>
    words.reduce((sum, word) => sum + strength(word), 0);
  if (test.kind === 'words') {
    const found = textsOf(
      valuesAt(test.path, { product, ...(variant && { variant }), ...(price && { price }) }),
      false,
    );
    return sumOf(test.words, (word) => closest(word, test.isPrefix, found.flatMap(wordsOf)));
  }
  if (test.kind !== 'fullText') return 1;
  const everywhere = [...wordsIn(product, test.locale), ...wordsIn(variant!, test.locale)];
  const titles = product.titles[test.locale] ?? [];
  return sumOf(test.words, (word) => Math.max(closest(word, false, everywhere), 2 * closest(word, false, titles)));
}

/** By the sorts, and where all of them say the same by id. `query` makes the score. */
export function sorted(
  documents: readonly SearchDocument[],
  sorts: readonly Sort[],
  query: Expression = { kind: 'all', operands: [] },
): readonly SearchDocument[] {
  const keys = new Map(documents.map((document) => [document, sorts.map((sort) => sortKey(document, sort, query))]));
  return documents.toSorted((one, other) => {
    for (const [index, { isDescending }] of sorts.entries()) {
      const [left, right] = [keys.get(one)![index], keys.get(other)![index]];
      if (left === undefined || right === undefined) {
        if (left !== right) return left === undefined ? 1 : -1;
        continue;
      }
      const result = orderOfAll(left, right);
      if (result !== 0) return isDescending ? -result : result;
    }
    return order(one.id, other.id);
  });
}

function sortKey(product: SearchDocument, sort: Sort, query: Expression): Scalar | undefined {
  if (sort.kind === 'score') return scoreOf(query, product);
  const { path, where, mode } = sort;
  const values = placesIn(product, path.scope)
    .filter((place) => where === undefined || isMet(where, place))
    .flatMap((place) => valuesAt(path, place));
  const [first] = values;
  if (first === undefined) return undefined;
  const sum = values.reduce<number>((total, value) => total + Number(value), 0);
  if (mode === 'sum') return sum;
  if (mode === 'avg') return sum / values.length;
  const ordered = values.toSorted(orderOfAll);
  return mode === 'min' ? ordered[0] : ordered.at(-1);
}
