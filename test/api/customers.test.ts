import { pino } from 'pino';
import t, { type Test } from 'tap';
import { startHttp } from '../../src/app.ts';
import { type Answer, type Platform, send, startPlatform, startProject } from '../support/platform.ts';
import { session, sessionHeaders } from '../support/shoppers.ts';

const password = 'secret-pass-1';
const newPassword = 'another-pass-2';
const errorOf = (code: string, status = 400): object => ({ status, body: { errors: [{ code }] } });

type Customer = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

async function signUp(platform: Platform, draft: object): Promise<Customer> {
  const { status, body, text } = await platform.request('POST', '/customers', { password, ...draft });
  if (status !== 201) throw new Error(text);
  return body['customer'] as Customer;
}

function headersOf(platform: Platform, email: string, secret = password): Promise<{ authorization: string }> {
  return sessionHeaders(platform, { grant_type: 'password', username: email, password: secret });
}

t.test('customers sign up and in with the public client, and their passwords are never given', async (t) => {
  const platform = await startPlatform(t);
  const { api, sql } = platform;
  const email = 'Jane.Doe@example.org';
  const created = await api.customers().post({ body: { email, password } }).execute();
  t.equal(created.statusCode, 201);
  const { customer } = created.body;
  t.match(customer, { email, version: 1, isEmailVerified: false, authenticationMode: 'Password', stores: [] });
  t.match(customer.password, /^\*{4}.{4}$/);
  const [row] = await sql<{ text: string; hash: string }[]>`
    select data::text as text, secrets ->> 'passwordHash' as hash from documents where kind = 'customer'`;
  t.match(row?.hash, /^scrypt\$/);
  t.notOk(row?.text.includes(password) === true || row?.text.includes('scrypt') === true);
  const signedIn = await api
    .login()
    .post({ body: { email: email.toUpperCase(), password } })
    .execute();
  t.strictSame([signedIn.statusCode, signedIn.body.customer], [200, customer], 'whatever case the address has');
  for (const body of [
    { email, password: newPassword },
    { email: 'nobody', password },
  ])
    t.match(await platform.request('POST', '/login', body), errorOf('InvalidCredentials'));
  t.match(await platform.request('POST', '/customers', { email: email.toLowerCase(), password }), {
    status: 400,
    body: { errors: [{ code: 'DuplicateField', field: 'email' }] },
  });
});

t.test('a customer of a store has an account there, apart from that of the project', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  for (const key of ['north', 'south']) await request('POST', '/stores', { key });
  const email = 'jane@example.org';
  const everywhere = await signUp(platform, { email });
  const north = await request('POST', '/in-store/key=north/customers', { email, password: newPassword });
  t.match(north, { status: 201, body: { customer: { stores: [{ typeId: 'store', key: 'north' }] } } });
  const { id } = north.body['customer'] as Customer;
  t.match(await request('POST', '/in-store/key=north/customers', { email, password }), errorOf('DuplicateField'));
  t.match(await request('POST', '/in-store/key=north/login', { email, password }), errorOf('InvalidCredentials'));
  t.match(await request('POST', '/in-store/key=north/login', { email, password: newPassword }), {
    status: 200,
    body: { customer: { id } },
  });
  t.match(await request('POST', '/login', { email, password }), { body: { customer: { id: everywhere.id } } });
  t.equal((await request('GET', `/in-store/key=north/customers/${everywhere.id}`)).status, 404);
  const moved = await request('POST', `/customers/${everywhere.id}`, {
    version: 1,
    actions: [{ action: 'addStore', store: { typeId: 'store', key: 'north' } }],
  });
  t.match(moved, errorOf('DuplicateField'), 'the store has this address already');
  const reset = { id: everywhere.id, version: 1, currentPassword: password, newPassword };
  t.match(await request('POST', '/in-store/key=south/customers/password', reset), errorOf('ResourceNotFound', 404));
});

t.test('passwords need a letter, a digit and eight characters, unless the project is content with less', async (t) => {
  const { request } = await startProject();
  const create = (weak: string) => request('POST', '/customers', { email: `c${weak}@example.org`, password: weak });
  for (const weak of ['', 'short1', 'lettersonly', '12345678']) t.match(await create(weak), errorOf('WeakPassword'));
  const { body } = await request('GET', '');
  const update = (passwordPolicy: string, version: unknown) =>
    request('POST', '', { version, actions: [{ action: 'changePasswordPolicy', passwordPolicy }] });
  const relaxed = await update('Relaxed', body['version']);
  t.match(relaxed, { status: 200, body: { customers: { passwordPolicy: 'Relaxed' } } });
  t.equal((await create('p')).status, 201);
  t.match(await create(''), errorOf('WeakPassword'));
  await update('Strict', relaxed.body['version']);
  t.match(await create('q'), errorOf('WeakPassword'));
});

t.test('who signs in elsewhere has no password, until it is given one', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const email = 'jane@example.org';
  t.match(await request('POST', '/customers', { email }), {
    status: 400,
    body: { errors: [{ code: 'RequiredField', field: 'password' }] },
  });
  const { body } = await request('POST', '/customers', { email, password, authenticationMode: 'ExternalAuth' });
  const { id, ...customer } = body['customer'] as Customer;
  t.notOk('password' in customer);
  t.match(await request('POST', '/login', { email, password }), errorOf('InvalidCredentials'));
  t.match(await request('POST', '/customers/password-token', { email }), errorOf('InvalidOperation'));
  const set = (version: number, ...modes: object[]) =>
    request('POST', `/customers/${id}`, {
      version,
      actions: modes.map((mode) => ({ action: 'setAuthenticationMode', ...mode })),
    });
  t.match(await set(1, { authMode: 'Password' }), errorOf('RequiredField'));
  t.match(await set(1, { authMode: 'Password', password: 'weak' }), errorOf('WeakPassword'));
  const given = { authMode: 'Password', password };
  t.match(await set(1, given, given), errorOf('InvalidInput'), 'one password at a time');
  t.match(await set(1, given), { status: 200, body: { version: 2, authenticationMode: 'Password' } });
  const headers = await headersOf(platform, email);
  t.equal((await request('GET', '/me', undefined, headers)).status, 200);
  t.equal((await set(2, { authMode: 'ExternalAuth' })).status, 200);
  t.equal((await request('GET', '/me', undefined, headers)).status, 401, 'the session of the password has ended');
  t.match(await request('POST', '/login', { email, password }), errorOf('InvalidCredentials'));
});

t.test('addresses have ids of their own, and are named by them', async (t) => {
  const { request } = await startProject();
  const draft = (members: object) => request('POST', '/customers', { email: 'jane@example.org', password, ...members });
  const [home, work] = [
    { key: 'home', country: 'DE', id: 'mine' },
    { key: 'work', country: 'FR' },
  ];
  t.match(await draft({ addresses: [home], defaultShippingAddress: 1 }), {
    status: 400,
    body: { errors: [{ code: 'InvalidField', field: 'defaultShippingAddress', invalidValue: 1 }] },
  });
  t.match(await draft({ addresses: [home, home] }), errorOf('DuplicateField'));
  const { body } = await draft({ addresses: [home, work], defaultShippingAddress: 1, billingAddresses: [0] });
  const customer = body['customer'] as Customer & { addresses: { id: string }[] };
  const [first, second] = customer.addresses.map(({ id }) => id);
  t.not(first, 'mine');
  t.match(customer, {
    defaultShippingAddressId: second,
    shippingAddressIds: [second],
    billingAddressIds: [first],
  });
  let version = 1;
  const apply = async (...actions: object[]): Promise<Answer> => {
    const answer = await request('POST', `/customers/${customer.id}`, { version, actions });
    if (answer.status === 200) version = Number(answer.body['version']);
    return answer;
  };
  const removed = await apply({ action: 'removeAddress', addressKey: 'work' });
  t.match(removed.body, { addresses: [{ id: first }], shippingAddressIds: [], billingAddressIds: [first] });
  t.notOk('defaultShippingAddressId' in removed.body, 'a default goes with its address');
  t.match(await apply({ action: 'setDefaultShippingAddress', addressId: second }), errorOf('InvalidOperation'));
  t.match(await apply({ action: 'removeShippingAddressId', addressId: first }), errorOf('InvalidOperation'));
  const changed = await apply(
    { action: 'changeAddress', addressId: first, address: { ...home, country: 'IT' } },
    { action: 'addAddress', address: { ...work, id: first } },
    { action: 'setDefaultBillingAddress', addressKey: 'work' },
  );
  const [one, other] = changed.body['addresses'] as { id: string; country: string }[];
  t.match(one, { id: first, country: 'IT' });
  t.not(other?.id, first);
  t.match(changed.body, { defaultBillingAddressId: other?.id, billingAddressIds: [first, other?.id] });
  t.match(await apply({ action: 'addAddress', address: home }), errorOf('DuplicateField'));
});

t.test('a customer number is set once, and is one customer’s', async (t) => {
  const platform = await startPlatform(t);
  const { id } = await signUp(platform, { email: 'jane@example.org' });
  await signUp(platform, { email: 'joe@example.org', customerNumber: 'C2' });
  const set = (version: number, customerNumber?: string) =>
    platform.request('POST', `/customers/${id}`, {
      version,
      actions: [{ action: 'setCustomerNumber', customerNumber }],
    });
  t.match(await set(1, 'C2'), { status: 400, body: { errors: [{ code: 'DuplicateField', field: 'customerNumber' }] } });
  t.match(await set(1, 'C1'), { status: 200, body: { customerNumber: 'C1' } });
  t.match(await set(2, 'C3'), errorOf('InvalidOperation'));
  t.match(await set(2), errorOf('InvalidOperation'));
});

/** Both servers know the token, so that neither asks the database anew. */
async function warm(t: Test, requests: readonly (() => Promise<Answer>)[]): Promise<void> {
  for (const request of requests) t.equal((await request()).status, 200);
}

t.test('sessions end on every server with the next request when a password changes or a customer goes', async (t) => {
  const platform = await startProject();
  const { api, config, projectKey, request } = platform;
  const other = await startHttp(config, pino({ level: 'silent' }));
  t.teardown(() => other.close());
  const email = 'jane@example.org';
  const customer = await signUp(platform, { email });
  const reads = (headers: { authorization: string }) =>
    [platform.baseUrl, `http://127.0.0.1:${other.port}`].map(
      (baseUrl) => () => send({ baseUrl, method: 'GET', path: `/${projectKey}/me`, headers }),
    );
  const areOut = async (headers: { authorization: string }, why: string): Promise<void> => {
    for (const read of reads(headers)) t.match(await read(), errorOf('invalid_token', 401), why);
  };
  const first = await headersOf(platform, email);
  await warm(t, reads(first));
  const change = { id: customer.id, version: 1, currentPassword: password, newPassword };
  t.match(
    await request('POST', '/customers/password', { ...change, currentPassword: 'wrong' }),
    errorOf('InvalidCurrentPassword'),
  );
  t.match(await request('POST', '/customers/password', { ...change, version: 7 }), {
    status: 409,
    body: { errors: [{ code: 'ConcurrentModification', currentVersion: 1 }] },
  });
  await warm(t, reads(first));
  const changed = await api.customers().password().post({ body: change }).execute();
  t.equal(changed.body.version, 2);
  t.not(changed.body.password, customer['password'], 'the mask shows that it is another one');
  await areOut(first, 'changed');
  t.match(await request('POST', '/login', { email, password }), errorOf('InvalidCredentials'));

  const second = await headersOf(platform, email, newPassword);
  await warm(t, reads(second));
  const token = await api.customers().passwordToken().post({ body: { email } }).execute();
  const reset = { tokenValue: token.body.value, newPassword: password };
  t.equal((await api.customers().passwordReset().post({ body: reset }).execute()).body.version, 3);
  await areOut(second, 'reset');

  const third = await headersOf(platform, email);
  await warm(t, reads(third));
  t.equal((await request('DELETE', `/customers/${customer.id}?version=3&dataErasure=true`)).status, 200);
  await areOut(third, 'deleted');
  t.match(await session(platform, { grant_type: 'password', username: email, password }), { status: 400 });
});

t.test('a token is stored as a hash, used once, and ends with what it was made for', async (t) => {
  const platform = await startPlatform(t);
  const { api, request, sql } = platform;
  const email = 'jane@example.org';
  const { id } = await signUp(platform, { email });
  const passwordToken = async (more = {}): Promise<string> =>
    (
      await api
        .customers()
        .passwordToken()
        .post({ body: { email, ...more } })
        .execute()
    ).body.value;
  const emailToken = async (): Promise<string> =>
    (
      await api
        .customers()
        .emailToken()
        .post({ body: { id, ttlMinutes: 5 } })
        .execute()
    ).body.value;
  const made = await api
    .customers()
    .emailToken()
    .post({ body: { id, ttlMinutes: 5 } })
    .execute();
  t.match(made.body, { customerId: id, value: /^[\w-]{43}$/, invalidateOlderTokens: false });
  t.equal(Date.parse(made.body.expiresAt) - Date.parse(made.body.createdAt), 5 * 60_000);
  const stored = await sql<{ text: string }[]>`select row_to_json(account_tokens)::text as text from account_tokens`;
  t.equal(stored.length, 1);
  t.notOk(stored[0]?.text.includes(Buffer.from(made.body.value).toString('hex')));
  t.match(await request('POST', '/customers/email-token', { id, ttlMinutes: 5, version: 9 }), { status: 409 });

  const found = await api.customers().withEmailToken({ emailToken: made.body.value }).get().execute();
  t.equal(found.body.id, id);
  t.equal(
    (await request('GET', `/customers/password-token=${made.body.value}`)).status,
    404,
    'not for another purpose',
  );
  t.equal((await request('POST', '/customers/email/confirm', { tokenValue: made.body.value, version: 9 })).status, 409);
  const confirm = { tokenValue: made.body.value, version: 1 };
  const confirmed = await api.customers().emailConfirm().post({ body: confirm }).execute();
  t.match(confirmed.body, { version: 2, isEmailVerified: true });
  t.match(await request('POST', '/customers/email/confirm', { tokenValue: made.body.value }), { status: 404 });
  t.equal((await request('GET', `/customers/email-token=${made.body.value}`)).status, 404);

  const stale = await emailToken();
  const moved = [{ action: 'changeEmail', email: 'j@example.org' }];
  t.match(await request('POST', `/customers/${id}`, { version: 2, actions: moved }), {
    body: { isEmailVerified: false },
  });
  t.equal((await request('POST', '/customers/email/confirm', { tokenValue: stale })).status, 404, 'another address');
  const back = [{ action: 'changeEmail', email }];
  await request('POST', `/customers/${id}`, { version: 3, actions: back });

  const [older, newer] = [await passwordToken(), await passwordToken()];
  t.equal((await request('GET', `/customers/password-token=${older}`)).status, 200);
  t.equal((await request('HEAD', `/customers/password-token=${older}`)).status, 200);
  const last = await passwordToken({ invalidateOlderTokens: true });
  for (const ended of [older, newer]) t.equal((await request('GET', `/customers/password-token=${ended}`)).status, 404);
  const reset = (tokenValue: string) => request('POST', '/customers/password/reset', { tokenValue, newPassword });
  const answers = await Promise.all([reset(last), reset(last), reset(last)]);
  t.equal(answers.filter(({ status }) => status === 200).length, 1, 'of many uses at once one counts');

  const expired = await passwordToken();
  await sql`update account_tokens set expires_at = now() - interval '1 minute'`;
  t.match(await reset(expired), errorOf('ExpiredCustomerPasswordToken'));
  t.match(await request('GET', `/customers/password-token=${expired}`), errorOf('ExpiredCustomerPasswordToken'));
  t.match(await request('POST', '/customers/password-token', { email: 'nobody' }), errorOf('ResourceNotFound', 404));
  for (const ttlMinutes of [0, 43_201])
    t.match(await request('POST', '/customers/email-token', { id, ttlMinutes }), errorOf('InvalidField'));
});

t.test('shoppers have themselves below /me, with what they may change', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const email = 'jane@example.org';
  const { id } = await signUp(platform, { email });
  const visitor = await sessionHeaders(platform, { grant_type: 'client_credentials' }, 'anonymous');
  t.match(await request('GET', '/me', undefined, visitor), errorOf('insufficient_scope', 403));
  const joined = await request('POST', '/me/signup', { email: 'joe@example.org', password }, visitor);
  t.match(joined, { status: 201, body: { customer: { isEmailVerified: false, shippingAddressIds: [] } } });
  t.match(await request('POST', '/me/signup', { email: 'x@example.org', password: 'weak' }, visitor), {
    status: 400,
    body: { errors: [{ code: 'WeakPassword' }] },
  });
  const tricky = { email: 'x@example.org', password, isEmailVerified: true, customerNumber: 'C1' };
  const plain = await request('POST', '/me/signup', tricky, visitor);
  t.match(plain, { status: 201, body: { customer: { isEmailVerified: false, customerNumber: undefined } } });
  t.match(await request('POST', '/me/login', { email, password }, visitor), {
    status: 200,
    body: { customer: { id } },
  });

  const headers = await headersOf(platform, email);
  const me = await request('GET', '/me', undefined, headers);
  t.match(me, { status: 200, body: { id, email } });
  t.match(await request('HEAD', '/me', undefined, headers), { status: 200, text: '' });
  const named = { version: 1, actions: [{ action: 'setFirstName', firstName: 'Jane' }] };
  t.match(await request('POST', '/me', named, headers), {
    status: 200,
    body: { version: 2, firstName: 'Jane', lastModifiedBy: { customer: { typeId: 'customer', id } } },
  });
  const groups = { version: 2, actions: [{ action: 'setCustomerGroup' }] };
  t.match(await request('POST', '/me', groups, headers), errorOf('InvalidInput'), 'groups are not theirs to choose');
  const { body: token } = await request('POST', '/customers/email-token', { id, ttlMinutes: 1 });
  const others = await headersOf(platform, 'joe@example.org');
  const confirm = { tokenValue: token['value'] };
  t.equal((await request('POST', '/me/email/confirm', confirm, others)).status, 404, 'a token of another customer');
  t.match(await request('POST', '/me/email/confirm', confirm, headers), { body: { isEmailVerified: true } });
  const { body: resetToken } = await request('POST', '/customers/password-token', { email });
  const reset = { tokenValue: resetToken['value'], newPassword };
  t.equal((await request('POST', '/me/password/reset', reset, others)).status, 404);
  t.match(await request('POST', '/me/password/reset', reset, headers), { status: 200, body: { version: 4 } });
  const again = await headersOf(platform, email, newPassword);
  const change = { version: 4, currentPassword: newPassword, newPassword: password };
  t.match(await request('POST', '/me/password', change, again), { status: 200, body: { version: 5 } });
  const last = await headersOf(platform, email);
  t.equal((await request('DELETE', '/me?version=5', undefined, last)).status, 200);
  t.equal((await request('GET', '/me', undefined, last)).status, 401);
  t.equal((await request('GET', `/customers/${id}`)).status, 404);
});

t.test('GraphQL signs in, changes and resets passwords and confirms addresses like REST', async (t) => {
  const platform = await startProject();
  const { request, tokenWith, projectKey } = platform;
  const email = 'jane@example.org';
  const { id } = await signUp(platform, { email });
  const mutate = async (query: string, headers = {}): Promise<Answer> =>
    request('POST', '/graphql', { query: `mutation { ${query} }` }, headers);
  const signIn = (secret: string) =>
    `customerSignIn(draft: { email: "${email}", password: "${secret}" }) { customer { id email } }`;
  t.match(await mutate(signIn(password)), { body: { data: { customerSignIn: { customer: { id, email } } } } });
  t.match(await mutate(signIn('wrong')), { body: { errors: [{ extensions: { code: 'InvalidCredentials' } }] } });
  const viewer = { authorization: `Bearer ${await tokenWith([`view_customers:${projectKey}`])}` };
  t.equal((await mutate(signIn(password), viewer)).status, 403);
  const changed = await mutate(
    `customerChangePassword(id: "${id}", version: 1, currentPassword: "${password}", newPassword: "${newPassword}") { version }`,
  );
  t.match(changed.body, { data: { customerChangePassword: { version: 2 } } });
  const { body: reset } = await request('POST', '/customers/password-token', { email });
  const restored = await mutate(
    `customerResetPassword(tokenValue: "${String(reset['value'])}", newPassword: "${password}") { version }`,
  );
  t.match(restored.body, { data: { customerResetPassword: { version: 3 } } });
  const { body: token } = await request('POST', '/customers/email-token', { id, ttlMinutes: 1 });
  const confirmed = await mutate(`customerConfirmEmail(tokenValue: "${String(token['value'])}") { isEmailVerified }`);
  t.match(confirmed.body, { data: { customerConfirmEmail: { isEmailVerified: true } } });
});
