/**
 * The score of a query (specification 4.5, query feature 3). A field costs what the schema says, a page of results
 * costs its selection times its `limit`, a list of other resources that of some, and introspection what it gives of the
 * schema. Arguments of searches cost by their length. The score is a formula over the variables, so it is made
 * once for a text.
 */
import {
  type DocumentNode,
  type FieldNode,
  type GraphQLCompositeType,
  type GraphQLField,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isListType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { argumentSize, literalSize, type Measure, valueSize } from './argument-sizes.ts';
import { introspectionCost, introspectionOf, sizeOf } from './introspection-cost.ts';
import { declaredField, fragmentsOf } from './selections.ts';

/** Cost of fields by `Type.field`, where it is not 1. */
export type FieldCosts = Readonly<Record<string, number>>;

/** What the arguments cost of fields whose arguments say how much is to be done, by `Type.field`. */
export type ArgumentCosts = Readonly<Record<string, ArgumentCost>>;

export interface ArgumentCost {
  readonly measure: Measure;
  /** Of each that is counted. */
  readonly cost: number;
}

/** `constant`, for each factor the product of a variable's value and a formula, and what the size of variables costs. */
export interface Formula {
  readonly constant: number;
  /** Each variable once by each measure. */
  readonly sizes: readonly SizeCost[];
  readonly factors: readonly { readonly variable: string; readonly formula: Formula }[];
}

interface SizeCost extends ArgumentCost {
  readonly variable: string;
}

export interface OperationScore {
  readonly formula: Formula;
  /** Limits that the operation declares for its variables. */
  readonly defaults: Readonly<Record<string, number>>;
  /** The sizes of all that it declares for them. */
  readonly defaultSizes: Readonly<Record<string, Readonly<Record<Measure, number>>>>;
}

const limitDefault = 20;
/** Of lists of references and the like, which have mostly a few. What they really give has a budget of its own, of an answer. */
const listed = 5;
/** A predicate may have every resource of the kind looked at. */
const whereComplexity = 50;
/** What asks for the schema alone is answered in a worker thread; who asks for other things beside it pays for all of it. */
const besideIntrospection = 10;
/** Sums stop here: nested fragments double with each level. */
const costMax = 1e12;

/** The score of each operation of a validated document, by its name; the anonymous one is ''. */
export function scoreOperations(
  schema: GraphQLSchema,
  document: DocumentNode,
  costs: FieldCosts,
  argumentCosts: ArgumentCosts = {},
): Record<string, OperationScore> {
  const fragments = fragmentsOf(document);
  const known = new Map<string, Formula>();
  const schemaSize = sizeOf(schema);

  function ofSelections(type: GraphQLCompositeType, { selections }: SelectionSetNode): Formula {
    let total = costing(0);
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) total = added(total, ofField(type, selection));
      else if (selection.kind === Kind.FRAGMENT_SPREAD) total = added(total, ofFragment(selection.name.value));
      else
        total = added(
          total,
          ofSelections(conditionType(selection.typeCondition?.name.value) ?? type, selection.selectionSet),
        );
    }
    return total;
  }

  /** Fragments are scored once each: a document may spread one exponentially often. */
  function ofFragment(name: string): Formula {
    const scored = known.get(name);
    if (scored !== undefined) return scored;
    const fragment = fragments.get(name)!;
    const formula = ofSelections(conditionType(fragment.typeCondition.name.value)!, fragment.selectionSet);
    known.set(name, formula);
    return formula;
  }

  function conditionType(name: string | undefined): GraphQLCompositeType | undefined {
    const type = name === undefined ? undefined : schema.getType(name);
    return isCompositeType(type) ? type : undefined;
  }

  function ofField(type: GraphQLCompositeType, node: FieldNode): Formula {
    const field = declaredField(type, node.name.value);
    if (field === undefined) return introspection(node);
    const declared = costs[`${type.name}.${field.name}`] ?? 1;
    const argumentCost = argumentCosts[`${type.name}.${field.name}`];
    const asked = argumentCost === undefined ? costing(0) : askedFor(node, argumentCost);
    const own = added(costing(declared + (hasArgument(node, 'where') ? whereComplexity : 0)), asked);
    const named = getNamedType(field.type);
    if (node.selectionSet === undefined || !isCompositeType(named)) return own;
    const below = ofSelections(named, node.selectionSet);
    return added(own, declared > 1 ? repeated(below, node, field) : below);
  }

  /** `__typename`, which costs as little as any field, and what tells of the schema. */
  function introspection(node: FieldNode): Formula {
    return costing(node.selectionSet === undefined ? 1 : introspectionCost(schemaSize, node, fragments));
  }

  return Object.fromEntries(
    document.definitions.flatMap((definition) => {
      if (definition.kind !== Kind.OPERATION_DEFINITION) return [];
      const root = schema.getRootType(definition.operation);
      if (root === undefined || root === null) return [];
      const asked = ofSelections(root, definition.selectionSet);
      const isMixed = introspectionOf(definition, fragments) === 'some';
      const formula = isMixed ? scaled(asked, besideIntrospection) : asked;
      return [
        [
          definition.name?.value ?? '',
          { formula, defaults: defaultsOf(definition), defaultSizes: defaultSizesOf(definition) },
        ],
      ];
    }),
  );
}

function costing(constant: number): Formula {
  return { constant, factors: [], sizes: [] };
}

function askedFor(node: FieldNode, { measure, cost }: ArgumentCost): Formula {
  const { size, variables } = argumentSize(node, measure);
  const sizes = variables.map((variable) => ({ variable, measure, cost }));
  return { ...costing(size * cost), sizes: eachOnce(sizes) };
}

function eachOnce(sizes: Formula['sizes']): Formula['sizes'] {
  const known = new Map<string, SizeCost>();
  for (const { variable, measure, cost } of sizes) {
    const name = `${measure} ${variable}`;
    known.set(name, { variable, measure, cost: capped((known.get(name)?.cost ?? 0) + cost) });
  }
  return [...known.values()];
}

/** Of a page of other resources, which cost more than what is at hand, or of a list of them. */
function repeated(below: Formula, node: FieldNode, { args, type }: GraphQLField<unknown, unknown>): Formula {
  if (args.some(({ name }) => name === 'limit')) return multiplied(below, node);
  return isListType(getNullableType(type)) ? scaled(below, listed) : below;
}

function hasArgument({ arguments: given = [] }: FieldNode, name: string): boolean {
  return given.some((argument) => argument.name.value === name);
}

function multiplied(formula: Formula, node: FieldNode): Formula {
  const limit = node.arguments?.find(({ name }) => name.value === 'limit')?.value;
  if (limit?.kind === Kind.VARIABLE) return { ...costing(0), factors: [{ variable: limit.name.value, formula }] };
  return scaled(formula, limit?.kind === Kind.INT ? Math.max(0, Number(limit.value)) : limitDefault);
}

function defaultsOf({ variableDefinitions = [] }: OperationDefinitionNode): Record<string, number> {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) =>
      defaultValue?.kind === Kind.INT ? [[variable.name.value, Number(defaultValue.value)]] : [],
    ),
  );
}

function defaultSizesOf({ variableDefinitions = [] }: OperationDefinitionNode): OperationScore['defaultSizes'] {
  return Object.fromEntries(
    variableDefinitions.flatMap(({ variable, defaultValue }) => {
      if (defaultValue === undefined) return [];
      const sizes = {
        characters: literalSize(defaultValue, 'characters'),
        elements: literalSize(defaultValue, 'elements'),
      };
      return [[variable.name.value, sizes]];
    }),
  );
}

function scaled({ constant, factors, sizes }: Formula, by: number): Formula {
  return {
    constant: capped(constant * by),
    sizes: sizes.map(({ cost, ...size }) => ({ ...size, cost: capped(cost * by) })),
    factors: factors.map(({ formula, ...factor }) => ({ ...factor, formula: scaled(formula, by) })),
  };
}

/** Factors that one formula may hold; a document with more variables in limits is scored by its first ones, dearly. */
const factorsMax = 100;

function added(one: Formula, other: Formula): Formula {
  const factors = [...one.factors, ...other.factors];
  if (factors.length > factorsMax) return costing(costMax);
  const sizes = other.sizes.length === 0 ? one.sizes : eachOnce([...one.sizes, ...other.sizes]);
  return { constant: capped(one.constant + other.constant), factors, sizes };
}

function capped(cost: number): number {
  return Math.min(cost, costMax);
}

/** The score for these variables; those that are not given have their defaults. */
export function scoreFor(score: OperationScore, variables: Readonly<Record<string, unknown>>): number {
  const { formula, defaults, defaultSizes } = score;
  const known = new Map<string, number>();
  const sizeOfVariable: SizeOfVariable = ({ variable, measure }) => {
    const name = `${measure} ${variable}`;
    let size = known.get(name);
    if (size === undefined) {
      const isGiven = Object.hasOwn(variables, variable);
      const byDefault = Object.hasOwn(defaultSizes, variable) ? defaultSizes[variable]![measure] : 0;
      known.set(name, (size = isGiven ? valueSize(variables[variable], measure) : byDefault));
    }
    return size;
  };
  return Math.ceil(evaluated(formula, { ...defaults, ...variables }, sizeOfVariable));
}

type SizeOfVariable = (size: Pick<SizeCost, 'variable' | 'measure'>) => number;

function evaluated(
  { constant, factors, sizes }: Formula,
  variables: Readonly<Record<string, unknown>>,
  sizeOfVariable: SizeOfVariable,
): number {
  let total = constant;
  for (const size of sizes) total += sizeOfVariable(size) * size.cost;
  for (const { variable, formula } of factors) {
    const value = Object.hasOwn(variables, variable) ? variables[variable] : undefined;
    const times = typeof value === 'number' && value > 0 ? value : limitDefault;
    total += times * evaluated(formula, variables, sizeOfVariable);
  }
  return capped(total);
}
