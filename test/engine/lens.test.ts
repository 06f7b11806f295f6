import t from 'tap';
import { principalOf } from '../../src/auth/principal.ts';
import { allOf } from '../../src/engine/collection.ts';
import { CoherentCache, type Fence, Sources } from '../../src/engine/coherence.ts';
import { readingThrough } from '../../src/engine/answer.ts';
import type { RequestContext } from '../../src/engine/context.ts';
import { limitedTo, lookingAt } from '../../src/engine/lens.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import type { Collection, Engine } from '../../src/engine/resource.ts';
import type { Store, Stored } from '../../src/engine/store.ts';
import { product } from '../../src/resources/product/resource.ts';
import { project } from '../../src/resources/project/resource.ts';

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
