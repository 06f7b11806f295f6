import type { UniqueValue } from '../../engine/document.ts';
import { required } from '../../fields/field.ts';
import { integer, text } from '../../fields/scalar.ts';

export const fields = {
  /** The id of a product type. */
  productType: required(text()),
  /** Times that a product took a value of a required enumeration that it had not. It never falls. */
  uses: required(integer({ min: 0 })),
};

/** By which it is found, and is there once. */
export function heldBy(productType: string): UniqueValue {
  return { field: 'required-values', value: productType };
}
