/**
 * Every query and mutation of the schema, also those of stores and shoppers, with every kind of token. Who may use which
 * follows from the declarations; a field that they do not explain fails.
 */
import { randomUUID } from 'node:crypto';
import {
  getNamedType,
  type GraphQLField,
  type GraphQLInputType,
  type GraphQLObjectType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import t, { type Test } from 'tap';
import type { Endpoint, Mine, Resource } from '../../src/engine/resource.ts';
import type { Shopper } from '../../src/engine/context.ts';
import { allResources } from '../../src/resources/all.ts';
import { project } from '../../src/resources/project/resource.ts';
import { callersOf, grantsFor, type Headers, mayDo, ownStore } from '../support/access.ts';
import { schema } from '../support/graphql-values.ts';
import { type Answer, startPlatform } from '../support/platform.ts';

const platform = await startPlatform(t);
const { projectKey } = platform;
const { headersOf, strangers } = await callersOf(platform);

/** What a field asks of a token. */
interface Access {
  /** One of these, in the project; none where the field only leads on. */
  readonly scopes: readonly string[];
  /** One of these, where it is for a store. */
  readonly storeScopes: readonly string[];
  /** The token has to be one of these; undefined where it is any client's. */
  readonly shoppers?: readonly Shopper[];
}

const anyShopper: readonly Shopper[] = ['customer', 'anonymous'];
const shopperScopes = [...new Set(allResources.flatMap(({ mine }) => mine?.scopes ?? []))];

function alike(scopes: readonly string[], shoppers?: readonly Shopper[]): Access {
  const storeScopes = scopes.flatMap((scope) => [scope, `${scope}:{storeKey}`]);
  return { scopes, storeScopes, ...(shoppers !== undefined && { shoppers }) };
}

/** Of those that name a store. */
function accessOf(scopes: readonly string[]): Access {
  return { scopes: scopes.filter((scope) => !scope.includes(':')), storeScopes: scopes };
}

function accessOfEndpoint({ scopes, shoppers }: Endpoint): Access {
  return { ...accessOf(scopes), ...(shoppers !== undefined && { shoppers }) };
}

type Entry = readonly [field: string, access: Access];

function resourceEntries(resource: Resource): readonly Entry[] {
  const { graphql: names, scopes, published, inStore, endpoints, queries } = resource;
  const view = alike([...scopes.view, ...(published?.scopes ?? [])]);
  const holders = inStore === undefined ? ['Query'] : ['Query', 'InStore'];
  return [
    ...holders.flatMap((holder): Entry[] => [
      [`${holder}.${names.one}`, view],
      [`${holder}.${names.many}`, view],
    ]),
    ...mutationNames(resource).map((name): Entry => [`Mutation.${name}`, alike(scopes.manage)]),
    ...endpoints.flatMap((endpoint) => endpointEntries(resource, endpoint)),
    ...queries.flatMap(({ name, places, scopes: needed }) =>
      places.map((place): Entry => [`${place === 'inStore' ? 'InStore' : 'Query'}.${name}`, accessOf(needed)]),
    ),
  ];
}

function mutationNames({ lifecycle, graphql: { hasMutations, create, mutation } }: Resource): readonly string[] {
  if (!hasMutations) return [];
  const creates = create ?? (lifecycle === 'upserted' ? `createOrUpdate${mutation}` : `create${mutation}`);
  if (lifecycle === 'final') return [creates];
  return [creates, `delete${mutation}`, ...(lifecycle === 'versioned' ? [`update${mutation}`] : [])];
}

function endpointEntries({ graphql: names }: Resource, endpoint: Endpoint): readonly Entry[] {
  const { query, mutation, path, isInStore } = endpoint;
  const access = accessOfEndpoint(endpoint);
  const holders = path.startsWith('/me/') ? ['Me', 'InStoreMe'] : ['Query', 'InStore'];
  const served = isInStore ? holders : holders.slice(0, 1);
  return [
    ...(mutation === undefined ? [] : [[`Mutation.${mutation.name}`, access] as const]),
    // One more way to find one resource.
    ...(query === undefined || query.name === names.one
      ? []
      : served.map((one): Entry => [`${one}.${query.name}`, access])),
  ];
}

function mineEntries({ resource, path, scopes, owners }: Mine): readonly Entry[] {
  const { graphql: names, inStore } = resource;
  const shoppers = anyShopper.filter((kind) => owners[kind] !== undefined);
  const holders = inStore === undefined ? ['Me'] : ['Me', 'InStoreMe'];
  const mutations = mutationNames(resource).filter((name) => path !== '' || !name.startsWith('create'));
  return [
    // A session of nobody has no such resource: null.
    ...holders.map((holder): Entry => [`${holder}.${names.one}`, alike(scopes, path === '' ? anyShopper : shoppers)]),
    ...(path === '' ? [] : holders.map((holder): Entry => [`${holder}.${names.many}`, alike(scopes, shoppers)])),
    ...mutations.map((name): Entry => [`Mutation.${name}`, alike(scopes, shoppers)]),
  ];
}

const { graphql: settings, scopes: settingsScopes } = project.resource;

const declared: ReadonlyMap<string, Access> = new Map<string, Access>([
  ...allResources.flatMap(resourceEntries),
  ...allResources.flatMap(({ mine }) => (mine === undefined ? [] : mineEntries(mine))),
  [`Query.${settings.one}`, alike(settingsScopes.view)],
  [`Mutation.update${settings.mutation}`, alike(settingsScopes.manage)],
]);

/** Types whose fields are queries. */
const holders: ReadonlySet<string> = new Set(['Me', 'InStore', 'InStoreMe']);

type AnyField = GraphQLField<unknown, unknown>;

/** A field with those that it is below. */
interface Leaf {
  readonly name: string;
  readonly operation: 'query' | 'mutation';
  readonly path: readonly AnyField[];
}

function leavesOf(type: GraphQLObjectType, operation: Leaf['operation'], above: readonly AnyField[]): readonly Leaf[] {
  return Object.values(type.getFields()).flatMap((field): readonly Leaf[] => {
    const path = [...above, field];
    const given = getNamedType(field.type);
    if (isObjectType(given) && holders.has(given.name)) return leavesOf(given, operation, path);
    return [{ name: `${type.name}.${field.name}`, operation, path }];
  });
}

const leaves = [
  ...leavesOf(schema.getQueryType()!, 'query', []),
  ...leavesOf(schema.getMutationType()!, 'mutation', []),
];

/** A value that the type takes, and that names nothing that is there. */
function sample(type: GraphQLInputType): unknown {
  if (isNonNullType(type)) return sample(type.ofType as GraphQLInputType);
  if (isListType(type)) return [];
  if (isEnumType(type)) return type.getValues()[0]!.name;
  if (isInputObjectType(type)) {
    const members = Object.values(type.getFields()).filter((member) => isNonNullType(member.type));
    return Object.fromEntries(members.map((member) => [member.name, sample(member.type)]));
  }
  const value = samples.get(type.name);
  if (value === undefined) throw new Error(`There is no sample of ${type.name}`);
  return value;
}

const samples: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['String', 'none'],
  ['Int', 1],
  ['Long', 999],
  ['Float', 0.5],
  ['BigDecimal', 0.5],
  ['Boolean', false],
  ['Country', 'DE'],
  ['Currency', 'EUR'],
  ['Locale', 'en'],
  ['KeyReferenceInput', ownStore],
]);

/** Calls the field with what it has to have, with an id where it takes one, and for the store where it is for one. */
function call(
  { operation, path }: Leaf,
  headers: Headers,
  { isInStore }: { readonly isInStore: boolean },
): Promise<Answer> {
  const declarations: string[] = [];
  const variables: Record<string, unknown> = {};
  const texts = path.map((field, depth) => {
    const wanted = field.args.filter(({ name, type }) => {
      return isNonNullType(type) || name === 'id' || (name === 'storeKey' && isInStore);
    });
    const passed = wanted.map(({ name, type }) => {
      const variable = `${name}${depth}`;
      declarations.push(`$${variable}: ${String(type)}`);
      variables[variable] = name === 'id' ? randomUUID() : sample(type);
      return `${name}: $${variable}`;
    });
    return passed.length === 0 ? field.name : `${field.name}(${passed.join(', ')})`;
  });
  const head = declarations.length === 0 ? '' : `(${declarations.join(', ')})`;
  const query = `${operation} ${head} { ${texts.join(' { ')} { __typename } ${'}'.repeat(texts.length)}`;
  return platform.request('POST', '/graphql', { query, variables }, headers);
}

t.test('the declarations explain each field of the schema, and no other', async (t) => {
  t.strictSame(leaves.map(({ name }) => name).toSorted(), [...declared.keys()].toSorted());
});

for (const leaf of leaves) {
  const access = declared.get(leaf.name);
  if (access === undefined) continue;
  const isOfStore = leaf.path.some(({ name }) => name === 'inStore');
  const takesStore = leaf.path.at(-1)!.args.some(({ name }) => name === 'storeKey');
  t.test(leaf.name, async (t) => {
    if (!isOfStore) await isGuarded(t, { leaf, access, isInStore: false });
    if (isOfStore || takesStore) await isGuarded(t, { leaf, access, isInStore: true });
  });
}

interface Guarded {
  readonly leaf: Leaf;
  readonly access: Access;
  readonly isInStore: boolean;
}

async function isGuarded(t: Test, { leaf, access, isInStore }: Guarded): Promise<void> {
  const where = isInStore ? ' in a store' : '';
  const needed = isInStore ? access.storeScopes : access.scopes;
  const storeKey = isInStore ? ownStore : undefined;
  const { shoppers } = access;
  for (const [who, headers] of strangers)
    t.equal((await call(leaf, headers, { isInStore })).status, 401, `${who} may not${where}`);
  let admitted = 0;
  for (const [shopper, own] of sessions) {
    const isOne = shopper !== undefined && shoppers?.includes(shopper) === true;
    // What asks for no shopper takes one's token like any other, so the scopes that shoppers have are enough to try.
    const isTriedInFull = shoppers !== undefined || shopper === undefined;
    const near = isTriedInFull ? [...needed, ...shopperScopes] : shopperScopes;
    for (const grant of grantsFor(projectKey, near)) {
      const { status, body } = await call(leaf, await headersOf(grant, ...own), { isInStore });
      const what = `${grant} as ${shopper ?? 'a client'}${where}`;
      if (mayDo({ projectKey, storeKey, needed }, grant) && (shoppers === undefined || isOne)) {
        admitted += 1;
        t.equal(status, 200, `${what} may: ${JSON.stringify(body)}`);
      } else
        t.match(
          { status, body },
          { status: 403, body: { errors: [{ extensions: { code: 'insufficient_scope' } }] } },
          `${what} may not`,
        );
    }
  }
  t.ok(admitted > needed.length, 'each listed scope was tried, and manage_project');
}

/** Whose session a token is, and the scope that says so. */
const sessions: readonly (readonly [shopper: Shopper | undefined, scopes: readonly string[]])[] = [
  [undefined, []],
  ['customer', [`customer_id:${randomUUID()}`]],
  ['anonymous', [`anonymous_id:${randomUUID()}`]],
];
