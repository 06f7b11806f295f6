/** When what a listener did not take is tried again. */

const restMsMin = 1000;
const restMsMax = 60_000;
/** Resources that wait for another try; with so many others are tried one at a time. */
const failingMax = 1000;

/** Tries that failed in a row, and when the next one is. */
interface Retry {
  readonly count: number;
  readonly atMs: number;
}

export class Retries {
  readonly #nowMs: () => number;
  /** By resource. */
  readonly #failing = new Map<string, Retry>();
  /** Resources that failed since something was taken. */
  readonly #failedSince = new Set<string>();
  #ofAll: Retry | undefined;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Resources that failed. */
  get size(): number {
    return this.#failing.size;
  }

  /** Nothing has failed since something was taken. */
  get isTaking(): boolean {
    return this.#failedSince.size === 0;
  }

  /** It is the listener that fails, whatever the resource. */
  get isOfAll(): boolean {
    return this.#failedSince.size > 1;
  }

  failed(subject: string): void {
    const nowMs = this.#nowMs();
    this.#failing.set(subject, laterThan(this.#failing.get(subject), nowMs));
    if (this.#failedSince.size < failingMax) this.#failedSince.add(subject);
    // Those that were under way together fail as one.
    if (this.#ofAll === undefined || this.#ofAll.atMs <= nowMs) this.#ofAll = laterThan(this.#ofAll, nowMs);
  }

  succeeded(subject: string): void {
    this.#failing.delete(subject);
    this.#failedSince.clear();
    this.#ofAll = undefined;
  }

  clear(): void {
    this.#failing.clear();
    this.#failedSince.clear();
    this.#ofAll = undefined;
  }

  /** Of those that may be tried, but for the ones that are being tried, nothing waits any more: it was dropped. */
  forgetDue(isUnderWay: (subject: string) => boolean): void {
    const nowMs = this.#nowMs();
    for (const [subject, { atMs }] of this.#failing)
      if (atMs <= nowMs && !isUnderWay(subject)) this.#failing.delete(subject);
  }

  /** Those that are not to be tried now. */
  resting(): readonly string[] {
    const nowMs = this.#nowMs();
    return [...this.#failing].filter(([, { atMs }]) => atMs > nowMs).map(([subject]) => subject);
  }

  /** Of how many resources something may be under way. */
  room(): number {
    if (this.isOfAll) return this.#ofAll!.atMs > this.#nowMs() ? 0 : 1;
    return this.#failing.size < failingMax ? Infinity : 1;
  }

  /** Until something may be tried that may not be now. */
  nextMs(): number {
    const nowMs = this.#nowMs();
    const all = this.isOfAll ? [this.#ofAll!] : [...this.#failing.values()];
    return Math.min(...all.map(({ atMs }) => atMs - nowMs).filter((ms) => ms > 0));
  }
}

function laterThan(before: Retry | undefined, nowMs: number): Retry {
  const count = (before?.count ?? 0) + 1;
  return { count, atMs: nowMs + Math.min(restMsMax, restMsMin * 2 ** (count - 1)) };
}
