import { customActions } from '../../engine/custom-actions.ts';
import { action, change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import type { DocumentOf } from '../../engine/document.ts';
import { addReference, removeReference, setTogether } from '../../engine/set-actions.ts';
import { apiError } from '../../errors/api-error.ts';
import { keyReference } from '../../fields/reference.ts';
import { dateTime } from '../../fields/scalar.ts';
import {
  changeSortOrder,
  follows,
  groupAtLimit,
  groupWithinLimit,
  heldPlaces,
  itemsInGroup,
  placeOfGroup,
  setDiscountGroup,
} from './discount-group.ts';
import { fields } from './fields.ts';
import { giftIsThere } from './gift.ts';
import { activeAtLimit, activeWithinLimit, heldActive, storesWithinLimit } from './limits.ts';
import { messages } from './messages.ts';
import { valueFault } from './offers.ts';

const store = keyReference('store', 'Store');

/** A gift is chosen when the discount is created. */
const changeValue = action({ value: fields.value }, (discount: DocumentOf<typeof fields>, { value }) => {
  if (value.type === 'giftLineItem')
    throw apiError(
      'InvalidInput',
      "A value cannot be changed to 'giftLineItem'. Create another cart discount for the gift.",
    );
  discount.value = value;
});

/** A stored rule; what it does to carts is told where carts are priced. */
export const cartDiscount = defineResource({
  kind: 'cart-discount',
  typeName: 'CartDiscount',
  path: 'cart-discounts',
  scopes: {
    view: ['view_cart_discounts', 'view_orders'],
    manage: ['manage_cart_discounts', 'manage_orders'],
  },
  maxPerProject: 10_000,
  inStore: { member: 'stores', isReadOnly: false },
  followedBy: 'holders',
  fields,
  actions: {
    setKey: set('key'),
    changeName: change('name'),
    setDescription: set('description'),
    changeValue,
    changeCartPredicate: change('cartPredicate'),
    changeTarget: change('target'),
    changeIsActive: change('isActive'),
    changeRequiresDiscountCode: change('requiresDiscountCode'),
    changeSortOrder,
    setDiscountGroup,
    changeStackingMode: change('stackingMode'),
    setValidFrom: set('validFrom'),
    setValidUntil: set('validUntil'),
    setValidFromAndUntil: setTogether({ validFrom: dateTime(), validUntil: dateTime() }),
    setStores: change('stores'),
    addStore: addReference('stores', 'store', store),
    removeStore: removeReference('stores', 'store', store),
    ...customActions,
  },
  messages,
  computation: placeOfGroup,
  follows,
  rules: [valueFault, itemsInGroup, storesWithinLimit],
  checks: [groupWithinLimit, activeWithinLimit, giftIsThere],
  uniqueValues: (discount) => [...heldPlaces(discount), ...heldActive(discount)],
  lostRace: (_, taken) => groupAtLimit(taken) ?? activeAtLimit(taken),
  examples: {
    needed: ['target'],
    draft: {
      value: { type: 'relative', permyriad: 1000 },
      target: { type: 'lineItems', predicate: 'quantity > 0' },
    },
    full: {
      value: {
        type: 'giftLineItem',
        product: { typeId: 'product', key: 'example-product' },
        variantId: 1,
        supplyChannel: { typeId: 'channel', key: 'example-channel' },
        distributionChannel: { typeId: 'channel', key: 'example-channel' },
      },
      target: undefined,
    },
    actions: { changeCartPredicate: { cartPredicate: 'totalPrice.centAmount > 2000' } },
  },
  graphql: {
    queryInterfaces: { CartDiscountQueryInterface: ['cartDiscount', 'cartDiscounts'] },
    members: {
      'RecurringOrderScope.type': 'RecurringOrderScopeType!',
      'AnyOrder.type': 'RecurringOrderScopeType!',
      'CartDiscountDraft.stackingMode': 'StackingMode = Stacking',
      'CartDiscountDraft.requiresDiscountCode': 'Boolean = false',
      'CartDiscountDraft.isActive': 'Boolean = true',
      'SetCartDiscountStores.stores': '[ResourceIdentifierInput!]',
      'CountOnLineItemUnits.minCount': 'Int',
      'CountOnLineItemUnits.excludeCount': 'Int',
      'CountOnCustomLineItemUnits.minCount': 'Int',
      'CountOnCustomLineItemUnits.excludeCount': 'Int',
      'CountOnLineItemUnitsInput.minCount': 'Int = 1',
      'CountOnCustomLineItemUnitsInput.minCount': 'Int = 1',
      'CartDiscountPatternTargetInput.triggerPattern': '[PatternComponentInput!]!',
      'CartDiscountPatternTargetInput.selectionMode': 'SelectionMode',
      'MultiBuyLineItemsTargetInput.selectionMode': 'SelectionMode',
      'MultiBuyCustomLineItemsTargetInput.selectionMode': 'SelectionMode',
    },
  },
});
