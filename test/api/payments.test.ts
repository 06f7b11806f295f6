import t from 'tap';
import { type Answer, type Platform, startProject } from '../support/platform.ts';
import { shopperToken } from '../support/shoppers.ts';

type Body = Readonly<Record<string, unknown>>;
type Made = Body & { readonly id: string; readonly version: number };

const refused = (error: object) => ({ status: 400, body: { errors: [error] } });
const fixed = refused({ code: 'InvalidOperation' });
const euro = (centAmount: number) => ({ currencyCode: 'EUR', centAmount });
const amountPlanned = euro(1000);

async function made(platform: Platform, path: string, draft: object): Promise<Made> {
  const { status, body, text } = await platform.request('POST', path, draft);
  if (status !== 201) throw new Error(`${path}: ${text}`);
  return body as Made;
}

/** Updates a resource at the version that it has. */
async function update(platform: Platform, path: string, ...actions: object[]): Promise<Answer> {
  const { body } = await platform.request('GET', path);
  return platform.request('POST', path, { version: body['version'], actions });
}

function codesOf(answers: readonly Answer[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const [error] = (body['errors'] ?? []) as readonly { code: string; field?: string }[];
    const name = error === undefined ? String(status) : `${status} ${error.code} ${error.field}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

t.test('a service knows a payment by an id that no two of it have, whoever comes first', async (t) => {
  const platform = await startProject();
  const draft = (paymentInterface: string | undefined, interfaceId: string) => ({
    amountPlanned,
    interfaceId,
    ...(paymentInterface !== undefined && { paymentMethodInfo: { paymentInterface } }),
  });
  const create = (...given: Parameters<typeof draft>) => platform.request('POST', '/payments', draft(...given));
  const taken = { code: 'DuplicateField', field: 'interfaceId', duplicateValue: 'P-1' };
  t.equal((await create('cards', 'P-1')).status, 201);
  t.match(await create('cards', 'P-1'), refused(taken));
  t.equal((await create('banks', 'P-1')).status, 201, 'another service has ids of its own');
  const loose = await made(platform, '/payments', draft(undefined, 'P-1'));
  t.equal((await create(undefined, 'P-1')).status, 201, 'without a service an id says nothing');
  const path = `/payments/${loose.id}`;
  t.match(await update(platform, path, { action: 'setMethodInfoInterface', interface: 'cards' }), refused(taken));
  t.match(await update(platform, path, { action: 'setMethodInfo', paymentInterface: 'cards' }), refused(taken));
  const rivals = await Promise.all(Array.from({ length: 20 }, () => create('cards', 'P-2')));
  t.strictSame(codesOf(rivals), { 201: 1, '400 DuplicateField interfaceId': 19 });
});

t.test('neither the service nor its id changes once it is set', async (t) => {
  const platform = await startProject();
  const { id } = await made(platform, '/payments', { amountPlanned });
  const change = (...actions: object[]) => update(platform, `/payments/${id}`, ...actions);
  const set = (interfaceId: string) => ({ action: 'setInterfaceId', interfaceId });
  const via = (name: string) => ({ action: 'setMethodInfoInterface', interface: name });
  t.match(await change(set('P-1'), via('cards')), { status: 200, body: { version: 2, interfaceId: 'P-1' } });
  t.match(await change(set('P-1'), via('cards')), { status: 200, body: { version: 2 } }, 'the same changes nothing');
  t.match(await change(set('P-2')), fixed);
  t.match(await change(via('banks')), fixed);
  t.match(await change({ action: 'setMethodInfo', paymentInterface: 'banks' }), fixed);
  const card = { method: 'card', interfaceAccount: 'shop', token: { value: 'T-1' }, name: { en: 'Card' } };
  const whole = await change({ action: 'setMethodInfo', ...card });
  t.strictSame(whole.body['paymentMethodInfo'], { paymentInterface: 'cards', ...card });
  const less = await change({ action: 'setMethodInfo', method: 'other' });
  t.strictSame(less.body['paymentMethodInfo'], { paymentInterface: 'cards', method: 'other' }, 'the other members go');
});

t.test('transactions have ids, any state after any, and an interfaceId that no other has', async (t) => {
  const platform = await startProject();
  const transaction = { type: 'Charge', amount: euro(500) };
  const { id, ...first } = await made(platform, '/payments', { amountPlanned, transactions: [transaction] });
  t.match(first, { transactions: [{ id: /^[\da-f-]{36}$/, state: 'Initial', ...transaction }] });
  const [{ id: transactionId }] = first['transactions'] as [Made];
  const change = (...actions: object[]) => update(platform, `/payments/${id}`, ...actions);
  for (const state of ['Success', 'Failure', 'Initial', 'Pending'])
    t.match(await change({ action: 'changeTransactionState', transactionId, state }), {
      body: { transactions: [{ state }] },
    });
  t.match(await change({ action: 'changeTransactionState', transactionId: 'none', state: 'Success' }), fixed);
  const timestamp = '2025-01-02T03:04:05.000Z';
  const told = await change(
    { action: 'changeTransactionTimestamp', transactionId, timestamp },
    { action: 'changeTransactionInteractionId', transactionId, interactionId: 'I-1' },
    { action: 'setTransactionInterfaceId', transactionId, interfaceId: 'T-1' },
  );
  t.match(told, { body: { transactions: [{ timestamp, interactionId: 'I-1', interfaceId: 'T-1' }] } });
  const taken = { code: 'DuplicateField', field: 'transactions.interfaceId', duplicateValue: 'T-1' };
  const other = { ...transaction, interfaceId: 'T-1' };
  const another = { amountPlanned, transactions: [other] };
  t.match(await platform.request('POST', '/payments', another), refused(taken), 'of another payment');
  t.match(await change({ action: 'addTransaction', transaction: other }), refused(taken), 'of the same');
  t.match(
    await change(
      { action: 'setTransactionInterfaceId', transactionId },
      { action: 'addTransaction', transaction: other },
    ),
    {
      status: 200,
      body: { transactions: [{ interfaceId: undefined }, { interfaceId: 'T-1' }] },
    },
  );
  const precise = { type: 'highPrecision', currencyCode: 'EUR', preciseAmount: 5001, fractionDigits: 3 };
  t.match(
    await change({ action: 'addTransaction', transaction: { ...transaction, amount: precise } }),
    refused({ code: 'InvalidField' }),
  );
  const rivals = Array.from({ length: 20 }, () =>
    platform.request('POST', '/payments', { amountPlanned, transactions: [{ ...transaction, interfaceId: 'T-2' }] }),
  );
  t.strictSame(codesOf(await Promise.all(rivals)), { 201: 1, '400 DuplicateField transactions.interfaceId': 19 });
});

t.test('states of payments follow each other by their transitions', async (t) => {
  const platform = await startProject();
  const named = (key: string) => ({ typeId: 'state', key });
  const state = (key: string, draft: object) => made(platform, '/states', { key, type: 'PaymentState', ...draft });
  const done = await state('done', { initial: false, transitions: [] });
  await state('open', { initial: true, transitions: [named('done')] });
  await state('lost', { initial: false });
  await made(platform, '/states', { key: 'order', type: 'OrderState', initial: true });
  const { id } = await made(platform, '/payments', { amountPlanned });
  const go = (key: string, force?: boolean) =>
    update(platform, `/payments/${id}`, { action: 'transitionState', state: named(key), force });
  t.match(await go('done'), fixed, 'no initial one');
  t.match(await go('order'), fixed, 'of orders');
  t.match(await go('order', true), fixed, 'nor by force');
  t.match(await go('open'), { status: 200, body: { paymentStatus: { state: { typeId: 'state' } } } });
  t.match(await go('lost'), fixed);
  t.match(await go('done'), { status: 200, body: { paymentStatus: { state: { id: done.id } } } });
  t.match(await go('open'), fixed, 'it is final');
  t.match(await go('lost', true), { status: 200 });
  t.match(await go('open'), { status: 200 }, 'from one that names none any leads on');
  const status = await update(
    platform,
    `/payments/${id}`,
    { action: 'setStatusInterfaceCode', interfaceCode: '200' },
    { action: 'setStatusInterfaceText', interfaceText: 'Paid' },
  );
  t.match(status, { body: { paymentStatus: { interfaceCode: '200', interfaceText: 'Paid' } } });
  const cleared = await update(
    platform,
    `/payments/${id}`,
    { action: 'setStatusInterfaceCode' },
    { action: 'setStatusInterfaceText', interfaceText: '' },
  );
  t.strictSame(Object.keys(cleared.body['paymentStatus'] as object), ['state']);
});

t.test('interactions are custom fields of types for them, of which GraphQL has pages', async (t) => {
  const platform = await startProject();
  const type = (key: string, resourceTypeId: string) =>
    made(platform, '/types', {
      key,
      name: { en: key },
      resourceTypeIds: [resourceTypeId],
      fieldDefinitions: [{ name: 'said', label: { en: 'Said' }, required: true, type: { name: 'String' } }],
    });
  await type('interaction', 'payment-interface-interaction');
  await type('other', 'payment');
  const { id } = await made(platform, '/payments', { amountPlanned, key: 'paid' });
  const add = (key: string, fields?: object) =>
    update(platform, `/payments/${id}`, { action: 'addInterfaceInteraction', type: { typeId: 'type', key }, fields });
  for (const said of ['one', 'two', 'three']) t.equal((await add('interaction', { said })).status, 200);
  t.match(await add('interaction'), refused({ code: 'RequiredField' }));
  t.match(await add('other', { said: 'four' }), refused({ code: 'InvalidField' }));
  const ask = (args: string) =>
    platform.request('POST', '/graphql', {
      query: `{ payment(key: "paid") { interfaceInteractionsRaw${args} {
        limit offset total results { type { key } fields { name value } }
      } } }`,
    });
  const result = (said: string) => ({ type: { key: 'interaction' }, fields: [{ name: 'said', value: said }] });
  const page = (members: object) => ({ data: { payment: { interfaceInteractionsRaw: { total: 3, ...members } } } });
  t.match((await ask('')).body, page({ limit: 20, offset: 0, results: ['one', 'two', 'three'].map(result) }));
  t.match((await ask('(limit: 1, offset: 1)')).body, page({ limit: 1, offset: 1, results: [result('two')] }));
  for (const args of ['(limit: 0)', '(limit: 501)', '(offset: -1)'])
    t.match((await ask(args)).body, { errors: [{ extensions: { code: 'InvalidInput' } }] }, args);
  const call = `mutation { updatePayment(key: "paid", version: 4, actions: [
    { addInterfaceInteraction: { typeKey: "interaction", fields: [{ name: "said", value: "\\"four\\"" }] } }
  ]) { interfaceInteractionsRaw(offset: 3) { total results { fields { value } } } } }`;
  t.match((await platform.request('POST', '/graphql', { query: call })).body, {
    data: { updatePayment: { interfaceInteractionsRaw: { total: 4, results: [{ fields: [{ value: 'four' }] }] } } },
  });
});

t.test('a payment has one owner', async (t) => {
  const platform = await startProject();
  const { body } = await platform.request('POST', '/customers', { email: 'jane@example.org', password: 'pass-word-1' });
  const customer = { typeId: 'customer', id: (body['customer'] as Made).id };
  const both = { amountPlanned, customer, anonymousId: 'visitor' };
  t.match(await platform.request('POST', '/payments', both), fixed);
  const { id } = await made(platform, '/payments', { amountPlanned, anonymousId: 'visitor' });
  const taken = await update(platform, `/payments/${id}`, { action: 'setCustomer', customer });
  t.match(taken, { status: 200, body: { customer } });
  t.notOk('anonymousId' in taken.body);
  t.match(await update(platform, `/payments/${id}`, { action: 'setAnonymousId', anonymousId: 'visitor' }), fixed);
});

t.test('shoppers see a part of their payments, and leave them when there is a transaction', async (t) => {
  const platform = await startProject();
  const scope = ['manage_my_payments', 'manage_key_value_documents']
    .map((name) => `${name}:${platform.projectKey}`)
    .join(' ');
  const token = await shopperToken(platform, { shopper: 'customer', email: 'jane@example.org', scope });
  const headers = { authorization: `Bearer ${token}` };
  const payments = platform.apiWith(token).me().payments();
  const faultOf = (call: { execute(): Promise<unknown> }) => call.execute().catch((error: unknown) => error);
  const draft = {
    amountPlanned,
    paymentMethodInfo: { method: 'card' },
    interfaceId: 'P-1',
    transactions: [{ type: 'Charge', amount: euro(1) }],
  };
  const { body: payment } = await payments.post({ body: draft }).execute();
  const shown = ['amountPlanned', 'customer', 'id', 'paymentMethodInfo', 'transactions', 'version'];
  t.strictSame(Object.keys(payment).toSorted(), shown);
  t.strictSame(payment.transactions, [], 'which they do not give');
  const ID = payment.id;
  const changed = await payments
    .withId({ ID })
    .post({ body: { version: 1, actions: [{ action: 'changeAmountPlanned', amount: euro(2000) }] } })
    .execute();
  t.strictSame(Object.keys(changed.body).toSorted(), shown);
  t.match(changed.body, { version: 2, amountPlanned: euro(2000) });
  const { body: whole } = await platform.request('GET', `/payments/${ID}`);
  t.match(whole, { paymentStatus: {}, interfaceInteractions: [], createdAt: /./ });
  t.notOk('interfaceId' in whole);
  t.strictSame((await payments.withId({ ID }).get().execute()).body, changed.body);
  t.strictSame((await payments.get({ queryArgs: { sort: 'createdAt desc' } }).execute()).body.results, [changed.body]);
  t.match(
    await faultOf(payments.get({ queryArgs: { where: 'paymentStatus(interfaceCode="x")' } })),
    { statusCode: 400, body: { errors: [{ code: 'InvalidInput' }] } },
    'what they do not see they cannot ask for',
  );
  await made(platform, '/custom-objects', { container: 'links', key: 'own', value: { typeId: 'payment', id: ID } });
  const { body: link } = await platform.request('GET', '/custom-objects/links/own?expand=value', undefined, headers);
  t.strictSame(link['value'], { typeId: 'payment', id: ID, obj: changed.body }, 'nor is it whole behind a link');
  const ask = (query: string) => platform.request('POST', '/graphql', { query }, headers);
  t.match(
    (
      await ask(
        `{ me { payment(id: "${ID}") { __typename version amountPlanned { centAmount } } payments { total } } }`,
      )
    ).body,
    {
      data: {
        me: {
          payment: { __typename: 'MyPayment', version: 2, amountPlanned: { centAmount: 2000 } },
          payments: { total: 1 },
        },
      },
    },
  );

  const add = (transaction: object) =>
    platform.request(
      'POST',
      `/me/payments/${ID}`,
      { version: 2, actions: [{ action: 'addTransaction', transaction }] },
      headers,
    );
  const invalid = refused({ code: 'InvalidField', field: 'actions[0].transaction.type' });
  t.match(await add({ type: 'Refund', amount: euro(1) }), invalid);
  t.match(await add({ type: 'Charge', amount: euro(1), state: 'Success' }), {
    status: 200,
    body: { version: 3, transactions: [{ type: 'Charge', state: 'Initial' }] },
  });
  const operation = { statusCode: 400, body: { errors: [{ code: 'InvalidOperation' }] } };
  const further = { version: 3, actions: [{ action: 'changeAmountPlanned' as const, amount: euro(1) }] };
  t.match(await faultOf(payments.withId({ ID }).post({ body: further })), operation);
  t.match(await faultOf(payments.withId({ ID }).delete({ queryArgs: { version: 3 } })), operation);
  const remove = `mutation { deleteMyPayment(id: "${ID}", version: 3) { id } }`;
  t.match((await ask(remove)).body, { errors: [{ extensions: { code: 'InvalidOperation' } }] });
  t.equal(
    (await update(platform, `/payments/${ID}`, { action: 'changeAmountPlanned', amount: euro(3) })).status,
    200,
    'the shop goes on',
  );
  t.equal((await platform.request('DELETE', `/payments/${ID}?version=4`)).status, 200);

  const charged = { amountPlanned, transaction: { type: 'Authorization', amount: euro(5), state: 'Success' } };
  const { body: second } = await payments.post({ body: charged }).execute();
  t.match(second.transactions, [{ type: 'Authorization', state: 'Initial', amount: euro(5) }]);
  t.match(await faultOf(payments.post({ body: { ...charged, transaction: { type: 'Refund', amount: euro(5) } } })), {
    statusCode: 400,
    body: { errors: [{ code: 'InvalidField', field: 'transaction.type' }] },
  });
  const own = {
    payments: platform
      .apiWith(await shopperToken(platform, { shopper: 'anonymous', scope }))
      .me()
      .payments(),
  };
  t.match(await faultOf(own.payments.withId({ ID: second.id }).get()), { statusCode: 404 });
  const { body: visitors } = await own.payments.post({ body: { amountPlanned } }).execute();
  t.match(visitors, { anonymousId: /./ });
  t.equal(
    (
      await own.payments
        .withId({ ID: visitors.id })
        .delete({ queryArgs: { version: 1 } })
        .execute()
    ).statusCode,
    200,
  );
});

t.test('shoppers see in their carts what they see of their payments, and nothing of those of others', async (t) => {
  const platform = await startProject();
  const scope = ['manage_my_payments', 'manage_my_orders'].map((name) => `${name}:${platform.projectKey}`).join(' ');
  const headers = { authorization: `Bearer ${await shopperToken(platform, { shopper: 'customer', scope })}` };
  const as = (method: string, path: string, body?: object) => platform.request(method, path, body, headers);
  const own = (await as('POST', '/me/payments', { amountPlanned })).body as Made;
  const cart = (await as('POST', '/me/carts', { currency: 'EUR' })).body as Made;
  const others = await made(platform, '/payments', { amountPlanned, anonymousId: 'somebody' });
  const expanded = await as('POST', `/me/carts/${cart.id}?expand=paymentInfo.payments[*]`, {
    version: cart.version,
    actions: [{ action: 'addPayment', payment: { id: own.id } }],
  });
  const reference = { typeId: 'payment', id: own.id, obj: own };
  t.strictSame(expanded.body['paymentInfo'], { payments: [reference] });
  const ask = (fields: string) =>
    as('POST', '/graphql', { query: `{ me { activeCart { paymentInfo { payments { ${fields} } } } } }` });
  const shown = { id: own.id, amountPlanned: { centAmount: 1000 }, transactions: [] };
  // Once more for what is kept of it.
  for (let turn = 0; turn < 2; turn += 1)
    t.match(await ask('id amountPlanned { centAmount } transactions { id }'), {
      status: 200,
      body: { data: { me: { activeCart: { paymentInfo: { payments: [shown] } } } } },
    });
  const forbidden = { body: { errors: [{ extensions: { code: 'insufficient_scope' } }] } };
  for (const hidden of ['key', 'createdAt', 'paymentStatus { interfaceText }', 'interfaceInteractionsRaw { total }'])
    t.match(await ask(`id ${hidden}`), forbidden, hidden);

  await update(platform, `/carts/${cart.id}`, { action: 'addPayment', payment: { id: others.id } });
  const { body } = await as('GET', `/me/carts/${cart.id}?expand=paymentInfo.payments[*]`);
  t.strictSame(body['paymentInfo'], { payments: [reference, { typeId: 'payment', id: others.id }] });
  t.match((await ask('id')).body, { data: { me: { activeCart: { paymentInfo: { payments: [{ id: own.id }] } } } } });
  t.notMatch((await ask('id')).text, others.id);
});

t.test('custom fields of the one transaction are what shoppers still set', async (t) => {
  const platform = await startProject();
  await made(platform, '/types', {
    key: 'noted',
    name: { en: 'Noted' },
    resourceTypeIds: ['transaction'],
    fieldDefinitions: [{ name: 'note', label: { en: 'Note' }, required: false, type: { name: 'String' } }],
  });
  const scope = `manage_my_payments:${platform.projectKey}`;
  const headers = { authorization: `Bearer ${await shopperToken(platform, { shopper: 'anonymous', scope })}` };
  const custom = { type: { typeId: 'type', key: 'noted' }, fields: { note: 'One' } };
  const note = { version: 1, actions: [{ action: 'setTransactionCustomField', name: 'note', value: 'Two' }] };
  const create = async (draft: object) =>
    (await platform.request('POST', '/me/payments', { amountPlanned, ...draft }, headers)).body as Made;
  const { id } = await create({ transaction: { type: 'Charge', amount: euro(5), custom } });
  t.match(await platform.request('POST', `/me/payments/${id}`, note, headers), {
    status: 200,
    body: { transactions: [{ custom: { fields: { note: 'Two' } } }] },
  });
  const plain = await create({});
  t.match(await platform.request('POST', `/me/payments/${plain.id}`, note, headers), fixed);
});
