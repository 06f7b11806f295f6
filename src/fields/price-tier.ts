import { required } from './field.ts';
import { money } from './money.ts';
import { object } from './object.ts';
import { integer } from './scalar.ts';

/** What one costs of so many. */
export const priceTier = {
  ...object(
    'ProductPriceTier',
    { minimumQuantity: required(integer({ min: 2, type: 'Int' })), value: required(money()) },
    { input: 'ProductPriceTierInput' },
  ),
  examples: [{ minimumQuantity: 10, value: { currencyCode: 'EUR', centAmount: 450 } }],
};
