import { apiError, ownShareUsed } from '../errors/api-error.ts';
import { RequestEnded, type Requester } from './context.ts';

/** In whose name something waits. */
export interface Claim {
  readonly name: string;
  /** Entries of this name that may run or wait at a time. */
  readonly entriesMax: number;
  /** Of these so many run at a time; without it all may. */
  readonly runningMax?: number;
}

/** Places that those of one client, and those of one project, may take, and how many of these may run at a time. */
export interface SharesMax {
  readonly ofClient: number;
  readonly ofProject: number;
  readonly runningOfClient?: number;
  readonly runningOfProject?: number;
}

/** The client of a request, for those who count what it takes. Projects may know clients by equal names. */
export function clientName({ project, principal }: Requester): string {
  return `${project.key} client ${principal.clientId}`;
}

/** What a request waits for in the name of its client, and in that of its project. */
export function claimsOf(requester: Requester, shares: SharesMax): [Claim, Claim] {
  const { ofClient, ofProject, runningOfClient = Infinity, runningOfProject = Infinity } = shares;
  return [
    { name: clientName(requester), entriesMax: ofClient, runningMax: runningOfClient },
    { name: requester.project.key, entriesMax: ofProject, runningMax: runningOfProject },
  ];
}

export interface FairQueueLimits {
  readonly runningMax: number;
  readonly waitingMax: number;
  /** What whoever is refused is told, before it is told to try again. */
  readonly refusal: string;
}

interface Waiting {
  readonly claims: Claims;
  wake(): void;
}

type Claims = readonly [Claim, ...Claim[]];

/** Places that those of one name have taken, and of these those that run. */
interface Taken {
  entries: number;
  running: number;
}

/**
 * Places for work that is done a few at a time. Whoever waits has claims, and no claim takes more places than it may. The
 * first claim says who waits: whoever is next in turn, not whoever has sent the most, gets the place that becomes free.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #taken = new Map<string, Taken>();
  /** By the name of the first claim, in the order of the turns. */
  readonly #waiting = new Map<string, Waiting[]>();
  #waitingCount = 0;
  #running = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /**
   * Resolves when the work may begin, with what ends it. Throws OverCapacity at once where there is no place, and
   * RequestEnded as soon as the signal comes before that.
   */
  async enter(claims: Claims, signal?: AbortSignal): Promise<() => void> {
    const { waitingMax, refusal } = this.#limits;
    if (signal?.aborted === true) throw new RequestEnded();
    const isFree = this.#mayRun(claims);
    const isOver = claims.some(({ name, entriesMax }) => (this.#taken.get(name)?.entries ?? 0) >= entriesMax);
    if (isOver) throw ownShareUsed(refusal);
    if (!isFree && this.#waitingCount >= waitingMax) throw apiError('OverCapacity', `${refusal} Try again later.`);
    for (const { name } of claims) this.#takenBy(name).entries += 1;
    if (isFree) this.#begin(claims);
    else await this.#turn(claims, signal);
    return () => this.#leave(claims);
  }

  /** Whether any work of this name runs or waits. */
  isTaken(name: string): boolean {
    return this.#taken.has(name);
  }

  /** Does the work when its turn comes. */
  async run<T>(claims: Claims, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const leave = await this.enter(claims, signal);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #mayRun(claims: Claims): boolean {
    if (this.#running >= this.#limits.runningMax) return false;
    return claims.every(({ name, runningMax = Infinity }) => (this.#taken.get(name)?.running ?? 0) < runningMax);
  }

  #begin(claims: Claims): void {
    this.#running += 1;
    for (const { name } of claims) this.#takenBy(name).running += 1;
  }

  #turn(claims: Claims, signal: AbortSignal | undefined): Promise<void> {
    const [{ name }] = claims;
    this.#waitingCount += 1;
    return new Promise((resolve, reject) => {
      const end = (): void => {
        this.#drop(name, waiting);
        reject(new RequestEnded());
      };
      const waiting: Waiting = {
        claims,
        wake: () => {
          signal?.removeEventListener('abort', end);
          resolve();
        },
      };
      signal?.addEventListener('abort', end, { once: true });
      const others = this.#waiting.get(name);
      if (others === undefined) this.#waiting.set(name, [waiting]);
      else others.push(waiting);
    });
  }

  /** Nobody waits for it any more. Behind it one may have waited that is let in sooner than it. */
  #drop(name: string, waiting: Waiting): void {
    const others = this.#waiting.get(name)!;
    others.splice(others.indexOf(waiting), 1);
    if (others.length === 0) this.#waiting.delete(name);
    this.#waitingCount -= 1;
    for (const claim of waiting.claims) this.#giveBack(claim);
    this.#wakeNext();
  }

  #leave(claims: Claims): void {
    this.#running -= 1;
    for (const claim of claims) {
      this.#takenBy(claim.name).running -= 1;
      this.#giveBack(claim);
    }
    this.#wakeNext();
  }

  /** The first in turn whose claims may take what is free. */
  #wakeNext(): void {
    for (const [name, [first, ...others]] of this.#waiting) {
      if (!this.#mayRun(first!.claims)) continue;
      // To the end of the turns.
      this.#waiting.delete(name);
      if (others.length > 0) this.#waiting.set(name, others);
      this.#waitingCount -= 1;
      this.#begin(first!.claims);
      return first!.wake();
    }
  }

  #giveBack({ name }: Claim): void {
    const taken = this.#takenBy(name);
    taken.entries -= 1;
    if (taken.entries === 0) this.#taken.delete(name);
  }

  #takenBy(name: string): Taken {
    let taken = this.#taken.get(name);
    if (taken === undefined) this.#taken.set(name, (taken = { entries: 0, running: 0 }));
    return taken;
  }
}
