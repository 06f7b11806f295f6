/** Taxes as carts hold them. */
import { type FieldKind, optional, required, defaulted, refined, type ValueOf, assigned } from '../../fields/field.ts';
import { differingList, list } from '../../fields/list.ts';
import { centMoney } from '../../fields/money.ts';
import { object } from '../../fields/object.ts';
import { boolean, country, decimal, text } from '../../fields/scalar.ts';
import { completedRate, subRate, taxRate } from '../tax-category/fields.ts';

/** The rate of an item, which is that of a tax category or what a client gave. */
export { taxRate };
export type TaxRate = typeof taxRate extends FieldKind<infer Rate> ? Rate : never;

const externalRateFields = {
  name: required(text()),
  /** With sub-rates it may be left out, for it is their sum. */
  amount: optional(decimal({ min: 0, max: 1 })),
  includedInPrice: defaulted(boolean(), () => false),
  country: required(country()),
  state: optional(text()),
  subRates: defaulted(list(subRate), () => []),
};

/** A rate that a client gives (carts 7.7). */
export const externalTaxRate = refined(
  object('ExternalTaxRate', externalRateFields),
  completedRate,
) as FieldKind<TaxRate>;

const portion = object('TaxPortion', {
  name: optional(text()),
  rate: required(decimal({ min: 0, max: 1 })),
  amount: required(centMoney()),
});

/** The portions that a client gives of the taxes of a cart. */
export const taxPortions = list(portion);

const taxedFields = {
  totalNet: assigned(centMoney()),
  totalGross: assigned(centMoney()),
  taxPortions: assigned(taxPortions),
  totalTax: assigned(centMoney()),
};

export type TaxedPrice = ValueOf<typeof taxedFields>;

/** As a client gives it: the net is what it is of, and not known before that is computed for the first time. */
export type GivenTaxedPrice = Pick<TaxedPrice, 'totalGross' | 'taxPortions'> & Partial<Pick<TaxedPrice, 'totalNet'>>;

export const taxedPrice = object('TaxedPrice', taxedFields);
export const taxedItemPrice = object('TaxedItemPrice', taxedFields);

export const methodTaxRates = list(
  object('MethodTaxRate', { shippingMethodKey: required(text()), taxRate: optional(taxRate) }),
);

export const methodTaxedPrices = list(
  object('MethodTaxedPrice', { shippingMethodKey: required(text()), taxedPrice: optional(taxedItemPrice) }),
);

export const methodExternalTaxRates = differingList(
  object('MethodExternalTaxRate', { shippingMethodKey: required(text()), taxRate: optional(externalTaxRate) }),
  ({ shippingMethodKey }) => shippingMethodKey,
  'a list with one tax rate for a shipping method',
);

export const externalTaxAmount = object('ExternalTaxAmount', {
  totalGross: required(centMoney()),
  taxRate: required(externalTaxRate),
});
