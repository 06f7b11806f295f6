import { anyLocale, attributeValues } from './attribute-values.ts';
import { type DocumentNames, ratings, type Scope } from './path.ts';
import type { Scalar } from './values.ts';
import { wordsOf } from './words.ts';

/**
 * One side of a product in the form in which conditions are judged: for each path, without the `variants.` before it, the
 * values that are there. Variants do not repeat what their product has.
 */
export interface SearchDocument extends Holder {
  readonly id: string;
  /** Words of its name, by locale, which count more than others. */
  readonly titles: Words;
  /** The master variant first. */
  readonly variants: readonly VariantDocument[];
}

export interface VariantDocument extends Holder {
  readonly id: number;
  readonly sku: string | undefined;
  readonly prices: readonly Values[];
}

interface Holder {
  readonly values: Values;
  /** What full text looks through, by locale; `anyLocale` has what belongs to none. */
  readonly words: Words;
}

/** As `wordsOf` gives them, each once. */
type Words = Readonly<Record<string, readonly string[]>>;

/** In the order in which they stand, each once. A path without values is left out. */
export type Values = Readonly<Record<string, readonly Scalar[]>>;

type Link = { readonly id: string };
type Texts = Readonly<Record<string, string>>;
type Attributes = readonly { readonly name: string; readonly value: unknown }[];
type Money = { readonly currencyCode: string; readonly centAmount: number };

interface SearchedPrice {
  readonly id: string;
  readonly value: Money;
  readonly country?: string;
  readonly customerGroup?: Link;
  readonly channel?: Link;
  readonly validFrom?: string;
  readonly validUntil?: string;
  readonly discounted?: { readonly value: Money };
}

interface SearchedVariant {
  readonly id: number;
  readonly sku?: string;
  readonly key?: string;
  readonly attributes: Attributes;
  readonly prices: readonly SearchedPrice[];
  /** In place of those that stand in it, where its product is sold at prices that stand alone. */
  readonly standalonePrices?: readonly SearchedPrice[];
}

interface SearchedData {
  readonly name: Texts;
  readonly slug: Texts;
  readonly description?: Texts;
  readonly categories: readonly Link[];
  readonly categoryOrderHints: Readonly<Record<string, string>>;
  readonly searchKeywords: Readonly<Record<string, readonly { readonly text: string }[]>>;
  readonly attributes: Attributes;
  readonly masterVariant: SearchedVariant;
  readonly variants: readonly SearchedVariant[];
}

/** What of a product is searched. */
export interface SearchedProduct {
  readonly id: string;
  readonly key?: string;
  readonly createdAt: string;
  readonly lastModifiedAt: string;
  readonly productType: Link;
  readonly taxCategory?: Link;
  readonly state?: Link;
  readonly reviewRatingStatistics?: Readonly<Record<(typeof ratings)[number], number>>;
  readonly masterData: Readonly<Record<Side, SearchedData>> & { readonly published: boolean };
}

export type Side = 'current' | 'staged';

interface Stock {
  readonly isOnStock?: boolean;
  readonly availableQuantity?: number;
}

/** What of other resources a product is searched by. */
export interface SearchedBeside {
  /** By ids of categories, the ids of all above them. */
  readonly ancestors: ReadonlyMap<string, readonly string[]>;
  /** By SKU. */
  readonly availabilities: ReadonlyMap<string, Stock & { readonly channels?: Readonly<Record<string, Stock>> }>;
  /** What queries name stores and product selections by. */
  readonly stores: readonly string[];
  readonly productSelections: readonly string[];
  /** Whether attributes of this name are searched: only when each type that defines them says so (catalog 61). */
  readonly isSearchable: (attribute: string) => boolean;
}

/** Adds what is there; undefined is not. */
type Add<S extends Scope> = (name: DocumentNames[S], ...values: readonly (Scalar | undefined)[]) => void;
type AddText = (locale: string, text: string) => void;

/** Raised with every change of what `searchDocument` gives, and of facts: documents of an older version are made anew. */
export const documentVersion = 2;

/** The document of one side of a product. Pure: what is the same gives the same. */
export function searchDocument(product: SearchedProduct, side: Side, beside: SearchedBeside): SearchDocument {
  const data = product.masterData[side];
  const holder = held<'product'>((add, addText) => {
    addOwn(product, add);
    addData(data, add, addText);
    addCategories(data, beside.ancestors, add);
    add('stores', ...beside.stores);
    add('productSelections', ...beside.productSelections);
    // Full text looks through the attributes of variants alone, as all searches of projections do (catalog 61).
    addAttributes(data.attributes, beside, { add, addText: () => {} });
  });
  const variants = [data.masterVariant, ...data.variants].map((variant) => variantDocument(variant, beside));
  const titles = wordsBy((addText) => {
    for (const [locale, text] of Object.entries(data.name)) addText(locale, text);
  });
  return { id: product.id, ...holder, titles, variants };
}

function addOwn(product: SearchedProduct, add: Add<'product'>): void {
  const { reviewRatingStatistics } = product;
  add('id', product.id);
  add('key', product.key);
  add('createdAt', product.createdAt);
  add('lastModifiedAt', product.lastModifiedAt);
  add('published', product.masterData.published);
  add('productType', product.productType.id);
  add('taxCategory', product.taxCategory?.id);
  add('state', product.state?.id);
  for (const name of ratings) add(`reviewRatingStatistics.${name}`, reviewRatingStatistics?.[name]);
}

function addData(data: SearchedData, add: Add<'product'>, addText: AddText): void {
  for (const name of ['name', 'slug', 'description'] as const) {
    for (const [locale, text] of Object.entries(data[name] ?? {})) {
      add(`${name}.${locale}`, text);
      addText(locale, text);
    }
  }
  for (const [locale, keywords] of Object.entries(data.searchKeywords)) {
    for (const { text } of keywords) {
      add(`searchKeywords.${locale}`, text);
      addText(locale, text);
    }
  }
}

function addCategories(data: SearchedData, ancestors: SearchedBeside['ancestors'], add: Add<'product'>): void {
  for (const { id } of data.categories) {
    add('categories', id);
    add('categoriesSubTree', id, ...(ancestors.get(id) ?? []));
  }
  for (const [id, hint] of Object.entries(data.categoryOrderHints)) add(`categoryOrderHints.${id}`, hint);
}

function addAttributes(
  attributes: Attributes,
  { isSearchable }: SearchedBeside,
  { add, addText }: { readonly add: Add<'product'> | Add<'variant'>; readonly addText: AddText },
): void {
  for (const { name, value } of attributes) {
    if (!isSearchable(name)) continue;
    add('attributes', name);
    for (const { member, value: found, textIn } of attributeValues(value)) {
      add(member === '' ? `attributes.${name}` : `attributes.${name}.${member}`, found);
      if (textIn !== undefined) addText(textIn, String(found));
    }
  }
}

function variantDocument(variant: SearchedVariant, beside: SearchedBeside): VariantDocument {
  const { id, sku, prices, standalonePrices = prices } = variant;
  const holder = held<'variant'>((add, addText) => {
    add('sku', sku);
    add('key', variant.key);
    // What searches without a selection of prices mean by the price of a variant is the first that stands in it (catalog 61).
    add('price.centAmount', prices[0]?.value.centAmount);
    add('price.currencyCode', prices[0]?.value.currencyCode);
    addAttributes(variant.attributes, beside, { add, addText });
    if (sku === undefined) return;
    addText(anyLocale, sku);
    addAvailability(beside.availabilities.get(sku), add);
  });
  return { id, sku, ...holder, prices: standalonePrices.map(priceValues) };
}

function addAvailability(availability: ReturnType<SearchedBeside['availabilities']['get']>, add: Add<'variant'>): void {
  add('availability.isOnStock', availability?.isOnStock);
  add('availability.availableQuantity', availability?.availableQuantity);
  for (const [id, { isOnStock, availableQuantity }] of Object.entries(availability?.channels ?? {})) {
    add(`availability.channels.${id}.isOnStock`, isOnStock);
    add(`availability.channels.${id}.availableQuantity`, availableQuantity);
    add('availability.hasInventoryEntryForChannel', id);
    if (isOnStock === true) add('availability.isOnStockInChannels', id);
  }
}

/** With what a price is selected by beside what queries name. */
function priceValues(price: SearchedPrice): Values {
  const { id, value, country, customerGroup, channel, validFrom, validUntil, discounted } = price;
  return held<'price'>((add) => {
    add('id', id);
    add('centAmount', value.centAmount);
    add('currentCentAmount', (discounted ?? price).value.centAmount);
    add('currencyCode', value.currencyCode);
    add('country', country);
    add('customerGroup', customerGroup?.id);
    add('channel', channel?.id);
    add('discounted', discounted !== undefined);
    add('validFrom', validFrom);
    add('validUntil', validUntil);
  }).values;
}

/** What the price that was selected for a request adds to its variant, which no document holds (catalog 34). */
export function scopedPriceValues({ value, discounted }: Pick<SearchedPrice, 'value' | 'discounted'>): Values {
  return held<'variant'>((add) => {
    add('scopedPrice.value.centAmount', value.centAmount);
    add('scopedPrice.currentValue.centAmount', (discounted?.value ?? value).centAmount);
    add('scopedPrice.discounted.value.centAmount', discounted?.value.centAmount);
    add('scopedPriceDiscounted', discounted !== undefined);
  }).values;
}

function held<S extends Scope>(fill: (add: Add<S>, addText: AddText) => void): Holder {
  const values = new Map<string, Set<Scalar>>();
  const words = wordsBy((addText) =>
    fill((name, ...given) => {
      for (const value of given) if (value !== undefined) setIn(values, name).add(value);
    }, addText),
  );
  return { values: listed(values), words };
}

function wordsBy(fill: (addText: AddText) => void): Words {
  const words = new Map<string, Set<string>>();
  fill((locale, text) => {
    for (const word of wordsOf(text)) setIn(words, locale).add(word);
  });
  return listed(words);
}

function setIn<Value>(sets: Map<string, Set<Value>>, name: string): Set<Value> {
  const found = sets.get(name) ?? new Set();
  sets.set(name, found);
  return found;
}

function listed<Value>(sets: ReadonlyMap<string, ReadonlySet<Value>>): Record<string, readonly Value[]> {
  return Object.fromEntries([...sets].map(([name, values]) => [name, [...values]]));
}
