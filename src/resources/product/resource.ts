import { isDeepStrictEqual } from 'node:util';
import { defineResource } from '../../engine/define.ts';
import { set } from '../../engine/actions.ts';
import type { UniqueValue, Fixed } from '../../engine/document.ts';
import type { ValueOf } from '../../fields/field.ts';
import {
  changeName,
  changeSlug,
  publish,
  revertStagedChanges,
  setDescription,
  setMetaDescription,
  setMetaKeywords,
  setMetaTitle,
  setSearchKeywords,
  unpublish,
} from './actions.ts';
import { draft, fields, type Product, type ProductData, type ProductDraft } from './fields.ts';
import { productProjection } from './projection.ts';
import { suggest } from './suggest.ts';

export const product = defineResource({
  kind: 'product',
  typeName: 'Product',
  path: 'products',
  scopes: { view: ['view_products'], manage: ['manage_products'] },
  published: {
    scopes: ['view_published_products'],
    where: 'masterData(published=true)',
    hides: ['staged', 'hasStagedChanges'],
    shown: (product) => {
      const { masterData } = product;
      if (!masterData.published) return undefined;
      // The member is always there for those who may see it.
      delete (masterData as Partial<typeof masterData>).staged;
      masterData.hasStagedChanges = false;
      return product;
    },
  },
  projections: [productProjection],
  fields,
  draft,
  create: ({
    key,
    productType,
    taxCategory,
    masterVariant,
    variants,
    publish: published,
    priceMode,
    ...texts
  }: ProductDraft): ValueOf<typeof fields> => {
    const [first, ...others] = [masterVariant ?? { prices: [], attributes: [], images: [] }, ...variants].map(
      (variant, index) => ({ id: index + 1, ...variant }),
    );
    // The list starts with the master variant, so it has a first element.
    const data: ProductData = { ...texts, masterVariant: first!, variants: others, attributes: [] };
    return {
      ...(key !== undefined && { key }),
      productType,
      priceMode,
      ...(taxCategory !== undefined && { taxCategory }),
      masterData: { published, hasStagedChanges: false, current: data, staged: structuredClone(data) },
    };
  },
  actions: {
    setKey: set('key'),
    setTaxCategory: set('taxCategory'),
    changeName,
    changeSlug,
    setDescription,
    setMetaTitle,
    setMetaDescription,
    setMetaKeywords,
    setSearchKeywords,
    publish,
    unpublish,
    revertStagedChanges,
  },
  derive: ({ masterData }) => {
    masterData.hasStagedChanges = !isDeepStrictEqual(masterData.current, masterData.staged);
  },
  uniqueValues,
  endpoints: [suggest],
  graphql: { hasMutations: false },
  // No two variants of a product are alike, and a projection shows what is published.
  examples: { draft: { publish: true, variants: [{ sku: 'SKU-2', key: 'second-variant' }] }, needed: ['publish'] },
});

/** Slugs for each locale, and SKUs, over both projections. */
function uniqueValues({ masterData }: Fixed<Product>): readonly UniqueValue[] {
  const values = new Map<string, UniqueValue>();
  for (const data of [masterData.current, masterData.staged]) {
    if (data === undefined) continue;
    for (const [locale, slug] of Object.entries(data.slug))
      values.set(`slug.${locale} ${slug}`, { field: `slug.${locale}`, value: slug });
    for (const { sku } of [data.masterVariant, ...data.variants]) {
      if (sku !== undefined) values.set(`sku ${sku}`, { field: 'sku', value: sku });
    }
  }
  return [...values.values()];
}
