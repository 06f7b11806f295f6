import { isSelected, nameArguments } from '../../../fields/custom-fields.ts';
import type { OutputField, OutputObject } from '../../../fields/field.ts';
import { rawAttributeFields } from '../attribute.ts';

export const foundAttribute: OutputObject = { name: 'RawProductSearchAttribute', fields: rawAttributeFields };

/** Of variants and of products. */
export const foundAttributes: OutputField = {
  name: 'attributesRaw',
  type: '[RawProductSearchAttribute!]!',
  args: nameArguments,
  complexity: 1,
  read: (parent, args) =>
    // Stored values were parsed by their kind.
    ((parent['attributes'] ?? []) as readonly { name: string }[]).filter(({ name }) => isSelected(name, args)),
};
