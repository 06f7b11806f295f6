/** Exact fractions over BigInt (carts 1.1): the model has no other arithmetic. Denominators are above 0. */
import type { RoundingMode } from '@commercetools/platform-sdk';

export interface Rational {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

export function rational(numerator: bigint, denominator = 1n): Rational {
  return denominator < 0n ? { numerator: -numerator, denominator: -denominator } : { numerator, denominator };
}

/** The decimal number as it is written: 0.19 is 19/100. */
export function decimal(written: number | string): Rational {
  const [mantissa = '', exponent = '0'] = String(written).split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  const digits = fraction.length - Number(exponent);
  const numerator = BigInt(whole + fraction);
  return digits >= 0 ? rational(numerator, 10n ** BigInt(digits)) : rational(numerator * 10n ** BigInt(-digits));
}

export function add(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator + b.numerator * a.denominator, a.denominator * b.denominator);
}

export function subtract(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator - b.numerator * a.denominator, a.denominator * b.denominator);
}

export function multiply(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.numerator, a.denominator * b.denominator);
}

export function divide(a: Rational, b: Rational): Rational {
  return rational(a.numerator * b.denominator, a.denominator * b.numerator);
}

/** Below 0, 0 or above 0, as a is less than, equal to or greater than b. */
export function compare(a: Rational, b: Rational): number {
  const difference = a.numerator * b.denominator - b.numerator * a.denominator;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function floor({ numerator, denominator }: Rational): bigint {
  const quotient = numerator / denominator;
  return numerator % denominator < 0n ? quotient - 1n : quotient;
}

/** The nearest integer. Modes concern ties only: HalfUp goes away from zero, HalfDown toward zero (carts 1.2). */
export function round(value: Rational, mode: RoundingMode): bigint {
  const below = floor(value);
  const half = compare(subtract(value, rational(below)), rational(1n, 2n));
  if (half !== 0) return half < 0 ? below : below + 1n;
  const isNegative = below < 0n;
  if (mode === 'HalfUp') return isNegative ? below : below + 1n;
  if (mode === 'HalfDown') return isNegative ? below + 1n : below;
  return below % 2n === 0n ? below : below + 1n;
}

export const zero = rational(0n);
export const one = rational(1n);
