import { setTimeout as delay } from 'node:timers/promises';
import type { Requester, RequestContext } from '../context.ts';
import { FairQueue } from '../fair-queue.ts';
import type { Write } from '../store.ts';

type Resource = Pick<Write, 'kind' | 'id'>;

/** Of those who take turns, whoever has one included, at a resource and in a project; and of those who wait in all. */
const turnsOfOneMax = 1000;
const turnsOfProjectMax = 2048;
const waitingMax = 4096;
/** Before another attempt, by the number of those that rivals came before who take no turns, as in other processes. */
const pauseMsMax = 10;

const queue = new FairQueue({
  runningMax: Infinity,
  waitingMax,
  refusal: 'Too many requests write the same resource.',
});

/**
 * The way past rivals of who writes what no client gave the version of: what goes along with a commit, such as the product of
 * many reviews, or the product that a picture is uploaded to. Who has come too late for a resource takes turns at it with the
 * others of this process, so that one at a time plans what the next would only have to plan again; those of other processes
 * come at different times after pauses.
 */
export class Contention {
  readonly #context: Pick<RequestContext, 'signal'> & Requester;
  #held: { readonly name: string; leave(): void; attempts: number } | undefined;

  constructor(context: Pick<RequestContext, 'signal'> & Requester) {
    this.#context = context;
  }

  /** The first of these at which others take turns; undefined for one that has a turn itself. */
  behind<R extends Resource>(resources: Iterable<R>): R | undefined {
    if (this.#held !== undefined) return undefined;
    for (const resource of resources) if (queue.isTaken(this.#nameOf(resource))) return resource;
    return undefined;
  }

  /** Resolves when it is to be tried again. Throws OverCapacity where too many wait, and RequestEnded. */
  async next(resource: Resource): Promise<void> {
    const name = this.#nameOf(resource);
    if (this.#held?.name === name) {
      this.#held.attempts += 1;
      return delay(Math.random() * this.#held.attempts * pauseMsMax);
    }
    // With two at a time they would wait for one another.
    this.end();
    const ofProject = { name: this.#context.project.key, entriesMax: turnsOfProjectMax };
    const leave = await queue.enter(
      [{ name, entriesMax: turnsOfOneMax, runningMax: 1 }, ofProject],
      this.#context.signal,
    );
    this.#held = { name, leave, attempts: 0 };
  }

  end(): void {
    this.#held?.leave();
    this.#held = undefined;
  }

  #nameOf({ kind, id }: Resource): string {
    return `${this.#context.project.key} ${kind} ${id}`;
  }
}
