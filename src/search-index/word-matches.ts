import type { Word } from '../product-search/words.ts';
import { Bits } from './bits.ts';
import type { Breath } from './breath.ts';
import type { Column } from './column.ts';
import { editDistance } from './edit-distance.ts';

/** The values of a column of words that a word means, by how many edits they are away from it. */
export type WordMatches = readonly Bits[];

/** `isPrefix`: the word is the beginning of those that are meant. */
export async function wordMatches(
  { dictionary }: Column,
  { text, distanceMax }: Word,
  { isPrefix, breath }: { isPrefix: boolean; breath: Breath },
): Promise<WordMatches> {
  const levels = Array.from({ length: distanceMax + 1 }, () => new Bits(dictionary.size));
  const [exact] = levels as [Bits, ...Bits[]];
  if (isPrefix) {
    exact.addRange(...dictionary.startingWith(text));
    return levels;
  }
  if (distanceMax === 0) {
    const ordinal = dictionary.find(text);
    if (ordinal !== undefined) exact.add(ordinal);
    return levels;
  }
  await breath.steps(...dictionary.texts, (from, to) => {
    for (let ordinal = from; ordinal < to; ordinal += 1)
      levels[editDistance(text, String(dictionary.at(ordinal)), distanceMax)]?.add(ordinal);
  });
  return levels;
}

/** How near a word is that is this many edits away. */
export function closeness(distance: number): number {
  return 2 ** -distance;
}
