import { join } from 'node:path';
import t, { type Test } from 'tap';
import { pidIn } from '../../src/embedded/leftover.ts';
import { startPostgres } from '../../src/embedded/postgres.ts';
import { connect } from '../../src/storage/connection.ts';
import { Database } from '../../src/storage/database.ts';
import { type Answer, basicOf, type Platform, send, startPlatform } from '../support/platform.ts';
import { childrenOf, dataDirectory } from '../support/process.ts';
import { eventually } from '../support/services.ts';

/** A platform on a Postgres of the test's own, with the ids of the server's processes. */
async function startApart(t: Test): Promise<{ platform: Platform; server: number; helpers(): readonly number[] }> {
  const directory = dataDirectory(t);
  const postgres = await startPostgres(directory, () => {});
  const server = pidIn(join(directory, 'postgres', 'postmaster.pid'))!;
  const options = { databaseUrl: postgres.url, connectionsMax: 2, prepare: true };
  const [sql, database] = [connect(options), new Database(options)];
  t.teardown(async () => {
    await Promise.all([sql.end({ timeout: 1 }), database.close()]);
    await postgres.stop();
  });
  const platform = await startPlatform(t, { database: { url: postgres.url, sql, database } });
  return { platform, server, helpers: () => childrenOf(server) };
}

/** What a client may hear of each request while the database is not as it should be. */
const readStatuses = [200, 503];
const writeStatuses = [200, 201, 502, 503];

interface Caller {
  readonly name: string;
  readonly statuses: readonly number[];
  call(): Promise<Answer>;
}

function category(number: number): object {
  return { name: { en: `Shoes ${number}` }, slug: { en: `shoes-${number}` } };
}

async function callersOf({ request, baseUrl, client }: Platform): Promise<readonly Caller[]> {
  const { body } = await request('POST', '/categories', category(0));
  const id = String(body['id']);
  let calls = 0;
  const next = (): number => (calls += 1);
  const headers = { authorization: basicOf(client), 'content-type': 'application/x-www-form-urlencoded' };
  const token = { baseUrl, method: 'POST', path: '/oauth/token', body: 'grant_type=client_credentials', headers };
  const query = () => ({ query: `{ a: categories(where: "name(en=\\"${next()}\\")") { total } }` });
  return [
    { name: 'by id', statuses: readStatuses, call: () => request('GET', `/categories/${id}`) },
    { name: 'by key', statuses: [404, 503], call: () => request('GET', `/categories/key=none-${next()}`) },
    { name: 'page', statuses: readStatuses, call: () => request('GET', `/categories?offset=${next() % 5000}`) },
    { name: 'scan', statuses: readStatuses, call: () => request('GET', `/categories?where=version%20%3E%20${next()}`) },
    { name: 'GraphQL', statuses: readStatuses, call: () => request('POST', '/graphql', query()) },
    { name: 'create', statuses: writeStatuses, call: () => request('POST', '/categories', category(next())) },
    { name: 'token', statuses: writeStatuses, call: () => send(token) },
  ];
}

/** Calls without a pause until it is told to end; gives how often each status came, by the caller's name. */
class Load {
  readonly #callers: readonly Caller[];
  readonly #running: readonly Promise<void>[];
  readonly #answers = new Map<Caller, Map<number, number>>();
  #isOver = false;
  readonly #longestMs = new Map<string, number>();

  constructor(callers: readonly Caller[]) {
    this.#callers = callers;
    for (const caller of callers) this.#answers.set(caller, new Map());
    this.#running = callers.flatMap((caller) => [this.#call(caller), this.#call(caller)]);
  }

  async #call(caller: Caller): Promise<void> {
    const counts = this.#answers.get(caller)!;
    while (!this.#isOver) {
      const beganAtMs = performance.now();
      const { status } = await caller.call();
      this.#longestMs.set(
        caller.name,
        Math.max(this.#longestMs.get(caller.name) ?? 0, Math.round(performance.now() - beganAtMs)),
      );
      counts.set(status, (counts.get(status) ?? 0) + 1);
    }
  }

  /** Resolves when three more calls of each caller have been answered: one of them began after this. */
  async answered(): Promise<void> {
    const before = new Map(this.#callers.map((caller) => [caller, this.#count(caller)]));
    await eventually(
      async () => this.#callers.every((each) => this.#count(each) >= before.get(each)! + 3) || undefined,
    );
  }

  #count(caller: Caller): number {
    return [...this.#answers.get(caller)!.values()].reduce((sum, count) => sum + count, 0);
  }

  async end(t: Test): Promise<void> {
    this.#isOver = true;
    await Promise.all(this.#running);
    t.comment(`longest, in ms: ${JSON.stringify(Object.fromEntries(this.#longestMs))}`);
    for (const [{ name, statuses }, counts] of this.#answers) {
      t.comment(name, JSON.stringify(Object.fromEntries(counts)));
      t.strictSame(
        [...counts.keys()].filter((status) => !statuses.includes(status)),
        [],
        name,
      );
    }
  }
}

async function servedAgain(callers: readonly Caller[]): Promise<void> {
  for (const { call } of callers) await eventually(async () => (await call()).status < 500 || undefined);
}

t.test('while Postgres hangs every request is answered, and after it all are served', async (t) => {
  const { platform, server, helpers } = await startApart(t);
  const callers = await callersOf(platform);
  for (const victims of [() => [server, ...helpers()], () => helpers()]) {
    const load = new Load(callers);
    await load.answered();
    const stopped = victims();
    for (const pid of stopped) process.kill(pid, 'SIGSTOP');
    t.teardown(() => resume(stopped));
    await load.answered();
    resume(stopped);
    await load.answered();
    await load.end(t);
    await servedAgain(callers);
  }
});

function resume(pids: readonly number[]): void {
  for (const pid of pids) {
    try {
      process.kill(pid, 'SIGCONT');
    } catch {
      // A process whose client has gone has ended.
    }
  }
}

t.test('the end of connections is no fault of the server, for whatever is under way', async (t) => {
  const { platform } = await startApart(t);
  const callers = await callersOf(platform);
  const load = new Load(callers);
  for (let round = 0; round < 40; round += 1) {
    await platform.sql`select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()
      order by random() limit 3) as victims`;
    if (round % 10 === 0) await load.answered();
  }
  await load.end(t);
  await servedAgain(callers);
});
