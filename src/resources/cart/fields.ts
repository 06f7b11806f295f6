import type { DocumentOf } from '../../engine/document.ts';
import type { ErrorElement } from '../../errors/api-error.ts';
import { address } from '../../fields/address.ts';
import { customFields } from '../../fields/custom-fields.ts';
import {
  assigned,
  assignedOptional,
  defaulted,
  type Field,
  optional,
  refined,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { linksCalled, list } from '../../fields/list.ts';
import { centMoney } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { keyReference, reference, resourceId } from '../../fields/reference.ts';
import { country, currency, dateTime, enumeration, integer, key, locale, text } from '../../fields/scalar.ts';
import { unavailable } from '../../fields/unavailable.ts';
import { retentionDays } from '../project/fields.ts';
import {
  directDiscounts,
  discountCodes,
  discountOnTotalPrice,
  discountTypeCombination,
  refusedGifts,
} from './discounted-fields.ts';
import { customLineItem, customLineItemDraft, inventoryMode, lineItemDraft, lineItems } from './item-fields.ts';
import {
  customShippingDrafts,
  shipping,
  shippingCustomFields,
  shippingDrafts,
  shippingInfo,
  shippingMethod,
  shippingMode,
  shippingRateInput,
} from './shipping-fields.ts';
import { externalTaxRate, taxedPrice } from './tax-fields.ts';
import { warnings } from './warnings.ts';

const roundingMode = enumeration('RoundingMode', ['HalfEven', 'HalfUp', 'HalfDown']);

export const taxModes = enumeration('TaxMode', ['Platform', 'External', 'ExternalAmount', 'Disabled']);

/** One without a key could not be named by any item. */
export const itemShippingAddress = refined(address(), (given, parsing) => {
  const since = parsing.faultCount;
  if (given.key === undefined) parsing.missing();
  parsing.within('key', since);
  return given;
});

const origins = enumeration('CartOrigin', ['Customer', 'Merchant', 'Quote', 'RecurringOrder']);

/** GraphQL has beside it where an order is placed, which REST has nobody say. */
const origin: typeof origins = {
  ...origins,
  output: {
    ...origins.output,
    fields: (name, isRequired) => [
      ...origins.output.fields(name, isRequired),
      { name: 'placement', type: 'Placement', complexity: 1, read: () => null },
    ],
    types: () => [...origins.output.types(), { type: 'enum', name: 'Placement', values: ['InStore', 'Online'] }],
  },
};

/** What drafts say and carts hold alike. */
const settable = {
  key: optional(key()),
  customerEmail: optional(text(['jane@example.org'])),
  customerId: optional(resourceId('customer', 'Customer')),
  customerGroup: optional(reference('customer-group', 'CustomerGroup', { strength: 'loose' })),
  anonymousId: optional(text()),
  store: optional(keyReference('store', 'Store')),
  country: optional(country()),
  locale: optional(locale()),
  shippingAddress: optional(address()),
  billingAddress: optional(address()),
  shippingRateInput: optional(shippingRateInput),
  taxMode: defaulted(taxModes, () => 'Platform' as const),
  taxRoundingMode: optional(roundingMode),
  priceRoundingMode: optional(roundingMode),
  taxCalculationMode: defaulted(
    enumeration('TaxCalculationMode', ['LineItemLevel', 'UnitPriceLevel']),
    () => 'LineItemLevel' as const,
  ),
  inventoryMode: defaulted(inventoryMode, () => 'None' as const),
  shippingMode: defaulted(shippingMode, () => 'Single' as const),
  itemShippingAddresses: defaulted(list(itemShippingAddress), () => []),
  origin: defaulted(origin, () => 'Customer' as const),
  /** The project's own at the time of the creation where the client says none, whatever becomes of that. */
  deleteDaysAfterLastModification: optional(retentionDays),
  purchaseOrderNumber: optional(text()),
  /** Types name carts and orders alike. */
  custom: optional(customFields('order')),
};

const lock = object('CartLock', { createdAt: assigned(dateTime()), clientId: assigned(text()) });

const paymentInfo = object('PaymentInfo', {
  payments: assigned(linksCalled(list(reference('payment', 'Payment', { strength: 'loose' })), 'paymentRefs')),
});

export const freezeStrategy = enumeration('FreezeStrategy', ['SoftFreeze', 'HardFreeze']);

export const fields = {
  ...settable,
  // The project's, where a draft says nothing.
  taxRoundingMode: assigned(roundingMode),
  priceRoundingMode: assigned(roundingMode),
  lineItems: assigned(lineItems),
  customLineItems: assigned(list(customLineItem)),
  /** Of line items; absent without any. */
  totalLineItemQuantity: assignedOptional(integer()),
  totalPrice: assigned(centMoney()),
  taxedPrice: assignedOptional(taxedPrice),
  taxedShippingPrice: assignedOptional(taxedPrice),
  discountOnTotalPrice: assignedOptional(discountOnTotalPrice),
  cartState: assigned(enumeration('CartState', ['Active', 'Merged', 'Ordered', 'Frozen'])),
  freezeStrategy: assignedOptional(freezeStrategy),
  /** Of the one shipping method, or of several, by the mode. */
  shippingInfo: assignedOptional(shippingInfo),
  /** Of the one shipping method, to which nothing gives a key. */
  shippingKey: assignedOptional(key()),
  shipping: assigned(list(shipping)),
  shippingCustomFields: assignedOptional(shippingCustomFields),
  discountCodes: assigned(discountCodes),
  directDiscounts: assigned(directDiscounts),
  refusedGifts: assigned(refusedGifts),
  discountTypeCombination: assignedOptional(discountTypeCombination),
  paymentInfo: assignedOptional(paymentInfo),
  lock: assignedOptional(lock),
  warnings: assignedOptional(warnings),
};

export const draft = {
  ...settable,
  currency: required(currency()),
  lineItems: defaulted({ ...list(lineItemDraft), examples: [] }, () => []),
  customLineItems: defaulted({ ...list(customLineItemDraft), examples: [] }, () => []),
  externalTaxRateForShippingMethod: optional({ ...externalTaxRate, examples: [] }),
  // Which ones ship a cart, its other members say.
  shippingMethod: optional({ ...shippingMethod, examples: [] }),
  customShipping: defaulted({ ...customShippingDrafts, examples: [[]] }, () => []),
  shipping: defaulted({ ...shippingDrafts, examples: [[]] }, () => []),
  discountCodes: defaulted({ ...list(text()), examples: [] }, () => []),
  ...unavailable('businessUnit'),
};

export type CartDraft = ValueOf<typeof draft>;

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
  'shippingMode',
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
