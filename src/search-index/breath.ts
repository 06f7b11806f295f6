import { setImmediate } from 'node:timers/promises';
import type { ReadonlyBits } from './bits.ts';
import { SearchTooLong, SearchUnwanted } from './limits.ts';

/** How long a search works before it gives way: one that has gone on for long gives way sooner, for short ones wait. */
const sliceMs = 5;
const longSliceMs = 1;
const longMs = 100;
/** What of a loop is done between two looks at the clock: microseconds of work each. A multiple of 32. */
const stepSize = 256;

/** Has long work give way to other work, and end when it is late or nobody wants it any more. */
export class Breath {
  readonly #signal: AbortSignal | undefined;
  readonly #endsAtMs: number;
  readonly #isLongAtMs: number;
  #sliceEndsAtMs: number;

  constructor(timeoutMs: number, signal?: AbortSignal) {
    this.#signal = signal;
    const now = performance.now();
    this.#endsAtMs = now + timeoutMs;
    this.#isLongAtMs = now + longMs;
    this.#sliceEndsAtMs = now + sliceMs;
  }

  /** Undefined as long as it is not time for others. Throws SearchTooLong, and what it gives SearchUnwanted. */
  take(): Promise<void> | undefined {
    const now = performance.now();
    if (now >= this.#endsAtMs) throw new SearchTooLong();
    return now < this.#sliceEndsAtMs ? undefined : this.#rest();
  }

  /** Does something for the whole numbers from `from` up to `to`, some at a time. */
  async steps(from: number, to: number, work: (from: number, to: number) => void): Promise<void> {
    for (let start = from; start < to; start += stepSize) {
      const rest = this.take();
      if (rest !== undefined) await rest;
      work(start, Math.min(start + stepSize, to));
    }
  }

  /** Visits what is in a set, in ascending order. */
  each(bits: ReadonlyBits, visit: (index: number) => void): Promise<void> {
    return this.steps(0, bits.size, (from, to) => bits.each(visit, from, to));
  }

  /** Goes through work that is done in steps. */
  async through<Result>(work: Generator<void, Result>): Promise<Result> {
    for (;;) {
      const step = work.next();
      if (step.done === true) return step.value;
      const rest = this.take();
      if (rest !== undefined) await rest;
    }
  }

  async #rest(): Promise<void> {
    await setImmediate();
    // Nothing is heard of it in between.
    if (this.#signal?.aborted === true) throw new SearchUnwanted();
    const now = performance.now();
    this.#sliceEndsAtMs = now + (now < this.#isLongAtMs ? sliceMs : longSliceMs);
  }
}
