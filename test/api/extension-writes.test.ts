import t from 'tap';
import { actions, refusal, startShop } from '../support/extension-server.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t, { allowsPrivateExtensions: true });

t.test('extensions are asked about carts, customers and lists wherever these are written', async (t) => {
  const { project, calls, behaviors, extend } = await startShop(t, platform);
  const kinds = ['cart', 'payment', 'customer', 'shopping-list'];
  const triggers = kinds.map((resourceTypeId) => ({ resourceTypeId, actions: ['Create', 'Update'] }));
  await extend('all', { triggers });
  const last = (): object => {
    const { action, resource } = calls.at(-1)!.input;
    return { action, typeId: resource.typeId, id: resource.id };
  };
  const { key } = (await project.request('POST', '/stores', { key: 'berlin' })).body;
  const { body: cart } = await project.request('POST', `/in-store/key=${String(key)}/carts`, { currency: 'EUR' });
  t.strictSame(last(), { action: 'Create', typeId: 'cart', id: cart['id'] });
  t.strictSame(calls.at(-1)!.input.resource.obj, cart);
  const reference = { typeId: 'cart', id: cart['id'] };
  const { body: replica } = await project.request('POST', '/carts/replicate', { reference });
  t.strictSame(last(), { action: 'Create', typeId: 'cart', id: replica['id'] });
  behaviors.set('all', actions({ action: 'setKey', key: 'by-extension' }));
  const token = await project.tokenWith([
    `manage_my_shopping_lists:${project.projectKey}`,
    `manage_my_payments:${project.projectKey}`,
    'anonymous_id:visitor',
  ]);
  const asShopper = { authorization: `Bearer ${token}` };
  const amountPlanned = { currencyCode: 'EUR', centAmount: 100 };
  const { status, body: payment } = await project.request('POST', '/me/payments', { amountPlanned }, asShopper);
  t.equal(status, 201);
  const { body: whole } = await project.request('GET', `/payments/${String(payment['id'])}`);
  t.match(whole, { key: 'by-extension', version: 1 }, 'with all actions of the kind, on the paths of shoppers, too');
  const list = { draft: { name: [{ locale: 'en', value: 'Wishes' }] } };
  const { body } = await project.request(
    'POST',
    '/graphql',
    {
      query: 'mutation M($draft: MyShoppingListDraft!) { createMyShoppingList(draft: $draft) { id version } }',
      variables: list,
    },
    asShopper,
  );
  t.match(body, { data: { createMyShoppingList: { version: 1 } }, errors: undefined });
  t.match(last(), { action: 'Create', typeId: 'shopping-list' });
  const draft = { email: 'jane@example.org', password: 'secret-1A' };
  const { body: signedUp } = await project.request('POST', '/customers', draft);
  const customer = signedUp['customer'] as Readonly<Record<string, unknown>>;
  t.match(customer, { key: 'by-extension', version: 1 });
  t.strictSame(last(), { action: 'Create', typeId: 'customer', id: customer['id'] });
  t.notMatch(JSON.stringify(calls.at(-1)!.input), /secret-1A/);
  behaviors.set('all', refusal({ code: 'InvalidOperation', message: 'Not now' }));
  const passwords = { currentPassword: 'secret-1A', newPassword: 'secret-2B' };
  const change = { id: customer['id'], version: 1, ...passwords };
  t.match(await project.request('POST', '/customers/password', change), { status: 400, body: { message: 'Not now' } });
  const login = { email: draft.email, password: draft.password };
  t.equal((await project.request('POST', '/login', login)).status, 200, 'the password is the old one');
});

t.test('extensions are asked about carts that are merged and taken over', async (t) => {
  const { project, calls, behaviors, extend } = await startShop(t, platform);
  const create = (draft: object): Promise<{ readonly id: string; readonly version: number }> =>
    project
      .request('POST', '/carts', { currency: 'EUR', taxMode: 'External', ...draft })
      .then(({ body }) => body as never);
  const item = { name: { en: 'Deposit' }, slug: 'deposit', money: { currencyCode: 'EUR', centAmount: 100 } };
  const own = { email: 'jane@example.org', password: 'secret-1A' };
  const visitors = await create({ anonymousId: 'visitor' });
  await extend('carts', { triggers: [{ resourceTypeId: 'cart', actions: ['Update'] }] });
  const { body } = await project.request('POST', '/customers', {
    ...own,
    anonymousCart: { id: visitors.id, typeId: 'cart' },
  });
  const customer = body['customer'] as { readonly id: string };
  t.match(body['cart'], { id: visitors.id, version: 2, customerId: customer.id });
  t.match(calls[0]!.input, { action: 'Update', resource: { obj: body['cart'] } });
  const second = await create({ anonymousId: 'again', customLineItems: [item] });
  behaviors.set('carts', refusal({ code: 'InvalidOperation', message: 'Not this one' }));
  const merge = { anonymousCart: { id: second.id, typeId: 'cart' } };
  const path = `/carts/customer-id=${customer.id}/merge`;
  t.match(await project.request('POST', path, merge), { status: 400, body: { message: 'Not this one' } });
  t.strictSame((await project.request('GET', `/carts/${second.id}`)).body, second, 'neither is changed');
  t.strictSame((await project.request('GET', `/carts/${visitors.id}`)).body, body['cart']);
  behaviors.delete('carts');
  const before = calls.length;
  const merged = await project.request('POST', path, merge);
  t.match(merged, { status: 200 });
  const asked = calls.slice(before).map(({ input: { resource } }) => [resource.id, resource.obj['cartState']]);
  t.strictSame(asked, [
    [second.id, 'Merged'],
    [visitors.id, 'Active'],
  ]);
});

t.test('what an extension makes of lines is what is reserved', async (t) => {
  const { project, behaviors, extend } = await startShop(t, platform);
  const { request } = project;
  const made = async (path: string, draft: object): Promise<Readonly<Record<string, unknown>>> => {
    const { status, body, text } = await request('POST', path, draft);
    if (status >= 300) throw new Error(text);
    return body;
  };
  const { version } = (await request('GET', '')).body;
  const minutes = { action: 'setReservationExpirationInMinutes', reservationExpirationInMinutes: 30 };
  await made('', { version, actions: [minutes] });
  await made('/product-types', { key: 'plain', name: 'Plain', description: '' });
  await made('/products', {
    productType: { key: 'plain' },
    name: { en: 'Lamp' },
    slug: { en: 'lamp' },
    masterVariant: { sku: 'lamp', prices: [{ value: { currencyCode: 'EUR', centAmount: 100 } }] },
    publish: true,
  });
  const entry = await made('/inventory', { sku: 'lamp', quantityOnStock: 5 });
  const available = async (): Promise<unknown> =>
    (await request('GET', `/inventory/${entry['id'] as string}`)).body['availableQuantity'];
  const line = { sku: 'lamp', key: 'line', quantity: 2 };
  const draft = { currency: 'EUR', taxMode: 'Disabled', inventoryMode: 'ReserveOnCart', lineItems: [line] };
  await extend('carts', { triggers: [{ resourceTypeId: 'cart', actions: ['Create', 'Update'] }] });
  behaviors.set('carts', actions({ action: 'changeLineItemQuantity', lineItemKey: 'line', quantity: 3 }));
  t.match(await made('/carts', draft), { lineItems: [{ quantity: 3, reservation: { typeId: 'reservation' } }] });
  t.equal(await available(), 2);
  behaviors.set('carts', actions({ action: 'addLineItem', sku: 'lamp', quantity: 9 }));
  const short = await made('/carts', draft);
  t.match(short, { lineItems: [], warnings: [{ quantity: 11 }] });
  behaviors.set('carts', actions({ action: 'setLineItemInventoryMode', lineItemKey: 'line', inventoryMode: 'None' }));
  const none = await made('/carts', draft);
  t.match(none, { lineItems: [{ quantity: 2, inventoryMode: 'None' }] });
  t.notOk('reservation' in (none['lineItems'] as readonly [object])[0]);
  t.equal(await available(), 2);
});

t.test('the actions of an extension go through all that a cart is made of', async (t) => {
  const { project, calls, behaviors, extend } = await startShop(t, platform);
  await extend('carts', { triggers: [{ resourceTypeId: 'cart', actions: ['Create', 'Update'] }] });
  const money = { currencyCode: 'EUR', centAmount: 250 };
  const item = { action: 'addCustomLineItem', name: { en: 'Deposit' }, slug: 'deposit', money, quantity: 2 };
  behaviors.set('carts', actions(item));
  const { status, body } = await project.request('POST', '/carts', { currency: 'EUR', taxMode: 'External' });
  t.match({ status, body }, { status: 201, body: { totalPrice: { centAmount: 500 }, version: 1 } });
  const [{ id }] = body['customLineItems'] as [{ readonly id: string }];
  const quantity = { action: 'changeCustomLineItemQuantity', customLineItemId: id, quantity: 3 };
  behaviors.set('carts', actions(quantity));
  const update = { version: 1, actions: [{ action: 'setCountry', country: 'DE' }] };
  const { body: updated } = await project.request('POST', `/carts/${String(body['id'])}`, update);
  t.match(updated, { totalPrice: { centAmount: 750 }, country: 'DE', version: 2 });
  t.equal((calls[1]!.input.resource.obj['totalPrice'] as { centAmount: number }).centAmount, 500);
});
