import { change, set } from '../../engine/actions.ts';
import { customActions } from '../../engine/custom-actions.ts';
import { defineResource } from '../../engine/define.ts';
import { differentKeys } from '../../engine/parts.ts';
import { defaulted } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import {
  addressPartActions,
  setAnonymousId,
  setCustomerGroup,
  setCustomerId,
  setLocale,
  setShippingAddress,
} from './actions/buyer.ts';
import {
  addCustomLineItem,
  changeCustomLineItemMoney,
  changeCustomLineItemPriceMode,
  changeCustomLineItemQuantity,
  customItemIn,
  customLineItemPartActions,
  identifier as customLineItemNames,
  removeCustomLineItem,
} from './actions/custom-line-items.ts';
import { addDiscountCode, removeDiscountCode, setDirectDiscounts } from './actions/discounts.ts';
import { addPayment, removePayment } from './actions/payments.ts';
import {
  addItemShippingAddress,
  itemAddressPartActions,
  removeItemShippingAddress,
  updateItemShippingAddress,
} from './actions/item-addresses.ts';
import {
  addLineItem,
  addOwnLineItem,
  changeLineItemQuantity,
  changeLineItemsOrder,
  changeOwnLineItemQuantity,
  identifier as lineItemNames,
  lineIn,
  lineItemPartActions,
  removeLineItem,
  removeOwnLineItem,
  setLineItemDistributionChannel,
  setLineItemInventoryMode,
  setLineItemPrice,
  setLineItemSupplyChannel,
  setLineItemTotalPrice,
} from './actions/line-items.ts';
import {
  addCustomShippingMethod,
  addShippingMethod,
  removeShippingMethod,
  setCustomShippingMethod,
  setEstimatedDelivery,
  setOwnShippingMethod,
  setShippingMethod,
  setShippingRateInput,
  shippingPartActions,
} from './actions/shipping.ts';
import { setReservationExpirationInMinutes } from './actions/reservations.ts';
import { addShoppingList } from './actions/shopping-lists.ts';
import { shippingDetailsActions } from './actions/shipping-details.ts';
import {
  freezeCart,
  guarded,
  lockCart,
  lockedFault,
  recalculate,
  setDeleteDaysAfterLastModification,
  unfreezeCart,
  unlockCart,
} from './actions/states.ts';
import {
  changeTaxMode,
  itemTaxActions,
  setCartTotalTax,
  setShippingMethodTaxAmount,
  setShippingMethodTaxRate,
} from './actions/taxes.ts';
import { costs } from './computation/computation.ts';
import { cartFrom, draftHolders } from './create.ts';
import { endpoints } from './endpoints.ts';
import { examples } from './examples.ts';
import { draft, fields, ownMembers } from './fields.ts';
import { indexed } from './indexed.ts';
import { heldPayments, oneOwner, paymentTaken } from './rules.ts';
import { messages } from './messages.ts';
import { ownLineItemDraft } from './item-fields.ts';
import { graphql } from './names.ts';
import { releasedWithCart } from './released.ts';

const lineDetails = shippingDetailsActions(lineItemNames, lineIn);
const customDetails = shippingDetailsActions(customLineItemNames, customItemIn);
const lineTaxes = itemTaxActions(lineItemNames, lineIn);
const customTaxes = itemTaxActions(customLineItemNames, customItemIn);

/** What customers and visitors do with their carts. */
const ownActions = {
  setCustomerEmail: set('customerEmail', 'email'),
  setCountry: set('country'),
  setLocale,
  setShippingAddress,
  setBillingAddress: set('billingAddress', 'address'),
  setDeleteDaysAfterLastModification,
  changeTaxMode,
  addLineItem,
  addShoppingList,
  changeLineItemQuantity,
  removeLineItem,
  changeLineItemsOrder,
  setLineItemDistributionChannel,
  setLineItemSupplyChannel,
  setLineItemShippingDetails: lineDetails.set,
  applyDeltaToLineItemShippingDetailsTargets: lineDetails.applyDelta,
  ...lineItemPartActions,
  addItemShippingAddress,
  updateItemShippingAddress,
  removeItemShippingAddress,
  setShippingMethod,
  addDiscountCode,
  removeDiscountCode,
  addPayment,
  removePayment,
  recalculate,
  ...addressPartActions,
  ...itemAddressPartActions,
  ...shippingPartActions,
  ...customActions,
};

export const cart = defineResource({
  kind: 'cart',
  typeName: 'Cart',
  path: 'carts',
  scopes: { view: ['view_orders'], manage: ['manage_orders'] },
  isExtensible: true,
  inStore: { member: 'store', isReadOnly: false },
  followedBy: 'viewers',
  holdsPersonalData: true,
  indexed,
  retention: { daysMember: 'deleteDaysAfterLastModification', countMax: 10_000_000 },
  fields,
  draft,
  create: cartFrom,
  draftHolders,
  actions: guarded(fields, {
    ...ownActions,
    setKey: set('key'),
    setCustomerId,
    setCustomerGroup,
    setAnonymousId,
    changeTaxRoundingMode: change('taxRoundingMode'),
    changePriceRoundingMode: change('priceRoundingMode'),
    changeTaxCalculationMode: change('taxCalculationMode'),
    setPurchaseOrderNumber: set('purchaseOrderNumber'),
    setLineItemPrice,
    setLineItemTotalPrice,
    setLineItemInventoryMode,
    setReservationExpirationInMinutes,
    setLineItemTaxRate: lineTaxes.setRate,
    setLineItemTaxAmount: lineTaxes.setAmount,
    addCustomLineItem,
    removeCustomLineItem,
    changeCustomLineItemQuantity,
    changeCustomLineItemMoney,
    changeCustomLineItemPriceMode,
    setCustomLineItemShippingDetails: customDetails.set,
    applyDeltaToCustomLineItemShippingDetailsTargets: customDetails.applyDelta,
    setCustomLineItemTaxRate: customTaxes.setRate,
    setCustomLineItemTaxAmount: customTaxes.setAmount,
    ...customLineItemPartActions,
    setShippingRateInput,
    setCustomShippingMethod,
    addShippingMethod,
    addCustomShippingMethod,
    removeShippingMethod,
    setEstimatedDelivery,
    setShippingMethodTaxRate,
    setShippingMethodTaxAmount,
    setCartTotalTax,
    setDirectDiscounts,
    freezeCart,
    unfreezeCart,
    lockCart,
    unlockCart,
  }),
  mine: {
    path: 'carts',
    scopes: ['manage_my_orders'],
    owners: { customer: 'customerId', anonymous: 'anonymousId' },
    keyMembers: [],
    draft: ownMembers,
    draftMembers: { lineItems: defaulted({ ...list(ownLineItemDraft), examples: [] }, () => []) },
    // Shoppers have no say in prices and taxes.
    actions: guarded(fields, {
      ...ownActions,
      addLineItem: addOwnLineItem,
      changeLineItemQuantity: changeOwnLineItemQuantity,
      removeLineItem: removeOwnLineItem,
      setShippingMethod: setOwnShippingMethod,
    }),
    graphql: {
      actions: {
        addLineItem: 'AddMyCartLineItem',
        changeTaxMode: 'ChangeMyCartTaxMode',
        setShippingMethod: 'SetMyCartShippingMethod',
      },
    },
  },
  endpoints,
  computation: costs,
  alongRemoval: releasedWithCart,
  messages,
  examples,
  rules: [differentKeys('customLineItems'), differentKeys('lineItems'), oneOwner],
  removalFault: lockedFault,
  uniqueValues: heldPayments,
  lostRace: paymentTaken,
  graphql,
});
