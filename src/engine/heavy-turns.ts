import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';

/** How many times as long as it took others have the event loop after a heavy piece of work. */
const restFactor = 2;
const restMsMax = 50;
/** A request that is under way for longer waits for something else than the event loop. */
const smallMsMax = 100;

type Start = () => void;

/** What waits for a turn, by whose it is; whoever is next comes first. */
const line = new Map<object, Start[]>();
let isRunning = false;
let requests = 0;
let lastBeganAtMs = -Infinity;

/** Requests of which some may wait for what is heavy of others: each is told of once at its beginning and its end. */
export function requestBegins(atMs: number): void {
  requests += 1;
  lastBeganAtMs = atMs;
}

export function requestEnds(): void {
  requests -= 1;
}

/**
 * A turn of the event loop for a piece of work that takes milliseconds, of a request or whatever else stands for it. Each
 * turn has one such piece. While there are requests that ask for none, the next one waits twice as long as the last one
 * took: a small request needs several turns, most of which are then short, however many large requests there are beside
 * it. Requests take turns, however many pieces each asks for at once.
 */
export function heavyTurn(of: object): Promise<void> {
  return new Promise((resolve) => {
    const own = line.get(of);
    if (own === undefined) line.set(of, [resolve]);
    else own.push(resolve);
    if (!isRunning) void run();
  });
}

async function run(): Promise<void> {
  isRunning = true;
  await nextTurn();
  for (let [next] = line; next !== undefined; [next] = line) {
    const [of, [start, ...others]] = next;
    // To the end of the line.
    line.delete(of);
    if (others.length > 0) line.set(of, others);
    const startedAtMs = performance.now();
    start!();
    await nextTurn();
    const restMs = Math.min(restFactor * (performance.now() - startedAtMs), restMsMax);
    // A timer has no finer grain.
    if (restMs >= 1 && mayKeepWaiting()) await pause(restMs);
  }
  isRunning = false;
}

/** Whether there are more requests than those that wait here, of which one has come so late that it may be small. */
function mayKeepWaiting(): boolean {
  return requests > line.size && performance.now() - lastBeganAtMs < smallMsMax;
}
