import { customActions } from '../../engine/custom-actions.ts';
import { change, defineResource, set } from '../../engine/define.ts';
import type { ValueOf } from '../../fields/field.ts';
import { centPrecision } from '../../money/money.ts';
import {
  acceptedRateInput,
  addCustomLineItem,
  changeCustomLineItemMoney,
  changeCustomLineItemQuantity,
  customPartActions,
  removeCustomLineItem,
  setShippingRateInput,
} from './actions.ts';
import { draft, fields } from './fields.ts';
import { deriveTotals, oneCurrency } from './totals.ts';

export const cart = defineResource({
  kind: 'cart',
  typeName: 'Cart',
  path: 'carts',
  scopes: { view: ['view_orders'], manage: ['manage_orders'] },
  holdsPersonalData: true,
  fields,
  draft,
  create: ({ currency, shippingRateInput, ...given }, context): ValueOf<typeof fields> => ({
    ...given,
    ...(shippingRateInput !== undefined && { shippingRateInput: acceptedRateInput(shippingRateInput, context) }),
    lineItems: [],
    totalPrice: centPrecision(currency, 0),
    cartState: 'Active',
    shippingMode: 'Single',
    shipping: [],
    itemShippingAddresses: [],
    discountCodes: [],
    directDiscounts: [],
    refusedGifts: [],
  }),
  actions: {
    setKey: set('key'),
    setCustomerEmail: set('customerEmail', 'email'),
    setAnonymousId: set('anonymousId'),
    setCountry: set('country'),
    setLocale: set('locale'),
    setShippingAddress: set('shippingAddress', 'address'),
    setBillingAddress: set('billingAddress', 'address'),
    setDeleteDaysAfterLastModification: set('deleteDaysAfterLastModification'),
    changeTaxMode: change('taxMode'),
    changeTaxRoundingMode: change('taxRoundingMode'),
    changePriceRoundingMode: change('priceRoundingMode'),
    changeTaxCalculationMode: change('taxCalculationMode'),
    setShippingRateInput,
    addCustomLineItem,
    removeCustomLineItem,
    changeCustomLineItemQuantity,
    changeCustomLineItemMoney,
    ...customPartActions,
    ...customActions,
  },
  derive: deriveTotals,
  rules: [oneCurrency],
  graphql: { hasMutations: false },
});
