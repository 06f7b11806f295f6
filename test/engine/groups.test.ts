import t from 'tap';
import { CoherentCache, type Derived, type Fence, Sources } from '../../src/engine/coherence.ts';
import { bytesTurn, heavyBytes } from '../../src/engine/heavy-turns.ts';
import { keptGroups } from '../../src/engine/kept-groups.ts';
import type { Engine } from '../../src/engine/resource.ts';
import type { Store, Stored } from '../../src/engine/store.ts';
import { turnsDuring } from '../support/event-loop.ts';

const fence: Fence = { pass: async () => {}, checks: 0, listen: () => {} };
const otherOfSameHash = 'other';

/** Whose store finds so many stocks of each SKU, and those of another SKU beside them. */
function engineWith(
  { stocks, fill }: { readonly stocks: number; readonly fill: string },
  { bytesMax = 1e9, whenRead = () => {} }: { readonly bytesMax?: number; whenRead?(): void } = {},
): Engine {
  const ofSku = (sku: string): readonly Stored[] =>
    Array.from({ length: stocks }, (_, index) => {
      const id = `${sku}-${index}`;
      return { id, key: undefined, version: 1, json: Buffer.from(JSON.stringify({ id, version: 1, sku, fill })) };
    });
  const store: Pick<Store, 'findGrouped'> = {
    findGrouped: async (_, { values }) => {
      whenRead();
      return [...values, otherOfSameHash].flatMap(ofSku);
    },
  };
  const derived = new CoherentCache<Derived>(fence, { bytesMax, bytesOf: ({ bytes }) => bytes });
  return { derived, sources: new Sources('shop'), store } as unknown as Engine;
}

const skus = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `sku-${index}`);
const lookup = { kind: 'inventory-entry', member: 'sku' };

for (const [title, count] of [
  ['groups that are kept', 3],
  ['groups that are read together, for there are many,', 501],
] as const)
  t.test(`${title} have the resources of their values alone`, async (t) => {
    const values = skus(count);
    const engine = engineWith({ stocks: 2, fill: '' });
    const found = await keptGroups<{ readonly sku: string }>(engine, 'shop', { ...lookup, values });
    t.strictSame(
      found.map(({ sku }) => sku),
      values.flatMap((sku) => [sku, sku]),
    );
  });

t.test('groups with much in them are parsed in turns, between which others are served', async (t) => {
  const request = { project: { key: 'shop' }, principal: { clientId: 'one' } };
  for (const count of [3, 501]) {
    const engine = engineWith({ stocks: 1503 / count, fill: '.'.repeat(heavyBytes / 100) });
    const turns = await turnsDuring(async () => {
      const turn = (bytes: number): Promise<void> => bytesTurn(request, bytes);
      await keptGroups(engine, 'shop', { ...lookup, values: skus(count) }, turn);
    });
    // Of 1503 stocks fifteen pieces that take milliseconds, and more of what has the same hash.
    t.ok(turns >= 15, `${turns} turns`);
  }
});

t.test('a group that is too large for what is kept is read again', async (t) => {
  let reads = 0;
  const engine = engineWith(
    { stocks: 10, fill: '.'.repeat(1000) },
    { bytesMax: 100_000, whenRead: () => (reads += 1) },
  );
  const small = engineWith({ stocks: 10, fill: '' }, { bytesMax: 1_000_000, whenRead: () => (reads += 1) });
  for (const [each, expected] of [
    [engine, 2],
    [small, 3],
  ] as const) {
    for (let time = 0; time < 2; time += 1) await keptGroups(each, 'shop', { ...lookup, values: skus(1) });
    t.equal(reads, expected);
  }
});
