/**
 * An integer amount in parts as the weights are, each rounded down; what is left goes one each to the parts that lost most by
 * rounding, the first ones first. The parts add up to the amount. What is below zero is shared as if it were above. Without
 * any weight, or where weights cancel each other, the first part has all.
 */
export function shareOut(amount: number, weights: readonly bigint[]): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0n);
  if (total === 0n) return weights.map((_, index) => (index === 0 ? amount : 0));
  // Weights that are negative together are what they are without their signs.
  if (total < 0n)
    return shareOut(
      amount,
      weights.map((weight) => -weight),
    );
  if (amount < 0) return shareOut(-amount, weights).map((part) => 0 - part);
  const shares = weights.map((weight) => divideDown(BigInt(amount) * weight, total));
  const parts = shares.map(({ quotient }) => Number(quotient));
  let rest = amount - parts.reduce((sum, part) => sum + part, 0);
  const order = [...parts.keys()].toSorted((one, other) => {
    const difference = shares[other]!.lost - shares[one]!.lost;
    return difference < 0n ? -1 : difference > 0n ? 1 : one - other;
  });
  for (const index of order) {
    if (rest === 0) break;
    parts[index]! += 1;
    rest -= 1;
  }
  return parts;
}

/** The denominator is positive. */
function divideDown(numerator: bigint, denominator: bigint): { readonly quotient: bigint; readonly lost: bigint } {
  const remainder = numerator % denominator;
  const lost = remainder < 0n ? remainder + denominator : remainder;
  return { quotient: (numerator - lost) / denominator, lost };
}

/** Decimal shares, such as those of sub-rates, as integers of one unit. */
export function decimalWeights(
  shares: readonly { readonly numerator: bigint; readonly denominator: bigint }[],
): readonly bigint[] {
  const finest = shares.reduce((most, { denominator }) => (denominator > most ? denominator : most), 1n);
  return shares.map(({ numerator, denominator }) => (numerator * finest) / denominator);
}
