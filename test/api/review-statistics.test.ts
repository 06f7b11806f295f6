import t from 'tap';
import { type Platform, startPlatform } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

type Body = Record<string, unknown>;

async function made(platform: Platform, path: string, draft: object): Promise<Body & { id: string; version: number }> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body as never;
}

async function openShop(platform: Platform): Promise<void> {
  await made(platform, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
  for (const key of ['lamp-1', 'lamp-2'])
    await made(platform, '/products', { key, productType: { key: 'lamp' }, name: { en: key }, slug: { en: key } });
}

const product = (key: string) => ({ target: { typeId: 'product', key } });

async function statisticsAt(platform: Platform, path: string): Promise<unknown> {
  return (await platform.request('GET', path)).body['reviewRatingStatistics'];
}

t.test('the statistics of a target are those of its reviews that count', async (t) => {
  const platform = await startPlatform(t);
  await openShop(platform);
  await made(platform, '/channels', { key: 'city' });
  const first = await made(platform, '/reviews', { ...product('lamp-1'), rating: 5 });
  const second = await made(platform, '/reviews', { ...product('lamp-1'), rating: -2 });
  await made(platform, '/reviews', { ...product('lamp-1'), text: 'No rating' });
  await made(platform, '/reviews', { target: { typeId: 'channel', key: 'city' }, rating: 3 });
  const lamp = () => statisticsAt(platform, '/products/key=lamp-1');
  t.strictSame(await lamp(), {
    averageRating: 1.5,
    highestRating: 5,
    lowestRating: -2,
    count: 2,
    ratingsDistribution: { '5': 1, '-2': 1 },
  });
  t.match(await statisticsAt(platform, '/channels/key=city'), { count: 1, averageRating: 3 });

  const update = (id: string, version: number, ...actions: readonly object[]) =>
    platform.request('POST', `/reviews/${id}`, { version, actions });
  await update(second.id, 1, { action: 'setRating', rating: 5 });
  t.match(await lamp(), { count: 2, averageRating: 5, ratingsDistribution: { '5': 2 } });
  await update(second.id, 2, { action: 'setTarget', ...product('lamp-2') });
  t.match(await lamp(), { count: 1 });
  t.match(await statisticsAt(platform, '/products/key=lamp-2'), { count: 1, highestRating: 5 });
  const where = encodeURIComponent('reviewRatingStatistics(averageRating > 4.5)');
  t.equal((await platform.request('GET', `/products?where=${where}`)).body['total'], 2);
  await platform.request('DELETE', `/reviews/${first.id}?version=1`);
  t.equal(await lamp(), undefined, 'without a review there are none');
});

t.test('64 rivals review a product, and each rating counts once', async (t) => {
  const platform = await startPlatform(t);
  await openShop(platform);
  const ratings = Array.from({ length: 64 }, (_, index) => index % 7);
  const answers = await Promise.all(
    ratings.map((rating) => platform.request('POST', '/reviews', { ...product('lamp-1'), rating })),
  );
  const counted = answers.filter(({ status }) => status === 201).map(({ body }) => Number(body['rating']));
  t.ok(
    answers.every(({ status }) => status === 201 || status === 503),
    'or is to be sent again',
  );
  t.match(await statisticsAt(platform, '/products/key=lamp-1'), {
    count: counted.length,
    averageRating: counted.reduce((sum, each) => sum + each, 0) / counted.length,
  });
  const stored = (await platform.request('GET', '/reviews?limit=500')).body['total'];
  t.equal(stored, counted.length);
});

t.test('reviews count when their state comes to say so', async (t) => {
  const platform = await startPlatform(t, { feeder: true });
  await openShop(platform);
  await made(platform, '/states', { key: 'approved', type: 'ReviewState', initial: true });
  const review = { ...product('lamp-1'), rating: 4, state: { typeId: 'state', key: 'approved' } };
  await made(platform, '/reviews', { key: 'waiting', ...review });
  t.equal(await statisticsAt(platform, '/products/key=lamp-1'), undefined);
  const actions = [{ action: 'setRoles', roles: ['ReviewIncludedInStatistics'] }];
  await platform.request('POST', '/states/key=approved', { version: 1, actions });
  await eventually(async () => statisticsAt(platform, '/products/key=lamp-1').then((found) => found ?? undefined));
  t.match(await statisticsAt(platform, '/products/key=lamp-1'), { count: 1, averageRating: 4 });
});
