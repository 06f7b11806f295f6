import fc from 'fast-check';
import t from 'tap';
import { centPrecision, highPrecision } from '../../../src/money/money.ts';
import type { RoundingMode } from '../../../src/money/rounding.ts';
import { type Picked, type Priced, reduce } from '../../../src/pricing/cart/units.ts';
import {
  type ApplicationMode,
  isInCurrency,
  lossOfAmount,
  type PriceValue,
  reductionsOf,
  restOf,
} from '../../../src/pricing/cart/values.ts';

const link = { typeId: 'cart-discount', id: 'any' } as const;

function euros(rounding: RoundingMode = 'HalfEven') {
  return { currencyCode: 'EUR', fractionDigits: 2, rounding };
}

function relative(permyriad: number, mode: ApplicationMode = 'IndividualApplication'): PriceValue {
  return { type: 'relative', rest: restOf(permyriad), mode };
}

function absolute(cents: number, mode: ApplicationMode = 'ProportionateDistribution'): PriceValue {
  return { type: 'absolute', money: new Map([['EUR', cents]]), mode };
}

function fixed(cents: number, mode: ApplicationMode = 'IndividualApplication'): PriceValue {
  return { type: 'fixed', money: new Map([['EUR', centPrecision('EUR', cents)]]), mode };
}

/** An item of units with this price, and so many digits after the point. */
function item(quantity: number, price: number, fractionDigits = 2): Priced {
  return { fractionDigits, parts: [{ quantity, price, portions: [] }] };
}

function units(items: readonly Priced[]): readonly Picked[] {
  return items.flatMap((each) => each.parts.map(({ quantity }, part) => ({ item: each, part, quantity })));
}

/** What the discount makes of items, as `quantity x price`. */
function after(
  value: PriceValue,
  items: readonly Priced[],
  { rounding, others = [] }: { readonly rounding?: RoundingMode; readonly others?: readonly Priced[] } = {},
): readonly string[] {
  const spreadOver = units([...items, ...others]);
  reduce(reductionsOf(value, { targets: units(items), spreadOver }, euros(rounding)), link);
  return [...items, ...others].map(({ parts }) => parts.map(({ quantity, price }) => `${quantity}x${price}`).join(' '));
}

t.test('of each unit the price is rounded, and the discount is what it lost', async (t) => {
  t.strictSame(after(relative(5000), [item(1, 101)]), ['1x50']);
  t.strictSame(after(relative(5000), [item(1, 101)], { rounding: 'HalfUp' }), ['1x51']);
  t.strictSame(after(relative(5000), [item(1, 101)], { rounding: 'HalfDown' }), ['1x50']);
  t.strictSame(after(relative(5000), [item(2, 10_005, 4)]), ['2x5002'], 'in the precision of the price');
  t.strictSame(after(relative(1), [item(1, 7)]), ['1x7'], 'rounded away');
  t.strictSame(after(relative(5000), [item(1, -100), item(1, 0)]), ['1x-100', '1x0'], 'what costs nothing');
});

t.test('an amount off each unit leaves none below zero', async (t) => {
  const mode = 'IndividualApplication';
  t.strictSame(after(absolute(100, mode), [item(3, 108), item(1, 99), item(1, -5)]), ['3x8', '1x0', '1x-5']);
  t.strictSame(after(absolute(1, mode), [item(1, 12_345, 4)]), ['1x12245']);
});

t.test('an amount is spread over units', async (t) => {
  t.strictSame(after(absolute(100), [item(3, 108)]), ['1x74 2x75']);
  t.strictSame(after(absolute(1000), [item(3, 108)]), ['3x0'], 'at most what they cost');
  t.strictSame(after(absolute(10), [item(1, 100), item(1, 200)]), ['1x97', '1x193']);
  t.strictSame(after(absolute(10, 'EvenDistribution'), [item(1, 100), item(1, 200)]), ['1x95', '1x195']);
  t.strictSame(after(absolute(10), [item(1, -100), item(1, 100)]), ['1x-100', '1x90'], 'not over what is given');
  t.strictSame(after(absolute(10), [item(1, 10_050, 4), item(1, 100)]), ['1x9550', '1x95'], 'in whole cents');
});

t.test('a fixed price lowers what is above it alone', async (t) => {
  t.strictSame(after(fixed(100), [item(2, 108), item(1, 99)]), ['2x100', '1x99']);
  t.strictSame(after(fixed(150, 'ProportionateDistribution'), [item(1, 100), item(1, 200)]), ['1x50', '1x100']);
  t.strictSame(after(fixed(150, 'EvenDistribution'), [item(1, 100), item(1, 200)]), ['1x25', '1x125']);
  t.strictSame(after(fixed(400, 'EvenDistribution'), [item(1, 100), item(1, 200)]), ['1x100', '1x200']);
});

t.test('a fixed price in high precision is rounded for each unit, and exact for what is spread', async (t) => {
  const money = new Map([['EUR', highPrecision('EUR', 505, 3)]]);
  const individual = { type: 'fixed', money, mode: 'IndividualApplication' } as const;
  t.strictSame(after(individual, [item(1, 100), item(1, 1000, 3)]), ['1x50', '1x505']);
  t.strictSame(after(individual, [item(1, 100)], { rounding: 'HalfUp' }), ['1x51']);
  const spread = { ...individual, mode: 'EvenDistribution' } as const;
  t.strictSame(after(spread, [item(1, 1010, 3)]), ['1x510'], '1.010 - 0.505 are 50 whole cents');
});

t.test('what a relative value takes off its targets may be spread over what led to it', async (t) => {
  const others = [item(1, 300)];
  t.strictSame(after(relative(5000, 'ProportionateDistribution'), [item(1, 100)], { others }), ['1x87', '1x263']);
  t.strictSame(after(relative(5000, 'EvenDistribution'), [item(1, 100)], { others: [item(1, 300)] }), [
    '1x75',
    '1x275',
  ]);
  // 0.754 less 10 % is 0.68 cents, of which rounding makes one: nothing is left to take off.
  t.strictSame(after(relative(1000, 'EvenDistribution'), [item(1, 754, 5)]), ['1x754']);
  t.strictSame(after(relative(1000, 'EvenDistribution'), [item(1, -100), item(1, 200)]), ['1x-100', '1x180']);
});

t.test('amounts of another currency take nothing off', async (t) => {
  const other: PriceValue = { type: 'absolute', money: new Map([['USD', 5]]), mode: 'IndividualApplication' };
  t.notOk(isInCurrency(other, euros()));
  t.ok(isInCurrency(relative(1), euros()));
  t.equal(lossOfAmount(other, 100, euros()), 0);
});

t.test('what shipping or the total loses is at most all of it', async (t) => {
  t.equal(lossOfAmount(relative(5000), 101, euros()), 51);
  t.equal(lossOfAmount(relative(5000), 101, euros('HalfUp')), 50);
  t.equal(lossOfAmount(absolute(30), 100, euros()), 30);
  t.equal(lossOfAmount(absolute(300), 100, euros()), 100);
  t.equal(lossOfAmount(absolute(300), -100, euros()), 0);
  t.equal(lossOfAmount(relative(5000), 0, euros()), 0);
  t.equal(lossOfAmount(fixed(5), 100, euros()), 0);
});

const modes: readonly ApplicationMode[] = ['IndividualApplication', 'ProportionateDistribution', 'EvenDistribution'];

t.test('no value takes more off than a unit costs, or adds to it, and what is spread adds up', async (t) => {
  const items = fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 5 }),
      price: fc.integer({ min: -50, max: 300 }),
      digits: fc.constantFrom(2, 2, 4),
    }),
    { minLength: 1, maxLength: 5 },
  );
  const values = fc.oneof(
    fc.tuple(fc.integer({ min: 0, max: 10_000 }), fc.constantFrom(...modes)).map(([of, mode]) => relative(of, mode)),
    fc.tuple(fc.integer({ min: 0, max: 500 }), fc.constantFrom(...modes)).map(([of, mode]) => absolute(of, mode)),
    fc.tuple(fc.integer({ min: 0, max: 500 }), fc.constantFrom(...modes)).map(([of, mode]) => fixed(of, mode)),
  );
  const inFine = ({ fractionDigits }: Priced, amount: number): number => amount * 10 ** (4 - fractionDigits);
  fc.assert(
    fc.property(items, values, fc.constantFrom('HalfEven', 'HalfUp', 'HalfDown'), (given, value, rounding) => {
      const priced = given.map(({ quantity, price, digits }) => item(quantity, price, digits));
      const all = units(priced);
      const before = priced.map(({ parts }) => parts[0]!.price);
      const reductions = reductionsOf(value, { targets: all, spreadOver: all }, euros(rounding));
      const isSound = reductions.every(({ item: of, amount }) => {
        const price = before[priced.indexOf(of)]!;
        return amount >= 0 && (amount === 0 || amount <= price);
      });
      const lost = reductions.reduce((sum, { item: of, quantity, amount }) => sum + inFine(of, amount) * quantity, 0);
      const cost = given.reduce(
        (sum, { quantity, price, digits }) => sum + Math.max(0, price) * quantity * 10 ** (4 - digits),
        0,
      );
      if (!isSound || value.mode === 'IndividualApplication') return isSound;
      const isAll =
        value.type === 'absolute' && lost === 100 * Math.min(value.money.get('EUR')!, Math.floor(cost / 100));
      const isRest =
        value.type === 'fixed' &&
        lost === 100 * Math.max(0, Math.floor(cost / 100 - value.money.get('EUR')!.centAmount));
      // Units of less than a cent may leave cents that nobody takes.
      return isAll || isRest || value.type === 'relative' || given.some(({ digits }) => digits === 4);
    }),
    { numRuns: 5000 },
  );
  t.pass();
});
