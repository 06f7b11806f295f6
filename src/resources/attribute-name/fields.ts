import type { DocumentOf, UniqueValue } from '../../engine/document.ts';
import { required } from '../../fields/field.ts';
import { integer, text } from '../../fields/scalar.ts';

export const fields = {
  name: required(text(['color'])),
  /** The type that the attribute has wherever it is defined, as a text that tells it from others. */
  type: required(text(['text'])),
  /** Times that it was defined so. It never falls: whether anyone still defines it product types tell. */
  uses: required(integer({ min: 0 })),
};

export type AttributeName = DocumentOf<typeof fields>;

/** By which a name is found, and is there once. */
export function heldBy(name: string): UniqueValue {
  return { field: 'attribute', value: name };
}
