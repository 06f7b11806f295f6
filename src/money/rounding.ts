/** How ties are broken: to the even neighbor, away from zero, toward zero. What is no tie goes to the nearer neighbor. */
export type RoundingMode = 'HalfEven' | 'HalfUp' | 'HalfDown';

/** `numerator / denominator` as an integer. The denominator is positive. */
export function divideRounded(numerator: bigint, denominator: bigint, mode: RoundingMode): bigint {
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  const twice = 2n * (remainder < 0n ? -remainder : remainder);
  if (twice < denominator) return quotient;
  if (twice === denominator && isTieTowardZero(mode, quotient % 2n === 0n)) return quotient;
  return numerator < 0n ? quotient - 1n : quotient + 1n;
}

function isTieTowardZero(mode: RoundingMode, isEven: boolean): boolean {
  return mode === 'HalfDown' || (mode === 'HalfEven' && isEven);
}
