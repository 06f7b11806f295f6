import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** How many times as long as it took others have the event loop after a heavy piece of work. */
const restFactor = 2;
const restMsMax = 50;

let last = Promise.resolve();
let waiting = 0;
let requests = 0;
/** The piece before: when it was done, and how long it took. */
let endedAtMs = 0;
let tookMs = 0;

/** Requests of which some may wait for what is heavy of others: each is told of once at its beginning and its end. */
export function requestBegins(): void {
  requests += 1;
}

export function requestEnds(): void {
  requests -= 1;
}

/**
 * A turn of the event loop for a piece of work that takes milliseconds. Each turn has one such piece, whoever it is for,
 * and while there are requests that ask for none, the next one waits twice as long as it took: a small request needs
 * several turns, most of which are then short ones, however many large requests there are beside it. Who has many pieces
 * asks for each when the one before is done, so that large requests take turns with each other.
 */
export function heavyTurn(): Promise<void> {
  waiting += 1;
  last = last.then(async () => {
    await nextTurn();
    const restMs = Math.min(restFactor * tookMs, restMsMax) - (performance.now() - endedAtMs);
    // A timer has no finer grain.
    if (requests > waiting && restMs >= 1) await pause(restMs);
    waiting -= 1;
    const startedAtMs = performance.now();
    setImmediate(() => {
      endedAtMs = performance.now();
      tookMs = endedAtMs - startedAtMs;
    });
  });
  return last;
}
