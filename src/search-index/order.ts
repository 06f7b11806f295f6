import type { Sort } from '../product-search/sort.ts';
import type { Scalar } from '../product-search/values.ts';
import type { ReadonlyBits } from './bits.ts';
import type { Breath } from './breath.ts';
import { compareScalars } from './dictionary.ts';
import type { Judge } from './judge.ts';

/** A product that was found, with what it is sorted by: undefined where it has no such value. */
export interface Ranked {
  readonly judge: Judge;
  readonly product: number;
  readonly id: string;
  readonly keys: readonly (Scalar | undefined)[];
}

/** What products of a segment are sorted by. Without a value it is not a number; ordinals stand for what they name. */
interface Keys {
  readonly isDescending: boolean;
  readonly numbers: Float64Array;
  valueOf(number: number): Scalar;
}

/** The first `count` of these products of a segment, in order. `scores` are those of its products. */
export async function firstOf(
  judge: Judge,
  products: ReadonlyBits,
  { sorts, scores, count }: { sorts: readonly Sort[]; scores: Float64Array; count: number },
): Promise<readonly Ranked[]> {
  const { breath } = judge;
  const keys: Keys[] = [];
  for (const sort of sorts) keys.push(await keysOf(judge, sort, { products, scores }));
  const ids = judge.segment.column({ scope: 'product', name: 'id' })!;
  const idOf = (product: number): number => ids.firstAt(product)!;
  const compare = (one: number, other: number): number => {
    for (const { numbers, isDescending } of keys) {
      const result = compareNumbers(numbers[one]!, numbers[other]!, isDescending);
      if (result !== 0) return result;
    }
    return idOf(one) - idOf(other);
  };
  const first = await smallest(products, { count, compare, breath });
  const found: Ranked[] = [];
  await breath.steps(0, first.length, (from, to) => {
    for (const product of first.slice(from, to))
      found.push({
        judge,
        product,
        id: String(ids.dictionary.at(idOf(product))),
        keys: keys.map(({ numbers, valueOf }) =>
          Number.isNaN(numbers[product]) ? undefined : valueOf(numbers[product]!),
        ),
      });
  });
  return found;
}

/** The order of products of several segments. */
export function compareRanked(sorts: readonly Sort[]): (one: Ranked, other: Ranked) => number {
  return (one, other) => {
    for (const [index, { isDescending }] of sorts.entries()) {
      const [left, right] = [one.keys[index], other.keys[index]];
      if (left === undefined || right === undefined) {
        if (left !== right) return left === undefined ? 1 : -1;
        continue;
      }
      const result = compareScalars(left, right);
      if (result !== 0) return isDescending ? -result : result;
    }
    return compareScalars(one.id, other.id);
  };
}

/** What is not a number comes last in either direction. */
function compareNumbers(one: number, other: number, isDescending: boolean): number {
  if (Number.isNaN(one) || Number.isNaN(other)) return Number(Number.isNaN(one)) - Number(Number.isNaN(other));
  return isDescending ? other - one : one - other;
}

async function keysOf(
  judge: Judge,
  sort: Sort,
  { products, scores }: { products: ReadonlyBits; scores: Float64Array },
): Promise<Keys> {
  const { isDescending } = sort;
  const itself = (number: number): number => number;
  if (sort.kind === 'score') return { isDescending, numbers: scores, valueOf: itself };
  const { path, mode, where } = sort;
  const { segment, breath } = judge;
  await breath.take();
  const numbers = new Float64Array(segment.counts.product).fill(Number.NaN);
  const all = segment.moved(products, 'product', path.scope);
  const units = where === undefined ? all : await judge.judge(where, path.scope, all);
  const column = await judge.column(path, units);
  if (column === undefined) return { isDescending, numbers, valueOf: itself };
  const { dictionary } = column;
  const counts = new Uint32Array(mode === 'avg' ? numbers.length : 0);
  column.each(units, (unit, ordinal) => {
    const product = segment.productOf(path.scope, unit);
    const before = numbers[product]!;
    numbers[product] = taken(mode, before, mode === 'min' || mode === 'max' ? ordinal : Number(dictionary.at(ordinal)));
    if (mode === 'avg') counts[product]! += 1;
  });
  if (mode === 'avg') for (const [product, count] of counts.entries()) numbers[product]! /= count;
  return {
    isDescending,
    numbers,
    valueOf: mode === 'min' || mode === 'max' ? (ordinal) => dictionary.at(ordinal) : itself,
  };
}

function taken(mode: Extract<Sort, { kind: 'value' }>['mode'], before: number, value: number): number {
  if (Number.isNaN(before)) return value;
  if (mode === 'min') return Math.min(before, value);
  return mode === 'max' ? Math.max(before, value) : before + value;
}

/** The first `count` in order. A heap has the largest of those at its top, which the next smaller one takes the place of. */
async function smallest(
  products: ReadonlyBits,
  { count, compare, breath }: { count: number; compare: (one: number, other: number) => number; breath: Breath },
): Promise<readonly number[]> {
  const heap: number[] = [];
  await breath.each(products, (product) => {
    if (heap.length < count) {
      heap.push(product);
      rise(heap, compare);
    } else if (count > 0 && compare(product, heap[0]!) < 0) {
      heap[0] = product;
      sink(heap, compare);
    }
  });
  return heap.sort(compare);
}

function rise(heap: number[], compare: (one: number, other: number) => number): void {
  let place = heap.length - 1;
  while (place > 0) {
    const parent = (place - 1) >>> 1;
    if (compare(heap[place]!, heap[parent]!) <= 0) return;
    swap(heap, place, parent);
    place = parent;
  }
}

function sink(heap: number[], compare: (one: number, other: number) => number): void {
  let place = 0;
  for (;;) {
    const child = 2 * place + 1;
    if (child >= heap.length) return;
    const larger = child + 1 < heap.length && compare(heap[child + 1]!, heap[child]!) > 0 ? child + 1 : child;
    if (compare(heap[larger]!, heap[place]!) <= 0) return;
    swap(heap, place, larger);
    place = larger;
  }
}

function swap(heap: number[], one: number, other: number): void {
  [heap[one], heap[other]] = [heap[other]!, heap[one]!];
}
