import { customActions } from '../../engine/custom-actions.ts';
import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { setTogether } from '../../engine/set-actions.ts';
import { dateTime } from '../../fields/scalar.ts';
import { fields } from './fields.ts';
import { messages } from './messages.ts';
import { follows, storesOfDiscounts } from './stores.ts';

/** A stored code; what it does to carts is told where carts are priced. */
export const discountCode = defineResource({
  kind: 'discount-code',
  typeName: 'DiscountCode',
  path: 'discount-codes',
  scopes: { view: ['view_discount_codes'], manage: ['manage_discount_codes'] },
  inStore: { member: 'stores', isReadOnly: true },
  followedBy: 'holders',
  holdsPersonalData: true,
  fields,
  actions: {
    setKey: set('key'),
    setName: set('name'),
    setDescription: set('description'),
    setCartPredicate: set('cartPredicate'),
    setMaxApplications: set('maxApplications'),
    setMaxApplicationsPerCustomer: set('maxApplicationsPerCustomer'),
    changeCartDiscounts: change('cartDiscounts'),
    changeIsActive: change('isActive'),
    changeGroups: change('groups'),
    setValidFrom: set('validFrom'),
    setValidUntil: set('validUntil'),
    setValidFromAndUntil: setTogether({ validFrom: dateTime(), validUntil: dateTime() }),
    ...customActions,
  },
  messages,
  computation: storesOfDiscounts,
  follows,
  uniqueValues: ({ code }) => [{ field: 'code', value: code }],
  graphql: {
    erasesPersonalData: false,
    members: {
      'DiscountCode.cartDiscounts': '[CartDiscount!]!',
      'DiscountCodeDraft.isActive': 'Boolean = true',
      'DiscountCodeDraft.groups': '[String!] = []',
    },
  },
});
