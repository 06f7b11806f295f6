import type { Fixed, UniqueValue } from '../../engine/document.ts';
import { invalidOperation } from '../../engine/actions.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { ShoppingList } from './fields.ts';

/** The public API has these limits. */
const itemsMax = { lineItems: 250, textLineItems: 100 } as const;

/** Asked before items are added: each is compared with all that there are. Throws InvalidOperation. */
export function requireWithinLimit(member: keyof typeof itemsMax, count: number): void {
  const max = itemsMax[member];
  if (count > max) throw invalidOperation(`A shopping list has at most ${max} ${member}, but ${count} were given.`);
}

/** A list is a customer's or a visitor's. */
export function oneOwner({ customer, anonymousId }: Fixed<ShoppingList>): ErrorElement | undefined {
  if (customer === undefined || anonymousId === undefined) return undefined;
  return { code: 'InvalidOperation', message: 'A shopping list that belongs to a customer has no anonymousId.' };
}

/** For each locale. */
export function heldSlugs({ slug = {} }: Fixed<ShoppingList>): readonly UniqueValue[] {
  return Object.entries(slug).map(([locale, value]) => ({ field: `slug.${locale}`, value }));
}
