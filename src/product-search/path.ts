/** Where values of a path are: at the product, at each of its variants, or at each price of a variant. */
export type Scope = 'product' | 'variant' | 'price';

/**
 * How the values of a path compare. Documents hold dates, times and moments as texts of one form each, which compare as
 * they do. Order hints are texts as well (`decimal`): a number would lose digits of theirs. Attributes whose type a
 * language does not tell are `any`: what is compared with them says what it is.
 */
export type ValueClass = 'keyword' | 'text' | 'number' | 'decimal' | 'boolean' | 'date' | 'time' | 'dateTime' | 'any';

/** A path of a language, as one of those of documents. */
export interface Path {
  readonly scope: Scope;
  /** Names the values in a document, such as `name.en` and `attributes.color.key`. */
  readonly name: string;
  readonly class: ValueClass;
}

export function isSamePath(one: Path, other: Path): boolean {
  return one.scope === other.scope && one.name === other.name;
}
