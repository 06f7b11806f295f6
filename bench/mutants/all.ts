import { codes } from './codes.ts';
import { discounts } from './discounts.ts';
import { items } from './items.ts';
import { money } from './money.ts';
import { mutantsOf } from './mutant.ts';
import { predicates } from './predicates.ts';
import { prices } from './prices.ts';
import { reservations } from './reservations.ts';
import { shipping } from './shipping.ts';
import { taxes } from './taxes.ts';

/** What a cart costs comes from these rules. */
export const mutants = mutantsOf([
  ...money,
  ...prices,
  ...items,
  ...discounts,
  ...codes,
  ...taxes,
  ...shipping,
  ...predicates,
  ...reservations,
]);
