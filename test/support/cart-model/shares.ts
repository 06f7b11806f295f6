/** How whole cents are spread: by largest remainder (5.10, 7.4, 7.9), in proportion and evenly over units (5.10, 5.11). */
import { sum } from './amounts.ts';
import { add, compare, divide, floor, multiply, type Rational, rational, subtract, zero } from './rational.ts';

/**
 * Shares of a total by weights: each its floor, and cents that miss one each to the largest remainders. What is below 0 is
 * shared as if it were above.
 */
export function largestRemainder(total: bigint, weights: readonly Rational[]): bigint[] {
  if (total < 0n) return largestRemainder(-total, weights).map((share) => -share);
  const whole = weights.reduce(add, zero);
  // Without a weight there is nothing to go by, and nothing to share.
  if (whole.numerator === 0n) return weights.map(() => 0n);
  const exact = weights.map((weight) => divide(multiply(weight, rational(total)), whole));
  const shares = exact.map(floor);
  const missing = Number(total - sum(shares));
  for (const index of byRemainder(exact).slice(0, missing)) shares[index]! += 1n;
  return shares;
}

/** 5.10: what each price gives of `money` cents, in whole cents; only a price that has a whole cent left gives a missing one. */
export function proportionateShares(money: bigint, prices: readonly Rational[]): bigint[] {
  const amount = smaller(money, floor(prices.reduce(add, zero)));
  const whole = prices.reduce(add, zero);
  if (whole.numerator === 0n) return prices.map(() => 0n);
  const exact = prices.map((price) => divide(multiply(price, rational(amount)), whole));
  const shares = exact.map(floor);
  giveMissing(amount - sum(shares), byRemainder(exact), { shares, prices });
  return shares;
}

/** 5.11: the same money from each; a price below its share gives what it has, and the rest is shared anew. */
export function evenShares(money: bigint, prices: readonly Rational[]): bigint[] {
  const shares = prices.map(() => 0n);
  let rest = smaller(money, floor(prices.reduce(add, zero)));
  let sharing = prices.map((_, index) => index);
  for (;;) {
    const share = rational(rest, BigInt(Math.max(sharing.length, 1)));
    const cheap = sharing.filter((index) => compare(prices[index]!, share) < 0);
    if (cheap.length === 0) break;
    for (const index of cheap) {
      shares[index] = floor(prices[index]!);
      rest -= shares[index];
    }
    sharing = sharing.filter((index) => !cheap.includes(index));
  }
  if (sharing.length === 0) return shares;
  const each = rest / BigInt(sharing.length);
  for (const index of sharing) shares[index] = each;
  giveMissing(rest - each * BigInt(sharing.length), sharing, { shares, prices });
  return shares;
}

function giveMissing(
  missing: bigint,
  order: readonly number[],
  { shares, prices }: { readonly shares: bigint[]; readonly prices: readonly Rational[] },
): void {
  let left = missing;
  for (const index of order) {
    if (left === 0n) return;
    const rest = subtract(prices[index]!, rational(shares[index]!));
    if (compare(rest, rational(1n)) < 0) continue;
    shares[index]! += 1n;
    left -= 1n;
  }
}

/** The largest remainder first, ties in order. */
function byRemainder(exact: readonly Rational[]): number[] {
  const remainders = exact.map((value) => subtract(value, rational(floor(value))));
  return remainders.map((_, index) => index).sort((a, b) => compare(remainders[b]!, remainders[a]!) || a - b);
}

function smaller(a: bigint, b: bigint): bigint {
  return a < b ? a : b;
}
