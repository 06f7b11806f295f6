import fc from 'fast-check';
import t from 'tap';
import {
  portionsOf,
  sumOfTaxed,
  type Taxed,
  taxedAfterDiscount,
  taxedTotal,
  taxedUnits,
  type TaxRate,
} from '../../../src/pricing/cart/taxes.ts';

function rate(amount: number, members: Partial<TaxRate> = {}): TaxRate {
  return { name: 'Standard', amount, includedInPrice: false, ...members };
}

const city = rate(0.08875, {
  subRates: [
    { name: 'State', amount: 0.04 },
    { name: 'City', amount: 0.045 },
    { name: 'District', amount: 0.00375 },
  ],
});

function amounts({ net, gross, portions }: Taxed): readonly unknown[] {
  return [net, gross, portions.map(({ amount }) => amount)];
}

t.test('the side that the prices do not have is rounded as the cart says', async (t) => {
  const included = { includedInPrice: true };
  t.strictSame(amounts(taxedTotal(324, rate(0.19), 'HalfEven')), [324, 386, [62]]);
  t.strictSame(amounts(taxedTotal(10_000, rate(0.19, included), 'HalfEven')), [8403, 10_000, [1597]]);
  t.strictSame(amounts(taxedTotal(100, rate(0.005), 'HalfEven')), [100, 100, [0]]);
  t.strictSame(amounts(taxedTotal(100, rate(0.005), 'HalfUp')), [100, 101, [1]]);
  t.strictSame(amounts(taxedTotal(100, rate(0), 'HalfUp')), [100, 100, [0]]);
  t.strictSame(amounts(taxedTotal(-100, rate(0.005), 'HalfUp')), [-100, -101, [-1]]);
});

t.test('each unit is taxed by itself, in the precision of its price', async (t) => {
  const taxation = { rate: rate(0.19), rounding: 'HalfEven' as const, moreDigits: 0 };
  t.strictSame(amounts(taxedUnits(324, [{ quantity: 3, price: 108 }], taxation)), [324, 387, [63]]);
  const fine = { ...taxation, moreDigits: 2 };
  t.strictSame(amounts(taxedUnits(2, [{ quantity: 10, price: 15 }], fine)), [2, 0, [-2]]);
});

t.test('a tax is spread over sub-rates, what is left to those that lost most', async (t) => {
  t.strictSame(
    portionsOf(9, city).map(({ name, rate: of, amount }) => [name, of, amount]),
    [
      ['State', 0.04, 4],
      ['City', 0.045, 5],
      ['District', 0.00375, 0],
    ],
  );
  t.strictSame(portionsOf(0, rate(0)), [{ name: 'Standard', rate: 0, amount: 0 }]);
});

t.test('portions of one rate and name are added up, the first seen first', async (t) => {
  const one = taxedTotal(100, rate(0.19), 'HalfEven');
  const other = taxedTotal(200, rate(0.19, { name: 'Other' }), 'HalfEven');
  const low = taxedTotal(300, rate(0.07), 'HalfEven');
  t.strictSame(sumOfTaxed([one, other, low, one]), {
    net: 700,
    gross: 119 + 238 + 321 + 119,
    portions: [
      { name: 'Standard', rate: 0.19, amount: 38 },
      { name: 'Other', rate: 0.19, amount: 38 },
      { name: 'Standard', rate: 0.07, amount: 21 },
    ],
  });
});

t.test('a discount on the total takes the same share of net and gross', async (t) => {
  const taxed = sumOfTaxed([taxedTotal(1000, rate(0.19), 'HalfEven'), taxedTotal(1000, rate(0.07), 'HalfEven')]);
  const half = taxedAfterDiscount(taxed, { off: 1000, total: 2000, rounding: 'HalfEven' });
  t.strictSame(amounts(half), [1000, 1130, [95, 35]]);
  const third = taxedAfterDiscount(taxed, { off: 667, total: 2000, rounding: 'HalfEven' });
  t.strictSame(amounts(third), [1333, 1506, [126, 47]]);
  // A part that was paid back stays so.
  const back = {
    net: 90,
    gross: 100,
    portions: [
      { rate: 0.2, amount: 20 },
      { rate: 0.1, amount: -10 },
    ],
  };
  t.strictSame(amounts(taxedAfterDiscount(back, { off: 45, total: 90, rounding: 'HalfEven' })), [45, 50, [10, -5]]);
});

t.test('net and tax make gross, and portions make the tax', async (t) => {
  const rates = fc.record({
    amount: fc.constantFrom(0, 0.07, 0.19, 0.0725),
    isIncluded: fc.boolean(),
    isOfSeveral: fc.boolean(),
  });
  const lines = fc.array(fc.tuple(fc.integer({ min: -1000, max: 5000 }), rates), { minLength: 1, maxLength: 6 });
  const isSound = ({ net, gross, portions }: Taxed): boolean =>
    portions.reduce((sum, { amount }) => sum + amount, 0) === gross - net;
  fc.assert(
    fc.property(
      lines,
      fc.integer({ min: 0, max: 100 }),
      fc.constantFrom('HalfEven', 'HalfUp', 'HalfDown'),
      (given, part, rounding) => {
        const all = given.map(([cents, { amount, isIncluded, isOfSeveral }]) => {
          const of = isOfSeveral
            ? { ...city, includedInPrice: isIncluded }
            : rate(amount, { includedInPrice: isIncluded });
          return taxedTotal(cents, of, rounding);
        });
        const sum = sumOfTaxed(all);
        const left = taxedAfterDiscount(sum, { off: part, total: 100, rounding });
        return all.every(isSound) && isSound(sum) && isSound(left);
      },
    ),
    { numRuns: 5000 },
  );
  t.pass();
});
