/** What texts select, and what the schema says of it. */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLInterfaceType,
  GraphQLObjectType,
  Kind,
} from 'graphql';

export type Fragments = ReadonlyMap<string, FragmentDefinitionNode>;

export function fragmentsOf({ definitions }: DocumentNode): Fragments {
  const fragments = definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  return new Map(fragments.map((fragment) => [fragment.name.value, fragment]));
}

/** The field that a type declares; a union declares none. */
export function declaredField(type: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | undefined {
  return type instanceof GraphQLObjectType || type instanceof GraphQLInterfaceType ? type.getFields()[name] : undefined;
}

/** The name that a field has in the answer. */
export function responseName({ alias, name }: FieldNode): string {
  return (alias ?? name).value;
}
