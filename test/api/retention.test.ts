import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startFeeder } from '../../src/feeder.ts';
import { expire } from '../../src/engine/operations/expire.ts';
import { createRetentionConsumer } from '../../src/retention/consumer.ts';
import type { RetentionOptions } from '../../src/retention/steps.ts';
import { createRetained } from '../../src/storage/retained.ts';
import { made, type Made } from '../support/cart-visit-shop.ts';
import { changeSettings, type Platform, startPlatform } from '../support/platform.ts';
import { createDatabase, eventually } from '../support/services.ts';

const dayMs = 86_400_000;
const name = { en: 'Wishes' };

/** A platform whose feeder is ahead of the time by so many days as `clock.days` says. */
async function aheadOfTime(
  t: Test,
  options = {},
): Promise<{ readonly platform: Platform; readonly clock: { days: number } }> {
  const clock = { days: 0 };
  const ahead = (): Date => new Date(Date.now() + clock.days * dayMs);
  const platform = await startPlatform(t, { feeder: true, clock: ahead, meilisearch: 'none', ...options });
  return { platform, clock };
}

/** Waits until these have gone. */
async function goneAll({ request }: Platform, paths: readonly string[]): Promise<void> {
  for (const path of paths)
    await eventually(async () => ((await request('GET', path)).status === 404 ? true : undefined));
}

t.test('carts and lists stay for their own days or the project’s at their creation, and go then', async (t) => {
  const { platform, clock } = await aheadOfTime(t);
  const { request } = platform;
  const cart = (draft: object = {}): Promise<Made> =>
    request('POST', '/carts', { currency: 'EUR', ...draft }).then(made);
  const list = (draft: object = {}): Promise<Made> => request('POST', '/shopping-lists', { name, ...draft }).then(made);
  const usual = { cart: await cart(), list: await list() };
  t.match(usual, {
    cart: { deleteDaysAfterLastModification: 90 },
    list: { deleteDaysAfterLastModification: 360 },
  });
  const changed = await changeSettings(platform, {
    action: 'changeCartsConfiguration',
    cartsConfiguration: { deleteDaysAfterLastModification: 20 },
  });
  t.equal(changed.status, 200);
  const [short, own] = [await cart(), await cart({ deleteDaysAfterLastModification: 10 })];
  t.match([short, own], [{ deleteDaysAfterLastModification: 20 }, { deleteDaysAfterLastModification: 10 }]);
  const set = async (deleteDaysAfterLastModification?: number): Promise<Made> => {
    const { id, version } = await cart({ deleteDaysAfterLastModification: 5 });
    const actions = [{ action: 'setDeleteDaysAfterLastModification', deleteDaysAfterLastModification }];
    return (await request('POST', `/carts/${id}`, { version, actions })).body as Made;
  };
  const [longer, asProject] = [await set(30), await set()];
  t.match([longer, asProject], [{ deleteDaysAfterLastModification: 30 }, { deleteDaysAfterLastModification: 20 }]);
  t.match((await request('GET', `/carts/${usual.cart.id}`)).body, { deleteDaysAfterLastModification: 90 });

  const pathOf = ({ id }: Made): string => `/carts/${id}`;
  const all = [short, own, longer, asProject, usual.cart];
  const steps = [
    { days: 11, gone: [own] },
    { days: 21, gone: [own, short, asProject] },
    { days: 31, gone: [own, short, asProject, longer] },
    { days: 91, gone: all },
  ];
  for (const { days, gone } of steps) {
    clock.days = days;
    await goneAll(platform, gone.map(pathOf));
    for (const each of all.filter((one) => !gone.includes(one)))
      t.match(await request('GET', pathOf(each)), { status: 200, body: { version: each.version } }, `day ${days}`);
    t.match((await request('GET', '/carts')).body, { total: all.length - gone.length }, 'lists have heard of it');
  }
  t.match((await request('GET', `/shopping-lists/${usual.list.id}`)).body, { version: 1 });
  clock.days = 361;
  await goneAll(platform, [`/shopping-lists/${usual.list.id}`]);
});

t.test('what was modified stays from then on, and so does what is on the point of going', async (t) => {
  const { platform, clock } = await aheadOfTime(t);
  const { request, sql, projectKey } = platform;
  const draft = { currency: 'EUR', deleteDaysAfterLastModification: 10 };
  const [old, touched] = [made(await request('POST', '/carts', draft)), made(await request('POST', '/carts', draft))];
  // As if the carts were made eleven days ago.
  const at = new Date(Date.now() - 11 * dayMs).toISOString();
  await sql`update documents set data = jsonb_set(data, '{lastModifiedAt}', to_jsonb(${at}::text)) where project = ${projectKey} and kind = 'cart'`;
  const actions = [{ action: 'setCountry', country: 'DE' }];
  t.equal((await request('POST', `/carts/${touched.id}`, { version: 1, actions })).status, 200);
  clock.days = 1;
  await goneAll(platform, [`/carts/${old.id}`]);
  t.match(await request('GET', `/carts/${touched.id}`), { status: 200, body: { version: 2 } });
});

t.test('more than a step go, and what others refer to holds nobody up', async (t) => {
  const { platform, clock } = await aheadOfTime(t);
  const { request, sql, projectKey } = platform;
  const count = 130;
  const list = { name, deleteDaysAfterLastModification: 1 };
  const lists = [];
  for (let index = 0; index < count; index += 10)
    lists.push(
      ...(await Promise.all(
        Array.from({ length: 10 }, async () => made(await request('POST', '/shopping-lists', list))),
      )),
    );
  // Nothing refers to lists strongly; as if the first did to all of the first step but itself.
  const [first, ...others] = lists.map(({ id }) => id);
  await sql`insert into document_references (project, source_kind, source_id, target_kind, target_id)
    select ${projectKey}, 'shopping-list', ${others.at(-1)!}::uuid, 'shopping-list', id::uuid
    from unnest(${[first!, ...others.slice(0, 104)]}::text[]) as id`;
  clock.days = 2;
  await goneAll(
    platform,
    others.slice(105).map((id) => `/shopping-lists/${id}`),
  );
  // The reference went with its source, so the rest goes at the next look.
  clock.days = 3;
  await goneAll(
    platform,
    [first!, ...others].map((id) => `/shopping-lists/${id}`),
  );
  t.match((await request('GET', '/shopping-lists')).body, { total: 0 });
});

t.test('above the number that a project keeps the least recently modified go', async (t) => {
  const { platform, clock } = await aheadOfTime(t, { keptMax: 'cart=3' });
  const { request } = platform;
  const other = await platform.anotherProject();
  const ofOther = made(await other.request('POST', '/carts', { currency: 'EUR' }));
  const carts: Made[] = [];
  for (let index = 0; index < 6; index += 1) carts.push(made(await request('POST', '/carts', { currency: 'EUR' })));
  const [first, second, third, ...last] = carts;
  const actions = [{ action: 'setCountry', country: 'DE' }];
  t.equal((await request('POST', `/carts/${first!.id}`, { version: 1, actions })).status, 200);
  const lists = [made(await request('POST', '/shopping-lists', { name }))];
  // Counts are an hour apart.
  clock.days = 0.05;
  await goneAll(
    platform,
    [second!, third!, last[0]!].map(({ id }) => `/carts/${id}`),
  );
  t.match((await request('GET', '/carts')).body, { total: 3 });
  for (const { id } of [first!, last[1]!, last[2]!]) t.equal((await request('GET', `/carts/${id}`)).status, 200);
  t.equal((await request('GET', `/shopping-lists/${lists[0]!.id}`)).status, 200);
  t.equal((await other.request('GET', `/carts/${ofOther.id}`)).status, 200);
});

t.test('several processes delete each once', async (t) => {
  const { platform, clock } = await aheadOfTime(t);
  const { request, sql, projectKey, config } = platform;
  const feeder = startFeeder({ ...config, meiliUrl: undefined }, pino({ level: 'silent' }), {
    clock: () => new Date(Date.now() + clock.days * dayMs),
  });
  t.teardown(() => feeder.close());
  const draft = { currency: 'EUR', deleteDaysAfterLastModification: 1 };
  const carts = await Promise.all(Array.from({ length: 30 }, async () => made(await request('POST', '/carts', draft))));
  clock.days = 2;
  await goneAll(
    platform,
    carts.map(({ id }) => `/carts/${id}`),
  );
  const [row] = await sql<{ count: number }[]>`
    select count(*)::int as count from change_log where project = ${projectKey} and kind = 'cart'`;
  t.equal(row!.count, 2 * carts.length, 'each was made and deleted');
});

t.test('what another process has deleted since it was counted is not deleted once more', async (t) => {
  const excesses = [[{ project: 'p', kind: 'cart', count: 6 }], []];
  const asked: unknown[] = [];
  const { further } = createRetentionConsumer({
    engine: {
      registry: { resources: [{ kind: 'cart', retention: {} }], byKind: new Map() },
    } as unknown as RetentionOptions['engine'],
    retained: {
      projects: () => Promise.resolve([]),
      due: () => Promise.resolve([]),
      expiring: () => Promise.resolve([]),
      expired: () => Promise.resolve([]),
      projectsBefore: () => Promise.resolve([]),
      createdBefore: () => Promise.resolve([]),
      excess: (_, asked) => Promise.resolve(excesses['project' in asked ? 1 : 0]!),
      oldest: (...given) => {
        asked.push(given);
        return Promise.resolve([]);
      },
    },
    context: () => Promise.reject(new Error('Nothing is deleted')),
    clock: () => new Date(),
    countMax: () => 3,
  });
  t.strictSame(await further!.due(), ['p']);
  t.equal(await further!.work({ project: 'p' } as never), false);
  t.strictSame(asked, []);
  t.strictSame(await further!.due(), [], 'it is done with');
});

t.test('more projects than are found at a time are found one after the other', async (t) => {
  const { sql, database } = await createDatabase(t);
  const keys = Array.from({ length: 1003 }, (_, index) => `p-${10_000 + index}`);
  await sql`insert into projects select key, 1, '{}' from unnest(${keys}::text[]) as key`;
  const modified = { lastModifiedAt: '2026-01-01T00:00:00.000Z', deleteDaysAfterLastModification: 1 };
  const held = { state: 'Created', expiresAt: '2026-01-02T00:00:00.000Z' };
  for (const [kind, data] of [
    ['cart', modified],
    ['reservation', held],
  ] as const)
    await sql`insert into documents (project, kind, id, version, data)
      select key, ${kind}, gen_random_uuid(), 1, ${JSON.stringify(data)}::text::jsonb from unnest(${keys}::text[]) as key`;
  const carts = { resources: [{ kind: 'cart', retention: {} }], byKind: new Map() };
  const reservations = { resources: [], byKind: new Map([['reservation', { kind: 'reservation', expiry: {} }]]) };
  for (const [registry, countMax, stepMs, at] of [
    [carts, 10, 61_000, '2026-02-01'],
    [carts, 0, 3_700_000, '2025-02-01'],
    [reservations, 0, 61_000, '2026-02-01'],
  ] as const) {
    let now = Date.parse(at);
    const { further } = createRetentionConsumer({
      engine: { registry } as unknown as RetentionOptions['engine'],
      retained: createRetained(database),
      context: () => Promise.reject(new Error('Nothing is deleted')),
      clock: () => new Date(now),
      countMax: () => countMax,
    });
    const look = async (): Promise<readonly string[]> => {
      now += stepMs;
      return further!.due();
    };
    t.strictSame(await look(), keys.slice(0, 1000));
    t.strictSame(await look(), keys, 'a look goes on behind the one before');
  }
});

t.test('what somebody has changed since it was found stays', async (t) => {
  const removals: unknown[] = [];
  const engine = {
    store: { find: () => Promise.resolve([{ id: 'a', version: 3, json: '{}' }]) },
    writes: { commit: (...given: unknown[]) => Promise.resolve(removals.push(given)) },
  } as unknown as Parameters<typeof expire>[0];
  const given = { context: { project: { key: 'p' } }, resource: { kind: 'cart' }, id: 'a', version: 2 };
  await expire(engine, given as unknown as Parameters<typeof expire>[1]);
  t.strictSame(removals, []);
});

t.test('what is due is found by an index', async (t) => {
  const { sql } = await startPlatform(t);
  for (const kind of ['cart', 'shopping-list']) {
    const plan = await sql.begin(async (transaction) => {
      // There are few rows.
      await transaction`set local enable_seqscan = off`;
      await transaction`set local enable_bitmapscan = off`;
      return transaction.unsafe<{ 'QUERY PLAN': string }[]>(
        `explain select id from documents where project = 'p' and kind = '${kind}' and data ? 'deleteDaysAfterLastModification'
          and stays_until(data) <= now() order by stays_until(data), id limit 100`,
      );
    });
    const text = plan.map((row) => row['QUERY PLAN']).join('\n');
    t.match(text, kind === 'cart' ? /documents_cart_stays/ : /documents_other_stays/);
    t.notMatch(text, /Sort/);
  }
});
