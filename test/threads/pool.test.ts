import { readdirSync, readFileSync } from 'node:fs';
import { getPriority } from 'node:os';
import { join, relative } from 'node:path';
import t from 'tap';
import { shippingRates } from '../../src/pricing/shipping-rate-task.ts';
import { createCompute } from '../../src/threads/compute.ts';
import { createPool, Missing } from '../../src/threads/pool.ts';
import { pack, unpack } from '../../src/threads/protocol.ts';

const methods = [
  {
    isDefault: true,
    active: true,
    stores: [],
    zoneRates: [{ zone: { id: 'z' }, shippingRates: [{ price: { currencyCode: 'EUR', centAmount: 1 }, tiers: [] }] }],
  },
];
const zones = [{ id: 'z', locations: [{ country: 'DE' }] }];
const state = { methods, zones };
const request = { location: { country: 'DE' } };

t.test('threads keep what a task is done on by its version, and ask for what they lack', async (t) => {
  const pool = createPool({ threads: 1, queueMax: 10 });
  t.teardown(() => pool.close());
  const run = (message: object) => pool.run('shipping-rates', { request, ...message });
  t.strictSame(await run({ names: ['a'] }), new Missing(['a']));
  const match = [{ method: 0, rates: [{ zoneRate: 0, rate: 0 }] }];
  t.strictSame(await run({ names: ['a'], parts: { a: state } }), match);
  t.strictSame(await run({ names: ['a'] }), match);
  t.strictSame(await run({ names: ['b'] }), new Missing(['b']));
  const compute = createCompute({ pricing: pool, texts: pool, descriptions: pool, passwords: pool });
  for (const on of [
    { version: 'b', state },
    { version: 'b', state: { methods: [], zones: [] } },
  ])
    t.strictSame(await compute.run(shippingRates, request, on), match, 'whoever asks for a task is not asked');
  t.strictSame(await compute.run(shippingRates, request, { version: 'c', state: { methods: [], zones: [] } }), []);
});

t.test('a request that fails leaves the others of its batch alone', async (t) => {
  const pool = createPool({ threads: 1, queueMax: 10 });
  t.teardown(() => pool.close());
  await pool.run('shipping-rates', { request, names: ['a'], parts: { a: state } });
  const [bad, good] = await Promise.allSettled([
    pool.run('shipping-rates', { request: { cart: {}, location: {} }, names: ['a'] }),
    pool.run('shipping-rates', { request, names: ['a'] }),
  ]);
  t.equal(bad.status, 'rejected');
  t.equal(good.status, 'fulfilled');
});

t.test('a full queue refuses at once with OverCapacity', async (t) => {
  const pool = createPool({ threads: 1, queueMax: 1 });
  t.teardown(() => pool.close());
  const results = await Promise.allSettled(
    Array.from({ length: 1000 }, () => pool.run('shipping-rates', { request, names: ['x'] })),
  );
  const refused = results.filter((result) => result.status === 'rejected');
  t.ok(refused.length > 0);
  for (const { reason } of refused) if (reason.code !== 'OverCapacity') t.fail(String(reason));
  t.ok(results.some(({ status }) => status === 'fulfilled'));
});

t.test('a thread that ends takes only its own batch with it', async (t) => {
  const folder = t.testdir({ 'ending.js': 'export const run = () => process.exit(1);' });
  const pool = createPool({ threads: 1, queueMax: 10 });
  t.teardown(() => pool.close());
  const ending = relative(join(import.meta.dirname, '..', '..', 'workers'), join(folder, 'ending'));
  const results = await Promise.allSettled([
    pool.run(ending, { request: 1 }),
    pool.run(ending, { request: 2 }),
    pool.run('shipping-rates', { request, names: ['a'] }),
  ]);
  t.strictSame(
    results.map(({ status }) => status),
    ['rejected', 'rejected', 'fulfilled'],
  );
  t.strictSame(await pool.run('shipping-rates', { request, names: ['a'] }), new Missing(['a']));
});

t.test('a small message stays small after a large one', async (t) => {
  const large = Array.from({ length: 10_000 }, (_, index) => `text ${index}`);
  t.strictSame(unpack(pack(large)), large);
  // What is posted is the whole buffer under the bytes.
  t.equal(pack([1]).buffer.byteLength, 2);
});

t.test(
  'threads leave the cores to the event loop',
  { skip: process.platform !== 'linux' && 'elsewhere priorities are not those of threads' },
  async (t) => {
    const before = getPriority();
    const pool = createPool({ threads: 1, queueMax: 10 });
    t.teardown(() => pool.close());
    await pool.run('shipping-rates', { request, names: ['a'] });
    t.strictSame(await pool.run('analysis', { request: '{ a }', names: ['none'] }), new Missing(['none']));
    const priorities = readdirSync('/proc/self/task').map((thread) => niceness(thread));
    t.equal(getPriority(), before);
    t.ok(priorities.includes(before + 10));
  },
);

function niceness(thread: string): number {
  const text = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8');
  // The second field, in parentheses, may hold blanks.
  return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16]);
}

t.test('all names travel as they are, also those that objects have by themselves', (t) => {
  const named = JSON.parse('{"__proto__":{"a":1},"__proto_":2,"constructor":3,"list":[{"__proto__":null}]}') as object;
  for (const value of [
    named,
    { text: '__proto__', nothing: undefined, amounts: [0.1, -0, 2 ** 53] },
    '__proto__',
    {},
  ]) {
    const [there] = unpack(pack([value]));
    t.strictSame(there, value);
    t.equal(JSON.stringify(there), JSON.stringify(value));
  }
  t.end();
});
