import { apiError, ownShareUsed } from '../errors/api-error.ts';
import type { Requester } from './context.ts';

/** In whose name something waits. */
export interface Claim {
  readonly name: string;
  /** Entries of this name that may run or wait at a time. */
  readonly entriesMax: number;
}

/** Places that those of one client, and those of one project, may take. */
export interface SharesMax {
  readonly ofClient: number;
  readonly ofProject: number;
}

/** The client of a request, for those who count what it takes. Projects may know clients by equal names. */
export function clientName({ project, principal }: Requester): string {
  return `${project.key} client ${principal.clientId}`;
}

/** What a request waits for in the name of its client, and in that of its project. */
export function claimsOf(requester: Requester, { ofClient, ofProject }: SharesMax): [Claim, Claim] {
  return [
    { name: clientName(requester), entriesMax: ofClient },
    { name: requester.project.key, entriesMax: ofProject },
  ];
}

export interface FairQueueLimits {
  readonly runningMax: number;
  readonly waitingMax: number;
  /** What whoever is refused is told, before it is told to try again. */
  readonly refusal: string;
}

type Wake = () => void;

/**
 * Places for work that is done a few at a time. Whoever waits has claims, and no claim takes more places than it may. The
 * first claim says who waits: whoever is next in turn, not whoever has sent the most, gets the place that becomes free.
 */
export class FairQueue {
  readonly #limits: FairQueueLimits;
  readonly #entries = new Map<string, number>();
  /** By the name of the first claim, in the order of the turns. */
  readonly #waiting = new Map<string, Wake[]>();
  #waitingCount = 0;
  #running = 0;

  constructor(limits: FairQueueLimits) {
    this.#limits = limits;
  }

  /** Resolves when the work may begin, with what ends it. Throws OverCapacity at once where there is no place. */
  async enter(claims: readonly [Claim, ...Claim[]]): Promise<() => void> {
    const { runningMax, waitingMax, refusal } = this.#limits;
    const isFree = this.#running < runningMax;
    const isOver = claims.some(({ name, entriesMax }) => (this.#entries.get(name) ?? 0) >= entriesMax);
    if (isOver) throw ownShareUsed(refusal);
    if (!isFree && this.#waitingCount >= waitingMax) throw apiError('OverCapacity', `${refusal} Try again later.`);
    for (const { name } of claims) this.#entries.set(name, (this.#entries.get(name) ?? 0) + 1);
    if (isFree) this.#running += 1;
    else await this.#turn(claims[0].name);
    return () => this.#leave(claims);
  }

  /** Does the work when its turn comes. */
  async run<T>(claims: readonly [Claim, ...Claim[]], work: () => Promise<T>): Promise<T> {
    const leave = await this.enter(claims);
    try {
      return await work();
    } finally {
      leave();
    }
  }

  #turn(name: string): Promise<void> {
    this.#waitingCount += 1;
    return new Promise((resolve) => {
      const others = this.#waiting.get(name);
      if (others === undefined) this.#waiting.set(name, [resolve]);
      else others.push(resolve);
    });
  }

  /** Whoever leaves hands its place on. */
  #leave(claims: readonly Claim[]): void {
    for (const { name } of claims) {
      const count = this.#entries.get(name)! - 1;
      if (count === 0) this.#entries.delete(name);
      else this.#entries.set(name, count);
    }
    const [next] = this.#waiting;
    if (next === undefined) {
      this.#running -= 1;
      return;
    }
    const [name, [first, ...others]] = next;
    // To the end of the turns.
    this.#waiting.delete(name);
    if (others.length > 0) this.#waiting.set(name, others);
    this.#waitingCount -= 1;
    first!();
  }
}
