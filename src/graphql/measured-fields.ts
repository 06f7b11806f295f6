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
import { responseName, typenamesOf, valuesOfElement } from './selection-values.ts';

type Resolve = NonNullable<FieldConfig['resolve']>;

/**
 * Has all fields of a schema count what their answer holds beside their values, names and the types of objects, and give lists
 * of objects in turns, for much is made of each of their elements.
 */
export function measureFields(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields()))
      field.resolve = measuring(field.type, field.resolve as Resolve);
  }
}

function measuring(type: GraphQLOutputType, resolve: Resolve): Resolve {
  const named: Resolve = (parent, args, context, info) => {
    context.size.takesName(responseName(info.fieldNodes[0]!));
    return resolve(parent, args, context, info);
  };
  if (isLeafType(getNamedType(type))) return named;
  const give = isListType(getNullableType(type)) ? givenList : givenObject;
  return (parent, args, context, info) => {
    const value: unknown = named(parent, args, context, info);
    return value instanceof Promise ? value.then((found) => give(found, context, info)) : give(value, context, info);
  };
}

function givenObject(value: unknown, context: QueryContext, info: GraphQLResolveInfo): unknown {
  takeTypenames(value, context, info);
  return value;
}

function givenList(list: unknown, context: QueryContext, info: GraphQLResolveInfo): unknown {
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
