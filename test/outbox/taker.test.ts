import { randomBytes, randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Increment, Insertion, Writes } from '../../src/engine/store.ts';
import { type Lease, type Outbox, type QueuedChange, topicsByKind } from '../../src/outbox/outbox.ts';
import { type Consumer, createTaker, type Taker } from '../../src/outbox/taker.ts';
import type { Sql } from '../../src/storage/connection.ts';
import type { Database } from '../../src/storage/database.ts';
import { createWrites } from '../../src/storage/documents.ts';
import { createKeywordSource } from '../../src/storage/keyword-source.ts';
import { createOutbox } from '../../src/storage/outbox.ts';
import { createDatabase, eventually, insertEmptyProject } from '../support/services.ts';

const topics = topicsByKind([
  { name: 'stock', kinds: ['inventory-entry'] },
  { name: 'all', kinds: ['inventory-entry', 'product'] },
]);

interface Place {
  readonly sql: Sql;
  readonly database: Database;
  readonly outbox: Outbox;
  readonly writes: Writes;
}

async function createPlace(t: Test, projects: readonly string[]): Promise<Place> {
  const { sql, database } = await createDatabase(t);
  for (const project of projects) await insertEmptyProject(database, project);
  return { sql, database, outbox: createOutbox(database), writes: createWrites(database, topics) };
}

const plainInsertion = {
  type: 'insertion',
  version: 1,
  key: undefined,
  secrets: undefined,
  references: [],
  uniqueValues: [],
  maxPerProject: undefined,
} as const;

async function insert({ writes }: Place, project: string, kind = 'inventory-entry'): Promise<string> {
  const id = randomUUID();
  const insertion: Insertion = { ...plainInsertion, kind, id, json: JSON.stringify({ id, version: 1, stock: 0 }) };
  await writes.commit(project, [insertion]);
  return id;
}

/** Each makes a version of its own, whoever comes between. */
async function increment({ writes }: Place, project: string, id: string): Promise<void> {
  const now = '2030-01-31T12:00:00.000Z';
  const change: Increment = { type: 'increment', kind: 'inventory-entry', id, member: 'stock', by: 1, now };
  await writes.commit(project, [change]);
}

/** Remembers what it was given; `fails` says whether it does so instead. */
function remembering(topic: string, fails: (project: string) => boolean = () => false) {
  const given = new Map<string, QueuedChange[]>();
  const consumer: Consumer = {
    topic,
    consume: ({ project }, changes) => {
      if (fails(project)) return Promise.reject(new Error('This consumer is down'));
      given.set(project, [...(given.get(project) ?? []), ...changes]);
      return Promise.resolve();
    },
  };
  return { given, consumer };
}

function start(t: Test, { outbox }: Place, consumer: Consumer): Taker {
  const taker = createTaker({ outbox, consumer, log: { warn: () => {} } });
  taker.run();
  t.teardown(() => taker.close());
  return taker;
}

/** All of the topic has left the queue. */
async function emptied({ sql }: Place, topic: string, project: string): Promise<boolean> {
  await eventually(async () => {
    const rows = await sql`select from outbox where topic = ${topic} and project = ${project} limit 1`;
    return rows.length === 0 ? true : undefined;
  });
  return true;
}

t.test('each write of a kind is on the queue of each of its topics, and on no other', async (t) => {
  const place = await createPlace(t, ['p']);
  const [entry, product] = [await insert(place, 'p'), await insert(place, 'p', 'product')];
  await insert(place, 'p', 'zone');
  await increment(place, 'p', entry);
  const queued = async (topic: string) =>
    (await place.outbox.take({ project: 'p', topic, holder: randomUUID() })).map(
      ({ kind, id, version }) => `${kind} ${id} ${version}`,
    );
  t.strictSame(await queued('stock'), [`inventory-entry ${entry} 1`, `inventory-entry ${entry} 2`]);
  t.strictSame(await queued('all'), [
    `inventory-entry ${entry} 1`,
    `product ${product} 1`,
    `inventory-entry ${entry} 2`,
  ]);
});

t.test('each version arrives, in order for each resource, while takers come and go', async (t) => {
  const place = await createPlace(t, ['p']);
  const ids = await Promise.all(Array.from({ length: 4 }, () => insert(place, 'p')));
  const { given, consumer } = remembering('stock');
  const changing = ids.flatMap((id) => Array.from({ length: 60 }, () => increment(place, 'p', id)));
  for (let round = 0; round < 4; round += 1) {
    const takers = [start(t, place, consumer), start(t, place, consumer)];
    await changing[round * 50];
    await Promise.all(takers.map((taker) => taker.close()));
  }
  await Promise.all(changing);
  start(t, place, consumer);
  t.ok(await emptied(place, 'stock', 'p'));
  for (const id of ids) {
    const versions = given.get('p')!.filter((change) => change.id === id);
    t.strictSame(
      versions.map(({ version }) => version),
      Array.from({ length: 61 }, (_, index) => index + 1),
      'takers that end in order repeat nothing',
    );
  }
});

t.test('steady writes are taken together, while work goes on that was begun', async (t) => {
  const place = await createPlace(t, ['p']);
  const taken: { readonly atMs: number; readonly count: number; works: number }[] = [];
  const taker = start(t, place, {
    topic: 'stock',
    consume: (_, { length }) => {
      taken.push({ atMs: performance.now(), count: length, works: 0 });
      return Promise.resolve();
    },
    further: {
      due: () => Promise.resolve(taken.length === 0 ? [] : ['p']),
      work: () => Promise.resolve(taken.length > 0 && (taken.at(-1)!.works += 1) < 4),
    },
  });
  const id = await insert(place, 'p');
  for (let number = 0; number < 60; number += 1) {
    taker.wake();
    await increment(place, 'p', id);
  }
  t.ok(await emptied(place, 'stock', 'p'));
  t.equal(
    taken.reduce((sum, { count }) => sum + count, 0),
    61,
  );
  for (const [index, { atMs, works }] of taken.slice(0, -1).entries()) {
    t.ok(taken[index + 1]!.atMs - atMs > 90, 'a take that left nothing is followed by a tenth of a second without one');
    t.ok(works >= 4, 'in which all work is done');
  }
});

t.test('nothing is asked of a project that gathers, however often takers are woken', async (t) => {
  const place = await createPlace(t, ['p', 'q']);
  const calls = { waiting: 0, renew: 0, take: 0 };
  const counted =
    <Name extends keyof typeof calls>(name: Name) =>
    (...args: unknown[]): never => {
      calls[name] += 1;
      return (place.outbox[name] as (...given: unknown[]) => never)(...args);
    };
  const outbox = { ...place.outbox, waiting: counted('waiting'), renew: counted('renew'), take: counted('take') };
  const { consumer } = remembering('stock');
  const taker = start(t, { ...place, outbox }, consumer);
  const ids = [await insert(place, 'p'), await insert(place, 'q')];
  for (let number = 0; number < 200; number += 1) {
    taker.wake();
    await increment(place, number % 2 === 0 ? 'p' : 'q', ids[number % 2]!);
  }
  for (const project of ['p', 'q']) t.ok(await emptied(place, 'stock', project));
  const { waiting, renew, take } = calls;
  t.ok(waiting <= 2 * take + 4, `${waiting} looks for ${take} takes`);
  t.ok(renew <= take, `${renew} renewals`);
});

t.test('what a consumer failed on comes again, with all that followed it, and in order', async (t) => {
  const place = await createPlace(t, ['p']);
  const id = await insert(place, 'p');
  let attempts = 0;
  const { given, consumer } = remembering('stock', () => (attempts += 1) < 3);
  start(t, place, consumer);
  await eventually(() => Promise.resolve(attempts > 1 ? true : undefined));
  await increment(place, 'p', id);
  t.ok(await emptied(place, 'stock', 'p'));
  t.strictSame(
    given.get('p')!.map(({ version }) => version),
    [1, 2],
  );
});

t.test('a consumer that is down delays neither others nor other projects', async (t) => {
  const place = await createPlace(t, ['a', 'b']);
  const isDown = new Set(['a']);
  const stock = remembering('stock', (project) => isDown.has(project));
  const all = remembering('all');
  for (const project of ['a', 'b']) await insert(place, project);
  start(t, place, stock.consumer);
  start(t, place, all.consumer);
  for (const project of ['a', 'b']) t.ok(await emptied(place, 'all', project), 'the other consumer has its changes');
  t.ok(await emptied(place, 'stock', 'b'), 'the other project has its changes');
  const backlog = await place.outbox.backlog();
  t.match(backlog, [{ project: 'a', topic: 'stock', of: 'changes', count: 1 }]);
  t.equal(backlog.length, 1);
  t.ok(backlog[0]!.oldestSeconds >= 0);
  isDown.clear();
  t.ok(await emptied(place, 'stock', 'a'));
  t.equal((await place.outbox.backlog()).length, 0);
});

t.test('a project has one taker at a time, and the next one when that does not renew its lease', async (t) => {
  const { outbox, sql } = await createPlace(t, ['p']);
  const [one, other]: readonly [Lease, Lease] = [
    { project: 'p', topic: 'stock', holder: randomUUID() },
    { project: 'p', topic: 'stock', holder: randomUUID() },
  ];
  t.equal(await outbox.hold(one), true);
  t.equal(await outbox.hold(other), false);
  t.equal(await outbox.hold({ ...other, topic: 'all' }), true, 'each topic has a lease of its own');
  t.equal(await outbox.renew(one), true);
  t.equal(await outbox.renew(other), false);
  await sql`update leases set expires_at = clock_timestamp() - interval '1 second' where name = 'stock'`;
  t.equal(await outbox.hold(other), true);
  t.equal(await outbox.hold(one), false);
  await outbox.release(one);
  t.equal(await outbox.hold(one), false, 'nobody gives away the lease of another');
  await sql`update leases set expires_at = clock_timestamp() - interval '1 second' where name = 'stock'`;
  t.equal(await outbox.renew(one), false, 'nor comes back to it when its time is over');
  await outbox.release(other);
  t.equal(await outbox.renew(one), false, 'or when it is given back');
  t.equal(await outbox.hold(one), true);
});

t.test('a lease is renewed while work goes on, and what lost it goes on as another', async (t) => {
  const place = await createPlace(t, ['p']);
  const { outbox, sql } = place;
  await insert(place, 'p');
  const leases: Lease[] = [];
  let finish = (): void => {};
  const consumer: Consumer = {
    topic: 'stock',
    consume: async (lease) => {
      leases.push(lease);
      if (leases.length === 1) await new Promise<void>((resolve) => (finish = resolve));
    },
  };
  const taker = createTaker({ outbox, consumer, log: { warn: () => {} }, renewMs: 5 });
  taker.run();
  t.teardown(() => taker.close());
  await eventually(() => Promise.resolve(leases.length > 0 ? true : undefined));
  const expired = async () => sql`update leases set expires_at = clock_timestamp() - interval '1 second'`;
  await expired();
  await eventually(async () => {
    const [row] = await sql`select from leases where expires_at > clock_timestamp()`;
    return row === undefined ? undefined : true;
  });
  // Another process takes it while this one stands still, and its time is over as well.
  const other: Lease = { project: 'p', topic: 'stock', holder: randomUUID() };
  await sql`update leases set holder = ${other.holder}, expires_at = clock_timestamp() - interval '1 second'`;
  await insert(place, 'p');
  finish();
  t.ok(await emptied(place, 'stock', 'p'));
  t.ok(leases.length > 1);
  t.ok(leases.slice(1).every(({ holder }) => holder !== leases[0]!.holder && holder !== other.holder));
});

t.test('whoever lost the lease unawares writes no keywords, which might be old', async (t) => {
  const { outbox, database, sql } = await createPlace(t, ['p']);
  await sql`update projects set data = '{"searchIndexing": {"products": {"status": "Activated"}}}'`;
  const source = createKeywordSource(database);
  const [late, next]: readonly [Lease, Lease] = [
    { project: 'p', topic: 'suggest', holder: randomUUID() },
    { project: 'p', topic: 'suggest', holder: randomUUID() },
  ];
  const resourceId = randomUUID();
  const offering = (text: string) => [{ resourceId, locale: 'en', hash: text, text, current: [text], staged: [text] }];
  const offered = async () => (await sql<{ text: string }[]>`select text from suggest_source`).map(({ text }) => text);
  await t.rejects(source.offer(late, [resourceId], offering('nobody')), /another's/, 'without a lease');
  await outbox.hold(late);
  await source.offer(late, [resourceId], offering('old'));
  t.strictSame(await offered(), ['old']);
  await sql`update leases set expires_at = clock_timestamp() - interval '1 second'`;
  await source.offer(late, [resourceId], offering('slow'));
  t.strictSame(await offered(), ['slow'], "it is the holder's until somebody takes it");
  t.equal(await outbox.hold(next), true);
  await source.offer(next, [resourceId], offering('new'));
  await t.rejects(source.offer(late, [resourceId], offering('late')), /another's/);
  t.strictSame(await offered(), ['new']);
  const dirty = await source.backlog();
  t.match(dirty, [{ project: 'p', topic: 'suggest', count: 3 }], 'the texts that are gone and the one that came');

  // The next holder has pushed them, and then the late one's push arrives.
  const dirtyKeywords = () => source.dirtyKeywords('p', 'keywords', { limit: 5000 });
  const pushed = await dirtyKeywords();
  for (const index of ['keywords', 'lexicon'] as const)
    await source.clearDirty(next, { index, texts: pushed, refused: [] });
  t.equal((await source.backlog()).length, 0);
  await source.clearDirty(late, { index: 'keywords', texts: pushed.slice(0, 2), refused: [] });
  const again = await dirtyKeywords();
  t.strictSame(
    again.map(({ hash }) => hash).toSorted(),
    pushed
      .slice(0, 2)
      .map(({ hash }) => hash)
      .toSorted(),
  );
  await source.clearDirty(late, { index: 'keywords', texts: again, refused: [] });
  await source.clearDirty(next, { index: 'keywords', texts: again, refused: [] });
  t.equal((await dirtyKeywords()).length, 2, 'and nothing clears what came later');
  // Nor where the other index has it already.
  const marked = await dirtyKeywords();
  await source.clearDirty(next, { index: 'lexicon', texts: marked, refused: [] });
  await source.clearDirty(next, { index: 'keywords', texts: again, refused: [] });
  t.equal((await dirtyKeywords()).length, 2);
  await source.clearDirty(next, { index: 'keywords', texts: marked, refused: [] });
  t.equal((await source.backlog()).length, 0);
});

t.test('the keywords of many resources, or of large ones, are read in pieces', async (t) => {
  const { database, writes } = await createPlace(t, ['p']);
  const source = createKeywordSource(database);
  const ids: string[] = [];
  const insertProduct = async (bytes: number): Promise<void> => {
    const id = randomUUID();
    const searchKeywords = { en: [{ text: randomBytes(bytes / 2).toString('hex') }] };
    const document = { id, version: 1, masterData: { published: false, staged: { searchKeywords } } };
    const insertion: Insertion = { ...plainInsertion, kind: 'product', id, json: JSON.stringify(document) };
    await writes.commit('p', [insertion]);
    ids.push(id);
  };
  for (const bytes of [3_000_000, 500_000, 400_000, 600_000, 2]) await insertProduct(bytes);
  const gone = Array.from({ length: 150 }, () => randomUUID());
  const asked = [...ids, ...gone];
  const pieces: (readonly [count: number, found: number])[] = [];
  for (let begin = 0; begin < asked.length;) {
    const { count, resources } = await source.keywordsOf('p', asked.slice(begin));
    t.ok(resources.every(({ id }) => asked.slice(begin, begin + count).includes(id)));
    pieces.push([count, resources.length]);
    begin += count;
  }
  t.strictSame(pieces, [
    [1, 1],
    [2, 2],
    [100, 2],
    [52, 0],
  ]);
});

t.test('a version that knows no topics goes on writing', async (t) => {
  const { sql, outbox } = await createPlace(t, ['p']);
  const id = randomUUID();
  await sql`insert into outbox (project, kind, id, version) values ('p', 'product', ${id}, 1)`;
  t.match(await outbox.take({ project: 'p', topic: 'suggest', holder: randomUUID() }), [{ id }]);
});
