import { action, invalidOperation, whole } from '../../../engine/actions.ts';
import { defaulted, required } from '../../../fields/field.ts';
import { enumeration } from '../../../fields/scalar.ts';
import type { Product } from '../fields.ts';
import { allVariants } from '../all-variants.ts';
import { requireDescribed } from '../described.ts';
import { copyOfData, copyOfVariant, variantId, variantIn } from '../sides.ts';
import { replaceVariant } from '../variant-list.ts';

const scope = enumeration('PublishScope', ['All', 'Prices']);

/** What is staged becomes current: all of it, or the prices of variants that are in both. */
const publish = whole(
  action({ scope: defaulted(scope, () => 'All' as const) }, ({ masterData }: Product, { scope }) => {
    const { staged, current } = masterData;
    if (scope === 'All') {
      masterData.current = copyOfData(staged);
      masterData.published = true;
      return;
    }
    if (!masterData.published)
      throw invalidOperation('Prices alone can be published of products that are published already.');
    for (const variant of allVariants(current)) {
      const { prices } = variantIn(staged, { variantId: variant.id }) ?? {};
      if (prices !== undefined) variant.prices = structuredClone(prices);
    }
  }),
);

const unpublish = action({}, ({ masterData }: Product) => {
  masterData.published = false;
});

const revertStagedChanges = whole(
  action({}, ({ masterData }: Product) => {
    masterData.staged = copyOfData(masterData.current);
  }),
);

/** A variant that was taken from what is staged comes back. The others may differ from what they were beside it. */
const revertStagedVariantChanges = action(
  { variantId: required(variantId) },
  (product: Product, { variantId }, context) => {
    const { current, staged } = product.masterData;
    const variant = variantIn(current, { variantId });
    if (variant === undefined)
      throw invalidOperation(`There is no current variant with the id ${variantId} to go back to.`);
    if (variantIn(staged, { variantId }) === undefined) staged.variants.push(copyOfVariant(variant));
    else replaceVariant(staged, copyOfVariant(variant));
    requireDescribed(product, [staged], context);
  },
);

export const publicationActions = { publish, unpublish, revertStagedChanges, revertStagedVariantChanges };
