import t from 'tap';
import { principalOf } from '../../src/auth/principal.ts';
import { allOf } from '../../src/engine/collection.ts';
import { CoherentCache, type Derived, type Fence, Sources } from '../../src/engine/coherence.ts';
import { readingThrough } from '../../src/engine/answer.ts';
import type { RequestContext } from '../../src/engine/context.ts';
import { heavyBytes } from '../../src/engine/heavy-turns.ts';
import { limitedTo, lookingAt } from '../../src/engine/lens.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import type { Collection, Engine, Parameters, Resource } from '../../src/engine/resource.ts';
import type { Store, Stored } from '../../src/engine/store.ts';
import { lookupsOf } from '../../src/graphql/lookups.ts';
import { product } from '../../src/resources/product/resource.ts';
import { project } from '../../src/resources/project/resource.ts';
import { turnsDuring } from '../support/event-loop.ts';

const fence: Fence = { pass: async () => {}, checks: 0, listen: () => {} };

const variants = { masterVariant: { prices: [] }, variants: [] };

const documents = [
  { id: 'a', published: true },
  { id: 'b', published: false },
].map(({ id, published }) => ({
  id,
  version: 1,
  masterData: {
    published,
    hasStagedChanges: true,
    current: { name: { en: 'old' }, ...variants },
    staged: { name: { en: 'new' }, ...variants },
  },
}));

/** A store that finds all of them, whatever is asked: what is left out was left out on the way. */
function engine(): Engine {
  const stored = documents.map((document): Stored => ({
    id: document.id,
    key: undefined,
    version: 1,
    json: JSON.stringify(document),
  }));
  const store: Pick<Store, 'find' | 'query'> = {
    find: async (_, lookups) => lookups.map(({ id }) => stored.find((one) => one.id === id)),
    query: async () => stored,
  };
  return {
    registry: createRegistry([product], project),
    collections: new CoherentCache<Collection>(fence, { entriesMax: 10 }),
    sources: new Sources('shop'),
    maxPerProject: () => 100,
    store,
  } as unknown as Engine;
}

const contextOf = (scope: string): RequestContext =>
  ({ project: { key: 'shop', version: 1 }, principal: principalOf('client', [`${scope}:shop`]) }) as RequestContext;
const [shown, all] = [contextOf('view_published_products'), contextOf('view_products')];

async function idsSeen({ store }: Engine): Promise<readonly string[]> {
  const found = await store.query('shop', { kind: 'product', where: [] } as never);
  return found.map(({ id }) => id);
}

t.test('what is needed of all of a kind is the same whoever asks first', async (t) => {
  const limited = limitedTo(engine(), shown);
  t.strictSame(await idsSeen(limited), ['a']);
  const { documents: whole } = await allOf(limited, 'shop', ['product']);
  t.strictSame(whole.get('product'), documents);
  t.strictSame((await allOf(limitedTo(limited, all), 'shop', ['product'])).documents.get('product'), documents);
});

t.test('lenses take the place of others, and do not lie over them', async (t) => {
  const [projection] = product.projections;
  const staged = { context: all, resource: projection!, shownBy: { staged: true } };
  const looking = lookingAt(limitedTo(engine(), all), staged);
  const [first] = await looking.store.find('shop', [{ kind: 'product', id: 'b' }]);
  t.match(JSON.parse(String(first!.json)), { id: 'b', name: { en: 'new' }, published: false });
  const again = lookingAt(looking, staged);
  t.strictSame(await again.store.find('shop', [{ kind: 'product', id: 'b' }]), [first]);
  t.strictSame(await idsSeen(limitedTo(looking, all)), ['a', 'b']);
  t.strictSame(await idsSeen(limitedTo(looking, shown)), ['a']);
});

t.test('what is read through a lens is noted, and so is what it hides', async (t) => {
  const sources = new Sources('shop');
  const reading = limitedTo(readingThrough(engine(), sources, shown), shown);
  t.strictSame(await reading.store.find('shop', [{ kind: 'product', id: 'b' }]), [undefined]);
  t.strictSame(sources.dependencies, ['shop/product/b']);
});

t.test('stocks of many channels are parsed in turns, however a product shows', async (t) => {
  const stock = { id: 's', version: 1, sku: 'lamp', availableQuantity: 1, fill: '.'.repeat(heavyBytes / 100) };
  const stocks = Array.from({ length: 1000 }, (_, index): Stored => {
    const supplyChannel = { typeId: 'channel', id: `c${index}` };
    return { id: 's', key: undefined, version: 1, json: JSON.stringify({ ...stock, supplyChannel }) };
  });
  const data = {
    ...documents[0]!.masterData.current,
    masterVariant: { id: 1, sku: 'lamp', prices: [], attributes: [] },
  };
  const masterData = { published: true, hasStagedChanges: false, current: data, staged: data };
  const stored: Stored = {
    id: 'a',
    key: undefined,
    version: 1,
    json: Buffer.from(JSON.stringify({ id: 'a', version: 1, masterData })),
  };
  // Nothing of it is kept yet.
  const unread = () =>
    ({
      ...engine(),
      derived: new CoherentCache<Derived>(fence, { bytesMax: 1e9, bytesOf: ({ bytes }) => bytes }),
      store: { find: async () => [stored], findGrouped: async () => stocks },
    }) as unknown as Engine;
  const [projection] = product.projections;
  const find = async (resource: Resource, shownBy: object): Promise<void> => {
    const looking = lookingAt(unread(), { context: all, resource, shownBy: shownBy as Parameters });
    const [shown] = await looking.store.find('shop', [{ kind: 'product', id: 'a' }]);
    t.equal(String(shown!.json).match(/"isOnStock":true/g)?.length, resource === product ? 2000 : 1000);
  };
  const grouped = async (): Promise<void> => {
    const found = await lookupsOf(unread(), all).grouped('inventory-entry', 'sku', 'lamp');
    t.equal(found.length, stocks.length);
  };
  for (const [name, work] of [
    ['as it is stored', () => find(product, {})],
    ['by parameters', () => find(product, { priceCurrency: 'EUR' })],
    ['as a projection', () => find(projection!, { staged: true })],
    ['in GraphQL', grouped],
  ] as const) {
    const turns = await turnsDuring(work);
    t.ok(turns >= 10, `${name}: ${turns} turns`);
  }
});
