/** The process that searches products, and how others reach it. */
import { connect } from 'node:net';
import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startSearch } from '../../src/app.ts';
import { ProductsUnindexed, type Searcher } from '../../src/engine/searcher.ts';
import { ApiError } from '../../src/errors/api-error.ts';
import type { IndexQuery } from '../../src/product-search/index-query.ts';
import { createSearcher } from '../../src/searching/searcher.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

const log = pino({ level: 'silent' });

const everything: IndexQuery = {
  side: 'staged',
  query: { kind: 'all', operands: [] },
  narrowedBy: { kind: 'all', operands: [] },
  facets: [],
  sorts: [
    {
      kind: 'value',
      path: { scope: 'product', name: 'key', class: 'keyword' },
      isDescending: false,
      mode: 'min',
      where: undefined,
    },
  ],
  offset: 0,
  limit: 100,
  matching: undefined,
  prices: undefined,
};

/** In the name of no client. */
const requesterOf = ({ projectKey }: Platform) => ({
  project: { key: projectKey },
  principal: { clientId: 'test' },
});

async function totalOf(searcher: Searcher, platform: Platform): Promise<number | string> {
  try {
    return (await searcher.search(requesterOf(platform), everything)).total;
  } catch (error) {
    if (error instanceof ProductsUnindexed) return 'unindexed';
    if (!(error instanceof ApiError)) throw error;
    return error.code;
  }
}

async function makeProduct({ request }: Platform, key: string): Promise<void> {
  const draft = { key, name: { en: key }, slug: { en: key }, productType: { typeId: 'product-type', key: 'plain' } };
  const { status, text } = await request('POST', '/products', draft);
  if (status !== 201) throw new Error(text);
}

async function start(test: Test, options: { search: boolean }): Promise<{ platform: Platform; searcher: Searcher }> {
  const platform = await startPlatform(test, { feeder: true, ...options });
  await platform.request('POST', '/product-types', { key: 'plain', name: 'Plain', description: 'Plain' });
  const searcher = createSearcher({ path: platform.config.searchSocket, timeoutMs: 5000 });
  test.teardown(() => searcher.close());
  return { platform, searcher };
}

t.test('what is written is found, and what is deleted no more', async (t) => {
  const { platform, searcher } = await start(t, { search: true });
  for (const key of ['one', 'two']) await makeProduct(platform, key);
  await eventually(async () => (await totalOf(searcher, platform)) === 2 || undefined);
  await platform.request('DELETE', '/products/key=one?version=1');
  await eventually(async () => (await totalOf(searcher, platform)) === 1 || undefined);
});

t.test('without the process searches fail, and go on with the next one', async (t) => {
  const { platform, searcher } = await start(t, { search: false });
  await makeProduct(platform, 'one');
  t.equal(await totalOf(searcher, platform), 'SearchExecutionFailure');
  const first = await startSearch(platform.config, log);
  await eventually(async () => (await totalOf(searcher, platform)) === 1 || undefined);
  const second = await startSearch(platform.config, log);
  t.equal(await totalOf(searcher, platform), 1, 'who is connected stays connected');
  await first.close();
  await eventually(async () => (await totalOf(searcher, platform)) === 1 || undefined);
  await second.close();
  t.equal(await totalOf(searcher, platform), 'SearchExecutionFailure');
});

t.test('of a project that has never been indexed the process says so', async (t) => {
  const { platform, searcher } = await start(t, { search: true });
  await eventually(async () => (await totalOf(searcher, platform)) === 0 || undefined);
  t.equal(await totalOf(searcher, { ...platform, projectKey: 'other' }), 'unindexed');
});

t.test('who sends something else is not heard, and troubles nobody', async (t) => {
  const { platform, searcher } = await start(t, { search: true });
  await eventually(async () => (await totalOf(searcher, platform)) === 0 || undefined);
  for (const bytes of [Buffer.from('GET / HTTP/1.1\r\n\r\n'), Buffer.from([0, 0, 0, 2, 0x7b, 0x7b]), Buffer.alloc(4)]) {
    const socket = connect(platform.config.searchSocket);
    socket.on('error', () => {});
    const closed = new Promise((resolve) => socket.on('close', resolve));
    socket.write(bytes);
    await closed;
  }
  t.equal(await totalOf(searcher, platform), 0);
});
