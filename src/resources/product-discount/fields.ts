import type { DocumentOf } from '../../engine/document.ts';
import {
  assigned,
  defaulted,
  expansionComplexity,
  type FieldKind,
  optional,
  type OutputField,
  required,
} from '../../fields/field.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { money } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import type { Reference } from '../../fields/parsing.ts';
import { plainReferences, reference } from '../../fields/reference.ts';
import { boolean, dateTime, key } from '../../fields/scalar.ts';
import { sortOrder } from '../../fields/sort-order.ts';
import { textCheckedBy } from '../../fields/text-checked-by.ts';
import { parseProductPredicate } from './predicate.ts';
import { value } from './value.ts';

/** Predicates are parsed before they are kept, so one is valid while all that it names is there. */
const isValid: OutputField = {
  name: 'isValid',
  type: 'Boolean!',
  complexity: expansionComplexity,
  asksForTargets: true,
  read: (parent) => parent['references'],
};

/** GraphQL says of them whether they all lead somewhere. */
function references(): FieldKind<Reference[]> {
  const plain = plainReferences();
  const fields: typeof plain.output.fields = (...named) => [...plain.output.fields(...named), isValid];
  return { ...plain, output: { ...plain.output, fields } };
}

/**
 * What a discount makes of a price. Clients say it of external discounts alone. The discount may be deleted all the same.
 */
export const discountedPrice = object(
  'DiscountedProductPriceValue',
  {
    value: required({ ...money(), examples: [{ currencyCode: 'EUR', centAmount: 480 }] }),
    discount: required({
      ...reference('product-discount', 'ProductDiscount', { strength: 'loose' }),
      examples: [{ typeId: 'product-discount', key: 'example-product-discount-external' }],
    }),
  },
  { input: 'DiscountedProductPriceValueInput' },
);

export const fields = {
  key: optional(key()),
  name: required(localizedString()),
  description: optional(localizedString()),
  value: required(value),
  predicate: required(
    textCheckedBy(parseProductPredicate, { format: 'product-predicate', examples: ['centAmount > 1000'] }),
  ),
  /** Of several discounts that fit a price, the one with the highest holds. */
  sortOrder: required(sortOrder()),
  /** The description of the REST API demands it, and GraphQL's has this default. */
  isActive: defaulted(boolean(), () => true),
  /** What the predicate names by id, which may be deleted all the same. */
  references: assigned(references(), () => []),
  validFrom: optional(dateTime()),
  validUntil: optional(dateTime()),
};

export type ProductDiscount = DocumentOf<typeof fields>;
