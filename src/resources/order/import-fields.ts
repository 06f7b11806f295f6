/** What is said of an order that was made elsewhere: all that it costs, and nothing that would be computed (orders 19). */
import { customFields } from '../../fields/custom-fields.ts';
import { defaulted, type FieldKind, optional, required, type ValueOf } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { centMoney, money } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { givenById, reference, resourceId } from '../../fields/reference.ts';
import { dateTime, integer, key, text } from '../../fields/scalar.ts';
import { unavailable } from '../../fields/unavailable.ts';
import { deliveries } from '../cart/delivery-fields.ts';
import { fields as cartFields } from '../cart/fields.ts';
import { channel, customLineItemPriceMode, inventoryMode, shippingDetailsDraft } from '../cart/item-fields.ts';
import { shippingMethod, shippingMethodState, taxCategory } from '../cart/shipping-fields.ts';
import { taxPortions } from '../cart/tax-fields.ts';
import { price, variantContent } from '../product/fields.ts';
import { shippingRate } from '../shipping-method/fields.ts';
import { knownTaxRate } from '../tax-category/fields.ts';
import { itemStates } from './actions/items.ts';
import { fields, state } from './fields.ts';

const { sku, prices, attributes, images } = variantContent;

/** By its SKU, or by its id in the product of the line. */
const variant = object('ProductVariantImport', {
  id: optional(integer({ min: 1, type: 'Int' })),
  sku,
  prices,
  attributes,
  images,
});

const itemFields = {
  name: required(localizedString()),
  key: optional(key()),
  /** Below zero it is of what came back. */
  quantity: required(integer()),
  taxRate: optional(knownTaxRate),
  shippingDetails: optional(shippingDetailsDraft),
  /** By default all units are in the initial one. */
  state: optional(itemStates),
};

const lineItemFields = {
  ...itemFields,
  productId: optional({ ...resourceId('product', 'Product'), input: text().input }),
  variant: required(variant),
  price: required(price),
  supplyChannel: optional(channel),
  distributionChannel: optional(channel),
  inventoryMode: optional(inventoryMode),
  custom: optional(customFields('line-item')),
};

/** What a line has as a copy of its product, of which nobody looks at the custom fields where it is not given. */
export const copiedFields = {
  lineItems: required(list(object('LineItemImport', { variant: lineItemFields.variant, price: lineItemFields.price }))),
};

export type LineItemImport = ValueOf<typeof lineItemFields>;

const customLineItemFields = {
  ...itemFields,
  slug: required(text()),
  money: required(money()),
  taxCategory: optional(taxCategory),
  priceMode: defaulted(customLineItemPriceMode, () => 'Standard' as const),
  custom: optional(customFields('custom-line-item')),
};

export type CustomLineItemImport = ValueOf<typeof customLineItemFields>;

const discountedPrice = object('DiscountedLineItemPrice', {
  value: required(money()),
  includedDiscounts: defaulted(
    list(
      object('DiscountedLineItemPortion', {
        discount: required(givenById(reference('cart-discount', 'CartDiscount', { strength: 'loose' }))),
        discountedAmount: required(money()),
      }),
    ),
    () => [],
  ),
});

const shippingInfoFields = {
  shippingMethodName: required(text()),
  price: required(centMoney()),
  shippingRate: required(shippingRate),
  taxRate: optional(knownTaxRate),
  taxCategory: optional(taxCategory),
  shippingMethod: optional(shippingMethod),
  deliveries: defaulted(deliveries, () => []),
  discountedPrice: optional(discountedPrice),
  shippingMethodState: defaulted(shippingMethodState, () => 'MatchesCart' as const),
};

/** GraphQL takes both precisions, of which taxes have one. */
const taxMoney = { ...centMoney(), input: money().input };

const taxedPrice = object('TaxedPrice', {
  totalNet: required(taxMoney),
  totalGross: required(taxMoney),
  taxPortions: required(taxPortions),
  /** By default what lies between the two. */
  totalTax: optional(taxMoney),
});

export type TaxedPriceImport = typeof taxedPrice extends FieldKind<infer Price> ? Price : never;

const payment = givenById(reference('payment', 'Payment', { strength: 'loose' }));
const payments = object('PaymentInfo', { payments: required(list(payment)) });

/** GraphQL takes one payment. */
const paymentInfo: typeof payments = {
  ...payments,
  input: { ...payment.input!, read: (given) => ({ payments: [given] }) },
};

export const importDraft = {
  orderNumber: fields.orderNumber,
  purchaseOrderNumber: fields.purchaseOrderNumber,
  customerId: optional({ ...resourceId('customer', 'Customer'), input: text().input }),
  customerEmail: fields.customerEmail,
  customerGroup: optional(givenById(cartFields.customerGroup.kind)),
  store: optional(givenById(cartFields.store.kind)),
  ...unavailable('businessUnit'),
  lineItems: defaulted(list(object('LineItemImport', lineItemFields)), () => []),
  customLineItems: defaulted(list(object('CustomLineItemImport', customLineItemFields)), () => []),
  totalPrice: required(centMoney()),
  taxedPrice: optional(taxedPrice),
  priceRoundingMode: defaulted(cartFields.priceRoundingMode.kind, () => 'HalfEven' as const),
  taxRoundingMode: defaulted(cartFields.taxRoundingMode.kind, () => 'HalfEven' as const),
  taxCalculationMode: cartFields.taxCalculationMode,
  inventoryMode: cartFields.inventoryMode,
  billingAddress: fields.billingAddress,
  shippingAddress: fields.shippingAddress,
  itemShippingAddresses: cartFields.itemShippingAddresses,
  shippingInfo: optional(object('ShippingInfoImport', shippingInfoFields)),
  paymentInfo: optional(paymentInfo),
  paymentState: fields.paymentState,
  shipmentState: fields.shipmentState,
  orderState: fields.orderState,
  state: optional(givenById(state)),
  country: fields.country,
  origin: cartFields.origin,
  completedAt: optional(dateTime()),
  custom: fields.custom,
};

export type ImportDraft = ValueOf<typeof importDraft>;
