import type { DocumentOf } from '../../engine/document.ts';
import { defaulted, optional, required } from '../../fields/field.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { boolean, key } from '../../fields/scalar.ts';
import { sortOrder } from '../../fields/sort-order.ts';

export const fields = {
  key: required(key()),
  name: optional(localizedString()),
  description: optional(localizedString()),
  /** The place of all its cart discounts among the others. */
  sortOrder: required(sortOrder()),
  isActive: defaulted(boolean(), () => true),
};

export type DiscountGroup = DocumentOf<typeof fields>;
