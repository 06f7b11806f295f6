import fc from 'fast-check';
import t from 'tap';
import { addRatios, inverse, multiplyRatios, ratio, ratioOfDecimal, scale } from '../../src/money/ratio.ts';
import { divideRounded, type RoundingMode } from '../../src/money/rounding.ts';

const modes: readonly RoundingMode[] = ['HalfEven', 'HalfUp', 'HalfDown'];

t.test('a decimal number is the fraction that it is written as', async (t) => {
  const cases = [
    [0.19, 19n, 100n],
    [1, 1n, 1n],
    [0.08875, 8875n, 100_000n],
    [1e-7, 1n, 10_000_000n],
    [1.5e-8, 15n, 1_000_000_000n],
    [2e21, 2n * 10n ** 21n, 1n],
  ] as const;
  for (const [value, numerator, denominator] of cases) {
    const found = ratioOfDecimal(value);
    t.strictSame([found.numerator, found.denominator], [numerator, denominator], String(value));
  }
});

t.test('ties go to the even neighbor, away from zero or toward zero, also below zero', async (t) => {
  const half = ratio(1n, 2n);
  const cases = [
    [1, 0, 1, 0],
    [3, 2, 2, 1],
    [5, 2, 3, 2],
    [-1, 0, -1, 0],
    [-3, -2, -2, -1],
    [-5, -2, -3, -2],
    [4, 2, 2, 2],
    [-4, -2, -2, -2],
  ] as const;
  for (const [amount, ...expected] of cases)
    t.strictSame(
      modes.map((mode) => scale(amount, half, mode)),
      expected,
      String(amount),
    );
});

t.test('scaling is exact division, in plain numbers and in large ones', async (t) => {
  const amounts = fc.oneof(
    fc.integer({ min: -1000, max: 1000 }),
    fc.integer({ min: -(2 ** 45), max: 2 ** 45 }),
    fc.constantFrom(0, 1, -1, Number.MAX_SAFE_INTEGER, -Number.MAX_SAFE_INTEGER),
  );
  const denominators = fc.oneof(fc.bigInt(1n, 20n), fc.constantFrom(2n, 10_000n, 2n ** 51n, 2n ** 60n));
  const numerators = fc.oneof(fc.bigInt(-20n, 20n), fc.bigInt(0n, 10_000n), fc.bigInt(0n, 2n ** 52n));
  fc.assert(
    fc.property(
      amounts,
      numerators,
      denominators,
      fc.constantFrom(...modes),
      (amount, numerator, denominator, mode) => {
        const exact = Number(divideRounded(BigInt(amount) * numerator, denominator, mode));
        return Object.is(scale(amount, ratio(numerator, denominator), mode), exact);
      },
    ),
    { numRuns: 20_000 },
  );
  t.pass();
});

t.test('fractions are added, multiplied and turned over', async (t) => {
  const [third, half] = [ratio(1n, 3n), ratio(1n, 2n)];
  const parts = ({ numerator, denominator }: ReturnType<typeof ratio>) => [numerator, denominator];
  t.strictSame(parts(addRatios(third, half)), [5n, 6n]);
  t.strictSame(parts(multiplyRatios(third, half)), [1n, 6n]);
  t.strictSame(parts(inverse(ratio(119n, 100n))), [100n, 119n]);
});

t.test('fractions that are too large for plain numbers have none', async (t) => {
  t.strictSame(ratio(3n, 2n ** 51n).plain, { numerator: 3, denominator: 2 ** 51 });
  t.equal(ratio(3n, 2n ** 51n + 1n).plain, undefined);
  t.equal(ratio(-(2n ** 51n) - 1n, 3n).plain, undefined);
});
