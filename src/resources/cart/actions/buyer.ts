/** Whose cart it is, and where it goes as a whole. */
import { action, invalidOperation } from '../../../engine/actions.ts';
import { setCustomField, setCustomType } from '../../../engine/custom-actions.ts';
import type { Cart } from '../fields.ts';
import { fields } from '../fields.ts';

/** A customer's cart is no visitor's, and has the group of the customer. */
export const setCustomerId = action({ customerId: fields.customerId }, (cart: Cart, { customerId }) => {
  delete cart.customerId;
  delete cart.customerGroup;
  if (customerId === undefined) return;
  cart.customerId = customerId;
  delete cart.anonymousId;
});

export const setCustomerGroup = action({ customerGroup: fields.customerGroup }, (cart: Cart, { customerGroup }) => {
  if (cart.customerId !== undefined)
    throw invalidOperation('The cart belongs to a customer, whose customer group it has.');
  if (customerGroup === undefined) delete cart.customerGroup;
  else cart.customerGroup = customerGroup;
});

/** Without an address nothing is shipped by a method of the whole cart. */
export const setShippingAddress = action({ address: fields.shippingAddress }, (cart: Cart, { address }) => {
  if (address !== undefined) {
    cart.shippingAddress = address;
    return;
  }
  delete cart.shippingAddress;
  delete cart.shippingInfo;
});

function shippingAddressOf({ shippingAddress }: Cart): NonNullable<Cart['shippingAddress']> {
  if (shippingAddress === undefined) throw invalidOperation('The cart has no shipping address.');
  return shippingAddress;
}

function billingAddressOf({ billingAddress }: Cart): NonNullable<Cart['billingAddress']> {
  if (billingAddress === undefined) throw invalidOperation('The cart has no billing address.');
  return billingAddress;
}

export const addressPartActions = {
  setShippingAddressCustomType: setCustomType(shippingAddressOf),
  setShippingAddressCustomField: setCustomField(shippingAddressOf),
  setBillingAddressCustomType: setCustomType(billingAddressOf),
  setBillingAddressCustomField: setCustomField(billingAddressOf),
};
