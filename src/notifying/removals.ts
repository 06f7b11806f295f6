/** Takes what was taken off a queue: all that ends while one statement is under way goes with the next one. */
export class Removals {
  readonly #remove: (sequences: readonly string[]) => Promise<void>;
  #waiting: string[] = [];
  /** Of those that wait; undefined without any. */
  #next: Promise<void> | undefined;
  #running: Promise<void> = Promise.resolve();

  constructor(remove: (sequences: readonly string[]) => Promise<void>) {
    this.#remove = remove;
  }

  /** Resolves when it is off the queue. Those who add are as many as may be under way. */
  add(sequence: string): Promise<void> {
    this.#waiting.push(sequence);
    return (this.#next ??= this.#run());
  }

  async #run(): Promise<void> {
    await this.#running.catch(() => {});
    const sequences = this.#waiting;
    this.#waiting = [];
    this.#next = undefined;
    this.#running = this.#remove(sequences);
    await this.#running;
  }
}
