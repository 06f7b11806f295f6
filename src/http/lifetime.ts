import { setMaxListeners } from 'node:events';
import type { Requester } from '../engine/context.ts';
import { requestBegins, requestEnds, requestGoesOn, requestIsKnown } from '../engine/heavy-turns.ts';

/** Nobody asks why, and the reason that the system makes by default costs as much as a small answer. */
const ended = new Error('The request has ended.');

/**
 * A request from its beginning to its end, which what is done for it hears of. Most requests are answered without that
 * anybody listens. What others do that is heavy leaves room while it lasts.
 */
export class Lifetime {
  readonly startedAtMs = performance.now();
  #controller: AbortController | undefined;
  #isOver = false;
  #of: Requester | undefined;

  constructor() {
    requestBegins(this.startedAtMs);
  }

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

  /** Tells who sent the request, once that is known, and again where it is judged anew. */
  isOf(of: Requester): void {
    if (this.#isOver) return;
    if (this.#of === undefined) requestIsKnown(of, this.startedAtMs);
    else requestGoesOn(this.#of, of);
    this.#of = of;
  }

  end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    requestEnds(this.#of, performance.now());
    this.#controller?.abort(ended);
  }
}
