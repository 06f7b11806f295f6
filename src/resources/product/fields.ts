import type { DocumentOf } from '../../engine/document.ts';
import {
  assigned,
  assignedOptional,
  defaulted,
  optional,
  type OutputField,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { object } from '../../fields/object.ts';
import { reference } from '../../fields/reference.ts';
import { anyKey, boolean, enumeration } from '../../fields/scalar.ts';
import { slug } from '../../fields/slug.ts';
import { allVariants, sidesIn, skusIn } from './all-variants.ts';
import { productAttributes } from './attribute.ts';
import { reviewRatingStatistics } from '../review/fields.ts';
import { stateOfType } from '../state/offers.ts';
import { categoryOrderHints } from './category-order-hints.ts';
import { searchKeywords } from './search-keywords.ts';
import { notedProduct, noteProduct } from './noted-product.ts';
import { otherVariants, variant, variantDraft } from './variant.ts';

export const category = reference('category', 'Category', { strength: 'loose' });

/** What a draft says of the projections, and both of them have. */
const texts = {
  name: required(localizedString()),
  slug: required(slug()),
  description: optional(localizedString()),
  categories: defaulted(list(category), () => []),
  categoryOrderHints: defaulted(categoryOrderHints, () => ({})),
  metaTitle: optional(localizedString()),
  metaDescription: optional(localizedString()),
  metaKeywords: optional(localizedString()),
  searchKeywords: defaulted(searchKeywords(), () => ({})),
  attributes: defaulted(productAttributes, () => []),
};

export const dataFields = { ...texts, masterVariant: assigned(variant), variants: assigned(otherVariants) };

/** What a product shows, in its current or its staged projection. */
export type ProductData = ValueOf<typeof dataFields>;

const data = object('ProductData', dataFields);

const priceMode = enumeration('PriceMode', ['Embedded', 'Standalone']);

export const state = stateOfType('ProductState');

const catalogData = object('ProductCatalogData', {
  published: assigned(boolean()),
  hasStagedChanges: assigned(boolean()),
  current: assigned(data),
  staged: assigned(data),
});

/** What is read of a product has parts that tell how they are priced, and by what they are described. */
function knowingItsProduct(read: OutputField['read']): OutputField['read'] {
  return (parent, args) => {
    const data = read(parent, args) as CatalogData;
    const { priceMode, productType } = parent as unknown as Pick<Product, 'priceMode' | 'productType'>;
    const product = { priceMode, productTypeId: productType.id };
    for (const side of sidesIn(data))
      if (notedProduct(side) === undefined) noteProduct([side, ...allVariants(side)], product);
    return data;
  };
}

type CatalogData = Readonly<Partial<Record<'current' | 'staged', ProductData>>>;

/** GraphQL has the SKUs of both projections beside them. */
const masterData: typeof catalogData = {
  ...catalogData,
  output: {
    ...catalogData.output,
    fields: (name, isRequired) => [
      ...catalogData.output
        .fields(name, isRequired)
        .map((field) => ({ ...field, read: knowingItsProduct(field.read) })),
      {
        name: 'skus',
        type: '[String!]!',
        complexity: 1,
        read: (parent) => {
          // Stored values were parsed by the kind. Who may not see what is staged does not get it here.
          return skusIn(...sidesIn(parent[name] as CatalogData));
        },
      },
    ],
  },
};

const own = {
  key: optional(anyKey()),
  productType: required(reference('product-type', 'ProductTypeDefinition')),
  taxCategory: optional(reference('tax-category', 'TaxCategory')),
  state: optional(state),
  priceMode: defaulted(priceMode, () => 'Embedded' as const),
};

export const fields = {
  ...own,
  masterData: assigned(masterData),
  /** Filled in from reviews. */
  reviewRatingStatistics: assignedOptional(reviewRatingStatistics),
};

export const draft = {
  ...own,
  ...texts,
  masterVariant: optional(variantDraft),
  // They come with a master variant, which no example of one member alone has.
  variants: defaulted({ ...list(variantDraft), examples: [[]] }, () => []),
  publish: defaulted(boolean(), () => false),
};

export type Product = DocumentOf<typeof fields>;
export type ProductDraft = ValueOf<typeof draft>;

/** Parts that stand in other resources, too. */
export { price, type Price } from './price.ts';
export { sku, variant, variantContent, type Variant } from './variant.ts';
