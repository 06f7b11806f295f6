import t from 'tap';
import type { Document } from '../../src/engine/document.ts';
import { customTypeFor, keepMessages, messagesOf, tellerOf, tellsCustomFields } from '../support/messages.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { shopperToken } from '../support/shoppers.ts';

const amountPlanned = { currencyCode: 'EUR', centAmount: 1000 };
const amount = { type: 'centPrecision', currencyCode: 'EUR', centAmount: 1000, fractionDigits: 2 };

/** States of a type, of which the first leads to the second. */
async function statesOf(
  { request }: Platform,
  type: string,
  roles: readonly string[] = [],
): Promise<readonly object[]> {
  const stateOf = async (key: string, draft: object): Promise<object> => {
    const { status, text, body } = await request('POST', '/states', { key, type, ...draft });
    if (status !== 201) throw new Error(text);
    return { typeId: 'state', id: (body as Document).id };
  };
  const second = await stateOf('second', { roles });
  return [await stateOf('first', { initial: true, transitions: [second] }), second];
}

t.test('payments tell what becomes of them', async (t) => {
  const platform = await startPlatform(t);
  await keepMessages(platform);
  const draft = { key: 'one', amountPlanned, transactions: [{ type: 'Charge', amount: amountPlanned }] };
  const payment = await tellerOf(t, platform, { path: '/payments', typeId: 'payment', draft });
  t.strictSame(payment.created, [{ type: 'PaymentCreated', payment: payment.body }]);
  const [{ id }] = payment.body['transactions'] as [Document];
  t.strictSame(
    await payment.tells(
      { action: 'setInterfaceId', interfaceId: 'i-1' },
      { action: 'setMethodInfoInterface', interface: 'service' },
      { action: 'setMethodInfoInterfaceAccount', interfaceAccount: 'account' },
      { action: 'setMethodInfoMethod', method: 'card' },
      { action: 'setMethodInfoName', name: { en: 'Card' } },
      { action: 'setMethodInfoToken', token: { value: 't' } },
      { action: 'setStatusInterfaceCode', interfaceCode: 'C-1' },
      { action: 'setStatusInterfaceText', interfaceText: 'text' },
      { action: 'changeTransactionState', transactionId: id, state: 'Success' },
      { action: 'setTransactionInterfaceId', transactionId: id, interfaceId: 'one' },
      { action: 'changeTransactionTimestamp', transactionId: id, timestamp: '2030-01-01T00:00:00.000Z' },
    ),
    [
      { type: 'PaymentInterfaceIdSet', interfaceId: 'i-1' },
      { type: 'PaymentMethodInfoInterfaceSet', interface: 'service' },
      { type: 'PaymentMethodInfoInterfaceAccountSet', interfaceAccount: 'account' },
      { type: 'PaymentMethodInfoMethodSet', method: 'card' },
      { type: 'PaymentMethodInfoNameSet', name: { en: 'Card' } },
      { type: 'PaymentMethodInfoTokenSet', token: { value: 't' } },
      { type: 'PaymentStatusInterfaceCodeSet', paymentId: payment.id, interfaceCode: 'C-1' },
      { type: 'PaymentTransactionStateChanged', transactionId: id, state: 'Success' },
      { type: 'PaymentTransactionInterfaceIdSet', transactionId: id, newInterfaceId: 'one' },
    ],
  );
  t.strictSame(
    await payment.tells(
      { action: 'setMethodInfoMethod', method: 'transfer' },
      { action: 'setMethodInfoName' },
      { action: 'setStatusInterfaceCode' },
      { action: 'setTransactionInterfaceId', transactionId: id, interfaceId: 'two' },
    ),
    [
      { type: 'PaymentMethodInfoMethodSet', method: 'transfer', oldMethod: 'card' },
      { type: 'PaymentMethodInfoNameSet', oldName: { en: 'Card' } },
      { type: 'PaymentStatusInterfaceCodeSet', paymentId: payment.id },
      { type: 'PaymentTransactionInterfaceIdSet', transactionId: id, newInterfaceId: 'two', oldInterfaceId: 'one' },
    ],
  );
});

t.test('payments tell of transactions, interactions, states and custom fields', async (t) => {
  const platform = await startPlatform(t);
  await keepMessages(platform);
  const payment = await tellerOf(t, platform, { path: '/payments', typeId: 'payment', draft: { amountPlanned } });
  const kinds = ['payment-interface-interaction', 'payment-method-info', 'transaction'];
  const type = await customTypeFor(platform, ...kinds);
  const custom = { type: { typeId: 'type', key: `for-${kinds.join('-')}` }, fields: { fee: amountPlanned } };
  const told = await payment.tells(
    { action: 'addTransaction', transaction: { type: 'Charge', amount: amountPlanned, custom } },
    { action: 'addInterfaceInteraction', ...custom },
  );
  const stored = { type: { typeId: 'type', id: type }, fields: { fee: amount } };
  t.strictSame(told, [
    { type: 'PaymentTransactionAdded', transaction: (payment.body['transactions'] as readonly unknown[])[0] },
    { type: 'PaymentInteractionAdded', interaction: stored },
  ]);
  t.match(told, [{ transaction: { amount, custom: stored } }]);
  const [first, second] = await statesOf(platform, 'PaymentState');
  t.strictSame(
    await payment.tells(
      { action: 'transitionState', state: first },
      { action: 'transitionState', state: second, force: true },
    ),
    [
      { type: 'PaymentStatusStateTransition', state: first, force: false },
      { type: 'PaymentStatusStateTransition', state: second, force: true },
    ],
  );
  await tellsCustomFields(t, payment, {
    prefix: 'PaymentMethodInfo',
    type,
    names: { typeId: 'oldTypeId', actions: ['setMethodInfoCustomType', 'setMethodInfoCustomField'] },
  });
});

t.test('all of a method that is set at once is told of as if each were set by itself', async (t) => {
  const platform = await startPlatform(t);
  await keepMessages(platform);
  const type = await customTypeFor(platform, 'payment-method-info');
  const custom = { type: { typeId: 'type', id: type }, fields: { fee: amountPlanned } };
  const paymentMethodInfo = { paymentInterface: 'service', method: 'card', name: { en: 'Card' } };
  const draft = { amountPlanned, paymentMethodInfo };
  const payment = await tellerOf(t, platform, { path: '/payments', typeId: 'payment', draft });
  const given = {
    paymentInterface: 'service',
    method: 'transfer',
    interfaceAccount: 'A',
    token: { value: 'T' },
    custom,
  };
  t.strictSame(await payment.tells({ action: 'setMethodInfo', ...given }), [
    { type: 'PaymentMethodInfoInterfaceAccountSet', interfaceAccount: 'A' },
    { type: 'PaymentMethodInfoMethodSet', method: 'transfer', oldMethod: 'card' },
    { type: 'PaymentMethodInfoNameSet', oldName: { en: 'Card' } },
    { type: 'PaymentMethodInfoTokenSet', token: { value: 'T' } },
    { type: 'PaymentMethodInfoCustomTypeSet', customFields: { ...custom, fields: { fee: amount } } },
  ]);
  t.strictSame(await payment.tells({ action: 'setMethodInfo', ...given }), []);
  t.strictSame(await payment.tells({ action: 'setMethodInfo' }), [
    { type: 'PaymentMethodInfoInterfaceAccountSet', oldInterfaceAccount: 'A' },
    { type: 'PaymentMethodInfoMethodSet', oldMethod: 'transfer' },
    { type: 'PaymentMethodInfoTokenSet', oldToken: { value: 'T' } },
    { type: 'PaymentMethodInfoCustomTypeRemoved', oldTypeId: type },
  ]);
});

t.test('shoppers who change their payments tell it as well', async (t) => {
  const platform = await startPlatform(t);
  await keepMessages(platform);
  const { request } = platform;
  const headers = { authorization: `Bearer ${await shopperToken(platform, { shopper: 'anonymous' })}` };
  const made = (await request('POST', '/me/payments', { amountPlanned }, headers)).body as Document;
  const transaction = { type: 'Charge', amount: amountPlanned };
  const actions = [
    { action: 'setMethodInfoMethod', method: 'card' },
    { action: 'addTransaction', transaction },
  ];
  t.equal((await request('POST', `/me/payments/${made.id}`, { version: made.version, actions }, headers)).status, 200);
  t.match(await messagesOf(platform, made.id), [
    { type: 'PaymentCreated', payment: { id: made.id } },
    { type: 'PaymentMethodInfoMethodSet' },
    { type: 'PaymentTransactionAdded', transaction: { amount } },
  ]);
});

t.test('reviews tell of ratings and of whether they count', async (t) => {
  const platform = await startPlatform(t);
  await keepMessages(platform);
  const [first, second] = await statesOf(platform, 'ReviewState', ['ReviewIncludedInStatistics']);
  const channel = (await platform.request('POST', '/channels', { key: 'shop' })).body as Document;
  const target = { typeId: 'channel', id: channel.id };
  const draft = { key: 'mine', rating: 3, target };
  const review = await tellerOf(t, platform, { path: '/reviews', typeId: 'review', draft });
  t.strictSame(review.created, [{ type: 'ReviewCreated', review: review.body }]);
  t.strictSame(
    await review.tells(
      { action: 'setRating', rating: 5 },
      { action: 'setTitle', title: 'Good' },
      { action: 'transitionState', state: first },
    ),
    [
      { type: 'ReviewRatingSet', oldRating: 3, newRating: 5, includedInStatistics: false, target },
      {
        type: 'ReviewStateTransition',
        newState: first,
        oldIncludedInStatistics: true,
        newIncludedInStatistics: false,
        target,
        force: false,
      },
    ],
  );
  t.strictSame(await review.tells({ action: 'transitionState', state: second, force: true }, { action: 'setRating' }), [
    {
      type: 'ReviewStateTransition',
      oldState: first,
      newState: second,
      oldIncludedInStatistics: false,
      newIncludedInStatistics: true,
      target,
      force: true,
    },
    { type: 'ReviewRatingSet', oldRating: 5, includedInStatistics: true, target },
  ]);
  t.strictSame(await review.deleted('&dataErasure=true'), []);
  t.strictSame(await messagesOf(platform, review.id), []);
});
