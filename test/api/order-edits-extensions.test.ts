/** Extensions that are asked about updates of orders are asked by previews of edits, and when these are applied. */
import type { Order } from '@commercetools/platform-sdk';
import t from 'tap';
import { actions, type Behavior, refusal, startShop } from '../support/extension-server.ts';
import { keepMessages, messagesOf } from '../support/messages.ts';
import { startOrderShop } from '../support/order-shop.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t, { allowsPrivateExtensions: true });
const { project, calls, behaviors, extend } = await startShop(t, platform);
const shop = await startOrderShop(project);
const { order, request } = shop;
const extension = await extend('orders', { triggers: [{ resourceTypeId: 'order', actions: ['Update'] }] });

interface Edit {
  readonly id: string;
  readonly version: number;
  readonly result: Readonly<Record<string, unknown>>;
}

const email = { action: 'setCustomerEmail', email: 'edited@example.org' };

async function edit({ id }: Order): Promise<Edit> {
  const draft = { resource: { typeId: 'order', id }, stagedActions: [email] };
  const { status, body, text } = await request('POST', '/orders/edits', draft);
  if (status !== 201) throw new Error(text);
  return body as unknown as Edit;
}

const get = (path: string) => request('GET', path).then(({ body }) => body);
const apply = ({ id, version }: Edit, own: Order) =>
  request('POST', `/orders/edits/${id}/apply`, { editVersion: version, resourceVersion: own.version });

t.test('what an extension asks for is in the preview, and in what is applied', async (t) => {
  await keepMessages(shop);
  const own = await order();
  behaviors.set('orders', actions({ action: 'changeOrderState', orderState: 'Confirmed' }));
  const before = calls.length;
  const made = await edit(own);
  t.match(made.result, {
    type: 'PreviewSuccess',
    preview: { orderState: 'Confirmed', customerEmail: email.email, version: 1 },
    messagePayloads: [{ type: 'OrderCustomerEmailSet' }, { type: 'OrderStateChanged' }],
  });
  t.equal(calls.length, before + 1, 'it is asked once');
  const { action, resource } = calls.at(-1)!.input;
  t.match(
    { action, resource },
    {
      action: 'Update',
      resource: { typeId: 'order', id: own.id, obj: { customerEmail: email.email, orderState: 'Open', version: 2 } },
    },
  );
  t.strictSame(await get(`/orders/${own.id}`), own, 'the order is as it was');
  t.equal((await apply(made, own)).status, 200);
  t.equal(calls.length, before + 2, 'and once more when the edit is applied');
  t.match(await get(`/orders/${own.id}`), { orderState: 'Confirmed', customerEmail: email.email, version: 2 });
  t.match(
    (await messagesOf(shop, own.id)).map(({ type }) => type),
    ['OrderCreated', 'OrderCustomerEmailSet', 'OrderStateChanged', 'OrderEditApplied'],
  );
  await get(`/orders/edits/${made.id}`);
  t.equal(calls.length, before + 2, 'an edit that was applied asks nobody');
});

t.test('what an extension refuses, the preview shows, and applying says so', async (t) => {
  const own = await order();
  behaviors.set('orders', refusal({ code: 'InvalidInput', message: 'Too late' }));
  const failure = {
    type: 'PreviewFailure',
    errors: [{ code: 'InvalidInput', message: 'Too late', errorByExtension: { id: extension.id, key: 'orders' } }],
  };
  const made = await edit(own);
  t.match(made.result, failure);
  t.match(await apply(made, own), {
    status: 400,
    body: { errors: [{ code: 'EditPreviewFailed', result: failure }] },
  });
  behaviors.set('orders', actions({ action: 'removeDelivery', deliveryId: 'none' }));
  t.match(await get(`/orders/edits/${made.id}`), {
    result: { type: 'PreviewFailure', errors: [{ code: 'ExtensionUpdateActionsFailed' }] },
  });
  t.strictSame(await get(`/orders/${own.id}`), own);
});

t.test('an edit is stored and shown while an extension is out of order, and not applied', async (t) => {
  const own = await order();
  const broken: Behavior = (response) => response.writeHead(500).end('broken');
  behaviors.set('orders', broken);
  const made = await edit(own);
  t.match(made.result, { type: 'PreviewFailure', errors: [{ code: 'ExtensionBadResponse' }] });
  t.match(await get(`/orders/edits/${made.id}`), { version: 1, result: { type: 'PreviewFailure' } });
  t.match(await apply(made, own), { status: 502, body: { errors: [{ code: 'ExtensionBadResponse' }] } });
  behaviors.delete('orders');
  t.match(await apply(made, own), { status: 200, body: { result: { type: 'Applied' } } });
});
