/** Lines that cart discounts give away (carts 5.19). */
import { centPrecision } from '../../../money/money.ts';
import { allVariants } from '../../product/offers.ts';
import { snapshotOf } from '../actions/line-items.ts';
import type { LineItem } from '../item-fields.ts';
import type { Gathered } from './gathered.ts';
import type { Gift } from './gift-value.ts';
import { type Buyer, forQuantity, priceFor, priceOfLine } from './prices.ts';

/** Whether the line is what the value gives, and not what a former one gave. */
export function isGiftOf({ productId, variant, supplyChannel, distributionChannel }: LineItem, value: Gift): boolean {
  return (
    productId === value.product.id &&
    variant.id === value.variantId &&
    supplyChannel?.id === value.supplyChannel?.id &&
    distributionChannel?.id === value.distributionChannel?.id
  );
}

interface Giving {
  readonly product: Parameters<typeof snapshotOf>[0] | undefined;
  readonly buyer: Buyer;
  readonly gathered: Gathered;
  newId(): string;
  readonly now: string;
}

/**
 * The line of a gift that the cart does not have yet. Undefined where the product has gone. Throws MatchingPriceNotFound.
 */
export function newGift(value: Gift, { product, buyer, gathered, newId, now }: Giving): LineItem | undefined {
  const variant = product && allVariants(product.masterData.current).find(({ id }) => id === value.variantId);
  if (product === undefined || variant === undefined) return undefined;
  const { supplyChannel, distributionChannel } = value;
  const price = giftPrice({ productId: product.id, variantId: variant.id, distributionChannel }, { buyer, gathered });
  if (price === undefined) return undefined;
  return {
    id: newId(),
    ...snapshotOf(product, variant),
    quantity: 1,
    priceMode: 'Platform',
    lineItemMode: 'GiftLineItem',
    price,
    totalPrice: centPrecision(buyer.currency, 0),
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

/**
 * Gives the line of a gift that the cart has the price of today; leaves the price that there is where the product has gone.
 * Throws MatchingPriceNotFound.
 */
export function priceGift(line: LineItem, buyer: Buyer, gathered: Gathered): void {
  const { productId, variant, distributionChannel } = line;
  const price = giftPrice({ productId, variantId: variant.id, distributionChannel }, { buyer, gathered });
  if (price !== undefined) line.price = price;
}

interface Given {
  readonly productId: string;
  readonly variantId: number;
  readonly distributionChannel: LineItem['distributionChannel'];
}

/** Undefined where the product has gone. */
function giftPrice(
  { productId, variantId, distributionChannel }: Given,
  { buyer, gathered }: Pick<Giving, 'buyer' | 'gathered'>,
): LineItem['price'] | undefined {
  const price = priceFor({ productId, variantId, channel: distributionChannel?.id }, buyer, gathered);
  return price && priceOfLine(forQuantity(price, 1));
}
