import type { Test } from 'tap';

export interface StoppedClock {
  /** Lets so much time pass: what is due meanwhile runs in its order, and what it brings about before what is due later. */
  goOn(ms: number): Promise<void>;
}

/** The longest that a timer may have. */
const neverMs = 2 ** 31 - 1;

/**
 * Stops time for the rest of a test, as `performance.now` and `setTimeout` tell it, so that nothing depends on how busy the
 * machine is. It is not for tests that wait for other processes meanwhile.
 */
export function stopClock(t: Test): StoppedClock {
  let nowMs = performance.now();
  const due = new Map<unknown, { readonly atMs: number; readonly run: () => void }>();
  const { setTimeout: start, clearTimeout: clear } = globalThis;
  t.capture(performance, 'now', () => nowMs);
  t.capture(globalThis, 'setTimeout', ((run: (...given: unknown[]) => void, ms = 0, ...given: unknown[]) => {
    const timer = start(() => {}, neverMs);
    due.set(timer, { atMs: nowMs + ms, run: () => run(...given) });
    return timer;
  }) as typeof setTimeout);
  const forget = (timer?: NodeJS.Timeout | string | number): void => {
    due.delete(timer);
    clear(timer);
  };
  t.capture(globalThis, 'clearTimeout', forget);
  t.teardown(() => [...due.keys()].forEach((timer) => clear(timer as NodeJS.Timeout)));
  return {
    goOn: async (ms) => {
      const endMs = nowMs + ms;
      for (;;) {
        const [next] = [...due].filter(([, { atMs }]) => atMs <= endMs).sort(([, a], [, b]) => a.atMs - b.atMs);
        if (next === undefined) break;
        const [timer, { atMs, run }] = next;
        forget(timer as NodeJS.Timeout);
        nowMs = Math.max(nowMs, atMs);
        run();
        await turnOver();
      }
      nowMs = endMs;
    },
  };
}

/** Resolves when what was ready to run has run, and what that has put off to the next turn of the event loop. */
export async function turnOver(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await new Promise((resolve) => setImmediate(resolve));
}
