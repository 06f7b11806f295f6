import { LRUCache } from 'lru-cache';
import t from 'tap';
import { principalOf } from '../../src/auth/principal.ts';
import { answer, type Making } from '../../src/engine/answer.ts';
import {
  type ChangeListener,
  CoherentCache,
  countedUpTo,
  type Fence,
  type Made,
  Sources,
} from '../../src/engine/coherence.ts';
import type { Engine } from '../../src/engine/resource.ts';
import { type RequestContext, RequestEnded, type RequestSignal } from '../../src/engine/context.ts';
import { apiError, ownShareUsed } from '../../src/errors/api-error.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import { project } from '../../src/resources/project/resource.ts';
import type { Stored } from '../../src/engine/store.ts';

/** A fence that tells of changes when the test says so. */
function manualFence(): { readonly fence: Fence; readonly listeners: ChangeListener[] } {
  const listeners: ChangeListener[] = [];
  return { listeners, fence: { pass: async () => {}, checks: 0, listen: (listener) => listeners.push(listener) } };
}

const stored: Stored = { id: 'a', key: 'k', version: 1, json: '{}' };

/** An engine of which answers use the store and the cache alone. */
function engineOn(fence: Fence, bytesMax: number): Engine {
  return {
    registry: createRegistry([], project),
    answers: new CoherentCache<Buffer>(fence, { bytesMax, bytesOf: (bytes) => bytes.length }),
    store: {
      find: async (_: string, lookups: readonly { id?: string; key?: string }[]) =>
        lookups.map(({ id, key }) => (id === 'a' || key === 'k' ? stored : undefined)),
      query: async () => [stored],
      count: async () => 1,
    },
  } as unknown as Engine;
}

const context = { project: { key: 'p', version: 1 }, principal: principalOf('client', []) } as RequestContext;
const asked = { context, resource: { kind: 'zone', typeName: 'Zone' } };
const plain = { form: 'one', isByGrants: false };
const mebibyte = 1024 * 1024;

const cases: readonly {
  readonly name: string;
  read(engine: Engine): Promise<unknown>;
  readonly dropping: readonly string[];
  readonly leaving: readonly string[];
}[] = [
  {
    name: 'one by id',
    read: (engine) => engine.store.find('p', [{ kind: 'zone', id: 'a' }]),
    dropping: ['zone/a'],
    leaving: ['zone/b', 'type/a'],
  },
  {
    name: 'an id that is not seen, in capitals',
    read: (engine) => engine.store.find('p', [{ kind: 'zone', id: 'B' }]),
    dropping: ['zone/b'],
    leaving: ['zone/a'],
  },
  {
    name: 'one by key',
    read: (engine) => engine.store.find('p', [{ kind: 'zone', key: 'k' }]),
    dropping: ['zone/a'],
    leaving: ['zone/b'],
  },
  {
    name: 'a key that nobody has',
    read: (engine) => engine.store.find('p', [{ kind: 'zone', key: 'free' }]),
    dropping: ['zone/b'],
    leaving: ['type/b'],
  },
  {
    name: 'a query',
    // The store of the test does not look at the query.
    read: (engine) => engine.store.query('p', { kind: 'zone' } as never),
    dropping: ['zone/b'],
    leaving: ['type/b'],
  },
  {
    name: 'a count',
    read: (engine) => engine.store.count('p', { kind: 'zone' } as never),
    dropping: ['zone/b'],
    leaving: ['type/b'],
  },
];

for (const { name, read, dropping, leaving } of cases) {
  t.test(`an answer made from ${name} is kept until that changes`, async (t) => {
    const { fence, listeners } = manualFence();
    const engine = engineOn(fence, mebibyte);
    let made = 0;
    const ask = async (): Promise<string> => {
      const bytes = await answer(engine, asked, {
        ...plain,
        make: async (reading) => {
          await read(reading);
          return String((made += 1));
        },
      });
      return bytes.toString();
    };
    const change = (tag: string): void => {
      const [kind, id] = tag.split('/') as [string, string];
      for (const listener of listeners) listener.changed([{ project: 'p', kind, id, version: 2 }]);
    };
    t.equal(await ask(), '1');
    for (const tag of leaving) {
      change(tag);
      t.equal(await ask(), '1', `${tag} leaves it`);
    }
    for (const tag of dropping) {
      change(tag);
      t.equal(await ask(), String(made), `${tag} drops it`);
    }
    t.equal(made, 1 + dropping.length);
  });
}

t.test('an answer that is made from more than resources is made each time', async (t) => {
  const engine = engineOn(manualFence().fence, mebibyte);
  let made = 0;
  const make = async (reading: Engine): Promise<string> => {
    reading.sources.noteMore();
    return String((made += 1));
  };
  for (const expected of ['1', '2']) t.equal((await answer(engine, asked, { ...plain, make })).toString(), expected);
});

t.test('what was made after a change is kept while what was begun before it is under way', async (t) => {
  const { fence, listeners } = manualFence();
  const cache = new CoherentCache<{ made: number }>(fence, { entriesMax: 10 });
  const dependencies = ['p/zone/a'] as const;
  let finish = (): void => {};
  const slow = cache.get('slow', async () => {
    await new Promise<void>((resolve) => (finish = resolve));
    return { value: { made: 1 }, dependencies };
  });
  for (const listener of listeners) listener.changed([{ project: 'p', kind: 'zone', id: 'a', version: 2 }]);
  await cache.get('later', async () => ({ value: { made: 2 }, dependencies }));
  t.strictSame(cache.kept('later'), { made: 2 });
  finish();
  await slow;
  t.equal(cache.kept('slow'), undefined);
});

t.test('who comes while a value is made shares it, unless something has changed in between', async (t) => {
  const { fence, listeners } = manualFence();
  let checks = 0;
  const counted: Fence = {
    ...fence,
    get checks() {
      return checks;
    },
  };
  const cache = new CoherentCache<{ made: number }>(counted, { entriesMax: 10 });
  const check = (tell: (listener: ChangeListener) => void = () => {}): void => {
    for (const listener of listeners) tell(listener);
    checks += 1;
  };
  const finishing: (() => void)[] = [];
  const ask = (): Promise<{ made: number }> =>
    cache.get('value', async () => {
      const made = finishing.length + 1;
      await new Promise<void>((resolve) => finishing.push(resolve));
      return { value: { made }, dependencies: ['p/zone/a'] };
    });
  const asked = [ask(), ask()];
  check();
  asked.push(ask());
  check((listener) => listener.changed([{ project: 'p', kind: 'zone', id: 'a', version: 2 }]));
  asked.push(ask());
  check();
  asked.push(ask());
  check((listener) => listener.reset());
  asked.push(ask());
  for (const finish of finishing) finish();
  const values = await Promise.all(asked);
  t.strictSame(
    values.map(({ made }) => made),
    [1, 1, 1, 2, 2, 3],
  );
  t.strictSame(cache.kept('value'), { made: 3 });
});

t.test('what is made from more than resources is shared by those alone between whom no check came', async (t) => {
  const { fence } = manualFence();
  let checks = 0;
  const counted: Fence = {
    ...fence,
    get checks() {
      return checks;
    },
  };
  const cache = new CoherentCache<number>(counted, { entriesMax: 10 });
  const finishing: (() => void)[] = [];
  const ask = (): Promise<number> =>
    cache.get('value', async () => {
      const value = finishing.length + 1;
      await new Promise<void>((resolve) => finishing.push(resolve));
      return { value, dependencies: undefined };
    });
  const [first, same] = [ask(), ask()];
  checks += 1;
  const later = ask();
  finishing[0]!();
  t.strictSame(await Promise.all([first, same]), [1, 1]);
  await new Promise((resolve) => setImmediate(resolve));
  finishing[1]!();
  t.equal(await later, 2);
});

t.test('what one is refused for its share, others who wait for the same make for themselves', async (t) => {
  const { fence } = manualFence();
  const cache = new CoherentCache<string>(fence, { entriesMax: 10 });
  let asked = 0;
  const ask = (make: () => Made<string>): Promise<string> =>
    cache.get('value', async () => {
      asked += 1;
      await new Promise((resolve) => setImmediate(resolve));
      return make();
    });
  const refused = (): never => {
    throw ownShareUsed('Too much.');
  };
  const full = (): Made<string> => ({ value: 'full', dependencies: ['p/zone'] });
  const thrown = [ask(refused), ask(full), ask(full)];
  t.match(await Promise.allSettled(thrown), [
    { status: 'rejected' },
    { status: 'fulfilled', value: 'full' },
    { status: 'fulfilled', value: 'full' },
  ]);
  t.equal(asked, 2, 'the others share theirs');
  const told = new CoherentCache<string>(fence, { entriesMax: 10 });
  const values = [
    told.get('value', async () => ({ value: 'refused', dependencies: undefined, isOfOne: true })),
    told.get('value', async () => full()),
  ];
  t.strictSame(await Promise.all(values), ['refused', 'full']);
});

t.test('whoever has ended meanwhile makes nothing', async (t) => {
  const cache = new CoherentCache<string>(manualFence().fence, { entriesMax: 10 });
  let asked = 0;
  const ends = new AbortController();
  const ask = (request: RequestSignal): Promise<string> =>
    cache.get(
      'value',
      async () => {
        asked += 1;
        await new Promise((resolve) => setImmediate(resolve));
        if (request.signal?.aborted === true) throw new RequestEnded();
        return { value: 'made', dependencies: ['p/zone'] };
      },
      request,
    );
  const gone = Array.from({ length: 100 }, () => ask(ends));
  const outcomes = Promise.allSettled([...gone, ask({})]);
  ends.abort();
  const told = await outcomes;
  t.strictSame(told.at(-1), { status: 'fulfilled', value: 'made' });
  for (const outcome of told.slice(0, -1))
    t.ok(outcome.status === 'rejected' && outcome.reason instanceof RequestEnded);
  t.equal(asked, 2, 'the one that was first, and the one that waits');
  t.equal(await ask(ends), 'made', 'what is kept is given');
});

t.test('an answer is not made for a request that has ended', async (t) => {
  const engine = engineOn(manualFence().fence, mebibyte);
  let made = 0;
  const ask = (signal?: AbortSignal): Promise<Buffer> =>
    answer(
      engine,
      { ...asked, context: { ...context, ...(signal !== undefined && { signal }) } },
      {
        ...plain,
        make: async () => String((made += 1)),
      },
    );
  await t.rejects(ask(AbortSignal.abort()), new RequestEnded());
  t.equal(String(await ask()), '1');
});

t.test("a failure that is everybody's is told to all who wait", async (t) => {
  const { fence } = manualFence();
  const cache = new CoherentCache<string>(fence, { entriesMax: 10 });
  let asked = 0;
  const ask = (): Promise<string> =>
    cache.get('value', async () => {
      asked += 1;
      await new Promise((resolve) => setImmediate(resolve));
      throw apiError('ResourceNotFound', 'There is none.');
    });
  const outcomes = await Promise.allSettled([ask(), ask(), ask()]);
  t.ok(outcomes.every(({ status }) => status === 'rejected'));
  t.equal(asked, 1);
});

t.test('a cache keeps what it has room for: what was used last', async (t) => {
  const rooms = [
    { limits: { entriesMax: 100 }, least: 100 },
    // An entry takes some hundred bytes beside its value.
    { limits: { bytesMax: 100_000, bytesOf: () => 700 }, least: 50 },
  ];
  for (const { limits, least } of rooms) {
    const cache = new CoherentCache<number>(manualFence().fence, limits);
    const names = Array.from({ length: 1000 }, (_, number) => `value ${number}`);
    for (const [number, name] of names.entries()) {
      await cache.get(name, async () => ({ value: number, dependencies: ['p/zone'] }));
      cache.kept(names[0]!);
    }
    const kept = names.filter((name) => cache.kept(name) !== undefined);
    t.ok(kept.length >= least && kept.length <= 100, `${kept.length} are kept`);
    t.strictSame(kept, [names[0], ...names.slice(1 - kept.length)]);
  }
});

t.test('an entry of no length takes its share of a cache of very many bytes', async (t) => {
  const bytesMax = 64e12;
  let bytes = 1e12 - 1000;
  const cache = new CoherentCache<string>(manualFence().fence, { bytesMax, bytesOf: () => bytes });
  const names = Array.from({ length: 64 }, (_, number) => `value ${number}`);
  const keep = (name: string) => cache.get(name, async () => ({ value: name, dependencies: [] }));
  for (const name of names) await keep(name);
  const kept = () => names.filter((name) => cache.kept(name) !== undefined).length;
  t.equal(kept(), 64);
  bytes = 0;
  await keep('');
  t.equal(kept(), 63, 'where an entry of some hundred bytes would find room');
});

t.test('what is counted has no room from the start for all that there may be', (t) => {
  const before = process.memoryUsage().arrayBuffers;
  const { maxSize } = new LRUCache<string, string>(countedUpTo(10_000_000));
  t.equal(maxSize, 10_000_000);
  t.ok(process.memoryUsage().arrayBuffers - before < 1_000_000);
  t.end();
});

t.test('a cache without room keeps nothing, and one with some nothing that is too large', async (t) => {
  for (const [bytesMax, length] of [
    [0, 10],
    [mebibyte, mebibyte / 2],
  ] as const) {
    const engine = engineOn(manualFence().fence, bytesMax);
    let made = 0;
    const make = async (): Promise<string> => {
      made += 1;
      return 'x'.repeat(length);
    };
    await answer(engine, asked, { ...plain, make });
    await answer(engine, asked, { ...plain, make });
    t.equal(made, 2);
  }
});

t.test('an answer made from very many resources is made from their kinds', async (t) => {
  const sources = new Sources('p');
  for (let id = 0; id < 600; id += 1) sources.note('zone', String(id));
  sources.note('type', 'a');
  t.strictSame(sources.dependencies, [
    'p/zone',
    'p/zone/501',
    ...Array.from({ length: 98 }, (_, index) => `p/zone/${502 + index}`),
    'p/type/a',
  ]);
});

t.test(
  'answers that differ in anything that was asked, or in who asks where that counts, have names of their own',
  async (t) => {
    const engine = engineOn(manualFence().fence, mebibyte);
    let made = 0;
    const ask = async (given: object, making: Partial<Making> = {}): Promise<number> => {
      const make = async (): Promise<string> => String((made += 1));
      return Number(await answer(engine, { ...asked, ...given }, { ...plain, ...making, make }));
    };
    const of = (scopes: readonly string[]) => ({ context: { ...context, principal: principalOf('client', scopes) } });
    const shop = { context: { ...context, project: { ...context.project, key: 'q' } } };
    const settings = { context: { ...context, project: { ...context.project, version: 2 } } };
    const different: readonly (readonly [object, Partial<Making>?])[] = [
      [{}],
      [{ resource: { kind: 'state', typeName: 'Zone' } }],
      [{ resource: { kind: 'zone', typeName: 'ZoneProjection' } }],
      [{}, { form: 'page' }],
      [shop],
      [settings],
      [{ identity: { id: 'a' } }],
      [{ identity: { key: 'a' } }],
      [{ identity: { key: '"},"expand":["x"' } }],
      [{ identity: { key: 'a' }, storeKey: 'a' }],
      [{ identity: { key: 'a' }, owner: { member: 'customerId', id: 'a', members: ['customerId'] } }],
      [{ identity: { key: 'a' }, expand: ['x'] }],
      [{ query: { where: ['a', 'b'], variables: new Map() } }],
      [{ query: { where: ['a","b'], variables: new Map() } }],
      [{ query: { where: ['a'], variables: new Map([['v', ['1']]]) } }],
      [{ query: { where: ['a'], variables: new Map([['v', ['2']]]) } }],
      [{ within: new Map([['container', 'a']]) }],
      [of(['view_states:p']), { isByGrants: true }],
      [of(['view_zones:p']), { isByGrants: true }],
    ];
    const numbers: number[] = [];
    for (const each of different) numbers.push(await ask(...each));
    t.equal(new Set(numbers).size, different.length);
    for (const [index, each] of different.entries()) t.equal(await ask(...each), numbers[index], 'and each is kept');
    t.equal(await ask(of(['view_zones:p'])), numbers[0], 'where grants do not count, others have the same answer');
  },
);

t.test('what depends on the clock is kept until the first moment at which it may change', async (t) => {
  let now = 1000;
  const cache = new CoherentCache<string>(manualFence().fence, { entriesMax: 10 }, () => now);
  const sources = new Sources('p');
  sources.note('cart-discount', 'a');
  sources.noteUntil(3000);
  sources.noteUntil(2000);
  sources.noteUntil(4000);
  let made = 0;
  const ask = (): Promise<string> =>
    cache.get('value', async () => {
      made += 1;
      return { value: String(made), dependencies: sources.dependencies, until: sources.until };
    });
  t.equal(await ask(), '1');
  now = 1999;
  t.equal(await ask(), '1');
  now = 2000;
  t.equal(await ask(), '2');
  t.equal(await ask(), '3', 'what may have changed already is not kept');
  t.equal(new Sources('p').until, Infinity);
});
