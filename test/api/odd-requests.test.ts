import t from 'tap';
import { basicOf, send, startPlatform } from '../support/platform.ts';
import { sessionHeaders, startSession } from '../support/shoppers.ts';
import { tokenServiceOn } from '../support/token-service.ts';

const platform = await startPlatform(t);
const { baseUrl, projectKey, request, client } = platform;

interface Described {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly parameters?: readonly Parameter[] }>>>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
}

const description = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as Described;

/** What no key, id or name is, percent-encoded: NUL, what is no UTF-8, half of a surrogate pair, much, and operators. */
const odd = [
  '%00',
  'a%00b',
  '%FF',
  '%ED%A0%80',
  'x'.repeat(10_000),
  '%27%22%5C',
  '%F0%9F%98%80',
  '%25',
  'toString',
  '..',
  '%20',
];

t.test('whatever stands in a path or a parameter, it is no fault of the server', async (t) => {
  const visitor = await sessionHeaders(platform, { grant_type: 'client_credentials' }, 'anonymous');
  const faults: string[] = [];
  let asked = 0;
  const ask = async (method: string, path: string): Promise<void> => {
    asked += 1;
    const headers = path.startsWith('/oauth')
      ? { authorization: basicOf(client), 'content-type': 'application/x-www-form-urlencoded' }
      : path.includes('/me')
        ? visitor
        : {};
    const body = method !== 'POST' ? undefined : path.startsWith('/oauth') ? '' : '{}';
    const target = path.slice(`/${projectKey}`.length);
    const { status } = path.startsWith(`/${projectKey}`)
      ? await request(method, target, body, headers)
      : await send({ baseUrl, method, path, headers, body });
    if (status >= 500) faults.push(`${status} ${method} ${path.slice(0, 200)}`);
  };
  for (const [template, operations] of Object.entries(description.paths)) {
    for (const [name, { parameters = [] }] of Object.entries(operations)) {
      const method = name.toUpperCase();
      const filled = (value: string): string =>
        template.replace('{projectKey}', projectKey).replaceAll(/\{\w+\}/g, value);
      if (filled('') !== filled('x')) await Promise.all(odd.map((value) => ask(method, filled(value))));
      const queries = parameters.filter((parameter) => parameter.in === 'query').map((parameter) => parameter.name);
      for (const query of new Set([...queries, 'var.k', 'searchKeywords.en', 'where=key=:k&k', 'customerId']))
        await Promise.all(odd.slice(0, 4).map((value) => ask(method, `${filled('x')}?${query}=${value}`)));
    }
  }
  t.strictSame(faults, []);
  t.ok(asked > 1000);
});

t.test('whatever stands in a form or in the credentials, it is no fault of the server', async (t) => {
  const names = ['grant_type', 'username', 'password', 'scope', 'anonymous_id', 'refresh_token', 'token', '%00'];
  const forms = [
    'token',
    `${projectKey}/customers/token`,
    `${projectKey}/anonymous/token`,
    'introspect',
    'token/revoke',
  ];
  const grants = ['client_credentials', 'password', 'refresh_token'];
  for (const path of forms) {
    for (const grant of grants) {
      for (const value of odd) {
        const statuses: number[] = [];
        // One after the other, for a name has few places.
        for (const name of names) {
          const all = new Map([
            ['grant_type', grant],
            ['username', 'a'],
            ['password', 'b'],
            ['token', 'c'],
            [name, value],
          ]);
          const body = [...all].map(([each, text]) => `${each}=${text}`).join('&');
          const headers = { authorization: basicOf(client), 'content-type': 'application/x-www-form-urlencoded' };
          statuses.push((await send({ baseUrl, method: 'POST', path: `/oauth/${path}`, headers, body })).status);
        }
        t.ok(
          statuses.every((status) => status < 500),
          `${path} ${grant} ${value.slice(0, 10)}: ${statuses.join(' ')}`,
        );
      }
    }
  }
  for (const clientId of ['\0', 'a\0b', 'ÿ', 'x'.repeat(9000)]) {
    const headers = {
      authorization: basicOf({ clientId: encodeURIComponent(clientId), clientSecret: 'x' }),
    };
    t.equal((await send({ baseUrl, method: 'POST', path: '/oauth/token', headers })).status, 401);
  }
});

t.test('what clients are in the habit of sending', async (t) => {
  const { body: zone } = await request('POST', '/zones', { name: 'Zone', key: 'abc' });
  const id = String(zone['id']);
  const found = { status: 200, body: { results: [{ id }] } };
  const one = { status: 200, body: { id } };
  const habits: readonly (readonly [name: string, path: string, expected: object])[] = [
    ['a slash at the end', '/zones/', found],
    ['a slash after an id', `/zones/${id}/`, one],
    ['a slash after a key', '/zones/key=abc/', one],
    ['a slash after the project', '/', { status: 200, body: { key: projectKey } }],
    ['two slashes', '/zones//', { status: 404 }],
    ['a question mark at the end', '/zones?', found],
    ['a slash and a question mark', '/zones/?', found],
    ['parameters without a value', '/zones?expand=&where=&sort=&limit=&offset=&withTotal=', found],
    ['no parameter between two signs', '/zones?&&limit=1&&', found],
    ['a parameter that nobody knows', '/zones?color=red&_=1', found],
    ['a plus for a blank', '/zones?where=key+%3D+%22abc%22', found],
    ['a sign that needs no encoding', '/zones?where=key="abc"', found],
    ['a percent sign for itself', '/zones?color=100%&where=key="abc"', found],
    ['a variable', '/zones?where=key%3D:k&var.k=abc', found],
    ['a variable as a plain parameter', '/zones?where=key%3D:k&k=abc', found],
    ['a variable in both forms', '/zones?where=key%3D:k&k=other&var.k=abc', found],
    ['a variable that is not given', '/zones?where=key%3D:k', { status: 400 }],
  ];
  for (const [name, path, expected] of habits) t.match(await request('GET', path), expected, name);
  t.match(await send({ baseUrl, method: 'GET', path: '/healthz/' }), { status: 200 });
  t.match(await tokenServiceOn(platform).post('token/', { grant_type: 'client_credentials' }), { status: 200 });
});

t.test('the cart of a customer is found by a parameter as by a path', async (t) => {
  const draft = { email: 'cart@example.org', password: 'shopper-pass-1' };
  const { id } = (await request('POST', '/customers', draft)).body['customer'] as { id: string };
  await request('POST', '/stores', { key: 'north' });
  for (const place of ['', '/in-store/key=north']) {
    const { body: cart } = await request('POST', `${place}/carts`, { currency: 'EUR', customerId: id });
    const byPath = await request('GET', `${place}/carts/customer-id=${id}`);
    const byParameter = await request('GET', `${place}/carts?customerId=${id}`);
    t.match(byParameter, { status: 200, body: { id: cart['id'] } }, place);
    t.equal(byParameter.text, byPath.text);
    const empty = await request('GET', `${place}/carts?customerId=${id}&where=`);
    t.equal(empty.text, byPath.text, 'an empty predicate is none');
  }
  const shoppers = await request('GET', `/me/carts?customerId=${id}`);
  t.match(shoppers, { status: 403 }, 'lists of shoppers have no such parameter');
  const empty = await request('GET', '/carts?customerId=');
  t.match(empty, { status: 200, body: { results: Array } }, 'without a value it is none');
  const others = await Promise.all(
    ['passwordToken', 'emailToken', 'password-token'].map((name) => request('GET', `/customers?${name}=x`)),
  );
  t.strictSame(
    others.map(({ status }) => status),
    [200, 200, 200],
    'parameters of other paths are none of lists',
  );
  const where = await request('GET', `/carts?where=customerId%3D:customerId&customerId=${id}`);
  t.match(where, { status: 200, body: { total: 2 } }, 'beside a predicate it is a variable');
});

t.test('a project that there is not is told to those who have a token', async (t) => {
  const token = await platform.tokenWith([`view_zones:${projectKey}`]);
  const ask = async (authorization?: string): Promise<readonly unknown[]> => {
    const headers = authorization === undefined ? {} : { authorization };
    const { status, body } = await send({ baseUrl, method: 'GET', path: '/no-such-project/zones', headers });
    return [status, (body['errors'] as readonly { code: string }[])[0]?.code];
  };
  t.strictSame(await ask(`Bearer ${token}`), [404, 'ResourceNotFound']);
  t.strictSame(await ask('Bearer unknown'), [401, 'invalid_token']);
  t.strictSame(await ask(), [401, 'access_denied']);
  await platform.sql`update tokens set expires_at = now() - interval '1 second' where client_id <> ${client.clientId}`;
  const other = await platform.anotherProject();
  const path = `/${other.projectKey}/zones`;
  const headers = { authorization: `Bearer ${await platform.tokenWith([`view_zones:${projectKey}`])}` };
  t.equal((await send({ baseUrl, method: 'GET', path, headers })).status, 401, 'one that there is, is not told of');
});

t.test('shoppers sign up and in with the token of a client, and take over a cart with that of a session', async (t) => {
  const password = 'shopper-pass-1';
  const asClient = { authorization: `Bearer ${await platform.tokenWith([`manage_my_profile:${projectKey}`])}` };
  const email = 'jane@example.org';
  t.match(await request('POST', '/me/signup', { email, password }, asClient), {
    status: 201,
    body: { customer: { email } },
  });
  t.match(await request('POST', '/me/login', { email, password }, asClient), {
    status: 200,
    body: { customer: { email } },
  });
  const query = `mutation { customerSignMeIn(draft: { email: "${email}", password: "${password}" }) { customer { email } } }`;
  const signed = { data: { customerSignMeIn: { customer: { email } } } };
  t.match((await request('POST', '/graphql', { query }, asClient)).body, signed);
  const session = await startSession(platform, 'anonymous');
  const visitor = { authorization: `Bearer ${String(session['access_token'])}` };
  const { body: cart } = await request('POST', '/me/carts', { currency: 'EUR' }, visitor);
  t.match(await request('POST', '/me/login', { email, password }, visitor), { body: { cart: { id: cart['id'] } } });
  const viewer = { authorization: `Bearer ${await platform.tokenWith([`view_customers:${projectKey}`])}` };
  t.equal((await request('POST', '/me/login', { email, password }, viewer)).status, 403);
});
