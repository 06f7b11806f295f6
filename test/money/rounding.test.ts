import t from 'tap';
import { highPrecision } from '../../src/money/money.ts';
import { divideRounded, type RoundingMode } from '../../src/money/rounding.ts';

const numerators = [6, 10, 14, 5, 7, -5, -6, -7, -10] as const;

/** Of quarters: 1.5, 2.5 and 3.5 are ties, the others have a nearer neighbor. */
const expected: Readonly<Record<RoundingMode, readonly number[]>> = {
  HalfEven: [2, 2, 4, 1, 2, -1, -2, -2, -2],
  HalfUp: [2, 3, 4, 1, 2, -1, -2, -2, -3],
  HalfDown: [1, 2, 3, 1, 2, -1, -1, -2, -2],
};

t.test('the mode breaks ties; what is none goes to the nearer neighbor', async (t) => {
  for (const [mode, quotients] of Object.entries(expected))
    t.strictSame(
      numerators.map((numerator) => Number(divideRounded(BigInt(numerator), 4n, mode as RoundingMode))),
      quotients,
      mode,
    );
});

t.test('the cents of a precise amount are rounded half even', async (t) => {
  const cents = [5, 15, 25, 26, -5, -15].map((preciseAmount) => highPrecision('EUR', preciseAmount, 3).centAmount);
  t.strictSame(cents.map(String), ['0', '2', '2', '3', '0', '-2']);
});
