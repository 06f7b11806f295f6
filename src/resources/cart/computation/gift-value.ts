import type { Fixed } from '../../../engine/document.ts';
import type { Tagged } from '../../../fields/one-of.ts';
import type { Reference } from '../../../fields/parsing.ts';

/** What a discount with such a value gives. */
export interface Gift {
  readonly product: Reference;
  readonly variantId: number;
  readonly supplyChannel?: Reference;
  readonly distributionChannel?: Reference;
}

/** Undefined for a value of another kind. */
export function giftOf(value: Fixed<Tagged>): Gift | undefined {
  // The members are those of the form.
  return value.type === 'giftLineItem' ? (value as unknown as Gift) : undefined;
}
