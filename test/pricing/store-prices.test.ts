import t from 'tap';
import { isSoldAt, limitsOf } from '../../src/pricing/store-prices.ts';

const store = { countries: [{ code: 'DE' }, { code: 'AT' }], distributionChannels: [{ id: 'east' }] };

t.test('a store has the prices for its countries and channels, and those for any', async (t) => {
  const limits = limitsOf(store);
  t.ok(isSoldAt(limits, undefined, undefined));
  t.ok(isSoldAt(limits, 'AT', undefined));
  t.ok(isSoldAt(limits, 'DE', 'east'));
  t.notOk(isSoldAt(limits, 'FR', undefined));
  t.notOk(isSoldAt(limits, 'DE', 'west'));
});

t.test('lists that are empty limit nothing, nor does what is in no store', async (t) => {
  for (const limits of [limitsOf({ countries: [], distributionChannels: [] }), limitsOf(undefined)]) {
    t.strictSame(limits, { countries: undefined, channels: undefined });
    t.ok(isSoldAt(limits, 'FR', 'west'));
  }
});
