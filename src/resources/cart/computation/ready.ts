/** Cart discounts that are kept ready to be applied, by their versions: one that changes leaves the others alone. */
import { LRUCache } from 'lru-cache';
import type { Discount } from '../../../pricing/cart/discounts.ts';
import { readyDiscount, type StoredDiscount } from '../../../pricing/cart/stored-discounts.ts';
import { cartMatchers } from '../compiled.ts';

const kept = new LRUCache<string, Discount>({ max: 20_000 });

export function ready(name: string, stored: StoredDiscount): Discount {
  let discount = kept.get(name);
  if (discount === undefined) kept.set(name, (discount = readyDiscount(stored, cartMatchers)));
  return discount;
}
