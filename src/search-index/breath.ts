import { setImmediate } from 'node:timers/promises';
import { SearchTooLong, SearchUnwanted } from './limits.ts';

/** How long a search works before it gives way: one that has gone on for long gives way sooner, for short ones wait. */
const sliceMs = 5;
const longSliceMs = 1;
const longMs = 100;

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

  async #rest(): Promise<void> {
    await setImmediate();
    // Nothing is heard of it in between.
    if (this.#signal?.aborted === true) throw new SearchUnwanted();
    const now = performance.now();
    this.#sliceEndsAtMs = now + (now < this.#isLongAtMs ? sliceMs : longSliceMs);
  }
}
