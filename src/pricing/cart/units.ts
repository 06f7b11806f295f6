/** The units of a cart's items while discounts are applied to them: those of one item with one price stand together. */
import { apiError } from '../../errors/api-error.ts';

/** A discount, as what it took off names it. */
export interface DiscountLink {
  readonly typeId: 'cart-discount' | 'direct-discount';
  readonly id: string;
}

/** What a discount took off one unit, in the unit of the item's price. */
export interface Portion {
  readonly discount: DiscountLink;
  readonly amount: number;
}

/** Units of an item with the same price, to which the same discounts led. */
export interface Part {
  readonly quantity: number;
  /** Of one unit, in 1/(10^fractionDigits) of the currency. */
  readonly price: number;
  /** In the order in which they were applied. */
  readonly portions: readonly Portion[];
}

/** An item with the prices of its units so far. */
export interface Priced {
  /** Of the prices of its units. */
  readonly fractionDigits: number;
  parts: readonly Part[];
}

/** Units of a part that a discount looks at together. */
export interface Picked<I extends Priced = Priced> {
  readonly item: I;
  /** Index of the part. */
  readonly part: number;
  readonly quantity: number;
}

/** What some units of a part lose, each. */
export interface Reduction {
  readonly item: Priced;
  readonly part: number;
  readonly quantity: number;
  /** In the unit of the item's price. */
  readonly amount: number;
}

export function partOf({ item, part }: Pick<Picked, 'item' | 'part'>): Part {
  return item.parts[part]!;
}

/** All units of the items, in the order of the cart. */
export function unitsOf<I extends Priced>(items: readonly I[]): readonly Picked<I>[] {
  return items.flatMap((item) => item.parts.map(({ quantity }, part) => ({ item, part, quantity })));
}

/**
 * Takes the reductions off: the units that they speak of leave their parts, the first ones first. Gives whether any unit is
 * cheaper for it; what takes nothing off leaves no word of the discount (carts 5.6).
 */
export function reduce(reductions: readonly Reduction[], discount: DiscountLink): boolean {
  const byItem = new Map<Priced, Map<number, Reduction[]>>();
  for (const reduction of reductions) {
    const { item, part, amount } = reduction;
    if (amount === 0) continue;
    let ofItem = byItem.get(item);
    if (ofItem === undefined) byItem.set(item, (ofItem = new Map()));
    const ofPart = ofItem.get(part);
    if (ofPart === undefined) ofItem.set(part, [reduction]);
    else ofPart.push(reduction);
  }
  for (const [item, ofItem] of byItem)
    item.parts = merged(item.parts.flatMap((part, index) => split(part, ofItem.get(index) ?? [], discount)));
  return byItem.size > 0;
}

function split(part: Part, reductions: readonly Reduction[], discount: DiscountLink): readonly Part[] {
  if (reductions.length === 0) return [part];
  const { price, portions } = part;
  let left = part.quantity;
  const cheaper = reductions.map(({ quantity, amount }) => {
    left -= quantity;
    return { quantity, price: price - amount, portions: [...portions, { discount, amount }] };
  });
  if (left < 0) throw new Error('A discount took more units than there are.');
  return left === 0 ? cheaper : [...cheaper, { ...part, quantity: left }];
}

/** Parts that one item may come to have, each of which is shown with all its discounts. */
export const partsMax = 1000;

/** What discounts took off parts, each of which is shown with its discount: some megabytes of a cart. */
const portionsMax = 60_000;

/** Throws where discounts took something off too many parts of these, taken together. */
export function requireFewPortions(items: readonly Priced[]): void {
  let count = 0;
  for (const { parts } of items) for (const { portions } of parts) count += portions.length;
  if (count > portionsMax)
    throw apiError(
      'InvalidOperation',
      `Discounts change the prices of the cart's items more than ${portionsMax} times.`,
    );
}

/** Parts that are alike as one, at the place of the first. */
function merged(parts: readonly Part[]): readonly Part[] {
  if (parts.length === 1) return parts;
  const byName = new Map<string, Part>();
  for (const part of parts) {
    const name = nameOf(part);
    const known = byName.get(name);
    byName.set(name, known === undefined ? part : { ...known, quantity: known.quantity + part.quantity });
  }
  if (byName.size > partsMax)
    throw apiError('InvalidOperation', `Discounts split an item into more than ${partsMax} prices.`);
  return [...byName.values()];
}

function nameOf({ price, portions }: Part): string {
  let name = String(price);
  for (const { discount, amount } of portions) name += `|${discount.id} ${amount}`;
  return name;
}
