import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import {
  assigned,
  assignedOptional,
  defaulted,
  type FieldKind,
  optional,
  refined,
  required,
} from '../../fields/field.ts';
import { linksCalled, list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { keyReference, plainReferences, reference } from '../../fields/reference.ts';
import { boolean, dateTime, integer, key, text } from '../../fields/scalar.ts';
import { textCheckedBy } from '../../fields/text-checked-by.ts';
import { parseCartPredicate } from '../cart/predicate.ts';

const cartDiscountsMax = 10;

const links = refined(list(reference('cart-discount', 'CartDiscount')), (given, parsing) => {
  return given.length >= 1 && given.length <= cartDiscountsMax
    ? given
    : parsing.wrongValue(given.length, `1 to ${cartDiscountsMax} cart discounts`);
});

const cartDiscounts = linksCalled(links, 'cartDiscountRefs');

const count = integer({ min: 0 });

/** GraphQL counts none where nothing is noted. */
const applications: FieldKind<number> = {
  ...count,
  output: {
    ...count.output,
    fields: (name) => [{ name, type: 'Long!', complexity: 1, read: (parent) => parent[name] ?? 0 }],
  },
};

const settable = {
  key: optional(key()),
  name: optional(localizedString()),
  description: optional(localizedString()),
  /** What a buyer types in. */
  code: required(text(['SUMMER'])),
  cartDiscounts: required(cartDiscounts),
  cartPredicate: optional(
    textCheckedBy(parseCartPredicate, { format: 'cart-predicate', examples: ['totalPrice.centAmount > 1000'] }),
  ),
  isActive: defaulted(boolean(), () => true),
  maxApplications: optional(count),
  maxApplicationsPerCustomer: optional(count),
  groups: defaulted(list(text(['spring'])), () => []),
  validFrom: optional(dateTime()),
  validUntil: optional(dateTime()),
  custom: optional(customFields('discount-code')),
};

export const fields = {
  ...settable,
  /** Resources that the predicate names. */
  references: assigned(plainReferences(), () => []),
  /** Those of its cart discounts. */
  stores: assigned(list(keyReference('store', 'Store')), () => []),
  /** Version of the code when it was last applied to an order. */
  applicationVersion: assignedOptional(integer()),
  /** Orders that it was applied to, which REST does not show. */
  applicationCount: assignedOptional(applications),
};

export type DiscountCode = DocumentOf<typeof fields>;
