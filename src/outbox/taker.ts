import { randomUUID } from 'node:crypto';
import { type Lease, type Outbox, type QueuedChange, takenMax } from './outbox.ts';

/** Carries the changes of a topic elsewhere. */
export interface Consumer {
  readonly topic: string;
  /**
   * Resolves when the changes have taken effect; they are off the queue then. After a failure they come again, and so may
   * those of a process that lost its lease unawares, such as one that stood still: what must not be overtaken by that asks
   * for the lease where it takes effect. The lease is renewed for as long as this and `work` take.
   */
  consume(lease: Lease, changes: readonly QueuedChange[]): Promise<void>;
  /** What there is to do besides, after changes or of itself. */
  readonly further?: {
    /** Keys of the projects that need it. */
    due(): Promise<readonly string[]>;
    /** Some of it; tells whether there was anything to do. */
    work(lease: Lease): Promise<boolean>;
  };
}

/** A consumer throws it for what another process has to do, which it leaves the lease to. */
export class LeftToOthers extends Error {}

export interface TakerOptions {
  readonly outbox: Outbox;
  readonly consumer: Consumer;
  readonly log: { warn(details: object, message: string): void };
  /** By default well within the time that leases hold, for work may take longer. */
  readonly renewMs?: number;
}

export interface Taker {
  run(): void;
  /** Something was put on the queue: it is looked at now, and not at the next poll. */
  wake(): void;
  close(): Promise<void>;
}

/** Between passes that found nothing to do yet for projects that have changes. */
const waitMsMin = 20;
const waitMsMax = 200;
/**
 * Between takes of what a project has, but where more was there than is taken at a time: steady writes are carried on together,
 * and each at the price of a part. What comes after a quiet time is taken at once, or with the next of another project.
 */
const gatherMs = 100;
/** Between looks whether any project has changes, which is how those of other machines are found. */
const pollMs = 2000;
const renewMsDefault = 5000;
/** Changes of a project before something is made of them. */
const takenOfStepMax = 10 * takenMax;
const failureMsMin = 100;
const failureMsMax = 2000;

interface Pause {
  readonly ms: number;
  /** Nothing but the end ends it early. */
  readonly isFirm?: boolean;
}

/** When a project that failed has its next attempt. */
interface Retry {
  readonly delayMs: number;
  readonly atMs: number;
}

/**
 * Takes changes off the queue for one consumer, in order, each at least once. One process does it for a project at a time,
 * by a lease; projects that fail wait, and the others go on.
 */
export function createTaker({ outbox, consumer, log, renewMs = renewMsDefault }: TakerOptions): Taker {
  const { topic } = consumer;
  /** By project; one that is lost is found out where it is used. */
  const held = new Map<string, Lease>();
  const retries = new Map<string, Retry>();
  /** Projects of which another process has the lease, by when it is asked for again. */
  const elsewhere = new Map<string, number>();
  /** Projects of which all changes were taken, by when the next ones are. */
  const gathering = new Map<string, number>();
  const closing = new AbortController();
  let loop: Promise<void> = Promise.resolve();
  let waitMs = waitMsMin;
  let toldAtMs = -Infinity;
  let isAwake = false;
  let endPause = (): void => {};

  /** One pass over the projects that need one; gives how long nothing has to be done then, and whether `wake` ends that. */
  async function round(): Promise<Pause> {
    const [waiting, toWork] = await Promise.all([outbox.waiting(topic), consumer.further?.due()]);
    const due = new Set(toWork);
    const projects = new Set([...waiting, ...due]);
    for (const resting of [retries, elsewhere])
      for (const project of resting.keys()) if (!projects.has(project)) resting.delete(project);
    for (const [project, untilMs] of gathering) if (untilMs <= performance.now()) gathering.delete(project);
    const isGatheringOnly = (project: string): boolean => gathering.has(project) && !due.has(project);
    let hasWorked = false;
    for (const project of projects) {
      if (closing.signal.aborted) break;
      const restsUntilMs = retries.get(project)?.atMs ?? elsewhere.get(project) ?? -Infinity;
      if (restsUntilMs > performance.now() || isGatheringOnly(project)) continue;
      elsewhere.delete(project);
      try {
        const lease = await leaseOn(project);
        if (lease === undefined) elsewhere.set(project, performance.now() + pollMs);
        else if (await step(lease)) hasWorked = true;
        retries.delete(project);
      } catch (error) {
        retries.set(project, retryAfter(retries.get(project)));
        if (error instanceof LeftToOthers) await leave(project);
        tell(project, error);
      }
    }
    const isWaiting = projects.size > retries.size + elsewhere.size;
    const hasFound = hasWorked || gathering.size > 0;
    waitMs = isWaiting && !hasFound ? Math.min(waitMsMax, waitMs * 1.5) : waitMsMin;
    if (hasWorked) return { ms: 0 };
    if (gathering.size > 0) return { ms: Math.min(...gathering.values()) - performance.now(), isFirm: true };
    const nextMs = Math.min(...[...retries.values()].map(({ atMs }) => atMs), ...elsewhere.values());
    return { ms: Math.min(isWaiting ? waitMs : pollMs, nextMs - performance.now()) };
  }

  /** One line at a time, for what is down is mostly down for all projects, which each try again. */
  function tell(project: string, error: unknown): void {
    if (performance.now() - toldAtMs < failureMsMax) return;
    toldAtMs = performance.now();
    log.warn({ err: error, topic, project, failing: retries.size }, 'a consumer failed');
  }

  /** Undefined while another process has it. */
  async function leaseOn(project: string): Promise<Lease | undefined> {
    const own = held.get(project);
    if (own !== undefined && (await outbox.renew(own))) return own;
    held.delete(project);
    const lease = { project, topic, holder: randomUUID() };
    if (!(await outbox.hold(lease))) return undefined;
    held.set(project, lease);
    return lease;
  }

  /** Where that fails the lease ends by itself. */
  async function leave(project: string): Promise<void> {
    const own = held.get(project);
    held.delete(project);
    if (own !== undefined) await outbox.release(own).catch(() => {});
  }

  /** What there is for a project whose lease is held; tells whether there may be more. */
  async function step(lease: Lease): Promise<boolean> {
    // One that fails leaves the lease to whoever comes; what has to be done under it will be told.
    const renewal = setInterval(() => void outbox.renew(lease).catch(() => {}), renewMs);
    try {
      let taken = 0;
      let isMore = !gathering.has(lease.project);
      // What is behind takes more before its work, which is mostly cheaper for many changes together.
      while (isMore && taken < takenOfStepMax && !closing.signal.aborted) {
        const changes = await outbox.take(lease);
        if (changes.length > 0) {
          await consumer.consume(lease, changes);
          await outbox.remove(lease, changes);
        }
        taken += changes.length;
        isMore = changes.length === takenMax;
      }
      if (taken > 0 && !isMore) gathering.set(lease.project, performance.now() + gatherMs);
      const hasWorked = (await consumer.further?.work(lease)) ?? false;
      return hasWorked || isMore;
    } finally {
      clearInterval(renewal);
    }
  }

  async function runLoop(): Promise<void> {
    let failure: Retry | undefined;
    while (!closing.signal.aborted) {
      isAwake = false;
      try {
        const next = await round();
        failure = undefined;
        if (next.ms > 0) await pause(next);
      } catch (error) {
        failure = retryAfter(failure);
        log.warn({ err: error, topic, retryInMs: failure.delayMs }, 'the queue could not be looked at');
        await pause({ ms: failure.delayMs });
      }
    }
    await Promise.allSettled([...held.values()].map((lease) => outbox.release(lease)));
  }

  /** Ends early when the taker is closed, or unless it is firm, woken since the pass before began. */
  function pause({ ms, isFirm = false }: Pause): Promise<void> {
    return new Promise((resolve) => {
      const isOver = (): boolean => closing.signal.aborted || (isAwake && !isFirm);
      if (isOver()) return resolve();
      const timer = setTimeout(resolve, ms);
      endPause = () => {
        if (!isOver()) return;
        clearTimeout(timer);
        resolve();
      };
    });
  }

  function wake(): void {
    isAwake = true;
    endPause();
  }

  return {
    run: () => {
      loop = runLoop();
    },
    wake,
    close: async () => {
      closing.abort();
      wake();
      await loop;
    },
  };
}

function retryAfter(before: Retry | undefined): Retry {
  const delayMs = before === undefined ? failureMsMin : Math.min(failureMsMax, before.delayMs * 2);
  return { delayMs, atMs: performance.now() + delayMs };
}
