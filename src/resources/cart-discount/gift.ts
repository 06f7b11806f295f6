/** What a cart discount gives away. */
import type { Fixed } from '../../engine/document.ts';
import { documentOf } from '../../engine/json.ts';
import type { Check } from '../../engine/resource.ts';
import type { Reference } from '../../fields/parsing.ts';
import type { Product } from '../product/fields.ts';
import { allVariants } from '../product/offers.ts';
import type { CartDiscount } from './fields.ts';

/**
 * A gift is a variant that the product has, be it published or not. It is chosen once and for all, so that nothing has to be
 * looked up for a discount that is there: no cart gets what its product has lost since.
 */
export const giftIsThere: Check = async (engine, { project, before, after }) => {
  // The engine calls it with cart discounts.
  const { value } = after as unknown as Fixed<CartDiscount>;
  if (before !== undefined || value.type !== 'giftLineItem') return undefined;
  // The members of the form.
  const { product, variantId } = value as unknown as { readonly product: Reference; readonly variantId: number };
  const [stored] = await engine.store.find(project, [{ kind: 'product', id: product.id }]);
  // Whether the product is there still the database tells.
  if (stored === undefined) return undefined;
  const { current, staged } = (documentOf(stored.json) as unknown as Fixed<Product>).masterData;
  if ([current, staged].some((data) => allVariants(data).some(({ id }) => id === variantId))) return undefined;
  const message = `The product '${product.id}' has no variant ${variantId}.`;
  return { code: 'ReferencedResourceNotFound', message, typeId: 'product', id: product.id };
};
