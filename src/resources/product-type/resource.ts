import { change, defineResource, set } from '../../engine/define.ts';
import { fields } from './fields.ts';

export const productType = defineResource({
  kind: 'product-type',
  typeName: 'ProductTypeDefinition',
  schemaName: 'ProductType',
  path: 'product-types',
  scopes: {
    view: ['view_products', 'view_product_types'],
    manage: ['manage_products', 'manage_product_types'],
  },
  maxPerProject: 1000,
  fields,
  actions: {
    setKey: set('key'),
    changeName: change('name'),
    changeDescription: change('description'),
  },
  graphql: { one: 'productType', many: 'productTypes', hasMutations: false },
});
