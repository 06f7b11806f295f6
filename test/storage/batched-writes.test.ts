import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import t, { type Test } from 'tap';
import type { Insertion, Outcome, Replacement, Store } from '../../src/engine/store.ts';
import { clientError, connect, plannedOnceSettings, type Sql } from '../../src/storage/connection.ts';
import { Database } from '../../src/storage/database.ts';
import { createDocuments, createWrites } from '../../src/storage/documents.ts';
import { createDatabase, eventually, insertEmptyProject, noQueries } from '../support/services.ts';

const project = 'p';
const kind = 'thing';

/** A store, and single commits to it. */
interface Process extends Pick<Store, 'find'> {
  insert(project: string, insertion: Insertion): Promise<Outcome>;
  replace(project: string, replacement: Replacement): Promise<Outcome>;
}

/** Stores of as many processes on one database. */
async function stores(t: Test, count: number, settings: Readonly<Record<string, string>> = {}) {
  const { url, sql, database } = await createDatabase(t);
  await insertEmptyProject(database, project);
  const all = Array.from({ length: count }, (): Process => {
    const own = new Database({
      databaseUrl: url,
      connectionsMax: 6,
      prepare: true,
      settings: { ...plannedOnceSettings, ...settings },
    });
    t.teardown(() => own.close());
    const { commit } = createWrites(own, new Map());
    const one = (key: string, write: Insertion | Replacement): Promise<Outcome> => commit(key, [write]);
    return { find: createDocuments(own, noQueries).find, insert: one, replace: one };
  });
  return { url, sql, all };
}

/** What a resource of these tests is: who wrote it, and what it holds. */
interface State {
  readonly version: number;
  readonly by: string;
  readonly targets: readonly string[];
  readonly values: readonly string[];
}

const field = 'name';
const referenceTo = (id: string) => ({ typeId: kind, id });
const uniqueOf = (value: string) => ({ field, value });
const jsonOf = (id: string, state: State): string => JSON.stringify({ id, ...state });

function insertionOf(id: string, state: State): Insertion {
  return {
    type: 'insertion',
    kind,
    id,
    version: state.version,
    json: jsonOf(id, state),
    key: undefined,
    secrets: undefined,
    references: state.targets.map(referenceTo),
    uniqueValues: state.values.map(uniqueOf),
    maxPerProject: undefined,
  };
}

function without(all: readonly string[], others: readonly string[]): readonly string[] {
  return all.filter((one) => !others.includes(one));
}

function replacementOf(id: string, before: State, after: State): Replacement {
  return {
    type: 'replacement',
    kind,
    id,
    version: after.version,
    json: jsonOf(id, after),
    key: undefined,
    expectedVersion: before.version,
    secrets: undefined,
    references: {
      added: without(after.targets, before.targets).map(referenceTo),
      removed: without(before.targets, after.targets).map(referenceTo),
    },
    uniqueValues: {
      added: without(after.values, before.values).map(uniqueOf),
      removed: without(before.values, after.values).map(uniqueOf),
    },
  };
}

const first: State = { version: 1, by: 'insert', targets: [], values: [] };

async function statements(sql: Sql): Promise<number> {
  const [row] = await sql<
    { count: number }[]
  >`select count(distinct xid)::integer as count from change_log where kind = ${kind}`;
  return row!.count;
}

t.test('writes of one tick share statements, and each hears of its own', async (t) => {
  const { sql, all } = await stores(t, 1);
  const [store] = all as [Process];
  const ids = Array.from({ length: 50 }, () => randomUUID());
  await Promise.all(ids.map((id) => store.insert(project, insertionOf(id, first))));
  t.equal(await statements(sql), 2, 'statements for 50 inserts');
  const outcomes = await Promise.all(
    ids.map((id, index) => {
      const after = { ...first, version: 2, by: `update ${index}` };
      const before = { ...first, version: index % 10 === 0 ? 7 : 1 };
      return store.replace(project, replacementOf(id, before, after));
    }),
  );
  t.equal(await statements(sql), 4, 'and for 50 updates');
  t.match(
    outcomes,
    ids.map((id, index) => (index % 10 === 0 ? { isDone: false, write: { id }, version: 1 } : { isDone: true })),
  );
  const found = await store.find(
    project,
    ids.map((id) => ({ kind, id })),
  );
  for (const [index, stored] of found.entries()) {
    const by = index % 10 === 0 ? 'insert' : `update ${index}`;
    t.match(JSON.parse(String(stored!.json)), { id: ids[index], by });
    t.equal(stored!.version, index % 10 === 0 ? 1 : 2);
  }
});

t.test('statements are bounded by the characters of their documents', async (t) => {
  const { sql, all } = await stores(t, 1);
  const big = { ...first, by: 'x'.repeat(400_000) };
  await Promise.all(Array.from({ length: 5 }, () => all[0]!.insert(project, insertionOf(randomUUID(), big))));
  t.equal(await statements(sql), 3);
  const biggest = { ...first, by: 'x'.repeat(1_500_000) };
  await all[0]!.insert(project, insertionOf(randomUUID(), biggest));
  t.equal(await statements(sql), 4);
});

t.test('more writes than may wait are refused', async (t) => {
  const { sql, all } = await stores(t, 1);
  const writes = Array.from({ length: 4100 }, () => all[0]!.insert(project, insertionOf(randomUUID(), first)));
  const refused = (await Promise.allSettled(writes)).filter(({ status }) => status === 'rejected');
  t.equal(refused.length, 4);
  for (const refusal of refused)
    t.match(refusal, { reason: { errors: [{ code: 'OverCapacity', message: /^Too many writes wait/ }] } });
  const [row] = await sql<{ count: number }[]>`select count(*)::integer as count from documents`;
  t.equal(row!.count, 4096);
});

t.test('a write that fails fails alone', async (t) => {
  const { sql, all } = await stores(t, 1);
  const [store] = all as [Process];
  const held = randomUUID();
  await store.insert(project, insertionOf(held, { ...first, values: ['taken'] }));
  const ids = Array.from({ length: 9 }, () => randomUUID());
  const states: readonly State[] = [
    { ...first, values: ['taken'] },
    { ...first, targets: [randomUUID()] },
    { ...first, by: 'a value that no document can have: \0' },
    ...ids.slice(3).map((_, index) => ({ ...first, targets: [held], values: [`own ${index}`] })),
  ];
  const results = await Promise.allSettled(
    ids.map((id, index) => store.insert(project, insertionOf(id, states[index]!))),
  );
  t.match(results, [
    { status: 'rejected', reason: { errors: [{ code: 'DuplicateField', duplicateValue: 'taken' }] } },
    { status: 'rejected', reason: { errors: [{ code: 'ReferencedResourceNotFound' }] } },
    { status: 'rejected', reason: { code: '22P05' } },
    ...ids.slice(3).map(() => ({ status: 'fulfilled' })),
  ]);
  const rows = await sql<{ id: string }[]>`select id from documents where project = ${project}`;
  t.strictSame(rows.map(({ id }) => id).toSorted(), [held, ...ids.slice(3)].toSorted());
  const logged = await sql<{ id: string }[]>`select id from change_log where kind = ${kind}`;
  t.strictSame(logged.map(({ id }) => id).toSorted(), [held, ...ids.slice(3)].toSorted(), 'each once in the log');
});

/** Waits until as many sessions of the database wait for locks. */
async function waitingForLocks(sql: Sql, count: number): Promise<void> {
  await eventually(async () => {
    const waiting = await sql`
      select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
    return waiting.length >= count ? true : undefined;
  });
}

/** Holds the row of a resource in a transaction. */
async function hold(rival: Sql, id: string): Promise<void> {
  await rival.unsafe(`select from documents where id = '${id}' for update`);
}

/** Takes a value in a transaction that is under way. */
async function holdValue(rival: Sql, value: string): Promise<void> {
  const id = randomUUID();
  await rival`insert into documents (project, kind, id, version, data)
    values (${project}, ${kind}, ${id}, 1, ${'{}'}::text::jsonb)`;
  await rival`insert into unique_values (project, kind, field, value, id)
    values (${project}, ${kind}, ${field}, ${value}, ${id})`;
}

function rivalOf(t: Test, databaseUrl: string): Sql {
  const settings = { deadlock_timeout: '1h' };
  const rival = connect({ databaseUrl, connectionsMax: 1, prepare: true, settings });
  t.teardown(() => rival.end());
  return rival;
}

const heldByOthers = { code: 'OverCapacity', message: 'The resource is held by other writes. Try again later.' };
const updated: State = { ...first, version: 2, by: 'update' };

t.test('a statement that a deadlock ended is run again', async (t) => {
  const { url, sql, all } = await stores(t, 1);
  const [store] = all as [Process];
  const ids = [randomUUID(), randomUUID()].toSorted() as [string, string];
  await Promise.all(ids.map((id) => store.insert(project, insertionOf(id, first))));
  const [one, other] = [rivalOf(t, url), rivalOf(t, url)];
  for (const rival of [one, other]) await rival.unsafe('begin');
  await hold(one, ids[0]);
  await hold(other, ids[1]);
  const outcomes = Promise.all(ids.map((id) => store.replace(project, replacementOf(id, first, updated))));
  await waitingForLocks(sql, 1);
  // Behind the store, which gets this row when it is free, and waits for the other then.
  const second = hold(other, ids[0]);
  await waitingForLocks(sql, 2);
  await one.unsafe('rollback');
  await second;
  await other.unsafe('rollback');
  t.strictSame(await outcomes, [{ isDone: true }, { isDone: true }]);
  t.equal(await statements(sql), 2, 'one for the inserts, and one for the updates');
  const deadlocks = async (): Promise<number | undefined> => {
    const [row] = await sql<{ count: number }[]>`
      select deadlocks::integer as count from pg_stat_database where datname = current_database()`;
    return row!.count > 0 ? row!.count : undefined;
  };
  // The store may take the row again before the rival wakes, and then once more is ended.
  t.ok(await eventually(deadlocks));
});

t.test('of several values those that come first are taken first, in whatever order they are given', async (t) => {
  const { url, sql, all } = await stores(t, 1);
  const [store] = all as [Process];
  const rival = rivalOf(t, url);
  await rival.unsafe('begin');
  await holdValue(rival, 'a');
  const waiting = store.insert(project, insertionOf(randomUUID(), { ...first, values: ['c', 'a', 'b'] }));
  await waitingForLocks(sql, 1);
  t.match(await store.insert(project, insertionOf(randomUUID(), { ...first, values: ['c'] })), { isDone: true });
  t.match(await store.insert(project, insertionOf(randomUUID(), { ...first, values: ['b'] })), { isDone: true });
  await rival.unsafe('commit');
  await t.rejects(waiting, { errors: [{ code: 'DuplicateField' }] });
});

t.test('who waits for a value has taken none that others share', async (t) => {
  const { url, sql, all } = await stores(t, 1);
  const [store] = all as [Process];
  const rival = rivalOf(t, url);
  await rival.unsafe('begin');
  await holdValue(rival, 'a');
  const shared = (value: string) => ({ field: 'among', value, holdersMax: 10 });
  const inserted = (...uniqueValues: Insertion['uniqueValues']) =>
    store.insert(project, { ...insertionOf(randomUUID(), first), uniqueValues });
  const waiting = inserted(shared('s'), uniqueOf('a'));
  await waitingForLocks(sql, 1);
  t.match(await inserted(shared('s')), { isDone: true });
  await rival.unsafe('rollback');
  t.match(await waiting, { isDone: true });
});

t.test('writes that wait for a row keep no others waiting', async (t) => {
  const { url, all } = await stores(t, 1);
  const [store] = all as [Process];
  const id = randomUUID();
  await store.insert(project, insertionOf(id, first));
  const rival = rivalOf(t, url);
  await rival.unsafe('begin');
  await hold(rival, id);
  const outcomes = Promise.all(
    Array.from({ length: 5 }, () => store.replace(project, replacementOf(id, first, updated))),
  );
  await Promise.all(Array.from({ length: 30 }, () => store.insert(project, insertionOf(randomUUID(), first))));
  await rival.unsafe('rollback');
  t.equal((await outcomes).filter(({ isDone }) => isDone).length, 1);
});

t.test('what waited too long for a row is refused, and the writes beside it are not', async (t) => {
  const { url, sql, all } = await stores(t, 1, { lock_timeout: '100ms' });
  const [store] = all as [Process];
  const ids = Array.from({ length: 20 }, () => randomUUID());
  await Promise.all(ids.map((id) => store.insert(project, insertionOf(id, first))));
  const rival = rivalOf(t, url);
  await rival.unsafe('begin');
  await hold(rival, ids[7]!);
  const outcomes = await Promise.allSettled(ids.map((id) => store.replace(project, replacementOf(id, first, updated))));
  await rival.unsafe('rollback');
  for (const [index, outcome] of outcomes.entries()) {
    if (index !== 7) t.match(outcome, { status: 'fulfilled', value: { isDone: true } });
    else t.match(clientError((outcome as PromiseRejectedResult).reason), { errors: [heldByOthers] });
  }
  const rows = await sql<{ id: string }[]>`select id from documents where version = 1`;
  t.strictSame(
    rows.map(({ id }) => id),
    [ids[7]],
  );
});

t.test('a resource is known by its id however that is spelled', async (t) => {
  const { all } = await stores(t, 1);
  const [store] = all as [Process];
  const id = randomUUID().toUpperCase();
  await store.insert(project, insertionOf(id, first));
  t.strictSame(await store.replace(project, replacementOf(id, first, updated)), { isDone: true });
});

t.test('of writes of one resource at one version, one takes place', async (t) => {
  const { all } = await stores(t, 2);
  const id = randomUUID();
  await all[0]!.insert(project, insertionOf(id, first));
  for (let version = 1; version <= 5; version += 1) {
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, (_, index) => {
        const [before, after] = [
          { ...first, version },
          { ...first, version: version + 1, by: `${index}` },
        ];
        return all[index % 2]!.replace(project, replacementOf(id, before, after));
      }),
    );
    const done = outcomes.flatMap(({ isDone }, index) => (isDone ? [`${index}`] : []));
    const [stored] = await all[0]!.find(project, [{ kind, id }]);
    t.equal(done.length, 1);
    t.match(JSON.parse(String(stored!.json)), { version: version + 1, by: done[0] });
  }
});

t.test('whatever two processes write at a time, rows, references, values and log agree with the answers', async (t) => {
  const { sql, all } = await stores(t, 2);
  const ids = Array.from({ length: 6 }, () => randomUUID());
  let states = ids.map((): State => first);
  await Promise.all(ids.map((id) => all[0]!.insert(project, insertionOf(id, first))));
  let writes = ids.length;
  const someOf = <T>(values: readonly T[]) => fc.subarray([...values], { maxLength: 3 });
  const write = fc.record({
    process: fc.nat(all.length - 1),
    index: fc.nat(ids.length - 1),
    by: fc.uuid(),
    targets: someOf(ids),
    values: someOf(['a', 'b', 'c', 'd', 'e']),
  });
  const round = fc.asyncProperty(fc.array(write, { minLength: 1, maxLength: 40 }), async (given) => {
    const results = await Promise.allSettled(
      given.map(({ process, index, by, targets, values }) => {
        const before = states[index]!;
        const after = { version: before.version + 1, by, targets, values };
        return all[process]!.replace(project, replacementOf(ids[index]!, before, after));
      }),
    );
    const next = [...states];
    for (const [at, result] of results.entries()) {
      const { index, by, targets, values } = given[at]!;
      if (result.status === 'rejected') {
        // Only a name that somebody else has, had, or wants may be in the way.
        t.match(result.reason, { errors: [{ code: /^(DuplicateField|OverCapacity)$/ }] });
        const others = [...states.toSpliced(index, 1), ...given.toSpliced(at, 1)].flatMap((other) => other.values);
        t.ok(without(values, states[index]!.values).some((value) => others.includes(value)));
      } else if (result.value.isDone) {
        t.equal(next[index], states[index], 'nobody else wrote it at this version');
        next[index] = { version: states[index]!.version + 1, by, targets, values };
        writes += 1;
      }
    }
    states = next;
    const rows = await sql<{ id: string; state: State }[]>`select id, data - 'id' as state from documents`;
    t.strictSame(Object.fromEntries(rows.map(({ id, state }) => [id, state])), byId(states));
    const references = await sql<{ held: string }[]>`
      select source_id || ' ' || target_id as held from document_references`;
    t.strictSame(
      references.map(({ held }) => held).toSorted(),
      heldBy(states, ({ targets }) => targets),
    );
    const values = await sql<{ held: string }[]>`select id || ' ' || value as held from unique_values`;
    t.strictSame(
      values.map(({ held }) => held).toSorted(),
      heldBy(states, ({ values: own }) => own),
    );
    const logged = await sql<
      { name: string }[]
    >`select distinct id || ' ' || version as name from change_log where kind = ${kind}`;
    const [{ count } = { count: 0 }] = await sql<
      { count: number }[]
    >`select count(*)::integer as count from change_log where kind = ${kind}`;
    t.equal(count, writes, 'a row in the log for each write');
    t.equal(logged.length, writes, 'of another version each');
  });
  const byId = (of: readonly State[]) => Object.fromEntries(of.map((state, index) => [ids[index]!, state]));
  const heldBy = (of: readonly State[], list: (state: State) => readonly string[]) =>
    of.flatMap((state, index) => list(state).map((held) => `${ids[index]} ${held}`)).toSorted();
  await fc.assert(round, { numRuns: 60, endOnFailure: true });
  t.ok(writes > 100, `${writes} writes took place`);
});
