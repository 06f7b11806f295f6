/** The prices of a cart's lines: which one of a variant's prices the cart has, and what a unit costs by it (carts 2). */
import type { Fixed } from '../../../engine/document.ts';
import { apiError } from '../../../errors/api-error.ts';
import type { TypedMoney } from '../../../money/money.ts';
import { selectPrice } from '../../../pricing/select-price.ts';
import { isSoldAt, limitsOf, type StoreLimits } from '../../../pricing/store-prices.ts';
import { allVariants } from '../../product/offers.ts';
import type { Price } from '../../product/fields.ts';
import type { StandalonePrice } from '../../standalone-price/fields.ts';
import type { Cart } from '../fields.ts';
import type { LineItem } from '../item-fields.ts';
import type { Gathered } from './gathered.ts';

/** Whoever buys, as prices tell buyers apart. */
export interface Buyer {
  readonly currency: string;
  readonly country: string | undefined;
  /** Ids: of the cart, and of what its customer is assigned to. */
  readonly customerGroups: ReadonlySet<string>;
  readonly limits: StoreLimits;
  readonly now: string;
}

export function buyerOf(
  { totalPrice, country, customerGroup }: Fixed<Cart>,
  {
    assignedGroups,
    store,
    now,
  }: { readonly assignedGroups: readonly string[]; readonly store: Gathered['store']; readonly now: string },
): Buyer {
  return {
    currency: totalPrice.currencyCode,
    country,
    customerGroups: new Set([...(customerGroup === undefined ? [] : [customerGroup.id]), ...assignedGroups]),
    limits: limitsOf(store),
    now,
  };
}

interface Wanted {
  readonly productId: string;
  readonly variantId: number;
  /** Id of the distribution channel. */
  readonly channel: string | undefined;
}

/**
 * The price that the buyer has; undefined where the product is not sold any more, which leaves what there was. Throws
 * MatchingPriceNotFound.
 */
export function priceFor(wanted: Wanted, buyer: Buyer, gathered: Gathered): Fixed<Price> | undefined {
  const candidates = candidatesOf(wanted, gathered);
  if (candidates === undefined) return undefined;
  const { currency, country, customerGroups, limits, now } = buyer;
  const offered = candidates.filter((price) => isSoldAt(limits, price.country, price.channel?.id));
  const { channel } = wanted;
  const selected = selectPrice(offered, { currency, country, customerGroups, channel }, now);
  if (selected !== undefined) return selected;
  const { productId, variantId } = wanted;
  const [customerGroup] = customerGroups;
  throw apiError(
    'MatchingPriceNotFound',
    `The variant ${variantId} of the product '${productId}' has no price for this cart.`,
    {
      productId,
      variantId,
      currency,
      ...(country !== undefined && { country }),
      ...(customerGroup !== undefined && { customerGroup: { typeId: 'customer-group', id: customerGroup } }),
      ...(channel !== undefined && { channel: { typeId: 'channel', id: channel } }),
    },
  );
}

/** Of what is for sale, or a gift, whose product need not be published. */
function candidatesOf({ productId, variantId }: Wanted, gathered: Gathered): readonly Fixed<Price>[] | undefined {
  const product = gathered.products.get(productId);
  const variant = product && allVariants(product.masterData.current).find(({ id }) => id === variantId);
  if (product === undefined || variant === undefined) return undefined;
  if (product.priceMode !== 'Standalone') return variant.prices;
  const { sku } = variant;
  return sku === undefined ? [] : (gathered.standalonePrices.get(sku) ?? []).map(asEmbedded);
}

/** Those of its members that embedded prices have. */
function asEmbedded(price: Fixed<StandalonePrice>): Fixed<Price> {
  const { id, key, value, country, customerGroup, channel, validFrom, validUntil, discounted, tiers, custom } = price;
  const embedded = {
    id,
    key,
    value,
    country,
    customerGroup,
    channel,
    validFrom,
    validUntil,
    discounted,
    tiers,
    custom,
  };
  return Object.fromEntries(
    Object.entries(embedded).filter(([, member]) => member !== undefined),
  ) as unknown as Fixed<Price>;
}

/** The price as the line has it for this quantity: where a tier applies it takes the place of the value (carts 2.7, 2.8). */
export function forQuantity(price: Fixed<Price>, quantity: number): Fixed<Price> {
  if (price.discounted !== undefined) return price;
  let best: Fixed<NonNullable<Price['tiers']>[number]> | undefined;
  for (const tier of price.tiers ?? []) {
    const isReached = tier.minimumQuantity <= quantity;
    if (isReached && (best === undefined || tier.minimumQuantity > best.minimumQuantity)) best = tier;
  }
  return best === undefined ? price : { ...price, value: best.value };
}

/** What a unit costs before cart discounts. */
export function unitPrice({ value, discounted }: Fixed<Pick<Price, 'value' | 'discounted'>>): TypedMoney {
  return discounted?.value ?? value;
}

/** A price as lines have it. It is shared with other requests, so nobody changes it: a line gets another as a whole. */
export function priceOfLine(price: Fixed<Price>): LineItem['price'] {
  return price as LineItem['price'];
}

/** Gives each line that the platform prices its price, where its product is still sold. */
export function selectPrices(cart: Cart, buyer: Buyer, gathered: Gathered): void {
  for (const line of cart.lineItems) {
    if (line.priceMode !== 'Platform' || line.lineItemMode !== 'Standard') continue;
    if (gathered.products.get(line.productId)?.masterData.published !== true) continue;
    const { productId, variant, distributionChannel, quantity } = line;
    const price = priceFor({ productId, variantId: variant.id, channel: distributionChannel?.id }, buyer, gathered);
    if (price !== undefined) line.price = priceOfLine(forQuantity(price, quantity));
  }
}
