/** A word that is looked for. */
export interface Word {
  /** Folded, as `wordsOf` gives it. */
  readonly text: string;
  /** Edits that what is found may be away from it. */
  readonly distanceMax: number;
}

/** Words of one text that is looked for. */
export const wordsMax = 64;

/**
 * The words of a text in the form in which words compare: without accents, in lower case. A word is letters, digits and
 * the marks that belong to them; all else parts words.
 */
export function wordsOf(text: string): readonly string[] {
  return foldedWord(text).match(/[\p{L}\p{N}]+/gu) ?? [];
}

/** Marks are left out first, for in some scripts they stand within words. */
function foldedWord(text: string): string {
  return foldCase(text.normalize('NFKD').replace(/\p{M}+/gu, ''));
}

/** A text as it compares where the case of letters does not count. */
export function foldCase(text: string): string {
  // In lower case a sigma has another form at the end of a word.
  return text.normalize('NFC').toLowerCase().normalize('NFC').replaceAll('ς', 'σ');
}

/** Edits that a word may be away from a match where a request says no less (catalog 64). */
export function fuzzyLevelOf(word: string): number {
  const length = [...word].length;
  return length <= 2 ? 0 : length <= 5 ? 1 : 2;
}
