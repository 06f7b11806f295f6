import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { type Platform, requestToken, send, startPlatform } from '../support/platform.ts';

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

const renamed = (name: string) => ({ action: 'changeName', name: { en: name } });

t.test('what one server has written last, another may have written since', async (t) => {
  const { writer, rival } = await writerAndRival(t, await startPlatform(t));
  const made = async (slug: string) => {
    const { body } = await writer('POST', '/categories', { name: { en: slug }, slug: { en: slug } });
    return `/categories/${String(body['id'])}`;
  };
  const conflict = { status: 409, body: { errors: [{ code: 'ConcurrentModification', currentVersion: 2 }] } };
  const under = (id: string) => ({ action: 'changeParent', parent: { typeId: 'category', id } });
  const cases: readonly (readonly [name: string, actions: (id: string) => readonly object[]])[] = [
    ['takes effect', () => [renamed('Late')]],
    ['has no effect on what it was', () => [renamed('slug-1')]],
    ['refers to what is not there', () => [under('00000000-0000-4000-8000-000000000000')]],
    ['is refused by a rule', (id) => [under(id)]],
    ['says nothing', () => []],
  ];
  for (const [index, [name, actionsFor]] of cases.entries()) {
    const slug = `slug-${index}`;
    const path = await made(slug);
    const actions = actionsFor(path.slice('/categories/'.length));
    t.equal((await rival('POST', path, { version: 1, actions: [renamed('Rival')] })).status, 200);
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
