import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { activeAtLimit, activeWithinLimit, heldActive } from './checks.ts';
import { fields } from './fields.ts';
import { messages } from './messages.ts';
import { heldPlace } from './offers.ts';

/** Of the cart discounts in a group the best one applies, which is told where carts are priced. */
export const discountGroup = defineResource({
  kind: 'discount-group',
  typeName: 'DiscountGroup',
  path: 'discount-groups',
  scopes: { view: ['view_cart_discounts'], manage: ['manage_cart_discounts'] },
  fields,
  actions: {
    setKey: change('key'),
    setName: set('name'),
    setDescription: set('description'),
    setSortOrder: change('sortOrder'),
    setIsActive: change('isActive'),
  },
  messages,
  checks: [activeWithinLimit],
  uniqueValues: (group) => [heldPlace(group.sortOrder), ...heldActive(group)],
  lostRace: (_, taken) => activeAtLimit(taken),
  graphql: {
    interfaces: ['Versioned'],
    members: {
      'DiscountGroupDraft.isActive': 'Boolean = true',
      'DiscountGroupIsActiveSet.isActive': 'Boolean!',
      'DiscountGroupIsActiveSet.oldIsActive': null,
      'DiscountGroupKeySet.key': 'String!',
      'DiscountGroupSortOrderSet.sortOrder': 'String!',
    },
  },
});
