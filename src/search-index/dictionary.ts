import type { Bounds } from '../product-search/condition.ts';
import type { Scalar } from '../product-search/values.ts';

/** Ordinals from the first up to the second, which is not part of it. */
export type Interval = readonly [from: number, to: number];

const nothing: Interval = [0, 0];

/**
 * Different values in order: false, true, numbers, and texts by their code points. The place of a value is its ordinal, so
 * ordinals compare as values do. Texts lie in one buffer outside of the heap.
 */
export class Dictionary {
  readonly #booleans: readonly boolean[];
  readonly #numbers: Float64Array;
  readonly #bytes: Buffer;
  /** Where each text begins in the bytes, and where the last one ends. */
  readonly #starts: Uint32Array;

  /** The values in order, each once. */
  constructor(values: readonly Scalar[]) {
    this.#booleans = values.filter((value) => typeof value === 'boolean');
    this.#numbers = Float64Array.from(values.filter((value) => typeof value === 'number'));
    const texts = values.slice(this.#booleans.length + this.#numbers.length) as readonly string[];
    this.#starts = new Uint32Array(texts.length + 1);
    let end = 0;
    for (const [index, text] of texts.entries()) {
      end += Buffer.byteLength(text);
      this.#starts[index + 1] = end;
    }
    // Not from the pool of small buffers, which would live on with each of them.
    this.#bytes = Buffer.allocUnsafeSlow(end);
    for (const [index, text] of texts.entries()) this.#bytes.write(text, this.#starts[index]!);
  }

  get size(): number {
    return this.#textsFrom + this.#starts.length - 1;
  }

  /** The ordinals of the texts. */
  get texts(): Interval {
    return [this.#textsFrom, this.size];
  }

  get bytes(): number {
    return this.#bytes.length + this.#starts.byteLength + this.#numbers.byteLength;
  }

  at(ordinal: number): Scalar {
    const booleans = this.#booleans.length;
    if (ordinal < booleans) return this.#booleans[ordinal]!;
    const number = ordinal - booleans;
    return number < this.#numbers.length ? this.#numbers[number]! : this.#textAt(number - this.#numbers.length);
  }

  /** Undefined for a value that is not there. */
  find(value: Scalar): number | undefined {
    if (typeof value === 'boolean') {
      const ordinal = this.#booleans.indexOf(value);
      return ordinal < 0 ? undefined : ordinal;
    }
    const [ordinal, next] = this.#between({ gte: value, lte: value });
    return ordinal < next ? ordinal : undefined;
  }

  /** The values within the bounds, which are of the type of these; none where they are of two types, and without any all. */
  within(bounds: Bounds): Interval {
    const types = new Set(Object.values(bounds).map((bound: Scalar) => typeof bound));
    if (types.size === 0) return [0, this.size];
    return types.size === 1 && !types.has('boolean') ? this.#between(bounds) : nothing;
  }

  /** The texts that begin so. */
  startingWith(prefix: string): Interval {
    const sought = Buffer.from(prefix);
    const from = this.#textsBefore((start, end) => this.#bytes.compare(sought, 0, sought.length, start, end) < 0);
    const to = this.#textsBefore(
      (start, end) => this.#bytes.compare(sought, 0, sought.length, start, Math.min(end, start + sought.length)) <= 0,
    );
    return [this.#textsFrom + from, this.#textsFrom + to];
  }

  get #textsFrom(): number {
    return this.#booleans.length + this.#numbers.length;
  }

  #textAt(index: number): string {
    return this.#bytes.toString('utf8', this.#starts[index], this.#starts[index + 1]);
  }

  #between({ gt, gte, lt, lte }: Bounds): Interval {
    const value = gt ?? gte ?? lt ?? lte;
    const [first, size] =
      typeof value === 'number' ? [this.#booleans.length, this.#numbers.length] : [this.#textsFrom, this.#textCount];
    const from = Math.max(
      gt === undefined ? 0 : this.#countBelow(gt, true),
      gte === undefined ? 0 : this.#countBelow(gte, false),
    );
    const to = Math.min(
      lt === undefined ? size : this.#countBelow(lt, false),
      lte === undefined ? size : this.#countBelow(lte, true),
    );
    return from < to ? [first + from, first + to] : nothing;
  }

  get #textCount(): number {
    return this.#starts.length - 1;
  }

  /** How many values of its type are less, or `orSame`. */
  #countBelow(value: Scalar, orSame: boolean): number {
    if (typeof value === 'number') {
      const numbers = this.#numbers;
      return countFirst(numbers.length, (index) => (orSame ? numbers[index]! <= value : numbers[index]! < value));
    }
    const sought = Buffer.from(String(value));
    const most = orSame ? 0 : -1;
    return this.#textsBefore((start, end) => this.#bytes.compare(sought, 0, sought.length, start, end) <= most);
  }

  #textsBefore(isBefore: (start: number, end: number) => boolean): number {
    const starts = this.#starts;
    return countFirst(this.#textCount, (index) => isBefore(starts[index]!, starts[index + 1]!));
  }
}

/** How many of the first `size` whole numbers pass a test that all after the first that fails fail, too. */
export function countFirst(size: number, passes: (index: number) => boolean): number {
  let [low, high] = [0, size];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (passes(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The values in the order of dictionaries. */
export function inOrder(values: Iterable<Scalar>): readonly Scalar[] {
  const booleans: boolean[] = [];
  const numbers: number[] = [];
  const texts: string[] = [];
  for (const value of values) {
    if (typeof value === 'string') texts.push(value);
    else if (typeof value === 'number') numbers.push(value);
    else booleans.push(value);
  }
  booleans.sort((one, other) => Number(one) - Number(other));
  // The sort of an array of numbers alone compares without calls.
  return [...booleans, ...Float64Array.from(numbers).sort(), ...inCodePointOrder(texts)];
}

const SURROGATE = /[\ud800-\udfff]/;

/** By UTF-16 the order is that of code points but for those that take two units. */
function inCodePointOrder(texts: string[]): readonly string[] {
  // Without a comparison of its own the sort is several times as fast.
  if (!texts.some((text) => SURROGATE.test(text))) return texts.toSorted();
  return texts
    .map((text) => ({ text, bytes: Buffer.from(text) }))
    .sort((one, other) => Buffer.compare(one.bytes, other.bytes))
    .map(({ text }) => text);
}

/** Negative, zero or positive, by the order of dictionaries. */
export function compareScalars(one: Scalar, other: Scalar): number {
  if (typeof one !== typeof other) return rank(one) - rank(other);
  if (one === other) return 0;
  if (typeof one === 'string' && SURROGATE.test(one + String(other)))
    return Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
  return one < other ? -1 : 1;
}

function rank(value: Scalar): number {
  return typeof value === 'boolean' ? 0 : typeof value === 'number' ? 1 : 2;
}
