/** A small shop, carts of it, and what worked numbers need besides. */
import type {
  CartDiscount,
  CartDiscountTarget,
  CartDiscountValue,
  CartDraft,
  Price,
  TaxRate,
  TypedMoney,
} from '@commercetools/platform-sdk';
import type { ModelCart, ModelWorld } from './cart-shapes.ts';
import { createModelCart } from './model.ts';
import { idOf } from './world-ids.ts';

export const now = '2026-06-01T00:00:00.000Z';
export const created = { version: 1, createdAt: now, lastModifiedAt: now };
export const everything = '1 = 1';
export const address = { country: 'DE' };

interface Shop {
  readonly prices?: readonly Price[];
  readonly rates?: readonly TaxRate[];
  readonly discounts?: readonly CartDiscount[];
  readonly settings?: ModelWorld['project'];
}

/** A shop with one product, and a second that costs 5.00. */
export function shop({
  prices = [price(108)],
  rates = [rate(0.19, false)],
  discounts = [],
  settings = {},
}: Shop): ModelWorld {
  return {
    now,
    project: settings,
    products: [product(1, prices), product(2, [price(500)])],
    standalonePrices: [],
    categories: [],
    taxCategories: [{ ...created, id: idOf('tax-category', 1), name: 'All', rates: [...rates] }],
    zones: [{ ...created, id: idOf('zone', 1), name: 'All', locations: [{ country: 'DE' }] }],
    shippingMethods: [],
    cartDiscounts: discounts,
    discountCodes: [],
    discountGroups: [],
    customers: [],
    channels: [],
    stores: [],
    codeUses: [],
    selectedProducts: {},
  };
}

export function euros(centAmount: number): Extract<TypedMoney, { type: 'centPrecision' }> {
  return { type: 'centPrecision', currencyCode: 'EUR', centAmount, fractionDigits: 2 };
}

export function price(centAmount: number, members: Partial<Price> = {}): Price {
  return { id: idOf('price', centAmount), value: euros(centAmount), ...members };
}

export function rate(amount: number, includedInPrice: boolean, members: Partial<TaxRate> = {}): TaxRate {
  return { id: idOf('tax-rate', 1), name: 'VAT', amount, includedInPrice, country: 'DE', ...members };
}

function product(index: number, prices: readonly Price[]): ModelWorld['products'][number] {
  const data = {
    name: { en: `Product ${index}` },
    slug: { en: `product-${index}` },
    categories: [],
    masterVariant: { id: 1, sku: `sku-${index}-1`, prices: [...prices], attributes: [] },
    variants: [],
    searchKeywords: {},
    attributes: [],
  };
  return {
    ...created,
    id: idOf('product', index),
    productType: { typeId: 'product-type', id: idOf('product-type', 1) },
    taxCategory: { typeId: 'tax-category', id: idOf('tax-category', 1) },
    masterData: { published: true, hasStagedChanges: false, current: data, staged: data },
  };
}

let discountNumber = 0;

export function discount(
  sortOrder: string,
  value: CartDiscountValue,
  target: CartDiscountTarget | undefined = { type: 'lineItems', predicate: everything },
): CartDiscount {
  discountNumber += 1;
  return {
    ...created,
    id: idOf('cart-discount', discountNumber),
    name: { en: 'Discount' },
    value,
    ...(value.type === 'giftLineItem' ? {} : { target }),
    cartPredicate: everything,
    sortOrder,
    stores: [],
    isActive: true,
    requiresDiscountCode: false,
    references: [],
    stackingMode: 'Stacking',
    recurringOrderScope: { type: 'AnyOrder' },
  };
}

export function relative(permyriad: number): CartDiscountValue {
  return { type: 'relative', permyriad };
}

export function absolute(centAmount: number): CartDiscountValue {
  return { type: 'absolute', money: [euros(centAmount)] };
}

export function cartOf(world: ModelWorld, draft: Partial<CartDraft>): ModelCart {
  const result = createModelCart(world, { currency: 'EUR', ...draft });
  if ('error' in result) throw new Error(result.error);
  return result.cart;
}

export function lines(quantity: number): Partial<CartDraft> {
  return { lineItems: [{ sku: 'sku-1-1', quantity }] };
}

export function unitsOf(cart: ModelCart, index = 0): readonly (readonly [quantity: number, centAmount: number])[] {
  const groups = cart.lineItems[index]!.discountedPricePerQuantity;
  return groups.map(({ quantity, discountedPrice }) => [quantity, discountedPrice.value.centAmount]);
}
