/** How a cart is shipped, and what that costs. */
import { address } from '../../fields/address.ts';
import { customFields } from '../../fields/custom-fields.ts';
import {
  assigned,
  assignedOptional,
  defaulted,
  type FieldKind,
  optional,
  required,
  type ValueOf,
} from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { centMoney } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { oneOf, type Tagged } from '../../fields/one-of.ts';
import { reference } from '../../fields/reference.ts';
import { enumeration, integer, key, text } from '../../fields/scalar.ts';
import { shippingRate } from '../shipping-method/fields.ts';
import { deliveries, estimatedDelivery } from './delivery-fields.ts';
import { discountedLineItemPrice } from './discounted-fields.ts';
import { externalTaxRate, taxedItemPrice, taxRate } from './tax-fields.ts';

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

export const taxCategory = reference('tax-category', 'TaxCategory', { strength: 'loose' });

export const shippingMethod = reference('shipping-method', 'ShippingMethod', { strength: 'loose' });

export const shippingMode = enumeration('ShippingMode', ['Single', 'Multiple']);

export const shippingMethodState = enumeration('ShippingMethodState', ['DoesNotMatchCart', 'MatchesCart']);

const shippingInfoFields = {
  shippingMethodName: assigned(text()),
  price: assigned(centMoney()),
  shippingRate: assigned(shippingRate),
  taxedPrice: assignedOptional(taxedItemPrice),
  taxRate: assignedOptional(taxRate),
  taxCategory: assignedOptional(taxCategory),
  /** Absent for one that the client describes itself. */
  shippingMethod: assignedOptional(shippingMethod),
  deliveries: assigned(deliveries),
  discountedPrice: assignedOptional(discountedLineItemPrice),
  shippingMethodState: assigned(shippingMethodState),
  estimatedDelivery: assignedOptional(estimatedDelivery),
};

export type ShippingInfo = ValueOf<typeof shippingInfoFields>;

export const shippingInfo = object('ShippingInfo', shippingInfoFields);

export const shippingCustomFields = customFields('shipping');

const shippingFields = {
  shippingKey: assigned(key()),
  shippingInfo: assigned(shippingInfo),
  shippingAddress: assigned(address()),
  shippingRateInput: assignedOptional(shippingRateInput),
  shippingCustomFields: assignedOptional(shippingCustomFields),
};

export type Shipping = ValueOf<typeof shippingFields>;

export const shipping = object('Shipping', shippingFields);

/** What a method takes with it where a cart has several. */
const ofSeveral = {
  shippingRateInput: optional(shippingRateInput),
  externalTaxRate: optional(externalTaxRate),
  deliveries: defaulted(deliveries, () => []),
  custom: optional(shippingCustomFields),
};

export const shippingDraftFields = {
  shippingMethod: optional(shippingMethod),
  shippingAddress: required(address()),
  ...ofSeveral,
};

export const customShippingDraftFields = {
  shippingMethodName: required(text()),
  shippingAddress: optional(address()),
  shippingRate: required(shippingRate),
  taxCategory: optional(taxCategory),
  ...ofSeveral,
};

export const shippingDrafts = list(object('Shipping', { key: required(key()), ...shippingDraftFields }));
export const customShippingDrafts = list(
  object('CustomShipping', { key: required(key()), ...customShippingDraftFields }),
);
