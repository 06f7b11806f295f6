/** What product discounts offer to other resources: the ones that hold for prices, and what they make of these. No I/O here. */
import type { Fixed } from '../../engine/document.ts';
import type { ProductDiscount } from './fields.ts';

export { discountedValue } from './discounted-value.ts';
export { isSaid, requireTaken, sayExternal } from './external.ts';
export { type Discounting, discountFor, discountsOf } from './in-force.ts';
export { type DiscountedPrice, type PriceSubject, subjectOf, variantAt } from './subject.ts';

/** The next moment at which one of the active discounts begins or ends. */
export function nextBorder(discounts: readonly Fixed<ProductDiscount>[], now: string): string | undefined {
  const borders = discounts.flatMap(({ isActive, validFrom, validUntil }) => (isActive ? [validFrom, validUntil] : []));
  const ahead = borders.filter((border): border is string => border !== undefined && border > now);
  return ahead.toSorted((one, other) => (one < other ? -1 : 1))[0];
}
