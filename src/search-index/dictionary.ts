import type { Bounds } from '../product-search/condition.ts';
import type { Scalar } from '../product-search/values.ts';
import { Bits } from './bits.ts';

/** Ordinals from the first up to the second, which is not part of it. */
export type Interval = readonly [from: number, to: number];

const nothing: Interval = [0, 0];

/** Some values of a dictionary, by their ordinals. */
export interface Chosen {
  readonly dictionary: Dictionary;
  readonly ordinals: Bits;
}

/** Where the merging of dictionaries is in one of them. */
interface Cursor {
  readonly dictionary: Dictionary;
  readonly ordinals: Uint32Array;
  /** For each ordinal the one that its value has in the result. */
  readonly places: Uint32Array;
  next: number;
}

/** Values that are merged in one step. */
const stepSize = 2048;

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

  private constructor(booleans: readonly boolean[], numbers: Float64Array, texts: Pick<Texts, 'bytes' | 'starts'>) {
    this.#booleans = booleans;
    this.#numbers = numbers;
    this.#bytes = texts.bytes;
    this.#starts = texts.starts;
  }

  /** The values are in order, each once. */
  static of(values: readonly Scalar[]): Dictionary {
    const booleans = values.filter((value) => typeof value === 'boolean');
    const numbers = Float64Array.from(values.filter((value) => typeof value === 'number'));
    const given = values.slice(booleans.length + numbers.length) as readonly string[];
    const length = given.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
    const texts = new Texts(given.length, length);
    for (const text of given) texts.add((bytes, from) => bytes.write(text, from));
    return new Dictionary(booleans, numbers, texts);
  }

  /** One dictionary of the values of several, in steps, and for each of these the ordinals that its values have there. */
  static *merged(
    parts: readonly Chosen[],
  ): Generator<void, { readonly dictionary: Dictionary; readonly places: readonly Uint32Array[] }> {
    const cursors = parts.map(({ dictionary, ordinals }): Cursor => {
      const places = new Uint32Array(dictionary.size);
      return { dictionary, ordinals: ordinals.toArray(), places, next: 0 };
    });
    const booleans: boolean[] = [];
    const numbers: number[] = [];
    const texts = new Texts(
      cursors.reduce((sum, { ordinals }) => sum + ordinals.length, 0),
      cursors.reduce((sum, { dictionary }) => sum + dictionary.#bytes.length, 0),
    );
    let [size, steps] = [0, 0];
    let last: (Pick<Cursor, 'dictionary'> & { readonly ordinal: number }) | undefined;
    // By the values at which they are.
    const open = cursors.filter(({ ordinals }) => ordinals.length > 0).sort(compareCursors);
    while (open.length > 0) {
      const first = open[0]!;
      const { dictionary, ordinals, places } = first;
      const ordinal = ordinals[first.next]!;
      if (last === undefined || dictionary.compare(ordinal, last.dictionary, last.ordinal) !== 0) {
        const text = ordinal - dictionary.#textsFrom;
        if (text >= 0) {
          const [from, to] = [dictionary.#starts[text]!, dictionary.#starts[text + 1]!];
          texts.add((bytes, at) => dictionary.#bytes.copy(bytes, at, from, to));
        } else {
          const value = dictionary.at(ordinal);
          if (typeof value === 'number') numbers.push(value);
          else booleans.push(value === true);
        }
        last = { dictionary, ordinal };
        size += 1;
      }
      places[ordinal] = size - 1;
      first.next += 1;
      moveFirst(open);
      if (++steps % stepSize === 0) yield;
    }
    const dictionary = new Dictionary(booleans, Float64Array.from(numbers), texts.cut());
    return { dictionary, places: cursors.map(({ places }) => places) };
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

  /** Compares a value with one of a dictionary: negative, zero or positive. */
  compare(ordinal: number, other: Dictionary, otherOrdinal: number): number {
    const [text, otherText] = [ordinal - this.#textsFrom, otherOrdinal - other.#textsFrom];
    if (text < 0 || otherText < 0) return compareScalars(this.at(ordinal), other.at(otherOrdinal));
    const [start, end] = [this.#starts[text]!, this.#starts[text + 1]!];
    const [otherStart, otherEnd] = [other.#starts[otherText]!, other.#starts[otherText + 1]!];
    const length = Math.min(end - start, otherEnd - otherStart);
    // Most differ soon: a call of Buffer's comparison takes longer.
    for (let index = 0; index < length; index += 1) {
      const difference = this.#bytes[start + index]! - other.#bytes[otherStart + index]!;
      if (difference !== 0) return difference;
    }
    return end - start - (otherEnd - otherStart);
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

/** Texts that are put one behind the other, up to so many and so many bytes. */
class Texts {
  bytes: Buffer;
  /** Where each text begins in the bytes, and where the last one ends. */
  starts: Uint32Array;
  #count = 0;

  constructor(count: number, length: number) {
    // Not from the pool of small buffers, which would live on with each of them.
    this.bytes = Buffer.allocUnsafeSlow(length);
    this.starts = new Uint32Array(count + 1);
  }

  /** `write` puts a text into the bytes, and gives its length. */
  add(write: (bytes: Buffer, from: number) => number): void {
    const from = this.starts[this.#count]!;
    this.#count += 1;
    this.starts[this.#count] = from + write(this.bytes, from);
  }

  /** Without the room that was not needed. */
  cut(): this {
    const { bytes, starts } = this;
    this.starts = starts.slice(0, this.#count + 1);
    this.bytes = Buffer.allocUnsafeSlow(this.starts[this.#count]!);
    bytes.copy(this.bytes);
    return this;
  }
}

function compareCursors(one: Cursor, other: Cursor): number {
  return one.dictionary.compare(one.ordinals[one.next]!, other.dictionary, other.ordinals[other.next]!);
}

/** Of cursors that are in order but for the first, which went on. */
function moveFirst(cursors: Cursor[]): void {
  const first = cursors[0]!;
  if (first.next === first.ordinals.length) return void cursors.shift();
  let place = 0;
  while (place + 1 < cursors.length && compareCursors(first, cursors[place + 1]!) > 0) {
    cursors[place] = cursors[place + 1]!;
    place += 1;
  }
  cursors[place] = first;
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
