import { assetActions, assetExamples } from '../../engine/asset-actions.ts';
import { customActions } from '../../engine/custom-actions.ts';
import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { ancestorsOfParent, notBelowItself } from './ancestors.ts';
import { fields } from './fields.ts';
import { messages } from './messages.ts';

export const category = defineResource({
  kind: 'category',
  typeName: 'Category',
  path: 'categories',
  scopes: {
    view: ['view_products', 'view_categories'],
    manage: ['manage_products', 'manage_categories'],
  },
  maxPerProject: 10_000,
  fields,
  actions: {
    setKey: set('key'),
    changeName: change('name'),
    changeSlug: change('slug'),
    setDescription: set('description'),
    changeParent: change('parent'),
    changeOrderHint: change('orderHint'),
    setExternalId: set('externalId'),
    setMetaTitle: set('metaTitle'),
    setMetaDescription: set('metaDescription'),
    setMetaKeywords: set('metaKeywords'),
    ...assetActions,
    ...customActions,
  },
  isKeptParsed: true,
  computation: ancestorsOfParent,
  // Those below a category that has moved, or gone.
  follows: [
    {
      kind: 'category',
      where: ([id]) => `parent(id="${id}") or ancestors(id="${id}")`,
      mark: ({ document: { ancestors } }) => JSON.stringify(ancestors),
      whenGone: 'removed',
    },
  ],
  along: notBelowItself,
  messages,
  graphql: {
    members: {
      'AssetDraftInput.sources': '[AssetSourceInput!]',
      'CategoryDraft.assets': '[AssetDraftInput!] = []',
      'SetCategoryAssetSources.sources': '[AssetSourceInput!] = []',
      'SetCategoryAssetTags.tags': '[String!] = []',
    },
  },
  examples: assetExamples,
  // A slug is unique for each locale.
  uniqueValues: ({ slug }) => Object.entries(slug).map(([locale, text]) => ({ field: `slug.${locale}`, value: text })),
});
