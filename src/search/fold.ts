/**
 * Product suggestions on Meilisearch. Knows keywords, texts and indexes; Postgres is reached through the engine's
 * KeywordSource only, and no HTTP of the platform is spoken here.
 */

/**
 * The form in which texts are compared: composed, each code point in lower case on its own. Lower-casing a whole
 * string would break prefixes, for a final sigma depends on what follows. Blanks before a text say nothing.
 */
export function fold(text: string): string {
  let folded = '';
  for (const point of text.trimStart().normalize('NFC')) folded += point.toLowerCase();
  return folded.normalize('NFC').replaceAll('ς', 'σ');
}

export interface SearchKeyword {
  readonly text: string;
  readonly suggestTokenizer?: { readonly type: string; readonly inputs?: readonly string[] };
}

/** The texts whose prefixes find the keyword (specification 4.4), folded; those that another one starts with left out. */
export function candidatesOf({ text, suggestTokenizer }: SearchKeyword): readonly string[] {
  const texts = tokensOf(text, suggestTokenizer)
    .map(fold)
    .filter((token) => token !== '');
  const sorted = [...new Set(texts)].sort();
  // In this order a text stands right before those that start with it.
  return sorted.filter((token, index) => sorted[index + 1]?.startsWith(token) !== true);
}

function tokensOf(text: string, tokenizer: SearchKeyword['suggestTokenizer']): readonly string[] {
  switch (tokenizer?.type) {
    case 'whitespace':
      return text.split(/\s+/u);
    case 'custom':
      return tokenizer.inputs ?? [];
    default:
      return [text];
  }
}

/** Edits that a fuzzy input of this many code points may be away from a match. */
export function fuzzyLevel(length: number): number {
  return length <= 2 ? 0 : length <= 5 ? 1 : 2;
}

/**
 * The least optimal-string-alignment distance between `input` and any prefix of `candidate` (a swap of neighbors is
 * one edit), or `max + 1` when it is larger than `max`.
 */
export function prefixDistance(input: string, candidate: string, max: number): number {
  const wanted = [...input];
  // Prefixes longer than this need more than `max` insertions.
  const given = [...candidate].slice(0, wanted.length + max);
  let beforeLast: number[] = [];
  let last = Array.from({ length: wanted.length + 1 }, (_, index) => index);
  let best = last[wanted.length]!;
  for (let row = 1; row <= given.length; row += 1) {
    const current = [row];
    for (let column = 1; column <= wanted.length; column += 1) {
      const change = given[row - 1] === wanted[column - 1] ? 0 : 1;
      let distance = Math.min(last[column]! + 1, current[column - 1]! + 1, last[column - 1]! + change);
      if (row > 1 && column > 1 && given[row - 1] === wanted[column - 2] && given[row - 2] === wanted[column - 1]) {
        distance = Math.min(distance, beforeLast[column - 2]! + 1);
      }
      current.push(distance);
    }
    best = Math.min(best, current[wanted.length]!);
    beforeLast = last;
    last = current;
  }
  return Math.min(best, max + 1);
}
