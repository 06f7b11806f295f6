import { setImmediate as nextTurn } from 'node:timers/promises';

/** Turns of the event loop that others have while something is done, which may ask how many they were so far. */
export async function turnsDuring(work: (turnsSoFar: () => number) => Promise<void>): Promise<number> {
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  try {
    await work(() => turns);
  } finally {
    isOver = true;
  }
  await others;
  return turns;
}
