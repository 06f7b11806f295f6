import type { StrongReference } from '../fields/parsing.ts';

/** What a link names its target by. */
export function nameOf(link: StrongReference): string {
  return 'id' in link ? link.id : link.key;
}

/** Two links lead to the same resource. */
export function isSameReference(one: StrongReference, other: StrongReference): boolean {
  return one.typeId === other.typeId && nameOf(one) === nameOf(other);
}
