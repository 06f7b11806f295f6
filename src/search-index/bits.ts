/** A set that is not for its reader to change: others hold it, too. */
export interface ReadonlyBits {
  readonly size: number;
  readonly count: number;
  readonly isEmpty: boolean;
  /** Outside of the heap. */
  readonly bytes: number;
  has(index: number): boolean;
  /** In ascending order; of a part from one multiple of 32 up to another, which is not part of it. */
  each(visit: (index: number) => void, from?: number, to?: number): void;
  copy(): Bits;
  toArray(): Uint32Array;
}

/** A set of whole numbers from 0 up to `size`, one bit each. */
export class Bits implements ReadonlyBits {
  readonly size: number;
  readonly #words: Uint32Array;

  constructor(size: number, words = new Uint32Array((size + 31) >>> 5)) {
    this.size = size;
    this.#words = words;
  }

  static all(size: number): Bits {
    const bits = new Bits(size);
    bits.addRange(0, size);
    return bits;
  }

  get bytes(): number {
    return this.#words.byteLength;
  }

  has(index: number): boolean {
    return (this.#words[index >>> 5]! & (1 << (index & 31))) !== 0;
  }

  add(index: number): void {
    this.#words[index >>> 5]! |= 1 << (index & 31);
  }

  delete(index: number): void {
    this.#words[index >>> 5]! &= ~(1 << (index & 31));
  }

  /** From `from` up to `to`, which is not part of it. */
  addRange(from: number, to: number): void {
    let index = from;
    while (index < to) {
      if ((index & 31) === 0 && index + 32 <= to) {
        this.#words[index >>> 5] = 0xffffffff;
        index += 32;
      } else {
        this.add(index);
        index += 1;
      }
    }
  }

  copy(): Bits {
    return new Bits(this.size, this.#words.slice());
  }

  /** What is in both. Changes the set, as all of these do. What is read is such a set as well, for there are no others. */
  intersect(other: ReadonlyBits): this {
    const [words, others] = [this.#words, (other as Bits).#words];
    for (let index = 0; index < words.length; index += 1) words[index]! &= others[index]!;
    return this;
  }

  unite(other: ReadonlyBits): this {
    const [words, others] = [this.#words, (other as Bits).#words];
    for (let index = 0; index < words.length; index += 1) words[index]! |= others[index]!;
    return this;
  }

  subtract(other: ReadonlyBits): this {
    const [words, others] = [this.#words, (other as Bits).#words];
    for (let index = 0; index < words.length; index += 1) words[index]! &= ~others[index]!;
    return this;
  }

  get isEmpty(): boolean {
    return this.#words.every((word) => word === 0);
  }

  get count(): number {
    let count = 0;
    for (const word of this.#words) count += ones(word);
    return count;
  }

  toArray(): Uint32Array {
    const numbers = new Uint32Array(this.count);
    let end = 0;
    this.each((index) => (numbers[end++] = index));
    return numbers;
  }

  each(visit: (index: number) => void, from = 0, to = this.size): void {
    const words = this.#words;
    const end = Math.min((to + 31) >>> 5, words.length);
    for (let place = from >>> 5; place < end; place += 1) {
      let word = words[place]!;
      while (word !== 0) {
        const bit = 31 - Math.clz32(word & -word);
        visit((place << 5) + bit);
        word &= word - 1;
      }
    }
  }
}

/** How many bits of a word are set. */
function ones(word: number): number {
  let pairs = word - ((word >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((pairs + (pairs >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
