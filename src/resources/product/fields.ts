import { randomUUID } from 'node:crypto';
import type { DocumentOf } from '../../engine/document.ts';
import {
  assigned,
  assignedOptional,
  defaulted,
  type FieldKind,
  optional,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { json } from '../../fields/json.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { money } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { reference } from '../../fields/reference.ts';
import { onlyAvailable, unavailable } from '../../fields/unavailable.ts';
import { anyKey, boolean, country, dateTime, enumeration, integer, key, text } from '../../fields/scalar.ts';
import { searchKeywords } from './search-keywords.ts';

const price = object('ProductPrice', {
  id: assigned(text(), () => randomUUID()),
  key: optional(key()),
  value: required(money()),
  country: optional(country()),
  validFrom: optional(dateTime()),
  validUntil: optional(dateTime()),
  ...unavailable('customerGroup', 'channel', 'discounted', 'tiers', 'custom', 'recurrencePolicy'),
});

const attributeFields = { name: required(text(['color'])), value: required(json()) };
const attribute = object('RawProductAttribute', attributeFields);

/** GraphQL names them `attributesRaw`. */
const attributes: FieldKind<ValueOf<typeof attributeFields>[]> = {
  ...list(attribute),
  output: {
    ...list(attribute).output,
    fields: (name) => [
      { name: 'attributesRaw', type: '[RawProductAttribute!]!', complexity: 1, read: (parent) => parent[name] ?? [] },
    ],
  },
};

const pixels = integer({ min: 0, type: 'Int' });

const image = object('Image', {
  url: required(text(['https://images.example.org/1.jpg'])),
  dimensions: required(
    object(
      'Dimensions',
      { w: required(pixels), h: required(pixels) },
      {
        output: [
          { name: 'width', type: 'Int!', complexity: 1, read: (parent) => parent['w'] },
          { name: 'height', type: 'Int!', complexity: 1, read: (parent) => parent['h'] },
        ],
      },
    ),
  ),
  label: optional(text()),
});

const variantContent = {
  sku: optional(text(['SKU-1'])),
  key: optional(anyKey()),
  prices: defaulted(list(price), () => []),
  attributes: defaulted(attributes, () => []),
  images: defaulted(list(image), () => []),
  ...unavailable('assets'),
};

const variantFields = { id: assigned(integer({ min: 1, type: 'Int' })), ...variantContent };

const variant = object('ProductVariant', variantFields);

const texts = {
  name: required(localizedString()),
  slug: required(localizedString()),
  description: optional(localizedString()),
  categories: defaulted(list(reference('category', 'Category', { strength: 'loose' })), () => []),
  metaTitle: optional(localizedString()),
  metaDescription: optional(localizedString()),
  metaKeywords: optional(localizedString()),
  searchKeywords: defaulted(searchKeywords(), () => ({})),
};

export const dataFields = {
  ...texts,
  masterVariant: assigned(variant),
  variants: assigned(list(variant)),
  /** Of the product itself, of which this version has none. */
  attributes: assigned(attributes),
};

/** What a product shows, in its current or its staged projection. */
export type ProductData = ValueOf<typeof dataFields>;

const data = object('ProductData', dataFields);

/** Prices stand in the product; those that stand alone come with their own resource. */
const priceMode = defaulted(
  onlyAvailable(enumeration('PriceMode', ['Embedded', 'Standalone']), 'Embedded'),
  () => 'Embedded' as const,
);

export const fields = {
  key: optional(anyKey()),
  priceMode,
  productType: required(reference('product-type', 'ProductTypeDefinition')),
  taxCategory: optional(reference('tax-category', 'TaxCategory')),
  masterData: assigned(
    object('ProductCatalogData', {
      published: assigned(boolean()),
      hasStagedChanges: assigned(boolean()),
      current: assignedOptional(data),
      staged: assignedOptional(data),
    }),
  ),
};

export const draft = {
  key: optional(anyKey()),
  productType: required(reference('product-type', 'ProductTypeDefinition')),
  taxCategory: optional(reference('tax-category', 'TaxCategory')),
  ...texts,
  masterVariant: optional(object('ProductVariantDraft', variantContent)),
  variants: defaulted(list(object('ProductVariantDraft', variantContent)), () => []),
  publish: defaulted(boolean(), () => false),
  priceMode,
  ...unavailable('categoryOrderHints', 'state', 'attributes'),
};

export type Product = DocumentOf<typeof fields>;
export type ProductDraft = ValueOf<typeof draft>;
