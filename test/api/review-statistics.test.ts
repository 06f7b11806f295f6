import t from 'tap';
import { type Platform, startPlatform, startProject } from '../support/platform.ts';

type Body = Record<string, unknown>;

async function made(
  platform: Pick<Platform, 'request'>,
  path: string,
  draft: object,
): Promise<Body & { id: string; version: number }> {
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

t.test('whoever reviews a product has not changed it, and a review outlives it', async (t) => {
  const { request } = await startProject();
  await made({ request }, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
  await made({ request }, '/products', {
    key: 'lamp',
    productType: { key: 'lamp' },
    name: { en: 'a' },
    slug: { en: 'lamp' },
  });
  const { status, body: review } = await request(
    'POST',
    '/reviews',
    { ...product('lamp'), rating: 4 },
    { 'X-External-User-ID': 'reader' },
  );
  t.match({ status, review }, { status: 201, review: { lastModifiedBy: { externalUserId: 'reader' } } });
  const { body: reviewed } = await request('GET', '/products/key=lamp');
  t.match(reviewed, { version: 2, reviewRatingStatistics: { count: 1 } });
  t.notMatch(reviewed, { lastModifiedBy: { externalUserId: 'reader' } });
  t.equal((await request('DELETE', '/products/key=lamp?version=2')).status, 200);
  const path = `/reviews/${String(review['id'])}`;
  t.match(await request('POST', path, { version: 1, actions: [{ action: 'setRating', rating: 5 }] }), {
    status: 200,
    body: { rating: 5 },
  });
  t.equal((await request('DELETE', `${path}?version=2`)).status, 200);
});

t.test('64 rivals review a product, and each rating counts once', async (t) => {
  const platform = await startPlatform(t);
  await openShop(platform);
  const ratings = Array.from({ length: 64 }, (_, index) => index % 7);
  const answers = await Promise.all(
    ratings.map((rating) => platform.request('POST', '/reviews', { ...product('lamp-1'), rating })),
  );
  t.ok(
    answers.every(({ status }) => status === 201),
    'all are taken, one after the other',
  );
  const ofEach = (rating: number): number => ratings.filter((each) => each === rating).length;
  t.match(await statisticsAt(platform, '/products/key=lamp-1'), {
    count: ratings.length,
    ratingsDistribution: Object.fromEntries([...new Set(ratings)].map((rating) => [rating, ofEach(rating)])),
  });
});

t.test('a reviewed product keeps the prices that discounts make by its type', async (t) => {
  const { request } = await startProject();
  await made({ request }, '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
  await made({ request }, '/product-discounts', {
    name: { en: 'Lamps' },
    value: { type: 'relative', permyriad: 1000 },
    predicate: 'productType.key = "lamp"',
    sortOrder: '0.5',
    isActive: true,
  });
  const value = { currencyCode: 'EUR', centAmount: 1000 };
  const draft = { key: 'lamp', productType: { key: 'lamp' }, name: { en: 'a' }, slug: { en: 'lamp' } };
  await made({ request }, '/products', { ...draft, masterVariant: { prices: [{ value }] } });
  const { body: before } = await request('GET', '/products/key=lamp');
  const discounted = {
    masterData: { staged: { masterVariant: { prices: [{ discounted: { value: { centAmount: 900 } } }] } } },
  };
  t.match(before, discounted);
  await made({ request }, '/reviews', { ...product('lamp'), rating: 4 });
  const { body: after } = await request('GET', '/products/key=lamp');
  t.match(after, { ...discounted, version: Number(before['version']) + 1, reviewRatingStatistics: { count: 1 } });
});

t.test('whether a review counts is said by the roles of its state when that is set', async (t) => {
  const platform = await startPlatform(t);
  await openShop(platform);
  const states = ['waiting', 'approved'].map((key) => ({ key, type: 'ReviewState', initial: true }));
  for (const state of states) await made(platform, '/states', state);
  const rolesOf = async (key: string, ...roles: readonly string[]): Promise<void> => {
    const { version } = (await platform.request('GET', `/states/key=${key}`)).body;
    const body = { version, actions: [{ action: 'setRoles', roles }] };
    t.equal((await platform.request('POST', `/states/key=${key}`, body)).status, 200);
  };
  await rolesOf('approved', 'ReviewIncludedInStatistics');
  const inState = (key: string) => ({ ...product('lamp-1'), state: { typeId: 'state', key } });
  const waiting = await made(platform, '/reviews', { ...inState('waiting'), rating: 1 });
  const approved = await made(platform, '/reviews', { ...inState('approved'), rating: 4 });
  const others = await Promise.all(
    [5, 5].map((rating) => made(platform, '/reviews', { ...product('lamp-1'), rating })),
  );
  t.equal(others.length, 2);
  const statistics = () => statisticsAt(platform, '/products/key=lamp-1');
  t.match(await statistics(), { count: 3, averageRating: 4.66667 });

  await rolesOf('waiting', 'ReviewIncludedInStatistics');
  await rolesOf('approved');
  const change = async (id: string, ...actions: readonly object[]): Promise<unknown> => {
    const { version } = (await platform.request('GET', `/reviews/${id}`)).body;
    return (await platform.request('POST', `/reviews/${id}`, { version, actions })).body['includedInStatistics'];
  };
  const title = { action: 'setTitle', title: 'Good' };
  t.strictSame([await change(waiting.id, title), await change(approved.id, title)], [false, true]);
  t.match(await statistics(), { count: 3 });
  const to = (key: string) => ({ action: 'transitionState', state: { typeId: 'state', key }, force: true });
  t.strictSame([await change(waiting.id, to('approved')), await change(approved.id, to('waiting'))], [false, true]);
  t.equal(await change(waiting.id, to('waiting')), true);
  t.match(await statistics(), { count: 4, averageRating: 3.75 });
});
