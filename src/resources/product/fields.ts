import { randomUUID } from 'node:crypto';
import type { DocumentOf } from '../../engine/define.ts';
import { assigned, assignedOptional, defaulted, optional, required, type ValueOf } from '../../fields/field.ts';
import { json } from '../../fields/json.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { money } from '../../fields/money.ts';
import { object, outputObject } from '../../fields/object.ts';
import { reference } from '../../fields/reference.ts';
import { unavailable } from '../../fields/unavailable.ts';
import { boolean, country, dateTime, integer, key, text } from '../../fields/scalar.ts';
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

const attribute = object('RawProductAttribute', { name: required(text(['color'])), value: required(json()) });

const image = object('Image', {
  url: required(text(['https://images.example.org/1.jpg'])),
  dimensions: required(
    object(
      'Dimensions',
      { w: required(integer({ min: 0 })), h: required(integer({ min: 0 })) },
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
  key: optional(key()),
  prices: defaulted(list(price), () => []),
  attributes: defaulted(list(attribute), () => []),
  images: defaulted(list(image), () => []),
  ...unavailable('assets'),
};

const variantFields = { id: assigned(integer({ min: 1, type: 'Int' })), ...variantContent };

/** GraphQL names the attributes `attributesRaw`. */
const variantOutput = [
  ...outputObject('ProductVariant', variantFields).fields.filter(({ name }) => name !== 'attributes'),
  {
    name: 'attributesRaw',
    type: '[RawProductAttribute!]!',
    complexity: 1,
    read: (parent: Readonly<Record<string, unknown>>) => parent['attributes'],
  },
];

const variant = object('ProductVariant', variantFields, { output: variantOutput });

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

const dataFields = { ...texts, masterVariant: assigned(variant), variants: assigned(list(variant)) };

/** What a product shows, in its current or its staged projection. */
export type ProductData = ValueOf<typeof dataFields>;

const data = object('ProductData', dataFields);

export const fields = {
  key: optional(key()),
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
  key: optional(key()),
  productType: required(reference('product-type', 'ProductTypeDefinition')),
  taxCategory: optional(reference('tax-category', 'TaxCategory')),
  ...texts,
  masterVariant: optional(object('ProductVariantDraft', variantContent)),
  variants: defaulted(list(object('ProductVariantDraft', variantContent)), () => []),
  publish: defaulted(boolean(), () => false),
  ...unavailable('categoryOrderHints', 'state', 'priceMode', 'attributes'),
};

export type Product = DocumentOf<typeof fields>;
export type ProductDraft = ValueOf<typeof draft>;
