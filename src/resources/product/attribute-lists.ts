import type { Attribute } from './attribute.ts';

/** Lists that requests have made, and copies of them. */
const made = new WeakSet<readonly Attribute[]>();

/**
 * Marks a list of attributes as made by a request: wherever its actions take it, it has to have what is required when all are
 * done (catalog 10), and what stood there before does not. Nobody changes such a list.
 */
export function asMade(attributes: Attribute[]): Attribute[] {
  made.add(attributes);
  return attributes;
}

export function isMade(attributes: readonly Attribute[]): boolean {
  return made.has(attributes);
}

/** A list of the same attributes, which is marked where the original is. */
export function copyOfList(attributes: readonly Attribute[]): Attribute[] {
  const copy = [...attributes];
  return isMade(attributes) ? asMade(copy) : copy;
}
