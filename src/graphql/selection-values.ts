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
import type { ValuesOfElement } from './answer-size.ts';
import { argumentSize } from './argument-sizes.ts';

interface Operation extends Pick<GraphQLResolveInfo, 'schema' | 'fragments' | 'variableValues'> {
  /** Objects and conditions of types that were looked at. */
  looks: number;
}

/** Where every object may be of several types, selections are as many as the paths through these. */
const looksMax = 5000;

/** By the variables of a run, and the nodes of the field in it. */
const known = new WeakMap<Operation['variableValues'], WeakMap<readonly FieldNode[], ValuesOfElement>>();

/**
 * How many values of an answer one element of the field's list has beside itself, with those of its objects and without those
 * of lists in it: of several types, that with least and that with most. Objects that may be absent have none at least. Of more
 * than can be looked at there may be any number.
 */
export function valuesOfElement(info: GraphQLResolveInfo): ValuesOfElement {
  const { schema, fragments, variableValues, fieldNodes, returnType } = info;
  let ofRun = known.get(variableValues);
  if (ofRun === undefined) known.set(variableValues, (ofRun = new WeakMap()));
  let values = ofRun.get(fieldNodes);
  if (values === undefined) {
    const operation = { schema, fragments, variableValues, looks: 0 };
    // Whoever asks has a list of objects.
    values = below(operation, getNamedType(returnType) as GraphQLCompositeType, fieldNodes);
    ofRun.set(fieldNodes, values);
  }
  return values;
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
  const { schema, fragments, variableValues } = operation;
  operation.looks += 1;
  if (operation.looks > looksMax) return anyNumber;
  let [least, most] = [0, 0];
  // A union has no fields, and is abstract.
  const object = type as GraphQLObjectType;
  for (const fields of collectSubfields(schema, fragments, variableValues, object, nodes).values()) {
    const values = ofField(operation, object, fields);
    least += values.least;
    most += values.most;
  }
  return { least, most };
}

/** Literals of arguments are read each time. Lists are counted when they are given. */
function ofField(operation: Operation, parent: GraphQLObjectType, nodes: readonly FieldNode[]): ValuesOfElement {
  const type = parent.getFields()[nodes[0]!.name.value]?.type;
  // The name of the type is no field of it.
  if (type === undefined) return { least: 1, most: 1 };
  const own = 1 + argumentSize(nodes[0]!, 'elements').size;
  const named = getNamedType(type);
  if (!isCompositeType(named) || isListType(getNullableType(type))) return { least: own, most: own };
  const { least, most } = below(operation, named, nodes);
  return { least: own + (isNonNullType(type) ? least : 0), most: own + most };
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
