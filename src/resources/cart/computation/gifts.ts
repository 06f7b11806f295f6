/** Lines that cart discounts give away (carts 5.19). */
import { allVariants } from '../../product/offers.ts';
import { snapshotOf } from '../actions/line-items.ts';
import type { LineItem } from '../item-fields.ts';
import type { Gathered } from './gathered.ts';
import type { Gift } from './gift-value.ts';
import { type Buyer, forQuantity, ownPrice, priceFor } from './prices.ts';

/** Whether the line is what the value gives, and not what a former one gave. */
export function isGiftOf({ productId, variant, supplyChannel, distributionChannel }: LineItem, value: Gift): boolean {
  return (
    productId === value.product.id &&
    variant.id === value.variantId &&
    supplyChannel?.id === value.supplyChannel?.id &&
    distributionChannel?.id === value.distributionChannel?.id
  );
}

/** The line of a gift that the cart does not have yet. Undefined where the product has gone. */
export function newGift(
  value: Gift,
  {
    product,
    newId,
    now,
  }: { readonly product: Parameters<typeof snapshotOf>[0] | undefined; newId(): string; readonly now: string },
): LineItem | undefined {
  const variant = product && allVariants(product.masterData.current).find(({ id }) => id === value.variantId);
  if (product === undefined || variant === undefined) return undefined;
  const { supplyChannel, distributionChannel } = value;
  return {
    id: newId(),
    ...snapshotOf(product, variant),
    quantity: 1,
    priceMode: 'Platform',
    lineItemMode: 'GiftLineItem',
    // Filled in with the rest of the cart.
    price: undefined as unknown as LineItem['price'],
    totalPrice: undefined as unknown as LineItem['totalPrice'],
    discountedPricePerQuantity: [],
    perMethodTaxRate: [],
    taxedPricePortions: [],
    state: [],
    ...(supplyChannel !== undefined && { supplyChannel: { ...supplyChannel } }),
    ...(distributionChannel !== undefined && { distributionChannel: { ...distributionChannel } }),
    addedAt: now,
    lastModifiedAt: now,
  };
}

/** Gives the line its price. Throws MatchingPriceNotFound; leaves the price that there is where the product has gone. */
export function priceGift(line: LineItem, buyer: Buyer, gathered: Gathered): void {
  const { productId, variant, distributionChannel } = line;
  const price = priceFor({ productId, variantId: variant.id, channel: distributionChannel?.id }, buyer, gathered);
  if (price !== undefined) line.price = ownPrice(forQuantity(price, 1));
}
