import { randomUUID } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import t from 'tap';
import { principalOf } from '../../src/auth/principal.ts';
import type { RequestContext } from '../../src/engine/context.ts';
import type { Engine } from '../../src/engine/resource.ts';
import { documentOf } from '../../src/engine/json.ts';
import { createRegistry } from '../../src/engine/registry.ts';
import type { Query } from '../../src/engine/store.ts';
import { allResources } from '../../src/resources/all.ts';
import { mergedCart, takeOversMax } from '../../src/resources/cart/offers.ts';
import { project } from '../../src/resources/project/resource.ts';
import { type Answer, type Platform, startPlatform, startProject } from '../support/platform.ts';
import { sessionHeaders } from '../support/shoppers.ts';

const password = 'secret-pass-1';
const errorOf = (code: string, status = 400): object => ({ status, body: { errors: [{ code }] } });
const missing = errorOf('ResourceNotFound', 404);

type Headers = Readonly<Record<string, string>>;
type Cart = Readonly<Record<string, unknown>> & { readonly id: string; readonly version: number };

function made({ status, body, text }: Answer): Cart {
  if (status !== 201) throw new Error(text);
  return body as Cart;
}

/** A customer, and the headers of a session of theirs. */
async function customerOf(
  platform: Platform,
  email: string,
  place = '',
): Promise<{ readonly id: string; readonly headers: Headers }> {
  const { status, body, text } = await platform.request('POST', `${place}/customers`, { email, password });
  if (status !== 201) throw new Error(text);
  const form = { grant_type: 'password', username: email, password };
  const headers = await sessionHeaders(platform, form, `${place}/customers`.slice(1));
  return { id: (body['customer'] as { id: string }).id, headers };
}

function visitorOf(platform: Platform, anonymousId: string): Promise<Headers> {
  return sessionHeaders(platform, { grant_type: 'client_credentials', anonymous_id: anonymousId }, 'anonymous');
}

t.test('shoppers have carts of their own below /me, and see no others', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const [jane, joe] = [await customerOf(platform, 'jane@example.org'), await customerOf(platform, 'joe@example.org')];
  const visitor = await visitorOf(platform, 'visit-1');
  const shoppers = [
    { headers: jane.headers, owner: { customerId: jane.id, anonymousId: undefined } },
    { headers: joe.headers, owner: { customerId: joe.id, anonymousId: undefined } },
    { headers: visitor, owner: { customerId: undefined, anonymousId: 'visit-1' } },
  ];
  const others = made(await request('POST', '/carts', { currency: 'EUR' }));
  for (const { headers, owner } of shoppers) {
    t.match(await request('GET', '/me/active-cart', undefined, headers), missing);
    // Whoever it says, it is the shopper's own.
    const draft = { currency: 'EUR', customerId: jane.id, anonymousId: 'visit-2', key: 'no-key', origin: 'Merchant' };
    const cart = made(await request('POST', '/me/carts', draft, headers));
    const { customerId, anonymousId } = cart;
    t.strictSame({ customerId, anonymousId }, owner);
    t.match(cart, { origin: 'Customer', cartState: 'Active', key: undefined });
    const path = `/me/carts/${cart.id}`;
    t.match(await request('GET', path, undefined, headers), { status: 200, body: { id: cart.id } });
    t.match(await request('HEAD', path, undefined, headers), { status: 200, text: '' });
    t.match(await request('GET', '/me/carts', undefined, headers), {
      body: { count: 1, total: 1, results: [{ id: cart.id }] },
    });
    t.match(await request('GET', '/me/active-cart', undefined, headers), { body: { id: cart.id } });
    for (const other of shoppers.filter((shopper) => shopper.headers !== headers)) {
      t.match(await request('GET', path, undefined, other.headers), missing);
      t.match(await request('POST', path, { version: 1, actions: [] }, other.headers), missing);
      t.match(await request('DELETE', `${path}?version=1`, undefined, other.headers), missing);
      const page = await request(
        'GET',
        `/me/carts?where=${encodeURIComponent(`id = "${cart.id}"`)}`,
        undefined,
        other.headers,
      );
      t.match(page.body, { count: 0, total: 0 });
    }
    t.match(await request('GET', `/me/carts/${others.id}`, undefined, headers), missing);
    const update = (action: object): Promise<Answer> =>
      request('POST', path, { version: 1, actions: [action] }, headers);
    t.match(
      await update({ action: 'setKey', key: 'own-key' }),
      errorOf('InvalidInput'),
      "what is the shop's to change",
    );
    t.match(await update({ action: 'setCustomerId', customerId: joe.id }), errorOf('InvalidInput'));
    t.match(await update({ action: 'setCountry', country: 'DE' }), {
      status: 200,
      body: { version: 2, country: 'DE' },
    });
    t.match(await request('DELETE', `${path}?version=2`, undefined, headers), { status: 200 });
    made(await request('POST', '/me/carts', { currency: 'EUR' }, headers));
  }
  t.match(await request('GET', '/me/carts'), errorOf('insufficient_scope', 403), 'a client is no shopper');
});

t.test('a cart keeps the key that the shop gave it, whatever its shopper changes', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const { id: customerId, headers } = await customerOf(platform, 'jane@example.org');
  const draft = { currency: 'EUR', key: 'own' };
  const { id } = made(await request('POST', '/carts', { ...draft, customerId }));
  const update = { version: 1, actions: [{ action: 'setCountry', country: 'DE' }] };
  t.match(await request('POST', `/me/carts/${id}`, update, headers), { status: 200, body: { key: 'own' } });
  t.match(await request('GET', '/carts/key=own'), { status: 200, body: { id, country: 'DE' } });
  t.match(await request('POST', '/carts', draft), errorOf('DuplicateField'));
  const where = encodeURIComponent('key = "own"');
  t.match((await request('GET', `/me/carts?where=${where}`, undefined, headers)).body, { results: [{ id }] });
  t.match(await request('GET', '/me/carts/key=own', undefined, headers), missing);
});

t.test('GraphQL gives shoppers their carts, and no others', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  made(await request('POST', '/stores', { key: 'north' }));
  const jane = await customerOf(platform, 'jane@example.org');
  const visitor = await visitorOf(platform, 'visit-1');
  const ask = async (query: string, headers: Headers = {}): Promise<unknown> => {
    const { body } = await request('POST', '/graphql', { query }, headers);
    return body['errors'] ?? body['data'];
  };
  const own = made(await request('POST', '/me/carts', { currency: 'EUR' }, jane.headers));
  const visits = made(await request('POST', '/in-store/key=north/me/carts', { currency: 'EUR' }, visitor));
  const mine = '{ me { activeCart { id customer { id } store { key } } carts { total results { id } } } }';
  const owned = { id: own.id, customer: { id: jane.id }, store: null };
  // Equal texts, so that each would get what is kept of the other.
  for (let turn = 0; turn < 2; turn += 1) {
    t.strictSame(await ask(mine, jane.headers), {
      me: { activeCart: owned, carts: { total: 1, results: [{ id: own.id }] } },
    });
    t.strictSame(await ask(mine, visitor), {
      me: {
        activeCart: { id: visits.id, customer: null, store: { key: 'north' } },
        carts: { total: 1, results: [{ id: visits.id }] },
      },
    });
  }
  const inNorth = '{ inStore(key: "north") { me { activeCart { id } carts { total } } carts { total } } }';
  t.strictSame(await ask(inNorth, jane.headers), {
    inStore: { me: { activeCart: null, carts: { total: 0 } }, carts: { total: 1 } },
  });
  t.strictSame(await ask(`{ me { cart(id: "${visits.id}") { id } } }`, jane.headers), { me: { cart: null } });
  t.strictSame(await ask(`{ customerActiveCart(customerId: "${jane.id}") { id } }`), {
    customerActiveCart: { id: own.id },
  });
  t.strictSame(await ask(`{ customerActiveCart(customerId: "${randomUUID()}") { id } }`), { customerActiveCart: null });
  t.match(await ask('{ me { carts { total } } }'), [{ extensions: { code: 'insufficient_scope' } }]);
});

t.test('GraphQL selects carts by the interfaces that the root, stores and shoppers share', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  made(await request('POST', '/stores', { key: 'north' }));
  const jane = await customerOf(platform, 'jane@example.org');
  const cart = made(await request('POST', '/in-store/key=north/me/carts', { currency: 'EUR' }, jane.headers));
  const ask = async (query: string, headers: Headers = {}): Promise<unknown> => {
    const { body } = await request('POST', '/graphql', { query }, headers);
    return body['errors'] ?? body['data'];
  };
  const fragments = `
    fragment Carts on CartQueryInterface { carts { total results { id } } cart(id: "${cart.id}") { id } }
    fragment Mine on MeQueryInterface { ...Carts orders { total } ... on ActiveCartInterface { activeCart { version } } }
    fragment Shopper on MeFieldInterface { me { ...Mine } }`;
  const held = { carts: { total: 1, results: [{ id: cart.id }] }, cart: { id: cart.id } };
  const mine = { me: { ...held, orders: { total: 0 }, activeCart: { version: 1 } } };
  // What is kept of the first is for the second.
  for (let turn = 0; turn < 2; turn += 1) {
    t.strictSame(await ask(`{ ...Carts inStore(key: "north") { ...Carts } } ${fragments.split('fragment Mine')[0]}`), {
      ...held,
      inStore: held,
    });
    t.strictSame(await ask(`{ ...Shopper inStore(key: "north") { ...Shopper } } ${fragments}`, jane.headers), {
      ...mine,
      inStore: mine,
    });
    t.strictSame(
      await ask(`{ ... on CartQueryInterface { carts { total } ... on Me { activeCart { id } } } }`),
      { carts: { total: 1 } },
      'the root is no shopper',
    );
  }
});

t.test('the active cart is the one that was modified last, in its store where a store is named', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  for (const key of ['north', 'south']) made(await request('POST', '/stores', { key }));
  const { id: customerId, headers } = await customerOf(platform, 'jane@example.org');
  const create = async (draft: object, place = ''): Promise<Cart> =>
    made(await request('POST', `${place}/carts`, { currency: 'EUR', customerId, ...draft }));
  const [first, second] = [await create({}), await create({})];
  const north = await create({}, '/in-store/key=north');
  t.match(north, { store: { typeId: 'store', key: 'north' } });
  await create({ store: { key: 'south' }, key: 'souths' });
  const touched = await request('POST', `/carts/${first.id}`, {
    version: 1,
    actions: [{ action: 'setCountry', country: 'DE' }],
  });
  t.equal(touched.status, 200);
  t.match(await request('GET', `/carts/customer-id=${customerId}`), { status: 200, body: { id: first.id } });
  t.match(await request('GET', '/me/active-cart', undefined, headers), { body: { id: first.id } });
  t.match(await request('GET', '/in-store/key=north/me/active-cart', undefined, headers), { body: { id: north.id } });
  t.match(await request('GET', `/in-store/key=north/carts/customer-id=${customerId}`), { body: { id: north.id } });
  t.match(await request('GET', `/carts/customer-id=${customerId.toUpperCase()}`), { body: { id: first.id } });
  t.match(await request('GET', `/carts/customer-id=${randomUUID()}`), missing);
  t.match(await request('GET', `/in-store/key=north/carts/${first.id}`), missing);
  t.match(await request('GET', '/in-store/key=north/carts/key=souths'), missing);
  t.match(await request('GET', '/in-store/key=south/carts/key=souths'), { status: 200 });
  t.match(await request('GET', '/in-store/key=north/carts'), { body: { count: 1, results: [{ id: north.id }] } });
  t.match(await request('POST', '/carts', { currency: 'EUR', customerId: randomUUID() }), {
    status: 400,
    body: { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'customer' }] },
  });
  const set = (action: object, version: number): Promise<Answer> =>
    request('POST', `/carts/${second.id}`, { version, actions: [action] });
  const freed = await set({ action: 'setCustomerId' }, 1);
  t.match(freed, { status: 200, body: { version: 2, customerId: undefined } });
  t.match(await set({ action: 'setAnonymousId', anonymousId: 'visit' }, 2), { body: { anonymousId: 'visit' } });
  t.match(await set({ action: 'setCustomerId', customerId }, 3), {
    body: { version: 4, customerId, anonymousId: undefined },
  });
});

t.test('who signs in takes over the cart of the visit', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const email = 'jane@example.org';
  const { id: customerId } = await customerOf(platform, email);
  const visit = async (draft = {}): Promise<Cart & { anonymousId: string; headers: Headers }> => {
    const anonymousId = randomUUID();
    const headers = await visitorOf(platform, anonymousId);
    return {
      ...made(await request('POST', '/me/carts', { currency: 'EUR', ...draft }, headers)),
      anonymousId,
      headers,
    };
  };
  const login = (more: object, headers?: Headers): Promise<Answer> =>
    request('POST', headers === undefined ? '/login' : '/me/login', { email, password, ...more }, headers);
  const read = async (id: string): Promise<object> => (await request('GET', `/carts/${id}`)).body;

  t.match((await login({})).body, { customer: { id: customerId }, cart: undefined }, 'there is none');
  t.match((await login({ anonymousId: randomUUID() })).body, { cart: undefined });
  const first = await visit();
  const became = await login({ anonymousCart: { typeId: 'cart', id: first.id } });
  t.match(became, { status: 200, body: { cart: { id: first.id, customerId, anonymousId: undefined } } });
  t.match((await login({})).body, { cart: { id: first.id } }, 'the active cart comes with every sign-in');

  const second = await visit();
  const merged = await login({ anonymousId: second.anonymousId });
  t.match(merged, { status: 200, body: { cart: { id: first.id, version: 2, cartState: 'Active' } } });
  t.match(await read(second.id), { cartState: 'Merged', customerId: undefined });
  const again = await login({ anonymousCartId: second.id });
  t.match(again, { status: 200, body: { cart: { id: first.id, version: 2 } } }, 'it is merged already');
  const joe = { email: 'joe@example.org' };
  await customerOf(platform, joe.email);
  t.match(await login({ ...joe, anonymousCartId: first.id }), errorOf('InvalidOperation'), "it is another customer's");
  t.match(await login({ anonymousCartId: randomUUID() }), errorOf('ReferencedResourceNotFound'));

  const third = await visit();
  const mismatch = { anonymousCartId: third.id, anonymousId: second.anonymousId };
  t.match(await login(mismatch), errorOf('InvalidOperation'), 'the cart of another visit');
  t.match(await login({ ...mismatch, password: 'wrong' }), { status: 400 });
  t.match(await read(third.id), { version: 1, cartState: 'Active' }, 'nothing was done');
  const replaced = await login({ activeCartSignInMode: 'UseAsNewActiveCustomerCart' }, third.headers);
  t.match(replaced, { status: 200, body: { cart: { id: third.id, customerId, cartState: 'Active' } } });
  t.match(await read(first.id), { cartState: 'Active', version: 2 });
  t.match((await login({})).body, { cart: { id: third.id } });

  const fourth = await visit();
  const path = `/carts/customer-id=${customerId}/merge`;
  t.match(await request('POST', path, { anonymousCart: { id: fourth.id }, mergeMode: 'UseAsNewActiveCustomerCart' }), {
    status: 200,
    body: { id: fourth.id, customerId },
  });
  const gone = { anonymousId: 'nobody' };
  t.match(await request('POST', path, gone), { status: 200, body: { id: fourth.id } }, 'nothing to merge');
  t.match(await request('POST', `/carts/customer-id=${randomUUID()}/merge`, gone), missing);
  t.match(await request('POST', `/in-store/key=north${path}`, gone), missing, 'it has no cart in the store');
  for (const place of ['', '/in-store/key=north'])
    for (const unnamed of [{}, { mergeMode: 'UseAsNewActiveCustomerCart', updateProductData: true }])
      t.match(
        await request('POST', `${place}${path}`, unnamed),
        { status: 400, body: { errors: [{ code: 'RequiredField', field: 'anonymousCart' }] } },
        'it is not said what to merge',
      );
});

t.test('who signs up keeps the cart of the visit, and nobody is signed up where that cannot be', async (t) => {
  const platform = await startProject();
  const { request, api } = platform;
  const visitor = await visitorOf(platform, 'visit-1');
  const cart = made(await request('POST', '/me/carts', { currency: 'EUR' }, visitor));
  const draft = { email: 'jane@example.org', password, anonymousCart: { typeId: 'cart', id: cart.id } as const };
  t.match(await request('POST', '/customers', { ...draft, anonymousId: 'visit-2' }), errorOf('InvalidOperation'));
  t.match(await request('POST', '/customers', { ...draft, anonymousCart: { id: randomUUID() } }), {
    status: 400,
    body: { errors: [{ code: 'ReferencedResourceNotFound', typeId: 'cart' }] },
  });
  made(await request('POST', '/stores', { key: 'north' }));
  t.match(await request('POST', '/in-store/key=north/customers', draft), missing, 'a cart of no store');
  t.match((await request('GET', '/customers')).body, { total: 0 });

  const { body } = await api
    .customers()
    .post({ body: { ...draft, anonymousId: 'visit-1' } })
    .execute();
  t.match(body.cart, { id: cart.id, version: 2, customerId: body.customer.id });
  t.notOk('anonymousCart' in body.customer || 'anonymousId' in body.customer);

  const other = await visitorOf(platform, 'visit-3');
  const own = made(await request('POST', '/me/carts', { currency: 'EUR' }, other));
  const joined = await request('POST', '/me/signup', { email: 'joe@example.org', password }, other);
  const { customer } = joined.body as { customer: { id: string } };
  t.match(joined, { status: 201, body: { cart: { id: own.id, customerId: customer.id } } });
  t.match(await request('GET', '/me/active-cart', undefined, other), missing, 'the visit has none any more');
  const plain = await request('POST', '/customers', { email: 'jill@example.org', password });
  t.notOk('cart' in plain.body);
});

t.test('a sign-in with a session takes no cart that is a customer already', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const [jane, joe] = [await customerOf(platform, 'jane@example.org'), await customerOf(platform, 'joe@example.org')];
  const draft = { currency: 'EUR', customerId: jane.id };
  const both = await request('POST', '/carts', { ...draft, anonymousId: 'visit-1' });
  t.match(both.body, { errors: [{ code: 'InvalidOperation' }] });
  const cart = made(await request('POST', '/carts', draft));
  const noting = { version: 1, actions: [{ action: 'setAnonymousId', anonymousId: 'visit-1' }] };
  const refused = await request('POST', `/carts/${cart.id}`, noting);
  t.match(refused.body, { errors: [{ code: 'InvalidOperation' }] });
  for (const anonymousCartSignInMode of ['MergeWithExistingCustomerCart', 'UseAsNewActiveCustomerCart']) {
    for (const [email, found] of [
      ['joe@example.org', undefined],
      ['jane@example.org', { id: cart.id }],
    ] as const) {
      const { body } = await request('POST', '/login', {
        email,
        password,
        anonymousId: 'visit-1',
        anonymousCartSignInMode,
      });
      t.match(body, { customer: { email }, cart: found });
      t.match((await request('GET', `/carts/${cart.id}`)).body, {
        version: 1,
        cartState: 'Active',
        customerId: jane.id,
      });
    }
  }
  t.match(await request('GET', '/me/active-cart', undefined, joe.headers), missing);
});

t.test('a customer whom a cart names is there, and has the cart in whatever case the id is written', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const { id: customerId, headers } = await customerOf(platform, 'jane@example.org');
  const upper = customerId.toUpperCase();
  const drafted = made(await request('POST', '/carts', { currency: 'EUR', customerId: upper }));
  const { id } = made(await request('POST', '/carts', { currency: 'EUR' }));
  const actions = [{ action: 'setCustomerId', customerId: upper }];
  t.match(await request('POST', `/carts/${id}`, { version: 1, actions }), { body: { customerId } });
  const visits = made(await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit-1' }));
  const merge = { anonymousCart: { id: visits.id }, mergeMode: 'UseAsNewActiveCustomerCart' };
  for (const nobody of [randomUUID(), 'abc'])
    t.match(await request('POST', `/carts/customer-id=${nobody}/merge`, merge), missing);
  t.match(await request('POST', `/carts/customer-id=${upper}/merge`, merge), { status: 200, body: { customerId } });
  for (const own of [drafted.id, id, visits.id])
    t.match(await request('GET', `/me/carts/${own}`, undefined, headers), { status: 200, body: { customerId } });
});

t.test('of many who sign up with one cart one is signed up and has it, and the others are not there', async (t) => {
  const { request } = await startProject();
  const cart = made(await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit-1' }));
  const answers = await Promise.all(
    Array.from({ length: 6 }, (_, index) =>
      request('POST', '/customers', { email: `c${index}@example.org`, password, anonymousCart: { id: cart.id } }),
    ),
  );
  const [winner, ...others] = answers.filter(({ status }) => status === 201);
  t.strictSame(others, []);
  const { id: customerId } = winner!.body['customer'] as { id: string };
  t.match(winner!.body, { cart: { id: cart.id, customerId } });
  for (const loser of answers.filter((answer) => answer !== winner)) t.match(loser, errorOf('InvalidOperation'));
  t.match((await request('GET', '/customers')).body, { total: 1, results: [{ id: customerId }] });
  t.match((await request('GET', `/carts/${cart.id}`)).body, { customerId, version: 2 });
});

t.test('who signs up has the cart as it is then, whoever changes it meanwhile', async (t) => {
  const { request } = await startProject();
  const cart = made(await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit-1' }));
  const path = `/carts/${cart.id}`;
  let isOver = false;
  const changes = (async () => {
    let count = 0;
    while (!isOver) {
      const { version } = (await request('GET', path)).body;
      const actions = [{ action: 'setCustomerEmail', email: `${count}@example.org` }];
      if ((await request('POST', path, { version, actions })).status === 200) count += 1;
    }
    return count;
  })();
  const draft = { email: 'jane@example.org', password, anonymousId: 'visit-1' };
  const { status, body } = await request('POST', '/customers', draft);
  isOver = true;
  const count = await changes;
  const { id: customerId } = body['customer'] as { id: string };
  t.match({ status, body }, { status: 201, body: { cart: { id: cart.id, customerId } } });
  t.match((await request('GET', path)).body, { customerId, version: count + 2 }, 'no change is lost');
});

t.test('who signs up or in while others never let go of the cart has none, unless it was named', async (t) => {
  const { request, sql } = await startPlatform(t);
  const cart = made(await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit-1' }));
  // As if each time somebody else had been first.
  await sql.unsafe(`create function lose() returns trigger language plpgsql as 'begin return null; end'`);
  await sql.unsafe(`create trigger lose before update on documents_cart for each row execute function lose()`);
  const named = { email: 'jane@example.org', password, anonymousCart: { id: cart.id } };
  t.match(await request('POST', '/customers', named), errorOf('OverCapacity', 503));
  t.match((await request('GET', '/customers')).body, { total: 0 });
  const unnamed = { email: 'jane@example.org', password, anonymousId: 'visit-1' };
  const { status, body } = await request('POST', '/customers', unnamed);
  t.equal(status, 201);
  t.notOk('cart' in body);
  const { email, anonymousCart } = named;
  t.match(await request('POST', '/login', { email, password, anonymousCart }), errorOf('OverCapacity', 503));
  const signedIn = await request('POST', '/login', { email, password, anonymousId: 'visit-1' });
  t.equal(signedIn.status, 200, 'who signs in likewise');
  t.notOk('cart' in signedIn.body);
  t.match((await request('GET', `/carts/${cart.id}`)).body, { version: 1, anonymousId: 'visit-1' });
});

t.test('of many sign-ins at once each gives the customer one cart', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const email = 'jane@example.org';
  const { id: customerId } = await customerOf(platform, email);
  const visitor = await visitorOf(platform, 'visit-1');
  const cart = made(await request('POST', '/me/carts', { currency: 'EUR' }, visitor));
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => request('POST', '/me/login', { email, password }, visitor)),
  );
  for (const answer of answers) t.match(answer, { status: 200, body: { cart: { id: cart.id, customerId } } });
  t.match((await request('GET', `/carts/${cart.id}`)).body, { version: 2, cartState: 'Active', customerId });
});

t.test('a sign-in that is repeated with the same cart is answered with it', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const [jane, joe] = [await customerOf(platform, 'jane@example.org'), await customerOf(platform, 'joe@example.org')];
  const cart = made(await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit-1' }));
  const anonymousCart = { typeId: 'cart', id: cart.id };
  const login = (email: string, more: object): Promise<Answer> =>
    request('POST', '/login', { email, password, anonymousCart, ...more });
  const own = { status: 200, body: { cart: { id: cart.id, version: 2, customerId: jane.id, cartState: 'Active' } } };
  for (const more of [
    {},
    {},
    { anonymousId: 'visit-1' },
    { anonymousCartSignInMode: 'UseAsNewActiveCustomerCart' },
    { anonymousCart: undefined, anonymousCartId: cart.id.toUpperCase() },
  ])
    t.match(await login('jane@example.org', more), own);
  const merge = { anonymousCart, mergeMode: 'UseAsNewActiveCustomerCart' };
  t.match(await request('POST', `/carts/customer-id=${jane.id}/merge`, merge), { status: 200, body: own.body.cart });
  const { status, text } = await login('joe@example.org', {});
  t.equal(status, 400);
  t.match(text, 'belongs to a customer, so it cannot be taken over');
  t.notMatch(text, jane.id, 'it is not told whose it is');
  t.match(await request('POST', `/carts/customer-id=${joe.id}/merge`, merge), errorOf('InvalidOperation'));
  t.match((await request('GET', `/carts/${cart.id}`)).body, own.body.cart);
});

t.test('a sign-in that is repeated with a cart that was merged is answered with the customer’s own', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const email = 'jane@example.org';
  const { id: customerId } = await customerOf(platform, email);
  await customerOf(platform, 'joe@example.org');
  const own = made(await request('POST', '/carts', { currency: 'EUR', customerId }));
  const { id } = made(await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit-1' }));
  const answer = { status: 200, body: { cart: { id: own.id, version: 1, customerId } } };
  const login = (anonymousCartId = id): Promise<Answer> =>
    request('POST', '/login', { email, password, anonymousCartId });
  t.match(await login(), answer);
  t.match((await request('GET', `/carts/${id}`)).body, { version: 2, cartState: 'Merged' });
  for (const repeated of await Promise.all([login(), login(), login(id.toUpperCase())])) t.match(repeated, answer);
  const merge = { anonymousCart: { typeId: 'cart', id } };
  for (const named of [merge, { ...merge, anonymousId: 'visit-1' }])
    t.match(
      await request('POST', `/carts/customer-id=${customerId}/merge`, named),
      { status: 400, body: { errors: [{ code: 'InvalidOperation', message: /is Merged/ }] } },
      'who merges carts is told',
    );
  const other = await request('POST', '/login', { email: 'joe@example.org', password, anonymousCartId: id });
  t.equal(other.status, 200);
  t.notOk('cart' in other.body, 'nobody else has anything of it');
  t.match((await request('GET', `/carts/${id}`)).body, { version: 2, cartState: 'Merged' });
});

t.test('a cart of which the customer has made an order is not taken over, though it is their own', async (t) => {
  const platform = await startPlatform(t);
  const { request, sql } = platform;
  const email = 'jane@example.org';
  const { id: customerId } = await customerOf(platform, email);
  const { id } = made(await request('POST', '/carts', { currency: 'EUR', customerId }));
  // Nothing makes orders.
  await sql`update documents set data = data || '{"cartState": "Ordered"}' where id = ${id}`;
  const refused = { status: 400, body: { errors: [{ code: 'InvalidOperation', message: /belongs to a customer/ }] } };
  t.match(await request('POST', '/login', { email, password, anonymousCartId: id }), refused);
  const merge = { anonymousCart: { typeId: 'cart', id } };
  t.match(await request('POST', `/carts/customer-id=${customerId}/merge`, merge), refused);
});

t.test('of many sign-ins at once with a cart that they name each is answered with it', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const email = 'jane@example.org';
  const { id: customerId } = await customerOf(platform, email);
  const cart = made(await request('POST', '/carts', { currency: 'EUR', anonymousId: 'visit-1' }));
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => request('POST', '/login', { email, password, anonymousCartId: cart.id })),
  );
  for (const answer of answers)
    t.match(answer, { status: 200, body: { cart: { id: cart.id, customerId, version: 2 } } });
});

t.test('what is wrong with a cart is told after what is wrong with the credentials', async (t) => {
  const platform = await startProject();
  const { request } = platform;
  const email = 'jane@example.org';
  await customerOf(platform, email);
  const visit = async (anonymousId: string): Promise<Cart> =>
    made(await request('POST', '/carts', { currency: 'EUR', anonymousId }));
  const [taken, merged] = [await visit('visit-1'), await visit('visit-2')];
  for (const { id } of [taken, merged])
    t.equal((await request('POST', '/login', { email, password, anonymousCartId: id })).status, 200);
  t.match((await request('GET', `/carts/${merged.id}`)).body, { cartState: 'Merged' });
  for (const { id } of [taken, merged])
    for (const named of [{ anonymousCart: { typeId: 'cart', id } }, { anonymousCartId: id }])
      for (const wrong of [{ password: 'wrong-pass-1' }, { email: 'nobody@example.org' }])
        t.match(await request('POST', '/login', { email, password, ...named, ...wrong }), {
          status: 400,
          body: { errors: [{ code: 'InvalidCredentials' }] },
        });
  for (const { id } of [taken, merged]) {
    const draft = { email: 'joe@example.org', password, anonymousCart: { typeId: 'cart', id } };
    t.match(await request('POST', '/customers', draft), errorOf('InvalidOperation'));
  }
});

t.test('a sign-up that is repeated with the same cart is refused for its e-mail address', async (t) => {
  const { request } = await startPlatform(t);
  made(await request('POST', '/stores', { key: 'north' }));
  const duplicate = (field: string, duplicateValue: string): object => ({
    status: 400,
    body: { errors: [{ code: 'DuplicateField', field, duplicateValue }] },
  });
  const { id: elsewhere } = made(await request('POST', '/carts', { currency: 'EUR' }));
  for (const place of ['', '/in-store/key=north']) {
    const visit = async (): Promise<Cart> => made(await request('POST', `${place}/carts`, { currency: 'EUR' }));
    const signUp = (more: object): Promise<Answer> => request('POST', `${place}/customers`, { password, ...more });
    const jane = { email: 'Jane@example.org', anonymousCart: { typeId: 'cart', id: (await visit()).id } };
    t.equal((await signUp(jane)).status, 201);
    t.match(await signUp(jane), duplicate('email', jane.email));
    t.match(await signUp({ ...jane, email: 'joe@example.org' }), errorOf('InvalidOperation'));
    const nowhere = { ...jane, anonymousCart: undefined, anonymousCartId: elsewhere };
    if (place !== '') t.match(await signUp(nowhere), missing, 'whatever else is wrong is told before');
    const free = { ...jane, anonymousCart: undefined, password: 'weak' };
    t.match(await signUp(free), errorOf('WeakPassword'), 'and so is what is wrong with the password');
    const jill = { email: 'jill@example.org', anonymousCartId: (await visit()).id };
    const answers = await Promise.all(Array.from({ length: 4 }, () => signUp(jill)));
    const refused = answers.filter(({ status }) => status !== 201);
    t.equal(refused.length, 3, 'at once likewise');
    for (const answer of refused) t.match(answer, duplicate('email', jill.email));
  }
  const numbered = { email: 'jim@example.org', password, customerNumber: 'C-1' };
  const { id } = made(await request('POST', '/carts', { currency: 'EUR' }));
  made(await request('POST', '/customers', { ...numbered, anonymousCartId: id }));
  const other = { ...numbered, email: 'jack@example.org', anonymousCartId: id };
  t.match(await request('POST', '/customers', other), duplicate('customerNumber', 'C-1'));
});

/** No database answers in an order that a test says, so these are the parts of an engine that a sign-in asks. */
function engineWith({
  query,
  commit,
}: {
  readonly query: (member: string) => Promise<object[]>;
  commit(): void;
}): Engine {
  return {
    registry: createRegistry(allResources, project),
    maxPerProject: () => undefined,
    compute: { stepsMin: Infinity },
    extensions: { levelsFor: async () => [] },
    sources: { note: () => {} },
    // The project has nothing but the cart.
    collections: {
      get: () => Promise.resolve({ documents: new Map(allResources.map(({ kind }) => [kind, []])), version: '1' }),
    },
    store: {
      find: (_: string, lookups: readonly object[]) => Promise.resolve(lookups.map(() => undefined)),
      query: async (_: string, { where }: Query) => {
        const member = JSON.stringify(where).includes('anonymousId') ? 'anonymousId' : 'customerId';
        return (await query(member)).map((cart) => ({ json: JSON.stringify(cart) }));
      },
    },
    writes: {
      commit: () => {
        commit();
        return Promise.resolve({ isDone: false });
      },
    },
    listeners: { of: () => Promise.resolve(undefined) },
  } as unknown as Engine;
}

t.test('who signs in has the cart that another sign-in takes over at any moment', async (t) => {
  const totalPrice = { type: 'centPrecision', currencyCode: 'EUR', centAmount: 0, fractionDigits: 2 };
  const lists = [
    'lineItems',
    'customLineItems',
    'itemShippingAddresses',
    'shipping',
    'discountCodes',
    'directDiscounts',
    'refusedGifts',
  ];
  const visits = {
    id: 'visits',
    version: 1,
    cartState: 'Active',
    taxMode: 'Platform',
    shippingMode: 'Single',
    priceRoundingMode: 'HalfEven',
    taxRoundingMode: 'HalfEven',
    ...Object.fromEntries(lists.map((name) => [name, []])),
    totalPrice,
    anonymousId: 'visit',
  };
  const own = { ...visits, version: 2, anonymousId: undefined, customerId: 'jane' };
  const context = { project: { key: 'project', settings: {} }, principal: principalOf('client', []), now: '' };
  const signIn = async (engine: Engine): Promise<unknown> => {
    const merge = {
      anonymousId: 'visit',
      customerId: 'jane',
      mergeMode: 'MergeWithExistingCustomerCart',
      updateProductData: false,
      whenStuck: 'refuse',
    } as const;
    const cart = await mergedCart(engine, { context: context as unknown as RequestContext }, merge);
    return cart === undefined ? undefined : documentOf(cart);
  };
  const reads: string[] = [];
  let isTaken = false;
  const holding = (member: string): object[] => {
    if (isTaken) return member === 'customerId' ? [own] : [];
    return member === 'anonymousId' ? [visits] : [];
  };
  const beforeRead = engineWith({
    query: async (member) => {
      reads.push(member);
      // Whatever is read at the same time is older.
      if (member === 'anonymousId') await nextTurn();
      if (member === 'anonymousId') isTaken = true;
      return holding(member);
    },
    commit: () => t.fail('there is nothing to take over'),
  });
  t.match(await signIn(beforeRead), { id: 'visits', customerId: 'jane' });
  t.strictSame(reads, ['anonymousId', 'customerId'], 'each is read once');

  isTaken = false;
  let commits = 0;
  const beforeLastCommit = engineWith({
    query: (member) => Promise.resolve(holding(member)),
    commit: () => {
      commits += 1;
      isTaken = commits === takeOversMax;
    },
  });
  t.match(await signIn(beforeLastCommit), { id: 'visits', customerId: 'jane' });
  t.equal(commits, takeOversMax);
});
