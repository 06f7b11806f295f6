import t from 'tap';
import { principalOf } from '../../src/auth/principal.ts';
import { CoherentCache, type Derived, type Fence, Sources } from '../../src/engine/coherence.ts';
import { type RequestContext, RequestEnded } from '../../src/engine/context.ts';
import { derived } from '../../src/engine/derived.ts';
import { limitedTo } from '../../src/engine/lens.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import type { Engine } from '../../src/engine/resource.ts';
import type { Store, Stored } from '../../src/engine/store.ts';
import { product } from '../../src/resources/product/resource.ts';
import { project } from '../../src/resources/project/resource.ts';

const fence: Fence = { pass: async () => {}, checks: 0, listen: () => {} };

const variants = { masterVariant: { prices: [] }, variants: [] };
const sides = { current: { name: { en: 'old' }, ...variants }, staged: { name: { en: 'new' }, ...variants } };
const hidden: Stored = {
  id: 'a',
  key: undefined,
  version: 1,
  json: JSON.stringify({ id: 'a', version: 1, masterData: { published: false, ...sides } }),
};

function engine(): Engine {
  const store: Pick<Store, 'find'> = { find: async (_, lookups) => lookups.map(() => hidden) };
  return {
    registry: createRegistry([product], project),
    derived: new CoherentCache<Derived>(fence, { entriesMax: 10 }),
    sources: new Sources('shop'),
    store,
  } as unknown as Engine;
}

function contextAt(version: number, scope = 'view_products'): RequestContext {
  const principal = principalOf('client', [`${scope}:shop`]);
  return { project: { key: 'shop', version }, principal } as RequestContext;
}

void t.test('what is found out is kept for the settings of the project that it was found out under', async (t) => {
  const own = engine();
  let count = 0;
  const ask = async (version: number, name = 'one'): Promise<unknown> =>
    derived(own, contextAt(version), { name, make: async () => ({ count: (count += 1) }) });
  t.strictSame(await ask(1), { count: 1 });
  t.strictSame(await ask(1), { count: 1 });
  t.strictSame(await ask(2), { count: 2 }, 'settings make a version of the project');
  t.strictSame(await ask(2, 'other'), { count: 3 });
});

void t.test('what is found out for who sees a part is found out of all that there is', async (t) => {
  const own = engine();
  const context = contextAt(1, 'view_published_products');
  const limited = limitedTo(own, context);
  const lookups = [{ kind: 'product', id: 'a' }];
  t.strictSame(await limited.store.find('shop', lookups), [undefined]);
  const make = async (reading: Engine): Promise<{ readonly isThere: boolean }> => {
    const [found] = await reading.store.find('shop', lookups);
    return { isThere: found !== undefined };
  };
  t.strictSame(await derived(limited, context, { name: 'one', make }), { isThere: true });
});

void t.test('who uses what was found out depends on what it was found out of, whoever had it found out', async (t) => {
  const own = engine();
  const until = 1234;
  const ask = async (name: string, make: (reading: Engine) => Promise<object>): Promise<Sources> => {
    const sources = new Sources('shop');
    await derived({ ...own, sources }, contextAt(1), { name, make });
    return sources;
  };
  const reading = async ({ store, sources }: Engine): Promise<object> => {
    await store.find('shop', [{ kind: 'product', id: 'a' }]);
    sources.noteUntil(until);
    return {};
  };
  const expected = new Sources('shop');
  expected.note('product', 'a');
  for (const which of ['who makes it', 'who finds it made']) {
    const sources = await ask('kept', reading);
    t.strictSame(sources.dependencies, expected.dependencies, which);
    t.equal(sources.until, until, which);
  }
  const clockless = await ask('other', async () => ({}));
  t.strictSame([clockless.dependencies, clockless.until], [[], Infinity]);
  const more = await ask('more', async ({ sources }) => {
    sources.noteMore();
    return {};
  });
  t.equal(more.dependencies, undefined, 'what more than resources goes into is not kept');
});

void t.test('for a request that has ended nothing is found out', async (t) => {
  const ended = { ...contextAt(1), signal: AbortSignal.abort() };
  let count = 0;
  const make = async (): Promise<object> => ({ count: (count += 1) });
  await t.rejects(derived(engine(), ended, { name: 'one', make }), new RequestEnded());
  t.equal(count, 0);
});
