/** Edits that are applied at the same time as others write what they change: one wins, and nothing is half done. */
import type { Order } from '@commercetools/platform-sdk';
import { pino } from 'pino';
import t from 'tap';
import { startHttp } from '../../src/app.ts';
import { keepMessages, messagesOf } from '../support/messages.ts';
import { startOrderShop } from '../support/order-shop.ts';
import { type Answer, requestToken, send } from '../support/platform.ts';
import { tally } from '../support/tally.ts';

const shop = await startOrderShop();
const { addDiscount, api, client, config, order, projectKey, request } = shop;
const other = await startHttp(config, pino({ level: 'silent' }));
t.teardown(() => other.close());
await keepMessages(shop);

const baseUrls = [shop.baseUrl, `http://127.0.0.1:${other.port}`];
const headers = { authorization: `Bearer ${await requestToken(shop.baseUrl, client)}` };

interface Post {
  readonly path: string;
  readonly body: object;
}

/** All at once, spread over two servers with caches and connections of their own. */
function together(posts: readonly Post[]): Promise<readonly Answer[]> {
  return Promise.all(
    posts.map(({ path, body }, index) =>
      send({
        baseUrl: baseUrls[index % baseUrls.length]!,
        method: 'POST',
        path: `/${projectKey}${path}`,
        body,
        headers,
      }),
    ),
  );
}

interface Edit {
  readonly id: string;
  readonly version: number;
  readonly result: { readonly type: string; readonly excerptAfterEdit?: { readonly version: number } };
}

async function edit({ id }: Order, ...stagedActions: readonly object[]): Promise<Edit> {
  const { status, body, text } = await request('POST', '/orders/edits', {
    resource: { typeId: 'order', id },
    stagedActions,
  });
  if (status !== 201) throw new Error(text);
  return body as unknown as Edit;
}

const applying = ({ id, version }: Edit, own: Order): Post => ({
  path: `/orders/edits/${id}/apply`,
  body: { editVersion: version, resourceVersion: own.version },
});
const got = async <T>(path: string): Promise<T> => (await request('GET', path)).body as T;
const orderOf = ({ id }: Order): Promise<Order> => got(`/orders/${id}`);

/** The types of the messages of an order since it was created; their numbers go on without gaps. */
async function toldOf(
  t: { strictSame(one: unknown, other: unknown): unknown },
  { id }: Order,
): Promise<readonly string[]> {
  const messages = await messagesOf(shop, id);
  t.strictSame(
    messages.map(({ sequenceNumber }) => sequenceNumber),
    messages.map((_, index) => index + 1),
  );
  return messages.slice(1).map(({ type }) => type);
}

const clients = 16;
const rounds = 8;
const email = (client: number): object => ({ action: 'setCustomerEmail', email: `c${client}@example.org` });
const won = { 200: 1, '409 ConcurrentModification': clients - 1 };

t.test('of those who apply one edit, one does', async (t) => {
  for (let round = 0; round < rounds; round += 1) {
    const own = await order();
    const made = await edit(own, email(round));
    const answers = await together(Array.from({ length: clients }, () => applying(made, own)));
    t.strictSame(tally(answers), won);
    t.match(await orderOf(own), { version: 2, customerEmail: `c${round}@example.org` });
    t.match(await got(`/orders/edits/${made.id}`), { version: 2, result: { type: 'Applied' } });
    t.strictSame(await toldOf(t, own), ['OrderCustomerEmailSet', 'OrderEditApplied']);
  }
});

t.test('of several edits of one order, one is applied, and the others stay as they were', async (t) => {
  for (let round = 0; round < rounds; round += 1) {
    const own = await order();
    const edits = await Promise.all(Array.from({ length: clients }, (_, index) => edit(own, email(index))));
    const answers = await together(edits.map((made) => applying(made, own)));
    t.strictSame(tally(answers), won);
    const winner = answers.findIndex(({ status }) => status === 200);
    t.match(await orderOf(own), { version: 2, customerEmail: `c${winner}@example.org` });
    const now = await Promise.all(edits.map(({ id }) => got<Edit>(`/orders/edits/${id}`)));
    t.strictSame(
      now.map(({ version, result }) => [version, result.type]),
      now.map((_, index) => (index === winner ? [2, 'Applied'] : [1, 'PreviewSuccess'])),
    );
    t.strictSame(await toldOf(t, own), ['OrderCustomerEmailSet', 'OrderEditApplied']);
  }
});

t.test('of edits and updates of one order, one is done', async (t) => {
  const winners = new Set<string>();
  for (let round = 0; round < rounds * 2; round += 1) {
    const own = await order();
    const made = await edit(own, email(round));
    const update = {
      path: `/orders/${own.id}`,
      body: { version: own.version, actions: [{ action: 'changeOrderState', orderState: 'Confirmed' }] },
    };
    const isEdit = (index: number): boolean => (index + round) % 2 === 0;
    const posts = Array.from({ length: clients }, (_, index) => (isEdit(index) ? applying(made, own) : update));
    const answers = await together(posts);
    t.strictSame(tally(answers), won);
    const byEdit = isEdit(answers.findIndex(({ status }) => status === 200));
    winners.add(byEdit ? 'edit' : 'update');
    const now = await orderOf(own);
    t.strictSame(
      [now.version, now.orderState, now.customerEmail === `c${round}@example.org`],
      byEdit ? [2, 'Open', true] : [2, 'Confirmed', false],
    );
    t.match(await got(`/orders/edits/${made.id}`), { result: { type: byEdit ? 'Applied' : 'PreviewSuccess' } });
    t.strictSame(await toldOf(t, own), byEdit ? ['OrderCustomerEmailSet', 'OrderEditApplied'] : ['OrderStateChanged']);
  }
  t.pass(`won: ${[...winners].join(', ')}`);
});

t.test('the last use of a code goes to one of the edits that bring it', async (t) => {
  await addDiscount('last', { type: 'relative', permyriad: 1000 }, { requiresDiscountCode: true });
  for (let round = 0; round < rounds; round += 1) {
    const code = `LAST${round}`;
    await api
      .discountCodes()
      .post({ body: { code, maxApplications: 1, cartDiscounts: [{ typeId: 'cart-discount', key: 'last' }] } })
      .execute();
    const orders = await Promise.all(Array.from({ length: clients / 2 }, () => order()));
    const edits = await Promise.all(orders.map((own) => edit(own, { action: 'addDiscountCode', code })));
    const answers = await together(edits.map((made, index) => applying(made, orders[index]!)));
    const now = await Promise.all(orders.map(orderOf));
    const states = now.map(({ discountCodes }) => discountCodes?.map(({ state }) => state) ?? []);
    t.equal(states.filter(([state]) => state === 'MatchesCart').length, 1, 'one has the code in effect');
    for (const [index, { status, body }] of answers.entries()) {
      const { version, totalPrice } = now[index]!;
      const [state] = states[index]!;
      if (status === 200) {
        // Who came after the use was taken sees that in the preview, and applies it like that.
        t.ok(state === 'MatchesCart' || state === 'MaxApplicationReached', String(state));
        t.equal(version, 2);
        t.equal(totalPrice.centAmount < orders[index]!.totalPrice.centAmount, state === 'MatchesCart');
        continue;
      }
      t.match({ status, body }, { status: 400, body: { errors: [{ code: 'DiscountCodeNonApplicable' }] } });
      t.strictSame(now[index], orders[index], 'nothing is half done');
      t.match(await got(`/orders/edits/${edits[index]!.id}`), { version: 1, result: { type: 'PreviewSuccess' } });
      t.strictSame(await toldOf(t, orders[index]!), []);
    }
  }
});
