import type { Child } from './child.ts';

/** The processes that were just needed come first: loading another one takes a core for half a second. */
const refillMs = 2000;

/** Keeps one process that is prepared and waits, so that whoever needs one does not wait for modules to load. */
export class Reserve {
  readonly #fork: () => Child;
  #next: Child | undefined;
  #refill: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(fork: () => Child) {
    this.#fork = fork;
  }

  /** The process that waits, or a new one; resolves when it is prepared. Another one takes its place later. */
  async take(): Promise<Child> {
    if (this.#isClosed) throw new Error('No process is started while the platform is being stopped.');
    const child = this.#next ?? this.#fork();
    this.#next = undefined;
    this.#refillLater();
    await child.prepared();
    return child;
  }

  /** Lets go of the process that waits: the next ones have the program as it is on the disk by then. */
  async renew(): Promise<void> {
    const child = this.#next;
    this.#next = undefined;
    this.#refillLater();
    await child?.stop('soon');
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.renew();
    clearTimeout(this.#refill);
  }

  #refillLater(): void {
    clearTimeout(this.#refill);
    if (this.#isClosed) return;
    this.#refill = setTimeout(() => {
      const child = this.#fork();
      this.#next = child;
      void child.over.then(() => {
        if (this.#next !== child) return;
        this.#next = undefined;
        this.#refillLater();
      });
    }, refillMs);
  }
}
