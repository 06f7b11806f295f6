import { customActions } from '../../engine/custom-actions.ts';
import { change, set } from '../../engine/actions.ts';
import { defineResource } from '../../engine/define.ts';
import { differentKeys } from '../../engine/parts.ts';
import type { ValueOf } from '../../fields/field.ts';
import { centPrecision } from '../../money/money.ts';
import {
  acceptedRateInput,
  addCustomLineItem,
  changeCustomLineItemMoney,
  changeCustomLineItemQuantity,
  customLineItemPartActions,
  addressPartActions,
  removeCustomLineItem,
  setCustomerId,
  setShippingRateInput,
} from './actions.ts';
import { endpoints } from './endpoints.ts';
import { draft, fields, ownMembers } from './fields.ts';
import { deriveTotals, oneCurrency } from './totals.ts';

/** What customers and visitors do with their carts. */
const ownActions = {
  setCustomerEmail: set('customerEmail', 'email'),
  setCountry: set('country'),
  setLocale: set('locale'),
  setShippingAddress: set('shippingAddress', 'address'),
  setBillingAddress: set('billingAddress', 'address'),
  setDeleteDaysAfterLastModification: set('deleteDaysAfterLastModification'),
  changeTaxMode: change('taxMode'),
  ...addressPartActions,
  ...customActions,
};

export const cart = defineResource({
  kind: 'cart',
  typeName: 'Cart',
  path: 'carts',
  scopes: { view: ['view_orders'], manage: ['manage_orders'] },
  inStore: { member: 'store', isReadOnly: false },
  followedBy: 'viewers',
  holdsPersonalData: true,
  fields,
  draft,
  create: ({ currency, shippingRateInput, ...given }, context): ValueOf<typeof fields> => ({
    ...given,
    ...(shippingRateInput !== undefined && { shippingRateInput: acceptedRateInput(shippingRateInput, context) }),
    lineItems: [],
    totalPrice: centPrecision(currency, 0),
    cartState: 'Active',
    shipping: [],
    itemShippingAddresses: [],
    discountCodes: [],
    directDiscounts: [],
    refusedGifts: [],
  }),
  actions: {
    ...ownActions,
    setKey: set('key'),
    setCustomerId,
    setAnonymousId: set('anonymousId'),
    changeTaxRoundingMode: change('taxRoundingMode'),
    changePriceRoundingMode: change('priceRoundingMode'),
    changeTaxCalculationMode: change('taxCalculationMode'),
    setShippingRateInput,
    addCustomLineItem,
    removeCustomLineItem,
    changeCustomLineItemQuantity,
    changeCustomLineItemMoney,
    ...customLineItemPartActions,
  },
  mine: {
    path: 'carts',
    scopes: ['manage_my_orders'],
    owners: { customer: 'customerId', anonymous: 'anonymousId' },
    keyMembers: [],
    draft: ownMembers,
    actions: Object.keys(ownActions),
  },
  endpoints,
  derive: deriveTotals,
  rules: [oneCurrency, differentKeys('customLineItems')],
  graphql: { hasMutations: false },
});
