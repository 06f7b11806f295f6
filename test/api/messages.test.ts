import t, { type Test } from 'tap';
import type { Document } from '../../src/engine/document.ts';
import type { JsonSchema } from '../../src/fields/field.ts';
import { mismatches } from '../support/json-schema.ts';
import { keepMessages, type Message, messagesOf, tellerOf, toldIn } from '../support/messages.ts';
import { changeSettings, type Platform, startPlatform } from '../support/platform.ts';
import { eventually } from '../support/services.ts';

const draft = (name: string): object => ({
  name: { en: name },
  slug: { en: name },
  key: name,
  externalId: `ext-${name}`,
});

interface Description {
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>> };
}

/** A type of the API's description with all that it refers to. */
function standalone(name: string, schemas: Description['components']['schemas']): JsonSchema {
  // Forms are told apart by validators without the hint.
  const text = JSON.stringify({ ...schemas[name], $defs: schemas }, (member, value: unknown) =>
    member === 'discriminator' && typeof (value as { mapping?: unknown }).mapping === 'object' ? undefined : value,
  );
  return JSON.parse(text.replaceAll('#/components/schemas/', '#/$defs/')) as JsonSchema;
}

async function keeping(t: Test): Promise<Platform> {
  const platform = await startPlatform(t);
  await keepMessages(platform);
  return platform;
}

const slugTo = (slug: string): object => ({ action: 'changeSlug', slug: { en: slug } });

t.test('a write leaves its messages, in the order of its actions, with numbers that go on', async (t) => {
  const platform = await keeping(t);
  const category = await tellerOf(t, platform, { path: '/categories', typeId: 'category', draft: draft('shoes') });
  t.strictSame(category.created, [{ type: 'CategoryCreated', category: category.body }]);
  t.strictSame(await category.tells(slugTo('boots'), { action: 'setKey', key: 'other' }, slugTo('hats')), [
    { type: 'CategorySlugChanged', slug: { en: 'boots' }, oldSlug: { en: 'shoes' } },
    { type: 'CategorySlugChanged', slug: { en: 'hats' }, oldSlug: { en: 'boots' } },
  ]);
  t.strictSame(
    await category.tells(slugTo('hats'), { action: 'setKey', key: 'another' }),
    [],
    'what is the same tells nothing',
  );
  t.strictSame(await category.tells(slugTo('caps'), slugTo('hats')), [], 'nor does what is not written');
  t.strictSame((await category.tells(slugTo('caps'))).length, 1);

  const [first, second, ...others] = await messagesOf(platform, category.id);
  const { createdAt, createdBy } = category.body;
  t.match(first, {
    version: 1,
    createdAt,
    lastModifiedAt: createdAt,
    createdBy,
    lastModifiedBy: createdBy,
    sequenceNumber: 1,
    resource: { typeId: 'category', id: category.id },
    resourceVersion: 1,
    type: 'CategoryCreated',
    resourceUserProvidedIdentifiers: { key: 'shoes', externalId: 'ext-shoes', slug: { en: 'shoes' } },
  });
  t.match(second, { resourceUserProvidedIdentifiers: { key: 'other', slug: { en: 'hats' } } }, 'those at that version');
  t.equal(others.length, 2);
});

t.test('messages are read, queried, sorted and expanded, and nothing else', async (t) => {
  const platform = await keeping(t);
  const { request, api, tokenWith, baseUrl, projectKey } = platform;
  const category = await tellerOf(t, platform, { path: '/categories', typeId: 'category', draft: draft('shoes') });
  await category.tells(slugTo('boots'));
  const [created, changed] = (await messagesOf(platform, category.id)) as [Message, Message];

  t.strictSame((await request('GET', `/messages/${created.id}`)).body, created);
  t.equal((await request('HEAD', `/messages/${created.id}`)).status, 200);
  t.equal((await request('HEAD', `/messages/${category.id}`)).status, 404);
  t.equal((await request('HEAD', '/messages')).status, 200);
  const sdk = await api
    .messages()
    .withId({ ID: changed.id })
    .get({ queryArgs: { expand: 'resource' } })
    .execute();
  t.match(sdk.body, { type: 'CategorySlugChanged', resource: { obj: { id: category.id } } });

  const found = async (where: string): Promise<readonly string[]> => {
    const { status, text, body } = await request(
      'GET',
      `/messages?where=${encodeURIComponent(where)}&sort=sequenceNumber+desc`,
    );
    if (status !== 200) throw new Error(text);
    return (body['results'] as readonly Message[]).map(({ id }) => id);
  };
  t.strictSame(await found(`resource(typeId = "category" and id = "${category.id}")`), [changed.id, created.id]);
  t.strictSame(await found('type = "CategorySlugChanged"'), [changed.id]);
  t.strictSame(await found('sequenceNumber > 1'), [changed.id]);
  t.strictSame(await found('oldSlug(en = "shoes")'), [changed.id]);
  t.strictSame(await found(`resourceVersion = 1 and createdAt <= "${created.createdAt}"`), [created.id]);
  t.strictSame(await found('resourceUserProvidedIdentifiers(externalId = "ext-shoes")'), [changed.id, created.id]);

  const { components } = (await fetch(`${baseUrl}/openapi.json`).then((answer) => answer.json())) as Description;
  for (const message of [created, changed])
    t.strictSame(mismatches(standalone('Message', components.schemas), message), [], 'as it is described');

  t.equal((await request('POST', '/messages', {})).status, 405);
  t.equal((await request('DELETE', `/messages/${created.id}?version=1`)).status, 405);
  const token = await tokenWith([`view_products:${projectKey}`]);
  const refused = await fetch(`${baseUrl}/${projectKey}/messages`, { headers: { authorization: `Bearer ${token}` } });
  t.equal(refused.status, 403);
});

t.test('GraphQL gives payloads by their types', async (t) => {
  const platform = await keeping(t);
  const category = await tellerOf(t, platform, { path: '/categories', typeId: 'category', draft: draft('shoes') });
  await category.tells(slugTo('boots'));
  const [, changed] = (await messagesOf(platform, category.id)) as [Message, Message];
  const { body } = await platform.request('POST', '/graphql', {
    query: `{
      messages(where: "resource(id = \\"${category.id}\\")", sort: "sequenceNumber asc") { results {
        type sequenceNumber resourceVersion resourceRef { typeId id }
        userProvidedIdentifiers { key slug(locale: "en") }
        payload {
          __typename
          type
          ... on CategoryCreated { category { id key slug(locale: "en") } }
          ... on CategorySlugChanged { slug(locale: "en") oldSlug(locale: "en") }
        }
      } }
      message(id: "${changed.id}") { id payload { type } }
      none: message(key: "none") { id }
    }`,
  });
  const resourceRef = { typeId: 'category', id: category.id };
  t.strictSame(body, {
    data: {
      messages: {
        results: [
          {
            type: 'CategoryCreated',
            sequenceNumber: 1,
            resourceVersion: 1,
            resourceRef,
            userProvidedIdentifiers: { key: 'shoes', slug: 'shoes' },
            payload: {
              __typename: 'CategoryCreated',
              type: 'CategoryCreated',
              category: { id: category.id, key: 'shoes', slug: 'shoes' },
            },
          },
          {
            type: 'CategorySlugChanged',
            sequenceNumber: 2,
            resourceVersion: 2,
            resourceRef,
            userProvidedIdentifiers: { key: 'shoes', slug: 'boots' },
            payload: {
              __typename: 'CategorySlugChanged',
              type: 'CategorySlugChanged',
              slug: 'boots',
              oldSlug: 'shoes',
            },
          },
        ],
      },
      message: { id: changed.id, payload: { type: 'CategorySlugChanged' } },
      none: null,
    },
  });
});

t.test('while messages are disabled none is kept, and their numbers go on', async (t) => {
  const platform = await startPlatform(t);
  const { request } = platform;
  const created = (await request('POST', '/categories', draft('shoes'))).body as Document;
  const update = async (version: number, slug: string): Promise<void> => {
    const { status, text } = await request('POST', `/categories/${created.id}`, { version, actions: [slugTo(slug)] });
    if (status !== 200) throw new Error(text);
  };
  await update(1, 'boots');
  t.strictSame(await messagesOf(platform, created.id), []);
  await keepMessages(platform);
  await update(2, 'hats');
  await keepMessages(platform, false);
  await update(3, 'caps');
  const kept = await messagesOf(platform, created.id);
  t.match(kept, [{ sequenceNumber: 3, resourceVersion: 3, slug: { en: 'hats' } }]);
  t.equal(kept.length, 1);
});

t.test('messages go when they have been there for as many days as the project says', async (t) => {
  const clock = { days: 0 };
  const ahead = (): Date => new Date(Date.now() + clock.days * 86_400_000);
  const platform = await startPlatform(t, { feeder: true, clock: ahead, meilisearch: 'none' });
  const { request } = platform;
  const keepFor = async (deleteDaysAfterCreation?: number): Promise<void> => {
    const messagesConfiguration = {
      enabled: true,
      ...(deleteDaysAfterCreation !== undefined && { deleteDaysAfterCreation }),
    };
    const action = { action: 'changeMessagesConfiguration', messagesConfiguration };
    t.equal((await changeSettings(platform, action)).status, 200);
  };
  await keepFor();
  const { id } = (await request('POST', '/categories', draft('shoes'))).body as Document;
  // More than a step deletes at a time.
  const actions = Array.from({ length: 500 }, (_, index) => slugTo(`s-${index}`));
  t.equal((await request('POST', `/categories/${id}`, { version: 1, actions })).status, 200);
  const total = async (): Promise<unknown> => (await request('GET', '/messages?limit=1')).body['total'];
  t.equal(await total(), 501);
  const passed = async (): Promise<void> => {
    // What is due of another kind goes in the same look, or a later one.
    const list = (await request('POST', '/shopping-lists', { name: { en: 'W' }, deleteDaysAfterLastModification: 1 }))
      .body;
    await eventually(async () =>
      (await request('GET', `/shopping-lists/${String(list['id'])}`)).status === 404 ? true : undefined,
    );
  };
  clock.days = 14.9;
  await passed();
  t.equal(await total(), 501, 'the default is 15 days');
  clock.days = 15.1;
  await eventually(async () => ((await total()) === 0 ? true : undefined));
  t.equal((await request('GET', `/categories/${id}`)).status, 200);

  await keepFor(20);
  await request('POST', `/categories/${id}`, { version: 2, actions: [slugTo('other')] });
  clock.days = 19;
  await passed();
  t.match(await messagesOf(platform, id), [{ sequenceNumber: 502 }]);
  await keepFor(18);
  clock.days = 19.1;
  await eventually(async () => ((await total()) === 0 ? true : undefined));
});

t.test('what is refused leaves no message', async (t) => {
  const platform = await keeping(t);
  const { request } = platform;
  const shoes = await tellerOf(t, platform, { path: '/categories', typeId: 'category', draft: draft('shoes') });
  await tellerOf(t, platform, { path: '/categories', typeId: 'category', draft: draft('boots') });
  const refused = async (version: number, ...actions: readonly object[]): Promise<number> =>
    (await request('POST', `/categories/${shoes.id}`, { version, actions })).status;
  t.equal(await refused(1, slugTo('hats'), slugTo('boots')), 400, 'the slug is taken');
  t.equal(await refused(2, slugTo('hats')), 409);
  t.equal((await request('POST', '/categories', draft('boots'))).status, 400);
  t.equal((await messagesOf(platform, shoes.id)).length, 1);
  t.match((await request('GET', '/messages?limit=1')).body, { total: 2 });
  t.strictSame((await shoes.tells(slugTo('hats'))).length, 1, 'and no number is lost');
});

t.test('32 rivals leave numbers without a gap', async (t) => {
  const platform = await keeping(t);
  const { request } = platform;
  const { id } = (await request('POST', '/categories', draft('shoes'))).body as Document;
  const rounds = 3;
  const rival = async (name: number): Promise<void> => {
    for (let done = 0; done < rounds;) {
      const { version } = (await request('GET', `/categories/${id}`)).body as Document;
      const actions = [slugTo(`s-${name}-${done}`), slugTo(`t-${name}-${done}`)];
      const { status } = await request('POST', `/categories/${id}`, { version, actions });
      if (status === 200) done += 1;
      else if (status !== 409) throw new Error(`${status}`);
    }
  };
  await Promise.all(Array.from({ length: 32 }, (_, name) => rival(name)));
  const all = await messagesOf(platform, id);
  t.strictSame(
    all.map(({ sequenceNumber }) => sequenceNumber),
    Array.from({ length: 1 + 32 * rounds * 2 }, (_, index) => index + 1),
  );
  t.strictSame(
    all.map(({ resourceVersion }) => resourceVersion),
    all.map((_, index) => 1 + Math.ceil(index / 2)),
  );
  for (const [index, message] of all.slice(2).entries()) {
    const [before, told] = [toldIn(all[index + 1]!), toldIn(message)];
    t.strictSame(told['oldSlug'], before['slug'], 'each tells what the one before has left');
  }
});
