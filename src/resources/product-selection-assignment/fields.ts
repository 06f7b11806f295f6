import type { DocumentOf, UniqueValue } from '../../engine/document.ts';
import { apiError } from '../../errors/api-error.ts';
import {
  type FieldKind,
  type Input,
  optional,
  type OutputField,
  plainOutput,
  refined,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { isObject, object } from '../../fields/object.ts';
import { reference } from '../../fields/reference.ts';
import { enumeration, text } from '../../fields/scalar.ts';

/** Which variants are meant; there need not be any with these SKUs. */
const skus = refined(list(text(['SKU-1'])), (values, parsing) =>
  values.length > 0 ? values : parsing.wrongValue(values, 'a list of at least one SKU'),
);

/** `inclusion` and `exclusion` are older names of the others. */
const types = ['includeOnly', 'includeAllExcept', 'inclusion', 'exclusion'] as const;

const selectionFields = {
  type: required(enumeration('ProductVariantSelectionTypeEnum', types)),
  skus: required(skus),
};

/** Variants of a product that are in a selection. */
export type VariantSelection = ValueOf<typeof selectionFields>;

/** Whether those that are named are the ones that are in. */
export function isInclusion({ type }: Pick<VariantSelection, 'type'>): boolean {
  return type === 'includeOnly' || type === 'inclusion';
}

const formFields: readonly OutputField[] = [
  { name: 'type', type: 'String!', complexity: 1, read: (parent) => parent['type'] },
  { name: 'skus', type: '[String!]!', complexity: 1, read: (parent) => parent['skus'] },
];

const forms = {
  includeOnly: { name: 'ProductVariantSelectionIncludeOnly', fields: formFields },
  includeAllExcept: { name: 'ProductVariantSelectionIncludeAllExcept', fields: formFields },
};

const selectionInput: Input = {
  type: 'ProductVariantSelectionDraft',
  types: () => [
    {
      name: 'ProductVariantSelectionDraft',
      fields: Object.keys(forms).map((name) => ({ name, type: '[String!]' })),
    },
  ],
  read: (given) => {
    const members = Object.entries(isObject(given) ? given : {}).filter(([, skus]) => skus !== null);
    const [first, ...others] = members;
    if (first === undefined || others.length > 0) {
      const names = Object.keys(forms).join(', ');
      throw apiError('InvalidInput', `The input ProductVariantSelectionDraft takes exactly one of ${names}.`);
    }
    return { type: first[0], skus: first[1] };
  },
};

export const variantSelection: FieldKind<VariantSelection> = {
  ...object('ProductVariantSelection', selectionFields),
  output: plainOutput('ProductVariantSelection', 1, () => [
    {
      type: 'interface',
      name: 'ProductVariantSelection',
      fields: formFields,
      // The kind has parsed the value.
      formOf: (value) => (isInclusion(value as unknown as VariantSelection) ? 'includeOnly' : 'includeAllExcept'),
      members: forms,
    },
  ]),
  input: selectionInput,
  examples: [
    { type: 'includeOnly', skus: ['SKU-1'] },
    { type: 'includeAllExcept', skus: ['SKU-2'] },
  ],
};

/** Variants of a product that a selection keeps out. */
export const variantExclusion = {
  ...object('ProductVariantExclusion', { skus: required(skus) }),
  examples: [{ skus: ['SKU-1'] }, { skus: ['SKU-2'] }],
};

/** Without a selection or an exclusion of variants, all of the product are meant. */
export const variants = { variantSelection: optional(variantSelection), variantExclusion: optional(variantExclusion) };

export type Variants = ValueOf<typeof variants>;

export const fields = {
  /** A product that goes takes its assignments with it; that none is left or comes too late is what the reference is for. */
  product: required(reference('product', 'Product')),
  /** A selection that goes has them removed in the background. */
  productSelection: required(reference('product-selection', 'ProductSelection', { strength: 'loose' })),
  ...variants,
};

export type ProductSelectionAssignment = DocumentOf<typeof fields>;

/** By which the assignment of a product to a selection is found, and is the only one. */
export function heldBy(selectionId: string, productId: string): UniqueValue {
  return { field: 'assignment', value: `${selectionId} ${productId}` };
}
