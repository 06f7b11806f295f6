import fc from 'fast-check';
import t from 'tap';
import { compareAmounts } from '../../src/money/compare.ts';
import { centPrecision, highPrecision } from '../../src/money/money.ts';
import { type PriceSelection, type SelectablePrice, selectPrice } from '../../src/pricing/select-price.ts';

const now = '2026-06-01T00:00:00.000Z';
const earlier = '2026-05-31T23:59:59.999Z';
const later = '2026-06-01T00:00:00.001Z';

function price(id: string, members: Partial<SelectablePrice> = {}): SelectablePrice {
  return { id, value: centPrecision('EUR', 100), ...members };
}

const everything: PriceSelection = {
  currency: 'EUR',
  country: 'DE',
  customerGroups: new Set(['g1', 'g2']),
  channel: 'c1',
};
const group = { customerGroup: { id: 'g1' } };
const channel = { channel: { id: 'c1' } };
const country = { country: 'DE' };

t.test('a price for more than the others goes first', async (t) => {
  const order: readonly SelectablePrice[] = [
    price('1', { ...group, ...channel, ...country }),
    price('2', { ...group, ...channel }),
    price('3', { ...group, ...country }),
    price('4', group),
    price('5', { ...channel, ...country }),
    price('6', channel),
    price('7', country),
    price('8'),
  ];
  for (const [index, expected] of order.entries())
    t.equal(selectPrice(order.slice(index).toReversed(), everything, now), expected, expected.id);
  t.equal(selectPrice([], everything, now), undefined);
});

t.test('a price for whom the selection does not name is no candidate', async (t) => {
  for (const selection of [{ country: 'FR' }, { customerGroups: new Set(['g3']) }, { channel: 'c2' }, {}])
    for (const members of [group, channel, country])
      t.equal(selectPrice([price('a', members)], { currency: 'EUR', ...selection }, now), undefined);
  t.equal(selectPrice([price('a')], { currency: 'USD' }, now), undefined);
  t.equal(selectPrice([price('a')], { ...everything, country: 'FR' }, now)?.id, 'a');
});

t.test('a validity holds from its first moment up to its last, and goes before none', async (t) => {
  const plain = price('plain');
  for (const members of [{ validFrom: now }, { validUntil: later }, { validFrom: earlier, validUntil: later }])
    t.equal(selectPrice([plain, price('timed', members)], everything, now)?.id, 'timed', JSON.stringify(members));
  for (const members of [{ validFrom: later }, { validUntil: now }, { validFrom: earlier, validUntil: earlier }])
    t.equal(selectPrice([plain, price('timed', members)], everything, now)?.id, 'plain', JSON.stringify(members));
  const timed = price('timed', { validFrom: earlier });
  t.equal(selectPrice([timed, price('country', country)], everything, now)?.id, 'country', 'but not before a country');
});

t.test('of several groups the lowest value is taken, whatever its precision, and then the smallest id', async (t) => {
  const ofGroup = (id: string, value: SelectablePrice['value'], name = 'g1'): SelectablePrice =>
    price(id, { value, customerGroup: { id: name } });
  const cheap = ofGroup('b', centPrecision('EUR', 99), 'g2');
  t.equal(selectPrice([ofGroup('a', centPrecision('EUR', 100)), cheap], everything, now), cheap);
  const precise = ofGroup('c', highPrecision('EUR', 9899, 4));
  t.equal(selectPrice([cheap, precise], everything, now), precise);
  const same = ofGroup('a', highPrecision('EUR', 9900, 4));
  t.equal(selectPrice([cheap, same], everything, now), same);
});

/** The levels as the catalog has them, one after the other. */
function modelSelect(prices: readonly SelectablePrice[], selection: PriceSelection): SelectablePrice | undefined {
  const candidates = prices
    .filter(({ value }) => value.currencyCode === selection.currency)
    .filter(({ country }) => [undefined, selection.country].includes(country))
    .filter(({ channel }) => [undefined, selection.channel].includes(channel?.id))
    .filter(({ customerGroup }) => customerGroup === undefined || selection.customerGroups?.has(customerGroup.id))
    .filter(({ validFrom }) => validFrom === undefined || Date.parse(validFrom) <= Date.parse(now))
    .filter(({ validUntil }) => validUntil === undefined || Date.parse(validUntil) > Date.parse(now));
  const levels = ['gcl', 'gc', 'gl', 'g', 'cl', 'c', 'l', ''];
  for (const level of levels) {
    const own = candidates.filter(
      (one) =>
        (one.customerGroup !== undefined) === level.includes('g') &&
        (one.channel !== undefined) === level.includes('c') &&
        (one.country !== undefined) === level.includes('l'),
    );
    const timed = own.filter(({ validFrom, validUntil }) => validFrom !== undefined || validUntil !== undefined);
    const [first] = (timed.length > 0 ? timed : own).toSorted(
      (one, other) => compareAmounts(one.value, other.value) || (one.id < other.id ? -1 : 1),
    );
    if (first !== undefined) return first;
  }
  return undefined;
}

t.test('a plain model of the levels selects the same', async (t) => {
  const maybe = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
    fc.option(arbitrary, { nil: undefined });
  const link = (...ids: readonly string[]): fc.Arbitrary<{ id: string } | undefined> =>
    maybe(fc.constantFrom(...ids).map((id) => ({ id })));
  const money = fc.oneof(
    fc.constantFrom(99, 100).map((cents) => centPrecision('EUR', cents)),
    fc.constantFrom(9899, 9900, 10_000).map((amount) => highPrecision('EUR', amount, 4)),
    fc.constant(centPrecision('USD', 1)),
  );
  const one = fc.record({
    value: money,
    country: maybe(fc.constantFrom('DE', 'FR')),
    customerGroup: link('g1', 'g2', 'g3'),
    channel: link('c1', 'c2'),
    validFrom: maybe(fc.constantFrom(earlier, now, later)),
    validUntil: maybe(fc.constantFrom(earlier, now, later)),
  });
  const prices = fc
    .array(one, { maxLength: 6 })
    .map((all) => all.map((members, index) => ({ id: `p${(index * 5) % 7}`, ...members })));
  const selection = fc.record({
    currency: fc.constantFrom('EUR', 'EUR', 'USD'),
    country: maybe(fc.constant('DE')),
    customerGroups: maybe(fc.subarray(['g1', 'g2']).map((groups) => new Set(groups))),
    channel: maybe(fc.constant('c1')),
  });
  fc.assert(
    fc.property(
      prices,
      selection,
      (prices, selection) => selectPrice(prices, selection, now) === modelSelect(prices, selection),
    ),
    { numRuns: 100_000, seed: 5 },
  );
  t.pass();
});
