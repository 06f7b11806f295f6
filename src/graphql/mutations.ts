import type { GraphQLFieldConfig } from 'graphql';
import { apiError } from '../errors/api-error.ts';
import type { Action, Endpoint, ProjectDeclaration, Resource } from '../engine/resource.ts';
import { documentOf } from '../engine/json.ts';
import { load } from '../engine/load.ts';
import { create } from '../engine/operations/create.ts';
import { remove } from '../engine/operations/delete.ts';
import { updateProject } from '../engine/operations/project.ts';
import { update } from '../engine/operations/update.ts';
import { type Place, throwIfEnded } from '../engine/context.ts';
import type { Fields, InputField, InputObject } from '../fields/field.ts';
import { inputFields, inputTypesOf, isObject, parseObject, readInput } from '../fields/object.ts';
import { Parsing } from '../fields/parsing.ts';
import { settingsView } from '../engine/views.ts';
import { enterEndpoint, type Mount } from './mounts.ts';
import type { FieldConfig, TypeRegistry } from './output-types.ts';
import type { QueryContext } from './resolvers.ts';

type Arguments = Readonly<Record<string, unknown>>;

/** The input types of a resource's draft, where it is created, and of its update actions. */
export function inputTypes(resource: Resource, { isCreated }: { readonly isCreated: boolean }): readonly InputType[] {
  const { graphql, draft, actions } = resource;
  const names = actionNames(resource);
  const taken = names.map(([name]) => actions.get(name)!);
  return [
    ...(isCreated ? [{ name: graphql.draft, fields: inputFields(draft) }] : []),
    ...names.map(([, typeName], index) => ({ name: typeName, fields: membersOf(taken[index]!) })),
    ...(names.length > 0
      ? [{ name: graphql.updateAction, fields: names.map(([name, type]) => ({ name, type })) }]
      : []),
    ...(isCreated ? inputTypesOf(draft) : []),
    ...taken.flatMap(({ input, fields }) => input?.types() ?? inputTypesOf(fields)),
  ];
}

type InputType = InputObject | ReturnType<typeof inputTypesOf>[number];

/** The input types of endpoints' mutations. */
export function endpointInputs({ endpoints }: Resource): readonly InputType[] {
  return endpoints.flatMap(({ mutation, body }) => {
    if (mutation === undefined) return [];
    const draft = mutation.draft === undefined ? [] : [{ name: mutation.draft, fields: inputFields(body) }];
    return [...draft, ...inputTypesOf(body)];
  });
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
export function mutationFields(types: TypeRegistry, mount: Mount): Record<string, FieldConfig> {
  const { lifecycle, graphql } = mount.resource;
  if (!graphql.hasMutations) return {};
  const { mutation } = graphql;
  const removal = { [`delete${mutation}`]: deleteField(types, mount) };
  switch (lifecycle) {
    case 'versioned':
      return {
        // What is alone is there.
        ...(!mount.isOne && { [graphql.create ?? `create${mutation}`]: createField(types, mount) }),
        [`update${mutation}`]: updateField(types, mount),
        ...removal,
      };
    case 'upserted':
      return { [`createOrUpdate${mutation}`]: createField(types, mount), ...removal };
    case 'fixed':
      return { [`create${mutation}`]: createField(types, mount), ...removal };
    case 'final':
      return { [graphql.create ?? `create${mutation}`]: createField(types, mount) };
    case 'told':
      return {};
  }
}

/** The mutations of a resource's endpoints, by name. They need what the endpoints need, and take what is in the path as arguments. */
export function endpointMutations(types: TypeRegistry, resource: Resource): Record<string, FieldConfig> {
  return Object.fromEntries(
    resource.endpoints.flatMap((endpoint) => {
      const { mutation } = endpoint;
      return mutation === undefined
        ? []
        : [[mutation.name, endpointMutation(types, resource, { ...endpoint, mutation })]];
    }),
  );
}

const mutationComplexity = { complexity: 10 };

function createField(types: TypeRegistry, mount: Mount): FieldConfig {
  const { resource } = mount;
  const { graphql, createdIn, typeName } = resource;
  return field(types, {
    type: createdIn === undefined ? (graphql.created?.typeName ?? typeName) : `${createdIn.typeName}!`,
    args: { draft: `${graphql.draft}!`, ...storeArgument(resource) },
    resolve: async ({ draft, storeKey }, context) => {
      const asked = { ...target(mount, storeKey, context), draft: readInput(resource.draft, objectOf(draft)) };
      return documentOf((await create(context.writing, asked)).json);
    },
  });
}

function endpointMutation(
  types: TypeRegistry,
  resource: Resource,
  endpoint: Endpoint & { readonly mutation: NonNullable<Endpoint['mutation']> },
): FieldConfig {
  const { mutation, parameters, body, isInStore } = endpoint;
  const membersIn = (fields: Fields): Record<string, string> =>
    Object.fromEntries(inputFields(fields).map(({ name, type }) => [name, type]));
  return field(types, {
    holder: mutation.name,
    type: answerType(resource, endpoint),
    args: {
      ...membersIn(parameters),
      ...(mutation.draft === undefined ? membersIn(body) : { draft: `${mutation.draft}!` }),
      ...(isInStore && { storeKey: 'KeyReferenceInput' }),
    },
    resolve: async ({ storeKey, ...args }, context) => {
      const store = textOf(storeKey);
      const place = enterEndpoint({ resource, endpoint }, store, context);
      const draft = readInput(body, mutation.draft === undefined ? args : objectOf(args['draft']));
      const parsing = new Parsing();
      const parsed = parseObject(body, draft, parsing);
      const named = parseObject(parameters, readInput(parameters, args), parsing);
      parsing.settle();
      await load(context.writing, context.request, { parsing });
      const asked = { context: context.request, resource, parameters: named!, expand: [], sort: [], ...place };
      return documentOf(await endpoint.run(context.writing, { ...asked, body: parsed!, draft }));
    },
  });
}

function answerType({ typeName, createdIn }: Resource, { answer, mutation }: Endpoint): string {
  if (typeof answer === 'object') return mutation!.answer!;
  return answer === 'created' && createdIn !== undefined ? `${createdIn.typeName}!` : typeName;
}

function updateField(types: TypeRegistry, mount: Mount): FieldConfig {
  const { resource, names: identity } = mount;
  const { typeName, graphql } = resource;
  return field(types, {
    type: typeName,
    args: {
      version: 'Long!',
      actions: `[${graphql.updateAction}!]!`,
      ...(resource.preview !== undefined && { dryRun: 'Boolean = false' }),
      ...identity,
      ...storeArgument(resource),
    },
    resolve: async ({ version, actions, dryRun, storeKey, ...names }, context) => {
      const asked = target(mount, storeKey, context);
      const request = {
        ...asked,
        identity: mount.identity(asked, names),
        update: {
          version,
          // The schema has typed the list.
          actions: (actions as readonly unknown[]).map((given) => restAction(resource, given)),
          ...(dryRun === true && { dryRun }),
        },
      };
      return documentOf(await update(context.writing, request));
    },
  });
}

function deleteField(types: TypeRegistry, mount: Mount): FieldConfig {
  const { resource, names: identity } = mount;
  const { lifecycle, typeName, graphql } = resource;
  return field(types, {
    type: typeName,
    args: {
      ...(lifecycle !== 'fixed' && { version: lifecycle === 'versioned' ? 'Long!' : 'Long' }),
      ...identity,
      ...storeArgument(resource),
      ...(graphql.erasesPersonalData && { personalDataErasure: 'Boolean = false' }),
    },
    resolve: async ({ version, storeKey, personalDataErasure, ...names }, context) => {
      const asked = target(mount, storeKey, context);
      const expected = typeof version === 'number' ? version : undefined;
      const erases = personalDataErasure === true;
      const request = { ...asked, identity: mount.identity(asked, names), version: expected, erases };
      return documentOf(await remove(context.writing, request));
    },
  });
}

interface MutationField {
  /** Where arguments are found that are said otherwise than the fields derive. */
  readonly holder?: string;
  readonly type: string;
  readonly args: Readonly<Record<string, string>>;
  resolve(args: Arguments, context: QueryContext): Promise<unknown>;
}

function field(types: TypeRegistry, { holder, type, args, resolve }: MutationField): FieldConfig {
  const config: GraphQLFieldConfig<Readonly<Record<string, unknown>>, QueryContext> = {
    type: types.output(type),
    args: types.args(args, holder),
    resolve: async (_, given, context) => {
      throwIfEnded(context.request);
      try {
        const shown = await resolve(given as Arguments, context);
        context.noteWrite();
        return shown;
      } finally {
        // What the mutations before this one loaded may have changed.
        context.forget();
      }
    },
    extensions: mutationComplexity,
  };
  return config;
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
      context.authorize(settingsView(resource).scopes.change);
      // The schema has typed the list.
      const update = { version, actions: (actions as readonly unknown[]).map((given) => restAction(resource, given)) };
      return documentOf(await updateProject(context.writing, { context: context.request, update }));
    },
  });
  return { [`update${graphql.mutation}`]: config };
}

/** What every operation of a mutation starts with, once the token is known to allow it. */
function target(mount: Mount, storeKey: unknown, context: QueryContext): MutationTarget {
  const place = mount.enter(context, 'change', textOf(storeKey));
  return { resource: mount.resource, context: context.request, expand: [], ...place };
}

interface MutationTarget extends Place {
  readonly resource: Resource;
  readonly context: QueryContext['request'];
  readonly expand: readonly string[];
}

/** The scalar has typed the argument; it may be null. */
function textOf(storeKey: unknown): string | undefined {
  return typeof storeKey === 'string' ? storeKey : undefined;
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
