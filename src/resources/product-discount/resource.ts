import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { setTogether } from '../../engine/set-actions.ts';
import { dateTime } from '../../fields/scalar.ts';
import { matching } from './endpoints.ts';
import { fields } from './fields.ts';
import { parseProductPredicate, referencesIn } from './predicate.ts';

/** A stored rule; `offers.ts` tells what it takes off a price. */
export const productDiscount = defineResource({
  kind: 'product-discount',
  typeName: 'ProductDiscount',
  path: 'product-discounts',
  scopes: {
    view: ['view_products', 'view_product_discounts'],
    manage: ['manage_products', 'manage_product_discounts'],
  },
  // All of them are looked at for each price, so a project has few. The public texts limit the active ones.
  maxPerProject: 1000,
  fields,
  actions: {
    changeIsActive: change('isActive'),
    changeName: change('name'),
    changePredicate: change('predicate'),
    changeSortOrder: change('sortOrder'),
    changeValue: change('value'),
    setDescription: set('description'),
    setKey: set('key'),
    setValidFrom: set('validFrom'),
    setValidFromAndUntil: setTogether({ validFrom: dateTime(), validUntil: dateTime() }),
    setValidUntil: set('validUntil'),
  },
  derive: (discount) => {
    discount.references = referencesIn(parseProductPredicate(discount.predicate));
  },
  uniqueValues: ({ sortOrder }) => [{ field: 'sortOrder', value: sortOrder }],
  endpoints: [matching],
  examples: {
    actions: { changePredicate: { predicate: 'centAmount > 2000' } },
    // What external ones make of prices is given with the prices.
    named: { external: { value: { type: 'external' }, predicate: 'true', sortOrder: '0.987' } },
  },
  graphql: { members: { 'ProductDiscountDraft.isActive': 'Boolean = true' } },
});
