/** What one search may take. */

/** A search that takes longer than it may. */
export class SearchTooLong extends Error {
  constructor() {
    super('The search took longer than it may.');
  }
}

/** A search that nobody waits for any more. */
export class SearchUnwanted extends Error {
  constructor() {
    super('Nobody waits for what is found any more.');
  }
}

/** A search that counts, or answers with, more than it may. The message is for clients. */
export class SearchTooLarge extends Error {}

/** Different values that one facet counts. */
const facetValuesMax = 100_000;
/** Characters of the terms of all facets. */
const answerLengthMax = 8_000_000;

/** Throws SearchTooLarge. */
export function requireCountable(values: number): void {
  if (values > facetValuesMax)
    throw new SearchTooLarge(
      `A facet counts more than ${facetValuesMax} different values. Count those of another path.`,
    );
}

/** Throws SearchTooLarge for terms of these facets that are more than an answer has. */
export function requireAnswerable(terms: Iterable<string>): void {
  let length = 0;
  for (const term of terms) length += term.length;
  if (length > answerLengthMax)
    throw new SearchTooLarge(`The terms of the facets have more than ${answerLengthMax} characters.`);
}
