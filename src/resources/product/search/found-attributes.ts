import type { OutputField, OutputObject } from '../../../fields/field.ts';
import { pickedByName } from '../../../fields/picking.ts';
import { type Attribute, rawAttributeFields } from '../attribute.ts';

export const foundAttribute: OutputObject = { name: 'RawProductSearchAttribute', fields: rawAttributeFields };

/** Of variants and of products. */
export const foundAttributes: OutputField = {
  name: 'attributesRaw',
  type: '[RawProductSearchAttribute!]!',
  complexity: 1,
  // Stored values were parsed by their kind.
  ...pickedByName((parent) => (parent['attributes'] ?? []) as readonly Attribute[]),
};
