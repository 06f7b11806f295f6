import t from 'tap';
import { actions, startShop } from '../support/extension-server.ts';
import { keepMessages, messagesOf, tellerOf } from '../support/messages.ts';
import { changeSettings, startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t, { allowsPrivateExtensions: true });

t.test('what extensions do to a write is told once, behind what the client does', async (t) => {
  const { project, behaviors, extend } = await startShop(t, platform);
  await keepMessages(project);
  const triggers = [{ resourceTypeId: 'customer', actions: ['Create', 'Update'] }];
  for (const key of ['one', 'two']) await extend(key, { triggers });
  behaviors.set('one', actions({ action: 'setTitle', title: 'Dr.' }));
  behaviors.set('two', actions({ action: 'setCompanyName', companyName: 'Doe Ltd.' }));
  const draft = { email: 'jane@example.org', password: 'correct horse 1' };
  const customer = await tellerOf(t, project, { path: '/customers', typeId: 'customer', draft });
  t.match(customer.body, { title: 'Dr.', companyName: 'Doe Ltd.' });
  t.strictSame(customer.created, [{ type: 'CustomerCreated', customer: customer.body }], 'as it is then');

  behaviors.set('one', actions({ action: 'setTitle', title: 'Prof.' }));
  behaviors.set('two', actions({ action: 'setLastName', lastName: 'Doe' }));
  const told = await customer.tells({ action: 'setFirstName', firstName: 'Jane' });
  t.strictSame(told[0], { type: 'CustomerFirstNameSet', firstName: 'Jane' });
  t.strictSame(
    new Set(told.map(({ type }) => type)),
    new Set(['CustomerFirstNameSet', 'CustomerLastNameSet', 'CustomerTitleSet']),
  );
  // What undoes the change leaves nothing to tell.
  behaviors.set('one', actions({ action: 'setFirstName', firstName: 'Jane' }));
  behaviors.delete('two');
  t.strictSame(await customer.tells({ action: 'setFirstName', firstName: 'Joan' }), []);
  behaviors.delete('one');
  t.strictSame(await customer.tells({ action: 'setFirstName', firstName: 'Joan' }), [
    { type: 'CustomerFirstNameSet', firstName: 'Joan' },
  ]);
});

t.test('erasure takes more messages than one commit does', async (t) => {
  const { project } = await startShop(t, platform);
  await keepMessages(project);
  const draft = { amountPlanned: { currencyCode: 'EUR', centAmount: 100 } };
  const payment = await tellerOf(t, project, { path: '/payments', typeId: 'payment', draft });
  let { version } = payment.body;
  for (let round = 0; round < 5; round += 1) {
    const methods = Array.from({ length: 500 }, (_, index) => ({
      action: 'setMethodInfoMethod',
      method: `m-${round}-${index}`,
    }));
    const { status, body } = await project.request('POST', `/payments/${payment.id}`, { version, actions: methods });
    t.equal(status, 200);
    version = Number(body['version']);
  }
  t.match((await project.request('GET', '/messages?limit=1')).body, { total: 2501 });
  const path = `/payments/${payment.id}?version=${version}&dataErasure=true`;
  t.equal((await project.request('DELETE', path)).status, 200);
  t.match((await project.request('GET', '/messages?limit=1')).body, { total: 0 });
  t.strictSame(await messagesOf(project, payment.id), []);
  t.equal((await changeSettings(project, { action: 'changeMessagesEnabled', messagesEnabled: false })).status, 200);
});
