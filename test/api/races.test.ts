import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startHttp } from '../../src/app.ts';
import { type Answer, requestToken, send, startPlatform } from '../support/platform.ts';
import { tally } from '../support/tally.ts';

const clients = 64;
const rounds = 20;

interface Cluster {
  /** The same request from every client at once, spread over the servers; the answers in the clients' order. */
  together(make: (client: number) => { method: string; path: string; body?: unknown }): Promise<readonly Answer[]>;
  ask(method: string, path: string, body?: unknown): Promise<Answer>;
}

/** Two servers, each with caches and connections of its own, on one database. */
async function startCluster(t: Test): Promise<Cluster> {
  const platform = await startPlatform(t);
  const other = await startHttp(platform.config, pino({ level: 'silent' }));
  t.teardown(() => other.close());
  const servers = [platform.baseUrl, `http://127.0.0.1:${other.port}`];
  const token = await requestToken(platform.baseUrl, platform.client);
  const ask = (server: number, method: string, path: string, body?: unknown): Promise<Answer> =>
    send({
      baseUrl: servers[server % servers.length]!,
      method,
      path: `/${platform.projectKey}${path}`,
      body,
      headers: { authorization: `Bearer ${token}` },
    });
  return {
    ask: (method, path, body) => ask(0, method, path, body),
    together: (make) =>
      Promise.all(
        Array.from({ length: clients }, (_, client) => {
          const { method, path, body } = make(client);
          return ask(client, method, path, body);
        }),
      ),
  };
}

function rename(version: number, name: string): object {
  return { version, actions: [{ action: 'changeName', name }] };
}

t.test('of 64 clients that update one version at once, one wins and 63 hear the current version', async (t) => {
  const { ask, together } = await startCluster(t);
  const { body: zone } = await ask('POST', '/zones', { name: 'Contested' });
  const path = `/zones/${String(zone['id'])}`;
  for (let version = 1; version <= rounds; version += 1) {
    const answers = await together((client) => ({
      method: 'POST',
      path,
      body: rename(version, `Round ${version}, client ${client}`),
    }));
    t.strictSame(tally(answers), { 200: 1, '409 ConcurrentModification': clients - 1 }, `round ${version}`);
    const winner = answers.find(({ status }) => status === 200)!;
    const stale = answers.filter(({ body }) => {
      const [error] = (body['errors'] ?? []) as readonly { currentVersion: number }[];
      return error !== undefined && error.currentVersion !== version + 1;
    });
    t.strictSame(stale, [], 'every conflict names the version that won');
    const { body: read } = await ask('GET', path);
    t.strictSame(read, winner.body, 'what the winner was told is what is stored');
  }
});

t.test('of updates and deletes of one version at once, one wins', async (t) => {
  const { ask, together } = await startCluster(t);
  const winners = new Set<string>();
  for (let round = 1; round <= rounds; round += 1) {
    const { body: zone } = await ask('POST', '/zones', { name: `Round ${round}` });
    const path = `/zones/${String(zone['id'])}`;
    const isDelete = (client: number): boolean => (client + round) % 2 === 0;
    const answers = await together((client) =>
      isDelete(client)
        ? { method: 'DELETE', path: `${path}?version=1` }
        : { method: 'POST', path, body: rename(1, `Client ${client}`) },
    );
    const winner = answers.findIndex(({ status }) => status === 200);
    winners.add(isDelete(winner) ? 'delete' : 'update');
    const loss = isDelete(winner) ? '404 ResourceNotFound' : '409 ConcurrentModification';
    t.strictSame(tally(answers), { 200: 1, [loss]: clients - 1 }, `round ${round}: ${loss}`);
    const { status } = await ask('GET', path);
    t.equal(status, isDelete(winner) ? 404 : 200);
  }
  t.ok(winners.size > 0, `won: ${[...winners].join(', ')}`);
});

t.test('of 64 creates with one key at once, one is done', async (t) => {
  const { together } = await startCluster(t);
  for (let round = 1; round <= rounds; round += 1) {
    const key = `round-${round}`;
    const answers = await together((client) => ({
      method: 'POST',
      path: '/zones',
      body: { key, name: `Client ${client}` },
    }));
    t.strictSame(tally(answers), { 201: 1, '400 DuplicateField': clients - 1 }, key);
    const refused = answers.filter(({ status }) => status === 400).map(({ body }) => body['errors']);
    t.ok(refused.every((errors) => JSON.stringify(errors).includes(`"field":"key","duplicateValue":"${key}"`)));
  }
});

t.test('of 64 creates at once, as many succeed as the limit leaves room for', async (t) => {
  const { ask, together } = await startCluster(t);
  const zonesMax = 100;
  const create = (name: string): Promise<Answer> => ask('POST', '/zones', { name });
  await Promise.all(Array.from({ length: zonesMax - 10 }, (_, number) => create(`Zone ${number}`)));
  const taken = await ask('POST', '/zones', { key: 'taken', name: 'Taken' });
  // Half of them are refused for their key, which must not use up room.
  const answers = await together((client) => ({
    method: 'POST',
    path: '/zones',
    body: { name: `Client ${client}`, ...(client % 4 < 2 && { key: 'taken' }) },
  }));
  const { 201: created, '400 MaxResourceLimitExceeded': exceeded = 0, ...rest } = tally(answers);
  t.equal(created, 9);
  t.strictSame(Object.keys(rest), ['400 DuplicateField']);
  t.equal(exceeded + rest['400 DuplicateField']!, clients - 9);
  t.match(answers.find(({ body }) => JSON.stringify(body).includes('MaxResource'))!.body, {
    errors: [{ code: 'MaxResourceLimitExceeded', exceededResource: 'zone' }],
  });
  t.match((await ask('GET', '/zones?limit=1')).body, { total: zonesMax });

  // Every delete makes room for one, whoever takes it.
  const { results } = (await ask('GET', `/zones?limit=7&where=${encodeURIComponent('key is not defined')}`)).body as {
    results: readonly { id: string }[];
  };
  for (const { id } of results) t.equal((await ask('DELETE', `/zones/${id}?version=1`)).status, 200);
  const more = await together((client) => ({ method: 'POST', path: '/zones', body: { name: `More ${client}` } }));
  t.strictSame(tally(more), { 201: 7, '400 MaxResourceLimitExceeded': clients - 7 });
  t.equal((await ask('DELETE', `/zones/${String(taken.body['id'])}?version=1`)).status, 200);
  t.strictSame(tally([await create('Last'), await create('One too many')]), {
    201: 1,
    '400 MaxResourceLimitExceeded': 1,
  });
});

/** Lets `new Date()` of this process, in which the servers run, give other moments than the true one. */
function clockOf(t: Test): { offsetMs: number } {
  const clock = { offsetMs: 0 };
  const RealDate = Date;
  class MovedDate extends RealDate {
    constructor(...args: [] | [string | number]) {
      // Only the moment of the call depends on the clock; timers do not.
      if (args.length === 0) super(RealDate.now() + clock.offsetMs);
      else super(args[0]);
    }
  }
  t.intercept(globalThis, 'Date', { value: MovedDate, configurable: true, writable: true });
  return clock;
}

t.test('lastModifiedAt and version never go back, whatever the clock does', async (t) => {
  const { ask } = await startCluster(t);
  const clock = clockOf(t);
  const draft = { name: 'Standard', rates: [] };
  await ask('POST', '/tax-categories', { ...draft, key: 'standard' });
  const method = (name: string): object => ({
    name,
    taxCategory: { typeId: 'tax-category', key: 'standard' },
    isDefault: true,
    zoneRates: [],
  });
  const { body: first } = await ask('POST', '/shipping-methods', method('First'));
  const path = `/shipping-methods/${String(first['id'])}`;
  const hourMs = 3_600_000;
  let before = first;
  for (const [index, hours] of [1, 5, -1, -48, 2, 4.9, 0, 6, -0.001].entries()) {
    clock.offsetMs = hours * hourMs;
    const { status, body: after } = await ask('POST', path, rename(Number(before['version']), `Name ${index}`));
    t.equal(status, 200);
    t.equal(after['version'], Number(before['version']) + 1);
    t.ok(String(after['lastModifiedAt']) >= String(before['lastModifiedAt']), `the clock is off by ${hours} hours`);
    t.equal(after['createdAt'], first['createdAt']);
    before = after;
  }
  t.ok(Date.parse(String(before['lastModifiedAt'])) > Date.now() + 5 * hourMs, 'the farthest moment stays');
  // Another resource that takes the flag writes this one too.
  clock.offsetMs = -24 * hourMs;
  t.equal((await ask('POST', '/shipping-methods', method('Second'))).status, 201);
  const { body: unset } = await ask('GET', path);
  t.match(unset, { isDefault: false, version: Number(before['version']) + 1 });
  t.equal(unset['lastModifiedAt'], before['lastModifiedAt']);
  t.equal(unset['createdAt'], first['createdAt']);
});

t.test('of many that become the default at once one is, and each loss of it is a version', async (t) => {
  const { ask, together } = await startCluster(t);
  await ask('POST', '/tax-categories', { key: 'standard', name: 'Standard', rates: [] });
  const draft = (name: string, isDefault: boolean): object => ({
    name,
    taxCategory: { typeId: 'tax-category', key: 'standard' },
    isDefault,
    zoneRates: [],
  });
  const made = await together((client) => ({
    method: 'POST',
    path: '/shipping-methods',
    body: draft(`Method ${client}`, client % 8 === 0),
  }));
  const busy = '503 OverCapacity';
  const { [busy]: refused = 0, ...others } = tally(made);
  t.strictSame(others, { 201: clients - refused }, 'whoever met too many rivals is told to come again');
  const changed = await together((client) => ({
    method: 'POST',
    path: `/shipping-methods/${String((made[client]!.body as { id?: string }).id)}`,
    body: { version: 1, actions: [{ action: 'changeIsDefault', isDefault: client % 8 === 1 }] },
  }));
  t.ok((tally(changed)['200'] ?? 0) > 0);
  const { body } = await ask('GET', '/shipping-methods?limit=500');
  const methods = body['results'] as readonly { id: string; isDefault: boolean; version: number }[];
  t.equal(methods.filter(({ isDefault }) => isDefault).length, 1);
  for (const [client, answer] of made.entries()) {
    const method = methods.find(({ id }) => id === answer.body['id']);
    if (method === undefined) continue;
    // Made or become the default: each of these that another one followed has been unset by a write of its own.
    const taken = Number(client % 8 === 0) + Number(client % 8 === 1 && changed[client]!.status === 200);
    t.equal(method.version, 1 + Number(client % 8 === 1 && taken === 1) + (taken - Number(method.isDefault)));
  }
});

t.test(
  'a value of a required attribute is removed, or a product takes it at the same moment, and never both',
  async (t) => {
    const { ask, together } = await startCluster(t);
    const outcomes: Record<string, number> = {};
    for (let round = 0; round < 4; round += 1) {
      const typeOf = (client: number): string => `of-${round}-${client >> 1}`;
      const values = ['a', 'b'].map((key) => ({ key, label: key }));
      const must = { name: 'must', label: { en: 'must' }, isRequired: true, type: { name: 'enum', values } };
      for (let pair = 0; pair < clients / 2; pair += 1) {
        const key = typeOf(2 * pair);
        const { status } = await ask('POST', '/product-types', {
          key,
          name: key,
          description: key,
          attributes: [must],
        });
        t.equal(status, 201);
      }
      const answers = await together((client) => {
        const key = typeOf(client);
        if (client % 2 === 0) {
          const actions = [{ action: 'removeEnumValues', attributeName: 'must', keys: ['a'] }];
          return { method: 'POST', path: `/product-types/key=${key}`, body: { version: 1, actions } };
        }
        const draft = { productType: { key }, name: { en: key }, slug: { en: key } };
        const masterVariant = { attributes: [{ name: 'must', value: 'a' }] };
        return { method: 'POST', path: '/products', body: { ...draft, masterVariant } };
      });
      for (let pair = 0; pair < clients / 2; pair += 1) {
        const [removal, product] = [answers[2 * pair]!, answers[2 * pair + 1]!];
        const name = `${removal.status} ${product.status}`;
        outcomes[name] = (outcomes[name] ?? 0) + 1;
      }
    }
    t.equal(outcomes['200 201'], undefined, JSON.stringify(outcomes));
    // On a busy machine whoever met too many rivals is told to come again.
    const known = ['200 400', '400 201', '200 503', '503 201', '503 503'];
    const unknown = Object.keys(outcomes).filter((name) => !known.includes(name));
    t.strictSame(unknown, [], JSON.stringify(outcomes));
    t.ok((outcomes['200 400'] ?? 0) > 0 && (outcomes['400 201'] ?? 0) > 0, JSON.stringify(outcomes));
  },
);
