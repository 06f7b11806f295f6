/** Edits of orders: what they would bring about, and what they do. */
import type { CartDraft, Order, OrderEdit, StagedOrderUpdateAction } from '@commercetools/platform-sdk';
import t from 'tap';
import { eur, refusalOf } from '../support/cart-shop.ts';
import { keepMessages, messagesOf, toldIn } from '../support/messages.ts';
import { plain, standard, startOrderShop } from '../support/order-shop.ts';

const shop = await startOrderShop();
const { addDiscount, addProduct, api, change, changeProduct, order, request } = shop;
await addProduct('desk', [{ value: eur(5000) }]);

type Staged = StagedOrderUpdateAction | object;

const edits = api.orders().edits();
const orderLink = ({ id }: Pick<Order, 'id'>) => ({ typeId: 'order' as const, id });

async function edit(own: Order, ...stagedActions: readonly Staged[]): Promise<OrderEdit> {
  const body = { resource: orderLink(own), stagedActions: stagedActions as StagedOrderUpdateAction[] };
  return (await edits.post({ body }).execute()).body;
}

const edited = async ({ id }: OrderEdit): Promise<OrderEdit> => (await edits.withId({ ID: id }).get().execute()).body;
const stored = async ({ id }: Pick<Order, 'id'>): Promise<Order> =>
  (await api.orders().withId({ ID: id }).get().execute()).body;

async function apply(own: OrderEdit, of: Pick<Order, 'version'>): Promise<OrderEdit> {
  const body = { editVersion: own.version, resourceVersion: of.version };
  return (await edits.withId({ ID: own.id }).apply().post({ body }).execute()).body;
}

/** The preview of one that would succeed. */
function previewOf({ result }: OrderEdit): Order {
  if (result.type !== 'PreviewSuccess') throw new Error(JSON.stringify(result));
  return result.preview as unknown as Order;
}

/** The order without what tells of the write itself. */
function comparable({ version: _, lastModifiedAt: _m, lastMessageSequenceNumber: _n, ...order }: Order): object {
  return { ...order, lineItems: order.lineItems.map((line) => ({ ...line, lastModifiedAt: '' })) };
}

const invalid = { status: 400, error: { code: 'InvalidOperation' } };

t.test('an edit shows what it would make of its order, and leaves that alone', async (t) => {
  const own = await order();
  t.equal(own.totalPrice.centAmount, 3700);
  const made = await edit(own, { action: 'addLineItem', sku: 'desk', quantity: 2 });
  t.match(made, { version: 1, stagedActions: [{ action: 'addLineItem', sku: 'desk', quantity: 2 }] });
  const preview = previewOf(made);
  t.match(preview, {
    id: own.id,
    version: own.version,
    lastModifiedAt: own.lastModifiedAt,
    totalPrice: { centAmount: 13700 },
    taxedPrice: { totalGross: { centAmount: 16303 } },
  });
  t.notOk('cartState' in preview || 'totalLineItemQuantity' in preview);
  t.strictSame(preview.lineItems[0], own.lineItems[0], 'what nobody speaks of stays');
  const { id: initial } = (await api.states().withKey({ key: 'Initial' }).get().execute()).body;
  t.match(preview.lineItems[1], { quantity: 2, state: [{ quantity: 2, state: { id: initial } }] });
  t.strictSame(await stored(own), own);
  t.match(previewOf(await edited(made)), { totalPrice: { centAmount: 13700 } });
  const listed = (await edits.get({ queryArgs: { where: `id = "${made.id}"` } }).execute()).body.results;
  t.strictSame(
    listed.map(({ result }) => result),
    [{ type: 'NotProcessed' }],
    'lists have no previews',
  );
  const byResult = await edits.get({ queryArgs: { where: 'result(type = "NotProcessed")' } }).execute();
  t.ok(byResult.body.results.some(({ id }) => id === made.id));
});

t.test('a preview is of the order as it is now', async (t) => {
  const own = await order();
  const made = await edit(own, { action: 'setCustomerEmail', email: 'new@example.org' });
  await change(own, { action: 'setPurchaseOrderNumber', purchaseOrderNumber: 'PO' });
  t.match(previewOf(await edited(made)), { version: 2, purchaseOrderNumber: 'PO', customerEmail: 'new@example.org' });
});

t.test('what cannot be done is told by the preview, and what cannot be understood at once', async (t) => {
  const own = await order();
  const failing = await edit(
    own,
    { action: 'removeLineItem', lineItemId: 'none' },
    { action: 'removeDelivery', deliveryId: 'none' },
  );
  t.match(failing.result, { type: 'PreviewFailure', errors: [{ code: 'InvalidOperation' }] });
  t.equal((failing.result as unknown as { errors: unknown[] }).errors.length, 1, 'the first one ends it');
  const unknown = await edit(own, { action: 'addLineItem', productId: '11111111-1111-4111-8111-111111111111' });
  t.match(unknown.result, { type: 'PreviewFailure' });
  const stateless = await edit(own, { action: 'transitionState', state: { typeId: 'state', key: 'none' } });
  t.match(stateless.result, { type: 'PreviewFailure', errors: [{ code: 'ReferencedResourceNotFound' }] });
  for (const [action, code] of [
    [{ action: 'bake' }, 'InvalidInput'],
    [{ action: 'changeLineItemQuantity', lineItemId: 'a' }, 'RequiredField'],
    [{ action: 'setCustomerEmail', email: 7 }, 'InvalidJsonInput'],
    [{}, 'RequiredField'],
    ['bake', 'InvalidJsonInput'],
  ] as const)
    t.match(await refusalOf(edit(own, action as object)), { status: 400, error: { code } });
  const nowhere = { ...own, id: '11111111-1111-4111-8111-111111111111' };
  t.match(await refusalOf(edit(nowhere)), { status: 400, error: { code: 'ReferencedResourceNotFound' } });
});

t.test('orders that count with stock are not edited, and what edits bring is not counted', async (t) => {
  for (const sku of ['lamp', 'desk'])
    await api
      .inventory()
      .post({ body: { sku, quantityOnStock: 100 } })
      .execute();
  const draft: Partial<CartDraft> = { shippingAddress: { country: 'DE' }, lineItems: [{ sku: 'lamp' }] };
  const tracking = await order({ ...draft, inventoryMode: 'TrackOnly' });
  t.match(await refusalOf(edit(tracking)), invalid);
  const byLine = await order({ ...draft, lineItems: [{ sku: 'lamp', inventoryMode: 'TrackOnly' }] });
  t.match(await refusalOf(edit(byLine)), invalid);
  const own = await order();
  const counting = { action: 'addLineItem', inventoryMode: 'ReserveOnOrder' };
  await apply(await edit(own, { ...counting, sku: 'lamp' }, { ...counting, sku: 'desk' }), own);
  const now = await stored(own);
  t.strictSame(
    now.lineItems.map((line) => [line.variant.sku, line.inventoryMode]),
    [
      ['lamp', undefined],
      ['desk', undefined],
    ],
  );
  t.match((await edit(now)).result, { type: 'PreviewSuccess' }, 'so it is edited again');
  const { results } = (await api.inventory().get().execute()).body;
  t.strictSame(
    new Map(results.map(({ sku, quantityOnStock }) => [sku, quantityOnStock])),
    new Map([
      ['lamp', 98],
      ['desk', 100],
    ]),
  );
});

t.test('a dry run answers alike and stores nothing', async (t) => {
  const own = await order();
  const body = {
    key: 'dry',
    resource: orderLink(own),
    stagedActions: [{ action: 'setCustomerEmail' as const, email: 'dry@example.org' }],
  };
  const { statusCode, body: dry } = await edits.post({ body: { ...body, dryRun: true } }).execute();
  t.equal(statusCode, 201);
  t.equal(previewOf(dry).customerEmail, 'dry@example.org');
  t.notOk('dryRun' in dry);
  t.equal((await request('GET', '/orders/edits/key=dry')).status, 404);
  const made = (await edits.post({ body }).execute()).body;
  const update = {
    version: 1,
    actions: [{ action: 'setStagedActions' as const, stagedActions: [{ action: 'setCustomerEmail' as const }] }],
  };
  const again = (
    await edits
      .withKey({ key: 'dry' })
      .post({ body: { ...update, dryRun: true } })
      .execute()
  ).body;
  t.notOk('customerEmail' in previewOf(again));
  t.equal(again.version, 2);
  const unclear = await request('POST', '/orders/edits/key=dry', { ...update, dryRun: 'true' });
  t.match(unclear, { status: 400, body: { errors: [{ code: 'InvalidJsonInput', message: /dryRun/ }] } });
  t.match(await edited(made), { version: 1, stagedActions: [{ email: 'dry@example.org' }] });
});

t.test('an edit is changed and deleted', async (t) => {
  const own = await order();
  const made = await edit(own);
  t.strictSame(previewOf(made), own);
  const { body: changed } = await edits
    .withId({ ID: made.id })
    .post({
      body: {
        version: 1,
        actions: [
          { action: 'addStagedAction', stagedAction: { action: 'setCustomerEmail', email: 'a@example.org' } },
          { action: 'setComment', comment: 'Why' },
          { action: 'setKey', key: 'an-edit' },
        ],
      },
    })
    .execute();
  t.match(changed, { version: 2, comment: 'Why', key: 'an-edit' });
  t.equal(previewOf(changed).customerEmail, 'a@example.org');
  await edits
    .withId({ ID: made.id })
    .delete({ queryArgs: { version: 2 } })
    .execute();
  t.equal((await request('GET', `/orders/edits/${made.id}`)).status, 404);
});

t.test('predicates and sorts speak of what is stored: actions as they were given, and what was applied', async (t) => {
  const own = await order();
  const made = await edit(
    own,
    { action: 'setCustomerEmail', email: 'where@example.org' },
    { action: 'transitionState', state: { typeId: 'state', key: 'no-such' } },
  );
  const done = await edit(own, { action: 'setLocale', locale: 'de' });
  await apply(done, own);
  const ask = (parameters: Readonly<Record<string, string>>) =>
    request('GET', `/orders/edits?${new URLSearchParams(parameters).toString()}`);
  const found = async (where: string): Promise<readonly unknown[]> => {
    const { status, body } = await ask({ where: `resource(id = "${own.id}") and ${where}`, sort: 'createdAt' });
    return status === 200 ? (body['results'] as readonly OrderEdit[]).map(({ id }) => id) : [status];
  };
  t.strictSame(await found('stagedActions(action = "setCustomerEmail" and email = "where@example.org")'), [made.id]);
  t.strictSame(await found('stagedActions(email = "where@example.org" and action = "transitionState")'), []);
  t.strictSame(await found('stagedActions(state(key = "no-such"))'), [made.id]);
  t.strictSame(await found('result(type = "Applied" and excerptAfterEdit(version = 2))'), [done.id]);
  const { body } = await ask({ where: `resource(id = "${own.id}")`, sort: 'result.appliedAt' });
  t.match(body['results'], [{ id: done.id }, { id: made.id }], 'none comes last');
  const unknown = { status: 400, body: { errors: [{ code: 'InvalidInput' }] } };
  for (const where of ['stagedActions(baking = 1)', 'result(preview(id = "a"))', 'result(errors is defined)'])
    t.match(await ask({ where }), unknown, where);
  t.match(await ask({ sort: 'result.preview.customerEmail' }), unknown);
});

t.test('what is applied is what the preview shows', async (t) => {
  const own = await order();
  const made = await edit(
    own,
    { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 1 },
    { action: 'changeCustomLineItemMoney', customLineItemKey: 'item', money: eur(50) },
    { action: 'changeOrderState', orderState: 'Confirmed' },
  );
  const applied = await apply(made, own);
  const now = await stored(own);
  t.match(applied, {
    version: 2,
    result: {
      type: 'Applied',
      excerptBeforeEdit: { version: 1, totalPrice: { centAmount: 3700 } },
      excerptAfterEdit: { version: 2, totalPrice: { centAmount: 1600 } },
    },
  });
  t.strictSame(await edited(applied), applied);
  t.equal(now.version, 2);
  t.strictSame(comparable(now), comparable(previewOf(made)));
  t.match(now, {
    orderState: 'Confirmed',
    totalPrice: { centAmount: 1600 },
    lineItems: [{ state: [{ quantity: 1 }] }],
  });
  t.match(await refusalOf(apply(applied, now)), invalid, 'once');
  const more = { action: 'addStagedAction', stagedAction: { action: 'setCustomerEmail' } };
  const refused = await request('POST', `/orders/edits/${made.id}`, { version: 2, actions: [more] });
  t.equal(refused.status, 400);
  const comment = { version: 2, actions: [{ action: 'setComment', comment: 'Done' }] };
  t.match((await request('POST', `/orders/edits/${made.id}`, comment)).body, { comment: 'Done', version: 3 });
});

t.test('applying names both versions', async (t) => {
  const own = await order();
  const made = await edit(own, { action: 'setCustomerEmail', email: 'v@example.org' });
  const conflict = (currentVersion: number): object => ({ status: 409, error: { currentVersion } });
  t.match(await refusalOf(apply({ ...made, version: 7 }, { version: 9 })), conflict(1));
  t.match(await refusalOf(apply({ ...made, version: 7 }, own)), conflict(1));
  const later = await change(own, { action: 'setPurchaseOrderNumber', purchaseOrderNumber: 'PO' });
  t.match(await refusalOf(apply(made, own)), conflict(2));
  t.match(await refusalOf(apply({ ...made, version: 7 }, own)), conflict(2), 'that of the order first');
  const outcomes = await Promise.allSettled(Array.from({ length: 4 }, () => apply(made, later)));
  t.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1, 'of rivals one applies it');
  t.equal((await stored(own)).version, 3);
});

t.test('an edit whose preview fails is not applied, and other edits live on', async (t) => {
  const own = await order();
  const [removing, again] = [
    await edit(own, { action: 'removeLineItem', lineItemKey: 'line' }),
    await edit(own, { action: 'removeLineItem', lineItemKey: 'line' }),
  ];
  await apply(removing, own);
  t.match((await edited(again)).result, { type: 'PreviewFailure', errors: [{ code: 'InvalidOperation' }] });
  t.match(await refusalOf(apply(again, { version: 2 })), {
    status: 400,
    error: { code: 'EditPreviewFailed', result: { type: 'PreviewFailure', errors: [{ code: 'InvalidOperation' }] } },
  });
  const { version } = await stored(own);
  await api.orders().withId({ ID: own.id }).delete({ queryArgs: { version } }).execute();
  t.match((await edited(again)).result, { type: 'PreviewFailure', errors: [{ code: 'ReferencedResourceNotFound' }] });
});

t.test('edits stay when their order is deleted, and go when it is erased', async (t) => {
  await keepMessages(shop);
  const remove = async (own: Order, query: string): Promise<void> => {
    t.equal((await request('DELETE', `/orders/${own.id}?version=${own.version}${query}`)).status, 200);
  };
  const statusOf = async ({ id }: OrderEdit): Promise<number> => (await request('GET', `/orders/edits/${id}`)).status;
  const [deleted, erased] = [await order(), await order()];
  const [left, gone, applied] = [await edit(deleted), await edit(erased), await edit(erased)];
  await apply(applied, erased);
  await remove(deleted, '');
  t.equal(await statusOf(left), 200);
  await remove({ ...erased, version: 2 }, '&dataErasure=true');
  t.strictSame([await statusOf(gone), await statusOf(applied), await statusOf(left)], [404, 404, 200]);
  t.strictSame(await messagesOf(shop, erased.id), []);
  t.not((await messagesOf(shop, deleted.id)).length, 0);
});

t.test('an edit without effect raises both versions', async (t) => {
  const own = await order();
  t.equal((await apply(await edit(own), own)).version, 2);
  t.equal((await stored(own)).version, 2);
});

t.test('prices, taxes and shipping stay as they were ordered until something is said of them', async (t) => {
  await addProduct('sofa', [{ value: eur(10000) }]);
  const post = (await api.shippingMethods().withKey({ key: 'post' }).get().execute()).body;
  const own = await order({
    shippingAddress: { country: 'DE' },
    lineItems: [{ key: 'line', sku: 'sofa', quantity: 2 }],
    shippingMethod: { typeId: 'shipping-method', id: post.id },
  });
  const { masterVariant } = (await api.products().withKey({ key: 'sofa' }).get().execute()).body.masterData.current;
  await changeProduct(
    'sofa',
    { action: 'changePrice', priceId: masterVariant.prices![0]!.id, price: { value: eur(12000) } },
    { action: 'publish' },
  );
  const zoneRate = { zone: { typeId: 'zone', key: 'de' }, shippingRate: { price: eur(500) } };
  const { status } = await request('POST', `/shipping-methods/${post.id}`, {
    version: post.version,
    actions: [
      { action: 'removeShippingRate', ...zoneRate },
      { action: 'addShippingRate', ...zoneRate, shippingRate: { price: eur(900) } },
    ],
  });
  t.equal(status, 200);
  const costs = ({ lineItems, shippingInfo }: Order): object => [
    ...lineItems.map(({ price }) => price.value.centAmount),
    shippingInfo!.price.centAmount,
  ];
  t.strictSame(costs(previewOf(await edit(own, { action: 'setCustomerEmail', email: 'p@example.org' }))), [10000, 500]);
  const quantity = { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 3 };
  t.strictSame(costs(previewOf(await edit(own, quantity))), [12000, 500]);
  const method = { action: 'setShippingMethod', shippingMethod: { typeId: 'shipping-method', key: 'post' } };
  t.strictSame(costs(previewOf(await edit(own, method))), [10000, 900]);
  const elsewhere = previewOf(await edit(own, { action: 'setShippingAddress', address: { country: 'US' } }));
  t.match(elsewhere, { lineItems: [{ taxRate: { amount: 0.05 } }] });
  t.notOk('shippingInfo' in elsewhere, 'it is not shipped there');
  const rate = { shippingRate: { price: eur(700) }, shippingMethodName: 'Courier', taxCategory: standard };
  const both = { action: 'setShippingAddressAndCustomShippingMethod', address: { country: 'US' }, ...rate };
  t.match(previewOf(await edit(own, both)), {
    shippingInfo: { price: { centAmount: 700 }, taxRate: { amount: 0.05 } },
  });
});

t.test('a code that an edit brings is used once, and one that the order had stays in effect', async (t) => {
  await addDiscount('by-code', { type: 'relative', permyriad: 1000 }, { requiresDiscountCode: true });
  const codes = [{ code: 'ONCE', maxApplications: 1 }, { code: 'OTHER' }];
  for (const draft of codes)
    await api
      .discountCodes()
      .post({ body: { ...draft, cartDiscounts: [{ typeId: 'cart-discount', key: 'by-code' }] } })
      .execute();
  const uses = async (code: string): Promise<number> => {
    const text = `query Uses { discountCodes(where: "code = \\"${code}\\"") { results { applicationCount } } }`;
    const { data } = (await request('POST', '/graphql', { query: text })).body as {
      data: { discountCodes: { results: [{ applicationCount: number }] } };
    };
    return data.discountCodes.results[0].applicationCount;
  };
  const lineItems = [{ sku: 'lamp' }];
  const own = await order({ customerEmail: 'code@example.org', shippingAddress: { country: 'DE' }, lineItems });
  const made = await edit(own, { action: 'addDiscountCode', code: 'ONCE' });
  t.equal(previewOf(made).totalPrice.centAmount, 900);
  t.equal(await uses('ONCE'), 0);
  await apply(made, own);
  t.equal(await uses('ONCE'), 1);
  const now = await stored(own);
  const next = await edit(now, { action: 'setCountry', country: 'DE' });
  t.match(previewOf(next), { totalPrice: { centAmount: 900 }, discountCodes: [{ state: 'MatchesCart' }] });
  await apply(next, now);
  t.equal(await uses('ONCE'), 1);
  const rival = await order({ customerEmail: 'code@example.org', shippingAddress: { country: 'DE' }, lineItems });
  t.match(previewOf(await edit(rival, { action: 'addDiscountCode', code: 'ONCE' })), {
    totalPrice: { centAmount: 1000 },
    discountCodes: [{ state: 'MaxApplicationReached' }],
  });
});

t.test('an edit that would write more than one commit may fails beforehand', async (t) => {
  const own = await change(await order(), { action: 'addDelivery', deliveryKey: 'large' });
  const swapped = Array.from({ length: 28 }, (_, index) => ({
    action: 'setDeliveryAddress',
    deliveryKey: 'large',
    address: { country: 'DE', additionalAddressInfo: String(index % 10).repeat(500_000) },
  }));
  const made = await edit(own, ...swapped);
  t.match(made.result, { type: 'PreviewFailure', errors: [{ code: 'InvalidInput', message: /32 MB/ }] });
  t.match(await refusalOf(apply(made, own)), { status: 400, error: { code: 'EditPreviewFailed' } });
});

t.test('an edit that concerns no amounts computes none', async (t) => {
  const off = await addDiscount('passing', { type: 'relative', permyriad: 2000 });
  const own = await order({ lineItems: [{ key: 'line', sku: 'lamp' }], shippingAddress: { country: 'DE' } });
  t.equal(own.totalPrice.centAmount, 800);
  const { version } = (await api.cartDiscounts().withId({ ID: off }).get().execute()).body;
  await request('DELETE', `/cart-discounts/${off}?version=${version}`);
  const email = { action: 'setCustomerEmail', email: 'p@example.org' };
  t.match(previewOf(await edit(own, email)), { ...own, customerEmail: 'p@example.org' });
  const quantity = { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 2 };
  t.equal(previewOf(await edit(own, email, quantity)).totalPrice.centAmount, 2000);
});

t.test('what was used of a code by the order itself is no use of others', async (t) => {
  await addDiscount('per-customer', { type: 'relative', permyriad: 1000 }, { requiresDiscountCode: true });
  const cartDiscounts = [{ typeId: 'cart-discount' as const, key: 'per-customer' }];
  const draft = { key: 'mine', code: 'MINE', cartDiscounts, maxApplications: 1, maxApplicationsPerCustomer: 1 };
  await api.discountCodes().post({ body: draft }).execute();
  const { body: customer } = await request('POST', '/customers', {
    email: 'once@example.org',
    password: 'secret word 1',
  });
  const { id: customerId } = customer['customer'] as { id: string };
  const lineItems = [{ key: 'line', sku: 'lamp' }];
  const own = await order({ customerId, shippingAddress: { country: 'DE' }, lineItems, discountCodes: ['MINE'] });
  t.equal(own.totalPrice.centAmount, 900);
  const quantity = { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 2 };
  t.match(previewOf(await edit(own, quantity)), {
    totalPrice: { centAmount: 1800 },
    discountCodes: [{ state: 'MatchesCart' }],
  });
  await request('POST', `/discount-codes/key=mine`, {
    version: (await request('GET', '/discount-codes/key=mine')).body['version'],
    actions: [{ action: 'setMaxApplications', maxApplications: 9 }],
  });
  const { body: other } = await request('POST', '/customers', {
    email: 'twice@example.org',
    password: 'secret word 1',
  });
  const { id: otherId } = other['customer'] as { id: string };
  await order({ customerId: otherId, shippingAddress: { country: 'DE' }, lineItems, discountCodes: ['MINE'] });
  const given = { action: 'setCustomerId', customerId: otherId };
  t.match(
    previewOf(await edit(own, given, quantity)),
    { totalPrice: { centAmount: 2000 }, discountCodes: [{ state: 'MaxApplicationReached' }] },
    'who gets the order has used it up',
  );
});

t.test('what was delivered stays with an order that is shipped in another way, or it is not', async (t) => {
  const own = await change(await order(), { action: 'addDelivery', deliveryKey: 'first', parcels: [{}] });
  const { deliveries } = own.shippingInfo!;
  const to = (country: string): Staged => ({ action: 'setShippingAddress', address: { country } });
  const fault = { code: 'InvalidOperation', message: /has deliveries/ };
  for (const staged of [
    [{ action: 'setShippingMethod' }],
    [{ action: 'setShippingAddress' }],
    [{ action: 'setShippingAddress' }, to('DE')],
    [to('US')],
  ])
    t.match((await edit(own, ...staged)).result, { type: 'PreviewFailure', errors: [fault] }, JSON.stringify(staged));
  const byPost: Staged = { action: 'setShippingMethod', shippingMethod: { typeId: 'shipping-method', key: 'post' } };
  for (const staged of [
    [{ action: 'setShippingMethod' } as const, byPost],
    [{ action: 'setShippingAddress' } as const, to('DE'), byPost],
  ])
    t.strictSame(previewOf(await edit(own, ...staged)).shippingInfo!.deliveries, deliveries, JSON.stringify(staged));
  const custom = { shippingMethodName: 'Courier', shippingRate: { price: eur(700) }, taxCategory: standard };
  const both = { action: 'setShippingAddressAndCustomShippingMethod', address: { country: 'US' }, ...custom };
  const preview = previewOf(await edit(own, both));
  t.match(preview.shippingInfo, { shippingMethodName: 'Courier', price: { centAmount: 700 } });
  t.strictSame(preview.shippingInfo!.deliveries, deliveries);
});

t.test('prices follow the group, the channel and the groups of whoever buys', async (t) => {
  const members = { typeId: 'customer-group' as const, key: 'members' };
  const staff = { typeId: 'customer-group' as const, key: 'staff' };
  const north = { typeId: 'channel' as const, key: 'north' };
  await addProduct('stool', [
    { value: eur(4000) },
    { value: eur(3000), customerGroup: members },
    { value: eur(2000), channel: north },
    { value: eur(1000), customerGroup: staff },
  ]);
  const plain = { shippingAddress: { country: 'DE' }, lineItems: [{ key: 'line', sku: 'stool' }] };
  const totalOf = async (own: Order, ...staged: readonly Staged[]): Promise<number> =>
    previewOf(await edit(own, ...staged)).totalPrice.centAmount;
  const own = await order(plain);
  t.equal(await totalOf(own, { action: 'setCustomerGroup', customerGroup: members }), 3000);
  t.equal(
    await totalOf(own, {
      action: 'setLineItemDistributionChannel',
      lineItemKey: 'line',
      distributionChannel: north,
    }),
    2000,
  );
  const { body } = await request('POST', '/customers', {
    email: 'staff@example.org',
    password: 'secret word 1',
    customerGroupAssignments: [{ customerGroup: staff }],
  });
  const { id: customerId } = body['customer'] as { id: string };
  const theirs = await order({ ...plain, lineItems: [{ sku: 'lamp' }], customerId });
  t.equal(await totalOf(theirs, { action: 'addLineItem', sku: 'stool' }), 2000, 'as a cart of theirs has it');
});

t.test('units of items keep their states as far as they stay', async (t) => {
  const packed = (
    await api
      .states()
      .post({ body: { key: 'packed', type: 'LineItemState', initial: false } })
      .execute()
  ).body;
  let own = await order();
  own = await change(own, {
    action: 'transitionLineItemState',
    lineItemKey: 'line',
    quantity: 2,
    fromState: { typeId: 'state', key: 'Initial' },
    toState: { typeId: 'state', key: 'packed' },
  });
  const statesAt = async (quantity: number): Promise<object> => {
    const made = await edit(own, { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity });
    return previewOf(made).lineItems[0]!.state.map((each) => [each.quantity, each.state.id === packed.id]);
  };
  t.strictSame(await statesAt(5), [
    [3, false],
    [2, true],
  ]);
  t.strictSame(await statesAt(2), [[2, true]]);
  t.strictSame(await statesAt(1), [[1, true]]);
});

t.test('GraphQL has edits, too', async (t) => {
  const own = await order();
  const ask = async (query: string): Promise<Record<string, unknown>> => {
    const { body } = await request('POST', '/graphql', { query });
    t.notOk('errors' in body, JSON.stringify(body));
    return body['data'] as Record<string, unknown>;
  };
  const payload = 'type ... on OrderCustomerEmailSet { email }';
  const result = `result { type ... on PreviewSuccess { preview { customerEmail } messagePayloads { ${payload} } } ... on PreviewFailure { errors }
    ... on Applied { excerptAfterEdit { version } } }`;
  const action = `{ setCustomerEmail: { email: "g@example.org" } }`;
  const draft = `{ resource: { typeId: "order", id: "${own.id}" }, key: "graphql", stagedActions: [${action}] }`;
  const success = {
    type: 'PreviewSuccess',
    preview: { customerEmail: 'g@example.org' },
    messagePayloads: [{ type: 'OrderCustomerEmailSet', email: 'g@example.org' }],
  };
  const { createOrderEdit: made } = await ask(
    `mutation Make { createOrderEdit(draft: ${draft}) { id version stagedActions { type __typename } ${result} } }`,
  );
  t.match(made, {
    stagedActions: [{ type: 'setCustomerEmail', __typename: 'SetStagedOrderCustomerEmailOutput' }],
    result: success,
  });
  t.match(await ask(`query One { orderEdit(key: "graphql") { ${result} } }`), { orderEdit: { result: success } });
  const list = await ask(`query List { orderEdits(where: "key = \\"graphql\\"") { results { ${result} } } }`);
  t.match(list, { orderEdits: { results: [{ result: { type: 'NotProcessed' } }] } });
  const { id } = made as { id: string };
  const failing = `{ setStagedActions: { stagedActions: [{ removeDelivery: { deliveryId: "a" } }] } }`;
  const update = `updateOrderEdit(id: "${id}", version: 1, actions: [${failing}], dryRun: true) { ${result} }`;
  t.match(await ask(`mutation Dry { ${update} }`), { updateOrderEdit: { result: { type: 'PreviewFailure' } } });
  t.match(
    await ask(
      `mutation Apply { applyOrderEdit(id: "${id}", editVersion: 1, resourceVersion: 1) { version ${result} } }`,
    ),
    { applyOrderEdit: { version: 2, result: { type: 'Applied', excerptAfterEdit: { version: 2 } } } },
  );
});

t.test('shipping methods match an order as its edit would make it', async (t) => {
  const own = await order();
  await api
    .shippingMethods()
    .post({
      body: {
        key: 'bulk',
        name: 'Bulk',
        taxCategory: standard,
        isDefault: false,
        predicate: 'lineItemCount("desk" = sku) > 0 and lineItemTotal(1 = 1) > "100.00 EUR"',
        zoneRates: [{ zone: { typeId: 'zone', key: 'de' }, shippingRates: [{ price: eur(5000) }] }],
      },
    })
    .execute()
    .catch(() => undefined);
  const made = await edit(own, { action: 'addLineItem', sku: 'desk', quantity: 3 });
  const match = (id: string, country: string) =>
    request('GET', `/shipping-methods/matching-orderedit?orderEditId=${id}&country=${country}`);
  const { status, body } = await match(made.id, 'DE');
  t.equal(status, 200);
  const names = (body['results'] as { key: string; zoneRates: { shippingRates: { isMatching: boolean }[] }[] }[]).map(
    ({ key, zoneRates }) => [
      key,
      zoneRates.flatMap(({ shippingRates }) => shippingRates).filter((r) => r.isMatching).length,
    ],
  );
  t.ok(names.some(([key, count]) => key === 'post' && count === 1));
  t.match((await match(made.id, 'US')).body, { count: 0 });
  t.equal((await match('11111111-1111-4111-8111-111111111111', 'DE')).status, 404);
  const failing = await edit(own, { action: 'removeLineItem', lineItemId: 'none' });
  t.match((await match(failing.id, 'DE')).body, {
    errors: [{ code: 'EditPreviewFailed', result: { type: 'PreviewFailure' } }],
  });
  t.equal((await request('GET', `/shipping-methods/matching-orderedit?orderEditId=${made.id}`)).status, 400);
});

t.test('the customer group of an order is told of when an edit sets it', async (t) => {
  await keepMessages(shop);
  const group = (
    await api
      .customerGroups()
      .post({ body: { groupName: 'Edited' } })
      .execute()
  ).body;
  const own = await order();
  const customerGroup = { typeId: 'customer-group' as const, id: group.id };
  const made = await edit(own, { action: 'setCustomerGroup', customerGroup });
  await apply(made, own);
  t.match(await messagesOf(shop, own.id), [
    { type: 'OrderCreated' },
    { type: 'OrderCustomerGroupSet', customerGroup, resourceVersion: 2 },
    { type: 'OrderEditApplied' },
  ]);
});

t.test('an edit leaves what its preview says, and last that it was applied', async (t) => {
  await keepMessages(shop);
  const own = await order();
  const made = await edit(
    own,
    { action: 'addLineItem', sku: 'desk', quantity: 2 },
    { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 1 },
    { action: 'changeCustomLineItemQuantity', customLineItemKey: 'item', quantity: 4 },
    { action: 'addCustomLineItem', name: { en: 'Box' }, slug: 'box', money: eur(10), taxCategory: standard },
    { action: 'setShippingMethod' },
    { action: 'addDiscountCode', code: 'OTHER' },
  );
  const { result } = made;
  if (result.type !== 'PreviewSuccess') throw new Error(JSON.stringify(result));
  const shown = result.messagePayloads as unknown as Readonly<Record<string, unknown>>[];
  t.match(shown, [
    { type: 'OrderLineItemRemoved', lineItemId: own.lineItems[0]!.id, removedQuantity: 2, newQuantity: 1 },
    { type: 'OrderLineItemDiscountSet', lineItemKey: 'line', totalPrice: { centAmount: 900 } },
    { type: 'OrderLineItemAdded', addedQuantity: 2, lineItem: { variant: { sku: 'desk' } } },
    { type: 'OrderCustomLineItemQuantityChanged', customLineItemKey: 'item', quantity: 4, oldQuantity: 2 },
    { type: 'OrderCustomLineItemAdded', customLineItem: { slug: 'box' } },
    { type: 'OrderDiscountCodeAdded' },
    { type: 'OrderShippingInfoSet', oldShippingInfo: { shippingMethodName: 'Post' } },
  ]);
  const done = await apply(made, own);
  const left = await messagesOf(shop, own.id);
  t.strictSame(
    left.map(({ type, resourceVersion }) => [type, resourceVersion]),
    [['OrderCreated', 1], ...shown.map(({ type }) => [type, 2]), ['OrderEditApplied', 2]],
  );
  const { id, version, stagedActions, resource, result: became, lastModifiedAt } = done;
  const told = { id, version, stagedActions, resource, result: became, lastModifiedAt };
  t.match(left.at(-1), { edit: told, result: became });
  const query = `{ messages(where: "type = \\"OrderEditApplied\\" and resource(id = \\"${own.id}\\")") { results { payload {
    ... on OrderEditApplied { editRef { typeId id } edit { id version } result { excerptAfterEdit { version } } }
  } } } }`;
  const shownApplied = { editRef: { typeId: 'order-edit', id }, edit: { id, version: 2 } };
  t.match((await request('POST', '/graphql', { query })).body, {
    data: { messages: { results: [{ payload: { ...shownApplied, result: { excerptAfterEdit: { version: 2 } } } }] } },
  });
  t.strictSame(
    left.map(({ sequenceNumber }) => sequenceNumber),
    left.map((_, index) => index + 1),
  );
  const now = await stored(own);
  const back = await edit(
    now,
    { action: 'removeLineItem', lineItemKey: 'line' },
    { action: 'removeCustomLineItem', customLineItemKey: 'item' },
    { action: 'removeDiscountCode', discountCode: now.discountCodes![0]!.discountCode },
    { action: 'changeOrderState', orderState: 'Confirmed' },
  );
  await apply(back, now);
  const types = (await messagesOf(shop, own.id)).slice(left.length).map(({ type }) => type);
  t.match(
    types.filter((type) => type !== 'OrderStateChanged'),
    [
      'OrderLineItemRemoved',
      // The code goes, and with it what it took off the other line.
      'OrderLineItemDiscountSet',
      'OrderCustomLineItemRemoved',
      'OrderDiscountCodeRemoved',
      'OrderEditApplied',
    ],
  );
});

t.test('an edit tells of what its actions bring about elsewhere', async (t) => {
  await keepMessages(shop);
  const settings = await request('POST', '', {
    version: (await request('GET', '')).body['version'],
    actions: [{ action: 'setShippingRateInputType', shippingRateInputType: { type: 'CartScore' } }],
  });
  t.equal(settings.status, 200);
  await addDiscount(
    'wraps',
    { type: 'relative', permyriad: 5000 },
    {
      cartPredicate: 'lineItemCount(1 = 1) > 3',
      target: { type: 'customLineItems', predicate: '1 = 1' },
      requiresDiscountCode: true,
    },
  );
  const { id: codeId } = (
    await api
      .discountCodes()
      .post({ body: { code: 'WRAPS', cartDiscounts: [{ typeId: 'cart-discount', key: 'wraps' }] } })
      .execute()
  ).body;
  const discountCode = { typeId: 'discount-code', id: codeId };
  const five = { ...plain.lineItems![0]!, quantity: 5 };
  const own = await order({ ...plain, lineItems: [five], discountCodes: ['WRAPS'] });
  const { id: channelId } = (await api.channels().withKey({ key: 'north' }).get().execute()).body;
  const distributionChannel = { typeId: 'channel' as const, id: channelId };
  const [line] = own.lineItems;
  const [item] = own.customLineItems;
  const ofLine = { lineItemId: line!.id, lineItemKey: 'line' };
  const ofItem = { customLineItemId: item!.id, customLineItemKey: 'item' };
  const quantity = { action: 'changeLineItemQuantity', lineItemKey: 'line' };
  /** The order after the edit, and what it has left on it. */
  const applied = async (before: Order, ...staged: readonly Staged[]) => {
    const { length } = await messagesOf(shop, own.id);
    await apply(await edit(before, ...staged), before);
    return { now: await stored(own), left: (await messagesOf(shop, own.id)).slice(length).map(toldIn) };
  };
  const input = { type: 'Score', score: 7 };
  const lowered = await applied(
    own,
    { ...quantity, quantity: 3 },
    { action: 'setLineItemDistributionChannel', lineItemKey: 'line', distributionChannel },
    { action: 'setShippingRateInput', shippingRateInput: input },
  );
  t.match(lowered.left, [
    { type: 'OrderLineItemRemoved', ...ofLine, removedQuantity: 2, newQuantity: 3 },
    { type: 'OrderLineItemDistributionChannelSet', ...ofLine, distributionChannel },
    {
      type: 'OrderCustomLineItemDiscountSet',
      ...ofItem,
      discountedPricePerQuantity: [],
      taxedPrice: { totalNet: { centAmount: 200 }, totalGross: { centAmount: 238 } },
    },
    { type: 'OrderDiscountCodeStateSet', discountCode, state: 'DoesNotMatchCart', oldState: 'MatchesCart' },
    { type: 'OrderShippingRateInputSet', shippingRateInput: input },
    { type: 'OrderEditApplied' },
  ]);
  t.notOk('oldShippingRateInput' in lowered.left[4]!);
  const raised = await applied(
    lowered.now,
    { ...quantity, quantity: 5 },
    { action: 'setLineItemDistributionChannel', lineItemKey: 'line' },
    { action: 'setShippingRateInput' },
  );
  t.match(raised.left, [
    { type: 'OrderLineItemAdded', addedQuantity: 2, lineItem: { id: line!.id, quantity: 5 } },
    { type: 'OrderLineItemDistributionChannelSet', ...ofLine },
    {
      type: 'OrderCustomLineItemDiscountSet',
      ...ofItem,
      discountedPricePerQuantity: [{ quantity: 2, discountedPrice: { value: { centAmount: 50 } } }],
      taxedPrice: { totalNet: { centAmount: 100 }, totalGross: { centAmount: 119 } },
    },
    { type: 'OrderDiscountCodeStateSet', discountCode, state: 'MatchesCart', oldState: 'DoesNotMatchCart' },
    { type: 'OrderShippingRateInputSet', oldShippingRateInput: input },
    { type: 'OrderEditApplied' },
  ]);
  t.notOk('distributionChannel' in raised.left[1]! || 'shippingRateInput' in raised.left[4]!);
});

t.test('units leave from where they were last, but first those that are where all begin', async (t) => {
  const states = ['picked', 'boxed', 'gone'];
  for (const key of states) {
    const draft = { key, type: 'LineItemState', initial: false };
    t.equal((await request('POST', '/states', draft)).status, 201);
  }
  const begun = await order({ ...plain, lineItems: [{ key: 'line', sku: 'lamp', quantity: 7 }] });
  const to = (key: string) => ({
    action: 'transitionLineItemState' as const,
    lineItemKey: 'line',
    quantity: 2,
    fromState: { typeId: 'state' as const, key: 'Initial' },
    toState: { typeId: 'state' as const, key },
  });
  const there = await change(begun, ...states.map(to));
  const ids = await Promise.all(
    ['Initial', ...states].map(async (key) => String((await request('GET', `/states/key=${key}`)).body['id'])),
  );
  const left = async (quantity: number): Promise<readonly unknown[]> => {
    const shown = previewOf(await edit(there, { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity }));
    return ids.map((id) => shown.lineItems[0]!.state.find(({ state }) => state.id === id)?.quantity ?? 0);
  };
  t.strictSame(await left(9), [3, 2, 2, 2]);
  t.strictSame(await left(6), [0, 2, 2, 2]);
  t.strictSame(await left(5), [0, 2, 2, 1]);
  t.strictSame(await left(3), [0, 2, 1, 0]);
});

t.test('taxes that were given make way for those of the platform', async (t) => {
  const taxRate = { name: 'Own', amount: 0.01, includedInPrice: false, country: 'DE' };
  const own = await order({
    taxMode: 'External',
    shippingAddress: { country: 'DE' },
    lineItems: [{ key: 'line', sku: 'lamp', externalTaxRate: taxRate }],
  });
  t.match(own.lineItems, [{ taxRate: { amount: 0.01 } }]);
  const preview = previewOf(await edit(own, { action: 'changeTaxMode', taxMode: 'Platform' }));
  t.match(preview.lineItems, [{ taxRate: { amount: 0.19, name: 'VAT' } }]);
});

t.test('what comes as a gift is taxed as a gift is', async (t) => {
  await addProduct('pin', [{ value: eur(300) }]);
  const gift = { type: 'giftLineItem' as const, product: { typeId: 'product' as const, key: 'pin' }, variantId: 1 };
  await addDiscount('pins', gift, { cartPredicate: 'lineItemCount(sku = "desk") > 0' });
  const own = await order({ shippingAddress: { country: 'DE' }, lineItems: [{ key: 'line', sku: 'desk' }] });
  t.match(own.lineItems, [{}, { lineItemMode: 'GiftLineItem', taxRate: { amount: 0.19 } }]);
  const preview = previewOf(await edit(own, { action: 'setShippingAddress', address: { country: 'US' } }));
  t.match(preview.lineItems, [
    { taxRate: { amount: 0.05 } },
    { lineItemMode: 'GiftLineItem', taxRate: { amount: 0.05 }, totalPrice: { centAmount: 0 } },
  ]);
  await addProduct('ribbon', [{ value: eur(300) }], { taxCategory: { typeId: 'tax-category', key: 'german' } });
  const ribbon = { ...gift, product: { typeId: 'product' as const, key: 'ribbon' } };
  await addDiscount('ribbons', ribbon, { cartPredicate: 'lineItemCount(sku = "lamp") > 3' });
  const lamps = await order({ ...plain, lineItems: [{ key: 'line', sku: 'lamp', quantity: 4 }] });
  t.match(lamps.lineItems, [{}, { variant: { sku: 'ribbon' } }]);
  const abroad = { action: 'setShippingAddress', address: { country: 'US' } };
  t.match((await edit(lamps, abroad)).result, { errors: [{ code: 'MissingTaxRateForCountry' }] });
  const fewer = { action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 1 };
  t.equal(previewOf(await edit(lamps, abroad, fewer)).lineItems.length, 1, 'what is not given is not taxed');
});

t.test('a request holds no more previews than an answer has, and asks for few', async (t) => {
  const own = await order();
  // Each parcel is told of with the whole delivery.
  const parcels = Array.from({ length: 300 }, (_, index) => ({ trackingData: { trackingId: `T-${index}` } }));
  const large = await edit(own, { action: 'addDelivery', parcels });
  t.ok(JSON.stringify(large.result).length > 8_400_000, 'two of them are too much');
  const small = await edit(own, { action: 'setCustomerEmail', email: 'small@example.org' });
  const asked = async (...edited: readonly OrderEdit[]) => {
    const fields = edited.map(({ id }, index) => `e${index}: orderEdit(id: "${id}") { result { type } }`);
    return (await request('POST', '/graphql', { query: `{ ${fields.join(' ')} }` })).body;
  };
  const success = { result: { type: 'PreviewSuccess' } };
  t.strictSame(await asked(small, large, small), { data: { e0: success, e1: success, e2: success } });
  const several = await asked(large, large, large);
  const { data, errors } = several as unknown as { data: object; errors: readonly { extensions: object }[] };
  t.strictSame(
    Object.values(data).filter((each) => each !== null),
    [success],
  );
  t.match(errors, [{ extensions: { code: 'InvalidInput' } }, { extensions: { code: 'InvalidInput' } }]);
  t.match(await asked(...Array.from({ length: 7 }, () => small)), {
    errors: [{ extensions: { code: 'QueryComplexityLimitExceeded' } }],
  });
  const changes = [0, 1].map((index) => {
    const given = `id: "${large.id}", version: ${large.version + index}`;
    return `e${index}: updateOrderEdit(${given}, actions: [{ setComment: { comment: "${index}" } }]) { version result { type } }`;
  });
  t.strictSame((await request('POST', '/graphql', { query: `mutation { ${changes.join(' ')} }` })).body, {
    data: {
      e0: { version: large.version + 1, ...success },
      e1: { version: large.version + 2, result: { type: 'NotProcessed' } },
    },
  });
});

t.test('custom fields of an edit are judged as they are going to be stored', async (t) => {
  const body = {
    key: 'edited',
    name: {},
    resourceTypeIds: ['order'],
    fieldDefinitions: [{ name: 'opens', label: {}, required: false, type: { name: 'Time' as const } }],
  };
  await api.types().post({ body }).execute();
  const cartPredicate = 'custom.opens = "10:00:00.000"';
  const discount = await addDiscount('opening', { type: 'relative', permyriad: 1000 }, { cartPredicate });
  const own = await order();
  const totalWith = async (opens: string): Promise<number> => {
    const fields = { opens };
    const made = await edit(
      own,
      { action: 'setCustomType', type: { typeId: 'type', key: 'edited' }, fields },
      { action: 'addLineItem', sku: 'desk' },
    );
    const preview = previewOf(made);
    t.match(preview.custom?.fields, { opens: /^\d\d:00:00\.000$/ });
    return preview.totalPrice.centAmount;
  };
  const [without, stored, sent] = [
    await totalWith('11:00:00'),
    await totalWith('10:00:00.000'),
    await totalWith('10:00:00'),
  ];
  t.ok(stored < without, `${stored} and ${without}`);
  t.equal(sent, stored);
  const { version } = (await api.cartDiscounts().withId({ ID: discount }).get().execute()).body;
  await api.cartDiscounts().withId({ ID: discount }).delete({ queryArgs: { version } }).execute();
});
