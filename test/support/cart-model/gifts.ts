/** 5.19: gifts. */
import { amountOf, centMoney, moneyOf, withAmount } from './amounts.ts';
import { currencyOf, isGift, type ModelCart, type ModelLine, type ModelWorld, type Request } from './cart-shapes.ts';
import type { Run, RunDiscount } from './cart-discounts.ts';
import { copyOfProduct } from './line-copies.ts';
import { selectPrice, variantsOf } from './line-prices.ts';
import { refuse } from './model-error.ts';

/** The discount that a gift came with. */
export function discountOfGift(line: ModelLine): string | undefined {
  return line.discountedPricePerQuantity[0]?.discountedPrice.includedDiscounts[0]?.discount.id;
}

/** Adds the gifts of the discounts that apply at the end, and removes those of others. */
export function placeGifts(run: Run, request: Request): void {
  const { world, cart } = run;
  const kept = new Map<string, ModelLine>();
  cart.lineItems = cart.lineItems.filter((line) => {
    const discount = isGift(line) ? run.gifts.find((gift) => isGiftOf(line, gift)) : undefined;
    if (discount !== undefined) kept.set(discount.id, line);
    return !isGift(line) || discount !== undefined;
  });
  for (const discount of run.gifts) {
    const existing = kept.get(discount.id);
    if (existing === undefined) cart.lineItems.push({ ...giftOf(world, cart, discount), id: `line-${cart.nextId++}` });
    else if (!request.isFrozen) {
      const { price, discountedPricePerQuantity } = giftOf(world, cart, discount);
      existing.price = price;
      existing.discountedPricePerQuantity = discountedPricePerQuantity;
    }
  }
}

function isGiftOf(line: ModelLine, { id, value }: RunDiscount): boolean {
  if (value.type !== 'giftLineItem') return false;
  return (
    discountOfGift(line) === id &&
    line.productId === value.product.id &&
    line.variant.id === value.variantId &&
    line.distributionChannel?.id === value.distributionChannel?.id &&
    line.supplyChannel?.id === value.supplyChannel?.id
  );
}

function giftOf(world: ModelWorld, cart: ModelCart, { id, typeId, value }: RunDiscount): Omit<ModelLine, 'id'> {
  if (value.type !== 'giftLineItem') throw new Error('Only gifts are given.');
  const product = world.products.find((candidate) => candidate.id === value.product.id);
  const variant = product && variantsOf(product).find((candidate) => candidate.id === value.variantId);
  if (product === undefined || variant === undefined) refuse('MatchingPriceNotFound');
  const channel = value.distributionChannel?.id;
  const price = selectPrice(world, cart, { product, variant, channel, quantity: 1 });
  const unit = amountOf(price.discounted?.value ?? price.value);
  return {
    ...copyOfProduct(world, cart, { product, variant }),
    price,
    quantity: 1,
    totalPrice: centMoney(currencyOf(cart), 0n),
    discountedPricePerQuantity: [
      {
        quantity: 1,
        discountedPrice: {
          value: moneyOf(withAmount(unit, 0n), 'HalfEven'),
          includedDiscounts: [{ discount: { typeId, id }, discountedAmount: moneyOf(unit, 'HalfEven') }],
        },
      },
    ],
    taxedPricePortions: [],
    state: [{ quantity: 1, state: { typeId: 'state', id: 'initial' } }],
    perMethodTaxRate: [],
    ...(value.supplyChannel === undefined ? {} : { supplyChannel: value.supplyChannel }),
    ...(value.distributionChannel === undefined ? {} : { distributionChannel: value.distributionChannel }),
    priceMode: 'Platform',
    lineItemMode: 'GiftLineItem',
  };
}
