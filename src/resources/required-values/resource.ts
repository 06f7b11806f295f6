import { defineResource } from '../../engine/define.ts';
import { fields, heldBy } from './fields.ts';

/** Who uses the values of required enumerations of a product type: see `offers.ts`. It has no paths of its own. */
export const requiredValues = defineResource({
  kind: 'required-values',
  typeName: 'RequiredValues',
  path: 'required-values',
  scopes: { view: ['view_product_types'], manage: ['manage_product_types'] },
  followedBy: 'nobody',
  keyMembers: [],
  fields,
  actions: {},
  uniqueValues: ({ productType }) => [heldBy(productType)],
});
