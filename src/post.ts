import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Child } from './child.ts';
import type { Stop } from './signals.ts';

/** A process that served this long before it ended is followed at once; after one that ended sooner there is a wait. */
const soundMs = 5000;
const waitMsMin = 100;
const waitMsMax = 1000;
/** A service manager tells all processes to end, this one at about the same time as the others. */
const togetherMs = 50;
/** Failed attempts of the first start, after which the platform does not start. */
const firstAttemptsMax = 3;

export interface PostOptions {
  /** Gives a process that is prepared; throws when it ended before. */
  readonly recruit: () => Promise<Child>;
  readonly log: Logger;
}

/** One place in which a process serves, and is followed by another one when it ends, until the post is given up. */
export class Post {
  readonly #options: PostOptions;
  #child: Child | undefined;
  #isGivenUp = false;
  #waitMs = waitMsMin;
  /** One thing at a time: whoever replaced a process while another one follows it would lose sight of one of them. */
  #changes: Promise<void> = Promise.resolve();

  constructor(options: PostOptions) {
    this.#options = options;
  }

  /** Resolves when a process serves; rejects when several in a row did not come so far. */
  start(): Promise<void> {
    return this.#inTurn(() => this.#fill(firstAttemptsMax));
  }

  /** Has another process serve before the present one stops. */
  replace(): Promise<void> {
    return this.#inTurn(async () => {
      const previous = this.#child;
      await this.#fill(Infinity);
      if (previous !== this.#child) await previous?.stop('gently');
    });
  }

  /** The process that serves, if there is one at the moment. */
  get child(): Child | undefined {
    return this.#child;
  }

  async giveUp(how: Stop): Promise<void> {
    this.#isGivenUp = true;
    await this.#child?.stop(how);
  }

  async #fill(attemptsMax: number): Promise<void> {
    for (let attempt = 1; !this.#isGivenUp; attempt += 1) {
      let child: Child | undefined;
      try {
        child = await this.#options.recruit();
        await child.serve();
      } catch (error) {
        if (attempt >= attemptsMax) throw error;
        if (!this.#isGivenUp) this.#options.log.error({ err: error }, 'a process could not be started');
        await this.#pause();
        continue;
      }
      this.#child = child;
      void this.#follow(child, performance.now());
      if (this.#isGivenUp) await child.stop('soon');
      return;
    }
  }

  async #follow(child: Child, servesSinceMs: number): Promise<void> {
    const reason = await child.over;
    await delay(togetherMs);
    if (this.#isGivenUp || this.#child !== child) return;
    this.#options.log.error({ childPid: child.pid, reason }, 'a process ended and is followed by another one');
    if (performance.now() - servesSinceMs > soundMs) this.#waitMs = waitMsMin;
    else await this.#pause();
    await this.#inTurn(async () => {
      if (this.#child === child) await this.#fill(Infinity);
    });
  }

  #inTurn(change: () => Promise<void>): Promise<void> {
    const done = this.#changes.then(change);
    this.#changes = done.catch(() => {});
    return done;
  }

  async #pause(): Promise<void> {
    await delay(this.#waitMs);
    this.#waitMs = Math.min(waitMsMax, this.#waitMs * 2);
  }
}
