import { randomUUID } from 'node:crypto';
import type { DocumentOf } from '../../engine/document.ts';
import { assignedOptional, defaulted, optional, refined, required } from '../../fields/field.ts';
import { list } from '../../fields/list.ts';
import { object } from '../../fields/object.ts';
import type { Parsing } from '../../fields/parsing.ts';
import { boolean, country, decimal, key, text } from '../../fields/scalar.ts';

export const subRate = object('SubRate', {
  name: required(text()),
  /** Share between 0 and 1. */
  amount: required(decimal({ min: 0, max: 1 })),
});

const taxRateFields = {
  /** Those that stand in no category have none. */
  id: { ...assignedOptional(text()), initial: () => randomUUID() },
  key: optional(key()),
  name: required(text()),
  /** Share between 0 and 1; with sub-rates it is their sum. */
  amount: optional(decimal({ min: 0, max: 1 })),
  includedInPrice: required(boolean()),
  country: required(country()),
  state: optional(text()),
  subRates: defaulted(list(subRate), () => []),
};

/** Sums of shares are compared with this tolerance: 0.1 + 0.2 is not 0.3 in binary. */
const shareTolerance = 1e-9;

export const taxRate = refined(object('TaxRate', taxRateFields), completedRate);

/** A rate as it stands elsewhere, with the id that it has there. */
export const knownTaxRate: typeof taxRate = {
  ...refined(
    object(
      'TaxRate',
      { ...taxRateFields, id: optional(text()), amount: required(decimal({ min: 0, max: 1 })) },
      { input: 'TaxRateInput' },
    ),
    completedRate,
  ),
  schema: { draft: taxRate.schema.value, value: taxRate.schema.value },
};

interface GivenRate {
  readonly amount?: number;
  readonly subRates: readonly { readonly amount: number }[];
}

/** A rate without sub-rates states its amount; with them the amount may be left out, for it is their sum. */
export function completedRate<Rate extends GivenRate>(rate: Rate, parsing: Parsing): Rate {
  const { amount, subRates } = rate;
  const since = parsing.faultCount;
  if (subRates.length === 0) {
    if (amount === undefined) parsing.missing();
  } else {
    const sum = subRates.reduce((total, subRate) => total + subRate.amount, 0);
    if (amount === undefined) return { ...rate, amount: sum };
    if (Math.abs(amount - sum) > shareTolerance) parsing.wrongValue(amount, `the sum of the sub-rates, ${sum},`);
  }
  parsing.within('amount', since);
  return rate;
}

export const fields = {
  key: optional(key()),
  name: required(text()),
  description: optional(text()),
  rates: defaulted(list(taxRate), () => []),
};

export type TaxCategory = DocumentOf<typeof fields>;
