import { assetActionsOf } from '../../../engine/asset-actions.ts';
import type { Product } from '../fields.ts';
import { staged, variantNames, variantsAt } from '../sides.ts';

/** Assets belong to variants. */
export const assetActions = assetActionsOf({
  identifier: { ...variantNames, staged },
  path: 'masterData.staged.masterVariant.assets',
  holdersOf: (product: Product, place) => variantsAt(product, place),
});
