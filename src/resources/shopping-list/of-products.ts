/** What the line items of a list say of their products: right when the list is written, and followed after that. */
import type { FollowingDeclaration } from '../../engine/define.ts';
import type { Computation } from '../../engine/resource.ts';
import { allVariants, sidesIn } from '../product/offers.ts';
import type { ShoppingList } from './fields.ts';
import { asProduct, ofProduct } from './line-items.ts';
import { variantOf } from './shown-product.ts';

export const ofProducts: Computation<ShoppingList> = {
  reads: { product: ['lineItems[*].productId'] },
  readsAll: [],
  compute: ({ lineItems }, found, { now }) => {
    for (const item of lineItems) {
      const product = asProduct(found.one('product', item.productId));
      if (product === undefined) item.published = false;
      else Object.assign(item, ofProduct(product));
      if (product !== undefined && variantOf(product, item) !== undefined) delete item.deactivatedAt;
      else item.deactivatedAt ??= now;
    }
  },
};

export const follows: readonly FollowingDeclaration[] = [
  {
    kind: 'product',
    where: (ids) => `lineItems(productId in (${ids.map((id) => JSON.stringify(id)).join(', ')}))`,
    needs: 'shopping-list',
    mark: ({ document }) => {
      const product = asProduct(document)!;
      const variants = sidesIn(product.masterData).map((data) => allVariants(data).map(({ id }) => id));
      return JSON.stringify([ofProduct(product), variants]);
    },
  },
];
