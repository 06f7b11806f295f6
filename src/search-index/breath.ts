import { setImmediate } from 'node:timers/promises';

/** A search that takes longer than it may. */
export class SearchTooLong extends Error {
  constructor() {
    super('The search took longer than it may.');
  }
}

const sliceMs = 5;

/** Has long work give way to other work, and end when it is late or nobody waits for it. */
export class Breath {
  readonly #endsAtMs: number;
  #sliceEndsAtMs = performance.now() + sliceMs;

  constructor(timeoutMs: number) {
    this.#endsAtMs = performance.now() + timeoutMs;
  }

  /** Undefined as long as it is not time for others. */
  take(): Promise<void> | undefined {
    const now = performance.now();
    return now < this.#sliceEndsAtMs ? undefined : this.#rest(now);
  }

  async #rest(now: number): Promise<void> {
    if (now > this.#endsAtMs) throw new SearchTooLong();
    await setImmediate();
    this.#sliceEndsAtMs = performance.now() + sliceMs;
  }
}
