/**
 * Tells one listener what waits for it: of each resource one after the other, and of several resources at a time. What is not
 * taken is tried again after a second, then two, up to a minute. What is about other resources goes on meanwhile, until two of
 * them have failed since the last that was taken: then it is the listener that fails, which is tried with one at a time.
 */
import type { Health, Listener, NoticeQueue, Outcome, QueuedNotice, Receiver, Receivers } from './notices.ts';

/** Resources of which something is under way. */
const underWayMax = 8;
const retryMsMin = 1000;
const retryMsMax = 60_000;
/** Resources that wait for another try; more wait with them. */
const failingMax = 1000;
/** What was not taken for so long goes. */
const keptMs = 7 * 86_400_000;

export interface ListenerQueueOptions {
  readonly of: Listener;
  readonly queue: NoticeQueue;
  readonly receivers: Receivers;
  readonly clock: () => Date;
  /** Whether what is told is still for this process to tell. */
  readonly isHeld: () => boolean;
  readonly signal: AbortSignal;
}

/** Tries that failed in a row, and when the next one is. */
interface Retry {
  readonly count: number;
  readonly atMs: number;
}

type Failure = Extract<Outcome, { isDelivered: false }>;

export class ListenerQueue {
  readonly #options: ListenerQueueOptions;
  /** By resource. */
  readonly #underWay = new Map<string, Promise<void>>();
  readonly #failing = new Map<string, Retry>();
  /** Resources that failed since something was taken. */
  readonly #failedSince = new Set<string>();
  #retry: Retry | undefined;
  #health: Health | undefined;
  /** What the queue itself failed with. */
  #fault: { readonly error: unknown } | undefined;
  #isAwake = false;
  #endPause = (): void => {};

  constructor(options: ListenerQueueOptions) {
    this.#options = options;
  }

  /** There may be more to tell. */
  wake(): void {
    this.#isAwake = true;
    this.#endPause();
  }

  /** Resolves when nothing waits any more, or nothing is to be told any more. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    const end = (): void => this.wake();
    signal.addEventListener('abort', end);
    try {
      while (this.#isToGoOn()) {
        this.#isAwake = false;
        const isLeft = await this.#fill();
        if (!isLeft && this.#underWay.size === 0) return;
        await this.#pause();
        if (this.#fault !== undefined) throw this.#fault.error;
      }
    } finally {
      signal.removeEventListener('abort', end);
      await Promise.all(this.#underWay.values());
    }
  }

  #isToGoOn(): boolean {
    return !this.#options.signal.aborted && this.#options.isHeld();
  }

  /** Begins what may begin; tells whether something waits that did not. */
  async #fill(): Promise<boolean> {
    const { of, queue, receivers } = this.#options;
    const nowMs = performance.now();
    const room = this.#room(nowMs);
    if (room <= 0) return true;
    const receiver = await receivers.of(of);
    if (receiver === undefined) {
      await queue.drop(of, Infinity);
      return false;
    }
    const resting = [...this.#failing].filter(([, { atMs }]) => atMs > nowMs).map(([subject]) => subject);
    const taken = await queue.take(of, [...resting, ...this.#underWay.keys()]);
    const subjects = [...new Set(taken.map(({ subject }) => subject))];
    for (const subject of subjects.slice(0, room)) {
      const notices = taken.filter((notice) => notice.subject === subject);
      const telling = this.#tellAll(receiver, notices)
        .catch((error: unknown) => {
          this.#fault ??= { error };
        })
        .finally(() => {
          this.#underWay.delete(subject);
          this.wake();
        });
      this.#underWay.set(subject, telling);
    }
    return taken.length > 0 || resting.length > 0;
  }

  /** For how many resources more something may begin. */
  #room(nowMs: number): number {
    if (this.#retry !== undefined && this.#failedSince.size > 1) {
      if (this.#retry.atMs > nowMs) return 0;
      return 1 - this.#underWay.size;
    }
    return this.#failing.size >= failingMax ? 0 : underWayMax - this.#underWay.size;
  }

  /** Of one resource, in order, up to the first that is not taken. */
  async #tellAll(receiver: Receiver, notices: readonly QueuedNotice[]): Promise<void> {
    const { of, queue, signal } = this.#options;
    for (const notice of notices) {
      if (!this.#isToGoOn()) return;
      const outcome = await receiver.send(notice, signal).catch((error: unknown): Outcome => {
        return { isDelivered: false, error: 'TemporaryError', why: String(error) };
      });
      // What was broken off says nothing of the listener.
      if (!outcome.isDelivered) return signal.aborted ? undefined : this.#failed(notice, outcome);
      await queue.remove(of, [notice.sequence]);
      this.#failing.delete(notice.subject);
      this.#failedSince.clear();
      this.#retry = undefined;
      if (this.#failing.size === 0) await this.#is('Healthy');
    }
  }

  async #failed(notice: QueuedNotice, { error }: Failure): Promise<void> {
    const { of, queue, clock } = this.#options;
    const nowMs = performance.now();
    this.#failing.set(notice.subject, laterThan(this.#failing.get(notice.subject), nowMs));
    this.#failedSince.add(notice.subject);
    // Those that were under way together fail as one.
    if (this.#retry === undefined || this.#retry.atMs <= nowMs) this.#retry = laterThan(this.#retry, nowMs);
    const endMs = clock().getTime() - keptMs;
    if (notice.atMs > endMs) return this.#is(error);
    if (error === 'TemporaryError') {
      await queue.drop(of, endMs);
      return this.#is(error);
    }
    await this.#is('ConfigurationErrorDeliveryStopped');
    await queue.drop(of, Infinity);
  }

  async #is(health: Health): Promise<void> {
    if (this.#health === health) return;
    await this.#options.receivers.tell(this.#options.of, health);
    this.#health = health;
  }

  /** Until something has ended, there is more, or the next try is due. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      if (this.#isAwake || !this.#isToGoOn()) return resolve();
      const nowMs = performance.now();
      const times = [...this.#failing.values(), ...(this.#retry === undefined ? [] : [this.#retry])]
        .map(({ atMs }) => atMs - nowMs)
        .filter((ms) => ms > 0);
      const timer = setTimeout(resolve, Math.min(retryMsMax, ...times));
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function laterThan(before: Retry | undefined, nowMs: number): Retry {
  const count = (before?.count ?? 0) + 1;
  return { count, atMs: nowMs + Math.min(retryMsMax, retryMsMin * 2 ** (count - 1)) };
}
