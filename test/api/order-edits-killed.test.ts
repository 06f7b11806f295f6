/** A process that is killed while it applies edits leaves each of them applied as a whole, or not at all. */
import type { Order } from '@commercetools/platform-sdk';
import t from 'tap';
import { keepMessages, messagesOf } from '../support/messages.ts';
import { startOrderShop } from '../support/order-shop.ts';
import { requestToken, send } from '../support/platform.ts';
import { startHttpProcess } from '../support/process.ts';

const shop = await startOrderShop();
const { addDiscount, api, client, config, order, projectKey } = shop;
await keepMessages(shop);
await addDiscount('by-code', { type: 'relative', permyriad: 1000 }, { requiresDiscountCode: true });
await api
  .discountCodes()
  .post({ body: { code: 'CODE', cartDiscounts: [{ typeId: 'cart-discount', key: 'by-code' }] } })
  .execute();

const editsOfRound = 24;
const rounds = 4;

interface Edit {
  readonly id: string;
  readonly version: number;
  readonly result: { readonly type: string; readonly excerptAfterEdit?: { readonly version: number } };
}

async function edit({ id }: Order): Promise<Edit> {
  const stagedActions = [
    { action: 'addDiscountCode', code: 'CODE' },
    { action: 'setCustomerEmail', email: 'killed@example.org' },
  ];
  const { status, body, text } = await shop.request('POST', '/orders/edits', {
    resource: { typeId: 'order', id },
    stagedActions,
  });
  if (status !== 201) throw new Error(text);
  return body as unknown as Edit;
}

type Ask = (method: string, path: string, body?: object) => Promise<Readonly<Record<string, unknown>>>;

const headers = { authorization: `Bearer ${await requestToken(shop.baseUrl, client)}` };

function askingAt(baseUrl: string): Ask {
  return async (method, path, body) =>
    (await send({ baseUrl, method, path: `/${projectKey}${path}`, body, headers })).body;
}

/** What the server that was killed began may be done to its end by the database, and so between two reads. */
async function settled(ask: Ask, path: string, read: () => Promise<Order>): Promise<readonly [Edit, Order]> {
  for (;;) {
    const before = (await ask('GET', path)) as unknown as Edit;
    const own = await read();
    const after = (await ask('GET', path)) as unknown as Edit;
    if (before.version === after.version) return [after, own];
  }
}

async function usesOf(ask: Ask): Promise<number> {
  const query = 'query Uses { discountCodes(where: "code = \\"CODE\\"") { results { applicationCount } } }';
  const { data } = (await ask('POST', '/graphql', { query })) as {
    data: { discountCodes: { results: [{ applicationCount: number }] } };
  };
  return data.discountCodes.results[0].applicationCount;
}

t.test('after kill -9 each edit is applied as a whole, or not at all', async (t) => {
  let uses = 0;
  const seen = { applied: 0, left: 0 };
  for (let round = 0; round < rounds; round += 1) {
    const orders = await Promise.all(Array.from({ length: editsOfRound }, () => order()));
    const edits = await Promise.all(orders.map(edit));
    const killed = await startHttpProcess(t, { DATABASE_URL: config.databaseUrl });
    const ask = askingAt(killed.baseUrl);
    const answered = new Set<number>();
    let killing: Promise<void> | undefined;
    await Promise.allSettled(
      edits.map(async ({ id, version }, index) => {
        const body = await ask('POST', `/orders/edits/${id}/apply`, { editVersion: version, resourceVersion: 1 });
        t.match(body, { result: { type: 'Applied' } });
        answered.add(index);
        // In the middle of what the others ask for.
        if (answered.size > round) killing ??= killed.kill();
      }),
    );
    await killing;
    const next = askingAt((await startHttpProcess(t, { DATABASE_URL: config.databaseUrl })).baseUrl);
    let applied = 0;
    for (const [index, { id }] of edits.entries()) {
      const own = orders[index]!;
      const read = async (): Promise<Order> => (await next('GET', `/orders/${own.id}`)) as unknown as Order;
      const [made, now] = await settled(next, `/orders/edits/${id}`, read);
      const types = (await messagesOf(shop, own.id)).map(({ type, sequenceNumber }) => [sequenceNumber, type]);
      if (made.result.type !== 'Applied') {
        t.notOk(answered.has(index), 'what was answered has taken place');
        t.strictSame([made.version, made.result.type], [1, 'PreviewSuccess']);
        t.strictSame(now, own);
        t.strictSame(types, [[1, 'OrderCreated']]);
        continue;
      }
      applied += 1;
      t.match(made, { version: 2, result: { excerptAfterEdit: { version: 2 } } });
      t.match(now, { version: 2, customerEmail: 'killed@example.org', discountCodes: [{ state: 'MatchesCart' }] });
      t.strictSame(
        types.map(([number]) => number),
        types.map((_, place) => place + 1),
      );
      t.equal(types.at(-1)![1], 'OrderEditApplied');
    }
    uses += applied;
    t.equal(await usesOf(next), uses, 'each has used the code');
    seen.applied += applied;
    seen.left += editsOfRound - applied;
  }
  t.ok(seen.applied >= rounds && seen.left > 0, JSON.stringify(seen));
});
