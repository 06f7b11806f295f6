/** The cart as its prices, rates and methods say, for what `pricing/cart` computes of it. */
import type { Fixed } from '../../../engine/document.ts';
import { fractionDigitsOf } from '../../../money/currency.ts';
import type { TypedMoney } from '../../../money/money.ts';
import { type UndiscountedCart, undiscounted } from '../../../pricing/cart/cart-task.ts';
import type { Computed, Gift, PricedCart, PricedShipping } from '../../../pricing/cart/compute.ts';
import type { GivenTaxes, ItemMethod } from '../../../pricing/cart/item-taxes.ts';
import type { TaxRate as AmountedRate } from '../../../pricing/cart/taxes.ts';
import type { Part } from '../../../pricing/cart/units.ts';
import { methodsOf } from '../actions/shipping-details.ts';
import { ratedTaxes } from '../actions/taxes.ts';
import type { Cart } from '../fields.ts';
import type { CustomLineItem, LineItem } from '../item-fields.ts';
import type { ShippingInfo } from '../shipping-fields.ts';
import type { GivenTaxedPrice, TaxRate } from '../tax-fields.ts';
import { pricedParts } from './priced-parts.ts';
import { unitPrice } from './prices.ts';

export interface Unpriced {
  readonly facts: PricedCart['facts'];
  readonly tierType: string | undefined;
  /** Product discounts and cart discounts do not go together. */
  readonly isBestDeal: boolean;
  /** Discounts, codes and what shipping costs stay as they are. */
  readonly isHardFrozen: boolean;
}

export function pricedCart(cart: Fixed<Cart>, { isHardFrozen, isBestDeal, ...given }: Unpriced): UndiscountedCart {
  const { currencyCode } = cart.totalPrice;
  const { lines, customLines } = pricedParts(cart);
  return {
    currency: {
      currencyCode,
      // It was parsed as a currency.
      fractionDigits: fractionDigitsOf(currencyCode)!,
      rounding: cart.priceRoundingMode,
    },
    taxRounding: cart.taxRoundingMode,
    taxCalculation: cart.taxCalculationMode,
    items: [
      ...lines.map((line) => ({
        ...pricedLine(line, cart, isHardFrozen),
        ...(isBestDeal && !isHardFrozen && line.price.discounted && { undiscounted: unitsOf(line.price.value) }),
      })),
      ...customLines.map((item) => pricedCustom(item, cart, isHardFrozen)),
    ],
    shipping: shippingOf(cart, isHardFrozen),
    isAddressed: cart.shippingMode === 'Multiple' ? cart.shipping.length > 0 : cart.shippingAddress !== undefined,
    ...(isHardFrozen && {
      gifts: cart.lineItems.flatMap((line) => {
        const discount = giverOf(line);
        return discount === undefined ? [] : pricedGift(line, cart, discount);
      }),
      onTotal: (cart.discountOnTotalPrice?.includedDiscounts ?? []).map(({ discount, discountedAmount }) => ({
        discount: linkOf(discount),
        amount: discountedAmount.centAmount,
      })),
    }),
    ...given,
  };
}

/** What it would cost without discounts and gifts, without amounts of taxes that a client gave: what predicates see (carts 5.4). */
export function plainCosts(cart: Fixed<Cart>, tierType: string | undefined): Computed {
  const facts = { lineItems: [], customLineItems: [] };
  const own = cart.taxMode === 'ExternalAmount' ? ({ ...cart, taxMode: 'Disabled' } as const) : cart;
  return undiscounted(pricedCart(own, { facts, tierType, isBestDeal: false, isHardFrozen: false }));
}

/** What gave a line away; undefined for one that costs something. */
export function giverOf({
  lineItemMode,
  discountedPricePerQuantity: [units],
}: Fixed<LineItem>): Gift['discount'] | undefined {
  const discount = units?.discountedPrice.includedDiscounts[0]?.discount;
  return lineItemMode === 'GiftLineItem' && discount !== undefined ? linkOf(discount) : undefined;
}

export function pricedGift(line: Fixed<LineItem>, cart: Fixed<Cart>, discount: Gift['discount']): Gift {
  const unit = unitPrice(line.price);
  const { price, fractionDigits, taxRate, methods, taxed } = pricedItem(line, unit, { cart, isHardFrozen: false });
  return {
    discount,
    price,
    fractionDigits,
    ...(taxRate !== undefined && { taxRate }),
    ...(methods !== undefined && { methods }),
    ...(taxed !== undefined && { taxed }),
  };
}

type Item = UndiscountedCart['items'][number];

function pricedLine(line: Fixed<LineItem>, cart: Fixed<Cart>, isHardFrozen: boolean): Item {
  const isOfTotal = line.priceMode === 'ExternalTotal';
  return {
    kind: 'lineItem',
    ...pricedItem(line, unitPrice(line.price), { cart, isHardFrozen }),
    isOpen: !isOfTotal,
    ...(isOfTotal && { total: line.totalPrice.centAmount }),
    // Carts 1.4.
    ...(line.priceMode === 'ExternalPrice' && { rounding: 'HalfEven' as const }),
  };
}

function pricedCustom(item: Fixed<CustomLineItem>, cart: Fixed<Cart>, isHardFrozen: boolean): Item {
  return {
    kind: 'customLineItem',
    ...pricedItem(item, item.money, { cart, isHardFrozen }),
    isOpen: item.priceMode === 'Standard',
  };
}

function pricedItem(
  item: Fixed<LineItem> | Fixed<CustomLineItem>,
  unit: TypedMoney,
  { cart, isHardFrozen }: { readonly cart: Fixed<Cart>; readonly isHardFrozen: boolean },
): Omit<Item, 'kind' | 'isOpen'> {
  const { quantity } = item;
  return {
    quantity,
    price: unitsOf(unit),
    fractionDigits: unit.fractionDigits,
    ...(cart.shippingMode === 'Single' ? taxesOf(cart, item) : methodsTaxing(item, cart)),
    ...(isHardFrozen && item.discountedPricePerQuantity.length > 0 && { parts: partsOf(item) }),
  };
}

function unitsOf(money: Fixed<TypedMoney>): number {
  return money.type === 'highPrecision' ? money.preciseAmount : money.centAmount;
}

function methodsTaxing(
  item: Fixed<LineItem> | Fixed<CustomLineItem>,
  cart: Fixed<Cart>,
): { readonly methods?: readonly ItemMethod[] } {
  if (cart.taxMode === 'Disabled') return {};
  const targets = item.shippingDetails?.targets ?? [];
  // What a client says of the whole item holds for methods of which it says nothing: our decision (carts 8.8).
  const ofAll = cart.taxMode === 'External' ? item.taxRate : undefined;
  const methods = methodsOf(item, cart).map(({ shippingKey }) => {
    const quantity = targets
      .filter(({ shippingMethodKey }) => shippingMethodKey === shippingKey)
      .reduce((sum, target) => sum + target.quantity, 0);
    const isOwn = (each: { readonly shippingMethodKey: string }): boolean => each.shippingMethodKey === shippingKey;
    const taxRate = item.perMethodTaxRate.find(isOwn)?.taxRate ?? ofAll;
    const taxedPrice = item.taxedPricePortions.find(isOwn)?.taxedPrice;
    return { shippingKey, quantity, ...taxesOf(cart, { taxRate, taxedPrice }) };
  });
  return { methods };
}

/** What taxes something: a rate, or in the mode that has it so what the client gave. */
function taxesOf(
  { taxMode }: Fixed<Cart>,
  { taxRate, taxedPrice }: Fixed<{ taxRate?: TaxRate | undefined; taxedPrice?: GivenTaxedPrice | undefined }>,
): { readonly taxRate?: AmountedRate; readonly taxed?: GivenTaxes } {
  const isRated = taxMode === 'Platform' || taxMode === 'External';
  return {
    ...(isRated && taxRate !== undefined && { taxRate: ratedTaxes(taxRate as TaxRate) }),
    ...(taxMode === 'ExternalAmount' && taxedPrice !== undefined && { taxed: given(taxedPrice, taxRate) }),
  };
}

function given({ totalNet, totalGross }: Fixed<GivenTaxedPrice>, rate: Fixed<TaxRate> | undefined): GivenTaxes {
  return {
    ...(totalNet !== undefined && { net: totalNet.centAmount }),
    gross: totalGross.centAmount,
    ...(rate !== undefined && { rate: ratedTaxes(rate as TaxRate) }),
  };
}

function partsOf({ discountedPricePerQuantity }: Fixed<LineItem> | Fixed<CustomLineItem>): readonly Part[] {
  return discountedPricePerQuantity.map(({ quantity, discountedPrice }) => ({
    quantity,
    price: unitsOf(discountedPrice.value),
    portions: discountedPrice.includedDiscounts.map(({ discount, discountedAmount }) => ({
      discount: linkOf(discount),
      amount: unitsOf(discountedAmount),
    })),
  }));
}

function linkOf({ typeId, id }: Fixed<{ typeId: string; id: string }>): Part['portions'][number]['discount'] {
  return { typeId: typeId as 'cart-discount', id };
}

function shippingOf(cart: Fixed<Cart>, isHardFrozen: boolean): readonly PricedShipping[] {
  const one = cart.shippingInfo;
  if (cart.shippingMode === 'Single')
    return one === undefined ? [] : [pricedShipping(one, { cart, rateInput: cart.shippingRateInput, isHardFrozen })];
  return cart.shipping.map(({ shippingKey, shippingInfo, shippingRateInput }) => ({
    shippingKey,
    ...pricedShipping(shippingInfo, { cart, rateInput: shippingRateInput, isHardFrozen }),
  }));
}

/** One that was set just now has no price yet. */
type SetShipping = Omit<ShippingInfo, 'price'> & Partial<Pick<ShippingInfo, 'price'>>;

function pricedShipping(
  { shippingRate, taxRate, taxedPrice, price, discountedPrice }: Fixed<SetShipping>,
  {
    cart,
    rateInput,
    isHardFrozen,
  }: {
    readonly cart: Fixed<Cart>;
    readonly rateInput: Fixed<Cart>['shippingRateInput'];
    readonly isHardFrozen: boolean;
  },
): PricedShipping {
  return {
    // Parsed by its kind.
    rate: shippingRate as unknown as PricedShipping['rate'],
    rateInput: rateInput as PricedShipping['rateInput'],
    ...taxesOf(cart, { taxRate, taxedPrice }),
    ...(isHardFrozen && price !== undefined && { kept: keptPrice(price.centAmount, discountedPrice) }),
  };
}

function keptPrice(
  price: number,
  discounted: Fixed<ShippingInfo>['discountedPrice'],
): NonNullable<PricedShipping['kept']> {
  const portions = discounted?.includedDiscounts.map(({ discount, discountedAmount }) => ({
    discount: linkOf(discount),
    amount: discountedAmount.centAmount,
  }));
  return { price, ...(portions !== undefined && { discounted: { value: unitsOf(discounted!.value), portions } }) };
}
