/** What an edit may do to an order: what is done with orders, and what is done with carts. */
import type { Action } from '../../engine/resource.ts';
import { required } from '../../fields/field.ts';
import { copyOf } from '../../engine/json.ts';
import { tellingAction } from '../../engine/tellers.ts';
import { address } from '../../fields/address.ts';
import { setCartTotalTax } from '../cart/actions/taxes.ts';
import { cart } from '../cart/resource.ts';
import { order } from '../order/resource.ts';
import type { Order } from '../order/fields.ts';
import { keepingDeliveries } from './kept-deliveries.ts';
import { groupTeller } from './messages.ts';

/** As with an order, without an edit: nothing is computed after them. */
const ofOrders = [
  'addDelivery',
  'addItemShippingAddress',
  'addParcelToDelivery',
  'addPayment',
  'addReturnInfo',
  'changeOrderState',
  'changePaymentState',
  'changeShipmentState',
  'importCustomLineItemState',
  'importLineItemState',
  'removeDelivery',
  'removeItemShippingAddress',
  'removeParcelFromDelivery',
  'removePayment',
  'setBillingAddress',
  'setBillingAddressCustomField',
  'setBillingAddressCustomType',
  'setCustomField',
  'setCustomLineItemCustomField',
  'setCustomLineItemCustomType',
  'setCustomLineItemShippingDetails',
  'setCustomType',
  'setCustomerEmail',
  'setCustomerId',
  'setDeliveryAddress',
  'setDeliveryAddressCustomField',
  'setDeliveryAddressCustomType',
  'setDeliveryCustomField',
  'setDeliveryCustomType',
  'setDeliveryItems',
  'setEstimatedDelivery',
  'setItemShippingAddressCustomField',
  'setItemShippingAddressCustomType',
  'setLineItemCustomField',
  'setLineItemCustomType',
  'setLineItemShippingDetails',
  'setLocale',
  'setOrderNumber',
  'setParcelCustomField',
  'setParcelCustomType',
  'setParcelItems',
  'setParcelMeasurements',
  'setParcelTrackingData',
  'setPurchaseOrderNumber',
  'setReturnInfo',
  'setReturnItemCustomField',
  'setReturnItemCustomType',
  'setReturnPaymentState',
  'setReturnShipmentState',
  'setShippingAddressCustomField',
  'setShippingAddressCustomType',
  'setShippingCustomField',
  'setShippingCustomType',
  'setStore',
  'transitionCustomLineItemState',
  'transitionLineItemState',
  'transitionState',
  'updateItemShippingAddress',
  'updateSyncInfo',
] as const;

/** As with a cart, which is computed after them. */
const ofCarts = [
  'addCustomLineItem',
  'addDiscountCode',
  'addLineItem',
  'addShoppingList',
  'changeCustomLineItemMoney',
  'changeCustomLineItemQuantity',
  'changeLineItemQuantity',
  'changePriceRoundingMode',
  'changeTaxCalculationMode',
  'changeTaxMode',
  'changeTaxRoundingMode',
  'removeCustomLineItem',
  'removeDiscountCode',
  'removeLineItem',
  'setCountry',
  'setCustomLineItemTaxAmount',
  'setCustomLineItemTaxRate',
  'setDirectDiscounts',
  'setLineItemDistributionChannel',
  'setLineItemPrice',
  'setLineItemTaxAmount',
  'setLineItemTaxRate',
  'setLineItemTotalPrice',
  'setShippingMethodTaxAmount',
  'setShippingMethodTaxRate',
  'setShippingRateInput',
] as const;

/** Orders tell of it, and carts forget what only an address can bring. */
const setShippingAddress = shipsOn(
  both(order.actions.get('setShippingAddress')!, cart.actions.get('setShippingAddress')!),
);
const setShippingMethod = shipsOn(cart.actions.get('setShippingMethod')!);
const setCustomShippingMethod = shipsOn(cart.actions.get('setCustomShippingMethod')!);

/** By their names. */
export const stagedActions: ReadonlyMap<string, Action> = new Map([
  ...ofOrders.map((name) => [name, order.actions.get(name)!] as const),
  ...ofCarts.map((name) => [name, cart.actions.get(name)!] as const),
  ['setShippingAddress', setShippingAddress],
  ['setShippingMethod', setShippingMethod],
  ['setCustomShippingMethod', setCustomShippingMethod],
  ['setShippingAddressAndShippingMethod', withAddress(setShippingMethod)],
  ['setShippingAddressAndCustomShippingMethod', withAddress(setCustomShippingMethod)],
  ['setCustomerGroup', tellingAction(cart.actions.get('setCustomerGroup')!, groupTeller)],
  ['setOrderTotalTax', setCartTotalTax],
]);

/** Whether amounts may follow from it: orders are not computed after actions of their own (orders 21). */
export function concernsAmounts(name: string): boolean {
  return !(ofOrders as readonly string[]).includes(name);
}

/** One action after another of the same input. */
function both(first: Action, second: Action): Action {
  return {
    ...first,
    apply: (document, input, context) => {
      first.apply(document, input, context);
      // Each keeps values of its own.
      second.apply(document, copyOf(input), context);
    },
  };
}

function shipsOn(declared: Action): Action {
  return {
    ...declared,
    apply: (document, input, context) => {
      // Edits call it with orders.
      keepingDeliveries(document as unknown as Order, () => declared.apply(document, input, context));
    },
  };
}

/** The same with an address that goes before it. */
function withAddress(declared: Action): Action {
  const { estimatedDelivery: _, ...others } = declared.fields;
  return {
    ...declared,
    fields: { address: required(address()), ...others },
    apply: (document, { address: given, ...input }, context) => {
      setShippingAddress.apply(document, { address: given }, context);
      declared.apply(document, input, context);
    },
  };
}
