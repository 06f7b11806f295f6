/** Words that products of the demo shop have, for which it makes suggestions. */
export const words = ['sturdy', 'pocket', 'tent', 'multi', 'wool', 'float', 'tea', 'lamp', 'knife', 'bottle'];

/** A word and the beginning of another, as somebody types who goes on: another for each of the first 300. */
export function typed(number: number): string {
  const first = words[number % words.length]!;
  const pair = Math.floor(number / words.length);
  const second = words[pair % words.length]!;
  return `${first} ${second.slice(0, 1 + (Math.floor(pair / words.length) % second.length))}`;
}
