import { setMaxListeners } from 'node:events';

/** Nobody asks why, and the reason that the system makes by default costs as much as a small answer. */
const ended = new Error('The request has ended.');

/** The end of a request, for what is done for it to hear of. Most requests are answered without that anybody listens. */
export class Ending {
  #controller: AbortController | undefined;
  #isOver = false;

  /** Aborted when the request is answered, its client has gone, or its time is over. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      // One for each query of the request that waits.
      setMaxListeners(0, this.#controller.signal);
      if (this.#isOver) this.#controller.abort(ended);
    }
    return this.#controller.signal;
  }

  end(): void {
    this.#isOver = true;
    this.#controller?.abort(ended);
  }
}
