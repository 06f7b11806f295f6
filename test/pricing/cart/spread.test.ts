import fc from 'fast-check';
import t from 'tap';
import { type Allotment, type Share, spreadByPrice, spreadEvenly, totalOf } from '../../../src/pricing/cart/spread.ts';

type Spread = typeof spreadByPrice;

/** Of units of these prices in cents, each share as `quantity x price`. */
function shares(...texts: readonly string[]): readonly Share[] {
  return texts.map((text) => {
    const [quantity, price] = text.split('x');
    return { quantity: Number(quantity), price: BigInt(price!) };
  });
}

function shown(allotments: readonly (readonly Allotment[])[]): readonly string[] {
  return allotments.map((parts) => parts.map(({ quantity, cents }) => `${quantity}x${cents}`).join(' '));
}

t.test('cents that cannot be divided go to the units that lost most, the first ones first', async (t) => {
  const cases: readonly (readonly [Spread, bigint, readonly string[], readonly string[]])[] = [
    // 1.00 off 3 x 1.08: 0.74, 0.75, 0.75.
    [spreadByPrice, 100n, ['3x108'], ['1x34 2x33']],
    [spreadByPrice, 10n, ['1x100', '1x200'], ['1x3', '1x7']],
    [spreadByPrice, 10n, ['2x100', '1x200'], ['1x3 1x2', '1x5']],
    [spreadByPrice, 6n, ['2x1', '1x4'], ['2x1', '1x4']],
    [spreadByPrice, 0n, ['2x1'], ['2x0']],
    [spreadByPrice, 5n, ['1x0'], ['1x0']],
    [spreadEvenly, 100n, ['3x108'], ['1x34 2x33']],
    [spreadEvenly, 10n, ['1x100', '1x200'], ['1x5', '1x5']],
    // What is cheaper than its share goes to zero, and the others share what is left.
    [spreadEvenly, 10n, ['1x1', '2x100'], ['1x1', '1x5 1x4']],
    [spreadEvenly, 10n, ['1x2', '1x3', '1x2', '1x9'], ['1x2', '1x3', '1x2', '1x3']],
    [spreadEvenly, 7n, ['1x2', '1x3', '1x2'], ['1x2', '1x3', '1x2']],
  ];
  for (const [spread, cents, given, expected] of cases)
    t.strictSame(
      shown(spread({ cents, shares: shares(...given), perCent: 1n })),
      expected,
      `${spread.name} ${cents} over ${given.join(', ')}`,
    );
});

t.test('units of less than a cent take no cent', async (t) => {
  for (const spread of [spreadByPrice, spreadEvenly])
    t.strictSame(
      shown(spread({ cents: 1n, shares: shares('1x5', '1x12'), perCent: 10n })),
      ['1x0', '1x1'],
      spread.name,
    );
});

const given = fc.record({
  shares: fc.array(fc.record({ quantity: fc.integer({ min: 1, max: 6 }), price: fc.bigInt(0n, 120n) }), {
    minLength: 1,
    maxLength: 6,
  }),
  part: fc.integer({ min: 0, max: 100 }),
});

for (const spread of [spreadByPrice, spreadEvenly])
  t.test(`${spread.name} gives away what there is, and takes no unit below zero`, async (t) => {
    fc.assert(
      fc.property(given, ({ shares: units, part }) => {
        const cents = (totalOf(units) * BigInt(part)) / 100n;
        const allotments = spread({ cents, shares: units, perCent: 1n });
        const all = allotments.flat();
        const sum = all.reduce((total, { quantity, cents: each }) => total + quantity * each, 0);
        const isWhole = allotments.every(
          (parts, index) =>
            parts.reduce((total, { quantity }) => total + quantity, 0) === units[index]!.quantity &&
            parts.every(({ cents: each }) => each >= 0 && BigInt(each) <= units[index]!.price),
        );
        return BigInt(sum) === cents && isWhole;
      }),
      { numRuns: 5000 },
    );
    t.pass();
  });
