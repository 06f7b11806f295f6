import { randomUUID } from 'node:crypto';
import t, { type Test } from 'tap';
import type { Resource } from '../../src/engine/define.ts';
import { type Operation, operationsOf, settingsOperations } from '../../src/http/operations.ts';
import { allResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';
import { another, type Created, createFrom, fullDraft, minimalDraft } from '../support/example-drafts.ts';
import {
  graphql,
  type GraphqlCall,
  idArguments,
  inputOf,
  minimalInput,
  createCall,
} from '../support/graphql-values.ts';
import { startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);
const elsewhere = await platform.anotherProject();
const { projectKey } = platform;

/** The model: who may do what follows from the declared scopes alone. */
function mayDo(needed: readonly string[], granted: string, storeKey: string | undefined): boolean {
  const [name = '', project, grantedStore] = granted.split(':');
  if (project !== projectKey) return false;
  if (name === 'manage_project') return true;
  const names = [name, name.replace(/^manage_/, 'view_')];
  if (grantedStore === undefined) return needed.some((scope) => names.includes(scope.replace(':{storeKey}', '')));
  return grantedStore === storeKey && needed.some((scope) => names.some((held) => scope === `${held}:{storeKey}`));
}

const ownStore = 'own-store';
const otherStore = 'other-store';

/** Scopes to try an operation with: those that it lists and what is near them. */
function grantsFor({ scopes, resource }: Pick<Operation, 'scopes' | 'resource'>): readonly string[] {
  const listed = [...scopes, ...resource.scopes.view, ...resource.scopes.manage].map((scope) => scope.split(':')[0]!);
  const names = new Set(listed.flatMap((name) => [name, name.replace(/^view_/, 'manage_')]));
  return [
    `manage_project:${projectKey}`,
    // What says nothing of the resource, and what sounds as if.
    ...['view_messages', 'manage_subscriptions', 'manage', 'view_', 'project'].map((name) => `${name}:${projectKey}`),
    ...[...names].flatMap((name) => [
      `${name}:${projectKey}`,
      `${name}:${projectKey}:${ownStore}`,
      `${name}:${projectKey}:${otherStore}`,
    ]),
  ];
}

const tokens = new Map<string, Promise<string>>();

/** The headers of a client that holds this one scope, and maybe says whose session it is. */
async function headersOf(...scopes: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const name = scopes.join(' ');
  let token = tokens.get(name);
  if (token === undefined) tokens.set(name, (token = platform.tokenWith(scopes)));
  return { authorization: `Bearer ${await token}` };
}

/** Requests that come without a token of this project. */
const strangers: readonly (readonly [string, Readonly<Record<string, string>>])[] = [
  ['no token', { authorization: '' }],
  ['no bearer token', { authorization: 'Basic YTpi' }],
  ['an empty token', { authorization: 'Bearer ' }],
  ['a garbage token', { authorization: `Bearer ${'x'.repeat(43)}` }],
  [
    'a token of another project',
    { authorization: `Bearer ${await elsewhere.tokenWith([`manage_project:${elsewhere.projectKey}`])}` },
  ],
  [
    'a scope of this project on a token of another one',
    { authorization: `Bearer ${await elsewhere.tokenWith([`manage_project:${projectKey}`])}` },
  ],
];

for (const resource of allResources) {
  t.test(resource.kind, async (t) => {
    const document = await createFrom(platform, resource, { ...minimalDraft(resource, platform), ...keyOf(resource) });
    for (const operation of operationsOf(resource)) {
      await t.test(`${operation.method} ${operation.path}`, (t) => isGuarded(t, operation, document));
    }
    await t.test('GraphQL', (t) => isGuardedInGraphql(t, resource, document));
    const { status, body } = await platform.request(
      'GET',
      concretePath(
        operationsOf(resource).find(({ method, place }) => method === 'GET' && place === 'item')!,
        document,
      ),
    );
    t.strictSame(
      { status, version: body['version'] },
      { status: 200, version: document.version },
      'nothing was changed',
    );
  });
}

t.test('project', async (t) => {
  const { body } = await platform.request('GET', '');
  for (const operation of settingsOperations(project.resource)) {
    await t.test(operation.method, (t) => isGuarded(t, operation, body as Created));
  }
  t.strictSame((await platform.request('GET', '')).body, body, 'nothing was changed');
});

/** The first key member is what paths by key name; the example has one where the field is optional. */
function keyOf(resource: Resource): object {
  const { key } = fullDraft(resource, platform);
  return key === undefined || !resource.keyMembers.includes('key') ? {} : { key };
}

function concretePath({ path, resource, place }: Operation, document: Created): string {
  const filled = path
    .replace('/{projectKey}', '')
    .replace('{storeKey}', ownStore)
    .replace('{ID}', document.id)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => String(document[name]));
  const endpoint = resource.endpoints.find(({ path: end }) => place === 'endpoint' && path.endsWith(`/${end}`));
  const parameters = Object.entries(endpoint?.parameters ?? {}).map(([name, { kind }]) => [
    name,
    String(kind.examples[0]),
  ]);
  return parameters.length === 0
    ? filled
    : `${filled}?${new URLSearchParams(Object.fromEntries(parameters)).toString()}`;
}

/** Requests that are allowed to do their work and do none: a body that is no draft, a version that is not there. */
function harmless(
  operation: Operation,
  document: Created,
): { path: string; body?: unknown; allowed: readonly number[] } {
  const { method, place, resource, isInStore } = operation;
  const path = concretePath(operation, document);
  // The document belongs to no store and to no shopper but itself.
  const missing = isInStore || (operation.shoppers !== undefined && path.includes(document.id)) ? [404] : [];
  if (method === 'GET' || method === 'HEAD')
    return { path, allowed: place === 'endpoint' ? [200, 400, 404] : [200, ...missing] };
  if (method === 'DELETE') {
    // What is deleted at any version is named by an id or key that nothing has.
    if (resource.lifecycle === 'fixed') return { path: path.replace(document.id, randomUUID()), allowed: [404] };
    return { path: `${path}?version=999`, allowed: [409, ...missing] };
  }
  if (place === 'endpoint') return { path, body: {}, allowed: path.includes('=') ? [400, 404] : [400] };
  if (place === 'list') return { path, body: [], allowed: [400] };
  return { path, body: { version: 999, actions: [] }, allowed: [409, ...missing] };
}

/** The scope of a token that the operation takes, besides the others. */
function ownScopes({ shoppers }: Operation, { id }: Created): readonly string[] {
  if (shoppers === undefined) return [];
  return shoppers.includes('customer') ? [`customer_id:${id}`] : [`anonymous_id:${id}`];
}

async function isGuarded(t: Test, operation: Operation, document: Created): Promise<void> {
  const { path, body, allowed } = harmless(operation, document);
  const send = async (headers: Readonly<Record<string, string>>): Promise<number> =>
    (await platform.request(operation.method, path, body, headers)).status;
  for (const [who, headers] of strangers) t.equal(await send(headers), 401, who);
  const storeKey = operation.isInStore ? ownStore : undefined;
  let admitted = 0;
  const own = ownScopes(operation, document);
  if (own.length > 0)
    t.equal(await send(await headersOf(`manage_project:${projectKey}`)), 403, 'a token of no shopper may not');
  for (const grant of grantsFor(operation)) {
    const status = await send(await headersOf(grant, ...own));
    if (mayDo(operation.scopes, grant, storeKey)) {
      admitted += 1;
      t.ok(allowed.includes(status), `${grant} may: ${status}`);
    } else t.equal(status, 403, `${grant} may not`);
  }
  t.ok(admitted > operation.scopes.length, 'each listed scope was tried, and manage_project');
}

interface Guarded {
  readonly call: GraphqlCall;
  readonly scopes: readonly string[];
  readonly storeKey?: string;
}

function queriesOf(resource: Resource, { id }: Created): readonly Guarded[] {
  const { graphql: names, scopes, keyMembers, endpoints } = resource;
  const read = { operation: 'query', selection: '{ __typename }' } as const;
  const within = keyMembers.slice(0, -1).map((name) => [name, { type: 'String!', value: 'none' }]);
  return [
    { call: { ...read, field: names.one, args: idArguments(resource, id) }, scopes: scopes.view },
    { call: { ...read, field: names.many, args: Object.fromEntries(within) }, scopes: scopes.view },
    ...endpoints.flatMap(({ query, parameters, scopes }) => {
      if (query === undefined) return [];
      const given = Object.entries(query.args).map(([name, parameter]) => {
        const { kind, presence } = parameters[parameter]!;
        return [name, { type: `${kind.input!.type}${presence === 'required' ? '!' : ''}`, value: kind.examples[0] }];
      });
      const inProject = scopes.filter((scope) => !scope.includes(':'));
      return [{ call: { ...read, field: query.name, args: Object.fromEntries(given) }, scopes: inProject }];
    }),
  ];
}

/** Mutations that are allowed to do their work and change nothing that is there; a create makes one more. */
function mutationsOf(resource: Resource, { id }: Created): readonly Guarded[] {
  const { graphql: names, scopes, lifecycle, inStore, draft } = resource;
  if (!names.hasMutations) return [];
  const write = { operation: 'mutation', selection: '{ __typename }' } as const;
  const named = idArguments(resource, lifecycle === 'versioned' ? id : randomUUID());
  const version = { version: { type: 'Long!', value: 999 } };
  const made = another(resource, minimalInput(resource, fullDraft(resource, platform)), 'made');
  const value = inputOf(names.draft, draft, made);
  const actions = { actions: { type: `[${names.updateAction}!]!`, value: [] } };
  const versioned: GraphqlCall[] = [
    { ...write, field: `update${names.mutation}`, args: { ...named, ...version, ...actions } },
    { ...write, field: `delete${names.mutation}`, args: { ...named, ...version } },
  ];
  const calls: readonly GraphqlCall[] = [
    createCall(resource, { value, selection: '{ __typename }' }),
    ...(lifecycle === 'versioned' ? versioned : [{ ...write, field: `delete${names.mutation}`, args: named }]),
  ];
  const inProject = calls.map((call) => ({ call, scopes: scopes.manage }));
  if (inStore === undefined || inStore.isReadOnly) return inProject;
  const ofStore = scopes.manage.flatMap((scope) => [scope, `${scope}:{storeKey}`]);
  const place = { storeKey: { type: 'KeyReferenceInput', value: ownStore } };
  const inOwnStore = calls.map((call) => {
    return { call: { ...call, args: { ...call.args, ...place } }, scopes: ofStore, storeKey: ownStore };
  });
  return [...inProject, ...inOwnStore];
}

async function isGuardedInGraphql(t: Test, resource: Resource, document: Created): Promise<void> {
  for (const { call, scopes, storeKey } of [...queriesOf(resource, document), ...mutationsOf(resource, document)]) {
    const name = `${call.operation} ${call.field}`;
    for (const [who, headers] of strangers)
      t.equal((await graphql(platform, call, headers)).status, 401, `${name}: ${who}`);
    for (const grant of grantsFor({ scopes, resource })) {
      const { status, body } = await graphql(platform, call, await headersOf(grant));
      if (mayDo(scopes, grant, storeKey)) t.equal(status, 200, `${name}: ${grant} may`);
      else
        t.match(
          { status, body },
          { status: 403, body: { errors: [{ extensions: { code: 'insufficient_scope' } }] } },
          `${name}: ${grant} may not`,
        );
    }
  }
}
