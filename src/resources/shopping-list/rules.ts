import type { Fixed, UniqueValue } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import type { ShoppingList } from './fields.ts';

/** The public API has these limits. */
const lineItemsMax = 250;
const textLineItemsMax = 100;

export function itemsWithinLimits({ lineItems, textLineItems }: Fixed<ShoppingList>): readonly ErrorElement[] {
  return [
    ...tooMany('lineItems', lineItems.length, lineItemsMax),
    ...tooMany('textLineItems', textLineItems.length, textLineItemsMax),
  ];
}

function tooMany(member: string, count: number, max: number): readonly ErrorElement[] {
  if (count <= max) return [];
  return [
    { code: 'InvalidOperation', message: `A shopping list has at most ${max} ${member}, but ${count} were given.` },
  ];
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
