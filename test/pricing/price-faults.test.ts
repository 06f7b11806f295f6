import t from 'tap';
import { faultsOf } from '../../src/pricing/price-faults.ts';

const amount = (currencyCode: string) => ({ value: { currencyCode } });
const tier = (minimumQuantity: number, currencyCode = 'EUR') => ({ minimumQuantity, ...amount(currencyCode) });

t.test('all that does not go together is told, each in its place', async (t) => {
  const later = '2030-01-02T00:00:00.000Z';
  const inEuros = 'the currency of the price, EUR,';
  t.strictSame(
    faultsOf({
      ...amount('EUR'),
      validFrom: later,
      validUntil: '2030-01-01T00:00:00.000Z',
      tiers: [tier(2), tier(3, 'USD'), tier(2), tier(2)],
      discounted: amount('CHF'),
      staged: amount('USD'),
    }),
    [
      { field: 'validUntil', value: '2030-01-01T00:00:00.000Z', expected: `a moment after validFrom, ${later},` },
      { field: 'tiers[1].value.currencyCode', value: 'USD', expected: inEuros },
      { field: 'tiers[2].minimumQuantity', value: 2, expected: 'a quantity that no other tier has' },
      { field: 'tiers[3].minimumQuantity', value: 2, expected: 'a quantity that no other tier has' },
      { field: 'discounted.value.currencyCode', value: 'CHF', expected: inEuros },
      { field: 'staged.value.currencyCode', value: 'USD', expected: inEuros },
    ],
  );
});

t.test('a price without more, and one whose members go together, have no fault', async (t) => {
  t.strictSame(faultsOf(amount('EUR')), []);
  const validity = { validFrom: '2030-01-01T00:00:00.000Z', validUntil: '2030-01-01T00:00:00.001Z' };
  const others = { tiers: [tier(2), tier(3)], discounted: amount('EUR'), staged: amount('EUR') };
  t.strictSame(faultsOf({ ...amount('EUR'), ...validity, ...others }), []);
});
