import t, { type Test } from 'tap';
import type { Document } from '../../src/engine/document.ts';
import {
  customTypeFor,
  keepMessages,
  type Message,
  messagesOf,
  type Teller,
  tellerOf,
  tellsCustomFields,
  toldIn,
} from '../support/messages.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { shopperToken } from '../support/shoppers.ts';

const password = 'correct horse 1';

async function keeping(t: Test): Promise<Platform> {
  const platform = await startPlatform(t);
  await keepMessages(platform);
  return platform;
}

function customerOf(t: Test, platform: Platform, draft: object = {}): Promise<Teller> {
  const email = 'jane@example.org';
  return tellerOf(t, platform, { path: '/customers', typeId: 'customer', draft: { email, password, ...draft } });
}

t.test('customers tell of what they are called', async (t) => {
  const platform = await keeping(t);
  const customer = await customerOf(t, platform, { firstName: 'Jane', customerNumber: 'C-1' });
  t.strictSame(customer.created, [{ type: 'CustomerCreated', customer: customer.body }]);
  t.strictSame(await customer.tells({ action: 'changeEmail', email: 'doe@example.org' }), [
    { type: 'CustomerEmailChanged', email: 'doe@example.org', oldEmail: 'jane@example.org' },
  ]);
  t.strictSame(
    await customer.tells(
      { action: 'setCompanyName', companyName: 'Doe Ltd.' },
      { action: 'setDateOfBirth', dateOfBirth: '1990-02-03' },
      { action: 'setExternalId', externalId: 'ext' },
      { action: 'setFirstName' },
      { action: 'setLastName', lastName: 'Doe' },
      { action: 'setTitle', title: 'Dr.' },
      { action: 'setSalutation', salutation: 'Dear' },
    ),
    [
      { type: 'CustomerCompanyNameSet', companyName: 'Doe Ltd.' },
      { type: 'CustomerDateOfBirthSet', dateOfBirth: '1990-02-03' },
      { type: 'CustomerExternalIdSet', externalId: 'ext' },
      { type: 'CustomerFirstNameSet' },
      { type: 'CustomerLastNameSet', lastName: 'Doe' },
      { type: 'CustomerTitleSet', title: 'Dr.' },
    ],
  );
  const [, changed] = await messagesOf(platform, customer.id);
  t.strictSame(changed!['resourceUserProvidedIdentifiers'], { customerNumber: 'C-1' });
  t.strictSame(await customer.deleted(), [{ type: 'CustomerDeleted', email: 'doe@example.org' }]);
  const [last] = (await messagesOf(platform, customer.id)).slice(-1);
  t.match(last, { resourceVersion: 3, sequenceNumber: 9 }, 'it outlives the customer');
});

t.test('customers tell of their addresses', async (t) => {
  const platform = await keeping(t);
  const type = await customTypeFor(platform, 'address');
  const customer = await customerOf(t, platform);
  const addresses = (): readonly Document[] => customer.body['addresses'] as readonly Document[];
  const custom = { type: { typeId: 'type', id: type }, fields: { fee: { currencyCode: 'EUR', centAmount: 5 } } };
  const added = await customer.tells(
    { action: 'addAddress', address: { country: 'DE', city: 'Berlin', key: 'home' } },
    { action: 'addAddress', address: { country: 'FR', custom } },
  );
  const [home, work] = addresses();
  t.strictSame(added, [
    { type: 'CustomerAddressAdded', address: home },
    { type: 'CustomerAddressAdded', address: work },
  ]);
  t.match(added[1], { address: { custom: { fields: { fee: { type: 'centPrecision' } } } } });
  const byKey = { addressKey: 'home' };
  t.strictSame(
    await customer.tells(
      { action: 'addShippingAddressId', ...byKey },
      { action: 'addShippingAddressId', ...byKey },
      { action: 'addBillingAddressId', addressId: home!.id },
      { action: 'setDefaultBillingAddress', addressId: work!.id },
      { action: 'setDefaultShippingAddress', ...byKey },
    ),
    [
      { type: 'CustomerShippingAddressAdded', address: home },
      { type: 'CustomerBillingAddressAdded', address: home },
      { type: 'CustomerDefaultBillingAddressSet', address: work },
      { type: 'CustomerDefaultShippingAddressSet', address: home },
    ],
  );
  const changed = await customer.tells({ action: 'changeAddress', ...byKey, address: { country: 'DE', city: 'Ulm' } });
  t.strictSame(changed, [
    { type: 'CustomerAddressChanged', address: addresses()[0], addressRoles: ['Shipping', 'Billing'] },
  ]);
  const [ulm] = addresses();
  t.strictSame(
    await customer.tells(
      { action: 'removeShippingAddressId', addressId: ulm!.id },
      { action: 'removeBillingAddressId', addressId: ulm!.id },
      { action: 'setDefaultBillingAddress' },
    ),
    [
      { type: 'CustomerShippingAddressRemoved', address: ulm },
      { type: 'CustomerBillingAddressRemoved', address: ulm },
      { type: 'CustomerDefaultBillingAddressSet' },
    ],
  );
  await tellsCustomFields(t, customer, {
    prefix: 'CustomerAddress',
    type,
    names: {
      typeId: 'previousTypeId',
      value: 'previousValue',
      input: { addressId: ulm!.id },
      part: { addressId: ulm!.id },
      actions: ['setAddressCustomType', 'setAddressCustomField'],
    },
  });
  t.strictSame(await customer.tells({ action: 'removeAddress', addressId: work!.id }), [
    { type: 'CustomerAddressRemoved', address: work, addressRoles: ['Billing'] },
  ]);
});

t.test('customers tell of their groups, stores and custom fields', async (t) => {
  const platform = await keeping(t);
  const { request } = platform;
  const groupOf = async (groupName: string): Promise<object> => {
    const { body } = await request('POST', '/customer-groups', { groupName });
    return { typeId: 'customer-group', id: (body as Document).id };
  };
  const [one, other] = [await groupOf('one'), await groupOf('other')];
  for (const key of ['north', 'south']) await request('POST', '/stores', { key });
  const [north, south] = ['north', 'south'].map((key) => ({ typeId: 'store', key }));
  const customer = await customerOf(t, platform);
  const assigned = (customerGroup: object): object => ({ customerGroup });
  t.strictSame(
    await customer.tells(
      { action: 'setCustomerGroup', customerGroup: one },
      { action: 'addCustomerGroupAssignment', customerGroupAssignment: assigned(one) },
      { action: 'addCustomerGroupAssignment', customerGroupAssignment: assigned(one) },
      { action: 'removeCustomerGroupAssignment', customerGroup: one },
      { action: 'setCustomerGroupAssignments', customerGroupAssignments: [assigned(other)] },
    ),
    [
      { type: 'CustomerGroupSet', customerGroup: one },
      { type: 'CustomerGroupAssignmentAdded', customerGroupAssignment: assigned(one) },
      { type: 'CustomerGroupAssignmentRemoved', customerGroupAssignment: assigned(one) },
      {
        type: 'CustomerGroupAssignmentsSet',
        customerGroupAssignments: [assigned(other)],
        oldCustomerGroupAssignments: [],
      },
    ],
  );
  t.strictSame(await customer.tells({ action: 'setCustomerGroup' }), [{ type: 'CustomerGroupSet' }]);
  t.strictSame(
    await customer.tells(
      { action: 'setStores', stores: [north] },
      { action: 'addStore', store: south },
      { action: 'removeStore', store: north },
    ),
    [
      { type: 'CustomerStoresSet', stores: [north], oldStores: [] },
      { type: 'CustomerStoresSet', stores: [north, south], oldStores: [north] },
      { type: 'CustomerStoresSet', stores: [south], oldStores: [north, south] },
    ],
  );
  const type = await customTypeFor(platform, 'customer', 'customer-group');
  const names = { typeId: 'previousTypeId', value: 'previousValue' };
  await tellsCustomFields(t, customer, { prefix: 'Customer', type, names });

  const draft = { groupName: 'third' };
  const group = await tellerOf(t, platform, { path: '/customer-groups', typeId: 'customer-group', draft });
  t.strictSame(group.created, []);
  await tellsCustomFields(t, group, {
    prefix: 'CustomerGroup',
    type,
    names: { typeId: 'oldTypeId', value: 'oldValue' },
  });
});

t.test('customers tell of passwords and tokens', async (t) => {
  const platform = await keeping(t);
  const { request } = platform;
  const customer = await customerOf(t, platform);
  const { id } = customer;
  const tokenOf = async (path: string, draft: object): Promise<Document> => {
    const { status, text, body } = await request('POST', `/customers/${path}`, draft);
    if (status >= 300) throw new Error(text);
    return body as Document;
  };
  const posted = async (path: string, draft: object): Promise<void> => void (await tokenOf(path, draft));
  await posted('password', { id, version: 1, currentPassword: password, newPassword: 'other horse 2' });
  t.strictSame(await customer.since(), [{ type: 'CustomerPasswordUpdated', reset: false }]);

  const reset = await tokenOf('password-token', { email: 'jane@example.org', ttlMinutes: 60 });
  await posted('password/reset', { tokenValue: reset['value'], newPassword: 'third horse 3' });
  t.strictSame(await customer.since(), [{ type: 'CustomerPasswordUpdated', reset: true }]);

  const draft = { id, ttlMinutes: 61, invalidateOlderTokens: true };
  const verification = await tokenOf('email-token', draft);
  await posted('email/confirm', { tokenValue: verification['value'] });
  t.strictSame(await customer.since(), [{ type: 'CustomerEmailVerified' }]);

  const told = async (token: Document): Promise<Message> => {
    const all = await messagesOf(platform, token.id);
    t.equal(all.length, 1);
    return all[0]!;
  };
  const ofReset = await told(reset);
  t.match(ofReset, { resource: { typeId: 'customer-password-token', id: reset.id }, sequenceNumber: 1 });
  t.strictSame(toldIn(ofReset), {
    type: 'CustomerPasswordTokenCreated',
    customerId: id,
    expiresAt: reset['expiresAt'],
    value: reset['value'],
    invalidateOlderTokens: false,
  });
  const ofVerification = await told(verification);
  t.match(ofVerification, { resource: { typeId: 'customer-email-token', id: verification.id }, sequenceNumber: 1 });
  t.strictSame(
    toldIn(ofVerification),
    {
      type: 'CustomerEmailTokenCreated',
      customerId: id,
      expiresAt: verification['expiresAt'],
      invalidateOlderTokens: true,
    },
    'the value of a token that lasts is not told',
  );
});

t.test('who changes what is theirs tells it as well', async (t) => {
  const platform = await keeping(t);
  const { request } = platform;

  const token = await shopperToken(platform, { shopper: 'customer', email: 'other@example.org' });
  const headers = { authorization: `Bearer ${token}` };
  const me = (await request('GET', '/me', undefined, headers)).body as Document;
  const actions = [
    { action: 'setFirstName', firstName: 'Jane' },
    { action: 'addAddress', address: { country: 'DE' } },
  ];
  t.equal((await request('POST', '/me', { version: me.version, actions }, headers)).status, 200);
  const all = await messagesOf(platform, me.id);
  t.match(all, [
    { type: 'CustomerCreated' },
    { type: 'CustomerFirstNameSet', createdBy: { customer: { typeId: 'customer', id: me.id } } },
    { type: 'CustomerAddressAdded' },
  ]);
});

t.test('erasure takes the messages of a customer away, and tells nothing itself', async (t) => {
  const platform = await keeping(t);
  const { request } = platform;
  const [erased, other] = [
    await customerOf(t, platform),
    await customerOf(t, platform, { email: 'other@example.org' }),
  ];
  await erased.tells({ action: 'setFirstName', firstName: 'Jane' });
  const tokens = await Promise.all(
    [
      { id: erased.id, email: 'jane@example.org' },
      { id: other.id, email: 'other@example.org' },
    ].map(async ({ id, email }) => {
      const [reset, verification] = await Promise.all([
        request('POST', '/customers/password-token', { email, ttlMinutes: 60 }),
        request('POST', '/customers/email-token', { id, ttlMinutes: 60 }),
      ]);
      return [String(reset.body['id']), String(verification.body['id'])];
    }),
  );
  const ofTokens = async (ids: readonly string[]): Promise<number> =>
    (await Promise.all(ids.map((id) => messagesOf(platform, id)))).flat().length;
  t.equal((await request('DELETE', `/customers/${erased.id}?version=1&dataErasure=true`)).status, 409);
  t.equal((await messagesOf(platform, erased.id)).length, 2, 'what is refused takes nothing away');
  t.strictSame(await erased.deleted('&dataErasure=true'), []);
  t.strictSame(await messagesOf(platform, erased.id), []);
  t.equal((await messagesOf(platform, other.id)).length, 1);
  t.strictSame(await Promise.all(tokens.map(ofTokens)), [0, 2], 'those of tokens go with whose they are');

  const query = `mutation { deleteCustomer(id: "${other.id}", version: 1, personalDataErasure: true) { id } }`;
  t.strictSame((await request('POST', '/graphql', { query })).body, { data: { deleteCustomer: { id: other.id } } });
  t.strictSame(await messagesOf(platform, other.id), []);
});
