import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { CoherentCache, type Derived, type Fence, Sources } from '../../src/engine/coherence.ts';
import { bytesTurn, heavyBytes } from '../../src/engine/heavy-turns.ts';
import { keptGroups } from '../../src/engine/kept-groups.ts';
import type { Engine } from '../../src/engine/resource.ts';
import type { Store, Stored } from '../../src/engine/store.ts';

const fence: Fence = { pass: async () => {}, checks: 0, listen: () => {} };
const otherOfSameHash = 'other';

/** Whose store finds so many stocks of each SKU, and those of another SKU beside them. */
function engineWith({ stocks, fill }: { readonly stocks: number; readonly fill: string }): Engine {
  const ofSku = (sku: string): readonly Stored[] =>
    Array.from({ length: stocks }, (_, index) => {
      const id = `${sku}-${index}`;
      return { id, key: undefined, version: 1, json: Buffer.from(JSON.stringify({ id, version: 1, sku, fill })) };
    });
  const store: Pick<Store, 'findGrouped'> = {
    findGrouped: async (_, { values }) => [...values, otherOfSameHash].flatMap(ofSku),
  };
  const derived = new CoherentCache<Derived>(fence, { bytesMax: 1e9, bytesOf: ({ bytes }) => bytes });
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
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns += 1) await nextTurn();
  })();
  const request = { project: { key: 'shop' }, principal: { clientId: 'one' } };
  // Of each group five pieces that take milliseconds, and as much of what has the same hash.
  const engine = engineWith({ stocks: 500, fill: '.'.repeat(heavyBytes / 100) });
  const found = await keptGroups(engine, 'shop', { ...lookup, values: skus(3) }, (bytes) => bytesTurn(request, bytes));
  isOver = true;
  await others;
  t.equal(found.length, 3 * 500);
  t.ok(turns >= 3 * 5, `${turns} turns`);
});
