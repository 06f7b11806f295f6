import { randomUUID } from 'node:crypto';
import type { DocumentOf } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { address } from '../../fields/address.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assigned, defaulted, type Field, type FieldKind, optional, required } from '../../fields/field.ts';
import { json } from '../../fields/json.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { centMoney, money } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { oneOf, type Tagged } from '../../fields/one-of.ts';
import { keyReference, reference, resourceId } from '../../fields/reference.ts';
import { onlyAvailable, unavailable } from '../../fields/unavailable.ts';
import { country, currency, enumeration, integer, key, locale, text } from '../../fields/scalar.ts';

/** A list that the platform keeps and that no action of this version fills. */
function empty(): FieldKind<unknown[]> {
  return list(json());
}

export const customLineItemFields = {
  id: assigned(text(), () => randomUUID()),
  key: optional(key()),
  name: required(localizedString()),
  money: required(money()),
  slug: required(text(['gift-wrapping'])),
  quantity: defaulted(integer({ min: 1 }), () => 1),
  taxCategory: optional(reference('tax-category', 'TaxCategory', { strength: 'loose' })),
  priceMode: defaulted(enumeration('CustomLineItemPriceMode', ['Standard', 'External']), () => 'Standard' as const),
  /** Derived from money and quantity. */
  totalPrice: assigned(centMoney()),
  state: assigned(empty(), () => []),
  taxedPricePortions: assigned(empty(), () => []),
  perMethodTaxRate: assigned(empty(), () => []),
  discountedPricePerQuantity: assigned(empty(), () => []),
  custom: optional(customFields('custom-line-item')),
  ...unavailable('externalTaxRate', 'shippingDetails', 'recurrenceInfo'),
};

const customLineItem = object('CustomLineItem', customLineItemFields);

/** What the tiers of shipping rates are chosen by; the label of a classification comes from the project. */
export const shippingRateInput: FieldKind<Tagged> = {
  ...oneOf('ShippingRateInput', {
    Score: { typeName: 'ScoreShippingRateInput', fields: { score: required(integer({ min: 0, type: 'Int' })) } },
    Classification: {
      typeName: 'ClassificationShippingRateInput',
      fields: { key: required(text()), label: assigned(localizedString(), () => ({})) },
    },
  }),
  // A project takes one of the forms, and new ones take scores.
  examples: [{ type: 'Score', score: 2 }],
};

/** Days after its last modification at which a cart is deleted (decisions.md #8). */
const retentionDays = integer({ min: 1, max: 365_250, type: 'Int' });

const settable = {
  key: optional(key()),
  customerEmail: optional(text(['jane@example.org'])),
  customerId: optional(resourceId('customer', 'Customer')),
  anonymousId: optional(text()),
  store: optional(keyReference('store', 'Store')),
  country: optional(country()),
  locale: optional(locale()),
  shippingAddress: optional(address()),
  billingAddress: optional(address()),
  customLineItems: defaulted(list(customLineItem), () => []),
  shippingRateInput: optional(shippingRateInput),
  taxMode: defaulted(
    enumeration('TaxMode', ['Platform', 'External', 'ExternalAmount', 'Disabled']),
    () => 'Platform' as const,
  ),
  taxRoundingMode: defaulted(
    enumeration('RoundingMode', ['HalfEven', 'HalfUp', 'HalfDown']),
    () => 'HalfEven' as const,
  ),
  priceRoundingMode: defaulted(
    enumeration('RoundingMode', ['HalfEven', 'HalfUp', 'HalfDown']),
    () => 'HalfEven' as const,
  ),
  taxCalculationMode: defaulted(
    enumeration('TaxCalculationMode', ['LineItemLevel', 'UnitPriceLevel']),
    () => 'LineItemLevel' as const,
  ),
  inventoryMode: defaulted(
    enumeration('InventoryMode', ['None', 'TrackOnly', 'ReserveOnOrder', 'ReserveOnCart']),
    () => 'None' as const,
  ),
  origin: defaulted(
    enumeration('CartOrigin', ['Customer', 'Merchant', 'Quote', 'RecurringOrder']),
    () => 'Customer' as const,
  ),
  deleteDaysAfterLastModification: optional(retentionDays),
  /** Types name carts and orders alike. */
  custom: optional(customFields('order')),
};

const shippingMode = enumeration('ShippingMode', ['Single', 'Multiple']);

export const fields = {
  ...settable,
  lineItems: assigned(empty()),
  totalPrice: assigned(centMoney()),
  cartState: assigned(enumeration('CartState', ['Active', 'Merged', 'Ordered', 'Frozen'])),
  shippingMode: assigned(shippingMode),
  shipping: assigned(empty()),
  itemShippingAddresses: assigned(list(address())),
  discountCodes: assigned(empty()),
  directDiscounts: assigned(empty()),
  refusedGifts: assigned(empty()),
};

export const draft = {
  ...settable,
  currency: required(currency()),
  shippingMode: defaulted(onlyAvailable(shippingMode, 'Single'), () => 'Single' as const),
  ...unavailable(
    'lineItems',
    'customerGroup',
    'businessUnit',
    'externalTaxRateForShippingMethod',
    'shippingMethod',
    'customShipping',
    'shipping',
    'itemShippingAddresses',
    'discountCodes',
    'purchaseOrderNumber',
  ),
};

/** What customers and visitors say of their carts; the rest is the shop's. */
export const ownMembers: readonly string[] = [
  'currency',
  'customerEmail',
  'businessUnit',
  'store',
  'lineItems',
  'taxMode',
  'inventoryMode',
  'billingAddress',
  'shippingAddress',
  'shippingMethod',
  'itemShippingAddresses',
  'discountCodes',
  'country',
  'locale',
  'deleteDaysAfterLastModification',
  'custom',
];

export type Cart = DocumentOf<typeof fields>;

/** Why a customer cannot take over the cart, which has to be a visitor's: that of the session, where one is named. */
export function takeOverFault(cart: Cart, session?: string): ErrorElement | undefined {
  const { id, customerId, cartState, anonymousId } = cart;
  const why =
    (customerId !== undefined && 'belongs to a customer') ||
    (cartState !== 'Active' && `is ${cartState}, not Active`) ||
    (session !== undefined && session !== anonymousId && `is not of the session '${session}'`);
  if (why === false) return undefined;
  return { code: 'InvalidOperation', message: `The cart '${id}' ${why}, so it cannot be taken over.` };
}

/**
 * How an operation that takes over the cart of a visitor names it; by its session it is the active one. No rule of the
 * reference says whose cart it may be: nobody learns that before it is known who asks.
 */
export const visitor = {
  anonymousCart: optional({ ...reference('cart', 'Cart'), examples: [] }),
  anonymousId: optional(text()),
};

/** The same by the cart's id alone. */
export const anonymousCartId = optional(resourceId('cart', 'Cart'));

const signInModes = ['MergeWithExistingCustomerCart', 'UseAsNewActiveCustomerCart'] as const;

/** What becomes of a visitor's cart when the customer has one: its line items are copied there, or it takes its place. */
export function cartSignInMode(typeName: string): Field<(typeof signInModes)[number], 'defaulted'> {
  return defaulted(enumeration(typeName, signInModes), () => signInModes[0]);
}
