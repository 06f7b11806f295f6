/** What discount groups do for the cart discounts in them. */
import type { Fixed, UniqueValue } from '../../engine/document.ts';
import type { Found } from '../../engine/resource.ts';
import type { Reference } from '../../fields/parsing.ts';
import type { DiscountGroup } from './fields.ts';

/** Each of these has a place of its own. Migration 0023 has the same kinds. */
const orderedKinds = ['cart-discount', 'discount-group'];

/** A place that one cart discount or one group has. */
export function heldPlace(sortOrder: string): UniqueValue {
  return { field: 'sortOrder', value: sortOrder, among: orderedKinds };
}

/** The group that was read with a discount. */
export function groupOf(found: Pick<Found, 'one'>, { id }: Reference): Fixed<DiscountGroup> | undefined {
  // Stored groups were parsed by their kind.
  return found.one('discount-group', id) as Fixed<DiscountGroup> | undefined;
}
