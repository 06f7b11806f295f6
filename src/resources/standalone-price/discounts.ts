/**
 * What product discounts make of a standalone price, and of its staged value, for the variant that has the SKU. The public
 * API does so whatever the price mode of the product is. It does not say which side of the product discounts look at: here
 * it is what is for sale, and the staged one while the variant is not.
 */
import { invalidOperation } from '../../engine/actions.ts';
import type { FollowingDeclaration } from '../../engine/define.ts';
import type { Fixed } from '../../engine/document.ts';
import { wholeOf } from '../../engine/lens.ts';
import { indexable } from '../../engine/operations/write.ts';
import type { Computation } from '../../engine/resource.ts';
import type { ProductDiscount } from '../product-discount/fields.ts';
import {
  type DiscountedPrice,
  discountsOf,
  nextBorder,
  type PriceSubject,
  isSaid,
  requireTaken,
  subjectOf,
  variantAt,
} from '../product-discount/offers.ts';
import type { StandalonePrice } from './fields.ts';

/** Undefined where no variant has the SKU. */
type Gathered = { readonly subject: PriceSubject; readonly isForSale: boolean } | undefined;

/** A price has one value for which a client can say something. */
export const priceName = 'value';

export const discountedPrices: Computation<StandalonePrice, Gathered> = {
  reads: {},
  readsAll: ['product-discount'],
  gather: async ({ engine, project, found }, price) => {
    if (found.all('product-discount').length === 0) return undefined;
    // Who writes prices need not see all of products.
    const store = wholeOf(engine.store);
    const { sku } = price;
    const unique = indexable({ field: 'sku', value: sku });
    const [product] = await store.findHolders(project, [{ kind: 'product', unique }]);
    const [current, staged] = (['current', 'staged'] as const).map((side) =>
      variantAt(product, side, (variant) => variant.sku === sku),
    );
    const isForSale = current?.product.masterData.published === true;
    const sold = isForSale ? current : (staged ?? current);
    return sold && { subject: await subjectOf({ ...engine, store }, project, { ...sold, price }), isForSale };
  },
  compute: async (price, found, { now, gathered, said, turn }) => {
    const { discounted, sku, staged } = price;
    if (discounted !== undefined && isSaid(discounted, { priceName, said }) && gathered?.isForSale !== true)
      throw invalidOperation(`No published product has a variant with the SKU '${sku}'.`);
    const priced = staged === undefined ? [price] : [price, staged];
    // Stored discounts were parsed by their kind.
    const discounts = found.all('product-discount') as unknown as readonly Fixed<ProductDiscount>[];
    const [taken, ofStaged] = gathered === undefined ? [] : await discountsOfBoth(gathered.subject);
    requireTaken(discounted, taken, { priceName, said });
    setDiscounted(price, taken);
    if (staged !== undefined) setDiscounted(staged, ofStaged);

    async function discountsOfBoth(subject: PriceSubject): Promise<readonly (DiscountedPrice | undefined)[]> {
      const prices = priced.map(({ value, discounted: given }) => ({ ...subject.price, value, discounted: given }));
      const [found = []] = await discountsOf([{ ...subject, prices }], discounts, { now, turn });
      return found;
    }
  },
};

function setDiscounted(priced: Pick<StandalonePrice, 'discounted'>, discounted: DiscountedPrice | undefined): void {
  if (discounted === undefined) delete priced.discounted;
  // What discounts make is the price's own from here on.
  else priced.discounted = structuredClone(discounted) as NonNullable<StandalonePrice['discounted']>;
}

/**
 * Prices follow the product that has their SKU, and the discounts. Of a product that gives up an SKU or goes nobody knows it
 * any more: a price that nothing is sold at keeps what it has, until the next one takes the SKU or a discount changes.
 */
export const follows: readonly FollowingDeclaration[] = [
  {
    kind: 'product',
    needs: 'product-discount',
    sharing: { unique: 'sku', member: 'sku' },
  },
  {
    kind: 'product-discount',
    nextAt: (discounts, now) => nextBorder(discounts as unknown as readonly Fixed<ProductDiscount>[], now),
  },
];
