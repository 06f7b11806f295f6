import type { DocumentOf } from '../../engine/define.ts';
import { ApiError } from '../../errors/api-error.ts';
import { defaulted, type FieldKind, optional, refined, required, type ValueOf } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { localizedString } from '../../fields/localized-string.ts';
import { centMoney } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { oneOf } from '../../fields/one-of.ts';
import type { Parsing } from '../../fields/parsing.ts';
import { reference } from '../../fields/reference.ts';
import { unavailable } from '../../fields/unavailable.ts';
import { boolean, currency, integer, key, text } from '../../fields/scalar.ts';
import { parseCartPredicate } from '../../predicate/cart-predicate.ts';
import { parseScoreFunction } from '../../pricing/score-function.ts';

/** Text that `check` accepts; the ApiError that it throws otherwise is reported with the other faults. */
function checkedBy(check: (value: string) => unknown, examples: readonly string[]): FieldKind<string> {
  return refined(text(examples), (value, parsing) => {
    try {
      check(value);
      return value;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      for (const { code, message } of error.errors)
        parsing.fault(code, (field) => `The value of field '${field}' is not valid. ${message}`);
      return undefined;
    }
  });
}

const priceFunction = object('PriceFunction', {
  currencyCode: required(currency()),
  function: required(checkedBy(parseScoreFunction, ['x * 2 + 100'])),
});

/** The tiers of a shipping rate (specification 2.5, ShippingRatePriceTier). */
const tier = oneOf('ShippingRatePriceTier', {
  CartValue: {
    typeName: 'ShippingRateCartValuePriceTier',
    fields: { minimumCentAmount: required(integer({ min: 0, type: 'Int' })), price: required(centMoney()) },
  },
  CartClassification: {
    typeName: 'ShippingRateCartClassificationPriceTier',
    fields: { value: required(text()), price: required(centMoney()) },
  },
  CartScore: {
    typeName: 'ShippingRateCartScorePriceTier',
    fields: {
      score: required(integer({ min: 1, type: 'Int' })),
      price: optional(centMoney()),
      priceFunction: optional(priceFunction),
    },
    check: onePriceOnly,
  },
});

/** A score tier has either a fixed price or a function (decisions.md #40). */
function onePriceOnly({ price, priceFunction }: Readonly<Record<string, unknown>>, parsing: Parsing): void {
  if ((price === undefined) === (priceFunction === undefined)) {
    parsing.fault('InvalidInput', (field) => `The tier '${field}' needs either a price or a priceFunction.`);
  }
}

const shippingRateFields = {
  price: required(centMoney()),
  freeAbove: optional(centMoney()),
  tiers: defaulted(list(tier), () => []),
};

export type ShippingRate = ValueOf<typeof shippingRateFields>;

export const shippingRate = refined(object('ShippingRate', shippingRateFields), (rate, parsing) => {
  for (const currencyCode of currenciesOf(rate)) {
    if (currencyCode === rate.price.currencyCode) continue;
    return parsing.fault(
      'InvalidField',
      (field) => {
        return `All amounts of the shipping rate '${field}' are in the currency of its price, ${rate.price.currencyCode}, but one is in ${currencyCode}.`;
      },
      { invalidValue: currencyCode },
    );
  }
  return rate;
});

function currenciesOf({ freeAbove, tiers }: ShippingRate): readonly string[] {
  // The branches of a tier hold money in `price` and a currency in `priceFunction`.
  const priced = tiers.flatMap(({ price, priceFunction }) => [price, priceFunction]) as (
    { currencyCode: string } | undefined
  )[];
  return [freeAbove, ...priced].flatMap((money) => (money === undefined ? [] : [money.currencyCode]));
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
  predicate: optional(checkedBy(parseCartPredicate, ['totalPrice.centAmount > 1000'])),
  carrier: optional(text()),
};

export const draft = { ...fields, ...unavailable('custom', 'stores') };

export type ShippingMethod = DocumentOf<typeof fields>;
