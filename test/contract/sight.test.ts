/**
 * Whose sight counts behind a link: each kind of token, on each way to what is personal of others, with answers that were
 * kept for the others.
 */
import { randomUUID } from 'node:crypto';
import t from 'tap';
import { allResources } from '../../src/resources/all.ts';
import { startSession } from '../support/shoppers.ts';
import { type Answer, send, startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);
const { projectKey, baseUrl, request } = platform;

/** Those who look, by name, with their tokens. */
const tokens = new Map<string, string>();
/** What is looked at, by name: resources of each sort, two of those that belong to somebody. */
const targets = new Map<string, { readonly typeId: string; readonly id: string }>();
const typeKey = 'links';
const linked = 'linked';

const everyone = ['zone'];
/** What each of those sees behind a link. */
const sights: Readonly<Record<string, readonly string[]>> = {
  'a client for custom objects and channels': everyone,
  'a client for the customers of a store': [...everyone, 'customer in a'],
  'a client for the orders of a store': [...everyone, 'cart in a'],
  'a client for all customers': [...everyone, 'customer in a', 'customer in b', 'shopper'],
  'a client for all orders': [...everyone, 'cart in a', 'cart in b', 'own cart'],
  'a shopper with a profile': [...everyone, 'shopper'],
  'a shopper with carts': [...everyone, 'own cart'],
  'a shopper with both': [...everyone, 'shopper', 'own cart'],
  'an anonymous session': everyone,
  'a client for the project': [
    ...everyone,
    'customer in a',
    'customer in b',
    'shopper',
    'cart in a',
    'cart in b',
    'own cart',
  ],
};

t.before(async () => {
  const make = async (name: string, path: string, draft: object): Promise<void> => {
    const { status, body, text } = await request('POST', path, draft);
    if (status !== 201) throw new Error(`${path}: ${text}`);
    const resource = allResources.find((one) => path.endsWith(`/${one.path}`))!;
    const made = (body['customer'] ?? body) as { id: string };
    targets.set(name, { typeId: resource.kind, id: made.id });
  };
  for (const key of ['store-a', 'store-b']) await request('POST', '/stores', { key, name: { en: key } });
  const password = 'password1';
  await make('customer in a', '/customers', {
    email: 'a@example.org',
    key: 'customer-a',
    password,
    stores: [{ key: 'store-a' }],
  });
  await make('customer in b', '/customers', { email: 'b@example.org', password, stores: [{ key: 'store-b' }] });
  await make('cart in a', '/carts', { currency: 'EUR', store: { key: 'store-a' } });
  await make('cart in b', '/carts', { currency: 'EUR', store: { key: 'store-b' } });
  await make('zone', '/zones', { name: 'Zone' });
  await make('api client', '/api-clients', { name: 'Client', scope: `view_zones:${projectKey}` });
  const scopesOf = (...names: string[]): string => names.map((name) => `${name}:${projectKey}`).join(' ');
  const own = ['manage_my_profile', 'manage_my_orders'];
  const links = ['manage_key_value_documents', 'manage_channels', 'manage_types'];
  const shopperWith = async (...names: string[]): Promise<string> => {
    const scope = scopesOf(...names, ...links);
    return String((await startSession(platform, 'customer', { email: 'shopper@example.org', scope }))['access_token']);
  };
  const both = await shopperWith(...own);
  const me = (await asking(both, 'GET', '/me')).body as { id: string };
  targets.set('shopper', { typeId: 'customer', id: me.id });
  const cart = (await asking(both, 'POST', '/me/carts', { currency: 'EUR' })).body as { id: string };
  targets.set('own cart', { typeId: 'cart', id: cart.id });
  const visitor = await startSession(platform, 'anonymous', { scope: scopesOf(...own, ...links) });
  const given: Readonly<Record<string, string>> = {
    'a client for custom objects and channels': await clientWith(links),
    'a client for the customers of a store': await clientWith(links, [`view_customers:${projectKey}:store-a`]),
    'a client for the orders of a store': await clientWith(links, [`manage_orders:${projectKey}:store-a`]),
    'a client for all customers': await clientWith([...links, 'view_customers']),
    'a client for all orders': await clientWith([...links, 'manage_orders']),
    'a shopper with a profile': await shopperWith('manage_my_profile'),
    'a shopper with carts': await shopperWith('manage_my_orders'),
    'a shopper with both': both,
    'an anonymous session': String(visitor['access_token']),
    'a client for the project': await clientWith(['manage_project']),
  };
  for (const [name, token] of Object.entries(given)) tokens.set(name, token);
  // One field for each target.
  const fieldDefinitions = [...targets].map(([name, { typeId }]) => ({
    name: fieldName(name),
    label: { en: name },
    required: false,
    type: { name: 'Reference', referenceTypeId: typeId },
  }));
  const known = fieldDefinitions.filter(({ type }) => type.referenceTypeId !== 'api-client');
  const type = await request('POST', '/types', {
    key: typeKey,
    name: { en: 'Links' },
    resourceTypeIds: ['channel'],
    fieldDefinitions: known,
  });
  if (type.status !== 201) throw new Error(type.text);
});

function clientWith(names: readonly string[], others: readonly string[] = []): Promise<string> {
  return platform.tokenWith([...names.map((name) => `${name}:${projectKey}`), ...others]);
}

function fieldName(target: string): string {
  return target.replaceAll(' ', '-');
}

function asking(token: string, method: string, path: string, body?: unknown): Promise<Answer> {
  return send({ baseUrl, method, path: `/${projectKey}${path}`, body, headers: { authorization: `Bearer ${token}` } });
}

/** The names of the targets whose links were expanded. */
function namesIn(links: unknown): readonly string[] {
  const expanded = (links as { id: string; obj?: object }[]).filter(({ obj }) => obj !== undefined);
  return [...targets].filter(([, { id }]) => expanded.some((link) => link.id === id)).map(([name]) => name);
}

t.test('expansion of free values', async (t) => {
  const draft = { container: 'links', key: linked, value: [...targets.values()] };
  const first = await request('POST', '/custom-objects', draft);
  t.equal(first.status, 201);
  const expand = 'expand=value%5B*%5D';
  // Those who see much come first and last, so that what is kept of them lies ready for the others.
  const askers = [...tokens].toReversed().concat([...tokens]);
  for (const [name, token] of askers) {
    const seen = sights[name]!;
    const get = await asking(token, 'GET', `/custom-objects/links/${linked}?${expand}`);
    t.strictSame(namesIn(get.body['value']).toSorted(), seen.toSorted(), `${name}: by key`);
    const page = await asking(token, 'GET', `/custom-objects/links?${expand}`);
    const [result] = page.body['results'] as { value: unknown }[];
    t.strictSame(namesIn(result!.value).toSorted(), seen.toSorted(), `${name}: in a page`);
    const write = await asking(token, 'POST', `/custom-objects?${expand}`, { ...draft, key: `of-${randomUUID()}` });
    t.strictSame(namesIn(write.body['value']).toSorted(), seen.toSorted(), `${name}: in the answer of a write`);
    const { key } = write.body as { key: string };
    const removal = await asking(token, 'DELETE', `/custom-objects/links/${key}?${expand}`);
    t.strictSame(namesIn(removal.body['value']).toSorted(), seen.toSorted(), `${name}: in the answer of a deletion`);
  }
});

t.test('custom fields of type Reference', async (t) => {
  const fields = Object.fromEntries(
    [...targets].filter(([name]) => name !== 'api client').map(([name, target]) => [fieldName(name), target]),
  );
  const custom = { type: { key: typeKey }, fields };
  t.equal((await request('POST', '/channels', { key: linked, custom })).status, 201);
  const query = `{ channel(key: "${linked}") { custom { customFieldsRaw { name referencedResource { id } } } } }`;
  const names = [...targets.keys()].filter((name) => name !== 'api client');
  for (const [name, token] of [...tokens].toReversed().concat([...tokens])) {
    const seen = sights[name]!;
    const expand = names.map((target) => `expand=custom.fields.${fieldName(target)}`).join('&');
    const { body } = await asking(token, 'GET', `/channels/key=${linked}?${expand}`);
    const links = Object.values((body['custom'] as { fields: object }).fields);
    t.strictSame(namesIn(links).toSorted(), seen.toSorted(), `${name}: by REST`);
    const { body: answer } = await asking(token, 'POST', '/graphql', { query });
    t.strictSame(
      expandedIn(answer).filter((target) => !seen.includes(target)),
      [],
      `${name}: by GraphQL no more`,
    );
  }
  const { body: all } = await asking(tokens.get('a client for the project')!, 'POST', '/graphql', { query });
  t.strictSame(expandedIn(all).toSorted(), names.toSorted(), 'who sees all by GraphQL');
});

/** The names of the targets that GraphQL gave. */
function expandedIn({ data }: Readonly<Record<string, unknown>>): readonly string[] {
  type Raw = { readonly name: string; readonly referencedResource: object | null };
  const channel = (data as { channel?: { custom: { customFieldsRaw: readonly Raw[] } } } | null | undefined)?.channel;
  const given = (channel?.custom.customFieldsRaw ?? []).filter(({ referencedResource }) => referencedResource !== null);
  return [...targets.keys()].filter((name) => given.some((field) => field.name === fieldName(name)));
}

t.test('setting a link tells nothing of what one may not see', async (t) => {
  for (const [name, token] of tokens) {
    const answers = new Map<string, Answer>();
    const given: Readonly<Record<string, object>> = {
      'there, by id': { typeId: 'customer', id: targets.get('customer in a')!.id },
      'there, by key': { typeId: 'customer', key: 'customer-a' },
      'not there, by id': { typeId: 'customer', id: randomUUID() },
      'not there, by key': { typeId: 'customer', key: 'customer-z' },
    };
    for (const [how, link] of Object.entries(given)) {
      const custom = { type: { key: typeKey }, fields: { [fieldName('customer in a')]: link } };
      answers.set(how, await asking(token, 'POST', '/channels', { key: `channel-${randomUUID()}`, custom }));
    }
    const isSeen = sights[name]!.includes('customer in a');
    for (const [how, { status, body }] of answers) {
      if (isSeen && how.startsWith('there')) t.equal(status, 201, `${name}: ${how}`);
      else
        t.match(
          { status, body },
          { status: 400, body: { errors: [{ code: 'ReferencedResourceNotFound' }] } },
          `${name}: ${how}`,
        );
    }
  }
});

t.test('who may follow a link to a kind is declared', (t) => {
  const kindsOf = (followedBy: string): readonly string[] =>
    allResources.filter((resource) => resource.followedBy === followedBy).map(({ kind }) => kind);
  t.strictSame(kindsOf('viewers').toSorted(), [
    'cart',
    'customer',
    'extension',
    'inventory-entry',
    'message',
    'order',
    'order-edit',
    'payment',
    'review',
    'shopping-list',
    'subscription',
  ]);
  t.strictSame(kindsOf('nobody'), ['api-client']);
  t.end();
});
