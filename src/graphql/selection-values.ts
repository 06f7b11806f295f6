import {
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLObjectType,
  type GraphQLResolveInfo,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isAbstractType,
  isCompositeType,
  isListType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql';
import { argumentSize } from './argument-sizes.ts';

type Document = Pick<GraphQLResolveInfo, 'schema' | 'fragments'>;

/** By what is selected, of each type of which it is. */
const known = new WeakMap<SelectionSetNode, Map<GraphQLCompositeType, number>>();

/**
 * How many values of an answer one element of the field's list is at most, without those of the lists in it: no condition is
 * looked at, and of several types an element has the one with most.
 */
export function valuesOfElement({ schema, fragments, fieldNodes, returnType }: GraphQLResolveInfo): number {
  return ofFields({ schema, fragments }, getNamedType(returnType) as GraphQLCompositeType, fieldNodes);
}

/** Of one field by all of its nodes. */
function ofFields(document: Document, type: GraphQLCompositeType, nodes: readonly FieldNode[]): number {
  return nodes.reduce(
    (sum, { selectionSet }) => sum + (selectionSet ? ofSelections(document, type, selectionSet) : 0),
    1,
  );
}

function ofSelections(document: Document, type: GraphQLCompositeType, set: SelectionSetNode): number {
  const ofTypes = known.get(set) ?? new Map<GraphQLCompositeType, number>();
  known.set(set, ofTypes);
  let values = ofTypes.get(type);
  if (values === undefined) {
    values = isAbstractType(type)
      ? Math.max(0, ...document.schema.getPossibleTypes(type).map((possible) => ofSelections(document, possible, set)))
      : ofObject(document, type, set);
    ofTypes.set(type, values);
  }
  return values;
}

function ofObject(document: Document, type: GraphQLObjectType, { selections }: SelectionSetNode): number {
  let values = 0;
  for (const selection of selections) {
    if (selection.kind === Kind.FIELD) {
      values += ofField(document, type, selection);
      continue;
    }
    const { typeCondition, selectionSet } =
      selection.kind === Kind.INLINE_FRAGMENT ? selection : document.fragments[selection.name.value]!;
    if (typeCondition === undefined || isOf(document.schema, type, typeCondition.name.value))
      values += ofSelections(document, type, selectionSet);
  }
  return values;
}

/** Literals of arguments are read each time. Lists are counted when they are given. */
function ofField(document: Document, type: GraphQLObjectType, node: FieldNode): number {
  const field = type.getFields()[node.name.value];
  // What tells of the schema is of no element.
  if (field === undefined) return 1;
  const own = 1 + argumentSize(node, 'elements').size;
  const named = getNamedType(field.type);
  return node.selectionSet !== undefined && isCompositeType(named) && !isListType(getNullableType(field.type))
    ? own + ofSelections(document, named, node.selectionSet)
    : own;
}

function isOf(schema: GraphQLSchema, type: GraphQLObjectType, name: string): boolean {
  const condition = schema.getType(name);
  return condition === type || (isAbstractType(condition) && isObjectType(type) && schema.isSubType(condition, type));
}
