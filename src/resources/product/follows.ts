/** What becomes of products in the background when others change. */
import type { Document, Fixed } from '../../engine/document.ts';
import type { FollowingDeclaration } from '../../engine/define.ts';
import { nextBorder } from '../product-discount/offers.ts';
import type { ProductDiscount } from '../product-discount/fields.ts';
import { loggedChanges } from '../product-type/offers.ts';
import type { Product } from './fields.ts';

export const follows: readonly FollowingDeclaration[] = [
  {
    kind: 'product-type',
    where: (ids) => `productType(id in (${quoted(ids)}))`,
    // Discounts ask for the key.
    mark: ({ document: { key }, internals }) => JSON.stringify([key, loggedChanges(internals).at(-1)?.revision ?? 0]),
    isPassedOn: true,
  },
  {
    kind: 'category',
    where: (ids) => {
      const among = `categories(id in (${quoted(ids)}))`;
      return `masterData(current(${among}) or staged(${among}))`;
    },
    // Discounts ask for no more.
    mark: ({ document: { key, ancestors } }) => JSON.stringify([key, ancestors]),
    isPassedOn: true,
    whenGone: leaveCategory,
  },
  {
    kind: 'product-discount',
    nextAt: (discounts, now) => nextBorder(discounts as unknown as readonly Fixed<ProductDiscount>[], now),
  },
];

function quoted(ids: readonly string[]): string {
  return ids.map((id) => JSON.stringify(id)).join(', ');
}

/** A category that has gone leaves both projections, and its order hints with it (catalog 47). */
function leaveCategory(document: Document, id: string): void {
  const { masterData } = document as unknown as Product;
  for (const data of [masterData.current, masterData.staged]) {
    data.categories = data.categories.filter((category) => category.id !== id);
    delete data.categoryOrderHints[id];
  }
}
