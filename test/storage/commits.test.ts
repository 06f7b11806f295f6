import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import { ApiError } from '../../src/errors/api-error.ts';
import type { Increment, Insertion, Outcome, Removal, Replacement, Write, Writes } from '../../src/engine/store.ts';
import { plannedOnceSettings, type Sql } from '../../src/storage/connection.ts';
import { Database } from '../../src/storage/database.ts';
import { createWrites } from '../../src/storage/documents.ts';
import { createDatabase, insertEmptyProject } from '../support/services.ts';

const project = 'p';
const now = '2030-01-31T12:00:00.000Z';
const none = { added: [], removed: [] };

/** Writes of as many processes on one database. */
async function processes(t: Test, count: number) {
  const { url, sql, database } = await createDatabase(t);
  await insertEmptyProject(database, project);
  const all = Array.from({ length: count }, (): Writes => {
    const own = new Database({ databaseUrl: url, connectionsMax: 6, prepare: true, settings: plannedOnceSettings });
    t.teardown(() => own.close());
    return createWrites(own, new Map([['product', ['suggest']]]));
  });
  return { sql, all, writes: all[0]! };
}

function documentOf(id: string, version: number, members: object = {}): string {
  return JSON.stringify({ id, version, lastModifiedAt: now, ...members });
}

function insertion(kind: string, id: string, change: Partial<Insertion> & { members?: object } = {}): Insertion {
  const { members, ...others } = change;
  return {
    type: 'insertion',
    kind,
    id,
    version: 1,
    json: documentOf(id, 1, members),
    key: undefined,
    secrets: undefined,
    references: [],
    uniqueValues: [],
    maxPerProject: undefined,
    ...others,
  };
}

function replacement(kind: string, id: string, expectedVersion: number, change: Partial<Replacement> = {}) {
  const version = expectedVersion + 1;
  const write: Replacement = {
    type: 'replacement',
    kind,
    id,
    version,
    expectedVersion,
    json: documentOf(id, version),
    key: undefined,
    secrets: undefined,
    references: none,
    uniqueValues: none,
    ...change,
  };
  return write;
}

function removal(kind: string, id: string, expectedVersion: number | undefined): Removal {
  return { type: 'removal', kind, id, expectedVersion, isCounted: false };
}

function increment(id: string, by: number, bounds: Pick<Increment, 'min' | 'max'> = {}): Increment {
  return { type: 'increment', kind: 'stock', id, member: 'quantity', by, now, ...bounds };
}

/** All that commits leave, in one text. */
async function stateOf(sql: Sql): Promise<string> {
  const tables = ['documents', 'document_references', 'unique_values', 'resource_counts', 'change_log', 'outbox'];
  const rows = await Promise.all(
    tables.map((table) => sql.unsafe(`select to_jsonb(row) - 'at' as row from ${table} as row order by 1`)),
  );
  return JSON.stringify(rows);
}

const [held, holder, numbered, limited] = Array.from({ length: 4 }, () => randomUUID()) as [
  string,
  string,
  string,
  string,
];
const stranger = randomUUID();
const taken = { field: 'name', value: 'taken' };

/** What each write that cannot take place makes of the commit that it is in. */
const failures: Readonly<Record<string, readonly [Write, (outcome: unknown) => unknown]>> = {
  'a replacement of another version': [replacement('thing', held, 7), lost(held, 1)],
  'a replacement of what is not there': [replacement('thing', stranger, 1), lost(stranger, undefined)],
  'a removal of another version': [removal('thing', holder, 2), lost(holder, 1)],
  'a removal of what is not there': [removal('thing', stranger, undefined), lost(stranger, undefined)],
  'a number below its bound': [increment(numbered, -6, { min: 0 }), lost(numbered, 1)],
  'a number above its bound': [increment(numbered, 6, { min: 0, max: 10 }), lost(numbered, 1)],
  'a number of what is not there': [increment(stranger, 1), lost(stranger, undefined)],
  'an insertion over the limit': [
    insertion('rare', randomUUID(), { maxPerProject: 1 }),
    refused({ code: 'MaxResourceLimitExceeded', exceededResource: 'rare' }),
  ],
  'a name that is taken': [
    insertion('thing', randomUUID(), { uniqueValues: [taken] }),
    refused({ code: 'DuplicateField', field: 'name', duplicateValue: 'taken' }),
  ],
  'a key that is taken': [
    insertion('thing', randomUUID(), { key: 'key', uniqueValues: [{ field: 'name', value: 'free' }] }),
    refused({ code: 'DuplicateField', field: 'key', duplicateValue: 'key' }),
  ],
  'a reference to what is not there': [
    insertion('thing', randomUUID(), { references: [{ typeId: 'thing', id: stranger }] }),
    refused({ code: 'ReferencedResourceNotFound', typeId: 'thing', id: stranger }),
  ],
  'a removal of what others refer to': [
    removal('thing', held, 1),
    refused({ code: 'ReferenceExists', referencedBy: 'thing' }),
  ],
};

function lost(id: string, version: number | undefined) {
  return (outcome: unknown) => {
    const { isDone, write, version: current } = outcome as Outcome & { isDone: false };
    return { seen: { isDone, id: write?.id, current }, wanted: { isDone: false, id, current: version } };
  };
}

function refused(error: Readonly<Record<string, unknown>>) {
  return (outcome: unknown) => {
    const [first] = outcome instanceof ApiError ? outcome.errors : [];
    const seen = Object.fromEntries(Object.entries(first ?? {}).filter(([name]) => name !== 'message'));
    return { seen, wanted: error };
  };
}

t.test('where one write cannot take place, none does, and the answer says which', async (t) => {
  const { sql, writes } = await processes(t, 1);
  await writes.commit(project, [
    insertion('thing', held, { key: 'key', uniqueValues: [taken] }),
    insertion('stock', numbered, { members: { quantity: 5 } }),
    insertion('rare', limited, { maxPerProject: 1 }),
  ]);
  await writes.commit(project, [insertion('thing', holder, { references: [{ typeId: 'thing', id: held }] })]);
  const before = await stateOf(sql);
  const counter = randomUUID();
  for (const [name, [failing, judged]] of Object.entries(failures)) {
    for (const isFirst of [true, false]) {
      const others = [
        insertion('thing', randomUUID(), { references: [{ typeId: 'thing', id: holder }] }),
        insertion('product', randomUUID(), { uniqueValues: [{ field: 'sku', value: 'one' }] }),
        insertion('stock', counter, { members: { quantity: 5 } }),
        ...(failing.id === limited ? [] : [replacement('rare', limited, 1)]),
      ];
      const all = isFirst ? [failing, ...others] : [...others, failing];
      const outcome = await writes.commit(project, all).catch((error: unknown) => error);
      const { seen, wanted } = judged(outcome) as { seen: unknown; wanted: unknown };
      t.strictSame(seen, wanted, `${name}, ${isFirst ? 'first' : 'last'}`);
      t.equal(await stateOf(sql), before, `${name}: nothing is left`);
    }
    const alone = await writes.commit(project, [failing]).catch((error: unknown) => error);
    const { seen, wanted } = judged(alone) as { seen: unknown; wanted: unknown };
    t.strictSame(seen, wanted, `${name}, alone`);
  }
  t.equal(await stateOf(sql), before);
});

t.test('writes of one commit see each other', async (t) => {
  const { sql, writes } = await processes(t, 1);
  const [one, other] = [randomUUID(), randomUUID()];
  const name = { field: 'name', value: 'best' };
  t.strictSame(
    await writes.commit(project, [
      insertion('thing', one, { uniqueValues: [name], references: [{ typeId: 'product', id: other }] }),
      insertion('product', other),
    ]),
    { isDone: true },
    'a new resource may refer to another',
  );
  const next = randomUUID();
  t.strictSame(
    await writes.commit(project, [
      insertion('thing', next, { uniqueValues: [name] }),
      replacement('thing', one, 1, { uniqueValues: { added: [], removed: [name] } }),
    ]),
    { isDone: true },
    'a name that one gives up another takes',
  );
  const rows = await sql<{ id: string }[]>`select id from unique_values where value = 'best'`;
  t.strictSame(
    rows.map(({ id }) => id),
    [next],
  );
  await t.rejects(writes.commit(project, [replacement('thing', one, 2), removal('thing', one, 2)]), /once/);
});

t.test('a commit of too many writes, or too large ones, is refused before anything is written', async (t) => {
  const { writes, sql } = await processes(t, 1);
  const before = await stateOf(sql);
  const many = (count: number, bytes: number): readonly Write[] =>
    Array.from({ length: count }, () => insertion('thing', randomUUID(), { members: { text: 'ü'.repeat(bytes / 2) } }));
  for (const [count, bytes] of [
    [2501, 10],
    [5, 7 * 1024 * 1024],
  ] as const) {
    await t.rejects(writes.commit(project, many(count, bytes)), { code: 'InvalidInput' }, `${count} of ${bytes} bytes`);
    t.equal(await stateOf(sql), before);
  }
  t.strictSame(await writes.commit(project, many(2500, 10)), { isDone: true });
});

t.test('a number grows and shrinks, with a version and a moment', async (t) => {
  const { sql, writes } = await processes(t, 1);
  const id = randomUUID();
  await writes.commit(project, [insertion('stock', id)]);
  await Promise.all(Array.from({ length: 20 }, () => writes.commit(project, [increment(id, 2)])));
  await writes.commit(project, [
    { ...increment(id, -1), now: '2031-01-01T00:00:00.000Z' },
    insertion('thing', randomUUID()),
  ]);
  const [row] = await sql<{ data: unknown; version: string }[]>`select data, version from documents where id = ${id}`;
  const document = { id, version: 22, lastModifiedAt: '2031-01-01T00:00:00.000Z', quantity: 39 };
  t.strictSame(row, { data: document, version: '22' });
});

/** What moves from one stock to others: a receipt says how much, in the same commit. */
interface Transfer {
  readonly receipt: string;
  readonly from: string;
  readonly shares: readonly { readonly to: string; readonly quantity: number }[];
}

t.test('64 rivals over the same numbers, with connections cut between: nothing is half done', async (t) => {
  const { sql, all } = await processes(t, 2);
  const stocks = Array.from({ length: 6 }, (): string => randomUUID());
  const initial = 40;
  await all[0]!.commit(
    project,
    stocks.map((id) => insertion('stock', id, { members: { quantity: initial } })),
  );
  const counts = { done: 0, bound: 0, unknown: 0 };
  const answered = new Map<string, boolean>();
  const transfers = new Map<string, Transfer>();
  const pick = (): string => stocks[Math.floor(Math.random() * stocks.length)]!;
  const transfer = (): Transfer => {
    const from = pick();
    const others = stocks.filter((id) => id !== from).toSorted(() => Math.random() - 0.5);
    const shares = others.slice(0, 1 + Math.floor(Math.random() * 3));
    return {
      receipt: randomUUID(),
      from,
      shares: shares.map((to) => ({ to, quantity: 1 + Math.floor(Math.random() * 6) })),
    };
  };
  const run = async (rival: number): Promise<void> => {
    for (let turn = 0; turn < 12; turn += 1) {
      const one = transfer();
      transfers.set(one.receipt, one);
      const total = one.shares.reduce((sum, { quantity }) => sum + quantity, 0);
      const writes: Write[] = [
        ...one.shares.map(({ to, quantity }) => increment(to, quantity)),
        increment(one.from, -total, { min: 0 }),
        insertion('receipt', one.receipt, { members: { total } }),
      ];
      try {
        const outcome = await all[rival % 2]!.commit(project, rival % 3 === 0 ? writes.toReversed() : writes);
        answered.set(one.receipt, outcome.isDone);
        counts[outcome.isDone ? 'done' : 'bound'] += 1;
        if (!outcome.isDone) t.equal(outcome.write.id, one.from, 'only a bound is in the way');
      } catch (error) {
        // Who was cut off cannot know, and who was cut off twice before anything was done is told so.
        t.match(error, { errors: [{ code: /^(BadGateway|OverCapacity)$/ }] });
        if (error instanceof ApiError && error.code === 'OverCapacity') answered.set(one.receipt, false);
        counts.unknown += 1;
      }
    }
  };
  const cut = setInterval(() => {
    void sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() order by random() limit 1`;
  }, 40);
  t.teardown(() => clearInterval(cut));
  await Promise.all(Array.from({ length: 64 }, (_, rival) => run(rival)));
  clearInterval(cut);
  const receipts = new Set(
    (await sql<{ id: string }[]>`select id from documents where kind = 'receipt'`).map(({ id }) => id),
  );
  for (const [id, isDone] of answered) t.equal(receipts.has(id), isDone, 'a commit took place as it was answered');
  const expected = new Map(stocks.map((id) => [id, initial]));
  for (const id of receipts) {
    const { from, shares } = transfers.get(id)!;
    for (const { to, quantity } of shares) {
      expected.set(to, expected.get(to)! + quantity);
      expected.set(from, expected.get(from)! - quantity);
    }
  }
  const rows = await sql<{ id: string; quantity: number; version: number }[]>`
    select id, (data ->> 'quantity')::integer as quantity, version::integer from documents where kind = 'stock'`;
  for (const { id, quantity, version } of rows) {
    t.equal(quantity, expected.get(id), 'a number is what the receipts say');
    t.ok(quantity >= 0);
    const logged = await sql`select from change_log where id = ${id}`;
    t.equal(logged.length, version, 'a row in the log for each version');
  }
  t.comment(JSON.stringify(counts));
  t.ok(counts.done > 100 && counts.bound > 0, 'some were done, and some met the bound');
});

t.test('whatever is committed together, all of it is there or nothing', async (t) => {
  const { sql, all } = await processes(t, 2);
  const ids = Array.from({ length: 8 }, () => randomUUID());
  /** Version and number of those that are there, by their place; two kinds share the places. */
  type Model = ReadonlyMap<number, { readonly version: number; readonly quantity: number }>;
  const step = fc.record({
    type: fc.constantFrom('insertion', 'replacement', 'removal', 'increment'),
    place: fc.nat(ids.length - 1),
    isLate: fc.nat(9).map((chance) => chance === 0),
    by: fc.integer({ min: -4, max: 4 }),
  });
  const kindOf = (place: number): string => (place % 2 === 0 ? 'stock' : 'product');
  type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;
  const writeOf = ({ type, place, isLate, by }: Step, model: Model): Write => {
    const [id, kind] = [ids[place]!, kindOf(place)];
    const version = (model.get(place)?.version ?? 1) + (isLate ? 1 : 0);
    if (type === 'insertion') return insertion(kind, id, { members: { quantity: 0 }, key: `key ${place}` });
    if (type === 'replacement')
      return replacement(kind, id, version, {
        key: `key ${place}`,
        json: documentOf(id, version + 1, { quantity: by + 4 }),
      });
    if (type === 'removal') return removal(kind, id, version);
    return { type: 'increment', kind, id, member: 'quantity', by, min: 0, now };
  };
  let model: Model = new Map();
  let done = 0;
  const round = fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 5 }), fc.nat(1), async (given, process) => {
    const steps = [...new Map(given.map((each) => [each.place, each])).values()];
    const writes = steps.map((each) => writeOf(each, model));
    const next = new Map(model);
    const possible = steps.every(({ type, place, isLate, by }) => {
      const there = model.get(place);
      if (type === 'insertion') next.set(place, { version: 1, quantity: 0 });
      if (type === 'insertion') return there === undefined;
      if (there === undefined) return false;
      if (type === 'removal') next.delete(place);
      if (type === 'replacement') next.set(place, { version: there.version + 1, quantity: by + 4 });
      if (type !== 'increment') return !isLate;
      next.set(place, { version: there.version + 1, quantity: there.quantity + by });
      return there.quantity + by >= 0;
    });
    const outcome = await all[process]!.commit(project, writes).catch((error: unknown) => error);
    t.equal(!(outcome instanceof Error) && (outcome as Outcome).isDone, possible);
    // An insertion meets its own id and key, which somebody who made another id would take for a rival's.
    if (outcome instanceof Error) t.match(outcome, { errors: [{ code: /^(DuplicateField|OverCapacity)$/ }] });
    if (possible) {
      model = next;
      done += 1;
    }
    const rows = await sql<{ id: string; version: number; quantity: number }[]>`
      select id, version::integer, (data ->> 'quantity')::integer as quantity from documents
      where kind in ('stock', 'product')`;
    const seen = Object.fromEntries(rows.map(({ id, ...state }) => [id, state]));
    t.strictSame(seen, Object.fromEntries([...model].map(([place, state]) => [ids[place]!, { ...state }])));
  });
  await fc.assert(round, { numRuns: 400, endOnFailure: true });
  t.ok(done > 50, `${done} commits took place`);
});
