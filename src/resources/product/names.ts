import type { Examples, GraphqlNames } from '../../engine/resource.ts';
import { variantDraft } from './variant.ts';

/** What GraphQL calls otherwise than the names and fields say. */
export const graphql: Partial<GraphqlNames> = {
  actions: {
    // An earlier form of `setSku`.
    setSKU: null,
    publish: 'PublishProduct',
    unpublish: 'UnpublishProduct',
    revertStagedChanges: 'RevertStagedChanges',
    revertStagedVariantChanges: 'RevertStagedVariantChanges',
    transitionState: 'TransitionProductState',
    setSearchKeywords: 'SetSearchKeywords',
    setProductAttribute: 'ProductLevelAttributeInput',
    setProductPriceCustomType: 'SetProductPriceCustomType',
    setProductPriceCustomField: 'SetProductPriceCustomField',
    setProductVariantKey: 'SetProductVariantKey',
    moveImageToPosition: 'MoveProductImageToPosition',
  },
  members: {
    'ProductPriceModeSet.to': 'PriceMode',
    'ProductVariantDeleted.staged': 'Boolean',
    'Product.priceMode': 'PriceMode',
    'ProductCatalogData.current': 'ProductData',
    'ProductCatalogData.staged': 'ProductData',
    'ProductVariant.prices': '[ProductPrice!]',
    'ProductPrice.id': 'String',
    'ProductPriceSearch.id': 'String',
    'ProductPriceDataInput.customerGroup': 'ReferenceInput',
    'ProductPriceDataInput.tiers': '[ProductPriceTierInput!] = []',
    ...Object.fromEntries(
      ['ProductVariantInput', 'AddProductVariant'].flatMap((type) => [
        [`${type}.prices`, '[ProductPriceDataInput!] = []'],
        [`${type}.attributes`, '[ProductAttributeInput!] = []'],
        [`${type}.images`, '[ImageInput!] = []'],
        [`${type}.assets`, '[AssetDraftInput!] = []'],
      ]),
    ),
    'ProductDraft.variants': '[ProductVariantInput!] = []',
    'ProductDraft.attributes': '[ProductAttributeInput!] = []',
    'AssetDraftInput.sources': '[AssetSourceInput!]',
    'SetProductAssetSources.sources': '[AssetSourceInput!] = []',
    'SetProductAssetTags.tags': '[String!] = []',
    'ChangeProductPrice.priceId': 'String',
    'TransitionProductState.state': 'ReferenceInput!',
    'MoveProductImageToPosition.staged': 'Boolean',
    'SetSearchKeywords.staged': 'Boolean',
    // A price is named by its id, and no other way.
    'RemoveProductPrice.variantId': null,
    'RemoveProductPrice.sku': null,
    'RemoveProductPrice.price': null,
  },
};

// The kind of an object has objects as examples.
const masterVariant = variantDraft.examples[0] as object;

/** A projection shows what is published. */
export const examples: Partial<Examples> = {
  draft: { publish: true, masterVariant },
  actions: {
    addVariant: { sku: 'SKU-2', key: 'second-variant', prices: [], attributes: [{ name: 'finish', value: ['red'] }] },
    removeVariant: { id: 2, sku: 'SKU-2' },
    changeMasterVariant: { variantId: 2, sku: 'SKU-2' },
    addPrice: { price: { value: { currencyCode: 'USD', centAmount: 500 } } },
    changePrice: { price: { value: { currencyCode: 'USD', centAmount: 500 } } },
    setPrices: { prices: [{ value: { currencyCode: 'USD', centAmount: 500 } }] },
    setPriceKey: { key: 'other-key' },
    addExternalImage: { image: { url: 'https://images.example.org/2.jpg', dimensions: { w: 20, h: 10 } } },
    addAsset: {
      asset: { key: 'third-asset', name: { en: 'Side' }, sources: [{ uri: 'https://images.example.org/3.jpg' }] },
    },
    setAssetKey: { assetKey: 'other-asset' },
    changeAssetOrder: {
      assetOrder: ['{masterData.staged.masterVariant.assets[1].id}', '{masterData.staged.masterVariant.assets[0].id}'],
    },
    setAssetSources: { sources: [{ uri: 'https://images.example.org/other.jpg' }] },
    setProductVariantKey: { key: 'other-key' },
    setProductAttribute: { name: 'size', value: 'large' },
  },
  needed: ['publish'],
  named: {
    sold: {
      masterVariant: {
        ...masterVariant,
        sku: 'SKU-SOLD',
        prices: [{ value: { currencyCode: 'EUR', centAmount: 490 } }],
      },
    },
  },
};
