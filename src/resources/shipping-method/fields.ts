import type { DocumentOf } from '../../engine/document.ts';
import { customFields } from '../../fields/custom-fields.ts';
import { assignedOptional, defaulted, optional, refined, required, type ValueOf } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { centMoney } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { oneOf } from '../../fields/one-of.ts';
import type { Parsing } from '../../fields/parsing.ts';
import { keyReference, reference } from '../../fields/reference.ts';
import { boolean, currency, integer, key, text } from '../../fields/scalar.ts';
import { textCheckedBy } from '../../fields/text-checked-by.ts';
import { parseCartPredicate } from '../cart/predicate.ts';
import { parseScoreFunction } from '../../pricing/score-function.ts';

const priceFunction = object('PriceFunction', {
  currencyCode: required(currency()),
  function: required(textCheckedBy(parseScoreFunction, { format: 'score-function', examples: ['x * 2 + 100'] })),
});

/** Never stored: the matching queries mark with it what applies. */
const isMatching = assignedOptional(boolean());

/** The tiers of a shipping rate (specification 2.5, ShippingRatePriceTier). */
const tiers = oneOf('ShippingRatePriceTier', {
  CartValue: {
    typeName: 'ShippingRateCartValuePriceTier',
    input: 'ShippingRatePriceTierCartValueDraft',
    fields: {
      minimumCentAmount: required(integer({ min: 0, type: 'Int' })),
      price: required(centMoney('MoneyDraft')),
      isMatching,
    },
  },
  CartClassification: {
    typeName: 'ShippingRateCartClassificationPriceTier',
    input: 'ShippingRatePriceTierCartClassificationDraft',
    fields: { value: required(text()), price: required(centMoney('MoneyDraft')), isMatching },
  },
  CartScore: {
    typeName: 'ShippingRateCartScorePriceTier',
    input: 'ShippingRatePriceTierCartScoreDraft',
    fields: {
      score: required(integer({ min: 1, type: 'Int' })),
      price: optional(centMoney('MoneyDraft')),
      priceFunction: optional(priceFunction),
      isMatching,
    },
    check: onePriceOnly,
  },
});

/** New projects take scores. */
const tier = {
  ...tiers,
  examples: [
    { type: 'CartScore', score: 2, price: { currencyCode: 'EUR', centAmount: 390 } },
    { type: 'CartScore', score: 3, priceFunction: { currencyCode: 'EUR', function: 'x * 2 + 100' } },
  ],
};

/** A score tier has either a fixed price or a function (decisions.md #40). */
function onePriceOnly({ price, priceFunction }: Readonly<Record<string, unknown>>, parsing: Parsing): void {
  if ((price === undefined) === (priceFunction === undefined)) {
    parsing.fault('InvalidInput', (field) => `The tier '${field}' needs either a price or a priceFunction.`);
  }
}

const shippingRateFields = {
  price: required(centMoney('MoneyDraft')),
  freeAbove: optional(centMoney('MoneyDraft')),
  tiers: defaulted(list(tier), () => []),
  isMatching,
};

export type ShippingRate = ValueOf<typeof shippingRateFields>;

export const shippingRate = refined(object('ShippingRate', shippingRateFields), (rate, parsing) => {
  const expected = rate.price.currencyCode;
  const currencyCode = otherCurrency(rate, expected);
  if (currencyCode === undefined) return rate;
  return parsing.fault(
    'InvalidField',
    (field) => {
      return `All amounts of the shipping rate '${field}' are in the currency of its price, ${expected}, but one is in ${currencyCode}.`;
    },
    { invalidValue: currencyCode },
  );
});

/** A currency beside `expected` that the rate has an amount in. */
function otherCurrency({ freeAbove, tiers }: ShippingRate, expected: string): string | undefined {
  if (freeAbove !== undefined && freeAbove.currencyCode !== expected) return freeAbove.currencyCode;
  for (const tier of tiers) {
    // The branches of a tier hold money in `price` and a currency in `priceFunction`.
    const { price, priceFunction } = tier as { readonly [part: string]: { readonly currencyCode: string } | undefined };
    if (price !== undefined && price.currencyCode !== expected) return price.currencyCode;
    if (priceFunction !== undefined && priceFunction.currencyCode !== expected) return priceFunction.currencyCode;
  }
  return undefined;
}

const zoneRateFields = {
  zone: required(reference('zone', 'Zone')),
  shippingRates: defaulted(list(shippingRate), () => []),
};

export type ZoneRate = ValueOf<typeof zoneRateFields>;

export const fields = {
  key: optional(key()),
  name: required(text()),
  localizedName: optional(localizedString()),
  description: optional(text()),
  localizedDescription: optional(localizedString()),
  taxCategory: required(reference('tax-category', 'TaxCategory')),
  zoneRates: defaulted(list(object('ZoneRate', zoneRateFields)), () => []),
  active: defaulted(boolean(), () => true),
  isDefault: defaulted(boolean(), () => false),
  predicate: optional(
    textCheckedBy(parseCartPredicate, { format: 'cart-predicate', examples: ['totalPrice.centAmount > 1000'] }),
  ),
  carrier: optional(text()),
  stores: defaulted(list(keyReference('store', 'Store')), () => []),
  custom: optional(customFields('shipping-method')),
};

export type ShippingMethod = DocumentOf<typeof fields>;
