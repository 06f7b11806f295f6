/** Random choices that a seed repeats (mulberry32). */
export interface Choices {
  /** A whole number from 0 up to, and without, this one. */
  below(count: number): number;
  chance(probability: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** From `min` to `max` of these, each at most once, in random order. */
  some<Item>(items: readonly Item[], min: number, max: number): Item[];
  /** An object with the member, or without it. */
  maybe<Members extends object>(probability: number, members: () => Members): Partial<Members>;
}

export function choicesOf(seed: number): Choices {
  let state = Math.imul(seed, 0x9e3779b1) | 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (count: number): number => Math.floor(next() * count);
  const chance = (probability: number): boolean => next() < probability;
  const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)]!;
  return {
    below,
    chance,
    pick,
    some: (items, min, max) => {
      const left = [...items];
      const count = Math.min(min + below(max - min + 1), left.length);
      return Array.from({ length: count }, () => left.splice(below(left.length), 1)[0]!);
    },
    maybe: (probability, members) => (chance(probability) ? members() : {}),
  };
}
