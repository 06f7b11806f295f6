/** What subscriptions hear of what the platform does by itself. */
import t from 'tap';
import { eur, startCartShop } from '../support/cart-shop.ts';
import { startOrderShop } from '../support/order-shop.ts';
import { notificationServer, subscribe } from '../support/notification-server.ts';
import { startPlatform } from '../support/platform.ts';

const dayMs = 86_400_000;
const clock = { days: 0 };
const platform = await startPlatform(t, {
  feeder: true,
  clock: () => new Date(Date.now() + clock.days * dayMs),
  meilisearch: 'none',
});

t.test('carts that time takes away are told to be gone, once each', async (t) => {
  const server = await notificationServer(t);
  const { request, projectKey } = platform;
  await subscribe(platform, server, { name: 'carts', changes: [{ resourceTypeId: 'cart' }] });
  const draft = { currency: 'EUR', deleteDaysAfterLastModification: 10 };
  const ids = await Promise.all(
    Array.from({ length: 30 }, async () => String((await request('POST', '/carts', draft)).body['id'])),
  );
  const goneOf = () => server.of('carts').filter(({ body }) => body.notificationType === 'ResourceDeleted');
  await server.until(() => server.of('carts').length === ids.length);
  clock.days = 11;
  await server.until(() => goneOf().length >= ids.length);
  t.strictSame(
    goneOf()
      .map(({ body }) => body.resource.id)
      .sort(),
    [...ids].sort(),
  );
  for (const { body } of goneOf()) t.match(body, { projectKey, version: 1 });
  t.equal(server.of('carts').length, 2 * ids.length);
});

t.test('prices that a discount lowers are told of with the products', async (t) => {
  const server = await notificationServer(t);
  const shop = await startCartShop(await platform.anotherProject());
  const products = [{ resourceTypeId: 'product' }];
  await subscribe(shop, server, { name: 'products', changes: products, messages: products });
  const { id, masterData } = await shop.addProduct('lamp', [{ value: eur(1000) }]);
  const [price] = masterData.current.masterVariant.prices!;
  const half = { name: { en: 'Half' }, value: { type: 'relative', permyriad: 5000 }, sortOrder: '0.5', isActive: true };
  const { status } = await shop.request('POST', '/product-discounts', { ...half, predicate: '1=1' });
  t.equal(status, 201);
  const heard = () =>
    server
      .of('products')
      .map(({ body }) => body)
      .filter(({ resource }) => resource.id === id);
  await server.until(() => heard().some(({ type }) => type === 'ProductPriceDiscountsSet'));
  await server.until(() => heard().some(({ version, notificationType: of }) => of !== 'Message' && version === 2));
  const named = { variantId: 1, sku: 'lamp', priceId: price!.id, discounted: { value: { centAmount: 500 } } };
  t.match(
    heard().find(({ type }) => type === 'ProductPriceDiscountsSet'),
    {
      notificationType: 'Message',
      resourceVersion: 2,
      updatedPrices: [
        { ...named, staged: false },
        { ...named, staged: true },
      ],
    },
  );
  t.match(
    heard().filter(({ notificationType }) => notificationType !== 'Message'),
    [
      { notificationType: 'ResourceCreated', version: 1 },
      { notificationType: 'ResourceUpdated', version: 2, oldVersion: 1 },
    ],
  );
});

t.test(
  'a project has fifty subscriptions at most, and tells them no more at a time than is written in time',
  async (t) => {
    const server = await notificationServer(t);
    const project = await platform.anotherProject();
    const draft = {
      destination: { type: 'HTTP', url: server.urlOf('many') },
      changes: [{ resourceTypeId: 'cart' }],
      messages: [{ resourceTypeId: 'order' }],
    };
    const made = (count: number) =>
      Promise.all(Array.from({ length: count }, () => project.request('POST', '/subscriptions', draft)));
    for (const count of [15, 15, 15]) for (const { status } of await made(count)) t.equal(status, 201);
    const rivals = await made(15);
    t.equal(rivals.filter(({ status }) => status === 201).length, 5, 'of rivals, too');
    for (const { body } of rivals.filter(({ status }) => status !== 201))
      t.match(body, { statusCode: 400, errors: [{ code: 'MaxResourceLimitExceeded' }] });
    const { body } = await project.request('GET', '/subscriptions?limit=1');
    t.equal(body['total'], 50);
    const orders = await startOrderShop(project);
    const own = await orders.order();
    const update = (parcels: number) => ({
      version: own.version,
      actions: [
        {
          action: 'addDelivery',
          parcels: Array.from({ length: parcels }, () => ({ trackingData: { trackingId: 'T' } })),
        },
      ],
    });
    t.match(await project.request('POST', `/orders/${own.id}`, update(180)), {
      status: 400,
      body: {
        errors: [{ code: 'InvalidInput', message: /subscriptions of the project would be told more than 96 MB/ }],
      },
    });
    t.equal((await project.request('POST', `/orders/${own.id}`, update(20))).status, 200);
    const [one] = body['results'] as readonly { readonly id: string }[];
    t.equal((await project.request('DELETE', `/subscriptions/${one!.id}?version=1`)).status, 200);
    t.match(await made(1), [{ status: 201 }]);
  },
);
