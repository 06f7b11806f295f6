/** The stores of a code, in which it is found there: those of its cart discounts. */
import type { FollowingDeclaration } from '../../engine/define.ts';
import type { Fixed } from '../../engine/document.ts';
import type { Computation } from '../../engine/resource.ts';
import type { CartDiscount } from '../cart-discount/fields.ts';
import type { DiscountCode } from './fields.ts';

export const storesOfDiscounts: Computation<DiscountCode> = {
  reads: { 'cart-discount': ['cartDiscounts[*].id'] },
  readsAll: [],
  compute: (code, found) => {
    // Stored discounts were parsed by their kind.
    const stores = code.cartDiscounts.flatMap(
      ({ id }) => (found.one('cart-discount', id) as Fixed<CartDiscount> | undefined)?.stores ?? [],
    );
    code.stores = [...new Set(stores.map(({ key }) => key))].map((key) => ({ typeId: 'store', key }));
  },
};

export const follows: readonly FollowingDeclaration[] = [
  {
    kind: 'cart-discount',
    where: (ids) => `cartDiscounts(id in (${ids.map((id) => JSON.stringify(id)).join(', ')}))`,
    mark: ({ document }) => JSON.stringify(document['stores']),
  },
];
