import { GraphQLInterfaceType, GraphQLObjectType, GraphQLSchema, validateSchema } from 'graphql';
import { requireShopper } from '../engine/access.ts';
import type { Project } from '../engine/context.ts';
import { type Document, versioned } from '../engine/document.ts';
import { documentOf } from '../engine/json.ts';
import type { ProjectDeclaration, Registry, Resource } from '../engine/resource.ts';
import { lookupOf } from '../engine/operations/get.ts';
import { previewed } from '../engine/operations/preview.ts';
import { count, query, queryVersions } from '../engine/operations/query.ts';
import { projectText } from '../engine/operations/project.ts';
import { isInPlace } from '../engine/place.ts';
import { isAnswerKind, isAnswerList } from '../engine/endpoint.ts';
import { settingsView, storePlace, viewsOf } from '../engine/views.ts';
import { type Fields, isAlwaysPresent, type OutputField } from '../fields/field.ts';
import { outputObject, outputTypesOf } from '../fields/object.ts';
import { specifiedInputs } from './aliases.ts';
import { addListTypes, listFields } from './endpoint-lists.ts';
import {
  endpointArguments,
  endpointFields,
  endpointTypes,
  findsOne,
  type Placed,
  type Queried,
  resolveEndpoint,
  servedEndpoints,
} from './endpoint-queries.ts';
import { findingArguments, findingName, formOf, foundBy, idsAmong, pageFindingArguments, shownIn } from './findings.ts';
import { type Asking, askingOf, type Held, mineMount, type Mount, ownMount, storeOf } from './mounts.ts';
import { endpointInputs, endpointMutations, inputTypes, mutationFields, projectMutation } from './mutations.ts';
import { QueryHolders } from './holders.ts';
import { ownQueryFields, ownQueryTypes } from './own-queries.ts';
import { type FieldConfig, previewComplexity, queryComplexity, TypeRegistry } from './output-types.ts';
import { argumentsOf, pageArguments, pageType, type ResultPage } from './pages.ts';
import { specifiedTypes } from './specified-types.ts';
import { measureFields } from './measured-fields.ts';
import type { ResourceFields } from './outline.ts';
import { anyVersion, kindOf, type QueryContext } from './resolvers.ts';

const versionedFields: ReadonlySet<string> = new Set(Object.keys(versioned));

/**
 * The schema of all resources: queries by id or key and for pages, what endpoints answer, and mutations; the same in a
 * store, and for what is a shopper's.
 */
export function createSchema(registry: Registry): GraphQLSchema {
  const { resources, project } = registry;
  const mine = resources.flatMap((resource) =>
    viewsOf(resource).filter(({ isMine, isInStore }) => isMine && !isInStore),
  );
  const declared = [...resources, project.resource, ...mine.map(({ resource }) => resource)];
  // The settings are not created, nor is the shopper.
  const alone = new Set([project.resource, ...mine.filter(({ isOne }) => isOne).map(({ resource }) => resource)]);
  const types = new TypeRegistry(new Map(declared.flatMap(({ graphql }) => Object.entries(graphql.members))));
  for (const resource of declared) declareTypes(types, resource, { isCreated: !alone.has(resource) });
  types.declare([...specifiedTypes, ...specifiedInputs]);
  addInterfaces(types, registry);
  for (const resource of resources) addResourceTypes(types, resource);
  for (const { resource } of mine.filter((view) => view.resource.shownFields !== view.resource.fields))
    addShownTypes(types, resource);
  types.add(types.object(outputObject(project.resource.typeName, project.resource.fields)));
  const schema = new GraphQLSchema({
    query: addHolders(types, registry),
    mutation: fieldsType('Mutation', () => [
      ...resources.map((resource) => ({
        ...mutationFields(types, ownMount(resource)),
        ...endpointMutations(types, resource),
      })),
      ...shoppersKinds(registry).map((kind) => mutationFields(types, mineMount(kind))),
      projectMutation(types, project),
    ]),
    types: [...types.all],
  });
  const [fault] = validateSchema(schema);
  if (fault !== undefined) throw fault;
  measureFields(schema);
  return schema;
}

/** The types that a resource's members, draft and actions need. */
function declareTypes(types: TypeRegistry, resource: Resource, { isCreated }: { readonly isCreated: boolean }): void {
  types.declare(outputTypesOf(resource.fields));
  if (resource.graphql.hasMutations) types.declare(inputTypes(resource, { isCreated }));
  types.declare(endpointInputs(resource));
  types.declare(endpointTypes(resource));
  types.declare(ownQueryTypes(resource));
}

function fieldsType(name: string, fields: () => readonly Record<string, FieldConfig>[]): GraphQLObjectType {
  return new GraphQLObjectType({ name, fields: () => Object.assign({}, ...fields()) as Record<string, FieldConfig> });
}

/** The types that hold the queries of a store, of a shopper, and of a shopper in a store; gives the root. */
function addHolders(types: TypeRegistry, registry: Registry): GraphQLObjectType {
  const { resources, project } = registry;
  const holders = new QueryHolders(types);
  const root = holders.make('Query', () => [
    ...resources.map((resource) => queryFields(types, { resource, isInStore: false })),
    ...resources.map((resource) => ownQueryFields(types, { resource, isInStore: false })),
    projectField(types, project),
    ...shopperFields(types, registry, { isInStore: false }),
    ...(hasStores(registry) ? [storeField(types)] : []),
  ]);
  if (hasStores(registry)) {
    const fields = (): readonly Record<string, FieldConfig>[] => [
      ...shopperFields(types, registry, { isInStore: true }),
      ...resources.map((resource) => queryFields(types, { resource, isInStore: true })),
      ...resources.map((resource) => ownQueryFields(types, { resource, isInStore: true })),
    ];
    types.add(holders.make('InStore', fields));
  }
  const shoppers: GraphQLObjectType[] = [];
  for (const { isInStore, typeName } of shopperHolders) {
    const kinds = mineIn(registry, isInStore);
    const fields = (): readonly Record<string, FieldConfig>[] => [
      ...kinds.map((kind) => mineFields(types, kind)),
      ...resources.map((resource) => endpointFields(types, { resource, isInStore, isMine: true })),
    ];
    if (kinds.length > 0) shoppers.push(holders.make(typeName, fields));
  }
  for (const shopper of shoppers) types.add(shopper);
  holders.addInterfaces(Object.assign({}, ...resources.map(({ graphql }) => graphql.queryInterfaces)), shoppers[0]);
  return root;
}

const shopperHolders = [
  { isInStore: false, typeName: 'Me' },
  { isInStore: true, typeName: 'InStoreMe' },
];

function hasStores({ resources }: Registry): boolean {
  return resources.some(({ inStore }) => inStore !== undefined);
}

function shoppersKinds({ resources }: Registry): readonly Resource[] {
  return resources.filter(({ mine }) => mine !== undefined);
}

/** The kinds that shoppers have, or have in a store. */
function mineIn(registry: Registry, isInStore: boolean): readonly Resource[] {
  return shoppersKinds(registry).filter(({ inStore }) => !isInStore || inStore !== undefined);
}

function storeField(types: TypeRegistry): Record<string, FieldConfig> {
  return {
    inStore: {
      type: types.output('InStore!'),
      args: types.args({ key: 'KeyReferenceInput!' }),
      // The scalar has typed the key.
      resolve: (_, { key }): Held => ({ storeKey: key as string }),
    },
  };
}

function shopperFields(
  types: TypeRegistry,
  registry: Registry,
  { isInStore }: { readonly isInStore: boolean },
): readonly Record<string, FieldConfig>[] {
  if (mineIn(registry, isInStore).length === 0) return [];
  const { typeName } = shopperHolders.find((holder) => holder.isInStore === isInStore)!;
  const me: FieldConfig = {
    type: types.output(`${typeName}!`),
    resolve: (parent, _, context): Held => {
      requireShopper(context.request, ['customer', 'anonymous']);
      return storePlace(storeOf(parent));
    },
  };
  return [{ me }];
}

/** What is the shopper's of a kind: a page and one of it, or the one resource that is the shopper. */
function mineFields(types: TypeRegistry, kind: Resource): Record<string, FieldConfig> {
  const mount = mineMount(kind);
  if (!mount.isOne) return mountedFields(types, mount);
  const { typeName, graphql } = mount.resource;
  return {
    [graphql.one]: {
      type: types.output(typeName),
      resolve: (parent, args, context) => {
        const asking = askingOf(parent, context);
        const { scopes, shoppers } = mount.view(asking.storeKey);
        context.authorize(scopes.one, asking.storeKey);
        // Shoppers alone get here.
        return shoppers!.includes(context.request.principal.shopper!.kind) ? resolveOne(mount, args, asking) : null;
      },
      extensions: queryComplexity,
    },
  };
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

/** Those of what is the shopper's, where that shows in part. */
function addShownTypes(types: TypeRegistry, { typeName, shownFields, graphql }: Resource): void {
  types.add(types.object(outputObject(typeName, shownFields), graphql.interfaces));
  types.add(pageType(types, typeName));
}

function addResourceTypes(types: TypeRegistry, resource: Resource): void {
  const { typeName, fields, graphql, createdIn, endpoints } = resource;
  const output = outputObject(typeName, fields);
  types.add(types.object(output, graphql.interfaces, () => listFields(types, resource)));
  addListTypes(types, resource);
  types.add(pageType(types, resource.typeName));
  if (createdIn !== undefined) {
    const { typeName: name, member, others } = createdIn;
    const members = Object.entries({ [member]: `${typeName}!`, ...others });
    types.add(types.object({ name, fields: members.map(([field, type]) => plainField(field, type)) }));
  }
  for (const { answer, mutation } of endpoints) {
    if (typeof answer === 'object' && !isAnswerKind(answer) && !isAnswerList(answer) && mutation?.answer !== undefined)
      addAnswerType(types, mutation.answer, answer);
  }
  if (graphql.created === undefined) return;
  const { typeName: createdName, fields: more } = graphql.created;
  const moreFields = Object.entries(more).map(([name, type]) => plainField(name, type));
  types.add(types.object({ name: createdName, fields: [...output.fields, ...moreFields] }));
}

function plainField(name: string, type: string): OutputField {
  return { name, type, complexity: 1, read: (parent) => parent[name] };
}

/** The type of an object that an endpoint answers with. */
function addAnswerType(types: TypeRegistry, sdl: string, fields: Fields): void {
  types.declare(outputTypesOf(fields));
  const isVersioned = [...versionedFields].every((name) => Object.hasOwn(fields, name));
  types.add(types.object(outputObject(sdl.replace(/!$/, ''), fields), isVersioned ? ['Versioned'] : []));
}

function queryFields(types: TypeRegistry, placed: Placed): Record<string, FieldConfig> {
  const { resource, isInStore } = placed;
  const isMounted = !isInStore || resource.inStore !== undefined;
  return {
    ...(isMounted && mountedFields(types, ownMount(resource), servedEndpoints(placed).filter(findsOne(resource)))),
    ...endpointFields(types, { ...placed, isMine: false }),
  };
}

export function resourceFieldsOf(schema: GraphQLSchema): ResourceFields {
  const fields = Object.values(schema.getQueryType()!.getFields());
  return Object.fromEntries(
    fields.flatMap(({ name, extensions }) => {
      const one = extensions['one'] as string | null | undefined;
      return one === undefined ? [] : [[name, one]];
    }),
  );
}

/** The query for one resource, which `lookups` find by other arguments too, and the one for pages. */
function mountedFields(
  types: TypeRegistry,
  mount: Mount,
  lookups: readonly Queried[] = [],
): Record<string, FieldConfig> {
  const { resource } = mount;
  // The members that a path below the resource's own shares, such as the container of custom objects.
  const within = resource.keyMembers.slice(0, -1);
  const others = Object.assign({}, ...lookups.map(endpointArguments)) as Record<string, string>;
  return {
    [resource.graphql.one]: {
      type: types.output(resource.typeName),
      args: types.args(
        { ...mount.names, ...optionalTypes(others), ...findingArguments(resource) },
        resource.graphql.one,
      ),
      resolve: (parent, args, context) => {
        const isGiven = (name: string): boolean => typeof args[name] === 'string';
        const lookup = lookups.find(({ query }) => Object.keys(query.args).every(isGiven));
        const request = askingOf(parent, context);
        return lookup === undefined || Object.keys(mount.names).some(isGiven)
          ? resolveOne(mount, args, request)
          : resolveEndpoint({ resource, endpoint: lookup }, args, request);
      },
      extensions: {
        ...(resource.preview === undefined ? queryComplexity : previewComplexity),
        ...takenApart(resource),
        form: Object.keys(resource.finding?.form ?? {}),
      },
    },
    [resource.graphql.many]: {
      type: types.output(`${resource.typeName}QueryResult!`),
      args: types.args({
        ...pageArguments,
        ...Object.fromEntries(within.map((name) => [name, 'String!'])),
        ...pageFindingArguments(resource),
      }),
      resolve: (parent, args, context) => resolveMany({ mount, within }, args, askingOf(parent, context)),
      extensions: { ...queryComplexity, ...takenApart(resource) },
    },
  };
}

/** What one of a list shows is not always what it shows alone, and a preview is made anew each time. */
function takenApart({ preview, graphql }: Resource): { readonly one: string | null } {
  return { one: preview === undefined ? graphql.one : null };
}

/** By the field that gives one of a kind: the arguments that say how what is found shows. */
export function formArgumentsOf(schema: GraphQLSchema): Record<string, readonly string[]> {
  const fields = Object.values(schema.getQueryType()!.getFields());
  return Object.fromEntries(
    fields.flatMap(({ name, extensions: { form } }) => (Array.isArray(form) && form.length > 0 ? [[name, form]] : [])),
  );
}

function optionalTypes(args: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(args).map(([name, type]) => [name, type.replace(/!$/, '')]));
}

function projectField(types: TypeRegistry, { resource }: ProjectDeclaration): Record<string, FieldConfig> {
  return {
    [resource.graphql.one]: {
      type: types.output(`${resource.typeName}!`),
      resolve: (_, __, context) => {
        context.authorize(settingsView(resource).scopes.many);
        return settingsOf(context);
      },
      extensions: queryComplexity,
    },
  };
}

/** The settings as they show: a project that has changed is another object. */
const settings = new WeakMap<Project, Document>();

function settingsOf({ engine, request }: QueryContext): Document {
  const known = settings.get(request.project);
  if (known !== undefined) return known;
  const document = documentOf(projectText(engine, request));
  settings.set(request.project, document);
  return document;
}

async function resolveOne(mount: Mount, args: Readonly<Record<string, unknown>>, asking: Asking): Promise<unknown> {
  const { context, storeKey, form } = asking;
  const { resource } = mount;
  const place = mount.enter(context, 'many', storeKey);
  const shown = formOf(resource, args);
  const isNamed = Object.keys(mount.names).some((name) => typeof args[name] === 'string');
  const isFoundBy = !isNamed && findingName(resource, args) !== undefined;
  const identity = isFoundBy ? undefined : mount.identity(place, args);
  if (form === 'outline' && identity !== undefined && 'id' in identity) return { ...identity, version: anyVersion };
  const found =
    identity === undefined
      ? await foundBy(resource, args, asking)
      : (await context.engine.store.find(context.request.project.key, [lookupOf(resource, identity)]))[0];
  if (found === undefined) return null;
  if (form === 'outline') return { id: found.id, version: found.version };
  const json = await previewed(context.writing, context.request, { resource, json: found.json });
  const document = await shownIn(resource, json, { form: shown, asking });
  return isInPlace(resource, document, place) ? document : null;
}

async function resolveMany(
  { mount, within }: { readonly mount: Mount; readonly within: readonly string[] },
  args: Readonly<Record<string, unknown>>,
  asking: Asking,
): Promise<ResultPage> {
  const { context, storeKey, form } = asking;
  const { resource } = mount;
  const place = mount.enter(context, 'many', storeKey);
  const { engine, request } = context;
  const shared = new Map(within.map((name) => [name, String(args[name])]));
  const shown = formOf(resource, args);
  const among = await idsAmong(resource, args, asking);
  const asked = {
    context: request,
    resource,
    within: shared,
    query: argumentsOf(args),
    ...(among !== undefined && { among }),
    ...place,
  };
  const { offset = 0 } = asked.query;
  const countAll = (): Promise<number> => count(engine, asked);
  if (form === 'whole') {
    const { results } = await query(engine, asked);
    const documents = await Promise.all(results.map((json) => shownIn(resource, json, { form: shown, asking })));
    return { offset, results: documents, countAll };
  }
  const { versions, total } = await queryVersions(engine, asked);
  return { offset, results: versions, countAll: total === undefined ? countAll : async () => total };
}
