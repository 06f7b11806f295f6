import t from 'tap';
import { createPool } from '../../src/threads/pool.ts';

const methods = [
  {
    isDefault: true,
    active: true,
    zoneRates: [{ zone: { id: 'z' }, shippingRates: [{ price: { currencyCode: 'EUR', centAmount: 1 }, tiers: [] }] }],
  },
];
const zones = [{ id: 'z', locations: [{ country: 'DE' }] }];

t.test('threads keep the catalog of a version, and ask for one that they lack', async (t) => {
  const pool = createPool({ threads: 1, queueMax: 10 });
  t.teardown(() => pool.close());
  const location = { country: 'DE' };
  const run = (request: object) => pool.run('shipping-rates', request);
  t.equal(await run({ catalogVersion: 'a', location }), 'catalog-missing');
  const match = [{ method: 0, rates: [{ zoneRate: 0, rate: 0 }] }];
  t.strictSame(await run({ catalogVersion: 'a', catalog: { methods, zones }, location }), match);
  t.strictSame(await run({ catalogVersion: 'a', location }), match);
  t.equal(await run({ catalogVersion: 'b', location }), 'catalog-missing');
});

t.test('a request that fails leaves the others of its batch alone', async (t) => {
  const pool = createPool({ threads: 1, queueMax: 10 });
  t.teardown(() => pool.close());
  await pool.run('shipping-rates', { catalogVersion: 'a', catalog: { methods, zones }, location: { country: 'DE' } });
  const [bad, good] = await Promise.allSettled([
    pool.run('shipping-rates', { catalogVersion: 'a', cart: 'no JSON' }),
    pool.run('shipping-rates', { catalogVersion: 'a', location: { country: 'DE' } }),
  ]);
  t.equal(bad.status, 'rejected');
  t.equal(good.status, 'fulfilled');
});

t.test('a full queue refuses at once with OverCapacity', async (t) => {
  const pool = createPool({ threads: 1, queueMax: 1 });
  t.teardown(() => pool.close());
  const results = await Promise.allSettled(
    Array.from({ length: 1000 }, () =>
      pool.run('shipping-rates', { catalogVersion: 'x', location: { country: 'DE' } }),
    ),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  t.ok(refused.length > 0);
  for (const { reason } of refused) if (reason.code !== 'OverCapacity') t.fail(String(reason));
  t.ok(results.some(({ status }) => status === 'fulfilled'));
});
