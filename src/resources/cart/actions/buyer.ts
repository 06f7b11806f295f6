/** Whose cart it is, and where it goes as a whole. */
import { action, invalidOperation } from '../../../engine/actions.ts';
import { setCustomField, setCustomType } from '../../../engine/custom-actions.ts';
import type { ApplyContext } from '../../../engine/resource.ts';
import { apiError } from '../../../errors/api-error.ts';
import type { Cart } from '../fields.ts';
import { fields } from '../fields.ts';
import { forgetTaxes } from './taxes.ts';

/** A customer's cart is no visitor's, and has the group of the customer. */
export const setCustomerId = action({ customerId: fields.customerId }, (cart: Cart, { customerId }) => {
  delete cart.customerId;
  delete cart.customerGroup;
  if (customerId === undefined) return;
  cart.customerId = customerId;
  delete cart.anonymousId;
});

export const setAnonymousId = action({ anonymousId: fields.anonymousId }, (cart: Cart, { anonymousId }) => {
  if (cart.customerId !== undefined) throw invalidOperation('The cart belongs to a customer.');
  if (anonymousId === undefined) delete cart.anonymousId;
  else cart.anonymousId = anonymousId;
});

/** A project that names no languages speaks all. */
export function requireLanguage(
  locale: string | undefined,
  { project: { settings } }: Pick<ApplyContext, 'project'>,
): void {
  const { languages } = settings;
  if (locale === undefined || languages.length === 0 || languages.includes(locale)) return;
  throw apiError('InvalidField', `The project is not configured for the language '${locale}'.`, {
    field: 'locale',
    invalidValue: locale,
    allowedValues: languages,
  });
}

export const setLocale = action({ locale: fields.locale }, (cart: Cart, { locale }, context) => {
  requireLanguage(locale, context);
  if (locale === undefined) delete cart.locale;
  else cart.locale = locale;
});

export const setCustomerGroup = action({ customerGroup: fields.customerGroup }, (cart: Cart, { customerGroup }) => {
  if (cart.customerId !== undefined)
    throw invalidOperation('The cart belongs to a customer, whose customer group it has.');
  if (customerGroup === undefined) delete cart.customerGroup;
  else cart.customerGroup = customerGroup;
});

/**
 * Without an address nothing is shipped by a method of the whole cart, and nothing is taxed until a client says so again
 * (carts 8.6). The reference has the address for the shipping mode Single and names no error where there are several methods,
 * each with an address of its own: it is kept there, predicates read it, and nothing is shipped or taxed by it.
 */
export const setShippingAddress = action({ address: fields.shippingAddress }, (cart: Cart, { address }) => {
  if (address !== undefined) {
    cart.shippingAddress = address;
    return;
  }
  delete cart.shippingAddress;
  delete cart.shippingInfo;
  if (cart.shippingMode === 'Multiple') return;
  for (const item of [...cart.lineItems, ...cart.customLineItems]) forgetTaxes(item);
  delete cart.taxedPrice;
});

function shippingAddressOf({ shippingAddress }: Cart): NonNullable<Cart['shippingAddress']> {
  if (shippingAddress === undefined) throw invalidOperation('There is no shipping address.');
  return shippingAddress;
}

function billingAddressOf({ billingAddress }: Cart): NonNullable<Cart['billingAddress']> {
  if (billingAddress === undefined) throw invalidOperation('There is no billing address.');
  return billingAddress;
}

export const addressPartActions = {
  setShippingAddressCustomType: setCustomType(shippingAddressOf),
  setShippingAddressCustomField: setCustomField(shippingAddressOf),
  setBillingAddressCustomType: setCustomType(billingAddressOf),
  setBillingAddressCustomField: setCustomField(billingAddressOf),
};
