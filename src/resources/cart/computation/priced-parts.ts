/** The parts of a cart that cost something, in the order in which `pricing/cart` has them, beside what was computed of them. */
import type { Fixed } from '../../../engine/document.ts';
import type { Computed } from '../../../pricing/cart/compute.ts';
import type { Cart } from '../fields.ts';

type ComputedItem = Computed['items'][number];
type ComputedShipping = Computed['shipping'][number];
type Line<C extends Fixed<Cart>> = C['lineItems'][number];
type CustomLine<C extends Fixed<Cart>> = C['customLineItems'][number];
type Shipping<C extends Fixed<Cart>> = NonNullable<C['shippingInfo']>;

export interface PricedParts<C extends Fixed<Cart>> {
  /** Without gifts, of which nobody knows yet which ones there are. */
  readonly lines: readonly Line<C>[];
  readonly customLines: readonly CustomLine<C>[];
  /** The one method, or all of several. */
  readonly shipping: readonly Shipping<C>[];
}

export function pricedParts<C extends Fixed<Cart>>(cart: C): PricedParts<C> {
  const { shippingMode, shippingInfo, shipping } = cart;
  const infos =
    shippingMode === 'Multiple'
      ? shipping.map((each) => each.shippingInfo)
      : shippingInfo === undefined
        ? []
        : [shippingInfo];
  return {
    lines: cart.lineItems.filter(({ lineItemMode }) => lineItemMode === 'Standard'),
    customLines: cart.customLineItems,
    // A cart has them in one type at both members.
    shipping: infos as readonly Shipping<C>[],
  };
}

export interface CostedParts<C extends Fixed<Cart>> {
  readonly lines: readonly (readonly [Line<C>, ComputedItem])[];
  readonly customLines: readonly (readonly [CustomLine<C>, ComputedItem])[];
  readonly shipping: readonly (readonly [Shipping<C>, ComputedShipping])[];
}

/** Each part with its costs, which were computed of the cart as it is. */
export function costedParts<C extends Fixed<Cart>>(
  cart: C,
  { items, shipping }: Pick<Computed, 'items' | 'shipping'>,
): CostedParts<C> {
  const parts = pricedParts(cart);
  const lineCount = parts.lines.length;
  return {
    lines: parts.lines.map((line, index) => [line, items[index]!] as const),
    customLines: parts.customLines.map((line, index) => [line, items[lineCount + index]!] as const),
    shipping: parts.shipping.map((info, index) => [info, shipping[index]!] as const),
  };
}
