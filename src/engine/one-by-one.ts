import { heavyBytes } from './heavy-turns.ts';

/** Bytes of resources that are soon copied and written. */
const smallBytes = 16 * 1024;
/** What waits until it may begin. */
const waiting: (() => void)[] = [];
let isTaken = false;

/**
 * Begins the work on a resource of so many bytes when the work before it is done, or waits for something else, such as the
 * database. What was read for many requests at once would be worked on by all of them in turns otherwise, and the documents
 * of all of them would be there together, to be moved about by each collection of garbage. Small resources and heavy ones,
 * which have turns of their own, do not wait.
 */
export async function oneByOne<T>(bytes: number, work: () => Promise<T>): Promise<T> {
  if (bytes <= smallBytes || bytes > heavyBytes) return work();
  if (isTaken) await new Promise<void>((resolve) => waiting.push(resolve));
  isTaken = true;
  let hasLeft = false;
  const leave = (): void => {
    if (hasLeft) return;
    hasLeft = true;
    const next = waiting.shift();
    if (next === undefined) isTaken = false;
    else next();
  };
  // Work that is under way when the event loop goes round waits for something.
  const goingRound = setImmediate(leave);
  try {
    return await work();
  } finally {
    clearImmediate(goingRound);
    leave();
  }
}
