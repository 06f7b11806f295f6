import t from 'tap';
import { Random } from '../../src/demo/random.ts';
import { clashOf, firstClash, isInOrder, type ScopedPrice, scopeName } from '../../src/pricing/price-scope.ts';

const day = (number: number): string => `2030-01-${String(number).padStart(2, '0')}T00:00:00.000Z`;

function holding(from?: number, until?: number): Pick<ScopedPrice, 'validFrom' | 'validUntil'> {
  return {
    ...(from !== undefined && { validFrom: day(from) }),
    ...(until !== undefined && { validUntil: day(until) }),
  };
}

t.test('prices of one scope exclude each other while both have bounds and share a moment', async (t) => {
  const cases = [
    { one: holding(), other: holding(), expected: 'scope' },
    { one: holding(1, 5), other: holding(1, 5), expected: 'scope' },
    { one: holding(), other: holding(1, 5), expected: undefined },
    { one: holding(), other: holding(1), expected: undefined },
    { one: holding(1, 5), other: holding(5, 9), expected: undefined },
    { one: holding(1, 5), other: holding(4, 9), expected: 'validity' },
    { one: holding(1, 9), other: holding(4, 5), expected: 'validity' },
    { one: holding(1), other: holding(undefined, 1), expected: undefined },
    { one: holding(1), other: holding(undefined, 2), expected: 'validity' },
    { one: holding(1), other: holding(9), expected: 'validity' },
    { one: holding(undefined, 1), other: holding(undefined, 2), expected: 'validity' },
  ];
  for (const { one, other, expected } of cases) {
    t.equal(clashOf(one, other), expected, JSON.stringify([one, other]));
    t.equal(clashOf(other, one), expected, 'the other way round');
  }
});

t.test('a validity ends after it begins', async (t) => {
  t.ok(isInOrder(holding(1, 2)));
  t.ok(isInOrder(holding(1)));
  t.notOk(isInOrder(holding(1, 1)));
  t.notOk(isInOrder(holding(2, 1)));
});

t.test('currency, country, customer group and channel make a scope', async (t) => {
  const value = { currencyCode: 'EUR' };
  const prices: readonly ScopedPrice[] = [
    { value },
    { value: { currencyCode: 'USD' } },
    { value, country: 'DE' },
    { value, customerGroup: { id: 'a' } },
    { value, channel: { id: 'a' } },
  ];
  t.equal(new Set(prices.map(scopeName)).size, prices.length);
  t.equal(firstClash(prices), undefined);
  t.strictSame(firstClash([...prices, { value, country: 'DE' }]), {
    reason: 'scope',
    price: { value, country: 'DE' },
    conflicting: prices[2],
  });
});

t.test('the first clash is one, and there is none where no moment is shared', async (t) => {
  const random = new Random(1);
  for (let round = 0; round < 5000; round += 1) {
    const prices = Array.from({ length: random.integer(0, 6) }, (): ScopedPrice => {
      const [from, until] = [random.integer(0, 6), random.integer(1, 6)];
      return {
        value: { currencyCode: random.pick(['EUR', 'USD']) },
        ...(random.chance(0.3) && { country: 'DE' }),
        ...holding(from > 0 ? from : undefined, random.chance(0.5) ? from + until : undefined),
      };
    });
    const clash = firstClash(prices);
    const isClashing = prices.some((one, index) => prices.slice(index + 1).some((other) => isExcluding(one, other)));
    if ((clash !== undefined) !== isClashing) t.fail(JSON.stringify(prices));
    if (clash !== undefined && !isExcluding(clash.price, clash.conflicting)) t.fail(JSON.stringify(clash));
  }
});

/** By looking at each day, from the one before all bounds. */
function isExcluding(one: ScopedPrice, other: ScopedPrice): boolean {
  if (scopeName(one) !== scopeName(other)) return false;
  const isFree = ({ validFrom, validUntil }: ScopedPrice): boolean =>
    validFrom === undefined && validUntil === undefined;
  if (isFree(one) || isFree(other)) return isFree(one) && isFree(other);
  const holds = ({ validFrom = '', validUntil = '9' }: ScopedPrice, moment: string): boolean =>
    validFrom <= moment && moment < validUntil;
  return Array.from({ length: 16 }, (_, index) => day(index)).some(
    (moment) => holds(one, moment) && holds(other, moment),
  );
}
