import type { GraphQLFieldConfig } from 'graphql';
import { apiError } from '../errors/api-error.ts';
import type { Action, Document, Endpoint, Resource } from '../engine/define.ts';
import { load } from '../engine/load.ts';
import { create } from '../engine/operations/create.ts';
import { remove } from '../engine/operations/delete.ts';
import { updateProject } from '../engine/operations/project.ts';
import { update } from '../engine/operations/update.ts';
import type { ProjectDeclaration } from '../engine/registry.ts';
import { upsert } from '../engine/operations/upsert.ts';
import type { InputField, InputObject } from '../fields/field.ts';
import { inputFields, inputTypesOf, isObject, parseObject, readInput } from '../fields/object.ts';
import { Parsing } from '../fields/parsing.ts';
import type { FieldConfig, TypeRegistry } from './output-types.ts';
import type { QueryContext } from './resolvers.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The input types of a resource's draft and update actions. */
export function inputTypes(resource: Resource): readonly (InputObject | ReturnType<typeof inputTypesOf>[number])[] {
  const { graphql, draft, actions } = resource;
  const draftTypes = resource.path === '' ? [] : [{ name: graphql.draft, fields: inputFields(draft) }];
  const actionTypes = actionNames(resource).map(([name, typeName]) => {
    const action = actions.get(name)!;
    return { name: typeName, fields: membersOf(action) };
  });
  const updateType = {
    name: graphql.updateAction,
    fields: actionNames(resource).map(([name, typeName]) => ({ name, type: typeName })),
  };
  return [
    ...draftTypes,
    ...actionTypes,
    ...resource.endpoints.flatMap(({ mutation, body }) =>
      mutation?.draft === undefined ? [] : [{ name: mutation.draft, fields: inputFields(body) }, ...inputTypesOf(body)],
    ),
    ...(actionTypes.length > 0 ? [updateType] : []),
    ...(draftTypes.length > 0 ? inputTypesOf(draft) : []),
    ...[...actions.values()].flatMap((action) => action.input?.types() ?? inputTypesOf(action.fields)),
  ];
}

/** GraphQL input objects cannot be empty, so an action without members has this one, which says nothing. */
const nothing: readonly InputField[] = [{ name: 'dummy', type: 'String' }];

function membersOf({ fields, input }: Action): readonly InputField[] {
  const members = input?.fields ?? inputFields(fields);
  return members.length > 0 ? members : nothing;
}

/** The actions that GraphQL has, with the names of their input types: `addLocation` of a Zone is `AddZoneLocation`. */
function actionNames({ graphql, actions }: Resource): readonly (readonly [name: string, typeName: string])[] {
  return [...actions.keys()].flatMap((name) => {
    const given = Object.hasOwn(graphql.actions, name) ? graphql.actions[name] : undefined;
    if (given === null) return [];
    const [, verb = '', rest = ''] = /^([a-z]+)(.*)$/.exec(name) ?? [];
    return [[name, given ?? `${verb[0]!.toUpperCase()}${verb.slice(1)}${graphql.actionNoun}${rest}`] as const];
  });
}

/** The mutations of a resource, by name. */
export function mutationFields(types: TypeRegistry, resource: Resource): Record<string, FieldConfig> {
  const { lifecycle, graphql } = resource;
  if (!graphql.hasMutations) return {};
  const { mutation } = graphql;
  const ofEndpoints = Object.assign(
    {},
    ...resource.endpoints.map((endpoint) => endpointMutation(types, resource, endpoint)),
  ) as Record<string, FieldConfig>;
  switch (lifecycle) {
    case 'versioned':
      return {
        [graphql.create ?? `create${mutation}`]: createField(types, resource),
        [`update${mutation}`]: updateField(types, resource),
        [`delete${mutation}`]: deleteField(types, resource),
        ...ofEndpoints,
      };
    case 'upserted':
      return {
        [`createOrUpdate${mutation}`]: createField(types, resource),
        [`delete${mutation}`]: deleteField(types, resource),
      };
    case 'fixed':
      return {
        [`create${mutation}`]: createField(types, resource),
        [`delete${mutation}`]: deleteField(types, resource),
      };
  }
}

const mutationComplexity = { complexity: 10 };

function createField(types: TypeRegistry, resource: Resource): FieldConfig {
  const { graphql, createdIn, typeName } = resource;
  return field(types, {
    type: createdIn === undefined ? (graphql.created?.typeName ?? typeName) : `${createdIn.typeName}!`,
    args: { draft: `${graphql.draft}!`, ...storeArgument(resource) },
    resolve: async ({ draft, storeKey }, context) => {
      const asked = { ...target(resource, storeKey, context), draft: readInput(resource.draft, objectOf(draft)) };
      if (resource.createWith !== undefined) return documentOf(await resource.createWith(context.engine, asked));
      if (resource.lifecycle !== 'upserted') return documentOf(await create(context.engine, asked));
      return documentOf((await upsert(context.engine, asked)).text);
    },
  });
}

/** The mutation of an endpoint. It needs the scopes that the endpoint needs. */
function endpointMutation(types: TypeRegistry, resource: Resource, endpoint: Endpoint): Record<string, FieldConfig> {
  const { mutation, body, answer } = endpoint;
  if (mutation === undefined) return {};
  const scopes = { view: [], manage: endpoint.scopes.filter((scope) => !scope.includes(':')) };
  const members = Object.fromEntries(inputFields(body).map(({ name, type }) => [name, type]));
  const config = field(types, {
    type:
      answer === 'created' && resource.createdIn !== undefined ? `${resource.createdIn.typeName}!` : resource.typeName,
    args: { ...(mutation.draft === undefined ? members : { draft: `${mutation.draft}!` }), ...storeArgument(resource) },
    resolve: async ({ storeKey, ...args }, context) => {
      const asked = { ...target({ ...resource, scopes }, storeKey, context), resource };
      const draft = readInput(body, mutation.draft === undefined ? args : objectOf(args['draft']));
      const parsing = new Parsing();
      const parsed = parseObject(body, draft, parsing);
      parsing.settle();
      await load(context.engine, asked.context.project.key, { lookups: [], identifiers: parsing.identifiers });
      const request = { ...asked, parameters: {}, body: parsed!, draft, sort: [] };
      return documentOf(await endpoint.run(context.engine, request));
    },
  });
  return { [mutation.name]: config };
}

function updateField(types: TypeRegistry, resource: Resource): FieldConfig {
  return field(types, {
    type: resource.typeName,
    args: {
      version: 'Long!',
      actions: `[${resource.graphql.updateAction}!]!`,
      ...identityArguments(resource),
      ...storeArgument(resource),
    },
    resolve: async ({ version, actions, storeKey, ...names }, context) => {
      const request = {
        ...target(resource, storeKey, context),
        identity: identityOf(resource, names),
        // The schema has typed the list.
        update: { version, actions: (actions as readonly unknown[]).map((given) => restAction(resource, given)) },
      };
      return documentOf(await update(context.engine, request));
    },
  });
}

function deleteField(types: TypeRegistry, resource: Resource): FieldConfig {
  const isVersioned = resource.lifecycle !== 'fixed';
  return field(types, {
    type: resource.typeName,
    args: {
      ...(isVersioned && { version: resource.lifecycle === 'versioned' ? 'Long!' : 'Long' }),
      ...identityArguments(resource),
      ...storeArgument(resource),
      ...(resource.holdsPersonalData &&
        resource.graphql.erasesPersonalData && { personalDataErasure: 'Boolean = false' }),
    },
    resolve: async ({ version, storeKey, personalDataErasure: _, ...names }, context) => {
      const identity = identityOf(resource, names);
      const expected = typeof version === 'number' ? version : undefined;
      return documentOf(
        await remove(context.engine, { ...target(resource, storeKey, context), identity, version: expected }),
      );
    },
  });
}

interface MutationField {
  readonly type: string;
  readonly args: Readonly<Record<string, string>>;
  resolve(args: Arguments, context: QueryContext): Promise<unknown>;
}

function field(types: TypeRegistry, { type, args, resolve }: MutationField): FieldConfig {
  const config: GraphQLFieldConfig<Readonly<Record<string, unknown>>, QueryContext> = {
    type: types.output(type),
    args: types.args(args),
    // What the mutations before this one loaded may have changed.
    resolve: (_, given, context) => resolve(given as Arguments, context).finally(() => context.forget()),
    extensions: mutationComplexity,
  };
  return config;
}

/** Resources are named by id or by the members of their key. */
export function identityArguments({ keyMembers }: Resource): Record<string, string> {
  if (keyMembers.length === 0) return { id: 'String!' };
  return { id: 'String', ...Object.fromEntries(keyMembers.map((name) => [name, 'String'])) };
}

export function identityOf(
  { keyMembers, typeName }: Resource,
  names: Arguments,
): { readonly id: string } | { readonly key: string } {
  const { id } = names;
  if (typeof id === 'string') return { id };
  const texts = keyMembers.map((name) => names[name]);
  if (texts.length > 0 && texts.every((text) => typeof text === 'string')) return { key: texts.join('/') };
  const key = keyMembers.length > 1 ? keyMembers.join(' and ') : 'key';
  throw apiError('InvalidInput', `The ${typeName} has to be named by its id or its ${key}.`);
}

function storeArgument({ inStore }: Resource): Record<string, string> {
  return inStore === undefined || inStore.isReadOnly ? {} : { storeKey: 'KeyReferenceInput' };
}

/** The update of the project's settings. */
export function projectMutation(types: TypeRegistry, { resource }: ProjectDeclaration): Record<string, FieldConfig> {
  const { graphql, typeName } = resource;
  const config = field(types, {
    type: typeName,
    args: { version: 'Long!', actions: `[${graphql.updateAction}!]!` },
    resolve: async ({ version, actions }, context) => {
      context.authorize(resource, 'manage');
      // The schema has typed the list.
      const update = { version, actions: (actions as readonly unknown[]).map((given) => restAction(resource, given)) };
      return documentOf(await updateProject(context.engine, { context: context.request, update }));
    },
  });
  return { [`update${graphql.mutation}`]: config };
}

/** What every operation of a mutation starts with, once the token is known to allow it. */
function target(
  resource: Resource,
  storeKey: unknown,
  context: QueryContext,
): { resource: Resource; context: QueryContext['request']; expand: readonly string[]; storeKey?: string } {
  const store = typeof storeKey === 'string' ? { storeKey } : {};
  context.authorize(resource, 'manage', store);
  return { resource, context: context.request, expand: [], ...store };
}

/** `{ changeName: { name } }` as `{ action: 'changeName', name }`. */
function restAction(resource: Resource, given: unknown): unknown {
  const members = Object.entries(objectOf(given)).filter(([, input]) => input !== null);
  const [first] = members;
  if (first === undefined || members.length > 1) {
    throw apiError('InvalidInput', `Each element of actions has exactly one member, but ${members.length} were given.`);
  }
  const [name, input] = first;
  // The schema has the declared actions only.
  const { fields, input: irregular } = resource.actions.get(name)!;
  const read = irregular === undefined ? readInput(fields, objectOf(input)) : irregular.read(objectOf(input));
  return { ...objectOf(read), action: name };
}

function objectOf(value: unknown): Readonly<Record<string, unknown>> {
  return isObject(value) ? value : {};
}

/** Representations are documents. */
function documentOf(text: string): Document {
  return JSON.parse(text) as Document;
}
