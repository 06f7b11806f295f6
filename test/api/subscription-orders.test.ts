/** What subscriptions hear of orders, which are written with what they take, and of their edits. */
import t from 'tap';
import { notificationServer, subscribe } from '../support/notification-server.ts';
import { startOrderShop } from '../support/order-shop.ts';
import { startPlatform } from '../support/platform.ts';

const shop = await startOrderShop(await startPlatform(t, { feeder: true }));
const { api, cart, order, request } = shop;

const changesOf = (...kinds: readonly string[]) => kinds.map((resourceTypeId) => ({ resourceTypeId }));

t.test('an order is told of with what is taken for it, and what is refused is not', async (t) => {
  const server = await notificationServer(t);
  const { body: stock } = await request('POST', '/inventory', { sku: 'lamp', quantityOnStock: 4 });
  const messages = [{ resourceTypeId: 'order' }, { resourceTypeId: 'inventory-entry' }];
  await subscribe(shop, server, { name: 'all', changes: changesOf('cart', 'order', 'inventory-entry'), messages });
  const lines = (quantity: number) => ({
    shippingAddress: { country: 'DE' },
    inventoryMode: 'ReserveOnOrder' as const,
    lineItems: [{ sku: 'lamp', quantity }],
  });
  const tooMany = await cart(lines(5));
  const draft = { cart: { typeId: 'cart', id: tooMany.id }, version: tooMany.version };
  t.match(await request('POST', '/orders', draft), { status: 400, body: { errors: [{ code: 'OutOfStock' }] } });
  const own = await order(lines(4));
  const heard = () =>
    server.of('all').map(({ body: { notificationType, type, resource, version, oldVersion } }) => {
      const counted = version === undefined ? {} : { version, oldVersion };
      return { told: type ?? notificationType, id: resource.id, ...counted };
    });
  await server.until(() => heard().length === 6);
  const cartId = own.cart!.id;
  const told = heard();
  const of = (id: string) => told.filter((each) => each.id === id);
  t.match(of(tooMany.id), [{ told: 'ResourceCreated' }]);
  t.match(of(cartId), [{ told: 'ResourceCreated' }], 'that it was ordered is no change that is told of a cart');
  t.match(of(own.id), [{ told: 'ResourceCreated', version: 1 }, { told: 'OrderCreated' }]);
  t.match(of(String(stock['id'])), [
    { told: 'ResourceUpdated', version: 2, oldVersion: 1 },
    { told: 'InventoryEntryOutOfStock' },
  ]);
});

t.test('an edit that is applied is told of, and the order by its messages alone', async (t) => {
  const server = await notificationServer(t);
  const changes = changesOf('order', 'order-edit');
  await subscribe(shop, server, { name: 'edits', changes, messages: [{ resourceTypeId: 'order' }] });
  const applied = [{ resourceTypeId: 'order', types: ['OrderEditApplied'] }];
  await subscribe(shop, server, { name: 'applied', messages: applied });
  const own = await order();
  const stagedActions = [{ action: 'setCustomerEmail' as const, email: 'new@example.org' }];
  const { body: edit } = await api
    .orders()
    .edits()
    .post({ body: { resource: { typeId: 'order', id: own.id }, stagedActions } })
    .execute();
  const applying = { editVersion: edit.version, resourceVersion: own.version };
  await api.orders().edits().withId({ ID: edit.id }).apply().post({ body: applying }).execute();
  const changed = { version: own.version + 1, actions: [{ action: 'changeOrderState', orderState: 'Confirmed' }] };
  t.equal((await request('POST', `/orders/${own.id}`, changed)).status, 200);
  await server.until(() => server.of('edits').some(({ body }) => body['type'] === 'OrderStateChanged'));
  await server.until(() => server.of('edits').filter(({ body }) => body.resource.id === edit.id).length === 2);
  const told = (id: string): readonly unknown[] =>
    server.of('edits').flatMap(({ body }) => {
      return body.resource.id === id ? [body['type'] ?? `${body.notificationType} ${String(body['version'])}`] : [];
    });
  t.strictSame(told(own.id), [
    'ResourceCreated 1',
    'OrderCreated',
    'OrderCustomerEmailSet',
    'OrderEditApplied',
    'ResourceUpdated 3',
    'OrderStateChanged',
  ]);
  t.strictSame(told(edit.id), ['ResourceCreated 1', 'ResourceUpdated 2']);
  const erasing = `/orders/${own.id}?version=${own.version + 2}&dataErasure=true`;
  t.equal((await request('DELETE', erasing)).status, 200);
  await server.until(() => told(own.id).includes(`ResourceDeleted ${own.version + 2}`));
  await server.until(() => told(edit.id).includes('ResourceDeleted 2'));
  await server.until(() => server.of('applied').length > 0);
  t.match(
    server.of('applied').map(({ body }) => body),
    [{ type: 'OrderEditApplied', resource: { typeId: 'order', id: own.id } }],
  );
});
