import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import t, { type Test } from 'tap';
import { action, change, invalidOperation } from '../../src/engine/actions.ts';
import { defineResource } from '../../src/engine/define.ts';
import type { Document, DocumentOf } from '../../src/engine/document.ts';
import type { Computation, Engine, Found, Resource } from '../../src/engine/resource.ts';
import { assigned, defaulted, optional, required } from '../../src/fields/field.ts';
import { list } from '../../src/fields/list.ts';
import { object } from '../../src/fields/object.ts';
import { reference } from '../../src/fields/reference.ts';
import { integer, key, text } from '../../src/fields/scalar.ts';
import { CoherentCache } from '../../src/engine/coherence.ts';
import type { RequestContext } from '../../src/engine/context.ts';
import { LastWritten } from '../../src/engine/last-written.ts';
import type { Identity } from '../../src/engine/operations/get.ts';
import { update } from '../../src/engine/operations/update.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import type { Store } from '../../src/engine/store.ts';
import { principalOf } from '../../src/auth/principal.ts';
import { project } from '../../src/resources/project/resource.ts';
import type { Task } from '../../src/tasks/task.ts';
import { createFence } from '../../src/storage/change-log.ts';
import { createDocuments, createWrites } from '../../src/storage/documents.ts';
import { Lane } from '../../src/storage/lane.ts';
import { noQueries } from '../support/services.ts';
import { type Platform, startPlatform } from '../support/platform.ts';

const scopes = { view: ['view_orders'], manage: ['manage_orders'] };

const goodFields = { key: optional(key()), sku: required(text(['sku-1'])), price: required(integer()) };
type Good = DocumentOf<typeof goodFields>;

/** What baskets are filled with. */
const good = defineResource({
  kind: 'trial-good',
  typeName: 'TrialGood',
  path: 'trial-goods',
  scopes,
  fields: goodFields,
  actions: { changePrice: change('price') },
  uniqueValues: ({ sku }) => [{ field: 'sku', value: sku }],
});

const rebateFields = { key: optional(key()), percent: required(integer()) };

/** Of all that there are, each takes its share. */
const rebate = defineResource({
  kind: 'trial-rebate',
  typeName: 'TrialRebate',
  path: 'trial-rebates',
  scopes,
  maxPerProject: 100,
  fields: rebateFields,
  actions: { changePercent: change('percent') },
});

const goodLink = required(reference('trial-good', 'TrialGood', { strength: 'loose' }));

const line = object('TrialLine', {
  good: goodLink,
  quantity: defaulted(integer({ min: 1 }), () => 1),
  price: assigned(integer(), () => 0),
});

const basketFields = {
  key: optional(key()),
  lines: defaulted(list(line), () => []),
  total: assigned(integer(), () => 0),
  seenAt: assigned(text(), () => ''),
};
type Basket = DocumentOf<typeof basketFields>;

const needs = { reads: { 'trial-good': ['lines[*].good.id'] }, readsAll: ['trial-rebate'] };

/** Prices of lines are those of their goods; all rebates are taken off the total. */
const inProcess: Computation<Basket> = {
  ...needs,
  compute: (basket, found, { now }) => {
    for (const each of basket.lines) each.price = priceOf(found, each.good.id) ?? each.price;
    const sum = basket.lines.reduce((total, { price, quantity }) => total + price * quantity, 0);
    const off = found.all('trial-rebate').reduce((percent, each) => percent + Number(each['percent']), 0);
    basket.total = (sum * (100 - off)) / 100;
    if (basket.lines.length > 0) basket.seenAt = now;
  },
};

function priceOf(found: Found, id: string): number | undefined {
  return found.one('trial-good', id)?.['price'] as number | undefined;
}

function basketWith(computation: Computation<Basket>): Resource {
  return defineResource({
    kind: 'trial-basket',
    typeName: 'TrialBasket',
    path: 'trial-baskets',
    scopes,
    fields: basketFields,
    computation,
    actions: {
      addGood: action({ good: goodLink }, (basket: Basket, input, { found }) => {
        const named = found.one('trial-good', input.good.id) as Good | undefined;
        if (named === undefined) throw invalidOperation('An action has what it named.');
        basket.lines.push({ good: input.good, quantity: 1, price: -1 });
      }),
      addSku: {
        ...action({ sku: required(text()) }, (basket: Basket, { sku }, { found }) => {
          const holder = found.holder('trial-good', 'sku', sku);
          if (holder === undefined) throw invalidOperation(`Nothing has the SKU '${sku}'.`);
          basket.lines.push({ good: { typeId: 'trial-good', id: holder.id }, quantity: 1, price: -1 });
        }),
        holders: ({ sku }) => [{ kind: 'trial-good', unique: { field: 'sku', value: String(sku) } }],
      },
      recalculate: action({}, () => {}),
    },
  });
}

/** The same computation in a thread, which keeps rebates by their versions. */
function inThread(t: Test): Computation<Basket> {
  const protocol = pathToFileURL(join(import.meta.dirname, '..', '..', 'src', 'threads', 'protocol.js')).href;
  const folder = t.testdir({
    'basket.js': `import { servingOnParts } from '${protocol}';
      const sum = (numbers) => [...numbers].reduce((sum, each) => sum + each, 0);
      export const run = servingOnParts({}, { keptMax: 10, make: ({ percent }) => percent },
        (rebates, prices) => sum(prices) * (100 - sum(rebates.values())) / 100);`,
  });
  const workers = join(import.meta.dirname, '..', '..', 'workers');
  const task: Task<readonly number[], number, Document> = {
    name: relative(workers, join(folder, 'basket')),
    threads: 'pricing',
  };
  return {
    ...needs,
    compute: async (basket, found, { compute }) => {
      for (const each of basket.lines) each.price = priceOf(found, each.good.id) ?? each.price;
      const prices = basket.lines.map(({ price, quantity }) => price * quantity);
      const rebates = new Map(found.all('trial-rebate').map((each) => [`${each.id} ${each.version}`, each]));
      basket.total = await compute.run(task, prices, {
        names: [...rebates.keys()],
        part: (name) => rebates.get(name)!,
      });
    },
  };
}

async function made(
  platform: Platform,
  path: string,
  draft: object,
): Promise<{ id: string; version: number } & Basket> {
  const { status, text, body } = await platform.request('POST', path, draft);
  if (status > 201) throw new Error(text);
  return body as unknown as { id: string; version: number } & Basket;
}

for (const [where, computationOf] of [
  ['on the event loop', () => inProcess],
  ['in a thread', inThread],
] as const) {
  t.test(`what follows from other resources is computed ${where}, from what they are at each write`, async (t) => {
    const platform = await startPlatform(t, { resources: [good, rebate, basketWith(computationOf(t))] });
    const { request } = platform;
    const [apple, pear] = [
      await made(platform, '/trial-goods', { key: 'apple', sku: 'sku-apple', price: 100 }),
      await made(platform, '/trial-goods', { key: 'pear', sku: 'x'.repeat(600), price: 300 }),
    ];
    const created = await made(platform, '/trial-baskets', {
      lines: [{ good: { typeId: 'trial-good', key: 'apple' }, quantity: 3 }],
    });
    t.match(created, { total: 300, lines: [{ price: 100 }] }, 'a draft names what is needed');
    const path = `/trial-baskets/${created.id}`;
    let version = 1;
    const update = async (...actions: object[]) => {
      const answer = await request('POST', path, { version, actions });
      if (answer.status === 200) version = Number(answer.body['version']);
      return answer;
    };
    t.match(await update({ action: 'addGood', good: { typeId: 'trial-good', key: 'pear' } }), {
      body: { total: 600, lines: [{ price: 100 }, { price: 300 }] },
    });
    t.match(await update({ action: 'addSku', sku: 'sku-apple' }, { action: 'addSku', sku: 'x'.repeat(600) }), {
      body: { total: 1000, lines: [{}, {}, { price: 100 }, { price: 300 }] },
    });
    t.match(await update({ action: 'addSku', sku: 'sku-kiwi' }), {
      status: 400,
      body: { errors: [{ code: 'InvalidOperation' }] },
    });
    const rebated = await made(platform, '/trial-rebates', { percent: 10 });
    t.match(
      await update({ action: 'recalculate' }),
      { body: { total: 900 } },
      'a kind that is needed whole has changed',
    );
    await request('POST', `/trial-rebates/${rebated.id}`, {
      version: 1,
      actions: [{ action: 'changePercent', percent: 50 }],
    });
    await request('POST', `/trial-goods/${apple.id}`, { version: 1, actions: [{ action: 'changePrice', price: 200 }] });
    t.match(await update({ action: 'recalculate' }), { body: { total: 700, lines: [{ price: 200 }, { price: 300 }] } });
    t.equal((await request('DELETE', `/trial-goods/${pear.id}?version=1`)).status, 200);
    t.match(
      await update({ action: 'recalculate' }),
      { body: { total: 700 } },
      'what is gone has the price that it had',
    );
    t.match(await request('GET', path), { body: { total: 700, version } });
  });
}

t.test('all that an update needs is read in one round trip, and nothing twice', async (t) => {
  const platform = await startPlatform(t, { resources: [good, rebate, basketWith(inProcess)] });
  const { database, projectKey, config } = platform;
  for (const name of ['apple', 'pear', 'plum'])
    await made(platform, '/trial-goods', { key: name, sku: `sku-${name}`, price: 1 });
  const lines = ['apple', 'pear'].map((name) => ({ good: { typeId: 'trial-good', key: name } }));
  const basket = await made(platform, '/trial-baskets', { key: 'basket', lines });
  const events: string[] = [];
  const stored = createDocuments(database, { ...noQueries, query: async () => [] });
  const noted = (name: keyof Store): Store[keyof Store] => {
    const call = stored[name] as (...asked: unknown[]) => Promise<unknown>;
    return async (...asked: unknown[]) => {
      events.push(`${name} begins`);
      const found = await call(...asked);
      events.push(`${name} ends`);
      return found as never;
    };
  };
  const store = {
    ...stored,
    ...Object.fromEntries((['find', 'findNamed', 'findHolders'] as const).map((name) => [name, noted(name)])),
  };
  const fence = createFence(new Lane({ databaseUrl: config.databaseUrl, prepare: true }));
  t.teardown(() => fence.close());
  const plain = basketWith(inProcess);
  const engine = {
    registry: createRegistry([good, rebate, plain], project),
    store,
    writes: createWrites(database, new Map()),
    lastWritten: new LastWritten(fence, 1_000_000),
    collections: new CoherentCache(fence, { entriesMax: 10 }),
    sources: { note: () => {} },
    maxPerProject: () => undefined,
    listeners: { of: async () => undefined },
  } as unknown as Engine;
  const context = {
    project: { key: projectKey, version: 1, settings: {} },
    principal: principalOf('client', [`manage_project:${projectKey}`]),
    now: '2030-01-31T12:00:00.000Z',
  } as unknown as RequestContext;
  let resource = plain;
  const applyTo = (identity: Identity, version: number, ...actions: readonly object[]): Promise<unknown> =>
    update(engine, { context, resource, identity, expand: [], update: { version, actions } });
  const apply = (version: number, ...actions: readonly object[]): Promise<unknown> =>
    applyTo({ key: 'basket' }, version, ...actions);
  await apply(1, { action: 'recalculate' });
  t.strictSame(events.splice(0).slice(0, 2).toSorted(), ['find begins', 'findNamed begins']);
  await apply(
    2,
    { action: 'addSku', sku: 'sku-plum' },
    { action: 'addGood', good: { typeId: 'trial-good', key: 'pear' } },
  );
  const begun = events.filter((event) => event.endsWith('begins'));
  t.strictSame(begun.toSorted(), ['find begins', 'findHolders begins', 'findNamed begins'], 'each once');
  t.strictSame(events.slice(0, 3), begun, 'and none waits for another');
  const { body } = await platform.request('GET', `/trial-baskets/${basket.id}`);
  t.match(body, { total: 4, lines: [{ price: 1 }, { price: 1 }, { price: 1 }, { price: 1 }] });
  const updateKnown = async (version: number, expected: readonly string[]): Promise<void> => {
    events.splice(0);
    await applyTo({ id: basket.id }, version, { action: 'addSku', sku: 'sku-plum' });
    const known = events.filter((event) => event.endsWith('begins'));
    t.strictSame(known.toSorted(), expected, 'what was written last is not read again');
    t.strictSame(events.slice(0, expected.length), known);
  };
  const asNotIndexed = ['findHolders begins', 'findNamed begins'];
  await updateKnown(3, asNotIndexed);
  resource = { ...plain, indexed: { lines: { good: { id: true } } } };
  await updateKnown(4, asNotIndexed);
  // It was written with the part of it that names them.
  await updateKnown(5, ['find begins', 'findHolders begins']);
  resource = { ...plain, indexed: { lines: { price: true } } };
  // What is indexed now would not name them.
  await updateKnown(6, asNotIndexed);
});

t.test('a computation that could not read what it names is refused when it is declared', async (t) => {
  const declare = (computation: object) => () =>
    defineResource({
      kind: 'trial-wrong',
      typeName: 'TrialWrong',
      path: 'trial-wrongs',
      scopes,
      fields: { lines: defaulted(list(line), () => []) },
      actions: {},
      computation: { reads: {}, readsAll: [], compute: () => {}, ...computation } as never,
    });
  t.doesNotThrow(declare({ reads: { 'trial-good': ['lines[*].good.id'] } }));
  for (const path of [
    'lines.good.id',
    'lines[*].good',
    'lines[*].goods.id',
    'lines[*].quantity',
    'lines[0].good.id',
    '',
  ])
    t.throws(declare({ reads: { 'trial-good': [path] } }), /leads to no text/, path);
});
