import { setImmediate as nextTurn } from 'node:timers/promises';

let last = Promise.resolve();

/**
 * A turn of the event loop for a piece of work that takes milliseconds. Each turn has one such piece, whoever it is for: a
 * small request needs several turns, and waits for as many pieces, however many large requests there are beside it. Who
 * has many pieces asks for each when the one before is done, so that large requests take turns with each other.
 */
export function heavyTurn(): Promise<void> {
  last = last.then(() => nextTurn());
  return last;
}
