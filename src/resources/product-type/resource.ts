import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { fields } from './fields.ts';

const typeReference = { typeId: 'product-type', key: 'example-product-type' };

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
  // One of each form that leads to another product type.
  examples: {
    draft: {
      attributes: [
        { name: 'color', label: { en: 'Color' }, type: { name: 'text' }, level: 'Product', inputTip: { en: 'Tip' } },
        { name: 'part', label: { en: 'Part' }, type: { name: 'nested', typeReference } },
        {
          name: 'parts',
          label: { en: 'Parts' },
          type: { name: 'set', elementType: { name: 'nested', typeReference } },
        },
      ],
    },
  },
  graphql: { one: 'productType', many: 'productTypes', hasMutations: false },
});
