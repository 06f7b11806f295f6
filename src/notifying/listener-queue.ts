/**
 * Tells one listener what waits for it: of each resource one after the other, and of several resources at a time. What is not
 * taken is tried again after a second, then two, up to a minute. What is about other resources goes on meanwhile, until two of
 * them have failed since the last that was taken: then it is the listener that fails, which is tried with one at a time.
 */
import { Retries } from './retries.ts';
import { Removals } from './removals.ts';
import type { Health, Listener, NoticeQueue, Outcome, QueuedNotice, Receiver, Receivers } from './notices.ts';

/** Resources of which something is under way. */
const underWayMax = 64;
/** What was not taken for so long goes. */
const keptMs = 7 * 86_400_000;
/** What was taken longer ago may have been erased. */
const freshMs = 1000;
/** Between looks of one that nothing wakes. */
const pauseMsMax = 60_000;

/** What time it is, and how much has passed whatever becomes of that. */
export interface Times {
  date(): Date;
  elapsedMs(): number;
}

export interface ListenerQueueOptions {
  readonly of: Listener;
  readonly queue: NoticeQueue;
  readonly receivers: Receivers;
  readonly times: Times;
  /** Bytes that may be held before they are taken. The last that is taken may have more. */
  readonly bytesMax: () => number;
  /** Whether what is told is still for this process to tell. */
  readonly isHeld: () => boolean;
  readonly signal: AbortSignal;
}

type Failure = Extract<Outcome, { isDelivered: false }>;

export class ListenerQueue {
  readonly #options: ListenerQueueOptions;
  readonly #removals: Removals;
  /** What was taken, by resource, and has not begun yet. */
  readonly #taken = new Map<string, { readonly notices: QueuedNotice[]; readonly atMs: number }>();
  readonly #underWay = new Map<string, Promise<void>>();
  /** Of what was taken and is not off the queue yet. */
  #bytes = 0;
  readonly #retries: Retries;
  #receiver: Receiver | undefined;
  #health: Health | undefined;
  /** When something was taken for the last time, as far as this process knows. */
  #deliveredAtMs = -Infinity;
  #telling: Promise<void> = Promise.resolve();
  /** What the queue itself failed with. */
  #fault: { readonly error: unknown } | undefined;
  /** There may be more than was taken. */
  #isMore = true;
  #isAwake = false;
  #endPause = (): void => {};

  constructor(options: ListenerQueueOptions) {
    this.#options = options;
    this.#retries = new Retries(() => options.times.elapsedMs());
    this.#removals = new Removals((sequences) => options.queue.remove(options.of, sequences));
  }

  /** There may be more to tell, or another one to tell it. */
  wake(): void {
    this.#isMore = true;
    this.#continue();
  }

  /** Resolves when nothing waits any more, or nothing is to be told any more. */
  async run(): Promise<void> {
    const { signal } = this.#options;
    const end = (): void => this.#continue();
    signal.addEventListener('abort', end);
    try {
      while (this.#isToGoOn()) {
        this.#isAwake = false;
        if (this.#isMore && this.#hasRoom() && !(await this.#take())) return;
        this.#begin();
        if (!this.#isMore && this.#underWay.size + this.#taken.size + this.#retries.size === 0) return;
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

  #hasRoom(): boolean {
    return this.#taken.size < underWayMax && this.#bytes < this.#options.bytesMax();
  }

  /** False where nobody is told any more. */
  async #take(): Promise<boolean> {
    const { of, queue, receivers, times, bytesMax } = this.#options;
    await this.#telling;
    const before = this.#health;
    const receiver = await receivers.of(of);
    if (receiver === undefined) {
      await queue.drop(of, Infinity);
      return false;
    }
    // Somebody else says so, unless something has failed while that was read.
    if (receiver.isHealthy && before !== 'Healthy' && this.#health === before) {
      this.#retries.clear();
      this.#health = 'Healthy';
    }
    this.#receiver = receiver;
    this.#isMore = false;
    if (this.#retries.room() <= 0) return true;
    const known = [...this.#retries.resting(), ...this.#underWay.keys(), ...this.#taken.keys()];
    const atMs = times.elapsedMs();
    const taken = await queue.take(of, known, Math.max(1, bytesMax() - this.#bytes));
    this.#bytes += bytesOf(taken);
    for (const notice of taken) {
      const ofSubject = this.#taken.get(notice.subject);
      if (ofSubject === undefined) this.#taken.set(notice.subject, { notices: [notice], atMs });
      else ofSubject.notices.push(notice);
    }
    if (taken.length > 0) this.#isMore = true;
    else await this.#forgetDropped();
    return true;
  }

  async #forgetDropped(): Promise<void> {
    if (this.#retries.size === 0) return;
    this.#retries.forgetDue((subject) => this.#underWay.has(subject) || this.#taken.has(subject));
    if (this.#retries.size === 0 && this.#retries.isTaking) await this.#is('Healthy');
  }

  /** Begins what may begin. */
  #begin(): void {
    const room = Math.min(underWayMax, this.#retries.room());
    for (const [subject, { notices, atMs }] of this.#taken) {
      if (this.#underWay.size >= room) return;
      this.#taken.delete(subject);
      const telling = this.#tellAll(subject, notices, atMs)
        .catch((error: unknown) => {
          this.#fault ??= { error };
        })
        .finally(() => {
          this.#underWay.delete(subject);
          this.#bytes -= bytesOf(notices);
          // It was passed over while it was under way.
          this.wake();
        });
      this.#underWay.set(subject, telling);
    }
  }

  /** Of one resource, in order, up to the first that is not taken. It is under way until what was taken is off the queue. */
  async #tellAll(subject: string, notices: readonly QueuedNotice[], takenAtMs: number): Promise<void> {
    const { signal } = this.#options;
    const isLeft = this.#leftOf(notices, takenAtMs);
    let removed = Promise.resolve();
    try {
      for (const [index, notice] of notices.entries()) {
        if (!(await isLeft(index))) continue;
        if (!this.#isToGoOn()) return;
        const outcome = await this.#receiver!.send(notice, signal);
        // What was broken off says nothing of the listener.
        if (!outcome.isDelivered) return signal.aborted ? undefined : await this.#failed(notice, outcome);
        this.#deliveredAtMs = this.#options.times.date().getTime();
        removed = this.#removals.add(notice.sequence);
        // It is waited for in the end; until then a failure of it is not unhandled.
        removed.catch(() => {});
        this.#retries.succeeded(subject);
        if (this.#retries.size === 0) await this.#is('Healthy');
      }
    } finally {
      await removed;
    }
  }

  /** Whether each is still on the queue when it is its turn, as far as that was asked lately. */
  #leftOf(notices: readonly QueuedNotice[], takenAtMs: number): (index: number) => Promise<boolean> {
    const { of, queue, times } = this.#options;
    const sequences = notices.map(({ sequence }) => sequence);
    let left: ReadonlySet<string> = new Set(sequences);
    let askedAtMs = takenAtMs;
    return async (index) => {
      const nowMs = times.elapsedMs();
      if (nowMs - askedAtMs > freshMs) {
        left = new Set(await queue.among(of, sequences.slice(index)));
        askedAtMs = nowMs;
      }
      return left.has(sequences[index]!);
    };
  }

  async #failed(notice: QueuedNotice, { error }: Failure): Promise<void> {
    const { of, queue, times } = this.#options;
    this.#retries.failed(notice.subject);
    // It is taken anew when there is room for it.
    if (this.#retries.isOfAll) this.#giveBack();
    const endMs = times.date().getTime() - keptMs;
    const { misconfiguredSinceMs = Infinity } = this.#receiver!;
    const isStopping =
      error === 'ConfigurationError' &&
      // It has not failed in another way since that was known of it.
      (this.#health ?? error) === error &&
      Math.max(misconfiguredSinceMs, notice.atMs, this.#deliveredAtMs) <= endMs &&
      (this.#retries.isOfAll || !(await queue.hasOthers(of, notice.subject)));
    await this.#is(isStopping ? 'ConfigurationErrorDeliveryStopped' : error);
    if (notice.atMs <= endMs) await queue.drop(of, isStopping ? Infinity : endMs);
  }

  /** What has not begun is taken again later. */
  #giveBack(): void {
    for (const { notices } of this.#taken.values()) this.#bytes -= bytesOf(notices);
    this.#taken.clear();
  }

  /** Resolves when that is known. */
  #is(health: Health): Promise<void> {
    if (this.#health === health) return this.#telling;
    this.#health = health;
    return (this.#telling = this.#telling.then(() => this.#options.receivers.tell(this.#options.of, health)));
  }

  #continue(): void {
    this.#isAwake = true;
    this.#endPause();
  }

  /** Until something has ended, there is more, or the next try is due. */
  #pause(): Promise<void> {
    return new Promise((resolve) => {
      const canTake = this.#isMore && this.#hasRoom() && this.#retries.room() > this.#underWay.size;
      if (this.#isAwake || canTake || !this.#isToGoOn()) return resolve();
      const timer = setTimeout(
        () => {
          // What rested is found anew.
          this.#isMore = true;
          resolve();
        },
        Math.min(pauseMsMax, this.#retries.nextMs()),
      );
      this.#endPause = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

function bytesOf(notices: readonly QueuedNotice[]): number {
  return notices.reduce((sum, { payload }) => sum + Buffer.byteLength(payload), 0);
}
