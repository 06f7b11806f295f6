import {
  type GraphQLOutputType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  isIntrospectionType,
  isLeafType,
  isObjectType,
} from 'graphql';
import type { FieldConfig } from './output-types.ts';
import { responseName, typenamesOf } from './selection-values.ts';

type Resolve = NonNullable<FieldConfig['resolve']>;

/** Has all fields of a schema count what their answer holds beside their values: names, and the types of objects. */
export function countMembers(schema: GraphQLSchema): void {
  for (const type of Object.values(schema.getTypeMap())) {
    if (!isObjectType(type) || isIntrospectionType(type)) continue;
    for (const field of Object.values(type.getFields())) field.resolve = counted(field.type, field.resolve as Resolve);
  }
}

function counted(type: GraphQLOutputType, resolve: Resolve): Resolve {
  const named: Resolve = (parent, args, context, info) => {
    context.size.takesName(responseName(info.fieldNodes[0]!));
    return resolve(parent, args, context, info);
  };
  if (isLeafType(getNamedType(type))) return named;
  return (parent, args, context, info) => {
    const given = <T>(value: T): T => {
      takeTypenames(value, context, info);
      return value;
    };
    const value = named(parent, args, context, info) as unknown;
    return value instanceof Promise ? value.then(given) : given(value);
  };
}

/** No field gives the type of an object. */
function takeTypenames(value: unknown, { size }: Parameters<Resolve>[2], info: GraphQLResolveInfo): void {
  const objects = Array.isArray(value) ? value.length : value === null || value === undefined ? 0 : 1;
  if (objects === 0) return;
  const { values, bytes } = typenamesOf(info);
  if (values > 0) size.takesMembers(objects * values, objects * bytes);
}
