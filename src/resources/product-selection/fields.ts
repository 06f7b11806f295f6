import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assigned, defaulted, type FieldKind, hiddenInGraphql, optional, required } from '../../fields/field.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { enumeration, integer, key } from '../../fields/scalar.ts';

/** Which products a store shows: those of its selections, or all but those. */
const mode = enumeration('ProductSelectionMode', ['Individual', 'IndividualExclusion']);

export type Mode = (typeof modes)[keyof typeof modes];

/** What was there before `mode` said the same. REST alone has it. */
const type: FieldKind<keyof typeof modes> = {
  ...hiddenInGraphql(enumeration('ProductSelectionTypeEnum', ['individual', 'individualExclusion'])),
  input: undefined,
  examples: [],
};

/** The modes by the older types. */
export const modes = { individual: 'Individual', individualExclusion: 'IndividualExclusion' } as const;

const given = {
  key: optional(key()),
  name: required(localizedString()),
  custom: optional(customFields('product-selection')),
};

export const draft = { ...given, mode: optional(mode), type: optional(type) };

export const fields = {
  ...given,
  mode: defaulted(mode, () => 'Individual' as const),
  type: assigned(type),
  /** Assignments, which are documents of their own. */
  productCount: assigned(integer({ min: 0, type: 'Int' }), () => 0),
};

export type ProductSelection = DocumentOf<typeof fields>;
