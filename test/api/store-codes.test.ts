import t from 'tap';
import { made, type Made } from '../support/cart-visit-shop.ts';
import { startPlatform } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

const discount = {
  name: { en: 'Ten percent' },
  value: { type: 'relative', permyriad: 1000 },
  cartPredicate: 'true = true',
  target: { type: 'lineItems', predicate: 'true = true' },
  requiresDiscountCode: true,
};

t.test('a code is found in the stores of its discounts, and follows them', async (t) => {
  const platform = await startPlatform(t, { feeder: true, meilisearch: 'none' });
  const { request, tokenWith, projectKey } = platform;
  for (const key of ['north', 'south', 'west']) made(await request('POST', '/stores', { key }));
  const discountOf = async (key: string, sortOrder: string, stores: readonly string[]): Promise<Made> =>
    made(
      await request('POST', '/cart-discounts', {
        ...discount,
        key,
        sortOrder,
        stores: stores.map((store) => ({ key: store })),
      }),
    );
  const first = await discountOf('first', '0.1', ['north', 'south']);
  await discountOf('second', '0.2', ['south']);
  await discountOf('everywhere', '0.3', []);
  const codeOf = async (code: string, ...keys: readonly string[]): Promise<Made> =>
    made(await request('POST', '/discount-codes', { key: code, code, cartDiscounts: keys.map((key) => ({ key })) }));
  const [both, any] = [await codeOf('BOTH', 'first', 'second', 'everywhere'), await codeOf('ANY', 'everywhere')];
  const store = (key: string): object => ({ typeId: 'store', key });
  t.strictSame(both['stores'], [store('north'), store('south')]);
  t.strictSame(any['stores'], []);
  const north = '/in-store/key=north/discount-codes';
  t.match(await request('GET', north), { status: 200, body: { total: 1, results: [{ id: both.id }] } });
  t.match(await request('GET', `${north}/key=BOTH`), { status: 200, body: { id: both.id } });
  t.match(await request('HEAD', `${north}/${both.id}`), { status: 200 });
  for (const path of [`${north}/${any.id}`, `${north}/key=ANY`, `/in-store/key=west/discount-codes/${both.id}`])
    t.match(await request('GET', path), { status: 404, body: { errors: [{ code: 'ResourceNotFound' }] } });
  t.equal((await request('POST', north, { code: 'NEW', cartDiscounts: [{ key: 'first' }] })).status, 405);
  const authorization = `Bearer ${await tokenWith([`view_discount_codes:${projectKey}:north`])}`;
  t.match(await request('GET', north, undefined, { authorization }), { status: 200, body: { total: 1 } });
  t.equal((await request('GET', '/in-store/key=south/discount-codes', undefined, { authorization })).status, 403);

  const query = `{ north: inStore(key: "north") { discountCode(key: "BOTH") { code storesRef { key } } discountCodes { total } }
    west: inStore(key: "west") { discountCode(key: "BOTH") { code } discountCodes { total results { code } } } }`;
  t.strictSame((await request('POST', '/graphql', { query })).body, {
    data: {
      north: {
        discountCode: { code: 'BOTH', storesRef: [{ key: 'north' }, { key: 'south' }] },
        discountCodes: { total: 1 },
      },
      west: { discountCode: null, discountCodes: { total: 0, results: [] } },
    },
  });

  const actions = [{ action: 'setStores', stores: [{ key: 'west' }] }];
  t.equal((await request('POST', `/cart-discounts/${first.id}`, { version: 1, actions })).status, 200);
  const west = await eventually(async () => {
    const { status, body } = await request('GET', '/in-store/key=west/discount-codes/key=BOTH');
    return status === 200 ? body : undefined;
  });
  t.match(west, { version: 2, stores: [store('west'), store('south')] });
  t.equal((await request('GET', `${north}/key=BOTH`)).status, 404);
  const changed = await request('POST', `/discount-codes/${any.id}`, {
    version: any.version,
    actions: [{ action: 'changeCartDiscounts', cartDiscounts: [{ key: 'second' }] }],
  });
  t.match(changed, { status: 200, body: { stores: [store('south')] } });
});
