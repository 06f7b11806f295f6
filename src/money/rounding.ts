/** `numerator / denominator` as an integer, ties toward zero. The denominator is positive. */
export function divideHalfDown(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  if (2n * (remainder < 0n ? -remainder : remainder) <= denominator) return quotient;
  return numerator < 0n ? quotient - 1n : quotient + 1n;
}

/** `numerator / denominator` as an integer, ties to the even neighbor. The denominator is positive. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  const quotient = numerator / denominator;
  const remainder = numerator % denominator;
  const twice = 2n * (remainder < 0n ? -remainder : remainder);
  if (twice < denominator || (twice === denominator && quotient % 2n === 0n)) return quotient;
  return numerator < 0n ? quotient - 1n : quotient + 1n;
}
