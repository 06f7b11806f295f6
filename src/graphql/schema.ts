import { GraphQLInterfaceType, GraphQLObjectType, GraphQLSchema, validateSchema } from 'graphql';
import { apiError } from '../errors/api-error.ts';
import type { Document, Resource } from '../engine/define.ts';
import { count, query, type QueryArguments } from '../engine/operations/query.ts';
import type { Registry } from '../engine/registry.ts';
import { isAlwaysPresent, type OutputField } from '../fields/field.ts';
import { outputObject, outputTypesOf } from '../fields/object.ts';
import { type FieldConfig, TypeRegistry } from './output-types.ts';
import type { QueryContext } from './resolvers.ts';

const versionedFields: ReadonlySet<string> = new Set([
  'id',
  'version',
  'createdAt',
  'lastModifiedAt',
  'createdBy',
  'lastModifiedBy',
]);

/** The schema of all resources: for each one query by id or key, and one for pages. */
export function createSchema(registry: Registry): GraphQLSchema {
  const types = new TypeRegistry();
  for (const resource of registry.resources) types.declare(outputTypesOf(resource.fields));
  addVersioned(types, registry.resources[0]!);
  for (const resource of registry.resources)
    types.add(types.object(outputObject(resource.typeName, resource.fields), ['Versioned']));
  for (const resource of registry.resources) types.add(queryResultType(types, resource));
  const schema = new GraphQLSchema({
    query: new GraphQLObjectType({
      name: 'Query',
      fields: () =>
        Object.assign({}, ...registry.resources.map((resource) => queryFields(types, resource))) as Record<
          string,
          FieldConfig
        >,
    }),
    types: [...types.all],
  });
  const [fault] = validateSchema(schema);
  if (fault !== undefined) throw fault;
  return schema;
}

/** The interface that all resources implement, read off the first of them. */
function addVersioned(types: TypeRegistry, { fields }: Resource): void {
  const shared: readonly OutputField[] = Object.entries(fields)
    .filter(([name]) => versionedFields.has(name))
    .flatMap(([name, field]) => field.kind.output.fields(name, isAlwaysPresent(field)));
  types.add(
    new GraphQLInterfaceType({ name: 'Versioned', fields: () => types.fields(shared), resolveType: () => undefined }),
  );
}

/** A page, with what it takes to count all matches when `total` is selected. */
interface ResultPage extends Readonly<Record<string, unknown>> {
  readonly offset: number;
  readonly results: readonly Document[];
  readonly countAll: () => Promise<number>;
}

function queryResultType(types: TypeRegistry, resource: Resource): GraphQLObjectType {
  const page = (parent: Readonly<Record<string, unknown>>): ResultPage => parent as ResultPage;
  const plain = { complexity: 1 };
  const fields = (): Record<string, FieldConfig> => ({
    offset: { type: types.output('Int!'), resolve: (parent) => page(parent).offset, extensions: plain },
    count: { type: types.output('Int!'), resolve: (parent) => page(parent).results.length, extensions: plain },
    total: { type: types.output('Long!'), resolve: (parent) => page(parent).countAll(), extensions: plain },
    exists: {
      type: types.output('Boolean!'),
      resolve: async (parent) =>
        page(parent).results.length > 0 || (page(parent).offset > 0 && (await page(parent).countAll()) > 0),
      extensions: plain,
    },
    results: {
      type: types.output(`[${resource.typeName}!]!`),
      resolve: (parent) => page(parent).results,
      extensions: plain,
    },
  });
  return new GraphQLObjectType({ name: `${resource.typeName}QueryResult`, fields });
}

const queryComplexity = { complexity: 5 };

function queryFields(types: TypeRegistry, resource: Resource): Record<string, FieldConfig> {
  const text = { type: types.input('String') };
  const texts = { type: types.input('[String!]') };
  const int = { type: types.input('Int') };
  return {
    [resource.queryNames.one]: {
      type: types.output(resource.typeName),
      args: { id: text, key: text },
      resolve: (_, args, context) => resolveOne(resource, args, context),
      extensions: queryComplexity,
    },
    [resource.queryNames.many]: {
      type: types.output(`${resource.typeName}QueryResult!`),
      args: { where: text, sort: texts, limit: int, offset: int },
      resolve: (_, args, context) => resolveMany(resource, args, context),
      extensions: queryComplexity,
    },
  };
}

async function resolveOne(
  resource: Resource,
  args: Readonly<Record<string, unknown>>,
  context: QueryContext,
): Promise<unknown> {
  context.authorize(resource);
  const { id, key } = args;
  const identity = typeof id === 'string' ? { id } : typeof key === 'string' ? { key } : undefined;
  if (identity === undefined)
    throw apiError('InvalidInput', `The query needs the id or the key of the ${resource.typeName}.`);
  // A resource that takes over a key, or comes to be, changes the answer too.
  context.dependsOn(resource.kind);
  const [found] = await context.engine.store.find(context.request.project.key, [{ kind: resource.kind, ...identity }]);
  return found === undefined ? null : JSON.parse(found.text);
}

async function resolveMany(
  resource: Resource,
  args: Readonly<Record<string, unknown>>,
  context: QueryContext,
): Promise<ResultPage> {
  context.authorize(resource);
  context.dependsOn(resource.kind);
  const { engine, request } = context;
  const asked = { context: request, resource, query: argumentsOf(args) };
  const page = await query(engine, asked);
  // Representations are documents.
  const results = page.results.map((text) => JSON.parse(text) as Document);
  return { offset: page.offset, results, countAll: () => count(engine, asked) };
}

/** The schema has typed the arguments. */
function argumentsOf({ where, sort, limit, offset }: Readonly<Record<string, unknown>>): QueryArguments {
  return {
    where: typeof where === 'string' ? [where] : [],
    variables: new Map(),
    sort: Array.isArray(sort) ? (sort as string[]) : [],
    expand: [],
    limit: typeof limit === 'number' ? limit : undefined,
    offset: typeof offset === 'number' ? offset : undefined,
    withTotal: false,
  };
}
