import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startHttp } from '../../src/app.ts';
import { Random } from '../../src/demo/random.ts';
import { type Platform, requestToken, send, startPlatform } from '../support/platform.ts';

type Read = (path: string) => Promise<string>;

/** A platform, and GETs of another server for it, which keeps no answers; without documents it reads each page whole. */
async function start(t: Test): Promise<{ platform: Platform; together: Read; whole: Read }> {
  const platform = await startPlatform(t);
  const { config, client, projectKey } = platform;
  const reading = async (documentCacheBytes: number): Promise<Read> => {
    const server = await startHttp({ ...config, answerCacheBytes: 0, documentCacheBytes }, pino({ level: 'silent' }));
    t.teardown(() => server.close());
    const baseUrl = `http://127.0.0.1:${server.port}`;
    const headers = { authorization: `Bearer ${await requestToken(baseUrl, client)}` };
    return async (path) => (await send({ baseUrl, method: 'GET', path: `/${projectKey}${path}`, headers })).text;
  };
  return { platform, together: await reading(config.documentCacheBytes), whole: await reading(0) };
}

t.test('a page is put together from documents that are kept until they change', async (t) => {
  const { platform, together } = await start(t);
  const { projectKey, request, sql } = platform;
  for (const key of ['one', 'two']) await request('POST', '/zones', { key, name: 'First' });
  const path = '/zones?sort=key asc';
  const names = async (): Promise<readonly string[]> =>
    (JSON.parse(await together(path)) as { results: { name: string }[] }).results.map(({ name }) => name);
  const rename = (name: string, version: number, where: { readonly isLogged: boolean }) => sql`
    with renamed as (
      update documents set version = ${version}, data = data || ${sql.json({ name, version })}
      where project = ${projectKey} and key = 'one' returning *)
    insert into change_log (project, kind, id, version) select project, kind, id, version from renamed
    where ${where.isLogged}`;
  t.strictSame(await names(), ['First', 'First']);
  t.strictSame(await names(), ['First', 'First']);
  await rename('Second', 1, { isLogged: false });
  t.strictSame(await names(), ['First', 'First'], 'what nobody logged is not looked for');
  await rename('Third', 1, { isLogged: true });
  t.strictSame(await names(), ['Third', 'First']);
  // As if the write had come after the check, and before the order was read.
  await rename('Fourth', 2, { isLogged: false });
  t.strictSame(await names(), ['Fourth', 'First'], 'a later state is no reason for a page of two moments');
});

t.test('what is kept of one project is not that of another', async (t) => {
  const platform = await startPlatform(t);
  const other = await platform.anotherProject();
  const path = '/zones?where=name = "Zone"&limit=2';
  for (const [count, { request }] of [
    [3, platform],
    [1, other],
  ] as const) {
    for (let index = 0; index < count; index += 1) await request('POST', '/zones', { name: 'Zone' });
    for (const time of ['first', 'second', 'third'])
      t.match(await request('GET', path), { body: { total: count, count: Math.min(2, count) } }, time);
  }
  const { body: total } = await platform.request('GET', '/zones?where=name = "Zone"&limit=1');
  t.match(total, { total: 3 });
});

t.test('a page that has grown is the one that is read as a whole, or refused like that', async (t) => {
  const { platform, together, whole } = await start(t);
  const paths = ['/custom-objects/grown?limit=100', '/custom-objects/grown?limit=3&sort=key asc'];
  const count = 20;
  // One after the other: together they would be more than a client may have under way.
  const write = async (characters: number): Promise<void> => {
    const value = 'x'.repeat(characters);
    for (let key = 0; key < count; key += 1) {
      const { status } = await platform.request('POST', '/custom-objects', {
        container: 'grown',
        key: `key-${key}`,
        value,
      });
      if (status > 201) throw new Error(`It was not written: ${status}`);
    }
  };
  for (const characters of [1, 100, 80_000, 2_000_000, 300_000, 1]) {
    await write(characters);
    for (const path of paths) {
      const expected = await whole(path);
      const limit = Number(/limit=(\d+)/.exec(path)![1]);
      const isTooLarge = characters * Math.min(count, limit) > 32 * 1024 * 1024;
      t.equal(expected.startsWith('{"statusCode":400'), isTooLarge, path);
      for (const time of ['first', 'second']) {
        t.ok((await together(path)) === expected, `${path} with ${characters} characters, the ${time} time`);
      }
    }
  }
});

t.test('whatever is written, a page of kept documents is the page that is read as a whole', async (t) => {
  const { platform, together, whole } = await start(t);
  const { request } = platform;
  const random = new Random(20_261_123);
  const lists = [
    '/zones',
    '/zones?limit=3&offset=2&sort=name asc&sort=id asc',
    '/zones?limit=5&offset=2&sort=name asc&sort=id asc',
    '/zones?where=name = "Name 1"&sort=createdAt desc',
    '/zones?where=name = "Name 1"&withTotal=false',
    '/zones?where=key is defined&limit=500',
    '/tax-categories?sort=lastModifiedAt desc',
    '/shipping-methods?expand=taxCategory&expand=zoneRates[*].zone',
  ];
  const { body: taxCategory } = await request('POST', '/tax-categories', { key: 'tax', name: 'Tax' });
  const { body: fixedZone } = await request('POST', '/zones', { key: 'fixed', name: 'Name 1' });
  await request('POST', '/shipping-methods', {
    name: 'Method',
    isDefault: false,
    taxCategory: { key: 'tax' },
    zoneRates: [{ zone: { key: 'fixed' }, shippingRates: [] }],
  });
  let zones: { id: string; version: number }[] = [];
  let versions = { tax: Number(taxCategory['version']), zone: Number(fixedZone['version']) };
  const written = async (path: string, body: unknown): Promise<{ id: string; version: number }> => {
    const answer = await request('POST', path, body);
    if (answer.status > 201) throw new Error(answer.text);
    return answer.body as { id: string; version: number };
  };
  const renaming = (version: number): object => ({
    version,
    actions: [{ action: 'changeName', name: `Name ${random.integer(0, 2)} ${random.integer(0, 999)}` }],
  });
  const write = async (): Promise<void> => {
    const kind = random.integer(0, 5);
    if (kind === 0 || zones.length < 3) {
      zones = [...zones, await written('/zones', { name: `Name ${random.integer(0, 2)}` })];
    } else if (kind === 1) {
      const [gone, ...others] = zones;
      await request('DELETE', `/zones/${gone!.id}?version=${gone!.version}`);
      zones = others;
    } else if (kind === 2) {
      versions = { ...versions, tax: (await written('/tax-categories/key=tax', renaming(versions.tax))).version };
    } else if (kind === 3) {
      versions = { ...versions, zone: (await written('/zones/key=fixed', renaming(versions.zone))).version };
    } else {
      const index = random.integer(0, zones.length - 1);
      const { id, version } = zones[index]!;
      const actions = [{ action: 'changeName', name: `Name ${random.integer(0, 2)}` }];
      zones = zones.with(index, await written(`/zones/${id}`, { version, actions }));
    }
  };
  for (let step = 0; step < 120; step += 1) {
    await write();
    const [ours, theirs] = await Promise.all([together, whole].map((read) => Promise.all(lists.map(read))));
    t.strictSame(ours, theirs);
  }
});
