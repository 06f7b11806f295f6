import { action } from '../../../engine/actions.ts';
import type { ApplyContext } from '../../../engine/resource.ts';
import { optional, required } from '../../../fields/field.ts';
import { text } from '../../../fields/scalar.ts';
import { type Attribute, attributeValue } from '../attribute.ts';
import { definedBy, type Level, parseAttributes, requireDescribed, withAttribute } from '../described.ts';
import type { Product } from '../fields.ts';
import { allVariants } from '../all-variants.ts';
import { sidesOf, staged, variantNames, variantsAt } from '../sides.ts';

/** Without a value the attribute goes. One that is not there changes nothing. */
const attributeMembers = {
  name: required(text(['color'])),
  value: optional({ ...attributeValue, examples: ['blue'] }),
};

/** The attribute as it is stored; undefined where there is no value, or a wrong one, which is recorded. */
function parsed(
  { name, value }: { readonly name: string; readonly value?: unknown },
  level: Level,
  { product, context }: { readonly product: Product; readonly context: ApplyContext },
): Attribute | undefined {
  if (value === undefined) return undefined;
  const { parsing } = context;
  const [attribute] = parseAttributes([{ name, value }], level, {
    defined: definedBy(product.productType, context),
    parsing,
  });
  return attribute;
}

export const attributeActions = {
  setAttribute: action(
    { ...variantNames, ...attributeMembers, staged },
    (product: Product, { name, value, ...place }, context) => {
      const attribute = parsed({ name, value }, 'Variant', { product, context });
      for (const variant of variantsAt(product, place))
        variant.attributes = withAttribute(variant.attributes, name, attribute);
      requireDescribed(product, sidesOf(product, place.staged), context);
    },
  ),
  setAttributeInAllVariants: action(
    { ...attributeMembers, staged },
    (product: Product, { name, value, staged }, context) => {
      const attribute = parsed({ name, value }, 'Variant', { product, context });
      const sides = sidesOf(product, staged);
      for (const variant of sides.flatMap(allVariants))
        variant.attributes = withAttribute(variant.attributes, name, attribute);
      requireDescribed(product, sides, context);
    },
  ),
  setProductAttribute: action({ ...attributeMembers, staged }, (product: Product, { name, value, staged }, context) => {
    const attribute = parsed({ name, value }, 'Product', { product, context });
    const sides = sidesOf(product, staged);
    for (const data of sides) data.attributes = withAttribute(data.attributes, name, attribute);
    requireDescribed(product, sides, context);
  }),
};
