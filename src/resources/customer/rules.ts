import { emailHolder } from '../../engine/accounts.ts';
import type { Fixed, UniqueValue } from '../../engine/document.ts';
import type { Customer } from './fields.ts';

/** A store counts once, and so does a group. */
export function deriveDistinct(customer: Customer): void {
  customer.stores = distinct(customer.stores, ({ key }) => key);
  customer.customerGroupAssignments = distinct(
    customer.customerGroupAssignments,
    ({ customerGroup }) => customerGroup.id,
  );
}

function distinct<T>(values: readonly T[], nameOf: (value: T) => string): T[] {
  return [...new Map(values.map((value) => [nameOf(value), value])).values()];
}

/** A customer of stores has an account in each of them, and others have one in the project. */
export function heldBy({
  email,
  stores,
  customerNumber,
}: Pick<Fixed<Customer>, 'email' | 'stores' | 'customerNumber'>): readonly UniqueValue[] {
  const emails =
    stores.length === 0 ? [emailHolder(email, undefined)] : stores.map(({ key }) => emailHolder(email, key));
  return [...emails, ...(customerNumber === undefined ? [] : [{ field: 'customerNumber', value: customerNumber }])];
}
