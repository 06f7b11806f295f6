import { setImmediate as nextTurn } from 'node:timers/promises';

/** Turns of the event loop that others have while something is done. */
export async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  await work();
  isOver = true;
  await others;
  return turns;
}
