/** What was computed of a cart, written into it as the contract has it. */
import { centPrecision, type CentPrecisionMoney, highPrecision, type TypedMoney } from '../../../money/money.ts';
import type { Computed } from '../../../pricing/cart/compute.ts';
import type { Taxed } from '../../../pricing/cart/taxes.ts';
import type { Part } from '../../../pricing/cart/units.ts';
import type { Cart } from '../fields.ts';
import type { CustomLineItem, LineItem } from '../item-fields.ts';
import type { ShippingInfo } from '../shipping-fields.ts';
import type { TaxedPrice } from '../tax-fields.ts';
import { costedParts } from './priced-parts.ts';

type ComputedItem = Computed['items'][number];
type Portions = Computed['onTotal'];

/** `giftLine` is the line of one that is given, by its discount. Those that are not given any more go, and new ones come last. */
export function writeComputed(cart: Cart, computed: Computed, giftLine: (discountId: string) => LineItem): void {
  const { currencyCode } = cart.totalPrice;
  const { lines, customLines, shipping } = costedParts(cart, computed);
  for (const [item, costs] of [...lines, ...customLines]) writeItem(item, costs, currencyCode);
  const gifts = computed.gifts.map((gift) => {
    const line = giftLine(gift.of.discount.id);
    writeGift(line, gift, currencyCode);
    return line;
  });
  const stays = (line: LineItem): boolean => line.lineItemMode === 'Standard' || gifts.includes(line);
  const added = gifts.filter((line) => !cart.lineItems.includes(line));
  cart.lineItems = [...cart.lineItems.filter(stays), ...added];
  for (const [info, shipped] of shipping) writeShipping(info, shipped, currencyCode);
  const quantity = cart.lineItems.reduce((sum, line) => sum + line.quantity, 0);
  put(cart, 'totalLineItemQuantity', cart.lineItems.length === 0 ? undefined : quantity);
  cart.totalPrice = centPrecision(currencyCode, computed.total);
  put(cart, 'discountOnTotalPrice', onTotalOf(computed, currencyCode));
  put(cart, 'taxedPrice', taxedOf(computed.taxed, currencyCode));
  put(cart, 'taxedShippingPrice', taxedOf(computed.taxedShipping, currencyCode));
}

/** Which kind of discounts was better, where they do not go together: that of carts, if it was for any line. */
export function writeCombination(cart: Cart, { items }: Computed, isBestDeal: boolean): void {
  const isOfCart = items.some(
    ({ kind, parts }) => kind === 'lineItem' && parts.some(({ portions }) => portions.length > 0),
  );
  const chosenDiscountType = isOfCart ? ('CartDiscount' as const) : ('ProductDiscount' as const);
  put(cart, 'discountTypeCombination', isBestDeal ? { type: 'BestDeal', chosenDiscountType } : undefined);
}

/** What is absent has no member. */
function put<T extends object, Name extends keyof T>(target: T, name: Name, value: T[Name] | undefined): void {
  if (value === undefined) delete target[name];
  else target[name] = value;
}

function writeItem(item: LineItem | CustomLineItem, computed: ComputedItem, currencyCode: string): void {
  item.totalPrice = centPrecision(currencyCode, computed.total);
  item.discountedPricePerQuantity = perQuantity(computed.parts, { currencyCode, digits: computed.fractionDigits });
  writeTaxes(item, computed, currencyCode);
}

function writeTaxes(
  item: LineItem | CustomLineItem,
  { of, taxed, taxedByMethod }: ComputedItem | Computed['gifts'][number],
  currencyCode: string,
): void {
  put(item, 'taxedPrice', taxedOf(taxed, currencyCode));
  item.taxedPricePortions = (of.methods ?? []).map(({ shippingKey }, index) => {
    const taxedPrice = taxedOf(taxedByMethod?.[index], currencyCode);
    return { shippingMethodKey: shippingKey, ...(taxedPrice !== undefined && { taxedPrice }) };
  });
}

interface Precision {
  readonly currencyCode: string;
  readonly digits: number;
}

/** Empty where no discount touched the item (carts 5.20). */
function perQuantity(parts: readonly Part[], precision: Precision): LineItem['discountedPricePerQuantity'] {
  if (parts.every(({ portions }) => portions.length === 0)) return [];
  return parts.map(({ quantity, price, portions }) => ({
    quantity,
    discountedPrice: {
      value: moneyOf(price, precision),
      includedDiscounts: portions.map(({ discount, amount }) => ({
        discount: { ...discount },
        discountedAmount: moneyOf(amount, precision),
      })),
    },
  }));
}

function moneyOf(units: number, { currencyCode, digits }: Precision): TypedMoney {
  const cents = centPrecision(currencyCode, units);
  return cents.fractionDigits === digits ? cents : highPrecision(currencyCode, units, digits);
}

/** All that it is worth is taken off. */
function writeGift(line: LineItem, gift: Computed['gifts'][number], currencyCode: string): void {
  const { of } = gift;
  const precision = { currencyCode, digits: of.fractionDigits };
  line.totalPrice = centPrecision(currencyCode, 0);
  line.discountedPricePerQuantity = [
    {
      quantity: 1,
      discountedPrice: {
        value: moneyOf(0, precision),
        includedDiscounts: [{ discount: { ...of.discount }, discountedAmount: moneyOf(of.price, precision) }],
      },
    },
  ];
  writeTaxes(line, gift, currencyCode);
}

function writeShipping(
  info: ShippingInfo,
  { price, discounted, taxed }: Computed['shipping'][number],
  currencyCode: string,
): void {
  info.price = centPrecision(currencyCode, price);
  put(
    info,
    'discountedPrice',
    discounted && {
      value: centPrecision(currencyCode, discounted.value),
      includedDiscounts: portionsOf(discounted.portions, currencyCode),
    },
  );
  put(info, 'taxedPrice', taxedOf(taxed, currencyCode));
}

function portionsOf(
  portions: Portions,
  currencyCode: string,
): NonNullable<Cart['discountOnTotalPrice']>['includedDiscounts'] {
  return portions.map(({ discount, amount }) => ({
    discount: { ...discount },
    discountedAmount: centPrecision(currencyCode, amount),
  }));
}

function onTotalOf({ onTotal, off, offTaxed }: Computed, currencyCode: string): Cart['discountOnTotalPrice'] {
  if (onTotal.length === 0) return undefined;
  const money = (cents: number): CentPrecisionMoney => centPrecision(currencyCode, cents);
  return {
    discountedAmount: money(off),
    includedDiscounts: portionsOf(onTotal, currencyCode),
    ...(offTaxed !== undefined && {
      discountedNetAmount: money(offTaxed.net),
      discountedGrossAmount: money(offTaxed.gross),
    }),
  };
}

function taxedOf(taxed: Taxed | undefined, currencyCode: string): TaxedPrice | undefined {
  if (taxed === undefined) return undefined;
  const money = (cents: number): CentPrecisionMoney => centPrecision(currencyCode, cents);
  return {
    totalNet: money(taxed.net),
    totalGross: money(taxed.gross),
    taxPortions: taxed.portions.map(({ name, rate, amount }) => ({
      ...(name !== undefined && { name }),
      rate,
      amount: money(amount),
    })),
    totalTax: money(taxed.gross - taxed.net),
  };
}
