/**
 * Queries taken apart, so that what is known of a resource can be used again: the outline finds the resources, an excerpt
 * is what the query asks of each. Both are queries of the same schema, made of the nodes of the whole one in a worker.
 */
import {
  type ArgumentNode,
  type ASTNode,
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  GraphQLObjectType,
  type GraphQLSchema,
  isInterfaceType,
  Kind,
  type NamedTypeNode,
  type NameNode,
  type OperationDefinitionNode,
  OperationTypeNode,
  print,
  type SelectionSetNode,
  type VariableDefinitionNode,
  visit,
} from 'graphql';
import { type Fragments, fragmentsOf } from './selections.ts';

export interface Outline {
  /** The operation, which asks for no more than id and version of each resource. */
  readonly text: string;
  readonly gaps: readonly Gap[];
}

/** Where the answer to an outline has resources, and what the query asks of them. */
export interface Gap {
  /** Names that lead there from `data`. */
  readonly path: readonly string[];
  /** A query for the resource with the id `$excerptId`, as `field`. */
  readonly excerpt: string;
  readonly field: string;
  /** Its other variables. */
  readonly variables: readonly string[];
}

/**
 * By each query field that gives one resource, or a page of them: the field that gives one of the kind by its id. Null for a
 * kind that is not taken apart: what it shows is made anew each time.
 */
export type ResourceFields = Readonly<Record<string, string | null>>;

/** By the field that gives one of a kind: the arguments, of pages too, that say how what is found shows. */
export type FormArguments = Readonly<Record<string, readonly string[]>>;

/** Each gap carries all that is asked for there, which may be the same in all: together no more than some texts. */
const gapsMax = 20;
const excerptTextsMax = 4;

/** Names in excerpts beside those of the query. */
export const excerptId = 'excerptId';
export const excerptVersion = 'excerptVersion';

interface Given {
  readonly schema: GraphQLSchema;
  readonly document: DocumentNode;
  readonly text: string;
  readonly fields: ResourceFields;
  readonly formArguments: FormArguments;
}

/** A selection of the root, or of a page of the kind that `field` gives. */
interface Level {
  readonly type: GraphQLObjectType;
  readonly path: readonly string[];
  readonly field: string | undefined;
  /** The arguments that say how what is found shows. */
  readonly form: readonly ArgumentNode[];
}

/**
 * The outline of an operation of a validated document. Undefined where there is nothing to take out, and where the parts
 * would not say the same as the whole: with kinds that are not taken apart, with resources that are selected twice under one
 * name, with a page's fragment that is spread in a store or a shopper's page too, and with introspection.
 */
export function outlineOf(
  { schema, document, text, fields, formArguments }: Given,
  operation: OperationDefinitionNode,
): Outline | undefined {
  // A query with these names of its own is not worth others.
  if (text.includes(excerptId) || text.includes(excerptVersion)) return undefined;
  const query = schema.getQueryType()!;
  const fragments = fragmentsOf(document);
  const gaps: Gap[] = [];
  let length = 0;
  const lengthMax = print(document).length * excerptTextsMax;
  /** What the outline has in place of selections. */
  const cuts = new Map<SelectionSetNode, SelectionSetNode>();
  const spreads = new Set<string>();
  /** Fragments of levels, out of which selections are cut, and those that the outline asks for as they are. */
  const cutFragments = new Set<FragmentDefinitionNode>();
  const wholeFragments = new Set<FragmentDefinitionNode>();

  /** Finds the gaps of a level; false where it cannot be taken apart. */
  function take(level: Level, { selections }: SelectionSetNode): boolean {
    return selections.every((selection) => {
      if (selection.kind === Kind.FIELD) return takeField(level, selection);
      if (selection.kind === Kind.INLINE_FRAGMENT)
        return holds(selection.typeCondition, level) && take(level, selection.selectionSet);
      const fragment = fragments.get(selection.name.value)!;
      if (!holds(fragment.typeCondition, level)) return false;
      const name = [fragment.name.value, ...level.path].join(' ');
      if (spreads.has(name)) return false;
      spreads.add(name);
      cutFragments.add(fragment);
      return take(level, fragment.selectionSet);
    });
  }

  /** Below an interface of the root there may be a condition of another type that has it. */
  function holds(condition: NamedTypeNode | undefined, { type }: Level): boolean {
    const named = condition && schema.getType(condition.name.value);
    return named === undefined || named === type || (isInterfaceType(named) && schema.isSubType(named, type));
  }

  function takeField(level: Level, node: FieldNode): boolean {
    const { name, selectionSet } = node;
    if (name.value === '__schema' || name.value === '__type') return false;
    if (selectionSet === undefined) return true;
    const isFinding = level.type === query && Object.hasOwn(fields, name.value);
    const field = isFinding ? fields[name.value] : level.field;
    if (field === null) return false;
    const given = getNamedType(level.type.getFields()[name.value]!.type);
    if (field === undefined || !(given instanceof GraphQLObjectType)) {
      for (const fragment of reachedFrom(selectionSet, fragments).fragments) wholeFragments.add(fragment);
      return true;
    }
    const path = [...level.path, (node.alias ?? name).value];
    const form = isFinding ? formIn(node, field) : level.form;
    const isResource = given === getNamedType(query.getFields()[field]!.type);
    return isResource
      ? addGap({ type: given, path, field, form }, selectionSet)
      : take({ type: given, path, field, form }, selectionSet);
  }

  function formIn({ arguments: given = [] }: FieldNode, field: string): readonly ArgumentNode[] {
    const names = Object.hasOwn(formArguments, field) ? formArguments[field]! : [];
    return given.filter((argument) => names.includes(argument.name.value));
  }

  function addGap({ type, path, field, form }: Level & { field: string }, selectionSet: SelectionSetNode): boolean {
    if (gaps.length === gapsMax || gaps.some((gap) => gap.path.join() === path.join())) return false;
    const isVersioned = type.getFields()['version'] !== undefined;
    const reached = reachedFrom(selectionSet, fragments);
    const used = [reached, ...form.map((argument) => reachedFrom(argument, fragments))];
    const variables = (operation.variableDefinitions ?? []).filter(({ variable }) =>
      used.some((each) => each.variables.has(variable.name.value)),
    );
    const excerpt = [excerptOf(field, selectionSet, { isVersioned, variables, form }), ...reached.fragments]
      .map(print)
      .join('\n');
    gaps.push({ path, excerpt, field, variables: variables.map(({ variable }) => variable.name.value) });
    cuts.set(selectionSet, selectionOf(isVersioned ? ['id', 'version'] : ['id']));
    length += excerpt.length;
    return gaps.length === 1 || length <= lengthMax;
  }

  if (!take({ type: query, path: [], field: undefined, form: [] }, operation.selectionSet) || gaps.length === 0)
    return undefined;
  if ([...cutFragments].some((fragment) => wholeFragments.has(fragment))) return undefined;
  const parts = [operation, ...cutFragments, ...wholeFragments].map((node) =>
    print(visit(node, { SelectionSet: (selection) => cuts.get(selection) })),
  );
  return { text: parts.join('\n'), gaps };
}

interface Excerpted extends Pick<Level, 'form'> {
  readonly isVersioned: boolean;
  readonly variables: readonly VariableDefinitionNode[];
}

/** `query ($excerptId: String!, …) { field(id: $excerptId) { excerptVersion: version … } }` */
function excerptOf(
  field: string,
  { selections }: SelectionSetNode,
  { isVersioned, variables, form }: Excerpted,
): OperationDefinitionNode {
  const id = { kind: Kind.VARIABLE, name: nameOf(excerptId) } as const;
  const idType = { kind: Kind.NON_NULL_TYPE, type: { kind: Kind.NAMED_TYPE, name: nameOf('String') } } as const;
  const version = { ...fieldOf('version'), alias: nameOf(excerptVersion) };
  const resource: FieldNode = {
    ...fieldOf(field),
    arguments: [{ kind: Kind.ARGUMENT, name: nameOf('id'), value: id }, ...form],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [...(isVersioned ? [version] : []), ...selections] },
  };
  return {
    kind: Kind.OPERATION_DEFINITION,
    operation: OperationTypeNode.QUERY,
    variableDefinitions: [{ kind: Kind.VARIABLE_DEFINITION, variable: id, type: idType }, ...variables],
    selectionSet: { kind: Kind.SELECTION_SET, selections: [resource] },
  };
}

function selectionOf(names: readonly string[]): SelectionSetNode {
  return { kind: Kind.SELECTION_SET, selections: names.map(fieldOf) };
}

function fieldOf(name: string): FieldNode {
  return { kind: Kind.FIELD, name: nameOf(name) };
}

function nameOf(value: string): NameNode {
  return { kind: Kind.NAME, value };
}

/** Fragments and variables of a selection, and of the fragments that it spreads. */
function reachedFrom(
  node: ASTNode,
  fragments: Fragments,
): { readonly fragments: ReadonlySet<FragmentDefinitionNode>; readonly variables: ReadonlySet<string> } {
  const reached = { fragments: new Set<FragmentDefinitionNode>(), variables: new Set<string>() };
  const look = (from: ASTNode): void => {
    visit(from, {
      Variable: ({ name }) => void reached.variables.add(name.value),
      FragmentSpread: ({ name }) => {
        const fragment = fragments.get(name.value)!;
        if (reached.fragments.has(fragment)) return;
        reached.fragments.add(fragment);
        look(fragment);
      },
    });
  };
  look(node);
  return reached;
}
