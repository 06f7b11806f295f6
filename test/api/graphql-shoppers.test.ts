import t, { type Test } from 'tap';
import type { Shopper } from '../../src/engine/context.ts';
import { type Answer, type Platform, startPlatform } from '../support/platform.ts';
import { shopperPassword, shopperToken } from '../support/shoppers.ts';

type Headers = Readonly<Record<string, string>>;

interface Shop extends Platform {
  ask(query: string, headers?: Headers, variables?: object): Promise<Answer>;
  /** The headers of a shopper who may do no more than shoppers do with themselves. */
  as(shopper: Shopper, session?: { readonly email?: string; readonly storeKey?: string }): Promise<Headers>;
}

async function start(t: Test): Promise<Shop> {
  const platform = await startPlatform(t);
  const { projectKey } = platform;
  return {
    ...platform,
    ask: (query, headers, variables = {}) => platform.request('POST', '/graphql', { query, variables }, headers),
    as: async (shopper, { storeKey, ...session } = {}) => {
      const scope = `manage_my_profile:${projectKey}`;
      const token = await shopperToken(platform, { shopper, storeKey, scope, ...session });
      return { authorization: `Bearer ${token}` };
    },
  };
}

const failed = (code: string, status = 200): object => ({ status, body: { errors: [{ extensions: { code } }] } });
const forbidden = failed('insufficient_scope', 403);

/** What the field gave. */
function given({ body, text }: Answer, field: string): Record<string, unknown> {
  const data = body['data'] as Record<string, Record<string, unknown>> | undefined;
  if (data?.[field] === undefined || data[field] === null) throw new Error(text);
  return data[field];
}

t.test('me is the customer whose token it is, nobody for a visitor, and refused to clients', async (t) => {
  const { ask, as, request, projectKey, tokenWith } = await start(t);
  const jane = await as('customer', { email: 'jane@example.org' });
  const { body: rest } = await request('GET', '/me', undefined, jane);
  const me = '{ me { customer { id version email addresses { id } } } }';
  t.strictSame((await ask(me, jane)).body, {
    data: { me: { customer: { id: rest['id'], version: 1, email: 'jane@example.org', addresses: [] } } },
  });
  t.strictSame((await ask(me, await as('anonymous'))).body, { data: { me: { customer: null } } });
  t.match(await ask(me), forbidden, 'all scopes do not make a client a shopper');
  const bearer = async (...scopes: readonly string[]) => ({ authorization: `Bearer ${await tokenWith(scopes)}` });
  const own = `customer_id:${String(rest['id'])}`;
  t.match(await ask(me, await bearer(own, `manage_my_orders:${projectKey}`)), forbidden, 'another scope of shoppers');
  t.match(await ask(me, await bearer(own, `manage_my_profile:${projectKey}:north`)), forbidden, 'a scope of a store');
  t.match(await ask(me, await bearer(`manage_my_profile:${projectKey}`)), forbidden, 'the scope without the shopper');
  t.match(await ask('{ me { __typename } }', await bearer(`view_customers:${projectKey}`)), forbidden);
  t.match(await ask('{ customers { total } }', jane), forbidden, 'a customer does not see the others');
  const twofold = await ask('{ zone { id } me { customer { id } } }');
  t.match(twofold, {
    ...forbidden,
    body: { message: /scope/, errors: [{}, { extensions: { code: 'InvalidInput' } }] },
  });
  const others = Array.from({ length: 120 }, (_, index) => `z${index}: zone { id }`).join(' ');
  t.match(await ask(`{ ${others} me { customer { id } } }`), { ...forbidden, body: { message: /scope/ } });
  const group = '{ me { customer { customerGroup { id } stores { key } } } }';
  t.match(await ask(group, jane), { status: 200, body: { data: { me: { customer: { customerGroup: null } } } } });
});

t.test('one text, asked by two customers in turn, gives each what is theirs, also where it is kept', async (t) => {
  const { ask, as, sql, projectKey } = await start(t);
  const shoppers = await Promise.all(
    ['jane', 'joe'].map(async (name) => {
      const email = `${name}@example.org`;
      return { email, headers: await as('customer', { email }) };
    }),
  );
  const visitor = await as('anonymous');
  const query = 'query Own($with: Boolean!) { me { customer { email lastName @include(if: $with) } } }';
  const answersAre = async (lastName: string | null, what: string): Promise<void> => {
    for (const { email, headers } of shoppers) {
      const { body } = await ask(query, headers, { with: true });
      t.strictSame(body, { data: { me: { customer: { email, lastName } } } }, `${what}: ${email}`);
    }
    t.strictSame((await ask(query, visitor, { with: true })).body, { data: { me: { customer: null } } }, what);
  };
  for (const what of ['interpreted', 'compiled', 'kept']) await answersAre(null, what);
  await sql`update documents set data = data || '{"lastName":"Unheard"}'
    where project = ${projectKey} and kind = 'customer'`;
  await answersAre(null, 'a change that nobody logged shows that the answers were kept');
  const [jane] = shoppers;
  const rename =
    'mutation { updateMyCustomer(version: 1, actions: [{ setLastName: { lastName: "Doe" } }]) { email version } }';
  t.match(await ask(rename, jane!.headers), {
    body: { data: { updateMyCustomer: { email: jane!.email, version: 2 } } },
  });
  const [hers, his] = await Promise.all(shoppers.map(({ headers }) => ask(query, headers, { with: true })));
  t.match(hers, { body: { data: { me: { customer: { lastName: 'Doe' } } } } }, 'her change is hers');
  t.match(his, { body: { data: { me: { customer: { email: 'joe@example.org', lastName: null } } } } });
});

t.test('customers change and delete themselves, with their own actions alone', async (t) => {
  const { ask, as, request } = await start(t);
  const jane = await as('customer', { email: 'jane@example.org' });
  const joe = await as('customer', { email: 'joe@example.org' });
  const { body: rest } = await request('GET', '/me', undefined, jane);
  const update = (version: number, actions: string, headers: Headers) =>
    ask(`mutation { updateMyCustomer(version: ${version}, actions: [${actions}]) { id version firstName } }`, headers);
  t.match(await update(1, '{ setFirstName: { firstName: "Jane" } }', jane), {
    status: 200,
    body: { data: { updateMyCustomer: { id: rest['id'], version: 2, firstName: 'Jane' } } },
  });
  t.match(await update(1, '{ setFirstName: { firstName: "J" } }', jane), {
    body: {
      errors: [{ path: ['updateMyCustomer'], extensions: { code: 'ConcurrentModification', currentVersion: 2 } }],
    },
  });
  t.match(
    await update(2, '{ setCustomerGroup: {} }', jane),
    failed('InvalidInput', 400),
    'groups are not theirs to choose',
  );
  const address = 'address: { country: "DE", streetName: "High Street" }';
  const moved = await ask(
    `mutation { updateMyCustomer(version: 2, actions: [{ addAddress: { ${address} } }]) { addresses { country } } }`,
    jane,
  );
  t.match(moved.body, { data: { updateMyCustomer: { addresses: [{ country: 'DE' }] } } });
  for (const headers of [await as('anonymous'), undefined])
    t.match(await ask('mutation { deleteMyCustomer(version: 3) { id } }', headers), forbidden);
  t.match(await ask('mutation { deleteMyCustomer(version: 1) { id } }', jane), failed('ConcurrentModification'));
  const removed = await ask(
    'mutation { deleteMyCustomer(version: 3, personalDataErasure: true) { id version } }',
    jane,
  );
  t.match(removed.body, { data: { deleteMyCustomer: { id: rest['id'], version: 3 } } });
  t.equal((await ask('{ me { customer { id } } }', jane)).status, 401, 'the session has ended');
  t.match(await ask('{ me { customer { email } } }', joe), {
    body: { data: { me: { customer: { email: 'joe@example.org' } } } },
  });
});

t.test('visitors, customers and clients sign up and in', async (t) => {
  const { ask, as, request } = await start(t);
  const visitor = await as('anonymous');
  const draft = {
    email: 'jane@example.org',
    password: shopperPassword,
    key: 'jane',
    addresses: [{ country: 'DE' }, { country: 'FR' }],
    defaultShippingAddress: 1,
    billingAddresses: [0],
  };
  const signUp = 'mutation ($draft: CustomerSignMeUpDraft!) { customerSignMeUp(draft: $draft) { customer { id } } }';
  const joined = await ask(signUp, visitor, { draft });
  const { id } = given(joined, 'customerSignMeUp')['customer'] as { id: string };
  const { body: made } = await request('GET', `/customers/${id}`);
  const [home, work] = (made['addresses'] as { id: string }[]).map((address) => address.id);
  t.match(made, { key: 'jane', defaultShippingAddressId: work, billingAddressIds: [home], isEmailVerified: false });
  t.match(await ask(signUp, visitor, { draft }), failed('DuplicateField'));
  t.match(await ask(signUp, visitor, { draft: { email: 'x@example.org', password: 'weak' } }), failed('WeakPassword'));
  t.match(await ask(signUp, visitor, { draft: { ...draft, isEmailVerified: true } }), failed('InvalidInput', 400));

  const signIn = 'mutation ($draft: CustomerSignMeInDraft!) { customerSignMeIn(draft: $draft) { customer { id } } }';
  const credentials = { email: 'JANE@example.org', password: shopperPassword };
  t.match(await ask(signIn, visitor, { draft: credentials }), {
    body: { data: { customerSignMeIn: { customer: { id } } } },
  });
  t.match(await ask(signIn, visitor, { draft: { ...credentials, password: 'wrong' } }), failed('InvalidCredentials'));
  const jane = await as('customer', { email: 'jane@example.org' });
  for (const [name, headers] of [
    ['joe', jane],
    ['kim', undefined],
  ] as const) {
    given(await ask(signIn, headers, { draft: credentials }), 'customerSignMeIn');
    given(
      await ask(signUp, headers, { draft: { ...draft, email: `${name}@example.org`, key: name } }),
      'customerSignMeUp',
    );
  }
});

t.test(
  'customers change and reset their passwords and confirm their addresses, each with their own token',
  async (t) => {
    const { ask, as, request, projectKey, tokenWith } = await start(t);
    const email = 'jane@example.org';
    const jane = await as('customer', { email });
    const joe = await as('customer', { email: 'joe@example.org' });
    const { body: rest } = await request('GET', '/me', undefined, jane);
    const id = String(rest['id']);
    const fields =
      '{ id version customerId value expiresAt invalidateOlderTokens createdAt lastModifiedAt createdBy { clientId } }';
    const emailToken = `mutation { customerCreateEmailVerificationToken(id: "${id}", ttlMinutes: 5) ${fields} }`;
    const verification = given(await ask(emailToken), 'customerCreateEmailVerificationToken');
    t.match(verification, { version: 1, customerId: id, value: /^[\w-]{43}$/, invalidateOlderTokens: false });
    t.equal(Date.parse(String(verification['expiresAt'])) - Date.parse(String(verification['createdAt'])), 5 * 60_000);
    const confirm = `mutation { customerConfirmMyEmail(tokenValue: "${String(verification['value'])}") { id isEmailVerified } }`;
    t.match(await ask(confirm, joe), failed('ResourceNotFound'), 'a token of another customer');
    t.match(await ask(confirm), forbidden);
    t.match(await ask(confirm, jane), { body: { data: { customerConfirmMyEmail: { id, isEmailVerified: true } } } });
    t.match(await ask(confirm, jane), failed('ResourceNotFound'), 'a token is used once');

    const change = (current: string, headers?: Headers) =>
      ask(
        `mutation { customerChangeMyPassword(version: 2, currentPassword: "${current}", newPassword: "another-pass-2") { id version } }`,
        headers,
      );
    t.match(await change(shopperPassword), forbidden);
    t.match(await change('wrong', jane), failed('InvalidCurrentPassword'));
    t.match(await change(shopperPassword, jane), { body: { data: { customerChangeMyPassword: { id, version: 3 } } } });
    t.equal((await change('another-pass-2', jane)).status, 401, 'the session of the old password has ended');

    const passwordToken = (more = '') =>
      ask(`mutation { customerCreatePasswordResetToken(email: "${email}"${more}) ${fields} }`);
    const older = given(await passwordToken(), 'customerCreatePasswordResetToken');
    t.equal(Date.parse(String(older['expiresAt'])) - Date.parse(String(older['createdAt'])), 24 * 60 * 60_000);
    const last = given(await passwordToken(', invalidateOlderTokens: true'), 'customerCreatePasswordResetToken');
    const again = {
      authorization: `Bearer ${await tokenWith([`customer_id:${id}`, `manage_my_profile:${projectKey}`])}`,
    };
    const reset = (value: unknown, headers?: Headers) =>
      ask(
        `mutation { customerResetMyPassword(tokenValue: "${String(value)}", newPassword: "${shopperPassword}") { id version } }`,
        headers,
      );
    t.match(await reset(older['value'], again), failed('ResourceNotFound'));
    t.match(await reset(last['value'], joe), failed('ResourceNotFound'), 'a token of another customer');
    t.match(await reset(last['value']), forbidden);
    t.match(await reset(last['value'], again), { body: { data: { customerResetMyPassword: { id, version: 4 } } } });
    const viewer = { authorization: `Bearer ${await tokenWith([`view_customers:${projectKey}`])}` };
    for (const headers of [jane, viewer]) {
      const { status } = await ask(emailToken, headers);
      t.ok(status === 401 || status === 403, 'tokens are the shop’s to make');
    }
    t.match(
      await ask('mutation { customerCreatePasswordResetToken(email: "nobody") { id } }'),
      failed('ResourceNotFound'),
    );
  },
);

t.test('a customer is found by a token, anew each time', async (t) => {
  const { ask, as, request, sql, projectKey, tokenWith } = await start(t);
  const email = 'jane@example.org';
  const jane = await as('customer', { email });
  const { body: rest } = await request('GET', '/me', undefined, jane);
  const id = String(rest['id']);
  const { body: forEmail } = await request('POST', '/customers/email-token', { id, ttlMinutes: 5 });
  const { body: forPassword } = await request('POST', '/customers/password-token', { email });
  const find =
    'query ($id: String, $mail: String, $secret: String) { customer(id: $id, emailToken: $mail, passwordToken: $secret) { id } }';
  const viewer = { authorization: `Bearer ${await tokenWith([`view_customers:${projectKey}`])}` };
  const found = { status: 200, body: { data: { customer: { id } } } };
  t.match(await ask(find, viewer, { mail: forEmail['value'] }), found);
  t.match(await ask(find, viewer, { secret: forPassword['value'] }), found);
  t.match(await ask(find, viewer, { id, mail: 'unknown' }), found, 'an id says it all');
  for (const variables of [{ mail: forPassword['value'] }, { secret: forEmail['value'] }, { mail: 'unknown' }])
    t.match(await ask(find, viewer, variables), { status: 200, body: { data: { customer: null } } });
  t.match(await ask(find, viewer, {}), failed('InvalidInput'));
  t.match(await ask(find, jane, { mail: forEmail['value'] }), forbidden);
  await sql`update account_tokens set expires_at = now() - interval '1 minute'`;
  t.match(await ask(find, viewer, { mail: forEmail['value'] }), failed('ExpiredCustomerEmailToken'), 'it is not kept');
  t.match(await ask(find, viewer, { secret: forPassword['value'] }), failed('ExpiredCustomerPasswordToken'));
});

t.test('a store has its own resources and its own shoppers', async (t) => {
  const { ask, as, request, projectKey, tokenWith } = await start(t);
  for (const key of ['north', 'south']) await request('POST', '/stores', { key });
  const email = 'jane@example.org';
  const north = await as('customer', { email, storeKey: 'north' });
  const { body: rest } = await request('GET', '/in-store/key=north/me', undefined, north);
  const id = String(rest['id']);
  await as('customer', { email: 'everywhere@example.org' });
  const one = `query ($store: KeyReferenceInput!, $id: String) {
    inStore(key: $store) { customer(id: $id) { id } customers { total results { email } } }
  }`;
  t.strictSame((await ask(one, undefined, { store: 'north', id })).body, {
    data: { inStore: { customer: { id }, customers: { total: 1, results: [{ email }] } } },
  });
  const empty = { data: { inStore: { customer: null, customers: { total: 0, results: [] } } } };
  t.strictSame((await ask(one, undefined, { store: 'south', id })).body, empty);
  t.strictSame((await ask(one, undefined, { store: { typeId: 'store', key: 'nowhere' }, id })).body, empty);
  const ofNorth = { authorization: `Bearer ${await tokenWith([`view_customers:${projectKey}:north`])}` };
  t.equal((await ask(one, ofNorth, { store: 'north', id })).status, 200);
  t.match(await ask(one, ofNorth, { store: 'south', id }), forbidden);
  t.match(await ask('{ customers { total } }', ofNorth), forbidden);

  const own = 'query ($store: KeyReferenceInput!) { inStore(key: $store) { me { customer { id } } } }';
  t.match(await ask(own, north, { store: 'north' }), { body: { data: { inStore: { me: { customer: { id } } } } } });
  t.match(await ask(own, north, { store: 'south' }), { body: { data: { inStore: { me: { customer: null } } } } });
  t.match(await ask(own, undefined, { store: 'north' }), forbidden);
  const limited = [`customer_id:${id}`, `manage_my_profile:${projectKey}:north`];
  const ofStore = { authorization: `Bearer ${await tokenWith(limited)}` };
  t.match(await ask(own, ofStore, { store: 'north' }), { status: 200 });
  t.match(await ask(own, ofStore, { store: 'south' }), forbidden);
  const rename = (storeKey: string, version: number) =>
    ask(
      `mutation { updateMyCustomer(version: ${version}, storeKey: "${storeKey}", actions: [{ setTitle: { title: "Dr." } }]) { version } }`,
      ofStore,
    );
  t.match(await rename('north', 1), { body: { data: { updateMyCustomer: { version: 2 } } } });
  t.match(await rename('south', 2), forbidden);
  t.match(
    await ask('mutation { updateMyCustomer(version: 2, storeKey: "south", actions: []) { version } }', north),
    failed('ResourceNotFound'),
  );

  const { body: token } = await request('POST', '/in-store/key=north/customers/email-token', { id, ttlMinutes: 5 });
  const byToken = (store: string) =>
    ask(
      'query ($store: KeyReferenceInput!, $mail: String) { inStore(key: $store) { customer(emailToken: $mail) { id } } }',
      undefined,
      {
        store,
        mail: token['value'],
      },
    );
  t.match(await byToken('north'), { body: { data: { inStore: { customer: { id } } } } });
  t.match(await byToken('south'), { body: { data: { inStore: { customer: null } } } });

  const discount = {
    name: { en: 'Ten' },
    cartPredicate: '1=1',
    sortOrder: '0.1',
    value: { type: 'relative', permyriad: 1000 },
    target: { type: 'lineItems', predicate: '1=1' },
  };
  const made = await request('POST', '/in-store/key=north/cart-discounts', { ...discount, key: 'ten' });
  t.equal(made.status, 201, made.text);
  const discounts = (store: string) =>
    ask(`{ inStore(key: "${store}") { cartDiscount(key: "ten") { id } cartDiscounts { count } } }`);
  t.match(await discounts('north'), {
    body: { data: { inStore: { cartDiscount: { id: made.body['id'] }, cartDiscounts: { count: 1 } } } },
  });
  t.match(await discounts('south'), {
    body: { data: { inStore: { cartDiscount: null, cartDiscounts: { count: 0 } } } },
  });
  t.match(await ask('{ inStore(key: "north") { shippingMethodsByCart(id: "none") { id } } }'), failed('InvalidInput'));
  const methods = { authorization: `Bearer ${await tokenWith([`view_shipping_methods:${projectKey}:north`])}` };
  t.match(
    await ask('{ inStore(key: "north") { shippingMethodsByCart(id: "none") { id } } }', methods),
    forbidden,
    'the scope that REST does not take for a store',
  );
});
