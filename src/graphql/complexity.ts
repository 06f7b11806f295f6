/**
 * The score of a query (specification 4.5, query feature 3). A field costs what the schema says, a page of results
 * costs its selection times its `limit`. The score is a formula over the variables, so it is made once for a text.
 */
import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLField,
  GraphQLInterfaceType,
  GraphQLObjectType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  Kind,
  type SelectionSetNode,
} from 'graphql';

/** Cost of fields by `Type.field`, where it is not 1. */
export type FieldCosts = Readonly<Record<string, number>>;

/** `constant`, and for each factor the product of a variable's value (or its default) and a formula. */
export interface Formula {
  readonly constant: number;
  readonly factors: readonly { readonly variable: string; readonly fallback: number; readonly formula: Formula }[];
}

export interface Score {
  readonly formula: Formula;
  /** Fields after all fragments are expanded: what compiling the query costs. */
  readonly expandedFields: number;
}

const limitDefault = 20;
/** Sums stop here: nested fragments double with each level. */
const costMax = 1e12;

const introspectionCost: Score = { formula: { constant: 1, factors: [] }, expandedFields: 1 };

/** The score of each operation of a validated document, by its name; the anonymous one is ''. */
export function scoreOperations(
  schema: GraphQLSchema,
  document: DocumentNode,
  costs: FieldCosts,
): Record<string, Score> {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }
  const known = new Map<string, Score>();

  function ofSelections(type: GraphQLCompositeType, { selections }: SelectionSetNode): Score {
    let total: Score = { formula: { constant: 0, factors: [] }, expandedFields: 0 };
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) total = sum(total, ofField(type, selection));
      else if (selection.kind === Kind.FRAGMENT_SPREAD) total = sum(total, ofFragment(selection.name.value));
      else
        total = sum(
          total,
          ofSelections(conditionType(selection.typeCondition?.name.value) ?? type, selection.selectionSet),
        );
    }
    return total;
  }

  /** Fragments are scored once each: a document may spread one exponentially often. */
  function ofFragment(name: string): Score {
    const scored = known.get(name);
    if (scored !== undefined) return scored;
    const fragment = fragments.get(name)!;
    const score = ofSelections(conditionType(fragment.typeCondition.name.value)!, fragment.selectionSet);
    known.set(name, score);
    return score;
  }

  function conditionType(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }

  function ofField(type: GraphQLCompositeType, node: FieldNode): Score {
    const field = fieldOf(type, node.name.value);
    if (field === undefined) return node.selectionSet === undefined ? introspectionCost : countOnly(node.selectionSet);
    const own = costs[`${type.name}.${field.name}`] ?? 1;
    const named = getNamedType(field.type);
    if (node.selectionSet === undefined || !isCompositeType(named))
      return { formula: { constant: own, factors: [] }, expandedFields: 1 };
    const below = ofSelections(named, node.selectionSet);
    const repeated = isPaged(field) ? multiplied(below.formula, node) : below.formula;
    return {
      formula: added({ constant: own, factors: [] }, repeated),
      expandedFields: capped(below.expandedFields + 1),
    };
  }

  /** Introspection is not limited by types of ours; each of its fields costs 1. */
  function countOnly({ selections }: SelectionSetNode): Score {
    let total = introspectionCost;
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD)
        total = sum(
          total,
          selection.selectionSet === undefined ? introspectionCost : countOnly(selection.selectionSet),
        );
      else if (selection.kind === Kind.FRAGMENT_SPREAD) total = sum(total, ofFragment(selection.name.value));
      else total = sum(total, countOnly(selection.selectionSet));
    }
    return total;
  }

  return Object.fromEntries(
    document.definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
      const root = schema.getRootType(definition.operation);
      return root === undefined || root === null
        ? []
        : [[definition.name?.value ?? '', ofSelections(root, definition.selectionSet)]];
    }),
  );
}

function fieldOf(type: GraphQLCompositeType, name: string): GraphQLField<unknown, unknown> | undefined {
  return type instanceof GraphQLObjectType || type instanceof GraphQLInterfaceType ? type.getFields()[name] : undefined;
}

function isPaged(field: GraphQLField<unknown, unknown>): boolean {
  return field.args.some(({ name }) => name === 'limit');
}

function multiplied(formula: Formula, node: FieldNode): Formula {
  const limit = node.arguments?.find(({ name }) => name.value === 'limit')?.value;
  if (limit?.kind === Kind.VARIABLE)
    return { constant: 0, factors: [{ variable: limit.name.value, fallback: limitDefault, formula }] };
  return scaled(formula, limit?.kind === Kind.INT ? Math.max(0, Number(limit.value)) : limitDefault);
}

function scaled({ constant, factors }: Formula, by: number): Formula {
  return {
    constant: capped(constant * by),
    factors: factors.map(({ formula, ...factor }) => ({ ...factor, formula: scaled(formula, by) })),
  };
}

function sum(one: Score, other: Score): Score {
  return {
    formula: added(one.formula, other.formula),
    expandedFields: capped(one.expandedFields + other.expandedFields),
  };
}

/** Factors that one formula may hold; a document with more variables in limits is scored by its first ones, dearly. */
const factorsMax = 100;

function added(one: Formula, other: Formula): Formula {
  const factors = [...one.factors, ...other.factors];
  if (factors.length > factorsMax) return { constant: costMax, factors: [] };
  return { constant: capped(one.constant + other.constant), factors };
}

function capped(cost: number): number {
  return Math.min(cost, costMax);
}

/** The score for these variables. */
export function evaluateFormula({ constant, factors }: Formula, variables: Readonly<Record<string, unknown>>): number {
  let total = constant;
  for (const { variable, fallback, formula } of factors) {
    const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
    const times = typeof value === 'number' && value > 0 ? value : fallback;
    total += times * evaluateFormula(formula, variables);
  }
  return capped(total);
}
