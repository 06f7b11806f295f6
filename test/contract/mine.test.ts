/** What shoppers have of each kind is theirs alone, by REST and by GraphQL, whatever was asked and kept before. */
import t, { type Test } from 'tap';
import type { Mine, Resource } from '../../src/engine/resource.ts';
import type { Shopper } from '../../src/engine/context.ts';
import { shoppersOf } from '../../src/engine/access.ts';
import { isObject } from '../../src/fields/object.ts';
import { contractKinds } from '../support/contract-kinds.ts';
import { type Created, createTargets, type Draft, minimalDraft, namedById } from '../support/example-drafts.ts';
import { graphql, type GraphqlCall, idArguments, inputOf, schema } from '../support/graphql-values.ts';
import { type Answer, type Platform, startPlatform } from '../support/platform.ts';
import { shopperToken } from '../support/shoppers.ts';

const platform = await startPlatform(t);

interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Two customers, and two visitors where they have the kind. Their tokens allow what shoppers do, and nothing else. */
async function callersOf({ projectKey }: Platform, mine: Mine): Promise<readonly Caller[]> {
  const scope = mine.scopes.map((name) => `${name}:${projectKey}`).join(' ');
  const callers = shoppersOf(mine).flatMap((shopper) => ['jane', 'joe'].map((name) => [shopper, name] as const));
  return Promise.all(
    callers.map(async ([shopper, name]: readonly [Shopper, string]) => {
      const email = `${name}@example.org`;
      const token = await shopperToken(platform, { shopper, storeKey: undefined, email, scope });
      return { name: `${shopper} ${name}`, headers: { authorization: `Bearer ${token}` } };
    }),
  );
}

// What uses up something else of the shopper's, as orders do carts, is in test/api.
for (const resource of contractKinds(t, ({ mine, examples }) => mine !== undefined && examples.used.length === 0)) {
  const { kind } = resource;
  const mine = resource.mine!;
  t.test(kind, async (t) => {
    const callers = await callersOf(platform, mine);
    if (mine.path === '') await isItself(t, mine, callers);
    else await isTheirs(t, mine, callers);
  });
}

async function isItself(t: Test, { resource }: Mine, callers: readonly Caller[]): Promise<void> {
  const query = `{ me { ${resource.graphql.one} { id } } }`;
  for (let use = 0; use < 3; use += 1) {
    for (const { name, headers } of callers) {
      const { body: rest } = await platform.request('GET', '/me', undefined, headers);
      const { body } = await platform.request('POST', '/graphql', { query }, headers);
      t.strictSame(body, { data: { me: { [resource.graphql.one]: { id: rest['id'] } } } }, name);
    }
  }
}

interface Owned {
  readonly caller: Caller;
  readonly document: Created;
}

async function isTheirs(t: Test, { resource, path, owners }: Mine, callers: readonly Caller[]): Promise<void> {
  const { graphql: names } = resource;
  const all: Owned[] = [];
  const members = Object.values(owners);
  const anotherOwner = Object.fromEntries(members.map((member) => [member, 'somebody']));
  for (const caller of callers) {
    const draft = { ...(await draftOf(resource)), ...anotherOwner };
    const made = await platform.request('POST', `/me/${path}`, draft, caller.headers);
    t.equal(made.status, 201, made.text);
    all.push({ caller, document: made.body as Created });
    if (names.hasMutations) all.push({ caller, document: await createdBy(t, resource, caller) });
  }
  for (const { caller, document } of all)
    t.equal(members.filter((member) => document[member] !== undefined).length, 1, `${caller.name} alone has it`);
  t.equal(
    new Set(all.map(({ document }) => members.map((member) => ownerIn(document, member)).join())).size,
    callers.length,
    'each has an owner of its own',
  );
  for (let use = 0; use < 3; use += 1)
    for (const caller of callers) await seesTheirs(t, resource, { caller, all, path });
  for (const { caller, document } of all) {
    for (const other of callers.filter((one) => one !== caller))
      await isRefused(t, resource, { document, caller: other, path });
    if (names.hasMutations) await isChanged(t, resource, { document, caller });
  }
}

/** An id, or a reference with one. */
function ownerIn(document: Created, member: string): unknown {
  const value = document[member];
  return isObject(value) ? value['id'] : value;
}

/** What the shopper gives: no owner, which the platform knows. */
async function draftOf(resource: Resource): Promise<Draft> {
  const draft = minimalDraft(resource, platform);
  await createTargets(platform, draft);
  return draft;
}

async function mutate(caller: Caller, call: Omit<GraphqlCall, 'operation'>): Promise<Answer> {
  return graphql(platform, { operation: 'mutation', ...call }, caller.headers);
}

async function createdBy(t: Test, resource: Resource, caller: Caller): Promise<Created> {
  const { mutation, draft: typeName } = resource.graphql;
  const draft = (await namedById(platform, await draftOf(resource))) as Draft;
  const args = { draft: { type: `${typeName}!`, value: inputOf(typeName, resource.draft, draft) } };
  const field = `create${mutation}`;
  const { body, text } = await mutate(caller, { field, args, selection: '{ id }' });
  t.notOk(body['errors'], text);
  const { id } = (body['data'] as Record<string, { id: string }>)[field]!;
  return (await platform.request('GET', `/${resource.path}/${id}`)).body as Created;
}

interface Sight {
  readonly caller: Caller;
  readonly all: readonly Owned[];
  readonly path: string;
}

/** One text gives each the page and the resources that are theirs, and null for those of others. */
async function seesTheirs(t: Test, { graphql: names }: Resource, { caller, all, path }: Sight): Promise<void> {
  const own = all.filter((owned) => owned.caller === caller).map(({ document }) => document.id);
  const rest = await platform.request('GET', `/me/${path}?sort=id+asc`, undefined, caller.headers);
  t.strictSame(
    (rest.body['results'] as Created[]).map(({ id }) => id),
    own.toSorted(),
    `${caller.name}: REST`,
  );
  const singles = all.map(({ document }, index) => `one${index}: ${names.one}(id: "${document.id}") { id }`);
  const query = `{ me { ${names.many}(sort: ["id asc"]) { count total exists results { id } } ${singles.join(' ')} } }`;
  const { body } = await platform.request('POST', '/graphql', { query }, caller.headers);
  const results = own.toSorted().map((id) => ({ id }));
  const page = { count: own.length, total: own.length, exists: true, results };
  const found = all.map((owned, index) => [`one${index}`, owned.caller === caller ? { id: owned.document.id } : null]);
  t.strictSame(body, { data: { me: { [names.many]: page, ...Object.fromEntries(found) } } }, `${caller.name}: GraphQL`);
}

interface Subject {
  readonly caller: Caller;
  readonly document: Created;
}

function versioned({ graphql: names }: Resource, { version }: Created): GraphqlCall['args'] {
  return {
    version: { type: 'Long!', value: version },
    actions: { type: `[${names.updateAction}!]!`, value: [] },
  };
}

/** Others find nothing to read, change or delete. */
async function isRefused(t: Test, resource: Resource, subject: Subject & { readonly path: string }): Promise<void> {
  const { caller, document, path } = subject;
  const { headers, name } = caller;
  const item = `/me/${path}/${document.id}`;
  const update = { version: document.version, actions: [] };
  for (const [method, at, body] of [
    ['GET', item, undefined],
    ['POST', item, update],
    ['DELETE', `${item}?version=${document.version}`, undefined],
  ] as const)
    t.equal((await platform.request(method, at, body, headers)).status, 404, `${name}: ${method}`);
  if (!resource.graphql.hasMutations) return;
  const { version, ...actions } = versioned(resource, document);
  const named = { ...idArguments(document.id), version: version! };
  for (const [verb, args] of [
    ['update', { ...named, ...actions }],
    ['delete', named],
  ] as const) {
    const call = { field: `${verb}${resource.graphql.mutation}`, args, selection: '{ id }' };
    t.match(
      (await mutate(caller, call)).body,
      { errors: [{ extensions: { code: 'ResourceNotFound' } }] },
      `${name}: ${verb}`,
    );
  }
}

async function isChanged(t: Test, resource: Resource, { caller, document }: Subject): Promise<void> {
  const { version, ...actions } = versioned(resource, document);
  const named = { ...idArguments(document.id), version: version! };
  const { mutation } = resource.graphql;
  for (const [field, args] of [
    [`update${mutation}`, { ...named, ...actions }],
    [`delete${mutation}`, named],
  ] as const) {
    if (schema.getMutationType()!.getFields()[field] === undefined) continue;
    const { body } = await mutate(caller, { field, args, selection: '{ id }' });
    t.strictSame(body, { data: { [field]: { id: document.id } } }, `${caller.name}: ${field}`);
  }
}
