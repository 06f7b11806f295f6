import {
  type DocumentNode,
  type FieldNode,
  getNamedType,
  type GraphQLCompositeType,
  type GraphQLSchema,
  type GraphQLType,
  isAbstractType,
  isCompositeType,
  isInputObjectType,
  isListType,
  isNonNullType,
  Kind,
  type NamedTypeNode,
  type OperationDefinitionNode,
  SchemaMetaFieldDef,
  type SelectionSetNode,
  typeFromAST,
  TypeMetaFieldDef,
} from 'graphql';
import { fieldOf } from './complexity.ts';
import { fragmentsOf } from './introspection-cost.ts';

/** What has a selection, and how many types that may be of. */
interface Parent {
  readonly type: GraphQLCompositeType;
  readonly types: number;
}

/**
 * How much graphql-jit writes for an operation, which is what compiling it takes: a unit for each field, anew for each type
 * that what has it may be of, and for each member of what its variables may be. Infinite where it would not come to an end.
 */
export function compiledSize(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet, variableDefinitions = [] }: OperationDefinitionNode,
): number {
  const fragments = fragmentsOf(document);
  const known = new Map<string, number>();

  function typesOf(type: GraphQLCompositeType): number {
    return isAbstractType(type) ? schema.getPossibleTypes(type).length : 1;
  }

  /** Of what is selected in something that may be of so many types. Loops, for selections are nested deeply. */
  function ofSelections(parent: Parent, { selections }: SelectionSetNode): number {
    let size = 0;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) size += parent.types * ofField(parent.type, selection);
      else if (selection.kind === Kind.FRAGMENT_SPREAD) size += ofFragment(selection.name.value, parent);
      else size += ofSelections(within(parent, selection.typeCondition), selection.selectionSet);
    }
    return size;
  }

  /** Once for as many types: a document may spread a fragment exponentially often. */
  function ofFragment(name: string, parent: Parent): number {
    const id = `${parent.types} ${name}`;
    let size = known.get(id);
    if (size === undefined) {
      const { typeCondition, selectionSet: selected } = fragments.get(name)!;
      known.set(id, (size = ofSelections(within(parent, typeCondition), selected)));
    }
    return size;
  }

  function within(parent: Parent, condition: NamedTypeNode | undefined): Parent {
    const type = condition === undefined ? parent.type : schema.getType(condition.name.value);
    return isCompositeType(type) ? { type, types: Math.min(parent.types, typesOf(type)) } : parent;
  }

  function ofField(type: GraphQLCompositeType, { name, selectionSet: selected }: FieldNode): number {
    const declared = fieldOf(type, name.value) ?? metaFields.get(name.value);
    const named = declared && getNamedType(declared.type);
    if (selected === undefined || !isCompositeType(named)) return 1;
    const types = typesOf(named);
    return types + ofSelections({ type: named, types }, selected);
  }

  const variables = sumOf(variableDefinitions, ({ type }) => inputSize(typeFromAST(schema, type as NamedTypeNode)));
  return variables + ofSelections({ type: schema.getRootType(operation)!, types: 1 }, selectionSet);
}

const metaFields = new Map([SchemaMetaFieldDef, TypeMetaFieldDef].map((field) => [field.name, field]));

/** Of what checks a value. What holds values of its own type is written out without an end. */
function inputSize(type: GraphQLType | undefined, known = new Map<GraphQLType, number>()): number {
  if (isNonNullType(type)) return inputSize(type.ofType, known);
  // Of each element, and of one that stands for the list.
  if (isListType(type)) return 2 * inputSize(type.ofType, known);
  if (!isInputObjectType(type)) return 1;
  let size = known.get(type);
  if (size === undefined) {
    known.set(type, Infinity);
    size = 1 + sumOf(Object.values(type.getFields()), (field) => inputSize(field.type, known));
    known.set(type, size);
  }
  return size;
}

function sumOf<T>(all: readonly T[], sizeOf: (one: T) => number): number {
  return all.reduce((sum, one) => sum + sizeOf(one), 0);
}
