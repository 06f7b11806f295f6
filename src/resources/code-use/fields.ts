import type { DocumentOf } from '../../engine/document.ts';
import { assigned } from '../../fields/field.ts';
import { integer, text } from '../../fields/scalar.ts';

export const fields = {
  discountCodeId: assigned(text()),
  customerId: assigned(text()),
  /** Orders of the customer to which the code was applied. */
  count: assigned(integer()),
};

export type CodeUse = DocumentOf<typeof fields>;
