import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assigned, defaulted, optional, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { oneOf } from '../../fields/one-of.ts';
import { keyReference, plainReferences, reference } from '../../fields/reference.ts';
import { boolean, dateTime, enumeration, key } from '../../fields/scalar.ts';
import { anySortOrder, sortOrder } from '../../fields/sort-order.ts';
import { textCheckedBy } from '../../fields/text-checked-by.ts';
import { parseCartPredicate } from '../cart/predicate.ts';
import { target } from './target.ts';
import { value } from './value.ts';

const anyOrderScope = oneOf(
  'RecurringOrderScope',
  { AnyOrder: { typeName: 'AnyOrder', fields: {}, input: 'AnyOrderInput' } },
  { input: 'RecurringOrderScopeInput' },
);

/** Of what GraphQL has besides no discount is. */
const scopeTypes = ['AnyOrder', 'NonRecurringOrdersOnly', 'RecurringOrdersOnly', 'ApplicableRecurrencePolicies'];

const recurringOrderScope: typeof anyOrderScope = {
  ...anyOrderScope,
  output: {
    ...anyOrderScope.output,
    types: () => [
      ...anyOrderScope.output.types(),
      { type: 'enum', name: 'RecurringOrderScopeType', values: scopeTypes },
    ],
  },
};

const settable = {
  key: optional(key()),
  name: required(localizedString()),
  description: optional(localizedString()),
  value: required(value),
  cartPredicate: required(
    textCheckedBy(parseCartPredicate, { format: 'cart-predicate', examples: ['totalPrice.centAmount > 1000'] }),
  ),
  target: optional(target),
  stores: defaulted(list(keyReference('store', 'Store')), () => []),
  isActive: defaulted(boolean(), () => true),
  validFrom: optional(dateTime()),
  validUntil: optional(dateTime()),
  requiresDiscountCode: defaulted(boolean(), () => false),
  stackingMode: defaulted(
    enumeration('StackingMode', ['Stacking', 'StopAfterThisDiscount']),
    () => 'Stacking' as const,
  ),
  /** Orders that recur come later, so a discount is for any (decisions.md #50). */
  recurringOrderScope: defaulted(recurringOrderScope, () => ({ type: 'AnyOrder' })),
  custom: optional(customFields('cart-discount')),
};

export const fields = {
  ...settable,
  /** The gift of the example is in none. */
  discountGroup: optional({ ...reference('discount-group', 'DiscountGroup'), examples: [] }),
  /** The higher one is applied first; in a group it is that of the group. */
  sortOrder: defaulted(sortOrder(), anySortOrder),
  /** Resources that the predicates name. */
  references: assigned(plainReferences(), () => []),
};

export type CartDiscount = DocumentOf<typeof fields>;

/** Direct discounts of carts have the same. */
export { target, value };
