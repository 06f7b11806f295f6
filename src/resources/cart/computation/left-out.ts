/** Items that came from another cart, and that are left out where they cannot be sold or taxed in this one (carts 9.3, 9.4). */
import { ApiError } from '../../../errors/api-error.ts';
import { hasChannel } from '../../../pricing/stores.ts';
import { allVariants } from '../../product/offers.ts';
import { methodsOf } from '../actions/shipping-details.ts';
import type { Cart } from '../fields.ts';
import type { CustomLineItem, LineItem } from '../item-fields.ts';
import type { Gathered } from './gathered.ts';
import { type Buyer, priceFor } from './prices.ts';
import { hasHoldingRates, type Taxation } from './tax-rates.ts';

/** Said of an item that is to be left out where it cannot be sold or taxed, in place of refusing the request. */
export function copiedName(itemId: string): string {
  return `copied item ${itemId}`;
}

export interface Selling {
  readonly buyer: Buyer;
  readonly gathered: Gathered;
  readonly taxation: Taxation;
  readonly said: ReadonlySet<string>;
}

export function leaveOutUnsold(cart: Cart, selling: Selling): void {
  const isCopied = ({ id }: { readonly id: string }): boolean => selling.said.has(copiedName(id));
  cart.lineItems = cart.lineItems.filter(
    (line) => !isCopied(line) || (isSold(line, selling) && isTaxable(cart, line, selling)),
  );
  cart.customLineItems = cart.customLineItems.filter((item) => !isCopied(item) || isTaxed(cart, item, selling));
}

/** Its product has a tax category, where the platform is to tax it. */
function isTaxable(cart: Cart, line: LineItem, { gathered }: Selling): boolean {
  if (cart.taxMode !== 'Platform' || gathered.products.get(line.productId)?.taxCategory !== undefined) return true;
  return cart.shippingMode === 'Single' ? cart.shippingAddress === undefined : methodsOf(line, cart).length === 0;
}

/** It says by what: its tax category, or the rates that it has. */
function isTaxed(cart: Cart, item: CustomLineItem, { taxation }: Selling): boolean {
  return cart.taxMode !== 'Platform' || item.taxCategory !== undefined || hasHoldingRates(cart, item, taxation);
}

/** Published, shown in the store of the cart, by a channel of it, and with a price for it where the platform prices the line. */
function isSold(
  { productId, variant, priceMode, distributionChannel }: LineItem,
  { buyer, gathered }: Selling,
): boolean {
  const product = gathered.products.get(productId);
  if (product?.masterData.published !== true) return false;
  if (!allVariants(product.masterData.current).some(({ id }) => id === variant.id)) return false;
  if (gathered.isShown.get(productId)?.(variant.sku) === false) return false;
  if (!hasChannel(gathered.store?.distributionChannels ?? [], distributionChannel)) return false;
  if (priceMode !== 'Platform') return true;
  try {
    priceFor({ productId, variantId: variant.id, channel: distributionChannel?.id }, buyer, gathered);
    return true;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'MatchingPriceNotFound') return false;
    throw error;
  }
}
