import t, { type Test } from 'tap';
import { RequestEnded } from '../../src/engine/context.ts';
import { queryConnectionSettings } from '../../src/storage/connection.ts';
import { QueryTurns, type Turn } from '../../src/storage/query-turns.ts';
import { createDatabase, eventually } from '../support/services.ts';

/** Queries that run until they are let go, by their names, in the order in which they began. */
async function startTurns(t: Test, shares: { connectionsMax: number; project: number; request: number; queries?: number }) {
  const { url, sql } = await createDatabase(t);
  const turns = new QueryTurns({
    databaseUrl: url,
    prepare: true,
    settings: queryConnectionSettings(60_000),
    timeoutMs: 60_000,
    connectionsMax: shares.connectionsMax,
    projectConnectionsMax: shares.project,
    requestRunningMax: shares.request,
    connectionQueriesMax: shares.queries ?? 1,
  });
  t.teardown(() => turns.close());
  const began: string[] = [];
  const ends = new Map<string, () => void>();
  const hold = (name: string, turn: Partial<Turn> & { project: string }): Promise<unknown> =>
    turns.run(
      () => {
        began.push(name);
        return new Promise<void>((resolve) => ends.set(name, resolve));
      },
      { request: undefined, ...turn },
    );
  const end = async (name: string): Promise<void> => {
    ends.get(name)!();
    // What comes next begins before this.
    await new Promise<void>((resolve) => setImmediate(resolve));
  };
  return { sql, turns, began, hold, end };
}

t.test('a project leaves connections to others, and those that wait take turns', async (t) => {
  const { began, hold, end } = await startTurns(t, { connectionsMax: 3, project: 2, request: 2 });
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2', 'c1'].map((name) => hold(name, { project: name[0]! }));
  await new Promise<void>((resolve) => setImmediate(resolve));
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
  await new Promise<void>((resolve) => setImmediate(resolve));
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
  const late = { errors: [{ code: 'OverCapacity', message: /take too long/ }] };
  await t.rejects(hold('a2', { project: 'a' }), late);
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
  const running = async (): Promise<number> => {
    const [row] = await sql<{ count: number }[]>`select count(*)::int as count from pg_stat_activity
      where datname = current_database() and state = 'active' and query like '%pg_sleep(50)%' and pid <> pg_backend_pid()`;
    return row!.count;
  };
  const abort = new AbortController();
  const turn = { project: 'a', request: { signal: abort.signal } };
  const outcomes = Promise.allSettled([
    turns.run((own) => own`select pg_sleep(50)`, turn),
    turns.run((own) => own`select pg_sleep(50)`, turn),
  ]);
  await eventually(async () => (await running()) === 1 || undefined);
  const next = turns.run((own) => own`select 1 as one`, { project: 'a', request: undefined });
  abort.abort();
  for (const outcome of await outcomes) t.ok(outcome.status === 'rejected' && outcome.reason instanceof RequestEnded);
  t.strictSame([...(await next)], [{ one: 1 }]);
  await eventually(async () => (await running()) === 0 || undefined);
  await t.rejects(async () => turns.run((own) => own`select`, turn), new RequestEnded());
});
