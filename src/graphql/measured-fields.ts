import {
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isIntrospectionType,
  isLeafType,
  isListType,
  isObjectType,
} from 'graphql';
import type { FieldConfig } from './output-types.ts';
import type { QueryContext } from './resolvers.ts';
import { typenamesOf, valuesOfElement } from './selection-values.ts';
import { responseName } from './selections.ts';

type Resolve = NonNullable<FieldConfig['resolve']>;

/**
 * Has all fields of a schema count what their answer holds: values, names and the types of objects. Lists of objects they give
 * in turns, for much is made of each of their elements.
 */
export function measureFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields()))
      field.resolve = measuring(field.type, field.resolve as Resolve);
  }
}

function measuring(type: GraphQLOutputType, resolve: Resolve): Resolve {
  const give = givingOf(type);
  return (parent, args, context, info) => {
    context.size.takesName(responseName(info.fieldNodes[0]!));
    const value = resolve(parent, args, context, info) as unknown;
    return value instanceof Promise ? value.then((found) => give(found, context, info)) : give(value, context, info);
  };
}

type Give = (value: unknown, context: QueryContext, info: GraphQLResolveInfo) => unknown;

function givingOf(type: GraphQLOutputType): Give {
  const named = getNamedType(type);
  // Values of any form are given as they are, however large.
  if (named.name === 'Json') return (value, { size }) => size.json(value);
  if (isLeafType(named)) return (value, { size }) => size.field(value);
  return isListType(getNullableType(type)) ? givenList : givenObject;
}

function givenObject(value: unknown, context: QueryContext, info: GraphQLResolveInfo): unknown {
  context.size.field(value);
  takeTypenames(value, context, info);
  return value;
}

function givenList(value: unknown, context: QueryContext, info: GraphQLResolveInfo): unknown {
  const list = context.size.field(value);
  if (!Array.isArray(list) || list.length === 0) return list;
  for (const element of list) takeTypenames(element, context, info);
  return context.size.list(list, valuesOfElement(info), context.turn);
}

/** No field gives the type of an object. */
function takeTypenames(object: unknown, context: QueryContext, info: GraphQLResolveInfo): void {
  if (object === null || object === undefined) return;
  const { values, bytes } = typenamesOf(object, context, info);
  if (values > 0) context.size.takesMembers(values, bytes);
}
