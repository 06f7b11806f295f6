import t from 'tap';
import { startPlatform, startProject } from '../support/platform.ts';
import { made, openCartShop } from '../support/cart-visit-shop.ts';

const password = 'secret-pass-1';
const amountPlanned = { currencyCode: 'EUR', centAmount: 100 };

t.test('who signs up or in goes on having the lists and payments of the visit', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const jane = await shop.customer('jane@example.org');
  const other = made(await request('POST', '/shopping-lists', { name: { en: 'Other' }, anonymousId: 'visit-0' }));
  const visit = async (anonymousId: string) => {
    const headers = await shop.visitor(anonymousId);
    const lists = [];
    // More than one batch.
    for (let index = 0; index < 23; index += 1)
      lists.push(made(await request('POST', '/me/shopping-lists', { name: { en: `List ${index}` } }, headers)));
    return { headers, lists, payment: made(await request('POST', '/me/payments', { amountPlanned }, headers)) };
  };
  const isMoved = async ({ lists, payment }: Awaited<ReturnType<typeof visit>>, id: string): Promise<void> => {
    const paths = [...lists.map((list) => `/shopping-lists/${list.id}`), `/payments/${payment.id}`];
    for (const path of paths)
      t.match((await request('GET', path)).body, {
        version: 2,
        customer: { typeId: 'customer', id },
        anonymousId: undefined,
      });
  };
  const first = await visit('visit-1');
  t.equal((await request('POST', '/me/login', { email: 'jane@example.org', password }, first.headers)).status, 200);
  await isMoved(first, jane.id);
  t.match((await request('GET', '/me/shopping-lists', undefined, jane.headers)).body, { total: 23 });
  t.match((await request('GET', '/me/shopping-lists', undefined, first.headers)).body, { total: 0 });

  const second = await visit('visit-2');
  const signUp = await request('POST', '/customers', { email: 'joe@example.org', password, anonymousId: 'visit-2' });
  const { customer } = signUp.body as { customer: { id: string } };
  t.equal(signUp.status, 201);
  await isMoved(second, customer.id);

  const third = await visit('visit-3');
  t.equal((await shop.login({ anonymousId: 'visit-3' })).status, 200);
  await isMoved(third, jane.id);
  t.equal((await shop.login({ anonymousId: 'visit-3' })).status, 200);
  await isMoved(third, jane.id);
  t.match((await request('GET', `/shopping-lists/${other.id}`)).body, { version: 1, anonymousId: 'visit-0' });
});

t.test('a list that is changed meanwhile is moved as it is then', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const shop = await openCartShop(platform);
  const { id } = await shop.customer('jane@example.org');
  const path = `/shopping-lists/${made(await request('POST', '/shopping-lists', { name: { en: 'Wishes' }, anonymousId: 'visit' })).id}`;
  let isOver = false;
  const changes = (async () => {
    let count = 0;
    while (!isOver) {
      const { version } = (await request('GET', path)).body;
      const actions = [{ action: 'changeName', name: { en: `Name ${count}` } }];
      if ((await request('POST', path, { version, actions })).status === 200) count += 1;
    }
    return count;
  })();
  for (let turn = 0; turn < 5; turn += 1) t.equal((await shop.login({ anonymousId: 'visit' })).status, 200);
  isOver = true;
  const count = await changes;
  t.match((await request('GET', path)).body, { customer: { id }, version: count + 2 }, 'no change is lost');
});

t.test('what cannot be moved keeps nobody from signing in', async (t) => {
  const platform = await startPlatform(t);
  const { request, sql } = platform;
  const shop = await openCartShop(platform);
  const { id } = await shop.customer('jane@example.org');
  const draft = { name: { en: 'Wishes' }, anonymousId: 'visit' };
  const [stuck, free] = [
    made(await request('POST', '/shopping-lists', draft)),
    made(await request('POST', '/shopping-lists', draft)),
  ];
  // As if each time somebody else had been first.
  await sql.unsafe(`create function "lose ${stuck.id}"() returns trigger language plpgsql as 'begin return null; end'`);
  await sql.unsafe(
    `create trigger "lose ${stuck.id}" before update on documents for each row when (old.id = '${stuck.id}') execute function "lose ${stuck.id}"()`,
  );
  t.equal((await shop.login({ anonymousId: 'visit' })).status, 200);
  t.match((await request('GET', `/shopping-lists/${stuck.id}`)).body, { version: 1, anonymousId: 'visit' });
  t.match((await request('GET', `/shopping-lists/${free.id}`)).body, { version: 2, customer: { id } });
});
