import {
  type FieldNode,
  type GraphQLAbstractType,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isNonNullType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { collectSubfields } from 'graphql/execution/collectFields.js';
import { nameBytes, type ValuesOfElement } from './answer-size.ts';
import { argumentSize } from './argument-sizes.ts';
import type { QueryContext } from './resolvers.ts';

interface Operation extends Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'> {
  /** Objects and conditions of types that were looked at. */
  looks: number;
}

/** Where every object may be of several types, selections are as many as the paths through these. */
const looksMax = 5000;

/** By the nodes of the field. Each run of graphql-js has its own, and of those of compiled code all is selected. */
const knownValues = new WeakMap<readonly FieldNode[], ValuesOfElement>();
/** By the nodes of the field, then by the name of the type that the object has. */
const knownTypenames = new WeakMap<readonly FieldNode[], Map<string, Typenames>>();

/**
 * How many values of an answer one element of the field's list has beside itself, with those of its objects and without those
 * of lists in it: of several types, that with least and that with most. At least it has no objects that may be absent, no
 * `__typename` and no literals. Of more than can be looked at there may be any number.
 */
export function valuesOfElement(info: GraphQLResolveInfo): ValuesOfElement {
  const { fieldNodes } = info;
  let values = knownValues.get(fieldNodes);
  if (values === undefined)
    knownValues.set(fieldNodes, (values = below(operationOf(info), objectsOf(info), fieldNodes)));
  return values;
}

/** `__typename` under its names. */
export interface Typenames {
  readonly values: number;
  readonly bytes: number;
}

const none: Typenames = { values: 0, bytes: 0 };

/** What an object that the field gives says of its type. */
export function typenamesOf(object: unknown, context: QueryContext, info: GraphQLResolveInfo): Typenames {
  const { fieldNodes } = info;
  let byType = knownTypenames.get(fieldNodes);
  if (byType === undefined) knownTypenames.set(fieldNodes, (byType = new Map()));
  const declared = objectsOf(info);
  const type = isAbstractType(declared) ? declared.resolveType?.(object, context, info, declared) : declared.name;
  // What is of no type that is known is an error.
  if (typeof type !== 'string') return none;
  let typenames = byType.get(type);
  if (typenames === undefined) {
    typenames = typenamesIn(operationOf(info), info.schema.getType(type) as GraphQLObjectType, fieldNodes);
    byType.set(type, typenames);
  }
  return typenames;
}

function operationOf({ schema, fragments, variableValues }: GraphQLResolveInfo): Operation {
  return { schema, fragments, variableValues, looks: 0 };
}

/** Whoever asks has a field of objects. */
function objectsOf({ returnType }: GraphQLResolveInfo): GraphQLCompositeType {
  return getNamedType(returnType) as GraphQLCompositeType;
}

function typenamesIn(operation: Operation, type: GraphQLObjectType, nodes: readonly FieldNode[]): Typenames {
  let [values, bytes] = [0, 0];
  for (const [name, [node]] of selected(operation, type, nodes)) {
    if (node!.name.value !== '__typename') continue;
    values += 1;
    bytes += name.length + nameBytes + type.name.length;
  }
  return { values, bytes };
}

/** By the name that it has in the answer, what is selected. */
function selected(
  { schema, fragments, variableValues }: Operation,
  type: GraphQLObjectType,
  nodes: readonly FieldNode[],
): ReturnType<typeof collectSubfields> {
  return collectSubfields(schema, fragments, variableValues, type, nodes);
}

const anyNumber: ValuesOfElement = { least: 0, most: Infinity };

function below(operation: Operation, type: GraphQLCompositeType, nodes: readonly FieldNode[]): ValuesOfElement {
  if (isAbstractType(type)) {
    const each = differing(operation, type, nodes).map((possible) => below(operation, possible, nodes));
    return {
      least: Math.min(...each.map(({ least }) => least)),
      most: Math.max(...each.map(({ most }) => most)),
    };
  }
  operation.looks += 1;
  if (operation.looks > looksMax) return anyNumber;
  let [least, most] = [0, 0];
  // A union has no fields, and is abstract.
  const object = type as GraphQLObjectType;
  for (const fields of selected(operation, object, nodes).values()) {
    const values = ofField(operation, object, fields);
    least += values.least;
    most += values.most;
  }
  return { least, most };
}

/** Literals of arguments are read for each element, each as long as a value takes. Lists are counted when they are given. */
function ofField(operation: Operation, parent: GraphQLObjectType, nodes: readonly FieldNode[]): ValuesOfElement {
  const type = parent.getFields()[nodes[0]!.name.value]?.type;
  // The name of the type, which is counted when objects are given.
  if (type === undefined) return { least: 0, most: 1 };
  const most = 1 + argumentSize(nodes[0]!, 'elements').size;
  const named = getNamedType(type);
  if (!isCompositeType(named) || isListType(getNullableType(type))) return { least: 1, most };
  const values = below(operation, named, nodes);
  return { least: 1 + (isNonNullType(type) ? values.least : 0), most: most + values.most };
}

/** Of types that meet the same conditions, of which the same is selected, one. */
function differing(
  operation: Operation,
  type: GraphQLAbstractType,
  nodes: readonly FieldNode[],
): readonly GraphQLObjectType[] {
  const { schema, fragments } = operation;
  const conditions = new Set<string>();
  const seen = new Set<SelectionSetNode>();
  const look = (set: SelectionSetNode | undefined): void => {
    if (set === undefined || seen.has(set)) return;
    seen.add(set);
    for (const selection of set.selections) {
      if (selection.kind === Kind.FIELD) continue;
      const { typeCondition, selectionSet } =
        selection.kind === Kind.INLINE_FRAGMENT ? selection : fragments[selection.name.value]!;
      if (typeCondition !== undefined) conditions.add(typeCondition.name.value);
      look(selectionSet);
    }
  };
  for (const { selectionSet } of nodes) look(selectionSet);
  operation.looks += conditions.size;
  if (operation.looks > looksMax) return schema.getPossibleTypes(type).slice(0, 1);
  const byConditions = new Map<string, GraphQLObjectType>();
  for (const each of schema.getPossibleTypes(type)) {
    const met = [...conditions].filter((name) => isOf(schema, each, name)).join();
    if (!byConditions.has(met)) byConditions.set(met, each);
  }
  return [...byConditions.values()];
}

function isOf(schema: GraphQLSchema, type: GraphQLObjectType, name: string): boolean {
  const condition = schema.getType(name);
  return condition === type || (isAbstractType(condition) && schema.isSubType(condition, type));
}
