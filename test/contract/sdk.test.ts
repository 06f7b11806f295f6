import t, { type Test } from 'tap';
import type { Resource } from '../../src/engine/resource.ts';
import { isAnswerKind } from '../../src/engine/endpoint.ts';
import { isObject } from '../../src/fields/object.ts';
import { type Operation, operationsOf, settingsOperations } from '../../src/http/operations.ts';
import { allResources } from '../../src/resources/all.ts';
import { project as projectDeclaration } from '../../src/resources/project/resource.ts';
import { contractResources } from '../support/contract-kinds.ts';
import { changedOnce } from '../support/example-actions.ts';
import {
  type Created,
  created,
  createdOf,
  createFrom,
  createTargets,
  type Draft,
  fullDraft,
  pathOf,
  removeAt,
  renewed,
  withoutPreview,
} from '../support/example-drafts.ts';
import { type Platform, startPlatform } from '../support/platform.ts';
import { sdkRequest } from '../support/sdk.ts';
import { shopperToken } from '../support/shoppers.ts';

/** Operations that the client has no method for. */
const unknownToClient: ReadonlySet<string> = new Set([
  'HEAD /{projectKey}/custom-objects/{container}',
  'HEAD /{projectKey}/custom-objects/{container}/{key}',
  'HEAD /{projectKey}/product-projections/search',
  'HEAD /{projectKey}/product-projections/suggest',
  'HEAD /{projectKey}/product-selections/{ID}/products',
  'HEAD /{projectKey}/product-selections/key={key}/products',
  'HEAD /{projectKey}/products/{ID}/product-selections',
  'HEAD /{projectKey}/products/key={key}/product-selections',
  // The client is older than these.
  ...['', '/in-store/key={storeKey}'].flatMap((place) =>
    ['key={key}', '{ID}'].flatMap((name) =>
      ['GET', 'HEAD'].map((method) => `${method} /{projectKey}${place}/product-projections/${name}/variant-attributes`),
    ),
  ),
  ...['', '/key={key}', '/{ID}'].flatMap((name) =>
    ['GET', 'HEAD'].map((method) => `${method} /{projectKey}/in-store/key={storeKey}/discount-codes${name}`),
  ),
  // REST has them in stores alone; at the root they are for GraphQL.
  ...['GET', 'HEAD'].map((method) => `${method} /{projectKey}/product-selection-assignments`),
  'HEAD /{projectKey}/in-store/key={storeKey}/product-selection-assignments',
  ...['/{projectKey}', '/{projectKey}/in-store/key={storeKey}'].flatMap((place) => [
    `HEAD ${place}/me`,
    `HEAD ${place}/customers/password-token={passwordToken}`,
    `HEAD ${place}/customers/email-token={emailToken}`,
    `POST ${place}/carts/customer-id={customerId}/merge`,
  ]),
]);

const platform = await startPlatform(t);

for (const resource of contractResources) {
  t.test(resource.kind, async (t) => {
    const project = await platform.anotherProject();
    const calls = callsOf(t, project);
    const draft = fullDraft(resource, project);
    await createTargets(project, draft, resource);
    const subject = { project, resource, draft, call: calls.call, action: await actionOf(project, resource, draft) };
    for (const item of shopperPathsOf(resource)) await t.test(item, (t) => shopperWorks(t, subject, item));
    for (const item of itemPathsOf(resource)) await t.test(item, (t) => itemWorks(t, subject, item));
    for (const projection of resource.projections)
      await t.test(projection.path, (t) => projectionWorks(t, subject, projection));
    for (const operation of operationsOf(resource).filter(
      (one) => one.endpoint !== undefined && !unknownToClient.has(nameOf(one)),
    ))
      await t.test(nameOf(operation), (t) => endpointWorks(t, subject, operation));
    t.strictSame(calls.missing(operationsOf(resource)), [], 'every operation was called');
    for (const operation of operationsOf(resource).filter((one) => unknownToClient.has(nameOf(one))))
      t.equal(sdkRequest(project.api, operation, { values: {} }), undefined, `the client has no ${nameOf(operation)}`);
  });
}

t.test('project', async (t) => {
  const { resource } = projectDeclaration;
  const [project, model] = [await platform.anotherProject(), await platform.anotherProject()];
  const { action } = await changedOnce(model, resource, '');
  const { call, missing } = callsOf(t, project);
  const [get, head, post] = (['GET', 'HEAD', 'POST'] as const).map((method) =>
    settingsOperations(resource).find((operation) => operation.method === method)!,
  );
  const before = await call(get!, { values: {} });
  t.match(before, { statusCode: 200, body: { key: project.projectKey, version: 1 } });
  t.match(await call(head!, { values: {} }), { statusCode: 200 });
  const update = { version: 1, actions: [action] };
  t.match(await call(post!, { values: {}, body: update }), { statusCode: 200, body: { version: 2 } });
  t.match(await call(post!, { values: {}, body: update }), conflict(2));
  t.strictSame(missing(settingsOperations(resource)), [], 'every operation was called');
});

interface Arguments {
  /** Whose client it is, where it is not that of the project. */
  readonly api?: Platform['api'];
  readonly values: Draft;
  readonly queryArgs?: object;
  readonly body?: unknown;
}

/** What the client gives, and the error that it throws. */
interface Outcome {
  readonly statusCode: number;
  readonly body: Draft;
}

type Call = (operation: Operation, args: Arguments) => Promise<Outcome>;

interface Subject {
  readonly project: Platform;
  readonly resource: Resource;
  readonly draft: Draft;
  readonly call: Call;
  /** Changes the resource of the draft; undefined for a kind without actions. */
  readonly action: Draft | undefined;
}

function nameOf({ method, path }: Pick<Operation, 'method' | 'path'>): string {
  return `${method} ${path}`;
}

/** Calls with the client of the project, which remember what was called. */
function callsOf(
  t: Test,
  { api }: Platform,
): { readonly call: Call; readonly missing: (operations: readonly Operation[]) => readonly string[] } {
  const done = new Set<string>();
  const call: Call = async (operation, { api: own = api, ...args }) => {
    const request = sdkRequest(own, operation, args);
    if (request === undefined) throw new Error(`The client has no ${nameOf(operation)}`);
    const { method, uriTemplate } = request.clientRequest();
    t.equal(nameOf({ method, path: uriTemplate } as Operation), nameOf(operation));
    done.add(nameOf(operation));
    // What the client throws has the members of what it gives.
    return request.execute().catch((error: unknown) => error as Outcome);
  };
  return {
    call,
    missing: (operations) =>
      operations
        .filter((operation) => !isOfUsed(operation))
        .map(nameOf)
        .filter((name) => !done.has(name) && !unknownToClient.has(name)),
  };
}

/** An action that changes the resource of the draft. */
async function actionOf(project: Platform, resource: Resource, draft: Draft): Promise<Draft | undefined> {
  if (resource.actions.size === 0) return undefined;
  const document = await createFrom(project, resource, draft);
  const { action, body } = await changedOnce(project, resource, pathOf(resource, document));
  await removeAt(project, resource, body as Created);
  return action;
}

/** Paths by id and by key, of the project, of a store and of shoppers. */
function itemPathsOf(resource: Resource): readonly string[] {
  const items = changeableOf(resource).filter(
    (operation) => operation.extent === 'item' && !operation.path.endsWith('/me') && !isOfUsed(operation),
  );
  return [...new Set(items.map(({ path }) => path))];
}

/** What shoppers make of something else of theirs, which it uses up, is in test/api. */
function isOfUsed({ resource: { examples }, shoppers }: Operation): boolean {
  return examples.used.length > 0 && shoppers !== undefined;
}

/** Operations but those of projections, and of stores that only read. */
function changeableOf(resource: Resource): readonly Operation[] {
  return operationsOf(resource).filter(
    ({ resource: shown, isInStore }) =>
      shown.projection === undefined && !(isInStore && shown.inStore?.isReadOnly === true),
  );
}

/** A projection of one resource, in the list and by each of its names. */
async function projectionWorks(t: Test, { project, resource, draft, call }: Subject, shown: Resource): Promise<void> {
  const document = await created(project, resource, draft);
  const operations = operationsOf(resource).filter((one) => one.resource === shown);
  const store = { typeId: 'store', key: 'example-store' };
  if (operations.some(({ isInStore }) => isInStore)) await createTargets(project, store);
  const values = { ...document, ID: document.id, storeKey: store.key };
  for (const operation of operations) {
    const { statusCode, body } = await call(operation, { values });
    t.equal(statusCode, 200, nameOf(operation));
    if (operation.method !== 'GET') continue;
    const { id, version } = document;
    t.match(body, operation.extent === 'list' ? { total: 1, results: [{ id, version }] } : { id, version });
  }
  await removeAt(project, resource, document);
}

/** The life of one resource, from its creation to its deletion, on the paths of its project, its store or a shopper. */
async function itemWorks(t: Test, subject: Subject, path: string): Promise<void> {
  const isMine = path.includes('/me/');
  const isInStore = path.includes('/in-store/');
  const { resource, draft, call, action } = isMine ? await ofShopper(subject, isInStore) : subject;
  const operations = changeableOf(subject.resource).filter(
    (one) => one.isInStore === isInStore && (one.shoppers !== undefined) === isMine,
  );
  const item = new Map(operations.filter((one) => one.path === path).map((one) => [one.method, one]));
  const list = new Map(operations.filter(({ extent }) => extent === 'list').map((one) => [one.method, one]));
  const storeKey = isInStore ? storeOf(resource, draft) : undefined;
  const isAnyRequired = Object.values(resource.draft).some(({ presence }) => presence === 'required');
  const [body, code] = isAnyRequired ? [{}, 'RequiredField'] : [[], 'InvalidJsonInput'];
  const refused = await call(list.get('POST')!, { values: { storeKey }, body });
  t.match(refused, { statusCode: 400, body: { statusCode: 400, errors: [{ code }] } }, 'no draft');
  const fresh = await renewed(subject.project, `/${resource.path}`, draft);
  const created = await call(list.get('POST')!, { values: { storeKey }, body: fresh });
  t.equal(created.statusCode, 201);
  let document = createdOf(resource, created.body);
  if (isMine && path.endsWith('/key={key}')) document = await keyed(subject, document);
  const values = (): Draft => ({ ...document, ID: document.id, storeKey });
  const got = await call(item.get('GET')!, { values: values() });
  t.equal(got.statusCode, 200);
  // A create may give more than a read, such as a secret.
  t.match(document, got.body, 'get');
  document = got.body as Created;
  for (const head of [item.get('HEAD')!, list.get('HEAD')!].filter((one) => !unknownToClient.has(nameOf(one))))
    t.match(await call(head, { values: values() }), { statusCode: 200 }, nameOf(head));
  for (const query of [
    list.get('GET')!,
    ...operations.filter(({ extent, method }) => extent === 'part' && method === 'GET'),
  ])
    await queryWorks(t, { resource, call, operation: query, values: values() }, document);
  const update = item.get('POST');
  if (update !== undefined) {
    const body = { version: document.version, actions: [action] };
    const updated = await call(update, { values: values(), body });
    t.match(updated, { statusCode: 200, body: { version: document.version! + 1 } }, 'update');
    document = updated.body as Created;
    t.match(await call(update, { values: values(), body }), conflict(document.version!), 'update at an old version');
  }
  const queryArgs = { version: document.version };
  const deleted = await call(item.get('DELETE')!, { values: values(), queryArgs });
  t.equal(deleted.statusCode, 200);
  t.strictSame(withoutPreview(resource, deleted.body), withoutPreview(resource, document), 'delete');
  t.match(await call(item.get('GET')!, { values: values() }), {
    statusCode: 404,
    body: { statusCode: 404, errors: [{ code: 'ResourceNotFound' }] },
  });
}

/** Shoppers who cannot give a key find what the shop gave one. */
async function keyed({ project, resource, draft }: Subject, document: Created): Promise<Created> {
  const { key } = draft;
  if (document['key'] === key) return document;
  const update = { version: document.version, actions: [{ action: 'setKey', key }] };
  return (await project.request('POST', pathOf(resource, document), update)).body as Created;
}

/** The same with a shopper's token, and with an action that shoppers have. */
async function ofShopper({ project, resource, draft, call }: Subject, isInStore: boolean): Promise<Subject> {
  const own = resource.mine!.resource;
  const storeKey = isInStore ? storeOf(resource, draft) : undefined;
  const api = project.apiWith(await shopperToken(project, { shopper: 'customer', storeKey }));
  return {
    project,
    resource: own,
    draft,
    call: (operation, args) => call(operation, { api, ...args }),
    action: await actionOf(project, own, draft),
  };
}

function conflict(currentVersion: number): object {
  return {
    statusCode: 409,
    body: { statusCode: 409, errors: [{ code: 'ConcurrentModification', currentVersion }] },
  };
}

/** The store that the example names, or what it is made of; nobody has the key of another. */
function storeOf({ inStore }: Resource, draft: Draft): string {
  if (inStore === undefined) return 'none';
  const [store] = [draft[inStore.member]].flat() as ({ readonly key: string } | undefined)[];
  return store?.key ?? 'example-store';
}

interface Listing {
  readonly operation: Operation;
  readonly values: Draft;
}

async function queryWorks(
  t: Test,
  { resource, call, operation, values }: Pick<Subject, 'resource' | 'call'> & Listing,
  document: Created,
): Promise<void> {
  const references = Object.entries(document).filter(
    ([, value]) => isObject(value) && 'typeId' in value && 'id' in value,
  );
  const names = references.map(([name]) => name);
  const { statusCode, body } = await call(operation, {
    values,
    queryArgs: {
      where: ['id = :id', 'createdAt is defined'],
      'var.id': document.id,
      sort: ['createdAt desc', 'id asc'],
      limit: 2,
      offset: 0,
      withTotal: false,
      expand: names,
    },
  });
  t.match(
    { statusCode, body },
    { statusCode: 200, body: { limit: 2, offset: 0, count: 1, results: [{ id: document.id }] } },
  );
  t.notOk('total' in body, 'the total is left out');
  const [found] = body['results'] as readonly Draft[];
  for (const name of names) t.match(found?.[name], { obj: { id: /./ } }, `${name} is expanded`);
  const page = await call(operation, { values, queryArgs: { where: `id="${document.id}"` } });
  t.match(page.body, { limit: 20, count: 1, total: 1 });
  const listed = (page.body['results'] as readonly Draft[]).map((each) => withoutPreview(resource, each));
  t.strictSame(listed, [withoutPreview(resource, document)], 'a query gives what a get does');
  const faulty = await call(operation, { values, queryArgs: { where: 'id =', limit: 0 } });
  t.match(faulty, { statusCode: 400, body: { errors: [{ code: 'SyntaxError' }, { code: 'InvalidInput' }] } });
}

/** Paths of the resource that is the shopper, of the project and of a store. */
function shopperPathsOf({ mine }: Resource): readonly string[] {
  return mine?.path === '' ? ['/{projectKey}/me', '/{projectKey}/in-store/key={storeKey}/me'] : [];
}

/** The shopper reads, changes and deletes itself. */
async function shopperWorks(t: Test, { project, resource, call, draft }: Subject, path: string): Promise<void> {
  const storeKey = path.includes('/in-store/') ? storeOf(resource, draft) : undefined;
  const values = { storeKey };
  const action = await actionOf(project, resource.mine!.resource, draft);
  const api = project.apiWith(await shopperToken(project, { shopper: 'customer', storeKey }));
  const item = new Map(operationsOf(resource).flatMap((one) => (one.path === path ? [[one.method, one]] : [])));
  const got = await call(item.get('GET')!, { api, values });
  t.equal(got.statusCode, 200);
  const { version } = got.body as Created;
  const body = { version, actions: [action] };
  t.match(await call(item.get('POST')!, { api, values, body }), { statusCode: 200, body: { version: version! + 1 } });
  t.match(await call(item.get('POST')!, { api, values, body }), conflict(version! + 1));
  const queryArgs = { version: version! + 1 };
  t.match(await call(item.get('DELETE')!, { api, values, queryArgs }), {
    statusCode: 200,
    body: { id: got.body['id'] },
  });
  t.match(await call(item.get('GET')!, { api, values }), { statusCode: 401 });
}

/** What is posted without a body or a file, and what is named by what nobody has, is refused. */
async function endpointRefuses(
  t: Test,
  { project, draft, resource, call }: Subject,
  operation: Operation,
): Promise<void> {
  const storeKey = operation.isInStore ? storeOf(resource, draft) : undefined;
  const [shopper] = operation.shoppers ?? [];
  const token = shopper && (await shopperToken(project, { shopper, storeKey }));
  const own = token === undefined ? {} : { api: project.apiWith(token) };
  const values = {
    storeKey,
    ...Object.fromEntries(Object.keys(operation.endpoint!.parameters).map((name) => [name, 'none'])),
  };
  const answer = await call(operation, { ...own, values, body: {} });
  const code = operation.endpoint!.file === undefined ? 'RequiredField' : 'InvalidInput';
  if (operation.method === 'POST') t.match(answer, { statusCode: 400, body: { errors: [{ code }] } });
  else if (operation.method === 'HEAD') t.match(answer, { statusCode: 404 });
  else t.match(answer, { statusCode: 404, body: { errors: [{ code: 'ResourceNotFound' }] } });
}

async function endpointWorks(t: Test, subject: Subject, operation: Operation): Promise<void> {
  const { project, call } = subject;
  const { answer } = operation.endpoint!;
  if (isAnswerKind(answer)) {
    const { takesForm } = operation.endpoint!;
    const body = operation.method === 'POST' ? (takesForm ? 'limit=1' : {}) : undefined;
    const { errors } = (await call(operation, { values: {}, body })).body as unknown as { errors: { code: string }[] };
    t.match(errors, [{ code: /^(Search|ObjectNotFound)/ }], 'here nothing is searched');
    return;
  }
  if (answer !== 'page') return endpointRefuses(t, subject, operation);
  const storeKey = operation.isInStore ? 'any-store' : undefined;
  const queryArgs: Record<string, unknown> = {};
  for (const [name, { kind, presence }] of Object.entries(operation.endpoint!.parameters)) {
    const target = allResources.find(({ graphql }) => name === `${graphql.one}Id`);
    if (target !== undefined) queryArgs[name] = (await anyOf(project, target)).id;
    else if (presence === 'required') queryArgs[name] = kind.examples[0];
  }
  const { statusCode, body } = await call(operation, { values: { storeKey }, queryArgs });
  // No example is in a store.
  t.equal(statusCode, operation.isInStore ? 400 : 200);
  if (operation.method === 'GET') t.match(body, operation.isInStore ? { errors: [{ code: /./ }] } : { results: Array });
}

/** The first of a kind, made where there is none. */
async function anyOf(project: Platform, resource: Resource): Promise<Created> {
  const { body } = await project.request('GET', `/${resource.path}?limit=1`);
  const [first] = body['results'] as readonly Created[];
  return first ?? createFrom(project, resource, fullDraft(resource, project));
}
