import fc from 'fast-check';
import t from 'tap';
import { currencyCodes, fractionDigitsOf } from '../../src/money/currency.ts';
import { centPrecision, highPrecision } from '../../src/money/money.ts';
import { divideRounded } from '../../src/money/rounding.ts';
import { addCents, multiplyMoney } from '../../src/pricing/totals.ts';
import { parseScoreFunction } from '../../src/pricing/score-function.ts';

t.test('half even keeps 2.5 at 2 and takes 3.5 to 4', async (t) => {
  const cases = [
    [25n, 10n, 2n],
    [35n, 10n, 4n],
    [-25n, 10n, -2n],
    [-35n, 10n, -4n],
    [26n, 10n, 3n],
    [24n, 10n, 2n],
    [-26n, 10n, -3n],
    [0n, 7n, 0n],
  ] as const;
  for (const [numerator, denominator, expected] of cases)
    t.equal(divideRounded(numerator, denominator, 'HalfEven'), expected);
});

t.test('rounding is nearest, and a tie goes to the even neighbor', async (t) => {
  fc.assert(
    fc.property(fc.bigInt(-(10n ** 30n), 10n ** 30n), fc.bigInt(1n, 10n ** 20n), (numerator, denominator) => {
      const rounded = divideRounded(numerator, denominator, 'HalfEven');
      const distance = numerator - rounded * denominator;
      const twice = 2n * (distance < 0n ? -distance : distance);
      return twice < denominator || (twice === denominator && rounded % 2n === 0n);
    }),
    { numRuns: 20_000 },
  );
  t.pass();
});

t.test('currencies have the digits of ISO 4217', async (t) => {
  for (const [code, digits] of [
    ['EUR', 2],
    ['JPY', 0],
    ['KWD', 3],
    ['CLF', 4],
    ['HUF', 2],
    ['HUF0', 0],
    ['XYZ', undefined],
  ] as const)
    t.equal(fractionDigitsOf(code), digits, code);
  t.equal(new Set(currencyCodes).size, currencyCodes.length);
});

t.test('high precision is the exact amount, rounded once', async (t) => {
  const codes = fc.constantFrom(...currencyCodes);
  fc.assert(
    fc.property(codes, fc.integer({ min: 1, max: 16 }), fc.maxSafeInteger(), (code, moreDigits, preciseAmount) => {
      const digits = fractionDigitsOf(code)!;
      const { centAmount } = highPrecision(code, preciseAmount, digits + moreDigits);
      return (
        BigInt(centAmount) === divideRounded(BigInt(preciseAmount), 10n ** BigInt(moreDigits), 'HalfEven') &&
        Number.isSafeInteger(centAmount)
      );
    }),
  );
  t.match(highPrecision('EUR', 12_345, 4), {
    type: 'highPrecision',
    centAmount: 123,
    preciseAmount: 12_345,
    fractionDigits: 4,
  });
});

t.test('the total of a quantity equals the sum of its parts, or is refused', async (t) => {
  fc.assert(
    fc.property(
      fc.integer({ min: -1_000_000, max: 1_000_000 }),
      fc.integer({ min: 1, max: 50 }),
      (centAmount, quantity) => {
        const unit = centPrecision('EUR', centAmount);
        const sum = addCents(
          centPrecision('EUR', 0),
          Array.from({ length: quantity }, () => unit),
        );
        return multiplyMoney(unit, quantity).centAmount === sum.centAmount;
      },
    ),
  );
  t.throws(() => multiplyMoney(centPrecision('EUR', Number.MAX_SAFE_INTEGER), 2), { code: 'MoneyOverflow' });
});

t.test('score functions are exact and take nothing but their grammar', async (t) => {
  const cases = [
    ['x', 7, 7],
    ['x * 2 + 100', 7, 114],
    ['100 - x * (2 + 3)', 7, 65],
    ['-x + 10', 7, 3],
    ['2 * 3 + 4 * 5', 0, 26],
    ['(((x)))', 1, 1],
    ['x*x*x', 1000, 1_000_000_000],
  ] as const;
  for (const [source, score, expected] of cases) t.equal(parseScoreFunction(source)(score), expected, source);
  for (const source of [
    '',
    'x / 2',
    'y',
    '1.5',
    'x +',
    '(x',
    'x)',
    'x x',
    'Math.max(x)',
    '1e5',
    '9'.repeat(16),
    '('.repeat(100),
    '-'.repeat(100) + 'x',
  ]) {
    t.throws(() => parseScoreFunction(source), { code: 'InvalidInput' }, source);
  }
  t.equal(parseScoreFunction('x - 10')(1), 0, 'no price is below zero');
  t.throws(() => parseScoreFunction('x * 999999999999999')(999_999), { code: 'MoneyOverflow' });
});
