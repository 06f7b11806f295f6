import {
  type ArgumentNode,
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
  type SelectionNode,
  type SelectionSetNode,
  typeFromAST,
  TypeMetaFieldDef,
  type VariableDefinitionNode,
} from 'graphql';
import { declaredField, fragmentsOf, responseName } from './selections.ts';

/** Characters of the paths to fields that are as much as a field: each field has its path several times. */
const pathCharacters = 300;
/** What is written of each step of a path beside its name. */
const stepCharacters = 10;

/** Characters of arguments that are as much as a field: for each variable in them 165 are written, or more. */
const argumentCharacters = 25;

/** What has a selection, and how many types that may be of. */
interface Parent {
  readonly type: GraphQLCompositeType;
  readonly types: number;
}

/** Fields and fragments that are written, with their arguments, and the characters of their paths from what has the selection. */
interface Written {
  readonly units: number;
  readonly paths: number;
}

/**
 * How much graphql-jit writes for an operation, which is what compiling it takes: a unit for each field and fragment, anew for each type
 * that what has it may be of, and more the deeper it stands and the more arguments it has; and one for each member of what its
 * variables may be. Infinite where it would not come to an end.
 */
export function compiledSize(
  schema: GraphQLSchema,
  document: DocumentNode,
  { operation, selectionSet, variableDefinitions = [] }: OperationDefinitionNode,
): number {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Written>();

  function typesOf(type: GraphQLCompositeType): number {
    return isAbstractType(type) ? schema.getPossibleTypes(type).length : 1;
  }

  /** Of what is selected in something that may be of so many types. Loops, for selections are nested deeply. */
  function ofSelections(parent: Parent, { selections }: SelectionSetNode): Written {
    let [units, paths] = [0, 0];
    for (const selection of selections) {
      const written = ofSelection(parent, selection);
      units += written.units;
      paths += written.paths;
    }
    return { units, paths };
  }

  function ofSelection(parent: Parent, selection: SelectionNode): Written {
    if (selection.kind === Kind.FIELD) return ofField(parent, selection);
    // Each is followed for each type, also where nothing of it is selected.
    const { units, paths } =
      selection.kind === Kind.FRAGMENT_SPREAD
        ? ofFragment(parent, selection.name.value)
        : ofSelections(within(parent, selection.typeCondition), selection.selectionSet);
    return { units: units + parent.types, paths };
  }

  /** Once for as many types: a document may spread a fragment exponentially often. */
  function ofFragment(parent: Parent, name: string): Written {
    const id = `${parent.types} ${name}`;
    let written = known.get(id);
    if (written === undefined) {
      const { typeCondition, selectionSet: selected } = fragments.get(name)!;
      known.set(id, (written = ofSelections(within(parent, typeCondition), selected)));
    }
    return written;
  }

  function within(parent: Parent, condition: NamedTypeNode | undefined): Parent {
    const type = condition === undefined ? parent.type : schema.getType(condition.name.value);
    return isCompositeType(type) ? { type, types: Math.min(parent.types, typesOf(type)) } : parent;
  }

  function ofField({ type: parentType, types: times }: Parent, node: FieldNode): Written {
    const name = node.name.value;
    const declared = declaredField(parentType, name) ?? metaFields.get(name);
    const type = declared && getNamedType(declared.type);
    const step = responseName(node).length + stepCharacters;
    const own = sumOf(node.arguments ?? [], ofText);
    if (node.selectionSet === undefined || !isCompositeType(type)) {
      const units = 1 + own;
      return { units: times * units, paths: times * units * step };
    }
    const types = typesOf(type);
    const below = ofSelections({ type, types }, node.selectionSet);
    const units = own + types + below.units;
    return { units: times * units, paths: times * (units * step + below.paths) };
  }

  const { units, paths } = ofSelections({ type: schema.getRootType(operation)!, types: 1 }, selectionSet);
  const variables = sumOf(
    variableDefinitions,
    (node) => inputSize(typeFromAST(schema, node.type as NamedTypeNode)) + ofText(node),
  );
  return Math.floor(variables + units + paths / pathCharacters);
}

/** Of arguments, and of what variables are by default. */
function ofText({ loc }: ArgumentNode | VariableDefinitionNode): number {
  return loc === undefined ? Infinity : (loc.end - loc.start) / argumentCharacters;
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
