import { defineResource } from '../../engine/define.ts';
import { fields, heldBy } from './fields.ts';

/** The type of an attribute that has one name in all product types. It has no paths of its own, and is written with them alone. */
export const attributeName = defineResource({
  kind: 'attribute-name',
  typeName: 'AttributeName',
  path: 'attribute-names',
  scopes: { view: ['view_product_types'], manage: ['manage_product_types'] },
  followedBy: 'nobody',
  keyMembers: [],
  fields,
  actions: {},
  uniqueValues: ({ name }) => [heldBy(name)],
});
