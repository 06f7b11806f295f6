import { action, invalidOperation } from '../../engine/actions.ts';
import { optional, required } from '../../fields/field.ts';
import { key, text } from '../../fields/scalar.ts';
import { type TaxCategory, taxRate } from './fields.ts';

const identifier = { taxRateId: optional(text()), taxRateKey: optional(key()) };

export const addTaxRate = action({ taxRate: required(taxRate) }, (category: TaxCategory, { taxRate }) => {
  category.rates.push(taxRate);
});

/** The new rate gets an id of its own. */
export const replaceTaxRate = action({ ...identifier, taxRate: required(taxRate) }, (category: TaxCategory, input) => {
  category.rates[indexOf(category, input)] = input.taxRate;
});

export const removeTaxRate = action(identifier, (category: TaxCategory, input) => {
  category.rates.splice(indexOf(category, input), 1);
});

function indexOf(
  category: TaxCategory,
  { taxRateId, taxRateKey }: { taxRateId?: string; taxRateKey?: string },
): number {
  if (taxRateId === undefined && taxRateKey === undefined)
    throw invalidOperation('The tax rate has to be named by taxRateId or taxRateKey.');
  const index = category.rates.findIndex((rate) =>
    taxRateId === undefined ? rate.key === taxRateKey : rate.id === taxRateId,
  );
  if (index < 0) throw invalidOperation(`The tax category has no tax rate ${taxRateId ?? taxRateKey}.`);
  return index;
}
