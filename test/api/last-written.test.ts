import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { startShop } from '../support/extension-server.ts';
import { type Platform, requestToken, send, startPlatform } from '../support/platform.ts';
import { proxyTo } from '../support/proxy.ts';
import { createDatabase } from '../support/services.ts';

type Ask = (method: string, path: string, body?: unknown) => ReturnType<typeof send>;

/** One that has written what another changes behind its back. */
async function writerAndRival(t: Tap, platform: Platform): Promise<{ readonly writer: Ask; readonly rival: Ask }> {
  const { projectKey, client, config, baseUrl } = platform;
  const other = await startHttp(config, pino({ level: 'silent' }));
  t.teardown(() => other.close());
  const token = await requestToken(baseUrl, client);
  const asking =
    (server: string): Ask =>
    (method, path, body) =>
      send({
        baseUrl: server,
        method,
        path: `/${projectKey}${path}`,
        body,
        headers: { authorization: `Bearer ${token}` },
      });
  return { writer: asking(baseUrl), rival: asking(`http://127.0.0.1:${other.port}`) };
}

type Tap = Parameters<typeof startPlatform>[0];

/** Raises a version as no process of the platform does: nobody hears of it. */
function silently({ sql }: Pick<Platform, 'sql'>, id: unknown, member: object): Promise<unknown> {
  return sql`update documents set version = version + 1,
    data = data || jsonb_build_object('version', version + 1) || ${sql.json(member as never)} where id = ${String(id)}`;
}

const renamed = (name: string) => ({ action: 'changeName', name: { en: name } });

t.test('what one server has written last, another may have written since', async (t) => {
  const platform = await startPlatform(t);
  const { writer, rival } = await writerAndRival(t, platform);
  const made = async (slug: string) => {
    const { body } = await writer('POST', '/categories', { name: { en: slug }, slug: { en: slug } });
    return `/categories/${String(body['id'])}`;
  };
  const conflict = { status: 409, body: { errors: [{ code: 'ConcurrentModification', currentVersion: 2 }] } };
  const under = (id: string) => ({ action: 'changeParent', parent: { typeId: 'category', id } });
  const cases: readonly (readonly [name: string, actions: (id: string) => readonly object[]])[] = [
    ['takes effect', () => [renamed('Late')]],
    ['has no effect on what it was', () => [{ action: 'setKey' }]],
    ['refers to what is not there', () => [under('00000000-0000-4000-8000-000000000000')]],
    ['is refused by a rule', (id) => [under(id)]],
    ['says nothing', () => []],
  ];
  const ways = {
    tells: (id: string) => rival('POST', `/categories/${id}`, { version: 1, actions: [renamed('Rival')] }),
    tellsLate: (id: string) => silently(platform, id, { name: { en: 'Rival' } }),
  };
  const all = Object.values(ways).flatMap((write) => cases.map((each) => [write, ...each] as const));
  for (const [index, [write, name, actionsFor]] of all.entries()) {
    const slug = `slug-${index}`;
    const path = await made(slug);
    const id = path.slice('/categories/'.length);
    const actions = actionsFor(id);
    await write(id);
    t.match(await writer('POST', path, { version: 1, actions }), conflict, `an update that ${name} comes too late`);
    const { status, body } = await writer('POST', path, { version: 2, actions: [renamed('Third')] });
    t.match({ status, body }, { status: 200, body: { version: 3, name: { en: 'Third' }, slug: { en: slug } } });
    t.equal((await rival('DELETE', `${path}?version=3`)).status, 200);
    t.equal(
      (await writer('POST', path, { version: 3, actions })).status,
      404,
      `an update that ${name} finds what was deleted no more`,
    );
  }
});

t.test('nor is a stranger told of a version, and whoever asks for a preview is', async (t) => {
  const platform = await startPlatform(t);
  const { request: writer } = platform;
  for (const key of ['own', 'other']) await writer('POST', '/stores', { key });
  const { body: cart } = await writer('POST', '/in-store/key=own/carts', { currency: 'EUR' });
  const path = `/carts/${String(cart['id'])}`;
  const late = { version: 1, actions: [{ action: 'setLocale' }] };
  await silently(platform, cart['id'], { country: 'DE' });
  t.equal((await writer('POST', `/in-store/key=other${path}`, late)).status, 404);
  t.equal((await writer('POST', `/in-store/key=own${path}`, late)).status, 409);
  const item = { name: { en: 'Gift wrap' }, slug: 'wrap', money: { currencyCode: 'EUR', centAmount: 100 } };
  const ordered = { currency: 'EUR', taxMode: 'Disabled', shippingAddress: { country: 'DE' }, customLineItems: [item] };
  const { id, version } = (await writer('POST', '/carts', ordered)).body;
  const { body: order } = await writer('POST', '/orders', { cart: { typeId: 'cart', id }, version });
  const resource = { typeId: 'order', id: order['id'] };
  const { body: edit } = await writer('POST', '/orders/edits', { resource, stagedActions: [] });
  const editPath = `/orders/edits/${String(edit['id'])}`;
  await silently(platform, edit['id'], { comment: 'first' });
  const comment = { version: 1, actions: [{ action: 'setComment', comment: 'late' }], dryRun: true };
  t.equal((await writer('POST', editPath, comment)).status, 409);
});

t.test('what is kept beside a resource goes on where it was', async (t) => {
  const { request } = await startPlatform(t);
  await request('POST', '/product-types', { key: 'lamp', name: 'Lamp', description: 'Lamps' });
  const productType = { typeId: 'product-type', key: 'lamp' };
  const made = await request('POST', '/products', { productType, name: { en: 'Lamp' }, slug: { en: 'lamp' } });
  const path = `/products/${String(made.body['id'])}`;
  const changes = [
    { action: 'addVariant', sku: 'second' },
    { action: 'removeVariant', id: 2 },
    renamed('Light'),
    { action: 'addVariant', sku: 'third' },
  ];
  for (const [index, action] of changes.entries())
    t.match(await request('POST', path, { version: index + 1, actions: [action] }), { status: 200 });
  const { masterData } = (await request('GET', path)).body;
  t.match(masterData, { staged: { variants: [{ id: 3 }] } }, 'ids of variants are never used again');
});

t.test('whether a write took place whose answer was lost is not guessed', async (t) => {
  const made = await createDatabase(t);
  const proxy = await proxyTo(t, made.url);
  const { request } = await startPlatform(t, { database: { ...made, url: proxy.url.href } });
  const { body } = await request('POST', '/categories', { name: { en: 'First' }, slug: { en: 'first' } });
  const path = `/categories/${String(body['id'])}`;
  proxy.losesAnswerTo = 'Lost on the way';
  const update = { version: 1, actions: [renamed('Lost on the way')] };
  t.match(await request('POST', path, update), { status: 502, body: { errors: [{ code: 'BadGateway' }] } });
  proxy.losesAnswerTo = undefined;
  t.match((await request('GET', path)).body, { version: 2, name: { en: 'Lost on the way' } });
});

t.test('extensions are not asked about a version that has passed', async (t) => {
  const platform = await startPlatform(t, { allowsPrivateExtensions: true });
  const { calls, extend, createGroup, updateGroup } = await startShop(t, platform);
  await extend('all');
  const { id } = (await createGroup('First')).body as { readonly id: string };
  await silently(platform, id, { name: 'Rival' });
  const asked = calls.length;
  t.equal((await updateGroup(id, 1, [{ action: 'changeName', name: 'Late' }])).status, 409);
  t.equal(calls.length, asked);
});

t.test('nor does what is known of a resource outlive what it refers to, or who may change it', async (t) => {
  const platform = await startPlatform(t);
  const { writer, rival } = await writerAndRival(t, platform);
  const draft = { email: 'a@example.com', password: 's3cret-Passw0rd' };
  const { customer: known } = (await writer('POST', '/customers', draft)).body as { customer: { id: string } };
  const { body: cart } = await writer('POST', '/carts', {
    currency: 'EUR',
    customerId: known.id,
    customerEmail: 'a@example.com',
  });
  const path = `/carts/${String(cart['id'])}`;
  const group = (await rival('POST', '/customer-groups', { groupName: 'Group' })).body;
  await rival('POST', `/customers/${known.id}`, {
    version: 1,
    actions: [{ action: 'setCustomerGroup', customerGroup: { typeId: 'customer-group', id: group['id'] } }],
  });
  const { body: updated } = await writer('POST', path, {
    version: 1,
    actions: [{ action: 'setLocale' }, { action: 'setCountry', country: 'DE' }],
  });
  t.match(updated, { country: 'DE', customerGroup: { id: group['id'] } }, 'customers are read anew');
  const { body: store } = await writer('POST', '/stores', { key: 'store' });
  t.equal(
    (await writer('POST', `/in-store/key=${String(store['key'])}${path}`, { version: 2, actions: [] })).status,
    404,
    'a cart of no store is not found in one',
  );
});
