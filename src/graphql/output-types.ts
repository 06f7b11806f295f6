/**
 * GraphQL. It turns declarations into a schema and runs queries on it through the engine's operations. No resource is
 * named here, and no SQL or HTTP is spoken.
 */
import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  type GraphQLInputFieldConfig,
  GraphQLInputObjectType,
  GraphQLInterfaceType,
  type InputValueDefinitionNode,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLInputType,
  type GraphQLNullableType,
  type GraphQLOutputType,
  type GraphQLType,
  Kind,
  parse,
  parseType,
  specifiedScalarTypes,
  type TypeNode,
  valueFromAST,
} from 'graphql';
import { apiError } from '../errors/api-error.ts';
import type { InputField, InputObject, OutputField, OutputObject, OutputType } from '../fields/field.ts';
import { isObject } from '../fields/object.ts';
import type { ArgumentCost } from './complexity.ts';
import { noRoom } from './execution-errors.ts';
import { kindOf, type QueryContext } from './resolvers.ts';
import { scalars } from './scalars.ts';

export type FieldConfig = GraphQLFieldConfig<Readonly<Record<string, unknown>>, QueryContext>;

type Resolve = NonNullable<FieldConfig['resolve']>;

/** Score of a query of the root, of a store's or of a shopper's. */
export const queryComplexity = { complexity: 5 };

/** Of one that makes of a resource what it would bring about, for which others are asked too. */
export const previewComplexity = { complexity: 3000 };

/** Of one that may look at all there is, and looks again for each filter, facet and sort. */
export const searchComplexity: { readonly complexity: number; readonly argumentCost: ArgumentCost } = {
  complexity: 50,
  argumentCost: { measure: 'characters', cost: 0.5 },
};

/** Of fields that pick by lists, for each of what they are read of. */
const listCost: ArgumentCost = { measure: 'elements', cost: 0.2 };

/** Elements of a list that is an argument of a field: as many as results of a page. */
const argumentElementsMax = 500;

/** So few elements are gone through at once. */
const fewElements = 100;

/** Throws InvalidInput for lists of arguments that are longer: a field goes through them for each object that it is read of. */
function withShortLists(field: OutputField, resolve: Resolve): Resolve {
  const lists = listsOf(field);
  if (lists.length === 0) return resolve;
  return (parent, args, context, info) => {
    const tooLong = lists.find((name) => Array.isArray(args[name]) && args[name].length > argumentElementsMax);
    if (tooLong === undefined) return resolve(parent, args, context, info);
    const problem = `The argument '${tooLong}' of '${field.name}' has more than ${argumentElementsMax} elements.`;
    throw apiError('InvalidInput', problem);
  };
}

/** What a field gives when its answer has no more room; undefined where it cannot but say what there is. */
function emptyOf({ empty }: OutputField, sdl: string): object | null | undefined {
  if (empty !== undefined) return empty;
  if (sdl.startsWith('[')) return [];
  return sdl.endsWith('!') ? undefined : null;
}

/**
 * Who throws would have a list of what may not be absent forget the promises of its other elements, whose rejection then ends
 * the process; what is rejected is waited for with them. Each error is counted.
 */
function rejecting(resolve: Resolve): Resolve {
  return (parent, args, context, info) => {
    try {
      const value = resolve(parent, args, context, info);
      return value instanceof Promise ? value.catch((error: unknown) => rejected(context, error)) : value;
    } catch (error) {
      return rejected(context, error);
    }
  };
}

function rejected({ size }: QueryContext, error: unknown): Promise<never> {
  if (error !== noRoom) size.takesError();
  return Promise.reject(error as Error);
}

/** Running code cannot be broken off: of what is too large already as little as may be is made. */
function whileThereIsRoom(field: OutputField, sdl: string, resolve: Resolve): Resolve {
  const empty = emptyOf(field, sdl);
  if (empty !== undefined)
    return (parent, args, context, info) => (context.size.isOver ? empty : resolve(parent, args, context, info));
  // To read what may not be absent takes as long as to say that there is no room for it.
  if (isAtHand(field)) return resolve;
  return (parent, args, context, info) => {
    if (context.size.isOver) throw noRoom;
    const value = resolve(parent, args, context, info);
    // What may not be absent, and is for want of room, would be thrown of.
    if ((value === null || value === undefined) && context.size.isOver) throw noRoom;
    return value;
  };
}

/** Whether nothing has to be looked for. */
function isAtHand(field: OutputField): boolean {
  const { looksUp, expands, asksForTargets } = field;
  return looksUp === undefined && expands !== true && asksForTargets !== true && listsOf(field).length === 0;
}

/** Counts what a field goes through, and waits for turns where that is much. */
function withTurns(field: OutputField, sdl: string, resolve: Resolve): Resolve {
  const { goesThrough } = field;
  if (goesThrough === undefined) return resolve;
  const empty = emptyOf(field, sdl);
  if (empty === undefined)
    throw new Error(`The field ${field.name} does not say what it is when there is no room for it`);
  return (parent, args, context, info) => {
    const { size, lookups } = context;
    const elements = goesThrough(parent, args);
    const resolved = (hasRoom: boolean): unknown => (hasRoom ? resolve(parent, args, context, info) : empty);
    return elements > fewElements
      ? lookups.goesThrough(elements).then(resolved)
      : resolved(size.takesElements(elements));
  };
}

/** Names of the arguments that are lists. */
function listsOf({ args = {} }: OutputField): readonly string[] {
  return Object.entries(args).flatMap(([name, sdl]) => (sdl.startsWith('[') ? [name] : []));
}

/** The named types of a schema, each made once however many fields declare it. */
export class TypeRegistry {
  readonly #types = new Map<string, GraphQLNamedType>(
    [...specifiedScalarTypes, ...scalars].map((type) => [type.name, type]),
  );
  readonly #declared = new Map<string, OutputType | InputObject>();
  /** Interfaces of object types that the declarations of the interfaces name. */
  readonly #interfaces = new Map<string, string[]>();
  readonly #members: ReadonlyMap<string, string | null>;

  /** `members`: SDL by `Type.member` where it differs from what is declared; null takes the member away. */
  constructor(members: ReadonlyMap<string, string | null>) {
    this.#members = members;
  }

  get all(): readonly GraphQLNamedType[] {
    return [...this.#types.values()];
  }

  /** Makes the types that a field kind says it needs. A name with two meanings is a fault of a declaration. */
  declare(types: readonly (OutputType | InputObject)[]): void {
    for (const declaration of types) {
      const name = 'type' in declaration && declaration.type === 'object' ? declaration.object.name : declaration.name;
      const earlier = this.#declared.get(name);
      if (earlier !== undefined) {
        if (shapeOf(earlier) !== shapeOf(declaration))
          throw new Error(`Two declarations of the GraphQL type ${name} differ`);
        continue;
      }
      this.#declared.set(name, declaration);
      this.#make(declaration, name);
    }
  }

  add(type: GraphQLNamedType): void {
    if (this.#types.has(type.name)) throw new Error(`The GraphQL type ${type.name} is made twice`);
    this.#types.set(type.name, type);
  }

  /**
   * The object type of a declared object, with more fields where there are. All of them are looked up late, so that types
   * may refer to each other.
   */
  object(
    declaration: OutputObject,
    interfaces: readonly string[] = [],
    more: () => Record<string, FieldConfig> = () => ({}),
  ): GraphQLObjectType {
    const { name } = declaration;
    // What another declaration names comes later than the type.
    const implemented = (): readonly string[] => [...interfaces, ...(this.#interfaces.get(name) ?? [])];
    return new GraphQLObjectType({
      name,
      // Only interfaces are declared under these names.
      interfaces: () => implemented().map((implemented) => this.#named(implemented) as GraphQLInterfaceType),
      fields: () => ({ ...this.fields(name, declaration.fields), ...more() }),
    });
  }

  fields(typeName: string, fields: readonly OutputField[]): Record<string, FieldConfig> {
    const configs: Record<string, FieldConfig> = {};
    for (const field of fields) {
      const sdl = this.#sdl(typeName, field);
      if (sdl !== null) configs[field.name] = this.#field(field, sdl);
    }
    return configs;
  }

  /** The type that SDL such as `[Zone!]!` names. */
  output(sdl: string): GraphQLOutputType {
    return this.#build(parseType(sdl)) as GraphQLOutputType;
  }

  #make(declaration: OutputType | InputObject, name: string): void {
    if (!('type' in declaration)) {
      this.add(new GraphQLInputObjectType({ name, fields: () => this.inputs(name, declaration.fields) }));
      return;
    }
    switch (declaration.type) {
      case 'object':
        this.add(this.object(declaration.object, declaration.interfaces));
        return;
      case 'enum':
        this.add(
          new GraphQLEnumType({
            name,
            values: Object.fromEntries(declaration.values.map((value) => [value, { value }])),
          }),
        );
        return;
      case 'interface': {
        const names = new Map(Object.entries(declaration.members).map(([tag, member]) => [tag, member.name]));
        this.add(
          new GraphQLInterfaceType({
            name,
            fields: () => this.fields(name, declaration.fields),
            resolveType: (value: unknown) => (isObject(value) ? names.get(declaration.formOf(value)) : undefined),
          }),
        );
        // A form may be one of several interfaces.
        for (const member of Object.values(declaration.members)) {
          this.#implement(member.name, name);
          this.declare([{ type: 'object', object: member }]);
        }
        return;
      }
      case 'targets': {
        const { members } = declaration;
        this.add(
          new GraphQLInterfaceType({
            name,
            fields: () => this.fields(name, [idOfTarget]),
            resolveType: (document) => members[kindOf(document) ?? ''],
          }),
        );
        for (const member of Object.values(members)) this.#implement(member, name);
        return;
      }
    }
  }

  #implement(typeName: string, name: string): void {
    this.#interfaces.set(typeName, [...(this.#interfaces.get(typeName) ?? []), name]);
  }

  /** Members of an input type, or arguments; their SDL may end in a default. */
  inputs(typeName: string, fields: readonly InputField[]): Record<string, GraphQLInputFieldConfig> {
    const configs: Record<string, GraphQLInputFieldConfig> = {};
    for (const field of fields) {
      const sdl = this.#sdl(typeName, field);
      if (sdl === null) continue;
      const { type, defaultValue } = memberNode(sdl);
      const built = this.#build(type) as GraphQLInputType;
      configs[field.name] = { type: built, ...(defaultValue && { defaultValue: valueFromAST(defaultValue, built) }) };
    }
    return configs;
  }

  /** Arguments by name, as SDL; those of `holder` may be said otherwise, as members of a type are. */
  args(args: Readonly<Record<string, string>>, holder = ''): Record<string, GraphQLInputFieldConfig> {
    return this.inputs(
      holder,
      Object.entries(args).map(([name, type]) => ({ name, type })),
    );
  }

  #sdl(typeName: string, { name, type }: InputField): string | null {
    const sdl = this.#members.get(`${typeName}.${name}`);
    return sdl === undefined ? type : sdl;
  }

  #field(field: OutputField, sdl: string): FieldConfig {
    const looksUpAlone = field.looksUp !== undefined && field.isOfOthers === undefined;
    if (listsOf(field).length > 0 && field.goesThrough === undefined && !looksUpAlone)
      throw new Error(`The field ${field.name} picks by lists, and does not say what it goes through`);
    const type = this.output(sdl);
    const resolve = whileThereIsRoom(field, sdl, withShortLists(field, withTurns(field, sdl, resolverOf(field, sdl))));
    return {
      type,
      ...(field.args !== undefined && { args: this.args(field.args) }),
      // The JIT compiler does not call properties the way graphql-js does, so every field has its own resolver.
      resolve: rejecting(resolve),
      extensions: {
        complexity: field.complexity,
        ...(listsOf(field).length > 0 && { argumentCost: listCost }),
        ...(field.looksUp !== undefined && field.isOfOthers === undefined && { isOfOthers: true }),
      },
    };
  }

  /** Whether a named type fits an input or an output is for the schema's own validation to say. */
  #build(node: TypeNode): GraphQLType {
    switch (node.kind) {
      case Kind.NON_NULL_TYPE:
        return new GraphQLNonNull(this.#build(node.type) as GraphQLNullableType);
      case Kind.LIST_TYPE:
        return new GraphQLList(this.#build(node.type));
      case Kind.NAMED_TYPE:
        return this.#named(node.name.value);
    }
  }

  #named(name: string): GraphQLNamedType {
    const type = this.#types.get(name);
    if (type === undefined) throw new Error(`A declaration names the GraphQL type ${name}, which nothing declares`);
    return type;
  }
}

const idOfTarget: OutputField = { name: 'id', type: 'String!', complexity: 1, read: (parent) => parent['id'] };

function resolverOf(field: OutputField, sdl: string): Resolve {
  const { read, looksUp, isOfOthers, expands, asksForTargets } = field;
  if (looksUp !== undefined) {
    const empty = emptyOf(field, sdl) ?? null;
    const lookUp: Resolve = (parent, args, { size, lookups }) => {
      return size.takesLookup() ? looksUp(parent, args, lookups) : empty;
    };
    if (isOfOthers === undefined) return lookUp;
    return (parent, args, context, info) =>
      isOfOthers(args) ? lookUp(parent, args, context, info) : read(parent, args);
  }
  if (expands === true) return (parent, args, context) => context.expand(read(parent, args));
  if (asksForTargets === true) return (parent, args, context) => context.areThere(read(parent, args));
  return (parent, args) => read(parent, args);
}

/** `Boolean = true`: the type of an input member, and its default. */
function memberNode(sdl: string): InputValueDefinitionNode {
  const [definition] = parse(`input Holder { member: ${sdl} }`).definitions;
  if (definition?.kind !== Kind.INPUT_OBJECT_TYPE_DEFINITION) throw new Error(`'${sdl}' is no type of an input member`);
  return definition.fields![0]!;
}

/** What must agree between two declarations of one type. */
function shapeOf(declaration: OutputType | InputObject): string {
  if (!('type' in declaration)) return declaration.fields.map(({ name, type }) => `${name}:${type}`).join();
  switch (declaration.type) {
    case 'object':
      return declaration.object.fields.map(signatureOf).join();
    case 'interface':
      return [...declaration.fields.map(signatureOf), ...Object.keys(declaration.members)].join();
    case 'targets':
      return Object.values(declaration.members).join();
    case 'enum':
      return declaration.values.join();
  }
}

function signatureOf({ name, type }: OutputField): string {
  return `${name}:${type}`;
}
