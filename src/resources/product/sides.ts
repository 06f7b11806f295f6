/**
 * The two projections of a product, and how actions change them: what is staged alone, or with `staged: false` both of
 * them, each for itself. What an action names has to be staged; where only the current projection lacks it, that is left
 * as it is (catalog 16, 17).
 */
import { invalidOperation } from '../../engine/actions.ts';
import { foundIn } from '../../engine/parts.ts';
import { apiError } from '../../errors/api-error.ts';
import { defaulted, optional, plainInput } from '../../fields/field.ts';
import { boolean, integer } from '../../fields/scalar.ts';
import type { Product, ProductData } from './fields.ts';
import { allVariants } from './all-variants.ts';
import { copyOfList } from './attribute-lists.ts';
import { sku, type Variant } from './variant.ts';

/** The member of actions that says which projections they change. */
export const staged = defaulted({ ...boolean(), input: plainInput('Boolean = true') }, () => true);

export const variantId = integer({ min: 1, type: 'Int' });

/** How actions name a variant; the id counts where both are given. */
export const variantNames = { variantId: optional({ ...variantId, examples: [1] }), sku: optional(sku) };

/** What such an action says of its place. */
export interface VariantPlace {
  readonly variantId?: number;
  readonly sku?: string;
  readonly staged: boolean;
}

/** The projections that an action changes, what is staged first. */
export function sidesOf({ masterData }: Product, isStaged: boolean): readonly ProductData[] {
  return isStaged ? [masterData.staged] : [masterData.staged, masterData.current];
}

interface VariantName {
  readonly variantId?: number | undefined;
  readonly sku?: string | undefined;
}

/** Throws where neither is given. */
export function variantIn(data: ProductData, { variantId, sku }: VariantName): Variant | undefined {
  if (variantId === undefined && sku === undefined)
    throw apiError('InvalidInput', 'The variant has to be named by its id or by its SKU.');
  return allVariants(data).find((variant) =>
    variantId === undefined ? variant.sku === sku : variant.id === variantId,
  );
}

export function noVariant({ variantId, sku }: VariantName): Error {
  const name = variantId === undefined ? `the SKU '${sku}'` : `the id ${variantId}`;
  return invalidOperation(`The product has no variant with ${name}.`);
}

/** The variants that an action means, in the projections that it changes. */
export function variantsAt(product: Product, place: VariantPlace): readonly Variant[] {
  return foundIn(
    sidesOf(product, place.staged),
    (data) => variantIn(data, place),
    () => noVariant(place),
  );
}

/**
 * A copy that shares no part with the original but the values of attributes. Actions replace those and change none, and
 * references in them may have to be found yet, which has to show in each copy.
 */
export function copyOfVariant({ attributes, ...variant }: Variant): Variant {
  return { ...structuredClone(variant), attributes: copyOfList(attributes) };
}

/** The same for a projection. */
export function copyOfData({ attributes, masterVariant, variants, ...data }: ProductData): ProductData {
  return {
    ...structuredClone(data),
    attributes: copyOfList(attributes),
    masterVariant: copyOfVariant(masterVariant),
    variants: variants.map(copyOfVariant),
  };
}
