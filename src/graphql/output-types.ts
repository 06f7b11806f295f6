/**
 * GraphQL. It turns declarations into a schema and runs queries on it through the engine's operations. No resource is
 * named here, and no SQL or HTTP is spoken.
 */
import {
  GraphQLEnumType,
  type GraphQLFieldConfig,
  GraphQLInterfaceType,
  GraphQLList,
  type GraphQLNamedType,
  GraphQLNonNull,
  GraphQLObjectType,
  type GraphQLInputType,
  type GraphQLNullableType,
  type GraphQLOutputType,
  type GraphQLType,
  Kind,
  parseType,
  specifiedScalarTypes,
  type TypeNode,
} from 'graphql';
import type { OutputField, OutputObject, OutputType } from '../fields/field.ts';
import { isObject } from '../fields/object.ts';
import type { QueryContext } from './resolvers.ts';
import { scalars } from './scalars.ts';

export type FieldConfig = GraphQLFieldConfig<Readonly<Record<string, unknown>>, QueryContext>;

/** The named types of a schema, each made once however many fields declare it. */
export class TypeRegistry {
  readonly #types = new Map<string, GraphQLNamedType>(
    [...specifiedScalarTypes, ...scalars].map((type) => [type.name, type]),
  );
  readonly #declared = new Map<string, OutputType>();

  get all(): readonly GraphQLNamedType[] {
    return [...this.#types.values()];
  }

  /** Makes the types that a field kind says it needs. A name with two meanings is a fault of a declaration. */
  declare(types: readonly OutputType[]): void {
    for (const declaration of types) {
      const name = declaration.type === 'object' ? declaration.object.name : declaration.name;
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

  /** The object type of a declared object. Its fields are looked up late, so that types may refer to each other. */
  object(declaration: OutputObject, interfaces: readonly string[] = []): GraphQLObjectType {
    const implemented = [...(declaration.implements === undefined ? [] : [declaration.implements]), ...interfaces];
    return new GraphQLObjectType({
      name: declaration.name,
      // Only interfaces are declared under these names.
      interfaces: () => implemented.map((name) => this.#named(name) as GraphQLInterfaceType),
      fields: () => this.fields(declaration.fields),
    });
  }

  fields(fields: readonly OutputField[]): Record<string, FieldConfig> {
    return Object.fromEntries(fields.map((field) => [field.name, this.#field(field)]));
  }

  /** The type that SDL such as `[Zone!]!` names. */
  output(sdl: string): GraphQLOutputType {
    return this.#build(parseType(sdl)) as GraphQLOutputType;
  }

  input(sdl: string): GraphQLInputType {
    return this.#build(parseType(sdl)) as GraphQLInputType;
  }

  #make(declaration: OutputType, name: string): void {
    switch (declaration.type) {
      case 'object':
        this.add(this.object(declaration.object));
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
            fields: () => this.fields(declaration.fields),
            resolveType: (value: unknown) =>
              isObject(value) ? names.get(String(value[declaration.tagField])) : undefined,
          }),
        );
        for (const member of Object.values(declaration.members)) this.add(this.object(member));
        return;
      }
    }
  }

  #field(field: OutputField): FieldConfig {
    const { read } = field;
    return {
      type: this.output(field.type),
      ...(field.args !== undefined && {
        args: Object.fromEntries(Object.entries(field.args).map(([name, sdl]) => [name, { type: this.input(sdl) }])),
      }),
      // The JIT compiler does not call properties the way graphql-js does, so every field has its own resolver.
      resolve:
        field.expands === true
          ? (parent, args, context) => context.expand(read(parent, args))
          : (parent, args) => read(parent, args),
      extensions: { complexity: field.complexity },
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

/** What must agree between two declarations of one type. */
function shapeOf(declaration: OutputType): string {
  switch (declaration.type) {
    case 'object':
      return declaration.object.fields.map(signatureOf).join();
    case 'interface':
      return [...declaration.fields.map(signatureOf), ...Object.keys(declaration.members)].join();
    case 'enum':
      return declaration.values.join();
  }
}

function signatureOf({ name, type }: OutputField): string {
  return `${name}:${type}`;
}
