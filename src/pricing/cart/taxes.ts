/** Taxes of items, of shipping and of carts (carts 7). All amounts are in cents. */
import { addRatios, inverse, multiplyRatios, type Ratio, ratio, ratioOfDecimal, scale } from '../../money/ratio.ts';
import type { RoundingMode } from '../../money/rounding.ts';
import { decimalWeights, shareOut } from '../../money/share-out.ts';

/** A tax rate as far as amounts depend on it. */
export interface TaxRate {
  readonly name: string;
  /** A share, such as 0.19; of a rate with sub-rates their sum. */
  readonly amount: number;
  readonly includedInPrice: boolean;
  readonly subRates?: readonly { readonly name: string; readonly amount: number }[];
}

export interface Taxed {
  readonly net: number;
  readonly gross: number;
  readonly portions: readonly TaxPortion[];
}

export interface TaxPortion {
  readonly name?: string;
  readonly rate: number;
  readonly amount: number;
}

/** Units of an item that have one price, in 1/(10^fractionDigits) of the currency. */
interface TaxedUnits {
  readonly quantity: number;
  readonly price: number;
}

const whole = ratioOfDecimal(1);

/** What the side that is not given is, of an amount. */
function factorOf({ amount, includedInPrice }: TaxRate): Ratio {
  const withTax = addRatios(whole, ratioOfDecimal(amount));
  return includedInPrice ? inverse(withTax) : withTax;
}

/** The taxes of an amount as a whole, such as a line or what shipping costs (carts 7.2). */
export function taxedTotal(cents: number, rate: TaxRate, rounding: RoundingMode): Taxed {
  return taxedAs(cents, scale(cents, factorOf(rate), rounding), rate);
}

/** The same with each unit taxed and rounded by itself (carts 7.3); prices have so many digits more than cents. */
export function taxedUnits(
  cents: number,
  units: readonly TaxedUnits[],
  {
    rate,
    rounding,
    moreDigits,
  }: { readonly rate: TaxRate; readonly rounding: RoundingMode; readonly moreDigits: number },
): Taxed {
  const factor = multiplyRatios(factorOf(rate), ratio(1n, 10n ** BigInt(moreDigits)));
  const other = units.reduce((sum, { quantity, price }) => sum + scale(price, factor, rounding) * quantity, 0);
  return taxedAs(cents, other, rate);
}

function taxedAs(cents: number, other: number, rate: TaxRate): Taxed {
  const [net, gross] = rate.includedInPrice ? [other, cents] : [cents, other];
  return { net, gross, portions: portionsOf(gross - net, rate) };
}

/** One portion for each sub-rate, or one for the rate (carts 7.4). */
export function portionsOf(tax: number, { name, amount, subRates = [] }: TaxRate): readonly TaxPortion[] {
  if (subRates.length === 0) return [{ name, rate: amount, amount: tax }];
  const amounts = shareOut(tax, decimalWeights(subRates.map((subRate) => ratioOfDecimal(subRate.amount))));
  return subRates.map((subRate, index) => ({ name: subRate.name, rate: subRate.amount, amount: amounts[index]! }));
}

/** Sums, with portions of one rate and name added up, the first seen first (carts 7.5). */
export function sumOfTaxed(all: readonly Taxed[]): Taxed {
  const portions = new Map<string, TaxPortion>();
  for (const portion of all.flatMap((taxed) => taxed.portions)) {
    const key = `${portion.rate} ${portion.name ?? ''}`;
    const known = portions.get(key);
    portions.set(key, known === undefined ? portion : { ...known, amount: known.amount + portion.amount });
  }
  return {
    net: all.reduce((sum, { net }) => sum + net, 0),
    gross: all.reduce((sum, { gross }) => sum + gross, 0),
    portions: [...portions.values()],
  };
}

/**
 * What is left of taxed amounts when a discount takes so much off a total (carts 7.9). Net and gross lose the same share,
 * each rounded by itself; the portions share what tax is left.
 */
export function taxedAfterDiscount(
  { net, gross, portions }: Taxed,
  { off, total, rounding }: { readonly off: number; readonly total: number; readonly rounding: RoundingMode },
): Taxed {
  const share = ratio(BigInt(off), BigInt(total));
  const left = { net: net - scale(net, share, rounding), gross: gross - scale(gross, share, rounding) };
  const weights = portions.map(({ amount }) => BigInt(amount));
  const amounts = shareOut(left.gross - left.net, weights);
  return { ...left, portions: portions.map((portion, index) => ({ ...portion, amount: amounts[index]! })) };
}
