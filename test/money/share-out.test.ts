import fc from 'fast-check';
import t from 'tap';
import { ratioOfDecimal } from '../../src/money/ratio.ts';
import { decimalWeights, shareOut } from '../../src/money/share-out.ts';

t.test('what is left goes to the parts that lost most by rounding, the first ones first', async (t) => {
  const cases: readonly (readonly [number, readonly bigint[], readonly number[]])[] = [
    [10, [1n, 1n, 1n], [4, 3, 3]],
    [-10, [1n, 1n, 1n], [-4, -3, -3]],
    [11, [1n, 1n, 1n], [4, 4, 3]],
    [100, [1n, 2n, 4n], [14, 29, 57]],
    [-27, [1n, 1n], [-14, -13]],
    [7, [3n, 0n], [7, 0]],
    [5, [0n, 0n], [5, 0]],
    [0, [1n, 2n], [0, 0]],
    // What is below zero stays so.
    [441, [446n, -4n, -2n], [447, -4, -2]],
    [10, [-1n, -1n, -2n], [3, 2, 5]],
    [0, [4n, -4n], [0, 0]],
    [9, [], []],
  ];
  for (const [amount, weights, expected] of cases)
    t.strictSame(shareOut(amount, weights), expected, `${amount} by ${weights.join(', ')}`);
});

const weights = fc.array(fc.bigInt(0n, 1000n), { minLength: 1, maxLength: 8 });

t.test('parts add up to the amount, and each is its exact share, rounded up or down', async (t) => {
  fc.assert(
    fc.property(fc.integer({ min: -100_000, max: 100_000 }), weights, (amount, given) => {
      const parts = shareOut(amount, given);
      const total = given.reduce((sum, weight) => sum + weight, 0n);
      const isNear = parts.every((part, index) => {
        const distance = BigInt(part) * total - BigInt(amount) * given[index]!;
        return distance < total && distance > -total;
      });
      return parts.reduce((sum, part) => sum + part, 0) === amount && (total === 0n || isNear);
    }),
    { numRuns: 5000 },
  );
  t.pass();
});

t.test('an amount below zero is shared as one above', async (t) => {
  fc.assert(
    fc.property(fc.nat({ max: 100_000 }), weights, (amount, given) => {
      const parts = shareOut(amount, given);
      return shareOut(-amount, given).every((part, index) => Object.is(part, 0 - parts[index]!));
    }),
  );
  t.pass();
});

t.test('decimal shares are integers of one unit', async (t) => {
  const of = (...shares: number[]) => decimalWeights(shares.map(ratioOfDecimal));
  t.strictSame(of(0.04, 0.045, 0.00375), [4000n, 4500n, 375n]);
  t.strictSame(of(0, 1), [0n, 1n]);
});
