/** Exact fractions, such as tax rates and shares of prices, and what they make of amounts. */
import { divideRounded, type RoundingMode } from './rounding.ts';

/** An exact fraction; the denominator is positive. */
export interface Ratio {
  readonly numerator: bigint;
  readonly denominator: bigint;
  /** The same in plain numbers, where these are small enough to count with. */
  readonly plain: { readonly numerator: number; readonly denominator: number } | undefined;
}

/** Twice a remainder is a safe integer below it. */
const plainMax = 2n ** 51n;

export function ratio(numerator: bigint, denominator: bigint): Ratio {
  const isPlain = denominator <= plainMax && numerator <= plainMax && numerator >= -plainMax;
  const plain = isPlain ? { numerator: Number(numerator), denominator: Number(denominator) } : undefined;
  return { numerator, denominator, plain };
}

/** The decimal number that a JSON number was written as, such as `0.19` or `1e-7`. */
export function ratioOfDecimal(value: number): Ratio {
  const [digits = '', exponent = '0'] = String(value).split('e');
  const [whole = '', fraction = ''] = digits.split('.');
  const places = fraction.length - Number(exponent);
  const units = BigInt(whole + fraction);
  return places >= 0 ? ratio(units, 10n ** BigInt(places)) : ratio(units * 10n ** BigInt(-places), 1n);
}

export function addRatios(one: Ratio, other: Ratio): Ratio {
  return ratio(
    one.numerator * other.denominator + other.numerator * one.denominator,
    one.denominator * other.denominator,
  );
}

export function multiplyRatios(one: Ratio, other: Ratio): Ratio {
  return ratio(one.numerator * other.numerator, one.denominator * other.denominator);
}

/** The numerator is positive. */
export function inverse({ numerator, denominator }: Ratio): Ratio {
  return ratio(denominator, numerator);
}

/**
 * `amount` times the fraction, an integer. Numbers count where the product is safe, which nearly all are: a cart of 200
 * items and 50 discounts is 10,000 such products, and large integers take ten times as long.
 */
export function scale(amount: number, { numerator, denominator, plain }: Ratio, mode: RoundingMode): number {
  if (plain !== undefined) {
    const product = amount * plain.numerator;
    if (Number.isSafeInteger(product)) return dividePlain(product, plain.denominator, mode);
  }
  return Number(divideRounded(BigInt(amount) * numerator, denominator, mode));
}

function dividePlain(product: number, denominator: number, mode: RoundingMode): number {
  const remainder = product % denominator;
  // Exact: the difference is a multiple of the denominator. The sum turns -0 into 0.
  const quotient = (product - remainder) / denominator + 0;
  const twice = 2 * Math.abs(remainder);
  const isTie = twice === denominator;
  const isNearer = isTie ? mode === 'HalfDown' || (mode === 'HalfEven' && quotient % 2 === 0) : twice < denominator;
  if (isNearer) return quotient;
  return product < 0 ? quotient - 1 : quotient + 1;
}
