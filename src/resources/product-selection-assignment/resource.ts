import { defineResource } from '../../engine/define.ts';
import { fields, heldBy } from './fields.ts';

/** That a product is in a product selection. It has no paths of its own, and is written with the selection alone. */
export const productSelectionAssignment = defineResource({
  kind: 'product-selection-assignment',
  typeName: 'ProductSelectionAssignment',
  path: 'product-selection-assignments',
  scopes: { view: ['view_product_selections'], manage: ['manage_product_selections'] },
  followedBy: 'nobody',
  keyMembers: [],
  fields,
  actions: {},
  groupedBy: ['product.id', 'productSelection.id'],
  uniqueValues: ({ productSelection, product }) => [heldBy(productSelection.id, product.id)],
  follows: [
    {
      kind: 'product-selection',
      where: ([id]) => `productSelection(id="${id}")`,
      isOfItsEnd: true,
      whenGone: 'removed',
    },
  ],
});
