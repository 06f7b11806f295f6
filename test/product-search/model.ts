/** What conditions mean, judged one by one over documents: slow and obvious, to compare others with. */
import {
  type Bounds,
  type Condition,
  type Expression,
  judgedAt,
  speaksOfVariants,
  type Test,
} from '../../src/product-search/condition.ts';
import { type SearchDocument, wordsIn, type Values, type VariantDocument } from '../../src/product-search/document.ts';
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

/** Negative, zero or positive; not a number for values of two types, which no comparison holds for. */
function order(one: Scalar, other: Scalar): number {
  if (typeof one !== typeof other) return Number.NaN;
  return one < other ? -1 : one > other ? 1 : 0;
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
export function editDistance(one: string, other: string): number {
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

/** By the sorts, and where all of them say the same by id. There are no scores here: all are the same. */
export function sorted(documents: readonly SearchDocument[], sorts: readonly Sort[]): readonly SearchDocument[] {
  const keys = new Map(documents.map((document) => [document, sorts.map((sort) => sortKey(document, sort))]));
  return documents.toSorted((one, other) => {
    for (const [index, { isDescending }] of sorts.entries()) {
      const [left, right] = [keys.get(one)![index], keys.get(other)![index]];
      if (left === undefined || right === undefined) {
        if (left !== right) return left === undefined ? 1 : -1;
        continue;
      }
      const result = order(left, right);
      if (result !== 0) return isDescending ? -result : result;
    }
    return one.id < other.id ? -1 : 1;
  });
}

function sortKey(product: SearchDocument, sort: Sort): Scalar | undefined {
  if (sort.kind === 'score') return undefined;
  const { path, where, mode } = sort;
  const values = placesIn(product, path.scope)
    .filter((place) => where === undefined || isMet(where, place))
    .flatMap((place) => valuesAt(path, place));
  const [first] = values;
  if (first === undefined) return undefined;
  const sum = values.reduce<number>((total, value) => total + Number(value), 0);
  if (mode === 'sum') return sum;
  if (mode === 'avg') return sum / values.length;
  const ordered = values.toSorted(order);
  return mode === 'min' ? ordered[0] : ordered.at(-1);
}
