import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { addTaxRate, removeTaxRate, replaceTaxRate } from './actions.ts';
import { fields } from './fields.ts';

export const taxCategory = defineResource({
  kind: 'tax-category',
  typeName: 'TaxCategory',
  path: 'tax-categories',
  scopes: {
    view: ['view_products', 'view_tax_categories'],
    manage: ['manage_products', 'manage_tax_categories'],
  },
  maxPerProject: 100,
  fields,
  actions: {
    setKey: set('key'),
    changeName: change('name'),
    setDescription: set('description'),
    addTaxRate,
    replaceTaxRate,
    removeTaxRate,
  },
  graphql: {
    actions: {
      changeName: 'TaxCategoryChangeName',
      setDescription: 'TaxCategorySetDescription',
      addTaxRate: 'TaxCategoryAddTaxRate',
      replaceTaxRate: 'TaxCategoryReplaceTaxRate',
      removeTaxRate: 'TaxCategoryRemoveTaxRate',
    },
    members: {
      // The sum of the sub-rates, where the draft says none.
      'TaxRate.amount': 'Float!',
      'TaxRate.id': 'String',
      'TaxRateDraft.subRates': '[SubRateDraft!] = []',
    },
  },
});
