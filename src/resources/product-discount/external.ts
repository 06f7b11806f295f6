/**
 * What clients say of external discounts. It has to be of one that is active and matches the price and its variant, as the
 * public description of price drafts demands; what has been said and matches no more goes without a word.
 */
import { invalidOperation } from '../../engine/actions.ts';
import type { Fixed } from '../../engine/document.ts';
import type { ApplyContext } from '../../engine/resource.ts';
import type { ProductDiscount } from './fields.ts';
import type { DiscountedPrice } from './subject.ts';

/** Takes it, until it is known whether the discount matches. Throws InvalidOperation for one that is not external, or not active. */
export function sayExternal(
  discounted: DiscountedPrice | undefined,
  priceName: string,
  { found, said }: Pick<ApplyContext, 'found' | 'said'>,
): void {
  if (discounted === undefined) return;
  const { id } = discounted.discount;
  // Stored discounts were parsed by their kind. One that is not there is refused as a reference.
  const discount = found.one('product-discount', id) as Fixed<ProductDiscount> | undefined;
  if (discount?.value.type !== 'external')
    throw invalidOperation(`The product discount '${id}' is not an external one.`);
  if (!discount.isActive) throw invalidOperation(`The product discount '${id}' is not active.`);
  said.add(saidName(priceName, id));
}

interface Said {
  readonly priceName: string;
  readonly said: ReadonlySet<string>;
}

/** Whether the request says it of the price. The price in the other projection may have another discount. */
export function isSaid({ discount }: DiscountedPrice, { priceName, said }: Said): boolean {
  return said.has(saidName(priceName, discount.id));
}

function saidName(priceName: string, discountId: string): string {
  return `${priceName} ${discountId}`;
}

/** Throws where the request says something of the price that does not hold for it. */
export function requireTaken(given: DiscountedPrice | undefined, taken: DiscountedPrice | undefined, of: Said): void {
  if (given === undefined || given === taken || !isSaid(given, of)) return;
  throw invalidOperation(
    `The product discount '${given.discount.id}' is not in force, or does not match the price and its variant.`,
  );
}
