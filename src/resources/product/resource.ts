import { set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import type { Fixed, UniqueValue } from '../../engine/document.ts';
import { isSameJson } from '../../engine/json.ts';
import { assetActions } from './actions/assets.ts';
import { attributeActions } from './actions/attributes.ts';
import { categoryActions } from './actions/categories.ts';
import { imageActions } from './actions/images.ts';
import { priceActions } from './actions/prices.ts';
import { publicationActions } from './actions/publication.ts';
import { transitionState } from './actions/state.ts';
import { textActions } from './actions/texts.ts';
import { variantActions } from './actions/variants.ts';
import { skuInInventory } from './checks.ts';
import { allVariants, sidesIn } from './all-variants.ts';
import { productFrom } from './create.ts';
import { draft, fields, type Product, type ProductData } from './fields.ts';
import { discountedPrices } from './discounts.ts';
import { describedBy } from './described-by.ts';
import { indexed } from './indexed.ts';
import { finding } from './finding.ts';
import { follows } from './follows.ts';
import { uploadImage } from './image-upload.ts';
import { messages } from './messages.ts';
import { examples, graphql } from './names.ts';
import { productInStore } from './product-in-store.ts';
import { productProjection } from './projection.ts';
import { takenRequiredValues } from './required-values.ts';
import { rules } from './rules.ts';
import { shownProduct } from './shown/product.ts';
import { productProjectionSearch } from './search/projection-search-query.ts';
import { productsSearch } from './search/products-search-query.ts';
import { searchProductsEndpoint } from './search/products-search.ts';
import { searchByForm, searchByQuery } from './search/projection-search.ts';
import { soldPart } from './sold.ts';
import { suggest } from './suggest.ts';
import { productProjectionVariantAttributes, variantAttributes } from './variant-attributes.ts';
import { selectionLists, withoutProduct } from '../product-selection/offers.ts';

export const product = defineResource({
  kind: 'product',
  typeName: 'Product',
  path: 'products',
  scopes: { view: ['view_products'], manage: ['manage_products'] },
  published: {
    scopes: ['view_published_products'],
    where: 'masterData(published=true)',
    hides: ['staged'],
    fixed: { path: ['masterData', 'hasStagedChanges'], value: false },
    shown: (product) => {
      const { masterData } = product;
      if (!masterData.published) return undefined;
      // The members are always there for those who may see them.
      delete (masterData as Partial<typeof masterData>).staged;
      masterData.hasStagedChanges = false;
      return product;
    },
  },
  projections: [productProjection],
  form: shownProduct,
  fields,
  draft,
  create: productFrom,
  actions: {
    setKey: set('key'),
    setTaxCategory: set('taxCategory'),
    setPriceMode: set('priceMode'),
    transitionState,
    ...textActions,
    ...categoryActions,
    ...variantActions,
    ...priceActions,
    ...imageActions,
    ...assetActions,
    ...attributeActions,
    ...publicationActions,
  },
  describedBy,
  keptPart: soldPart,
  follows,
  indexed,
  computation: discountedPrices,
  derive: ({ masterData }) => {
    masterData.hasStagedChanges = !isSame(masterData.current, masterData.staged);
  },
  messages,
  rules,
  checks: [skuInInventory],
  uniqueValues,
  along: takenRequiredValues,
  alongRemoval: withoutProduct,
  endpoints: [
    suggest,
    searchByQuery,
    searchByForm,
    searchProductsEndpoint,
    ...variantAttributes,
    uploadImage,
    ...selectionLists,
  ],
  queries: [productProjectionSearch, productsSearch, productProjectionVariantAttributes, productInStore],
  finding,
  graphql,
  examples,
});

/** What discounts make of prices is no change of the product (catalog 53). */
function isSame(current: ProductData, staged: ProductData): boolean {
  return isSameJson(current, staged) || isSameJson(undiscounted(current), undiscounted(staged));
}

function undiscounted({ masterVariant, variants, ...data }: ProductData): object {
  const all = allVariants({ masterVariant, variants }).map(({ prices, ...variant }) => ({
    ...variant,
    prices: prices.map(({ discounted: _, ...price }) => price),
  }));
  return { ...data, all };
}

/** Slugs for each locale, and SKUs, over both projections. */
function uniqueValues({ masterData }: Fixed<Product>): readonly UniqueValue[] {
  const values = new Map<string, UniqueValue>();
  for (const data of sidesIn(masterData)) {
    for (const [locale, slug] of Object.entries(data.slug))
      values.set(`slug.${locale} ${slug}`, { field: `slug.${locale}`, value: slug });
    for (const { sku } of allVariants(data)) {
      if (sku !== undefined) values.set(`sku ${sku}`, { field: 'sku', value: sku });
    }
  }
  return [...values.values()];
}
