/** What an edit that was applied has made of its order. */
import type { Fixed } from '../../engine/document.ts';
import { embedded } from '../../fields/embedded.ts';
import { assigned, assignedOptional, type FieldKind, type ValueOf } from '../../fields/field.ts';
import { centMoney } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { dateTime, integer, text } from '../../fields/scalar.ts';
import { taxedPrice } from '../cart/tax-fields.ts';

const excerpt = {
  ...object('OrderExcerpt', {
    totalPrice: assigned(centMoney()),
    taxedPrice: assignedOptional(taxedPrice),
    version: assigned(integer()),
  }),
  // The platform alone gives it.
  input: undefined,
};

export const appliedFields = {
  appliedAt: assigned(dateTime()),
  excerptBeforeEdit: assigned(excerpt),
  excerptAfterEdit: assigned(excerpt),
};

/** That of an edit that was applied, as messages have it. */
export const appliedResult: FieldKind<Applied> = embedded('Applied', { type: assigned(text()), ...appliedFields });

export type Applied = { readonly type: 'Applied' } & Fixed<ValueOf<typeof appliedFields>>;
