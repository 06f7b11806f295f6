/** Where values of a path are: at the product, at each of its variants, or at each price of a variant. */
export type Scope = 'product' | 'variant' | 'price';

/**
 * How the values of a path compare. Documents hold dates, times and moments as texts of one form each, which compare as
 * they do. Order hints are texts as well (`decimal`): a number would lose digits of theirs. Attributes whose type a
 * language does not tell are `any`: what is compared with them says what it is.
 */
export type ValueClass = 'keyword' | 'text' | 'number' | 'decimal' | 'boolean' | 'date' | 'time' | 'dateTime' | 'any';

type Attribute = 'attributes' | `attributes.${string}`;

/** The names under which documents hold values. Their maker and both languages know no others. */
export interface DocumentNames {
  readonly product:
    | 'id'
    | 'key'
    | 'createdAt'
    | 'lastModifiedAt'
    | 'published'
    | 'productType'
    | 'taxCategory'
    | 'state'
    | 'categories'
    | 'categoriesSubTree'
    | 'stores'
    | 'productSelections'
    | `${'name' | 'slug' | 'description' | 'searchKeywords' | 'categoryOrderHints' | 'reviewRatingStatistics'}.${string}`
    | Attribute;
  readonly variant:
    | 'sku'
    | 'key'
    | 'price.centAmount'
    | 'price.currencyCode'
    | 'scopedPriceDiscounted'
    | `${'scopedPrice' | 'availability'}.${string}`
    | Attribute;
  readonly price:
    | 'id'
    | 'centAmount'
    | 'currentCentAmount'
    | 'currencyCode'
    | 'country'
    | 'customerGroup'
    | 'channel'
    | 'discounted'
    | 'validFrom'
    | 'validUntil';
}

/** What reviews make of the ratings of a product. */
export const ratings = ['averageRating', 'highestRating', 'lowestRating', 'count'] as const;

/** Regular expressions of what paths name: an attribute, and a resource by its id, which documents hold in lower case. */
export const attributePattern = '[A-Za-z0-9_-]{2,256}';
export const uuidPattern = '[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}';

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
