/** What may be done with an order (orders 21 to 30). None of it is computed anew: it costs what its cart did. */
import { change, set } from '../../../engine/actions.ts';
import { customActions } from '../../../engine/custom-actions.ts';
import { addressPartActions, setLocale } from '../../cart/actions/buyer.ts';
import {
  customItemIn,
  customLineItemPartActions,
  identifier as customLineItemNames,
} from '../../cart/actions/custom-line-items.ts';
import {
  addItemShippingAddress,
  itemAddressPartActions,
  removeItemShippingAddress,
  updateItemShippingAddress,
} from '../../cart/actions/item-addresses.ts';
import { identifier as lineItemNames, lineIn, lineItemPartActions } from '../../cart/actions/line-items.ts';
import { addPayment, removePayment } from '../../cart/actions/payments.ts';
import { shippingDetailsActions } from '../../cart/actions/shipping-details.ts';
import { setEstimatedDelivery, shippingPartActions } from '../../cart/actions/shipping.ts';
import { orderShippingDetailsDraft } from '../../cart/item-fields.ts';
import { setCustomerId, setOrderNumber, setStore } from './buyer.ts';
import { deliveryActions } from './deliveries.ts';
import { itemActions, wholeDetails } from './items.ts';
import { named } from './naming.ts';
import { parcelActions } from './parcels.ts';
import { returnActions } from './returns.ts';
import { transitionState } from './states.ts';
import { updateSyncInfo } from './sync-info.ts';

const lines = itemActions(lineItemNames, lineIn);
const { set: lineDetails } = shippingDetailsActions(lineItemNames, lineIn, orderShippingDetailsDraft);
const { set: customDetails } = shippingDetailsActions(customLineItemNames, customItemIn, orderShippingDetailsDraft);
const customItems = itemActions(customLineItemNames, customItemIn);

export const actions = named({
  changeOrderState: change('orderState'),
  changePaymentState: change('paymentState'),
  changeShipmentState: change('shipmentState'),
  transitionState,
  setOrderNumber,
  setPurchaseOrderNumber: set('purchaseOrderNumber'),
  setCustomerId,
  setCustomerEmail: set('customerEmail', 'email'),
  setStore,
  setLocale,
  setBillingAddress: set('billingAddress', 'address'),
  setShippingAddress: set('shippingAddress', 'address'),
  ...addressPartActions,
  addItemShippingAddress,
  updateItemShippingAddress,
  removeItemShippingAddress,
  ...itemAddressPartActions,
  setLineItemShippingDetails: wholeDetails(lineDetails, lineIn),
  setCustomLineItemShippingDetails: wholeDetails(customDetails, customItemIn),
  transitionLineItemState: lines.transition,
  importLineItemState: lines.importStates,
  transitionCustomLineItemState: customItems.transition,
  importCustomLineItemState: customItems.importStates,
  ...lineItemPartActions,
  ...customLineItemPartActions,
  setEstimatedDelivery,
  ...shippingPartActions,
  ...deliveryActions,
  ...parcelActions,
  ...returnActions,
  addPayment,
  removePayment,
  updateSyncInfo,
  ...customActions,
});
