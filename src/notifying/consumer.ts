/**
 * Tells those who hear of writes what waits for them. One process at a time does so for a project, under a lease, and each
 * listener has a queue of its own there, so that one that fails or hangs holds up nobody. It is a taker without an outbox: what
 * waits is looked for.
 */
import { setMaxListeners } from 'node:events';
import type { Lease, Outbox } from '../outbox/outbox.ts';
import type { Consumer } from '../outbox/taker.ts';
import { ListenerQueue, type ListenerQueueOptions, type Times } from './listener-queue.ts';
import type { NoticeQueue, Receivers } from './notices.ts';

export interface NoticeOptions {
  readonly queue: NoticeQueue;
  readonly receivers: Receivers;
  readonly outbox: Pick<Outbox, 'renew'>;
  /** By which what is not taken is tried again, and goes after days. */
  readonly times: Times;
  readonly log: { warn(details: object, message: string): void };
}

/** A lease holds 15 s for others. */
const renewMs = 4000;
const heldMs = 12_000;
/** Bytes that are taken for one listener, as long as all of them together have no more than that. */
const listenerBytesMax = 1024 * 1024;
const allBytesMax = 64 * 1024 * 1024;
/** What is under way when the process leaves is broken off after that. */
const leaveMs = 2000;

export interface NoticeConsumer extends Consumer {
  /** Before the lease is given up. */
  close(): Promise<void>;
}

export function createNoticeConsumer(options: NoticeOptions): NoticeConsumer {
  const { queue, log } = options;
  const running = new Map<string, ProjectQueues>();
  let isClosed = false;
  /** Each has its share, so that those who hang leave the others theirs. */
  const bytesOfEach = (): number => {
    const listeners = [...running.values()].reduce((sum, { size }) => sum + size, 0);
    return Math.min(listenerBytesMax, allBytesMax / Math.max(1, listeners));
  };
  return {
    topic: 'notices',
    consume: () => Promise.resolve(),
    further: {
      due: async () => {
        const waiting = await queue.projects();
        for (const project of waiting) running.get(project)?.wake();
        return waiting.filter((project) => !running.has(project));
      },
      work: (lease) => {
        const { project } = lease;
        if (isClosed || running.has(project)) return Promise.resolve(false);
        const queues = new ProjectQueues({ ...options, bytesMax: bytesOfEach }, lease);
        running.set(project, queues);
        void queues
          .run()
          .catch((error: unknown) => log.warn({ err: error, project }, 'notices could not be told'))
          .finally(() => running.delete(project));
        return Promise.resolve(false);
      },
    },
    close: async () => {
      isClosed = true;
      await Promise.all([...running.values()].map((queues) => queues.close()));
    },
  };
}

type ProjectOptions = NoticeOptions & Pick<ListenerQueueOptions, 'bytesMax'>;

/** The queues of the listeners of a project, for as long as something waits in one of them and the lease holds. */
class ProjectQueues {
  readonly #options: ProjectOptions;
  readonly #lease: Lease;
  readonly #queues = new Map<string, ListenerQueue>();
  readonly #runs = new Set<Promise<void>>();
  readonly #leaving = new AbortController();
  #heldAtMs = performance.now();
  #isClosing = false;
  #hasMore = false;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: ProjectOptions, lease: Lease) {
    this.#options = options;
    this.#lease = lease;
    // As many listen as notices are under way.
    setMaxListeners(0, this.#leaving.signal);
  }

  /** Listeners that are told. */
  get size(): number {
    return this.#queues.size;
  }

  wake(): void {
    this.#hasMore = true;
    for (const queue of this.#queues.values()) queue.wake();
    // Listeners that had nothing so far are found beside those that run.
    void this.#find().catch(() => {});
  }

  run(): Promise<void> {
    this.#ended = this.#runAll();
    return this.#ended;
  }

  async #runAll(): Promise<void> {
    const renewal = setInterval(() => void this.#renew(), renewMs);
    try {
      do {
        this.#hasMore = false;
        await this.#find();
        while (this.#runs.size > 0) await Promise.race(this.#runs);
      } while (this.#hasMore && this.#isHeld());
    } finally {
      clearInterval(renewal);
    }
  }

  /** Starts the queues of listeners for whom something waits. */
  async #find(): Promise<void> {
    const { queue, receivers, times, bytesMax, log } = this.#options;
    const { project } = this.#lease;
    for (const listener of await queue.listeners(project)) {
      if (this.#queues.has(listener) || !this.#isHeld()) continue;
      const of = { project, listener };
      const isHeld = (): boolean => this.#isHeld();
      const own = new ListenerQueue({
        of,
        queue,
        receivers,
        times,
        bytesMax,
        isHeld,
        signal: this.#leaving.signal,
      });
      this.#queues.set(listener, own);
      const run: Promise<void> = own
        .run()
        .catch((error: unknown) => log.warn({ err: error, project, listener }, 'a listener could not be told'))
        .finally(() => {
          this.#queues.delete(listener);
          this.#runs.delete(run);
        });
      this.#runs.add(run);
    }
  }

  #isHeld(): boolean {
    return !this.#isClosing && performance.now() - this.#heldAtMs < heldMs;
  }

  /** One that fails leaves the lease to whoever comes. */
  async #renew(): Promise<void> {
    const beganMs = performance.now();
    const isHeld = await this.#options.outbox.renew(this.#lease).catch(() => undefined);
    if (isHeld === true) this.#heldAtMs = beganMs;
    else if (isHeld === false) this.#heldAtMs = -Infinity;
    // Another process begins with what is under way here.
    if (!this.#isHeld()) this.#leaving.abort();
  }

  /** What is under way has some time to end. */
  async close(): Promise<void> {
    this.#isClosing = true;
    for (const queue of this.#queues.values()) queue.wake();
    const late = setTimeout(() => this.#leaving.abort(), leaveMs);
    await this.#ended.catch(() => {});
    clearTimeout(late);
  }
}
