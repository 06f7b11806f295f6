/** What the contract tests send of carts. */
import type { Examples } from '../../engine/resource.ts';

const custom = { type: { typeId: 'type', key: 'example-type' }, fields: { note: 'Example' } };
const summer = { typeId: 'discount-code', key: 'example-discount-code-summer' };
const method = { typeId: 'shipping-method', key: 'example-shipping-method-german' };

/** The example has it by the name of the code among those of the tests. */
const code = 'SUMMER-target-summer';
const channel = { typeId: 'channel', key: 'example-channel' };
const lineItem = {
  key: 'example-key',
  sku: 'SKU-SOLD',
  quantity: 3,
  supplyChannel: channel,
  distributionChannel: channel,
  custom,
};
const customLineItem = {
  key: 'example-key',
  name: { en: 'Example' },
  slug: 'gift-wrapping',
  money: { currencyCode: 'EUR', centAmount: 490 },
  taxCategory: { typeId: 'tax-category', key: 'example-tax-category' },
  quantity: 2,
  custom,
};

/** Of the example address. */
const targets = [{ addressKey: 'example-key', quantity: 1 }];

/** More than the example costs without taxes. */
const externalTaxAmount = {
  totalGross: { currencyCode: 'EUR', centAmount: 1_000_000 },
  taxRate: { name: 'Example', amount: 0.19, country: 'DE' },
};

/** The example is shipped by one method, which has no key. */
const ofOneMethod = [
  'setShippingCustomType',
  'setShippingCustomField',
  'setEstimatedDelivery',
  'setShippingMethodTaxRate',
  'setShippingMethodTaxAmount',
  'setLineItemTaxRate',
  'setLineItemTaxAmount',
  'setCustomLineItemTaxRate',
  'setCustomLineItemTaxAmount',
];

export const examples: Partial<Examples> = {
  needed: ['taxMode', 'shippingAddress'],
  beside: [{ typeId: 'product', key: 'example-product-sold' }, summer],
  draft: {
    // Rates may be given then, and none has to be there.
    taxMode: 'External',
    lineItems: [lineItem, { key: 'second-line', sku: 'SKU-SOLD' }],
    customLineItems: [customLineItem],
    discountCodes: [code],
  },
  named: {
    // Nothing that an order needs is missing.
    ordered: {
      store: { typeId: 'store', key: 'example-store' },
      taxMode: 'Disabled',
      lineItems: [{ ...lineItem, shippingDetails: { targets: [{ addressKey: 'example-key', quantity: 3 }] } }],
      customLineItems: [{ ...customLineItem, taxCategory: undefined }],
      itemShippingAddresses: [{ key: 'example-key', country: 'DE' }],
      shippingMethod: method,
      custom,
    },
  },
  actions: {
    addLineItem: { sku: 'SKU-SOLD', productId: undefined, externalTotalPrice: undefined, shippingDetails: undefined },
    addCustomLineItem: { slug: 'card', shippingDetails: undefined },
    addDiscountCode: { code },
    ...Object.fromEntries(ofOneMethod.map((name) => [name, { shippingKey: undefined }])),
    changeLineItemsOrder: { lineItemOrder: ['{lineItems[1].id}', '{lineItems[0].id}'] },
    setLineItemShippingDetails: { shippingDetails: { targets } },
    setCustomLineItemShippingDetails: { shippingDetails: { targets } },
    applyDeltaToLineItemShippingDetailsTargets: { targetsDelta: targets },
    applyDeltaToCustomLineItemShippingDetailsTargets: { targetsDelta: targets },
    changeTaxMode: { taxMode: 'ExternalAmount' },
    setLineItemTaxAmount: { shippingKey: undefined, externalTaxAmount },
    setCustomLineItemTaxAmount: { shippingKey: undefined, externalTaxAmount },
    setCartTotalTax: { externalTotalGross: externalTaxAmount.totalGross },
    setShippingMethod: { shippingMethod: method, estimatedDelivery: undefined },
  },
};
