import { Random } from '../../src/demo/random.ts';

/** Random choices that a seed repeats. */
export interface Choices {
  /** A whole number below this one. */
  below(count: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Up to `countMax` items. */
  some<Item>(countMax: number, make: (index: number) => Item): Item[];
}

export function choicesOf(seed: number): Choices {
  const random = new Random(seed);
  const below = (count: number): number => random.integer(0, count - 1);
  return {
    below,
    chance: (probability) => random.chance(probability),
    pick: (items) => random.pick(items),
    some: (countMax, make) => Array.from({ length: below(countMax + 1) }, (_, index) => make(index)),
  };
}
