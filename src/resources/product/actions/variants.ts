import { action } from '../../../engine/actions.ts';
import { foundIn } from '../../../engine/parts.ts';
import { optional, required } from '../../../fields/field.ts';
import { anyKey } from '../../../fields/scalar.ts';
import { definedBy, parseAttributes, requireDescribed } from '../described.ts';
import { sayExternal } from '../../product-discount/offers.ts';
import type { Product } from '../fields.ts';
import {
  copyOfVariant,
  noVariant,
  sidesOf,
  staged,
  variantId,
  variantIn,
  variantNames,
  type VariantPlace,
  variantsAt,
} from '../sides.ts';
import { sku, variantContent } from '../variant.ts';
import { keepLastVariantId, lastVariantId, makeMaster, removeVariant } from '../variant-list.ts';

const addVariant = action({ ...variantContent, staged }, (product: Product, { staged, ...content }, context) => {
  for (const { id, discounted } of content.prices) sayExternal(discounted, id, context);
  const id = lastVariantId(product, context.internals) + 1;
  context.internals['lastVariantId'] = id;
  const defined = definedBy(product.productType, context);
  const attributes = parseAttributes(content.attributes, 'Variant', { defined, parsing: context.parsing });
  const sides = sidesOf(product, staged);
  for (const { variants } of sides) variants.push(copyOfVariant({ id, ...content, attributes }));
  requireDescribed(product, sides, context);
});

/** Each projection with the variant that the action means; where only the current one lacks it, that is left out. */
function placesOf(product: Product, { staged, ...name }: VariantPlace) {
  return foundIn(
    sidesOf(product, staged),
    (data) => {
      const variant = variantIn(data, name);
      return variant && { data, variant };
    },
    () => noVariant(name),
  );
}

const skuMembers = { variantId: required({ ...variantId, examples: [1] }), sku: optional(sku) };

function setSku(
  product: Product,
  { sku, ...place }: { readonly variantId: number; readonly sku?: string; readonly staged: boolean },
): void {
  // The variant is named by its id, and the SKU is the new one.
  for (const variant of variantsAt(product, place)) {
    if (sku === undefined) delete variant.sku;
    else variant.sku = sku;
  }
}

export const variantActions = {
  addVariant,
  removeVariant: action(
    { id: optional(variantId), sku: variantNames.sku, staged },
    (product: Product, { id, ...place }, { internals }) => {
      const found = placesOf(product, { ...place, ...(id !== undefined && { variantId: id }) });
      keepLastVariantId(product, internals);
      for (const { data, variant } of found) removeVariant(data, variant);
    },
  ),
  changeMasterVariant: action({ ...variantNames, staged }, (product: Product, place) => {
    for (const { data, variant } of placesOf(product, place)) makeMaster(data, variant);
  }),
  setProductVariantKey: action({ ...variantNames, key: optional(anyKey()), staged }, (product: Product, input) => {
    const { key, ...place } = input;
    for (const variant of variantsAt(product, place)) {
      if (key === undefined) delete variant.key;
      else variant.key = key;
    }
  }),
  setSku: action({ ...skuMembers, staged }, setSku),
  /** An earlier form of the same, of what is staged alone. */
  setSKU: action(skuMembers, (product: Product, input) => setSku(product, { ...input, staged: true })),
};
