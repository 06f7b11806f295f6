import { GraphQLInterfaceType, GraphQLObjectType, GraphQLSchema, validateSchema } from 'graphql';
import type { Document, Endpoint, Resource } from '../engine/define.ts';
import { count, query, type QueryArguments } from '../engine/operations/query.ts';
import { projectText } from '../engine/operations/project.ts';
import type { ProjectDeclaration, Registry } from '../engine/registry.ts';
import { isAlwaysPresent, type OutputField } from '../fields/field.ts';
import { outputObject, outputTypesOf, parseObject } from '../fields/object.ts';
import { Parsing } from '../fields/parsing.ts';
import { specifiedInputs } from './aliases.ts';
import { identityArguments, identityOf, inputTypes, mutationFields, projectMutation } from './mutations.ts';
import { type FieldConfig, TypeRegistry } from './output-types.ts';
import { specifiedTypes } from './specified-types.ts';
import { parsedDocument } from './parsed-documents.ts';
import { kindOf, type QueryContext } from './resolvers.ts';

const versionedFields: ReadonlySet<string> = new Set([
  'id',
  'version',
  'createdAt',
  'lastModifiedAt',
  'createdBy',
  'lastModifiedBy',
]);

/** The schema of all resources: queries by id or key and for pages, what endpoints answer, and mutations. */
export function createSchema(registry: Registry): GraphQLSchema {
  const { resources, project } = registry;
  const declared = [...resources, project.resource];
  const types = new TypeRegistry(new Map(declared.flatMap(({ graphql }) => Object.entries(graphql.members))));
  for (const resource of declared) {
    types.declare(outputTypesOf(resource.fields));
    if (resource.graphql.hasMutations) types.declare(inputTypes(resource));
  }
  types.declare([...specifiedTypes, ...specifiedInputs]);
  addInterfaces(types, registry);
  for (const resource of resources) addResourceTypes(types, resource);
  types.add(types.object(outputObject(project.resource.typeName, project.resource.fields)));
  const schema = new GraphQLSchema({
    query: rootType('Query', () => [
      ...resources.map((resource) => queryFields(types, resource)),
      projectField(types, project),
    ]),
    mutation: rootType('Mutation', () => [
      ...resources.map((resource) => mutationFields(types, resource)),
      projectMutation(types, project),
    ]),
    types: [...types.all],
  });
  const [fault] = validateSchema(schema);
  if (fault !== undefined) throw fault;
  return schema;
}

function rootType(name: string, fields: () => readonly Record<string, FieldConfig>[]): GraphQLObjectType {
  return new GraphQLObjectType({ name, fields: () => Object.assign({}, ...fields()) as Record<string, FieldConfig> });
}

/** The interfaces of resources, whose members are read off the first versioned one. */
function addInterfaces(types: TypeRegistry, { resources, byKind }: Registry): void {
  const { fields } = resources.find(({ lifecycle }) => lifecycle === 'versioned')!;
  const shared: readonly OutputField[] = Object.entries(fields)
    .filter(([name]) => versionedFields.has(name))
    .flatMap(([name, field]) => field.kind.output.fields(name, isAlwaysPresent(field)));
  const add = (name: string, members: readonly OutputField[]): void =>
    types.add(
      new GraphQLInterfaceType({
        name,
        fields: () => types.fields(name, members),
        resolveType: (document) => byKind.get(kindOf(document) ?? '')?.typeName,
      }),
    );
  add('Versioned', shared);
  add(
    'ReferenceExpandable',
    shared.filter(({ name }) => name === 'id'),
  );
}

function addResourceTypes(types: TypeRegistry, resource: Resource): void {
  const { typeName, fields, graphql, createdIn } = resource;
  const output = outputObject(typeName, fields);
  types.add(types.object(output, graphql.interfaces));
  types.add(queryResultType(types, resource));
  if (createdIn !== undefined) {
    const { typeName: name, member, others } = createdIn;
    const members = Object.entries({ [member]: `${typeName}!`, ...others });
    types.add(types.object({ name, fields: members.map(([field, type]) => plainField(field, type)) }));
  }
  if (graphql.created === undefined) return;
  const { typeName: createdName, fields: more } = graphql.created;
  const moreFields = Object.entries(more).map(([name, type]) => plainField(name, type));
  types.add(types.object({ name: createdName, fields: [...output.fields, ...moreFields] }));
}

function plainField(name: string, type: string): OutputField {
  return { name, type, complexity: 1, read: (parent) => parent[name] };
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
  // The members that a path below the resource's own shares, such as the container of custom objects.
  const within = resource.keyMembers.slice(0, -1);
  const pageArguments = { where: 'String', sort: '[String!]', limit: 'Int', offset: 'Int' };
  return {
    [resource.graphql.one]: {
      type: types.output(resource.typeName),
      args: types.args(identityArguments(resource)),
      resolve: (_, args, context) => resolveOne(resource, args, context),
      extensions: queryComplexity,
    },
    [resource.graphql.many]: {
      type: types.output(`${resource.typeName}QueryResult!`),
      args: types.args({ ...pageArguments, ...Object.fromEntries(within.map((name) => [name, 'String!'])) }),
      resolve: (_, args, context) => resolveMany({ resource, within }, args, context),
      extensions: queryComplexity,
    },
    ...Object.assign({}, ...resource.endpoints.map((endpoint) => endpointField(types, resource, endpoint))),
  };
}

function projectField(types: TypeRegistry, { resource }: ProjectDeclaration): Record<string, FieldConfig> {
  return {
    [resource.graphql.one]: {
      type: types.output(`${resource.typeName}!`),
      resolve: (_, __, context) => {
        context.authorize(resource, 'view');
        return JSON.parse(projectText(context.engine, context.request)) as Document;
      },
      extensions: queryComplexity,
    },
  };
}

/** The query of an endpoint, which gives the results of the page that the endpoint answers with. */
function endpointField(types: TypeRegistry, resource: Resource, endpoint: Endpoint): Record<string, FieldConfig> {
  const { query: declared, parameters, scopes } = endpoint;
  if (declared === undefined) return {};
  const args = Object.entries(declared.args).map(([argument, parameter]): [string, string] => {
    const { kind, presence } = parameters[parameter]!;
    return [argument, presence === 'required' ? `${kind.input!.type}!` : kind.input!.type];
  });
  return {
    [declared.name]: {
      type: types.output(`[${resource.typeName}!]!`),
      args: types.args(Object.fromEntries(args)),
      resolve: async (_, given, context) => {
        context.authorize({ scopes: { view: scopes, manage: [] } }, 'view');
        if (!endpoint.isKept) context.engine.sources.noteMore();
        const named = Object.entries(declared.args).map(([argument, parameter]) => [parameter, given[argument]]);
        const parsing = new Parsing();
        const parsed = parseObject(parameters, Object.fromEntries(named), parsing);
        parsing.settle();
        const request = {
          context: context.request,
          resource,
          parameters: parsed!,
          body: {},
          draft: undefined,
          expand: [],
          sort: [],
        };
        const page = JSON.parse(await endpoint.run(context.engine, request)) as { results: readonly unknown[] };
        return page.results;
      },
      extensions: queryComplexity,
    },
  };
}

async function resolveOne(
  resource: Resource,
  args: Readonly<Record<string, unknown>>,
  context: QueryContext,
): Promise<unknown> {
  context.authorize(resource, 'view');
  const identity = identityOf(resource, args);
  const [found] = await context.engine.store.find(context.request.project.key, [{ kind: resource.kind, ...identity }]);
  return found === undefined ? null : parsedDocument(found.text);
}

async function resolveMany(
  { resource, within }: { readonly resource: Resource; readonly within: readonly string[] },
  args: Readonly<Record<string, unknown>>,
  context: QueryContext,
): Promise<ResultPage> {
  context.authorize(resource, 'view');
  const { engine, request } = context;
  const shared = new Map(within.map((name) => [name, String(args[name])]));
  const asked = { context: request, resource, within: shared, query: argumentsOf(args) };
  const page = await query(engine, asked);
  const results = page.results.map(parsedDocument);
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
