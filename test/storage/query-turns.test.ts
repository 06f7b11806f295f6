import t, { type Test } from 'tap';
import { RequestEnded } from '../../src/engine/context.ts';
import { queryConnectionSettings, type Sql } from '../../src/storage/connection.ts';
import { QueryTurns, type Turn } from '../../src/storage/query-turns.ts';
import { createDatabase, eventually } from '../support/services.ts';
import { stopClock, turnOver } from '../support/stopped-clock.ts';

/** Queries that sleep in the database. */
async function sleeping(sql: Sql): Promise<number> {
  const [row] = await sql<{ count: number }[]>`select count(*)::int as count from pg_stat_activity
    where datname = current_database() and state = 'active' and query like '%pg_sleep(50)%' and pid <> pg_backend_pid()`;
  return row!.count;
}

/** Queries that run until they are let go, by their names, in the order in which they began. */
async function startTurns(
  t: Test,
  shares: { connectionsMax: number; project: number; request: number; queries?: number; timeoutMs?: number },
) {
  const { url, sql } = await createDatabase(t);
  const turns = new QueryTurns({
    databaseUrl: url,
    prepare: true,
    settings: queryConnectionSettings(60_000),
    timeoutMs: shares.timeoutMs ?? 60_000,
    connectionsMax: shares.connectionsMax,
    projectConnectionsMax: shares.project,
    requestRunningMax: shares.request,
    connectionQueriesMax: shares.queries ?? 1,
  });
  t.teardown(() => turns.close());
  const began: string[] = [];
  /** The connections that they were sent on. */
  const connections = new Map<string, Sql>();
  const ends = new Map<string, () => void>();
  const hold = (name: string, turn: Partial<Turn> & { project: string }): Promise<unknown> =>
    turns.run(
      (own) => {
        began.push(name);
        connections.set(name, own);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      { request: undefined, ...turn },
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    // What comes next begins before this.
    await turnOver();
  };
  return { sql, turns, began, connections, hold, end };
}

t.test('a project leaves connections to others, and those that wait take turns', async (t) => {
  const { began, hold, end } = await startTurns(t, { connectionsMax: 3, project: 2, request: 2 });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => hold(name, { project: name[0]! }));
  await turnOver();
  t.strictSame(began, ['a1', 'a2', 'b1']);
  await end('a1');
  t.strictSame(began.slice(3), ['c1'], 'who has nothing running is next, though others came before');
  await end('c1');
  await end('b1');
  t.strictSame(began.slice(4), ['a3', 'b2']);
  await end('a2');
  t.strictSame(began.slice(6), ['a4']);
  for (const name of ['a3', 'a4', 'b2']) await end(name);
  await Promise.all(all);
});

t.test('a request leaves connections to others of its project', async (t) => {
  const { began, hold, end } = await startTurns(t, { connectionsMax: 3, project: 2, request: 1 });
  const [first, second] = [{}, {}];
  const all = [
    hold('first1', { project: 'a', request: first }),
    hold('first2', { project: 'a', request: first }),
    hold('second1', { project: 'a', request: second }),
  ];
  await turnOver();
  t.strictSame(began, ['first1', 'second1']);
  await end('second1');
  t.strictSame(began, ['first1', 'second1']);
  await end('first1');
  t.strictSame(began, ['first1', 'second1', 'first2']);
  await end('first2');
  await Promise.all(all);
});

t.test('what waits too long is refused, and so is what is too much', async (t) => {
  const { turns, hold, end } = await startTurns(t, { connectionsMax: 1, project: 1, request: 1 });
  const holding = hold('a1', { project: 'a' });
  const late = { isOwnShare: true, errors: [{ code: 'OverCapacity', message: /of the project .* take too long/ }] };
  const others = { isOwnShare: false, errors: [{ code: 'OverCapacity', message: /of other projects take too long/ }] };
  await Promise.all([t.rejects(hold('a2', { project: 'a' }), late), t.rejects(hold('b1', { project: 'b' }), others)]);
  const full = Array.from({ length: 1001 }, (_, index) => hold(`a${index + 3}`, { project: 'a' }));
  const outcomes = Promise.allSettled(full);
  await t.rejects(full.at(-1)!, { errors: [{ code: 'OverCapacity', message: /Too many/ }] });
  await end('a1');
  await t.rejects(full.at(-2)!, late);
  await end('a3');
  await holding;
  const ended = (await outcomes).map(({ status }) => status);
  t.strictSame(ended, ['fulfilled', ...full.slice(1).map(() => 'rejected')]);
  const request = {};
  const asked = Array.from({ length: 501 }, () => turns.run((sql) => sql`select`, { project: 'c', request }));
  const answers = await Promise.allSettled(asked);
  t.match(answers.at(-1), { reason: { errors: [{ code: 'InvalidOperation' }] } });
});

t.test('queries of a request that has ended are dropped, and ended in the database where they run', async (t) => {
  const { sql, turns } = await startTurns(t, { connectionsMax: 1, project: 1, request: 1 });
  const abort = new AbortController();
  const turn = { project: 'a', request: { signal: abort.signal } };
  const outcomes = Promise.allSettled([
    turns.run((own) => own`select pg_sleep(50)`, turn),
    turns.run((own) => own`select pg_sleep(50)`, turn),
  ]);
  await eventually(async () => (await sleeping(sql)) === 1 || undefined);
  const next = turns.run((own) => own`select 1 as one`, { project: 'a', request: undefined });
  abort.abort();
  for (const outcome of await outcomes) t.ok(outcome.status === 'rejected' && outcome.reason instanceof RequestEnded);
  t.strictSame([...(await next)], [{ one: 1 }]);
  await eventually(async () => (await sleeping(sql)) === 0 || undefined);
  await t.rejects(async () => turns.run((own) => own`select`, turn), new RequestEnded());
});

const following = { connectionsMax: 1, project: 1, request: 8, queries: 3 };

/** Queries follow each other on connections that have answered before. */
function open(turns: QueryTurns, project: string): Promise<unknown> {
  return turns.run((sql) => sql`select`, { project, request: undefined });
}

t.test('quick queries of a project follow each other on its connections, as many as may', async (t) => {
  const { began, hold, end } = await startTurns(t, following);
  const early = [hold('e1', { project: 'a' }), hold('e2', { project: 'a' })];
  await turnOver();
  t.strictSame(began, ['e1'], 'not on a connection of which nothing is known');
  await end('e1');
  await end('e2');
  await Promise.all(early);
  began.length = 0;
  stopClock(t);
  const all = ['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => hold(name, { project: 'a' }));
  await turnOver();
  t.strictSame(began, ['a1', 'a2', 'a3']);
  await end('a1');
  t.strictSame(began.slice(3), ['a4']);
  for (const name of ['a2', 'a3', 'a4', 'a5']) await end(name);
  await Promise.all(all);
});

t.test('a query follows on the connection that has the fewest', async (t) => {
  const { turns, connections, hold, end } = await startTurns(t, { ...following, connectionsMax: 2, project: 2 });
  await Promise.all([open(turns, 'a'), open(turns, 'a')]);
  stopClock(t);
  const names = ['a1', 'a2', 'a3', 'a4'];
  const all = names.map((name) => hold(name, { project: 'a' }));
  const [first, second, third, fourth] = names.map((name) => connections.get(name));
  t.not(first, second);
  t.strictSame(new Set([third, fourth]), new Set([first, second]));
  for (const name of names) await end(name);
  await Promise.all(all);
});

t.test('who waits behind a quick query is sent when that is in front, however long others were', async (t) => {
  const { turns, began, hold, end } = await startTurns(t, following);
  await open(turns, 'a');
  const clock = stopClock(t);
  const all = ['a1', 'a2'].map((name) => hold(name, { project: 'a' }));
  await clock.goOn(15);
  all.push(hold('a3', { project: 'a' }));
  t.strictSame(began, ['a1', 'a2']);
  await end('a1');
  t.strictSame(began, ['a1', 'a2', 'a3']);
  for (const name of ['a2', 'a3']) await end(name);
  await Promise.all(all);
});

t.test('a project whose queries follow each other leaves its connection to another that has none', async (t) => {
  const { turns, began, hold, end } = await startTurns(t, following);
  await open(turns, 'a');
  stopClock(t);
  const all = ['a1', 'a2', 'b1', 'a3'].map((name) => hold(name, { project: name[0]! }));
  await turnOver();
  t.strictSame(began, ['a1', 'a2'], 'and none follows while it waits');
  await end('a1');
  await end('a2');
  t.strictSame(began.slice(2), ['b1']);
  await end('b1');
  await end('a3');
  await Promise.all(all);
});

for (const [project, follows] of [
  [2, true],
  [3, false],
] as const)
  t.test(
    `a query ${follows ? 'follows' : 'waits'} while others do who have ${project - 1} connections less`,
    async (t) => {
      const shares = { ...following, connectionsMax: project + 1, project, queries: 2 };
      const { turns, began, hold, end } = await startTurns(t, shares);
      const own = Array.from({ length: project }, (_, index) => `a${index}`);
      const names = [...own, 'b1', 'b2'];
      await Promise.all([...own, 'b1'].map((name) => open(turns, name[0]!)));
      stopClock(t);
      const all = [...names, 'b3', 'a-next'].map((name) => hold(name, { project: name[0]! }));
      t.strictSame(began, follows ? [...names, 'a-next'] : names);
      for (const name of [...names, 'b3', 'a-next']) await end(name);
      await Promise.all(all);
    },
  );

t.test('who waits behind a slow query is sent again with nothing before it, and none follows meanwhile', async (t) => {
  const { turns, began, hold, end } = await startTurns(t, { ...following, connectionsMax: 2, project: 2 });
  await Promise.all([open(turns, 'a'), open(turns, 'b')]);
  const clock = stopClock(t);
  const other = hold('b1', { project: 'b' });
  const all = ['slow', 'behind1', 'behind2'].map((name) => hold(name, { project: 'a' }));
  await turnOver();
  t.strictSame(began, ['b1', 'slow', 'behind1', 'behind2']);
  await end('b1');
  await clock.goOn(100);
  t.strictSame(began.slice(4), ['behind1'], 'on the connection that is free');
  const late = hold('late', { project: 'a' });
  await turnOver();
  t.equal(began.length, 5, 'and none follows it while another waits for such a one');
  await end('behind1');
  t.strictSame(began.slice(5), ['behind2', 'late']);
  for (const name of ['behind2', 'late', 'slow']) await end(name);
  await Promise.all([...all, late, other]);
});

t.test('who was held up goes before those that came later', async (t) => {
  const shares = { ...following, connectionsMax: 4, project: 2, queries: 2 };
  const { turns, began, hold, end } = await startTurns(t, shares);
  await Promise.all(['a', 'a', 'b', 'c'].map((project) => open(turns, project)));
  const clock = stopClock(t);
  const names = ['a-slow1', 'a-slow2', 'b-slow', 'c', 'a-behind1', 'a-behind2', 'a-late', 'b-behind'];
  const all = names.map((name) => hold(name, { project: name[0]! }));
  const sent = names.filter((name) => name !== 'a-late');
  t.strictSame(began, sent);
  await end('c');
  await clock.goOn(100);
  t.strictSame(began.splice(0), [...sent, 'b-behind'], 'of them, one whose project has a connection left');
  await end('a-slow1');
  // What was sent first is still answered.
  await end('a-behind1');
  t.strictSame(began, ['a-behind1']);
  for (const name of ['a-behind1', 'a-behind2', 'a-late', 'a-slow2', 'b-behind', 'b-slow']) await end(name);
  t.strictSame(began, ['a-behind1', 'a-behind2', 'a-late']);
  await Promise.all(all);
});

t.test('a query whose request has ended is ended alone: others on its connection are answered', async (t) => {
  const { sql, turns } = await startTurns(t, following);
  await open(turns, 'a');
  const abort = new AbortController();
  const ended = { project: 'a', request: { signal: abort.signal } };
  const another = { project: 'a', request: undefined };
  let sent = 0;
  const one = (own: Sql) => ((sent += 1), own`select 1 as one`);
  const slow = turns.run((own) => own`select pg_sleep(50)`, ended).catch((error: unknown) => error);
  const behind = turns.run(one, another);
  abort.abort();
  t.ok((await slow) instanceof RequestEnded);
  t.strictSame([...(await behind)], [{ one: 1 }]);
  t.equal(sent, 2, 'once more, since the connection had to be cut off');
  await eventually(async () => (await sleeping(sql)) === 0 || undefined);
  sent = 0;
  const quick = new AbortController();
  const front = turns.run((own) => own`select pg_sleep(0.02)`, another);
  const dropped = turns.run(one, { project: 'a', request: { signal: quick.signal } }).catch((error: unknown) => error);
  const last = turns.run(one, another);
  quick.abort();
  t.ok((await dropped) instanceof RequestEnded);
  await Promise.all([front, last]);
  t.equal(sent, 2, 'and one behind another is let be');
});

t.test('queries that follow each other are answered though their connection is lost, and lost again', async (t) => {
  const { sql, turns } = await startTurns(t, following);
  await open(turns, 'a');
  const names = ['one', 'two', 'three', 'four'];
  /** These sleep until they are cut off. */
  const slow = new Set(['one', 'two']);
  const all = names.map((name) =>
    turns.run((own) => own.unsafe(`select '${name}' as name, pg_sleep(${slow.has(name) ? 50 : 0})::text`), {
      project: 'a',
      request: undefined,
    }),
  );
  for (const name of slow) {
    const pid = await eventually(async () => {
      const [row] = await sql<{ pid: number }[]>`select pid from pg_stat_activity
        where datname = current_database() and state = 'active' and query like ${`select '${name}'%`}`;
      return row?.pid;
    });
    slow.delete(name);
    await sql`select pg_terminate_backend(${pid})`;
  }
  const answers = await Promise.all(all);
  t.match(
    answers.map(([row]) => row),
    names.map((name) => ({ name })),
  );
});

t.test('none follows a query that has been in front for long, or that nobody waits for', async (t) => {
  const { turns, began, hold, end } = await startTurns(t, following);
  await open(turns, 'a');
  const clock = stopClock(t);
  const slow = hold('slow', { project: 'a' });
  await clock.goOn(20);
  const behind = hold('behind', { project: 'a' });
  await turnOver();
  t.strictSame(began, ['slow']);
  await end('slow');
  t.strictSame(began, ['slow', 'behind']);
  await end('behind');
  await Promise.all([slow, behind]);
  const abort = new AbortController();
  const ended = hold('ended', { project: 'a', request: { signal: abort.signal } }).catch((error: unknown) => error);
  abort.abort();
  t.ok((await ended) instanceof RequestEnded);
  const next = hold('next', { project: 'a' });
  await turnOver();
  t.strictSame(began.slice(2), ['ended']);
  await end('ended');
  t.strictSame(began.slice(3), ['next']);
  await end('next');
  await next;
});

for (const waitedMs of [500, 750])
  t.test(
    `a query in front has all of its time, though one that was sent behind it is ${waitedMs} ms old`,
    async (t) => {
      const { turns, began, hold, end } = await startTurns(t, { ...following, request: 1, timeoutMs: 800 });
      await open(turns, 'a');
      const clock = stopClock(t);
      const request = {};
      const first = hold('first', { project: 'a', request });
      const behind = hold('behind', { project: 'a', request }).catch((error: unknown) => error);
      await clock.goOn(waitedMs);
      const front = hold('front', { project: 'a' });
      await end('first');
      t.strictSame(began, ['first', 'front', 'behind']);
      await clock.goOn(800 - waitedMs);
      t.match(await behind, { errors: [{ code: 'OverCapacity' }] }, 'its time was over first');
      await end('front');
      await Promise.all([first, front]);
      t.equal(began.length, 3, 'and the other was sent once');
    },
  );

t.test('a query that ends its own connection is sent once more, and not again', async (t) => {
  const { turns } = await startTurns(t, { ...following, timeoutMs: 5000 });
  let sent = 0;
  const ending = turns.run((own) => ((sent += 1), own`select pg_terminate_backend(pg_backend_pid())`), {
    project: 'a',
    request: undefined,
  });
  await t.rejects(ending, { errors: [{ code: 'OverCapacity' }] });
  t.equal(sent, 2);
});
